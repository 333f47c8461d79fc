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

use hashbrown::HashSet;

use super::cases::WHOLE;
use crate::instance::Budget;
use crate::lp::proof::Row;

const NONE: u32 = u32::MAX;
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
/// Entries of sums looked at between two looks at the clock, and in all.
const ENTRIES_PER_LOOK: usize = 1 << 20;
const MOST_ENTRIES: usize = 1 << 27;

/// A sum of rows modulo 2.
struct Sum {
    /// The fractional columns that are odd, numbered by falling distance from a whole number, in order.
    odd: Vec<u32>,
    /// Which rows, in order.
    of: Vec<u32>,
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
    let mut place = vec![NONE; values.len()];
    (0..).zip(&fractional).for_each(|(at, &column)| place[column as usize] = at);

    let tight: Vec<(&Row, f64)> = rows.map(|row| (row, slack(row, values))).filter(|row| row.1 <= MOST_SLACK).collect();
    let sums = (0..).zip(&tight).map(|(number, &(row, slack))| {
        let odd =
            row.entries.iter().filter(|(_, coefficient)| coefficient % 2 != 0).map(|&(column, _)| column as usize);
        // A column nearer to 1 is counted from there.
        let from_one = odd.clone().filter(|&column| values[column] > 0.5).count();
        let mut odd: Vec<u32> = odd.map(|column| place[column]).filter(|&at| at != NONE).collect();
        odd.sort_unstable();
        Sum { odd, of: vec![number], is_odd: (row.least % 2 != 0) ^ (from_one % 2 != 0), slack: slack.max(0.0) }
    });
    let candidates = eliminated(sums.collect(), &distances, budget);
    let mut coefficients = Coefficients::none(values.len());
    chosen(candidates.iter().filter_map(|of| coefficients.half_sum(of, &tight, values)).collect(), most)
}

fn slack(row: &Row, values: &[f64]) -> f64 {
    if row.is_equation {
        return 0.0;
    }
    let activity: f64 = row.entries.iter().map(|&(column, value)| f64::from(value) * values[column as usize]).sum();
    activity - row.least as f64
}

/// The rows of sums that may gain something, met while one column after the other is eliminated.
fn eliminated(mut sums: Vec<Sum>, distances: &[f64], budget: &Budget) -> Vec<Vec<u32>> {
    let mut found: HashSet<Vec<u32>> = HashSet::new();
    let mut look = |sums: &[Sum]| {
        for sum in sums.iter().filter(|sum| sum.is_odd) {
            let room = 1.0 - 2.0 * LEAST_GAIN - sum.slack;
            let mut left = room;
            let is_good = sum.odd.iter().all(|&at| {
                left -= distances[at as usize];
                left > 0.0
            });
            if is_good && room > 0.0 && !found.contains(&sum.of) {
                found.insert(sum.of.clone());
            }
        }
    };
    // For each column the sums where it has been odd; those that are no longer there, or not with it, are passed over.
    let mut with: Vec<Vec<u32>> = vec![Vec::new(); distances.len()];
    for (number, sum) in (0..).zip(&sums) {
        sum.odd.iter().for_each(|&at| with[at as usize].push(number));
    }
    let (mut done, mut since_look) = (0, 0);
    let (mut merged, mut fresh) = (Vec::new(), Vec::new());
    for at in 0..distances.len() {
        if (at * LOOKS).is_multiple_of(distances.len().next_multiple_of(LOOKS)) || since_look > ENTRIES_PER_LOOK {
            if budget.spent().is_some() || done > MOST_ENTRIES {
                break;
            }
            since_look = 0;
        }
        if (at * LOOKS) / distances.len() != (at.max(1) - 1) * LOOKS / distances.len() || at == 0 {
            look(&sums);
        }
        let mut able = std::mem::take(&mut with[at]);
        able.sort_unstable();
        able.dedup();
        able.retain(|&sum| sums[sum as usize].odd.binary_search(&(at as u32)).is_ok());
        let slack = |sum: u32| sums[sum as usize].slack;
        let Some(&first) = able.iter().min_by(|&&one, &&two| slack(one).total_cmp(&slack(two))) else { continue };
        if slack(first) >= distances[at] {
            // It costs less to round the column.
            continue;
        }
        let pivot = std::mem::replace(&mut sums[first as usize], Sum::spent());
        for &number in able.iter().filter(|&&number| number != first) {
            let sum = &mut sums[number as usize];
            let before = sum.odd.len() + sum.of.len();
            sum.slack += pivot.slack;
            if sum.slack >= 1.0 {
                *sum = Sum::spent();
                continue;
            }
            sum.is_odd ^= pivot.is_odd;
            differ(&sum.of, &pivot.of, &mut merged, &mut fresh);
            sum.of.clone_from(&merged);
            differ(&sum.odd, &pivot.odd, &mut merged, &mut fresh);
            sum.odd.clone_from(&merged);
            fresh.iter().for_each(|&at| with[at as usize].push(number));
            let entries = before + pivot.odd.len() + pivot.of.len();
            done += entries;
            since_look += entries;
        }
    }
    look(&sums);
    let mut found: Vec<Vec<u32>> = found.into_iter().collect();
    found.sort_unstable();
    found
}

impl Sum {
    /// What has been used to eliminate a column, or has too much slack.
    fn spent() -> Self {
        Sum { odd: Vec::new(), of: Vec::new(), is_odd: false, slack: f64::INFINITY }
    }
}

/// What is in one of two ordered lists only, and what of that comes from the second. Without branches on what is found, which
/// can't be foretold.
fn differ(one: &[u32], two: &[u32], into: &mut Vec<u32>, fresh: &mut Vec<u32>) {
    into.resize(one.len() + two.len(), 0);
    fresh.resize(two.len(), 0);
    let (mut at_one, mut at_two, mut length, mut fresh_length) = (0, 0, 0, 0);
    while let (Some(&left), Some(&right)) = (one.get(at_one), two.get(at_two)) {
        into[length] = left.min(right);
        fresh[fresh_length] = right;
        length += usize::from(left != right);
        fresh_length += usize::from(right < left);
        at_one += usize::from(left <= right);
        at_two += usize::from(right <= left);
    }
    into.truncate(length);
    fresh.truncate(fresh_length);
    into.extend_from_slice(&one[at_one..]);
    into.extend_from_slice(&two[at_two..]);
    fresh.extend_from_slice(&two[at_two..]);
}

/// The coefficients of a sum of rows, by column, and where they are.
struct Coefficients {
    of_column: Vec<i32>,
    touched: Vec<u32>,
}

impl Coefficients {
    fn none(columns: usize) -> Self {
        Coefficients { of_column: vec![0; columns], touched: Vec::new() }
    }

    /// Half the sum of some rows, rounded up where the values say.
    fn half_sum(&mut self, of: &[u32], rows: &[(&Row, f64)], values: &[f64]) -> Option<(f64, Row)> {
        let least = self.add_up(of, rows);
        let row = least.and_then(|least| self.halved(least, values));
        for column in self.touched.drain(..) {
            self.of_column[column as usize] = 0;
        }
        let row = row?;
        let violation = -slack(&row, values);
        (violation > LEAST_GAIN).then_some((violation, row))
    }

    /// Adds rows up and returns the right-hand side; `None` if numbers become too large.
    fn add_up(&mut self, of: &[u32], rows: &[(&Row, f64)]) -> Option<i64> {
        let mut least = 0i64;
        for &number in of {
            let row = rows[number as usize].0;
            let at = |column: u32| column as usize;
            // An equation may be added or taken away: whichever leaves less.
            let overlap = |&(column, value): &(u32, i32)| self.of_column[at(column)].signum() * value;
            let is_against = row.is_equation && row.entries.iter().map(overlap).sum::<i32>() > 0;
            let sign = if is_against { -1 } else { 1 };
            for &(column, value) in &row.entries {
                self.touched.push(column);
                let coefficient = &mut self.of_column[at(column)];
                *coefficient = coefficient.checked_add(value.checked_mul(sign)?)?;
            }
            least = least.checked_add(row.least.checked_mul(i64::from(sign))?)?;
        }
        self.touched.sort_unstable();
        self.touched.dedup();
        Some(least)
    }

    /// Half of it, if that says more than the rows.
    fn halved(&self, mut least: i64, values: &[f64]) -> Option<Row> {
        let mut entries = Vec::new();
        for &column in &self.touched {
            let coefficient = self.of_column[column as usize];
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
        let is_dense = entries.len() > FEW.max(values.len() / SPARSE);
        (least % 2 != 0 && !entries.is_empty() && !is_dense).then(|| Row {
            entries,
            least: (least + 1).div_euclid(2),
            is_equation: false,
        })
    }
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
