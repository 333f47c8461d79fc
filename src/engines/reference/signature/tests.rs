use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::bag::Walker;
use super::table::{Table, Traces, Type};
use super::*;
use crate::limits::Limits;
use crate::view::{CsrGraph, Edge};

fn budget(time: Option<Duration>, memory: usize) -> Budget {
    let limits = Limits { time, memory, ..Limits::default() };
    Budget::new(Instant::now(), &limits)
}

fn unlimited() -> Budget {
    budget(None, 1 << 30)
}

/// Remembers what it was told, and that incumbents rise and bounds fall.
#[derive(Default)]
struct Ear {
    incumbent: Option<i64>,
    bound: Option<i64>,
}

impl Monitor for Ear {
    fn incumbent(&mut self, value: i64) {
        assert!(self.incumbent.is_none_or(|known| value > known));
        self.incumbent = Some(value);
    }

    fn bound(&mut self, upper: i64) {
        self.bound = Some(self.bound.map_or(upper, |known| known.min(upper)));
    }
}

fn graph(vertex_count: usize, directed: bool, edges: impl IntoIterator<Item = (u32, u32, i64)>) -> CsrGraph {
    let edges = edges.into_iter().map(|(source, target, weight)| Edge { source, target, weight }).collect();
    CsrGraph::from_multigraph(vertex_count, directed, edges).0
}

fn unit(vertex_count: usize, pairs: &[(u32, u32)]) -> CsrGraph {
    graph(vertex_count, false, pairs.iter().map(|&(source, target)| (source, target, 1)))
}

/// The best value of all paths, one by one, without any of the engines' code.
fn brute_force(instance: &Instance) -> Option<i64> {
    fn extend(instance: &Instance, path: &mut Vec<u32>, value: i64, best: &mut Option<i64>) {
        let Ends::Open { last, .. } = &instance.ends else { unreachable!("only open pieces are asked for") };
        let head = path[path.len() - 1];
        if last[head as usize] != NOT_AN_END {
            *best = (*best).max(Some(value + last[head as usize]));
        }
        for edge in instance.graph.edges() {
            for (from, to) in [(edge.source, edge.target), (edge.target, edge.source)] {
                if from == head && !path.contains(&to) && (from == edge.source || !instance.graph.is_directed()) {
                    path.push(to);
                    extend(instance, path, value + edge.weight, best);
                    path.pop();
                }
            }
        }
    }
    let Ends::Open { first, .. } = &instance.ends else { unreachable!("only open pieces are asked for") };
    let mut best = None;
    for (vertex, &prize) in first.iter().enumerate().filter(|&(_, &prize)| prize != NOT_AN_END) {
        extend(instance, &mut vec![vertex as u32], prize, &mut best);
    }
    best
}

fn check(instance: &Instance, decomposition: &PathDecomposition, floor: i64) {
    let mut ear = Ear::default();
    let outcome = solve(instance, decomposition, floor, &unlimited(), &mut ear);
    let optimum = brute_force(instance);
    assert_eq!(outcome.stop, None);
    assert_eq!(outcome.upper, optimum.unwrap_or(i64::MIN), "{instance:?} {decomposition:?}");
    assert_eq!(ear.incumbent, optimum.filter(|&optimum| optimum > floor));
    match outcome.best {
        Some((path, value)) => {
            assert_eq!(Some(value), optimum);
            assert!(value > floor);
            let mut sorted = path.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), path.len(), "a vertex twice");
            assert_eq!(instance.value(&path), value);
        }
        None => assert!(optimum.is_none_or(|optimum| optimum <= floor)),
    }
}

/// Some decomposition: from a depth-first search, from an order, or from an order with neighbouring bags put together.
fn any_decomposition(graph: &CsrGraph, random: &mut Pcg64Mcg) -> PathDecomposition {
    let n = graph.vertex_count() as u32;
    if random.random() {
        return PathDecomposition::from_depth_first(graph, random.random_range(0..n)).unwrap();
    }
    let mut order: Vec<u32> = (0..n).collect();
    order.shuffle(random);
    let decomposition = PathDecomposition::from_order(graph, &order).unwrap();
    if random.random() {
        return decomposition;
    }
    let mut bags: Vec<Vec<u32>> = Vec::new();
    for bag in decomposition.bags() {
        match bags.last_mut().filter(|_| random.random()) {
            Some(last) => {
                last.extend(bag);
                last.sort_unstable();
                last.dedup();
            }
            None => bags.push(bag),
        }
    }
    PathDecomposition::from_bags(graph, &bags).unwrap()
}

fn any_prizes(n: usize, random: &mut Pcg64Mcg) -> Vec<i64> {
    let prize = |random: &mut Pcg64Mcg| if random.random_bool(0.3) { NOT_AN_END } else { random.random_range(-4..8) };
    (0..n).map(|_| prize(random)).collect()
}

#[test]
fn the_printed_table_of_figure_two() {
    // Vertices 1 to 4 are 0 to 3 here.
    let instance = Instance::free(unit(4, &[(0, 1), (1, 2), (2, 3), (0, 2), (1, 3)]));
    let decomposition = PathDecomposition::from_bags(&instance.graph, &[vec![0, 1, 2, 3], vec![0, 1]]).unwrap();
    let limits = unlimited();
    let mut walker = Walker::new(&instance, &decomposition, &limits);
    let (table, stop) = walker.search(0, &Table::before_the_first(), &mut Traces::default());
    assert_eq!(stop, None);

    // Of a signature and its reverse the table lists one: A where the jumps are odd in number, else the smaller.
    let mut listed: BTreeMap<(Vec<u32>, char, Vec<u32>), i64> = BTreeMap::new();
    for row in table.rows() {
        let mut jumps: Vec<u32> = table.jumps(row).iter().map(|vertex| vertex + 1).collect();
        let forbidden: Vec<u32> = table.forbidden(row).iter().map(|vertex| vertex + 1).collect();
        let mut kind = if table.kind(row) == Type::A { 'A' } else { 'B' };
        let reversed: Vec<u32> = jumps.iter().rev().copied().collect();
        if jumps.len() % 2 == 1 && kind == 'B' {
            (kind, jumps) = ('A', reversed);
        } else if jumps.len().is_multiple_of(2) {
            jumps = jumps.min(reversed);
        }
        let known = listed.entry((jumps, kind, forbidden)).or_insert(row.value);
        assert_eq!(*known, row.value, "a sequence and its reverse are worth the same");
    }
    // The path that has not begun, which the printed table lacks.
    assert_eq!(listed.remove(&(vec![], 'B', vec![])), Some(0));
    let printed = [
        (vec![1, 2], 'A', vec![], 2),
        (vec![1, 2], 'B', vec![], 3),
        (vec![1], 'A', vec![2], 3),
        (vec![1], 'A', vec![], 2),
        (vec![2], 'A', vec![1], 3),
        (vec![2], 'A', vec![], 2),
        (vec![], 'A', vec![1, 2], 3),
        (vec![], 'A', vec![1], 2),
        (vec![], 'A', vec![2], 2),
        (vec![], 'A', vec![], 1),
    ];
    let printed: BTreeMap<_, _> =
        printed.into_iter().map(|(jumps, kind, forbidden, value)| ((jumps, kind, forbidden), value)).collect();
    assert_eq!(listed, printed);
    check(&instance, &decomposition, i64::MIN);
}

#[test]
fn a_complete_path_is_not_continued_by_another() {
    // Two edges apart: looking the second up under the first's empty signature would make a path of length 2.
    let instance = Instance::free(unit(4, &[(0, 1), (2, 3)]));
    let decomposition = PathDecomposition::from_bags(&instance.graph, &[vec![0, 1], vec![2, 3]]).unwrap();
    let outcome = solve(&instance, &decomposition, i64::MIN, &unlimited(), &mut Ear::default());
    assert_eq!(outcome.upper, 1);
}

#[test]
fn what_the_past_forbids_is_looked_up_and_handed_on() {
    // The past uses 1 between 0 and 2, two bags before 1's last edges. Would it be forgotten, 3 ─ 1 ─ 4 could be added.
    let instance = Instance::free(unit(5, &[(0, 1), (1, 2), (1, 3), (1, 4)]));
    let bags = [vec![0, 1, 2], vec![1], vec![1, 3], vec![1, 4]];
    let decomposition = PathDecomposition::from_bags(&instance.graph, &bags).unwrap();
    let outcome = solve(&instance, &decomposition, i64::MIN, &unlimited(), &mut Ear::default());
    assert_eq!(outcome.upper, 2);
}

#[test]
fn between_shared_vertices_both_the_edge_and_the_past_are_tried() {
    // 0 and 1 are joined directly and through 2, with weights that make one or the other better.
    for (direct, round) in [(1, 5), (5, 1)] {
        let edges = [(0, 1, direct), (0, 2, round), (2, 1, round), (3, 0, 9), (1, 4, 9)];
        let instance = Instance::free(graph(5, false, edges));
        let bags = [vec![0, 1, 2], vec![0, 1, 3], vec![1, 4]];
        check(&instance, &PathDecomposition::from_bags(&instance.graph, &bags).unwrap(), i64::MIN);
        let bags = [vec![0, 1, 2], vec![0, 1], vec![0, 1, 3, 4]];
        check(&instance, &PathDecomposition::from_bags(&instance.graph, &bags).unwrap(), i64::MIN);
    }
}

#[test]
fn all_graphs_of_up_to_six_vertices() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for n in 1..=6u32 {
        let pairs: Vec<(u32, u32)> = (0..n).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        for chosen in 0..1u32 << pairs.len() {
            let edges = pairs.iter().enumerate().filter(|&(bit, _)| chosen >> bit & 1 == 1);
            let instance = Instance::free(graph(n as usize, false, edges.map(|(_, &(a, b))| (a, b, 1))));
            for _ in 0..if n < 6 { 6 } else { 1 } {
                check(&instance, &any_decomposition(&instance.graph, &mut random), i64::MIN);
            }
        }
    }
}

#[test]
fn all_directed_graphs_of_up_to_four_vertices() {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    for n in 1..=4u32 {
        let pairs: Vec<(u32, u32)> =
            (0..n).flat_map(|b| (0..n).filter(move |&a| a != b).map(move |a| (a, b))).collect();
        for chosen in 0..1u32 << pairs.len() {
            let edges = pairs.iter().enumerate().filter(|&(bit, _)| chosen >> bit & 1 == 1);
            let graph = graph(n as usize, true, edges.map(|(_, &(a, b))| (a, b, random.random_range(-2..5))));
            let ends = Ends::Open {
                first: any_prizes(n as usize, &mut random),
                last: any_prizes(n as usize, &mut random),
                single_vertex: true,
            };
            let instance = Instance { graph, ends };
            check(&instance, &any_decomposition(&instance.graph, &mut random), i64::MIN);
        }
    }
}

#[test]
fn random_weighted_graphs_with_prizes_directed_and_undirected() {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    for round in 0..1500 {
        let n = random.random_range(2..=9u32);
        let m = random.random_range(0..=2 * n);
        let edge =
            |random: &mut Pcg64Mcg| (random.random_range(0..n), random.random_range(0..n), random.random_range(-5..10));
        let edges: Vec<_> = (0..m).map(|_| edge(&mut random)).collect();
        let graph = graph(n as usize, round % 2 == 0, edges);
        let first = any_prizes(n as usize, &mut random);
        let last = if round % 3 == 0 { first.clone() } else { any_prizes(n as usize, &mut random) };
        let instance = Instance { graph, ends: Ends::Open { first, last, single_vertex: true } };
        let decomposition = any_decomposition(&instance.graph, &mut random);
        check(&instance, &decomposition, i64::MIN);
        check(&instance, &decomposition, random.random_range(-5..20));
    }
}

#[test]
fn a_long_ladder_and_a_long_path() {
    let rungs = 150u32;
    let sides = (2..2 * rungs).map(|v| (v - 2, v, 1));
    let instance =
        Instance::free(graph(2 * rungs as usize, false, sides.chain((0..rungs).map(|v| (2 * v, 2 * v + 1, 1)))));
    let order: Vec<u32> = (0..2 * rungs).collect();
    let decomposition = PathDecomposition::from_order(&instance.graph, &order).unwrap();
    let outcome = solve(&instance, &decomposition, i64::MIN, &unlimited(), &mut Ear::default());
    assert_eq!((outcome.upper, outcome.stop), (2 * i64::from(rungs) - 1, None));

    let n = 3000u32;
    let instance = Instance::free(graph(n as usize, false, (1..n).map(|v| (v - 1, v, 1))));
    let decomposition = PathDecomposition::from_depth_first(&instance.graph, n / 2).unwrap();
    let outcome = solve(&instance, &decomposition, i64::MIN, &unlimited(), &mut Ear::default());
    assert_eq!((outcome.upper, outcome.stop), (i64::from(n) - 1, None));
}

#[test]
fn cycles_and_spent_limits_end_with_a_bound() {
    let complete: Vec<_> = (0..14).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let free = Instance::free(unit(14, &complete));
    let decomposition = PathDecomposition::from_depth_first(&free.graph, 0).unwrap();
    let closed = Instance { ends: Ends::Closed { through: None }, ..free.clone() };
    let outcome = solve(&closed, &decomposition, i64::MIN, &unlimited(), &mut Ear::default());
    assert_eq!((outcome.best, outcome.upper, outcome.stop), (None, 14, Some(Stop::Exhausted)));

    let spent = budget(Some(Duration::ZERO), 1 << 30);
    let outcome = solve(&free, &decomposition, i64::MIN, &spent, &mut Ear::default());
    assert_eq!((outcome.upper, outcome.stop), (13, Some(Stop::TimeLimit)));

    // A grid, column by column.
    let down = (0..40).filter(|v| v % 5 < 4).map(|v| (v, v + 1));
    let grid = Instance::free(unit(40, &down.chain((0..35).map(|v| (v, v + 5))).collect::<Vec<_>>()));
    let order: Vec<u32> = (0..40).collect();
    let decomposition = PathDecomposition::from_order(&grid.graph, &order).unwrap();
    let outcome = solve(&grid, &decomposition, i64::MIN, &budget(None, 100_000), &mut Ear::default());
    assert_eq!((outcome.upper, outcome.stop), (39, Some(Stop::MemoryLimit)));
    assert!(outcome.peak_bytes <= 100_000);
    let (path, value) = outcome.best.expect("a single vertex at least");
    assert_eq!(grid.value(&path), value);
}
