//! The largest deck of which any two cards share at most one symbol: a packing of pairs of symbols.
//!
//! Decks come from planes and their parts, for cards of three symbols from triple systems, and from prescribed symmetry; the
//! bound from counting. Where they do not meet and there are few enough cards in all, a largest clique of the graph of cards
//! settles it: some largest deck has any card one likes, since symbols can be renamed, so only cards that go with one are
//! looked at.

use std::time::Duration;

use super::graph::{MOST_CARDS, all_cards, binomial, graph_bytes, graph_of};
use super::packing::{good_permutation, grouped, permutations, symmetric};
use super::sharing::Sharing;
use super::triples::triples;
use super::watch::Watch;
use super::work::{DobbleError, Work};
use super::{counting, exactly_one};
use crate::clique::MaximumClique;
use crate::{Limits, Status, Stop};

pub(super) fn solve(work: &mut Work<'_>) -> Result<(), DobbleError> {
    let (size, symbols) = (work.card_size, work.symbols);
    work.bound(counting::most_at_most_one(size, symbols), "counting pairs of symbols");
    construct(work);
    if !work.is_over() {
        symmetric_decks(work)?;
    }
    if !work.is_over() {
        by_clique(work)?;
    }
    work.give_up();
    Ok(())
}

/// Decks that need no symmetry.
fn construct(work: &mut Work<'_>) {
    let (size, symbols) = (work.card_size, work.symbols);
    let most = work.affordable(work.upper);
    let mut watch = work.half_watch();
    match size {
        1 | 2 => {
            let cards = all_small_cards(size, symbols as u32, most, &mut watch);
            work.offer(cards, "construction", "all cards there are");
        }
        3 => work.offer(triples(symbols, most, &mut watch), "construction", "a triple system"),
        _ => larger_cards(work),
    }
}

/// The first cards of one symbol, or of two, which never share too much; fewer if the limits are spent.
fn all_small_cards(size: usize, symbols: u32, most: usize, watch: &mut Watch) -> Vec<u32> {
    let mut cards = Vec::with_capacity(most * size);
    let pairs = (0..symbols).flat_map(|one| (one + 1..symbols).map(move |other| [one, other]));
    let singles = (0..symbols).map(|one| [one, one]);
    let both: &mut dyn Iterator<Item = [u32; 2]> =
        if size == 1 { &mut singles.into_iter() } else { &mut pairs.into_iter() };
    for card in both.take(most) {
        cards.extend_from_slice(&card[..size]);
        if watch.steps(size).is_err() {
            break;
        }
    }
    cards
}

/// What a smaller question may take.
const MOMENT: Duration = Duration::from_millis(50);

/// To make cards of more symbols in all would take long.
const MOST_PLACES: usize = 50_000_000;

/// Decks of cards of four symbols or more.
fn larger_cards(work: &mut Work<'_>) {
    let (size, symbols, seed) = (work.card_size, work.symbols, work.limits.seed);
    let mut even = work.part(symbols, Sharing::ExactlyOne);
    exactly_one::begin(&mut even);
    even.hurry(MOMENT);
    exactly_one::search(&mut even);
    work.take(even, "any two even share exactly one symbol");
    if work.is_over() {
        return;
    }
    let most_cards = work.affordable(work.upper.min(MOST_PLACES / size));
    let (outer, mut watch) = (&*work, work.half_watch());
    let mut within = |symbols: usize| {
        let mut group = outer.part(symbols, Sharing::AtMostOne);
        group.hurry(MOMENT);
        solve(&mut group).map_or_else(|_| Vec::new(), |()| group.deck.into_symbols())
    };
    let cards = grouped(size, symbols, most_cards, seed, &mut within, &mut watch);
    work.offer(cards, "construction", "groups of symbols, one of each on a card, and decks within groups");
}

/// Decks with a symmetry, for a moment each, then for longer.
fn symmetric_decks(work: &mut Work<'_>) -> Result<(), DobbleError> {
    const MOMENTS: [Duration; 3] = [Duration::from_millis(100), Duration::from_millis(700), Duration::from_secs(5)];
    if let Some(cycles) = good_permutation(work.card_size, work.symbols) {
        symmetric_deck(work, &cycles, MOMENTS[1])?;
    }
    for moment in MOMENTS {
        for cycles in permutations(work.card_size, work.symbols) {
            if work.is_over() {
                return Ok(());
            }
            symmetric_deck(work, &cycles, moment)?;
        }
    }
    Ok(())
}

fn symmetric_deck(work: &mut Work<'_>, cycles: &[usize], moment: Duration) -> Result<(), DobbleError> {
    let rest = work.meter.rest(&work.limits);
    let limits = Limits { time: Some(rest.time.map_or(moment, |left| left.min(moment))), ..rest };
    if let Some(cards) = symmetric(work.card_size, work.symbols, cycles, work.upper, &limits)? {
        let lengths: Vec<String> = cycles.iter().map(usize::to_string).collect();
        let how = format!("a heaviest clique of orbits under a permutation with cycles of {}", lengths.join(", "));
        work.offer(cards, "clique", &how);
    }
    Ok(())
}

/// A largest clique of the graph of cards with one of them given, where there are few enough.
fn by_clique(work: &mut Work<'_>) -> Result<(), DobbleError> {
    let (size, symbols) = (work.card_size, work.symbols);
    if binomial(symbols, size) > MOST_CARDS {
        return Ok(());
    }
    let first: Vec<u32> = (0..size as u32).collect();
    let goes_with_first = |card: &[u32]| card.iter().filter(|&&symbol| (symbol as usize) < size).count() <= 1;
    let cards: Vec<Vec<u32>> = all_cards(size, symbols).filter(|card| goes_with_first(card)).collect();
    if work.meter.forbids(graph_bytes(cards.len())) {
        work.stop = Some(Stop::MemoryLimit);
        return Ok(());
    }
    let graph = match graph_of(cards, symbols, Sharing::AtMostOne, &mut work.watch()) {
        Ok(graph) => graph,
        Err(stop) => {
            work.stop = Some(stop);
            return Ok(());
        }
    };
    let question = MaximumClique::new(&graph).limits(work.meter.rest(&work.limits)).lower_bound(work.deck.len() as i64);
    let answer = question.solve()?;
    work.stats.steps += answer.stats().steps;
    if let Some(nodes) = answer.nodes() {
        let cards = first.into_iter().chain(nodes.iter().flat_map(|&node| graph[node].iter().copied())).collect();
        work.offer(cards, "clique", "a largest clique of the graph of cards");
    }
    match answer.status() {
        Status::Infeasible => work.bound(work.deck.len(), "the graph of cards has no larger clique"),
        _ => {
            work.bound(answer.upper_bound().map_or(0, |upper| upper as usize) + 1, "the cliques of the graph of cards")
        }
    }
    if answer.stop() != Stop::Finished {
        work.stop = work.stop.or(Some(answer.stop()));
    }
    Ok(())
}
