//! The fewest sequences that play all cards, and the most cards that so many sequences play.
//!
//! Cards are edges between numbers and colours. As one sequence is a trail of that multigraph with all edges that meet it, so
//! t disjoint sequences are t trails without a common edge, with the edges that meet any of them. Which edges a set of trails
//! uses, and at which vertices it stands, is all that matters: say F is the set of edges, T that of vertices (those of F and
//! perhaps more, each a trail by itself). A component of (T, F) takes half as many trails as it has vertices of odd degree,
//! and one if it has none. So we look for T and F with
//!
//! - every card meeting T, and the least *cost*, which counts 1 for every odd vertex and 2 for every component without one:
//!   that is twice the number of sequences; or
//! - a cost of at most 2t, and the most cards meeting T.
//!
//! [`sweep`] does so along a vertex order of the multigraph; [`sequences`] turns the result into cards in order. Of parallel
//! cards only the number used matters, and of that only 0, 1 or 2. A number or colour whose cards all share the other side
//! is never needed in T: the other side meets these cards and more.
//!
//! With unit cost for sequences this is the path cover of a line graph; for one sequence see Frank Harary, Crispin Nash-Williams,
//! *On eulerian and hamiltonian graphs and line graphs*, Canadian Mathematical Bulletin 8, 1965, DOI 10.4153/CMB-1965-051-3.

mod plan;
mod root;
mod sequences;
mod sweep;
#[cfg(test)]
mod tests;

use self::plan::Plan;
use self::root::Root;
pub(super) use self::sweep::Goal;
use super::card::Card;
use crate::Stop;
use crate::limits::Meter;

/// Disjoint sequences, as indices of cards from 0.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    pub(super) sequences: Vec<Vec<usize>>,
    pub(super) steps: u64,
    pub(super) peak_bytes: usize,
}

/// The best cover there is for the goal: exact.
///
/// # Errors
/// The reason for which it could not be found; [`Stop::Exhausted`] if the multigraph is too wide for a sweep.
pub(super) fn cover(cards: &[Card], goal: Goal, meter: &Meter, seed: u64) -> Result<Cover, Stop> {
    if cards.is_empty() {
        return Ok(Cover { sequences: Vec::new(), steps: 0, peak_bytes: 0 });
    }
    let root = Root::new(cards);
    let plan = Plan::new(&root, meter, seed).ok_or(Stop::Exhausted)?;
    let swept = sweep::sweep(&root, &plan, goal, meter)?;
    let sequences = sequences::sequences(&root, &swept.choice);
    Ok(Cover { sequences, steps: swept.steps, peak_bytes: swept.peak_bytes })
}
