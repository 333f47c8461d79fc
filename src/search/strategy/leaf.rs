//! One part that no reduction cuts any further: incumbent, bound, and if they don't meet, the exact engine that fits.

use super::{Context, Scope, Scoped, ends_are_better_turned};
use crate::reduce::{Reduction, chains};
use crate::search::backtracking::{self, Pruning};
use crate::search::{Outcome, Piece, Run, branch_and_bound};

/// Solves the part; only paths worth more than `floor` matter, and `share` of the remaining time may be spent.
pub(super) fn solve(
    piece: &Piece,
    floor: i64,
    share: f64,
    context: &Context,
    scope: Scope,
    run: &mut Run<'_>,
) -> Outcome {
    if context.reductions.has(Reduction::Chains)
        && !piece.graph.is_directed()
        && let Some(shortened) = chains::shorten(piece)
    {
        let mut outcome = solve_short(&shortened.piece, floor, share, scope, run);
        outcome.best = outcome.best.map(|(path, value)| (shortened.lift(&path), value));
        return outcome;
    }
    solve_short(piece, floor, share, scope, run)
}

fn solve_short(piece: &Piece, floor: i64, share: f64, scope: Scope, run: &mut Run<'_>) -> Outcome {
    let turned = ends_are_better_turned(piece);
    let turned_piece = turned.then(|| piece.reversed());
    let piece = turned_piece.as_ref().unwrap_or(piece);
    let budget = run.budget.share(share);
    let mut outcome = if piece.graph.vertex_count() <= 128 {
        branch_and_bound::solve(piece, floor, &budget, &mut Scoped { run, scope })
    } else {
        backtracking::solve(piece, Pruning::On, floor, &budget, &mut Scoped { run, scope })
    };
    if turned && let Some((path, _)) = &mut outcome.best {
        path.reverse();
    }
    outcome
}
