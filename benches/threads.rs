//! What a second thread is worth to the frontier program: one thread and two, pair by pair, on instances too hard for
//! small layers.
//!
//! `cargo bench --bench threads` takes the instances below, `cargo bench --bench threads -- planar800` others by parts of
//! their names. Of `PAIRS` pairs the median is printed: seconds and millions of states made a second by one thread and by
//! two, and how many times as fast two are. Reading the file and the search for an order are counted in. Every answer is
//! asserted: the known optimum, from as many states by two threads as by one.

#[path = "../tests/all/corpus/mod.rs"]
mod corpus;

use std::time::Instant;

use longhaul::io::{GraphFile, ReadOptions};
use longhaul::{Engine, LongestPath};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};

const PAIRS: usize = 3;
const INSTANCES: &[&str] = &["rivals/planar800", "rivals/road35", "rivals/maze60"];

fn main() {
    let mut wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if wanted.is_empty() {
        wanted = INSTANCES.iter().map(|&name| name.to_owned()).collect();
    }
    println!(
        "{:<26}{:>8}{:>10}{:>8}{:>10}{:>8}{:>8}",
        "instance", "length", "1 thread", "M/s", "2 threads", "M/s", "times"
    );
    for row in corpus::table("INDEX.tsv") {
        let name = &row["file"];
        if !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let file = GraphFile::open(&corpus::path(name), &ReadOptions::default()).expect("the corpus is readable");
        if file.directed {
            continue;
        }
        let optimum: i64 = row["lower"].parse().expect("a path is known");
        let mut pairs: Vec<[f64; 2]> = Vec::new();
        let mut states = 0;
        for _ in 0..PAIRS {
            let [(one, made), (two, made_by_two)] = [1, 2].map(|threads| solve(&file, threads, optimum));
            assert_eq!(made, made_by_two, "{name}: the states depend on the threads");
            states = made;
            pairs.push([one, two]);
        }
        pairs.sort_by(|[a, b], [c, d]| (a / b).total_cmp(&(c / d)));
        let [one, two] = pairs[PAIRS / 2];
        let [speed, speed_of_two] = [one, two].map(|seconds| states as f64 / seconds / 1e6);
        println!("{name:<26}{optimum:>8}{one:>10.3}{speed:>8.1}{two:>10.3}{speed_of_two:>8.1}{:>8.2}", one / two);
    }
}

/// Seconds and states made.
fn solve(file: &GraphFile, threads: usize, optimum: i64) -> (f64, u64) {
    let began = Instant::now();
    let graph = UndirectedAdaptor(&file.graph);
    let mut question = LongestPath::new(graph).weights(|edge| *edge.weight()).engine(Engine::Frontier).threads(threads);
    if let Some(from) = file.terminals.from {
        question = question.from(from);
    }
    if let Some(to) = file.terminals.to {
        question = question.to(to);
    }
    let answer = question.solve().expect("the question is sound");
    assert!(answer.is_optimal() && answer.length() == Some(optimum), "{:?}", answer.length());
    (began.elapsed().as_secs_f64(), answer.stats().steps)
}
