//! What a question may spend: one [`Limits`] behind every builder and the command line, and its setters in one place.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::disk::Disk;
use crate::solution::{Progress, Stop};

/// Is told of every improvement.
pub(crate) type Observer<'a> = Box<dyn FnMut(&Progress) + Send + 'a>;

/// Limits of a search; a spent one is an answer ([`Stop`]), never a wrong result.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use longhaul::{Limits, LongestPath};
/// use petgraph::graph::UnGraph;
///
/// let limits = Limits { time: Some(Duration::from_secs(10)), ..Limits::default() };
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2)]);
/// assert_eq!(LongestPath::new(&graph).limits(limits).solve()?.length(), Some(2));
/// # Ok::<(), longhaul::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// Stop after this time. \[default: none\]
    pub time: Option<Duration>,
    /// Stop before the search holds more than this many bytes. \[default: 4 GiB\]
    pub memory: usize,
    /// So many bytes of the frontier program's layers that find no room in memory may wait on disk, in files without a name that
    /// are gone when the process is: in the folder that `TMPDIR` names, else in `/var/tmp` or the system's own for such files.
    /// \[default: 0, nothing is written\]
    #[cfg(feature = "disk")]
    pub disk: u64,
    /// How many threads to use, where a search has a use for more than one. \[default: 1\]
    pub threads: usize,
    /// The seed of everything random. \[default: 0\]
    pub seed: u64,
    /// Stop soon after this flag becomes true. \[default: none\]
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            time: None,
            memory: 4 << 30,
            #[cfg(feature = "disk")]
            disk: 0,
            threads: 1,
            seed: 0,
            interrupt: None,
        }
    }
}

/// The setters of what a search may spend, for a builder with its [`Limits`] in the field that is named; with what it stops.
macro_rules! budget_setters {
    ({ $($with:tt)+ }, $($limits:ident).+) => {
        #[doc = concat!("Stop", $($with)+, " after this time. \\[default: none\\]")]
        #[must_use]
        pub fn time_limit(mut self, limit: std::time::Duration) -> Self {
            self.$($limits).+.time = Some(limit);
            self
        }

        #[doc = concat!("Stop", $($with)+, " before holding more than this many bytes at once. \\[default: 4 GiB\\]")]
        #[must_use]
        pub fn memory_limit(mut self, bytes: usize) -> Self {
            self.$($limits).+.memory = bytes;
            self
        }

        #[doc = concat!("Stop", $($with)+, " soon after this flag becomes true. \\[default: none\\]")]
        #[must_use]
        pub fn interrupt(mut self, flag: std::sync::Arc<std::sync::atomic::AtomicBool>) -> Self {
            self.$($limits).+.interrupt = Some(flag);
            self
        }

        /// All these limits at once, in place of those set before.
        #[must_use]
        pub fn limits(mut self, limits: $crate::limits::Limits) -> Self {
            self.$($limits).+ = limits;
            self
        }
    };
}

/// The setters that all questions share, for a builder with its [`Limits`] in the field that is named and an `observer`.
macro_rules! limit_setters {
    ($what:literal, $($limits:ident).+) => {
        $crate::limits::budget_setters!({ " with the best ", $what, " and bound so far" }, $($limits).+);

        /// How many threads to use. The value, bound and status of a run that finishes do not depend on it; with one thread
        #[doc = concat!("the ", $what, " does not change between runs either. \\[default: 1\\] \\[range: 1..\\]")]
        #[must_use]
        pub fn threads(mut self, threads: usize) -> Self {
            self.$($limits).+.threads = threads;
            self
        }

        /// The seed of everything random. \[default: 0\]
        #[must_use]
        pub fn seed(mut self, seed: u64) -> Self {
            self.$($limits).+.seed = seed;
            self
        }

        #[doc = concat!("Call this whenever the best ", $what, " or the proved bound improves. \\[default: nobody is told\\]")]
        #[must_use]
        pub fn on_progress(mut self, observer: impl FnMut(&$crate::solution::Progress) + Send + 'a) -> Self {
            self.observer = Some(Box::new(observer));
            self
        }
    };
}

/// The setter of what may wait on disk, for a builder whose question the frontier program sweeps.
macro_rules! disk_setter {
    ($($limits:ident).+) => {
        /// So many bytes that find no room in memory may wait on disk (see `Limits::disk`). \[default: 0\]
        #[cfg(feature = "disk")]
        #[must_use]
        pub fn disk_limit(mut self, bytes: u64) -> Self {
            self.$($limits).+.disk = bytes;
            self
        }
    };
}

pub(crate) use {budget_setters, disk_setter, limit_setters};

impl Limits {
    /// Where what finds no room in memory may wait.
    pub(crate) fn disk(&self) -> Disk {
        #[cfg(feature = "disk")]
        return Disk::of(self.disk);
        #[cfg(not(feature = "disk"))]
        Disk::none()
    }

    /// These limits begin to run.
    pub(crate) fn start(&self) -> Meter {
        let deadline = self.time.and_then(|limit| Instant::now().checked_add(limit));
        Meter { deadline, interrupt: self.interrupt.clone(), memory: self.memory }
    }
}

/// Limits that have begun to run.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupt: Option<Arc<AtomicBool>>,
    memory: usize,
}

impl Meter {
    /// Whether the search must end now, and why. Asks the clock: call it once in a thousand steps or so.
    #[track_caller]
    pub(crate) fn spent(&self) -> Option<Stop> {
        #[cfg(test)]
        crate::looks::look();
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Stop::Interrupted);
        }
        self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Stop::TimeLimit)
    }

    /// The limits of a part of the work: half of the time that is left, a few seconds where time is not limited.
    pub(crate) fn part(&self, limits: &Limits) -> Limits {
        const SECONDS: Duration = Duration::from_secs(5);
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()) / 2);
        Limits { time: Some(left.unwrap_or(SECONDS)), ..limits.clone() }
    }

    /// The limits of all that is left to do.
    pub(crate) fn rest(&self, limits: &Limits) -> Limits {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Limits { time: left, ..limits.clone() }
    }

    /// Whether so many bytes at once are too many.
    pub(crate) fn forbids(&self, bytes: usize) -> bool {
        bytes > self.memory
    }
}
