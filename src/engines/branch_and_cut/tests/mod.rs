//! The engine against plain enumeration on all small graphs and random weighted ones, with every part switched off in turn,
//! and with an optimal path watched: no cut may cut it off, and no bound of any node that it is in may fall below it.

mod chains;
mod single;

use fixedbitset::FixedBitSet;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::model::{Cut, Model};
use super::paths::columns_of;
use super::{Family, Search, Settings, Silent, root_witness};
use crate::bound::prove;
use crate::branching::Formulation;
use crate::instance::brute_force::{Witness, enumerate};
use crate::instance::{Budget, Ends, Instance, Monitor, NOT_AN_END, Outcome};
use crate::lp::proof::{Range, Row};
use crate::lp::{LinearProgram, Simplex};
use crate::rounds::rounds;
use crate::solution::Stop;
use crate::view::{CsrGraph, Edge};

/// What is left out: nothing, each family, all of them.
const WITHOUT: [&[Family]; 10] = [
    &[],
    &[Family::Grown],
    &[Family::Cheapest],
    &[Family::Blossoms],
    &[Family::Halves],
    &[Family::Visited],
    &[Family::Fixing],
    &[Family::Guesses],
    &[Family::Chains],
    &[
        Family::Grown,
        Family::Cheapest,
        Family::Blossoms,
        Family::Halves,
        Family::Visited,
        Family::Fixing,
        Family::Guesses,
        Family::Chains,
    ],
];

fn check(instance: &Instance, outcome: &Outcome, floor: i64, optimum: i64) {
    assert_eq!(outcome.stop, None);
    if optimum > floor {
        let (path, value) = outcome.best.as_ref().expect("there is a better path");
        assert_eq!((*value, outcome.upper), (optimum, optimum), "{instance:?}");
        let mut seen = path.clone();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), path.len(), "{path:?} repeats a vertex");
        assert_eq!(instance.value(path), optimum, "{path:?}");
    } else {
        assert!(outcome.best.is_none(), "{:?} is not above {floor}", outcome.best);
        assert_eq!(outcome.upper, floor);
    }
}

fn solve(instance: &Instance, floor: i64, budget: &Budget, monitor: &mut dyn Monitor) -> Outcome {
    super::solve::<Simplex>(instance, floor, budget, monitor)
}

/// Solves the instance without these families and checks against the optimum.
fn compare<P: LinearProgram>(instance: &Instance, without: &[Family], rng: &mut Pcg64Mcg) {
    let best = enumerate(instance);
    let optimum = best.as_ref().map_or(i64::MIN, |best| best.1);
    let floor = match rng.random_range(0..5) {
        0 => optimum.saturating_sub(rng.random_range(0..3)),
        1 => optimum.saturating_add(rng.random_range(0..2)),
        _ => i64::MIN,
    };
    let settings =
        Settings { without: without.to_vec(), watched: best.map(|(path, _)| path), root_only: false, side: None };
    let mut witness = Witness { optimum: optimum.max(floor) };
    let mut search = Search::<P>::with(settings, instance, None, floor, i64::MAX);
    // In one go, or in many.
    let work = if rng.random_bool(0.5) { u64::MAX } else { rng.random_range(1..100) };
    let mut outcome = search.run(work, &Budget::unlimited(), &mut witness);
    while outcome.stop == Some(Stop::Exhausted) {
        outcome = search.run(work, &Budget::unlimited(), &mut witness);
    }
    check(instance, &outcome, floor, optimum);
}

/// Two threads, each with half of what is open, come to the same; they share it again after little work.
#[test]
fn by_two_threads() {
    let mut rng = Pcg64Mcg::seed_from_u64(16);
    let mut budget = Budget::unlimited();
    budget.threads = 2;
    let mut shared = 0;
    for round in 0..rounds(60) {
        let (n, directed) = (rng.random_range(5..8), round % 2 == 1);
        let mask = rng.random::<u64>() | rng.random::<u64>();
        for instance in instances(&drawn(n, directed, mask), &mut rng) {
            let best = enumerate(&instance);
            let optimum = best.as_ref().map_or(i64::MIN, |best| best.1);
            let without = WITHOUT[WITHOUT.len() - 1].to_vec();
            let watched = best.map(|(path, _)| path);
            let settings = Settings { without, watched, root_only: false, side: None };
            let mut witness = Witness { optimum };
            let mut search = Search::<Simplex>::with(settings, &instance, None, i64::MIN, i64::MAX);
            let mut outcome = search.run_by_two(200, &budget, &mut witness);
            while outcome.stop == Some(Stop::Exhausted) {
                outcome = search.run_by_two(200, &budget, &mut witness);
            }
            shared += usize::from(search.beside > 0);
            assert!(outcome.peak_bytes < 1 << 24, "{} bytes", outcome.peak_bytes);
            check(&instance, &outcome, i64::MIN, optimum);
        }
    }
    assert!(shared > 0, "no tree was shared");
}

/// One question of each kind about a graph: prizes and weights of every sign, zeros, and all equal.
fn instances(graph: &CsrGraph, rng: &mut Pcg64Mcg) -> Vec<Instance> {
    let n = graph.vertex_count();
    let mut instances = Vec::new();
    for range in [(1, 1), (0, 0), (-3, 5), (-4, -1), (0, 2)] {
        let weight = |edge: &Edge, rng: &mut Pcg64Mcg| Edge { weight: rng.random_range(range.0..=range.1), ..*edge };
        let edges = graph.edges().iter().map(|edge| weight(edge, rng)).collect();
        let graph = CsrGraph::from_simple(n, graph.is_directed(), edges);
        let prizes = |rng: &mut Pcg64Mcg, forbidden: f64| -> Vec<i64> {
            let prize = |rng: &mut Pcg64Mcg| {
                if rng.random_bool(forbidden) { NOT_AN_END } else { rng.random_range(-2..=4) * rng.random_range(0..2) }
            };
            (0..n).map(|_| prize(rng)).collect()
        };
        let only = |vertex: usize| -> Vec<i64> { (0..n).map(|v| if v == vertex { 0 } else { NOT_AN_END }).collect() };
        let (s, t) = (rng.random_range(0..n), rng.random_range(0..n));
        let single_vertex = rng.random_bool(0.7);
        let alike = prizes(rng, 0.3);
        let ends = [
            Ends::Open { first: vec![0; n], last: vec![0; n], single_vertex },
            Ends::Open { first: alike.clone(), last: alike, single_vertex },
            Ends::Open { first: prizes(rng, 0.3), last: prizes(rng, 0.3), single_vertex },
            Ends::Open { first: only(s), last: vec![0; n], single_vertex },
            Ends::Open { first: only(s), last: only(t), single_vertex },
            Ends::Open { first: prizes(rng, 1.0), last: prizes(rng, 0.5), single_vertex },
            Ends::Closed { through: None },
            Ends::Closed { through: Some(s as u32) },
        ];
        instances.extend(ends.into_iter().map(|ends| Instance { graph: graph.clone(), ends }));
    }
    instances
}

/// The graph on `n` vertices whose possible edges are drawn by the bits of `mask`.
fn drawn(n: u32, directed: bool, mask: u64) -> CsrGraph {
    let pairs =
        (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|&(a, b)| if directed { a != b } else { a < b });
    let drawn = pairs.enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
    let edges = drawn.map(|(_, (source, target))| Edge { source, target, weight: 1 }).collect();
    CsrGraph::from_simple(n as usize, directed, edges)
}

#[test]
fn all_small_graphs() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for n in 1..=5 {
        for mask in 0..1u64 << (n * (n - 1) / 2) {
            for (number, instance) in instances(&drawn(n, false, mask), &mut rng).iter().enumerate() {
                let without = WITHOUT[(number + mask as usize) % WITHOUT.len()];
                compare::<Simplex>(instance, without, &mut rng);
            }
        }
    }
}

/// Two parts, and the ends in one each, in the same, adjacent, or equal: what has no answer, or one without any search.
#[test]
fn ends_in_parts_of_their_own() {
    let mut rng = Pcg64Mcg::seed_from_u64(6);
    for directed in [false, true] {
        let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)];
        let edges = edges.map(|(source, target)| Edge { source, target, weight: 1 }).to_vec();
        let graph = CsrGraph::from_simple(7, directed, edges);
        for (s, t) in (0..7).flat_map(|s| (0..7).map(move |t| (s, t))) {
            let only =
                |vertex: usize| -> Vec<i64> { (0..7).map(|v| if v == vertex { 0 } else { NOT_AN_END }).collect() };
            for single_vertex in [false, true] {
                let ends = Ends::Open { first: only(s), last: only(t), single_vertex };
                for without in WITHOUT {
                    compare::<Simplex>(&Instance { graph: graph.clone(), ends: ends.clone() }, without, &mut rng);
                }
            }
        }
    }
}

#[test]
fn all_small_digraphs() {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    for n in 1..=4 {
        for mask in (0..1u64 << (n * (n - 1))).step_by(if n < 4 { 1 } else { 3 }) {
            for (number, instance) in instances(&drawn(n, true, mask), &mut rng).iter().enumerate() {
                let without = WITHOUT[(number + mask as usize) % WITHOUT.len()];
                compare::<Simplex>(instance, without, &mut rng);
            }
        }
    }
}

/// Every path with an edge, and every cycle.
fn all_paths(instance: &Instance) -> Vec<Vec<u32>> {
    fn extend(instance: &Instance, path: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
        all.push(path.clone());
        for arc in instance.graph.out_arcs(path[path.len() - 1]) {
            if !path.contains(&arc.target) {
                path.push(arc.target);
                extend(instance, path, all);
                path.pop();
            }
        }
    }
    let mut all = Vec::new();
    for start in 0..instance.graph.vertex_count() as u32 {
        extend(instance, &mut vec![start], &mut all);
    }
    all
}

fn obeys(used: &FixedBitSet, row: &Row) -> bool {
    let entries = row.entries.iter().filter(|(column, _)| used[*column as usize]);
    let activity: i64 = entries.map(|&(_, value)| i64::from(value)).sum();
    if row.is_equation { activity == row.least } else { activity >= row.least }
}

/// Not only the best path, but all of them obey every row that was ever made, half sums and half sums of half sums among
/// them; and the linear bound that the multipliers tell holds for all of them.
#[test]
fn all_paths_of_small_digraphs_obey_all_rows() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    let (mut halves, mut bounds, mut of_cycles, mut tight) = (0, 0, 0, 0);
    let mut check = |graph: &CsrGraph, rng: &mut Pcg64Mcg| {
        for instance in instances(graph, rng) {
            let mut search = Search::<Simplex>::with(Settings::default(), &instance, None, i64::MIN, i64::MAX);
            let outcome = search.run(u64::MAX, &Budget::unlimited(), &mut Silent);
            let Some(tree) = &search.tree else { continue };
            let (model, linear) = (&tree.formulation.model, search.linear_bound());
            let is_half = |cut: &Cut| matches!(cut, Cut::Half(_));
            let cuts = tree.relaxation.rows.iter().filter_map(|active| active.cut.as_ref());
            halves += cuts.filter(|active| is_half(&active.cut)).count();
            for path in all_paths(&instance) {
                let Some(used) = columns_of(model, &path) else { continue };
                for row in tree.relaxation.known_rows() {
                    assert!(obeys(&used, row), "{path:?} does not obey {row:?} in {instance:?}");
                }
                if let Some(linear) = &linear {
                    let gain = |path: &[u32]| -> i64 {
                        instance.graph.edges_along(path).map(|edge| linear.edges[edge as usize]).sum()
                    };
                    let (first, last) = (path[0], path[path.len() - 1]);
                    let most = linear.constant
                        + gain(&path)
                        + if let Ends::Closed { .. } = instance.ends {
                            of_cycles += 1;
                            gain(&[last, first])
                        } else {
                            linear.first[first as usize] + linear.last[last as usize]
                        };
                    let value = instance.value(&path);
                    assert!(linear.scale * value <= most, "{value} is above {most} / {}: {path:?}", linear.scale);
                    bounds += 1;
                    tight += usize::from(most < linear.scale * (outcome.upper + 1));
                }
            }
        }
    };
    for mask in (0..1u64 << 12).step_by(7) {
        check(&drawn(4, true, mask), &mut rng);
    }
    for round in 0..rounds(12) {
        let n = 5 + (round % 3) as u32;
        let arcs = u64::from(n * (n - 1));
        let mask = (0..arcs).filter(|_| rng.random_bool(0.5)).fold(0u64, |mask, bit| mask | 1 << bit);
        check(&drawn(n, true, mask), &mut rng);
    }
    assert!(halves > 100 && bounds > 1_000 && tight > 1_000, "{halves} half sums, {bounds} bounds, {tight} tight");
    assert!(of_cycles > 500, "{of_cycles} bounds of cycles");
}

#[test]
fn random_graphs_with_every_family_switched_off() {
    random_graphs::<Simplex>(12);
}

#[cfg(feature = "highs")]
#[test]
fn random_graphs_by_highs() {
    random_graphs::<crate::lp::Highs>(8);
}

fn random_graphs<P: LinearProgram>(few: usize) {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    for round in 0..rounds(few) {
        let (n, directed) = (6 + (round % 4) as u32, round % 2 == 0);
        let pairs = (n * (n - 1)) as u64 / if directed { 1 } else { 2 };
        let density = [0.25, 0.4, 0.6][round % 3] / if directed { 1.5 } else { 1.0 };
        let mask = (0..pairs).filter(|_| rng.random_bool(density)).fold(0u64, |mask, bit| mask | 1 << bit);
        for instance in instances(&drawn(n, directed, mask), &mut rng) {
            for without in WITHOUT {
                compare::<P>(&instance, without, &mut rng);
            }
        }
    }
}

/// The witness of the root proves what its linear program does, up to rounding and up to what is left out for cycles.
#[test]
fn witnesses_prove_the_bound_of_the_root() {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let (mut equal, mut with_subtour_cuts, mut with_blossoms) = (0, 0, 0);
    let mut all = 0;
    for round in 0..120 {
        let (n, directed) = (5 + round % 4, round % 3 == 0);
        let pairs = (n * (n - 1)) as u64 / if directed { 1 } else { 2 };
        let mask = (0..pairs).filter(|_| rng.random_bool(0.5)).fold(0u64, |mask, bit| mask | 1 << bit);
        for instance in instances(&drawn(n, directed, mask), &mut rng) {
            let optimum = enumerate(&instance).map_or(i64::MIN, |best| best.1);
            let Some(witness) = root_witness(&instance, u64::MAX, &Budget::unlimited()) else { continue };
            let proved = prove(&instance, &witness);
            assert!(proved >= optimum, "{proved} does not bound {optimum}: {instance:?} {witness:?}");
            // The witness lets a path begin and end at the same vertex, prizes or not, which the program does not.
            if let Ends::Open { first, last, single_vertex: true } = &instance.ends
                && first.iter().chain(last).all(|&prize| prize == 0 || prize == NOT_AN_END)
                && instance.graph.edges().iter().all(|edge| edge.weight >= 0)
                && optimum > 0
            {
                let without = vec![Family::Fixing, Family::Guesses];
                let settings = Settings { without, root_only: true, watched: None, side: None };
                let mut search = Search::<Simplex>::with(settings, &instance, None, i64::MIN, i64::MAX);
                let upper = search.run(u64::MAX, &Budget::unlimited(), &mut Silent).upper;
                let before = search.tree.map_or(upper, |tree| tree.formulation.root_bound());
                all += 1;
                equal += usize::from(proved <= before);
                with_subtour_cuts += usize::from(!witness.subtour_cuts.is_empty());
                with_blossoms += usize::from(!witness.blossoms.is_empty());
            }
        }
    }
    assert!(equal * 20 > all * 19, "{equal} of {all}");
    assert!(
        with_subtour_cuts > 50 && with_blossoms > 3,
        "{with_subtour_cuts} with subtour cuts, {with_blossoms} with blossoms"
    );
}
