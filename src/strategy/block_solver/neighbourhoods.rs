//! A better path by neighbourhoods: a part of the graph is searched by an exact engine, the path outside stays as it is.
//!
//! Some vertices are *inside*. What the path does between two of them while it is outside becomes one edge of that length,
//! what it does before the first and behind the last becomes a prize for ending there, and all else outside is left out. Every
//! path of this small instance stands for one of the whole, worth as much, and the path itself is among them: so the best
//! one of the neighbourhood is no worse. This is large neighbourhood search (P. Shaw, *Using constraint programming and local
//! search methods to solve vehicle routing problems*, CP 1998, 417–431, doi:10.1007/3-540-49481-2_30) with two kinds of
//! neighbourhoods:
//!
//! - *where the program differs*: inside is what the linear program does not do as the path does (E. Danna, E. Rothberg, C. Le
//!   Pape, *Exploring relaxation induced neighborhoods to improve MIP solutions*, Mathematical Programming 102 (2005) 71–90,
//!   doi:10.1007/s10107-004-0518-7);
//! - *balls*: the vertices round one that the path misses, as many as the engines can settle at once.
//!
//! Undirected graphs only, and no cycles: a path in either direction must be one.

use fixedbitset::FixedBitSet;
use hashbrown::{HashMap, HashSet};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{BlockSolver, NARROW_SUPPORT, Unheard};
use crate::engines::orders::order_at_a_glance;
use crate::engines::{branch_and_cut, frontier};
use crate::instance::{Budget, Ends, Instance};
use crate::solution::Stop;
use crate::view::{CsrGraph, Edge};

/// Vertices of the first ball, and of the smallest.
const FIRST_BALL: usize = 150;
const SMALLEST_BALL: usize = 40;
/// After so many balls in a row without a better path local search shakes it.
const PATIENCE: u32 = 60;
/// The work of branch and cut on a neighbourhood, for each vertex inside: a unit is some hundred nanoseconds.
const CUTS_PER_VERTEX: u64 = 5_000;
/// The program and the path agree on a vertex where the one does to so much what the other does.
const AGREED: f64 = 0.999;
/// Of so many vertices the path misses more than one.
const MOST_VISITED: usize = 100;
/// The least vertices inside for which a neighbourhood is worth its while.
const LEAST_INSIDE: usize = 4;

/// A part of an instance round a path.
struct Neighbourhood {
    instance: Instance,
    /// The vertices inside, ascending.
    inside: Vec<u32>,
    /// What the path does between two of them (positions, the smaller first), from the smaller one.
    between: HashMap<(u32, u32), Vec<u32>>,
    /// What comes before the first vertex inside and behind the last, from there outwards; empty where it is no gain.
    tails: [(u32, Vec<u32>); 2],
    /// Whether a path may be turned round.
    turns: bool,
}

impl Neighbourhood {
    /// Of an open undirected instance; `None` where nearly nothing of the path is inside.
    fn new(instance: &Instance, path: &[u32], is_inside: &FixedBitSet) -> Option<Self> {
        let Ends::Open { first, last, .. } = &instance.ends else { return None };
        let graph = &instance.graph;
        let met: Vec<usize> = (0..path.len()).filter(|&at| is_inside[path[at] as usize]).collect();
        if met.len() < LEAST_INSIDE || graph.is_directed() {
            return None;
        }
        let inside: Vec<u32> = is_inside.ones().map(|vertex| vertex as u32).collect();
        let mut position = HashMap::with_capacity(inside.len());
        position.extend((0..).zip(&inside).map(|(at, &vertex)| (vertex, at)));
        let mut edges = Vec::new();
        for &vertex in &inside {
            for arc in graph.out_arcs(vertex).iter().filter(|arc| vertex < arc.target) {
                if let Some(&target) = position.get(&arc.target) {
                    edges.push(Edge { source: position[&vertex], target, weight: graph.weight(arc.edge) });
                }
            }
        }
        let mut ways = HashMap::new();
        for pair in met.windows(2).filter(|pair| pair[1] > pair[0] + 1) {
            let way = &path[pair[0]..=pair[1]];
            let (source, target) = (position[&way[0]], position[&way[way.len() - 1]]);
            edges.push(Edge { source, target, weight: graph.length_along(way) });
            let mut between = way[1..way.len() - 1].to_vec();
            if source > target {
                between.reverse();
            }
            ways.insert((source.min(target), source.max(target)), (edges.len() - 1, between));
        }
        let (neighbourhood, kept) = CsrGraph::from_multigraph(inside.len(), false, edges);
        // Where an edge of the graph is the better way, what the path does outside is forgotten.
        let kept: HashSet<u32> = kept.into_iter().collect();
        ways.retain(|_, (edge, _)| kept.contains(&(*edge as u32)));

        let pick = |prizes: &[i64]| inside.iter().map(|&vertex| prizes[vertex as usize]).collect::<Vec<_>>();
        let mut prizes = [pick(first), pick(last)];
        let turns = first == last;
        let mut tails = [(0, Vec::new()), (0, Vec::new())];
        let front: Vec<u32> = path[..=met[0]].iter().rev().copied().collect();
        let back = path[met[met.len() - 1]..].to_vec();
        for (side, (way, ends)) in [(front, first), (back, last)].into_iter().enumerate() {
            let at = position[&way[0]];
            let value = graph.length_along(&way) + ends[way[way.len() - 1] as usize];
            if way.len() > 1 && value > prizes[side][at as usize] {
                prizes[side][at as usize] = value;
                if turns {
                    prizes[1 - side][at as usize] = value;
                }
                tails[side] = (at, way[1..].to_vec());
            }
        }
        let [first, last] = prizes;
        let instance = Instance { graph: neighbourhood, ends: Ends::Open { first, last, single_vertex: false } };
        let between = ways.into_iter().map(|(pair, (_, between))| (pair, between)).collect();
        Some(Neighbourhood { instance, inside, between, tails, turns })
    }

    /// The path of the whole instance behind one of the neighbourhood.
    fn lift(&self, path: &[u32]) -> Vec<u32> {
        let mut lifted = Vec::new();
        let tail = |side: usize, end: u32| {
            let sides = if self.turns { &self.tails[..] } else { &self.tails[side..=side] };
            sides.iter().filter(|(at, _)| *at == end).flat_map(|(_, beyond)| beyond).copied().collect::<Vec<_>>()
        };
        lifted.extend(tail(0, path[0]).into_iter().rev());
        lifted.push(self.inside[path[0] as usize]);
        for pair in path.windows(2) {
            if let Some(between) = self.between.get(&(pair[0].min(pair[1]), pair[0].max(pair[1]))) {
                if pair[0] < pair[1] {
                    lifted.extend(between);
                } else {
                    lifted.extend(between.iter().rev());
                }
            }
            lifted.push(self.inside[pair[1] as usize]);
        }
        lifted.extend(tail(1, path[path.len() - 1]));
        lifted
    }
}

/// What came of a neighbourhood.
enum Looked {
    /// A better path of the whole, and what it is worth.
    Better(Vec<u32>, i64),
    /// There is none in the neighbourhood.
    Settled,
    /// It was too much for the engines.
    TooLarge,
}

/// The best path of a neighbourhood, by a sweep where that is narrow and by branch and cut where not.
fn look(instance: &Instance, (path, value): (&[u32], i64), is_inside: &FixedBitSet, budget: &Budget) -> Looked {
    let Some(neighbourhood) = Neighbourhood::new(instance, path, is_inside) else { return Looked::Settled };
    let order = order_at_a_glance(&neighbourhood.instance.graph, budget);
    let outcome = if order.predicted_states() <= NARROW_SUPPORT {
        frontier::solve(&neighbourhood.instance, order.vertices(), None, value, budget, &mut Unheard)
    } else {
        let work = CUTS_PER_VERTEX * neighbourhood.inside.len() as u64;
        let upper = neighbourhood.instance.trivial_bound();
        branch_and_cut::Search::new(&neighbourhood.instance, None, value, upper).run(work, budget, &mut Unheard)
    };
    match outcome.best {
        Some((best, better)) if better > value => Looked::Better(neighbourhood.lift(&best), better),
        _ if outcome.stop == Some(Stop::Exhausted) => Looked::TooLarge,
        _ => Looked::Settled,
    }
}

impl BlockSolver<'_, '_> {
    /// Whether neighbourhoods are of use: where nearly all vertices are on the path, small moves find the others.
    pub(super) fn has_neighbourhoods(&self) -> bool {
        let n = self.instance.graph.vertex_count();
        let on_path = self.answer.best.as_ref().map_or(n, |(path, _)| path.len());
        matches!(self.instance.ends, Ends::Open { .. })
            && !self.instance.graph.is_directed()
            && (n - on_path) * MOST_VISITED > n
    }

    /// Looks for better paths where the linear program does something else than the best one, as long as there are any.
    pub(super) fn look_where_the_program_differs(&mut self, cuts: &branch_and_cut::Search<'_>) {
        let n = self.instance.graph.vertex_count();
        let budget = self.budget.alone();
        while let Some((path, value)) =
            self.answer.best.clone().filter(|_| self.has_neighbourhoods() && !self.settled())
        {
            let mut differs = FixedBitSet::with_capacity(n);
            let graph = &self.instance.graph;
            let mut is_on_path = vec![false; graph.edge_count()];
            graph.edges_along(&path).for_each(|edge| is_on_path[edge as usize] = true);
            for (edge, line) in (0..).zip(graph.edges()) {
                let used = cuts.part_used(edge);
                let agreed = if is_on_path[edge as usize] { used >= AGREED } else { used <= 1.0 - AGREED };
                if !agreed {
                    differs.insert(line.source as usize);
                    differs.insert(line.target as usize);
                }
            }
            let Looked::Better(path, value) = look(self.instance, (&path, value), &differs, &budget) else { return };
            self.answer.best = Some((path, value));
            self.log.incumbent(value);
        }
    }

    /// Looks for better paths in ball after ball, and shakes the path now and then, as long as there is time.
    pub(super) fn look_into_balls(&mut self) {
        let graph = &self.instance.graph;
        let n = graph.vertex_count();
        let budget = self.budget.alone();
        let mut random = Pcg64Mcg::seed_from_u64(budget.seed);
        let (mut size, mut idle) = (FIRST_BALL as f64, 0);
        while let Some((path, value)) =
            self.answer.best.clone().filter(|_| self.has_neighbourhoods() && !self.settled())
        {
            if idle >= PATIENCE {
                return;
            }
            let mut missed = FixedBitSet::with_capacity(n);
            missed.toggle_range(..);
            path.iter().for_each(|&vertex| missed.set(vertex as usize, false));
            let missed: Vec<u32> = missed.ones().map(|vertex| vertex as u32).collect();
            let centre = match missed.len() {
                0 => random.random_range(0..n as u32),
                count => missed[random.random_range(0..count)],
            };
            match look(self.instance, (&path, value), &ball(graph, centre, size as usize), &budget) {
                Looked::Better(path, value) => {
                    self.answer.best = Some((path, value));
                    self.log.incumbent(value);
                    idle = 0;
                }
                Looked::Settled => {
                    idle += 1;
                    size = (size * 1.03).min(n as f64);
                }
                Looked::TooLarge => {
                    idle += 1;
                    size = (size * 0.9).max(SMALLEST_BALL as f64);
                }
            }
        }
    }
}

/// The first vertices that are found round one.
fn ball(graph: &CsrGraph, centre: u32, size: usize) -> FixedBitSet {
    let mut inside = FixedBitSet::with_capacity(graph.vertex_count());
    inside.insert(centre as usize);
    let mut queue = vec![centre];
    let mut next = 0;
    while let Some(&vertex) = queue.get(next) {
        next += 1;
        for arc in graph.out_arcs(vertex) {
            if queue.len() >= size {
                return inside;
            }
            if !inside.put(arc.target as usize) {
                queue.push(arc.target);
            }
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::reference::backtracking::{self, Pruning};
    use crate::instance::{NOT_AN_END, Silent};

    /// On random graphs with random ends, weights and insides: paths of a neighbourhood are worth what they stand for, the path is
    /// among them, and with all inside the best one of the neighbourhood is the best of all.
    #[test]
    fn paths_of_a_neighbourhood_stand_for_paths_of_the_whole() {
        let mut random = Pcg64Mcg::seed_from_u64(7);
        let (mut looked, mut better) = (0, 0);
        for round in 0..3000 {
            let n = random.random_range(5..=9usize);
            let weight = if round % 2 == 0 { 1..=1 } else { -2..=6 };
            let edges = (0..n + random.random_range(0..n)).map(|_| Edge {
                source: random.random_range(0..n as u32),
                target: random.random_range(0..n as u32),
                weight: random.random_range(weight.clone()),
            });
            let (graph, _) = CsrGraph::from_multigraph(n, false, edges.collect());
            let mut prizes = || -> Vec<i64> {
                let prize = |random: &mut Pcg64Mcg| {
                    if random.random_bool(0.3) { NOT_AN_END } else { random.random_range(-1..4) }
                };
                (0..n).map(|_| prize(&mut random)).collect()
            };
            let first = prizes();
            let last = if round % 3 == 0 { first.clone() } else { prizes() };
            let ends = Ends::Open { first, last, single_vertex: false };
            let instance = Instance { graph, ends };
            let optimum = |instance: &Instance| {
                backtracking::solve(instance, Pruning::On, i64::MIN, &Budget::unlimited(), &mut Silent)
            };
            // Any path: the best one of a part of the graph.
            let part: Vec<Edge> = instance.graph.edges().iter().filter(|_| random.random_bool(0.7)).copied().collect();
            let part = Instance { graph: CsrGraph::from_simple(n, false, part), ends: instance.ends.clone() };
            let Some((path, value)) = optimum(&part).best else { continue };
            let mut inside = FixedBitSet::with_capacity(n);
            (0..n).filter(|_| random.random_bool(0.6)).for_each(|vertex| inside.insert(vertex));
            if round % 5 == 0 {
                inside.insert_range(..);
            }
            let Some(neighbourhood) = Neighbourhood::new(&instance, &path, &inside) else { continue };
            looked += 1;
            let (best, reached) = optimum(&neighbourhood.instance).best.expect("the path itself is one");
            assert!(reached >= value, "{reached} {value} {instance:?} {path:?} {inside:?}");
            let lifted = neighbourhood.lift(&best);
            let distinct: HashSet<&u32> = lifted.iter().collect();
            assert_eq!(distinct.len(), lifted.len(), "{lifted:?} of {instance:?}");
            assert_eq!(instance.value(&lifted), reached, "{lifted:?} of {instance:?}");
            better += u32::from(reached > value);
            if inside.is_full() {
                assert_eq!(reached, optimum(&instance).upper);
            }
            match look(&instance, (&path, value), &inside, &Budget::unlimited()) {
                Looked::Better(path, found) => assert_eq!((found, instance.value(&path)), (reached, reached)),
                Looked::Settled => assert_eq!(reached, value),
                Looked::TooLarge => panic!("a small neighbourhood"),
            }
        }
        assert!(looked > 500 && better > 200, "{looked} {better}");
    }
}
