//! The graph itself, where no root of it is asked: cycles, arcs, and what has neither.

use super::scope::{Context, Scope};
use super::{block_solver, closed, core, forest};
use crate::instance::{Ends, Instance, Outcome, Run};
use crate::reduce::Reduction;

/// Answers by way of the graph itself; only paths worth more than `floor` matter, and `rest` bounds all that are not of it.
pub(super) fn solve(instance: &Instance, floor: i64, rest: i64, context: &Context, run: &mut Run<'_>) -> Outcome {
    let uncut = Scope::Whole { rest: i64::MIN };
    match &instance.ends {
        Ends::Closed { through } if context.reductions.has(Reduction::Blocks) => {
            closed::solve(instance, *through, floor, context, run)
        }
        Ends::Closed { .. } => block_solver::solve(instance, floor, 1.0, context, uncut, run),
        Ends::Open { .. } if instance.graph.is_directed() && context.reductions.has(Reduction::StrongComponents) => {
            core::solve(instance, floor, context, run)
        }
        Ends::Open { .. } => forest::solve(instance, floor, context, Scope::Whole { rest: floor.max(rest) }, run),
    }
}
