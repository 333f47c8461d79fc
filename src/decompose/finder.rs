//! Searches for a good vertex order: greedy first, then beams from many starts, then beams on windows of the best.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use fixedbitset::FixedBitSet;
use hashbrown::HashSet;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::adjacency::{Adjacency, Ways};
use super::beam::{Beam, BeamConfig, Task, WorkLimit};
use super::effort::Effort;
use super::greedy;
use super::measure::predicted_states;
use super::reduced::Reduced;
use super::segment::{DEGREE_LIMIT, Segment};

/// The share of the work left that goes into whole orders, before windows of the best are improved.
const START_SHARE: f64 = 0.7;

/// The width of the first beams, and by how much it grows, and the number of starts falls, from one level to the next.
const FIRST_WIDTH: usize = 4;
const HALVING: usize = 4;

/// So the work is shared between about so many levels.
const LEVELS: f64 = 4.0;

/// Wider beams than this gain nothing that more starts would not; nor do ever more starts.
const WIDEST: usize = 1024;
const MOST_STARTS: usize = 1024;

/// The sets of one size that a beam keeps take so many bytes at most.
const STATE_BYTES: usize = 16 << 20;

/// Batches of windows without any gain before something else is tried.
const PATIENCE: u32 = 16;

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

/// How many threads there are to use, which may become more on the way.
pub(crate) type Threads<'t> = &'t dyn Fn() -> usize;

/// An order of all vertices; with a known one, it goes on from there. The threads are those told, whatever the effort says.
pub(super) fn find(
    graph: &Adjacency,
    effort: &Effort,
    seed: u64,
    known: Option<&[u32]>,
    threads: Threads<'_>,
) -> Vec<u32> {
    let reduced = Reduced::new(graph);
    // Then what is left comes in the order in which it is met.
    let is_late = effort.is_over();
    let core = reduced.core();
    let known = known.map(|order| reduced.restrict(order));
    let mut seen = FixedBitSet::with_capacity(core.len());
    let mut inner_from_outer = vec![u32::MAX; core.len()];
    let mut order = Vec::with_capacity(core.len());
    for start in 0..core.len() as u32 {
        if seen[start as usize] {
            continue;
        }
        let mut component = core.breadth_first(start, &mut seen);
        if component.len() <= 4 || is_late {
            order.extend(component);
            continue;
        }
        if let Some(position) = &known {
            component.sort_unstable_by_key(|&vertex| position[vertex as usize]);
        }
        for (inner, &outer) in component.iter().enumerate() {
            inner_from_outer[outer as usize] = inner as u32;
        }
        let inside = |(&neighbour, &ways): (&u32, &Ways)| (inner_from_outer[neighbour as usize], ways);
        let rows = component.iter().map(|&outer| core.row(outer).iter().zip(core.ways(outer)).map(inside));
        let part = Adjacency::from_rows(core.is_directed, rows);
        let share = part.arc_count() as f64 / core.arc_count() as f64;
        let mut search = Search::new(&part, (effort.work as f64 * share) as u64, effort, seed, threads);
        if known.is_some() {
            search.goes_on = true;
            search.consider((0..part.len() as u32).collect());
        } else {
            search.begin_greedily();
        }
        search.run();
        order.extend(search.best.into_iter().map(|inner| component[inner as usize]));
    }
    reduced.expand(&order)
}

/// The search for an order of one connected graph.
struct Search<'a> {
    graph: &'a Adjacency,
    work_limit: u64,
    work: u64,
    effort: &'a Effort,
    threads: Threads<'a>,
    random: Pcg64Mcg,
    best: Vec<u32>,
    best_sum: f64,
    beams: Vec<Beam>,
    /// Whether it began with a known order. Of directed graphs (measured on street grids) other whole orders are hardly better
    /// than that, but windows are; of undirected ones whole orders become better for a long time.
    goes_on: bool,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Adjacency, work_limit: u64, effort: &'a Effort, seed: u64, threads: Threads<'a>) -> Self {
        Search {
            graph,
            work_limit,
            work: 0,
            effort,
            threads,
            random: Pcg64Mcg::seed_from_u64(seed),
            best: Vec::new(),
            best_sum: f64::INFINITY,
            beams: vec![Beam::default()],
            goes_on: false,
        }
    }

    fn run(&mut self) {
        let n = self.graph.len();
        let searchable = n <= BEAM_LIMIT && (0..n as u32).all(|vertex| self.graph.degree(vertex) < DEGREE_LIMIT);
        if searchable {
            if self.goes_on && self.graph.is_directed {
                self.improve_windows();
            }
            let mut varied = false;
            while !self.spent(self.allowance()) {
                let left = self.allowance() - self.work as f64;
                self.search_from_starts(self.work as f64 + left * START_SHARE, varied);
                self.improve_windows();
                varied = true;
            }
        }
    }

    /// The work that the present best order is worth.
    fn allowance(&self) -> f64 {
        (self.work_limit as f64).min(self.effort.work_per_state * self.best_sum)
    }

    /// What a beam may hold, whatever the number of threads.
    fn beam_memory(&self) -> usize {
        self.effort.memory / BATCH
    }

    fn spent(&self, allowance: f64) -> bool {
        self.work as f64 >= allowance || self.effort.is_over()
    }

    fn consider(&mut self, order: Vec<u32>) {
        let sum = predicted_states(self.graph, &order);
        if sum < self.best_sum || self.best.is_empty() {
            self.best_sum = sum;
            self.best = order;
        }
    }

    /// From both ends of a long shortest path.
    fn begin_greedily(&mut self) {
        let mut start = 0;
        for _ in 0..3 {
            let mut seen = FixedBitSet::with_capacity(self.graph.len());
            let reached = self.graph.breadth_first(start, &mut seen);
            let farthest = reached[reached.len() - 1];
            match greedy::order_from(self.graph, start, self.effort) {
                Some(order) => self.consider(order),
                None if self.best.is_empty() => self.consider(reached),
                None => return,
            }
            start = farthest;
        }
    }

    /// Beams over whole orders: narrow ones from many starts, then wider and wider ones from the fewer and fewer starts
    /// that did best (successive halving). Where an order ended, another may well begin. Once that was done, it is done
    /// again with scores varied at random.
    fn search_from_starts(&mut self, allowance: f64, varied: bool) {
        let n = self.graph.len();
        let identity: Vec<u32> = (0..n as u32).collect();
        let segment = Segment::new(self.graph, &identity, 0..n, &mut vec![u32::MAX; n]);
        let left = allowance - self.work as f64;
        let work_per_set = (n * WORK_PER_SET) as f64;
        let mut width = ((left / work_per_set) as usize / BATCH).clamp(1, FIRST_WIDTH);
        let mut wanted = ((left / LEVELS / work_per_set) as usize / width).clamp(BATCH, MOST_STARTS);
        let widest = (STATE_BYTES.min(self.beam_memory() / 2) / (size_of::<u16>() * n)).clamp(FIRST_WIDTH, WIDEST);
        let mut starts: Vec<u32> = vec![self.best[0], self.best[n - 1]];
        while starts.len() < wanted {
            starts.push(self.random.random_range(0..n as u32));
        }
        // What would take twice the work there is goes to windows instead.
        let affordable = |work: u64, beams: usize| work as f64 + work_per_set * beams as f64 <= 2.0 * allowance;
        while width <= widest && affordable(self.work, width * starts.len()) {
            let keep = wanted.div_ceil(HALVING);
            let mut ranks: Vec<(f64, u32)> = Vec::new();
            for batch in starts.chunks(BATCH) {
                if self.spent(allowance.min(self.allowance())) {
                    return;
                }
                let limit = if ranks.len() < keep { f64::INFINITY } else { ranks[keep - 1].0 };
                let tasks: Vec<Task<'_>> =
                    batch.iter().map(|&start| self.whole_order(&segment, start, width, limit, varied)).collect();
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

    fn whole_order<'b>(
        &mut self,
        segment: &'b Segment,
        start: u32,
        width: usize,
        limit: f64,
        varied: bool,
    ) -> Task<'b> {
        let noise = if varied && self.random.random() { NOISE } else { 0.0 };
        let config = BeamConfig { width, look_ahead: LOOK_AHEAD, noise, follow: false };
        Task { segment, starts: vec![start], config, limit, seed: self.random.next_u64() }
    }

    /// Beams over windows of the best order, disjoint ones at a time, until they no longer help.
    fn improve_windows(&mut self) {
        let n = self.graph.len();
        let mut scratch = vec![u32::MAX; n];
        let mut failures = 0;
        while failures < PATIENCE && !self.spent(self.allowance()) {
            let mut windows: Vec<(Range<usize>, Segment)> = Vec::new();
            for _ in 0..BATCH {
                let length = (n as f64).powf(self.random.random_range(0.4..1.0)) as usize;
                let from = self.random.random_range(0..=n - length);
                let range = from..from + length;
                if windows.iter().all(|(other, _)| other.end <= range.start || range.end <= other.start) {
                    let segment = Segment::new(self.graph, &self.best, range.clone(), &mut scratch);
                    windows.push((range, segment));
                }
            }
            let tasks: Vec<Task<'_>> = windows.iter().map(|(_, segment)| self.window(segment)).collect();
            let found = self.run_tasks(&tasks);
            failures += 1;
            let mut order = self.best.clone();
            for (found, (range, segment)) in found.into_iter().zip(&windows) {
                if let Some((_, inner)) = found {
                    order[range.clone()].copy_from_slice(&segment.outer_order(&inner));
                    failures = 0;
                }
            }
            self.consider(order);
        }
    }

    fn window<'b>(&mut self, segment: &'b Segment) -> Task<'b> {
        // Only what is better by more than rounding counts.
        let limit = self.beams[0].known_sum(segment) * (1.0 - 1e-9);
        let width = [16, 32, 64, 128][self.random.random_range(0..4)];
        let look_ahead = [3.0, 10.0, LOOK_AHEAD][self.random.random_range(0..3)];
        let noise = [0.0, NOISE][self.random.random_range(0..2)];
        let config = BeamConfig { width, look_ahead, noise, follow: self.random.random() };
        Task { segment, starts: Vec::new(), config, limit, seed: self.random.next_u64() }
    }

    /// Runs the tasks, on as many threads as there are by now.
    fn run_tasks(&mut self, tasks: &[Task<'_>]) -> Vec<Option<(f64, Vec<u32>)>> {
        let left = self.work_limit.saturating_sub(self.work);
        let (effort, memory) = (self.effort, self.beam_memory());
        let run = |beam: &mut Beam, task: &Task<'_>| {
            let spent = WorkLimit { work: beam.work + left, memory, effort };
            beam.search(task, &spent)
        };
        let before: u64 = self.beams.iter().map(|beam| beam.work).sum();
        let threads = (self.threads)().clamp(1, tasks.len().max(1));
        self.beams.resize_with(threads.max(self.beams.len()), Beam::default);
        let mut found = vec![None; tasks.len()];
        if threads == 1 {
            found.iter_mut().zip(tasks).for_each(|(found, task)| *found = run(&mut self.beams[0], task));
        } else {
            let heap = Mutex::new(found.iter_mut().zip(tasks));
            let work = |beam: &mut Beam| {
                loop {
                    let next = heap.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((found, task)) = next else { break };
                    *found = run(beam, task);
                }
            };
            std::thread::scope(|scope| {
                let (first, others) = self.beams[..threads].split_first_mut().expect("there are beams");
                for beam in others {
                    scope.spawn(|| work(beam));
                }
                work(first);
            });
        }
        self.work += self.beams.iter().map(|beam| beam.work).sum::<u64>() - before;
        found
    }
}
