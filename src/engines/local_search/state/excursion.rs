//! Excursions: open a closed path, wander, and close it again at an acceptable price, or else take everything back.

use super::{Change, State};
use crate::engines::local_search::sequence::{Sequence, Side};

impl<S: Sequence> State<'_, S> {
    /// Opens a closed path at a random link and moves its ends, for at most `depth` proposals at temperature `inner`, until
    /// they can be linked again at a price that the present temperature accepts. If they can't, nothing has changed.
    pub(in crate::engines::local_search) fn excursion(&mut self, depth: usize, inner: f64) {
        let outer = self.temperature;
        self.save();
        let Some(base) = self.closed else { return };
        self.journal.clear();
        let before = self.length;
        let len = self.path.len();
        let opening = match self.gate() {
            Some(gate) if self.below(4) != 0 => gate,
            _ => self.below(len),
        };
        self.journaling = true;
        if opening + 1 < len {
            let (a, b) = (self.path.at(opening), self.path.at(opening + 1));
            if self.shape.is_bridge(a, b) {
                self.journaling = false;
                return;
            }
            let (front, back) = (self.end(Side::Front), self.end(Side::Back));
            let growth = self.shape.closing_weight(self.instance, front, back, len).unwrap_or(0) - self.link(a, b);
            self.shared_bounds(0, opening + 1, len);
            self.changed(self.length + growth);
        }
        let mut seen = self.journal.len();
        for _ in 0..depth {
            self.work += 4;
            self.temperature = inner;
            let side = if self.below(2) == 0 { Side::Front } else { Side::Back };
            self.propose_at_end(side);
            if self.journal.len() != seen {
                seen = self.journal.len();
                self.temperature = outer;
                if let Some(value) = self.closed
                    && self.accepts(value - base)
                {
                    self.journaling = false;
                    return;
                }
            }
        }
        self.take_back();
        self.changed(before);
    }

    fn take_back(&mut self) {
        self.journaling = false;
        while let Some(change) = self.journal.pop() {
            match change {
                Change::Pushed(side) => self.pop(side),
                Change::Popped(side, vertex) => self.push(side, vertex),
                Change::Reversed { from, to } => self.path.reverse(from, to),
                Change::Exchanged { from, middle, to } => self.path.shared_bounds(from, from + to - middle, to),
            }
        }
    }
}
