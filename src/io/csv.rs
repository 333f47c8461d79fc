//! CSV and TSV: an edge a row, with commas, semicolons or tabs between the columns.
//!
//! ```text
//! source,target,weight,road
//! Rome,Milan,477,A1
//! "Frankfurt, Main",Köln,190,A3
//! ```
//!
//! - The first row names the columns if it names two ends: `source` and `target`, `from` and `to`, `src` and `dst`, `tail` and
//!   `head`, `node1` and `node2`, `start` and `end`, capitals or not. `weight` (or `w`, `value`, `length`, `distance`, `cost`) is
//!   the weight, `type` says of each edge whether it is `directed` or `undirected`, and other columns are left out, which is
//!   told. Without such a row the columns are source, target and perhaps weight.
//! - A field in double quotes may hold separators, line ends and, doubled, quotes. White space around a field is no part of it.
//! - The separator is the one of tab, comma and semicolon that stands in the first row; a tab before the others.
//! - Blank rows, rows that begin with `#`, CRLF and a missing last newline do not matter.
//!
//! Source: Y. Shafranovich, *Common Format and MIME Type for Comma-Separated Values*, RFC 4180, 2005; the names of columns are
//! those of Gephi, networkx and igraph.

use std::borrow::Cow;
use std::io::Write;

use petgraph::visit::EdgeRef;

use super::builder::Builder;
use super::error::FileError;
use super::text::{Text, Word};
use super::{Format, GraphFile, ReadOptions, refuse};

const SOURCES: [&str; 6] = ["source", "from", "src", "tail", "node1", "start"];
const TARGETS: [&str; 6] = ["target", "to", "dst", "head", "node2", "end"];
const WEIGHTS: [&str; 6] = ["weight", "w", "value", "length", "distance", "cost"];

/// Which column is what.
struct Columns {
    count: usize,
    source: usize,
    target: usize,
    weight: Option<usize>,
    /// Whether the edge is directed.
    kind: Option<usize>,
}

/// One field: its words in the text, quotes and all, and what it says.
struct Field<'a> {
    word: Word<'a>,
    value: Cow<'a, str>,
}

/// Rows one after the other.
struct Rows<'a> {
    source: &'a Text<'a>,
    separator: u8,
    next: usize,
}

pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let start = if source.as_str().starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let separator = separator(source.as_str()).unwrap_or(b',');
    let mut rows = Rows { source, separator, next: start };
    let mut builder = Builder::new(source, options);
    let mut columns: Option<Columns> = None;
    let mut directed: Option<bool> = None;
    let mut row: Vec<Field<'_>> = Vec::new();
    while rows.read(&mut row)? {
        let columns = match &columns {
            Some(columns) => columns,
            None => {
                let named = Columns::named(&row, &mut builder);
                let is_header = named.is_some();
                let columns = columns.insert(named.unwrap_or_else(|| Columns::unnamed(row.len())));
                if is_header {
                    continue;
                }
                columns
            }
        };
        check_width(&row, columns)?;
        let (tail, head) = (&row[columns.source], &row[columns.target]);
        if let Some(kind) = columns.kind {
            let kind = &row[kind];
            let this = match kind.value.to_ascii_lowercase().as_str() {
                "directed" => true,
                "undirected" => false,
                _ => return Err(kind.word.unexpected("'directed' or 'undirected'")),
            };
            if *directed.get_or_insert(this) != this {
                return Err(kind
                    .word
                    .unexpected("the same type as in the rows above: edges of both kinds are too much"));
            }
        }
        let weight = columns.weight.map(|weight| &row[weight].word).filter(|word| !word.text.is_empty()).copied();
        let weight =
            weight.map(|word| if word.text.starts_with('"') { word.cut(1..word.text.len() - 1) } else { word });
        let end = row[row.len() - 1].word;
        let weight = builder.weight(weight, |expected| end.unexpected(expected))?;
        for field in [tail, head] {
            if field.value.is_empty() {
                return Err(field.word.unexpected("the name of a node"));
            }
        }
        let at = tail.word;
        let (tail, head) = (builder.node(&tail.value, &at)?, builder.node(&head.value, &head.word)?);
        builder.edge(tail, head, weight, &at)?;
    }
    if builder.graph.edge_count() == 0 {
        return Err(source.ends_early("a row with the two ends of an edge"));
    }
    if options.directed && directed == Some(false) {
        return Err(FileError::graph(source.file(), "the column 'type' says that edges are undirected"));
    }
    Ok(builder.finish(Format::Csv, directed.unwrap_or(options.directed)))
}

fn check_width(row: &[Field<'_>], columns: &Columns) -> Result<(), FileError> {
    if let Some(field) = row.get(columns.count) {
        return Err(field.word.unexpected(format!("the end of the row after {} columns", columns.count)));
    }
    if row.len() < columns.count || row.len() < 2 {
        let last = &row[row.len() - 1].word;
        let expected = match columns.count {
            0 | 1 => "two columns, the ends of an edge".to_owned(),
            count => format!("{count} columns, as in the first row"),
        };
        return Err(last.unexpected(expected));
    }
    Ok(())
}

impl Columns {
    /// By their names, if the row names two ends.
    fn named(row: &[Field<'_>], builder: &mut Builder) -> Option<Self> {
        let names: Vec<String> = row.iter().map(|field| field.value.to_ascii_lowercase()).collect();
        let column = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        let (source, target) = ends(&names)?;
        let weight = WEIGHTS.iter().find_map(|name| column(&[name]));
        let kind = column(&["type"]);
        let used = [Some(source), Some(target), weight, kind];
        let others = (0..row.len()).filter(|&at| !used.contains(&Some(at)));
        let others: Vec<&str> = others.map(|at| row[at].value.as_ref()).filter(|name| !name.is_empty()).collect();
        if !others.is_empty() {
            builder.note(format!("these columns are left out: {}", others.join(", ")));
        }
        Some(Columns { count: row.len(), source, target, weight, kind })
    }

    /// Source, target, weight.
    fn unnamed(count: usize) -> Self {
        let weight = (count > 2).then_some(2);
        Columns { count: count.min(3), source: 0, target: 1, weight, kind: None }
    }
}

/// Where a row of small letters names the two ends of an edge.
fn ends(names: &[String]) -> Option<(usize, usize)> {
    SOURCES.iter().zip(TARGETS).find_map(|(source, target)| {
        let column = |known: &str| names.iter().position(|name| name == known);
        column(source).zip(column(target))
    })
}

impl<'a> Rows<'a> {
    /// Reads the next row that is not blank; `false` at the end.
    fn read(&mut self, row: &mut Vec<Field<'a>>) -> Result<bool, FileError> {
        let text = self.source.as_str().as_bytes();
        loop {
            row.clear();
            if self.next >= text.len() || self.source.must_stop() {
                return Ok(false);
            }
            if text[self.next] == b'#' {
                self.next += text[self.next..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| at + 1);
                self.next = self.next.min(text.len());
                continue;
            }
            loop {
                row.push(self.field()?);
                match text.get(self.next) {
                    Some(&byte) if byte == self.separator => self.next += 1,
                    Some(_) => {
                        self.next += 1;
                        break;
                    }
                    None => break,
                }
            }
            if row.len() > 1 || !row[0].word.text.is_empty() {
                return Ok(true);
            }
        }
    }

    /// Reads a field up to the separator or newline behind it.
    fn field(&mut self) -> Result<Field<'a>, FileError> {
        let text = self.source.as_str();
        let bytes = text.as_bytes();
        let is_blank = |byte: u8| byte != self.separator && matches!(byte, b' ' | b'\t' | b'\r');
        let mut start = self.next;
        while bytes.get(start).is_some_and(|&byte| is_blank(byte)) {
            start += 1;
        }
        if bytes.get(start) == Some(&b'"') {
            return self.quoted(start);
        }
        let ends = |&byte: &u8| byte == self.separator || byte == b'\n';
        let stop = start + bytes[start..].iter().position(ends).unwrap_or(bytes.len() - start);
        let mut end = stop;
        while end > start && is_blank(bytes[end - 1]) {
            end -= 1;
        }
        self.next = stop;
        let word = self.source.word(start..end);
        Ok(Field { word, value: Cow::Borrowed(word.text) })
    }

    fn quoted(&mut self, start: usize) -> Result<Field<'a>, FileError> {
        let text = self.source.as_str();
        let bytes = text.as_bytes();
        let mut end = start + 1;
        let mut doubled = false;
        loop {
            match bytes.get(end) {
                Some(b'"') if bytes.get(end + 1) == Some(&b'"') => {
                    doubled = true;
                    end += 2;
                }
                Some(b'"') => break,
                Some(_) => end += 1,
                None => {
                    let line = text[start..].lines().next().unwrap_or_default();
                    return Err(self.source.word(start..start + line.len()).unexpected("a quote that ends the field"));
                }
            }
        }
        let inside = &text[start + 1..end];
        let value = if doubled { Cow::Owned(inside.replace("\"\"", "\"")) } else { Cow::Borrowed(inside) };
        let word = self.source.word(start..end + 1);
        self.next = end + 1;
        while bytes.get(self.next).is_some_and(|&byte| byte != self.separator && matches!(byte, b' ' | b'\t' | b'\r')) {
            self.next += 1;
        }
        match bytes.get(self.next) {
            None => {}
            Some(&byte) if byte == b'\n' || byte == self.separator => {}
            Some(_) => {
                let letter = text[self.next..].chars().next().map_or(1, char::len_utf8);
                let found = self.source.word(self.next..self.next + letter);
                return Err(found.unexpected("a separator or the end of the row after the quoted field"));
            }
        }
        Ok(Field { word, value })
    }
}

/// The first row that is neither blank nor a comment.
fn first_row(text: &str) -> Option<&str> {
    text.trim_start_matches('\u{FEFF}').lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'))
}

/// What separates the columns, by the first row.
fn separator(text: &str) -> Option<u8> {
    let row = first_row(text)?;
    [b'\t', b',', b';'].into_iter().find(|separator| row.as_bytes().contains(separator))
}

/// Whether a text looks like this format rather than an edge list: by a comma or semicolon in its first row, outside of the
/// braces of attributes, or by a row that names columns.
pub(crate) fn resembles(text: &str) -> bool {
    let Some(row) = first_row(text) else { return false };
    if row.split('{').next().unwrap_or_default().contains([',', ';']) {
        return true;
    }
    let names: Vec<String> = row.split_whitespace().map(str::to_ascii_lowercase).collect();
    names.len() >= 2 && row.contains('\t') && ends(&names).is_some()
}

/// Writes a row that names the columns, then the edges under their names.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    if file.graph.node_count() == 0 {
        return refuse("a graph without nodes has no edges, which are all that a table of edges holds".to_owned());
    }
    let lonely = file.graph.node_indices().find(|&node| file.graph.neighbors_undirected(node).next().is_none());
    if let Some(node) = lonely {
        return refuse(format!("the node {} has no edge, so a table of edges cannot name it", file.names.name(node)));
    }
    let names = (0..file.graph.node_count()).map(|node| field(&file.names.name_of(node)));
    let names = names.collect::<std::io::Result<Vec<String>>>()?;
    // Only directed edges say so: without the column a reader takes them for undirected ones.
    let (weight, kind) = (if file.weighted { ",weight" } else { "" }, if file.directed { ",type" } else { "" });
    writeln!(out, "source,target{weight}{kind}")?;
    for edge in file.graph.edge_references() {
        write!(out, "{},{}", names[edge.source().index()], names[edge.target().index()])?;
        if file.weighted {
            write!(out, ",{}", file.decimal(*edge.weight()))?;
        }
        writeln!(out, "{}", if file.directed { ",directed" } else { "" })?;
    }
    Ok(())
}

/// A name as a field.
fn field(name: &str) -> std::io::Result<String> {
    if name.is_empty() {
        return refuse("a node without a name can't stand in a table of edges".to_owned());
    }
    let plain = !name.contains(['"', ',', ';', '\t', '\n', '\r', '#']) && name.trim() == name;
    Ok(if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) })
}
