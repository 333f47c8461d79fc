//! Observation 1 of Demaine et al. (*UNO is hard, even for a single player*, 2014), both ways: a graph is the graph of matches of a deck if and only if it is the line graph of a
//! bipartite multigraph. Given one, its cards are recovered; given another graph, a few nodes show why there are none.
//!
//! Source: Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno, *UNO is hard, even
//! for a single player*, Theoretical Computer Science 521, 2014, DOI 10.1016/j.tcs.2013.11.023, where it is stated for decks
//! without the same card twice. Copies of a card are closed twins, and closed twins may always be taken for copies.
//!
//! *The reason why not.* If there is no root at all, an [`Obstruction`] shows it. Otherwise the root of the graph without its
//! twins has an odd cycle, and every root has one (see [`Root::sides`]). Its edges, five or more, are nodes that induce an odd
//! cycle: edges of a cycle share an end only where they follow each other. No deck makes that, since colours and numbers would
//! have to take turns around it. If they are three, of the triangle's vertices at least two have another edge, or two of the
//! three nodes would be twins; these two edges and the three make five nodes that are a path or a cycle of four, and one node
//! adjacent to all: their root has a triangle, and is the only one.

use std::collections::BTreeMap;

use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use super::card::Card;
use crate::line_graph::{Obstruction, Root, recognise};
use crate::view::InputGraph;

/// Why a graph is the graph of matches of no deck: a few nodes whose own subgraph is none.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotUno1<NodeId> {
    /// It is not even the line graph of a multigraph.
    NoLineGraph(Obstruction<NodeId>),
    /// These nodes, an odd number from five on, form a cycle in this order, and no two others of them are adjacent.
    OddHole(Vec<NodeId>),
    /// These five nodes: the first is adjacent to all others, which form a path or a cycle in this order.
    Triangle([NodeId; 5]),
}

impl<NodeId: Copy + PartialEq> NotUno1<NodeId> {
    /// Checks in `graph` that the nodes are as they are said to be. Uses nothing of what found them.
    ///
    /// # Complexity
    /// `O(n + m)` for few nodes, quadratic in their number for a hole.
    pub fn check<G: InputGraph<NodeId = NodeId>>(&self, graph: G) -> bool {
        let all_adjacent_as = |nodes: &[NodeId], expected: &dyn Fn(usize, usize) -> Option<bool>| {
            let place = |node| nodes.iter().position(|&other| other == node);
            let mut adjacent = BTreeMap::new();
            for edge in graph.edge_references() {
                if let (Some(one), Some(two)) = (place(edge.source()), place(edge.target())) {
                    adjacent.insert((one.min(two), one.max(two)), true);
                }
            }
            let is_adjacent = |pair: (usize, usize)| adjacent.contains_key(&pair);
            (0..nodes.len()).all(|two| {
                (0..two).all(|one| {
                    let fits = expected(one, two).is_none_or(|expected| is_adjacent((one, two)) == expected);
                    fits && nodes[one] != nodes[two]
                })
            })
        };
        match self {
            NotUno1::NoLineGraph(obstruction) => obstruction.check(graph),
            NotUno1::OddHole(nodes) => {
                let last = nodes.len().saturating_sub(1);
                let follow = |one: usize, two: usize| Some(two == one + 1 || (one, two) == (0, last));
                nodes.len() >= 5 && nodes.len() % 2 == 1 && all_adjacent_as(nodes, &follow)
            }
            NotUno1::Triangle(nodes) => all_adjacent_as(nodes, &|one, two| match (one, two) {
                (0, _) => Some(true),
                // A path, or a cycle.
                (1, 4) => None,
                _ => Some(two == one + 1),
            }),
        }
    }
}

/// The cards whose graph of matches this is, one for each node in the order of `node_identifiers`: two nodes are adjacent if and
/// only if their cards match. Directions, parallel edges and self-loops of `graph` are ignored.
///
/// # Errors
/// The reason why there are no such cards.
///
/// # Complexity
/// Expected `O(n + m)`, with a factor `log n` for the reason why not.
///
/// # Example
/// ```
/// use longhaul::adapters::uno::{NotUno1, is_uno1};
/// use petgraph::graph::UnGraph;
///
/// let path = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2)]);
/// let cards = is_uno1(&path).expect("three cards match so");
/// assert!(cards[0].matches(cards[1]) && cards[1].matches(cards[2]) && !cards[0].matches(cards[2]));
///
/// let pentagon = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
/// let reason = is_uno1(&pentagon).expect_err("colours and numbers can't take turns around five cards");
/// assert!(matches!(&reason, NotUno1::OddHole(nodes) if nodes.len() == 5));
/// assert!(reason.check(&pentagon));
/// ```
pub fn is_uno1<G: InputGraph>(graph: G) -> Result<Vec<Card>, NotUno1<G::NodeId>> {
    let root = recognise(graph).map_err(NotUno1::NoLineGraph)?;
    let Some(second) = root.sides() else {
        return Err(reason(&root));
    };
    let card = |edge: EdgeIndex| {
        let (one, two) = root.graph().edge_endpoints(edge).expect("an edge of the root");
        let (number, colour) = if second[one.index()] { (two, one) } else { (one, two) };
        Card { number: number.index() as u32, colour: colour.index() as u32 }
    };
    Ok(root.graph().edge_indices().map(card).collect())
}

/// What an odd cycle of the root means for the graph.
fn reason<NodeId: Copy>(root: &Root<NodeId>) -> NotUno1<NodeId> {
    let graph = root.graph();
    let name = |edge: EdgeIndex| *graph.edge_weight(edge).expect("an edge of the root");
    let cycle = root.odd_cycle();
    let &[one, two, three] = cycle.as_slice() else {
        return NotUno1::OddHole(cycle.into_iter().map(name).collect());
    };
    // Another edge at each vertex of the triangle, where there is one that is not parallel to it.
    let ends = |edge| graph.edge_endpoints(edge).expect("an edge of the root");
    let other_at = |node: NodeIndex| {
        let corners = [ends(one), ends(two), ends(three)];
        let is_corner = |other| corners.iter().any(|&(a, b)| a == other || b == other);
        graph.edges(node).find(|edge| !is_corner(edge.target())).map(|edge| edge.id())
    };
    let shared = |one: EdgeIndex, two: EdgeIndex| {
        let ((a, b), (c, d)) = (ends(one), ends(two));
        if a == c || a == d { a } else { b }
    };
    // Two corners with another edge each; the side between them is adjacent to all.
    for [between, left, right] in [[one, two, three], [two, three, one], [three, one, two]] {
        let corners = [shared(between, left), shared(between, right)];
        if let [Some(beside_left), Some(beside_right)] = corners.map(other_at) {
            return NotUno1::Triangle([between, beside_left, left, right, beside_right].map(name));
        }
    }
    unreachable!("without other edges at two corners, two sides of the triangle are twins, and parallel in the root")
}
