//! A digraph with chains, asked as the one without them.

use super::scope::{Scope, Scoped};
use crate::engines::local_search;
use crate::instance::{Ends, Instance, Monitor, Outcome, Run, Silent};
use crate::reduce::directed_chains::{Contracted, contract};
use crate::reduce::{Reduction, Reductions};

/// What contracting takes at least, for each vertex and arc.
const NANOSECONDS_TO_CONTRACT: u64 = 250;

/// The bytes that contracting takes beside the instance, as a multiple of its graph.
const TIMES_THE_GRAPH: usize = 4;

/// The work of local search for a cycle, for each vertex: what is worth less can be contracted.
const CLIMB_PER_VERTEX: u64 = 300;

/// An instance without chains, and a cycle that is known before.
pub(super) struct Question {
    short: Contracted,
    floor: i64,
    known: Option<(Vec<u32>, i64)>,
}

/// The instance without its chains, where that is worth its while and the reductions allow for it.
pub(super) fn contracted(
    instance: &Instance,
    floor: i64,
    reductions: Reductions,
    run: &mut Run<'_>,
) -> Option<Question> {
    let (n, m) = (instance.graph.vertex_count() as u64, instance.graph.edge_count() as u64);
    if !reductions.has(Reduction::Chains)
        || !instance.graph.is_directed()
        || !run.budget.has_time((n + m) * NANOSECONDS_TO_CONTRACT)
        || TIMES_THE_GRAPH * instance.graph.bytes() > run.budget.memory
    {
        return None;
    }
    let mut is_over = || run.budget.spent().is_some();
    let question = match &instance.ends {
        Ends::Open { .. } => Question { short: contract(instance, floor, &mut is_over)?, floor, known: None },
        Ends::Closed { .. } => {
            // Is there anything to contract if only the known cycle is worth enough?
            contract(instance, i64::MAX, &mut is_over)?;
            let (upper, work) = (instance.trivial_bound(), n * CLIMB_PER_VERTEX);
            let found = local_search::solve(instance, None, upper, work, &run.budget, &mut Silent);
            let known = found.best.filter(|&(_, value)| value > floor);
            let floor = known.as_ref().map_or(floor, |&(_, value)| value);
            Question { short: contract(instance, floor, &mut is_over)?, floor, known }
        }
    };
    let left = question.short.instance.graph.vertex_count();
    run.note(format!("chains: {left} of {n} vertices are left without what lies in streets"));
    Some(question)
}

/// Asks the instance without chains for paths worth more than the floor.
pub(super) fn solve(
    question: Question,
    scope: Scope,
    run: &mut Run<'_>,
    ask: impl FnOnce(&Instance, i64, &mut Run<'_>) -> Outcome,
) -> Outcome {
    let Question { short, floor, known } = question;
    if known.is_some() {
        Scoped { run, scope }.incumbent(floor);
    }
    let orders = run.order_count();
    let mut outcome = ask(&short.instance, floor, run);
    run.rename_orders_after(orders, &short.kept());
    outcome.best = outcome.best.map(|(path, value)| (short.lift(&path), value)).or(known);
    outcome
}
