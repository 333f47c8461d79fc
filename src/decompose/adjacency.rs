//! Who is next to whom, and which ways go there: all that orders and decompositions need to know of a graph.

use std::ops::Range;

use fixedbitset::FixedBitSet;

use super::weights::{BY_ARC_IN, BY_ARC_OUT, BY_BOTH, MOST_OF_A_KIND, Tally};
use crate::sets::reached_from;
use crate::view::CsrGraph;

/// The ways that go between a vertex and a neighbour, a bit for each: from it and to it. An edge goes both ways.
pub(super) type Ways = u8;
pub(super) const FORTH: Ways = 1;
pub(super) const BACK: Ways = 2;

/// The same ways as the neighbour sees them.
pub(super) fn turned(ways: Ways) -> Ways {
    ways >> 1 | (ways & 1) << 1
}

/// The underlying undirected simple graph in compressed sparse rows, without weights or edge ids, but with the ways that go
/// between neighbours.
#[derive(Clone, Debug)]
pub(super) struct Adjacency {
    starts: Vec<u32>,
    targets: Vec<u32>,
    ways: Vec<Ways>,
    /// Whether the ways matter: not in an undirected graph, nor where a vertex has too many neighbours to count them apart.
    pub(super) is_directed: bool,
    /// What a vertex counts for in the tallies of a neighbour, by the ways to that; where neither goes, as if both did, since it
    /// is a neighbour all the same.
    counts: [Tally; 4],
}

impl Adjacency {
    /// Two opposite arcs become one neighbour. `O(n + m)`.
    pub(super) fn of(graph: &CsrGraph) -> Self {
        let n = graph.vertex_count();
        let mut seen_from = vec![u32::MAX; n];
        // In a directed graph, where each vertex was last entered.
        let mut entered = if graph.is_directed() { vec![0; n] } else { Vec::new() };
        let mut starts = Vec::with_capacity(n + 1);
        let mut targets = Vec::with_capacity(2 * graph.edge_count());
        let mut ways = Vec::new();
        starts.push(0);
        let mut most = 0;
        for vertex in 0..n as u32 {
            let begin = targets.len();
            for arc in graph.out_arcs(vertex) {
                if seen_from[arc.target as usize] != vertex {
                    seen_from[arc.target as usize] = vertex;
                    targets.push(arc.target);
                }
            }
            if graph.is_directed() {
                ways.resize(targets.len(), FORTH);
                for (entry, &target) in targets.iter().enumerate().skip(begin) {
                    entered[target as usize] = entry;
                }
                for arc in graph.in_arcs(vertex) {
                    if seen_from[arc.target as usize] != vertex {
                        seen_from[arc.target as usize] = vertex;
                        entered[arc.target as usize] = targets.len();
                        targets.push(arc.target);
                        ways.push(0);
                    }
                    ways[entered[arc.target as usize]] |= BACK;
                }
            }
            most = most.max(targets.len() - begin);
            starts.push(targets.len() as u32);
        }
        ways.resize(targets.len(), FORTH | BACK);
        Self::new(graph.is_directed() && most <= MOST_OF_A_KIND, starts, targets, ways)
    }

    /// From rows in the order of their vertices, of neighbours with the ways to them.
    pub(super) fn from_rows(
        is_directed: bool,
        rows: impl Iterator<Item = impl IntoIterator<Item = (u32, Ways)>>,
    ) -> Self {
        let mut starts = vec![0];
        let (mut targets, mut ways) = (Vec::new(), Vec::new());
        for row in rows {
            for (target, way) in row {
                targets.push(target);
                ways.push(way);
            }
            starts.push(targets.len() as u32);
        }
        Self::new(is_directed, starts, targets, ways)
    }

    fn new(is_directed: bool, starts: Vec<u32>, targets: Vec<u32>, ways: Vec<Ways>) -> Self {
        let counts = if is_directed { [BY_BOTH, BY_ARC_IN, BY_ARC_OUT, BY_BOTH] } else { [1; 4] };
        Adjacency { starts, targets, ways, is_directed, counts }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Twice the number of edges.
    pub(super) fn arc_count(&self) -> usize {
        self.targets.len()
    }

    #[inline]
    fn range(&self, vertex: u32) -> Range<usize> {
        self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize
    }

    #[inline]
    pub(super) fn row(&self, vertex: u32) -> &[u32] {
        &self.targets[self.range(vertex)]
    }

    /// The ways to the neighbours of a row.
    pub(super) fn ways(&self, vertex: u32) -> &[Ways] {
        &self.ways[self.range(vertex)]
    }

    /// The neighbours, and what the vertex counts for in the tallies of each; whoever asks in a hot loop knows whether the graph
    /// is directed.
    #[inline(always)]
    pub(super) fn counted_row<const DIRECTED: bool>(&self, vertex: u32) -> impl Iterator<Item = (u32, Tally)> {
        debug_assert_eq!(self.is_directed, DIRECTED);
        let ways = if DIRECTED { self.ways(vertex) } else { &[] };
        let count = |index: usize| if DIRECTED { self.counts[ways[index] as usize] } else { 1 };
        self.row(vertex).iter().enumerate().map(move |(index, &neighbour)| (neighbour, count(index)))
    }

    /// The tally of all neighbours of a vertex.
    pub(super) fn tally_of_all(&self, vertex: u32) -> Tally {
        if self.is_directed { self.tally(vertex, |_| true) } else { self.degree(vertex) as Tally }
    }

    /// The tally of those neighbours of a vertex that meet a condition.
    pub(super) fn tally(&self, vertex: u32, counts: impl Fn(u32) -> bool) -> Tally {
        let row = self.row(vertex).iter().zip(self.ways(vertex)).filter(|&(&neighbour, _)| counts(neighbour));
        row.map(|(_, &ways)| self.counts[turned(ways) as usize]).sum()
    }

    #[inline]
    pub(super) fn degree(&self, vertex: u32) -> usize {
        self.row(vertex).len()
    }

    /// The vertices reachable from `start`, in breadth-first order, as far as they are not `seen`; enters them there.
    pub(super) fn breadth_first(&self, start: u32, seen: &mut FixedBitSet) -> Vec<u32> {
        reached_from(vec![start], seen, |vertex| self.row(vertex).iter().copied())
    }
}
