//! Clause learning in slices beside branch and cut, where nearly all vertices may be on the best path.
//!
//! There choices force one another and a wrong one can be learnt from; where many vertices are missed it is a matter of
//! counting, which clauses are bad at. How much time it has depends on what it learns: clauses that join few levels prune much,
//! and where they join many it is no better than guessing.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::desk::Desk;
use super::merging::Savings;
use super::neighbourhoods::Balls;
use super::{BlockSolver, CLIMB_PER_CUTS};
use crate::bound::Effort;
use crate::decompose::VertexOrder;
use crate::engine::Engine;
use crate::engines::orders::quick_order_after;
use crate::engines::{branch_and_cut, conflict, local_search};
use crate::instance::Instance;
use crate::solution::Stop;

/// Of the gains of all vertices this part may be missed at most, one in so many, or those of so many vertices.
const MOST_MISSED: i64 = 100;
const FEW_MISSED: i64 = 2;

/// A first slice is short, so there one in so many may be missed.
const MOST_MISSED_AT_FIRST: i64 = 10;

/// More edges than this, and nothing is learnt in time.
const LARGEST: usize = 100_000;

/// The work of a first slice: at least, and for each edge. A unit is some hundred nanoseconds.
const FIRST_SLICE: u64 = 20_000;
const FIRST_SLICE_PER_EDGE: u64 = 10;

/// The linear program of the root takes about the cube of the number of edges: a unit for so much of it.
const EDGES_CUBED_PER_UNIT: u64 = 30_000;

/// Where one vertex in so many has but two edges, choices force one another all over the graph.
const FORCED_PART: usize = 7;

/// The work of the slices where they do: nothing else gets far there.
const FIRST_SLICE_WHERE_FORCED: u64 = 4;
const BEFORE_PROGRAM_WHERE_FORCED: u64 = 10_000_000;

/// There it has all threads for so much work, as long as it prunes much: two of its solvers learn from each other.
const WITH_ALL_THREADS_WHERE_FORCED: u64 = 200_000_000;

/// What it takes to begin for each edge, in nanoseconds, without a look at the limits.
const TO_BEGIN_PER_EDGE: u64 = 1_000;

/// Its work between looks at what others have found, where it has a thread of its own.
const SLICE: u64 = 100_000;

/// Its work for each unit of branch and cut beside it: where it prunes much, and one in so many where it does not.
const SHARE_OF_GOOD: u64 = 3;
const PART_OF_POOR: u64 = 10;

/// The engines that pause and go on later where they were.
pub(super) struct Pausing<'q> {
    pub(super) cuts: branch_and_cut::Search<'q>,
    /// The work of branch and cut so far.
    pub(super) cut_so_far: u64,
    /// Where it has no thread of its own.
    pub(super) learner: Option<Learner<'q>>,
    pub(super) balls: Balls,
    pub(super) savings: Savings,
    /// Others look for better paths meanwhile, and may take notes from here; or else that is done in the pauses.
    pub(super) desk: Option<Arc<Desk>>,
    /// The work of local search in a pause for each unit of branch and cut: more where it has found something.
    pub(super) climb_share: u64,
}

impl<'q> Pausing<'q> {
    pub(super) fn new(cuts: branch_and_cut::Search<'q>, learner: Learner<'q>) -> Self {
        let (learner, balls, savings) = (Some(learner), Balls::default(), Savings::of(Duration::ZERO));
        Pausing { cuts, cut_so_far: 0, learner, balls, savings, desk: None, climb_share: CLIMB_PER_CUTS }
    }
}

/// Clause learning, which begins when it is first asked.
pub(super) struct Learner<'q> {
    instance: &'q Instance,
    question: &'q OnceLock<conflict::Question<'q>>,
    search: Option<conflict::Search<'q>>,
    /// Whether choices force one another all over the graph, and a path through everything is not out of the question.
    is_forced: bool,
    /// Whether it is a matter of weights, where nothing forces anything.
    is_weighed: bool,
}

impl<'q> Learner<'q> {
    pub(super) fn new(instance: &'q Instance, question: &'q OnceLock<conflict::Question<'q>>) -> Self {
        let (is_forced, is_weighed) = (is_forced(instance), local_search::fits_tours(instance));
        Learner { instance, question, search: None, is_forced, is_weighed }
    }

    /// Whether choices force one another all over the graph, so that learning had better begin before anything else.
    pub(super) fn is_forced(&self) -> bool {
        self.is_forced
    }

    /// The work of its first slice.
    pub(super) fn first_slice(&self) -> u64 {
        let slice = FIRST_SLICE + FIRST_SLICE_PER_EDGE * self.instance.graph.edge_count() as u64;
        if self.is_forced { FIRST_SLICE_WHERE_FORCED * slice } else { slice }
    }

    /// Its work before the first linear program is solved, in about the time that takes.
    pub(super) fn before_program(&self) -> u64 {
        let slice = (self.instance.graph.edge_count() as u64).saturating_pow(3) / EDGES_CUBED_PER_UNIT;
        if self.is_forced { slice.max(BEFORE_PROGRAM_WHERE_FORCED) } else { slice }
    }

    /// Its work beside so much of branch and cut.
    pub(super) fn share_beside(&self, work: u64) -> u64 {
        if self.is_good() { work.saturating_mul(SHARE_OF_GOOD) } else { work / PART_OF_POOR }
    }

    fn is_good(&self) -> bool {
        self.search.as_ref().is_none_or(|search| search.prunes_much())
    }

    /// Whether it may be of use where paths are worth no more than this.
    pub(super) fn fits(&self, upper: i64, memory: usize) -> bool {
        let part = if self.search.is_none() { MOST_MISSED_AT_FIRST } else { MOST_MISSED };
        let most = self.instance.trivial_bound();
        let few = most.saturating_mul(FEW_MISSED) / self.instance.graph.vertex_count().max(1) as i64;
        most > 0
            && !self.is_weighed
            && self.instance.graph.edge_count() <= LARGEST
            && most.saturating_sub(upper) <= few.max(most / part)
            && conflict::fits(self.instance, memory)
    }

    fn search(&mut self, seed: u64, floor: i64, upper: i64) -> &mut conflict::Search<'q> {
        let question = self.question.get_or_init(|| conflict::Question::new(self.instance));
        let config = conflict::Config { seed, ..conflict::Config::default() };
        self.search.get_or_insert_with(|| conflict::Search::new(question, config, floor, upper))
    }
}

/// Whether many vertices have but two edges, which a path through everything uses nearly all: so none may be joined to three of
/// them. As gadgets are made, and not roads or mazes.
fn is_forced(instance: &Instance) -> bool {
    let graph = &instance.graph;
    if graph.is_directed() {
        return false;
    }
    let degree = |vertex: u32| graph.out_arcs(vertex).len();
    let vertices = 0..graph.vertex_count() as u32;
    let tight = vertices.clone().filter(|&vertex| degree(vertex) == 2).count();
    let is_blocked = |vertex: u32| graph.out_arcs(vertex).iter().filter(|arc| degree(arc.target) <= 2).count() > 2;
    tight * FORCED_PART >= graph.vertex_count()
        && !vertices.clone().any(|vertex| degree(vertex) < 2 || is_blocked(vertex))
}

impl BlockSolver<'_, '_> {
    /// Goes on with other engines, and learns beside them as long as that is of use, on a thread that is theirs then.
    /// Where there is only one, it has a slice first, and others in the pauses of branch and cut.
    /// Where the graph is wide and choices force one another, it has all threads first.
    pub(super) fn beside_learning(
        &mut self,
        mut pausing: Pausing<'_>,
        is_wide: bool,
        others: impl FnOnce(&mut BlockSolver<'_, '_>, Pausing<'_>) + Send,
    ) {
        let Some(mut learner) = pausing.learner.take() else { return others(self, pausing) };
        if self.budget.threads_now() == 1 || !learner.fits(self.upper(), self.budget.memory) {
            let slice = learner.before_program();
            self.learn(&mut learner, slice);
            if !self.settled() {
                others(self, Pausing { learner: Some(learner), ..pausing });
            }
            return;
        }
        let mut left = if is_wide && learner.is_forced() { WITH_ALL_THREADS_WHERE_FORCED } else { 0 };
        while left > 0 && learner.is_good() && learner.fits(self.upper(), self.budget.memory) {
            self.learn(&mut learner, SLICE);
            left = left.saturating_sub(SLICE);
            if self.settled() {
                return;
            }
        }
        self.concurrent(
            |block_solver| {
                others(block_solver, pausing);
                true
            },
            |block_solver| {
                block_solver.learn_while_good(&mut learner);
                false
            },
        );
    }

    /// A vertex order, and before it a bound that takes a tenth of a second at most, unless it `is_bounded` already. Where there
    /// is a thread for it, learning goes on beside the order as long as it is of use, or else the two are looked for at the same
    /// time. Any of that may settle the part.
    pub(super) fn bound_and_order(&mut self, pausing: &mut Pausing<'_>, is_bounded: bool) -> Option<VertexOrder> {
        let graph = &self.instance.graph;
        let is_of_use = |block_solver: &Self, learner: &Learner<'_>| {
            learner.is_good() && learner.fits(block_solver.upper(), block_solver.budget.memory)
        };
        let mut learner = pausing.learner.as_mut().filter(|learner| is_of_use(self, learner));
        let by_two = self.budget.threads_now() > 1;
        let is_bounded_beside = by_two && !is_bounded && learner.is_none();
        if !is_bounded && !is_bounded_beside {
            self.bound(Effort::Low);
            if self.settled() {
                return None;
            }
        }
        learner = learner.filter(|learner| by_two && is_of_use(self, learner));
        if learner.is_none() && !is_bounded_beside {
            return Some(quick_order_after(self.at_a_glance().clone(), graph, &self.budget));
        }
        let mut order = None;
        self.concurrent(
            |block_solver| {
                let at_a_glance = block_solver.at_a_glance().clone();
                order = Some(quick_order_after(at_a_glance, graph, &block_solver.budget));
                !is_bounded_beside
            },
            |block_solver| {
                match learner {
                    Some(learner) => block_solver.learn_while_good(learner),
                    None => block_solver.bound(Effort::Low),
                }
                block_solver.settled()
            },
        );
        order
    }

    fn learn_while_good(&mut self, learner: &mut Learner<'_>) {
        while learner.is_good() && learner.fits(self.upper(), self.budget.memory) && !self.settled() {
            self.learn(learner, SLICE);
        }
    }

    /// Learns for so much work, where that is of use.
    pub(super) fn learn(&mut self, learner: &mut Learner<'_>, work: u64) {
        if work == 0 || self.settled() || !learner.fits(self.upper(), self.budget.memory) {
            return;
        }
        if learner.search.is_none() {
            let (n, m) = (self.instance.graph.vertex_count(), self.instance.graph.edge_count());
            if !self.budget.has_time(m as u64 * TO_BEGIN_PER_EDGE) {
                return;
            }
            self.log.note(format!("conflict: {n} vertices, in slices"));
        }
        self.log.at_work(Engine::Conflict);
        self.exactly(|_, floor, upper, budget, monitor| {
            let search = learner.search(budget.seed, floor, upper);
            search.learn(floor, upper);
            search.run(work, budget, monitor)
        });
        // Others may still get on without more memory.
        if matches!(self.answer.stop, Some(Stop::Exhausted | Stop::MemoryLimit)) {
            self.answer.stop = None;
        }
    }
}
