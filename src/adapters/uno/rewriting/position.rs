//! A position taken apart, as the rules look at it.

use super::code::{self, Code, HELD};

/// The most players.
pub(super) const PLAYERS: usize = 10;

/// A hand.
#[derive(Clone, Copy)]
pub(super) struct Hand {
    /// How many of each card.
    pub(super) counts: [u8; HELD],
    /// Which cards there are.
    pub(super) cards: u64,
}

impl Hand {
    pub(super) const EMPTY: Hand = Hand { counts: [0; HELD], cards: 0 };

    pub(super) fn add(&mut self, card: Code) {
        self.counts[usize::from(card)] += 1;
        self.cards |= 1 << card;
    }

    pub(super) fn take(&mut self, card: Code) {
        let count = &mut self.counts[usize::from(card)];
        *count -= 1;
        if *count == 0 {
            self.cards &= !(1 << card);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cards == 0
    }

    /// The colour of most cards; of several such, the first.
    pub(super) fn most_frequent_colour(&self) -> u8 {
        let mut counts = [0u32; code::COLOURS as usize];
        for card in code::each(self.cards & !code::WILD) {
            counts[usize::from(card % code::COLOURS)] += u32::from(self.counts[usize::from(card)]);
        }
        let most = counts.iter().max().copied().unwrap_or(0);
        counts.iter().position(|&count| count == most).unwrap_or(0) as u8
    }
}

/// What is left to draw.
#[derive(Clone, Copy)]
pub(super) enum Draw {
    /// The deck of the file from this place on.
    Dealt(usize),
    /// So many of each card, the last ones of the shuffled deck, in its order.
    Shuffled([u8; HELD]),
}

/// The cards of the pile under its top, the last one played at the end. Empty where only the top matters.
#[derive(Clone, Copy)]
pub(super) struct Below<'a> {
    /// All but the last.
    cards: &'a [Code],
    last: Option<Code>,
}

impl<'a> Below<'a> {
    pub(super) const EMPTY: Below<'static> = Below { cards: &[], last: None };

    pub(super) fn new(cards: &'a [Code]) -> Self {
        Below { cards, last: None }
    }

    pub(super) fn cards(&self) -> impl ExactSizeIterator<Item = Code> {
        let last = self.last.as_slice();
        (0..self.cards.len() + last.len()).map(|at| self.cards.get(at).copied().unwrap_or_else(|| last[0]))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cards.is_empty() && self.last.is_none()
    }

    /// No step lays more than one card.
    pub(super) fn push(&mut self, card: Code) {
        debug_assert!(self.last.is_none());
        self.last = Some(card);
    }
}

/// A position.
#[derive(Clone, Copy)]
pub(super) struct Position<'a> {
    /// How many play.
    pub(super) players: usize,
    pub(super) hands: [Hand; PLAYERS],
    pub(super) draw: Draw,
    pub(super) top: Code,
    pub(super) below: Below<'a>,
    /// Whose turn it is.
    pub(super) first: usize,
    /// Whether play goes in the order of the file.
    pub(super) forwards: bool,
    /// A card has been played in this turn, and what it does is to come.
    pub(super) played: bool,
    /// A card has been drawn in this turn.
    pub(super) drawn: bool,
    /// How many cards are to be drawn by force.
    pub(super) counter: u8,
    /// Under the official rules: the card drawn in this turn, which may be played or kept.
    pub(super) pending: Code,
}

impl Position<'_> {
    /// Whose turn comes so many turns later, if nothing turns it round.
    pub(super) fn after(&self, turns: usize) -> usize {
        let turns = turns % self.players;
        (self.first + if self.forwards { turns } else { self.players - turns }) % self.players
    }

    pub(super) fn is_finished(&self) -> bool {
        self.hands[..self.players].iter().any(Hand::is_empty)
    }

    /// Who has won: who stands first with an empty hand.
    pub(super) fn winner(&self) -> Option<usize> {
        self.hands[self.first].is_empty().then_some(self.first)
    }

    pub(super) fn mover(&self) -> &Hand {
        &self.hands[self.first]
    }

    pub(super) fn mover_mut(&mut self) -> &mut Hand {
        &mut self.hands[self.first]
    }
}
