//! From which hints a clause follows: the reasons of all that its contrary implies, in the order in which it was implied.
//!
//! Nothing of this is done where no [log](super::log) is kept.

use super::literal::{Lit, Reason, Var};
use super::log::{Border, Ground, Hint, Log};
use super::state::{State, Violation};
use crate::proof::derivation::Crossing;

impl State<'_> {
    /// Notes a clause that is violated by what is violated; returns its name, 0 where no log is kept.
    pub(super) fn note(&mut self, clause: &[Lit]) -> u32 {
        let Some(mut log) = self.log.take() else { return 0 };
        self.note_given_in(&mut log);
        let violated = std::mem::take(&mut self.violated);
        let mut hints = self.trace(&violated, clause, &mut log);
        self.hint_at_violation(&mut log, &mut hints);
        self.violated = violated;
        let name = log.add(clause, &hints);
        self.log = Some(log);
        name
    }

    /// Notes that something which is not given follows from a literal that was decided last.
    pub(super) fn note_implied(&mut self, decided: Lit, implied: Lit) -> u32 {
        let Some(mut log) = self.log.take() else { return 0 };
        self.note_given_in(&mut log);
        let clause = [!decided, implied];
        let hints = self.trace(&[!implied], &clause[..1], &mut log);
        // The literal itself is the last that is looked at, so the clause is violated there.
        let name = log.add(&clause, &hints);
        self.log = Some(log);
        name
    }

    /// Notes what is given, as far as the trail goes: clauses of one literal.
    pub(super) fn note_given(&mut self) {
        if let Some(mut log) = self.log.take() {
            self.note_given_in(&mut log);
            self.log = Some(log);
        }
    }

    fn note_given_in(&mut self, log: &mut Log) {
        let end = match self.assignment.current_level() {
            0 => self.assignment.trail().len(),
            _ => self.assignment.start_of_level(1),
        };
        let mut hints = Vec::new();
        for place in log.noted..end {
            let lit = self.assignment.trail()[place];
            if self.assignment.reason(lit.var()) != Reason::None {
                hints.clear();
                self.hint_at(lit, log, &mut hints);
                log.add(&[lit], &hints);
            }
        }
        log.noted = log.noted.max(end);
    }

    /// The hints by which the contrary of a clause makes all of these literals false.
    fn trace(&mut self, from: &[Lit], clause: &[Lit], log: &mut Log) -> Vec<Hint> {
        let mark = |log: &mut Log, var: Var| {
            let is_new = !std::mem::replace(&mut log.marks[var as usize], true);
            if is_new {
                log.marked.push(var);
            }
            is_new
        };
        clause.iter().for_each(|lit| _ = mark(log, lit.var()));
        let mut stack = from.to_vec();
        let mut implied = Vec::new();
        while let Some(lit) = stack.pop() {
            if self.assignment.level(lit.var()) > 0 && mark(log, lit.var()) {
                debug_assert!(self.assignment.reason(lit.var()) != Reason::None, "a decision is in the clause");
                implied.push(!lit);
                self.explain(!lit, &mut stack);
            }
        }
        log.marked.drain(..).for_each(|var| log.marks[var as usize] = false);
        implied.sort_unstable_by_key(|lit| self.assignment.position(lit.var()));
        let mut hints = Vec::new();
        implied.into_iter().for_each(|lit| self.hint_at(lit, log, &mut hints));
        hints
    }

    /// What a literal followed from.
    fn hint_at(&mut self, lit: Lit, log: &mut Log, hints: &mut Vec<Hint>) {
        match self.assignment.reason(lit.var()) {
            Reason::None => {}
            Reason::Binary(other) => self.hint_at_pair(lit, other, hints),
            Reason::Clause(clause) => hints.push(Hint::Clause(self.clauses.name(clause))),
            Reason::Full(slot) | Reason::Short(slot) => hints.push(Hint::Degree(slot)),
            Reason::Closing(edge) => {
                let name = self.note_closing(lit, edge, log);
                hints.push(Hint::Clause(name));
            }
            Reason::Closed(edge) => {
                let outside = self.model.vertex_of_skip(lit.var());
                self.hint_at_cycle(edge, self.assignment.position(lit.var()), outside, log, hints);
            }
            Reason::Loss => hints.push(Hint::Loss(lit)),
            Reason::Kept(place) => self.hint_at_ground(self.kept[place as usize], lit, log, hints),
        }
    }

    fn hint_at_violation(&mut self, log: &mut Log, hints: &mut Vec<Hint>) {
        match self.violation {
            Violation::Clause(name) => hints.push(Hint::Clause(name)),
            Violation::Pair(one, other) => self.hint_at_pair(one, other, hints),
            Violation::Degree(slot) => hints.push(Hint::Degree(slot)),
            Violation::Loss => hints.push(Hint::Overdrawn),
            Violation::Cycle(edge) => {
                let outside = self.outside_of(edge, u32::MAX).expect("another vertex must be visited");
                self.hint_at_cycle(edge, u32::MAX, outside, log, hints);
            }
            Violation::Ground(mark, lit) => self.hint_at_ground(mark, lit, log, hints),
        }
    }

    /// Two literals of which one holds: by a clause, or since edges are of visited vertices only.
    fn hint_at_pair(&self, one: Lit, other: Lit, hints: &mut Vec<Hint>) {
        if let Some(name) = self.clauses.name_of_pair(one, other) {
            hints.push(Hint::Clause(name));
            return;
        }
        let skip = if self.is_skip(one.var()) { one } else { other };
        let vertex = self.model.vertex_of_skip(skip.var());
        hints.extend(self.model.slots_at(vertex).map(Hint::Degree));
    }

    /// The edges of the vertices of a side that have all that they need say the rest.
    fn hint_at_ground(&mut self, mark: u32, lit: Lit, log: &mut Log, hints: &mut Vec<Hint>) {
        let border = match log.grounds.all[mark as usize - 1] {
            Ground::Even(side) => return hints.push(Hint::Even(side)),
            Ground::Border(border) => border,
        };
        let Border { side, crossing, .. } = log.borders.all[border as usize];
        let side = &log.sides.all[side as usize];
        let depots = || self.model.depots.iter().copied();
        for vertex in side.inside.iter().copied().chain(depots().filter(|_| side.has_ends)) {
            let slots = self.model.slots_at(vertex);
            let is_full = |slot: &u32| self.chosen[*slot as usize] >= self.model.need();
            hints.extend(slots.filter(is_full).map(Hint::Degree));
        }
        let vertex = self.model.vertex_of_skip(lit.var());
        if crossing == Crossing::Hang(None) && self.model.place(vertex).is_none() {
            // One depot hangs on the other: as no vertex of the side is visited, none is an end.
            for &vertex in &side.inside {
                hints.push(Hint::Border(border, vertex));
                hints.extend(self.model.slots_at(vertex).map(Hint::Degree));
            }
            hints.extend(depots().flat_map(|depot| self.model.slots_at(depot)).map(Hint::Degree));
        } else {
            hints.push(Hint::Border(border, vertex));
        }
    }

    /// Notes that an edge does not close a cycle while another vertex must be visited, as its reason has it; returns the
    /// name.
    fn note_closing(&mut self, lit: Lit, edge: Var, log: &mut Log) -> u32 {
        let position = self.assignment.position(lit.var());
        let outside = self.outside_of(edge, position).expect("another vertex must be visited");
        let mut clause = vec![lit];
        self.explain_closing(edge, position, &mut clause);
        clause.retain(|&other| other == lit || self.assignment.level(other.var()) > 0);
        let mut hints = Vec::new();
        self.hint_at_cycle(edge, position, outside, log, &mut hints);
        log.add(&clause, &hints)
    }

    /// The degrees on a cycle, and its border, which is crossed on the way to a vertex outside.
    fn hint_at_cycle(&mut self, edge: Var, position: u32, outside: u32, log: &mut Log, hints: &mut Vec<Hint>) {
        let cycle = self.cycle(edge, position);
        for &vertex in &cycle {
            hints.extend(self.model.slots_at(vertex).map(Hint::Degree));
        }
        let inside = cycle[0];
        let side = self.side(cycle, log);
        let border = Border { crossing: Crossing::Leave, side, fixed: inside, is_fixed_outside: false };
        hints.push(Hint::Border(log.borders.number(border), outside));
    }

    /// A set of vertices, depots among them or not, as a side.
    fn side(&self, mut vertices: Vec<u32>, log: &mut Log) -> u32 {
        let all = vertices.len();
        vertices.retain(|vertex| !self.model.depots.contains(vertex));
        vertices.sort_unstable();
        let has_ends = vertices.len() < all;
        log.side(vertices, has_ends)
    }

    /// The mark of a border that is crossed by whatever visits a fixed vertex and one at the other side; 0 where no log is kept.
    pub(super) fn mark_border(
        &mut self,
        crossing: Crossing,
        vertices: &[u32],
        fixed: u32,
        is_fixed_outside: bool,
    ) -> u32 {
        let Some(mut log) = self.log.take() else { return 0 };
        let mut vertices = vertices.to_vec();
        // Where a side hangs on the depots, none of them belongs to it.
        vertices.retain(|vertex| crossing != Crossing::Hang(None) || !self.model.depots.contains(vertex));
        let side = self.side(vertices, &mut log);
        let border = log.borders.number(Border { crossing, side, fixed, is_fixed_outside });
        let mark = log.grounds.number(Ground::Border(border)) + 1;
        self.log = Some(log);
        mark
    }

    /// What is crossed at the border of a side that this vertex alone joins to one outside.
    pub(super) fn crossing_at(&self, holder: u32, outside: u32) -> Crossing {
        match self.model.depots[..] {
            // Where the two depots are these two, no path finishes in the side, or none starts there.
            [first, last] if (holder, outside) == (first, last) => Crossing::Leave,
            [first, last] if (holder, outside) == (last, first) => Crossing::Enter,
            _ => Crossing::Hang(self.model.place(holder)),
        }
    }

    /// The mark of a border that is crossed an even number of times; 0 where no log is kept.
    pub(super) fn mark_even(&mut self, vertices: &[u32]) -> u32 {
        let Some(mut log) = self.log.take() else { return 0 };
        let side = self.side(vertices.to_vec(), &mut log);
        let mark = log.grounds.number(Ground::Even(side)) + 1;
        self.log = Some(log);
        mark
    }
}
