//! Graphs for the tests: families whose longest path is known, and random ones; all seeded.

use hashbrown::HashSet;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

pub(super) use super::random::below;
use crate::view::{CsrGraph, Edge};

fn undirected(vertex_count: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> CsrGraph {
    let edge = |(a, b): (usize, usize)| Edge { source: a as u32, target: b as u32, weight: 1 };
    CsrGraph::from_multigraph(vertex_count, false, pairs.into_iter().map(edge).collect()).0
}

/// A random graph with every vertex of this degree: stubs paired at random, loops and parallels switched away.
pub(super) fn regular(vertex_count: usize, degree: usize, seed: u64) -> CsrGraph {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut stubs: Vec<usize> = (0..vertex_count * degree).map(|stub| stub / degree).collect();
    for place in (1..stubs.len()).rev() {
        let other = below(&mut rng, place + 1);
        stubs.swap(place, other);
    }
    let pairs = stubs.len() / 2;
    loop {
        let mut seen = HashSet::new();
        let mut bad = Vec::new();
        for pair in 0..pairs {
            let (a, b) = (stubs[2 * pair], stubs[2 * pair + 1]);
            if a == b || !seen.insert((a.min(b), a.max(b))) {
                bad.push(pair);
            }
        }
        if bad.is_empty() {
            return undirected(vertex_count, (0..pairs).map(|pair| (stubs[2 * pair], stubs[2 * pair + 1])));
        }
        for pair in bad {
            let other = below(&mut rng, pairs);
            stubs.swap(2 * pair, 2 * other);
        }
    }
}

/// A random graph with so many edges (parallel ones merged).
pub(super) fn sparse(vertex_count: usize, edge_count: usize, seed: u64) -> CsrGraph {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut end = || below(&mut rng, vertex_count);
    undirected(vertex_count, (0..edge_count).map(|_| (end(), end())).collect::<Vec<_>>())
}

/// The moves of a knight on a square board.
pub(super) fn knight(side: usize) -> CsrGraph {
    let mut pairs = Vec::new();
    for (row, column) in (0..side * side).map(|square| (square / side, square % side)) {
        for (down, right) in [(1, 2), (2, 1)] {
            if row + down < side && column + right < side {
                pairs.push((row * side + column, (row + down) * side + column + right));
                pairs.push((row * side + column + right, (row + down) * side + column));
            }
        }
    }
    undirected(side * side, pairs)
}

pub(super) fn hypercube(dimension: usize) -> CsrGraph {
    let vertices = 0..1usize << dimension;
    let flips = |vertex: usize| (0..dimension).map(move |bit| (vertex, vertex | 1 << bit));
    undirected(1 << dimension, vertices.flat_map(flips).filter(|(a, b)| a != b))
}

/// The generalised Petersen graph: an outer cycle, spokes, and inner chords of this span.
pub(super) fn petersen(outer: usize, span: usize) -> CsrGraph {
    let around = |at: usize| [(at, (at + 1) % outer), (at, outer + at), (outer + at, outer + (at + span) % outer)];
    undirected(2 * outer, (0..outer).flat_map(around))
}

/// A hand of random cards; two are adjacent if they share colour or number.
pub(super) fn cards(count: usize, colours: usize, numbers: usize, seed: u64) -> CsrGraph {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let hand: Vec<(usize, usize)> = (0..count).map(|_| (below(&mut rng, colours), below(&mut rng, numbers))).collect();
    let mut pairs = Vec::new();
    for (a, card) in hand.iter().enumerate() {
        for (b, other) in hand[..a].iter().enumerate() {
            if card.0 == other.0 || card.1 == other.1 {
                pairs.push((a, b));
            }
        }
    }
    undirected(count, pairs)
}

/// A square grid of which every edge is kept with odds `kept` in 100.
pub(super) fn torn_grid(side: usize, kept: usize, seed: u64) -> CsrGraph {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut pairs = Vec::new();
    for at in 0..side * side {
        if at % side + 1 < side && below(&mut rng, 100) < kept {
            pairs.push((at, at + 1));
        }
        if at + side < side * side && below(&mut rng, 100) < kept {
            pairs.push((at, at + side));
        }
    }
    undirected(side * side, pairs)
}
