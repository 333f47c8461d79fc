//! The longest path, how many there are, and which.

use std::sync::Arc;

use longhaul::engines::{ColorCoding, EngineConfig, Sieve};
use longhaul::{BigUint, Engine, Error, Limits, LongestPath, Paths, Stats, Stop};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::answer::{Answer, Numbers, bytes, parts, stats};
use crate::edges::{EdgeList, Edges, Listed, ListedEdge};
use crate::failure::{contradiction, raised};
use crate::limits::{Asked, interrupted_by};
use crate::search::{Search, Teller};

/// All that can be asked of a longest path.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Question {
    source: Option<u32>,
    target: Option<u32>,
    cycle: bool,
    engine: String,
    gap: u64,
    relative_gap: f64,
    failure_probability: f64,
    /// One for each node, or none at all.
    prizes: Option<Vec<i64>>,
    visit: Vec<u32>,
    avoid: Vec<u32>,
    use_edges: Vec<u32>,
    avoid_edges: Vec<u32>,
    at_least: Option<usize>,
    at_most: Option<usize>,
    induced: bool,
    proof: bool,
}

/// A question that has passed the checks of its types.
struct Checked {
    list: Arc<EdgeList>,
    question: Question,
    engine: EngineConfig,
    limits: Limits,
    watched: bool,
}

impl Checked {
    fn new(edges: &Edges, asked: &Bound<'_, PyDict>, watched: bool) -> PyResult<Self> {
        let question: Question = asked.extract()?;
        let engine = with_failure(engine(&question.engine)?, question.failure_probability)?;
        let limits = asked.extract::<Asked>()?.limits()?;
        Ok(Checked { list: edges.list.clone(), question, engine, limits, watched })
    }

    /// The question as the library takes it.
    fn request<T: Send + 'static>(&self, teller: &Teller<T>) -> LongestPath<'_, Listed<'_>> {
        let Question { source, target, cycle, prizes, at_least, at_most, .. } = &self.question;
        let mut request = LongestPath::new(Listed(&self.list))
            .weights(ListedEdge::length)
            .engine(self.engine.clone())
            .gap(self.question.gap)
            .relative_gap(self.question.relative_gap)
            .visit(self.question.visit.iter().copied())
            .avoid(self.question.avoid.iter().copied())
            .use_edges(self.question.use_edges.iter().copied())
            .avoid_edges(self.question.avoid_edges.iter().copied())
            .limits(interrupted_by(&self.limits, teller));
        if let Some(source) = *source {
            request = request.from(source);
        }
        if let Some(target) = *target {
            request = request.to(target);
        }
        if let Some(prizes) = prizes {
            request = request.prizes(move |node| prizes[node as usize]);
        }
        if let Some(edges) = *at_least {
            request = request.at_least(edges);
        }
        if let Some(edges) = *at_most {
            request = request.at_most(edges);
        }
        if *cycle {
            request = request.closed();
        }
        if self.question.induced {
            request = request.induced();
        }
        if self.question.proof {
            request = request.proof(std::io::sink());
        }
        if self.watched {
            request = request.on_progress(teller.observer());
        }
        request
    }
}

/// The engine of this name.
pub(crate) fn engine(name: &str) -> PyResult<Engine> {
    name.parse().map_err(|error: longhaul::UnknownEngine| contradiction(error.to_string()))
}

/// The engine, which may fail with this probability if it draws lots.
fn with_failure(engine: Engine, failure: f64) -> PyResult<EngineConfig> {
    /// Of those that draw lots, unless told otherwise.
    const USUAL: f64 = 1e-3;
    match engine {
        Engine::ColorCoding => Ok(ColorCoding::default().failure_probability(failure).into()),
        Engine::PlainColorCoding => Ok(ColorCoding::default().plain().failure_probability(failure).into()),
        Engine::Sieve => Ok(Sieve::default().failure_probability(failure).into()),
        engine if failure == USUAL => Ok(engine.into()),
        engine => Err(contradiction(format!(
            "failure_probability is for the engines color-coding, plain-color-coding and sieve; {engine} does not fail"
        ))),
    }
}

/// The longest path, with all demands.
#[pyfunction]
pub(crate) fn longest_path(
    py: Python<'_>,
    edges: &Edges,
    asked: &Bound<'_, PyDict>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    let checked = Checked::new(edges, asked, callback.is_some())?;
    let search = Search::begin(callback, move |teller| {
        teller.give(checked.request(teller).solve().map(Answer::of));
    })?;
    search.answer(py)?.map_err(|error| raised(&error))
}

/// Lengths with their numbers of paths, why the count ended, and the statistics.
type Counted<'py> = (Vec<(i64, Bound<'py, PyBytes>)>, String, Bound<'py, PyDict>);

/// How many longest paths there are, or how many paths of each length.
#[pyfunction]
pub(crate) fn count<'py>(
    py: Python<'py>,
    edges: &Edges,
    asked: &Bound<'py, PyDict>,
    by_length: bool,
    callback: Option<Py<PyAny>>,
) -> PyResult<Counted<'py>> {
    let checked = Checked::new(edges, asked, callback.is_some())?;
    let search = Search::begin(callback, move |teller| {
        let request = checked.request(teller);
        teller.give(if by_length { request.distribution() } else { request.count() });
    })?;
    let counts = search.answer(py)?.map_err(|error| raised(&error))?;
    let number = |(length, count): &(i64, BigUint)| (*length, bytes(py, count));
    Ok((counts.by_length().iter().map(number).collect(), counts.stop().to_string(), stats(py, counts.stats())?))
}

/// What a list of paths gives.
enum Found {
    Begun(Stats),
    Path(Numbers),
    Ended(Stop),
    Refused(Error),
}

/// Paths one after the other.
#[pyclass(module = "longhaul._longhaul")]
pub(crate) struct PathList {
    search: Search<Found>,
    #[pyo3(get)]
    stats: Py<PyDict>,
    /// Why there are no more; `None` as long as there may be more.
    #[pyo3(get)]
    stop: Option<String>,
}

/// Lists paths: the `best` so many of all if that is given, else all of the longest, or samples of them without end.
#[pyfunction]
pub(crate) fn list_paths(
    py: Python<'_>,
    edges: &Edges,
    asked: &Bound<'_, PyDict>,
    best: Option<usize>,
    samples: bool,
    callback: Option<Py<PyAny>>,
) -> PyResult<PathList> {
    let checked = Checked::new(edges, asked, callback.is_some())?;
    let search = Search::begin(callback, move |teller| {
        let request = checked.request(teller);
        let listed = match best {
            Some(best) => request.best(best),
            None if samples => request.samples(checked.limits.seed),
            None => request.all(),
        };
        tell(listed, teller);
    })?;
    match search.next(py)? {
        Some(Found::Begun(told)) => Ok(PathList { stats: stats(py, &told)?.unbind(), search, stop: None }),
        Some(Found::Refused(error)) => Err(raised(&error)),
        _ => Err(pyo3::exceptions::PyRuntimeError::new_err("the list ended before it began: a defect of longhaul")),
    }
}

/// Hands over path after path until nobody listens.
fn tell(listed: Result<Paths<'_, Listed<'_>>, Error>, teller: &Teller<Found>) {
    let mut paths = match listed {
        Ok(paths) => paths,
        Err(error) => {
            teller.give(Found::Refused(error));
            return;
        }
    };
    teller.give(Found::Begun(paths.stats().clone()));
    for path in paths.by_ref() {
        if !teller.give(Found::Path(parts(path))) {
            return;
        }
    }
    teller.give(Found::Ended(paths.stop()));
}

#[pymethods]
impl PathList {
    fn __iter__(list: PyRef<'_, Self>) -> PyRef<'_, Self> {
        list
    }

    /// The nodes, the edges and the length of the next path.
    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Numbers>> {
        if self.stop.is_some() {
            return Ok(None);
        }
        match self.search.next(py)? {
            Some(Found::Path(path)) => Ok(Some(path)),
            Some(Found::Ended(stop)) => {
                self.stop = Some(stop.to_string());
                Ok(None)
            }
            _ => Ok(None),
        }
    }
}
