//! Search with lookahead: both values of some variables are tried before one is decided, that which brings most either way.
//!
//! Where clauses join most levels there are, nothing is learnt: then a small tree is better than a quick one. What one value
//! contradicts is settled at once, and the variable is decided both values of which leave most rows with two ways (C. M. Li, Anbulagan,
//! *Heuristics based on unit propagation for satisfiability problems*, IJCAI 1997, 366–371; M. J. H. Heule, H. van Maaren,
//! *Look-ahead based SAT solvers*, Handbook of Satisfiability, 2009, 155–184, doi:10.3233/978-1-58603-929-5-155).
//!
//! How much of the tree is done is known at any time, if every leaf stands for as much as its depth says; from how that grows it can be
//! told when it will end. Trees are shared by threads: one that has nothing left to do takes over half of another's.

mod cover;
#[cfg(test)]
mod tests;
mod worker;

use self::cover::Cover;
use self::worker::Worker;
use super::at_once::at_once;
use super::model::Model;
use super::solver::Verdict;
use crate::instance::Budget;
use crate::solution::Stop;

/// Work between times at which trees are shared.
const SHARE: u64 = 50_000;

/// The work after which it is told for the first time how much is left; then whenever it is twice as much.
const FIRST_LOOK: u64 = 50_000;

/// More than this is left to others.
const TOO_MUCH: f64 = 4e8;

/// A tree and those who work on it.
#[derive(Debug)]
pub(super) struct Lookahead {
    workers: Vec<Worker>,
    /// What those have done who have nothing left.
    done: f64,
    nodes: u64,
    /// The work so far.
    pub(super) spent: u64,
    /// The work at the last look, how much was done then, and how much work was left as it seemed.
    looked_at: u64,
    done_then: f64,
    left: f64,
}

impl Lookahead {
    /// Looks for the cycles of a model that visit everything, or if vertices are given everything but one of these.
    pub(super) fn new(model: &Model, missed: &[u32]) -> Self {
        let workers = Cover::new(model, missed).map(Worker::new).into_iter().collect();
        Lookahead { workers, done: 0.0, nodes: 0, spent: 0, looked_at: 0, done_then: 0.0, left: 0.0 }
    }

    /// How much of the tree is done.
    fn done(&self) -> f64 {
        self.done + self.workers.iter().map(|worker| worker.done()).sum::<f64>()
    }

    /// How much work is left as it seems; 0 as long as it is too soon to say.
    pub(super) fn left(&self) -> f64 {
        self.left
    }

    pub(super) fn is_too_long(&self) -> bool {
        self.left > TOO_MUCH
    }

    fn look_how_much_is_left(&mut self) {
        if self.spent < FIRST_LOOK.max(2 * self.looked_at) {
            return;
        }
        let done = self.done();
        self.left = (1.0 - done) * (self.spent - self.looked_at) as f64 / (done - self.done_then);
        (self.looked_at, self.done_then) = (self.spent, done);
    }

    /// How many nodes it has had so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes + self.workers.iter().map(|worker| worker.nodes()).sum::<u64>()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.workers.iter().map(|worker| worker.bytes()).sum()
    }

    /// Searches until something is known, or for so much work on each thread.
    pub(super) fn search(&mut self, work: u64, memory: usize, budget: &Budget) -> Verdict {
        let end = self.spent.saturating_add(work);
        while !self.workers.is_empty() {
            self.look_how_much_is_left();
            if self.spent >= end {
                return Verdict::Paused;
            }
            self.share(budget.threads.max(1));
            if self.bytes() > memory {
                return Verdict::Stopped(Stop::MemoryLimit);
            }
            let most = SHARE.min(end - self.spent);
            let works = self
                .workers
                .iter_mut()
                .map(|worker| move |spent: &mut dyn FnMut() -> Option<Stop>| worker.search(most, spent));
            let verdicts = at_once(works, budget, |(verdict, _)| matches!(verdict, Verdict::Found(_)));
            self.spent += verdicts.iter().map(|&(_, used)| used).max().unwrap_or(0);
            let mut stopped = None;
            let mut is_over = Vec::with_capacity(verdicts.len());
            for (verdict, _) in verdicts {
                is_over.push(verdict == Verdict::Refuted);
                match verdict {
                    Verdict::Found(edges) => return Verdict::Found(edges),
                    Verdict::Stopped(why) => stopped = Some(why),
                    Verdict::Paused | Verdict::Refuted => {}
                }
            }
            let mut is_over = is_over.into_iter();
            for worker in self.workers.extract_if(.., |_| is_over.next() == Some(true)) {
                self.done += worker.done();
                self.nodes += worker.nodes();
            }
            if let Some(why) = stopped {
                return Verdict::Stopped(why);
            }
        }
        Verdict::Refuted
    }

    /// Gives work to so many threads.
    fn share(&mut self, threads: usize) {
        while self.workers.len() < threads {
            let richest = self.workers.iter_mut().max_by(|one, other| one.first_left().total_cmp(&other.first_left()));
            let Some(half) = richest.and_then(Worker::split) else { return };
            self.workers.push(half);
        }
    }
}
