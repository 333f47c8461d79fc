//! The longest path of a graph.

use super::setters::{
    closed_setter, debug_without_graph, end_setters, engine_setter, gap_setters, proof_setters, watch_setter,
    weight_setter,
};
use crate::certificate::Demands;
use crate::limits::{Observer, disk_setter, limit_setters};
use crate::options::Options;
use crate::view::InputGraph;

/// A request for the longest simple path of a petgraph graph.
///
/// # Definition
/// A *path* visits no node twice and has at least one node. Its *length* is the sum of its edges' weights; without
/// [`weights`](Self::weights) every edge weighs 1, so the length is the number of edges. A single node is a path of
/// length 0. Of parallel edges the heaviest counts, and self-loops never do.
///
/// Unless told otherwise the path may begin and end anywhere.
///
/// # Answers in the corner cases
///
/// | question | answer |
/// |---|---|
/// | a graph without nodes | [`Infeasible`](crate::Status::Infeasible) |
/// | one node, or no edges, or only negative weights (free ends) | a single node, length 0, optimal |
/// | several components | the best path of any |
/// | [`from`](Self::from) and [`to`](Self::to) the same node | that node alone, length 0, optimal |
/// | no path between the ends | infeasible |
/// | [`closed`](Self::closed) without any cycle | infeasible |
///
/// # Complexity
/// The problem is NP-hard; every engine says what it takes. Reading the graph takes `O(n + m)`.
///
/// # Example
/// ```
/// use longhaul::LongestPath;
/// use petgraph::graph::UnGraph;
///
/// //   0 ─ 1 ─ 2
/// //       │   │
/// //       4 ─ 3 ─ 5
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 1), (3, 5)]);
/// let solution = LongestPath::new(&graph).from(0.into()).solve()?;
/// assert_eq!(solution.length(), Some(4));
/// assert!(solution.is_optimal());
/// # Ok::<(), longhaul::Error>(())
/// ```
pub struct LongestPath<'a, G: InputGraph> {
    pub(crate) graph: G,
    pub(crate) from: Option<G::NodeId>,
    pub(crate) to: Option<G::NodeId>,
    pub(crate) closed: bool,
    pub(crate) weights: Option<Box<dyn Fn(G::EdgeRef) -> i64 + Send + 'a>>,
    pub(crate) prizes: Option<Box<dyn Fn(G::NodeId) -> i64 + Send + 'a>>,
    pub(crate) demands: Demands<G::NodeId, G::EdgeId>,
    pub(crate) options: Options,
    pub(crate) observer: Option<Observer<'a>>,
    pub(crate) proof: Option<Box<dyn std::io::Write + Send + 'a>>,
}

impl<'a, G: InputGraph> LongestPath<'a, G> {
    /// A request with free ends, unit weights, no time limit and the engine [`Auto`](crate::Engine::Auto).
    pub fn new(graph: G) -> Self {
        LongestPath {
            graph,
            from: None,
            to: None,
            closed: false,
            weights: None,
            prizes: None,
            demands: Demands::none(),
            options: Options::default(),
            observer: None,
            proof: None,
        }
    }

    end_setters!("path", "; a [`closed`](Self::closed) one visits it, and is told from it on");

    closed_setter! {
        /// Ask for the longest *cycle*: at least three nodes, at least two where the graph is directed. \[default: a path\]
    }

    weight_setter! {
        /// The weight of each edge; negative ones are welcome. \[default: 1 each\]
        ///
        /// Lengths are exact: weights so large that a sum could pass 2⁶⁰ are refused when solving.
        ///
        /// ```
        /// # use longhaul::LongestPath;
        /// # use petgraph::graph::DiGraph;
        /// let graph = DiGraph::<(), i64>::from_edges([(0, 1, 5), (0, 2, 1), (2, 1, 3)]);
        /// let solution = LongestPath::new(&graph).weights(|edge| *edge.weight()).solve()?;
        /// assert_eq!(solution.length(), Some(5));
        /// # Ok::<(), longhaul::Error>(())
        /// ```
    }

    limit_setters!("path", options.limits);
    disk_setter!(options.limits);

    gap_setters!();

    engine_setter!();

    proof_setters!(
        "graph",
        "Vertices have the numbers [`to_index`](petgraph::visit::NodeIndexable::to_index) plus one there.",
        "# use longhaul::LongestPath;\n# let graph = petgraph::graph::UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (1, 3)]);\nlet question = LongestPath::new(&graph);"
    );

    watch_setter!("path");
}

debug_without_graph!(LongestPath, closed, options);
