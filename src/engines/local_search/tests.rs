//! No path that the search returns is taken on trust: each is walked along the graph here. Small instances are compared
//! with an enumeration of all paths.

use std::time::{Duration, Instant};

use fixedbitset::FixedBitSet;
use proptest::prelude::*;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use super::families::{self, below};
use super::sequence::{Array, Sequence, Side};
use super::splay::SplayTree;
use super::*;
use crate::instance::brute_force::enumerate;
use crate::instance::{Ends, NOT_AN_END, Silent};
use crate::limits::Limits;
use crate::rounds::rounds;
use crate::view::{CsrGraph, Edge};

fn budget(change: impl FnOnce(&mut Budget)) -> Budget {
    let mut budget = Budget::new(Instant::now(), &Limits::default());
    change(&mut budget);
    budget
}

fn search(instance: &Instance, upper: i64, effort: u64, seed: u64) -> Outcome {
    let outcome = solve(instance, None, upper, effort, &budget(|budget| budget.seed = seed), &mut Silent);
    check(instance, &outcome);
    outcome
}

/// Whether the best path is one, is allowed, and is worth what is claimed.
fn check(instance: &Instance, outcome: &Outcome) {
    let Some((path, value)) = &outcome.best else { return };
    let graph = &instance.graph;
    let mut seen = FixedBitSet::with_capacity(graph.vertex_count());
    for &vertex in path {
        assert!(!seen.put(vertex as usize), "{vertex} twice in {path:?}");
    }
    let weight = |a: u32, b: u32| {
        let joins = |edge: &&Edge| {
            (edge.source, edge.target) == (a, b) || (!graph.is_directed() && (edge.source, edge.target) == (b, a))
        };
        let row = graph.out_arcs(a).iter().map(|arc| &graph.edges()[arc.edge as usize]);
        row.filter(|edge| joins(edge)).map(|edge| edge.weight).next().expect("an edge for every step")
    };
    let mut sum: i64 = path.windows(2).map(|pair| weight(pair[0], pair[1])).sum();
    let (front, back) = (path[0], path[path.len() - 1]);
    match &instance.ends {
        Ends::Open { first, last, .. } => {
            let (alpha, beta) = (first[front as usize], last[back as usize]);
            assert!(alpha != NOT_AN_END && beta != NOT_AN_END, "{path:?} ends where it may not");
            sum += alpha + beta;
        }
        Ends::Closed { through } => {
            assert!(path.len() >= if graph.is_directed() { 2 } else { 3 });
            assert!(through.is_none_or(|vertex| path.contains(&vertex)));
            sum += weight(back, front);
        }
    }
    assert_eq!(sum, *value);
}

/// The value found with a small effort; never above the optimum.
fn compare(instance: &Instance, effort: u64, seed: u64) -> (Option<i64>, Option<i64>) {
    let found = search(instance, i64::MAX, effort, seed).best.map(|best| best.1);
    let optimum = enumerate(instance).map(|best| best.1);
    assert!(found <= optimum);
    (found, optimum)
}

fn fixed(vertex_count: usize, vertex: usize) -> Vec<i64> {
    (0..vertex_count).map(|other| if other == vertex { 0 } else { NOT_AN_END }).collect()
}

#[test]
fn finds_the_optimum_of_every_small_graph() {
    for n in 1..=5usize {
        let pairs: Vec<(u32, u32)> = (0..n as u32).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        for mask in 0u32..1 << pairs.len() {
            let chosen = pairs.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            let edges = chosen.map(|(_, &(source, target))| Edge { source, target, weight: 1 }).collect();
            let graph = CsrGraph::from_simple(n, false, edges);
            let mut instance = Instance::free(graph);
            let all_ends = [
                instance.ends.clone(),
                Ends::Open { first: fixed(n, 0), last: vec![0; n], single_vertex: true },
                Ends::Open { first: vec![0; n], last: fixed(n, 0), single_vertex: true },
                Ends::Open { first: fixed(n, 0), last: fixed(n, n - 1), single_vertex: true },
                Ends::Closed { through: None },
                Ends::Closed { through: Some(0) },
            ];
            for ends in all_ends {
                instance.ends = ends;
                // The optimum is told, so that the search ends where it has it.
                let optimum = enumerate(&instance).map(|best| best.1);
                let found = search(&instance, optimum.unwrap_or(i64::MAX), 40_000, 1).best.map(|best| best.1);
                assert_eq!(found, optimum, "{instance:?}");
            }
        }
    }
}

/// A random instance of any kind.
fn random_instance(seed: u64) -> Instance {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let n = 2 + below(&mut rng, 6);
    let directed = below(&mut rng, 2) == 0;
    let least = [1, 1, -3][below(&mut rng, 3)];
    let most = [1, 9][below(&mut rng, 2)];
    let mut edges = Vec::new();
    for _ in 0..below(&mut rng, 4 * n) {
        let weight = least + below(&mut rng, (most - least) as usize + 1) as i64;
        let (source, target) = (below(&mut rng, n) as u32, below(&mut rng, n) as u32);
        edges.push(Edge { source, target, weight });
    }
    let graph = CsrGraph::from_multigraph(n, directed, edges).0;
    let kind = below(&mut rng, 6);
    let mut prizes = || -> Vec<i64> {
        let mut prize = || match below(&mut rng, 4) {
            0 if kind == 1 => NOT_AN_END,
            _ if kind == 0 => 0,
            _ => below(&mut rng, 12) as i64 - 4,
        };
        (0..n).map(|_| prize()).collect()
    };
    let (mut first, mut last) = (prizes(), prizes());
    if kind == 2 {
        last = first.clone();
    }
    let (s, t) = (below(&mut rng, n), below(&mut rng, n));
    if kind == 3 || kind == 4 {
        first = fixed(n, s);
    }
    if kind == 4 {
        last = fixed(n, t);
    }
    let through = (s < t).then_some(s as u32);
    let ends = if kind == 5 { Ends::Closed { through } } else { Ends::Open { first, last, single_vertex: true } };
    Instance { graph, ends }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn what_is_found_is_a_path_worth_what_is_claimed(seed: u64, effort in 0u64..20_000) {
        compare(&random_instance(seed), effort, seed);
    }

    #[test]
    fn structures_behave_like_a_vector(seed: u64) {
        behaves_like_a_vector::<Array>(seed);
        behaves_like_a_vector::<SplayTree>(seed);
    }
}

#[test]
fn finds_the_optimum_of_nearly_all_small_instances() {
    let seeds = rounds(700) as u64;
    let missed: Vec<u64> = (0..seeds)
        .filter(|&seed| {
            let (found, optimum) = compare(&random_instance(seed), 100_000, 7);
            found != optimum
        })
        .collect();
    assert!(missed.len() as u64 <= seeds / 100, "missed {missed:?}");
}

fn behaves_like_a_vector<S: Sequence>(seed: u64) {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let n = 1 + below(&mut rng, 30);
    let mut model: Vec<u32> = Vec::new();
    let mut sequence = S::new(n);
    for _ in 0..200 {
        let free: Vec<u32> = (0..n as u32).filter(|vertex| !model.contains(vertex)).collect();
        let mut cuts: Vec<usize> = (0..3).map(|_| below(&mut rng, model.len() + 1)).collect();
        cuts.sort_unstable();
        let [from, middle, to] = cuts[..] else { unreachable!("three cuts") };
        match below(&mut rng, 7) {
            0 if !free.is_empty() => {
                let vertex = free[below(&mut rng, free.len())];
                if below(&mut rng, 2) == 0 {
                    sequence.push(Side::Front, vertex);
                    model.insert(0, vertex);
                } else {
                    sequence.push(Side::Back, vertex);
                    model.push(vertex);
                }
            }
            1 if !model.is_empty() => {
                let (side, place) = if from % 2 == 0 { (Side::Front, 0) } else { (Side::Back, model.len() - 1) };
                assert_eq!(sequence.pop(side), model.remove(place));
            }
            2 => {
                sequence.reverse(from, to);
                model[from..to].reverse();
            }
            3 => {
                sequence.shared_bounds(from, middle, to);
                model[from..to].rotate_left(middle - from);
            }
            4 => {
                let by = &free[..below(&mut rng, free.len() + 1)];
                sequence.replace(from, to, by);
                model.splice(from..to, by.iter().copied());
            }
            5 if from == 0 => {
                model = free;
                sequence.load(&model);
            }
            _ => (),
        }
        let mut stored = Vec::new();
        sequence.store(&mut stored);
        assert_eq!(stored, model);
        assert_eq!(sequence.len(), model.len());
        for vertex in 0..n as u32 {
            assert_eq!(sequence.contains(vertex), model.contains(&vertex));
        }
        for (rank, &vertex) in model.iter().enumerate() {
            assert_eq!(sequence.at(rank), vertex);
            assert_eq!(sequence.rank(vertex), rank);
        }
    }
}

/// A path, and with `closed` a cycle, through all vertices is found.
fn finds_all(graph: CsrGraph, effort: u64, closed: bool) {
    let n = graph.vertex_count() as i64;
    let mut instance = Instance::free(graph);
    let outcome = search(&instance, n - 1, effort, 0);
    assert_eq!(outcome.best.map(|best| best.1), Some(n - 1));
    assert_eq!(outcome.stop, None);
    if closed {
        instance.ends = Ends::Closed { through: None };
        assert_eq!(search(&instance, n, effort, 0).best.map(|best| best.1), Some(n));
    }
}

#[test]
fn finds_hamiltonian_paths_and_cycles() {
    for seed in 0..5 {
        finds_all(families::regular(100, 3, seed), 10_000_000, true);
        finds_all(families::cards(500, 20, 20, seed), 10_000_000, true);
        finds_all(families::sparse(1000, 8000, seed), 10_000_000, true);
    }
    finds_all(families::knight(8), 10_000_000, true);
    finds_all(families::knight(30), 100_000_000, true);
    finds_all(families::hypercube(7), 10_000_000, true);
    finds_all(families::hypercube(12), 100_000_000, true);
    finds_all(families::petersen(23, 2), 10_000_000, false);
    finds_all(families::petersen(63, 3), 10_000_000, false);
    finds_all(families::regular(1000, 3, 0), 200_000_000, true);
    finds_all(families::regular(10_000, 3, 0), 2_000_000_000, false);
}

#[test]
fn ends_that_are_worth_more_are_reached() {
    for seed in 0..3 {
        let n = 3000;
        let mut instance = Instance::free(families::regular(n, 3, seed));
        let mut prizes = vec![0; n];
        (prizes[7], prizes[n / 2]) = (4, 2);
        instance.ends = Ends::Open { first: prizes.clone(), last: prizes, single_vertex: true };
        let optimum = n as i64 - 1 + 6;
        assert_eq!(search(&instance, optimum, 30_000_000, seed).best.map(|best| best.1), Some(optimum), "{seed}");
    }
}

#[test]
fn the_same_seed_finds_the_same_path() {
    let instance = Instance::free(families::sparse(200, 260, 3));
    let run = |seed, threads| {
        let budget = budget(|budget| (budget.seed, budget.threads) = (seed, threads));
        let outcome = solve(&instance, None, i64::MAX, 3_000_000, &budget, &mut Silent);
        check(&instance, &outcome);
        assert_eq!(outcome.stop, Some(Stop::Exhausted));
        (outcome.best, outcome.steps)
    };
    assert_eq!(run(5, 1), run(5, 1));
    assert_ne!(run(5, 1), run(6, 1));
    let (one, two) = (run(5, 1).0, run(5, 2).0);
    assert!(two.map(|best| best.1) >= one.map(|best| best.1));
}

#[test]
fn stops_when_told_to() {
    let instance = Instance::free(families::torn_grid(300, 80, 1));
    let past = budget(|budget| budget.deadline = Some(Instant::now()));
    let outcome = solve(&instance, None, i64::MAX, u64::MAX, &past, &mut Silent);
    check(&instance, &outcome);
    assert_eq!(outcome.stop, Some(Stop::TimeLimit));
    let soon = budget(|budget| budget.deadline = Some(Instant::now() + Duration::from_millis(200)));
    let outcome = solve(&instance, None, i64::MAX, u64::MAX, &soon, &mut Silent);
    check(&instance, &outcome);
    assert_eq!(outcome.stop, Some(Stop::TimeLimit));
    let narrow = budget(|budget| budget.memory = 1000);
    let outcome = solve(&instance, Some(&[0]), i64::MAX, u64::MAX, &narrow, &mut Silent);
    assert_eq!(outcome.stop, Some(Stop::MemoryLimit));
    assert_eq!(outcome.best.map(|best| best.1), Some(0));
}

#[test]
fn improves_the_path_it_is_given() {
    let instance = Instance::free(families::knight(6));
    let given = [0, 8, 12];
    let outcome = solve(&instance, Some(&given), 2, u64::MAX, &budget(|_| ()), &mut Silent);
    assert_eq!(outcome.best, Some((given.to_vec(), 2)));
    assert_eq!(outcome.stop, None);
    let outcome = solve(&instance, Some(&given), 35, 10_000_000, &budget(|_| ()), &mut Silent);
    check(&instance, &outcome);
    assert_eq!(outcome.best.map(|best| best.1), Some(35));
}

#[test]
fn gives_up_where_there_is_no_path() {
    let edge = |source, target| Edge { source, target, weight: 1 };
    for directed in [false, true] {
        let graph = CsrGraph::from_simple(5, directed, vec![edge(0, 1), edge(1, 2), edge(3, 4)]);
        let apart = Ends::Open { first: fixed(5, 0), last: fixed(5, 4), single_vertex: true };
        for ends in [apart, Ends::Closed { through: None }, Ends::Closed { through: Some(1) }] {
            let outcome = search(&Instance { graph: graph.clone(), ends }, i64::MAX, u64::MAX, 0);
            assert_eq!((outcome.best, outcome.stop), (None, Some(Stop::Exhausted)));
        }
    }
}
