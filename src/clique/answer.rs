//! The answer to a question about cliques.

use crate::certificate::CliqueColouring;
use crate::solution::{Answer, tells_as_all_do};

/// The answer to a [`MaximumClique`](super::MaximumClique) question, in the caller's own node ids.
///
/// A clique that is given here has passed the independent [check](crate::certificate::check_clique).
#[derive(Clone, Debug)]
pub struct CliqueSolution<NodeId> {
    pub(super) answer: Answer<Vec<NodeId>>,
    pub(super) witness: Option<CliqueColouring<NodeId>>,
}

impl<NodeId> CliqueSolution<NodeId> {
    /// The nodes of the best clique, or `None` if there is none or none was found.
    pub fn nodes(&self) -> Option<&[NodeId]> {
        self.answer.best().map(Vec::as_slice)
    }

    /// How many nodes the best clique has, or `None` without one.
    pub fn size(&self) -> Option<usize> {
        self.nodes().map(<[NodeId]>::len)
    }

    /// The sum of the weights of its nodes (without weights: their number), or `None` without a clique.
    pub fn weight(&self) -> Option<i64> {
        self.answer.worth()
    }

    /// Proved: no clique weighs more than this. `None` if it is proved that there is no clique as asked for.
    pub fn upper_bound(&self) -> Option<i64> {
        self.answer.upper_bound()
    }

    /// A colouring that proves the upper bound, where there is one; see
    /// [`check_colouring`](crate::certificate::check_colouring). Where the search itself proved the bound there is none.
    pub fn witness(&self) -> Option<&CliqueColouring<NodeId>> {
        self.witness.as_ref()
    }

    tells_as_all_do!("the clique is a largest one, or a heaviest", Vec<NodeId>);
}
