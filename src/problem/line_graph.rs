//! The question about a line graph, asked on its root.

use std::fmt;

use crate::limits::{Observer, limit_setters};
use crate::options::{Engine, Options};
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
    /// A request that may begin with any edge, without a time limit, for the engine [`Auto`](Engine::Auto).
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

    /// Stop as soon as the bound is at most this far above the length. \[default: 0, a proof\]
    #[must_use]
    pub fn gap(mut self, gap: u64) -> Self {
        self.options.goal.gap = gap;
        self
    }

    /// Stop as soon as the bound is above the length by at most this share of the bound: 0.05 is five per cent. Where
    /// [`gap`](Self::gap) is given as well, the greater of the two counts. \[default: 0\] \[range: 0..1\]
    #[must_use]
    pub fn relative_gap(mut self, share: f64) -> Self {
        self.options.goal.relative_gap = share.clamp(0.0, 1.0);
        self
    }

    /// Which engine to use. [`Auto`](Engine::Auto) and [`Trail`](Engine::Trail) work on the multigraph itself; for any other
    /// the line graph is made, within the memory limit. \[default: [`Auto`](Engine::Auto)\]
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.options.engine = engine;
        self
    }

    /// Writes a proof of the answer, in its compact form, which the program `longhaul-check` checks by itself against the line
    /// graph: that no path is longer than the [upper bound](crate::Solution::upper_bound), or that there is none. Edges have
    /// their numbers in the order in which the graph lists them, from one, there. It is made after the answer, within the same
    /// limits. Where none is found nothing is written, and [`Solution::witness`](crate::Solution::witness) says why.
    /// \[default: none\]
    ///
    /// ```
    /// # use longhaul::LongestSequence;
    /// # use petgraph::graph::UnGraph;
    /// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (3, 1)]);
    /// let mut proof = Vec::new();
    /// let solution = LongestSequence::new(&graph).proof(&mut proof).solve()?;
    /// assert_eq!(solution.witness().map(<[u8]>::len), Ok(proof.len()));
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    #[must_use]
    pub fn proof(mut self, out: impl std::io::Write + Send + 'a) -> Self {
        self.proof = Some(Box::new(out));
        self
    }

    /// [`proof`](Self::proof) in words and numbers, for people: larger, and otherwise the same. \[default: the compact form\]
    #[must_use]
    pub fn readable_proof(mut self) -> Self {
        self.options.readable_proof = true;
        self
    }

    /// Debugging: panic at the first sequence longer, or bound smaller, than this known optimum.
    #[doc(hidden)]
    #[must_use]
    pub fn known_optimum(mut self, length: i64) -> Self {
        self.options.goal.known_optimum = Some(length);
        self
    }
}

/// Without the graph, whose ids need not be printable.
impl<G: InputGraph> fmt::Debug for LongestSequence<'_, G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LongestSequence").field("options", &self.options).finish_non_exhaustive()
    }
}
