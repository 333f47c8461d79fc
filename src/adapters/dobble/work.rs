//! A question about decks under way, and what can be wrong with one.

use std::time::{Duration, Instant};

use super::deck::Deck;
use super::sharing::{Sharing, fitting};
use super::watch::Watch;
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
    pub(super) sharing: Sharing,
    pub(super) limits: Limits,
    pub(super) meter: Meter,
    began: Instant,
    /// The best deck, which has been checked.
    pub(super) deck: Deck,
    pub(super) upper: usize,
    pub(super) stop: Option<Stop>,
    /// Whether more cards would have been made with more memory.
    is_cut: bool,
    pub(super) stats: Stats,
    observer: Option<Observer<'a>>,
}

impl<'a> Work<'a> {
    /// The question with nothing found yet but a single card.
    pub(super) fn new(
        card_size: usize,
        symbols: usize,
        sharing: Sharing,
        limits: Limits,
        observer: Option<Observer<'a>>,
    ) -> Self {
        Work {
            card_size,
            symbols,
            sharing,
            meter: limits.start(),
            limits,
            began: Instant::now(),
            deck: Deck::numbered(card_size, (0..card_size as u32).collect()),
            upper: usize::MAX,
            stop: None,
            is_cut: false,
            stats: Stats::default(),
            observer,
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    pub(super) fn watch(&self) -> Watch {
        Watch::new(&self.meter)
    }

    /// For the making of a deck, which must leave time to check it.
    pub(super) fn half_watch(&self) -> Watch {
        let rest = self.meter.rest(&self.limits);
        Watch::new(&Limits { time: rest.time.map(|left| left / 2), ..rest }.start())
    }

    /// Keeps cards, after one another, if they are more than the best deck has, and as far as there is time to check them; `how`
    /// goes to the decisions.
    pub(super) fn offer(&mut self, cards: Vec<u32>, method: &'static str, how: &str) {
        if cards.len() / self.card_size <= self.deck.len() {
            return;
        }
        let mut deck = Deck::numbered(self.card_size, cards);
        assert!(deck.symbol_count() <= self.symbols, "no symbol is made up");
        let (checked, stop) = fitting(deck.as_cards(), self.sharing, &mut self.watch());
        self.stop = self.stop.or(stop);
        if checked > self.deck.len() {
            deck.truncate(checked);
            self.deck = deck;
            self.stats.decisions.push(format!("{checked} cards: {how}"));
            self.stats.method = method;
            self.tell();
        }
    }

    /// Keeps the deck of a part, or of a stricter question, if it is larger than the best.
    pub(super) fn take(&mut self, other: Work<'_>, how: &str) {
        self.is_cut |= other.is_cut;
        self.stats.steps += other.stats.steps;
        if other.deck.len() > self.deck.len() {
            self.deck = other.deck;
            self.stats.decisions.push(format!("{} cards: {how}", self.deck.len()));
            self.stats.method = other.stats.method;
            self.tell();
        }
    }

    /// A question about cards of the same size, of so many symbols, within what is left of the limits.
    pub(super) fn part(&self, symbols: usize, sharing: Sharing) -> Work<'static> {
        Work::new(self.card_size, symbols, sharing, self.meter.rest(&self.limits), None)
    }

    /// From now on, no more than this time.
    pub(super) fn hurry(&mut self, time: Duration) {
        let limits = self.meter.rest(&self.limits);
        let time = limits.time.map_or(time, |left| left.min(time));
        self.meter = Limits { time: Some(time), ..limits }.start();
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
        self.stop.is_some() || self.deck.len() >= self.upper
    }

    /// How many of so many cards fit in the memory limit.
    pub(super) fn affordable(&mut self, cards: usize) -> usize {
        // A deck as it is made, the best so far, and both sides of the check, where every symbol has places too.
        let bytes_of_card = 4 * 4 * self.card_size + 32;
        let room = self.limits.memory.saturating_sub(32 * self.symbols) / bytes_of_card;
        self.is_cut |= cards > room;
        cards.min(room.max(1))
    }

    /// Says why there is no larger deck and no lower bound, if that is not known.
    pub(super) fn give_up(&mut self) {
        self.stop = self.stop.or(Some(if self.is_cut { Stop::MemoryLimit } else { Stop::Exhausted }));
    }

    fn tell(&mut self) {
        if let Some(observer) = &mut self.observer {
            let incumbent = Some(self.deck.len() as i64);
            let upper_bound = i64::try_from(self.upper).ok().filter(|&upper| upper < i64::MAX);
            let Stats { engine, method, .. } = self.stats;
            observer(&Progress { elapsed: self.began.elapsed(), incumbent, upper_bound, engine, method });
        }
    }
}
