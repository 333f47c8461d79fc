//! Who is next to whom: all that orders and decompositions need to know of a graph.

use fixedbitset::FixedBitSet;

use crate::sets::reached_from;
use crate::view::CsrGraph;

/// The underlying undirected simple graph in compressed sparse rows, without weights or edge ids.
#[derive(Clone, Debug)]
pub(super) struct Adjacency {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Adjacency {
    /// Directions are forgotten; two opposite arcs become one neighbour. `O(n + m)`.
    pub(super) fn of(graph: &CsrGraph) -> Self {
        let n = graph.vertex_count();
        let mut seen_from = vec![u32::MAX; n];
        let mut starts = Vec::with_capacity(n + 1);
        let mut targets = Vec::with_capacity(2 * graph.edge_count());
        starts.push(0);
        for vertex in 0..n as u32 {
            let against = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
            for arc in graph.out_arcs(vertex).iter().chain(against) {
                if seen_from[arc.target as usize] != vertex {
                    seen_from[arc.target as usize] = vertex;
                    targets.push(arc.target);
                }
            }
            starts.push(targets.len() as u32);
        }
        Adjacency { starts, targets }
    }

    /// From rows in the order of their vertices.
    pub(super) fn from_rows(rows: impl Iterator<Item = impl IntoIterator<Item = u32>>) -> Self {
        let mut starts = vec![0];
        let mut targets = Vec::new();
        for row in rows {
            targets.extend(row);
            starts.push(targets.len() as u32);
        }
        Adjacency { starts, targets }
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
    pub(super) fn row(&self, vertex: u32) -> &[u32] {
        &self.targets[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
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
