//! Prizes and musts become weights, so that every engine knows them.
//!
//! - A prize goes to the arcs into its vertex, and for the first vertex to its end prize. Where edges have no direction half
//!   of it goes to each edge of its vertex, and half to the end prize: a path meets every vertex it visits with two halves.
//!   To stay with whole numbers everything counts twice.
//! - A must is a prize so large that a path which meets all musts is worth more than any that does not: with `S` the most a
//!   path can be worth, `2S + 1`. So the best path meets all musts if any path does; and a bound below what such a path is
//!   worth at least proves that none does.

use super::reading::Reading;
use crate::instance::{Ends, Instance, NOT_AN_END, Scale};
use crate::view::{CsrGraph, Edge, LENGTH_LIMIT};

/// A question without demands, and how its answers are to be read.
pub(crate) struct Folded {
    pub(crate) instance: Instance,
    /// By edge of the instance, the edge of the reading.
    pub(crate) edge_from_edge: Vec<u32>,
    pub(crate) scale: Scale,
}

/// Folds prizes and musts; hops and chords are left aside. `None` if the numbers would be too large.
pub(crate) fn fold<NodeId, EdgeId>(reading: &Reading<NodeId, EdgeId>) -> Option<Folded> {
    let asked = &reading.asked;
    let demands = &asked.demands;
    let n = asked.vertex_count;
    // Given ends are visited anyway.
    let given = |vertex: u32| demands.from == Some(vertex) || demands.to == Some(vertex);
    let visits: Vec<u32> = demands.visit.iter().copied().filter(|&vertex| !given(vertex)).collect();
    // Of parallel edges that must be used one is.
    let used = demands.use_edges.ones().map(|edge| asked.edges[edge]);
    let mut steps: Vec<(u32, u32)> =
        used.map(|(one, two, _)| if asked.directed || one < two { (one, two) } else { (two, one) }).collect();
    steps.sort_unstable();
    steps.dedup();
    let musts = visits.len() + steps.len();
    let bonus = if musts == 0 { 0 } else { 2 * i128::from(reading.most) + 1 };
    let mut prizes: Vec<i128> = (0..n as u32).map(|vertex| i128::from(demands.prize(vertex))).collect();
    visits.iter().for_each(|&vertex| prizes[vertex as usize] += bonus);

    let halves = !asked.directed && prizes.iter().any(|&prize| prize != 0);
    let factor: i128 = if halves { 2 } else { 1 };
    let total = factor * (i128::from(reading.most) + bonus * musts as i128);
    // Weights at every vertex count with both halves of two prizes, and every vertex may have the largest.
    let largest = prizes.iter().map(|prize| prize.abs()).max().unwrap_or(0);
    if total + 2 * largest * n as i128 > i128::from(LENGTH_LIMIT) {
        return None;
    }

    let mut edges = Vec::with_capacity(asked.edges.len());
    for (id, &(source, target, weight)) in asked.edges.iter().enumerate() {
        let must = demands.use_edges.contains(id);
        let own = factor * (i128::from(weight) + if must { bonus } else { 0 });
        let of_ends = match (asked.directed, halves) {
            (true, _) => prizes[target as usize],
            (false, true) => prizes[source as usize] + prizes[target as usize],
            (false, false) => 0,
        };
        edges.push(Edge { source, target, weight: (own + of_ends) as i64 });
    }
    let (graph, edge_from_edge) = CsrGraph::from_multigraph(n, asked.directed, edges);
    graph.check_weights().ok()?;
    let ends = if demands.closed {
        Ends::Closed { through: demands.from }
    } else {
        let rule = |fixed: Option<u32>, earns: bool| -> Vec<i64> {
            let prize = |vertex: u32| if earns { prizes[vertex as usize] as i64 } else { 0 };
            let fits = |vertex: u32| fixed.is_none_or(|fixed| fixed == vertex);
            (0..n as u32).map(|vertex| if fits(vertex) { prize(vertex) } else { NOT_AN_END }).collect()
        };
        Ends::Open { first: rule(demands.from, true), last: rule(demands.to, !asked.directed), single_vertex: true }
    };
    let offset = (factor * bonus * musts as i128) as i64;
    let least = if musts == 0 { i64::MIN } else { offset - (factor as i64) * reading.most };
    let scale = Scale { factor: factor as i64, offset, least };
    Some(Folded { instance: Instance { graph, ends }, edge_from_edge, scale })
}
