//! The search: decide, propagate, learn from conflicts, jump back.
//!
//! J. P. Marques-Silva, K. A. Sakallah, *GRASP: a search algorithm for propositional satisfiability*, IEEE Transactions on
//! Computers 48 (1999) 506–521, doi:10.1109/12.769433; with phases saved (K. Pipatsrisawat, A. Darwiche, *A lightweight
//! component caching scheme for satisfiability solvers*, SAT 2007, doi:10.1007/978-3-540-72788-0_28) and restarts by how
//! many levels clauses join lately (A. Biere, A. Fröhlich, *Evaluating CDCL restart schemes*, 2015).
//!
//! A *target* above the floor is a literal that is decided first; clauses that rest on it have its negation, so they stay
//! true when it is given up. Whatever follows from it alone stands at level 1 and is treated as given.

use super::analysis::Analysis;
use super::config::Config;
use super::connectivity::Connectivity;
use super::exchange::Partner;
use super::literal::{Lit, Reason, Var};
use super::log::Log;
use super::model::Model;
use super::parity::Parity;
use super::queue::Queue;
use super::random::Random;
use super::state::{Conflict, State, Violation};
use crate::solution::Stop;

/// What a stretch of search came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A cycle above the target, or above the floor where there is none: its edges.
    Found(Vec<Var>),
    /// There is none.
    Refuted,
    /// So much work was not enough.
    Paused,
    Stopped(Stop),
}

/// Units of propagation between looks at the limits: a few milliseconds.
const TICKS_PER_LOOK: u64 = 1 << 15;

/// Learnt clauses before the first time that some are dropped, and how many more each time; half as many where they join most levels.
const FIRST_REDUCTION: usize = 2000;
const MORE_EACH_REDUCTION: usize = 300;

/// The least number of conflicts between restarts; others follow as soon as the latest clauses are worse than usual.
const LEAST_STRETCH: u64 = 20;

/// Clauses join most levels where they join more than this part of them.
const MOST_LEVELS: f64 = 0.5;

/// Activities before any conflict, each of which adds 1 or more, and how much of them is left to chance.
const FIRST_ACTIVITY: f64 = 1e-3;
const NOISE: f64 = 0.1;

/// The solver.
#[derive(Debug)]
pub(super) struct Solver<'m> {
    state: State<'m>,
    connectivity: Connectivity,
    parity: Parity,
    analysis: Analysis,
    queue: Queue,
    /// The last value of each variable.
    phase: Vec<bool>,
    /// The target's literal, whether it is assumed or not, and what a cycle must be worth more than.
    target: Option<(Lit, i64)>,
    /// Nothing is left at level 0.
    is_refuted: bool,
    conflicts: u64,
    decisions: u64,
    /// The levels that clauses join: lately, and for long.
    quick: f64,
    slow: f64,
    /// The levels there are at conflicts, for long.
    depth: f64,
    last_restart: u64,
    /// Learnt clauses that the last reduction has kept.
    kept: usize,
    reductions: usize,
    /// Another solver of the same model and floor, which looks for no target either.
    partner: Option<Partner>,
}

impl<'m> Solver<'m> {
    /// A solver for cycles worth more than `floor`.
    pub(super) fn new(model: &'m Model, config: Config, floor: i64) -> Self {
        Solver::with_log(model, config, floor, None)
    }

    /// A solver that notes what it learns, if a log is kept, which names the axioms.
    pub(super) fn with_log(model: &'m Model, config: Config, floor: i64, log: Option<Box<Log>>) -> Self {
        let (vars, edges) = (model.vars(), model.edges());
        let mut phase = vec![false; vars];
        phase[..edges].fill(config.phase);
        let mut solver = Solver {
            state: State::new(model, config, floor),
            connectivity: Connectivity::new(model, config.connectivity),
            parity: Parity::new(model),
            analysis: Analysis::new(vars),
            queue: Queue::new(first_activities(model, config.seed), |var| model.is_used(var)),
            phase,
            target: None,
            is_refuted: false,
            conflicts: 0,
            decisions: 0,
            quick: 0.0,
            slow: 0.0,
            depth: 0.0,
            last_restart: 0,
            kept: 0,
            reductions: 0,
            partner: None,
        };
        for (place, axiom) in model.axioms.iter().enumerate() {
            let name = log.as_ref().and_then(|log| log.axioms.get(place).copied()).unwrap_or(0);
            solver.add_axiom(axiom, name);
        }
        solver.state.log = log;
        solver.settle_start();
        solver
    }

    fn add_axiom(&mut self, axiom: &[Lit], name: u32) {
        match axiom {
            [lit] if self.state.assignment.is_open(*lit) => self.state.assign(*lit, Reason::None),
            [lit] => self.is_refuted |= self.state.assignment.is_false(*lit),
            _ => _ = self.state.clauses.add(axiom, 0, name),
        }
    }

    /// Degrees that are tight or too small from the beginning.
    fn settle_start(&mut self) {
        for slot in 0..self.state.model.slots() as u32 {
            if self.state.check_left(slot).is_err() {
                self.refute();
                return;
            }
        }
        if self.state.check_losses().is_err() {
            self.refute();
        }
    }

    /// What is violated is so without any choice.
    fn refute(&mut self) {
        self.is_refuted = true;
        self.state.note(&[]);
    }

    /// Hands out the log.
    pub(super) fn take_log(&mut self) -> Option<Box<Log>> {
        self.state.note_given();
        self.state.log.take()
    }

    /// Lets everything follow that follows without a choice; `false` where that is a contradiction.
    pub(super) fn settle(&mut self) -> bool {
        if !self.is_refuted && (self.state.check_losses().is_err() || self.state.propagate().is_err()) {
            self.refute();
        }
        !self.is_refuted
    }

    /// Takes a literal for certain, which a clause of the log says, if one is kept; `false` where that is a contradiction.
    pub(super) fn settle_as(&mut self, lit: Lit, name: u32) -> bool {
        if self.state.assignment.is_open(lit) {
            self.state.assign(lit, Reason::None);
        }
        if self.state.assignment.is_false(lit) {
            self.state.violated = vec![lit];
            self.state.violation = Violation::Clause(name);
            self.refute();
        }
        !self.is_refuted && self.settle()
    }

    /// Whether an edge is open and one of its ends needs one of two that are.
    pub(super) fn is_one_of_two(&self, edge: Var) -> bool {
        let state = &self.state;
        let needs_one = |slot: u32| {
            let (left, chosen) = (state.left[slot as usize], state.chosen[slot as usize]);
            chosen + 1 == state.model.need() && left == chosen + 2
        };
        state.assignment.is_open(state.model.lit(edge)) && state.model.slots_of(edge).into_iter().any(needs_one)
    }

    /// What follows from an open literal, with it; where that is a contradiction its contrary is taken for certain, and there
    /// is no answer.
    pub(super) fn consequences(&mut self, lit: Lit) -> Option<Vec<Lit>> {
        let begin = self.state.assignment.trail().len();
        self.state.assignment.begin_level();
        self.state.assign(lit, Reason::None);
        let is_sound = self.state.propagate().is_ok();
        let name = if is_sound { 0 } else { self.state.note(&[!lit]) };
        let follows = self.state.assignment.trail()[begin..].to_vec();
        self.back_to(0);
        if is_sound {
            return Some(follows);
        }
        self.settle_as(!lit, name);
        None
    }

    /// Notes that these follow from an open literal, where a log is kept; returns the names of the clauses that say so.
    pub(super) fn note_consequences(&mut self, lit: Lit, follow: impl Iterator<Item = Lit>) -> Vec<u32> {
        if self.state.log.is_none() {
            return Vec::new();
        }
        self.state.assignment.begin_level();
        self.state.assign(lit, Reason::None);
        let is_sound = self.state.propagate().is_ok();
        debug_assert!(is_sound, "these have followed before");
        let names = follow.map(|implied| self.state.note_implied(lit, implied)).collect();
        self.back_to(0);
        names
    }

    /// The log, if one is kept.
    pub(super) fn log(&mut self) -> Option<&mut Log> {
        self.state.log.as_deref_mut()
    }

    /// What is certain.
    pub(super) fn certain(&self) -> Vec<Lit> {
        self.state.assignment.trail().to_vec()
    }

    /// From here on only cycles worth more than `floor` matter.
    pub(super) fn raise_floor(&mut self, floor: i64) {
        self.back_to(0);
        self.state.losses.raise_floor(floor);
        self.is_refuted |= self.state.losses.is_overdrawn();
    }

    /// Looks for cycles worth more than this first, which is no less than the floor; `None`: than the floor.
    pub(super) fn aim(&mut self, target: Option<i64>) {
        self.back_to(0);
        self.state.target = None;
        let Some(value) = target else { return };
        if self.target.is_none_or(|(_, known)| known != value) {
            self.drop_target();
            let var = self.state.add_var();
            self.queue.add_var();
            self.analysis.add_var();
            self.phase.push(true);
            self.state.losses.aim(value, Lit::positive(var));
            self.target = Some((Lit::positive(var), value));
        }
        self.state.target = self.target.map(|(lit, _)| lit);
    }

    /// No cycle is looked for above the target any more; what rests on it does not matter.
    fn drop_target(&mut self) {
        if let Some((target, _)) = self.target.take()
            && self.state.assignment.is_open(target)
        {
            self.state.assign(!target, Reason::None);
        }
        self.state.target = None;
        self.state.losses.give_up_target();
    }

    pub(super) fn model(&self) -> &'m Model {
        self.state.model
    }

    pub(super) fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// What it has cost so far, in steps of propagation.
    pub(super) fn ticks(&self) -> u64 {
        self.state.ticks
    }

    /// How many levels the clauses join that it learns, on average.
    pub(super) fn mean_levels(&self) -> f64 {
        self.slow
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.state.bytes()
    }

    /// Searches until something is known, or for so much work and one conflict at least: without any it would get nowhere.
    pub(super) fn search(&mut self, work: u64, memory: usize, spent: &mut dyn FnMut() -> Option<Stop>) -> Verdict {
        let (end, begin) = (self.state.ticks.saturating_add(work), self.conflicts);
        let mut look = self.state.ticks;
        self.back_to(0);
        if !self.is_refuted && self.state.check_losses().is_err() {
            self.refute();
        }
        loop {
            if self.is_refuted || self.is_aim_refuted() {
                return Verdict::Refuted;
            }
            if self.state.ticks >= look {
                look = self.state.ticks + TICKS_PER_LOOK;
                if let Some(stop) = spent() {
                    return Verdict::Stopped(stop);
                }
                if self.state.bytes() > memory {
                    return Verdict::Stopped(Stop::MemoryLimit);
                }
            }
            let step = self.state.propagate();
            let decisions = self.decisions;
            let every = self.state.config.connectivity;
            let step = step.and_then(|()| match self.parity.is_time(&self.state) {
                true => self.parity.check(&mut self.state),
                false => Ok(true),
            });
            let step = step.and_then(|goes_on| match goes_on && self.connectivity.is_time(decisions, every) {
                true => self.connectivity.check(decisions, &mut self.state),
                false => Ok(goes_on),
            });
            match step {
                Err(Conflict) => {
                    if !self.learn() {
                        return Verdict::Refuted;
                    }
                }
                // What these have found is to be propagated first.
                Ok(false) => {}
                Ok(true) => {
                    if self.state.ticks >= end && self.conflicts > begin {
                        return Verdict::Paused;
                    }
                    if self.is_time_to_restart() {
                        self.restart();
                    } else if !self.decide() {
                        return Verdict::Found(self.cycle());
                    }
                }
            }
        }
    }

    /// Whether the target, where one is assumed, is ruled out; it is given up then.
    fn is_aim_refuted(&mut self) -> bool {
        let is_out = self.state.target.is_some_and(|target| {
            self.state.assignment.is_false(target) && self.state.assignment.level(target.var()) == 0
        });
        if is_out {
            self.drop_target();
        }
        is_out
    }

    /// Whether there is no cycle above the floor at all.
    pub(super) fn is_refuted(&self) -> bool {
        self.is_refuted
    }

    fn is_time_to_restart(&self) -> bool {
        let since = self.conflicts - self.last_restart;
        self.state.assignment.current_level() > self.state.base_level()
            && since >= LEAST_STRETCH
            && self.quick > self.slow
    }

    fn most_learnt(&self) -> usize {
        let part = if self.joins_most_levels() { 2 } else { 1 };
        let before = if self.reductions > 0 { self.kept.max(FIRST_REDUCTION / 2 / part) } else { 0 };
        before + (FIRST_REDUCTION + MORE_EACH_REDUCTION * self.reductions) / part
    }

    /// Whether the clauses that it learns join most levels there are.
    pub(super) fn joins_most_levels(&self) -> bool {
        self.slow > self.depth * MOST_LEVELS
    }

    fn restart(&mut self) {
        self.last_restart = self.conflicts;
        self.quick = self.slow;
        if self.partner.as_mut().is_some_and(Partner::has_mail) {
            self.read_mail();
        }
        if self.state.clauses.learnt() >= self.most_learnt() {
            self.back_to(0);
            if self.state.propagate().is_err() {
                self.refute();
                return;
            }
            self.state.note_given();
            self.state.clauses.reduce(&self.state.assignment);
            self.reductions += 1;
            self.kept = self.state.clauses.learnt();
        } else {
            let level = self.level_kept();
            self.back_to(level);
        }
    }

    /// Takes over what the partner has learnt.
    fn read_mail(&mut self) {
        self.back_to(0);
        let Some(partner) = &mut self.partner else { return };
        for (mut lits, levels) in partner.take() {
            let assignment = &self.state.assignment;
            if lits.iter().any(|&lit| assignment.is_true(lit)) {
                continue;
            }
            lits.retain(|&lit| !assignment.is_false(lit));
            match lits[..] {
                [] => self.is_refuted = true,
                [lit] => self.state.assign(lit, Reason::None),
                _ => _ = self.state.clauses.add(&lits, levels.max(1), 0),
            }
        }
    }

    /// What this solver learns from now on is told to the other, and the other way round.
    pub(super) fn join(&mut self, partner: Partner) {
        self.partner = Some(partner);
    }

    /// Up to here the same decisions would be made again after a restart (P. van der Tak, A. Ramos, M. Heule, *Reusing the
    /// assignment trail in CDCL solvers*, Journal on Satisfiability, Boolean Modeling and Computation 7 (2011) 133–138,
    /// doi:10.3233/SAT190082).
    fn level_kept(&mut self) -> u32 {
        let base = self.state.base_level();
        let next = loop {
            match self.queue.first() {
                Some(var) if self.state.assignment.value(var) == 0 => break var,
                // It comes back when it is open again.
                Some(_) => _ = self.queue.pop(),
                None => return base,
            }
        };
        let assignment = &self.state.assignment;
        let is_kept = |level: &u32| {
            let decision = assignment.trail()[assignment.start_of_level(*level)];
            self.queue.activity(decision.var()) > self.queue.activity(next)
        };
        let kept = (base + 1..=assignment.current_level()).take_while(is_kept);
        base + kept.count() as u32
    }

    /// Whether anything was left to decide.
    fn decide(&mut self) -> bool {
        if self.state.assignment.current_level() == 0
            && let Some(target) = self.state.target
            && self.state.assignment.is_open(target)
        {
            self.state.assignment.begin_level();
            self.state.assign(target, Reason::None);
            return true;
        }
        while let Some(var) = self.queue.pop() {
            if self.state.assignment.value(var) == 0 {
                self.decisions += 1;
                self.state.assignment.begin_level();
                self.state.assign(Lit::new(var, self.phase[var as usize]), Reason::None);
                return true;
            }
        }
        false
    }

    /// The chosen edges.
    fn cycle(&self) -> Vec<Var> {
        (0..self.state.model.edges() as Var).filter(|&edge| self.state.is_chosen(edge)).collect()
    }

    /// Takes back everything above a level, and keeps the phases.
    fn back_to(&mut self, level: u32) {
        if self.state.assignment.current_level() > level {
            self.parity.back_to(self.state.assignment.start_of_level(level + 1));
        }
        let (phase, queue) = (&mut self.phase, &mut self.queue);
        let decided = self.state.model.vars() as Var;
        self.state.back_to(level, |lit| {
            phase[lit.var() as usize] = lit.is_positive();
            if lit.var() < decided {
                queue.insert(lit.var());
            }
        });
    }

    /// Learns from the violated clause and jumps back; `false` where nothing is left to try for this target.
    fn learn(&mut self) -> bool {
        self.conflicts += 1;
        let violated = self.state.violated.iter();
        let highest = violated.map(|lit| self.state.assignment.level(lit.var())).max().unwrap_or(0);
        if highest <= self.state.base_level() {
            self.back_to(0);
            match self.state.target {
                Some(_) if highest == 1 => self.drop_target(),
                _ => self.refute(),
            }
            return false;
        }
        self.back_to(highest);
        let (level, levels) = self.analysis.analyze(&mut self.state, &mut self.queue);
        self.quick += (f64::from(levels) - self.quick) / 32.0;
        let memory = 4096f64.min(self.conflicts as f64);
        self.slow += (f64::from(levels) - self.slow) / memory;
        self.depth += (f64::from(highest) - self.depth) / memory;
        let joins_most = self.joins_most_levels();
        self.queue.decay(joins_most);
        self.state.clauses.decay();
        let learnt = std::mem::take(&mut self.analysis.learnt);
        let name = self.state.note(&learnt);
        self.back_to(level);
        let reason = match learnt.len() {
            1 => Reason::None,
            _ => self.state.clauses.add(&learnt, levels.max(1), name),
        };
        self.state.assign(learnt[0], reason);
        if let Some(partner) = &mut self.partner {
            partner.offer(&learnt, levels);
        }
        self.analysis.learnt = learnt;
        true
    }
}

/// Edges before vertices, in about the order in which they are given, which often keeps together what belongs together; the
/// ends of a path last.
fn first_activities(model: &Model, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let edges = model.edges();
    (0..model.vars())
        .map(|var| match var < edges {
            true if model.is_end(var as Var) => 0.0,
            true => FIRST_ACTIVITY * (2.0 - var as f64 / edges as f64 + NOISE * random.fraction()),
            false => FIRST_ACTIVITY * NOISE * random.fraction(),
        })
        .collect()
}
