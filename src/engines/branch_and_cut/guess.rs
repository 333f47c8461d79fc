//! A path from a fractional solution: the best one in a spanning forest of what is used most.
//!
//! Edges join by falling value as long as they close no cycle. In the trees that come of it the best path between any two
//! vertices is found by one sweep from the leaves up; a cycle needs one more edge. All that an integral part of the
//! solution says is kept, and where the solution is one path the guess is that path. Undirected instances only:
//! in directed ones edges join only where they can follow each other, and the pieces are chains.

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;
use smallvec::SmallVec;

use crate::instance::{Ends, Instance, NOT_AN_END};

/// The best path found, if there is one that has an edge and the right ends.
pub(super) fn path(instance: &Instance, values: &[f64]) -> Option<Vec<u32>> {
    let graph = &instance.graph;
    let n = graph.vertex_count();
    let mut order: Vec<u32> = (0..graph.edge_count() as u32).collect();
    order.sort_by(|&one, &two| values[two as usize].total_cmp(&values[one as usize]).then(one.cmp(&two)));
    let mut sets = UnionFind::new(n);
    let mut tree = vec![Neighbours::new(); n];
    let (mut has_out, mut has_in) = (FixedBitSet::with_capacity(n), FixedBitSet::with_capacity(n));
    let mut beside = Vec::new();
    for &edge in &order {
        let line = graph.edges()[edge as usize];
        let (source, target) = (line.source as usize, line.target as usize);
        let follows = !graph.is_directed() || (!has_out[source] && !has_in[target]);
        if !follows || !sets.union(line.source, line.target) {
            beside.push(edge);
            continue;
        }
        has_out.insert(source);
        has_in.insert(target);
        tree[source].push((line.target, line.weight));
        tree[target].push((line.source, line.weight));
    }
    match &instance.ends {
        Ends::Open { first, last, .. } if graph.is_directed() => best_chain(instance, &tree, &has_in, first, last),
        Ends::Open { first, last, .. } => best_path(&tree, first, last),
        Ends::Closed { through } => best_cycle(instance, &tree, &beside, *through),
    }
}

/// The neighbours of a vertex in its tree, with the weights of the edges: along a path two.
type Neighbours = SmallVec<[(u32, i64); 2]>;

/// Of each tree, the vertices in an order in which each comes after its parent, with the parent and the weight to it.
fn rooted(tree: &[Neighbours]) -> Vec<(u32, u32, i64)> {
    let mut seen = FixedBitSet::with_capacity(tree.len());
    let mut order: Vec<(u32, u32, i64)> = Vec::with_capacity(tree.len());
    for root in 0..tree.len() as u32 {
        if seen[root as usize] {
            continue;
        }
        seen.insert(root as usize);
        let mut next = order.len();
        order.push((root, root, 0));
        while let Some(&(vertex, ..)) = order.get(next) {
            next += 1;
            for &(other, weight) in &tree[vertex as usize] {
                if !seen[other as usize] {
                    seen.insert(other as usize);
                    order.push((other, vertex, weight));
                }
            }
        }
    }
    order
}

/// The best way from a vertex down its tree to an end: its value, and the child it goes to.
type Way = Option<(i64, u32)>;

fn best_path(tree: &[Neighbours], first: &[i64], last: &[i64]) -> Option<Vec<u32>> {
    let n = tree.len();
    let ending = |prize: i64, vertex: usize| (prize != NOT_AN_END).then_some((prize, vertex as u32));
    let mut down_first: Vec<Way> = (0..n).map(|vertex| ending(first[vertex], vertex)).collect();
    let mut down_last: Vec<Way> = (0..n).map(|vertex| ending(last[vertex], vertex)).collect();
    // The value, the top vertex, and the two children: on the side of the first vertex, and of the last.
    let mut best: Option<(i64, u32, u32, u32)> = None;
    for &(vertex, above, weight) in rooted(tree).iter().rev() {
        if vertex == above {
            continue;
        }
        let (v, a) = (vertex as usize, above as usize);
        let up = |way: Way| way.map(|(value, _)| value + weight);
        for (mine, other, turned) in [(down_first[v], down_last[a], false), (down_last[v], down_first[a], true)] {
            if let (Some(mine), Some((beside, child))) = (up(mine), other) {
                let value = mine + beside;
                if best.is_none_or(|(best, ..)| value > best) {
                    best = Some(if turned { (value, above, child, vertex) } else { (value, above, vertex, child) });
                }
            }
        }
        for down in [&mut down_first, &mut down_last] {
            if let Some(value) = up(down[v])
                && down[a].is_none_or(|(best, _)| value > best)
            {
                down[a] = Some((value, vertex));
            }
        }
    }
    let (_, top, to_first, to_last) = best?;
    // The ways down are those known when the children were done.
    let follow = |down: &[Way], from: u32| {
        let mut way = Vec::new();
        let mut at = from;
        while at != top {
            way.push(at);
            let (_, next) = down[at as usize].expect("a way leads to an end");
            if next == at {
                break;
            }
            at = next;
        }
        way
    };
    let mut path = follow(&down_first, to_first);
    path.reverse();
    path.push(top);
    path.extend(follow(&down_last, to_last));
    Some(path)
}

fn best_chain(
    instance: &Instance,
    tree: &[Neighbours],
    has_in: &FixedBitSet,
    first: &[i64],
    last: &[i64],
) -> Option<Vec<u32>> {
    let mut best: Option<(i64, Vec<u32>)> = None;
    for start in (0..tree.len() as u32).filter(|&vertex| !has_in[vertex as usize]) {
        let mut chain = vec![start];
        let mut before = start;
        while let Some(&(next, _)) = tree[chain[chain.len() - 1] as usize].iter().find(|&&(next, _)| next != before) {
            before = chain[chain.len() - 1];
            chain.push(next);
        }
        // The best segment of the chain: the best beginning so far for every end.
        let mut beginning: Option<(i64, usize)> = None;
        for (at, &vertex) in chain.iter().enumerate() {
            if at > 0 {
                let edge = instance.graph.edge_between(chain[at - 1], vertex).expect("chains follow edges");
                beginning = beginning.map(|(value, from)| (value + instance.graph.weight(edge), from));
                if let Some((value, from)) = beginning.filter(|_| last[vertex as usize] != NOT_AN_END) {
                    let value = value + last[vertex as usize];
                    if best.as_ref().is_none_or(|(best, _)| value > *best) {
                        best = Some((value, chain[from..=at].to_vec()));
                    }
                }
            }
            let prize = first[vertex as usize];
            if prize != NOT_AN_END && beginning.is_none_or(|(value, _)| prize > value) {
                beginning = Some((prize, at));
            }
        }
    }
    best.map(|(_, path)| path)
}

/// Cycles looked at: each takes a walk up a tree.
const MOST_CYCLES: usize = 200;

fn best_cycle(instance: &Instance, tree: &[Neighbours], beside: &[u32], through: Option<u32>) -> Option<Vec<u32>> {
    let order = rooted(tree);
    let mut above: Vec<u32> = vec![0; tree.len()];
    let mut depth = vec![0u32; tree.len()];
    for &(vertex, parent, _) in &order {
        above[vertex as usize] = parent;
        depth[vertex as usize] = if parent == vertex { 0 } else { depth[parent as usize] + 1 };
    }
    let mut best: Option<(i64, Vec<u32>)> = None;
    for &edge in beside.iter().take(MOST_CYCLES) {
        let line = instance.graph.edges()[edge as usize];
        let (mut one, mut two) = (line.target, line.source);
        let (mut front, mut back) = (vec![one], vec![two]);
        while one != two && (depth[one as usize] > 0 || depth[two as usize] > 0) {
            if depth[one as usize] >= depth[two as usize] {
                one = above[one as usize];
                front.push(one);
            } else {
                two = above[two as usize];
                back.push(two);
            }
        }
        if one != two {
            continue;
        }
        back.pop();
        front.extend(back.iter().rev());
        let least = if instance.graph.is_directed() { 2 } else { 3 };
        let closes = front.len() >= least
            && through.is_none_or(|through| front.contains(&through))
            && front.windows(2).all(|pair| instance.graph.edge_between(pair[0], pair[1]).is_some());
        if closes {
            let value = instance.value(&front);
            if best.as_ref().is_none_or(|(best, _)| value > *best) {
                best = Some((value, front));
            }
        }
    }
    best.map(|(_, cycle)| cycle)
}
