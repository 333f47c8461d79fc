//! The rewriting rules of the source: what each makes of a position. [`Rules`] has them in a table.
//!
//! Source: Luca Fuligni, Michele Russo, Marco Zamponi, *Implementing UNO using Maude* (slides). For three players the rules
//! turn (A, B, C) into (B, C, A), (C, B, A) or (C, A, B); for any number these are the next player, the other way round with
//! the one before, and the one after next. Where two of the printed rules make the same of a position (a card that has both
//! colour and type of the top) that is one transition, as in Maude's graph of states.

use super::code::{self, ALL, Code};
use super::packing::Packing;
use super::position::{Below, Position};
use super::rules::Rules;

/// What was done: with the codes of the card and of what lies on the pile then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    Throw(Code, Code),
    ThrowDrawn(Code, Code),
    Turn,
    ForcedDraw(Code),
    Draw(Code),
    DrawNothing,
    Pass,
    Shuffle,
    Call(u8),
}

/// Tells every position that a rule makes of this one, each once.
pub(super) fn each_step(rules: Rules, packing: &Packing, at: &Position<'_>, each: &mut dyn FnMut(&Position<'_>, Done)) {
    if at.is_finished() {
        return;
    }
    if at.played {
        each(&turn(at), Done::Turn);
    } else if at.counter > 0 {
        forced_draw(packing, at, each);
    } else {
        throws(rules, packing, at, each);
        if !may_play(at) {
            if at.drawn {
                each(&passed(at), Done::Pass);
            } else {
                draw(packing, at, each);
            }
        }
    }
    if packing.left(&at.draw) == 0 {
        each(&shuffled(rules, packing, at), Done::Shuffle);
    }
}

/// Whether the source calls a move possible: a card of the colour or the type of the top, or a wild one.
fn may_play(at: &Position<'_>) -> bool {
    let fitting = code::of_colour(code::colour(at.top)) | code::of_kind(code::kind(at.top)) | code::WILD;
    at.mover().cards & fitting != 0
}

fn throws(rules: Rules, packing: &Packing, at: &Position<'_>, each: &mut dyn FnMut(&Position<'_>, Done)) {
    let (colour, kind) = (code::colour(at.top), code::kind(at.top));
    let same_type = match rules {
        Rules::Printed if colour == ALL => 0,
        Rules::Printed => code::of_kind(kind),
        _ => code::of_kind(kind) & !code::WILD,
    };
    let as_they_are = code::of_colour(colour) | same_type;
    for card in code::each(at.mover().cards & (as_they_are | code::WILD)) {
        let mut after = *at;
        after.mover_mut().take(card);
        let mut throw = |shown: Code| {
            let mut after = after;
            lay(packing, &mut after, shown);
            after.played = true;
            each(&after, Done::Throw(card, shown));
        };
        if as_they_are >> card & 1 == 1 {
            throw(card);
        }
        let others = after.mover();
        let may_call = match card {
            code::CHANGE => true,
            code::PLUS4 => others.cards & code::of_colour(colour) == 0,
            _ => false,
        };
        if may_call {
            throw(code::called(card, others.most_frequent_colour()));
        }
    }
}

/// Lays a card on the pile.
pub(super) fn lay(packing: &Packing, at: &mut Position<'_>, card: Code) {
    if packing.whole_pile() {
        at.below.push(at.top);
    }
    at.top = card;
}

fn turn<'a>(at: &Position<'a>) -> Position<'a> {
    let mut after = *at;
    (after.played, after.drawn) = (false, false);
    after.first = at.after(1);
    match code::kind(at.top) {
        code::REVERSE => {
            after.forwards = !at.forwards;
            after.first = at.after(at.players - 1);
        }
        code::STOP => after.first = at.after(2),
        code::PLUS2 => after.counter = 2,
        code::PLUS4_TYPE => after.counter = 4,
        _ => {}
    }
    after
}

fn forced_draw(packing: &Packing, at: &Position<'_>, each: &mut dyn FnMut(&Position<'_>, Done)) {
    let mut after = *at;
    if let Some(card) = packing.draw(&mut after.draw) {
        after.mover_mut().add(card);
        after.counter -= 1;
        if after.counter == 0 {
            after.first = at.after(1);
        }
        each(&after, Done::ForcedDraw(card));
    }
}

fn draw(packing: &Packing, at: &Position<'_>, each: &mut dyn FnMut(&Position<'_>, Done)) {
    let mut after = *at;
    if let Some(card) = packing.draw(&mut after.draw) {
        after.mover_mut().add(card);
        after.drawn = true;
        each(&after, Done::Draw(card));
    }
}

fn passed<'a>(at: &Position<'a>) -> Position<'a> {
    let mut after = *at;
    after.drawn = false;
    after.first = at.after(1);
    after
}

fn shuffled<'a>(rules: Rules, packing: &Packing, at: &Position<'a>) -> Position<'a> {
    let mut after = *at;
    let top = if rules == Rules::MendedShuffle { code::held(at.top) } else { at.top };
    after.draw = packing.shuffled(&at.hands[..at.players], top);
    after.below = Below::EMPTY;
    after
}
