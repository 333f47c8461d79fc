//! Half sums of rows, rounded up.
//!
//! Add up rows `a·x ≥ b` and halve the sum: where a coefficient is odd it is rounded up (no column is below 0), or down with
//! the bound that no column is above 1; where the right-hand side is odd then it may be rounded up as well, for all answers are
//! whole numbers. What that gains is half of 1 less the slack of the rows and what the odd columns are off their nearer
//! bounds. These are the cuts of A. Caprara and M. Fischetti (*{0, ½}-Chvátal–Gomory cuts*, Mathematical Programming 74 (1996)
//! 221–235, doi:10.1007/BF02592196); blossoms and many others are among them. They are sought as A. M. C. A. Koster, A. Zymolka
//! and M. Kutschka do (*Algorithms to separate {0, ½}-Chvátal–Gomory cuts*, Algorithmica 55 (2009) 375–391,
//! doi:10.1007/s00453-008-9218-7): the rows that bind are eliminated modulo 2, the columns furthest from a whole number first,
//! and sums whose right-hand side is odd are looked at on the way.
//!
//! A cut is summed up in integers from rows that hold for all answers, so it holds for them too, whatever the solution that
//! led to it: rows made of rows included.

use fixedbitset::FixedBitSet;
use hashbrown::HashSet;

use super::cases::WHOLE;
use crate::instance::Budget;
use crate::lp::proof::Row;

/// Rows with more slack than this are not summed.
const MOST_SLACK: f64 = 0.3;
/// Half sums gain at least this.
const LEAST_GAIN: f64 = 0.02;
/// Looks at all sums while columns are eliminated.
const LOOKS: usize = 4;
/// Cuts are no denser than one entry in so many columns, or so many entries.
const SPARSE: usize = 8;
const FEW: usize = 60;
/// Coefficients of cuts are no greater.
const GREATEST: i32 = 50;
/// Of cuts that point in nearly the same direction only the best is kept: the greatest cosine.
const ALIKE: f64 = 0.9;
/// Words of bits added between two looks at the clock, and in all.
const WORDS_PER_LOOK: usize = 1 << 20;
const MOST_WORDS: usize = 1 << 28;

/// A sum of rows modulo 2.
#[derive(Clone)]
struct Sum {
    /// The fractional columns that are odd, by falling distance from a whole number.
    odd: FixedBitSet,
    /// Which rows.
    of: FixedBitSet,
    is_odd: bool,
    slack: f64,
}

/// Half sums that the values violate, at most so many, the best first, each with its violation.
pub(crate) fn halves<'r>(
    rows: impl Iterator<Item = &'r Row>,
    values: &[f64],
    most: usize,
    budget: &Budget,
) -> Vec<(f64, Row)> {
    let distance = |column: u32| values[column as usize].min(1.0 - values[column as usize]);
    let mut fractional: Vec<u32> = (0..values.len() as u32).filter(|&column| distance(column) > WHOLE).collect();
    fractional.sort_by(|&one, &two| distance(two).total_cmp(&distance(one)).then(one.cmp(&two)));
    let distances: Vec<f64> = fractional.iter().map(|&column| distance(column)).collect();
    let mut place = vec![usize::MAX; values.len()];
    fractional.iter().enumerate().for_each(|(at, &column)| place[column as usize] = at);

    let tight: Vec<(&Row, f64)> = rows.map(|row| (row, slack(row, values))).filter(|row| row.1 <= MOST_SLACK).collect();
    let mut sums: Vec<Sum> = Vec::with_capacity(tight.len());
    for (number, &(row, slack)) in tight.iter().enumerate() {
        let mut sum = Sum {
            odd: FixedBitSet::with_capacity(fractional.len()),
            of: FixedBitSet::with_capacity(tight.len()),
            is_odd: row.least % 2 != 0,
            slack: slack.max(0.0),
        };
        sum.of.insert(number);
        for &(column, coefficient) in row.entries.iter().filter(|(_, coefficient)| coefficient % 2 != 0) {
            let _ = coefficient;
            // A column nearer to 1 is counted from there.
            sum.is_odd ^= values[column as usize] > 0.5;
            if place[column as usize] != usize::MAX {
                sum.odd.insert(place[column as usize]);
            }
        }
        sums.push(sum);
    }
    let candidates = eliminated(sums, &distances, budget);
    chosen(candidates.iter().filter_map(|of| half_sum(of, &tight, values)).collect(), most)
}

fn slack(row: &Row, values: &[f64]) -> f64 {
    if row.is_equation {
        return 0.0;
    }
    let activity: f64 = row.entries.iter().map(|&(column, value)| f64::from(value) * values[column as usize]).sum();
    activity - row.least as f64
}

/// The rows of sums that may gain something, met while one column after the other is eliminated.
fn eliminated(mut sums: Vec<Sum>, distances: &[f64], budget: &Budget) -> Vec<FixedBitSet> {
    let mut found: HashSet<FixedBitSet> = HashSet::new();
    let mut look = |sums: &[Sum]| {
        for sum in sums.iter().filter(|sum| sum.is_odd) {
            let room = 1.0 - 2.0 * LEAST_GAIN - sum.slack;
            let mut left = room;
            let is_good = sum.odd.ones().all(|at| {
                left -= distances[at];
                left > 0.0
            });
            if is_good && room > 0.0 {
                found.insert(sum.of.clone());
            }
        }
    };
    let words = (distances.len() + sums.len()) / 32 + 2;
    let (mut done, mut since_look) = (0, 0);
    for at in 0..distances.len() {
        if (at * LOOKS).is_multiple_of(distances.len().next_multiple_of(LOOKS)) || since_look > WORDS_PER_LOOK {
            if budget.spent().is_some() || done > MOST_WORDS {
                break;
            }
            since_look = 0;
        }
        if (at * LOOKS) / distances.len() != (at.max(1) - 1) * LOOKS / distances.len() || at == 0 {
            look(&sums);
        }
        let able = (0..sums.len()).filter(|&sum| sums[sum].odd[at]);
        let Some(pivot) = able.min_by(|&one, &two| sums[one].slack.total_cmp(&sums[two].slack)) else { continue };
        if sums[pivot].slack >= distances[at] {
            // It costs less to round the column.
            continue;
        }
        let pivot = sums.swap_remove(pivot);
        sums.retain_mut(|sum| {
            if !sum.odd[at] {
                return true;
            }
            sum.odd.symmetric_difference_with(&pivot.odd);
            sum.of.symmetric_difference_with(&pivot.of);
            sum.is_odd ^= pivot.is_odd;
            sum.slack += pivot.slack;
            done += words;
            since_look += words;
            sum.slack < 1.0
        });
    }
    look(&sums);
    let mut found: Vec<FixedBitSet> = found.into_iter().collect();
    found.sort_by(|one, two| one.as_slice().cmp(two.as_slice()));
    found
}

/// Half the sum of some rows, rounded up where the values say.
fn half_sum(of: &FixedBitSet, rows: &[(&Row, f64)], values: &[f64]) -> Option<(f64, Row)> {
    let mut sum = vec![0i32; values.len()];
    let mut touched: Vec<u32> = Vec::new();
    let mut least = 0i64;
    for number in of.ones() {
        let row = rows[number].0;
        // An equation may be added or taken away: whichever leaves less.
        let sign = if row.is_equation {
            let overlap: i32 = row.entries.iter().map(|&(column, value)| sum[column as usize].signum() * value).sum();
            if overlap > 0 { -1 } else { 1 }
        } else {
            1
        };
        for &(column, value) in &row.entries {
            sum[column as usize] = sum[column as usize].checked_add(value.checked_mul(sign)?)?;
            touched.push(column);
        }
        least = least.checked_add(row.least.checked_mul(i64::from(sign))?)?;
    }
    touched.sort_unstable();
    touched.dedup();
    let mut entries = Vec::new();
    for column in touched {
        let coefficient = sum[column as usize];
        let half = match coefficient % 2 != 0 {
            true if values[column as usize] > 0.5 => {
                least -= 1;
                (coefficient - 1) / 2
            }
            true => (coefficient + 1) / 2,
            false => coefficient / 2,
        };
        if half.abs() > GREATEST {
            return None;
        }
        if half != 0 {
            entries.push((column, half));
        }
    }
    if least % 2 == 0 || entries.is_empty() || entries.len() > FEW.max(values.len() / SPARSE) {
        return None;
    }
    let row = Row { entries, least: (least + 1).div_euclid(2), is_equation: false };
    let violation = -slack(&row, values);
    (violation > LEAST_GAIN).then_some((violation, row))
}

/// Of what is found the cuts that go deepest, no two of them alike.
fn chosen(mut found: Vec<(f64, Row)>, most: usize) -> Vec<(f64, Row)> {
    let norm = |row: &Row| row.entries.iter().map(|&(_, value)| f64::from(value * value)).sum::<f64>().sqrt();
    found.sort_by(|one, two| (two.0 / norm(&two.1)).total_cmp(&(one.0 / norm(&one.1))));
    let mut chosen: Vec<(f64, Row)> = Vec::new();
    for (violation, row) in found {
        if chosen.len() >= most {
            break;
        }
        let is_like = |other: &Row| dot(&row, other) > ALIKE * norm(&row) * norm(other);
        if !chosen.iter().any(|(_, other)| is_like(other)) {
            chosen.push((violation, row));
        }
    }
    chosen
}

/// The entries are in the order of their columns.
fn dot(one: &Row, two: &Row) -> f64 {
    let (mut at, mut sum) = (0, 0i64);
    for &(column, value) in &one.entries {
        while two.entries.get(at).is_some_and(|entry| entry.0 < column) {
            at += 1;
        }
        if let Some(&(other, factor)) = two.entries.get(at)
            && other == column
        {
            sum += i64::from(value) * i64::from(factor);
        }
    }
    sum as f64
}
