//! The longest sequence with wild cards, which match everything.
//!
//! A wild card is a vertex joined to all others. Taken out of a sequence, w of them leave up to w + 1 sequences of cards, and
//! w wild cards join any w + 1 sequences; so the longest sequence has w cards more than any w + 1 disjoint sequences of the
//! deck can hold, which is a question to covers. Where the deck is too wide for these, or a first card is given, the solver
//! is asked on the graph of matches, with the wild cards in it; what is known by then, some sequences as they come, is the
//! answer where that finds nothing better.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;
use petgraph::graph::{NodeIndex, UnGraph};

use super::cover::{Cover, Goal, cover};
use super::deck::Deck;
use super::game::{UnoError, Value, longest_sequence_within};
use super::played_card::{PlayedCard, is_sequence};
use crate::limits::{Limits, Meter};
use crate::line_graph;
use crate::solution::tells_as_all_do;
use crate::{Answer, LongestPath, Stats, Stop};

/// A longest sequence with wild cards, or the best known one with a bound.
#[derive(Clone, Debug)]
pub struct WildPlay {
    /// The cards in playing order, worth their number.
    answer: Answer<Vec<PlayedCard>>,
}

impl WildPlay {
    fn new(cards: Vec<PlayedCard>, upper_bound: usize, stop: Stop, stats: Stats) -> Self {
        let number = cards.len() as i64;
        let best = (number > 0).then_some((cards, number));
        WildPlay { answer: Answer::new(best, (upper_bound > 0).then_some(upper_bound as i64), stop, stats) }
    }

    /// The cards in playing order; each matches the one before.
    pub fn cards(&self) -> &[PlayedCard] {
        self.answer.best().map_or(&[], Vec::as_slice)
    }

    /// How many cards are played.
    pub fn len(&self) -> usize {
        self.cards().len()
    }

    /// Whether no card is played.
    pub fn is_empty(&self) -> bool {
        self.cards().is_empty()
    }

    /// Proved: no sequence has more cards than this.
    pub fn upper_bound(&self) -> usize {
        self.answer.upper_bound().map_or(0, |cards| cards as usize)
    }

    tells_as_all_do!("no sequence is longer", Vec<PlayedCard>);
}

/// The longest sequence of a deck and so many wild cards, beginning with the card at position `first` (from 1) if that is
/// given, within limits.
///
/// # Errors
/// If there is no card at that position, or the sequence alone takes more memory than allowed.
///
/// # Complexity
/// NP-hard; exponential in the width of the deck, linear in the cards for a few colours.
///
/// # Example
/// ```
/// use longhaul::Limits;
/// use longhaul::adapters::uno::{Card, Deck, PlayedCard, longest_sequence_with_wild};
///
/// let deck = Deck::new([(1, 1), (2, 2), (3, 3)].map(|(number, colour)| Card { number, colour }).to_vec());
/// let play = longest_sequence_with_wild(&deck, 1, None, &Limits::default())?;
/// assert_eq!((play.len(), play.upper_bound(), play.cards()[1]), (3, 3, PlayedCard::Wild));
/// # Ok::<(), longhaul::adapters::uno::UnoError>(())
/// ```
pub fn longest_sequence_with_wild(
    deck: &Deck,
    wild: usize,
    first: Option<usize>,
    limits: &Limits,
) -> Result<WildPlay, UnoError> {
    let meter = limits.start();
    let cards = deck.cards().len();
    if let Some(position) = first.filter(|position| !(1..=cards).contains(position)) {
        return Err(UnoError::NoSuchPosition { position, cards });
    }
    let bytes = cards.saturating_add(wild).saturating_mul(BYTES_A_CARD);
    if meter.forbids(bytes) {
        return Err(UnoError::TooManyWild { wild, bytes, limit: limits.memory });
    }
    let play = match first {
        None => with_free_ends(deck, wild, limits, &meter)?,
        Some(position) => {
            let cards_known = joined(&known_sequences(deck, vec![position - 1], wild), wild);
            let known = at_most(cards_known, cards + wild, greedy());
            with_the_graph(deck, wild, first, known, &meter.rest(limits))?
        }
    };
    assert!(is_sequence(deck, play.cards()), "cards were laid that do not match");
    Ok(play)
}

/// What an answer takes for every card, told as text or JSON included.
const BYTES_A_CARD: usize = 128;

/// As disjoint sequences, if limits and width allow, or else on the graph.
fn with_free_ends(deck: &Deck, wild: usize, limits: &Limits, meter: &Meter) -> Result<WildPlay, UnoError> {
    let all = longest_sequence_within(deck, &meter.part(limits))?;
    let indices: Vec<usize> = all.positions().iter().map(|position| position - 1).collect();
    // The wild cards leave no more than one sequence for each and one beside, none of them longer than the longest.
    let longest = all.upper_bound().map_or(0, |cards| usize::try_from(cards).unwrap_or(usize::MAX));
    let most = longest.saturating_mul(wild.saturating_add(1)).min(deck.cards().len()) + wild;
    let known = at_most(joined(&known_sequences(deck, indices, wild), wild), most, spent(all.stats()));
    if known.len() == most {
        return Ok(known);
    }
    match cover(deck.cards(), Goal::Most { trails: wild + 1 }, meter, limits.seed) {
        Ok(cover) => {
            let Cover { sequences, steps, peak_bytes } = cover;
            let stats = Stats { method: "cover", steps, peak_bytes, ..Stats::default() };
            let laid = joined(&sequences, wild);
            Ok(at_most(laid.clone(), laid.len(), stats))
        }
        Err(_) => with_the_graph(deck, wild, None, known, &meter.rest(limits)),
    }
}

/// What knows sequences as they come, in the statistics.
fn greedy() -> Stats {
    Stats { method: "greedy", ..Stats::default() }
}

/// Cards that were laid, and no more than so many can be.
fn at_most(laid: Vec<PlayedCard>, upper_bound: usize, stats: Stats) -> WildPlay {
    WildPlay::new(laid, upper_bound, Stop::Exhausted, stats)
}

/// This sequence, and others beside it of cards it leaves, each as it comes: one for every wild card at most.
fn known_sequences(deck: &Deck, sequence: Vec<usize>, wild: usize) -> Vec<Vec<usize>> {
    let cards = deck.cards();
    let mut is_taken = FixedBitSet::with_capacity(cards.len());
    is_taken.extend(sequence.iter().copied());
    let mut by_value: HashMap<Value, Vec<usize>> = HashMap::new();
    for (index, card) in is_taken.zeroes().map(|index| (index, cards[index])) {
        for value in [Value::Number(card.number), Value::Colour(card.colour)] {
            by_value.entry(value).or_default().push(index);
        }
    }
    let mut next = |value: Value, is_taken: &mut FixedBitSet| {
        let cards = by_value.get_mut(&value)?;
        while let Some(index) = cards.pop() {
            if !is_taken.put(index) {
                return Some(index);
            }
        }
        None
    };
    let mut sequences = vec![sequence];
    for start in 0..cards.len() {
        if sequences.len() > wild {
            break;
        }
        if is_taken.put(start) {
            continue;
        }
        let mut sequence = vec![start];
        loop {
            let last = cards[sequence[sequence.len() - 1]];
            let by_number = next(Value::Number(last.number), &mut is_taken);
            let Some(index) = by_number.or_else(|| next(Value::Colour(last.colour), &mut is_taken)) else { break };
            sequence.push(index);
        }
        sequences.push(sequence);
    }
    sequences
}

/// The sequences with a wild card between each two, and the others at the end.
fn joined(sequences: &[Vec<usize>], wild: usize) -> Vec<PlayedCard> {
    let mut laid: Vec<PlayedCard> = Vec::new();
    let mut left = wild;
    for sequence in sequences.iter().filter(|sequence| !sequence.is_empty()) {
        if !laid.is_empty() {
            laid.push(PlayedCard::Wild);
            left -= 1;
        }
        laid.extend(sequence.iter().map(|index| PlayedCard::Dealt { position: index + 1 }));
    }
    laid.extend(std::iter::repeat_n(PlayedCard::Wild, left));
    laid
}

/// The better of what is known and what the solver finds on the graph, if there is room for that.
fn with_the_graph(
    deck: &Deck,
    wild: usize,
    first: Option<usize>,
    known: WildPlay,
    limits: &Limits,
) -> Result<WildPlay, UnoError> {
    if known.stop() == Stop::Finished {
        return Ok(known);
    }
    let stopped = |stop| WildPlay::new(known.cards().to_vec(), known.upper_bound(), stop, known.stats().clone());
    let nodes = (deck.cards().len() + wild) as u128;
    let edges = wild as u128 * nodes;
    if edges > u128::from(u32::MAX / 2) || edges * BYTES_AN_EDGE > limits.memory as u128 {
        return Ok(stopped(Stop::MemoryLimit));
    }
    let found = match on_the_graph(deck, wild, first, limits) {
        Err(UnoError::TooLarge(_)) => return Ok(stopped(Stop::MemoryLimit)),
        found => found?,
    };
    let upper_bound = known.upper_bound().min(found.upper_bound());
    let better = if found.len() >= known.len() { &found } else { &known };
    let (one, other) = (known.stats(), found.stats());
    let (steps, peak_bytes) = (one.steps + other.steps, one.peak_bytes.max(other.peak_bytes));
    let stats = Stats { steps, peak_bytes, ..better.stats().clone() };
    Ok(WildPlay::new(better.cards().to_vec(), upper_bound, found.stop(), stats))
}

/// What an edge at a wild card takes in the graph of matches and the solver's copy of it.
const BYTES_AN_EDGE: u128 = 64;

fn on_the_graph(deck: &Deck, wild: usize, first: Option<usize>, limits: &Limits) -> Result<WildPlay, UnoError> {
    let pairs: Vec<(u32, u32)> = deck.cards().iter().map(|card| (card.number, card.colour)).collect();
    let mut graph: UnGraph<usize, ()> = line_graph::of_pairs(&pairs, limits.memory)?;
    for _ in 0..wild {
        let joker = graph.add_node(graph.node_count());
        for other in (0..joker.index()).map(NodeIndex::new) {
            graph.add_edge(joker, other, ());
        }
    }
    let question = LongestPath::new(&graph).limits(limits.clone());
    let solution = match first {
        Some(position) => question.from(NodeIndex::new(position - 1)).solve()?,
        None => question.solve()?,
    };
    let laid = |node: &NodeIndex| match node.index() {
        index if index < pairs.len() => PlayedCard::Dealt { position: index + 1 },
        _ => PlayedCard::Wild,
    };
    let cards = solution.path().unwrap_or_default().iter().map(laid).collect();
    let upper_bound = solution.upper_bound().map_or(0, |length| length as usize + 1);
    Ok(WildPlay::new(cards, upper_bound, solution.stop(), spent(solution.stats())))
}

/// Who has answered a question on the way, and what that took: what was decided there is about other lengths.
fn spent(stats: &Stats) -> Stats {
    let Stats { engine, method, steps, peak_bytes, .. } = *stats;
    Stats { engine, method, steps, peak_bytes, ..Stats::default() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Status;
    use crate::adapters::uno::card::Card;
    use crate::adapters::uno::counting;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::Rng;

    /// The counting program finds a sequence just as long, and none that is longer; both ways to ask agree.
    #[test]
    fn as_long_as_sequences_are() {
        let mut random = Pcg64Mcg::new(8);
        for _ in 0..300 {
            let mut below = |bound: u64| (random.next_u64() % bound) as u32;
            let cards: Vec<Card> = (0..below(8)).map(|_| Card { number: below(6), colour: below(6) }).collect();
            let (deck, wild) = (Deck::new(cards), below(4) as usize);
            let limits = Limits::default();
            let play = longest_sequence_with_wild(&deck, wild, None, &limits).unwrap();
            let exists = |cards| counting::sequences(&deck, wild, cards, &limits).unwrap().bits() > 0;
            let longest = (1..=deck.cards().len() + wild).rev().find(|&cards| exists(cards)).unwrap_or(0);
            assert_eq!((play.len(), play.upper_bound()), (longest, longest), "{deck:?} and {wild}");
            let again = on_the_graph(&deck, wild, None, &limits).unwrap();
            assert_eq!((again.len(), again.upper_bound(), again.status()), (longest, longest, play.status()));
            for position in 1..=deck.cards().len() {
                let play = longest_sequence_with_wild(&deck, wild, Some(position), &limits).unwrap();
                assert_eq!(play.cards()[0], PlayedCard::Dealt { position });
                assert!(play.status() == Status::Optimal && play.len() <= longest);
            }
        }
    }

    /// A hundred numbers and colours are too wide for a sweep, and the limits leave nothing for the graph: what is known stays.
    #[test]
    fn a_known_sequence_is_not_thrown_away() {
        let mut random = Pcg64Mcg::new(5);
        let mut below = |bound: u64| (random.next_u64() % bound) as u32;
        let cards: Vec<Card> = (0..400).map(|_| Card { number: below(200), colour: below(200) }).collect();
        let deck = Deck::new(cards);
        for (limits, first) in [
            (Limits { time: Some(Duration::ZERO), ..Limits::default() }, None),
            (Limits { memory: 60_000, ..Limits::default() }, None),
            (Limits { memory: 60_000, ..Limits::default() }, Some(7)),
        ] {
            let play = longest_sequence_with_wild(&deck, 3, first, &limits).unwrap();
            assert!(play.len() > 6 && play.len() <= play.upper_bound(), "{} cards", play.len());
            assert!(first.is_none_or(|position| play.cards()[0] == PlayedCard::Dealt { position }));
            assert_ne!(play.stop(), Stop::Exhausted);
        }
    }

    #[test]
    fn more_wild_cards_than_memory_holds() {
        let deck = Deck::new(vec![Card { number: 1, colour: 1 }]);
        for wild in [1_000_000, 99_999_999_999, usize::MAX] {
            let limits = Limits { memory: 10_000_000, ..Limits::default() };
            let error = longest_sequence_with_wild(&deck, wild, None, &limits).unwrap_err();
            assert!(matches!(error, UnoError::TooManyWild { .. }), "{error}");
            assert!(counting::sequences(&deck, wild, 1, &limits).is_err());
            assert!(counting::path_sets(&deck, wild, &limits).is_err());
        }
        let many = longest_sequence_with_wild(&deck, 50_000, None, &Limits::default()).unwrap();
        assert_eq!((many.len(), many.status()), (50_001, Status::Optimal));
        // Every first card leaves the others in their way.
        let first = longest_sequence_with_wild(&deck, 50_000, Some(1), &Limits::default()).unwrap();
        assert_eq!((first.cards()[0], first.len()), (PlayedCard::Dealt { position: 1 }, 50_001));
    }

    #[test]
    fn corner_cases() {
        let none = Deck::default();
        let limits = Limits::default();
        assert_eq!(longest_sequence_with_wild(&none, 0, None, &limits).unwrap().status(), Status::Infeasible);
        assert_eq!(longest_sequence_with_wild(&none, 3, None, &limits).unwrap().cards(), [PlayedCard::Wild; 3]);
        let error = longest_sequence_with_wild(&none, 3, Some(1), &limits).unwrap_err();
        assert_eq!(error, UnoError::NoSuchPosition { position: 1, cards: 0 });
    }
}
