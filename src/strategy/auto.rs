//! The automatic engine from the top: a path at once where there is no time for more, stages, and a last look at the bound.

use super::scope::Scope;
use super::{at_once, last_bound, stages, two_way};
use crate::engines::local_search;
use crate::instance::{Ends, Instance, Monitor, Outcome, Run};
use crate::reduce::Reductions;
use crate::solution::Stop;

/// What taking a graph apart takes at least, for each vertex and edge of one far larger than the caches.
const NANOSECONDS_TO_TAKE_APART: u64 = 250;

/// Answers within the limits of the run, with these reductions.
pub(super) fn solve(instance: &Instance, reductions: Reductions, run: &mut Run<'_>) -> Outcome {
    let size = (instance.graph.vertex_count() + instance.graph.edge_count()) as u64;
    // Of cycles this is asked block by block.
    if matches!(instance.ends, Ends::Open { .. })
        && run.budget.has_time(size * NANOSECONDS_TO_TAKE_APART)
        && let Some(two_way) = two_way::undirected(instance, reductions, run)
    {
        let scope = Scope::Whole { rest: i64::MIN };
        return two_way::solve(two_way, i64::MIN, scope, run, |instance, _, run| solve(instance, reductions, run));
    }
    let whole = run.budget.clone();
    run.budget = last_bound::keeping_time(instance, &whole);
    let has_time = run.budget.has_time(size * NANOSECONDS_TO_TAKE_APART);
    let mut outcome =
        if has_time { stages::solve(instance, reductions, run) } else { at_once::solve(instance, size, run) };
    if outcome.stop == Some(Stop::Interrupted)
        && let Some((path, value)) = local_search::path_at_once(instance)
        && outcome.best.as_ref().is_none_or(|best| value > best.1)
    {
        // Whoever interrupts before a search has begun gets what can be had at once.
        run.incumbent(value);
        outcome.best = Some((path, value));
    }
    run.budget = whole;
    last_bound::improve(&mut outcome, instance, run);
    outcome
}
