//! What the cards from each column on can still gain.
//!
//! A card is *free* if cards alone make a meld with it. Any other needs a joker beside it: in a run, between it and the joker
//! stands at most one card, since three cards in a row would be a run without; in a set, it is one of two suits. So a joker is worth
//! no more than the cards that are not free on both sides of some place for it, or in some rank, and all that is not free gains
//! no more than that for each joker that is left, and what is next to the open runs, whose jokers are spent.

use crate::adapters::rummy::card::{RANKS, SUITS};

use super::state::State;
use super::task::{COLUMNS, Task};

/// Bounds on what states can come to.
#[derive(Clone, Debug)]
pub(super) struct Completion {
    /// What the free cards from each column on gain.
    free: [u64; COLUMNS + 1],
    /// What other cards of each column and those behind it gain at most.
    other: [u64; COLUMNS + 1],
    /// What a joker adds to that, in each column or behind it.
    joker: [u64; COLUMNS + 1],
    /// What the cards that are not free gain in each column and the next where they go on with runs.
    follow: [[u64; SUITS]; COLUMNS + 1],
    /// For each column, bit i if leaving a card of suit i aside loses it for certain.
    certain: [u8; COLUMNS],
}

impl Completion {
    pub(super) fn new(task: &Task) -> Self {
        let mut bound = Completion {
            free: [0; COLUMNS + 1],
            other: [0; COLUMNS + 1],
            joker: [0; COLUMNS + 1],
            follow: [[0; SUITS]; COLUMNS + 1],
            certain: [0; COLUMNS],
        };
        // Where melds lie, runs come round the corner or jokers have to be placed, anything may go on with anything.
        let jokers_bounded = task.jokers > 0 && !task.lies_there && task.joker_start.is_some() && !task.explicit_jokers;
        let mut needy = [[0; SUITS]; COLUMNS + 1];
        for column in (0..RANKS).rev() {
            let (mut free, mut other) = (0, 0);
            for (row, needy) in needy[column].iter_mut().enumerate() {
                let count = u64::from(task.counts[column][row]);
                if count == 0 || !task.is_usable(column, row, task.jokers) {
                    continue;
                }
                let gain = task.gains[column][row];
                if !jokers_bounded || task.is_usable(column, row, 0) {
                    free += count * gain;
                    bound.certain[column] |= 1 << row;
                } else {
                    other += count * gain;
                    *needy = gain;
                }
            }
            bound.free[column] = bound.free[column + 1] + free;
            bound.other[column] = bound.other[column + 1] + other;
        }
        bound.certain[RANKS] = (1 << SUITS) - 1;
        if jokers_bounded {
            if task.ace_high {
                needy[RANKS] = needy[0];
            }
            bound.find_joker_gains(task, &needy);
        }
        bound
    }

    /// What a joker adds, from the gains of one copy of each card that is not free.
    fn find_joker_gains(&mut self, task: &Task, needy: &[[u64; SUITS]; COLUMNS + 1]) {
        let end = task.columns();
        let there = |column: usize, row: usize| column < end && task.counts[column % RANKS][row] > 0;
        // In the two columns behind this one.
        let right = |column: usize, row: usize| match there(column + 1, row) {
            true => needy[column + 1][row] + if there(column + 2, row) { needy[column + 2][row] } else { 0 },
            false => 0,
        };
        // In the two columns before this one, as far as `from`.
        let left = |column: usize, row: usize, from: usize| {
            let near = if column > from && there(column - 1, row) { needy[column - 1][row] } else { return 0 };
            near + if column > from + 1 && there(column - 2, row) { needy[column - 2][row] } else { 0 }
        };
        let mut behind = 0;
        for column in (0..end).rev() {
            let set = if column < RANKS { needy[column].iter().sum() } else { 0 };
            let place =
                |at: usize, from: usize| (0..SUITS).map(|row| left(at, row, from) + right(at, row)).max().unwrap_or(0);
            self.joker[column] = place(column, column).max(place(column + 1, column)).max(behind).max(set);
            if column >= 1 {
                // All of what stands beside a place in the column behind this one counts from the column before this one on.
                behind = behind.max(place(column + 1, column - 1)).max(set);
            }
            for (row, follow) in self.follow[column].iter_mut().enumerate() {
                let gain = |column: usize| u64::from(task.counts[column % RANKS][row]) * needy[column][row];
                *follow = match there(column, row) {
                    true => gain(column) + if there(column + 1, row) { gain(column + 1) } else { 0 },
                    false => 0,
                };
            }
        }
    }

    /// Whether leaving a card of this suit and column aside lowers the bound by its gain.
    pub(super) fn is_certain(&self, column: usize, row: usize) -> bool {
        self.certain[column] >> row & 1 == 1
    }

    /// The most that a state before this column, worth `value`, can come to.
    #[inline]
    pub(super) fn potential(&self, task: &Task, column: usize, state: State, value: u64) -> u64 {
        let jokers = u64::from(task.jokers - state.jokers());
        let mut other = self.other[column];
        if other > 0 {
            let mut reach = jokers * self.joker[column];
            for row in 0..SUITS {
                if reach < other && state.is_open(row) {
                    reach += self.follow[column][row];
                }
            }
            other = other.min(reach);
        }
        let aces = match task.ace_high && column > 0 {
            true => (0..SUITS).map(|row| u64::from(state.aces(row)) * task.gains[0][row]).sum(),
            false => 0,
        };
        value + self.free[column] + other + jokers * task.joker_gain + aces
    }

    /// What a joker brings with it at most, its own gain included; `None` without jokers or a bound on that.
    pub(super) fn joker_worth(&self, task: &Task) -> Option<u64> {
        (self.joker[0] > 0).then(|| self.joker[0] + task.joker_gain)
    }
}
