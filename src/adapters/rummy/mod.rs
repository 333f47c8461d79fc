//! Rummy: the melds of a hand, all configurations of them and the best one.
//!
//! | question | answered by |
//! |---|---|
//! | the best melds: fewest cards or points left over | [`Rummy::best`] |
//! | all configurations; all the best; how many | [`Rummy::configurations`], [`Rummy::optima`], [`Rummy::count`] |
//! | the melds that there are to choose from | [`candidates`] |
//! | a card more, a card less; which discard is best? | [`Evaluator`] |
//! | cards added to melds on the table | [`Rummy::lay_off`] |
//! | the table taken apart, as in Rummikub | [`Rummy::rearrange`] |
//! | the article's view: islands, control points, placements | [`islands`], [`placement_bits`], [`placements`] |
//!
//! A *run* is three or more consecutive ranks of one suit, a *set* three or four cards of one rank and different suits; a
//! *configuration* takes some of each out of the hand, and what it leaves is *deadwood*. [`Ace`] says where the ace stands,
//! [`Weights`] what deadwood costs, and a joker stands for any card.
//!
//! The question, and the view of a hand as a grid with islands and control points, come from Iheb Rachdi, *Core AI For Any Rummy
//! Variant*, Medium, November 2024; what is wrong there and how it is mended is told at [`placements`].
//!
//! # The best melding
//! It is found rank by rank; the states are the runs that are open, by suit and by length capped at 3 (J. N. van Rijn, F. W.
//! Takes, J. K. Vis, *The complexity of Rummikub problems*, BNAIC 2015, arXiv 1604.07553). With m copies of each card
//! and J jokers these are at most C(m + 3, 3)⁴ · (J + 1) after each rank: polynomial in the number of cards, and for a
//! given number of decks linear in the number of ranks. Most are never made: see the head of the program itself.
//!
//! # Configurations as independent sets
//! Take a node for each copy of a [candidate meld](candidates) that could be laid at once, and join two where the hand does not have
//! the cards for both. In a hand of one deck without jokers, the configurations are the independent sets of this graph,
//! which are the cliques of its complement: melds that share no card two by two share none at all. The islands of the
//! hand (see [`islands`]) are unions of components, so that configurations of islands combine freely. With several
//! copies of a card or with jokers three melds may fit two by two and not together; then configurations are the independent sets that
//! have the cards, and the graph only says which pairs never do.
//!
//! ```
//! use longhaul::adapters::rummy::{Hand, Rummy};
//!
//! let hand = Hand::parse("hand", b"3-7H 6D 6C", 1)?;
//! let best = Rummy::new(&hand).best();
//! assert_eq!(best.configuration().to_string(), "3H 4H 5H | 6H 6D 6C | 7H");
//! # Ok::<(), longhaul::io::FileError>(())
//! ```

mod best;
mod card;
mod configuration;
mod count;
mod evaluator;
mod grid;
mod hand;
mod meld;
mod program;
mod rules;
mod solve;
mod table;

pub use best::{Best, Rummy};
pub use card::{Card, RANKS, SUITS, Suit};
pub use configuration::{Configuration, Configurations, candidates};
pub use count::{Counts, Uncounted};
pub use evaluator::{Discard, Evaluator};
pub use grid::{ControlPoint, Placements, islands, placement_bits, placements};
pub use hand::{Hand, HandError};
pub use meld::Meld;
pub use rules::{Ace, Objective, Weights};
pub use table::{LaidOff, Table};
