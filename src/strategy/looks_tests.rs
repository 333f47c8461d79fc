//! No engine works for long without a look at its limits, whatever the graph.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::solve;
use crate::engine::Engine;
use crate::instance::{Ends, Goal, Instance, Run};
use crate::limits::Limits;
use crate::looks;
use crate::options::Options;
use crate::view::{CsrGraph, Edge};

/// Builds for tests are slower than others, by how much depends on the machine.
const LONGEST: Duration = Duration::from_millis(100);

/// What takes too long each time is the engine's doing; once may be the machine's.
const TIMES: usize = 3;

fn random_graph(n: u32, m: usize, directed: bool, heaviest: i64, seed: u64) -> CsrGraph {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let edges = (0..m).map(|_| Edge {
        source: random.random_range(0..n),
        target: random.random_range(0..n),
        weight: random.random_range(1..=heaviest),
    });
    CsrGraph::from_multigraph(n as usize, directed, edges.collect()).0
}

/// A cycle through everything, with chords between vertices close to each other.
fn ring(n: u32) -> CsrGraph {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let chords = (0..n / 3).map(|_| {
        let source = random.random_range(0..n);
        (source, (source + random.random_range(2..40)) % n)
    });
    let edges: Vec<(u32, u32)> = (0..n).map(|at| (at, (at + 1) % n)).chain(chords).collect();
    let edges = edges.into_iter().map(|(source, target)| Edge { source, target, weight: 1 });
    CsrGraph::from_multigraph(n as usize, false, edges.collect()).0
}

fn grid(side: u32) -> CsrGraph {
    let place = |row: u32, column: u32| row * side + column;
    let right = (0..side).flat_map(|row| (1..side).map(move |column| (place(row, column - 1), place(row, column))));
    let down = (1..side).flat_map(|row| (0..side).map(move |column| (place(row - 1, column), place(row, column))));
    let edges = right.chain(down).map(|(source, target)| Edge { source, target, weight: 1 });
    CsrGraph::from_simple((side * side) as usize, false, edges.collect())
}

/// So many vertices, each with one neighbour.
fn pairs(n: u32) -> CsrGraph {
    let edges = (0..n / 2).map(|pair| Edge { source: 2 * pair, target: 2 * pair + 1, weight: 1 });
    CsrGraph::from_simple(n as usize, false, edges.collect())
}

fn longest_stretch(name: &str, graph: &CsrGraph, engines: &[Engine]) -> Vec<String> {
    let n = graph.vertex_count();
    let free = Ends::Open { first: vec![0; n], last: vec![0; n], single_vertex: true };
    let mut too_long = Vec::new();
    for ends in [free, Ends::Closed { through: None }] {
        let instance = Instance { graph: graph.clone(), ends };
        for &engine in engines {
            let once = || {
                let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
                let options = Options { engine: engine.into(), limits: limits.clone(), ..Options::default() };
                let (stats, gap) = looks::watch(|| {
                    let mut run = Run::new(Instant::now(), &limits, Goal::default(), None);
                    solve(&instance, &options, &mut run);
                    run.into_stats()
                });
                let kind = if matches!(instance.ends, Ends::Closed { .. }) { "cycle" } else { "path" };
                let last = stats.decisions.last().map_or("", |last| last);
                let told = format!("{name} {kind} {engine}: {:?} from {} to {} ({last})", gap.time, gap.from, gap.to);
                println!("{told}");
                (gap.time > LONGEST).then_some(told)
            };
            too_long.extend((0..TIMES).map_while(|_| once()).nth(TIMES - 1));
        }
    }
    too_long
}

const ENGINES: [Engine; 8] = [
    Engine::Auto,
    Engine::Backtracking,
    Engine::BranchAndCut,
    Engine::Frontier,
    Engine::LocalSearch,
    Engine::Trail,
    Engine::ColorCoding,
    Engine::Sieve,
];

fn assert_looks(graphs: &[(&str, CsrGraph)]) {
    let too_long: Vec<String> =
        graphs.iter().flat_map(|(name, graph)| longest_stretch(name, graph, &ENGINES)).collect();
    assert!(too_long.is_empty(), "{}", too_long.join("\n"));
}

#[test]
fn engines_look_at_their_limits_on_sparse_graphs() {
    assert_looks(&[
        ("ring", ring(6_000)),
        ("sparse", random_graph(3_000, 5_000, false, 1, 2)),
        ("grid", grid(60)),
        ("pairs", pairs(100_000)),
    ]);
}

#[test]
fn engines_look_at_their_limits_on_other_graphs() {
    assert_looks(&[
        ("streets", random_graph(1_500, 4_500, true, 1, 3)),
        ("dense", random_graph(400, 20_000, false, 1, 4)),
        ("small", random_graph(34, 80, false, 1, 5)),
        ("small and weighted", random_graph(34, 80, false, 9, 6)),
    ]);
}
