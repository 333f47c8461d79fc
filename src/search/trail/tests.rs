//! The trail engine against brute force on its line graph.

use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::{Root, solve};
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
