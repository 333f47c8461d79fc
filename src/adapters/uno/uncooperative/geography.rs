//! Uncooperative UNO-2 as undirected vertex geography: won by a maximum matching.
//!
//! Let ν be the size of a maximum matching between the hands. If ν < |C₁|, some maximum matching misses a card v of player 1.
//! Player 1 opens with v and answers each card by its partner: every card that player 2 can play has a partner, because
//! otherwise the way from v to it, along played pairs, would make the matching larger. So player 1 never gets stuck. If
//! ν = |C₁|, each card of player 1 has a partner, and player 2 answers with that. An opening with a card that *every* maximum
//! matching covers loses in the same way, so the winning openings are just those that some maximum matching misses.
//!
//! Source: Aviezri S. Fraenkel, Edward R. Scheinerman, Daniel Ullman, *Undirected edge geography*, Theoretical Computer Science
//! 112, 1993, DOI 10.1016/0304-3975(93)90026-P.

use super::matching::Matching;
use crate::adapters::uno::deck::Deck;

/// Who wins where whoever can't play loses, by which openings, and by which answers.
///
/// # Example
/// ```
/// use longhaul::adapters::uno::uncooperative::Geography;
/// use longhaul::adapters::uno::{Card, Deck};
///
/// let hand = |cards: &[(u32, u32)]| Deck::new(cards.iter().map(|&(number, colour)| Card { number, colour }).collect());
/// let (one, two) = (hand(&[(1, 1), (1, 2), (7, 7)]), hand(&[(1, 3), (2, 7), (3, 7)]));
/// let game = Geography::new(&one, &two);
/// assert_eq!((game.winner(), game.openings()), (1, &[1, 2][..]));
/// // Player 1 opens with 1 1; player 2 can only play 1 3, and 1 2 settles it.
/// let strategy = game.strategy(1).expect("a winning opening");
/// assert_eq!(strategy.answer(1), Some(2));
/// ```
#[derive(Debug)]
pub struct Geography {
    matching: Matching,
    /// From where an alternating way leads to a card of player 1; see [`Matching::missable`].
    before: Vec<Option<(u32, Option<u32>)>>,
    openings: Vec<usize>,
}

impl Geography {
    /// Settles the game between player 1, who opens, and player 2.
    ///
    /// # Complexity
    /// `O(n √n)` for n cards, whatever the number of matching pairs.
    pub fn new(first: &Deck, second: &Deck) -> Self {
        let matching = Matching::new(first.cards(), second.cards());
        let before = matching.missable();
        let openings =
            (1..).zip(&before).filter(|(_, before)| before.is_some()).map(|(position, _)| position).collect();
        Geography { matching, before, openings }
    }

    /// Who wins, 1 or 2. A player 1 without cards can't open, and loses.
    pub fn winner(&self) -> usize {
        if self.openings.is_empty() { 2 } else { 1 }
    }

    /// The winning openings of player 1, as positions in its hand, from 1: none if player 2 wins.
    pub fn openings(&self) -> &[usize] {
        &self.openings
    }

    /// The size of a maximum matching between the hands.
    pub fn matching_size(&self) -> usize {
        self.matching.size()
    }

    /// How the game is won after player 1 has opened with the card at this position, from 1: by player 1 if that is one of
    /// the [`openings`](Self::openings), else by player 2. `None` if there is no such card.
    ///
    /// # Complexity
    /// `O(n)`.
    pub fn strategy(&self, opening: usize) -> Option<Strategy> {
        let index = opening.checked_sub(1).filter(|&index| index < self.before.len())?;
        if self.before[index].is_none() {
            return Some(Strategy { player: 2, answers: positions(&self.matching.first) });
        }
        // Along the alternating way each card passes its partner on, until a free card has got one.
        let mut partners = self.matching.second.clone();
        let mut card = index as u32;
        while let Some((before, Some(between))) = self.before[card as usize] {
            partners[between as usize] = Some(before);
            card = before;
        }
        Some(Strategy { player: 1, answers: positions(&partners) })
    }
}

fn positions(partners: &[Option<u32>]) -> Vec<Option<usize>> {
    partners.iter().map(|partner| partner.map(|index| index as usize + 1)).collect()
}

/// The answers of a player who wins, whatever the opponent does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    player: usize,
    answers: Vec<Option<usize>>,
}

impl Strategy {
    /// Who plays by it, 1 or 2.
    pub fn player(&self) -> usize {
        self.player
    }

    /// What to play on the opponent's card at this position of the opponent's hand: a position in the own hand, from 1. The
    /// card matches, and it is still there as long as all answers came from here. `None` for cards that the opponent can't
    /// play in this game, or doesn't have.
    pub fn answer(&self, position: usize) -> Option<usize> {
        position.checked_sub(1).and_then(|index| self.answers.get(index).copied().flatten())
    }
}
