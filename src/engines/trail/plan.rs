//! The order in which a sweep meets vertices and bundles.

use fixedbitset::FixedBitSet;

use super::core::Core;
use crate::decompose::{Effort, VertexOrder};
use crate::instance::Budget;
use crate::scan::{Event, events};
use crate::view::{CsrGraph, Edge};

/// All events of a core in order.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) events: Vec<Event>,
    /// What can be earned at most from each event on.
    pub(super) rest: Vec<i64>,
}

/// No more slots than this fit a state.
pub(super) const MOST_SLOTS: usize = 20;

/// Up to so many vertices that all others hang on, these make a good frontier without any search for another.
const FEW: usize = 4;

impl Plan {
    /// A plan along a good vertex order; `None` if that is too wide for a sweep to be worth it.
    pub(super) fn of(core: &Core, budget: &Budget) -> Option<Plan> {
        let vertices = match few_on_a_side(core) {
            Some(order) => order,
            None => {
                let bundles = core.bundles.iter();
                let edges = bundles.map(|bundle| Edge { source: bundle.ends[0], target: bundle.ends[1], weight: 1 });
                let graph = CsrGraph::from_simple(core.vertex_count(), false, edges.collect());
                let effort = Effort {
                    work: core.bundles.len() as u64 * ORDER_WORK_PER_BUNDLE,
                    work_per_state: ORDER_WORK_PER_STATE,
                    deadline: budget.deadline,
                    interrupt: budget.interrupt.clone(),
                    threads: budget.threads,
                    ..Effort::default()
                }
                .within(budget.memory);
                let order = VertexOrder::find(&graph, &effort, budget.seed);
                if order.width() > WIDEST {
                    return None;
                }
                order.into_vertices()
            }
        };
        Self::along(core, &vertices)
    }

    pub(super) fn along(core: &Core, order: &[u32]) -> Option<Plan> {
        let arcs = |vertex: u32| core.arcs(vertex).iter().copied();
        let ends = |bundle: u32| core.bundles[bundle as usize].ends;
        let events = events(core.vertex_count(), order, MOST_SLOTS as u8, arcs, ends)?;
        let mut rest = vec![0i64; events.len() + 1];
        for (at, event) in events.iter().enumerate().rev() {
            let gain = match *event {
                Event::Enter { vertex, .. } => core.gains[vertex as usize],
                Event::Cross { edge: bundle, .. } => i64::from(core.bundles[bundle as usize].count),
                Event::Leave { .. } => 0,
            };
            rest[at] = rest[at + 1] + gain;
        }
        Some(Plan { events, rest })
    }
}

/// Vertices held from one to the next; with more, branch and cut is quicker.
const WIDEST: usize = 9;

/// In neighbours looked at, for each bundle at most and for each state predicted.
const ORDER_WORK_PER_BUNDLE: u64 = 1_000;
const ORDER_WORK_PER_STATE: f64 = 20.0;

/// An order that begins with a few vertices that meet all bundles, if the greatest degrees show such.
fn few_on_a_side(core: &Core) -> Option<Vec<u32>> {
    let n = core.vertex_count() as u32;
    let mut by_degree: Vec<u32> = (0..n).collect();
    by_degree.sort_by_key(|&vertex| std::cmp::Reverse(core.arcs(vertex).len()));
    let few = FEW.min(n as usize);
    let mut first = FixedBitSet::with_capacity(n as usize);
    by_degree[..few].iter().for_each(|&vertex| first.insert(vertex as usize));
    let met = core.bundles.iter().all(|bundle| bundle.ends.iter().any(|&end| first[end as usize]));
    met.then_some(by_degree)
}
