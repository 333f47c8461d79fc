//! Blocks and cut vertices of all components at once: the block-cut forest.
//!
//! Source: R. Tarjan, *Depth-first search and linear graph algorithms*, SIAM Journal on Computing 1 (1972),
//! doi:10.1137/0201010. The depth-first search is iterative. Directed graphs are cut as their underlying undirected
//! ones: a path crosses a cut vertex at most once whichever way its edges point.
//!
//! Blocks come in post-order: when a block comes up, all blocks that hang below its vertices (but for the one it hangs
//! from itself) have been. So one sweep over the list is a bottom-up pass over the forest, and the same sweep backwards
//! a top-down pass.

use crate::view::{CsrGraph, IsOver};

/// The blocks of a graph, each hanging from one of its vertices, its *parent*.
pub(crate) struct BlockForest {
    starts: Vec<u32>,
    members: Vec<u32>,
    /// The block in which a vertex is not the parent; [`NO_BLOCK`] for roots and for vertices not visited.
    home: Vec<u32>,
    roots: Vec<u32>,
}

pub(crate) const NO_BLOCK: u32 = u32::MAX;

const VERTICES_BETWEEN_LOOKS: u32 = 1 << 15;

impl BlockForest {
    /// Hangs the component of each root from it, roots taken in order, those already visited passed over.
    pub(crate) fn hang(graph: &CsrGraph, roots: impl Iterator<Item = u32>) -> Self {
        Self::hang_unless(graph, roots, &mut || false).expect("nobody ends it")
    }

    /// The same, or `None` if `is_over`, which is asked now and then, says so.
    pub(crate) fn hang_unless(graph: &CsrGraph, roots: impl Iterator<Item = u32>, is_over: IsOver<'_>) -> Option<Self> {
        let mut search = Search::new(graph);
        let mut forest = BlockForest {
            starts: vec![0],
            members: Vec::new(),
            home: vec![NO_BLOCK; graph.vertex_count()],
            roots: Vec::new(),
        };
        for root in roots {
            if search.discovery[root as usize] == 0 {
                forest.roots.push(root);
                search.visit(root, &mut forest, is_over)?;
            }
        }
        Some(forest)
    }

    /// The number of blocks; they are `0..len()`, in post-order.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The vertices of a block, its parent first.
    pub(crate) fn block(&self, block: u32) -> &[u32] {
        &self.members[self.starts[block as usize] as usize..self.starts[block as usize + 1] as usize]
    }

    /// The vertex a block hangs from.
    pub(crate) fn parent(&self, block: u32) -> u32 {
        self.members[self.starts[block as usize] as usize]
    }

    /// The block that a vertex hangs in, [`NO_BLOCK`] for a root or a vertex not visited.
    pub(crate) fn home(&self, vertex: u32) -> u32 {
        self.home[vertex as usize]
    }

    /// One vertex a component.
    pub(crate) fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// The block with the most vertices, the first of equals.
    pub(crate) fn largest(&self) -> Option<u32> {
        (0..self.len() as u32).rev().max_by_key(|&block| self.block(block).len())
    }

    fn push(&mut self, parent: u32, others: impl Iterator<Item = u32>) {
        let block = self.len() as u32;
        self.members.push(parent);
        for vertex in others {
            self.home[vertex as usize] = block;
            self.members.push(vertex);
        }
        self.starts.push(u32::try_from(self.members.len()).expect("at most two entries a vertex"));
    }
}

struct Search<'a> {
    graph: &'a CsrGraph,
    /// When a vertex was discovered, from 1; 0 before.
    discovery: Vec<u32>,
    /// The earliest discovery that the subtree of a vertex reaches by one further edge.
    low: Vec<u32>,
    clock: u32,
    /// How many vertices have been left for good.
    left: u32,
    /// Discovered vertices that are in no finished block yet.
    open: Vec<u32>,
    stack: Vec<Visit>,
}

/// A vertex under way; the one below it on the stack is its parent in the search tree.
struct Visit {
    vertex: u32,
    /// How many of its arcs, out and then in, have been followed.
    followed: u32,
}

impl<'a> Search<'a> {
    fn new(graph: &'a CsrGraph) -> Self {
        let n = graph.vertex_count();
        Search { graph, discovery: vec![0; n], low: vec![0; n], clock: 0, left: 0, open: Vec::new(), stack: Vec::new() }
    }

    fn discover(&mut self, vertex: u32) {
        self.clock += 1;
        self.discovery[vertex as usize] = self.clock;
        self.low[vertex as usize] = self.clock;
        self.stack.push(Visit { vertex, followed: 0 });
    }

    fn visit(&mut self, root: u32, forest: &mut BlockForest, is_over: IsOver<'_>) -> Option<()> {
        self.discover(root);
        while let Some(visit) = self.stack.last_mut() {
            let vertex = visit.vertex;
            let followed = visit.followed as usize;
            visit.followed += 1;
            if let Some(neighbour) = neighbour(self.graph, vertex, followed) {
                let seen = self.discovery[neighbour as usize];
                if seen == 0 {
                    self.open.push(neighbour);
                    self.discover(neighbour);
                } else {
                    // The way back to the parent changes nothing that matters: the test below asks for `low >=`.
                    let low = &mut self.low[vertex as usize];
                    *low = (*low).min(seen);
                }
                continue;
            }
            self.stack.pop();
            self.left += 1;
            if self.left.is_multiple_of(VERTICES_BETWEEN_LOOKS) && is_over() {
                return None;
            }
            let Some(parent) = self.stack.last().map(|visit| visit.vertex) else { break };
            let low = self.low[vertex as usize];
            if low >= self.discovery[parent as usize] {
                let first = self.open.iter().rposition(|&open| open == vertex).expect("it was left open");
                forest.push(parent, self.open.drain(first..));
            } else {
                let parent_low = &mut self.low[parent as usize];
                *parent_low = (*parent_low).min(low);
            }
        }
        Some(())
    }
}

/// The neighbours of a vertex in the underlying undirected graph, numbered; some twice where the graph is directed.
fn neighbour(graph: &CsrGraph, vertex: u32, number: usize) -> Option<u32> {
    let out = graph.out_arcs(vertex);
    let arc = match out.get(number) {
        None if graph.is_directed() => graph.in_arcs(vertex).get(number - out.len()),
        arc => arc,
    };
    arc.map(|arc| arc.target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Edge;

    fn graph(n: usize, directed: bool, edges: &[(u32, u32)]) -> CsrGraph {
        let edges = edges.iter().map(|&(source, target)| Edge { source, target, weight: 1 }).collect();
        CsrGraph::from_multigraph(n, directed, edges).0
    }

    fn blocks(forest: &BlockForest) -> Vec<Vec<u32>> {
        let mut blocks: Vec<Vec<u32>> = (0..forest.len() as u32).map(|block| forest.block(block).to_vec()).collect();
        blocks.iter_mut().for_each(|block| block.sort_unstable());
        blocks.sort();
        blocks
    }

    #[test]
    fn two_triangles_a_bridge_and_an_isolated_vertex() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)];
        for directed in [false, true] {
            let forest = BlockForest::hang(&graph(7, directed, &edges), 0..7);
            assert_eq!(blocks(&forest), [vec![0, 1, 2], vec![2, 3], vec![3, 4, 5]]);
            assert_eq!(forest.roots(), [0, 6]);
            assert_eq!(forest.parent(forest.home(5)), 3);
            assert_eq!(forest.home(0), NO_BLOCK);
        }
    }

    #[test]
    fn opposite_arcs_are_still_a_bridge() {
        let forest = BlockForest::hang(&graph(3, true, &[(0, 1), (1, 0), (1, 2)]), 0..3);
        assert_eq!(blocks(&forest), [vec![0, 1], vec![1, 2]]);
    }

    #[test]
    fn post_order() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (1, 6)];
        let forest = BlockForest::hang(&graph(7, false, &edges), 0..7);
        for block in 0..forest.len() as u32 {
            let home = forest.home(forest.parent(block));
            assert!(home == NO_BLOCK || home > block);
        }
    }

    #[test]
    fn a_long_path_needs_no_deep_stack() {
        let n = 1_000_000;
        let edges: Vec<_> = (1..n).map(|vertex| (vertex - 1, vertex)).collect();
        assert_eq!(BlockForest::hang(&graph(n as usize, false, &edges), 0..n).len(), n as usize - 1);
    }
}
