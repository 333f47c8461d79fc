//! How many steps a player needs at least to win under the official rules, if all others help.
//!
//! Each card of the hand takes a step, and so does each turn of another player. So turns are counted. Let the others have k
//! turns before the player's next one, if all play on as they are: then without special cards it takes
//! k + (p − 1)(n − 1) of their turns until p players have let one of them play n cards. A stop, plus2 or plus4, of whoever,
//! saves one of these turns; a reverse of another player saves at most p − 2, as it gives the turn back to who had it before; a
//! reverse of the player saves none. From three players on at least one turn of another comes between two of the player's.
//!
//! How much can be saved is limited by the special cards. The others hold them, or draw them: to come to the i-th card of the
//! deck takes i draws, of which plus2 and plus4 make two and four each, and all others take a turn that saves nothing. The
//! player's own special cards save only before the last card is played. Cards that the player draws cost more than they save.
//!
//! The number is never too great, so it makes [`Exploration::run_deepening`](crate::explore::Exploration::run_deepening)
//! find a shortest run. Matching of cards is left out of account.

use super::code::{self, Code};
use super::packing::Packing;
use super::position::{Draw, Hand, Position};

/// The cards that make the next player miss a turn.
fn stops() -> u64 {
    code::of_kind(code::STOP) | code::of_kind(code::PLUS2) | 1 << code::PLUS4
}

fn count(hand: &Hand, cards: u64) -> usize {
    code::each(hand.cards & cards).map(|card| usize::from(hand.counts[usize::from(card)])).sum()
}

/// Special cards that somebody may play.
#[derive(Clone, Copy, Default)]
struct Specials {
    reverses: usize,
    stops: usize,
    /// How many cards the plus2 and plus4 among them make others draw.
    handed_out: usize,
}

impl Specials {
    fn add(&mut self, card: Code) {
        match code::kind(card) {
            code::REVERSE => self.reverses += 1,
            code::STOP => self.stops += 1,
            code::PLUS2 => (self.stops, self.handed_out) = (self.stops + 1, self.handed_out + 2),
            code::PLUS4_TYPE => (self.stops, self.handed_out) = (self.stops + 1, self.handed_out + 4),
            _ => {}
        }
    }
}

/// At least so many steps until this player has won.
pub(super) fn steps(packing: &Packing, at: &Position<'_>, player: usize) -> usize {
    let players = at.players;
    let hand = &at.hands[player];
    let cards: usize = code::each(hand.cards).map(|card| usize::from(hand.counts[usize::from(card)])).sum();
    if cards == 0 {
        return 0;
    }
    let ahead = if at.forwards { player + players - at.first } else { at.first + players - player } % players;
    let turns = ahead + (players - 1) * (cards - 1);
    let least = usize::from(ahead > 0) + if players > 2 { cards - 1 } else { 0 };
    let own = count(hand, stops()).min(cards - 1);
    let mut held = Specials::default();
    for (other, hand) in at.hands[..players].iter().enumerate() {
        let is_other = other != player;
        held.stops += if is_other { count(hand, stops()) } else { 0 };
        held.reverses += if is_other { count(hand, code::of_kind(code::REVERSE)) } else { 0 };
        held.handed_out += 2 * count(hand, code::of_kind(code::PLUS2)) + 4 * count(hand, 1 << code::PLUS4);
    }
    let Draw::Dealt(from) = at.draw else {
        // After a shuffle anything may be drawn.
        return cards + least;
    };
    let deck = packing.deck_from(from);
    let enough = |of_others: usize| {
        let saves = |specials: Specials, drawn_by_turns: usize| {
            let Some(plays) = of_others.checked_sub(drawn_by_turns) else { return false };
            let reverses = specials.reverses.min(plays);
            let saved = (players - 2) * reverses + specials.stops.min(plays - reverses) + own;
            of_others + saved >= turns
        };
        let mut specials = held;
        if saves(specials, 0) {
            return true;
        }
        for (&card, drawn) in deck.iter().zip(1..) {
            if drawn > of_others + specials.handed_out {
                return false;
            }
            let before = specials.reverses + specials.stops;
            specials.add(card);
            let is_special = specials.reverses + specials.stops > before;
            if is_special && saves(specials, drawn.saturating_sub(specials.handed_out)) {
                return true;
            }
        }
        // Then the pile is shuffled, and anything may be drawn.
        true
    };
    let of_others = (least..turns).find(|&of_others| enough(of_others)).unwrap_or(turns.max(least));
    cards + of_others
}
