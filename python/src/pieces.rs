//! Questions in pieces: what goes to other processes and comes back, all of it bytes and numbers.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use longhaul::certificate::{Claim, check_path};
use longhaul::pieces::{Case, CaseSolver, Goal, Learnt, Problem, Slice, Sweep};
use longhaul::{Limits, Stop};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::edges::{EdgeList, Edges, Listed, ListedEdge};
use crate::failure::{raised, refused};
use crate::limits::{Asked, interrupted_by};
use crate::search::Search;

/// A question that is handed out in pieces.
#[pyclass(frozen, module = "longhaul._longhaul", name = "Problem")]
pub(crate) struct Asking {
    problem: Arc<Problem>,
    list: Arc<EdgeList>,
    claim: Claim<u32>,
}

/// A path with its length, the bounds and bytes of the cases left, what was learnt, why some are left, and the steps taken.
type CasesDone<'py> =
    (Option<(Vec<u32>, i64)>, Vec<(i64, Bound<'py, PyBytes>)>, Bound<'py, PyBytes>, Option<String>, u64);

#[pymethods]
impl Asking {
    #[new]
    fn new(py: Python<'_>, edges: &Edges, source: Option<u32>, target: Option<u32>, cycle: bool) -> PyResult<Self> {
        let list = edges.list.clone();
        let claim = Claim { from: source, to: target, closed: cycle };
        let problem = py.detach(|| Problem::new(Listed(&list), ListedEdge::length, &claim));
        Ok(Asking { problem: Arc::new(problem.map_err(|error| raised(&error))?), list, claim })
    }

    /// The one case that is the whole question, after its bound.
    fn whole<'py>(&self, py: Python<'py>) -> (i64, Bound<'py, PyBytes>) {
        told(py, &self.problem.whole())
    }

    /// What solvers of its cases have learnt, and what one of them has told beside it.
    #[staticmethod]
    fn learn<'py>(py: Python<'py>, learnt: &[u8], told: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let broken = || refused("this was not learnt from cases: it was not told by longhaul".to_owned());
        let (mut learnt, told) = Learnt::from_bytes(learnt).zip(Learnt::from_bytes(told)).ok_or_else(broken)?;
        learnt.add(told);
        Ok(PyBytes::new(py, &learnt.to_bytes()))
    }

    /// An order for a sweep: the vertices, the width, and the states predicted.
    fn order(&self, py: Python<'_>, work: u64, asked: &Bound<'_, PyDict>) -> PyResult<(Vec<u32>, usize, f64)> {
        let limits = asked.extract::<Asked>()?.limits()?;
        let problem = self.problem.clone();
        let search = Search::begin(None, move |teller| {
            teller.give(problem.order(work, &interrupted_by(&limits, teller)));
        })?;
        let order = search.answer(py)?;
        Ok((order.vertices().to_vec(), order.width(), order.predicted_states()))
    }

    /// The edges along a path and its length, if it passes the independent check on the graph as it was given.
    fn check(&self, path: Vec<u32>) -> PyResult<(Vec<u32>, i64)> {
        let steps = path.iter().copied().zip(path.iter().copied().cycle().skip(1));
        let count = if self.claim.closed { path.len() } else { path.len().saturating_sub(1) };
        let pairs: Vec<(u32, u32)> = steps.take(count).collect();
        let edges: Vec<u32> = self.list.between(&pairs).iter().filter_map(|edges| edges.first().copied()).collect();
        match check_path(Listed(&self.list), ListedEdge::length, &self.claim, &path, &edges) {
            Ok(length) => Ok((edges, length)),
            Err(flaw) => Err(refused(format!("the pieces made a wrong path: {flaw}"))),
        }
    }
}

/// Somebody who works on the cases of a problem, call after call, on a thread of its own.
#[pyclass(frozen, module = "longhaul._longhaul", name = "CaseSolver")]
pub(crate) struct Solving {
    jobs: Sender<Job>,
}

/// What the solver is to do.
type Job = Box<dyn FnOnce(&mut CaseSolver<'_>) + Send>;

#[pymethods]
impl Solving {
    #[new]
    fn new(py: Python<'_>, problem: &Asking) -> PyResult<Self> {
        let problem = problem.problem.clone();
        let (jobs, next) = mpsc::channel::<Job>();
        let search = Search::begin(None, move |teller| match problem.case_solver() {
            Ok(mut solver) => {
                teller.give(Ok(()));
                next.iter().for_each(|job| job(&mut solver));
            }
            Err(error) => _ = teller.give(Err(error)),
        })?;
        search.answer(py)?.map_err(|error| raised(&error))?;
        Ok(Solving { jobs })
    }

    /// Works on cases until they are settled, about so many seconds are over or a limit is spent.
    fn work_on<'py>(
        &self,
        py: Python<'py>,
        cases: Vec<Vec<u8>>,
        learnt: &[u8],
        floor: i64,
        seconds: f64,
        asked: &Bound<'py, PyDict>,
    ) -> PyResult<CasesDone<'py>> {
        let slice = Duration::try_from_secs_f64(seconds).map_err(|error| refused(error.to_string()))?;
        let limits = asked.extract::<Asked>()?.limits()?;
        let cases: Option<Vec<Case>> = cases.iter().map(|bytes| Case::from_bytes(bytes)).collect();
        let broken = || refused("these are no cases: they were not told by longhaul".to_owned());
        let (cases, learnt) = cases.zip(Learnt::from_bytes(learnt)).ok_or_else(broken)?;
        let jobs = self.jobs.clone();
        let search = Search::begin(None, move |teller| {
            let limits = interrupted_by(&limits, teller);
            let (done, answer) = mpsc::channel();
            let job = move |solver: &mut CaseSolver<'_>| {
                // Nobody may be waiting any more.
                _ = done.send(solver.work_on(&cases, &learnt, floor, Slice::Time(slice), &limits));
            };
            // A solver that has panicked answers nothing, and so does this.
            if jobs.send(Box::new(job)).is_ok()
                && let Ok(done) = answer.recv()
            {
                teller.give(done);
            }
        })?;
        let done = search.answer(py)?;
        let open = done.open.iter().map(|case| told(py, case)).collect();
        let learnt = PyBytes::new(py, &done.learnt.to_bytes());
        Ok((done.path, open, learnt, done.stop.map(|stop| stop.to_string()), done.steps))
    }
}

fn told<'py>(py: Python<'py>, case: &Case) -> (i64, Bound<'py, PyBytes>) {
    (case.bound(), PyBytes::new(py, &case.to_bytes()))
}

/// A frontier program whose layers lie in pieces.
#[pyclass(frozen, module = "longhaul._longhaul", name = "Sweep")]
pub(crate) struct Sweeping {
    problem: Arc<Problem>,
    sweep: Arc<Sweep>,
}

/// The states in shards; the step and the length of the best path completed; states made; bytes held; or which limit was spent.
type Swept<'py> = (Vec<Bound<'py, PyBytes>>, Option<(usize, i64)>, u64, usize, Option<String>);

/// The state where a way back leads, and what is chosen on it.
type Back<'py> = (Bound<'py, PyBytes>, Vec<(usize, Vec<u32>)>);

#[pymethods]
impl Sweeping {
    /// The program along an order; `None` where the frontier is too wide.
    #[staticmethod]
    fn along(
        py: Python<'_>,
        problem: &Asking,
        order: Vec<u32>,
        asked: &Bound<'_, PyDict>,
    ) -> PyResult<Option<Sweeping>> {
        let limits = asked.extract::<Asked>()?.limits()?;
        let problem = problem.problem.clone();
        let made_of = problem.clone();
        let search = Search::begin(None, move |teller| {
            teller.give(Sweep::new(&made_of, &order, &interrupted_by(&limits, teller)));
        })?;
        let sweep = search.answer(py)?.map_err(|error| raised(&error))?;
        Ok(sweep.map(|sweep| Sweeping { problem, sweep: Arc::new(sweep) }))
    }

    #[getter]
    fn steps(&self) -> usize {
        self.sweep.steps()
    }

    #[getter]
    fn state_bytes(&self) -> usize {
        self.sweep.state_bytes()
    }

    /// The first layer.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.sweep.start())
    }

    /// A path that the program doesn't see, with its length.
    #[getter]
    fn hidden(&self) -> Option<(Vec<u32>, i64)> {
        self.sweep.hidden().cloned()
    }

    #[getter]
    fn bound(&self) -> Option<i64> {
        self.sweep.bound()
    }

    /// Takes the states of a layer to a later one, and splits them into shards by their keys.
    fn advance<'py>(
        &self,
        py: Python<'py>,
        steps: (usize, usize),
        parts: Vec<Vec<u8>>,
        floor: i64,
        shards: usize,
        asked: &Bound<'py, PyDict>,
    ) -> PyResult<Swept<'py>> {
        let limits = asked.extract::<Asked>()?.limits()?;
        let sweep = self.sweep.clone();
        let search = Search::begin(None, move |teller| {
            let limits = interrupted_by(&limits, teller);
            let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
            let advanced = sweep.advance(steps.0, steps.1, &parts, floor, &limits);
            teller.give(advanced.map(|done| (sweep.split(&done.states, shards), done)));
        })?;
        Ok(match search.answer(py)? {
            Ok((shards, done)) => {
                let shards = shards.iter().map(|shard| PyBytes::new(py, shard)).collect();
                (shards, done.finish, done.made, done.peak_bytes, None)
            }
            Err(stop) => (Vec::new(), None, 0, 0, Some(stop.to_string())),
        })
    }

    /// How states of the layer before a step lead to a path that step `goal.0` completed (of length `goal.1`), or to the state `goal.2` in the
    /// layer before step `goal.0` (of value `goal.1`).
    fn way_back<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        parts: Vec<Vec<u8>>,
        goal: (usize, i64, Option<Vec<u8>>),
        best: i64,
        asked: &Bound<'py, PyDict>,
    ) -> PyResult<Option<Back<'py>>> {
        let limits: Limits = asked.extract::<Asked>()?.limits()?;
        let sweep = self.sweep.clone();
        let search = Search::begin(None, move |teller| {
            let limits = interrupted_by(&limits, teller);
            let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
            let goal = match goal {
                (to, value, Some(ref state)) => Goal::State { to, state, value },
                (step, value, None) => Goal::Finish { step, value },
            };
            teller.give(sweep.way_back(first, &parts, goal, best, &limits));
        })?;
        let spent = |stop: Stop| refused(format!("on the way back a limit was spent: {stop}"));
        let back = search.answer(py)?.map_err(spent)?;
        Ok(back.map(|back| (PyBytes::new(py, &back.state), back.choices)))
    }

    /// The path that the choices of all steps make.
    fn path(&self, choices: Vec<(usize, Vec<u32>)>) -> Vec<u32> {
        self.sweep.path(&self.problem, &choices)
    }
}
