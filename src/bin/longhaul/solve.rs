//! `longhaul solve`: the longest path of a graph.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use longhaul::engines::{BranchAndCut, ColorCoding, EngineConfig, Sieve, Signature};
use longhaul::io::GraphFile;
use longhaul::view::InputGraph;
use longhaul::{Engine, KPath, KPathSolution, LinearSolver, LongestPath, Solution};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, NodeFiltered, UndirectedAdaptor};

use crate::answer::{Answer, Question};
use crate::demands::{DemandArgs, Demands, read_prizes};
use crate::failure::Failure;
use crate::input::{self, Ends};
use crate::listing::{ListingArgs, write_counts, write_paths};
use crate::options::graph::{EndArgs, GraphArgs};
use crate::options::output::AnswerOutput;
use crate::options::run::RunArgs;
use crate::picture;
use crate::process::Process;
use crate::proof;
use crate::watch::{Watch, configured};

#[derive(Clone, clap::Args)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    #[command(flatten)]
    pub(crate) demands: DemandArgs,
    #[command(flatten)]
    pub(crate) listing: ListingArgs,
    /// With --engine signature: the bags are the root-to-leaf paths of a depth-first tree, not those of a vertex order.
    #[arg(long, hide_short_help = true, help_heading = "Engine")]
    pub(crate) dfs: bool,
    /// With --engine branch-and-cut: what solves its linear programs. 'highs' needs a build with the feature of that name.
    #[arg(long, hide_short_help = true, help_heading = "Engine", value_name = "SOLVER", default_value = "simplex", value_parser = PossibleValuesParser::new(LinearSolver::ALL.map(|(name, _)| name)).map(linear_solver))]
    pub(crate) lp: LinearSolver,
    /// A path of exactly K nodes instead; the heaviest, if there are weights
    ///
    /// With engine auto, backtracking, color-coding, plain-color-coding or sieve.
    #[arg(long, help_heading = "Other questions", value_name = "K", conflicts_with_all = ["cycle", "gap", "prizes", "visit", "use_edge", "forbid_edge", "at_least", "at_most", "induced", "listing"])]
    pub(crate) k: Option<usize>,
    /// Color coding and the sieve may miss a path of so many nodes with this probability, between 0 and 1 [default: 0.001]
    #[arg(long, hide_short_help = true, help_heading = "Engine", value_name = "P")]
    pub(crate) failure_probability: Option<f64>,
    /// Write a proof of the answer to FILE, which longhaul-check checks
    ///
    /// It is checked against the graph: longhaul-check GRAPH FILE. Where FILE ends with .txt the proof is in words.
    #[arg(long, help_heading = "Output", value_name = "FILE", conflicts_with_all = ["k", "listing", "induced"])]
    pub(crate) proof: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

impl SolveArgs {
    fn failure_probability(&self) -> f64 {
        self.failure_probability.unwrap_or(0.001)
    }
}

fn linear_solver(name: String) -> LinearSolver {
    let entry = LinearSolver::ALL.iter().find(|(known, _)| *known == name);
    entry.expect("only names of solvers are accepted").1
}

pub(crate) fn run(args: &SolveArgs, process: &Process) -> Result<ExitCode, Failure> {
    if let Some(conflict) = conflict(args) {
        return Err(Failure::usage(conflict));
    }
    let mut watch = Watch::new(&args.run, process.interrupt.clone());
    watch.says(&format!("reading {}", args.graph.file.display()));
    let mut file = input::read_silently(&args.graph, args.run.reading(process))?;
    read_prizes(&args.demands, &mut file, &args.run.reading(process))?;
    if args.k.is_some() {
        input::leave_out_prizes(&mut file, "a path of K nodes");
    }
    let file = file;
    watch.tells_in_units_of(file.places);
    watch.aside(|| input::tell_notes(&args.graph, &file));
    watch.says("nothing found yet");
    let ends = Ends::new(&args.ends, &file)?;
    // The graph that was read is held beside what the search takes.
    let mut args = args.clone();
    args.run.spent.memory_limit = args.run.spent.memory_limit.saturating_sub(input::bytes_of(&file));
    let args = &args;
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
    let lists_many = args.listing.many().is_some();
    let demands = Demands::new(&args.demands, &file, &ends)?;
    if lists_many {
        of_the_graph!(list, &ends, &demands, args, process, &file, &mut watch)?;
        watch.output.finish()?;
        return Ok(ExitCode::SUCCESS);
    }
    let answer = match args.k {
        None => {
            let solution = of_the_graph!(longest, &ends, &demands, args, process, &mut watch)?;
            let question = Some(asked(&file, &ends, &demands, solution.edges()));
            Answer { question, places: file.places, ..Answer::of_path(&solution, &file.names, ends.closed) }
        }
        Some(k) => {
            let solution = of_the_graph!(k_path, k, file.weighted, &ends, args, process, &mut watch)?;
            let question = Some(asked(&file, &ends, &demands, solution.edges()));
            Answer { question, places: file.places, ..Answer::of_k_path(&solution, k, &file.names) }
        }
    };
    watch.ended(&answer.stats);
    let asked = format!("The longest path of {}", args.graph.file.display());
    picture::of_answer(&args.run.pictures, &answer, Some(&file), &asked, watch.history())?;
    watch.output.write(|out| answer.write(args.run.output, out));
    watch.output.finish()?;
    Ok(answer.exit_code(args.run.sat_exit_codes))
}

/// Options that say nothing together, beyond those whose definitions tell.
fn conflict(args: &SolveArgs) -> Option<String> {
    let engine = args.run.engine;
    if args.dfs && engine != Engine::Signature {
        return Some(format!("--dfs makes bags for --engine signature, and the engine asked for is {engine}"));
    }
    if args.lp != LinearSolver::Simplex && engine != Engine::BranchAndCut {
        return Some(format!("--lp is for --engine branch-and-cut, and the engine asked for is {engine}"));
    }
    let errs = match engine {
        Engine::ColorCoding | Engine::PlainColorCoding | Engine::Sieve => true,
        Engine::Auto => args.k.is_some(),
        _ => false,
    };
    if args.failure_probability.is_some() && !errs {
        return Some(format!(
            "--failure-probability is for --k and the engines color-coding and sieve; the engine {engine} has no use for it"
        ));
    }
    let many = args.listing.many()?;
    if args.run.output == AnswerOutput::Dimacs {
        return Some("--output dimacs has no form for more than one path".to_owned());
    }
    if args.run.pictures.any() {
        return Some(format!(
            "--picture and --report show one path, and --{many} is about many; --sample draws one of them"
        ));
    }
    args.run.sat_exit_codes.then(|| format!("--sat-exit-codes is about one path, and --{many} about many"))
}

/// What was asked of the file, and the edges of the answer.
fn asked(file: &GraphFile, ends: &Ends, demands: &Demands, edges: &[EdgeIndex]) -> Question {
    let weights = edges.iter().map(|&edge| file.graph[edge]).collect();
    let has_prizes = !demands.prizes.is_empty();
    Question { directed: file.directed, from: ends.from, to: ends.to, edges: edges.to_vec(), weights, has_prizes }
}

/// The question with its ends and demands.
fn question<'a, G>(graph: G, ends: &Ends, demands: &'a Demands) -> LongestPath<'a, G>
where
    G: InputGraph<NodeId = NodeIndex, EdgeId = EdgeIndex, EdgeWeight = i64>,
{
    let mut question = LongestPath::new(graph)
        .weights(|edge| *edge.weight())
        .visit(demands.visit.iter().copied())
        .use_steps(demands.use_steps.iter().copied())
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
    file: &GraphFile,
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
        watch.output.write(|out| write_counts(&counts, distribution, file.places, form, out));
        return Ok(());
    }
    let paths = match best {
        Some(k) => question.best(k)?,
        None => question.all()?,
    };
    watch.ended(paths.stats());
    watch.output.write(|out| write_paths(paths, limit.unwrap_or(usize::MAX), file, form, out));
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
    if let Some(file) = &args.proof {
        question = question.proof(std::io::sink());
        if proof::is_readable(file) {
            question = question.readable_proof();
        }
    }
    let solution = configured!(question, &args.run, process, watch).engine(engine(args)).solve()?;
    proof::save(args.proof.as_deref(), &solution)?;
    Ok(solution)
}

/// The engine with the options that only it knows; for others they were refused.
fn engine(args: &SolveArgs) -> EngineConfig {
    let failure = args.failure_probability();
    match args.run.engine {
        Engine::Signature if args.dfs => Signature::default().depth_first_bags().into(),
        Engine::BranchAndCut => BranchAndCut::default().linear_solver(args.lp).into(),
        Engine::ColorCoding => ColorCoding::default().failure_probability(failure).into(),
        Engine::PlainColorCoding => ColorCoding::default().plain().failure_probability(failure).into(),
        Engine::Sieve => Sieve::default().failure_probability(failure).into(),
        engine => engine.into(),
    }
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
        .failure_probability(args.failure_probability())
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
