//! The order in which a sweep meets vertices and bundles.

use petgraph::graph::{NodeIndex, UnGraph};

use super::root::Root;
use crate::decompose::{Effort, VertexOrder};
use crate::limits::Meter;
use crate::scan::{Event, events};
use crate::view::View;

#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) events: Vec<Event>,
}

/// No more slots than this fit a state.
pub(super) const MOST_SLOTS: usize = 18;

/// With so few colours, or numbers, all of these first and then the other side is as good an order as any.
const FEW: usize = 6;

/// The search for an order takes no longer than a small part of what the sweep along it will take.
const WORK_PER_STATE: f64 = 20.0;

impl Plan {
    /// A plan for the needed part of the root; `None` if every order found is too wide.
    pub(super) fn new(root: &Root, meter: &Meter, seed: u64) -> Option<Self> {
        let needed: Vec<u32> = root.needed.ones().map(|vertex| vertex as u32).collect();
        let colours = needed.iter().filter(|&&vertex| root.is_colour[vertex as usize]).count();
        if colours.min(needed.len() - colours) <= FEW {
            let colours_first = colours <= FEW;
            let mut order = needed;
            order.sort_by_key(|&vertex| root.is_colour[vertex as usize] != colours_first);
            return Self::along(root, &order);
        }
        let mut graph = UnGraph::<(), ()>::default();
        let mut node_of = vec![NodeIndex::end(); root.around.len()];
        needed.iter().for_each(|&vertex| node_of[vertex as usize] = graph.add_node(()));
        for bundle in (0..root.bundles.len() as u32).filter(|&bundle| root.is_inner(bundle)) {
            let [one, two] = root.bundles[bundle as usize].ends.map(|end| node_of[end as usize]);
            graph.add_edge(one, two, ());
        }
        let view = View::new(&graph, |_| 1).ok()?;
        let effort = Effort {
            work_per_state: WORK_PER_STATE,
            deadline: meter.deadline,
            interrupt: meter.interrupt.clone(),
            ..Effort::default()
        };
        let order = VertexOrder::find(view.graph(), &effort, seed);
        if order.width() > MOST_SLOTS {
            return None;
        }
        let order: Vec<u32> = order.vertices().iter().map(|&vertex| needed[view.node(vertex).index()]).collect();
        Self::along(root, &order)
    }

    /// The events along an order; `None` if it takes too many slots.
    fn along(root: &Root, order: &[u32]) -> Option<Self> {
        let arcs = |vertex: u32| {
            let inner = root.around[vertex as usize].iter().copied().filter(|&bundle| root.is_inner(bundle));
            inner.map(move |bundle| (root.other_end(bundle, vertex), bundle))
        };
        let ends = |bundle: u32| root.bundles[bundle as usize].ends;
        let events = events(root.around.len(), order, MOST_SLOTS as u8, arcs, ends)?;
        Some(Plan { events })
    }
}
