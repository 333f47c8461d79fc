//! A segment of an order as a problem of its own.

use std::ops::Range;

use super::adjacency::Adjacency;
use super::weights::{Tally, weight};

/// Vertices `0..window` are to be placed, numbered as in the known order; the others are the frontier before them.
pub(super) struct Segment {
    pub(super) graph: Adjacency,
    pub(super) window: usize,
    /// For each vertex, how many neighbours in the whole graph are not placed before the segment begins, and of how
    /// many.
    pub(super) unplaced: Vec<Tally>,
    pub(super) neighbours: Vec<Tally>,
    /// The whole graph's vertex.
    pub(super) outer: Vec<u32>,
}

/// No graph with a vertex of more neighbours is searched.
pub(super) const DEGREE_LIMIT: usize = 1 << 14;

impl Segment {
    /// The segment at `range` of an order; `inner_from_outer` is scratch, all `u32::MAX` before and after.
    pub(super) fn new(graph: &Adjacency, order: &[u32], range: Range<usize>, inner_from_outer: &mut [u32]) -> Self {
        let mut outer: Vec<u32> = order[range.clone()].to_vec();
        let window = outer.len();
        for (inner, &vertex) in outer.iter().enumerate() {
            inner_from_outer[vertex as usize] = inner as u32;
        }
        // What is known of the vertices around the window: those after it are marked in passing, those before it are
        // the part of the frontier that the window can change.
        for &vertex in &order[range.end..] {
            inner_from_outer[vertex as usize] = u32::MAX - 1;
        }
        for inner in 0..window {
            for &neighbour in graph.row(outer[inner]) {
                if inner_from_outer[neighbour as usize] == u32::MAX {
                    inner_from_outer[neighbour as usize] = outer.len() as u32;
                    outer.push(neighbour);
                }
            }
        }
        let is_unplaced = |vertex: u32| {
            let inner = inner_from_outer[vertex as usize];
            (inner as usize) < window || inner == u32::MAX - 1
        };
        let unplaced = outer.iter().map(|&vertex| graph.tally(vertex, is_unplaced)).collect();
        let neighbours = outer.iter().map(|&vertex| graph.tally_of_all(vertex)).collect();
        let inside = |vertex: u32| Some(inner_from_outer[vertex as usize]).filter(|&inner| inner < u32::MAX - 1);
        let rows = outer.iter().enumerate().map(|(inner, &vertex)| {
            let row = graph.row(vertex).iter().zip(graph.ways(vertex));
            let row = row.filter_map(|(&neighbour, &ways)| Some((inside(neighbour)?, ways)));
            // Two frontier vertices have nothing to say to each other.
            row.filter(move |&(neighbour, _)| inner < window || (neighbour as usize) < window).collect::<Vec<_>>()
        });
        let inner = Adjacency::from_rows(graph.is_directed, rows);
        for &vertex in outer.iter().chain(&order[range.end..]) {
            inner_from_outer[vertex as usize] = u32::MAX;
        }
        Segment { graph: inner, window, unplaced, neighbours, outer }
    }

    /// What a placed vertex weighs in the frontier with so many unplaced neighbours.
    #[inline(always)]
    pub(super) fn weight<const DIRECTED: bool>(&self, vertex: u32, unplaced: Tally) -> u32 {
        weight(DIRECTED, self.neighbours[vertex as usize], unplaced)
    }

    /// The whole graph's vertices for an order of the segment.
    pub(super) fn outer_order(&self, inner: &[u32]) -> Vec<u32> {
        inner.iter().map(|&vertex| self.outer[vertex as usize]).collect()
    }
}
