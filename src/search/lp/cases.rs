//! What trees of cases have in common, whatever their programs are about.

use std::cmp::Ordering;

use super::proof::Range;

/// Values this close to a whole number are one.
pub(crate) const WHOLE: f64 = 1e-6;

/// A node that is still to be looked into.
pub(crate) struct Node {
    pub(crate) fixed: Vec<(u32, Range)>,
    /// Nothing within it is worth more.
    pub(crate) bound: i64,
    /// The column and side of the last branching, the part it was rounded by, and the bound before: for its pseudo-cost.
    pub(crate) branched: Option<(u32, Range, f64, f64)>,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    /// The greatest bound first, then the deepest.
    fn cmp(&self, other: &Self) -> Ordering {
        (self.bound, self.fixed.len()).cmp(&(other.bound, other.fixed.len()))
    }
}

/// What looking into a node came to.
pub(crate) enum Look {
    /// There is nothing better inside.
    Settled,
    /// It is to be split at this column, whose value is given.
    Split { column: u32, value: f64 },
}

/// What trying both sides of a column came to.
pub(crate) enum Trial {
    Score(f64),
    /// Only this side is left.
    Fixed(Range),
    /// None is.
    Settled,
}

/// What rounding a column up or down has cost so far, for each unit: sum and number.
#[derive(Clone, Copy, Default)]
pub(crate) struct PseudoCost {
    pub(crate) sum: f64,
    pub(crate) count: u32,
}

impl PseudoCost {
    /// Rounding by this part made the bound fall by so much.
    pub(crate) fn learn(&mut self, part: f64, fall: f64) {
        self.sum += fall.max(0.0) / part.max(WHOLE);
        self.count += 1;
    }
}

/// Both sides should move the bound.
pub(crate) fn score(down: f64, up: f64) -> f64 {
    down.max(WHOLE) * up.max(WHOLE)
}
