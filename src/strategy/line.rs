//! Line graphs: what they stand for is asked of their root.
//!
//! A line graph of m vertices may have m² edges and still have a root as thin as a path, so this is looked at before anything
//! else: first the whole graph, then each connected component by itself, then what the block forest makes of the others.
//! Weights must be 1 each, since a trail counts the edges it meets. Any end rule will do, prizes too, and cycles.
//!
//! A sparse line graph often has a path through nearly everything that is found and proved sooner than the best trail of a wide
//! root: so it has a moment before that, and the rest of the time where most of it was too short for the root.

use std::time::{Duration, Instant};

use crate::engine::Engine;
use crate::engines::trail::{self, Query, Root, Unrooted, root_of};
use crate::instance::{Budget, Instance, Monitor, Outcome, Run};
use crate::reduce::Reduction;
use crate::solution::Stop;
use crate::view::CsrGraph;

use super::block_solver;
use super::scope::{Context, Scope, Scoped};

/// Up to so many edges for each vertex the graph itself may be the shorter way; it is tried so long for each vertex, and the root
/// has this share of the time after that.
const SPARSE: usize = 3;
const MOMENT_PER_VERTEX: Duration = Duration::from_micros(200);
const SHARE_OF_ROOT: f64 = 0.75;

/// Answers by way of the graph itself, above a floor.
pub(super) type AsGraph<'f> = &'f mut dyn FnMut(i64, &mut Run<'_>) -> Outcome;

/// Whether it is worth while to look for a root: a forest is settled sooner than recognised.
pub(super) fn may_have_root(graph: &CsrGraph, context: &Context) -> bool {
    context.reductions.has(Reduction::LineGraph) && !graph.is_directed() && graph.edge_count() >= graph.vertex_count()
}

/// The answer by way of the root, if there is a root.
pub(super) enum Answer {
    /// The graph is no line graph, but its parts may be.
    Parts,
    /// Nor may these.
    No,
    /// The root has settled it, or a limit is spent.
    Settled(Outcome),
    /// The root is too wide; this is what it knows.
    Begun(Outcome),
}

/// An instance to be asked of its root.
struct Question<'p> {
    instance: &'p Instance,
    root: Root,
    /// What the instance is.
    what: &'static str,
}

/// One of the searches for the best trail of a root.
type Search = fn(&Root, Query<'_>, i64, &Budget, &mut dyn Monitor) -> Outcome;

impl Question<'_> {
    /// Asks the root, if need be with the graph itself in between. `scope` is `None` where this is the whole question, whose
    /// linear program is noted for a proof.
    fn solve(
        &self,
        floor: i64,
        budget: &Budget,
        scope: Option<Scope>,
        run: &mut Run<'_>,
        as_graph: AsGraph<'_>,
    ) -> Outcome {
        let graph = &self.instance.graph;
        if graph.edge_count() > SPARSE * graph.vertex_count() {
            return self.search(trail::solve, floor, budget, scope, run);
        }
        let begun = self.search(trail::try_shortly, floor, budget, scope, run);
        if begun.stop != Some(Stop::Exhausted) {
            return begun;
        }
        run.note(format!("line graph: {} vertices, the graph itself for a moment", graph.vertex_count()));
        let moment = MOMENT_PER_VERTEX.saturating_mul(u32::try_from(graph.vertex_count()).unwrap_or(u32::MAX));
        let tried = go_on(begun, floor, |floor| {
            let whole = std::mem::replace(&mut run.budget, budget.until(Instant::now() + moment));
            let outcome = as_graph(floor, run);
            run.budget = whole;
            outcome
        });
        if tried.stop.is_none() || budget.spent().is_some() {
            return tried;
        }
        // The value of a path that is no trail yet cuts off what would lead to good trails.
        go_on(tried, floor, |_| self.search(trail::solve, floor, &budget.share(SHARE_OF_ROOT), scope, run))
    }

    fn search(&self, search: Search, floor: i64, budget: &Budget, scope: Option<Scope>, run: &mut Run<'_>) -> Outcome {
        let (n, m) = (self.root.vertex_count, self.root.ends.len());
        run.enter(Engine::Trail, format!("trail: {}, its root has {n} vertices and {m} edges", self.what));
        let query = Query::of(&self.instance.ends);
        match scope {
            Some(scope) => search(&self.root, query, floor, budget, &mut Scoped { run, scope }),
            None => search(&self.root, query, floor, budget, run),
        }
    }
}

/// Whether the root could do no more, and the graph may.
fn is_left_over(outcome: &Outcome, budget: &Budget) -> bool {
    match outcome.stop {
        Some(Stop::Exhausted) => true,
        Some(Stop::TimeLimit) => budget.spent().is_none(),
        _ => false,
    }
}

/// Asks for the whole instance at once.
pub(super) fn ask(instance: &Instance, context: &Context, run: &mut Run<'_>, as_graph: AsGraph<'_>) -> Answer {
    if !may_have_root(&instance.graph, context) {
        return Answer::No;
    }
    let question = match root_of(&instance.graph) {
        Ok(root) => Question { instance, root, what: "a line graph" },
        Err(Unrooted::NoLineGraph) => return Answer::Parts,
        Err(_) => return Answer::No,
    };
    let budget = run.budget.clone();
    let outcome = question.solve(i64::MIN, &budget, None, run, as_graph);
    if is_left_over(&outcome, &budget) { Answer::Begun(outcome) } else { Answer::Settled(outcome) }
}

/// Goes on from what a root that was too wide has brought.
pub(super) fn go_on(begun: Outcome, floor: i64, graph: impl FnOnce(i64) -> Outcome) -> Outcome {
    let floor = begun.best.as_ref().map_or(floor, |(_, value)| *value);
    let mut outcome = graph(floor);
    outcome.upper = outcome.upper.min(begun.upper).max(floor);
    let better = |best: &(Vec<u32>, i64)| best.1 > floor;
    outcome.best = outcome.best.filter(better).or(begun.best);
    outcome.steps += begun.steps;
    outcome.peak_bytes = outcome.peak_bytes.max(begun.peak_bytes);
    if outcome.best.as_ref().is_some_and(|&(_, value)| value == outcome.upper) {
        outcome.stop = None;
    }
    outcome
}

/// Solves a component by way of its root, if it has one; [`Stop::Exhausted`] where others may do more.
pub(super) fn ask_component(
    instance: &Instance,
    floor: i64,
    share: f64,
    scope: Scope,
    run: &mut Run<'_>,
    as_graph: AsGraph<'_>,
) -> Option<Outcome> {
    let question =
        Question { instance, root: root_of(&instance.graph).ok()?, what: "a component that is a line graph" };
    let budget = run.budget.share(share);
    let mut outcome = question.solve(floor, &budget, Some(scope), run, as_graph);
    if is_left_over(&outcome, &budget) {
        outcome.stop = Some(Stop::Exhausted);
    }
    Some(outcome)
}

/// Solves a block by way of its root, if it has one, or as what it is.
pub(super) fn solve_block(
    instance: &Instance,
    floor: i64,
    share: f64,
    context: &Context,
    scope: Scope,
    run: &mut Run<'_>,
) -> Outcome {
    let as_graph = |floor, share, run: &mut Run<'_>| block_solver::solve(instance, floor, share, context, scope, run);
    let root = match instance.graph.vertex_count() > block_solver::TINY && may_have_root(&instance.graph, context) {
        true => root_of(&instance.graph),
        false => return as_graph(floor, share, run),
    };
    let Ok(root) = root else { return as_graph(floor, share, run) };
    let question = Question { instance, root, what: "a block that is a line graph" };
    let budget = run.budget.share(share);
    let outcome = question.solve(floor, &budget, Some(scope), run, &mut |floor, run| as_graph(floor, 1.0, run));
    if is_left_over(&outcome, &budget) { go_on(outcome, floor, |floor| as_graph(floor, share, run)) } else { outcome }
}
