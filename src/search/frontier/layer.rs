//! Layers of states, and the step from one to the next.
//!
//! A layer is a set of states, each with the best value at which it can be reached, in *shards* by the top bits of the
//! states' hashes. The step is a pure function of a layer, a step of the plan and a filter: every worker expands a part of
//! the old layer into one buffer a shard of the new one; then the shards of the new layer are dealt out to the workers, and
//! each merges all buffers of its shards by insert-only open addressing. Nothing is shared, so there are no locks, and a
//! shard small enough for the cache is merged at the speed of the cache. Where bounds are looked up, which is where the
//! memory is waited for, a batch of lookups is begun before the first is needed.

use std::ops::Range;

use super::crew::{deal_out, in_parallel};
use super::kernel::{Moved, State};
use super::plan::{Item, Plan, Step};
use super::potentials::Potential;
use super::relaxation::{Lookups, NOTHING, Table};
use crate::search::Budget;
use crate::solution::Stop;

/// States with the best value of each, shard after shard, all that one thread merged.
#[derive(Clone)]
pub(super) struct Block<S> {
    states: Vec<S>,
    values: Vec<i64>,
}

/// Where a shard lies.
#[derive(Clone, Copy, Default)]
struct Span {
    block: usize,
    from: usize,
    to: usize,
}

#[derive(Clone)]
pub(super) struct Layer<S> {
    blocks: Vec<Block<S>>,
    spans: Vec<Span>,
}

impl<S> Block<S> {
    fn new() -> Self {
        Block { states: Vec::new(), values: Vec::new() }
    }

    fn bytes(&self) -> usize {
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
        Layer { blocks: vec![Block { states, values }], spans }
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

    pub(super) fn shrink(&mut self) {
        for block in &mut self.blocks {
            block.states.shrink_to_fit();
            block.values.shrink_to_fit();
        }
    }

    /// The parts of the shards that make up these positions of the whole layer, the last first.
    fn pieces(&self, mut positions: Range<usize>) -> Vec<(usize, Range<usize>)> {
        let mut pieces = Vec::new();
        let mut base = 0;
        for (index, span) in self.spans.iter().enumerate() {
            let end = base + span.to - span.from;
            if positions.start < end.min(positions.end) {
                let upto = end.min(positions.end);
                pieces.push((index, positions.start - base..upto - base));
                positions.start = upto;
            }
            base = end;
        }
        pieces.reverse();
        pieces
    }
}

/// Which states may enter a layer.
#[derive(Clone, Copy)]
pub(super) struct Filter<'a> {
    /// The relaxation's bound on what a completion adds; a state it does not know leads nowhere.
    pub(super) table: Option<&'a Table>,
    /// A weaker bound on the same, which needs no sweep.
    pub(super) potential: Option<&'a Potential>,
    /// Only paths worth more than this matter.
    pub(super) target: i64,
}

/// A complete path: its value, and the state (with its value) from which the step completed it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finish<S> {
    pub(super) value: i64,
    pub(super) parent: S,
    pub(super) parent_value: i64,
}

/// Applies the operations of a step to some states at a time, with buffers that are kept.
#[repr(align(128))]
pub(super) struct Expander<S> {
    from: Vec<Item<S>>,
    to: Vec<Item<S>>,
}

/// How many states go through a step together, so that each operation is one tight loop and all stays in the cache.
pub(super) const BATCH: usize = 1 << 7;

impl<S: State> Expander<S> {
    pub(super) fn new() -> Self {
        Expander { from: Vec::new(), to: Vec::new() }
    }

    /// The states after the step, some perhaps more than once, each with its value and the position of the one it came
    /// from. Completed paths go to `done` with their values and the position they came from.
    #[inline(always)]
    pub(super) fn expand(
        &mut self,
        plan: &Plan,
        step: &Step,
        states: impl Iterator<Item = (S, i64)>,
        mut done: impl FnMut(i64, u32),
    ) -> &[Item<S>] {
        self.from.clear();
        self.from.extend(states.zip(0..).map(|((state, value), from)| Item { state, value, from }));
        for op in &step.ops {
            self.to.clear();
            plan.branch(op, &self.from, |item, moved, gain, _| match moved {
                Moved::No => {}
                Moved::On(state) => self.to.push(Item { state, value: item.value + gain, from: item.from }),
                Moved::Done(_) => done(item.value + gain, item.from),
            });
            std::mem::swap(&mut self.from, &mut self.to);
        }
        &self.from
    }
}

/// One thread's part of a merge. No two threads write to the same line of the cache: they would wait for each other at
/// every push.
#[repr(align(128))]
struct Merger<S> {
    id: usize,
    block: Block<S>,
    /// Where the present shard begins in the block.
    from: usize,
    /// Positions in the shard plus one, by hash; 0 is free.
    index: Vec<u32>,
    /// Successors merged since the last look at the clock.
    since_clock: usize,
}

impl<S: State> Merger<S> {
    fn new(id: usize) -> Self {
        Merger { id, block: Block::new(), from: 0, index: Vec::new(), since_clock: 0 }
    }

    /// Begins a shard that will have so many states at most.
    fn begin(&mut self, most: usize) {
        self.from = self.block.states.len();
        self.index.clear();
        self.index.resize((most * 3 / 2).next_power_of_two().max(16), 0);
    }

    #[inline(always)]
    fn insert(&mut self, state: S, value: i64) {
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
                return;
            }
            at = (at + 1) & mask;
        }
        self.block.states.push(state);
        self.block.values.push(value);
        self.index[at] = (self.block.states.len() - self.from) as u32;
    }

    fn span(&self) -> Span {
        Span { block: self.id, from: self.from, to: self.block.states.len() }
    }
}

/// One thread's part of a step, apart from the others' in the cache.
#[repr(align(128))]
struct Worker<S> {
    expander: Expander<S>,
    /// The successors of a batch that may go on, as far as a look at each alone tells.
    likely: Vec<(S, i64)>,
    lookups: Lookups,
    /// What goes to each shard of the new layer.
    outgoing: Vec<Vec<(S, i64)>>,
    finish: Option<Finish<S>>,
    pieces: Vec<(usize, Range<usize>)>,
    made: usize,
}

/// A shard is meant to hold about this many states, so that merging it stays in the cache.
const SHARD_STATES: usize = 1 << 11;
/// Layers below this are not worth a second thread, or shards.
const SMALL_LAYER: usize = 1 << 13;
/// States seen and made between two looks at the clock.
const STATES_PER_CLOCK: usize = 1 << 13;
/// With no room to buffer this many successors, or this part of those merged before, the memory is spent.
const FEWEST_BUFFERED: usize = 1 << 11;
const SMALLEST_PART: usize = 8;
/// Successors merged between two looks at the clock.
const MERGES_PER_CLOCK: usize = 1 << 14;
/// Successors that all workers together buffer at most before merging.
const BUFFERED: usize = 1 << 22;

/// Performs steps, keeping its buffers from one to the next, and accounts for the memory.
pub(super) struct Machine<'a, S> {
    plan: &'a Plan,
    budget: &'a Budget,
    workers: Vec<Worker<S>>,
    mergers: Vec<Merger<S>>,
    /// Blocks of layers that are no longer needed, to be filled again.
    spare: Vec<Block<S>>,
    /// States made, before merging.
    pub(super) made: u64,
    pub(super) peak_bytes: usize,
}

impl<'a, S: State> Machine<'a, S> {
    pub(super) fn new(plan: &'a Plan, budget: &'a Budget) -> Self {
        Machine { plan, budget, workers: Vec::new(), mergers: Vec::new(), spare: Vec::new(), made: 0, peak_bytes: 0 }
    }

    /// Takes a layer's memory for later layers.
    pub(super) fn recycle(&mut self, layer: Layer<S>) {
        for mut block in layer.blocks {
            block.states.clear();
            block.values.clear();
            self.spare.push(block);
        }
    }

    fn buffer_bytes(&self) -> usize {
        let buffers = self.workers.iter().flat_map(|worker| &worker.outgoing);
        let buffered: usize = buffers.map(|buffer| buffer.capacity() * size_of::<(S, i64)>()).sum();
        let indexed: usize = self.mergers.iter().map(|merger| merger.index.capacity() * 4).sum();
        buffered + indexed + self.spare.iter().map(Block::bytes).sum::<usize>()
    }

    /// Gives back the memory that is kept for later, empty buffers too.
    fn release(&mut self) {
        self.spare = Vec::new();
        for worker in &mut self.workers {
            worker.outgoing.iter_mut().filter(|buffer| buffer.is_empty()).for_each(|buffer| *buffer = Vec::new());
        }
    }

    /// The layer after the step, and the best path that the step completes if it beats the target. `held` bytes are
    /// taken elsewhere (the old layer not among them).
    pub(super) fn advance(
        &mut self,
        layer: &Layer<S>,
        step: &Step,
        filter: Filter<'_>,
        held: usize,
    ) -> Result<(Layer<S>, Option<Finish<S>>), Stop> {
        let count = layer.len();
        let (threads, shard_bits) = if count < SMALL_LAYER {
            (1, 0)
        } else {
            (self.budget.threads_now(), (2 * count / SHARD_STATES).next_power_of_two().trailing_zeros().min(12))
        };
        let shards = 1usize << shard_bits;
        while self.workers.len() < threads {
            self.workers.push(Worker::new());
            self.mergers.push(Merger::new(self.mergers.len()));
        }
        for (index, worker) in self.workers[..threads].iter_mut().enumerate() {
            worker.outgoing.resize_with(worker.outgoing.len().max(shards), Vec::new);
            worker.pieces = layer.pieces(index * count / threads..(index + 1) * count / threads);
            worker.finish = None;
        }
        let mut next = Layer { blocks: Vec::new(), spans: vec![Span::default(); shards] };
        let held = held + layer.bytes();
        let (plan, budget) = (self.plan, self.budget);
        loop {
            // A round copies what earlier ones made, so each is as large as all before it.
            let merged = next.len();
            let wanted = merged.max(BUFFERED) / threads;
            let copies = 2 * merged * (size_of::<S>() + 8);
            let room = |used: usize| {
                let left = budget.memory.saturating_sub(used + copies);
                // A successor may take its place in a buffer and, with room to grow, in the new layer.
                left / (4 * size_of::<(S, i64)>() + 16) / threads
            };
            let mut used = held + next.bytes() + self.buffer_bytes();
            self.peak_bytes = self.peak_bytes.max(used);
            if room(used) < wanted {
                self.release();
                used = held + next.bytes() + self.buffer_bytes();
            }
            let most = room(used).min(wanted);
            if most < FEWEST_BUFFERED.max(merged / threads / SMALLEST_PART) {
                return Err(Stop::MemoryLimit);
            }
            let workers = &mut self.workers[..threads];
            in_parallel(workers, |worker| worker.fill(layer, plan, step, filter, shard_bits, most, budget))?;
            self.made += workers.iter_mut().map(|worker| std::mem::take(&mut worker.made) as u64).sum::<u64>();
            let workers = &*workers;
            for merger in &mut self.mergers[..threads] {
                merger.block = self.spare.pop().unwrap_or_else(Block::new);
            }
            // What came before, in a layer too large for one round, is merged with what comes now.
            let mut spans = next.spans.clone();
            let before = |index: usize| if next.blocks.is_empty() { (&[][..], &[][..]) } else { next.shard(index) };
            deal_out(&mut spans, &mut self.mergers[..threads], |merger, index, span| {
                let (states, values) = before(index);
                let incoming = || workers.iter().map(|worker| &worker.outgoing[index]);
                merger.begin(states.len() + incoming().map(Vec::len).sum::<usize>());
                states.iter().zip(values).for_each(|(&state, &value)| merger.insert(state, value));
                for batch in incoming().flat_map(|buffer| buffer.chunks(MERGES_PER_CLOCK)) {
                    for &(state, value) in batch {
                        merger.insert(state, value);
                    }
                    merger.since_clock += batch.len();
                    if merger.since_clock >= MERGES_PER_CLOCK {
                        merger.since_clock = 0;
                        budget.spent().map_or(Ok(()), Err)?;
                    }
                }
                *span = merger.span();
                Ok(())
            })?;
            let mergers = self.mergers[..threads].iter_mut();
            let blocks = mergers.map(|merger| std::mem::replace(&mut merger.block, Block::new())).collect();
            let earlier = std::mem::replace(&mut next, Layer { blocks, spans });
            self.recycle(earlier);
            for worker in &mut self.workers[..threads] {
                worker.outgoing[..shards].iter_mut().for_each(Vec::clear);
            }
            if self.workers[..threads].iter().all(|worker| worker.pieces.is_empty()) {
                break;
            }
        }
        let finishes = self.workers[..threads].iter().filter_map(|worker| worker.finish);
        // The first of equals, so that one thread always finds the same.
        let finish = finishes.reduce(|best, other| if other.value > best.value { other } else { best });
        Ok((next, finish))
    }
}

impl<S: State> Worker<S> {
    fn new() -> Self {
        Worker {
            expander: Expander::new(),
            likely: Vec::new(),
            lookups: Lookups::default(),
            outgoing: Vec::new(),
            finish: None,
            pieces: Vec::new(),
            made: 0,
        }
    }

    /// Expands what is left of this worker's part until about `most` successors are buffered.
    #[expect(clippy::too_many_arguments)]
    fn fill(
        &mut self,
        layer: &Layer<S>,
        plan: &Plan,
        step: &Step,
        filter: Filter<'_>,
        shard_bits: u32,
        most: usize,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut target = self.finish.map_or(filter.target, |finish| finish.value);
        let mut work = 0;
        while let Some((shard, positions)) = self.pieces.last_mut() {
            let batch = positions.start..(positions.start + BATCH).min(positions.end);
            let (states, values) = layer.shard(*shard);
            let (states, values) = (&states[batch.clone()], &values[batch.clone()]);
            let finish = &mut self.finish;
            let complete = |value: i64, from: u32| {
                if value > target {
                    target = value;
                    let from = from as usize;
                    *finish = Some(Finish { value, parent: states[from], parent_value: values[from] });
                }
            };
            let parents = states.iter().copied().zip(values.iter().copied());
            let expanded = self.expander.expand(plan, step, parents, complete);
            work += BATCH + expanded.len();
            self.likely.clear();
            self.lookups.signatures.clear();
            for next in expanded {
                if !plan.may_go_on(step, next.state.flags()) {
                    continue;
                }
                if filter.table.is_none() && filter.potential.is_none() {
                    self.likely.push((next.state, next.value));
                    continue;
                }
                let signature = next.state.signature();
                if filter.potential.is_none_or(|bound| !bound.rules_out(signature, next.value, filter.target)) {
                    self.likely.push((next.state, next.value));
                    self.lookups.signatures.push(signature);
                }
            }
            let (outgoing, made) = (&mut self.outgoing, &mut self.made);
            let mut send = |state: S, value: i64| {
                let shard = if shard_bits == 0 { 0 } else { state.hash64() >> (64 - shard_bits) };
                outgoing[shard as usize].push((state, value));
                *made += 1;
            };
            match filter.table {
                None => self.likely.iter().for_each(|&(state, value)| send(state, value)),
                Some(table) => {
                    table.look_up(&mut self.lookups);
                    for (&(state, value), &rest) in self.likely.iter().zip(&self.lookups.rests) {
                        if rest != NOTHING && value + rest > filter.target {
                            send(state, value);
                        }
                    }
                }
            }
            if batch.end == positions.end {
                self.pieces.pop();
            } else {
                positions.start = batch.end;
            }
            if work >= STATES_PER_CLOCK {
                work = 0;
                budget.spent().map_or(Ok(()), Err)?;
            }
            if self.made >= most {
                break;
            }
        }
        Ok(())
    }
}
