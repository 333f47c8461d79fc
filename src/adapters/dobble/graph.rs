//! The graph of all cards, in which decks are cliques.

use petgraph::graph::{NodeIndex, UnGraph};

use super::deck::Sharing;
use super::packing::binomial;
use super::work::DobbleError;

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
    let mut cards: Vec<Vec<u32>> = Vec::new();
    let mut card: Vec<u32> = (0..card_size as u32).collect();
    loop {
        cards.push(card.clone());
        let can_rise = |&place: &usize| (card[place] as usize) < symbols - card_size + place;
        let Some(place) = (0..card_size).rev().find(can_rise) else { break };
        card[place] += 1;
        for later in place + 1..card_size {
            card[later] = card[later - 1] + 1;
        }
    }
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
    }
    Ok(graph)
}

/// A graph of more cards is too large to be of use.
pub(super) const MOST_CARDS: u128 = 20_000;
