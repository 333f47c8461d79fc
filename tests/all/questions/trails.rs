//! Trails, against a brute force of their own.

use longhaul::{LongestTrail, Status};
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::UndirectedAdaptor;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::brute::steps;
use crate::support::{Ends, Small};

/// The heaviest trail; a single node is one unless it must close.
fn brute_trail(small: &Small, ends: Ends) -> Option<i64> {
    fn walk(small: &Small, ends: Ends, way: (usize, usize), used: &mut Vec<bool>, sum: i64, best: &mut Option<i64>) {
        let (first, at) = way;
        let fits = if ends.closed { at == first && used.contains(&true) } else { ends.to.is_none_or(|to| to == at) };
        if fits {
            *best = (*best).max(Some(sum));
        }
        for (edge, to) in steps(small, at) {
            if !used[edge] {
                used[edge] = true;
                walk(small, ends, (first, to), used, sum + small.edges[edge].2, best);
                used[edge] = false;
            }
        }
    }
    let mut best = None;
    for first in (0..small.nodes).filter(|&first| ends.from.is_none_or(|from| from == first)) {
        walk(small, ends, (first, first), &mut vec![false; small.edges.len()], 0, &mut best);
    }
    best
}

fn solve_trail(graph: &DiGraph<(), i64>, directed: bool, ends: Ends) -> longhaul::Solution<NodeIndex, EdgeIndex> {
    macro_rules! of {
        ($graph:expr) => {{
            let mut question = LongestTrail::new($graph).weights(|edge| *petgraph::visit::EdgeRef::weight(&edge));
            if let Some(from) = ends.from {
                question = question.from(NodeIndex::new(from));
            }
            if let Some(to) = ends.to {
                question = question.to(NodeIndex::new(to));
            }
            if ends.closed {
                question = question.closed();
            }
            question.solve().unwrap()
        }};
    }
    if directed { of!(graph) } else { of!(UndirectedAdaptor(graph)) }
}

#[test]
fn against_brute_force() {
    let mut rng = Pcg64Mcg::seed_from_u64(22);
    let small_graphs = [(3, false), (4, false), (3, true)];
    let every = small_graphs.iter().flat_map(|&(nodes, directed)| Small::every(nodes, directed));
    let mut random = Pcg64Mcg::seed_from_u64(23);
    let random = (0..300).map(|round| {
        let (nodes, edges) = (random.random_range(1..=6), random.random_range(0..=8));
        let weights = if round % 3 == 0 { (1, 1) } else { (-3, 9) };
        Small::random(&mut random, nodes, edges, round % 2 == 0, weights)
    });
    for small in every.chain(random) {
        let graph = small.to_graph();
        for ends in Ends::sample(&mut rng, small.nodes) {
            let expected = brute_trail(&small, ends);
            let solution = solve_trail(&graph, small.directed, ends);
            let status = if expected.is_some() { Status::Optimal } else { Status::Infeasible };
            assert_eq!((solution.length(), solution.status()), (expected, status), "{small:?} {ends:?}");
        }
    }
}

/// Graphs too wide for a sweep, by branch and cut: the random cubic ones leave out next to nothing, and a bound is reached.
#[test]
fn of_wide_graphs() {
    for (name, length) in [("cubic120", 121), ("gnp120", 126)] {
        let bytes = std::fs::read(crate::corpus::path(&format!("rivals/{name}.gr"))).unwrap();
        let file = longhaul::io::GraphFile::parse("graph.gr", &bytes, &longhaul::io::ReadOptions::default()).unwrap();
        let solution = solve_trail(&file.graph, file.directed, Ends::FREE);
        assert_eq!((solution.length(), solution.is_optimal()), (Some(length), true), "{name}");
    }
}
