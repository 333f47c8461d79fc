//! The largest and the heaviest clique against a naive search, on random graphs and on all small ones of the corpus.

use std::path::Path;

use longhaul::Status;
use longhaul::clique::{MaximalCliques, MaximumClique};
use longhaul::io::decode_graph6;
use petgraph::graph::{NodeIndex, UnGraph};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The neighbours of every node as a set of bits.
fn rows(graph: &UnGraph<i64, ()>) -> Vec<u32> {
    let row = |node: NodeIndex| graph.neighbors(node).fold(0, |row, other| row | 1 << other.index());
    graph.node_indices().map(row).collect()
}

/// The greatest weight of a clique among these candidates: each is taken or left.
fn naive(rows: &[u32], weights: &[i64], candidates: u32) -> i64 {
    if candidates == 0 {
        return 0;
    }
    let node = candidates.trailing_zeros() as usize;
    let rest = candidates & (candidates - 1);
    let taken = weights[node] + naive(rows, weights, rest & rows[node]);
    // Without a neighbour left out, leaving the node out gains nothing.
    if rest & !rows[node] == 0 { taken } else { taken.max(naive(rows, weights, rest)) }
}

fn assert_agrees(graph: &UnGraph<i64, ()>, threads: usize) {
    let rows = rows(graph);
    let all = (1u32 << rows.len()) - 1;
    let weights: Vec<i64> = graph.node_weights().copied().collect();
    let largest = naive(&rows, &vec![1; rows.len()], all);
    let answer = MaximumClique::new(graph).threads(threads).solve().unwrap();
    assert_eq!(
        (answer.weight(), answer.upper_bound(), answer.status()),
        (Some(largest), Some(largest), Status::Optimal)
    );
    let heaviest = naive(&rows, &weights, all);
    let answer = MaximumClique::new(graph).node_weights(|node| graph[node]).threads(threads).solve().unwrap();
    assert_eq!((answer.weight(), answer.status()), (Some(heaviest), Status::Optimal));
    let nodes = answer.nodes().unwrap();
    assert_eq!(nodes.iter().map(|&node| graph[node]).sum::<i64>(), heaviest);
    let is_clique = |set: &[NodeIndex]| {
        set.iter().all(|&one| set.iter().all(|&other| one == other || graph.contains_edge(one, other)))
    };
    assert!(is_clique(nodes));
    let sizes = MaximalCliques::new(graph).unwrap().map(|clique| {
        assert!(is_clique(&clique));
        clique.len() as i64
    });
    assert_eq!(sizes.max(), Some(largest));
}

#[test]
fn two_thousand_random_graphs() {
    let mut random = Pcg64Mcg::seed_from_u64(17);
    for round in 0..2000 {
        let nodes = random.random_range(1..=20u32);
        let density: f64 = random.random();
        let mut graph = UnGraph::<i64, ()>::default();
        for _ in 0..nodes {
            graph.add_node(random.random_range(1..=if round % 2 == 0 { 9 } else { 1_000_000 }));
        }
        for one in 0..nodes {
            for other in 0..one {
                if random.random::<f64>() < density {
                    graph.add_edge(one.into(), other.into(), ());
                }
            }
        }
        assert_agrees(&graph, 1 + round % 2);
    }
}

#[test]
fn all_small_graphs_of_the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("graphs/small");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| !line.starts_with('#') && *line != "graph6\toptimum") {
            let word = line.split('\t').next().unwrap();
            let (read, _) = decode_graph6(word).unwrap();
            let mut graph = UnGraph::<i64, ()>::default();
            for node in read.node_indices() {
                graph.add_node(1 + (node.index() as i64 * 7 + seen) % 5);
            }
            for edge in read.raw_edges() {
                graph.update_edge(edge.source(), edge.target(), ());
            }
            assert_agrees(&graph, 1);
            seen += 1;
        }
    }
    assert!(seen > 1000, "{seen}");
}
