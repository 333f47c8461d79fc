//! Theorem 7 and Theorem 6: uncooperative UNO for two players → undirected vertex geography → maximum matching.
//!
//! In uncooperative UNO-2, as Theorem 7 reads it, the players move a token through the UNO-2 graph, a node no more than once,
//! and who cannot loses: geography, which player 1 opens at any own card. Player 1 wins just if some maximum matching
//! misses the opening, by Berge's lemma: then every move of the other player leads to a matched node (else the matching
//! would grow), and player 1 answers with its mate, which is free still. And if every maximum matching covers all openings,
//! the other player answers like that. So player 1 wins just if the maximum matching is smaller than its hand, and the winning
//! openings are those that some maximum matching misses.
//!
//! Back from a pairing that wins to a maximum matching: from the opening no path augments the pairs, and while others
//! augment them that stays so, and the opening is never covered (H. W. Kuhn, *The Hungarian method for the assignment
//! problem*, Naval Research Logistics Quarterly 2, 1955, DOI 10.1002/nav.3800020109).
//!
//! The printed text of the source ("the player that cannot play although the hand is not empty loses") asks another question:
//! emptying one's hand would win. With (4, 2) against (1, 2) player 1 plays its only card, player 2 follows with its own, and
//! player 1 can't go on: it loses here, and has won there.
//!
//! Sources: Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno, *UNO is hard, even
//! for a single player*, Theoretical Computer Science 521, 2014, §4, DOI 10.1016/j.tcs.2013.11.023; A. S. Fraenkel,
//! E. R. Scheinerman, D. Ullman, *Undirected edge geography*, Theoretical Computer Science 112, 1993,
//! DOI 10.1016/0304-3975(93)90026-P.

use petgraph::graph::{NodeIndex, UnGraph};

use super::problems::augmenting_path;
use super::{Fault, Geography, MissedNode, Missing, Pairing, Reduction, Refused, Uncooperative};
use crate::adapters::uno::{UnoGraph, uno_graph};

/// Theorem 7: uncooperative UNO-2 → undirected vertex geography on the UNO-2 graph, opened at any card of player 1. Nodes are the
/// cards of player 1 and then those of player 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UncooperativeToGeography;

/// Theorem 6 for bipartite graphs: undirected vertex geography, opened at any of some nodes → a maximum matching that
/// misses one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeographyToMatching;

impl Reduction for UncooperativeToGeography {
    type Source = Uncooperative;
    type Target = Geography;

    fn name(&self) -> &'static str {
        "uno2-to-geography"
    }

    fn reduce(&self, source: &Uncooperative) -> Result<Geography, Refused> {
        const MEMORY: usize = 4 << 30;
        let graph = uno_graph(&source.hands, MEMORY).map_err(|error| Refused::new(self.name(), error.to_string()))?;
        let UnoGraph::Undirected(graph) = graph else {
            return Err(Refused::new(self.name(), "the graph of its matches is directed"));
        };
        let openings = (0..source.hands[0].cards().len()).map(NodeIndex::new).collect();
        Ok(Geography { graph: graph.map(|_, _| (), |_, ()| ()), openings })
    }

    fn forward(&self, source: &Uncooperative, pairing: &Pairing<usize>) -> Result<Pairing<NodeIndex>, Fault> {
        let first_hand = source.hands[0].cards().len();
        let node = |position: usize, before: usize| match position {
            0 => Err(Fault::new("positions count from 1")),
            position => Ok(NodeIndex::new(before + position - 1)),
        };
        let answers = pairing.answers.iter().map(|&(theirs, ours)| Ok((node(theirs, first_hand)?, node(ours, 0)?)));
        Ok(Pairing { opening: node(pairing.opening, 0)?, answers: answers.collect::<Result<_, Fault>>()? })
    }

    fn back(&self, source: &Uncooperative, pairing: &Pairing<NodeIndex>) -> Result<Pairing<usize>, Fault> {
        let first_hand = source.hands[0].cards().len();
        // Answers that never come up may be anything; they are left out.
        let answers = pairing
            .answers
            .iter()
            .filter(|(theirs, ours)| (theirs.index() >= first_hand) && (ours.index() < first_hand));
        let positions = answers.map(|(theirs, ours)| (theirs.index() - first_hand + 1, ours.index() + 1));
        Ok(Pairing { opening: pairing.opening.index() + 1, answers: positions.collect() })
    }
}

impl Reduction for GeographyToMatching {
    type Source = Geography;
    type Target = MissedNode;

    fn name(&self) -> &'static str {
        "geography-to-matching"
    }

    fn reduce(&self, source: &Geography) -> Result<MissedNode, Refused> {
        let sides = sides(&source.graph).ok_or_else(|| Refused::new(self.name(), "the graph is not bipartite"))?;
        let mut openings = source.openings.iter().map(|opening| sides[opening.index()]);
        let first = openings.next();
        if openings.any(|side| Some(side) != first) {
            return Err(Refused::new(self.name(), "the openings are not all on one side of the graph"));
        }
        Ok(MissedNode { graph: source.graph.clone(), side: source.openings.clone() })
    }

    fn forward(&self, source: &Geography, pairing: &Pairing<NodeIndex>) -> Result<Missing, Fault> {
        let graph = &source.graph;
        let mut mate: Vec<Option<NodeIndex>> = vec![None; graph.node_count()];
        // Only what can come up: pairs on the way from the opening.
        let mut ours = vec![pairing.opening];
        while let Some(at) = ours.pop() {
            for theirs in graph.neighbors(at).filter(|theirs| mate[theirs.index()].is_none()).collect::<Vec<_>>() {
                let answer = pairing.answers.iter().find(|(move_, _)| *move_ == theirs);
                let &(_, answer) = answer.ok_or_else(|| Fault::new("there is no answer to a move of the opponent"))?;
                mate[theirs.index()] = Some(answer);
                mate[answer.index()] = Some(theirs);
                ours.push(answer);
            }
        }
        for node in graph.node_indices() {
            if mate[node.index()].is_none()
                && let Some(path) = augmenting_path(graph, &mate, node)
            {
                for pair in path.chunks_exact(2) {
                    mate[pair[0].index()] = Some(pair[1]);
                    mate[pair[1].index()] = Some(pair[0]);
                }
            }
        }
        let pairs = graph.node_indices().filter_map(|node| Some((node, mate[node.index()]?)));
        Ok(Missing { node: pairing.opening, matching: pairs.filter(|(one, two)| one < two).collect() })
    }

    fn back(&self, source: &Geography, missing: &Missing) -> Result<Pairing<NodeIndex>, Fault> {
        let sides = sides(&source.graph).ok_or_else(|| Fault::new("the graph is not bipartite"))?;
        let other_side = |node: NodeIndex| sides[node.index()] != sides[missing.node.index()];
        // Parts that the token never comes to have sides of their own; what stands there does no harm.
        let turned = |&(one, two): &(NodeIndex, NodeIndex)| if other_side(one) { (one, two) } else { (two, one) };
        Ok(Pairing { opening: missing.node, answers: missing.matching.iter().map(turned).collect() })
    }
}

/// The side of each node, `false` for the first node of each part; nothing if there is an odd cycle.
fn sides(graph: &UnGraph<(), ()>) -> Option<Vec<bool>> {
    let mut sides: Vec<Option<bool>> = vec![None; graph.node_count()];
    for start in graph.node_indices() {
        if sides[start.index()].is_some() {
            continue;
        }
        sides[start.index()] = Some(false);
        let mut reached = vec![(start, false)];
        while let Some((node, side)) = reached.pop() {
            for next in graph.neighbors(node) {
                match sides[next.index()] {
                    Some(other) if other == side => return None,
                    Some(_) => {}
                    None => {
                        sides[next.index()] = Some(!side);
                        reached.push((next, !side));
                    }
                }
            }
        }
    }
    sides.into_iter().collect()
}
