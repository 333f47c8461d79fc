//! A look into a node: solve, cut, guess, until it is settled or must be split.

use hashbrown::HashSet;

use super::cases::{Node, NodeOutcome};
use super::progress::{Progress, Purpose};
use super::separation::LEAST_VIOLATION;
use super::{Formulation, Moment, Pause, Tree};
use crate::instance::Monitor;
use crate::lp::proof::Range;
use crate::lp::{LinearProgram, Verdict};
use crate::solution::Stop;

impl<F: Formulation, P: LinearProgram> Tree<F, P> {
    /// Solves and cuts a node until it is settled or must be split, or turns out to be of those that come last, if it
    /// `may_defer` it.
    pub(crate) fn look_into(
        &mut self,
        node: &mut Node,
        may_defer: bool,
        monitor: &mut dyn Monitor,
    ) -> Result<NodeOutcome, Stop> {
        self.nodes += 1;
        self.lean_to_best();
        if !self.enter(node) {
            self.formulation.note_otherwise_settled();
            return Ok(NodeOutcome::Settled);
        }
        let is_root = node.fixed.is_empty();
        let purpose = match self.pause {
            Pause::AtRootsEnd(_) => Purpose::Sweep,
            _ if self.formulation.is_recording() => Purpose::Record,
            _ => Purpose::Search,
        };
        let is_sliced = is_root && matches!(purpose, Purpose::Sweep);
        let before = if is_sliced { self.root_progress } else { None };
        let mut progress = before.unwrap_or_else(|| Progress::new(is_root, purpose));
        loop {
            if let Some(outcome) = self.bound(node, monitor)? {
                return Ok(outcome);
            }
            self.use_bound(node, is_root);
            let is_whole = self.relaxation.is_whole();
            // A solution in whole numbers may be the better answer itself.
            if may_defer && !is_root && !is_whole && self.open.is_last(node.bound) {
                return Ok(NodeOutcome::Deferred);
            }
            let found = if is_whole { self.take_whole(monitor) } else { self.separate() };
            if self.relaxation.proved() > self.lower() {
                self.guess(&progress, monitor);
            }
            if self.relaxation.proved() <= self.lower() {
                self.formulation.note_otherwise_settled();
                return Ok(NodeOutcome::Settled);
            }
            let bound = self.relaxation.fine_bound();
            let to_lower = bound - self.relaxation.in_columns(self.lower()) as f64;
            progress.note(bound, to_lower.max(1.0).min(self.relaxation.whole_bound().abs().max(1.0)));
            if is_sliced {
                self.root_progress = Some(progress);
            }
            if found.is_empty() || !(progress.goes_on() || is_whole) {
                return self.give_up_cutting(node, monitor);
            }
            self.forget_idle();
            self.activate_all(found)?;
        }
    }

    /// Solves the program of the whole tree as it is, for the proof by which answers fix columns.
    pub(crate) fn prove_root(&mut self, monitor: &mut dyn Monitor) -> Result<(), Stop> {
        let mut root = Node { fixed: Vec::new(), bound: self.known.upper, branched: None };
        self.enter(&root);
        if self.bound(&mut root, monitor)?.is_none() {
            self.use_bound(&mut root, true);
        }
        Ok(())
    }

    /// Of solutions as good as each other those near the best answer come first, as long as others know none that is better.
    fn lean_to_best(&mut self) {
        let Some((answer, value)) = &self.known.best else { return };
        if *value == self.lower() && self.leant_to != Some(*value) {
            self.leant_to = Some(*value);
            if let Some(is_used) = self.formulation.columns(answer) {
                self.relaxation.program.lean_to(&is_used);
            }
        }
    }

    /// Makes the bounds of the columns those of a node; `false` where the whole tree has been fixed otherwise meanwhile, so that
    /// nothing better is inside.
    fn enter(&mut self, node: &Node) -> bool {
        let mut wanted = self.ranges.clone();
        for &(column, range) in &node.fixed {
            let slot = &mut wanted[column as usize];
            if self.ranges[column as usize] != Range::Free && self.ranges[column as usize] != range {
                return false;
            }
            *slot = range;
        }
        self.relaxation.enter(wanted);
        true
    }

    /// Solves the program of a node to its end, unless the node is settled before, or there is no end.
    pub(super) fn bound(&mut self, node: &mut Node, monitor: &mut dyn Monitor) -> Result<Option<NodeOutcome>, Stop> {
        let mut trusted = true;
        loop {
            if let Some(stop) = self.spent() {
                return Err(stop);
            }
            self.listen(monitor);
            let verdict = match self.solve(trusted) {
                Ok(verdict) => verdict,
                Err(stop) => {
                    // Even so the multipliers prove something.
                    self.is_settled_by(Verdict::Stopped, node, monitor);
                    return Err(stop);
                }
            };
            self.formulation.note_solved(&self.relaxation);
            if self.is_settled_by(verdict, node, monitor) {
                return Ok(Some(NodeOutcome::Settled));
            }
            match verdict {
                Verdict::Optimal => return Ok(None),
                // The rounded multipliers don't quite show it: go on to the end.
                Verdict::Cutoff if trusted => trusted = false,
                _ => return Ok(Some(self.split_blindly(node, monitor))),
            }
        }
    }

    /// Solves the program; with a cutoff where that may be trusted.
    pub(crate) fn solve(&mut self, with_cutoff: bool) -> Result<Verdict, Stop> {
        let lower = self.lower();
        let (formulation, budget) = (&self.formulation, &self.budget);
        let mut spent = || budget.spent().or(formulation.is_over().then_some(Stop::Exhausted));
        self.relaxation.solve(lower, with_cutoff, &mut spent)
    }

    /// Whether the multipliers settle a node, which takes note of what they prove.
    pub(super) fn is_settled_by(&mut self, verdict: Verdict, node: &mut Node, monitor: &mut dyn Monitor) -> bool {
        node.bound = node.bound.min(self.relaxation.proved());
        if node.fixed.is_empty() {
            self.known.lower_to(node.bound, monitor);
        }
        let lower = self.lower();
        let settled = node.bound <= lower;
        if settled {
            self.formulation.note_settled(&self.relaxation, lower, verdict);
        }
        if settled
            && verdict != Verdict::Stopped
            && let Some((column, range, part, before)) = node.branched.take()
        {
            let reach = (before - self.relaxation.in_columns(lower) as f64).max(1.0);
            self.learn(column, range, part, (before - self.relaxation.fine_bound()).min(reach));
        }
        settled
    }

    /// Learns from the bound of a node, fixes by reduced costs, and takes the solution.
    fn use_bound(&mut self, node: &mut Node, is_root: bool) {
        if let Some((column, range, part, before)) = node.branched.take() {
            self.learn(column, range, part, before - self.relaxation.fine_bound());
        }
        if self.formulation.fixes_columns() {
            self.fix_by_reduced_costs(node);
        }
        self.relaxation.take_values();
        if is_root {
            self.root_values.clone_from(&self.relaxation.values);
        }
    }

    /// Fixes every free column whose other value would lose more than the gap.
    fn fix_by_reduced_costs(&mut self, node: &mut Node) {
        let lower = self.relaxation.in_columns(self.lower());
        for column in 0..self.relaxation.here.len() {
            if self.relaxation.here[column] == Range::Free
                && let Some(range) = self.relaxation.proof.forces(column, lower)
            {
                self.fix(node, column as u32, range);
            }
        }
        if node.fixed.is_empty() {
            self.root_proof.clone_from(&self.relaxation.proof);
        }
    }

    /// A solution in whole numbers: an answer, which is taken, or what it violates.
    pub(crate) fn take_whole(&mut self, monitor: &mut dyn Monitor) -> Vec<F::Cut> {
        let (cuts, answer) = self.formulation.take_whole(&self.relaxation.values);
        if let Some(answer) = answer {
            self.offer(answer, monitor);
        }
        cuts
    }

    /// Violated cuts, the most violated first; those of the pool needn't be found again.
    pub(crate) fn separate(&mut self) -> Vec<F::Cut> {
        let Some(mut found) = self.relaxation.violated_in_pool(LEAST_VIOLATION, &self.budget) else {
            return Vec::new();
        };
        self.formulation.separate(&self.relaxation.values, &mut found, &self.budget);
        self.formulation.combine(self.relaxation.known_rows(), &self.relaxation.values, &mut found, &self.budget);
        found.sort_by(|one, two| two.0.total_cmp(&one.0));
        let mut seen = HashSet::new();
        let most = self.formulation.vertices() / 2 + 50;
        let fresh = found.into_iter().map(|(_, cut)| cut).filter(|cut| seen.insert(cut.clone()));
        fresh.take(most).collect()
    }

    fn guess(&mut self, progress: &Progress, monitor: &mut dyn Monitor) {
        self.root_rounds += u32::from(progress.is_root);
        let moment = Moment {
            values: &self.relaxation.values,
            is_root: progress.is_root,
            round: if progress.is_root { self.root_rounds } else { progress.rounds + 1 },
            nodes: self.nodes,
            upper: self.known.upper,
            budget: &self.budget,
        };
        for answer in self.formulation.guess(&moment) {
            self.offer(answer, monitor);
        }
    }

    /// Cuts no longer help: the node is split.
    fn give_up_cutting(&mut self, node: &mut Node, monitor: &mut dyn Monitor) -> Result<NodeOutcome, Stop> {
        if self.formulation.is_root_only() {
            return Ok(NodeOutcome::Settled);
        }
        let lower = self.lower();
        for (column, range) in self.formulation.fixed_on_record(&self.relaxation, lower) {
            self.fix(node, column, range);
        }
        self.forget_idle();
        if node.fixed.is_empty() {
            self.root_end = Some((self.relaxation.fine_bound(), self.relaxation.in_columns(lower) as f64));
        }
        if node.fixed.is_empty() && matches!(self.pause, Pause::AtRootsEnd(_)) {
            self.is_root_cut = true;
            return Err(Stop::Exhausted);
        }
        match self.choose(node, monitor)? {
            Some(outcome) => Ok(outcome),
            None => Ok(self.split_blindly(node, monitor)),
        }
    }

    /// Where the program has nothing to say: splits at any column that is free. Without one, the node is a single case.
    pub(super) fn split_blindly(&mut self, node: &mut Node, monitor: &mut dyn Monitor) -> NodeOutcome {
        let free = self.relaxation.here.iter().position(|&range| range == Range::Free);
        if let Some(column) = free {
            return NodeOutcome::Split { column: column as u32, value: 0.5 };
        }
        self.formulation.note_otherwise_settled();
        self.relaxation.take_bounds();
        for answer in self.formulation.only_answer(&self.relaxation.values, &self.budget) {
            self.offer(answer, monitor);
        }
        node.bound = self.lower();
        NodeOutcome::Settled
    }
}
