//! One part of the tree: try variables, decide one, turn back.

use super::super::literal::{Lit, Var};
use super::super::solver::Verdict;
use super::cover::Cover;
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

/// A literal takes a fraction of the time that it takes a [solver](super::super::solver) with its clauses.
const STEPS_PER_UNIT: u64 = 4;

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
pub(super) struct Worker {
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

impl Worker {
    pub(super) fn new(cover: Cover) -> Self {
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

    /// How much of the tree is done.
    pub(super) fn done(&self) -> f64 {
        self.done
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn bytes(&self) -> usize {
        self.cover.bytes()
    }

    /// How much of the tree there is the other way of the first decision.
    pub(super) fn first_left(&self) -> f64 {
        self.levels.first().map_or(0.0, |level| level.part)
    }

    /// Hands over the other way of the first decision.
    pub(super) fn split(&mut self) -> Option<Self> {
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
    pub(super) fn search(&mut self, work: u64, spent: &mut dyn FnMut() -> Option<Stop>) -> (Verdict, u64) {
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
