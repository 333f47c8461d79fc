//! One tree, or two that help each other.
//!
//! With a second thread a tree that takes longer gets a rival on the same core, which spends more of its time near the best
//! trail. They tell each other of better trails; the first to be done ends both. What is proved does not depend on it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{Cutting, End, Tree};
use crate::engines::trail::bundle::Trail;
use crate::engines::trail::core::Core;
use crate::instance::{Budget, Monitor, Silent};

/// Pivots before a second thread joins in.
pub(in crate::engines::trail) const ALONE: u64 = 3_000;

/// Finds the best trail of two vertices or more that is worth more than `floor`, where `upper` bounds all. After `alone` pivots
/// a second thread joins in, if there is one.
pub(in crate::engines::trail) fn solve(
    core: &Core,
    floor: i64,
    upper: i64,
    alone: u64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Cutting {
    let shared = Shared::default();
    let mut tree = Tree::new(core, floor, upper, budget, monitor);
    let end = tree.go_on(if budget.threads > 1 { alone } else { u64::MAX });
    let End::Paused = end else { return tree.into_cutting(end) };
    // Each holds half of the memory.
    let mut half = budget.clone();
    half.memory /= 2;
    half.seed = half.seed.wrapping_add(1);
    let (lower, upper, best) = (tree.lower, tree.upper, tree.best.clone());
    tree.memory = half.memory;
    tree.shared = Some(&shared);
    std::thread::scope(|scope| {
        let helper = scope.spawn(|| {
            let mut deaf = Silent;
            let mut helper = Tree::new(core, lower, upper, &half, &mut deaf);
            helper.best = best;
            helper.shared = Some(&shared);
            helper.pause = 0;
            let end = helper.go_on(u64::MAX);
            if let End::Done = end {
                shared.is_over.store(true, Ordering::Relaxed);
            }
            helper.into_cutting(end)
        });
        let end = tree.go_on(u64::MAX);
        shared.is_over.store(true, Ordering::Relaxed);
        let mut cutting = tree.into_cutting(end);
        let other = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let value = |cutting: &Cutting| cutting.best.as_ref().map_or(floor, |&(_, value)| value);
        if value(&other) > value(&cutting) {
            cutting.best = other.best;
        }
        if other.stop.is_none() {
            cutting.stop = None;
        }
        cutting.upper = cutting.upper.min(other.upper);
        cutting.pivots += other.pivots;
        cutting.peak_bytes += other.peak_bytes;
        cutting
    })
}

/// What two trees of the same core tell each other.
#[derive(Default)]
pub(super) struct Shared {
    best: Mutex<Option<(Trail, i64)>>,
    /// One of them has come to an end.
    pub(super) is_over: AtomicBool,
}

impl Tree<'_> {
    /// Learns of the other tree's best trail, and tells of its own.
    pub(super) fn shared_bounds(&mut self) {
        let Some(shared) = self.shared else { return };
        let mut best = shared.best.lock().unwrap_or_else(PoisonError::into_inner);
        match &*best {
            Some((trail, value)) if *value > self.lower => {
                self.lower = *value;
                self.best = Some(trail.clone());
                self.monitor.incumbent(*value);
            }
            known if known.as_ref().is_none_or(|&(_, value)| value < self.lower) => {
                *best = self.best.clone().map(|trail| (trail, self.lower));
            }
            _ => {}
        }
    }
}
