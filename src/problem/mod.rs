//! The questions: which graph, which ends, which weights, which limits.

mod sequence;

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::limits::{Limits, Observer, limit_setters};
use crate::reduce::{Reduction, Reductions};
use crate::solution::Solution;
use crate::solver;
use crate::view::InputGraph;

pub use sequence::LongestSequence;

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
    pub(crate) weights: Option<Box<dyn Fn(G::EdgeRef) -> i64 + 'a>>,
    pub(crate) options: Options,
    pub(crate) observer: Option<Observer<'a>>,
}

/// The options that do not depend on the type of the graph.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) engine: Engine,
    pub(crate) limits: Limits,
    pub(crate) gap: u64,
    pub(crate) known_optimum: Option<i64>,
    pub(crate) reductions: Reductions,
    pub(crate) depth_first_bags: bool,
    pub(crate) linear_solver: LinearSolver,
    pub(crate) failure_probability: f64,
}

/// What color coding and the sieve may fail with, unless told otherwise.
pub(crate) const DEFAULT_FAILURE_PROBABILITY: f64 = 1e-3;

impl Default for Options {
    fn default() -> Self {
        Options {
            engine: Engine::Auto,
            limits: Limits::default(),
            gap: 0,
            known_optimum: None,
            reductions: Reductions::all(),
            depth_first_bags: false,
            linear_solver: LinearSolver::Simplex,
            failure_probability: DEFAULT_FAILURE_PROBABILITY,
        }
    }
}

impl<'a, G: InputGraph> LongestPath<'a, G> {
    /// A request with free ends, unit weights, no time limit and the engine [`Auto`](Engine::Auto).
    pub fn new(graph: G) -> Self {
        LongestPath {
            graph,
            from: None,
            to: None,
            closed: false,
            weights: None,
            options: Options::default(),
            observer: None,
        }
    }

    /// The path begins at this node; a [`closed`](Self::closed) one visits it, and is told from it on.
    /// \[default: anywhere\]
    #[must_use]
    pub fn from(mut self, node: G::NodeId) -> Self {
        self.from = Some(node);
        self
    }

    /// The path ends at this node. \[default: anywhere\]
    #[must_use]
    pub fn to(mut self, node: G::NodeId) -> Self {
        self.to = Some(node);
        self
    }

    /// Ask for the longest *cycle*: at least three nodes, at least two where the graph is directed. \[default: a path\]
    #[must_use]
    pub fn closed(mut self) -> Self {
        self.closed = true;
        self
    }

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
    #[must_use]
    pub fn weights(mut self, weight: impl Fn(G::EdgeRef) -> i64 + 'a) -> Self {
        self.weights = Some(Box::new(weight));
        self
    }

    limit_setters!("path", options.limits);

    /// Stop as soon as the bound is at most this far above the length. \[default: 0, a proof\]
    #[must_use]
    pub fn gap(mut self, gap: u64) -> Self {
        self.options.gap = gap;
        self
    }

    /// Which engine to use. \[default: [`Auto`](Engine::Auto)\]
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.options.engine = engine;
        self
    }

    /// Do without one of the reductions of [`Auto`](Engine::Auto): slower, the answer is the same. \[default: all are used\]
    #[must_use]
    pub fn without(mut self, reduction: Reduction) -> Self {
        self.options.reductions.switch_off(reduction);
        self
    }

    /// The engine [`Signature`](Engine::Signature) takes the bags of source 000, the root-to-leaf paths of a depth-first
    /// search, instead of those of a good vertex order. \[default: a vertex order\]
    #[must_use]
    pub fn depth_first_bags(mut self) -> Self {
        self.options.depth_first_bags = true;
        self
    }

    /// What solves the linear programs of the engine [`BranchAndCut`](Engine::BranchAndCut), when that is asked for by name.
    /// \[default: [`Simplex`](LinearSolver::Simplex)\]
    #[must_use]
    pub fn linear_solver(mut self, solver: LinearSolver) -> Self {
        self.options.linear_solver = solver;
        self
    }

    /// The engines [`ColorCoding`](Engine::ColorCoding), [`PlainColorCoding`](Engine::PlainColorCoding) and
    /// [`Sieve`](Engine::Sieve) stop looking for a path of so many nodes when they would have missed one with this
    /// probability at most. \[default: 0.001\] \[range: between 0 and 1, both excluded\]
    #[must_use]
    pub fn failure_probability(mut self, probability: f64) -> Self {
        self.options.failure_probability = probability;
        self
    }

    /// Debugging: panic at the first path longer, or bound smaller, than this known optimum.
    #[doc(hidden)]
    #[must_use]
    pub fn known_optimum(mut self, length: i64) -> Self {
        self.options.known_optimum = Some(length);
        self
    }

    /// Answers the question.
    ///
    /// # Errors
    /// If an end is not in the graph, if options contradict each other ([`closed`](Self::closed) with
    /// [`to`](Self::to), no thread at all, the sieve with weights, [`Highs`](LinearSolver::Highs) with another engine or without
    /// its feature), or if the graph or its weights are out of range. Spent limits and graphs
    /// without a path are answers: see [`Status`](crate::Status).
    ///
    /// # Panics
    /// If the answer fails the independent check, which would be a defect of longhaul.
    pub fn solve(self) -> Result<Solution<G::NodeId, G::EdgeId>, Error> {
        solver::solve(self)
    }
}

/// The engines that can be asked for by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Whatever fits the graph; the choice is explained in [`Stats::decisions`](crate::Stats::decisions).
    #[default]
    Auto,
    /// Choose, recurse, keep the best, going back where the rest can't beat it. Exact, exponential.
    Backtracking,
    /// The same without any pruning: the brute force of the sources, as a yardstick.
    PlainBacktracking,
    /// Depth-first branch and bound on bit sets. Exact, for up to 128 vertices; larger graphs get a trivial bound and
    /// [`Stop::Exhausted`](crate::Stop::Exhausted).
    BranchAndBound,
    /// Branch and cut: a linear program over edges and vertices, violated cuts, a tree of cases. Exact; for sparse graphs of
    /// some hundred vertices, however wide.
    BranchAndCut,
    /// Dynamic programming over the frontier of a vertex order. Exact, exponential in the width of the graph only; a
    /// graph too wide for it gets a bound and [`Stop::Exhausted`](crate::Stop::Exhausted).
    Frontier,
    /// The signature dynamic program of source 000 along a path decomposition. Exact, for narrow graphs; cycles get a
    /// trivial bound and [`Stop::Exhausted`](crate::Stop::Exhausted).
    Signature,
    /// The trail of the root that makes the path, where the graph is the line graph of a multigraph: free ends, one or both of
    /// them fixed, cycles. Exact, exponential in the width of the root only, or by branch and cut where that is wide. Cycles of
    /// wide roots get a bound and [`Stop::Exhausted`](crate::Stop::Exhausted); other graphs, and edges that do not all weigh 1,
    /// a trivial one.
    Trail,
    /// Local search alone: a good path soon and no bound but a trivial one. It ends with
    /// [`Stop::Exhausted`](crate::Stop::Exhausted) by an effort of its own unless a limit comes first.
    LocalSearch,
    /// Color coding: random labels, and dynamic programming over sets of labels. Finds paths of up to 30 nodes in large
    /// graphs, the longest by doubling and bisection; proves no bound but what walks do. For [`k_path`](crate::k_path)
    /// above all.
    ColorCoding,
    /// Color coding as source 000 prints it, as a yardstick.
    PlainColorCoding,
    /// The algebraic sieve: a polynomial that is not zero exactly if there is a path of so many nodes, evaluated at random.
    /// As [`ColorCoding`](Self::ColorCoding), for edges of equal weight only.
    Sieve,
}

impl Engine {
    /// All engines with their names.
    pub const ALL: [(&'static str, Engine); 12] = [
        ("auto", Engine::Auto),
        ("backtracking", Engine::Backtracking),
        ("plain-backtracking", Engine::PlainBacktracking),
        ("branch-and-bound", Engine::BranchAndBound),
        ("branch-and-cut", Engine::BranchAndCut),
        ("frontier", Engine::Frontier),
        ("signature", Engine::Signature),
        ("trail", Engine::Trail),
        ("local-search", Engine::LocalSearch),
        ("color-coding", Engine::ColorCoding),
        ("plain-color-coding", Engine::PlainColorCoding),
        ("sieve", Engine::Sieve),
    ];

    /// The engine's name, as the command line spells it.
    pub fn name(self) -> &'static str {
        let entry = Self::ALL.iter().find(|(_, engine)| *engine == self);
        entry.expect("every engine is in the list").0
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A name that no engine has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine '{0}'; the engines are {names}", names = Engine::ALL.map(|(name, _)| name).join(", "))]
pub struct UnknownEngine(String);

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        let entry = Self::ALL.iter().find(|(known, _)| *known == name);
        entry.map(|(_, engine)| *engine).ok_or_else(|| UnknownEngine(name.to_owned()))
    }
}

/// What solves the linear programs of branch and cut. Bounds are proved in integers whichever it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LinearSolver {
    /// longhaul's own dual simplex method.
    #[default]
    Simplex,
    /// [HiGHS](https://highs.dev), where longhaul is built with the feature `highs`.
    Highs,
}

impl LinearSolver {
    /// All of them with their names, as the command line spells them.
    pub const ALL: [(&'static str, LinearSolver); 2] =
        [("simplex", LinearSolver::Simplex), ("highs", LinearSolver::Highs)];
}
