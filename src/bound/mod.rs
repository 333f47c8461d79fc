//! Upper bounds for a [`Piece`], each with a witness that [`certificate`](crate::certificate) checks on its own.
//!
//! All bounds have one form, argued at the head of `certificate/bound.rs`: an order in which to *remove* vertices, so that
//! paths fall apart, and *shares*, which say where the weight of each edge is booked. What differs is how the two are
//! found:
//! - nothing removed, half shares: fewer edges than vertices in a component;
//! - [`bipartite`]: remove one side;
//! - [`scattering`]: remove separators, and separators of what remains;
//! - [`two_matching`]: the shares, by the dual of the 2-matching relaxation, alone or together with a removal order.
//!
//! Every value returned here has been recomputed from its witness by the check, so a defect in the search for witnesses
//! can make a bound poor but not wrong.

pub(crate) mod bipartite;
mod plan;
mod scattering;
mod two_matching;

use hashbrown::HashMap;

use crate::certificate::{Border, HalfEdges, Network, Rule, Shares, Witness, most};
use crate::search::{Budget, Ends, NOT_AN_END, Piece};
use crate::view::{CsrGraph, Edge};

/// How much work a bound may take, in vertices and edges looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// A few sweeps over the graph.
    Low,
    /// Seconds on 10⁵ edges.
    High,
}

impl Effort {
    /// The work to spend on shares, and on improving an order.
    fn work(self) -> usize {
        match self {
            Effort::Low => 2_000_000,
            Effort::High => 150_000_000,
        }
    }
}

/// The best bound found, no better than needed to meet `known_lower`, and why it holds. `i64::MIN` proves that there is
/// no path at all.
pub(crate) fn best_bound(piece: &Piece, effort: Effort, budget: &Budget, known_lower: i64) -> (i64, Witness<u32>) {
    let mut hunt = Hunt { piece, known_lower, best: i64::MAX, witness: Witness::removing(Vec::new()) };
    hunt.run(effort, budget);
    (hunt.best, hunt.witness)
}

/// The bound that a witness proves for the piece, or `i64::MIN` if it proves that there is no path; by the public check's
/// own arithmetic, with end prizes beside.
///
/// The witness must fit the piece: vertices in range and all different, an entry for an edge only where there is one.
pub(crate) fn prove(piece: &Piece, witness: &Witness<u32>) -> i64 {
    let Witness::Removal { nodes, shares, borders } = witness;
    if let Some(value) = single_vertex(piece) {
        return value;
    }
    let removed: Vec<usize> = nodes.iter().map(|&vertex| vertex as usize).collect();
    floor(most(&network(piece, shares, borders), &removed), shares.scale)
}

fn floor(bound: Option<i128>, scale: i64) -> i64 {
    let Some(bound) = bound else { return i64::MIN };
    let bound = bound.div_euclid(i128::from(scale));
    i64::try_from(bound).unwrap_or(if bound < 0 { i64::MIN + 1 } else { i64::MAX })
}

/// The value of the only path, where both ends are fixed to the same vertex.
fn single_vertex(piece: &Piece) -> Option<i64> {
    let Ends::Open { first, last, .. } = &piece.ends else { return None };
    let only = |prizes: &[i64]| {
        let mut allowed = (0..prizes.len()).filter(|&vertex| prizes[vertex] != NOT_AN_END);
        allowed.next().filter(|_| allowed.next().is_none())
    };
    let vertex = only(first)?;
    (only(last) == Some(vertex)).then(|| first[vertex] + last[vertex])
}

/// The piece as the check wants it.
fn network(piece: &Piece, shares: &Shares<u32>, borders: &[Border<u32>]) -> Network {
    let graph = &piece.graph;
    let booked = |prizes: &[i64], claimed: i64| {
        let share = |prize: i64| i128::from(prize) * i128::from(shares.scale) - i128::from(claimed);
        prizes.iter().map(|&prize| (prize != NOT_AN_END).then(|| share(prize))).collect()
    };
    let rule = match &piece.ends {
        Ends::Open { first, last, .. } => Rule::Open {
            first: booked(first, shares.beginning),
            last: booked(last, shares.end),
            outside: i128::from(shares.beginning) + i128::from(shares.end),
        },
        Ends::Closed { through } => Rule::Closed { through: through.map(|vertex| vertex as usize) },
    };
    let whole = |edge: &Edge| i128::from(edge.weight) * i128::from(shares.scale);
    let halved = |edge: &Edge| HalfEdges::new(edge.source as usize, edge.target as usize, whole(edge));
    let edges = graph.edges().iter().map(halved).collect();
    let mut network = Network::new(graph.is_directed(), graph.vertex_count(), edges, rule);

    let laid = borders.iter().map(|border| Border {
        inside: border.inside.iter().map(|&vertex| vertex as usize).collect(),
        visited: border.visited as usize,
        toll: border.toll,
    });
    network.lay(&laid.collect::<Vec<_>>()).expect("the borders fit the piece");

    let key = |source: u32, target: u32| {
        if graph.is_directed() || source < target { (source, target) } else { (target, source) }
    };
    let by_edge: HashMap<(u32, u32), (u32, i64)> =
        shares.booked.iter().map(|&(vertex, other, amount)| (key(vertex, other), (vertex, amount))).collect();
    if !by_edge.is_empty() {
        for (edge, halves) in graph.edges().iter().zip(&mut network.edges) {
            if let Some(&(vertex, amount)) = by_edge.get(&key(edge.source, edge.target)) {
                halves.book(i128::from(amount), vertex != edge.source);
            }
        }
    }
    network
}

impl<NodeId> Witness<NodeId> {
    /// Nothing but nodes to remove.
    fn removing(nodes: Vec<NodeId>) -> Self {
        Witness::Removal { nodes, shares: Shares::halves(), borders: Vec::new() }
    }
}

/// The neighbours of a vertex, whatever the direction; one with edges both ways comes twice.
fn neighbours(graph: &CsrGraph, vertex: u32) -> impl Iterator<Item = u32> + '_ {
    let back = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
    graph.out_arcs(vertex).iter().chain(back).map(|arc| arc.target)
}

/// The search for a bound.
struct Hunt<'a> {
    piece: &'a Piece,
    known_lower: i64,
    best: i64,
    witness: Witness<u32>,
}

impl Hunt<'_> {
    fn run(&mut self, effort: Effort, budget: &Budget) {
        if let Some(value) = single_vertex(self.piece) {
            self.best = value;
            return;
        }
        let halves = network(self.piece, &Shares::halves(), &[]);
        // The orders, the best first.
        let mut orders: Vec<(i64, Vec<u32>)> = Vec::new();
        let candidates: [fn(&Piece) -> Vec<Vec<u32>>; 3] =
            [|_| vec![Vec::new()], bipartite::orders, scattering::orders];
        for candidate in candidates {
            for order in candidate(self.piece) {
                let removed: Vec<usize> = order.iter().map(|&vertex| vertex as usize).collect();
                let bound = floor(most(&halves, &removed), 2);
                if bound < self.best {
                    self.best = bound;
                    self.witness = Witness::removing(order.clone());
                }
                orders.push((bound, order));
                if self.met() || budget.spent().is_some() {
                    return;
                }
            }
        }
        drop(halves);
        orders.sort_by_key(|&(bound, _)| bound);
        orders.dedup_by(|one, other| one.1 == other.1);
        let empty = orders.iter().position(|(_, order)| order.is_empty()).expect("nothing removed is an order too");
        let empty = orders.remove(empty);
        orders.insert(0, empty);
        let work = effort.work() / orders.len();
        for (_, order) in orders {
            let shares = two_matching::shares(self.piece, &order, self.known_lower, work, budget);
            for (shares, borders) in shares {
                let witness = Witness::Removal { nodes: order.clone(), shares, borders };
                let bound = prove(self.piece, &witness);
                if bound < self.best {
                    self.best = bound;
                    self.witness = witness;
                }
            }
            if self.met() || budget.spent().is_some() {
                return;
            }
        }
    }

    fn met(&self) -> bool {
        self.best <= self.known_lower
    }
}

#[cfg(test)]
mod tests;
