//! Bounds that are proved by integer arithmetic, from multipliers that need not be right.
//!
//! A row `a·x ≥ b` with a multiplier `λ ≥ 0` (any `λ` where it is an equation) adds `λ (a·x − b) ≥ 0` to what a path is
//! worth. With all of them added, each column has a *gain*, and a path can't be worth more than the sum of the gains at the
//! better bound of every column, less the `λ b`. Whatever the multipliers are, that is true of every path within the
//! bounds; with the optimal ones of the linear program it is the optimum of the program. So the multipliers are rounded to
//! whole multiples of a small unit, those with a wrong sign dropped, and the sum is exact. (A. Neumaier and O. Shcherbina,
//! *Safe bounds in linear and mixed-integer linear programming*, Mathematical Programming 99 (2004) 283–296,
//! doi:10.1007/s10107-003-0433-3, with integers in place of directed rounding.)

/// A row `Σ coefficient · x[column] ≥ least`, or `=` where it is an equation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    pub(crate) entries: Vec<(u32, i32)>,
    pub(crate) least: i64,
    pub(crate) is_equation: bool,
}

/// Multipliers are whole multiples of 2⁻²⁴.
pub(crate) const SCALE: i128 = 1 << 24;

/// The bounds of each column: it may be 0, it may be 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    Free,
    Zero,
    One,
}

impl Range {
    pub(crate) fn bounds(self) -> (f64, f64) {
        match self {
            Range::Free => (0.0, 1.0),
            Range::Zero => (0.0, 0.0),
            Range::One => (1.0, 1.0),
        }
    }

    pub(crate) fn allows(self, used: bool) -> bool {
        match self {
            Range::Free => true,
            Range::Zero => !used,
            Range::One => used,
        }
    }
}

/// A proved bound, in units of 1 / [`SCALE`], and the gain of each column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proof {
    pub(crate) bound: i128,
    pub(crate) gains: Vec<i128>,
    /// The bound without the gains.
    pub(crate) constant: i128,
}

impl Proof {
    /// Adds up. The multipliers are those of a program that *minimises* the worths divided by `-unit`; with `worth` empty
    /// a bound below zero proves that no path is within the bounds.
    pub(crate) fn compute<'r>(
        &mut self,
        worth: &[i64],
        ranges: &[Range],
        rows: impl Iterator<Item = &'r Row>,
        multipliers: &[f64],
        unit: f64,
    ) {
        self.gains.clear();
        self.gains.extend(worth.iter().map(|&worth| i128::from(worth) * SCALE));
        self.gains.resize(ranges.len(), 0);
        self.bound = 0;
        let factor = unit * SCALE as f64;
        for (row, multiplier) in rows.zip(multipliers) {
            // Too large for the sums, or no number: it is no use.
            let scaled = multiplier * factor;
            let multiplier = if scaled.abs() < LARGEST { scaled.round() as i128 } else { 0 };
            if multiplier == 0 || (multiplier < 0 && !row.is_equation) {
                continue;
            }
            for &(column, coefficient) in &row.entries {
                self.gains[column as usize] += multiplier * i128::from(coefficient);
            }
            self.bound -= multiplier * i128::from(row.least);
        }
        self.constant = self.bound;
        for (&gain, range) in self.gains.iter().zip(ranges) {
            self.bound += match range {
                Range::Free => gain.max(0),
                Range::Zero => 0,
                Range::One => gain,
            };
        }
    }

    /// No path within the bounds is worth more.
    pub(crate) fn floor(&self) -> i64 {
        let floor = self.bound.div_euclid(SCALE);
        i64::try_from(floor).unwrap_or(if floor < 0 { i64::MIN } else { i64::MAX })
    }

    /// Whether every path within the bounds worth more than `lower` has this value in the column, which is free.
    pub(crate) fn forces(&self, column: usize, lower: i64) -> Option<Range> {
        let gain = self.gains[column];
        // The other value loses the gain.
        let without = (self.bound - gain.abs()).div_euclid(SCALE);
        (without <= i128::from(lower)).then_some(if gain > 0 { Range::One } else { Range::Zero })
    }
}

/// 2⁹⁰: with coefficients and rows by the million, sums stay below 2¹²⁷.
const LARGEST: f64 = 1.237_940_039_285_380_3e27;
