use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::solve;
use crate::engines::reference::backtracking::{self, Pruning};
use crate::instance::brute_force::enumerate;
use crate::instance::{Budget, Ends, Instance, Monitor, NOT_AN_END, Outcome, Silent};
use crate::limits::Limits;
use crate::rounds::rounds;
use crate::solution::Stop;
use crate::view::{CsrGraph, Edge};

/// The best value by trying everything.
fn brute_force(instance: &Instance) -> Option<i64> {
    enumerate(instance).map(|best| best.1)
}

/// Knows the optimum and fails at the first wrong word.
struct Watcher {
    optimum: Option<i64>,
    floor: i64,
    upper: i64,
}

impl Monitor for Watcher {
    fn incumbent(&mut self, value: i64) {
        assert!(self.optimum.is_some_and(|optimum| value <= optimum), "{value} beats the optimum {:?}", self.optimum);
    }

    fn bound(&mut self, upper: i64) {
        self.upper = self.upper.min(upper);
        let optimum = self.optimum.unwrap_or(i64::MIN);
        assert!(upper.max(self.floor) >= optimum, "the bound {upper} is below the optimum {optimum}");
    }
}

fn budget(threads: usize, memory: usize, limit: Option<Duration>, interrupt: Option<Arc<AtomicBool>>) -> Budget {
    let limits = Limits { time: limit, memory, threads, interrupt, ..Limits::default() };
    Budget::new(Instant::now(), &limits)
}

fn check_path(instance: &Instance, outcome: &Outcome) {
    let Some((path, value)) = &outcome.best else {
        return;
    };
    let mut sorted = path.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), path.len(), "{path:?} visits a vertex twice");
    assert_eq!(instance.value(path), *value, "{path:?} is worth something else");
    match &instance.ends {
        Ends::Open { first, last, .. } => {
            assert_ne!(first[path[0] as usize], NOT_AN_END);
            assert_ne!(last[path[path.len() - 1] as usize], NOT_AN_END);
        }
        Ends::Closed { through } => {
            assert!(path.len() >= if instance.graph.is_directed() { 2 } else { 3 });
            assert!(through.is_none_or(|vertex| path.contains(&vertex)));
        }
    }
}

/// Solves with every combination of a floor, threads and memory, and compares with the optimum.
fn check(instance: &Instance, optimum: Option<i64>) {
    let floors = [Some(i64::MIN), optimum.map(|value| value - 1), optimum, optimum.map(|value| value + 2)];
    for floor in floors.into_iter().flatten() {
        for (threads, memory) in [(1, 1 << 20), (1, 0), (2, 1 << 14)] {
            if threads == 2 && floor != i64::MIN {
                continue;
            }
            let mut watcher = Watcher { optimum, floor, upper: i64::MAX };
            let outcome =
                solve(instance, floor, i64::MAX, u64::MAX, &budget(threads, memory, None, None), &mut watcher);
            let context = || format!("floor {floor}, {threads} threads, {memory} bytes: {instance:?}");
            assert_eq!(outcome.stop, None, "{}", context());
            let wanted = optimum.filter(|&value| value > floor);
            assert_eq!(outcome.best.as_ref().map(|best| best.1), wanted, "{}", context());
            assert_eq!(outcome.upper.max(floor), wanted.unwrap_or(floor), "{}", context());
            check_path(instance, &outcome);
        }
    }
}

struct Dice(Pcg64Mcg);

impl Dice {
    fn new(seed: u64) -> Self {
        Dice(Pcg64Mcg::seed_from_u64(seed))
    }

    fn below(&mut self, count: i64) -> i64 {
        (self.0.next_u64() % count as u64) as i64
    }

    fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below(most - least + 1)
    }

    fn weight(&mut self, kind: usize) -> i64 {
        match kind {
            0 => 1,
            1 => self.between(0, 9),
            _ => self.between(-9, 9),
        }
    }

    fn prizes(&mut self, n: usize, kind: usize) -> Vec<i64> {
        (0..n)
            .map(|_| match kind {
                0 => 0,
                1 => self.between(-5, 12),
                _ if self.below(3) == 0 => NOT_AN_END,
                _ => self.between(-5, 12),
            })
            .collect()
    }

    fn ends(&mut self, n: usize) -> Ends {
        let fixed = |vertex: i64| {
            let mut prizes = vec![NOT_AN_END; n];
            prizes[vertex as usize] = 0;
            prizes
        };
        match self.below(9) {
            0 | 1 => Ends::Open { first: vec![0; n], last: vec![0; n], single_vertex: true },
            2 => Ends::Open { first: fixed(self.below(n as i64)), last: vec![0; n], single_vertex: true },
            3 => Ends::Open { first: self.prizes(n, 1), last: fixed(self.below(n as i64)), single_vertex: true },
            4 => Ends::Open {
                first: fixed(self.below(n as i64)),
                last: fixed(self.below(n as i64)),
                single_vertex: true,
            },
            5 => {
                let kind = self.between(0, 2) as usize;
                let same = self.prizes(n, kind);
                Ends::Open { first: same.clone(), last: same, single_vertex: true }
            }
            6 => {
                let kind = self.between(1, 2) as usize;
                Ends::Open { first: self.prizes(n, kind), last: self.prizes(n, kind), single_vertex: true }
            }
            7 => Ends::Closed { through: None },
            _ => Ends::Closed { through: Some(self.below(n as i64) as u32) },
        }
    }

    /// A random graph in which every pair is an edge with the probability `dense` / 100.
    fn graph(&mut self, n: usize, directed: bool, dense: i64, kind: usize) -> CsrGraph {
        let mut edges = Vec::new();
        for source in 0..n as u32 {
            for target in 0..n as u32 {
                let pair = if directed { source != target } else { source < target };
                if pair && self.below(100) < dense {
                    edges.push(Edge { source, target, weight: self.weight(kind) });
                }
            }
        }
        CsrGraph::from_simple(n, directed, edges)
    }
}

/// The graph on `n` vertices whose edges are the pairs with a bit in `mask`.
fn from_mask(n: usize, directed: bool, mask: u32, mut weight: impl FnMut() -> i64) -> CsrGraph {
    let mut edges = Vec::new();
    let mut bit = 0;
    for source in 0..n as u32 {
        for target in 0..n as u32 {
            if if directed { source != target } else { source < target } {
                if mask >> bit & 1 == 1 {
                    edges.push(Edge { source, target, weight: weight() });
                }
                bit += 1;
            }
        }
    }
    CsrGraph::from_simple(n, directed, edges)
}

#[test]
fn all_small_graphs() {
    let mut dice = Dice::new(1);
    for (n, directed) in [(1, false), (2, false), (3, false), (4, false), (5, false), (2, true), (3, true), (4, true)] {
        let pairs = n * (n - 1) / if directed { 1 } else { 2 };
        for mask in 0..1u32 << pairs {
            for kind in 0..3 {
                let graph = from_mask(n, directed, mask, || dice.weight(kind));
                let ends = if kind == 0 {
                    Ends::Open { first: vec![0; n], last: vec![0; n], single_vertex: true }
                } else {
                    dice.ends(n)
                };
                let instance = Instance { graph, ends };
                check(&instance, brute_force(&instance));
            }
            let instance = Instance { graph: from_mask(n, directed, mask, || 1), ends: Ends::Closed { through: None } };
            check(&instance, brute_force(&instance));
        }
    }
}

#[test]
fn random_graphs_against_the_brute_force() {
    let mut dice = Dice::new(2);
    for round in 0..rounds(2000) {
        let n = dice.between(5, 7) as usize;
        let (dense, kind) = (dice.between(15, 70), round % 3);
        let instance = Instance { graph: dice.graph(n, round % 2 == 0, dense, kind), ends: dice.ends(n) };
        check(&instance, brute_force(&instance));
    }
}

#[test]
fn random_graphs_against_plain_backtracking() {
    let mut dice = Dice::new(3);
    for round in 0..rounds(200) {
        let n = dice.between(8, 13) as usize;
        let (dense, kind) = (dice.between(12, 35), round % 3);
        let mut instance = Instance { graph: dice.graph(n, round % 2 == 0, dense, kind), ends: dice.ends(n) };
        let plain = backtracking::solve(&instance, Pruning::Off, i64::MIN, &budget(1, 0, None, None), &mut Silent);
        let pruned = backtracking::solve(&instance, Pruning::On, i64::MIN, &budget(1, 0, None, None), &mut Silent);
        let optimum = plain.best.map(|best| best.1);
        assert_eq!(pruned.best.map(|best| best.1), optimum, "{instance:?}");
        check(&instance, optimum);

        // The same with isolated vertices, so that sets take 128 bits.
        if !matches!(instance.ends, Ends::Closed { .. }) {
            instance.graph = CsrGraph::from_simple(70, instance.graph.is_directed(), instance.graph.edges().to_vec());
            if let Ends::Open { first, last, .. } = &mut instance.ends {
                first.resize(70, NOT_AN_END);
                last.resize(70, NOT_AN_END);
            }
            check(&instance, optimum);
        }
    }
}

fn unweighted(n: usize, pairs: impl IntoIterator<Item = (u32, u32)>) -> Instance {
    let edges = pairs.into_iter().map(|(source, target)| Edge { source, target, weight: 1 }).collect();
    Instance::free(CsrGraph::from_simple(n, false, edges))
}

/// A tetrahedron, and `rounds` times a vertex put into every face (J. W. Moon and L. Moser, 1963).
fn moon_moser(rounds: usize) -> Instance {
    let mut pairs = vec![(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let mut faces = vec![[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
    let mut n = 4;
    for _ in 0..rounds {
        let mut inner = Vec::new();
        for [a, b, c] in faces {
            pairs.extend([(a, n), (b, n), (c, n)]);
            inner.extend([[a, b, n], [a, c, n], [b, c, n]]);
            n += 1;
        }
        faces = inner;
    }
    unweighted(n as usize, pairs)
}

/// A complete graph on `arms` vertices, each joined to a common centre by a path of `inner` vertices. For 5 arms or more
/// a path leaves out `arms - 4` of these.
fn arms_at_a_clique(arms: u32, inner: u32) -> Instance {
    let mut pairs = Vec::new();
    for one in 0..arms {
        pairs.extend((one + 1..arms).map(|other| (one, other)));
        let at = |step: u32| arms + 1 + one * inner + step;
        pairs.push((one, at(0)));
        pairs.extend((1..inner).map(|step| (at(step - 1), at(step))));
        pairs.push((at(inner - 1), arms));
    }
    unweighted((arms + 1 + arms * inner) as usize, pairs)
}

fn knights(side: i32) -> Instance {
    let mut pairs = Vec::new();
    for (row, column) in (0..side * side).map(|square| (square / side, square % side)) {
        for (down, right) in [(1, 2), (2, 1), (2, -1), (1, -2)] {
            let (to_row, to_column) = (row + down, column + right);
            if to_row < side && (0..side).contains(&to_column) {
                pairs.push(((row * side + column) as u32, (to_row * side + to_column) as u32));
            }
        }
    }
    unweighted((side * side) as usize, pairs)
}

#[test]
fn known_optima_with_one_thread_and_with_two() {
    let hypercube = (0..64u32).flat_map(|v| (0..6).map(move |bit| (v, v | 1 << bit)).filter(|(v, w)| v != w));
    let bipartite = (0..20).flat_map(|a| (20..90).map(move |b| (a, b)));
    let cases = [
        (moon_moser(3), 34),
        (arms_at_a_clique(5, 1), 9),
        (arms_at_a_clique(6, 2), 14),
        (arms_at_a_clique(7, 3), 4 * 3 + 7),
        (knights(5), 24),
        (unweighted(64, hypercube), 63),
        (unweighted(90, bipartite), 40),
        (unweighted(128, []), 0),
        (unweighted(128, (1..128).map(|v| (v - 1, v))), 127),
    ];
    for (instance, optimum) in cases {
        check(&instance, Some(optimum));
    }
}

#[test]
fn long_searches_agree_whatever_the_threads() {
    let mut dice = Dice::new(4);
    let mut instances = vec![(arms_at_a_clique(8, 3), Some(4 * 3 + 8))];
    for round in 0..rounds(6) {
        let (n, dense, kind) = (dice.between(20, 24) as usize, dice.between(8, 15), round % 3);
        let ends = if round % 4 == 3 { Ends::Closed { through: None } } else { dice.ends(n) };
        let instance = Instance { graph: dice.graph(n, round % 2 == 0, dense, kind), ends };
        let reference = backtracking::solve(&instance, Pruning::On, i64::MIN, &budget(1, 0, None, None), &mut Silent);
        instances.push((instance, reference.best.map(|best| best.1)));
    }
    let mut longest = 0;
    for (instance, optimum) in instances {
        check(&instance, optimum);

        let run = || solve(&instance, i64::MIN, i64::MAX, u64::MAX, &budget(1, 1 << 24, None, None), &mut Silent);
        let (one, other) = (run(), run());
        assert_eq!((one.best, one.steps), (other.best, other.steps), "two runs with one thread differ");
        longest = longest.max(one.steps);
    }
    assert!(longest > 2 * super::TRIAL, "no search was long enough to use the threads: {longest} steps");
}

#[test]
fn limits_leave_a_path_and_a_bound() {
    let instance = arms_at_a_clique(20, 5);
    let optimum = 19 + 5 * 4 + 1;
    let raised = Some(Arc::new(AtomicBool::new(true)));
    for (threads, limit, flag, stop) in [
        (1, None, raised.clone(), Stop::Interrupted),
        (2, None, raised, Stop::Interrupted),
        (1, Some(Duration::ZERO), None, Stop::TimeLimit),
        (2, Some(Duration::from_millis(30)), None, Stop::TimeLimit),
    ] {
        let mut watcher = Watcher { optimum: Some(optimum), floor: i64::MIN, upper: i64::MAX };
        let outcome =
            solve(&instance, i64::MIN, i64::MAX, u64::MAX, &budget(threads, 1 << 20, limit, flag), &mut watcher);
        assert_eq!(outcome.stop, Some(stop));
        assert!(outcome.upper >= optimum);
        assert_eq!(outcome.upper, watcher.upper, "the monitor heard of another bound");
        assert!(outcome.best.is_some());
        check_path(&instance, &outcome);
        // The table alone may take half, and its growth for a moment more.
        assert!(outcome.peak_bytes <= 1 << 20);
    }
}

#[test]
fn too_large_a_instance_is_left_alone() {
    let instance = unweighted(129, (1..129).map(|v| (v - 1, v)));
    let outcome = solve(&instance, 5, i64::MAX, u64::MAX, &budget(1, 1 << 20, None, None), &mut Silent);
    assert_eq!((outcome.best, outcome.upper, outcome.stop), (None, 128, Some(Stop::Exhausted)));
}
