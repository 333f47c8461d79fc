//! The tree of cases by two threads.
//!
//! Each thread has a tree of its own, with a program of its own, and works on half of what is open; after a while they tell each
//! other what they found and share what is left. What one of them proves, it proves of its own half: the bound of the whole is the
//! greater of both.

use std::thread;

use super::paths::Paths;
use super::{Search, steps};
use crate::branching::{Pause, Tree};
use crate::instance::{Budget, Monitor, Outcome, Silent};
use crate::lp::{LinearProgram, Simplex};
use crate::solution::Stop;

/// The work of each thread before they share what is left.
const ROUND: u64 = 20_000_000;

impl<'p> Search<'p> {
    /// The same as [`run`](Self::run), by two threads as far as there is one more, and more to do than the root.
    pub(crate) fn run_by_two(&mut self, work: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Outcome {
        let before = self.steps;
        let mut left = work;
        let mut peak_bytes = 0;
        loop {
            if !self.share(budget) {
                let outcome = self.run(left, budget, monitor);
                let peak_bytes = peak_bytes.max(outcome.peak_bytes);
                return Outcome { steps: self.steps - before, peak_bytes, ..outcome };
            }
            let round = ROUND.min(left.div_ceil(2));
            let stop = self.round(round, budget, monitor);
            left -= (2 * round).min(left);
            peak_bytes = peak_bytes.max(self.known.peak_bytes);
            if stop != Some(Stop::Exhausted) || left == 0 || budget.threads_now() == 1 {
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
        if budget.threads_now() == 1 || open < 2 || !is_past_root || tree.bytes() > budget.memory / 2 {
            return false;
        }
        let other = self.other.get_or_insert_with(|| {
            let mut other = tree.clone();
            other.open.clear();
            other.nodes = 0;
            other.root_end = None;
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

    /// Lets both threads do so much work. Returns why that was not all.
    fn round(&mut self, work: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Option<Stop> {
        let (Some(tree), Some(other)) = (&mut self.tree, &mut self.other) else { return Some(Stop::Exhausted) };
        let mut part = budget.clone();
        part.memory /= 2;
        let before = steps(other);
        other.known = tree.known.clone();
        let [mine, theirs] = thread::scope(|scope| {
            let theirs = scope.spawn(|| go_on(other, work, &part, &mut Silent));
            let mine = go_on(tree, work, &part, &mut Half(monitor));
            [mine, theirs.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))]
        });
        let mut known = tree.known.clone();
        if other.known.value() > known.value() {
            known = other.known.clone();
            monitor.incumbent(known.value());
        }
        known.upper = tree.known.upper.max(other.known.upper);
        known.peak_bytes = tree.known.peak_bytes.max(tree.bytes() + other.bytes());
        monitor.bound(known.upper);
        for half in [&mut **other, tree] {
            half.known = known.clone();
            half.fix_at_the_root();
        }
        self.beside += steps(other) - before;
        self.steps = steps(tree) + self.beside;
        self.known = known;
        let is_real = |stop: &Option<Stop>| stop.is_some_and(|stop| stop != Stop::Exhausted);
        match [mine, theirs] {
            [None, None] => None,
            stops => stops.into_iter().find(is_real).unwrap_or(Some(Stop::Exhausted)),
        }
    }
}

impl<P: LinearProgram> Search<'_, P> {
    /// Puts what is open together again, for one thread that has all the memory. What the other has stays open even where a root has
    /// begun anew: the bound that root began with was that of one half.
    pub(super) fn rejoin(&mut self) {
        if let (Some(tree), Some(mut other)) = (&mut self.tree, self.other.take()) {
            while let Some(node) = other.open.pop_first() {
                tree.open.extend_later(Some(node));
            }
        }
    }
}

/// Goes on with half of what is open; `None` where nothing of it is left.
fn go_on(tree: &mut Tree<Paths<'_>, Simplex>, work: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Option<Stop> {
    let pause = Pause::AfterWork(tree.relaxation.work.saturating_add(work));
    tree.run(pause, budget, monitor)
}

/// Tells of paths only: the bound is that of one half.
struct Half<'m>(&'m mut dyn Monitor);

impl Monitor for Half<'_> {
    fn incumbent(&mut self, value: i64) {
        self.0.incumbent(value);
    }

    fn bound(&mut self, _upper: i64) {}
}
