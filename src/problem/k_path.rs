//! The question for a path of `k` nodes, and its answer.

use super::setters::{debug_without_graph, end_setters, weight_setter};
use crate::engine::Engine;
use crate::engines::door::DEFAULT_FAILURE_PROBABILITY;
use crate::limits::{Observer, limit_setters};
use crate::options::Options;
use crate::reduce::walks::Missed;
use crate::solution::{Answer, Path, Status, path_accessors, tells_how};
use crate::view::InputGraph;

/// Asks for a simple path of exactly `k` nodes: [`KPath`] with no other option given.
///
/// ```
/// use longhaul::{Status, k_path};
/// use petgraph::graph::UnGraph;
///
/// //  0 ─ 1 ─ 2 ─ 5
/// //      │   │
/// //      4 ─ 3
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 1), (2, 5)]);
/// let answer = k_path(&graph, 4).from(0.into()).to(3.into()).solve()?;
/// assert_eq!(answer.path(), Some(&[0, 1, 2, 3].map(Into::into)[..]));
/// assert_eq!(k_path(&graph, 7).solve()?.status(), Status::Infeasible);
/// # Ok::<(), longhaul::Error>(())
/// ```
pub fn k_path<'a, G: InputGraph>(graph: G, k: usize) -> KPath<'a, G> {
    KPath::new(graph, k)
}

/// A request for a simple path of exactly `k` nodes of a petgraph graph: any, or with [`weights`](Self::weights) the
/// heaviest. For short paths of large graphs, where the longest path is out of reach.
///
/// # What is proved and what is likely
/// A path that is given has been checked. Whether there is none, or none heavier, is hard to prove; longhaul looks for one
/// until it would have missed it with no more than a [failure probability](Self::failure_probability), and
/// [says so](KPathSolution::failure_probability). Sometimes a proof falls off, and the [status](KPathSolution::status) says
/// that:
///
/// | question | found | none found |
/// |---|---|---|
/// | any path | [`Feasible`](Status::Feasible) | [`Unknown`](Status::Unknown) with the probability of a miss, or proved: [`Infeasible`](Status::Infeasible) |
/// | the heaviest | `Feasible` with the probability that a heavier one was missed, or proved: [`Optimal`](Status::Optimal) | the same |
///
/// # Engines
/// - [`Auto`](Engine::Auto): a depth-first try; where the graph is not large the longest path, for a second at most, since its
///   bound may prove that there is none; then whatever is expected to take less work;
/// - [`Backtracking`](Engine::Backtracking): the depth-first search to its end, which is a proof;
/// - [`ColorCoding`](Engine::ColorCoding): `O(e^k m)` expected, in time that falls with more labels than `k`, and `2^k` bits
///   of memory a node; the heaviest path with memory for the states that pruning leaves;
/// - [`PlainColorCoding`](Engine::PlainColorCoding): the same as the source prints it;
/// - [`Sieve`](Engine::Sieve): `O(2^k k m)` and little memory; any path only.
///
/// All but the first two go up to `k = 30`. [`Stats::method`](crate::Stats::method) tells which found the path (`depth-first`
/// for the try).
///
/// # Example
/// ```
/// use longhaul::{Engine, Status, k_path};
/// use petgraph::graph::UnGraph;
///
/// let graph = UnGraph::<(), i64>::from_edges([(0, 1, 5), (1, 2, 1), (2, 3, 4), (3, 0, 2), (0, 2, 7)]);
/// let answer = k_path(&graph, 3).weights(|edge| *edge.weight()).solve()?;
/// assert_eq!((answer.length(), answer.status()), (Some(12), Status::Optimal)); // 1 ─ 0 ─ 2
/// # Ok::<(), longhaul::Error>(())
/// ```
pub struct KPath<'a, G: InputGraph> {
    pub(crate) graph: G,
    pub(crate) k: usize,
    pub(crate) from: Option<G::NodeId>,
    pub(crate) to: Option<G::NodeId>,
    pub(crate) weights: Option<Box<dyn Fn(G::EdgeRef) -> i64 + Send + 'a>>,
    pub(crate) engine: Engine,
    pub(crate) failure_probability: f64,
    pub(crate) options: Options,
    pub(crate) observer: Option<Observer<'a>>,
}

impl<'a, G: InputGraph> KPath<'a, G> {
    /// A request for any path of `k` nodes, with free ends, no time limit and the engine [`Auto`](Engine::Auto).
    pub fn new(graph: G, k: usize) -> Self {
        KPath {
            graph,
            k,
            from: None,
            to: None,
            weights: None,
            engine: Engine::Auto,
            failure_probability: DEFAULT_FAILURE_PROBABILITY,
            options: Options::default(),
            observer: None,
        }
    }

    end_setters!("path", "");

    weight_setter! {
        /// Ask for the heaviest path of `k` nodes, each edge with this weight; negative ones are welcome. \[default: any path\]
    }

    /// If there is a path (a heavier path), it may be missed with this probability.
    /// \[default: 0.001\] \[range: between 0 and 1, both excluded\]
    #[must_use]
    pub fn failure_probability(mut self, probability: f64) -> Self {
        self.failure_probability = probability;
        self
    }

    /// Which engine to use. \[default: [`Auto`](Engine::Auto)\]
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    limit_setters!("path", options.limits);
}

/// The answer to a [`KPath`] question, in the caller's own node and edge ids.
///
/// A path that is given here has passed the [independent check](crate::certificate). The search
/// [has stopped](Self::stop) as [`Finished`](crate::Stop::Finished) where the answer is certain, as [`Exhausted`](crate::Stop::Exhausted)
/// where the failure probability asked for was reached or the engine could do no more, or by a limit.
#[derive(Clone, Debug)]
pub struct KPathSolution<NodeId, EdgeId> {
    pub(crate) answer: Answer<Path<NodeId, EdgeId>>,
    /// Whether the heaviest path was asked for.
    pub(crate) heaviest: bool,
    pub(crate) missed: Missed,
}

impl<NodeId, EdgeId> KPathSolution<NodeId, EdgeId> {
    path_accessors!();

    /// Proved: no path of `k` nodes is heavier than this. `None` if nothing is proved, or that there is no path.
    pub fn upper_bound(&self) -> Option<i64> {
        self.answer.upper_bound().filter(|&upper| upper != i64::MAX)
    }

    /// What is known about the answer; see [the table](KPath).
    pub fn status(&self) -> Status {
        // Any path will do, so none is the longest.
        if self.path().is_some() && !self.heaviest { Status::Feasible } else { self.answer.status() }
    }

    /// If there is a path though none is given, or a heavier one than is given, it was missed with this probability at
    /// most. `None` where the answer is certain.
    pub fn failure_probability(&self) -> Option<f64> {
        match self.missed {
            Missed::Nothing => None,
            Missed::With(_) if self.path().is_some() && !self.heaviest => None,
            Missed::With(probability) => Some(probability),
        }
    }

    /// What all answers tell alike.
    pub fn answer(&self) -> &Answer<Path<NodeId, EdgeId>> {
        &self.answer
    }

    tells_how!();
}

debug_without_graph!(KPath, k, engine, failure_probability, options);
