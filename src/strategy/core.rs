//! A directed instance: what lies outside the core, the large strong components and all between them, is settled first, and
//! becomes end prizes of the core.

use super::forest;
use super::parts::lifted;
use super::scope::{Context, Scope};
use crate::instance::{Ends, Instance, Monitor, Outcome, Run};
use crate::reduce::strong::{Surroundings, between_ends};

/// Solves a directed open instance; only paths worth more than `floor` matter.
pub(super) fn solve(instance: &Instance, floor: i64, context: &Context, run: &mut Run<'_>) -> Outcome {
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
    let orders = run.order_count();
    let mut outcome = forest::solve(&core, floor, context, Scope::Whole { rest: floor }, run);
    run.rename_orders_after(orders, &vertices);
    outcome.best = match outcome.best {
        Some((segment, value)) => Some((around.complete(&lifted(segment, &vertices)), value)),
        None => outside,
    };
    outcome.upper = outcome.upper.max(floor);
    outcome
}
