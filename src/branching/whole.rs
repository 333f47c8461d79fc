//! Multipliers in whole numbers, as they are written into proofs: rounded to the coarsest unit that still shows what they are for.

use super::{Formulation, Relaxation};
use crate::lp::proof::Range;
use crate::lp::{LinearProgram, Verdict};

/// Units tried for multipliers, the coarsest first.
const UNITS: [i64; 9] = [1, 2, 4, 12, 60, 1 << 10, 1 << 14, 1 << 19, 1 << 24];
/// The unit of multipliers that fix columns or lead a sweep.
pub(crate) const FINE: i64 = 1 << 10;
/// Multipliers beyond this are no use.
const MOST: f64 = 1e15;

/// The multipliers, in units of a scale, that show that nothing in the present node is worth more than `lower`.
pub(crate) fn closing<F: Formulation, P: LinearProgram>(
    relaxation: &Relaxation<F, P>,
    lower: i64,
    verdict: Verdict,
) -> Option<(Vec<i64>, i64)> {
    for scale in UNITS {
        let whole = rounded(relaxation, scale);
        if bound(relaxation, &whole, scale).0 < needed(relaxation, lower, scale) {
            return Some((whole, scale));
        }
    }
    if verdict == Verdict::Infeasible {
        let ray = relaxation.program.ray();
        let greatest = ray.iter().fold(1e-9f64, |most, value| most.max(value.abs()));
        for unit in UNITS {
            let whole = rounded_to(relaxation, ray, unit as f64 / greatest);
            if bound(relaxation, &whole, 0).0 < 0 {
                return Some((whole, 0));
            }
        }
    }
    None
}

/// Multipliers in units of [`FINE`], and the columns that they fix in the present node.
pub(crate) fn fixing<F: Formulation, P: LinearProgram>(
    relaxation: &Relaxation<F, P>,
    lower: i64,
) -> (Vec<i64>, Vec<(u32, Range)>) {
    let whole = rounded(relaxation, FINE);
    let (bound, gains) = bound(relaxation, &whole, FINE);
    let needed = needed(relaxation, lower, FINE);
    let is_fixed =
        |&(column, gain): &(u32, i128)| relaxation.here[column as usize] == Range::Free && bound - gain.abs() < needed;
    let fixed = (0..).zip(gains).filter(is_fixed);
    let fixed = fixed.map(|(column, gain)| (column, if gain > 0 { Range::One } else { Range::Zero })).collect();
    (whole, fixed)
}

/// What an answer worth more than `lower` needs in its columns.
fn needed<F: Formulation, P: LinearProgram>(relaxation: &Relaxation<F, P>, lower: i64, scale: i64) -> i128 {
    i128::from(scale) * (i128::from(relaxation.in_columns(lower)) + 1)
}

/// The multipliers as whole multiples of `1 / scale`, those with a wrong sign dropped.
pub(crate) fn rounded<F: Formulation, P: LinearProgram>(relaxation: &Relaxation<F, P>, scale: i64) -> Vec<i64> {
    rounded_to(relaxation, relaxation.program.multipliers(), relaxation.unit * scale as f64)
}

fn rounded_to<F: Formulation, P>(relaxation: &Relaxation<F, P>, multipliers: &[f64], factor: f64) -> Vec<i64> {
    let rows = relaxation.rows.iter().zip(multipliers);
    rows.map(|(active, value)| {
        let value = (value * factor).round();
        let is_good = value.abs() < MOST && (value >= 0.0 || active.row.is_equation);
        if is_good { value as i64 } else { 0 }
    })
    .collect()
}

/// The bound of whole multipliers in the present node, times `scale`, and the gains.
fn bound<F: Formulation, P>(relaxation: &Relaxation<F, P>, whole: &[i64], scale: i64) -> (i128, Vec<i128>) {
    let mut gains: Vec<i128> = relaxation.worth.iter().map(|&worth| i128::from(worth) * i128::from(scale)).collect();
    let mut bound = 0;
    for (active, &multiplier) in relaxation.rows.iter().zip(whole).filter(|(_, multiplier)| **multiplier != 0) {
        for &(column, coefficient) in &active.row.entries {
            gains[column as usize] += i128::from(multiplier) * i128::from(coefficient);
        }
        bound -= i128::from(multiplier) * i128::from(active.row.least);
    }
    for (&gain, range) in gains.iter().zip(&relaxation.here) {
        bound += match range {
            Range::Free => gain.max(0),
            Range::Zero => 0,
            Range::One => gain,
        };
    }
    (bound, gains)
}
