//! From decisions to the optimum: targets fall from the best bound, the floor rises with the best path.

use std::sync::OnceLock;

use super::at_once::at_once;
use super::config::Config;
use super::exchange::partners;
use super::lookahead::Lookahead;
use super::missing::{Missing, Try, with_tail};
use super::model::{Model, SCALE};
use super::solver::{Solver, Verdict};
use super::ties::spanning;
use crate::engines::door::{Door, Offer, Unfit};
use crate::instance::{Budget, Ends, Instance, Monitor, NOT_AN_END, Outcome};
use crate::solution::Stop;

impl Door for Config {
    fn open<'i>(&'i self, instance: &'i Instance) -> Result<Offer<'i>, Unfit> {
        let offer = Offer::of(|floor, budget, monitor| {
            let question = Question::new(instance);
            if let Some(stop) = budget.spent() {
                let best = instance.best_single_vertex().filter(|&(_, value)| value > floor);
                best.iter().for_each(|&(_, value)| monitor.incumbent(value));
                return Outcome { best, stop: Some(stop), ..Outcome::nothing_above(floor, instance.trivial_bound()) };
            }
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
    /// Made when it is asked for; `None` inside where no path of two vertices or more can exist.
    model: OnceLock<Option<Model>>,
    /// Where a Hamiltonian cycle settles everything: what it has to be, if there may be one.
    spanning: Option<Model>,
    /// Whether one would, but there is none.
    is_spanned_by_none: bool,
}

impl<'p> Question<'p> {
    pub(crate) fn new(instance: &'p Instance) -> Self {
        let spans = spanning_cycle_is_best(instance);
        let model = if spans { spanning(&instance.graph) } else { None };
        Question { instance, model: OnceLock::new(), is_spanned_by_none: spans && model.is_none(), spanning: model }
    }
}

impl Question<'_> {
    fn model(&self) -> Option<&Model> {
        self.model.get_or_init(|| Model::new(self.instance)).as_ref()
    }
}

/// Whether a Hamiltonian cycle is best, or a best path without one of its edges.
fn spanning_cycle_is_best(instance: &Instance) -> bool {
    let edges = instance.graph.edges();
    let Some(weight) = edges.first().map(|edge| edge.weight) else { return false };
    let is_free = |prizes: &[i64]| prizes[0] != NOT_AN_END && prizes.iter().all(|&prize| prize == prizes[0]);
    let (n, m) = (instance.graph.vertex_count(), edges.len());
    let has_ends = match &instance.ends {
        Ends::Open { first, last, .. } => is_free(first) && is_free(last),
        Ends::Closed { .. } => true,
    };
    n >= 3 && m >= n && weight > 0 && edges.iter().all(|edge| edge.weight == weight) && has_ends
}

/// One solver with its turns.
struct Lane<'q> {
    solver: Solver<'q>,
    /// It looks for a Hamiltonian cycle.
    is_spanning: bool,
    turns: i32,
    /// The work of all turns so far, and how much of the whole it should have.
    spent: u64,
    share: u64,
}

/// The work of the first turn of a solver, and how many times longer each is than the one before.
const FIRST_TURN: f64 = 50_000.0;
const LONGER: f64 = 1.2;

/// The search for a Hamiltonian cycle goes on for so many times as long as that for a path; for much longer where a cycle is
/// asked for, since nothing is settled before it is.
const SPANNING_SHARE: u64 = 4;
const SPANNING_SHARE_OF_CYCLES: u64 = 16;

/// Where two threads work on either, it goes on for so many times as long again.
const WITH_TWO_THREADS: u64 = 3;

/// After it, that for a cycle which misses one vertex goes on for so many times as long as that for any other: there edges say
/// most of each other. So it does with lookahead, whose end can be seen.
const MISSING_SHARE: u64 = 3;

/// After so much work each solver gets another beside it, with other random numbers and more looks at connectivity: how long
/// a search takes is much a matter of luck. The others have so many times its share.
const LUCKLESS: u64 = 4_000_000;
const SHARE_OF_FIRST: u64 = 6;
const LOOKS_OF_SECOND: u64 = 4;

/// After so much work on a Hamiltonian cycle, if clauses join most levels, it is looked for with lookahead as well, in turns of this
/// length; as long as otherwise at first, and for so many times as long once that has had so much work and goes on. Where more is
/// left than this it is less in proportion.
const AHEAD_AFTER: u64 = 100_000;
const AHEAD_TURN: u64 = 50_000;
const AHEAD_TRIED: u64 = 1_000_000;
const AHEAD_SHARE: f64 = 8.0;
const MUCH_AHEAD: f64 = 2e7;

/// One in so many turns looks for any better path, the others for one that meets the bound.
const TURNS_PER_RISE: i32 = 6;

/// After so many conflicts clauses show what they are worth: much, where they join no more levels than this.
const ENOUGH_LEARNT: u64 = 500;
const FEW_LEVELS: f64 = 30.0;

/// What a turn came to, its conflicts and its work.
struct Worked {
    verdict: Verdict,
    conflicts: u64,
    used: u64,
}

impl Lane<'_> {
    fn work(&mut self, length: u64, memory: usize, spent: &mut dyn FnMut() -> Option<Stop>) -> Worked {
        let (conflicts, ticks) = (self.solver.conflicts(), self.solver.ticks());
        let verdict = self.solver.search(length, memory, spent);
        let used = self.solver.ticks() - ticks + 1;
        self.spent += used;
        Worked { verdict, conflicts: self.solver.conflicts() - conflicts, used }
    }
}

/// A turn of two solvers of the same model, on two threads.
fn both(pair: [&mut Lane<'_>; 2], length: u64, memory: usize, budget: &Budget) -> Worked {
    let works = pair.map(|lane| move |spent: &mut dyn FnMut() -> Option<Stop>| lane.work(length, memory, spent));
    let worked = at_once(works, budget, |worked| worked.verdict != Verdict::Paused);
    let Ok([one, other]) = <[Worked; 2]>::try_from(worked) else { unreachable!("two have worked") };
    let (conflicts, used) = (one.conflicts + other.conflicts, one.used.max(other.used));
    // The one that was ended for the other's sake has nothing to say.
    let says = |verdict: &Verdict| match verdict {
        Verdict::Paused => 0,
        Verdict::Stopped(Stop::Interrupted) => 1,
        Verdict::Stopped(_) => 2,
        Verdict::Found(_) | Verdict::Refuted => 3,
    };
    let verdict = if says(&one.verdict) < says(&other.verdict) { other.verdict } else { one.verdict };
    Worked { verdict, conflicts, used }
}

/// A search that can pause and go on.
pub(crate) struct Search<'q> {
    question: &'q Question<'q>,
    instance: &'q Instance,
    config: Config,
    /// Whether every solver has another beside it.
    is_doubled: bool,
    lanes: Vec<Lane<'q>>,
    /// The search for a Hamiltonian cycle with lookahead, and whether there was one.
    lookahead: Option<Lookahead>,
    has_looked_ahead: bool,
    /// The search for a cycle that misses one vertex, after that for a Hamiltonian one.
    missing: Option<Missing>,
    /// Whether there is a solver for the question itself; where a Hamiltonian cycle is easy to find there need be none.
    has_main: bool,
    best: Option<(Vec<u32>, i64)>,
    floor: i64,
    upper: i64,
    /// How far below the bound the next target is.
    step: i64,
    conflicts: u64,
    /// The work of all runs so far, and how much of it was more than they were asked for: a try that is cut short begins anew,
    /// so it may take as long as everything before.
    spent: u64,
    owed: u64,
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
            lookahead: None,
            has_looked_ahead: false,
            missing: None,
            has_main: false,
            best,
            floor,
            upper,
            step: 1,
            conflicts: 0,
            spent: 0,
            owed: 0,
            peak_bytes: 0,
        };
        search.upper = upper.min(instance.trivial_bound()).max(search.lower());
        if question.is_spanned_by_none {
            search.no_cycle_spans();
        }
        if search.upper > search.lower() {
            search.add_lanes(config, SHARE_OF_FIRST, |is_spanning| is_spanning);
        }
        search
    }

    /// A solver for the question closed, if that is to be asked, and one for the question itself, where wanted.
    fn add_lanes(&mut self, config: Config, share: u64, wanted: impl Fn(bool) -> bool) {
        let lower = self.lower();
        let spanning = self.question.spanning.iter().filter(|_| wanted(true));
        let longer = if self.is_closed() { SPANNING_SHARE_OF_CYCLES } else { SPANNING_SHARE };
        let spanning = spanning.map(|model| (model, most_of(model) - 1, longer * share));
        let question = self.question;
        let itself = Some(())
            .filter(|()| wanted(false))
            .and_then(|()| question.model())
            .into_iter()
            .map(|model| (model, lower, share));
        for (is_spanning, (model, floor, share)) in
            spanning.map(|lane| (true, lane)).chain(itself.map(|lane| (false, lane)))
        {
            let solver = Solver::new(model, config, floor);
            self.lanes.push(Lane { solver, is_spanning, turns: 0, spent: 0, share });
        }
    }

    /// Gives each solver that is still at work another beside it; those that look for a Hamiltonian cycle learn from each other,
    /// and work at the same time where there are two threads.
    pub(super) fn double(&mut self) {
        self.is_doubled = true;
        let (seed, connectivity) = (self.config.seed.wrapping_add(1), self.config.connectivity / LOOKS_OF_SECOND);
        let goes_on: Vec<bool> = self.lanes.iter().map(|lane| lane.is_spanning).collect();
        self.add_lanes(Config { seed, connectivity, ..self.config }, 1, |is_spanning| goes_on.contains(&is_spanning));
        let spanning = self.lanes.iter_mut().filter(|lane| lane.is_spanning);
        spanning.zip(partners()).for_each(|(lane, partner)| lane.solver.join(partner));
    }

    /// There is no Hamiltonian cycle.
    fn no_cycle_spans(&mut self) {
        let spanning = self.lanes.iter().filter(|lane| lane.is_spanning);
        let work: u64 = spanning.map(|lane| lane.spent).sum();
        self.lanes.retain(|lane| !lane.is_spanning);
        self.lookahead = None;
        self.missing = Some(Missing::new(self.instance, self.config.seed, work));
        self.upper = self.most_without_spanning().max(self.lower());
    }

    /// What is best at most if a Hamiltonian cycle is not: where that is worth the bound, a cycle misses a vertex otherwise.
    fn most_without_spanning(&self) -> i64 {
        match (&self.instance.ends, self.instance.graph.edges().first()) {
            (Ends::Closed { .. }, Some(edge)) => {
                let all = (self.instance.graph.vertex_count() as i64).saturating_mul(edge.weight);
                self.upper.min(all.saturating_sub(edge.weight))
            }
            _ => self.upper,
        }
    }

    fn is_closed(&self) -> bool {
        matches!(self.instance.ends, Ends::Closed { .. })
    }

    fn lower(&self) -> i64 {
        self.best.as_ref().map_or(self.floor, |&(_, value)| value.max(self.floor))
    }

    /// Takes over what others have proved: that there is a path worth so much, and none worth more than the bound.
    pub(crate) fn learn(&mut self, lower: i64, upper: i64) {
        self.floor = self.floor.max(lower);
        self.upper = self.upper.min(upper).max(self.lower());
    }

    /// Whether what it learns prunes much: clauses join few levels. Before it has learnt much there is hope, and so there is where
    /// lookahead will end.
    pub(crate) fn prunes_much(&self) -> bool {
        let looks_ahead = self.lookahead.is_some() || self.missing.as_ref().is_some_and(Missing::looks_ahead);
        looks_ahead || self.conflicts < ENOUGH_LEARNT || self.mean_levels() <= FEW_LEVELS
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
        let mut left = work.saturating_sub(self.owed);
        self.owed = self.owed.saturating_sub(work);
        let mut stop = (left == 0).then_some(Stop::Exhausted);
        let before = self.conflicts;
        while stop.is_none() {
            // What engines beside this one know serves here too.
            self.learn(budget.shared_lower(), budget.shared_upper());
            if self.upper <= self.lower() {
                break;
            }
            let used;
            (used, stop) = self.turn(left, budget, monitor);
            self.spent += used;
            self.owed += used.saturating_sub(left);
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
        Outcome { best, upper: self.upper, stop, steps: self.conflicts - before, peak_bytes: self.peak_bytes }
    }

    /// One turn of one solver; returns its work, and why it was stopped if it was.
    fn turn(&mut self, most: u64, budget: &Budget, monitor: &mut dyn Monitor) -> (u64, Option<Stop>) {
        if !self.has_main && self.lanes.iter().all(|lane| lane.turns > 0) {
            self.has_main = true;
            self.add_lanes(self.config, SHARE_OF_FIRST, |is_spanning| !is_spanning);
            let most = self.question.model().map_or(i64::MIN, most_of);
            self.upper = self.upper.min(most).max(self.lower());
            if self.upper <= self.lower() {
                return (0, None);
            }
        }
        let spans = self.lanes.iter().any(|lane| lane.is_spanning);
        let lower = self.lower();
        // Where others look for a Hamiltonian cycle the rest look for less.
        let upper = if spans { self.most_without_spanning() } else { self.upper };
        if !self.is_doubled && self.lanes.iter().map(|lane| lane.spent).sum::<u64>() >= LUCKLESS {
            self.double();
        }
        if self.is_lookahead_next() {
            return self.turn_of_lookahead(most, budget, monitor);
        }
        if self.is_missing_next() {
            return self.turn_of_missing(most.max(self.spent), budget, monitor);
        }
        let is_of_use = |lane: &Lane<'_>| lane.is_spanning || upper > lower;
        let is_shared = self.is_doubled && budget.threads > 1;
        let of_use = (0..self.lanes.len()).filter(|&index| is_of_use(&self.lanes[index]));
        let share = |lane: &Lane<'_>| if lane.is_spanning && is_shared { WITH_TWO_THREADS } else { 1 } * lane.share;
        let Some(index) = of_use.min_by_key(|&index| self.lanes[index].spent / share(&self.lanes[index])) else {
            return (0, Some(Stop::Exhausted));
        };
        let is_spanning = self.lanes[index].is_spanning;
        let is_partner = |&other: &usize| other != index && self.lanes[other].is_spanning == is_spanning;
        let partner = (0..self.lanes.len()).filter(|_| is_shared).find(is_partner);
        let others = (0..self.lanes.len()).filter(|&other| other != index && Some(other) != partner);
        let held: usize = others.map(|other| self.lanes[other].solver.bytes()).sum();
        let held = held + self.lookahead.as_ref().map_or(0, Lookahead::bytes);
        let memory = budget.memory.saturating_sub(held) / if partner.is_some() { 2 } else { 1 };
        let lane = &self.lanes[index];
        let rises = lane.turns % TURNS_PER_RISE == TURNS_PER_RISE - 1;
        let target = Some(upper.saturating_sub(self.step)).filter(|&target| target > lower && !rises);
        let length = (FIRST_TURN * LONGER.powi(lane.turns)).min(most as f64) as u64;
        if !is_spanning {
            for at in [Some(index), partner].into_iter().flatten() {
                self.lanes[at].solver.raise_floor(lower);
                self.lanes[at].solver.aim(target);
            }
        }
        let Worked { verdict, conflicts, used } = match partner {
            Some(partner) => {
                let pair = self.lanes.get_disjoint_mut([index, partner]).expect("two lanes");
                both(pair, length, memory, budget)
            }
            None => self.lanes[index].work(length, memory, &mut || budget.spent()),
        };
        self.conflicts += conflicts;
        self.peak_bytes = self.peak_bytes.max(self.lanes.iter().map(|lane| lane.solver.bytes()).sum());
        let lane = &mut self.lanes[index];
        match verdict {
            Verdict::Found(edges) => {
                let path = lane.solver.model().path(&edges, self.instance);
                self.found(path, is_spanning, monitor);
            }
            Verdict::Refuted if lane.is_spanning => {
                self.no_cycle_spans();
                monitor.bound(self.upper);
            }
            Verdict::Refuted => {
                let mut team = [Some(index), partner].into_iter().flatten();
                let is_refuted = team.any(|at| self.lanes[at].solver.is_refuted());
                self.upper = if is_refuted { lower } else { target.unwrap_or(lower) };
                monitor.bound(self.upper);
                self.step = self.step.saturating_mul(2);
            }
            Verdict::Paused => lane.turns += 1,
            Verdict::Stopped(why) => return (used, Some(why)),
        }
        (used, None)
    }
}

impl Search<'_> {
    /// A path, which is best of all where it comes of a Hamiltonian cycle.
    fn found(&mut self, path: Vec<u32>, is_best: bool, monitor: &mut dyn Monitor) {
        let value = self.instance.value(&path);
        if is_best {
            self.upper = value;
        }
        self.best = Some((path, value));
        monitor.incumbent(value);
        self.step = 1;
    }

    /// Whether it is the turn of lookahead.
    fn is_lookahead_next(&mut self) -> bool {
        let mut spanning = self.lanes.iter().filter(|lane| lane.is_spanning);
        let others: u64 = spanning.clone().map(|lane| lane.spent).sum();
        let learns_little = spanning.any(|lane| lane.solver.joins_most_levels());
        if self.config.lookahead && !self.has_looked_ahead && others >= AHEAD_AFTER && learns_little {
            self.has_looked_ahead = true;
            self.lookahead = self.question.spanning.as_ref().map(|model| Lookahead::new(model, &[]));
        }
        let Some(lookahead) = &self.lookahead else { return false };
        if lookahead.is_too_long() {
            self.lookahead = None;
            return false;
        }
        let share = if lookahead.spent < AHEAD_TRIED { 1.0 } else { AHEAD_SHARE };
        (lookahead.spent as f64) < share * others as f64 * (MUCH_AHEAD / lookahead.left()).min(1.0)
    }

    fn turn_of_lookahead(&mut self, most: u64, budget: &Budget, monitor: &mut dyn Monitor) -> (u64, Option<Stop>) {
        let (Some(mut lookahead), Some(model)) = (self.lookahead.take(), &self.question.spanning) else {
            return (0, None);
        };
        let held: usize = self.lanes.iter().map(|lane| lane.solver.bytes()).sum();
        let (begin, nodes) = (lookahead.spent, lookahead.nodes());
        let verdict = lookahead.search(most.min(AHEAD_TURN), budget.memory.saturating_sub(held), budget);
        let used = lookahead.spent - begin;
        self.conflicts += lookahead.nodes() - nodes;
        let mut stop = None;
        match verdict {
            Verdict::Found(edges) => self.found(model.path(&edges, self.instance), true, monitor),
            Verdict::Refuted => {
                self.no_cycle_spans();
                self.missing.iter_mut().for_each(Missing::look_ahead);
                monitor.bound(self.upper);
                return (used, None);
            }
            Verdict::Paused => {}
            Verdict::Stopped(why) => stop = Some(why),
        }
        self.lookahead = Some(lookahead);
        (used, stop)
    }

    /// Whether a cycle that misses one vertex would be best, and it is the turn of what looks for it.
    fn is_missing_next(&mut self) -> bool {
        let Some(missing) = &self.missing else { return false };
        let graph = &self.instance.graph;
        let edge = graph.edges().first().map_or(0, |edge| edge.weight);
        let worth = (graph.vertex_count() as i64 - 1).saturating_mul(edge);
        if self.upper < worth || self.is_closed() && self.lower() >= worth {
            self.missing = None;
            return false;
        }
        let share = if self.is_closed() || missing.looks_ahead() { MISSING_SHARE } else { 1 } * SHARE_OF_FIRST;
        self.lanes.iter().all(|lane| missing.spent / share < lane.spent / lane.share)
    }

    /// A try at a cycle that misses one vertex.
    fn turn_of_missing(&mut self, most: u64, budget: &Budget, monitor: &mut dyn Monitor) -> (u64, Option<Stop>) {
        let Some(mut missing) = self.missing.take() else { return (0, None) };
        let held: usize = self.lanes.iter().map(|lane| lane.solver.bytes()).sum();
        let memory = budget.memory.saturating_sub(held + missing.bytes());
        let (begin, conflicts) = (missing.spent, missing.conflicts);
        let tried = missing.turn(self.instance, self.config, most, memory, budget);
        let used = missing.spent - begin;
        self.conflicts += missing.conflicts - conflicts;
        let graph = &self.instance.graph;
        let is_closed = self.is_closed();
        let mut stop = None;
        match tried {
            Try::Found(cycle, vertex) => {
                let path = if is_closed { Some(cycle) } else { with_tail(&cycle, vertex, graph) };
                let valued = path.map(|path| (self.instance.value(&path), path));
                if let Some((value, path)) = valued.filter(|&(value, _)| value > self.lower()) {
                    self.best = Some((path, value));
                    monitor.incumbent(value);
                }
                return (used, None);
            }
            Try::Refuted if is_closed => {
                let weight = graph.edges().first().map_or(0, |edge| edge.weight);
                let most = (graph.vertex_count() as i64 - 2).saturating_mul(weight);
                self.upper = self.upper.min(most).max(self.lower());
                monitor.bound(self.upper);
                return (used, None);
            }
            Try::Refuted => return (used, None),
            Try::Open => {}
            Try::Stopped(why) => stop = Some(why),
        }
        self.missing = Some(missing);
        (used, stop)
    }
}

fn most_of(model: &Model) -> i64 {
    model.most.div_euclid(SCALE).min(i128::from(i64::MAX)) as i64
}
