//! What `Structure` says of a graph, against the brute force and against the known answers of the corpus.

use crate::support::{Ends, Small};
use longhaul::LongestPath;
use longhaul::certificate::{Claim, check_bound};
use longhaul::io::{Format, GraphFile, ReadOptions};
use longhaul::structure::{Class, Structure};
use longhaul::view::InputGraph;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};
use rand::RngExt;

/// The structure, its bound checked once more.
macro_rules! structure {
    ($graph:expr, $claim:expr) => {{
        let structure = Structure::of($graph, |edge| *edge.weight(), $claim).unwrap();
        let bound = structure.bound.as_ref().unwrap();
        assert_eq!(check_bound($graph, |edge| *edge.weight(), $claim, &bound.witness), Ok(bound.upper));
        structure
    }};
}

fn structure_of(small: &Small, ends: Ends) -> Structure<NodeIndex> {
    let mut graph = DiGraph::<(), i64>::new();
    for _ in 0..small.nodes {
        graph.add_node(());
    }
    for &(a, b, weight) in &small.edges {
        graph.add_edge(NodeIndex::new(a), NodeIndex::new(b), weight);
    }
    let claim = Claim { from: ends.from.map(NodeIndex::new), to: ends.to.map(NodeIndex::new), closed: ends.closed };
    if small.directed { structure!(&graph, &claim) } else { structure!(UndirectedAdaptor(&graph), &claim) }
}

/// Directions forgotten, and one node, if any, left out.
fn component_count(small: &Small, without: Option<usize>) -> usize {
    let mut part: Vec<usize> = (0..small.nodes).collect();
    for &(a, b, _) in small.edges.iter().filter(|&&(a, b, _)| Some(a) != without && Some(b) != without) {
        let (old, new) = (part[a], part[b]);
        part.iter_mut().filter(|part| **part == old).for_each(|part| *part = new);
    }
    let mut kept: Vec<usize> = (0..small.nodes).filter(|&node| Some(node) != without).map(|node| part[node]).collect();
    kept.sort_unstable();
    kept.dedup();
    kept.len()
}

fn assert_facts_hold(small: &Small) {
    let facts = structure_of(small, Ends::FREE);
    let components = component_count(small, None);
    assert_eq!(facts.components, components, "{small:?}");
    let cuts = (0..small.nodes).filter(|&node| component_count(small, Some(node)) > components);
    assert_eq!(facts.cut_nodes, cuts.map(NodeIndex::new).collect::<Vec<_>>(), "{small:?}");

    let is = |class| facts.classes.contains(&class);
    let has_cycle = small.longest(Ends { closed: true, ..Ends::FREE }).is_some();
    assert_eq!(is(Class::Acyclic), !has_cycle, "{small:?}");
    let two_sided = (0u32..1 << small.nodes)
        .any(|side| small.edges.iter().all(|&(a, b, _)| a == b || (side >> a & 1) != (side >> b & 1)));
    assert_eq!(is(Class::Bipartite), two_sided, "{small:?}");
    assert_eq!(facts.sides.is_some(), two_sided, "{small:?}");
    if let Some([first, second]) = &facts.sides {
        assert_eq!(first.len() + second.len(), small.nodes);
        let on_first = |node: usize| first.contains(&NodeIndex::new(node));
        assert!(small.edges.iter().all(|&(a, b, _)| a == b || on_first(a) != on_first(b)), "{small:?}");
    }
}

fn assert_bounds_hold(small: &Small, ends: Ends) {
    let upper = structure_of(small, ends).bound.unwrap().upper;
    if let Some(longest) = small.longest(ends) {
        assert!(upper.is_some_and(|upper| upper >= longest), "{upper:?} < {longest}: {small:?} {ends:?}");
    }
}

#[test]
fn facts_and_bounds_hold_on_all_small_graphs() {
    let graphs = (0..=5).flat_map(|nodes| Small::every(nodes, false));
    for small in graphs.chain((0..=3).flat_map(|nodes| Small::every(nodes, true))) {
        assert_facts_hold(&small);
        if small.nodes <= 4 {
            Ends::all(small.nodes).for_each(|ends| assert_bounds_hold(&small, ends));
        }
    }
}

#[test]
fn facts_and_bounds_hold_on_random_multigraphs() {
    let mut rng = crate::support::rng(1);
    for round in 0..crate::support::rounds(60) {
        let (nodes, directed) = (4 + round % 4, round % 2 == 0);
        let small = Small::random(&mut rng, nodes, 2 * nodes, directed, (-3, 9));
        assert_facts_hold(&small);
        Ends::all(nodes).step_by(3).for_each(|ends| assert_bounds_hold(&small, ends));
    }
}

#[test]
fn bounds_hold_on_the_corpus() {
    let mut met = 0;
    for row in crate::corpus::table("INDEX.tsv") {
        let Ok(format) = row["format"].parse::<Format>() else { continue };
        let file = GraphFile::open(&crate::corpus::path(&row["file"]), &ReadOptions::default()).unwrap();
        assert_eq!(file.format, format);
        let claim = Claim { from: file.terminals.from, to: file.terminals.to, closed: false };
        let facts = if file.directed {
            structure!(&file.graph, &claim)
        } else {
            structure!(UndirectedAdaptor(&file.graph), &claim)
        };
        assert_eq!((facts.nodes, facts.edges), (file.graph.node_count(), file.graph.edge_count()));
        let Ok(lower) = row["lower"].parse::<i64>() else { continue };
        let upper = facts.bound.unwrap().upper.unwrap();
        assert!(upper >= lower, "{}: {upper} < {lower}", &row["file"]);
        met += usize::from(upper == lower);
    }
    // The bounds are good for something: they settle many a graph once a longest path is found.
    assert!(met >= 20, "only {met} bounds are met");
}

/// Streets: a grid, most of its edges both ways and the others one way.
fn streets(side: usize, seed: u64) -> DiGraph<(), i64> {
    let mut rng = crate::support::rng(seed);
    let mut graph = DiGraph::new();
    let nodes: Vec<NodeIndex> = (0..side * side).map(|_| graph.add_node(())).collect();
    for at in 0..side * side {
        let right = (at % side + 1 < side).then_some(at + 1);
        let below = (at / side + 1 < side).then_some(at + side);
        for next in right.into_iter().chain(below) {
            let both = rng.random_range(0..10) < 7;
            let there = both || rng.random_range(0..2) == 0;
            if there {
                graph.add_edge(nodes[at], nodes[next], 1);
            }
            if both || !there {
                graph.add_edge(nodes[next], nodes[at], 1);
            }
        }
    }
    graph
}

/// A network with many dead ends: a random tree with some more edges.
fn network(nodes: usize, more: usize, seed: u64) -> DiGraph<(), i64> {
    let mut rng = crate::support::rng(seed);
    let mut graph = DiGraph::new();
    graph.add_node(());
    for at in 1..nodes {
        let node = graph.add_node(());
        let before = rng.random_range(at.saturating_sub(40)..at);
        graph.add_edge(NodeIndex::new(before), node, 1);
    }
    for _ in 0..more {
        let one = rng.random_range(0..nodes);
        let two = (one + rng.random_range(1..60)) % nodes;
        graph.add_edge(NodeIndex::new(one), NodeIndex::new(two), 1);
    }
    graph
}

/// What is known without solving, solving knows too, whether or not it comes to an end.
#[test]
fn solving_bounds_as_well_as_the_structure() {
    fn assert_no_worse<G: InputGraph<NodeId = NodeIndex>>(graph: G, weight: impl Fn(G::EdgeRef) -> i64 + Copy + Send) {
        let claim = Claim { from: None, to: None, closed: false };
        let known = Structure::of(graph, weight, &claim).unwrap().bound.unwrap().upper;
        let limit = std::time::Duration::from_secs(1);
        let solution = LongestPath::new(graph).weights(weight).time_limit(limit).solve().unwrap();
        assert!(known.is_some() && solution.upper_bound() <= known, "{:?}, {known:?}", solution.upper_bound());
    }
    let streets = streets(20, 1);
    assert_no_worse(&streets, |edge| *edge.weight());
    let network = network(2_500, 800, 2);
    assert_no_worse(UndirectedAdaptor(&network), |edge| *edge.weight());
}
