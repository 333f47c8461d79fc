//! All constraints draw their conclusions, the cheap ones first, until nothing follows any more; and the way back.

use super::literal::{Lit, Reason};
use super::state::{Conflict, State, Violation};

impl State<'_> {
    /// Lets all constraints draw their conclusions.
    pub(super) fn propagate(&mut self) -> Result<(), Conflict> {
        loop {
            while self.head < self.assignment.trail().len() {
                let lit = self.assignment.trail()[self.head];
                self.head += 1;
                self.ticks += 1;
                self.count(lit);
                let clauses = self.clauses.propagate(lit, &mut self.assignment);
                clauses.map_err(|reason| self.violate(reason, lit))?;
                if self.is_edge(lit.var()) {
                    self.check_degrees(lit)?;
                } else if self.is_skip(lit.var()) {
                    self.check_skip(lit)?;
                }
                self.check_losses()?;
            }
            let Some(&lit) = self.assignment.trail().get(self.path_head) else { return Ok(()) };
            self.path_head += 1;
            if self.is_edge(lit.var()) {
                let model = self.model;
                for &edge in model.chosen_by(lit) {
                    self.join(edge)?;
                }
            }
        }
    }

    fn violate(&mut self, reason: Reason, lit: Lit) -> Conflict {
        self.violated.clear();
        match reason {
            Reason::Binary(other) => {
                self.violated.extend([other, !lit]);
                self.violation = Violation::Pair(other, !lit);
            }
            Reason::Clause(clause) => {
                self.violation = Violation::Clause(self.clauses.name(clause));
                self.violated.extend(self.clauses.lits(clause));
                self.use_clause(clause);
            }
            _ => unreachable!("clauses are violated, constraints speak for themselves"),
        }
        Conflict
    }

    /// A clause was of use in a conflict.
    pub(super) fn use_clause(&mut self, clause: u32) {
        let (levels, assignment) = (&mut self.levels, &self.assignment);
        self.clauses.used(clause, |clauses| levels.count(clauses.lits(clause), assignment));
    }

    /// After something was lost.
    pub(super) fn check_losses(&mut self) -> Result<(), Conflict> {
        if self.losses.is_violated() {
            self.violated.clear();
            self.violation = Violation::Loss;
            self.losses.explain(0, u32::MAX, &self.assignment, &mut self.violated);
            return Err(Conflict);
        }
        while let Some(lit) = self.losses.next_too_much(&self.assignment) {
            self.assign(!lit, Reason::Loss);
        }
        Ok(())
    }

    /// Keeps the books about a literal that became true.
    fn count(&mut self, lit: Lit) {
        let var = lit.var();
        if self.is_edge(var) {
            for &slot in self.model.slots_chosen_by(lit).as_flattened() {
                self.chosen[slot as usize] += 1;
            }
            for &slot in self.model.slots_chosen_by(!lit).as_flattened() {
                self.left[slot as usize] -= 1;
            }
        } else if self.is_skip(var) && !lit.is_positive() {
            self.visited += 1;
        }
        self.losses.count(lit);
    }

    fn uncount(&mut self, lit: Lit) {
        let var = lit.var();
        if self.is_edge(var) {
            for &slot in self.model.slots_chosen_by(lit).as_flattened() {
                self.chosen[slot as usize] -= 1;
            }
            for &slot in self.model.slots_chosen_by(!lit).as_flattened() {
                self.left[slot as usize] += 1;
            }
        } else if self.is_skip(var) && !lit.is_positive() {
            self.visited -= 1;
        }
        self.losses.uncount(lit);
    }

    /// Takes back everything above a level, telling of every literal.
    pub(super) fn back_to(&mut self, level: u32, mut tell: impl FnMut(Lit)) {
        if self.assignment.current_level() <= level {
            return;
        }
        let keep = self.assignment.start_of_level(level + 1);
        while self.assignment.trail().len() > keep {
            let place = self.assignment.trail().len() - 1;
            let Some((lit, reason)) = self.assignment.pop() else { break };
            if place < self.head {
                self.uncount(lit);
            }
            if let Reason::Kept(place) = reason {
                self.kept.truncate(place as usize);
            }
            tell(lit);
        }
        self.assignment.truncate_levels(level);
        while let Some(edge) = self.fragments.last_after(keep) {
            self.fragments.part(self.model.ends[edge as usize]);
        }
        self.head = self.head.min(keep);
        self.path_head = self.path_head.min(keep);
    }
}
