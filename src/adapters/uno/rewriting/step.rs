//! What happens from one position to the next.

use std::fmt;
use std::str::FromStr;

use crate::io::{CardColour, GameCard, player_name};

/// A step of a game: who does what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Whose turn it is, from 0.
    pub player: usize,
    /// What the player does, or the rules make happen.
    pub action: Action,
}

/// What happens in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The card is played from the hand and lies on the pile as `shown`: a wild card with the colour called.
    Throw {
        /// As it was held.
        card: GameCard,
        /// As it lies.
        shown: GameCard,
    },
    /// Under the official rules: the card just drawn is played.
    ThrowDrawn {
        /// As it was held.
        card: GameCard,
        /// As it lies.
        shown: GameCard,
    },
    /// The card on top of the pile takes effect, and the turn passes.
    Turn,
    /// A card is drawn because a plus2 or plus4 says so.
    ForcedDraw(GameCard),
    /// A card is drawn in a turn.
    Draw(GameCard),
    /// Under the official rules: a card should be drawn, and there is none; the turn passes.
    DrawNothing,
    /// The turn passes.
    Pass,
    /// The draw pile is empty and is made anew.
    Shuffle,
    /// Under the official rules: the first card of the pile is wild, and the first player calls its colour.
    Call(CardColour),
}

/// In words, as in `B plays change,all and calls green`.
impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = player_name(self.player);
        match self.action {
            Action::Throw { card, shown } | Action::ThrowDrawn { card, shown } => {
                let drawn = if matches!(self.action, Action::ThrowDrawn { .. }) { ", just drawn" } else { "" };
                write!(formatter, "{player} plays {card}{drawn}")?;
                if card == shown { Ok(()) } else { write!(formatter, " and calls {}", shown.colour) }
            }
            Action::Turn => write!(formatter, "{player} ends the turn"),
            Action::ForcedDraw(card) => write!(formatter, "{player} must draw {card}"),
            Action::Draw(card) => write!(formatter, "{player} draws {card}"),
            Action::DrawNothing => write!(formatter, "{player} finds nothing to draw"),
            Action::Pass => write!(formatter, "{player} passes"),
            Action::Shuffle => write!(formatter, "{player} has the pile shuffled"),
            Action::Call(colour) => write!(formatter, "{player} calls {colour}"),
        }
    }
}

/// Words that are no step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no step of a game, like 'A plays 7,red', 'B plays change,all and calls green' or 'C draws 2,blue'")]
pub struct UnknownStep(String);

/// From the words that [`Display`](fmt::Display) writes.
impl FromStr for Step {
    type Err = UnknownStep;

    fn from_str(text: &str) -> Result<Self, UnknownStep> {
        parse(text).ok_or_else(|| UnknownStep(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Step> {
    let (name, action) = text.trim().split_once(' ')?;
    let &[letter @ b'A'..=b'J'] = name.as_bytes() else { return None };
    let action = match action {
        "ends the turn" => Action::Turn,
        "finds nothing to draw" => Action::DrawNothing,
        "passes" => Action::Pass,
        "has the pile shuffled" => Action::Shuffle,
        _ => {
            let (verb, rest) = action.split_once(' ')?;
            match verb {
                "plays" => throw(rest)?,
                "draws" => Action::Draw(rest.parse().ok()?),
                "must" => Action::ForcedDraw(rest.strip_prefix("draw ")?.parse().ok()?),
                "calls" => Action::Call(rest.parse().ok()?),
                _ => return None,
            }
        }
    };
    Some(Step { player: usize::from(letter - b'A'), action })
}

fn throw(text: &str) -> Option<Action> {
    let (rest, colour) = match text.split_once(" and calls ") {
        Some((rest, colour)) => (rest, Some(colour.parse().ok()?)),
        None => (text, None),
    };
    let (card, is_drawn) = match rest.strip_suffix(", just drawn") {
        Some(card) => (card, true),
        None => (rest, false),
    };
    let card: GameCard = card.parse().ok()?;
    let shown = GameCard { colour: colour.unwrap_or(card.colour), ..card };
    Some(if is_drawn { Action::ThrowDrawn { card, shown } } else { Action::Throw { card, shown } })
}
