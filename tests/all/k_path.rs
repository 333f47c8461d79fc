//! Paths of `k` nodes against the brute force, for every `k` on all small graphs; limits; bad requests.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::support::ask::Options;
use crate::support::{Ends, Small, rounds};
use longhaul::engines::{ColorCoding, EngineConfig, Sieve};
use longhaul::{Engine, KPath, KPathSolution, LongestPath, Status, Stop, k_path};
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex, UnGraph};
use petgraph::stable_graph::StableUnGraph;
use petgraph::visit::{EdgeRef, UndirectedAdaptor};

const ENGINES: [Engine; 5] =
    [Engine::Auto, Engine::Backtracking, Engine::ColorCoding, Engine::PlainColorCoding, Engine::Sieve];

type Answer = KPathSolution<NodeIndex, EdgeIndex>;

/// What is asked of a small graph beside `k`.
#[derive(Clone, Copy, Debug)]
struct Asked {
    engine: Engine,
    ends: Ends,
    heaviest: bool,
    threads: usize,
    seed: u64,
}

impl Asked {
    fn any(engine: Engine, ends: Ends) -> Self {
        Asked { engine, ends, heaviest: false, threads: 1, seed: 0 }
    }
}

fn ask(small: &Small, k: usize, asked: Asked) -> Answer {
    let graph = small.to_graph();
    macro_rules! answer {
        ($graph:expr) => {{
            let mut question = k_path($graph, k)
                .engine(asked.engine)
                .threads(asked.threads)
                .seed(asked.seed)
                .failure_probability(1e-9);
            if asked.heaviest {
                question = question.weights(|edge| *edge.weight());
            }
            if let Some(from) = asked.ends.from {
                question = question.from(NodeIndex::new(from));
            }
            if let Some(to) = asked.ends.to {
                question = question.to(NodeIndex::new(to));
            }
            question.solve().unwrap()
        }};
    }
    if small.directed { answer!(&graph) } else { answer!(UndirectedAdaptor(&graph)) }
}

/// A path where there is one, the heaviest if that was asked for, and no proof but of what is true.
fn assert_agrees(expected: Option<i64>, small: &Small, k: usize, asked: Asked) {
    let answer = ask(small, k, asked);
    let context = || format!("k = {k}, {asked:?}: {small:?}: {:?}", answer.stats().decisions);
    assert_eq!(answer.path().is_some(), expected.is_some(), "{}", context());
    if asked.heaviest {
        assert_eq!(answer.length(), expected, "{}", context());
        assert!(answer.upper_bound().is_none_or(|upper| Some(upper) >= expected), "{}", context());
    } else {
        assert_eq!(answer.length(), expected.map(|_| k as i64 - 1));
    }
    let status = match (expected, answer.failure_probability()) {
        (Some(_), None) if asked.heaviest => Status::Optimal,
        (Some(_), _) => Status::Feasible,
        (None, None) => Status::Infeasible,
        (None, Some(_)) => Status::Unknown,
    };
    assert_eq!(answer.status(), status, "{}", context());
    let likely = answer.failure_probability().is_some();
    assert!(answer.failure_probability().is_none_or(|probability| probability <= 1e-9 && probability > 0.0));
    assert_eq!(answer.stop(), if likely { Stop::Exhausted } else { Stop::Finished }, "{}", context());
    assert!(!likely || !matches!(asked.engine, Engine::Auto | Engine::Backtracking), "{}", context());
}

fn assert_all_engines_agree(small: &Small, ends: Ends) {
    for k in 1..=small.nodes + 1 {
        let expected = small.heaviest_of(k, ends);
        for engine in ENGINES {
            assert_agrees(expected, small, k, Asked::any(engine, ends));
            let sameness = small.edges.iter().all(|edge| edge.2 == small.edges[0].2);
            if engine != Engine::Sieve || sameness {
                assert_agrees(expected, small, k, Asked { heaviest: true, ..Asked::any(engine, ends) });
            }
        }
    }
}

#[test]
fn every_undirected_graph() {
    for nodes in 0..=5 {
        for (number, small) in Small::every(nodes, false).enumerate() {
            assert_all_engines_agree(&small, Ends::FREE);
            let every = if nodes < 5 { 1 } else { 61 };
            if number % every == 0 {
                let open = Ends::all(nodes).filter(|ends| !ends.closed);
                open.for_each(|ends| assert_all_engines_agree(&small, ends));
            }
        }
    }
}

#[test]
fn every_digraph() {
    for nodes in 0..=4 {
        for (number, small) in Small::every(nodes, true).enumerate() {
            if nodes < 4 || number % 5 == 0 {
                assert_all_engines_agree(&small, Ends::FREE);
            }
            if nodes < 4 || number % 211 == 0 {
                let open = Ends::all(nodes).filter(|ends| !ends.closed);
                open.for_each(|ends| assert_all_engines_agree(&small, ends));
            }
        }
    }
}

#[test]
fn random_weighted_multigraphs() {
    let mut rng = crate::support::rng(11);
    for round in 0..rounds(50) {
        let nodes = 2 + round % 6;
        let small = Small::random(&mut rng, nodes, nodes + round % 9, round % 2 == 0, (-5, 9));
        for ends in Ends::sample(&mut rng, nodes).into_iter().filter(|ends| !ends.closed) {
            assert_all_engines_agree(&small, ends);
        }
    }
}

/// Larger ones, where several words and planes, and several blocks of the sieve, come into play.
#[test]
fn paths_of_more_vertices() {
    let mut rng = crate::support::rng(12);
    for round in 0..rounds(8) {
        let nodes = 14;
        let small = Small::random(&mut rng, nodes, 17 + round % 4, round % 2 == 0, (-3, 9));
        let [.., both, _, _] = Ends::sample(&mut rng, nodes);
        for ends in [Ends::FREE, Ends { from: both.from, ..Ends::FREE }, both] {
            for k in [7, 8, 9, 10, 11] {
                let expected = small.heaviest_of(k, ends);
                for (threads, engine) in [(1, Engine::ColorCoding), (2, Engine::ColorCoding), (2, Engine::Auto)] {
                    assert_agrees(expected, &small, k, Asked { threads, ..Asked::any(engine, ends) });
                    assert_agrees(expected, &small, k, Asked { threads, heaviest: true, ..Asked::any(engine, ends) });
                }
                assert_agrees(expected, &small, k, Asked { threads: 2, ..Asked::any(Engine::Sieve, ends) });
                assert_agrees(expected, &small, k, Asked::any(Engine::Sieve, ends));
            }
        }
    }
}

#[test]
fn the_same_path_twice() {
    let mut rng = crate::support::rng(13);
    let small = Small::random(&mut rng, 60, 150, false, (0, 99));
    for engine in ENGINES {
        for heaviest in [false, true] {
            if heaviest && matches!(engine, Engine::PlainColorCoding | Engine::Sieve) {
                continue;
            }
            let once = || ask(&small, 7, Asked { heaviest, seed: 5, ..Asked::any(engine, Ends::FREE) });
            let (one, other) = (once(), once());
            assert_eq!(one.path(), other.path(), "{engine}");
            assert_eq!(one.stats().steps, other.stats().steps, "{engine}");
            let threads = ask(&small, 7, Asked { heaviest, threads: 2, seed: 5, ..Asked::any(engine, Ends::FREE) });
            assert_eq!((one.length(), one.status()), (threads.length(), threads.status()), "{engine}");
        }
    }
}

/// A complete bipartite graph with few nodes on one side: many walks, no path of so many nodes, too many to try.
fn no_path_of(k: usize) -> UnGraph<(), ()> {
    let few = k / 2 - 1;
    UnGraph::from_edges((0..few as u32).flat_map(|a| (few as u32..120).map(move |b| (a, b))))
}

#[test]
fn a_likely_no_is_no_proof() {
    let graph = no_path_of(10);
    let longest = k_path(&graph, 9).solve().unwrap();
    assert_eq!((longest.status(), longest.stats().method), (Status::Feasible, "depth-first"));
    // Here the longest path settles it.
    assert_eq!(k_path(&graph, 10).solve().unwrap().status(), Status::Infeasible);
    for engine in [Engine::ColorCoding, Engine::Sieve] {
        for failure in [0.1, 1e-3] {
            let answer = k_path(&graph, 10).engine(engine).failure_probability(failure).solve().unwrap();
            assert_eq!(answer.status(), Status::Unknown, "{engine}");
            assert_eq!(answer.stop(), Stop::Exhausted);
            assert!(answer.failure_probability().is_some_and(|missed| missed <= failure && missed > 0.0), "{engine}");
            assert_eq!(answer.upper_bound(), None);
        }
    }
    let answer = LongestPath::new(&graph).engine(Engine::ColorCoding).solve().unwrap();
    assert_eq!((answer.status(), answer.length()), (Status::Feasible, Some(8)));
    let answer = LongestPath::new(&graph).engine(Engine::Sieve).solve().unwrap();
    assert_eq!((answer.status(), answer.length()), (Status::Feasible, Some(8)));
}

#[test]
fn corner_cases() {
    let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2)]);
    let empty = UnGraph::<(), ()>::default();
    for engine in ENGINES {
        let ask = |k: usize| k_path(&graph, k).engine(engine);
        let one = ask(1).solve().unwrap();
        assert_eq!((one.status(), one.length(), one.edges()), (Status::Feasible, Some(0), &[][..]), "{engine}");
        assert_eq!(ask(3).solve().unwrap().path().map(<[_]>::len), Some(3));
        assert_eq!(ask(4).solve().unwrap().status(), Status::Infeasible);
        assert_eq!(ask(1).from(0.into()).to(0.into()).solve().unwrap().path(), Some(&[0.into()][..]));
        assert_eq!(ask(1).from(0.into()).to(1.into()).solve().unwrap().status(), Status::Infeasible);
        assert_eq!(ask(2).from(0.into()).to(0.into()).solve().unwrap().status(), Status::Infeasible);
        assert_eq!(ask(3).weights(|_| 7).solve().unwrap().status(), Status::Optimal);
        assert_eq!(ask(3).weights(|_| -7).solve().unwrap().length(), Some(-14));
        assert_eq!(k_path(&empty, 1).engine(engine).solve().unwrap().status(), Status::Infeasible);
    }
    // No walk of so many nodes: no need to search, whatever the engine.
    let line = DiGraph::<(), ()>::from_edges([(0, 1), (1, 2), (3, 4), (4, 5), (0, 5)]);
    for engine in ENGINES {
        let answer = k_path(&line, 4).engine(engine).solve().unwrap();
        assert_eq!((answer.status(), answer.stats().method), (Status::Infeasible, "walks"));
    }
}

/// Far more nodes than sets of labels could be told apart.
#[test]
fn long_paths() {
    let nodes = 100_000;
    let line = DiGraph::<(), i64>::from_edges((1..nodes).map(|node| (node - 1, node, i64::from(node % 7))));
    for k in [31, 64, 1000, 100_000] {
        let answer = k_path(&line, k).solve().unwrap();
        assert_eq!((answer.status(), answer.path().map(<[_]>::len)), (Status::Feasible, Some(k)));
    }
    assert_eq!(k_path(&line, 100_001).solve().unwrap().status(), Status::Infeasible);
    let heaviest = k_path(&line, 31).weights(|edge| *edge.weight()).solve().unwrap();
    assert_eq!((heaviest.status(), heaviest.length()), (Status::Optimal, Some(4 * 21 + 5 + 6)));
    let graph = no_path_of(40);
    let answer = k_path(&graph, 40).solve().unwrap();
    assert_eq!((answer.status(), answer.failure_probability()), (Status::Infeasible, None));
}

#[test]
fn bad_requests() {
    let mut graph = StableUnGraph::<(), i64>::default();
    let nodes: Vec<_> = (0..4).map(|_| graph.add_node(())).collect();
    graph.add_edge(nodes[0], nodes[2], 1);
    graph.add_edge(nodes[2], nodes[3], 2);
    graph.remove_node(nodes[1]);
    let message = |question: KPath<'_, &StableUnGraph<(), i64>>| question.solve().unwrap_err().to_string();
    assert!(message(k_path(&graph, 0)).contains("at least one node"));
    assert!(message(k_path(&graph, 2).from(nodes[1])).contains("not in the graph"));
    assert!(message(k_path(&graph, 2).to(nodes[1])).contains("not in the graph"));
    assert!(message(k_path(&graph, 2).threads(0)).contains("at least one thread"));
    for failure in [0.0, 1.0, -0.5, f64::NAN, f64::INFINITY] {
        assert!(message(k_path(&graph, 2).failure_probability(failure)).contains("between 0 and 1"));
        let (coding, sieve) = (ColorCoding::default(), Sieve::default());
        let configs: [EngineConfig; 3] = [
            coding.clone().failure_probability(failure).into(),
            coding.plain().failure_probability(failure).into(),
            sieve.failure_probability(failure).into(),
        ];
        for config in configs {
            let longest = LongestPath::new(&graph).engine(config).solve();
            assert!(longest.unwrap_err().to_string().contains("between 0 and 1"));
        }
    }
    let weighted = || k_path(&graph, 2).weights(|edge| *edge.weight());
    assert!(message(weighted().engine(Engine::Sieve)).contains("the sieve knows no weights"));
    assert!(message(k_path(&graph, 2).weights(|_| i64::MAX)).contains("too large"));
    for engine in [Engine::ColorCoding, Engine::PlainColorCoding, Engine::Sieve] {
        assert!(message(k_path(&graph, 31).engine(engine)).contains("up to paths of 30 nodes"), "{engine}");
        assert_eq!(k_path(&graph, 30).engine(engine).solve().unwrap().status(), Status::Infeasible);
    }
    for engine in [Engine::Frontier, Engine::LocalSearch, Engine::PlainBacktracking] {
        assert!(message(k_path(&graph, 2).engine(engine)).contains("does not look for paths of k nodes"), "{engine}");
    }
    let longest = LongestPath::new(&graph).weights(|edge| *edge.weight()).engine(Engine::Sieve).solve();
    assert!(longest.unwrap_err().to_string().contains("the sieve knows no weights"));
    assert!(LongestPath::new(&graph).weights(|_| -1).engine(Engine::Sieve).solve().is_err());
}

#[test]
fn limits() {
    let graph = no_path_of(20);
    let weight = |edge: petgraph::graph::EdgeReference<'_, ()>| (edge.id().index() % 97) as i64;
    for engine in ENGINES {
        let ask = |k| k_path(&graph, k).engine(engine).threads(2);
        let stopped = ask(20).time_limit(Duration::ZERO).solve().unwrap();
        assert_eq!((stopped.status(), stopped.stop()), (Status::Unknown, Stop::TimeLimit), "{engine}");
        let flag = Arc::new(AtomicBool::new(true));
        let stopped = ask(20).interrupt(flag.clone()).solve().unwrap();
        assert_eq!((stopped.status(), stopped.stop()), (Status::Unknown, Stop::Interrupted), "{engine}");
        let soon = ask(20).time_limit(Duration::from_millis(30)).solve().unwrap();
        // In time the longest path may settle it.
        if engine != Engine::Auto || soon.status() != Status::Infeasible {
            assert_eq!(soon.status(), Status::Unknown);
            assert!(soon.failure_probability().is_some_and(|missed| missed > 0.0 && missed <= 1.0));
        }
        if engine != Engine::Sieve {
            let soon = ask(20).weights(weight).time_limit(Duration::from_millis(30)).solve().unwrap();
            assert_eq!((soon.status(), soon.stop()), (Status::Unknown, Stop::TimeLimit), "{engine}");
        }
        if engine != Engine::Backtracking && engine != Engine::Auto {
            for bytes in [0, 1000] {
                let none = ask(20).memory_limit(bytes).solve().unwrap();
                assert_eq!((none.status(), none.stop()), (Status::Unknown, Stop::MemoryLimit), "{engine}");
                assert_eq!(none.failure_probability(), Some(1.0), "{engine}");
            }
        }
    }
    // A table that no machine has room for is never asked for.
    let wide = UnGraph::<(), ()>::from_edges((0..13u32).flat_map(|a| (13..100_000).map(move |b| (a, b))));
    let refused = k_path(&wide, 28).engine(Engine::ColorCoding).solve().unwrap();
    assert_eq!((refused.status(), refused.stop()), (Status::Unknown, Stop::MemoryLimit));
}

#[test]
fn the_longest_path_by_k() {
    let mut rng = crate::support::rng(14);
    for round in 0..rounds(42) {
        let nodes = 3 + round % 6;
        let weights = if round % 3 == 0 { (-3, 6) } else { (2, 2) };
        let small = Small::random(&mut rng, nodes, nodes + round % 7, round % 2 == 0, weights);
        for ends in Ends::sample(&mut rng, nodes) {
            let expected = small.longest(ends);
            for engine in [Engine::ColorCoding, Engine::PlainColorCoding, Engine::Sieve] {
                if engine == Engine::Sieve && weights == (-3, 6) {
                    continue;
                }
                let options =
                    Options { known_optimum: expected, failure_probability: Some(1e-9), ..Options::engine(engine) };
                let answer = crate::support::ask::ask(&small.to_graph(), small.directed, ends, &options).unwrap();
                answer.assert_honest(expected, expected);
                if !ends.closed {
                    assert_eq!(answer.length(), expected, "{engine} {ends:?} {small:?}");
                }
            }
        }
    }
}

/// The longest path of the karate club has 25 nodes, and that is proved sooner than any search for paths of 25 or 26.
#[test]
fn a_bound_on_the_longest_path_settles_it() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("graphs/real/karate.gr");
    let file = longhaul::io::GraphFile::open(&path, &longhaul::io::ReadOptions::default()).unwrap();
    let graph = UndirectedAdaptor(&file.graph);
    let longest = LongestPath::new(graph).solve().unwrap().path().unwrap().len();
    let answer = k_path(graph, longest).solve().unwrap();
    assert_eq!((answer.status(), answer.path().map(<[_]>::len)), (Status::Feasible, Some(longest)));
    let none = k_path(graph, longest + 1).solve().unwrap();
    assert_eq!((none.status(), none.stop()), (Status::Infeasible, Stop::Finished));
    let end = answer.path().unwrap()[0];
    let shorter = k_path(graph, longest - 2).from(end).solve().unwrap();
    assert_eq!((shorter.status(), shorter.path().unwrap()[0]), (Status::Feasible, end));
}
