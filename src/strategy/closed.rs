//! The longest cycle, block by block.
//!
//! A cycle lies within one block of the underlying graph, and where edges are directed within one strong component. So
//! arcs between components are dropped, each block is a question of its own, and they are asked in the order of what
//! they could be worth until none left can win.

use super::parts::{Asked, Gathered, Part, most, unasked};
use super::scope::{Context, Scope};
use super::{block_solver, line};
use crate::instance::{Ends, Instance, Outcome, Run};
use crate::reduce::Reduction;
use crate::reduce::blocks::{BlockForest, NO_BLOCK};
use crate::reduce::strong::StrongComponents;
use crate::view::{CsrGraph, Edge};

/// Solves a closed instance; only cycles worth more than `floor` matter.
pub(super) fn solve(
    instance: &Instance,
    through: Option<u32>,
    floor: i64,
    context: &Context,
    run: &mut Run<'_>,
) -> Outcome {
    let within = (instance.graph.is_directed() && context.reductions.has(Reduction::StrongComponents))
        .then(|| within_components(&instance.graph));
    let graph = within.as_ref().unwrap_or(&instance.graph);
    let is_over = &mut || run.budget.spent().is_some();
    let Some(forest) = BlockForest::hang_unless(graph, 0..graph.vertex_count() as u32, is_over) else {
        return Outcome { stop: run.budget.spent(), ..Outcome::nothing_above(floor, instance.trivial_bound()) };
    };
    let least = if graph.is_directed() { 2 } else { 3 };

    let gains = instance.gains();
    let bound = |block: u32| -> i64 { forest.block(block).iter().map(|&vertex| gains[vertex as usize]).sum() };
    let mut blocks: Vec<Part> = (0..forest.len() as u32)
        .filter(|&block| forest.block(block).len() >= least)
        .filter(|&block| through.is_none_or(|vertex| contains(&forest, block, vertex)))
        .map(|block| Part { number: block, most: bound(block), size: forest.block(block).len() })
        .collect();

    let mut scratch = vec![u32::MAX; graph.vertex_count()];
    let mut ask = |gathered: &mut Gathered<Vec<u32>>, block: Part, share, scope: Scope, run: &mut Run<'_>| {
        let members = forest.block(block.number);
        let is_over = &mut || run.budget.spent().is_some();
        let Some((part, _)) = graph.induced_unless(members, &mut scratch, is_over) else {
            return Asked::Answered(unasked(block.most, run));
        };
        let position = |vertex| members.iter().position(|&member| member == vertex).map(|position| position as u32);
        let part = Instance { graph: part, ends: Ends::Closed { through: through.and_then(position) } };
        let was_asked = context.components_were_asked && members.len() == graph.vertex_count();
        let solve = if was_asked { block_solver::solve } else { line::solve_block };
        let orders = run.order_count();
        let mut outcome = solve(&part, gathered.lower(), share, context, scope, run);
        run.rename_orders_after(orders, members);
        gathered.keep(&mut outcome, members);
        Asked::Answered(outcome)
    };
    let mut gathered = Gathered::above(floor);
    while run.budget.spent().is_none() && most(&blocks) > gathered.lower() {
        [blocks, _] = gathered.ask_each(blocks, run, &mut ask);
        if run.budget.spent().is_none() && !blocks.is_empty() {
            run.note(format!("blocks: {} again, since time is left", blocks.len()));
        }
    }
    gathered.outcome(most(&blocks), |cycle| cycle, run)
}

fn contains(forest: &BlockForest, block: u32, vertex: u32) -> bool {
    forest.parent(block) == vertex || (forest.home(vertex) != NO_BLOCK && forest.home(vertex) == block)
}

/// The graph without its arcs between different strong components.
fn within_components(graph: &CsrGraph) -> CsrGraph {
    let strong = StrongComponents::of(graph);
    let inside = |edge: &&Edge| strong.component(edge.source) == strong.component(edge.target);
    CsrGraph::from_simple(graph.vertex_count(), true, graph.edges().iter().filter(inside).copied().collect())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::engines::reference::backtracking::{self, Pruning};
    use crate::instance::{Budget, Goal, Silent};
    use crate::limits::Limits;
    use crate::reduce::Reductions;
    use crate::strategy::graph;

    fn context() -> Context {
        Context { reductions: Reductions::all(), components_were_asked: false }
    }

    /// What engines before have found is the floor: only longer cycles come back.
    #[test]
    fn cycles_no_longer_than_the_floor_do_not_come_back() {
        let mut rng = Pcg64Mcg::seed_from_u64(3);
        for round in 0..400 {
            let n = rng.random_range(4..=9u32);
            let directed = round % 2 == 0;
            let edges = (0..2 * n).map(|_| Edge {
                source: rng.random_range(0..n),
                target: rng.random_range(0..n),
                weight: rng.random_range(-2..6),
            });
            let (graph, _) = CsrGraph::from_multigraph(n as usize, directed, edges.collect());
            let through = (round % 3 == 0).then(|| rng.random_range(0..n));
            let instance = Instance { graph, ends: Ends::Closed { through } };
            let best = backtracking::solve(&instance, Pruning::On, i64::MIN, &Budget::unlimited(), &mut Silent).best;
            let Some((_, optimum)) = best else { continue };
            let mut context = context();
            if round % 5 == 0 {
                context.reductions.switch_off(Reduction::Blocks);
            }
            for floor in [optimum - 1, optimum, optimum + 1] {
                let mut run = Run::new(Instant::now(), &Limits::default(), Goal::default(), None);
                let outcome = graph::solve(&instance, floor, i64::MIN, &context, &mut run);
                assert_eq!(outcome.best.map(|(_, value)| value), (optimum > floor).then_some(optimum));
                assert_eq!((outcome.upper, outcome.stop), (optimum.max(floor), None));
            }
        }
    }

    /// A small heavy block has so small a share of the time that it is cut short, and the large one, which comes after it,
    /// leaves nearly all of it over. On a fast machine its share may do; either way both are settled.
    #[test]
    fn a_block_cut_short_is_taken_up_again() {
        let (rows, columns, ring) = (6u32, 13u32, 20_000u32);
        let mut rng = Pcg64Mcg::seed_from_u64(5);
        let mut edges = Vec::new();
        for source in 0..rows * columns {
            let mut join = |target| edges.push(Edge { source, target, weight: rng.random_range(1000..2000) });
            if (source + 1) % columns != 0 {
                join(source + 1);
            }
            if source + columns < rows * columns {
                join(source + columns);
            }
        }
        let last = rows * columns - 1;
        edges.extend((0..ring).map(|at| Edge {
            source: last + at,
            target: if at + 1 < ring { last + at + 1 } else { last },
            weight: 1,
        }));
        let graph = CsrGraph::from_simple((last + ring) as usize, false, edges);
        let instance = Instance { graph, ends: Ends::Closed { through: None } };
        let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
        let mut run = Run::new(Instant::now(), &limits, Goal::default(), None);
        let outcome = graph::solve(&instance, i64::MIN, i64::MIN, &context(), &mut run);
        assert_eq!((outcome.best.map(|(_, value)| value), outcome.stop), (Some(outcome.upper), None));
    }
}
