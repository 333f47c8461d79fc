//! What `Structure` says of a graph, against the brute force and against the known answers of the corpus.

use crate::support::{Ends, Small};
use longhaul::certificate::{Claim, check_bound};
use longhaul::io::{Format, GraphFile, ReadOptions};
use longhaul::structure::{Class, Structure};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};

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
    for round in 0..150 {
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
