//! What two trees of the same core tell each other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::branching::Known;
use crate::engines::trail::bundle::Trail;
use crate::instance::Monitor;

#[derive(Default)]
pub(super) struct Shared {
    best: Mutex<Option<(Trail, i64)>>,
    /// One of them has come to an end.
    is_over: AtomicBool,
}

impl Shared {
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// The better of two trails becomes known to both.
    pub(super) fn exchange(&self, known: &mut Known<Trail>, monitor: &mut dyn Monitor) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        match &*best {
            Some((trail, value)) if *value > known.lower() => {
                known.best = Some((trail.clone(), *value));
                monitor.incumbent(*value);
            }
            told if told.as_ref().is_none_or(|&(_, value)| value < known.lower()) => best.clone_from(&known.best),
            _ => {}
        }
    }
}
