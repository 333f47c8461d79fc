//! Recognition of line graphs: against a naive search on all small graphs, on line graphs with their nodes renamed, and with
//! every answer checked.

use std::collections::HashMap;

use crate::support::shuffle;
use longhaul::line_graph::{self, Root, recognise};
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use rand::RngExt;

type Graph = UnGraph<(), ()>;

/// Whether some choice of two ends for every vertex joins exactly the adjacent ones, by trying all. `adjacent[v]` has a bit
/// for every neighbour of `v`.
fn has_root(adjacent: &[u32], ends: &mut Vec<u64>, used: u32) -> bool {
    let vertex = ends.len();
    if vertex == adjacent.len() {
        return true;
    }
    for one in 0..=used {
        for two in one + 1..=used.max(one + 1) {
            let mine = 1u64 << one | 1 << two;
            if (0..vertex).all(|other| (ends[other] & mine != 0) == (adjacent[vertex] >> other & 1 == 1)) {
                ends.push(mine);
                let found = has_root(adjacent, ends, used.max(two + 1));
                ends.pop();
                if found {
                    return true;
                }
            }
        }
    }
    false
}

fn pairs(nodes: usize) -> Vec<(usize, usize)> {
    (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect()
}

/// What is adjacent to each node where the pairs with a bit in `mask` are edges.
fn adjacency(nodes: usize, pairs: &[(usize, usize)], mask: u32) -> Vec<u32> {
    let mut adjacent = vec![0; nodes];
    for (bit, &(a, b)) in pairs.iter().enumerate() {
        if mask >> bit & 1 == 1 {
            adjacent[a] |= 1 << b;
            adjacent[b] |= 1 << a;
        }
    }
    adjacent
}

fn graph_of(adjacent: &[u32]) -> Graph {
    let mut graph = Graph::default();
    adjacent.iter().for_each(|_| _ = graph.add_node(()));
    for (a, b) in pairs(adjacent.len()) {
        if adjacent[a] >> b & 1 == 1 {
            graph.add_edge(NodeIndex::new(a), NodeIndex::new(b), ());
        }
    }
    graph
}

/// The pairs of adjacent nodes, sorted.
fn adjacent_pairs(graph: &Graph) -> Vec<(usize, usize)> {
    let ends = graph.edge_references().map(|edge| (edge.source().index(), edge.target().index()));
    let mut pairs: Vec<_> = ends.map(|(a, b)| (a.min(b), a.max(b))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The line graph of the root, on the nodes of the graph it was found for, must be that graph.
fn assert_root(graph: &Graph, root: &Root<NodeIndex>) {
    let nodes: Vec<NodeIndex> = root.graph().edge_weights().copied().collect();
    assert_eq!(nodes, graph.node_indices().collect::<Vec<_>>());
    let again = line_graph::line_graph(root.graph(), 1 << 32).unwrap();
    assert_eq!(adjacent_pairs(&again.map(|_, _| (), |_, _| ())), adjacent_pairs(graph));
}

fn assert_recognised(graph: &Graph, expected: bool) {
    match recognise(graph) {
        Ok(root) => {
            assert!(expected, "{graph:?} is no line graph");
            assert_root(graph, &root);
        }
        Err(obstruction) => {
            assert!(!expected, "{graph:?} is a line graph");
            assert!(obstruction.check(graph), "{obstruction:?} proves nothing about {graph:?}");
            assert!(obstruction.nodes().len() <= 7, "{obstruction:?}");
        }
    }
}

#[test]
fn all_small_graphs() {
    for nodes in 0..=6 {
        let pairs = pairs(nodes);
        for mask in 0..1u32 << pairs.len() {
            let adjacent = adjacency(nodes, &pairs, mask);
            assert_recognised(&graph_of(&adjacent), has_root(&adjacent, &mut Vec::new(), 0));
        }
    }
}

/// Of seven nodes all graphs whose nodes come in the order of their degrees; every graph can be drawn so.
#[test]
fn all_graphs_of_seven_nodes() {
    let pairs = pairs(7);
    let (mut seen, mut line_graphs) = (0, 0);
    for mask in 0..1u32 << 21 {
        let adjacent = adjacency(7, &pairs, mask);
        if adjacent.windows(2).all(|pair| pair[0].count_ones() >= pair[1].count_ones()) {
            let expected = has_root(&adjacent, &mut Vec::new(), 0);
            assert_recognised(&graph_of(&adjacent), expected);
            seen += 1;
            line_graphs += usize::from(expected);
        }
    }
    assert!(seen > 10_000 && line_graphs > 1_000, "{line_graphs} of {seen}");
}

/// The obstructions in random graphs are those of Bermond and Meyer: seven graphs up to isomorphism.
#[test]
fn seven_graphs_obstruct() {
    let mut rng = crate::support::rng(1);
    let mut kinds: HashMap<Vec<u32>, usize> = HashMap::new();
    for _ in 0..4000 {
        let nodes = rng.random_range(4..14);
        let density = rng.random_range(0.2..1.0);
        let chosen = pairs(nodes).into_iter().filter(|_| rng.random_bool(density));
        let mut graph = Graph::from_edges(chosen.map(|(a, b)| (a as u32, b as u32)));
        while graph.node_count() < nodes {
            graph.add_node(());
        }
        if let Err(obstruction) = recognise(&graph) {
            assert!(obstruction.check(&graph));
            let found = obstruction.nodes();
            for &spared in found {
                let mut rest = graph.clone();
                rest.retain_nodes(|_, node| node != spared && found.contains(&node));
                assert!(recognise(&rest).is_ok(), "{spared:?} can be spared: {obstruction:?}");
            }
            // Degrees with the degrees of the neighbours tell the seven apart.
            let degree =
                |node: NodeIndex| found.iter().filter(|&&other| graph.contains_edge(node, other)).count() as u32;
            let mut kind: Vec<u32> = found
                .iter()
                .map(|&node| {
                    let around = found.iter().filter(|&&other| graph.contains_edge(node, other));
                    let around: u32 = around.map(|&other| degree(other).pow(2)).sum();
                    degree(node) << 16 | around
                })
                .collect();
            kind.sort_unstable();
            *kinds.entry(kind).or_default() += 1;
        }
    }
    assert_eq!(kinds.len(), 7, "{kinds:?}");
}

/// A random multigraph, bipartite if told so, and its line graph with the nodes renamed.
fn renamed_line_graph(rng: &mut impl rand::Rng, nodes: u32, edges: usize, bipartite: bool) -> Graph {
    let root: Vec<(u32, u32)> = (0..edges)
        .map(|_| {
            let (one, two) = (rng.random_range(0..nodes), rng.random_range(0..nodes));
            if bipartite { (one, nodes + two) } else { (one, two) }
        })
        .collect();
    let line = line_graph::line_graph(&Graph::from_edges(&root), 1 << 32).unwrap();
    let mut name: Vec<u32> = (0..edges as u32).collect();
    shuffle(rng, &mut name);
    let mut graph = Graph::with_capacity(edges, line.edge_count());
    name.iter().for_each(|_| _ = graph.add_node(()));
    let mut renamed: Vec<(u32, u32)> =
        line.edge_references().map(|edge| (name[edge.source().index()], name[edge.target().index()])).collect();
    shuffle(rng, &mut renamed);
    graph.extend_with_edges(renamed);
    graph
}

#[test]
fn random_line_graphs() {
    let mut rng = crate::support::rng(2);
    for round in 0..2000 {
        let (nodes, edges) = (rng.random_range(2..30), rng.random_range(1..40));
        let bipartite = round % 2 == 0;
        let graph = renamed_line_graph(&mut rng, nodes, edges, bipartite);
        let root = recognise(&graph).expect("a line graph");
        assert_root(&graph, &root);
        let sides = root.sides();
        assert!(sides.is_some() || !bipartite, "a bipartite root has been missed");
        let cycle = root.odd_cycle();
        assert_eq!(sides.is_some(), cycle.is_empty());
        if let Some(sides) = sides {
            assert!(
                root.graph().edge_references().all(|edge| sides[edge.source().index()] != sides[edge.target().index()])
            );
        } else {
            assert!(cycle.len() % 2 == 1 && cycle.len() >= 3);
            let mut meetings = vec![0; root.graph().node_count()];
            for &edge in &cycle {
                let (one, two) = root.graph().edge_endpoints(edge).unwrap();
                meetings[one.index()] += 1;
                meetings[two.index()] += 1;
            }
            assert!(meetings.iter().all(|&count| count == 0 || count == 2), "{cycle:?}");
        }
    }
}

#[test]
fn line_graphs_of_100000_edges() {
    let mut rng = crate::support::rng(3);
    for (nodes, bipartite) in [(100_000, false), (40_000, true), (20_000, false)] {
        let graph = renamed_line_graph(&mut rng, nodes, 100_000, bipartite);
        let root = recognise(&graph).expect("a line graph");
        assert_root(&graph, &root);
        assert_eq!(root.sides().is_some(), bipartite);
    }
}

#[test]
fn one_edge_more_is_found_out() {
    let mut rng = crate::support::rng(4);
    for _ in 0..20 {
        let mut graph = renamed_line_graph(&mut rng, 2_000, 3_000, true);
        let (a, b) = (rng.random_range(0..3_000), rng.random_range(0..3_000));
        if a != b {
            graph.update_edge(NodeIndex::new(a), NodeIndex::new(b), ());
        }
        match recognise(&graph) {
            Ok(root) => assert_root(&graph, &root),
            Err(obstruction) => assert!(obstruction.check(&graph)),
        }
    }
}

#[test]
fn directions_loops_and_parallel_edges_do_not_matter() {
    let triangle = DiGraph::<(), ()>::from_edges([(0, 1), (1, 0), (1, 2), (0, 2), (2, 2), (0, 2)]);
    let root = recognise(&triangle).unwrap();
    // Three parallel edges: a triangle of twins.
    assert_eq!((root.graph().node_count(), root.graph().edge_count()), (2, 3));
    assert!(root.sides().is_some());
    let nothing = recognise(&Graph::default()).unwrap();
    assert_eq!(nothing.graph().node_count(), 0);
}
