//! Decks of UNO cards: `number colour`, a card a line.
//!
//! ```text
//! # the hand of the evening
//! 0 1         # a zero of the first colour
//! 5 3
//! 7 blue      # names will do as well
//! skip blue
//! ---         # what follows is the hand of the next player
//! skip red
//! +2 green
//! 5,blue      # a comma will do as well
//! 3x 5 blue   # three copies
//! ```
//!
//! Numbers and colours run from 0 to 2³² − 1, or are names: words of two letters or more, capitals or not, and numbers with a
//! plus sign. A name stands for a number that the file doesn't use itself. The number comes first: a colour in its place, one
//! of UNO's four or one that another card of the file has, is a mistake. Blank lines, comments, spaces, tabs, CRLF and a missing last newline do not
//! matter. The same card may come many times; the copies are told apart by their positions, from 1. A line of three dashes or
//! more ends the hand of one player and begins that of the next; whoever reads one deck takes all hands together.
//!
//! Source: Paul Dorbec, Cyril Gavoille, *Projet UNO*, Algorithmique appliquée, §1 (comments, names and hands are our addition).
//!
//! As a graph a deck is what *UNO is hard, even for a single player* (Demaine, Demaine, Harvey, Uehara, Uno, Uno, Theoretical
//! Computer Science 521, 2014, DOI 10.1016/j.tcs.2013.11.023) calls its UNO-1 graph: cards are nodes, and two are joined if
//! they agree in number or colour. What to do with it is the business of [`adapters::uno`](crate::adapters::uno).

use std::borrow::Cow;
use std::io::Write;

use hashbrown::{HashMap, HashSet};
use petgraph::graph::DiGraph;
use petgraph::visit::EdgeRef;

use super::error::FileError;
use super::names::NodeNames;
use super::text::{Text, Word, parse_u32};
use super::{Format, GraphFile, ReadOptions, Terminals};
use crate::line_graph;

/// The cards of a file, hand by hand, as pairs of number and colour, and what these are called there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeckFile {
    /// The hands; one where the file has no dividing line.
    pub hands: Vec<Vec<(u32, u32)>>,
    /// The names that the file uses.
    pub names: CardNames,
}

/// What numbers and colours are called; those without a name are called by themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardNames {
    numbers: Names,
    colours: Names,
}

/// The names of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Names {
    /// As the file spells them first.
    names: HashMap<u32, String>,
    /// By the name in small letters.
    values: HashMap<String, u32>,
}

impl DeckFile {
    /// Reads the bytes of a deck file; `file` is the name that errors mention.
    ///
    /// # Errors
    /// At the first line that is not a card, or at a hand without cards.
    ///
    /// # Example
    /// ```
    /// use longhaul::io::DeckFile;
    ///
    /// let file = DeckFile::parse("hands.deck", b"5 blue\nskip Blue\n---\n5 3\n")?;
    /// assert_eq!(file.hands.len(), 2);
    /// let [(five, blue), (skip, also_blue)] = file.hands[0][..] else { panic!("two cards") };
    /// assert_eq!((five, blue), (5, also_blue));
    /// assert_eq!(file.names.card(skip, blue), "skip blue");
    /// assert_eq!((file.names.find_number("5"), file.names.find_colour("BLUE")), (Some(5), Some(blue)));
    /// # Ok::<(), longhaul::io::FileError>(())
    /// ```
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, FileError> {
        read_hands(&Text::new(file, bytes)?)
    }

    /// The same within the limits of these options.
    ///
    /// # Errors
    /// As there, and if the options tell the reader to stop.
    pub fn parse_within(file: &str, bytes: &[u8], options: &ReadOptions) -> Result<Self, FileError> {
        Text::read_within(file, bytes, options, read_hands)
    }
}

impl CardNames {
    /// A card as the file would write it: number, space, colour.
    pub fn card(&self, number: u32, colour: u32) -> String {
        format!("{} {}", self.number(number), self.colour(colour))
    }

    /// What a number is called.
    pub fn number(&self, number: u32) -> Cow<'_, str> {
        self.numbers.name(number)
    }

    /// What a colour is called.
    pub fn colour(&self, colour: u32) -> Cow<'_, str> {
        self.colours.name(colour)
    }

    /// The number that is called so, if it is a number or a name of the file.
    pub fn find_number(&self, name: &str) -> Option<u32> {
        self.numbers.find(name)
    }

    /// The colour that is called so, if it is a number or a name of the file.
    pub fn find_colour(&self, name: &str) -> Option<u32> {
        self.colours.find(name)
    }
}

impl Names {
    fn name(&self, value: u32) -> Cow<'_, str> {
        self.names.get(&value).map_or_else(|| value.to_string().into(), Into::into)
    }

    fn find(&self, name: &str) -> Option<u32> {
        parse_u32(name).or_else(|| self.values.get(&name.to_lowercase()).copied())
    }

    /// Gives each word a value that is not used otherwise, the greatest first; the words come with their places in `cards`.
    fn new(words: &[(usize, &str)], cards: &mut [(u32, u32)], side: fn(&mut (u32, u32)) -> &mut u32) -> Self {
        let mut names = Names::default();
        if words.is_empty() {
            return names;
        }
        let mut used: HashSet<u32> = cards.iter_mut().map(|card| *side(card)).collect();
        let mut free = (0..=u32::MAX).rev();
        for &(at, word) in words {
            let value = *names.values.entry(word.to_lowercase()).or_insert_with(|| {
                let value =
                    free.find(|value| used.insert(*value)).expect("a file has fewer cards than there are numbers");
                names.names.insert(value, word.to_owned());
                value
            });
            *side(&mut cards[at]) = value;
        }
        names
    }
}

/// The colours of UNO, which are no numbers.
const COLOURS: [&str; 4] = ["red", "yellow", "green", "blue"];

/// More cards than this are no deck: copies are announced by a number, and that is not trusted with memory.
const MOST_CARDS: usize = 10_000_000;

fn read_hands<'a>(source: &'a Text<'a>) -> Result<DeckFile, FileError> {
    let mut cards: Vec<(u32, u32)> = Vec::new();
    // Where each hand ends.
    let mut ends: Vec<usize> = Vec::new();
    let (mut number_words, mut colour_words) = (Vec::new(), Vec::new());
    for line in source.lines() {
        let mut line = line.without_comment(b'#').separated_by(b',');
        let Some(mut first) = line.next() else { continue };
        if first.text.len() >= 3 && first.text.bytes().all(|byte| byte == b'-') {
            line.expect_end()?;
            if cards.len() == ends.last().copied().unwrap_or(0) {
                return Err(first.unexpected("a card of this hand, as its number and its colour"));
            }
            ends.push(cards.len());
            continue;
        }
        let copies = match first.text.strip_suffix(['x', '×']).filter(|count| parse_u32(count).is_some()) {
            Some(count) => {
                let copies = parse_u32(count).unwrap_or(0) as usize;
                if copies == 0 || copies > MOST_CARDS - cards.len() {
                    return Err(first.unexpected(format!("how many copies, from 1x to {}x", MOST_CARDS - cards.len())));
                }
                first = line.expect("the number of the card")?;
                copies
            }
            None => 1,
        };
        let number = value(first, cards.len(), &mut number_words, "the number of a card", "skip")?;
        let second = line.expect("the colour of the card")?;
        let colour = value(second, cards.len(), &mut colour_words, "the colour of the card", "blue")?;
        line.expect_end()?;
        let words = [(number, &mut number_words), (colour, &mut colour_words)];
        // The words of the other copies stand at the places of these.
        for (_, words) in words.into_iter().filter(|(value, _)| *value == u32::MAX) {
            if let Some(&(at, word)) = words.last().filter(|(at, _)| *at == cards.len()) {
                words.extend((1..copies).map(|copy| (at + copy, word)));
            }
        }
        cards.extend(std::iter::repeat_n((number, colour), copies));
    }
    refuse_swapped(&number_words, &colour_words)?;
    if cards.len() == ends.last().copied().unwrap_or(0) {
        return Err(source.ends_early("a card, as its number and its colour"));
    }
    ends.push(cards.len());
    let texts = |words: &[(usize, Word<'a>)]| words.iter().map(|(at, word)| (*at, word.text)).collect::<Vec<_>>();
    let (number_words, colour_words) = (texts(&number_words), texts(&colour_words));
    let numbers = Names::new(&number_words, &mut cards, |card| &mut card.0);
    let colours = Names::new(&colour_words, &mut cards, |card| &mut card.1);
    let mut hands = Vec::with_capacity(ends.len());
    for end in ends.into_iter().rev().skip(1) {
        hands.push(cards.split_off(end));
    }
    hands.push(cards);
    hands.reverse();
    Ok(DeckFile { hands, names: CardNames { numbers, colours } })
}

/// A colour in the place of a number is a card told the wrong way round.
fn refuse_swapped(numbers: &[(usize, Word<'_>)], colours: &[(usize, Word<'_>)]) -> Result<(), FileError> {
    let known: HashSet<String> = colours.iter().map(|(_, word)| word.text.to_lowercase()).collect();
    let is_colour = |name: &str| COLOURS.contains(&name) || known.contains(name);
    match numbers.iter().find(|(_, word)| is_colour(&word.text.to_lowercase())) {
        Some((_, word)) => Err(word.unexpected("the number of the card before its colour, as in '7 blue'")),
        None => Ok(()),
    }
}

/// A number, or a word that is kept with its place to become one; until then its value is that of no card.
fn value<'a>(
    word: Word<'a>,
    at: usize,
    words: &mut Vec<(usize, Word<'a>)>,
    expected: &str,
    example: &str,
) -> Result<u32, FileError> {
    if let Some(number) = parse_u32(word.text) {
        return Ok(number);
    }
    let is_name = match word.text.strip_prefix('+') {
        Some(digits) => parse_u32(digits).is_some(),
        None => word.text.starts_with(char::is_alphabetic) && word.text.chars().nth(1).is_some(),
    };
    if !is_name {
        let range = u32::MAX;
        return Err(
            word.unexpected(format!("{expected} (a whole number from 0 to {range}), or a name like '{example}'"))
        );
    }
    words.push((at, word));
    Ok(u32::MAX)
}

/// Reads the cards of a deck file as pairs of number and colour, in order, whosever they are. `file` is the name that errors
/// mention.
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
    let mut hands = read_hands(source)?.hands;
    if hands.len() == 1 { Ok(hands.remove(0)) } else { Ok(hands.concat()) }
}

/// Reads a file of cards with any number of attributes, a card a line, each attribute a number or a name: how many
/// attributes each card has, and all values, card after card. `file` is the name that errors mention.
///
/// # Errors
/// At the first line with another number of attributes than the first card has, or with one that is neither a number nor a
/// name, or if there is no card at all.
///
/// # Example
/// ```
/// let (attributes, values) = longhaul::io::read_attributes("set.deck", b"1 2 3\n1 5 6 # another\n")?;
/// assert_eq!((attributes, values), (3, vec![1, 2, 3, 1, 5, 6]));
/// # Ok::<(), longhaul::io::FileError>(())
/// ```
pub fn read_attributes(file: &str, bytes: &[u8]) -> Result<(usize, Vec<u32>), FileError> {
    read_attributes_within(file, bytes, &ReadOptions::default())
}

/// [`read_attributes`] within the limits of these options.
///
/// # Errors
/// As there, and if the options tell the reader to stop.
pub fn read_attributes_within(file: &str, bytes: &[u8], options: &ReadOptions) -> Result<(usize, Vec<u32>), FileError> {
    Text::read_within(file, bytes, options, read_rows)
}

fn read_rows<'a>(source: &'a Text<'a>) -> Result<(usize, Vec<u32>), FileError> {
    let mut attributes = 0;
    let mut values: Vec<u32> = Vec::new();
    let mut words = Vec::new();
    for line in source.lines() {
        let mut line = line.without_comment(b'#').separated_by(b',');
        let mut count = 0;
        while attributes == 0 || count < attributes {
            let Some(word) = line.next() else { break };
            values.push(value(word, values.len(), &mut words, "an attribute of the card", "blue")?);
            count += 1;
        }
        if count == 0 {
            continue;
        }
        if attributes == 0 {
            attributes = count;
        } else if count < attributes {
            return Err(line.ends_early("as many attributes as the first card has"));
        }
        line.expect_end()?;
    }
    if attributes == 0 {
        return Err(source.ends_early("a card, as its attributes"));
    }
    for attribute in 0..attributes {
        let of_attribute = words.iter().filter(|(at, _)| at % attributes == attribute);
        let words: Vec<(usize, &str)> = of_attribute.map(|(at, word)| (at / attributes, word.text)).collect();
        let mut column: Vec<(u32, u32)> =
            values.iter().skip(attribute).step_by(attributes).map(|&value| (value, 0)).collect();
        Names::new(&words, &mut column, |card| &mut card.0);
        for (value, (renamed, _)) in values.iter_mut().skip(attribute).step_by(attributes).zip(column) {
            *value = renamed;
        }
    }
    Ok((attributes, values))
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
        places: 0,
        names: NodeNames::consecutive(1, graph.node_count()),
        graph,
        prizes: Vec::new(),
        terminals: Terminals::default(),
        format: Format::Deck,
        coordinates: None,
        notes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_never_numbers_of_the_file() {
        let greatest = u32::MAX;
        let text = format!("{greatest} red\nskip {greatest}\nSKIP Red\nskip green\n");
        let file = DeckFile::parse("a.deck", text.as_bytes()).unwrap();
        let [one, two, three, four] = file.hands[0][..] else { panic!("four cards") };
        assert_eq!((two.0, three.0), (four.0, four.0));
        assert_eq!(one.1, three.1);
        assert!(one.0 != two.0 && one.1 != two.1 && four.1 != one.1 && four.1 != two.1);
        let names: Vec<String> = file.hands[0].iter().map(|card| file.names.card(card.0, card.1)).collect();
        assert_eq!(names, [&format!("{greatest} red"), &format!("skip {greatest}"), "skip red", "skip green"]);
        assert_eq!(file.names.find_colour("green"), Some(four.1));
        assert_eq!(file.names.find_colour("blue"), None);
    }

    #[test]
    fn cards_are_written_in_many_ways() {
        let file = DeckFile::parse("a.deck", b"+2 green\n5,blue\n5, blue\n3x 5 blue\n2x skip red\n").unwrap();
        let cards: Vec<String> = file.hands[0].iter().map(|card| file.names.card(card.0, card.1)).collect();
        let expected = ["+2 green", "5 blue", "5 blue", "5 blue", "5 blue", "5 blue", "skip red", "skip red"];
        assert_eq!(cards, expected);
        for (text, place) in [
            ("blue 7\n", (1, 1)),
            ("7 pink\npink 7\n", (2, 1)),
            ("0x 5 blue\n", (1, 1)),
            ("10000001x 5 5\n", (1, 1)),
            ("3x 5\n", (1, 5)),
            ("+ green\n", (1, 1)),
        ] {
            let error = DeckFile::parse("a.deck", text.as_bytes()).unwrap_err();
            assert_eq!(error.position(), Some(place), "{error}");
        }
    }

    #[test]
    fn hands_are_divided_by_dashes() {
        let file = DeckFile::parse("a.deck", b"1 1\n2 2\n---\n3 3\n----- # the third\n\n4 4").unwrap();
        assert_eq!(file.hands, [vec![(1, 1), (2, 2)], vec![(3, 3)], vec![(4, 4)]]);
        assert_eq!(read_deck("a.deck", b"1 1\n---\n3 3\n").unwrap(), [(1, 1), (3, 3)]);
        for (text, place) in [("---\n1 1\n", (1, 1)), ("1 1\n---\n---\n1 1", (3, 1)), ("1 1\n---\n", (3, 1))] {
            let error = DeckFile::parse("a.deck", text.as_bytes()).unwrap_err();
            assert_eq!(error.position(), Some(place), "{error}");
        }
        assert!(DeckFile::parse("a.deck", b"1 1\n--- x\n1 1").is_err());
        assert!(DeckFile::parse("a.deck", b"1 --\n").is_err());
    }
}
