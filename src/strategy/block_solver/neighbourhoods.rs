//! A better path by neighbourhoods: a part of the graph is searched by an exact engine, the path outside stays as it is.
//!
//! This is large neighbourhood search (P. Shaw, *Using constraint programming and local search methods to solve vehicle routing
//! problems*, CP 1998, 417–431, doi:10.1007/3-540-49481-2_30) with two kinds of [neighbourhoods](Neighbourhood):
//!
//! - *balls*: the vertices round a vertex, every other time one that the path misses. They go round the graph until none of a
//!   size has anything better; then they grow;
//! - *where the program differs*: inside is what the linear program does not do as the path does (E. Danna, E. Rothberg, C. Le
//!   Pape, *Exploring relaxation induced neighborhoods to improve MIP solutions*, Mathematical Programming 102 (2005) 71–90,
//!   doi:10.1007/s10107-004-0518-7).

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;

use super::BlockSolver;
use super::neighbourhood::Neighbourhood;
use crate::engines::orders::order_at_a_glance;
use crate::engines::{branch_and_cut, frontier};
use crate::instance::{Budget, Instance, Silent};
use crate::solution::Stop;
use crate::view::CsrGraph;

/// Up to so many predicted states a sweep of what a linear program uses, or of a neighbourhood, is as short as a pause.
pub(super) const NARROW_SUPPORT: f64 = 3e5;
/// Vertices in the first balls, and at most.
const FIRST_BALL: usize = 50;
const LARGEST_BALL: usize = 400;
/// Balls of one size are tried until this many times as many vertices have been in one, without anything better.
const ROUNDS: usize = 2;
/// So many balls in a row that are too much for the engines, and there is no use in larger ones.
const TOO_LARGE: usize = 8;
/// The program and the path agree on a vertex where the one does to so much what the other does.
const AGREED: f64 = 0.999;
/// Where they differ on more vertices than one in so many there is next to nothing to keep.
const MOST_DIFFERENT: usize = 2;
/// Of so many vertices the path misses more than one.
const MOST_VISITED: usize = 100;

/// What an order takes for each edge, a sweep for each state, and a unit of branch and cut: nanoseconds, roughly.
const WORK_PER_EDGE: u64 = 10_000;
const WORK_PER_STATE: u64 = 200;
const WORK_PER_CUT: u64 = 100;
/// The work of branch and cut on a neighbourhood, for each vertex inside.
const CUTS_PER_VERTEX: u64 = 5_000;

/// Where a search in balls stands, so that it can go on.
#[derive(Clone, Debug)]
pub(super) struct Balls {
    size: usize,
    /// The balls tried, of which the next one depends.
    tried: u64,
    /// Vertices of balls without anything better, since there was.
    in_vain: usize,
    /// The value of the path that it has seen.
    value: i64,
}

impl Default for Balls {
    fn default() -> Self {
        Balls { size: FIRST_BALL, tried: 0, in_vain: 0, value: i64::MIN }
    }
}

impl Balls {
    /// Small ones again, others than before.
    pub(super) fn begin_anew(&mut self) {
        *self = Balls { tried: self.tried, ..Balls::default() };
    }
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
    /// Makes the best path better in ball after ball, for so much work in nanoseconds, or until the largest have nothing better.
    /// Where nearly all vertices are on the path, small moves find the others.
    pub(super) fn look_into_balls(&mut self, balls: &mut Balls, mut work: u64) {
        let n = self.instance.graph.vertex_count();
        let budget = self.budget.alone();
        let mut too_large = 0;
        while work > 0 && self.budget.spent().is_none() && !self.settled() {
            self.exchange_paths();
            let Some((path, value)) = &self.answer.best else { return };
            if balls.value != *value {
                balls.begin_anew();
                balls.value = *value;
            }
            if balls.size > LARGEST_BALL || (n - path.len()) * MOST_VISITED <= n {
                return;
            }
            balls.tried += 1;
            let ball = ball(&self.instance.graph, centre(n, path, balls.tried, budget.seed), balls.size);
            let (found, done) = search(self.instance, (path, *value), ball, &budget);
            work = work.saturating_sub(done);
            match found {
                Found::Better(path, value) => {
                    self.log.incumbent(value);
                    self.answer.best = Some((path, value));
                    balls.value = value;
                    balls.in_vain = 0;
                }
                Found::Nothing => {
                    too_large = 0;
                    balls.in_vain += balls.size;
                }
                Found::TooLarge => too_large += 1,
            }
            if too_large > TOO_LARGE {
                balls.size = LARGEST_BALL + 1;
            } else if balls.in_vain > ROUNDS * n {
                balls.size = balls.size * 3 / 2;
                balls.in_vain = 0;
            }
        }
    }

    /// Looks for better paths where the linear program does something else than the best one, as long as there are any.
    pub(super) fn look_where_the_program_differs(&mut self, cuts: &branch_and_cut::Search<'_>) {
        let graph = &self.instance.graph;
        let budget = self.budget.alone();
        while let Some((path, value)) = self.answer.best.as_ref().filter(|_| !self.settled()) {
            let mut is_on_path = FixedBitSet::with_capacity(graph.edge_count());
            is_on_path.extend(graph.edges_along(path).map(|edge| edge as usize));
            let mut differs = FixedBitSet::with_capacity(graph.vertex_count());
            for (edge, line) in (0..).zip(graph.edges()) {
                let used = cuts.part_used(edge);
                let agreed = if is_on_path[edge as usize] { used >= AGREED } else { used <= 1.0 - AGREED };
                if !agreed {
                    differs.insert(line.source as usize);
                    differs.insert(line.target as usize);
                }
            }
            if differs.count_ones(..) * MOST_DIFFERENT > graph.vertex_count() {
                return;
            }
            let (Found::Better(path, value), _) = search(self.instance, (path, *value), differs, &budget) else {
                return;
            };
            self.answer.best = Some((path, value));
            self.log.incumbent(value);
        }
    }
}

/// The best path of a neighbourhood, by a sweep where that is narrow and by branch and cut where not; and the work it took.
fn search(instance: &Instance, (path, value): (&[u32], i64), is_inside: FixedBitSet, budget: &Budget) -> (Found, u64) {
    let looked = WORK_PER_EDGE * is_inside.count_ones(..) as u64;
    let Some(neighbourhood) = Neighbourhood::new(instance, path, is_inside) else { return (Found::Nothing, looked) };
    let part = &neighbourhood.instance;
    // What others beside this know is of no use here: this path is to become better.
    let order = order_at_a_glance(&part.graph, budget);
    let (outcome, searched) = if order.predicted_states() <= NARROW_SUPPORT {
        let outcome = frontier::solve(part, order.vertices(), None, value, budget, &mut Silent);
        let steps = outcome.steps;
        (outcome, steps * WORK_PER_STATE)
    } else {
        let work = CUTS_PER_VERTEX * neighbourhood.vertex_count() as u64;
        let mut search = branch_and_cut::Search::new(part, None, value, part.trivial_bound());
        (search.run(work, budget, &mut Silent), work * WORK_PER_CUT)
    };
    let found = match outcome.best {
        Some((best, better)) if better > value => Found::Better(neighbourhood.lift(&best), better),
        _ if outcome.stop == Some(Stop::Exhausted) => Found::TooLarge,
        _ => Found::Nothing,
    };
    (found, WORK_PER_EDGE * part.graph.edge_count() as u64 + searched)
}

/// Any vertex, or one that the path misses, by turns.
fn centre(n: usize, path: &[u32], tried: u64, seed: u64) -> u32 {
    let random = scattered(tried ^ seed);
    if tried.is_multiple_of(2) {
        return (random % n as u64) as u32;
    }
    let mut missed = FixedBitSet::with_capacity(n);
    missed.insert_range(..);
    path.iter().for_each(|&vertex| missed.remove(vertex as usize));
    let missed: Vec<usize> = missed.ones().collect();
    missed[random as usize % missed.len()] as u32
}

/// So many vertices round this one, or all that can be reached, whatever the directions.
fn ball(graph: &CsrGraph, centre: u32, size: usize) -> FixedBitSet {
    let mut ball = FixedBitSet::with_capacity(graph.vertex_count());
    let mut queue = VecDeque::from([centre]);
    ball.insert(centre as usize);
    let mut count = 1;
    while let Some(vertex) = queue.pop_front() {
        let back = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
        for arc in graph.out_arcs(vertex).iter().chain(back) {
            if count == size {
                return ball;
            }
            if !ball.put(arc.target as usize) {
                count += 1;
                queue.push_back(arc.target);
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
