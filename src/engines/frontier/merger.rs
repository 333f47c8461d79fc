//! States put together into a shard, of those that are the same the best, by insert-only open addressing.

use super::kernel::State;
use super::layer::{Block, Span};

/// One thread's part of a layer to be. No two threads write to the same line of the cache: they would wait for each other at
/// every push.
#[repr(align(128))]
pub(super) struct Merger<S> {
    id: usize,
    pub(super) block: Block<S>,
    /// Where the present shard begins in the block.
    from: usize,
    /// Positions in the shard plus one, by hash; 0 is free.
    index: Vec<u32>,
    /// How many states the shard may have before the index is made anew.
    most: usize,
    /// Successors merged since the last look at the clock.
    pub(super) since_clock: usize,
}

impl<S: State> Merger<S> {
    pub(super) fn new(id: usize) -> Self {
        Merger { id, block: Block::new(), from: 0, index: Vec::new(), most: 0, since_clock: 0 }
    }

    /// Begins a shard that is expected to have so many states.
    pub(super) fn begin(&mut self, expected: usize) {
        self.from = self.block.states.len();
        self.clear_index(expected);
    }

    fn clear_index(&mut self, expected: usize) {
        let size = (expected * 3 / 2).next_power_of_two().max(16);
        self.most = size / 3 * 2;
        self.index.clear();
        self.index.resize(size, 0);
    }

    /// Returns the position of the state in the shard.
    #[inline(always)]
    pub(super) fn insert(&mut self, state: S, value: i64) -> u32 {
        let mask = self.index.len() - 1;
        let mut at = state.hash64() as usize & mask;
        loop {
            let found = self.index[at] as usize;
            if found == 0 {
                break;
            }
            if self.block.states[self.from + found - 1] == state {
                let known = &mut self.block.values[self.from + found - 1];
                *known = value.max(*known);
                return found as u32 - 1;
            }
            at = (at + 1) & mask;
        }
        self.block.states.push(state);
        self.block.values.push(value);
        let count = self.len();
        self.index[at] = count as u32;
        if count > self.most {
            self.grow();
        }
        count as u32 - 1
    }

    #[cold]
    fn grow(&mut self) {
        self.clear_index(2 * self.len());
        let mask = self.index.len() - 1;
        for (state, number) in self.block.states[self.from..].iter().zip(1..) {
            let mut at = state.hash64() as usize & mask;
            while self.index[at] != 0 {
                at = (at + 1) & mask;
            }
            self.index[at] = number;
        }
    }

    /// States in the shard so far.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.block.states.len() - self.from
    }

    pub(super) fn span(&self) -> Span {
        Span { block: self.id, from: self.from, to: self.block.states.len() }
    }

    pub(super) fn index_bytes(&self) -> usize {
        self.index.capacity() * size_of::<u32>()
    }
}
