//! The chooser: takes a question apart, hands every part to the engine that fits, and says why.
//!
//! ```text
//! auto: whole ──strong──► core and acyclic rest ──forest──► blocks ──leaf──► incumbent, bound, exact engine
//! ```

mod forest;
mod leaf;
mod promise;

use super::backtracking::{self, Pruning};
use super::{Ends, Monitor, NOT_AN_END, Outcome, Piece, Run};
use crate::problem::{Engine, Options};
use crate::reduce::{Reduction, Reductions};

/// What all stages of the automatic engine know.
pub(crate) struct Context {
    reductions: Reductions,
}

/// What the paths of a part mean for the question as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope {
    /// Their values are lengths of whole paths; `rest` bounds every path that is not of this part.
    Whole { rest: i64 },
    /// They are stretches that something is still to be added to.
    Part,
}

/// Passes on what an engine reports about a part, where it means something for the whole.
pub(crate) struct Scoped<'r, 'a> {
    run: &'r mut Run<'a>,
    scope: Scope,
}

impl Monitor for Scoped<'_, '_> {
    fn incumbent(&mut self, value: i64) {
        if let Scope::Whole { .. } = self.scope {
            self.run.incumbent(value);
        }
    }

    fn bound(&mut self, upper: i64) {
        if let Scope::Whole { rest } = self.scope {
            self.run.bound(upper.max(rest));
        }
    }
}

/// Answers a question with the engine asked for.
pub(crate) fn solve(piece: &Piece, options: &Options, run: &mut Run<'_>) -> Outcome {
    // Engines grow their paths from the first vertex, so a fixed end belongs there.
    let turned = ends_are_better_turned(piece);
    let turned_piece = turned.then(|| piece.reversed());
    let piece = turned_piece.as_ref().unwrap_or(piece);

    let mut outcome = match options.engine {
        Engine::Auto => solve_auto(piece, options, run),
        Engine::Backtracking => forced(piece, options.engine, Pruning::On, run),
        Engine::PlainBacktracking => forced(piece, options.engine, Pruning::Off, run),
    };
    run.bound(outcome.upper);
    run.account(&outcome);
    if turned && let Some((path, _)) = &mut outcome.best {
        path.reverse();
    }
    outcome
}

fn forced(piece: &Piece, engine: Engine, pruning: Pruning, run: &mut Run<'_>) -> Outcome {
    run.enter(engine.name(), format!("{engine}: asked for"));
    let budget = run.budget.clone();
    backtracking::solve(piece, pruning, i64::MIN, &budget, run)
}

fn solve_auto(piece: &Piece, options: &Options, run: &mut Run<'_>) -> Outcome {
    let context = Context { reductions: options.reductions };
    run.enter(Engine::Auto.name(), String::new());
    if context.reductions.has(Reduction::Blocks) && matches!(piece.ends, Ends::Open { .. }) {
        forest::solve_open(piece, i64::MIN, i64::MIN, &context, run)
    } else {
        leaf::solve(piece, i64::MIN, 1.0, &context, Scope::Whole { rest: i64::MIN }, run)
    }
}

/// Whether fewer vertices may be the last than the first.
pub(crate) fn ends_are_better_turned(piece: &Piece) -> bool {
    let count = |prizes: &[i64]| prizes.iter().filter(|&&prize| prize != NOT_AN_END).count();
    match &piece.ends {
        Ends::Open { first, last, .. } => count(last) < count(first),
        Ends::Closed { .. } => false,
    }
}
