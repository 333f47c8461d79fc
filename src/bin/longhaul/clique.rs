//! `longhaul clique`: the largest clique of a graph.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use longhaul::Status;
use longhaul::clique::{CliqueEngine, CliqueSolution, MaximumClique};
use longhaul::io::{Format, GraphFile, NodeNames, ReadOptions, read_bytes_within, read_prizes};
use petgraph::graph::NodeIndex;
use serde::Serialize;

use crate::answer::{Names, count_of_nodes};
use crate::failure::Failure;
use crate::object::{Effort, write_answer};
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
    /// What each node weighs, for the heaviest clique: a file with a node and a whole number a line, as 'solve --prizes' reads
    /// it; nodes it does not name weigh 0 [default: the 'n' lines of a DIMACS file, else 1 each]
    #[arg(long, value_name = "FILE")]
    pub(crate) node_weights: Option<PathBuf>,
    /// Look only for cliques of so many nodes or more; where nodes have weights, for cliques as heavy as this or more.
    #[arg(long, value_name = "SIZE", value_parser = clap::value_parser!(i64).range(0..))]
    pub(crate) lower_bound: Option<i64>,
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
    /// What the nodes weigh together, where they have weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<i64>,
    upper_bound: Option<i64>,
    nodes: Names<'a>,
    engine: &'static str,
    seconds: f64,
    peak_bytes: usize,
    stats: Effort<'a>,
}

pub(crate) fn run(args: &CliqueArgs, process: &Process) -> Result<ExitCode, Failure> {
    if args.file.as_os_str() == "-" && args.node_weights.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        let message =
            "the graph and the weights of its nodes cannot both be read from standard input; one must be a file";
        return Err(Failure::new(message));
    }
    let mut watch = Watch::of_search(&args.search, process.interrupt.clone());
    watch.says(&format!("reading {}", args.file.display()));
    let options = ReadOptions { format: args.format, ..args.search.reading(process) };
    let (name, bytes) = read_bytes_within(&args.file, &options)?;
    let file = GraphFile::parse(&name, &bytes, &options).map_err(|error| Failure::in_file(&error, &bytes))?;
    drop(bytes);
    let weights = node_weights(args, &file, process)?;
    watch.says("nothing found yet");
    let mut question = MaximumClique::new(&file.graph)
        .limits(args.search.limits(process))
        .engine(args.engine)
        .on_progress(|progress| watch.improved(progress));
    if let Some(least) = args.lower_bound {
        question = question.lower_bound(least);
    }
    if !weights.is_empty() {
        question = question.node_weights(|node| weights[node.index()]);
    }
    let solution = question.solve()?;
    watch.ended(solution.stats());
    watch.output.write(|out| write(&solution, args, !weights.is_empty(), &file.names, out));
    watch.output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// What the nodes weigh, by index; nothing where all weigh 1.
fn node_weights(args: &CliqueArgs, file: &GraphFile, process: &Process) -> Result<Vec<i64>, Failure> {
    let Some(path) = &args.node_weights else { return Ok(file.prizes.clone()) };
    let (name, bytes) = read_bytes_within(path, &args.search.reading(process))?;
    read_prizes(&name, &bytes, &file.names).map_err(|error| Failure::in_file(&error, &bytes))
}

fn write(
    solution: &CliqueSolution<NodeIndex>,
    args: &CliqueArgs,
    weighted: bool,
    names: &NodeNames,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut nodes = solution.nodes().unwrap_or_default().to_vec();
    nodes.sort_unstable();
    let names: Vec<_> = nodes.iter().map(|&node| names.name(node)).collect();
    if args.search.output == SearchOutput::Text {
        writeln!(out, "# {}", summary(solution, weighted, args.lower_bound))?;
        return names.iter().try_for_each(|name| writeln!(out, "{name}"));
    }
    let stats = solution.stats();
    let object = Object {
        status: solution.status().to_string(),
        stop: solution.stop().to_string(),
        size: solution.size(),
        weight: solution.weight().filter(|_| weighted),
        upper_bound: solution.upper_bound(),
        nodes: Names(names),
        engine: stats.method,
        seconds: stats.elapsed.as_secs_f64(),
        peak_bytes: stats.peak_bytes,
        stats: Effort { steps: stats.steps, decisions: &stats.decisions },
    };
    write_answer(&object, args.search.output.form(), out)
}

fn summary(solution: &CliqueSolution<NodeIndex>, weighted: bool, lower_bound: Option<i64>) -> String {
    let as_many = |weight: i64| {
        if weighted { format!("weight {weight}") } else { count_of_nodes(usize::try_from(weight).unwrap_or(0)) }
    };
    let what = lower_bound.map_or("clique".to_owned(), |least| format!("clique of {} or more", as_many(least)));
    let subject = match (solution.size(), solution.weight(), solution.status()) {
        (Some(size), Some(weight), _) if weighted => {
            format!("a clique of {} and weight {weight}", count_of_nodes(size))
        }
        (Some(size), ..) => format!("a clique of {}", count_of_nodes(size)),
        (None, _, Status::Infeasible) => return format!("there is no {what}: proved"),
        (None, ..) => format!("no {what} found"),
    };
    match (solution.status(), solution.upper_bound()) {
        (Status::Optimal, _) if weighted => format!("{subject}; none is heavier: proved"),
        (Status::Optimal, _) => format!("{subject}; none is larger: proved"),
        (_, Some(upper)) => {
            format!("{subject}; none has more than {} (stopped: {})", as_many(upper), solution.stop())
        }
        (_, None) => subject,
    }
}
