//! Vertex orders and what they cost.

use super::adjacency::Adjacency;
use super::effort::Effort;
use super::error::{DecompositionError, check_order};
use super::finder::{self, Threads};
use super::measure::{frontiers_from, last_needed, predicted_states};
use crate::view::CsrGraph;

/// An order of all vertices of a graph, with its *frontiers*: after each vertex, the placed vertices that still have an
/// unplaced neighbour.
///
/// The greatest frontier is the *vertex separation* of the order; its minimum over all orders is the pathwidth (N. G.
/// Kinnersley, *The vertex separation number of a graph equals its path-width*, Information Processing Letters 42,
/// 1992). What a dynamic program along the order costs is governed by the *sum* over all frontiers of a number
/// exponential in the frontier, so that is what [`find`](Self::find) makes small; see
/// [`predicted_states`](Self::predicted_states).
///
/// # Example
/// ```
/// use longhaul::decompose::{Effort, VertexOrder};
/// use longhaul::view::View;
/// use petgraph::graph::UnGraph;
///
/// // 0 ─ 1 ─ 2
/// // │   │   │
/// // 3 ─ 4 ─ 5
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]);
/// let view = View::new(&graph, |_| 1)?;
/// let order = VertexOrder::find(view.graph(), &Effort::default(), 0);
/// assert_eq!(order.width(), 2);
/// let nodes: Vec<_> = order.vertices().iter().map(|&vertex| view.node(vertex)).collect();
/// assert_eq!(nodes.len(), 6);
/// # Ok::<(), longhaul::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct VertexOrder {
    vertices: Vec<u32>,
    last_needed: Vec<u32>,
    frontiers: Vec<u32>,
    predicted_states: f64,
}

impl VertexOrder {
    /// Searches for an order with few predicted states. Weights don't matter. The same effort in work
    /// and the same seed give the same order, unless a deadline or interrupt cuts the search short.
    ///
    /// Reads the graph in `O(n log n + m)` and then spends what [`Effort`] allows.
    pub fn find(graph: &CsrGraph, effort: &Effort, seed: u64) -> Self {
        Self::found(graph, None, effort, seed, &|| effort.threads)
    }

    /// Searches on from this order of the graph, with an effort of its own: an order with fewer predicted states, or else
    /// this one. Another seed than before tries other starts.
    pub fn improved(self, graph: &CsrGraph, effort: &Effort, seed: u64) -> Self {
        Self::found(graph, Some(self), effort, seed, &|| effort.threads)
    }

    /// The same, from a known order if there is one, on as many threads as are told now and then.
    pub(crate) fn found(
        graph: &CsrGraph,
        known: Option<Self>,
        effort: &Effort,
        seed: u64,
        threads: Threads<'_>,
    ) -> Self {
        let adjacency = Adjacency::of(graph);
        let from = known.as_ref().map(Self::vertices);
        let found = Self::measured(&adjacency, finder::find(&adjacency, effort, seed, from, threads));
        known.filter(|known| known.predicted_states <= found.predicted_states).unwrap_or(found)
    }

    /// Measures a given order. `O(n + m)`.
    ///
    /// # Errors
    /// If the order does not hold every vertex of the graph exactly once.
    pub fn of(graph: &CsrGraph, vertices: Vec<u32>) -> Result<Self, DecompositionError> {
        check_order(graph.vertex_count(), &vertices)?;
        Ok(Self::measured(&Adjacency::of(graph), vertices))
    }

    fn measured(adjacency: &Adjacency, vertices: Vec<u32>) -> Self {
        let last_needed = last_needed(adjacency, &vertices);
        let frontiers = frontiers_from(&last_needed);
        let predicted_states = predicted_states(adjacency, &vertices);
        VertexOrder { vertices, last_needed, frontiers, predicted_states }
    }

    /// The vertices in their order.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// For each position, how many of the vertices up to and including it have a neighbour after it.
    pub fn frontiers(&self) -> &[u32] {
        &self.frontiers
    }

    /// For each position, that of the last of its vertex and that vertex's neighbours: from there on it is in no
    /// frontier.
    pub fn last_needed(&self) -> &[u32] {
        &self.last_needed
    }

    /// The greatest frontier: the vertex separation of the order; 0 where there is no edge.
    pub fn width(&self) -> usize {
        self.frontiers.iter().copied().max().unwrap_or(0) as usize
    }

    /// How many states a frontier program meets, roughly: the sum over all positions of 2.5 to the number of frontier
    /// vertices with one placed neighbour, times 3.4 to the number of those with more. (One without any has but one
    /// state.) Infinite where that is beyond floating point.
    ///
    /// In a directed graph it depends on the arcs how many states a frontier vertex can be in: *untouched*, if the unplaced
    /// neighbours can still take it into a path; *to be left*, if there is an arc in from a placed one and an arc out to an
    /// unplaced one; *to be entered*, the other way round; *done with*, if placed neighbours can both enter and leave it, or the
    /// others can no longer. For two of these it is 1.8 with one placed neighbour and 2.1 with more, for three 2.5 and 2.9, for
    /// all four 3.4; and the sum is four times as much. (Where a vertex has more than 31 neighbours, directions don't matter.)
    ///
    /// Fitted to the layers of longhaul's exact search on mazes, planar graphs, road maps and grids, where 2.4 to 2.9
    /// and 3.2 to 3.7 fit best, up to a constant factor; random graphs, whose pairings may cross, grow faster. With the
    /// greatest frontier alone in place of both, predictions are up to twice as far off. For directed graphs fitted to the
    /// relaxations of street grids: layers are 1.4 times as large or small as that says, and 1.7 times where directions
    /// don't matter.
    pub fn predicted_states(&self) -> f64 {
        self.predicted_states
    }

    /// The order alone.
    pub fn into_vertices(self) -> Vec<u32> {
        self.vertices
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Edge;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn graph(vertex_count: usize, directed: bool, pairs: impl IntoIterator<Item = (u32, u32)>) -> CsrGraph {
        let edges = pairs.into_iter().map(|(source, target)| Edge { source, target, weight: 1 }).collect();
        CsrGraph::from_multigraph(vertex_count, directed, edges).0
    }

    fn little(work: u64) -> Effort {
        Effort { work, ..Effort::default() }
    }

    /// By definition, one prefix after the other.
    fn slow_frontiers(graph: &CsrGraph, order: &[u32]) -> Vec<u32> {
        let adjacency = Adjacency::of(graph);
        let frontier = |length: usize| {
            let (placed, rest) = order.split_at(length);
            placed.iter().filter(|&&vertex| adjacency.row(vertex).iter().any(|other| rest.contains(other))).count()
                as u32
        };
        (1..=order.len()).map(frontier).collect()
    }

    /// By definition, one vertex of one prefix after the other.
    fn slow_prediction(graph: &CsrGraph, order: &[u32]) -> f64 {
        let adjacency = Adjacency::of(graph);
        let states = |length: usize| {
            let (placed, rest) = order.split_at(length);
            let states = placed.iter().map(|&vertex| {
                let row = adjacency.row(vertex);
                let count = row.iter().filter(|other| placed.contains(other)).count();
                if !row.iter().any(|other| rest.contains(other)) || count == 0 {
                    1.0
                } else if graph.is_directed() {
                    2.5f64.powf(sixths_of_states(graph, vertex, placed, rest) / 6.0)
                } else if count == 1 {
                    2.5
                } else {
                    2.5f64.powf(4.0 / 3.0)
                }
            });
            states.product::<f64>() * if graph.is_directed() { 2.5f64.powf(1.5) } else { 1.0 }
        };
        (1..=order.len()).map(states).sum()
    }

    /// The weight of the states that a vertex can be in, found by trying all pairs of neighbours.
    fn sixths_of_states(graph: &CsrGraph, vertex: u32, placed: &[u32], rest: &[u32]) -> f64 {
        let to: Vec<u32> = graph.out_arcs(vertex).iter().map(|arc| arc.target).collect();
        let from: Vec<u32> = graph.in_arcs(vertex).iter().map(|arc| arc.target).collect();
        let passes =
            |among: &[u32]| from.iter().any(|a| to.iter().any(|b| a != b && among.contains(a) && among.contains(b)));
        let is_entered_and_left = |before: &[u32], after: &[u32]| {
            before.iter().any(|other| placed.contains(other)) && after.iter().any(|other| rest.contains(other))
        };
        let untouched = passes(rest);
        let states =
            [untouched, is_entered_and_left(&from, &to), is_entered_and_left(&to, &from), passes(placed) || !untouched];
        let around = placed.iter().filter(|other| to.contains(other) || from.contains(other)).count();
        match (around, states.iter().filter(|&&can_be| can_be).count()) {
            (_, 1) => 0.0,
            (1, 2) => 4.0,
            (1, 3) => 6.0,
            (_, 2) => 5.0,
            (_, 3) => 7.0,
            (_, 4) => 8.0,
            (_, states) => panic!("{states} states"),
        }
    }

    #[test]
    fn orders_of_random_graphs_are_permutations_with_the_frontiers_they_claim() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        for round in 0..300 {
            let n = random.random_range(0..60u32);
            let m = if n == 0 { 0 } else { random.random_range(0..3 * n) };
            let pairs: Vec<_> = (0..m).map(|_| (random.random_range(0..n), random.random_range(0..n))).collect();
            let graph = graph(n as usize, u64::is_multiple_of(round, 3), pairs);
            let order = VertexOrder::find(&graph, &little(20_000), round);
            let mut sorted = order.vertices().to_vec();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..n));
            assert_eq!(order.frontiers(), slow_frontiers(&graph, order.vertices()));
            let slow = slow_prediction(&graph, order.vertices());
            assert!((slow - order.predicted_states()).abs() <= 1e-9 * slow);
            let by_two = Effort { threads: 2, ..little(20_000) };
            assert_eq!(order, VertexOrder::find(&graph, &by_two, round), "the same work, another order");
            // With little memory the search is another, and as good as its word.
            for memory in [0, 1 << 12, 1 << 16] {
                let small = Effort { memory, ..little(20_000) };
                let order = VertexOrder::find(&graph, &small, round);
                assert_eq!(VertexOrder::of(&graph, order.vertices().to_vec()).unwrap(), order);
                let by_two = Effort { threads: 2, ..small };
                assert_eq!(order, VertexOrder::find(&graph, &by_two, round), "the same memory, another order");
            }
            let improved = order.clone().improved(&graph, &little(20_000), round + 1);
            assert!(improved.predicted_states() <= order.predicted_states());
            assert_eq!(improved, VertexOrder::of(&graph, improved.vertices().to_vec()).unwrap());
        }
    }

    #[test]
    fn orders_that_are_not_of_the_graph_are_refused() {
        let path = graph(3, false, [(0, 1), (1, 2)]);
        assert!(VertexOrder::of(&path, vec![0, 1]).is_err());
        assert!(VertexOrder::of(&path, vec![0, 1, 1]).is_err());
        assert!(VertexOrder::of(&path, vec![0, 1, 3]).is_err());
        let order = VertexOrder::of(&path, vec![1, 0, 2]).unwrap();
        assert_eq!(order.frontiers(), [1, 1, 0]);
        // 1 alone, with no neighbour placed; then with one; then nobody.
        assert!((order.predicted_states() - (1.0 + 2.5 + 1.0)).abs() < 1e-9);
    }

    #[test]
    fn easy_graphs_get_their_pathwidth() {
        let width = |graph: &CsrGraph| VertexOrder::find(graph, &little(1_000_000), 0).width();
        assert_eq!(width(&graph(0, false, [])), 0);
        assert_eq!(width(&graph(5, false, [])), 0);
        assert_eq!(width(&graph(100, false, (0..99).map(|v| (v, v + 1)))), 1);
        assert_eq!(width(&graph(100, false, (0..100).map(|v| (v, (v + 1) % 100)))), 2);
        assert_eq!(width(&graph(100, false, (1..100).map(|v| (0, v)))), 1);
        let complete = |n: u32| graph(n as usize, false, (0..n).flat_map(move |a| (0..a).map(move |b| (b, a))));
        assert_eq!(width(&complete(9)), 8);
        let grid = |rows: u32, columns: u32| {
            let at = move |row: u32, column: u32| row * columns + column;
            let across = (0..rows).flat_map(move |r| (1..columns).map(move |c| (at(r, c - 1), at(r, c))));
            let down = (1..rows).flat_map(move |r| (0..columns).map(move |c| (at(r - 1, c), at(r, c))));
            graph((rows * columns) as usize, false, across.chain(down))
        };
        assert_eq!(width(&grid(4, 20)), 4);
        assert_eq!(width(&grid(20, 6)), 6);
        // Two opposite arcs are one neighbour.
        assert_eq!(width(&graph(3, true, [(0, 1), (1, 0), (1, 2), (2, 1)])), 1);
    }

    #[test]
    fn long_paths_trees_ladders_and_hubs_take_no_quadratic_time() {
        let n = 200_000u32;
        let path = graph(n as usize, false, (1..n).map(|v| (v - 1, v)));
        assert_eq!(VertexOrder::find(&path, &little(1), 0).width(), 1);
        let binary_tree = graph(n as usize, false, (1..n).map(|v| ((v - 1) / 2, v)));
        assert!(VertexOrder::find(&binary_tree, &little(1), 0).width() <= 18);
        let star = graph(n as usize, false, (1..n).map(|v| (0, v)));
        assert_eq!(VertexOrder::find(&star, &little(1), 0).width(), 1);
        let two_hubs = graph(n as usize, false, (2..n).flat_map(|v| [(0, v), (1, v)]));
        assert!(VertexOrder::find(&two_hubs, &little(1), 0).width() <= 3);
        let ladder = graph(n as usize, false, (2..n).map(|v| (v - 2, v)).chain((0..n / 2).map(|v| (2 * v, 2 * v + 1))));
        assert!(VertexOrder::find(&ladder, &little(1), 0).width() <= 4);
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let sparse = graph(n as usize, false, (0..n).map(|_| (random.random_range(0..n), random.random_range(0..n))));
        assert_eq!(VertexOrder::find(&sparse, &little(1), 0).vertices().len(), n as usize);
    }
}
