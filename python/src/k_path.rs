//! A path of so many nodes.

use longhaul::{KPathSolution, k_path as ask};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::Answer;
use crate::edges::{Edges, Listed, ListedEdge};
use crate::failure::raised;
use crate::limits::{Asked, interrupted_by};
use crate::path::engine;
use crate::search::Search;

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Question {
    k: usize,
    source: Option<u32>,
    target: Option<u32>,
    heaviest: bool,
    engine: String,
    failure_probability: f64,
}

/// A path of exactly `k` nodes, any or the heaviest.
#[pyfunction]
pub(crate) fn k_path(
    py: Python<'_>,
    edges: &Edges,
    asked: &Bound<'_, PyDict>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    let question: Question = asked.extract()?;
    let engine = engine(&question.engine)?;
    let limits = asked.extract::<Asked>()?.limits()?;
    let (list, watched) = (edges.list.clone(), callback.is_some());
    let search = Search::begin(callback, move |teller| {
        let mut request = ask(Listed(&list), question.k)
            .engine(engine)
            .failure_probability(question.failure_probability)
            .limits(interrupted_by(&limits, teller));
        if let Some(source) = question.source {
            request = request.from(source);
        }
        if let Some(target) = question.target {
            request = request.to(target);
        }
        if question.heaviest {
            request = request.weights(ListedEdge::length);
        }
        if watched {
            request = request.on_progress(teller.observer());
        }
        teller.give(request.solve().map(answer));
    })?;
    search.answer(py)?.map_err(|error| raised(&error))
}

fn answer(solution: KPathSolution<u32, u32>) -> Answer {
    let path = solution.path().map(<[u32]>::to_vec).zip(solution.length());
    let path = path.map(|(nodes, length)| (nodes, solution.edges().to_vec(), length));
    Answer {
        status: solution.status(),
        upper_bound: solution.upper_bound(),
        failure_probability: solution.failure_probability(),
        witness: Err("there are no proofs for paths of so many nodes".to_owned()),
        ..Answer::telling(solution.answer(), path)
    }
}
