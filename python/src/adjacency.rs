//! Graphs that are dictionaries of dictionaries, as networkx keeps them, read without a Python object for each edge.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyString, PyTuple};

use crate::edges::{EdgeList, Edges};

/// How many rows are read between two looks for signals.
const ROWS_BETWEEN_LOOKS: usize = 1 << 12;

/// The edges of a list, and the key of each where there are any.
type Read<'py> = (Edges, Option<Bound<'py, PyList>>);

/// Reads the rows `(node, {neighbour: data})`, or `(node, {neighbour: {key: data}})` of a multigraph, of all nodes in the order of their
/// numbers in `index`; undirected edges stand in the rows of both their ends, and are taken from that which comes first. `weight`
/// is the name of a value in `data`; an edge without it weighs 1.
///
/// `None` if something is not a plain dictionary or number, or rows come in another order: then it is to be read with more care.
#[pyfunction]
pub(crate) fn read_adjacency<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyAny>,
    index: &Bound<'py, PyDict>,
    directed: bool,
    multi: bool,
    weight: Option<Bound<'py, PyString>>,
) -> PyResult<Option<Read<'py>>> {
    let mut reader = Reader { index, weight, sources: Vec::new(), targets: Vec::new(), weights: Vec::new() };
    let keys = PyList::empty(py);
    for (source, row) in rows.try_iter()?.enumerate() {
        if source % ROWS_BETWEEN_LOOKS == 0 {
            py.check_signals()?;
        }
        let row = row?.cast_into::<PyTuple>()?;
        if reader.number(&row.get_item(0)?)? != Some(source as u32) {
            return Ok(None);
        }
        let row = row.get_item(1)?;
        let Ok(neighbours) = row.cast_exact::<PyDict>() else { return Ok(None) };
        for (neighbour, data) in neighbours.iter() {
            let Some(target) = reader.number(&neighbour)? else { return Ok(None) };
            if !directed && (target as usize) < source {
                continue;
            }
            let Ok(data) = data.cast_exact::<PyDict>() else { return Ok(None) };
            if !multi {
                if !reader.edge(source as u32, target, data)? {
                    return Ok(None);
                }
                continue;
            }
            for (key, data) in data.iter() {
                let Ok(data) = data.cast_exact::<PyDict>() else { return Ok(None) };
                if !reader.edge(source as u32, target, data)? {
                    return Ok(None);
                }
                keys.append(key)?;
            }
        }
    }
    let Reader { sources, targets, weights, .. } = reader;
    let weights = weights.iter().any(|&weight| weight != 1).then_some(weights);
    let list = EdgeList::new(index.len() as u32, directed, sources, targets, weights);
    Ok(Some((Edges { list: Arc::new(list) }, multi.then_some(keys))))
}

struct Reader<'a, 'py> {
    index: &'a Bound<'py, PyDict>,
    weight: Option<Bound<'py, PyString>>,
    sources: Vec<u32>,
    targets: Vec<u32>,
    weights: Vec<i64>,
}

impl<'py> Reader<'_, 'py> {
    fn number(&self, node: &Bound<'py, PyAny>) -> PyResult<Option<u32>> {
        self.index.get_item(node)?.map(|number| number.extract()).transpose()
    }

    /// Takes an edge; false if its weight is not a plain number.
    fn edge(&mut self, source: u32, target: u32, data: &Bound<'py, PyDict>) -> PyResult<bool> {
        self.sources.push(source);
        self.targets.push(target);
        let Some(weight) = &self.weight else { return Ok(true) };
        let weight = match data.get_item(weight)? {
            None => 1,
            Some(weight) => match weight.cast_exact::<PyInt>().map(|weight| weight.extract::<i64>()) {
                Ok(Ok(weight)) => weight,
                _ => return Ok(false),
            },
        };
        self.weights.push(weight);
        Ok(true)
    }
}
