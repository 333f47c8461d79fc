//! Linear programs in floating point, for bounds that are proved elsewhere.
//!
//! A program is *minimise c·x where l ≤ x ≤ u and L ≤ A x ≤ U*. What an engine needs of one is small: rows (cuts) come and
//! go, bounds move, and after each change the program is solved again from where it stood. [`Simplex`] does that by the dual
//! simplex method; with the feature `highs`, the solver of that name can take its place. Nothing here decides anything: an
//! engine takes the multipliers, rounds them, and proves by integer arithmetic what they prove, be they right or wrong.

mod factor;
#[cfg(feature = "highs")]
mod highs;
pub(crate) mod proof;
mod simplex;
#[cfg(test)]
mod tests;

#[cfg(feature = "highs")]
pub(crate) use highs::Highs;
pub(crate) use simplex::Simplex;

use fixedbitset::FixedBitSet;

/// How an attempt to solve a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The values are optimal, up to rounding.
    Optimal,
    /// There are no values within the bounds: the [ray](LinearProgram::ray) says why.
    Infeasible,
    /// The optimum is above the cutoff, as the multipliers show.
    Cutoff,
    /// The limit of pivots was reached, or time was up, or rounding errors were too much. The multipliers are as good as they got.
    Stopped,
}

/// What came of a linear program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solved {
    values: Vec<f64>,
    multipliers: Vec<f64>,
    ray: Vec<f64>,
}

/// A linear program to be minimised, kept between changes. All columns are added before the first row.
pub(crate) trait LinearProgram: Default {
    /// What an objective of 1 is worth, where a whole 1 of that is to be told from the next. A program that is as exact anywhere
    /// has no use for it.
    fn set_unit(&mut self, _unit: f64) {}
    /// Adds a column with its cost and finite bounds.
    fn add_column(&mut self, cost: f64, lower: f64, upper: f64);
    /// Adds the row `lower ≤ Σ value · x[column] ≤ upper`; either side may be infinite. Rows are numbered in order.
    fn add_row(&mut self, lower: f64, upper: f64, entries: &[(u32, f64)]);
    /// Drops the rows for which `keep` is false, if they are [slack](Self::is_slack); those behind them move up. `keep`
    /// tells afterwards which rows are still there.
    fn retain_rows(&mut self, keep: &mut [bool]);
    /// Moves the bounds of a column.
    fn set_bounds(&mut self, column: usize, lower: f64, upper: f64);
    /// Solves with at most so many pivots, or until the objective is certain to be above `cutoff`, or soon after `is_over`
    /// becomes true.
    fn solve_until(&mut self, pivots: usize, cutoff: f64, is_over: &mut dyn FnMut() -> bool) -> Verdict;
    /// The same without an end but its own.
    #[cfg(test)]
    fn solve(&mut self, pivots: usize, cutoff: f64) -> Verdict {
        self.solve_until(pivots, cutoff, &mut || false)
    }
    /// From here on bounds and solutions are on trial: [`end_trial`](Self::end_trial) makes them what they are now. What several trials
    /// need may be made before, unless it `is_over`.
    fn begin_trial(&mut self, is_over: &mut dyn FnMut() -> bool);
    fn end_trial(&mut self);
    /// What came of the last solve.
    fn solved(&self) -> &Solved;
    /// The values of the columns, after [`Verdict::Optimal`].
    fn values(&self) -> &[f64] {
        &self.solved().values
    }
    /// The multipliers of the rows, after [`solve`](Self::solve): positive where `lower` binds, negative where `upper`
    /// does.
    fn multipliers(&self) -> &[f64] {
        &self.solved().multipliers
    }
    /// After [`Verdict::Infeasible`]: multipliers of the rows that show it, by themselves and without any cost.
    fn ray(&self) -> &[f64] {
        &self.solved().ray
    }
    /// From here on, of solutions that are about as good those come first that are near the one of these columns. A program that
    /// tells them apart by their costs has no use for it.
    fn lean_to(&mut self, _is_used: &FixedBitSet) {}
    /// Whether neither side of the row binds.
    fn is_slack(&self, row: usize) -> bool;
    /// Whether the column is in the basis; a row that is [slack](Self::is_slack) is.
    fn is_basic(&self, _column: usize) -> bool {
        false
    }
    /// Goes on from the basis of these columns and the rows that are slack there, as far as that is one.
    fn begin_at(&mut self, _columns: &[u32], _slack: &[u32]) {}
    /// The pivots made so far.
    fn pivots(&self) -> u64;
    /// What the program takes, in bytes.
    fn bytes(&self) -> usize;
}
