//! One part that nothing cuts any further: incumbent, bound, and if they don't meet, the exact engine that fits.
//!
//! Cheap before dear, and everything that is found serves what comes after: a short local search, cheap bounds, a short
//! branch and bound where the part is small, then a vertex order, which foretells what the frontier program would cost.
//! That decides: how long local search may go on, whether the dear bounds are worth their time, and which exact engine has
//! the last word.

use std::time::{Duration, Instant};

use super::{Context, Scope, Scoped, ends_are_better_turned, solve_open};
use crate::bound::fixing::{self, Rest};
use crate::bound::{self, Effort};
use crate::certificate::Removal;
use crate::decompose::{self, VertexOrder};
use crate::reduce::chains::{self, Shortened};
use crate::reduce::{Reduction, twins};
use crate::search::{Budget, Ends, Monitor, Outcome, Piece, Run, branch_and_bound, frontier, local_search};
use crate::view::CsrGraph;

/// Up to this many vertices a part is searched at once: anything else would take longer.
const TINY: usize = 20;

/// Up to this many vertices a bound comes even before the first path, which then need not be improved past it.
const QUICKLY_BOUNDED: usize = 50_000;

/// Local search before anything else, in its units of work (some nanoseconds): at most, and for each vertex.
const SHORT_CLIMB: u64 = 100_000_000;
const SHORT_CLIMB_PER_VERTEX: u64 = 1_000;

/// Local search before an exact engine: for each state that engine is expected to make, and at most for each vertex.
const CLIMB_PER_STATE: f64 = 0.1;
const LONG_CLIMB_PER_VERTEX: f64 = 2e6;

/// Steps of a first branch and bound, which settles most small parts.
const SHORT_TREE: u64 = 20_000;

/// The first search below the bound goes down by this part of the gap; each further one by twice as much.
const FIRST_STEP: i64 = 50;

/// A search close below the bound is quick where so many edges are left for each vertex, and worth it at all where no
/// greater share of the edges is.
const EASILY_SEARCHED: f64 = 1.3;
const MOST_LEFT: f64 = 0.8;

/// From so many predicted states on the dear bounds are tried too.
const LABORIOUS: f64 = 1e9;

/// States that a beam keeps of each layer.
const BEAM_WIDTH: usize = 2_000;

/// More predicted states than this, and a search tree is the better bet where it fits; much earlier where edges are
/// directed, since trees are bounded well there, and states are many.
const HOPELESS: f64 = 1e12;
const HOPELESS_DIRECTED: f64 = 1e8;

/// Solves the part; only paths worth more than `floor` matter, and `share` of the remaining time may be spent.
pub(super) fn solve(
    piece: &Piece,
    floor: i64,
    share: f64,
    context: &Context,
    scope: Scope,
    run: &mut Run<'_>,
) -> Outcome {
    let turned = ends_are_better_turned(piece);
    let turned_piece = turned.then(|| piece.reversed());
    let piece = turned_piece.as_ref().unwrap_or(piece);
    let caps = context.reductions.has(Reduction::Twins) && !piece.graph.is_directed();
    let capped = if caps { twins::cap(piece) } else { None };
    let piece = capped.as_ref().map_or(piece, |capped| &capped.piece);
    let budget = run.budget.share(share);
    let answer = Outcome::nothing_above(floor, piece.trivial_bound());
    let mut outcome = Leaf { piece, floor, budget, context, scope, run, answer, shares: None }.solve();
    if let Some((path, _)) = &mut outcome.best {
        if let Some(capped) = &capped {
            *path = capped.lift(path);
        }
        if turned {
            path.reverse();
        }
    }
    outcome
}

struct Leaf<'p, 'r, 'a> {
    piece: &'p Piece,
    floor: i64,
    budget: Budget,
    context: &'p Context,
    scope: Scope,
    run: &'r mut Run<'a>,
    /// The best so far of all engines.
    answer: Outcome,
    /// The shares that proved a bound, as a base for fixing.
    shares: Option<Removal<u32>>,
}

impl Leaf<'_, '_, '_> {
    fn solve(mut self) -> Outcome {
        self.work();
        if self.answer.upper <= self.lower() {
            self.answer.stop = None;
        } else if self.answer.stop.is_none() {
            self.answer.stop = self.budget.spent();
        }
        self.answer
    }

    fn work(&mut self) {
        let n = self.piece.graph.vertex_count();
        if n <= TINY {
            return self.search_tree(None, u64::MAX);
        }
        if n <= QUICKLY_BOUNDED {
            self.bound(Effort::Least);
        }
        self.climb(SHORT_CLIMB.min(n as u64 * SHORT_CLIMB_PER_VERTEX));
        if self.settled() {
            return;
        }
        self.bound(Effort::Low);
        self.search_below_bound(EASILY_SEARCHED * n as f64);
        if self.settled() {
            return;
        }
        let shortened = self.shortened();
        let fits_tree =
            shortened.as_ref().map_or(n, |short| short.piece.graph.vertex_count()) <= branch_and_bound::LARGEST;
        if fits_tree {
            self.run.enter("branch-and-bound", format!("branch and bound: {n} vertices, a short try"));
            self.search_tree(shortened.as_ref(), SHORT_TREE);
            if self.settled() {
                return;
            }
        }

        if !has_time_for_order(&self.piece.graph, &self.budget) {
            self.run.enter("local-search", format!("local search: {n} vertices, no time for an order"));
            return self.climb(u64::MAX);
        }
        let order = self.order();
        let predicted = order.predicted_states();
        let words = format!("{n} vertices, frontier {}, about {predicted:.0e} states predicted", order.width());
        if predicted > LABORIOUS {
            self.run.enter("bound", format!("dear bounds: {words}"));
            self.bound(Effort::High);
            self.search_below_bound(EASILY_SEARCHED * n as f64);
            if self.settled() {
                return;
            }
            self.beam(&order);
        }
        let hopeless = if self.piece.graph.is_directed() { HOPELESS_DIRECTED } else { HOPELESS };
        let states = if fits_tree { predicted.min(hopeless) } else { predicted };
        let climb = (states * CLIMB_PER_STATE).min(n as f64 * LONG_CLIMB_PER_VERTEX) as u64;
        self.run.enter("local-search", format!("local search: {words}"));
        self.climb(climb);
        if predicted > LABORIOUS {
            self.search_below_bound(MOST_LEFT * self.piece.graph.edge_count() as f64);
        }
        if self.settled() {
            return;
        }
        if fits_tree && predicted > hopeless {
            self.run.enter("branch-and-bound", format!("branch and bound: {words}"));
            self.search_tree(shortened.as_ref(), u64::MAX);
        } else {
            self.run.enter("frontier", format!("frontier: {words}"));
            self.exactly(|piece, floor, _, budget, monitor| {
                frontier::solve(piece, order.vertices(), floor, budget, monitor)
            });
        }
    }

    /// The value of the best path, or the floor.
    fn lower(&self) -> i64 {
        self.answer.best.as_ref().map_or(self.floor, |(_, value)| *value)
    }

    fn settled(&self) -> bool {
        self.answer.upper <= self.lower() || self.budget.spent().is_some()
    }

    fn shortened(&self) -> Option<Shortened> {
        let shortens = self.context.reductions.has(Reduction::Chains) && !self.piece.graph.is_directed();
        if shortens { chains::shorten(self.piece) } else { None }
    }

    /// Looks for a better path, for so many units of work.
    fn climb(&mut self, work: u64) {
        let start = self.answer.best.take();
        let mut monitor = Scoped { run: self.run, scope: self.scope };
        let from = start.as_ref().map(|(path, _)| path.as_slice());
        let upper = self.answer.upper;
        let outcome = local_search::solve(self.piece, from, upper, work, &self.budget, &mut monitor);
        self.answer.best = outcome.best.filter(|&(_, value)| value > self.floor);
        self.answer.steps += outcome.steps;
        self.answer.peak_bytes = self.answer.peak_bytes.max(outcome.peak_bytes);
        self.answer.stop = outcome.stop;
    }

    fn bound(&mut self, effort: Effort) {
        let found = bound::best_bound(self.piece, effort, &self.budget, self.lower());
        self.shares = found.shares_alone.or(self.shares.take());
        self.lower_bound_to(found.upper);
    }

    fn lower_bound_to(&mut self, upper: i64) {
        if upper < self.answer.upper {
            self.answer.upper = upper.max(self.lower());
            Scoped { run: self.run, scope: self.scope }.bound(self.answer.upper);
        }
    }

    /// Looks for paths close below the bound, where few edges come into question: those worth the bound itself first,
    /// then less, as long as no more than `most_left` edges are left.
    fn search_below_bound(&mut self, most_left: f64) {
        let Some(shares) = self.shares.take().filter(|_| self.context.reductions.has(Reduction::Fixing)) else {
            return;
        };
        let mut step = self.answer.upper.saturating_sub(self.lower()) / FIRST_STEP;
        while !self.settled() {
            let target = (self.answer.upper - step).max(self.lower().saturating_add(1));
            let rest = match fixing::rest(self.piece, &shares, target) {
                Rest::All => break,
                Rest::Nothing => {
                    self.lower_bound_to(target - 1);
                    continue;
                }
                Rest::Less(rest) => rest,
            };
            let (all, left) = (self.piece.graph.edge_count(), rest.graph.edge_count());
            if left as f64 > most_left.min(MOST_LEFT * all as f64) {
                break;
            }
            self.run.note(format!("fixing: {left} of {all} edges for {target} or more"));
            let outer = std::mem::replace(&mut self.run.budget, self.budget.clone());
            let outcome = match rest.ends {
                Ends::Open { .. } => solve_open(&rest, target - 1, self.context, self.scope, self.run),
                Ends::Closed { .. } => solve(&rest, target - 1, 1.0, self.context, self.scope, self.run),
            };
            self.run.budget = outer;
            self.answer.steps += outcome.steps;
            self.answer.peak_bytes = self.answer.peak_bytes.max(outcome.peak_bytes);
            if outcome.best.is_some() {
                self.answer.best = outcome.best;
            }
            self.lower_bound_to(outcome.upper.max(target - 1));
            if outcome.stop.is_some() {
                break;
            }
            step = 2 * step + 1;
        }
        self.shares = Some(shares);
    }

    /// A vertex order; where the sweep will be long, the better of two by a narrow sweep along each.
    fn order(&self) -> VertexOrder {
        let order = order_for(&self.piece.graph, &self.budget);
        if !(LABORIOUS..HOPELESS).contains(&order.predicted_states()) {
            return order;
        }
        let mut reseeded = self.budget.clone();
        reseeded.seed = reseeded.seed.wrapping_add(1);
        let other = order_for(&self.piece.graph, &reseeded);
        let narrow = |order: &VertexOrder| frontier::predicted(self.piece, order.vertices(), BEAM_WIDTH, &self.budget);
        match (narrow(&order), narrow(&other)) {
            (Some(states), Some(fewer)) if fewer < states => other,
            _ => order,
        }
    }

    /// Looks for a better path by a narrow sweep of the frontier program.
    fn beam(&mut self, order: &VertexOrder) {
        if let Some((path, value)) = frontier::beam(self.piece, order.vertices(), BEAM_WIDTH, &self.budget)
            && value > self.lower()
        {
            Scoped { run: self.run, scope: self.scope }.incumbent(value);
            self.answer.best = Some((path, value));
        }
    }

    /// Branch and bound, on the piece without its long chains where there is one.
    fn search_tree(&mut self, shortened: Option<&Shortened>, allowance: u64) {
        self.exactly(|piece, floor, upper, budget, monitor| {
            let short = shortened.map_or(piece, |shortened| &shortened.piece);
            let mut outcome = branch_and_bound::solve(short, floor, upper, allowance, budget, monitor);
            if let (Some(shortened), Some((path, _))) = (shortened, &mut outcome.best) {
                *path = shortened.lift(path);
            }
            outcome
        });
    }

    /// Runs an exact engine between what is known below and above, and adds what it brings to the answer.
    fn exactly(&mut self, engine: impl FnOnce(&Piece, i64, i64, &Budget, &mut dyn Monitor) -> Outcome) {
        let mut monitor = Scoped { run: self.run, scope: self.scope };
        let lower = self.answer.best.as_ref().map_or(self.floor, |(_, value)| *value);
        let outcome = engine(self.piece, lower, self.answer.upper, &self.budget, &mut monitor);
        self.answer.steps += outcome.steps;
        self.answer.peak_bytes = self.answer.peak_bytes.max(outcome.peak_bytes);
        if outcome.best.is_some() {
            self.answer.best = outcome.best;
        }
        self.answer.upper = self.answer.upper.min(outcome.upper).max(self.lower());
        self.answer.stop = outcome.stop;
    }
}

/// Whether the graph can be read for an order, which nothing interrupts, before the deadline.
fn has_time_for_order(graph: &CsrGraph, budget: &Budget) -> bool {
    let size = (graph.vertex_count() + graph.edge_count()) as u64;
    let reading = Duration::from_nanos(size * NANOSECONDS_TO_READ);
    budget.deadline.is_none_or(|deadline| deadline.saturating_duration_since(Instant::now()) > reading)
}

/// What reading the graph for an order takes for each vertex and edge, where it is far larger than the caches.
const NANOSECONDS_TO_READ: u64 = 300;

/// A vertex order worth a few percent of what the sweep along it will take; no more than a quick one where no order
/// will help.
pub(super) fn order_for(graph: &CsrGraph, budget: &Budget) -> VertexOrder {
    let find = |work_per_edge| {
        let effort = decompose::Effort {
            work: graph.edge_count() as u64 * work_per_edge,
            work_per_state: ORDER_WORK_PER_STATE,
            deadline: budget.deadline,
            interrupt: budget.interrupt.clone(),
            threads: budget.threads,
        };
        VertexOrder::find(graph, &effort, budget.seed)
    };
    let quick = find(QUICK_ORDER_WORK_PER_EDGE);
    let worth = quick.predicted_states() * ORDER_WORK_PER_STATE;
    let done = worth < (graph.edge_count() as u64 * QUICK_ORDER_WORK_PER_EDGE) as f64;
    if done || quick.predicted_states() > HOPELESS.powi(2) { quick } else { find(ORDER_WORK_PER_EDGE) }
}

/// In neighbours looked at, some two hundred million a second: for each edge at first and at most, and for each state that
/// is predicted, at some ten million made a second.
const QUICK_ORDER_WORK_PER_EDGE: u64 = 10_000;
const ORDER_WORK_PER_EDGE: u64 = 1_000_000;
const ORDER_WORK_PER_STATE: f64 = 1.0;
