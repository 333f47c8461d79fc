//! From a deck to its root multigraph, and from a sequence of edges there back to a sequence of cards.

use hashbrown::HashMap;
use petgraph::graph::{EdgeIndex, NodeIndex, UnGraph};

use super::card::Card;
use super::deck::Deck;
use crate::limits::Limits;
use crate::line_graph::{self, TooLarge};
use crate::solution::tells_as_all_do;
use crate::{Answer, Error, LongestSequence, Path, Solution};

/// The root of a deck: a node for every number and every colour, and an edge between the two for every card, in the order of
/// the deck.
pub type CardGraph = UnGraph<Value, ()>;

/// The graph of a deck's matches: a node for every card, which weighs its index in the deck (from 0); an edge for every match.
/// It is the line graph of the [`CardGraph`].
pub type MatchGraph = UnGraph<usize, ()>;

/// What two cards may agree in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A number.
    Number(u32),
    /// A colour.
    Colour(u32),
}

/// A question about a deck that cannot be answered as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnoError {
    /// The cards match in more pairs than memory holds.
    #[error("the deck has too many matching pairs: {0}")]
    TooLarge(#[from] TooLarge),
    /// The cards of several players match in more pairs than memory holds.
    #[error(
        "the {cards} cards match in {matches} pairs; as a graph that takes {bytes} bytes, and the limit is {limit}"
    )]
    TooManyMatches {
        /// How many cards there are.
        cards: usize,
        /// How many pairs of cards may follow each other.
        matches: u128,
        /// How many bytes the graph would take.
        bytes: u128,
        /// How many bytes it may take.
        limit: usize,
    },
    /// A sequence with so many wild cards takes more memory than allowed.
    #[error(
        "a sequence with {wild} wild cards takes {bytes} bytes, and the limit is {limit}; ask for fewer or allow more"
    )]
    TooManyWild {
        /// How many wild cards there are.
        wild: usize,
        /// How many bytes the sequence would take.
        bytes: usize,
        /// How many bytes it may take.
        limit: usize,
    },
    /// A game needs a player.
    #[error("there is no hand; a game needs one for each player")]
    NoPlayers,
    /// The deck has no card at this position.
    #[error("there is no card at position {position}: the deck has {cards}")]
    NoSuchPosition {
        /// The position asked for, from 1.
        position: usize,
        /// How many cards there are.
        cards: usize,
    },
    /// The solver refused the question.
    #[error(transparent)]
    Solver(#[from] Error),
}

/// A deck made ready for questions.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use longhaul::adapters::uno::{Card, Deck, Game};
///
/// let cards = [(1, 3), (2, 2), (2, 3)].map(|(number, colour)| Card { number, colour });
/// let game = Game::new(Deck::new(cards.to_vec()));
/// let solution = game.question(Some(2))?.time_limit(Duration::from_secs(10)).solve()?;
/// let play = game.play(&solution);
/// assert_eq!(play.positions(), [2, 3, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    deck: Deck,
    root: CardGraph,
}

impl Game {
    /// Builds the root of the deck, in time and space linear in the cards.
    pub fn new(deck: Deck) -> Self {
        let mut root = CardGraph::with_capacity(0, deck.cards().len());
        let mut nodes: HashMap<Value, NodeIndex> = HashMap::new();
        for card in deck.cards() {
            let [number, colour] = [Value::Number(card.number), Value::Colour(card.colour)]
                .map(|value| *nodes.entry(value).or_insert_with(|| root.add_node(value)));
            root.add_edge(number, colour, ());
        }
        Game { deck, root }
    }

    /// The deck.
    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// The root: cards as edges between their number and their colour. Edge `i` is the card of index `i`.
    pub fn root(&self) -> &CardGraph {
        &self.root
    }

    /// The graph of matches, made anew.
    ///
    /// # Errors
    /// If it would take more than `memory_limit` bytes.
    pub fn match_graph(&self, memory_limit: usize) -> Result<MatchGraph, UnoError> {
        let pairs: Vec<(u32, u32)> = self.deck.cards().iter().map(|card| (card.number, card.colour)).collect();
        Ok(line_graph::of_pairs(&pairs, memory_limit)?)
    }

    /// Asks for the longest sequence, beginning with the card at position `first` (from 1: the card on the table) if that is
    /// given. Limits and engine are set on the result.
    ///
    /// # Errors
    /// If there is no card at that position.
    pub fn question(&self, first: Option<usize>) -> Result<LongestSequence<'_, &CardGraph>, UnoError> {
        let question = LongestSequence::new(&self.root);
        let cards = self.deck.cards().len();
        match first {
            None => Ok(question),
            Some(position) if (1..=cards).contains(&position) => Ok(question.first(EdgeIndex::new(position - 1))),
            Some(position) => Err(UnoError::NoSuchPosition { position, cards }),
        }
    }

    /// The answer to a [`question`](Self::question) as a sequence of cards.
    pub fn play(&self, solution: &Solution<EdgeIndex, NodeIndex>) -> Play {
        let sequence = |path: &Path<EdgeIndex, NodeIndex>| {
            let cards = path.nodes().iter().map(|edge| self.deck.cards()[edge.index()]).collect();
            (cards, path.nodes().iter().map(|edge| edge.index() + 1).collect())
        };
        Play { answer: solution.answer().as_ref().map(sequence).worth_more(1) }
    }
}

/// A sequence of cards, each matching the one before.
#[derive(Clone, Debug)]
pub struct Play {
    /// The cards in playing order and their positions, worth their number.
    answer: Answer<(Vec<Card>, Vec<usize>)>,
}

impl Play {
    /// The cards in playing order; none if the deck is empty or the search ended before it found any.
    pub fn cards(&self) -> &[Card] {
        self.answer.best().map_or(&[], |(cards, _)| cards)
    }

    /// Where each of the [`cards`](Self::cards) is in the deck, from 1.
    pub fn positions(&self) -> &[usize] {
        self.answer.best().map_or(&[], |(_, positions)| positions)
    }

    /// How many cards are played.
    pub fn len(&self) -> usize {
        self.cards().len()
    }

    /// Whether no card is played.
    pub fn is_empty(&self) -> bool {
        self.cards().is_empty()
    }

    /// Proved: no sequence has more cards than this. `None` if it is proved that there is no sequence: of an empty deck.
    pub fn upper_bound(&self) -> Option<i64> {
        self.answer.upper_bound()
    }

    tells_as_all_do!("no sequence is longer", (Vec<Card>, Vec<usize>));
}

/// The longest sequence of a deck, beginning with the card at position `first` (from 1) if given, without a time limit.
/// For limits ask through [`Game`].
///
/// # Errors
/// If there is no card at that position.
///
/// # Complexity
/// The problem is NP-hard: exponential in the width of the root at worst, linear in the cards for a few colours.
pub fn longest_sequence(deck: &Deck, first: Option<usize>) -> Result<Play, UnoError> {
    let game = Game::new(deck.clone());
    let solution = game.question(first)?.solve()?;
    Ok(game.play(&solution))
}

/// The longest sequence of a deck within limits.
pub(super) fn longest_sequence_within(deck: &Deck, limits: &Limits) -> Result<Play, UnoError> {
    let game = Game::new(deck.clone());
    let solution = game.question(None)?.limits(limits.clone()).solve()?;
    Ok(game.play(&solution))
}
