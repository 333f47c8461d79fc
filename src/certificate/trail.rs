//! The check of a trail.

use fixedbitset::FixedBitSet;
use petgraph::visit::EdgeRef;

use super::path::{Claim, Flaw};
use crate::view::InputGraph;

/// Checks a trail given by its nodes in order and the edges between them (of a closed one the closing edge last, to the first
/// node) and returns its length. No edge may be there twice; nodes may. A closed trail has an edge or more.
///
/// # Errors
/// The first flaw found; [`Flaw::Repeated`] tells of edges here.
///
/// # Complexity
/// `O(n + m)`, and for each edge of the graph a search among those of the trail at the same place.
///
/// # Example
/// ```
/// use longhaul::certificate::{Claim, check_trail};
/// use petgraph::graph::UnGraph;
///
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 0), (0, 3)]);
/// let nodes = [0, 1, 2, 0, 3].map(Into::into);
/// let edges = [0, 1, 2, 3].map(Into::into);
/// assert_eq!(check_trail(&graph, |_| 1, &Claim::free(), &nodes, &edges), Ok(4));
/// ```
pub fn check_trail<G: InputGraph>(
    graph: G,
    weight: impl Fn(G::EdgeRef) -> i64,
    claim: &Claim<G::NodeId>,
    nodes: &[G::NodeId],
    edges: &[G::EdgeId],
) -> Result<i64, Flaw> {
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else {
        return Err(Flaw::Empty);
    };
    let known: FixedBitSet = graph.node_identifiers().map(|node| graph.to_index(node)).collect();
    if let Some(at) = nodes.iter().position(|&node| !known.contains(graph.to_index(node))) {
        return Err(Flaw::UnknownNode(at));
    }
    let begins_wrong = |from: &G::NodeId| if claim.closed { !nodes.contains(from) } else { from != first };
    if claim.from.as_ref().is_some_and(begins_wrong) {
        return Err(Flaw::WrongBeginning);
    }
    if claim.to.as_ref().is_some_and(|to| to != last) {
        return Err(Flaw::WrongEnd);
    }
    if edges.len() + usize::from(!claim.closed) != nodes.len() {
        return Err(Flaw::WrongEdgeCount { nodes: nodes.len(), edges: edges.len() });
    }

    // Steps by the smaller of their ends, so that an edge of the graph finds those it may be.
    let step = |at: usize| (graph.to_index(nodes[at]), graph.to_index(nodes[(at + 1) % nodes.len()]));
    let key = |(a, b): (usize, usize)| if graph.is_directed() { (a, b) } else { (a.min(b), a.max(b)) };
    let mut steps: Vec<((usize, usize), usize)> = (0..edges.len()).map(|at| (key(step(at)), at)).collect();
    steps.sort_unstable();
    let mut taken = vec![None; edges.len()];
    for edge in graph.edge_references() {
        let pair = key((graph.to_index(edge.source()), graph.to_index(edge.target())));
        let begin = steps.partition_point(|&(other, _)| other < pair);
        let mut place = None;
        for &(_, at) in steps[begin..].iter().take_while(|&&(other, _)| other == pair) {
            if edges[at] == edge.id() {
                if let Some(before) = place.replace(at) {
                    return Err(Flaw::Repeated(before, at));
                }
                taken[at] = Some(weight(edge));
            }
        }
    }
    taken
        .iter()
        .enumerate()
        .try_fold(0i64, |sum, (at, weight)| sum.checked_add(weight.ok_or(Flaw::NoSuchStep(at))?).ok_or(Flaw::Overflow))
}
