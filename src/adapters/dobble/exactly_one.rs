//! The largest deck of which any two cards share exactly one symbol: constructions, counting, and search between the two.
//!
//! A deck of b cards contains one of b − 1; so when none of b is found to exist, b − 1 bounds all, and while the bound is above
//! the best deck, one card more than that is looked for as well as as many as the bound allows. Searches are given up after so
//! many steps and begun anew with more of them, now for the one, now for the other.

use super::counting::{self, Profile};
use super::field::{Field, prime_power};
use super::linear_space::{self, Verdict};
use super::planes::{projective_lines, sunflower, truncate};
use super::work::Work;
use crate::Stop;

/// The steps of the first round of searches.
const FIRST_STEPS: u64 = 20_000;

pub(super) fn solve(work: &mut Work<'_>) {
    construct(work);
    let (size, symbols) = (work.card_size, work.symbols);
    let flower = counting::most_sunflower(size, symbols);
    let others = if size == 1 { 1 } else { counting::most_exactly_one(size, symbols) };
    let why = if flower >= others {
        "all share one symbol, or counting allows fewer"
    } else {
        "counting on how many cards each symbol can be"
    };
    work.bound(flower.max(others), why);
    search(work, u64::MAX);
}

/// Decks that need no search.
pub(super) fn construct(work: &mut Work<'_>) {
    let (size, symbols) = (work.card_size, work.symbols);
    let flower = counting::most_sunflower(size, symbols);
    let room = work.room();
    if flower > room {
        work.stop = Some(Stop::MemoryLimit);
    }
    work.offer(sunflower(size, flower.min(room)), "construction", "they all share one symbol");
    /// Smaller planes are tried as long as that takes no time.
    const SMALL: usize = 24;
    for order in (2..size).rev() {
        let cards = order * order + order + 1;
        if cards > room || prime_power(order as u32).is_none() {
            continue;
        }
        if work.is_over() {
            return;
        }
        if let Some(field) = Field::new(order as u32) {
            let lines = projective_lines(&field);
            let meter = work.meter.clone();
            let deck = truncate(&lines, size, symbols, work.limits.seed, &mut || meter.spent().is_some());
            let how = match deck.len() {
                all if all == cards && order + 1 == size => format!("the projective plane of order {order}"),
                _ => format!("what is left of the projective plane of order {order}"),
            };
            work.offer(deck, "construction", &how);
        }
        if size > SMALL {
            break;
        }
    }
}

/// Closes the gap by search, as far as decks of so many cards can be searched and the steps of one round are no more than
/// `most_steps`.
pub(super) fn search(work: &mut Work<'_>, most_steps: u64) {
    let mut steps = FIRST_STEPS;
    while !work.is_over() {
        let mut is_open = false;
        for largest in [false, true] {
            if work.is_over() {
                return;
            }
            let cards = if largest { work.upper } else { work.cards.len() + 1 };
            if cards > linear_space::MOST_CARDS || work.card_size > linear_space::MOST_SIZE {
                continue;
            }
            is_open |= attempt(work, cards, steps);
        }
        if !is_open || steps >= most_steps {
            work.stop = work.stop.or(Some(Stop::Exhausted));
            return;
        }
        steps = steps.saturating_mul(4);
    }
}

/// Looks for a deck of so many cards; `false` if more steps would not help.
fn attempt(work: &mut Work<'_>, cards: usize, steps: u64) -> bool {
    let Some(profiles) = counting::profiles(cards, work.card_size, work.symbols) else { return false };
    let mut is_settled = true;
    for profile in &profiles {
        match look(work, cards, profile, steps) {
            Verdict::Deck(deck) => {
                work.offer(deck, "linear-space", "found by drawing the linear space of the cards");
                return true;
            }
            Verdict::None => {}
            Verdict::Unsettled => is_settled = false,
            Verdict::Spent(stop) => {
                work.stop = Some(stop);
                return true;
            }
        }
    }
    if is_settled {
        work.bound(cards - 1, &format!("no linear space of {cards} cards exists: all were tried"));
    }
    true
}

fn look(work: &mut Work<'_>, cards: usize, profile: &Profile, steps: u64) -> Verdict {
    let mut left = steps;
    let meter = work.meter.clone();
    let verdict = linear_space::search(cards, work.card_size, profile, &mut left, &mut || meter.spent());
    work.stats.steps += steps - left;
    verdict
}
