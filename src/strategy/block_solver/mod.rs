//! One part that nothing cuts any further: incumbent, bound, and if they don't meet, the exact engine that fits.
//!
//! Cheap before dear, and everything that is found serves what comes after: a short local search, cheap bounds, a short
//! branch and bound where the part is small, then a vertex order, which foretells what the frontier program would cost.
//! That decides: how long local search may go on, whether the dear bounds are worth their time, and which exact engine has
//! the last word.

mod desk;
mod estimates;
mod incumbent;
mod learning;
mod merging;
mod neighbourhood;
mod neighbourhoods;
#[cfg(test)]
mod tests;
mod wide;

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use self::desk::Desk;
use self::incumbent::BEAM_WIDTH;
use self::learning::{Learner, Pausing};
use self::neighbourhoods::Balls;
use self::wide::Prospect;
use super::scope::{Context, Log, Scope, Scoped};
use super::{directed_chains, two_way};
use crate::bound::{self, Effort};
use crate::decompose::VertexOrder;
use crate::engine::{Engine, Method};
use crate::engines::orders::{
    HOPELESS, ORDER_WORK_PER_STATE, better_order, has_time_for_order, order_at_a_glance, quick_order,
};
use crate::engines::{branch_and_bound, branch_and_cut, frontier, local_search};
use crate::instance::{Budget, Congruence, Instance, LinearBound, Monitor, Outcome, Run};
use crate::reduce::chains::Shortened;
use crate::reduce::{Reduction, twins};
use crate::solution::Stop;

/// Up to this many vertices a part is searched at once: anything else would take longer.
pub(super) const TINY: usize = 20;

/// Up to this many vertices a bound comes even before the first path, which then need not be improved past it.
const QUICKLY_BOUNDED: usize = 50_000;

/// Local search before anything else, in its units of work (some nanoseconds): at most, and for each vertex.
const SHORT_CLIMB: u64 = 100_000_000;
const SHORT_CLIMB_PER_VERTEX: u64 = 300;

/// Local search before an exact engine: for each state that engine is expected to make, less after so much, and at most for
/// each vertex.
const CLIMB_PER_STATE: f64 = 0.03;
const EASY_CLIMB: f64 = 3e5;
const LONG_CLIMB_PER_STATE: f64 = 0.003;
const LONG_CLIMB_PER_VERTEX: f64 = 2e6;

/// Where the first order that comes to mind shows that a sweep takes no more seconds than this, nothing is tried before it.
const AT_ONCE: f64 = 0.002;

/// The work for an order, some three hundred million units a second, for each second that the sweep along it takes.
const ORDER_WORK_PER_SECOND: f64 = 8e7;

/// From so many predicted states on a narrow sweep ranks two orders.
const LABORIOUS: f64 = 1e9;

/// Where a sweep takes no more seconds than this it is the shortest way. Where it takes more, branch and cut tries first: for
/// a part of that time, but so much at least. Its work is counted in units of a hundred nanoseconds.
const NARROW: f64 = 0.1;
const LEAST_CUTS: u64 = 200_000;
/// A short try before a sweep that is not narrow.
const SMALL_PROGRAM_CUTS: u64 = 2 * LEAST_CUTS;

/// The work of branch and cut before its first pause; less where edges are directed, since there balls find the best paths.
const FIRST_PAUSE: u64 = 1_000_000;
const FIRST_PAUSE_DIRECTED: u64 = 400_000;

/// Nanoseconds for where the program differs from the best path, for each unit of branch and cut; no more than that took.
const PATIENCE_PER_CUTS: u64 = 100;

/// Nanoseconds in balls for each unit of branch and cut: about a third of the time.
const BALLS_PER_CUTS: u64 = 30;

/// The work of local search, some twenty nanoseconds a unit, for each unit of branch and cut: about as long.
const CLIMB_PER_CUTS: u64 = 8;

/// And where that has found nothing for a while.
const LEAST_CLIMB_PER_CUTS: u64 = 4;

/// Where the graph has more edges, a linear program over them takes too long.
const LARGEST_PROGRAM: usize = 100_000;

/// Where edges are directed a sweep is [hopeless](HOPELESS) much earlier: trees are bounded well there, and states are many.
const HOPELESS_DIRECTED: f64 = 1e8;

/// The dear bounds, in the statistics.
const BOUND: Method = Method::step(Engine::Auto, "bound");

/// Solves the part; only paths worth more than `floor` matter, and `share` of the remaining time may be spent.
pub(super) fn solve(
    instance: &Instance,
    floor: i64,
    share: f64,
    context: &Context,
    scope: Scope,
    run: &mut Run<'_>,
) -> Outcome {
    if let Some(two_way) = two_way::undirected(instance, context.reductions, run) {
        let ask = |instance: &Instance, floor, run: &mut Run<'_>| solve(instance, floor, share, context, scope, run);
        return two_way::solve(two_way, floor, scope, run, ask);
    }
    if let Some(question) = directed_chains::contracted(instance, floor, context.reductions, run) {
        let ask = |instance: &Instance, floor, run: &mut Run<'_>| solve(instance, floor, share, context, scope, run);
        return directed_chains::solve(question, scope, run, ask);
    }
    let turned = instance.is_better_turned();
    let turned_instance = turned.then(|| instance.reversed());
    let instance = turned_instance.as_ref().unwrap_or(instance);
    let caps = context.reductions.has(Reduction::Twins) && !instance.graph.is_directed();
    let capped = if caps { twins::cap(instance) } else { None };
    let instance = capped.as_ref().map_or(instance, |capped| &capped.instance);
    let budget = run.budget.share(share);
    let orders = run.order_count();
    let mut log = Scoped { run, scope };
    let mut outcome = BlockSolver::new(instance, floor, budget, context, &mut log).solve();
    if let Some(capped) = &capped {
        run.rename_orders_after(orders, capped.kept());
    }
    if let Some((path, _)) = &mut outcome.best {
        if let Some(capped) = &capped {
            *path = capped.lift(path);
        }
        if turned {
            path.reverse();
        }
    }
    outcome
}

/// A path and its value.
type Found = (Vec<u32>, i64);

struct BlockSolver<'p, 'r> {
    instance: &'p Instance,
    floor: i64,
    budget: Budget,
    context: &'p Context,
    log: &'r mut dyn Log,
    /// What all paths may be worth.
    congruence: Congruence,
    /// The best so far of all engines.
    answer: Outcome,
    /// The best path of all that work on the part at the same time, as far as they have shown theirs.
    best_of_all: Arc<Mutex<Option<Found>>>,
    /// The first order that came to mind, once it was asked for.
    at_a_glance: Arc<OnceLock<VertexOrder>>,
}

impl<'p, 'r> BlockSolver<'p, 'r> {
    fn new(instance: &'p Instance, floor: i64, budget: Budget, context: &'p Context, log: &'r mut dyn Log) -> Self {
        let answer = Outcome::nothing_above(floor, instance.trivial_bound());
        let congruence = Congruence::of(instance);
        let (best_of_all, at_a_glance) = (Arc::default(), Arc::default());
        BlockSolver { instance, floor, budget, context, log, congruence, answer, best_of_all, at_a_glance }
    }
}

impl BlockSolver<'_, '_> {
    fn solve(mut self) -> Outcome {
        self.work();
        if self.answer.upper <= self.lower() {
            self.answer.stop = None;
        } else if matches!(self.answer.stop, None | Some(Stop::Exhausted)) {
            // An engine that had done its share of the work when time was over could have been followed by others.
            self.answer.stop = self.budget.spent().or(self.answer.stop);
        }
        self.answer
    }

    fn work(&mut self) {
        let n = self.instance.graph.vertex_count();
        if n <= TINY {
            return self.search_tree(None, u64::MAX);
        }
        if n <= QUICKLY_BOUNDED {
            self.bound(Effort::Least);
        }
        let question = OnceLock::new();
        let mut learner = Learner::new(self.instance, &question);
        let (climb, first_slice) = (SHORT_CLIMB.min(n as u64 * SHORT_CLIMB_PER_VERTEX), learner.first_slice());
        for learns in [learner.is_forced(), !learner.is_forced()] {
            if learns {
                self.learn(&mut learner, first_slice);
            } else {
                self.climb(climb);
            }
            if self.settled() {
                return;
            }
        }
        let cuts = branch_and_cut::Search::new(self.instance, None, self.floor, self.answer.upper);
        let pausing = Pausing::new(cuts, learner);
        let shortened = self.shortened();
        let is_fit = self.is_fit_for_cuts() || self.is_weighted_program() && !self.instance.graph.is_directed();
        let is_wide = is_fit && !self.fits_tree(shortened.as_ref()) && self.is_wide_at_a_glance();
        let is_forced = pausing.learner.as_ref().is_some_and(Learner::is_forced);
        if is_wide || is_forced {
            self.beside_learning(pausing, is_wide, |block_solver, pausing| {
                block_solver.go_on(pausing, shortened.as_ref(), is_wide)
            });
        } else {
            self.go_on(pausing, shortened.as_ref(), false);
        }
    }

    /// What no first try settles.
    fn go_on(&mut self, mut pausing: Pausing<'_>, shortened: Option<&Shortened>, is_wide: bool) {
        if !is_wide && self.sweep_at_once() {
            return;
        }
        let n = self.instance.graph.vertex_count();
        let fits_tree = self.fits_tree(shortened);
        let is_cut_first = is_wide || fits_tree && (self.is_fit_for_cuts() || self.is_weighted_program());
        if is_cut_first {
            self.log.enter(Engine::BranchAndCut, format!("branch and cut: {n} vertices, a short try"));
            if is_wide {
                self.cut_beside_shaking(&mut pausing, 20 * LEAST_CUTS);
            } else {
                self.cut(&mut pausing, LEAST_CUTS);
            }
            if self.settled() {
                return;
            }
        }
        // Trees are bad at different weights: there branch and cut goes on at once.
        if fits_tree && !(is_cut_first && self.is_weighted_program()) {
            self.try_tree(&mut pausing, shortened, is_cut_first);
            if self.settled() {
                return;
            }
        }

        if !has_time_for_order(&self.instance.graph, &self.budget) {
            self.bound(Effort::Low);
            if !self.settled() {
                self.log.enter(Engine::LocalSearch, format!("local search: {n} vertices, no time for an order"));
                self.climb(u64::MAX);
            }
            return;
        }
        let Some(quick) = self.bound_and_order(&mut pausing, fits_tree).filter(|_| !self.settled()) else { return };
        let predicted = quick.predicted_states();
        let has_program = self.instance.graph.edge_count() <= LARGEST_PROGRAM;
        let is_narrow = self.seconds_for(predicted) <= NARROW;
        if !is_cut_first && self.is_small_program() && !is_narrow {
            self.log.enter(Engine::BranchAndCut, format!("branch and cut: {n} vertices, a short try"));
            self.cut(&mut pausing, SMALL_PROGRAM_CUTS);
            if self.settled() {
                return;
            }
        }
        if is_narrow || !has_program {
            if !is_narrow {
                self.log.enter(BOUND, format!("dear bounds: {n} vertices"));
                self.bound(Effort::High);
            }
            let prospect = Prospect { reduced: None, order: quick.clone(), ruled_out: 0, bound: None };
            if !self.settled() {
                self.sweep(&prospect, shortened);
            }
            // Without a deadline nothing would end branch and cut but its memory.
            if self.settled() || !has_program || self.budget.deadline.is_none() {
                return self.climb_for_the_rest();
            }
        }

        self.beside_learning(pausing, false, |block_solver, pausing| {
            block_solver.settle_wide(pausing, quick, is_narrow, shortened);
            block_solver.climb_for_the_rest();
        });
    }

    /// A bound and a short try at branch and bound; where there is a thread for it, branch and cut that has begun goes on beside
    /// that.
    fn try_tree(&mut self, pausing: &mut Pausing<'_>, shortened: Option<&Shortened>, is_cut_first: bool) {
        let n = self.instance.graph.vertex_count();
        let steps = self.short_tree();
        let bound_and_search = |block_solver: &mut BlockSolver<'_, '_>| {
            block_solver.bound(Effort::Low);
            if !block_solver.settled() {
                block_solver.log.enter(Engine::BranchAndBound, format!("branch and bound: {n} vertices, a short try"));
                block_solver.search_tree(shortened, steps);
            }
        };
        if !is_cut_first || self.budget.threads_now() == 1 {
            return bound_and_search(self);
        }
        self.concurrent(
            |block_solver| {
                bound_and_search(block_solver);
                true
            },
            |block_solver| {
                block_solver.cut(pausing, u64::MAX);
                block_solver.settled()
            },
        );
    }

    /// Sweeps the part where that is so short that nothing else is worth a try before. Returns whether it is settled.
    fn sweep_at_once(&mut self) -> bool {
        let graph = &self.instance.graph;
        if graph.vertex_count() > QUICKLY_BOUNDED || !has_time_for_order(graph, &self.budget) {
            return false;
        }
        if self.seconds_for(self.at_a_glance().predicted_states()) > AT_ONCE {
            return false;
        }
        let order = self.at_a_glance().clone();
        self.sweep_along(&order, None, None);
        self.settled()
    }

    /// The first order that comes to mind.
    fn at_a_glance(&self) -> &VertexOrder {
        self.at_a_glance.get_or_init(|| order_at_a_glance(&self.instance.graph, &self.budget))
    }

    /// Does something within this share of the time that is left.
    fn within_share(&mut self, share: f64, work: impl FnOnce(&mut Self)) {
        self.within(self.budget.share(share), work);
    }

    /// Does something within limits that are part of the whole.
    fn within(&mut self, part: Budget, work: impl FnOnce(&mut Self)) {
        let whole = std::mem::replace(&mut self.budget, part);
        work(self);
        self.budget = whole;
        if self.answer.stop == Some(Stop::TimeLimit) && self.budget.spent().is_none() {
            self.answer.stop = None;
        }
    }

    /// The last steps along a better order, on the instance without the edges that branch and cut has ruled out where they
    /// are many.
    fn sweep(&mut self, prospect: &Prospect, shortened: Option<&Shortened>) {
        let order = self.order(prospect);
        self.climb_and_sweep(&order, prospect, shortened);
    }

    /// Local search for as long as the sweep along the order is worth, then the frontier program.
    fn climb_and_sweep(&mut self, order: &VertexOrder, prospect: &Prospect, shortened: Option<&Shortened>) {
        let instance = prospect.reduced.as_ref().unwrap_or(self.instance);
        let n = instance.graph.vertex_count();
        let fits_tree = self.fits_tree(shortened);
        let predicted = order.predicted_states();
        let hopeless = if self.instance.graph.is_directed() { HOPELESS_DIRECTED } else { HOPELESS };
        let states = if fits_tree { predicted.min(hopeless) } else { predicted };
        let climb = (states * CLIMB_PER_STATE).min(EASY_CLIMB).max(states * LONG_CLIMB_PER_STATE);
        let climb = climb.min(n as f64 * LONG_CLIMB_PER_VERTEX) as u64;
        self.log.enter(Engine::LocalSearch, format!("local search: {}", about_sweep(instance, order)));
        self.climb(climb);
        if !self.settled() {
            self.sweep_along(order, prospect.reduced.as_ref(), prospect.bound.as_ref());
        }
    }

    /// The frontier program, and nothing before it.
    fn sweep_along(&mut self, order: &VertexOrder, reduced: Option<&Instance>, known: Option<&LinearBound>) {
        let instance = reduced.unwrap_or(self.instance);
        let known = known.map(|bound| frontier::Known { bound, predicted: order.predicted_states() });
        self.log.enter(Engine::Frontier, format!("frontier: {}", about_sweep(instance, order)));
        self.exactly(|_, floor, _, budget, monitor| {
            frontier::solve(instance, order.vertices(), known, floor, budget, monitor)
        });
        if self.settled() {
            self.log.swept(order.vertices());
        }
    }

    /// Goes on with branch and cut for so much work. It pauses now and then, and what it used is swept for a path. What learns
    /// has its share of the pauses, and the first is earlier for its sake.
    fn cut(&mut self, pausing: &mut Pausing<'_>, mut work: u64) {
        let Pausing { cuts, cut_so_far, learner, balls, savings, desk, climb_share } = pausing;
        let learns = learner.as_ref().is_some_and(|learner| learner.fits(self.upper(), self.budget.memory));
        let first_pause = if self.instance.graph.is_directed() { FIRST_PAUSE_DIRECTED } else { FIRST_PAUSE };
        let mut segment = if learns { LEAST_CUTS } else { first_pause };
        loop {
            self.log.at_work(Engine::BranchAndCut);
            let began = Instant::now();
            let desk = desk.as_deref();
            let at_root = desk.is_some_and(Desk::is_read) && !cuts.is_past_root();
            self.go_on_cutting(cuts, |cuts, budget, monitor| match at_root {
                true => cuts.run_root(segment.min(work), budget, monitor),
                false => cuts.run_by_two(segment.min(work), budget, monitor),
            });
            desk.filter(|_| cuts.is_past_root()).into_iter().for_each(Desk::pass_root);
            let patience =
                Duration::from_nanos(segment.min(work).saturating_mul(PATIENCE_PER_CUTS)).min(began.elapsed());
            if self.settled() || self.answer.stop.is_some() {
                return;
            }
            *cut_so_far += segment.min(work);
            if let Some(learner) = learner {
                let share = learner.share_beside(segment.min(work));
                self.learn(learner, share);
            }
            if work < segment || self.settled() {
                return;
            }
            work -= segment;
            // What comes after the last has better things to do.
            if work == 0 {
                return;
            }
            let uses = cuts.uses();
            // At the root the next cuts are worth more than a sweep here, where somebody beside will come to one.
            if !desk.is_some_and(|desk| desk.put(&uses, patience)) && !at_root {
                self.sweep_support(&uses, patience, savings);
            }
            if desk.is_none() {
                self.look_round_in_pause(segment, balls, climb_share);
            }
            if self.settled() {
                return;
            }
            segment = segment.saturating_mul(2);
        }
    }

    /// Looks for a better path after so much work of branch and cut.
    fn look_round_in_pause(&mut self, work: u64, balls: &mut Balls, climb_share: &mut u64) {
        let is_directed = self.instance.graph.is_directed();
        if is_directed && !self.is_on_tour() {
            self.look_into_balls(balls, work * BALLS_PER_CUTS);
        }
        if !is_directed || local_search::fits_tours(self.instance) {
            self.climb_in_pause(work, climb_share);
        }
    }

    /// A run of branch and cut with what is known here.
    fn go_on_cutting<'q>(
        &mut self,
        cuts: &mut branch_and_cut::Search<'q>,
        run: impl FnOnce(&mut branch_and_cut::Search<'q>, &Budget, &mut dyn Monitor) -> Outcome,
    ) {
        self.exchange_paths();
        let best = self.answer.best.clone();
        self.exactly(|_, _, upper, budget, monitor| {
            cuts.learn(best.as_ref(), upper);
            run(cuts, budget, monitor)
        });
        if self.answer.stop == Some(Stop::Exhausted) {
            self.answer.stop = None;
        }
    }

    /// The value of the best path, here or beside, or the floor.
    fn lower(&self) -> i64 {
        self.answer.best.as_ref().map_or(self.floor, |(_, value)| *value).max(self.budget.shared_lower())
    }

    fn upper(&self) -> i64 {
        self.congruence.greatest_up_to(self.answer.upper.min(self.budget.shared_upper())).max(self.lower())
    }

    fn settled(&self) -> bool {
        self.upper() <= self.lower() || self.budget.spent().is_some()
    }

    fn bound(&mut self, effort: Effort) {
        let upper = bound::best_bound(self.instance, effort, &self.budget, self.lower()).upper;
        if upper < self.answer.upper {
            self.answer.upper = self.congruence.greatest_up_to(upper).max(self.lower());
            self.log.bound(self.answer.upper);
        }
    }

    /// A better vertex order; where the sweep will be long, the better of two by a narrow sweep along each.
    fn order(&self, prospect: &Prospect) -> VertexOrder {
        let instance = prospect.reduced.as_ref().unwrap_or(self.instance);
        let work_per_state = ORDER_WORK_PER_STATE.min(self.seconds_for(ORDER_WORK_PER_SECOND));
        let order = better_order(&instance.graph, prospect.order.clone(), work_per_state, &self.budget);
        if !(LABORIOUS..HOPELESS).contains(&order.predicted_states()) {
            return order;
        }
        let mut reseeded = self.budget.clone();
        reseeded.seed = reseeded.seed.wrapping_add(1);
        let quick = quick_order(&instance.graph, &reseeded);
        let other = better_order(&instance.graph, quick, work_per_state, &reseeded);
        let narrow = |order: &VertexOrder| frontier::predicted(instance, order.vertices(), BEAM_WIDTH, &self.budget);
        match (narrow(&order), narrow(&other)) {
            (Some(states), Some(fewer)) if fewer < states => other,
            _ => order,
        }
    }

    /// Branch and bound, on the instance without its long chains where there is one.
    fn search_tree(&mut self, shortened: Option<&Shortened>, allowance: u64) {
        self.exactly(|instance, floor, upper, budget, monitor| {
            let short = shortened.map_or(instance, |shortened| &shortened.instance);
            let mut outcome = branch_and_bound::solve(short, floor, upper, allowance, budget, monitor);
            if let (Some(shortened), Some((path, _))) = (shortened, &mut outcome.best) {
                *path = shortened.lift(path);
            }
            outcome
        });
    }

    /// Runs an exact engine between what is known below and above, and adds what it brings to the answer.
    fn exactly(&mut self, engine: impl FnOnce(&Instance, i64, i64, &Budget, &mut dyn Monitor) -> Outcome) {
        let floor = self.congruence.nothing_above(self.lower());
        let outcome = engine(self.instance, floor, self.upper().max(floor), &self.budget, self.log);
        self.answer.peak_bytes = self.answer.peak_bytes.max(outcome.peak_bytes);
        self.answer.stop = outcome.stop;
        self.add(outcome);
        self.log.bound(self.answer.upper);
    }

    /// Adds what was found and proved, and the steps it took.
    fn add(&mut self, outcome: Outcome) {
        self.answer.steps += outcome.steps;
        let known = self.answer.best.as_ref().map_or(self.floor, |(_, value)| *value);
        if outcome.best.as_ref().is_some_and(|&(_, value)| value > known) {
            self.answer.best = outcome.best;
        }
        self.answer.upper = self.congruence.greatest_up_to(self.answer.upper.min(outcome.upper)).max(self.lower());
    }
}

fn about_sweep(instance: &Instance, order: &VertexOrder) -> String {
    format!(
        "{} vertices, {} edges, frontier {}, about {:.0e} states predicted",
        instance.graph.vertex_count(),
        instance.graph.edge_count(),
        order.width(),
        order.predicted_states()
    )
}
