//! One part that nothing cuts any further: incumbent, bound, and if they don't meet, the exact engine that fits.
//!
//! Cheap before dear, and everything that is found serves what comes after: a short local search, cheap bounds, a short
//! branch and bound where the part is small, then a vertex order, which foretells what the frontier program would cost.
//! That decides: how long local search may go on, whether the dear bounds are worth their time, and which exact engine has
//! the last word.

use std::time::{Duration, Instant};

use super::{Context, Scope, Scoped, ends_are_better_turned};
use crate::bound::{self, Effort};
use crate::decompose::{self, VertexOrder};
use crate::reduce::chains::{self, Shortened};
use crate::reduce::{Reduction, twins};
use crate::search::{
    Budget, Ends, Monitor, NOT_AN_END, Outcome, Piece, Run, branch_and_bound, branch_and_cut, frontier, local_search,
};
use crate::solution::Stop;
use crate::view::{CsrGraph, Edge};

/// Up to this many vertices a part is searched at once: anything else would take longer.
pub(super) const TINY: usize = 20;

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

/// From so many predicted states on a narrow sweep ranks two orders.
const LABORIOUS: f64 = 1e9;

/// Where a sweep takes no more seconds than this it is the shortest way. Where it takes more, branch and cut tries first: for
/// a part of that time, but so much at least. Its work is counted in units of a hundred nanoseconds.
const NARROW: f64 = 0.06;
const CUTS_PER_SECOND: f64 = 0.07 * 1e7;
const LEAST_CUTS: u64 = 200_000;

/// From so many vertices on, and up to so many edges for each, a short try at branch and cut comes even before that at
/// branch and bound.
const FIT_FOR_CUTS: usize = 60;
const SPARSE: usize = 3;

/// What one greedy order predicts where a good one is too wide as well.
const WIDE_AT_A_GLANCE: f64 = 1e18;

/// Where the graph has more edges, a linear program over them takes too long.
const LARGEST_PROGRAM: usize = 100_000;

/// What a sweep takes for each state that a quick order predicts, about; most of them are pruned where both ends are fixed.
const SECONDS_PER_STATE: f64 = 3e-8;
const SECONDS_PER_STATE_BETWEEN_ENDS: f64 = 5e-9;

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
    let mut outcome = Leaf { piece, floor, budget, context, scope, run, answer }.solve();
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
        let shortened = self.shortened();
        let fits_tree =
            shortened.as_ref().map_or(n, |short| short.piece.graph.vertex_count()) <= branch_and_bound::LARGEST;
        let piece = self.piece;
        let mut cuts = branch_and_cut::Search::new(piece, None, self.floor, self.answer.upper);
        let is_fit = n >= FIT_FOR_CUTS && piece.graph.edge_count() <= SPARSE * n;
        let is_wide = is_fit && !fits_tree && self.is_wide_at_a_glance();
        if is_wide || is_fit && fits_tree {
            self.run.enter("branch-and-cut", format!("branch and cut: {n} vertices, a short try"));
            self.cut(&mut cuts, if is_wide { 20 * LEAST_CUTS } else { LEAST_CUTS });
            if self.settled() {
                return;
            }
        }
        self.bound(Effort::Low);
        if self.settled() {
            return;
        }
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
        let quick = quick_order(&self.piece.graph, &self.budget);
        let predicted = quick.predicted_states();
        let has_program = self.piece.graph.edge_count() <= LARGEST_PROGRAM;
        let is_narrow = self.seconds_for(predicted) <= NARROW;
        if is_narrow || !has_program {
            if !is_narrow {
                self.run.enter("bound", format!("dear bounds: {n} vertices"));
                self.bound(Effort::High);
            }
            if !self.settled() {
                self.sweep(quick, None, shortened.as_ref());
            }
            return;
        }

        let why = format!("{n} vertices, frontier {}, about {predicted:.0e} states predicted", quick.width());
        self.run.enter("branch-and-cut", format!("branch and cut: {why}"));
        let most = if fits_tree { 10 * LEAST_CUTS } else { u64::MAX };
        self.cut(&mut cuts, ((self.seconds_for(predicted) * CUTS_PER_SECOND) as u64).clamp(LEAST_CUTS, most));
        if self.settled() {
            return;
        }
        let reduced = without_useless_edges(piece, &cuts);
        let order = match &reduced {
            Some(reduced) => quick_order(&reduced.graph, &self.budget),
            None => quick,
        };
        let predicted = order.predicted_states();
        let hopeless = if fits_tree && piece.graph.is_directed() { HOPELESS_DIRECTED } else { HOPELESS };
        if predicted <= hopeless && self.has_time_for_sweep(predicted) {
            self.sweep(order, reduced.as_ref(), shortened.as_ref());
        } else if predicted <= HOPELESS {
            self.run.enter("frontier", format!("frontier: {n} vertices, a narrow sweep"));
            self.beam(reduced.as_ref(), &order);
        }
        // Neither has an end in sight: they take turns, with more time each turn.
        let mut turn = 1;
        while fits_tree && !self.settled() {
            self.run.enter("branch-and-bound", format!("branch and bound: {n} vertices, turn {turn}"));
            self.search_tree(shortened.as_ref(), SHORT_TREE << (4 + turn).min(40));
            if !self.settled() {
                self.run.enter("branch-and-cut", format!("branch and cut: {n} vertices, turn {turn}"));
                self.cut(&mut cuts, LEAST_CUTS << (4 + turn).min(40));
            }
            turn += 1;
        }
        if !self.settled() {
            self.run.enter("branch-and-cut", format!("branch and cut: {n} vertices, to the end"));
            self.cut(&mut cuts, u64::MAX);
        }
    }

    /// What a sweep of so many predicted states takes, about.
    fn seconds_for(&self, predicted: f64) -> f64 {
        let is_fixed = |prizes: &[i64]| prizes.iter().filter(|&&prize| prize != NOT_AN_END).take(2).count() == 1;
        let between_ends = match &self.piece.ends {
            Ends::Open { first, last, .. } => is_fixed(first) && is_fixed(last),
            Ends::Closed { through } => through.is_some(),
        };
        predicted * if between_ends { SECONDS_PER_STATE_BETWEEN_ENDS } else { SECONDS_PER_STATE }
    }

    /// Whether a sweep of so many predicted states is likely to end before the deadline.
    fn has_time_for_sweep(&self, predicted: f64) -> bool {
        let time = Duration::try_from_secs_f64(self.seconds_for(predicted)).unwrap_or(Duration::MAX);
        self.budget.deadline.is_none_or(|deadline| deadline.saturating_duration_since(Instant::now()) > time)
    }

    /// Whether even the first order that comes to mind shows that no sweep will end.
    fn is_wide_at_a_glance(&self) -> bool {
        let graph = &self.piece.graph;
        graph.edge_count() <= LARGEST_PROGRAM
            && find_order(graph, GLANCE_WORK_PER_EDGE, &self.budget).predicted_states() > WIDE_AT_A_GLANCE
    }

    /// The last steps along an order: local search for as long as the sweep is worth, then the frontier program, on the
    /// piece without the edges that branch and cut has ruled out where they are many.
    fn sweep(&mut self, quick: VertexOrder, reduced: Option<&Piece>, shortened: Option<&Shortened>) {
        let piece = reduced.unwrap_or(self.piece);
        let n = piece.graph.vertex_count();
        let fits_tree = shortened.map_or(n, |short| short.piece.graph.vertex_count()) <= branch_and_bound::LARGEST;
        let order = self.order(piece, quick);
        let predicted = order.predicted_states();
        let words = format!(
            "{n} vertices, {} edges, frontier {}, about {predicted:.0e} states predicted",
            piece.graph.edge_count(),
            order.width()
        );
        let hopeless = if self.piece.graph.is_directed() { HOPELESS_DIRECTED } else { HOPELESS };
        let states = if fits_tree { predicted.min(hopeless) } else { predicted };
        let climb = (states * CLIMB_PER_STATE).min(n as f64 * LONG_CLIMB_PER_VERTEX) as u64;
        self.run.enter("local-search", format!("local search: {words}"));
        self.climb(climb);
        if self.settled() {
            return;
        }
        self.run.enter("frontier", format!("frontier: {words}"));
        self.exactly(|_, floor, _, budget, monitor| frontier::solve(piece, order.vertices(), floor, budget, monitor));
    }

    /// Goes on with branch and cut for so much work.
    fn cut(&mut self, cuts: &mut branch_and_cut::Search<'_>, work: u64) {
        let best = self.answer.best.clone();
        self.exactly(|_, _, upper, budget, monitor| {
            cuts.learn(best.as_ref(), upper);
            cuts.run(work, budget, monitor)
        });
        if self.answer.stop == Some(Stop::Exhausted) {
            self.answer.stop = None;
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
        let upper = bound::best_bound(self.piece, effort, &self.budget, self.lower()).upper;
        if upper < self.answer.upper {
            self.answer.upper = upper.max(self.lower());
            Scoped { run: self.run, scope: self.scope }.bound(self.answer.upper);
        }
    }

    /// A better vertex order; where the sweep will be long, the better of two by a narrow sweep along each.
    fn order(&self, piece: &Piece, quick: VertexOrder) -> VertexOrder {
        let order = better_order(&piece.graph, quick, &self.budget);
        if !(LABORIOUS..HOPELESS).contains(&order.predicted_states()) {
            return order;
        }
        let mut reseeded = self.budget.clone();
        reseeded.seed = reseeded.seed.wrapping_add(1);
        let other = order_for(&piece.graph, &reseeded);
        let narrow = |order: &VertexOrder| frontier::predicted(piece, order.vertices(), BEAM_WIDTH, &self.budget);
        match (narrow(&order), narrow(&other)) {
            (Some(states), Some(fewer)) if fewer < states => other,
            _ => order,
        }
    }

    /// Looks for a better path by a narrow sweep of the frontier program.
    fn beam(&mut self, reduced: Option<&Piece>, order: &VertexOrder) {
        let piece = reduced.unwrap_or(self.piece);
        if let Some((path, value)) = frontier::beam(piece, order.vertices(), BEAM_WIDTH, &self.budget)
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
    better_order(graph, quick_order(graph, budget), budget)
}

fn quick_order(graph: &CsrGraph, budget: &Budget) -> VertexOrder {
    find_order(graph, QUICK_ORDER_WORK_PER_EDGE, budget)
}

/// A better order than a quick one, where that is worth the search.
fn better_order(graph: &CsrGraph, quick: VertexOrder, budget: &Budget) -> VertexOrder {
    let worth = quick.predicted_states() * ORDER_WORK_PER_STATE;
    let done = worth < (graph.edge_count() as u64 * QUICK_ORDER_WORK_PER_EDGE) as f64;
    if done || quick.predicted_states() > HOPELESS.powi(2) {
        quick
    } else {
        find_order(graph, ORDER_WORK_PER_EDGE, budget)
    }
}

fn find_order(graph: &CsrGraph, work_per_edge: u64, budget: &Budget) -> VertexOrder {
    let effort = decompose::Effort {
        work: graph.edge_count() as u64 * work_per_edge,
        work_per_state: ORDER_WORK_PER_STATE,
        deadline: budget.deadline,
        interrupt: budget.interrupt.clone(),
        threads: budget.threads,
    };
    VertexOrder::find(graph, &effort, budget.seed)
}

/// The piece without the edges that no better path uses, if they are many.
fn without_useless_edges(piece: &Piece, cuts: &branch_and_cut::Search<'_>) -> Option<Piece> {
    let graph = &piece.graph;
    let kept: Vec<Edge> =
        (0..).zip(graph.edges()).filter(|(edge, _)| cuts.is_of_use(*edge)).map(|(_, &line)| line).collect();
    let many = (graph.edge_count() - kept.len()) * 20 >= graph.edge_count();
    let reduced = || CsrGraph::from_simple(graph.vertex_count(), graph.is_directed(), kept);
    many.then(|| Piece { graph: reduced(), ends: piece.ends.clone() })
}

/// In neighbours looked at, some two hundred million a second: for each edge at first and at most, and for each state that
/// is predicted, at some ten million made a second.
const GLANCE_WORK_PER_EDGE: u64 = 300;
const QUICK_ORDER_WORK_PER_EDGE: u64 = 10_000;
const ORDER_WORK_PER_EDGE: u64 = 1_000_000;
const ORDER_WORK_PER_STATE: f64 = 1.0;
