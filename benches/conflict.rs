//! Questions whose structure hides the path, and how well `auto` chooses: clause learning and `auto`, cycles and paths.
//!
//! `cargo bench --bench conflict` asks for small gadget graphs, snarks and generalised Petersen graphs made here, and then for
//! all graphs of the corpus. For each the median time of `auto` is printed, and of every other engine that is quicker; then how
//! many times as long `auto` takes as the best of them. Where `auto` takes no more than [`WORTH_A_ROW`] there is no row.
//! Others get no more time than `auto` took: that is what makes the table quick. Last comes the worst of all rows.
//!
//! `cargo bench --bench conflict -- FOLDER ...` takes the graphs `*.gr` in those folders instead, of which an `INDEX.tsv`
//! there or in the folder above may know the longest paths. `--all` prints all rows and gives clause learning the whole time.
//! `--seeds=N` asks so often, with other random numbers; `--threads=N` allows so many threads, otherwise 2.
//!
//! `cargo bench --bench conflict -- --alone FOLDER ...` asks clause learning alone, with one thread and three seeds unless told
//! otherwise, for cycles and for paths, and prints the median beside what is aimed at; without a folder it takes larger graphs
//! of gadgets, made here.
//!
//! Every answer is asserted: engines that prove an optimum prove the same, that of the index where there is one, and no cycle
//! has as many vertices as where none is Hamiltonian. Times are printed, never asserted.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use longhaul::io::{GraphFile, ReadOptions};
use longhaul::{Engine, LongestPath};
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::visit::{EdgeRef, GraphProp, IntoEdgeReferences, IntoNodeIdentifiers, NodeIndexable, UndirectedAdaptor};

/// The folder of the repository, which the folders asked for are named from.
const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// What is not settled by then counts as open.
const LIMIT: Duration = Duration::from_secs(10);

/// Where `auto` takes no longer, which engine would be quicker does not matter.
const WORTH_A_ROW: Duration = Duration::from_millis(100);

const OTHERS: [Engine; 5] =
    [Engine::Conflict, Engine::Frontier, Engine::BranchAndCut, Engine::BranchAndBound, Engine::Signature];

/// A graph to ask about.
struct Case {
    name: String,
    graph: DiGraph<(), i64>,
    is_directed: bool,
    from: Option<NodeIndex>,
    to: Option<NodeIndex>,
    /// The length of a longest path, and of a longest cycle, where known.
    path: Option<i64>,
    cycle: Option<i64>,
}

/// What is aimed at where clause learning is alone, in seconds for a cycle, by the beginnings of names.
const AIMS: [(&str, f64); 19] = [
    ("SSP_", 0.1),
    ("QN_", 0.1),
    ("COL_", 0.1),
    ("SH_", 0.1),
    ("graph0090", 0.1),
    ("graph0110", 0.1),
    ("graph0180", 0.1),
    ("II_", 0.2),
    ("graph0424", 1.0),
    ("graph0446", 1.0),
    ("x20_", 0.1),
    ("x30_", 0.1),
    ("x40_", 0.1),
    ("x60_", 1.0),
    ("x80_", 20.0),
    ("gadgets_20", 0.1),
    ("gadgets_30", 0.1),
    ("gadgets_40", 0.1),
    ("gadgets_60", 1.0),
];

/// A path may take so many times as long as a cycle, those of graph04xx so many seconds.
const PATH_SHARE: f64 = 4.0;
const GRAPH04_PATH: f64 = 2.0;

/// Where it is alone, what is not settled by then counts as open.
const LIMIT_ALONE: Duration = Duration::from_secs(80);

/// What the command line asks for.
struct Options {
    folders: Vec<PathBuf>,
    all: bool,
    alone: bool,
    seeds: u64,
    threads: usize,
}

fn main() {
    let options = options();
    let cases = if options.folders.is_empty() && options.alone {
        [(20, 3), (30, 5), (40, 7), (60, 11)].map(|(gadgets, seed)| gadget_case(gadgets, seed)).into()
    } else if options.folders.is_empty() {
        let corpus = Path::new(REPOSITORY).join("graphs");
        generated().into_iter().chain(read(&corpus)).collect()
    } else {
        options.folders.iter().flat_map(|folder| read(folder)).collect::<Vec<Case>>()
    };
    if options.alone {
        return alone(&cases, &options);
    }
    print!("{:<28}{:>6}{:>12}{:>18}", "instance", "", "length", "auto");
    OTHERS.iter().for_each(|engine| print!("{:>18}", engine.name()));
    println!("{:>10}", "auto/best");
    let ratios: Vec<f64> = cases
        .iter()
        .flat_map(|case| [true, false].map(|is_cycle| compare(case, is_cycle, &options)))
        .flatten()
        .collect();
    println!(
        "{} rows; auto takes {:.2} times as long as the best at most",
        ratios.len(),
        ratios.iter().fold(1.0, |a, &b| b.max(a))
    );
}

fn options() -> Options {
    let alone = std::env::args().any(|argument| argument == "--alone");
    let (seeds, threads) = if alone { (3, 1) } else { (1, 2) };
    let mut options = Options { folders: Vec::new(), all: false, alone, seeds, threads };
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("--seeds", count)) => options.seeds = count.parse().expect("--seeds=N"),
            Some(("--threads", count)) => options.threads = count.parse().expect("--threads=N"),
            _ if argument == "--all" => options.all = true,
            // Cargo adds options of its own.
            _ if argument.starts_with('-') => {}
            _ => options.folders.push(Path::new(REPOSITORY).join(argument)),
        }
    }
    options
}

/// Clause learning with no other engine beside it: its medians beside what is aimed at.
fn alone(cases: &[Case], options: &Options) {
    println!("{:<28}{:>6}{:>12}{:>12}{:>12}", "instance", "", "length", "conflict", "aim");
    for (case, is_cycle) in cases.iter().flat_map(|case| [(case, true), (case, false)]) {
        let mut optimum = if is_cycle { case.cycle } else { case.path };
        let asked =
            Asked { case, is_cycle, engine: Engine::Conflict, limit: LIMIT_ALONE, seed: 0, threads: options.threads };
        let median = median(asked, options.seeds, &mut optimum);
        let length = optimum.map_or_else(|| "?".to_owned(), |optimum| optimum.to_string());
        let seconds = |seconds: Option<f64>| seconds.map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.3}"));
        let kind = if is_cycle { "cycle" } else { "path" };
        println!(
            "{:<28}{kind:>6}{length:>12}{:>12}{:>12}",
            case.name,
            seconds(median),
            seconds(aim(&case.name, is_cycle))
        );
    }
}

/// How many seconds clause learning should take at most, where that is said.
fn aim(name: &str, is_cycle: bool) -> Option<f64> {
    let (_, cycle) = AIMS.iter().find(|(beginning, _)| name.starts_with(beginning))?;
    let path = if name.starts_with("graph04") { GRAPH04_PATH } else { PATH_SHARE * cycle };
    Some(if is_cycle { *cycle } else { path })
}

/// A question put to an engine.
struct Asked<'c> {
    case: &'c Case,
    is_cycle: bool,
    engine: Engine,
    limit: Duration,
    seed: u64,
    threads: usize,
}

/// One row of the table; returns how many times as long `auto` takes as the best of the others.
fn compare(case: &Case, is_cycle: bool, options: &Options) -> Option<f64> {
    let mut optimum = if is_cycle { case.cycle } else { case.path };
    let mut ask = |engine, limit| {
        let asked = Asked { case, is_cycle, engine, limit, seed: 0, threads: options.threads };
        median(asked, options.seeds, &mut optimum)
    };
    let auto = ask(Engine::Auto, LIMIT);
    if auto.is_some_and(|seconds| seconds < WORTH_A_ROW.as_secs_f64()) && !options.all {
        return None;
    }
    let least = auto.map_or(LIMIT, Duration::from_secs_f64).max(WORTH_A_ROW);
    let others =
        OTHERS.map(|engine| ask(engine, if options.all && engine == Engine::Conflict { LIMIT } else { least }));
    let length = optimum.map_or_else(|| "?".to_owned(), |optimum| optimum.to_string());
    print!("{:<28}{:>6}{length:>12}", case.name, if is_cycle { "cycle" } else { "path" });
    for median in [auto].iter().chain(&others) {
        match median {
            Some(seconds) => print!("{seconds:>18.3}"),
            None => print!("{:>18}", "-"),
        }
    }
    let best = others.iter().flatten().copied().reduce(f64::min);
    let ratio = best.map(|best| auto.unwrap_or(LIMIT.as_secs_f64()) / best);
    match ratio {
        Some(ratio) => println!("{ratio:>10.2}"),
        None => println!("{:>10}", "-"),
    }
    ratio
}

/// The median time over so many seeds, if most settle the question.
fn median(mut asked: Asked<'_>, seeds: u64, optimum: &mut Option<i64>) -> Option<f64> {
    let mut times = Vec::new();
    for seed in 0..seeds {
        asked.seed = seed;
        let graph = &asked.case.graph;
        times.extend(match asked.case.is_directed {
            true => time(graph, &asked, optimum),
            false => time(UndirectedAdaptor(graph), &asked, optimum),
        });
    }
    times.sort_by(f64::total_cmp);
    // Those that were not settled would stand at the end.
    times.get(seeds as usize / 2).copied()
}

/// The time to settle it, if it is; an optimum that is proved is asserted.
fn time<G>(graph: G, asked: &Asked<'_>, optimum: &mut Option<i64>) -> Option<f64>
where
    G: IntoNodeIdentifiers<NodeId = NodeIndex> + IntoEdgeReferences<EdgeWeight = i64> + NodeIndexable + GraphProp,
{
    let Asked { case, engine, .. } = asked;
    let began = Instant::now();
    let question = LongestPath::new(graph).weights(|edge| *edge.weight());
    let mut question = question.engine(*engine).seed(asked.seed).threads(asked.threads).time_limit(asked.limit);
    if asked.is_cycle {
        question = question.closed();
    } else {
        if let Some(from) = case.from {
            question = question.from(from);
        }
        if let Some(to) = case.to {
            question = question.to(to);
        }
    }
    // Some engines refuse some questions.
    let answer = question.solve().ok()?;
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

/// The graphs of a folder and those in it, in the order of their names, with what an index there or above knows of them.
fn read(folder: &Path) -> Vec<Case> {
    let mut index = index(folder);
    if index.is_empty() {
        index = folder.parent().map(self::index).unwrap_or_default();
    }
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    files.iter().map(|file| read_one(file, &index)).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of graphs") {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "gr") {
            files.push(path);
        }
    }
}

fn read_one(file: &Path, index: &HashMap<PathBuf, Row>) -> Case {
    let read = GraphFile::open(file, &ReadOptions::default()).expect("a readable graph");
    let row = index.get(file);
    let number = |name: &str| row.and_then(|row| row.get(name)?.parse::<i64>().ok());
    let bounds = number("lower").zip(number("upper"));
    let says = |words: &str| row.is_some_and(|row| row.values().any(|cell| cell.contains(words)));
    let is_hamiltonian = says("Hamiltonian cycle (found") || says("Hamiltonian cycle was found");
    let is_plain = !read.weighted && !read.directed;
    Case {
        name: file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        path: bounds.filter(|(lower, upper)| lower == upper).map(|(lower, _)| lower),
        cycle: (is_hamiltonian && is_plain).then_some(read.graph.node_count() as i64),
        is_directed: read.directed,
        from: read.terminals.from,
        to: read.terminals.to,
        graph: read.graph,
    }
}

/// What is known of a graph, by the names of columns.
type Row = HashMap<String, String>;

/// The rows of the index of a folder, by the places of the files; none where it can't be read.
fn index(folder: &Path) -> HashMap<PathBuf, Row> {
    let text = std::fs::read_to_string(folder.join("INDEX.tsv")).unwrap_or_default();
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t'));
    let columns: Vec<&str> = lines.next().map(Iterator::collect).unwrap_or_default();
    lines
        .map(|cells| columns.iter().zip(cells).map(|(&column, cell)| (column.to_owned(), cell.to_owned())).collect())
        .map(|row: Row| (folder.join(&row["file"]), row))
        .collect()
}

/// Graphs made here, whose longest cycles are known.
fn generated() -> Vec<Case> {
    let mut cases = Vec::new();
    for (gadgets, seed) in [(20, 3), (24, 6), (25, 4), (30, 5)] {
        cases.push(gadget_case(gadgets, seed));
    }
    for stars in [11, 21, 35, 49] {
        let (graph, vertices) = (flower_snark(stars), i64::from(4 * stars));
        cases.push(undirected(format!("flower_{stars}"), graph, Some(vertices - 1), Some(vertices - 1)));
    }
    for (n, step) in [(41, 2), (53, 2), (95, 2), (60, 7)] {
        let (graph, vertices) = (petersen(n, step), i64::from(2 * n));
        // With steps of 2 a cycle through everything is missing exactly where n is 5 modulo 6.
        let cycle = if step == 2 && n % 6 == 5 { vertices - 1 } else { vertices };
        cases.push(undirected(format!("petersen_{n}_{step}"), graph, Some(vertices - 1), Some(cycle)));
    }
    cases
}

fn undirected(name: String, graph: UnGraph<(), i64>, path: Option<i64>, cycle: Option<i64>) -> Case {
    let edges = graph.edge_references().map(|edge| (edge.source(), edge.target(), *edge.weight()));
    Case { name, graph: DiGraph::from_edges(edges), is_directed: false, from: None, to: None, path, cycle }
}

fn gadget_case(gadgets: u32, seed: u64) -> Case {
    undirected(format!("gadgets_{gadgets}"), exclusive_gadgets(gadgets, seed), None, None)
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
