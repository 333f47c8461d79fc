//! A game made ready to be searched: its rules, its first position, and what follows each position.

use super::code::{self, Code, NO_CARD};
use super::official;
use super::packing::{Packed, Packing};
use super::position::{Below, Draw, Hand, PLAYERS, Position};
use super::rules::Rules;
use super::source_rules::{self, Done};
use super::step::{Action, Step};
use crate::explore::{Exploration, Listing, Successors};
use crate::io::GameFile;

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
