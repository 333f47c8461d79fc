//! Every engine against the brute force, on all small graphs and on random weighted ones.

use crate::support::ask::{Options, ask, is_exact};
use crate::support::{Ends, Small, rounds};
use longhaul::{Engine, Reduction, Status};
use rand::RngExt;

/// Solves with the library and compares with what the brute force says, watching every bound on the way.
fn assert_agrees(expected: Option<i64>, small: &Small, ends: Ends, engine: Engine, without: &[Reduction]) {
    let options = Options { engine, without: without.to_vec(), known_optimum: expected, ..Options::default() };
    let answer = ask(&small.to_graph(), small.directed, ends, &options).expect("the question is sound");
    answer.assert_honest(expected, expected);
    assert_eq!(answer.length(), expected, "{engine} without {without:?}: {small:?} {ends:?}");
    assert_eq!(answer.upper_bound(), expected, "{engine} without {without:?}: {small:?} {ends:?}");
    let settled = if expected.is_some() { Status::Optimal } else { Status::Infeasible };
    assert_eq!(answer.status(), settled, "{engine} without {without:?}: {small:?} {ends:?}");
}

/// Every exact engine, and the automatic one with each reduction switched off, with all off, and with each alone on.
fn assert_all_agree(expected: Option<i64>, small: &Small, ends: Ends) {
    for (_, engine) in Engine::ALL {
        if is_exact(engine, ends) {
            assert_agrees(expected, small, ends, engine, &[]);
        }
    }
    for alone in Reduction::ALL {
        let others: Vec<Reduction> = Reduction::ALL.into_iter().filter(|&other| other != alone).collect();
        assert_agrees(expected, small, ends, Engine::Auto, &[alone]);
        assert_agrees(expected, small, ends, Engine::Auto, &others);
    }
    assert_agrees(expected, small, ends, Engine::Auto, &Reduction::ALL);
}

/// All of that for one case in `rarity`, the automatic engine for every case.
fn assert_many_agree(cases: impl Iterator<Item = (Small, Ends)>, rarity: usize) {
    for (number, (small, ends)) in cases.enumerate() {
        let expected = small.longest(ends);
        assert_agrees(expected, &small, ends, Engine::Auto, &[]);
        if number % rarity == 0 {
            assert_all_agree(expected, &small, ends);
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
    let mut rng = crate::support::rng(1);
    let random = (0..rounds(200)).map(|round| {
        let nodes = 2 + round % 6;
        Small::random(&mut rng, nodes, nodes + round % 9, round % 2 == 0, (-5, 9))
    });
    assert_many_agree(random.flat_map(with_all_ends), 11);
}

/// Graphs glued from small random pieces at single nodes, with chains and trees hung on: much to cut apart.
#[test]
fn random_glued_graphs() {
    let mut rng = crate::support::rng(2);
    for round in 0..rounds(100) {
        let directed = round % 2 == 0;
        let weights = if round % 3 == 0 { (1, 1) } else { (-3, 9) };
        let small = Small::glued(&mut rng, 10, directed, weights);
        for ends in Ends::sample(&mut rng, small.nodes) {
            assert_all_agree(small.longest(ends), &small, ends);
        }
    }
}

#[test]
fn random_graphs_of_chains() {
    let mut rng = crate::support::rng(4);
    for round in 0..rounds(100) {
        let weights = [(1, 1), (0, 3), (-2, 9)][round % 3];
        let small = Small::chained(&mut rng, 4, 6, 6, weights);
        for ends in Ends::sample(&mut rng, small.nodes) {
            let expected = small.longest(ends);
            for without in
                [&[][..], &[Reduction::Blocks], &[Reduction::Chains], &[Reduction::Blocks, Reduction::Chains]]
            {
                assert_agrees(expected, &small, ends, Engine::Auto, without);
            }
        }
    }
}

#[test]
fn random_graphs_with_twins() {
    let mut rng = crate::support::rng(5);
    for round in 0..rounds(60) {
        let weights = [(1, 1), (-2, 5)][round % 2];
        let small = Small::twinned(&mut rng, 4, 4, 5, weights);
        for ends in Ends::sample(&mut rng, small.nodes) {
            let expected = small.longest(ends);
            for without in [&[][..], &[Reduction::Blocks], &[Reduction::Twins], &[Reduction::Blocks, Reduction::Chains]]
            {
                assert_agrees(expected, &small, ends, Engine::Auto, without);
            }
        }
    }
}

/// Where every arc can be gone back: as digraphs, and as undirected graphs but for cycles there and back.
#[test]
fn random_two_way_digraphs() {
    let mut rng = crate::support::rng(7);
    for round in 0..rounds(60) {
        let weights = [(1, 1), (-2, 5)][round % 2];
        let mut small = Small::random(&mut rng, 3 + round % 6, 4 + round % 9, false, weights);
        small.edges.retain(|&(source, target, _)| source != target);
        let back: Vec<_> = small.edges.iter().map(|&(source, target, weight)| (target, source, weight)).collect();
        small.edges.extend(back);
        small.directed = true;
        for ends in Ends::sample(&mut rng, small.nodes) {
            let expected = small.longest(ends);
            for without in [&[][..], &[Reduction::TwoWay], &[Reduction::Blocks]] {
                assert_agrees(expected, &small, ends, Engine::Auto, without);
            }
        }
    }
}

/// Streets with vertices inside, one-way and two-way, with the same weight back and with another.
#[test]
fn random_digraphs_of_chains() {
    let mut rng = crate::support::rng(8);
    for round in 0..rounds(100) {
        let weights = [(1, 1), (0, 3), (-2, 9)][round % 3];
        let mut small = Small::chained(&mut rng, 4, 6, 6, weights);
        small.directed = true;
        for (source, target, weight) in small.edges.clone() {
            match rng.random_range(0..4) {
                0 => {}
                1 => small.edges.push((target, source, rng.random_range(weights.0..=weights.1))),
                _ => small.edges.push((target, source, weight)),
            }
        }
        for ends in Ends::sample(&mut rng, small.nodes) {
            let expected = small.longest(ends);
            for without in [&[][..], &[Reduction::Chains], &[Reduction::Blocks], &[Reduction::StrongComponents]] {
                assert_agrees(expected, &small, ends, Engine::Auto, without);
            }
        }
    }
}

/// Digraphs with strong components too large to enumerate, joined by arcs: against plain search, which knows no parts.
#[test]
fn random_digraphs_with_several_strong_components() {
    let mut rng = crate::support::rng(3);
    for round in 0..rounds(100) {
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
                assert_agrees(expected, &small, ends, Engine::Auto, without);
            }
        }
    }
}
