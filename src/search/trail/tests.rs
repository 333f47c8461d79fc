//! The trail engine against brute force on its line graph.

use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::core::Core;
use super::plan::Plan;
use super::relaxation::Relaxation;
use super::sweep::{Limits, sweep};
use super::{Root, cover, cuts, solve};
use crate::search::backtracking::{self, Pruning};
use crate::search::{Budget, Ends, Monitor, NOT_AN_END, Piece};
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

struct Deaf;

impl Monitor for Deaf {
    fn incumbent(&mut self, _: i64) {}
    fn bound(&mut self, _: i64) {}
}

fn meet(one: [u32; 2], two: [u32; 2]) -> bool {
    one.iter().any(|end| two.contains(end))
}

/// The line graph as a piece whose path begins with `first`.
fn line_graph(root: &Root, first: Option<u32>) -> Piece {
    let m = root.ends.len();
    let pairs = (0..m).flat_map(|one| (one + 1..m).map(move |two| (one, two)));
    let meeting = pairs.filter(|&(one, two)| meet(root.ends[one], root.ends[two]));
    let edges = meeting.map(|(one, two)| Edge { source: one as u32, target: two as u32, weight: 1 }).collect();
    let mut begins = vec![if first.is_some() { NOT_AN_END } else { 0 }; m];
    if let Some(first) = first {
        begins[first as usize] = 0;
    }
    Piece {
        graph: CsrGraph::from_simple(m, false, edges),
        ends: Ends::Open { first: begins, last: vec![0; m], lone: true },
    }
}

fn assert_path(root: &Root, first: Option<u32>, path: &[u32]) {
    let mut edges = path.to_vec();
    edges.sort_unstable();
    edges.dedup();
    assert_eq!(edges.len(), path.len(), "an edge twice: {path:?}");
    assert!(path.windows(2).all(|pair| meet(root.ends[pair[0] as usize], root.ends[pair[1] as usize])), "{path:?}");
    assert!(first.is_none_or(|first| path[0] == first), "{path:?} should begin with {first:?}");
}

fn assert_solved(root: &Root, first: Option<u32>) {
    let piece = line_graph(root, first);
    let budget = Budget::unlimited();
    let expected = backtracking::solve(&piece, Pruning::On, i64::MIN, &budget, &mut Deaf);
    let optimum = expected.best.expect("one edge is a path").1;
    let outcome = solve(root, first, i64::MIN, &budget, &mut Watcher(optimum));
    let (path, value) = outcome.best.unwrap_or_else(|| panic!("a path of {optimum} was missed: {root:?}"));
    assert_eq!((value, outcome.upper, outcome.stop), (optimum, optimum, None), "{root:?} {first:?}");
    assert_eq!(path.len() as i64 - 1, value);
    assert_path(root, first, &path);
    // With the optimum for a floor nothing more is found, and that is proved.
    let outcome = solve(root, first, optimum, &budget, &mut Deaf);
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
    for root in loops.chain(four).chain(bipartite) {
        assert_solved(&root, None);
        assert_solved(&root, Some(root.ends.len() as u32 / 2));
    }
}

#[test]
fn random_roots() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for round in 0..3000 {
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
        assert_solved(&root, None);
        assert_solved(&root, Some(rng.random_range(0..edges)));
    }
}

/// Each way of its own to the best trail of a core.
#[derive(Clone, Copy, Debug)]
enum Way {
    Sweep,
    RelaxedSweep,
    Cuts,
}

/// The most edges that a trail of the root meets, each core solved in one way only, and every trail and bound checked.
fn best_by(way: Way, root: &Root) -> i64 {
    let budget = Budget::unlimited();
    let mut best = 0;
    for core in Core::of(root) {
        let alone = (0..core.vertex_count() as u32).map(|vertex| core.value(&core.alone(vertex))).max().unwrap();
        best = best.max(alone);
        // Without the bonus nothing counts, where there is one.
        if core.bundles.is_empty() || core.total <= bonus(root) {
            continue;
        }
        let swept = |relaxed: bool| {
            let order: Vec<u32> = (0..core.vertex_count() as u32).collect();
            let plan = Plan::along(&core, &order).unwrap();
            let relaxation = relaxed.then(|| Relaxation::of(&core, &plan, alone, u64::MAX, &budget).unwrap());
            let limits = Limits { floor: alone, relaxation: relaxation.as_ref(), beam: usize::MAX, memory: usize::MAX };
            let swept = sweep(&core, &plan, &limits, &budget, &mut Deaf);
            let bound = relaxation.map_or(i64::MAX, |relaxation| relaxation.bound()).max(alone);
            assert!(bound >= swept.upper, "the relaxation of {core:?} says {bound}, the best is {}", swept.upper);
            (swept.best, swept.upper)
        };
        let (found, upper) = match way {
            Way::Sweep => swept(false),
            Way::RelaxedSweep => swept(true),
            Way::Cuts => {
                let cutting = cuts::solve(&core, alone, core.total, &budget, &mut Deaf);
                assert_eq!(cutting.stop, None);
                (cutting.best, cutting.upper)
            }
        };
        match found {
            Some((trail, value)) => {
                assert_eq!((core.value(&trail), upper), (value, value), "{way:?}: {core:?} {trail:?}");
                assert!(value > alone);
                let (edges, start) = core.lift(&trail);
                assert_eq!(root.sequence_along(&edges, start).len() as i64, value - bonus(root), "{core:?} {trail:?}");
                best = best.max(value);
            }
            None => assert_eq!(upper, alone, "{way:?}: {core:?}"),
        }
        // What settles most cores at once must not say more than there is.
        if let Some(trail) = cover::find_cover(&core, &budget) {
            assert_eq!((core.value(&trail), core.total), (upper, upper), "{core:?}");
        }
    }
    best
}

fn bonus(root: &Root) -> i64 {
    root.bonus.map_or(0, |(_, worth)| worth)
}

#[test]
fn every_way_leads_to_the_best_trail() {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    let six = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0], [0, 3], [1, 4], [2, 5], [0, 2], [3, 5]];
    let small = every(&six, 1, 6).filter(|root| root.ends.len() <= 10);
    let doubled = every(&[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]], 2, 4).filter(|root| root.ends.len() <= 9);
    let random: Vec<Root> = (0..1500)
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
        let piece = line_graph(&root, None);
        let budget = Budget::unlimited();
        let expected = backtracking::solve(&piece, Pruning::On, i64::MIN, &budget, &mut Deaf);
        let optimum = expected.best.expect("one edge is a path").1 + 1;
        for way in [Way::Sweep, Way::RelaxedSweep, Way::Cuts] {
            assert_eq!(best_by(way, &root), optimum, "{way:?}: {root:?}");
        }
        let first = root.ends.len() as u32 / 2;
        let piece = line_graph(&root, Some(first));
        let expected = backtracking::solve(&piece, Pruning::On, i64::MIN, &budget, &mut Deaf);
        let optimum = expected.best.expect("one edge is a path").1 + 1;
        for way in [Way::Sweep, Way::RelaxedSweep, Way::Cuts] {
            let best = [0, 1].map(|side| {
                let root = root.beginning_with(first, side);
                best_by(way, &root) - bonus(&root)
            });
            assert_eq!(best[0].max(best[1]), optimum, "{way:?}: {root:?} from {first}");
        }
    }
}

#[test]
fn sparse_roots_larger_than_any_table() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    for vertices in [60u32, 100] {
        let ends: Vec<[u32; 2]> = (0..vertices)
            .map(|_| [rng.random_range(0..vertices / 2), rng.random_range(vertices / 2..vertices)])
            .collect();
        let root = Root::new(vertices as usize, ends);
        let cut = best_by(Way::Cuts, &root);
        let outcome = solve(&root, None, i64::MIN, &Budget::unlimited(), &mut Watcher(cut - 1));
        assert_eq!(outcome.upper, cut - 1);
        let (path, _) = outcome.best.unwrap();
        assert_path(&root, None, &path);
    }
}
