//! Every engine against the brute force, on all small graphs and on random weighted ones.

mod support;

use longhaul::{Engine, LongestPath, Reduction, Status};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};
use rand::RngExt;
use support::{Ends, Small};

/// Solves with the library and compares with what the brute force says, watching every bound on the way.
fn assert_agrees(small: &Small, ends: Ends, engine: Engine, without: &[Reduction]) {
    assert_agrees_with(small.longest(ends), small, ends, engine, without);
}

fn assert_agrees_with(expected: Option<i64>, small: &Small, ends: Ends, engine: Engine, without: &[Reduction]) {
    let mut graph = DiGraph::<(), i64>::new();
    for _ in 0..small.nodes {
        graph.add_node(());
    }
    for &(a, b, weight) in &small.edges {
        graph.add_edge(NodeIndex::new(a), NodeIndex::new(b), weight);
    }
    macro_rules! answer {
        ($graph:expr) => {{
            let mut question = LongestPath::new($graph).weights(|edge| *edge.weight()).engine(engine);
            for &reduction in without {
                question = question.without(reduction);
            }
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
    assert_eq!(length, expected, "{engine} without {without:?}: {small:?} {ends:?}");
    assert_eq!(upper_bound, expected, "{engine} without {without:?}: {small:?} {ends:?}");
    let settled = if expected.is_some() { Status::Optimal } else { Status::Infeasible };
    assert_eq!(status, settled, "{engine} without {without:?}: {small:?} {ends:?}");
}

/// Every exact engine, and the automatic one with each reduction switched off, with all off, and with each alone on.
fn assert_all_agree(small: &Small, ends: Ends) {
    for (_, engine) in Engine::ALL {
        let exact = engine != Engine::LocalSearch && !(engine == Engine::Signature && ends.closed);
        if exact {
            assert_agrees(small, ends, engine, &[]);
        }
    }
    for alone in Reduction::ALL {
        let others: Vec<Reduction> = Reduction::ALL.into_iter().filter(|&other| other != alone).collect();
        assert_agrees(small, ends, Engine::Auto, &[alone]);
        assert_agrees(small, ends, Engine::Auto, &others);
    }
    assert_agrees(small, ends, Engine::Auto, &Reduction::ALL);
}

/// All of that for one case in `rarity`, the automatic engine for every case.
fn assert_many_agree(cases: impl Iterator<Item = (Small, Ends)>, rarity: usize) {
    for (number, (small, ends)) in cases.enumerate() {
        assert_agrees(&small, ends, Engine::Auto, &[]);
        if number % rarity == 0 {
            assert_all_agree(&small, ends);
        }
    }
}

fn with_all_ends(small: Small) -> impl Iterator<Item = (Small, Ends)> {
    Ends::all(small.nodes).map(move |ends| (small.clone(), ends))
}

#[test]
fn every_undirected_graph_with_all_ends() {
    for nodes in 0..=5 {
        let rarity = if nodes < 5 { 1 } else { 13 };
        assert_many_agree(Small::every(nodes, false).flat_map(with_all_ends), rarity);
    }
}

#[test]
fn every_digraph_with_all_ends() {
    for nodes in 0..=4 {
        let rarity = if nodes < 4 { 1 } else { 29 };
        assert_many_agree(Small::every(nodes, true).flat_map(with_all_ends), rarity);
    }
}

#[test]
fn random_weighted_multigraphs() {
    let mut rng = support::rng(1);
    let random = (0..400).map(|round| {
        let nodes = 2 + round % 6;
        Small::random(&mut rng, nodes, nodes + round % 9, round % 2 == 0, (-5, 9))
    });
    assert_many_agree(random.flat_map(with_all_ends), 11);
}

/// Graphs glued from small random pieces at single nodes, with chains and trees hung on: much to cut apart.
#[test]
fn random_glued_graphs() {
    let mut rng = support::rng(2);
    for round in 0..300 {
        let directed = round % 2 == 0;
        let weights = if round % 3 == 0 { (1, 1) } else { (-3, 9) };
        let small = Small::glued(&mut rng, 10, directed, weights);
        let some = |rng: &mut rand_pcg::Pcg64Mcg| rng.random_range(0..small.nodes);
        let (one, two) = (some(&mut rng), some(&mut rng));
        for ends in [
            Ends::FREE,
            Ends { closed: true, ..Ends::FREE },
            Ends { from: Some(one), closed: true, to: None },
            Ends { from: Some(one), ..Ends::FREE },
            Ends { to: Some(two), ..Ends::FREE },
            Ends { from: Some(one), to: Some(two), closed: false },
        ] {
            assert_all_agree(&small, ends);
        }
    }
}

#[test]
fn random_graphs_of_chains() {
    let mut rng = support::rng(4);
    for round in 0..250 {
        let weights = [(1, 1), (0, 3), (-2, 9)][round % 3];
        let small = Small::chained(&mut rng, 4, 6, 6, weights);
        let some = |rng: &mut rand_pcg::Pcg64Mcg| rng.random_range(0..small.nodes);
        let (one, two) = (some(&mut rng), some(&mut rng));
        for ends in [
            Ends::FREE,
            Ends { closed: true, ..Ends::FREE },
            Ends { from: Some(one), closed: true, to: None },
            Ends { from: Some(one), ..Ends::FREE },
            Ends { from: Some(one), to: Some(two), closed: false },
            Ends { from: Some(0), to: Some(1), closed: false },
        ] {
            let expected = small.longest(ends);
            for without in
                [&[][..], &[Reduction::Blocks], &[Reduction::Chains], &[Reduction::Blocks, Reduction::Chains]]
            {
                assert_agrees_with(expected, &small, ends, Engine::Auto, without);
            }
        }
    }
}

#[test]
fn random_graphs_with_twins() {
    let mut rng = support::rng(5);
    for round in 0..120 {
        let weights = [(1, 1), (-2, 5)][round % 2];
        let small = Small::twinned(&mut rng, 4, 4, 5, weights);
        let some = |rng: &mut rand_pcg::Pcg64Mcg| rng.random_range(0..small.nodes);
        let (one, two) = (some(&mut rng), some(&mut rng));
        for ends in [
            Ends::FREE,
            Ends { closed: true, ..Ends::FREE },
            Ends { from: Some(one), closed: true, to: None },
            Ends { from: Some(one), ..Ends::FREE },
            Ends { from: Some(one), to: Some(two), closed: false },
        ] {
            let expected = small.longest(ends);
            for without in [&[][..], &[Reduction::Blocks], &[Reduction::Twins], &[Reduction::Blocks, Reduction::Chains]]
            {
                assert_agrees_with(expected, &small, ends, Engine::Auto, without);
            }
        }
    }
}

/// Digraphs with strong components too large to enumerate, joined by arcs: against plain search, which knows no parts.
#[test]
fn random_digraphs_with_several_strong_components() {
    let mut rng = support::rng(3);
    for round in 0..200 {
        let nodes = 18;
        let mut small = Small { nodes, directed: true, edges: Vec::new() };
        let weights = if round % 2 == 0 { 1..=1 } else { -4..=9 };
        for part in [0..8, 10..18] {
            for node in part.clone() {
                let next = if node + 1 == part.end { part.start } else { node + 1 };
                small.edges.push((node, next, rng.random_range(weights.clone())));
                small.edges.push((node, rng.random_range(part.clone()), rng.random_range(weights.clone())));
            }
        }
        for _ in 0..14 {
            let (a, b) = (rng.random_range(0..nodes), rng.random_range(0..nodes));
            small.edges.push((a.min(b), a.max(b), rng.random_range(weights.clone())));
        }
        let (one, two) = (rng.random_range(0..nodes), rng.random_range(0..nodes));
        for ends in [
            Ends::FREE,
            Ends { closed: true, ..Ends::FREE },
            Ends { from: Some(one), ..Ends::FREE },
            Ends { to: Some(two), ..Ends::FREE },
            Ends { from: Some(one), to: Some(two), closed: false },
        ] {
            let expected = small.longest(ends);
            for without in [&[][..], &[Reduction::Blocks], &[Reduction::StrongComponents]] {
                assert_agrees_with(expected, &small, ends, Engine::Auto, without);
            }
        }
    }
}
