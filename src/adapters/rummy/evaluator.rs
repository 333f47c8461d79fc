//! A hand that changes: what a game asks at every turn.

use super::best::{Best, Rummy};
use super::card::Card;
use super::hand::{Hand, HandError};
use super::program::Program;
use super::rules::{Ace, Objective};
use super::solve;
use crate::limits::{Limits, Meter};

/// A hand to which cards are added and from which they are taken, always with its best melding at hand.
///
/// The layers of the program before the rank of a card don't depend on it and are kept; only those from two ranks before it
/// on are made again (all of them for a joker, for an ace that may be high, and where runs go round the corner).
///
/// # Example
/// ```
/// use longhaul::adapters::rummy::{Card, Evaluator, Hand, Rummy, Suit};
///
/// let hand = Hand::parse("hand", b"3H 4H 5H 7S 7D 9C QD KD", 1)?;
/// let mut evaluator = Evaluator::new(&Rummy::new(&hand));
/// assert_eq!(evaluator.best().deadwood_cards(), 5);
/// evaluator.add(Card::new(7, Suit::Clubs).unwrap())?;
/// assert_eq!(evaluator.best().deadwood_cards(), 3);
/// let discards = evaluator.discards();
/// assert_eq!((discards[0].card.to_string(), discards[0].cost), ("KD".to_owned(), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator {
    hand: Hand,
    ace: Ace,
    objective: Objective,
    limits: Limits,
    program: Program,
}

/// A card that could be laid off, and what is left over then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discard {
    /// The card.
    pub card: Card,
    /// What the best melding of the rest leaves over, in cards or points as the objective says.
    pub cost: u64,
    /// Whether that is proved; else it may be less.
    pub proved: bool,
    /// With what decides between equals.
    ranked: u64,
}

impl Evaluator {
    /// Begins with the hand of a question, under its rules and limits; each [best melding](Self::best) and each
    /// list of [discards](Self::discards) has the limits anew.
    pub fn new(question: &Rummy<'_>) -> Self {
        let Rummy { hand, ace, objective, limits } = question.clone();
        let task = solve::task_of(hand, ace, solve::ranked_gain(&objective));
        Evaluator { hand: hand.clone(), ace, objective, limits, program: Program::new(task) }
    }

    /// The hand as it is now.
    pub fn hand(&self) -> &Hand {
        &self.hand
    }

    /// Adds a card.
    ///
    /// # Errors
    /// If the decks hold no further copy of it.
    pub fn add(&mut self, card: Card) -> Result<(), HandError> {
        self.hand.add(card)?;
        self.changed(card);
        Ok(())
    }

    /// Takes a copy of the card away; `false` if there is none.
    pub fn remove(&mut self, card: Card) -> bool {
        let there = self.hand.remove(card);
        if there {
            self.changed(card);
        }
        there
    }

    fn changed(&mut self, card: Card) {
        match card.cell() {
            Some((column, row)) => self.program.set_count(column, row, self.hand.counts[column][row]),
            None => self.program.set_jokers(self.hand.jokers),
        }
    }

    /// The best melding of the hand as it is now.
    pub fn best(&mut self) -> Best {
        let solved = solve::solve(&mut self.program, self.ace, &self.limits.start());
        Best::new(&self.hand, self.ace, &self.objective, &solved, &[], &self.program)
    }

    /// For every different card of the hand what is left over if it is discarded, the best discard first. Among
    /// equals, that of which the rest leaves less by the other of cards and points comes first, then the dearer card.
    pub fn discards(&mut self) -> Vec<Discard> {
        let mut kinds: Vec<Card> = self.hand.kinds().collect();
        // From behind, so that the layers before a card still hold.
        kinds.reverse();
        let meter = self.limits.start();
        let mut discards: Vec<Discard> = kinds.into_iter().map(|card| self.without(card, &meter)).collect();
        let weights = *self.objective.weights();
        discards.sort_by_key(|discard| (discard.ranked, std::cmp::Reverse((weights.of(discard.card), discard.card))));
        discards
    }

    fn without(&mut self, card: Card, meter: &Meter) -> Discard {
        self.remove(card);
        let total = self.program.task.total_gain();
        let (gain, bound) = solve::gain(&mut self.program, self.ace, meter);
        let (ranked, proved) = (total - gain, gain == bound);
        self.add(card).expect("the card has just been taken away");
        Discard { card, cost: self.objective.primary(ranked), proved, ranked }
    }
}
