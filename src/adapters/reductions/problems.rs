//! The problems that reductions lead from and to.

use std::fmt;

use fixedbitset::FixedBitSet;
use petgraph::graph::{EdgeIndex, NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use petgraph::{EdgeType, Graph, Undirected};

use super::{Fault, Problem};
use crate::adapters::uno::Deck;
use crate::adapters::uno::cooperative::{self, PlayRule, Turn};
use crate::certificate::{self, Claim};

/// Is there a path that visits every node, between these ends if they are given? A solution is its nodes in order.
#[derive(Clone, Debug)]
pub struct HamiltonianPath {
    /// The graph.
    pub graph: UnGraph<(), ()>,
    /// Where the path begins; `None` is anywhere.
    pub from: Option<NodeIndex>,
    /// Where the path ends; `None` is anywhere.
    pub to: Option<NodeIndex>,
}

/// Is there a cycle that visits every node? A solution is its nodes in order, each once.
#[derive(Clone, Debug)]
pub struct HamiltonianCycle {
    /// The graph.
    pub graph: UnGraph<(), ()>,
}

/// Is there a path at least so long, between these ends if they are given? A solution is its nodes in order.
#[derive(Clone, Debug)]
pub struct LongPath<Ty: EdgeType = Undirected> {
    /// The graph, with the weights of its edges.
    pub graph: Graph<(), i64, Ty>,
    /// Where the path begins; `None` is anywhere.
    pub from: Option<NodeIndex>,
    /// Where the path ends; `None` is anywhere.
    pub to: Option<NodeIndex>,
    /// The least length.
    pub at_least: i64,
}

/// Can so many cards of a deck be played one after another, each matching the one before? A solution is their positions,
/// from 1.
#[derive(Clone, Debug)]
pub struct Solitaire {
    /// The deck.
    pub deck: Deck,
    /// The least number of cards.
    pub at_least: usize,
}

/// Can two players together make player 1 the first to have no cards? A solution is a play that does.
#[derive(Clone, Debug)]
pub struct Cooperative {
    /// The hands of player 1 and of player 2.
    pub hands: [Deck; 2],
    /// What happens to a player who cannot play.
    pub rule: PlayRule,
}

/// Can player 1 win against player 2? Player 1 opens with any card, then they play in turn, each card matching the one before,
/// and who cannot play loses. A solution is a winning [`Pairing`] of positions in the hands, from 1.
///
/// This is the game as Theorem 7 reads it; a hand that is played out loses as well, if it is its player's turn.
#[derive(Clone, Debug)]
pub struct Uncooperative {
    /// The hands of player 1 and of player 2.
    pub hands: [Deck; 2],
}

/// Can the player who puts a token on one of the openings win? Then the players in turn, the other one first, move it to a
/// neighbour that it has not been to, and who cannot loses. The graph must be bipartite, and the openings on one side. A
/// solution is a winning [`Pairing`] of nodes.
#[derive(Clone, Debug)]
pub struct Geography {
    /// The graph.
    pub graph: UnGraph<(), ()>,
    /// Where the token may be put.
    pub openings: Vec<NodeIndex>,
}

/// Does some maximum matching of a bipartite graph miss one of these nodes, all of one side?
#[derive(Clone, Debug)]
pub struct MissedNode {
    /// The graph.
    pub graph: UnGraph<(), ()>,
    /// The nodes.
    pub side: Vec<NodeIndex>,
}

/// A way to win a game of two players in turn: open with this, and answer as the pairs say.
///
/// It wins if, from the opening on, whatever the opponent may do is the first of a pair, whatever was done before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing<T> {
    /// The first move.
    pub opening: T,
    /// Moves of the opponent with the answers to them.
    pub answers: Vec<(T, T)>,
}

/// A maximum matching and a node that it misses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The node.
    pub node: NodeIndex,
    /// The matching, by pairs of neighbours.
    pub matching: Vec<(NodeIndex, NodeIndex)>,
}

impl HamiltonianPath {
    /// With free ends.
    pub fn free(graph: UnGraph<(), ()>) -> Self {
        HamiltonianPath { graph, from: None, to: None }
    }
}

impl Problem for HamiltonianPath {
    type Solution = Vec<NodeIndex>;

    fn check(&self, path: &Self::Solution) -> Result<(), Fault> {
        let claim = Claim { from: self.from, to: self.to, closed: false };
        check_walk(&self.graph, |_| 1, &claim, path)?;
        check_count(path.len(), self.graph.node_count())
    }

    fn smaller(&self) -> Vec<Self> {
        let smaller = smaller_graphs(&self.graph, [self.from, self.to]);
        smaller.into_iter().map(|(graph, [from, to])| HamiltonianPath { graph, from, to }).collect()
    }
}

impl fmt::Display for HamiltonianPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Hamiltonian path{} of {}", EndsText([self.from, self.to]), GraphText(&self.graph))
    }
}

impl Problem for HamiltonianCycle {
    type Solution = Vec<NodeIndex>;

    fn check(&self, cycle: &Self::Solution) -> Result<(), Fault> {
        check_walk(&self.graph, |_| 1, &Claim { from: None, to: None, closed: true }, cycle)?;
        check_count(cycle.len(), self.graph.node_count())
    }

    fn smaller(&self) -> Vec<Self> {
        smaller_graphs(&self.graph, []).into_iter().map(|(graph, [])| HamiltonianCycle { graph }).collect()
    }
}

impl fmt::Display for HamiltonianCycle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Hamiltonian cycle of {}", GraphText(&self.graph))
    }
}

impl<Ty: EdgeType + Clone> Problem for LongPath<Ty> {
    type Solution = Vec<NodeIndex>;

    fn check(&self, path: &Self::Solution) -> Result<(), Fault> {
        let claim = Claim { from: self.from, to: self.to, closed: false };
        let length = check_walk(&self.graph, |weight| *weight, &claim, path)?;
        if length < self.at_least {
            return Err(Fault::new(format!("its length is {length}, and at least {} is asked for", self.at_least)));
        }
        Ok(())
    }

    fn smaller(&self) -> Vec<Self> {
        let smaller = smaller_graphs(&self.graph, [self.from, self.to]);
        let at_least = self.at_least;
        smaller.into_iter().map(|(graph, [from, to])| LongPath { graph, from, to, at_least }).collect()
    }
}

impl<Ty: EdgeType> fmt::Display for LongPath<Ty> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = EndsText([self.from, self.to]);
        write!(formatter, "path of length {} or more{ends} of {}", self.at_least, GraphText(&self.graph))
    }
}

impl Solitaire {
    /// Can all cards be played?
    pub fn all(deck: Deck) -> Self {
        Solitaire { at_least: deck.cards().len(), deck }
    }
}

impl Problem for Solitaire {
    type Solution = Vec<usize>;

    fn check(&self, positions: &Self::Solution) -> Result<(), Fault> {
        let cards = self.deck.cards();
        let mut played = FixedBitSet::with_capacity(cards.len());
        for &position in positions {
            let here = position.checked_sub(1).filter(|&index| index < cards.len());
            if played.put(here.ok_or_else(|| no_card(position, cards.len()))?) {
                return Err(Fault::new(format!("the card at position {position} is played twice")));
            }
        }
        for pair in positions.windows(2) {
            let [one, two] = [cards[pair[0] - 1], cards[pair[1] - 1]];
            if !one.matches(two) {
                return Err(Fault::new(format!("the card '{two}' is played on '{one}', which it does not match")));
            }
        }
        if positions.len() < self.at_least {
            let (played, least) = (positions.len(), self.at_least);
            return Err(Fault::new(format!("{played} cards are played, and at least {least} are asked for")));
        }
        Ok(())
    }

    fn smaller(&self) -> Vec<Self> {
        let without = |(deck, at_least)| Solitaire { deck, at_least };
        let less = self.at_least.saturating_sub(1);
        let decks = smaller_decks(&self.deck);
        decks.into_iter().map(|deck| (deck, less)).map(without).collect()
    }
}

impl fmt::Display for Solitaire {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} cards or more of {}", self.at_least, DeckText(&self.deck))
    }
}

impl Problem for Cooperative {
    type Solution = Vec<Turn>;

    fn check(&self, play: &Self::Solution) -> Result<(), Fault> {
        cooperative::check(&self.hands, self.rule, play).map_err(|flaw| Fault::new(flaw.to_string()))
    }

    fn smaller(&self) -> Vec<Self> {
        smaller_hands(&self.hands).into_iter().map(|hands| Cooperative { hands, rule: self.rule }).collect()
    }
}

impl fmt::Display for Cooperative {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, two] = &self.hands;
        write!(formatter, "cooperative UNO ({}), hands {} | {}", self.rule, DeckText(one), DeckText(two))
    }
}

impl Problem for Uncooperative {
    type Solution = Pairing<usize>;

    fn check(&self, pairing: &Self::Solution) -> Result<(), Fault> {
        let [one, two] = self.hands.each_ref().map(Deck::cards);
        let known = |position: usize, count: usize| match position {
            1.. if position <= count => Ok(position - 1),
            _ => Err(no_card(position, count)),
        };
        let mut answers = vec![None; two.len()];
        for &(theirs, ours) in &pairing.answers {
            answers[known(theirs, two.len())?] = Some(known(ours, one.len())?);
        }
        let opening = known(pairing.opening, one.len())?;
        let moves = |ours: usize| (0..two.len()).filter(move |&theirs| one[ours].matches(two[theirs]));
        check_pairing(opening, one.len(), &answers, moves, |theirs, ours| two[theirs].matches(one[ours]))
    }

    fn smaller(&self) -> Vec<Self> {
        smaller_hands(&self.hands).into_iter().map(|hands| Uncooperative { hands }).collect()
    }
}

impl fmt::Display for Uncooperative {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, two] = &self.hands;
        write!(formatter, "uncooperative UNO, hands {} | {}", DeckText(one), DeckText(two))
    }
}

impl Problem for Geography {
    type Solution = Pairing<NodeIndex>;

    fn check(&self, pairing: &Self::Solution) -> Result<(), Fault> {
        let n = self.graph.node_count();
        let known = |node: NodeIndex| match node.index() {
            index if index < n => Ok(index),
            index => Err(Fault::new(format!("there is no node {index}"))),
        };
        if !self.openings.contains(&pairing.opening) {
            return Err(Fault::new(format!("the token may not be put on node {}", pairing.opening.index())));
        }
        let mut answers = vec![None; n];
        for &(theirs, ours) in &pairing.answers {
            answers[known(theirs)?] = Some(known(ours)?);
        }
        let moves = |ours: usize| self.graph.neighbors(NodeIndex::new(ours)).map(NodeIndex::index);
        let joined = |theirs, ours| self.graph.contains_edge(NodeIndex::new(theirs), NodeIndex::new(ours));
        check_pairing(known(pairing.opening)?, n, &answers, moves, joined)
    }

    fn smaller(&self) -> Vec<Self> {
        let smaller = graphs_without(&self.graph);
        smaller
            .into_iter()
            .map(|(graph, old)| Geography { openings: renumbered(&self.openings, &old), graph })
            .collect()
    }
}

impl fmt::Display for Geography {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "geography opened at {} of {}", NodesText(&self.openings), GraphText(&self.graph))
    }
}

impl Problem for MissedNode {
    type Solution = Missing;

    fn check(&self, missing: &Self::Solution) -> Result<(), Fault> {
        let n = self.graph.node_count();
        let mut mate: Vec<Option<NodeIndex>> = vec![None; n];
        for &(one, two) in &missing.matching {
            if one.index() >= n || two.index() >= n || !self.graph.contains_edge(one, two) {
                return Err(Fault::new(format!("no edge joins {} and {}", one.index(), two.index())));
            }
            for (node, other) in [(one, two), (two, one)] {
                if mate[node.index()].replace(other).is_some() {
                    return Err(Fault::new(format!("node {} is matched twice", node.index())));
                }
            }
        }
        if !self.side.contains(&missing.node) {
            return Err(Fault::new(format!("node {} is not one of those asked for", missing.node.index())));
        }
        if mate[missing.node.index()].is_some() {
            return Err(Fault::new(format!("node {} is matched", missing.node.index())));
        }
        let single_vertex = self.graph.node_indices().filter(|node| mate[node.index()].is_none());
        match single_vertex.into_iter().find_map(|node| augmenting_path(&self.graph, &mate, node)) {
            Some(path) => Err(Fault::new(format!("the matching is not maximum: along {} it grows", NodesText(&path)))),
            None => Ok(()),
        }
    }

    fn smaller(&self) -> Vec<Self> {
        let smaller = graphs_without(&self.graph);
        smaller.into_iter().map(|(graph, old)| MissedNode { side: renumbered(&self.side, &old), graph }).collect()
    }
}

impl fmt::Display for MissedNode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "maximum matching that misses one of {} of {}", NodesText(&self.side), GraphText(&self.graph))
    }
}

/// A path along which a matching of a bipartite graph grows, from this unmatched node (Claude Berge, *Two theorems in graph
/// theory*, Proceedings of the National Academy of Sciences 43, 1957, DOI 10.1073/pnas.43.9.842).
pub(super) fn augmenting_path(
    graph: &UnGraph<(), ()>,
    mate: &[Option<NodeIndex>],
    from: NodeIndex,
) -> Option<Vec<NodeIndex>> {
    let mut reached_from: Vec<Option<NodeIndex>> = vec![None; graph.node_count()];
    let mut outer = vec![from];
    while let Some(node) = outer.pop() {
        for next in graph.neighbors(node) {
            if next == from || reached_from[next.index()].is_some() {
                continue;
            }
            reached_from[next.index()] = Some(node);
            let Some(beyond) = mate[next.index()] else {
                let mut path = vec![next];
                let mut at = next;
                while let Some(before) = reached_from[at.index()] {
                    path.push(before);
                    match mate[before.index()] {
                        Some(earlier) => {
                            path.push(earlier);
                            at = earlier;
                        }
                        None => break,
                    }
                }
                path.reverse();
                return Some(path);
            };
            outer.push(beyond);
        }
    }
    None
}

/// Follows a pairing from its opening: whatever the opponent can do must have an answer that joins on and that is given to
/// no other move, and is not the opening.
fn check_pairing<I: Iterator<Item = usize>>(
    opening: usize,
    count: usize,
    answers: &[Option<usize>],
    moves: impl Fn(usize) -> I,
    joined: impl Fn(usize, usize) -> bool,
) -> Result<(), Fault> {
    let mut ours = vec![opening];
    let mut used = FixedBitSet::with_capacity(count);
    let mut met = FixedBitSet::with_capacity(answers.len());
    used.insert(opening);
    while let Some(at) = ours.pop() {
        for theirs in moves(at) {
            if met.put(theirs) {
                continue;
            }
            let answer = answers[theirs].ok_or_else(|| Fault::new("there is no answer to a move of the opponent"))?;
            if !joined(theirs, answer) {
                return Err(Fault::new("an answer is no possible move"));
            }
            if used.put(answer) {
                return Err(Fault::new("an answer is given twice"));
            }
            ours.push(answer);
        }
    }
    Ok(())
}

fn check_walk<N, W, Ty: EdgeType>(
    graph: &Graph<N, W, Ty>,
    weight: impl Fn(&W) -> i64,
    claim: &Claim<NodeIndex>,
    nodes: &[NodeIndex],
) -> Result<i64, Fault> {
    certificate::check_nodes(graph, |edge| weight(edge.weight()), claim, nodes)
        .map_err(|flaw| Fault::new(flaw.to_string()))
}

fn check_count(visited: usize, nodes: usize) -> Result<(), Fault> {
    if visited == nodes { Ok(()) } else { Err(Fault::new(format!("it visits {visited} of {nodes} nodes"))) }
}

fn no_card(position: usize, cards: usize) -> Fault {
    Fault::new(format!("there is no card at position {position}: there are {cards}"))
}

/// A graph and some nodes of it.
type Marked<W, Ty, const N: usize> = (Graph<(), W, Ty>, [Option<NodeIndex>; N]);

/// Without one of the nodes that are not marked, or without one edge.
fn smaller_graphs<W: Clone, Ty: EdgeType, const N: usize>(
    graph: &Graph<(), W, Ty>,
    marked: [Option<NodeIndex>; N],
) -> Vec<Marked<W, Ty, N>> {
    let place = |old: &[NodeIndex], mark: NodeIndex| old.iter().position(|&node| node == mark).map(NodeIndex::new);
    let keeps = |old: &[NodeIndex]| marked.iter().flatten().all(|&mark| place(old, mark).is_some());
    graphs_without(graph)
        .into_iter()
        .filter(|(_, old)| keeps(old))
        .map(|(smaller, old)| (smaller, marked.map(|mark| mark.and_then(|mark| place(&old, mark)))))
        .collect()
}

/// Without one node, or without one edge; with the old nodes by the new ones.
fn graphs_without<W: Clone, Ty: EdgeType>(graph: &Graph<(), W, Ty>) -> Vec<(Graph<(), W, Ty>, Vec<NodeIndex>)> {
    let kept = |skipped: Option<NodeIndex>| graph.node_indices().filter(|&node| Some(node) != skipped).collect();
    let part = |old: Vec<NodeIndex>, dropped: Option<EdgeIndex>| {
        let mut part = Graph::with_capacity(old.len(), graph.edge_count());
        let mut new = vec![None; graph.node_count()];
        for &node in &old {
            new[node.index()] = Some(part.add_node(()));
        }
        for edge in graph.edge_references().filter(|edge| Some(edge.id()) != dropped) {
            if let (Some(from), Some(to)) = (new[edge.source().index()], new[edge.target().index()]) {
                part.add_edge(from, to, edge.weight().clone());
            }
        }
        (part, old)
    };
    let without_node = graph.node_indices().map(|node| part(kept(Some(node)), None));
    let without_edge = graph.edge_indices().map(|edge| part(kept(None), Some(edge)));
    without_node.chain(without_edge).collect()
}

/// These nodes by their new numbers; some may be gone.
fn renumbered(nodes: &[NodeIndex], old: &[NodeIndex]) -> Vec<NodeIndex> {
    let new = (0..old.len()).map(NodeIndex::new);
    new.zip(old).filter(|(_, node)| nodes.contains(node)).map(|(new, _)| new).collect()
}

fn smaller_decks(deck: &Deck) -> Vec<Deck> {
    let without = |left_out: usize| {
        let kept = deck.cards().iter().enumerate().filter(|(index, _)| *index != left_out);
        Deck::new(kept.map(|(_, &card)| card).collect())
    };
    (0..deck.cards().len()).map(without).collect()
}

fn smaller_hands([one, two]: &[Deck; 2]) -> Vec<[Deck; 2]> {
    let first = smaller_decks(one).into_iter().map(|one| [one, two.clone()]);
    let second = smaller_decks(two).into_iter().map(|two| [one.clone(), two]);
    first.chain(second).collect()
}

/// `4 nodes, edges 0-1 1-2`, arcs `0>1`.
struct GraphText<'a, W, Ty: EdgeType>(&'a Graph<(), W, Ty>);

impl<W, Ty: EdgeType> fmt::Display for GraphText<'_, W, Ty> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joint = if self.0.is_directed() { '>' } else { '-' };
        write!(formatter, "{} nodes, edges", self.0.node_count())?;
        self.0
            .edge_references()
            .try_for_each(|edge| write!(formatter, " {}{joint}{}", edge.source().index(), edge.target().index()))
    }
}

/// ` from 0 to 3`, as far as they are given.
struct EndsText([Option<NodeIndex>; 2]);

impl fmt::Display for EndsText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [" from ", " to "].into_iter().zip(self.0).filter_map(|(word, end)| Some((word, end?)));
        named.into_iter().try_for_each(|(word, end)| write!(formatter, "{word}{}", end.index()))
    }
}

/// `0 1 4`.
struct NodesText<'a>(&'a [NodeIndex]);

impl fmt::Display for NodesText<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(|node| node.index().to_string()).collect();
        formatter.write_str(&words.join(" "))
    }
}

/// `5 1, 5 2`.
struct DeckText<'a>(&'a Deck);

impl fmt::Display for DeckText<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.cards().iter().map(ToString::to_string).collect();
        formatter.write_str(&words.join(", "))
    }
}
