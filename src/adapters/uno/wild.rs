//! The longest sequence with wild cards, which match everything.
//!
//! A wild card is a vertex joined to all others. Taken out of a sequence, w of them leave up to w + 1 sequences of cards, and
//! w wild cards join any w + 1 sequences; so the longest sequence has w cards more than any w + 1 disjoint sequences of the
//! deck can hold, which is a question to covers. Where the deck is too wide for these, or a first card is given, the solver
//! is asked on the graph of matches, with the wild cards in it.

use petgraph::graph::{NodeIndex, UnGraph};

use super::cover::{Goal, cover};
use super::deck::Deck;
use super::game::{UnoError, longest_sequence_within};
use super::played_card::{PlayedCard, is_sequence};
use crate::limits::{Limits, Meter};
use crate::line_graph;
use crate::{LongestPath, Status, Stop};

/// A longest sequence with wild cards, or the best known one with a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WildPlay {
    /// The cards in playing order; each matches the one before.
    pub laid: Vec<PlayedCard>,
    /// Proved: no sequence has more cards than this.
    pub upper_bound: usize,
    /// Why the search ended.
    pub stop: Stop,
    /// What settled the question: an engine, or `cover`.
    pub engine: &'static str,
    /// States made, or steps of the solver.
    pub steps: u64,
    /// The most memory that was held at once, in bytes.
    pub peak_bytes: usize,
}

impl WildPlay {
    /// What is known about the answer.
    pub fn status(&self) -> Status {
        match self.laid.len() {
            0 if self.upper_bound == 0 => Status::Infeasible,
            0 => Status::Unknown,
            cards if cards == self.upper_bound => Status::Optimal,
            _ => Status::Feasible,
        }
    }
}

/// The longest sequence of a deck and so many wild cards, beginning with the card at position `first` (from 1) if that is
/// given, within limits.
///
/// # Errors
/// If there is no card at that position, or the graph of matches is needed and takes more memory than allowed.
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
/// assert_eq!((play.laid.len(), play.upper_bound, play.laid[1]), (3, 3, PlayedCard::Wild));
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
    let play = match by_covers(deck, wild, first, limits, &meter)? {
        Some(play) => play,
        None => on_the_graph(deck, wild, first, &meter.rest(limits))?,
    };
    assert!(is_sequence(deck, &play.laid), "cards were laid that do not match");
    Ok(play)
}

/// With free ends: as disjoint sequences, if limits and width allow.
fn by_covers(
    deck: &Deck,
    wild: usize,
    first: Option<usize>,
    limits: &Limits,
    meter: &Meter,
) -> Result<Option<WildPlay>, UnoError> {
    if first.is_some() {
        return Ok(None);
    }
    let all = longest_sequence_within(deck, &meter.part(limits))?;
    if all.len() == deck.cards().len() {
        let indices: Vec<usize> = all.positions().iter().map(|position| position - 1).collect();
        let laid = joined(&[indices], wild);
        let (engine, steps, peak_bytes) = (all.stats().engine, all.stats().steps, all.stats().peak_bytes);
        let upper_bound = laid.len();
        return Ok(Some(WildPlay { laid, upper_bound, stop: Stop::Finished, engine, steps, peak_bytes }));
    }
    let Ok(cover) = cover(deck.cards(), Goal::Most { trails: wild + 1 }, meter, limits.seed) else {
        return Ok(None);
    };
    let laid = joined(&cover.sequences, wild);
    let (steps, peak_bytes) = (cover.steps, cover.peak_bytes);
    let upper_bound = laid.len();
    Ok(Some(WildPlay { laid, upper_bound, stop: Stop::Finished, engine: "cover", steps, peak_bytes }))
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
    Ok(WildPlay {
        laid: solution.path().unwrap_or_default().iter().map(laid).collect(),
        upper_bound: solution.upper_bound().map_or(0, |length| length as usize + 1),
        stop: solution.stop(),
        engine: solution.stats().engine,
        steps: solution.stats().steps,
        peak_bytes: solution.stats().peak_bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
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
            assert_eq!((play.laid.len(), play.upper_bound), (longest, longest), "{deck:?} and {wild}");
            let again = on_the_graph(&deck, wild, None, &limits).unwrap();
            assert_eq!((again.laid.len(), again.upper_bound, again.status()), (longest, longest, play.status()));
            for position in 1..=deck.cards().len() {
                let play = longest_sequence_with_wild(&deck, wild, Some(position), &limits).unwrap();
                assert_eq!(play.laid[0], PlayedCard::Dealt { position });
                assert!(play.status() == Status::Optimal && play.laid.len() <= longest);
            }
        }
    }

    #[test]
    fn corner_cases() {
        let none = Deck::default();
        let limits = Limits::default();
        assert_eq!(longest_sequence_with_wild(&none, 0, None, &limits).unwrap().status(), Status::Infeasible);
        assert_eq!(longest_sequence_with_wild(&none, 3, None, &limits).unwrap().laid, [PlayedCard::Wild; 3]);
        let error = longest_sequence_with_wild(&none, 3, Some(1), &limits).unwrap_err();
        assert_eq!(error, UnoError::NoSuchPosition { position: 1, cards: 0 });
    }
}
