//! Local search: a good path soon, and no proof.
//!
//! The path is changed by small moves at its ends and inside ([`state`]), accepted by the rule of simulated annealing
//! (S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, *Optimization by simulated annealing*, Science 220 (1983) 671–680,
//! doi:10.1126/science.220.4598.671). Three things make it strong where a path through all vertices exists as well as
//! where many must be missed:
//! - *rotation* (Pósa 1976) changes the end of a path at no cost, so plateaus are crossed freely;
//! - *excursions*: a path between two ends, or a cycle, is opened at one link and searched as a path with two loose ends
//!   until they meet again, or else everything is taken back. This is the scheme of S. Lin and B. W. Kernighan, *An
//!   effective heuristic algorithm for the traveling-salesman problem*, Operations Research 21 (1973) 498–516,
//!   doi:10.1287/opre.21.2.498, with random steps instead of the best ones, and it may leave vertices out or take them in;
//! - a free path is also searched as one between its two ends of the moment, so excursions improve its inside.
//!
//! Where nearly all vertices can be visited, new paths come out of [covers](cover) by several paths, whose ends wander until
//! they meet; where weights differ and edges are many, out of [tours] through all vertices.
//!
//! A move takes `O(n)` time in an array (with a very small constant) or amortised `O(log n)` in a splay tree, beside the
//! arcs it looks at; memory is `O(n)` beside the instance, but for tours, which have a table of
//! all pairs.

mod config;
mod cover;
#[cfg(test)]
mod families;
mod forest;
mod random;
mod rounds;
mod sequence;
mod shape;
mod splay;
mod start;
mod state;
#[cfg(test)]
mod tests;
mod tours;

use std::sync::atomic::{AtomicBool, AtomicI64};

pub use self::config::Config;
use self::cover::Cover;
use self::rounds::{Found, Race, Task};
use self::sequence::Array;
use self::splay::SplayTree;
pub(crate) use self::start::path_at_once;
use self::state::State;
use self::tours::Nodes;
use crate::engines::door::{Door, Offer, Unfit};
use crate::instance::{Budget, Instance, Monitor, Outcome};
use crate::solution::Stop;

/// From this many vertices on, a splay tree turns a path round faster than an array.
const ARRAY_LIMIT: usize = 5_000;
/// Bytes a vertex for the first path, and for the copies of paths that are handed round.
const BYTES_FOR_PATHS: usize = 64;

impl Door for Config {
    fn open<'i>(&'i self, instance: &'i Instance) -> Result<Offer<'i>, Unfit> {
        Ok(Offer::of(|_, budget, monitor| {
            let upper = instance.trivial_bound();
            monitor.bound(upper);
            let effort = (instance.graph.vertex_count() as u64).saturating_mul(self.effort_per_vertex);
            solve(instance, None, upper, effort, budget, monitor)
        }))
    }
}

/// Whether weights differ and edges are so many that a path through everything is likely to be the best.
pub(crate) fn fits_tours(instance: &Instance) -> bool {
    Nodes::fit(instance)
}

/// Whether that is so, and this path is nearly one.
pub(crate) fn is_nearly_tour(instance: &Instance, path: &[u32]) -> bool {
    Nodes::are_nearly_all_on(instance, path) && fits_tours(instance)
}

/// Looks for a path worth `upper`, which is proved elsewhere to be the most there is, and stops when it has one; or when
/// `effort` units of work are spent, each about as long as it takes to look at one arc (some nanoseconds). With two
/// threads two searches run, each with this effort, and stop as soon as one has won. `start` is a path (or cycle) of the
/// instance to set out from.
///
/// The same seed and effort give the same path, unless the clock stops the search.
pub(crate) fn solve(
    instance: &Instance,
    start: Option<&[u32]>,
    upper: i64,
    effort: u64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Outcome {
    let n = instance.graph.vertex_count();
    let mut outcome = Outcome { best: None, upper, stop: Some(Stop::Exhausted), steps: 0, peak_bytes: 0 };
    if n == 0 {
        return outcome;
    }
    outcome.best = instance.best_single_vertex();
    if let Some(path) = start {
        outcome.take_better(Some((path.to_vec(), instance.value(path))));
    }
    let array = n < ARRAY_LIMIT;
    let bytes_of_state = if array { State::<Array>::bytes(n) } else { State::<SplayTree>::bytes(n) };
    let searches = budget.threads.clamp(1, 2);
    let bytes = searches * (bytes_of_state + n * BYTES_FOR_PATHS);
    let bytes_with_covers = bytes + searches * Cover::bytes(n);
    let may_cover = Cover::fits(instance) && bytes_with_covers <= budget.memory;
    let settled = outcome.best.as_ref().is_some_and(|best| best.1 >= upper);
    if !settled && bytes > budget.memory {
        outcome.stop = Some(Stop::MemoryLimit);
    } else if !settled {
        let bytes_with_tours = bytes_with_covers + searches * Nodes::bytes(instance);
        let may_tour = effort >= Nodes::work(instance) && bytes_with_tours <= budget.memory && Nodes::fit(instance);
        outcome.peak_bytes = match (may_tour, may_cover) {
            (true, _) => bytes_with_tours,
            (false, true) => bytes_with_covers,
            (false, false) => bytes,
        };
        let race = Race { best: AtomicI64::new(i64::MIN), won: AtomicBool::new(false) };
        let run = |lane: u64, report: &mut dyn FnMut(i64)| {
            let task = Task { instance, start, upper, effort, budget, race: &race, may_cover, may_tour, lane };
            if array { task.run::<Array>(report) } else { task.run::<SplayTree>(report) }
        };
        let mut report = |value: i64| monitor.incumbent(value);
        let found: Vec<Found> = if searches == 1 {
            vec![run(0, &mut report)]
        } else {
            std::thread::scope(|scope| {
                let second = scope.spawn(|| run(1, &mut |_| ()));
                let first = run(0, &mut report);
                vec![first, second.join().expect("a search does not panic")]
            })
        };
        outcome.stop = found.iter().find_map(|found| found.stop).or(outcome.stop);
        for found in found {
            outcome.steps += found.steps;
            outcome.take_better(found.best);
        }
    }
    if let Some((_, value)) = &outcome.best {
        monitor.incumbent(*value);
        if *value >= upper {
            outcome.stop = None;
        }
    }
    outcome
}
