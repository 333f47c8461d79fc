//! The largest deck of which any two cards share exactly one symbol: constructions, counting, and search between the two.
//!
//! A deck of b cards contains one of b − 1; so when none of b is found to exist, b − 1 bounds all, and while the bound is above
//! the best deck, one card more than that is looked for as well as as many as the bound allows. Searches are given up after so
//! many steps and begun anew with more of them, now for the one, now for the other.

use super::counting::{self, Profile};
use super::field::prime_power;
use super::linear_space::{self, Verdict};
use super::planes::{MOST_ORDER, Plane, greatest_part, lines_of_order, sunflower};
use super::truncation::truncate;
use super::work::Work;

/// The steps of the first round of searches.
const FIRST_STEPS: u64 = 20_000;

pub(super) fn solve(work: &mut Work<'_>) {
    begin(work);
    search(work);
}

/// Bounds, and decks that need no search.
pub(super) fn begin(work: &mut Work<'_>) {
    let (size, symbols) = (work.card_size, work.symbols);
    let flower = counting::most_sunflower(size, symbols);
    let mut others = if size == 1 { 1 } else { counting::most_exactly_one(size, symbols) };
    let why = if flower >= others {
        "all share one symbol, or counting allows fewer"
    } else {
        "counting on how many cards each symbol can be"
    };
    work.bound(flower.max(others), why);
    construct(work);
    if others > flower && work.deck.len() < work.upper {
        others = counting::most_by_profiles(others, size, symbols, &mut work.watch());
        work.bound(flower.max(others), why);
    }
}

fn construct(work: &mut Work<'_>) {
    let (size, symbols) = (work.card_size, work.symbols);
    let flower = work.affordable(counting::most_sunflower(size, symbols));
    let cards = sunflower(size, flower, &mut work.half_watch());
    work.offer(cards, "construction", "they all share one symbol");
    if work.is_over() {
        return;
    }
    /// Of larger cards, what is left of planes is not tried order by order.
    const SMALL: usize = 24;
    if size > SMALL {
        part_of_plane(work);
    }
    for order in (2..size.min(MOST_ORDER + 1)).rev() {
        if prime_power(order as u32).is_none() {
            continue;
        }
        if work.is_over() {
            return;
        }
        if !truncated_plane(work, order) || size > SMALL {
            return;
        }
    }
}

/// The first lines of a plane.
fn part_of_plane(work: &mut Work<'_>) {
    let (size, symbols) = (work.card_size, work.symbols);
    let Some(part) = greatest_part(size, symbols).filter(|part| part.cards > work.deck.len()) else { return };
    let cards = work.affordable(part.cards);
    let Some(plane) = Plane::new(part.order as u32) else { return };
    let lines = plane.projective_lines(cards, size - part.order - 1, &mut work.half_watch());
    let how = format!("{cards} of {} lines of the projective plane of order {}", plane.line_count(), part.order);
    work.offer(lines, "construction", &how);
}

/// What is left of the plane when there are too many symbols; `false` if that would be too much work.
fn truncated_plane(work: &mut Work<'_>, order: usize) -> bool {
    /// So many places in all are looked at while symbols are taken out.
    const MOST_STEPS: usize = 1 << 28;
    let (size, symbols) = (work.card_size, work.symbols);
    let count = lines_of_order(order);
    if count.saturating_mul(count) > MOST_STEPS || work.affordable(count) < count {
        return false;
    }
    let Some(plane) = Plane::new(order as u32) else { return false };
    let mut watch = work.half_watch();
    let lines = plane.projective_lines(count, 0, &mut watch);
    let deck = truncate(&lines, order + 1, size, symbols, work.limits.seed, &mut watch);
    let how = match deck.len() / size {
        all if all == count && order + 1 == size => format!("the projective plane of order {order}"),
        _ => format!("what is left of the projective plane of order {order}"),
    };
    work.offer(deck, "construction", &how);
    true
}

/// Closes the gap by search, as far as decks of so many cards can be searched.
pub(super) fn search(work: &mut Work<'_>) {
    let mut steps = FIRST_STEPS;
    while !work.is_over() {
        let mut is_open = false;
        for largest in [false, true] {
            if work.is_over() {
                return;
            }
            let cards = if largest { work.upper } else { work.deck.len() + 1 };
            if cards > linear_space::MOST_CARDS || work.card_size > linear_space::MOST_SIZE {
                continue;
            }
            is_open |= attempt(work, cards, steps);
        }
        if !is_open {
            work.give_up();
            return;
        }
        steps = steps.saturating_mul(4);
    }
}

/// Looks for a deck of so many cards; `false` if more steps would not help.
fn attempt(work: &mut Work<'_>, cards: usize, steps: u64) -> bool {
    // Profiles are of decks that do not all share one symbol: those are only missing where they could not be made.
    if cards <= counting::most_sunflower(work.card_size, work.symbols) {
        return false;
    }
    let Some(profiles) = counting::profiles(cards, work.card_size, work.symbols, &mut work.watch()) else {
        return false;
    };
    let mut is_settled = true;
    for profile in &profiles {
        match look(work, cards, profile, steps) {
            Verdict::Deck(deck) => {
                work.offer(deck.concat(), "linear-space", "found by drawing the linear space of the cards");
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
