//! TSPLIB with a section of edges: Hamiltonian cycle problems (`.hcp`) above all.
//!
//! ```text
//! NAME : ring
//! TYPE : HCP
//! DIMENSION : 4
//! EDGE_DATA_FORMAT : EDGE_LIST
//! EDGE_DATA_SECTION
//! 1 2
//! 2 3
//! 3 4
//! 4 1
//! -1
//! EOF
//! ```
//!
//! - `EDGE_LIST` has an edge a line; `ADJ_LIST` has a node and its neighbours, ended by `-1`, where an edge may be told from
//!   both its ends and counts once. Nodes are numbered from 1 to `DIMENSION`; the graph is undirected and has no weights.
//! - `NODE_COORD_SECTION` and `DISPLAY_DATA_SECTION` say where nodes are drawn. Other keys of the head are left out.
//! - Files whose graph is complete, with distances (`EDGE_WEIGHT_SECTION`, or coordinates alone), are refused: a travelling
//!   salesman's question is not about longest paths. So are fixed edges.
//!
//! Source: Gerhard Reinelt, *TSPLIB 95*, Universität Heidelberg, 1995.

use std::io::Write;

use hashbrown::HashSet;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::builder::{Builder, ONE};
use super::error::FileError;
use super::text::{Line, Text, Word, parse_u32};
use super::{Format, GraphFile, NODE_BYTES, ReadOptions, refuse};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Head,
    EdgeList,
    Neighbours,
    Places,
    Ended,
}

/// The file so far.
struct Reading {
    builder: Builder,
    dimension: Option<usize>,
    /// `EDGE_LIST` or `ADJ_LIST`.
    list: Option<Section>,
    /// Whether an edge section has come.
    has_edges: bool,
    /// In a list of neighbours, the node whose they are.
    node: Option<NodeIndex>,
    /// In a list of neighbours, the edges told of.
    met: HashSet<u64>,
    memory_limit: usize,
}

pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let mut reading = Reading {
        builder: Builder::new(source, options),
        dimension: None,
        list: None,
        has_edges: false,
        node: None,
        met: HashSet::new(),
        memory_limit: options.memory_limit,
    };
    let mut section = Section::Head;
    for line in source.lines() {
        let Some(first) = line.clone().next() else { continue };
        let is_number =
            first.text.starts_with(|letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '+' | '.'));
        section = match section {
            Section::Ended => return Err(first.unexpected("nothing after EOF")),
            Section::EdgeList if is_number => reading.read_edge(line)?,
            Section::Neighbours if is_number => reading.read_neighbours(line)?,
            Section::Places if is_number => reading.read_place(line)?,
            _ => reading.read_key(first, line)?,
        };
    }
    if source.stopped().is_none() && !reading.has_edges {
        return Err(
            source.ends_early("an EDGE_DATA_SECTION: without it the graph is complete, and that is another question")
        );
    }
    Ok(reading.builder.finish_numbered(Format::Tsplib, false, 1))
}

impl Reading {
    /// A line of the head, or the name of a section.
    fn read_key(&mut self, first: Word<'_>, mut line: Line<'_>) -> Result<Section, FileError> {
        let key = first.text.split(':').next().unwrap_or_default();
        line.next();
        // What follows the colon, wherever that stands.
        let value = match first.text[key.len()..].strip_prefix(':') {
            Some(rest) if !rest.is_empty() => Some(first.cut(first.text.len() - rest.len()..first.text.len())),
            _ => line.find(|word| word.text != ":").map(|word| {
                let colon = usize::from(word.text.starts_with(':'));
                word.cut(colon..word.text.len())
            }),
        };
        let missing = |expected: &str| line.ends_early(expected);
        match key.to_ascii_uppercase().as_str() {
            "DIMENSION" => {
                let word = value.ok_or_else(|| missing("the number of nodes"))?;
                self.set_dimension(&word)?;
            }
            "TYPE" => {
                let word = value.ok_or_else(|| missing("the type, such as HCP"))?;
                if !["HCP", "TSP"].contains(&word.text) {
                    return Err(word.unexpected("HCP (or TSP): other types are not undirected graphs"));
                }
            }
            "EDGE_DATA_FORMAT" => {
                let word = value.ok_or_else(|| missing("EDGE_LIST or ADJ_LIST"))?;
                self.list = Some(match word.text {
                    "EDGE_LIST" => Section::EdgeList,
                    "ADJ_LIST" => Section::Neighbours,
                    _ => return Err(word.unexpected("EDGE_LIST or ADJ_LIST")),
                });
            }
            "EDGE_DATA_SECTION" => {
                self.need_dimension(&first)?;
                self.has_edges = true;
                return self.list.ok_or_else(|| first.unexpected("EDGE_DATA_FORMAT before the edges"));
            }
            "NODE_COORD_SECTION" | "DISPLAY_DATA_SECTION" => {
                self.need_dimension(&first)?;
                return Ok(Section::Places);
            }
            "EDGE_WEIGHT_SECTION" | "FIXED_EDGES_SECTION" | "TOUR_SECTION" | "DEMAND_SECTION" | "DEPOT_SECTION" => {
                return Err(first.unexpected("EDGE_DATA_SECTION: this section is not read as a graph"));
            }
            "NAME" | "COMMENT" | "EDGE_WEIGHT_TYPE" | "EDGE_WEIGHT_FORMAT" | "NODE_COORD_TYPE"
            | "DISPLAY_DATA_TYPE" | "CAPACITY" => {}
            "EOF" => return Ok(Section::Ended),
            _ => return Err(first.unexpected("a key of TSPLIB, such as DIMENSION or EDGE_DATA_SECTION")),
        }
        Ok(Section::Head)
    }

    fn set_dimension(&mut self, word: &Word<'_>) -> Result<(), FileError> {
        let nodes = word.number("the number of nodes")? as usize;
        if nodes > self.memory_limit / NODE_BYTES {
            let limit = self.memory_limit;
            return Err(word.unexpected(format!("no more nodes than the memory limit of {limit} bytes allows")));
        }
        if self.dimension.replace(nodes).is_some() {
            return Err(word.unexpected("one DIMENSION, and this is the second"));
        }
        self.builder.add_nodes(nodes);
        Ok(())
    }

    fn need_dimension(&self, at: &Word<'_>) -> Result<(), FileError> {
        self.dimension.map(|_| ()).ok_or_else(|| at.unexpected("DIMENSION before the sections"))
    }

    fn read_edge(&mut self, mut line: Line<'_>) -> Result<Section, FileError> {
        let first = line.expect("a node")?;
        if first.text == "-1" {
            line.expect_end()?;
            return Ok(Section::Head);
        }
        let tail = self.node(&first)?;
        let head = self.node(&line.expect("the other end of the edge")?)?;
        line.expect_end()?;
        self.builder.edge(tail, head, ONE, &first)?;
        Ok(Section::EdgeList)
    }

    /// Any number of words: a list may go on over many lines, and -1 where a node is expected ends the section.
    fn read_neighbours(&mut self, line: Line<'_>) -> Result<Section, FileError> {
        for word in line {
            match (word.text, self.node) {
                ("-1", None) => return Ok(Section::Head),
                ("-1", Some(_)) => self.node = None,
                (_, None) => self.node = Some(self.node(&word)?),
                (_, Some(node)) => {
                    let other = self.node(&word)?;
                    let (least, greatest) = (node.min(other).index(), node.max(other).index());
                    if self.met.insert((least as u64) << 32 | greatest as u64) {
                        self.builder.edge(node, other, ONE, &word)?;
                    }
                }
            }
        }
        Ok(Section::Neighbours)
    }

    fn read_place(&mut self, mut line: Line<'_>) -> Result<Section, FileError> {
        let node = self.node(&line.expect("a node")?)?;
        let x = line.expect("the first coordinate")?.coordinate()?;
        let y = line.expect("the second coordinate")?.coordinate()?;
        self.builder.place(node, [x, y]);
        Ok(Section::Places)
    }

    fn node(&self, word: &Word<'_>) -> Result<NodeIndex, FileError> {
        let nodes = self.dimension.unwrap_or(0);
        let number = parse_u32(word.text).filter(|&number| number >= 1 && number as usize <= nodes);
        let number = number.ok_or_else(|| word.unexpected(format!("a node from 1 to {nodes}, or -1 at the end")))?;
        Ok(NodeIndex::new(number as usize - 1))
    }
}

/// Writes an undirected graph without weights, as an edge list.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    if file.directed {
        return refuse("a Hamiltonian cycle problem of TSPLIB knows no directed edges".to_owned());
    }
    if file.weighted {
        return refuse("a Hamiltonian cycle problem of TSPLIB has no weights".to_owned());
    }
    writeln!(out, "NAME : graph\nTYPE : HCP\nDIMENSION : {}", file.graph.node_count())?;
    if let Some(places) = &file.coordinates {
        writeln!(out, "NODE_COORD_TYPE : TWOD_COORDS\nNODE_COORD_SECTION")?;
        for ([x, y], node) in places.iter().zip(1..) {
            writeln!(out, "{node} {x} {y}")?;
        }
    }
    writeln!(out, "EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION")?;
    for edge in file.graph.edge_references() {
        writeln!(out, "{} {}", edge.source().index() + 1, edge.target().index() + 1)?;
    }
    writeln!(out, "-1\nEOF")
}
