//! Branch and bound on bit sets, for dense or wide instances of up to 128 vertices.
//!
//! A depth-first search over partial paths. What makes it small:
//!
//! - **It grows paths from the middle.** An elimination forest (see [`forest`]) has one topmost vertex for every path. So
//!   the search takes the forest's vertices one after another as the *middle*, and looks for paths through it and what
//!   lies below: first backwards from the middle to the first vertex, then forwards to the last. Where few vertices may
//!   be the first, paths grow from there instead. Where a path and its reverse are worth the same, the edge by which it
//!   left the middle backwards is gone once all such paths are searched, so none is seen twice.
//! - **Bounds**, cheapest first: the vertices still in reach, each worth its best shares in two edges (see
//!   [`Board::divide`]); the balance of colours where the graph is bipartite; the scattering bound of the forest; the best
//!   way down the block-cut tree, or through the strong components, of what is in reach (see [`ways`]), the forest
//!   bounding every block; where the graph is directed or weighted, the heaviest assignment, whose reduced costs also
//!   strike single moves (see [`assignment`]).
//! - **Twins** (vertices of the same neighbours, weights and prizes) are visited in the order of their indices.
//! - **A table** (see [`table`]) remembers for head and vertices in reach what the best completion is bounded by.
//! - **It asks falling questions.** Is there a path worth more than `bound − 1`? If not, `bound − 1` is proved, and so on
//!   with growing steps: each answer lowers the bound that is reported, what the table has learnt stays true from one
//!   question to the next, and the first path found is nearly the best. No good incumbent is needed.
//!
//! Source: the falling questions are those of MTD(f) (A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin, *Best-first
//! fixed-depth minimax algorithms*, Artificial Intelligence 87, 1996), which needs a table in the same way. Growing from
//! the middle along an elimination forest, and the forest's bound, are longhaul's own.
//!
//! `O(2ⁿ n)` states at the worst; memory is the table's, which takes what it is given.

mod assignment;
mod bits;
mod board;
mod config;
mod forest;
mod table;
#[cfg(test)]
mod tests;
mod walk;
mod ways;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};

use bits::Bits;
use board::Board;
use forest::{Forest, Marginals};
use walk::{Common, Leg, Share, Walker};
use ways::{NONE, plus};

use crate::engines::door::{Door, Offer, Unfit};
use crate::instance::{Budget, Instance, Monitor, NOT_AN_END, Outcome};
use crate::solution::Stop;

pub use config::Config;

/// The most vertices an instance may have.
pub(crate) const LARGEST: usize = 128;

impl Door for Config {
    fn open<'i>(&'i self, instance: &'i Instance) -> Result<Offer<'i>, Unfit> {
        if instance.graph.vertex_count() > LARGEST {
            return Err("it takes no more than 128 vertices");
        }
        Ok(Offer::of(move |floor, budget, monitor| solve(instance, floor, i64::MAX, self.steps, budget, monitor)))
    }
}

/// Searches an instance of at most [`LARGEST`] vertices for the best path worth more than `floor`. `upper` is proved elsewhere; past `allowance` steps (on each thread) it gives up with
/// [`Stop::Exhausted`].
pub(crate) fn solve(
    instance: &Instance,
    floor: i64,
    upper: i64,
    allowance: u64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Outcome {
    let upper = instance.trivial_bound().min(upper);
    monitor.bound(upper.max(floor));
    match instance.graph.vertex_count() {
        0 => Outcome { best: None, upper: i64::MIN, stop: None, steps: 0, peak_bytes: 0 },
        1..=64 => Search::<u64>::new(instance, floor, upper, budget).run(allowance, monitor),
        65..=LARGEST => Search::<u128>::new(instance, floor, upper, budget).run(allowance, monitor),
        _ => Outcome { best: None, upper: upper.max(floor), stop: Some(Stop::Exhausted), steps: 0, peak_bytes: 0 },
    }
}

/// Where no more vertices than this may be an end, paths grow from there.
const FEW_ENDS: usize = 2;

/// Most of what is settled at all is settled within this many steps, for which the greedy forest and one thread will do.
const TRIAL: u64 = 4096;

/// One step in so many goes to short searches for a better path alone.
const STEPS_PER_SCOUTING: u64 = 8;

/// What is known, and what is searched.
struct Search<'a, B> {
    board: Board<B>,
    /// Whether the board is the instance turned round.
    turned: bool,
    budget: &'a Budget,
    common: Common,
    /// The value of the best path that the monitor heard of, or the floor.
    known: i64,
    upper: i64,
    stop: Option<Stop>,
    steps: u64,
    peak_bytes: usize,
}

/// A division of the search.
struct Plan<B> {
    forest: Forest,
    /// Together all paths of two vertices or more, in the order of promise.
    shares: Vec<Share<B>>,
}

impl<'a, B: Bits> Search<'a, B> {
    fn new(instance: &Instance, floor: i64, upper: i64, budget: &'a Budget) -> Self {
        let mut board: Board<B> = Board::new(instance);
        let turned = board.may_be_last.count() < board.may_be_first.count().min(FEW_ENDS + 1);
        if turned {
            board = Board::new(&instance.reversed());
        }
        board.divide(budget);
        let common = Common {
            value: AtomicI64::new(floor),
            best: Mutex::new(None),
            ceiling: AtomicI64::new(i64::MAX),
            halt: AtomicBool::new(false),
            stop: Mutex::new(None),
        };
        Search { board, turned, budget, common, known: floor, upper, stop: None, steps: 0, peak_bytes: 0 }
    }

    fn run(mut self, allowance: u64, monitor: &mut dyn Monitor) -> Outcome {
        let board = &self.board;
        let single_vertex = if board.single_vertex { board.may_be_first & board.may_be_last } else { B::default() };
        for vertex in single_vertex.members() {
            self.common.offer(vec![vertex as u32], board.first[vertex] + board.last[vertex]);
        }
        self.known = tell(&self.common, self.known, monitor);
        let plan = Plan::new(board, Forest::greedy(board));
        self.ask(&plan, 1, TRIAL, monitor);
        if self.upper > self.known && self.stop.is_none() {
            let plan = Plan::new(&self.board, plan.forest.improved(&self.board, self.budget));
            self.ask(&plan, self.budget.threads, allowance, monitor);
        }
        let best = self.common.best.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let best = best.map(|(mut path, value)| {
            if self.turned {
                path.reverse();
            }
            (path, value)
        });
        let stop = (self.upper > self.known).then(|| self.stop.unwrap_or(Stop::Exhausted));
        Outcome { best, upper: self.upper, stop, steps: self.steps, peak_bytes: self.peak_bytes }
    }

    /// Asks for paths worth more than this and that, ever less, until the question is settled, a limit is spent or the
    /// allowance of steps is.
    fn ask(&mut self, plan: &Plan<B>, threads: usize, allowance: u64, monitor: &mut dyn Monitor) {
        let best_share = plan.shares.first().map_or(NONE, |share| share.bound);
        self.upper = self.upper.min(best_share).max(self.known);
        monitor.bound(self.upper);

        let threads = threads.clamp(1, plan.shares.len().max(1));
        // Half of what is allowed: a table that has just grown, and the rest, want some too.
        let bytes = self.budget.memory / 2 / threads;
        let walker = |bytes| Walker::new(&self.board, &plan.forest, self.budget, &self.common, bytes);
        let mut walkers: Vec<Walker<'_, B>> = (0..threads).map(|_| walker(bytes)).collect();
        let mut scout = walker(0);
        let mut scouted = 0;
        let nothing = self.board.least_value() - 1;
        let mut step: i64 = 1;
        let mut spent = false;
        while self.upper > self.known && self.stop.is_none() && !spent {
            self.upper = self.upper.min(self.budget.shared_upper()).max(self.known);
            if self.upper == self.known {
                break;
            }
            let target = self.known.max(self.upper.saturating_sub(step)).max(nothing);
            self.common.ceiling.store(self.upper, Ordering::Relaxed);
            self.common.halt.store(false, Ordering::Relaxed);
            let open = plan.shares.partition_point(|share| share.bound > target);
            let done: Vec<AtomicBool> = (0..open).map(|_| AtomicBool::new(false)).collect();
            let next = AtomicUsize::new(0);
            let work = |walker: &mut Walker<'_, B>, poll: &mut dyn FnMut(u64)| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let left = allowance.saturating_sub(walker.steps);
                    if at >= open || !walker.search(&plan.shares[at], target, left, poll) {
                        break;
                    }
                    done[at].store(true, Ordering::Relaxed);
                }
            };
            let (first, others) = walkers.split_first_mut().expect("there is at least one thread");
            std::thread::scope(|scope| {
                for walker in others {
                    scope.spawn(|| work(walker, &mut |_| ()));
                }
                work(first, &mut |steps| {
                    while scout.steps * STEPS_PER_SCOUTING < steps && !self.common.halt.load(Ordering::Relaxed) {
                        let rounds = scouted / plan.shares.len();
                        let allowance = (4 * self.board.n as u64) << rounds.min(20);
                        let share = &plan.shares[scouted % plan.shares.len()];
                        scout.search(share, self.known.max(nothing), allowance, &mut |_| ());
                        scouted += 1;
                    }
                    self.known = tell(&self.common, self.known, monitor);
                });
            });
            self.known = tell(&self.common, self.known, monitor);
            self.stop = *self.common.stop.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let unsearched = done.iter().zip(&plan.shares).find(|(done, _)| !done.load(Ordering::Relaxed));
            let unsearched = unsearched.map_or(NONE, |(_, share)| share.bound);
            spent = unsearched != NONE && self.stop.is_none();
            let proved = unsearched.max(target).max(self.known);
            self.upper = self.upper.min(if proved <= nothing { self.known } else { proved });
            monitor.bound(self.upper);
            step = step.saturating_mul(2);
        }
        self.steps += scout.steps + walkers.iter().map(|walker| walker.steps).sum::<u64>();
        self.peak_bytes = self.peak_bytes.max(walkers.iter().map(Walker::peak_bytes).sum());
    }
}

/// Tells the monitor what was found since it last heard, and returns the best value known.
fn tell(common: &Common, known: i64, monitor: &mut dyn Monitor) -> i64 {
    let value = common.value.load(Ordering::Relaxed);
    if value > known {
        monitor.incumbent(value);
    }
    value
}

impl<B: Bits> Plan<B> {
    fn new(board: &Board<B>, forest: Forest) -> Self {
        let mut marginals = Marginals::new(board.n);
        let mut bound = |within: B, ends: i64| {
            let doubled = plus(forest.bound(board, within, 1, &mut marginals), ends);
            if doubled == NONE { NONE } else { doubled >> 1 }
        };
        // What goes by way of a twin is searched with that.
        let led = |step: usize, within: B| !(board.twins_before[step] & within).is_empty();
        let mut shares = Vec::new();
        if !board.closed && board.may_be_first.count() <= FEW_ENDS {
            for first in board.may_be_first.members() {
                let within = board.vertices.without(first);
                let inner = bound(within, plus(board.leaving[first], board.best_last(within)));
                let bound = plus(board.first[first], inner);
                for step in board.out[first].members().filter(|&step| !led(step, within)) {
                    let leg = Leg::Fore;
                    shares.push(Share { middle: first, step, leg, within, other_side: within, serial: 0, bound });
                }
            }
            return Plan::in_order(forest, shares);
        }
        let middles = match board.through {
            Some(vertex) => vec![(vertex, board.vertices.without(vertex))],
            None => forest.parts(),
        };
        let (leg, beside, other) = match board.closed {
            true => (Leg::Round, &board.out, &board.into),
            false => (Leg::Back, &board.into, &board.out),
        };
        for (middle, within) in middles {
            let whole: B = within | B::only(middle);
            let ends = if board.closed { 0 } else { board.best_ends(whole) };
            let bound = bound(whole, ends);
            let mut other_side: B = other[middle] & within;
            let mut serial = 0;
            for step in (beside[middle] & within).members() {
                if board.symmetric {
                    other_side = other_side.without(step);
                    serial += 1;
                }
                if !led(step, within) {
                    shares.push(Share { middle, step, leg, within, other_side, serial, bound });
                }
            }
            if leg == Leg::Back && !board.symmetric && board.first[middle] != NOT_AN_END {
                shares.push(Share { middle, step: middle, leg: Leg::Turn, within, other_side, serial, bound });
            }
        }
        Plan::in_order(forest, shares)
    }

    fn in_order(forest: Forest, mut shares: Vec<Share<B>>) -> Self {
        // Stable: the shares of one middle stay in the order of their serials.
        shares.sort_by_key(|share| std::cmp::Reverse(share.bound));
        Plan { forest, shares }
    }
}
