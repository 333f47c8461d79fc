//! Searches for a good vertex order: greedy first, then beams from many starts, then beams on windows of the best.

use std::time::Instant;

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::adjacency::Adjacency;
use super::beam::{Beam, DEGREE_LIMIT, Manner, Stretch};
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

/// A beam to run, and what to do with its result.
struct Task {
    stretch: Stretch,
    range: std::ops::Range<usize>,
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

    /// Beams over whole orders, wider and wider.
    fn search_from_starts(&mut self) {
        let n = self.graph.len();
        let identity: Vec<u32> = (0..n as u32).collect();
        let mut scratch = vec![u32::MAX; n];
        let mut width = 4;
        let mut round = 0;
        while !self.spent(0.5) {
            let mut tasks = Vec::new();
            for _ in 0..self.beams.len() {
                let start = self.random.random_range(0..n as u32);
                tasks.push(Task {
                    stretch: Stretch::new(self.graph, &identity, 0..n, &mut scratch),
                    range: 0..n,
                    starts: vec![start],
                    manner: Manner {
                        width,
                        look_ahead: [1.0, 3.0, 10.0, 30.0][self.random.random_range(0..4)],
                        noise: 0.0,
                        follow: false,
                    },
                    limit: self.best_sum,
                    seed: self.random.next_u64(),
                });
            }
            for (_, found) in self.run_tasks(&tasks) {
                if let Some((_, order)) = found {
                    self.consider(order);
                }
            }
            round += 1;
            if round % 8 == 0 {
                width *= 2;
            }
        }
    }

    /// Beams over windows of the best order.
    fn improve_windows(&mut self) {
        let n = self.graph.len();
        let mut scratch = vec![u32::MAX; n];
        while !self.spent(1.0) {
            let mut tasks: Vec<Task> = Vec::new();
            for _ in 0..self.beams.len() {
                let length = (n as f64).powf(self.random.random_range(0.4..1.0)) as usize;
                let from = self.random.random_range(0..=n - length);
                let range = from..from + length;
                if tasks.iter().any(|task| task.range.start < range.end && range.start < task.range.end) {
                    continue;
                }
                let stretch = Stretch::new(self.graph, &self.best, range.clone(), &mut scratch);
                let limit = self.beams[0].known_sum(&stretch);
                tasks.push(Task {
                    stretch,
                    range,
                    starts: Vec::new(),
                    manner: Manner {
                        width: [8, 16, 32, 64][self.random.random_range(0..4)],
                        look_ahead: [0.0, 1.0, 3.0, 10.0][self.random.random_range(0..4)],
                        noise: [0.0, 0.3][self.random.random_range(0..2)],
                        follow: true,
                    },
                    limit: limit * (1.0 - 1e-9),
                    seed: self.random.next_u64(),
                });
            }
            let found = self.run_tasks(&tasks);
            for (task, found) in found {
                if let Some((_, order)) = found {
                    let outer = tasks[task].stretch.outer_order(&order);
                    self.best[tasks[task].range.clone()].copy_from_slice(&outer);
                }
            }
        }
    }

    /// Runs each task on a thread of its own.
    fn run_tasks(&mut self, tasks: &[Task]) -> Vec<(usize, Option<(f64, Vec<u32>)>)> {
        let work_limit = self.work_limit;
        let run = |beam: &mut Beam, task: &Task| {
            let limit = beam.work + work_limit;
            beam.search(&task.stretch, &task.starts, &task.manner, task.limit, limit, task.seed)
        };
        let before: u64 = self.beams.iter().map(|beam| beam.work).sum();
        let found = if let [task] = tasks {
            vec![(0, run(&mut self.beams[0], task))]
        } else {
            std::thread::scope(|scope| {
                let handles: Vec<_> =
                    self.beams.iter_mut().zip(tasks).map(|(beam, task)| scope.spawn(move || run(beam, task))).collect();
                handles.into_iter().map(|handle| handle.join().expect("a beam does not panic")).enumerate().collect()
            })
        };
        self.work += self.beams.iter().map(|beam| beam.work).sum::<u64>() - before;
        found
    }
}
