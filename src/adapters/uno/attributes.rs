//! Cards with d attributes: two match if they agree in at least one.
//!
//! With two attributes these are UNO cards. From three on the graph of matches is no line graph any more, so a longest sequence
//! is a longest path in the graph itself.
//!
//! Source: Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno, *UNO is hard, even
//! for a single player*, Theoretical Computer Science 521, 2014, §5 (D-dimensional UNO-1), DOI 10.1016/j.tcs.2013.11.023.

use hashbrown::HashMap;
use petgraph::graph::{Edge, Node, NodeIndex, UnGraph};

use super::game::{MatchGraph, UnoError};
use crate::io::{self, FileError, ReadOptions};

/// Cards that have equally many attributes each, in the order of their file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeDeck {
    attributes: usize,
    /// Card after card.
    values: Vec<u32>,
}

impl AttributeDeck {
    /// A deck of these cards.
    ///
    /// # Panics
    /// If a card has another number of attributes than the first, or none.
    pub fn new<const D: usize>(cards: &[[u32; D]]) -> Self {
        assert!(D > 0, "a card has an attribute");
        AttributeDeck { attributes: D, values: cards.concat() }
    }

    /// Reads a deck from the bytes of a file of this name: a card a line, its attributes in order, each a number from 0 to
    /// 2³² − 1 or a name, as in [deck files](io::DeckFile). Names of different attributes have nothing to do with each other.
    ///
    /// # Errors
    /// If a line has not as many attributes as the first, one is neither a number nor a name, or there is no card at all:
    /// with line, column, what was read and what was expected.
    ///
    /// # Example
    /// ```
    /// use longhaul::LongestPath;
    /// use longhaul::adapters::uno::AttributeDeck;
    ///
    /// let deck = AttributeDeck::parse("set.deck", b"1 red oval\n2 red wave\n2 blue wave\n3 green oval\n")?;
    /// let graph = deck.graph(1 << 20)?;
    /// assert_eq!(LongestPath::new(&graph).solve()?.length(), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, FileError> {
        let (attributes, values) = io::read_attributes(name, bytes)?;
        Ok(AttributeDeck { attributes, values })
    }

    /// The same within the limits of these options.
    ///
    /// # Errors
    /// As there, and if the options tell the reader to stop.
    pub fn parse_within(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Self, FileError> {
        let (attributes, values) = io::read_attributes_within(name, bytes, options)?;
        Ok(AttributeDeck { attributes, values })
    }

    /// How many attributes each card has.
    pub fn attributes(&self) -> usize {
        self.attributes
    }

    /// The cards in order, each as its attributes.
    pub fn cards(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.values.chunks_exact(self.attributes)
    }

    /// Whether the cards at these indices, from 0, agree in an attribute.
    ///
    /// # Panics
    /// If there is no such card.
    pub fn matches(&self, one: usize, two: usize) -> bool {
        self.first_agreement(one, two).is_some()
    }

    fn first_agreement(&self, one: usize, two: usize) -> Option<usize> {
        let card = |index: usize| &self.values[index * self.attributes..(index + 1) * self.attributes];
        card(one).iter().zip(card(two)).position(|(one, two)| one == two)
    }

    /// The graph of matches: a node for every card, which weighs its index (from 0), and an edge for every two that match.
    ///
    /// # Errors
    /// If it would take more than `memory_limit` bytes.
    ///
    /// # Complexity
    /// `O(d)` for every pair and every attribute in which it agrees, and for each card.
    pub fn graph(&self, memory_limit: usize) -> Result<MatchGraph, UnoError> {
        let cards = self.cards().len();
        let mut groups: HashMap<(usize, u32), Vec<usize>> = HashMap::new();
        for (index, card) in self.cards().enumerate() {
            for (attribute, &value) in card.iter().enumerate() {
                groups.entry((attribute, value)).or_default().push(index);
            }
        }
        let mut groups: Vec<((usize, u32), Vec<usize>)> = groups.into_iter().collect();
        groups.sort_unstable_by_key(|(key, _)| *key);

        // A pair counts in the first attribute in which it agrees. No fewer pairs match than one attribute alone makes.
        let pairs = |group: &[usize]| group.len() as u128 * (group.len() as u128 - 1) / 2;
        let of_attribute = |attribute: usize| -> u128 {
            let groups = groups.iter().filter(|((own, _), _)| *own == attribute);
            groups.map(|(_, group)| pairs(group)).sum()
        };
        let at_least = (0..self.attributes).map(of_attribute).max().unwrap_or(0);
        let too_many = |matches: u128| {
            let bytes = (cards * size_of::<Node<usize>>()) as u128 + matches * size_of::<Edge<()>>() as u128;
            let too_many = bytes > memory_limit as u128 || matches >= u128::from(u32::MAX);
            too_many.then_some(UnoError::TooManyMatches { cards, matches, bytes, limit: memory_limit })
        };
        if let Some(error) = too_many(at_least) {
            return Err(error);
        }
        let mut graph = UnGraph::with_capacity(cards, 0);
        (0..cards).for_each(|index| _ = graph.add_node(index));
        for ((attribute, _), group) in &groups {
            for (later, &two) in group.iter().enumerate() {
                for &one in &group[..later] {
                    if self.first_agreement(one, two) == Some(*attribute) {
                        graph.add_edge(NodeIndex::new(one), NodeIndex::new(two), ());
                    }
                }
                if let Some(error) = too_many(graph.edge_count() as u128) {
                    return Err(error);
                }
            }
        }
        Ok(graph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LongestPath;
    use crate::adapters::uno::{Card, Deck, longest_sequence};
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::Rng;

    #[test]
    fn edges_are_matches() {
        let mut random = Pcg64Mcg::new(3);
        for _ in 0..100 {
            let cards: Vec<[u32; 4]> = (0..20).map(|_| [(); 4].map(|()| (random.next_u64() % 6) as u32)).collect();
            let deck = AttributeDeck::new(&cards);
            let graph = deck.graph(1 << 20).unwrap();
            let mut edges = 0;
            for one in 0..20 {
                for two in 0..one {
                    let agree = (0..4).any(|attribute| cards[one][attribute] == cards[two][attribute]);
                    assert_eq!(deck.matches(one, two), agree);
                    assert_eq!(graph.find_edge(NodeIndex::new(one), NodeIndex::new(two)).is_some(), agree);
                    edges += usize::from(agree);
                }
            }
            assert_eq!(graph.edge_count(), edges);
        }
    }

    #[test]
    fn two_attributes_are_uno() {
        let mut random = Pcg64Mcg::new(4);
        for _ in 0..100 {
            let cards: Vec<[u32; 2]> = (0..10).map(|_| [(); 2].map(|()| (random.next_u64() % 7) as u32)).collect();
            let uno = cards.iter().map(|&[number, colour]| Card { number, colour }).collect();
            let graph = AttributeDeck::new(&cards).graph(1 << 20).unwrap();
            let longest = LongestPath::new(&graph).solve().unwrap();
            assert_eq!(longest.length(), Some(longest_sequence(&Deck::new(uno), None).unwrap().len() as i64 - 1));
        }
    }

    #[test]
    fn files_and_limits() {
        let deck = AttributeDeck::parse("a.deck", b"1 red 3 # one\n\n1 RED four\n").unwrap();
        assert_eq!((deck.attributes(), deck.cards().len(), deck.matches(0, 1)), (3, 2, true));
        for (text, place) in [("", (1, 1)), ("1 2 3\n1 2\n", (2, 4)), ("1 2\n1 2 3\n", (2, 5)), ("1 x 3\n", (1, 3))] {
            assert_eq!(AttributeDeck::parse("a.deck", text.as_bytes()).unwrap_err().position(), Some(place), "{text}");
        }
        let many = AttributeDeck::new(&vec![[1, 2, 3]; 100_000]);
        assert!(matches!(many.graph(1 << 30), Err(UnoError::TooManyMatches { .. })));
    }
}
