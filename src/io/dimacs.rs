//! The DIMACS formats for graphs: `p edge` and `p arc`.
//!
//! ```text
//! c a comment
//! c terminals 1 *
//! p edge 4 3
//! e 1 2
//! e 2 3
//! e 3 4
//! ```
//!
//! - One header `p edge N M` (also `p col`: no directions) or `p arc N M` (also `p sp`: directed), before the first edge. `N` and
//!   `M` are checked against what follows: a file cut short is noticed.
//! - `e u v`, or `a u v` in a directed file, with a weight behind it or not: either every line has one or none has (then each
//!   edge weighs 1). Nodes are numbered from 1 to `N`.
//! - `c terminals S T` names the ends of the path that is asked for, `*` for a free one. It is this project's own addition, and
//!   a comment to everybody else. Every other line that begins with `c` is skipped.
//! - `n V PRIZE` gives a node a prize, as in the DIMACS formats of node-weighted problems; nodes without one have prize 0.
//! - Blank lines, spaces, tabs, CRLF and a missing last newline do not matter.
//!
//! Source: *Clique and Coloring Problems Graph Format*, DIMACS, Rutgers University, 1993, for `p edge`; the format of the 9th
//! DIMACS Implementation Challenge (shortest paths), 2006, for `p sp` and `a`.

use std::io::Write;

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::builder::ONE;
use super::decimal::{NO_UNIT, Unit};
use super::error::FileError;
use super::names::NodeNames;
use super::text::{Line, Text, Word};
use super::{Format, GraphFile, NODE_BYTES, ReadOptions, Terminals};

/// What must come before the first edge.
const HEADER: &str = "the header, 'p edge NODES EDGES' or 'p arc NODES EDGES'";

/// The `p` line.
struct Header<'a> {
    directed: bool,
    node_count: u32,
    edge_count: u32,
    edge_count_word: Word<'a>,
}

/// What has been read so far.
#[derive(Default)]
struct Reader<'a> {
    header: Option<Header<'a>>,
    terminals: Option<[Word<'a>; 2]>,
    graph: DiGraph<(), i64>,
    /// Whether edges have weights, once there is one.
    weighted: Option<bool>,
    prizes: Vec<i64>,
    unit: Unit,
}

pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let mut reader = Reader::default();
    for mut line in source.lines() {
        if let Some(kind) = line.next() {
            reader.take(&kind, line, source.len(), options)?;
        }
    }
    reader.finish(source, options)
}

impl<'a> Reader<'a> {
    /// A line of this kind, in a file of so many bytes.
    fn take(&mut self, kind: &Word<'a>, line: Line<'a>, bytes: usize, options: &ReadOptions) -> Result<(), FileError> {
        match (kind.text, &self.header) {
            (comment, _) if comment.starts_with('c') => {
                if let Some(words) = read_terminals(line)?
                    && self.terminals.replace(words).is_some()
                {
                    return Err(kind.unexpected("one 'c terminals' line, and this is the second"));
                }
                Ok(())
            }
            ("p", None) => {
                let header = read_header(line, options.memory_limit)?;
                // The claim of edges is not trusted with memory that the file could not fill.
                let edges = (header.edge_count as usize).min(bytes / 5);
                self.graph = DiGraph::with_capacity(header.node_count as usize, edges);
                for _ in 0..header.node_count {
                    self.graph.add_node(());
                }
                self.header = Some(header);
                Ok(())
            }
            ("p", Some(_)) => Err(kind.unexpected("an edge: the file has its 'p' line already")),
            ("e", Some(_)) | ("a", Some(Header { directed: true, .. })) => self.take_edge(kind, line, options),
            ("n", Some(_)) => self.take_prize(line),
            ("a", Some(_)) => Err(kind.unexpected("'e': this is an undirected file, and 'a' is a directed edge")),
            (_, Some(_)) => Err(kind.unexpected("a line that begins with 'e', 'a', 'n' or 'c'")),
            (_, None) => Err(kind.unexpected(HEADER)),
        }
    }

    fn take_edge(&mut self, kind: &Word<'a>, mut line: Line<'a>, options: &ReadOptions) -> Result<(), FileError> {
        let tail = read_node(&mut line, self.graph.node_count())?;
        let head = read_node(&mut line, self.graph.node_count())?;
        let weight = line.next();
        line.expect_end()?;
        let weight = match (weight, *self.weighted.get_or_insert(weight.is_some())) {
            _ if options.unit_weights => ONE,
            (Some(word), true) => word.weight()?,
            (None, false) => ONE,
            (Some(word), false) => {
                return Err(word.unexpected("the end of the line, as in the edges above, which have no weight"));
            }
            (None, true) => return Err(line.ends_early("a weight, as in the edges above")),
        };
        let weight = self.unit.take(weight, &mut self.graph, &mut self.prizes);
        let weight = weight.ok_or_else(|| kind.unexpected(NO_UNIT))?;
        self.graph.try_add_edge(tail, head, weight).map_err(|_| kind.unexpected("no more than 2^32 - 1 edges"))?;
        Ok(())
    }

    fn take_prize(&mut self, mut line: Line<'a>) -> Result<(), FileError> {
        let node = read_node(&mut line, self.graph.node_count())?;
        let prize = line.expect("a prize behind the node")?;
        line.expect_end()?;
        self.prizes.resize(self.graph.node_count(), 0);
        let units = self.unit.take(prize.prize()?, &mut self.graph, &mut self.prizes);
        self.prizes[node.index()] = units.ok_or_else(|| prize.unexpected(NO_UNIT))?;
        Ok(())
    }

    /// The file is at its end.
    fn finish(self, source: &Text<'_>, options: &ReadOptions) -> Result<GraphFile, FileError> {
        let Reader { header, terminals, graph, weighted, prizes, unit } = self;
        let header = header.ok_or_else(|| source.ends_early(HEADER))?;
        if graph.edge_count() != header.edge_count as usize {
            let expected = format!("{}, the number of edges in the file", graph.edge_count());
            return Err(header.edge_count_word.unexpected(expected));
        }
        let terminals = match terminals {
            Some([from, to]) => {
                let end = |word: Word<'_>| match word.text {
                    "*" => Ok(None),
                    _ => node_of(&word, graph.node_count()).map(Some),
                };
                Terminals { from: end(from)?, to: end(to)? }
            }
            None => Terminals::default(),
        };
        Ok(GraphFile {
            directed: header.directed || options.directed,
            weighted: weighted.unwrap_or(false) && !options.unit_weights,
            places: unit.places,
            names: NodeNames::consecutive(1, graph.node_count()),
            graph,
            terminals,
            prizes,
            format: Format::Dimacs,
            coordinates: None,
            notes: Vec::new(),
        })
    }
}

fn read_header<'a>(mut line: Line<'a>, memory_limit: usize) -> Result<Header<'a>, FileError> {
    let kind = line.expect("'edge' or 'arc'")?;
    let directed = match kind.text {
        "edge" | "col" => false,
        "arc" | "sp" => true,
        _ => return Err(kind.unexpected("'edge' (or 'col') or 'arc' (or 'sp')")),
    };
    let nodes = line.expect("the number of nodes")?;
    let edge_count_word = line.expect("the number of edges")?;
    let node_count = nodes.number("the number of nodes")?;
    if node_count as usize > memory_limit / NODE_BYTES {
        return Err(nodes.unexpected(format!("no more nodes than the memory limit of {memory_limit} bytes allows")));
    }
    if node_count == u32::MAX {
        return Err(nodes.unexpected(format!("no more than {} nodes", u32::MAX - 1)));
    }
    let edge_count = edge_count_word.number("the number of edges")?;
    line.expect_end()?;
    Ok(Header { directed, node_count, edge_count, edge_count_word })
}

/// The two ends of a `c terminals` line, not yet looked up: the header may come later.
fn read_terminals<'a>(mut line: Line<'a>) -> Result<Option<[Word<'a>; 2]>, FileError> {
    if line.next().is_none_or(|word| word.text != "terminals") {
        return Ok(None);
    }
    let first = line.expect("the node where the path begins, or '*'")?;
    let last = line.expect("the node where the path ends, or '*'")?;
    line.expect_end()?;
    Ok(Some([first, last]))
}

fn read_node(line: &mut Line<'_>, node_count: usize) -> Result<NodeIndex, FileError> {
    let word = line.expect("the number of a node")?;
    node_of(&word, node_count)
}

fn node_of(word: &Word<'_>, node_count: usize) -> Result<NodeIndex, FileError> {
    let number = super::text::parse_u32(word.text).filter(|&number| number >= 1 && number as usize <= node_count);
    let expected = || match node_count {
        0 => word.unexpected("no edge at all: the header says that there are no nodes"),
        _ => word.unexpected(format!("a node from 1 to {node_count}")),
    };
    number.map(|number| NodeIndex::new(number as usize - 1)).ok_or_else(expected)
}

/// Writes any graph; nodes are numbered from 1 whatever their names are.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    let end = |node: Option<NodeIndex>| node.map_or("*".to_owned(), |node| (node.index() + 1).to_string());
    if file.terminals != Terminals::default() {
        writeln!(out, "c terminals {} {}", end(file.terminals.from), end(file.terminals.to))?;
    }
    let (kind, letter) = if file.directed { ("arc", 'a') } else { ("edge", 'e') };
    writeln!(out, "p {kind} {} {}", file.graph.node_count(), file.graph.edge_count())?;
    for (node, prize) in file.prizes.iter().enumerate().filter(|&(_, prize)| *prize != 0) {
        writeln!(out, "n {} {}", node + 1, file.decimal(*prize))?;
    }
    for edge in file.graph.edge_references() {
        write!(out, "{letter} {} {}", edge.source().index() + 1, edge.target().index() + 1)?;
        if file.weighted {
            write!(out, " {}", file.decimal(*edge.weight()))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
