//! Plays, and the rules as a referee checks them: nothing of the search is asked.

use fixedbitset::FixedBitSet;

use super::PlayRule;
use crate::adapters::uno::card::Card;
use crate::adapters::uno::deck::Deck;

/// What a player does when it is its turn. Players and positions in hands count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The player plays the card at this position of its hand.
    Play {
        /// Whose turn it is.
        player: usize,
        /// Where the card is in the player's hand, as it was dealt.
        position: usize,
    },
    /// The player cannot play.
    Skip {
        /// Whose turn it is.
        player: usize,
    },
}

impl Turn {
    /// Whose turn it is.
    pub fn player(self) -> usize {
        match self {
            Turn::Play { player, .. } | Turn::Skip { player } => player,
        }
    }
}

/// Why a play is not a win of player 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadPlay {
    /// The turn is another player's.
    #[error("turn {turn} is taken by player {player}; it is the turn of player {expected}")]
    OutOfTurn {
        /// Which turn, from 1.
        turn: usize,
        /// Who takes it.
        player: usize,
        /// Whose it is.
        expected: usize,
    },
    /// The player has no such card, or has played it.
    #[error("in turn {turn} player {player} has no card at position {position}, or no longer")]
    NoSuchCard {
        /// Which turn, from 1.
        turn: usize,
        /// Who plays.
        player: usize,
        /// The position in the player's hand, from 1.
        position: usize,
    },
    /// The card agrees neither in number nor in colour.
    #[error("in turn {turn} the card '{card}' is played on '{top}', which it does not match")]
    NoMatch {
        /// Which turn, from 1.
        turn: usize,
        /// The card played.
        card: Card,
        /// The card before.
        top: Card,
    },
    /// The rule knows no skips, or the player could have played.
    #[error("in turn {turn} player {player} skips and may not")]
    VoluntarySkip {
        /// Which turn, from 1.
        turn: usize,
        /// Who skips.
        player: usize,
    },
    /// The game was over before this turn.
    #[error("turn {turn} comes after the end of the game")]
    Over {
        /// Which turn, from 1.
        turn: usize,
    },
    /// Another player's hand is empty first.
    #[error("player {player} finishes in turn {turn}, before player 1")]
    AnotherFirst {
        /// Which turn, from 1; 0 if the hand was empty from the start.
        turn: usize,
        /// Who finishes.
        player: usize,
    },
    /// Player 1 has cards left.
    #[error("the play ends with {left} cards in the hand of player 1")]
    NotFinished {
        /// How many cards.
        left: usize,
    },
}

/// Checks that a play keeps to the rule and that player 1, whose hand comes first, wins by it.
///
/// # Errors
/// With the first turn at which it does not.
///
/// # Complexity
/// Linear in the cards and turns, but for skips, each of which looks at a whole hand.
///
/// # Example
/// ```
/// use longhaul::adapters::uno::cooperative::{self, PlayRule, Turn};
/// use longhaul::adapters::uno::{Card, Deck};
///
/// let hand = |cards: &[(u32, u32)]| Deck::new(cards.iter().map(|&(number, colour)| Card { number, colour }).collect());
/// let hands = [hand(&[(1, 1), (1, 2)]), hand(&[(1, 3), (3, 3)])];
/// let play = |player, position| Turn::Play { player, position };
/// let turns = [play(1, 1), play(2, 1), play(1, 2)];
/// assert!(cooperative::check(&hands, PlayRule::StrictAlternation, &turns).is_ok());
/// // Player 2 may not skip a 1 3.
/// let turns = [play(1, 1), Turn::Skip { player: 2 }, play(1, 2)];
/// assert!(cooperative::check(&hands, PlayRule::ForcedSkip, &turns).is_err());
/// ```
pub fn check(hands: &[Deck], rule: PlayRule, turns: &[Turn]) -> Result<(), BadPlay> {
    let mut played: Vec<FixedBitSet> =
        hands.iter().map(|hand| FixedBitSet::with_capacity(hand.cards().len())).collect();
    let mut left: Vec<usize> = hands.iter().map(|hand| hand.cards().len()).collect();
    let mut top: Option<Card> = None;
    let mut skips = 0;
    let is_over = |left: &[usize], skips| left.first().is_none_or(|&left| left == 0) || skips == hands.len();
    if !is_over(&left, 0)
        && let Some(player) = left.iter().position(|&left| left == 0)
    {
        return Err(BadPlay::AnotherFirst { turn: 0, player: player + 1 });
    }

    for (index, &action) in turns.iter().enumerate() {
        let (turn, player) = (index + 1, action.player());
        if is_over(&left, skips) {
            return Err(BadPlay::Over { turn });
        }
        let expected = index % hands.len() + 1;
        if player != expected {
            return Err(BadPlay::OutOfTurn { turn, player, expected });
        }
        let hand = player - 1;
        let follows = |card: Card| top.is_none_or(|top| card.matches(top));
        match action {
            Turn::Play { position, .. } => {
                let at = position.checked_sub(1).filter(|&at| at < played[hand].len() && !played[hand][at]);
                let Some(at) = at else { return Err(BadPlay::NoSuchCard { turn, player, position }) };
                let card = hands[hand].cards()[at];
                if let Some(top) = top.filter(|_| !follows(card)) {
                    return Err(BadPlay::NoMatch { turn, card, top });
                }
                played[hand].insert(at);
                left[hand] -= 1;
                (top, skips) = (Some(card), 0);
                if left[hand] == 0 && player != 1 {
                    return Err(BadPlay::AnotherFirst { turn, player });
                }
            }
            Turn::Skip { .. } => {
                let could = played[hand].zeroes().any(|at| follows(hands[hand].cards()[at]));
                if rule == PlayRule::StrictAlternation || could {
                    return Err(BadPlay::VoluntarySkip { turn, player });
                }
                skips += 1;
            }
        }
    }
    match left.first() {
        Some(&left) if left > 0 => Err(BadPlay::NotFinished { left }),
        _ => Ok(()),
    }
}
