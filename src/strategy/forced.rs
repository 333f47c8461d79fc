//! One engine alone, because it was asked for by name.

use super::k_path;
use crate::engines::EngineConfig;
use crate::instance::{Instance, Outcome, Run};

/// Answers with this engine. Where it has nothing to say there is a bound that needs no search.
pub(super) fn solve(instance: &Instance, config: &EngineConfig, run: &mut Run<'_>) -> Outcome {
    let engine = config.engine();
    run.enter(engine, format!("{engine}: asked for"));
    if let Some(failure) = config.failure_probability() {
        return k_path::longest(instance, engine, failure, run);
    }
    let door = config.door().expect("the automatic engine is not forced");
    let budget = run.budget.clone();
    let (outcome, unfit) = door.answer_or_bound(instance, &budget, run);
    if let Some(why) = unfit {
        run.note(format!("{engine}: nothing to be done, {why}"));
    }
    outcome
}
