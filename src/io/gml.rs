//! GML: keys and values, lists in brackets.
//!
//! ```text
//! graph [
//!   directed 0
//!   node [ id 0 label "Rome" graphics [ x 12.5 y 41.9 ] ]
//!   node [ id 1 label "Milan" ]
//!   edge [ source 0 target 1 weight 477 ]
//! ]
//! ```
//!
//! - A node has an `id`, a whole number, and perhaps a `label`. Where every node has a label and no two have the same, nodes are
//!   called by their labels, as networkx does; else by their ids. `graphics [ x … y … ]` says where it is drawn.
//! - An edge has a `source` and a `target`, and a `weight` (or `value`), given by all edges or by none. Nodes may follow the edges.
//! - `directed 1` makes the graph directed. Other keys are left out. Text in quotes may hold the entities of HTML by number
//!   and `&quot;`, `&amp;`, `&lt;`, `&gt;`, `&apos;`. A line that begins with `#` is a comment.
//!
//! Source: Michael Himsolt, *GML: A portable Graph File Format*, Universität Passau, 1997.

use std::io::Write;

use hashbrown::HashSet;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::builder::Builder;
use super::decimal::Decimal;
use super::error::FileError;
use super::names::{NodeName, NodeNames};
use super::text::{Text, Word};
use super::xml_text::{escape, unescape};
use super::{Format, GraphFile, ReadOptions};

/// Lists within lists: more is no graph.
const DEEPEST: usize = 64;

enum Token<'a> {
    Word(Word<'a>),
    /// With its quotes.
    Text(Word<'a>),
    Open(Word<'a>),
    Close(Word<'a>),
}

/// Which list is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Outside,
    Graph,
    Node,
    Edge,
    Graphics,
    Other,
}

/// The node or edge that is being read.
#[derive(Default)]
struct Item<'a> {
    id: Option<Word<'a>>,
    label: Option<Word<'a>>,
    source: Option<Word<'a>>,
    target: Option<Word<'a>>,
    weight: Option<Word<'a>>,
    x: Option<Word<'a>>,
    y: Option<Word<'a>>,
}

/// The file so far.
struct Reading<'a> {
    source: &'a Text<'a>,
    next: usize,
    builder: Builder,
    /// The labels of nodes, by index.
    labels: Vec<Option<Word<'a>>>,
    /// Edges wait for all nodes: by the ids of their ends, and their weights.
    edges: Vec<(Word<'a>, Word<'a>, Decimal)>,
    directed: bool,
    met_graph: bool,
}

pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let start = if source.as_str().starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let mut reading = Reading {
        source,
        next: start,
        builder: Builder::new(source, options),
        labels: Vec::new(),
        edges: Vec::new(),
        directed: false,
        met_graph: false,
    };
    let mut lists: Vec<(List, Item<'a>)> = vec![(List::Outside, Item::default())];
    while let Some(token) = reading.token()? {
        let key = match token {
            Token::Word(key) => key,
            Token::Close(bracket) if lists.len() > 1 => {
                let (list, item) = lists.pop().expect("there are two lists at least");
                reading.finish(list, item, &bracket, &mut lists)?;
                continue;
            }
            Token::Text(found) | Token::Open(found) | Token::Close(found) => return Err(found.unexpected("a key")),
        };
        let depth = lists.len();
        let (list, item) = lists.last_mut().expect("the outermost list is never closed");
        match reading.token()?.ok_or_else(|| source.ends_early("a value"))? {
            Token::Open(bracket) => {
                if depth > DEEPEST {
                    return Err(bracket.unexpected(format!("no more than {DEEPEST} lists within each other")));
                }
                let list = reading.open(*list, &key)?;
                lists.push((list, Item::default()));
            }
            Token::Close(found) => return Err(found.unexpected("a value")),
            Token::Word(value) | Token::Text(value) => reading.set(*list, item, &key, value)?,
        }
    }
    if source.stopped().is_none() && lists.len() > 1 {
        return Err(source.ends_early("']', the end of a list"));
    }
    if !reading.met_graph {
        return Err(source.ends_early("'graph [', the graph"));
    }
    reading.build()
}

impl<'a> Reading<'a> {
    fn token(&mut self) -> Result<Option<Token<'a>>, FileError> {
        let bytes = self.source.as_str().as_bytes();
        loop {
            match bytes.get(self.next) {
                None => return Ok(None),
                Some(b'#') if self.next == 0 || bytes[self.next - 1] == b'\n' => {
                    let rest = &bytes[self.next..];
                    self.next += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                Some(byte) if byte.is_ascii_whitespace() => self.next += 1,
                Some(_) => break,
            }
        }
        if self.source.must_stop() {
            return Ok(None);
        }
        let start = self.next;
        let token = match bytes[start] {
            b'[' | b']' => {
                self.next += 1;
                let word = self.source.word(start..start + 1);
                if bytes[start] == b'[' { Token::Open(word) } else { Token::Close(word) }
            }
            b'"' => {
                let length = bytes[start + 1..].iter().position(|&byte| byte == b'"').ok_or_else(|| {
                    let line = self.source.as_str()[start..].lines().next().unwrap_or_default();
                    self.source.word_of(line).unexpected("a quote that ends the text")
                })?;
                self.next = start + length + 2;
                Token::Text(self.source.word(start..self.next))
            }
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'[' | b']' | b'"');
                let length = bytes[start..].iter().position(ends).unwrap_or(bytes.len() - start);
                self.next = start + length;
                Token::Word(self.source.word(start..self.next))
            }
        };
        Ok(Some(token))
    }

    fn open(&mut self, within: List, key: &Word<'a>) -> Result<List, FileError> {
        Ok(match (within, key.text) {
            (List::Outside, "graph") if self.met_graph => {
                return Err(key.unexpected("the end of the file after its one graph"));
            }
            (List::Outside, "graph") => {
                self.met_graph = true;
                List::Graph
            }
            (List::Outside, "node" | "edge") => return Err(key.unexpected("nodes and edges within 'graph [ … ]'")),
            (List::Graph, "node") => List::Node,
            (List::Graph, "edge") => List::Edge,
            (List::Node, "graphics") => List::Graphics,
            _ => List::Other,
        })
    }

    fn set(&mut self, list: List, item: &mut Item<'a>, key: &Word<'a>, value: Word<'a>) -> Result<(), FileError> {
        let place = match (list, key.text) {
            (List::Graph, "directed") => {
                self.directed = match value.text {
                    "0" => false,
                    "1" => true,
                    _ => return Err(value.unexpected("0 or 1")),
                };
                return Ok(());
            }
            (List::Node, "id") => &mut item.id,
            (List::Node, "label") => &mut item.label,
            (List::Node | List::Graphics, "x") => &mut item.x,
            (List::Node | List::Graphics, "y") => &mut item.y,
            (List::Edge, "source") => &mut item.source,
            (List::Edge, "target") => &mut item.target,
            (List::Edge, "weight") => &mut item.weight,
            (List::Edge, "value") if item.weight.is_none() => &mut item.weight,
            _ => return Ok(()),
        };
        *place = Some(value);
        Ok(())
    }

    /// A list is complete.
    fn finish(
        &mut self,
        list: List,
        item: Item<'a>,
        bracket: &Word<'a>,
        lists: &mut [(List, Item<'a>)],
    ) -> Result<(), FileError> {
        match list {
            List::Graphics => {
                if let Some((_, node)) = lists.last_mut() {
                    (node.x, node.y) = (item.x, item.y);
                }
            }
            List::Node => {
                let id = item.id.ok_or_else(|| bracket.unexpected("the id of the node before its end"))?;
                let node = self.builder.new_node(&whole_number(&id)?, &id)?;
                self.labels.push(item.label);
                if let Some((x, y)) = item.x.zip(item.y) {
                    self.builder.place(node, [x.coordinate()?, y.coordinate()?]);
                }
            }
            List::Edge => {
                let source = item.source.ok_or_else(|| bracket.unexpected("the source of the edge before its end"))?;
                let target = item.target.ok_or_else(|| bracket.unexpected("the target of the edge before its end"))?;
                let weight = self.builder.weight(item.weight, |expected| bracket.unexpected(expected))?;
                self.edges.push((source, target, weight));
            }
            _ => {}
        }
        Ok(())
    }

    fn build(mut self) -> Result<GraphFile, FileError> {
        for (source, target, weight) in std::mem::take(&mut self.edges) {
            let tail = self.builder.known_node(&whole_number(&source)?, &source)?;
            let head = self.builder.known_node(&whole_number(&target)?, &target)?;
            self.builder.edge(tail, head, weight, &source)?;
        }
        let labels: Option<Vec<String>> = self.labels.iter().map(|label| label.map(|word| text_of(&word))).collect();
        let mut file = self.builder.finish(Format::Gml, self.directed);
        let distinct = |labels: &Vec<String>| {
            let met: HashSet<&str> = labels.iter().map(String::as_str).collect();
            met.len() == labels.len() && !met.contains("")
        };
        match labels.filter(distinct) {
            Some(labels) => file.names = NodeNames::of_texts(labels.iter().map(String::as_str)),
            None if self.labels.iter().any(Option::is_some) => {
                file.notes.push(
                    "nodes are called by their ids: their labels are not all there, or not all different".to_owned(),
                );
            }
            None => {}
        }
        Ok(file)
    }
}

/// An id as GML has it, in its usual spelling.
fn whole_number(word: &Word<'_>) -> Result<String, FileError> {
    let number: i64 = word.text.parse().map_err(|_| word.unexpected("an id, as a whole number"))?;
    Ok(number.to_string())
}

/// What a value says, without its quotes.
fn text_of(word: &Word<'_>) -> String {
    match word.text.strip_prefix('"') {
        Some(text) => unescape(&text[..text.len() - 1]).into_owned(),
        None => word.text.to_owned(),
    }
}

/// Writes any graph. Nodes get the ids 0, 1, 2 … and their names as labels.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "graph [\n  directed {}", u8::from(file.directed))?;
    if has_parallel_edges(file) {
        writeln!(out, "  multigraph 1")?;
    }
    for node in file.graph.node_indices() {
        let id = node.index();
        match file.names.name(node) {
            NodeName::Number(number) => write!(out, "  node [ id {id} label \"{number}\"")?,
            NodeName::Word(word) => write!(out, "  node [ id {id} label \"{}\"", escape(word))?,
        }
        if let Some(places) = &file.coordinates {
            let [x, y] = places[id];
            write!(out, " graphics [ x {x:?} y {y:?} ]")?;
        }
        writeln!(out, " ]")?;
    }
    for edge in file.graph.edge_references() {
        write!(out, "  edge [ source {} target {}", edge.source().index(), edge.target().index())?;
        if file.weighted {
            write!(out, " weight {}", file.decimal(*edge.weight()))?;
        }
        writeln!(out, " ]")?;
    }
    writeln!(out, "]")
}

fn has_parallel_edges(file: &GraphFile) -> bool {
    let mut met: HashSet<(NodeIndex, NodeIndex)> = HashSet::new();
    file.graph.edge_references().any(|edge| {
        let (tail, head) = (edge.source(), edge.target());
        let ends = if file.directed { (tail, head) } else { (tail.min(head), tail.max(head)) };
        !met.insert(ends)
    })
}
