//! Better paths, by whatever finds them: small moves, exactly within balls, and a narrow sweep. All that work on the part at the
//! same time share the best one.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::desk::Desk;
use super::merging::Savings;
use super::neighbourhoods::Balls;
use super::wide::Prospect;
use super::{BlockSolver, CLIMB_PER_CUTS, Found, LEAST_CLIMB_PER_CUTS};
use crate::branching::is_close;
use crate::engine::Engine;
use crate::engines::{frontier, local_search};

/// States that a beam keeps of each layer.
pub(super) const BEAM_WIDTH: usize = 2_000;

/// The work of local search between balls, for each vertex: at first, and twice as much each time.
const FIRST_SHAKE_PER_VERTEX: u64 = 20_000;

/// Nanoseconds in balls before it is seen whether they are so large that another path is of more use; after one, as long as that took.
const SLICE_OF_BALLS: u64 = 1_000_000_000;

/// Tours get so many times as much work as at first even where the best path is close to the bound.
const LONG_FOR_TOURS: u64 = 100;

/// With so many edges for each vertex no ball of a useful size can be searched.
const WIDE_FOR_BALLS: usize = 12;

/// Between looks at the desk.
const LOOK: Duration = Duration::from_millis(50);

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

    /// Looks for a better path after so much work of branch and cut, for its share of that: less where it finds nothing.
    pub(super) fn climb_in_pause(&mut self, work: u64, share: &mut u64) {
        let known = self.lower();
        self.climb(work * *share);
        *share = if self.lower() > known { CLIMB_PER_CUTS } else { (*share / 2).max(LEAST_CLIMB_PER_CUTS) };
        self.answer.stop = None;
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

    /// Looks for better paths for as long as there is time (and memory), by turns in small moves and exactly within balls, and along
    /// what a linear program beside it uses, if a desk has that; no longer where the best one is close to the bound, but for
    /// the last, and that as long as branch and cut has no more use for the thread. Where only large balls are left, every other
    /// time a path of its own is made and merged with the best one.
    pub(super) fn shake(&mut self, desk: Option<&Desk>) {
        let Some(desk) = desk else { return self.shake_with(&mut Balls::until_close(), &mut |_| ()) };
        let mut savings = Savings::of(Duration::ZERO);
        desk.read(true);
        self.shake_with(&mut Balls::until_close(), &mut |block_solver| {
            if let Some((uses, patience)) = desk.take() {
                block_solver.exchange_paths();
                block_solver.sweep_support(&uses, patience, &mut savings);
            }
        });
        while !self.is_over() && !desk.is_past_root() {
            if let Some((uses, patience)) = desk.wait(LOOK) {
                self.exchange_paths();
                self.sweep_support(&uses, patience, &mut savings);
            }
        }
        desk.read(false);
    }

    /// The same for so long, by other balls than [`Self::shake`].
    pub(super) fn shake_for(&mut self, duration: Duration, balls: &mut Balls) {
        if self.is_over() {
            return;
        }
        let mut part = self.budget.until(Instant::now() + duration);
        part.seed = part.seed.wrapping_add(1);
        self.within(part, |block_solver| block_solver.shake_with(balls, &mut |_| ()));
    }

    /// Something else may be done now and then.
    fn shake_with(&mut self, balls: &mut Balls, else_do: &mut dyn FnMut(&mut Self)) {
        let n = self.instance.graph.vertex_count();
        self.log.enter(Engine::LocalSearch, format!("local search: {n} vertices, and exactly within balls"));
        let first = n as u64 * FIRST_SHAKE_PER_VERTEX;
        let mut work = first;
        // Paths along directed edges have little in common that is of use.
        let is_directed = self.instance.graph.is_directed();
        let mut slice = SLICE_OF_BALLS;
        loop {
            else_do(self);
            let steps = self.answer.steps;
            self.climb(work);
            let can_climb = self.answer.steps > steps;
            work = work.saturating_mul(2);
            let has_tours = self.is_on_tour();
            let mut began = Instant::now();
            while !has_tours && self.look_into_balls(balls, LOOK.as_nanos() as u64) && !self.settled() {
                else_do(self);
                if !is_directed && balls.are_large() && began.elapsed().as_nanos() as u64 >= slice {
                    began = Instant::now();
                    self.merge_with_another(balls.another(), first);
                    slice = began.elapsed().as_nanos() as u64;
                    began = Instant::now();
                }
            }
            let is_close = self.is_close() && (!has_tours || work > first * LONG_FOR_TOURS);
            if !can_climb || self.settled() || balls.ends_here(is_close) {
                return;
            }
        }
    }

    /// Whether tours are of use, the best path is nearly one, and balls are too wide for anything exact.
    pub(super) fn is_on_tour(&self) -> bool {
        let graph = &self.instance.graph;
        let is_nearly_tour = |(path, _): &Found| local_search::is_nearly_tour(self.instance, path);
        graph.edge_count() >= WIDE_FOR_BALLS * graph.vertex_count()
            && self.answer.best.as_ref().is_some_and(is_nearly_tour)
    }

    /// Whether the best path is so close to the bound that a better one is hardly found by looking for it.
    pub(super) fn is_close(&self) -> bool {
        is_close(self.lower(), self.upper())
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
