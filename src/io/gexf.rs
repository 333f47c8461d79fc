//! GEXF, of Gephi.
//!
//! ```text
//! <gexf version="1.3">
//!   <graph defaultedgetype="undirected">
//!     <nodes> <node id="Rome"><viz:position x="12.5" y="41.9"/></node> <node id="Milan"/> </nodes>
//!     <edges> <edge source="Rome" target="Milan" weight="477"/> </edges>
//!   </graph>
//! </gexf>
//! ```
//!
//! Nodes are called by their ids; `weight` of an edge is its weight, given by all or by none, and `position` says where a node is
//! drawn. Nodes within nodes are nodes like others. Edges that change over time, directed beside undirected ones and mutual
//! edges are refused or taken for what they are: `mutual` is an error, dynamic attributes are left out.
//!
//! Source: *GEXF 1.3 Primer*, GEXF Working Group, 2022, gexf.net.

use std::io::Write;

use petgraph::visit::EdgeRef;

use super::builder::{Builder, EdgesToCome};
use super::error::FileError;
use super::text::Text;
use super::xml::{Element, Elements, Step};
use super::xml_text::escape;
use super::{Format, GraphFile, ReadOptions};

struct Reading<'a> {
    builder: Builder,
    edges: EdgesToCome<'a>,
    directed_default: bool,
    directed: Option<bool>,
    has_graph: bool,
    /// The nodes that are open, one within the other.
    open_nodes: Vec<petgraph::graph::NodeIndex>,
}

pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let mut elements = Elements::new(source);
    let mut reading = Reading {
        builder: Builder::new(source, options),
        edges: EdgesToCome::default(),
        directed_default: false,
        directed: None,
        has_graph: false,
        open_nodes: Vec::new(),
    };
    loop {
        match elements.next()? {
            Step::Open(element) => reading.open(&element)?,
            Step::Close("node") => {
                reading.open_nodes.pop();
            }
            Step::Close(_) | Step::Text(_) => {}
            Step::End => break,
        }
    }
    if !reading.has_graph {
        return Err(source.ends_early("an element 'graph'"));
    }
    reading.edges.make(&mut reading.builder)?;
    Ok(reading.builder.finish(Format::Gexf, reading.directed.unwrap_or(reading.directed_default)))
}

impl<'a> Reading<'a> {
    fn open(&mut self, element: &Element<'a>) -> Result<(), FileError> {
        match element.name {
            "graph" => {
                if std::mem::replace(&mut self.has_graph, true) {
                    return Err(element.word.unexpected("one graph in the file, and this is the second"));
                }
                self.directed_default = self.direction(element, "defaultedgetype", false)?;
            }
            "node" => {
                let (word, name) = element.expect("id")?;
                let node = self.builder.new_node(&name, &word)?;
                self.open_nodes.push(node);
            }
            "position" => {
                if let Some(&node) = self.open_nodes.last() {
                    let [x, y] = [element.expect("x")?.0, element.expect("y")?.0];
                    self.builder.place(node, [x.coordinate()?, y.coordinate()?]);
                }
            }
            "edge" => {
                let directed = self.direction(element, "type", self.directed_default)?;
                if *self.directed.get_or_insert(directed) != directed {
                    let expected = "an edge of the same type as those before: directed and undirected are too much";
                    return Err(element.word.unexpected(expected));
                }
                let weight = element.attribute("weight")?.map(|(word, _)| word);
                let weight = self.builder.weight(weight, |expected| element.word.unexpected(expected))?;
                let [tail, head] = [element.expect("source")?, element.expect("target")?];
                let [tail, head] = [tail, head].map(|(word, name)| (word, name.into_owned()));
                self.edges.add(&mut self.builder, tail, head, weight)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn direction(&self, element: &Element<'a>, attribute: &str, default: bool) -> Result<bool, FileError> {
        match element.attribute(attribute)? {
            None => Ok(default),
            Some((word, kind)) => match kind.as_ref() {
                "directed" => Ok(true),
                "undirected" => Ok(false),
                _ => Err(word.unexpected("'directed' or 'undirected'")),
            },
        }
    }
}

/// Writes any graph. Ids and labels are names.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<gexf xmlns=\"http://gexf.net/1.3\" xmlns:viz=\"http://gexf.net/1.3/viz\" version=\"1.3\">")?;
    writeln!(out, "  <graph defaultedgetype=\"{}\">", if file.directed { "directed" } else { "undirected" })?;
    let names: Vec<String> =
        (0..file.graph.node_count()).map(|node| escape(&file.names.name_of(node)).into_owned()).collect();
    writeln!(out, "    <nodes>")?;
    for (node, name) in names.iter().enumerate() {
        match &file.coordinates {
            None => writeln!(out, "      <node id=\"{name}\" label=\"{name}\"/>")?,
            Some(places) => {
                let [x, y] = places[node];
                write!(out, "      <node id=\"{name}\" label=\"{name}\">")?;
                writeln!(out, "<viz:position x=\"{x:?}\" y=\"{y:?}\"/></node>")?;
            }
        }
    }
    writeln!(out, "    </nodes>\n    <edges>")?;
    for (id, edge) in file.graph.edge_references().enumerate() {
        let (source, target) = (&names[edge.source().index()], &names[edge.target().index()]);
        write!(out, "      <edge id=\"{id}\" source=\"{source}\" target=\"{target}\"")?;
        if file.weighted {
            write!(out, " weight=\"{}\"", file.decimal(*edge.weight()))?;
        }
        writeln!(out, "/>")?;
    }
    writeln!(out, "    </edges>\n  </graph>\n</gexf>")
}
