//! The engine against plain enumeration on all small graphs and random weighted ones, with every part switched off in turn,
//! and with an optimal path watched: no cut may cut it off, and no bound of any node that it is in may fall below it.

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

/// A few vertices, and between them chains of up to three more.
fn chains_between_few(directed: bool, rng: &mut Pcg64Mcg) -> CsrGraph {
    let few = rng.random_range(2..=4);
    let mut n = few;
    let mut edges = Vec::new();
    while n < 9 {
        let (one, two) = (rng.random_range(0..few), rng.random_range(0..few));
        let inside = rng.random_range(0..=3u32).min(9 - n);
        if one != two {
            let way: Vec<u32> = [one].into_iter().chain(n..n + inside).chain([two]).collect();
            edges.extend(way.windows(2).map(|pair| Edge { source: pair[0], target: pair[1], weight: 1 }));
            if directed && rng.random_ratio(2, 3) {
                let back = way.windows(2).map(|pair| Edge { source: pair[1], target: pair[0], weight: 1 });
                edges.extend(back.filter(|_| rng.random_ratio(9, 10)));
            }
            n += inside;
        }
    }
    CsrGraph::from_multigraph(9, directed, edges).0
}

/// Chains get columns where other ways to use them are worth no more, which is so often; no better path is lost by that, and all
/// rows hold for what columns stand for.
#[test]
fn chains_as_columns_lose_no_better_path() {
    let mut rng = Pcg64Mcg::seed_from_u64(21);
    let (mut folded, mut ending, mut of_columns, mut left_out) = ([0; 2], [0; 2], [0; 2], [0; 2]);
    for round in 0..rounds(300) {
        let directed = round % 2 == 1;
        let kind = usize::from(directed);
        for instance in instances(&chains_between_few(directed, &mut rng), &mut rng) {
            let optimum = enumerate(&instance).map_or(i64::MIN, |best| best.1);
            let plain = Model::new(&instance, None);
            let model = plain.clone().with_chains();
            let mut paths = all_paths(&instance);
            paths.retain(|path| columns_of(&plain, path).is_some());
            let told = |path: &&Vec<u32>| columns_of(&model, path).is_some();
            let watched = paths.iter().filter(|path| instance.value(path) == optimum).find(told).cloned();
            let best = paths.iter().map(|path| instance.value(path)).max();
            let best_told = paths.iter().filter(told).map(|path| instance.value(path)).max();
            assert_eq!(best_told, best, "{instance:?}");
            folded[kind] += usize::from(model.variables() > model.worth.len());
            ending[kind] += usize::from(!model.visited_by_several().is_empty());
            let gains: Vec<i128> = model.worth.iter().map(|_| rng.random_range(-9..9)).collect();
            let of_variables = model.gains_of_variables(&gains);
            for path in &paths {
                let (used, Some(columns)) = (columns_of(&plain, path).expect("it is one"), columns_of(&model, path))
                else {
                    continue;
                };
                let gain: i128 = columns.ones().map(|column| gains[column]).sum();
                assert!(
                    used.ones().map(|variable| of_variables[variable]).sum::<i128>() >= gain,
                    "{path:?} {instance:?}"
                );
            }

            for without in WITHOUT.into_iter().filter(|_| round % 30 < 2) {
                let settings =
                    Settings { without: without.to_vec(), watched: watched.clone(), root_only: false, side: None };
                let mut search = Search::<Simplex>::with(settings, &instance, None, i64::MIN, i64::MAX);
                let outcome = search.run(u64::MAX, &Budget::unlimited(), &mut Witness { optimum });
                check(&instance, &outcome, i64::MIN, optimum);
                let Some(tree) = &search.tree else { continue };
                for path in &paths {
                    let Some(used) = columns_of(&tree.formulation.model, path) else {
                        left_out[kind] += 1;
                        continue;
                    };
                    of_columns[kind] += 1;
                    let worth: i64 = used.ones().map(|column| tree.formulation.model.worth[column]).sum();
                    assert_eq!(worth, instance.value(path), "{path:?} in {instance:?}");
                    for row in tree.relaxation.known_rows() {
                        assert!(obeys(&used, row), "{path:?} does not obey {row:?} in {instance:?}");
                    }
                }
            }
        }
    }
    for (kind, name) in ["edges", "arcs"].into_iter().enumerate() {
        let [folded, ending, of_columns] = [folded, ending, of_columns].map(|counts| counts[kind]);
        assert!(folded > 500 && ending > 200, "{name}: {folded} with chains, {ending} that end in chains");
        assert!(of_columns > 1_000, "{name}: {of_columns} paths with columns");
    }
    // A digraph's chains leave out nothing.
    assert!(left_out[0] > 1_000 && left_out[1] == 0, "{left_out:?} paths without columns");
}

/// Round the chain 0, 3, 4, 5, 1 and back over 2 a path misses one edge. Where that is one inside, since it is light or since it costs
/// something to end elsewhere, the chain is none for the program.
#[test]
fn a_path_may_end_on_both_sides_of_an_edge_inside_a_chain() {
    let lines = [(0, 3), (3, 4), (4, 5), (5, 1), (1, 2), (2, 0), (0, 1)];
    for (weights, prize, is_folded) in [
        ([1, 1, 1, 1, 1, 1, 1], 0, true),
        ([1, 1, 1, 1, 1, 1, 1], -10, false),
        ([1, 1, 1, 1, 1, 1, 1], NOT_AN_END, false),
        ([9, 9, 1, 9, 9, 9, 1], 0, false),
        ([9, 9, 1, 1, 9, 9, 1], 0, true),
        ([9, 9, 1, 1, 9, 9, 1], -1, false),
        ([9, 9, 9, 9, 9, 9, -1], 0, true),
        ([9, -1, 9, 9, 9, 9, 1], 0, false),
    ] {
        let edges = lines.iter().zip(weights).map(|(&(source, target), weight)| Edge { source, target, weight });
        let prizes = vec![prize, prize, prize, 0, 0, 0];
        let ends = Ends::Open { first: prizes.clone(), last: prizes, single_vertex: true };
        let instance = Instance { graph: CsrGraph::from_simple(6, false, edges.collect()), ends };
        let model = Model::new(&instance, None).with_chains();
        assert_eq!(model.visited_by_several().contains(&3), is_folded, "{weights:?} {prize}");
        let optimum = enumerate(&instance).expect("it has paths").1;
        let outcome = solve(&instance, i64::MIN, &Budget::unlimited(), &mut Witness { optimum });
        check(&instance, &outcome, i64::MIN, optimum);
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

/// A ring of rungs: wide enough for fractional solutions, small enough to know the answer.
fn circulant(n: u32, steps: &[u32]) -> CsrGraph {
    let edges =
        (0..n).flat_map(|v| steps.iter().map(move |step| Edge { source: v, target: (v + step) % n, weight: 1 }));
    CsrGraph::from_multigraph(n as usize, false, edges.collect()).0
}

#[test]
fn a_graph_with_hamiltonian_paths() {
    let instance = Instance::free(circulant(40, &[1, 7]));
    let outcome = solve(&instance, i64::MIN, &Budget::unlimited(), &mut Witness { optimum: 39 });
    check(&instance, &outcome, i64::MIN, 39);
    // A path to begin with, worse than the floor.
    let outcome =
        Search::new(&instance, Some(&[0, 1]), 38, 39).run(u64::MAX, &Budget::unlimited(), &mut Witness { optimum: 39 });
    check(&instance, &outcome, 38, 39);
    let closed = Instance { ends: Ends::Closed { through: None }, ..instance };
    let outcome = solve(&closed, i64::MIN, &Budget::unlimited(), &mut Witness { optimum: 40 });
    check(&closed, &outcome, i64::MIN, 40);
}

/// Two of the three ears of a path that hangs on hubs: K(2, 9) with its rays doubled.
#[test]
fn many_vertices_must_be_missed() {
    let edges = (0..9).flat_map(|ray| {
        let (one, two) = (2 + 2 * ray, 3 + 2 * ray);
        [(0, one), (one, two), (two, 1)].map(|(source, target)| Edge { source, target, weight: 1 })
    });
    let instance = Instance::free(CsrGraph::from_simple(20, false, edges.collect()));
    // Into a ray from its end, through both hubs, with one whole ray between, and out into another.
    let outcome = solve(&instance, i64::MIN, &Budget::unlimited(), &mut Witness { optimum: 7 });
    check(&instance, &outcome, i64::MIN, 7);
}

#[test]
fn huge_weights_stay_exact() {
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    for _ in 0..rounds(16) {
        let mask = rng.random_range(0..1u64 << 21);
        let graph = drawn(7, false, mask);
        let huge = 1i64 << 52;
        let edges =
            graph.edges().iter().map(|edge| Edge { weight: huge + rng.random_range(-3..=3), ..*edge }).collect();
        let instance = Instance::free(CsrGraph::from_simple(7, false, edges));
        let optimum = enumerate(&instance).expect("a vertex is a path").1;
        let mut witness = Witness { optimum };
        let outcome = solve(&instance, i64::MIN, &Budget::unlimited(), &mut witness);
        check(&instance, &outcome, i64::MIN, optimum);
    }
}

/// Paths of as many edges differ so little that the best one is close to the bound: then other nodes are the next ones, and those
/// whose bound is the next better value come last, where the best path may be.
#[test]
fn close_values_are_told_apart() {
    let mut rng = Pcg64Mcg::seed_from_u64(19);
    for round in 0..rounds(60) {
        let (n, directed) = (7 + (round % 2) as u32, round % 3 == 0);
        let graph = drawn(n, directed, rng.random::<u64>() | rng.random::<u64>());
        let weight = |rng: &mut Pcg64Mcg| 3_000 + rng.random_range(0..=9);
        let edges = graph.edges().iter().map(|edge| Edge { weight: weight(&mut rng), ..*edge }).collect();
        let graph = CsrGraph::from_simple(n as usize, directed, edges);
        let cycles = Instance { graph: graph.clone(), ends: Ends::Closed { through: Some(0) } };
        for instance in [Instance::free(graph), cycles] {
            let Some((path, optimum)) = enumerate(&instance) else { continue };
            for (floor, without) in (1..4).flat_map(|less| WITHOUT.map(|without| (optimum - less, without))) {
                let (without, watched) = (without.to_vec(), Some(path.clone()));
                let settings = Settings { without, watched, root_only: false, side: None };
                let mut search = Search::<Simplex>::with(settings, &instance, None, floor, i64::MAX);
                let outcome = search.run(u64::MAX, &Budget::unlimited(), &mut Witness { optimum });
                check(&instance, &outcome, floor, optimum);
            }
        }
    }
}

/// Edges along a chain of vertices of degree two are kin, and so is what those visit; fixing others makes more of them.
#[test]
fn edges_that_go_together_are_kin() {
    let line = |source, target| Edge { source, target, weight: 1 };
    let lines = vec![line(0, 1), line(1, 2), line(2, 3), line(3, 0), line(0, 2)];
    for directed in [false, true] {
        let instance = Instance::free(CsrGraph::from_simple(4, directed, lines.clone()));
        let settings = Settings { without: vec![Family::Chains], ..Settings::default() };
        let mut search = Search::<Simplex>::with(settings, &instance, None, i64::MIN, i64::MAX);
        search.begin(&Budget::unlimited()).expect("there is no limit");
        let tree = search.tree.as_ref().expect("it has begun");
        let edge = |source, target| instance.graph.edge_between(source, target).expect("an edge") as usize;
        let along = [edge(0, 1), edge(1, 2), edge(2, 3), edge(3, 0), edge(0, 2)];
        let kin = tree.formulation.kin(&tree.ranges);
        assert_eq!(kin[along[0]], kin[along[1]]);
        assert_eq!(kin[along[2]], kin[along[3]]);
        assert_eq!(kin[along[0]], kin[tree.formulation.model.visit(1) as usize]);
        let mut without = tree.ranges.clone();
        without[along[4]] = Range::Zero;
        let all = tree.formulation.kin(&without);
        assert!(along[..4].iter().all(|&edge| all[edge] == all[along[0]]));
        if !directed {
            assert_ne!(kin[along[0]], kin[along[2]]);
            assert_ne!(kin[along[0]], kin[along[4]]);
        }
    }
}

#[test]
fn limits_end_it_with_a_bound() {
    let instance = Instance::free(circulant(60, &[1, 9, 17]));
    let mut spent = Budget::unlimited();
    spent.deadline = Some(std::time::Instant::now());
    let outcome = solve(&instance, i64::MIN, &spent, &mut Witness { optimum: 59 });
    assert_eq!(outcome.stop, Some(Stop::TimeLimit));
    assert!(outcome.upper >= 59);
    let mut poor = Budget::unlimited();
    poor.memory = 1000;
    let outcome = solve(&instance, i64::MIN, &poor, &mut Witness { optimum: 59 });
    assert_eq!(outcome.stop, Some(Stop::MemoryLimit));
    assert!(outcome.upper >= 59 && outcome.peak_bytes <= 1000);
}

/// A cycle that may be anywhere is no harder to find than those through any of the vertices, of which there are many.
#[test]
fn a_cycle_anywhere_takes_no_more_work_than_some_through_a_vertex() {
    let mut rng = Pcg64Mcg::seed_from_u64(9);
    let n = 24;
    let edges = (0..2 * n).map(|_| Edge {
        source: rng.random_range(0..n),
        target: rng.random_range(0..n),
        weight: rng.random_range(1..20),
    });
    let (graph, _) = CsrGraph::from_multigraph(n as usize, false, edges.collect());
    let through = |vertex| Instance { graph: graph.clone(), ends: Ends::Closed { through: vertex } };
    let settles = |instance: &Instance, work: u64| {
        let mut search = Search::new(instance, None, i64::MIN, i64::MAX);
        search.run(work, &Budget::unlimited(), &mut Silent).stop.is_none()
    };
    let enough = |work: &u64| (0..n).all(|vertex| settles(&through(Some(vertex)), *work));
    let work = (4..).map(|bit| 1 << bit).find(enough).expect("every vertex is settled in the end");
    assert!(settles(&through(None), 4 * work), "there is more to do than through any vertex");
    assert!(!settles(&through(None), 1), "a search that has next to no work pauses");
}
