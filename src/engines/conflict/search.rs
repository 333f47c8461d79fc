//! From decisions to the optimum: targets fall from the best bound, the floor rises with the best path.

use super::config::Config;
use super::model::{Model, SCALE};
use super::solver::{Solver, Verdict};
use crate::instance::{Budget, Ends, Instance, Monitor, NOT_AN_END, Outcome};
use crate::solution::Stop;

/// Finds the best path worth more than `floor`.
pub(crate) fn solve(
    instance: &Instance,
    config: Config,
    floor: i64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Outcome {
    if bytes(instance) > budget.memory {
        let stop = Some(Stop::MemoryLimit);
        return Outcome { best: None, upper: instance.trivial_bound().max(floor), stop, steps: 0, peak_bytes: 0 };
    }
    let question = Question::new(instance);
    Search::new(&question, config, floor, i64::MAX).run(u64::MAX, budget, monitor)
}

/// What a search of an instance holds at least, in bytes.
fn bytes(instance: &Instance) -> usize {
    const BYTES_PER_CHOICE: usize = 600;
    (instance.graph.edge_count() + 4 * instance.graph.vertex_count()).saturating_mul(BYTES_PER_CHOICE)
}

/// The models of an instance.
#[derive(Debug)]
pub(crate) struct Question<'p> {
    instance: &'p Instance,
    model: Option<Model>,
    /// Where ends are free and all weights the same: the instance closed, a Hamiltonian cycle of which settles everything.
    closed: Option<Model>,
}

impl<'p> Question<'p> {
    pub(crate) fn new(instance: &'p Instance) -> Self {
        let model = Model::new(instance);
        let closed = cycle_is_best(instance).then(|| {
            let ends = Ends::Closed { through: None };
            Model::new(&Instance { graph: instance.graph.clone(), ends })
        });
        Question { instance, model, closed: closed.flatten() }
    }
}

/// Whether a Hamiltonian cycle, without one of its edges, is a best path.
fn cycle_is_best(instance: &Instance) -> bool {
    let Ends::Open { first, last, .. } = &instance.ends else { return false };
    let edges = instance.graph.edges();
    let Some(weight) = edges.first().map(|edge| edge.weight) else { return false };
    let is_free = |prizes: &[i64]| prizes[0] != NOT_AN_END && prizes.iter().all(|&prize| prize == prizes[0]);
    let (n, m) = (instance.graph.vertex_count(), edges.len());
    n >= 3 && m >= n && weight > 0 && edges.iter().all(|edge| edge.weight == weight) && is_free(first) && is_free(last)
}

/// One solver with its turns.
struct Lane<'q> {
    solver: Solver<'q>,
    /// It looks for a Hamiltonian cycle where a path is asked for.
    is_closed: bool,
    turns: u32,
}

/// A search that can pause and go on.
pub(crate) struct Search<'q> {
    instance: &'q Instance,
    lanes: Vec<Lane<'q>>,
    next: usize,
    best: Option<(Vec<u32>, i64)>,
    floor: i64,
    upper: i64,
    /// How far below the bound the next target is.
    step: i64,
    steps: u64,
    peak_bytes: usize,
}

/// Conflicts of the first turn of a solver, and how many times longer the next ones are.
const FIRST_TURN: f64 = 1000.0;
const LONGER: f64 = 1.5;

impl<'q> Search<'q> {
    pub(crate) fn new(question: &'q Question<'q>, config: Config, floor: i64, upper: i64) -> Self {
        let instance = question.instance;
        let mut search = Search {
            instance,
            lanes: Vec::new(),
            next: 0,
            best: None,
            floor,
            upper: upper.max(floor),
            step: 1,
            steps: 0,
            peak_bytes: 0,
        };
        if let Some((path, value)) = best_vertex(instance)
            && value > floor
        {
            search.best = Some((path, value));
        }
        let Some(model) = &question.model else {
            search.upper = search.lower();
            return search;
        };
        search.upper = search.upper.min(most_of(model).max(search.lower()));
        if let Some(model) = &question.closed {
            let hamiltonian = most_of(model) - 1;
            search.lanes.push(Lane::new(Solver::new(model, config, hamiltonian), true));
        }
        search.lanes.push(Lane::new(Solver::new(model, config, search.lower()), false));
        search
    }

    fn lower(&self) -> i64 {
        self.best.as_ref().map_or(self.floor, |&(_, value)| value.max(self.floor))
    }

    /// Searches for so many conflicts.
    pub(crate) fn run(&mut self, conflicts: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Outcome {
        if let Some((_, value)) = self.best {
            monitor.incumbent(value);
        }
        monitor.bound(self.upper);
        let mut left = conflicts;
        let mut stop = None;
        while self.upper > self.lower() && stop.is_none() {
            if left == 0 {
                stop = Some(Stop::Exhausted);
                break;
            }
            let used = self.turn(left, budget, monitor, &mut stop);
            left = left.saturating_sub(used.max(1));
        }
        if self.upper <= self.lower() {
            stop = None;
            self.upper = self.lower();
            monitor.bound(self.upper);
        }
        Outcome { best: self.best.clone(), upper: self.upper, stop, steps: self.steps, peak_bytes: self.peak_bytes }
    }

    /// One turn of one solver; returns its conflicts.
    fn turn(&mut self, most: u64, budget: &Budget, monitor: &mut dyn Monitor, stop: &mut Option<Stop>) -> u64 {
        // What engines beside this one know serves here too.
        self.floor = self.floor.max(budget.shared_lower());
        self.upper = self.upper.min(budget.shared_upper()).max(self.lower());
        let (lower, upper) = (self.lower(), self.upper);
        if lower >= upper {
            return 0;
        }
        let target = upper.saturating_sub(self.step).max(lower);
        let index = self.next % self.lanes.len();
        let lane = &mut self.lanes[index];
        let length = (FIRST_TURN * LONGER.powi((lane.turns / 2).min(60) as i32)).min(most as f64) as u64;
        let target = (target > lower && lane.turns % 2 == 0).then_some(target);
        if !lane.is_closed {
            lane.solver.raise_floor(lower);
            lane.solver.aim(target);
        }
        let conflicts = lane.solver.conflicts();
        let verdict = lane.solver.search(length, budget.memory, &mut || budget.spent());
        let used = lane.solver.conflicts() - conflicts;
        self.steps += used;
        self.peak_bytes = self.peak_bytes.max(self.lanes.iter().map(|lane| lane.solver.bytes()).sum());
        let lane = &mut self.lanes[index];
        match verdict {
            Verdict::Found(edges) => {
                let path = lane.solver.model().path(&edges, self.instance);
                let value = self.instance.value(&path);
                debug_assert!(value > lower);
                if lane.is_closed {
                    self.upper = self.upper.min(value);
                }
                self.best = Some((path, value));
                monitor.incumbent(value);
                self.step = 1;
            }
            Verdict::Refuted if lane.is_closed => {
                self.lanes.remove(index);
                self.next = index;
            }
            Verdict::Refuted => {
                let proved = if lane.solver.is_refuted() { lower } else { target.unwrap_or(lower) };
                self.upper = self.upper.min(proved);
                monitor.bound(self.upper);
                self.step = self.step.saturating_mul(2);
            }
            Verdict::Paused => {
                lane.turns += 1;
                self.next = index + 1;
            }
            Verdict::Stopped(why) => *stop = Some(why),
        }
        used
    }
}

impl<'q> Lane<'q> {
    fn new(solver: Solver<'q>, is_closed: bool) -> Self {
        Lane { solver, is_closed, turns: 0 }
    }
}

fn most_of(model: &Model) -> i64 {
    model.most.div_euclid(SCALE).min(i128::from(i64::MAX)) as i64
}

/// The best path of a single vertex.
fn best_vertex(instance: &Instance) -> Option<(Vec<u32>, i64)> {
    let Ends::Open { first, last, single_vertex: true } = &instance.ends else { return None };
    let both = (0..).zip(first.iter().zip(last));
    let allowed = both.filter(|(_, (first, last))| **first != NOT_AN_END && **last != NOT_AN_END);
    let (vertex, value) = allowed.map(|(vertex, (first, last))| (vertex, first + last)).max_by_key(|pair| pair.1)?;
    Some((vec![vertex], value))
}
