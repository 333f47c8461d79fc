//! Which column to branch on.

use super::{SOLVING, Tree};
use crate::instance::Monitor;
use crate::lp::cases::{Node, NodeOutcome, Trial, candidates, score};
use crate::lp::proof::{Range, SCALE};
use crate::lp::{LinearProgram, Verdict};
use crate::solution::Stop;

/// Columns tried before branching, and pivots on either side.
const TRIED: usize = 8;
const TRIAL_PIVOTS: usize = 40;
/// Branchings on either side after which a column's pseudo-cost is believed.
const RELIABLE: u32 = 1;

impl<P: LinearProgram> Tree<'_, P> {
    pub(super) fn learn(&mut self, column: u32, range: Range, part: f64, fall: f64) {
        self.pseudo[column as usize][usize::from(range == Range::One)].learn(part, fall);
    }

    /// The column to branch on. `None` if all are whole.
    pub(super) fn choose(&mut self, node: &mut Node, monitor: &mut dyn Monitor) -> Result<Option<NodeOutcome>, Stop> {
        loop {
            let mut candidates = candidates(&self.pseudo, &self.values, &self.here);
            candidates.truncate(TRIED);
            let Some(&(_, first)) = candidates.first() else { return Ok(None) };
            let mut best = (f64::NEG_INFINITY, first);
            let mut fixed_one = false;
            for &(score, column) in &candidates {
                let known = self.pseudo[column as usize].iter().all(|cost| cost.count >= RELIABLE);
                let score = if known {
                    score
                } else {
                    if let Some(stop) = self.budget.spent() {
                        return Err(stop);
                    }
                    match self.try_both(column) {
                        Trial::Score(score) => score,
                        // What a trial shows is shown again where it is written down.
                        _ if self.notes.is_some() => f64::INFINITY,
                        Trial::Fixed(range) => {
                            self.fix(column as usize, range);
                            if node.fixed.is_empty() {
                                self.ranges[column as usize] = range;
                            } else {
                                node.fixed.push((column, range));
                            }
                            fixed_one = true;
                            break;
                        }
                        Trial::Settled => return Ok(Some(NodeOutcome::Settled)),
                    }
                };
                if score > best.0 {
                    best = (score, column);
                }
            }
            if !fixed_one {
                return Ok(Some(NodeOutcome::Split { column: best.1, value: self.values[best.1 as usize] }));
            }
            let verdict = self.solve(true)?;
            if self.is_settled_by(verdict, node, monitor) {
                return Ok(Some(NodeOutcome::Settled));
            }
            if verdict != Verdict::Optimal {
                return Ok(Some(self.split_blindly(node, monitor)));
            }
            self.values.clear();
            self.values.extend_from_slice(self.program.values());
            if self.is_whole() {
                // What it says is taken or cut off there.
                let again = self.take_whole(monitor);
                if again.is_empty() && self.proof.floor() <= self.lower() {
                    return Ok(Some(NodeOutcome::Settled));
                }
                self.activate_all(again)?;
                return Ok(Some(self.split_blindly(node, monitor)));
            }
        }
    }

    /// A few pivots on either side of a column.
    fn try_both(&mut self, column: u32) -> Trial {
        let before = self.proof.bound as f64 / SCALE as f64;
        let value = self.values[column as usize];
        let mut falls = [0.0; 2];
        let mut dead = [false; 2];
        for (side, range) in [(0, Range::Zero), (1, Range::One)] {
            let (lower, upper) = range.bounds();
            self.program.begin_trial();
            self.program.set_bounds(column as usize, lower, upper);
            let pivots = self.program.pivots();
            let budget = &self.budget;
            let verdict = self.program.solve_until(TRIAL_PIVOTS, f64::INFINITY, &mut || budget.spent().is_some());
            self.work += (self.program.pivots() - pivots + SOLVING) * self.rows.len() as u64;
            let kept = std::mem::replace(&mut self.here[column as usize], range);
            let proof = std::mem::take(&mut self.proof);
            self.prove(verdict);
            let found = std::mem::replace(&mut self.proof, proof);
            self.here[column as usize] = kept;
            self.program.end_trial();
            dead[side] = found.floor() <= self.lower();
            falls[side] = (before - found.bound as f64 / SCALE as f64).max(0.0).min(before - self.lower() as f64 + 1.0);
            let part = if side == 1 { 1.0 - value } else { value };
            self.learn(column, range, part, falls[side]);
        }
        match dead {
            [true, true] => Trial::Settled,
            [true, false] => Trial::Fixed(Range::One),
            [false, true] => Trial::Fixed(Range::Zero),
            [false, false] => Trial::Score(score(falls[0], falls[1])),
        }
    }
}
