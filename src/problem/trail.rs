//! The longest trail of a graph: no edge twice, nodes as often as they come.

use super::setters::{closed_setter, debug_without_graph, end_setters, gap_setters, weight_setter};
use crate::limits::{Observer, disk_setter, limit_setters};
use crate::options::Options;
use crate::view::InputGraph;

/// A request for the longest *trail* of a petgraph graph: the longest road of Catan, the longest route of Ticket to Ride.
///
/// # Definition
/// A *trail* uses no edge twice; nodes it may visit as often as it likes. Its *length* is the sum of its edges' weights; without
/// [`weights`](Self::weights) every edge weighs 1. Parallel edges and self-loops are edges like all others. A single node is a
/// trail of length 0. Unless told otherwise the trail may begin and end anywhere.
///
/// In the [`Solution`](crate::Solution), `path()` gives the nodes in order, those that are visited again as well, and `edges()`
/// the edges between them; for a [`closed`](Self::closed) trail the closing edge is the last.
///
/// petgraph's undirected `Csr` lists every edge twice, and each listing counts as an edge here; copy such a graph first.
///
/// # Answers in the corner cases
///
/// | question | answer |
/// |---|---|
/// | a graph without nodes | [`Infeasible`](crate::Status::Infeasible) |
/// | no edges, or only negative weights (free ends) | a single node, length 0, optimal |
/// | a connected graph in which all degrees are even, or all but two | all its edges, at once |
/// | no trail between the ends, [`closed`](Self::closed) without any cycle | infeasible |
///
/// # Method and complexity
/// A connected set of edges is a trail exactly if at most two degrees in it are odd (Euler 1741), so this is a search for the
/// heaviest such set, NP-hard without further limits. Linear where all edges can be used. Where the graph is narrow, dynamic
/// programming over the frontier of a vertex order, exponential in the width of the graph only, pruned by the same without
/// connectivity, which is a lightest T-join (J. Edmonds, E. L. Johnson, *Matching, Euler tours and the Chinese postman*,
/// Mathematical Programming 5, 1973, DOI 10.1007/BF01580113). Where it is wide, branch and cut over edges and ends, whose cuts
/// say what is even and what hangs together; it has a trail and a bound at any time.
///
/// # Example
/// ```
/// use longhaul::LongestTrail;
/// use petgraph::graph::UnGraph;
///
/// // 0 ─ 1 ─ 2
/// // │ ╳ │   │    the square 0 1 4 3 with both diagonals, and the square 1 2 5 4
/// // 3 ─ 4 ─ 5
/// let edges = [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5), (0, 4), (1, 3)];
/// let graph = UnGraph::<(), ()>::from_edges(edges);
/// let solution = LongestTrail::new(&graph).solve()?;
/// assert_eq!((solution.length(), solution.is_optimal()), (Some(9), true)); // only 0 and 3 are odd
/// # Ok::<(), longhaul::Error>(())
/// ```
pub struct LongestTrail<'a, G: InputGraph> {
    pub(crate) graph: G,
    pub(crate) from: Option<G::NodeId>,
    pub(crate) to: Option<G::NodeId>,
    pub(crate) closed: bool,
    pub(crate) weights: Option<Box<dyn Fn(G::EdgeRef) -> i64 + Send + 'a>>,
    pub(crate) options: Options,
    pub(crate) observer: Option<Observer<'a>>,
}

impl<'a, G: InputGraph> LongestTrail<'a, G> {
    /// A request with free ends, unit weights and no time limit.
    pub fn new(graph: G) -> Self {
        let options = Options::default();
        LongestTrail { graph, from: None, to: None, closed: false, weights: None, options, observer: None }
    }

    end_setters!("trail", "; a [`closed`](Self::closed) one visits it, and is told from it on");

    closed_setter! {
        /// Ask for the longest closed trail, of at least one edge, which ends where it began. \[default: an open one will do\]
    }

    weight_setter! {
        /// The weight of each edge; negative ones are welcome. \[default: 1 each\]
    }

    limit_setters!("trail", options.limits);
    disk_setter!(options.limits);

    gap_setters!();
}

debug_without_graph!(LongestTrail, closed, options);
