//! File formats, one a file: read and write beside each other.
//!
//! | format | extensions | nodes are called | |
//! |---|---|---|---|
//! | [`EdgeList`](Format::EdgeList) | `.el` `.edges` `.txt` | names, as in the file | `u v [weight]` |
//! | [`Dimacs`](Format::Dimacs) | `.gr` `.dimacs` `.col` | 1 to n | `p edge n m` or `p arc n m`, `e u v [weight]` |
//! | [`Graph6`](Format::Graph6) | `.g6` `.d6` | 0 to n − 1 | one graph in graph6 or digraph6 |
//! | [`Deck`](Format::Deck) | `.deck` | positions from 1 | a card a line; read as the graph of matching cards |
//!
//! What is wrong with a file is told by one type, [`FileError`], with the place. Reading is linear in the file and, but for
//! graph6 and decks, in the memory it takes; a header that claims more than the memory limit allows is refused.

mod deck;
mod dimacs;
mod edge_list;
mod error;
mod game;
mod graph6;
mod hand;
mod names;
mod prizes;
mod save;
mod symbols;
mod text;

pub use deck::{CardNames, DeckFile, read_attributes, read_deck, write_deck};
pub use error::FileError;
pub use game::{CardColour, CardType, GameCard, GameFile, player_name};
pub use graph6::decode_graph6;
pub use hand::HandFile;
pub use names::{NodeFinder, NodeName, NodeNames};
pub use prizes::read_prizes;
pub use save::save;
pub use symbols::{SymbolFile, write_symbols};

use std::fmt;
use std::io::{Read, Write};
use std::path::Path;
use std::str::FromStr;

use petgraph::graph::{DiGraph, NodeIndex};

use text::Text;

/// A format that graphs come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// An edge a line, as two names and perhaps a weight.
    EdgeList,
    /// `p edge` or `p arc`, then `e u v` lines.
    Dimacs,
    /// graph6 or digraph6.
    Graph6,
    /// A deck of UNO cards.
    Deck,
}

impl Format {
    /// All formats with their names.
    pub const ALL: [(&'static str, Format); 4] = [
        ("edge-list", Format::EdgeList),
        ("dimacs", Format::Dimacs),
        ("graph6", Format::Graph6),
        ("deck", Format::Deck),
    ];

    /// The name of the format, as the command line spells it.
    pub fn name(self) -> &'static str {
        let entry = Self::ALL.iter().find(|(_, format)| *format == self);
        entry.expect("every format is in the list").0
    }

    /// The format that the extension of a file name promises, if it is one of ours.
    pub fn from_extension(file: &str) -> Option<Self> {
        let extension = Path::new(file).extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "el" | "edges" | "txt" => Some(Format::EdgeList),
            "gr" | "dimacs" | "col" => Some(Format::Dimacs),
            "g6" | "d6" => Some(Format::Graph6),
            "deck" => Some(Format::Deck),
            _ => None,
        }
    }

    /// The format that a text without a telling name seems to have: DIMACS if its first line that is no comment begins with
    /// `p`, graph6 if that line is one word of graph6, an edge list otherwise.
    fn guess<'a>(source: &'a Text<'a>) -> Self {
        let mut lines = source.lines().filter_map(|mut line| {
            let first = line.next()?;
            let is_comment = first.text == "c" || first.text.starts_with(['#', '%']);
            (!is_comment).then(|| (first.text, line.next().is_some()))
        });
        match lines.next() {
            Some(("p", true)) => Format::Dimacs,
            Some((word, false)) if graph6::resembles(word) => Format::Graph6,
            _ => Format::EdgeList,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A name that no format has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no format '{0}'; the formats are {formats}", formats = Format::ALL.map(|(name, _)| name).join(", "))]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let entry = Self::ALL.iter().find(|(known, _)| *known == name);
        entry.map(|(_, format)| *format).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// How to read a file.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The format; `None` goes by the extension of the name, and else by the content.
    pub format: Option<Format>,
    /// Take every edge of an edge list or of an undirected DIMACS file as directed from its first node to its second.
    pub directed: bool,
    /// Refuse a graph that would take more than this many bytes when only its description is short.
    pub memory_limit: usize,
}

impl Default for ReadOptions {
    /// Format by name or content, undirected where the file does not say, 4 GiB.
    fn default() -> Self {
        ReadOptions { format: None, directed: false, memory_limit: 4 << 30 }
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
    /// What the nodes are called.
    pub names: NodeNames,
    /// The ends the file asks for.
    pub terminals: Terminals,
    /// What visiting each node adds, by node index; empty where the file says nothing of that.
    pub prizes: Vec<i64>,
    /// The format it was read from.
    pub format: Format,
}

impl GraphFile {
    /// Reads a graph from a file, or from standard input if the path is `-`.
    ///
    /// # Errors
    /// If the file cannot be read or is not what its format says.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Self, FileError> {
        let (name, bytes) = read_bytes(path)?;
        Self::parse(&name, &bytes, options)
    }

    /// Reads a graph from the bytes of a file of this name.
    ///
    /// # Errors
    /// If they are not what the format says: with line, column, what was read and what was expected.
    pub fn parse(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Self, FileError> {
        let source = Text::new(name, bytes)?;
        let format = options.format.or_else(|| Format::from_extension(name)).unwrap_or_else(|| Format::guess(&source));
        if options.directed && matches!(format, Format::Graph6 | Format::Deck) {
            let message = format!("the format {format} says itself whether edges are directed");
            return Err(FileError::graph(name, message));
        }
        match format {
            Format::EdgeList => edge_list::read(&source, options.directed),
            Format::Dimacs => dimacs::read(&source, options),
            Format::Graph6 => graph6::read(&source),
            Format::Deck => deck::read(&source, options),
        }
    }

    /// Writes the graph in a format of its own choice or another one.
    ///
    /// # Errors
    /// `InvalidInput` if the format cannot say this graph: an edge list names no node without edges, graph6 has no weights,
    /// loops or parallel edges, and no graph becomes a deck. Otherwise whatever the writer says.
    pub fn write(&self, format: Format, out: &mut dyn Write) -> std::io::Result<()> {
        match format {
            Format::EdgeList => edge_list::write(self, out),
            Format::Dimacs => dimacs::write(self, out),
            Format::Graph6 => graph6::write(self, out),
            Format::Deck => {
                let message = "a graph is not a deck; only the line graphs of bipartite multigraphs are";
                Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, message))
            }
        }
    }
}

/// All of a file, or of standard input if the path is `-`, with the name that diagnostics use.
///
/// # Errors
/// If it cannot be read.
pub fn read_bytes(path: &Path) -> Result<(String, Vec<u8>), FileError> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        let name = "standard input".to_owned();
        return match std::io::stdin().lock().read_to_end(&mut bytes) {
            Ok(_) => Ok((name, bytes)),
            Err(error) => Err(FileError::system(&name, "read", error)),
        };
    }
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => Ok((name, bytes)),
        Err(error) => Err(FileError::system(&name, "read", error)),
    }
}
