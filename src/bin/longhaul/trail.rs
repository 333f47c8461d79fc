//! `longhaul trail`: the longest trail of a graph.

use std::process::ExitCode;

use longhaul::view::InputGraph;
use longhaul::{Engine, LongestTrail, Solution};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, NodeFiltered, UndirectedAdaptor};

use crate::answer::Answer;
use crate::failure::Failure;
use crate::input::{self, Ends};
use crate::options::graph::{EndArgs, GraphArgs};
use crate::options::run::RunArgs;
use crate::picture;
use crate::process::Process;
use crate::watch::Watch;

#[derive(clap::Args)]
pub(crate) struct TrailArgs {
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

pub(crate) fn run(args: &TrailArgs, process: &Process) -> Result<ExitCode, Failure> {
    if args.run.engine != Engine::Auto {
        return Err(Failure::usage(format!(
            "--engine {}: trails have one engine, which needs no name",
            args.run.engine
        )));
    }
    let mut watch = Watch::new(&args.run, process.interrupt.clone());
    watch.says(&format!("reading {}", args.graph.file.display()));
    let mut file = input::read_silently(&args.graph, args.run.reading(process))?;
    input::leave_out_prizes(&mut file, "a trail");
    watch.tells_in_units_of(file.places);
    watch.aside(|| input::tell_notes(&args.graph, &file));
    watch.says("nothing found yet");
    let ends = Ends::new(&args.ends, &file)?;
    let allowed = |node: NodeIndex| !ends.forbidden[node.index()];
    let solution = if file.directed {
        longest(&NodeFiltered::from_fn(&file.graph, allowed), &ends, args, process, &mut watch)
    } else {
        longest(&NodeFiltered::from_fn(UndirectedAdaptor(&file.graph), allowed), &ends, args, process, &mut watch)
    }?;
    let joined = |&edge: &EdgeIndex| {
        let (source, target) = file.graph.edge_endpoints(edge).expect("an edge of the graph");
        [source, target]
    };
    let edges = solution.edges().iter().map(joined).collect();
    let answer =
        Answer { trail: Some(edges), places: file.places, ..Answer::of_path(&solution, &file.names, ends.closed) };
    watch.ended(&answer.stats);
    let asked = format!("The longest trail of {}", args.graph.file.display());
    picture::of_answer(&args.run.pictures, &answer, Some(&file), &asked, watch.history())?;
    watch.output.write(|out| answer.write(args.run.output, out));
    watch.output.finish()?;
    Ok(answer.exit_code(args.run.sat_exit_codes))
}

fn longest<G>(
    graph: G,
    ends: &Ends,
    args: &TrailArgs,
    process: &Process,
    watch: &mut Watch,
) -> Result<Solution<NodeIndex, EdgeIndex>, Failure>
where
    G: InputGraph<NodeId = NodeIndex, EdgeId = EdgeIndex, EdgeWeight = i64>,
{
    let mut question = LongestTrail::new(graph)
        .weights(|edge| *edge.weight())
        .limits(args.run.limits(process))
        .gap(args.run.gap.units(watch.places()))
        .relative_gap(args.run.gap.share())
        .on_progress(|progress| watch.improved(progress));
    if let Some(node) = ends.from {
        question = question.from(node);
    }
    if let Some(node) = ends.to {
        question = question.to(node);
    }
    if ends.closed {
        question = question.closed();
    }
    Ok(question.solve()?)
}
