//! One part that no reduction cuts any further: incumbent, bound, and if they don't meet, the exact engine that fits.

use super::{Context, Scope, Scoped, ends_are_better_turned};
use crate::bound::{self, Effort};
use crate::decompose::{self, VertexOrder};
use crate::reduce::{Reduction, chains};
use crate::search::{Budget, Monitor, Outcome, Piece, Run, branch_and_bound, frontier, local_search};
use crate::view::CsrGraph;

/// Up to this many vertices a part is searched at once: anything else would take longer.
const TINY: usize = 20;

/// Solves the part; only paths worth more than `floor` matter, and `share` of the remaining time may be spent.
pub(super) fn solve(
    piece: &Piece,
    floor: i64,
    share: f64,
    context: &Context,
    scope: Scope,
    run: &mut Run<'_>,
) -> Outcome {
    if context.reductions.has(Reduction::Chains)
        && !piece.graph.is_directed()
        && piece.graph.vertex_count() > TINY
        && let Some(shortened) = chains::shorten(piece)
    {
        let mut outcome = solve_short(&shortened.piece, floor, share, scope, run);
        outcome.best = outcome.best.map(|(path, value)| (shortened.lift(&path), value));
        return outcome;
    }
    solve_short(piece, floor, share, scope, run)
}

fn solve_short(piece: &Piece, floor: i64, share: f64, scope: Scope, run: &mut Run<'_>) -> Outcome {
    let turned = ends_are_better_turned(piece);
    let turned_piece = turned.then(|| piece.reversed());
    let piece = turned_piece.as_ref().unwrap_or(piece);
    let budget = run.budget.share(share);
    let leaf = Leaf { piece, budget, scope, run, answer: Outcome::nothing_above(floor, piece.trivial_bound()) };
    let mut outcome = leaf.solve(floor);
    if turned && let Some((path, _)) = &mut outcome.best {
        path.reverse();
    }
    outcome
}

struct Leaf<'p, 'r, 'a> {
    piece: &'p Piece,
    budget: Budget,
    scope: Scope,
    run: &'r mut Run<'a>,
    /// The best so far of all engines.
    answer: Outcome,
}

impl Leaf<'_, '_, '_> {
    fn solve(mut self, floor: i64) -> Outcome {
        let n = self.piece.graph.vertex_count();
        if n <= TINY {
            self.add(floor, |piece, floor, budget, monitor| branch_and_bound::solve(piece, floor, budget, monitor));
            return self.answer;
        }
        self.climb(SHORT_CLIMB, floor);
        if self.settled(floor) {
            return self.answer;
        }
        self.bound(Effort::Low, floor);
        if self.settled(floor) {
            return self.answer;
        }
        let order = order_for(&self.piece.graph, &self.budget);
        let predicted = order.predicted_states();
        let words = format!("{n} vertices, frontier {}, about {predicted:.0} states predicted", order.width());
        if predicted > HOPELESS && n <= branch_and_bound::LARGEST {
            self.run.enter("branch-and-bound", format!("branch-and-bound: {words}"));
            self.add(floor, |piece, floor, budget, monitor| branch_and_bound::solve(piece, floor, budget, monitor));
        } else {
            self.run.enter("frontier", format!("frontier: {words}"));
            self.add(floor, |piece, floor, budget, monitor| {
                frontier::solve(piece, order.vertices(), floor, budget, monitor)
            });
        }
        self.answer
    }

    /// Looks for a better path, for so many units of work a vertex.
    fn climb(&mut self, work_per_vertex: u64, floor: i64) {
        let n = self.piece.graph.vertex_count() as u64;
        let start = self.answer.best.take().map(|(path, _)| path);
        let mut monitor = Scoped { run: self.run, scope: self.scope };
        let upper = self.answer.upper;
        let outcome =
            local_search::solve(self.piece, start.as_deref(), upper, n * work_per_vertex, &self.budget, &mut monitor);
        self.answer.steps += outcome.steps;
        self.answer.peak_bytes = self.answer.peak_bytes.max(outcome.peak_bytes);
        self.answer.best = outcome.best.filter(|&(_, value)| value > floor);
        self.answer.stop = self.budget.spent();
    }

    fn lower(&self, floor: i64) -> i64 {
        self.answer.best.as_ref().map_or(floor, |(_, value)| *value)
    }

    fn settled(&self, floor: i64) -> bool {
        self.answer.upper <= self.lower(floor) || self.answer.stop.is_some()
    }

    fn bound(&mut self, effort: Effort, floor: i64) {
        let (upper, _) = bound::best_bound(self.piece, effort, &self.budget, self.lower(floor));
        if upper < self.answer.upper {
            self.answer.upper = upper.max(self.lower(floor));
            Scoped { run: self.run, scope: self.scope }.bound(self.answer.upper);
        }
    }

    /// Runs an engine above what is known already, and adds what it brings to the answer.
    fn add(&mut self, floor: i64, engine: impl FnOnce(&Piece, i64, &Budget, &mut dyn Monitor) -> Outcome) {
        let lower = self.lower(floor);
        let mut monitor = Scoped { run: self.run, scope: self.scope };
        let outcome = engine(self.piece, lower, &self.budget, &mut monitor);
        self.answer.steps += outcome.steps;
        self.answer.peak_bytes = self.answer.peak_bytes.max(outcome.peak_bytes);
        if outcome.best.is_some() {
            self.answer.best = outcome.best;
        }
        self.answer.upper = self.answer.upper.min(outcome.upper).max(self.lower(floor));
        self.answer.stop = if self.answer.upper > self.lower(floor) { outcome.stop } else { None };
    }
}

/// Local search before anything else, in units of work a vertex.
const SHORT_CLIMB: u64 = 2_000;

/// More predicted states than this, and a search tree is the better bet where it fits.
const HOPELESS: f64 = 1e10;

/// A vertex order worth a few percent of what the sweep along it will take.
pub(super) fn order_for(graph: &CsrGraph, budget: &Budget) -> VertexOrder {
    let mut work = (graph.edge_count() as u64 * FIRST_ORDER_WORK_PER_EDGE).min(MOST_ORDER_WORK);
    loop {
        let effort = decompose::Effort { work, deadline: budget.deadline, threads: budget.threads };
        let order = VertexOrder::find(graph, &effort, budget.seed);
        let worth = (order.predicted_states() * ORDER_WORK_PER_STATE) as u64;
        if worth < work.saturating_mul(4) || work >= MOST_ORDER_WORK || budget.spent().is_some() {
            return order;
        }
        work = worth.min(MOST_ORDER_WORK);
    }
}

/// In neighbours looked at, some hundred million a second: where to begin, where to end, and what a state, made at some
/// ten million a second, is worth.
const FIRST_ORDER_WORK_PER_EDGE: u64 = 2_000;
const MOST_ORDER_WORK: u64 = 2_000_000_000;
const ORDER_WORK_PER_STATE: f64 = 0.3;
