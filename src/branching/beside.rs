//! What two threads tell each other that work on parts of one tree.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// The best answer of either, and whether one of them has come to its end.
#[derive(Default)]
pub(crate) struct Beside {
    lower: AtomicI64,
    ended: AtomicBool,
}

impl Beside {
    /// Both begin, with an answer of this value.
    pub(crate) fn begin(&self, lower: i64) {
        self.lower.store(lower, Ordering::SeqCst);
        self.ended.store(false, Ordering::SeqCst);
    }

    /// One of them holds an answer of this value.
    pub(super) fn raise(&self, value: i64) {
        self.lower.fetch_max(value, Ordering::SeqCst);
    }

    pub(super) fn lower(&self) -> i64 {
        self.lower.load(Ordering::SeqCst)
    }

    /// One of them has nothing left, or done its work.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::SeqCst);
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }
}
