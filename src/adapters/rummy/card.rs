//! One card: a rank of a suit, or a joker.

use std::fmt;

/// How many ranks there are, from the ace (1) to the king (13).
pub const RANKS: usize = 13;
/// How many suits there are.
pub const SUITS: usize = 4;

/// A suit, or a colour of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Suit {
    /// `H` or ♥.
    Hearts,
    /// `D` or ♦.
    Diamonds,
    /// `C` or ♣.
    Clubs,
    /// `S` or ♠.
    Spades,
}

impl Suit {
    /// All suits in the order in which they are counted.
    pub const ALL: [Suit; SUITS] = [Suit::Hearts, Suit::Diamonds, Suit::Clubs, Suit::Spades];

    /// The letter that stands for the suit.
    pub fn letter(self) -> char {
        ['H', 'D', 'C', 'S'][self.index()]
    }

    /// Where the suit stands among all, from 0.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A card: a rank from 1 (ace) to 13 (king) of a suit, or a joker. Cards are ordered by rank, then by suit; jokers come last.
///
/// It is written as its rank and the letter of its suit, `AS 10D KH`, a joker as `*`; with `{:#}` ranks are numbers
/// throughout, `1S 10D 13H`.
///
/// # Example
/// ```
/// use longhaul::adapters::rummy::{Card, Suit};
///
/// let queen = Card::new(12, Suit::Hearts).expect("ranks go from 1 to 13");
/// assert_eq!((queen.rank(), queen.suit()), (Some(12), Some(Suit::Hearts)));
/// assert_eq!(format!("{queen} {queen:#} {}", Card::JOKER), "QH 12H *");
/// assert_eq!(Card::new(14, Suit::Hearts), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(u8);

impl Card {
    /// A joker, which can stand for any card.
    pub const JOKER: Card = Card((RANKS * SUITS) as u8);
    /// How many different cards there are, the joker among them.
    pub const KINDS: usize = RANKS * SUITS + 1;

    /// The card of this rank and suit; `None` unless the rank is from 1 to 13.
    pub fn new(rank: u8, suit: Suit) -> Option<Self> {
        (1..=RANKS as u8).contains(&rank).then(|| Card::at(usize::from(rank) - 1, suit.index()))
    }

    /// The card in this cell of the grid.
    pub(super) fn at(column: usize, row: usize) -> Self {
        debug_assert!(column < RANKS && row < SUITS);
        Card((column * SUITS + row) as u8)
    }

    /// The column and the row of the grid, both from 0; `None` for a joker.
    pub(super) fn cell(self) -> Option<(usize, usize)> {
        (!self.is_joker()).then(|| (self.index() / SUITS, self.index() % SUITS))
    }

    /// The rank, from 1 to 13; `None` for a joker.
    pub fn rank(self) -> Option<u8> {
        self.cell().map(|(column, _)| column as u8 + 1)
    }

    /// The suit; `None` for a joker.
    pub fn suit(self) -> Option<Suit> {
        self.cell().map(|(_, row)| Suit::ALL[row])
    }

    /// Whether it is a joker.
    pub fn is_joker(self) -> bool {
        self == Card::JOKER
    }

    /// Where it stands among all [`KINDS`](Self::KINDS) of cards, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Every kind of card in order, the joker last.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..Card::KINDS as u8).map(Card)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(rank), Some(suit)) = (self.rank(), self.suit()) else {
            return formatter.write_str("*");
        };
        let face = match rank {
            1 => 'A',
            11 => 'J',
            12 => 'Q',
            13 => 'K',
            _ => return write!(formatter, "{rank}{}", suit.letter()),
        };
        match formatter.alternate() {
            true => write!(formatter, "{rank}{}", suit.letter()),
            false => write!(formatter, "{face}{}", suit.letter()),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
