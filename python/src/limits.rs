//! What every question takes beside the graph, out of a Python dictionary.

use std::time::Duration;

use longhaul::Limits;
use pyo3::prelude::*;

use crate::failure::contradiction;
use crate::search::Teller;

/// `time_limit` in seconds, `memory_limit` in bytes, `disk_limit` in bytes where a question has that, `threads`, `seed`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    time_limit: Option<f64>,
    memory_limit: Option<usize>,
    #[pyo3(default)]
    disk_limit: Option<u64>,
    threads: Option<usize>,
    seed: u64,
}

impl Asked {
    /// As the library takes them; without a flag.
    ///
    /// # Errors
    /// If the time limit is none.
    pub(crate) fn limits(&self) -> PyResult<Limits> {
        let default = Limits::default();
        let time = match self.time_limit {
            None => None,
            Some(seconds) if seconds == f64::INFINITY => None,
            Some(seconds) => Some(Duration::try_from_secs_f64(seconds).map_err(|_| {
                contradiction(format!("time_limit={seconds}: a time limit is a number of seconds, 0 or more"))
            })?),
        };
        Ok(Limits {
            time,
            memory: self.memory_limit.unwrap_or(default.memory),
            disk: self.disk_limit.unwrap_or(default.disk),
            threads: self.threads.unwrap_or(default.threads),
            seed: self.seed,
            interrupt: None,
        })
    }
}

/// The same with the flag of a search.
pub(crate) fn interrupted_by<T>(limits: &Limits, teller: &Teller<T>) -> Limits {
    Limits { interrupt: Some(teller.interrupt()), ..limits.clone() }
}
