//! Dobble: decks of cards with k symbols each, out of n, of which any two share exactly one symbol.
//!
//! | question | answered by |
//! |---|---|
//! | the largest deck | [`LargestDeck`] |
//! | the same with cards that share at most one symbol | [`Sharing::AtMostOne`] |
//! | is this a deck? | [`Deck::check`] |
//! | the graph whose cliques are the decks | [`compatibility_graph`] |
//! | decks by construction | [`projective_plane`], [`affine_plane`] |
//!
//! Source: El Mahdi Oulkadi, *Optimisation combinatoire du jeu Dobble* (TIPE). Two of its claims do not hold, and are not used:
//!
//! - A deck is said to have k² − k + 1 cards at most. That is so unless all cards share one symbol; then there may be
//!   ⌊(n − 1)/(k − 1)⌋ of them, which is more for large n. Already the source's own example of 7 cards with 2 of 8 symbols has
//!   more than 2² − 2 + 1 = 3.
//! - Some largest deck is said to have q cards through one symbol, for every q for which there are symbols enough. That holds
//!   for q ≤ 2; of the decks with 4 of 10 symbols a card those with three cards through one symbol have 3 cards, and the largest
//!   has 5.
//!
//! "Any two cards share exactly one symbol" and "at most one" are different questions: of 8 symbols, 3 on a card, they allow 7
//! and 8 cards.
//!
//! ```
//! use longhaul::adapters::dobble::LargestDeck;
//!
//! // The game in the shops has 55 of these 57 cards.
//! let answer = LargestDeck::new(8, 57).solve()?;
//! assert_eq!((answer.size(), answer.upper_bound()), (57, 57));
//! # Ok::<(), longhaul::adapters::dobble::DobbleError>(())
//! ```

mod at_most_one;
mod counting;
mod deck;
mod exactly_one;
mod field;
mod graph;
mod linear_space;
mod packing;
mod planes;
mod question;
mod sharing;
#[cfg(test)]
mod tests;
mod triples;
mod truncation;
mod watch;
mod work;

pub use deck::{Deck, Unfit};
pub use graph::compatibility_graph;
pub use planes::{affine_plane, projective_plane};
pub use question::{DeckSolution, LargestDeck};
pub use sharing::Sharing;
pub use work::DobbleError;
