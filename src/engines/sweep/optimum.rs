//! The best answer: of each state the best way to it is kept, and the way back.
//!
//! Ways that can't end above a target are dropped as they appear, by what a [`guide`](Sweep::guide) says that a state can
//! still gain. With a target just below a proved bound the search is short; if it finds nothing, the target is a proved
//! bound, and the next is lower: see [`FallingGap`].

use std::hash::Hash;

use super::{Next, Rule, STEPS_BETWEEN_LOOKS};
use crate::instance::{Budget, Monitor};
use crate::scan::Scan;
use crate::solution::Stop;

/// The decisions of an answer, one a layer as far as it took any, with its worth.
pub(crate) type Found = (Vec<u32>, i64);

/// What a search cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    pub(crate) steps: u64,
    pub(crate) peak_bytes: usize,
}

/// One search from the first layer to the last.
pub(crate) struct Sweep<'a, R: Rule, G: Fn(usize, &R::State) -> Option<i64>> {
    pub(crate) rule: &'a R,
    /// What a state before a layer can gain at most; `None` if nothing comes of it.
    pub(crate) guide: G,
    /// Only answers worth more than this matter.
    pub(crate) target: i64,
    /// At most so many states are kept, the most promising; fewer than there are prove nothing.
    pub(crate) width: usize,
    pub(crate) budget: &'a Budget,
}

/// The way to a state: the state before, and the choice made there.
type Step = (u32, u32);

impl<R: Rule, G: Fn(usize, &R::State) -> Option<i64>> Sweep<'_, R, G> {
    /// The best answer above the target; `None` if there is none (or none was met within the width).
    pub(crate) fn run(&self, cost: &mut Cost) -> Result<Option<Found>, Stop> {
        let (start, value) = self.rule.start();
        let mut scan = Scan::new(start, value);
        let mut best: Option<(usize, Step, i64)> = None;
        let mut looked = 0;
        for layer in 0..self.rule.layers() {
            for from in 0..scan.len() {
                let (state, value) = scan.state(from);
                for choice in 0..self.rule.choices(layer) {
                    cost.steps += 1;
                    let known = best.map_or(self.target, |(.., value)| value);
                    let step = (from as u32, choice as u32);
                    match self.rule.step(layer, choice, &state) {
                        Next::Dead => {}
                        Next::Done(gain) if value + gain > known => best = Some((layer, step, value + gain)),
                        Next::Done(_) => {}
                        Next::On(next, gain) => {
                            let value = value + gain;
                            let left = (self.guide)(layer + 1, &next);
                            if left.is_some_and(|left| value.saturating_add(left) > known) {
                                scan.offer(next, value, step);
                            }
                        }
                    }
                }
                if cost.steps >= looked + STEPS_BETWEEN_LOOKS {
                    looked = cost.steps;
                    cost.peak_bytes = cost.peak_bytes.max(scan.bytes());
                    self.look(scan.bytes())?;
                }
            }
            scan.narrow(self.width, |state, value| {
                value.saturating_add((self.guide)(layer + 1, &state).unwrap_or(i64::MIN))
            });
            scan.advance();
        }
        Ok(best.map(|(layer, last, value)| (way_to(&scan, layer, last), value)))
    }

    fn look(&self, bytes: usize) -> Result<(), Stop> {
        match self.budget.spent() {
            Some(stop) => Err(stop),
            None if bytes > self.budget.memory => Err(Stop::MemoryLimit),
            None => Ok(()),
        }
    }
}

/// The decisions that lead to an answer which this layer completed.
fn way_to<S: Copy + Eq + Hash>(scan: &Scan<S, Step>, layer: usize, last: Step) -> Vec<u32> {
    let mut way = vec![0; layer + 1];
    let (mut from, choice) = last;
    way[layer] = choice;
    for at in (0..layer).rev() {
        let (before, choice) = scan.origin(at, from);
        (way[at], from) = (choice, before);
    }
    way
}

/// How far below the bound the first target is: a little where the guide is close, and where it says next to nothing so far
/// that one search settles all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstGap {
    One,
    Whole,
}

/// A search with targets that fall from a proved bound by growing steps.
pub(crate) struct FallingGap<'a, R: Rule, G: Fn(usize, &R::State) -> Option<i64>> {
    pub(crate) rule: &'a R,
    /// What a state before a layer can gain at most; `None` if nothing comes of it.
    pub(crate) guide: G,
    pub(crate) first_gap: FirstGap,
    /// Only answers worth more than this matter.
    pub(crate) floor: i64,
    pub(crate) budget: &'a Budget,
}

impl<R: Rule, G: Fn(usize, &R::State) -> Option<i64>> FallingGap<'_, R, G> {
    /// The best answer above the floor. `upper` is lowered as each target fails; nothing above the floor is worth more than
    /// it is at the end. The second value says why that was too early.
    pub(crate) fn run(
        &self,
        upper: &mut i64,
        monitor: &mut dyn Monitor,
        cost: &mut Cost,
    ) -> (Option<Found>, Option<Stop>) {
        let FallingGap { rule, guide, first_gap, floor, budget } = self;
        let mut known: Option<Found> = None;
        let worth = |known: &Option<Found>| known.as_ref().map_or(*floor, |&(_, value)| value);
        let mut dives = [FIRST_WIDTH, FIRST_WIDTH * 16].into_iter();
        let mut step = if *first_gap == FirstGap::One { 1 } else { i64::MAX };
        while *upper > worth(&known) {
            // First some narrow searches, for a path to prune with.
            let width = dives.next();
            let least = worth(&known);
            let target = if width.is_some() { least } else { upper.saturating_sub(step).max(least) };
            let sweep = Sweep { rule: *rule, guide, target, width: width.unwrap_or(usize::MAX), budget };
            match sweep.run(cost) {
                Ok(Some(found)) => {
                    monitor.incumbent(found.1);
                    known = Some(found);
                }
                Ok(None) => {}
                Err(stop) => return (known, Some(stop)),
            }
            if width.is_none() {
                *upper = worth(&known).max(target);
                monitor.bound(*upper);
                step = step.saturating_mul(2);
            }
        }
        (known, None)
    }
}

/// How wide to look for a first answer.
const FIRST_WIDTH: usize = 64;
