//! Whether any two cards share what they should.
//!
//! Cards and symbols are the two sides of a graph, joined where a symbol is on a card. Two cards that share two symbols are a
//! cycle of four edges, and such a cycle is met at its vertex of greatest degree (of equals, at a symbol): from there over the
//! neighbours of no greater degree to their neighbours, one of which is seen twice. That takes `O(min(d, e))` for every edge
//! between vertices of degrees d and e; so neither cards of very many symbols nor a symbol on very many cards are dear. Symbols
//! on one card only do not matter and are left out from the start.
//!
//! Without such cards, the pairs of cards that share a symbol are as many as the symbols have pairs of cards, together.
//!
//! Source: Norishige Chiba, Takao Nishizeki, *Arboricity and subgraph listing algorithms*, SIAM Journal on Computing 14, 1985,
//! DOI 10.1137/0214017, section 5.

use std::fmt;

use fixedbitset::FixedBitSet;

use super::watch::Watch;
use crate::Stop;

/// How many symbols two cards share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sharing {
    /// Any two cards share exactly one symbol.
    #[default]
    ExactlyOne,
    /// Any two cards share no symbol or one.
    AtMostOne,
}

impl fmt::Display for Sharing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Sharing::ExactlyOne => "exactly one",
            Sharing::AtMostOne => "at most one",
        })
    }
}

/// Cards after one another, each of `size` symbols below `count`.
#[derive(Clone, Copy)]
pub(super) struct Cards<'a> {
    pub(super) symbols: &'a [u32],
    pub(super) size: usize,
    pub(super) count: usize,
}

/// Two cards, the earlier first, that do not share what they should: two that share too much, if there are any.
pub(super) fn misfits(cards: Cards<'_>, sharing: Sharing, watch: &mut Watch) -> Result<Option<(usize, usize)>, Stop> {
    let multiple = Incidence::of_multiple_symbols(cards, watch)?;
    let pair = multiple.sharing_two(watch)?;
    if pair.is_some() || sharing == Sharing::AtMostOne {
        return Ok(pair);
    }
    multiple.sharing_none(watch)
}

/// How many cards, from the first on, are found to share what they should before the limits are spent.
///
/// # Panics
/// If they do not.
pub(super) fn fitting(cards: Cards<'_>, sharing: Sharing, watch: &mut Watch) -> (usize, Option<Stop>) {
    /// Before the first look at the limits so many symbols on cards are checked in any case.
    const FIRST: usize = 1 << 14;
    let all = cards.symbols.len() / cards.size;
    let mut known = all.min(1);
    // Some first, then four times as many each time.
    let mut next = FIRST / cards.size;
    while known < all {
        next = next.clamp(known + 1, all);
        let symbols = &cards.symbols[..next * cards.size];
        let count = symbols.iter().max().map_or(0, |&most| most as usize + 1);
        match misfits(Cards { symbols, count, ..cards }, sharing, watch) {
            Ok(pair) => assert_eq!(pair, None, "every deck made shares what it should"),
            Err(stop) => return (known, Some(stop)),
        }
        known = next;
        next = next.saturating_mul(4);
    }
    (known, None)
}

/// Which symbols are on which cards, as far as symbols are on two cards or more.
struct Incidence {
    /// The symbols of card `c` are `symbols[card_starts[c]..card_starts[c + 1]]`, ascending; those on most cards come first.
    card_starts: Vec<usize>,
    symbols: Vec<u32>,
    /// The cards with symbol `s` are `cards[symbol_starts[s]..symbol_starts[s + 1]]`, ascending.
    symbol_starts: Vec<usize>,
    cards: Vec<u32>,
}

/// Stands for no number.
const NONE: u32 = u32::MAX;

/// To look a place up takes as long as so many small steps.
const STEPS_OF_PLACE: usize = 4;

/// The pair of cards, the later first, whose later card comes earliest of those found.
struct Earliest {
    pair: Option<(u32, u32)>,
    /// For so many steps an earlier one is looked for.
    patience: usize,
}

impl Earliest {
    fn note(&mut self, one: u32, other: u32) {
        let pair = (one.max(other), one.min(other));
        self.pair = Some(self.pair.map_or(pair, |known| known.min(pair)));
    }

    /// Whether to be content, after some steps more, with what is found.
    fn is_enough(&mut self, steps: usize) -> bool {
        self.patience = self.patience.saturating_sub(steps);
        self.patience == 0 && self.pair.is_some()
    }
}

impl Incidence {
    fn of_multiple_symbols(cards: Cards<'_>, watch: &mut Watch) -> Result<Self, Stop> {
        const CHUNK: usize = 1 << 16;
        let mut number = vec![0u32; cards.count];
        for chunk in cards.symbols.chunks(CHUNK) {
            chunk.iter().for_each(|&symbol| number[symbol as usize] += 1);
            watch.steps(chunk.len())?;
        }
        let symbol_starts = number_by_frequency(&mut number, watch)?;
        let mut next = symbol_starts.clone();
        let mut holders = vec![0u32; symbol_starts.last().map_or(0, |&end| end)];
        let mut card_starts = Vec::with_capacity(cards.symbols.len() / cards.size + 1);
        card_starts.push(0);
        let mut kept = 0;
        for (card, symbols) in cards.symbols.chunks_exact(cards.size).enumerate() {
            for symbols in symbols.chunks(CHUNK) {
                for &symbol in symbols {
                    let symbol = number[symbol as usize];
                    if symbol != NONE {
                        holders[next[symbol as usize]] = card as u32;
                        next[symbol as usize] += 1;
                        kept += 1;
                    }
                }
                watch.steps(symbols.len())?;
            }
            card_starts.push(kept);
        }
        // Read symbol by symbol, so that those of each card come out in order.
        let mut next = card_starts.clone();
        let mut symbols = vec![0u32; kept];
        for (symbol, bounds) in symbol_starts.windows(2).enumerate() {
            for &card in &holders[bounds[0]..bounds[1]] {
                symbols[next[card as usize]] = symbol as u32;
                next[card as usize] += 1;
            }
            watch.steps(bounds[1] - bounds[0])?;
        }
        Ok(Incidence { card_starts, symbols, symbol_starts, cards: holders })
    }

    fn card_count(&self) -> usize {
        self.card_starts.len() - 1
    }

    fn symbol_count(&self) -> usize {
        self.symbol_starts.len() - 1
    }

    fn symbols_on(&self, card: u32) -> &[u32] {
        &self.symbols[self.card_starts[card as usize]..self.card_starts[card as usize + 1]]
    }

    fn cards_with(&self, symbol: u32) -> &[u32] {
        &self.cards[self.symbol_starts[symbol as usize]..self.symbol_starts[symbol as usize + 1]]
    }

    /// Two cards that share two symbols: those with the earliest later card, unless looking for them takes much longer than
    /// finding some.
    fn sharing_two(&self, watch: &mut Watch) -> Result<Option<(usize, usize)>, Stop> {
        let mut found = Earliest { pair: None, patience: 1 << 27 };
        self.meet_at_symbols(&mut found, watch)?;
        self.meet_at_cards(&mut found, watch)?;
        Ok(found.pair.map(|(later, earlier)| (earlier as usize, later as usize)))
    }

    /// Cycles whose vertex of greatest degree is a symbol.
    fn meet_at_symbols(&self, found: &mut Earliest, watch: &mut Watch) -> Result<(), Stop> {
        // Per symbol: from which it was reached last, and over which card.
        let mut reached = vec![(NONE, NONE); self.symbol_count()];
        for symbol in 0..self.symbol_count() as u32 {
            let holders = self.cards_with(symbol);
            for &card in holders {
                let others = self.symbols_on(card);
                if others.len() > holders.len() {
                    continue;
                }
                let mut steps = 1;
                // Those of greater degree have been gone from before.
                for &other in others.iter().rev().take_while(|&&other| other > symbol) {
                    let (from, before) = std::mem::replace(&mut reached[other as usize], (symbol, card));
                    if from == symbol {
                        found.note(before, card);
                    }
                    steps += 1;
                }
                watch.steps(STEPS_OF_PLACE * steps)?;
                if found.is_enough(steps) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Cycles whose vertex of greatest degree is a card.
    fn meet_at_cards(&self, found: &mut Earliest, watch: &mut Watch) -> Result<(), Stop> {
        // Per card: from which it was reached last.
        let mut reached = vec![NONE; self.card_count()];
        for card in 0..self.card_count() as u32 {
            let symbols = self.symbols_on(card);
            watch.steps(1)?;
            for &symbol in symbols {
                let holders = self.cards_with(symbol);
                if holders.len() >= symbols.len() {
                    continue;
                }
                for &other in holders {
                    if std::mem::replace(&mut reached[other as usize], card) == card && other != card {
                        found.note(card, other);
                    }
                }
                watch.steps(STEPS_OF_PLACE * holders.len())?;
                if found.is_enough(holders.len()) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Two cards that share no symbol, where none share two.
    fn sharing_none(&self, watch: &mut Watch) -> Result<Option<(usize, usize)>, Stop> {
        let mut lonely = None;
        for card in 0..self.card_count() as u32 {
            let symbols = self.symbols_on(card);
            let met: usize = symbols.iter().map(|&symbol| self.cards_with(symbol).len() - 1).sum();
            if met + 1 < self.card_count() {
                lonely = Some(card);
                break;
            }
            watch.steps(1 + symbols.len())?;
        }
        let Some(lonely) = lonely else { return Ok(None) };
        let mut meets = FixedBitSet::with_capacity(self.card_count());
        meets.insert(lonely as usize);
        for &symbol in self.symbols_on(lonely) {
            self.cards_with(symbol).iter().for_each(|&card| meets.insert(card as usize));
        }
        let other = meets.zeroes().next().expect("the card meets fewer than all others");
        Ok(Some((other.min(lonely as usize), other.max(lonely as usize))))
    }
}

/// From on how many cards each symbol is to its new number, which falls with that; `NONE` for those on one card. Returns where
/// the cards of each new number begin.
fn number_by_frequency(number: &mut [u32], watch: &mut Watch) -> Result<Vec<usize>, Stop> {
    const CHUNK: usize = 1 << 16;
    let most = number.iter().max().map_or(0, |&most| most as usize);
    // How many symbols are on so many cards; then the number that the next of them gets.
    let mut of_frequency = vec![0u32; most + 1];
    for chunk in number.chunks(CHUNK) {
        chunk.iter().for_each(|&frequency| of_frequency[frequency as usize] += 1);
        watch.steps(chunk.len())?;
    }
    let mut starts = vec![0];
    let mut before = 0;
    let mut end = 0;
    for frequency in (2..=most).rev() {
        let many = std::mem::replace(&mut of_frequency[frequency], before);
        before += many;
        for _ in 0..many {
            end += frequency;
            starts.push(end);
        }
        watch.steps(1 + many as usize)?;
    }
    for chunk in number.chunks_mut(CHUNK) {
        for number in chunk.iter_mut() {
            let frequency = *number as usize;
            *number = NONE;
            if frequency > 1 {
                *number = of_frequency[frequency];
                of_frequency[frequency] += 1;
            }
        }
        watch.steps(chunk.len())?;
    }
    Ok(starts)
}
