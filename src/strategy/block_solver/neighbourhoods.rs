//! A better path by neighbourhoods: a part of the graph is searched by an exact engine, the path outside stays as it is.
//!
//! This is large neighbourhood search (P. Shaw, *Using constraint programming and local search methods to solve vehicle routing
//! problems*, CP 1998, 417–431, doi:10.1007/3-540-49481-2_30) with two kinds of [neighbourhoods](Neighbourhood):
//!
//! - *balls*: the vertices round a vertex, every other time one that the path misses. They go round the graph until none of a
//!   size has anything better; then they grow. Where the path became another, they begin small again, there alone;
//! - *where the program differs*: inside is what the linear program does not do as the path does, in one connected part or in all
//!   (E. Danna, E. Rothberg, C. Le Pape, *Exploring relaxation induced neighborhoods to improve MIP solutions*, Mathematical
//!   Programming 102 (2005) 71–90, doi:10.1007/s10107-004-0518-7).

use std::time::{Duration, Instant};

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;

use super::BlockSolver;
use super::neighbourhood::Neighbourhood;
use crate::engines::branch_and_cut::Uses;
use crate::engines::orders::order_at_a_glance;
use crate::engines::{branch_and_cut, frontier};
use crate::instance::{Ends, Instance, Silent};
use crate::view::{CsrGraph, Edge};

/// Up to so many predicted states a sweep of what a linear program uses, or of a neighbourhood, is as short as a pause.
pub(super) const NARROW_SUPPORT: f64 = 3e5;
/// Vertices in the first balls; those of each level have twice as many as those before, up to half of all vertices where that
/// is more.
const FIRST_BALL: usize = 50;
/// Balls of this level are large: each takes so long that other ways to a better path are worth a try.
const LARGE: u8 = 2;
/// What a ball may take at first.
const FIRST_PATIENCE: Duration = Duration::from_millis(200);
/// So many balls of a level in a row that take longer, and there is no use in more of it for the time being.
const TOO_LARGE: usize = 4;
/// The work of branch and cut on a neighbourhood, for each vertex inside.
const CUTS_PER_VERTEX: u64 = 5_000;
/// Of the memory a ball may take this part.
pub(super) const PART_OF_MEMORY: usize = 8;
/// The program and the path agree on a vertex where the one does to so much what the other does.
const AGREED: f64 = 0.999;
/// Where they differ on more vertices than one in so many there is next to nothing to keep.
const MOST_DIFFERENT: usize = 2;
/// Of so many vertices the path misses more than one.
const MOST_VISITED: usize = 100;

/// Where a search in balls stands, so that it can go on.
#[derive(Clone, Debug)]
pub(super) struct Balls {
    /// By vertex, the levels of balls that have nothing better there.
    levels: Vec<u8>,
    /// Whether the search ends where the best path is close to the bound.
    until_close: bool,
    /// There are none of this level and above, where that is not by the number of vertices.
    most: u8,
    /// Balls of this level and above take too long.
    end: u8,
    patience: Duration,
    /// The balls tried, of which the next one depends.
    tried: u64,
    /// The last ones in a row that took too long.
    too_large: usize,
    /// The other paths that were begun beside.
    others: u64,
    /// What lies beside each vertex on the path that was seen last, the lesser one first.
    beside: Vec<[u32; 2]>,
}

impl Default for Balls {
    fn default() -> Self {
        let (levels, beside) = (Vec::new(), Vec::new());
        Balls {
            levels,
            until_close: false,
            most: u8::MAX,
            end: 0,
            patience: FIRST_PATIENCE,
            tried: 0,
            too_large: 0,
            others: 0,
            beside,
        }
    }
}

impl Balls {
    pub(super) fn until_close() -> Self {
        Balls { until_close: true, ..Balls::default() }
    }

    /// Without large ones.
    pub(super) fn small() -> Self {
        Balls { most: LARGE, ..Balls::default() }
    }

    /// Whether none is left but large ones.
    pub(super) fn are_large(&self) -> bool {
        self.level().is_some_and(|level| level >= LARGE)
    }

    /// The number of one more path, begun anew.
    pub(super) fn another(&mut self) -> u64 {
        self.others += 1;
        self.others
    }

    /// Whether there is no use in it where the best path is close to the bound.
    pub(super) fn ends_here(&self, is_close: bool) -> bool {
        self.until_close && is_close
    }

    /// Takes note of a path: where it is another than before, balls may have something better again.
    fn see(&mut self, path: &[u32], n: usize) {
        if self.levels.is_empty() {
            self.levels = vec![0; n];
            self.end = levels(n).min(self.most);
        }
        let mut beside = vec![[u32::MAX; 2]; n];
        for (at, &vertex) in path.iter().enumerate() {
            let before = if at > 0 { path[at - 1] } else { vertex };
            let after = path.get(at + 1).copied().unwrap_or(vertex);
            beside[vertex as usize] = [before.min(after), before.max(after)];
        }
        if self.beside.len() == n {
            for (level, _) in self.levels.iter_mut().zip(beside.iter().zip(&self.beside)).filter(|(_, (a, b))| a != b) {
                *level = 0;
            }
        }
        self.beside = beside;
    }

    /// The least level of which there are balls left to try.
    fn level(&self) -> Option<u8> {
        self.levels.iter().min().copied().filter(|&least| least < self.end)
    }

    /// A vertex of this level, every other time one that the path misses if there is one.
    fn centre(&self, level: u8, seed: u64) -> u32 {
        let random = scattered(self.tried ^ seed) as usize;
        let of_level = || (0..).zip(&self.levels).filter(|&(_, &other)| other == level).map(|(vertex, _)| vertex);
        let missed = || of_level().filter(|&vertex: &u32| self.beside[vertex as usize] == [u32::MAX; 2]);
        let count = if self.tried.is_multiple_of(2) { 0 } else { missed().count() };
        let centre = if count > 0 { missed().nth(random % count) } else { of_level().nth(random % of_level().count()) };
        centre.expect("a vertex is of this level")
    }

    /// A ball took too long, after so many others in a row there will be no more of this level.
    fn note_too_large(&mut self, level: u8) {
        self.too_large += 1;
        if self.too_large > TOO_LARGE {
            self.end = level;
            self.too_large = 0;
        }
    }

    /// Next time balls may take twice as long, and those that took too long are tried again.
    fn be_patient(&mut self) {
        self.patience = self.patience.saturating_mul(2);
        self.levels.iter_mut().for_each(|level| *level = self.end.min(*level));
        self.end = levels(self.levels.len()).min(self.most);
        if self.levels.iter().all(|&level| level >= self.end) {
            // Others than before.
            self.levels.fill(0);
        }
    }
}

/// The vertices of a ball of this level.
fn size_of(level: u8) -> usize {
    FIRST_BALL << level
}

/// How many levels there are for so many vertices.
fn levels(n: usize) -> u8 {
    (1..u8::MAX).find(|&level| 2 * size_of(level) > n).unwrap_or(u8::MAX)
}

/// What a neighbourhood is worth that is too wide for a narrow sweep.
#[derive(Clone, Copy)]
enum Effort {
    /// A short try at branch and cut.
    Cuts,
    /// Whatever fits, for so long.
    Whatever(Duration),
}

/// What came of a neighbourhood.
enum Found {
    /// A better path of the whole, and what it is worth.
    Better(Vec<u32>, i64),
    /// There is none in the neighbourhood.
    Nothing,
    /// It was too much for the engines.
    TooLarge,
}

impl BlockSolver<'_, '_> {
    /// Makes the best path better in ball after ball, for so much work in nanoseconds, or until none that ends in time has
    /// anything better. Where nearly all vertices are on the path, small moves find the others. Returns whether there are more.
    pub(super) fn look_into_balls(&mut self, balls: &mut Balls, mut work: u64) -> bool {
        let n = self.instance.graph.vertex_count();
        let mut seen = None;
        while work > 0 && self.budget.spent().is_none() && !self.settled() {
            if balls.ends_here(self.is_close()) {
                return false;
            }
            self.exchange_paths();
            let Some((path, value)) = &self.answer.best else { return false };
            if (n - path.len()) * MOST_VISITED <= n {
                return false;
            }
            if seen != Some(*value) {
                balls.see(path, n);
                seen = Some(*value);
            }
            let Some(level) = balls.level() else {
                balls.be_patient();
                return false;
            };
            balls.tried += 1;
            let ball = ball(&self.instance.graph, balls.centre(level, self.budget.seed), size_of(level));
            let inside = self.set_of(&ball);
            // Whatever fits may look into balls itself: smaller ones.
            let is_part = 2 * ball.len() <= n;
            let effort = if is_part { Effort::Whatever(balls.patience) } else { Effort::Cuts };
            let (found, done) = self.search(inside, effort);
            work = work.saturating_sub(done);
            match found {
                Found::Better(path, value) => {
                    self.log.incumbent(value);
                    self.answer.best = Some((path, value));
                    balls.too_large = 0;
                    continue;
                }
                Found::Nothing => balls.too_large = 0,
                Found::TooLarge => balls.note_too_large(level),
            }
            // Round those farther out there is more to see in other balls.
            ball[..ball.len().div_ceil(2)].iter().for_each(|&vertex| balls.levels[vertex as usize] = level + 1);
        }
        true
    }

    fn set_of(&self, ball: &[u32]) -> FixedBitSet {
        let mut inside = FixedBitSet::with_capacity(self.instance.graph.vertex_count());
        inside.extend(ball.iter().map(|&vertex| vertex as usize));
        inside
    }

    /// Looks for better paths where the linear program does something else than the best one, as long as there are any: by a
    /// short try at branch and cut, and for so long by whatever fits where that is not enough.
    pub(super) fn look_where_the_program_differs(&mut self, uses: &Uses, patience: Duration) {
        let graph = &self.instance.graph;
        while let Some((path, _)) = self.answer.best.as_ref().filter(|_| !self.settled()) {
            let mut differs = FixedBitSet::with_capacity(graph.vertex_count());
            for line in self.differences(uses, path) {
                differs.extend([line.source as usize, line.target as usize]);
            }
            if differs.count_ones(..) * MOST_DIFFERENT > graph.vertex_count() {
                return;
            }
            let found = match self.search(differs.clone(), Effort::Cuts).0 {
                Found::TooLarge => self.search(differs, Effort::Whatever(patience)).0,
                found => found,
            };
            let Found::Better(path, value) = found else { return };
            self.answer.best = Some((path, value));
            self.log.incumbent(value);
        }
    }

    /// Looks for better paths where the linear program does something else than the best one, in one connected part after the
    /// other, the small ones first: there are many as long as the best path is far from the bound, and each is soon searched. Again
    /// as long as there are any.
    pub(super) fn look_where_parts_differ(&mut self, uses: &Uses) {
        let mut is_better = true;
        while is_better && let Some((path, _)) = &self.answer.best {
            is_better = false;
            let parts = components(self.instance.graph.vertex_count(), self.differences(uses, path));
            if parts.len() < 2 {
                return;
            }
            for part in parts {
                if self.settled() {
                    return;
                }
                if let Found::Better(path, value) = self.search(self.set_of(&part), Effort::Cuts).0 {
                    self.log.incumbent(value);
                    self.answer.best = Some((path, value));
                    is_better = true;
                }
            }
        }
    }

    /// The edges of which the linear program and a path do not use as much as each other.
    fn differences<'d>(&'d self, uses: &'d Uses, path: &[u32]) -> impl Iterator<Item = Edge> + 'd {
        let is_on_path = set_of_edges(self.instance, path);
        let differs = move |edge: u32| {
            let used = uses.part(edge);
            if is_on_path[edge as usize] { used < AGREED } else { used > 1.0 - AGREED }
        };
        (0..).zip(self.instance.graph.edges()).filter(move |&(edge, _)| differs(edge)).map(|(_, &line)| line)
    }

    /// The best path of a neighbourhood of the best one known, by a sweep where that is narrow; and the nanoseconds it took.
    fn search(&self, is_inside: FixedBitSet, effort: Effort) -> (Found, u64) {
        let began = Instant::now();
        let (path, value) = self.answer.best.as_ref().expect("there is a path to be made better");
        let neighbourhood = Neighbourhood::new(self.instance, path, is_inside);
        let spent = || began.elapsed().as_nanos() as u64;
        let Some(neighbourhood) = neighbourhood else { return (Found::Nothing, spent()) };
        let part = &neighbourhood.instance;
        // What others beside this know is of no use here: this path is to become better.
        let budget = self.budget.alone();
        let order = order_at_a_glance(&part.graph, &budget);
        let outcome = if order.predicted_states() <= NARROW_SUPPORT {
            frontier::solve(part, order.vertices(), None, *value, &budget, &mut Silent)
        } else {
            match effort {
                Effort::Cuts => {
                    let work = CUTS_PER_VERTEX * part.graph.vertex_count() as u64;
                    let mut cuts = branch_and_cut::Search::new(part, None, *value, part.trivial_bound());
                    cuts.run(work, &budget, &mut Silent)
                }
                Effort::Whatever(patience) => {
                    let mut budget = budget.until(began + patience);
                    budget.memory /= PART_OF_MEMORY;
                    BlockSolver::new(part, *value, budget, self.context, &mut Silent).solve()
                }
            }
        };
        let found = match outcome.best {
            Some((best, better)) if better > *value => Found::Better(neighbourhood.lift(&best), better),
            _ if outcome.stop.is_some() => Found::TooLarge,
            _ => Found::Nothing,
        };
        (found, spent())
    }
}

/// The edges of a path or cycle.
pub(super) fn set_of_edges(instance: &Instance, path: &[u32]) -> FixedBitSet {
    let graph = &instance.graph;
    let mut along = FixedBitSet::with_capacity(graph.edge_count());
    along.extend(graph.edges_along(path).map(|edge| edge as usize));
    if let (Ends::Closed { .. }, [first, .., last]) = (&instance.ends, path) {
        along.extend(graph.edges_along(&[*last, *first]).map(|edge| edge as usize));
    }
    along
}

/// The connected components of some edges between so many vertices, the small ones first.
fn components(vertices: usize, edges: impl Iterator<Item = Edge>) -> Vec<Vec<u32>> {
    let mut sets = UnionFind::<u32>::new(vertices);
    let mut is_touched = FixedBitSet::with_capacity(vertices);
    for line in edges {
        sets.union(line.source, line.target);
        is_touched.extend([line.source as usize, line.target as usize]);
    }
    let set = sets.into_labeling();
    let of = |vertex: &u32| set[*vertex as usize];
    let mut touched: Vec<u32> = is_touched.ones().map(|vertex| vertex as u32).collect();
    touched.sort_by_key(of);
    let mut components: Vec<Vec<u32>> = touched.chunk_by(|one, two| of(one) == of(two)).map(<[u32]>::to_vec).collect();
    components.sort_by_key(Vec::len);
    components
}

/// So many vertices round this one, or all that can be reached, whatever the directions; the nearest first.
fn ball(graph: &CsrGraph, centre: u32, size: usize) -> Vec<u32> {
    let mut is_inside = FixedBitSet::with_capacity(graph.vertex_count());
    let mut ball = vec![centre];
    is_inside.insert(centre as usize);
    let mut next = 0;
    while let Some(&vertex) = ball.get(next) {
        next += 1;
        let back = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
        for arc in graph.out_arcs(vertex).iter().chain(back) {
            if ball.len() == size {
                return ball;
            }
            if !is_inside.put(arc.target as usize) {
                ball.push(arc.target);
            }
        }
    }
    ball
}

/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014,
/// doi:10.1145/2660193.2660195).
fn scattered(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
