//! UNO-p graphs: which card may be played right after which, when p players hold the cards.
//!
//! A card may follow another if the two agree in number or colour and it belongs to the next player in turn: i' = i + 1
//! (mod p). So one player's cards form the line graph of a bipartite multigraph, two players' cards a bipartite graph, both
//! undirected; from three players on the graph is directed and its arcs lead from one hand to the next.
//!
//! Source: Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno, *UNO is hard, even
//! for a single player*, Theoretical Computer Science 521, 2014, §2.3, DOI 10.1016/j.tcs.2013.11.023.

use hashbrown::HashMap;
use petgraph::graph::{DiGraph, Edge, Node, NodeIndex, UnGraph};

use super::card::Card;
use super::deck::Deck;
use super::game::UnoError;
use crate::line_graph;

/// A card with its place: whose it is, and where in that hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Held {
    /// The player, from 1.
    pub player: usize,
    /// The position in the player's hand, from 1.
    pub position: usize,
    /// The card.
    pub card: Card,
}

/// The UNO-p graph of some hands; its nodes come hand by hand, in the order of the cards.
#[derive(Clone, Debug)]
pub enum UnoGraph {
    /// Of one or two players: an edge for every two cards that may follow each other.
    Undirected(UnGraph<Held, ()>),
    /// Of three players or more: an arc from each card to those that the next player may play on it.
    Directed(DiGraph<Held, ()>),
}

/// The UNO-p graph of these hands, one for each player.
///
/// # Errors
/// [`UnoError::NoPlayers`] without a hand; [`UnoError::TooLarge`] or [`UnoError::TooManyMatches`] if the graph would take
/// more than `memory_limit` bytes.
///
/// # Complexity
/// Linear in the cards and the matches; these are counted before any is made.
///
/// # Example
/// ```
/// use longhaul::adapters::uno::{Card, Deck, UnoGraph, uno_graph};
///
/// let hand = |cards: &[(u32, u32)]| Deck::new(cards.iter().map(|&(number, colour)| Card { number, colour }).collect());
/// let two = [hand(&[(1, 1), (2, 2)]), hand(&[(1, 2)])];
/// let UnoGraph::Undirected(graph) = uno_graph(&two, 1 << 20)? else { panic!("two players make no arcs") };
/// assert_eq!((graph.node_count(), graph.edge_count()), (3, 2));
/// # Ok::<(), longhaul::adapters::uno::UnoError>(())
/// ```
pub fn uno_graph(hands: &[Deck], memory_limit: usize) -> Result<UnoGraph, UnoError> {
    match hands {
        [] => Err(UnoError::NoPlayers),
        [hand] => {
            let pairs: Vec<(u32, u32)> = hand.cards().iter().map(|card| (card.number, card.colour)).collect();
            let matches = line_graph::of_pairs(&pairs, memory_limit)?;
            let held = |&index: &usize| Held { player: 1, position: index + 1, card: hand.cards()[index] };
            Ok(UnoGraph::Undirected(matches.map(|_, index| held(index), |_, ()| ())))
        }
        [one, two] => {
            let second = Index::new(two);
            check_size(hands, second.count_matches(one), memory_limit)?;
            let mut graph = UnGraph::with_capacity(0, 0);
            held(hands).for_each(|held| _ = graph.add_node(held));
            let offset = one.cards().len();
            second.for_each_match(one, |from, to| {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(offset + to), ());
            });
            Ok(UnoGraph::Undirected(graph))
        }
        _ => {
            let indices: Vec<Index<'_>> = hands.iter().map(Index::new).collect();
            let next = |player: usize| (player + 1) % hands.len();
            let count = (0..hands.len()).map(|player| indices[next(player)].count_matches(&hands[player])).sum();
            check_size(hands, count, memory_limit)?;
            let mut offsets = vec![0];
            hands.iter().for_each(|hand| offsets.push(offsets[offsets.len() - 1] + hand.cards().len()));
            let mut graph = DiGraph::with_capacity(0, 0);
            held(hands).for_each(|held| _ = graph.add_node(held));
            for (player, hand) in hands.iter().enumerate() {
                indices[next(player)].for_each_match(hand, |from, to| {
                    let (from, to) = (offsets[player] + from, offsets[next(player)] + to);
                    graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
                });
            }
            Ok(UnoGraph::Directed(graph))
        }
    }
}

/// All cards with their places, hand by hand.
fn held(hands: &[Deck]) -> impl Iterator<Item = Held> {
    hands.iter().zip(1..).flat_map(|(hand, player)| {
        hand.cards().iter().zip(1..).map(move |(&card, position)| Held { player, position, card })
    })
}

fn check_size(hands: &[Deck], matches: u128, memory_limit: usize) -> Result<(), UnoError> {
    let cards: usize = hands.iter().map(|hand| hand.cards().len()).sum();
    let bytes = (cards * size_of::<Node<Held>>()) as u128 + matches * size_of::<Edge<()>>() as u128;
    let most = u128::from(u32::MAX);
    if bytes > memory_limit as u128 || matches >= most || cards as u128 >= most {
        return Err(UnoError::TooManyMatches { cards, matches, bytes, limit: memory_limit });
    }
    Ok(())
}

/// A hand by colours and by numbers.
struct Index<'a> {
    hand: &'a Deck,
    by_colour: HashMap<u32, Vec<usize>>,
    by_number: HashMap<u32, Vec<usize>>,
    copies: HashMap<Card, usize>,
}

impl<'a> Index<'a> {
    fn new(hand: &'a Deck) -> Self {
        let mut index = Index { hand, by_colour: HashMap::new(), by_number: HashMap::new(), copies: HashMap::new() };
        for (at, &card) in hand.cards().iter().enumerate() {
            index.by_colour.entry(card.colour).or_default().push(at);
            index.by_number.entry(card.number).or_default().push(at);
            *index.copies.entry(card).or_default() += 1;
        }
        index
    }

    /// How many pairs of a card of the other hand and a matching one of this there are.
    fn count_matches(&self, other: &Deck) -> u128 {
        let rows = |card: &Card| {
            let colour = self.by_colour.get(&card.colour).map_or(0, Vec::len);
            let number = self.by_number.get(&card.number).map_or(0, Vec::len);
            (colour + number - self.copies.get(card).copied().unwrap_or(0)) as u128
        };
        other.cards().iter().map(rows).sum()
    }

    /// All such pairs: those of one card of the other hand after those of the one before.
    fn for_each_match(&self, other: &Deck, mut each: impl FnMut(usize, usize)) {
        for (from, card) in other.cards().iter().enumerate() {
            for &to in self.by_colour.get(&card.colour).into_iter().flatten() {
                each(from, to);
            }
            for &to in self.by_number.get(&card.number).into_iter().flatten() {
                if self.hand.cards()[to].colour != card.colour {
                    each(from, to);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hands(hands: &[&[(u32, u32)]]) -> Vec<Deck> {
        let card = |&(number, colour): &(u32, u32)| Card { number, colour };
        hands.iter().map(|hand| Deck::new(hand.iter().map(card).collect())).collect()
    }

    /// Every pair of places, by the definition.
    fn arcs_by_definition(hands: &[Deck]) -> Vec<(Held, Held)> {
        let all: Vec<Held> = held(hands).collect();
        let next = |one: &Held, two: &Held| two.player - 1 == one.player % hands.len();
        let mut arcs = Vec::new();
        for one in &all {
            for two in &all {
                let same = (one.player, one.position) == (two.player, two.position);
                if !same && next(one, two) && one.card.matches(two.card) {
                    arcs.push((*one, *two));
                }
            }
        }
        sorted(arcs)
    }

    fn sorted(mut arcs: Vec<(Held, Held)>) -> Vec<(Held, Held)> {
        arcs.sort_unstable_by_key(|(one, two)| (one.player, one.position, two.player, two.position));
        arcs
    }

    fn arcs(graph: &UnoGraph) -> Vec<(Held, Held)> {
        let mut arcs = Vec::new();
        match graph {
            UnoGraph::Undirected(graph) => graph.edge_indices().for_each(|edge| {
                let (one, two) = graph.edge_endpoints(edge).unwrap();
                arcs.extend([(graph[one], graph[two]), (graph[two], graph[one])]);
            }),
            UnoGraph::Directed(graph) => graph.edge_indices().for_each(|edge| {
                let (one, two) = graph.edge_endpoints(edge).unwrap();
                arcs.push((graph[one], graph[two]));
            }),
        }
        sorted(arcs)
    }

    #[test]
    fn arcs_are_those_of_the_definition() {
        let cards: &[(u32, u32)] = &[(1, 1), (1, 1), (1, 2), (3, 2), (3, 1), (2, 2), (4, 4)];
        for hands in [
            hands(&[cards]),
            hands(&[cards, &[(1, 1), (1, 1), (3, 4), (2, 1)]]),
            hands(&[&[(1, 1), (2, 2)], cards, &[(1, 1), (3, 3)]]),
            hands(&[cards, &[(1, 2)], &[], &[(4, 1)]]),
        ] {
            let graph = uno_graph(&hands, 1 << 20).unwrap();
            assert_eq!(arcs(&graph), arcs_by_definition(&hands));
            assert_eq!(matches!(graph, UnoGraph::Directed(_)), hands.len() >= 3);
        }
    }

    #[test]
    fn a_graph_that_is_too_large_is_refused_before_it_is_made() {
        let many = vec![(1, 1); 100_000];
        for players in 1..=3 {
            let hands = hands(&vec![&many[..]; players]);
            assert!(uno_graph(&hands, 4 << 30).is_err());
        }
        assert!(matches!(uno_graph(&[], 1 << 20), Err(UnoError::NoPlayers)));
    }
}
