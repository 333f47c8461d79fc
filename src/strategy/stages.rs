//! The whole question first: a line graph, components of which some are line graphs, or the graph itself.

use super::line::{self, Answer};
use super::scope::Context;
use super::{components, graph};
use crate::engine::Engine;
use crate::instance::{Instance, Outcome, Run};
use crate::reduce::{Reduction, Reductions};
use crate::solution::Stop;

/// Takes the question to the stage that fits.
pub(super) fn solve(instance: &Instance, reductions: Reductions, run: &mut Run<'_>) -> Outcome {
    let mut context = Context { reductions, components_were_asked: false };
    // In between the graph itself is asked, and no root of a part of it.
    let mut known = Context { reductions, components_were_asked: true };
    known.reductions.switch_off(Reduction::LineGraph);
    let as_graph = &mut |floor, run: &mut Run<'_>| graph::solve(instance, floor, i64::MIN, &known, run);
    let (n, m) = (instance.graph.vertex_count(), instance.graph.edge_count());
    run.enter(Engine::Auto, format!("auto: {n} vertices, {m} edges"));
    let answer = line::ask(instance, &context, run, as_graph);
    context.components_were_asked = !matches!(answer, Answer::No);
    match answer {
        Answer::No => graph::solve(instance, i64::MIN, i64::MIN, &context, run),
        Answer::Parts => components::solve(instance, &context, run),
        Answer::Settled(outcome) => outcome,
        Answer::Begun(begun) => {
            // Where the root took too long its parts would, too.
            let context = if begun.stop == Some(Stop::Exhausted) { &context } else { &known };
            line::go_on(begun, i64::MIN, |floor| graph::solve(instance, floor, i64::MIN, context, run))
        }
    }
}
