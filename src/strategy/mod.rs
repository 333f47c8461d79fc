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
mod forced;
mod forest;
pub(crate) mod k_path;
mod last_bound;
mod line;
#[cfg(test)]
mod looks_tests;
mod prove;
mod race;
mod scope;
pub(crate) mod sweep;
mod tails;

use self::line::Answer;
pub(crate) use self::prove::prove;
use self::scope::{Context, Scope};
use crate::engine::Engine;
use crate::engines::{EngineConfig, local_search};
use crate::instance::{Ends, Instance, Monitor, NOT_AN_END, Outcome, Run};
use crate::options::Options;
use crate::reduce::strong::{Surroundings, between_ends};
use crate::reduce::{Reduction, Reductions};
use crate::solution::Stop;

/// Answers a question with the engine asked for.
pub(crate) fn solve(instance: &Instance, options: &Options, run: &mut Run<'_>) -> Outcome {
    // Engines grow their paths from the first vertex, so a fixed end belongs there.
    let turned = instance.is_better_turned();
    let turned_instance = turned.then(|| instance.reversed());
    let instance = turned_instance.as_ref().unwrap_or(instance);

    let mut outcome = match &options.engine {
        EngineConfig::Auto(auto) => solve_auto(instance, auto.reductions, run),
        forced => forced::solve(instance, forced, run),
    };
    run.bound(outcome.upper);
    run.account(&outcome);
    if turned && let Some((path, _)) = &mut outcome.best {
        path.reverse();
    }
    outcome
}

fn solve_auto(instance: &Instance, reductions: Reductions, run: &mut Run<'_>) -> Outcome {
    let whole = run.budget.clone();
    run.budget = last_bound::keeping_time(instance, &whole);
    let mut outcome = solve_by_stages(instance, reductions, run);
    if outcome.stop == Some(Stop::Interrupted)
        && let Some((path, value)) = path_at_once(instance)
        && outcome.best.as_ref().is_none_or(|best| value > best.1)
    {
        // Whoever interrupts before a search has begun gets what can be had at once.
        run.incumbent(value);
        outcome.best = Some((path, value));
    }
    run.budget = whole;
    last_bound::improve(&mut outcome, instance, run);
    outcome
}

/// The best beginning of a walk of a million steps at most that goes on to whatever was not visited, from the first vertex
/// that has most arcs.
fn path_at_once(instance: &Instance) -> Option<(Vec<u32>, i64)> {
    const STEPS: usize = 1_000_000;
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
        let next = graph.out_arcs(at).iter().find(|arc| !is_visited[arc.target as usize]);
        let Some(arc) = next.filter(|_| path.len() <= STEPS) else { break };
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

fn solve_by_stages(instance: &Instance, reductions: Reductions, run: &mut Run<'_>) -> Outcome {
    let size = (instance.graph.vertex_count() + instance.graph.edge_count()) as u64;
    if !run.budget.has_time(size * NANOSECONDS_TO_TAKE_APART) {
        run.enter(Engine::LocalSearch, format!("local search: no time to take {size} vertices and edges apart"));
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
    let mut context = Context { reductions, components_were_asked: false };
    let (n, m) = (instance.graph.vertex_count(), instance.graph.edge_count());
    run.enter(Engine::Auto, format!("auto: {n} vertices, {m} edges"));
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
    let budget = run.budget.clone();
    let is_over = &mut || budget.spent().is_some();
    let ended = || Outcome { stop: budget.spent(), ..Outcome::nothing_above(floor, instance.trivial_bound()) };
    let Some(around) = Surroundings::new(&instance.graph, first, last, is_over) else { return ended() };
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
    let Some((graph, _)) = instance.graph.induced_unless(&vertices, &mut scratch, is_over) else {
        return Outcome { best: outside, ..ended() };
    };
    let (first, last): (Vec<i64>, Vec<i64>) = vertices.iter().map(|&vertex| around.core_prizes(vertex)).unzip();
    let between = between_ends(&graph, &first, &last);
    let pick = |prizes: &[i64]| between.iter().map(|&vertex| prizes[vertex as usize]).collect();
    let (first, last) = (pick(&first), pick(&last));
    let Some((graph, _)) = graph.induced_unless(&between, &mut scratch, is_over) else {
        return Outcome { best: outside, ..ended() };
    };
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
