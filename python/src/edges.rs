//! A graph as Python hands it over, two arrays of node numbers and one of weights, and its face towards petgraph.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use longhaul::io::{GraphFile, NodeNames};
use petgraph::Directed;
use petgraph::graph::NodeIndex;
use petgraph::visit::{
    Data, EdgeRef, GraphBase, GraphProp, GraphRef, IntoEdgeReferences, IntoNodeIdentifiers, NodeIndexable,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A list of edges between the nodes `0..nodes`.
#[derive(Debug)]
pub(crate) struct EdgeList {
    nodes: u32,
    directed: bool,
    sources: Vec<u32>,
    targets: Vec<u32>,
    /// One for each edge; without them every edge weighs 1.
    weights: Option<Vec<i64>>,
}

/// The list as Python holds it: it never changes, so that a search on another thread may go on reading it.
#[pyclass(frozen, module = "longhaul._longhaul")]
pub(crate) struct Edges {
    pub(crate) list: Arc<EdgeList>,
}

#[pymethods]
impl Edges {
    /// Arrays come as their bytes in the order of this machine: 32 bits a node, 64 a weight.
    #[new]
    fn new(
        py: Python<'_>,
        nodes: u32,
        directed: bool,
        sources: &[u8],
        targets: &[u8],
        weights: Option<&[u8]>,
    ) -> PyResult<Self> {
        let list = py.detach(|| {
            let weights = weights.map(|bytes| numbers::<8>(bytes).map(i64::from_ne_bytes).collect());
            EdgeList::new(nodes, directed, u32s(sources), u32s(targets), weights)
        });
        let count = list.sources.len();
        if list.targets.len() != count || list.weights.as_ref().is_some_and(|weights| weights.len() != count) {
            return Err(PyValueError::new_err("as many sources as targets and weights make edges"));
        }
        let out_of_range = |node: &&u32| **node >= nodes;
        if let Some(node) = list.sources.iter().chain(&list.targets).find(out_of_range) {
            return Err(PyValueError::new_err(format!("the node {node} is not one of 0 to {nodes} without {nodes}")));
        }
        Ok(Edges { list: Arc::new(list) })
    }

    /// How many edges there are.
    fn __len__(&self) -> usize {
        self.list.sources.len()
    }

    #[getter]
    fn nodes(&self) -> u32 {
        self.list.nodes
    }

    #[getter]
    fn directed(&self) -> bool {
        self.list.directed
    }

    #[getter]
    fn weighted(&self) -> bool {
        self.list.weights.is_some()
    }

    /// The source, the target and the weight of an edge.
    fn edge(&self, edge: u32) -> PyResult<(u32, u32, i64)> {
        match self.list.sources.get(edge as usize) {
            Some(&source) => Ok((source, self.list.targets[edge as usize], self.list.weight(edge))),
            None => Err(PyValueError::new_err(format!("there is no edge number {edge}"))),
        }
    }

    /// The edges between each of these pairs of nodes, along their direction if they have one; the heaviest first.
    fn between(&self, py: Python<'_>, pairs: Vec<(u32, u32)>) -> Vec<Vec<u32>> {
        py.detach(|| self.list.between(&pairs))
    }

    /// What [`new`](Self::new) takes, for pickling.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> Parts<'py> {
        let list = &self.list;
        let of_u32s = |numbers: &[u32]| {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
            PyBytes::new(py, &bytes)
        };
        let weights = list.weights.as_ref().map(|weights| {
            let bytes: Vec<u8> = weights.iter().flat_map(|weight| weight.to_ne_bytes()).collect();
            PyBytes::new(py, &bytes)
        });
        (list.nodes, list.directed, of_u32s(&list.sources), of_u32s(&list.targets), weights)
    }
}

type Parts<'py> = (u32, bool, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>);

fn numbers<const BYTES: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; BYTES]> {
    bytes.chunks_exact(BYTES).map(|chunk| chunk.try_into().expect("a chunk has as many bytes"))
}

fn u32s(bytes: &[u8]) -> Vec<u32> {
    numbers::<4>(bytes).map(u32::from_ne_bytes).collect()
}

impl EdgeList {
    /// Edges from `sources` to `targets`, each with its weight if there are weights.
    pub(crate) fn new(
        nodes: u32,
        directed: bool,
        sources: Vec<u32>,
        targets: Vec<u32>,
        weights: Option<Vec<i64>>,
    ) -> Self {
        EdgeList { nodes, directed, sources, targets, weights }
    }

    pub(crate) fn weight(&self, edge: u32) -> i64 {
        self.weights.as_ref().map_or(1, |weights| weights[edge as usize])
    }

    /// The edges between each of these pairs of nodes, along their direction if they have one; the heaviest first.
    pub(crate) fn between(&self, pairs: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let key = |source: u32, target: u32| match self.directed {
            true => (source, target),
            false => (source.min(target), source.max(target)),
        };
        let asked: HashSet<(u32, u32)> = pairs.iter().map(|&(source, target)| key(source, target)).collect();
        let mut found: HashMap<(u32, u32), Vec<u32>> = HashMap::new();
        for edge in 0..self.sources.len() {
            let ends = key(self.sources[edge], self.targets[edge]);
            if asked.contains(&ends) {
                found.entry(ends).or_default().push(edge as u32);
            }
        }
        for edges in found.values_mut() {
            edges.sort_by_key(|&edge| std::cmp::Reverse(self.weight(edge)));
        }
        pairs.iter().map(|&(source, target)| found.get(&key(source, target)).cloned().unwrap_or_default()).collect()
    }

    /// The same graph as longhaul's own files hold it, its nodes called by `names`, for pictures.
    pub(crate) fn file(&self, names: &[String]) -> GraphFile {
        let mut file = GraphFile::of_nodes(self.nodes as usize);
        file.directed = self.directed;
        file.weighted = self.weights.is_some();
        file.names = NodeNames::words(names.iter().map(String::as_str));
        for edge in 0..self.sources.len() {
            let ends = [self.sources[edge], self.targets[edge]].map(|node| NodeIndex::new(node as usize));
            file.graph.add_edge(ends[0], ends[1], self.weight(edge as u32));
        }
        file
    }

    /// A file that was read, as a list of its edges.
    pub(crate) fn of_file(file: &GraphFile) -> Self {
        let ends = |end: usize| {
            let of_edge = move |edge: &petgraph::graph::Edge<i64>| [edge.source(), edge.target()][end].index() as u32;
            file.graph.raw_edges().iter().map(of_edge).collect()
        };
        let weights = file.graph.raw_edges().iter().map(|edge| edge.weight).collect();
        let nodes = file.graph.node_count() as u32;
        EdgeList::new(nodes, file.directed, ends(0), ends(1), file.weighted.then_some(weights))
    }
}

/// The face of a list towards petgraph. Whether edges have a direction is known only when it is there, so
/// [`GraphProp::is_directed`] answers for itself instead of by its type.
#[derive(Clone, Copy)]
pub(crate) struct Listed<'l>(pub(crate) &'l EdgeList);

/// An edge of a list.
#[derive(Clone, Copy)]
pub(crate) struct ListedEdge {
    source: u32,
    target: u32,
    weight: i64,
    id: u32,
}

impl ListedEdge {
    pub(crate) fn length(self) -> i64 {
        self.weight
    }
}

impl GraphBase for Listed<'_> {
    type NodeId = u32;
    type EdgeId = u32;
}

impl GraphRef for Listed<'_> {}

impl Data for Listed<'_> {
    type NodeWeight = ();
    type EdgeWeight = i64;
}

impl GraphProp for Listed<'_> {
    type EdgeType = Directed;

    fn is_directed(&self) -> bool {
        self.0.directed
    }
}

impl NodeIndexable for Listed<'_> {
    fn node_bound(&self) -> usize {
        self.0.nodes as usize
    }

    fn to_index(&self, node: u32) -> usize {
        node as usize
    }

    fn from_index(&self, index: usize) -> u32 {
        index as u32
    }
}

impl IntoNodeIdentifiers for Listed<'_> {
    type NodeIdentifiers = std::ops::Range<u32>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        0..self.0.nodes
    }
}

impl<'l> IntoEdgeReferences for Listed<'l> {
    type EdgeRef = ListedEdge;
    type EdgeReferences = ListedEdges<'l>;

    fn edge_references(self) -> ListedEdges<'l> {
        ListedEdges { list: self.0, next: 0 }
    }
}

/// The edges of a list in order.
pub(crate) struct ListedEdges<'l> {
    list: &'l EdgeList,
    next: u32,
}

impl Iterator for ListedEdges<'_> {
    type Item = ListedEdge;

    fn next(&mut self) -> Option<ListedEdge> {
        let id = self.next;
        let source = *self.list.sources.get(id as usize)?;
        self.next += 1;
        Some(ListedEdge { source, target: self.list.targets[id as usize], weight: self.list.weight(id), id })
    }
}

impl EdgeRef for ListedEdge {
    type NodeId = u32;
    type EdgeId = u32;
    type Weight = i64;

    fn source(&self) -> u32 {
        self.source
    }

    fn target(&self) -> u32 {
        self.target
    }

    fn weight(&self) -> &i64 {
        &self.weight
    }

    fn id(&self) -> u32 {
        self.id
    }
}
