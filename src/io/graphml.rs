//! GraphML.
//!
//! ```text
//! <graphml>
//!   <key id="w" for="edge" attr.name="weight" attr.type="long"><default>1</default></key>
//!   <graph edgedefault="undirected">
//!     <node id="Rome"/> <node id="Milan"/>
//!     <edge source="Rome" target="Milan"><data key="w">477</data></edge>
//!   </graph>
//! </graphml>
//! ```
//!
//! - Nodes are called by their ids. The keys named `weight` of edges and `x` and `y` of nodes give weights and places, with their
//!   defaults; other data are left out. Edges may stand before their nodes.
//! - `edgedefault` says whether edges have a direction, `directed` of an edge too; both kinds in one graph are refused, and so
//!   are hyperedges, graphs within nodes and a second graph.
//!
//! Source: U. Brandes, M. Eiglsperger, I. Herman, M. Himsolt, M. S. Marshall, *GraphML Progress Report*, Graph Drawing 2001,
//! LNCS 2265, 501–512, DOI 10.1007/3-540-45848-4_59.

use std::io::Write;

use hashbrown::HashMap;
use petgraph::visit::EdgeRef;

use super::builder::{Builder, EdgesToCome};
use super::error::FileError;
use super::text::{Text, Word};
use super::xml::{Element, Elements, Step};
use super::xml_text::escape;
use super::{Format, GraphFile, ReadOptions};

/// What a key gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Weight,
    X,
    Y,
}

struct Reading<'a> {
    builder: Builder,
    edges: EdgesToCome<'a>,
    keys: HashMap<String, Key>,
    default_weight: Option<Word<'a>>,
    default_place: [Option<Word<'a>>; 2],
    /// Whether edges are directed where they don't say.
    directed_default: bool,
    directed: Option<bool>,
    graphs: usize,
    nodes_open: usize,
    /// What is open: a node or an edge, and its data.
    item: Option<Item<'a>>,
    key: Option<Key>,
    data: Option<Word<'a>>,
}

/// A node or an edge while its data come.
enum Item<'a> {
    Node { tag: Word<'a>, name: String, place: [Option<Word<'a>>; 2] },
    Edge { ends: [(Word<'a>, String); 2], weight: Option<Word<'a>> },
}

pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let mut elements = Elements::new(source);
    let mut reading = Reading {
        builder: Builder::new(source, options),
        edges: EdgesToCome::default(),
        keys: HashMap::new(),
        default_weight: None,
        default_place: [None; 2],
        directed_default: false,
        directed: None,
        graphs: 0,
        nodes_open: 0,
        item: None,
        key: None,
        data: None,
    };
    loop {
        match elements.next()? {
            Step::Open(element) => reading.open(&element)?,
            Step::Close(name) => reading.close(name)?,
            Step::Text(word) if reading.key.is_some() => reading.data = reading.data.or(trimmed(word)),
            Step::Text(_) => {}
            Step::End => break,
        }
    }
    if reading.graphs == 0 {
        return Err(source.ends_early("an element 'graph'"));
    }
    reading.edges.make(&mut reading.builder)?;
    Ok(reading.builder.finish(Format::GraphMl, reading.directed.unwrap_or(reading.directed_default)))
}

/// The word without white space around it, if anything is left.
fn trimmed(word: Word<'_>) -> Option<Word<'_>> {
    let start = word.text.len() - word.text.trim_start().len();
    let length = word.text.trim().len();
    (length > 0).then(|| word.cut(start..start + length))
}

impl<'a> Reading<'a> {
    fn open(&mut self, element: &Element<'a>) -> Result<(), FileError> {
        match element.name {
            "key" => {
                let of = element.attribute("for")?.map(|(_, of)| of.into_owned()).unwrap_or_default();
                let name =
                    element.attribute("attr.name")?.map(|(_, name)| name.to_ascii_lowercase()).unwrap_or_default();
                self.key = match (of.as_str(), name.as_str()) {
                    ("edge" | "all" | "", "weight") => Some(Key::Weight),
                    ("node" | "all" | "", "x") => Some(Key::X),
                    ("node" | "all" | "", "y") => Some(Key::Y),
                    _ => None,
                };
                if let Some(key) = self.key {
                    self.keys.insert(element.expect("id")?.1.into_owned(), key);
                }
            }
            "graph" => {
                if self.graphs > 0 || self.nodes_open > 0 {
                    return Err(element.word.unexpected("one graph in the file, and none within it"));
                }
                self.graphs += 1;
                let (word, kind) = element.expect("edgedefault")?;
                self.directed_default = match kind.as_ref() {
                    "directed" => true,
                    "undirected" => false,
                    _ => return Err(word.unexpected("'directed' or 'undirected'")),
                };
            }
            "node" => {
                self.nodes_open += 1;
                let (tag, name) = element.expect("id")?;
                self.item = Some(Item::Node { tag, name: name.into_owned(), place: self.default_place });
            }
            "edge" => {
                let [source, target] = [element.expect("source")?, element.expect("target")?];
                self.see_direction(element)?;
                let ends = [source, target].map(|(word, name)| (word, name.into_owned()));
                self.item = Some(Item::Edge { ends, weight: self.default_weight });
            }
            "hyperedge" => return Err(element.word.unexpected("'edge': hyperedges have more than two ends")),
            "data" => self.key = self.keys.get(element.expect("key")?.1.as_ref()).copied(),
            _ => {}
        }
        Ok(())
    }

    fn see_direction(&mut self, element: &Element<'a>) -> Result<(), FileError> {
        let (word, directed) = match element.attribute("directed")? {
            None => (element.word, self.directed_default),
            Some((word, value)) => match value.as_ref() {
                "true" | "1" => (word, true),
                "false" | "0" => (word, false),
                _ => return Err(word.unexpected("'true' or 'false'")),
            },
        };
        if *self.directed.get_or_insert(directed) != directed {
            return Err(
                word.unexpected("an edge of the same kind as those before: directed and undirected are too much")
            );
        }
        Ok(())
    }

    fn close(&mut self, name: &str) -> Result<(), FileError> {
        match name {
            "data" | "default" => {
                let (key, data) = (self.key.take(), self.data.take());
                match (key, &mut self.item) {
                    (Some(Key::Weight), Some(Item::Edge { weight, .. })) => *weight = data,
                    (Some(Key::X), Some(Item::Node { place, .. })) => place[0] = data,
                    (Some(Key::Y), Some(Item::Node { place, .. })) => place[1] = data,
                    (Some(Key::Weight), None) => self.default_weight = data,
                    (Some(Key::X), None) => self.default_place[0] = data,
                    (Some(Key::Y), None) => self.default_place[1] = data,
                    _ => {}
                }
            }
            "key" => self.key = None,
            "node" => {
                self.nodes_open -= 1;
                if let Some(Item::Node { tag, name, place }) = self.item.take() {
                    let node = self.builder.new_node(&name, &tag)?;
                    if let [Some(x), Some(y)] = place {
                        self.builder.place(node, [x.coordinate()?, y.coordinate()?]);
                    }
                }
            }
            "edge" => {
                if let Some(Item::Edge { ends, weight }) = self.item.take() {
                    let weight = self.builder.weight(weight, |expected| ends[0].0.unexpected(expected))?;
                    let [tail, head] = ends;
                    self.edges.add(&mut self.builder, tail, head, weight)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Writes any graph. Ids are names.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
    )?;
    if file.coordinates.is_some() {
        writeln!(out, "  <key id=\"x\" for=\"node\" attr.name=\"x\" attr.type=\"double\"/>")?;
        writeln!(out, "  <key id=\"y\" for=\"node\" attr.name=\"y\" attr.type=\"double\"/>")?;
    }
    if file.weighted {
        let kind = if file.places == 0 { "long" } else { "double" };
        writeln!(out, "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"{kind}\"/>")?;
    }
    writeln!(out, "  <graph edgedefault=\"{}\">", if file.directed { "directed" } else { "undirected" })?;
    let names: Vec<String> =
        (0..file.graph.node_count()).map(|node| escape(&file.names.name_of(node)).into_owned()).collect();
    for (node, name) in names.iter().enumerate() {
        match &file.coordinates {
            None => writeln!(out, "    <node id=\"{name}\"/>")?,
            Some(places) => {
                let [x, y] = places[node];
                writeln!(
                    out,
                    "    <node id=\"{name}\"><data key=\"x\">{x:?}</data><data key=\"y\">{y:?}</data></node>"
                )?;
            }
        }
    }
    for edge in file.graph.edge_references() {
        let (source, target) = (&names[edge.source().index()], &names[edge.target().index()]);
        write!(out, "    <edge source=\"{source}\" target=\"{target}\"")?;
        match file.weighted {
            true => writeln!(out, "><data key=\"weight\">{}</data></edge>", file.decimal(*edge.weight()))?,
            false => writeln!(out, "/>")?,
        }
    }
    writeln!(out, "  </graph>\n</graphml>")
}
