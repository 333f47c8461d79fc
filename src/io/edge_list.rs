//! The edge list: an edge a line, `u v` or `u v weight`.
//!
//! ```text
//! # a comment; so is a line that begins with %
//! Rome   Milan  477     # and this
//! Milan  Turin  126
//! ```
//!
//! - `u` and `v` are names: any words without white space and `#`. They are compared as text, so `7` and `07` are two nodes.
//!   A node is made where its name first appears. There is no comment letter `c`: that is a name.
//! - The weight is a whole number within 64 bits. Either every line has one or none has (then each edge weighs 1).
//! - Blank lines, spaces, tabs, CRLF and a missing last newline do not matter.
//! - The file does not say whether edges have a direction: they do if the reader is told so, from `u` to `v`.
//!
//! Numbers as names never become strings while reading, so that long lists are read at the speed of the memory.

use std::io::Write;

use hashbrown::HashMap;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::error::FileError;
use super::names::NodeNames;
use super::text::{Text, Word, parse_u32};
use super::{Format, GraphFile, Terminals};

pub(crate) fn read<'a>(source: &'a Text<'a>, directed: bool) -> Result<GraphFile, FileError> {
    let mut graph = DiGraph::new();
    let mut nodes = Interner::new(source);
    let mut weighted = None;
    for line in source.lines() {
        let mut line = line.without_comment(b'#');
        let Some(first) = line.next() else { continue };
        if first.text.starts_with('%') {
            continue;
        }
        let second = line.expect("the name of the edge's other end")?;
        let third = line.next();
        line.expect_end()?;
        let weight = match (third, *weighted.get_or_insert(third.is_some())) {
            (Some(word), true) => word.weight()?,
            (None, false) => 1,
            (Some(word), false) => {
                return Err(word.unexpected("the end of the line, as in the lines above, which give no weight"));
            }
            (None, true) => return Err(line.ends_early("a weight, as in the lines above")),
        };
        let (tail, head) = (nodes.node(&first, &mut graph)?, nodes.node(&second, &mut graph)?);
        graph.try_add_edge(tail, head, weight).map_err(|_| first.unexpected("no more than 2^32 - 1 edges"))?;
    }
    if graph.edge_count() == 0 {
        return Err(source.ends_early("an edge, as two names"));
    }
    let names = nodes.into_names();
    Ok(GraphFile {
        graph,
        directed,
        weighted: weighted.unwrap_or(false),
        names,
        prizes: Vec::new(),
        terminals: Terminals::default(),
        format: Format::EdgeList,
    })
}

/// Writes the edges under their names.
///
/// # Errors
/// If a node has no edge: an edge list cannot name it. And whatever the writer says.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    let lonely = file.graph.node_indices().find(|&node| file.graph.neighbors_undirected(node).next().is_none());
    if let Some(node) = lonely {
        let message = format!("the node {} has no edge, so an edge list cannot name it", file.names.name(node));
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, message));
    }
    for edge in file.graph.edge_references() {
        write!(out, "{} {}", file.names.name(edge.source()), file.names.name(edge.target()))?;
        if file.weighted {
            write!(out, " {}", edge.weight())?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Names to indices, in the order of their first appearance.
struct Interner<'a> {
    source: &'a Text<'a>,
    /// Where each name first appeared.
    first: Vec<(usize, u32)>,
    /// For names that are small numbers: the index + 1, or 0. Never longer than the file.
    from_small_number: Vec<u32>,
    from_number: HashMap<u32, u32>,
    from_word: HashMap<&'a str, u32>,
}

impl<'a> Interner<'a> {
    fn new(source: &'a Text<'a>) -> Self {
        Interner {
            source,
            first: Vec::new(),
            from_small_number: Vec::new(),
            from_number: HashMap::new(),
            from_word: HashMap::new(),
        }
    }

    /// The node of this name, a new one if the name is new.
    fn node(&mut self, word: &Word<'a>, graph: &mut DiGraph<(), i64>) -> Result<NodeIndex, FileError> {
        let index = self.index(word);
        if index == graph.node_count() {
            graph.try_add_node(()).map_err(|_| word.unexpected("no more than 2^32 - 1 nodes"))?;
        }
        Ok(NodeIndex::new(index))
    }

    fn index(&mut self, word: &Word<'a>) -> usize {
        let next = self.first.len() as u32;
        let index = match canonical_number(word.text) {
            Some(number) if (number as usize) < self.source.len() => {
                let slot = number as usize;
                if slot >= self.from_small_number.len() {
                    self.from_small_number.resize((2 * slot + 1024).min(self.source.len()), 0);
                }
                let index = &mut self.from_small_number[slot];
                if *index == 0 {
                    *index = next + 1;
                }
                *index - 1
            }
            Some(number) => *self.from_number.entry(number).or_insert(next),
            None => *self.from_word.entry(word.text).or_insert(next),
        };
        if index == next {
            self.first.push((word.start, word.text.len() as u32));
        }
        index as usize
    }

    fn into_names(self) -> NodeNames {
        let source = self.source;
        let words = self.first.iter().map(|&(start, length)| source.slice(start..start + length as usize));
        if self.from_word.is_empty() {
            NodeNames::numbers(words.filter_map(parse_u32).collect())
        } else {
            NodeNames::words(words)
        }
    }
}

/// The number that this word is the usual way to write.
fn canonical_number(text: &str) -> Option<u32> {
    if text.len() > 1 && text.starts_with('0') { None } else { parse_u32(text) }
}
