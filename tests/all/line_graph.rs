//! The line graph against its definition, on random multigraphs with loops.

use longhaul::line_graph;
use petgraph::graph::{DiGraph, EdgeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use proptest::prelude::*;

/// Pairs of edges that share an end, by trying all.
fn meeting_pairs(edges: &[(u32, u32)]) -> Vec<(usize, usize)> {
    let meet = |a: (u32, u32), b: (u32, u32)| [a.0, a.1].iter().any(|end| [b.0, b.1].contains(end));
    let pairs = (0..edges.len()).flat_map(|one| (one + 1..edges.len()).map(move |two| (one, two)));
    pairs.filter(|&(one, two)| meet(edges[one], edges[two])).collect()
}

fn pairs_of<Id>(line: &UnGraph<Id, ()>) -> Vec<(usize, usize)> {
    let ordered = |one: usize, two: usize| (one.min(two), one.max(two));
    let mut pairs: Vec<_> =
        line.edge_references().map(|edge| ordered(edge.source().index(), edge.target().index())).collect();
    pairs.sort_unstable();
    pairs
}

proptest! {
    #[test]
    fn edges_are_joined_where_they_meet(edges in prop::collection::vec((0u32..6, 0u32..6), 0..14)) {
        let expected = meeting_pairs(&edges);
        let undirected = UnGraph::<(), ()>::from_edges(&edges);
        let line = line_graph::line_graph(&undirected, 1 << 20).unwrap();
        prop_assert_eq!(pairs_of(&line), expected.clone());
        prop_assert_eq!(line_graph::edge_count(&undirected), expected.len() as u128);
        let ids: Vec<EdgeIndex> = line.node_weights().copied().collect();
        prop_assert_eq!(ids, undirected.edge_indices().collect::<Vec<_>>());
        let directed = DiGraph::<(), ()>::from_edges(&edges);
        prop_assert_eq!(pairs_of(&line_graph::line_graph(&directed, 1 << 20).unwrap()), expected);
    }

    #[test]
    fn pairs_are_joined_where_they_agree(pairs in prop::collection::vec((0u32..5, 0u32..5), 0..14)) {
        let apart: Vec<(u32, u32)> = pairs.iter().map(|&(left, right)| (left, 100 + right)).collect();
        let line = line_graph::of_pairs(&pairs, 1 << 20).unwrap();
        prop_assert_eq!(pairs_of(&line), meeting_pairs(&apart));
    }
}

#[test]
fn a_line_graph_beyond_the_limit_is_refused_unmade() {
    let star = UnGraph::<(), ()>::from_edges((1..=100_000u32).map(|leaf| (0, leaf)));
    let error = line_graph::line_graph(&star, 1 << 30).unwrap_err();
    assert_eq!(error.edges(), 4_999_950_000);
    assert!(error.to_string().contains("4999950000 edges"), "{error}");
}

#[test]
fn numbers_and_colours_may_be_as_large_as_they_come() {
    let line = line_graph::of_pairs(&[(u32::MAX, 0), (0, u32::MAX), (u32::MAX, u32::MAX)], 1 << 20).unwrap();
    assert_eq!(pairs_of(&line), [(0, 2), (1, 2)]);
}
