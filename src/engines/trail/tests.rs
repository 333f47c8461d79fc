//! The trail engine against brute force on its line graph.

use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::contract::contracted;
use super::core::{Core, Cores};
use super::cuts::{Cuts, Cutting};
use super::plan::Plan;
use super::relaxation::Relaxation;
use super::sweep::{Limits, sweep};
use super::{EndCondition, Query, Root, cover, solve};
use crate::engines::reference::backtracking::{self, Pruning};
use crate::instance::{Budget, Ends, Instance, Monitor, NOT_AN_END, Silent};
use crate::rounds::rounds;
use crate::view::{CsrGraph, Edge};

/// Holds every report against the optimum.
struct Watcher(i64);

impl Monitor for Watcher {
    fn incumbent(&mut self, value: i64) {
        assert!(value <= self.0, "{value} above {}", self.0);
    }

    fn bound(&mut self, upper: i64) {
        assert!(upper >= self.0, "{upper} below {}", self.0);
    }
}

fn meet(one: [u32; 2], two: [u32; 2]) -> bool {
    one.iter().any(|end| two.contains(end))
}

/// The line graph as an instance.
fn line_graph(root: &Root, ends: Ends) -> Instance {
    let m = root.ends.len();
    let pairs = (0..m).flat_map(|one| (one + 1..m).map(move |two| (one, two)));
    let meeting = pairs.filter(|&(one, two)| meet(root.ends[one], root.ends[two]));
    let edges = meeting.map(|(one, two)| Edge { source: one as u32, target: two as u32, weight: 1 }).collect();
    Instance { graph: CsrGraph::from_simple(m, false, edges), ends }
}

fn free(root: &Root) -> Ends {
    let prizes = vec![0; root.ends.len()];
    Ends::Open { first: prizes.clone(), last: prizes, single_vertex: true }
}

/// Prizes that say "here, and nowhere else".
fn only(root: &Root, edge: u32) -> Vec<i64> {
    let mut prizes = vec![NOT_AN_END; root.ends.len()];
    prizes[edge as usize] = 0;
    prizes
}

fn from(root: &Root, first: u32) -> Ends {
    Ends::Open { first: only(root, first), last: vec![0; root.ends.len()], single_vertex: true }
}

/// All kinds of end rules, by chance.
fn some_ends(root: &Root, rng: &mut Pcg64Mcg) -> Ends {
    let m = root.ends.len();
    let edge = |rng: &mut Pcg64Mcg| rng.random_range(0..m as u32);
    let mut prizes = |kind: u32| -> Vec<i64> {
        match kind {
            0 => only(root, edge(rng)),
            1 => vec![7; m],
            2 => (0..m).map(|_| rng.random_range(-3..9)).collect(),
            3 => {
                (0..m).map(|_| if rng.random_range(0..3) == 0 { NOT_AN_END } else { rng.random_range(0..4) }).collect()
            }
            // Nothing but at a few.
            4 => (0..m).map(|_| if rng.random_range(0..5) == 0 { rng.random_range(0..9) } else { 0 }).collect(),
            _ => {
                let mut prizes = vec![0; m];
                prizes[edge(rng) as usize] = NOT_AN_END;
                prizes
            }
        }
    };
    let (one, two) = (prizes(0), prizes(0));
    let kinds = [1, 2, 3, 4, 5].map(&mut prizes);
    let single_vertex = rng.random_range(0..2) == 0;
    let kind = |rng: &mut Pcg64Mcg| kinds[rng.random_range(0..kinds.len())].clone();
    match rng.random_range(0..7) {
        0 => Ends::Closed { through: None },
        1 => Ends::Closed { through: Some(edge(rng)) },
        2 => Ends::Open { first: one, last: two, single_vertex },
        3 => Ends::Open { first: one, last: kind(rng), single_vertex },
        4 => Ends::Open { first: kind(rng), last: two, single_vertex },
        5 => Ends::Open { first: kind(rng), last: kind(rng), single_vertex },
        _ => {
            let first = kind(rng);
            Ends::Open { last: first.clone(), first, single_vertex }
        }
    }
}

/// Whatever shares an end goes on to, and no path becomes longer.
#[test]
fn a_contracted_root_has_paths_as_long() {
    let mut rng = Pcg64Mcg::seed_from_u64(31);
    let longest = |root: &Root| {
        let instance = line_graph(root, free(root));
        let best = backtracking::solve(&instance, Pruning::On, i64::MIN, &Budget::unlimited(), &mut Silent).best;
        best.map(|(_, value)| value)
    };
    let mut smaller = 0;
    for _ in 0..600 {
        let (m, n) = (rng.random_range(1..=9), rng.random_range(2..=9u32));
        let ends: Vec<[u32; 2]> = (0..m).map(|_| [rng.random_range(0..n), rng.random_range(0..n)]).collect();
        let root = Root::new(n as usize, ends);
        let best = longest(&root);
        let contracted = contracted(&root, best.unwrap_or(0) - rng.random_range(0..2)).root;
        assert_eq!(contracted.ends.len(), m);
        for (one, other) in (0..m).flat_map(|one| (0..m).map(move |other| (one, other))) {
            let met_before = meet(root.ends[one], root.ends[other]);
            assert!(!met_before || meet(contracted.ends[one], contracted.ends[other]), "{root:?} {contracted:?}");
        }
        assert_eq!(longest(&contracted), best, "{root:?} {contracted:?}");
        let used = |root: &Root| root.ends.iter().flatten().collect::<std::collections::BTreeSet<_>>().len();
        smaller += usize::from(used(&contracted) < used(&root));
    }
    assert!(smaller > 300, "{smaller} were contracted");
}

fn assert_solved(root: &Root, ends: Ends) {
    let instance = line_graph(root, ends);
    let budget = Budget::unlimited();
    let expected = backtracking::solve(&instance, Pruning::On, i64::MIN, &budget, &mut Silent).best;
    let optimum = expected.map_or(i64::MIN, |(_, value)| value);
    let query = Query::of(&instance.ends);
    let outcome = solve(root, query, i64::MIN, &budget, &mut Watcher(optimum));
    let found = outcome.best.as_ref().map_or(i64::MIN, |&(_, value)| value);
    assert_eq!((found, outcome.upper, outcome.stop), (optimum, optimum, None), "{root:?} {:?}", instance.ends);
    let Some((path, value)) = outcome.best else { return };
    let mut edges = path.clone();
    edges.sort_unstable();
    edges.dedup();
    assert_eq!(edges.len(), path.len(), "an edge twice: {path:?}");
    assert!(path.windows(2).all(|pair| meet(root.ends[pair[0] as usize], root.ends[pair[1] as usize])), "{path:?}");
    if let Ends::Closed { through } = instance.ends {
        assert!(meet(root.ends[path[0] as usize], root.ends[path[path.len() - 1] as usize]), "{path:?}");
        assert!(through.is_none_or(|edge| path.contains(&edge)), "{path:?}");
    }
    assert_eq!(instance.value(&path), value, "{root:?} {:?} {path:?}", instance.ends);
    // With the optimum for a floor nothing more is found, and that is proved.
    let outcome = solve(root, query, optimum, &budget, &mut Silent);
    assert!(outcome.best.is_none());
    assert_eq!(outcome.upper, optimum);
}

/// Every multigraph on these pairs with each pair drawn up to `most` times, loops among them.
fn every(pairs: &[[u32; 2]], most: u32, vertices: usize) -> impl Iterator<Item = Root> {
    (1..(most + 1).pow(pairs.len() as u32)).map(move |mut code| {
        let mut ends = Vec::new();
        for &pair in pairs {
            ends.extend((0..code % (most + 1)).map(|_| pair));
            code /= most + 1;
        }
        Root::new(vertices, ends)
    })
}

#[test]
fn all_small_roots() {
    let loops = every(&[[0, 0], [0, 1], [1, 2], [2, 0], [1, 1]], 2, 3);
    let four = every(&[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]], 2, 4).filter(|root| root.ends.len() <= 8);
    let grid = [[0, 3], [0, 4], [0, 5], [1, 3], [1, 4], [1, 5], [2, 3], [2, 4], [2, 5]];
    let bipartite = every(&grid, 1, 6);
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    for root in loops.chain(four).chain(bipartite) {
        assert_solved(&root, free(&root));
        assert_solved(&root, from(&root, root.ends.len() as u32 / 2));
        assert_solved(&root, Ends::Closed { through: None });
        let ends = some_ends(&root, &mut rng);
        assert_solved(&root, ends);
    }
}

#[test]
fn random_roots() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for round in 0..rounds(1000) {
        let vertices = rng.random_range(2..14);
        let edges = rng.random_range(1..15);
        let mut ends = Vec::new();
        for _ in 0..edges {
            let one = rng.random_range(0..vertices);
            let two =
                if round % 3 == 0 { rng.random_range(0..vertices) } else { (one + rng.random_range(1..3)) % vertices };
            ends.push([one, two]);
        }
        let root = Root::new(vertices as usize, ends);
        assert_solved(&root, free(&root));
        for _ in 0..4 {
            let ends = some_ends(&root, &mut rng);
            assert_solved(&root, ends);
        }
    }
}

/// Each way of its own to the best trail of a core.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Sweep,
    RelaxedSweep,
    Cuts,
    /// By two threads from the first pivot on.
    CutsTogether,
    /// Left after each of the first pivots.
    CutsTakenUpAgain,
}

fn taken_up_again(mut cuts: Cuts<'_>, floor: i64, budget: &Budget) -> Cutting {
    for pivots in 1..20 {
        match cuts.try_first(pivots, budget, &mut Silent) {
            Ok(cutting) => return cutting,
            Err((begun, known)) => {
                cuts = begun;
                cuts.learn(floor, known.upper);
            }
        }
    }
    cuts.finish(0, budget, &mut Silent)
}

/// The best trail of the root, each core solved in one way only, and every trail and bound checked: the edges it meets and
/// what its tips earn. The least integer if there is none.
fn best_by(way: Way, root: &Root, end_condition: EndCondition<'_>) -> i64 {
    let budget = Budget::unlimited();
    let is_prized = matches!(end_condition, EndCondition::Prized { .. });
    let Cores { list, excluded } = Core::of(root, end_condition);
    let mut best = excluded.map_or(i64::MIN, |excluded| excluded.worth);
    for core in list {
        let alone = (0..core.vertex_count() as u32).map(|vertex| core.value(&core.alone(vertex))).max().unwrap();
        let alone = if is_prized { i64::MIN / 4 } else { alone };
        best = if is_prized { best } else { best.max(alone) };
        // Without the bonus nothing counts, where there is one.
        if core.most() == i64::MIN || !is_prized && (core.bundles.is_empty() || core.total <= root.bonus()) {
            continue;
        }
        let swept = |relaxed: bool| {
            let order: Vec<u32> = (0..core.vertex_count() as u32).collect();
            let plan = Plan::along(&core, &order).unwrap();
            let relaxation = relaxed.then(|| Relaxation::of(&core, &plan, alone, u64::MAX, &budget).unwrap());
            let limits = Limits { floor: alone, relaxation: relaxation.as_ref(), beam: usize::MAX, memory: usize::MAX };
            let swept = sweep(&core, &plan, &limits, &budget, &mut Silent);
            let bound = relaxation.map_or(i64::MAX, |relaxation| relaxation.bound()).max(alone);
            assert!(bound >= swept.upper, "the relaxation of {core:?} says {bound}, the best is {}", swept.upper);
            (swept.best, swept.upper)
        };
        let (found, upper) = match way {
            Way::Sweep => swept(false),
            Way::RelaxedSweep => swept(true),
            Way::Cuts | Way::CutsTogether | Way::CutsTakenUpAgain => {
                let mut budget = budget.clone();
                budget.threads = if let Way::CutsTogether = way { 2 } else { 1 };
                let cuts = Cuts::new(&core, alone, core.most(), false);
                let cutting = match way {
                    Way::CutsTakenUpAgain => taken_up_again(cuts, alone, &budget),
                    _ => cuts.finish(0, &budget, &mut Silent),
                };
                assert_eq!(cutting.stop, None);
                (cutting.best, cutting.upper)
            }
        };
        match found {
            Some((trail, value)) => {
                assert_eq!((core.value(&trail), upper), (value, value), "{way:?}: {core:?} {trail:?}");
                assert!(value > alone);
                let (edges, start) = core.lift(&trail);
                let sequence = root.sequence_along(&edges, start, core.lift_ends(&trail));
                let earned = match end_condition {
                    EndCondition::Prized { first, last, .. } => {
                        first[sequence[0] as usize] + last[sequence[sequence.len() - 1] as usize]
                    }
                    _ => root.bonus(),
                };
                assert_eq!(sequence.len() as i64, value - earned, "{core:?} {trail:?}");
                best = best.max(value);
            }
            None => assert_eq!(upper, alone, "{way:?}: {core:?}"),
        }
        // What settles most cores at once must not say more than there is.
        if let Some(trail) = cover::find_cover(&core, &budget).filter(|_| !is_prized) {
            assert_eq!((core.value(&trail), core.total), (upper, upper), "{core:?}");
        }
    }
    best
}

#[test]
fn every_way_leads_to_the_best_trail() {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    let six = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0], [0, 3], [1, 4], [2, 5], [0, 2], [3, 5]];
    let small = every(&six, 1, 6).filter(|root| root.ends.len() <= 10);
    let doubled = every(&[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]], 2, 4).filter(|root| root.ends.len() <= 9);
    let random: Vec<Root> = (0..rounds(500))
        .map(|_| {
            // Trees with a few edges more: much to be missed.
            let vertices = rng.random_range(4..12u32);
            let mut ends: Vec<[u32; 2]> = (1..vertices).map(|vertex| [rng.random_range(0..vertex), vertex]).collect();
            for _ in 0..rng.random_range(0..5) {
                ends.push([rng.random_range(0..vertices), rng.random_range(0..vertices)]);
            }
            Root::new(vertices as usize, ends)
        })
        .collect();
    for root in small.chain(doubled).chain(random) {
        let optimum = |ends: Ends| {
            let instance = line_graph(&root, ends);
            let expected = backtracking::solve(&instance, Pruning::On, i64::MIN, &Budget::unlimited(), &mut Silent);
            expected.best.map_or(i64::MIN, |(_, value)| value)
        };
        let expected = optimum(free(&root)) + 1;
        let first = root.ends.len() as u32 / 2;
        let expected_from = optimum(from(&root, first)) + 1;
        let expected_closed = optimum(Ends::Closed { through: None });
        let ends = match some_ends(&root, &mut rng) {
            Ends::Open { first, last, .. } => Ends::Open { first, last, single_vertex: false },
            Ends::Closed { .. } => free(&root),
        };
        let Ends::Open { first: alpha, last: omega, .. } = &ends else { unreachable!("no cycle is asked for") };
        let prized = EndCondition::Prized { first: alpha, last: omega, single_vertex: false };
        let expected_prized =
            match optimum(Ends::Open { first: alpha.clone(), last: omega.clone(), single_vertex: false }) {
                i64::MIN => i64::MIN,
                value => value + 1,
            };
        if root.ends.len() % 16 == 0 {
            assert_eq!(best_by(Way::CutsTogether, &root, prized), expected_prized, "{root:?} {ends:?}");
        }
        for way in [Way::Sweep, Way::RelaxedSweep, Way::Cuts, Way::CutsTakenUpAgain] {
            assert_eq!(best_by(way, &root, EndCondition::Free), expected, "{way:?}: {root:?}");
            let best = [0, 1].map(|side| {
                let root = root.beginning_with(first, side);
                best_by(way, &root, EndCondition::From(first)) - root.bonus()
            });
            assert_eq!(best[0].max(best[1]), expected_from, "{way:?}: {root:?} from {first}");
            if matches!(way, Way::Sweep | Way::RelaxedSweep) {
                let closed = best_by(way, &root, EndCondition::Closed { through: None });
                assert_eq!(closed.max(2), expected_closed.max(2), "{way:?}: {root:?} closed");
            }
            assert_eq!(best_by(way, &root, prized), expected_prized, "{way:?}: {root:?} {ends:?}");
        }
    }
}

#[test]
fn sparse_roots_larger_than_any_table() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    for vertices in [60u32, 100, 160] {
        let ends: Vec<[u32; 2]> = (0..vertices)
            .map(|_| [rng.random_range(0..vertices / 2), rng.random_range(vertices / 2..vertices)])
            .collect();
        let root = Root::new(vertices as usize, ends);
        let cut = best_by(Way::Cuts, &root, EndCondition::Free);
        for way in [Way::CutsTogether, Way::CutsTakenUpAgain] {
            assert_eq!(best_by(way, &root, EndCondition::Free), cut, "{way:?}");
        }
        let outcome = solve(&root, Query::of(&free(&root)), i64::MIN, &Budget::unlimited(), &mut Watcher(cut - 1));
        assert_eq!(outcome.upper, cut - 1);
        let (path, _) = outcome.best.unwrap();
        assert_eq!(line_graph(&root, free(&root)).value(&path), cut - 1);
    }
}
