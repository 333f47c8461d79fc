//! Trails near the best trail.
//!
//! Bounds are close here long before trails are. So now and then all is fixed in which the best trail agrees with a solution
//! of the program, and the few cases left are gone through as a tree of their own, whose bounds mean nothing (E. Danna, E.
//! Rothberg, C. Le Pape, *Exploring relaxation induced neighborhoods to improve MIP solutions*, Mathematical Programming 102
//! (2005) 71–90, doi:10.1007/s10107-004-0518-7). Rows found there hold everywhere.

use super::Tree;
use crate::lp::LinearProgram;
use crate::lp::cases::{Node, NodeOutcome, WHOLE};
use crate::lp::proof::Range;
use crate::solution::Stop;

/// Pivots for a look at the cases near the best trail: at least, as a part of all before, and how many times as many pass
/// before the next.
const LEAST_FINISH: u64 = 1_000;
const FINISH_SHARE: f64 = 0.3;
pub(super) const FINISH_PAUSE: u64 = 2;

impl Tree<'_> {
    /// Looks for a better trail near the best one, as long as that has success.
    pub(super) fn finish_nearby(&mut self) -> Result<(), Stop> {
        let began = self.program.pivots();
        let open = std::mem::take(&mut self.open);
        let mut result = Ok(());
        loop {
            let before = self.lower;
            result = result.and_then(|()| self.finish_once(LEAST_FINISH.max((began as f64 * FINISH_SHARE) as u64)));
            self.open.clear();
            if result.is_err() || self.lower == before {
                break;
            }
        }
        self.open = open;
        let spent = self.program.pivots() - began;
        self.next_finish = self.program.pivots() + spent.max(LEAST_FINISH) * self.pause;
        result
    }

    /// Fixes all in which the best trail agrees with the present solution, and goes through the cases that are left, with so
    /// many pivots.
    fn finish_once(&mut self, pivots: u64) -> Result<(), Stop> {
        let Some(best) = &self.best else { return Ok(()) };
        let core = self.model.core;
        let visited = core.visited(best);
        let mut copies = best.uses.clone();
        let lines = self.model.lines.iter().map(|line| {
            let left = &mut copies[line.bundle as usize];
            let used = *left > 0;
            *left = left.saturating_sub(1);
            used
        });
        let columns = (0..).zip(lines.chain(visited));
        let agrees = |&(column, used): &(usize, bool)| {
            self.ranges[column] == Range::Free && (self.values[column] - f64::from(u8::from(used))).abs() < WHOLE
        };
        let fix = |(column, used): (usize, bool)| (column as u32, if used { Range::One } else { Range::Zero });
        let fixed: Vec<(u32, Range)> = columns.filter(agrees).map(fix).collect();
        if fixed.is_empty() {
            return Ok(());
        }
        let most = self.program.pivots() + pivots;
        let mut node = Some(Node { fixed, bound: self.upper, branched: None });
        while let Some(mut present) = node.take().or_else(|| self.open.pop()) {
            if present.bound <= self.lower {
                continue;
            }
            if self.program.pivots() >= most {
                break;
            }
            if let NodeOutcome::Split { column, value } = self.look_into(&mut present)? {
                node = Some(self.split(present, column, value));
            }
        }
        Ok(())
    }
}
