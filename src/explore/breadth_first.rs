//! Breadth-first search by layers.
//!
//! A layer is the set of states whose shortest way from a first state has so many steps. It is worked off in rounds: each
//! part of the [`Store`] lists the successors of its next few states, sorted by the part they belong to; then each part takes
//! in those that are new. Both halves of a round go through the parts independently, so threads share them without locks, and
//! the order within each part is that of one thread. A layer begins only when the one before is complete: the first
//! occurrence of a goal is a nearest one, and a limit that ends the search in layer d + 1 leaves proved what is true of all
//! states within d steps.

use std::time::{Duration, Instant};

use rayon_core::{ThreadPool, ThreadPoolBuilder};

use super::pool::Pool;
use super::shard::{Batch, Id, ROOT, SHARDS, Shard, Store, id, shard_of_hash};
use super::{End, Exploration, Explored, Goal, State, Until};
use crate::limits::Meter;
use crate::solution::Stop;

/// How many states of a part are looked at in a round: few enough to look at the clock in between.
const ROUND: usize = 256;

/// Takes the successors of a state.
pub struct Successors<'a, T: State + ?Sized> {
    batches: &'a mut Batches<T>,
    parent: Id,
    count: u64,
}

impl<T: State + ?Sized> Successors<'_, T> {
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
type Batches<T> = [Batch<T>; SHARDS];

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

struct Search<'a, 'e, T: State + ?Sized, F> {
    question: &'e Exploration<'a, T, F>,
    pool: Option<ThreadPool>,
    meter: Meter,
    store: Store<T>,
    /// By the part that a batch comes from.
    batches: [Batches<T>; SHARDS],
    spans: [Span; SHARDS],
    met: [Vec<Met>; SHARDS],
    explored: Explored<T>,
}

pub(super) fn run<T, F>(mut question: Exploration<'_, T, F>) -> Explored<T>
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
        met: std::array::from_fn(|_| vec![Met::default(); question.goals]),
        explored: Explored::new(question.goals),
        question: &question,
    };
    let end = search.layers(&mut |layer| {
        if let Some(observer) = &mut observer {
            observer(&Layer { elapsed: began.elapsed(), ..layer });
        }
    });
    let Search { store, mut explored, .. } = search;
    explored.end = end;
    explored.store = store;
    explored.elapsed = began.elapsed();
    explored
}

impl<T, F> Search<'_, '_, T, F>
where
    T: State + ?Sized,
    F: Listing<T>,
{
    /// Layer after layer, until there is a reason to end.
    fn layers(&mut self, observer: &mut dyn FnMut(Layer)) -> End {
        let mut successors = Successors { batches: &mut self.batches[0], parent: ROOT, count: 0 };
        self.question.first.iter().for_each(|state| successors.push(std::borrow::Borrow::borrow(state)));
        if let Some(end) = self.take_in() {
            return end;
        }
        loop {
            let depth = self.explored.states_by_depth.len();
            let states = self.close_layer(depth);
            if states == 0 {
                return End::Complete;
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
        self.count_goals(depth);
        states
    }

    fn count_goals(&mut self, depth: usize) {
        for (goal, found) in self.explored.goals.iter_mut().enumerate() {
            let met = self.met.iter_mut().map(|met| std::mem::take(&mut met[goal]));
            for met in met {
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
            self.explored.transitions += self.list();
            let end = self.take_in();
            if end.is_some() {
                // A goal of a layer that is not complete is a nearest one all the same.
                self.count_goals(self.explored.states_by_depth.len());
                return end;
            }
            for span in &mut self.spans {
                span.next = (span.next + ROUND).min(span.end);
            }
        }
        None
    }

    /// The first half of a round. How many transitions there are.
    fn list(&mut self) -> u64 {
        let Search { question, store, batches, spans, .. } = self;
        let (successors, store) = (&question.successors, &*store);
        let list = |shard: usize, span: Span, batches: &mut Batches<T>| {
            let mut count = 0;
            for index in span.next..span.end.min(span.next + ROUND) {
                let mut found = Successors { batches, parent: id(shard, index), count: 0 };
                successors(store.shards[shard].state(index), &mut found);
                count += found.count;
            }
            count
        };
        let mut counts = [0; SHARDS];
        let work = batches.iter_mut().zip(*spans).zip(&mut counts).enumerate();
        match &self.pool {
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
        let classify = &self.question.classify;
        let take_in = |at: usize, shard: &mut Shard<T>, met: &mut Vec<Met>| {
            shard.insert(coming(at), |index, state| {
                if let Some(goal) = classify(state) {
                    met[goal].count += 1;
                    met[goal].first.get_or_insert(id(at, index));
                }
            });
        };
        let work = self.store.shards.iter_mut().zip(&mut self.met).enumerate();
        match &self.pool {
            Some(pool) => pool.in_place_scope(|scope| {
                for (at, (shard, met)) in work {
                    let take_in = &take_in;
                    scope.spawn(move |_| take_in(at, shard, met));
                }
            }),
            None => work.for_each(|(at, (shard, met))| take_in(at, shard, met)),
        }
        self.batches.iter_mut().flatten().for_each(Batch::clear);
        self.explored.peak_bytes = self.explored.peak_bytes.max(self.bytes());
        None
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.batches.iter().flatten().map(Batch::bytes).sum::<usize>()
    }
}
