//! Searches for a good vertex order: greedy first, then beams from many starts, then beams on windows of the best.

use std::ops::Range;
use std::time::Instant;

use hashbrown::HashSet;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::adjacency::Adjacency;
use super::beam::{Beam, DEGREE_LIMIT, Manner, Spent, Stretch};
use super::greedy;
use super::order::{frontiers, states};
use super::reduced::Reduced;

/// How much an order may cost to find.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Neighbours looked at in all, reading the graph aside; some hundred million a second. \[default: 20 million\]
    pub work: u64,
    /// Return soon after this moment, whatever work is left. \[default: none\]
    pub deadline: Option<Instant>,
    /// How many threads to use. The order does not depend on the machine, but it does on this. \[default: 1\]
    pub threads: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { work: 20_000_000, deadline: None, threads: 1 }
    }
}

/// The share of the work that goes into whole orders; the rest goes into windows of the best.
const START_SHARE: f64 = 0.8;

/// The width of the first beams, and by how much it grows, and the number of starts falls, from one level to the next.
const FIRST_WIDTH: usize = 4;
const HALVING: usize = 4;

/// Wider beams than this gain nothing that more starts would not.
const WIDEST: usize = 1024;

/// So many beams run with the same limit, whatever the number of threads.
const BATCH: usize = 4;

/// How many times the states of the present frontier count in a partial order's score (measured: from 30 on it makes no
/// difference, below it loses), and by which random factor scores differ where the search is to be varied.
const LOOK_AHEAD: f64 = 100.0;
const NOISE: f64 = 0.5;

/// What one step of a beam takes for each set it keeps, roughly: neighbours looked at.
const WORK_PER_SET: usize = 700;

/// Beyond this many vertices in a component of the core, greedy orders must do.
const BEAM_LIMIT: usize = 1 << 16;

pub(super) fn find(graph: &Adjacency, effort: &Effort, seed: u64) -> Vec<u32> {
    let reduced = Reduced::new(graph);
    let core = reduced.core();
    let mut seen = vec![false; core.len()];
    let mut inner_from_outer = vec![u32::MAX; core.len()];
    let mut order = Vec::with_capacity(core.len());
    for start in 0..core.len() as u32 {
        if seen[start as usize] {
            continue;
        }
        let component = core.breadth_first(start, &mut seen);
        if component.len() <= 4 {
            order.extend(component);
            continue;
        }
        for (inner, &outer) in component.iter().enumerate() {
            inner_from_outer[outer as usize] = inner as u32;
        }
        let inside = |&neighbour: &u32| inner_from_outer[neighbour as usize];
        let rows = component.iter().map(|&outer| core.row(outer).iter().map(inside));
        let part = Adjacency::from_rows(rows);
        let share = part.arc_count() as f64 / core.arc_count() as f64;
        let search = Search::new(&part, (effort.work as f64 * share) as u64, effort, seed);
        order.extend(search.run().into_iter().map(|inner| component[inner as usize]));
    }
    reduced.expand(&order)
}

/// The search for an order of one connected graph.
struct Search<'a> {
    graph: &'a Adjacency,
    work_limit: u64,
    work: u64,
    effort: &'a Effort,
    random: Pcg64Mcg,
    best: Vec<u32>,
    best_sum: f64,
    beams: Vec<Beam>,
}

/// A beam to run.
struct Task<'a> {
    stretch: &'a Stretch,
    starts: Vec<u32>,
    manner: Manner,
    limit: f64,
    seed: u64,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Adjacency, work_limit: u64, effort: &'a Effort, seed: u64) -> Self {
        Search {
            graph,
            work_limit,
            work: 0,
            effort,
            random: Pcg64Mcg::seed_from_u64(seed),
            best: Vec::new(),
            best_sum: f64::INFINITY,
            beams: Vec::new(),
        }
    }

    fn run(mut self) -> Vec<u32> {
        self.begin_greedily();
        let n = self.graph.len();
        let searchable = n <= BEAM_LIMIT && (0..n as u32).all(|vertex| self.graph.degree(vertex) < DEGREE_LIMIT);
        if searchable {
            self.beams.resize_with(self.effort.threads.max(1), Beam::default);
            self.search_from_starts();
            self.improve_windows();
        }
        self.best
    }

    fn spent(&self, share: f64) -> bool {
        self.work as f64 >= self.work_limit as f64 * share
            || self.effort.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn consider(&mut self, order: Vec<u32>) {
        let sum = frontiers(self.graph, &order).iter().map(|&frontier| states(frontier as usize)).sum();
        if sum < self.best_sum || self.best.is_empty() {
            self.best_sum = sum;
            self.best = order;
        }
    }

    /// From both ends of a long shortest path.
    fn begin_greedily(&mut self) {
        let mut start = 0;
        for _ in 0..3 {
            self.consider(greedy::order_from(self.graph, start));
            let mut seen = vec![false; self.graph.len()];
            let reached = self.graph.breadth_first(start, &mut seen);
            start = reached[reached.len() - 1];
        }
    }

    /// Beams over whole orders: narrow ones from many starts, then wider and wider ones from the fewer and fewer starts that
    /// did best (successive halving). Where an order ended, another may well begin.
    fn search_from_starts(&mut self) {
        let n = self.graph.len();
        let identity: Vec<u32> = (0..n as u32).collect();
        let stretch = Stretch::new(self.graph, &identity, 0..n, &mut vec![u32::MAX; n]);
        let affordable_width = (self.work_limit as f64 * START_SHARE) as usize / (BATCH * n * WORK_PER_SET);
        let mut width = affordable_width.clamp(1, FIRST_WIDTH);
        let work_per_start = (n * width * WORK_PER_SET) as f64;
        let mut wanted = ((self.work_limit as f64 * START_SHARE / 4.0 / work_per_start) as usize).max(BATCH);
        let mut starts: Vec<u32> = vec![self.best[0], self.best[n - 1]];
        while wanted > 0 && width <= WIDEST {
            while starts.len() < wanted {
                starts.push(self.random.random_range(0..n as u32));
            }
            let keep = wanted.div_ceil(HALVING);
            let mut ranks: Vec<(f64, u32)> = Vec::new();
            for batch in starts.chunks(BATCH) {
                if self.spent(START_SHARE) {
                    return;
                }
                let limit = if ranks.len() < keep { f64::INFINITY } else { ranks[keep - 1].0 };
                let tasks: Vec<Task<'_>> =
                    batch.iter().map(|&start| self.whole_order(&stretch, start, width, limit)).collect();
                for (sum, order) in self.run_tasks(&tasks).into_iter().flatten() {
                    ranks.extend([(sum, order[0]), (sum, order[n - 1])]);
                    self.consider(order);
                }
                ranks.sort_by(|a, b| a.0.total_cmp(&b.0));
                let mut known = HashSet::new();
                ranks.retain(|&(_, start)| known.insert(start));
            }
            starts.clear();
            starts.extend(ranks.iter().take(keep).map(|&(_, start)| start));
            wanted = starts.len();
            width *= HALVING;
        }
    }

    fn whole_order<'b>(&mut self, stretch: &'b Stretch, start: u32, width: usize, limit: f64) -> Task<'b> {
        let noise = if self.random.random() { NOISE } else { 0.0 };
        let manner = Manner { width, look_ahead: LOOK_AHEAD, noise, follow: false };
        Task { stretch, starts: vec![start], manner, limit, seed: self.random.next_u64() }
    }

    /// Beams over windows of the best order, disjoint ones at a time.
    fn improve_windows(&mut self) {
        let n = self.graph.len();
        let mut scratch = vec![u32::MAX; n];
        while !self.spent(1.0) {
            let mut windows: Vec<(Range<usize>, Stretch)> = Vec::new();
            for _ in 0..BATCH {
                let length = (n as f64).powf(self.random.random_range(0.4..1.0)) as usize;
                let from = self.random.random_range(0..=n - length);
                let range = from..from + length;
                if windows.iter().all(|(other, _)| other.end <= range.start || range.end <= other.start) {
                    let stretch = Stretch::new(self.graph, &self.best, range.clone(), &mut scratch);
                    windows.push((range, stretch));
                }
            }
            let tasks: Vec<Task<'_>> = windows.iter().map(|(_, stretch)| self.window(stretch)).collect();
            let found = self.run_tasks(&tasks);
            for (found, (range, stretch)) in found.into_iter().zip(&windows) {
                if let Some((_, order)) = found {
                    self.best[range.clone()].copy_from_slice(&stretch.outer_order(&order));
                }
            }
        }
    }

    fn window<'b>(&mut self, stretch: &'b Stretch) -> Task<'b> {
        // Only what is better by more than rounding counts.
        let limit = self.beams[0].known_sum(stretch) * (1.0 - 1e-9);
        let width = [16, 32, 64, 128][self.random.random_range(0..4)];
        let look_ahead = [3.0, 10.0, LOOK_AHEAD][self.random.random_range(0..3)];
        let noise = [0.0, NOISE][self.random.random_range(0..2)];
        let manner = Manner { width, look_ahead, noise, follow: self.random.random() };
        Task { stretch, starts: Vec::new(), manner, limit, seed: self.random.next_u64() }
    }

    /// Runs the tasks, on as many threads as there are beams.
    fn run_tasks(&mut self, tasks: &[Task<'_>]) -> Vec<Option<(f64, Vec<u32>)>> {
        let left = self.work_limit.saturating_sub(self.work);
        let deadline = self.effort.deadline;
        let run = |beam: &mut Beam, task: &Task<'_>| {
            let spent = Spent { work: beam.work + left, deadline };
            beam.search(task.stretch, &task.starts, &task.manner, task.limit, &spent, task.seed)
        };
        let before: u64 = self.beams.iter().map(|beam| beam.work).sum();
        let threads = self.beams.len().min(tasks.len());
        let mut found = vec![None; tasks.len()];
        if threads == 1 {
            found.iter_mut().zip(tasks).for_each(|(found, task)| *found = run(&mut self.beams[0], task));
        } else {
            std::thread::scope(|scope| {
                let share = tasks.len().div_ceil(threads);
                let shares = tasks.chunks(share).zip(found.chunks_mut(share));
                for (beam, (tasks, found)) in self.beams.iter_mut().zip(shares) {
                    scope.spawn(move || found.iter_mut().zip(tasks).for_each(|(found, task)| *found = run(beam, task)));
                }
            });
        }
        self.work += self.beams.iter().map(|beam| beam.work).sum::<u64>() - before;
        found
    }
}
