//! A dive for a path: what the fractional solution uses most is fixed, one edge after the other, until a path is all
//! that is left.
//!
//! The tree's own dives prove as they go, so they choose what moves the bound most and try either side first; a path comes
//! late. Here nothing is proved: the edge of the greatest fractional value is taken, with all that are nearly taken anyway,
//! and where that leaves nothing better than the best path, it is left out instead, a few times over. Cuts found on the
//! way hold for all paths and stay.

use super::{Tree, WHOLE};
use crate::instance::Monitor;
use crate::lp::proof::Range;
use crate::lp::{LinearProgram, Verdict};
use crate::solution::Stop;

/// From this value on an edge is as good as taken.
const TAKEN: f64 = 0.9;
/// Rounds of cuts between two steps.
const ROUNDS: u32 = 2;
/// Steps taken back.
const REGRETS: u32 = 8;

impl<P: LinearProgram> Tree<'_, P> {
    /// From the program as it is; the bounds of columns are not put back.
    pub(super) fn dive(&mut self, monitor: &mut dyn Monitor) -> Result<(), Stop> {
        let before = self.work;
        let result = self.go_down(monitor);
        self.dived += self.work - before;
        result
    }

    fn go_down(&mut self, monitor: &mut dyn Monitor) -> Result<(), Stop> {
        let (mut regrets, mut rounds) = (0, 0);
        let mut last = None;
        loop {
            // A pause may wait: a dive can't be taken up again.
            if let Some(stop) = self.spent().filter(|&stop| stop != Stop::Exhausted) {
                return Err(stop);
            }
            let verdict = self.solve(true)?;
            if verdict != Verdict::Optimal || self.proof.floor() <= self.lower() {
                let Some(column) = last.take().filter(|_| regrets < REGRETS) else { return Ok(()) };
                regrets += 1;
                self.fix(column, Range::Zero);
                continue;
            }
            self.values.clear();
            self.values.extend_from_slice(self.program.values());
            let is_whole = self.is_whole();
            let found = if is_whole { self.take_whole(monitor) } else { self.separate() };
            if is_whole && found.is_empty() {
                return Ok(());
            }
            if !found.is_empty() && (is_whole || rounds < ROUNDS) {
                rounds += 1;
                self.forget_idle();
                self.activate_all(found)?;
                continue;
            }
            rounds = 0;
            let edges = 0..self.model.instance.graph.edge_count();
            let fractional = |column: &usize| self.here[*column] == Range::Free && self.values[*column] < 1.0 - WHOLE;
            let by_value = |one: &usize, two: &usize| self.values[*one].total_cmp(&self.values[*two]);
            last = edges.clone().filter(fractional).max_by(by_value);
            let Some(most) = last.filter(|&column| self.values[column] > WHOLE) else { return Ok(()) };
            let nearly: Vec<usize> = edges.filter(fractional).filter(|&column| self.values[column] > TAKEN).collect();
            for column in nearly.into_iter().chain([most]) {
                self.fix(column, Range::One);
            }
        }
    }
}
