//! Beam search over partial orders.
//!
//! A partial order is a set of placed vertices, grown by one neighbour of the frontier at a time. What it costs from
//! here on depends on the set alone, not on the order within it, so of several ways to the same set (told by an
//! incremental Zobrist hash) the cheapest stays; and among the sets of one size those survive whose sum of predicted
//! states, plus a few times the states of the present frontier as a look-ahead, is least.
//!
//! A vertex whose placement doesn't make the frontier grow is placed at once, without a choice: the frontier's size is
//! submodular in the set placed, so whatever follows, having that vertex as well never makes a frontier greater. (For
//! the greatest frontier that is a proof, for the sum a good rule.) That is where a frontier vertex has a single
//! unplaced neighbour, and where all neighbours of a vertex are placed. What remains to be chosen always adds one to
//! the frontier first; in a cubic graph about a third of the vertices.
//!
//! The same search improves a *window* of a known order: what comes before and after stays, so the frontiers outside
//! don't change, and the best order inside is searched for afresh.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::effort::Effort;
use super::segment::Segment;
use super::weights::{GREATEST_WEIGHT, Tally, is_one, least_weight, states};

/// How a search goes about it.
#[derive(Clone, Debug)]
pub(super) struct BeamConfig {
    /// How many sets of each size survive.
    pub(super) width: usize,
    /// How many times the states of the present frontier count beside the sum so far.
    pub(super) look_ahead: f64,
    /// Scores are multiplied by random factors up to this much above one.
    pub(super) noise: f64,
    /// Whether the next vertex of the known order may be placed without being next to the frontier.
    pub(super) follow: bool,
}

/// What a beam searches for.
pub(super) struct Task<'a> {
    pub(super) segment: &'a Segment,
    /// If there are any, the first vertex is one of them.
    pub(super) starts: Vec<u32>,
    pub(super) config: BeamConfig,
    /// Only orders with a lesser sum are of interest.
    pub(super) limit: f64,
    pub(super) seed: u64,
}

/// When to give up.
#[derive(Clone, Debug)]
pub(super) struct WorkLimit<'a> {
    /// When the beam's own work reaches this.
    pub(super) work: u64,
    /// When the beam holds more bytes than this.
    pub(super) memory: usize,
    /// When this says so.
    pub(super) effort: &'a Effort,
}

/// A set of placed vertices.
#[derive(Clone, Default)]
struct State {
    /// For each vertex the tally of unplaced neighbours, with `PLACED` set where it is itself placed.
    cells: Vec<u16>,
    frontier: Vec<u32>,
    size: u32,
    /// The frontier's weight, the part before the window that it can't change left out.
    weight: u32,
    hash: u64,
    sum: f64,
    /// All vertices before this one in the known order are placed.
    first_unplaced: u32,
    /// Where this state's own vertices are kept.
    history: u32,
    /// Candidates that still refer to this state.
    pending: u32,
}

const PLACED: u16 = 1 << 15;

/// The tally in a cell.
#[inline]
fn unplaced(cell: u16) -> Tally {
    Tally::from(cell & !PLACED)
}

/// Some milliseconds.
const WORK_BETWEEN_LOOKS: u64 = 200_000;

/// What counts as work for each vertex of a search that is given up for its memory.
const WORK_OF_GIVING_UP: u64 = 1_000;

/// A possible successor: a state and the vertex chosen next.
#[derive(Clone, Copy)]
struct Candidate {
    score: f64,
    sum: f64,
    hash: u64,
    parent: u32,
    vertex: u32,
}

struct History {
    parent: u32,
    /// Its vertices are `moves[from..]` up to where the next history's begin.
    from: u32,
}

/// The search with all its memory, kept between runs, and apart from other threads' in the cache.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Beam {
    zobrist: Vec<u64>,
    powers: Vec<f64>,
    states: Vec<State>,
    free: Vec<u32>,
    /// Candidates by the number of vertices placed.
    buckets: Vec<Vec<Candidate>>,
    histories: Vec<History>,
    moves: Vec<u32>,
    trail: Vec<u32>,
    forced: Vec<u32>,
    stamps: Vec<u32>,
    stamp: u32,
    choices: Vec<u32>,
    /// Open addressing: the hashes kept of the present bucket.
    kept: Vec<u64>,
    /// Candidates in buckets, and what a state of the segment takes.
    waiting: usize,
    state_bytes: usize,
    /// Arcs looked at since the beam was made.
    pub(super) work: u64,
    /// How many these were when the clock was looked at, and whether it is time to return.
    looked: u64,
    is_over: bool,
}

impl Beam {
    /// The best order found of the segment's window, and its sum of predicted states relative to an empty frontier
    /// outside the segment, if that is below the task's limit. Gives up when the effort is spent.
    pub(super) fn search(&mut self, task: &Task<'_>, spent: &WorkLimit<'_>) -> Option<(f64, Vec<u32>)> {
        self.is_over = spent.effort.is_over();
        if self.is_over {
            return None;
        }
        let segment = task.segment;
        let mut random = Pcg64Mcg::seed_from_u64(task.seed);
        self.prepare(segment);
        let root = self.take_state();
        self.reset_root(root, segment);
        self.expand(root, task, &task.starts, spent.effort, &mut random);
        for size in 1..segment.window {
            self.is_over |= self.work > spent.work || spent.effort.is_over();
            if self.is_over {
                return None;
            }
            if self.bytes() > spent.memory {
                // Whoever asks again and again comes to an end as well.
                let work = self.work + segment.window as u64 * WORK_OF_GIVING_UP;
                *self = Beam { work, ..Beam::default() };
                return None;
            }
            let mut bucket = std::mem::take(&mut self.buckets[size]);
            self.process(&mut bucket, task, spent.effort, &mut random);
            self.waiting -= bucket.len();
        }
        if self.is_over {
            return None;
        }
        let last = &self.buckets[segment.window];
        let best = last.iter().min_by(|a, b| a.sum.total_cmp(&b.sum)).copied()?;
        Some((best.sum, self.reconstruct(best, segment)))
    }

    /// The sum of predicted states of the window's known order, on the same scale as [`search`](Self::search).
    pub(super) fn known_sum(&mut self, segment: &Segment) -> f64 {
        self.prepare(segment);
        let root = self.take_state();
        self.reset_root(root, segment);
        let mut state = std::mem::take(&mut self.states[root as usize]);
        for vertex in 0..segment.window as u32 {
            self.place(&mut state, vertex, segment);
        }
        self.trail.clear();
        self.forced.clear();
        let sum = state.sum;
        self.states[root as usize] = state;
        sum
    }

    /// What this search holds, roughly, whatever was searched before. A bucket may have room for twice as many.
    fn bytes(&self) -> usize {
        let states = (self.states.len() - self.free.len()) * self.state_bytes;
        let histories = self.histories.len() * size_of::<History>() + self.moves.len() * size_of::<u32>();
        2 * self.waiting * size_of::<Candidate>() + states + histories
    }

    fn prepare(&mut self, segment: &Segment) {
        let total = segment.outer.len();
        // A cell for each vertex, and a frontier that has half of them at most times.
        self.state_bytes = size_of::<State>() + total * (size_of::<u16>() + size_of::<u32>() / 2);
        self.waiting = 0;
        while self.zobrist.len() < total {
            // The same for each vertex whatever was searched before.
            self.zobrist.push(Pcg64Mcg::seed_from_u64(self.zobrist.len() as u64).next_u64());
        }
        let heaviest = least_weight(segment.graph.is_directed) as usize + GREATEST_WEIGHT as usize * total;
        while self.powers.len() <= heaviest {
            self.powers.push(states(self.powers.len()));
        }
        self.buckets.clear();
        self.buckets.resize_with(segment.window + 1, Vec::new);
        self.free.clear();
        self.free.extend((0..self.states.len() as u32).rev());
        self.histories.clear();
        self.moves.clear();
        self.trail.clear();
        self.forced.clear();
        self.stamps.resize(self.stamps.len().max(total), 0);
    }

    fn take_state(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.states.push(State::default());
            self.states.len() as u32 - 1
        })
    }

    fn reset_root(&mut self, root: u32, segment: &Segment) {
        let state = &mut self.states[root as usize];
        state.cells.clear();
        let placed = |vertex: usize| if vertex < segment.window { 0 } else { PLACED };
        state
            .cells
            .extend(segment.unplaced.iter().enumerate().map(|(vertex, &unplaced)| unplaced as u16 | placed(vertex)));
        state.frontier.clear();
        state.frontier.extend(segment.window as u32..segment.outer.len() as u32);
        state.size = 0;
        let is_directed = segment.graph.is_directed;
        let weight = |&vertex: &u32| {
            let unplaced = segment.unplaced[vertex as usize];
            if is_directed {
                segment.weight::<true>(vertex, unplaced)
            } else {
                segment.weight::<false>(vertex, unplaced)
            }
        };
        state.weight = state.frontier.iter().map(weight).sum::<u32>() + least_weight(is_directed);
        state.hash = 0;
        state.sum = 0.0;
        state.first_unplaced = 0;
        state.history = 0;
        state.pending = 0;
        self.histories.push(History { parent: u32::MAX, from: 0 });
    }

    /// Whether it is time to return, as far as has been seen.
    fn looks(&mut self, effort: &Effort) -> bool {
        if self.work >= self.looked + WORK_BETWEEN_LOOKS {
            self.looked = self.work;
            self.is_over |= effort.is_over();
        }
        self.is_over
    }

    /// Keeps the best of one size and lists their successors.
    fn process(&mut self, bucket: &mut [Candidate], task: &Task<'_>, effort: &Effort, random: &mut Pcg64Mcg) {
        let Task { segment, config, .. } = task;
        let by_score = |a: &Candidate, b: &Candidate| a.score.total_cmp(&b.score).then(a.hash.cmp(&b.hash));
        // Far more than survive are rarely worth sorting.
        let worth_sorting = bucket.len().min(8 * config.width);
        if worth_sorting < bucket.len() {
            bucket.select_nth_unstable_by(worth_sorting, by_score);
        }
        bucket[..worth_sorting].sort_unstable_by(by_score);
        let table = (4 * config.width).next_power_of_two();
        self.kept.clear();
        self.kept.resize(table, 0);
        let mut left = config.width;
        for &candidate in &bucket[..worth_sorting] {
            if left == 0 || self.is_over {
                break;
            }
            if self.keep(candidate.hash) {
                left -= 1;
                let child = self.make(candidate, segment);
                self.expand(child, task, &[], effort, random);
            }
        }
        for candidate in bucket.iter() {
            self.release(candidate.parent);
        }
    }

    /// Whether this hash is new to the present bucket.
    fn keep(&mut self, hash: u64) -> bool {
        let mask = self.kept.len() - 1;
        let hash = hash | 1;
        let mut slot = (hash >> 20) as usize & mask;
        while self.kept[slot] != 0 {
            if self.kept[slot] == hash {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.kept[slot] = hash;
        true
    }

    fn release(&mut self, state: u32) {
        let pending = &mut self.states[state as usize].pending;
        *pending -= 1;
        if *pending == 0 {
            self.free.push(state);
        }
    }

    /// The state that a candidate stands for.
    fn make(&mut self, candidate: Candidate, segment: &Segment) -> u32 {
        let index = self.take_state();
        let mut child = std::mem::take(&mut self.states[index as usize]);
        {
            let parent = &self.states[candidate.parent as usize];
            child.cells.clone_from(&parent.cells);
            child.frontier.clone_from(&parent.frontier);
            child.size = parent.size;
            child.weight = parent.weight;
            child.hash = parent.hash;
            child.sum = parent.sum;
            child.first_unplaced = parent.first_unplaced;
            child.pending = 0;
            child.history = self.histories.len() as u32;
            self.histories.push(History { parent: parent.history, from: self.moves.len() as u32 });
        }
        self.place_with_forced(&mut child, candidate.vertex, segment);
        self.moves.extend_from_slice(&self.trail);
        child.frontier.extend_from_slice(&self.trail);
        self.trail.clear();
        let State { frontier, cells, .. } = &mut child;
        frontier.retain(|&vertex| cells[vertex as usize] != PLACED);
        while (child.first_unplaced as usize) < segment.window
            && child.cells[child.first_unplaced as usize] & PLACED != 0
        {
            child.first_unplaced += 1;
        }
        self.states[index as usize] = child;
        index
    }

    /// Lists what can follow a state, or a part of that where it is time to return.
    fn expand(&mut self, index: u32, task: &Task<'_>, starts: &[u32], effort: &Effort, random: &mut Pcg64Mcg) {
        let Task { segment, config, limit, .. } = task;
        let mut state = std::mem::take(&mut self.states[index as usize]);
        self.list_choices(&state, segment, starts, config);
        let choices = std::mem::take(&mut self.choices);
        for &vertex in &choices {
            if self.looks(effort) {
                break;
            }
            let before = (state.sum, state.weight, state.hash, state.size);
            self.place_with_forced(&mut state, vertex, segment);
            if state.sum < *limit {
                let ahead = config.look_ahead * self.powers[state.weight as usize];
                let factor = if config.noise > 0.0 { 1.0 + config.noise * random.random::<f64>() } else { 1.0 };
                self.buckets[state.size as usize].push(Candidate {
                    score: (state.sum + ahead) * factor,
                    sum: state.sum,
                    hash: state.hash,
                    parent: index,
                    vertex,
                });
                self.waiting += 1;
                state.pending += 1;
            }
            self.undo(&mut state, segment);
            (state.sum, state.weight, state.hash, state.size) = before;
        }
        self.choices = choices;
        if state.pending == 0 {
            self.free.push(index);
        }
        self.states[index as usize] = state;
    }

    fn list_choices(&mut self, state: &State, segment: &Segment, starts: &[u32], config: &BeamConfig) {
        self.choices.clear();
        self.choices.extend_from_slice(starts);
        if !starts.is_empty() {
            return;
        }
        self.stamp = self.stamp.checked_add(1).unwrap_or_else(|| {
            self.stamps.fill(0);
            1
        });
        for &vertex in &state.frontier {
            let row = segment.graph.row(vertex);
            self.work += row.len() as u64;
            for &neighbour in row {
                if state.cells[neighbour as usize] & PLACED == 0 && self.stamps[neighbour as usize] != self.stamp {
                    self.stamps[neighbour as usize] = self.stamp;
                    self.choices.push(neighbour);
                }
            }
        }
        let next = state.first_unplaced;
        if (next as usize) < segment.window
            && (config.follow || self.choices.is_empty())
            && self.stamps[next as usize] != self.stamp
        {
            self.choices.push(next);
        }
    }

    /// Places a vertex and then all whose placement makes no frontier grow; the trail tells which.
    fn place_with_forced(&mut self, state: &mut State, vertex: u32, segment: &Segment) {
        self.forced.clear();
        self.place(state, vertex, segment);
        while let Some(vertex) = self.forced.pop() {
            let cell = state.cells[vertex as usize];
            if cell & PLACED == 0 {
                self.place(state, vertex, segment);
            } else if is_one(unplaced(cell), segment.graph.is_directed) {
                let row = segment.graph.row(vertex);
                self.work += row.len() as u64;
                // The one unplaced neighbour may lie behind the window.
                if let Some(&only) = row.iter().find(|&&target| state.cells[target as usize] & PLACED == 0) {
                    self.place(state, only, segment);
                }
            }
        }
    }

    #[inline]
    fn place(&mut self, state: &mut State, vertex: u32, segment: &Segment) {
        if segment.graph.is_directed {
            self.place_in::<true>(state, vertex, segment);
        } else {
            self.place_in::<false>(state, vertex, segment);
        }
    }

    fn place_in<const DIRECTED: bool>(&mut self, state: &mut State, vertex: u32, segment: &Segment) {
        self.trail.push(vertex);
        self.work += segment.graph.degree(vertex) as u64;
        let cell = &mut state.cells[vertex as usize];
        let own = unplaced(*cell);
        *cell |= PLACED;
        let mut frontier = state.weight + segment.weight::<DIRECTED>(vertex, own);
        if is_one(own, DIRECTED) {
            self.forced.push(vertex);
        }
        for (neighbour, counts) in segment.graph.counted_row::<DIRECTED>(vertex) {
            let cell = &mut state.cells[neighbour as usize];
            *cell -= counts as u16;
            let unplaced = unplaced(*cell);
            if *cell & PLACED != 0 {
                frontier -= segment.weight::<DIRECTED>(neighbour, unplaced + counts);
                frontier += segment.weight::<DIRECTED>(neighbour, unplaced);
                if is_one(unplaced, DIRECTED) {
                    self.forced.push(neighbour);
                }
            } else if unplaced == 0 {
                self.forced.push(neighbour);
            }
        }
        state.weight = frontier;
        state.size += 1;
        state.hash ^= self.zobrist[vertex as usize];
        state.sum += self.powers[frontier as usize];
    }

    /// Takes everything on the trail back.
    #[inline]
    fn undo(&mut self, state: &mut State, segment: &Segment) {
        if segment.graph.is_directed {
            self.undo_in::<true>(state, segment);
        } else {
            self.undo_in::<false>(state, segment);
        }
    }

    fn undo_in<const DIRECTED: bool>(&mut self, state: &mut State, segment: &Segment) {
        while let Some(vertex) = self.trail.pop() {
            state.cells[vertex as usize] &= !PLACED;
            for (neighbour, counts) in segment.graph.counted_row::<DIRECTED>(vertex) {
                state.cells[neighbour as usize] += counts as u16;
            }
        }
    }

    fn reconstruct(&mut self, last: Candidate, segment: &Segment) -> Vec<u32> {
        let state = self.make(last, segment);
        let mut history = self.states[state as usize].history;
        let mut order = Vec::with_capacity(segment.window);
        while history != u32::MAX {
            let end = self.histories.get(history as usize + 1).map_or(self.moves.len(), |next| next.from as usize);
            let History { parent, from } = self.histories[history as usize];
            order.extend(self.moves[from as usize..end].iter().rev());
            history = parent;
        }
        order.reverse();
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decompose::adjacency::Adjacency;
    use crate::decompose::measure::predicted_states;
    use crate::view::{CsrGraph, Edge};

    /// A ring of `n` vertices with random chords, undirected or with arcs in either direction or both.
    fn ring_with_chords(n: u32, random: &mut Pcg64Mcg) -> Adjacency {
        let directed = random.random();
        let chords: Vec<_> = (0..n / 2).map(|_| (random.random_range(0..n), random.random_range(0..n))).collect();
        let mut edges = Vec::new();
        for (a, b) in (0..n).map(|v| (v, (v + 1) % n)).chain(chords) {
            let ways = if directed { random.random_range(1..4) } else { 1 };
            if a != b && ways & 1 != 0 {
                edges.push(Edge { source: a, target: b, weight: 1 });
            }
            if a != b && ways & 2 != 0 {
                edges.push(Edge { source: b, target: a, weight: 1 });
            }
        }
        Adjacency::of(&CsrGraph::from_multigraph(n as usize, directed, edges).0)
    }

    fn config(width: usize, follow: bool) -> BeamConfig {
        BeamConfig { width, look_ahead: 10.0, noise: 0.3, follow }
    }

    #[test]
    fn sums_kept_in_passing_are_those_of_the_orders_found() {
        let effort = Effort::default();
        let plenty = WorkLimit { work: u64::MAX, memory: usize::MAX, effort: &effort };
        let mut random = Pcg64Mcg::seed_from_u64(6);
        let mut beam = Beam::default();
        for round in 0..60 {
            let n = random.random_range(6..50u32);
            let graph = ring_with_chords(n, &mut random);
            let order: Vec<u32> = (0..n).collect();
            let whole = Segment::new(&graph, &order, 0..n as usize, &mut vec![u32::MAX; n as usize]);
            let known = predicted_states(&graph, &order);
            assert!((beam.known_sum(&whole) / known - 1.0).abs() < 1e-9);
            let start = random.random_range(0..n);
            let config = config(4, false);
            let task =
                |limit| Task { segment: &whole, starts: vec![start], config: config.clone(), limit, seed: round };
            let (sum, found) = beam.search(&task(f64::INFINITY), &plenty).unwrap();
            assert_eq!(found[0], start);
            assert!((sum / predicted_states(&graph, &found) - 1.0).abs() < 1e-9);
            assert!(beam.search(&task(1.0), &plenty).is_none(), "none is below");
        }
    }

    #[test]
    fn a_window_found_better_makes_the_whole_order_better() {
        let effort = Effort::default();
        let plenty = WorkLimit { work: u64::MAX, memory: usize::MAX, effort: &effort };
        let mut random = Pcg64Mcg::seed_from_u64(7);
        let mut beam = Beam::default();
        let mut improved = 0;
        for round in 0..60 {
            let n = random.random_range(10..50u32);
            let graph = ring_with_chords(n, &mut random);
            let order: Vec<u32> = (0..n).collect();
            let from = random.random_range(0..n as usize - 5);
            let range = from..random.random_range(from + 3..=n as usize);
            let mut scratch = vec![u32::MAX; n as usize];
            let segment = Segment::new(&graph, &order, range.clone(), &mut scratch);
            assert!(scratch.iter().all(|&entry| entry == u32::MAX));
            let known = beam.known_sum(&segment);
            let task =
                Task { segment: &segment, starts: Vec::new(), config: config(8, true), limit: known, seed: round };
            let Some((sum, found)) = beam.search(&task, &plenty) else {
                continue;
            };
            let mut better = order.clone();
            better[range].copy_from_slice(&segment.outer_order(&found));
            let mut sorted = better.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, order);
            assert!(sum < known && predicted_states(&graph, &better) < predicted_states(&graph, &order));
            improved += 1;
        }
        assert!(improved > 20);
    }
}
