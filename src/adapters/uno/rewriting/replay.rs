//! A run played again, card by card.
//!
//! Nothing here knows of packed positions or of the functions that list steps: hands, pile and draw pile are lists of cards
//! as the file has them, and each step is judged by the words of the rules. Only the names of cards and steps are shared.

use std::fmt;

use super::rules::Rules;
use super::step::{Action, Step};
use crate::io::{CardColour, CardType, GameCard, GameFile, player_name};

/// Why a run is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRun {
    /// The step that is wrong, from 1.
    pub step: usize,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for BadRun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "step {}: {}", self.step, self.reason)
    }
}

impl std::error::Error for BadRun {}

/// A game under way: whose cards are where, and what has been done in the turn.
///
/// # Example
/// ```
/// use longhaul::adapters::uno::rewriting::{Replay, Rules, Step};
/// use longhaul::io::GameFile;
///
/// let file = GameFile::parse("", b"A: 1,red\nB: 2,blue\npile: 5,red\ndeck: 7,green\nshuffle:\n")?;
/// let mut replay = Replay::new(&file, Rules::Mended);
/// assert!(replay.step(&"A draws 7,green".parse()?).is_err());
/// replay.step(&"A plays 1,red".parse()?)?;
/// assert_eq!(replay.winner(), Some(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Replay {
    rules: Rules,
    hands: Vec<Vec<GameCard>>,
    /// The next card to be drawn at the end.
    deck: Vec<GameCard>,
    shuffle: Vec<GameCard>,
    top: GameCard,
    mover: usize,
    clockwise: bool,
    stage: Stage,
    /// The steps so far.
    steps: usize,
}

/// What a player has done in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    /// Nothing.
    Fresh,
    /// Drawn this card.
    Drawn(GameCard),
    /// Played a card that is to take effect; having drawn one before or not.
    Played,
    /// Being made to draw so many cards.
    Forced(u8),
}

type Judged = Result<(), String>;

impl Replay {
    /// The beginning of a game.
    pub fn new(file: &GameFile, rules: Rules) -> Self {
        let mut deck: Vec<GameCard> = file.deck.iter().rev().copied().collect();
        let mut top = file.pile[0];
        let is_start = file.pile.len() == 1;
        let is_plus4 = |card: &GameCard| card.kind == CardType::Plus4 && card.colour == CardColour::All;
        if rules == Rules::Official && is_start && !deck.iter().all(is_plus4) {
            while is_plus4(&top) {
                deck.insert(0, top);
                top = deck.pop().expect("the deck has a card");
            }
        }
        let mut replay = Replay {
            rules,
            hands: file.hands.clone(),
            deck,
            shuffle: file.shuffle.clone(),
            top,
            mover: 0,
            clockwise: true,
            stage: Stage::Fresh,
            steps: 0,
        };
        if rules == Rules::Official && is_start && !replay.is_over() {
            match top.kind {
                CardType::Plus2 => replay.penalty(2),
                CardType::Stop => replay.mover = replay.neighbour(),
                CardType::Reverse => {
                    replay.clockwise = false;
                    replay.mover = replay.hands.len() - 1;
                }
                _ => {}
            }
        }
        replay
    }

    /// Whose turn it is, from 0.
    pub fn mover(&self) -> usize {
        self.mover
    }

    /// The hands.
    pub fn hands(&self) -> &[Vec<GameCard>] {
        &self.hands
    }

    /// Who has won, from 0: whose turn it is while the hand is empty.
    pub fn winner(&self) -> Option<usize> {
        self.hands[self.mover].is_empty().then_some(self.mover)
    }

    /// Whether a hand is empty, so that no rule applies any more.
    pub fn is_over(&self) -> bool {
        self.hands.iter().any(Vec::is_empty)
    }

    /// Takes a step.
    ///
    /// # Errors
    /// If the rules do not allow it; the game is then as it was before.
    pub fn step(&mut self, step: &Step) -> Result<(), BadRun> {
        let mut after = self.clone();
        match after.judge(step) {
            Ok(()) => {
                after.steps += 1;
                *self = after;
                Ok(())
            }
            Err(reason) => Err(BadRun { step: self.steps + 1, reason }),
        }
    }

    /// The position in words: whose turn it is, what has been done in it, and where the cards are.
    pub fn describe(&self) -> String {
        let list = |cards: &[GameCard]| cards.iter().map(|card| format!(" {card}")).collect::<String>();
        let way = if self.clockwise || self.hands.len() == 2 { "" } else { ", backwards" };
        let stage = match self.stage {
            Stage::Fresh => String::new(),
            Stage::Drawn(card) if self.rules == Rules::Official => format!(", has drawn {card}"),
            Stage::Drawn(_) => ", has drawn".to_owned(),
            Stage::Played => ", has played".to_owned(),
            Stage::Forced(count) => format!(", must draw {count}"),
        };
        let mut text = format!("{}{way}{stage}; pile: {}", player_name(self.mover), self.top);
        for (player, hand) in self.hands.iter().enumerate() {
            let mut hand = hand.clone();
            hand.sort_unstable();
            text += &format!("; {}:{}", player_name(player), list(&hand));
        }
        let deck: Vec<GameCard> = self.deck.iter().rev().copied().collect();
        text + &format!("; deck:{}", list(&deck))
    }

    /// All steps that the rules allow.
    pub fn steps(&self) -> Vec<Step> {
        let mut actions = vec![Action::Turn, Action::Pass, Action::Shuffle, Action::DrawNothing];
        actions.extend(CardColour::FOUR.map(Action::Call));
        let mut hand = self.hands[self.mover].clone();
        hand.sort_unstable();
        hand.dedup();
        for card in hand {
            let colours = CardColour::FOUR.into_iter().chain([CardColour::All]);
            let called = colours.filter(|&colour| card.is_wild() || colour == card.colour);
            for shown in called.map(|colour| GameCard { colour, ..card }) {
                actions.extend([Action::Throw { card, shown }, Action::ThrowDrawn { card, shown }]);
            }
        }
        let mut refilled = self.clone();
        if self.rules == Rules::Official {
            refilled.refill();
        }
        actions
            .extend(refilled.deck.last().into_iter().flat_map(|&card| [Action::Draw(card), Action::ForcedDraw(card)]));
        let steps = actions.into_iter().map(|action| Step { player: self.mover, action });
        steps.filter(|step| self.clone().step(step).is_ok()).collect()
    }

    /// The same position, however it has come about and however its hands are sorted.
    pub(super) fn forget_steps(self) -> Self {
        let mut position = Replay { steps: 0, ..self };
        position.clockwise |= position.hands.len() == 2;
        position.hands.iter_mut().for_each(|hand| hand.sort_unstable());
        position
    }

    fn judge(&mut self, step: &Step) -> Judged {
        if self.is_over() {
            return Err("a hand is empty: the game is over".to_owned());
        }
        if step.player != self.mover {
            return Err(format!("it is {}'s turn, not {}'s", player_name(self.mover), player_name(step.player)));
        }
        match self.rules {
            Rules::Official => self.judge_official(step),
            _ => self.judge_source(step),
        }
    }

    fn judge_source(&mut self, step: &Step) -> Judged {
        let has_move =
            self.hands[self.mover].iter().any(|card| self.resembles(*card) || card.colour == CardColour::All);
        match (step.action, self.stage) {
            (Action::Throw { card, shown }, Stage::Fresh | Stage::Drawn(_)) => {
                self.give_up(card)?;
                if shown == card {
                    self.judge_plain_throw(card)?;
                } else {
                    self.judge_calling_throw(card, shown)?;
                }
                self.top = shown;
                self.stage = Stage::Played;
                Ok(())
            }
            (Action::Turn, Stage::Played) => {
                self.take_effect();
                Ok(())
            }
            (Action::ForcedDraw(card), Stage::Forced(count)) => {
                self.receive(card)?;
                self.stage = Stage::Forced(count - 1);
                if count == 1 {
                    self.stage = Stage::Fresh;
                    self.mover = self.neighbour();
                }
                Ok(())
            }
            (Action::Draw(_), Stage::Fresh) if has_move => Err(format!("there is a card to play on {}", self.top)),
            (Action::Draw(card), Stage::Fresh) => {
                self.receive(card)?;
                self.stage = Stage::Drawn(card);
                Ok(())
            }
            (Action::Pass, Stage::Drawn(_)) if has_move => Err(format!("there is a card to play on {}", self.top)),
            (Action::Pass, Stage::Drawn(_)) => {
                self.stage = Stage::Fresh;
                self.mover = self.neighbour();
                Ok(())
            }
            (Action::Shuffle, _) if !self.deck.is_empty() => Err("the draw pile is not empty".to_owned()),
            (Action::Shuffle, _) => {
                self.reshuffle();
                Ok(())
            }
            _ => Err(self.out_of_order(step)),
        }
    }

    /// The card as it is, on the top; it is not in the hand any more.
    fn judge_plain_throw(&self, card: GameCard) -> Judged {
        let same_colour = card.colour == self.top.colour;
        let has_colour = if self.rules == Rules::Printed { self.top.colour } else { card.colour } != CardColour::All;
        let same_type = card.kind == self.top.kind && has_colour;
        if same_colour || same_type { Ok(()) } else { Err(format!("{card} does not go on {}", self.top)) }
    }

    fn judge_calling_throw(&self, card: GameCard, shown: GameCard) -> Judged {
        if card.kind != shown.kind || !card.is_wild() {
            return Err(format!("{card} does not become {shown}"));
        }
        let rest = &self.hands[self.mover];
        let count = |colour| rest.iter().filter(|card| card.colour == colour).count();
        let mut most = CardColour::Red;
        for colour in CardColour::FOUR {
            if count(colour) > count(most) {
                most = colour;
            }
        }
        if shown.colour != most {
            return Err(format!("the colour of most cards left is {most}, not {}", shown.colour));
        }
        if card.kind == CardType::Plus4 && count(self.top.colour) > 0 {
            return Err(format!("{card} may be played only without a card of the colour {}", self.top.colour));
        }
        Ok(())
    }

    /// What the top does when the turn passes under the rules of the source.
    fn take_effect(&mut self) {
        self.stage = Stage::Fresh;
        match self.top.kind {
            CardType::Reverse => {
                self.clockwise = !self.clockwise;
                self.mover = self.neighbour();
            }
            CardType::Stop => {
                self.mover = self.neighbour();
                self.mover = self.neighbour();
            }
            CardType::Plus2 | CardType::Plus4 => {
                self.mover = self.neighbour();
                self.stage = Stage::Forced(if self.top.kind == CardType::Plus2 { 2 } else { 4 });
            }
            CardType::Number(_) | CardType::Change => self.mover = self.neighbour(),
        }
    }

    fn judge_official(&mut self, step: &Step) -> Judged {
        if self.top.colour == CardColour::All {
            let Action::Call(colour) = step.action else {
                return Err(format!("a colour must be called for {}", self.top));
            };
            self.top.colour = colour;
            return if colour == CardColour::All { Err("'all' is no colour to call".to_owned()) } else { Ok(()) };
        }
        match (step.action, self.stage) {
            (Action::Throw { card, shown }, Stage::Fresh) => self.play_official(card, shown),
            (Action::ThrowDrawn { card, shown }, Stage::Drawn(drawn)) if card == drawn => {
                self.play_official(card, shown)
            }
            (Action::ThrowDrawn { card, .. }, Stage::Drawn(drawn)) => Err(format!("{drawn} was drawn, not {card}")),
            (Action::Draw(card), Stage::Fresh) => {
                self.refill();
                self.receive(card)?;
                self.stage = Stage::Drawn(card);
                if !self.may_play_official(card) {
                    self.stage = Stage::Fresh;
                    self.mover = self.neighbour();
                }
                Ok(())
            }
            (Action::DrawNothing, Stage::Fresh) => {
                self.refill();
                if !self.deck.is_empty() {
                    return Err("there is a card to draw".to_owned());
                }
                self.mover = self.neighbour();
                Ok(())
            }
            (Action::Pass, Stage::Drawn(_)) => {
                self.stage = Stage::Fresh;
                self.mover = self.neighbour();
                Ok(())
            }
            _ => Err(self.out_of_order(step)),
        }
    }

    /// Whether the mover, who holds this card, may play it.
    fn may_play_official(&self, card: GameCard) -> bool {
        match card.kind {
            CardType::Change => true,
            CardType::Plus4 => self.hands[self.mover].iter().all(|other| other.colour != self.top.colour),
            _ => self.resembles(card),
        }
    }

    fn play_official(&mut self, card: GameCard, shown: GameCard) -> Judged {
        if !self.hands[self.mover].contains(&card) {
            return Err(format!("{} does not hold {card}", player_name(self.mover)));
        }
        if !self.may_play_official(card) {
            return Err(format!("{card} does not go on {}", self.top));
        }
        let fits =
            if card.is_wild() { card.kind == shown.kind && shown.colour != CardColour::All } else { card == shown };
        if !fits {
            return Err(format!("{card} does not become {shown}"));
        }
        self.give_up(card)?;
        self.top = shown;
        self.stage = Stage::Fresh;
        let player = self.mover;
        if card.kind == CardType::Reverse {
            self.clockwise = !self.clockwise;
        }
        self.mover = self.neighbour();
        match card.kind {
            CardType::Stop => self.mover = self.neighbour(),
            CardType::Plus2 => self.penalty(2),
            CardType::Plus4 => self.penalty(4),
            _ => {}
        }
        if self.hands[player].is_empty() {
            self.mover = player;
        }
        Ok(())
    }

    /// The mover draws cards under the official rules, and the turn passes.
    fn penalty(&mut self, count: usize) {
        for _ in 0..count {
            self.refill();
            self.hands[self.mover].extend(self.deck.pop());
        }
        self.mover = self.neighbour();
    }

    fn refill(&mut self) {
        if self.deck.is_empty() {
            self.reshuffle();
        }
    }

    /// The shuffled deck without the cards of the hands and the top, each taken away where it comes first.
    fn reshuffle(&mut self) {
        let mut cards = self.shuffle.clone();
        let mut top = self.top;
        if top.is_wild() && matches!(self.rules, Rules::MendedShuffle | Rules::Official) {
            top.colour = CardColour::All;
        }
        for card in self.hands.iter().flatten().chain([&top]) {
            if let Some(place) = cards.iter().position(|other| other == card) {
                cards.remove(place);
            }
        }
        cards.reverse();
        self.deck = cards;
    }

    fn resembles(&self, card: GameCard) -> bool {
        card.colour == self.top.colour || card.kind == self.top.kind
    }

    fn neighbour(&self) -> usize {
        let count = self.hands.len();
        if self.clockwise { (self.mover + 1) % count } else { (self.mover + count - 1) % count }
    }

    fn give_up(&mut self, card: GameCard) -> Judged {
        let hand = &mut self.hands[self.mover];
        let place = hand.iter().position(|&other| other == card);
        let place = place.ok_or_else(|| format!("{} does not hold {card}", player_name(self.mover)))?;
        hand.remove(place);
        Ok(())
    }

    fn receive(&mut self, card: GameCard) -> Judged {
        match self.deck.pop() {
            Some(next) if next == card => {
                self.hands[self.mover].push(card);
                Ok(())
            }
            Some(next) => Err(format!("the next card to draw is {next}, not {card}")),
            None => Err("there is no card to draw".to_owned()),
        }
    }

    fn out_of_order(&self, step: &Step) -> String {
        let expected = match self.stage {
            Stage::Fresh => "a turn begins",
            Stage::Drawn(card) => return format!("'{step}' does not come after drawing {card}"),
            Stage::Played => "the card played is to take effect",
            Stage::Forced(count) => return format!("'{step}' comes while {count} cards are to be drawn"),
        };
        format!("'{step}' does not come where {expected}")
    }
}

/// Who has won after these steps, from 0, if anybody has.
///
/// # Errors
/// At the first step that the rules do not allow.
pub fn replay(file: &GameFile, rules: Rules, steps: &[Step]) -> Result<Option<usize>, BadRun> {
    let mut replay = Replay::new(file, rules);
    steps.iter().try_for_each(|step| replay.step(step))?;
    Ok(replay.winner())
}
