//! Engines side by side against plain enumeration, and each with what another could tell it.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::wide::Prospect;
use super::{Context, Leaf, Log, quick_order};
use crate::engines::backtracking::{self, Pruning};
use crate::engines::{branch_and_bound, branch_and_cut, frontier};
use crate::instance::{Budget, Ends, Exchange, Monitor, NOT_AN_END, Outcome, Piece};
use crate::lp::Simplex;
use crate::reduce::Reductions;
use crate::view::{CsrGraph, Edge};

/// Hears news in one order, none of which contradicts the optimum or repeats what was known.
struct Listener {
    optimum: i64,
    lower: i64,
    upper: i64,
    engines: Vec<&'static str>,
}

impl Listener {
    fn new(optimum: i64) -> Self {
        Listener { optimum, lower: i64::MIN, upper: i64::MAX, engines: Vec::new() }
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
    fn at_work(&mut self, engine: &'static str) {
        self.engines.push(engine);
    }

    fn note(&mut self, decision: String) {
        assert!(!decision.is_empty());
    }
}

fn random_piece(rng: &mut Pcg64Mcg) -> Piece {
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
        0 => Ends::Open { first: vec![0; n], last: vec![0; n], lone: true },
        1 => Ends::Open { first, last, lone: false },
        2 => Ends::Closed { through: Some(rng.random_range(0..n as u32)) },
        _ => Ends::Open { first, last: vec![0; n], lone: true },
    };
    Piece { graph: CsrGraph::from_simple(n, directed, edges), ends }
}

struct Nobody;

impl Monitor for Nobody {
    fn incumbent(&mut self, _value: i64) {}
    fn bound(&mut self, _upper: i64) {}
}

fn optimum(piece: &Piece) -> i64 {
    backtracking::solve(piece, Pruning::Off, i64::MIN, &Budget::unlimited(), &mut Nobody).upper
}

fn prospect(piece: &Piece) -> Prospect {
    Prospect { reduced: None, order: quick_order(&piece.graph, &Budget::unlimited()), ruled_out: 0 }
}

#[test]
fn side_by_side_they_find_the_best_path() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let context = Context { reductions: Reductions::all(), components_were_asked: false };
    for round in 0..300 {
        let piece = random_piece(&mut rng);
        let optimum = optimum(&piece);
        let floor = if round % 3 == 0 { optimum.saturating_sub(1) } else { i64::MIN };
        let upper = piece.trivial_bound().max(floor);
        let mut listener = Listener { upper, ..Listener::new(optimum.max(floor)) };
        let mut budget = Budget::unlimited();
        budget.threads = 2 + round % 2;
        let answer = Outcome::nothing_above(floor, upper);
        let mut leaf = Leaf { piece: &piece, floor, budget, context: &context, log: &mut listener, answer };
        let mut cuts = branch_and_cut::Search::new(&piece, None, floor, leaf.answer.upper);
        if round % 2 == 0 {
            leaf.sweep_beside_cuts(&mut cuts, 1 << (round % 20), &prospect(&piece), None);
        } else {
            leaf.work_beside_cuts(&mut cuts, &prospect(&piece), f64::INFINITY, None);
        }
        // Where branch and cut left far less to do, both have ended early.
        if !leaf.settled() {
            leaf.cut(&mut cuts, u64::MAX);
        }
        let answer = leaf.answer;
        assert_eq!(answer.upper, optimum.max(floor), "{piece:?}");
        if optimum > floor {
            let (path, value) = answer.best.expect("there is a better path");
            assert_eq!((value, piece.value(&path)), (optimum, optimum), "{piece:?}");
            assert_eq!((listener.lower, listener.upper), (optimum, optimum), "the log has heard of it");
            assert!(listener.engines.iter().all(|engine| !engine.is_empty()));
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
        let piece = random_piece(&mut rng);
        let optimum = optimum(&piece);
        if optimum == i64::MIN {
            continue;
        }
        for (below, above) in [(1, 0), (2, 1), (0, 1), (0, 3), (1, 1_000_000)] {
            let exchange = Arc::new(Exchange::new(optimum - below, optimum + above));
            let mut budget = Budget::unlimited();
            budget.beside = Some(exchange);
            let order = quick_order(&piece.graph, &budget);
            let listener = || Listener::new(optimum);
            let outcomes = [
                branch_and_cut::solve::<Simplex>(&piece, i64::MIN, &budget, &mut listener()),
                frontier::solve(&piece, order.vertices(), i64::MIN, &budget, &mut listener()),
                branch_and_bound::solve(&piece, i64::MIN, i64::MAX, u64::MAX, &budget, &mut listener()),
            ];
            for outcome in outcomes {
                let best = outcome.best.map(|(path, value)| (piece.value(&path), value));
                assert!(outcome.upper.max(optimum - below) == optimum, "{} for {optimum}: {piece:?}", outcome.upper);
                if below > 0 {
                    assert_eq!(best, Some((optimum, optimum)), "{piece:?}");
                }
            }
        }
    }
}

/// A sweep of what the program uses brings paths of the piece, and leaves the bound alone.
#[test]
fn what_the_program_uses_is_a_hint() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let context = Context { reductions: Reductions::all(), components_were_asked: false };
    let mut found = 0;
    for _ in 0..200 {
        let piece = random_piece(&mut rng);
        let optimum = optimum(&piece);
        let mut listener = Listener::new(optimum);
        let answer = Outcome::nothing_above(i64::MIN, piece.trivial_bound());
        let upper = answer.upper;
        let budget = Budget::unlimited();
        let mut leaf = Leaf { piece: &piece, floor: i64::MIN, budget, context: &context, log: &mut listener, answer };
        let mut cuts = branch_and_cut::Search::new(&piece, None, i64::MIN, upper);
        cuts.run(rng.random_range(1..30), &Budget::unlimited(), &mut Nobody);
        leaf.sweep_support(&cuts);
        assert_eq!(leaf.answer.upper, upper);
        if let Some((path, value)) = &leaf.answer.best {
            assert_eq!(piece.value(path), *value);
            assert!(*value <= optimum);
            found += 1;
        }
    }
    assert!(found > 100, "{found} paths");
}
