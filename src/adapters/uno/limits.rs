//! What a search about a game may spend.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::decompose::Effort;
use crate::view::InputGraph;
use crate::{LongestPath, LongestSequence, Stop};

/// Limits of a search; a spent one is an answer ([`Stop`]), never a wrong result.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use longhaul::adapters::uno::Limits;
///
/// let limits = Limits { time: Some(Duration::from_secs(10)), ..Limits::default() };
/// assert_eq!(limits.memory, 4 << 30);
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// Stop after this time. \[default: none\]
    pub time: Option<Duration>,
    /// Stop before the search holds more than this many bytes. \[default: 4 GiB\]
    pub memory: usize,
    /// How many threads to use, where a search has a use for more than one. \[default: 1\]
    pub threads: usize,
    /// The seed of everything random. \[default: 0\]
    pub seed: u64,
    /// Stop soon after this flag becomes true. \[default: none\]
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: None, memory: 4 << 30, threads: 1, seed: 0, interrupt: None }
    }
}

/// Hands limits on to a question to the solver, whichever it is.
macro_rules! limited {
    ($question:expr, $limits:expr) => {{
        let limits = $limits;
        let mut question = $question.memory_limit(limits.memory).threads(limits.threads).seed(limits.seed);
        if let Some(flag) = &limits.interrupt {
            question = question.interrupt(flag.clone());
        }
        if let Some(limit) = limits.time {
            question = question.time_limit(limit);
        }
        question
    }};
}

impl Limits {
    /// The same limits for a question about a graph.
    pub(super) fn configure<'a, G: InputGraph>(&self, question: LongestPath<'a, G>) -> LongestPath<'a, G> {
        limited!(question, self)
    }

    /// The same limits for a question about sequences of cards.
    pub(super) fn configure_sequence<'a, G: InputGraph>(
        &self,
        question: LongestSequence<'a, G>,
    ) -> LongestSequence<'a, G> {
        limited!(question, self)
    }

    pub(super) fn start(&self) -> Meter {
        let deadline = self.time.and_then(|limit| Instant::now().checked_add(limit));
        Meter { deadline, interrupt: self.interrupt.clone(), memory: self.memory }
    }
}

/// Limits that have begun to run.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    deadline: Option<Instant>,
    interrupt: Option<Arc<AtomicBool>>,
    memory: usize,
}

impl Meter {
    /// Whether the search must end now, and why. Asks the clock: call it once in a thousand steps or so.
    pub(super) fn spent(&self) -> Option<Stop> {
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Stop::Interrupted);
        }
        self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Stop::TimeLimit)
    }

    /// The limits of a part of the work: half of the time that is left, a few seconds where time is not limited.
    pub(super) fn part(&self, limits: &Limits) -> Limits {
        const SECONDS: Duration = Duration::from_secs(5);
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()) / 2);
        Limits { time: Some(left.unwrap_or(SECONDS)), ..limits.clone() }
    }

    /// The limits of all that is left to do.
    pub(super) fn rest(&self, limits: &Limits) -> Limits {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Limits { time: left, ..limits.clone() }
    }

    /// The effort that the search for a vertex order may take.
    pub(super) fn order_effort(&self) -> Effort {
        // No longer than a small part of what the sweep along it will take.
        const WORK_PER_STATE: f64 = 20.0;
        Effort {
            work_per_state: WORK_PER_STATE,
            deadline: self.deadline,
            interrupt: self.interrupt.clone(),
            ..Effort::default()
        }
    }

    /// Whether so many bytes at once are too many.
    pub(super) fn forbids(&self, bytes: usize) -> bool {
        bytes > self.memory
    }
}
