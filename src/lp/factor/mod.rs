//! The factors of a basis: what an [`elimination`] leaves, brought up to date at every pivot since.
//!
//! A pivot of the simplex method puts another column into the basis. Its part right of the pivots takes the place of the old
//! one, goes to the end of the order, and what the pivot's row has to the right is taken off it in multiples of other rows (J. J.
//! Forrest and J. A. Tomlin, *Updated triangular factors of the basis to maintain sparsity in the product form simplex
//! method*, Mathematical Programming 2 (1972) 263–278, doi:10.1007/BF01584548). Those multiples are what the row of the
//! inverse that chose the pivot was on its way.
//!
//! Most vectors of path problems have few entries, and so have the solutions: as long as that is so, a solve goes only where
//! [something is reached](vector) (J. A. J. Hall and K. I. M. McKinnon, *Hyper-sparsity in the revised simplex method and how to
//! exploit it*, Computational Optimization and Applications 32 (2005) 259–283, doi:10.1007/s10589-005-4802-0).
//!
//! Vectors are indexed by the rows of the program throughout: a basic variable is named by the row it was pivoted on.

mod elimination;
mod lists;
#[cfg(test)]
mod tests;
mod vector;

use std::collections::VecDeque;

use self::elimination::Elimination;
use self::lists::ByRow;
pub(super) use self::lists::{Lists, subtract};
pub(super) use self::vector::{Reach, Vector};

/// Entries smaller than this are taken for zero.
const TINY: f64 = 1e-11;
/// The new pivot may be off by this part of what the column says.
const MOST_OFF: f64 = 1e-6;
/// What a logical variable has in its row.
pub(super) const LOGICAL: f64 = -1.0;
const NONE: u32 = u32::MAX;

/// What the elimination came to.
pub(super) struct Pivots {
    /// The row that each column was pivoted on, `None` for columns that depend on others.
    pub(super) row_from_column: Vec<Option<u32>>,
    /// Whether every column has a row; if not, the factors are of no use.
    pub(super) complete: bool,
}

/// A factored basis.
#[derive(Clone, Default)]
pub(super) struct Factors {
    /// The rows in the order they were pivoted on, with gaps, and where each of them is, counted from the first that the
    /// elimination had.
    order: VecDeque<u32>,
    position: Vec<i32>,
    /// How many rows have come before that one.
    in_front: i32,
    /// For some pivot rows, in order: what was taken off other rows, in multiples of it. For each row which of them it is.
    lower_pivots: Vec<u32>,
    lower: Lists,
    lower_of: Vec<u32>,
    /// The same by the rows that it was taken off.
    lower_by_row: Lists,
    /// What remains right of the pivots: by row and by column.
    upper_rows: ByRow,
    upper_columns: ByRow,
    /// The pivots since: the row, and what was taken off it.
    eta_pivots: Vec<u32>,
    etas: Lists,
    /// The room that the elimination took.
    room: usize,
    is_off: bool,
    /// The row of the inverse and the column that were solved for last, on their way.
    row_on_its_way: Vec<(u32, f64)>,
    column_on_its_way: Vec<(u32, f64)>,
    /// That column spread out; zero in between.
    spread: Vec<f64>,
    /// Two vectors that are solved for at a time.
    both: Vec<[f64; 2]>,
}

impl Factors {
    /// Factors the basis of `size` columns, each given as its entries `(row, value)`.
    /// `None` where it `is_over` before it is done.
    pub(super) fn of<'a>(
        size: usize,
        column: impl Fn(usize) -> &'a [(u32, f64)],
        is_over: &mut dyn FnMut() -> bool,
    ) -> Option<(Self, Pivots)> {
        let mut elimination = Elimination::new(size, column);
        elimination.run(is_over).then(|| Self::from_elimination(elimination))
    }

    fn from_elimination(elimination: Elimination) -> (Self, Pivots) {
        let size = elimination.size();
        let Elimination { pivots: made, right, lower_pivots, lower, .. } = elimination;
        let mut row_from_column = vec![None; size];
        for &(row, column, _) in &made {
            row_from_column[column as usize] = Some(row);
        }
        let complete = made.len() == size;
        let pivots = Pivots { row_from_column, complete };
        if !complete {
            return (Factors::default(), pivots);
        }
        let order: Vec<u32> = made.iter().map(|&(row, ..)| row).collect();
        let mut position = vec![0; size];
        order.iter().enumerate().for_each(|(at, &row)| position[row as usize] = at as i32);
        let mut rows = right;
        // A column is named by the row it was pivoted on.
        for entry in &mut rows.entries {
            entry.0 = pivots.row_from_column[entry.0 as usize].expect("the elimination is complete");
        }
        let names: Vec<u32> = (0..size as u32).collect();
        let columns = rows.transposed(size, &order);
        let (mut upper_rows, mut upper_columns) = (ByRow::new(size, rows, &order), ByRow::new(size, columns, &names));
        for &(row, _, pivot) in &made {
            upper_rows.set_pivot(row, pivot);
            upper_columns.set_pivot(row, pivot);
        }
        let mut lower_of = vec![NONE; size];
        for (at, &row) in lower_pivots.iter().enumerate() {
            lower_of[row as usize] = at as u32;
        }
        let mut factors = Factors {
            lower_by_row: lower.transposed(size, &lower_pivots),
            upper_rows,
            upper_columns,
            order: order.into(),
            position,
            lower_pivots,
            lower,
            lower_of,
            spread: vec![0.0; size],
            ..Factors::default()
        };
        factors.room = factors.room_now();
        (factors, pivots)
    }

    /// Another row, with its logical variable in the basis, and what it has in other columns of the basis, named by their rows.
    /// No other row has anything in the new column, so it may come before all.
    pub(super) fn add_row(&mut self, entries: impl Iterator<Item = (u32, f64)>) {
        let row = self.position.len() as u32;
        self.upper_rows.add(LOGICAL);
        self.upper_columns.add(LOGICAL);
        for (column, value) in entries {
            self.upper_rows.push(row, (column, value));
            self.upper_columns.push(column, (row, value));
        }
        self.in_front += 1;
        self.order.push_front(row);
        self.position.push(-self.in_front);
        self.lower_of.push(NONE);
        self.lower_by_row.close();
        self.spread.push(0.0);
    }

    /// How many pivots there were since the elimination.
    pub(super) fn age(&self) -> usize {
        self.eta_pivots.len()
    }

    /// Whether rounding errors have become too much.
    pub(super) fn is_off(&self) -> bool {
        self.is_off
    }

    /// Entries that have come since the elimination, with what was left behind.
    pub(super) fn grown(&self) -> usize {
        self.room_now() - self.room
    }

    /// The entries that the elimination left.
    pub(super) fn entries(&self) -> usize {
        self.room
    }

    fn room_now(&self) -> usize {
        self.lower.entries.len() + self.upper_columns.room() + self.etas.entries.len()
    }

    pub(super) fn bytes(&self) -> usize {
        let lists = [&self.lower, &self.lower_by_row, &self.etas];
        let entries = lists.iter().map(|lists| lists.entries.capacity() * 16).sum::<usize>();
        entries + self.upper_rows.bytes() + self.upper_columns.bytes() + self.order.len() * 64
    }

    /// Solves `B x = b` in place.
    pub(super) fn solve(&self, b: &mut Vector, reach: &mut Reach) {
        self.forward(b, reach);
        self.backward(b, reach);
    }

    /// The same for a column that may enter the basis, and for another vector: with one look at the triangle where neither is sparse.
    pub(super) fn solve_column(&mut self, column: &mut Vector, other: &mut Vector, reach: &mut Reach) {
        self.forward(column, reach);
        column.list();
        self.column_on_its_way.clear();
        self.column_on_its_way.extend(column.iter().filter(|entry| entry.1.abs() > TINY));
        self.forward(other, reach);
        let is_done = divide_reached(&self.upper_columns, column, reach);
        let is_other_done = divide_reached(&self.upper_columns, other, reach);
        match (is_done, is_other_done) {
            (false, false) => self.divide_both(column, other),
            (false, true) => divide_all(&self.upper_columns, self.last_to_first(), column),
            (true, false) => divide_all(&self.upper_columns, self.last_to_first(), other),
            (true, true) => {}
        }
        column.note_solved();
        other.note_solved();
    }

    /// What the elimination took off rows, and what pivots took since.
    fn forward(&self, b: &mut Vector, reach: &mut Reach) {
        if !(b.is_sparse() && reach.search(b, |row| self.taken_with(row))) {
            self.take_off(&mut b.values);
            return b.forget_list();
        }
        for &row in reach.rows.iter().rev() {
            subtract(b.values[row as usize], self.taken_with(row), &mut b.values);
        }
        std::mem::swap(&mut b.listed, &mut reach.rows);
        for (at, &row) in self.eta_pivots.iter().enumerate() {
            let taken = product(self.etas.list(at), &b.values);
            if taken != 0.0 {
                reach.add(b, row, -taken);
            }
        }
    }

    /// The triangle, from the last pivot to the first.
    fn backward(&self, b: &mut Vector, reach: &mut Reach) {
        if !divide_reached(&self.upper_columns, b, reach) {
            divide_all(&self.upper_columns, self.last_to_first(), b);
        }
        b.note_solved();
    }

    /// Solves `y B = c` in place, where `c` is a row of the unit matrix.
    pub(super) fn solve_row(&mut self, c: &mut Vector, reach: &mut Reach) {
        if !divide_reached(&self.upper_rows, c, reach) {
            divide_all(&self.upper_rows, self.first_to_last(), c);
        }
        self.row_on_its_way.clear();
        self.row_on_its_way.extend(c.iter().filter(|entry| entry.1.abs() > TINY));

        for (at, &row) in self.eta_pivots.iter().enumerate().rev() {
            let value = c.values[row as usize];
            if value != 0.0 {
                self.etas.list(at).iter().for_each(|&(other, multiple)| c.add(other, -multiple * value));
            }
        }
        if c.stays_sparse() && reach.search(c, |row| self.lower_by_row.list(row as usize)) {
            for &row in reach.rows.iter().rev() {
                subtract(c.values[row as usize], self.lower_by_row.list(row as usize), &mut c.values);
            }
            std::mem::swap(&mut c.listed, &mut reach.rows);
        } else {
            self.take_off_transposed(&mut c.values);
            c.forget_list();
            c.list();
        }
        c.note_solved();
    }

    /// Solves `B x = b` in place, where few of `b` are zero.
    pub(super) fn solve_full(&self, b: &mut [f64]) {
        self.take_off(b);
        for row in self.last_to_first() {
            self.upper_columns.divide(row, b);
        }
    }

    /// Solves `y B = c` in place, where few of `c` are zero.
    pub(super) fn solve_transposed(&self, c: &mut [f64]) {
        for row in self.first_to_last() {
            self.upper_rows.divide(row, c);
        }
        for (at, &row) in self.eta_pivots.iter().enumerate().rev() {
            subtract(c[row as usize], self.etas.list(at), c);
        }
        self.take_off_transposed(c);
    }

    fn taken_with(&self, row: u32) -> &[(u32, f64)] {
        match self.lower_of[row as usize] {
            NONE => &[],
            at => self.lower.list(at as usize),
        }
    }

    fn take_off(&self, b: &mut [f64]) {
        for (at, &row) in self.lower_pivots.iter().enumerate() {
            subtract(b[row as usize], self.lower.list(at), b);
        }
        for (at, &row) in self.eta_pivots.iter().enumerate() {
            b[row as usize] -= product(self.etas.list(at), b);
        }
    }

    fn take_off_transposed(&self, c: &mut [f64]) {
        for (at, &row) in self.lower_pivots.iter().enumerate().rev() {
            c[row as usize] -= product(self.lower.list(at), c);
        }
    }

    /// The rows in the order they were pivoted on, and back.
    fn first_to_last(&self) -> impl Iterator<Item = u32> + '_ {
        self.order.iter().copied().filter(|&row| row != NONE)
    }

    fn last_to_first(&self) -> impl Iterator<Item = u32> + '_ {
        self.order.iter().rev().copied().filter(|&row| row != NONE)
    }

    fn divide_both(&mut self, one: &mut Vector, two: &mut Vector) {
        let mut both = std::mem::take(&mut self.both);
        both.clear();
        both.extend(one.values.iter().zip(&two.values).map(|(&one, &two)| [one, two]));
        one.begin_list();
        two.begin_list();
        for row in self.last_to_first() {
            let values = self.upper_columns.divide_both(row, &mut both);
            for (vector, value) in [&mut *one, &mut *two].into_iter().zip(values) {
                vector.values[row as usize] = value;
                vector.note(row, value);
            }
        }
        self.both = both;
    }

    /// The basic variable of this row makes place for the one whose column was solved for last, as the row of the inverse was.
    /// `entry` is what that column has in the row, in terms of the basis; where the factors say otherwise, they are
    /// [off](Self::is_off).
    pub(super) fn replace(&mut self, row: u32, entry: f64) {
        let old_pivot = self.upper_rows.pivot(row);
        for &(other, _) in self.upper_columns.list(row) {
            self.upper_rows.remove(other, row);
        }
        for &(other, _) in self.upper_rows.list(row) {
            self.upper_columns.remove(other, row);
        }
        self.upper_columns.clear(row);
        self.upper_rows.clear(row);
        let mut pivot = 0.0;
        for &(other, value) in &self.column_on_its_way {
            if other == row {
                pivot = value;
            } else {
                self.upper_columns.push(row, (other, value));
                self.upper_rows.push(other, (row, value));
            }
        }
        let others = self.row_on_its_way.iter().filter(|&&(other, _)| other != row);
        self.etas.entries.extend(others.map(|&(other, value)| (other, -value * old_pivot)));
        self.etas.close();
        for &(other, value) in &self.column_on_its_way {
            self.spread[other as usize] = value;
        }
        pivot -= product(self.etas.list(self.age()), &self.spread);
        for &(other, _) in &self.column_on_its_way {
            self.spread[other as usize] = 0.0;
        }
        self.eta_pivots.push(row);
        self.upper_rows.set_pivot(row, pivot);
        self.upper_columns.set_pivot(row, pivot);
        let place = |position: i32| (position + self.in_front) as usize;
        self.order[place(self.position[row as usize])] = NONE;
        self.position[row as usize] = self.order.len() as i32 - self.in_front;
        self.order.push_back(row);
        let said = entry * old_pivot;
        let off_by = (pivot - said).abs();
        self.is_off |= off_by.is_nan() || off_by > MOST_OFF * said.abs();
    }
}

/// Solves with a triangle as far as something is reached; `false`, and nothing done, where that is much.
fn divide_reached(triangle: &ByRow, vector: &mut Vector, reach: &mut Reach) -> bool {
    let is_sparse = vector.stays_sparse() && reach.search(vector, |row| triangle.list(row));
    if is_sparse {
        for &row in reach.rows.iter().rev() {
            triangle.divide(row, &mut vector.values);
        }
        std::mem::swap(&mut vector.listed, &mut reach.rows);
    }
    is_sparse
}

/// Solves with a triangle row by row, and lists what is not zero.
fn divide_all(triangle: &ByRow, order: impl Iterator<Item = u32>, vector: &mut Vector) {
    vector.begin_list();
    for row in order {
        let value = triangle.divide(row, &mut vector.values);
        vector.note(row, value);
    }
}

/// In four sums, so that none waits for the last.
fn product(entries: &[(u32, f64)], values: &[f64]) -> f64 {
    let (fours, rest) = entries.as_chunks::<4>();
    let term = |&(row, entry): &(u32, f64)| entry * values[row as usize];
    let mut sums = [0.0; 4];
    for four in fours {
        sums.iter_mut().zip(four).for_each(|(sum, entry)| *sum += term(entry));
    }
    sums.iter().sum::<f64>() + rest.iter().map(term).sum::<f64>()
}
