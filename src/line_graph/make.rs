//! Making a line graph.
//!
//! No pair of edges is looked up: an edge has at most two ends, so a pair can come up twice only if it is parallel, and is then
//! taken at the smaller end alone.

use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;

use crate::view::InputGraph;

/// A line graph that would take too much.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the line graph has {nodes} nodes and {edges} edges; it would take {bytes} bytes, and the limit is {limit}")]
pub struct TooLarge {
    nodes: usize,
    edges: u128,
    bytes: u128,
    limit: usize,
}

impl TooLarge {
    /// How many edges the line graph has.
    pub fn edges(&self) -> u128 {
        self.edges
    }
}

/// How many edges the line graph of `graph` has, without making it.
///
/// # Complexity
/// `O(n + m log m)`, the logarithm for parallel edges only.
///
/// # Example
/// ```
/// use petgraph::graph::UnGraph;
///
/// let star = UnGraph::<(), ()>::from_edges((1..=100_000u32).map(|leaf| (0, leaf)));
/// assert_eq!(longhaul::line_graph::edge_count(&star), 100_000 * 99_999 / 2);
/// ```
pub fn edge_count<G: InputGraph>(graph: G) -> u128 {
    Incidence::new(graph.node_bound(), &ends(graph)).pair_count()
}

/// The line graph of `graph`; the weight of each node is the edge of `graph` that it stands for, in the order of
/// `edge_references`.
///
/// petgraph's undirected `Csr` lists every edge twice, and each listing counts as an edge here; copy such a graph first.
///
/// # Errors
/// If it would take more than `memory_limit` bytes, or more than 2³² − 1 nodes or edges.
///
/// # Complexity
/// Linear in the graph and its line graph, but for a sort of the parallel edges.
///
/// # Example
/// ```
/// use petgraph::graph::UnGraph;
///
/// //  0 ─a─ 1 ─b─ 2            a ─ b
/// //        │            makes  \ /
/// //        c                    c
/// //        3
/// let root = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (1, 3)]);
/// let triangle = longhaul::line_graph::line_graph(&root, 1 << 20)?;
/// assert_eq!((triangle.node_count(), triangle.edge_count()), (3, 3));
/// # Ok::<(), longhaul::line_graph::TooLarge>(())
/// ```
pub fn line_graph<G: InputGraph>(graph: G, memory_limit: usize) -> Result<UnGraph<G::EdgeId, ()>, TooLarge> {
    let ends = ends(graph);
    build(graph.node_bound(), &ends, graph.edge_references().map(|edge| edge.id()), memory_limit)
}

/// The line graph of the bipartite multigraph whose edges these pairs are: two pairs are joined if they agree on the left or
/// on the right. The weight of each node is its position in `pairs`.
///
/// # Errors
/// As [`line_graph`].
///
/// # Example
/// ```
/// let cards = longhaul::line_graph::of_pairs(&[(5, 3), (5, 1), (2, 1), (5, 3)], 1 << 20)?;
/// assert_eq!(cards.edge_count(), 4);
/// # Ok::<(), longhaul::line_graph::TooLarge>(())
/// ```
pub fn of_pairs(pairs: &[(u32, u32)], memory_limit: usize) -> Result<UnGraph<usize, ()>, TooLarge> {
    let distinct = |side: fn(&(u32, u32)) -> u32| {
        let mut values: Vec<u32> = pairs.iter().map(side).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    let (left, right) = (distinct(|pair| pair.0), distinct(|pair| pair.1));
    let rank = |values: &[u32], value: u32| values.partition_point(|&other| other < value);
    let ends: Vec<[usize; 2]> =
        pairs.iter().map(|pair| [rank(&left, pair.0), left.len() + rank(&right, pair.1)]).collect();
    build(left.len() + right.len(), &ends, 0..pairs.len(), memory_limit)
}

/// The two ends of every edge, the smaller first.
fn ends<G: InputGraph>(graph: G) -> Vec<[usize; 2]> {
    let ends = graph.edge_references().map(|edge| [graph.to_index(edge.source()), graph.to_index(edge.target())]);
    ends.map(|[one, two]| [one.min(two), one.max(two)]).collect()
}

fn build<Id>(
    end_bound: usize,
    ends: &[[usize; 2]],
    ids: impl Iterator<Item = Id>,
    memory_limit: usize,
) -> Result<UnGraph<Id, ()>, TooLarge> {
    let incidence = Incidence::new(end_bound, ends);
    let edges = incidence.pair_count();
    let node_bytes = size_of::<petgraph::graph::Node<Id>>() as u128;
    let bytes = ends.len() as u128 * node_bytes + edges * size_of::<petgraph::graph::Edge<()>>() as u128;
    let most = u128::from(u32::MAX);
    if bytes > memory_limit as u128 || edges >= most || ends.len() as u128 >= most {
        return Err(TooLarge { nodes: ends.len(), edges, bytes, limit: memory_limit });
    }

    let mut line = UnGraph::with_capacity(ends.len(), edges as usize);
    for id in ids {
        line.add_node(id);
    }
    for meeting in 0..end_bound {
        let row = incidence.row(meeting);
        for (later, &two) in row.iter().enumerate() {
            for &one in &row[..later] {
                let parallel = ends[one] == ends[two];
                if !parallel || ends[one][0] == meeting {
                    line.add_edge(NodeIndex::new(one), NodeIndex::new(two), ());
                }
            }
        }
    }
    Ok(line)
}

/// Which edges meet at each end.
struct Incidence<'a> {
    ends: &'a [[usize; 2]],
    /// The edges at `v` are `edges[starts[v]..starts[v + 1]]`, in ascending order.
    starts: Vec<usize>,
    edges: Vec<usize>,
}

impl<'a> Incidence<'a> {
    fn new(end_bound: usize, ends: &'a [[usize; 2]]) -> Self {
        let distinct = |[one, two]: [usize; 2]| std::iter::once(one).chain((two != one).then_some(two));
        let mut starts = vec![0; end_bound + 1];
        ends.iter().flat_map(|&pair| distinct(pair)).for_each(|end| starts[end + 1] += 1);
        for end in 0..end_bound {
            starts[end + 1] += starts[end];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; starts[end_bound]];
        for (edge, &pair) in ends.iter().enumerate() {
            for end in distinct(pair) {
                edges[next[end]] = edge;
                next[end] += 1;
            }
        }
        Incidence { ends, starts, edges }
    }

    fn row(&self, end: usize) -> &[usize] {
        &self.edges[self.starts[end]..self.starts[end + 1]]
    }

    /// Pairs that meet, those that meet at both ends once.
    fn pair_count(&self) -> u128 {
        let pairs = |count: usize| count as u128 * (count as u128).saturating_sub(1) / 2;
        let meetings: u128 = self.starts.windows(2).map(|row| pairs(row[1] - row[0])).sum();
        let mut proper: Vec<[usize; 2]> = self.ends.iter().copied().filter(|[one, two]| one != two).collect();
        proper.sort_unstable();
        let twice: u128 = proper.chunk_by(|one, two| one == two).map(|parallel| pairs(parallel.len())).sum();
        meetings - twice
    }
}
