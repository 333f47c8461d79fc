//! A better path by merging the best one with another, or with what a linear program uses: the best path along both, by a sweep.
//!
//! Little more than a tree is left there, so the sweep is short even where the graph is far too wide for one. (After W. Cook,
//! P. Seymour, *Tour merging via branch-decomposition*, INFORMS Journal on Computing 15 (2003) 233–248,
//! doi:10.1287/ijoc.15.3.233.16078, with the program's solution among the tours.) Where it is not short, what the program uses
//! least is left out.

use std::time::{Duration, Instant};

use super::BlockSolver;
use super::neighbourhoods::{Balls, NARROW_SUPPORT, PART_OF_MEMORY, set_of_edges};
use crate::decompose::VertexOrder;
use crate::engines::branch_and_cut::Uses;
use crate::engines::frontier;
use crate::engines::orders::{HOPELESS, order_at_a_glance, quick_order};
use crate::instance::{Budget, Instance, Outcome, Silent};
use crate::sets::set_where;
use crate::view::CsrGraph;

/// The parts of an edge that the program uses at least where it uses it firmly, in the order in which they are tried.
const FIRM: [f64; 5] = [0.5, 0.4, 0.3, 0.15, 0.02];
/// With less time the orders would take longer than the sweeps.
const LEAST_FOR_SWEEP: Duration = Duration::from_millis(300);
/// Sweeps along little more than a tree have up to so many times fewer states than predicted.
const FEWER_THAN_PREDICTED: f64 = 1_000.0;
/// A quick order predicts so many times fewer states than that at a glance, at best.
const NARROWER_AT_SECOND_GLANCE: f64 = 100_000.0;

/// Parts where the program and the path differ have one part in so many of a pause: with all of it paths are better at first, and
/// worse soon after.
const FOR_PARTS: u32 = 4;

/// Nanoseconds in balls for another path before it is seen whether the best one has become so good that there is no use in it.
const SLICE_OF_ANOTHER: u64 = 200_000_000;
/// What a sweep along two paths may take, and that of a support by what its order predicts.
const LONGEST_MERGING: Duration = Duration::from_secs(2);
/// Seeds of other paths are so many bits away from those in use.
const SEEDS_APART: u32 = 32;

/// The time for sweeps of what the program uses, as much as for the program itself: what one does not use is left for
/// the next, and after one that found nothing it is saved until there is twice as much. Where the best path is close to the bound
/// nothing is saved for what it uses firmly: most of those find nothing there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Savings {
    saved: Duration,
    wanted: Duration,
}

impl Savings {
    pub(super) fn of(saved: Duration) -> Self {
        Savings { saved, wanted: LEAST_FOR_SWEEP }
    }

    fn are_enough(&self) -> bool {
        self.saved >= self.wanted
    }

    /// Takes note of what was spent, and whether that made the path better.
    fn spend(&mut self, spent: Duration, is_better: bool) {
        self.saved = self.saved.saturating_sub(spent);
        self.wanted = if is_better { LEAST_FOR_SWEEP } else { LEAST_FOR_SWEEP.max(2 * spent) };
    }
}

impl BlockSolver<'_, '_> {
    /// The best path along all that the program uses and the best path known, where that is narrow: it is often as good as any.
    /// Where it is not, and no sweep of the graph would ever end, it is swept along a quick order if that makes it narrow, now and
    /// then; or else the patience is for what the program uses firmly and for where the two differ.
    pub(super) fn sweep_support(&mut self, uses: &Uses, patience: Duration, savings: &mut Savings) {
        savings.saved += patience;
        let mut support = self.along_best_path_and(|edge| uses.has(edge));
        let mut order = order_at_a_glance(&support.graph, &self.budget);
        if order.predicted_states() <= NARROW_SUPPORT {
            let budget = self.budget.clone();
            self.sweep_for_path(&support, &order, &budget);
            return;
        }
        if self.at_a_glance().predicted_states() <= HOPELESS {
            return;
        }
        let known = self.lower();
        let part_of_pause = self.budget.until(Instant::now() + patience / FOR_PARTS);
        self.within(part_of_pause, |block_solver| block_solver.look_where_parts_differ(uses));
        if self.lower() > known {
            support = self.along_best_path_and(|edge| uses.has(edge));
            order = order_at_a_glance(&support.graph, &self.budget);
        }
        if self.settled() || self.sweep_at_second_glance(&support, &order, savings) {
            return;
        }
        if self.is_close() {
            *savings = Savings::of(patience);
        }
        if !self.sweep_firm_support(uses, savings) {
            self.look_where_the_program_differs(uses, patience);
        }
    }

    /// Sweeps the support along a quick order where that has an end in sight, as soon as enough is saved up for both. Returns
    /// whether that is worth waiting for.
    fn sweep_at_second_glance(&mut self, support: &Instance, at_a_glance: &VertexOrder, savings: &mut Savings) -> bool {
        let is_narrow = |block_solver: &Self, order: &VertexOrder, times: f64| {
            block_solver.seconds_for(order.predicted_states()) <= times * LONGEST_MERGING.as_secs_f64()
        };
        if !is_narrow(self, at_a_glance, NARROWER_AT_SECOND_GLANCE) {
            return false;
        }
        if !savings.are_enough() {
            return true;
        }
        let (began, known) = (Instant::now(), self.lower());
        let budget = self.budget_of(savings.saved);
        let order = quick_order(&support.graph, &budget);
        let is_narrow = is_narrow(self, &order, 1.0);
        if is_narrow {
            self.sweep_for_path(support, &order, &budget);
            savings.spend(began.elapsed(), self.lower() > known);
        }
        is_narrow
    }

    /// Alone, for so long, with a part of the memory.
    fn budget_of(&self, duration: Duration) -> Budget {
        let mut budget = self.budget.alone().until(Instant::now() + duration);
        budget.memory /= PART_OF_MEMORY;
        budget
    }

    /// The best path along what the program uses firmly and the best path known: at first only edges of which it uses a half,
    /// then less and less; with each as often as that makes the path better. Returns whether it came to an end with the last.
    pub(super) fn sweep_firm_support(&mut self, uses: &Uses, savings: &mut Savings) -> bool {
        if !savings.are_enough() {
            return false;
        }
        let saved = savings.saved;
        let (began, known) = (Instant::now(), self.lower());
        let budget = self.budget_of(saved);
        let mut firm = FIRM.iter();
        let mut part = firm.next();
        while let Some(&least) = part.filter(|_| !self.settled() && budget.spent().is_none()) {
            let support = self.along_best_path_and(|edge| uses.part(edge) >= least);
            let order = quick_order(&support.graph, &budget);
            let may_end = self.seconds_for(order.predicted_states()) <= FEWER_THAN_PREDICTED * saved.as_secs_f64();
            if !may_end || !self.sweep_for_path(&support, &order, &budget) {
                part = firm.next();
            }
        }
        savings.spend(began.elapsed(), self.lower() > known);
        part.is_none()
    }

    /// The best path along the best one known and another, which is begun anew with so much work in small moves and made better in
    /// small balls: each has something of what the other lacks.
    pub(super) fn merge_with_another(&mut self, another: u64, work: u64) {
        let mut budget = self.budget.alone();
        budget.seed = budget.seed.wrapping_add(another << SEEDS_APART);
        let mut silent = Silent;
        let mut other = BlockSolver::new(self.instance, i64::MIN, budget, self.context, &mut silent);
        other.climb(work);
        let mut balls = Balls::small();
        while other.look_into_balls(&mut balls, SLICE_OF_ANOTHER) && !other.settled() {
            self.exchange_paths();
            if self.settled() || self.is_close() {
                return;
            }
        }
        let Outcome { best, steps, peak_bytes, .. } = other.answer;
        self.answer.steps += steps;
        self.answer.peak_bytes = self.answer.peak_bytes.max(peak_bytes);
        let Some((path, _)) = best else { return };
        let along = set_of_edges(self.instance, &path);
        self.exchange_paths();
        let both = self.along_best_path_and(|edge| along[edge as usize]);
        let budget = self.budget_of(LONGEST_MERGING);
        let order = quick_order(&both.graph, &budget);
        self.sweep_for_path(&both, &order, &budget);
        self.exchange_paths();
    }

    /// The instance with these edges and those of the best path only.
    fn along_best_path_and(&self, is_used: impl Fn(u32) -> bool) -> Instance {
        let graph = &self.instance.graph;
        let mut used = set_where(graph.edge_count(), |&edge| is_used(edge as u32));
        if let Some((path, _)) = &self.answer.best {
            used.union_with(&set_of_edges(self.instance, path));
        }
        let used = used.ones().map(|edge| graph.edges()[edge]).collect();
        let graph = CsrGraph::from_simple(graph.vertex_count(), graph.is_directed(), used);
        Instance { graph, ends: self.instance.ends.clone() }
    }

    /// Sweeps a part of the instance; returns whether that has a better path.
    fn sweep_for_path(&mut self, part: &Instance, order: &VertexOrder, budget: &Budget) -> bool {
        let outcome = frontier::solve(part, order.vertices(), None, self.lower(), budget, &mut Silent);
        self.answer.steps += outcome.steps;
        self.answer.peak_bytes = self.answer.peak_bytes.max(outcome.peak_bytes);
        let Some((path, value)) = outcome.best.filter(|&(_, value)| value > self.lower()) else { return false };
        self.log.incumbent(value);
        self.answer.best = Some((path, value));
        true
    }
}
