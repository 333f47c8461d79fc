//! Tours stay tours, no move of two links that makes one better is left over, and small instances are solved.

use std::time::Instant;

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use super::nodes::Nodes;
use super::*;
use crate::engines::local_search::families::below;
use crate::engines::local_search::{path_at_once, solve};
use crate::instance::brute_force::enumerate;
use crate::instance::{Budget, Ends, Instance, NOT_AN_END, Silent};
use crate::limits::Limits;
use crate::view::{CsrGraph, Edge};

/// A dense instance of any kind with so many vertices and weights.
fn dense(n: usize, seed: u64, weight: impl Fn(&mut Pcg64Mcg, usize, usize) -> i64) -> Instance {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let is_directed = seed.is_multiple_of(2);
    let missing = [0, 1, 3][below(&mut rng, 3)];
    let mut edges = Vec::new();
    for source in 0..n {
        for target in 0..n {
            let is_wanted = if is_directed { source != target } else { source < target };
            if is_wanted && below(&mut rng, 10) >= missing {
                let weight = weight(&mut rng, source, target);
                edges.push(Edge { source: source as u32, target: target as u32, weight });
            }
        }
    }
    let mut prizes = |some: bool| -> Vec<i64> {
        (0..n).map(|_| if some && below(&mut rng, 3) > 0 { NOT_AN_END } else { below(&mut rng, 9) as i64 }).collect()
    };
    let ends = match seed % 6 {
        0 | 1 => Ends::Closed { through: None },
        2 | 3 => Ends::Open { first: prizes(false), last: prizes(false), single_vertex: true },
        _ => Ends::Open { first: prizes(true), last: prizes(true), single_vertex: true },
    };
    Instance { graph: CsrGraph::from_simple(n, is_directed, edges), ends }
}

fn random_weight(rng: &mut Pcg64Mcg, _: usize, _: usize) -> i64 {
    1 + below(rng, 100) as i64
}

/// Minus or plus the distance of two places in the plane.
fn planar(n: usize, far: bool) -> impl Fn(&mut Pcg64Mcg, usize, usize) -> i64 {
    let mut rng = Pcg64Mcg::seed_from_u64(n as u64);
    let places: Vec<[f64; 2]> = (0..n).map(|_| [0, 0].map(|_: i32| below(&mut rng, 1_000) as f64)).collect();
    move |_, a, b| {
        let distance = (places[a][0] - places[b][0]).hypot(places[a][1] - places[b][1]) as i64;
        if far { 1 + distance } else { 1_500 - distance }
    }
}

#[test]
fn small_dense_instances_are_solved() {
    let (mut solved, mut all) = (0, 0);
    for seed in 0..120 {
        let instance = dense(8, seed, random_weight);
        let nodes = Nodes::new(&instance, &mut || false).expect("nobody ends it");
        let mut chain = Chain::new(&nodes, None, seed);
        chain.run(&mut |work| work > 200_000);
        let best = enumerate(&instance).filter(|(path, _)| path.len() == 8).map(|best| best.1);
        let Some(best) = best else { continue };
        all += 1;
        let found = chain.best_path().map(|(path, value)| {
            assert_eq!(instance.value(&path), value);
            value
        });
        assert!(found.is_none_or(|value| value <= best));
        solved += i32::from(found == Some(best));
    }
    assert!(all > 60 && solved * 20 >= all * 19, "{solved} of {all}");
}

#[test]
fn no_better_exchange_of_two_links_is_left_over() {
    for (seed, far) in [(2, true), (3, true), (3, false), (9, true), (9, false), (1, true)] {
        let n = 11;
        let instance = dense(n, seed, planar(n, far));
        let nodes = Nodes::new(&instance, &mut || false).expect("nobody ends it");
        let mut chain = Chain::new(&nodes, None, seed);
        chain.settle();
        let tour = chain.tour();
        let count = tour.len();
        for a in 0..count {
            for c in a + 2..count {
                let ([a, b], [c, d]) = ([tour[a], tour[a + 1]], [tour[c], tour[(c + 1) % count]]);
                let before = nodes.weight(a, b) + nodes.weight(c, d);
                let after = nodes.weight(a, c) + nodes.weight(b, d);
                let may = !nodes.are_paired(a, b) && !nodes.are_paired(c, d) && a != d;
                assert!(!may || after <= before, "{seed} {far}: {a} {b}, {c} {d}");
            }
        }
    }
}

/// The most that a path (or cycle) of the instance is worth, by all sets of vertices and all last vertices.
fn optimum(instance: &Instance) -> Option<i64> {
    let n = instance.graph.vertex_count();
    let mut best = None;
    let closed = matches!(instance.ends, Ends::Closed { .. });
    for start in 0..n {
        let begin = match &instance.ends {
            Ends::Open { first, .. } if first[start] == NOT_AN_END => continue,
            Ends::Open { first, .. } => first[start],
            Ends::Closed { .. } => 0,
        };
        let mut values = vec![vec![None; n]; 1 << n];
        values[1 << start][start] = Some(begin);
        for set in 0..1usize << n {
            for last in 0..n {
                let Some(value) = values[set][last] else { continue };
                let whole = match &instance.ends {
                    Ends::Open { last: prizes, .. } => Some(prizes[last]).filter(|&prize| prize != NOT_AN_END),
                    Ends::Closed { .. } if set.count_ones() < 3 - u32::from(instance.graph.is_directed()) => None,
                    Ends::Closed { .. } => {
                        instance.graph.edge_between(last as u32, start as u32).map(|edge| instance.graph.weight(edge))
                    }
                };
                best = best.max(whole.map(|whole| value + whole));
                for arc in instance.graph.out_arcs(last as u32) {
                    let to = arc.target as usize;
                    if set >> to & 1 == 0 && (!closed || to > start) {
                        let slot = &mut values[set | 1 << to][to];
                        *slot = (*slot).max(Some(value + instance.graph.weight(arc.edge)));
                    }
                }
            }
        }
    }
    best
}

#[test]
fn local_search_solves_dense_instances() {
    let (mut solved, mut all) = (0, 0);
    for seed in 0..60 {
        let instance = dense(11, seed, random_weight);
        if !Nodes::fit(&instance) {
            continue;
        }
        let budget = Budget::new(Instant::now(), &Limits::default());
        let known = path_at_once(&instance).map(|found| found.0);
        for start in [None, known.as_deref()] {
            let found = solve(&instance, start, i64::MAX, 400_000, &budget, &mut Silent).best.map(|(path, value)| {
                assert_eq!(instance.value(&path), value, "{seed}");
                value
            });
            let optimum = optimum(&instance);
            assert!(found <= optimum, "{seed}: {found:?} is more than {optimum:?}");
            all += 1;
            solved += i32::from(found == optimum);
        }
    }
    assert!(all > 40 && solved * 20 >= all * 19, "{solved} of {all}");
}
