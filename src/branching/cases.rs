//! What trees of cases have in common, whatever their programs are about.

use std::cmp::Ordering;

use crate::lp::LinearProgram;
use crate::lp::proof::Range;

/// Values this close to a whole number are one.
pub(crate) const WHOLE: f64 = 1e-6;

/// A node that is still to be looked into.
#[derive(Clone)]
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
pub(crate) enum NodeOutcome {
    /// There is nothing better inside.
    Settled,
    /// It is to be split at this column, whose value is given.
    Split { column: u32, value: f64 },
    /// Others come first.
    Deferred,
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

/// Columns that are fractional and free, the most promising first, with their scores. What a side has cost is not known
/// everywhere: the mean over all columns stands in.
pub(crate) fn candidates(pseudo: &[[PseudoCost; 2]], values: &[f64], here: &[Range]) -> Vec<(f64, u32)> {
    let mut mean = [1.0, 1.0];
    for (side, mean) in mean.iter_mut().enumerate() {
        let known = pseudo.iter().map(|cost| cost[side]).filter(|cost| cost.count > 0);
        let (sum, count) =
            known.fold((0.0, 0u32), |(sum, count), cost| (sum + cost.sum / f64::from(cost.count), count + 1));
        if count > 0 {
            *mean = (sum / f64::from(count)).max(WHOLE);
        }
    }
    let mut candidates: Vec<(f64, u32)> = Vec::new();
    for (column, &value) in values.iter().enumerate() {
        if (value - value.round()).abs() < WHOLE || here[column] != Range::Free {
            continue;
        }
        let cost = |side: usize| {
            let cost = pseudo[column][side];
            if cost.count > 0 { cost.sum / f64::from(cost.count) } else { mean[side] }
        };
        candidates.push((score(value * cost(0), (1.0 - value) * cost(1)), column as u32));
    }
    candidates.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
    candidates
}

/// A cut that was slack in this many rounds has had its time.
const IDLE: u32 = 8;

/// Counts in how many rounds each cut (`None` for a row that is no cut) has been slack, and drops the rows of those whose
/// time is over, once they are a twentieth of all. Returns which rows are left, if any were dropped.
pub(crate) fn drop_idle_rows<'r>(
    program: &mut impl LinearProgram,
    ages: impl Iterator<Item = Option<&'r mut u32>>,
) -> Option<Vec<bool>> {
    let mut keep = Vec::new();
    for (row, age) in ages.enumerate() {
        keep.push(age.is_none_or(|age| {
            *age = if program.is_slack(row) { *age + 1 } else { 0 };
            *age < IDLE
        }));
    }
    let dropped = keep.iter().filter(|&&kept| !kept).count();
    if dropped * 20 < keep.len() {
        return None;
    }
    program.retain_rows(&mut keep);
    Some(keep)
}
