//! The assignment bound: every vertex that is visited is left once and entered once.
//!
//! Rows are the vertices to be left, columns those to be entered; a vertex that is not visited enters itself, for nothing.
//! The end of the path is one more column, and its beginning, where that is still open, one more row. Every completion of
//! a walk is a perfect assignment of these, so the heaviest one bounds it; cycles beside the path are what it gives away.
//! Where no perfect assignment exists there is no completion at all. A move whose arc has the reduced cost `r` loses at
//! least `r` against the bound.
//!
//! Rows and columns only ever vanish along a walk, so the assignment of a state comes from that of its parent by one
//! shortest augmenting path for each row that lost its column (R. Jonker and A. Volgenant, *A shortest augmenting path
//! algorithm for dense and sparse linear assignment problems*, Computing 38, 1987, doi:10.1007/BF02278710). The bound is the
//! usual one of the asymmetric travelling salesman.

use super::bits::Bits;
use super::board::Board;
use super::ways::NONE;
use crate::instance::NOT_AN_END;

/// Which rows and columns there are.
#[derive(Clone, Copy)]
pub(super) struct Lines<B> {
    pub(super) rows: B,
    pub(super) columns: B,
    /// The row of the beginning, and the column of the end.
    pub(super) start: bool,
    pub(super) end: bool,
}

/// A heaviest assignment with the potentials that prove it. Row and column `n` are those of the path's ends.
pub(super) struct Assignment<B> {
    lines: Lines<B>,
    column_of: Vec<u8>,
    row_of: Vec<u8>,
    row_potential: Vec<i64>,
    column_potential: Vec<i64>,
}

const FREE: u8 = u8::MAX;

/// Memory for [`Assignment::shrink`], kept between calls.
pub(super) struct Labels {
    /// `distance[c]` and `from[c]` hold where `round[c]` is the current one; then `settled[c]` says whether for good.
    round: Vec<u32>,
    current: u32,
    distance: Vec<i64>,
    from: Vec<u8>,
    open: Vec<u8>,
    settled: Vec<u8>,
}

impl Labels {
    pub(super) fn new(n: usize) -> Self {
        Labels {
            round: vec![0; n + 1],
            current: 0,
            distance: vec![0; n + 1],
            from: vec![FREE; n + 1],
            open: Vec::with_capacity(n + 1),
            settled: Vec::with_capacity(n + 1),
        }
    }
}

impl<B: Bits> Assignment<B> {
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.column_of.len() * 2 * (size_of::<u8>() + size_of::<i64>())
    }

    /// Nothing is assigned yet.
    pub(super) fn empty(board: &Board<B>) -> Self {
        let lines = Lines { rows: B::default(), columns: B::default(), start: false, end: false };
        Assignment {
            lines,
            column_of: vec![FREE; board.n + 1],
            row_of: vec![FREE; board.n + 1],
            row_potential: vec![0; board.n + 1],
            column_potential: vec![0; board.n + 1],
        }
    }

    /// Becomes an empty assignment of these lines, with potentials that no arc exceeds.
    pub(super) fn reset(&mut self, board: &Board<B>, lines: Lines<B>) {
        self.lines = lines;
        self.column_of.fill(FREE);
        self.row_of.fill(FREE);
        self.column_potential.fill(0);
        self.row_potential.fill(0);
        for row in self.rows(lines) {
            let mut best = NONE;
            self.each_column(board, row, |_, weight| best = best.max(weight));
            self.row_potential[row] = best.max(-(1 << 60));
        }
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.lines = other.lines;
        self.column_of.copy_from_slice(&other.column_of);
        self.row_of.copy_from_slice(&other.row_of);
        self.row_potential.copy_from_slice(&other.row_potential);
        self.column_potential.copy_from_slice(&other.column_potential);
    }

    /// Drops all lines but these, assigns anew what that tore apart, and returns the weight, or [`NONE`] if there is no
    /// perfect assignment.
    pub(super) fn shrink(&mut self, board: &Board<B>, lines: Lines<B>, labels: &mut Labels) -> i64 {
        let n = board.n;
        let before = std::mem::replace(&mut self.lines, lines);
        let gone = |had: bool, has: bool| had && !has;
        let end_row = gone(before.start, lines.start).then_some(n);
        for row in (before.rows & !lines.rows).members().chain(end_row) {
            let column = std::mem::replace(&mut self.column_of[row], FREE);
            if column != FREE {
                self.row_of[usize::from(column)] = FREE;
            }
        }
        let end_column = gone(before.end, lines.end).then_some(n);
        for column in (before.columns & !lines.columns).members().chain(end_column) {
            let row = std::mem::replace(&mut self.row_of[column], FREE);
            if row != FREE {
                self.column_of[usize::from(row)] = FREE;
            }
        }
        for row in self.rows(lines) {
            if self.column_of[row] == FREE && !self.augment(board, row, labels) {
                return NONE;
            }
        }
        self.rows(lines).map(|row| self.weight(board, row, usize::from(self.column_of[row]))).sum()
    }

    /// How much less than the whole any assignment weighs that uses this arc; `from` is `n` for the beginning.
    pub(super) fn loss(&self, board: &Board<B>, from: usize, to: usize) -> i64 {
        self.row_potential[from] + self.column_potential[to] - self.weight(board, from, to)
    }

    fn rows(&self, lines: Lines<B>) -> impl Iterator<Item = usize> + use<B> {
        let n = self.column_of.len() - 1;
        lines.rows.members().chain(lines.start.then_some(n))
    }

    fn weight(&self, board: &Board<B>, row: usize, column: usize) -> i64 {
        let n = board.n;
        match (row == n, column == n) {
            (true, _) => board.first[column],
            (false, true) => board.last[row],
            (false, false) if row == column => 0,
            (false, false) => board.weight(row, column),
        }
    }

    /// Every column that the row may be assigned to, with the weight.
    fn each_column(&self, board: &Board<B>, row: usize, mut visit: impl FnMut(usize, i64)) {
        let (n, lines) = (board.n, &self.lines);
        if row == n {
            for column in (board.may_be_first & lines.columns).members() {
                visit(column, board.first[column]);
            }
            return;
        }
        for column in (board.out[row] & lines.columns).members() {
            visit(column, board.weight(row, column));
        }
        if lines.columns.has(row) {
            visit(row, 0);
        }
        if lines.end && board.last[row] != NOT_AN_END {
            visit(n, board.last[row]);
        }
    }

    /// Assigns a free row along a shortest augmenting path, if there is any.
    fn augment(&mut self, board: &Board<B>, free_row: usize, labels: &mut Labels) -> bool {
        labels.current = labels.current.checked_add(1).unwrap_or_else(|| {
            labels.round.fill(0);
            1
        });
        labels.open.clear();
        labels.settled.clear();
        let (mut row, mut so_far) = (free_row, 0);
        let sink = loop {
            let at = so_far + self.row_potential[row];
            self.each_column(board, row, |column, weight| {
                let distance = at + self.column_potential[column] - weight;
                if labels.round[column] != labels.current {
                    labels.round[column] = labels.current;
                    labels.open.push(column as u8);
                } else if distance >= labels.distance[column] {
                    return;
                }
                labels.distance[column] = distance;
                labels.from[column] = row as u8;
            });
            let nearest = (0..labels.open.len()).min_by_key(|&at| labels.distance[usize::from(labels.open[at])]);
            let Some(nearest) = nearest else {
                return false;
            };
            let column = usize::from(labels.open.swap_remove(nearest));
            so_far = labels.distance[column];
            if self.row_of[column] == FREE {
                break column;
            }
            labels.settled.push(column as u8);
            row = usize::from(self.row_of[column]);
        };
        self.row_potential[free_row] -= so_far;
        for column in labels.settled.iter().map(|&column| usize::from(column)) {
            let nearer = so_far - labels.distance[column];
            self.column_potential[column] += nearer;
            self.row_potential[usize::from(self.row_of[column])] -= nearer;
        }
        let mut column = sink;
        loop {
            let row = usize::from(labels.from[column]);
            let next = std::mem::replace(&mut self.column_of[row], column as u8);
            self.row_of[column] = row as u8;
            if row == free_row {
                return true;
            }
            column = usize::from(next);
        }
    }
}
