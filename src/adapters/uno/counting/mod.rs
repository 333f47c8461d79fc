//! How many sequences there are, and how many sets of sequences that play every card once: the counting program of source
//! 001, mended.
//!
//! Cards are read row by row, a row being all cards of one number (or of one colour, whichever side is the better one). The
//! cards read so far are split into paths, of which only the *ends* can still grow. An end is known by its class: its column,
//! and whether it lies in the row at hand. A state is the multiset of the paths by classes: a *single* card has one end, all
//! other paths have two. A new card of column k may
//!
//! - stand alone;
//! - join one end: once for every such path, twice if both its ends are of that class;
//! - join two ends of *different* paths, for every unordered pair of them;
//!
//! where an end can be joined if it lies in column k or in the row at hand. A new row makes the ends of the old one ordinary.
//! Since every spanning set of paths is built in exactly one way, each is counted once, and copies of a card are told apart.
//!
//! Two things are ours. A column whose last card has been read is *dead*: its ends can't grow, wherever they are, so they
//! share one class, and what counts is not how many columns there are but how many are alive at once; rows are ordered
//! accordingly. And a card may be *left out*, a given number of times, which counts the sequences of any length. Wild cards
//! come first; their ends are of a class that every card can join.
//!
//! # What is wrong in the recursion as printed
//! f(0; ·) = 0 makes every count 0; f(0; **0**) must be 1. Case (c) refers to step ℓ where it means ℓ − 1. Case (b1) is a copy
//! of (b2). The case in which the first card of a row joins two older paths of its column is missing: for the cards (1,1) (2,1)
//! (1,2) (3,2) (1,3) the printed rules find no Hamiltonian path, and there is one. Two more joins and the multiplicities are
//! missing. And (**h**; **v**; **d**) can't count at all: it mixes single cards, which have one end, with longer paths
//! whose two ends share a class.
//!
//! Source: Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno, *UNO is hard, even
//! for a single player*, Theoretical Computer Science 521, 2014, §3.3, DOI 10.1016/j.tcs.2013.11.023.

mod layer;
mod plan;
mod step;
#[cfg(test)]
mod tests;

pub use num_bigint::BigUint;

use self::layer::Tally;
use self::plan::Plan;
use self::step::{Counter, Goal, Halt};
use super::deck::Deck;
use crate::Stop;
use crate::limits::Limits;

/// A count that was not finished.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// A limit is spent.
    #[error(
        "counting stopped ({stop}) at card {card} of {cards}, with {states} states in {bytes} bytes; it takes decks with few \
         colours or few numbers alive at once"
    )]
    Stopped {
        /// Which limit.
        stop: Stop,
        /// The card that was being read, from 1, in the order of the program.
        card: usize,
        /// How many cards there are, wild ones included.
        cards: usize,
        /// How many states there were.
        states: usize,
        /// How many bytes they took.
        bytes: usize,
    },
    /// The deck is beyond what states can say.
    #[error(
        "counting takes decks of up to {most_cards} cards in which up to {most_columns} colours or numbers are alive at once; this one has \
         {cards} cards and {columns} alive"
    )]
    TooLarge {
        /// How many cards there are, wild ones included.
        cards: usize,
        /// How many columns are alive at once.
        columns: usize,
        /// How many cards there may be.
        most_cards: usize,
        /// How many columns may be alive at once.
        most_columns: usize,
    },
}

/// How many sequences of exactly so many cards there are, from a deck and this many wild cards, which match everything.
///
/// Copies of a card are told apart; a sequence and its reverse count once. With `cards` = all of them these are the
/// Hamiltonian paths of the UNO-1 graph; with the length of a [longest sequence](super::longest_sequence) they are all the
/// longest ones. The empty sequence is none.
///
/// # Errors
/// If a limit is spent before the count is known, or the deck has more than 65 535 cards.
///
/// # Complexity
/// `n^{O(c²)}` for n cards and c columns alive at once, in time and memory; exponential in the cards left out, too.
///
/// # Example
/// ```
/// use longhaul::Limits;
/// use longhaul::adapters::uno::{Card, Deck, counting};
///
/// let grid = (0..9).map(|at| Card { number: at / 3, colour: at % 3 });
/// let count = counting::sequences(&Deck::new(grid.collect()), 0, 9, &Limits::default())?;
/// assert_eq!(count, 756u32.into());
/// # Ok::<(), longhaul::adapters::uno::counting::CountError>(())
/// ```
pub fn sequences(deck: &Deck, wild: usize, cards: usize, limits: &Limits) -> Result<BigUint, CountError> {
    let all = deck.cards().len().saturating_add(wild);
    if cards == 0 || cards > all {
        return Ok(BigUint::ZERO);
    }
    let counts = count(deck, wild, Goal::Sequence { leave_out: all - cards }, limits)?;
    Ok(counts.into_iter().next().unwrap_or_default())
}

/// How many sets of disjoint sequences there are that play every card of a deck, and this many wild cards, once: at index i
/// those of i + 1 sequences. In words of graphs: the spanning linear forests of the UNO-1 graph by their number of paths.
///
/// Copies of a card are told apart; a sequence and its reverse are the same.
///
/// # Errors
/// If a limit is spent before the counts are known, or the deck has more than 65 535 cards.
///
/// # Complexity
/// `n^{O(c²)}` for n cards and c columns alive at once, in time and memory.
///
/// # Example
/// ```
/// use longhaul::Limits;
/// use longhaul::adapters::uno::{Card, Deck, counting};
///
/// // 1 1 ─ 1 2 ─ 2 2: one sequence, two ways to cut it once, one to cut it twice.
/// let cards = [(1, 1), (1, 2), (2, 2)].map(|(number, colour)| Card { number, colour });
/// let counts = counting::path_sets(&Deck::new(cards.into()), 0, &Limits::default())?;
/// assert_eq!(counts, [1u32.into(), 2u32.into(), 1u32.into()]);
/// # Ok::<(), longhaul::adapters::uno::counting::CountError>(())
/// ```
pub fn path_sets(deck: &Deck, wild: usize, limits: &Limits) -> Result<Vec<BigUint>, CountError> {
    count(deck, wild, Goal::PathSets, limits)
}

/// In machine words as long as these hold.
fn count(deck: &Deck, wild: usize, goal: Goal, limits: &Limits) -> Result<Vec<BigUint>, CountError> {
    let (most_cards, most_columns) = (plan::MOST_CARDS, plan::MOST_COLUMNS);
    let cards = deck.cards().len().saturating_add(wild);
    let plan = Plan::new(deck.cards(), if cards > most_cards { 0 } else { wild });
    let columns = plan.columns;
    if cards > most_cards || columns > most_columns {
        return Err(CountError::TooLarge { cards, columns, most_cards, most_columns });
    }
    let meter = limits.start();
    let counts = match Counter::<u128>::new(&plan, goal, &meter).run() {
        Err(Halt::Overflow) => Counter::<BigUint>::new(&plan, goal, &meter).run(),
        Ok(counts) => Ok(counts.into_iter().map(Tally::into_big).collect()),
        Err(halt) => Err(halt),
    };
    counts.map_err(|halt| match halt {
        Halt::Stopped(error) => error,
        Halt::Overflow => unreachable!("big integers hold every count"),
    })
}
