//! Layers of states, and the step from one to the next.
//!
//! A layer is a set of states, each with the best value at which it can be reached, in *shards* by the top bits of the
//! states' hashes. The step is a pure function of a layer, a step of the plan and a filter: every worker expands a part of
//! the old layer into one buffer a shard of the new one; then the shards of the new layer are dealt out to the workers, and
//! each merges all buffers of its shards by insert-only open addressing. Nothing is shared, so there are no locks, and a
//! shard small enough for the cache is merged at the speed of the cache. Where bounds are looked up, which is where the
//! memory is waited for, a batch of lookups is begun before the first is needed.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::kernel::{Moved, State};
use super::plan::{Item, Plan, Step};
use super::potentials::Potential;
use super::relaxation::{Lookups, NOTHING, Table};
use crate::search::Budget;
use crate::solution::Stop;

/// States with the best value of each, in no particular order.
#[derive(Clone)]
pub(super) struct Shard<S> {
    pub(super) states: Vec<S>,
    pub(super) values: Vec<i64>,
}

#[derive(Clone)]
pub(super) struct Layer<S> {
    pub(super) shards: Vec<Shard<S>>,
}

impl<S: State> Layer<S> {
    /// The layer before the first step.
    pub(super) fn start() -> Self {
        Layer { shards: vec![Shard { states: vec![S::EMPTY], values: vec![0] }] }
    }

    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.states.len()).sum()
    }

    pub(super) fn bytes(&self) -> usize {
        let entry = |shard: &Shard<S>| shard.states.capacity() * size_of::<S>() + shard.values.capacity() * 8;
        self.shards.iter().map(entry).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (S, i64)> + '_ {
        self.shards.iter().flat_map(|shard| shard.states.iter().copied().zip(shard.values.iter().copied()))
    }

    pub(super) fn shrink(&mut self) {
        for shard in &mut self.shards {
            shard.states.shrink_to_fit();
            shard.values.shrink_to_fit();
        }
    }

    /// The parts of the shards that make up these positions of the whole layer.
    fn pieces(&self, mut positions: Range<usize>) -> Vec<(usize, Range<usize>)> {
        let mut pieces = Vec::new();
        let mut base = 0;
        for (index, shard) in self.shards.iter().enumerate() {
            let end = base + shard.states.len();
            if positions.start < end.min(positions.end) {
                let upto = end.min(positions.end);
                pieces.push((index, positions.start - base..upto - base));
                positions.start = upto;
            }
            base = end;
        }
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

/// What merging one shard takes, kept from shard to shard so that it stays in the cache. No two threads write to the same
/// line of it: they would wait for each other at every push.
#[repr(align(128))]
struct Merger<S> {
    states: Vec<S>,
    values: Vec<i64>,
    /// Positions in the shard plus one, by hash; 0 is free.
    index: Vec<u32>,
    /// Successors merged since the last look at the clock.
    since_clock: usize,
}

impl<S: State> Merger<S> {
    fn new() -> Self {
        Merger { states: Vec::new(), values: Vec::new(), index: Vec::new(), since_clock: 0 }
    }

    /// Begins with what a shard has, and room for so many more.
    fn begin(&mut self, shard: &Shard<S>, more: usize) {
        self.states.clear();
        self.values.clear();
        self.index.clear();
        self.index.resize(((shard.states.len() + more) * 3 / 2).next_power_of_two().max(16), 0);
        for (&state, &value) in shard.states.iter().zip(&shard.values) {
            self.insert(state, value);
        }
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
            if self.states[found - 1] == state {
                let known = &mut self.values[found - 1];
                *known = value.max(*known);
                return;
            }
            at = (at + 1) & mask;
        }
        self.states.push(state);
        self.values.push(value);
        self.index[at] = self.states.len() as u32;
    }

    fn shard(&self) -> Shard<S> {
        Shard { states: self.states.clone(), values: self.values.clone() }
    }

    fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<S>() + self.values.capacity() * 8 + self.index.capacity() * 4
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
/// With no room to buffer this many successors the memory is spent.
const FEWEST_BUFFERED: usize = 1 << 11;
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
    /// States made, before merging.
    pub(super) made: u64,
    pub(super) peak_bytes: usize,
}

impl<'a, S: State> Machine<'a, S> {
    pub(super) fn new(plan: &'a Plan, budget: &'a Budget) -> Self {
        Machine { plan, budget, workers: Vec::new(), mergers: Vec::new(), made: 0, peak_bytes: 0 }
    }

    fn buffer_bytes(&self) -> usize {
        let buffers = self.workers.iter().flat_map(|worker| &worker.outgoing);
        let buffered: usize = buffers.map(|buffer| buffer.capacity() * size_of::<(S, i64)>()).sum();
        buffered + self.mergers.iter().map(Merger::bytes).sum::<usize>()
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
            (self.budget.threads.max(1), (2 * count / SHARD_STATES).next_power_of_two().trailing_zeros().min(12))
        };
        let shards = 1usize << shard_bits;
        self.workers.truncate(threads);
        self.workers.resize_with(threads, || Worker {
            expander: Expander::new(),
            likely: Vec::new(),
            lookups: Lookups::default(),
            outgoing: Vec::new(),
            finish: None,
            pieces: Vec::new(),
            made: 0,
        });
        for (index, worker) in self.workers.iter_mut().enumerate() {
            worker.outgoing.truncate(shards);
            worker.outgoing.resize_with(shards, Vec::new);
            worker.pieces = layer.pieces(index * count / threads..(index + 1) * count / threads);
            worker.pieces.reverse();
            worker.finish = None;
        }
        self.mergers.resize_with(threads, Merger::new);
        let mut next = Layer { shards: vec![Shard { states: Vec::new(), values: Vec::new() }; shards] };
        let held = held + layer.bytes();
        let (plan, budget) = (self.plan, self.budget);
        loop {
            let used = held + next.bytes() + self.buffer_bytes();
            self.peak_bytes = self.peak_bytes.max(used);
            let left = budget.memory.saturating_sub(used);
            // A successor may take its place in a buffer and, with room to grow, in the new layer.
            let most = (left / (4 * size_of::<(S, i64)>() + 16)).min(BUFFERED) / threads;
            if most < FEWEST_BUFFERED {
                return Err(Stop::MemoryLimit);
            }
            in_parallel(&mut self.workers, |worker| worker.fill(layer, plan, step, filter, shard_bits, most, budget))?;
            self.made += self.workers.iter_mut().map(|worker| std::mem::take(&mut worker.made) as u64).sum::<u64>();
            let workers = &self.workers;
            deal_out(&mut next.shards, &mut self.mergers, |merger, index, shard| {
                let incoming = || workers.iter().map(|worker| &worker.outgoing[index]);
                merger.begin(shard, incoming().map(Vec::len).sum());
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
                *shard = merger.shard();
                Ok(())
            })?;
            for worker in &mut self.workers {
                worker.outgoing.iter_mut().for_each(Vec::clear);
            }
            if self.workers.iter().all(|worker| worker.pieces.is_empty()) {
                break;
            }
        }
        let finishes = self.workers.iter().filter_map(|worker| worker.finish);
        // The first of equals, so that one thread always finds the same.
        let finish = finishes.reduce(|best, other| if other.value > best.value { other } else { best });
        Ok((next, finish))
    }
}

impl<S: State> Worker<S> {
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
            let shard = &layer.shards[*shard];
            let (states, values) = (&shard.states[batch.clone()], &shard.values[batch.clone()]);
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

/// Does the work for every item, each on a thread of its own but for the first.
pub(super) fn in_parallel<T: Send>(
    items: &mut [T],
    work: impl Fn(&mut T) -> Result<(), Stop> + Sync,
) -> Result<(), Stop> {
    let Some((first, others)) = items.split_first_mut() else {
        return Ok(());
    };
    if others.is_empty() {
        return work(first);
    }
    std::thread::scope(|scope| {
        let threads: Vec<_> = others.iter_mut().map(|item| scope.spawn(|| work(item))).collect();
        let result = work(first);
        let results = threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        results.fold(result, |result, other| result.and(other))
    })
}

/// Does the work for all items, dealt out a handful at a time to as many threads as there are hands to do it with. It is
/// told which item it is at.
pub(super) fn deal_out<T: Send, W: Send>(
    items: &mut [T],
    hands: &mut [W],
    work: impl Fn(&mut W, usize, &mut T) -> Result<(), Stop> + Sync,
) -> Result<(), Stop> {
    const HANDFULS: usize = 8;
    let count = hands.len().min(items.len());
    let hands = &mut hands[..count];
    let size = items.len().div_ceil(HANDFULS * count.max(1)).max(1);
    let heap = Mutex::new(items.chunks_mut(size).enumerate());
    in_parallel(hands, |hand| {
        loop {
            let handful = heap.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((index, handful)) = handful else {
                return Ok(());
            };
            for (offset, item) in handful.iter_mut().enumerate() {
                work(hand, index * size + offset, item)?;
            }
        }
    })
}
