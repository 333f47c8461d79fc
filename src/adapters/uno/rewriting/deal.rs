//! Games dealt at random, the same for the same seed.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use crate::io::{CardColour, CardType, GameCard, GameFile};

/// The 108 cards: of each colour one 0, and two of each other number, reverse, stop and plus2; four changes and four plus4s.
///
/// ```
/// assert_eq!(longhaul::adapters::uno::rewriting::full_deck().len(), 108);
/// ```
pub fn full_deck() -> Vec<GameCard> {
    let numbers = (0..=9).map(CardType::Number);
    let kinds: Vec<CardType> = numbers.chain([CardType::Reverse, CardType::Stop, CardType::Plus2]).collect();
    let mut cards = Vec::new();
    for colour in CardColour::FOUR {
        for &kind in &kinds {
            let copies = if kind == CardType::Number(0) { 1 } else { 2 };
            cards.extend(std::iter::repeat_n(GameCard { kind, colour }, copies));
        }
    }
    for kind in [CardType::Change, CardType::Plus4] {
        cards.extend([GameCard { kind, colour: CardColour::All }; 4]);
    }
    cards
}

/// What cannot be dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DealError {
    /// The number of players.
    #[error("a game has 2 to 10 players, not {0}")]
    Players(usize),
    /// The number of cards in a hand.
    #[error("{players} hands of {hand} cards and a pile cannot be dealt from {cards} cards")]
    Cards {
        /// How many players there are.
        players: usize,
        /// How many cards each is to have.
        hand: usize,
        /// How many cards there are.
        cards: usize,
    },
}

/// Shuffles the 108 cards, deals so many to each player, card by card, and turns up the first of the pile; a plus4 goes back
/// under the deck, and another card is turned up. The order of the shuffled deck is that of another shuffle.
///
/// # Errors
/// If there are fewer than 2 players or more than 10, or too few cards.
///
/// # Example
/// ```
/// use longhaul::adapters::uno::rewriting::deal;
///
/// let game = deal(1, 4, 7)?;
/// assert_eq!((game.hands.len(), game.hands[3].len(), game.deck.len()), (4, 7, 108 - 28 - 1));
/// # Ok::<(), longhaul::adapters::uno::rewriting::DealError>(())
/// ```
pub fn deal(seed: u64, players: usize, hand: usize) -> Result<GameFile, DealError> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    if !(2..=10).contains(&players) {
        return Err(DealError::Players(players));
    }
    let mut deck = shuffled(&mut random);
    let shuffle = shuffled(&mut random);
    let dealt = players.saturating_mul(hand);
    if dealt >= deck.len() {
        return Err(DealError::Cards { players, hand, cards: deck.len() });
    }
    let cards: Vec<GameCard> = deck.drain(..dealt).collect();
    let hands = (0..players).map(|player| cards.iter().skip(player).step_by(players).copied().collect()).collect();
    // If nothing else is left, a plus4 will have to do.
    let top = deck.iter().position(|card| card.kind != CardType::Plus4).unwrap_or(0);
    deck.rotate_left(top);
    let pile = vec![deck.remove(0)];
    Ok(GameFile { hands, pile, deck, shuffle })
}

fn shuffled(random: &mut Pcg64Mcg) -> Vec<GameCard> {
    let mut cards = full_deck();
    for last in (1..cards.len()).rev() {
        cards.swap(last, below(random, last as u64 + 1) as usize);
    }
    cards
}

/// A number below `limit`, each equally likely.
fn below(random: &mut Pcg64Mcg, limit: u64) -> u64 {
    // The numbers from here on would make some remainders likelier than others.
    let even = u64::MAX - u64::MAX % limit;
    loop {
        let drawn = random.next_u64();
        if drawn < even {
            return drawn % limit;
        }
    }
}
