//! File formats, one a file: read and write beside each other.
//!
//! | format | extensions | nodes are called | |
//! |---|---|---|---|
//! | [`EdgeList`](Format::EdgeList) | `.el` `.edges` `.edgelist` `.ncol` | names, as in the file | `u v [weight]` |
//! | [`Csv`](Format::Csv) | `.csv` `.tsv` | names, as in the file | columns source, target, weight |
//! | [`Dimacs`](Format::Dimacs) | `.gr` `.dimacs` `.col` `.clq` | 1 to n | `p edge n m` or `p arc n m`, `e u v [weight]` |
//! | [`Metis`](Format::Metis) | `.graph` `.metis` | 1 to n | `n m [fmt]`, then the neighbours of each node |
//! | [`Graph6`](Format::Graph6) | `.g6` `.d6` | 0 to n − 1 | graph6 or digraph6, a graph a line |
//! | [`Sparse6`](Format::Sparse6) | `.s6` | 0 to n − 1 | sparse6, a graph a line |
//! | [`Tsplib`](Format::Tsplib) | `.hcp` `.tsp` | 1 to n | `EDGE_DATA_SECTION` of a list of edges or of neighbours |
//! | [`MatrixMarket`](Format::MatrixMarket) | `.mtx` | 1 to n | an adjacency matrix, entry by entry |
//! | [`GraphMl`](Format::GraphMl) | `.graphml` | ids | XML; feature `formats` |
//! | [`Gexf`](Format::Gexf) | `.gexf` | ids | XML; feature `formats` |
//! | [`Gml`](Format::Gml) | `.gml` | labels, else ids | `graph [ node [ … ] edge [ … ] ]` |
//! | [`Dot`](Format::Dot) | `.dot` `.gv` | names, as in the file | `graph { a -- b }` |
//! | [`Json`](Format::Json) | `.json` | ids, else positions from 0 | node-link data; feature `formats` |
//! | [`Deck`](Format::Deck) | `.deck` | positions from 1 | a card a line; read as the graph of matching cards |
//!
//! `.txt`, other extensions and standard input leave it to the content. Any of them may be compressed with gzip.
//!
//! What is wrong with a file is told by one type, [`FileError`], with the place. Reading is linear in the file and, but for
//! graph6 and decks, in the memory it takes; a header that claims more than the memory limit allows is refused.

mod builder;
mod csv;
mod decimal;
mod deck;
mod dimacs;
mod dot;
mod dot_tokens;
mod edge_list;
mod error;
mod format;
mod game;
#[cfg(feature = "formats")]
mod gexf;
mod gml;
mod graph6;
#[cfg(feature = "formats")]
mod graphml;
mod hand;
mod input;
#[cfg(feature = "formats")]
mod json;
mod matrix_market;
mod metis;
mod names;
mod prizes;
mod save;
mod sparse6;
mod symbols;
mod text;
mod tsplib;
#[cfg(feature = "formats")]
mod xml;
mod xml_text;

pub use decimal::{Decimal, DecimalFlaw};
pub use deck::{CardNames, DeckFile, read_attributes, read_attributes_within, read_deck, write_deck};
pub use error::FileError;
pub use format::{Format, UnknownFormat};
pub use game::{CardColour, CardType, GameCard, GameFile, player_name};
pub use graph6::decode_graph6;
pub use hand::HandFile;
pub use input::{read_bytes, read_bytes_within};
pub use names::{NodeFinder, NodeName, NodeNames};
pub use prizes::read_prizes;
pub use save::{abandon_saves, save};
pub use symbols::{SymbolFile, SymbolNames, write_symbols};

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::solution::Stop;
use text::Text;

/// What a node takes at least once there is something to search, for refusing numbers of nodes that no memory could hold.
const NODE_BYTES: usize = 64;

/// How to read a file.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The format; `None` goes by the extension of the name, and else by the content.
    pub format: Option<Format>,
    /// Take every edge of an edge list or of an undirected DIMACS file as directed from its first node to its second.
    pub directed: bool,
    /// Every edge weighs 1, whatever the file says; what stands there need not be a number.
    pub unit_weights: bool,
    /// Refuse a text longer than this many bytes, and a graph that would take more when only its description is short.
    pub memory_limit: usize,
    /// Stop reading when this flag is raised.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Stop reading at this time.
    pub deadline: Option<Instant>,
}

impl ReadOptions {
    /// Why reading has to end now, if it has to.
    pub(crate) fn stop(&self) -> Option<Stop> {
        let raised = self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if raised { Some(Stop::Interrupted) } else { late().then_some(Stop::TimeLimit) }
    }
}

impl Default for ReadOptions {
    /// Format by name or content, undirected where the file does not say, 4 GiB.
    fn default() -> Self {
        ReadOptions {
            format: None,
            directed: false,
            unit_weights: false,
            memory_limit: 4 << 30,
            interrupt: None,
            deadline: None,
        }
    }
}

/// The ends that a file asks for; `None` is a free end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminals {
    /// Where the path begins.
    pub from: Option<NodeIndex>,
    /// Where the path ends.
    pub to: Option<NodeIndex>,
}

/// A graph from a file.
///
/// The graph is a petgraph `DiGraph` whatever the file says; where `directed` is false, read it through petgraph's
/// `UndirectedAdaptor`.
///
/// # Example
/// ```
/// use longhaul::LongestPath;
/// use longhaul::io::{GraphFile, ReadOptions};
/// use petgraph::visit::{EdgeRef, UndirectedAdaptor};
///
/// let file = GraphFile::parse("roads.el", b"Rome Milan 477\nMilan Turin 126\n", &ReadOptions::default())?;
/// let solution = LongestPath::new(UndirectedAdaptor(&file.graph)).weights(|edge| *edge.weight()).solve()?;
/// assert_eq!(solution.length(), Some(603));
/// let names: Vec<String> = solution.path().unwrap().iter().map(|&node| file.names.name(node).to_string()).collect();
/// assert!(names == ["Rome", "Milan", "Turin"] || names == ["Turin", "Milan", "Rome"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphFile {
    /// Nodes and weighted edges, in the order of the file; weight 1 where the file gives none. Parallel edges and
    /// self-loops are as in the file.
    pub graph: DiGraph<(), i64>,
    /// Whether edges have a direction.
    pub directed: bool,
    /// Whether the file gives weights.
    pub weighted: bool,
    /// Weights and prizes count units of 10⁻ᵖˡᵃᶜᵉˢ: 0 where the file has whole numbers.
    pub places: u32,
    /// What the nodes are called.
    pub names: NodeNames,
    /// The ends the file asks for.
    pub terminals: Terminals,
    /// What visiting each node adds, by node index; empty where the file says nothing of that.
    pub prizes: Vec<i64>,
    /// The format it was read from.
    pub format: Format,
    /// Where the file draws its nodes, by node index, if it has a place for each.
    pub coordinates: Option<Vec<[f64; 2]>>,
    /// What the file says and this graph doesn't hold, a sentence each.
    pub notes: Vec<String>,
}

impl GraphFile {
    /// Reads a graph from a file, or from standard input if the path is `-`.
    ///
    /// # Errors
    /// If the file cannot be read or is not what its format says.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Self, FileError> {
        let (name, bytes) = read_bytes_within(path, options)?;
        Self::parse(&name, &bytes, options)
    }

    /// A graph of so many nodes, called by their positions from 1, without edges: something to fill and to write.
    pub fn of_nodes(count: usize) -> Self {
        let mut graph = DiGraph::with_capacity(count, 0);
        for _ in 0..count {
            graph.add_node(());
        }
        GraphFile {
            graph,
            directed: false,
            weighted: false,
            places: 0,
            names: NodeNames::positions(count),
            prizes: Vec::new(),
            terminals: Terminals::default(),
            format: Format::Dimacs,
            coordinates: None,
            notes: Vec::new(),
        }
    }

    /// A number of the units that weights and prizes count, as the file would write it.
    pub fn decimal(&self, units: i64) -> Decimal {
        Decimal { units, places: self.places }
    }

    /// The part of the graph between these nodes, in this order and under their names. Ends that are not among them are free.
    ///
    /// # Panics
    /// If a node is not of the graph.
    pub fn induced(&self, nodes: &[NodeIndex]) -> Self {
        let mut position = vec![None; self.graph.node_count()];
        for (at, node) in nodes.iter().enumerate() {
            position[node.index()] = Some(NodeIndex::new(at));
        }
        let texts: Vec<String> = nodes.iter().map(|node| self.names.name_of(node.index())).collect();
        let mut part = GraphFile {
            directed: self.directed,
            weighted: self.weighted,
            places: self.places,
            names: NodeNames::of_texts(texts.iter().map(String::as_str)),
            format: self.format,
            ..Self::of_nodes(nodes.len())
        };
        for edge in self.graph.edge_references() {
            if let (Some(tail), Some(head)) = (position[edge.source().index()], position[edge.target().index()]) {
                part.graph.add_edge(tail, head, *edge.weight());
            }
        }
        if !self.prizes.is_empty() {
            part.prizes = nodes.iter().map(|node| self.prizes[node.index()]).collect();
        }
        let end = |end: Option<NodeIndex>| end.and_then(|node| position[node.index()]);
        part.terminals = Terminals { from: end(self.terminals.from), to: end(self.terminals.to) };
        let places = self.coordinates.as_ref();
        part.coordinates = places.map(|places| nodes.iter().map(|node| places[node.index()]).collect());
        part
    }

    /// Reads a graph from the bytes of a file of this name.
    ///
    /// # Errors
    /// If they are not what the format says: with line, column, what was read and what was expected. If the options tell
    /// the reader to stop.
    pub fn parse(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Self, FileError> {
        Text::read_within(name, bytes, options, |source| Self::parse_text(source, options))
    }

    /// Reads every graph of a file that may hold many, one after the other, as long as `take` says to go on. Files in graph6,
    /// digraph6 and sparse6 have a graph a line; those in other formats have one.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), at the first graph that cannot be read.
    ///
    /// # Example
    /// ```
    /// use longhaul::io::{GraphFile, ReadOptions};
    ///
    /// let mut nodes = Vec::new();
    /// GraphFile::parse_each("three.g6", b"Bg\nDQc\n:Fa@x^\n", &ReadOptions::default(), &mut |file| {
    ///     nodes.push(file.graph.node_count());
    ///     true
    /// })?;
    /// assert_eq!(nodes, [3, 5, 7]);
    /// # Ok::<(), longhaul::io::FileError>(())
    /// ```
    pub fn parse_each(
        name: &str,
        bytes: &[u8],
        options: &ReadOptions,
        take: &mut dyn FnMut(Self) -> bool,
    ) -> Result<(), FileError> {
        let source = Text::new(name, bytes)?.within(options);
        let format = options.format.map_or_else(|| Format::detect(&source), Ok)?;
        if !format.is_a_line() || options.directed {
            take(Self::parse(name, bytes, options)?);
            return Ok(());
        }
        let read = graph6::read_each(&source, options, take);
        source.stopped().map_or(read, |stop| Err(FileError::stopped(name, stop)))
    }

    fn parse_text<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<Self, FileError> {
        let format = options.format.map_or_else(|| Format::detect(source), Ok)?;
        if options.directed && format.states_direction() {
            let message = format!("the format {format} says itself whether edges are directed");
            return Err(FileError::graph(source.file(), message));
        }
        match format {
            Format::EdgeList => edge_list::read(source, options),
            Format::Csv => csv::read(source, options),
            Format::Dimacs => dimacs::read(source, options),
            Format::Metis => metis::read(source, options),
            Format::Graph6 | Format::Sparse6 => graph6::read(source, options),
            Format::Tsplib => tsplib::read(source, options),
            Format::MatrixMarket => matrix_market::read(source, options),
            Format::Gml => gml::read(source, options),
            Format::Dot => dot::read(source, options),
            Format::Deck => deck::read(source, options),
            #[cfg(feature = "formats")]
            Format::GraphMl => graphml::read(source, options),
            #[cfg(feature = "formats")]
            Format::Gexf => gexf::read(source, options),
            #[cfg(feature = "formats")]
            Format::Json => json::read(source, options),
            #[cfg(not(feature = "formats"))]
            Format::GraphMl | Format::Gexf | Format::Json => {
                let message = format!("a build without the feature 'formats' cannot read {format}");
                Err(FileError::graph(source.file(), message))
            }
        }
    }

    /// Writes the graph in a format of its own choice or another one.
    ///
    /// # Errors
    /// `InvalidInput` if the format cannot say this graph: an edge list names no node without edges, graph6 has no weights,
    /// loops or parallel edges, sparse6 no weights or directions, and no graph becomes a deck. Otherwise whatever the writer says.
    pub fn write(&self, format: Format, out: &mut dyn Write) -> std::io::Result<()> {
        match format {
            Format::EdgeList => edge_list::write(self, out),
            Format::Csv => csv::write(self, out),
            Format::Dimacs => dimacs::write(self, out),
            Format::Metis => metis::write(self, out),
            Format::Graph6 => graph6::write(self, out),
            Format::Sparse6 => sparse6::write(self, out),
            Format::Tsplib => tsplib::write(self, out),
            Format::MatrixMarket => matrix_market::write(self, out),
            Format::Gml => gml::write(self, out),
            Format::Dot => dot::write(self, out),
            Format::Deck => {
                refuse("a graph is not a deck; only the line graphs of bipartite multigraphs are".to_owned())
            }
            #[cfg(feature = "formats")]
            Format::GraphMl => graphml::write(self, out),
            #[cfg(feature = "formats")]
            Format::Gexf => gexf::write(self, out),
            #[cfg(feature = "formats")]
            Format::Json => json::write(self, out),
            #[cfg(not(feature = "formats"))]
            Format::GraphMl | Format::Gexf | Format::Json => {
                refuse(format!("a build without the feature 'formats' cannot write {format}"))
            }
        }
    }
}

impl GraphFile {
    /// What [`write`](Self::write) in this format leaves out of the graph, a phrase each.
    pub fn losses(&self, format: Format) -> Vec<String> {
        let n = self.graph.node_count();
        let mut losses = Vec::new();
        let numbered_from = match format {
            Format::Dimacs | Format::Metis | Format::Tsplib | Format::MatrixMarket => Some(1),
            Format::Graph6 | Format::Sparse6 => Some(0),
            _ => None,
        };
        if let Some(first) = numbered_from.filter(|&first| n > 0 && !self.names.is_consecutive_from(first)) {
            let last = first as usize + n - 1;
            losses.push(format!("the names: nodes are called {first} to {last} in {format}"));
        }
        let places = [Format::Gml, Format::Dot, Format::Json, Format::GraphMl, Format::Gexf, Format::Tsplib];
        if self.coordinates.is_some() && !places.contains(&format) {
            losses.push(format!("the coordinates, which {format} doesn't have"));
        }
        if self.terminals != Terminals::default() && format != Format::Dimacs {
            losses.push(format!("the ends that the file asks for, which {format} doesn't have"));
        }
        if self.prizes.iter().any(|&prize| prize != 0) && format != Format::Dimacs {
            losses.push(format!("the prizes of nodes, which {format} doesn't have"));
        }
        if self.directed && format == Format::EdgeList {
            losses.push("that edges are directed: whoever reads an edge list has to know".to_owned());
        }
        losses
    }
}

/// The mistake that a format cannot say this graph.
fn refuse<T>(message: String) -> std::io::Result<T> {
    Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, message))
}
