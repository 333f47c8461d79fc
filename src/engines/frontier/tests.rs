//! The engine against plain enumeration, which shares nothing with it, and against itself.

use std::collections::BTreeMap;
use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::chains::Core;
use super::config::Config;
use super::expander::Expand;
use super::filter::Filter;
use super::kernel::State;
use super::plan::{Item, Plan, Step};
use super::{Known, Mode, beam, predicted, run, solve};
use crate::engines::reference::backtracking::{self, Pruning};
use crate::instance::brute_force::{Witness, enumerate};
use crate::instance::{Budget, Ends, Instance, LinearBound, NOT_AN_END, Outcome, Silent};
use crate::limits::Limits;
use crate::rounds::rounds;
use crate::solution::Stop;
use crate::view::{CsrGraph, Edge};

/// The best value of each successor, and what is completed from each state.
pub(super) type Successors<S> = (BTreeMap<(u32, S), i64>, BTreeMap<u32, i64>);

pub(super) fn successors<S: State>(
    expander: &mut impl Expand<S>,
    (plan, step): (&Plan, &Step),
    filter: &Filter<'_>,
    states: &[(S, i64)],
) -> Successors<S> {
    let (mut best, mut completed) = (BTreeMap::new(), BTreeMap::new());
    let to = |item: &Item<S>| {
        let value = best.entry((item.from, item.state)).or_insert(item.value);
        *value = item.value.max(*value);
    };
    let done = |total: i64, from: u32| {
        let value = completed.entry(from).or_insert(total);
        *value = total.max(*value);
    };
    expander.prepare(plan, step, filter, usize::MAX);
    expander.expand(plan, step, filter, states.iter().copied(), to, done);
    (best, completed)
}

/// The states that those are, each with its best value.
pub(super) fn layer_of<S: State>(successors: BTreeMap<(u32, S), i64>) -> Vec<(S, i64)> {
    let mut layer = BTreeMap::new();
    for ((_, state), value) in successors {
        let best = layer.entry(state).or_insert(value);
        *best = value.max(*best);
    }
    layer.into_iter().collect()
}

/// The core of a small random graph with weights and random ends.
pub(super) fn random_core(directed: bool, rng: &mut Pcg64Mcg) -> Core {
    let n = rng.random_range(5..9);
    let pairs = (0..n as u32).flat_map(|source| (0..n as u32).map(move |target| (source, target)));
    let pairs = pairs.filter(|(source, target)| if directed { source != target } else { source < target });
    let chosen: Vec<_> = pairs.filter(|_| rng.random_bool(0.4)).collect();
    let edges = chosen.into_iter().map(|(source, target)| Edge { source, target, weight: rng.random_range(-2..6) });
    let graph = CsrGraph::from_simple(n, directed, edges.collect());
    let kind = rng.random();
    Core::new(&Instance { graph, ends: random_ends(n, kind, rng) })
}

fn budget(threads: usize, memory: usize) -> Budget {
    Budget::new(Instant::now(), &Limits { threads, memory, ..Limits::default() })
}

fn optimum(instance: &Instance) -> i64 {
    enumerate(instance).map_or(i64::MIN, |best| best.1)
}

/// Checks an outcome whose search was not limited.
fn check(instance: &Instance, outcome: &Outcome, floor: i64, optimum: i64) {
    assert_eq!(outcome.stop, None);
    if optimum > floor {
        let (path, value) = outcome.best.as_ref().expect("there is a better path");
        assert_eq!((*value, outcome.upper), (optimum, optimum));
        let mut seen = path.clone();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), path.len(), "{path:?} repeats a vertex");
        if let Ends::Closed { through } = &instance.ends {
            assert!(path.len() >= if instance.graph.is_directed() { 2 } else { 3 });
            assert!(through.is_none_or(|vertex| path.contains(&vertex)));
        }
        assert_eq!(instance.value(path), optimum, "{path:?}");
    } else {
        assert!(outcome.best.is_none());
        assert_eq!(outcome.upper, floor);
    }
}

fn exact(small_search: u64, small_relaxation: u64) -> Mode {
    Mode::Exact(Config { small_search, small_relaxation })
}

/// A bound on all paths, or cycles, of a directed graph, far off or close: prices of vertices cancel along them, but for ends.
fn random_bound(instance: &Instance, rng: &mut Pcg64Mcg) -> Option<LinearBound> {
    let (graph, scale) = (&instance.graph, rng.random_range(1..5));
    let no_ends = vec![NOT_AN_END; graph.vertex_count()];
    let (first, last) = match &instance.ends {
        Ends::Open { first, last, .. } => (first, last),
        Ends::Closed { .. } => (&no_ends, &no_ends),
    };
    if !graph.is_directed() || graph.edges().iter().any(|edge| edge.weight.abs() > 1_000) {
        return None;
    }
    let mut some = |most: i64| -> Vec<i64> { first.iter().map(|_| rng.random_range(0..=most)).collect() };
    let (prices, multipliers, visits) = (some(6), some(3), some(8));
    let mut constant: i64 = multipliers.iter().sum();
    let slack = |rng: &mut Pcg64Mcg| if rng.random_bool(0.2) { rng.random_range(0..3) } else { 0 };
    let gain = |edge: &Edge, rng: &mut Pcg64Mcg| {
        let (source, target) = (edge.source as usize, edge.target as usize);
        scale * edge.weight + prices[target] - prices[source] - multipliers[source] + slack(rng)
    };
    let edges = graph.edges().iter().map(|edge| gain(edge, rng)).collect();
    let at = |vertex: usize, prize: i64| if prize == NOT_AN_END { 0 } else { scale * prize + prices[vertex] };
    let first = first.iter().enumerate().map(|(vertex, &prize)| at(vertex, prize)).collect();
    let at = |vertex: usize, prize: i64| {
        if prize == NOT_AN_END { 0 } else { scale * prize - prices[vertex] - multipliers[vertex] }
    };
    let last = last.iter().enumerate().map(|(vertex, &prize)| at(vertex, prize)).collect();
    constant += slack(rng);
    Some(LinearBound { scale, constant, edges, first, last, visits })
}

/// Solves with these orders and thread numbers and checks against the optimum.
fn compare(instance: &Instance, optimum: i64, rng: &mut Pcg64Mcg) {
    let mut order: Vec<u32> = (0..instance.graph.vertex_count() as u32).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, rng.random_range(0..=at));
    }
    let floor = match rng.random_range(0..4) {
        0 => optimum.saturating_sub(rng.random_range(0..3)),
        1 => optimum.saturating_add(rng.random_range(0..2)),
        _ => i64::MIN,
    };
    // Without a relaxation, with one, and (dear where the rest is cheap) with potentials before it.
    let ways = [(u64::MAX, 0), (0, u64::MAX), (0, 0)];
    let count = if rng.random_bool(0.2) { 3 } else { 2 };
    for (small, plain) in ways.into_iter().take(count) {
        let bound = if rng.random_bool(0.5) { random_bound(instance, rng) } else { None };
        let predicted = if rng.random_bool(0.5) { 0.0 } else { f64::INFINITY };
        let known = bound.as_ref().map(|bound| Known { bound, predicted });
        let mut witness = Witness { optimum: optimum.max(floor) };
        let outcome = run(exact(small, plain), instance, &order, known, floor, &budget(1, 1 << 28), &mut witness).0;
        check(instance, &outcome, floor, optimum);
    }
}

fn graph_from_mask(n: usize, mask: u32, directed: bool, mut weight: impl FnMut() -> i64) -> CsrGraph {
    let mut edges = Vec::new();
    let mut bit = 0;
    for source in 0..n as u32 {
        for target in 0..n as u32 {
            if source == target || (!directed && target < source) {
                continue;
            }
            if mask >> bit & 1 == 1 {
                edges.push(Edge { source, target, weight: weight() });
            }
            bit += 1;
        }
    }
    CsrGraph::from_simple(n, directed, edges)
}

/// A random end rule of every kind in turn.
pub(super) fn random_ends(n: usize, kind: u32, rng: &mut Pcg64Mcg) -> Ends {
    let fixed = |vertex: usize, prize: i64| {
        let mut prizes = vec![NOT_AN_END; n];
        prizes[vertex] = prize;
        prizes
    };
    let some = |rng: &mut Pcg64Mcg| -> Vec<i64> {
        (0..n).map(|_| if rng.random_bool(0.3) { NOT_AN_END } else { rng.random_range(-3..8) }).collect()
    };
    match kind % 8 {
        0 => Ends::Open { first: vec![0; n], last: vec![0; n], single_vertex: true },
        1 => Ends::Open {
            first: fixed(rng.random_range(0..n), 0),
            last: fixed(rng.random_range(0..n), 0),
            single_vertex: true,
        },
        2 => Ends::Open { first: fixed(rng.random_range(0..n), 2), last: vec![0; n], single_vertex: true },
        3 => Ends::Open { first: some(rng), last: some(rng), single_vertex: true },
        4 => {
            let prizes = some(rng);
            Ends::Open { first: prizes.clone(), last: prizes, single_vertex: true }
        }
        5 => Ends::Closed { through: None },
        6 => Ends::Closed { through: Some(rng.random_range(0..n as u32)) },
        _ => Ends::Open { first: some(rng), last: fixed(rng.random_range(0..n), 1), single_vertex: true },
    }
}

/// Every kind of ends on one graph, with unit or random weights.
fn all_ends(graph: &CsrGraph, rng: &mut Pcg64Mcg) {
    for kind in 0..8 {
        let ends = random_ends(graph.vertex_count(), kind, rng);
        let instance = Instance { graph: graph.clone(), ends };
        compare(&instance, optimum(&instance), rng);
    }
}

#[test]
fn agrees_with_enumeration_on_all_small_graphs() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for n in 1..=5usize {
        for mask in 0..1u32 << (n * (n - 1) / 2) {
            all_ends(&graph_from_mask(n, mask, false, || 1), &mut rng);
            let mut weights = Pcg64Mcg::seed_from_u64(u64::from(mask));
            all_ends(&graph_from_mask(n, mask, false, || weights.random_range(-4..10)), &mut rng);
        }
    }
}

#[test]
fn agrees_with_enumeration_on_all_small_digraphs() {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    for n in 1..=4usize {
        for mask in 0..1u32 << (n * (n - 1)) {
            let mut weights = Pcg64Mcg::seed_from_u64(u64::from(mask));
            let unit = mask % 3 == 0;
            all_ends(&graph_from_mask(n, mask, true, || if unit { 1 } else { weights.random_range(-4..10) }), &mut rng);
        }
    }
}

/// A random sparse graph: many chains and hanging trees.
pub(super) fn random_graph(n: usize, edges: usize, directed: bool, unit: bool, rng: &mut Pcg64Mcg) -> CsrGraph {
    let list = (0..edges)
        .map(|_| {
            let source = rng.random_range(0..n as u32);
            let target = rng.random_range(0..n as u32);
            Edge { source, target, weight: if unit { 1 } else { rng.random_range(-5..20) } }
        })
        .collect();
    CsrGraph::from_multigraph(n, directed, list).0
}

#[test]
fn agrees_with_enumeration_on_random_graphs() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    for round in 0..rounds(1000) {
        let n = rng.random_range(5..=9);
        let directed = round % 2 == 1;
        let edges = rng.random_range(n - 1..=if directed { 3 * n } else { 2 * n });
        all_ends(&random_graph(n, edges, directed, round % 4 < 2, &mut rng), &mut rng);
    }
}

#[test]
fn agrees_with_backtracking_on_larger_random_graphs() {
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    for round in 0..rounds(200) {
        let n = rng.random_range(10..=14);
        let directed = round % 2 == 1;
        let graph = random_graph(n, rng.random_range(n..=2 * n), directed, round % 4 < 2, &mut rng);
        for kind in 0..8 {
            let instance = Instance { graph: graph.clone(), ends: random_ends(n, kind, &mut rng) };
            let unlimited = budget(1, 1 << 28);
            let known = backtracking::solve(&instance, Pruning::On, i64::MIN, &unlimited, &mut Silent);
            compare(&instance, known.upper, &mut rng);
        }
    }
}

#[test]
fn heavy_weights_are_as_good_as_light_ones() {
    // Too far apart to be packed, and then too large for potentials.
    let mut rng = Pcg64Mcg::seed_from_u64(6);
    for round in 0..300 {
        let n = rng.random_range(4..=7);
        let heaviest = [1i64 << 20, 1 << 54][round % 2];
        let directed = rng.random_bool(0.5);
        let list = (0..2 * n).map(|_| Edge {
            source: rng.random_range(0..n as u32),
            target: rng.random_range(0..n as u32),
            weight: rng.random_range(-heaviest / 4..heaviest),
        });
        let list = list.collect();
        all_ends(&CsrGraph::from_multigraph(n, directed, list).0, &mut rng);
    }
}

/// A heavy tail that was cut off is a heavy prize, however light the core is.
#[test]
fn heavy_prizes_of_pinned_ends_do_not_overflow() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    for round in 0..200 {
        let n = rng.random_range(4..=7);
        let directed = rng.random_bool(0.5);
        let graph = random_graph(n, 2 * n, directed, true, &mut rng);
        let mut pinned = || {
            let mut prizes = vec![NOT_AN_END; n];
            let heavy = 1i64 << rng.random_range(53..=59);
            prizes[rng.random_range(0..n)] = if round % 3 == 0 { -heavy } else { heavy };
            prizes
        };
        let (first, last) = (pinned(), if round % 2 == 0 { pinned() } else { vec![0; n] });
        let instance = Instance { graph, ends: Ends::Open { first, last, single_vertex: true } };
        let optimum = optimum(&instance);
        let order: Vec<u32> = (0..n as u32).collect();
        for plain in [0, u64::MAX] {
            let mut witness = Witness { optimum };
            let mode = exact(0, plain);
            let (outcome, _) = run(mode, &instance, &order, None, i64::MIN, &budget(1, 1 << 28), &mut witness);
            check(&instance, &outcome, i64::MIN, optimum);
        }
    }
}

/// Only a few edges are on a path: all of them together may weigh more than any length.
#[test]
fn many_heavy_edges_do_not_overflow() {
    let n = 24;
    let weight = (1i64 << 60) / n;
    let edges = (0..n as u32).flat_map(|one| (0..one).map(move |two| Edge { source: one, target: two, weight }));
    let instance = Instance::free(CsrGraph::from_simple(n as usize, false, edges.collect()));
    let order: Vec<u32> = (0..n as u32).collect();
    let (path, value) = beam(&instance, &order, 50, &budget(1, 1 << 28)).unwrap();
    assert_eq!(((path.len() as i64 - 1) * weight, instance.value(&path)), (value, value));
}

/// A grid whose vertices are numbered row by row.
pub(super) fn grid(rows: u32, columns: u32) -> CsrGraph {
    let mut edges = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let source = row * columns + column;
            if column + 1 < columns {
                edges.push(Edge { source, target: source + 1, weight: 1 });
            }
            if row + 1 < rows {
                edges.push(Edge { source, target: source + columns, weight: 1 });
            }
        }
    }
    CsrGraph::from_simple((rows * columns) as usize, false, edges)
}

/// Column by column, so that the frontier of a grid is a column.
fn by_columns(rows: u32, columns: u32) -> Vec<u32> {
    (0..columns).flat_map(|column| (0..rows).map(move |row| row * columns + column)).collect()
}

#[test]
fn threads_change_neither_path_nor_states() {
    let instance = Instance::free(grid(8, 9));
    let found_by = |mode, threads| {
        let mut witness = Witness { optimum: 71 };
        let (outcome, _) =
            run(mode, &instance, &by_columns(8, 9), None, i64::MIN, &budget(threads, 1 << 28), &mut witness);
        check(&instance, &outcome, i64::MIN, 71);
        (outcome.best, outcome.steps)
    };
    // Without a relaxation the layers are large enough for every thread and several shards.
    for mode in [exact(0, u64::MAX), exact(u64::MAX, 0)] {
        let alone = found_by(mode, 1);
        for threads in [2, 3, 2, 3] {
            assert_eq!(found_by(mode, threads), alone, "{threads} threads");
        }
    }
}

#[test]
fn full_buffers_do_not_change_the_answer() {
    let instance = Instance::free(grid(8, 8));
    let all_states = exact(u64::MAX, 0);
    let mut ended = 0;
    for halves in 0..8 {
        let memory = (2 + halves % 2) << (19 + halves / 2);
        for threads in [1, 3] {
            let mut witness = Witness { optimum: 63 };
            let (outcome, _) =
                run(all_states, &instance, &by_columns(8, 8), None, i64::MIN, &budget(threads, memory), &mut witness);
            assert!(outcome.upper >= 63);
            if outcome.stop.is_none() {
                check(&instance, &outcome, i64::MIN, 63);
                ended += 1;
            }
        }
    }
    assert!((4..16).contains(&ended), "{ended} of 16 had room enough");
}

#[test]
fn wide_frontiers_are_searched_too() {
    // Fourteen slots and more, undirected and directed.
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let graph = random_graph(40, 44, false, true, &mut rng);
    let instance = Instance::free(graph.clone());
    let known = backtracking::solve(&instance, Pruning::On, i64::MIN, &budget(1, 1 << 28), &mut Silent).upper;
    let mut shuffled: Vec<u32> = (0..40).collect();
    for at in (1..shuffled.len()).rev() {
        shuffled.swap(at, rng.random_range(0..=at));
    }
    let mut witness = Witness { optimum: known };
    let outcome = solve(&instance, &shuffled, None, i64::MIN, &budget(1, 1 << 28), &mut witness);
    check(&instance, &outcome, i64::MIN, known);
}

#[test]
fn a_memory_limit_ends_cleanly_with_a_bound() {
    let instance = Instance::free(grid(12, 12));
    for memory in [1 << 10, 1 << 16, 1 << 20, 4 << 20] {
        let mut witness = Witness { optimum: 143 };
        let outcome = solve(&instance, &by_columns(12, 12), None, i64::MIN, &budget(2, memory), &mut witness);
        assert!(outcome.upper >= 143);
        match outcome.stop {
            None => check(&instance, &outcome, i64::MIN, 143),
            stop => assert_eq!(stop, Some(Stop::MemoryLimit)),
        }
        assert!(outcome.peak_bytes <= memory, "{} bytes held of {memory} allowed", outcome.peak_bytes);
    }
}

#[test]
fn layers_that_were_dropped_are_made_again() {
    // Room for the search but not for all of its layers: the path comes from replayed ones.
    let instance = Instance::free(grid(7, 40));
    let mut witness = Witness { optimum: 279 };
    let (mode, small) = (exact(u64::MAX, 0), budget(1, 6 << 20));
    let (outcome, _) = run(mode, &instance, &by_columns(7, 40), None, i64::MIN, &small, &mut witness);
    check(&instance, &outcome, i64::MIN, 279);
}

#[test]
fn an_order_too_wide_for_any_key_is_refused_with_a_bound() {
    let instance = Instance::free(grid(40, 40));
    let outcome = solve(&instance, &by_columns(40, 40), None, i64::MIN, &budget(1, 1 << 28), &mut Silent);
    assert_eq!(outcome.stop, Some(Stop::Exhausted));
    assert!(outcome.upper >= 1599);
}

#[test]
fn a_beam_finds_paths_and_predicts_states() {
    let instance = Instance::free(grid(6, 12));
    let order = by_columns(6, 12);
    let unlimited = budget(1, 1 << 28);
    let (path, value) = beam(&instance, &order, 500, &unlimited).expect("there are paths");
    assert_eq!(instance.value(&path), value);
    assert!((60..=71).contains(&value), "{value}");
    // Rows as long as twelve make more states than columns of six.
    let states = predicted(&instance, &order, 2000, &unlimited).expect("no limit is met");
    let by_rows: Vec<u32> = (0..72).collect();
    assert!(predicted(&instance, &by_rows, 2000, &unlimited).expect("no limit is met") > 2 * states);
}
