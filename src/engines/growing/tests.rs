//! Against a brute force that knows only edges.

use fixedbitset::FixedBitSet;

use super::*;
use crate::instance::Silent;
use crate::view::Edge;

/// Numbers that look random (G. Marsaglia, *Xorshift RNGs*, Journal of Statistical Software 8, 2003).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }
}

fn question(dice: &mut Dice, n: usize, directed: bool) -> Question {
    let plain = dice.one_in(2);
    let density = 2 + dice.below(4);
    let mut edges = Vec::new();
    for source in 0..n as u32 {
        for target in 0..n as u32 {
            if (if directed { source != target } else { source < target }) && dice.below(6) < density {
                let weight = if plain { 1 } else { dice.below(9) as i64 - 2 };
                edges.push(Edge { source, target, weight });
            }
        }
    }
    let (graph, _) = CsrGraph::from_multigraph(n, directed, edges);
    let m = graph.edge_count();
    let closed = dice.one_in(4);
    let mut end = |rare| (dice.one_in(rare)).then(|| dice.below(n as u64) as u32);
    let (from, to) = (end(3), end(3).filter(|_| !closed));
    let prized = dice.one_in(3);
    Question {
        from,
        to: to.filter(|_| to != from),
        closed,
        induced: dice.one_in(2),
        prizes: (0..n).map(|_| if prized { dice.below(9) as i64 - 4 } else { 0 }).collect(),
        visit: (0..n).filter(|_| dice.one_in(10)).collect(),
        use_edges: (0..m).filter(|_| dice.one_in(15)).collect(),
        at_least: if dice.one_in(4) { 1 + dice.below(4) as u32 } else { 1 },
        at_most: if dice.one_in(3) { 1 + dice.below(n as u64) as u32 } else { n as u32 },
        graph,
    }
}

/// The worth of the best answer.
fn brute(question: &Question) -> Option<i64> {
    let mut best = None;
    for first in 0..question.vertices() as u32 {
        if question.closed || question.from.is_none_or(|from| from == first) {
            extend(question, &mut vec![first], &mut best);
        }
    }
    best
}

fn extend(question: &Question, path: &mut Vec<u32>, best: &mut Option<i64>) {
    *best = (*best).max(worth(question, path));
    for arc in question.graph.out_arcs(path[path.len() - 1]) {
        if !path.contains(&arc.target) {
            path.push(arc.target);
            extend(question, path, best);
            path.pop();
        }
    }
}

/// What a path is worth, or the cycle that it closes to, if it is an answer.
fn worth(question: &Question, path: &[u32]) -> Option<i64> {
    let graph = &question.graph;
    let mut pairs: Vec<(u32, u32)> = path.windows(2).map(|pair| (pair[0], pair[1])).collect();
    if question.closed {
        if path.len() < if graph.is_directed() { 2 } else { 3 } {
            return None;
        }
        pairs.push((path[path.len() - 1], path[0]));
    }
    let edges: Option<Vec<u32>> = pairs.iter().map(|&(one, two)| graph.edge_between(one, two)).collect();
    let edges = edges?;
    let ends = question.closed && question.from.is_none_or(|from| path.contains(&from))
        || !question.closed && question.to.is_none_or(|to| path[path.len() - 1] == to);
    let visits = question.visit.ones().all(|vertex| path.contains(&(vertex as u32)));
    let uses = question.use_edges.ones().all(|edge| edges.contains(&(edge as u32)));
    let count = edges.len() as u32;
    let hops = (question.at_least..=question.at_most).contains(&count);
    let on_path = |vertex: &u32| path.contains(vertex);
    let chord = (0..)
        .zip(graph.edges())
        .any(|(number, edge)| on_path(&edge.source) && on_path(&edge.target) && !edges.contains(&number));
    let good = !edges.is_empty() && ends && visits && uses && hops && !(question.induced && chord);
    let prizes: i64 = path.iter().map(|&vertex| question.prizes[vertex as usize]).sum();
    good.then(|| prizes + edges.iter().map(|&edge| graph.weight(edge)).sum::<i64>())
}

#[test]
fn random_questions() {
    let mut dice = Dice(0x1234_5678_9ABC_DEF1);
    for round in 0..4000 {
        let n = 2 + dice.below(6) as usize;
        let asked = question(&mut dice, n, round % 2 == 0);
        let expected = brute(&asked);
        let mut search = Search::new(asked.clone(), i64::MIN / 2, 1 << 20);
        let mut grown = search.run(1, &Budget::unlimited(), &mut Silent);
        while let Some(stop) = grown.stop {
            assert_eq!(stop, Stop::Exhausted);
            assert!(grown.upper >= expected.unwrap_or(i64::MIN), "{asked:?}");
            grown = search.run(7, &Budget::unlimited(), &mut Silent);
        }
        assert_eq!(grown.best.as_ref().map(|best| best.1), expected, "{asked:?}");
        assert_eq!(grown.best.map(|(path, _)| worth(&asked, &path)), expected.map(Some), "{asked:?}");
        // What is above the floor is found, and nothing else.
        if let Some(best) = expected {
            let mut search = Search::new(asked.clone(), best, 1 << 20);
            let grown = search.run(u64::MAX, &Budget::unlimited(), &mut Silent);
            assert_eq!((grown.best, grown.upper, grown.stop), (None, best, None), "{asked:?}");
        }
    }
}

/// The graph of the corners of a cube.
fn cube(dimensions: u32) -> CsrGraph {
    let edges = (0..1u32 << dimensions).flat_map(|source| (0..dimensions).map(move |bit| (source, source ^ 1 << bit)));
    let edges = edges.filter(|(source, target)| source < target);
    let edges = edges.map(|(source, target)| Edge { source, target, weight: 1 }).collect();
    CsrGraph::from_multigraph(1 << dimensions, false, edges).0
}

/// The longest induced path or cycle of a graph.
fn plain(graph: CsrGraph, closed: bool) -> Question {
    let (n, m) = (graph.vertex_count(), graph.edge_count());
    Question {
        graph,
        from: None,
        to: None,
        closed,
        induced: true,
        prizes: vec![0; n],
        visit: FixedBitSet::with_capacity(n),
        use_edges: FixedBitSet::with_capacity(m),
        at_least: 1,
        at_most: n as u32,
    }
}

#[test]
fn snakes_and_coils() {
    for (dimensions, snake, coil) in [(2, 2, 4), (3, 4, 6), (4, 7, 8), (5, 13, 14), (6, 26, 26)] {
        for (closed, length) in [(false, snake), (true, coil)] {
            let mut search = Search::new(plain(cube(dimensions), closed), 0, 1 << 20);
            let grown = search.run(u64::MAX, &Budget::unlimited(), &mut Silent);
            assert_eq!((grown.upper, grown.stop), (length, None));
            assert_eq!(grown.best.map(|best| best.1), Some(length));
        }
    }
}

#[test]
fn one_beginning_does_for_an_orbit() {
    let question = plain(cube(4), false);
    let mut search = Search::new(question, 0, 1 << 20);
    search.run(1, &Budget::unlimited(), &mut Silent);
    assert!(search.beginnings.is_empty());
    // And of its neighbours, one for all.
    assert_eq!(search.options.len(), 1);
}

/// Whatever leads nowhere gains nothing, also many of them together.
#[test]
fn sources_beside_each_other() {
    for sources in 1..=30u32 {
        let edges = (0..sources).map(|source| Edge { source, target: sources, weight: 1 });
        let out = (1..=sources).map(|target| Edge { source: 0, target, weight: 1 });
        for edges in [edges.collect::<Vec<_>>(), out.collect()] {
            let (graph, _) = CsrGraph::from_multigraph(sources as usize + 1, true, edges);
            let mut search = Search::new(plain(graph, false), 0, 1 << 20);
            let grown = search.run(u64::MAX, &Budget::unlimited(), &mut Silent);
            assert_eq!((grown.best.map(|best| best.1), grown.upper, grown.stop), (Some(1), 1, None));
        }
    }
}
