//! The answer to a question about cliques.

use crate::certificate::CliqueColouring;
use crate::solution::{Stats, Status, Stop};

/// The answer to a [`MaximumClique`](super::MaximumClique) question, in the caller's own node ids.
///
/// A clique that is given here has passed the independent [check](crate::certificate::check_clique).
#[derive(Clone, Debug)]
pub struct CliqueSolution<NodeId> {
    /// The best clique and its weight.
    pub(super) clique: Option<(Vec<NodeId>, i64)>,
    pub(super) upper_bound: Option<i64>,
    pub(super) stop: Stop,
    pub(super) witness: Option<CliqueColouring<NodeId>>,
    pub(super) stats: Stats,
}

impl<NodeId> CliqueSolution<NodeId> {
    /// The nodes of the best clique, or `None` if there is none or none was found.
    pub fn nodes(&self) -> Option<&[NodeId]> {
        self.clique.as_ref().map(|(nodes, _)| nodes.as_slice())
    }

    /// How many nodes the best clique has, or `None` without one.
    pub fn size(&self) -> Option<usize> {
        self.nodes().map(<[NodeId]>::len)
    }

    /// The sum of the weights of its nodes (without weights: their number), or `None` without a clique.
    pub fn weight(&self) -> Option<i64> {
        self.clique.as_ref().map(|&(_, weight)| weight)
    }

    /// Proved: no clique weighs more than this. `None` if it is proved that there is no clique as asked for.
    pub fn upper_bound(&self) -> Option<i64> {
        self.upper_bound
    }

    /// A colouring that proves the upper bound, where there is one; see
    /// [`check_colouring`](crate::certificate::check_colouring). Where the search itself proved the bound there is none.
    pub fn witness(&self) -> Option<&CliqueColouring<NodeId>> {
        self.witness.as_ref()
    }

    /// What is known about the answer.
    pub fn status(&self) -> Status {
        match (self.weight(), self.upper_bound) {
            (Some(weight), Some(upper)) if weight == upper => Status::Optimal,
            (Some(_), _) => Status::Feasible,
            (None, None) => Status::Infeasible,
            (None, Some(_)) => Status::Unknown,
        }
    }

    /// Whether the clique is proved to be a largest one, or a heaviest.
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
}
