//! `longhaul convert`: a file in another format, a deck as its graph, a graph as its line graph or its core.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use longhaul::io::{Format, GraphFile, ReadOptions};
use longhaul::line_graph::line_graph;
use longhaul::structure::blocks;
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::answer::{count_of_edges, count_of_nodes};
use crate::failure::Failure;
use crate::input;
use crate::options::graph::{GraphArgs, GraphOutput, writable_formats};
use crate::tell::tell;
use crate::write::write_whole;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  longhaul convert roads.csv roads.graphml                 names and weights are kept
  longhaul convert hand.deck hand.gr                       a deck as the graph of its matches
  longhaul convert net.el lines.g6 --line-graph            edges become nodes
  longhaul convert net.el - --to dot --core                without what hangs by one node, for Graphviz
  longhaul convert all.s6 all.g6 --all                     every graph of the file")]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// The file to write, whole or not at all; '-' is standard output.
    out: PathBuf,
    /// The format to write [default: by the extension of OUT]
    #[arg(long, value_name = "FORMAT", value_parser = writable_formats())]
    to: Option<Format>,
    /// The line graph: edges become nodes, joined where they share an end; nodes are called by the positions of the edges.
    #[arg(long, conflicts_with = "core")]
    line_graph: bool,
    /// The reduced core only: all edges that lie on a cycle, whatever their directions.
    ///
    /// That is every block of three nodes or more. Gone are trees and bridges, which longest paths cross without search, nodes
    /// without edges, loops, and of parallel edges all but the heaviest. A graph without cycles has an empty core.
    #[arg(long)]
    core: bool,
    /// Every graph of a file in graph6 or sparse6, which may hold many; OUT is in one of them.
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &ConvertArgs) -> Result<ExitCode, Failure> {
    let promised = || Format::from_extension(&args.out.display().to_string());
    let to = args.to.or_else(promised).ok_or_else(|| {
        let message = format!("{}: the name says nothing of a format", args.out.display());
        Failure::new(message).with_help("say it with --to")
    })?;
    let output = GraphOutput { out: (args.out != Path::new("-")).then(|| args.out.clone()), format: Some(to) };
    if args.all {
        return convert_all(args, to, &output);
    }
    let file = converted(input::read_graph(&args.graph, ReadOptions::default())?, args)?;
    tell_losses(&file, to);
    write_whole(&output, |out| file.write(to, out)).map_err(|failure| with_advice(failure, to))?;
    Ok(ExitCode::SUCCESS)
}

/// Many graphs of a file, a line each.
fn convert_all(args: &ConvertArgs, to: Format, output: &GraphOutput) -> Result<ExitCode, Failure> {
    if !to.is_a_line() {
        return Err(Failure::new(format!("--all: the format {to} holds one graph a file"))
            .with_help("many graphs are written in graph6 or sparse6"));
    }
    let mut lines = Vec::new();
    let mut failed = None;
    input::read_each(&args.graph, ReadOptions::default(), |file| {
        let written = converted(file, args).and_then(|file| {
            file.write(to, &mut lines as &mut dyn Write).map_err(|error| Failure::new(error.to_string()))
        });
        failed = written.err();
        failed.is_none()
    })?;
    match failed {
        Some(failure) => Err(failure),
        None => write_whole(output, |out| out.write_all(&lines)).map(|()| ExitCode::SUCCESS),
    }
}

fn converted(file: GraphFile, args: &ConvertArgs) -> Result<GraphFile, Failure> {
    if args.line_graph {
        of_lines(&file)
    } else if args.core {
        core(&file)
    } else {
        Ok(file)
    }
}

/// The line graph of an undirected graph.
fn of_lines(file: &GraphFile) -> Result<GraphFile, Failure> {
    if file.directed {
        return Err(Failure::new("--line-graph: the graph is directed, and line graphs are those of undirected ones"));
    }
    if file.weighted {
        tell("note: the weights are left out: the edges of a line graph have none");
    }
    let lines = line_graph(&file.graph, ReadOptions::default().memory_limit);
    let lines = lines.map_err(|error| Failure::new(format!("--line-graph: {error}")))?;
    let mut made = GraphFile::of_nodes(lines.node_count());
    for edge in lines.edge_references() {
        made.graph.add_edge(edge.source(), edge.target(), 1);
    }
    if let Some(places) = &file.coordinates {
        let middle = |edge: petgraph::graph::EdgeReference<'_, i64>| {
            let [one, two] = [edge.source(), edge.target()].map(|node| places[node.index()]);
            [(one[0] + two[0]) / 2.0, (one[1] + two[1]) / 2.0]
        };
        made.coordinates = Some(file.graph.edge_references().map(middle).collect());
    }
    Ok(made)
}

/// The core: all blocks of three nodes or more, that is all edges on a cycle of three or more, whatever their directions; of
/// parallel edges the heaviest, the first of equals. What goes (trees, bridges, loops) is settled in linear time.
fn core(file: &GraphFile) -> Result<GraphFile, Failure> {
    const NONE: usize = usize::MAX;
    let blocks = blocks(&file.graph)?;
    // The block below whose parent a node stands, and that parent; a node is the parent of any number of blocks.
    let mut home = vec![NONE; file.graph.node_count()];
    let mut nodes: Vec<NodeIndex> = Vec::new();
    let large = || blocks.iter().enumerate().filter(|(_, block)| block.len() > 2);
    for (at, block) in large() {
        block[1..].iter().for_each(|node| home[node.index()] = at);
        nodes.extend(block);
    }
    nodes.sort_unstable();
    nodes.dedup();
    let below = |one: NodeIndex, other: NodeIndex| match home[one.index()] {
        NONE => false,
        at => home[other.index()] == at || blocks[at][0] == other,
    };
    let position: HashMap<NodeIndex, NodeIndex> = nodes.iter().copied().zip((0..).map(NodeIndex::new)).collect();
    let mut heaviest: HashMap<(NodeIndex, NodeIndex), EdgeIndex> = HashMap::new();
    let mut kept = file.induced(&nodes);
    kept.graph.clear_edges();
    for edge in file.graph.edge_references() {
        let (one, other) = (edge.source(), edge.target());
        if one == other || !(below(one, other) || below(other, one)) {
            continue;
        }
        let ends = if file.directed || one < other { (one, other) } else { (other, one) };
        let (source, target) = (position[&one], position[&other]);
        match heaviest.entry(ends) {
            Entry::Vacant(place) => _ = place.insert(kept.graph.add_edge(source, target, *edge.weight())),
            Entry::Occupied(place) => {
                let known = &mut kept.graph[*place.get()];
                *known = (*known).max(*edge.weight());
            }
        }
    }
    let blocks = match large().count() {
        1 => "1 block".to_owned(),
        many => format!("{many} blocks"),
    };
    let nodes_left = count_of_nodes(file.graph.node_count() - nodes.len());
    let edges_left = count_of_edges(file.graph.edge_count() - kept.graph.edge_count());
    tell(&format!("note: the core has {blocks}; left out: {nodes_left}, {edges_left}"));
    Ok(kept)
}

/// What the format can't hold is said.
fn tell_losses(file: &GraphFile, to: Format) {
    for loss in file.losses(to) {
        tell(&format!("note: not kept: {loss}"));
    }
}

fn with_advice(failure: Failure, to: Format) -> Failure {
    match to {
        Format::EdgeList
        | Format::Csv
        | Format::Metis
        | Format::Graph6
        | Format::Sparse6
        | Format::Tsplib
        | Format::MatrixMarket => {
            let formats = [Format::GraphMl, Format::Gml, Format::Dot, Format::Json].map(|format| format.name());
            failure.with_help(format!("these formats hold any graph: {}", formats.join(", ")))
        }
        _ => failure,
    }
}
