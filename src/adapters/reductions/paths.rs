//! Reductions between questions about paths and cycles. All of them are folklore (see M. R. Garey and D. S. Johnson, *Computers
//! and Intractability*, Freeman, 1979, problems GT37 to GT39 and ND29), and each says why it is right.

use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;

use super::{Fault, HamiltonianCycle, HamiltonianPath, LongPath, Reduction, Refused, Solitaire};
use crate::adapters::uno::Game;

/// Both ways of a reduction that leaves the path as it is.
macro_rules! the_path_stays {
    ($source:ty) => {
        fn forward(&self, _: &$source, path: &Vec<NodeIndex>) -> Result<Vec<NodeIndex>, Fault> {
            Ok(path.clone())
        }

        fn back(&self, _: &$source, path: &Vec<NodeIndex>) -> Result<Vec<NodeIndex>, Fault> {
            Ok(path.clone())
        }
    };
}

/// Hamiltonian path → longest path: a path of `n` nodes is one of length `n − 1` where every edge weighs 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathToLongPath;

impl Reduction for PathToLongPath {
    type Source = HamiltonianPath;
    type Target = LongPath;

    fn name(&self) -> &'static str {
        "hamiltonian-path-to-longest-path"
    }

    fn reduce(&self, source: &HamiltonianPath) -> Result<LongPath, Refused> {
        let HamiltonianPath { graph, from, to } = source;
        let at_least = graph.node_count() as i64 - 1;
        Ok(LongPath { graph: graph.map(|_, ()| (), |_, ()| 1), from: *from, to: *to, at_least })
    }

    the_path_stays!(HamiltonianPath);
}

/// Hamiltonian cycle → Hamiltonian path: node 0 gets a twin with the same neighbours, and each of the two gets a leaf. A path
/// through all must lead from leaf to leaf; between them it is a cycle through node 0, opened there.
///
/// Graphs of fewer than three nodes have no cycle and become two nodes without an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CycleToPath;

impl Reduction for CycleToPath {
    type Source = HamiltonianCycle;
    type Target = HamiltonianPath;

    fn name(&self) -> &'static str {
        "hamiltonian-cycle-to-path"
    }

    fn reduce(&self, source: &HamiltonianCycle) -> Result<HamiltonianPath, Refused> {
        let n = source.graph.node_count();
        let mut graph = UnGraph::new_undirected();
        if n < 3 {
            (0..2).for_each(|_| _ = graph.add_node(()));
            return Ok(HamiltonianPath::free(graph));
        }
        graph.clone_from(&source.graph);
        let [twin, one_leaf, two_leaf] = [(); 3].map(|()| graph.add_node(()));
        let opened = NodeIndex::new(0);
        for neighbour in source.graph.neighbors(opened).filter(|&neighbour| neighbour != opened) {
            graph.add_edge(twin, neighbour, ());
        }
        graph.add_edge(opened, one_leaf, ());
        graph.add_edge(twin, two_leaf, ());
        Ok(HamiltonianPath::free(graph))
    }

    fn forward(&self, source: &HamiltonianCycle, cycle: &Vec<NodeIndex>) -> Result<Vec<NodeIndex>, Fault> {
        let n = source.graph.node_count();
        let at = cycle.iter().position(|node| node.index() == 0).ok_or_else(|| Fault::new("it misses node 0"))?;
        let opened = cycle[at..].iter().chain(&cycle[..at]).copied();
        let [twin, one_leaf, two_leaf] = [n, n + 1, n + 2].map(NodeIndex::new);
        Ok(std::iter::once(one_leaf).chain(opened).chain([twin, two_leaf]).collect())
    }

    fn back(&self, source: &HamiltonianCycle, path: &Vec<NodeIndex>) -> Result<Vec<NodeIndex>, Fault> {
        let n = source.graph.node_count();
        Ok(path.iter().copied().filter(|node| node.index() < n).collect())
    }
}

/// Hamiltonian path → Hamiltonian cycle: a new node beside all others; a cycle through it is a path without it.
///
/// A single node is a path, and gets two such nodes, since a cycle has three. Only for free ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathToCycle;

impl Reduction for PathToCycle {
    type Source = HamiltonianPath;
    type Target = HamiltonianCycle;

    fn name(&self) -> &'static str {
        "hamiltonian-path-to-cycle"
    }

    fn reduce(&self, source: &HamiltonianPath) -> Result<HamiltonianCycle, Refused> {
        refuse_ends(self.name(), [source.from, source.to])?;
        let mut graph = source.graph.clone();
        let new = if graph.node_count() == 1 { 2 } else { 1 };
        for _ in 0..new {
            let apex = graph.add_node(());
            for other in (0..apex.index()).map(NodeIndex::new) {
                graph.add_edge(apex, other, ());
            }
        }
        Ok(HamiltonianCycle { graph })
    }

    fn forward(&self, source: &HamiltonianPath, path: &Vec<NodeIndex>) -> Result<Vec<NodeIndex>, Fault> {
        let n = source.graph.node_count();
        let new = if n == 1 { 2 } else { 1 };
        Ok(path.iter().copied().chain((n..n + new).map(NodeIndex::new)).collect())
    }

    fn back(&self, source: &HamiltonianPath, cycle: &Vec<NodeIndex>) -> Result<Vec<NodeIndex>, Fault> {
        let n = source.graph.node_count();
        let at = cycle.iter().position(|node| node.index() == n).ok_or_else(|| Fault::new("it misses the new node"))?;
        let opened = cycle[at..].iter().chain(&cycle[..at]).copied();
        Ok(opened.filter(|node| node.index() < n).collect())
    }
}

/// Longest path with free ends → between two fixed ones: two new nodes beside all old ones, by edges of weight 0. Between
/// them lies a path of old nodes, as long as the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeToFixedEnds;

impl Reduction for FreeToFixedEnds {
    type Source = LongPath;
    type Target = LongPath;

    fn name(&self) -> &'static str {
        "longest-path-free-to-fixed"
    }

    fn reduce(&self, source: &LongPath) -> Result<LongPath, Refused> {
        refuse_ends(self.name(), [source.from, source.to])?;
        let mut graph = source.graph.clone();
        let old = graph.node_count();
        let ends = [(); 2].map(|()| graph.add_node(()));
        for (end, node) in ends.into_iter().flat_map(|end| (0..old).map(move |node| (end, NodeIndex::new(node)))) {
            graph.add_edge(end, node, 0);
        }
        Ok(LongPath { graph, from: Some(ends[0]), to: Some(ends[1]), at_least: source.at_least })
    }

    fn forward(&self, source: &LongPath, path: &Vec<NodeIndex>) -> Result<Vec<NodeIndex>, Fault> {
        let n = source.graph.node_count();
        let [from, to] = [n, n + 1].map(NodeIndex::new);
        Ok(std::iter::once(from).chain(path.iter().copied()).chain([to]).collect())
    }

    fn back(&self, _: &LongPath, path: &Vec<NodeIndex>) -> Result<Vec<NodeIndex>, Fault> {
        inner(path)
    }
}

/// Longest path between two fixed ends → with free ends: a leaf at each end, by edges of a weight `M` so great that a path
/// with fewer than two of them is too short. Then a path that is long enough leads from leaf to leaf, and so from end to end.
///
/// With the sum `S` of the other weights in absolute value, `M = S + |k| + 1` does for the least length `k`, which becomes
/// `k + 2M`: a path with one leaf has length `M + S` at most, which is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedToFreeEnds;

impl Reduction for FixedToFreeEnds {
    type Source = LongPath;
    type Target = LongPath;

    fn name(&self) -> &'static str {
        "longest-path-fixed-to-free"
    }

    fn reduce(&self, source: &LongPath) -> Result<LongPath, Refused> {
        let (Some(from), Some(to)) = (source.from, source.to) else {
            return Err(Refused::new(self.name(), "it asks for no ends, and two are needed"));
        };
        let large = || Refused::new(self.name(), "the weights are too large to add greater ones");
        let mut weights = source.graph.edge_weights().map(|weight| weight.checked_abs());
        let sum = weights.try_fold(0i64, |sum, weight| sum.checked_add(weight?));
        let great = sum.and_then(|sum| sum.checked_add(source.at_least.checked_abs()?)?.checked_add(1));
        let great = great.ok_or_else(large)?;
        let at_least = great.checked_mul(2).and_then(|twice| twice.checked_add(source.at_least)).ok_or_else(large)?;
        let mut graph = source.graph.clone();
        for end in [from, to] {
            let leaf = graph.add_node(());
            graph.add_edge(end, leaf, great);
        }
        Ok(LongPath { graph, from: None, to: None, at_least })
    }

    fn forward(&self, source: &LongPath, path: &Vec<NodeIndex>) -> Result<Vec<NodeIndex>, Fault> {
        FreeToFixedEnds.forward(source, path)
    }

    fn back(&self, source: &LongPath, path: &Vec<NodeIndex>) -> Result<Vec<NodeIndex>, Fault> {
        let mut path = path.clone();
        if path.first().is_some_and(|first| first.index() != source.graph.node_count()) {
            path.reverse();
        }
        inner(&path)
    }
}

/// Longest path → longest path of a directed graph: each edge becomes two arcs, one each way, of its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndirectedToDirected;

impl Reduction for UndirectedToDirected {
    type Source = LongPath;
    type Target = LongPath<petgraph::Directed>;

    fn name(&self) -> &'static str {
        "undirected-to-directed"
    }

    fn reduce(&self, source: &LongPath) -> Result<LongPath<petgraph::Directed>, Refused> {
        let mut graph = DiGraph::with_capacity(source.graph.node_count(), 2 * source.graph.edge_count());
        for _ in source.graph.node_indices() {
            graph.add_node(());
        }
        for edge in source.graph.edge_references() {
            graph.add_edge(edge.source(), edge.target(), *edge.weight());
            graph.add_edge(edge.target(), edge.source(), *edge.weight());
        }
        Ok(LongPath { graph, from: source.from, to: source.to, at_least: source.at_least })
    }

    the_path_stays!(LongPath);
}

/// UNO for one player → longest path: cards become nodes, matches edges (Observation 1 of Demaine et al.: a line graph), and `k`
/// cards make a path of length `k − 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolitaireToLongPath;

impl Reduction for SolitaireToLongPath {
    type Source = Solitaire;
    type Target = LongPath;

    fn name(&self) -> &'static str {
        "uno1-to-longest-path"
    }

    fn reduce(&self, source: &Solitaire) -> Result<LongPath, Refused> {
        const MEMORY: usize = 4 << 30;
        if source.at_least == 0 {
            return Err(Refused::new(self.name(), "no card at all need be played, and a path has a node"));
        }
        let matches = Game::new(source.deck.clone()).match_graph(MEMORY);
        let matches = matches.map_err(|error| Refused::new(self.name(), error.to_string()))?;
        let graph = matches.map(|_, _| (), |_, ()| 1);
        Ok(LongPath { graph, from: None, to: None, at_least: source.at_least as i64 - 1 })
    }

    fn forward(&self, _: &Solitaire, positions: &Vec<usize>) -> Result<Vec<NodeIndex>, Fault> {
        let node = |&position: &usize| position.checked_sub(1).map(NodeIndex::new);
        let nodes: Option<Vec<NodeIndex>> = positions.iter().map(node).collect();
        nodes.ok_or_else(|| Fault::new("positions count from 1"))
    }

    fn back(&self, _: &Solitaire, path: &Vec<NodeIndex>) -> Result<Vec<usize>, Fault> {
        Ok(path.iter().map(|node| node.index() + 1).collect())
    }
}

pub(super) fn refuse_ends(name: &'static str, ends: [Option<NodeIndex>; 2]) -> Result<(), Refused> {
    match ends {
        [None, None] => Ok(()),
        _ => Err(Refused::new(name, "it asks for an end, and both must be free")),
    }
}

/// Without both ends.
fn inner(path: &[NodeIndex]) -> Result<Vec<NodeIndex>, Fault> {
    match path {
        [_, inner @ .., _] => Ok(inner.to_vec()),
        _ => Err(Fault::new("it does not lead from one new node to the other")),
    }
}
