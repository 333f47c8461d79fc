//! The largest deck of which any two cards share at most one symbol: a packing of pairs of symbols.
//!
//! Decks come from planes and their parts, from hill-climbing, and from prescribed symmetry; the bound from counting. Where they
//! do not meet and there are few enough cards in all, a largest clique of the graph of cards settles it: some largest deck has
//! any card one likes, since symbols can be renamed, so only cards that go with one are looked at.

use std::time::Duration;

use petgraph::visit::NodeFiltered;

use super::deck::Sharing;
use super::graph::{MOST_CARDS, compatibility_graph};
use super::packing::{binomial, good_permutation, grouped, permutations, symmetric, triples};
use super::work::{DobbleError, Work};
use super::{counting, exactly_one};
use crate::clique::MaximumClique;
use crate::{Limits, Status, Stop};

pub(super) fn solve(work: &mut Work<'_>) -> Result<(), DobbleError> {
    let (size, symbols) = (work.card_size, work.symbols);
    work.bound(counting::most_at_most_one(size, symbols), "counting pairs of symbols");
    if size <= 2 {
        all_cards(work);
        return Ok(());
    }
    construct(work);
    if !work.is_over() {
        symmetric_decks(work)?;
    }
    if !work.is_over() && binomial(symbols, size) <= MOST_CARDS {
        by_clique(work)?;
    }
    work.stop = work.stop.or(Some(Stop::Exhausted));
    Ok(())
}

/// Cards of one symbol or two never share too much.
fn all_cards(work: &mut Work<'_>) {
    let symbols = work.symbols as u32;
    let room = work.room();
    if work.upper > room {
        work.stop = Some(Stop::MemoryLimit);
    }
    let cards: Vec<Vec<u32>> = if work.card_size == 1 {
        (0..symbols).take(room).map(|symbol| vec![symbol]).collect()
    } else {
        (0..symbols).flat_map(|one| (one + 1..symbols).map(move |other| vec![one, other])).take(room).collect()
    };
    work.offer(cards, "construction", "all cards there are");
}

/// What a smaller question may take.
const MOMENT: Duration = Duration::from_millis(50);

/// Decks that need no symmetry.
fn construct(work: &mut Work<'_>) {
    let (size, symbols) = (work.card_size, work.symbols);
    let meter = work.meter.clone();
    if size == 3 && !work.meter.forbids(symbols * symbols * 12) && work.upper <= work.room() {
        let cards = triples(symbols, work.upper, work.limits.seed, &mut || meter.spent());
        work.offer(cards, "hill-climbing", "found by hill-climbing");
    }
    if work.is_over() {
        return;
    }
    let mut even = part(work, symbols);
    exactly_one::solve(&mut even);
    work.offer(even.cards, "construction", "any two even share exactly one symbol");
    if work.is_over() || work.upper > work.room() {
        return;
    }
    let seed = work.limits.seed;
    let mut within = |symbols: usize| {
        let mut group = part(work, symbols);
        solve(&mut group).map_or_else(|_| Vec::new(), |()| group.cards)
    };
    let cards = grouped(size, symbols, seed, &mut within, &mut || meter.spent().is_some());
    work.offer(cards, "construction", "groups of symbols, one of each on a card, and decks within groups");
}

/// A question about fewer symbols, or a stricter one, for a moment.
fn part(work: &Work<'_>, symbols: usize) -> Work<'static> {
    let rest = work.meter.rest(&work.limits);
    let limits = Limits { time: Some(rest.time.map_or(MOMENT, |left| left.min(MOMENT))), ..rest };
    Work::new(work.card_size, symbols, limits, None)
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

/// A largest clique of the graph of cards with one of them given.
fn by_clique(work: &mut Work<'_>) -> Result<(), DobbleError> {
    let graph = compatibility_graph(work.card_size, work.symbols, Sharing::AtMostOne)?;
    let first = graph.node_indices().next().expect("there is a card");
    let rest = NodeFiltered::from_fn(&graph, |node| graph.contains_edge(first, node));
    let question = MaximumClique::new(&rest).limits(work.meter.rest(&work.limits)).lower_bound(work.cards.len() as i64);
    let answer = question.solve()?;
    work.stats.steps += answer.stats().steps;
    if let Some(nodes) = answer.nodes() {
        let cards = std::iter::once(&first).chain(nodes).map(|&node| graph[node].clone()).collect();
        work.offer(cards, "clique", "a largest clique of the graph of cards");
    }
    match answer.status() {
        Status::Infeasible => work.bound(work.cards.len(), "the graph of cards has no larger clique"),
        _ => {
            work.bound(answer.upper_bound().map_or(0, |upper| upper as usize) + 1, "the cliques of the graph of cards")
        }
    }
    if answer.stop() != Stop::Finished {
        work.stop = work.stop.or(Some(answer.stop()));
    }
    Ok(())
}
