//! Backtracking: choose the next vertex, recurse, keep the best.
//!
//! Source: the brute force of §2 in P. Dorbec and C. Gavoille, *Projet UNO* (project text, Université de Bordeaux): from
//! a chosen beginning of the sequence, try every card that can follow, look for the best continuation, select the best
//! of all. Here over any [`Instance`], and iterative: the stack is a vector, so a path of 10⁶ vertices is no deeper than
//! one of ten. `O(Δⁿ)` time in the worst case, `O(n + m)` memory.
//!
//! *Plain* does exactly that. *Pruned* adds, at every vertex with a choice:
//! - a look at what is still reachable. A completion enters each reachable vertex at most once, at best along its
//!   heaviest arc, and visits at most one *dead end* (a vertex that could be entered but not left), since that must be
//!   the last. If what remains can't beat the incumbent, go back;
//! - no path twice: where a path and its reverse are worth the same, a vertex whose paths were all searched is no end of
//!   a better one, so it may no longer be the last either;
//! - an order: the continuation with the fewest continuations of its own first (H. C. von Warnsdorff, *Des Rösselsprunges
//!   einfachste und allgemeinste Lösung*, 1823), so that a good incumbent comes early.
//!
//! Cycles are searched by their first vertex in the order of trial; a vertex whose cycles are exhausted is then removed.

use crate::engines::door::{Door, Offer, Unfit};
use crate::instance::{Budget, Ends, Instance, Monitor, NOT_AN_END, Outcome};
use crate::solution::Stop;

/// Whether to prune; see the module's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pruning {
    Off,
    On,
}

/// The options of [`Backtracking`](crate::Engine::Backtracking) and [`PlainBacktracking`](crate::Engine::PlainBacktracking).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    pub(crate) is_plain: bool,
}

impl Config {
    /// Without any pruning, the brute force of the sources, to measure by:
    /// [`PlainBacktracking`](crate::Engine::PlainBacktracking). \[default: pruned\]
    #[must_use]
    pub fn plain(mut self) -> Self {
        self.is_plain = true;
        self
    }
}

impl Door for Config {
    fn open<'i>(&'i self, instance: &'i Instance) -> Result<Offer<'i>, Unfit> {
        let pruning = if self.is_plain { Pruning::Off } else { Pruning::On };
        Ok(Offer::of(move |floor, budget, monitor| solve(instance, pruning, floor, budget, monitor)))
    }
}

/// Searches the whole instance for the best path worth more than `floor`.
pub(crate) fn solve(
    instance: &Instance,
    pruning: Pruning,
    floor: i64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Outcome {
    let mut search = Search::new(instance, pruning, floor, budget);
    let upper = instance.trivial_bound();
    monitor.bound(upper);
    let forget_ends = pruning == Pruning::On && reversible(instance);
    for start in starts(instance, pruning) {
        if pruning == Pruning::On && search.best_value >= upper {
            break;
        }
        search.explore(start, monitor);
        if search.stop.is_some() {
            break;
        }
        match &instance.ends {
            Ends::Closed { .. } => search.visited[start as usize] = true,
            Ends::Open { .. } if forget_ends => search.last[start as usize] = NOT_AN_END,
            Ends::Open { .. } => {}
        }
    }
    let found = (!search.best.is_empty()).then_some((search.best, search.best_value));
    let upper = if search.stop.is_some() { upper.max(floor) } else { search.best_value };
    monitor.bound(upper);
    // The path, its choices and the marks: at most this once every vertex was entered.
    let n = instance.graph.vertex_count();
    let peak_bytes = n * (8 + 8 + 4 + 1 + 4 + 4 + 8 + 4) + search.choices.capacity() * size_of::<Choice>();
    Outcome { best: found, upper, stop: search.stop, steps: search.steps, peak_bytes }
}

/// Whether every path is worth as much the other way round.
fn reversible(instance: &Instance) -> bool {
    match &instance.ends {
        Ends::Open { first, last, .. } => !instance.graph.is_directed() && first == last,
        Ends::Closed { .. } => false,
    }
}

/// The vertices at which a path may begin, in the order of trial.
fn starts(instance: &Instance, pruning: Pruning) -> Vec<u32> {
    let vertices = 0..instance.graph.vertex_count() as u32;
    let mut starts: Vec<u32> = match &instance.ends {
        Ends::Open { first, .. } => vertices.filter(|&vertex| first[vertex as usize] != NOT_AN_END).collect(),
        Ends::Closed { through: Some(vertex) } => vec![*vertex],
        Ends::Closed { through: None } => vertices.collect(),
    };
    if pruning == Pruning::On {
        starts.sort_by_key(|&vertex| instance.graph.out_arcs(vertex).len());
    }
    starts
}

struct Search<'a> {
    instance: &'a Instance,
    pruning: Pruning,
    budget: &'a Budget,
    /// For pruning: what entering each vertex can add at most.
    gains: Vec<i64>,
    /// The prizes for ending, as far as they are still of interest; empty for cycles.
    last: Vec<i64>,

    path: Vec<u32>,
    /// A byte each: a tenth quicker here than a bit each.
    visited: Vec<bool>,
    /// The untried continuations of every vertex of the path, one segment of the vector each.
    choices: Vec<Choice>,
    frames: Vec<Frame>,

    best: Vec<u32>,
    best_value: i64,
    /// How much of the current path is the best one, where it is not copied to `best` yet.
    unsaved: Option<usize>,
    stop: Option<Stop>,
    steps: u64,
    /// Work done since the clock was last asked.
    work: usize,

    reach: Reach,
}

#[derive(Clone, Copy)]
struct Choice {
    vertex: u32,
    /// How many continuations it has of its own, once that matters.
    onward: u32,
    /// The value of the path so far once this vertex is appended.
    value: i64,
}

struct Frame {
    /// Where this vertex's segment of `choices` begins.
    choices: usize,
}

/// Asking the clock costs about as much as this many arcs looked at.
const WORK_PER_CLOCK: usize = 1 << 14;

impl<'a> Search<'a> {
    fn new(instance: &'a Instance, pruning: Pruning, floor: i64, budget: &'a Budget) -> Self {
        let n = instance.graph.vertex_count();
        Search {
            instance,
            pruning,
            budget,
            gains: instance.gains(),
            last: match &instance.ends {
                Ends::Open { last, .. } => last.clone(),
                Ends::Closed { .. } => Vec::new(),
            },
            path: Vec::new(),
            visited: vec![false; n],
            choices: Vec::new(),
            frames: Vec::new(),
            best: Vec::new(),
            unsaved: None,
            best_value: floor,
            stop: None,
            steps: 0,
            work: 0,
            reach: Reach::new(n),
        }
    }

    /// All paths that begin at `start`.
    fn explore(&mut self, start: u32, monitor: &mut dyn Monitor) {
        let value = match &self.instance.ends {
            Ends::Open { first, .. } => first[start as usize],
            Ends::Closed { .. } => 0,
        };
        self.enter(Choice { vertex: start, onward: 0, value }, monitor);
        while let Some(frame) = self.frames.last() {
            if self.choices.len() > frame.choices {
                let choice = self.choices.pop().expect("the frame has a choice left");
                self.enter(choice, monitor);
            } else {
                self.leave();
            }
            if self.work >= WORK_PER_CLOCK {
                self.work = 0;
                self.stop = self.budget.spent();
            }
            if self.stop.is_some() {
                while !self.frames.is_empty() {
                    self.leave();
                }
            }
        }
    }

    fn leave(&mut self) {
        // Only here, so that a path that grows better step by step is copied once.
        if let Some(length) = self.unsaved.take() {
            self.best.clear();
            self.best.extend_from_slice(&self.path[..length]);
        }
        let frame = self.frames.pop().expect("only entered vertices are left");
        self.choices.truncate(frame.choices);
        let vertex = self.path.pop().expect("every frame has a vertex");
        self.visited[vertex as usize] = false;
    }

    /// Appends a vertex, records the path if it is the best so far, and lists the continuations worth trying.
    fn enter(&mut self, choice: Choice, monitor: &mut dyn Monitor) {
        self.steps += 1;
        self.path.push(choice.vertex);
        self.visited[choice.vertex as usize] = true;
        self.frames.push(Frame { choices: self.choices.len() });
        if let Some(value) = self.value_if_ended(choice)
            && value > self.best_value
        {
            self.best_value = value;
            self.unsaved = Some(self.path.len());
            monitor.incumbent(value);
        }

        let graph = &self.instance.graph;
        let row = graph.out_arcs(choice.vertex);
        self.work += row.len() + 1;
        let from = self.choices.len();
        for arc in row.iter().filter(|arc| !self.visited[arc.target as usize]) {
            let value = choice.value + graph.weight(arc.edge);
            self.choices.push(Choice { vertex: arc.target, onward: 0, value });
        }
        if self.pruning == Pruning::On && self.choices.len() - from > 1 {
            if self.bound(choice) <= self.best_value {
                self.choices.truncate(from);
            } else {
                for choice in &mut self.choices[from..] {
                    let row = graph.out_arcs(choice.vertex);
                    self.work += row.len();
                    choice.onward = row.iter().filter(|arc| !self.visited[arc.target as usize]).count() as u32;
                }
                // The last of the segment is tried first, and equals stay in the graph's order.
                self.choices[from..].sort_unstable_by_key(|choice| (std::cmp::Reverse(choice.onward), choice.vertex));
            }
        }
    }

    /// The value of the current path if it ended (or closed) here, where it may.
    fn value_if_ended(&self, head: Choice) -> Option<i64> {
        match &self.instance.ends {
            Ends::Open { single_vertex, .. } => {
                let prize = self.last[head.vertex as usize];
                (prize != NOT_AN_END && (*single_vertex || self.path.len() > 1)).then(|| head.value + prize)
            }
            Ends::Closed { .. } => {
                let least = if self.instance.graph.is_directed() { 2 } else { 3 };
                if self.path.len() < least {
                    return None;
                }
                let closing = self.instance.graph.edge_between(head.vertex, self.path[0])?;
                Some(head.value + self.instance.graph.weight(closing))
            }
        }
    }

    /// No path that begins with the current one is worth more than this.
    fn bound(&mut self, head: Choice) -> i64 {
        let sweep = self.reach.sweep(self.instance, &self.visited, &self.gains, &self.last, head.vertex);
        self.work += sweep.work;
        match &self.instance.ends {
            Ends::Open { .. } => {
                let reached = self.reach.queue.iter().map(|&vertex| self.last[vertex as usize]);
                match reached.filter(|&prize| prize != NOT_AN_END).max() {
                    Some(prize) => head.value + sweep.gain + prize,
                    None => i64::MIN,
                }
            }
            Ends::Closed { .. } => {
                let start = self.path[0];
                let closes = |&vertex: &u32| self.instance.graph.edge_between(vertex, start).is_some();
                if self.reach.queue.iter().any(closes) {
                    head.value + sweep.gain + self.gains[start as usize]
                } else {
                    i64::MIN
                }
            }
        }
    }
}

/// Breadth-first search over the unvisited vertices, its memory kept between calls.
struct Reach {
    /// `mark[v] == round` where `v` is the head or was reached in this round.
    mark: Vec<u32>,
    round: u32,
    /// The head, then everything reached from it.
    queue: Vec<u32>,
}

struct Sweep {
    /// The most that a continuation through the reached vertices can add, prizes aside.
    gain: i64,
    work: usize,
}

impl Reach {
    fn new(vertex_count: usize) -> Self {
        Reach { mark: vec![0; vertex_count], round: 0, queue: Vec::new() }
    }

    fn sweep(&mut self, instance: &Instance, visited: &[bool], gains: &[i64], last: &[i64], head: u32) -> Sweep {
        let graph = &instance.graph;
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.mark.fill(0);
            1
        });
        self.mark[head as usize] = self.round;
        self.queue.clear();
        self.queue.push(head);
        let mut work = 0;
        let mut next = 0;
        while let Some(&vertex) = self.queue.get(next) {
            next += 1;
            let row = graph.out_arcs(vertex);
            work += row.len();
            for arc in row {
                let target = arc.target as usize;
                if self.mark[target] != self.round && !visited[target] {
                    self.mark[target] = self.round;
                    self.queue.push(arc.target);
                }
            }
        }

        // A cycle has no last vertex, but its own start may be the only way on from a vertex: no dead ends there.
        let closed = matches!(instance.ends, Ends::Closed { .. });
        let ways_on_of_a_dead_end = if graph.is_directed() { 0 } else { 1 };
        let (mut gain, mut dead_gain, mut best_dead_gain) = (0, 0, 0);
        for &vertex in &self.queue[1..] {
            let gain_here = gains[vertex as usize];
            gain += gain_here;
            if !closed {
                // The arc a vertex is entered by is no way on.
                let ways_on = graph.out_arcs(vertex).iter().filter(|arc| {
                    self.mark[arc.target as usize] == self.round && !(graph.is_directed() && arc.target == head)
                });
                if ways_on.take(ways_on_of_a_dead_end + 1).count() <= ways_on_of_a_dead_end {
                    dead_gain += gain_here;
                    if last[vertex as usize] != NOT_AN_END {
                        best_dead_gain = best_dead_gain.max(gain_here);
                    }
                }
            }
        }
        work += self.queue.len();
        Sweep { gain: gain - dead_gain + best_dead_gain, work }
    }
}
