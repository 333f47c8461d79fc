//! What may be asked, and a brute force that knows only edges.

use std::collections::BTreeMap;

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::support::{Ends, Small};

/// What is asked beside the ends; nodes and edges by their places.
#[derive(Clone, Debug, Default)]
pub(super) struct Wishes {
    pub(super) prizes: Option<Vec<i64>>,
    pub(super) visit: Vec<usize>,
    pub(super) avoid: Vec<usize>,
    pub(super) use_edges: Vec<usize>,
    pub(super) use_steps: Vec<[usize; 2]>,
    pub(super) avoid_edges: Vec<usize>,
    pub(super) at_least: Option<usize>,
    pub(super) at_most: Option<usize>,
    pub(super) induced: bool,
}

impl Wishes {
    /// A few of them, which do not contradict each other outright.
    pub(super) fn random(rng: &mut Pcg64Mcg, graph: &Small, ends: Ends) -> Wishes {
        let mut wishes = Wishes::default();
        let node = |rng: &mut Pcg64Mcg| rng.random_range(0..graph.nodes);
        if rng.random_bool(0.5) {
            wishes.prizes = Some((0..graph.nodes).map(|_| rng.random_range(-4..=4)).collect());
        }
        if rng.random_bool(0.3) {
            wishes.visit = (0..rng.random_range(1..=2)).map(|_| node(rng)).collect();
        }
        if rng.random_bool(0.3) {
            let avoided = node(rng);
            let wanted = wishes.visit.contains(&avoided) || ends.from == Some(avoided) || ends.to == Some(avoided);
            wishes.avoid.extend((!wanted).then_some(avoided));
        }
        if !graph.edges.is_empty() && rng.random_bool(0.3) {
            wishes.use_edges = vec![rng.random_range(0..graph.edges.len())];
        }
        if !graph.edges.is_empty() && rng.random_bool(0.2) {
            let (one, two, _) = graph.edges[rng.random_range(0..graph.edges.len())];
            let unwanted = wishes.avoid.contains(&one) || wishes.avoid.contains(&two);
            wishes.use_steps.extend((!unwanted).then_some([one, two]));
        }
        if !graph.edges.is_empty() && rng.random_bool(0.3) {
            let edge = rng.random_range(0..graph.edges.len());
            wishes.avoid_edges.extend((!wishes.use_edges.contains(&edge)).then_some(edge));
        }
        wishes.at_least = rng.random_bool(0.2).then(|| rng.random_range(1..=graph.nodes));
        wishes.at_most = rng.random_bool(0.2).then(|| rng.random_range(1..=graph.nodes));
        wishes
    }
}

/// A path as what tells it from others: its edges, as bits, or its only node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Told {
    Node(usize),
    Edges(u64),
}

impl Told {
    pub(super) fn edges(edges: impl Iterator<Item = usize>) -> Told {
        Told::Edges(edges.fold(0, |bits, edge| bits | 1 << edge))
    }
}

/// Every path, or cycle, that is asked for, with its worth.
pub(super) fn brute(graph: &Small, ends: Ends, wishes: &Wishes) -> BTreeMap<Told, i64> {
    let mut found = BTreeMap::new();
    let may_begin = |first: usize| ends.closed || ends.from.is_none_or(|from| from == first);
    for first in (0..graph.nodes).filter(|first| !wishes.avoid.contains(first) && may_begin(*first)) {
        go_on(graph, ends, wishes, &mut vec![first], &mut Vec::new(), &mut found);
    }
    found
}

pub(super) fn steps(graph: &Small, from: usize) -> impl Iterator<Item = (usize, usize)> {
    graph.edges.iter().enumerate().flat_map(move |(edge, &(a, b, _))| {
        let forth = (a == from).then_some((edge, b));
        let back = (b == from && a != b && !graph.directed).then_some((edge, a));
        forth.into_iter().chain(back)
    })
}

fn go_on(
    graph: &Small,
    ends: Ends,
    wishes: &Wishes,
    nodes: &mut Vec<usize>,
    edges: &mut Vec<usize>,
    found: &mut BTreeMap<Told, i64>,
) {
    let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
    if ends.closed {
        let least = if graph.directed { 2 } else { 3 };
        for (edge, to) in steps(graph, last) {
            if to == first && nodes.len() >= least && !wishes.avoid_edges.contains(&edge) {
                edges.push(edge);
                judge(graph, ends, wishes, nodes, edges, found);
                edges.pop();
            }
        }
    } else {
        judge(graph, ends, wishes, nodes, edges, found);
    }
    for (edge, to) in steps(graph, last) {
        if !nodes.contains(&to) && !wishes.avoid.contains(&to) && !wishes.avoid_edges.contains(&edge) {
            nodes.push(to);
            edges.push(edge);
            go_on(graph, ends, wishes, nodes, edges, found);
            nodes.pop();
            edges.pop();
        }
    }
}

/// Notes a path if it is one of those asked for.
fn judge(
    graph: &Small,
    ends: Ends,
    wishes: &Wishes,
    nodes: &[usize],
    edges: &[usize],
    found: &mut BTreeMap<Told, i64>,
) {
    let ends_fit = if ends.closed {
        ends.from.is_none_or(|from| nodes.contains(&from))
    } else {
        ends.to.is_none_or(|to| nodes[nodes.len() - 1] == to)
    };
    let chord = |edge: usize| {
        let (a, b, _) = graph.edges[edge];
        let along = edges.iter().any(|&other| {
            let (c, d, _) = graph.edges[other];
            (a, b) == (c, d) || (!graph.directed && (b, a) == (c, d))
        });
        a != b && nodes.contains(&a) && nodes.contains(&b) && !along && !wishes.avoid_edges.contains(&edge)
    };
    let good = ends_fit
        && wishes.visit.iter().all(|node| nodes.contains(node))
        && wishes.use_edges.iter().all(|edge| edges.contains(edge))
        && wishes.use_steps.iter().all(|&[one, two]| {
            edges.iter().any(|&edge| {
                let (a, b, _) = graph.edges[edge];
                (a, b) == (one, two) || (!graph.directed && (b, a) == (one, two))
            })
        })
        && wishes.at_least.is_none_or(|least| edges.len() >= least)
        && wishes.at_most.is_none_or(|most| edges.len() <= most)
        && (!wishes.induced || !(0..graph.edges.len()).any(chord));
    if good {
        let prize = |&node: &usize| wishes.prizes.as_ref().map_or(0, |prizes| prizes[node]);
        let worth = edges.iter().map(|&edge| graph.edges[edge].2).sum::<i64>() + nodes.iter().map(prize).sum::<i64>();
        let told = if edges.is_empty() { Told::Node(nodes[0]) } else { Told::edges(edges.iter().copied()) };
        found.insert(told, worth);
    }
}
