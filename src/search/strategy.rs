//! The chooser: which engine answers the question, and what it may spend.

use super::backtracking::{self, Pruning};
use super::{Ends, Monitor, NOT_AN_END, Outcome, Piece, Run};
use crate::problem::Engine;

/// Answers a question about one piece with the engine asked for.
pub(crate) fn solve(piece: &Piece, engine: Engine, run: &mut Run<'_>) -> Outcome {
    // Engines grow their paths from the first vertex, so a fixed end belongs there.
    let turned = ends_are_better_turned(piece);
    let turned_piece = turned.then(|| piece.reversed());
    let piece = turned_piece.as_ref().unwrap_or(piece);

    let pruning = if engine == Engine::PlainBacktracking { Pruning::Off } else { Pruning::On };
    let why = match engine {
        Engine::Auto => "backtracking: no other engine is there yet".to_owned(),
        _ => format!("{engine}: asked for"),
    };
    let name = if engine == Engine::Auto { Engine::Backtracking.name() } else { engine.name() };
    run.enter(name, why);
    let budget = run.budget.clone();
    let mut outcome = backtracking::solve(piece, pruning, i64::MIN, &budget, run);
    run.bound(outcome.upper);
    run.account(&outcome);
    if turned && let Some((path, _)) = &mut outcome.best {
        path.reverse();
    }
    outcome
}

/// Whether fewer vertices may be the last than the first.
fn ends_are_better_turned(piece: &Piece) -> bool {
    let count = |prizes: &[i64]| prizes.iter().filter(|&&prize| prize != NOT_AN_END).count();
    match &piece.ends {
        Ends::Open { first, last } => count(last) < count(first),
        Ends::Closed { .. } => false,
    }
}
