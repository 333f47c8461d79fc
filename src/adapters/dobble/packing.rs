//! Good decks in which any two cards share at most one symbol.
//!
//! *Cards of three.* Hill-climbing: a symbol with room takes two others that it shares no card with; if these two are on a card
//! together, that card goes. It soon finds a largest deck whatever the number of symbols. (D. R. Stinson, *Hill-climbing
//! algorithms for the construction of combinatorial designs*, Annals of Discrete Mathematics 26, 1985, DOI
//! 10.1016/S0304-0208(08)73015-1.)
//!
//! *Prescribed symmetry.* Decks that a permutation of the symbols leaves as they are consist of whole orbits of cards. Two orbits fit
//! together if their cards do, and an orbit's weight is the number of its cards: so a heaviest clique is a largest such deck,
//! found by [`MaximumClique`](crate::clique::MaximumClique). (E. S. Kramer, D. M. Mesner, *t-designs on hypergraphs*, Discrete
//! Mathematics 15, 1976, DOI 10.1016/0012-365X(76)90030-3.)
//!
//! *Groups of symbols.* The affine plane of order q ≥ k, cut down to k of its parallel classes, has q² cards with one symbol of
//! each class; each class is free for a deck of its own.

use petgraph::graph::UnGraph;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::field::{Field, prime_power};
use super::planes::{affine_lines, truncate};
use crate::clique::MaximumClique;
use crate::limits::Meter;
use crate::{Error, Limits, Stop};

/// Cards of three symbols, at most `target`.
pub(super) fn triples(
    symbols: usize,
    target: usize,
    seed: u64,
    spent: &mut dyn FnMut() -> Option<Stop>,
) -> Vec<Vec<u32>> {
    const STEPS_PER_CARD: usize = 400;
    const NONE: u32 = u32::MAX;
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut below = |count: usize| (random.next_u64() % count as u64) as usize;
    // The third symbol of the card that two are on together.
    let mut third = vec![NONE; symbols * symbols];
    // Per symbol: those that it shares no card with, and where each of these stands.
    let mut apart: Vec<Vec<u32>> =
        (0..symbols as u32).map(|one| (0..symbols as u32).filter(|&other| other != one).collect()).collect();
    let mut place: Vec<u32> =
        (0..symbols * symbols).map(|at| (at % symbols) as u32 - u32::from(at % symbols > at / symbols)).collect();
    let mut cards = 0;
    for step in 0..STEPS_PER_CARD * (target + 10) {
        if cards == target || (step.is_multiple_of(1 << 12) && spent().is_some()) {
            break;
        }
        let one = below(symbols);
        let free = apart[one].len();
        if free < 2 {
            continue;
        }
        let (at, to) = (below(free), below(free - 1));
        let (two, three) = (apart[one][at], apart[one][to + usize::from(to >= at)]);
        let old = third[two as usize * symbols + three as usize];
        let mut change = |card: [u32; 3], joins: bool| {
            for (at, &from) in card.iter().enumerate() {
                for &to in &card[at + 1..] {
                    let other = card.iter().copied().find(|&other| other != from && other != to).unwrap_or(NONE);
                    for (from, to) in [(from as usize, to as usize), (to as usize, from as usize)] {
                        third[from * symbols + to] = if joins { other } else { NONE };
                        if joins {
                            let at = place[from * symbols + to] as usize;
                            apart[from].swap_remove(at);
                            if let Some(&moved) = apart[from].get(at) {
                                place[from * symbols + moved as usize] = at as u32;
                            }
                        } else {
                            place[from * symbols + to] = apart[from].len() as u32;
                            apart[from].push(to as u32);
                        }
                    }
                }
            }
        };
        if old != NONE {
            change([two, three, old], false);
        }
        change([one as u32, two, three], true);
        cards += usize::from(old == NONE);
    }
    let card = |at: usize| {
        let (one, two, three) = (at / symbols, at % symbols, third[at]);
        (one < two && three != NONE && two < three as usize).then(|| vec![one as u32, two as u32, three])
    };
    (0..symbols * symbols).filter_map(card).collect()
}

/// A permutation of the symbols, as the lengths of its cycles; they add up to the number of symbols.
pub(super) type Cycles = Vec<usize>;

/// A permutation under which a large deck is found soon, where one is known from trying many.
pub(super) fn good_permutation(size: usize, symbols: usize) -> Option<Cycles> {
    const GOOD: [(usize, &[usize]); 6] = [
        (4, &[4, 4, 4, 4, 1, 1]),
        (4, &[4, 4, 4, 4, 2, 1]),
        (4, &[5, 5, 5, 5]),
        (4, &[6, 6, 6, 2, 1]),
        (4, &[4, 4, 4, 4, 2, 2, 1, 1]),
        (4, &[6, 6, 6, 2, 1, 1, 1]),
    ];
    let good = GOOD.iter().find(|(of, cycles)| *of == size && cycles.iter().sum::<usize>() == symbols);
    good.map(|(_, cycles)| cycles.to_vec())
}

/// The permutations to try, those with the longest cycles first.
pub(super) fn permutations(size: usize, symbols: usize) -> Vec<Cycles> {
    let mut all: Vec<Cycles> = Vec::new();
    if symbols > MOST_SYMBOLS || binomial(symbols, size) > MOST_CARDS {
        return all;
    }
    for length in (3..=symbols).rev() {
        let (cycles, rest) = (symbols / length, symbols % length);
        // The rest fixed, or in cycles whose lengths divide this one.
        let fixed = (rest <= size).then(|| vec![1; rest]);
        let mut left = rest;
        let mut dividing = Vec::new();
        for divisor in (1..length).rev().filter(|&divisor| length.is_multiple_of(divisor)) {
            dividing.extend(std::iter::repeat_n(divisor, left / divisor));
            left %= divisor;
        }
        for tail in fixed.into_iter().chain((rest > 0).then_some(dividing)) {
            let mut permutation = vec![length; cycles];
            permutation.extend(tail);
            if !all.contains(&permutation) {
                all.push(permutation);
            }
        }
    }
    all
}

/// Sets of symbols as bits have this many at most.
const MOST_SYMBOLS: usize = 64;

/// With more cards than this, orbits are not listed.
const MOST_CARDS: u128 = 2_000_000;

/// The largest deck found that the permutation leaves as it is; `None` if that has too many orbits.
pub(super) fn symmetric(
    size: usize,
    symbols: usize,
    cycles: &[usize],
    target: usize,
    limits: &Limits,
) -> Result<Option<Vec<Vec<u32>>>, Error> {
    const MOST_ORBITS: usize = 4000;
    if symbols > MOST_SYMBOLS || binomial(symbols, size) > MOST_CARDS {
        return Ok(None);
    }
    let meter = limits.start();
    let Some(orbits) = orbits(size, symbols, cycles, MOST_ORBITS, &meter) else { return Ok(None) };
    let mut graph = UnGraph::<i64, ()>::with_capacity(orbits.len(), 0);
    let nodes: Vec<_> = orbits.iter().map(|orbit| graph.add_node(orbit.len() as i64)).collect();
    for (at, one) in orbits.iter().enumerate() {
        if meter.spent().is_some() {
            return Ok(None);
        }
        for (other, &node) in orbits[..at].iter().zip(&nodes) {
            // The permutation takes any card of the longer orbit to its first.
            let (few, many) = if one.len() < other.len() { (one, other) } else { (other, one) };
            let fits = few.iter().all(|card| (card & many[0]).count_ones() <= 1);
            if fits {
                graph.add_edge(nodes[at], node, ());
            }
        }
    }
    let question =
        MaximumClique::new(&graph).node_weights(|node| graph[node]).limits(meter.rest(limits)).enough(target as i64);
    let clique = question.solve()?;
    let cards = clique.nodes().unwrap_or_default().iter().flat_map(|node| &orbits[node.index()]);
    Ok(Some(cards.map(|&card| (0..symbols as u32).filter(|&symbol| card >> symbol & 1 == 1).collect()).collect()))
}

/// How many cards there are, or `u128::MAX` if that is too many to say.
pub(super) fn binomial(symbols: usize, size: usize) -> u128 {
    let size = size.min(symbols - size);
    let times = |count: u128, at: usize| Some(count.checked_mul((symbols - at) as u128)? / (at as u128 + 1));
    (0..size).try_fold(1u128, times).unwrap_or(u128::MAX)
}

/// The orbits of cards, as sets of bits, in which any two cards share at most one symbol.
fn orbits(size: usize, symbols: usize, cycles: &[usize], most: usize, meter: &Meter) -> Option<Vec<Vec<u64>>> {
    let mut turn: Vec<usize> = Vec::with_capacity(symbols);
    for &length in cycles {
        let from = turn.len();
        turn.extend((1..=length).map(|step| from + step % length));
    }
    const CARDS_PER_LOOK: usize = 1 << 12;
    let mut orbits = Vec::new();
    let mut orbit = Vec::new();
    let mut seen = 0usize;
    let mut card: Vec<usize> = (0..size).collect();
    loop {
        let first = card.iter().fold(0u64, |set, &symbol| set | 1 << symbol);
        orbit.clear();
        orbit.push(first);
        let mut at = card.clone();
        loop {
            let next = at.iter().fold(0u64, |set, &symbol| set | 1 << turn[symbol]);
            at.iter_mut().for_each(|symbol| *symbol = turn[*symbol]);
            if next == first {
                orbits.push(orbit.clone());
                break;
            }
            // Only the least card stands for its orbit.
            if next < first || (next & first).count_ones() > 1 {
                break;
            }
            orbit.push(next);
        }
        seen += 1;
        if orbits.len() > most || (seen.is_multiple_of(CARDS_PER_LOOK) && meter.spent().is_some()) {
            return None;
        }
        // The next card in order.
        let Some(place) = (0..size).rev().find(|&place| card[place] < symbols - size + place) else {
            return Some(orbits);
        };
        card[place] += 1;
        for later in place + 1..size {
            card[later] = card[later - 1] + 1;
        }
    }
}

/// Cards with one symbol of each of k groups, and decks within the groups, which `within` makes.
pub(super) fn grouped(
    size: usize,
    symbols: usize,
    seed: u64,
    within: &mut dyn FnMut(usize) -> Vec<Vec<u32>>,
    spent: &mut dyn FnMut() -> bool,
) -> Vec<Vec<u32>> {
    let mut best: Vec<Vec<u32>> = Vec::new();
    let largest = symbols / size;
    // The greatest order that fits, and the least that must be cut down.
    let below = (size.saturating_sub(1).max(2)..=largest).rev().find(|&order| prime_power(order as u32).is_some());
    let above = (largest + 1..).find(|&order| prime_power(order as u32).is_some());
    for order in below.into_iter().chain(above) {
        if order + 1 < size || (order as u64).pow(2) * size as u64 > 50_000_000 {
            continue;
        }
        let Some(field) = Field::new(order as u32) else { continue };
        let mut cards;
        if order >= size {
            let lines = affine_lines(&field, size.min(order) as u32);
            cards = if size == order { lines } else { lines.into_iter().filter(|line| line.len() == size).collect() };
        } else {
            // One class more than the plane has points on a line: the slopes.
            cards = affine_lines(&field, order as u32);
            cards.truncate(order * order);
            for (at, card) in cards.iter_mut().enumerate() {
                card.push((order * order + at / order) as u32);
            }
        }
        let used = if size == order { order * order } else { size * order };
        if used <= symbols && size < order {
            let group = within(order);
            for at in 0..size as u32 {
                cards.extend(group.iter().map(|card| card.iter().map(|symbol| symbol + at * order as u32).collect()));
            }
        }
        if used > symbols {
            cards = truncate(&cards, size, symbols, seed, spent);
        }
        if cards.len() > best.len() {
            best = cards;
        }
    }
    best
}
