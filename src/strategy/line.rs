//! Line graphs: what they stand for is asked of their root.
//!
//! A line graph of m vertices may have m² edges and still have a root as thin as a path, so this is looked at before anything
//! else: first the whole graph, then each connected component by itself, then what the block forest makes of the others.
//! Weights must be 1 each, since a trail counts the edges it meets. Any end rule will do, prizes too, and cycles.

use crate::engine::Engine;
use crate::engines::trail::{self, Query, Root, Unrooted, root_of};
use crate::instance::{Budget, Instance, Outcome, Run};
use crate::reduce::Reduction;
use crate::solution::Stop;
use crate::view::CsrGraph;

use super::block_solver;
use super::scope::{Context, Scope, Scoped};

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

impl Question<'_> {
    fn solve(&self, floor: i64, budget: &Budget, scope: Scope, run: &mut Run<'_>) -> Outcome {
        self.enter(run);
        trail::solve(&self.root, Query::of(&self.instance.ends), floor, budget, &mut Scoped { run, scope })
    }

    fn enter(&self, run: &mut Run<'_>) {
        let (n, m) = (self.root.vertex_count, self.root.ends.len());
        run.enter(Engine::Trail, format!("trail: {}, its root has {n} vertices and {m} edges", self.what));
    }
}

/// Asks for the whole instance at once.
pub(super) fn ask(instance: &Instance, context: &Context, run: &mut Run<'_>) -> Answer {
    if !may_have_root(&instance.graph, context) {
        return Answer::No;
    }
    let question = match root_of(&instance.graph) {
        Ok(root) => Question { instance, root, what: "a line graph" },
        Err(Unrooted::NoLineGraph) => return Answer::Parts,
        Err(_) => return Answer::No,
    };
    question.enter(run);
    let outcome = trail::solve(&question.root, Query::of(&instance.ends), i64::MIN, &run.budget.clone(), run);
    match outcome.stop {
        Some(Stop::Exhausted) => Answer::Begun(outcome),
        _ => Answer::Settled(outcome),
    }
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

/// Solves a component by way of its root, if it has one.
pub(super) fn ask_component(
    instance: &Instance,
    floor: i64,
    share: f64,
    scope: Scope,
    run: &mut Run<'_>,
) -> Option<Outcome> {
    let question =
        Question { instance, root: root_of(&instance.graph).ok()?, what: "a component that is a line graph" };
    let budget = run.budget.share(share);
    Some(question.solve(floor, &budget, scope, run))
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
    let as_graph = |floor, run: &mut Run<'_>| block_solver::solve(instance, floor, share, context, scope, run);
    let root = match instance.graph.vertex_count() > block_solver::TINY && may_have_root(&instance.graph, context) {
        true => root_of(&instance.graph),
        false => return as_graph(floor, run),
    };
    let Ok(root) = root else { return as_graph(floor, run) };
    let question = Question { instance, root, what: "a block that is a line graph" };
    let budget = run.budget.share(share);
    let outcome = question.solve(floor, &budget, scope, run);
    match outcome.stop {
        Some(Stop::Exhausted) => go_on(outcome, floor, |floor| as_graph(floor, run)),
        _ => outcome,
    }
}
