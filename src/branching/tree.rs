//! The tree of cases.
//!
//! A *node* is what is fixed: some columns to 0, some to 1. Its bound comes from the linear program, to which violated cuts
//! are added as long as that helps; all cuts hold for all answers, so all nodes share one program, and one that goes on
//! where the last node left it. The search goes down to the better side of a branching at once and returns to an
//! [open](Open) one when that is settled.

use std::sync::Arc;
use std::time::Instant;

use super::Beside;
use super::cases::{Node, NodeOutcome, PseudoCost};
use super::open::{Open, is_close};
use super::progress::Progress;
use super::{Formulation, Known, Relaxation};
use crate::instance::{Budget, Monitor};
use crate::lp::LinearProgram;
use crate::lp::proof::{Proof, Range};
use crate::solution::Stop;

/// The root is cut again where the gap there has become that much smaller by a better answer: more columns are fixed then, and
/// what was no use before may be. Where the answer is close, so that the rest is spent on proving it, less will do.
const FAR_SMALLER: f64 = 0.7;
const SMALLER: f64 = 0.9;

/// When a search pauses.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pause {
    Never,
    /// At so much work: a unit for every row at every pivot.
    AtWork(u64),
    /// The same, and before the root is split.
    AtRootsEnd(u64),
    AtPivots(u64),
    /// After the node at which so much work is done, so that every run comes forward.
    AfterWork(u64),
    /// After the node at which it is so late.
    AfterTime(Instant),
}

/// A search that can pause and go on.
#[derive(Clone)]
pub(crate) struct Tree<F: Formulation, P> {
    pub(crate) formulation: F,
    pub(crate) relaxation: Relaxation<F, P>,
    pub(crate) known: Known<F::Answer>,
    /// The limits of the present run, and when it pauses.
    pub(crate) budget: Budget,
    pub(crate) pause: Pause,
    /// The bounds of columns in the whole tree.
    pub(crate) ranges: Vec<Range>,
    /// The last proof for the whole tree: a better answer lets it fix more.
    pub(super) root_proof: Proof,
    /// How far cutting the root has come where it ends with a pause, and whether that was the end of it.
    pub(super) root_progress: Option<Progress>,
    /// Rounds of cuts there, pauses or not, since it was begun.
    pub(super) root_rounds: u32,
    pub(crate) is_root_cut: bool,
    /// What the answer is worth near which solutions come first.
    pub(super) leant_to: Option<i64>,
    /// The last solution at the root.
    pub(crate) root_values: Vec<f64>,
    pub(crate) open: Open,
    /// By column, down and up.
    pub(crate) pseudo: Vec<[PseudoCost; 2]>,
    pub(crate) nodes: u64,
    /// What the multipliers of the root and the best answer were worth where cutting it ended, in columns.
    pub(crate) root_end: Option<(f64, f64)>,
    /// What is heard of the thread, if there is one, that works on another part of what is open.
    pub(crate) beside: Option<Arc<Beside>>,
}

impl<F: Formulation, P: LinearProgram> Tree<F, P> {
    pub(crate) fn new(formulation: F, relaxation: Relaxation<F, P>, known: Known<F::Answer>) -> Self {
        let ranges = relaxation.here.clone();
        Tree {
            budget: Budget::unlimited(),
            pause: Pause::Never,
            root_proof: Proof::default(),
            root_progress: None,
            root_rounds: 0,
            is_root_cut: false,
            leant_to: None,
            root_values: Vec::new(),
            open: Open::from_iter([Node { fixed: Vec::new(), bound: known.upper, branched: None }]),
            pseudo: vec![[PseudoCost::default(); 2]; ranges.len()],
            nodes: 0,
            root_end: None,
            beside: None,
            ranges,
            formulation,
            relaxation,
            known,
        }
    }

    pub(crate) fn lower(&self) -> i64 {
        self.known.lower()
    }

    /// The last proof for the whole tree.
    pub(crate) fn root_proof(&self) -> &Proof {
        &self.root_proof
    }

    pub(crate) fn pivots(&self) -> u64 {
        self.relaxation.program.pivots()
    }

    /// Searches until everything is settled, the budget is spent, or it is time for a pause, which ends it as
    /// [`Stop::Exhausted`]. Can be called again, to go on.
    pub(crate) fn run(&mut self, pause: Pause, budget: &Budget, monitor: &mut dyn Monitor) -> Option<Stop> {
        self.budget = budget.clone();
        self.pause = pause;
        self.known.peak_bytes = self.known.peak_bytes.max(self.bytes().min(budget.memory));
        let mut node = None;
        let stop = loop {
            self.open.see(self.lower(), self.known.upper);
            if self.beside.is_none() && self.is_root_worth_cutting_again() {
                self.begin_anew();
                node = None;
            }
            let Some(mut present) = node.take().or_else(|| self.open.pop()) else { break None };
            if present.bound <= self.lower() {
                continue;
            }
            match self.look_into(&mut present, true, monitor) {
                Ok(NodeOutcome::Settled) => {}
                Ok(NodeOutcome::Deferred) => self.open.push(present),
                Ok(NodeOutcome::Split { column, value }) => {
                    node = Some(self.split(present, column, value));
                    if let Err(stop) = F::search_nearby(self, monitor) {
                        self.open.extend(node);
                        break Some(stop);
                    }
                }
                Err(stop) => {
                    self.open.push(present);
                    break Some(stop);
                }
            }
            self.tell_bound(node.as_ref().map(|node| node.bound), monitor);
            self.known.peak_bytes = self.known.peak_bytes.max(self.bytes());
            if self.is_time_between_nodes() {
                self.open.extend(node);
                break Some(Stop::Exhausted);
            }
        };
        self.tell_bound(None, monitor);
        stop
    }

    /// Whether the gap at the root is so much smaller now than where cutting it ended.
    pub(crate) fn is_root_worth_cutting_again(&self) -> bool {
        let lower = self.relaxation.in_columns(self.lower()) as f64;
        let part = if is_close(self.lower(), self.known.upper) { SMALLER } else { FAR_SMALLER };
        let is_smaller = |(bound, before): (f64, f64)| bound - lower < part * (bound - before);
        self.root_end.is_some_and(is_smaller) && self.open.len() > 0
    }

    /// Puts all that is open together again, as the root.
    fn begin_anew(&mut self) {
        self.root_end = None;
        self.root_rounds = 0;
        self.open.clear();
        self.open.push(Node { fixed: Vec::new(), bound: self.known.upper, branched: None });
    }

    /// No answer is worth more than the best one, and the best node still open.
    fn tell_bound(&mut self, present: Option<i64>, monitor: &mut dyn Monitor) {
        let open = self.open.bound().max(present);
        self.known.lower_to(open.unwrap_or(i64::MIN), monitor);
    }

    /// Why the run must end now, if it must.
    pub(crate) fn spent(&self) -> Option<Stop> {
        if self.bytes() > self.budget.memory {
            return Some(Stop::MemoryLimit);
        }
        let is_time = match self.pause {
            Pause::Never | Pause::AfterWork(_) | Pause::AfterTime(_) => false,
            Pause::AtWork(work) | Pause::AtRootsEnd(work) => self.relaxation.work >= work,
            Pause::AtPivots(pivots) => self.pivots() >= pivots,
        };
        self.budget.spent().or((is_time || self.formulation.is_over()).then_some(Stop::Exhausted))
    }

    fn is_time_between_nodes(&self) -> bool {
        match self.pause {
            Pause::AfterWork(work) => self.relaxation.work >= work || self.is_wanted_beside(),
            Pause::AfterTime(time) => Instant::now() >= time,
            Pause::Never | Pause::AtWork(_) | Pause::AtRootsEnd(_) | Pause::AtPivots(_) => false,
        }
    }

    /// Whether it is time to share again what is open.
    fn is_wanted_beside(&self) -> bool {
        self.beside.as_ref().is_some_and(|beside| beside.has_ended() || self.is_root_worth_cutting_again())
    }

    pub(crate) fn bytes(&self) -> usize {
        let depth = self.open.iter().map(|node| node.fixed.len()).max().unwrap_or(0);
        self.relaxation.bytes() + self.open.len() * (64 + 8 * depth)
    }

    /// Splits a node in two: one to go on with, the other stays open.
    pub(crate) fn split(&mut self, node: Node, column: u32, value: f64) -> Node {
        let bound = self.relaxation.fine_bound();
        let child = |range: Range| {
            let part = if range == Range::One { 1.0 - value } else { value };
            let mut fixed = node.fixed.clone();
            fixed.push((column, range));
            Node { fixed, bound: node.bound, branched: Some((column, range, part, bound)) }
        };
        let (first, second) = if value >= 0.5 { (Range::One, Range::Zero) } else { (Range::Zero, Range::One) };
        self.open.push(child(second));
        child(first)
    }

    /// Takes note of what others know.
    pub(super) fn listen(&mut self, monitor: &mut dyn Monitor) {
        let before = self.lower();
        self.formulation.listen(&mut self.known, &self.budget, monitor);
        if let Some(beside) = &self.beside {
            self.known.floor = self.known.floor.max(beside.lower());
        }
        if self.lower() > before {
            self.fix_at_the_root();
        }
    }

    /// Takes an answer if it is the best so far.
    pub(crate) fn offer(&mut self, answer: F::Answer, monitor: &mut dyn Monitor) {
        let value = self.formulation.value(&answer);
        if value > self.lower() {
            self.known.best = Some((answer, value));
            monitor.incumbent(value);
            self.beside.as_deref().inspect(|beside| beside.raise(value));
            self.fix_at_the_root();
        }
    }

    /// Fixes a column in a node; at the root, in the whole tree.
    pub(super) fn fix(&mut self, node: &mut Node, column: u32, range: Range) {
        self.relaxation.fix(column as usize, range);
        if node.fixed.is_empty() {
            self.ranges[column as usize] = range;
        } else {
            node.fixed.push((column, range));
        }
    }

    /// Fixes for the whole tree what only answers worth no more than the best one need otherwise.
    pub(crate) fn fix_at_the_root(&mut self) {
        if !self.formulation.fixes_columns() {
            return;
        }
        let lower = self.relaxation.in_columns(self.lower());
        for column in 0..self.root_proof.gains.len() {
            if self.ranges[column] == Range::Free
                && let Some(range) = self.root_proof.forces(column, lower)
            {
                self.ranges[column] = range;
            }
        }
    }

    /// Adds the rows of cuts, if they fit.
    pub(crate) fn activate_all(&mut self, cuts: Vec<F::Cut>) -> Result<(), Stop> {
        let free = self.budget.memory.saturating_sub(self.bytes());
        self.relaxation.activate_all(&mut self.formulation, cuts, free, &self.budget)
    }

    /// Puts cuts aside, to be looked through for violated ones, if they fit.
    pub(crate) fn remember(&mut self, cuts: Vec<F::Cut>) -> Result<(), Stop> {
        let free = self.budget.memory.saturating_sub(self.bytes());
        self.relaxation.remember(&mut self.formulation, cuts, free, &self.budget)
    }

    pub(crate) fn forget_idle(&mut self) {
        self.relaxation.forget_idle(self.formulation.vertices());
    }
}
