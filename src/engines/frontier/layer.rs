//! Layers of states, and the step from one to the next.
//!
//! A layer is a set of states, each with the best value at which it can be reached, in *shards* by the top bits of the
//! states' hashes. The step is a pure function of a layer, a step of the plan and a filter: portions of the old layer are
//! dealt out to the workers, and each expands its own into one buffer a shard of the new layer; then the shards are dealt
//! out, and each is merged from all buffers, portion after portion, by insert-only open addressing. So the states do not
//! depend on who did what, nor does their order but where the buffers fill up; nothing is shared that is written to, and
//! a shard small enough for the cache is merged at the speed of the cache. Where bounds are looked up, which is where the
//! memory is waited for, a batch of lookups is begun before the first is needed.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::expander::{BATCH, Expand, Expander};
use super::filter::Filter;
use super::kernel::State;
use super::links::{Inward, LONGEST_PORTION, Links, Note};
use super::plan::{Item, Plan, Step};
use super::worker_pool::{self, deal_out, in_parallel};
use crate::instance::Budget;
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

    /// Where in the whole layer each shard begins, and the last ends.
    fn bounds(&self) -> Vec<usize> {
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

    /// Returns the position of the state in the shard.
    #[inline(always)]
    fn insert(&mut self, state: S, value: i64) -> u32 {
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
        self.index[at] = (self.block.states.len() - self.from) as u32;
        self.index[at] - 1
    }

    fn span(&self) -> Span {
        Span { block: self.id, from: self.from, to: self.block.states.len() }
    }
}

/// A successor with its value and what is noted of it.
type Sent<S, N> = (S, i64, N);

/// One thread's part of a step, apart from the others' in the cache.
#[repr(align(128))]
struct Worker<S, E, N> {
    id: usize,
    expander: E,
    /// What goes to each shard of the new layer, portion after portion.
    outgoing: Vec<Vec<Sent<S, N>>>,
    /// What is left of the portion that it is at: positions in the old layer.
    portion: Range<usize>,
    /// Where the portions, or parts of them, that it did in this round begin in the old layer.
    begun: Vec<usize>,
    /// Where each of them ends in the buffer of each shard.
    ends: Vec<u32>,
    /// The best completion, and the position of the state it came from in the old layer.
    finish: Option<(usize, Finish<S>)>,
    /// All completions that beat the target, where links are kept.
    completed: Vec<(u32, i64)>,
    made: usize,
    /// For this step.
    is_prepared: bool,
}

/// A shard is meant to hold about this many states, so that merging it stays in the cache.
const SHARD_STATES: usize = 1 << 11;
/// Layers below this are not worth a second thread, or shards.
const SMALL_LAYER: usize = 1 << 10;
const FEWEST_SHARDS: usize = 8;
/// Portions of a layer dealt out to each thread, if all are as fast.
const PORTIONS: usize = 16;
/// Where the successors of a layer are sure to be buffered at once if each state has no more than this, every thread
/// begins with a part of its own; else all begin with the first states, so that it is the last ones that wait.
const LIKELY_GROWTH: usize = 8;
/// States looked at between two looks at the clock.
const STATES_PER_CLOCK: usize = 1 << 13;
/// With no room to buffer this many successors, or this part of those merged before, the memory is spent.
const FEWEST_BUFFERED: usize = 1 << 11;
const SMALLEST_PART: usize = 8;
/// Successors merged between two looks at the clock.
const MERGES_PER_CLOCK: usize = 1 << 14;
/// Successors that all workers together buffer at most before merging.
const BUFFERED: usize = 1 << 22;

/// Performs steps, keeping its buffers from one to the next, and accounts for the memory.
pub(super) struct LayerExpander<'a, S, E = Expander<S>, N = ()> {
    plan: &'a Plan,
    budget: &'a Budget,
    workers: Vec<Worker<S, E, N>>,
    mergers: Vec<Merger<S>>,
    /// Blocks of layers that are no longer needed, to be filled again.
    spare: Vec<Block<S>>,
    /// Those of the last step, where they are kept.
    links: Links,
    /// Whether they are, if anything is noted of successors.
    pub(super) keeps_links: bool,
    /// States made, before merging.
    pub(super) made: u64,
    pub(super) peak_bytes: usize,
}

impl<'a, S: State, E: Expand<S>, N: Note> LayerExpander<'a, S, E, N> {
    pub(super) fn new(plan: &'a Plan, budget: &'a Budget) -> Self {
        LayerExpander {
            plan,
            budget,
            workers: Vec::new(),
            mergers: Vec::new(),
            spare: Vec::new(),
            links: Links::default(),
            keeps_links: N::IS_KEPT,
            made: 0,
            peak_bytes: 0,
        }
    }

    /// Takes a layer's memory for later layers.
    pub(super) fn recycle(&mut self, layer: Layer<S>) {
        for mut block in layer.blocks {
            block.states.clear();
            block.values.clear();
            self.spare.push(block);
        }
    }

    /// Hands out the links of the last step, where they were kept.
    pub(super) fn take_links(&mut self) -> Option<Links> {
        let links = std::mem::take(&mut self.links);
        Some(links).filter(|links| self.keeps_links && links.are_whole())
    }

    fn buffer_bytes(&self) -> usize {
        let buffers = self.workers.iter().flat_map(|worker| &worker.outgoing);
        let buffered: usize = buffers.map(|buffer| buffer.capacity() * size_of::<Sent<S, N>>()).sum();
        let indexed: usize = self.mergers.iter().map(|merger| merger.index.capacity() * 4).sum();
        buffered + indexed + self.spare.iter().map(Block::bytes).sum::<usize>() + self.links.bytes()
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
            let shards = (2 * count / SHARD_STATES).max(FEWEST_SHARDS).next_power_of_two();
            (worker_pool::threads(self.budget), shards.trailing_zeros().min(12))
        };
        let shards = 1usize << shard_bits;
        while self.workers.len() < threads {
            self.workers.push(Worker::new(self.workers.len()));
            self.mergers.push(Merger::new(self.mergers.len()));
        }
        for worker in &mut self.workers[..threads] {
            worker.outgoing.resize_with(worker.outgoing.len().max(shards), Vec::new);
            worker.finish = None;
            worker.completed.clear();
            worker.portion = 0..0;
            worker.is_prepared = false;
        }
        self.links = Links::default();
        self.keeps_links &= u32::try_from(count).is_ok();
        let mut next = Layer { blocks: Vec::new(), spans: vec![Span::default(); shards] };
        let held = held + layer.bytes();
        let task =
            Task { layer, bounds: layer.bounds(), plan: self.plan, step, filter, shard_bits, budget: self.budget };
        let mut parts: Vec<Part> = Vec::new();
        loop {
            // A round copies what earlier ones made, so each is as large as all before it.
            let merged = next.len();
            let wanted = merged.max(BUFFERED) / threads;
            let copies = 2 * merged * (size_of::<S>() + 8);
            let room = |used: usize| {
                let left = task.budget.memory.saturating_sub(used + copies);
                // A successor may take its place in a buffer and, with room to grow, in the new layer, and be linked.
                left / (4 * size_of::<Sent<S, N>>() + 16) / threads
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
            if parts.is_empty() {
                parts = Part::of(count, if count < most / LIKELY_GROWTH { threads } else { 1 });
            }
            let is_last = self.expand(&task, &parts, threads, most)?;
            next = self.merge(&task, next, threads)?;
            if is_last {
                break;
            }
        }
        let links = &mut self.links;
        self.workers[..threads].iter_mut().for_each(|worker| links.complete(&mut worker.completed));
        let finishes = self.workers[..threads].iter().filter_map(|worker| worker.finish);
        // The first of equals, whoever found it.
        let best = finishes.min_by_key(|&(position, finish)| (Reverse(finish.value), position));
        Ok((next, best.map(|(_, finish)| finish)))
    }

    /// Lets the workers expand portions of the parts, each of its own first, until about `most` successors are buffered by
    /// each. Returns whether all is expanded.
    fn expand(&mut self, task: &Task<'_, S>, parts: &[Part], threads: usize, most: usize) -> Result<bool, Stop> {
        let left: usize = parts.iter().map(Part::left).sum();
        let portion = if threads == 1 { left } else { left / (PORTIONS * threads) };
        let portion = portion.clamp(BATCH, if N::IS_KEPT { LONGEST_PORTION } else { usize::MAX });
        let workers = &mut self.workers[..threads];
        in_parallel(workers, |worker| {
            if !std::mem::replace(&mut worker.is_prepared, true) {
                worker.expander.prepare(task.plan, task.step, &task.filter, task.layer.len());
            }
            while worker.made < most {
                if worker.portion.is_empty() {
                    let in_turn = (0..parts.len()).map(|at| &parts[(worker.id + at) % parts.len()]);
                    match in_turn.filter_map(|part| part.take(portion)).next() {
                        Some(next) => worker.portion = next,
                        None => break,
                    }
                }
                worker.fill(task, most)?;
            }
            Ok(())
        })?;
        self.made += workers.iter_mut().map(|worker| std::mem::take(&mut worker.made) as u64).sum::<u64>();
        Ok(parts.iter().all(|part| part.left() == 0) && workers.iter().all(|worker| worker.portion.is_empty()))
    }

    /// The new layer so far, with what is buffered.
    fn merge(&mut self, task: &Task<'_, S>, earlier: Layer<S>, threads: usize) -> Result<Layer<S>, Stop> {
        let workers = &self.workers[..threads];
        // Who did each portion, in order, so that the new layer does not depend on it.
        let mut portions: Vec<(usize, &Worker<S, E, N>, usize)> = Vec::new();
        for worker in workers {
            portions.extend(worker.begun.iter().enumerate().map(|(at, &from)| (from, worker, at)));
        }
        portions.sort_unstable_by_key(|&(from, ..)| from);
        for merger in &mut self.mergers[..threads] {
            merger.block = self.spare.pop().unwrap_or_else(Block::new);
        }
        let keeps_links = N::IS_KEPT && self.keeps_links;
        let mut shards: Vec<_> = earlier.spans.iter().map(|&span| (span, Inward::default())).collect();
        let before = |index: usize| if earlier.blocks.is_empty() { (&[][..], &[][..]) } else { earlier.shard(index) };
        deal_out(&mut shards, &mut self.mergers[..threads], |merger, index, (span, inward)| {
            // What came before, in a layer too large for one round, is merged with what comes now.
            let (states, values) = before(index);
            let incoming = workers.iter().map(|worker| worker.outgoing[index].len()).sum::<usize>();
            merger.begin(states.len() + incoming);
            states.iter().zip(values).for_each(|(&state, &value)| _ = merger.insert(state, value));
            inward.reserve(if keeps_links { incoming } else { 0 });
            for &(_, worker, at) in &portions {
                for batch in worker.sent(at, index, task.shards()).chunks(MERGES_PER_CLOCK) {
                    for &(state, value, note) in batch {
                        let to = merger.insert(state, value);
                        if keeps_links {
                            inward.push(note.link(to));
                        }
                    }
                    merger.since_clock += batch.len();
                    if merger.since_clock >= MERGES_PER_CLOCK {
                        merger.since_clock = 0;
                        task.budget.spent().map_or(Ok(()), Err)?;
                    }
                }
                if keeps_links {
                    inward.end_portion();
                }
            }
            *span = merger.span();
            Ok(())
        })?;
        let (spans, inward) = shards.into_iter().unzip();
        if keeps_links {
            self.links.add(portions.iter().map(|&(from, ..)| from).collect(), inward);
        }
        let mergers = self.mergers[..threads].iter_mut();
        let blocks = mergers.map(|merger| std::mem::replace(&mut merger.block, Block::new())).collect();
        self.recycle(earlier);
        for worker in &mut self.workers[..threads] {
            worker.outgoing[..task.shards()].iter_mut().for_each(Vec::clear);
            worker.begun.clear();
            worker.ends.clear();
        }
        Ok(Layer { blocks, spans })
    }
}

/// A part of the old layer, by positions, of which portions are taken.
struct Part {
    next: AtomicUsize,
    end: usize,
}

impl Part {
    fn of(count: usize, parts: usize) -> Vec<Self> {
        let bound = |at: usize| at * count / parts;
        (0..parts).map(|at| Part { next: AtomicUsize::new(bound(at)), end: bound(at + 1) }).collect()
    }

    fn left(&self) -> usize {
        self.end.saturating_sub(self.next.load(Ordering::Relaxed))
    }

    fn take(&self, portion: usize) -> Option<Range<usize>> {
        let from = self.next.fetch_add(portion, Ordering::Relaxed);
        (from < self.end).then(|| from..(from + portion).min(self.end))
    }
}

/// A step to do.
struct Task<'a, S> {
    layer: &'a Layer<S>,
    /// Of the layer's shards.
    bounds: Vec<usize>,
    plan: &'a Plan,
    step: &'a Step,
    filter: Filter<'a>,
    /// Bits of a hash that choose the shard of the new layer.
    shard_bits: u32,
    budget: &'a Budget,
}

impl<S> Task<'_, S> {
    fn shards(&self) -> usize {
        1 << self.shard_bits
    }
}

impl<S: State, E: Expand<S>, N: Note> Worker<S, E, N> {
    fn new(id: usize) -> Self {
        Worker {
            id,
            expander: E::new(),
            outgoing: Vec::new(),
            portion: 0..0,
            begun: Vec::new(),
            ends: Vec::new(),
            finish: None,
            completed: Vec::new(),
            made: 0,
            is_prepared: false,
        }
    }

    /// Expands its portion of the old layer, until about `most` successors are buffered.
    fn fill(&mut self, task: &Task<'_, S>, most: usize) -> Result<(), Stop> {
        let first = self.portion.start;
        self.begun.push(first);
        let Task { layer, bounds, plan, step, filter, shard_bits, budget } = task;
        let measure = filter.measure;
        let mut target = self.finish.map_or(filter.target, |(_, finish)| measure.worth(finish.value));
        let mut work = 0;
        let mut shard = bounds.partition_point(|&bound| bound <= self.portion.start) - 1;
        while !self.portion.is_empty() && self.made < most {
            while bounds[shard + 1] <= self.portion.start {
                shard += 1;
            }
            let begin = self.portion.start;
            let end = (begin + BATCH).min(bounds[shard + 1]).min(self.portion.end);
            self.portion.start = end;
            let (states, values) = layer.shard(shard);
            let batch = begin - bounds[shard]..end - bounds[shard];
            let (states, values) = (&states[batch.clone()], &values[batch]);
            let Worker { expander, outgoing, made, finish, completed, .. } = self;
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
            let noted = |next: &Item<S>| {
                let from = next.from as usize;
                (next.state, next.value, N::of(begin - first + from, next.value - values[from]))
            };
            let mut send = |sent: Sent<S, N>| {
                let shard = if *shard_bits == 0 { 0 } else { sent.0.hash64() >> (64 - shard_bits) };
                outgoing[shard as usize].push(sent);
                *made += 1;
            };
            let to = |next: &Item<S>| send(noted(next));
            work += BATCH + expander.expand(plan, step, filter, parents, to, complete);
            if work >= STATES_PER_CLOCK {
                work = 0;
                budget.spent().map_or(Ok(()), Err)?;
            }
        }
        self.ends.extend(self.outgoing[..task.shards()].iter().map(|buffer| buffer.len() as u32));
        Ok(())
    }

    /// What a portion, by its place among those of this worker, sent to a shard.
    fn sent(&self, at: usize, shard: usize, shards: usize) -> &[Sent<S, N>] {
        let from = if at == 0 { 0 } else { self.ends[(at - 1) * shards + shard] };
        &self.outgoing[shard][from as usize..self.ends[at * shards + shard] as usize]
    }
}
