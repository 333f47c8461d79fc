//! What the engines would take for the part, and which of them it fits.

use std::time::Duration;

use super::{BlockSolver, LARGEST_PROGRAM};
use crate::engines::branch_and_bound;
use crate::instance::{Ends, NOT_AN_END};
use crate::reduce::Reduction;
use crate::reduce::chains::{self, Shortened};

/// Steps of a first branch and bound, which settles most small parts, times the number of vertices, or of edges where there are
/// more than so many for each: each step takes longer the more there are.
const SHORT_TREE: u64 = 300_000;
const DENSE_FOR_TREES: usize = 4;

/// From so many vertices on, and up to so many edges for each, a short try at branch and cut comes even before that at branch
/// and bound.
const FIT_FOR_CUTS: usize = 60;
const SPARSE: usize = 3;

/// With no more edges a linear program is solved so fast that branch and cut has this short try even before a sweep that is
/// not [narrow](super::NARROW).
const SMALL_PROGRAM: usize = 1_000;
/// Where edges have different weights it has one before branch and bound, and where no sweep would end, with up to so many.
const WEIGHTED_PROGRAM: usize = 20_000;

/// What one greedy order predicts where a good one is too wide as well.
const WIDE_AT_A_GLANCE: f64 = 1e18;

/// Where more vertices have other than two neighbours, branch and bound won't fit however short the chains are.
const MOST_BRANCHING: usize = 4 * branch_and_bound::LARGEST;

/// What a sweep takes for each state that a quick order predicts, about. Most are pruned in sparse graphs, as mazes and roads
/// are, which have no more than so many edges for each vertex, and still more for cycles and where both ends are fixed.
const SECONDS_PER_STATE: f64 = 3e-8;
const SECONDS_PER_STATE_BETWEEN_ENDS: f64 = 5e-9;
const SECONDS_PER_SPARSE_STATE: f64 = 4e-9;
const SECONDS_PER_SPARSE_STATE_BETWEEN_ENDS: f64 = 2e-9;
const SECONDS_PER_SPARSE_STATE_OF_CYCLES: f64 = 1.5e-9;
const SPARSE_FOR_SWEEPS: usize = 2;

impl BlockSolver<'_, '_> {
    /// Whether a short try at branch and cut is worth its while.
    pub(super) fn is_fit_for_cuts(&self) -> bool {
        let graph = &self.instance.graph;
        graph.vertex_count() >= FIT_FOR_CUTS && graph.edge_count() <= SPARSE * graph.vertex_count()
    }

    /// Whether the linear program is so small that a short try is worth its while even before a sweep.
    pub(super) fn is_small_program(&self) -> bool {
        self.instance.graph.edge_count() <= SMALL_PROGRAM
    }

    /// Whether edges have different weights, which trees are bad at, and the linear program is not too large for a short try before
    /// them.
    pub(super) fn is_weighted_program(&self) -> bool {
        let edges = self.instance.graph.edges();
        edges.len() <= WEIGHTED_PROGRAM && edges.iter().any(|edge| edge.weight != edges[0].weight)
    }

    /// Steps of a short try of branch and bound.
    pub(super) fn short_tree(&self) -> u64 {
        let graph = &self.instance.graph;
        SHORT_TREE / graph.vertex_count().max(graph.edge_count() / DENSE_FOR_TREES).max(1) as u64
    }

    /// Whether branch and bound can take the part, without its long chains where it is shortened.
    pub(super) fn fits_tree(&self, shortened: Option<&Shortened>) -> bool {
        let instance = shortened.map_or(self.instance, |short| &short.instance);
        instance.graph.vertex_count() <= branch_and_bound::LARGEST
    }

    /// What a sweep of so many predicted states takes, about.
    pub(super) fn seconds_for(&self, predicted: f64) -> f64 {
        let is_fixed = |prizes: &[i64]| prizes.iter().filter(|&&prize| prize != NOT_AN_END).take(2).count() == 1;
        let (between_ends, is_closed) = match &self.instance.ends {
            Ends::Open { first, last, .. } => (is_fixed(first) && is_fixed(last), false),
            Ends::Closed { through } => (through.is_some(), true),
        };
        let graph = &self.instance.graph;
        let is_sparse = !graph.is_directed() && graph.edge_count() <= SPARSE_FOR_SWEEPS * graph.vertex_count();
        predicted
            * match (between_ends, is_sparse) {
                (_, true) if is_closed => SECONDS_PER_SPARSE_STATE_OF_CYCLES,
                (true, true) => SECONDS_PER_SPARSE_STATE_BETWEEN_ENDS,
                (true, false) => SECONDS_PER_STATE_BETWEEN_ENDS,
                (false, true) => SECONDS_PER_SPARSE_STATE,
                (false, false) => SECONDS_PER_STATE,
            }
    }

    /// Whether a sweep of so many predicted states is likely to end before the deadline.
    pub(super) fn has_time_for_sweep(&self, predicted: f64) -> bool {
        let time = Duration::try_from_secs_f64(self.seconds_for(predicted)).unwrap_or(Duration::MAX);
        self.budget.left().is_none_or(|left| left > time)
    }

    /// Whether even the first order that comes to mind shows that no sweep will end.
    pub(super) fn is_wide_at_a_glance(&self) -> bool {
        self.instance.graph.edge_count() <= LARGEST_PROGRAM && self.at_a_glance().predicted_states() > WIDE_AT_A_GLANCE
    }

    /// Without long chains, where that may make it small enough for branch and bound.
    pub(super) fn shortened(&self) -> Option<Shortened> {
        let graph = &self.instance.graph;
        let mut branching = (0..graph.vertex_count() as u32).filter(|&vertex| graph.out_arcs(vertex).len() != 2);
        let shortens = self.context.reductions.has(Reduction::Chains)
            && !graph.is_directed()
            && branching.nth(MOST_BRANCHING).is_none();
        if shortens { chains::shorten(self.instance) } else { None }
    }
}
