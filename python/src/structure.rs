//! What can be known of a graph without solving anything, and its picture.

use std::path::Path;
use std::sync::Arc;

use longhaul::certificate::Claim;
use longhaul::io::{GraphFile, ReadOptions};
use longhaul::render::{Shown, picture as draw};
use longhaul::structure::{Class, Structure};
use petgraph::graph::NodeIndex;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::edges::{EdgeList, Edges, Listed, ListedEdge};
use crate::failure::{raised, unreadable};
use crate::search::Search;

/// The facts about a graph, with a bound for paths between these ends.
#[pyfunction]
pub(crate) fn structure<'py>(
    py: Python<'py>,
    edges: &Edges,
    source: Option<u32>,
    target: Option<u32>,
    cycle: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let list = edges.list.clone();
    let search = Search::begin(None, move |teller| {
        let claim = Claim { from: source, to: target, closed: cycle };
        teller.give(Structure::of(Listed(&list), ListedEdge::length, &claim));
    })?;
    let structure = search.answer(py)?.map_err(|error| raised(&error))?;
    let facts = PyDict::new(py);
    facts.set_item("directed", structure.directed)?;
    facts.set_item("nodes", structure.nodes)?;
    facts.set_item("edges", structure.edges)?;
    facts.set_item("self_loops", structure.self_loops)?;
    facts.set_item("parallel_edges", structure.parallel_edges)?;
    facts.set_item("weights", structure.weights)?;
    facts.set_item("degrees", structure.degrees)?;
    facts.set_item("components", structure.components)?;
    facts.set_item("strong_components", structure.strong_components)?;
    facts.set_item("blocks", structure.blocks)?;
    facts.set_item("largest_block", structure.largest_block)?;
    facts.set_item("cut_nodes", structure.cut_nodes)?;
    let classes: Vec<String> = structure.classes.iter().map(Class::to_string).collect();
    facts.set_item("classes", classes)?;
    facts.set_item("sides", structure.sides)?;
    let order = structure.order.ok();
    facts.set_item("order", order.map(|order| (order.nodes, order.width, order.adhesions, order.predicted_states)))?;
    facts.set_item("upper_bound", structure.bound.ok().map(|bound| (bound.upper,)))?;
    Ok(facts)
}

/// A picture in SVG of a graph, whose nodes are called by `names`, with a path or a cycle.
#[pyfunction]
pub(crate) fn picture(py: Python<'_>, edges: &Edges, names: Vec<String>, path: Vec<u32>, cycle: bool) -> String {
    py.detach(|| {
        let file = edges.list.file(&names);
        let nodes: Vec<NodeIndex> = path.iter().map(|&node| NodeIndex::new(node as usize)).collect();
        draw(&file, &Shown { nodes: &nodes, closed: cycle })
    })
}

/// What a file holds: the edges, the nodes' names, the ends that it asks for, the prizes of nodes (none if there are none), and of
/// how many decimal places the units are that weights and prizes count.
type FileParts = (Edges, Vec<String>, (Option<usize>, Option<usize>), Vec<i64>, u32);

/// Reads a graph file of any format that longhaul knows.
#[pyfunction]
pub(crate) fn read_file(py: Python<'_>, path: &str, directed: bool, unit_weights: bool) -> PyResult<FileParts> {
    let options = ReadOptions { directed, unit_weights, ..ReadOptions::default() };
    let file = py.detach(|| GraphFile::open(Path::new(path), &options)).map_err(unreadable)?;
    let names = (0..file.graph.node_count()).map(|node| file.names.name(NodeIndex::new(node)).to_string()).collect();
    let ends = (file.terminals.from.map(NodeIndex::index), file.terminals.to.map(NodeIndex::index));
    Ok((Edges { list: Arc::new(EdgeList::of_file(&file)) }, names, ends, file.prizes, file.places))
}
