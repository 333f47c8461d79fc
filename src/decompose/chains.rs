//! Chains: maximal paths whose inner vertices have two edges each, one to come by and one to leave by.
//!
//! Whoever contracts or folds chains says what his graph is and which vertices are inside: a graph without its hanging trees, a
//! directed one whose inner vertices have an arc in and an arc out, one of bundles of parallel edges, or one in which vertices of
//! different kinds belong to different chains. `O(n + m)`.

use fixedbitset::FixedBitSet;
use smallvec::{SmallVec, smallvec};

use crate::view::CsrGraph;

/// A chain, or a single edge between two vertices that are not inside any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    /// What it hangs between, which may be one vertex twice.
    pub(crate) ends: [u32; 2],
    /// From the first end to the second.
    pub(crate) inside: Vec<u32>,
    /// One more than there are vertices inside.
    pub(crate) edges: SmallVec<[u32; 2]>,
}

/// By edge of a chain, the arc of a digraph between the same vertices, if there is one.
pub(crate) type ArcsAlong = SmallVec<[Option<u32>; 6]>;

impl Chain {
    /// The arcs of a digraph along a chain of its neighbourhoods: those forth, from the first end to the second, and those back.
    pub(crate) fn arcs_forth_and_back(&self, digraph: &CsrGraph) -> [ArcsAlong; 2] {
        let [a, b] = self.ends;
        let along = || [a].into_iter().chain(self.inside.iter().copied()).zip(self.inside.iter().copied().chain([b]));
        let forth = along().map(|(from, to)| digraph.edge_between(from, to)).collect();
        let back = along().map(|(from, to)| digraph.edge_between(to, from)).collect();
        [forth, back]
    }
}

/// All chains of a graph; every edge is in one of them, and in two only between inner vertices that belong apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chains {
    /// In the order of their first ends.
    pub(crate) between: Vec<Chain>,
    /// Cycles with nothing but inner vertices, from the least of them back to itself.
    pub(crate) rings: Vec<Chain>,
}

/// A graph to be walked through, of numbered vertices and edges.
pub(crate) struct Walk<Arcs, IsInside, GoesOn> {
    pub(crate) vertices: usize,
    pub(crate) edges: usize,
    /// The edges by which a vertex is left, each with the vertex at its other end.
    pub(crate) arcs: Arcs,
    pub(crate) is_inside: IsInside,
    /// Whether the chain with the first vertex inside has the second inside as well, where both are inside one.
    pub(crate) goes_on: GoesOn,
}

impl<Arcs, Row, IsInside, GoesOn> Walk<Arcs, IsInside, GoesOn>
where
    Arcs: Fn(u32) -> Row,
    Row: Iterator<Item = (u32, u32)>,
    IsInside: Fn(u32) -> bool,
    GoesOn: Fn(u32, u32) -> bool,
{
    pub(crate) fn chains(&self) -> Chains {
        let mut chains = Chains::default();
        let mut is_walked = FixedBitSet::with_capacity(self.vertices);
        let mut is_told = FixedBitSet::with_capacity(self.edges);
        for start in 0..self.vertices as u32 {
            let starts_inside = (self.is_inside)(start);
            for (edge, next) in (self.arcs)(start) {
                if (self.is_inside)(next) {
                    let is_begun = starts_inside && (self.goes_on)(start, next);
                    if !is_begun && !is_walked[next as usize] {
                        chains.between.push(self.along(start, edge, next, &mut is_walked));
                    }
                } else if !starts_inside && !is_told.put(edge as usize) {
                    chains.between.push(Chain { ends: [start, next], inside: Vec::new(), edges: smallvec![edge] });
                }
            }
        }
        for start in 0..self.vertices as u32 {
            if (self.is_inside)(start) && !is_walked.put(start as usize) {
                let (edge, next) = (self.arcs)(start).next().expect("an inner vertex has two edges");
                chains.rings.push(self.along(start, edge, next, &mut is_walked));
            }
        }
        chains
    }

    /// The chain that leaves `start` by an edge to an inner vertex.
    fn along(&self, start: u32, edge: u32, next: u32, is_walked: &mut FixedBitSet) -> Chain {
        let mut chain = Chain { ends: [start, next], inside: Vec::new(), edges: smallvec![edge] };
        let mut came_by = edge;
        loop {
            let at = chain.ends[1];
            is_walked.insert(at as usize);
            chain.inside.push(at);
            let onward = (self.arcs)(at).find(|&(edge, _)| edge != came_by);
            let (edge, next) = onward.expect("an inner vertex has two edges");
            chain.edges.push(edge);
            chain.ends[1] = next;
            if next == start || !(self.is_inside)(next) || !(self.goes_on)(at, next) {
                return chain;
            }
            came_by = edge;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Edge;

    fn chains_of(n: usize, edges: &[(u32, u32)], kinds: &[u8]) -> Chains {
        let edges = edges.iter().map(|&(source, target)| Edge { source, target, weight: 1 }).collect();
        let graph = CsrGraph::from_multigraph(n, false, edges).0;
        let walk = Walk {
            vertices: n,
            edges: graph.edge_count(),
            arcs: |vertex| graph.out_arcs(vertex).iter().map(|arc| (arc.edge, arc.target)),
            is_inside: |vertex| kinds[vertex as usize] > 0,
            goes_on: |from, to| kinds[from as usize] == kinds[to as usize],
        };
        walk.chains()
    }

    fn told(chains: &[Chain]) -> Vec<(u32, u32, &[u32])> {
        chains.iter().map(|chain| (chain.ends[0], chain.ends[1], &chain.inside[..])).collect()
    }

    #[test]
    fn chains_edges_and_rings_are_found_once() {
        // A triangle with a tail of one edge, a loop-like cycle through 3, and a ring beside it.
        let edges = [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 5), (5, 3), (6, 7), (7, 8), (8, 6)];
        let chains = chains_of(9, &edges, &[0, 1, 1, 0, 1, 1, 1, 1, 1]);
        assert_eq!(told(&chains.between), [(0, 0, &[1, 2][..]), (0, 3, &[]), (3, 3, &[4, 5])]);
        assert_eq!(told(&chains.rings), [(6, 6, &[7, 8][..])]);
        assert!(chains.between.iter().chain(&chains.rings).all(|chain| chain.edges.len() == chain.inside.len() + 1));
    }

    #[test]
    fn arcs_are_told_forth_and_back() {
        let arcs = [(0, 1), (1, 2), (2, 3), (3, 2), (2, 1)];
        let arcs = arcs.iter().map(|&(source, target)| Edge { source, target, weight: 1 }).collect();
        let digraph = CsrGraph::from_multigraph(4, true, arcs).0;
        let chain = Chain { ends: [0, 3], inside: vec![1, 2], edges: smallvec![0, 1, 2] };
        let told = chain.arcs_forth_and_back(&digraph);
        let ends = |arc: &Option<u32>| {
            arc.map(|arc| (digraph.edges()[arc as usize].source, digraph.edges()[arc as usize].target))
        };
        let [forth, back] = told.map(|arcs| arcs.iter().map(ends).collect::<Vec<_>>());
        assert_eq!(forth, [Some((0, 1)), Some((1, 2)), Some((2, 3))]);
        assert_eq!(back, [None, Some((2, 1)), Some((3, 2))]);
    }

    #[test]
    fn kinds_belong_apart() {
        let chains = chains_of(6, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], &[0, 1, 1, 2, 2, 0]);
        assert_eq!(told(&chains.between), [(0, 3, &[1, 2][..]), (2, 5, &[3, 4])]);
        let one_apart = chains_of(4, &[(0, 1), (1, 2), (2, 3), (3, 0)], &[2, 1, 1, 1]);
        assert_eq!(told(&one_apart.between), [(0, 0, &[1, 2, 3][..]), (1, 3, &[0])]);
        assert!(one_apart.rings.is_empty());
    }
}
