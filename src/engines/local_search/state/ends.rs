//! The moves at an end of the path.

use super::{MOST_SCANNED, NOBODY, State};
use crate::engines::local_search::sequence::{Sequence, Side};
use crate::view::Arc;

/// How many vertices beyond a chord are given up at most to close a cycle.
const LONGEST_TRIM: usize = 24;

impl<S: Sequence> State<'_, S> {
    pub(super) fn propose_at_end(&mut self, side: Side) {
        let end = self.end(side);
        let shunned = std::mem::replace(&mut self.shunned[side as usize], NOBODY);
        let row = self.arcs(side, end);
        if row.is_empty() {
            return self.propose_retraction(side, end);
        }
        if let Some(arc) = self.way_off(row, shunned)
            && self.below(8) != 0
        {
            return self.propose_extension(side, arc);
        }
        let choice = self.below(row.len() + usize::from(self.instance.graph.is_directed()));
        let Some(&arc) = row.get(choice) else {
            return self.propose_retraction(side, end);
        };
        if arc.target == shunned {
            return;
        }
        if !self.path.contains(arc.target) {
            return self.propose_extension(side, arc);
        }
        let rank = self.path.rank(arc.target);
        let (inside, beyond) = match side {
            Side::Back => (self.path.len() - 1 - rank, rank),
            Side::Front => (rank, self.path.len() - 1 - rank),
        };
        if inside == 1 {
            if !self.instance.graph.is_directed() {
                self.propose_retraction(side, end);
            }
        } else if beyond <= LONGEST_TRIM && self.shape.may_move(side.other()) && self.below(2) == 0 {
            self.propose_reopening(side, arc, beyond);
        } else if self.instance.graph.is_directed() {
            self.propose_exchange(side, arc);
        } else {
            self.propose_rotation(side, arc);
        }
    }

    /// A random arc of the row that leads off the path, if there is one.
    fn way_off(&mut self, row: &[Arc], shunned: u32) -> Option<Arc> {
        if self.off.is_empty() {
            return None;
        }
        let from = self.below(row.len());
        let scanned = row.len().min(MOST_SCANNED);
        self.work += scanned as u64 / 4;
        let onward = row[from..].iter().chain(&row[..from]).take(scanned);
        onward.copied().find(|arc| arc.target != shunned && !self.path.contains(arc.target))
    }

    fn propose_extension(&mut self, side: Side, arc: Arc) {
        let weight = self.instance.graph.weight(arc.edge);
        let gain = weight + self.worth_with(side, arc.target) - self.worth_now();
        if self.decide(gain) {
            self.push(side, arc.target);
            self.changed(self.length + weight);
        }
    }

    fn propose_retraction(&mut self, side: Side, end: u32) {
        if self.path.len() < 2 || self.shape.must_stay(end) {
            return;
        }
        let next = match side {
            Side::Front => self.path.at(1),
            Side::Back => self.path.at(self.path.len() - 2),
        };
        let weight = self.link_towards(side, next, end);
        let worth = if self.path.len() == 2 { self.priced_worth(next, next) } else { self.worth_with(side, next) };
        if self.decide(worth - self.worth_now() - weight) {
            self.pop(side);
            self.shunned[side as usize] = end;
            self.changed(self.length - weight);
        }
    }

    fn propose_rotation(&mut self, side: Side, arc: Arc) {
        let pivot = arc.target;
        let rank = self.path.rank(pivot);
        let len = self.path.len();
        let end = self.path.at(if side == Side::Back { rank + 1 } else { rank - 1 });
        if self.shape.is_bridge(pivot, end) {
            return;
        }
        let growth = self.instance.graph.weight(arc.edge) - self.link_towards(side, pivot, end);
        let gain = growth + self.worth_with(side, end) - self.worth_now();
        if self.decide(gain) {
            match side {
                Side::Back => self.reverse(rank + 1, len),
                Side::Front => self.reverse(0, rank),
            }
            self.shunned[side as usize] = pivot;
            self.changed(self.length + growth);
        }
    }

    /// Adds the chord `arc` from the end on `side`, drops the `beyond` vertices on its other side, and opens the cycle
    /// that is left.
    fn propose_reopening(&mut self, side: Side, arc: Arc, beyond: usize) {
        let len = self.path.len();
        let (from, to) = if side == Side::Back { (beyond, len) } else { (0, len - beyond) };
        let trimmed = if beyond == 0 {
            Some(0)
        } else {
            let (gone_from, gone_to) = if side == Side::Back { (0, beyond) } else { (to - 1, len - 1) };
            let stays = self.end(side.other());
            if self.shape.must_stay(stays) { None } else { self.segment(gone_from, gone_to) }
        };
        let Some(trimmed) = trimmed else { return };
        if to - from < 3 {
            return;
        }
        // Where to open: after the vertex of this rank.
        let opening = match self.gate() {
            Some(gate) if (from..to).contains(&gate) => gate,
            _ => from + self.below(to - from),
        };
        let weight = self.instance.graph.weight(arc.edge);
        let growth = if opening == to - 1 {
            -trimmed
        } else {
            let (a, b) = (self.path.at(opening), self.path.at(opening + 1));
            if self.shape.is_bridge(a, b) {
                return;
            }
            weight - trimmed - self.link(a, b)
        };
        let (front, back) = if opening == to - 1 {
            (self.path.at(from), self.path.at(to - 1))
        } else {
            (self.path.at(opening + 1), self.path.at(opening))
        };
        let gain = growth + self.priced_worth(front, back) - self.worth_now();
        if self.decide(gain) {
            for _ in 0..beyond {
                self.pop(side.other());
            }
            if opening != to - 1 {
                self.shared_bounds(0, opening + 1 - from, to - from);
            }
            self.changed(self.length + growth);
        }
    }

    /// The rank of a vertex next to one off the path, if a random look finds one.
    pub(super) fn gate(&mut self) -> Option<usize> {
        if self.off.is_empty() {
            return None;
        }
        let place = self.below(self.off.len());
        let row = self.arcs(Side::Front, self.off[place]);
        if row.is_empty() {
            return None;
        }
        let gate = row[self.below(row.len())].target;
        self.path.contains(gate).then(|| self.path.rank(gate))
    }

    fn propose_exchange(&mut self, side: Side, arc: Arc) {
        let len = self.path.len();
        let pivot = self.path.rank(arc.target);
        // The vertex left behind by the cut at the pivot, and a vertex within the cycle that it is adjacent to.
        let cut = match side {
            Side::Back if pivot > 0 => pivot - 1,
            Side::Front if pivot + 1 < len => pivot + 1,
            _ => return,
        };
        let (left, v) = (self.path.at(cut), arc.target);
        if self.shape.is_bridge(left, v) {
            return;
        }
        let row = self.arcs(side, left);
        if row.is_empty() {
            return;
        }
        let from = self.below(row.len());
        let scanned = row.len().min(MOST_SCANNED);
        self.work += scanned as u64;
        let mut found = None;
        for &bond in row[from..].iter().chain(&row[..from]).take(scanned) {
            if bond.target == v || !self.path.contains(bond.target) {
                continue;
            }
            let joint = self.path.rank(bond.target);
            let within = if side == Side::Back { joint > pivot } else { joint < pivot };
            if within {
                found = Some((bond, joint));
                break;
            }
        }
        let Some((bond, joint)) = found else { return };
        // The cycle is opened between `bond.target` and the vertex before it, seen from the end.
        let inner = if side == Side::Back { joint - 1 } else { joint + 1 };
        let end = self.path.at(inner);
        if self.shape.is_bridge(end, bond.target) {
            return;
        }
        let weight = |arc: Arc| self.instance.graph.weight(arc.edge);
        let lost = self.link_towards(side, left, v) + self.link_towards(side, end, bond.target);
        let growth = weight(arc) + weight(bond) - lost;
        let gain = growth + self.worth_with(side, end) - self.worth_now();
        if self.decide(gain) {
            match side {
                Side::Back => self.shared_bounds(pivot, joint, len),
                Side::Front => self.shared_bounds(0, inner, pivot + 1),
            }
            self.changed(self.length + growth);
        }
    }
}
