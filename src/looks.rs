//! A watch over looks at the limits, in tests: how long a thread works without one, and where.
//!
//! Time is that of the processor, where the system tells it (Linux), so that other processes don't count.

use std::cell::Cell;
use std::panic::Location;
use std::time::{Duration, Instant};

/// Work between two looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    pub(crate) time: Duration,
    /// Where the look before was, and the one that ended it.
    pub(crate) from: &'static Location<'static>,
    pub(crate) to: &'static Location<'static>,
}

/// A moment, and where the look was.
type Look = (Duration, &'static Location<'static>);

thread_local! {
    static LAST: Cell<Option<Look>> = const { Cell::new(None) };
    static LONGEST: Cell<Option<Gap>> = const { Cell::new(None) };
}

/// Somebody looks at the limits.
#[track_caller]
pub(crate) fn look() {
    if let Some((before, from)) = LAST.get() {
        let (now, to) = (now(), Location::caller());
        let gap = Gap { time: now.saturating_sub(before), from, to };
        if LONGEST.get().is_none_or(|longest| gap.time > longest.time) {
            LONGEST.set(Some(gap));
        }
        LAST.set(Some((now, to)));
    }
}

/// Does the work, and tells the longest stretch of it on this thread without a look at the limits.
#[track_caller]
pub(crate) fn watch<R>(work: impl FnOnce() -> R) -> (R, Gap) {
    LONGEST.set(None);
    LAST.set(Some((now(), Location::caller())));
    let result = work();
    look();
    LAST.set(None);
    (result, LONGEST.get().expect("there was a look"))
}

/// The time this thread has run, or else the time.
fn now() -> Duration {
    thread_local! {
        static BEGAN: Instant = Instant::now();
    }
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGAN.with(Instant::elapsed), Duration::from_nanos)
}
