//! A dive for a path: what the fractional solution uses most is fixed, one edge after the other, until a path is all
//! that is left.
//!
//! The tree's own dives prove as they go, so they choose what moves the bound most and try either side first; a path comes
//! late. Here nothing is proved: the edge of the greatest fractional value is taken, with all that are nearly taken anyway,
//! and where that leaves nothing better than the best path, it is left out instead, a few times over. Cuts found on the
//! way hold for all paths and stay.

use crate::branching::cases::WHOLE;
use crate::branching::{Formulation, Tree};
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

/// From the program as it is, whose first columns are the edges; the bounds of columns are not put back.
pub(super) fn dive<F: Formulation, P: LinearProgram>(
    tree: &mut Tree<F, P>,
    edges: usize,
    monitor: &mut dyn Monitor,
) -> Result<(), Stop> {
    let (mut regrets, mut rounds) = (0, 0);
    let mut last = None;
    loop {
        // A pause may wait: a dive can't be taken up again.
        if let Some(stop) = tree.spent().filter(|&stop| stop != Stop::Exhausted) {
            return Err(stop);
        }
        let verdict = tree.solve(true)?;
        if verdict != Verdict::Optimal || tree.relaxation.proved() <= tree.lower() {
            let Some(column) = last.take().filter(|_| regrets < REGRETS) else { return Ok(()) };
            regrets += 1;
            tree.relaxation.fix(column, Range::Zero);
            continue;
        }
        tree.relaxation.take_values();
        let is_whole = tree.relaxation.is_whole();
        let found = if is_whole { tree.take_whole(monitor) } else { tree.separate() };
        if is_whole && found.is_empty() {
            return Ok(());
        }
        if !found.is_empty() && (is_whole || rounds < ROUNDS) {
            rounds += 1;
            tree.forget_idle();
            tree.activate_all(found)?;
            continue;
        }
        rounds = 0;
        let relaxation = &mut tree.relaxation;
        let (values, here) = (&relaxation.values, &relaxation.here);
        let fractional = |column: &usize| here[*column] == Range::Free && values[*column] < 1.0 - WHOLE;
        let by_value = |one: &usize, two: &usize| values[*one].total_cmp(&values[*two]);
        last = (0..edges).filter(fractional).max_by(by_value);
        let Some(most) = last.filter(|&column| values[column] > WHOLE) else { return Ok(()) };
        let nearly: Vec<usize> = (0..edges).filter(fractional).filter(|&column| values[column] > TAKEN).collect();
        for column in nearly.into_iter().chain([most]) {
            relaxation.fix(column, Range::One);
        }
    }
}
