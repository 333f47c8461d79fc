//! `longhaul clique`: the largest clique of a graph.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use longhaul::clique::{CliqueSolution, MaximumClique};
use longhaul::io::{GraphFile, NodeNames, ReadOptions, read_bytes};
use longhaul::{Progress, Status};
use petgraph::graph::NodeIndex;
use serde::Serialize;

use crate::Process;
use crate::answer::{Names, count_of_nodes};
use crate::failure::Failure;
use crate::output::Output;
use crate::search_args::{CliqueArgs, SearchOutput};
use crate::tell::tell;

#[derive(Serialize)]
struct Object<'a> {
    status: String,
    stop: String,
    size: Option<usize>,
    upper_bound: Option<i64>,
    nodes: Names<'a>,
    engine: &'static str,
    seconds: f64,
    peak_bytes: usize,
    stats: Details<'a>,
}

#[derive(Serialize)]
struct Details<'a> {
    steps: u64,
    decisions: &'a [String],
}

/// A line of `--output jsonl` before the answer.
#[derive(Serialize)]
pub(crate) struct Improvement {
    seconds: f64,
    size: Option<i64>,
    upper_bound: Option<i64>,
    engine: &'static str,
}

pub(crate) fn run(args: &CliqueArgs, process: &Process) -> Result<ExitCode, Failure> {
    let (name, bytes) = read_bytes(&args.file)?;
    let options = ReadOptions { format: args.format, memory_limit: args.search.memory_limit, ..ReadOptions::default() };
    let file = GraphFile::parse(&name, &bytes, &options).map_err(|error| Failure::in_file(&error, &bytes))?;
    drop(bytes);
    let mut output = Output::new();
    let mut question = MaximumClique::new(&file.graph)
        .limits(args.search.limits(process))
        .engine(args.engine)
        .on_progress(|progress| {
            if !told(progress, args.search.output, args.search.verbose, &mut output) {
                process.interrupt.store(true, Ordering::Relaxed);
            }
        });
    if let Some(least) = args.lower_bound {
        question = question.lower_bound(i64::from(least));
    }
    let solution = question.solve()?;
    if args.search.verbose {
        solution.stats().decisions.iter().for_each(|decision| tell(decision));
        let stats = solution.stats();
        tell(&format!("{} steps, {} bytes, {:.3} s", stats.steps, stats.peak_bytes, stats.elapsed.as_secs_f64()));
    }
    output.write(|out| write(&solution, args, &file.names, out));
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Tells of an improvement; `false` if nobody listens.
pub(crate) fn told(progress: &Progress, form: SearchOutput, verbose: bool, output: &mut Output) -> bool {
    let seconds = progress.elapsed.as_secs_f64();
    if verbose {
        let show = |value: Option<i64>| value.map_or("-".to_owned(), |value| value.to_string());
        let (size, bound) = (show(progress.incumbent), show(progress.upper_bound));
        tell(&format!("{seconds:>9.3}s | size {size:>6} | bound {bound:>6} | {}", progress.engine));
    }
    if form != SearchOutput::Jsonl {
        return true;
    }
    let Progress { incumbent, upper_bound, engine, .. } = *progress;
    let improvement = Improvement { seconds, size: incumbent, upper_bound, engine };
    output.write_now(|out| {
        serde_json::to_writer(&mut *out, &improvement)?;
        writeln!(out)
    })
}

fn write(
    solution: &CliqueSolution<NodeIndex>,
    args: &CliqueArgs,
    names: &NodeNames,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut nodes = solution.nodes().unwrap_or_default().to_vec();
    nodes.sort_unstable();
    let names: Vec<_> = nodes.iter().map(|&node| names.name(node)).collect();
    if args.search.output == SearchOutput::Text {
        writeln!(out, "# {}", summary(solution, args.lower_bound))?;
        return names.iter().try_for_each(|name| writeln!(out, "{name}"));
    }
    let stats = solution.stats();
    let object = Object {
        status: solution.status().to_string(),
        stop: solution.stop().to_string(),
        size: solution.size(),
        upper_bound: solution.upper_bound(),
        nodes: Names(names),
        engine: stats.engine,
        seconds: stats.elapsed.as_secs_f64(),
        peak_bytes: stats.peak_bytes,
        stats: Details { steps: stats.steps, decisions: &stats.decisions },
    };
    match args.search.output {
        SearchOutput::Jsonl => serde_json::to_writer(&mut *out, &object)?,
        _ => serde_json::to_writer_pretty(&mut *out, &object)?,
    }
    writeln!(out)
}

fn summary(solution: &CliqueSolution<NodeIndex>, lower_bound: Option<u32>) -> String {
    let what = match lower_bound {
        Some(least) => format!("clique of {} or more", count_of_nodes(least as usize)),
        None => "clique".to_owned(),
    };
    let subject = match (solution.size(), solution.status()) {
        (Some(size), _) => format!("a clique of {}", count_of_nodes(size)),
        (None, Status::Infeasible) => return format!("there is no {what}: proved"),
        (None, _) => format!("no {what} found"),
    };
    match (solution.status(), solution.upper_bound()) {
        (Status::Optimal, _) => format!("{subject}; none is larger: proved"),
        (_, Some(upper)) => {
            let upper = usize::try_from(upper).unwrap_or(0);
            format!("{subject}; none has more than {} (stopped: {})", count_of_nodes(upper), solution.stop())
        }
        (_, None) => subject,
    }
}
