//! Graphs too wide for a sweep.

use longhaul::{LongestPath, Status};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::UndirectedAdaptor;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::brute::Wishes;
use super::shapes::unit;
use super::{CYCLES, asked};
use crate::support::{Ends, Small};

/// The graph in which any two nodes are joined, with weights that look random.
fn complete(nodes: usize, weight: impl Fn(usize, usize) -> i64) -> Small {
    let edges = (0..nodes).flat_map(|a| (0..a).map(move |b| (a, b)));
    Small { nodes, directed: false, edges: edges.map(|(a, b)| (a, b, weight(a, b))).collect() }
}

#[test]
fn are_answered() {
    const NODES: usize = 36;
    let small = complete(NODES, |a, b| ((a * 37 + b * 101) % 97) as i64);
    let weight =
        |a: usize, b: usize| small.edges.iter().find(|edge| (edge.0, edge.1) == (a.max(b), a.min(b))).unwrap().2;
    let best_two = (0..NODES).map(|middle| {
        let mut around: Vec<i64> = (0..NODES).filter(|&end| end != middle).map(|end| weight(middle, end)).collect();
        around.sort_unstable();
        around[NODES - 2] + around[NODES - 3]
    });
    let most = Wishes { at_most: Some(2), ..Wishes::default() };
    let graph = small.to_graph();
    let solution = asked!(&graph, &small, Ends::FREE, &most, question => question.solve().unwrap());
    assert_eq!((solution.length(), solution.is_optimal()), (best_two.max(), true));

    let induced = Wishes { induced: true, ..Wishes::default() };
    let small = complete(NODES, |_, _| 1);
    let graph = small.to_graph();
    for (ends, length) in [(Ends::FREE, 1), (CYCLES, 3)] {
        let solution = asked!(&graph, &small, ends, &induced, question => question.solve().unwrap());
        assert_eq!((solution.length(), solution.is_optimal()), (Some(length), true));
    }
    // Between the sides of a complete bipartite graph an induced path has two edges, an induced cycle four.
    let sides = unit(NODES, (0..NODES / 2).flat_map(|a| (NODES / 2..NODES).map(move |b| (a, b))));
    let graph = sides.to_graph();
    for (ends, length) in [(Ends::FREE, 2), (CYCLES, 4)] {
        let solution = asked!(&graph, &sides, ends, &induced, question => question.solve().unwrap());
        assert_eq!((solution.length(), solution.is_optimal()), (Some(length), true));
    }
    // Limits end the search with a path and a bound.
    let mut rng = Pcg64Mcg::seed_from_u64(24);
    let wide = Small::random(&mut rng, 300, 1500, false, (1, 9));
    let graph = wide.to_graph();
    let limited = Wishes { at_least: Some(150), at_most: Some(200), ..Wishes::default() };
    for wishes in [&limited, &induced] {
        let limit = std::time::Duration::from_millis(200);
        let solution =
            asked!(&graph, &wide, Ends::FREE, wishes, question => question.time_limit(limit).solve().unwrap());
        assert!(solution.upper_bound() >= solution.length(), "{solution}");
        assert_ne!(solution.status(), Status::Infeasible);
    }
}
