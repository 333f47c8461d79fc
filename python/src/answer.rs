//! Answers as Python takes them: dictionaries of numbers, which the package turns into its own classes.

use longhaul::{BigUint, Path, Solution, Stats, Status, Stop};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A path's nodes, edges and length.
pub(crate) type Numbers = (Vec<u32>, Vec<u32>, i64);

/// Any answer: a path or none, what is known of it, and how it came about.
pub(crate) struct Answer {
    pub(crate) path: Option<Numbers>,
    pub(crate) upper_bound: Option<i64>,
    pub(crate) status: Status,
    pub(crate) stop: Stop,
    pub(crate) stats: Stats,
    pub(crate) failure_probability: Option<f64>,
    /// The proof, or why there is none.
    pub(crate) witness: Result<Vec<u8>, String>,
}

impl Answer {
    /// Without a proof and without a probability of failure.
    pub(crate) fn of(solution: Solution<u32, u32>) -> Self {
        let witness = solution.witness().map(<[u8]>::to_vec).map_err(str::to_owned);
        let told = Answer::telling(solution.answer(), None);
        Answer { witness, path: solution.into_path().map(parts), ..told }
    }

    /// What all answers tell alike, and this path.
    pub(crate) fn telling<T>(answer: &longhaul::Answer<T>, path: Option<Numbers>) -> Self {
        Answer {
            path,
            upper_bound: answer.upper_bound(),
            status: answer.status(),
            stop: answer.stop(),
            stats: answer.stats().clone(),
            failure_probability: None,
            witness: Err("no proof was asked for".to_owned()),
        }
    }
}

/// What Python takes of a path.
pub(crate) fn parts(path: Path<u32, u32>) -> Numbers {
    let length = path.length();
    let (nodes, edges) = path.into_parts();
    (nodes, edges, length)
}

impl<'py> IntoPyObject<'py> for Answer {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let answer = PyDict::new(py);
        answer.set_item("path", self.path)?;
        answer.set_item("upper_bound", self.upper_bound)?;
        answer.set_item("status", self.status.to_string())?;
        answer.set_item("stop", self.stop.to_string())?;
        answer.set_item("stats", stats(py, &self.stats)?)?;
        answer.set_item("failure_probability", self.failure_probability)?;
        let (proof, no_proof) = match &self.witness {
            Ok(proof) => (Some(PyBytes::new(py, proof)), None),
            Err(why) => (None, Some(why)),
        };
        answer.set_item("proof", proof)?;
        answer.set_item("no_proof", no_proof)?;
        Ok(answer)
    }
}

pub(crate) fn stats<'py>(py: Python<'py>, stats: &Stats) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("engine", stats.method)?;
    told.set_item("elapsed", stats.elapsed.as_secs_f64())?;
    told.set_item("steps", stats.steps)?;
    told.set_item("peak_bytes", stats.peak_bytes)?;
    told.set_item("peak_states", stats.peak_states)?;
    told.set_item("state_bytes", stats.state_bytes)?;
    told.set_item("decisions", &stats.decisions)?;
    Ok(told)
}

/// A number of any size as its bytes, the least significant first.
pub(crate) fn bytes<'py>(py: Python<'py>, number: &BigUint) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &number.to_bytes_le())
}
