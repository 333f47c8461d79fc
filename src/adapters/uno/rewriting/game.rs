//! A game made ready to be searched: its rules, its first position, and what follows each position.

use super::code::{self, Code, NO_CARD};
use super::packing::{Packed, Packing};
use super::position::{Below, Draw, Hand, PLAYERS, Position};
use super::rules::Rules;
use super::source_rules::{self, Done};
use super::step::{Action, Step};
use super::strategy::{Choices, check_strategy};
use super::{estimate, official};
use crate::explore::{End, Exploration, Forced, Listing, StateGraph, Successors};
use crate::io::{GameFile, player_name};

/// Whether a player can force a win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contest {
    /// Yes.
    Win {
        /// After so many steps at most.
        steps: usize,
        /// What the player does.
        choices: Choices,
    },
    /// No: the others can keep the player from winning, if need be by playing for ever.
    NoWin,
    /// The search ended before that was settled.
    Unknown(End),
}

/// A game under some rules.
///
/// # Example
/// ```
/// use longhaul::adapters::uno::rewriting::{Game, Rules};
/// use longhaul::io::GameFile;
///
/// // A throws its only card: one step, and A has won.
/// let file = GameFile::parse("", b"A: 1,red\nB: 2,blue\npile: 5,red\ndeck: 7,green\nshuffle:\n")?;
/// let game = Game::new(&file, Rules::Mended);
/// let explored = game.exploration().run();
/// assert_eq!(explored.states(), 2);
/// let win = explored.goals()[0];
/// assert_eq!(win.depth, Some(1));
/// assert_eq!(game.steps(&explored.way_to(win.nearest.unwrap()))[0].to_string(), "A plays 1,red");
/// # Ok::<(), longhaul::io::FileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    packing: Packing,
    players: usize,
    start: Vec<u8>,
}

impl Game {
    /// The game of a file, with the pile cut to its top, which is all that rules and answers depend on.
    ///
    /// # Panics
    /// If the game has not the shape that [`GameFile::parse`] gives it: two to ten hands, a card on the pile, not more than
    /// 255 cards in hands and deck or in any section.
    pub fn new(file: &GameFile, rules: Rules) -> Self {
        Self::build(file, rules, false)
    }

    /// The game of a file, with the whole pile part of every position, as in the source.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn with_whole_pile(file: &GameFile, rules: Rules) -> Self {
        Self::build(file, rules, true)
    }

    fn build(file: &GameFile, rules: Rules, whole_pile: bool) -> Self {
        let codes = |cards: &[_]| cards.iter().copied().map(code::from_card).collect::<Vec<Code>>();
        let hands: Vec<Vec<Code>> = file.hands.iter().map(|hand| codes(hand)).collect();
        assert!((2..=PLAYERS).contains(&hands.len()), "a game has two to ten players");
        let (mut pile, mut deck) = (codes(&file.pile), codes(&file.deck));
        if rules == Rules::Official {
            turn_up_another(&mut pile, &mut deck);
        }
        let packing = Packing::new(&hands, &deck, &codes(&file.shuffle), whole_pile, rules == Rules::Official);
        let (&top, below) = pile.split_first().expect("the pile has a card");
        let below: Vec<Code> = below.iter().rev().copied().collect();
        let mut position = Position {
            players: hands.len(),
            hands: [Hand::EMPTY; PLAYERS],
            draw: Draw::Dealt(0),
            top,
            below: Below::new(&below),
            first: 0,
            forwards: true,
            played: false,
            drawn: false,
            counter: 0,
            pending: NO_CARD,
        };
        for (hand, cards) in position.hands.iter_mut().zip(&hands) {
            cards.iter().for_each(|&card| hand.add(card));
        }
        if rules == Rules::Official {
            position = official::begin(&packing, &position);
        }
        if !whole_pile {
            position.below = Below::EMPTY;
        }
        let mut packed = Packed::new();
        packing.pack(&position, &mut packed);
        Game { rules, packing, players: hands.len(), start: packed.bytes().to_vec() }
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// How many play.
    pub fn players(&self) -> usize {
        self.players
    }

    /// A breadth-first search of the positions, which are packed; its goals are the positions in which a player has won: who
    /// stands first with an empty hand. Goal 0 is the win of the first player.
    pub fn exploration(&self) -> Exploration<'_, [u8], impl Listing<[u8]> + use<'_>> {
        let successors = |position: &[u8], found: &mut Successors<'_, [u8]>| {
            let (mut packed, mut pile) = (Packed::new(), Vec::new());
            self.each_step(&self.packing.unpack(position, &mut pile), &mut |after, _| {
                self.packing.pack(after, &mut packed);
                found.push(packed.bytes());
            });
        };
        let winner = |position: &[u8]| self.packing.winner(position);
        Exploration::from_bytes([self.start.clone()], successors).goals(self.players, winner)
    }

    /// At least so many steps until a player, counted from 0, has won, with the help of all others. Under the rules of the
    /// source nothing is known of that.
    pub fn steps_to_win(&self, position: &[u8], player: usize) -> usize {
        let mut pile = Vec::new();
        match self.rules {
            Rules::Official => estimate::steps(&self.packing, &self.packing.unpack(position, &mut pile), player),
            _ => 0,
        }
    }

    /// The first position, packed.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    fn each_step(&self, at: &Position<'_>, each: &mut dyn FnMut(&Position<'_>, Done)) {
        match self.rules {
            Rules::Official => official::each_step(&self.packing, at, each),
            rules => source_rules::each_step(rules, &self.packing, at, each),
        }
    }

    /// The steps along a way of positions, each a successor of the one before.
    ///
    /// # Panics
    /// If one is not.
    pub fn steps(&self, way: &[Vec<u8>]) -> Vec<Step> {
        way.windows(2).map(|pair| self.step(&pair[0], &pair[1])).collect()
    }

    /// A position in words, as [`Replay::describe`](super::Replay::describe) tells it.
    pub fn describe(&self, position: &[u8]) -> String {
        let mut pile = Vec::new();
        let at = self.packing.unpack(position, &mut pile);
        let list = |cards: Vec<Code>| -> String {
            cards.into_iter().map(|card| format!(" {}", code::to_card(card))).collect()
        };
        let mut text = player_name(at.first).to_string();
        if !at.forwards {
            text += ", backwards";
        }
        if at.pending != NO_CARD {
            text += &format!(", has drawn {}", code::to_card(at.pending));
        } else if at.counter > 0 {
            text += &format!(", must draw {}", at.counter);
        } else if at.played {
            text += ", has played";
        } else if at.drawn {
            text += ", has drawn";
        }
        text += &format!("; pile:{}", list(vec![at.top]));
        for (player, hand) in at.hands[..at.players].iter().enumerate() {
            let copies = |card: Code| std::iter::repeat_n(card, usize::from(hand.counts[usize::from(card)]));
            let mut cards: Vec<Code> = code::each(hand.cards).flat_map(copies).collect();
            cards.sort_by_key(|&card| code::to_card(card));
            text += &format!("; {}:{}", player_name(player), list(cards));
        }
        let mut draw = at.draw;
        text + &format!("; deck:{}", list(std::iter::from_fn(|| self.packing.draw(&mut draw)).collect()))
    }

    /// Whether a player, counted from 0, can force a win against all others: whose turn it is chooses the step. The graph is
    /// that of [`exploration`](Self::exploration), by [`run_graph`](Exploration::run_graph). If the player can, the strategy
    /// has passed [`check_strategy`].
    ///
    /// # Panics
    /// If the graph is not that of this game.
    pub fn force(&self, file: &GameFile, graph: &StateGraph<[u8]>, player: usize) -> Contest {
        let is_own = |position: &[u8]| self.packing.first(position) == player;
        let forced = graph.force(is_own, |position| self.packing.winner(position) == Some(player));
        match forced {
            Forced::NoWin => Contest::NoWin,
            Forced::Unknown(end) => Contest::Unknown(end),
            Forced::Win(strategy) => {
                let choice = |(from, to): &(Vec<u8>, Vec<u8>)| (self.describe(from), self.step(from, to));
                let choices: Choices = strategy.choices.iter().map(choice).collect();
                let steps = check_strategy(file, self.rules, player, &choices);
                let steps = steps.expect("a strategy that goes down in rank wins");
                assert!(steps <= strategy.steps, "no play takes longer than the rank of the first position");
                Contest::Win { steps, choices }
            }
        }
    }

    fn step(&self, from: &[u8], to: &[u8]) -> Step {
        let (mut packed, mut pile) = (Packed::new(), Vec::new());
        let at = self.packing.unpack(from, &mut pile);
        let mut step = None;
        self.each_step(&at, &mut |after, done| {
            self.packing.pack(after, &mut packed);
            if packed.bytes() == to {
                step = Some(Step { player: at.first, action: action(done) });
            }
        });
        step.expect("each position of a way follows from the one before")
    }
}

/// Under the official rules no plus4 begins the pile: it goes under the deck.
fn turn_up_another(pile: &mut [Code], deck: &mut Vec<Code>) {
    let [top] = pile else { return };
    if deck.iter().all(|&card| card == code::PLUS4) {
        return;
    }
    while *top == code::PLUS4 {
        deck.push(*top);
        *top = deck.remove(0);
    }
}

fn action(done: Done) -> Action {
    let card = code::to_card;
    match done {
        Done::Throw(held, shown) => Action::Throw { card: card(held), shown: card(shown) },
        Done::ThrowDrawn(held, shown) => Action::ThrowDrawn { card: card(held), shown: card(shown) },
        Done::Turn => Action::Turn,
        Done::ForcedDraw(drawn) => Action::ForcedDraw(card(drawn)),
        Done::Draw(drawn) => Action::Draw(card(drawn)),
        Done::DrawNothing => Action::DrawNothing,
        Done::Pass => Action::Pass,
        Done::Shuffle => Action::Shuffle,
        Done::Call(colour) => Action::Call(code::to_colour(colour)),
    }
}
