//! The other question about a graph: its largest clique, a set of nodes of which any two are adjacent.
//!
//! | question | answered by |
//! |---|---|
//! | the largest clique; with node weights the heaviest | [`MaximumClique`] |
//! | all cliques that no node can join | [`MaximalCliques`] |
//!
//! ```text
//! caller's graph ──view──► neighbourhoods ──reduce──► bit rows ──search──► clique of vertices
//!       ▲                                                                        │
//!       └── CliqueSolution<NodeId> ◄── certificate check ◄── lift ───────────────┘
//! ```
//!
//! A clique here is a set of nodes, at least one, whatever the direction of the edges between them; loops and parallel edges
//! do not matter.

mod adjacency;
mod answer;
mod bits;
mod bounding;
mod dense;
mod driver;
mod local_search;
mod maximal;
mod reference;
#[cfg(test)]
mod tests;
mod tree;

use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::certificate::{CliqueColouring, check_clique, check_colouring};
use crate::engine::Engine;
use crate::error::Error;
use crate::limits::{Limits, Meter, Observer, limit_setters};
use crate::solution::{Answer, Progress, Stats, Stop};
use crate::view::{InputGraph, View};

use adjacency::Adjacency;
use driver::Question;
use tree::Shared;

pub use answer::CliqueSolution;
pub use maximal::MaximalCliques;

/// Weights may add up to this; so sums and bounds stay within `i64`.
const WEIGHT_LIMIT: u128 = 1 << 60;

/// How to look for the largest clique.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CliqueEngine {
    /// Local search, reductions, and branch and bound on bit sets.
    #[default]
    BranchAndBound,
    /// Backtracking without any bound, as in El Mahdi Oulkadi, *Optimisation combinatoire du jeu Dobble*: the readable
    /// reference, and a yardstick.
    PlainBacktracking,
}

impl CliqueEngine {
    /// All engines with their names.
    pub const ALL: [(&'static str, CliqueEngine); 2] =
        [("branch-and-bound", CliqueEngine::BranchAndBound), ("plain-backtracking", CliqueEngine::PlainBacktracking)];

    /// The engine for paths that goes about it in the same way.
    fn engine(self) -> Engine {
        match self {
            CliqueEngine::BranchAndBound => Engine::BranchAndBound,
            CliqueEngine::PlainBacktracking => Engine::PlainBacktracking,
        }
    }

    /// The engine's name, as the command line spells it.
    pub fn name(self) -> &'static str {
        match self {
            CliqueEngine::BranchAndBound => "branch-and-bound",
            CliqueEngine::PlainBacktracking => "plain-backtracking",
        }
    }
}

/// A request for the largest clique of a petgraph graph, or the heaviest.
///
/// # Definition
/// A *clique* is a set of nodes, at least one, of which any two are adjacent, in either direction where the graph is directed.
/// Its *weight* is the sum of its nodes' weights, which are 1 without [`node_weights`](Self::node_weights): then the weight is
/// the size.
///
/// # Answers in the corner cases
///
/// | question | answer |
/// |---|---|
/// | a graph without nodes | [`Infeasible`](crate::Status::Infeasible) |
/// | no edges | the heaviest node, optimal |
/// | nodes of weight 0 or less | they are in no answer, unless no node weighs more: then the heaviest node alone |
/// | nothing as heavy as [`lower_bound`](Self::lower_bound) asks for | infeasible |
///
/// # Complexity
/// The problem is NP-hard. For a graph of degeneracy d the search is exponential in d only, and reading takes `O(n + m log m)`.
///
/// # Example
/// ```
/// use longhaul::clique::MaximumClique;
/// use petgraph::graph::UnGraph;
///
/// //  0 ─ 1 ─ 4
/// //  │ ╳ │
/// //  3 ─ 2
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3), (1, 4)]);
/// let solution = MaximumClique::new(&graph).solve()?;
/// assert_eq!(solution.size(), Some(4));
/// assert!(solution.is_optimal());
/// # Ok::<(), longhaul::Error>(())
/// ```
pub struct MaximumClique<'a, G: InputGraph> {
    graph: G,
    weights: Option<Box<dyn Fn(G::NodeId) -> i64 + Send + 'a>>,
    lower_bound: Option<i64>,
    enough: i64,
    engine: CliqueEngine,
    limits: Limits,
    observer: Option<Observer<'a>>,
}

impl<'a, G: InputGraph> MaximumClique<'a, G> {
    /// A request for the largest clique, without limits of time.
    pub fn new(graph: G) -> Self {
        MaximumClique {
            graph,
            weights: None,
            lower_bound: None,
            enough: i64::MAX,
            engine: CliqueEngine::default(),
            limits: Limits::default(),
            observer: None,
        }
    }

    /// The weight of each node; the answer is then the heaviest clique. \[default: 1 each\]
    ///
    /// ```
    /// # use longhaul::clique::MaximumClique;
    /// # use petgraph::graph::UnGraph;
    /// let mut graph = UnGraph::<i64, ()>::from_edges([(0, 1), (1, 2), (0, 2), (2, 3)]);
    /// graph.node_weights_mut().zip([1, 1, 4, 9]).for_each(|(weight, value)| *weight = value);
    /// let solution = MaximumClique::new(&graph).node_weights(|node| graph[node]).solve()?;
    /// assert_eq!((solution.weight(), solution.size()), (Some(13), Some(2)));
    /// # Ok::<(), longhaul::Error>(())
    /// ```
    #[must_use]
    pub fn node_weights(mut self, weight: impl Fn(G::NodeId) -> i64 + Send + 'a) -> Self {
        self.weights = Some(Box::new(weight));
        self
    }

    /// Look only for cliques at least as heavy as this; where there is none, the answer is
    /// [`Infeasible`](crate::Status::Infeasible). A good bound known beforehand spares work, and a wrong one can't lead to a wrong
    /// answer. \[default: any clique\]
    #[must_use]
    pub fn lower_bound(mut self, weight: i64) -> Self {
        self.lower_bound = Some(weight);
        self
    }

    /// Stop, with [`Stop::Gap`], as soon as there is a clique as heavy as this. \[default: the heaviest is wanted\]
    #[must_use]
    pub fn enough(mut self, weight: i64) -> Self {
        self.enough = weight;
        self
    }

    /// How to look for it. \[default: [`BranchAndBound`](CliqueEngine::BranchAndBound)\]
    #[must_use]
    pub fn engine(mut self, engine: CliqueEngine) -> Self {
        self.engine = engine;
        self
    }

    limit_setters!("clique", limits);

    /// Answers the question.
    ///
    /// # Errors
    /// If no thread is asked for, if the graph has too many nodes or edges, or if the weights add up to more than 2⁶⁰. Spent
    /// limits are answers: see [`Status`](crate::Status).
    ///
    /// # Panics
    /// If the answer fails the independent check, which would be a defect of longhaul.
    pub fn solve(mut self) -> Result<CliqueSolution<G::NodeId>, Error> {
        let began = Instant::now();
        if self.limits.threads == 0 {
            return Err(Error::contradiction("no thread is asked for; a search needs 1 or more"));
        }
        let meter = self.limits.start();
        let mut is_over = || meter.spent().is_some();
        let Some(view) = View::new_unless(self.graph, |_| 1, &mut is_over)? else {
            return Ok(self.unread(began, &meter));
        };
        let Some(graph) = Adjacency::new(view.graph(), &mut is_over) else { return Ok(self.unread(began, &meter)) };
        let weights = self.vertex_weights(&view)?;
        let mut answer =
            Answered { clique: Vec::new(), upper: None, witness: None, stats: Stats::default(), stop: None };
        (answer.stats.engine, answer.stats.method) = (self.engine.engine(), self.engine.name());
        answer.stats.peak_bytes = graph.bytes();
        let mut observer = self.observer.take();
        if graph.len() > 0 {
            let mut told = (None, None);
            let mut heard = |incumbent: Option<i64>, upper: i64| {
                let now = (incumbent, Some(upper));
                if now != told
                    && let Some(observer) = &mut observer
                {
                    observer(&Progress {
                        elapsed: began.elapsed(),
                        incumbent,
                        upper_bound: now.1,
                        engine: self.engine.engine(),
                        method: self.engine.name(),
                    });
                }
                told = now;
            };
            let floor = self.lower_bound.map_or(i64::MIN, |least| least.saturating_sub(1));
            match weights.iter().enumerate().max_by_key(|&(vertex, &weight)| (weight, std::cmp::Reverse(vertex))) {
                Some((vertex, &weight)) if weight <= 0 => answer.settle_with_one(vertex as u32, weight, floor),
                _ => self.search(&graph, &weights, floor, meter, &mut answer, &mut heard),
            }
        }
        let nodes: Vec<G::NodeId> = answer.clique.iter().map(|&vertex| view.node(vertex)).collect();
        let weight_of = |node: G::NodeId| self.weights.as_ref().map_or(1, |weight| weight(node));
        let clique = if nodes.is_empty() {
            None
        } else {
            let weight =
                check_clique(self.graph, weight_of, &nodes).expect("every answer is a clique of the caller's graph");
            Some((nodes, weight))
        };
        let witness = answer.witness.map(|classes| {
            let name = |(members, weight): (Vec<u32>, i64)| {
                (members.into_iter().map(|vertex| view.node(vertex)).collect(), weight)
            };
            let witness = CliqueColouring { classes: classes.into_iter().map(name).collect() };
            let proved =
                check_colouring(self.graph, weight_of, &witness).expect("every witness is a colouring of the graph");
            assert_eq!(Some(proved), answer.upper, "a witness proves the bound it stands for");
            witness
        });
        let stats = Stats { elapsed: began.elapsed(), ..answer.stats };
        let stop = answer.stop.unwrap_or(Stop::Finished);
        Ok(CliqueSolution { answer: Answer::new(clique, answer.upper, stop, stats), witness })
    }

    /// The answer where the limits are spent before the graph is read: a node that weighs most, and what all weigh together.
    fn unread(&self, began: Instant, meter: &Meter) -> CliqueSolution<G::NodeId> {
        let weight = |node: G::NodeId| self.weights.as_ref().map_or(1, |weight| weight(node));
        let mut heaviest: Option<(G::NodeId, i64)> = None;
        let mut all: i128 = 0;
        for node in self.graph.node_identifiers() {
            let weight = weight(node);
            all += i128::from(weight.max(0));
            if heaviest.is_none_or(|(_, known)| weight > known) {
                heaviest = Some((node, weight));
            }
        }
        let least = self.lower_bound.unwrap_or(i64::MIN);
        let all = i64::try_from(all).unwrap_or(i64::MAX);
        let stats = Stats {
            method: "reading",
            elapsed: began.elapsed(),
            decisions: vec!["reading: the graph was not read to its end".to_owned()],
            ..Stats::default()
        };
        let clique = heaviest.filter(|&(_, weight)| weight >= least).map(|(node, weight)| (vec![node], weight));
        let upper = if all > 0 { all } else { heaviest.map_or(0, |(_, weight)| weight) };
        let stop = meter.spent().unwrap_or(Stop::Finished);
        CliqueSolution { answer: Answer::new(clique, Some(upper), stop, stats), witness: None }
    }

    /// The weights by vertex; empty where all are 1.
    fn vertex_weights(&self, view: &View<G>) -> Result<Vec<i64>, Error> {
        let Some(weight) = &self.weights else { return Ok(Vec::new()) };
        let weights: Vec<i64> =
            (0..view.graph().vertex_count() as u32).map(|vertex| weight(view.node(vertex))).collect();
        let total: u128 = weights.iter().map(|weight| u128::from(weight.unsigned_abs())).sum();
        if total > WEIGHT_LIMIT {
            return Err(Error::node_weights_too_large(total));
        }
        Ok(if weights.iter().all(|&weight| weight == 1) { Vec::new() } else { weights })
    }

    fn search(
        &self,
        graph: &Adjacency,
        weights: &[i64],
        floor: i64,
        meter: Meter,
        answer: &mut Answered,
        heard: &mut dyn FnMut(Option<i64>, i64),
    ) {
        // Vertices that weigh nothing, or less, only take space in a clique.
        let positive: Vec<u32> = (0..graph.len() as u32)
            .filter(|&vertex| weights.get(vertex as usize).is_none_or(|&weight| weight > 0))
            .collect();
        let thinned = (positive.len() < graph.len()).then(|| graph.induced(&positive));
        let kept_weights: Vec<i64> = match weights {
            [] => Vec::new(),
            weights => positive.iter().map(|&vertex| weights[vertex as usize]).collect(),
        };
        let inner = thinned.as_ref().unwrap_or(graph);
        let shared = Shared::new(meter, floor.max(0), self.enough);
        let mut is_over = || shared.spent();
        let begun = inner.degeneracy(&mut is_over).and_then(|degeneracy| {
            let classes = inner.colour_classes(&degeneracy.order, &kept_weights, &mut is_over)?;
            Some((degeneracy, classes))
        });
        let Some((degeneracy, classes)) = begun else {
            answer.stop = shared.stop();
            let (vertex, upper) = inner.heaviest(&kept_weights).expect("a graph that takes time has vertices");
            let weight = kept_weights.get(vertex as usize).copied().unwrap_or(1);
            if weight > floor {
                answer.clique = vec![positive[vertex as usize]];
            }
            answer.upper = (upper > floor).then_some(upper);
            return;
        };
        let colours = classes.iter().map(|&(_, weight)| weight).sum();
        let best = |shared: &Shared| Some(shared.best()).filter(|_| shared.has_clique());
        heard(None, colours);
        let question = Question {
            graph: inner,
            degeneracy: &degeneracy,
            weights: &kept_weights,
            threads: self.limits.threads,
            memory: self.limits.memory,
            seed: self.limits.seed,
            upper: colours,
        };
        let found = match self.engine {
            CliqueEngine::BranchAndBound => {
                driver::search(&question, &shared, &mut |upper| heard(best(&shared), upper))
            }
            CliqueEngine::PlainBacktracking => {
                reference::search(&question, &shared, &mut |upper| heard(best(&shared), upper))
            }
        };
        answer.clique = found.clique.iter().map(|&vertex| positive[vertex as usize]).collect();
        answer.stop = shared.stop();
        answer.stats.steps = shared.steps.load(Ordering::Relaxed);
        answer.stats.peak_bytes += found.peak_bytes;
        answer.stats.decisions = found.decisions;
        let settled_without = answer.clique.is_empty() && found.upper <= floor;
        answer.upper = (!settled_without).then_some(found.upper);
        if answer.upper == Some(colours) {
            // Vertices without weight join a class that costs nothing.
            let outer = |(members, weight): (Vec<u32>, i64)| {
                (members.iter().map(|&at| positive[at as usize]).collect(), weight)
            };
            answer.witness = Some(classes.into_iter().map(outer).collect());
        }
        if let Some(upper) = answer.upper {
            heard(best(&shared), upper);
        }
    }
}

/// Without the graph, whose ids need not be printable.
impl<G: InputGraph> fmt::Debug for MaximumClique<'_, G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MaximumClique")
            .field("lower_bound", &self.lower_bound)
            .field("enough", &self.enough)
            .field("engine", &self.engine)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// An answer in vertices.
struct Answered {
    clique: Vec<u32>,
    upper: Option<i64>,
    /// Classes with what they cost.
    witness: Option<Vec<(Vec<u32>, i64)>>,
    stats: Stats,
    stop: Option<Stop>,
}

impl Answered {
    /// No vertex weighs more than nothing: the heaviest alone, if that is heavy enough.
    fn settle_with_one(&mut self, vertex: u32, weight: i64, floor: i64) {
        if weight > floor {
            (self.clique, self.upper) = (vec![vertex], Some(weight));
        }
    }
}
