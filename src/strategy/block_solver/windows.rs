//! Windows: a good path is made better by exact searches of small parts of the graph.
//!
//! Inside a *window*, some vertices close together, every edge may be used; outside, only those of the path. What is left
//! outside are chains, so a [sweep](frontier) that folds them away settles the best path in no time: it may take its pieces
//! through the window in another order and another direction, drop some of them, and end elsewhere. The windows go round the
//! graph until none of a size has anything better; then they grow. This is a large neighbourhood search (P. Shaw, *Using constraint
//! programming and local search methods to solve vehicle routing problems*, CP 1998, doi:10.1007/3-540-49481-2_30) whose
//! neighbourhoods are searched to the end.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;

use super::{BlockSolver, Unheard};
use crate::engines::frontier;
use crate::engines::orders::order_at_a_glance;
use crate::instance::{Ends, Instance};
use crate::view::{CsrGraph, Edge};

/// Vertices in the first windows, and at most.
const FIRST_WINDOW: usize = 50;
const LARGEST_WINDOW: usize = 400;
/// Windows of one size are tried until this many times as many vertices have been in one, without anything better.
const ROUNDS: usize = 2;
/// A window whose sweep is predicted to have more states is too large.
const MOST_STATES: f64 = 1e5;
/// So many windows in a row that are too large, and there is no use in others of the size.
const TOO_LARGE: usize = 8;

/// What an order takes for each edge, and a sweep for each state.
const WORK_PER_EDGE: u64 = 10_000;
const WORK_PER_STATE: u64 = 200;

/// Where a search by windows stands, so that it can go on.
#[derive(Clone, Debug)]
pub(super) struct Windows {
    size: usize,
    /// The windows tried, of which the next one depends.
    tried: u64,
    /// Vertices of windows without anything better, since there was.
    in_vain: usize,
    /// The value of the path that it has seen.
    value: i64,
}

impl Default for Windows {
    fn default() -> Self {
        Windows { size: FIRST_WINDOW, tried: 0, in_vain: 0, value: i64::MIN }
    }
}

impl BlockSolver<'_, '_> {
    /// Makes the best path better, for so much work, in units of some nanoseconds.
    pub(super) fn improve_by_windows(&mut self, windows: &mut Windows, mut work: u64) {
        let mut too_large = 0;
        while work > 0 && self.budget.spent().is_none() && !self.settled() {
            let Some((path, value)) = &self.answer.best else { return };
            if windows.value != *value {
                *windows = Windows { value: *value, tried: windows.tried, ..Windows::default() };
            }
            if windows.size > LARGEST_WINDOW {
                return;
            }
            windows.tried += 1;
            let (found, done) = self.best_in_window(path, *value, windows);
            work = work.saturating_sub(done);
            match found {
                Found::Better(path, value) => {
                    self.log.incumbent(value);
                    self.answer.best = Some((path, value));
                    windows.value = value;
                    windows.in_vain = 0;
                }
                Found::Nothing => {
                    too_large = 0;
                    windows.in_vain += windows.size;
                }
                Found::TooLarge => too_large += 1,
            }
            if too_large > TOO_LARGE || windows.in_vain > ROUNDS * self.instance.graph.vertex_count() {
                windows.size = windows.size * 3 / 2;
                windows.in_vain = 0;
            }
            if too_large > TOO_LARGE {
                windows.size = LARGEST_WINDOW + 1;
            }
        }
    }

    /// What there is in the next window, and the work it took.
    fn best_in_window(&self, path: &[u32], value: i64, windows: &Windows) -> (Found, u64) {
        let graph = &self.instance.graph;
        let n = graph.vertex_count();
        let centre = (scattered(windows.tried ^ self.budget.seed) % n as u64) as u32;
        let window = ball(graph, centre, windows.size);
        let mut is_kept = FixedBitSet::with_capacity(graph.edge_count());
        is_kept.extend(graph.edges_along(path).map(|edge| edge as usize));
        if let Ends::Closed { .. } = self.instance.ends {
            is_kept.extend(graph.edge_between(path[path.len() - 1], path[0]).map(|edge| edge as usize));
        }
        for vertex in window.ones() {
            let inside = graph.out_arcs(vertex as u32).iter().filter(|arc| window[arc.target as usize]);
            is_kept.extend(inside.map(|arc| arc.edge as usize));
        }
        let kept: Vec<Edge> = is_kept.ones().map(|edge| graph.edges()[edge]).collect();
        let instance =
            Instance { graph: CsrGraph::from_simple(n, graph.is_directed(), kept), ends: self.instance.ends.clone() };
        // What others beside this know is of no use here: this path is to become better.
        let budget = self.budget.alone();
        let order = order_at_a_glance(&instance.graph, &budget);
        let ordered = WORK_PER_EDGE * instance.graph.edge_count() as u64;
        if order.predicted_states() > MOST_STATES {
            return (Found::TooLarge, ordered);
        }
        let outcome = frontier::solve(&instance, order.vertices(), None, value, &budget, &mut Unheard);
        let found = match outcome.best {
            Some((path, better)) if better > value => Found::Better(path, better),
            _ => Found::Nothing,
        };
        (found, ordered + WORK_PER_STATE * outcome.steps)
    }
}

/// What came of a window.
enum Found {
    Better(Vec<u32>, i64),
    Nothing,
    TooLarge,
}

/// So many vertices round this one, or all that can be reached, whatever the directions.
fn ball(graph: &CsrGraph, centre: u32, size: usize) -> FixedBitSet {
    let mut ball = FixedBitSet::with_capacity(graph.vertex_count());
    let mut queue = VecDeque::from([centre]);
    ball.insert(centre as usize);
    let mut count = 1;
    while let Some(vertex) = queue.pop_front() {
        let back = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
        for arc in graph.out_arcs(vertex).iter().chain(back) {
            if count < size && !ball.put(arc.target as usize) {
                count += 1;
                queue.push_back(arc.target);
            }
        }
    }
    ball
}

/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014,
/// doi:10.1145/2660193.2660195).
fn scattered(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
