//! One card.

use std::fmt;

/// A number card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card {
    /// Its number.
    pub number: u32,
    /// Its colour.
    pub colour: u32,
}

impl Card {
    /// Whether one of the two may be played right after the other: they agree in number or colour.
    ///
    /// ```
    /// use longhaul::adapters::uno::Card;
    ///
    /// let card = Card { number: 5, colour: 3 };
    /// assert!(card.matches(Card { number: 0, colour: 3 }));
    /// assert!(!card.matches(Card { number: 3, colour: 5 }));
    /// ```
    pub fn matches(self, other: Card) -> bool {
        self.number == other.number || self.colour == other.colour
    }
}

/// As in a deck file: number, space, colour.
impl fmt::Display for Card {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.number, self.colour)
    }
}
