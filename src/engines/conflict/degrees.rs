//! Degrees: a vertex that is not skipped has two edges, or one in and one out; a skipped one has none.
//!
//! Counters say when there is something to conclude, and only then the edges of a slot are looked at.

use super::literal::{Lit, Reason};
use super::state::{Conflict, State, Violation};

impl State<'_> {
    /// After edges were chosen or ruled out.
    pub(super) fn check_degrees(&mut self, lit: Lit) -> Result<(), Conflict> {
        let model = self.model;
        for &slot in model.slots_chosen_by(lit).as_flattened() {
            self.check_chosen(slot, lit)?;
        }
        for &slot in model.slots_chosen_by(!lit).as_flattened() {
            self.check_left(slot)?;
        }
        Ok(())
    }

    fn check_chosen(&mut self, slot: u32, lit: Lit) -> Result<(), Conflict> {
        let skip = self.model.skip(self.model.vertex_of(slot));
        if self.assignment.is_open(skip) {
            self.assign(!skip, Reason::Binary(!lit));
        } else if self.assignment.is_true(skip) {
            self.violated.clear();
            self.violated.extend([!skip, !lit]);
            self.violation = Violation::Degree(slot);
            return Err(Conflict);
        }
        let (chosen, need) = (self.chosen[slot as usize], self.model.need());
        if chosen < need {
            return Ok(());
        }
        let model = self.model;
        if chosen > need {
            self.violated.clear();
            let chosen = model.row(slot).iter().map(|link| model.lit(link.edge));
            let chosen = chosen.filter(|&lit| self.assignment.is_true(lit));
            self.violated.extend(chosen.map(|lit| !lit).take(need as usize + 1));
            self.violation = Violation::Degree(slot);
            return Err(Conflict);
        }
        self.ticks += model.row(slot).len() as u64 / 8;
        for link in model.row(slot) {
            let edge = model.lit(link.edge);
            if self.assignment.is_open(edge) {
                self.assign(!edge, Reason::Full(slot));
            }
        }
        Ok(())
    }

    /// After an edge of the slot was ruled out, or its vertex must be visited.
    pub(super) fn check_left(&mut self, slot: u32) -> Result<(), Conflict> {
        let (left, need) = (self.left[slot as usize], self.model.need());
        if left > need || self.model.is_lenient[slot as usize] {
            return Ok(());
        }
        let model = self.model;
        let skip = model.skip(model.vertex_of(slot));
        if left < need {
            if self.assignment.is_open(skip) {
                self.assign(skip, Reason::Short(slot));
            } else if self.assignment.is_false(skip) {
                self.violated.clear();
                self.violated.push(skip);
                let mut violated = std::mem::take(&mut self.violated);
                self.explain_short(slot, u32::MAX, need - 1, &mut violated);
                self.violated = violated;
                self.violation = Violation::Degree(slot);
                return Err(Conflict);
            }
        } else if self.assignment.is_false(skip) && self.chosen[slot as usize] < need {
            self.ticks += model.row(slot).len() as u64 / 8;
            for link in model.row(slot) {
                let edge = model.lit(link.edge);
                if self.assignment.is_open(edge) {
                    self.assign(edge, Reason::Short(slot));
                }
            }
        }
        Ok(())
    }

    /// After it became clear whether a vertex is skipped.
    pub(super) fn check_skip(&mut self, lit: Lit) -> Result<(), Conflict> {
        let vertex = self.model.vertex_of_skip(lit.var());
        for slot in self.model.slots_at(vertex) {
            if !lit.is_positive() {
                self.check_left(slot)?;
                continue;
            }
            for link in self.model.row(slot) {
                let edge = self.model.lit(link.edge);
                if self.assignment.is_open(edge) {
                    self.assign(!edge, Reason::Binary(!lit));
                } else if self.assignment.is_true(edge) {
                    self.violated.clear();
                    self.violated.extend([!lit, !edge]);
                    self.violation = Violation::Degree(slot);
                    return Err(Conflict);
                }
            }
        }
        Ok(())
    }

    /// The chosen edges of a slot before this position, negated.
    pub(super) fn explain_full(&self, slot: u32, position: u32, why: &mut Vec<Lit>) {
        let chosen = self.model.row(slot).iter().map(|link| self.model.lit(link.edge));
        let before =
            chosen.filter(|&lit| self.assignment.is_true(lit) && self.assignment.position(lit.var()) < position);
        why.extend(before.map(|lit| !lit).take(self.model.need() as usize));
    }

    /// The edges of a slot ruled out before this position: all but so many, those of low levels first.
    pub(super) fn explain_short(&self, slot: u32, position: u32, but: u32, why: &mut Vec<Lit>) {
        let row = self.model.row(slot);
        let wanted = row.len().saturating_sub(but as usize);
        let edges = row.iter().map(|link| self.model.lit(link.edge));
        let begin = why.len();
        why.extend(
            edges.filter(|&lit| self.assignment.is_false(lit) && self.assignment.position(lit.var()) < position),
        );
        if why.len() - begin > wanted {
            why[begin..].sort_unstable_by_key(|lit| self.assignment.position(lit.var()));
            why.truncate(begin + wanted);
        }
    }
}
