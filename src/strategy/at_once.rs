//! Where there is no time to take a graph apart: the path that can be had at once, and what local search makes of it.

use crate::engine::Engine;
use crate::engines::local_search;
use crate::instance::{Instance, Monitor, Outcome, Run};

/// Answers for a graph of `size` vertices and edges.
pub(super) fn solve(instance: &Instance, size: u64, run: &mut Run<'_>) -> Outcome {
    run.enter(Engine::LocalSearch, format!("local search: no time to take {size} vertices and edges apart"));
    let upper = instance.trivial_bound();
    let budget = run.budget.clone();
    let start = local_search::path_at_once(instance);
    if let Some((_, value)) = start {
        run.incumbent(value);
    }
    let from = start.as_ref().map(|(path, _)| path.as_slice());
    let outcome = local_search::solve(instance, from, upper, u64::MAX, &budget, run);
    let is_better = |best: &(Vec<u32>, i64)| start.as_ref().is_none_or(|(_, value)| best.1 > *value);
    Outcome { best: outcome.best.filter(is_better).or(start), ..outcome }
}
