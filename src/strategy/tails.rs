//! The best two tails below every vertex of a block-cut forest.

use crate::instance::NOT_AN_END;
use crate::reduce::blocks::NO_BLOCK;
use crate::top_two::keep_top_two;

/// What a path can earn below a vertex, and through which block ([`NO_BLOCK`]: by ending right there).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tail {
    pub(super) value: i64,
    pub(super) block: u32,
}

const NO_TAIL: Tail = Tail { value: NOT_AN_END, block: NO_BLOCK };

/// For every vertex the best tail, and the best one through another block than that.
pub(super) struct Tails {
    best: Vec<Tail>,
    second: Vec<Tail>,
}

impl Tails {
    pub(super) fn new(prizes: &[i64]) -> Self {
        let own = |&value: &i64| Tail { value, block: NO_BLOCK };
        Tails { best: prizes.iter().map(own).collect(), second: vec![NO_TAIL; prizes.len()] }
    }

    pub(super) fn add(&mut self, vertex: u32, tail: Tail) {
        let best_two = [&mut self.best[vertex as usize], &mut self.second[vertex as usize]];
        keep_top_two(best_two, tail, |tail| tail.value);
    }

    pub(super) fn best(&self, vertex: u32) -> Tail {
        self.best[vertex as usize]
    }

    pub(super) fn best_through_another(&self, vertex: u32, block: u32) -> Tail {
        let best = self.best[vertex as usize];
        if best.block == block && block != NO_BLOCK { self.second[vertex as usize] } else { best }
    }
}
