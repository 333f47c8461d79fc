//! Graphs that are dictionaries of dictionaries, as networkx keeps them, read without a Python object for each edge.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::edges::{EdgeList, Edges};

/// How many rows are read between two looks for signals.
const ROWS_BETWEEN_LOOKS: usize = 1 << 12;

/// The edges of a list, and the key of each where there are any.
type Read<'py> = (Edges, Option<Bound<'py, PyList>>);

/// Reads the rows `(node, {neighbour: data})`, or `(node, {neighbour: {key: data}})` of a multigraph, of all nodes in the order of their
/// numbers in `index`; undirected edges stand in the rows of both their ends, and are taken from that which comes first. `weight`
/// is the name of a value in `data`; an edge without it weighs 1. Or it is a function of both nodes and `data`; as in networkx,
/// where it gives nothing there is no edge.
///
/// `None` if something is not a plain dictionary or number, or rows come in another order: then it is to be read with more care.
#[pyfunction]
pub(crate) fn read_adjacency<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyAny>,
    index: &Bound<'py, PyDict>,
    directed: bool,
    multi: bool,
    weight: Option<Bound<'py, PyAny>>,
) -> PyResult<Option<Read<'py>>> {
    let weight = match weight {
        None => Weight::One,
        Some(weight) => match weight.cast_into_exact::<PyString>() {
            Ok(name) => Weight::Named(name),
            Err(error) => Weight::Told(error.into_inner()),
        },
    };
    let mut reader = Reader { index, weight, sources: Vec::new(), targets: Vec::new(), weights: Vec::new() };
    let keys = PyList::empty(py);
    for (source, row) in rows.try_iter()?.enumerate() {
        if source % ROWS_BETWEEN_LOOKS == 0 {
            py.check_signals()?;
        }
        let row = row?.cast_into::<PyTuple>()?;
        let node = row.get_item(0)?;
        if reader.number(&node)? != Some(source as u32) {
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
            let ends = [(source as u32, &node), (target, &neighbour)];
            if !multi {
                if reader.edge(ends, data)? == Taken::NotPlain {
                    return Ok(None);
                }
                continue;
            }
            for (key, data) in data.iter() {
                let Ok(data) = data.cast_exact::<PyDict>() else { return Ok(None) };
                match reader.edge(ends, data)? {
                    Taken::Edge => keys.append(key)?,
                    Taken::NoEdge => {}
                    Taken::NotPlain => return Ok(None),
                }
            }
        }
    }
    let Reader { sources, targets, weights, .. } = reader;
    let weights = weights.iter().any(|&weight| weight != 1).then_some(weights);
    let list = EdgeList::new(index.len() as u32, directed, sources, targets, weights);
    Ok(Some((Edges { list: Arc::new(list) }, multi.then_some(keys))))
}

/// A plain number that is whole, a floating-point one only where it is exact.
fn whole(weight: &Bound<'_, PyAny>) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if let Ok(number) = weight.cast_exact::<PyInt>() {
        return number.extract().ok();
    }
    let number = weight.cast_exact::<PyFloat>().ok()?.value();
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}

/// Where weights come from.
enum Weight<'py> {
    /// Each edge weighs 1.
    One,
    /// The name of a value of the edge's data.
    Named(Bound<'py, PyString>),
    /// A function tells it.
    Told(Bound<'py, PyAny>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Edge,
    /// Its weight says that there is none.
    NoEdge,
    /// Its weight is no plain number.
    NotPlain,
}

struct Reader<'a, 'py> {
    index: &'a Bound<'py, PyDict>,
    weight: Weight<'py>,
    sources: Vec<u32>,
    targets: Vec<u32>,
    weights: Vec<i64>,
}

impl<'py> Reader<'_, 'py> {
    fn number(&self, node: &Bound<'py, PyAny>) -> PyResult<Option<u32>> {
        self.index.get_item(node)?.map(|number| number.extract()).transpose()
    }

    /// Takes an edge between two nodes, which come with their numbers.
    fn edge(&mut self, ends: [(u32, &Bound<'py, PyAny>); 2], data: &Bound<'py, PyDict>) -> PyResult<Taken> {
        let [(source, u), (target, v)] = ends;
        let weight = match &self.weight {
            Weight::One => None,
            Weight::Named(name) => match data.get_item(name)? {
                None => Some(1),
                Some(weight) => match whole(&weight) {
                    None => return Ok(Taken::NotPlain),
                    plain => plain,
                },
            },
            Weight::Told(function) => match function.call1((u, v, data))? {
                weight if weight.is_none() => return Ok(Taken::NoEdge),
                weight => match whole(&weight) {
                    None => return Ok(Taken::NotPlain),
                    plain => plain,
                },
            },
        };
        self.sources.push(source);
        self.targets.push(target);
        self.weights.extend(weight);
        Ok(Taken::Edge)
    }
}
