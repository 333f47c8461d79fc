//! What engines that are at work on the same instance at the same time know of each other.
//!
//! Numbers only: paths stay with the engine that found them until all come to their end. An engine reads them where it
//! asks the clock, and what it reads is true whenever it is read: some path is worth the one, none more than the other.
//! All orderings are the strict ones, so that of two engines that make value and bound meet at the same time one sees it.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

/// The best value and the least bound of all engines, and the threads that those at their end have left over.
#[derive(Debug)]
pub(crate) struct SharedBounds {
    lower: AtomicI64,
    upper: AtomicI64,
    free: AtomicUsize,
}

impl SharedBounds {
    /// What is known before they begin.
    pub(crate) fn new(lower: i64, upper: i64) -> Self {
        SharedBounds { lower: AtomicI64::new(lower), upper: AtomicI64::new(upper), free: AtomicUsize::new(0) }
    }

    /// An engine holds a path of this value. Returns whether it is the best so far.
    pub(crate) fn raise(&self, value: i64) -> bool {
        self.lower.fetch_max(value, Ordering::SeqCst) < value
    }

    /// No path is worth more than this, or than the best of [`lower`](Self::lower). Returns whether that was not known.
    pub(crate) fn lower_to(&self, bound: i64) -> bool {
        self.upper.fetch_min(bound, Ordering::SeqCst) > bound
    }

    pub(crate) fn lower(&self) -> i64 {
        self.lower.load(Ordering::SeqCst)
    }

    pub(crate) fn upper(&self) -> i64 {
        self.upper.load(Ordering::SeqCst)
    }

    pub(crate) fn is_settled(&self) -> bool {
        self.upper() <= self.lower()
    }

    /// An engine at its end leaves its threads to the others.
    pub(crate) fn leave(&self, threads: usize) {
        self.free.fetch_add(threads, Ordering::SeqCst);
    }

    pub(crate) fn free_threads(&self) -> usize {
        self.free.load(Ordering::SeqCst)
    }
}
