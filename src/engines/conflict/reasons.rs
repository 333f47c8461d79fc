//! Why a literal is true: the one place where the reasons of all constraints are looked up.

use super::literal::{Lit, Reason};
use super::state::State;

impl State<'_> {
    /// Adds the other literals of a true literal's reason, all of which are false and were so before.
    pub(super) fn explain(&mut self, lit: Lit, why: &mut Vec<Lit>) {
        let begin = why.len();
        let var = lit.var();
        let position = self.assignment.position(var);
        match self.assignment.reason(var) {
            Reason::None => {}
            Reason::Binary(other) => why.push(other),
            Reason::Clause(clause) => why.extend(self.clauses.lits(clause).filter(|&other| other != lit)),
            Reason::Full(slot) => self.explain_full(slot, position, why),
            Reason::Short(slot) => {
                let (skip, need) = (self.model.skip(self.model.vertex_of(slot)), self.model.need());
                if lit != skip {
                    why.push(skip);
                }
                self.explain_short(slot, position, if lit == skip { need - 1 } else { need }, why);
            }
            Reason::Closing(edge) => self.explain_closing(edge, position, why),
            Reason::Closed(edge) => self.explain_closed(edge, position, why),
            Reason::Loss => self.losses.explain(self.losses.loss(!lit), position, &self.assignment, why),
            Reason::Kept(place) => {
                let begin = place as usize + 2;
                let kept = &self.kept[begin..begin + self.kept[begin - 1] as usize];
                why.extend(kept.iter().map(|&code| Lit::from_code(code)));
            }
        }
        debug_assert!(
            why[begin..]
                .iter()
                .all(|&other| { self.assignment.is_false(other) && self.assignment.position(other.var()) < position })
        );
        self.ticks += (why.len() - begin) as u64 / 4 + 1;
    }
}
