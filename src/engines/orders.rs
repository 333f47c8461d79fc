//! Vertex orders: how much work each is worth.

use crate::decompose::{self, VertexOrder};
use crate::instance::Budget;
use crate::view::CsrGraph;

/// In neighbours looked at, some two hundred million a second: for each edge at first and at most, and for each state that
/// is predicted. Of those some ten million are made a second, but what is known of the best path spares many of them.
const GLANCE_WORK_PER_EDGE: u64 = 300;
const QUICK_ORDER_WORK_PER_EDGE: u64 = 3_000;
const ORDER_WORK_PER_EDGE: u64 = 1_000_000;
pub(crate) const ORDER_WORK_PER_STATE: f64 = 0.25;

/// So much of it is done in a second.
pub(crate) const WORK_PER_SECOND: f64 = 2e8;

/// What reading the graph for an order takes for each vertex and edge, where it is far larger than the caches.
const NANOSECONDS_TO_READ: u64 = 300;

/// More predicted states than this, and a search tree is the better bet where it fits.
pub(crate) const HOPELESS: f64 = 1e12;

/// Where the first order that comes to mind predicts so many states, no other will be of use.
const BEYOND_HOPE: f64 = HOPELESS * HOPELESS;

/// States are at least so many times as many for each vertex of a frontier.
const STATES_PER_WIDTH: f64 = 2.5;

/// What reading the graph for an order takes, which nothing interrupts.
pub(crate) fn nanoseconds_to_read(graph: &CsrGraph) -> u64 {
    (graph.vertex_count() + graph.edge_count()) as u64 * NANOSECONDS_TO_READ
}

/// Whether that can be done before the deadline.
pub(crate) fn has_time_for_order(graph: &CsrGraph, budget: &Budget) -> bool {
    budget.has_time(nanoseconds_to_read(graph))
}

/// A vertex order worth a few percent of what the sweep along it will take; no more than a quick one where no order
/// will help.
pub(crate) fn order_for(graph: &CsrGraph, budget: &Budget) -> VertexOrder {
    refined(graph, quick_order(graph, budget), budget)
}

/// The same from a quick order.
pub(crate) fn refined(graph: &CsrGraph, quick: VertexOrder, budget: &Budget) -> VertexOrder {
    better_order(graph, quick, ORDER_WORK_PER_STATE, budget)
}

/// An order that is found quickly, and where even that would be of no use the first that comes to mind.
pub(crate) fn quick_order(graph: &CsrGraph, budget: &Budget) -> VertexOrder {
    quick_order_after(order_at_a_glance(graph, budget), graph, budget)
}

/// The same where the first one is known already.
pub(crate) fn quick_order_after(at_a_glance: VertexOrder, graph: &CsrGraph, budget: &Budget) -> VertexOrder {
    if at_a_glance.predicted_states() > BEYOND_HOPE {
        return at_a_glance;
    }
    find_order(graph, QUICK_ORDER_WORK_PER_EDGE, budget)
}

/// A better order than a quick one, where that is worth the search: so much work for each state that is predicted.
pub(crate) fn better_order(graph: &CsrGraph, quick: VertexOrder, work_per_state: f64, budget: &Budget) -> VertexOrder {
    let worth = quick.predicted_states() * work_per_state;
    let done = worth < (graph.edge_count() as u64 * QUICK_ORDER_WORK_PER_EDGE) as f64;
    if done || quick.predicted_states() > BEYOND_HOPE {
        quick
    } else {
        let effort = decompose::Effort { work_per_state, ..effort(graph, ORDER_WORK_PER_EDGE, budget) };
        VertexOrder::found(graph, Some(quick), &effort, budget.seed.wrapping_add(1), &|| budget.threads_now())
    }
}

/// The first order that comes to mind.
pub(crate) fn order_at_a_glance(graph: &CsrGraph, budget: &Budget) -> VertexOrder {
    find_order(graph, GLANCE_WORK_PER_EDGE, budget)
}

/// No more than a greedy one where all are beyond hope.
fn find_order(graph: &CsrGraph, work_per_edge: u64, budget: &Budget) -> VertexOrder {
    let work_per_edge = if is_dense_beyond_hope(graph) { 0 } else { work_per_edge };
    VertexOrder::found(graph, None, &effort(graph, work_per_edge, budget), budget.seed, &|| budget.threads_now())
}

/// With so many edges for each vertex there is a part in which every vertex has at least as many neighbours, so no order has
/// narrower frontiers.
fn is_dense_beyond_hope(graph: &CsrGraph) -> bool {
    let pairs = if graph.is_directed() { graph.edge_count() / 2 } else { graph.edge_count() };
    let width = pairs / graph.vertex_count().max(1);
    STATES_PER_WIDTH.powf(width as f64) > BEYOND_HOPE
}

fn effort(graph: &CsrGraph, work_per_edge: u64, budget: &Budget) -> decompose::Effort {
    decompose::Effort {
        work: graph.edge_count() as u64 * work_per_edge,
        work_per_state: ORDER_WORK_PER_STATE,
        deadline: budget.deadline,
        interrupt: budget.interrupt.clone(),
        ..decompose::Effort::default()
    }
    .within(budget.memory)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Edge;

    #[test]
    fn dense_graphs_are_beyond_hope() {
        let complete = |n: u32, directed: bool| {
            let pairs = (0..n).flat_map(|source| (0..n).map(move |target| (source, target)));
            let pairs = pairs.filter(|(source, target)| source < target || directed && source != target);
            let edges = pairs.map(|(source, target)| Edge { source, target, weight: 1 }).collect();
            CsrGraph::from_simple(n as usize, directed, edges)
        };
        for directed in [false, true] {
            let [narrow, wide] = [100, 150].map(|n| complete(n, directed));
            assert!(!is_dense_beyond_hope(&narrow) && is_dense_beyond_hope(&wide));
            assert!(quick_order(&wide, &Budget::unlimited()).predicted_states() > BEYOND_HOPE);
        }
    }
}
