//! A hand: how many copies of each card somebody holds.

use std::fmt;

use super::card::{Card, RANKS, SUITS, Suit};
use crate::io::{FileError, HandFile};

/// A hand of cards from so many decks, with its jokers: the grid of 4 × 13 counts of the source, where a count is how many
/// copies of the card are held.
///
/// # Example
/// ```
/// use longhaul::adapters::rummy::{Card, Hand};
///
/// let mut hand = Hand::parse("hand", b"3H 4H 5H 3H *", 2)?;
/// let three = Card::new(3, longhaul::adapters::rummy::Suit::Hearts).unwrap();
/// assert_eq!((hand.len(), hand.count(three), hand.count(Card::JOKER)), (5, 2, 1));
/// assert!(hand.add(three).is_err(), "two decks have two of it");
/// assert_eq!(hand.to_string(), "3H 3H 4H 5H *");
/// # Ok::<(), longhaul::io::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hand {
    pub(super) counts: [[u8; SUITS]; RANKS],
    pub(super) jokers: u8,
    decks: u8,
}

/// Why a card can't be added to a hand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandError {
    /// The decks don't hold another copy of the card.
    #[error("there is no further {card} in {}", decks_of(*.decks))]
    TooManyCopies {
        /// The card.
        card: Card,
        /// How many decks there are.
        decks: u8,
    },
    /// There is no room for another joker.
    #[error("a hand has room for {} jokers", Hand::MAX_JOKERS)]
    TooManyJokers,
}

fn decks_of(decks: u8) -> String {
    if decks == 1 { "1 deck".to_owned() } else { format!("{decks} decks") }
}

impl Hand {
    /// The most decks that a hand can come from.
    pub const MAX_DECKS: u8 = 16;
    /// The most jokers of a hand.
    pub const MAX_JOKERS: u8 = 32;

    /// An empty hand of cards that come from so many decks.
    ///
    /// # Panics
    /// Unless there are 1 to [`MAX_DECKS`](Self::MAX_DECKS) decks.
    pub fn new(decks: u8) -> Self {
        assert!((1..=Self::MAX_DECKS).contains(&decks), "{decks} decks, not 1 to {}", Self::MAX_DECKS);
        Hand { counts: [[0; SUITS]; RANKS], jokers: 0, decks }
    }

    /// Reads the cards of all lines of a [file of cards](HandFile); `file` is the name that errors mention.
    ///
    /// # Errors
    /// At the first thing that is no card, at a card that the decks don't hold so often, or if there is no card at all.
    ///
    /// # Panics
    /// Unless there are 1 to [`MAX_DECKS`](Self::MAX_DECKS) decks.
    pub fn parse(file: &str, bytes: &[u8], decks: u8) -> Result<Self, FileError> {
        let mut hand = Hand::new(decks);
        hand.add_all(&HandFile::parse(file, bytes)?)?;
        Ok(hand)
    }

    /// Adds the cards of a file.
    ///
    /// # Errors
    /// At the first card that the decks don't hold so often; the cards before it have been added.
    pub fn add_all(&mut self, file: &HandFile) -> Result<(), FileError> {
        for (line, cards) in file.lines.iter().enumerate() {
            for (place, &card) in cards.iter().enumerate() {
                self.add(card_of(card)).map_err(|error| {
                    let expected = match error {
                        HandError::TooManyCopies { card, decks } => {
                            format!("another card: {card} is in {} no more often", decks_of(decks))
                        }
                        HandError::TooManyJokers => format!("{} jokers at most", Self::MAX_JOKERS),
                    };
                    file.unexpected(line, place..place + 1, expected)
                })?;
            }
        }
        Ok(())
    }

    /// Adds a card.
    ///
    /// # Errors
    /// If the decks hold no further copy of it, or there are [`MAX_JOKERS`](Self::MAX_JOKERS) jokers already.
    pub fn add(&mut self, card: Card) -> Result<(), HandError> {
        let decks = self.decks;
        match card.cell() {
            None if self.jokers == Self::MAX_JOKERS => return Err(HandError::TooManyJokers),
            None => self.jokers += 1,
            Some((column, row)) if self.counts[column][row] == decks => {
                return Err(HandError::TooManyCopies { card, decks });
            }
            Some((column, row)) => self.counts[column][row] += 1,
        }
        Ok(())
    }

    /// Takes a copy of the card away; `false` if there is none.
    pub fn remove(&mut self, card: Card) -> bool {
        let count = match card.cell() {
            None => &mut self.jokers,
            Some((column, row)) => &mut self.counts[column][row],
        };
        let there = *count > 0;
        *count -= u8::from(there);
        there
    }

    /// How many copies of the card there are.
    pub fn count(&self, card: Card) -> u8 {
        card.cell().map_or(self.jokers, |(column, row)| self.counts[column][row])
    }

    /// How many decks the cards come from: no card is there more often.
    pub fn decks(&self) -> u8 {
        self.decks
    }

    /// How many cards there are, jokers too.
    pub fn len(&self) -> usize {
        let naturals: usize = self.counts.iter().flatten().map(|&count| usize::from(count)).sum();
        naturals + usize::from(self.jokers)
    }

    /// Whether there is no card.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The different cards in order, jokers last.
    pub fn kinds(&self) -> impl Iterator<Item = Card> + '_ {
        Card::all().filter(|&card| self.count(card) > 0)
    }

    /// All cards in order, jokers last.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        self.kinds().flat_map(|card| std::iter::repeat_n(card, usize::from(self.count(card))))
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_cards(formatter, self.cards())
    }
}

/// Cards with a space between, in the form that the formatter asks for.
pub(super) fn write_cards(formatter: &mut fmt::Formatter<'_>, cards: impl Iterator<Item = Card>) -> fmt::Result {
    for (at, card) in cards.enumerate() {
        if at > 0 {
            formatter.write_str(" ")?;
        }
        fmt::Display::fmt(&card, formatter)?;
    }
    Ok(())
}

/// A card as files tell it.
pub(super) fn card_of(card: Option<(u8, u8)>) -> Card {
    card.map_or(Card::JOKER, |(rank, suit)| {
        Card::new(rank, Suit::ALL[usize::from(suit)]).expect("a file of cards has no other ranks")
    })
}
