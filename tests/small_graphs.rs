//! Every engine against the brute force, on all small graphs and on random weighted ones.

mod support;

use longhaul::{Engine, LongestPath, Status};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};
use support::{Ends, Small};

/// Solves with the library and compares with what the brute force says, watching every bound on the way.
fn assert_agrees(small: &Small, ends: Ends, engine: Engine) {
    let expected = small.longest(ends);
    let mut graph = DiGraph::<(), i64>::new();
    (0..small.nodes).for_each(|_| drop(graph.add_node(())));
    for &(a, b, weight) in &small.edges {
        graph.add_edge(NodeIndex::new(a), NodeIndex::new(b), weight);
    }
    macro_rules! answer {
        ($graph:expr) => {{
            let mut question = LongestPath::new($graph).weights(|edge| *edge.weight()).engine(engine);
            if let Some(from) = ends.from {
                question = question.from(NodeIndex::new(from));
            }
            if let Some(to) = ends.to {
                question = question.to(NodeIndex::new(to));
            }
            if ends.closed {
                question = question.closed();
            }
            if let Some(optimum) = expected {
                question = question.known_optimum(optimum);
            }
            let solution = question.solve().unwrap();
            (solution.status(), solution.length(), solution.upper_bound())
        }};
    }
    let (status, length, upper_bound) =
        if small.directed { answer!(&graph) } else { answer!(UndirectedAdaptor(&graph)) };
    assert_eq!(length, expected, "{engine}: {small:?} {ends:?}");
    assert_eq!(upper_bound, expected, "{engine}: {small:?} {ends:?}");
    let settled = if expected.is_some() { Status::Optimal } else { Status::Infeasible };
    assert_eq!(status, settled, "{engine}: {small:?} {ends:?}");
}

fn exact_engines() -> impl Iterator<Item = Engine> {
    Engine::ALL.into_iter().map(|(_, engine)| engine)
}

#[test]
fn every_undirected_graph_with_all_ends() {
    for nodes in 0..=5 {
        for small in Small::every(nodes, false) {
            for ends in Ends::all(nodes) {
                exact_engines().for_each(|engine| assert_agrees(&small, ends, engine));
            }
        }
    }
}

#[test]
fn every_digraph_with_all_ends() {
    for nodes in 0..=3 {
        for small in Small::every(nodes, true) {
            for ends in Ends::all(nodes) {
                exact_engines().for_each(|engine| assert_agrees(&small, ends, engine));
            }
        }
    }
    for small in Small::every(4, true) {
        for ends in
            [Ends::FREE, Ends { closed: true, ..Ends::FREE }, Ends { from: Some(1), to: Some(2), closed: false }]
        {
            exact_engines().for_each(|engine| assert_agrees(&small, ends, engine));
        }
    }
}

#[test]
fn random_weighted_multigraphs() {
    let mut rng = support::rng(1);
    for round in 0..400 {
        let nodes = 2 + round % 6;
        let small = Small::random(&mut rng, nodes, nodes + round % 9, round % 2 == 0, (-5, 9));
        for ends in Ends::all(nodes) {
            exact_engines().for_each(|engine| assert_agrees(&small, ends, engine));
        }
    }
}
