//! The check of what was demanded of a path beside its ends.

use std::fmt;

use petgraph::visit::EdgeRef;

use crate::view::InputGraph;

/// What is demanded of a path beside its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demands<NodeId, EdgeId> {
    /// Nodes that it visits.
    pub visit: Vec<NodeId>,
    /// Nodes that it does not visit.
    pub avoid: Vec<NodeId>,
    /// Edges that it uses.
    pub use_edges: Vec<EdgeId>,
    /// Pairs of nodes that it goes between directly, by whichever edge: from the first to the second, or where the graph has no
    /// direction the other way round.
    pub use_steps: Vec<[NodeId; 2]>,
    /// Edges that it does not use.
    pub avoid_edges: Vec<EdgeId>,
    /// It has at least so many edges.
    pub at_least: Option<usize>,
    /// It has at most so many edges.
    pub at_most: Option<usize>,
    /// No edge of the graph joins two of its nodes but those along it (self-loops and edges parallel to those aside).
    pub induced: bool,
}

impl<NodeId, EdgeId> Demands<NodeId, EdgeId> {
    /// Nothing.
    pub fn none() -> Self {
        Demands {
            visit: Vec::new(),
            avoid: Vec::new(),
            use_edges: Vec::new(),
            use_steps: Vec::new(),
            avoid_edges: Vec::new(),
            at_least: None,
            at_most: None,
            induced: false,
        }
    }

    /// Whether nothing is demanded.
    pub fn is_none(&self) -> bool {
        let lists = self.visit.is_empty() && self.avoid.is_empty();
        let edges = self.use_edges.is_empty() && self.use_steps.is_empty() && self.avoid_edges.is_empty();
        lists && edges && self.at_least.is_none() && self.at_most.is_none() && !self.induced
    }
}

/// Which demand a path does not meet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DemandFlaw {
    /// It misses the node at this position (from 0) of those it had to visit.
    MissedNode(usize),
    /// It visits the node at this position of those it had to avoid.
    ForbiddenNode(usize),
    /// It misses the edge at this position of those it had to use.
    MissedEdge(usize),
    /// It does not go between the pair of nodes at this position of those it had to go between directly.
    MissedStep(usize),
    /// It uses the edge at this position of those it had to avoid.
    ForbiddenEdge(usize),
    /// It has only so many edges.
    TooFewEdges(usize),
    /// It has so many edges.
    TooManyEdges(usize),
    /// An edge that it does not use joins the nodes at these two positions.
    Chord(usize, usize),
}

impl fmt::Display for DemandFlaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DemandFlaw::MissedNode(at) => write!(formatter, "the path misses node number {} of those to visit", at + 1),
            DemandFlaw::ForbiddenNode(at) => {
                write!(formatter, "the path visits node number {} of those to avoid", at + 1)
            }
            DemandFlaw::MissedEdge(at) => write!(formatter, "the path misses edge number {} of those to use", at + 1),
            DemandFlaw::MissedStep(at) => {
                write!(
                    formatter,
                    "the path uses no edge between the nodes of pair number {} of those to go between",
                    at + 1
                )
            }
            DemandFlaw::ForbiddenEdge(at) => {
                write!(formatter, "the path uses edge number {} of those to avoid", at + 1)
            }
            DemandFlaw::TooFewEdges(edges) => write!(formatter, "the path has only {edges} edges"),
            DemandFlaw::TooManyEdges(edges) => write!(formatter, "the path has {edges} edges, too many"),
            DemandFlaw::Chord(one, two) => {
                write!(formatter, "an edge beside the path joins its nodes number {} and {}", one + 1, two + 1)
            }
        }
    }
}

impl std::error::Error for DemandFlaw {}

/// Checks that a path, known to be one, meets the demands.
///
/// # Errors
/// The first demand that it does not meet.
///
/// # Complexity
/// `O(m)` for induced paths, else the length of the path times that of the lists.
///
/// # Example
/// ```
/// use longhaul::certificate::{DemandFlaw, Demands, check_demands};
/// use petgraph::graph::UnGraph;
///
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (0, 2)]);
/// let (nodes, edges) = ([0, 1, 2].map(Into::into), [0, 1].map(Into::into));
/// let demands = Demands { visit: vec![2.into()], ..Demands::none() };
/// assert_eq!(check_demands(&graph, &demands, &nodes, &edges), Ok(()));
/// let demands = Demands { induced: true, ..Demands::none() };
/// assert_eq!(check_demands(&graph, &demands, &nodes, &edges), Err(DemandFlaw::Chord(0, 2)));
/// ```
pub fn check_demands<G: InputGraph>(
    graph: G,
    demands: &Demands<G::NodeId, G::EdgeId>,
    nodes: &[G::NodeId],
    edges: &[G::EdgeId],
) -> Result<(), DemandFlaw> {
    if let Some(at) = demands.visit.iter().position(|node| !nodes.contains(node)) {
        return Err(DemandFlaw::MissedNode(at));
    }
    if let Some(at) = demands.avoid.iter().position(|node| nodes.contains(node)) {
        return Err(DemandFlaw::ForbiddenNode(at));
    }
    if let Some(at) = demands.use_edges.iter().position(|edge| !edges.contains(edge)) {
        return Err(DemandFlaw::MissedEdge(at));
    }
    let closing = if edges.len() == nodes.len() { nodes.first() } else { None };
    let goes = |&[one, two]: &[G::NodeId; 2]| {
        let steps = nodes.iter().zip(nodes.iter().skip(1).chain(closing));
        let directed = graph.is_directed();
        steps.into_iter().any(|(from, to)| (*from, *to) == (one, two) || (!directed && (*to, *from) == (one, two)))
    };
    if let Some(at) = demands.use_steps.iter().position(|pair| !goes(pair)) {
        return Err(DemandFlaw::MissedStep(at));
    }
    if let Some(at) = demands.avoid_edges.iter().position(|edge| edges.contains(edge)) {
        return Err(DemandFlaw::ForbiddenEdge(at));
    }
    if demands.at_least.is_some_and(|least| edges.len() < least) {
        return Err(DemandFlaw::TooFewEdges(edges.len()));
    }
    if demands.at_most.is_some_and(|most| edges.len() > most) {
        return Err(DemandFlaw::TooManyEdges(edges.len()));
    }
    if demands.induced { check_induced(graph, demands, nodes, edges) } else { Ok(()) }
}

fn check_induced<G: InputGraph>(
    graph: G,
    demands: &Demands<G::NodeId, G::EdgeId>,
    nodes: &[G::NodeId],
    edges: &[G::EdgeId],
) -> Result<(), DemandFlaw> {
    let mut place = vec![usize::MAX; graph.node_bound()];
    nodes.iter().enumerate().for_each(|(at, &node)| place[graph.to_index(node)] = at);
    let closed = edges.len() == nodes.len();
    for edge in graph.edge_references() {
        let (one, two) = (place[graph.to_index(edge.source())], place[graph.to_index(edge.target())]);
        if one == usize::MAX || two == usize::MAX || one == two || demands.avoid_edges.contains(&edge.id()) {
            continue;
        }
        let follows = |one: usize, two: usize| one + 1 == two || (closed && one + 1 == nodes.len() && two == 0);
        let along = follows(one, two) || (!graph.is_directed() && follows(two, one));
        if !along {
            return Err(DemandFlaw::Chord(one.min(two), one.max(two)));
        }
    }
    Ok(())
}
