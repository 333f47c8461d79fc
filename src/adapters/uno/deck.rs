//! A deck: cards in the order of their file.

use std::io::Write;
use std::path::Path;

use super::card::Card;
use crate::io::{self, FileError};

/// Cards with their positions, counted from 1; the same card may be there more than once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deck {
    cards: Vec<Card>,
}

impl Deck {
    /// A deck of these cards.
    pub fn new(cards: Vec<Card>) -> Self {
        Deck { cards }
    }

    /// Reads a deck file, or standard input if the path is `-`: `number colour` a line, `#` for comments.
    /// Names stand for numbers that the file doesn't use, and hands are taken together; [`io::DeckFile`] tells both.
    ///
    /// # Errors
    /// If the file cannot be read, a line is not a card, or there is no card at all.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let (name, bytes) = io::read_bytes(path)?;
        Self::parse(&name, &bytes)
    }

    /// Reads a deck from the bytes of a file of this name.
    ///
    /// # Errors
    /// If a line is not a card or there is no card at all: with line, column, what was read and what was expected.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, FileError> {
        let card = |(number, colour)| Card { number, colour };
        io::read_deck(name, bytes).map(|cards| Deck { cards: cards.into_iter().map(card).collect() })
    }

    /// Writes the cards, one a line.
    ///
    /// # Errors
    /// Whatever the writer says.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        io::write_deck(self.cards.iter().map(|card| (card.number, card.colour)), out)
    }

    /// The cards in order.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// The position, from 1, of the first copy of a card.
    pub fn position(&self, card: Card) -> Option<usize> {
        self.cards.iter().position(|&other| other == card).map(|index| index + 1)
    }
}
