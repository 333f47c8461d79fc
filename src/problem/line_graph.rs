//! The question about a line graph, asked on its root.

use super::setters::{debug_without_graph, engine_setter, gap_setters, proof_setters, watch_setter};
use crate::limits::{Observer, disk_setter, limit_setters};
use crate::options::Options;
use crate::view::InputGraph;

/// A request for the longest sequence of edges of a multigraph in which each shares an end with the next: the longest path of
/// its [line graph](crate::line_graph), without the line graph, which may be far larger (a star of 10⁵ edges would make
/// 5·10⁹ pairs).
///
/// # Definition
/// A *sequence* holds no edge twice, and at least one. Edges share an end where they meet at a node; parallel edges do, and a
/// self-loop does with every other edge at its node. Directions are ignored. The *length* of a sequence is one less than the
/// number of its edges, as of a path in the line graph, whose nodes they are. A graph without edges has no sequence:
/// [`Infeasible`](crate::Status::Infeasible).
///
/// In the [`Solution`](crate::Solution), `path()` gives the edges in order, and `edges()` the nodes at which each meets the next.
///
/// petgraph's undirected `Csr` lists every edge twice, and each listing counts as an edge here; copy such a graph first.
///
/// # Method and complexity
/// As many edges as make the longest sequence meet the best *trail* of the multigraph (a walk without an edge twice): see Frank
/// Harary, Crispin Nash-Williams, *On eulerian and hamiltonian graphs and line graphs*, Canadian Mathematical Bulletin 8,
/// 1965, DOI 10.4153/CMB-1965-051-3. The problem is NP-hard. `O(n + m)` where some trail is easily found that meets everything;
/// else exponential in the *width* of the multigraph alone, and so linear where all edges hang on a few nodes.
///
/// # Example
/// ```
/// use longhaul::LongestSequence;
/// use petgraph::graph::UnGraph;
///
/// // 0 ─a─ 1 ─b─ 2 ─c─ 3
/// //       │     │
/// //       d     e
/// //       │     │
/// //       4     5 ─f─ 6
/// let tree = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (1, 4), (2, 5), (5, 6)]);
/// let solution = LongestSequence::new(&tree).solve()?;
/// assert_eq!(solution.path().map(|edges| edges.len()), Some(6)); // a d b c e f
/// assert!(solution.is_optimal());
/// # Ok::<(), longhaul::Error>(())
/// ```
pub struct LongestSequence<'a, G: InputGraph> {
    pub(crate) graph: G,
    pub(crate) first: Option<G::EdgeId>,
    pub(crate) options: Options,
    pub(crate) observer: Option<Observer<'a>>,
    pub(crate) proof: Option<Box<dyn std::io::Write + Send + 'a>>,
}

impl<'a, G: InputGraph> LongestSequence<'a, G> {
    /// A request that may begin with any edge, without a time limit, for the engine [`Auto`](crate::Engine::Auto).
    pub fn new(graph: G) -> Self {
        LongestSequence { graph, first: None, options: Options::default(), observer: None, proof: None }
    }

    /// The sequence begins with this edge. \[default: with any\]
    #[must_use]
    pub fn first(mut self, edge: G::EdgeId) -> Self {
        self.first = Some(edge);
        self
    }

    limit_setters!("sequence", options.limits);
    disk_setter!(options.limits);

    gap_setters!();

    engine_setter!(
        "`Auto` and `Trail` work on the multigraph itself; for any other the line graph is made, within the memory limit."
    );

    proof_setters!(
        "line graph",
        "Edges have their numbers in the order in which the graph lists them, from one, there.",
        "# use longhaul::LongestSequence;\n# let graph = petgraph::graph::UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (3, 1)]);\nlet question = LongestSequence::new(&graph);"
    );

    watch_setter!("sequence");
}

debug_without_graph!(LongestSequence, options);
