//! How time, steps and memory grow with the graph: families of graphs, each at growing sizes, until one is not settled in time.
//!
//! `cargo bench --bench growth` takes all families, `cargo bench --bench growth -- maze streets` those whose names contain one of
//! the words. `--limit=SECONDS` is what each question gets, 10 unless told; `--threads=N` as many threads, 2 unless told.
//! `--svg=FILE` draws the rows, in the folder of the repository.
//!
//! A row tells the medians of [`SEEDS`] graphs of a size: vertices, seconds, search steps, and the most memory that engines held.
//! Steps are those of [`Stats::steps`], whatever the engine at work counts, so they compare within a family that one engine
//! settles. After each family come the exponents b of the power laws a·nᵇ that fit its settled rows best (least squares of the
//! logarithms): over all rows, and over the later half, where a family that grows faster than any power shows it.
//!
//! Every path is asserted by the independent check, and every optimum to be no more than the number of vertices allows. Times are
//! printed, never asserted.
//!
//! [`Stats::steps`]: longhaul::Stats::steps

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use longhaul::adapters::families;
use longhaul::adapters::uno::{Card, Deck, Game};
use longhaul::certificate::{Claim, check_path};
use longhaul::io::GraphFile;
use longhaul::view::InputGraph;
use longhaul::{Answer, LongestPath, Solution};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};
use plotters::prelude::*;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

type Failure = Box<dyn Error>;

/// Graphs of each size.
const SEEDS: u64 = 3;

/// Rows below this are what a process does before it searches, and no part of a fit.
const LEAST_SECONDS: f64 = 0.002;

/// A family: what one of its sizes is called, the sizes, and how to make a graph of it.
struct Family {
    name: &'static str,
    sizes: &'static [usize],
    make: fn(usize, &mut Pcg64Mcg) -> Result<Question, Failure>,
}

/// What is asked of a graph.
enum Question {
    FreeEnds(GraphFile),
    /// From the first node to the last.
    CornerToCorner(GraphFile),
    Hand(Game),
}

const SIDES: &[usize] = &[10, 14, 20, 28, 40, 57, 80, 113, 160, 226, 320];
const SHORT_SIDES: &[usize] = &[6, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24];
const NODES: &[usize] = &[64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];

const FAMILIES: [Family; 8] = [
    Family {
        name: "mazes",
        sizes: SIDES,
        make: |side, rng| Ok(Question::CornerToCorner(families::maze(side, side, 0.3, rng)?)),
    },
    Family {
        name: "roads",
        sizes: SIDES,
        make: |side, rng| Ok(Question::FreeEnds(families::roads(side, side, 0.3, 0.3, rng)?)),
    },
    Family { name: "planar", sizes: NODES, make: |n, rng| Ok(Question::FreeEnds(families::planar(n, 0.55, rng)?)) },
    Family {
        name: "G(n, 3/n)",
        sizes: NODES,
        make: |n, rng| Ok(Question::FreeEnds(families::gnp(n, 3.0 / n as f64, rng)?)),
    },
    Family { name: "cubic", sizes: NODES, make: |n, rng| Ok(Question::FreeEnds(families::regular(n, 3, rng)?)) },
    Family {
        name: "streets",
        sizes: SHORT_SIDES,
        make: |side, rng| Ok(Question::FreeEnds(families::streets(side, side, 0.1, 0.3, rng)?)),
    },
    Family {
        name: "xor9",
        sizes: &[12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 72, 80, 96],
        make: |gadgets, rng| Ok(Question::FreeEnds(families::xor9(gadgets, rng)?)),
    },
    Family {
        name: "UNO decks",
        sizes: NODES,
        make: |cards, rng| {
            let attributes = (cards / 2) as u32;
            let deck = families::deck(cards, attributes, attributes, rng)?;
            Ok(Question::Hand(Game::new(Deck::new(
                deck.into_iter().map(|(number, colour)| Card { number, colour }).collect(),
            ))))
        },
    },
];

/// What one graph took, or half of the graphs of a size at most.
#[derive(Clone, Copy)]
struct Run {
    vertices: f64,
    seconds: f64,
    steps: f64,
    bytes: f64,
    is_settled: bool,
}

fn main() -> Result<(), Failure> {
    let (mut wanted, mut limit, mut threads, mut svg) = (Vec::new(), 10.0, 2, None);
    for argument in std::env::args().skip(1).filter(|argument| argument != "--bench") {
        match argument.split_once('=') {
            Some(("--limit", seconds)) => limit = seconds.parse()?,
            Some(("--threads", count)) => threads = count.parse()?,
            Some(("--svg", file)) => svg = Some(file.to_owned()),
            _ if argument.starts_with("--") => return Err(format!("no option of this bench: {argument}").into()),
            _ => wanted.push(argument),
        }
    }
    println!(
        "{:<12}{:>7}{:>9}{:>11}{:>14}{:>10}{:>9}",
        "family", "size", "vertices", "seconds", "steps", "MB", "settled"
    );
    let mut drawn: Vec<(&str, Vec<Run>)> = Vec::new();
    for family in &FAMILIES {
        if wanted.is_empty() || wanted.iter().any(|word| family.name.contains(word.as_str())) {
            drawn.push((family.name, rows(family, Duration::from_secs_f64(limit), threads)?));
        }
    }
    println!("\nexponents of n in what fits best, over all settled rows and over the later half");
    println!("{:<12}{:>16}{:>16}{:>16}", "family", "seconds", "steps", "bytes");
    for (name, rows) in &drawn {
        let cells =
            MEASURES.map(|measure| match (exponent(rows, measure), exponent(&rows[rows.len() / 2..], measure)) {
                (Some(all), Some(late)) => format!("{all:.2}  {late:.2}"),
                _ => "-".to_owned(),
            });
        println!("{name:<12}{:>16}{:>16}{:>16}", cells[0], cells[1], cells[2]);
    }
    if let Some(file) = svg {
        draw(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file), &drawn)?;
    }
    Ok(())
}

/// The rows of a family, down to the first size of which a graph is not settled.
fn rows(family: &Family, limit: Duration, threads: usize) -> Result<Vec<Run>, Failure> {
    let mut rows = Vec::new();
    for &size in family.sizes {
        let mut runs = Vec::new();
        for seed in 1..=SEEDS {
            let mut rng = Pcg64Mcg::seed_from_u64(seed);
            runs.push(run(&(family.make)(size, &mut rng)?, limit, threads)?);
        }
        let median = |of: fn(&Run) -> f64| {
            let mut values: Vec<f64> = runs.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let settled = runs.iter().filter(|run| run.is_settled).count();
        let median = Run {
            vertices: median(|run| run.vertices),
            seconds: median(|run| run.seconds),
            steps: median(|run| run.steps),
            bytes: median(|run| run.bytes),
            is_settled: settled == runs.len(),
        };
        println!(
            "{:<12}{size:>7}{:>9}{:>11.4}{:>14}{:>10.2}{:>7}/{SEEDS}",
            family.name,
            median.vertices,
            median.seconds,
            median.steps,
            median.bytes / 1e6,
            settled
        );
        rows.push(median);
        if !median.is_settled {
            break;
        }
    }
    Ok(rows)
}

fn run(question: &Question, limit: Duration, threads: usize) -> Result<Run, Failure> {
    let began = Instant::now();
    match question {
        Question::FreeEnds(file) => graph(file, false, limit, threads),
        Question::CornerToCorner(file) => graph(file, true, limit, threads),
        Question::Hand(game) => {
            let solution = game.question(None)?.threads(threads).time_limit(limit).solve()?;
            let seconds = began.elapsed().as_secs_f64();
            let play = game.play(&solution);
            assert!(
                play.cards().windows(2).all(|two| two[0].matches(two[1])),
                "cards that don't match lie on each other"
            );
            Ok(measured(play.answer(), game.deck().cards().len(), seconds))
        }
    }
}

fn graph(file: &GraphFile, has_ends: bool, limit: Duration, threads: usize) -> Result<Run, Failure> {
    if file.directed {
        solve(&file.graph, has_ends, limit, threads)
    } else {
        solve(UndirectedAdaptor(&file.graph), has_ends, limit, threads)
    }
}

fn solve<G>(graph: G, has_ends: bool, limit: Duration, threads: usize) -> Result<Run, Failure>
where
    G: InputGraph<NodeId = NodeIndex, EdgeId = EdgeIndex, EdgeWeight = i64>,
{
    let began = Instant::now();
    let n = graph.node_identifiers().count();
    let mut question = LongestPath::new(graph).weights(|edge| *edge.weight()).threads(threads).time_limit(limit);
    let mut claim = Claim::free();
    if has_ends {
        let ends = [NodeIndex::new(0), NodeIndex::new(n - 1)];
        question = question.from(ends[0]).to(ends[1]);
        claim = Claim { from: Some(ends[0]), to: Some(ends[1]), ..claim };
    }
    let solution: Solution<NodeIndex, EdgeIndex> = question.solve()?;
    let seconds = began.elapsed().as_secs_f64();
    let path = solution.path().expect("there is a path");
    let length = check_path(graph, |edge| *edge.weight(), &claim, path, solution.edges()).expect("a path of the graph");
    assert_eq!(solution.length(), Some(length), "the path is not as long as is said");
    Ok(measured(solution.answer(), n, seconds))
}

fn measured<T>(answer: &Answer<T>, vertices: usize, seconds: f64) -> Run {
    let (length, bound) = (answer.worth().expect("a path"), answer.upper_bound().expect("a bound"));
    assert!(length <= bound && length <= vertices as i64, "{length} of at most {bound} on {vertices} vertices");
    let stats = answer.stats();
    let [steps, bytes] = [stats.steps as f64, stats.peak_bytes as f64];
    Run { vertices: vertices as f64, seconds, steps, bytes, is_settled: answer.is_optimal() }
}

/// What grows.
#[derive(Clone, Copy)]
struct Measure {
    name: &'static str,
    of: fn(&Run) -> f64,
    /// Where the axis begins.
    least: f64,
}

const MEASURES: [Measure; 3] = [
    Measure { name: "seconds", of: |run| run.seconds, least: 1e-4 },
    Measure { name: "search steps", of: |run| run.steps, least: 1.0 },
    Measure { name: "bytes", of: |run| run.bytes, least: 1e3 },
];

/// The slope of the line through the logarithms of the vertices and of this measure, by least squares over settled rows; `None`
/// from fewer than two sizes.
fn exponent(rows: &[Run], measure: Measure) -> Option<f64> {
    let counts = |row: &&Run| row.is_settled && row.seconds >= LEAST_SECONDS && (measure.of)(row) > 0.0;
    let points: Vec<[f64; 2]> =
        rows.iter().filter(counts).map(|row| [row.vertices.ln(), (measure.of)(row).ln()]).collect();
    let mean = |at: usize| points.iter().map(|point| point[at]).sum::<f64>() / points.len() as f64;
    let [x, y] = [mean(0), mean(1)];
    let spread: f64 = points.iter().map(|point| (point[0] - x).powi(2)).sum();
    let slope = points.iter().map(|point| (point[0] - x) * (point[1] - y)).sum::<f64>() / spread;
    (points.len() >= 2).then_some(slope)
}

/// Draws each measure over the number of vertices, with logarithms on both axes. A ring is a size of which not all are settled.
fn draw(file: &Path, drawn: &[(&str, Vec<Run>)]) -> Result<(), Failure> {
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, (760, 1080)).into_drawing_area();
        area.fill(&WHITE)?;
        for (measure, part) in MEASURES.into_iter().zip(area.split_evenly((3, 1))) {
            let values = || drawn.iter().flat_map(|(_, rows)| rows);
            let most = |of: fn(&Run) -> f64| values().map(of).fold(0.0, f64::max);
            let mut chart = ChartBuilder::on(&part)
                .caption(measure.name, ("sans-serif", 16))
                .margin(8)
                .x_label_area_size(34)
                .y_label_area_size(64)
                .build_cartesian_2d(
                    (30.0..most(|run| run.vertices) * 1.5).log_scale(),
                    (measure.least..most(measure.of) * 2.0).log_scale(),
                )?;
            chart.configure_mesh().x_desc("vertices").light_line_style(TRANSPARENT).draw()?;
            for (at, (name, rows)) in drawn.iter().enumerate() {
                let colour = Palette99::pick(at).to_rgba();
                let points = rows.iter().map(|row| (row.vertices, (measure.of)(row).max(measure.least)));
                chart
                    .draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?
                    .label(*name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], Palette99::pick(at).stroke_width(2)));
                chart.draw_series(points.zip(rows).map(|(point, row)| {
                    let style = ShapeStyle { filled: row.is_settled, ..colour.into() };
                    Circle::new(point, 3, style)
                }))?;
            }
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperRight)
                .border_style(BLACK)
                .background_style(WHITE)
                .draw()?;
        }
        area.present()?;
    }
    std::fs::write(file, picture)?;
    Ok(())
}
