//! `longhaul clique`: the largest clique of a graph.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use longhaul::Status;
use longhaul::clique::{CliqueEngine, CliqueSolution, MaximumClique};
use longhaul::io::{Format, GraphFile, NodeNames, ReadOptions, read_bytes};
use petgraph::graph::NodeIndex;
use serde::Serialize;

use crate::answer::{Names, count_of_nodes};
use crate::failure::Failure;
use crate::object::write_answer;
use crate::options::search::{SearchArgs, SearchOutput};
use crate::process::Process;
use crate::watch::Watch;

#[derive(clap::Args)]
pub(crate) struct CliqueArgs {
    /// The graph; directions and weights of its edges do not matter; '-' is standard input.
    pub(crate) file: PathBuf,
    /// The format of the file [default: by its extension, else by its content]
    #[arg(long, value_parser = PossibleValuesParser::new(Format::ALL.map(|(name, _)| name)).try_map(|name| Format::from_str(&name)))]
    pub(crate) format: Option<Format>,
    /// Look only for cliques of so many nodes or more.
    #[arg(long, value_name = "SIZE")]
    pub(crate) lower_bound: Option<u32>,
    /// Which engine to use.
    #[arg(long, default_value = CliqueEngine::default().name(), value_parser = PossibleValuesParser::new(CliqueEngine::ALL.map(|(name, _)| name)).map(clique_engine))]
    pub(crate) engine: CliqueEngine,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

fn clique_engine(name: String) -> CliqueEngine {
    let entry = CliqueEngine::ALL.iter().find(|(known, _)| *known == name);
    entry.expect("only names of engines are accepted").1
}

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

pub(crate) fn run(args: &CliqueArgs, process: &Process) -> Result<ExitCode, Failure> {
    let (name, bytes) = read_bytes(&args.file)?;
    let options = ReadOptions { format: args.format, memory_limit: args.search.memory_limit, ..ReadOptions::default() };
    let file = GraphFile::parse(&name, &bytes, &options).map_err(|error| Failure::in_file(&error, &bytes))?;
    drop(bytes);
    let mut watch = Watch::of_search(&args.search, process.interrupt.clone());
    let mut question = MaximumClique::new(&file.graph)
        .limits(args.search.limits(process))
        .engine(args.engine)
        .on_progress(|progress| watch.improved(progress));
    if let Some(least) = args.lower_bound {
        question = question.lower_bound(i64::from(least));
    }
    let solution = question.solve()?;
    watch.ended(solution.stats());
    watch.output.write(|out| write(&solution, args, &file.names, out));
    watch.output.finish()?;
    Ok(ExitCode::SUCCESS)
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
    write_answer(&object, args.search.output.form(), out)
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
