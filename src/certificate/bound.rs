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
//! crossing pay the path a toll, and the vertex take two tolls from a path that visits it: no path becomes worth less. But
//! a bound that counts cycles which never leave the set becomes worse for it. These are the generalised subtour
//! inequalities of M. Fischetti, J. J. Salazar González and P. Toth (A branch-and-cut algorithm for the symmetric generalized
//! traveling salesman problem, *Operations Research* 45, 1997, doi:10.1287/opre.45.3.378), with their multipliers.
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

use std::collections::BinaryHeap;
use std::fmt;

use petgraph::visit::EdgeRef;

use super::Claim;
use crate::view::InputGraph;

/// Why no path is longer than some bound: data from which [`check_bound`] recomputes the bound.
///
/// Whatever the data say, the bound that comes out is true, if perhaps a poor one: a witness can be useless but not wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Witness<NodeId> {
    /// A path falls apart where it loses a node; see the numbers `d₁, d₂, …` below.
    ///
    /// Every node has a *worth*, in units of `1 / shares.scale`: what a path can earn there, by the shares of the two
    /// edges it uses. Remove `nodes` in their order. Each component that remains has one number, the sum of its worths.
    /// Put the nodes back in the opposite order. A node merges the numbers `d₁ ≥ d₂ ≥ …` of the components it is adjacent
    /// to into those of one component, `worth + d₁ + d₂, d₃, …`. The greatest number at the end, with what the shares
    /// say of the two ends, is the bound. (Borders change the weights and worths before all this; see [`Border`].)
    ///
    /// No nodes: all that one component is worth. The nodes of a set: a scattering set (a path visits at most one more
    /// component than the set has nodes). One side of a bipartite graph: its imbalance. All nodes in an order: scattering
    /// sets inside the components of scattering sets.
    Removal {
        /// The nodes to remove, in this order; any number, all different.
        nodes: Vec<NodeId>,
        /// How the weight of each edge is shared between its ends.
        shares: Shares<NodeId>,
        /// Sets of nodes that a path can't visit without crossing their border.
        borders: Vec<Border<NodeId>>,
    },
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

/// A set of nodes whose border pays a toll to every path that crosses it.
///
/// Every edge with one end inside weighs `toll` more, and so does beginning inside and ending inside; a path that visits
/// `visited` pays two tolls there. Such a path crosses the border twice at least, so it gets back what it paid.
///
/// That takes something outside: the outside world, or the node that a cycle must visit. Cycles that may be anywhere
/// can't have borders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Border<NodeId> {
    /// The nodes inside, all different; no node that a cycle must visit.
    pub inside: Vec<NodeId>,
    /// One of them.
    pub visited: NodeId,
    /// The toll, in units of `1 / scale`, not negative.
    pub toll: i64,
}

impl<NodeId> Shares<NodeId> {
    /// Half of every edge to each of its ends, as if there were edges of weight 1 to the outside too, one at each end.
    pub fn halves() -> Self {
        Shares { scale: 2, beginning: -1, end: -1, booked: Vec::new() }
    }
}

impl<NodeId> Witness<NodeId> {
    /// The same witness with every node translated.
    pub fn map<Other>(&self, translate: impl Fn(&NodeId) -> Other) -> Witness<Other> {
        let Witness::Removal { nodes, shares, borders } = self;
        let booked = shares.booked.iter().map(|(node, other, amount)| (translate(node), translate(other), *amount));
        Witness::Removal {
            nodes: nodes.iter().map(&translate).collect(),
            shares: Shares {
                scale: shares.scale,
                beginning: shares.beginning,
                end: shares.end,
                booked: booked.collect(),
            },
            borders: borders
                .iter()
                .map(|border| Border {
                    inside: border.inside.iter().map(&translate).collect(),
                    visited: translate(&border.visited),
                    toll: border.toll,
                })
                .collect(),
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
    /// The border at this position names a node that is unknown, twice inside, or visited but not inside; or its toll is
    /// negative; or it has nothing outside, because the claim is of a cycle that need not visit any node outside.
    Border(usize),
    /// The scale is not in the range 1 to 2²⁴.
    Scale(i64),
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
            WitnessFlaw::Border(at) => write!(formatter, "border number {} is not one that paths must cross", at + 1),
            WitnessFlaw::Scale(scale) => write!(formatter, "a scale of {scale} is not in the range 1 to 2^24"),
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
/// `O(m log m + n log² n)`, and the degrees of the nodes inside each border.
///
/// # Example
/// A star of four rays: without its centre four components remain, and a path visits two of them.
/// ```
/// use longhaul::certificate::{Claim, Shares, Witness, check_bound};
/// use petgraph::graph::UnGraph;
///
/// let star = UnGraph::<(), ()>::from_edges([(0, 1), (0, 2), (0, 3), (0, 4)]);
/// let witness = Witness::Removal { nodes: vec![0.into()], shares: Shares::halves(), borders: vec![] };
/// assert_eq!(check_bound(&star, |_| 1, &Claim::free(), &witness), Ok(Some(2)));
/// ```
pub fn check_bound<G: InputGraph>(
    graph: G,
    weight: impl Fn(G::EdgeRef) -> i64,
    claim: &Claim<G::NodeId>,
    witness: &Witness<G::NodeId>,
) -> Result<Option<i64>, WitnessFlaw> {
    let Witness::Removal { nodes, shares, borders } = witness;
    if !(1..=1 << 24).contains(&shares.scale) {
        return Err(WitnessFlaw::Scale(shares.scale));
    }
    let mut known = vec![false; graph.node_bound()];
    for node in graph.node_identifiers() {
        known[graph.to_index(node)] = true;
    }
    let vertex = |node: G::NodeId| Some(graph.to_index(node)).filter(|&index| known.get(index) == Some(&true));

    let mut removed = Vec::with_capacity(nodes.len());
    let mut place = vec![usize::MAX; known.len()];
    for (at, &node) in nodes.iter().enumerate() {
        let index = vertex(node).ok_or(WitnessFlaw::UnknownNode(at))?;
        if place[index] != usize::MAX {
            return Err(WitnessFlaw::Repeated(place[index], at));
        }
        place[index] = at;
        removed.push(index);
    }

    let end = |node: Option<G::NodeId>| match node {
        Some(node) => vertex(node).map(Some).ok_or(WitnessFlaw::UnknownEnd),
        None => Ok(None),
    };
    let (from, to) = (end(claim.from)?, end(claim.to)?);
    if !claim.closed && from.is_some() && from == to {
        return Ok(Some(0));
    }
    let ends_at = |fixed: Option<usize>, claimed: i64| {
        let may_end = |index: usize| known[index] && fixed.is_none_or(|fixed| fixed == index);
        (0..known.len()).map(|index| may_end(index).then_some(-i128::from(claimed))).collect()
    };
    let rule = if claim.closed {
        Rule::Closed { through: from }
    } else {
        let outside = i128::from(shares.beginning) + i128::from(shares.end);
        Rule::Open { first: ends_at(from, shares.beginning), last: ends_at(to, shares.end), outside }
    };

    let lines = lines(graph, weight);
    let edges = lines
        .iter()
        .map(|&(source, target, weight)| HalfEdges::new(source, target, i128::from(weight) * i128::from(shares.scale)));
    let mut network = Network::new(graph.is_directed(), known.len(), edges.collect(), rule);
    let mut laid = Vec::with_capacity(borders.len());
    for (at, border) in borders.iter().enumerate() {
        let inside = border.inside.iter().map(|&node| vertex(node)).collect::<Option<Vec<usize>>>();
        let (Some(inside), Some(visited)) = (inside, vertex(border.visited)) else {
            return Err(WitnessFlaw::Border(at));
        };
        laid.push(Border { inside, visited, toll: border.toll });
    }
    network.lay(&laid)?;
    let mut is_booked = vec![false; if shares.booked.is_empty() { 0 } else { lines.len() }];
    for (at, &(node, other, amount)) in shares.booked.iter().enumerate() {
        let (Some(node), Some(other)) = (vertex(node), vertex(other)) else {
            return Err(WitnessFlaw::NotAnEdge(at));
        };
        let turned = !graph.is_directed() && node > other;
        let key = if turned { (other, node) } else { (node, other) };
        let position = lines.binary_search_by_key(&key, |&(source, target, _)| (source, target));
        let position = position.map_err(|_| WitnessFlaw::NotAnEdge(at))?;
        if std::mem::replace(&mut is_booked[position], true) {
            return Err(WitnessFlaw::BookedTwice(at));
        }
        network.edges[position].book(i128::from(amount), turned);
    }
    let Some(bound) = most(&network, &removed) else { return Ok(None) };
    let bound = bound.div_euclid(i128::from(shares.scale));
    i64::try_from(bound).map(Some).map_err(|_| WitnessFlaw::Overflow)
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

/// A graph without loops or parallel edges, its vertices plain indices, with the shares booked.
pub(crate) struct Network {
    directed: bool,
    vertex_count: usize,
    pub(crate) edges: Vec<HalfEdges>,
    rule: Rule,
    /// What a path pays for visiting each vertex.
    tolls: Vec<i128>,
}

/// An edge and what is booked at its ends.
pub(crate) struct HalfEdges {
    source: usize,
    target: usize,
    at_source: i128,
    at_target: i128,
}

impl HalfEdges {
    /// Half the weight to each end.
    pub(crate) fn new(source: usize, target: usize, whole: i128) -> Self {
        let mut halves = HalfEdges { source, target, at_source: 0, at_target: whole };
        halves.halve(0);
        halves
    }

    /// Makes the edge heavier, and books half to each end.
    fn halve(&mut self, toll: i128) {
        let whole = self.at_source + self.at_target + toll;
        self.at_source = whole.div_euclid(2);
        self.at_target = whole - self.at_source;
    }

    /// Books `amount` at the source (at the target if `turned`) and the rest at the other end.
    pub(crate) fn book(&mut self, amount: i128, turned: bool) {
        let whole = self.at_source + self.at_target;
        self.at_source = if turned { whole - amount } else { amount };
        self.at_target = whole - self.at_source;
    }
}

impl Network {
    pub(crate) fn new(directed: bool, vertex_count: usize, edges: Vec<HalfEdges>, rule: Rule) -> Self {
        Network { directed, vertex_count, edges, rule, tolls: vec![0; vertex_count] }
    }

    /// Lets the borders pay and take their tolls. To be done before shares are booked.
    pub(crate) fn lay(&mut self, borders: &[Border<usize>]) -> Result<(), WitnessFlaw> {
        if borders.is_empty() {
            return Ok(());
        }
        let all: i128 = borders.iter().map(|border| i128::from(border.toll)).sum();
        if all > TOLLS {
            return Err(WitnessFlaw::Overflow);
        }
        let mut edges_at = vec![Vec::new(); self.vertex_count];
        for (position, edge) in self.edges.iter().enumerate() {
            edges_at[edge.source].push(position);
            edges_at[edge.target].push(position);
        }
        let mut inside_of = vec![usize::MAX; self.vertex_count];
        for (at, border) in borders.iter().enumerate() {
            for &vertex in &border.inside {
                if inside_of[vertex] == at {
                    return Err(WitnessFlaw::Border(at));
                }
                inside_of[vertex] = at;
            }
            let is_inside = |vertex: usize| inside_of[vertex] == at;
            let encloses_all = match self.rule {
                Rule::Open { .. } => false,
                Rule::Closed { through } => through.is_none_or(is_inside),
            };
            if border.toll < 0 || encloses_all || !is_inside(border.visited) {
                return Err(WitnessFlaw::Border(at));
            }
            let toll = i128::from(border.toll);
            for &vertex in &border.inside {
                for &position in &edges_at[vertex] {
                    let edge = &mut self.edges[position];
                    if !is_inside(edge.source) || !is_inside(edge.target) {
                        edge.halve(toll);
                    }
                }
                if let Rule::Open { first, last, .. } = &mut self.rule {
                    first[vertex] = first[vertex].map(|share| share + toll);
                    last[vertex] = last[vertex].map(|share| share + toll);
                }
            }
            self.tolls[border.visited] += 2 * toll;
        }
        Ok(())
    }
}

/// Where a path may begin and end.
pub(crate) enum Rule {
    /// What is booked at each vertex if the path begins or ends there, `None` where it may not; and what the outside earns.
    Open { first: Vec<Option<i128>>, last: Vec<Option<i128>>, outside: i128 },
    /// A cycle.
    Closed { through: Option<usize> },
}

/// All tolls together are at most this.
const TOLLS: i128 = 1 << 87;

/// What must be visited is worth this beside its own worth. All other worths together are less: at most 2³² times two
/// shares, each of at most a weight of 2⁶³ · 2²⁴, all tolls and 2⁶³ booked.
const FORCED: i128 = 1 << 123;

/// The most that a path (cycle) can be worth once `removed` (all different) are removed and put back, by the argument at
/// the head of this file; `None` if there is none.
pub(crate) fn most(network: &Network, removed: &[usize]) -> Option<i128> {
    let n = network.vertex_count;
    let mut worth = worths(network);
    worth.extend([FORCED, FORCED]);
    // The extra vertices stand behind the others; one that no end is fixed to is adjacent to nothing, and left out.
    let (before, after) = (n, n + 1);
    let mut extra = Vec::new();
    let (mut forced, mut outside, mut cycle) = (0, 0, true);
    match &network.rule {
        Rule::Closed { through } => {
            if let Some(vertex) = *through {
                worth[vertex] += FORCED;
                forced = 1;
            }
        }
        Rule::Open { first, last, outside: earned } => {
            outside = *earned;
            let (first, last) = (Allowed::of(first), Allowed::of(last));
            if first == Allowed::Nowhere || last == Allowed::Nowhere {
                return None;
            }
            if let Allowed::Only(vertex) = first {
                extra.push((before, vertex));
            }
            if let Allowed::Only(vertex) = last {
                extra.push((vertex, after));
            }
            forced = extra.len();
            cycle = forced == 2;
            if let (Allowed::Only(from), Allowed::Only(to)) = (first, last) {
                let mut components = Components::new(n);
                for edge in &network.edges {
                    components.unite(edge.source, edge.target);
                }
                if components.find(from) != components.find(to) {
                    return None;
                }
                extra.push((after, before));
            }
        }
    }

    let mut place = vec![usize::MAX; n + 2];
    for (at, &vertex) in removed.iter().enumerate() {
        place[vertex] = at;
    }
    let mut parts = Parts::new(n + 2);
    let edges = || network.edges.iter().map(|edge| (edge.source, edge.target)).chain(extra.iter().copied());
    // Each edge is put back with the end that was removed first.
    let mut starts = vec![0usize; removed.len() + 1];
    for (source, target) in edges() {
        match place[source].min(place[target]) {
            usize::MAX => parts.unite(source, target),
            at => starts[at + 1] += 1,
        }
    }
    for at in 0..removed.len() {
        starts[at + 1] += starts[at];
    }
    let mut next = starts.clone();
    let mut onward = vec![(0, false); starts[removed.len()]];
    for (source, target) in edges() {
        let leaves = place[source] < place[target];
        let (at, other) = if leaves { (place[source], target) } else { (place[target], source) };
        if at != usize::MAX {
            onward[next[at]] = (other, leaves);
            next[at] += 1;
        }
    }

    let mut sums = vec![0i128; n + 2];
    let mut sizes = vec![0usize; n + 2];
    let is_there =
        |vertex: usize| vertex < n || extra.iter().any(|&(source, target)| source == vertex || target == vertex);
    for vertex in (0..n + 2).filter(|&vertex| place[vertex] == usize::MAX && is_there(vertex)) {
        let part = parts.components.find(vertex);
        sums[part] += worth[vertex];
        sizes[part] += 1;
    }
    for part in (0..n + 2).filter(|&part| sizes[part] > 0) {
        parts.numbers[part].push(sums[part]);
        parts.cycles[part] = (sizes[part] > 1).then_some(sums[part]);
    }

    let mut reached = Vec::new();
    for (at, &vertex) in removed.iter().enumerate().rev() {
        let row = &onward[starts[at]..starts[at + 1]];
        reached.clear();
        reached.extend(row.iter().map(|&(other, leaves)| (parts.components.find(other), leaves)));
        reached.sort_unstable();
        let mut around = None;
        for two in reached.windows(2) {
            let (one, two) = (two[0], two[1]);
            if one.0 == two.0 && (!network.directed || one.1 != two.1) {
                around = around.max(parts.numbers[one.0].peek().map(|number| worth[vertex] + number));
            }
        }
        for &(other, _) in &reached {
            parts.unite(vertex, other);
        }
        let ways = if network.directed {
            usize::from(row.iter().any(|&(_, leaves)| leaves)) + usize::from(row.iter().any(|&(_, leaves)| !leaves))
        } else {
            row.len().min(2)
        };
        let part = parts.components.find(vertex);
        let glued: Vec<i128> = (0..ways).map_while(|_| parts.numbers[part].pop()).collect();
        parts.cycles[part] = parts.cycles[part].max(around);
        parts.numbers[part].push(worth[vertex] + glued.iter().sum::<i128>());
    }

    let whole = (0..n + 2).filter(|&part| parts.components.parent[part] == part);
    let best = if cycle {
        whole.filter_map(|part| parts.cycles[part]).max()
    } else {
        whole.filter_map(|part| parts.numbers[part].peek().copied()).max()
    };
    let best = best? - FORCED * forced as i128;
    (best >= 0).then_some(best + outside)
}

/// At how many vertices a path may begin (or end).
#[derive(PartialEq, Eq)]
enum Allowed {
    Nowhere,
    Only(usize),
    Anywhere,
}

impl Allowed {
    fn of(ends: &[Option<i128>]) -> Self {
        let mut allowed = (0..ends.len()).filter(|&vertex| ends[vertex].is_some());
        match (allowed.next(), allowed.next()) {
            (None, _) => Allowed::Nowhere,
            (Some(vertex), None) => Allowed::Only(vertex),
            _ => Allowed::Anywhere,
        }
    }
}

/// What a path can earn at each vertex, or 0 where that is negative.
fn worths(network: &Network) -> Vec<i128> {
    let n = network.vertex_count;
    // Where the graph is undirected, `into` holds both directions.
    let mut into = vec![TopTwo::default(); n];
    let mut out = vec![TopTwo::default(); if network.directed { n } else { 0 }];
    for edge in &network.edges {
        into[edge.target].offer(edge.at_target, edge.source);
        let row = if network.directed { &mut out } else { &mut into };
        row[edge.source].offer(edge.at_source, edge.target);
    }
    let closed = match &network.rule {
        Rule::Closed { .. } => true,
        Rule::Open { first, last, .. } => {
            for vertex in 0..n {
                if let Some(share) = first[vertex] {
                    into[vertex].offer(share, n);
                }
                let row = if network.directed { &mut out } else { &mut into };
                if let Some(share) = last[vertex] {
                    row[vertex].offer(share, n + 1);
                }
            }
            false
        }
    };
    let worth = |vertex: usize| -> Option<i128> {
        let into = &into[vertex];
        if !network.directed {
            return Some(into.best?.0 + into.second?.0);
        }
        let (entry, exit) = (into.best?, out[vertex].best?);
        // Only a cycle of two goes back to where it came from.
        if closed || entry.1 != exit.1 {
            return Some(entry.0 + exit.0);
        }
        let other_exit = out[vertex].second.map(|(share, _)| entry.0 + share);
        let other_entry = into.second.map(|(share, _)| share + exit.0);
        other_exit.max(other_entry)
    };
    (0..n).map(|vertex| worth(vertex).map_or(0, |worth| (worth - network.tolls[vertex]).max(0))).collect()
}

/// The two greatest shares at a vertex, each with the vertex at the other end.
#[derive(Clone, Default)]
struct TopTwo {
    best: Option<(i128, usize)>,
    second: Option<(i128, usize)>,
}

impl TopTwo {
    fn offer(&mut self, share: i128, other: usize) {
        let offered = Some((share, other));
        if offered > self.best {
            self.second = self.best;
            self.best = offered;
        } else if offered > self.second {
            self.second = offered;
        }
    }
}

/// The components of what is there, as disjoint sets.
struct Components {
    parent: Vec<usize>,
    size: Vec<usize>,
}

impl Components {
    fn new(count: usize) -> Self {
        Components { parent: (0..count).collect(), size: vec![1; count] }
    }

    /// The representative of a vertex's component.
    fn find(&mut self, mut vertex: usize) -> usize {
        while self.parent[vertex] != vertex {
            self.parent[vertex] = self.parent[self.parent[vertex]];
            vertex = self.parent[vertex];
        }
        vertex
    }

    /// Makes one component of two. The representative that is one no more, and the one that remains, if they were two.
    fn unite(&mut self, one: usize, two: usize) -> Option<(usize, usize)> {
        let (one, two) = (self.find(one), self.find(two));
        if one == two {
            return None;
        }
        let (small, large) = if self.size[one] < self.size[two] { (one, two) } else { (two, one) };
        self.parent[small] = large;
        self.size[large] += self.size[small];
        Some((small, large))
    }
}

/// Components, each with its numbers.
struct Parts {
    components: Components,
    /// By representative: the numbers `d₁ ≥ d₂ ≥ …`.
    numbers: Vec<BinaryHeap<i128>>,
    /// By representative: no cycle in the component is worth more.
    cycles: Vec<Option<i128>>,
}

impl Parts {
    fn new(count: usize) -> Self {
        Parts { components: Components::new(count), numbers: vec![BinaryHeap::new(); count], cycles: vec![None; count] }
    }

    fn unite(&mut self, one: usize, two: usize) {
        let Some((small, large)) = self.components.unite(one, two) else { return };
        let mut fewer = std::mem::take(&mut self.numbers[small]);
        if fewer.len() > self.numbers[large].len() {
            std::mem::swap(&mut fewer, &mut self.numbers[large]);
        }
        self.numbers[large].extend(fewer);
        self.cycles[large] = self.cycles[large].max(self.cycles[small]);
    }
}

#[cfg(test)]
mod tests {
    use petgraph::Undirected;
    use petgraph::csr::Csr;
    use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
    use petgraph::stable_graph::StableUnGraph;

    use super::*;

    fn removal<NodeId>(nodes: Vec<NodeId>) -> Witness<NodeId> {
        Witness::Removal { nodes, shares: Shares::halves(), borders: Vec::new() }
    }

    fn indices(nodes: &[usize]) -> Vec<NodeIndex> {
        nodes.iter().map(|&node| NodeIndex::new(node)).collect()
    }

    fn bound(graph: &UnGraph<(), i64>, witness: &Witness<NodeIndex>) -> Result<Option<i64>, WitnessFlaw> {
        check_bound(graph, |edge| *edge.weight(), &Claim::free(), witness)
    }

    /// Two triangles that share node 0.
    fn bow_tie() -> UnGraph<(), i64> {
        UnGraph::from_edges([(0, 1, 1), (1, 2, 1), (2, 0, 1), (0, 3, 1), (3, 4, 1), (4, 0, 1)])
    }

    #[test]
    fn a_path_visits_one_component_more_than_nodes_are_removed() {
        assert_eq!(bound(&bow_tie(), &removal(vec![])), Ok(Some(4)));
        let star = UnGraph::<(), i64>::from_edges((1..9).map(|ray| (0, ray, 1)));
        assert_eq!(bound(&star, &removal(vec![])), Ok(Some(8)));
        assert_eq!(bound(&star, &removal(indices(&[3]))), Ok(Some(8)));
        assert_eq!(bound(&star, &removal(indices(&[0]))), Ok(Some(2)));
        assert_eq!(bound(&star, &removal(indices(&[0, 3, 5]))), Ok(Some(2)));
        assert_eq!(bound(&star, &removal(indices(&[3, 0, 5]))), Ok(Some(3)));
        for (from, to, longest) in [(0, None, 1), (4, None, 2), (4, Some(0), 1), (4, Some(5), 2), (0, Some(0), 0)] {
            let claim = Claim { from: Some(from.into()), to: to.map(NodeIndex::new), closed: false };
            assert_eq!(check_bound(&star, |_| 1, &claim, &removal(indices(&[0]))), Ok(Some(longest)), "{claim:?}");
        }
    }

    #[test]
    fn a_cycle_visits_as_many_components_as_nodes_are_removed() {
        let graph = bow_tie();
        let claim = |from| Claim { from, to: None, closed: true };
        assert_eq!(check_bound(&graph, |_| 1, &claim(None), &removal(indices(&[0]))), Ok(Some(3)));
        let without_cycle = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (1, 3)]);
        let all = removal(indices(&[1, 0, 2, 3]));
        assert_eq!(check_bound(&without_cycle, |_| 1, &claim(None), &all), Ok(None));
        let pendant = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 0), (2, 3)]);
        let all = removal(indices(&[2, 0, 1, 3]));
        assert_eq!(check_bound(&pendant, |_| 1, &claim(Some(0.into())), &all), Ok(Some(3)));
        assert_eq!(check_bound(&pendant, |_| 1, &claim(Some(3.into())), &all), Ok(None));
    }

    #[test]
    fn directions_count() {
        // Every edge leads to node 2: no path passes through it.
        let sink = DiGraph::<(), ()>::from_edges([(0, 2), (1, 2), (3, 2)]);
        assert_eq!(check_bound(&sink, |_| 1, &Claim::free(), &removal(indices(&[2]))), Ok(Some(1)));
        let both = DiGraph::<(), ()>::from_edges([(0, 1), (1, 0)]);
        let claim = Claim { from: None, to: None, closed: true };
        assert_eq!(check_bound(&both, |_| 1, &claim, &removal(indices(&[0, 1]))), Ok(Some(2)));
        assert_eq!(check_bound(&both, |_| 1, &Claim::free(), &removal(vec![])), Ok(Some(1)));
    }

    /// A triangle that a path can't reach: only with a border does it become clear that it doesn't count.
    #[test]
    fn a_border_keeps_out_what_goes_round_in_itself() {
        // 0 ─ 1 ─ 2 ─ 3, and at 1 a triangle 4 5 6; the edges of the triangle are heavy, the way to it is not.
        let edges = [(0, 1, 4), (1, 2, 4), (2, 3, 4), (1, 4, 0), (4, 5, 1), (5, 6, 1), (6, 4, 1)];
        let graph = UnGraph::<(), i64>::from_edges(edges);
        let claim = Claim { from: Some(0.into()), to: Some(3.into()), closed: false };
        let proved = |toll: i64| {
            let borders =
                [5, 6].map(|visited| Border { inside: indices(&[4, 5, 6]), visited: NodeIndex::new(visited), toll });
            // The outside pays much for the ends, so that they are taken.
            let shares = Shares { scale: 2, beginning: -60, end: -60, booked: Vec::new() };
            let witness = Witness::Removal { nodes: Vec::new(), shares, borders: borders.to_vec() };
            check_bound(&graph, |edge| *edge.weight(), &claim, &witness).unwrap().unwrap()
        };
        assert_eq!(proved(0), 15);
        assert!((12..15).contains(&proved(1)));
    }

    #[test]
    fn parallel_edges_loops_and_holes_do_not_matter() {
        let untidy = UnGraph::<(), i64>::from_edges([(0, 1, 1), (1, 0, 5), (1, 1, 90), (1, 2, 2), (2, 1, -3)]);
        assert_eq!(bound(&untidy, &removal(indices(&[1]))), Ok(Some(7)));
        let mut booked = removal(indices(&[]));
        let Witness::Removal { shares, .. } = &mut booked;
        *shares =
            Shares { scale: 1, beginning: 0, end: 0, booked: vec![(1.into(), 0.into(), 5), (1.into(), 2.into(), 2)] };
        assert_eq!(bound(&untidy, &booked), Ok(Some(7)));

        let mut stable = StableUnGraph::<(), i64>::from_edges([(0, 1, 1), (1, 2, 1), (2, 3, 1), (1, 4, 1)]);
        stable.remove_node(0.into());
        let ask = |nodes: &[usize]| check_bound(&stable, |_| 1, &Claim::free(), &removal(indices(nodes)));
        assert_eq!(ask(&[1, 2]), Ok(Some(3)));
        assert_eq!(ask(&[1, 0]), Err(WitnessFlaw::UnknownNode(1)));

        let mut csr = Csr::<(), (), Undirected>::with_nodes(4);
        for ray in 1..4 {
            csr.add_edge(0, ray, ());
        }
        assert_eq!(check_bound(&csr, |_| 1, &Claim::free(), &removal(vec![0])), Ok(Some(2)));
    }

    #[test]
    fn witnesses_that_do_not_fit_are_refused() {
        let graph = bow_tie();
        assert_eq!(bound(&graph, &removal(indices(&[0, 9]))), Err(WitnessFlaw::UnknownNode(1)));
        assert_eq!(bound(&graph, &removal(indices(&[0, 3, 0]))), Err(WitnessFlaw::Repeated(0, 2)));
        let with_shares = |scale, booked: &[(usize, usize, i64)]| Witness::Removal {
            nodes: Vec::new(),
            shares: Shares {
                scale,
                beginning: 0,
                end: 0,
                booked: booked
                    .iter()
                    .map(|&(node, other, amount)| (NodeIndex::new(node), NodeIndex::new(other), amount))
                    .collect(),
            },
            borders: Vec::new(),
        };
        assert_eq!(bound(&graph, &with_shares(0, &[])), Err(WitnessFlaw::Scale(0)));
        assert_eq!(bound(&graph, &with_shares(i64::MAX, &[])), Err(WitnessFlaw::Scale(i64::MAX)));
        assert_eq!(bound(&graph, &with_shares(1, &[(0, 1, 1), (1, 3, 0)])), Err(WitnessFlaw::NotAnEdge(1)));
        assert_eq!(bound(&graph, &with_shares(1, &[(0, 1, 1), (1, 0, 0)])), Err(WitnessFlaw::BookedTwice(1)));
        let absurd = with_shares(1, &[(0, 1, i64::MIN), (1, 2, i64::MIN), (2, 0, i64::MIN), (0, 3, i64::MIN)]);
        assert_eq!(bound(&graph, &absurd), Err(WitnessFlaw::Overflow));
        let directed = DiGraph::<(), i64>::from_edges([(0, 1, 1)]);
        let backwards = check_bound(&directed, |_| 1, &Claim::free(), &with_shares(1, &[(1, 0, 1)]));
        assert_eq!(backwards, Err(WitnessFlaw::NotAnEdge(0)));

        let with_border = |inside: &[usize], visited: usize, toll: i64| Witness::Removal {
            nodes: Vec::new(),
            shares: Shares::halves(),
            borders: vec![Border { inside: indices(inside), visited: NodeIndex::new(visited), toll }],
        };
        assert!(bound(&graph, &with_border(&[1, 2], 1, 3)).is_ok());
        for wrong in [
            with_border(&[1, 1], 1, 3),
            with_border(&[1, 2], 3, 3),
            with_border(&[1, 9], 1, 3),
            with_border(&[1, 2], 1, -3),
            with_border(&[], 1, 3),
        ] {
            assert_eq!(bound(&graph, &wrong), Err(WitnessFlaw::Border(0)), "{wrong:?}");
        }
        // A cycle may lie inside a border, unless it must visit a node outside.
        let cycle = |from| Claim { from, to: None, closed: true };
        let border = with_border(&[1, 2], 1, 3);
        for (from, fits) in [(None, false), (Some(1), false), (Some(3), true)] {
            let answer = check_bound(&graph, |_| 1, &cycle(from.map(NodeIndex::new)), &border);
            assert_eq!(answer.is_ok(), fits, "{from:?}");
        }
        let nowhere = Claim { from: Some(NodeIndex::new(9)), to: None, closed: false };
        assert_eq!(check_bound(&graph, |_| 1, &nowhere, &removal(vec![])), Err(WitnessFlaw::UnknownEnd));
    }
}
