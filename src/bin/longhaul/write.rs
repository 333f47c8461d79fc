//! Graphs and texts on their way out: to the file asked for, or to standard output.

use std::io::Write;

use longhaul::io::{self, Format, GraphFile};
use petgraph::graph::NodeIndex;

use crate::failure::Failure;
use crate::options::graph::GraphOutput;
use crate::output::Output;

/// Nodes without edges or weights; they are called 1 to n.
pub(crate) fn empty_file(nodes: usize) -> GraphFile {
    GraphFile::of_nodes(nodes)
}

/// What a node is called in a file of this format that says nothing else.
pub(crate) fn node_name(format: Format, node: NodeIndex) -> String {
    let first = if format.is_a_line() { 0 } else { 1 };
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
