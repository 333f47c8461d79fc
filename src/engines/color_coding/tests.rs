//! Trials against the brute force, labelling by labelling; the success rate against the formula; the choice of labels.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::table::{Rows, Table, Trial};
use super::*;
use crate::engines::reference;
use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::reduce::walks::WalkBounds;
use crate::rounds::rounds;
use crate::view::{CsrGraph, Edge};

fn below(rng: &mut Pcg64Mcg, bound: usize) -> usize {
    ((u64::from(rng.next_u32()) * bound as u64) >> 32) as usize
}

/// A random graph; in two of three, a few vertices only may be first, or last.
fn random_instance(rng: &mut Pcg64Mcg, n: usize, edges: usize, directed: bool) -> Instance {
    let edges = (0..edges).map(|_| Edge {
        source: below(rng, n) as u32,
        target: below(rng, n) as u32,
        weight: below(rng, 13) as i64 - 4,
    });
    let (graph, _) = CsrGraph::from_multigraph(n, directed, edges.collect());
    let limited = below(rng, 3);
    let mut prizes = |only: usize| -> Vec<i64> {
        (0..n).map(|_| if limited == only && below(rng, 4) > 0 { NOT_AN_END } else { below(rng, 3) as i64 }).collect()
    };
    let ends = Ends::Open { first: prizes(1), last: prizes(2), single_vertex: true };
    Instance { graph, ends }
}

/// Every graph on so many vertices, all edges weighing 1.
fn every_graph(n: usize, directed: bool) -> impl Iterator<Item = Instance> {
    let all = (0..n as u32).flat_map(move |a| (0..n as u32).map(move |b| (a, b)));
    let pairs: Vec<(u32, u32)> = all.filter(move |&(a, b)| if directed { a != b } else { a < b }).collect();
    (0u64..1 << pairs.len()).map(move |mask| {
        let drawn = pairs.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
        let edges = drawn.map(|(_, &(source, target))| Edge { source, target, weight: 1 }).collect();
        Instance::free(CsrGraph::from_simple(n, directed, edges))
    })
}

/// The greatest value of a path of `k` vertices, all with different labels, by trying all.
fn best_by_force(walks: &Walks<'_>, labels: &[u8]) -> Option<i64> {
    fn grow(walks: &Walks<'_>, labels: &[u8], path: &mut Vec<u32>, best: &mut Option<i64>) {
        let head = path[path.len() - 1];
        if path.len() == walks.k {
            if walks.may_be_last(head) {
                *best = (*best).max(Some(walks.value(path)));
            }
            return;
        }
        for arc in walks.graph.out_arcs(head) {
            if path.iter().all(|&vertex| labels[vertex as usize] != labels[arc.target as usize]) {
                path.push(arc.target);
                grow(walks, labels, path, best);
                path.pop();
            }
        }
    }
    let mut best = None;
    for start in (0..walks.vertex_count() as u32).filter(|&vertex| walks.may_be_first(vertex)) {
        grow(walks, labels, &mut vec![start], &mut best);
    }
    best
}

fn distinct(n: usize) -> Vec<u8> {
    (0..n as u8).collect()
}

fn assert_path(walks: &Walks<'_>, path: &[u32]) {
    assert_eq!(path.len(), walks.k);
    assert!((1..path.len()).all(|at| !path[..at].contains(&path[at])));
    assert!(walks.may_be_first(path[0]) && walks.may_be_last(path[path.len() - 1]));
    // Panics where two in a row are not adjacent.
    walks.value(path);
}

#[test]
fn the_table_finds_what_the_labels_allow() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let (mut found, mut missing) = (0, 0);
    for round in 0..600 {
        let n = 6 + round % 9;
        let edges = n + below(&mut rng, n);
        let instance = random_instance(&mut rng, n, edges, round % 2 == 0);
        for k in [1, 2, 4, 6, 7, 8, 9] {
            let Some(walks) = Walks::new(&instance, k, &Budget::unlimited()).unwrap() else { continue };
            let rows = Rows::new(&walks);
            for count in [k, k + 1, k + 5] {
                let mut table = Table::new(&walks, &rows, count);
                let mut labels = vec![0; walks.vertex_count()];
                for trial in 0..3 {
                    draw(&mut labels, count, round as u64, trial);
                    let expected = best_by_force(&walks, &labels);
                    match table.search(&labels, &mut || false) {
                        Trial::Path(path) => {
                            assert_path(&walks, &path);
                            assert!(expected.is_some());
                            found += 1;
                        }
                        Trial::Nothing => {
                            assert_eq!(expected, None, "k = {k}, {count} labels {labels:?}: {instance:?}");
                            missing += 1;
                        }
                        Trial::Stopped => panic!("nobody stops it"),
                    }
                }
            }
        }
    }
    assert!(found > 1000 && missing > 1000, "{found} and {missing}");
}

/// Each labelling by itself, with numbers of labels that a plan would hardly choose.
#[test]
fn any_path_of_every_small_graph() {
    for (n, directed) in [(3, false), (4, false), (5, false), (3, true), (4, true)] {
        for (number, instance) in every_graph(n, directed).enumerate() {
            for k in 1..=n {
                let Some(walks) = Walks::new(&instance, k, &Budget::unlimited()).unwrap() else { continue };
                let exists = best_by_force(&walks, &distinct(walks.vertex_count())).is_some();
                let labels = k + number % 4;
                let success = success_probability(k, labels);
                let trials = trials_for(success, 1e-9) as u64;
                let labelling = Labelling::Random;
                let plan = Plan { labels, labelling, success, trials, first_number: 0, work: 0.0 };
                let (found, spent) = any(&walks, &plan, &Budget::unlimited());
                assert_eq!(found.best.is_some(), exists, "k = {k}, {labels} labels: {instance:?}");
                match found.best {
                    Some((path, _)) => assert_path(&walks, &path),
                    None => {
                        assert_eq!(spent.trials, trials);
                        assert!(k > 1 && matches!(found.missed, Missed::With(missed) if missed <= 1e-9));
                    }
                }
            }
        }
    }
}

#[test]
fn the_heaviest_path_is_found() {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    for round in 0..rounds(42) {
        let n = 5 + round % 6;
        let edges = n + below(&mut rng, n);
        let instance = random_instance(&mut rng, n, edges, round % 2 == 0);
        for k in 1..=n.min(7) {
            let Some(walks) = Walks::new(&instance, k, &Budget::unlimited()).unwrap() else { continue };
            let expected = best_by_force(&walks, &distinct(walks.vertex_count()));
            let walk_bounds = WalkBounds::new(&walks);
            assert!(walk_bounds.bound() >= expected);
            for threads in [1, 2] {
                let mut budget = Budget::unlimited();
                budget.threads = threads;
                let (found, _) = heaviest(&walks, &walk_bounds, i64::MIN, 1e-9, false, &budget, &mut |_| ());
                assert_eq!(found.best.as_ref().map(|best| best.1), expected, "k = {k}: {instance:?}");
                if let Some((path, value)) = found.best {
                    assert_path(&walks, &path);
                    assert_eq!(walks.value(&path), value);
                }
            }
            let (found, _) = reference::color_coding::solve(&walks, true, i64::MIN, 1e-9, &Budget::unlimited());
            assert_eq!(found.best.map(|best| best.1), expected, "k = {k}: {instance:?}");
            // Nothing is worth more than the heaviest.
            if let Some(best) = expected {
                let (found, _) = heaviest(&walks, &walk_bounds, best, 1e-3, false, &Budget::unlimited(), &mut |_| ());
                assert_eq!(found.best, None);
            }
        }
    }
}

/// On a graph with one path of `k` vertices (and its reverse), a trial succeeds if the labels of these differ.
#[test]
fn one_trial_succeeds_as_often_as_the_formula_says() {
    const TRIALS: u64 = 20_000;
    for (k, labels) in [(5, 5), (5, 9), (6, 8), (7, 7), (7, 12), (8, 13)] {
        let line = (1..k as u32).map(|to| Edge { source: to - 1, target: to, weight: 1 });
        // Leaves in the middle lengthen nothing.
        let leaves = (k as u32..k as u32 + 6).map(|leaf| Edge { source: k as u32 / 2, target: leaf, weight: 1 });
        let instance = Instance::free(CsrGraph::from_simple(k + 6, false, line.chain(leaves).collect()));
        let walks = Walks::new(&instance, k, &Budget::unlimited()).unwrap().unwrap();
        let rows = Rows::new(&walks);
        let mut table = Table::new(&walks, &rows, labels);
        let mut drawn = vec![0; walks.vertex_count()];
        let mut succeeds = |trial: u64| {
            draw(&mut drawn, labels, 3, trial);
            matches!(table.search(&drawn, &mut || false), Trial::Path(_))
        };
        let successes = (0..TRIALS).filter(|&trial| succeeds(trial)).count() as f64;
        let factorial = |n: usize| (1..=n).map(|factor| factor as f64).product::<f64>();
        let formula = factorial(labels) / (factorial(labels - k) * (labels as f64).powi(k as i32));
        assert!((success_probability(k, labels) - formula).abs() < 1e-12);
        let expected = TRIALS as f64 * formula;
        let deviation = (expected * (1.0 - formula)).sqrt();
        assert!((successes - expected).abs() < 4.0 * deviation, "k = {k}, {labels}: {successes}, not {expected}");
    }
}

/// The one cheap trial and those of the plan are independent: no labelling is counted twice.
#[test]
fn no_trial_is_made_twice() {
    let instance = Instance::free(CsrGraph::from_simple(40, false, {
        let line = (1..40).map(|to| Edge { source: to - 1, target: to, weight: 1 });
        line.collect()
    }));
    let walks = Walks::new(&instance, 6, &Budget::unlimited()).unwrap().unwrap();
    let plan = choose(40, 78, 6, 1e-3, usize::MAX).unwrap();
    let first = plan.first(&walks).unwrap();
    assert_eq!((first.labels, first.trials, first.first_number), (6, 1, 0));
    assert_eq!(plan.first_number, 1);
    // A plan of one trial with as few labels needs none before.
    let single = choose(40, 78, 6, 1.0 - 1e-9, usize::MAX).unwrap();
    assert_eq!((single.labels, single.trials, single.first(&walks)), (6, 1, None));
}

/// Whatever the seed, the heaviest path of a graph is missed as seldom as promised.
#[test]
fn the_heaviest_is_missed_no_more_often_than_promised() {
    const SEEDS: u64 = 400;
    const FAILURE: f64 = 0.1;
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    let (mut misses, mut asked) = (0, 0);
    for k in [6, 9] {
        let edges = (0..900).map(|_| Edge {
            source: below(&mut rng, 300) as u32,
            target: below(&mut rng, 300) as u32,
            weight: below(&mut rng, 1000) as i64,
        });
        let instance = Instance::free(CsrGraph::from_multigraph(300, false, edges.collect()).0);
        let walks = Walks::new(&instance, k, &Budget::unlimited()).unwrap().unwrap();
        let walk_bounds = WalkBounds::new(&walks);
        let results: Vec<i64> = (0..SEEDS)
            .map(|seed| {
                let mut budget = Budget::unlimited();
                budget.seed = seed;
                let (found, _) = heaviest(&walks, &walk_bounds, i64::MIN, FAILURE, false, &budget, &mut |_| ());
                found.best.unwrap().1
            })
            .collect();
        let optimum = *results.iter().max().unwrap();
        misses += results.iter().filter(|&&value| value < optimum).count();
        asked += SEEDS;
    }
    println!("{misses} misses of {asked}");
    let bound = asked as f64 * FAILURE;
    assert!((misses as f64) < bound + 4.0 * bound.sqrt(), "{misses} misses of {asked}");
}

#[test]
fn the_plan_takes_the_least_work_that_fits() {
    assert!((success_probability(20, 20) / 2.3e-8 - 1.0).abs() < 0.02);
    assert!((success_probability(20, 26) / 2.8e-5 - 1.0).abs() < 0.02);
    assert_eq!(trials_for(0.5, 0.25), 2.0);
    assert_eq!(trials_for(1.0, 0.25), 1.0);
    for (n, arcs, k) in [(100, 400, 8), (100_000, 1_000_000, 10), (100_000, 1_000_000, 14), (20, 60, 15)] {
        let plan = choose(n, arcs, k, 1e-3, usize::MAX).unwrap();
        for labels in k..=MOST_LABELS {
            let work = trials_for(success_probability(k, labels), 1e-3) * table::work_of_trial(n, arcs, k, labels);
            assert!(plan.work <= work, "{plan:?} is more work than {labels} labels");
        }
        let tight = Table::bytes(n, arcs, k).unwrap();
        let small = choose(n, arcs, k, 1e-3, tight).unwrap();
        assert!(Table::bytes(n, arcs, small.labels).unwrap() <= tight);
    }
    assert_eq!(choose(100, 400, 8, 1e-3, 1000), None);
    assert_eq!(choose(usize::MAX / 2, 400, 8, 1e-3, usize::MAX), None);
    // Few vertices get a label each.
    assert_eq!(choose(12, 60, 11, 1e-3, usize::MAX).unwrap().labelling, Labelling::Distinct);
}
