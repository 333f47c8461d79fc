//! Layers of states.
//!
//! A layer is a set of states, each with the best value at which it can be reached, in *shards*: a shard small enough for the
//! cache is made and gone through at the speed of the cache, and no two threads work on the same.

use std::ops::Range;

use super::kernel::{Signature, State};
use super::plan::Step;
use super::sharding::Sharding;

/// States with the best value of each, shard after shard, all that one thread merged.
#[derive(Clone)]
pub(super) struct Block<S> {
    pub(super) states: Vec<S>,
    pub(super) values: Vec<i64>,
}

/// Where a shard lies.
#[derive(Clone, Copy, Default)]
pub(super) struct Span {
    pub(super) block: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

#[derive(Clone)]
pub(super) struct Layer<S> {
    pub(super) blocks: Vec<Block<S>>,
    pub(super) spans: Vec<Span>,
    /// What chooses the shard of a state, if there are several.
    pub(super) sharding: Sharding,
}

impl<S> Block<S> {
    pub(super) fn new() -> Self {
        Block { states: Vec::new(), values: Vec::new() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<S>() + self.values.capacity() * 8
    }
}

impl<S: State> Layer<S> {
    /// The layer before the first step.
    pub(super) fn start() -> Self {
        Self::of_one_shard(vec![S::EMPTY], vec![0])
    }

    pub(super) fn of_one_shard(states: Vec<S>, values: Vec<i64>) -> Self {
        let spans = vec![Span { block: 0, from: 0, to: states.len() }];
        Layer { blocks: vec![Block { states, values }], spans, sharding: Sharding::BY_ALL }
    }

    pub(super) fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.states.len()).sum()
    }

    pub(super) fn bytes(&self) -> usize {
        self.blocks.iter().map(Block::bytes).sum::<usize>() + self.spans.capacity() * size_of::<Span>()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (S, i64)> + '_ {
        (0..self.shard_count()).flat_map(|index| {
            let (states, values) = self.shard(index);
            states.iter().copied().zip(values.iter().copied())
        })
    }

    /// All values, in no particular order.
    pub(super) fn values(&self) -> impl Iterator<Item = &[i64]> {
        self.blocks.iter().map(|block| &block.values[..])
    }

    pub(super) fn shard_count(&self) -> usize {
        self.spans.len()
    }

    pub(super) fn shard(&self, index: usize) -> (&[S], &[i64]) {
        let Span { block, from, to } = self.spans[index];
        (&self.blocks[block].states[from..to], &self.blocks[block].values[from..to])
    }

    /// The shards in which a state may be that the step leads to one of this signature.
    pub(super) fn shards_before(&self, step: &Step, signature: Signature) -> Range<usize> {
        let shards = self.shard_count();
        if shards == 1 || !self.sharding.outlasts(step.changes()) {
            return 0..shards;
        }
        let shard = self.sharding.shard(signature, shards.trailing_zeros());
        shard..shard + 1
    }

    /// Keeps some, asking of one after the other.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(S, i64) -> bool) {
        let mut kept = Block::new();
        let mut spans = Vec::with_capacity(self.spans.len());
        for index in 0..self.shard_count() {
            let from = kept.states.len();
            let (states, values) = self.shard(index);
            for (&state, &value) in states.iter().zip(values).filter(|&(&state, &value)| keep(state, value)) {
                kept.states.push(state);
                kept.values.push(value);
            }
            spans.push(Span { block: 0, from, to: kept.states.len() });
        }
        (self.blocks, self.spans) = (vec![kept], spans);
    }

    pub(super) fn shrink(&mut self) {
        for block in &mut self.blocks {
            block.states.shrink_to_fit();
            block.values.shrink_to_fit();
        }
    }

    /// Where in the whole layer each shard begins, and the last ends.
    pub(super) fn bounds(&self) -> Vec<usize> {
        let mut bounds = vec![0];
        bounds.extend(self.spans.iter().scan(0, |end, span| {
            *end += span.to - span.from;
            Some(*end)
        }));
        bounds
    }
}

/// A complete path: its value, and the state (with its value) from which the step completed it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finish<S> {
    pub(super) value: i64,
    pub(super) parent: S,
    pub(super) parent_value: i64,
}
