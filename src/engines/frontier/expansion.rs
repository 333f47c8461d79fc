//! From the states of a layer to their successors, and where those go.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::expander::{BATCH, Expand};
use super::filter::Filter;
use super::kernel::State;
use super::layer::{Finish, Layer};
use super::links::{Link, Note};
use super::merger::Merger;
use super::plan::{Item, Plan, Step};
use super::sharding::Sharding;
use crate::instance::Budget;
use crate::solution::Stop;

/// A step to do.
pub(super) struct Task<'a, S> {
    pub(super) layer: &'a Layer<S>,
    /// Of the layer's shards.
    pub(super) bounds: Vec<usize>,
    pub(super) plan: &'a Plan,
    pub(super) step: &'a Step,
    pub(super) filter: Filter<'a>,
    /// How many shards the new layer is worth: so many bits of a hash would choose them.
    pub(super) shard_bits: u32,
    pub(super) budget: &'a Budget,
}

impl<S: State> Task<'_, S> {
    /// Whether the shards of the layer are worth keeping, and each state's successors are in its own.
    pub(super) fn goes_by_shards(&self) -> bool {
        let (shards, worth) = (self.layer.shard_count(), 1 << self.shard_bits);
        let Layer { sharding, .. } = *self.layer;
        match shards {
            1 => worth == 1,
            _ => {
                shards * SHARDS_TOO_FEW > worth
                    && sharding == self.step.sharding
                    && sharding.outlasts(self.step.changes())
            }
        }
    }
}

/// A successor with its value and what is noted of it.
pub(super) type Sent<S, N> = (S, i64, N);

/// Where successors go.
pub(super) trait Sink<S, N> {
    fn send(&mut self, sent: Sent<S, N>);

    /// Whether it takes those of another batch of states.
    fn takes_more(&mut self) -> Result<bool, Stop>;
}

/// From states of the old layer to their successors.
pub(super) struct Expansion<S, E> {
    expander: E,
    /// For this step.
    is_prepared: bool,
    /// The best completion, and the position of the state it came from in the old layer.
    pub(super) finish: Option<(usize, Finish<S>)>,
    /// All completions that beat the target, where links are kept.
    pub(super) completed: Vec<(u32, i64)>,
    /// States made in this step.
    pub(super) made: u64,
    /// States looked at since the last look at the clock.
    since_clock: usize,
}

/// A buffer for each shard of the new layer.
pub(super) struct Outgoing<S, N> {
    pub(super) buffers: Vec<Vec<Sent<S, N>>>,
    pub(super) sharding: Sharding,
    /// Bits of a hash that choose the shard.
    pub(super) shard_bits: u32,
    pub(super) buffered: usize,
    /// It takes no more batches once so many are buffered.
    pub(super) most: usize,
}

/// A shard of the new layer, all of whose states come from one shard of the old.
pub(super) struct Shard<'m, S> {
    pub(super) merger: &'m mut Merger<S>,
    pub(super) keeps_links: bool,
    /// Of the present portion.
    pub(super) links: &'m mut Vec<Link>,
    /// How many states, links and bytes of an index are counted.
    pub(super) counted: [usize; 3],
    /// Bytes that all workers have taken for the new layer, and how many they may.
    pub(super) taken: &'m AtomicUsize,
    pub(super) room: usize,
}

/// States looked at between two looks at the clock.
const STATES_PER_CLOCK: usize = 1 << 13;
/// Where this part of the shards that a layer is worth would be too few, they are dealt out anew.
const SHARDS_TOO_FEW: usize = 8;

impl<S: State, E: Expand<S>> Expansion<S, E> {
    pub(super) fn new() -> Self {
        Expansion {
            expander: E::new(),
            is_prepared: false,
            finish: None,
            completed: Vec::new(),
            made: 0,
            since_clock: 0,
        }
    }

    /// Begins a step.
    pub(super) fn begin(&mut self) {
        (self.is_prepared, self.finish, self.made) = (false, None, 0);
        self.completed.clear();
    }

    /// Takes states of one portion through the step, which are dropped from it, as long as the sink takes more.
    pub(super) fn take<N: Note>(
        &mut self,
        task: &Task<'_, S>,
        portion: &mut Range<usize>,
        sink: &mut impl Sink<S, N>,
    ) -> Result<(), Stop> {
        let Expansion { expander, is_prepared, finish, completed, made, since_clock } = self;
        let Task { layer, bounds, plan, step, filter, budget, .. } = task;
        if !std::mem::replace(is_prepared, true) {
            expander.prepare(plan, step, filter, layer.len());
        }
        let first = portion.start;
        let measure = filter.measure;
        let mut target = finish.map_or(filter.target, |(_, finish)| measure.worth(finish.value));
        let mut shard = bounds.partition_point(|&bound| bound <= first) - 1;
        while portion.start < portion.end && sink.takes_more()? {
            while bounds[shard + 1] <= portion.start {
                shard += 1;
            }
            let begin = portion.start;
            let end = (begin + BATCH).min(bounds[shard + 1]).min(portion.end);
            portion.start = end;
            let (states, values) = layer.shard(shard);
            let batch = begin - bounds[shard]..end - bounds[shard];
            let (states, values) = (&states[batch.clone()], &values[batch]);
            let complete = |value: i64, from: u32| {
                let worth = measure.worth(value);
                if N::IS_KEPT && worth > filter.target {
                    completed.push(((begin + from as usize) as u32, value));
                }
                if worth > target {
                    target = worth;
                    let from = from as usize;
                    *finish = Some((begin + from, Finish { value, parent: states[from], parent_value: values[from] }));
                }
            };
            let parents = states.iter().copied().zip(values.iter().copied());
            let to = |next: &Item<S>| {
                let from = next.from as usize;
                *made += 1;
                sink.send((next.state, next.value, N::of(begin - first + from, next.value - values[from])));
            };
            *since_clock += BATCH + expander.expand(plan, step, filter, parents, to, complete);
            if *since_clock >= STATES_PER_CLOCK {
                *since_clock = 0;
                budget.spent().map_or(Ok(()), Err)?;
            }
        }
        Ok(())
    }
}

impl<S, N> Outgoing<S, N> {
    pub(super) fn new() -> Self {
        Outgoing { buffers: Vec::new(), sharding: Sharding::BY_ALL, shard_bits: 0, buffered: 0, most: 0 }
    }

    /// Begins a step to a layer of such shards.
    pub(super) fn begin(&mut self, sharding: Sharding, shard_bits: u32) {
        (self.sharding, self.shard_bits) = (sharding, shard_bits);
        self.buffers.resize_with(self.buffers.len().max(self.shards()), Vec::new);
    }

    /// Gives back the memory of empty buffers.
    pub(super) fn release(&mut self) {
        self.buffers.iter_mut().filter(|buffer| buffer.is_empty()).for_each(|buffer| *buffer = Vec::new());
    }

    pub(super) fn shards(&self) -> usize {
        1 << self.shard_bits
    }

    pub(super) fn bytes(&self) -> usize {
        self.buffers.iter().map(|buffer| buffer.capacity() * size_of::<Sent<S, N>>()).sum()
    }
}

impl<S: State, N: Note> Sink<S, N> for Outgoing<S, N> {
    #[inline(always)]
    fn send(&mut self, sent: Sent<S, N>) {
        let shard = self.sharding.shard(sent.0.signature(), self.shard_bits);
        self.buffers[shard].push(sent);
        self.buffered += 1;
    }

    fn takes_more(&mut self) -> Result<bool, Stop> {
        Ok(self.buffered < self.most)
    }
}

impl<S: State, N: Note> Sink<S, N> for Shard<'_, S> {
    #[inline(always)]
    fn send(&mut self, (state, value, note): Sent<S, N>) {
        let to = self.merger.insert(state, value);
        if self.keeps_links {
            self.links.push(note.link(to));
        }
    }

    /// Counts what it took for the last batch.
    fn takes_more(&mut self) -> Result<bool, Stop> {
        let now = [self.merger.len(), self.links.len(), self.merger.index_bytes()];
        let [states, links, indexed] = [0, 1, 2].map(|kind| now[kind] - self.counted[kind]);
        // With room to grow.
        let more = 2 * states * (size_of::<S>() + 8) + 2 * links * size_of::<Link>() + indexed;
        self.counted = now;
        let taken = self.taken.fetch_add(more, Ordering::Relaxed) + more;
        if taken > self.room { Err(Stop::MemoryLimit) } else { Ok(true) }
    }
}
