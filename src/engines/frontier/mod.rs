//! The frontier dynamic program: the main exact engine.
//!
//! Place the vertices one after the other. What was placed and still has neighbours to come is the *frontier*; two partial
//! solutions with the same state of the frontier have the same completions, so of each state only the best is kept. The
//! sweep along an order is that of K. Sekine, H. Imai and S. Tani, *Computing the Tutte polynomial of a graph of moderate
//! size*, ISAAC 1995; the states are the *mate* arrays of D. E. Knuth, *The Art of Computer Programming* 4A, 7.1.4
//! ("Simpath"), with finished and skipped vertices under one symbol and the finished ends of the whole path under another.
//! Here the ends may be fixed, free or worth prizes, the path closed, and edges weighted and directed, in one kernel.
//!
//! Beyond the order, which is the caller's, it is fast by the [`chains`] (vertices of degree two are no states), by what
//! the edges that are [`undecided`] no longer allow (fewer states are different), and by the [`relaxation`] that sweeps
//! first, [by tables](step_table), and bounds what every state can still become. With it the search goes *by falling
//! gap*: keep only states that might end above a target just below the bound; if no path appears the target is a proved
//! upper bound, and the next is lower; the first pass in which one appears has found the best, since nothing above the
//! target was dropped. Where the relaxation itself is large, [`potentials`] prune it, and a narrow search guided by them
//! finds a first path to prune with.
//!
//! Where other engines work beside it, every layer asks for their best value, below which nothing matters, and for their
//! bound, above which nothing is.
//!
//! `O(n · states)`, where the number of states grows exponentially with the frontier, not with the graph.

mod advance;
mod beam;
mod bounding;
mod cases;
mod chains;
mod completion_bounds;
mod config;
mod continuations;
mod contract;
mod expander;
mod expansion;
mod filter;
mod fold;
mod gaps;
mod guided;
mod kernel;
mod layer;
mod links;
mod measure;
mod merger;
mod path;
mod plan;
mod planner;
mod potentials;
mod relaxation;
mod sharding;
mod shards;
mod shelf;
mod step_table;
mod tables;
#[cfg(test)]
mod tests;
mod undecided;
mod worker_pool;

use advance::LayerExpander;
use beam::{Guess, Width};
use bounding::Bounding;
use chains::Core;
use completion_bounds::CompletionBounds;
use gaps::Gaps;
use guided::GuidedExpander;
use kernel::{Key, Narrow, NarrowArcs, State, Wide, WideArcs};
use layer::{Finish, Layer};
use measure::Measure;
use path::{Checkpoints, Replay};
use plan::Plan;
use potentials::Potentials;
use relaxation::{Allowed, Relaxation};
use worker_pool::WorkerPool;

use crate::engines::door::{Door, Offer, Unfit};
use crate::engines::orders;
use crate::instance::{Budget, Instance, Monitor, Outcome, Silent};
use crate::solution::Stop;

pub(crate) use bounding::Known;
pub use config::Config;
pub(crate) use shards::Pieces;
pub use shards::{Advanced, Goal, WayBack};

impl Door for Config {
    fn open<'i>(&'i self, instance: &'i Instance) -> Result<Offer<'i>, Unfit> {
        let offer = Offer::of(|floor, budget, monitor| {
            let order = orders::order_for(&instance.graph, budget);
            run(Mode::Exact(*self), instance, order.vertices(), None, floor, budget, monitor).0
        });
        Ok(Offer { nanoseconds: orders::nanoseconds_to_read(&instance.graph), ..offer })
    }
}

/// Finds the best path worth more than `floor`, placing the vertices in this order (a permutation of the instance's).
pub(crate) fn solve(
    instance: &Instance,
    order: &[u32],
    known: Option<Known<'_>>,
    floor: i64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Outcome {
    run(Mode::Exact(Config::default()), instance, order, known, floor, budget, monitor).0
}

/// A good path fast: the same search with at most `width` states a layer, which proves nothing. `None` if it finds no
/// path, or not in time.
pub(crate) fn beam(instance: &Instance, order: &[u32], width: usize, budget: &Budget) -> Option<(Vec<u32>, i64)> {
    run(Mode::Narrow { width }, instance, order, None, i64::MIN, budget, &mut Silent).0.best
}

/// What orders should be ranked by: how many states there are in all layers of a search without a relaxation that keeps at
/// most `width` of each. `None` if the limits came first, or the frontier is too wide for any search.
pub(crate) fn predicted(instance: &Instance, order: &[u32], width: usize, budget: &Budget) -> Option<u64> {
    run(Mode::Narrow { width }, instance, order, None, i64::MIN, budget, &mut Silent).1
}

/// What to do.
#[derive(Clone, Copy)]
enum Mode {
    /// Prove the optimum.
    Exact(Config),
    /// One dive without a relaxation.
    Narrow { width: usize },
}

/// Does it, and tells how many states a narrow search had if it came to its end.
fn run(
    mode: Mode,
    instance: &Instance,
    order: &[u32],
    known: Option<Known<'_>>,
    floor: i64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> (Outcome, Option<u64>) {
    let size = (instance.graph.vertex_count() + instance.graph.edge_count()) as u64;
    let ended = |stop| (Outcome { stop: Some(stop), ..Outcome::nothing_above(floor, instance.trivial_bound()) }, None);
    if let Some(stop) = budget.spent() {
        return ended(stop);
    }
    if !budget.has_time(size * NANOSECONDS_TO_PREPARE) {
        return ended(Stop::TimeLimit);
    }
    let core = Core::new(instance);
    if let Some(stop) = budget.spent() {
        return ended(stop);
    }
    let order = core_order(instance, &core, order);
    let (plan, bounding) = match known.and_then(|known| Bounding::new(instance, &core, &order, known)) {
        Some((plan, bounding)) => (plan, Some(bounding)),
        None => (planner::plan(&core, &order, Measure::Plain), None),
    };
    let bounding = bounding.as_ref();
    let mut outcome =
        Outcome { best: None, upper: instance.trivial_bound().max(floor), stop: None, steps: 0, peak_bytes: 0 };
    monitor.bound(outcome.upper);
    if let Some((path, value)) = &core.excluded
        && *value > floor
    {
        monitor.incumbent(*value);
        outcome.best = Some((path.clone(), *value));
    }
    let worker_pool = WorkerPool::new(budget.threads_ever());
    let search = Search {
        instance,
        core: &core,
        plan: &plan,
        bounding,
        budget,
        worker_pool,
        monitor,
        outcome,
        floor,
        in_vain: Vec::new(),
    };
    match (instance.graph.is_directed(), plan.slots) {
        (false, slots) if slots <= Narrow::SLOTS => search.run::<Narrow>(mode),
        (false, slots) if slots <= Wide::SLOTS => search.run::<Wide>(mode),
        (true, slots) if slots <= NarrowArcs::SLOTS => search.run::<NarrowArcs>(mode),
        (true, slots) if slots <= WideArcs::SLOTS => search.run::<WideArcs>(mode),
        _ => (Outcome { stop: Some(Stop::Exhausted), ..search.outcome }, None),
    }
}

/// The order restricted to the core, in the core's numbers.
fn core_order(instance: &Instance, core: &Core, order: &[u32]) -> Vec<u32> {
    let core_of = core.core_from_vertex(instance.graph.vertex_count());
    order.iter().map(|&vertex| core_of[vertex as usize]).filter(|&vertex| vertex != u32::MAX).collect()
}

/// What folding and planning takes for each vertex and edge, of which nothing looks at a clock.
const NANOSECONDS_TO_PREPARE: u64 = 1_000;

/// A sweep of more states is worth waking the other threads for.
const WORTH_THREADS: u64 = 1 << 14;

/// Beyond this many states a relaxation was dear.
const DEAR_RELAXATION: u64 = 1 << 24;

/// How many times as dear the next sweep may be; the same for relaxations pruned by a linear bound, which are not dear up to
/// so many states.
const GROWTH: f64 = 16.0;
const STEEP_GROWTH: f64 = 6.0;
const STEEP_COST: f64 = 2e6;
/// Where no more states than this are predicted, and so many bytes for each fit, the first floor is what is known: the signatures
/// are hardly more than those of high floors, of which more than one would be tried.
const MOST_AT_ONCE: f64 = 4e8;
const BYTES_PER_PREDICTED: f64 = 12.0;
/// Floors tried before that of what is known.
const MOST_FLOORS: usize = 12;

/// How wide to search for a first path where the relaxation is large, to begin with; the same where a linear bound is known and
/// so many states are predicted, since then a better path makes the relaxation several times smaller.
const FIRST_DIVE: usize = 500;
const WIDEST_FIRST_DIVE: usize = 1 << 15;
const PREDICTED_PER_WIDTH: f64 = 1_000.0;
/// Where more states than this are predicted, dives spread their width: they have twice as many states then, and better paths.
const WORTH_SPREADING: f64 = 1e8;

/// One run of the engine.
struct Search<'a> {
    instance: &'a Instance,
    core: &'a Core,
    plan: &'a Plan,
    bounding: Option<&'a Bounding>,
    budget: &'a Budget,
    worker_pool: WorkerPool,
    monitor: &'a mut dyn Monitor,
    outcome: Outcome,
    floor: i64,
    /// The targets of the exact sweeps that found nothing, falling, with the states that each had.
    in_vain: Vec<(i64, f64)>,
}

/// What a sweep above a target came to.
struct Sweep<K> {
    /// The best path, with the step that completed it.
    found: Option<(usize, Finish<K>)>,
    checkpoints: Checkpoints<K>,
    /// How many there were in all layers, before any were dropped as too many.
    states: u64,
}

impl Search<'_> {
    fn run<K: Key>(mut self, mode: Mode) -> (Outcome, Option<u64>) {
        // Nothing up to this value matters.
        let mut known = self.outcome.best.as_ref().map_or(self.floor, |&(_, value)| value.max(self.floor));
        let result = match mode {
            Mode::Exact(config) => self.gap_loop::<K>(known, config).map(|()| None),
            Mode::Narrow { width } => {
                let width = width.min(self.width_that_fits::<K>(0));
                self.beam_search::<K>(self.no_bounds(), &mut known, width).map(Some)
            }
        };
        self.monitor.bound(self.outcome.upper);
        match result {
            Ok(predicted) => (self.outcome, predicted),
            Err(stop) => (Outcome { stop: Some(stop), ..self.outcome }, None),
        }
    }

    fn gap_loop<K: Key>(&mut self, mut known: i64, config: Config) -> Result<(), Stop> {
        if let Some(sweep) =
            self.sweep::<K>(self.no_bounds(), known, Effort { states: config.small_search, ..Effort::exact() })?
        {
            return self.settle(sweep, self.no_bounds(), known);
        }
        let plain = config.small_relaxation.saturating_add(self.outcome.steps);
        let given = self.bounding.and_then(|bounding| bounding.potentials.as_ref());
        let relaxation = if self.bounding.is_some() { Ok(None) } else { self.relax::<K>(None, known, plain) };
        match relaxation {
            Ok(Some(mut relaxation)) => return self.falling_gap::<K>(&mut relaxation, known, &mut known).map(|_| ()),
            Ok(None) | Err(Stop::MemoryLimit) => {}
            Err(stop) => return Err(stop),
        }

        // It pays to know prices and a good path before all signatures are swept.
        let sought = match self.bounding {
            Some(_) => None,
            None => Potentials::new(self.core, self.plan, self.instance.graph.is_directed(), self.budget)?,
        };
        let (potentials, measure) = (given.or(sought.as_ref()), self.plan.measure);
        let first = potentials.map(|potentials| measure.bound(potentials.bound));
        if let Some(bound) = first {
            self.lower(bound.max(known));
        }
        // Wider as long as the path found is poor.
        let first_dive = self.first_dive();
        for width in [first_dive, 4 * first_dive, 16 * first_dive] {
            let width = width.min(self.width_that_fits::<K>(0));
            self.beam_search::<K>(CompletionBounds::by_potentials(potentials, measure), &mut known, width)?;
            if known > self.outcome.upper.saturating_sub_unsigned(self.outcome.upper.unsigned_abs() / 8) {
                break;
            }
        }
        if first.is_some_and(|bound| bound <= known) {
            self.outcome.upper = known;
            return Ok(());
        }
        let mut floor = first.map_or(known, |bound| self.first_floor(bound, known));
        // With a linear bound a relaxation of a low floor is far dearer than one of a high floor.
        let mut floors = Gaps::new(self.plan.mean_gain(), STEEP_COST, STEEP_GROWTH);
        let mut width = first_dive;
        loop {
            known = known.max(self.budget.shared_lower());
            floor = floor.max(known);
            let steps_before = self.outcome.steps;
            let mut relaxation = match self.relax::<K>(potentials, floor, u64::MAX) {
                Ok(relaxation) => relaxation.expect("without a limit on the states it ends"),
                Err(Stop::MemoryLimit) => {
                    // Without a relaxation, then.
                    let completion_bounds = CompletionBounds::by_potentials(potentials, measure);
                    let sweep = self.sweep::<K>(completion_bounds, known, Effort::exact())?;
                    let sweep = sweep.expect("without a limit on the states it ends");
                    return self.settle(sweep, completion_bounds, known);
                }
                Err(stop) => return Err(stop),
            };
            if self.falling_gap::<K>(&mut relaxation, floor, &mut known)? {
                return Ok(());
            }
            let states = self.outcome.steps - steps_before;
            if let (Some(_), Some(bound)) = (self.bounding, first) {
                floors.gap = bound.saturating_sub(floor);
                floors.failed(states as f64);
                let next = bound.saturating_sub(floors.next(0, None)).max(known);
                floor = if floors.tried.len() < MOST_FLOORS { next } else { known };
                // A dive for a part of what that cost.
                let affordable = (states as usize / self.plan.steps.len() / 8).min(self.width_that_fits::<K>(0));
                if affordable > width {
                    width = affordable;
                    self.beam_search::<K>(CompletionBounds::by_potentials(potentials, measure), &mut known, width)?;
                }
                continue;
            }
            // The dearer it was, the smaller the next step.
            let dear = states > DEAR_RELAXATION;
            floor = if dear { (floor - (floor.saturating_sub(known) / 2).max(1)).max(known) } else { known };
        }
    }

    fn first_dive(&self) -> usize {
        self.bounding.map_or(FIRST_DIVE, |bounding| {
            ((bounding.predicted / PREDICTED_PER_WIDTH) as usize).clamp(FIRST_DIVE, WIDEST_FIRST_DIVE)
        })
    }

    /// The first floor to make a relaxation for: what is known where all signatures have room, else a guess that keeps it small.
    fn first_floor(&self, bound: i64, known: i64) -> i64 {
        let predicted = self.bounding.map_or(f64::INFINITY, |bounding| bounding.predicted);
        if predicted <= MOST_AT_ONCE && predicted * BYTES_PER_PREDICTED <= self.budget.memory as f64 {
            return known;
        }
        let gap = if known == i64::MIN { bound.abs() / 8 } else { bound.saturating_sub(known) };
        bound.saturating_sub(gap / 4 + 1).max(known)
    }

    fn relax<K: Key>(
        &mut self,
        potentials: Option<&Potentials>,
        floor: i64,
        steps: u64,
    ) -> Result<Option<Relaxation>, Stop> {
        // Who knows a linear bound has better things to do than to sweep in vain.
        let allowed = Allowed { steps, to_the_last: self.bounding.is_none() };
        // Most of the memory is for the bounds.
        let share = self.budget.memory / 4 * 3;
        let (budget, account) = (self.budget, &mut self.outcome);
        let (plan, floor) = (self.bounding.map_or(self.plan, |bounding| &bounding.plan), self.plan.measure.bar(floor));
        self.worker_pool.run(|| Relaxation::new::<K::Relaxed>(plan, potentials, floor, allowed, budget, share, account))
    }

    /// Searches by falling gap down to the floor that the relaxation was made for, or to what is known by then. Returns
    /// whether that settles everything.
    fn falling_gap<K: Key>(&mut self, relaxation: &mut Relaxation, floor: i64, known: &mut i64) -> Result<bool, Stop> {
        let measure = self.plan.measure;
        let Some(bound) = relaxation.bound.map(|total| measure.bound(total)) else {
            self.lower(floor.max(*known));
            return Ok(floor <= *known);
        };
        self.lower(bound);

        let most = self.width_that_fits::<K>(relaxation.bytes());
        let mean_layer = relaxation.signatures as usize / self.plan.steps.len();
        let completion_bounds = CompletionBounds::by_relaxation(relaxation, measure);
        let mut width = (mean_layer / 8).clamp(64, 1 << 16);
        self.beam_search::<K>(completion_bounds, known, width.min(most))?;
        // Whoever knows a linear bound knows a path.
        while self.bounding.is_none() && self.outcome.best.is_none() && width < mean_layer {
            width *= 4;
            self.beam_search::<K>(completion_bounds, known, width.min(most))?;
        }
        let mut gaps = Gaps::new(self.plan.mean_gain(), relaxation.signatures as f64 / 2.0, GROWTH);
        for &(target, states) in &self.in_vain {
            gaps.gap = bound.saturating_sub(target);
            gaps.failed(states);
        }
        while self.outcome.upper > floor.max(*known) {
            // What an earlier relaxation or another engine has ruled out is not swept again.
            let upper = self.outcome.upper.min(self.budget.shared_upper());
            let path = (*known >= floor).then(|| bound.saturating_sub(*known));
            let least = bound.saturating_sub(upper.saturating_sub(1));
            let target = bound.saturating_sub(gaps.next(least, path)).max(floor).max(*known);
            gaps.gap = bound.saturating_sub(target);
            let sweep = self.sweep_with_room::<K>(relaxation, target)?;
            let completion_bounds = CompletionBounds::by_relaxation(relaxation, measure);
            *known = (*known).max(self.budget.shared_lower());
            if sweep.found.is_some() || target <= *known {
                return self.settle(sweep, completion_bounds, *known).map(|()| true);
            }
            self.lower(target);
            self.in_vain.push((target, sweep.states as f64));
            gaps.failed(sweep.states as f64);
            // A dive for a fraction of what the last sweep cost.
            let affordable = sweep.states as usize / self.plan.steps.len() / 4;
            if affordable > 2 * width {
                width = affordable;
                self.beam_search::<K>(completion_bounds, known, width.min(most))?;
            }
        }
        Ok(self.outcome.upper <= *known)
    }

    /// An exact sweep; where there is no room for it, the relaxation is put away.
    fn sweep_with_room<K: Key>(&mut self, relaxation: &mut Relaxation, target: i64) -> Result<Sweep<K>, Stop> {
        loop {
            let completion_bounds = CompletionBounds::by_relaxation(relaxation, self.plan.measure);
            match self.sweep(completion_bounds, target, Effort::exact()) {
                Err(Stop::MemoryLimit) if relaxation.put_away(self.budget)? => {}
                swept => return swept.map(|sweep| sweep.expect("without a limit on the states it ends")),
            }
        }
    }

    /// Looks for a better path with narrow layers. Returns how many states they had.
    fn beam_search<K: Key>(
        &mut self,
        completion_bounds: CompletionBounds<'_>,
        known: &mut i64,
        width: usize,
    ) -> Result<u64, Stop> {
        let is_spread = self.bounding.is_some_and(|bounding| bounding.predicted > WORTH_SPREADING);
        let effort = Effort { width: Width { states: width, is_spread }, ..Effort::exact() };
        let sweep = self.sweep::<K>(completion_bounds, *known, effort)?.expect("without a limit on the states it ends");
        let states = sweep.states;
        if let Some((_, finish)) = sweep.found {
            self.retrieve(sweep, completion_bounds)?;
            *known = self.plan.measure.worth(finish.value);
        }
        Ok(states)
    }

    fn no_bounds(&self) -> CompletionBounds<'static> {
        CompletionBounds::none(self.plan.measure)
    }

    /// The widest layers that can all be kept beside `held` bytes.
    fn width_that_fits<K>(&self, held: usize) -> usize {
        let left = self.budget.memory.saturating_sub(held) / 4;
        (left / self.plan.steps.len().max(1) / (size_of::<K>() + 8)).clamp(1, 1 << 16)
    }

    fn lower(&mut self, upper: i64) {
        self.outcome.upper = self.outcome.upper.min(upper);
        self.monitor.bound(self.outcome.upper);
    }

    /// One pass over all layers for paths worth more than the target; `None` if it made more states than allowed.
    fn sweep<K: Key>(
        &mut self,
        completion_bounds: CompletionBounds<'_>,
        target: i64,
        effort: Effort,
    ) -> Result<Option<Sweep<K>>, Stop> {
        let mut pass = LayerSweep {
            plan: self.plan,
            budget: self.budget,
            completion_bounds,
            effort,
            layer_expander: LayerExpander::new(self.plan, self.budget),
            largest: 0,
        };
        // What ends soon is not worth a crew.
        let swept =
            if effort.states > WORTH_THREADS { self.worker_pool.run(|| pass.run(target)) } else { pass.run(target) };
        self.monitor.layer(pass.largest, size_of::<K>() + size_of::<i64>());
        self.outcome.steps += pass.layer_expander.made;
        self.outcome.peak_bytes = self.outcome.peak_bytes.max(pass.layer_expander.peak_bytes);
        swept
    }

    /// The search is over: nothing beats what the last sweep found, what was known before it, or what is known beside.
    fn settle<K: Key>(
        &mut self,
        sweep: Sweep<K>,
        completion_bounds: CompletionBounds<'_>,
        known: i64,
    ) -> Result<(), Stop> {
        let known = known.max(self.budget.shared_lower());
        let found = sweep.found.map_or(known, |(_, finish)| self.plan.measure.worth(finish.value));
        self.outcome.upper = found.max(known);
        if found > known { self.retrieve(sweep, completion_bounds) } else { Ok(()) }
    }

    /// Brings back the path that a sweep found, if it did.
    fn retrieve<K: Key>(&mut self, sweep: Sweep<K>, completion_bounds: CompletionBounds<'_>) -> Result<(), Stop> {
        let Some((last, finish)) = sweep.found else {
            return Ok(());
        };
        let worth = self.plan.measure.worth(finish.value);
        let mut replay = Replay {
            plan: self.plan,
            completion_bounds,
            target: worth - 1,
            layer_expander: LayerExpander::new(self.plan, self.budget),
            held: completion_bounds.bytes(),
            budget: self.budget,
        };
        let choices = self.worker_pool.run(|| replay.choices(sweep.checkpoints, last, finish))?;
        let path = path::assemble(self.instance, self.core, self.plan, &choices);
        self.monitor.incumbent(worth);
        self.outcome.best = Some((path, worth));
        Ok(())
    }
}

/// A sweep over all layers.
struct LayerSweep<'a, K: Key> {
    plan: &'a Plan,
    budget: &'a Budget,
    completion_bounds: CompletionBounds<'a>,
    effort: Effort,
    layer_expander: LayerExpander<'a, K, GuidedExpander<K>>,
    /// States in the largest layer.
    largest: usize,
}

impl<K: Key> LayerSweep<'_, K> {
    fn run(&mut self, mut target: i64) -> Result<Option<Sweep<K>>, Stop> {
        // Narrowed layers can't be made again, but they all fit.
        let exact = self.effort.width.states == usize::MAX;
        let limit =
            if exact { self.budget.memory.saturating_sub(self.completion_bounds.bytes()) / 3 } else { usize::MAX };
        let mut checkpoints = Checkpoints::new(limit);
        let guess = Guess::new(self.plan);
        let mut found = None;
        let mut layer = Layer::start();
        let mut states = 0;
        let mut words = Vec::new();
        for (position, step) in self.plan.steps.iter().enumerate() {
            target = target.max(self.budget.shared_lower());
            if self.budget.shared_upper() <= target {
                break;
            }
            let layer_bounds =
                self.completion_bounds.at(position + 1, target, self.budget, std::mem::take(&mut words))?;
            let filter = layer_bounds.filter(target);
            let held = self.completion_bounds.bytes() + checkpoints.bytes + layer_bounds.bytes();
            let (mut next, finish) = self.layer_expander.advance(&layer, step, filter, held)?;
            states += next.len() as u64;
            self.largest = self.largest.max(next.len());
            beam::narrow(&mut next, self.effort.width, filter, &guess, self.budget)?;
            words = layer_bounds.into_words();
            if let Some(finish) = finish {
                target = self.plan.measure.worth(finish.value);
                found = Some((position, finish));
            }
            if let Some(layer) = checkpoints.keep(position, std::mem::replace(&mut layer, next)) {
                self.layer_expander.recycle(layer);
            }
            if layer.len() == 0 {
                break;
            }
            if self.layer_expander.made > self.effort.states {
                return Ok(None);
            }
        }
        Ok(Some(Sweep { found, checkpoints, states }))
    }
}

/// What a sweep may cost.
#[derive(Clone, Copy)]
struct Effort {
    /// Give up after making this many states.
    states: u64,
    width: Width,
}

impl Effort {
    fn exact() -> Self {
        Effort { states: u64::MAX, width: Width { states: usize::MAX, is_spread: false } }
    }
}
