//! Lookahead against plain enumeration on all small graphs and random ones, with any number of threads and pauses anywhere.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::super::solver::Verdict;
use super::super::ties::spanning;
use super::Lookahead;
use crate::instance::brute_force::enumerate;
use crate::instance::{Budget, Ends, Instance};
use crate::rounds::rounds;
use crate::view::{CsrGraph, Edge};

/// The length of a Hamiltonian cycle, if there is one; `work` is that between pauses.
fn length(instance: &Instance, threads: usize, work: u64) -> Option<i64> {
    let model = spanning(&instance.graph)?;
    let mut budget = Budget::unlimited();
    budget.threads = threads;
    let mut lookahead = Lookahead::new(&model, &[]);
    loop {
        match lookahead.search(work, usize::MAX, &budget) {
            Verdict::Found(edges) => return Some(instance.value(&model.path(&edges, instance))),
            Verdict::Refuted => {
                assert!((lookahead.done() - 1.0).abs() < 1e-6 || lookahead.nodes() == 0, "{}", lookahead.done());
                return None;
            }
            Verdict::Paused => {}
            Verdict::Stopped(why) => panic!("nothing ends it, and it says {why:?}"),
        }
    }
}

fn closed(n: u32, is_directed: bool, pairs: impl Iterator<Item = (u32, u32)>) -> Instance {
    let edges = pairs.map(|(source, target)| Edge { source, target, weight: 1 }).collect();
    let graph = CsrGraph::from_simple(n as usize, is_directed, edges);
    Instance { graph, ends: Ends::Closed { through: None } }
}

fn check(instance: &Instance, threads: usize, work: u64) -> bool {
    let n = instance.graph.vertex_count() as i64;
    let expected = enumerate(instance).map(|(_, value)| value).filter(|&value| value == n);
    assert_eq!(length(instance, threads, work), expected, "{instance:?}");
    expected.is_some()
}

#[test]
fn all_graphs_of_five_vertices() {
    let pairs: Vec<(u32, u32)> = (0..5).flat_map(|target| (0..target).map(move |source| (source, target))).collect();
    let chosen = |code: usize| pairs.iter().enumerate().filter(move |(place, _)| code >> place & 1 == 1);
    let cycles =
        (0..1 << pairs.len()).filter(|&code| check(&closed(5, false, chosen(code).map(|(_, pair)| *pair)), 1, 1));
    // As many as there are labelled Hamiltonian graphs of five vertices (OEIS A326208).
    assert_eq!(cycles.count(), 218);
}

#[test]
fn all_digraphs_of_four_vertices() {
    let pairs: Vec<(u32, u32)> = (0..4)
        .flat_map(|source| (0..4).map(move |target| (source, target)))
        .filter(|(one, other)| one != other)
        .collect();
    let chosen = |code: usize| pairs.iter().enumerate().filter(move |(place, _)| code >> place & 1 == 1);
    let cycles =
        (0..1 << pairs.len()).filter(|&code| check(&closed(4, true, chosen(code).map(|(_, pair)| *pair)), 2, 1));
    assert_eq!(cycles.count(), 1194);
}

#[test]
fn random_graphs_with_threads_and_pauses() {
    let mut random = Pcg64Mcg::seed_from_u64(31);
    let mut found = 0;
    for _ in 0..rounds(3000) {
        let n = random.random_range(3..=9);
        let is_directed = random.random_ratio(1, 3);
        let (most, of) = (if is_directed { 2 * n } else { n + n / 2 }, random.random_range(1..=3));
        let mut pairs = std::collections::BTreeSet::new();
        for _ in 0..most + of {
            let (one, other) = (random.random_range(0..n), random.random_range(0..n));
            if one != other {
                pairs.insert(if is_directed { (one, other) } else { (one.min(other), one.max(other)) });
            }
        }
        let instance = closed(n, is_directed, pairs.into_iter());
        found += usize::from(check(&instance, random.random_range(1..4), random.random_range(1..20)));
    }
    assert!(found > 100, "{found} cycles only");
}

/// A ring of gadgets each of which can be passed in one of two ways, all in the same way or not at all.
#[test]
fn gadgets_by_several_threads() {
    let mut random = Pcg64Mcg::seed_from_u64(32);
    let row = (0..8).map(|at| (at, at + 1)).chain([(0, 5), (3, 8)]);
    for round in 0..40 {
        let gadgets = random.random_range(2..12u32);
        let mut pairs: Vec<(u32, u32)> = (0..gadgets)
            .flat_map(|gadget| row.clone().map(move |(one, two)| (9 * gadget + one, 9 * gadget + two)))
            .collect();
        for gadget in 0..gadgets {
            let next = 9 * ((gadget + 1) % gadgets);
            for (out, into) in [(8, 0), (6, 2), (8, 2), (6, 0)] {
                if random.random_ratio(2, 3) {
                    pairs.push((9 * gadget + out, next + into));
                }
            }
        }
        pairs.iter_mut().for_each(|pair| *pair = (pair.0.min(pair.1), pair.0.max(pair.1)));
        pairs.sort_unstable();
        pairs.dedup();
        let instance = closed(9 * gadgets, false, pairs.iter().copied());
        // A gadget is passed from one of two vertices to one of two: which, tells how the last was left.
        let has = |gadget: u32, out: u32, into: u32| {
            let (one, other) = (9 * gadget + out, 9 * ((gadget + 1) % gadgets) + into);
            pairs.binary_search(&(one.min(other), one.max(other))).is_ok()
        };
        let ways = [(0, 8), (2, 6)];
        let passes = |start: usize| {
            let mut reached = [false; 2];
            reached[start] = true;
            for gadget in 0..gadgets {
                let mut next = [false; 2];
                for (way, is_next) in next.iter_mut().enumerate() {
                    *is_next = (0..2).any(|from| reached[from] && has(gadget, ways[from].1, ways[way].0));
                }
                reached = next;
            }
            reached[start]
        };
        let expected = passes(0) || passes(1);
        if gadgets > 2 {
            let found = length(&instance, 1 + round % 3, 50);
            assert_eq!(found.is_some(), expected, "{pairs:?}");
        }
    }
}
