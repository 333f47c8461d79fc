//! Positions as few bytes, equal if and only if the positions are.
//!
//! Hands and draw pile are not written as lists of cards. Until the first shuffle the cards that have been dealt, to hands or
//! from the deck, are known from how many the deck has left: for each of them two to four bits tell who holds it, or that it
//! has been played. Copies of a card are interchangeable, so they are told in the order of their holders. After a shuffle the
//! draw pile is what is left of the shuffled deck less some first occurrences: for every card its *last* occurrences, so how
//! many of each there are tells their order as well. Then every card of the game gets the bits of its holder, the draw pile
//! among these.
//!
//! A draw pile may be both, most often the empty one: the second form is the one that counts. How far the pile matters is
//! asked when the packing is made: to rules and answers only its top does, while the source has all of it in its states.

use super::code::{self, Code, HELD};
use super::position::{Below, Draw, Hand, Position};

/// A position's bytes.
pub(super) struct Packed {
    bytes: [u8; Packed::MOST],
    /// How many bits are in use; those after them are 0.
    bits: usize,
}

impl Packed {
    /// More than 510 holders of 4 bits, as many cards of 6 bits in a pile, and a head of 6 bytes.
    const MOST: usize = 768;

    pub(super) fn new() -> Self {
        Packed { bytes: [0; Packed::MOST], bits: 0 }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.bits.div_ceil(8)]
    }

    fn clear(&mut self) {
        let used = self.bits.div_ceil(8);
        self.bytes[..used].fill(0);
        self.bits = 0;
    }

    /// Appends a value of so many bits, 16 at most.
    fn put(&mut self, value: usize, width: usize) {
        self.set(self.bits, value);
        self.bits += width;
    }

    /// Sets bits that are 0.
    fn set(&mut self, bit: usize, value: usize) {
        let word: &mut [u8; 4] = (&mut self.bytes[bit / 8..bit / 8 + 4]).try_into().expect("four bytes");
        *word = (u32::from_le_bytes(*word) | (value as u32) << (bit % 8)).to_le_bytes();
    }
}

/// Bits as they are read.
struct Bits<'a> {
    bytes: &'a [u8],
    word: u64,
    bits: usize,
}

impl Bits<'_> {
    fn take(&mut self, width: usize) -> usize {
        while self.bits < width {
            let (byte, rest) = self.bytes.split_first().expect("a position has all its bits");
            self.word |= u64::from(*byte) << self.bits;
            self.bits += 8;
            self.bytes = rest;
        }
        let value = self.word & ((1 << width) - 1);
        self.word >>= width;
        self.bits -= width;
        value as usize
    }

    fn flag(&mut self) -> bool {
        self.take(1) == 1
    }
}

/// Cards in some order.
#[derive(Clone, Debug)]
struct Row {
    cards: Vec<Code>,
    /// Where the copies of each card are.
    places: [Vec<u16>; HELD],
}

impl Row {
    fn new(cards: impl IntoIterator<Item = Code>) -> Self {
        let cards: Vec<Code> = cards.into_iter().collect();
        let mut places = [const { Vec::new() }; HELD];
        cards.iter().zip(0..).for_each(|(&card, place)| places[usize::from(card)].push(place));
        Row { cards, places }
    }

    /// How many copies of a card there are.
    fn count(&self, card: usize) -> usize {
        self.places[card].len()
    }
}

/// How the positions of a game are packed.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    players: usize,
    /// All of the pile is part of the position.
    whole_pile: bool,
    /// A card drawn may be pending: official rules.
    may_pend: bool,
    /// The hands of the file one after the other, then the deck.
    dealt: Row,
    /// How many of these are in hands.
    in_hands: usize,
    /// From this place on, what is left of the deck is as if it were left of a shuffle.
    shuffled_from: usize,
    /// As many of each card as there can be at any time.
    all: Row,
    shuffle: Row,
}

const CARD: usize = 6;
const PLACE: usize = 8;
const PLAYER: usize = 4;
const COUNTER: usize = 3;
/// Wide enough for the cards of any pile.
const PILE: usize = 9;

impl Packing {
    pub(super) fn new(hands: &[Vec<Code>], deck: &[Code], shuffle: &[Code], whole_pile: bool, may_pend: bool) -> Self {
        let dealt = Row::new(hands.iter().flatten().chain(deck).copied());
        let shuffle = Row::new(shuffle.iter().copied());
        let most = |card: usize| dealt.count(card).max(shuffle.count(card));
        let all = Row::new((0..HELD).flat_map(|card| std::iter::repeat_n(card as Code, most(card))));
        let in_hands = hands.iter().map(Vec::len).sum();
        let mut packing = Packing {
            players: hands.len(),
            whole_pile,
            may_pend,
            in_hands,
            shuffled_from: deck.len(),
            dealt,
            all,
            shuffle,
        };
        while packing.shuffled_from > 0 && packing.is_as_shuffled(packing.shuffled_from - 1) {
            packing.shuffled_from -= 1;
        }
        packing
    }

    /// The deck of the file.
    fn deck(&self) -> &[Code] {
        &self.dealt.cards[self.in_hands..]
    }

    /// What is left of the deck of the file from this place on.
    pub(super) fn deck_from(&self, from: usize) -> &[Code] {
        &self.deck()[from..]
    }

    /// Whether the first card of what is left of the deck from here on comes first in the shuffled deck, too, among the last
    /// occurrences of these cards.
    fn is_as_shuffled(&self, from: usize) -> bool {
        let rest = counts(&self.deck()[from..]);
        let card = self.deck()[from];
        let place = |card: Code| {
            let (places, left) = (&self.shuffle.places[usize::from(card)], usize::from(rest[usize::from(card)]));
            places.len().checked_sub(left).map(|gone| places[gone])
        };
        place(card).is_some() && self.deck()[from..].iter().all(|&other| place(other) >= place(card))
    }

    /// How many cards are left to draw.
    pub(super) fn left(&self, draw: &Draw) -> usize {
        match draw {
            Draw::Dealt(from) => self.deck().len() - from,
            Draw::Shuffled(counts) => counts.iter().map(|&count| usize::from(count)).sum(),
        }
    }

    /// Takes the first card of the draw pile.
    pub(super) fn draw(&self, draw: &mut Draw) -> Option<Code> {
        match draw {
            Draw::Dealt(from) => {
                let card = self.deck().get(*from).copied();
                *from += usize::from(card.is_some());
                card
            }
            Draw::Shuffled(counts) => {
                let left = (0..HELD).filter(|&card| counts[card] > 0);
                let place = |&card: &usize| {
                    let places = &self.shuffle.places[card];
                    places[places.len() - usize::from(counts[card])]
                };
                let card = left.min_by_key(place)?;
                counts[card] -= 1;
                Some(card as Code)
            }
        }
    }

    /// What a shuffle makes the draw pile: the shuffled deck less the cards of all hands and less the top, where that is a
    /// card of the shuffled deck.
    pub(super) fn shuffled(&self, hands: &[Hand], top: Code) -> Draw {
        let left = |card: usize| {
            let held: usize = hands.iter().map(|hand| usize::from(hand.counts[card])).sum();
            self.shuffle.count(card).saturating_sub(held + usize::from(usize::from(top) == card)) as u8
        };
        Draw::Shuffled(std::array::from_fn(left))
    }

    pub(super) fn pack(&self, position: &Position<'_>, packed: &mut Packed) {
        packed.clear();
        let hands = &position.hands[..self.players];
        let draw = match position.draw {
            Draw::Dealt(from) if from >= self.shuffled_from => Draw::Shuffled(counts(&self.deck()[from..])),
            draw => draw,
        };
        let is_shuffled = matches!(draw, Draw::Shuffled(_));
        packed.put(position.winner().is_some().into(), 1);
        packed.put(position.first, PLAYER);
        packed.put(is_shuffled.into(), 1);
        packed.put(position.top.into(), CARD);
        // Two players have no other way round.
        packed.put((position.forwards || self.players == 2).into(), 1);
        if self.may_pend {
            packed.put(position.pending.into(), CARD);
        } else {
            packed.put(position.played.into(), 1);
            packed.put(position.drawn.into(), 1);
            packed.put(position.counter.into(), COUNTER);
        }
        match draw {
            Draw::Dealt(from) => {
                packed.put(from, PLACE);
                self.pack_holders(hands, None, &self.dealt, self.in_hands + from, packed);
            }
            Draw::Shuffled(left) => self.pack_holders(hands, Some(&left), &self.all, self.all.cards.len(), packed),
        }
        if self.whole_pile {
            let below = position.below.cards();
            packed.put(below.len(), PILE);
            below.for_each(|card| packed.put(card.into(), CARD));
        }
    }

    /// For each of the first cards of a row: 0 for nobody, else who holds it, from 1; the draw pile comes after the players.
    fn pack_holders(&self, hands: &[Hand], pile: Option<&[u8; HELD]>, row: &Row, count: usize, packed: &mut Packed) {
        let width = self.holder_width(pile.is_some());
        let begin = packed.bits;
        packed.bits += count * width;
        let mut hold = |card: usize, copies: u8, before: u8, holder: usize| {
            for &place in &row.places[card][usize::from(before)..usize::from(before + copies)] {
                packed.set(begin + usize::from(place) * width, holder);
            }
        };
        for (player, hand) in hands.iter().enumerate() {
            for card in code::each(hand.cards).map(usize::from) {
                let before = hands[..player].iter().map(|hand| hand.counts[card]).sum();
                hold(card, hand.counts[card], before, player + 1);
            }
        }
        for (card, &copies) in pile.into_iter().flatten().enumerate() {
            if copies > 0 {
                hold(card, copies, hands.iter().map(|hand| hand.counts[card]).sum(), self.players + 1);
            }
        }
    }

    /// How many bits tell a player, or that nobody holds a card, and perhaps that the draw pile does.
    fn holder_width(&self, is_shuffled: bool) -> usize {
        (self.players + usize::from(is_shuffled)).ilog2() as usize + 1
    }

    /// Who has won in a packed position: who stands first with an empty hand.
    pub(super) fn winner(&self, bytes: &[u8]) -> Option<usize> {
        let mut bits = Bits { bytes, word: 0, bits: 0 };
        let (is_won, first) = (bits.flag(), bits.take(PLAYER));
        is_won.then_some(first)
    }

    /// Whose turn it is in a packed position.
    pub(super) fn first(&self, bytes: &[u8]) -> usize {
        let mut bits = Bits { bytes, word: 0, bits: 0 };
        let _is_won = bits.flag();
        bits.take(PLAYER)
    }

    /// The position of these bytes. The cards of a pile under its top are put into `pile`.
    pub(super) fn unpack<'p>(&self, bytes: &[u8], pile: &'p mut Vec<Code>) -> Position<'p> {
        let mut bits = Bits { bytes, word: 0, bits: 0 };
        let (_is_won, first) = (bits.flag(), bits.take(PLAYER));
        let is_shuffled = bits.flag();
        let mut position = Position {
            players: self.players,
            hands: [Hand::EMPTY; super::position::PLAYERS],
            draw: Draw::Shuffled([0; HELD]),
            top: bits.take(CARD) as Code,
            below: Below::EMPTY,
            first,
            forwards: bits.flag(),
            played: false,
            drawn: false,
            counter: 0,
            pending: code::NO_CARD,
        };
        if self.may_pend {
            position.pending = bits.take(CARD) as Code;
        } else {
            (position.played, position.drawn) = (bits.flag(), bits.flag());
            position.counter = bits.take(COUNTER) as u8;
        }
        let (copies, count) = if is_shuffled {
            (&self.all, self.all.cards.len())
        } else {
            let from = bits.take(PLACE);
            position.draw = Draw::Dealt(from);
            (&self.dealt, self.in_hands + from)
        };
        let width = self.holder_width(is_shuffled);
        for &card in &copies.cards[..count] {
            match (bits.take(width), &mut position.draw) {
                (0, _) => {}
                (holder, Draw::Shuffled(left)) if holder > self.players => left[usize::from(card)] += 1,
                (holder, _) => position.hands[holder - 1].add(card),
            }
        }
        if self.whole_pile {
            pile.clear();
            pile.extend((0..bits.take(PILE)).map(|_| bits.take(CARD) as Code));
            position.below = Below::new(pile);
        }
        position
    }

    pub(super) fn whole_pile(&self) -> bool {
        self.whole_pile
    }
}

fn counts(cards: &[Code]) -> [u8; HELD] {
    let mut counts = [0; HELD];
    cards.iter().for_each(|&card| counts[usize::from(card)] += 1);
    counts
}
