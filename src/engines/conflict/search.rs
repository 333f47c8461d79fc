//! From decisions to the optimum: targets fall from the best bound, the floor rises with the best path.

use super::config::Config;
use super::model::{Model, SCALE};
use super::solver::{Solver, Verdict};
use crate::engines::door::{Door, Offer, Unfit};
use crate::instance::{Budget, Ends, Instance, Monitor, NOT_AN_END, Outcome};
use crate::solution::Stop;

impl Door for Config {
    fn open<'i>(&'i self, instance: &'i Instance) -> Result<Offer<'i>, Unfit> {
        let offer = Offer::of(|floor, budget, monitor| {
            let question = Question::new(instance);
            let config = Config { seed: budget.seed, ..*self };
            Search::new(&question, config, floor, i64::MAX).run(u64::MAX, budget, monitor)
        });
        Ok(Offer { bytes: bytes(instance), ..offer })
    }
}

/// What a search holds from the beginning.
fn bytes(instance: &Instance) -> usize {
    const BYTES_PER_CHOICE: usize = 600;
    let choices = instance.graph.edge_count() + 4 * instance.graph.vertex_count();
    choices.saturating_mul(BYTES_PER_CHOICE)
}

/// Whether that fits in the memory that is given.
pub(crate) fn fits(instance: &Instance, memory: usize) -> bool {
    bytes(instance) <= memory
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
    turns: i32,
    /// The work of all turns so far, and how much of the whole it should have.
    spent: u64,
    share: u64,
}

/// The work of the first turn of a solver, and how many times longer each is than the one before.
const FIRST_TURN: f64 = 50_000.0;
const LONGER: f64 = 1.2;

/// The search for a Hamiltonian cycle goes on for so many times as long as that for a path.
const CLOSED_SHARE: u64 = 2;

/// After so much work each solver gets another beside it, with other random numbers and more looks at connectivity: how long
/// a search takes is much a matter of luck. The others have so many times its share.
const LUCKLESS: u64 = 4_000_000;
const SHARE_OF_FIRST: u64 = 6;
const LOOKS_OF_SECOND: u64 = 4;

/// One in so many turns looks for any better path, the others for one that meets the bound.
const TURNS_PER_RISE: i32 = 6;

/// After so many conflicts clauses show what they are worth: much, where they join no more levels than this.
const ENOUGH_LEARNT: u64 = 500;
const FEW_LEVELS: f64 = 30.0;

/// A search that can pause and go on.
pub(crate) struct Search<'q> {
    question: &'q Question<'q>,
    instance: &'q Instance,
    config: Config,
    /// Whether every solver has another beside it.
    is_doubled: bool,
    lanes: Vec<Lane<'q>>,
    best: Option<(Vec<u32>, i64)>,
    floor: i64,
    upper: i64,
    /// How far below the bound the next target is.
    step: i64,
    conflicts: u64,
    peak_bytes: usize,
}

impl<'q> Search<'q> {
    pub(crate) fn new(question: &'q Question<'q>, config: Config, floor: i64, upper: i64) -> Self {
        let instance = question.instance;
        let best = instance.best_single_vertex().filter(|&(_, value)| value > floor);
        let mut search = Search {
            question,
            instance,
            config,
            is_doubled: false,
            lanes: Vec::new(),
            best,
            floor,
            upper,
            step: 1,
            conflicts: 0,
            peak_bytes: 0,
        };
        let most = question.model.as_ref().map_or(i64::MIN, most_of);
        search.upper = upper.min(most).max(search.lower());
        if search.upper > search.lower() {
            search.add_lanes(config, SHARE_OF_FIRST, |_| true);
        }
        search
    }

    /// A solver for the question closed, if that is to be asked, and one for the question itself, where wanted.
    fn add_lanes(&mut self, config: Config, share: u64, wanted: impl Fn(bool) -> bool) {
        let lower = self.lower();
        let closed = self.question.closed.iter().filter(|_| wanted(true));
        let closed = closed.map(|model| (model, most_of(model) - 1, CLOSED_SHARE * share));
        let itself = self.question.model.iter().filter(|_| wanted(false)).map(|model| (model, lower, share));
        for (is_closed, (model, floor, share)) in
            closed.map(|lane| (true, lane)).chain(itself.map(|lane| (false, lane)))
        {
            let solver = Solver::new(model, config, floor);
            self.lanes.push(Lane { solver, is_closed, turns: 0, spent: 0, share });
        }
    }

    /// Gives each solver that is still at work another beside it.
    pub(super) fn double(&mut self) {
        self.is_doubled = true;
        let (seed, connectivity) = (self.config.seed.wrapping_add(1), self.config.connectivity / LOOKS_OF_SECOND);
        let goes_on: Vec<bool> = self.lanes.iter().map(|lane| lane.is_closed).collect();
        self.add_lanes(Config { seed, connectivity, ..self.config }, 1, |is_closed| goes_on.contains(&is_closed));
    }

    fn lower(&self) -> i64 {
        self.best.as_ref().map_or(self.floor, |&(_, value)| value.max(self.floor))
    }

    /// Takes over what others have proved: that there is a path worth so much, and none worth more than the bound.
    pub(crate) fn learn(&mut self, lower: i64, upper: i64) {
        self.floor = self.floor.max(lower);
        self.upper = self.upper.min(upper).max(self.lower());
    }

    /// Whether what it learns prunes much: clauses join few levels. Before it has learnt much there is hope.
    pub(crate) fn prunes_much(&self) -> bool {
        self.conflicts < ENOUGH_LEARNT || self.mean_levels() <= FEW_LEVELS
    }

    /// How many levels the clauses join that were learnt lately.
    fn mean_levels(&self) -> f64 {
        self.lanes.iter().map(|lane| lane.solver.mean_levels()).fold(f64::INFINITY, f64::min)
    }

    /// Searches until everything is settled, the budget is spent, or so much work is done (then it stops as
    /// [`Exhausted`](Stop::Exhausted)): a unit for every step of propagation, some hundred nanoseconds. Can be called again,
    /// to go on.
    pub(crate) fn run(&mut self, work: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Outcome {
        if let Some((_, value)) = self.best {
            monitor.incumbent(value);
        }
        monitor.bound(self.upper);
        let mut left = work;
        let mut stop = None;
        while stop.is_none() {
            // What engines beside this one know serves here too.
            self.learn(budget.shared_lower(), budget.shared_upper());
            if self.upper <= self.lower() {
                break;
            }
            let used;
            (used, stop) = self.turn(left, budget, monitor);
            left = left.saturating_sub(used);
            if left == 0 && stop.is_none() {
                stop = Some(Stop::Exhausted);
            }
        }
        if self.upper <= self.lower() {
            stop = None;
            self.upper = self.lower();
            monitor.bound(self.upper);
        }
        let best = self.best.clone();
        Outcome { best, upper: self.upper, stop, steps: self.conflicts, peak_bytes: self.peak_bytes }
    }

    /// One turn of one solver; returns its work, and why it was stopped if it was.
    fn turn(&mut self, most: u64, budget: &Budget, monitor: &mut dyn Monitor) -> (u64, Option<Stop>) {
        let (lower, upper) = (self.lower(), self.upper);
        if !self.is_doubled && self.lanes.iter().map(|lane| lane.spent).sum::<u64>() >= LUCKLESS {
            self.double();
        }
        let Some(index) = (0..self.lanes.len()).min_by_key(|&index| self.lanes[index].spent / self.lanes[index].share)
        else {
            return (0, Some(Stop::Exhausted));
        };
        let others: usize =
            (0..self.lanes.len()).filter(|&other| other != index).map(|other| self.lanes[other].solver.bytes()).sum();
        let lane = &mut self.lanes[index];
        let rises = lane.turns % TURNS_PER_RISE == TURNS_PER_RISE - 1;
        let target = Some(upper.saturating_sub(self.step)).filter(|&target| target > lower && !rises);
        let length = (FIRST_TURN * LONGER.powi(lane.turns)).min(most as f64) as u64;
        if !lane.is_closed {
            lane.solver.raise_floor(lower);
            lane.solver.aim(target);
        }
        let (conflicts, ticks) = (lane.solver.conflicts(), lane.solver.ticks());
        let memory = budget.memory.saturating_sub(others);
        let verdict = lane.solver.search(length, memory, &mut || budget.spent());
        let used = lane.solver.ticks() - ticks + 1;
        self.conflicts += lane.solver.conflicts() - conflicts;
        lane.spent += used;
        self.peak_bytes = self.peak_bytes.max(self.lanes.iter().map(|lane| lane.solver.bytes()).sum());
        let lane = &mut self.lanes[index];
        match verdict {
            Verdict::Found(edges) => {
                let path = lane.solver.model().path(&edges, self.instance);
                let value = self.instance.value(&path);
                if lane.is_closed {
                    self.upper = value;
                }
                self.best = Some((path, value));
                monitor.incumbent(value);
                self.step = 1;
            }
            Verdict::Refuted if lane.is_closed => self.lanes.retain(|lane| !lane.is_closed),
            Verdict::Refuted => {
                self.upper = if lane.solver.is_refuted() { lower } else { target.unwrap_or(lower) };
                monitor.bound(self.upper);
                self.step = self.step.saturating_mul(2);
            }
            Verdict::Paused => lane.turns += 1,
            Verdict::Stopped(why) => return (used, Some(why)),
        }
        (used, None)
    }
}

fn most_of(model: &Model) -> i64 {
    model.most.div_euclid(SCALE).min(i128::from(i64::MAX)) as i64
}
