//! Which column to branch on.
//!
//! One that is no whole number and moves the bound most on both sides, as far as that is known well enough from earlier branchings
//! (pseudo-costs: M. Bénichou et al., *Experiments in mixed-integer linear programming*, Mathematical Programming 1 (1971)
//! 76–94, doi:10.1007/BF01584074), or from a few pivots on either side where it is not (T. Achterberg, T. Koch, A. Martin,
//! *Branching rules revisited*, Operations Research Letters 33 (2005) 42–54, doi:10.1016/j.orl.2004.04.002).

use hashbrown::HashSet;

use super::cases::{Node, NodeOutcome, Trial, candidates, score};
use super::{Formulation, Tree};
use crate::instance::Monitor;
use crate::lp::LinearProgram;
use crate::lp::proof::Range;
use crate::solution::Stop;

/// Columns tried before branching, and pivots on either side.
const TRIED: usize = 8;
/// Fewer where every step is written down: the target is known, so a side that turns out to be empty is soon left.
const TRIED_ON_RECORD: usize = 4;
const TRIAL_PIVOTS: usize = 40;
/// What rounding a column costs is relied upon once it has been seen so often on that side.
const RELIABLE: u32 = 4;

impl<F: Formulation, P: LinearProgram> Tree<F, P> {
    pub(super) fn learn(&mut self, column: u32, range: Range, part: f64, fall: f64) {
        self.pseudo[column as usize][usize::from(range == Range::One)].learn(part, fall);
    }

    /// The column to branch on. `None` if all are whole.
    pub(super) fn choose(&mut self, node: &mut Node, monitor: &mut dyn Monitor) -> Result<Option<NodeOutcome>, Stop> {
        loop {
            match self.best_candidate(node)? {
                Choice::Nothing => return Ok(None),
                Choice::Settled => return Ok(Some(NodeOutcome::Settled)),
                Choice::Column(column) => {
                    let value = self.relaxation.values[column as usize];
                    return Ok(Some(NodeOutcome::Split { column, value }));
                }
                Choice::FixedOne => {}
            }
            if let Some(outcome) = self.bound(node, monitor)? {
                return Ok(Some(outcome));
            }
            self.relaxation.take_values();
            if self.relaxation.is_whole() {
                // What it says is taken or cut off there.
                let again = self.take_whole(monitor);
                if again.is_empty() && self.relaxation.proved() <= self.lower() {
                    return Ok(Some(NodeOutcome::Settled));
                }
                self.activate_all(again)?;
                return Ok(Some(self.split_blindly(node, monitor)));
            }
        }
    }

    /// Tries the most promising columns, one of those that are kin, until one side of one is empty.
    fn best_candidate(&mut self, node: &mut Node) -> Result<Choice, Stop> {
        let candidates = candidates(&self.pseudo, &self.relaxation.values, &self.relaxation.here);
        let kin = self.formulation.kin(&self.relaxation.here);
        let mut seen = HashSet::new();
        let is_new = |&&(_, column): &&(f64, u32)| kin.get(column as usize).is_none_or(|&name| seen.insert(name));
        let most = if self.formulation.is_recording() { TRIED_ON_RECORD } else { TRIED };
        let mut best: Option<(f64, u32)> = None;
        for &(score, column) in candidates.iter().filter(is_new).take(most) {
            let is_known = self.pseudo[column as usize].iter().all(|cost| cost.count >= RELIABLE);
            let score = if is_known {
                score
            } else {
                self.budget.spent().map_or(Ok(()), Err)?;
                match self.try_both(column) {
                    Trial::Score(score) => score,
                    // What a trial shows is shown again where it is written down.
                    _ if self.formulation.is_recording() => f64::INFINITY,
                    Trial::Fixed(range) => {
                        self.fix(node, column, range);
                        return Ok(Choice::FixedOne);
                    }
                    Trial::Settled => return Ok(Choice::Settled),
                }
            };
            if best.is_none_or(|best| score > best.0) {
                best = Some((score, column));
            }
            if score == f64::INFINITY {
                // One side is empty.
                break;
            }
        }
        Ok(best.map_or(Choice::Nothing, |(_, column)| Choice::Column(column)))
    }

    /// A few pivots on either side of a column.
    fn try_both(&mut self, column: u32) -> Trial {
        let before = self.relaxation.fine_bound();
        let value = self.relaxation.values[column as usize];
        let lower = self.lower();
        let reach = (before - self.relaxation.in_columns(lower) as f64 + 1.0).max(1.0);
        let mut falls = [0.0; 2];
        let mut dead = [false; 2];
        for (side, range) in [(0, Range::Zero), (1, Range::One)] {
            let budget = &self.budget;
            let mut is_over = || budget.spent().is_some();
            let (found, bound) = self.relaxation.try_out(column as usize, range, TRIAL_PIVOTS, &mut is_over);
            dead[side] = found <= lower;
            falls[side] = (before - bound).max(0.0).min(reach);
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

/// What became of the candidates.
enum Choice {
    /// There are none.
    Nothing,
    Settled,
    Column(u32),
    /// One column was fixed, so the program is another.
    FixedOne,
}
