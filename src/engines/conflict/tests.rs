//! The engine against plain enumeration on random small instances, with every part switched off in turn and pauses anywhere, and
//! no bound it tells ever below the optimum.

use std::sync::Arc;

use longhaul_check::Limits;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::config::Config;
use super::lookahead::Lookahead;
use super::model::Model;
use super::prover::derive;
use super::search::{Question, Search};
use super::solver::{Solver, Verdict};
use super::ties::{Spanning, spanning};
use crate::engines::door::Door;
use crate::instance::brute_force::enumerate;
use crate::instance::{Budget, Ends, Instance, Monitor, NOT_AN_END};
use crate::proof::{Draft, Record, Step};
use crate::rounds::rounds;
use crate::solution::Stop;
use crate::view::{CsrGraph, Edge};

/// Nothing it hears contradicts the optimum.
struct Watcher {
    optimum: Option<i64>,
    floor: i64,
}

impl Monitor for Watcher {
    fn incumbent(&mut self, value: i64) {
        assert!(self.optimum.is_some_and(|optimum| value <= optimum), "{value} is more than {:?}", self.optimum);
    }

    fn bound(&mut self, upper: i64) {
        let least = self.optimum.unwrap_or(i64::MIN).max(self.floor);
        assert!(upper >= least, "{upper} does not bound {least}");
    }
}

fn some_instance(most: u32, random: &mut Pcg64Mcg) -> Instance {
    let n = random.random_range(1..=most);
    let is_directed = random.random_ratio(1, 3);
    let density = random.random_range(1..=10);
    let weights = random.random_range(0..4);
    let mut edges = Vec::new();
    for source in 0..n {
        for target in 0..n {
            if source != target && (is_directed || source < target) && random.random_range(0..10) < density {
                let weight = match weights {
                    0 => 1,
                    1 => random.random_range(1..=4),
                    2 => random.random_range(-3..=5),
                    _ => 7,
                };
                edges.push(Edge { source, target, weight });
            }
        }
    }
    if !is_directed && random.random_ratio(1, 4) {
        subdivide(n / 2, &mut edges, random);
    }
    let nowhere = || vec![NOT_AN_END; n as usize];
    let free = || vec![0; n as usize];
    let some = |random: &mut Pcg64Mcg| random.random_range(0..n) as usize;
    let prizes = |random: &mut Pcg64Mcg| -> Vec<i64> {
        let prize = |_| if random.random_ratio(1, 3) { NOT_AN_END } else { random.random_range(-3..=3) };
        (0..n).map(prize).collect()
    };
    let (first, last) = match random.random_range(0..7) {
        0 => return Instance { graph: graph(n, is_directed, edges), ends: Ends::Closed { through: None } },
        1 => {
            let through = Some(some(random) as u32);
            return Instance { graph: graph(n, is_directed, edges), ends: Ends::Closed { through } };
        }
        2 => {
            let (mut first, mut last) = (nowhere(), nowhere());
            (first[some(random)], last[some(random)]) = (0, 0);
            (first, last)
        }
        3 => {
            let mut first = nowhere();
            first[some(random)] = 2;
            (first, free())
        }
        4 => {
            let first = prizes(random);
            let last = if random.random_ratio(1, 2) { first.clone() } else { prizes(random) };
            (first, last)
        }
        _ => (free(), free()),
    };
    let single_vertex = random.random_ratio(1, 2);
    Instance { graph: graph(n, is_directed, edges), ends: Ends::Open { first, last, single_vertex } }
}

/// Keeps the edges between so many vertices, and puts the other vertices within them, one after another.
fn subdivide(core: u32, edges: &mut Vec<Edge>, random: &mut Pcg64Mcg) {
    let all = edges.iter().map(|edge| edge.target + 1).max().unwrap_or(0);
    edges.retain(|edge| edge.target < core);
    for vertex in core..all {
        if edges.is_empty() {
            return;
        }
        let place = random.random_range(0..edges.len());
        let Edge { target, weight, .. } = edges[place];
        edges[place].target = vertex;
        edges.push(Edge { source: target, target: vertex, weight });
    }
    edges.sort_by_key(|edge| (edge.source, edge.target));
}

fn graph(n: u32, is_directed: bool, edges: Vec<Edge>) -> CsrGraph {
    CsrGraph::from_simple(n as usize, is_directed, edges)
}

fn some_config(random: &mut Pcg64Mcg) -> Config {
    Config {
        seed: random.random_range(0..100),
        phase: random.random_ratio(1, 2),
        closing: random.random_ratio(3, 4),
        short_reasons: random.random_ratio(3, 4),
        parity: random.random_ratio(3, 4),
        minimise: random.random_ratio(3, 4),
        connectivity: [0, 1, 3, 32][random.random_range(0..4usize)],
        lookahead: random.random_ratio(1, 2),
    }
}

/// Asks with a floor, in segments of so many conflicts, and compares.
fn check(instance: &Instance, config: Config, floor: i64, segment: u64) {
    let optimum = enumerate(instance).map(|best| best.1);
    let mut watcher = Watcher { optimum, floor };
    let question = Question::new(instance);
    let mut search = Search::new(&question, config, floor, i64::MAX);
    let outcome = loop {
        let outcome = search.run(segment, &Budget::unlimited(), &mut watcher);
        if outcome.stop.is_none() {
            break outcome;
        }
        assert_eq!(outcome.stop, Some(Stop::Exhausted));
    };
    let expected = optimum.filter(|&optimum| optimum > floor);
    assert_eq!(outcome.best.as_ref().map(|(_, value)| *value), expected, "{instance:?} {config:?} {floor}");
    assert_eq!(outcome.upper, expected.unwrap_or(floor), "{instance:?} {config:?} {floor}");
    if let Some((path, value)) = &outcome.best {
        let mut seen: Vec<u32> = path.clone();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), path.len(), "{instance:?} {path:?}");
        assert_eq!(instance.value(path), *value);
        if let Ends::Closed { through: Some(vertex) } = instance.ends {
            assert!(path.contains(&vertex));
        }
    }
}

/// `CONFLICT_CASES` says how many cases are tried, `CONFLICT_SEED` which; otherwise a few, always the same.
#[test]
fn random_pieces_with_every_part_off_in_turn() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a number"));
    let cases: u64 = number("CONFLICT_CASES").unwrap_or(4000);
    let most = if cases > 4000 { 9 } else { 8 };
    let mut random = Pcg64Mcg::seed_from_u64(number("CONFLICT_SEED").unwrap_or(15));
    for _ in 0..cases {
        let instance = some_instance(most, &mut random);
        let config = some_config(&mut random);
        let segment = [1, 10, 100, u64::MAX][random.random_range(0..4usize)];
        let floor = [i64::MIN, random.random_range(0..9)][random.random_range(0..2usize)];
        check(&instance, config, floor, segment);
    }
}

/// Where some vertices may be skipped and none must be visited, the cut around a part that the rest could be skipped for is no
/// reason: two cycles of three and four vertices that nothing joins.
#[test]
fn a_part_is_not_cut_off_while_the_rest_may_be_skipped() {
    let pairs = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 6), (6, 3)];
    for heavy in [1, 9] {
        let weight = |source| if source < 3 { heavy } else { 1 };
        let edges = pairs.map(|(source, target)| Edge { source, target, weight: weight(source) }).to_vec();
        let instance = Instance { graph: graph(7, false, edges), ends: Ends::Closed { through: None } };
        for connectivity in [0, 1] {
            for floor in [i64::MIN, 0, 3, 4, 26, 27] {
                check(&instance, Config { connectivity, ..Config::default() }, floor, 1);
            }
        }
    }
}

/// Generalised Petersen graphs: GP(n, 2) has no Hamiltonian cycle where n is 5 modulo 6, but then one that misses a vertex (G. N. Robertson, *Graphs minimal under
/// girth, valency and connectivity constraints*, 1969; J. A. Bondy, *Variations on the Hamiltonian theme*, 1972).
#[test]
fn generalised_petersen_graphs() {
    for (n, is_hamiltonian) in [(5, false), (7, true), (11, false), (13, true), (17, false)] {
        let spokes = (0..n).flat_map(|i| [(i, (i + 1) % n), (i, n + i), (n + i, n + (i + 2) % n)]);
        let edges = spokes.map(|(source, target)| Edge { source, target, weight: 1 }).collect();
        let instance = Instance { graph: graph(2 * n, false, edges), ends: Ends::Closed { through: None } };
        let optimum = 2 * i64::from(n) - i64::from(!is_hamiltonian);
        let mut watcher = Watcher { optimum: Some(optimum), floor: i64::MIN };
        let outcome = Config::default().answer(&instance, i64::MIN, &Budget::unlimited(), &mut watcher).unwrap();
        assert_eq!((outcome.stop, outcome.upper), (None, optimum), "n = {n}");
        assert_eq!(outcome.best.map(|(_, value)| value), Some(optimum), "n = {n}");
    }
}

/// Vertices with two edges tie others: each gadget of nine vertices in a row, with two chords, is passed in one of two ways, and
/// a choice at one end of it is one at the other.
#[test]
fn gadgets_have_one_choice_each() {
    let row = (0..8).map(|at| (at, at + 1)).chain([(0, 5), (3, 8)]);
    let ring = |joins: &[(u32, u32)]| {
        let gadgets = (0..3).flat_map(|gadget| row.clone().map(move |(one, two)| (9 * gadget + one, 9 * gadget + two)));
        let pairs = gadgets.chain(joins.iter().copied());
        pairs.map(|(source, target)| Edge { source, target, weight: 1 }).collect::<Vec<Edge>>()
    };
    // Three gadgets of which each may be passed in either way, and three of which one is left by no edge.
    let free = (0..3).flat_map(|gadget| {
        let next = 9 * ((gadget + 1) % 3);
        [8, 6].into_iter().flat_map(move |out| [0, 2].map(|into| (9 * gadget + out, next + into)))
    });
    let passable = graph(27, false, ring(&free.collect::<Vec<_>>()));
    let blocked = graph(27, false, ring(&[(8, 9), (17, 20), (0, 26), (2, 11)]));
    let model = spanning(&passable).expect("there is a cycle");
    let inner = (0..10).map(|edge| model.lit(edge).var()).collect::<std::collections::HashSet<u32>>();
    // Six edges are certain.
    assert_eq!(inner.len(), 7);
    for graph in [passable, blocked] {
        let instance = Instance { graph, ends: Ends::Closed { through: None } };
        check(&instance, Config::default(), i64::MIN, u64::MAX);
    }
}

/// Isaacs' flower snarks: an odd number of stars, whose tips form one short and one long cycle; none is Hamiltonian (R. Isaacs,
/// *Infinite families of nontrivial trivalent graphs which are not Tait colorable*, American Mathematical Monthly 82 (1975)
/// 221–239), but all miss no more than one vertex.
#[test]
fn flower_snarks() {
    for stars in [5u32, 7, 9, 11] {
        let [centre, one, two, three] = [0, 1, 2, 3].map(|part| move |star: u32| 4 * star + part);
        let mut pairs = Vec::new();
        for star in 0..stars {
            pairs.extend([one(star), two(star), three(star)].map(|tip| (centre(star), tip)));
            let next = (star + 1) % stars;
            let crosses = next == 0;
            pairs.push((one(star), one(next)));
            pairs.push((two(star), if crosses { three(next) } else { two(next) }));
            pairs.push((three(star), if crosses { two(next) } else { three(next) }));
        }
        let edges = pairs.into_iter().map(|(source, target)| Edge { source, target, weight: 1 }).collect();
        let instance = Instance { graph: graph(4 * stars, false, edges), ends: Ends::Closed { through: None } };
        let optimum = i64::from(4 * stars) - 1;
        let mut watcher = Watcher { optimum: Some(optimum), floor: i64::MIN };
        let outcome = Config::default().answer(&instance, i64::MIN, &Budget::unlimited(), &mut watcher).unwrap();
        assert_eq!((outcome.stop, outcome.upper), (None, optimum), "{stars} stars");
        assert_eq!(outcome.best.map(|(_, value)| value), Some(optimum), "{stars} stars");
    }
}

/// A cycle that misses one vertex of a group is found where there is one, and nothing speaks at once against that vertex.
#[test]
fn one_vertex_of_a_group_is_missed() {
    let mut random = Pcg64Mcg::seed_from_u64(17);
    let mut found = 0;
    for _ in 0..2000 {
        let Instance { graph: whole, .. } = some_instance(8, &mut random);
        let n = whole.vertex_count() as u32;
        if n < 2 {
            continue;
        }
        let unit = |edge: &Edge| Edge { weight: 1, ..*edge };
        let whole = graph(n, whole.is_directed(), whole.edges().iter().map(unit).collect());
        let without = |missed: u32| {
            let name = |vertex: u32| if vertex > missed { vertex - 1 } else { vertex };
            let edges = whole.edges().iter().filter(|edge| edge.source != missed && edge.target != missed);
            let edges = edges.map(|edge| Edge { source: name(edge.source), target: name(edge.target), weight: 1 });
            let rest = graph(n - 1, whole.is_directed(), edges.collect());
            let optimum = enumerate(&Instance { graph: rest, ends: Ends::Closed { through: None } });
            optimum.is_some_and(|(_, value)| value == i64::from(n) - 1)
        };
        let possible: Vec<u32> = (0..n).filter(|&vertex| without(vertex)).collect();
        let mut nearly = Spanning::of(&whole).expect("there are vertices");
        assert!(possible.iter().all(|&vertex| nearly.may_miss(vertex)), "{whole:?} {possible:?}");
        let group: Vec<u32> = (0..n).filter(|_| random.random_ratio(1, 2)).collect();
        if group.is_empty() {
            continue;
        }
        let expected = possible.iter().any(|vertex| group.contains(vertex));
        let Some(model) = nearly.missing_one_of(&group) else {
            assert!(!expected, "{whole:?} {group:?}");
            continue;
        };
        let instance = Instance { graph: whole, ends: Ends::Closed { through: None } };
        let by_learning =
            Solver::new(&model, some_config(&mut random), i64::MIN).search(u64::MAX, usize::MAX, &mut || None);
        let mut budget = Budget::unlimited();
        budget.threads = random.random_range(1..4);
        let ahead = Lookahead::new(&model, &group).search(u64::MAX, usize::MAX, &budget);
        for verdict in [by_learning, ahead] {
            match verdict {
                Verdict::Found(edges) => {
                    let cycle = model.path(&edges, &instance);
                    assert_eq!((cycle.len() as i64, instance.value(&cycle)), (i64::from(n) - 1, i64::from(n) - 1));
                    assert!(group.iter().any(|vertex| !cycle.contains(vertex)));
                    found += 1;
                }
                verdict => assert!(verdict == Verdict::Refuted && !expected, "{verdict:?} {instance:?} {group:?}"),
            }
        }
    }
    assert!(found > 100, "{found} cycles only");
}

/// Where luck is short every solver gets another beside it, and both prove the same.
#[test]
fn solvers_beside_each_other() {
    let mut random = Pcg64Mcg::seed_from_u64(16);
    for round in 0..500 {
        let instance = some_instance(7, &mut random);
        let optimum = enumerate(&instance).map(|best| best.1);
        let mut watcher = Watcher { optimum, floor: i64::MIN };
        let question = Question::new(&instance);
        let mut search = Search::new(&question, some_config(&mut random), i64::MIN, i64::MAX);
        search.double();
        let mut budget = Budget::unlimited();
        budget.threads = 1 + round % 2;
        while search.run(20, &budget, &mut watcher).stop.is_some() {}
        let outcome = search.run(1, &budget, &mut watcher);
        assert_eq!(outcome.best.map(|(_, value)| value), optimum, "{instance:?}");
        assert_eq!(outcome.upper, optimum.unwrap_or(i64::MIN), "{instance:?}");
    }
}

/// Flower snarks (R. Isaacs, *Infinite families of nontrivial trivalent graphs which are not Tait colorable*, The American
/// Mathematical Monthly 82 (1975) 221–239, doi:10.2307/2319844) have no Hamiltonian cycle, but one that misses any vertex.
#[test]
fn two_threads_learn_from_each_other() {
    for k in [9u32, 13] {
        let star = |at: u32| (0..3).map(move |arm| (4 * at, 4 * at + 1 + arm));
        let ring = (0..k).map(|at| (4 * at + 1, 4 * ((at + 1) % k) + 1));
        let twisted = (0..2 * k).map(|at| {
            let place = |at: u32| 4 * (at % k) + 2 + at / k % 2;
            (place(at), place(at + 1))
        });
        let edges = (0..k).flat_map(star).chain(ring).chain(twisted);
        let edges = edges.map(|(source, target)| Edge { source, target, weight: 1 }).collect();
        let n = 4 * k as usize;
        let graph = CsrGraph::from_simple(n, false, edges);
        let instance = Instance { graph, ends: Ends::Closed { through: None } };
        let question = Question::new(&instance);
        let mut search = Search::new(&question, Config::default(), i64::MIN, i64::MAX);
        search.double();
        let mut budget = Budget::unlimited();
        budget.threads = 2;
        let mut watcher = Watcher { optimum: Some(n as i64 - 1), floor: i64::MIN };
        let outcome = search.run(u64::MAX, &budget, &mut watcher);
        assert_eq!((outcome.best.map(|(_, value)| value), outcome.upper), (Some(n as i64 - 1), n as i64 - 1));
    }
}

#[test]
fn limits_are_kept() {
    let mut budget = Budget::unlimited();
    budget.memory = 1000;
    let edges = (0..20).map(|source| Edge { source, target: source + 1, weight: 1 }).collect();
    let instance = Instance::free(graph(21, false, edges));
    let mut watcher = Watcher { optimum: Some(20), floor: i64::MIN };
    let outcome = Config::default().answer(&instance, i64::MIN, &budget, &mut watcher).unwrap();
    assert_eq!((outcome.stop, outcome.best), (Some(Stop::MemoryLimit), Some((vec![20], 0))));
    assert!(outcome.upper >= 20);
}

/// Derives a claim, and has the checker read what was derived.
fn derived(instance: &Instance, claim: Option<i64>, config: Config) -> Option<Result<Vec<u8>, String>> {
    let (multipliers, derivation) = derive(instance, claim, config, u64::MAX, &Budget::unlimited())?;
    let mut record = Record::default();
    record.add(Step::Learn(multipliers, Arc::new(derivation)));
    let numbers: Vec<u32> = (0..instance.graph.vertex_count() as u32).collect();
    let draft = Draft { binary: false, ..Draft::of(instance, &numbers, claim) };
    Some(draft.write(&record, &Limits::default()))
}

/// What is true is derived, whatever is switched off, and the checker accepts it; what is not is not.
#[test]
fn what_is_learnt_is_a_proof() {
    let mut random = Pcg64Mcg::seed_from_u64(31);
    for _ in 0..rounds(10_000) {
        let mut instance = some_instance(8, &mut random);
        if let Ends::Open { single_vertex, .. } = &mut instance.ends {
            *single_vertex = true;
        }
        let optimum = enumerate(&instance).map(|best| best.1);
        let config = some_config(&mut random);
        let claim = optimum.map(|optimum| optimum + random.random_range(0..=1));
        match derived(&instance, claim, config) {
            Some(proof) => assert_eq!(proof.err(), None, "{instance:?} {claim:?} {config:?}"),
            None => assert!(Model::new(&instance).is_none(), "{instance:?} {claim:?} {config:?}"),
        }
        if let Some(optimum) = optimum {
            assert!(derived(&instance, Some(optimum - 1), config).is_none_or(|proof| proof.is_err()));
        }
    }
}

/// Edges that say the same are one to a proof as well, cuts are crossed an even number of times, and what is learnt is used again.
#[test]
fn what_is_learnt_of_larger_graphs_is_a_proof() {
    let mut random = Pcg64Mcg::seed_from_u64(32);
    let mut refuted = 0;
    for _ in 0..rounds(40) {
        let instance = nearly_cubic(40 + 2 * random.random_range(0..20), &mut random);
        let n = instance.graph.vertex_count() as i64;
        let spans = spanning(&instance.graph).is_some_and(|model| {
            let mut solver = Solver::new(&model, Config::default(), i64::MIN);
            matches!(solver.search(u64::MAX, usize::MAX, &mut || None), Verdict::Found(_))
        });
        let proof = derived(&instance, Some(n - 1), some_config(&mut random));
        assert_eq!(proof.is_none(), spans, "{instance:?}");
        refuted += usize::from(!spans);
        proof.into_iter().for_each(|proof| assert_eq!(proof.err(), None, "{instance:?}"));
    }
    assert!(refuted > 5 && refuted < rounds(40), "{refuted} of {}", rounds(40));
}

/// What shows of a graph that no cycle spans it does not show it of the same with the edge that is missing, though ties and sides may be
/// the same.
#[test]
fn what_is_learnt_of_one_graph_is_no_proof_of_another() {
    let mut random = Pcg64Mcg::seed_from_u64(33);
    let mut tried = 0;
    for _ in 0..rounds(60) {
        let n = 40 + 2 * random.random_range(0..20);
        let instance = nearly_cubic(n, &mut random);
        let Some(Ok(proof)) = derived(&instance, Some(i64::from(n) - 1), some_config(&mut random)) else { continue };
        let has = |vertex: u32| {
            let edge = edge_of(vertex, (vertex + 1) % n);
            instance.graph.edges().iter().any(|other| (other.source, other.target) == (edge.source, edge.target))
        };
        let missing = (0..n).find(|&vertex| !has(vertex)).expect("one is missing");
        let mut edges = instance.graph.edges().to_vec();
        edges.push(edge_of(missing, (missing + 1) % n));
        edges.sort_by_key(|edge| (edge.source, edge.target));
        let whole = Instance { graph: graph(n, false, edges), ends: Ends::Closed { through: None } };
        let numbers: Vec<u32> = (0..n).collect();
        let [old, new] = [&instance, &whole].map(|instance| Draft::of(instance, &numbers, None).graph());
        let head =
            |graph: &longhaul_check::graph::Graph| format!("{} undirected {}", graph.edges.len(), graph.digest());
        let text = String::from_utf8(proof).expect("words");
        let forged = text.replacen(&head(&old), &head(&new), 1);
        assert_ne!(text, forged);
        let why = longhaul_check::check(&new, forged.as_bytes(), &Limits::default()).expect_err("it has one");
        assert!(why.contains("contradiction") || why.contains("tie"), "{why}");
        tried += 1;
    }
    assert!(tried > 5, "{tried}");
}

/// A random graph with a great cycle but for one edge, for the cycles in it.
fn nearly_cubic(n: u32, random: &mut Pcg64Mcg) -> Instance {
    let mut edges: Vec<Edge> = (0..n).map(|vertex| edge_of(vertex, (vertex + 1) % n)).collect();
    for skip in 0..n / 2 {
        let (one, other) = (2 * skip, (2 * skip + 2 * random.random_range(1..n / 4) + 1) % n);
        edges.push(edge_of(one, other));
    }
    edges.remove(random.random_range(0..n as usize));
    edges.sort_by_key(|edge| (edge.source, edge.target));
    edges.dedup_by_key(|edge| (edge.source, edge.target));
    Instance { graph: graph(n, false, edges), ends: Ends::Closed { through: None } }
}

fn edge_of(one: u32, other: u32) -> Edge {
    Edge { source: one.min(other), target: one.max(other), weight: 1 }
}
