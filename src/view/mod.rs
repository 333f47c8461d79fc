//! From any petgraph graph to one dense shape, and back.
//!
//! Engines are compiled once, for [`CsrGraph`]; petgraph's many graph types meet it here and nowhere else. A [`View`]
//! copies the caller's graph once, in `O(n + m)`:
//!
//! - nodes (the caller's ids) become *vertices* `0..n`, in the order of `node_identifiers`, whatever holes the caller's
//!   indices have;
//! - self-loops are dropped: no simple path can use one;
//! - of parallel edges the heaviest survives, the first of equals: a path uses at most one of them, so it may as well be
//!   the best. (petgraph's undirected `Csr` lists every edge twice; that disappears here too.)
//!
//! Ids are compared, never hashed: petgraph promises no more than `Copy + PartialEq` for them.

mod csr;

pub use csr::{Arc, CsrGraph, Edge};

pub(crate) use crate::rows::IsOver;
pub(crate) use csr::LENGTH_LIMIT;

use std::fmt;

use petgraph::visit::{EdgeRef, GraphProp, IntoEdgeReferences, IntoNodeIdentifiers, NodeIndexable};

use crate::error::Error;

/// Any petgraph graph that longhaul can read: a short name for the four traits it needs.
///
/// `&Graph`, `&StableGraph`, `&GraphMap`, `&MatrixGraph`, `&Csr`, `&List`, and `Reversed`, `NodeFiltered`, `EdgeFiltered`
/// and `UndirectedAdaptor` around them all qualify; nothing has to be implemented by hand. Where something else is given the
/// compiler says what would do:
///
/// ```compile_fail,E0277
/// let graph = petgraph::graph::UnGraph::<(), ()>::new_undirected();
/// longhaul::LongestPath::new(graph); // not a reference
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a graph that longhaul can read",
    label = "not a graph, or a graph by value",
    note = "give a reference to a petgraph graph, like `&graph`, or an adaptor around one; it needs `IntoNodeIdentifiers`, `IntoEdgeReferences`, `NodeIndexable` and `GraphProp`"
)]
pub trait InputGraph: IntoNodeIdentifiers + IntoEdgeReferences + NodeIndexable + GraphProp {}

impl<G> InputGraph for G where G: IntoNodeIdentifiers + IntoEdgeReferences + NodeIndexable + GraphProp {}

/// A caller's graph in dense form, with the way back to the caller's ids.
pub struct View<G: InputGraph> {
    graph: CsrGraph,
    names: Names<G>,
}

/// The caller's ids of the vertices and edges of a dense graph.
pub(crate) struct Names<G: InputGraph> {
    node_from_vertex: Vec<G::NodeId>,
    id_from_edge: Vec<G::EdgeId>,
}

impl<G: InputGraph> Names<G> {
    pub(crate) fn node(&self, vertex: u32) -> G::NodeId {
        self.node_from_vertex[vertex as usize]
    }

    pub(crate) fn edge_id(&self, edge: u32) -> G::EdgeId {
        self.id_from_edge[edge as usize]
    }
}

impl<G: InputGraph> View<G> {
    /// Copies `graph`, with `weight` giving every edge its length.
    ///
    /// # Errors
    /// If there are more than 2³² − 2 nodes or 2³¹ − 1 edges, or if the weights are so large that the length of a path could
    /// exceed 2⁶⁰.
    pub fn new(graph: G, weight: impl FnMut(G::EdgeRef) -> i64) -> Result<Self, Error> {
        Ok(Self::new_unless(graph, weight, &mut || false)?.expect("nobody ends it"))
    }

    /// The same, or `None` if `is_over`, which is asked now and then, says so.
    pub(crate) fn new_unless(
        graph: G,
        mut weight: impl FnMut(G::EdgeRef) -> i64,
        is_over: IsOver<'_>,
    ) -> Result<Option<Self>, Error> {
        const EDGES_BETWEEN_LOOKS: usize = 1 << 16;
        let node_from_vertex: Vec<G::NodeId> = graph.node_identifiers().collect();
        if node_from_vertex.len() >= u32::MAX as usize {
            return Err(Error::too_large("nodes", node_from_vertex.len(), u32::MAX as usize - 1));
        }
        let mut vertex_from_index = vec![u32::MAX; graph.node_bound()];
        for (vertex, &node) in node_from_vertex.iter().enumerate() {
            vertex_from_index[graph.to_index(node)] = vertex as u32;
        }

        let mut edges = Vec::new();
        let mut ids = Vec::new();
        for (count, edge) in graph.edge_references().enumerate() {
            if count % EDGES_BETWEEN_LOOKS == EDGES_BETWEEN_LOOKS - 1 && is_over() {
                return Ok(None);
            }
            let source = vertex_from_index[graph.to_index(edge.source())];
            let target = vertex_from_index[graph.to_index(edge.target())];
            if source != target {
                edges.push(Edge { source, target, weight: weight(edge) });
                ids.push(edge.id());
            }
        }
        if edges.len() > u32::MAX as usize / 2 {
            return Err(Error::too_large("edges", edges.len(), u32::MAX as usize / 2));
        }

        let (n, directed) = (node_from_vertex.len(), graph.is_directed());
        // A small graph is read whatever the limits: there is always something to tell of it.
        let is_small = n.max(edges.len()) < EDGES_BETWEEN_LOOKS;
        let is_over: IsOver<'_> = &mut || !is_small && is_over();
        let Some((dense, position_from_edge)) = CsrGraph::from_multigraph_unless(n, directed, edges, is_over) else {
            return Ok(None);
        };
        dense.check_weights()?;
        let id_from_edge = position_from_edge.into_iter().map(|position| ids[position as usize]).collect();
        Ok(Some(View { graph: dense, names: Names { node_from_vertex, id_from_edge } }))
    }

    /// The dense graph.
    pub fn graph(&self) -> &CsrGraph {
        &self.graph
    }

    /// The caller's node behind a vertex.
    pub fn node(&self, vertex: u32) -> G::NodeId {
        self.names.node(vertex)
    }

    /// The caller's edge behind a dense edge.
    pub fn edge_id(&self, edge: u32) -> G::EdgeId {
        self.names.edge_id(edge)
    }

    pub(crate) fn into_parts(self) -> (CsrGraph, Names<G>) {
        (self.graph, self.names)
    }

    /// The vertex of a caller's node, or `None` if the graph has no such node. Linear: some of petgraph's own look-ups
    /// panic on an unknown node.
    pub fn vertex(&self, node: G::NodeId) -> Option<u32> {
        self.names.node_from_vertex.iter().position(|&other| other == node).map(|vertex| vertex as u32)
    }
}

/// The dense graph alone: ids need not be printable.
impl<G: InputGraph> fmt::Debug for View<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("View").field("graph", &self.graph).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::adj::List;
    use petgraph::csr::Csr;
    use petgraph::graph::{DiGraph, UnGraph};
    use petgraph::graphmap::UnGraphMap;
    use petgraph::matrix_graph::MatrixGraph;
    use petgraph::stable_graph::StableGraph;
    use petgraph::visit::{EdgeFiltered, NodeFiltered, Reversed, UndirectedAdaptor};
    use petgraph::{Directed, Undirected};

    /// The arcs of a view in the caller's own indices, sorted.
    fn arcs<G: InputGraph>(graph: G) -> Vec<(usize, usize)> {
        let view = View::new(graph, |_| 1).unwrap();
        let dense = view.graph();
        let mut arcs = Vec::new();
        for vertex in 0..dense.vertex_count() as u32 {
            for arc in dense.out_arcs(vertex) {
                arcs.push((graph.to_index(view.node(vertex)), graph.to_index(view.node(arc.target))));
            }
        }
        arcs.sort_unstable();
        arcs
    }

    #[test]
    fn every_petgraph_type_is_read_the_same() {
        let pairs = [(0u32, 1u32), (1, 2), (0, 2), (2, 3)];
        let directed: Vec<(usize, usize)> = vec![(0, 1), (0, 2), (1, 2), (2, 3)];
        let mut undirected: Vec<(usize, usize)> = directed.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        undirected.sort_unstable();

        let digraph: DiGraph<(), ()> = DiGraph::from_edges(pairs);
        let ungraph: UnGraph<(), ()> = UnGraph::from_edges(pairs);
        assert_eq!(arcs(&digraph), directed);
        assert_eq!(arcs(&ungraph), undirected);
        assert_eq!(arcs(&StableGraph::<(), (), Directed>::from_edges(pairs)), directed);
        assert_eq!(arcs(&UnGraphMap::<u32, ()>::from_edges(pairs)), undirected);
        assert_eq!(
            arcs(&Csr::<(), (), Directed>::from_sorted_edges(&[(0, 1), (0, 2), (1, 2), (2, 3)]).unwrap()),
            directed
        );

        let mut csr = Csr::<(), (), Undirected>::with_nodes(4);
        let mut matrix = MatrixGraph::<(), ()>::with_capacity(4);
        let mut matrix_undirected = MatrixGraph::<(), (), std::hash::RandomState, Undirected>::default();
        let mut list = List::<()>::new();
        let matrix_nodes: Vec<_> = (0..4).map(|_| matrix.add_node(())).collect();
        let matrix_undirected_nodes: Vec<_> = (0..4).map(|_| matrix_undirected.add_node(())).collect();
        for _ in 0..4 {
            list.add_node();
        }
        for (a, b) in pairs {
            csr.add_edge(a, b, ());
            matrix.add_edge(matrix_nodes[a as usize], matrix_nodes[b as usize], ());
            matrix_undirected.add_edge(matrix_undirected_nodes[a as usize], matrix_undirected_nodes[b as usize], ());
            list.add_edge(a, b, ());
        }
        assert_eq!(arcs(&csr), undirected);
        assert_eq!(arcs(&matrix), directed);
        assert_eq!(arcs(&matrix_undirected), undirected);
        assert_eq!(arcs(&list), directed);

        let mut reversed: Vec<_> = directed.iter().map(|&(a, b)| (b, a)).collect();
        reversed.sort_unstable();
        assert_eq!(arcs(Reversed(&digraph)), reversed);
        assert_eq!(arcs(UndirectedAdaptor(&digraph)), undirected);
        let without_node_two = NodeFiltered::from_fn(&digraph, |node| node.index() != 2);
        assert_eq!(arcs(&without_node_two), [(0, 1)]);
        let without_edge_zero = EdgeFiltered::from_fn(&digraph, |edge| edge.id().index() != 0);
        assert_eq!(arcs(&without_edge_zero), [(0, 2), (1, 2), (2, 3)]);
    }

    #[test]
    fn holes_do_not_matter() {
        let mut graph = StableGraph::<(), ()>::from_edges([(0u32, 1u32), (1, 2), (2, 3), (3, 4)]);
        graph.remove_node(2.into());
        assert_eq!(arcs(&graph), [(0, 1), (3, 4)]);
    }

    #[test]
    fn heaviest_of_parallel_edges_survives_and_loops_vanish() {
        let graph: UnGraph<(), i64> =
            UnGraph::from_edges([(0u32, 1u32, 3), (1, 0, 7), (0, 1, 7), (0, 0, 100), (1, 2, -1)]);
        let view = View::new(&graph, |edge| *edge.weight()).unwrap();
        assert_eq!(view.graph().edge_count(), 2);
        let edge = view.graph().edge_between(0, 1).unwrap();
        assert_eq!((view.graph().weight(edge), view.edge_id(edge).index()), (7, 1));
    }

    #[test]
    fn opposite_arcs_are_not_parallel() {
        let graph: DiGraph<(), ()> = DiGraph::from_edges([(0u32, 1u32), (1, 0)]);
        assert_eq!(arcs(&graph), [(0, 1), (1, 0)]);
    }

    #[test]
    fn weights_beyond_the_safe_range_are_an_error() {
        let graph: UnGraph<(), i64> = UnGraph::from_edges([(0u32, 1u32, i64::MAX), (1, 2, i64::MAX)]);
        assert!(View::new(&graph, |edge| *edge.weight()).is_err());
        assert!(View::new(&graph, |_| i64::MIN).is_err());
    }
}
