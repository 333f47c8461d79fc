//! Answers.

use std::fmt;
use std::time::Duration;

use crate::engine::Engine;

/// What is known about the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The path is a longest one; that is proved.
    Optimal,
    /// There is a path, checked, and a proved upper bound above its length; see [`Solution::stop`] for why the search
    /// ended.
    Feasible,
    /// There is no path of the kind asked for; that is proved.
    Infeasible,
    /// The search ended before it found a path or proved that there is none.
    Unknown,
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Status::Optimal => "optimal",
            Status::Feasible => "feasible",
            Status::Infeasible => "infeasible",
            Status::Unknown => "unknown",
        })
    }
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stop {
    /// The question is settled.
    Finished,
    /// The engine asked for can do no more: it proves no bound, or not this one.
    Exhausted,
    /// The bound is as close to the length as [`gap`](crate::LongestPath::gap) asked for.
    Gap,
    /// The [time limit](crate::LongestPath::time_limit) is spent.
    TimeLimit,
    /// The next step would not have fitted in the [memory limit](crate::LongestPath::memory_limit).
    MemoryLimit,
    /// The [interrupt flag](crate::LongestPath::interrupt) was raised.
    Interrupted,
}

impl fmt::Display for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Stop::Finished => "finished",
            Stop::Exhausted => "exhausted",
            Stop::Gap => "gap",
            Stop::TimeLimit => "time-limit",
            Stop::MemoryLimit => "memory-limit",
            Stop::Interrupted => "interrupted",
        })
    }
}

/// How the answer came about.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// The engine that settled the question, or came last to it. [`Auto`](Engine::Auto) where a step of the automatic engine
    /// did: its reductions, its bounds, its quick tries.
    pub engine: Engine,
    /// The same in a word: the name of the engine, or of the step, such as `bound` or `depth-first`. Questions that have no
    /// engines to choose from tell here how they were answered.
    pub method: &'static str,
    /// Time from the call of `solve` to its answer, the check included.
    pub elapsed: Duration,
    /// Search steps taken: vertices chosen, states made, nodes of a tree, whatever the engine counts.
    pub steps: u64,
    /// The most memory that engines and dense graph held at once, as they account for it, in bytes.
    pub peak_bytes: usize,
    /// The most states in one layer of the frontier program; 0 if it was not at work.
    pub peak_states: usize,
    /// What each of those takes with its value, in bytes.
    pub state_bytes: usize,
    /// What was decided and why, a sentence each, in order.
    pub decisions: Vec<String>,
}

/// One row of the log: the state of a run at the moment when either side improved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Time since the call of `solve`.
    pub elapsed: Duration,
    /// The length of the best path so far.
    pub incumbent: Option<i64>,
    /// The least proved upper bound so far; `None` before there is one, and where it is proved that no path exists.
    pub upper_bound: Option<i64>,
    /// The engine at work.
    pub engine: Engine,
    /// The same in a word, as in [`Stats::method`].
    pub method: &'static str,
}

/// The answer to a [`LongestPath`](crate::LongestPath) question, in the caller's own node and edge ids.
///
/// A path that is given here has passed the [independent check](crate::certificate).
#[derive(Clone, Debug)]
pub struct Solution<NodeId, EdgeId> {
    pub(crate) path: Option<Path<NodeId, EdgeId>>,
    pub(crate) upper_bound: Option<i64>,
    pub(crate) stop: Stop,
    pub(crate) stats: Stats,
    /// The proof, or why there is none.
    pub(crate) witness: Result<Vec<u8>, String>,
}

/// A path (or cycle) in the caller's own node and edge ids, with its length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path<NodeId, EdgeId> {
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) edges: Vec<EdgeId>,
    pub(crate) length: i64,
}

impl<NodeId, EdgeId> Path<NodeId, EdgeId> {
    /// The nodes in order; of a cycle each once.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The edges in order: one fewer than the nodes; as many, the closing edge last, for a cycle.
    pub fn edges(&self) -> &[EdgeId] {
        &self.edges
    }

    /// The sum of the weights of the edges, and of the prizes of the nodes where there are any.
    pub fn length(&self) -> i64 {
        self.length
    }

    /// The nodes and the edges, for whoever wants to keep them.
    pub fn into_parts(self) -> (Vec<NodeId>, Vec<EdgeId>) {
        (self.nodes, self.edges)
    }
}

/// One line: the status, the length and the bound.
impl<NodeId, EdgeId> fmt::Display for Solution<NodeId, EdgeId> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.status(), self.length(), self.upper_bound) {
            (Status::Optimal, Some(length), _) => write!(formatter, "optimal: length {length}"),
            (Status::Feasible, Some(length), Some(upper)) => {
                write!(formatter, "feasible: length {length}, at most {upper} ({})", self.stop)
            }
            (Status::Infeasible, ..) => write!(formatter, "infeasible: there is no such path"),
            (status, _, _) => write!(formatter, "{status}: no path found ({})", self.stop),
        }
    }
}

impl<NodeId, EdgeId> Solution<NodeId, EdgeId> {
    /// The nodes of the best path in order (of the best cycle, each once), or `None` if there is none or none was found.
    pub fn path(&self) -> Option<&[NodeId]> {
        self.path.as_ref().map(|path| path.nodes.as_slice())
    }

    /// The edges along [`path`](Self::path): one fewer than its nodes; as many, the closing edge last, for a cycle.
    /// Empty if there is no path.
    pub fn edges(&self) -> &[EdgeId] {
        self.path.as_ref().map_or(&[], |path| path.edges.as_slice())
    }

    /// The sum of the weights of [`edges`](Self::edges) (unit weights: their number), with the
    /// [prizes](crate::LongestPath::prizes) of the nodes where there are any; `None` without a path.
    pub fn length(&self) -> Option<i64> {
        self.path.as_ref().map(|path| path.length)
    }

    /// The weight of each of [`edges`](Self::edges), as `weight` gives it.
    ///
    /// ```
    /// use longhaul::LongestPath;
    /// use petgraph::graph::UnGraph;
    ///
    /// let graph = UnGraph::<(), i64>::from_edges([(0, 1, 5), (1, 2, 7)]);
    /// let solution = LongestPath::new(&graph).weights(|edge| *edge.weight()).solve()?;
    /// assert_eq!(solution.edge_weights(|edge| graph[edge]).sum::<i64>(), 12);
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    pub fn edge_weights<'a, W>(&'a self, weight: impl Fn(EdgeId) -> W + 'a) -> impl Iterator<Item = W> + 'a
    where
        EdgeId: Copy,
    {
        self.edges().iter().map(move |&edge| weight(edge))
    }

    /// The best path, for whoever wants to keep it; `None` if there is none or none was found.
    pub fn into_path(self) -> Option<Path<NodeId, EdgeId>> {
        self.path
    }

    /// Proved: no path is longer than this. `None` if it is proved that there is no path.
    pub fn upper_bound(&self) -> Option<i64> {
        self.upper_bound
    }

    /// What is known about the answer.
    pub fn status(&self) -> Status {
        match (&self.path, self.upper_bound) {
            (Some(path), Some(upper)) if path.length == upper => Status::Optimal,
            (Some(_), _) => Status::Feasible,
            (None, None) => Status::Infeasible,
            (None, Some(_)) => Status::Unknown,
        }
    }

    /// Whether the path is proved to be a longest one.
    pub fn is_optimal(&self) -> bool {
        self.status() == Status::Optimal
    }

    /// Why the search ended.
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// The proof of [`upper_bound`](Self::upper_bound), where one was [asked for](crate::LongestPath::proof): what
    /// `longhaul-check` reads.
    ///
    /// # Errors
    /// Why there is none: it was not asked for, or not found within the limits.
    pub fn witness(&self) -> Result<&[u8], &str> {
        self.witness.as_deref().map_err(String::as_str)
    }

    /// How the answer came about.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The same answer with other names for nodes and edges.
    #[must_use]
    pub fn map<N, E>(self, node: impl Fn(NodeId) -> N, edge: impl Fn(EdgeId) -> E) -> Solution<N, E> {
        let path = self.path.map(|path| Path {
            nodes: path.nodes.into_iter().map(node).collect(),
            edges: path.edges.into_iter().map(edge).collect(),
            length: path.length,
        });
        Solution { path, upper_bound: self.upper_bound, stop: self.stop, stats: self.stats, witness: self.witness }
    }
}
