//! The longest trail.

use longhaul::LongestTrail;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::Answer;
use crate::edges::{Edges, Listed, ListedEdge};
use crate::failure::raised;
use crate::limits::{Asked, interrupted_by};
use crate::search::Search;

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Question {
    source: Option<u32>,
    target: Option<u32>,
    cycle: bool,
    gap: u64,
    relative_gap: f64,
}

/// The longest trail.
#[pyfunction]
pub(crate) fn longest_trail(
    py: Python<'_>,
    edges: &Edges,
    asked: &Bound<'_, PyDict>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    let Question { source, target, cycle, gap, relative_gap } = asked.extract()?;
    let limits = asked.extract::<Asked>()?.limits()?;
    let (list, watched) = (edges.list.clone(), callback.is_some());
    let search = Search::begin(callback, move |teller| {
        let mut request = LongestTrail::new(Listed(&list))
            .weights(ListedEdge::length)
            .gap(gap)
            .relative_gap(relative_gap)
            .limits(interrupted_by(&limits, teller));
        if let Some(source) = source {
            request = request.from(source);
        }
        if let Some(target) = target {
            request = request.to(target);
        }
        if cycle {
            request = request.closed();
        }
        if watched {
            request = request.on_progress(teller.observer());
        }
        teller.give(request.solve().map(Answer::of));
    })?;
    search.answer(py)?.map_err(|error| raised(&error))
}
