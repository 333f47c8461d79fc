//! `longhaul solve`: the longest path of a graph.

use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::ErrorKind;
use longhaul::view::InputGraph;
use longhaul::{Engine, KPath, KPathSolution, LinearSolver, LongestPath, Solution};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, NodeFiltered, UndirectedAdaptor};

use crate::Process;
use crate::answer::Answer;
use crate::args::{Args, SolveArgs};
use crate::failure::Failure;
use crate::input::{self, Ends};
use crate::watch::Watch;

/// Hands the options that are about the run to the library, whichever its question is.
macro_rules! configured {
    ($question:expr, $args:expr, $process:expr, $watch:expr) => {{
        let watch: &mut $crate::watch::Watch = $watch;
        $question
            .limits($args.limits($process))
            .gap($args.gap)
            .engine($args.engine)
            .on_progress(|progress| watch.improved(progress))
    }};
}
pub(crate) use configured;

pub(crate) fn run(args: &SolveArgs, process: &Process) -> Result<ExitCode, Failure> {
    if args.dfs && args.run.engine != Engine::Signature {
        let message =
            format!("--dfs makes bags for --engine signature, and the engine asked for is {}", args.run.engine);
        Args::command().error(ErrorKind::ArgumentConflict, message).exit();
    }
    if args.lp != LinearSolver::Simplex && args.run.engine != Engine::BranchAndCut {
        let message = format!("--lp is for --engine branch-and-cut, and the engine asked for is {}", args.run.engine);
        Args::command().error(ErrorKind::ArgumentConflict, message).exit();
    }
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
    let answer = match args.k {
        None => {
            let solution = of_the_graph!(longest, &ends, args, process, &mut watch)?;
            Answer::of(&solution, &file.names, ends.closed)
        }
        Some(k) => {
            let solution = of_the_graph!(k_path, k, file.weighted, &ends, args, process, &mut watch)?;
            Answer::of_k_path(&solution, k, &file.names)
        }
    };
    watch.ended(&answer.stats);
    watch.output.write(|out| answer.write(args.run.output, out));
    watch.output.finish()?;
    Ok(answer.exit_code(args.run.sat_exit_codes))
}

fn longest<G>(
    graph: G,
    ends: &Ends,
    args: &SolveArgs,
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
    question = question.failure_probability(args.failure_probability).linear_solver(args.lp);
    if args.dfs {
        question = question.depth_first_bags();
    }
    Ok(configured!(question, &args.run, process, watch).solve()?)
}

/// A path of `k` nodes: any, or the heaviest of a weighted graph.
fn k_path<G>(
    graph: G,
    k: usize,
    weighted: bool,
    ends: &Ends,
    args: &SolveArgs,
    process: &Process,
    watch: &mut Watch,
) -> Result<KPathSolution<NodeIndex, EdgeIndex>, Failure>
where
    G: InputGraph<NodeId = NodeIndex, EdgeId = EdgeIndex, EdgeWeight = i64>,
{
    let mut question = KPath::new(graph, k)
        .limits(args.run.limits(process))
        .failure_probability(args.failure_probability)
        .engine(args.run.engine)
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
    Ok(question.solve()?)
}
