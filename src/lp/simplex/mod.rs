//! The dual simplex method with bounds.
//!
//! Each row gets a *logical* variable for its activity, so a basis always has as many variables as there are rows, and
//! the empty program begins with the logical ones. Every column has finite bounds, so whatever the multipliers are, each
//! can stand at the bound that suits them: the program is always dual feasible, and needs no first phase. After new rows
//! and moved bounds it remains so. Followed here, with A. Koberstein's *The dual simplex method, techniques for a fast and
//! stable implementation* (dissertation, Paderborn 2005) as the guide:
//! - the leaving variable by steepest edge: J. J. Forrest and D. Goldfarb, *Steepest-edge simplex algorithms for linear
//!   programming*, Mathematical Programming 57 (1992) 341–374, doi:10.1007/BF01581089;
//! - the entering one by the long-step rule, which lets variables jump from bound to bound while that pays (R. Fourer,
//!   *Notes on the dual simplex method*, 1994; I. Maros, *A generalized dual phase-2 simplex algorithm*, European Journal
//!   of Operational Research 149 (2003) 1–16, doi:10.1016/S0377-2217(02)00548-7), and among near ties the largest pivot (P. M. J.
//!   Harris, *Pivot selection methods of the Devex LP code*, Mathematical Programming 5 (1973) 1–28,
//!   doi:10.1007/BF01580108).

mod costs;
mod pivot;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::factor::{Factors, LOGICAL, Lists, Reach, Vector, subtract};
use super::{LinearProgram, Solved, Verdict};
use pivot::{Candidate, Step, outside};

/// Values may be this far outside their bounds, and reduced costs beyond zero.
const PRIMAL_TOLERANCE: f64 = 1e-7;
const DUAL_TOLERANCE: f64 = 1e-7;
/// Smaller entries of a row are no pivots.
const LEAST_PIVOT: f64 = 1e-9;
const SAFE_PIVOT: f64 = 1e-5;
/// Smaller entries of a row of the inverse are taken for zero.
const LEAST_ENTRY: f64 = 1e-14;
/// The basis is factored again after so many pivots.
const OLD: usize = 200;
/// Or when so many times their entries and rows have come to its factors.
const GROWTH: usize = 2;
const LEAST_WEIGHT: f64 = 1e-4;
const NONBASIC: u32 = u32::MAX;
/// Pivots between two looks at the clock, and from so many rows on every one takes a look.
const PIVOTS_PER_LOOK: u64 = 8;
const LARGE: usize = 1_000;
/// Pivots between two looks at the cutoff.
const PIVOTS_PER_CUTOFF: u64 = 16;

/// A linear program and its basis. Variables are the columns, then one for each row.
#[derive(Clone, Default)]
pub(crate) struct Simplex {
    /// Their entries; a trial shares them.
    columns: Arc<Vec<Vec<(u32, f64)>>>,
    rows: Arc<Lists>,
    /// What an objective of 1 is worth.
    unit: f64,
    true_cost: Vec<f64>,
    /// The true costs, each moved a little.
    moved_cost: Vec<f64>,
    /// What each variable costs at present: one of these, and shifted where reduced costs would have the wrong sign.
    cost: Vec<f64>,
    /// Whether those are the true ones for the time being, and reduced costs more exact.
    is_exact: bool,
    /// Whether the last solve only came to its limit of pivots, and nothing has changed since.
    goes_on: bool,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// For each row: its basic variable; how steep it is.
    head: Vec<u32>,
    edge_norms: Vec<f64>,
    /// For each variable the row where it is basic; if it is not, whether it stands at its upper bound.
    place: Vec<u32>,
    at_upper: Vec<bool>,
    factors: Option<Factors>,
    /// For each variable, what a unit of it costs beside the multipliers; for each row, the value of its basic variable.
    reduced: Vec<f64>,
    basic_value: Vec<f64>,
    solved: Solved,
    pivots: u64,
    scratch: Scratch,
    /// What it was before the trial, in one.
    before: Option<Box<Simplex>>,
}

/// Vectors that are kept only to save their allocation.
#[derive(Clone, Default)]
struct Scratch {
    /// A row of the inverse; the entering column; the column for steepness; the change by jumps.
    rho: Vector,
    column: Vector,
    tau: Vector,
    bound_flips: Vector,
    reach: Reach,
    /// The pivot row: by variable, and which variables have an entry, each once.
    alpha: Vec<f64>,
    is_touched: Vec<bool>,
    touched: Vec<u32>,
    candidates: Vec<Candidate>,
    /// By row, the bounds of its basic variable, and how far it is [outside](pivot::outside).
    basic_bounds: Vec<(f64, f64)>,
    excess: Vec<f64>,
    /// By row, something that is worked on.
    full: Vec<f64>,
    movable: Movable,
}

/// What may enter the basis: only that part of the pivot row is computed.
#[derive(Clone, Default)]
struct Movable {
    /// Whether a column was not basic, nor fixed, when all was last computed anew.
    columns: Vec<bool>,
    /// The entries of the rows in those.
    rows: Lists,
    /// The columns that have left the basis since.
    late: Vec<u32>,
}

impl LinearProgram for Simplex {
    fn set_unit(&mut self, unit: f64) {
        self.unit = unit;
    }

    fn add_column(&mut self, cost: f64, lower: f64, upper: f64) {
        assert!(self.rows.len() == 0, "all columns come before the first row");
        Arc::make_mut(&mut self.columns).push(Vec::new());
        self.true_cost.push(cost);
        self.moved_cost.push(cost);
        self.lower.push(lower);
        self.upper.push(upper);
        self.place.push(NONBASIC);
        self.at_upper.push(false);
    }

    fn add_row(&mut self, lower: f64, upper: f64, entries: &[(u32, f64)]) {
        let row = self.rows.len() as u32;
        if row == 0 {
            self.perturb(|_| false);
        }
        let columns = Arc::make_mut(&mut self.columns);
        for &(column, value) in entries {
            columns[column as usize].push((row, value));
        }
        Arc::make_mut(&mut self.rows).push(entries);
        self.lower.push(lower);
        self.upper.push(upper);
        self.head.push((self.columns.len() + row as usize) as u32);
        if let Some(factors) = &mut self.factors {
            let of_basis = entries.iter().map(|&(column, value)| (self.place[column as usize], value));
            factors.add_row(of_basis.filter(|&(place, _)| place != NONBASIC));
        }
        self.place.push(row);
        self.at_upper.push(false);
        self.edge_norms.push(1.0);
        self.goes_on = false;
    }

    fn retain_rows(&mut self, keep: &mut [bool]) {
        let n = self.columns.len();
        let mut moved = vec![NONBASIC; self.rows.len()];
        let mut kept = 0;
        for row in 0..self.rows.len() {
            keep[row] |= !self.is_slack(row);
            if keep[row] {
                moved[row] = kept as u32;
                kept += 1;
            }
        }
        for column in Arc::make_mut(&mut self.columns) {
            column.retain_mut(|entry| {
                entry.0 = moved[entry.0 as usize];
                entry.0 != NONBASIC
            });
        }
        let mut head = Vec::with_capacity(kept);
        let mut edge_norms = Vec::with_capacity(kept);
        for (at, &variable) in self.head.iter().enumerate() {
            let variable = variable as usize;
            if variable < n || keep[variable - n] {
                head.push(if variable < n { variable as u32 } else { n as u32 + moved[variable - n] });
                edge_norms.push(self.edge_norms[at]);
            }
        }
        Arc::make_mut(&mut self.rows).retain(keep);
        let logicals =
            |list: &[f64]| (0..keep.len()).filter(|&row| keep[row]).map(|row| list[n + row]).collect::<Vec<_>>();
        for list in [&mut self.lower, &mut self.upper] {
            let logicals = logicals(list);
            list.truncate(n);
            list.extend(logicals);
        }
        for row in (0..keep.len()).filter(|&row| keep[row]) {
            self.at_upper[n + moved[row] as usize] = self.at_upper[n + row];
        }
        self.at_upper.truncate(n + kept);
        self.place.clear();
        self.place.resize(n + kept, NONBASIC);
        for (row, &variable) in head.iter().enumerate() {
            self.place[variable as usize] = row as u32;
        }
        self.head = head;
        self.edge_norms = edge_norms;
        self.factors = None;
        self.goes_on = false;
    }

    fn set_bounds(&mut self, column: usize, lower: f64, upper: f64) {
        self.lower[column] = lower;
        self.upper[column] = upper;
        self.goes_on = false;
    }

    fn solve_until(&mut self, pivots: usize, cutoff: f64, is_over: &mut dyn FnMut() -> bool) -> Verdict {
        if !self.goes_on {
            self.begin();
        }
        // What the optimum by the true costs may differ from that by the moved ones.
        let margin = if self.is_exact { 0.0 } else { self.margin() };
        let last = self.pivots.saturating_add(pivots as u64);
        let mut verdict = self.run(last, cutoff + margin, is_over);
        if verdict == Verdict::Optimal && margin > 0.0 && self.objective() > cutoff - margin {
            self.is_exact = true;
            self.goes_on = false;
            self.begin_costs();
            verdict = self.run(last, cutoff, is_over);
        }
        self.goes_on = verdict == Verdict::Stopped && self.pivots >= last;
        self.finish(verdict);
        self.is_exact &= self.goes_on;
        verdict
    }

    fn begin_trial(&mut self, is_over: &mut dyn FnMut() -> bool) {
        // Once for all trials from here.
        if self.factors.is_none() {
            self.factor(is_over);
        }
        self.goes_on = false;
        let scratch = std::mem::take(&mut self.scratch);
        self.before = Some(Box::new(self.clone()));
        self.scratch = scratch;
    }

    fn end_trial(&mut self) {
        if let Some(before) = self.before.take() {
            *self = Simplex { scratch: std::mem::take(&mut self.scratch), ..*before };
        }
    }

    fn lean_to(&mut self, is_used: &FixedBitSet) {
        self.perturb(|column| is_used[column]);
        self.goes_on = false;
    }

    fn solved(&self) -> &Solved {
        &self.solved
    }

    fn is_slack(&self, row: usize) -> bool {
        self.place[self.columns.len() + row] != NONBASIC
    }

    fn is_basic(&self, column: usize) -> bool {
        self.place[column] != NONBASIC
    }

    fn begin_at(&mut self, columns: &[u32], slack: &[u32]) {
        let (n, m) = (self.columns.len(), self.rows.len());
        self.place.fill(NONBASIC);
        self.head.clear();
        // Where these are too few, other rows are slack; columns that depend on others are replaced when the basis is factored.
        let slack = slack.iter().map(|&row| n as u32 + row);
        for variable in columns.iter().copied().chain(slack).chain(n as u32..(n + m) as u32) {
            if self.head.len() < m && self.place[variable as usize] == NONBASIC {
                self.place[variable as usize] = self.head.len() as u32;
                self.head.push(variable);
            }
        }
        // Rows whose multipliers have the wrong sign there stand at their upper bound for the time being, so each gets one: what the
        // bounds of columns allow.
        let (of_columns, of_rows) = self.upper.split_at_mut(n);
        for (upper, entries) in of_rows.iter_mut().zip(self.rows.iter()).filter(|(upper, _)| **upper == f64::INFINITY) {
            let most = |&(column, value): &(u32, f64)| {
                let column = column as usize;
                (value * self.lower[column]).max(value * of_columns[column])
            };
            *upper = entries.iter().map(most).sum();
        }
        self.edge_norms.fill(1.0);
        self.factors = None;
        self.goes_on = false;
    }

    fn pivots(&self) -> u64 {
        self.pivots
    }

    fn bytes(&self) -> usize {
        let entries = self.rows.entry_count();
        let factors = self.factors.as_ref().map_or(0, Factors::bytes);
        // Entries by row and by column, and some twenty numbers for each variable, a few more for each row.
        32 * entries + 160 * self.columns.len() + 200 * self.rows.len() + factors
    }
}

impl Simplex {
    /// Gets ready for a program that has changed.
    fn begin(&mut self) {
        let rows = self.rows.len();
        let size = self.columns.len() + rows;
        self.begin_costs();
        self.reduced.resize(size, 0.0);
        self.basic_value.resize(rows, 0.0);
        let scratch = &mut self.scratch;
        for list in [&mut scratch.rho, &mut scratch.column, &mut scratch.tau, &mut scratch.bound_flips] {
            list.reset(rows);
        }
        scratch.alpha.clear();
        scratch.alpha.resize(size, 0.0);
        scratch.is_touched.clear();
        scratch.is_touched.resize(size, false);
        scratch.touched.clear();
    }

    /// Works until there were so many pivots in all.
    fn run(&mut self, last: u64, cutoff: f64, is_over: &mut dyn FnMut() -> bool) -> Verdict {
        if self.factors.is_none() && !self.factor(is_over) {
            return Verdict::Stopped;
        }
        if !self.goes_on {
            self.recompute();
        }
        let is_large = self.head.len() > LARGE;
        let mut doubts = 0;
        loop {
            if self.pivots >= last || ((is_large || self.pivots.is_multiple_of(PIVOTS_PER_LOOK)) && is_over()) {
                return Verdict::Stopped;
            }
            let factors = self.factors.as_ref().expect("factored");
            let has_grown = factors.grown() > GROWTH * (factors.entries() + self.rows.len());
            if factors.is_off() || factors.age() >= OLD || has_grown {
                if !self.factor(is_over) {
                    return Verdict::Stopped;
                }
                self.recompute();
            }
            if cutoff < f64::INFINITY && self.pivots.is_multiple_of(PIVOTS_PER_CUTOFF) && self.objective() > cutoff {
                return Verdict::Cutoff;
            }
            match self.step() {
                Step::Done => doubts = 0,
                Step::Optimal => return Verdict::Optimal,
                Step::Infeasible => return Verdict::Infeasible,
                Step::Stuck => return Verdict::Stopped,
                Step::Doubtful => {
                    doubts += 1;
                    if doubts > 2 || !self.factor(is_over) {
                        return Verdict::Stopped;
                    }
                    self.recompute();
                }
            }
        }
    }

    /// Factors the basis. Columns that depend on others make place for logical variables. Returns whether there was time
    /// for it; if not, all is as before.
    fn factor(&mut self, is_over: &mut dyn FnMut() -> bool) -> bool {
        let n = self.columns.len();
        let m = self.rows.len();
        let logical: Vec<(u32, f64)> = (0..m as u32).map(|row| (row, LOGICAL)).collect();
        loop {
            let factored = {
                let (head, columns) = (&self.head, &self.columns);
                let column = |at: usize| {
                    let variable = head[at] as usize;
                    if variable < n { columns[variable].as_slice() } else { &logical[variable - n..=variable - n] }
                };
                Factors::of(m, column, is_over)
            };
            let Some((factors, pivots)) = factored else { return false };
            // What there was goes with another head.
            self.factors = None;
            let mut head = vec![NONBASIC; m];
            let mut edge_norms = vec![1.0; m];
            for (at, row) in pivots.row_from_column.iter().enumerate() {
                match row {
                    Some(row) => {
                        head[*row as usize] = self.head[at];
                        edge_norms[*row as usize] = self.edge_norms[at];
                    }
                    None => self.place[self.head[at] as usize] = NONBASIC,
                }
            }
            for (row, variable) in head.iter_mut().enumerate() {
                if *variable == NONBASIC {
                    *variable = (n + row) as u32;
                }
                self.place[*variable as usize] = row as u32;
            }
            self.head = head;
            self.edge_norms = edge_norms;
            if pivots.complete {
                self.factors = Some(factors);
                return true;
            }
        }
    }

    /// Lists what may enter from here on.
    fn list_movable(&mut self) {
        let n = self.columns.len();
        let Scratch { basic_bounds, movable: Movable { columns, rows, late }, .. } = &mut self.scratch;
        basic_bounds.clear();
        basic_bounds
            .extend(self.head.iter().map(|&variable| (self.lower[variable as usize], self.upper[variable as usize])));
        late.clear();
        columns.clear();
        columns.extend((0..n).map(|column| self.place[column] == NONBASIC && self.lower[column] != self.upper[column]));
        rows.become_part(&self.rows, columns);
    }

    /// Computes reduced costs, sets each nonbasic variable to the bound that suits its own, and computes the values.
    fn recompute(&mut self) {
        self.list_movable();
        let (n, m) = (self.columns.len(), self.rows.len());
        let factors = self.factors.as_ref().expect("factored");
        let y = &mut self.scratch.full;
        y.clear();
        y.extend(self.head.iter().map(|&variable| self.cost[variable as usize]));
        factors.solve_transposed(y);
        // What is basic or fixed never enters, whatever it costs.
        let Movable { columns, rows, .. } = &self.scratch.movable;
        for (reduced, (cost, is_movable)) in self.reduced.iter_mut().zip(self.cost.iter().zip(columns)) {
            *reduced = if *is_movable { *cost } else { 0.0 };
        }
        for (row, entries) in rows.iter().enumerate() {
            subtract(y[row], entries, &mut self.reduced);
            let logical = n + row;
            let is_movable = self.place[logical] == NONBASIC && self.lower[logical] != self.upper[logical];
            self.reduced[logical] = if is_movable { self.cost[logical] + y[row] } else { 0.0 };
        }
        for variable in 0..n + m {
            if self.place[variable] == NONBASIC {
                self.settle(variable);
            }
        }
        let factors = self.factors.as_ref().expect("factored");
        let b = &mut self.basic_value;
        b.fill(0.0);
        for variable in 0..n + m {
            if self.place[variable] == NONBASIC {
                let value = if self.at_upper[variable] { self.upper[variable] } else { self.lower[variable] };
                if value != 0.0 {
                    if variable < n {
                        for &(row, entry) in &self.columns[variable] {
                            b[row as usize] -= entry * value;
                        }
                    } else {
                        b[variable - n] += value;
                    }
                }
            }
        }
        factors.solve_full(b);
        let Scratch { excess, basic_bounds, .. } = &mut self.scratch;
        excess.clear();
        excess.extend(b.iter().zip(&*basic_bounds).map(|(&value, &bounds)| outside(value, bounds)));
    }

    /// Sets a nonbasic variable to the bound that suits its reduced cost.
    fn settle(&mut self, variable: usize) {
        let (lower, upper, reduced) = (self.lower[variable], self.upper[variable], self.reduced[variable]);
        let suits = if reduced.abs() > self.dual_tolerance() { reduced < 0.0 } else { self.at_upper[variable] };
        let bound = if suits { upper } else { lower };
        self.at_upper[variable] = lower != upper && suits == bound.is_finite();
        if lower != upper {
            self.shift_if_wrong(variable);
        }
    }

    /// Where a reduced cost has the wrong sign, the cost moves so that it is zero.
    fn shift_if_wrong(&mut self, variable: usize) {
        let reduced = self.reduced[variable];
        let wrong = if self.at_upper[variable] { reduced > 0.0 } else { reduced < 0.0 };
        if wrong {
            self.cost[variable] -= reduced;
            self.reduced[variable] = 0.0;
        }
    }

    /// What the present basis costs: the optimum is not less.
    fn objective(&self) -> f64 {
        let n = self.columns.len();
        let basic = self.head.iter().zip(&self.basic_value);
        let basic: f64 = basic.map(|(&variable, value)| self.cost[variable as usize] * value).sum();
        let nonbasic = (0..n + self.rows.len()).filter(|&variable| self.place[variable] == NONBASIC);
        let nonbasic: f64 = nonbasic
            .map(|variable| {
                let value = if self.at_upper[variable] { self.upper[variable] } else { self.lower[variable] };
                if self.cost[variable] == 0.0 { 0.0 } else { self.cost[variable] * value }
            })
            .sum();
        basic + nonbasic
    }

    /// Brings back values and multipliers, by the costs without shifts.
    fn finish(&mut self, verdict: Verdict) {
        let variables = 0..self.columns.len();
        if verdict == Verdict::Optimal {
            self.solved.values.clear();
            self.solved.values.extend(variables.map(|variable| match self.place[variable] {
                NONBASIC if self.at_upper[variable] => self.upper[variable],
                NONBASIC => self.lower[variable],
                row => self.basic_value[row as usize].clamp(self.lower[variable], self.upper[variable]),
            }));
        }
        let mut multipliers = std::mem::take(&mut self.solved.multipliers);
        let costs = self.costs();
        multipliers.clear();
        multipliers.extend(self.head.iter().map(|&variable| costs.get(variable as usize).copied().unwrap_or(0.0)));
        match &self.factors {
            Some(factors) => factors.solve_transposed(&mut multipliers),
            // There was no time even for that; any multipliers will do.
            None => multipliers.fill(0.0),
        }
        self.solved.multipliers = multipliers;
    }
}
