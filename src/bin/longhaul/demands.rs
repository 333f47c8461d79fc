//! The demands of `solve`: from names in options and files to nodes, edges and prizes.

use std::path::PathBuf;

use longhaul::io::{self, GraphFile, NodeFinder, ReadOptions};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::failure::Failure;
use crate::input::{Ends, find};
use crate::options::values::parse_positive;

/// What is demanded of a path beside its ends.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Which paths")]
pub(crate) struct DemandArgs {
    /// What visiting nodes adds: a file, a node and a number a line
    ///
    /// Without it the 'n' lines of a DIMACS file hold.
    #[arg(long, value_name = "FILE")]
    pub(crate) prizes: Option<PathBuf>,
    /// The path visits this node; may be given many times.
    #[arg(long, visible_alias = "require", value_name = "NODE")]
    pub(crate) visit: Vec<String>,
    /// The path uses an edge between these nodes (any, if there are several); may be given many times.
    #[arg(long, hide_short_help = true, value_name = "U,V")]
    pub(crate) use_edge: Vec<String>,
    /// The path uses no edge between these nodes; may be given many times.
    #[arg(long, hide_short_help = true, value_name = "U,V")]
    pub(crate) forbid_edge: Vec<String>,
    /// The path has at least K edges, 1 or more.
    #[arg(long, hide_short_help = true, value_name = "K", value_parser = parse_positive)]
    pub(crate) at_least: Option<usize>,
    /// The path has at most K edges, 1 or more.
    #[arg(long, hide_short_help = true, value_name = "K", value_parser = parse_positive)]
    pub(crate) at_most: Option<usize>,
    /// No edge joins two nodes of the path but those along it.
    #[arg(long, hide_short_help = true)]
    pub(crate) induced: bool,
}

/// What is demanded of a path beside its ends.
pub(crate) struct Demands {
    /// By node index; empty without prizes.
    pub(crate) prizes: Vec<i64>,
    pub(crate) visit: Vec<NodeIndex>,
    pub(crate) use_steps: Vec<[NodeIndex; 2]>,
    pub(crate) avoid_edges: Vec<EdgeIndex>,
    pub(crate) at_least: Option<usize>,
    pub(crate) at_most: Option<usize>,
    pub(crate) induced: bool,
}

impl DemandArgs {
    /// Whether anything is demanded.
    pub(crate) fn any(&self) -> bool {
        let lists = [&self.visit, &self.use_edge, &self.forbid_edge].into_iter().any(|list| !list.is_empty());
        lists || self.prizes.is_some() || self.at_least.is_some() || self.at_most.is_some() || self.induced
    }
}

/// Reads the prizes of the option, if it is given, in the place of those of the file.
pub(crate) fn read_prizes(args: &DemandArgs, file: &mut GraphFile, reading: &ReadOptions) -> Result<(), Failure> {
    let Some(path) = &args.prizes else { return Ok(()) };
    let (name, bytes) = io::read_bytes_within(path, reading)?;
    file.read_prizes(&name, &bytes).map_err(|error| Failure::in_file(&error, &bytes))
}

impl Demands {
    /// Whether some path may fail to be an answer for another reason than its ends.
    pub(crate) fn asks_more(&self) -> bool {
        let lists = self.visit.is_empty() && self.use_steps.is_empty() && self.avoid_edges.is_empty();
        !lists || self.at_least.is_some() || self.at_most.is_some() || self.induced
    }

    /// Looks up what the options name.
    pub(crate) fn new(args: &DemandArgs, file: &GraphFile, ends: &Ends) -> Result<Self, Failure> {
        let finder = file.names.finder();
        let mut visit = Vec::new();
        for name in &args.visit {
            let node = find(file, &finder, "--visit", name)?;
            if ends.forbidden[node.index()] {
                return Err(Failure::new(format!("the node '{name}' is to be visited, and forbidden as well")));
            }
            visit.push(node);
        }
        let mut use_steps: Vec<[NodeIndex; 2]> = Vec::new();
        for pair in &args.use_edge {
            use_steps.push(ends_of(file, &finder, "--use-edge", pair)?.0);
        }
        let mut avoid_edges = Vec::new();
        for pair in &args.forbid_edge {
            let (ends, edges) = ends_of(file, &finder, "--forbid-edge", pair)?;
            if use_steps.iter().any(|&step| step == ends || (!file.directed && step == [ends[1], ends[0]])) {
                return Err(Failure::new(format!("the edge '{pair}' is to be used, and forbidden as well")));
            }
            avoid_edges.extend(edges);
        }
        let (at_least, at_most, induced) = (args.at_least, args.at_most, args.induced);
        Ok(Demands { prizes: file.prizes.clone(), visit, use_steps, avoid_edges, at_least, at_most, induced })
    }
}

/// Two nodes that are named with a comma between them, and all edges between them; where directed, those from the first to
/// the second.
fn ends_of(
    file: &GraphFile,
    finder: &NodeFinder<'_>,
    option: &str,
    pair: &str,
) -> Result<([NodeIndex; 2], Vec<EdgeIndex>), Failure> {
    // A name may have a comma of its own.
    let splits = pair.match_indices(',').map(|(at, _)| (&pair[..at], &pair[at + 1..]));
    let nodes = splits.filter_map(|(one, two)| Some((finder.find(one)?, finder.find(two)?)));
    let nodes: Vec<(NodeIndex, NodeIndex)> = nodes.collect();
    let [(one, two)] = nodes[..] else {
        if let Some((one, two)) = pair.split_once(',') {
            find(file, finder, option, one)?;
            find(file, finder, option, two)?;
        }
        let message = format!("{option}: '{pair}' is no edge; give the names of its ends as U,V");
        return Err(Failure::new(message).with_help(format!("the nodes are {}", file.names.summary())));
    };
    let joins = |source: NodeIndex, target: NodeIndex| {
        (source, target) == (one, two) || (!file.directed && (source, target) == (two, one))
    };
    let edges: Vec<EdgeIndex> =
        file.graph.edge_references().filter(|edge| joins(edge.source(), edge.target())).map(|edge| edge.id()).collect();
    if edges.is_empty() {
        return Err(Failure::new(format!("{option}: the graph has no edge '{pair}'")));
    }
    Ok(([one, two], edges))
}
