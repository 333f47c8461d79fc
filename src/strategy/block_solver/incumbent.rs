//! Better paths, by whatever finds them: small moves, exactly within balls, a narrow sweep, and a sweep of what a linear program
//! uses. All that work on the part at the same time share the best one.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::neighbourhoods::{Balls, NARROW_SUPPORT};
use super::wide::Prospect;
use super::{BlockSolver, Found};
use crate::engine::Engine;
use crate::engines::orders::{HOPELESS, order_at_a_glance};
use crate::engines::{branch_and_cut, frontier, local_search};
use crate::instance::{Instance, Silent};
use crate::sets::set_where;
use crate::view::CsrGraph;

/// States that a beam keeps of each layer.
pub(super) const BEAM_WIDTH: usize = 2_000;

/// The work of local search between balls, for each vertex: at first, and twice as much each time.
const FIRST_SHAKE_PER_VERTEX: u64 = 20_000;

impl BlockSolver<'_, '_> {
    /// Looks for a better path, for so many units of work.
    pub(super) fn climb(&mut self, work: u64) {
        self.exchange_paths();
        let start = self.answer.best.take();
        let from = start.as_ref().map(|(path, _)| path.as_slice());
        let upper = self.upper();
        let outcome = local_search::solve(self.instance, from, upper, work, &self.budget, self.log);
        self.answer.best = outcome.best.filter(|&(_, value)| value > self.floor);
        self.answer.steps += outcome.steps;
        self.answer.peak_bytes = self.answer.peak_bytes.max(outcome.peak_bytes);
        self.answer.stop = outcome.stop;
        self.exchange_paths();
    }

    /// Where no exact engine can go on, a better path may still come.
    pub(super) fn climb_for_the_rest(&mut self) {
        if self.budget.deadline.is_some() && !self.settled() {
            let n = self.instance.graph.vertex_count();
            self.log.enter(Engine::LocalSearch, format!("local search: {n} vertices, for the rest of the time"));
            let stop = self.answer.stop;
            self.climb(u64::MAX);
            self.answer.stop = self.answer.stop.or(stop);
        }
    }

    /// Looks for better paths for as long as there is time (and memory), by turns in small moves and exactly within balls.
    pub(super) fn shake(&mut self) {
        self.shake_with(&mut Balls::default());
    }

    /// The same for so long, by other balls than [`Self::shake`].
    pub(super) fn shake_for(&mut self, duration: Duration, balls: &mut Balls) {
        if self.is_over() {
            return;
        }
        let end = Instant::now() + duration;
        let deadline = self.budget.deadline.map_or(end, |deadline| deadline.min(end));
        let mut part = self.budget.clone();
        part.deadline = Some(deadline);
        part.seed = part.seed.wrapping_add(1);
        self.within(part, |block_solver| block_solver.shake_with(balls));
    }

    fn shake_with(&mut self, balls: &mut Balls) {
        let n = self.instance.graph.vertex_count();
        self.log.enter(Engine::LocalSearch, format!("local search: {n} vertices, and exactly within balls"));
        let mut work = n as u64 * FIRST_SHAKE_PER_VERTEX;
        loop {
            let steps = self.answer.steps;
            self.climb(work);
            let can_climb = self.answer.steps > steps;
            work = work.saturating_mul(2);
            self.look_into_balls(balls, u64::MAX);
            if !can_climb || self.settled() {
                return;
            }
        }
    }

    /// Takes up the best path of all that work on the part at the same time, or shows them a better one.
    pub(super) fn exchange_paths(&mut self) {
        let value = |best: &Option<Found>| best.as_ref().map(|(_, value)| *value);
        let mut known = self.best_of_all.lock().unwrap_or_else(PoisonError::into_inner);
        if value(&known) > value(&self.answer.best) {
            self.answer.best.clone_from(&known);
        } else if value(&known) < value(&self.answer.best) {
            known.clone_from(&self.answer.best);
        }
    }

    /// The best path along what the linear program uses and the best path known, by a sweep where that is narrow. Little
    /// more than a tree is left there, and it is often as good as any. Where no sweep of the graph would ever end,
    /// engines look at where the two differ, with so much patience. (After the merging of tours by W. Cook and P. Seymour,
    /// *Tour merging via branch-decomposition*, INFORMS Journal on Computing 15 (2003) 233–248,
    /// doi:10.1287/ijoc.15.3.233.16078, with the program's solution among the tours.)
    pub(super) fn sweep_support(&mut self, cuts: &branch_and_cut::Search<'_>, patience: Duration) {
        let graph = &self.instance.graph;
        let mut used = set_where(graph.edge_count(), |&edge| cuts.is_used(edge as u32));
        if let Some((path, _)) = &self.answer.best {
            used.extend(graph.edges_along(path).map(|edge| edge as usize));
        }
        let used = used.ones().map(|edge| graph.edges()[edge]).collect();
        let support = CsrGraph::from_simple(graph.vertex_count(), graph.is_directed(), used);
        let order = order_at_a_glance(&support, &self.budget);
        if order.predicted_states() > NARROW_SUPPORT {
            if order_at_a_glance(graph, &self.budget).predicted_states() > HOPELESS {
                self.look_where_the_program_differs(cuts, patience);
            }
            return;
        }
        let instance = Instance { graph: support, ends: self.instance.ends.clone() };
        let outcome = frontier::solve(&instance, order.vertices(), None, self.lower(), &self.budget, &mut Silent);
        self.answer.steps += outcome.steps;
        self.answer.peak_bytes = self.answer.peak_bytes.max(outcome.peak_bytes);
        if let Some((path, value)) = outcome.best
            && value > self.lower()
        {
            self.log.incumbent(value);
            self.answer.best = Some((path, value));
        }
    }

    /// Looks for a better path by a narrow sweep of the frontier program.
    pub(super) fn beam(&mut self, prospect: &Prospect) {
        let instance = prospect.reduced.as_ref().unwrap_or(self.instance);
        if let Some((path, value)) = frontier::beam(instance, prospect.order.vertices(), BEAM_WIDTH, &self.budget)
            && value > self.lower()
        {
            self.log.incumbent(value);
            self.answer.best = Some((path, value));
        }
    }
}
