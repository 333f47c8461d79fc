//! `longhaul solve`: the longest path of a graph.

use std::process::ExitCode;

use longhaul::io::GraphFile;
use longhaul::view::InputGraph;
use longhaul::{KPath, KPathSolution, LongestPath, Solution, Stats};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, NodeFiltered, UndirectedAdaptor};

use crate::Process;
use crate::answer::{Answer, Found};
use crate::args::{RunArgs, SolveArgs};
use crate::failure::Failure;
use crate::input::{self, Ends};
use crate::watch::Watch;

pub(crate) fn run(args: &SolveArgs, process: &Process) -> Result<ExitCode, Failure> {
    let file = input::read_graph(&args.graph, args.run.memory_limit)?;
    let ends = Ends::new(&args.ends, &file)?;
    let mut watch = Watch::new(&args.run, process.interrupt.clone());
    let allowed = |node: NodeIndex| !ends.forbidden[node.index()];
    macro_rules! of_the_graph {
        ($answer:ident, $($rest:expr),*) => {
            if file.directed {
                $answer(&NodeFiltered::from_fn(&file.graph, allowed), $($rest),*)
            } else {
                $answer(&NodeFiltered::from_fn(UndirectedAdaptor(&file.graph), allowed), $($rest),*)
            }
        };
    }
    match args.k {
        None => {
            let solution = of_the_graph!(longest, &ends, &args.run, process, &mut watch)?;
            print(Found::longest(&solution), solution.stats(), &file, &ends, args, watch)
        }
        Some(k) => {
            let solution = of_the_graph!(k_path, k, file.weighted, &ends, &args.run, process, &mut watch)?;
            print(Found::k_path(&solution, k), solution.stats(), &file, &ends, args, watch)
        }
    }
}

fn print(
    found: Found<'_>,
    stats: &Stats,
    file: &GraphFile,
    ends: &Ends,
    args: &SolveArgs,
    mut watch: Watch,
) -> Result<ExitCode, Failure> {
    watch.ended(stats);
    let answer = Answer { found, names: &file.names, closed: ends.closed, cards: None };
    watch.output.write(|out| answer.write(args.run.output, out));
    watch.output.finish()?;
    Ok(answer.exit_code(args.run.sat_exit_codes))
}

fn longest<G>(
    graph: G,
    ends: &Ends,
    args: &RunArgs,
    process: &Process,
    watch: &mut Watch,
) -> Result<Solution<NodeIndex, EdgeIndex>, Failure>
where
    G: InputGraph<NodeId = NodeIndex, EdgeId = EdgeIndex, EdgeWeight = i64>,
{
    let mut question = LongestPath::new(graph).weights(|edge| *edge.weight());
    if let Some(node) = ends.from {
        question = question.from(node);
    }
    if let Some(node) = ends.to {
        question = question.to(node);
    }
    if ends.closed {
        question = question.closed();
    }
    Ok(configured(question, args, process, watch).solve()?)
}

/// A path of `k` nodes: any, or the heaviest of a weighted graph.
fn k_path<G>(
    graph: G,
    k: usize,
    weighted: bool,
    ends: &Ends,
    args: &RunArgs,
    process: &Process,
    watch: &mut Watch,
) -> Result<KPathSolution<NodeIndex, EdgeIndex>, Failure>
where
    G: InputGraph<NodeId = NodeIndex, EdgeId = EdgeIndex, EdgeWeight = i64>,
{
    let mut question = KPath::new(graph, k)
        .memory_limit(args.memory_limit)
        .threads(threads(args))
        .seed(args.seed)
        .failure_probability(args.failure_probability)
        .engine(args.engine)
        .interrupt(process.interrupt.clone())
        .on_progress(|progress| watch.improved(progress));
    if weighted {
        question = question.weights(|edge| *edge.weight());
    }
    if let Some(node) = ends.from {
        question = question.from(node);
    }
    if let Some(node) = ends.to {
        question = question.to(node);
    }
    if let Some(limit) = args.time_limit {
        question = question.time_limit(limit.saturating_sub(process.began.elapsed()));
    }
    Ok(question.solve()?)
}

fn threads(args: &RunArgs) -> usize {
    args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Hands the options that are about the run to the library.
pub(crate) fn configured<'a, G: InputGraph>(
    question: LongestPath<'a, G>,
    args: &RunArgs,
    process: &Process,
    watch: &'a mut Watch,
) -> LongestPath<'a, G> {
    let question = question
        .memory_limit(args.memory_limit)
        .threads(threads(args))
        .seed(args.seed)
        .gap(args.gap)
        .failure_probability(args.failure_probability)
        .engine(args.engine)
        .interrupt(process.interrupt.clone())
        .on_progress(|progress| watch.improved(progress));
    match args.time_limit {
        // Reading the file has taken its share.
        Some(limit) => question.time_limit(limit.saturating_sub(process.began.elapsed())),
        None => question,
    }
}
