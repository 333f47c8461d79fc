//! Melds: runs and sets, with jokers in them.

use std::fmt;

use super::card::{Card, RANKS, SUITS, Suit};
use super::hand::{Hand, write_cards};
use super::rules::Ace;

/// A run, three or more consecutive ranks of one suit, or a set, three or four cards of one rank and different suits.
///
/// A joker stands for any card. In a run its place says for which, and runs with jokers in different places are different
/// melds; in a set it stands for some suit that is not there, it doesn't matter which. Jokers alone are a run from the ace of
/// hearts on: only their number matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Meld(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    Run {
        row: u8,
        /// The column of the first card.
        first: u8,
        len: u8,
        /// Bit i for the i-th card.
        jokers: u16,
    },
    Set {
        column: u8,
        /// Bit i for row i.
        rows: u8,
        jokers: u8,
    },
}

impl Meld {
    /// So many consecutive cards of a suit from this rank on; bit i of `jokers` says that the i-th of them, from 0, is a
    /// joker. `None` if the rules don't allow such a run. All 13 cards of a suit begin with the ace.
    pub fn run(suit: Suit, first: u8, len: u8, jokers: u16, ace: Ace) -> Option<Self> {
        let fits = ace.allows(first, len) && u32::from(jokers) < 1 << len;
        fits.then(|| Meld::run_at(suit.index(), usize::from(first) - 1, usize::from(len), jokers))
    }

    /// The cards of a rank in these suits, all different, and so many jokers. `None` unless there are three or four in all.
    pub fn set(rank: u8, suits: &[Suit], jokers: u8) -> Option<Self> {
        let rows = suits.iter().fold(0u8, |rows, suit| rows | 1 << suit.index());
        let different = rows.count_ones() as usize == suits.len();
        let fits = different && (3..=4).contains(&(suits.len() + usize::from(jokers)));
        let ranks = 1..=RANKS as u8;
        (fits && ranks.contains(&rank)).then(|| Meld::set_at(usize::from(rank) - 1, rows, jokers))
    }

    pub(super) fn run_at(row: usize, first: usize, len: usize, jokers: u16) -> Self {
        debug_assert!(row < SUITS && first < RANKS && (3..=RANKS).contains(&len));
        let all = jokers == (1 << len) - 1;
        let (row, first) = if all { (0, 0) } else { (row, first) };
        Meld(Kind::Run { row: row as u8, first: first as u8, len: len as u8, jokers })
    }

    pub(super) fn set_at(column: usize, rows: u8, jokers: u8) -> Self {
        debug_assert!(column < RANKS && (3..=4).contains(&(rows.count_ones() + u32::from(jokers))));
        Meld(Kind::Set { column: column as u8, rows, jokers })
    }

    /// The meld that these cards form in this order, or in any if not; `None` if they form none. Cards that could be either
    /// form a run.
    ///
    /// # Example
    /// ```
    /// use longhaul::adapters::rummy::{Ace, Hand, Meld};
    ///
    /// let meld = |cards: &str| {
    ///     let hand = Hand::parse("cards", cards.as_bytes(), 1).unwrap();
    ///     Meld::from_cards(&hand.cards().collect::<Vec<_>>(), Ace::Low).map(|meld| meld.to_string())
    /// };
    /// assert_eq!(meld("5H 3H *").as_deref(), Some("3H * 5H"));
    /// assert_eq!(meld("5H 5S 5D").as_deref(), Some("5H 5D 5S"));
    /// assert_eq!(meld("5H 6S 5D"), None);
    /// ```
    pub fn from_cards(cards: &[Card], ace: Ace) -> Option<Self> {
        Self::run_as_laid(cards, ace).or_else(|| Self::run_of(cards, ace)).or_else(|| Self::set_of(cards))
    }

    /// The cards are consecutive as they stand.
    fn run_as_laid(cards: &[Card], ace: Ace) -> Option<Self> {
        let (at, (column, row)) = cards.iter().enumerate().find_map(|(at, card)| Some((at, card.cell()?)))?;
        let first = (column + RANKS - at % RANKS) % RANKS;
        let fits = |(at, card): (usize, &Card)| card.cell().is_none_or(|cell| cell == ((first + at) % RANKS, row));
        let jokers = cards.iter().enumerate().filter(|(_, card)| card.is_joker());
        let mask = jokers.fold(0u32, |mask, (at, _)| mask | 1u32.checked_shl(at as u32).unwrap_or(0));
        let valid = cards.len() <= RANKS && cards.iter().enumerate().all(fits);
        valid.then(|| Self::canonical_run(row, first, cards.len(), mask as u16, ace))?
    }

    /// The run that these cards form in some order: jokers fill gaps, then go behind the last card, then before the first.
    fn run_of(cards: &[Card], ace: Ace) -> Option<Self> {
        let mut naturals: Vec<(usize, usize)> = cards.iter().filter_map(|card| card.cell()).collect();
        let jokers = cards.len() - naturals.len();
        naturals.sort_unstable();
        let starts = naturals.iter().map(|&(column, _)| column).rev().chain((0..RANKS).rev());
        let placed = |first: usize| {
            let mut order = vec![Card::JOKER; cards.len()];
            for &(column, row) in &naturals {
                let place = order.get_mut((column + RANKS - first) % RANKS)?;
                if !place.is_joker() {
                    return None;
                }
                *place = Card::at(column, row);
            }
            Self::run_as_laid(&order, ace)
        };
        (cards.len() <= RANKS && jokers < cards.len()).then(|| starts.into_iter().find_map(placed))?
    }

    /// All 13 cards of a suit are one run, from the ace on; others as they are.
    pub(super) fn canonical_run(row: usize, first: usize, len: usize, jokers: u16, ace: Ace) -> Option<Self> {
        if len == RANKS {
            if first + len > ace.columns() && ace != Ace::Around {
                return None;
            }
            // The card at place i has column first + i; its place is to be its column.
            let turned = (u32::from(jokers) << first) & 0x1FFF | u32::from(jokers) >> (RANKS - first);
            return Some(Self::run_at(row, 0, RANKS, turned as u16));
        }
        (len < RANKS && ace.allows(first as u8 + 1, len as u8)).then(|| Self::run_at(row, first, len, jokers))
    }

    fn set_of(cards: &[Card]) -> Option<Self> {
        let mut naturals = cards.iter().filter_map(|card| card.cell());
        let (column, row) = naturals.next()?;
        let mut rows = 1u8 << row;
        let mut count = 1;
        for (other, row) in naturals {
            if other != column || rows >> row & 1 == 1 {
                return None;
            }
            rows |= 1 << row;
            count += 1;
        }
        (3..=4).contains(&cards.len()).then(|| Self::set_at(column, rows, (cards.len() - count) as u8))
    }

    pub(super) fn kind(&self) -> Kind {
        self.0
    }

    /// Whether it is a run, not a set.
    pub fn is_run(&self) -> bool {
        matches!(self.0, Kind::Run { .. })
    }

    /// How many cards it has.
    #[expect(clippy::len_without_is_empty, reason = "a meld has at least three cards")]
    pub fn len(&self) -> usize {
        match self.0 {
            Kind::Run { len, .. } => usize::from(len),
            Kind::Set { rows, jokers, .. } => rows.count_ones() as usize + usize::from(jokers),
        }
    }

    /// How many of its cards are jokers.
    pub fn jokers(&self) -> usize {
        match self.0 {
            Kind::Run { jokers, .. } => jokers.count_ones() as usize,
            Kind::Set { jokers, .. } => usize::from(jokers),
        }
    }

    /// Its cards as they are laid: a run by rank, a set by suit with the jokers last.
    pub fn cards(&self) -> impl Iterator<Item = Card> + use<> {
        let laid = *self;
        self.stands_for().enumerate().map(move |(at, card)| if laid.is_joker(at) { Card::JOKER } else { card })
    }

    /// The same with the cards that the jokers stand for; in a set, the first suits that are missing.
    pub fn stands_for(&self) -> impl Iterator<Item = Card> + use<> {
        let laid = *self;
        (0..self.len()).map(move |at| match laid.0 {
            Kind::Run { row, first, .. } => Card::at((usize::from(first) + at) % RANKS, usize::from(row)),
            Kind::Set { column, rows, .. } => {
                let there = (0..SUITS).filter(|row| rows >> row & 1 == 1);
                let missing = (0..SUITS).filter(|row| rows >> row & 1 == 0);
                let row = there.chain(missing).nth(at).expect("a set has four cards at most");
                Card::at(usize::from(column), row)
            }
        })
    }

    /// Whether the card at this place, from 0, is a joker.
    pub fn is_joker(&self, at: usize) -> bool {
        match self.0 {
            Kind::Run { jokers, .. } => jokers >> at & 1 == 1,
            Kind::Set { rows, .. } => at >= rows.count_ones() as usize,
        }
    }

    /// The first cell of the grid that the meld takes or, by a joker, stands for: the melds of a configuration are listed in
    /// this order.
    pub(super) fn column(&self) -> usize {
        match self.0 {
            Kind::Run { first, .. } => usize::from(first),
            Kind::Set { column, .. } => usize::from(column),
        }
    }

    /// Whether the hand has the cards for it.
    pub(super) fn fits(&self, hand: &Hand) -> bool {
        usize::from(hand.jokers) >= self.jokers()
            && self.cards().filter_map(|card| card.cell()).all(|(column, row)| hand.counts[column][row] > 0)
    }

    /// Takes its cards, which are there, out of the hand.
    pub(super) fn take(&self, hand: &mut Hand) {
        hand.jokers -= self.jokers() as u8;
        for (column, row) in self.cards().filter_map(|card| card.cell()) {
            hand.counts[column][row] -= 1;
        }
    }

    /// Puts its cards back.
    pub(super) fn give_back(&self, hand: &mut Hand) {
        hand.jokers += self.jokers() as u8;
        for (column, row) in self.cards().filter_map(|card| card.cell()) {
            hand.counts[column][row] += 1;
        }
    }
}

impl fmt::Display for Meld {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_cards(formatter, self.cards())
    }
}

impl fmt::Debug for Meld {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
