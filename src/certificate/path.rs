//! The check of a path.

use std::fmt;

use fixedbitset::FixedBitSet;
use petgraph::visit::EdgeRef;

use crate::view::InputGraph;

/// What kind of path is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim<NodeId> {
    /// The node it begins with, if that was asked for; a node of the cycle if `closed`.
    pub from: Option<NodeId>,
    /// The node it ends with, if that was asked for.
    pub to: Option<NodeId>,
    /// Whether it is a cycle.
    pub closed: bool,
}

impl<NodeId> Claim<NodeId> {
    /// A path between any two nodes.
    pub fn free() -> Self {
        Claim { from: None, to: None, closed: false }
    }
}

/// What is wrong with a claimed path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Flaw {
    /// It has no node.
    Empty,
    /// The node at this position (from 0) is not in the graph.
    UnknownNode(usize),
    /// The nodes at these two positions are the same.
    Repeated(usize, usize),
    /// It does not begin where it should.
    WrongBeginning,
    /// It does not end where it should.
    WrongEnd,
    /// It has `nodes` nodes and `edges` edges, which do not go together.
    WrongEdgeCount {
        /// How many nodes the claimed path has.
        nodes: usize,
        /// How many edges it has.
        edges: usize,
    },
    /// The edge at this position does not lead from the node there to the next (or there is no such edge).
    NoSuchStep(usize),
    /// A cycle of so few nodes would use an edge twice.
    TooShortCycle(usize),
    /// The sum of the weights does not fit 64 bits.
    Overflow,
}

impl fmt::Display for Flaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Empty => write!(formatter, "a path has at least one node, and this has none"),
            Flaw::UnknownNode(at) => write!(formatter, "node number {} of the path is not in the graph", at + 1),
            Flaw::Repeated(one, two) => {
                write!(formatter, "nodes number {} and {} of the path are the same", one + 1, two + 1)
            }
            Flaw::WrongBeginning => write!(formatter, "the path does not begin at the node asked for"),
            Flaw::WrongEnd => write!(formatter, "the path does not end at the node asked for"),
            Flaw::WrongEdgeCount { nodes, edges } => {
                write!(formatter, "{edges} edges do not connect {nodes} nodes in a row")
            }
            Flaw::NoSuchStep(at) => write!(
                formatter,
                "no edge of the graph leads from node number {} of the path to the next, as claimed",
                at + 1
            ),
            Flaw::TooShortCycle(nodes) => write!(formatter, "a cycle can't have only {nodes} nodes here"),
            Flaw::Overflow => write!(formatter, "the weights along the path do not add up within 64 bits"),
        }
    }
}

impl std::error::Error for Flaw {}

/// Checks a path given by its nodes and the edges between them (of a cycle, each node once and the closing edge last) and
/// returns its length.
///
/// # Errors
/// The first flaw found.
///
/// # Panics
/// Where the graph's own `to_index` does for a node it doesn't have: petgraph's `GraphMap` is such a graph.
///
/// # Complexity
/// `O(n + m)`.
///
/// # Example
/// ```
/// use longhaul::certificate::{Claim, Flaw, check_path};
/// use petgraph::graph::UnGraph;
///
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2)]);
/// let nodes = [0.into(), 1.into(), 2.into()];
/// assert_eq!(check_path(&graph, |_| 1, &Claim::free(), &nodes, &[0.into(), 1.into()]), Ok(2));
/// assert_eq!(check_path(&graph, |_| 1, &Claim::free(), &nodes, &[1.into(), 0.into()]), Err(Flaw::NoSuchStep(0)));
/// ```
pub fn check_path<G: InputGraph>(
    graph: G,
    weight: impl Fn(G::EdgeRef) -> i64,
    claim: &Claim<G::NodeId>,
    nodes: &[G::NodeId],
    edges: &[G::EdgeId],
) -> Result<i64, Flaw> {
    let places = Places::new(graph, claim, nodes)?;
    if edges.len() != places.steps() {
        return Err(Flaw::WrongEdgeCount { nodes: nodes.len(), edges: edges.len() });
    }
    let mut weights = vec![None; edges.len()];
    for edge in graph.edge_references() {
        for step in places.steps_of(graph, edge) {
            if edges[step] == edge.id() {
                weights[step] = Some(weight(edge));
            }
        }
    }
    total(&weights)
}

/// Checks a path given by its nodes alone, each step taken along the heaviest edge there, and returns its length.
///
/// # Errors
/// The first flaw found.
///
/// # Panics
/// As [`check_path`].
///
/// # Complexity
/// `O(n + m)`.
pub fn check_nodes<G: InputGraph>(
    graph: G,
    weight: impl Fn(G::EdgeRef) -> i64,
    claim: &Claim<G::NodeId>,
    nodes: &[G::NodeId],
) -> Result<i64, Flaw> {
    let places = Places::new(graph, claim, nodes)?;
    let mut weights: Vec<Option<i64>> = vec![None; places.steps()];
    for edge in graph.edge_references() {
        for step in places.steps_of(graph, edge) {
            weights[step] = weights[step].max(Some(weight(edge)));
        }
    }
    total(&weights)
}

fn total(weights: &[Option<i64>]) -> Result<i64, Flaw> {
    weights.iter().enumerate().try_fold(0i64, |sum, (step, weight)| {
        sum.checked_add(weight.ok_or(Flaw::NoSuchStep(step))?).ok_or(Flaw::Overflow)
    })
}

/// Where each node of the graph stands on the claimed path.
struct Places {
    /// By the graph's own node index; `usize::MAX` off the path.
    place: Vec<usize>,
    nodes: usize,
    closed: bool,
}

impl Places {
    /// Checks all that concerns the nodes alone.
    fn new<G: InputGraph>(graph: G, claim: &Claim<G::NodeId>, nodes: &[G::NodeId]) -> Result<Self, Flaw> {
        let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else {
            return Err(Flaw::Empty);
        };
        let known: FixedBitSet = graph.node_identifiers().map(|node| graph.to_index(node)).collect();
        let mut place = vec![usize::MAX; graph.node_bound()];
        for (at, &node) in nodes.iter().enumerate() {
            let index = graph.to_index(node);
            if !known.contains(index) {
                return Err(Flaw::UnknownNode(at));
            }
            if place[index] != usize::MAX {
                return Err(Flaw::Repeated(place[index], at));
            }
            place[index] = at;
        }
        let begins_wrong = |from: &G::NodeId| if claim.closed { !nodes.contains(from) } else { from != first };
        if claim.from.as_ref().is_some_and(begins_wrong) {
            return Err(Flaw::WrongBeginning);
        }
        if claim.to.as_ref().is_some_and(|to| to != last) {
            return Err(Flaw::WrongEnd);
        }
        let least = if graph.is_directed() { 2 } else { 3 };
        if claim.closed && nodes.len() < least {
            return Err(Flaw::TooShortCycle(nodes.len()));
        }
        Ok(Places { place, nodes: nodes.len(), closed: claim.closed })
    }

    /// How many edges the path must have.
    fn steps(&self) -> usize {
        if self.closed { self.nodes } else { self.nodes - 1 }
    }

    /// The steps of the path that this edge can serve, by the position of the node they leave.
    fn steps_of<G: InputGraph>(&self, graph: G, edge: G::EdgeRef) -> impl Iterator<Item = usize> {
        let at = |node| self.place[graph.to_index(node)];
        let (source, target) = (at(edge.source()), at(edge.target()));
        let step = |from: usize, to: usize| {
            let on_path = from != usize::MAX && to != usize::MAX;
            let leads_on = on_path && (to == from + 1 || (self.closed && from + 1 == self.nodes && to == 0));
            leads_on.then_some(from)
        };
        let backwards = if graph.is_directed() { None } else { step(target, source) };
        step(source, target).into_iter().chain(backwards)
    }
}
