//! The graph of all cards, in which decks are cliques.

use petgraph::graph::{NodeIndex, UnGraph};

use super::sharing::Sharing;
use super::watch::Watch;
use super::work::DobbleError;
use crate::Stop;

/// The graph whose nodes are all cards of so many of the symbols 0, 1, …, each ascending and all in order, and whose edges join
/// cards that share what is asked for. Decks are its cliques, and a largest deck is a
/// [largest clique](crate::clique::MaximumClique): as in El Mahdi Oulkadi, *Optimisation combinatoire du jeu Dobble* (TIPE).
///
/// # Errors
/// If no card can be made, or if there are more than 20 000 of them.
///
/// # Example
/// ```
/// use longhaul::adapters::dobble::{Sharing, compatibility_graph};
/// use longhaul::clique::MaximumClique;
///
/// let graph = compatibility_graph(3, 6, Sharing::ExactlyOne)?;
/// assert_eq!(graph.node_count(), 20);
/// assert_eq!(MaximumClique::new(&graph).solve()?.size(), Some(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compatibility_graph(
    card_size: usize,
    symbols: usize,
    sharing: Sharing,
) -> Result<UnGraph<Vec<u32>, ()>, DobbleError> {
    DobbleError::check(card_size, symbols)?;
    if binomial(symbols, card_size) > MOST_CARDS {
        return Err(DobbleError::too_many_cards(card_size, symbols, MOST_CARDS));
    }
    let cards = all_cards(card_size, symbols).collect();
    Ok(graph_of(cards, symbols, sharing, &mut Watch::unlimited()).expect("there is no limit"))
}

/// A graph of more cards is too large to be of use.
pub(super) const MOST_CARDS: u128 = 20_000;

/// How many cards there are, or `u128::MAX` if that is too many to say.
pub(super) fn binomial(symbols: usize, size: usize) -> u128 {
    let size = size.min(symbols - size);
    let times = |count: u128, at: usize| Some(count.checked_mul((symbols - at) as u128)? / (at as u128 + 1));
    (0..size).try_fold(1u128, times).unwrap_or(u128::MAX)
}

/// All cards of so many of the symbols, each ascending, in order.
pub(super) fn all_cards(card_size: usize, symbols: usize) -> impl Iterator<Item = Vec<u32>> {
    let first: Vec<u32> = (0..card_size as u32).collect();
    std::iter::successors(Some(first), move |card| {
        let place = (0..card_size).rev().find(|&place| (card[place] as usize) < symbols - card_size + place)?;
        let mut next = card.clone();
        next[place] += 1;
        for later in place + 1..card_size {
            next[later] = next[later - 1] + 1;
        }
        Some(next)
    })
}

/// What the graph of so many cards may take, with what the search for a clique makes of it.
pub(super) fn graph_bytes(cards: usize) -> usize {
    const BYTES_PER_PAIR: usize = 96;
    cards.saturating_mul(cards).saturating_mul(BYTES_PER_PAIR / 2)
}

/// The graph of these cards.
pub(super) fn graph_of(
    cards: Vec<Vec<u32>>,
    symbols: usize,
    sharing: Sharing,
    watch: &mut Watch,
) -> Result<UnGraph<Vec<u32>, ()>, Stop> {
    let mut graph = UnGraph::with_capacity(cards.len(), 0);
    let mut holders: Vec<Vec<u32>> = vec![Vec::new(); symbols];
    let mut shared = vec![0u32; cards.len()];
    for (at, card) in cards.into_iter().enumerate() {
        shared[..at].fill(0);
        for &symbol in &card {
            holders[symbol as usize].iter().for_each(|&other| shared[other as usize] += 1);
            holders[symbol as usize].push(at as u32);
        }
        let node = graph.add_node(card);
        for (other, &count) in shared[..at].iter().enumerate() {
            if count == 1 || (count == 0 && sharing == Sharing::AtMostOne) {
                graph.add_edge(NodeIndex::new(other), node, ());
            }
        }
        watch.steps(8 * at)?;
    }
    Ok(graph)
}
