//! The official rules, as far as they matter to a search.
//!
//! In a turn a player plays a card that has the colour or the type of the top, or a wild one, and calls any colour with it;
//! or draws a card, also if there is something to play, and then plays that card, if it fits, or keeps it. A plus4 may be
//! played only if no card of the hand has the colour of the top. Whoever follows a plus2 or plus4 draws and misses the turn,
//! after the last card of a hand, too. The first card of the pile acts on the first player, A, who sits left of the dealer;
//! if it is a plus4 it goes under the deck, and the next card is turned up.
//!
//! Nobody bluffs, and everybody calls "UNO" in time, so nobody is caught. The rules say nothing about an empty draw pile: as
//! in the source it is made anew in the order of the shuffled deck; if there is nothing to shuffle, nothing is drawn.
//!
//! Source: Appendix A of Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno, *UNO
//! is hard, even for a single player*, Theoretical Computer Science 521, 2014, DOI 10.1016/j.tcs.2013.11.023.

use super::code::{self, ALL, CHANGE, Code, NO_CARD, PLUS4};
use super::packing::Packing;
use super::position::{Below, Position};
use super::source_rules::{Done, lay};

/// The position in which the first player moves, from that in which the first card has just been turned up.
pub(super) fn begin<'a>(packing: &Packing, at: &Position<'a>) -> Position<'a> {
    let mut after = *at;
    if !after.below.is_empty() || after.is_finished() {
        return after;
    }
    match code::kind(after.top) {
        code::PLUS2 => hand_out(packing, &mut after, 2),
        code::REVERSE => {
            after.first = at.after(at.players - 1);
            after.forwards = false;
        }
        code::STOP => after.first = at.after(1),
        _ => {}
    }
    after
}

/// Tells every position that a move makes of this one, each once.
pub(super) fn each_step(packing: &Packing, at: &Position<'_>, each: &mut dyn FnMut(&Position<'_>, Done)) {
    if at.is_finished() {
        return;
    }
    if at.top == CHANGE || at.top == PLUS4 {
        for colour in 0..code::COLOURS {
            let mut after = *at;
            after.top = code::called(at.top, colour);
            each(&after, Done::Call(colour));
        }
    } else if at.pending != NO_CARD {
        throws(packing, at, 1 << at.pending, each);
        each(&passed(at), Done::Pass);
    } else {
        throws(packing, at, fitting(at), each);
        draw(packing, at, each);
    }
}

/// What the rules let the mover play.
fn fitting(at: &Position<'_>) -> u64 {
    let colour = code::of_colour(code::colour(at.top));
    let plus4 = if at.mover().cards & colour == 0 { 1 << PLUS4 } else { 0 };
    at.mover().cards & (colour | code::of_kind(code::kind(at.top)) & !code::WILD | 1 << CHANGE | plus4)
}

fn throws(packing: &Packing, at: &Position<'_>, cards: u64, each: &mut dyn FnMut(&Position<'_>, Done)) {
    for card in code::each(cards) {
        let mut after = *at;
        after.mover_mut().take(card);
        after.pending = NO_CARD;
        let mut throw = |shown: Code| {
            let mut after = after;
            lay(packing, &mut after, shown);
            take_effect(packing, &mut after);
            let done = if at.pending == NO_CARD { Done::Throw } else { Done::ThrowDrawn };
            each(&after, done(card, shown));
        };
        match code::colour(card) {
            ALL => (0..code::COLOURS).for_each(|colour| throw(code::called(card, colour))),
            _ => throw(card),
        }
    }
}

/// What the card on top does. Who has won stays first.
fn take_effect(packing: &Packing, at: &mut Position<'_>) {
    let thrower = at.first;
    let kind = code::kind(at.top);
    if kind == code::REVERSE {
        at.forwards = !at.forwards;
    }
    at.first = at.after(1);
    match kind {
        code::PLUS2 => hand_out(packing, at, 2),
        code::PLUS4_TYPE => hand_out(packing, at, 4),
        code::STOP => at.first = at.after(1),
        _ => {}
    }
    if at.hands[thrower].is_empty() {
        at.first = thrower;
    }
}

/// The mover draws so many cards and misses the turn.
fn hand_out(packing: &Packing, at: &mut Position<'_>, count: usize) {
    for _ in 0..count {
        if let Some(card) = take_card(packing, at) {
            at.mover_mut().add(card);
        }
    }
    at.first = at.after(1);
}

/// The first card of the draw pile, which is made anew if it is empty.
fn take_card(packing: &Packing, at: &mut Position<'_>) -> Option<Code> {
    if packing.left(&at.draw) == 0 {
        at.draw = packing.shuffled(&at.hands[..at.players], code::held(at.top));
        at.below = Below::EMPTY;
    }
    packing.draw(&mut at.draw)
}

fn draw(packing: &Packing, at: &Position<'_>, each: &mut dyn FnMut(&Position<'_>, Done)) {
    let mut after = *at;
    let Some(card) = take_card(packing, &mut after) else {
        return each(&passed(&after), Done::DrawNothing);
    };
    after.mover_mut().add(card);
    if fitting(&after) >> card & 1 == 1 {
        after.pending = card;
    } else {
        after.first = after.after(1);
    }
    each(&after, Done::Draw(card));
}

fn passed<'a>(at: &Position<'a>) -> Position<'a> {
    let mut after = *at;
    after.pending = NO_CARD;
    after.first = at.after(1);
    after
}
