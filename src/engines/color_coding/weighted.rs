//! The heaviest path of `k` vertices: trials over sparse tables, pruned by the best path known.
//!
//! As in the unweighted case, but for every vertex and set the table keeps the greatest weight. Tables are lists of
//! states with a hash index over the layer in work, since pruning leaves few: a state survives only if its weight and
//! what a walk could still add ([`WalkBounds`]) beat the best path known (the lower bounds of Hüffner, Wernicke and Zichner,
//! turned round for the heaviest; see the [module above](super)). The steps of a vertex come by falling promise, so the
//! first that fails ends the list.
//!
//! A trial finds the best of all paths whose labels differ that beats the best known, whatever order the trials come in;
//! so the weight found at the end depends on the seed only, not on the threads. Pruning never hides a better path from the
//! trial that would have found it, so the probability of a miss is that of plain color coding.
//!
//! - *Warm-up.* Trials that keep only the most promising states of a layer find a good path at once. They don't count.
//! - *How many labels?* More labels mean fewer trials and more states a trial; how many more depends on how well pruning
//!   works. So one trial is made with each number of labels, upwards, until the work all trials would take has risen
//!   twice. These do count.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use super::{MOST_LABELS, draw, success_probability, trials_for};
use crate::instance::{Budget, NOT_AN_END};
use crate::reduce::walks::{Cost, Found, Missed, WalkBounds, Walks};
use crate::solution::Stop;

/// How many states a layer keeps in the trials that warm up.
const WARM_UPS: [usize; 3] = [1 << 8, 1 << 11, 1 << 14];
/// Up to so many states, one trial with a label for each vertex is better than many.
const MOST_STATES_WHERE_DISTINCT: usize = 1 << 22;
/// The stop is asked for once in so many steps.
const STEPS_PER_CLOCK: u64 = 1 << 14;

/// The heaviest path of `k` vertices that is worth more than `floor`, missed with probability `failure` at most.
/// `distinct` allows to give every vertex its own label where there are few.
pub(crate) fn heaviest(
    walks: &Walks<'_>,
    walk_bounds: &WalkBounds,
    floor: i64,
    failure: f64,
    distinct: bool,
    budget: &Budget,
    report: &mut dyn FnMut(i64),
) -> (Found, Cost) {
    let search = Search {
        walks,
        walk_bounds,
        budget,
        most_states: budget.memory / budget.threads.max(1) / BYTES_OF_STATE,
        best: AtomicI64::new(floor),
    };
    Trials::new(&search, report).run(failure, distinct)
}

/// A state with its share of the hash index.
const BYTES_OF_STATE: usize = size_of::<State>() + 16;

struct Search<'a> {
    walks: &'a Walks<'a>,
    walk_bounds: &'a WalkBounds,
    budget: &'a Budget,
    /// How many states a trial may hold.
    most_states: usize,
    /// The value of the best path known, to all threads.
    best: AtomicI64,
}

/// What became of a trial.
enum Trial {
    /// Searched to the end; with a path if one beats the best that was known.
    Done(Option<(Vec<u32>, i64)>),
    Stopped(Option<Stop>),
}

/// The trials, one after the other, and what they have brought so far.
struct Trials<'s, 'r> {
    search: &'s Search<'s>,
    report: &'r mut dyn FnMut(i64),
    table: Sparse,
    labels: Vec<u8>,
    /// How many labellings have been drawn.
    drawn: u64,
    found: Found,
    cost: Cost,
    /// The logarithm of the probability that all trials so far missed the best path.
    all_missed: f64,
}

/// Whether there is more to do.
type Go = ControlFlow<()>;

impl<'s, 'r> Trials<'s, 'r> {
    fn new(search: &'s Search<'s>, report: &'r mut dyn FnMut(i64)) -> Self {
        Trials {
            search,
            report,
            table: Sparse::new(),
            labels: vec![0; search.walks.vertex_count()],
            drawn: 0,
            found: Found { best: None, missed: Missed::With(1.0) },
            cost: Cost { labels: search.walks.k, ..Cost::default() },
            all_missed: 0.0,
        }
    }

    fn run(mut self, failure: f64, distinct: bool) -> (Found, Cost) {
        // Whichever of these breaks off has noted why.
        let _ = self.all(failure, distinct);
        self.cost.steps += self.table.steps;
        self.cost.peak_bytes += self.table.peak_bytes;
        (self.found, self.cost)
    }

    fn all(&mut self, failure: f64, distinct: bool) -> Go {
        self.warm_up()?;
        if distinct && self.labels.len() <= MOST_LABELS {
            self.label_each_vertex()?;
        }
        let count = self.choose_labels(failure)?;
        self.make_the_rest(count, failure);
        ControlFlow::Continue(())
    }

    /// One trial with the labels as they are.
    fn trial(&mut self, keep: usize, most: usize) -> Trial {
        let trial = self.search.trial(&mut self.table, &self.labels, keep, most, &AtomicBool::new(false));
        if let Trial::Done(Some((path, value))) = &trial {
            (self.report)(*value);
            self.found.best = Some((path.clone(), *value));
        }
        trial
    }

    fn draw(&mut self, count: usize) {
        draw(&mut self.labels, count, self.search.budget.seed, self.drawn);
        self.drawn += 1;
    }

    /// A limit is spent.
    fn stop(&mut self, stop: Option<Stop>) -> Go {
        self.cost.stop = stop;
        ControlFlow::Break(())
    }

    /// Nothing can have been missed.
    fn proved(&mut self) -> Go {
        self.found.missed = Missed::Nothing;
        ControlFlow::Break(())
    }

    /// Trials that keep only what is most promising.
    fn warm_up(&mut self) -> Go {
        for keep in WARM_UPS {
            self.draw(MOST_LABELS);
            if let Trial::Stopped(stop) = self.trial(keep.min(self.search.most_states), usize::MAX) {
                return self.stop(stop);
            }
        }
        ControlFlow::Continue(())
    }

    /// One trial that misses nothing, unless it takes too much.
    fn label_each_vertex(&mut self) -> Go {
        (0u8..).zip(&mut self.labels).for_each(|(label, slot)| *slot = label);
        match self.trial(usize::MAX, self.search.most_states.min(MOST_STATES_WHERE_DISTINCT)) {
            Trial::Done(_) => {
                (self.cost.labels, self.cost.trials) = (self.labels.len(), 1);
                self.proved()
            }
            Trial::Stopped(_) => ControlFlow::Continue(()),
        }
    }

    /// One trial with each number of labels, until all that are needed would take more work: the number that takes least.
    fn choose_labels(&mut self, failure: f64) -> ControlFlow<(), usize> {
        let k = self.search.walks.k;
        let mut choice: Option<(f64, usize)> = None;
        let mut rises = 0;
        for count in (k..=MOST_LABELS).step_by(2) {
            let success = success_probability(k, count);
            self.draw(count);
            let before = self.table.steps;
            match self.trial(usize::MAX, self.search.most_states) {
                Trial::Done(_) => self.count_trials(success, 1),
                Trial::Stopped(Some(Stop::MemoryLimit)) if choice.is_some() => break,
                Trial::Stopped(stop) => {
                    self.stop(stop)?;
                }
            }
            if success >= 1.0 {
                self.proved()?;
            }
            let steps = (self.table.steps - before) as f64 + 4.0 * self.labels.len() as f64;
            let work = trials_for(success, failure) * steps;
            if choice.is_none_or(|(least, _)| work < least) {
                choice = Some((work, count));
                rises = 0;
            } else {
                rises += 1;
                if rises == 2 {
                    break;
                }
            }
        }
        let (_, count) = choice.expect("at least one number of labels was tried");
        ControlFlow::Continue(count)
    }

    /// So many more trials were made.
    fn count_trials(&mut self, success: f64, trials: u64) {
        self.cost.trials += trials;
        self.all_missed += (-success).ln_1p() * trials as f64;
        self.found.missed = Missed::With(self.all_missed.exp());
    }

    /// All trials that are still needed, on all threads.
    fn make_the_rest(&mut self, count: usize, failure: f64) {
        self.cost.labels = count;
        let success = success_probability(self.search.walks.k, count);
        let needed = failure.ln() - self.all_missed;
        let trials = if needed >= 0.0 { 0 } else { trials_for(success, needed.exp()) as u64 };
        let lanes = Lanes {
            search: self.search,
            labels: count,
            first: self.drawn,
            trials,
            next: AtomicU64::new(0),
            over: AtomicBool::new(false),
        };
        for lane in lanes.run(&mut self.table, &mut self.cost) {
            self.count_trials(success, lane.done);
            self.cost.stop = self.cost.stop.or(lane.stop);
            if let Some((path, value)) = lane.best
                && self.found.best.as_ref().is_none_or(|best| value > best.1)
            {
                (self.report)(value);
                self.found.best = Some((path, value));
            }
        }
    }
}

/// Trials that are shared between threads.
struct Lanes<'s> {
    search: &'s Search<'s>,
    labels: usize,
    /// The number of the first labelling.
    first: u64,
    trials: u64,
    /// The next trial that nobody has taken.
    next: AtomicU64,
    over: AtomicBool,
}

/// What one thread brings back.
struct Lane {
    best: Option<(Vec<u32>, i64)>,
    done: u64,
    stop: Option<Stop>,
}

impl Lanes<'_> {
    /// All of them, this thread on its own table; what the tables of the others cost is added.
    fn run(&self, table: &mut Sparse, cost: &mut Cost) -> Vec<Lane> {
        let threads = self.search.budget.threads.max(1);
        std::thread::scope(|scope| {
            let other = || {
                let mut table = Sparse::new();
                (self.lane(&mut table), table.steps, table.peak_bytes)
            };
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(other)).collect();
            let mut lanes = vec![self.lane(table)];
            for other in others {
                let (lane, steps, bytes) = other.join().expect("a trial does not panic");
                lanes.push(lane);
                cost.steps += steps;
                cost.peak_bytes += bytes;
            }
            lanes
        })
    }

    fn lane(&self, table: &mut Sparse) -> Lane {
        let search = self.search;
        let mut lane = Lane { best: None, done: 0, stop: None };
        let mut labels = vec![0u8; search.walks.vertex_count()];
        while !self.over.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.trials {
                break;
            }
            draw(&mut labels, self.labels, search.budget.seed, self.first + number);
            match search.trial(table, &labels, usize::MAX, search.most_states, &self.over) {
                Trial::Done(path) => {
                    lane.done += 1;
                    lane.best = path.or(lane.best);
                }
                Trial::Stopped(stop) => {
                    lane.stop = stop;
                    self.over.store(true, Ordering::Relaxed);
                }
            }
        }
        lane
    }
}

impl Search<'_> {
    /// The best path whose labels differ, if it beats the best known. A layer keeps at most `keep` states, the most
    /// promising; a trial that would hold more than `most` stops.
    fn trial(&self, table: &mut Sparse, labels: &[u8], keep: usize, most: usize, over: &AtomicBool) -> Trial {
        let mut leading = self.begin(table, labels);
        let mut layer = 0;
        table.unasked += labels.len() as u64;
        for to_go in (1..self.walks.k).rev() {
            let end = table.states.len();
            table.begin_layer(end - layer);
            let terms = Terms { labels, to_go, most, over };
            if let Some(stopped) = self.extend(table, layer..end, &terms, &mut leading) {
                return stopped;
            }
            layer = end;
            if table.states.len() - layer > keep && to_go > 1 {
                let worth = |state: &State| {
                    let steps = self.walk_bounds.steps(state.vertex, to_go - 1);
                    state.value + steps.first().map_or(NOT_AN_END / 2, |step| step.promise)
                };
                table.states[layer..].select_nth_unstable_by_key(keep, |state| std::cmp::Reverse(worth(state)));
                table.states.truncate(layer + keep);
            }
        }
        let path = leading.best.map(|(value, last, before)| {
            let mut path = vec![last];
            let mut index = before;
            while index != NO_STATE {
                let state = table.states[index as usize];
                path.push(state.vertex);
                index = state.parent;
            }
            path.reverse();
            (path, value)
        });
        // Another thread may have found a better one meanwhile; then this one is not of interest any more.
        let path = path.filter(|(_, value)| self.best.fetch_max(*value, Ordering::Relaxed) < *value);
        Trial::Done(path)
    }

    /// The states of a single vertex each.
    fn begin(&self, table: &mut Sparse, labels: &[u8]) -> Leading {
        table.states.clear();
        let mut leading = Leading { floor: self.best.load(Ordering::Relaxed), best: None };
        for vertex in 0..labels.len() as u32 {
            if self.walk_bounds.whole[vertex as usize].is_some_and(|whole| whole > leading.floor) {
                let value = self.walks.first[vertex as usize];
                if self.walks.k == 1 {
                    leading.take(value + self.walks.last[vertex as usize], vertex, NO_STATE);
                } else {
                    table.states.push(State { vertex, set: 1 << labels[vertex as usize], value, parent: NO_STATE });
                }
            }
        }
        leading
    }

    /// Extends the states of a layer by a vertex each. Why it stopped, if it did.
    fn extend(
        &self,
        table: &mut Sparse,
        layer: Range<usize>,
        terms: &Terms<'_>,
        leading: &mut Leading,
    ) -> Option<Trial> {
        let &Terms { labels, to_go, most, over } = terms;
        let mut seen = table.steps;
        for index in layer {
            table.unasked += table.steps - seen;
            seen = table.steps;
            if table.unasked >= STEPS_PER_CLOCK {
                table.unasked = 0;
                if let Some(stop) = self.budget.spent() {
                    return Some(Trial::Stopped(Some(stop)));
                }
                if over.load(Ordering::Relaxed) {
                    return Some(Trial::Stopped(None));
                }
                leading.floor = leading.floor.max(self.best.load(Ordering::Relaxed));
            }
            let state = table.states[index];
            table.steps += 1;
            for step in self.walk_bounds.steps(state.vertex, to_go) {
                let most_worth = state.value + step.promise;
                if most_worth <= leading.floor {
                    break;
                }
                table.steps += 1;
                let label = 1 << labels[step.target as usize];
                if state.set & label != 0 {
                    continue;
                }
                if to_go == 1 {
                    leading.take(most_worth, step.target, index as u32);
                    break;
                }
                let value = state.value + step.weight;
                table.add(State { vertex: step.target, set: state.set | label, value, parent: index as u32 });
            }
            if table.states.len() > most.min(NO_STATE as usize - 1) {
                return Some(Trial::Stopped(Some(Stop::MemoryLimit)));
            }
        }
        table.unasked += table.steps - seen;
        None
    }
}

/// How a layer is extended.
struct Terms<'t> {
    labels: &'t [u8],
    /// The vertices that are left, the next one among them.
    to_go: usize,
    /// The states that a trial may hold.
    most: usize,
    /// Another thread has come to an end.
    over: &'t AtomicBool,
}

/// The best path of a trial.
struct Leading {
    /// What a path must beat.
    floor: i64,
    /// Its value, its last vertex and the state before it.
    best: Option<(i64, u32, u32)>,
}

impl Leading {
    fn take(&mut self, value: i64, last: u32, before: u32) {
        self.best = Some((value, last, before));
        self.floor = value;
    }
}

/// A path that ends in a vertex, by the set of its labels.
#[derive(Clone, Copy)]
struct State {
    value: i64,
    vertex: u32,
    set: u32,
    /// The state without the last vertex.
    parent: u32,
}

const NO_STATE: u32 = u32::MAX;

/// The states of a trial, layer by layer, and an index of those of the layer in work. Kept from trial to trial.
struct Sparse {
    states: Vec<State>,
    /// Open addressing: positions in `states`, or [`NO_STATE`]. Only the first `mask + 1` are in use.
    slots: Vec<u32>,
    mask: usize,
    /// Where the layer in work begins.
    layer: usize,
    steps: u64,
    /// Steps, and labels dealt out, since the stop was asked for, of this trial and of those before.
    unasked: u64,
    peak_bytes: usize,
}

impl Sparse {
    fn new() -> Self {
        Sparse { states: Vec::new(), slots: Vec::new(), mask: 0, layer: 0, steps: 0, unasked: 0, peak_bytes: 0 }
    }

    /// A new layer, likely of this size or more.
    fn begin_layer(&mut self, expected: usize) {
        const LEAST: usize = 1 << 8;
        self.layer = self.states.len();
        self.index_in((2 * expected).max(LEAST).next_power_of_two());
    }

    /// Makes an index of so many slots, a power of two, of the states of the layer.
    fn index_in(&mut self, slots: usize) {
        self.mask = slots - 1;
        if self.slots.len() < slots {
            self.slots.resize(slots, NO_STATE);
        }
        self.slots[..slots].fill(NO_STATE);
        for position in self.layer..self.states.len() {
            let slot = self.slot(self.states[position]);
            self.slots[slot] = position as u32;
        }
        self.peak_bytes = self.peak_bytes.max(self.states.capacity() * size_of::<State>() + self.slots.len() * 4);
    }

    /// Where the state of this vertex and set is, or has to go.
    fn slot(&self, state: State) -> usize {
        // Fibonacci hashing of both at once.
        let key = u64::from(state.vertex) << 32 | u64::from(state.set);
        let hash = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut slot = (hash >> 32) as usize & self.mask;
        loop {
            let position = self.slots[slot];
            if position == NO_STATE {
                return slot;
            }
            let other = self.states[position as usize];
            if other.vertex == state.vertex && other.set == state.set {
                return slot;
            }
            slot = (slot + 1) & self.mask;
        }
    }

    /// Adds a state to the layer, or improves the one of the same vertex and set.
    fn add(&mut self, state: State) {
        let slot = self.slot(state);
        let position = self.slots[slot];
        if position == NO_STATE {
            self.slots[slot] = self.states.len() as u32;
            self.states.push(state);
            let count = self.states.len() - self.layer;
            if 2 * count > self.mask {
                self.index_in(2 * (self.mask + 1));
            }
        } else if state.value > self.states[position as usize].value {
            self.states[position as usize] = state;
        }
    }
}
