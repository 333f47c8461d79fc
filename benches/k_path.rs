//! Paths of `k` nodes: the figures to hold, and the fast engines against the plain one and against enumeration.
//!
//! `cargo bench --bench k_path` runs all, `cargo bench --bench k_path -- heaviest` those whose name contains `heaviest`.
//! Every answer is asserted; times are printed beside their limit and never asserted, for machines differ.

use std::time::Instant;

use longhaul::{Engine, KPath, KPathSolution, Status, Stop, k_path};
use petgraph::graph::{EdgeIndex, NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

type Answer = KPathSolution<NodeIndex, EdgeIndex>;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let parts: [(&str, fn()); 4] =
        [("rates", rates), ("any", any), ("heaviest", heaviest), ("rivals", against_plain_and_enumeration)];
    for (name, part) in parts {
        if wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str())) {
            part();
        }
    }
}

fn timed(name: &str, limit: &str, question: KPath<'_, &UnGraph<(), i64>>) -> (Answer, f64) {
    let began = Instant::now();
    let answer = question.solve().expect("the request is sound");
    let seconds = began.elapsed().as_secs_f64();
    let length = answer.length().map_or("-".to_owned(), |length| length.to_string());
    let sure = answer.failure_probability().map_or("certain".to_owned(), |missed| format!("missed < {missed:.1e}"));
    let decided = answer.stats().decisions.last().map_or("", String::as_str);
    println!("{name:<34} {length:>12} {seconds:>9.3} s {limit:>9}  {sure}; {}; {decided}", answer.stats().method);
    (answer, seconds)
}

/// Steps a second on one core, where no path of `k` nodes stops a trial early.
fn rates() {
    let k = 16;
    let graph = complete_bipartite(k as u32 / 2 - 1, 2_000);
    let ask = |engine, failure| k_path(&graph, k).engine(engine).failure_probability(failure);
    // One trial with so many labels.
    let (answer, seconds) = timed("one trial", "", ask(Engine::ColorCoding, 1.0 - 1e-9));
    assert_eq!((answer.status(), answer.stop()), (Status::Unknown, Stop::Exhausted));
    let taken = answer.stats().steps as f64 * 64.0;
    let formula = graph.edge_count() as f64 * (1u64 << k) as f64 * (k - 1) as f64;
    println!("    {:.2e} arc·subset steps/s taken (at least 2e10)", taken / seconds);
    println!("    {:.2e} edges × 2^k × rounds / s, were they taken round by round", formula / seconds);
    let (answer, seconds) = timed("one run of the sieve", "", ask(Engine::Sieve, 0.5));
    assert_eq!((answer.status(), answer.stop()), (Status::Unknown, Stop::Exhausted));
    println!("    {:.2e} multiplications/s (at least 1e9)", answer.stats().steps as f64 / seconds);

    // Large enough to leave the caches.
    let graph = complete_bipartite(4, 100_000);
    let (answer, seconds) = timed(
        "one trial, 100 000 nodes",
        "",
        k_path(&graph, 12).engine(Engine::ColorCoding).failure_probability(0.99999),
    );
    assert_eq!(answer.status(), Status::Unknown);
    println!("    {:.2e} arc·subset steps/s taken", answer.stats().steps as f64 * 64.0 / seconds);
    let (answer, seconds) =
        timed("one run, 100 000 nodes", "", k_path(&graph, 12).engine(Engine::Sieve).failure_probability(0.5));
    assert_eq!(answer.status(), Status::Unknown);
    println!("    {:.2e} multiplications/s", answer.stats().steps as f64 / seconds);
}

/// Some path of `k` nodes in a large random graph.
fn any() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let nodes = 100_000;
    let mut end = || rng.random_range(0..nodes);
    let graph = UnGraph::<(), i64>::from_edges((0..500_000).map(|_| (end(), end(), 1)).collect::<Vec<_>>());
    for (k, limit) in [(10, "2 s"), (14, "60 s")] {
        for engine in [Engine::Auto, Engine::ColorCoding, Engine::Sieve] {
            if engine == Engine::Sieve && k > 10 {
                // Half a minute; color coding is the one with less work here.
                continue;
            }
            let name = format!("any, k = {k}, {engine}");
            let (answer, _) = timed(&name, limit, k_path(&graph, k).engine(engine).threads(2));
            assert_eq!((answer.status(), answer.path().map(<[_]>::len)), (Status::Feasible, Some(k)));
        }
    }
    // Where the depth-first try fails, and every trial has to.
    let graph = complete_bipartite(3, 10_000);
    for engine in [Engine::Auto, Engine::ColorCoding, Engine::Sieve] {
        let (answer, _) = timed(&format!("none, k = 10, {engine}"), "", k_path(&graph, 10).engine(engine).threads(2));
        assert_eq!(answer.status(), Status::Unknown);
    }
}

/// The heaviest path of `k` nodes in a scale-free graph: the use in signalling networks, where weights are logarithms of
/// probabilities (negative); and weights that are even, nearly even, or far apart.
fn heaviest() {
    type Weight = fn(f64) -> f64;
    let weights: [(&str, Weight); 4] = [
        ("even", |drawn| 1e6 * drawn),
        ("log", |drawn| 1e6 * drawn.max(1e-4).ln()),
        ("near", |drawn| 1e3 + 10.0 * drawn),
        ("far", |drawn| 1e6 * drawn.powi(8)),
    ];
    for (name, weight) in weights {
        let graph = scale_free(4_400, 14_300).map(|_, ()| (), |_, &drawn| weight(drawn) as i64);
        for (k, limit) in [(8, "5 s"), (10, "30 s"), (13, "")] {
            let mut lengths = Vec::new();
            for engine in [Engine::Auto, Engine::ColorCoding] {
                let question = k_path(&graph, k).weights(|edge| *edge.weight()).engine(engine).threads(2);
                let (answer, _) = timed(&format!("heaviest, {name}, k = {k}, {engine}"), limit, question);
                assert!(answer.failure_probability().is_none_or(|missed| missed <= 1e-3));
                lengths.push(answer.length());
            }
            assert_eq!(lengths[0], lengths[1], "k = {k}");
        }
    }
}

/// The same questions to the fast engines, to the plain one, and to an enumeration that knows nothing of longhaul.
fn against_plain_and_enumeration() {
    let graph = scale_free(200, 600).map(|_, ()| (), |_, drawn| (1e3 * drawn) as i64);
    for k in [5, 6, 7] {
        let began = Instant::now();
        let expected = enumerated(&graph, k);
        println!("{:<34} {expected:>12} {:>9.3} s", format!("enumeration, k = {k}"), began.elapsed().as_secs_f64());
        for engine in [Engine::PlainColorCoding, Engine::ColorCoding, Engine::Auto] {
            let question = k_path(&graph, k).weights(|edge| *edge.weight()).engine(engine);
            let (answer, _) = timed(&format!("heaviest, k = {k}, {engine}"), "", question);
            assert_eq!(answer.length(), Some(expected), "k = {k}, {engine}");
        }
    }
    let graph = complete_bipartite(3, 60);
    for engine in [Engine::Backtracking, Engine::PlainColorCoding, Engine::ColorCoding, Engine::Sieve] {
        let (answer, _) = timed(&format!("none, k = 8, {engine}"), "", k_path(&graph, 8).engine(engine));
        assert_eq!(answer.path(), None, "{engine}");
        let (answer, _) = timed(&format!("some, k = 7, {engine}"), "", k_path(&graph, 7).engine(engine));
        assert!(answer.path().is_some(), "{engine}");
    }
}

/// Preferential attachment: a new node's edges go to ends of edges drawn at random. Weights are between 0 and 1.
fn scale_free(nodes: u32, edges: usize) -> UnGraph<(), f64> {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    let mut ends: Vec<u32> = vec![0, 1, 1, 2, 2, 0];
    for node in 3..nodes {
        let left = (edges * 2 - ends.len()) as u32;
        let still = nodes - node;
        for _ in 0..left / 2 / still {
            let other = ends[rng.random_range(0..ends.len())];
            ends.extend([node, other]);
        }
    }
    let weighted = ends.chunks(2).map(|pair| (pair[0], pair[1], rng.random_range(0.0..1.0)));
    UnGraph::from_edges(weighted.collect::<Vec<_>>())
}

/// No path has more than `2 * few + 1` nodes.
fn complete_bipartite(few: u32, many: u32) -> UnGraph<(), i64> {
    UnGraph::from_edges((0..few).flat_map(|a| (few..few + many).map(move |b| (a, b, 1))))
}

fn enumerated(graph: &UnGraph<(), i64>, k: usize) -> i64 {
    fn grow(graph: &UnGraph<(), i64>, k: usize, path: &mut Vec<NodeIndex>, length: i64, best: &mut i64) {
        if path.len() == k {
            *best = length.max(*best);
            return;
        }
        let head = path[path.len() - 1];
        for edge in graph.edges(head) {
            let next = edge.target();
            if !path.contains(&next) {
                path.push(next);
                grow(graph, k, path, length + edge.weight(), best);
                path.pop();
            }
        }
    }
    let mut best = i64::MIN;
    for start in graph.node_indices() {
        grow(graph, k, &mut vec![start], 0, &mut best);
    }
    best
}
