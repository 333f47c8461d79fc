//! The longest cycle, block by block.
//!
//! A cycle lies within one block of the underlying graph, and where edges are directed within one strong component. So
//! arcs between components are dropped, each block is a question of its own, and they are asked in the order of what
//! they could be worth until none left can win.

use super::{Context, Scope, leaf, line};
use crate::instance::{Ends, Monitor, Outcome, Piece, Run};
use crate::reduce::Reduction;
use crate::reduce::blocks::{BlockForest, NO_BLOCK};
use crate::reduce::strong::StrongComponents;
use crate::view::{CsrGraph, Edge};

pub(super) fn solve_closed(piece: &Piece, through: Option<u32>, context: &Context, run: &mut Run<'_>) -> Outcome {
    let within = (piece.graph.is_directed() && context.reductions.has(Reduction::StrongComponents))
        .then(|| within_components(&piece.graph));
    let graph = within.as_ref().unwrap_or(&piece.graph);
    let forest = BlockForest::hang(graph, 0..graph.vertex_count() as u32);
    let least = if graph.is_directed() { 2 } else { 3 };

    let gains = piece.gains();
    let bound = |block: u32| -> i64 { forest.block(block).iter().map(|&vertex| gains[vertex as usize]).sum() };
    let mut parts: Vec<(i64, u32)> = (0..forest.len() as u32)
        .filter(|&block| forest.block(block).len() >= least)
        .filter(|&block| through.is_none_or(|vertex| contains(&forest, block, vertex)))
        .map(|block| (bound(block), block))
        .collect();
    parts.sort_unstable_by_key(|&(bound, block)| (std::cmp::Reverse(bound), block));
    let mut work_left: f64 = parts.iter().map(|&(_, block)| work(&forest, block)).sum();

    let mut answer = Outcome { best: None, upper: i64::MIN, stop: None, steps: 0, peak_bytes: 0 };
    let mut scratch = vec![u32::MAX; graph.vertex_count()];
    let mut unseen = i64::MIN;
    for (next, &(bound, block)) in parts.iter().enumerate() {
        let floor = answer.best.as_ref().map_or(i64::MIN, |(_, value)| *value);
        let rest = parts.get(next + 1).map_or(i64::MIN, |&(bound, _)| bound).max(unseen).max(floor);
        run.bound(bound.max(rest));
        if bound <= floor {
            break;
        }
        if answer.stop.is_some() {
            unseen = unseen.max(bound);
            continue;
        }
        let members = forest.block(block);
        let (part, _) = graph.induced(members, &mut scratch);
        let position = |vertex| members.iter().position(|&member| member == vertex).map(|position| position as u32);
        let part = Piece { graph: part, ends: Ends::Closed { through: through.and_then(position) } };
        let share = work(&forest, block) / work_left;
        work_left -= work(&forest, block);
        let was_asked = context.components_were_asked && members.len() == graph.vertex_count();
        let solve = if was_asked { leaf::solve } else { line::solve_block };
        let outcome = solve(&part, floor, share, context, Scope::Whole { rest }, run);
        answer.steps += outcome.steps;
        answer.peak_bytes = answer.peak_bytes.max(outcome.peak_bytes);
        unseen = unseen.max(outcome.upper.min(bound));
        if outcome.stop.is_some() {
            answer.stop = run.budget.spent();
        }
        if let Some((cycle, value)) = outcome.best {
            answer.best = Some((cycle.iter().map(|&vertex| members[vertex as usize]).collect(), value));
        }
    }
    let value = answer.best.as_ref().map_or(i64::MIN, |(_, value)| *value);
    answer.upper = unseen.max(value);
    if answer.upper == value {
        answer.stop = None;
    }
    answer
}

fn contains(forest: &BlockForest, block: u32, vertex: u32) -> bool {
    forest.parent(block) == vertex || (forest.home(vertex) != NO_BLOCK && forest.home(vertex) == block)
}

fn work(forest: &BlockForest, block: u32) -> f64 {
    (forest.block(block).len() as f64).powi(2)
}

/// The graph without its arcs between different strong components.
fn within_components(graph: &CsrGraph) -> CsrGraph {
    let strong = StrongComponents::of(graph);
    let inside = |edge: &&Edge| strong.component(edge.source) == strong.component(edge.target);
    CsrGraph::from_simple(graph.vertex_count(), true, graph.edges().iter().filter(inside).copied().collect())
}
