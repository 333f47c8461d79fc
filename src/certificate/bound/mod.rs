//! The check of an upper bound: a [`Witness`] from which a reader can see that no path is longer.
//!
//! # The argument
//! *Shares.* Book the weight of every edge at its two ends, a share at each. A path uses two edges at each of its inner
//! vertices, so it earns there at most the two greatest shares booked there (where the graph is directed, the greatest of
//! an edge in and the greatest of an edge out to another vertex): the *worth* of the vertex, or 0 if that is negative. At
//! an end of the path the outside world takes the place of an edge. It may claim a share too, `beginning` or `end`, which
//! is what the path earns outside, whichever vertex it ends at; the end vertex is booked the negative of it. So *a path
//! is worth at most what the outside claims plus the worth of the vertices it visits*. With unit weights and a half
//! everywhere that says: a path has fewer edges than vertices. Shares are multipliers of a Lagrangian relaxation; any
//! shares prove something true, and the best ones prove the linear relaxation of the (simple) 2-matching, slightly
//! strengthened: an edge is used no more than a vertex it ends at.
//!
//! *Borders.* Draw a border round a set of vertices, and pick a vertex in it. A path that visits that vertex crosses the
//! border at least twice, if beginning and ending inside count as crossing it: it comes in and it goes out. So let every
//! crossing pay the path a multiplier, and the vertex take two multipliers from a path that visits it: no path becomes worth less. But
//! a bound that counts cycles which never leave the set becomes worse for it. These are the generalised subtour
//! inequalities of M. Fischetti, J. J. Salazar González and P. Toth (A branch-and-cut algorithm for the symmetric generalized
//! traveling salesman problem, *Operations Research* 45, 1997, doi:10.1287/opre.45.3.378), with their multipliers.
//!
//! *Blossoms.* A path also crosses every border an even number of times. So of an odd number of edges across it, the teeth,
//! one is left out, or another edge across is used: let the teeth pay, the others be paid, and all paths be paid in
//! advance for all teeth but one. These are the 2-matching inequalities of J. Edmonds (Maximum matching and a polyhedron
//! with 0,1-vertices, *J. Res. Nat. Bur. Standards* 69B, 1965, doi:10.6028/jres.069B.013), with their multipliers.
//!
//! *Removal.* Let `v` be a vertex of a connected graph, and `d₁ ≥ d₂ ≥ …` numbers such that `k` disjoint paths that avoid
//! `v` are worth at most `d₁ + … + d_k`, for every `k`. Of `k` disjoint paths at most one visits `v`, and falls into two
//! when `v` is removed. So they are worth at most what `k + 1` paths that avoid `v` are, and the worth of `v`: the numbers
//! `worth(v) + d₁ + d₂, d₃, d₄, …` will do with `v` allowed. If only one edge leads from `v` into the rest, then a path
//! falls into no more than one by losing `v`, and `worth(v) + d₁, d₂, …` will do. The numbers of a graph in several
//! components are those of the components, merged. So: remove vertices in some order; give each component of what
//! remains the single number *sum of its worths*; put the vertices back in the opposite order, each gluing the two
//! greatest numbers of the components that it joins. The greatest number at the end bounds the path. With a set S removed
//! from a graph of unit weights and components C₁, C₂, … left, that is: a path visits at most |S| + 1 of the components
//! (V. Chvátal, Tough graphs and Hamiltonian circuits, *Discrete Mathematics* 5, 1973, doi:10.1016/0012-365X(73)90138-6;
//! H. A. Jung's scattering number, *J. Combin. Theory B* 24, 1978). A full order applies it to the components
//! again, and so on down.
//!
//! *Ends.* A path from `s` to a free end is a path that also visits an extra vertex adjacent to `s` alone. A path from `s`
//! to `t` is a cycle through two extra vertices in a row, adjacent to `s` and `t`. A cycle through `v` that loses `v`
//! is one path in one component of the rest, to which two edges lead from `v` (one each way, where the graph is
//! directed); so it is worth at most `worth(v)` and the greatest number of such a component. A cycle that avoids `v`
//! lies in one component of the rest. What
//! must be visited is worth so much that nothing else counts beside it; if it is missing at the end there is no such path.
//!
//! What holds for a graph that falls into parts at single vertices is argued in `blocks.rs`.

mod blocks;
mod network;
mod removal;
#[cfg(test)]
mod tests;
mod top_two;

use std::fmt;

use fixedbitset::FixedBitSet;
use petgraph::visit::EdgeRef;

pub(crate) use network::{HalfEdges, Network, Rule};
pub(crate) use removal::most;

use super::Claim;
use crate::view::InputGraph;

/// Why no path is longer than some bound: data from which [`check_bound`] recomputes the bound.
///
/// Whatever the data say, the bound that comes out is true, if perhaps a poor one: a witness can be useless but not wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Witness<NodeId> {
    /// A path falls apart where it loses a node.
    Removal(Removal<NodeId>),
    /// A path passes only once through a node that holds two parts of the graph together. The parts hang from each
    /// other as the blocks of a graph do in its block-cut tree, those below before those they hang from.
    Blocks(Vec<Part<NodeId>>),
}

/// Nodes to remove, so that a path falls apart; see the numbers `d₁, d₂, …` below.
///
/// Every node has a *worth*, in units of `1 / shares.scale`: what a path can earn there, by the shares of the two edges
/// it uses. Remove `nodes` in their order. Each component that remains has one number, the sum of its worths. Put the
/// nodes back in the opposite order. A node merges the numbers `d₁ ≥ d₂ ≥ …` of the components it is adjacent to into
/// those of one component, `worth + d₁ + d₂, d₃, …`. The greatest number at the end, with what the shares say of the two
/// ends, is the bound. (Borders change the weights and worths before all this; see [`SubtourCut`].)
///
/// No nodes: all that one component is worth. The nodes of a set: a scattering set (a path visits at most one more
/// component than the set has nodes). One side of a bipartite graph: its imbalance. All nodes in an order: scattering
/// sets inside the components of scattering sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal<NodeId> {
    /// The nodes to remove, in this order; any number, all different.
    pub nodes: Vec<NodeId>,
    /// How the weight of each edge is shared between its ends.
    pub shares: Shares<NodeId>,
    /// Sets of nodes that a path can't visit without crossing their border.
    pub subtour_cuts: Vec<SubtourCut<NodeId>>,
    /// Sets of nodes whose border a path can't cross an odd number of times.
    pub blossoms: Vec<Blossom<NodeId>>,
}

/// A part of a graph that hangs together with the others at single nodes.
///
/// Every edge of the graph must have both its ends in one part. A node may be in many parts, and all of them but one, its
/// *home*, hang from it; or all of them do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<NodeId> {
    /// The nodes of the part, all different. It hangs from the first.
    pub nodes: Vec<NodeId>,
    /// Why a path (a cycle, if the claim is of one) within the part is no longer than some bound, wherever its ends are:
    /// a witness for the part alone. Without, it is booked the heaviest edge at each of its nodes but one.
    pub inside: Option<Removal<NodeId>>,
}

/// How the weight of each edge is shared between the two nodes it joins, in units of `1 / scale`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares<NodeId> {
    /// So many units make a weight of 1. \[range: 1..=2²⁴\]
    pub scale: i64,
    /// What the outside earns where the path begins: whatever node that is, it is booked the negative of it.
    pub beginning: i64,
    /// The same where the path ends.
    pub end: i64,
    /// `(node, other, amount)`: of the weight of an edge between these two (from `node` to `other` where the graph is
    /// directed), `amount` is booked at `node` and the rest at `other`. Where nothing is said, each gets a half.
    pub booked: Vec<(NodeId, NodeId, i64)>,
}

/// A set of nodes whose border pays a multiplier to every path that crosses it.
///
/// Every edge with one end inside weighs `multiplier` more, and so does beginning inside and ending inside; a path that visits
/// `visited` pays two multipliers there. Such a path crosses the border twice at least, so it gets back what it paid.
///
/// That takes something outside: the outside world, or the node that a cycle must visit. Cycles that may be anywhere
/// can't have subtour cuts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubtourCut<NodeId> {
    /// The nodes inside, all different; no node that a cycle must visit.
    pub inside: Vec<NodeId>,
    /// One of them.
    pub visited: NodeId,
    /// The multiplier, in units of `1 / scale`, not negative.
    pub multiplier: i64,
}

/// A set of nodes with an odd number of edges across its border, the *teeth*. Undirected graphs only.
///
/// Every edge with one end inside weighs `multiplier` more, and so does beginning inside and ending inside; but a tooth weighs
/// `multiplier` less, and every path is paid as many multipliers as there are teeth but one. A path crosses the border an even
/// number of times, ends inside counted. So if it uses all teeth it also crosses elsewhere, and gets back what it paid; and
/// if it leaves teeth out it gets it back for those.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blossom<NodeId> {
    /// The nodes inside, all different.
    pub inside: Vec<NodeId>,
    /// The teeth, all different: each joins a node inside to one outside.
    pub teeth: Vec<(NodeId, NodeId)>,
    /// The multiplier, in units of `1 / scale`, not negative.
    pub multiplier: i64,
}

impl<NodeId> Shares<NodeId> {
    /// Half of every edge to each of its ends, as if there were edges of weight 1 to the outside too, one at each end.
    pub fn halves() -> Self {
        Shares { scale: 2, beginning: -1, end: -1, booked: Vec::new() }
    }
}

impl<NodeId> Removal<NodeId> {
    /// These nodes to remove, half shares, no subtour cuts and no blossoms.
    pub fn of(nodes: Vec<NodeId>) -> Self {
        Removal { nodes, shares: Shares::halves(), subtour_cuts: Vec::new(), blossoms: Vec::new() }
    }

    /// The same with every node translated.
    pub fn map<Other>(&self, translate: impl Fn(&NodeId) -> Other) -> Removal<Other> {
        let Removal { nodes, shares, subtour_cuts, blossoms } = self;
        let booked = shares.booked.iter().map(|(node, other, amount)| (translate(node), translate(other), *amount));
        Removal {
            nodes: nodes.iter().map(&translate).collect(),
            shares: Shares {
                scale: shares.scale,
                beginning: shares.beginning,
                end: shares.end,
                booked: booked.collect(),
            },
            subtour_cuts: subtour_cuts
                .iter()
                .map(|subtour_cut| SubtourCut {
                    inside: subtour_cut.inside.iter().map(&translate).collect(),
                    visited: translate(&subtour_cut.visited),
                    multiplier: subtour_cut.multiplier,
                })
                .collect(),
            blossoms: blossoms
                .iter()
                .map(|blossom| Blossom {
                    inside: blossom.inside.iter().map(&translate).collect(),
                    teeth: blossom.teeth.iter().map(|(one, two)| (translate(one), translate(two))).collect(),
                    multiplier: blossom.multiplier,
                })
                .collect(),
        }
    }
}

impl<NodeId> Witness<NodeId> {
    /// The same witness with every node translated.
    pub fn map<Other>(&self, translate: impl Fn(&NodeId) -> Other) -> Witness<Other> {
        match self {
            Witness::Removal(removal) => Witness::Removal(removal.map(translate)),
            Witness::Blocks(parts) => {
                let part = |part: &Part<NodeId>| Part {
                    nodes: part.nodes.iter().map(&translate).collect(),
                    inside: part.inside.as_ref().map(|removal| removal.map(&translate)),
                };
                Witness::Blocks(parts.iter().map(part).collect())
            }
        }
    }
}

/// Why a witness proves nothing: it does not fit the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WitnessFlaw {
    /// The node at this position (from 0) of the nodes to remove is not in the graph.
    UnknownNode(usize),
    /// The nodes at these two positions of those to remove are the same.
    Repeated(usize, usize),
    /// The shares at this position speak of nodes that are not adjacent in the graph (that way, if it is directed).
    NotAnEdge(usize),
    /// The shares at this position and at an earlier one speak of the same nodes.
    BookedTwice(usize),
    /// The border at this position names a node that is unknown, twice inside, or visited but not inside; or its multiplier is
    /// negative; or it has nothing outside, because the claim is of a cycle that need not visit any node outside.
    SubtourCut(usize),
    /// The blossom at this position names a node that is unknown or twice inside, or a tooth that is no edge across the
    /// border or is there twice; or it has an even number of teeth; or its multiplier is negative; or the graph is directed.
    Blossom(usize),
    /// The scale is not in the range 1 to 2²⁴.
    Scale(i64),
    /// The part at this position names a node that is unknown or there twice, or that an earlier part is home to; or it
    /// has no node at all.
    Part(usize),
    /// Two adjacent nodes are in no part together.
    Apart,
    /// The witness inside the part at this position does not fit the part.
    Inside(usize, Box<WitnessFlaw>),
    /// A node that the claim names is not in the graph.
    UnknownEnd,
    /// The bound does not fit 64 bits.
    Overflow,
}

impl fmt::Display for WitnessFlaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WitnessFlaw::UnknownNode(at) => write!(formatter, "node number {} to remove is not in the graph", at + 1),
            WitnessFlaw::Repeated(one, two) => {
                write!(formatter, "nodes number {} and {} to remove are the same", one + 1, two + 1)
            }
            WitnessFlaw::NotAnEdge(at) => {
                write!(formatter, "no edge of the graph is shared by entry number {}", at + 1)
            }
            WitnessFlaw::BookedTwice(at) => write!(formatter, "entry number {} shares an edge once more", at + 1),
            WitnessFlaw::SubtourCut(at) => {
                write!(formatter, "border number {} is not one that paths must cross", at + 1)
            }
            WitnessFlaw::Blossom(at) => {
                write!(formatter, "blossom number {} is not one that paths must cross evenly", at + 1)
            }
            WitnessFlaw::Scale(scale) => write!(formatter, "a scale of {scale} is not in the range 1 to 2^24"),
            WitnessFlaw::Part(at) => {
                write!(formatter, "part number {} names a node unknown, twice, or at home in an earlier part", at + 1)
            }
            WitnessFlaw::Apart => write!(formatter, "an edge joins two nodes that are in no part together"),
            WitnessFlaw::Inside(at, flaw) => write!(formatter, "inside part number {}: {flaw}", at + 1),
            WitnessFlaw::UnknownEnd => write!(formatter, "an end that the claim names is not in the graph"),
            WitnessFlaw::Overflow => write!(formatter, "the bound does not fit 64 bits"),
        }
    }
}

impl std::error::Error for WitnessFlaw {}

/// The upper bound that a witness proves: no path (cycle, if `claim.closed`) of the kind claimed is longer. `None` if it
/// proves that there is none at all.
///
/// # Errors
/// If the witness does not fit the graph. A witness that fits proves *some* true bound.
///
/// # Panics
/// Where the graph's own `to_index` does for a node it doesn't have: petgraph's `GraphMap` is such a graph.
///
/// # Complexity
/// `O(m log m + n log² n)`, and the degrees of the nodes inside each border and each blossom.
///
/// # Example
/// A star of four rays: without its centre four components remain, and a path visits two of them.
/// ```
/// use longhaul::certificate::{Claim, Removal, Witness, check_bound};
/// use petgraph::graph::UnGraph;
///
/// let star = UnGraph::<(), ()>::from_edges([(0, 1), (0, 2), (0, 3), (0, 4)]);
/// let without_centre = Witness::Removal(Removal::of(vec![0.into()]));
/// assert_eq!(check_bound(&star, |_| 1, &Claim::free(), &without_centre), Ok(Some(2)));
/// ```
pub fn check_bound<G: InputGraph>(
    graph: G,
    weight: impl Fn(G::EdgeRef) -> i64,
    claim: &Claim<G::NodeId>,
    witness: &Witness<G::NodeId>,
) -> Result<Option<i64>, WitnessFlaw> {
    let mut is_there = FixedBitSet::with_capacity(graph.node_bound());
    is_there.extend(graph.node_identifiers().map(|node| graph.to_index(node)));
    let vertex = |node: G::NodeId| Some(graph.to_index(node)).filter(|&index| is_there.contains(index));
    let end = |node: Option<G::NodeId>| match node {
        Some(node) => vertex(node).map(Some).ok_or(WitnessFlaw::UnknownEnd),
        None => Ok(None),
    };
    let (from, to) = (end(claim.from)?, end(claim.to)?);
    let witness = witness.map(|&node| vertex(node).unwrap_or(UNKNOWN));
    let ground = Ground { directed: graph.is_directed(), lines: lines(graph, weight), is_there };
    let bound = if !claim.closed && from.is_some() && from == to {
        Some(0)
    } else {
        let claim = Claim { from, to, closed: claim.closed };
        match &witness {
            Witness::Removal(removal) => ground.bound_by_removal(&claim, removal)?,
            Witness::Blocks(parts) => ground.bound_by_parts(&claim, parts)?,
        }
    };
    bound.map(|bound| i64::try_from(bound).map_err(|_| WitnessFlaw::Overflow)).transpose()
}

/// A vertex that is in no graph.
const UNKNOWN: usize = usize::MAX;

/// A graph as the checks see it: its nodes are indices, not all of which need be there.
struct Ground {
    directed: bool,
    is_there: FixedBitSet,
    /// The edges without loops, sorted by their ends, of parallel ones the heaviest.
    lines: Vec<(usize, usize, i64)>,
}

impl Ground {
    fn knows(&self, vertex: usize) -> bool {
        self.is_there.contains(vertex)
    }

    fn bound_by_removal(&self, claim: &Claim<usize>, removal: &Removal<usize>) -> Result<Option<i128>, WitnessFlaw> {
        let Removal { nodes: removed, shares, subtour_cuts, blossoms } = removal;
        if !(1..=1 << 24).contains(&shares.scale) {
            return Err(WitnessFlaw::Scale(shares.scale));
        }
        let vertex_count = self.is_there.len();
        let mut place = vec![usize::MAX; vertex_count];
        for (at, &vertex) in removed.iter().enumerate() {
            if !self.knows(vertex) {
                return Err(WitnessFlaw::UnknownNode(at));
            }
            if place[vertex] != usize::MAX {
                return Err(WitnessFlaw::Repeated(place[vertex], at));
            }
            place[vertex] = at;
        }

        let ends_at = |fixed: Option<usize>, claimed: i64| {
            let may_end = |vertex: usize| self.knows(vertex) && fixed.is_none_or(|fixed| fixed == vertex);
            (0..vertex_count).map(|vertex| may_end(vertex).then_some(-i128::from(claimed))).collect()
        };
        let rule = if claim.closed {
            Rule::Closed { through: claim.from }
        } else {
            let outside = i128::from(shares.beginning) + i128::from(shares.end);
            Rule::Open { first: ends_at(claim.from, shares.beginning), last: ends_at(claim.to, shares.end), outside }
        };
        let halves = |&(source, target, weight): &(usize, usize, i64)| {
            HalfEdges::new(source, target, i128::from(weight) * i128::from(shares.scale))
        };
        let edges = self.lines.iter().map(halves).collect();
        let mut network = Network::new(self.directed, vertex_count, edges, rule);
        for (at, subtour_cut) in subtour_cuts.iter().enumerate() {
            if !subtour_cut.inside.iter().chain([&subtour_cut.visited]).all(|&vertex| self.knows(vertex)) {
                return Err(WitnessFlaw::SubtourCut(at));
            }
        }
        network.lay(subtour_cuts)?;
        for (at, blossom) in blossoms.iter().enumerate() {
            let teeth = blossom.teeth.iter().flat_map(|(one, two)| [one, two]);
            if !blossom.inside.iter().chain(teeth).all(|&vertex| self.knows(vertex)) {
                return Err(WitnessFlaw::Blossom(at));
            }
        }
        network.grow(blossoms)?;
        let mut is_booked = FixedBitSet::with_capacity(if shares.booked.is_empty() { 0 } else { self.lines.len() });
        for (at, &(vertex, other, amount)) in shares.booked.iter().enumerate() {
            let turned = !self.directed && vertex > other;
            let key = if turned { (other, vertex) } else { (vertex, other) };
            let position = self.lines.binary_search_by_key(&key, |&(source, target, _)| (source, target));
            let position = position.map_err(|_| WitnessFlaw::NotAnEdge(at))?;
            if is_booked.put(position) {
                return Err(WitnessFlaw::BookedTwice(at));
            }
            network.edges[position].book(i128::from(amount), turned);
        }
        Ok(most(&network, removed).map(|bound| bound.div_euclid(i128::from(shares.scale))))
    }
}

/// The edges without loops, sorted by their ends, of parallel ones the heaviest.
fn lines<G: InputGraph>(graph: G, weight: impl Fn(G::EdgeRef) -> i64) -> Vec<(usize, usize, i64)> {
    let mut lines = Vec::new();
    for edge in graph.edge_references() {
        let (source, target) = (graph.to_index(edge.source()), graph.to_index(edge.target()));
        let swapped = !graph.is_directed() && source > target;
        let (source, target) = if swapped { (target, source) } else { (source, target) };
        if source != target {
            lines.push((source, target, weight(edge)));
        }
    }
    lines.sort_unstable_by_key(|&(source, target, weight)| (source, target, std::cmp::Reverse(weight)));
    lines.dedup_by_key(|&mut (source, target, _)| (source, target));
    lines
}
