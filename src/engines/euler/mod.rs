//! The longest trail by branch and cut: for graphs too wide for a sweep.
//!
//! A set of edges is a trail exactly if it hangs together and no vertex but the ends has another number of its edges in than
//! out, or without directions an odd number of them (L. Euler, *Solutio problematis ad geometriam situs pertinentis*, 1741). With
//! the *outside* of the graph between its ends a trail is closed: it crosses the border of every set of vertices an even number of
//! times, twice at least if it visits the inside. The [`model`] says so by columns and rows for the [tree of
//! cases](crate::branching), whose bounds are [proved](crate::lp::proof) in integers; the rows that matter come as they are
//! violated, connectivity as for the rural postman (Á. Corberán, G. Laporte, eds., *Arc Routing: Problems, Methods, and
//! Applications*, SIAM 2014, DOI 10.1137/1.9781611973679) and parity as for T-joins (J. Edmonds, E. L. Johnson, *Matching,
//! Euler tours and the Chinese postman*, Mathematical Programming 5, 1973, DOI 10.1007/BF01580113). A [`guess`] mends what a
//! fractional solution prefers: odd vertices are paired by paths that cost little to turn round.
//!
//! The tree may have as many leaves as there are trails; memory is a few hundred bytes for every open node and every entry of
//! a row. The search can pause and go on.

mod guess;
mod model;
#[cfg(test)]
mod tests;

use self::model::Trails;
use crate::branching::{Known, Pause, Relaxation, Tree};
use crate::instance::{Budget, Monitor};
use crate::lp::Simplex;
use crate::solution::Stop;

/// A connected multigraph, and where its trails begin and end. They have an edge.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) vertex_count: usize,
    pub(crate) directed: bool,
    /// Source, target, weight; loops and parallel edges are edges like all others.
    pub(crate) edges: Vec<(u32, u32, i64)>,
    pub(crate) from: Option<u32>,
    pub(crate) to: Option<u32>,
    pub(crate) closed: bool,
}

/// A search that can pause and go on.
pub(crate) struct Search {
    tree: Tree<Trails, Simplex>,
}

/// What a search has brought.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The best trail above the floor as a set of edges, with its worth.
    pub(crate) best: Option<(Vec<u32>, i64)>,
    /// No trail is worth more than this, or than the floor.
    pub(crate) upper: i64,
    /// Why it is not settled; [`Exhausted`](Stop::Exhausted) where it is time for a pause.
    pub(crate) stop: Option<Stop>,
    pub(crate) pivots: u64,
    pub(crate) bytes: usize,
}

/// Columns and entries of a program take so much, about, before any cut.
const BYTES_AN_EDGE: usize = 800;

impl Search {
    /// Only trails worth more than `floor` matter, and none is worth more than `upper`. `None` if the program has no room in
    /// so much memory.
    pub(crate) fn new(question: Question, floor: i64, upper: i64, memory: usize) -> Option<Self> {
        if (question.edges.len() + question.vertex_count) * BYTES_AN_EDGE > memory {
            return None;
        }
        let trails = Trails::new(question);
        let relaxation = Relaxation::new(trails.worth.clone(), 0, trails.ranges(), trails.rows(), None);
        let known = Known::between(floor, upper);
        Some(Search { tree: Tree::new(trails, relaxation, known) })
    }

    /// A trail made without the program, to begin with.
    pub(crate) fn guess(&mut self, budget: &Budget, monitor: &mut dyn Monitor) {
        let values: Vec<f64> =
            self.tree.formulation.worth.iter().map(|&worth| f64::from(u8::from(worth > 0))).collect();
        if let Some(trail) = guess::near(&self.tree.formulation.question, &values, budget) {
            self.tree.offer(trail, monitor);
        }
    }

    /// Goes on until it is settled, the budget is spent, or so much work is done: a unit for every row at every pivot.
    pub(crate) fn run(&mut self, work: Option<u64>, budget: &Budget, monitor: &mut dyn Monitor) -> Found {
        let pause = work.map_or(Pause::Never, |work| Pause::AtWork(self.tree.relaxation.work + work));
        let stop =
            if self.tree.known.upper <= self.tree.lower() { None } else { self.tree.run(pause, budget, monitor) };
        let known = &self.tree.known;
        Found {
            best: known.best.clone(),
            upper: known.upper,
            stop,
            pivots: self.tree.pivots(),
            bytes: known.peak_bytes,
        }
    }

    /// A trail of this worth is known from elsewhere, and this bound is proved.
    pub(crate) fn learn(&mut self, worth: i64, upper: i64) {
        let known = &mut self.tree.known;
        known.floor = known.floor.max(worth);
        known.upper = known.upper.min(upper).max(known.lower());
    }
}
