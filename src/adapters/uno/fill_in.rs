//! Minimum card fill-in: the fewest cards to add so that all can be played, and that play.
//!
//! With q cards added and all played, taking these away again leaves at most q + 1 sequences that hold the deck; and q + 1
//! sequences are joined by q cards, each with the number of the card before and the colour of the card after. So the
//! fewest cards are one less than the fewest sequences, which is a minimum path cover of the UNO-1 graph; how that is found on
//! the numbers and colours is told in the module of covers.
//!
//! The question is from Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno, *UNO
//! is hard, even for a single player*, Theoretical Computer Science 521, 2014, §5, DOI 10.1016/j.tcs.2013.11.023.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;
use petgraph::unionfind::UnionFind;

use super::card::Card;
use super::cover::{Goal, cover};
use super::deck::Deck;
use super::game::{Play, UnoError, longest_sequence_within};
use super::played_card::{PlayedCard, is_sequence};
use crate::limits::{Limits, Meter};
use crate::solution::tells_as_all_do;
use crate::{Answer, Stats, Stop};

/// Cards that make a deck playable to the last card.
#[derive(Clone, Debug)]
pub struct FillIn {
    /// All cards in playing order, worth less one for each that is added.
    answer: Answer<Vec<PlayedCard>>,
}

impl FillIn {
    /// The cards to add, in playing order.
    pub fn added(&self) -> impl Iterator<Item = Card> {
        self.play().iter().filter_map(|laid| match laid {
            PlayedCard::Added(card) => Some(*card),
            _ => None,
        })
    }

    /// All cards in playing order, those added between those dealt.
    pub fn play(&self) -> &[PlayedCard] {
        self.answer.best().map_or(&[], Vec::as_slice)
    }

    /// Proved: no fewer cards than this will do.
    pub fn fewest(&self) -> usize {
        self.answer.upper_bound().map_or(0, |worth| worth.unsigned_abs() as usize)
    }

    tells_as_all_do!("no fewer cards than those [`added`](Self::added) will do", Vec<PlayedCard>);
}

/// The fewest cards to add to a deck so that all can be played, within limits. Where these, or the width of the deck, don't
/// allow the proof, the answer has some cards that do and a bound.
///
/// # Errors
/// If the solver refuses the deck.
///
/// # Complexity
/// NP-hard, as no card is needed just if all can be played. Exponential in the width of the deck: linear in the cards for a
/// few colours.
///
/// # Example
/// ```
/// use longhaul::Limits;
/// use longhaul::adapters::uno::{Card, Deck, fill_in};
///
/// let deck = Deck::new([(1, 1), (2, 2), (3, 3)].map(|(number, colour)| Card { number, colour }).to_vec());
/// let answer = fill_in(&deck, &Limits::default())?;
/// assert!(answer.is_optimal());
/// assert_eq!((answer.added().count(), answer.play().len()), (2, 5));
/// # Ok::<(), longhaul::adapters::uno::UnoError>(())
/// ```
pub fn fill_in(deck: &Deck, limits: &Limits) -> Result<FillIn, UnoError> {
    let meter = limits.start();
    let cards = deck.cards().len();
    let first = longest_sequence_within(deck, &meter.part(limits))?;
    let (mut steps, mut peak_bytes) = (first.stats().steps, first.stats().peak_bytes);
    if first.len() == cards {
        return Ok(answer(deck, &[indices(&first)], 0, Stop::Finished, (steps, peak_bytes)));
    }

    // No sequence leads from one component to another, so each is covered by itself.
    let (mut sequences, mut fewest, mut stop) = (Vec::new(), 0, Stop::Finished);
    let components = components(deck.cards());
    let whole = components.len() == 1;
    for component in components {
        let cards: Vec<Card> = component.iter().map(|&index| deck.cards()[index]).collect();
        // Time must be left for sequences one by one.
        let part = if limits.time.is_some() { meter.part(limits).start() } else { meter.clone() };
        let (found, least) = match cover(&cards, Goal::All, &part, limits.seed) {
            Ok(cover) => {
                steps += cover.steps;
                peak_bytes = peak_bytes.max(cover.peak_bytes);
                let least = cover.sequences.len();
                (cover.sequences, least)
            }
            Err(reason) => {
                stop = reason;
                let known = whole.then_some(&first);
                let greedy = one_after_the_other(&Deck::new(cards), known, &meter, limits)?;
                steps += greedy.steps;
                peak_bytes = peak_bytes.max(greedy.peak_bytes);
                (greedy.sequences, greedy.least)
            }
        };
        sequences.extend(found.iter().map(|sequence| sequence.iter().map(|&at| component[at]).collect::<Vec<_>>()));
        fewest += least;
    }
    Ok(answer(deck, &sequences, fewest - 1, stop, (steps, peak_bytes)))
}

/// The indices of cards, by components of the graph of matches.
fn components(cards: &[Card]) -> Vec<Vec<usize>> {
    let mut last_of: HashMap<(bool, u32), usize> = HashMap::new();
    let mut parts = UnionFind::new(cards.len());
    for (index, card) in cards.iter().enumerate() {
        for side in [(false, card.number), (true, card.colour)] {
            if let Some(other) = last_of.insert(side, index) {
                parts.union(index, other);
            }
        }
    }
    let mut place_of: HashMap<usize, usize> = HashMap::new();
    let mut components: Vec<Vec<usize>> = Vec::new();
    for index in 0..cards.len() {
        let place = *place_of.entry(parts.find_mut(index)).or_insert(components.len());
        if place == components.len() {
            components.push(Vec::new());
        }
        components[place].push(index);
    }
    components
}

/// Sequences that hold all cards, and how many it takes at least.
struct Greedy {
    sequences: Vec<Vec<usize>>,
    least: usize,
    steps: u64,
    peak_bytes: usize,
}

/// Sequences as long as possible, one after the other; the first one may be known. None holds more cards than the bound of
/// the first.
fn one_after_the_other(deck: &Deck, known: Option<&Play>, meter: &Meter, limits: &Limits) -> Result<Greedy, UnoError> {
    let mut greedy = Greedy { sequences: Vec::new(), least: 1, steps: 0, peak_bytes: 0 };
    let mut left: Vec<usize> = (0..deck.cards().len()).collect();
    while let Some(&some) = left.first() {
        let play = match known.filter(|_| greedy.sequences.is_empty()) {
            Some(known) => known.clone(),
            None => {
                let rest = Deck::new(left.iter().map(|&index| deck.cards()[index]).collect());
                longest_sequence_within(&rest, &meter.part(limits))?
            }
        };
        if greedy.sequences.is_empty() {
            let most = play.upper_bound().map_or(left.len(), |bound| bound as usize).max(1);
            greedy.least = left.len().div_ceil(most);
        }
        greedy.steps += play.stats().steps;
        greedy.peak_bytes = greedy.peak_bytes.max(play.stats().peak_bytes);
        let sequence: Vec<usize> = match play.is_empty() {
            true => vec![some],
            false => indices(&play).into_iter().map(|at| left[at]).collect(),
        };
        let gone: FixedBitSet = sequence.iter().copied().collect();
        left.retain(|&index| !gone[index]);
        greedy.sequences.push(sequence);
    }
    Ok(greedy)
}

fn indices(play: &Play) -> Vec<usize> {
    play.positions().iter().map(|position| position - 1).collect()
}

/// The sequences with a card between each two of them.
fn answer(
    deck: &Deck,
    sequences: &[Vec<usize>],
    fewest: usize,
    stop: Stop,
    (steps, peak_bytes): (u64, usize),
) -> FillIn {
    let mut play: Vec<PlayedCard> = Vec::new();
    for sequence in sequences {
        let card = |index: usize| deck.cards()[index];
        let before = play.last().and_then(|laid| laid.card(deck));
        if let Some((before, &after)) = before.zip(sequence.first()) {
            play.push(PlayedCard::Added(Card { number: before.number, colour: card(after).colour }));
        }
        play.extend(sequence.iter().map(|index| PlayedCard::Dealt { position: index + 1 }));
    }
    assert!(is_sequence(deck, &play), "cards were added that do not join");
    let added = play.len() - deck.cards().len();
    let stats = Stats { method: "cover", steps, peak_bytes, ..Stats::default() };
    FillIn { answer: Answer::new(Some((play, -(added as i64))), Some(-(fewest as i64)), stop, stats) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::uno::counting;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::Rng;

    fn deck(cards: &[(u32, u32)]) -> Deck {
        Deck::new(cards.iter().map(|&(number, colour)| Card { number, colour }).collect())
    }

    /// No set of fewer cards, of all that there could be, does.
    #[test]
    fn no_fewer_cards_will_do() {
        let mut random = Pcg64Mcg::new(5);
        let playable = |cards: &[(u32, u32)]| {
            let count = counting::sequences(&deck(cards), 0, cards.len(), &Limits::default()).unwrap();
            count.bits() > 0
        };
        let mut added = [0; 4];
        for _ in 0..150 {
            let mut below = |bound: u64| (random.next_u64() % bound) as u32;
            let cards: Vec<_> = (0..1 + below(6)).map(|_| (below(4), below(4))).collect();
            let mut fewest = 0;
            let mut tried = vec![cards.clone()];
            while !tried.iter().any(|cards| playable(cards)) {
                fewest += 1;
                let more = |cards: &Vec<_>| {
                    let cards = cards.clone();
                    (0..16).map(move |card| [&cards[..], &[(card / 4, card % 4)]].concat())
                };
                tried = tried.iter().flat_map(more).collect();
            }
            let answer = fill_in(&deck(&cards), &Limits::default()).unwrap();
            assert!(answer.is_optimal());
            assert_eq!((answer.added().count(), answer.fewest()), (fewest, fewest), "{cards:?}");
            assert_eq!(answer.play().len(), cards.len() + fewest);
            added[fewest] += 1;
        }
        assert!(added[..3].iter().all(|&count| count > 5), "{added:?}");
    }

    #[test]
    fn corner_cases() {
        let answer = fill_in(&deck(&[]), &Limits::default()).unwrap();
        assert_eq!((answer.play().len(), answer.fewest(), answer.stop()), (0, 0, Stop::Finished));
        let equal = fill_in(&deck(&vec![(1, u32::MAX); 300]), &Limits::default()).unwrap();
        assert_eq!((equal.play().len(), equal.is_optimal()), (300, true));
        let apart: Vec<_> = (0..50).map(|at| (at, at)).collect();
        assert_eq!(fill_in(&deck(&apart), &Limits::default()).unwrap().added().count(), 49);
    }

    /// Forty equal colours and numbers are too wide for covers; a few cards apart are not.
    #[test]
    fn what_is_too_wide_is_bounded() {
        let mut random = Pcg64Mcg::new(15);
        let wide = (0..120).map(|_| [(); 2].map(|()| (random.next_u64() % 60) as u32)).map(|[one, two]| (one, two));
        let apart = (100..110).map(|at| (at, at));
        let deck = deck(&wide.chain(apart).collect::<Vec<_>>());
        let limits = Limits { memory: 100_000, ..Limits::default() };
        let answer = fill_in(&deck, &limits).unwrap();
        assert!(answer.fewest() >= 10 && answer.added().count() >= answer.fewest());
        assert_eq!(answer.play().len(), 130 + answer.added().count());
        assert!(answer.is_optimal() || answer.stop() != Stop::Finished);
    }

    #[test]
    fn without_time_there_are_cards_and_a_bound() {
        let apart: Vec<_> = (0..50).map(|at| (at, at)).collect();
        let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        let answer = fill_in(&deck(&apart), &limits).unwrap();
        assert_eq!(answer.play().len() - answer.added().count(), 50);
        assert!(answer.fewest() <= 49 && answer.added().count() >= 49);
    }
}
