//! Vectors that know where they are not zero, and what a solve reaches from there.

/// A vector, and where it may be other than zero.
#[derive(Clone, Default)]
pub(in crate::lp) struct Vector {
    pub(in crate::lp) values: Vec<f64>,
    /// All rows that are not zero, in any order, perhaps with others; each once after a solve.
    pub(in crate::lp) listed: Vec<u32>,
    /// Whether it is not known which.
    is_unlisted: bool,
    /// The part of rows that were not zero after the last solves, on average.
    filled: f64,
}

impl Vector {
    /// So many zeros.
    pub(in crate::lp) fn reset(&mut self, size: usize) {
        self.values.clear();
        self.values.resize(size, 0.0);
        self.begin_list();
    }

    /// Makes it zero.
    pub(in crate::lp) fn clear(&mut self) {
        for &row in &self.listed {
            self.values[row as usize] = 0.0;
        }
        self.listed.clear();
    }

    pub(in crate::lp) fn add(&mut self, row: u32, value: f64) {
        let slot = &mut self.values[row as usize];
        if *slot == 0.0 {
            self.listed.push(row);
        }
        *slot += value;
    }

    pub(in crate::lp) fn copy_from(&mut self, other: &Vector) {
        self.clear();
        self.listed.extend_from_slice(&other.listed);
        for &row in &other.listed {
            self.values[row as usize] = other.values[row as usize];
        }
    }

    /// Takes what is smaller for zero.
    pub(in crate::lp) fn drop_below(&mut self, least: f64) {
        let values = &mut self.values;
        self.listed.retain(|&row| {
            let value = &mut values[row as usize];
            let is_kept = value.abs() >= least;
            if !is_kept {
                *value = 0.0;
            }
            is_kept
        });
    }

    /// The rows listed, with their values.
    pub(in crate::lp) fn iter(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.listed.iter().map(|&row| (row, self.values[row as usize]))
    }

    /// Whether so few are listed that it pays to go from there.
    pub(super) fn is_sparse(&self) -> bool {
        !self.is_unlisted && self.listed.len() * SPARSE <= self.values.len()
    }

    /// Whether few will be listed after a solve, as far as the last ones tell.
    pub(super) fn stays_sparse(&self) -> bool {
        self.is_sparse() && self.filled * (SPARSE as f64) < 1.0
    }

    /// Takes note that it was solved.
    pub(super) fn note_solved(&mut self) {
        let filled = self.listed.len() as f64 / self.values.len().max(1) as f64;
        self.filled += (filled - self.filled) / REMEMBERED;
    }

    /// Any row may have become other than zero.
    pub(super) fn forget_list(&mut self) {
        self.is_unlisted = true;
    }

    /// Lists where it is not zero, if that is not known.
    pub(super) fn list(&mut self) {
        if self.is_unlisted {
            let rows = 0..self.values.len() as u32;
            self.listed.clear();
            self.listed.extend(rows.filter(|&row| self.values[row as usize] != 0.0));
            self.is_unlisted = false;
        }
    }

    /// Lists nothing: every row will be [noted](Self::note).
    pub(super) fn begin_list(&mut self) {
        self.listed.clear();
        self.is_unlisted = false;
    }

    /// Lists a row if its value is not zero.
    pub(super) fn note(&mut self, row: u32, value: f64) {
        if value != 0.0 {
            self.listed.push(row);
        }
    }
}

/// A vector is sparse where at most one row in so many is not zero.
const SPARSE: usize = 10;
/// About so many solves tell how the next will be.
const REMEMBERED: f64 = 20.0;

/// What is reached from the rows of a vector along the entries of a triangular matrix: no other row can become other than zero
/// (J. R. Gilbert and T. Peierls, *Sparse partial pivoting in time proportional to arithmetic operations*, SIAM Journal on
/// Scientific and Statistical Computing 9 (1988) 862–874, doi:10.1137/0909058).
#[derive(Clone, Default)]
pub(in crate::lp) struct Reach {
    /// The number of the search that has seen a row last.
    seen: Vec<u32>,
    search: u32,
    /// The rows on the way, and how many of their entries have been looked at.
    path: Vec<(u32, u32)>,
    /// What is reached, each row behind all that are reached from it.
    pub(super) rows: Vec<u32>,
}

impl Reach {
    /// Searches depth first. Returns whether the rows reached are few enough to go from one to the next.
    pub(super) fn search<'a>(&mut self, from: &Vector, entries: impl Fn(u32) -> &'a [(u32, f64)]) -> bool {
        let most = from.values.len() / SPARSE;
        self.seen.resize(from.values.len(), 0);
        if self.search == u32::MAX {
            self.seen.fill(0);
            self.search = 0;
        }
        self.search += 1;
        self.rows.clear();
        for &root in &from.listed {
            if self.seen[root as usize] == self.search {
                continue;
            }
            self.seen[root as usize] = self.search;
            self.path.push((root, 0));
            while let Some((row, at)) = self.path.last_mut() {
                let list = entries(*row);
                let fresh = list[*at as usize..].iter().position(|entry| self.seen[entry.0 as usize] != self.search);
                match fresh {
                    Some(ahead) => {
                        let next = list[*at as usize + ahead].0;
                        *at += ahead as u32 + 1;
                        self.seen[next as usize] = self.search;
                        self.path.push((next, 0));
                    }
                    None => {
                        self.rows.push(*row);
                        self.path.pop();
                    }
                }
                if self.rows.len() > most {
                    self.path.clear();
                    return false;
                }
            }
        }
        true
    }

    /// Adds to a row of the vector that was searched from, which lists what was reached.
    pub(super) fn add(&mut self, to: &mut Vector, row: u32, value: f64) {
        if self.seen[row as usize] != self.search {
            self.seen[row as usize] = self.search;
            to.listed.push(row);
        }
        to.values[row as usize] += value;
    }
}
