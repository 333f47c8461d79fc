//! The tree of cases by two threads.
//!
//! Each thread has a tree of its own, with a program of its own, and works on half of what is open. What a path is worth both know at
//! once; what is left they share again after so much work, or as soon as one of them has nothing left, or where the root had
//! better be cut again, which one does for both. What one of them proves, it proves of its own half: the bound of the whole is
//! the greater of both.

use std::thread;

use super::paths::Paths;
use super::{Search, steps};
use crate::branching::{Pause, Tree};
use crate::instance::{Budget, Monitor, Outcome, Silent};
use crate::lp::{LinearProgram, Simplex};
use crate::solution::Stop;

/// The work of each thread before they share what is left.
const ROUND: u64 = 60_000_000;
/// The work of one thread, where only one has any, before it is seen whether there is some for two.
const ALONE: u64 = 10_000_000;

impl<'p> Search<'p> {
    /// The same as [`run`](Self::run), by two threads as far as there is one more, and more to do than the root.
    pub(crate) fn run_by_two(&mut self, work: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Outcome {
        let before = self.steps;
        let mut left = work;
        let mut peak_bytes = 0;
        loop {
            let (stop, done) = if self.share(budget) {
                self.round(ROUND.min(left.div_ceil(2)), budget, monitor)
            } else {
                let work = if budget.threads_ever() == 1 { left } else { left.min(ALONE) };
                (self.run(work, budget, monitor).stop, work)
            };
            left -= done.max(1).min(left);
            peak_bytes = peak_bytes.max(self.known.peak_bytes);
            if stop != Some(Stop::Exhausted) || left == 0 {
                let (best, upper) = (self.known.best.clone(), self.known.upper);
                return Outcome { best, upper, stop, steps: self.steps - before, peak_bytes };
            }
        }
    }

    /// Gives either thread half of what is open. Returns whether there is enough for both, and all they need.
    fn share(&mut self, budget: &Budget) -> bool {
        let Some(tree) = &mut self.tree else { return false };
        let open = tree.open.len() + self.other.as_ref().map_or(0, |other| other.open.len());
        let is_past_root = tree.open.iter().all(|node| !node.fixed.is_empty());
        let is_of_use = open >= 2 && is_past_root && !tree.is_root_worth_cutting_again();
        if budget.threads_now() == 1 || !is_of_use || tree.bytes() > budget.memory / 2 {
            return false;
        }
        let beside = tree.beside.get_or_insert_default().clone();
        let other = self.other.get_or_insert_with(|| {
            let mut other = tree.clone();
            other.open.clear();
            other.nodes = 0;
            other.beside = Some(beside);
            Box::new(other)
        });
        while tree.open.len() > other.open.len() + 1 {
            other.open.extend_later(tree.open.pop_first());
        }
        while other.open.len() > tree.open.len() + 1 {
            tree.open.extend_later(other.open.pop_first());
        }
        true
    }

    /// Lets both threads do so much work. Returns why that was not all, and what both did.
    fn round(&mut self, work: u64, budget: &Budget, monitor: &mut dyn Monitor) -> (Option<Stop>, u64) {
        let (Some(tree), Some(other)) = (&mut self.tree, &mut self.other) else { return (Some(Stop::Exhausted), 0) };
        let mut part = budget.clone();
        part.memory /= 2;
        let before = (steps(other), tree.relaxation.work + other.relaxation.work);
        other.known = tree.known.clone();
        if let Some(beside) = &tree.beside {
            beside.begin(tree.known.value());
        }
        let [mine, theirs] = thread::scope(|scope| {
            let theirs = scope.spawn(|| go_on(other, work, &part, &mut Silent));
            let mine = go_on(tree, work, &part, &mut Half(monitor));
            [mine, theirs.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))]
        });
        let mut known = tree.known.clone();
        let value = |best: &Option<(Vec<u32>, i64)>| best.as_ref().map_or(i64::MIN, |best| best.1);
        if value(&other.known.best) > value(&known.best) {
            known.best = other.known.best.clone();
            monitor.incumbent(value(&known.best));
        }
        known.floor = known.floor.max(other.known.floor);
        known.upper = tree.known.upper.max(other.known.upper);
        known.peak_bytes = tree.known.peak_bytes.max(tree.bytes() + other.bytes());
        monitor.bound(known.upper);
        for half in [&mut **other, tree] {
            half.known = known.clone();
            half.fix_at_the_root();
        }
        self.beside += steps(other) - before.0;
        self.steps = steps(tree) + self.beside;
        self.known = known;
        let done = tree.relaxation.work + other.relaxation.work - before.1;
        let is_real = |stop: &Option<Stop>| stop.is_some_and(|stop| stop != Stop::Exhausted);
        let stop = match [mine, theirs] {
            [None, None] => None,
            stops => stops.into_iter().find(is_real).unwrap_or(Some(Stop::Exhausted)),
        };
        (stop, done)
    }
}

impl<P: LinearProgram> Search<'_, P> {
    /// Puts what is open together again, for one thread that has all the memory.
    pub(super) fn rejoin(&mut self) {
        if let (Some(tree), Some(mut other)) = (&mut self.tree, self.other.take()) {
            tree.beside = None;
            while let Some(node) = other.open.pop_first() {
                tree.open.extend_later(Some(node));
            }
            // Without room for its cuts they are found again.
            let _ = tree.remember(other.relaxation.into_cuts());
        }
    }
}

/// Goes on with half of what is open; `None` where nothing of it is left.
fn go_on(tree: &mut Tree<Paths<'_>, Simplex>, work: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Option<Stop> {
    let pause = Pause::AfterWork(tree.relaxation.work.saturating_add(work));
    let stop = tree.run(pause, budget, monitor);
    tree.beside.as_deref().inspect(|beside| beside.end());
    stop
}

/// Tells of paths only: the bound is that of one half.
struct Half<'m>(&'m mut dyn Monitor);

impl Monitor for Half<'_> {
    fn incumbent(&mut self, value: i64) {
        self.0.incumbent(value);
    }

    fn bound(&mut self, _upper: i64) {}
}
