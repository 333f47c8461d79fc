//! A graph in several connected components, some of which are line graphs.
//!
//! No path is in two components, so each can be asked by itself. Line graphs are asked of their roots; what is left is one
//! graph to the stages that follow.

use fixedbitset::FixedBitSet;

use super::parts::{Asked, Gathered, Part, most, unasked};
use super::scope::{Context, Scope};
use super::{block_solver, graph, line};
use crate::instance::{Ends, Instance, Outcome, Run, best_end};
use crate::solution::Stop;
use crate::view::{CsrGraph, IsOver};

/// Solves an undirected instance, all of whose edges weigh 1, by components where some of these are line graphs.
pub(super) fn solve(instance: &Instance, context: &Context, run: &mut Run<'_>) -> Outcome {
    let whole = |run: &mut Run<'_>| graph::solve(instance, i64::MIN, i64::MIN, context, run);
    let Ends::Open { first, last, single_vertex } = &instance.ends else { return whole(run) };
    let Some(components) = components(instance, first, last, &mut || run.budget.spent().is_some()) else {
        return Outcome { stop: run.budget.spent(), ..Outcome::nothing_above(i64::MIN, instance.trivial_bound()) };
    };
    if components.len() < 2 {
        return whole(run);
    }
    let mut scratch = vec![u32::MAX; instance.graph.vertex_count()];
    // The instance on these vertices, or `None` where a limit is spent on the way.
    let mut part = |vertices: &[u32], run: &Run<'_>| {
        let is_over = &mut || run.budget.spent().is_some();
        let (graph, _) = instance.graph.induced_unless(vertices, &mut scratch, is_over)?;
        let pick = |prizes: &[i64]| vertices.iter().map(|&vertex| prizes[vertex as usize]).collect();
        let ends = Ends::Open { first: pick(first), last: pick(last), single_vertex: *single_vertex };
        Some(Instance { graph, ends })
    };
    let mut gathered = Gathered::above(i64::MIN);
    let mut again: Vec<Part> = (0..)
        .zip(&components)
        .map(|(number, (most, vertices))| Part { number, most: *most, size: vertices.len() })
        .collect();
    loop {
        // Line graphs are asked of their roots, each with its share of the time; the others are put aside.
        let mut ask = |gathered: &mut Gathered<Vec<u32>>, component: Part, share, scope: Scope, run: &mut Run<'_>| {
            let vertices = &components[component.number as usize].1;
            let lower = gathered.lower();
            if vertices.len() <= block_solver::TINY {
                return Asked::Aside(component.most);
            }
            let Some(part) = part(vertices, run) else { return Asked::Answered(unasked(component.most, run)) };
            let root = Some(part).filter(|part| line::may_have_root(&part.graph, context));
            let orders = run.order_count();
            let answer = root.and_then(|part| {
                let as_graph =
                    &mut |floor, run: &mut Run<'_>| block_solver::solve(&part, floor, 1.0, context, scope, run);
                line::ask_component(&part, lower, share, scope, run, as_graph)
            });
            run.rename_orders_after(orders, vertices);
            let Some(mut outcome) = answer else { return Asked::Aside(component.most) };
            gathered.keep(&mut outcome, vertices);
            match outcome.stop {
                Some(Stop::Exhausted) => Asked::Aside(component.most.min(outcome.upper)),
                _ => Asked::Answered(outcome),
            }
        };
        let aside;
        [again, aside] = gathered.ask_each(again, run, &mut ask);
        if aside.len() == components.len() {
            return whole(run);
        }
        // What is put aside is one graph to the stages that follow.
        if !aside.is_empty() {
            let mut left: Vec<u32> =
                aside.iter().flat_map(|other| &components[other.number as usize].1).copied().collect();
            left.sort_unstable();
            run.note(format!("components: {} of {} vertices are left", left.len(), instance.graph.vertex_count()));
            let rest = most(&again).max(gathered.unseen());
            let orders = run.order_count();
            let mut outcome = match part(&left, run) {
                Some(part) => graph::solve(&part, gathered.lower(), rest, context, run),
                None => unasked(most(&aside), run),
            };
            run.rename_orders_after(orders, &left);
            gathered.keep(&mut outcome, &left);
            let upper = outcome.upper.min(most(&aside));
            if upper > gathered.lower() {
                gathered.leave(upper);
                gathered.stopped(outcome.stop);
            }
        }
        if run.budget.spent().is_some() || most(&again) <= gathered.lower() {
            return gathered.outcome(most(&again), |path| path, run);
        }
        run.note(format!("components: {} again, since time is left", again.len()));
    }
}

/// The components in which a path may begin and end, with the most that a path of each can be worth; those first. `None` if
/// `is_over` says so.
fn components(instance: &Instance, first: &[i64], last: &[i64], is_over: IsOver<'_>) -> Option<Vec<(i64, Vec<u32>)>> {
    const LARGE: usize = 1 << 15;
    let mut unlooked = 0;
    let graph = &instance.graph;
    let mut reached = FixedBitSet::with_capacity(graph.vertex_count());
    let mut components = Vec::new();
    for start in 0..graph.vertex_count() as u32 {
        if reached[start as usize] {
            continue;
        }
        let vertices = reach(graph, start, &mut reached, is_over)?;
        unlooked += vertices.len();
        if unlooked > LARGE {
            unlooked = 0;
            if is_over() {
                return None;
            }
        }
        let best =
            |prizes: &[i64]| best_end(&vertices.iter().map(|&vertex| prizes[vertex as usize]).collect::<Vec<_>>());
        if let (Some(alpha), Some(beta)) = (best(first), best(last)) {
            components.push((vertices.len() as i64 - 1 + alpha + beta, vertices));
        }
    }
    components.sort_by_key(|(most, vertices)| (std::cmp::Reverse(*most), vertices[0]));
    Some(components)
}

/// The component of a vertex, or `None` if `is_over` says so.
fn reach(graph: &CsrGraph, start: u32, reached: &mut FixedBitSet, is_over: IsOver<'_>) -> Option<Vec<u32>> {
    const VERTICES_BETWEEN_LOOKS: usize = 1 << 15;
    reached.insert(start as usize);
    let mut vertices = vec![start];
    let mut next = 0;
    while let Some(&vertex) = vertices.get(next) {
        next += 1;
        if next.is_multiple_of(VERTICES_BETWEEN_LOOKS) && is_over() {
            return None;
        }
        for arc in graph.out_arcs(vertex) {
            if !reached.put(arc.target as usize) {
                vertices.push(arc.target);
            }
        }
    }
    Some(vertices)
}
