//! What one search does with its time: a first path, then rounds of annealing, from the best path or a new one.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant};

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::cover::{Cover, Schedule};
use super::random;
use super::sequence::{Sequence, Side};
use super::shape::Shape;
use super::start::{self, Goal};
use super::state::State;
use super::tours;
use crate::instance::{Budget, Ends, Instance, NOT_AN_END};
use crate::solution::Stop;

/// The clock is asked once in this much work.
const WORK_PER_CLOCK: u64 = 1 << 13;
/// Reckoning the value of a path takes at most so many times as long as making room for the search.
const MARGIN_FOR_VALUE: u32 = 4;
/// Loading and saving a path takes at most so many times as long as loading one did.
const MARGIN_FOR_LOADING: u32 = 3;
/// A first path is looked for from so many vertices at most, and from fewer where there are more vertices than this.
const MOST_STARTS: usize = 8;
const CHEAP_START: usize = 1 << 16;
/// Temperatures where a round of annealing begins and ends, in average weights of an edge. No choice is best for every
/// graph, so each round draws.
const HOT: [f64; 2] = [2.0, 3.0];
const COLD: [f64; 2] = [0.2, 0.01];
/// The temperature within an excursion; and how many moves it has to close its cycle again.
const RESTLESS: [f64; 3] = [0.3, 0.7, 1.5];
const EXCURSION: [usize; 3] = [100, 300, 1000];
/// One in this many steps on a closed path is an excursion, the others are detours.
const STEPS_PER_EXCURSION: usize = 4;
/// One in this many rounds drifts.
const ROUNDS_PER_DRIFT: usize = 4;
/// How long the first rounds are; later ones are longer.
const WORK_PER_VERTEX: u64 = 500;
/// The temperature while the first path is improved.
const SETTLED: f64 = 0.1;
/// Steps of falling temperature in a round.
const STAGES: u64 = 64;
/// How long the ends of a cover wander before one can tell what it may come to, and how long the first is annealed then; but
/// one cover takes no more than one in so many parts of the work and time that is left.
const QUENCH_PER_VERTEX: u64 = 200;
const FIRST_COVER_PER_VERTEX: u64 = 2_000;
const SHARE_FOR_COVER: u64 = 4;
/// Temperatures of a cover, in average weights of an edge, and what a vertex of its largest path is worth beside its link.
const COVER_HOT: f64 = 0.5;
const COVER_COLD: f64 = 0.25;
const COVER_BIAS: f64 = 1.0;
/// A path between ends that are worth more is looked for in a cover, for so long; so many covers may come to nothing.
const ENDS_PER_VERTEX: u64 = 1_000;
const MOST_VAIN_ENDS: u32 = 20;
/// Only where the best path misses one vertex in so many at most; and no more than so much is asked of the ends beyond theirs.
const MOST_VISITED: usize = 100;
const MOST_GAIN: usize = 1 << 20;
/// How often in a row no path may be found between ends drawn at random.
const MOST_FAILURES: u64 = 64;

/// What two searches share.
pub(super) struct Race {
    /// The best value of either.
    pub(super) best: AtomicI64,
    /// Whether one has reached the upper bound.
    pub(super) won: AtomicBool,
}

/// What a search is asked for.
pub(super) struct Task<'a> {
    pub(super) instance: &'a Instance,
    pub(super) start: Option<&'a [u32]>,
    pub(super) upper: i64,
    pub(super) effort: u64,
    pub(super) budget: &'a Budget,
    pub(super) race: &'a Race,
    /// Whether the instance has covers, and there is memory for one; the same of tours.
    pub(super) may_cover: bool,
    pub(super) may_tour: bool,
    /// Which of the searches this is; each has random numbers of its own.
    pub(super) lane: u64,
}

/// What a search brings back.
pub(super) struct Found {
    pub(super) best: Option<(Vec<u32>, i64)>,
    /// Why it stopped; `None` where it did all it could or either search won.
    pub(super) stop: Option<Stop>,
    pub(super) steps: u64,
}

impl Task<'_> {
    /// Searches, telling `report` the best value of both searches whenever it has risen.
    pub(super) fn run<S: Sequence>(&self, report: &mut dyn FnMut(i64)) -> Found {
        let seed = self.budget.seed.wrapping_add(self.lane.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let edges = self.instance.graph.edges();
        let total: f64 = edges.iter().map(|edge| edge.weight.unsigned_abs() as f64).sum();
        let scale = (total / edges.len().max(1) as f64).max(1.0);
        let (firsts, lasts) = match &self.instance.ends {
            Ends::Open { first, last, .. } => (allowed(first), allowed(last)),
            Ends::Closed { .. } => (Vec::new(), Vec::new()),
        };
        let began = Instant::now();
        let state = State::new(self.instance, scale, seed);
        let mut search = Search::<S> {
            task: self,
            state,
            margin: began.elapsed() * MARGIN_FOR_VALUE,
            // The moves draw from the seed itself.
            rng: Pcg64Mcg::seed_from_u64(!seed),
            scale,
            // A known path is made better in less time (measured: beside branch and cut covers take more than they bring).
            has_covers: self.may_cover && self.start.is_none(),
            cover_seeds: Pcg64Mcg::seed_from_u64(seed.rotate_left(32)),
            vain_ends: MOST_VAIN_ENDS,
            firsts,
            lasts,
            steps: 0,
            setup_work: 0,
            clock_at: 0,
            report,
            reported: i64::MIN,
            over: None,
        };
        search.rounds();
        search.state.save();
        let best = search.state.best_value.map(|value| (std::mem::take(&mut search.state.best), value));
        Found { best, stop: search.over.flatten(), steps: search.steps }
    }
}

/// Whether the run must end within this margin, and why.
fn out_of_time(budget: &Budget, margin: Duration) -> Option<Stop> {
    let late = |deadline: Instant| Instant::now() + margin >= deadline;
    budget.spent().or_else(|| budget.deadline.filter(|&deadline| late(deadline)).map(|_| Stop::TimeLimit))
}

/// The vertices where a path may have this end.
fn allowed(prizes: &[i64]) -> Vec<u32> {
    (0..).zip(prizes).filter(|(_, prize)| **prize != NOT_AN_END).map(|(vertex, _)| vertex).collect()
}

struct Search<'a, 'b, S> {
    task: &'b Task<'a>,
    state: State<'a, S>,
    /// How long before the deadline the search must end, so that its path is handed over in time.
    margin: Duration,
    rng: Pcg64Mcg,
    /// The average weight of an edge, without its sign.
    scale: f64,
    /// Whether covers may be of use.
    has_covers: bool,
    /// Where they come to nothing, all goes on as if there were none.
    cover_seeds: Pcg64Mcg,
    /// How many covers with better ends may still come to nothing.
    vain_ends: u32,
    firsts: Vec<u32>,
    lasts: Vec<u32>,
    steps: u64,
    /// Work done outside `state`.
    setup_work: u64,
    /// When to ask the clock next, in work.
    clock_at: u64,
    report: &'b mut dyn FnMut(i64),
    reported: i64,
    /// Once the search is over: why, if it was stopped.
    over: Option<Option<Stop>>,
}

impl<S: Sequence> Search<'_, '_, S> {
    fn rounds(&mut self) {
        let start = self.tour();
        let n = self.task.instance.graph.vertex_count() as u64;
        let (shape, path) = match start.or_else(|| self.task.start.map(<[u32]>::to_vec)) {
            Some(path) => (self.shape_of(&path), Some(path)),
            None => {
                let shape = self.some_shape();
                (shape, shape.and_then(|shape| self.new_path(shape, FIRST_COVER_PER_VERTEX * n)))
            }
        };
        if let (Some(shape), Some(path)) = (shape, path) {
            if let Some(stop) = out_of_time(self.task.budget, 2 * self.margin) {
                self.hand_over(shape, path);
                self.over = Some(Some(stop));
                return;
            }
            self.take_up(shape, path);
            self.settle(patience_of(shape, n), true);
            if shape.closing && self.over.is_none() && !self.state.best.is_empty() {
                let path = self.state.best.clone();
                self.take_up(shape, path);
                self.settle(2 * n + 100, false);
            }
        }
        self.more_rounds();
    }

    /// The best path of tours, where those are of use.
    fn tour(&mut self) -> Option<Vec<u32>> {
        let Task { instance, budget, race, effort, start, upper, may_tour, .. } = *self.task;
        if !may_tour {
            return None;
        }
        let question = tours::Question { instance, start, upper, effort, seed: self.rng.next_u64() };
        let mut tell = |value: i64| {
            race.best.fetch_max(value, Ordering::Relaxed);
            if value > self.reported {
                self.reported = value;
                (self.report)(value);
            }
        };
        let toured = question.ask(budget, &|| race.won.load(Ordering::Relaxed), &mut tell)?;
        self.setup_work += toured.work;
        self.steps += toured.steps;
        toured.path
    }

    /// Rounds of annealing, each from the best path or from a new one, until the search is over.
    fn more_rounds(&mut self) {
        let n = self.task.instance.graph.vertex_count() as u64;
        let mut work = WORK_PER_VERTEX * n;
        // Where there is only one shape, depth-first search finds no path of it only if there is none.
        let most_failures = if self.firsts.len().max(self.lasts.len()) > 1 { MOST_FAILURES } else { 1 };
        let mut failures = 0;
        for round in 0u64.. {
            if self.over() || failures == most_failures {
                break;
            }
            if self.take_better_ends() {
                continue;
            }
            let best = (round % 4 != 3 && !self.state.best.is_empty()).then(|| self.state.best.clone());
            let (shape, path) = match best {
                Some(path) => {
                    let inside = round % 4 == 1 && path.len() > 2;
                    let shape = self.shape_of(&path).map(|shape| if inside { shape.pinned(&path) } else { shape });
                    (shape, Some(path))
                }
                None => {
                    let shape = self.some_shape();
                    if let Some(shape) = shape
                        && let Some(path) = self.covering_path(shape, work.saturating_mul(2))
                    {
                        self.take_up(shape, path);
                        self.settle(patience_of(shape, n), true);
                        work = work.saturating_mul(2);
                        continue;
                    }
                    (shape, shape.and_then(|shape| self.first_path(shape)))
                }
            };
            if round % 4 == 3 {
                work *= 2;
            }
            let (Some(shape), Some(path)) = (shape, path) else {
                failures += 1;
                continue;
            };
            failures = 0;
            self.take_up(shape, path);
            self.anneal(work);
        }
    }

    /// Whether the search is over; tells the news, and asks the clock and the other search now and then.
    fn over(&mut self) -> bool {
        let value = self.state.value().unwrap_or(i64::MIN);
        let work = self.state.work() + self.setup_work;
        if value >= self.task.upper {
            self.task.race.won.store(true, Ordering::Relaxed);
            self.over = Some(None);
        } else if work >= self.task.effort {
            self.over = Some(Some(Stop::Exhausted));
        } else if work >= self.clock_at {
            self.clock_at = work + WORK_PER_CLOCK;
            if self.task.race.won.load(Ordering::Relaxed) {
                self.over = Some(None);
            } else if let Some(stop) = out_of_time(self.task.budget, self.margin) {
                self.over = Some(Some(stop));
            }
            let best = self.task.race.best.fetch_max(value, Ordering::Relaxed).max(value);
            if best > self.reported {
                self.reported = best;
                (self.report)(best);
            }
        }
        self.over.is_some()
    }

    fn below(&mut self, bound: usize) -> usize {
        random::below(&mut self.rng, bound)
    }

    /// Whether the first, and the last, vertex of a path are so few that the search must be led to them.
    fn few_ends(&self) -> (bool, bool) {
        let n = self.task.instance.graph.vertex_count();
        let few = |ends: &[u32]| ends.len() == 1 || ends.len() * 8 < n;
        (few(&self.firsts), few(&self.lasts))
    }

    /// A shape in which paths of the instance may be looked for; random where there are several.
    fn some_shape(&mut self) -> Option<Shape> {
        if let Ends::Closed { through } = &self.task.instance.ends {
            return Some(Shape::closed(*through));
        }
        if self.firsts.is_empty() || self.lasts.is_empty() {
            return None;
        }
        let (first, last) = (self.below(self.firsts.len()), self.below(self.lasts.len()));
        let (first, last) = (self.firsts[first], self.lasts[last]);
        Some(match self.few_ends() {
            (true, true) if first != last => Shape::between(first, last),
            (true, _) => Shape::anchored_at(first, Side::Front),
            (false, true) => Shape::anchored_at(last, Side::Back),
            (false, false) => Shape::LOOSE,
        })
    }

    /// The shape in which a known path of the instance can be improved.
    fn shape_of(&self, path: &[u32]) -> Option<Shape> {
        if let Ends::Closed { through } = &self.task.instance.ends {
            return Some(Shape::closed(*through));
        }
        let (&first, &last) = (path.first()?, path.last()?);
        Some(match self.few_ends() {
            (true, true) if first != last => Shape::between(first, last),
            (true, _) => Shape::anchored_at(first, Side::Front),
            (false, true) => Shape::anchored_at(last, Side::Back),
            (false, false) => Shape::LOOSE,
        })
    }

    /// A path of the shape to begin with: out of a cover, where that does better than going on greedily.
    fn new_path(&mut self, shape: Shape, work: u64) -> Option<Vec<u32>> {
        let covering = self.covering_path(shape, work);
        let instance = self.task.instance;
        if covering.as_ref().is_some_and(|path| path.len() == instance.graph.vertex_count()) {
            return covering;
        }
        let greedy = self.first_path(shape);
        let length = |path: &Option<Vec<u32>>| path.as_ref().map(|path| instance.graph.length_along(path));
        if covering.is_some() && length(&covering) >= length(&greedy) { covering } else { greedy }
    }

    /// Where the best path visits nearly all vertices other ends may be worth more than any other vertex, and covers find paths
    /// between given ones. Goes on from such a path, if there was one.
    fn take_better_ends(&mut self) -> bool {
        if !self.task.may_cover || self.vain_ends == 0 {
            return false;
        }
        let Some((first, last)) = self.better_ends() else { return false };
        let (shape, known) = (Shape::between(first, last), self.state.best_value);
        let n = self.task.instance.graph.vertex_count() as u64;
        let Some((Some(path), _)) = self.cover(shape, ENDS_PER_VERTEX * n) else {
            self.vain_ends -= 1;
            return false;
        };
        self.take_up(shape, path);
        self.settle(n, false);
        self.state.save();
        self.vain_ends = if self.state.best_value > known { MOST_VAIN_ENDS } else { self.vain_ends - 1 };
        true
    }

    /// Ends worth more than those of the best path, where that visits nearly all vertices.
    fn better_ends(&mut self) -> Option<(u32, u32)> {
        let instance = self.task.instance;
        let Ends::Open { first, last, .. } = &instance.ends else { return None };
        let (n, visited) = (instance.graph.vertex_count(), self.state.best.len());
        let weight = self.state.uniform()?;
        if visited < 3 || (n - visited) * MOST_VISITED > n || weight <= 0 {
            return None;
        }
        let known = self.state.best_value? - weight * (visited as i64 - 1);
        let most = |ends: &[u32], prizes: &[i64]| ends.iter().map(|&vertex| prizes[vertex as usize]).max();
        let most_last = most(&self.lasts, last)?;
        let gain = most(&self.firsts, first)?.saturating_add(most_last).saturating_sub(known);
        if gain <= 0 {
            return None;
        }
        // Any gain will do, since the largest may be out of the question.
        let least = known + 1 + self.below(MOST_GAIN.min(gain as usize)) as i64;
        let is_hopeful = |end: u32| first[end as usize].saturating_add(most_last) >= least;
        let firsts: Vec<u32> = self.firsts.iter().copied().filter(|&end| is_hopeful(end)).collect();
        let begin = firsts[self.below(firsts.len())];
        let is_enough = |end: u32| end != begin && first[begin as usize].saturating_add(last[end as usize]) >= least;
        let lasts: Vec<u32> = self.lasts.iter().copied().filter(|&end| is_enough(end)).collect();
        (!lasts.is_empty()).then(|| (begin, lasts[self.below(lasts.len())]))
    }

    /// A path of the shape out of a cover, where covers may be of use.
    fn covering_path(&mut self, shape: Shape, work: u64) -> Option<Vec<u32>> {
        if !self.has_covers {
            return None;
        }
        let (path, may_help_again) = self.cover(shape, work)?;
        self.has_covers = may_help_again;
        path
    }

    /// A path of the shape out of a cover, where a little work shows that few paths may cover all vertices; and whether another
    /// cover may be of use. `None` where time is over.
    fn cover(&mut self, shape: Shape, work: u64) -> Option<(Option<Vec<u32>>, bool)> {
        let Task { instance, budget, race, effort, .. } = *self.task;
        let n = instance.graph.vertex_count();
        let begin = self.state.work() + self.setup_work;
        let most = effort.saturating_sub(begin) / SHARE_FOR_COVER;
        let budget = budget.share(1.0 / SHARE_FOR_COVER as f64);
        let mut is_over = |work: u64| {
            work >= most || race.won.load(Ordering::Relaxed) || out_of_time(&budget, Duration::ZERO).is_some()
        };
        let seed = self.cover_seeds.next_u64();
        let since = Instant::now();
        let mut cover = Cover::new(instance, shape, self.state.uniform(), self.scale, seed, &mut is_over);
        let quench = (n as u64 * QUENCH_PER_VERTEX).min(most / 2);
        let is_of_use = cover.quench(quench, &mut is_over);
        if is_of_use && !cover.is_whole() {
            let work = work.min(most.saturating_sub(cover.work()));
            // Cut off while it is hot, it would be worth less than a path that rotates meanwhile.
            let nanoseconds = since.elapsed().as_nanos() as f64 * work as f64 / cover.work().max(1) as f64;
            if !budget.has_time(nanoseconds as u64) {
                self.setup_work += cover.work();
                return None;
            }
            cover.anneal(Schedule { hot: COVER_HOT, cold: COVER_COLD, bias: COVER_BIAS, work }, &mut is_over);
        }
        self.setup_work += cover.work();
        self.steps += cover.turns();
        let path = if is_of_use { cover.best_path() } else { None };
        // Where all vertices are visited, only other ends or edges of other weights are better, which annealing knows.
        Some((path, is_of_use && !cover.is_whole()))
    }

    /// A path of the shape, without much thought.
    fn first_path(&mut self, shape: Shape) -> Option<Vec<u32>> {
        let Task { instance, budget, .. } = *self.task;
        let margin = self.margin;
        let n = instance.graph.vertex_count();
        let seed = self.below(n) as u32;
        // From several beginnings while that costs little; vertices with few neighbours make good ends.
        let tries = if shape.core().is_empty() { (CHEAP_START / (n + 1)).clamp(1, MOST_STARTS) } else { 1 };
        let beginnings: Vec<u32> = (0..tries)
            .filter_map(|_| {
                let some = [self.below(n) as u32, self.below(n) as u32, self.below(n) as u32];
                some.into_iter().min_by_key(|&vertex| instance.graph.out_arcs(vertex).len())
            })
            .collect();
        let mut work = 0;
        let mut spent = |more| {
            work += more;
            out_of_time(budget, margin).is_some()
        };
        let path = match (shape.bridge, shape.through) {
            (Some((last, first)), _) => start::plunge(instance, first, Goal::Vertex(last), &mut spent),
            (None, Some(vertex)) if shape.closing => start::plunge(instance, vertex, Goal::Vertex(vertex), &mut spent),
            (None, None) if shape.closing => start::plunge(instance, seed, Goal::Cycle, &mut spent),
            (None, through) => {
                let mut greedy = Vec::new();
                for beginning in beginnings {
                    let path = start::greedy(instance, shape, beginning, &mut spent);
                    if path.len() > greedy.len() {
                        greedy = path;
                    }
                    if greedy.len() == n {
                        break;
                    }
                }
                // Where that comes to nothing, depth-first search does better: it may go back.
                let deep = if greedy.len() * 4 > n * 3 || !shape.may_move(Side::Back) {
                    None
                } else {
                    let goal = if through.is_some() { Goal::Deepest } else { Goal::DeepestAnywhere };
                    start::plunge(instance, through.unwrap_or(seed), goal, &mut spent)
                };
                deep.filter(|deep| deep.len() > greedy.len()).or(Some(greedy))
            }
        };
        self.setup_work += work;
        path
    }

    /// Lets the search go on from a path of the shape; a path between fixed ends is opened somewhere.
    fn take_up(&mut self, shape: Shape, mut path: Vec<u32>) {
        if shape.bridge.is_some() {
            let opening = self.below(path.len() - 1) + 1;
            path.rotate_left(opening);
        }
        let began = Instant::now();
        self.state.load(shape, &path);
        self.margin = began.elapsed() * MARGIN_FOR_LOADING;
    }

    /// Keeps a path of the shape without searching on from it.
    fn hand_over(&mut self, shape: Shape, mut path: Vec<u32>) {
        let instance = self.task.instance;
        if shape.bridge.is_none() {
            shape.straighten(&mut path, instance);
        }
        let (front, back) = (path[0] as usize, path[path.len() - 1] as usize);
        let (earned, links) = match &instance.ends {
            Ends::Open { single_vertex: false, .. } if front == back => return,
            Ends::Open { first, last, .. } if first[front] == NOT_AN_END || last[back] == NOT_AN_END => return,
            Ends::Open { first, last, .. } => (first[front] + last[back], path.len() - 1),
            Ends::Closed { .. } => (0, path.len()),
        };
        // Looking up the edges of a long path takes longer than there is time.
        let value = match self.state.uniform() {
            Some(weight) => weight * links as i64 + earned,
            None => instance.value(&path),
        };
        self.state.best_value = Some(value);
        self.state.best = path;
    }

    /// Improves the path at low temperature until so many steps in a row bring nothing.
    fn settle(&mut self, patience: u64, drifting: bool) {
        let pace = Pace { hot: SETTLED, cold: SETTLED, restless: RESTLESS[1], excursion: EXCURSION[0], drifting };
        let mut known = self.state.value();
        let mut patient_until = self.steps + patience;
        while self.steps < patient_until && !self.over() {
            self.step(SETTLED, &pace);
            if self.state.value() > known {
                known = self.state.value();
                patient_until = self.steps + patience;
            }
        }
    }

    fn some_pace(&mut self) -> Pace {
        Pace {
            hot: HOT[self.below(HOT.len())],
            // Where all edges weigh the same there is nothing to choose between but more and fewer.
            cold: if self.state.uniform().is_some() { COLD[0] } else { COLD[self.below(COLD.len())] },
            restless: RESTLESS[self.below(RESTLESS.len())],
            excursion: EXCURSION[self.below(EXCURSION.len())],
            drifting: self.below(ROUNDS_PER_DRIFT) == 0,
        }
    }

    /// A round of falling temperature.
    fn anneal(&mut self, work: u64) {
        let pace = self.some_pace();
        let begin = self.state.work();
        for stage in 0..STAGES {
            let progress = stage as f64 / (STAGES - 1) as f64;
            let temperature = pace.hot * (pace.cold / pace.hot).powf(progress);
            let until = begin + work / STAGES * (stage + 1);
            while self.state.work() < until {
                self.step(temperature, &pace);
                if self.over() {
                    return;
                }
            }
        }
    }

    /// A handful of moves, or an excursion.
    fn step(&mut self, temperature: f64, pace: &Pace) {
        self.state.temperature = temperature * self.scale;
        if self.state.is_closed() && !pace.drifting {
            self.steps += 1;
            if self.below(STEPS_PER_EXCURSION) == 0 {
                self.state.excursion(pace.excursion, pace.restless * self.scale);
            } else {
                self.state.propose_detour();
            }
        } else {
            self.steps += 32;
            for _ in 0..32 {
                self.state.step();
            }
        }
    }
}

/// How many steps in a row may bring nothing before a first path of so many vertices is left as it is.
fn patience_of(shape: Shape, vertex_count: u64) -> u64 {
    let least = 100;
    least + vertex_count * if shape.closing { 40 } else { 8 }
}

/// How a round is run; temperatures are in average weights of an edge.
struct Pace {
    hot: f64,
    cold: f64,
    restless: f64,
    excursion: usize,
    /// Whether the ends of a closed path may leave each other for good, to meet again by chance.
    drifting: bool,
}
