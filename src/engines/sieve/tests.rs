//! What a run says is true; how often it says nothing.

use super::*;
use crate::instance::Instance;
use crate::rounds::rounds;
use crate::view::{CsrGraph, Edge};

fn instance(n: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Instance {
    let edges = pairs.map(|(a, b)| Edge { source: a as u32, target: b as u32, weight: 1 }).collect();
    Instance::free(CsrGraph::from_simple(n, false, edges))
}

fn sieve<'a>(walks: &'a Walks<'a>, budget: &'a Budget, threads: usize) -> Sieve<'a> {
    Sieve { walks, budget, threads, run: 0, spent: Cost::default() }
}

#[test]
fn a_run_misses_no_more_often_than_the_bound() {
    let runs = rounds(1000) as u64;
    for k in [2, 4, 6, 9] {
        let instance = instance(k, (1..k).map(|to| (to - 1, to)));
        let walks = Walks::new(&instance, k, &Budget::unlimited()).unwrap().unwrap();
        let mut misses = 0;
        for seed in 0..runs {
            let mut budget = Budget::unlimited();
            budget.seed = seed;
            misses += u64::from(sieve(&walks, &budget, 1).last_vertex(&walks.places, k).unwrap().is_none());
        }
        let bound = runs as f64 * error_of_run(k);
        let deviation = (bound * (1.0 - error_of_run(k))).sqrt();
        assert!((misses as f64) < bound + 4.0 * deviation, "k = {k}: {misses} misses");
    }
}

/// Walks abound and paths don't: whatever is drawn, all must cancel, the paths with their reverses excepted.
#[test]
fn walks_that_meet_themselves_cancel() {
    for (few, k) in [(1, 4), (2, 6), (3, 8), (4, 10)] {
        let instance = instance(few + 9, (0..few).flat_map(|a| (few..few + 9).map(move |b| (a, b))));
        let walks = Walks::new(&instance, k, &Budget::unlimited()).unwrap().unwrap();
        let shorter = Walks::new(&instance, k - 1, &Budget::unlimited()).unwrap().unwrap();
        for seed in 0..20 {
            let mut budget = Budget::unlimited();
            budget.seed = seed;
            for threads in [1, 2] {
                assert_eq!(sieve(&walks, &budget, threads).last_vertex(&walks.places, k), Ok(None));
            }
            assert!(any(&shorter, 1e-9, &budget).0.best.is_some(), "seed {seed}");
        }
    }
}

#[test]
fn runs_follow_from_the_failure_probability() {
    assert_eq!(runs_for(8, 0.5), 1);
    assert_eq!(runs_for(8, 1e-3), 3);
    assert_eq!(runs_for(16, 1e-9), 10);
    assert_eq!(runs_for(1, 1e-3), 2);
}
