//! Graphs of petgraph's other kinds, with holes in their numbers or seen through an adaptor: the answer is the same, and its
//! nodes and edges are the caller's.

use longhaul::LongestPath;
use longhaul::certificate::{Claim, check_path};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::graphmap::GraphMap;
use petgraph::stable_graph::StableGraph;
use petgraph::visit::{EdgeRef, NodeFiltered, Reversed};
use petgraph::{Directed, EdgeType, Undirected};
use proptest::prelude::*;

use super::{ends, ends_among, fuzz, graphs, longest_by_sets};
use crate::support::{Ends, Small};

/// The length of the longest path or cycle, whose nodes and edges are checked in the graph that was asked about.
macro_rules! longest {
    ($graph:expr, $ends:expr, $node:expr) => {{
        let (from, to) = ($ends.from.map($node), $ends.to.map($node));
        let mut question = LongestPath::new($graph).weights(|edge| *edge.weight());
        if let Some(from) = from {
            question = question.from(from);
        }
        if let Some(to) = to {
            question = question.to(to);
        }
        if $ends.closed {
            question = question.closed();
        }
        let solution = question.solve().expect("a question that can be asked");
        assert_eq!(solution.length(), solution.upper_bound());
        if let Some(path) = solution.path() {
            let claim = Claim { from, to, closed: $ends.closed };
            let checked = check_path($graph, |edge| *edge.weight(), &claim, path, solution.edges());
            assert_eq!(checked, Ok(solution.length().expect("a path has a length")));
        }
        solution.length()
    }};
}

fn seen_in_every_way<Ty: EdgeType>(small: &Small, ends: Ends, holes: &[bool], expected: Option<i64>) {
    let hole = |at: usize| holes[at % holes.len()];

    // Nodes and edges that are there no more leave holes in the numbers.
    let mut stable = StableGraph::<(), i64, Ty>::default();
    let (mut nodes, mut gone) = (Vec::new(), Vec::new());
    for node in 0..small.nodes {
        if hole(node) {
            gone.push(stable.add_node(()));
        }
        nodes.push(stable.add_node(()));
    }
    for (at, &(a, b, weight)) in small.edges.iter().enumerate() {
        let extra = hole(at).then(|| stable.add_edge(nodes[b], nodes[a], 1 << 40));
        stable.add_edge(nodes[a], nodes[b], weight);
        extra.map(|extra| stable.remove_edge(extra));
    }
    for &node in &gone {
        stable.add_edge(node, nodes[0], 1 << 40);
    }
    let filtered = NodeFiltered::from_fn(&stable, |node| !gone.contains(&node));
    assert_eq!(longest!(&filtered, ends, |node| nodes[node]), expected, "filtered");
    for &node in &gone {
        stable.remove_node(node);
    }
    assert_eq!(longest!(&stable, ends, |node| nodes[node]), expected, "stable");

    // A map keeps one of parallel edges: the heaviest.
    let name = |node: usize| (node * 7919) as u32;
    let mut map = GraphMap::<u32, i64, Ty>::new();
    for node in 0..small.nodes {
        map.add_node(name(node));
    }
    for &(a, b, weight) in &small.edges {
        let heaviest = map.edge_weight(name(a), name(b)).map_or(weight, |&other| other.max(weight));
        map.add_edge(name(a), name(b), heaviest);
    }
    assert_eq!(longest!(&map, ends, name), expected, "map");
}

#[test]
fn all_kinds_of_graphs_are_read_alike() {
    let holes = prop::collection::vec(any::<bool>(), 1..9);
    fuzz(250, &(graphs(8, 16, -3i64..10), ends(), holes), |(small, ends, holes)| {
        let ends = ends_among(ends, small.nodes);
        let expected = longest_by_sets(&small, ends);
        if small.directed {
            seen_in_every_way::<Directed>(&small, ends, &holes, expected);
            let graph: DiGraph<(), i64> = small.to_graph();
            let turned = if ends.closed { ends } else { Ends { from: ends.to, to: ends.from, closed: false } };
            assert_eq!(longest!(Reversed(&graph), turned, NodeIndex::new), expected, "reversed");
        } else {
            seen_in_every_way::<Undirected>(&small, ends, &holes, expected);
        }
    });
}
