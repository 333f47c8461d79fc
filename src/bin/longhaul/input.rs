//! From the options to a graph and to nodes.

use std::path::Path;

use fixedbitset::FixedBitSet;
use longhaul::io::{self, GraphFile, NodeFinder, ReadOptions};
use petgraph::graph::NodeIndex;

use crate::failure::Failure;
use crate::options::graph::{EndArgs, GraphArgs, Weights};
use crate::tell::tell;

/// Reads the graph that the options name, and tells what it doesn't hold of the file.
pub(crate) fn read_graph(args: &GraphArgs, limits: ReadOptions) -> Result<GraphFile, Failure> {
    let file = read_silently(args, limits)?;
    tell_notes(args, &file);
    Ok(file)
}

/// Reads the graph that the options name, and leaves its notes to be told.
pub(crate) fn read_silently(args: &GraphArgs, limits: ReadOptions) -> Result<GraphFile, Failure> {
    let options = read_options(args, limits);
    let (name, bytes) = io::read_bytes_within(&args.file, &options)?;
    GraphFile::parse(&name, &bytes, &options).map_err(|error| Failure::in_file(&error, &bytes))
}

/// What a graph doesn't hold of its file.
pub(crate) fn tell_notes(args: &GraphArgs, file: &GraphFile) {
    let name = if args.file.as_os_str() == "-" { "standard input".into() } else { args.file.display().to_string() };
    file.notes.iter().for_each(|note| tell(&format!("note: {name}: {note}")));
}

/// Forgets the prizes of a file, for a question that has none, and says so if there were any.
pub(crate) fn leave_out_prizes(file: &mut GraphFile, asked: &str) {
    if std::mem::take(&mut file.prizes).iter().any(|&prize| prize != 0) {
        file.notes.push(format!("nodes have prizes here, and {asked} is worth its edges alone"));
    }
}

/// A file of text, with its name.
pub(crate) fn read_text(path: &Path) -> Result<(String, String), Failure> {
    let (name, bytes) = io::read_bytes(path)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let byte = error.as_bytes()[before.len()];
        Failure::new(format!("{name}:{line}: found the byte 0x{byte:02X}, expected text in UTF-8"))
    })?;
    Ok((name, text))
}

/// What a graph that was read holds, about, in bytes.
pub(crate) fn bytes_of(file: &GraphFile) -> usize {
    // petgraph keeps two links and two ends for an edge and two links for a node, in 32 bits each.
    const EDGE: usize = 4 * size_of::<u32>() + size_of::<i64>();
    const NODE: usize = 2 * size_of::<u32>();
    let (nodes, edges) = file.graph.capacity();
    nodes * NODE + edges * EDGE + file.names.bytes()
}

/// Reads every graph of a file that may hold many, as long as `take` says to go on.
pub(crate) fn read_each(
    args: &GraphArgs,
    limits: ReadOptions,
    mut take: impl FnMut(GraphFile) -> bool,
) -> Result<(), Failure> {
    let options = read_options(args, limits);
    let (name, bytes) = io::read_bytes_within(&args.file, &options)?;
    let read = GraphFile::parse_each(&name, &bytes, &options, &mut take);
    read.map_err(|error| Failure::in_file(&error, &bytes))
}

fn read_options(args: &GraphArgs, limits: ReadOptions) -> ReadOptions {
    let unit_weights = args.weights == Weights::Unit;
    ReadOptions { format: args.format, directed: args.directed, unit_weights, ..limits }
}

/// The ends of the path and the nodes it avoids.
pub(crate) struct Ends {
    pub(crate) from: Option<NodeIndex>,
    pub(crate) to: Option<NodeIndex>,
    pub(crate) closed: bool,
    /// Nodes by their index.
    pub(crate) forbidden: FixedBitSet,
}

impl Ends {
    /// Each end comes from its option, else from the file unless that is to be forgotten; a cycle has no ends.
    pub(crate) fn new(args: &EndArgs, file: &GraphFile) -> Result<Self, Failure> {
        let finder = file.names.finder();
        let named = |option: &str, name: &Option<String>| match name {
            Some(name) => find(file, &finder, option, name).map(Some),
            None => Ok(None),
        };
        let mut from = named("--from", &args.from)?;
        let mut to = named("--to", &args.to)?;
        if !args.free && !args.cycle {
            from = from.or(file.terminals.from);
            to = to.or(file.terminals.to);
        }
        let mut forbidden = FixedBitSet::with_capacity(file.graph.node_count());
        for name in &args.forbid {
            let node = find(file, &finder, "--forbid", name)?;
            if from == Some(node) || to == Some(node) {
                return Err(Failure::new(format!("the node '{name}' is forbidden, and an end of the path as well")));
            }
            forbidden.insert(node.index());
        }
        Ok(Ends { from, to, closed: args.cycle, forbidden })
    }
}

pub(crate) fn find(file: &GraphFile, finder: &NodeFinder<'_>, option: &str, name: &str) -> Result<NodeIndex, Failure> {
    let unknown = || {
        let message = format!("{option}: the graph has no node '{name}'");
        Failure::new(message).with_help(format!("its nodes are {}", file.names.summary()))
    };
    finder.find(name).ok_or_else(unknown)
}
