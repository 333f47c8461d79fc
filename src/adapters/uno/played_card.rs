//! Sequences with cards that the deck has not.

use fixedbitset::FixedBitSet;

use super::card::Card;
use super::deck::Deck;

/// A card as it is laid: one of the deck, or one beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayedCard {
    /// The card at this position of the deck, from 1.
    Dealt {
        /// The position.
        position: usize,
    },
    /// A card added to the deck.
    Added(Card),
    /// A wild card, which matches everything.
    Wild,
}

impl PlayedCard {
    /// What is laid; `None` for a wild card.
    ///
    /// # Panics
    /// If the deck has no such position.
    pub fn card(self, deck: &Deck) -> Option<Card> {
        match self {
            PlayedCard::Dealt { position } => Some(deck.cards()[position - 1]),
            PlayedCard::Added(card) => Some(card),
            PlayedCard::Wild => None,
        }
    }
}

/// Whether each card matches the one before, and no card of the deck is laid twice.
///
/// # Example
/// ```
/// use longhaul::adapters::uno::{Card, Deck, PlayedCard, is_sequence};
///
/// let deck = Deck::new(vec![Card { number: 1, colour: 1 }, Card { number: 2, colour: 2 }]);
/// let [one, two] = [1, 2].map(|position| PlayedCard::Dealt { position });
/// assert!(!is_sequence(&deck, &[one, two]));
/// assert!(is_sequence(&deck, &[one, PlayedCard::Wild, two]));
/// assert!(is_sequence(&deck, &[one, PlayedCard::Added(Card { number: 1, colour: 2 }), two]));
/// ```
pub fn is_sequence(deck: &Deck, laid: &[PlayedCard]) -> bool {
    let mut taken = FixedBitSet::with_capacity(deck.cards().len());
    let mut before: Option<Card> = None;
    laid.iter().all(|&laid| {
        if let PlayedCard::Dealt { position } = laid {
            let at = position.checked_sub(1).filter(|&at| at < taken.len());
            if at.is_none_or(|at| taken.put(at)) {
                return false;
            }
        }
        let card = laid.card(deck);
        let follows = before.zip(card).is_none_or(|(before, card)| card.matches(before));
        before = card;
        follows
    })
}
