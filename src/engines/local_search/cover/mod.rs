//! Covers: disjoint paths through all vertices, made fewer and one of them longer until it is all but a Hamiltonian path.
//!
//! Where nearly all vertices can be visited, a single path that rotates gets stuck: what it has left out lies scattered, and
//! each of those vertices must be taken in by a move of its own. Here they are kept as paths too. An *exchange* links the end
//! of one path to a vertex inside another (or of its own, a rotation) and cuts one of the two links there, so that another
//! vertex becomes an end; a *join* links two ends. So ends wander along alternating paths of edges off and on the cover until
//! two of them meet, a few exchanges deep each time before another end has its turn; all of the exchanges are made, since
//! with equal weights none loses anything. Now and then a link is cut by the rule of simulated annealing, near an end or
//! anywhere. At first only the weight of the cover counts, and ends wander freely; then it also counts how unequal the paths
//! are, by the sum of the squares of their sizes, so one path grows and takes bites out of the others.
//!
//! Sources: S. Lin and B. W. Kernighan, *An effective heuristic algorithm for the traveling-salesman problem*, Operations
//! Research 21 (1973) 498–516, doi:10.1287/opre.21.2.498, for chains of alternating exchanges; K. Helsgaun, *An effective
//! implementation of the Lin–Kernighan traveling salesman heuristic*, European Journal of Operational Research 126 (2000)
//! 106–130, doi:10.1016/S0377-2217(99)00284-2, for the edges of a sparse graph as the only candidates; P. Baniasadi,
//! V. Ejov, J. A. Filar, M. Haythorpe and S. Rossomakhine, *Deterministic "Snakes and Ladders" heuristic for the Hamiltonian
//! cycle problem*, Mathematical Programming Computation 6 (2014) 55–75, doi:10.1007/s12532-013-0059-2, for an ordering of all
//! vertices whose gaps are moved until they close. Theirs is one tour with gaps; here the order of the paths is nobody's
//! concern, so an exchange never has to turn a stretch of other paths round, and steps are random, not the best ones.
//!
//! An end that is fixed is the beginning of a long tail of vertices that stand for nothing: no exchange passes through it, and
//! the path with the tail is the one that grows. Between two fixed ends the tail joins them, and the path counts as soon as its
//! two other ends can be linked; so does a cycle, which has no tail. Directed graphs have no cover here: an exchange would turn
//! paths round.
//!
//! Each exchange takes amortised `O(log n)` time beside the arcs it looks at; memory is `O(n)`.

mod extract;
mod moves;
#[cfg(test)]
mod tests;

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::forest::Forest;
use super::random;
use super::sequence::Side;
use super::shape::Shape;
use crate::instance::{Ends, Instance, NOT_AN_END};

/// Nobody is linked here.
const NOBODY: u32 = u32::MAX;
/// What [`best_path`](Cover::best_path) holds for a vertex at most.
const NUMBERS_TO_EXTRACT: usize = 5;
/// Exchanges in a row from one end, before another has its turn.
const DEPTH: usize = 5;
/// A cover comes to something where it has no more than one path for so many vertices; and it soon won't where it has one for
/// so many at first.
const PROMISING: usize = 100;
const HOPELESS: usize = 20;
/// More vertices take long until a first cover stands.
const LARGEST: usize = 100_000;
/// Work at the same temperature, after which the clock is asked.
const WORK_PER_STAGE: u64 = 1 << 15;

/// How a cover is improved.
#[derive(Clone, Copy)]
pub(super) struct Schedule {
    /// Temperatures at the beginning and at the end, in average weights of an edge. At 0 no link is ever cut.
    pub(super) hot: f64,
    pub(super) cold: f64,
    /// What a vertex of the largest path is worth at the end, in average weights of an edge, beside its link.
    pub(super) bias: f64,
    pub(super) work: u64,
}

/// From this part of a schedule on paths may become unequal, and from the second on fully so.
const UNBIASED: f64 = 0.3;
const FULLY_BIASED: f64 = 0.65;

/// A cover of all vertices of an undirected graph by disjoint paths.
pub(super) struct Cover<'a> {
    instance: &'a Instance,
    shape: Shape,
    /// The weight of every edge, if they are equal.
    uniform: Option<i64>,
    /// The average weight of an edge.
    scale: f64,
    /// The paths, and behind a fixed end its tail.
    forest: Forest,
    /// The neighbours of a vertex on its path, in no order.
    links: Vec<[u32; 2]>,
    /// The vertices that may have another link, and where each is in this list.
    ends: Vec<u32>,
    end_place: Vec<u32>,
    paths: usize,
    /// A vertex of the path that is to grow, and how large that was when last looked at.
    main: u32,
    main_size: u32,
    temperature: f64,
    /// The odds of cutting a link of average weight.
    cut_odds: f64,
    /// What the product of the sizes of two paths is worth where they become one.
    bias: f64,
    rng: Pcg64Mcg,
    turns: u64,
    work: u64,
}

impl<'a> Cover<'a> {
    /// Whether an instance has covers, and a path of this shape is to be found in one.
    pub(super) fn fits(instance: &Instance) -> bool {
        let graph = &instance.graph;
        let few = |prizes: &[i64]| prizes.iter().filter(|&&prize| prize != NOT_AN_END).count() == 1;
        let all = |prizes: &[i64]| prizes.iter().all(|&prize| prize != NOT_AN_END);
        let has_ends = match &instance.ends {
            Ends::Open { first, last, .. } => [first, last].into_iter().all(|prizes| few(prizes) || all(prizes)),
            Ends::Closed { .. } => true,
        };
        !graph.is_directed()
            && has_ends
            && (4..=LARGEST).contains(&graph.vertex_count())
            && graph.edges().iter().all(|edge| edge.weight > 0)
    }

    pub(super) fn bytes(vertex_count: usize) -> usize {
        let nodes = vertex_count + vertex_count / 2 + 1;
        let lists = 2 + NUMBERS_TO_EXTRACT;
        Forest::bytes(nodes) + nodes * size_of::<[u32; 2]>() + vertex_count * lists * size_of::<u32>()
    }

    /// The cover that comes to mind first: vertices with few neighbours are linked first, to such with few. (Stops early
    /// if `is_over`, which is asked with the work done so far, says so.)
    pub(super) fn new(
        instance: &'a Instance,
        shape: Shape,
        uniform: Option<i64>,
        scale: f64,
        seed: u64,
        is_over: &mut dyn FnMut(u64) -> bool,
    ) -> Self {
        let n = instance.graph.vertex_count();
        let tail = if shape.bridge.is_some() || shape.anchored != [false; 2] { n / 2 + 1 } else { 0 };
        let mut cover = Cover {
            instance,
            shape,
            uniform,
            scale,
            forest: Forest::new(n + tail),
            links: vec![[NOBODY; 2]; n + tail],
            ends: (0..n as u32).collect(),
            end_place: (0..n as u32).collect(),
            paths: n,
            main: 0,
            main_size: 0,
            temperature: 0.0,
            cut_odds: 0.0,
            bias: 0.0,
            rng: Pcg64Mcg::seed_from_u64(seed),
            turns: 0,
            work: (n + tail) as u64,
        };
        for vertex in 0..(n + tail) as u32 {
            cover.forest.plant(vertex);
        }
        if tail > 0 {
            cover.lay_tail(n as u32..(n + tail) as u32);
        }
        cover.link_greedily(is_over);
        cover
    }

    /// Makes the fixed ends the beginning, or both ends, of a tail.
    fn lay_tail(&mut self, tail: std::ops::Range<u32>) {
        let (before, after) = match self.shape.bridge {
            Some((last, first)) => (last, Some(first)),
            None => (self.shape.through.expect("an anchored path has its end"), None),
        };
        let mut outermost = before;
        for vertex in tail.chain(after) {
            self.forest.splay(vertex);
            self.forest.hang(vertex, Side::Front, outermost);
            self.links[vertex as usize][0] = outermost;
            let links = &mut self.links[outermost as usize];
            let slot = usize::from(links[0] != NOBODY);
            links[slot] = vertex;
            outermost = vertex;
        }
        self.paths -= usize::from(after.is_some());
        (self.main, self.main_size) = (before, u32::MAX);
    }

    fn link_greedily(&mut self, is_over: &mut dyn FnMut(u64) -> bool) {
        let graph = &self.instance.graph;
        let n = graph.vertex_count();
        let mut order: Vec<u32> = (0..n as u32).collect();
        random::shuffle(&mut self.rng, &mut order);
        let degree = |vertex: u32| graph.out_arcs(vertex).len();
        order.sort_by_key(|&vertex| degree(vertex));
        self.work += 4 * n as u64;
        let mut asked_at = 0;
        for vertex in order {
            if self.work() >= asked_at + WORK_PER_STAGE {
                asked_at = self.work();
                if is_over(asked_at) {
                    break;
                }
            }
            self.work += 1;
            for _ in 0..2 {
                if !self.is_end(vertex) {
                    break;
                }
                let row = graph.out_arcs(vertex);
                self.work += row.len() as u64;
                let mut chosen: Option<(i64, usize, u32)> = None;
                for arc in row {
                    // The heaviest first, and where all weigh the same those with the fewest neighbours.
                    let (weight, degree) = (graph.weight(arc.edge), degree(arc.target));
                    let is_better =
                        chosen.is_none_or(|(most, least, _)| weight > most || (weight == most && degree < least));
                    if is_better && self.is_end(arc.target) && !self.forest.are_together(vertex, arc.target) {
                        chosen = Some((weight, degree, arc.target));
                    }
                }
                if let Some((_, _, target)) = chosen {
                    self.join(vertex, target);
                }
            }
        }
    }

    pub(super) fn work(&self) -> u64 {
        self.work + self.forest.work
    }

    /// How often an end has had its turn.
    pub(super) fn turns(&self) -> u64 {
        self.turns
    }

    /// Whether no link can be won any more: all vertices lie on one path, whose ends are linked where they have to be.
    pub(super) fn is_whole(&self) -> bool {
        if self.paths > 1 {
            return false;
        }
        !self.shape.closing || matches!(self.ends[..], [a, b] if self.instance.graph.edge_between(a, b).is_some())
    }

    /// Wanders without cutting anything, for so much work, but for a part of it only where far too many paths are left to
    /// become few. Returns whether there are few.
    pub(super) fn quench(&mut self, work: u64, is_over: &mut dyn FnMut(u64) -> bool) -> bool {
        let n = self.end_place.len();
        let cold = Schedule { hot: 0.0, cold: 0.0, bias: 0.0, work: work / 4 };
        self.anneal(cold, is_over);
        if self.paths > 1 + n / HOPELESS {
            return false;
        }
        self.anneal(Schedule { work: work - work / 4, ..cold }, is_over);
        self.paths <= 1 + n / PROMISING
    }

    /// Improves the cover until it [is whole](Self::is_whole) with edges of equal weight, the work is done, or `is_over`, which
    /// is asked with the work done so far, says so.
    pub(super) fn anneal(&mut self, schedule: Schedule, is_over: &mut dyn FnMut(u64) -> bool) {
        let begin = self.work();
        let n = self.instance.graph.vertex_count() as f64;
        loop {
            let done = self.work() - begin;
            if done >= schedule.work || is_over(self.work()) {
                break;
            }
            let progress = done as f64 / schedule.work as f64;
            self.temperature = schedule.hot * (schedule.cold / schedule.hot.max(f64::MIN_POSITIVE)).powf(progress);
            self.cut_odds = if self.temperature > 0.0 { (-1.0 / self.temperature).exp() } else { 0.0 };
            self.bias = schedule.bias * ((progress - UNBIASED) / (FULLY_BIASED - UNBIASED)).clamp(0.0, 1.0) / n;
            while self.work() < begin + done + WORK_PER_STAGE {
                if self.uniform.is_some() && self.is_whole() {
                    return;
                }
                self.take_turn();
            }
        }
    }

    /// One end wanders for a few exchanges, or until it meets another.
    fn take_turn(&mut self) {
        self.turns += 1;
        let mut end = self.some_end();
        self.propose_cut(end);
        for _ in 0..DEPTH {
            if self.try_join(end) {
                break;
            }
            let Some(next) = self.exchange(end) else { break };
            end = next;
        }
    }

    /// An end at random; where paths are to become unequal, more often one of the path that is to grow.
    fn some_end(&mut self) -> u32 {
        if self.bias > 0.0 && self.below(4) == 0 {
            let size = self.forest.size(self.main);
            self.main_size = if self.has_tail() { u32::MAX } else { size };
            let side = if self.below(2) == 0 { Side::Front } else { Side::Back };
            let end = self.forest.extreme(self.main, side);
            self.forest.splay(end);
            if self.is_end(end) {
                return end;
            }
        }
        let place = self.below(self.ends.len());
        self.ends[place]
    }

    fn has_tail(&self) -> bool {
        self.links.len() > self.end_place.len()
    }

    /// Whether a vertex may have another link.
    fn is_end(&self, vertex: u32) -> bool {
        self.end_place.get(vertex as usize).is_some_and(|&place| place != NOBODY)
    }

    fn are_linked(&self, a: u32, b: u32) -> bool {
        self.links[a as usize].contains(&b)
    }

    /// The weight of the edge between two vertices, in average weights.
    fn weight(&self, a: u32, b: u32) -> f64 {
        if self.uniform.is_some() {
            return 1.0;
        }
        let graph = &self.instance.graph;
        let edge = graph.edge_between(a, b).expect("links are edges");
        graph.weight(edge) as f64 / self.scale
    }

    fn below(&mut self, bound: usize) -> usize {
        random::below(&mut self.rng, bound)
    }

    /// A number between 0 and 1.
    fn unit(&mut self) -> f64 {
        f64::from(self.rng.next_u32()) / (f64::from(u32::MAX) + 1.0)
    }
}
