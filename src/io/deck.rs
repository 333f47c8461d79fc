//! A deck of UNO cards: `number colour`, a card a line.
//!
//! ```text
//! # the hand of the evening
//! 0 1     # a zero of the first colour
//! 5 3
//! ```
//!
//! Numbers and colours run from 0 to 2³² − 1. Blank lines, comments, spaces, tabs, CRLF and a missing last newline do not
//! matter. The same card may come many times; the copies are told apart by their positions in the file, from 1.
//!
//! Source: Paul Dorbec, Cyril Gavoille, *Projet UNO*, Algorithmique appliquée, §1 (comments are our addition).
//!
//! As a graph a deck is what *UNO is hard, even for a single player* (Demaine, Demaine, Harvey, Uehara, Uno, Uno, Theoretical
//! Computer Science 521, 2014, DOI 10.1016/j.tcs.2013.11.023) calls its UNO-1 graph: cards are nodes, and two are joined if
//! they agree in number or colour. What to do with it is the business of [`adapters::uno`](crate::adapters::uno).

use std::io::Write;

use petgraph::graph::DiGraph;
use petgraph::visit::EdgeRef;

use super::error::FileError;
use super::names::NodeNames;
use super::text::Text;
use super::{Format, GraphFile, ReadOptions, Terminals};
use crate::line_graph;

/// Reads the cards of a deck file as pairs of number and colour, in order. `file` is the name that errors mention.
///
/// # Errors
/// At the first line that is not a card, or if there is no card at all.
///
/// # Example
/// ```
/// let pairs = longhaul::io::read_deck("hand.deck", b"0 1 # zero of one\r\n\r\n5 3")?;
/// assert_eq!(pairs, [(0, 1), (5, 3)]);
/// let error = longhaul::io::read_deck("hand.deck", b"0 1\n5 x\n").unwrap_err();
/// assert!(error.to_string().starts_with("hand.deck:2:3: found 'x', expected the colour of the card"));
/// # Ok::<(), longhaul::io::FileError>(())
/// ```
pub fn read_deck(file: &str, bytes: &[u8]) -> Result<Vec<(u32, u32)>, FileError> {
    read_pairs(&Text::new(file, bytes)?)
}

fn read_pairs<'a>(source: &'a Text<'a>) -> Result<Vec<(u32, u32)>, FileError> {
    let mut cards = Vec::new();
    for line in source.lines() {
        let mut line = line.without_comment(b'#');
        let Some(number) = line.next() else { continue };
        let number = number.number("the number of a card")?;
        let colour = line.expect("the colour of the card")?.number("the colour of the card")?;
        line.expect_end()?;
        cards.push((number, colour));
    }
    if cards.is_empty() {
        return Err(source.ends_early("a card, as its number and its colour"));
    }
    Ok(cards)
}

/// Writes cards, given as pairs of number and colour.
///
/// # Errors
/// Whatever the writer says.
pub fn write_deck(cards: impl IntoIterator<Item = (u32, u32)>, out: &mut dyn Write) -> std::io::Result<()> {
    cards.into_iter().try_for_each(|(number, colour)| writeln!(out, "{number} {colour}"))
}

/// Reads a deck as the graph of its cards; nodes are positions from 1.
pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let cards = read_pairs(source)?;
    // The copy with weights takes half as much again as the line graph itself.
    let matches = line_graph::of_pairs(&cards, options.memory_limit / 5 * 2)
        .map_err(|error| FileError::graph(source.file(), format!("as a graph the deck is too large: {error}")))?;
    let mut graph = DiGraph::with_capacity(matches.node_count(), matches.edge_count());
    for _ in matches.node_indices() {
        graph.add_node(());
    }
    for edge in matches.edge_references() {
        graph.add_edge(edge.source(), edge.target(), 1);
    }
    Ok(GraphFile {
        directed: false,
        weighted: false,
        names: NodeNames::consecutive(1, graph.node_count()),
        graph,
        terminals: Terminals::default(),
        format: Format::Deck,
    })
}
