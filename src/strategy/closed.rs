//! The longest cycle, block by block.
//!
//! A cycle lies within one block of the underlying graph, and where edges are directed within one strong component. So
//! arcs between components are dropped, each block is a question of its own, and they are asked in the order of what
//! they could be worth until none left can win.
//!
//! Each block has its share of the time. One that needs more is asked again, with what the others have left over.

use super::scope::{Context, Scope};
use super::{block_solver, line};
use crate::instance::{Ends, Instance, Monitor, Outcome, Run};
use crate::reduce::Reduction;
use crate::reduce::blocks::{BlockForest, NO_BLOCK};
use crate::reduce::strong::StrongComponents;
use crate::solution::Stop;
use crate::view::{CsrGraph, Edge};

/// Solves a closed instance; only cycles worth more than `floor` matter.
pub(super) fn solve_closed(
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
    let blocks = (0..forest.len() as u32)
        .filter(|&block| forest.block(block).len() >= least)
        .filter(|&block| through.is_none_or(|vertex| contains(&forest, block, vertex)))
        .map(|block| (bound(block), block))
        .collect();
    let scratch = vec![u32::MAX; graph.vertex_count()];
    let answer = Outcome::nothing_above(floor, i64::MIN);
    Cycles { graph, forest, through, context, scratch, answer, floor, unseen: i64::MIN, stop: None }.solve(blocks, run)
}

/// A bound on the cycles of a block, and the block.
type Bounded = (i64, u32);

struct Cycles<'a> {
    graph: &'a CsrGraph,
    forest: BlockForest,
    through: Option<u32>,
    context: &'a Context,
    scratch: Vec<u32>,
    answer: Outcome,
    floor: i64,
    /// What the blocks could be worth for which more time would be of no use, and why it would not.
    unseen: i64,
    stop: Option<Stop>,
}

impl Cycles<'_> {
    /// Asks for the cycles of these blocks. Each has its share of the time; where that is too short, and the others leave
    /// time over, it is asked again.
    fn solve(mut self, mut blocks: Vec<Bounded>, run: &mut Run<'_>) -> Outcome {
        while run.budget.spent().is_none() && blocks.iter().any(|&(bound, _)| bound > self.lower()) {
            blocks.sort_unstable_by_key(|&(bound, block)| (std::cmp::Reverse(bound), block));
            blocks = self.ask_each(&blocks, run);
            if run.budget.spent().is_none() && !blocks.is_empty() {
                run.note(format!("blocks: {} again, since time is left", blocks.len()));
            }
        }
        let left = blocks.iter().map(|&(bound, _)| bound).max().unwrap_or(i64::MIN);
        self.answer.upper = left.max(self.unseen).max(self.lower());
        if self.answer.upper > self.lower() {
            self.answer.stop = run.budget.spent().or(self.stop);
        }
        self.answer
    }

    /// Asks the blocks in turn, and returns those that need more time.
    fn ask_each(&mut self, blocks: &[Bounded], run: &mut Run<'_>) -> Vec<Bounded> {
        let mut work_left: f64 = blocks.iter().map(|&(_, block)| self.work(block)).sum();
        let mut again: Vec<Bounded> = Vec::new();
        for (number, &(bound, block)) in blocks.iter().enumerate() {
            let left = again.iter().chain(blocks.get(number + 1)).map(|&(bound, _)| bound).max().unwrap_or(i64::MIN);
            let rest = left.max(self.unseen).max(self.lower());
            run.bound(bound.max(rest));
            if bound <= self.lower() {
                break;
            }
            if run.budget.spent().is_some() {
                again.push((bound, block));
                continue;
            }
            let share = self.work(block) / work_left;
            work_left -= self.work(block);
            let outcome = self.ask(block, share, Scope::Whole { rest }, run);
            let upper = outcome.upper.min(bound);
            if upper > self.lower() {
                match outcome.stop {
                    Some(Stop::TimeLimit) => again.push((upper, block)),
                    stop => {
                        self.unseen = self.unseen.max(upper);
                        self.stop = stop.or(self.stop);
                    }
                }
            }
        }
        again.retain(|&(bound, _)| bound > self.lower());
        again
    }

    /// Asks for a cycle of one block, and keeps it.
    fn ask(&mut self, block: u32, share: f64, scope: Scope, run: &mut Run<'_>) -> Outcome {
        let members = self.forest.block(block);
        let is_over = &mut || run.budget.spent().is_some();
        let Some((part, _)) = self.graph.induced_unless(members, &mut self.scratch, is_over) else {
            return Outcome { stop: run.budget.spent(), ..Outcome::nothing_above(self.lower(), i64::MAX) };
        };
        let position = |vertex| members.iter().position(|&member| member == vertex).map(|position| position as u32);
        let part = Instance { graph: part, ends: Ends::Closed { through: self.through.and_then(position) } };
        let was_asked = self.context.components_were_asked && members.len() == self.graph.vertex_count();
        let solve = if was_asked { block_solver::solve } else { line::solve_block };
        let mut outcome = solve(&part, self.lower(), share, self.context, scope, run);
        self.answer.steps += outcome.steps;
        self.answer.peak_bytes = self.answer.peak_bytes.max(outcome.peak_bytes);
        if let Some((cycle, value)) = outcome.best.take() {
            self.answer.best = Some((cycle.iter().map(|&vertex| members[vertex as usize]).collect(), value));
        }
        outcome
    }

    fn lower(&self) -> i64 {
        self.answer.best.as_ref().map_or(self.floor, |(_, value)| *value)
    }

    /// The cost of solving a block, as far as shares of the time go.
    fn work(&self, block: u32) -> f64 {
        (self.forest.block(block).len() as f64).powi(2)
    }
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
    use crate::instance::{Budget, Goal};
    use crate::limits::Limits;
    use crate::reduce::Reductions;
    use crate::strategy::solve_as_graph;

    struct Deaf;

    impl Monitor for Deaf {
        fn incumbent(&mut self, _value: i64) {}
        fn bound(&mut self, _upper: i64) {}
    }

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
            let best = backtracking::solve(&instance, Pruning::On, i64::MIN, &Budget::unlimited(), &mut Deaf).best;
            let Some((_, optimum)) = best else { continue };
            let mut context = context();
            if round % 5 == 0 {
                context.reductions.switch_off(Reduction::Blocks);
            }
            for floor in [optimum - 1, optimum, optimum + 1] {
                let mut run = Run::new(Instant::now(), &Limits::default(), Goal::default(), None);
                let outcome = solve_as_graph(&instance, floor, i64::MIN, &context, &mut run);
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
        let outcome = solve_as_graph(&instance, i64::MIN, i64::MIN, &context(), &mut run);
        assert_eq!((outcome.best.map(|(_, value)| value), outcome.stop), (Some(outcome.upper), None));
    }
}
