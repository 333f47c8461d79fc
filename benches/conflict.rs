//! Questions whose structure hides the path: clause learning alone and `auto`, as cycles and as paths with free ends.
//!
//! `cargo bench --bench conflict` makes small gadget graphs, snarks and generalised Petersen graphs itself.
//! `cargo bench --bench conflict -- FOLDER` takes the graphs `*.gr` of that folder as well, of which an `INDEX.tsv` in the
//! folder above may know the longest paths. For each the median time of [`SEEDS`] seeds on one thread is printed, of every
//! engine that settles it within [`LIMIT`], and how many times as long `auto` takes as the best of the others.
//!
//! Every answer is asserted: engines that prove an optimum prove the same, that of the index where there is one, and no cycle
//! has as many vertices as where none is Hamiltonian. Times are printed, never asserted.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use longhaul::io::{GraphFile, ReadOptions};
use longhaul::{Engine, LongestPath};
use petgraph::graph::UnGraph;

/// What is not settled by then counts as open.
const LIMIT: Duration = Duration::from_secs(10);

const SEEDS: u64 = 3;

const ENGINES: [Engine; 4] = [Engine::Auto, Engine::Conflict, Engine::BranchAndCut, Engine::Frontier];

/// A question about a graph.
struct Case {
    name: String,
    graph: UnGraph<(), i64>,
    /// The number of edges of a longest path, and of a longest cycle, where known.
    path: Option<i64>,
    cycle: Option<i64>,
}

fn main() {
    let mut cases = generated();
    for folder in std::env::args().skip(1).filter(|argument| !argument.starts_with('-')) {
        cases.extend(read(Path::new(&folder)));
    }
    print!("{:<22}{:>6}{:>8}", "instance", "", "length");
    ENGINES.iter().for_each(|engine| print!("{:>16}", engine.name()));
    println!("{:>10}", "auto/best");
    for case in &cases {
        for is_cycle in [true, false] {
            compare(case, is_cycle);
        }
    }
}

/// One row of the table.
fn compare(case: &Case, is_cycle: bool) {
    let mut optimum = if is_cycle { case.cycle } else { case.path };
    let medians: Vec<Option<f64>> =
        ENGINES.iter().map(|&engine| median(case, is_cycle, engine, &mut optimum)).collect();
    let kind = if is_cycle { "cycle" } else { "path" };
    let length = optimum.map_or_else(|| "?".to_owned(), |optimum| optimum.to_string());
    print!("{:<22}{kind:>6}{length:>8}", case.name);
    for median in &medians {
        match median {
            Some(seconds) => print!("{seconds:>16.3}"),
            None => print!("{:>16}", "open"),
        }
    }
    let best = medians[1..].iter().flatten().copied().reduce(f64::min);
    match (medians[0], best) {
        (Some(auto), Some(best)) => println!("{:>10.2}", auto / best),
        _ => println!("{:>10}", "-"),
    }
}

/// The median time of an engine over all seeds, if it settles the question with most; the optimum it proves is asserted.
fn median(case: &Case, is_cycle: bool, engine: Engine, optimum: &mut Option<i64>) -> Option<f64> {
    let mut times: Vec<f64> = (0..SEEDS).filter_map(|seed| time(case, is_cycle, engine, seed, optimum)).collect();
    times.sort_by(f64::total_cmp);
    // Those that were not settled would stand at the end.
    times.get(SEEDS as usize / 2).copied()
}

fn time(case: &Case, is_cycle: bool, engine: Engine, seed: u64, optimum: &mut Option<i64>) -> Option<f64> {
    let began = Instant::now();
    let mut question =
        LongestPath::new(&case.graph).weights(|edge| *edge.weight()).engine(engine).seed(seed).time_limit(LIMIT);
    if is_cycle {
        question = question.closed();
    }
    let answer = question.solve().expect("the question is sound");
    let elapsed = began.elapsed().as_secs_f64();
    let (length, bound) = (answer.length(), answer.upper_bound());
    if let Some(optimum) = *optimum {
        assert!(length.is_none_or(|length| length <= optimum), "{}: {engine} has {length:?}", case.name);
        assert!(bound.is_none_or(|bound| bound >= optimum), "{}: {engine} has a bound of {bound:?}", case.name);
    }
    if !answer.is_optimal() {
        return None;
    }
    assert!(optimum.is_none() || *optimum == length, "{}: {engine} says {length:?}, not {optimum:?}", case.name);
    *optimum = length;
    Some(elapsed)
}

/// The graphs of a folder, in the order of their names, with what the index in the folder above knows of them.
fn read(folder: &Path) -> Vec<Case> {
    let index = folder.parent().map(|above| index(&above.join("INDEX.tsv"))).unwrap_or_default();
    let entries = std::fs::read_dir(folder).expect("a folder of graphs");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry of the folder").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "gr"));
    files.sort();
    let within = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    files.iter().map(|file| read_one(file, &within, &index)).collect()
}

fn read_one(file: &Path, within: &str, index: &HashMap<String, Vec<String>>) -> Case {
    let read = GraphFile::open(file, &ReadOptions::default()).expect("a readable graph");
    let graph = UnGraph::from_edges(read.graph.edge_indices().map(|edge| {
        let (source, target) = read.graph.edge_endpoints(edge).expect("an edge has ends");
        (source.index() as u32, target.index() as u32, read.graph[edge])
    }));
    let file_name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let row = index.get(&format!("{within}/{file_name}"));
    let vertices = graph.node_count() as i64;
    // Columns 6 and 7 bound the longest path; a note says whether a cycle goes through everything.
    let bounds = row.and_then(|row| Some((row.get(6)?.parse::<i64>().ok()?, row.get(7)?.parse::<i64>().ok()?)));
    let is_hamiltonian = row.is_some_and(|row| row.iter().any(|cell| cell.contains("amiltonian cycle was found")));
    Case {
        name: file_name,
        path: bounds.filter(|(lower, upper)| lower == upper).map(|(lower, _)| lower),
        cycle: is_hamiltonian.then_some(vertices),
        graph,
    }
}

/// The rows of an index by the first column; none where it can't be read.
fn index(file: &Path) -> HashMap<String, Vec<String>> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let rows = text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<String>>());
    rows.map(|row| (row[0].clone(), row)).collect()
}

/// Graphs made here, whose longest cycles are known.
fn generated() -> Vec<Case> {
    let mut cases = Vec::new();
    for (gadgets, seed) in [(20, 3), (24, 6), (25, 4), (30, 5)] {
        let edges = exclusive_gadgets(gadgets, seed);
        cases.push(Case { name: format!("gadgets_{gadgets}"), graph: edges, path: None, cycle: None });
    }
    for stars in [11, 21, 35, 49] {
        let (graph, vertices) = (flower_snark(stars), i64::from(4 * stars));
        cases.push(Case {
            name: format!("flower_{stars}"),
            graph,
            path: Some(vertices - 1),
            cycle: Some(vertices - 1),
        });
    }
    for (n, step) in [(41, 2), (53, 2), (95, 2), (60, 7)] {
        let (graph, vertices) = (petersen(n, step), i64::from(2 * n));
        // With steps of 2 a cycle through everything is missing exactly where n is 5 modulo 6.
        let cycle = if step == 2 && n % 6 == 5 { vertices - 1 } else { vertices };
        cases.push(Case { name: format!("petersen_{n}_{step}"), graph, path: Some(vertices - 1), cycle: Some(cycle) });
    }
    cases
}

/// Gadgets of nine vertices in a row, with two chords, which a cycle through everything passes in one of two ways; their four
/// outer vertices are joined at random by five edges a gadget (after a family posted by "gsgs", 2023).
fn exclusive_gadgets(gadgets: u32, seed: u64) -> UnGraph<(), i64> {
    let mut state = seed;
    let mut below = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    let mut stubs: Vec<u32> =
        (0..gadgets).flat_map(|gadget| [0, 0, 2, 2, 2, 6, 6, 8, 8, 8].map(|at| 9 * gadget + at)).collect();
    for place in (1..stubs.len()).rev() {
        stubs.swap(place, below(place + 1));
    }
    // Switch what would lie within a gadget or be there twice.
    loop {
        let mut pairs = std::collections::HashSet::new();
        let pair_of = |stubs: &[u32], place: usize| {
            let (one, two) = (stubs[place] / 9, stubs[place + 1] / 9);
            (one.min(two), one.max(two))
        };
        let is_bad = |pair: (u32, u32), pairs: &mut std::collections::HashSet<(u32, u32)>| {
            pair.0 == pair.1 || !pairs.insert(pair)
        };
        let bad: Vec<usize> =
            (0..stubs.len()).step_by(2).filter(|&place| is_bad(pair_of(&stubs, place), &mut pairs)).collect();
        if bad.is_empty() {
            break;
        }
        for place in bad {
            let other = below(stubs.len());
            stubs.swap(place, other);
        }
    }
    let outer = stubs.chunks_exact(2).map(|pair| (pair[0], pair[1], 1));
    let inner = (0..gadgets).flat_map(|gadget| {
        let row = (0..8).map(|at| (at, at + 1)).chain([(0, 5), (3, 8)]);
        row.map(move |(one, two)| (9 * gadget + one, 9 * gadget + two, 1))
    });
    UnGraph::from_edges(inner.chain(outer))
}

/// Isaacs' flower snark with an odd number of stars, none of which is Hamiltonian; some cycle misses one vertex.
fn flower_snark(stars: u32) -> UnGraph<(), i64> {
    let edges = (0..stars).flat_map(|star| {
        let (at, next) = (4 * star, 4 * ((star + 1) % stars));
        let (second, third) = if next == 0 { (3, 2) } else { (2, 3) };
        let tips = (1..4).map(move |tip| (at, at + tip, 1));
        tips.chain([(at + 1, next + 1, 1), (at + 2, next + second, 1), (at + 3, next + third, 1)])
    });
    UnGraph::from_edges(edges)
}

/// The generalised Petersen graph: two rings of n vertices, joined by spokes, the inner one with steps.
fn petersen(n: u32, step: u32) -> UnGraph<(), i64> {
    UnGraph::from_edges(
        (0..n).flat_map(|at| [(at, (at + 1) % n, 1), (at, n + at, 1), (n + at, n + (at + step) % n, 1)]),
    )
}
