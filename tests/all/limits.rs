//! Limits end a run soon and honestly, and every corner case has its answer.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::support::ask::{Answer, Options, ask, is_exact};
use crate::support::{Ends, Small};
use longhaul::io::{GraphFile, ReadOptions};
use longhaul::{Engine, LongestPath, Status, Stop};
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::stable_graph::StableUnGraph;
use rand::RngExt;

const MEGABYTE: usize = 1 << 20;

fn corpus_file(name: &str) -> GraphFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("graphs").join(name);
    GraphFile::open(&path, &ReadOptions::default()).unwrap()
}

/// Solves an instance of the corpus between its terminals.
fn solve(name: &str, options: &Options) -> Answer {
    let file = corpus_file(name);
    let [from, to] = [file.terminals.from, file.terminals.to].map(|end| end.map(|end| end.index()));
    let answer = ask(&file.graph, file.directed, Ends { from, to, closed: false }, options).unwrap();
    answer.assert_honest(None, None);
    assert!(answer.upper_bound().is_some(), "{name} has a path");
    answer
}

fn open_answer(answer: &Answer) -> bool {
    matches!(answer.status(), Status::Feasible | Status::Unknown)
}

#[test]
fn a_second_on_a_million_edges() {
    let mut rng = crate::support::rng(5);
    let nodes = 200_000;
    let small = Small::random(&mut rng, nodes, 1_000_000, false, (1, 1));
    let graph = small.to_graph();
    // A crowded machine gets more than one chance, and more time.
    let in_time = [1, 2, 4].into_iter().any(|seconds| {
        let options = Options { time_limit: Some(Duration::from_secs(seconds)), ..Options::default() };
        let began = Instant::now();
        let answer = ask(&graph, false, Ends::FREE, &options).unwrap();
        let took = began.elapsed();
        println!("{took:?}, {:?} of at most {:?}", answer.length(), answer.upper_bound());
        answer.assert_honest(None, None);
        assert!(answer.upper_bound().is_some_and(|bound| bound < nodes as i64));
        answer.length() > Some(0) && took < Duration::from_secs(seconds + 2)
    });
    assert!(in_time);
}

#[test]
fn no_time_at_all() {
    for (_, engine) in Engine::ALL {
        for name in ["rivals/planar800.gr", "rivals/dgnp300.gr", "rivals/road50.gr", "named/HortonGraph.gr"] {
            let answer = solve(name, &Options { time_limit: Some(Duration::ZERO), ..Options::engine(engine) });
            // What needs no search may be settled all the same.
            let cut_short = matches!(answer.stop(), Stop::TimeLimit | Stop::Exhausted);
            assert_eq!(open_answer(&answer), cut_short, "{name} by {engine}: {}", answer.stop());
        }
    }
}

#[test]
fn a_small_graph_has_a_path_however_little_time_there_is() {
    // The yardstick tries nothing without time.
    for (_, engine) in Engine::ALL.into_iter().filter(|&(_, engine)| engine != Engine::PlainColorCoding) {
        let alone = Small { nodes: 1, directed: false, edges: Vec::new() };
        let options = Options { time_limit: Some(Duration::ZERO), ..Options::engine(engine) };
        let answer = ask(&alone.to_graph(), false, Ends::FREE, &options).unwrap();
        assert_eq!(answer.length(), Some(0), "{engine}");
    }
}

#[test]
fn the_frontier_engine_within_its_memory() {
    for megabytes in [200, 20] {
        let limits = Options {
            memory_limit: Some(megabytes * MEGABYTE),
            time_limit: Some(Duration::from_secs(3)),
            ..Options::engine(Engine::Frontier)
        };
        let answer = solve("rivals/planar800.gr", &limits);
        println!("{megabytes} MB: {}: {:?} of {:?}", answer.stop(), answer.length(), answer.upper_bound());
        let peak = answer.solution.stats().peak_bytes;
        println!("{megabytes} MB: at most {peak} bytes");
        assert!(megabytes < 200 || peak <= megabytes * MEGABYTE);
        let stopped = matches!(answer.stop(), Stop::MemoryLimit | Stop::TimeLimit | Stop::Exhausted);
        assert_eq!(open_answer(&answer), stopped, "{}", answer.stop());
    }
}

/// Layers that wait on disk leave room for the rest.
#[cfg(feature = "disk")]
#[test]
fn the_frontier_engine_on_disk() {
    let within = |disk_limit: u64| {
        let limits = Options { memory_limit: Some(10 * MEGABYTE), disk_limit, ..Options::engine(Engine::Frontier) };
        solve("rivals/planar800.gr", &limits)
    };
    let (without, with) = (within(0), within(1 << 30));
    assert_eq!((without.status(), without.stop()), (Status::Feasible, Stop::MemoryLimit));
    assert_eq!((with.status(), with.length()), (Status::Optimal, Some(661)));
    let peak = with.solution.stats().peak_bytes;
    assert!(peak <= 10 * MEGABYTE, "{peak} bytes");
}

#[test]
fn hardly_any_memory() {
    for bytes in [0, 1, 4096, MEGABYTE] {
        for (_, engine) in Engine::ALL {
            for name in ["rivals/planar400.gr", "rivals/dgnp120.gr", "rivals/cubic300.gr", "named/TutteGraph.gr"] {
                let limits = Options {
                    memory_limit: Some(bytes),
                    time_limit: Some(Duration::from_millis(15)),
                    ..Options::engine(engine)
                };
                let answer = solve(name, &limits);
                let stopped = matches!(answer.stop(), Stop::MemoryLimit | Stop::TimeLimit | Stop::Exhausted);
                assert_eq!(open_answer(&answer), stopped, "{name} by {engine} in {bytes} bytes: {}", answer.stop());
            }
        }
    }
}

/// What is missing is memory, and that is what the answer says.
#[test]
fn a_grid_without_memory() {
    let side = 40;
    let place = |row: u32, column: u32| row * side + column;
    let right = (0..side).flat_map(|row| (1..side).map(move |column| (place(row, column - 1), place(row, column))));
    let down = (1..side).flat_map(|row| (0..side).map(move |column| (place(row - 1, column), place(row, column))));
    let mut graph = UnGraph::<(), ()>::from_edges(right.chain(down));
    // A corner less, and no path visits all.
    graph.remove_node(NodeIndex::new(0));
    let solution = LongestPath::new(&graph).memory_limit(1).solve().unwrap();
    assert_eq!((solution.status(), solution.stop()), (Status::Feasible, Stop::MemoryLimit));
}

#[test]
fn interrupted_before_it_begins() {
    for (_, engine) in Engine::ALL {
        for name in ["rivals/planar800.gr", "rivals/dgnp300.gr", "rivals/road50.gr"] {
            let flag = Some(Arc::new(AtomicBool::new(true)));
            let began = Instant::now();
            let answer = solve(name, &Options { interrupt: flag, ..Options::engine(engine) });
            let took = began.elapsed();
            assert!(took < Duration::from_secs(5), "{name} by {engine}: {took:?}");
            let interrupted = matches!(answer.stop(), Stop::Interrupted | Stop::Exhausted);
            assert!(interrupted, "{name} by {engine}: {}", answer.stop());
        }
    }
}

#[test]
fn a_gap_is_enough() {
    for (name, gap, optimum) in
        [("rivals/road18.gr", 20, 344), ("rivals/dgnp120.gr", 8, 75), ("rivals/gnp300.gr", 30, 245)]
    {
        let answer = solve(name, &Options { gap, known_optimum: Some(optimum), ..Options::default() });
        answer.assert_honest(Some(optimum), Some(optimum));
        let left = answer.upper_bound().unwrap() - answer.length().unwrap();
        assert!(left <= gap as i64, "{name}: {left} left");
        let expected = if left == 0 { Stop::Finished } else { Stop::Gap };
        assert_eq!(answer.stop(), expected, "{name}");
    }
}

#[test]
fn as_good_with_two_threads() {
    for name in ["rivals/road12.gr", "rivals/dgnp60.gr", "rivals/maze20.gr", "rivals/uno60.gr", "real/dolphins.gr"] {
        let of = |threads| {
            let answer = solve(name, &Options { threads: Some(threads), ..Options::default() });
            (answer.length(), answer.upper_bound(), answer.status())
        };
        assert_eq!(of(1), of(2), "{name}");
    }
}

#[test]
fn the_same_path_twice() {
    for (_, engine) in Engine::ALL {
        // These work up to paths of 30 vertices, which takes its time; tests/k_path.rs asks them twice for shorter ones.
        if matches!(engine, Engine::ColorCoding | Engine::PlainColorCoding | Engine::Sieve) {
            continue;
        }
        for name in ["puzzles/squaresum_22.gr", "rivals/uno24.gr", "rivals/planar40.gr", "cubic_nontraceable/c16_00.gr"]
        {
            if engine == Engine::PlainBacktracking && name == "rivals/planar40.gr" {
                continue;
            }
            let once = || {
                let answer = solve(name, &Options { seed: 7, ..Options::engine(engine) });
                (answer.solution.path().map(<[NodeIndex]>::to_vec), answer.upper_bound(), answer.stop())
            };
            assert_eq!(once(), once(), "{name} by {engine}");
        }
    }
}

/// The answers in the corner cases, as the table of `LongestPath` has them, from every engine.
#[test]
fn corner_cases() {
    let graph = |nodes, edges: &[(usize, usize, i64)], directed| Small { nodes, directed, edges: edges.to_vec() };
    let path = |from, to| Ends { from: Some(from), to: Some(to), closed: false };
    let closed = Ends { closed: true, ..Ends::FREE };
    let two_components = [(0, 1, 1), (2, 3, 1), (3, 4, 1), (5, 5, 9)];
    for directed in [false, true] {
        for (small, ends, expected) in [
            (graph(0, &[], directed), Ends::FREE, None),
            (graph(0, &[], directed), closed, None),
            (graph(1, &[], directed), Ends::FREE, Some(0)),
            (graph(1, &[(0, 0, 5)], directed), closed, None),
            (graph(3, &[], directed), Ends::FREE, Some(0)),
            (graph(3, &[(0, 1, -1), (1, 2, -4)], directed), Ends::FREE, Some(0)),
            (graph(6, &two_components, directed), Ends::FREE, Some(2)),
            (graph(6, &two_components, directed), path(0, 1), Some(1)),
            (graph(6, &two_components, directed), path(2, 2), Some(0)),
            (graph(6, &two_components, directed), path(0, 2), None),
            (graph(6, &two_components, directed), closed, None),
            (graph(6, &two_components, directed), Ends { from: Some(3), ..closed }, None),
            (graph(2, &[(0, 1, 1), (1, 0, 1)], directed), closed, directed.then_some(2)),
        ] {
            for (_, engine) in Engine::ALL {
                if engine == Engine::Sieve && small.edges.iter().any(|edge| edge.2 < 0) {
                    continue;
                }
                let answer = ask(&small.to_graph(), directed, ends, &Options::engine(engine)).unwrap();
                answer.assert_honest(expected, expected);
                if is_exact(engine, ends) {
                    assert_eq!(answer.length(), expected, "{small:?} {ends:?} by {engine}");
                    let status = if expected.is_some() { Status::Optimal } else { Status::Infeasible };
                    assert_eq!(answer.status(), status, "{small:?} {ends:?} by {engine}");
                }
                if expected.is_some() && !ends.closed && engine != Engine::Trail {
                    assert_eq!(answer.length(), expected, "{small:?} {ends:?} by {engine}");
                }
            }
        }
    }
    // One way only.
    let arc = graph(2, &[(0, 1, 1)], true);
    arc.assert_answered(Some(1), path(0, 1), &Options::default());
    arc.assert_answered(None, path(1, 0), &Options::default());
}

#[test]
fn bad_requests() {
    let mut graph = StableUnGraph::<(), ()>::default();
    let nodes: Vec<_> = (0..3).map(|_| graph.add_node(())).collect();
    graph.add_edge(nodes[0], nodes[2], ());
    graph.remove_node(nodes[1]);
    let message = |question: LongestPath<'_, &StableUnGraph<(), ()>>| question.solve().unwrap_err().to_string();
    let ask = || LongestPath::new(&graph);
    assert_eq!(message(ask().from(nodes[1])), "the node asked for as the beginning of the path is not in the graph");
    assert_eq!(message(ask().to(nodes[1])), "the node asked for as the end of the path is not in the graph");
    assert_eq!(message(ask().to(9.into())), "the node asked for as the end of the path is not in the graph");
    assert!(message(ask().closed().from(nodes[1])).contains("not in the graph"));
    assert!(message(ask().closed().to(nodes[0])).contains("a closed path has no end"));
    assert!(message(ask().threads(0)).contains("at least one thread"));
    assert!(message(ask().weights(|_| i64::MIN)).contains("too large"));
    assert!(message(ask().weights(|_| i64::MAX)).contains("too large"));
    assert_eq!(ask().from(nodes[0]).to(nodes[2]).solve().unwrap().length(), Some(1));

    let empty = UnGraph::<(), ()>::default();
    assert!(LongestPath::new(&empty).from(0.into()).solve().is_err());
}

/// Weights just small enough are exact, and no sum overflows on the way.
#[test]
fn great_weights() {
    let mut rng = crate::support::rng(6);
    for round in 0..60 {
        let nodes = 3 + round % 5;
        let most = (1_i64 << 60) / (2 * nodes as i64);
        let small = Small::random(&mut rng, nodes, 2 * nodes, round % 2 == 0, (-most, most));
        let one = rng.random_range(0..nodes);
        for ends in [Ends::FREE, Ends { closed: true, ..Ends::FREE }, Ends { from: Some(one), ..Ends::FREE }] {
            let expected = small.longest(ends);
            for (_, engine) in Engine::ALL {
                if is_exact(engine, ends) {
                    small.assert_answered(expected, ends, &Options::engine(engine));
                }
            }
        }
    }
}

/// A path so long that recursion along it would overflow the stack.
#[test]
fn a_path_of_a_million_nodes() {
    let nodes = 1_000_000;
    let graph = DiGraph::<(), i64>::from_edges((1..nodes).map(|node| (node - 1, node, 1)));
    for directed in [false, true] {
        let answer = ask(&graph, directed, Ends::FREE, &Options::default()).unwrap();
        assert_eq!(answer.length(), Some(i64::from(nodes) - 1));
        assert!(answer.solution.is_optimal());
    }
}
