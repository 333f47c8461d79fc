//! `longhaul bench`: the instances of a folder or an index, each within a limit, compared with what is known of them and with
//! an earlier run.

mod instances;
mod rows;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use longhaul::io::{GraphFile, ReadOptions};
use longhaul::{Engine, LongestPath, Status};
use petgraph::graph::NodeIndex;
use petgraph::visit::UndirectedAdaptor;

use self::instances::{Instance, instances};
use self::rows::{Length, Row, read_earlier, write_csv, write_table};
use crate::failure::Failure;
use crate::options::graph::GraphOutput;
use crate::options::run::engines;
use crate::options::values::{parse_size, parse_threads, parse_time};
use crate::process::Process;
use crate::tell::tell;
use crate::write::write_whole;

#[derive(clap::Args)]
#[command(after_help = "\
An index is a table with tabs between its columns: 'file', and where they are known 'lower' and 'upper' (the bounds of the
longest path; '-' is unknown), 'from' and 'to'. Lines that begin with '#' are comments. A folder is read through its INDEX.tsv
if it has one, else for all files whose extension is that of a graph.

Examples:
  longhaul bench graphs --time-limit 2                     a table
  longhaul bench graphs/INDEX.tsv --output json > now.json
  longhaul bench graphs --compare now.json                 what has changed since")]
pub(crate) struct BenchArgs {
    /// A folder of instances, or an index of them.
    place: PathBuf,
    /// The limit of each instance: seconds, or with ms, s, m or h behind.
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "10")]
    time_limit: Duration,
    /// The limit of what engines hold for each instance.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4GiB")]
    memory_limit: usize,
    /// How many threads to use [default: one for each processor]
    #[arg(long, value_parser = parse_threads)]
    threads: Option<usize>,
    /// The seed of everything random.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Which engine to use.
    #[arg(long, default_value = "auto", value_parser = engines())]
    engine: Engine,
    /// Only files whose path contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// An earlier run, as --output json or csv has written it.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// How to print the results.
    #[arg(long, value_enum, default_value_t)]
    output: BenchOutput,
    /// Write the results to this file, whole or not at all [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchOutput {
    /// A table to read.
    #[default]
    Table,
    /// A row an instance, with commas.
    Csv,
    /// One JSON array.
    Json,
}

pub(crate) fn run(args: &BenchArgs, process: &Process) -> Result<ExitCode, Failure> {
    if args.compare.is_some() && args.output != BenchOutput::Table {
        return Err(Failure::usage("--compare adds a column to the table, which --output csv and json do not have"));
    }
    let earlier = args.compare.as_deref().map(read_earlier).transpose()?;
    let instances = instances(&args.place, args.only.as_deref())?;
    let mut rows = Vec::with_capacity(instances.len());
    for instance in &instances {
        if process.interrupt.load(Ordering::Relaxed) {
            tell(&format!("interrupted: {} of {} instances", rows.len(), instances.len()));
            break;
        }
        rows.push(solve(instance, args, process));
    }
    let output = GraphOutput { out: args.out.clone(), format: None };
    write_whole(&output, |out| match args.output {
        BenchOutput::Table => write_table(&rows, earlier.as_ref(), out),
        BenchOutput::Csv => write_csv(&rows, out),
        BenchOutput::Json => {
            serde_json::to_writer_pretty(&mut *out, &rows)?;
            writeln!(out)
        }
    })?;
    let wrong = rows.iter().filter(|row| row.verdict.starts_with("wrong") || row.verdict.starts_with("error"));
    let wrong: Vec<&Row> = wrong.collect();
    wrong.iter().for_each(|row| tell(&format!("{}: {}", row.file, row.verdict)));
    Ok(if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn solve(instance: &Instance, args: &BenchArgs, process: &Process) -> Row {
    let began = Instant::now();
    let mut row = Row {
        file: instance.file.clone(),
        nodes: 0,
        edges: 0,
        status: Status::Unknown.to_string(),
        length: None,
        upper_bound: None,
        seconds: 0.0,
        peak_bytes: 0,
        engine: String::new(),
        verdict: "ok".to_owned(),
    };
    if let Err(mistake) = fill(&mut row, instance, args, process) {
        row.verdict = format!("error: {mistake}");
    }
    row.seconds = began.elapsed().as_secs_f64();
    row
}

fn fill(row: &mut Row, instance: &Instance, args: &BenchArgs, process: &Process) -> Result<(), String> {
    let began = Instant::now();
    let options = ReadOptions {
        memory_limit: args.memory_limit,
        interrupt: Some(process.interrupt.clone()),
        deadline: began.checked_add(args.time_limit),
        ..ReadOptions::default()
    };
    let file = match GraphFile::open(&instance.path, &options) {
        Ok(file) => file,
        Err(error) if error.stop().is_some() => {
            row.engine = "reading".to_owned();
            return Ok(());
        }
        Err(error) => return Err(error.to_string()),
    };
    (row.nodes, row.edges) = (file.graph.node_count(), file.graph.edge_count());
    let finder = file.names.finder();
    let end = |name: &Option<String>, default: Option<NodeIndex>| match name {
        Some(name) => finder.find(name).map(Some).ok_or_else(|| format!("the graph has no node '{name}'")),
        None => Ok(default),
    };
    let ends = [end(&instance.ends[0], file.terminals.from)?, end(&instance.ends[1], file.terminals.to)?];
    macro_rules! answer {
        ($graph:expr) => {{
            let mut question = LongestPath::new($graph)
                .weights(|edge| *petgraph::visit::EdgeRef::weight(&edge))
                .time_limit(args.time_limit.saturating_sub(began.elapsed()))
                .memory_limit(args.memory_limit)
                .threads(args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)))
                .seed(args.seed)
                .engine(args.engine)
                .interrupt(process.interrupt.clone());
            if let Some(node) = ends[0] {
                question = question.from(node);
            }
            if let Some(node) = ends[1] {
                question = question.to(node);
            }
            question.solve().map_err(|error| error.to_string())?
        }};
    }
    let solution = if file.directed { answer!(&file.graph) } else { answer!(UndirectedAdaptor(&file.graph)) };
    row.status = solution.status().to_string();
    let told = |length: Option<i64>| length.map(|length| Length(file.decimal(length)));
    (row.length, row.upper_bound) = (told(solution.length()), told(solution.upper_bound()));
    row.peak_bytes = solution.stats().peak_bytes;
    row.engine = solution.stats().method.to_owned();
    row.verdict = verdict(instance, solution.status(), row.length, row.upper_bound);
    Ok(())
}

/// What the answer is worth beside what is known.
fn verdict(instance: &Instance, status: Status, length: Option<Length>, upper_bound: Option<Length>) -> String {
    let [lower, upper] = [instance.lower, instance.upper].map(|known| known.map(Length));
    let above = length.zip(upper).filter(|(length, upper)| length > upper);
    if let Some((length, upper)) = above {
        return format!("wrong: length {}, and no path is longer than {}", length.0, upper.0);
    }
    let below = upper_bound.zip(lower).filter(|(bound, lower)| bound < lower);
    if let Some((bound, lower)) = below {
        return format!("wrong: bound {}, and there is a path of {}", bound.0, lower.0);
    }
    if let (Status::Infeasible, Some(lower)) = (status, lower) {
        return format!("wrong: no path, and there is one of {}", lower.0);
    }
    let betters_length = length.is_some_and(|length| lower.is_some_and(|lower| length > lower));
    let betters_bound = upper_bound.is_some_and(|bound| upper.is_some_and(|upper| bound < upper));
    match status {
        _ if betters_length || betters_bound => "new",
        Status::Optimal | Status::Infeasible => "optimal",
        _ if length.is_some() && length == upper => "optimal length",
        _ => "ok",
    }
    .to_owned()
}
