//! Parts of an instance, asked one after the other: how they share the time, how what they bring is merged, and how their
//! paths are lifted to the whole.
//!
//! Those that promise most come first, so the best path so far is the floor of all that come after, and a part that can't beat
//! it is not looked at. Each has its share of the time that is left, by the square of its size, but no less than a part of an equal
//! share: one small part that is not settled spoils the bound of the whole. One that its share was too short for is asked
//! again where the others leave time over. The bound of the whole is the greatest of the bounds of all parts, settled or not.

use super::scope::Scope;
use crate::instance::{Monitor, Outcome, Run};
use crate::solution::Stop;

/// A part that may have the best path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) number: u32,
    /// None of its paths is worth more.
    pub(super) most: i64,
    /// How many vertices it has.
    pub(super) size: usize,
}

/// The time that is left, shared among solves that are still to come.
pub(super) struct Shares {
    work_left: f64,
    parts_left: usize,
}

/// The least share of a part, of what all would have that are left if they had as much.
const LEAST: f64 = 0.25;

impl Shares {
    /// Among parts of so many vertices.
    pub(super) fn among(sizes: impl Iterator<Item = usize>) -> Self {
        let mut shares = Shares { work_left: 0.0, parts_left: 0 };
        for size in sizes {
            shares.work_left += work(size);
            shares.parts_left += 1;
        }
        shares
    }

    /// The share of the time left that is due to a part of so many vertices.
    fn due(&self, size: usize) -> f64 {
        let least = LEAST / self.parts_left.max(1) as f64;
        (work(size) / self.work_left.max(work(size))).max(least)
    }

    /// A part of so many vertices has had its share.
    fn done(&mut self, size: usize) {
        self.work_left -= work(size);
        self.parts_left = self.parts_left.saturating_sub(1);
    }

    /// The share of the time left that the next solve takes, of a part of so many vertices.
    pub(super) fn next(&mut self, size: usize) -> f64 {
        let share = self.due(size);
        self.done(size);
        share
    }
}

/// The cost of solving a part, as far as shares of the time go.
fn work(size: usize) -> f64 {
    (size as f64).powi(2)
}

/// What all parts have brought so far; of the best, of whatever kind, with its value.
pub(super) struct Gathered<B> {
    pub(super) best: Option<(B, i64)>,
    floor: i64,
    /// Bounds the parts that are not settled, though more time would be of no use to them, and why it would not.
    unseen: i64,
    stop: Option<Stop>,
    steps: u64,
    peak_bytes: usize,
}

impl<B> Gathered<B> {
    /// Nothing yet; only what is worth more than `floor` matters.
    pub(super) fn above(floor: i64) -> Self {
        Gathered { best: None, floor, unseen: i64::MIN, stop: None, steps: 0, peak_bytes: 0 }
    }

    /// The value of the best, or the floor.
    pub(super) fn lower(&self) -> i64 {
        self.best.as_ref().map_or(self.floor, |(_, value)| *value)
    }

    /// Bounds all that was not seen to its end.
    pub(super) fn unseen(&self) -> i64 {
        self.unseen
    }

    /// Something worth no more than this stays unseen.
    pub(super) fn leave(&mut self, upper: i64) {
        self.unseen = self.unseen.max(upper);
    }

    /// A part was not settled, for this reason if any.
    pub(super) fn stopped(&mut self, stop: Option<Stop>) {
        self.stop = stop.or(self.stop);
    }

    /// Adds what a part has spent.
    pub(super) fn account(&mut self, outcome: &Outcome) {
        self.steps += outcome.steps;
        self.peak_bytes = self.peak_bytes.max(outcome.peak_bytes);
    }

    /// What it all comes to, where `left` bounds the parts that were not asked to their end; `path` tells the best.
    pub(super) fn outcome(self, left: i64, path: impl FnOnce(B) -> Vec<u32>, run: &Run<'_>) -> Outcome {
        let lower = self.lower();
        let upper = left.max(self.unseen).max(lower);
        let stop = if upper > lower { run.budget.spent().or(self.stop) } else { None };
        let best = self.best.map(|(best, value)| (path(best), value));
        Outcome { best, upper, stop, steps: self.steps, peak_bytes: self.peak_bytes }
    }
}

/// What came of asking a part.
pub(super) enum Asked {
    Answered(Outcome),
    /// It is put aside, to be asked in another way; none of its paths is worth more than this.
    Aside(i64),
}

impl Gathered<Vec<u32>> {
    /// Keeps what a part of these vertices has brought, in its own vertices.
    pub(super) fn keep(&mut self, outcome: &mut Outcome, vertices: &[u32]) {
        self.account(outcome);
        if let Some((path, value)) = outcome.best.take()
            && value > self.lower()
        {
            self.best = Some((lifted(path, vertices), value));
        }
    }

    /// Asks parts in turn until none that is left can win. Returns those that need more time, and those that are put aside.
    ///
    /// `ask` is told the share of the time that the part may take, and what its paths mean for the whole; it
    /// [keeps](Self::keep) what the part brings.
    pub(super) fn ask_each(
        &mut self,
        mut parts: Vec<Part>,
        run: &mut Run<'_>,
        ask: &mut dyn FnMut(&mut Self, Part, f64, Scope, &mut Run<'_>) -> Asked,
    ) -> [Vec<Part>; 2] {
        parts.sort_unstable_by_key(|part| (std::cmp::Reverse(part.most), part.number));
        let mut shares = Shares::among(parts.iter().map(|part| part.size));
        let (mut again, mut aside): (Vec<Part>, Vec<Part>) = (Vec::new(), Vec::new());
        for (place, &part) in parts.iter().enumerate() {
            let left = again.iter().chain(&aside).chain(parts.get(place + 1)).map(|part| part.most).max();
            let rest = left.unwrap_or(i64::MIN).max(self.unseen).max(self.lower());
            run.bound(part.most.max(rest));
            if part.most <= self.lower() {
                break;
            }
            // The first is asked in any case: it may have a path at once.
            if place > 0 && run.budget.spent().is_some() {
                again.push(part);
                continue;
            }
            let outcome = match ask(self, part, shares.due(part.size), Scope::Whole { rest }, run) {
                Asked::Answered(outcome) => outcome,
                // Its share is left to it.
                Asked::Aside(most) => {
                    aside.push(Part { most, ..part });
                    continue;
                }
            };
            shares.done(part.size);
            let upper = outcome.upper.min(part.most);
            if upper > self.lower() {
                match outcome.stop {
                    Some(Stop::TimeLimit) => again.push(Part { most: upper, ..part }),
                    stop => {
                        self.leave(upper);
                        self.stopped(stop);
                    }
                }
            }
        }
        let lower = self.lower();
        [again, aside].map(|mut parts| {
            parts.retain(|part| part.most > lower);
            parts
        })
    }
}

/// What is known of a part that nobody could look at.
pub(super) fn unasked(most: i64, run: &Run<'_>) -> Outcome {
    Outcome { stop: run.budget.spent(), ..Outcome::nothing_above(i64::MIN, most) }
}

/// The greatest of their bounds.
pub(super) fn most(parts: &[Part]) -> i64 {
    parts.iter().map(|part| part.most).max().unwrap_or(i64::MIN)
}

/// A path of a part, in the vertices of the whole.
pub(super) fn lifted(mut path: Vec<u32>, vertices: &[u32]) -> Vec<u32> {
    path.iter_mut().for_each(|vertex| *vertex = vertices[*vertex as usize]);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_part_beside_a_large_one_has_time_enough() {
        let sizes = [31, 26, 12, 5_753];
        let mut shares = Shares::among(sizes.into_iter());
        let mut left = 1.0;
        let taken = sizes.map(|size| {
            let share = left * shares.next(size);
            left -= share;
            share
        });
        assert!(taken[..3].iter().all(|&share| share >= 0.04), "{taken:?}");
        assert!(taken[3] >= 0.75 && left.abs() < 1e-9, "{taken:?}");
    }
}
