//! Families of graphs that `auto` must settle quickly: a table of answers, times and the limits they are held to.
//!
//! `cargo bench --bench families` runs all, `cargo bench --bench families -- knight` those whose name contains `knight`.
//! Every answer is asserted; times are printed beside their limit and never asserted, for machines differ.

use std::time::{Duration, Instant};

use longhaul::{Engine, LongestPath, Solution, Status};
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex, UnGraph};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

type Answer = Solution<NodeIndex, EdgeIndex>;

struct Family {
    name: &'static str,
    limit_seconds: f64,
    /// The optimum; `None` where only the proof is asked for.
    optimum: Option<i64>,
    solve: fn() -> Timed,
}

struct Timed {
    answer: Answer,
    elapsed: Duration,
}

const FAMILIES: &[Family] = &[
    Family {
        name: "dag_1e6_5e6",
        limit_seconds: 2.0,
        optimum: None,
        solve: || directed(&random_dag(1_000_000, 5_000_000)),
    },
    Family { name: "tree_1e6", limit_seconds: 1.0, optimum: None, solve: || undirected(&random_tree(1_000_000)) },
    Family { name: "path_1e6", limit_seconds: 1.0, optimum: Some(999_999), solve: || undirected(&path(1_000_000)) },
    Family { name: "path_1e7", limit_seconds: 20.0, optimum: Some(9_999_999), solve: || undirected(&path(10_000_000)) },
    Family {
        name: "cubic_1000",
        limit_seconds: 2.0,
        optimum: Some(999),
        solve: || undirected(&random_cubic(1_000, 1)),
    },
    Family {
        name: "cubic_10000",
        limit_seconds: 60.0,
        optimum: Some(9_999),
        solve: || undirected(&random_cubic(10_000, 1)),
    },
    Family {
        name: "gnp_10000_20",
        limit_seconds: 3.0,
        optimum: Some(9_999),
        solve: || undirected(&random_graph(10_000, 100_000)),
    },
    Family { name: "knight_8", limit_seconds: 0.1, optimum: Some(63), solve: || undirected(&knight(8)) },
    Family { name: "knight_30", limit_seconds: 2.0, optimum: Some(899), solve: || undirected(&knight(30)) },
    Family { name: "hypercube_7", limit_seconds: 0.1, optimum: Some(127), solve: || undirected(&hypercube(7)) },
    Family { name: "hypercube_12", limit_seconds: 2.0, optimum: Some(4_095), solve: || undirected(&hypercube(12)) },
    Family {
        name: "uno_2000",
        limit_seconds: 2.0,
        optimum: Some(1_999),
        solve: || undirected(&uno_hand(2_000, 40, 50)),
    },
    Family {
        name: "bipartite_200_300",
        limit_seconds: 0.1,
        optimum: Some(400),
        solve: || undirected(&complete_bipartite(200, 300)),
    },
    Family {
        name: "star_1e5",
        limit_seconds: 0.1,
        optimum: Some(2),
        solve: || undirected(&complete_bipartite(1, 100_000)),
    },
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!("{:20} {:>9} {:>9} {:>9}  decided", "family", "length", "seconds", "limit");
    for family in
        FAMILIES.iter().filter(|family| wanted.is_empty() || wanted.iter().any(|part| family.name.contains(part)))
    {
        let Timed { answer, elapsed } = (family.solve)();
        assert_eq!(answer.status(), Status::Optimal, "{}", family.name);
        assert!(family.optimum.is_none_or(|optimum| answer.length() == Some(optimum)), "{}", family.name);
        let length = answer.length().expect("an optimal answer has a length");
        let decided = answer.stats().decisions.last().map_or("", String::as_str);
        println!(
            "{:20} {length:>9} {:>9.3} {:>9}  {decided}",
            family.name,
            elapsed.as_secs_f64(),
            family.limit_seconds
        );
    }
}

fn undirected(graph: &UnGraph<(), ()>) -> Timed {
    let began = Instant::now();
    let answer = LongestPath::new(graph).engine(Engine::Auto).threads(2).solve().expect("the request is sound");
    Timed { answer, elapsed: began.elapsed() }
}

fn directed(graph: &DiGraph<(), ()>) -> Timed {
    let began = Instant::now();
    let answer = LongestPath::new(graph).engine(Engine::Auto).threads(2).solve().expect("the request is sound");
    Timed { answer, elapsed: began.elapsed() }
}

fn random(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

fn random_dag(nodes: u32, arcs: u32) -> DiGraph<(), ()> {
    let mut rng = random(1);
    let pairs = (0..arcs).map(|_| (rng.random_range(0..nodes), rng.random_range(0..nodes)));
    let mut graph = DiGraph::from_edges(pairs.filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b))));
    while graph.node_count() < nodes as usize {
        graph.add_node(());
    }
    graph
}

fn random_tree(nodes: u32) -> UnGraph<(), ()> {
    let mut rng = random(2);
    UnGraph::from_edges((1..nodes).map(|node| (node, rng.random_range(0..node))))
}

fn path(nodes: u32) -> UnGraph<(), ()> {
    UnGraph::from_edges((1..nodes).map(|node| (node - 1, node)))
}

/// A random cubic graph by pairing half-edges; pairs that would be loops or parallel are paired again with others.
fn random_cubic(nodes: u32, seed: u64) -> UnGraph<(), ()> {
    let mut rng = random(seed);
    let mut halves: Vec<u32> = (0..nodes).flat_map(|node| [node; 3]).collect();
    for last in (1..halves.len()).rev() {
        halves.swap(last, rng.random_range(0..=last));
    }
    loop {
        let mut seen = std::collections::HashSet::new();
        let bad: Vec<usize> = (0..halves.len() / 2)
            .filter(|&pair| {
                let (a, b) = (halves[2 * pair], halves[2 * pair + 1]);
                a == b || !seen.insert((a.min(b), a.max(b)))
            })
            .collect();
        if bad.is_empty() {
            return UnGraph::from_edges(halves.chunks(2).map(|pair| (pair[0], pair[1])));
        }
        for pair in bad {
            halves.swap(2 * pair, rng.random_range(0..3 * nodes as usize));
        }
    }
}

fn random_graph(nodes: u32, edges: u32) -> UnGraph<(), ()> {
    let mut rng = random(3);
    let pairs = (0..edges).map(|_| (rng.random_range(0..nodes), rng.random_range(0..nodes)));
    UnGraph::from_edges(pairs.filter(|(a, b)| a != b))
}

fn knight(side: i32) -> UnGraph<(), ()> {
    let mut edges = Vec::new();
    for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
        for (down, right) in [(1, 2), (2, 1), (2, -1), (1, -2)] {
            let (to_row, to_column) = (row + down, column + right);
            if to_row < side && (0..side).contains(&to_column) {
                edges.push(((row * side + column) as u32, (to_row * side + to_column) as u32));
            }
        }
    }
    UnGraph::from_edges(edges)
}

fn hypercube(dimension: u32) -> UnGraph<(), ()> {
    let corners = 0..1u32 << dimension;
    UnGraph::from_edges(corners.flat_map(|corner| {
        (0..dimension).map(move |bit| (corner, corner ^ 1 << bit)).filter(|(corner, other)| corner < other)
    }))
}

fn uno_hand(cards: u32, colours: u32, numbers: u32) -> UnGraph<(), ()> {
    let mut rng = random(4);
    let hand: Vec<(u32, u32)> =
        (0..cards).map(|_| (rng.random_range(0..colours), rng.random_range(0..numbers))).collect();
    let matches = |&(a, b): &(u32, u32)| {
        let (one, other) = (hand[a as usize], hand[b as usize]);
        one.0 == other.0 || one.1 == other.1
    };
    UnGraph::from_edges((0..cards).flat_map(|a| (0..a).map(move |b| (b, a))).filter(matches))
}

fn complete_bipartite(left: u32, right: u32) -> UnGraph<(), ()> {
    UnGraph::from_edges((0..left).flat_map(|a| (left..left + right).map(move |b| (a, b))))
}
