//! Cards as small numbers, and sets of them as the bits of one word.
//!
//! | code | card |
//! |---|---|
//! | 0–51 | type (0 to 9, reverse, stop, plus2) times 4, plus colour |
//! | 52, 53 | change and plus4 without a colour, as they are held |
//! | 54–57, 58–61 | change and plus4 on the pile, with the colour called |

use crate::io::{CardColour, CardType, GameCard};

/// A card.
pub(super) type Code = u8;

/// How many codes a card in a hand may have.
pub(super) const HELD: usize = 54;
pub(super) const CHANGE: Code = 52;
pub(super) const PLUS4: Code = 53;
const CALLED: Code = 54;
/// No card; it takes the same six bits.
pub(super) const NO_CARD: Code = 63;

pub(super) const COLOURS: u8 = 4;
/// The colour of a wild card without one.
pub(super) const ALL: u8 = 4;

pub(super) const REVERSE: u8 = 10;
pub(super) const STOP: u8 = 11;
pub(super) const PLUS2: u8 = 12;
pub(super) const CHANGE_TYPE: u8 = 13;
pub(super) const PLUS4_TYPE: u8 = 14;

/// The two wild cards.
pub(super) const WILD: u64 = 1 << CHANGE | 1 << PLUS4;

pub(super) fn colour(card: Code) -> u8 {
    match card {
        CHANGE | PLUS4 => ALL,
        _ if card < CHANGE => card % COLOURS,
        _ => (card - CALLED) % COLOURS,
    }
}

pub(super) fn kind(card: Code) -> u8 {
    match card {
        _ if card < CHANGE => card / COLOURS,
        CHANGE => CHANGE_TYPE,
        PLUS4 => PLUS4_TYPE,
        _ => CHANGE_TYPE + (card - CALLED) / COLOURS,
    }
}

/// A wild card with a colour called.
pub(super) fn called(card: Code, colour: u8) -> Code {
    CALLED + (card - CHANGE) * COLOURS + colour
}

/// The card as it is held: without the colour called.
pub(super) fn held(card: Code) -> Code {
    if card < CALLED { card } else { CHANGE + (card - CALLED) / COLOURS }
}

/// The cards of a colour.
pub(super) fn of_colour(colour: u8) -> u64 {
    const EVERY_FOURTH: u64 = 0x0001_1111_1111_1111;
    if colour == ALL { WILD } else { EVERY_FOURTH << colour }
}

/// The cards of a type.
pub(super) fn of_kind(kind: u8) -> u64 {
    match kind {
        CHANGE_TYPE => 1 << CHANGE,
        PLUS4_TYPE => 1 << PLUS4,
        _ => 0b1111 << (kind * COLOURS),
    }
}

/// The bits of a word, as the codes they stand for.
pub(super) fn each(mut cards: u64) -> impl Iterator<Item = Code> {
    std::iter::from_fn(move || {
        let card = cards.trailing_zeros();
        (cards != 0).then(|| {
            cards &= cards - 1;
            card as Code
        })
    })
}

pub(super) fn from_card(card: GameCard) -> Code {
    let colour = match card.colour {
        CardColour::Red => 0,
        CardColour::Green => 1,
        CardColour::Blue => 2,
        CardColour::Yellow => 3,
        CardColour::All => ALL,
    };
    let kind = match card.kind {
        CardType::Number(number) => number,
        CardType::Reverse => REVERSE,
        CardType::Stop => STOP,
        CardType::Plus2 => PLUS2,
        CardType::Change => CHANGE_TYPE,
        CardType::Plus4 => PLUS4_TYPE,
    };
    match kind {
        CHANGE_TYPE | PLUS4_TYPE if colour == ALL => CHANGE + (kind - CHANGE_TYPE),
        CHANGE_TYPE | PLUS4_TYPE => called(CHANGE + (kind - CHANGE_TYPE), colour),
        _ => kind * COLOURS + colour,
    }
}

pub(super) fn to_card(card: Code) -> GameCard {
    let kind = match kind(card) {
        REVERSE => CardType::Reverse,
        STOP => CardType::Stop,
        PLUS2 => CardType::Plus2,
        CHANGE_TYPE => CardType::Change,
        PLUS4_TYPE => CardType::Plus4,
        number => CardType::Number(number),
    };
    GameCard { kind, colour: to_colour(colour(card)) }
}

pub(super) fn to_colour(colour: u8) -> CardColour {
    CardColour::FOUR.get(usize::from(colour)).copied().unwrap_or(CardColour::All)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_table() {
        for code in 0..CALLED + 2 * COLOURS {
            assert_eq!(from_card(to_card(code)), code);
            assert_eq!(to_card(code).is_wild(), kind(code) >= CHANGE_TYPE);
            assert_eq!(colour(code) == ALL, code == CHANGE || code == PLUS4);
            if code < CALLED {
                assert_eq!(of_colour(colour(code)) >> code & 1, 1);
                assert_eq!(of_kind(kind(code)) >> code & 1, 1);
            } else {
                assert_eq!(called(held(code), colour(code)), code);
            }
        }
        for colour in 0..=ALL {
            assert!(each(of_colour(colour)).all(|card| super::colour(card) == colour));
            assert_eq!(of_colour(colour).count_ones(), if colour == ALL { 2 } else { 13 });
        }
        assert!((0..15).all(|kind| each(of_kind(kind)).all(|card| super::kind(card) == kind)));
    }
}
