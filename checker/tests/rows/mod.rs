//! Every row of trails holds for every trail that it is about, and these are enough: by all trails of small roots.

#[path = "../random/mod.rs"]
mod random;

use self::random::Random;
use crate::graph::Graph;
use crate::model::{Model, Row};
use crate::token::Tokens;

/// Edges by their ends; a trail is a set of them.
type Root = [[usize; 2]];

fn meet(one: [usize; 2], other: [usize; 2]) -> bool {
    one.iter().any(|end| other.contains(end))
}

fn is_in(set: usize, number: usize) -> bool {
    set >> number & 1 == 1
}

/// How many edges of a trail are at a vertex.
fn degree(root: &Root, trail: usize, vertex: usize) -> usize {
    (0..root.len()).filter(|&edge| is_in(trail, edge) && root[edge].contains(&vertex)).count()
}

/// Every trail without loops that has two different ends with one of its edges each.
fn trails(root: &Root, vertices: usize) -> Vec<usize> {
    let is_trail = |&trail: &usize| {
        let edges: Vec<usize> = (0..root.len()).filter(|&edge| is_in(trail, edge)).collect();
        let odd: Vec<usize> = (0..vertices).filter(|&vertex| degree(root, trail, vertex) % 2 == 1).collect();
        let Some(&first) = edges.first() else { return false };
        let mut reached = vec![first];
        while let Some(&next) = edges
            .iter()
            .find(|&&next| !reached.contains(&next) && reached.iter().any(|&known| meet(root[known], root[next])))
        {
            reached.push(next);
        }
        let has_loop = edges.iter().any(|&edge| root[edge][0] == root[edge][1]);
        let ends_once = odd.len() == 2 && odd.iter().all(|&end| degree(root, trail, end) == 1);
        reached.len() == edges.len() && !has_loop && ends_once
    };
    (0..1usize << root.len()).filter(is_trail).collect()
}

/// How many edges the longest sequence has in which neighbours share an end.
fn longest(root: &Root) -> usize {
    fn grow(root: &Root, sequence: &mut Vec<usize>, best: &mut usize) {
        *best = (*best).max(sequence.len());
        for next in 0..root.len() {
            let goes_on = sequence.last().is_none_or(|&last| meet(root[last], root[next]));
            if goes_on && !sequence.contains(&next) {
                sequence.push(next);
                grow(root, sequence, best);
                sequence.pop();
            }
        }
    }
    let mut best = 0;
    grow(root, &mut Vec::new(), &mut best);
    best
}

fn model(root: &Root, vertices: usize) -> Model {
    let n = root.len();
    let pairs = (0..n).flat_map(|u| (0..u).map(move |v| (u, v))).filter(|&(u, v)| meet(root[u], root[v]));
    let graph = Graph::new(false, n, pairs.map(|(u, v)| (u as u32, v as u32, 1)));
    let mut text = format!("longhaul-proof 1 graph {n} {} undirected {} ", graph.edges.len(), graph.digest());
    text += &format!("path first all last all {vertices}");
    root.iter().for_each(|[u, v]| text += &format!(" {} {}", u + 1, v + 1));
    let mut source = text.as_bytes();
    let mut tokens = Tokens::new(&mut source).expect("a head");
    let (model, _) = Model::read(&graph, &mut tokens).expect("a question");
    model.root(&mut tokens, Some(99)).expect("a root")
}

/// What each column of a trail is.
fn columns(model: &Model, root: &Root, vertices: usize, trail: usize) -> Vec<i64> {
    let mut values = vec![0; model.columns()];
    let visited = |vertex: usize| degree(root, trail, vertex) > 0;
    for (edge, ends) in root.iter().enumerate() {
        values[edge] = i64::from(is_in(trail, edge));
        values[model.lost(edge as u32) as usize] = i64::from(!ends.iter().any(|&end| visited(end)));
    }
    for vertex in 0..vertices {
        values[model.visit(vertex as u32) as usize] = i64::from(visited(vertex));
        values[model.start(vertex as u32) as usize] = i64::from(degree(root, trail, vertex) == 1);
    }
    values
}

/// All rows that a proof may name, in words; and all cuts, with every odd set of teeth.
fn rows(root: &Root, vertices: usize) -> (Vec<String>, Vec<String>) {
    let mut rows = vec!["ends".to_owned(), "some".to_owned()];
    rows.extend((1..=vertices).flat_map(|vertex| [format!("at {vertex}"), format!("tip {vertex}")]));
    for (edge, ends) in (1..).zip(root) {
        rows.push(format!("lost {edge}"));
        rows.extend(ends.iter().map(|end| format!("use {edge} {}", end + 1)));
    }
    let mut cuts = Vec::new();
    for set in 1..1usize << vertices {
        let inside: Vec<usize> = (0..vertices).filter(|&vertex| is_in(set, vertex)).collect();
        let names: Vec<String> = inside.iter().map(|vertex| (vertex + 1).to_string()).collect();
        let list = format!("{} {}", names.len(), names.join(" "));
        cuts.extend(names.iter().map(|visited| format!("set {visited} 0 {list}")));
        let across = (0..root.len()).filter(|&edge| is_in(set, root[edge][0]) != is_in(set, root[edge][1]));
        let mut border: Vec<String> = across.map(|edge| format!("edge {}", edge + 1)).collect();
        border.extend(names.iter().map(|name| format!("tip {name}")));
        for chosen in 0..1usize << border.len() {
            let teeth: Vec<&str> =
                (0..border.len()).filter(|&tooth| is_in(chosen, tooth)).map(|tooth| &border[tooth][..]).collect();
            if teeth.len() % 2 == 1 {
                cuts.push(format!("blossom {list} {} {}", teeth.len(), teeth.join(" ")));
            }
        }
    }
    (rows, cuts)
}

/// Whether these values of the columns obey a row.
fn holds_for(row: &Row, values: &[i64]) -> bool {
    let sum: i64 = row.entries.iter().map(|&(column, times)| i64::from(times) * values[column as usize]).sum();
    if row.is_equation { sum == row.most } else { sum <= row.most }
}

fn check(root: &Root, vertices: usize) -> usize {
    let model = model(root, vertices);
    let trails = trails(root, vertices);
    let met = |visited: &dyn Fn(usize) -> bool| root.iter().filter(|ends| ends.iter().any(|&end| visited(end))).count();
    let by_trails = trails.iter().map(|&trail| met(&|vertex| degree(root, trail, vertex) > 0));
    let by_vertices = (0..vertices).map(|alone| met(&|vertex| vertex == alone));
    assert_eq!(by_trails.chain(by_vertices).max(), Some(longest(root)), "{root:?}");
    let values: Vec<Vec<i64>> = trails.iter().map(|&trail| columns(&model, root, vertices, trail)).collect();
    let (rows, cuts) = rows(root, vertices);
    for (words, is_cut) in rows.iter().map(|row| (row, false)).chain(cuts.iter().map(|cut| (cut, true))) {
        let text = format!("longhaul-proof 1 {words}");
        let mut source = text.as_bytes();
        let mut tokens = Tokens::new(&mut source).expect("a head");
        let kind = tokens.word().expect("a word");
        let row = if is_cut { model.read_cut(kind, &mut tokens) } else { model.row(kind, &mut tokens) };
        let row = row.unwrap_or_else(|why| panic!("{why}: {words} {root:?}"));
        for (trail, values) in trails.iter().zip(&values) {
            assert!(holds_for(&row, values), "{words} and {trail:b} in {root:?}");
        }
    }
    trails.len()
}

#[test]
fn rows_hold_for_all_trails_that_matter() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut looked_at = 0;
    // A path with a circle in its middle, where four edges meet: the trail that meets all passes there twice.
    let passed_twice = [[0, 1], [1, 2], [0, 3], [3, 4], [0, 5], [5, 6], [6, 0]];
    looked_at += check(&passed_twice, 7);
    for _ in 0..300 {
        let vertices = 2 + random.below(4);
        let root: Vec<[usize; 2]> =
            (0..1 + vertices / 2 + random.below(6)).map(|_| [random.below(vertices), random.below(vertices)]).collect();
        looked_at += check(&root, 1 + root.iter().flatten().max().expect("an edge"));
    }
    assert!(looked_at > 2000, "{looked_at}");
}
