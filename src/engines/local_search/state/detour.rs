//! Detours: a segment of the path gives way to a walk off it.

use super::{LONGEST_DETOUR, LONGEST_REPLACED, MOST_SCANNED, State};
use crate::engines::local_search::sequence::{Sequence, Side};

/// Ranks `from..to` give way to the first `steps` vertices of the detour.
struct Replacement {
    from: usize,
    to: usize,
    steps: usize,
    backwards: bool,
    gain: i64,
    growth: i64,
}

impl<S: Sequence> State<'_, S> {
    pub(in crate::engines::local_search) fn propose_detour(&mut self) {
        if self.off.is_empty() {
            return;
        }
        let place = self.below(self.off.len());
        let first = self.off[place];
        let row = self.arcs(Side::Front, first);
        if row.is_empty() {
            return;
        }
        let entry = row[self.below(row.len())];
        if !self.path.contains(entry.target) {
            return;
        }
        let origin = self.path.rank(entry.target);
        self.work += 4;
        self.detours = self.detours.checked_add(1).unwrap_or_else(|| {
            self.in_detour.fill(0);
            1
        });
        self.detour.clear();
        let mut weight = self.instance.graph.weight(entry.edge);
        let mut vertex = first;
        let mut best: Option<Replacement> = None;
        loop {
            self.detour.push(vertex);
            self.in_detour[vertex as usize] = self.detours;
            let row = self.instance.graph.out_arcs(vertex);
            self.work += 2 + row.len().min(MOST_SCANNED) as u64;
            let from = self.below(row.len().max(1));
            let mut onward = None;
            for &arc in row[from..].iter().chain(&row[..from]).take(MOST_SCANNED) {
                if self.path.contains(arc.target) {
                    let weight = weight + self.instance.graph.weight(arc.edge);
                    self.weigh_return(&mut best, origin, arc.target, weight);
                } else if self.in_detour[arc.target as usize] != self.detours {
                    onward = onward.or(Some(arc));
                }
            }
            self.weigh_tail(&mut best, origin, weight);
            let Some(arc) = onward else { break };
            if self.detour.len() == LONGEST_DETOUR || self.below(16) == 0 {
                break;
            }
            weight += self.instance.graph.weight(arc.edge);
            vertex = arc.target;
        }
        if let Some(best) = best
            && self.decide(best.gain)
        {
            self.replace(&best);
        }
    }

    /// Considers the detour from rank `origin` back to a vertex of the path.
    fn weigh_return(&mut self, best: &mut Option<Replacement>, origin: usize, target: u32, weight: i64) {
        let rank = self.path.rank(target);
        let backwards = rank < origin;
        if rank == origin || (backwards && self.instance.graph.is_directed()) {
            return;
        }
        let (from, to) = (origin.min(rank), origin.max(rank));
        if let Some(lost) = self.segment(from, to) {
            let growth = weight - lost;
            if best.as_ref().is_none_or(|best| growth > best.gain) {
                let steps = self.detour.len();
                *best = Some(Replacement { from: from + 1, to, steps, backwards, gain: growth, growth });
            }
        }
    }

    /// Considers the detour from rank `origin` as a new end of the path.
    fn weigh_tail(&mut self, best: &mut Option<Replacement>, origin: usize, weight: i64) {
        let len = self.path.len();
        let &end = self.detour.last().expect("a detour visits a vertex");
        for side in [Side::Back, Side::Front] {
            let directed = self.instance.graph.is_directed();
            let (from, to) = if side == Side::Back { (origin, len - 1) } else { (0, origin) };
            if self.shape.closing
                || !self.shape.may_move(side)
                || (directed && side == Side::Front)
                || to - from > LONGEST_REPLACED
            {
                continue;
            }
            let gone = self.end(side);
            if from < to && self.shape.must_stay(gone) {
                continue;
            }
            let lost = if from == to { Some(0) } else { self.segment(from, to) };
            let Some(lost) = lost else { continue };
            let growth = weight - lost;
            // With a single vertex left both ends are at stake.
            let gain = growth + self.worth_with(side, end) - self.worth_now();
            if best.as_ref().is_none_or(|best| gain > best.gain) {
                let steps = self.detour.len();
                let (from, to) = if side == Side::Back { (origin + 1, len) } else { (0, origin) };
                *best = Some(Replacement { from, to, steps, backwards: side == Side::Front, gain, growth });
            }
        }
    }

    fn replace(&mut self, replacement: &Replacement) {
        let &Replacement { from, to, steps, backwards, growth, .. } = replacement;
        self.detour.truncate(steps);
        if backwards {
            self.detour.reverse();
        }
        for rank in from..to {
            let vertex = self.path.at(rank);
            self.join_off(vertex);
        }
        for step in 0..steps {
            self.leave_off(self.detour[step]);
        }
        self.path.replace(from, to, &self.detour);
        self.changed(self.length + growth);
    }
}
