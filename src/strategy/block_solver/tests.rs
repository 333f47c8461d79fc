//! Engines side by side against plain enumeration, and each with what another could tell it.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::learning::{Learner, Pausing};
use super::merging::Savings;
use super::neighbourhoods::Balls;
use super::wide::Prospect;
use super::{BlockSolver, Context, Log, quick_order};
use crate::engine::Method;
use crate::engines::door::Door;
use crate::engines::reference::backtracking::{self, Pruning};
use crate::engines::{branch_and_bound, branch_and_cut, conflict, frontier};
use crate::instance::{Budget, Ends, Instance, Monitor, NOT_AN_END, SharedBounds, Silent};
use crate::reduce::Reductions;
use crate::solution::Stop;
use crate::view::{CsrGraph, Edge};

/// Hears news in one order, none of which contradicts the optimum or repeats what was known.
struct Listener {
    optimum: i64,
    lower: i64,
    upper: i64,
    methods: Vec<Method>,
}

impl Listener {
    fn new(optimum: i64) -> Self {
        Listener { optimum, lower: i64::MIN, upper: i64::MAX, methods: Vec::new() }
    }
}

impl Monitor for Listener {
    fn incumbent(&mut self, value: i64) {
        assert!(value <= self.optimum);
        self.lower = self.lower.max(value);
    }

    fn bound(&mut self, upper: i64) {
        assert!(upper >= self.optimum, "{upper} does not bound {}", self.optimum);
        self.upper = self.upper.min(upper);
    }
}

impl Log for Listener {
    fn works(&mut self, method: Method) {
        self.methods.push(method);
    }

    fn note(&mut self, decision: String) {
        assert!(!decision.is_empty());
    }
}

fn random_instance(rng: &mut Pcg64Mcg) -> Instance {
    let n = rng.random_range(6..=9usize);
    let directed = rng.random_bool(0.5);
    let density = rng.random_range(0.25..0.6);
    let weights = [(1, 1), (-2, 5), (0, 2)][rng.random_range(0..3)];
    let mut edges = Vec::new();
    for source in 0..n as u32 {
        for target in 0..n as u32 {
            if (source < target || (directed && source != target)) && rng.random_bool(density) {
                edges.push(Edge { source, target, weight: rng.random_range(weights.0..=weights.1) });
            }
        }
    }
    let mut prizes = |forbidden: f64| -> Vec<i64> {
        (0..n).map(|_| if rng.random_bool(forbidden) { NOT_AN_END } else { rng.random_range(-2..=3) }).collect()
    };
    let (first, last) = (prizes(0.3), prizes(0.3));
    let ends = match rng.random_range(0..4) {
        0 => Ends::Open { first: vec![0; n], last: vec![0; n], single_vertex: true },
        1 => Ends::Open { first, last, single_vertex: false },
        2 => Ends::Closed { through: Some(rng.random_range(0..n as u32)) },
        _ => Ends::Open { first, last: vec![0; n], single_vertex: true },
    };
    Instance { graph: CsrGraph::from_simple(n, directed, edges), ends }
}

fn optimum(instance: &Instance) -> i64 {
    backtracking::solve(instance, Pruning::Off, i64::MIN, &Budget::unlimited(), &mut Silent).upper
}

fn prospect(instance: &Instance) -> Prospect {
    Prospect { reduced: None, order: quick_order(&instance.graph, &Budget::unlimited()), ruled_out: 0, bound: None }
}

#[test]
fn side_by_side_they_find_the_best_path() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let context = Context { reductions: Reductions::all(), components_were_asked: false };
    for round in 0..300 {
        let instance = random_instance(&mut rng);
        let optimum = optimum(&instance);
        let floor = if round % 3 == 0 { optimum.saturating_sub(1) } else { i64::MIN };
        let upper = instance.trivial_bound().max(floor);
        let mut listener = Listener { upper, ..Listener::new(optimum.max(floor)) };
        let mut budget = Budget::unlimited();
        budget.threads = 2 + round % 2;
        let mut block_solver = BlockSolver::new(&instance, floor, budget, &context, &mut listener);
        let question = OnceLock::new();
        let cuts = branch_and_cut::Search::new(&instance, None, floor, block_solver.answer.upper);
        let mut pausing = Pausing::new(cuts, Learner::new(&instance, &question));
        // As small moves leave it.
        block_solver.answer.stop = Some(Stop::Exhausted);
        assert!(!block_solver.is_over());
        if round % 2 == 0 {
            block_solver.order_and_sweep_beside_cuts(&mut pausing, &mut prospect(&instance), None);
        } else {
            block_solver.work_beside_cuts(&mut pausing, &prospect(&instance), f64::INFINITY, None);
        }
        // Where branch and cut left far less to do, both have ended early.
        if !block_solver.settled() {
            block_solver.cut(&mut pausing, u64::MAX);
        }
        let answer = block_solver.answer;
        assert_eq!(answer.upper, optimum.max(floor), "{instance:?}");
        if optimum > floor {
            let (path, value) = answer.best.expect("there is a better path");
            assert_eq!((value, instance.value(&path)), (optimum, optimum), "{instance:?}");
            assert_eq!((listener.lower, listener.upper), (optimum, optimum), "the log has heard of it");
            assert!(listener.methods.iter().all(|method| !method.name.is_empty()));
        } else {
            assert!(answer.best.is_none());
        }
    }
}

/// Whatever is known beside, an engine brings the best path if that is better, and proves that nothing is if not.
#[test]
fn every_engine_takes_note_of_what_is_known_beside() {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    for _ in 0..300 {
        let instance = random_instance(&mut rng);
        let optimum = optimum(&instance);
        if optimum == i64::MIN {
            continue;
        }
        for (below, above) in [(1, 0), (2, 1), (0, 1), (0, 3), (1, 1_000_000)] {
            let shared_bounds = Arc::new(SharedBounds::new(optimum - below, optimum + above));
            let mut budget = Budget::unlimited();
            budget.shared = Some(shared_bounds);
            let order = quick_order(&instance.graph, &budget);
            let listener = || Listener::new(optimum);
            let outcomes = [
                branch_and_cut::Config::default().answer(&instance, i64::MIN, &budget, &mut listener()).unwrap(),
                frontier::solve(&instance, order.vertices(), None, i64::MIN, &budget, &mut listener()),
                branch_and_bound::solve(&instance, i64::MIN, i64::MAX, u64::MAX, &budget, &mut listener()),
                conflict::Config::default().answer(&instance, i64::MIN, &budget, &mut listener()).unwrap(),
            ];
            for outcome in outcomes {
                let best = outcome.best.map(|(path, value)| (instance.value(&path), value));
                assert!(outcome.upper.max(optimum - below) == optimum, "{} for {optimum}: {instance:?}", outcome.upper);
                if below > 0 {
                    assert_eq!(best, Some((optimum, optimum)), "{instance:?}");
                }
            }
        }
    }
}

/// A sweep of what the program uses brings paths of the instance, and leaves the bound alone.
#[test]
fn what_the_program_uses_is_a_hint() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let context = Context { reductions: Reductions::all(), components_were_asked: false };
    let mut found = 0;
    for round in 0..400u32 {
        let instance = random_instance(&mut rng);
        let optimum = optimum(&instance);
        let mut listener = Listener::new(optimum);
        let upper = instance.trivial_bound();
        let mut block_solver = BlockSolver::new(&instance, i64::MIN, Budget::unlimited(), &context, &mut listener);
        let mut cuts = branch_and_cut::Search::new(&instance, None, i64::MIN, upper);
        cuts.run(rng.random_range(1..30), &Budget::unlimited(), &mut Silent);
        if round.is_multiple_of(2) {
            block_solver.sweep_support(&cuts.uses(), Duration::from_secs(1), &mut Savings::of(Duration::ZERO));
        } else {
            block_solver.sweep_firm_support(&cuts.uses(), &mut Savings::of(Duration::from_secs(1)));
        }
        assert_eq!(block_solver.answer.upper, upper);
        if let Some((path, value)) = &block_solver.answer.best {
            assert_eq!(instance.value(path), *value);
            assert!(*value <= optimum);
            found += 1;
        }
    }
    assert!(found > 200, "{found} paths");
}

/// Poor paths become better ones along what the program uses firmly, most of them far better.
#[test]
fn what_the_program_uses_firmly_makes_paths_better() {
    let mut rng = Pcg64Mcg::seed_from_u64(8);
    let context = Context { reductions: Reductions::all(), components_were_asked: false };
    let mut far_better = 0;
    for _ in 0..10 {
        let instance = streets(10, &mut rng);
        let upper = instance.trivial_bound();
        let mut cuts = branch_and_cut::Search::new(&instance, None, i64::MIN, upper);
        let bound = cuts.run(300_000, &Budget::unlimited(), &mut Silent).upper;
        let edge = instance.graph.edges()[0];
        let mut listener = Listener::new(bound);
        let mut block_solver = BlockSolver::new(&instance, i64::MIN, Budget::unlimited(), &context, &mut listener);
        block_solver.answer.best = Some((vec![edge.source, edge.target], edge.weight));
        block_solver.sweep_firm_support(&cuts.uses(), &mut Savings::of(Duration::from_secs(60)));
        let (path, value) = block_solver.answer.best.expect("there was a path");
        assert_eq!((instance.value(&path), listener.lower), (value, value));
        assert!(value > edge.weight);
        far_better += usize::from(4 * value > 3 * bound);
    }
    assert!(far_better >= 7, "{far_better} of ten");
}

/// Where a path and the program differ in many parts, each of them becomes better by itself.
#[test]
fn parts_that_differ_make_paths_better() {
    let mut rng = Pcg64Mcg::seed_from_u64(9);
    let context = Context { reductions: Reductions::all(), components_were_asked: false };
    let (mut better, mut paths) = (0, 0);
    for round in 0..40 {
        let instance = streets(8, &mut rng);
        let upper = instance.trivial_bound();
        let mut cuts = branch_and_cut::Search::new(&instance, None, i64::MIN, upper);
        let bound = cuts.run(20_000, &Budget::unlimited(), &mut Silent).upper;
        let mut listener = Listener::new(bound);
        let mut budget = Budget::unlimited();
        budget.seed = round;
        let mut block_solver = BlockSolver::new(&instance, i64::MIN, budget, &context, &mut listener);
        block_solver.climb(20_000);
        let Some((_, before)) = block_solver.answer.best.clone() else { continue };
        block_solver.look_where_parts_differ(&cuts.uses());
        let (path, value) = block_solver.answer.best.expect("there was a path");
        assert_eq!(instance.value(&path), value);
        assert!((before..=bound).contains(&value), "{value} after {before}, and no more than {bound}");
        paths += 1;
        better += usize::from(value > before);
    }
    assert!(better > 10, "{better} of {paths} paths");
}

/// Slices of learning bring paths of the instance and true bounds, and all of them together the optimum.
#[test]
fn slices_of_learning_come_to_an_end() {
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    let context = Context { reductions: Reductions::all(), components_were_asked: false };
    let mut learnt = 0;
    for _ in 0..300 {
        let instance = random_instance(&mut rng);
        let optimum = optimum(&instance);
        let mut listener = Listener::new(optimum);
        let question = OnceLock::new();
        let mut learner = Learner::new(&instance, &question);
        let mut block_solver = BlockSolver::new(&instance, i64::MIN, Budget::unlimited(), &context, &mut listener);
        let mut slices = 0;
        while !block_solver.settled() && slices < 10_000 {
            let before = block_solver.answer.steps;
            block_solver.learn(&mut learner, 10);
            slices += 1;
            if block_solver.answer.upper < instance.trivial_bound() && block_solver.answer.steps == before {
                break;
            }
        }
        let answer = block_solver.answer;
        assert!(answer.upper >= optimum && answer.stop.is_none());
        if let Some((path, value)) = answer.best {
            assert_eq!(instance.value(&path), value);
            learnt += usize::from(value == optimum && answer.upper == optimum);
        }
    }
    assert!(learnt > 20, "only {learnt} were settled");
}

/// What the multipliers of branch and cut prove prunes a sweep, of the whole graph or of some of its edges, and loses nothing.
#[test]
fn sweeps_find_the_best_path_by_a_linear_bound() {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let (mut bounded, mut beaten) = (0, 0);
    for round in 0..1_000u64 {
        let instance = random_instance(&mut rng);
        let mut cuts = branch_and_cut::Search::new(&instance, None, i64::MIN, i64::MAX);
        cuts.run(1 << (6 + round % 12), &Budget::unlimited(), &mut Silent);
        let Some(bound) = cuts.linear_bound() else { continue };
        let some = instance.graph.edges().iter().filter(|_| rng.random_bool(0.9)).copied().collect();
        let graph = CsrGraph::from_simple(instance.graph.vertex_count(), true, some);
        let fewer = bound.restricted(&instance.graph, &graph);
        let reduced = Instance { graph, ends: instance.ends.clone() };
        for (instance, bound) in [(&instance, bound), (&reduced, fewer)] {
            let optimum = optimum(instance);
            for floor in [i64::MIN, optimum.saturating_sub(1), optimum, optimum.saturating_add(2)] {
                let order = quick_order(&instance.graph, &Budget::unlimited());
                let mut listener = Listener::new(optimum.max(floor));
                let budget = Budget::unlimited();
                let predicted = if round % 2 == 0 { 0.0 } else { f64::INFINITY };
                let known = frontier::Known { bound: &bound, predicted };
                let outcome = frontier::solve(instance, order.vertices(), Some(known), floor, &budget, &mut listener);
                assert_eq!(outcome.upper, optimum.max(floor), "{instance:?}");
                bounded += 1;
                if let Some((path, value)) = outcome.best {
                    assert_eq!((value, instance.value(&path)), (optimum, optimum), "{instance:?}");
                    beaten += 1;
                }
            }
        }
    }
    assert!(bounded > 1_000 && beaten > 500, "{bounded} sweeps, {beaten} paths");
}

/// A directed grid, most of whose edges go both ways.
fn streets(side: u32, rng: &mut Pcg64Mcg) -> Instance {
    let mut edges = Vec::new();
    for at in 0..side * side {
        let right = (at % side + 1 < side).then_some(at + 1);
        let below = (at / side + 1 < side).then_some(at + side);
        for next in right.into_iter().chain(below) {
            let way = rng.random_range(0..20);
            if way < 17 {
                edges.push(Edge { source: at, target: next, weight: rng.random_range(1..=9) });
            }
            if way > 2 {
                edges.push(Edge { source: next, target: at, weight: rng.random_range(1..=9) });
            }
        }
    }
    Instance::free(CsrGraph::from_simple((side * side) as usize, true, edges))
}

/// Balls make a poor path better, and where one holds the whole graph, the best.
#[test]
fn balls_make_paths_better() {
    let mut rng = Pcg64Mcg::seed_from_u64(6);
    let context = Context { reductions: Reductions::all(), components_were_asked: false };
    for side in [6, 7, 9, 11] {
        let instance = streets(side, &mut rng);
        let unlimited = Budget::unlimited();
        let order = quick_order(&instance.graph, &unlimited);
        let optimum = frontier::solve(&instance, order.vertices(), None, i64::MIN, &unlimited, &mut Silent).upper;
        let edge = instance.graph.edges()[0];
        let poor = (vec![edge.source, edge.target], edge.weight);
        let mut listener = Listener::new(optimum);
        let mut block_solver = BlockSolver::new(&instance, i64::MIN, unlimited, &context, &mut listener);
        block_solver.answer.best = Some(poor);
        block_solver.look_into_balls(&mut Balls::default(), 1 << 31);
        let (path, value) = block_solver.answer.best.expect("there was a path");
        assert_eq!((instance.value(&path), listener.lower), (value, value));
        let is_whole = side * side <= 49;
        assert!(if is_whole { value == optimum } else { 4 * value > 3 * optimum }, "{value} of {optimum}");
    }
}

/// Balls too wide for a narrow sweep go to whatever fits.
#[test]
fn wide_balls_make_paths_better() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    let context = Context { reductions: Reductions::all(), components_were_asked: false };
    let n = 160u32;
    // A star in every third vertex keeps paths from visiting nearly all.
    let pairs = (0..n).flat_map(|at| (0..3).map(move |_| at)).map(|at| (at, rng.random_range(0..n)));
    let mut pairs: Vec<(u32, u32)> = pairs.filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b))).collect();
    let leaves = (0..n).step_by(3).flat_map(|centre| [0, 1].map(|leaf| (centre, n + 2 * centre / 3 + leaf)));
    pairs.extend(leaves.collect::<Vec<_>>());
    let vertices = pairs.iter().map(|pair| pair.1).max().expect("there are pairs") as usize + 1;
    let edges = pairs.into_iter().map(|(source, target)| Edge { source, target, weight: 1 });
    let (graph, _) = CsrGraph::from_multigraph(vertices, false, edges.collect());
    let instance = Instance::free(graph);
    let edge = instance.graph.edges()[0];
    let mut listener = Listener::new(i64::MAX);
    let mut block_solver = BlockSolver::new(&instance, i64::MIN, Budget::unlimited(), &context, &mut listener);
    block_solver.answer.best = Some((vec![edge.source, edge.target], edge.weight));
    block_solver.look_into_balls(&mut Balls::default(), 1 << 31);
    let (path, value) = block_solver.answer.best.expect("there was a path");
    assert_eq!(instance.value(&path), value);
    assert!(value > i64::from(n) / 2, "{value}");
}

/// What a path lacks another has: merged with others, begun anew each time, a poor one becomes better, and never worse.
#[test]
fn paths_become_better_by_merging() {
    let mut rng = Pcg64Mcg::seed_from_u64(9);
    let context = Context { reductions: Reductions::all(), components_were_asked: false };
    for directed in [true, false] {
        let streets = streets(9, &mut rng).graph;
        let (graph, _) = CsrGraph::from_multigraph(streets.vertex_count(), directed, streets.edges().to_vec());
        let instance = Instance::free(graph);
        let edge = instance.graph.edges()[0];
        let upper = instance.trivial_bound();
        let mut listener = Listener::new(upper);
        let mut block_solver = BlockSolver::new(&instance, i64::MIN, Budget::unlimited(), &context, &mut listener);
        block_solver.answer.best = Some((vec![edge.source, edge.target], edge.weight));
        let mut last = edge.weight;
        for another in 0..3 {
            block_solver.merge_with_another(another, 1_000_000);
            let (path, value) = block_solver.answer.best.as_ref().expect("there was a path");
            assert_eq!(instance.value(path), *value);
            assert!(*value >= last, "{value} after {last}");
            last = *value;
        }
        assert!(2 * last > upper, "{last} of {upper}");
        assert_eq!(block_solver.answer.upper, upper);
        assert_eq!(listener.lower, last);
    }
}

/// Where a path comes close to the bound and small moves have done their work, others go on.
#[test]
fn small_moves_for_a_while_end_nothing_else() {
    let context = Context { reductions: Reductions::all(), components_were_asked: false };
    // Three legs of one, two hundred and two hundred vertices: a path misses the first.
    let n = 402;
    let legs = (1..n).map(|vertex| (if matches!(vertex, 1 | 2 | 202) { 0 } else { vertex - 1 }, vertex));
    let edges = legs.map(|(source, target)| Edge { source, target, weight: 1 }).collect();
    let instance = Instance::free(CsrGraph::from_simple(n as usize, false, edges));
    let mut listener = Listener::new(400);
    let mut block_solver = BlockSolver::new(&instance, i64::MIN, Budget::unlimited(), &context, &mut listener);
    block_solver.shake_for(Duration::from_secs(600), &mut Balls::until_close());
    assert_eq!(block_solver.answer.best.as_ref().map(|(_, value)| *value), Some(400));
    assert!(block_solver.answer.upper > 400 && !block_solver.is_over());
}
