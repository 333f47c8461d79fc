//! Uncooperative UNO for two players: who wins, and how.
//!
//! Player 1 opens with any card of its own; then the players take turns, and each card must agree with the one before in
//! number or colour. The source states the game in two ways, and the two differ, as C₁ = {(4, 2)}, C₂ = {(1, 2)} shows:
//!
//! - *geography*: who can't play loses, with an empty hand as well. That is undirected vertex geography on the UNO-2 graph,
//!   what the proof of Theorem 7 speaks of, and polynomial: see [`Geography`]. Here player 2 wins by answering the only card;
//! - *stuck*: who holds cards and can't play any loses, and who plays the last card wins at once. That is what the definition
//!   says; it is settled by trying, see [`stuck`]. Here player 1 wins by its only card.
//!
//! Sources: Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno, *UNO is hard,
//! even for a single player*, Theoretical Computer Science 521, 2014, §2.3 and §4, DOI 10.1016/j.tcs.2013.11.023; Aviezri S.
//! Fraenkel, Edward R. Scheinerman, Daniel Ullman, *Undirected edge geography*, Theoretical Computer Science 112, 1993,
//! DOI 10.1016/0304-3975(93)90026-P.

mod geography;
mod matching;
mod minimax;
#[cfg(test)]
mod tests;

pub use geography::{Geography, Strategy};
pub use minimax::{Stuck, stuck};
