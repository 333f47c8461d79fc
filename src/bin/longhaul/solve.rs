//! `longhaul solve`: the longest path of a graph.

use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::ErrorKind;
use longhaul::io::{GraphFile, NodeNames};
use longhaul::view::InputGraph;
use longhaul::{Engine, KPath, KPathSolution, LinearSolver, LongestPath, Solution, Stats};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, NodeFiltered, UndirectedAdaptor};

use crate::Process;
use crate::answer::{Answer, Question};
use crate::args::{AnswerOutput, Args, ListingArgs, RunArgs, SolveArgs};
use crate::demands::Demands;
use crate::failure::Failure;
use crate::input::{self, Ends};
use crate::listing::{write_counts, write_paths};
use crate::output::Output;
use crate::picture;
use crate::proof;
use crate::watch::Watch;

/// Hands the options that are about the run to the library, whichever its question is.
macro_rules! configured {
    ($question:expr, $args:expr, $process:expr, $watch:expr) => {{
        let watch: &mut $crate::watch::Watch = $watch;
        $question
            .limits($args.limits($process))
            .gap($args.gap.number())
            .relative_gap($args.gap.share())
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
    let file = match input::read_graph(&args.graph, args.run.reading(process)) {
        Ok(file) => file,
        Err(failure) => return stopped_reading(failure, args, process),
    };
    let ends = Ends::new(&args.ends, &file)?;
    let mut watch = Watch::new(&args.run, process.interrupt.clone());
    // The graph that was read is held beside what the search takes.
    let run =
        RunArgs { memory_limit: args.run.memory_limit.saturating_sub(input::bytes_of(&file)), ..args.run.clone() };
    let args = &SolveArgs { run, ..args.clone() };
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
    let listing = &args.listing;
    let each_counts = listing.count || listing.distribution || listing.all || listing.best.is_some();
    let demands = Demands::new(&args.demands, &file, &ends, each_counts || listing.sample.is_some())?;
    if each_counts {
        if args.run.output == AnswerOutput::Dimacs {
            let message = "--output dimacs has no form for more than one path";
            Args::command().error(ErrorKind::ArgumentConflict, message).exit();
        }
        of_the_graph!(list, &ends, &demands, args, process, &file.names, &mut watch)?;
        watch.output.finish()?;
        return Ok(ExitCode::SUCCESS);
    }
    let answer = match args.k {
        None => {
            let solution = of_the_graph!(longest, &ends, &demands, args, process, &mut watch)?;
            let question = Some(asked(&file, &ends, &demands, solution.edges()));
            Answer { question, ..Answer::of(&solution, &file.names, ends.closed) }
        }
        Some(k) => {
            let solution = of_the_graph!(k_path, k, file.weighted, &ends, args, process, &mut watch)?;
            let question = Some(asked(&file, &ends, &demands, solution.edges()));
            Answer { question, ..Answer::of_k_path(&solution, k, &file.names) }
        }
    };
    watch.ended(&answer.stats);
    let asked = format!("The longest path of {}", args.graph.file.display());
    picture::of_answer(&args.run.pictures, &answer, Some(&file), &asked, watch.history())?;
    watch.output.write(|out| answer.write(args.run.output, out));
    watch.output.finish()?;
    Ok(answer.exit_code(args.run.sat_exit_codes))
}

/// What was asked of the file, and the edges of the answer.
fn asked(file: &GraphFile, ends: &Ends, demands: &Demands, edges: &[EdgeIndex]) -> Question {
    let weights = edges.iter().map(|&edge| file.graph[edge]).collect();
    let has_prizes = !demands.prizes.is_empty();
    Question { directed: file.directed, from: ends.from, to: ends.to, edges: edges.to_vec(), weights, has_prizes }
}

/// Where the limits of the run ended the reading, nothing is known yet, and that is an answer too.
fn stopped_reading(failure: Failure, args: &SolveArgs, process: &Process) -> Result<ExitCode, Failure> {
    let Some(stop) = failure.stop() else { return Err(failure) };
    let stats = Stats {
        engine: "reading",
        elapsed: process.began.elapsed(),
        decisions: vec![failure.to_string()],
        ..Stats::default()
    };
    let names = NodeNames::positions(0);
    let answer = Answer { stop, stats, ..Answer::unknown(&names) };
    let mut output = Output::new();
    output.write(|out| answer.write(args.run.output, out));
    output.finish()?;
    Ok(answer.exit_code(args.run.sat_exit_codes))
}

/// The question with its ends and demands.
fn question<'a, G>(graph: G, ends: &Ends, demands: &'a Demands) -> LongestPath<'a, G>
where
    G: InputGraph<NodeId = NodeIndex, EdgeId = EdgeIndex, EdgeWeight = i64>,
{
    let mut question = LongestPath::new(graph)
        .weights(|edge| *edge.weight())
        .visit(demands.visit.iter().copied())
        .use_edges(demands.use_edges.iter().copied())
        .avoid_edges(demands.avoid_edges.iter().copied());
    if !demands.prizes.is_empty() {
        question = question.prizes(|node| demands.prizes[node.index()]);
    }
    if let Some(k) = demands.at_least {
        question = question.at_least(k);
    }
    if let Some(k) = demands.at_most {
        question = question.at_most(k);
    }
    if demands.induced {
        question = question.induced();
    }
    if let Some(node) = ends.from {
        question = question.from(node);
    }
    if let Some(node) = ends.to {
        question = question.to(node);
    }
    if ends.closed {
        question = question.closed();
    }
    question
}

/// Counts or lists.
fn list<G>(
    graph: G,
    ends: &Ends,
    demands: &Demands,
    args: &SolveArgs,
    process: &Process,
    names: &NodeNames,
    watch: &mut Watch,
) -> Result<(), Failure>
where
    G: InputGraph<NodeId = NodeIndex, EdgeId = EdgeIndex, EdgeWeight = i64>,
{
    let question = question(graph, ends, demands).limits(args.run.limits(process)).engine(args.run.engine);
    let ListingArgs { count, distribution, limit, best, .. } = args.listing;
    let form = args.run.output;
    if count || distribution {
        let counts = if count { question.count()? } else { question.distribution()? };
        watch.ended(counts.stats());
        watch.output.write(|out| write_counts(&counts, distribution, form, out));
        return Ok(());
    }
    let paths = match best {
        Some(k) => question.best(k)?,
        None => question.all()?,
    };
    watch.ended(paths.stats());
    watch.output.write(|out| write_paths(paths, limit.unwrap_or(usize::MAX), names, form, out));
    Ok(())
}

fn longest<G>(
    graph: G,
    ends: &Ends,
    demands: &Demands,
    args: &SolveArgs,
    process: &Process,
    watch: &mut Watch,
) -> Result<Solution<NodeIndex, EdgeIndex>, Failure>
where
    G: InputGraph<NodeId = NodeIndex, EdgeId = EdgeIndex, EdgeWeight = i64>,
{
    let mut question = question(graph, ends, demands);
    if let Some(seed) = args.listing.sample {
        return Ok(question.limits(args.run.limits(process)).engine(args.run.engine).sample(seed)?);
    }
    question = question.failure_probability(args.failure_probability).linear_solver(args.lp);
    if args.dfs {
        question = question.depth_first_bags();
    }
    if let Some(file) = &args.proof {
        question = question.proof(std::io::sink());
        if proof::is_readable(file) {
            question = question.readable_proof();
        }
    }
    let solution = configured!(question, &args.run, process, watch).solve()?;
    proof::save(args.proof.as_deref(), &solution)?;
    Ok(solution)
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
