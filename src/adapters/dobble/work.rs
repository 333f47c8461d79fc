//! A question about decks under way, and what can be wrong with one.

use std::time::{Duration, Instant};

use crate::limits::{Limits, Meter, Observer};
use crate::{Error, Progress, Stats, Stop};

/// A question about decks that cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct DobbleError {
    text: String,
}

impl From<Error> for DobbleError {
    fn from(error: Error) -> Self {
        DobbleError { text: error.to_string() }
    }
}

impl DobbleError {
    /// Whether cards of so many symbols can be made.
    pub(super) fn check(card_size: usize, symbols: usize) -> Result<(), DobbleError> {
        let text = if card_size == 0 {
            "cards of 0 symbols are asked for; a card has 1 symbol or more".to_owned()
        } else if card_size > symbols {
            format!(
                "cards of {card_size} symbols cannot be made of {symbols}; there must be at least {card_size} symbols in all"
            )
        } else if symbols > MOST_SYMBOLS {
            format!("{symbols} symbols are asked for; there is room for at most {MOST_SYMBOLS}")
        } else {
            return Ok(());
        };
        Err(DobbleError { text })
    }

    pub(super) fn no_thread() -> Self {
        DobbleError { text: "no thread is asked for; a search needs 1 or more".to_owned() }
    }

    pub(super) fn too_many_cards(card_size: usize, symbols: usize, most: u128) -> Self {
        let text = format!(
            "more than {most} cards of {card_size} symbols can be made of {symbols}: too many for a graph of them"
        );
        DobbleError { text }
    }
}

/// Beyond this, numbers of cards would not fit their types.
const MOST_SYMBOLS: usize = 1 << 24;

/// A question under way: the best deck and bound so far.
pub(super) struct Work<'a> {
    pub(super) card_size: usize,
    pub(super) symbols: usize,
    pub(super) limits: Limits,
    pub(super) meter: Meter,
    began: Instant,
    pub(super) cards: Vec<Vec<u32>>,
    pub(super) upper: usize,
    pub(super) stop: Option<Stop>,
    pub(super) stats: Stats,
    observer: Option<Observer<'a>>,
}

impl<'a> Work<'a> {
    /// The question with nothing found yet but a single card.
    pub(super) fn new(card_size: usize, symbols: usize, limits: Limits, observer: Option<Observer<'a>>) -> Self {
        Work {
            card_size,
            symbols,
            meter: limits.start(),
            limits,
            began: Instant::now(),
            cards: vec![(0..card_size as u32).collect()],
            upper: usize::MAX,
            stop: None,
            stats: Stats::default(),
            observer,
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Keeps a deck if it is larger than the best; `how` goes to the decisions.
    pub(super) fn offer(&mut self, cards: Vec<Vec<u32>>, engine: &'static str, how: &str) {
        if cards.len() > self.cards.len() {
            self.stats.decisions.push(format!("{} cards: {how}", cards.len()));
            self.stats.engine = engine;
            self.cards = cards;
            self.tell();
        }
    }

    /// Lowers the bound; `why` goes to the decisions.
    pub(super) fn bound(&mut self, upper: usize, why: &str) {
        if upper < self.upper {
            self.upper = upper;
            self.stats.decisions.push(format!("no more than {upper} cards: {why}"));
            self.tell();
        }
    }

    /// Whether the best deck meets the bound, or a limit is spent.
    pub(super) fn is_over(&mut self) -> bool {
        if self.stop.is_none() {
            self.stop = self.meter.spent();
        }
        self.stop.is_some() || self.cards.len() >= self.upper
    }

    /// How many cards fit in the memory limit.
    pub(super) fn room(&self) -> usize {
        // The deck is held thrice: as it is made, as it is kept, and as it is checked; and every symbol has a name.
        const BYTES_OF_NAME: usize = 64;
        let bytes_of_card = 3 * (4 * self.card_size + 32);
        (self.limits.memory.saturating_sub(BYTES_OF_NAME * self.symbols) / bytes_of_card).max(1)
    }

    fn tell(&mut self) {
        if let Some(observer) = &mut self.observer {
            let incumbent = Some(self.cards.len() as i64);
            let upper_bound = i64::try_from(self.upper).ok().filter(|&upper| upper < i64::MAX);
            observer(&Progress { elapsed: self.began.elapsed(), incumbent, upper_bound, engine: self.stats.engine });
        }
    }
}
