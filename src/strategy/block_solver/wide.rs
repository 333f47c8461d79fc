//! What no short try settles, and no sweep at once: branch and cut, the sweep, the search tree, and who goes first.
//!
//! Branch and cut has a share of what a sweep would take, and what it rules out makes the sweep narrower. With two threads
//! to use, and enough to do, it works [at the same time](race) as the search for an order and then as the sweep along it, each
//! with what the other knows; so do those of which neither has an end in sight, which otherwise take turns.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use super::desk::Desk;
use super::learning::Pausing;
use super::{BlockSolver, FIRST_PAUSE, Found, HOPELESS, HOPELESS_DIRECTED, LEAST_CUTS, PATIENCE_PER_CUTS};
use crate::decompose::VertexOrder;
use crate::disk::Disk;
use crate::engine::Engine;
use crate::engines::branch_and_cut;
use crate::engines::orders::{self, better_order, quick_order};
use crate::instance::{Budget, Congruence, Instance, LinearBound, Outcome};
use crate::reduce::chains::Shortened;
use crate::solution::Stop;
use crate::strategy::race;
use crate::strategy::scope::{Context, Log};
use crate::view::{CsrGraph, Edge};

/// The share of branch and cut, for each second that a sweep would take; it works on about ten million units a second.
const CUTS_PER_SECOND: f64 = 0.07 * 1e7;

/// Where a sweep takes no more seconds than this, a second thread isn't worth its while.
const WORTH_TWO: f64 = 0.5;

/// Beside a sweep of more seconds than this branch and cut has its share so many times over: what it may settle is worth more
/// than a second thread.
const LONG_SWEEP: f64 = 5.0;
const SHARES_BESIDE: u64 = 6;

/// The work of branch and cut before others begin beside it, where the sweep has no end in sight.
const CUTS_ALONE: u64 = 10_000_000;

/// Where branch and cut makes the sweep that many times shorter, it had better begin anew.
const FAR_NARROWER: f64 = 8.0;

/// What a first look at a directed graph may take of the time; the work in balls before the root, some nanoseconds a unit,
/// where one thread does both.
const SHARE_OF_LOOK: f64 = 0.3;
const BALLS_PER_VERTEX: u64 = 300_000;
/// With more predicted states the look is no use: no sweep will come after it.
const LARGEST_LOOK: f64 = 1e13;

/// Up to so many predicted states a sweep is quicker without gains beside values: it soon finds a path to prune with.
const WORTH_GAINS: f64 = 5e6;

/// A better order predicts so many times fewer states at best, and has this share of the time to be found, but no more seconds
/// than this.
const MOST_NARROWER: f64 = 20.0;
const SHARE_OF_ORDER: f64 = 0.05;
const MOST_FOR_ORDER: f64 = 1.0;

/// Of so many edges one more must be ruled out for a new look at what is left.
const MANY: usize = 20;

/// With more predicted states than this a sweep that has no end in sight has a share of the time only: its bounds may prune
/// nearly all, and if not it is the turn of better paths, which make the next one narrower.
const LIKELY_BESIDE: f64 = 1e11;
const SHARE_OF_SWEEP_BESIDE: f64 = 0.35;

/// More predicted states than this, and a sweep beside branch and cut proves nothing either.
const LARGEST_BESIDE: f64 = 1e16;

/// What a sweep has to do.
pub(super) struct Prospect {
    /// The instance without the edges that branch and cut has ruled out, if they are many.
    pub(super) reduced: Option<Instance>,
    pub(super) order: VertexOrder,
    pub(super) ruled_out: usize,
    /// What branch and cut proves of all its paths.
    pub(super) bound: Option<LinearBound>,
}

impl BlockSolver<'_, '_> {
    /// Settles the part, if time allows. It `is_swept` if a sweep along the order has come to nothing.
    pub(super) fn settle_wide(
        &mut self,
        mut pausing: Pausing<'_>,
        quick: VertexOrder,
        is_swept: bool,
        shortened: Option<&Shortened>,
    ) {
        let n = self.instance.graph.vertex_count();
        let order = if is_swept { quick } else { self.brought_in_sight(quick, &mut pausing, shortened) };
        let predicted = order.predicted_states();
        let words = format!("{n} vertices, frontier {}, about {predicted:.0e} states predicted", order.width());
        self.log.enter(Engine::BranchAndCut, format!("branch and cut: {words}"));
        let share = self.share_of_cuts(predicted, shortened);
        let by_two = |block_solver: &Self| {
            block_solver.budget.threads_now() > 1 && block_solver.seconds_for(predicted) > WORTH_TWO
        };
        let mut prospect = Prospect { reduced: None, order, ruled_out: 0, bound: None };
        // Above so many predicted states another sweep is of no use.
        let mut most_states = if is_swept { predicted / FAR_NARROWER } else { f64::INFINITY };
        let in_sight = !is_swept && self.has_end_in_sight(predicted, shortened);
        if self.instance.graph.is_directed() && predicted <= LARGEST_LOOK {
            self.look_round(&mut pausing);
        } else if !in_sight {
            self.cut_beside_shaking(&mut pausing, share.min(CUTS_ALONE));
        } else if !by_two(self) {
            let left = share.saturating_sub(pausing.cut_so_far);
            self.cut(&mut pausing, left);
        }

        // A thread may become free on the way.
        let (mut turn, mut may_share) = (1, true);
        while !self.settled() {
            if let Some(narrower) = self.narrower(&pausing.cuts, &prospect) {
                prospect = narrower;
            }
            let predicted = prospect.order.predicted_states();
            prospect.bound = if predicted > WORTH_GAINS { self.linear_bound(&pausing.cuts, &prospect) } else { None };
            if predicted <= most_states && self.has_end_in_sight(predicted, shortened) {
                if by_two(self) && !self.instance.graph.is_directed() {
                    self.order_and_sweep_beside_cuts(&mut pausing, &mut prospect, shortened);
                } else {
                    self.within_share(self.share_of_sweep(predicted), |block_solver| {
                        block_solver.sweep(&prospect, shortened)
                    });
                }
                most_states = prospect.order.predicted_states() / FAR_NARROWER;
            } else if may_share && by_two(self) {
                may_share = self.work_beside_cuts(&mut pausing, &prospect, most_states, shortened);
            } else if self.take_turns(turn, &mut pausing, &prospect, shortened) {
                turn += 1;
            } else {
                break;
            }
        }
    }

    /// Before a sweep of a directed graph: a good path, and all that the linear program of the root tells, which together
    /// decide how much the sweep has to see; both at the same time where there are two threads.
    fn look_round(&mut self, pausing: &mut Pausing<'_>) {
        let n = self.instance.graph.vertex_count();
        self.within_share(SHARE_OF_LOOK, |block_solver| {
            block_solver.log.enter(Engine::LocalSearch, format!("local search: {n} vertices, exactly within balls"));
            if block_solver.budget.threads_now() > 1 {
                let mut balls = std::mem::take(&mut pausing.balls);
                block_solver.concurrent(
                    |block_solver| {
                        block_solver.look_into_balls(&mut balls, u64::MAX);
                        block_solver.settled()
                    },
                    |block_solver| {
                        block_solver.cut_root(pausing);
                        true
                    },
                );
                pausing.balls = balls;
            } else {
                block_solver.look_into_balls(&mut pausing.balls, n as u64 * BALLS_PER_VERTEX);
                block_solver.cut_root(pausing);
            }
        });
    }

    /// Branch and cut until it would begin to branch; what it uses is swept for a path now and then.
    fn cut_root(&mut self, pausing: &mut Pausing<'_>) {
        let n = self.instance.graph.vertex_count();
        self.log.enter(Engine::BranchAndCut, format!("branch and cut: {n} vertices, the root"));
        let cuts = &mut pausing.cuts;
        while !self.is_over() && !cuts.is_past_root() {
            self.go_on_cutting(cuts, |cuts, budget, monitor| cuts.run_root(LEAST_CUTS, budget, monitor));
            pausing.cut_so_far += LEAST_CUTS;
            if !self.is_over() {
                self.sweep_support(
                    &cuts.uses(),
                    Duration::from_nanos(LEAST_CUTS * PATIENCE_PER_CUTS),
                    &mut pausing.savings,
                );
            }
        }
    }

    /// Whether nothing is left to do, or no limit allows it. An engine that has done its share ends nothing: others go on.
    pub(super) fn is_over(&self) -> bool {
        self.settled() || !matches!(self.answer.stop, None | Some(Stop::Exhausted))
    }

    /// What branch and cut proves of all paths that are left.
    fn linear_bound(&self, cuts: &branch_and_cut::Search<'_>, prospect: &Prospect) -> Option<LinearBound> {
        let bound = cuts.linear_bound()?;
        Some(match &prospect.reduced {
            Some(reduced) => bound.restricted(&self.instance.graph, &reduced.graph),
            None => bound,
        })
    }

    /// The work of branch and cut for a sweep of so many predicted states.
    fn share_of_cuts(&self, predicted: f64, shortened: Option<&Shortened>) -> u64 {
        let most = if self.fits_tree(shortened) { 10 * LEAST_CUTS } else { u64::MAX };
        ((self.seconds_for(predicted) * CUTS_PER_SECOND) as u64).clamp(LEAST_CUTS, most)
    }

    /// The same beside such a sweep.
    fn cuts_beside(&self, predicted: f64, shortened: Option<&Shortened>) -> u64 {
        let shares = if self.seconds_for(predicted) > LONG_SWEEP { SHARES_BESIDE } else { 1 };
        self.share_of_cuts(predicted, shortened).saturating_mul(shares)
    }

    /// Whether a sweep of so many predicted states will end, and before a search tree where one fits.
    fn has_end_in_sight(&self, predicted: f64, shortened: Option<&Shortened>) -> bool {
        let is_tree_better = self.fits_tree(shortened) && self.instance.graph.is_directed();
        let hopeless = if is_tree_better { HOPELESS_DIRECTED } else { HOPELESS };
        predicted <= hopeless && self.has_time_for_sweep(predicted)
    }

    /// A better order where that may bring the end of a sweep in sight, with branch and cut beside the search for it.
    fn brought_in_sight(
        &mut self,
        quick: VertexOrder,
        pausing: &mut Pausing<'_>,
        shortened: Option<&Shortened>,
    ) -> VertexOrder {
        let predicted = quick.predicted_states();
        let is_near = self.has_end_in_sight(predicted / MOST_NARROWER, shortened);
        let Some(left) = self.budget.left().filter(|_| is_near && !self.has_end_in_sight(predicted, shortened)) else {
            return quick;
        };
        let work = (left.as_secs_f64() * SHARE_OF_ORDER).min(MOST_FOR_ORDER) * orders::WORK_PER_SECOND;
        let graph = &self.instance.graph;
        if self.budget.threads_now() == 1 {
            return better_order(graph, quick, work / predicted, &self.budget);
        }
        let n = graph.vertex_count();
        self.log.enter(
            Engine::BranchAndCut,
            format!("branch and cut: {n} vertices, a better order is looked for beside it"),
        );
        let mut order = quick.clone();
        self.beside_cuts(pausing, u64::MAX, |block_solver| {
            order = better_order(graph, quick, work / predicted, &block_solver.budget);
        });
        order
    }

    /// What part of the time left a sweep of so many predicted states may take: predictions may be wrong, and then branch and cut
    /// had better get its turn. Where edges are directed it had its turn before, and there little else will help.
    fn share_of_sweep(&self, predicted: f64) -> f64 {
        match (self.instance.graph.is_directed(), self.has_time_for_sweep(4.0 * predicted)) {
            (true, _) => 0.95,
            (false, false) => 0.8,
            (false, true) => 0.5,
        }
    }

    /// What is to be done after branch and cut has ruled out many more edges, if it has.
    fn narrower(&self, cuts: &branch_and_cut::Search<'_>, than: &Prospect) -> Option<Prospect> {
        let graph = &self.instance.graph;
        let kept: Vec<Edge> =
            (0..).zip(graph.edges()).filter(|(edge, _)| cuts.is_of_use(*edge)).map(|(_, &line)| line).collect();
        let ruled_out = graph.edge_count() - kept.len();
        if (ruled_out - than.ruled_out) * MANY < graph.edge_count() {
            return None;
        }
        let graph = CsrGraph::from_simple(graph.vertex_count(), graph.is_directed(), kept);
        let quick = quick_order(&graph, &self.budget);
        let known = VertexOrder::of(&graph, than.order.vertices().to_vec()).expect("it has the same vertices");
        let order = if known.predicted_states() < quick.predicted_states() { known } else { quick };
        Some(Prospect {
            reduced: Some(Instance { graph, ends: self.instance.ends.clone() }),
            order,
            ruled_out,
            bound: None,
        })
    }

    /// Branch and cut beside the search for a better order, and then beside the sweep along it.
    pub(super) fn order_and_sweep_beside_cuts(
        &mut self,
        pausing: &mut Pausing<'_>,
        prospect: &mut Prospect,
        shortened: Option<&Shortened>,
    ) {
        let before = pausing.cut_so_far;
        let mut order = prospect.order.clone();
        let share = self.cuts_beside(order.predicted_states(), shortened);
        self.beside_cuts(pausing, share, |block_solver| order = block_solver.order(prospect));
        prospect.order = order;
        if self.is_over() {
            return;
        }
        if let Some(narrower) = self.narrower(&pausing.cuts, prospect) {
            *prospect = narrower;
        }
        let share = self.cuts_beside(prospect.order.predicted_states(), shortened);
        self.sweep_beside_cuts(pausing, prospect, share.saturating_sub(pausing.cut_so_far - before), shortened);
    }

    /// Does something with branch and cut beside it, which ends with it, or before when its share is done.
    fn beside_cuts(
        &mut self,
        pausing: &mut Pausing<'_>,
        share_of_cuts: u64,
        work: impl FnOnce(&mut BlockSolver<'_, '_>) + Send,
    ) {
        self.concurrent(
            |block_solver| {
                work(block_solver);
                true
            },
            |block_solver| {
                block_solver.cut(pausing, share_of_cuts);
                block_solver.settled()
            },
        );
    }

    /// Sweeps, with branch and cut beside it for its share; its thread is the others' then, unless what it leaves is far narrower,
    /// which ends both.
    fn sweep_beside_cuts(
        &mut self,
        pausing: &mut Pausing<'_>,
        prospect: &Prospect,
        share_of_cuts: u64,
        shortened: Option<&Shortened>,
    ) {
        let predicted = prospect.order.predicted_states();
        let share = self.share_of_sweep(predicted);
        self.concurrent(
            |block_solver| {
                block_solver.within_share(share, |block_solver| {
                    block_solver.climb_and_sweep(&prospect.order, prospect, shortened);
                });
                false
            },
            |block_solver| {
                block_solver.cut(pausing, share_of_cuts);
                !block_solver.settled() && block_solver.makes_far_narrower(&pausing.cuts, predicted, prospect)
            },
        );
    }

    /// Branch and cut until a sweep of what it leaves has an end in sight; beside it the tree where that fits, or a sweep that
    /// may be too wide, and then local search. Returns whether such a sweep is what ended it.
    pub(super) fn work_beside_cuts(
        &mut self,
        pausing: &mut Pausing<'_>,
        prospect: &Prospect,
        most_states: f64,
        shortened: Option<&Shortened>,
    ) -> bool {
        let n = self.instance.graph.vertex_count();
        let predicted = prospect.order.predicted_states();
        self.log.enter(Engine::BranchAndCut, format!("branch and cut: {n} vertices, others beside it"));
        let largest = if self.instance.graph.is_directed() { LARGEST_BESIDE } else { LIKELY_BESIDE };
        let mut is_narrower = false;
        // Nobody takes notes there: in the long run paths get better where the program is swept in the pauses too.
        pausing.desk = Some(Arc::default());
        self.concurrent(
            |block_solver| {
                if block_solver.fits_tree(shortened) {
                    block_solver.log.enter(Engine::BranchAndBound, format!("branch and bound: {n} vertices"));
                    block_solver.search_tree(shortened, u64::MAX);
                    return false;
                }
                if predicted <= most_states.min(largest) {
                    let share = if predicted <= LIKELY_BESIDE { 1.0 } else { SHARE_OF_SWEEP_BESIDE };
                    // Nothing waits on disk for a sweep that hardly comes to its end.
                    block_solver.budget.disk = Disk::none();
                    block_solver.within_share(share, |block_solver| {
                        block_solver.sweep_along(&prospect.order, prospect.reduced.as_ref(), prospect.bound.as_ref());
                    });
                }
                block_solver.shake(None);
                false
            },
            |block_solver| {
                if predicted <= most_states.min(LARGEST_BESIDE) {
                    block_solver.log.at_work(Engine::Frontier);
                    block_solver.beam(prospect);
                }
                let mut turn = 1;
                while !block_solver.is_over() && !is_narrower {
                    let (began, upper) = (Instant::now(), block_solver.upper());
                    block_solver.cut(pausing, turn_of_cuts(turn));
                    is_narrower = block_solver.makes_far_narrower(&pausing.cuts, most_states, prospect);
                    if block_solver.upper() == upper && !is_narrower && !block_solver.is_close() {
                        block_solver.shake_for(began.elapsed(), &mut pausing.balls);
                    }
                    turn += 1;
                }
                true
            },
        );
        pausing.desk = None;
        is_narrower
    }

    /// Branch and cut for so much work; as soon as there is a thread for it, a better path is looked for beside that.
    pub(super) fn cut_beside_shaking(&mut self, pausing: &mut Pausing<'_>, mut work: u64) {
        let mut segment = FIRST_PAUSE;
        while self.budget.threads_now() == 1 {
            self.cut(pausing, segment.min(work));
            work -= segment.min(work);
            if work == 0 || self.is_over() {
                return;
            }
            segment = segment.saturating_mul(2);
        }
        let desk = pausing.desk.insert(Arc::new(Desk::new(pausing.cuts.is_past_root()))).clone();
        self.concurrent(
            |block_solver| {
                block_solver.shake(Some(&desk));
                false
            },
            |block_solver| {
                block_solver.cut(pausing, work);
                true
            },
        );
        pausing.desk = None;
    }

    /// Whether branch and cut leaves so little that a sweep has an end in sight, with far fewer states than this.
    fn makes_far_narrower(&self, cuts: &branch_and_cut::Search<'_>, states: f64, than: &Prospect) -> bool {
        self.narrower(cuts, than).is_some_and(|narrower| {
            let predicted = narrower.order.predicted_states();
            predicted * FAR_NARROWER < states && self.has_end_in_sight(predicted, None)
        })
    }

    /// Where none has an end in sight they take turns, with more time each turn: first a narrow sweep for a better path, then
    /// branch and cut, and about as long the tree where it fits. Returns whether another turn may do more.
    fn take_turns(
        &mut self,
        turn: u32,
        pausing: &mut Pausing<'_>,
        prospect: &Prospect,
        shortened: Option<&Shortened>,
    ) -> bool {
        let n = self.instance.graph.vertex_count();
        if turn == 1 && prospect.order.predicted_states() <= HOPELESS {
            self.log.enter(Engine::Frontier, format!("frontier: {n} vertices, a narrow sweep"));
            self.beam(prospect);
        }
        if !self.settled() {
            self.log.enter(Engine::BranchAndCut, format!("branch and cut: {n} vertices, turn {turn}"));
            self.cut(pausing, turn_of_cuts(turn));
        }
        if self.fits_tree(shortened) && !self.settled() {
            self.log.enter(Engine::BranchAndBound, format!("branch and bound: {n} vertices, turn {turn}"));
            self.search_tree(shortened, self.short_tree() << (turn + 2).min(40));
        }
        self.fits_tree(shortened) || self.answer.stop.is_none()
    }

    /// Lets two parties work on the part at the same time. Each says at its end whether the other should stop as well.
    pub(super) fn concurrent(
        &mut self,
        first: impl FnOnce(&mut BlockSolver<'_, '_>) -> bool + Send,
        second: impl FnOnce(&mut BlockSolver<'_, '_>) -> bool + Send,
    ) {
        let answer = Outcome { steps: 0, peak_bytes: 0, stop: None, ..self.answer.clone() };
        let (instance, floor, context) = (self.instance, self.floor, self.context);
        let (best_of_all, at_a_glance) = (self.best_of_all.clone(), self.at_a_glance.clone());
        let one = Party { instance, floor, context, congruence: self.congruence, answer, best_of_all, at_a_glance };
        let other = one.clone();
        let known = (self.lower(), self.answer.upper);
        let outcomes = race::run(
            &self.budget,
            known,
            self.log,
            |budget, log| one.work(budget, log, first),
            |budget, log| other.work(budget, log, second),
        );
        let bytes = outcomes.iter().map(|outcome| outcome.peak_bytes).sum();
        self.answer.peak_bytes = self.answer.peak_bytes.max(bytes);
        outcomes.into_iter().for_each(|outcome| self.add(outcome));
    }
}

/// What each of two that work at the same time begins with.
#[derive(Clone)]
struct Party<'p> {
    instance: &'p Instance,
    floor: i64,
    context: &'p Context,
    congruence: Congruence,
    answer: Outcome,
    best_of_all: Arc<Mutex<Option<Found>>>,
    at_a_glance: Arc<OnceLock<VertexOrder>>,
}

impl Party<'_> {
    fn work(
        self,
        budget: Budget,
        log: &mut dyn Log,
        work: impl FnOnce(&mut BlockSolver<'_, '_>) -> bool,
    ) -> (Outcome, bool) {
        let Party { instance, floor, context, congruence, answer, best_of_all, at_a_glance } = self;
        let mut block_solver =
            BlockSolver { instance, floor, budget, context, log, congruence, answer, best_of_all, at_a_glance };
        let is_over = work(&mut block_solver);
        (block_solver.answer, is_over)
    }
}

/// The work of branch and cut in its turn.
fn turn_of_cuts(turn: u32) -> u64 {
    LEAST_CUTS << (4 + turn).min(40)
}
