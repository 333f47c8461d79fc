//! The chooser: takes a question apart, hands every part to the engine that fits, and says why.
//!
//! ```text
//! auto: line graph, or components and blocks that are ──root──► trail
//!       whole ──strong──► core and acyclic rest ──forest──► blocks ──leaf──► incumbent, bound, exact engine
//! ```
//!
//! With two threads to use and enough to do, two exact engines work on a leaf at the same time. Where nearly all vertices may
//! be on the best path one of them learns clauses.

mod block_bounds;
mod block_solver;
mod closed;
mod components;
mod forest;
pub(crate) mod k_path;
mod last_bound;
mod line;
#[cfg(test)]
mod looks_tests;
mod prove;
mod race;
pub(crate) mod sweep;
mod tails;

use self::line::Answer;
pub(crate) use self::prove::prove;
use crate::decompose::PathDecomposition;
use crate::engines::reference::backtracking::{self, Pruning};
use crate::engines::reference::signature;
use crate::engines::{branch_and_bound, branch_and_cut, conflict, frontier, local_search};
use crate::instance::{Ends, Instance, Monitor, NOT_AN_END, Outcome, Run};
#[cfg(feature = "highs")]
use crate::lp::Highs;
use crate::lp::Simplex;
use crate::options::{Engine, LinearSolver, Options};
use crate::reduce::strong::{Surroundings, between_ends};
use crate::reduce::{Reduction, Reductions};
use crate::solution::Stop;

/// What all stages of the automatic engine know.
pub(crate) struct Context {
    reductions: Reductions,
    /// Whether every connected component has been asked already whether it is a line graph.
    components_were_asked: bool,
}

/// What the paths of a part mean for the question as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope {
    /// Their values are lengths of whole paths; `rest` bounds every path that is not of this part.
    Whole { rest: i64 },
    /// They are segments that something is still to be added to.
    Part,
}

/// Passes on what an engine reports about a part, where it means something for the whole.
pub(crate) struct Scoped<'r, 'a> {
    run: &'r mut Run<'a>,
    scope: Scope,
}

impl Monitor for Scoped<'_, '_> {
    fn incumbent(&mut self, value: i64) {
        if let Scope::Whole { .. } = self.scope {
            self.run.incumbent(value);
        }
    }

    fn bound(&mut self, upper: i64) {
        if let Scope::Whole { rest } = self.scope {
            self.run.bound(upper.max(rest));
        }
    }

    fn layer(&mut self, states: usize, bytes: usize) {
        self.run.layer(states, bytes);
    }
}

/// Hears, beside what engines report, which of them is at work and why.
pub(crate) trait Log: Monitor {
    /// What is heard now comes from this engine.
    fn at_work(&mut self, engine: &'static str);
    /// Adds a decision to the record.
    fn note(&mut self, decision: String);

    /// From here on this engine is at work.
    fn enter(&mut self, engine: &'static str, why: String) {
        self.at_work(engine);
        self.note(why);
    }
}

impl Log for Scoped<'_, '_> {
    fn at_work(&mut self, engine: &'static str) {
        self.run.at_work(engine);
    }

    fn note(&mut self, decision: String) {
        self.run.note(decision);
    }
}

/// Answers a question with the engine asked for.
pub(crate) fn solve(instance: &Instance, options: &Options, run: &mut Run<'_>) -> Outcome {
    // Engines grow their paths from the first vertex, so a fixed end belongs there.
    let turned = ends_are_better_turned(instance);
    let turned_instance = turned.then(|| instance.reversed());
    let instance = turned_instance.as_ref().unwrap_or(instance);

    let mut outcome = match options.engine {
        Engine::Auto => solve_auto(instance, options, run),
        engine => forced(instance, engine, options, run),
    };
    run.bound(outcome.upper);
    run.account(&outcome);
    if turned && let Some((path, _)) = &mut outcome.best {
        path.reverse();
    }
    outcome
}

fn forced(instance: &Instance, engine: Engine, options: &Options, run: &mut Run<'_>) -> Outcome {
    run.enter(engine.name(), format!("{engine}: asked for"));
    let budget = run.budget.clone();
    let floor = i64::MIN;
    let follows_order = matches!(engine, Engine::Frontier | Engine::Signature);
    if follows_order && !block_solver::has_time_for_order(&instance.graph, &budget) {
        let stop = Some(budget.spent().unwrap_or(Stop::TimeLimit));
        return Outcome { stop, ..Outcome::nothing_above(floor, instance.trivial_bound()) };
    }
    match engine {
        Engine::Auto => unreachable!("the automatic engine is not forced"),
        Engine::Backtracking => backtracking::solve(instance, Pruning::On, floor, &budget, run),
        Engine::PlainBacktracking => backtracking::solve(instance, Pruning::Off, floor, &budget, run),
        Engine::BranchAndBound => branch_and_bound::solve(instance, floor, i64::MAX, u64::MAX, &budget, run),
        Engine::BranchAndCut => match options.linear_solver {
            LinearSolver::Simplex => branch_and_cut::solve::<Simplex>(instance, floor, &budget, run),
            #[cfg(feature = "highs")]
            LinearSolver::Highs => branch_and_cut::solve::<Highs>(instance, floor, &budget, run),
            #[cfg(not(feature = "highs"))]
            LinearSolver::Highs => unreachable!("refused before"),
        },
        Engine::Conflict => conflict::solve(instance, conflict::Config::default(), floor, &budget, run),
        Engine::Frontier => {
            let order = block_solver::order_for(&instance.graph, &budget);
            frontier::solve(instance, order.vertices(), floor, &budget, run)
        }
        Engine::Signature => {
            let bags = if options.depth_first_bags && instance.graph.vertex_count() > 0 {
                PathDecomposition::from_depth_first(&instance.graph, 0)
            } else {
                PathDecomposition::from_order(
                    &instance.graph,
                    block_solver::order_for(&instance.graph, &budget).vertices(),
                )
            };
            signature::solve(instance, &bags.expect("the order is one of this graph"), floor, &budget, run)
        }
        Engine::Trail => line::forced(instance, run),
        Engine::LocalSearch => {
            let upper = instance.trivial_bound();
            run.bound(upper);
            let effort = instance.graph.vertex_count() as u64 * LOCAL_SEARCH_ALONE_PER_VERTEX;
            local_search::solve(instance, None, upper, effort, &budget, run)
        }
        Engine::ColorCoding | Engine::PlainColorCoding | Engine::Sieve => {
            k_path::longest(instance, engine, options.failure_probability, run)
        }
    }
}

/// The effort of local search where it is asked for by name, in its units of work.
const LOCAL_SEARCH_ALONE_PER_VERTEX: u64 = 100_000;

fn solve_auto(instance: &Instance, options: &Options, run: &mut Run<'_>) -> Outcome {
    let whole = run.budget.clone();
    run.budget = last_bound::keeping_time(instance, &whole);
    let mut outcome = solve_by_stages(instance, options, run);
    run.budget = whole;
    last_bound::improve(&mut outcome, instance, run);
    outcome
}

/// The best beginning of a walk that goes on to whatever was not visited, from the first vertex that has most arcs.
fn path_at_once(instance: &Instance) -> Option<(Vec<u32>, i64)> {
    let Ends::Open { first, last, single_vertex } = &instance.ends else { return None };
    let graph = &instance.graph;
    let starts = (0..first.len() as u32).filter(|&vertex| first[vertex as usize] != NOT_AN_END);
    let start = starts.max_by_key(|&vertex| graph.out_arcs(vertex).len())?;
    let (mut path, mut is_visited) = (vec![start], vec![false; first.len()]);
    is_visited[start as usize] = true;
    let (mut length, mut best): (i64, Option<(i64, usize)>) = (first[start as usize], None);
    loop {
        let at = path[path.len() - 1];
        let prize = last[at as usize];
        if prize != NOT_AN_END && (*single_vertex || path.len() > 1) && best.is_none_or(|best| length + prize > best.0)
        {
            best = Some((length + prize, path.len()));
        }
        let Some(arc) = graph.out_arcs(at).iter().find(|arc| !is_visited[arc.target as usize]) else { break };
        is_visited[arc.target as usize] = true;
        length += graph.weight(arc.edge);
        path.push(arc.target);
    }
    let (value, count) = best?;
    path.truncate(count);
    Some((path, value))
}

/// What taking a graph apart takes at least, for each vertex and edge of one far larger than the caches.
const NANOSECONDS_TO_TAKE_APART: u64 = 250;

fn solve_by_stages(instance: &Instance, options: &Options, run: &mut Run<'_>) -> Outcome {
    let size = (instance.graph.vertex_count() + instance.graph.edge_count()) as u64;
    if !run.budget.has_time(size * NANOSECONDS_TO_TAKE_APART) {
        run.enter(Engine::LocalSearch.name(), format!("local search: no time to take {size} vertices and edges apart"));
        let upper = instance.trivial_bound();
        let budget = run.budget.clone();
        let start = path_at_once(instance);
        if let Some((_, value)) = start {
            run.incumbent(value);
        }
        let from = start.as_ref().map(|(path, _)| path.as_slice());
        let outcome = local_search::solve(instance, from, upper, u64::MAX, &budget, run);
        let is_better = |best: &(Vec<u32>, i64)| start.as_ref().is_none_or(|(_, value)| best.1 > *value);
        return Outcome { best: outcome.best.filter(is_better).or(start), ..outcome };
    }
    let mut context = Context { reductions: options.reductions, components_were_asked: false };
    let (n, m) = (instance.graph.vertex_count(), instance.graph.edge_count());
    run.enter(Engine::Auto.name(), format!("auto: {n} vertices, {m} edges"));
    let answer = line::ask(instance, &context, run);
    context.components_were_asked = !matches!(answer, Answer::No);
    match answer {
        Answer::No => solve_as_graph(instance, i64::MIN, i64::MIN, &context, run),
        Answer::Parts => components::solve(instance, &context, run),
        Answer::Settled(outcome) => outcome,
        Answer::Begun(begun) => {
            line::go_on(begun, i64::MIN, |floor| solve_as_graph(instance, floor, i64::MIN, &context, run))
        }
    }
}

/// Answers by way of the graph itself; only paths worth more than `floor` matter, and `rest` bounds all that are not of it.
fn solve_as_graph(instance: &Instance, floor: i64, rest: i64, context: &Context, run: &mut Run<'_>) -> Outcome {
    let uncut = Scope::Whole { rest: i64::MIN };
    match &instance.ends {
        Ends::Closed { through } if context.reductions.has(Reduction::Blocks) => {
            closed::solve_closed(instance, *through, floor, context, run)
        }
        Ends::Closed { .. } => block_solver::solve(instance, floor, 1.0, context, uncut, run),
        Ends::Open { .. } if instance.graph.is_directed() && context.reductions.has(Reduction::StrongComponents) => {
            solve_around_core(instance, floor, context, run)
        }
        Ends::Open { .. } => solve_open(instance, floor, context, Scope::Whole { rest: floor.max(rest) }, run),
    }
}

/// A directed instance: what lies outside the core is settled first, and becomes end prizes of the core.
fn solve_around_core(instance: &Instance, floor: i64, context: &Context, run: &mut Run<'_>) -> Outcome {
    let Ends::Open { first, last, .. } = &instance.ends else { unreachable!("cycles have no core") };
    let around = Surroundings::new(&instance.graph, first, last);
    let outside = around.best_outside().filter(|&(_, value)| value > floor);
    let floor = outside.as_ref().map_or(floor, |(_, value)| *value);
    if outside.is_some() {
        run.incumbent(floor);
    }
    let n = instance.graph.vertex_count();
    let vertices = around.core();
    if vertices.is_empty() {
        run.note(format!("strong components: none of the {n} vertices needs search"));
        return Outcome { best: outside, upper: floor, stop: None, steps: n as u64, peak_bytes: 0 };
    }
    let mut scratch = vec![u32::MAX; n];
    let (graph, _) = instance.graph.induced(&vertices, &mut scratch);
    let (first, last): (Vec<i64>, Vec<i64>) = vertices.iter().map(|&vertex| around.core_prizes(vertex)).unzip();
    let between = between_ends(&graph, &first, &last);
    let pick = |prizes: &[i64]| between.iter().map(|&vertex| prizes[vertex as usize]).collect();
    let (first, last) = (pick(&first), pick(&last));
    let (graph, _) = graph.induced(&between, &mut scratch);
    let vertices: Vec<u32> = between.iter().map(|&vertex| vertices[vertex as usize]).collect();
    run.note(format!("strong components: {} of {n} vertices lie between large components", vertices.len()));
    let core = Instance { graph, ends: Ends::Open { first, last, single_vertex: true } };
    let mut outcome = solve_open(&core, floor, context, Scope::Whole { rest: floor }, run);
    outcome.best = match outcome.best {
        Some((segment, value)) => {
            let segment: Vec<u32> = segment.iter().map(|&vertex| vertices[vertex as usize]).collect();
            Some((around.complete(&segment), value))
        }
        None => outside,
    };
    outcome.upper = outcome.upper.max(floor);
    outcome
}

fn solve_open(instance: &Instance, floor: i64, context: &Context, scope: Scope, run: &mut Run<'_>) -> Outcome {
    if context.reductions.has(Reduction::Blocks) {
        forest::solve_open(instance, floor, context, scope, run)
    } else {
        block_solver::solve(instance, floor, 1.0, context, scope, run)
    }
}

/// Whether fewer vertices may be the last than the first.
pub(crate) fn ends_are_better_turned(instance: &Instance) -> bool {
    let count = |prizes: &[i64]| prizes.iter().filter(|&&prize| prize != NOT_AN_END).count();
    match &instance.ends {
        Ends::Open { first, last, .. } => count(last) < count(first),
        Ends::Closed { .. } => false,
    }
}
