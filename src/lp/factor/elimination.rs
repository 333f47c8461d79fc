//! Sparse Gaussian elimination of a basis.
//!
//! The next pivot is one that can cause little fill, by the count of H. M. Markowitz, *The elimination form of the
//! inverse and its application to linear programming*, Management Science 3 (1957) 255–269, doi:10.1287/mnsc.3.3.255,
//! among the rows and columns with the fewest entries, and not much smaller than the greatest entry of its row. Columns
//! and rows with a single entry come first that way, and cause no arithmetic at all; in the bases of path problems they
//! are nearly everything.

use super::lists::Lists;

/// Pivots of the elimination between two looks at the clock.
const PIVOTS_PER_LOOK: usize = 256;
/// Entries smaller than this are taken for zero.
const TINY: f64 = 1e-11;
/// A pivot is at least this large, and at least this part of the greatest entry of its row.
const LEAST_PIVOT: f64 = 1e-7;
const THRESHOLD: f64 = 0.1;
/// So many rows and columns are looked at for a better pivot.
const CANDIDATES: usize = 4;
const NONE: u32 = u32::MAX;

/// Rows or columns by their number of entries, as doubly linked lists.
struct Buckets {
    head: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    count: Vec<u32>,
}

impl Buckets {
    fn new(counts: impl Iterator<Item = usize>, size: usize) -> Self {
        let mut buckets = Buckets {
            head: vec![NONE; size + 1],
            next: vec![NONE; size],
            previous: vec![NONE; size],
            count: vec![0; size],
        };
        for (item, count) in counts.enumerate() {
            buckets.insert(item as u32, count);
        }
        buckets
    }

    fn insert(&mut self, item: u32, count: usize) {
        let first = std::mem::replace(&mut self.head[count], item);
        self.next[item as usize] = first;
        self.previous[item as usize] = NONE;
        if first != NONE {
            self.previous[first as usize] = item;
        }
        self.count[item as usize] = count as u32;
    }

    fn remove(&mut self, item: u32) {
        let (previous, next) = (self.previous[item as usize], self.next[item as usize]);
        if previous == NONE {
            self.head[self.count[item as usize] as usize] = next;
        } else {
            self.next[previous as usize] = next;
        }
        if next != NONE {
            self.previous[next as usize] = previous;
        }
    }

    fn change(&mut self, item: u32, count: usize) {
        if self.count[item as usize] as usize != count {
            self.remove(item);
            self.insert(item, count);
        }
    }

    /// The items with so many entries.
    fn with(&self, count: usize) -> impl Iterator<Item = u32> + '_ {
        let is_there = |item: u32| (item != NONE).then_some(item);
        std::iter::successors(is_there(self.head[count]), move |&item| is_there(self.next[item as usize]))
    }
}

/// The entries of a row or column that are left: how many, and the sum of where they are, which tells where a single one is.
#[derive(Clone, Copy, Default)]
struct Left {
    count: u32,
    sum: u32,
}

impl Left {
    fn add(&mut self, at: u32) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(at);
    }

    fn remove(&mut self, at: u32) {
        self.count -= 1;
        self.sum = self.sum.wrapping_sub(at);
    }
}

fn value_at(entries: &[(u32, f64)], at: u32) -> f64 {
    entries.iter().find(|entry| entry.0 == at).expect("what is left is an entry").1
}

/// The matrix during the elimination.
pub(super) struct Elimination {
    /// What is left: entries by row, rows by column.
    rows: Vec<Vec<(u32, f64)>>,
    columns: Vec<Vec<u32>>,
    by_row: Buckets,
    by_column: Buckets,
    /// Pivots so far: row, column, value; what is right of each, by columns.
    pub(super) pivots: Vec<(u32, u32, f64)>,
    pub(super) right: Lists,
    pub(super) lower_pivots: Vec<u32>,
    pub(super) lower: Lists,
    /// The pivot row spread out.
    spread: Vec<f64>,
}

impl Elimination {
    /// What is left of the columns when all single entries are pivots.
    pub(super) fn new<'a>(size: usize, column: impl Fn(usize) -> &'a [(u32, f64)]) -> Self {
        let mut elimination = Elimination {
            rows: vec![Vec::new(); size],
            columns: vec![Vec::new(); size],
            by_row: Buckets::new(std::iter::empty(), size),
            by_column: Buckets::new(std::iter::empty(), size),
            pivots: Vec::with_capacity(size),
            right: Lists::default(),
            lower_pivots: Vec::new(),
            lower: Lists::default(),
            spread: vec![0.0; size],
        };
        let (rows_left, columns_left) = elimination.take_singletons(size, &column);
        for at in (0..size).filter(|&at| columns_left[at].count > 0) {
            for &(row, value) in column(at).iter().filter(|(row, _)| rows_left[*row as usize].count > 0) {
                elimination.rows[row as usize].push((at as u32, value));
                elimination.columns[at].push(row);
            }
        }
        // Rows and columns that are empty, of a basis that is none, are no pivots.
        for at in 0..size as u32 {
            let (row, pattern) = (elimination.rows[at as usize].len(), elimination.columns[at as usize].len());
            if row > 0 {
                elimination.by_row.insert(at, row);
            }
            if pattern > 0 {
                elimination.by_column.insert(at, pattern);
            }
        }
        elimination
    }

    /// Pivots on columns and rows with a single entry, as long as there are any: no entry changes by that. Returns what is
    /// left of rows and columns.
    fn take_singletons<'a>(
        &mut self,
        size: usize,
        column: &impl Fn(usize) -> &'a [(u32, f64)],
    ) -> (Vec<Left>, Vec<Left>) {
        let mut rows = vec![Left::default(); size];
        let mut columns = vec![Left::default(); size];
        let mut starts = vec![0u32; size + 1];
        for (at, left) in columns.iter_mut().enumerate() {
            for &(row, _) in column(at) {
                left.add(row);
                rows[row as usize].add(at as u32);
                starts[row as usize + 1] += 1;
            }
        }
        for at in 0..size {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut by_row = vec![(0u32, 0.0f64); starts[size] as usize];
        for at in 0..size {
            for &(row, value) in column(at) {
                by_row[next[row as usize] as usize] = (at as u32, value);
                next[row as usize] += 1;
            }
        }
        let mut single_columns: Vec<u32> = (0..size as u32).filter(|&at| columns[at as usize].count == 1).collect();
        let mut single_rows: Vec<u32> = (0..size as u32).filter(|&at| rows[at as usize].count == 1).collect();
        loop {
            if let Some(at) = single_columns.pop() {
                let Left { count: 1, sum: row } = columns[at as usize] else { continue };
                let entries = &by_row[starts[row as usize] as usize..starts[row as usize + 1] as usize];
                let pivot = value_at(entries, at);
                if pivot.abs() < LEAST_PIVOT {
                    continue;
                }
                for &(other, value) in entries.iter().filter(|&&(other, _)| other != at) {
                    let left = &mut columns[other as usize];
                    if left.count > 0 {
                        self.right.entries.push((other, value));
                        left.remove(row);
                        if left.count == 1 {
                            single_columns.push(other);
                        }
                    }
                }
                self.right.close();
                self.pivots.push((row, at, pivot));
                (rows[row as usize], columns[at as usize]) = (Left::default(), Left::default());
            } else if let Some(row) = single_rows.pop() {
                let Left { count: 1, sum: at } = rows[row as usize] else { continue };
                let pivot = value_at(column(at as usize), row);
                if pivot.abs() < LEAST_PIVOT {
                    continue;
                }
                let before = self.lower.entries.len();
                for &(other, value) in column(at as usize).iter().filter(|&&(other, _)| other != row) {
                    let left = &mut rows[other as usize];
                    if left.count > 0 {
                        self.lower.entries.push((other, value / pivot));
                        left.remove(at);
                        if left.count == 1 {
                            single_rows.push(other);
                        }
                    }
                }
                if self.lower.entries.len() > before {
                    self.lower_pivots.push(row);
                    self.lower.close();
                }
                self.right.close();
                self.pivots.push((row, at, pivot));
                (rows[row as usize], columns[at as usize]) = (Left::default(), Left::default());
            } else {
                return (rows, columns);
            }
        }
    }

    pub(super) fn size(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether it came to its end.
    pub(super) fn run(&mut self, is_over: &mut dyn FnMut() -> bool) -> bool {
        while let Some((row, column)) = self.choose() {
            self.eliminate(row, column);
            if self.pivots.len().is_multiple_of(PIVOTS_PER_LOOK) && is_over() {
                return false;
            }
        }
        true
    }

    /// A pivot that causes little fill.
    fn choose(&self) -> Option<(u32, u32)> {
        let mut best: Option<(usize, u32, u32)> = None;
        let mut looked = 0;
        for count in 1..self.by_row.head.len() {
            let least = (count - 1) * (count - 1);
            for column in self.by_column.with(count) {
                for &row in &self.columns[column as usize] {
                    let fill = (count - 1) * (self.rows[row as usize].len() - 1);
                    if best.is_none_or(|(least, ..)| fill < least) && self.is_sound(row, column) {
                        best = Some((fill, row, column));
                    }
                }
                looked += 1;
                if best.is_some_and(|(fill, ..)| fill <= least || looked >= CANDIDATES) {
                    return best.map(|(_, row, column)| (row, column));
                }
            }
            for row in self.by_row.with(count) {
                let entries = &self.rows[row as usize];
                let greatest = entries.iter().fold(0.0, |greatest: f64, entry| greatest.max(entry.1.abs()));
                for &(column, value) in entries {
                    let fill = (count - 1) * (self.columns[column as usize].len() - 1);
                    let sound = value.abs() >= LEAST_PIVOT.max(THRESHOLD * greatest);
                    if sound && best.is_none_or(|(least, ..)| fill < least) {
                        best = Some((fill, row, column));
                    }
                }
                looked += 1;
                if best.is_some_and(|(fill, ..)| fill <= least || looked >= CANDIDATES) {
                    return best.map(|(_, row, column)| (row, column));
                }
            }
        }
        best.map(|(_, row, column)| (row, column))
    }

    fn is_sound(&self, row: u32, column: u32) -> bool {
        let (mut value, mut greatest) = (0.0, 0.0f64);
        for &(other, entry) in &self.rows[row as usize] {
            greatest = greatest.max(entry.abs());
            if other == column {
                value = entry.abs();
            }
        }
        value >= LEAST_PIVOT.max(THRESHOLD * greatest)
    }

    fn eliminate(&mut self, row: u32, column: u32) {
        let mut entries = std::mem::take(&mut self.rows[row as usize]);
        let at = entries.iter().position(|&(other, _)| other == column).expect("the pivot is an entry of its row");
        let (_, pivot) = entries.swap_remove(at);
        self.by_row.remove(row);
        self.by_column.remove(column);
        for &(other, value) in &entries {
            let pattern = &mut self.columns[other as usize];
            let at = pattern.iter().position(|&there| there == row).expect("the pattern is that of the rows");
            pattern.swap_remove(at);
            self.spread[other as usize] = value;
        }

        let below = std::mem::take(&mut self.columns[column as usize]);
        for &other in below.iter().filter(|&&other| other != row) {
            self.subtract(other, column, pivot, &entries);
        }
        if below.len() > 1 {
            self.lower_pivots.push(row);
            self.lower.close();
        }
        for &(other, _) in &entries {
            self.spread[other as usize] = 0.0;
            self.by_column.change(other, self.columns[other as usize].len());
        }
        self.right.entries.append(&mut entries);
        self.right.close();
        self.pivots.push((row, column, pivot));
    }

    /// Takes a multiple of the pivot row, whose rest is `entries`, off another so that its entry in the column vanishes.
    fn subtract(&mut self, row: u32, column: u32, pivot: f64, entries: &[(u32, f64)]) {
        let mut own = std::mem::take(&mut self.rows[row as usize]);
        let at = own.iter().position(|&(other, _)| other == column).expect("the pattern is that of the rows");
        let multiple = own.swap_remove(at).1 / pivot;
        self.lower.entries.push((row, multiple));
        let mut kept = 0;
        for at in 0..own.len() {
            let (other, mut value) = own[at];
            let taken = self.spread[other as usize];
            if taken != 0.0 {
                value -= multiple * taken;
                // Seen: no fill here.
                self.spread[other as usize] = 0.0;
            }
            if value.abs() > TINY {
                own[kept] = (other, value);
                kept += 1;
            } else {
                let pattern = &mut self.columns[other as usize];
                let at = pattern.iter().position(|&there| there == row).expect("the pattern is that of the rows");
                pattern.swap_remove(at);
                if taken == 0.0 {
                    self.by_column.change(other, self.columns[other as usize].len());
                }
            }
        }
        own.truncate(kept);
        for &(other, value) in entries {
            if self.spread[other as usize] != 0.0 {
                own.push((other, -multiple * value));
                self.columns[other as usize].push(row);
            }
            self.spread[other as usize] = value;
        }
        self.by_row.change(row, own.len());
        self.rows[row as usize] = own;
    }
}
