//! Breadth-first search by layers.
//!
//! A layer is the set of states whose shortest way from a first state has so many steps. It is worked off in rounds: each
//! part of the [`Store`] lists the successors of its next few states, sorted by the part they belong to; then each part takes
//! in those that are new. Both halves of a round go through the parts independently, so threads share them without locks, and
//! the order within each part is that of one thread. A layer begins only when the one before is complete: the first
//! occurrence of a goal is a nearest one, and a limit that ends the search in layer d + 1 leaves proved what is true of all
//! states within d steps.

use std::fmt;
use std::time::{Duration, Instant};

use rayon_core::{ThreadPool, ThreadPoolBuilder};

use super::pool::Pool;
use super::shard::{Batch, Id, ROOT, SHARDS, Shard, Store, id, shard_of_hash};
use super::{End, Exploration, Explored, Goal, State, Until};
use crate::limits::Meter;
use crate::solution::Stop;

/// How many states of a part are worked off in a round, at least and at most.
const ROUND: (usize, usize) = (64, 2048);
/// How many rounds a large layer is worked off in.
const ROUNDS: usize = 8;
/// After how many states to look at the clock.
const LOOK: usize = 128;
/// Rounds of fewer states of a part are not worth the waking of threads.
const WORTH_THREADS: usize = 1024;

/// Takes the successors of a state.
pub struct Successors<'a, T: State + ?Sized> {
    batches: &'a mut Batches<T>,
    parent: Id,
    count: u64,
}

impl<T: State + ?Sized> fmt::Debug for Successors<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Successors").field("count", &self.count).finish_non_exhaustive()
    }
}

impl<'a, T: State + ?Sized> Successors<'a, T> {
    pub(super) fn new(batches: &'a mut Batches<T>, parent: Id) -> Self {
        Successors { batches, parent, count: 0 }
    }

    /// This is a successor. One that is told twice counts as two transitions.
    pub fn push(&mut self, state: &T) {
        let hash = T::Pool::hash(state);
        self.batches[shard_of_hash(hash)].push(state, hash, self.parent);
        self.count += 1;
    }
}

/// A function that lists the successors of a state, and may be called by threads at once.
pub trait Listing<T: State + ?Sized>: Fn(&T, &mut Successors<'_, T>) + Sync {}

impl<T: State + ?Sized, F: Fn(&T, &mut Successors<'_, T>) + Sync> Listing<T> for F {}

/// How far a breadth-first search is, after each layer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layer {
    /// Time since the search began.
    pub elapsed: Duration,
    /// The layer that is complete: how many steps its states are away.
    pub depth: usize,
    /// How many states it has.
    pub states: u64,
    /// How many states there are up to it.
    pub states_in_all: u64,
    /// The memory held, in bytes.
    pub bytes: usize,
}

/// States on their way to each part.
pub(super) type Batches<T> = [Batch<T>; SHARDS];

/// Where the layer at work begins, and the next one, in each part.
#[derive(Clone, Copy, Default)]
struct Span {
    next: usize,
    end: usize,
}

/// What a part has met of a goal in the layer that is being made.
#[derive(Clone, Copy, Default)]
struct Met {
    count: u64,
    first: Option<Id>,
}

/// What a part has met in the layer that is being made.
#[derive(Clone, Default)]
struct Findings {
    goals: Vec<Met>,
    /// The least number of steps to a goal, by the estimate, of what was left out because of the bound.
    beyond: Option<usize>,
}

struct Search<'a, 'e, T: State + ?Sized, F> {
    question: &'e Exploration<'a, T, F>,
    pool: Option<ThreadPool>,
    meter: Meter,
    store: Store<T>,
    /// By the part that a batch comes from.
    batches: [Batches<T>; SHARDS],
    spans: [Span; SHARDS],
    /// How many states of a part are worked off in a round.
    round: usize,
    findings: [Findings; SHARDS],
    explored: Explored<T>,
}

/// Searches, and gives the question back.
pub(super) fn run<'a, T, F>(mut question: Exploration<'a, T, F>) -> (Explored<T>, Exploration<'a, T, F>)
where
    T: State + ?Sized,
    F: Listing<T>,
{
    let began = Instant::now();
    let mut observer = question.observer.take();
    let threads = question.limits.threads.min(SHARDS);
    // Without a pool one thread does all.
    let pool = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten();
    let mut search = Search {
        pool,
        meter: question.limits.start(),
        store: Store::default(),
        batches: Default::default(),
        spans: Default::default(),
        round: ROUND.0,
        findings: std::array::from_fn(|_| Findings { goals: vec![Met::default(); question.goals], beyond: None }),
        explored: Explored::new(question.goals),
        question: &question,
    };
    let end = search.layers(&mut |layer| {
        if let Some(observer) = &mut observer {
            observer(&Layer { elapsed: began.elapsed(), ..layer });
        }
    });
    let Search { store, mut explored, spans, .. } = search;
    explored.end = end;
    explored.store = store;
    explored.expanded = spans.map(|span| span.next);
    explored.elapsed = began.elapsed();
    (explored, question)
}

impl<T, F> Search<'_, '_, T, F>
where
    T: State + ?Sized,
    F: Listing<T>,
{
    /// Layer after layer, until there is a reason to end.
    fn layers(&mut self, observer: &mut dyn FnMut(Layer)) -> End {
        let mut successors = Successors::new(&mut self.batches[0], ROOT);
        self.question.first.iter().for_each(|state| successors.push(std::borrow::Borrow::borrow(state)));
        if let Some(end) = self.take_in() {
            return end;
        }
        loop {
            let depth = self.explored.states_by_depth.len();
            let states = self.close_layer(depth);
            if states == 0 {
                let beyond = self.findings.iter().filter_map(|findings| findings.beyond).min();
                return beyond.map_or(End::Complete, End::Bound);
            }
            let bytes = self.bytes();
            let states_in_all = self.store.len() as u64;
            observer(Layer { elapsed: Duration::ZERO, depth, states, states_in_all, bytes });
            if self.has_met_all() {
                return End::Goal;
            }
            if self.question.depth_limit.is_some_and(|limit| depth >= limit) {
                return End::Depth;
            }
            if let Some(end) = self.next_layer() {
                return end;
            }
        }
    }

    fn has_met_all(&self) -> bool {
        let is_met = |goal: &Goal| goal.depth.is_some();
        match self.question.until {
            Until::Never => false,
            Until::Met(goal) => is_met(&self.explored.goals[goal]),
            Until::AllMet => self.explored.goals.iter().all(is_met),
        }
    }

    /// Counts what has come in as a layer of its own, which is the next to be worked off. How many states that are.
    fn close_layer(&mut self, depth: usize) -> u64 {
        for (span, shard) in self.spans.iter_mut().zip(&self.store.shards) {
            *span = Span { next: span.end, end: shard.len() };
        }
        let states = self.spans.iter().map(|span| (span.end - span.next) as u64).sum();
        if states > 0 {
            self.explored.states_by_depth.push(states);
        }
        self.round = (states as usize / SHARDS / ROUNDS).clamp(ROUND.0, ROUND.1);
        self.count_goals(depth);
        states
    }

    fn count_goals(&mut self, depth: usize) {
        for (goal, found) in self.explored.goals.iter_mut().enumerate() {
            for findings in &mut self.findings {
                let met = std::mem::take(&mut findings.goals[goal]);
                found.count += met.count;
                if let Some(id) = met.first
                    && found.nearest.is_none()
                {
                    *found = Goal { depth: Some(depth), nearest: Some(id), ..*found };
                }
            }
        }
    }

    /// Lists and takes in the successors of a whole layer.
    fn next_layer(&mut self) -> Option<End> {
        while self.spans.iter().any(|span| span.next < span.end) {
            let transitions = self.list();
            let end = self.take_in();
            if end.is_some() {
                // A goal of a layer that is not complete is a nearest one all the same.
                self.count_goals(self.explored.states_by_depth.len());
                return end;
            }
            self.explored.transitions += transitions;
            for span in &mut self.spans {
                span.next = (span.next + self.round).min(span.end);
            }
        }
        None
    }

    /// The first half of a round, which ends early if a limit is spent. How many transitions there are.
    fn list(&mut self) -> u64 {
        let Search { question, store, batches, spans, meter, round, pool, .. } = self;
        let (round, meter) = (*round, &*meter);
        let (successors, store) = (&question.successors, &*store);
        let list = |shard: usize, span: Span, batches: &mut Batches<T>| {
            let mut count = 0;
            for index in span.next..span.end.min(span.next + round) {
                if index.is_multiple_of(LOOK) && meter.spent().is_some() {
                    break;
                }
                let mut found = Successors::new(batches, id(shard, index));
                successors(store.shards[shard].state(index), &mut found);
                count += found.count;
            }
            count
        };
        let mut counts = [0; SHARDS];
        let work = batches.iter_mut().zip(*spans).zip(&mut counts).enumerate();
        match pool.as_ref().filter(|_| round >= WORTH_THREADS) {
            Some(pool) => pool.in_place_scope(|scope| {
                for (shard, ((batches, span), count)) in work {
                    let list = &list;
                    scope.spawn(move |_| *count = list(shard, span, batches));
                }
            }),
            None => work.for_each(|(shard, ((batches, span), count))| *count = list(shard, span, batches)),
        }
        counts.iter().sum()
    }

    /// The second half of a round, unless there is no room for it or a limit is spent.
    fn take_in(&mut self) -> Option<End> {
        if let Some(stop) = self.meter.spent() {
            return Some(End::Spent(stop));
        }
        let batches = &self.batches;
        let coming = |shard: usize| batches.iter().map(move |batches| &batches[shard]);
        let growth: usize = (0..SHARDS).map(|shard| self.store.shards[shard].growth(coming(shard))).sum();
        if self.meter.forbids(self.bytes() + growth) {
            return Some(End::Spent(Stop::MemoryLimit));
        }
        if self.question.state_limit.is_some_and(|limit| self.store.len() as u64 >= limit) {
            return Some(End::States);
        }
        let Exploration { classify, bound, .. } = self.question;
        let depth = self.explored.states_by_depth.len();
        let take_in = |at: usize, shard: &mut Shard<T>, findings: &mut Findings| {
            let Findings { goals, beyond } = findings;
            let mut admit = |state: &T| {
                let Some((bound, estimate)) = bound else { return true };
                let steps = depth.saturating_add(estimate(state));
                if steps > *bound {
                    *beyond = Some(beyond.map_or(steps, |least| least.min(steps)));
                }
                steps <= *bound
            };
            let each = |index: usize, state: &T| {
                if let Some(goal) = classify(state) {
                    goals[goal].count += 1;
                    goals[goal].first.get_or_insert(id(at, index));
                }
            };
            shard.insert(coming(at), &mut admit, each);
        };
        let work = self.store.shards.iter_mut().zip(&mut self.findings).enumerate();
        match self.pool.as_ref().filter(|_| self.round >= WORTH_THREADS) {
            Some(pool) => pool.in_place_scope(|scope| {
                for (at, (shard, findings)) in work {
                    let take_in = &take_in;
                    scope.spawn(move |_| take_in(at, shard, findings));
                }
            }),
            None => work.for_each(|(at, (shard, findings))| take_in(at, shard, findings)),
        }
        self.batches.iter_mut().flatten().for_each(Batch::clear);
        self.explored.peak_bytes = self.explored.peak_bytes.max(self.bytes());
        None
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.batches.iter().flatten().map(Batch::bytes).sum::<usize>()
    }
}
