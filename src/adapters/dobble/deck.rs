//! Decks: cards of equal size, with names for their symbols.

use std::borrow::Cow;
use std::io::Write;

use super::sharing::{Cards, Sharing, misfits};
use super::watch::Watch;
use crate::io::{FileError, SymbolFile, SymbolNames, write_symbols};

/// Cards of equal size, each a set of symbols; symbols are numbers from 0 with names.
///
/// # Example
/// ```
/// use longhaul::adapters::dobble::{Deck, Sharing};
///
/// let deck = Deck::parse("three.deck", b"1 2 anchor\n1 3 clown\n2 3 zebra\n")?;
/// assert_eq!((deck.len(), deck.card_size(), deck.symbol_count()), (3, 3, 6));
/// assert_eq!(deck.check(Sharing::ExactlyOne), Ok(()));
/// # Ok::<(), longhaul::io::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    card_size: usize,
    /// The symbols of all cards, card after card.
    symbols: Vec<u32>,
    names: Names,
    /// The line of each card in its file, from 1; empty if there is none.
    lines: Vec<u32>,
}

/// What symbols are called.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Names {
    /// So many are called 1, 2, ….
    Numbers(usize),
    Words(SymbolNames),
}

/// Two cards of a deck that share the wrong number of symbols.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Unfit {
    /// Their positions in the deck, from 0; the first is the smaller.
    pub cards: (usize, usize),
    /// The names of the symbols that they share: none, or two or more.
    pub shared: Vec<String>,
    text: String,
}

impl Deck {
    /// A deck of these cards, whose symbols are numbers from 0 and are called 1, 2, …; each card comes out ascending.
    ///
    /// # Panics
    /// If cards differ in size, are empty, or have a symbol twice.
    pub fn new(cards: &[Vec<u32>]) -> Self {
        let card_size = cards.first().map_or(1, Vec::len);
        assert!(cards.iter().all(|card| card.len() == card_size), "all cards have as many symbols");
        Deck::numbered(card_size, cards.concat())
    }

    /// A deck of cards of so many numbers each, after one another.
    pub(super) fn numbered(card_size: usize, mut symbols: Vec<u32>) -> Self {
        assert!(card_size > 0, "a card has at least one symbol");
        let mut count = 0;
        for card in symbols.chunks_exact_mut(card_size) {
            if !card.is_sorted() {
                card.sort_unstable();
            }
            assert!(card.windows(2).all(|pair| pair[0] < pair[1]), "no symbol is on a card twice");
            count = count.max(card[card_size - 1] as usize + 1);
        }
        Deck { card_size, symbols, names: Names::Numbers(count), lines: Vec::new() }
    }

    /// The symbols of all cards, after one another.
    pub(super) fn into_symbols(self) -> Vec<u32> {
        self.symbols
    }

    /// Keeps only this many cards.
    pub(super) fn truncate(&mut self, cards: usize) {
        self.symbols.truncate(cards * self.card_size);
        if let Names::Numbers(count) = &mut self.names {
            *count = self.symbols.iter().max().map_or(0, |&most| most as usize + 1);
        }
    }

    /// Reads a deck from the bytes of a file: a card a line, its symbols as any words.
    ///
    /// # Errors
    /// If cards differ in size or have a symbol twice, or if there is no card; with the place.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, FileError> {
        let SymbolFile { size, cards, names, lines } = SymbolFile::parse(file, bytes)?;
        Ok(Deck { card_size: size, symbols: cards, names: Names::Words(names), lines })
    }

    /// Writes the deck as a table that [`parse`](Self::parse) reads again.
    ///
    /// # Errors
    /// Whatever the writer says.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        match &self.names {
            Names::Numbers(count) => write_numbers(&self.symbols, self.card_size, *count, out),
            Names::Words(names) => write_symbols(&self.symbols, self.card_size, names, out),
        }
    }

    /// How many cards there are.
    pub fn len(&self) -> usize {
        self.symbols.len() / self.card_size
    }

    /// Whether there is no card.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// How many symbols a card has.
    pub fn card_size(&self) -> usize {
        self.card_size
    }

    /// How many symbols have a name: those on the cards, and for a deck made of numbers those below the greatest.
    pub fn symbol_count(&self) -> usize {
        match &self.names {
            Names::Numbers(count) => *count,
            Names::Words(names) => names.len(),
        }
    }

    /// The symbols of the card at this position, from 0.
    pub fn card(&self, position: usize) -> &[u32] {
        &self.symbols[position * self.card_size..][..self.card_size]
    }

    /// All cards in order.
    pub fn cards(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.symbols.chunks_exact(self.card_size)
    }

    /// What a symbol is called.
    ///
    /// # Panics
    /// If it has no name.
    pub fn name(&self, symbol: u32) -> Cow<'_, str> {
        assert!((symbol as usize) < self.symbol_count(), "symbol {symbol} has a name");
        match &self.names {
            Names::Numbers(_) => Cow::Owned((u64::from(symbol) + 1).to_string()),
            Names::Words(names) => Cow::Borrowed(names.get(symbol as usize)),
        }
    }

    /// Checks that any two cards differ and share what they should. For c cards of k symbols `O(c k min(k, √(c k)))`, and less where most
    /// symbols are on few cards (Norishige Chiba, Takao Nishizeki, *Arboricity and subgraph listing algorithms*, SIAM Journal on
    /// Computing 14, 1985, DOI 10.1137/0214017).
    ///
    /// # Errors
    /// Two cards that do not; two that share too much, if there are any. Two equal cards are told even where they share no more
    /// than they should, since both have a single symbol.
    pub fn check(&self, sharing: Sharing) -> Result<(), Unfit> {
        if self.card_size == 1
            && let Some((first, second)) = self.equal_cards()
        {
            return Err(self.unfit(first, second, sharing));
        }
        let cards = self.as_cards();
        let pair = misfits(cards, sharing, &mut Watch::unlimited()).expect("there is no limit");
        pair.map_or(Ok(()), |(first, second)| Err(self.unfit(first, second, sharing)))
    }

    /// The first card of a single symbol that was there before, with that one.
    fn equal_cards(&self) -> Option<(usize, usize)> {
        let mut met = vec![None; self.symbol_count()];
        let mut cards = self.symbols.iter().enumerate();
        cards.find_map(|(card, &symbol)| Some((met[symbol as usize].replace(card)?, card)))
    }

    pub(super) fn as_cards(&self) -> Cards<'_> {
        Cards { symbols: &self.symbols, size: self.card_size, count: self.symbol_count() }
    }

    fn unfit(&self, first: usize, second: usize, sharing: Sharing) -> Unfit {
        const TOLD: usize = 8;
        let mut second_card = self.card(second).to_vec();
        second_card.sort_unstable();
        let on_second = |symbol: &&u32| second_card.binary_search(symbol).is_ok();
        let shared: Vec<String> =
            self.card(first).iter().filter(on_second).map(|&symbol| self.name(symbol).into_owned()).collect();
        let place = |card: usize| match self.lines.get(card) {
            Some(line) => format!("card {} (line {line})", card + 1),
            None => format!("card {}", card + 1),
        };
        let what = match shared.len() {
            0 => "no symbol".to_owned(),
            many @ ..=TOLD => format!("{many} symbols ({})", shared.join(", ")),
            many => format!("{many} symbols ({}, …)", shared[..TOLD].join(", ")),
        };
        let [first_place, second_place] = [first, second].map(place);
        let text = match self.card_size {
            1 if shared.len() == 1 => {
                format!("{first_place} and {second_place} are the same card ({}); any two should differ", shared[0])
            }
            _ => format!("{first_place} and {second_place} share {what}; any two should share {sharing}"),
        };
        Unfit { cards: (first, second), shared, text }
    }
}

/// Writes cards of numbers below `count` as a table, all one higher.
fn write_numbers(cards: &[u32], size: usize, count: usize, out: &mut dyn Write) -> std::io::Result<()> {
    const DIGITS: usize = 20;
    let width = count.max(1).ilog10() as usize + 1;
    let mut line: Vec<u8> = Vec::new();
    for card in cards.chunks(size) {
        let mut gap = 0;
        for chunk in card.chunks(1 << 12) {
            line.clear();
            for &symbol in chunk {
                let mut digits = [b' '; DIGITS + 1];
                let (mut rest, mut at) = (u64::from(symbol) + 1, digits.len());
                while rest > 0 {
                    at -= 1;
                    digits[at] = b'0' + (rest % 10) as u8;
                    rest /= 10;
                }
                line.extend_from_slice(&digits[digits.len() - width - gap..]);
                gap = 1;
            }
            out.write_all(&line)?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
