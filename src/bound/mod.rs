//! Upper bounds for an [`Instance`], each with a witness that [`certificate`](crate::certificate) checks on its own.
//!
//! All bounds have one form, argued at the head of `certificate/bound/`: an order in which to *remove* vertices, so that
//! paths fall apart, and *shares*, which say where the weight of each edge is booked. What differs is how the two are
//! found:
//! - nothing removed, half shares: fewer edges than vertices in a component;
//! - [`bipartite`]: remove one side;
//! - [`scattering`]: remove separators, and separators of what remains;
//! - [`two_matching`]: the shares, by the dual of the 2-matching relaxation, alone or together with a removal order.
//!   Where edges are many and weights differ it begins with shares by [`potentials`].
//!
//! [`blocks`] gives such a bound for every block of a graph, which together bound the graph. [`steps`] says a witness in the rows
//! of [proofs](crate::proof), and [`parts`] that of blocks in parts.
//!
//! Every value returned here has been recomputed from its witness by the check, so a defect in the search for witnesses
//! can make a bound poor but not wrong.

pub(crate) mod bipartite;
pub(crate) mod blocks;
pub(crate) mod parts;
mod plan;
pub(crate) mod potentials;
mod scattering;
pub(crate) mod steps;
mod two_matching;

use hashbrown::HashMap;

use crate::certificate::{Blossom, HalfEdges, Network, Removal, Rule, Shares, SubtourCut, most};
use crate::instance::{Budget, Ends, Instance, NOT_AN_END};
use crate::view::{CsrGraph, Edge};

/// How much work a bound may take, in vertices and edges looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Removal orders alone: a handful of sweeps over the graph, none of them repeated. For instances by the thousand.
    Least,
    /// A tenth of a second at most, but on graphs of 10⁵ edges or more, where that is not enough for shares.
    Low,
    /// Seconds on 10⁵ edges.
    High,
}

impl Effort {
    /// The work to spend on orders, and on shares.
    fn work(self) -> (usize, usize) {
        match self {
            Effort::Least => (20_000_000, 0),
            Effort::Low => (20_000_000, 2_000_000),
            Effort::High => (100_000_000, 100_000_000),
        }
    }
}

/// A bound, and why it holds.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// No path is worth more; `i64::MIN` proves that there is no path at all.
    pub(crate) upper: i64,
    pub(crate) witness: Removal<u32>,
}

/// The best bound found, no better than needed to meet `known_lower`.
///
/// Where the budget has no room for a single look at the instance, it is the [trivial bound](Instance::trivial_bound).
pub(crate) fn best_bound(instance: &Instance, effort: Effort, budget: &Budget, known_lower: i64) -> Found {
    let size = instance.graph.vertex_count() + instance.graph.edge_count();
    let (orders, shares) = effort.work();
    let work_budget = WorkBudget { left: orders, reserve: 0, budget };
    let found = Found { upper: i64::MAX, witness: Removal::of(Vec::new()) };
    let mut search = BoundSearch { instance, known_lower, work_budget, found };
    if size.saturating_mul(BYTES_EACH) > budget.memory || !work_budget.has_time(LOOK * size) {
        search.found.upper = instance.trivial_bound();
        return search.found;
    }
    search.run(shares);
    search.found
}

/// What the search for a bound holds at most for every vertex and every edge, in bytes.
const BYTES_EACH: usize = 400;
/// The work of proving a bound, for every vertex and every edge.
const LOOK: usize = 4;

/// What may be spent: the effort, and the caller's budget.
#[derive(Clone, Copy)]
struct WorkBudget<'a> {
    left: usize,
    /// Work for which time must remain after every step: the proof of what was found.
    reserve: usize,
    budget: &'a Budget,
}

impl WorkBudget<'_> {
    /// Takes this much out for a step, if that is there and there is time for the step.
    fn pay(&mut self, work: usize) -> bool {
        let pays = self.left >= work && self.budget.spent().is_none() && self.has_time(work + self.reserve);
        self.left -= if pays { work } else { 0 };
        pays
    }

    /// Whether so much work can be done before the deadline. No step looks at the clock on its way.
    fn has_time(&self, work: usize) -> bool {
        self.budget.has_time(NANOSECONDS_A_UNIT * work as u64)
    }
}

/// What a unit of work takes at most where the graph is far larger than the caches.
const NANOSECONDS_A_UNIT: u64 = 100;

/// The bound that a witness proves for the instance, or `i64::MIN` if it proves that there is no path; by the public check's
/// own arithmetic, with end prizes beside.
///
/// The witness must fit the instance: vertices in range and all different, an entry for an edge only where there is one.
pub(crate) fn prove(instance: &Instance, witness: &Removal<u32>) -> i64 {
    let Removal { nodes, shares, subtour_cuts, blossoms } = witness;
    if let Some(value) = single_vertex(instance) {
        return value;
    }
    let removed: Vec<usize> = nodes.iter().map(|&vertex| vertex as usize).collect();
    floor(most(&network(instance, shares, subtour_cuts, blossoms), &removed), shares.scale)
}

fn floor(bound: Option<i128>, scale: i64) -> i64 {
    let Some(bound) = bound else { return i64::MIN };
    let bound = bound.div_euclid(i128::from(scale));
    i64::try_from(bound).unwrap_or(if bound < 0 { i64::MIN + 1 } else { i64::MAX })
}

/// The value of the only path, where both ends are fixed to the same vertex.
fn single_vertex(instance: &Instance) -> Option<i64> {
    let Ends::Open { first, last, .. } = &instance.ends else { return None };
    let only = |prizes: &[i64]| {
        let mut allowed = (0..prizes.len()).filter(|&vertex| prizes[vertex] != NOT_AN_END);
        allowed.next().filter(|_| allowed.next().is_none())
    };
    let vertex = only(first)?;
    (only(last) == Some(vertex)).then(|| first[vertex] + last[vertex])
}

/// The instance as the check wants it.
fn network(
    instance: &Instance,
    shares: &Shares<u32>,
    subtour_cuts: &[SubtourCut<u32>],
    blossoms: &[Blossom<u32>],
) -> Network {
    let graph = &instance.graph;
    let booked = |prizes: &[i64], claimed: i64| {
        let share = |prize: i64| i128::from(prize) * i128::from(shares.scale) - i128::from(claimed);
        prizes.iter().map(|&prize| (prize != NOT_AN_END).then(|| share(prize))).collect()
    };
    let rule = match &instance.ends {
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

    let laid = subtour_cuts.iter().map(|subtour_cut| SubtourCut {
        inside: subtour_cut.inside.iter().map(|&vertex| vertex as usize).collect(),
        visited: subtour_cut.visited as usize,
        multiplier: subtour_cut.multiplier,
    });
    network.lay(&laid.collect::<Vec<_>>()).expect("the borders fit the piece");
    let grown = blossoms.iter().map(|blossom| Blossom {
        inside: blossom.inside.iter().map(|&vertex| vertex as usize).collect(),
        teeth: blossom.teeth.iter().map(|&(one, two)| (one as usize, two as usize)).collect(),
        multiplier: blossom.multiplier,
    });
    network.grow(&grown.collect::<Vec<_>>()).expect("the blossoms fit the piece");

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

/// The neighbours of a vertex, whatever the direction; one with edges both ways comes twice.
fn neighbours(graph: &CsrGraph, vertex: u32) -> impl Iterator<Item = u32> + '_ {
    let back = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
    graph.out_arcs(vertex).iter().chain(back).map(|arc| arc.target)
}

/// The search for a bound.
struct BoundSearch<'a> {
    instance: &'a Instance,
    known_lower: i64,
    work_budget: WorkBudget<'a>,
    found: Found,
}

type Candidates = fn(&Instance) -> Vec<u32>;

impl BoundSearch<'_> {
    fn run(&mut self, work_on_shares: usize) {
        if let Some(value) = single_vertex(self.instance) {
            self.found.upper = value;
            return;
        }
        let graph = &self.instance.graph;
        let look = LOOK * (graph.vertex_count() + graph.edge_count());
        let halves = network(self.instance, &Shares::halves(), &[], &[]);
        let mut orders: Vec<(i64, Vec<u32>)> = Vec::new();
        let candidates: [Candidates; 7] = [
            |_| Vec::new(),
            bipartite::smaller_sides,
            bipartite::greater_sides,
            scattering::cut_vertices,
            scattering::by_degree,
            scattering::by_remaining_degree,
            scattering::without_independent_set,
        ];
        for candidate in candidates {
            // The first is looked at in any case.
            if !orders.is_empty() && !self.work_budget.pay(2 * look) {
                break;
            }
            let order = candidate(self.instance);
            if orders.iter().any(|(_, known)| *known == order) {
                continue;
            }
            let removed: Vec<usize> = order.iter().map(|&vertex| vertex as usize).collect();
            let bound = floor(most(&halves, &removed), 2);
            self.found(bound, || Removal::of(order.clone()));
            orders.push((bound, order));
            if self.met() {
                return;
            }
        }
        drop(halves);
        // Shares alone first, then with the orders that were best without.
        orders[1..].sort_by_key(|&(bound, _)| bound);
        self.work_budget.left = 0;
        self.work_budget.reserve = look;
        for (turn, (_, order)) in orders.iter().enumerate() {
            self.work_budget.left +=
                if turn == 0 { work_on_shares / 2 } else { work_on_shares / 2 / (orders.len() - 1) };
            for (shares, subtour_cuts) in
                two_matching::shares(self.instance, order, self.known_lower, &mut self.work_budget)
            {
                if !self.work_budget.has_time(look) {
                    return;
                }
                let witness = Removal { nodes: order.clone(), shares, subtour_cuts, blossoms: Vec::new() };
                self.found(prove(self.instance, &witness), || witness);
            }
            if self.met() {
                return;
            }
        }
    }

    fn found(&mut self, bound: i64, witness: impl FnOnce() -> Removal<u32>) {
        if bound < self.found.upper {
            self.found.upper = bound;
            self.found.witness = witness();
        }
    }

    fn met(&self) -> bool {
        self.found.upper <= self.known_lower
    }
}

#[cfg(test)]
mod tests;
