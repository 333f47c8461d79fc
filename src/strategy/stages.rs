//! The whole question first: a line graph, components of which some are line graphs, or the graph itself.

use super::line::{self, Answer};
use super::scope::Context;
use super::{components, graph};
use crate::engine::Engine;
use crate::instance::{Instance, Outcome, Run};
use crate::reduce::Reductions;

/// Takes the question to the stage that fits.
pub(super) fn solve(instance: &Instance, reductions: Reductions, run: &mut Run<'_>) -> Outcome {
    let mut context = Context { reductions, components_were_asked: false };
    let (n, m) = (instance.graph.vertex_count(), instance.graph.edge_count());
    run.enter(Engine::Auto, format!("auto: {n} vertices, {m} edges"));
    let answer = line::ask(instance, &context, run);
    context.components_were_asked = !matches!(answer, Answer::No);
    match answer {
        Answer::No => graph::solve(instance, i64::MIN, i64::MIN, &context, run),
        Answer::Parts => components::solve(instance, &context, run),
        Answer::Settled(outcome) => outcome,
        Answer::Begun(begun) => {
            line::go_on(begun, i64::MIN, |floor| graph::solve(instance, floor, i64::MIN, &context, run))
        }
    }
}
