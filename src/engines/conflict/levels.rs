//! How many levels a clause joins.

use super::literal::{Assignment, Lit};

/// A stamp for each level.
#[derive(Debug, Default)]
pub(super) struct Levels {
    stamps: Vec<u64>,
    stamp: u64,
}

impl Levels {
    pub(super) fn new(vars: usize) -> Self {
        Levels { stamps: vec![0; vars + 1], stamp: 0 }
    }

    pub(super) fn add_var(&mut self) {
        self.stamps.push(0);
    }

    /// How many levels above 0 these literals join.
    pub(super) fn count(&mut self, lits: impl Iterator<Item = Lit>, assignment: &Assignment) -> u32 {
        self.stamp += 1;
        let mut count = 0;
        for lit in lits {
            let level = assignment.level(lit.var());
            if level > 0 && std::mem::replace(&mut self.stamps[level as usize], self.stamp) != self.stamp {
                count += 1;
            }
        }
        count
    }

    /// Whether this level, not 0, was among those counted last.
    pub(super) fn has(&self, level: u32) -> bool {
        self.stamps[level as usize] == self.stamp
    }
}
