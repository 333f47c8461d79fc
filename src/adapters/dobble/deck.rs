//! Decks, and whether any two of their cards share what they should.

use std::fmt;
use std::io::Write;

use crate::io::{FileError, SymbolFile, write_symbols};

/// How many symbols two cards share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sharing {
    /// Any two cards share exactly one symbol.
    #[default]
    ExactlyOne,
    /// Any two cards share no symbol or one.
    AtMostOne,
}

impl fmt::Display for Sharing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Sharing::ExactlyOne => "exactly one",
            Sharing::AtMostOne => "at most one",
        })
    }
}

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
    names: Vec<String>,
    /// The line of each card in its file, from 1; empty if there is none.
    lines: Vec<u32>,
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
        assert!(card_size > 0, "a card has at least one symbol");
        let mut symbols = Vec::with_capacity(cards.len() * card_size);
        for card in cards {
            assert_eq!(card.len(), card_size, "all cards have as many symbols");
            let from = symbols.len();
            symbols.extend_from_slice(card);
            symbols[from..].sort_unstable();
            assert!(symbols[from..].windows(2).all(|pair| pair[0] < pair[1]), "no symbol is on a card twice");
        }
        let count = symbols.iter().max().map_or(0, |&most| most + 1);
        Deck { card_size, symbols, names: (1..=count).map(|number| number.to_string()).collect(), lines: Vec::new() }
    }

    /// Reads a deck from the bytes of a file: a card a line, its symbols as any words.
    ///
    /// # Errors
    /// If cards differ in size or have a symbol twice, or if there is no card; with the place.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, FileError> {
        let SymbolFile { size, cards, names, lines } = SymbolFile::parse(file, bytes)?;
        Ok(Deck { card_size: size, symbols: cards, names, lines })
    }

    /// Writes the deck as a table that [`parse`](Self::parse) reads again.
    ///
    /// # Errors
    /// Whatever the writer says.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        write_symbols(&self.symbols, self.card_size, &self.names, out)
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
        self.names.len()
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
    pub fn name(&self, symbol: u32) -> &str {
        &self.names[symbol as usize]
    }

    /// Checks that any two cards share what they should. `O(c k² + s)` for c cards of k symbols, s symbols in all.
    ///
    /// Two cards share two symbols exactly if some pair of symbols is on two cards, which is seen symbol by symbol. If there are
    /// no such cards, the pairs of cards that share a symbol are as many as each symbol has pairs of cards, together.
    ///
    /// # Errors
    /// Two cards that do not; two that share too much, if there are any.
    pub fn check(&self, sharing: Sharing) -> Result<(), Unfit> {
        let (starts, holders) = self.holders();
        let row = |symbol: u32| &holders[starts[symbol as usize]..starts[symbol as usize + 1]];
        // Per symbol: on which card it was met last beside the one at hand, and when.
        let mut met = vec![(u32::MAX, 0u32); self.names.len()];
        let mut found: Option<(usize, usize)> = None;
        for symbol in 0..self.names.len() as u32 {
            for &card in row(symbol) {
                for &other in self.card(card as usize) {
                    // Every pair is seen from both sides; once is enough.
                    if other <= symbol {
                        continue;
                    }
                    let (when, holder) = std::mem::replace(&mut met[other as usize], (symbol, card));
                    if when == symbol {
                        let pair = (card as usize, holder as usize);
                        found = Some(found.map_or(pair, |known| known.min(pair)));
                    }
                }
            }
        }
        if let Some((second, first)) = found {
            return Err(self.unfit(first, second, sharing));
        }
        let meetings = |card: &[u32]| card.iter().map(|&symbol| row(symbol).len() - 1).sum::<usize>();
        let lonely = self.cards().position(|card| meetings(card) + 1 < self.len());
        if let Some(first) = lonely.filter(|_| sharing == Sharing::ExactlyOne) {
            let mut meets = vec![false; self.len()];
            meets[first] = true;
            for &symbol in self.card(first) {
                row(symbol).iter().for_each(|&card| meets[card as usize] = true);
            }
            let second = meets.iter().position(|&meets| !meets).expect("the card meets fewer than all others");
            return Err(self.unfit(first.min(second), first.max(second), sharing));
        }
        Ok(())
    }

    /// The cards with each symbol, ascending, symbol after symbol.
    fn holders(&self) -> (Vec<usize>, Vec<u32>) {
        let mut starts = vec![0usize; self.names.len() + 1];
        self.symbols.iter().for_each(|&symbol| starts[symbol as usize + 1] += 1);
        for symbol in 0..self.names.len() {
            starts[symbol + 1] += starts[symbol];
        }
        let mut next = starts.clone();
        let mut holders = vec![0u32; self.symbols.len()];
        for (at, &symbol) in self.symbols.iter().enumerate() {
            holders[next[symbol as usize]] = (at / self.card_size) as u32;
            next[symbol as usize] += 1;
        }
        (starts, holders)
    }

    fn unfit(&self, first: usize, second: usize, sharing: Sharing) -> Unfit {
        let on_second = |symbol: &&u32| self.card(second).contains(symbol);
        let shared: Vec<String> =
            self.card(first).iter().filter(on_second).map(|&symbol| self.name(symbol).to_owned()).collect();
        let place = |card: usize| match self.lines.get(card) {
            Some(line) => format!("card {} (line {line})", card + 1),
            None => format!("card {}", card + 1),
        };
        let what = match shared.len() {
            0 => "no symbol".to_owned(),
            many => format!("{many} symbols ({})", shared.join(", ")),
        };
        let text = format!("{} and {} share {what}; any two should share {sharing}", place(first), place(second));
        Unfit { cards: (first, second), shared, text }
    }
}
