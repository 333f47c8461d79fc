//! What the search for a vertex order may spend.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How much an order may cost to find.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Neighbours looked at in all, reading the graph aside; some two hundred million a second. \[default: 20 million\]
    pub work: u64,
    /// Stop when the work exceeds this many times the states predicted for the best order so far (counted on the
    /// reduced core). A frontier program makes some tens of states in the time of a thousand neighbours, so with 1 the
    /// order takes a few percent of what following it will. \[default: no such limit\]
    pub work_per_state: f64,
    /// Return soon after this moment, whatever work is left. \[default: none\]
    pub deadline: Option<Instant>,
    /// Return soon after this flag becomes true. \[default: none\]
    pub interrupt: Option<Arc<AtomicBool>>,
    /// How many threads to use. The order does not depend on it, unless time runs out. \[default: 1\]
    pub threads: usize,
    /// How many bytes the search may hold beside the graph and orders of it; what would need more is left out. \[default: 256 MiB\]
    pub memory: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            work: 20_000_000,
            work_per_state: f64::INFINITY,
            deadline: None,
            interrupt: None,
            threads: 1,
            memory: 256 << 20,
        }
    }
}

impl Effort {
    /// No more memory than the default, nor than half of a limit.
    pub(crate) fn within(self, memory_limit: usize) -> Self {
        let memory = self.memory.min(memory_limit / 2);
        Effort { memory, ..self }
    }

    /// Whether it is time to return.
    #[track_caller]
    pub(super) fn is_over(&self) -> bool {
        #[cfg(test)]
        crate::looks::look();
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
