//! What every command needs to know of the process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use longhaul::Limits;
use longhaul::io::ReadOptions;

/// What every command needs to know of the process.
pub(crate) struct Process {
    pub(crate) began: Instant,
    /// Raised by a signal, or by an output that nobody reads any more.
    pub(crate) interrupt: Arc<AtomicBool>,
}

impl Process {
    /// The limits of reading: it takes its share of the time, and a signal ends it.
    pub(crate) fn reading(&self, time_limit: Option<Duration>, memory_limit: usize) -> ReadOptions {
        ReadOptions {
            memory_limit,
            interrupt: Some(self.interrupt.clone()),
            deadline: time_limit.and_then(|limit| self.began.checked_add(limit)),
            ..ReadOptions::default()
        }
    }

    /// What the library may spend: reading the file has taken its share of the time, and a thread for each processor is allowed
    /// unless it is said how many.
    pub(crate) fn limits(
        &self,
        time_limit: Option<Duration>,
        memory_limit: usize,
        threads: Option<usize>,
        seed: u64,
    ) -> Limits {
        Limits {
            time: time_limit.map(|limit| limit.saturating_sub(self.began.elapsed())),
            memory: memory_limit,
            disk: 0,
            threads: threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
            seed,
            interrupt: Some(self.interrupt.clone()),
        }
    }
}
