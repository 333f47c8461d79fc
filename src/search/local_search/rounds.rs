//! What one search does with its time: a first path, then rounds of annealing, from the best path or a new one.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::sequence::{Sequence, Side};
use super::shape::Shape;
use super::start::{self, Goal};
use super::state::State;
use crate::search::{Budget, Ends, NOT_AN_END, Piece};
use crate::solution::Stop;

/// The clock is asked once in this much work.
const WORK_PER_CLOCK: u64 = 1 << 13;
/// Temperatures of annealing, in average weights of an edge, where a round begins and ends.
const HOT: f64 = 0.5;
const COLD: f64 = 0.1;
/// The temperature within an excursion.
const RESTLESS: f64 = 0.7;
/// How many moves an excursion has to close its cycle again.
const EXCURSION: usize = 100;
/// Steps of falling temperature in a round.
const STAGES: u64 = 64;
/// How often no path of the wanted shape may be found in a row.
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
    pub(super) piece: &'a Piece,
    pub(super) start: Option<&'a [u32]>,
    pub(super) upper: i64,
    pub(super) effort: u64,
    pub(super) budget: &'a Budget,
    pub(super) race: &'a Race,
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
        let edges = self.piece.graph.edges();
        let total: f64 = edges.iter().map(|edge| edge.weight.unsigned_abs() as f64).sum();
        let scale = (total / edges.len().max(1) as f64).max(1.0);
        let (firsts, lasts) = match &self.piece.ends {
            Ends::Open { first, last, .. } => (allowed(first), allowed(last)),
            Ends::Closed { .. } => (Vec::new(), Vec::new()),
        };
        let mut search = Search::<S> {
            task: self,
            state: State::new(self.piece, scale, seed),
            // The moves draw from the seed itself.
            rng: Pcg64Mcg::seed_from_u64(!seed),
            scale,
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

/// The vertices where a path may have this end.
fn allowed(prizes: &[i64]) -> Vec<u32> {
    (0..).zip(prizes).filter(|(_, prize)| **prize != NOT_AN_END).map(|(vertex, _)| vertex).collect()
}

struct Search<'a, 'b, S> {
    task: &'b Task<'a>,
    state: State<'a, S>,
    rng: Pcg64Mcg,
    /// The average weight of an edge, without its sign.
    scale: f64,
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
        let n = self.task.piece.graph.vertex_count() as u64;
        let (shape, path) = match self.task.start {
            Some(path) => (self.shape_of(path), Some(path.to_vec())),
            None => {
                let shape = self.some_shape();
                (shape, shape.and_then(|shape| self.first_path(shape)))
            }
        };
        if let (Some(shape), Some(path)) = (shape, path) {
            self.take_up(shape, path);
            self.settle(8 * n + 100);
        }
        let mut moves = 32 * n;
        let mut failures = 0;
        for round in 0u64.. {
            if self.over() || failures == MOST_FAILURES {
                break;
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
                    (shape, shape.and_then(|shape| self.first_path(shape)))
                }
            };
            if round % 4 == 3 {
                moves *= 2;
            }
            let (Some(shape), Some(path)) = (shape, path) else {
                failures += 1;
                continue;
            };
            failures = 0;
            self.take_up(shape, path);
            self.anneal(moves);
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
            } else if let Some(stop) = self.task.budget.spent() {
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
        ((u64::from(self.rng.next_u32()) * bound as u64) >> 32) as usize
    }

    /// Whether the first, and the last, vertex of a path are so few that the search must be led to them.
    fn few_ends(&self) -> (bool, bool) {
        let n = self.task.piece.graph.vertex_count();
        let few = |ends: &[u32]| ends.len() == 1 || ends.len() * 8 < n;
        (few(&self.firsts), few(&self.lasts))
    }

    /// A shape in which paths of the piece may be looked for; random where there are several.
    fn some_shape(&mut self) -> Option<Shape> {
        if let Ends::Closed { through } = &self.task.piece.ends {
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

    /// The shape in which a known path of the piece can be improved.
    fn shape_of(&self, path: &[u32]) -> Option<Shape> {
        if let Ends::Closed { through } = &self.task.piece.ends {
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

    /// A path of the shape, without much thought.
    fn first_path(&mut self, shape: Shape) -> Option<Vec<u32>> {
        let Task { piece, budget, .. } = *self.task;
        let n = piece.graph.vertex_count();
        let seed = self.below(n) as u32;
        let mut work = 0;
        let mut spent = |more| {
            work += more;
            budget.spent().is_some()
        };
        let path = match (shape.bridge, shape.through) {
            (Some((last, first)), _) => start::plunge(piece, first, Goal::Vertex(last), &mut spent),
            (None, Some(vertex)) if shape.closing => start::plunge(piece, vertex, Goal::Vertex(vertex), &mut spent),
            (None, None) if shape.closing => start::plunge(piece, seed, Goal::Cycle, &mut spent),
            (None, through) => {
                let greedy = start::greedy(piece, shape, seed, &mut spent);
                // Where that comes to nothing, depth-first search does better: it may go back.
                let deep = if greedy.len() * 4 > n * 3 || !shape.may_move(Side::Back) {
                    None
                } else {
                    let goal = if through.is_some() { Goal::Deepest } else { Goal::DeepestAnywhere };
                    start::plunge(piece, through.unwrap_or(seed), goal, &mut spent)
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
        self.state.load(shape, &path);
    }

    /// Improves the path at low temperature until so many steps in a row bring nothing.
    fn settle(&mut self, patience: u64) {
        let mut known = self.state.value();
        let mut patient_until = self.steps + patience;
        while self.steps < patient_until && !self.over() {
            self.step(COLD * self.scale);
            if self.state.value() > known {
                known = self.state.value();
                patient_until = self.steps + patience;
            }
        }
    }

    /// A round of falling temperature.
    fn anneal(&mut self, moves: u64) {
        let begin = self.state.work();
        // A move at an end takes some ten units of work, an excursion many.
        let work = 16 * moves;
        for stage in 0..STAGES {
            let progress = stage as f64 / (STAGES - 1) as f64;
            let temperature = HOT * (COLD / HOT).powf(progress) * self.scale;
            let until = begin + work / STAGES * (stage + 1);
            while self.state.work() < until {
                self.step(temperature);
                if self.over() {
                    return;
                }
            }
        }
    }

    /// A handful of moves, or an excursion.
    fn step(&mut self, temperature: f64) {
        self.state.temperature = temperature;
        if self.state.is_closed() {
            self.steps += 1;
            if self.below(4) == 0 {
                self.state.excursion(EXCURSION, RESTLESS * self.scale);
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
