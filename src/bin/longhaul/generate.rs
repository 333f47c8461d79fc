//! `longhaul generate`: graphs of a family.

use std::io::Write;
use std::process::ExitCode;

use longhaul::adapters::cubic;
use longhaul::io::{self, Format, GraphFile};
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use crate::args::{CubicArgs, CubicFamily, GraphOutput};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn cubic(args: &CubicArgs) -> Result<ExitCode, Failure> {
    let (made, title) = match &args.family {
        CubicFamily::Random { n, seed } => {
            let graph = cubic::random(*n, &mut Pcg64Mcg::seed_from_u64(*seed));
            (graph, format!("a random cubic graph on {n} nodes, seed {seed}"))
        }
        CubicFamily::Petersen { n, k } => {
            (cubic::generalised_petersen(*n, *k), format!("the generalised Petersen graph GP({n}, {k})"))
        }
        CubicFamily::Prism { n } => (cubic::prism(*n), format!("the prism over a cycle of {n} nodes")),
        CubicFamily::MoebiusLadder { n } => (cubic::moebius_ladder(*n), format!("the Möbius ladder on {n} nodes")),
        CubicFamily::FlowerSnark { n } => (cubic::flower_snark(*n), format!("the flower snark J({n})")),
        CubicFamily::Named { name } => {
            let graph = cubic::named(name).map_err(|error| Failure::new(error.to_string()))?;
            (Ok(graph), format!("the cubic graph '{name}'"))
        }
    };
    let graph = made.map_err(|error| Failure::new(error.to_string()))?;
    write_graph(&plain(&graph), &title, &args.output)?;
    Ok(ExitCode::SUCCESS)
}

/// A graph without weights, for writing.
fn plain(graph: &UnGraph<(), ()>) -> GraphFile {
    let mut file = empty_file(graph.node_count());
    for edge in graph.edge_references() {
        file.graph.add_edge(edge.source(), edge.target(), 1);
    }
    file
}

/// Nodes without edges or weights; they are called 1 to n.
pub(crate) fn empty_file(nodes: usize) -> GraphFile {
    GraphFile::of_nodes(nodes)
}

/// What a node is called in a file of this format that says nothing else.
pub(crate) fn node_name(format: Format, node: NodeIndex) -> String {
    let first = if format == Format::Graph6 { 0 } else { 1 };
    (node.index() + first).to_string()
}

/// Writes a graph, with a comment in front where the format has any.
pub(crate) fn write_graph(file: &GraphFile, comment: &str, output: &GraphOutput) -> Result<(), Failure> {
    let format = output.format();
    write_whole(output, |out| {
        match format {
            Format::Dimacs => writeln!(out, "c {comment}")?,
            Format::EdgeList | Format::Csv | Format::Gml => writeln!(out, "# {comment}")?,
            Format::Metis => writeln!(out, "% {comment}")?,
            Format::Dot => writeln!(out, "// {comment}")?,
            _ => {}
        }
        file.write(format, out)
    })
}

/// Writes to the file asked for, or to standard output; either way nothing comes out that is not whole.
pub(crate) fn write_whole(
    output: &GraphOutput,
    content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    if let Some(path) = &output.out {
        return Ok(io::save(path, content)?);
    }
    let mut text = Vec::new();
    content(&mut text).map_err(|error| Failure::new(error.to_string()))?;
    let mut out = Output::new();
    out.write(|out| out.write_all(&text));
    out.finish()
}
