//! The engines one by one on corpus graphs, each answer asserted: `cargo bench --bench engines`.

#[path = "../tests/all/corpus/mod.rs"]
mod corpus;

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use longhaul::io::{GraphFile, ReadOptions};
use longhaul::{Engine, LongestPath};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};

/// Undirected instances that the engine settles in milliseconds to a second.
const CASES: &[(Engine, &[&str])] = &[
    (Engine::Backtracking, &["rivals/cubic30.gr", "rivals/gnp30.gr", "rivals/uno24.gr"]),
    (Engine::BranchAndBound, &["theory/moon_moser_3.gr", "real/karate.gr", "rivals/uno60.gr"]),
    (Engine::Signature, &["rivals/maze10.gr", "rivals/planar40.gr"]),
    (Engine::Frontier, &["rivals/maze30.gr", "rivals/planar200.gr", "rivals/road12.gr", "rivals/wroad12.gr"]),
    (Engine::Trail, &["rivals/uno60.gr", "rivals/uno150.gr", "rivals/uno400.gr"]),
    (Engine::Auto, &["rivals/maze40.gr", "rivals/planar400.gr", "rivals/road18.gr", "theory/rgg_150.gr"]),
];

fn engines(criterion: &mut Criterion) {
    let index = corpus::table("INDEX.tsv");
    for (engine, files) in CASES {
        let mut group = criterion.benchmark_group(engine.name());
        group.sample_size(10).measurement_time(Duration::from_secs(5));
        for file in *files {
            let row = index.iter().find(|row| row["file"] == **file).expect("the instance is in the index");
            let optimum: i64 = row["lower"].parse().expect("its optimum is known");
            let read = GraphFile::open(&corpus::path(file), &ReadOptions::default()).expect("the corpus is readable");
            let question = || {
                let graph = UndirectedAdaptor(&read.graph);
                let mut question = LongestPath::new(graph).weights(|edge| *edge.weight()).engine(*engine);
                if let Some(from) = read.terminals.from {
                    question = question.from(from);
                }
                if let Some(to) = read.terminals.to {
                    question = question.to(to);
                }
                question.solve().expect("the question is sound")
            };
            let answer = question();
            assert!(answer.is_optimal(), "{file}");
            assert_eq!(answer.length(), Some(optimum), "{file}");
            group.bench_with_input(BenchmarkId::from_parameter(file), file, |bencher, _| bencher.iter(question));
        }
    }
}

criterion_group!(benches, engines);
criterion_main!(benches);
