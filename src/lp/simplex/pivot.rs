//! One step of the simplex method: which variable leaves, which enters, which jump from bound to bound, and the exchange.

use super::{
    LEAST_ENTRY, LEAST_PIVOT, LEAST_WEIGHT, LOGICAL, NONBASIC, PRIMAL_TOLERANCE, SAFE_PIVOT, Scratch, Simplex,
};

/// A variable that may enter.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    variable: u32,
    /// Its entry in the pivot row, positive where the ratio counts.
    entry: f64,
    /// Its reduced cost away from zero for each unit of the entry, and with what that may be off.
    ratio: f64,
    most: f64,
}

/// The variable that leaves: its row, and how far it is above its upper bound (negative: below its lower).
#[derive(Clone, Copy)]
struct Leaving {
    row: usize,
    excess: f64,
}

/// What a step came to.
pub(super) enum Step {
    Done,
    Infeasible,
    /// The pivot is not what the row promised: factor again.
    Doubtful,
    /// No acceptable pivot even so.
    Stuck,
    Optimal,
}

impl Simplex {
    /// The basic variable that is furthest outside its bounds, by steepest edge.
    fn leaving(&self) -> Option<Leaving> {
        let mut best = None;
        let mut greatest = 0.0;
        for (row, (&excess, &edge_norm)) in self.scratch.excess.iter().zip(&self.edge_norms).enumerate() {
            if excess == 0.0 {
                continue;
            }
            let gain = excess * excess;
            if gain > greatest * edge_norm {
                greatest = gain / edge_norm;
                best = Some(Leaving { row, excess });
            }
        }
        best
    }

    /// One step of the method.
    pub(super) fn step(&mut self) -> Step {
        let Some(leaving) = self.leaving() else { return Step::Optimal };
        self.pivot_row(leaving.row);
        let Some(entering) = self.entering(leaving) else {
            self.solved.ray.clear();
            let sign = if leaving.excess > 0.0 { 1.0 } else { -1.0 };
            self.solved.ray.extend(self.scratch.rho.values.iter().map(|value| sign * value));
            return if self.factors.as_ref().expect("factored").age() > 0 { Step::Doubtful } else { Step::Infeasible };
        };
        let (n, row) = (self.columns.len(), leaving.row);
        let factors = self.factors.as_mut().expect("factored");
        let Scratch { rho, column, tau, reach, .. } = &mut self.scratch;
        column.clear();
        if entering < n {
            self.columns[entering].iter().for_each(|&(at, value)| column.add(at, value));
        } else {
            column.add((entering - n) as u32, LOGICAL);
        }
        tau.copy_from(rho);
        factors.solve_column(column, tau, reach);
        let (pivot, promised) = (column.values[row], self.scratch.alpha[entering]);
        let fresh = factors.age() == 0;
        if (pivot - promised).abs() > 1e-6 * (1.0 + pivot.abs()) || (!fresh && pivot.abs() < SAFE_PIVOT) {
            if !fresh {
                return Step::Doubtful;
            }
            if pivot.abs() < LEAST_PIVOT || pivot.signum() != promised.signum() {
                return Step::Stuck;
            }
        }
        self.flip_bounds();
        self.update(leaving, entering);
        Step::Done
    }

    /// Computes a row of the inverse, and the pivot row that belongs to it.
    pub(super) fn pivot_row(&mut self, row: usize) {
        let n = self.columns.len();
        let scratch = &mut self.scratch;
        for &variable in &scratch.touched {
            scratch.alpha[variable as usize] = 0.0;
            scratch.is_touched[variable as usize] = false;
        }
        scratch.touched.clear();
        scratch.rho.clear();
        scratch.rho.add(row as u32, 1.0);
        self.factors.as_mut().expect("factored").solve_row(&mut scratch.rho, &mut scratch.reach);
        scratch.rho.drop_below(LEAST_ENTRY);
        let Scratch { rho, alpha, is_touched, touched, movable, .. } = scratch;
        for (at, multiple) in rho.iter() {
            let at = at as usize;
            for &(column, value) in movable.rows.list(at) {
                // Terms may cancel on the way, so the entry itself doesn't tell.
                if !is_touched[column as usize] {
                    is_touched[column as usize] = true;
                    touched.push(column);
                }
                alpha[column as usize] += multiple * value;
            }
            let logical = n + at;
            if self.place[logical] == NONBASIC && self.lower[logical] != self.upper[logical] {
                touched.push(logical as u32);
                alpha[logical] = -multiple;
            }
        }
        for &column in &movable.late {
            if self.place[column as usize] == NONBASIC && !is_touched[column as usize] {
                is_touched[column as usize] = true;
                let entry: f64 =
                    self.columns[column as usize].iter().map(|&(row, value)| rho.values[row as usize] * value).sum();
                touched.push(column);
                alpha[column as usize] = entry;
            }
        }
    }

    /// The variable that enters, by the long-step rule; those that jump to their other bound before are left as the
    /// candidates. `None`: nothing stops the objective from growing.
    fn entering(&mut self, leaving: Leaving) -> Option<usize> {
        let tolerance = self.dual_tolerance();
        let scratch = &mut self.scratch;
        scratch.candidates.clear();
        for &variable in &scratch.touched {
            let at = variable as usize;
            if self.place[at] != NONBASIC || self.lower[at] == self.upper[at] {
                continue;
            }
            let entry = if leaving.excess > 0.0 { scratch.alpha[at] } else { -scratch.alpha[at] };
            let (entry, reduced) =
                if self.at_upper[at] { (-entry, -self.reduced[at]) } else { (entry, self.reduced[at]) };
            if entry > LEAST_PIVOT {
                let reduced = reduced.max(0.0);
                let (ratio, most) = (reduced / entry, (reduced + tolerance) / entry);
                scratch.candidates.push(Candidate { variable, entry, ratio, most });
            }
        }
        let candidates = &mut scratch.candidates;
        let mut slope = leaving.excess.abs();
        let mut jumped = 0;
        loop {
            let rest = &mut candidates[jumped..];
            if rest.is_empty() {
                return None;
            }
            let limit = rest.iter().map(|candidate| candidate.most).fold(f64::INFINITY, f64::min);
            let (mut group, mut fall) = (0, 0.0);
            for at in 0..rest.len() {
                let candidate = rest[at];
                if candidate.ratio <= limit {
                    let variable = candidate.variable as usize;
                    fall += candidate.entry * (self.upper[variable] - self.lower[variable]);
                    rest.swap(group, at);
                    group += 1;
                }
            }
            if slope - fall > PRIMAL_TOLERANCE {
                slope -= fall;
                jumped += group;
                continue;
            }
            let best = (0..group).max_by(|&one, &two| rest[one].entry.total_cmp(&rest[two].entry))?;
            let variable = rest[best].variable as usize;
            candidates.truncate(jumped);
            return Some(variable);
        }
    }

    /// Lets the candidates left jump to their other bounds.
    fn flip_bounds(&mut self) {
        if self.scratch.candidates.is_empty() {
            return;
        }
        let n = self.columns.len();
        let Scratch { bound_flips: change, reach, candidates, excess, basic_bounds, .. } = &mut self.scratch;
        change.clear();
        for candidate in &*candidates {
            let variable = candidate.variable as usize;
            let range = self.upper[variable] - self.lower[variable];
            let by = if self.at_upper[variable] { -range } else { range };
            self.at_upper[variable] = !self.at_upper[variable];
            if variable < n {
                self.columns[variable].iter().for_each(|&(row, value)| change.add(row, -value * by));
            } else {
                change.add((variable - n) as u32, by);
            }
        }
        self.factors.as_ref().expect("factored").solve(change, reach);
        for (row, change) in change.iter() {
            let row = row as usize;
            self.basic_value[row] += change;
            excess[row] = outside(self.basic_value[row], basic_bounds[row]);
        }
    }

    /// Exchanges the two variables and brings everything up to date.
    fn update(&mut self, leaving: Leaving, entering: usize) {
        let row = leaving.row;
        let left = self.head[row] as usize;
        let pivot = self.scratch.column.values[row];

        let to_upper = leaving.excess > 0.0;
        let bound = if to_upper { self.upper[left] } else { self.lower[left] };
        let length = (self.basic_value[row] - bound) / pivot;
        let Scratch { rho, column, tau, excess, basic_bounds, .. } = &mut self.scratch;
        let steep = rho.iter().map(|(_, value)| value * value).sum::<f64>().max(LEAST_WEIGHT);
        for (at, entry) in column.iter().filter(|&(at, entry)| entry != 0.0 && at as usize != row) {
            let at = at as usize;
            self.basic_value[at] -= length * entry;
            excess[at] = outside(self.basic_value[at], basic_bounds[at]);
            let part = entry / pivot;
            let norm = &mut self.edge_norms[at];
            *norm = (*norm - 2.0 * part * tau.values[at] + part * part * steep).max(LEAST_WEIGHT);
        }
        self.edge_norms[row] = (steep / (pivot * pivot)).max(LEAST_WEIGHT);
        let from = if self.at_upper[entering] { self.upper[entering] } else { self.lower[entering] };
        self.basic_value[row] = from + length;
        basic_bounds[row] = (self.lower[entering], self.upper[entering]);
        excess[row] = outside(self.basic_value[row], basic_bounds[row]);

        let ratio = self.reduced[entering] / self.scratch.alpha[entering];
        // Rounding may have put the entering variable a little beyond the ratio that others allow.
        let ratio = if to_upper { ratio.max(0.0) } else { ratio.min(0.0) };
        self.cost[entering] -= self.reduced[entering] - ratio * self.scratch.alpha[entering];
        for at in 0..self.scratch.touched.len() {
            let variable = self.scratch.touched[at] as usize;
            if self.place[variable] == NONBASIC {
                self.reduced[variable] -= ratio * self.scratch.alpha[variable];
                if self.lower[variable] != self.upper[variable] {
                    self.shift_if_wrong(variable);
                }
            }
        }
        self.reduced[entering] = 0.0;
        self.reduced[left] = -ratio;

        self.factors.as_mut().expect("factored").replace(row as u32, pivot);
        self.head[row] = entering as u32;
        if left < self.columns.len() && self.lower[left] != self.upper[left] {
            self.scratch.movable.late.push(left as u32);
        }
        self.place[entering] = row as u32;
        self.place[left] = NONBASIC;
        self.at_upper[left] = to_upper;
        self.pivots += 1;
    }
}

/// How far a value is above its upper bound (negative: below its lower), if that is more than rounding.
pub(super) fn outside(value: f64, (lower, upper): (f64, f64)) -> f64 {
    if value > upper + PRIMAL_TOLERANCE {
        value - upper
    } else if value < lower - PRIMAL_TOLERANCE {
        value - lower
    } else {
        0.0
    }
}
