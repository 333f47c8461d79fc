//! Good decks in which any two cards share at most one symbol.
//!
//! *Prescribed symmetry.* Decks that a permutation of the symbols leaves as they are consist of whole orbits of cards. Two orbits fit
//! together if their cards do, and an orbit's weight is the number of its cards: so a heaviest clique is a largest such deck,
//! found by [`MaximumClique`](crate::clique::MaximumClique). (E. S. Kramer, D. M. Mesner, *t-designs on hypergraphs*, Discrete
//! Mathematics 15, 1976, DOI 10.1016/0012-365X(76)90030-3.)
//!
//! *Groups of symbols.* The affine plane of order q ≥ k, cut down to k of its parallel classes, has q² cards with one symbol of
//! each class; each class is free for a deck of its own.

use petgraph::graph::UnGraph;

use super::field::prime_power;
use super::graph::{binomial, graph_bytes};
use super::planes::Plane;
use super::truncation::truncate;
use super::watch::Watch;
use crate::clique::MaximumClique;
use crate::limits::Meter;
use crate::{Error, Limits};

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
) -> Result<Option<Vec<u32>>, Error> {
    const MOST_ORBITS: usize = 4000;
    if symbols > MOST_SYMBOLS || binomial(symbols, size) > MOST_CARDS {
        return Ok(None);
    }
    let meter = limits.start();
    let Some(orbits) = orbits(size, symbols, cycles, MOST_ORBITS, &meter) else { return Ok(None) };
    if meter.forbids(graph_bytes(orbits.len())) {
        return Ok(None);
    }
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
    Ok(Some(cards.flat_map(|&card| (0..symbols as u32).filter(move |&symbol| card >> symbol & 1 == 1)).collect()))
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

/// Cards with one symbol of each of k groups, and decks within the groups, which `within` makes; not many more cards than `most`.
pub(super) fn grouped(
    size: usize,
    symbols: usize,
    most: usize,
    seed: u64,
    within: &mut dyn FnMut(usize) -> Vec<u32>,
    watch: &mut Watch,
) -> Vec<u32> {
    let mut best = Vec::new();
    let largest = (symbols / size).min(most.isqrt());
    // The greatest order that fits, and the least that must be cut down.
    let below = (size.saturating_sub(1).max(2)..=largest).rev().find(|&order| prime_power(order as u32).is_some());
    let above = (largest + 1..).find(|&order| prime_power(order as u32).is_some());
    for order in below.into_iter().chain(above) {
        if order + 1 < size || order * order > most {
            continue;
        }
        let Some(plane) = Plane::new(order as u32) else { continue };
        let mut cards = match size {
            all if all == order => plane.affine_lines(order * order + order, order, watch),
            fewer if fewer < order => plane.affine_lines(order * order, fewer, watch),
            // One group more than the plane has points on a line: the slopes.
            _ => plane.projective_lines(order * order, 0, watch),
        };
        let used = if size == order { order * order } else { size * order };
        if used <= symbols && size < order {
            let group = within(order);
            for at in 0..size as u32 {
                cards.extend(group.iter().map(|symbol| symbol + at * order as u32));
            }
        }
        if used > symbols {
            cards = truncate(&cards, size, size, symbols, seed, watch);
        }
        if cards.len() > best.len() {
            best = cards;
        }
    }
    best
}
