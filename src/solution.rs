//! Answers.

use std::fmt;
use std::time::Duration;

use crate::engine::Engine;

/// What is known about the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// The engine that settled the question, or came last to it. [`Auto`](Engine::Auto) where a step of the automatic engine
    /// did: its reductions, its bounds, its quick tries.
    pub engine: Engine,
    /// The same in a word: the name of the engine, or of the step, such as `bound` or `depth-first`. Questions that have no
    /// engines to choose from tell here how they were answered.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "method_name"))]
    pub method: MethodName,
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

/// What a step is called. As a name of its own, so that what is read need not live as long as the program.
type MethodName = &'static str;

/// The name of an engine or a step, of which all are known here.
#[cfg(feature = "serde")]
fn method_name<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    let name: std::borrow::Cow<'de, str> = serde::Deserialize::deserialize(deserializer)?;
    Ok(METHODS.iter().find(|known| **known == name).copied().unwrap_or_default())
}

/// What engines and steps are called in [`Stats`].
#[cfg(feature = "serde")]
const METHODS: [&str; 16] = [
    "auto",
    "backtracking",
    "plain-backtracking",
    "signature",
    "frontier",
    "color-coding",
    "plain-color-coding",
    "sieve",
    "local-search",
    "trail",
    "branch-and-bound",
    "branch-and-cut",
    "conflict",
    "walks",
    "bound",
    "reading",
];

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

/// What every answer tells: the best that was found and its worth, what is proved, why the search ended, and how it came about.
///
/// The answers of all questions hold one; what only some can tell, they tell beside it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer<T> {
    best: Option<(T, i64)>,
    upper_bound: Option<i64>,
    stop: Stop,
    stats: Stats,
}

impl<T> Answer<T> {
    /// An answer in these words. Where worth and bound meet, or there is neither, the question is settled, whatever else has
    /// stopped the search.
    pub fn new(best: Option<(T, i64)>, upper_bound: Option<i64>, stop: Stop, stats: Stats) -> Self {
        let settled = best.as_ref().map(|&(_, worth)| worth) == upper_bound;
        Answer { best, upper_bound, stop: if settled { Stop::Finished } else { stop }, stats }
    }

    /// The best that was found; `None` if there is nothing of the kind, or nothing was found.
    pub fn best(&self) -> Option<&T> {
        self.best.as_ref().map(|(best, _)| best)
    }

    /// The same, for whoever wants to keep it.
    pub fn into_best(self) -> Option<T> {
        self.best.map(|(best, _)| best)
    }

    /// What the best is worth: a length, a weight, a number of cards.
    pub fn worth(&self) -> Option<i64> {
        self.best.as_ref().map(|&(_, worth)| worth)
    }

    /// Proved: nothing is worth more than this. `None` if it is proved that there is nothing of the kind.
    pub fn upper_bound(&self) -> Option<i64> {
        self.upper_bound
    }

    /// What is known about the answer.
    pub fn status(&self) -> Status {
        match (self.worth(), self.upper_bound) {
            (Some(worth), Some(upper)) if worth == upper => Status::Optimal,
            (Some(_), _) => Status::Feasible,
            (None, None) => Status::Infeasible,
            (None, Some(_)) => Status::Unknown,
        }
    }

    /// Whether it is proved that nothing is better.
    pub fn is_optimal(&self) -> bool {
        self.status() == Status::Optimal
    }

    /// Why the search ended.
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// How the answer came about.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The same answer, with no more than a look at the best.
    pub fn as_ref(&self) -> Answer<&T> {
        let best = self.best.as_ref().map(|(best, worth)| (best, *worth));
        Answer { best, upper_bound: self.upper_bound, stop: self.stop, stats: self.stats.clone() }
    }

    /// The same answer in other words.
    pub fn map<U>(self, best: impl FnOnce(T) -> U) -> Answer<U> {
        let Answer { best: found, upper_bound, stop, stats } = self;
        Answer { best: found.map(|(found, worth)| (best(found), worth)), upper_bound, stop, stats }
    }

    /// The same answer where everything is worth so much more.
    #[must_use]
    pub fn worth_more(self, by: i64) -> Self {
        let more = |worth: i64| worth.saturating_add(by);
        let best = self.best.map(|(best, worth)| (best, more(worth)));
        Answer { best, upper_bound: self.upper_bound.map(more), ..self }
    }
}

/// What an answer tells as all do, of a type with an [`Answer`] of that kind in the field `answer`; the best of it is called so.
macro_rules! tells_as_all_do {
    ($best:literal, $kind:ty) => {
        /// What all answers tell alike.
        pub fn answer(&self) -> &$crate::solution::Answer<$kind> {
            &self.answer
        }

        /// What is known about the answer.
        pub fn status(&self) -> $crate::solution::Status {
            self.answer.status()
        }

        #[doc = concat!("Whether it is proved that ", $best, ".")]
        pub fn is_optimal(&self) -> bool {
            self.answer.is_optimal()
        }

        $crate::solution::tells_how!();
    };
}

/// Why the search for an answer ended and how it went, likewise.
macro_rules! tells_how {
    () => {
        /// Why the search ended.
        pub fn stop(&self) -> $crate::solution::Stop {
            self.answer.stop()
        }

        /// How the answer came about.
        pub fn stats(&self) -> &$crate::solution::Stats {
            self.answer.stats()
        }
    };
}

pub(crate) use {tells_as_all_do, tells_how};

/// The answer to a [`LongestPath`](crate::LongestPath) question, in the caller's own node and edge ids.
///
/// A path that is given here has passed the [independent check](crate::certificate).
///
/// With the feature `serde` it can be stored and read again, where node and edge ids can ([`map`](Self::map) gives them other
/// names); what is read has passed no check.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Solution<NodeId, EdgeId> {
    pub(crate) answer: Answer<Path<NodeId, EdgeId>>,
    /// The proof, or why there is none.
    pub(crate) witness: Result<Vec<u8>, String>,
}

/// A path (or cycle) in the caller's own node and edge ids, with its length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

    /// With its length, as answers hold it.
    pub(crate) fn with_length(self) -> (Self, i64) {
        let length = self.length;
        (self, length)
    }

    /// The nodes and the edges, for whoever wants to keep them.
    pub fn into_parts(self) -> (Vec<NodeId>, Vec<EdgeId>) {
        (self.nodes, self.edges)
    }
}

/// What there is to tell of the path in an `answer`.
macro_rules! path_accessors {
    () => {
        /// The nodes of the best path in order (of the best cycle, each once), or `None` if there is none or none was found.
        pub fn path(&self) -> Option<&[NodeId]> {
            self.answer.best().map(|path| path.nodes())
        }

        /// The edges along [`path`](Self::path): one fewer than its nodes; as many, the closing edge last, for a cycle.
        /// Empty if there is no path.
        pub fn edges(&self) -> &[EdgeId] {
            self.answer.best().map_or(&[], |path| path.edges())
        }

        /// The sum of the weights of [`edges`](Self::edges) (unit weights: their number), with the
        /// [prizes](crate::LongestPath::prizes) of the nodes where there are any; `None` without a path.
        pub fn length(&self) -> Option<i64> {
            self.answer.worth()
        }
    };
}

pub(crate) use path_accessors;

/// One line: the status, the length and the bound.
impl<NodeId, EdgeId> fmt::Display for Solution<NodeId, EdgeId> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.status(), self.length(), self.upper_bound()) {
            (Status::Optimal, Some(length), _) => write!(formatter, "optimal: length {length}"),
            (Status::Feasible, Some(length), Some(upper)) => {
                write!(formatter, "feasible: length {length}, at most {upper} ({})", self.stop())
            }
            (Status::Infeasible, ..) => write!(formatter, "infeasible: there is no such path"),
            (status, _, _) => write!(formatter, "{status}: no path found ({})", self.stop()),
        }
    }
}

impl<NodeId, EdgeId> Solution<NodeId, EdgeId> {
    path_accessors!();

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
        self.answer.into_best()
    }

    /// Proved: no path is longer than this. `None` if it is proved that there is no path.
    pub fn upper_bound(&self) -> Option<i64> {
        self.answer.upper_bound()
    }

    tells_as_all_do!("the path is a longest one", Path<NodeId, EdgeId>);

    /// The proof of [`upper_bound`](Self::upper_bound), where one was [asked for](crate::LongestPath::proof): what
    /// `longhaul-check` reads.
    ///
    /// # Errors
    /// Why there is none: it was not asked for, or not found within the limits.
    pub fn witness(&self) -> Result<&[u8], &str> {
        self.witness.as_deref().map_err(String::as_str)
    }

    /// The same answer with other names for nodes and edges.
    #[must_use]
    pub fn map<N, E>(self, node: impl Fn(NodeId) -> N, edge: impl Fn(EdgeId) -> E) -> Solution<N, E> {
        let path = |path: Path<NodeId, EdgeId>| Path {
            nodes: path.nodes.into_iter().map(node).collect(),
            edges: path.edges.into_iter().map(edge).collect(),
            length: path.length,
        };
        Solution { answer: self.answer.map(path), witness: self.witness }
    }
}
