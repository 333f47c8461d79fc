//! A part of an instance round a path: some vertices are *inside*, and the path outside stays as it is.
//!
//! What the path does between two vertices inside while it is outside becomes one edge of that length, what it does before the
//! first and behind the last becomes a prize for ending there, and all else outside is left out. Every path of this small
//! instance stands for one of the whole, worth as much, and the path itself is among them: so the best one of the neighbourhood
//! is no worse. It may take the pieces outside in another order, the other way round where edges have no direction, or
//! leave some out.

use fixedbitset::FixedBitSet;
use hashbrown::{HashMap, HashSet};

use crate::instance::{Ends, Instance};
use crate::view::{CsrGraph, Edge};

/// See the text above.
pub(super) struct Neighbourhood {
    pub(super) instance: Instance,
    /// The vertices inside, ascending.
    inside: Vec<u32>,
    /// What the path does between two of them (positions, the smaller first where undirected), from the first one.
    between: HashMap<(u32, u32), Vec<u32>>,
    /// What comes before the first vertex inside and behind the last, from there outwards; empty where it is no gain.
    tails: [(u32, Vec<u32>); 2],
    /// Whether a path may be turned round.
    turns: bool,
}

impl Neighbourhood {
    /// `None` where nearly nothing of the path is inside.
    pub(super) fn new(instance: &Instance, path: &[u32], mut is_inside: FixedBitSet) -> Option<Self> {
        let graph = &instance.graph;
        if let Ends::Closed { through: Some(vertex) } = instance.ends {
            is_inside.insert(vertex as usize);
        }
        let is_closed = matches!(instance.ends, Ends::Closed { .. });
        let met: Vec<usize> = (0..path.len()).filter(|&at| is_inside[path[at] as usize]).collect();
        if met.len() < if is_closed { 3 } else { 2 } {
            return None;
        }
        let inside: Vec<u32> = is_inside.ones().map(|vertex| vertex as u32).collect();
        let mut position = HashMap::with_capacity(inside.len());
        position.extend((0..).zip(&inside).map(|(at, &vertex)| (vertex, at)));
        let mut edges = Vec::new();
        for &vertex in &inside {
            let arcs = graph.out_arcs(vertex).iter();
            for arc in arcs.filter(|arc| graph.is_directed() || vertex < arc.target) {
                if let Some(&target) = position.get(&arc.target) {
                    edges.push(Edge { source: position[&vertex], target, weight: graph.weight(arc.edge) });
                }
            }
        }
        let (first_met, last_met) = (met[0], met[met.len() - 1]);
        let mut outside: Vec<Vec<u32>> = met.windows(2).map(|pair| path[pair[0]..=pair[1]].to_vec()).collect();
        if is_closed {
            outside.push([&path[last_met..], &path[..=first_met]].concat());
        }
        let mut ways = HashMap::new();
        for way in outside.into_iter().filter(|way| way.len() > 2) {
            let (source, target) = (position[&way[0]], position[&way[way.len() - 1]]);
            edges.push(Edge { source, target, weight: graph.length_along(&way) });
            let mut between = way[1..way.len() - 1].to_vec();
            if turned(graph, source, target) {
                between.reverse();
            }
            ways.insert(ordered(graph, source, target), (edges.len() - 1, between));
        }
        let (neighbourhood, kept) = CsrGraph::from_multigraph(inside.len(), graph.is_directed(), edges);
        // Where an edge of the graph is the better way, what the path does outside is forgotten.
        let kept: HashSet<u32> = kept.into_iter().collect();
        ways.retain(|_, (edge, _)| kept.contains(&(*edge as u32)));
        let between = ways.into_iter().map(|(pair, (_, between))| (pair, between)).collect();

        let mut tails = [(0, Vec::new()), (0, Vec::new())];
        let mut turns = false;
        let ends = match &instance.ends {
            Ends::Closed { through } => Ends::Closed { through: through.map(|vertex| position[&vertex]) },
            Ends::Open { first, last, .. } => {
                turns = first == last && !graph.is_directed();
                let pick = |prizes: &[i64]| inside.iter().map(|&vertex| prizes[vertex as usize]).collect::<Vec<_>>();
                let mut prizes = [pick(first), pick(last)];
                let (front, back) = (&path[..=first_met], &path[last_met..]);
                let values = [
                    graph.length_along(front) + first[front[0] as usize],
                    graph.length_along(back) + last[back[back.len() - 1] as usize],
                ];
                let outwards = [front.iter().rev().copied().collect(), back.to_vec()];
                for (side, (way, value)) in outwards.into_iter().zip(values).enumerate() {
                    let at = position[&way[0]];
                    if way.len() > 1 && value > prizes[side][at as usize] {
                        prizes[side][at as usize] = value;
                        if turns {
                            prizes[1 - side][at as usize] = value;
                        }
                        tails[side] = (at, way[1..].to_vec());
                    }
                }
                let [first, last] = prizes;
                Ends::Open { first, last, single_vertex: false }
            }
        };
        Some(Neighbourhood { instance: Instance { graph: neighbourhood, ends }, inside, between, tails, turns })
    }

    /// The path of the whole instance behind one of the neighbourhood.
    pub(super) fn lift(&self, path: &[u32]) -> Vec<u32> {
        let graph = &self.instance.graph;
        let is_closed = matches!(self.instance.ends, Ends::Closed { .. });
        let tail = |side: usize, end: u32| {
            let sides = if self.turns { &self.tails[..] } else { &self.tails[side..=side] };
            sides
                .iter()
                .filter(|(at, _)| *at == end && !is_closed)
                .flat_map(|(_, beyond)| beyond)
                .copied()
                .collect::<Vec<_>>()
        };
        let mut lifted = tail(0, path[0]);
        lifted.reverse();
        for (at, &vertex) in path.iter().enumerate() {
            lifted.push(self.inside[vertex as usize]);
            let next = match path.get(at + 1) {
                Some(&next) => next,
                None if is_closed => path[0],
                None => break,
            };
            if let Some(between) = self.between.get(&ordered(graph, vertex, next)) {
                if turned(graph, vertex, next) {
                    lifted.extend(between.iter().rev());
                } else {
                    lifted.extend(between);
                }
            }
        }
        lifted.extend(tail(1, path[path.len() - 1]));
        lifted
    }
}

/// Whether a way between two positions is kept from the second to the first.
fn turned(graph: &CsrGraph, source: u32, target: u32) -> bool {
    !graph.is_directed() && source > target
}

fn ordered(graph: &CsrGraph, source: u32, target: u32) -> (u32, u32) {
    if turned(graph, source, target) { (target, source) } else { (source, target) }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::engines::reference::backtracking::{self, Pruning};
    use crate::instance::{Budget, NOT_AN_END, Outcome, Silent};

    fn random_ends(n: usize, round: usize, random: &mut Pcg64Mcg) -> Ends {
        if round % 4 == 3 {
            return Ends::Closed { through: (round % 8 == 3).then(|| random.random_range(0..n as u32)) };
        }
        let mut prizes = || -> Vec<i64> {
            let prize =
                |random: &mut Pcg64Mcg| if random.random_bool(0.3) { NOT_AN_END } else { random.random_range(-1..4) };
            (0..n).map(|_| prize(random)).collect()
        };
        let first = prizes();
        let last = if round.is_multiple_of(3) { first.clone() } else { prizes() };
        Ends::Open { first, last, single_vertex: false }
    }

    fn optimum(instance: &Instance) -> Outcome {
        backtracking::solve(instance, Pruning::On, i64::MIN, &Budget::unlimited(), &mut Silent)
    }

    /// On random graphs with random ends, weights and insides: paths of a neighbourhood are worth what they stand for, the path is
    /// among them, and with all inside the best one of the neighbourhood is the best of all.
    #[test]
    fn paths_of_a_neighbourhood_stand_for_paths_of_the_whole() {
        let mut random = Pcg64Mcg::seed_from_u64(7);
        let (mut looked, mut better) = (0, 0);
        for round in 0..6000usize {
            let n = random.random_range(5..=9usize);
            let directed = round % 5 < 2;
            let weight = if round.is_multiple_of(2) { 1..=1 } else { -2..=6 };
            let edges = (0..n + random.random_range(0..2 * n)).map(|_| Edge {
                source: random.random_range(0..n as u32),
                target: random.random_range(0..n as u32),
                weight: random.random_range(weight.clone()),
            });
            let (graph, _) = CsrGraph::from_multigraph(n, directed, edges.collect());
            let ends = random_ends(n, round, &mut random);
            let instance = Instance { graph, ends };
            // Any path: the best one of a part of the graph.
            let part: Vec<Edge> = instance.graph.edges().iter().filter(|_| random.random_bool(0.7)).copied().collect();
            let part = Instance { graph: CsrGraph::from_simple(n, directed, part), ends: instance.ends.clone() };
            let Some((path, value)) = optimum(&part).best else { continue };
            let mut inside = FixedBitSet::with_capacity(n);
            (0..n).filter(|_| random.random_bool(0.6)).for_each(|vertex| inside.insert(vertex));
            if round.is_multiple_of(5) {
                inside.insert_range(..);
            }
            let Some(neighbourhood) = Neighbourhood::new(&instance, &path, inside.clone()) else { continue };
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
        }
        assert!(looked > 1000 && better > 300, "{looked} {better}");
    }
}
