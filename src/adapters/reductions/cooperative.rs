//! Theorem 1 and Corollary 2: Hamiltonian path → cooperative UNO for two players; where they fail, and what holds instead.
//!
//! **Theorem 1.** Player 1 holds a card `(i, i)` for each node, player 2 a card `(i, j)` for each edge, so that cards match
//! where node and edge meet. The graph is connected and no tree, so that player 2 has at least as many cards.
//!
//! - Under *strict alternation* it holds. Player 1 plays all its cards, with a card of player 2 between any two of them: an
//!   edge that joins the two nodes. That is a Hamiltonian path, and each such path is a play; player 2, with at least as many
//!   cards, does not finish before.
//! - Under *forced skips* it fails: where player 1 has no match, player 2 plays on from edge to edge. On the nodes 1–6
//!   with the edges 12 13 14 15 16 23 24 there is no Hamiltonian path, yet 55|15|11|14|44|24|22|23|33|13|skip|16|66 wins.
//!   On up to five nodes the answers agree, but from four nodes on there are winning plays that tell no path.
//!
//! **Corollary 2** wants hands of equal size, from a Hamiltonian path with a given start `v`. With `d` more edges than nodes
//! player 1 gets `d` cards `(n + 2, n + 2)` and one `(n + 2, n + 1)`, and player 2 one `(v, n + 1)`: player 1 first plays all
//! of the former while player 2 has to skip. As printed it fails under either rule:
//!
//! - under strict alternation nobody may skip, and no play wins once `d ≥ 1`;
//! - under forced skips it has the fault of Theorem 1: nodes 1–5, edges 12 13 14 15 23 24, start 1;
//! - with `d = 0` the source says "we are done" and forgets the start: nodes 1–4, edges 12 13 14 23, start 1.
//!
//! **What holds under forced skips:** UNO for one player is NP-complete (Theorem 4), and it is cooperative UNO-2 with a player 2
//! whose cards match none of player 1's ([`SolitaireToEqualHands`]). Player 2 never opens and never has a match, so it skips each
//! turn and keeps its cards; player 1, who alone plays, wins just if all its cards can be played in a row. Where it has no match
//! itself both skip, which is deadlock. Player 2 may hold any number of cards: as many as player 1, for Corollary 2. So UNO-2 is
//! NP-complete under forced skips also for equal hands, by Hamiltonian paths of cubic graphs: [`Then`](super::Then) after
//! [`CubicToSolitaire`](super::CubicToSolitaire).
//!
//! **What is open here:** equal hands under strict alternation. Then player 1 plays all its cards and player 2 all but one: the
//! play is nearly a Hamiltonian path of the UNO-2 graph, so no cards can be left over, as the edges off the path are in Theorem
//! 1. We know neither a reduction nor a polynomial algorithm.
//!
//! Source: Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno, *UNO is hard, even
//! for a single player*, Theoretical Computer Science 521, 2014, §3.1, DOI 10.1016/j.tcs.2013.11.023.

use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;

use super::paths::refuse_ends;
use super::{Cooperative, Fault, HamiltonianPath, Reduction, Refused, Solitaire};
use crate::adapters::uno::cooperative::{PlayRule, Turn};
use crate::adapters::uno::{Card, Deck};

/// Theorem 1: Hamiltonian path → cooperative UNO-2. Holds under strict alternation and fails under forced skips.
///
/// Node `x`, counted from 0, becomes the card `x + 1`, `x + 1` of player 1; an edge becomes the card of its two nodes, the
/// smaller as number, of player 2. Trees, disconnected graphs and multigraphs are refused, as the source assumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathToCooperative {
    /// What happens to a player who cannot play.
    pub rule: PlayRule,
}

/// Corollary 2 as printed: Hamiltonian path from a given node → cooperative UNO-2 with hands of one size. Fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathToEqualHands {
    /// What happens to a player who cannot play.
    pub rule: PlayRule,
}

/// UNO for one player, all cards → cooperative UNO-2 with hands of one size, under forced skips: player 2 holds as many copies
/// of a card that matches none of player 1's. Holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolitaireToEqualHands;

impl Reduction for PathToCooperative {
    type Source = HamiltonianPath;
    type Target = Cooperative;

    fn name(&self) -> &'static str {
        "hamiltonian-path-to-uno2"
    }

    fn reduce(&self, source: &HamiltonianPath) -> Result<Cooperative, Refused> {
        refuse_ends(self.name(), [source.from, source.to])?;
        refuse_trees(self.name(), &source.graph)?;
        let [nodes, edges] = node_and_edge_cards(&source.graph);
        Ok(Cooperative { hands: [Deck::new(nodes), Deck::new(edges)], rule: self.rule })
    }

    fn forward(&self, source: &HamiltonianPath, path: &Vec<NodeIndex>) -> Result<Vec<Turn>, Fault> {
        alternate(&source.graph, path)
    }

    fn back(&self, source: &HamiltonianPath, play: &Vec<Turn>) -> Result<Vec<NodeIndex>, Fault> {
        Ok(nodes_played(source.graph.node_count(), play))
    }
}

impl PathToEqualHands {
    /// The start, and how many more edges than nodes there are.
    fn parameters(&self, source: &HamiltonianPath) -> Result<(NodeIndex, usize), Refused> {
        refuse_trees(self.name(), &source.graph)?;
        match (source.from, source.to) {
            (Some(from), None) => Ok((from, source.graph.edge_count() - source.graph.node_count())),
            _ => Err(Refused::new(self.name(), "it must ask for the beginning of the path and leave the end free")),
        }
    }
}

impl Reduction for PathToEqualHands {
    type Source = HamiltonianPath;
    type Target = Cooperative;

    fn name(&self) -> &'static str {
        "hamiltonian-path-to-uno2-equal-hands"
    }

    fn reduce(&self, source: &HamiltonianPath) -> Result<Cooperative, Refused> {
        let (start, surplus) = self.parameters(source)?;
        let [mut nodes, mut edges] = node_and_edge_cards(&source.graph);
        if surplus > 0 {
            let n = source.graph.node_count() as u32;
            nodes.extend(std::iter::repeat_n(Card { number: n + 2, colour: n + 2 }, surplus));
            nodes.push(Card { number: n + 2, colour: n + 1 });
            edges.push(Card { number: start.index() as u32 + 1, colour: n + 1 });
        }
        Ok(Cooperative { hands: [Deck::new(nodes), Deck::new(edges)], rule: self.rule })
    }

    fn forward(&self, source: &HamiltonianPath, path: &Vec<NodeIndex>) -> Result<Vec<Turn>, Fault> {
        let (_, surplus) = self.parameters(source).map_err(|refused| Fault::new(refused.to_string()))?;
        let (n, m) = (source.graph.node_count(), source.graph.edge_count());
        let mut play = Vec::new();
        if surplus > 0 {
            for position in n + 1..=n + surplus {
                play.push(Turn::Play { player: 1, position });
                play.push(Turn::Skip { player: 2 });
            }
            play.push(Turn::Play { player: 1, position: n + surplus + 1 });
            play.push(Turn::Play { player: 2, position: m + 1 });
        }
        play.extend(alternate(&source.graph, path)?);
        Ok(play)
    }

    fn back(&self, source: &HamiltonianPath, play: &Vec<Turn>) -> Result<Vec<NodeIndex>, Fault> {
        let mut path = nodes_played(source.graph.node_count(), play);
        // "Starting (or ending) at v".
        if path.first() != source.from.as_ref() {
            path.reverse();
        }
        Ok(path)
    }
}

impl Reduction for SolitaireToEqualHands {
    type Source = Solitaire;
    type Target = Cooperative;

    fn name(&self) -> &'static str {
        "uno1-to-uno2-equal-hands"
    }

    fn reduce(&self, source: &Solitaire) -> Result<Cooperative, Refused> {
        let cards = source.deck.cards();
        if source.at_least != cards.len() {
            return Err(Refused::new(self.name(), "it does not ask for all cards"));
        }
        let stranger = Card {
            number: unused(cards.iter().map(|card| card.number)),
            colour: unused(cards.iter().map(|card| card.colour)),
        };
        let other = Deck::new(vec![stranger; cards.len()]);
        Ok(Cooperative { hands: [source.deck.clone(), other], rule: PlayRule::ForcedSkip })
    }

    fn forward(&self, _: &Solitaire, positions: &Vec<usize>) -> Result<Vec<Turn>, Fault> {
        let turns =
            positions.iter().flat_map(|&position| [Turn::Play { player: 1, position }, Turn::Skip { player: 2 }]);
        let mut play: Vec<Turn> = turns.collect();
        // The game is over with the last card.
        play.pop();
        Ok(play)
    }

    fn back(&self, _: &Solitaire, play: &Vec<Turn>) -> Result<Vec<usize>, Fault> {
        let played = |turn: &Turn| match turn {
            Turn::Play { player: 1, position } => Some(*position),
            _ => None,
        };
        Ok(play.iter().filter_map(played).collect())
    }
}

/// The assumptions of the source: connected and no tree, so at least as many edges as nodes; and simple.
fn refuse_trees(name: &'static str, graph: &UnGraph<(), ()>) -> Result<(), Refused> {
    let loops = graph.edge_references().any(|edge| edge.source() == edge.target());
    let mut pairs: Vec<_> = graph.edge_references().map(|edge| ordered(edge.source(), edge.target())).collect();
    pairs.sort_unstable();
    if loops || pairs.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Refused::new(name, "the graph has self-loops or parallel edges"));
    }
    if petgraph::algo::connected_components(graph) != 1 {
        return Err(Refused::new(name, "the graph is not connected"));
    }
    if graph.edge_count() < graph.node_count() {
        return Err(Refused::new(name, "the graph is a tree"));
    }
    Ok(())
}

fn ordered(one: NodeIndex, two: NodeIndex) -> (NodeIndex, NodeIndex) {
    (one.min(two), one.max(two))
}

fn node_and_edge_cards(graph: &UnGraph<(), ()>) -> [Vec<Card>; 2] {
    let name = |node: NodeIndex| node.index() as u32 + 1;
    let nodes = graph.node_indices().map(|node| Card { number: name(node), colour: name(node) });
    let edges = graph.edge_references().map(|edge| {
        let (smaller, greater) = ordered(edge.source(), edge.target());
        Card { number: name(smaller), colour: name(greater) }
    });
    [nodes.collect(), edges.collect()]
}

/// Nodes and the edges between them, in turn.
fn alternate(graph: &UnGraph<(), ()>, path: &[NodeIndex]) -> Result<Vec<Turn>, Fault> {
    let mut play = Vec::with_capacity(2 * path.len());
    for (at, &node) in path.iter().enumerate() {
        if at > 0 {
            let edge = graph.find_edge(path[at - 1], node).ok_or_else(|| Fault::new("two nodes are not joined"))?;
            play.push(Turn::Play { player: 2, position: edge.index() + 1 });
        }
        play.push(Turn::Play { player: 1, position: node.index() + 1 });
    }
    Ok(play)
}

/// The nodes whose cards player 1 plays, in order.
fn nodes_played(n: usize, play: &[Turn]) -> Vec<NodeIndex> {
    let node = |turn: &Turn| match *turn {
        Turn::Play { player: 1, position } if (1..=n).contains(&position) => Some(NodeIndex::new(position - 1)),
        _ => None,
    };
    play.iter().filter_map(node).collect()
}

/// The smallest number that does not come up. A deck has fewer cards than there are numbers.
fn unused(numbers: impl Iterator<Item = u32>) -> u32 {
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    (0..).zip(&numbers).find(|(free, number)| free != *number).map_or(numbers.len() as u32, |(free, _)| free)
}
