//! One part that no reduction cuts any further: incumbent, bound, and if they don't meet, the exact engine that fits.

use super::{Context, Scope, Scoped, ends_are_better_turned};
use crate::search::backtracking::{self, Pruning};
use crate::search::{Outcome, Piece, Run};

/// Solves the part; only paths worth more than `floor` matter, and `share` of the remaining time may be spent.
pub(super) fn solve(
    piece: &Piece,
    floor: i64,
    share: f64,
    _context: &Context,
    scope: Scope,
    run: &mut Run<'_>,
) -> Outcome {
    let turned = ends_are_better_turned(piece);
    let turned_piece = turned.then(|| piece.reversed());
    let piece = turned_piece.as_ref().unwrap_or(piece);
    let budget = run.budget.share(share);
    let mut outcome = backtracking::solve(piece, Pruning::On, floor, &budget, &mut Scoped { run, scope });
    if turned && let Some((path, _)) = &mut outcome.best {
        path.reverse();
    }
    outcome
}
