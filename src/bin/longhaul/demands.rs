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
    /// Numbers are whole. Without it the 'n' lines of a DIMACS file hold.
    #[arg(long, value_name = "FILE")]
    pub(crate) prizes: Option<PathBuf>,
    /// The path visits this node; may be given many times.
    #[arg(long, visible_alias = "require", value_name = "NODE")]
    pub(crate) visit: Vec<String>,
    /// The path uses the edge between these nodes (the heaviest, if there are several); may be given many times.
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
    pub(crate) use_edges: Vec<EdgeIndex>,
    pub(crate) avoid_edges: Vec<EdgeIndex>,
    pub(crate) at_least: Option<usize>,
    pub(crate) at_most: Option<usize>,
    pub(crate) induced: bool,
}

impl Demands {
    /// Looks up what the options name. Of parallel edges that must be used the heaviest is meant, or none if `each_counts`.
    pub(crate) fn new(
        args: &DemandArgs,
        file: &GraphFile,
        ends: &Ends,
        each_counts: bool,
        reading: &ReadOptions,
    ) -> Result<Self, Failure> {
        let finder = file.names.finder();
        let prizes = match &args.prizes {
            Some(path) => {
                let (name, bytes) = io::read_bytes_within(path, reading)?;
                io::read_prizes(&name, &bytes, &file.names).map_err(|error| Failure::in_file(&error, &bytes))?
            }
            None => file.prizes.clone(),
        };
        let mut visit = Vec::new();
        for name in &args.visit {
            let node = find(file, &finder, "--visit", name)?;
            if ends.forbidden[node.index()] {
                return Err(Failure::new(format!("the node '{name}' is to be visited, and forbidden as well")));
            }
            visit.push(node);
        }
        let mut use_edges: Vec<EdgeIndex> = Vec::new();
        for pair in &args.use_edge {
            let edges = edges_between(file, &finder, "--use-edge", pair)?;
            if each_counts && edges.len() > 1 {
                let message =
                    format!("--use-edge: {} edges join '{pair}', and each makes different paths", edges.len());
                return Err(
                    Failure::new(message).with_help("forbid none and count without it, or leave out the others")
                );
            }
            let heaviest = edges.iter().copied().max_by_key(|&edge| (file.graph[edge], std::cmp::Reverse(edge)));
            let heaviest = heaviest.expect("there is an edge");
            if !use_edges.contains(&heaviest) {
                use_edges.push(heaviest);
            }
        }
        let mut avoid_edges = Vec::new();
        for pair in &args.forbid_edge {
            let edges = edges_between(file, &finder, "--forbid-edge", pair)?;
            if edges.iter().any(|edge| use_edges.contains(edge)) {
                return Err(Failure::new(format!("the edge '{pair}' is to be used, and forbidden as well")));
            }
            avoid_edges.extend(edges);
        }
        let (at_least, at_most, induced) = (args.at_least, args.at_most, args.induced);
        Ok(Demands { prizes, visit, use_edges, avoid_edges, at_least, at_most, induced })
    }
}

/// All edges between two nodes that are named with a comma between them; where directed, those from the first to the second.
fn edges_between(
    file: &GraphFile,
    finder: &NodeFinder<'_>,
    option: &str,
    pair: &str,
) -> Result<Vec<EdgeIndex>, Failure> {
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
    Ok(edges)
}
