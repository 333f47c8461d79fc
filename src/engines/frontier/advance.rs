//! The step from one layer to the next.
//!
//! It is a pure function of a layer, a step of the plan and a filter. Where the shards of the layer are [chosen](Sharding) by what
//! the step leaves alone, each is dealt out to a worker and goes through the step by itself: successors are merged where they are
//! made. Elsewhere portions of the old layer are dealt out, and each worker expands its own into one buffer a shard of the new
//! layer; then the shards are dealt out, and each is merged from all buffers, portion after portion. So the states do not depend on
//! who did what, nor does their order but where the buffers fill up; nothing is shared that is written to, and a shard small
//! enough for the cache is merged at the speed of the cache. Where bounds are looked up, which is where the memory is waited for,
//! a batch of lookups is begun before the first is needed.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::expander::{BATCH, Expand, Expander};
use super::expansion::{Expansion, Outgoing, Sent, Shard, Sink, Task};
use super::filter::Filter;
use super::kernel::State;
use super::layer::{Block, Finish, Layer, Span};
use super::links::{Inward, LONGEST_PORTION, Link, Links, Note, Stretch};
use super::merger::Merger;
use super::plan::{Plan, Step};
use super::sharding::Sharding;
use super::worker_pool::{self, deal_out, in_parallel};
use crate::instance::Budget;
use crate::solution::Stop;

/// One thread's part of a step, apart from the others' in the cache.
#[repr(align(128))]
struct Worker<S, E, N> {
    id: usize,
    expansion: Expansion<S, E>,
    outgoing: Outgoing<S, N>,
    /// What is left of the portion that it is at: positions in the old layer.
    portion: Range<usize>,
    /// Where the portions, or parts of them, that it did in this round begin in the old layer.
    begun: Vec<usize>,
    /// Where each of them ends in the buffer of each shard.
    ends: Vec<u32>,
    /// Those of the portion that it is at, of a shard that goes by itself.
    links: Vec<Link>,
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
        let buffered: usize = self.workers.iter().map(|worker| worker.outgoing.bytes()).sum();
        let indexed: usize = self.mergers.iter().map(Merger::index_bytes).sum();
        buffered + indexed + self.spare.iter().map(Block::bytes).sum::<usize>() + self.links.bytes()
    }

    /// Gives back the memory that is kept for later, empty buffers too.
    fn release(&mut self) {
        self.spare = Vec::new();
        self.workers.iter_mut().for_each(|worker| worker.outgoing.release());
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
        while self.workers.len() < threads {
            self.workers.push(Worker::new(self.workers.len()));
            self.mergers.push(Merger::new(self.mergers.len()));
        }
        for worker in &mut self.workers[..threads] {
            worker.begin(step.sharding, shard_bits);
        }
        self.links = Links::default();
        self.keeps_links &= u32::try_from(count).is_ok();
        let held = held + layer.bytes();
        let task =
            Task { layer, bounds: layer.bounds(), plan: self.plan, step, filter, shard_bits, budget: self.budget };
        let next = if task.goes_by_shards() {
            self.by_shards(&task, threads, held)
        } else {
            self.by_portions(&task, threads, held)
        };
        self.made += self.workers[..threads].iter().map(|worker| worker.expansion.made).sum::<u64>();
        let next = next?;
        let links = &mut self.links;
        self.workers[..threads].iter_mut().for_each(|worker| links.complete(&mut worker.expansion.completed));
        let finishes = self.workers[..threads].iter().filter_map(|worker| worker.expansion.finish);
        // The first of equals, whoever found it.
        let best = finishes.min_by_key(|&(position, finish)| (Reverse(finish.value), position));
        Ok((next, best.map(|(_, finish)| finish)))
    }

    /// Lets every shard go through the step by itself.
    fn by_shards(&mut self, task: &Task<'_, S>, threads: usize, held: usize) -> Result<Layer<S>, Stop> {
        let room = |used: usize| task.budget.memory.saturating_sub(used);
        let mut used = held + self.buffer_bytes();
        if room(used) / LIKELY_GROWTH < task.layer.bytes() {
            self.release();
            used = held + self.buffer_bytes();
        }
        self.renew_blocks(threads);
        let keeps_links = N::IS_KEPT && self.keeps_links;
        let (room, taken) = (room(used), AtomicUsize::new(0));
        let mut shards: Vec<_> = (0..task.layer.shard_count()).map(|_| (Span::default(), Vec::new())).collect();
        let mut hands: Vec<_> = self.workers.iter_mut().zip(&mut self.mergers).take(threads).collect();
        deal_out(&mut shards, &mut hands, |(worker, merger), index, (span, stretches)| {
            let (from, to) = (task.bounds[index], task.bounds[index + 1]);
            let indexed = merger.index_bytes();
            merger.begin(to - from);
            let Worker { expansion, links, .. } = &mut **worker;
            let mut shard = Shard { merger, keeps_links, links, counted: [0, 0, indexed], taken: &taken, room };
            for begin in (from..to).step_by(LONGEST_PORTION) {
                shard.links.clear();
                shard.counted[1] = 0;
                let mut portion = begin..(begin + LONGEST_PORTION).min(to);
                expansion.take::<N>(task, &mut portion, &mut shard)?;
                Sink::<S, N>::takes_more(&mut shard)?;
                if keeps_links {
                    stretches.push(Stretch { begin, shard: index, links: Inward::of(shard.links) });
                }
            }
            *span = merger.span();
            Ok(())
        })?;
        let (spans, stretches): (_, Vec<_>) = shards.into_iter().unzip();
        self.links.add_stretches(stretches.into_iter().flatten().collect());
        let next = Layer { blocks: self.take_blocks(threads), spans, sharding: task.step.sharding };
        self.peak_bytes = self.peak_bytes.max(held + next.bytes() + self.buffer_bytes());
        Ok(next)
    }

    fn by_portions(&mut self, task: &Task<'_, S>, threads: usize, held: usize) -> Result<Layer<S>, Stop> {
        let count = task.layer.len();
        let mut next = Layer {
            blocks: Vec::new(),
            spans: vec![Span::default(); 1 << task.shard_bits],
            sharding: task.step.sharding,
        };
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
            let is_last = self.expand(task, &parts, threads, most)?;
            next = self.merge(task, next, threads)?;
            if is_last {
                return Ok(next);
            }
        }
    }

    /// Lets the workers expand portions of the parts, each of its own first, until about `most` successors are buffered by
    /// each. Returns whether all is expanded.
    fn expand(&mut self, task: &Task<'_, S>, parts: &[Part], threads: usize, most: usize) -> Result<bool, Stop> {
        let left: usize = parts.iter().map(Part::left).sum();
        let portion = if threads == 1 { left } else { left / (PORTIONS * threads) };
        let portion = portion.clamp(BATCH, if N::IS_KEPT { LONGEST_PORTION } else { usize::MAX });
        let workers = &mut self.workers[..threads];
        in_parallel(workers, |worker| {
            (worker.outgoing.buffered, worker.outgoing.most) = (0, most);
            while worker.outgoing.takes_more()? {
                if worker.portion.is_empty() {
                    let in_turn = (0..parts.len()).map(|at| &parts[(worker.id + at) % parts.len()]);
                    match in_turn.filter_map(|part| part.take(portion)).next() {
                        Some(next) => worker.portion = next,
                        None => break,
                    }
                }
                worker.fill(task)?;
            }
            Ok(())
        })?;
        Ok(parts.iter().all(|part| part.left() == 0) && workers.iter().all(|worker| worker.portion.is_empty()))
    }

    /// The new layer so far, with what is buffered.
    fn merge(&mut self, task: &Task<'_, S>, earlier: Layer<S>, threads: usize) -> Result<Layer<S>, Stop> {
        self.renew_blocks(threads);
        let workers = &self.workers[..threads];
        // Who did each portion, in order, so that the new layer does not depend on it.
        let mut portions: Vec<(usize, &Worker<S, E, N>, usize)> = Vec::new();
        for worker in workers {
            portions.extend(worker.begun.iter().enumerate().map(|(at, &from)| (from, worker, at)));
        }
        portions.sort_unstable_by_key(|&(from, ..)| from);
        let keeps_links = N::IS_KEPT && self.keeps_links;
        let mut shards: Vec<_> = earlier.spans.iter().map(|&span| (span, Inward::default())).collect();
        let before = |index: usize| if earlier.blocks.is_empty() { (&[][..], &[][..]) } else { earlier.shard(index) };
        deal_out(&mut shards, &mut self.mergers[..threads], |merger, index, (span, inward)| {
            // What came before, in a layer too large for one round, is merged with what comes now.
            let (states, values) = before(index);
            let incoming = workers.iter().map(|worker| worker.outgoing.buffers[index].len()).sum::<usize>();
            merger.begin(states.len() + incoming);
            states.iter().zip(values).for_each(|(&state, &value)| _ = merger.insert(state, value));
            inward.reserve(if keeps_links { incoming } else { 0 });
            for &(_, worker, at) in &portions {
                for batch in worker.sent(at, index).chunks(MERGES_PER_CLOCK) {
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
        let blocks = self.take_blocks(threads);
        let sharding = earlier.sharding;
        self.recycle(earlier);
        self.workers[..threads].iter_mut().for_each(Worker::forget_sent);
        Ok(Layer { blocks, spans, sharding })
    }

    /// Gives the mergers blocks to fill.
    fn renew_blocks(&mut self, threads: usize) {
        for merger in &mut self.mergers[..threads] {
            merger.block = self.spare.pop().unwrap_or_else(Block::new);
        }
    }

    fn take_blocks(&mut self, threads: usize) -> Vec<Block<S>> {
        let mergers = self.mergers[..threads].iter_mut();
        mergers.map(|merger| std::mem::replace(&mut merger.block, Block::new())).collect()
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

impl<S: State, E: Expand<S>, N: Note> Worker<S, E, N> {
    fn new(id: usize) -> Self {
        let (expansion, outgoing) = (Expansion::new(), Outgoing::new());
        Worker { id, expansion, outgoing, portion: 0..0, begun: Vec::new(), ends: Vec::new(), links: Vec::new() }
    }

    /// Begins a step to a layer of such shards.
    fn begin(&mut self, sharding: Sharding, shard_bits: u32) {
        self.expansion.begin();
        self.outgoing.begin(sharding, shard_bits);
        self.portion = 0..0;
    }

    /// Expands its portion of the old layer, as long as its buffers take more.
    fn fill(&mut self, task: &Task<'_, S>) -> Result<(), Stop> {
        self.begun.push(self.portion.start);
        self.expansion.take(task, &mut self.portion, &mut self.outgoing)?;
        self.ends.extend(self.outgoing.buffers[..self.outgoing.shards()].iter().map(|buffer| buffer.len() as u32));
        Ok(())
    }

    /// What a portion, by its place among those of this worker, sent to a shard.
    fn sent(&self, at: usize, shard: usize) -> &[Sent<S, N>] {
        let shards = self.outgoing.shards();
        let from = if at == 0 { 0 } else { self.ends[(at - 1) * shards + shard] };
        &self.outgoing.buffers[shard][from as usize..self.ends[at * shards + shard] as usize]
    }

    fn forget_sent(&mut self) {
        self.outgoing.buffers.iter_mut().for_each(Vec::clear);
        self.begun.clear();
        self.ends.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Instant;

    use super::super::chains::Core;
    use super::super::kernel::{Signature, Wide};
    use super::super::measure::Measure;
    use super::super::planner;
    use super::super::tests::grid;
    use super::super::worker_pool::WorkerPool;
    use super::*;
    use crate::instance::{Ends, Instance};
    use crate::limits::Limits;

    /// A layer, with the worth of what its step completes.
    type Seen<S> = (BTreeMap<S, i64>, Option<i64>);

    /// Every layer, and in how many steps several shards went by themselves.
    fn layers<S: State>(plan: &Plan, threads: usize) -> (Vec<Seen<S>>, usize) {
        let budget = Budget::new(Instant::now(), &Limits { threads, ..Limits::default() });
        let sweep = || {
            let mut layer_expander = LayerExpander::<S>::new(plan, &budget);
            let (mut layer, mut found, mut by_shards) = (Layer::start(), Vec::new(), 0);
            for step in &plan.steps {
                let (next, finish) = layer_expander.advance(&layer, step, Filter::none(), 0).expect("there is memory");
                let several = layer.shard_count() > 1 && layer.shard_count() == next.shard_count();
                by_shards +=
                    usize::from(several && layer.sharding == next.sharding && layer.sharding.outlasts(step.changes()));
                let states: BTreeMap<S, i64> = next.iter().collect();
                assert_eq!(states.len(), next.len(), "a state is in one shard");
                found.push((states, finish.map(|finish| finish.value)));
                layer = next;
            }
            (found, by_shards)
        };
        WorkerPool::new(threads).run(sweep)
    }

    fn compare<S: State>(core: &Core) {
        let order: Vec<u32> = (0..core.vertices.len() as u32).collect();
        let mut plan = planner::plan(core, &order, Measure::Plain);
        let one = layers::<S>(&plan, 1);
        let three = layers::<S>(&plan, 3);
        assert!(one.1 > 10, "{} steps went by shards", one.1);
        assert!(one == three);
        plan.steps.iter_mut().for_each(|step| step.sharding = Sharding::BY_ALL);
        let (by_portions, none) = layers::<S>(&plan, 2);
        assert!(one.0 == by_portions);
        assert_eq!(none, 0);
    }

    #[test]
    fn shards_by_themselves_come_to_what_portions_come_to() {
        let graph = grid(7, 7);
        let prizes = vec![0; graph.vertex_count()];
        let ends = Ends::Open { first: prizes.clone(), last: prizes, single_vertex: true };
        let core = Core::new(&Instance { graph, ends });
        compare::<Signature>(&core);
        compare::<Wide>(&core);
    }
}
