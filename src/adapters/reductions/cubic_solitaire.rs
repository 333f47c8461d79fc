//! Theorem 4: Hamiltonian path of a cubic graph → UNO for one player.
//!
//! Each node becomes three cards, one for each of its edges: of the node's colour and the edge's number. Cards of one node
//! match each other, a triangle, and the two cards of an edge match. A Hamiltonian path becomes a play of all cards: at each
//! node on the way it plays the card of the edge it came by, then that of the edge it leaves out, then that of the edge it
//! goes on by; at its ends the two cards of the edges not taken come first, or last.
//!
//! Back: if all three cards of every node come one after another, the nodes in their order are a path. If not, the
//! play can be mended (Fig. 4 of the source). A card has one match outside its triangle; so a card whose neighbours in the play
//! are not of its own node is an end of the play. Hence the cards of a node come in one piece, or in a piece of two and a single
//! one at an end of the play. That one is taken from the end and put between the two, which it both matches. What was next
//! to it is the new end, and a card of another node; as it was not an end before, the rest of its piece is beside it.
//! So each end has to be mended once at most.
//!
//! The theorem holds: checked by the verifier for all connected cubic graphs on up to 12 nodes. Parallel edges would do no
//! harm, but the source's graphs have none, and neither has a [`Cubic`] one here.
//!
//! Source: Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno, *UNO is hard, even
//! for a single player*, Theoretical Computer Science 521, 2014, Theorem 4, DOI 10.1016/j.tcs.2013.11.023.

use petgraph::graph::{EdgeIndex, NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;

use super::paths::refuse_ends;
use super::{Fault, HamiltonianPath, Reduction, Refused, Solitaire};
use crate::adapters::cubic::Cubic;
use crate::adapters::uno::{Card, Deck};

/// Hamiltonian path of a cubic graph, with free ends → playing all cards of a deck; see the text of the
/// [module](super) for the theorem, and of the source for its proof.
///
/// Node `x` and edge `e`, counted from 0, become the card of number `e + 1` and colour `x + 1`; the cards come node by node.
///
/// # Example
/// ```
/// use longhaul::adapters::cubic::named;
/// use longhaul::adapters::reductions::{CubicToSolitaire, HamiltonianPath, Reduction};
///
/// let k4 = HamiltonianPath::free(named("tetrahedron")?);
/// let path = [0, 1, 2, 3].map(petgraph::graph::NodeIndex::new).to_vec();
/// let play = CubicToSolitaire.carry_forward(&k4, &path)?;
/// assert_eq!(play.len(), 12);
/// assert_eq!(CubicToSolitaire.carry_back(&k4, &play)?, path);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CubicToSolitaire;

impl Reduction for CubicToSolitaire {
    type Source = HamiltonianPath;
    type Target = Solitaire;

    fn name(&self) -> &'static str {
        "cubic-hamiltonian-path-to-uno1"
    }

    fn reduce(&self, source: &HamiltonianPath) -> Result<Solitaire, Refused> {
        refuse_ends(self.name(), [source.from, source.to])?;
        Cubic::new(&source.graph).map_err(|flaw| Refused::new(self.name(), flaw.to_string()).at(flaw.node()))?;
        if source.graph.node_count() == 0 {
            return Err(Refused::new(self.name(), "it has no node, so no path, but no cards are always played"));
        }
        let card = |node: NodeIndex, edge: EdgeIndex| Card {
            number: edge.index() as u32 + 1,
            colour: node.index() as u32 + 1,
        };
        let nodes = source.graph.node_indices();
        let cards = nodes.flat_map(|node| edges_at(&source.graph, node).map(|edge| card(node, edge)));
        Ok(Solitaire::all(Deck::new(cards.collect())))
    }

    fn forward(&self, source: &HamiltonianPath, path: &Vec<NodeIndex>) -> Result<Vec<usize>, Fault> {
        let graph = &source.graph;
        let step = |from: NodeIndex, to: NodeIndex| {
            let missing = || Fault::new(format!("no edge joins {} and {}", from.index(), to.index()));
            graph.find_edge(from, to).ok_or_else(missing)
        };
        let mut positions = Vec::with_capacity(3 * path.len());
        for (at, &node) in path.iter().enumerate() {
            let came_by = at.checked_sub(1).map(|before| step(path[before], node)).transpose()?;
            let goes_by = path.get(at + 1).map(|&next| step(node, next)).transpose()?;
            let edges = edges_at(graph, node);
            let others = edges.into_iter().filter(|&edge| Some(edge) != came_by && Some(edge) != goes_by);
            for edge in came_by.into_iter().chain(others).chain(goes_by) {
                positions.push(position(graph, node, edge));
            }
        }
        Ok(positions)
    }

    fn back(&self, _: &HamiltonianPath, positions: &Vec<usize>) -> Result<Vec<NodeIndex>, Fault> {
        let node = |position: usize| NodeIndex::new(position.saturating_sub(1) / 3);
        let mut play = positions.clone();
        for _ in 0..2 {
            mend_beginning(&mut play, |one, two| node(one) == node(two));
            play.reverse();
        }
        let pieces = play.chunks(3);
        let mut path = Vec::with_capacity(play.len() / 3);
        for piece in pieces {
            if piece.iter().any(|&position| node(position) != node(piece[0])) {
                return Err(Fault::new(format!("the cards of node {} are scattered", node(piece[0]).index())));
            }
            path.push(node(piece[0]));
        }
        Ok(path)
    }
}

/// Moves a single card at the beginning in between the other two of its node.
fn mend_beginning(play: &mut Vec<usize>, same_node: impl Fn(usize, usize) -> bool) {
    let [first, second, ..] = play[..] else {
        return;
    };
    if same_node(first, second) {
        return;
    }
    let pair = play.windows(2).position(|pair| same_node(pair[0], first) && same_node(pair[1], first));
    if let Some(at) = pair {
        play.remove(0);
        play.insert(at, first);
    }
}

/// The three edges at a node, in the order of their numbers.
fn edges_at(graph: &UnGraph<(), ()>, node: NodeIndex) -> [EdgeIndex; 3] {
    let mut edges = [EdgeIndex::end(); 3];
    graph.edges(node).zip(&mut edges).for_each(|(edge, place)| *place = edge.id());
    edges.sort_unstable();
    edges
}

/// The position in the deck, from 1, of the card of a node and an edge.
fn position(graph: &UnGraph<(), ()>, node: NodeIndex, edge: EdgeIndex) -> usize {
    let rank = edges_at(graph, node).iter().position(|&other| other == edge).expect("an edge at the node");
    3 * node.index() + rank + 1
}
