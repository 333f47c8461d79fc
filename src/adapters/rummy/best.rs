//! Questions about a hand, and the best melding.

use super::card::Card;
use super::configuration::{Configuration, Configurations};
use super::hand::Hand;
use super::meld::Meld;
use super::program::Program;
use super::rules::{Ace, Objective};
use super::solve::{self, Solved};
use crate::limits::Limits;
use crate::{Status, Stop};

/// A question about a hand, under rules and limits.
///
/// # Example
/// ```
/// use longhaul::adapters::rummy::{Hand, Objective, Rummy, Weights};
///
/// let hand = Hand::parse("hand", b"11C 3H 4H 11D 3D 5H 9D 2H 6H 3C 4H 3D 4D 5H 12D 3C", 2)?;
/// let best = Rummy::new(&hand).best();
/// assert!(best.is_optimal());
/// assert_eq!((best.deadwood_cards(), best.deadwood_points()), (9, 55));
/// assert_eq!(best.configuration().to_string(), "2H 3H 4H 5H | 4H 5H 6H | 3D 3D 3C 3C 4D 9D JD JC QD");
/// # Ok::<(), longhaul::io::FileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rummy<'h> {
    pub(super) hand: &'h Hand,
    pub(super) ace: Ace,
    pub(super) objective: Objective,
    pub(super) limits: Limits,
}

impl<'h> Rummy<'h> {
    /// A question about this hand.
    pub fn new(hand: &'h Hand) -> Self {
        Rummy { hand, ace: Ace::default(), objective: Objective::default(), limits: Limits::default() }
    }

    /// Where the ace stands. \[default: [`Ace::Low`]\]
    #[must_use]
    pub fn ace(mut self, ace: Ace) -> Self {
        self.ace = ace;
        self
    }

    /// What is to be left over as little as possible. \[default: [`Objective::FewestCards`]\]
    #[must_use]
    pub fn objective(mut self, objective: Objective) -> Self {
        self.objective = objective;
        self
    }

    /// What is to be left over as little as possible, as it was [asked for](Self::objective).
    pub fn the_objective(&self) -> &Objective {
        &self.objective
    }

    /// What an answer may take; with a spent limit it is the best so far with its bound. \[default: no limit of time, 4 GiB\]
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// A best melding: of the [objective](Self::objective), and among those by the other of cards and points.
    ///
    /// # Complexity
    /// See [the program](super#the-best-melding).
    pub fn best(&self) -> Best {
        let task = solve::task_of(self.hand, self.ace, solve::ranked_gain(&self.objective));
        let mut program = Program::new(task);
        let solved = solve::solve(&mut program, self.ace, &self.limits.start());
        Best::new(self.hand, self.ace, &self.objective, &solved, &[], &program)
    }

    /// All configurations, each once, the one without melds among them: depth first, each as soon as it is found.
    ///
    /// The article places card after card, and tells melds by reading off what was placed ([`placements`](super::placements)).
    /// Here a step places a whole meld, for the first of its cards: so each step leads to a configuration, none is
    /// found twice, and none is missed, with any number of decks and jokers. The time between two of them is polynomial in
    /// the number of [candidate melds](super::candidates).
    ///
    /// Two configurations are the same if they have the same melds, each as often; see [`Meld`] for when two melds are.
    pub fn configurations(&self) -> Configurations {
        Configurations::new(self.hand, self.ace, None, &self.limits)
    }

    /// All configurations that are best by the [objective](Self::objective) alone, ties not broken.
    ///
    /// The same walk, but before each step the [program](super#the-best-melding) says whether the cards that are left can
    /// still make up for what is missing; so it goes astray within one rank at most.
    pub fn optima(&self) -> Configurations {
        Configurations::new(self.hand, self.ace, Some(&self.objective), &self.limits)
    }
}

/// A best melding of a hand, or the best found before a limit was spent.
#[derive(Clone, Debug)]
pub struct Best {
    configuration: Configuration,
    objective: Objective,
    /// Proved: no melding leaves less, in cards or points as the objective says.
    lower_bound: u64,
    optimal: bool,
    stop: Stop,
    steps: u64,
}

impl Best {
    /// What the program found, or else these melds, which are there anyway.
    pub(super) fn new(
        hand: &Hand,
        ace: Ace,
        objective: &Objective,
        solved: &Solved,
        otherwise: &[Meld],
        program: &Program,
    ) -> Self {
        let melds = solved.laid.as_ref().map_or_else(|| otherwise.to_vec(), |laid| solve::melds(laid, ace));
        Best::of_melds(hand, ace, objective, melds, solved, program)
    }

    /// These melds, with what was proved.
    pub(super) fn of_melds(
        hand: &Hand,
        ace: Ace,
        objective: &Objective,
        melds: Vec<Meld>,
        solved: &Solved,
        program: &Program,
    ) -> Self {
        let configuration = Configuration::new(hand, melds, ace).expect("the program melds cards that are there");
        let left: u64 = configuration.deadwood().iter().map(|&card| objective.ranked_cost(card)).sum();
        let total: u64 = hand.cards().map(|card| objective.ranked_cost(card)).sum();
        let gain = total - left;
        assert!(solved.laid.is_none() || gain == solved.gain, "what is left is what the program says");
        let bound = solved.bound.max(gain);
        Best {
            configuration,
            objective: *objective,
            lower_bound: objective.primary(total - bound),
            optimal: gain == bound,
            stop: solved.stop,
            steps: program.steps,
        }
    }

    /// The melding.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// Its melds, by their first rank.
    pub fn melds(&self) -> &[Meld] {
        self.configuration.melds()
    }

    /// The cards that are left over.
    pub fn deadwood(&self) -> &[Card] {
        self.configuration.deadwood()
    }

    /// How many cards are left over.
    pub fn deadwood_cards(&self) -> usize {
        self.deadwood().len()
    }

    /// The points of what is left over, by the weights of the objective.
    pub fn deadwood_points(&self) -> u64 {
        self.objective.weights().sum(self.deadwood())
    }

    /// What is left over, in cards or points as the objective says.
    pub fn cost(&self) -> u64 {
        self.objective.sum(self.deadwood())
    }

    /// Proved: no melding leaves less than this, in cards or points as the objective says.
    pub fn lower_bound(&self) -> u64 {
        self.lower_bound
    }

    /// Whether it is proved to be best, ties included.
    pub fn is_optimal(&self) -> bool {
        self.optimal
    }

    /// [`Status::Optimal`] or [`Status::Feasible`].
    pub fn status(&self) -> Status {
        if self.optimal { Status::Optimal } else { Status::Feasible }
    }

    /// Why the search ended.
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// How many states the program made.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}
