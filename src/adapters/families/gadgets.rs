//! Small graphs that are hard, and decks.

use rand::{Rng, RngExt};

use super::random::{repaired, shuffle};
use super::{MOST_NODES, NoSuchGraph, check, graph};
use crate::io::GraphFile;

/// An xor9 graph: `gadgets` paths of nine nodes, each with the chords 1–6 and 4–9, joined at their outer nodes 1, 3, 7 and 9,
/// of which two lead to two other gadgets and two to three, with no two gadgets joined twice. Whether such a graph of 9 ·
/// `gadgets` nodes has a Hamiltonian cycle is a hard question for its size. The family was posted by *gsgs* on a forum on
/// knight's tours in 2023.
///
/// # Errors
/// Unless there are 12 to 10⁶ gadgets: a gadget is joined to ten others, and fewer leave no room.
pub fn xor9(gadgets: usize, rng: &mut impl Rng) -> Result<GraphFile, NoSuchGraph> {
    const OUTER: [usize; 4] = [0, 2, 6, 8];
    check((12..=1_000_000).contains(&gadgets), "an xor9 graph", "12 to 1000000 gadgets", || gadgets.to_string())?;
    let links = loop {
        let mut points = Vec::with_capacity(10 * gadgets);
        for gadget in 0..gadgets {
            let mut degrees = [2usize, 2, 3, 3];
            shuffle(&mut degrees, rng);
            for (outer, degree) in OUTER.into_iter().zip(degrees) {
                points.extend(std::iter::repeat_n(9 * gadget + outer, degree));
            }
        }
        shuffle(&mut points, rng);
        if let Some(links) = joined_once(&mut points, rng) {
            break links;
        }
    };
    let inside = (0..gadgets).flat_map(|gadget| {
        let first = 9 * gadget;
        let path = (first..first + 8).map(|node| (node, node + 1));
        path.chain([(first, first + 5), (first + 3, first + 8)])
    });
    Ok(graph(9 * gadgets, inside.chain(links).collect::<Vec<_>>()))
}

/// Pairs of points of different gadgets, no two of the same gadgets.
fn joined_once(points: &mut [usize], rng: &mut impl Rng) -> Option<Vec<(usize, usize)>> {
    // The pairing looks at gadgets; which node of the gadget it was is kept beside.
    let mut of_gadget: Vec<usize> = points.iter().map(|point| point / 9).collect();
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); points.iter().map(|point| point / 9 + 1).max().unwrap_or(0)];
    points.iter().for_each(|&point| waiting[point / 9].push(point));
    let pairs = repaired(&mut of_gadget, |_, _| true, rng)?;
    let mut take = |gadget: usize| waiting[gadget].pop();
    pairs.into_iter().map(|(one, two)| take(one).zip(take(two))).collect()
}

/// A deck of UNO cards: `cards` drawn one by one, each of the numbers 0 to `numbers` − 1 and the colours 0 to `colours` − 1
/// equally likely.
///
/// # Errors
/// Unless there is a card, a number and a colour, and there are 10⁷ cards at most.
pub fn deck(cards: usize, numbers: u32, colours: u32, rng: &mut impl Rng) -> Result<Vec<(u32, u32)>, NoSuchGraph> {
    let holds = (1..=MOST_NODES).contains(&cards) && numbers > 0 && colours > 0;
    check(holds, "a deck", format!("1 to {MOST_NODES} cards, a number and a colour"), || {
        format!("{cards} cards of {numbers} numbers and {colours} colours")
    })?;
    Ok((0..cards).map(|_| (rng.random_range(0..numbers), rng.random_range(0..colours))).collect())
}
