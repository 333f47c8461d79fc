//! Random sequences of calls, in the style of CaDiCaL's tester mobical (A. Biere, M. Fleury, F. Pollitt et al., *CaDiCaL 2.0*,
//! CAV 2024, DOI 10.1007/978-3-031-65627-9_7): limits that end a run anywhere, flags raised by another thread, callbacks that panic or
//! ask a question themselves, several questions at once. Whatever happens, what is told is true, and the next call is answered
//! as if nothing had happened. A sequence that fails is made as short as it can be and printed as a test.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use longhaul::certificate::{Claim, check_path};
use longhaul::io::{GraphFile, ReadOptions};
use longhaul::{Engine, LongestPath, Solution};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};
use proptest::prelude::*;

use super::fuzz;

/// Some that are settled at once, some that take seconds, and one that nobody has settled.
const GRAPHS: [&str; 9] = [
    "grids/knight_3x5.gr",
    "named/HortonGraph.gr",
    "cubic_nontraceable/c18_01.gr",
    "real/karate.gr",
    "rivals/maze40.gr",
    "rivals/planar800.gr",
    "rivals/gnp120.gr",
    "rivals/dgnp60.gr",
    "rivals/road50.gr",
];

/// What the callback does at one of the rows of progress.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AtRow {
    Nothing,
    Panic(usize),
    Ask(usize),
    Stop(usize),
}
use AtRow::{Ask, Nothing, Panic, Stop};

/// One question: about which graph, by which engine (by their places in the lists), within how many milliseconds and kilobytes,
/// with how many threads; after how many microseconds its flag is raised.
#[derive(Clone, Copy, Debug)]
struct Call {
    graph: usize,
    engine: usize,
    time: u64,
    memory: Option<usize>,
    threads: usize,
    flag: Option<u64>,
    at_row: AtRow,
}

/// Rounds, one after the other; the calls of a round all at once.
struct Sequence(Vec<Vec<Call>>);

impl fmt::Debug for Sequence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "#[test]\nfn found_by_stress() {{")?;
        for round in &self.0 {
            writeln!(formatter, "    run(&corpus(), &{round:?});")?;
        }
        write!(formatter, "}}")
    }
}

/// A graph with what is known about its longest path.
struct Known {
    file: GraphFile,
    optimum: Option<i64>,
}

fn corpus() -> Vec<Known> {
    let index = crate::corpus::table("INDEX.tsv");
    let known = |name: &str| {
        let row = index.iter().find(|row| row["file"] == *name).expect("a graph of the corpus");
        let mut file = GraphFile::open(&crate::corpus::path(name), &ReadOptions::default()).expect("a graph");
        let end = |column: &str| row[column].parse::<usize>().ok().map(|node| NodeIndex::new(node - 1));
        (file.terminals.from, file.terminals.to) = (end("from"), end("to"));
        Known { file, optimum: row["lower"].parse().ok() }
    };
    GRAPHS.map(known).into()
}

/// What a callback that is told to panics with.
struct Told;

fn ask(known: &Known, call: Call, flag: &Arc<AtomicBool>) -> Solution<NodeIndex, EdgeIndex> {
    let mut rows = 0;
    let mut at_row = |_: &longhaul::Progress| {
        rows += 1;
        match call.at_row {
            Panic(row) if row == rows => panic_any(Told),
            Ask(row) if row == rows => {
                let path = petgraph::graph::UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (1, 3)]);
                assert_eq!(LongestPath::new(&path).solve().map(|solution| solution.length()), Ok(Some(2)));
            }
            Stop(row) if row == rows => flag.store(true, Ordering::Relaxed),
            _ => {}
        }
    };
    macro_rules! answer {
        ($graph:expr) => {{
            let mut question = LongestPath::new($graph)
                .weights(|edge| *edge.weight())
                .interrupt(flag.clone())
                .on_progress(&mut at_row)
                .threads(call.threads)
                .time_limit(Duration::from_millis(call.time))
                .engine(Engine::ALL[call.engine].1);
            if let Some(kilobytes) = call.memory {
                question = question.memory_limit(kilobytes << 10);
            }
            if let Some(from) = known.file.terminals.from {
                question = question.from(from);
            }
            if let Some(to) = known.file.terminals.to {
                question = question.to(to);
            }
            question.solve().expect("a question that can be asked")
        }};
    }
    let graph = &known.file.graph;
    if known.file.directed { answer!(graph) } else { answer!(UndirectedAdaptor(graph)) }
}

fn assert_true(known: &Known, solution: &Solution<NodeIndex, EdgeIndex>) {
    let (length, bound) = (solution.length(), solution.upper_bound());
    if let Some(optimum) = known.optimum {
        assert!(length <= Some(optimum), "{length:?} is above {optimum}");
        assert!(bound >= Some(optimum), "{bound:?} is below {optimum}");
    }
    if let Some(path) = solution.path() {
        let claim = Claim { from: known.file.terminals.from, to: known.file.terminals.to, closed: false };
        let graph = &known.file.graph;
        let checked = if known.file.directed {
            check_path(graph, |edge| *edge.weight(), &claim, path, solution.edges())
        } else {
            check_path(UndirectedAdaptor(graph), |edge| *edge.weight(), &claim, path, solution.edges())
        };
        assert_eq!(checked.ok(), length);
    }
}

/// All calls of a round at once.
fn run(corpus: &[Known], round: &[Call]) {
    thread::scope(|scope| {
        let calls: Vec<_> = round
            .iter()
            .map(|&call| {
                let flag = Arc::new(AtomicBool::new(false));
                let raised = flag.clone();
                if let Some(after) = call.flag {
                    scope.spawn(move || {
                        thread::sleep(Duration::from_micros(after));
                        raised.store(true, Ordering::Relaxed);
                    });
                }
                scope.spawn(move || {
                    let began = Instant::now();
                    let known = &corpus[call.graph];
                    match catch_unwind(AssertUnwindSafe(|| ask(known, call, &flag))) {
                        Ok(solution) => assert_true(known, &solution),
                        Err(panic) if panic.is::<Told>() => assert!(matches!(call.at_row, Panic(_))),
                        Err(panic) => resume_unwind(panic),
                    }
                    // Generous: the machine may be busy.
                    let late = Duration::from_secs(10);
                    assert!(began.elapsed() < Duration::from_millis(call.time) + late, "{:?}", began.elapsed());
                })
            })
            .collect();
        for call in calls {
            if let Err(panic) = call.join() {
                resume_unwind(panic);
            }
        }
    });
}

fn calls() -> impl Strategy<Value = Call> {
    let row = || 1usize..6;
    let at_row = prop_oneof![
        4 => Just(Nothing),
        1 => row().prop_map(Panic),
        1 => row().prop_map(Ask),
        1 => row().prop_map(Stop),
    ];
    let engine = prop_oneof![Just(0), 0..Engine::ALL.len()];
    let memory = prop::option::of(prop_oneof![Just(0usize), 1usize..1 << 10, 1usize..64 << 10]);
    let flag = prop::option::weighted(0.3, 0u64..50_000);
    (0..GRAPHS.len(), engine, 0u64..50, memory, 1usize..=3, flag, at_row).prop_map(
        |(graph, engine, time, memory, threads, flag, at_row)| Call {
            graph,
            engine,
            time,
            memory,
            threads,
            flag,
            at_row,
        },
    )
}

#[test]
fn calls_in_any_order_tell_the_truth() {
    let corpus = corpus();
    let rounds = prop::collection::vec(prop::collection::vec(calls(), 1..4), 1..6).prop_map(Sequence);
    fuzz(12, &rounds, |sequence| sequence.0.iter().for_each(|round| run(&corpus, round)));
}
