//! Graphs of petgraph as what is explored.

use std::hash::Hash;

use petgraph::visit::{GraphBase, IntoNeighbors};

use super::{Exploration, Listing, Successors};

/// A breadth-first search of a graph from these nodes: states are its nodes, successors their neighbours.
///
/// # Example
/// ```
/// use longhaul::explore::from_graph;
/// use petgraph::graph::UnGraph;
///
/// let path = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3)]);
/// let explored = from_graph(&path, [1.into()]).run();
/// assert_eq!(explored.states_by_depth(), [1, 2, 1]);
/// ```
pub fn from_graph<'a, G>(
    graph: G,
    first: impl IntoIterator<Item = G::NodeId>,
) -> Exploration<'a, G::NodeId, impl Listing<G::NodeId>>
where
    G: IntoNeighbors + Sync,
    <G as GraphBase>::NodeId: Eq + Hash + Send + Sync,
{
    Exploration::from_values(first, move |&node: &G::NodeId, found: &mut Successors<'_, G::NodeId>| {
        graph.neighbors(node).for_each(|neighbour| found.push(&neighbour));
    })
}
