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
//! - The weight is a number like `3`, `-1.5` or `2e3`. Either every line has one or none has (then each edge weighs 1).
//! - Attributes in braces, as networkx writes them (`u v {}`, `u v {'weight': 3}`), may stand in the place of the weight.
//! - Blank lines, spaces, tabs, CRLF and a missing last newline do not matter.
//! - The file does not say whether edges have a direction: they do if the reader is told so, from `u` to `v`.
//!
//! Numbers as names are never hashed as text while reading, so that long lists are read at the speed of the memory.

use std::io::Write;

use petgraph::visit::EdgeRef;

use super::builder::Builder;
use super::error::FileError;
use super::names::NodeName;
use super::text::{Text, Word, parse_u32};
use super::{Format, GraphFile, ReadOptions, refuse};

pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let mut builder = Builder::new(source, options);
    let mut header = Header::default();
    for line in source.lines() {
        let mut line = line.without_comment(b'#');
        let Some(first) = line.next() else { continue };
        if first.text.starts_with('%') {
            continue;
        }
        let second = line.expect("the name of the edge's other end")?;
        let weight = match line.rest() {
            Some(rest) if rest.text.starts_with('{') => attribute(&rest)?,
            _ => {
                let third = line.next();
                line.expect_end()?;
                third
            }
        };
        header.see(first.text, second.text, builder.graph.edge_count());
        let weight = builder.weight(weight, |expected| line.ends_early(expected))?;
        let (tail, head) = (builder.node(first.text, &first)?, builder.node(second.text, &second)?);
        builder.edge(tail, head, weight, &first)?;
    }
    if builder.graph.edge_count() == 0 {
        return Err(source.ends_early("an edge, as two names"));
    }
    if let Some(note) = header.note(builder.graph.edge_count()) {
        builder.note(note);
    }
    Ok(builder.finish(Format::EdgeList, options.directed))
}

/// Whether the first line might tell the numbers of nodes and edges instead of an edge: then it is said how it was read.
#[derive(Default)]
struct Header {
    claimed: Option<(u32, u32)>,
    greatest: u32,
}

impl Header {
    fn see(&mut self, first: &str, second: &str, edges_before: usize) {
        let ends = parse_u32(first).zip(parse_u32(second));
        match (ends, self.claimed) {
            (_, None) if edges_before > 0 => {}
            (Some(ends), None) => self.claimed = Some(ends),
            (Some((first, second)), Some(_)) => self.greatest = self.greatest.max(first).max(second),
            (None, _) => self.claimed = None,
        }
    }

    fn note(&self, edges: usize) -> Option<String> {
        let (nodes, claimed) = self.claimed?;
        (claimed as usize + 1 == edges && claimed > 0 && self.greatest <= nodes).then(|| {
            format!(
                "the first line, '{nodes} {claimed}', is taken as an edge; if it says that there are {nodes} nodes and \
                 {claimed} edges, take it out"
            )
        })
    }
}

/// The value of `weight` in a Python dictionary such as `{'weight': 3, 'road': 'A1'}`, if it has one.
fn attribute<'a>(dictionary: &Word<'a>) -> Result<Option<Word<'a>>, FileError> {
    let text = dictionary.text;
    let expected = "attributes in braces, like {'weight': 3}";
    let (mut quote, mut depth, mut begins, mut colon) = (None, 0, 1, None);
    let mut weight = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'{' | b'[' | b'(') => depth += 1,
            (None, b':') if depth == 1 => colon = colon.or(Some(at)),
            (None, b',' | b'}') if depth == 1 => {
                if let Some(colon) = colon.take()
                    && text[begins..colon].trim().trim_matches(['\'', '"']) == "weight"
                {
                    let value = text[colon + 1..at].trim();
                    let start = at - text[colon + 1..at].trim_start().len();
                    weight = Some(dictionary.cut(start..start + value.len()));
                }
                begins = at + 1;
                depth -= i32::from(byte == b'}');
            }
            (None, b'}' | b']' | b')') => depth -= 1,
            _ => {}
        }
        if depth == 0 && at + 1 < text.len() {
            return Err(dictionary.cut(at + 1..text.len()).unexpected("the end of the line after the attributes"));
        }
    }
    if depth != 0 || quote.is_some() {
        return Err(dictionary.unexpected(expected));
    }
    Ok(weight)
}

/// Writes the edges under their names.
///
/// # Errors
/// If there is no node, or a node has no edge: an edge list cannot name it; if a name can't be a word of the list. And whatever the writer says.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    if file.graph.node_count() == 0 {
        return refuse("a graph without nodes has no edges, which are all that an edge list holds".to_owned());
    }
    let lonely = file.graph.node_indices().find(|&node| file.graph.neighbors_undirected(node).next().is_none());
    if let Some(node) = lonely {
        return refuse(format!("the node {} has no edge, so an edge list cannot name it", file.names.name(node)));
    }
    for node in file.graph.node_indices() {
        if let NodeName::Word(word) = file.names.name(node)
            && (word.is_empty()
                || word.contains(|c: char| c == '#' || c == '\u{FEFF}' || c.is_whitespace())
                || word.starts_with('%'))
        {
            return refuse(format!("'{word}' can't be a name in an edge list, where names are words without # and %"));
        }
    }
    for edge in file.graph.edge_references() {
        write!(out, "{} {}", file.names.name(edge.source()), file.names.name(edge.target()))?;
        if file.weighted {
            write!(out, " {}", file.decimal(*edge.weight()))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
