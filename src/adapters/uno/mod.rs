//! UNO: sequences of cards in which each agrees with the one before in number or colour.
//!
//! | question | answered by |
//! |---|---|
//! | the longest sequence; with a card on the table | [`longest_sequence`], [`Game`] |
//! | with wild cards, which match everything | [`longest_sequence_with_wild`] |
//! | how many sequences there are | [`counting`] |
//! | which cards to add so that all can be played | [`fill_in()`] |
//! | can all players make player 1 win? | [`cooperative`] |
//! | who wins against the other? | [`uncooperative`] |
//! | a whole game by its rules: who can win, who can force it? | [`rewriting`] |
//! | cards with more than two attributes | [`AttributeDeck`] |
//! | the graphs behind all this | [`Game::root`], [`Game::match_graph`], [`uno_graph`] |
//!
//! Cards are edges between their number and their colour; two cards may follow each other if these edges meet. So the cards
//! form the line graph of a bipartite multigraph (Observation 1 of Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey,
//! Ryuhei Uehara, Takeaki Uno, Yushi Uno, *UNO is hard, even for a single player*, Theoretical Computer Science 521, 2014,
//! DOI 10.1016/j.tcs.2013.11.023), and a longest sequence is a longest path there. That is NP-hard (Theorem 4 there). It is
//! asked of the multigraph itself, as a [`LongestSequence`](crate::LongestSequence): the matches are never listed.
//!
//! The file format and the question come from Paul Dorbec, Cyril Gavoille, *Projet UNO*, Algorithmique appliquée. A sequence of
//! k cards is a path of length k − 1. Action cards and the draw pile are left out, as in both sources.
//!
//! ```
//! use longhaul::adapters::uno::{Deck, longest_sequence};
//!
//! let deck = Deck::parse("hand.deck", b"7 1\n7 2\n3 2\n9 4\n")?;
//! let play = longest_sequence(&deck, None)?;
//! assert_eq!(play.len(), 3);
//! assert!(play.is_optimal());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attributes;
mod card;
pub mod cooperative;
pub mod counting;
mod cover;
mod deck;
mod fill_in;
mod game;
mod observation;
mod played_card;
mod players;
pub mod rewriting;
mod state;
pub mod uncooperative;
mod wild;

pub use attributes::AttributeDeck;
pub use card::Card;
pub use deck::Deck;
pub use fill_in::{FillIn, fill_in};
pub use game::{CardGraph, Game, MatchGraph, Play, UnoError, Value, longest_sequence};
pub use observation::{NotUno1, is_uno1};
pub use played_card::{PlayedCard, is_sequence};
pub use players::{Held, UnoGraph, uno_graph};
pub use wild::{WildPlay, longest_sequence_with_wild};
