//! Cooperative UNO: can all players together make player 1 the first to empty a hand?
//!
//! Player 1 opens with any card; then the players take turns, and a card must agree with the one before in number or colour.
//! Player 1 *wins* by playing the last card of its hand before any other hand is empty. The source reads its own rules in two
//! ways, and the two differ, so both are offered as a [`PlayRule`]:
//!
//! - its match relation asks i' = i + 1 (mod p): every card comes from the next player, and who cannot play ends the game;
//! - its assumption (f1) lets a player who holds no matching card skip, and no other player. After p skips in a row nobody
//!   can ever play again: deadlock, which is a loss.
//!
//! Theorem 1 (Hamiltonian path → two players) holds under strict alternation and fails under (f1): for the graph 12 13 14 15
//! 16 23 24 on the vertices 1–6, which has no Hamiltonian path, 55|15|11|14|44|24|22|23|33|13|skip|16|66 wins. Corollary 2
//! needs skips for its padding, and under them it fails, too.
//!
//! Under strict alternation a winning play is a longest path: from a new node to a card of player 1, through the UNO-p graph,
//! to a card of player 1 and a second new node. Every p-th card of it is player 1's, so it is longest when it holds most of
//! player 1's cards, and player 1 wins if it holds all of them, provided that no other hand is smaller (the others play one
//! card less each, and that must not be their last). One player's question is the longest sequence itself. Under forced
//! skips the states of the game are searched, depth first.
//!
//! Source: Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno, *UNO is hard, even
//! for a single player*, Theoretical Computer Science 521, 2014, §2 and §3.1, DOI 10.1016/j.tcs.2013.11.023.

mod search;
#[cfg(test)]
mod tests;
mod turns;

use std::str::FromStr;

use petgraph::graph::NodeIndex;
use petgraph::{EdgeType, Graph};

pub use turns::{BadPlay, Turn, check};

use super::deck::Deck;
use super::game::{UnoError, longest_sequence_within};
use super::players::{Held, UnoGraph, uno_graph};
use crate::limits::Limits;
use crate::named::named;
use crate::{LongestPath, Stop};

/// What happens to a player who cannot play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PlayRule {
    /// The game is over: every card must come from the next player.
    #[default]
    StrictAlternation,
    /// The player skips the turn; nobody who can play may skip.
    ForcedSkip,
}

named!(
    PlayRule, "rule", "rules", 2:
    "strict" => StrictAlternation,
    "forced-skip" => ForcedSkip,
);

impl FromStr for PlayRule {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        PlayRule::of_name(name).ok_or_else(|| format!("there is no rule '{name}'; the rules are strict, forced-skip"))
    }
}

/// Whether player 1 can be made to win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Yes, by this play, which has passed [`check`].
    Win(Vec<Turn>),
    /// No; that is proved.
    NoWin,
    /// The search ended before it knew, for this reason.
    Unknown(Stop),
}

/// The answer to a question about cooperative play.
#[derive(Clone, Debug)]
pub struct Cooperation {
    /// Whether player 1 can be made to win, and how.
    pub verdict: Verdict,
    /// Positions visited, or steps of the solver.
    pub steps: u64,
    /// The most memory that the search held at once, in bytes.
    pub peak_bytes: usize,
}

/// Whether all players together can make player 1, whose hand comes first, win; with a play that does.
///
/// A player 1 without cards has won before the first turn; another player without cards has finished before player 1.
///
/// # Errors
/// [`UnoError::NoPlayers`] without a hand; otherwise if the UNO-p graph, which strict alternation needs, would take more
/// memory than the limit.
///
/// # Complexity
/// NP-complete for each number of players (Theorems 1 and 4): exponential at worst, in time and, for forced skips, memory.
///
/// # Example
/// ```
/// use longhaul::adapters::uno::cooperative::{self, PlayRule, Verdict};
/// use longhaul::Limits;
/// use longhaul::adapters::uno::{Card, Deck};
///
/// let hand = |cards: &[(u32, u32)]| Deck::new(cards.iter().map(|&(number, colour)| Card { number, colour }).collect());
/// // Player 1 plays 1 1, player 2 can't follow, player 1 goes on.
/// let hands = [hand(&[(1, 1), (1, 2)]), hand(&[(3, 3), (3, 4)])];
/// let win = |rule| cooperative::win(&hands, rule, &Limits::default()).map(|answer| answer.verdict);
/// assert_eq!(win(PlayRule::StrictAlternation)?, Verdict::NoWin);
/// let Verdict::Win(play) = win(PlayRule::ForcedSkip)? else { panic!("player 1 wins") };
/// assert_eq!(play.len(), 3);
/// # Ok::<(), longhaul::adapters::uno::UnoError>(())
/// ```
pub fn win(hands: &[Deck], rule: PlayRule, limits: &Limits) -> Result<Cooperation, UnoError> {
    let (first, others) = hands.split_first().ok_or(UnoError::NoPlayers)?;
    let settled = |verdict| Ok(Cooperation { verdict, steps: 0, peak_bytes: 0 });
    if first.cards().is_empty() {
        return settled(Verdict::Win(Vec::new()));
    }
    if others.iter().any(|hand| hand.cards().is_empty()) {
        return settled(Verdict::NoWin);
    }
    let answer = match rule {
        _ if others.is_empty() => alone(first, limits)?,
        PlayRule::StrictAlternation => {
            if others.iter().any(|hand| hand.cards().len() < first.cards().len()) {
                return settled(Verdict::NoWin);
            }
            match uno_graph(hands, limits.memory)? {
                UnoGraph::Undirected(graph) => strict(graph, first.cards().len(), limits)?,
                UnoGraph::Directed(graph) => strict(graph, first.cards().len(), limits)?,
            }
        }
        PlayRule::ForcedSkip => search::search(hands, limits),
    };
    if let Verdict::Win(play) = &answer.verdict
        && let Err(flaw) = check(hands, rule, play)
    {
        panic!("a wrong play was found: {flaw}");
    }
    Ok(answer)
}

/// One player wins by playing all cards.
fn alone(hand: &Deck, limits: &Limits) -> Result<Cooperation, UnoError> {
    let play = longest_sequence_within(hand, limits)?;
    let all = hand.cards().len();
    let verdict = if play.len() == all {
        let turn = |&position: &usize| Turn::Play { player: 1, position };
        Verdict::Win(play.positions().iter().map(turn).collect())
    } else if play.upper_bound().is_some_and(|upper| upper < all as i64) {
        Verdict::NoWin
    } else {
        Verdict::Unknown(play.stop())
    };
    Ok(Cooperation { verdict, steps: play.stats().steps, peak_bytes: play.stats().peak_bytes })
}

/// Two players or more, strictly in turn: a longest path between two new nodes beside player 1's cards.
fn strict<Ty: EdgeType>(
    mut graph: Graph<Held, (), Ty>,
    cards: usize,
    limits: &Limits,
) -> Result<Cooperation, UnoError> {
    let players = graph.node_weights().map(|held| held.player).max().unwrap_or(1);
    let nobody = Held { player: 0, ..graph[NodeIndex::new(0)] };
    let (source, sink) = (graph.add_node(nobody), graph.add_node(nobody));
    for node in (0..cards).map(NodeIndex::new) {
        graph.add_edge(source, node, ());
        graph.add_edge(node, sink, ());
    }
    let solution = LongestPath::new(&graph).from(source).to(sink).limits(limits.clone()).solve()?;

    // With k cards of player 1 the path has (k − 1)·p + 1 cards, and one edge more than cards.
    let winning = ((cards - 1) * players + 2) as i64;
    let verdict = if solution.length() == Some(winning) {
        let path = solution.path().unwrap_or_default();
        let turn = |&node: &NodeIndex| Turn::Play { player: graph[node].player, position: graph[node].position };
        Verdict::Win(path[1..path.len() - 1].iter().map(turn).collect())
    } else if solution.upper_bound().is_none_or(|upper| upper < winning) {
        Verdict::NoWin
    } else {
        Verdict::Unknown(solution.stop())
    };
    Ok(Cooperation { verdict, steps: solution.stats().steps, peak_bytes: solution.stats().peak_bytes })
}
