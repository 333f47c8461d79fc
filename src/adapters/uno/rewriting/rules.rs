//! Which rules a game goes by.

use std::str::FromStr;

use crate::named::named;

/// A set of rules.
///
/// The rewriting rules of the source, on ⟨players in turn order, draw pile, pile, played, drawn, counter⟩, where t is the top
/// of the pile. When a hand is empty no rule applies any more.
///
/// | rule | when | effect |
/// |---|---|---|
/// | throw | not played, counter 0, the card has the colour of t, or its type where t has a colour | pushed on the pile, played |
/// | throw and call | a change; or a plus4 while no other card of the hand has the colour of t | pushed with the colour of most cards left in the hand, played |
/// | turn | played | what t does: on to the next player; the other way round; past the next; or on with counter 2 or 4 |
/// | forced draw | counter above 0 | draws one, counter less 1; with the last one on to the next player |
/// | draw | not played, not drawn, nothing to play | draws one, drawn |
/// | pass | drawn, nothing to play | on to the next player |
/// | shuffle | the draw pile is empty | it becomes the shuffled deck less the cards of all hands and t; the pile becomes t |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// The rewriting rules as they are printed: a wild card on another of its type is also thrown without a colour, since the
    /// rule asks for the colour of t and not of the card.
    Printed,
    /// The rewriting rules, where a wild card is never thrown without a colour. \[default\]
    #[default]
    Mended,
    /// As [`Mended`](Self::Mended), and a shuffle leaves a wild card on top of the pile out of the draw pile. The printed
    /// rule does not find it in the shuffled deck, since it has a colour, and so makes a second one of it.
    MendedShuffle,
    /// The official rules without bluffing: a player may draw instead of playing, and play the card drawn; wild cards call
    /// any colour; what the first card of the pile does holds for the first player.
    Official,
}

named!(
    Rules, "rules", "rules", 4:
    "printed" => Printed,
    "mended" => Mended,
    "mended-shuffle" => MendedShuffle,
    "official" => Official,
);

impl FromStr for Rules {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Rules::of_name(name).ok_or_else(|| {
            format!("there are no rules '{name}'; the rules are {}", Self::ALL.map(|(name, _)| name).join(", "))
        })
    }
}
