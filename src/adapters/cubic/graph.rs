//! A petgraph graph that is known to be cubic.

use petgraph::visit::EdgeRef;

use crate::view::InputGraph;

/// A simple undirected graph in which every node has three neighbours, checked.
///
/// # Example
/// ```
/// use longhaul::adapters::cubic::{Cubic, NotCubic};
/// use petgraph::graph::UnGraph;
///
/// let k4 = UnGraph::<(), ()>::from_edges([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
/// assert_eq!(Cubic::new(&k4)?.node_count(), 4);
///
/// let path = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2)]);
/// assert_eq!(Cubic::new(&path).unwrap_err(), NotCubic::Degree { node: 0, degree: 1 });
/// # Ok::<(), NotCubic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cubic<G: InputGraph> {
    graph: G,
    node_from_vertex: Vec<G::NodeId>,
    /// By their vertices, the positions of their ends in `node_from_vertex`.
    edges: Vec<[u32; 2]>,
}

/// Why a graph is not cubic. Nodes are given by their index in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotCubic {
    /// Its edges have directions.
    #[error("the graph is directed, and a cubic graph is not")]
    Directed,
    /// An edge leads from a node to itself.
    #[error("node {0} has a self-loop, and a cubic graph has none")]
    SelfLoop(usize),
    /// More than one edge joins these nodes.
    #[error("more than one edge joins the nodes {0} and {1}, and in a cubic graph at most one does")]
    Parallel(usize, usize),
    /// A node has too few neighbours, or too many.
    #[error("node {node} has {degree} edges, and every node of a cubic graph has 3")]
    Degree {
        /// The node.
        node: usize,
        /// How many edges it has.
        degree: usize,
    },
    /// There are more nodes than vertices can be numbered.
    #[error("the graph has {0} nodes; there is room for at most 1000000000")]
    TooLarge(usize),
}

impl NotCubic {
    /// The index of the node that is to blame, one of them if there are two; none where it is the graph as a whole.
    pub fn node(self) -> Option<usize> {
        match self {
            NotCubic::SelfLoop(node) | NotCubic::Parallel(node, _) | NotCubic::Degree { node, .. } => Some(node),
            NotCubic::Directed | NotCubic::TooLarge(_) => None,
        }
    }
}

impl<G: InputGraph> Cubic<G> {
    /// Checks that a graph is cubic. It may have several parts, or none: the graph without nodes is cubic.
    ///
    /// petgraph's undirected `Csr` lists every edge twice, which looks like parallel edges here; copy such a graph first.
    ///
    /// # Errors
    /// If the graph is directed, has a self-loop or parallel edges, or a node of another degree than 3: the first of
    /// these, at the first node or edge where it shows.
    ///
    /// # Complexity
    /// `O(n + m)`.
    pub fn new(graph: G) -> Result<Self, NotCubic> {
        const MOST_NODES: usize = 1_000_000_000;
        if graph.is_directed() {
            return Err(NotCubic::Directed);
        }
        let node_from_vertex: Vec<G::NodeId> = graph.node_identifiers().collect();
        if node_from_vertex.len() > MOST_NODES {
            return Err(NotCubic::TooLarge(node_from_vertex.len()));
        }
        let mut vertex_from_index = vec![u32::MAX; graph.node_bound()];
        for (&node, vertex) in node_from_vertex.iter().zip(0..) {
            vertex_from_index[graph.to_index(node)] = vertex;
        }
        let index = |vertex: usize| graph.to_index(node_from_vertex[vertex]);
        let mut edges = Vec::with_capacity(node_from_vertex.len() / 2 * 3);
        let mut neighbours = vec![[u32::MAX; 3]; node_from_vertex.len()];
        let mut degrees = vec![0usize; node_from_vertex.len()];
        for edge in graph.edge_references() {
            let ends = [edge.source(), edge.target()].map(|node| vertex_from_index[graph.to_index(node)]);
            let [one, two] = ends.map(|vertex| vertex as usize);
            if one == two {
                return Err(NotCubic::SelfLoop(index(one)));
            }
            if neighbours[one].contains(&ends[1]) {
                return Err(NotCubic::Parallel(index(one), index(two)));
            }
            for (from, to) in [(one, ends[1]), (two, ends[0])] {
                if let Some(slot) = neighbours[from].get_mut(degrees[from]) {
                    *slot = to;
                }
                degrees[from] += 1;
            }
            edges.push(ends);
        }
        match degrees.iter().position(|&degree| degree != 3) {
            Some(vertex) => Err(NotCubic::Degree { node: index(vertex), degree: degrees[vertex] }),
            None => Ok(Cubic { graph, node_from_vertex, edges }),
        }
    }

    /// The graph itself.
    pub fn graph(&self) -> G {
        self.graph
    }

    /// How many nodes there are: an even number.
    pub fn node_count(&self) -> usize {
        self.node_from_vertex.len()
    }

    /// The edges by the positions of their ends among the nodes.
    pub(super) fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    pub(super) fn node(&self, vertex: u32) -> G::NodeId {
        self.node_from_vertex[vertex as usize]
    }

    pub(super) fn vertex(&self, node: G::NodeId) -> Option<u32> {
        self.node_from_vertex.iter().position(|&other| other == node).map(|vertex| vertex as u32)
    }
}
