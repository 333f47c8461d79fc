//! The checks of a clique and of a bound on all cliques.

use std::fmt;

use fixedbitset::FixedBitSet;
use petgraph::visit::EdgeRef;

use crate::view::InputGraph;

/// A proof that no clique weighs more than some bound: classes of nodes that are pairwise not adjacent, each with a weight. A
/// clique has one node of each class at most; so where every node weighs no more than all its classes together, a clique
/// weighs no more than all classes together. Without weights the classes are those of a colouring and cost 1 each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CliqueColouring<NodeId> {
    /// The classes, each with its weight.
    pub classes: Vec<(Vec<NodeId>, i64)>,
}

/// What is wrong with a claimed clique or colouring.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CliqueFlaw {
    /// It has no node.
    Empty,
    /// The node at this position (from 0; in all classes together for a colouring) is not in the graph.
    UnknownNode(usize),
    /// The nodes at these two positions are the same.
    Repeated(usize, usize),
    /// The nodes at these two positions of the clique are not adjacent.
    NotAdjacent(usize, usize),
    /// Two nodes of this class are adjacent.
    AdjacentInClass(usize),
    /// This class has a negative weight.
    NegativeClass(usize),
    /// A node weighs more than its classes together.
    Uncovered,
    /// The weights do not add up within 64 bits.
    Overflow,
}

impl fmt::Display for CliqueFlaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliqueFlaw::Empty => write!(formatter, "a clique has at least one node, and this has none"),
            CliqueFlaw::UnknownNode(at) => write!(formatter, "node number {} is not in the graph", at + 1),
            CliqueFlaw::Repeated(one, two) => {
                write!(formatter, "nodes number {} and {} are the same", one + 1, two + 1)
            }
            CliqueFlaw::NotAdjacent(one, two) => {
                write!(formatter, "nodes number {} and {} of the clique are not adjacent", one + 1, two + 1)
            }
            CliqueFlaw::AdjacentInClass(class) => {
                write!(formatter, "two nodes of class number {} are adjacent", class + 1)
            }
            CliqueFlaw::NegativeClass(class) => write!(formatter, "class number {} has a negative weight", class + 1),
            CliqueFlaw::Uncovered => write!(formatter, "a node weighs more than its classes together"),
            CliqueFlaw::Overflow => write!(formatter, "the weights do not add up within 64 bits"),
        }
    }
}

impl std::error::Error for CliqueFlaw {}

/// Position of a node that is not there.
const NOWHERE: usize = usize::MAX;

/// The position of every node of the graph among `nodes`, by the graph's own index.
fn positions<G: InputGraph>(graph: G, nodes: &[G::NodeId]) -> Result<Vec<usize>, CliqueFlaw> {
    let known: FixedBitSet = graph.node_identifiers().map(|node| graph.to_index(node)).collect();
    let mut position = vec![NOWHERE; graph.node_bound()];
    for (at, &node) in nodes.iter().enumerate() {
        let index = graph.to_index(node);
        if !known.contains(index) {
            return Err(CliqueFlaw::UnknownNode(at));
        }
        if position[index] != NOWHERE {
            return Err(CliqueFlaw::Repeated(position[index], at));
        }
        position[index] = at;
    }
    Ok(position)
}

/// Checks that any two of these nodes are adjacent, in either direction, and returns the sum of their weights. `O(n + m + k²)`
/// for k nodes.
///
/// # Errors
/// The first flaw found.
///
/// # Example
/// ```
/// use longhaul::certificate::{CliqueFlaw, check_clique};
/// use petgraph::graph::UnGraph;
///
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 0), (2, 3)]);
/// let nodes = [0, 1, 2, 3].map(Into::into);
/// assert_eq!(check_clique(&graph, |_| 1, &nodes[..3]), Ok(3));
/// assert_eq!(check_clique(&graph, |_| 1, &nodes), Err(CliqueFlaw::NotAdjacent(0, 3)));
/// ```
pub fn check_clique<G: InputGraph>(
    graph: G,
    weight: impl Fn(G::NodeId) -> i64,
    nodes: &[G::NodeId],
) -> Result<i64, CliqueFlaw> {
    if nodes.is_empty() {
        return Err(CliqueFlaw::Empty);
    }
    let position = positions(graph, nodes)?;
    let size = nodes.len();
    let mut adjacent = FixedBitSet::with_capacity(size * size);
    for edge in graph.edge_references() {
        let (one, other) = (position[graph.to_index(edge.source())], position[graph.to_index(edge.target())]);
        if one != NOWHERE && other != NOWHERE {
            adjacent.insert(one * size + other);
            adjacent.insert(other * size + one);
        }
    }
    for one in 0..size {
        if let Some(other) = (one + 1..size).find(|other| !adjacent[one * size + other]) {
            return Err(CliqueFlaw::NotAdjacent(one, other));
        }
    }
    let total: Option<i64> = nodes.iter().try_fold(0i64, |sum, &node| sum.checked_add(weight(node)));
    total.ok_or(CliqueFlaw::Overflow)
}

/// Checks a colouring and returns the bound that it proves for the weight of every clique. Nodes of weight 0 or less need no
/// class. `O(n + Σ degrees)` over the nodes of all classes.
///
/// # Errors
/// The first flaw found.
///
/// # Example
/// ```
/// use longhaul::certificate::{CliqueColouring, check_colouring};
/// use petgraph::graph::UnGraph;
///
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2)]);
/// let classes = vec![(vec![0.into(), 2.into()], 1), (vec![1.into()], 1)];
/// assert_eq!(check_colouring(&graph, |_| 1, &CliqueColouring { classes }), Ok(2));
/// ```
pub fn check_colouring<G: InputGraph>(
    graph: G,
    weight: impl Fn(G::NodeId) -> i64,
    colouring: &CliqueColouring<G::NodeId>,
) -> Result<i64, CliqueFlaw> {
    let bound = graph.node_bound();
    // Per node: the classes it is in. Most are in one.
    let mut classes_of: Vec<Vec<u32>> = vec![Vec::new(); bound];
    let mut total = 0i64;
    let mut seen = 0;
    for (class, (members, cost)) in colouring.classes.iter().enumerate() {
        if *cost < 0 {
            return Err(CliqueFlaw::NegativeClass(class));
        }
        total = total.checked_add(*cost).ok_or(CliqueFlaw::Overflow)?;
        for &node in members {
            let of = classes_of.get_mut(graph.to_index(node)).ok_or(CliqueFlaw::UnknownNode(seen))?;
            if of.last() != Some(&(class as u32)) {
                of.push(class as u32);
            }
            seen += 1;
        }
    }
    for edge in graph.edge_references() {
        let (source, target) = (graph.to_index(edge.source()), graph.to_index(edge.target()));
        if source != target
            && let Some(&class) = classes_of[source].iter().find(|class| classes_of[target].contains(class))
        {
            return Err(CliqueFlaw::AdjacentInClass(class as usize));
        }
    }
    for node in graph.node_identifiers() {
        let covered: i128 =
            classes_of[graph.to_index(node)].iter().map(|&class| i128::from(colouring.classes[class as usize].1)).sum();
        if i128::from(weight(node)) > covered {
            return Err(CliqueFlaw::Uncovered);
        }
    }
    Ok(total)
}
