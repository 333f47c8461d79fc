//! The automatic engine from the top: a line graph, components, the graph itself; and a last look at the bound.

use fixedbitset::FixedBitSet;

use super::line::{self, Answer};
use super::scope::Context;
use super::{components, graph, last_bound};
use crate::engine::Engine;
use crate::engines::local_search;
use crate::instance::{Ends, Instance, Monitor, NOT_AN_END, Outcome, Run};
use crate::reduce::Reductions;
use crate::solution::Stop;

/// Answers within the limits of the run, with these reductions.
pub(super) fn solve(instance: &Instance, reductions: Reductions, run: &mut Run<'_>) -> Outcome {
    let whole = run.budget.clone();
    run.budget = last_bound::keeping_time(instance, &whole);
    let mut outcome = by_stages(instance, reductions, run);
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
    let (mut path, mut is_visited) = (vec![start], FixedBitSet::with_capacity(first.len()));
    is_visited.insert(start as usize);
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
        is_visited.insert(arc.target as usize);
        length += graph.weight(arc.edge);
        path.push(arc.target);
    }
    let (value, count) = best?;
    path.truncate(count);
    Some((path, value))
}

/// What taking a graph apart takes at least, for each vertex and edge of one far larger than the caches.
const NANOSECONDS_TO_TAKE_APART: u64 = 250;

fn by_stages(instance: &Instance, reductions: Reductions, run: &mut Run<'_>) -> Outcome {
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
        Answer::No => graph::solve(instance, i64::MIN, i64::MIN, &context, run),
        Answer::Parts => components::solve(instance, &context, run),
        Answer::Settled(outcome) => outcome,
        Answer::Begun(begun) => {
            line::go_on(begun, i64::MIN, |floor| graph::solve(instance, floor, i64::MIN, &context, run))
        }
    }
}
