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
    /// What a vertex counts for in the tallies of a neighbour, by the ways to that.
    counts: [Tally; 4],
}

impl Adjacency {
    /// Two opposite arcs become one neighbour. `O(n + m)`.
    pub(super) fn of(graph: &CsrGraph) -> Self {
        let n = graph.vertex_count();
        // Where each vertex was last entered.
        let mut entered = vec![0; n];
        let mut starts = Vec::with_capacity(n + 1);
        let mut targets = Vec::with_capacity(2 * graph.edge_count());
        let mut ways = Vec::with_capacity(2 * graph.edge_count());
        starts.push(0);
        let mut most = 0;
        for vertex in 0..n as u32 {
            let begin = targets.len();
            let (out, into) = match graph.is_directed() {
                true => (FORTH, graph.in_arcs(vertex)),
                false => (FORTH | BACK, &[][..]),
            };
            let arcs = graph.out_arcs(vertex).iter().map(|arc| (arc.target, out));
            for (target, way) in arcs.chain(into.iter().map(|arc| (arc.target, BACK))) {
                let entry = entered[target as usize];
                if (begin..targets.len()).contains(&entry) && targets[entry] == target {
                    ways[entry] |= way;
                } else {
                    entered[target as usize] = targets.len();
                    targets.push(target);
                    ways.push(way);
                }
            }
            most = most.max(targets.len() - begin);
            starts.push(targets.len() as u32);
        }
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

    /// The neighbours, and what the vertex counts for in the tallies of each.
    #[inline]
    pub(super) fn counted_row(&self, vertex: u32) -> impl Iterator<Item = (u32, Tally)> {
        let range = self.range(vertex);
        let counts = self.ways[range.clone()].iter().map(|&ways| self.counts[ways as usize]);
        self.targets[range].iter().copied().zip(counts)
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
