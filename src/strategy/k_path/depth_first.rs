//! The obvious try: go on from vertex to vertex, and back where there is no way on.
//!
//! Most graphs that have paths of `k` vertices at all have plenty of them, and then this is the fastest way to one. Every
//! first vertex gets a small allowance of steps, those that didn't suffice eight times as much, and so on until the effort
//! is spent. If all first vertices were searched to the end, the answer is proved.
//!
//! [`heaviest`] is branch and bound: the steps of a vertex come by falling promise ([`WalkBounds`]), and the search goes back
//! where the promise doesn't beat the best path known.

use fixedbitset::FixedBitSet;

use crate::instance::Budget;
use crate::reduce::walks::{WalkBounds, Walks};
use crate::solution::Stop;

/// What came of the try.
pub(super) struct Try {
    /// A path better than the floor, with its value.
    pub(super) best: Option<(Vec<u32>, i64)>,
    /// Whether nothing better exists for certain.
    pub(super) exhausted: bool,
    pub(super) stop: Option<Stop>,
    pub(super) steps: u64,
    pub(super) peak_bytes: usize,
}

/// How many times its vertices a path may cost in the first round, and how much more in each later one.
const FIRST_ALLOWANCE: u64 = 16;
const GROWTH: u64 = 8;
/// The stop is asked for once in so many steps.
const STEPS_PER_CLOCK: u64 = 1 << 14;

/// Any path of `k` vertices.
pub(super) fn any(walks: &Walks<'_>, effort: u64, budget: &Budget) -> Try {
    let n = walks.vertex_count();
    let starts = (0..n as u32).filter(|&vertex| walks.may_be_first(vertex) && walks.may_stand(vertex, 0)).collect();
    let mut search = Search::new(walks, effort, budget);
    search.rounds(starts, |search, start, allowance| {
        let graph = &search.walks.graph;
        search.follow(start, allowance, |search, vertex, place, tried| {
            let row = &graph.out_arcs(vertex)[tried..];
            let free = |target: u32| !search.visited[target as usize] && search.walks.may_stand(target, place + 1);
            let skipped = row.iter().position(|arc| free(arc.target));
            skipped.map(|skipped| (tried + skipped + 1, row[skipped].target, 0)).ok_or(row.len())
        })
    });
    search.ended(n)
}

/// The heaviest path of `k` vertices, if it is worth more than `floor`.
pub(super) fn heaviest(
    walks: &Walks<'_>,
    walk_bounds: &WalkBounds,
    floor: i64,
    effort: u64,
    budget: &Budget,
    report: &mut dyn FnMut(i64),
) -> Try {
    let n = walks.vertex_count();
    let mut starts: Vec<u32> = (0..n as u32).filter(|&vertex| walk_bounds.whole[vertex as usize].is_some()).collect();
    starts.sort_by_key(|&vertex| std::cmp::Reverse(walk_bounds.whole[vertex as usize]));
    let mut search = Search::new(walks, effort, budget);
    search.floor = Some(floor);
    search.report = Some(report);
    search.rounds(starts, |search, start, allowance| {
        if walk_bounds.whole[start as usize] <= search.floor {
            return true;
        }
        search.follow(start, allowance, |search, vertex, place, tried| {
            let row = &walk_bounds.steps(vertex, search.walks.k - 1 - place)[tried..];
            let value = search.values[place];
            let promising = row.iter().take_while(|step| Some(value + step.promise) > search.floor);
            let mut looked_at = 0;
            for step in promising {
                looked_at += 1;
                if !search.visited[step.target as usize] {
                    return Ok((tried + looked_at, step.target, value + step.weight));
                }
            }
            Err(looked_at)
        })
    });
    search.ended(n)
}

struct Search<'a, 'r> {
    walks: &'a Walks<'a>,
    budget: &'a Budget,
    effort: u64,
    /// Only paths worth more are of interest; `None` where the first path ends the search.
    floor: Option<i64>,
    report: Option<&'r mut dyn FnMut(i64)>,
    visited: FixedBitSet,
    path: Vec<u32>,
    /// For every vertex of the path how many steps on were tried, and the value so far.
    tried: Vec<usize>,
    values: Vec<i64>,
    best: Option<(Vec<u32>, i64)>,
    exhausted: bool,
    stop: Option<Stop>,
    steps: u64,
    asked: u64,
}

impl<'a, 'r> Search<'a, 'r> {
    fn new(walks: &'a Walks<'a>, effort: u64, budget: &'a Budget) -> Self {
        Search {
            walks,
            budget,
            effort,
            floor: None,
            report: None,
            visited: FixedBitSet::with_capacity(walks.vertex_count()),
            path: Vec::new(),
            tried: Vec::new(),
            values: Vec::new(),
            best: None,
            exhausted: false,
            stop: None,
            steps: 0,
            asked: 0,
        }
    }

    /// Searches from all starts, with growing allowances; `from` tells whether a start was searched to the end.
    fn rounds(&mut self, mut starts: Vec<u32>, mut from: impl FnMut(&mut Self, u32, u64) -> bool) {
        let mut allowance = FIRST_ALLOWANCE * self.walks.k as u64;
        while !starts.is_empty() && !self.is_over() {
            let mut unfinished = Vec::new();
            for start in starts {
                if self.is_over() || !from(self, start, allowance) {
                    unfinished.push(start);
                }
            }
            starts = unfinished;
            allowance = allowance.saturating_mul(GROWTH);
        }
        self.exhausted = starts.is_empty();
    }

    fn is_over(&self) -> bool {
        let found = self.floor.is_none() && self.best.is_some();
        found || self.stop.is_some() || self.steps >= self.effort
    }

    /// Searches the paths from one vertex, and tells whether all were. `on` gives, for a vertex, its place and how many of
    /// its steps were tried, the next step worth taking: how many are tried then, where it leads and the value there. Or
    /// how many steps it looked at in vain.
    fn follow(
        &mut self,
        start: u32,
        allowance: u64,
        mut on: impl FnMut(&Self, u32, usize, usize) -> Result<(usize, u32, i64), usize>,
    ) -> bool {
        let most = self.steps.saturating_add(allowance).min(self.effort);
        self.enter(start, self.walks.first[start as usize]);
        let mut complete = true;
        while let Some(&vertex) = self.path.last() {
            let place = self.path.len() - 1;
            if place + 1 == self.walks.k {
                self.complete();
                self.leave();
                continue;
            }
            if self.steps >= most || self.is_over() {
                complete = false;
                self.leave();
                continue;
            }
            if self.steps - self.asked >= STEPS_PER_CLOCK {
                self.asked = self.steps;
                self.stop = self.budget.spent();
            }
            let tried = self.tried[place];
            match on(self, vertex, place, tried) {
                Ok((now_tried, target, value)) => {
                    self.steps += (now_tried - tried) as u64;
                    self.tried[place] = now_tried;
                    self.enter(target, value);
                }
                Err(looked_at) => {
                    self.steps += looked_at as u64 + 1;
                    self.leave();
                }
            }
        }
        complete
    }

    /// The path has `k` vertices.
    fn complete(&mut self) {
        let last = self.path[self.path.len() - 1];
        match self.floor {
            None => {
                if self.best.is_none() && self.walks.may_be_last(last) {
                    self.best = Some((self.path.clone(), self.walks.value(&self.path)));
                }
            }
            Some(floor) => {
                let value = self.values[self.values.len() - 1] + self.walks.last[last as usize];
                if value > floor {
                    self.floor = Some(value);
                    self.best = Some((self.path.clone(), value));
                    if let Some(report) = &mut self.report {
                        report(value);
                    }
                }
            }
        }
    }

    fn enter(&mut self, vertex: u32, value: i64) {
        self.visited.insert(vertex as usize);
        self.path.push(vertex);
        self.tried.push(0);
        self.values.push(value);
    }

    fn leave(&mut self) {
        let vertex = self.path.pop().expect("only entered vertices are left");
        self.visited.remove(vertex as usize);
        self.tried.pop();
        self.values.pop();
    }

    fn ended(self, n: usize) -> Try {
        Try {
            best: self.best,
            exhausted: self.exhausted,
            stop: self.stop,
            steps: self.steps,
            peak_bytes: n * 5 + self.walks.k * 20,
        }
    }
}
