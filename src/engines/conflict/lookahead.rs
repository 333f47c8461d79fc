//! Search with lookahead: both values of some variables are tried before one is decided, that which brings most either way.
//!
//! Where clauses join most levels there are, nothing is learnt: then a small tree is better than a quick one. What one value
//! contradicts is settled at once, and the variable is decided both values of which leave most rows with two ways (C. M. Li, Anbulagan,
//! *Heuristics based on unit propagation for satisfiability problems*, IJCAI 1997, 366–371; M. J. H. Heule, H. van Maaren,
//! *Look-ahead based SAT solvers*, Handbook of Satisfiability, 2009, 155–184, doi:10.3233/978-1-58603-929-5-155).
//!
//! How much of the tree is done is known at any time, if every leaf stands for as much as its depth says; from how that grows it can be
//! told when it will end. Trees are shared by threads: one that has nothing left to do takes over half of another's.

use super::at_once::at_once;
use super::cover::Cover;
use super::literal::{Lit, Var};
use super::model::Model;
use super::solver::Verdict;
use crate::instance::Budget;
use crate::solution::Stop;

/// How many variables are tried at a node.
const WIDTH: usize = 20;

/// A variable is tried first where it brought much lately; so much of the memory stays at each trial.
const MEMORY: f32 = 0.7;

/// What a trial counts that settles a variable, and one that contradicts both ways.
const SETTLES: f32 = 300.0;
const CONTRADICTS: f32 = 2000.0;

/// More than any trial brings: what was never tried comes first.
const UNTRIED: f32 = 1e9;

/// A literal takes a fraction of the time that it takes a [solver](super::solver) with its clauses.
const STEPS_PER_UNIT: u64 = 4;

/// Work between times at which trees are shared.
const SHARE: u64 = 50_000;

/// The work after which it is told for the first time how much is left; then whenever it is twice as much.
const FIRST_LOOK: u64 = 200_000;

/// More than this is left to others.
const TOO_MUCH: f64 = 4e8;

/// A decision that is to be tried the other way yet.
#[derive(Clone, Copy, Debug)]
struct Level {
    decision: Lit,
    /// How many literals were assigned before.
    assigned: usize,
    /// How much of the tree is left the other way.
    part: f64,
}

/// What was found at a node.
enum Seen {
    Contradiction,
    /// All is assigned.
    Cycle,
    Branch(Lit),
    Stopped(Stop),
}

/// A part of the tree.
#[derive(Clone, Debug)]
struct Worker {
    cover: Cover,
    /// In more rows than others, if there are such.
    central: Vec<Var>,
    worth: Vec<f32>,
    levels: Vec<Level>,
    /// How much of the tree is below the present node, and how much is done.
    part: f64,
    done: f64,
    nodes: u64,
    candidates: Vec<Var>,
}

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
        self.done + self.workers.iter().map(|worker| worker.done).sum::<f64>()
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
        self.nodes + self.workers.iter().map(|worker| worker.nodes).sum::<u64>()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.workers.iter().map(|worker| worker.cover.bytes()).sum()
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
                self.done += worker.done;
                self.nodes += worker.nodes;
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
            let first = |worker: &Worker| worker.levels.first().map_or(0.0, |level| level.part);
            let richest = self.workers.iter_mut().max_by(|one, other| first(one).total_cmp(&first(other)));
            let Some(half) = richest.and_then(Worker::split) else { return };
            self.workers.push(half);
        }
    }
}

impl Worker {
    fn new(cover: Cover) -> Self {
        let vars = cover.vars() as Var;
        let fewest = (0..vars).map(|var| cover.rows_with(var)).min().unwrap_or(0);
        let central: Vec<Var> = (0..vars).filter(|&var| cover.rows_with(var) > fewest.max(2)).collect();
        Worker {
            worth: vec![UNTRIED; vars as usize],
            central,
            cover,
            levels: Vec::new(),
            part: 1.0,
            done: 0.0,
            nodes: 0,
            candidates: Vec::new(),
        }
    }

    /// Hands over the other way of the first decision.
    fn split(&mut self) -> Option<Self> {
        if self.levels.is_empty() {
            return None;
        }
        let Level { decision, assigned, part } = self.levels.remove(0);
        let mut half = self.clone();
        half.levels.clear();
        (half.part, half.done, half.nodes) = (part, 0.0, 0);
        half.cover.back_to(assigned);
        half.cover.assign(!decision);
        Some(half)
    }

    /// Searches until something is known, or for so much work, which is told.
    fn search(&mut self, work: u64, spent: &mut dyn FnMut() -> Option<Stop>) -> (Verdict, u64) {
        let begin = self.cover.steps;
        let verdict = loop {
            if (self.cover.steps - begin) / STEPS_PER_UNIT >= work {
                break Verdict::Paused;
            }
            self.nodes += 1;
            let seen = if self.cover.propagate().is_ok() { self.look(spent) } else { Seen::Contradiction };
            match seen {
                Seen::Cycle => break Verdict::Found(self.cover.edges()),
                Seen::Branch(decision) => self.descend(decision),
                Seen::Contradiction if self.turn_back() => {}
                Seen::Contradiction => break Verdict::Refuted,
                Seen::Stopped(stop) => break Verdict::Stopped(stop),
            }
        };
        (verdict, (self.cover.steps - begin) / STEPS_PER_UNIT + 1)
    }

    fn descend(&mut self, decision: Lit) {
        self.part /= 2.0;
        self.levels.push(Level { decision, assigned: self.cover.assigned(), part: self.part });
        self.cover.assign(decision);
    }

    /// To the last decision that is to be tried the other way; `false` where there is none.
    fn turn_back(&mut self) -> bool {
        self.done += self.part;
        let Some(Level { decision, assigned, part }) = self.levels.pop() else { return false };
        self.part = part;
        self.cover.back_to(assigned);
        self.cover.assign(!decision);
        true
    }

    /// Tries variables until none of them is settled by that.
    fn look(&mut self, spent: &mut dyn FnMut() -> Option<Stop>) -> Seen {
        loop {
            if let Some(stop) = spent() {
                return Seen::Stopped(stop);
            }
            if self.cover.is_complete() {
                return Seen::Cycle;
            }
            self.choose_candidates();
            let mut best = None;
            let mut is_settled = false;
            for place in 0..self.candidates.len() {
                let var = self.candidates[place];
                if !self.cover.is_open(var) {
                    continue;
                }
                let gains = [Lit::positive(var), Lit::negative(var)].map(|lit| self.try_out(lit));
                let gain = match gains {
                    [Some(one), Some(other)] => one * other + one + other,
                    [None, None] => CONTRADICTS,
                    _ => SETTLES,
                };
                let worth = &mut self.worth[var as usize];
                *worth = MEMORY * *worth + (1.0 - MEMORY) * gain;
                match gains {
                    [None, None] => return Seen::Contradiction,
                    [Some(one), Some(other)] => {
                        if best.is_none_or(|(most, _)| gain > most) {
                            best = Some((gain, Lit::new(var, one >= other)));
                        }
                    }
                    [positive, _] => {
                        is_settled = true;
                        self.cover.assign(Lit::new(var, positive.is_some()));
                        if self.cover.propagate().is_err() {
                            return Seen::Contradiction;
                        }
                    }
                }
            }
            if let Some((_, decision)) = best.filter(|_| !is_settled) {
                return Seen::Branch(decision);
            }
        }
    }

    /// What a literal brings; `None` where it contradicts.
    fn try_out(&mut self, lit: Lit) -> Option<f32> {
        let assigned = self.cover.assigned();
        self.cover.assign(lit);
        let gain = self.cover.propagate().ok().map(|()| self.cover.gain_since(assigned));
        self.cover.back_to(assigned);
        gain
    }

    /// The open variables that brought most lately: of those in many rows, as long as there are any.
    fn choose_candidates(&mut self) {
        let (cover, worth, candidates) = (&self.cover, &self.worth, &mut self.candidates);
        candidates.clear();
        candidates.extend(self.central.iter().copied().filter(|&var| cover.is_open(var)));
        if candidates.is_empty() {
            candidates.extend((0..cover.vars() as Var).filter(|&var| cover.is_open(var)));
        }
        if candidates.len() > WIDTH {
            let descending =
                |one: &Var, other: &Var| worth[*other as usize].total_cmp(&worth[*one as usize]).then(one.cmp(other));
            candidates.select_nth_unstable_by(WIDTH - 1, descending);
            candidates.truncate(WIDTH);
        }
    }
}
