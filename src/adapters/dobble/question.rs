//! The question for the largest deck, and its answer.

use std::fmt;

use super::deck::Deck;
use super::sharing::Sharing;
use super::work::{DobbleError, Work};
use super::{at_most_one, exactly_one};
use crate::limits::{Limits, Observer, limit_setters};
use crate::solution::tells_as_all_do;
use crate::{Answer, Stats, Stop};

/// A request for the largest deck of cards with so many symbols each, drawn from so many, of which any two share exactly one
/// symbol, or at most one.
///
/// No card comes twice. A deck of one card is one, for there are no two cards in it.
///
/// # Complexity
/// Decks and bounds that meet are found by construction and counting wherever that is known to be possible; between them the
/// search is exponential, and a limit ends it with the best deck and the proved bound. Where any two cards may share at most
/// one symbol, some decks are looked for only for a moment: how large a deck is found, if not a largest, may differ between
/// runs, and without a limit the search may end unsettled, with [`Stop::Exhausted`]. A deck that would take more memory than the
/// limit allows is made as far as it fits, and as far as time allows to check it.
///
/// # Example
/// ```
/// use longhaul::adapters::dobble::{LargestDeck, Sharing};
///
/// let answer = LargestDeck::new(3, 7).solve()?;
/// assert_eq!((answer.size(), answer.is_optimal()), (7, true));
/// let answer = LargestDeck::new(3, 9).sharing(Sharing::AtMostOne).solve()?;
/// assert_eq!((answer.size(), answer.upper_bound()), (12, 12));
/// # Ok::<(), longhaul::adapters::dobble::DobbleError>(())
/// ```
pub struct LargestDeck<'a> {
    card_size: usize,
    symbols: usize,
    sharing: Sharing,
    limits: Limits,
    observer: Option<Observer<'a>>,
}

/// The answer to a [`LargestDeck`] question. The deck has passed [`Deck::check`].
#[derive(Clone, Debug)]
pub struct DeckSolution {
    answer: Answer<Deck>,
}

impl<'a> LargestDeck<'a> {
    /// A request for the largest deck of cards of `card_size` symbols out of `symbols`, any two sharing exactly one.
    pub fn new(card_size: usize, symbols: usize) -> Self {
        LargestDeck { card_size, symbols, sharing: Sharing::default(), limits: Limits::default(), observer: None }
    }

    /// How many symbols any two cards share. \[default: exactly one\]
    #[must_use]
    pub fn sharing(mut self, sharing: Sharing) -> Self {
        self.sharing = sharing;
        self
    }

    limit_setters!("deck", limits);

    /// Answers the question.
    ///
    /// # Errors
    /// If a card has no symbol or more than there are, if there are more than 2²⁴ symbols, or if no thread is asked for.
    ///
    /// # Panics
    /// If the deck fails its check, which would be a defect of longhaul.
    pub fn solve(self) -> Result<DeckSolution, DobbleError> {
        DobbleError::check(self.card_size, self.symbols)?;
        if self.limits.threads == 0 {
            return Err(DobbleError::no_thread());
        }
        let mut work = Work::new(self.card_size, self.symbols, self.sharing, self.limits, self.observer);
        match self.sharing {
            Sharing::ExactlyOne => exactly_one::solve(&mut work),
            Sharing::AtMostOne => at_most_one::solve(&mut work)?,
        }
        let stats = Stats { elapsed: work.elapsed(), ..work.stats };
        let (cards, upper) = (work.deck.len() as i64, i64::try_from(work.upper).unwrap_or(i64::MAX));
        let stop = work.stop.unwrap_or(Stop::Finished);
        Ok(DeckSolution { answer: Answer::new(Some((work.deck, cards)), Some(upper), stop, stats) })
    }
}

impl fmt::Debug for LargestDeck<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("LargestDeck")
            .field("card_size", &self.card_size)
            .field("symbols", &self.symbols)
            .field("sharing", &self.sharing)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl DeckSolution {
    /// The best deck found; it has at least one card.
    pub fn deck(&self) -> &Deck {
        self.answer.best().expect("a card is a deck")
    }

    /// How many cards it has.
    pub fn size(&self) -> usize {
        self.deck().len()
    }

    /// Proved: no deck has more cards than this.
    pub fn upper_bound(&self) -> usize {
        self.answer.upper_bound().map_or(0, |cards| cards as usize)
    }

    tells_as_all_do!("no larger deck exists", Deck);
}
