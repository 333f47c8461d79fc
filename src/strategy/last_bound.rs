//! A last look at the bound of the whole, where its parts are not settled.
//!
//! Stages bound the part they are at, and weights alone bound the parts that nobody came to. Bounds of the whole, and of
//! all blocks, that take a fraction of a second may be better than what that adds up to; so some time is kept for them.

use super::block_bounds::BlockBounds;
use crate::bound::{Effort, best_bound};
use crate::instance::{Budget, Ends, Instance, Monitor, Outcome, Run};
use crate::reduce::blocks::BlockForest;
use crate::solution::Stop;

/// The part of the time that may be kept, one in so many.
const PART: u32 = 20;
/// What the bounds take, in nanoseconds for each vertex and edge, and beside.
const NANOSECONDS_EACH: u64 = 2_000;
const NANOSECONDS_BESIDE: u64 = 100_000_000;
/// What hanging the forest and adding up its bounds take, for each vertex and edge.
const NANOSECONDS_TO_HANG: u64 = 400;
/// Up to so many vertices nothing is known of a block that the weights don't say.
const PLAIN: usize = 3;

/// The limits without the time that is kept.
pub(super) fn keeping_time(instance: &Instance, budget: &Budget) -> Budget {
    let nanoseconds = size(instance) * NANOSECONDS_EACH + NANOSECONDS_BESIDE;
    budget.keeping(nanoseconds, PART)
}

fn size(instance: &Instance) -> u64 {
    (instance.graph.vertex_count() + instance.graph.edge_count()) as u64
}

/// Improves the bound of an outcome that is not settled.
pub(super) fn improve(outcome: &mut Outcome, instance: &Instance, run: &mut Run<'_>) {
    let lower = outcome.best.as_ref().map_or(i64::MIN, |(_, value)| *value);
    let may_help = !matches!(outcome.stop, None | Some(Stop::Interrupted | Stop::Gap)) && outcome.upper > lower;
    if !may_help || run.budget.spent().is_some() {
        return;
    }
    let upper = bound(instance, lower, &run.budget).max(lower);
    if upper < outcome.upper {
        run.note(format!("bound: {upper} by all blocks together"));
        run.bound(upper);
        outcome.upper = upper;
        if upper == lower {
            outcome.stop = None;
        }
    }
}

/// No path is worth more than this, or than `lower`.
fn bound(instance: &Instance, lower: i64, budget: &Budget) -> i64 {
    let upper = best_bound(instance, Effort::Low, budget, lower).upper;
    if upper <= lower || !budget.has_time(size(instance) * NANOSECONDS_TO_HANG) {
        return upper;
    }
    let forest = BlockForest::hang(&instance.graph, 0..instance.graph.vertex_count() as u32);
    if forest.len() < 2 {
        return upper;
    }
    upper.min(bound_by_blocks(instance, &forest, budget))
}

fn bound_by_blocks(instance: &Instance, forest: &BlockForest, budget: &Budget) -> i64 {
    let largest = forest.largest();
    let mut scratch = vec![u32::MAX; instance.graph.vertex_count()];
    let mut inside = |block: u32| {
        let members = forest.block(block);
        if members.len() <= PLAIN || budget.spent().is_some() {
            return i64::MAX;
        }
        let effort = if Some(block) == largest { Effort::Low } else { Effort::Least };
        let (graph, _) = instance.graph.induced(members, &mut scratch);
        let ends = match instance.ends {
            Ends::Open { .. } => {
                let prizes = vec![0; members.len()];
                Ends::Open { first: prizes.clone(), last: prizes, single_vertex: true }
            }
            Ends::Closed { .. } => Ends::Closed { through: None },
        };
        best_bound(&Instance { graph, ends }, effort, budget, i64::MIN).upper
    };
    let inside: Vec<i64> = (0..forest.len() as u32).map(&mut inside).collect();
    match instance.ends {
        Ends::Open { .. } => BlockBounds::knowing(inside, instance, forest).whole(),
        Ends::Closed { through } => {
            let gains = instance.gains();
            let of_block = |block: u32| -> Option<i64> {
                let members = forest.block(block);
                let holds_it = through.is_none_or(|vertex| members.contains(&vertex));
                let gained: i64 = members.iter().map(|&vertex| gains[vertex as usize]).sum();
                (holds_it && members.len() > 1).then(|| gained.min(inside[block as usize]))
            };
            (0..forest.len() as u32).filter_map(of_block).max().unwrap_or(i64::MIN)
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::engines::reference::backtracking::{self, Pruning};
    use crate::instance::{NOT_AN_END, Silent};
    use crate::view::{CsrGraph, Edge};

    /// A clique of five, from which complete bipartite graphs of two and six hang: the weights say that all of it may be
    /// on a path, and the blocks that most of it is not.
    #[test]
    fn what_blocks_know_is_known_of_the_whole() {
        let join = |source: u32, target: u32| Edge { source, target, weight: 1 };
        let mut edges: Vec<Edge> = (0..5).flat_map(|one| (0..one).map(move |two| join(two, one))).collect();
        let mut n = 5;
        for at in 0..5 {
            let others = n + 1..n + 7;
            edges.extend(others.clone().flat_map(|other| [join(at, other), join(n, other)]));
            n = others.end;
        }
        let prizes = vec![0; n as usize];
        let ends = Ends::Open { first: prizes.clone(), last: prizes, single_vertex: true };
        let instance = Instance { graph: CsrGraph::from_simple(n as usize, false, edges), ends };
        let forest = BlockForest::hang(&instance.graph, 0..n);
        let by_weights = BlockBounds::new(&instance, &forest).whole();
        let upper = bound_by_blocks(&instance, &forest, &Budget::unlimited());
        let optimum = backtracking::solve(&instance, Pruning::On, i64::MIN, &Budget::unlimited(), &mut Silent).upper;
        assert!(optimum <= upper && upper < by_weights, "{optimum} {upper} {by_weights}");
    }

    #[test]
    fn no_bound_is_below_the_optimum() {
        let mut random = Pcg64Mcg::seed_from_u64(4);
        for round in 0..600 {
            let n = random.random_range(3..=9usize);
            let directed = round % 2 == 0;
            let weight = if round % 3 == 0 { 1..=1 } else { -3..=5 };
            let edges = (0..n + random.random_range(0..4)).map(|_| Edge {
                source: random.random_range(0..n as u32),
                target: random.random_range(0..n as u32),
                weight: random.random_range(weight.clone()),
            });
            let (graph, _) = CsrGraph::from_multigraph(n, directed, edges.collect());
            let prize = |random: &mut Pcg64Mcg| match random.random_range(0..4) {
                0 => NOT_AN_END,
                _ => random.random_range(-2..4),
            };
            let mut prizes = || -> Vec<i64> { (0..n).map(|_| prize(&mut random)).collect() };
            let (first, last) = (prizes(), prizes());
            let ends = match round % 5 {
                0 => Ends::Closed { through: None },
                1 => Ends::Closed { through: Some(0) },
                _ => Ends::Open { first, last, single_vertex: true },
            };
            let instance = Instance { graph, ends };
            let budget = Budget::unlimited();
            let optimum = backtracking::solve(&instance, Pruning::On, i64::MIN, &budget, &mut Silent).upper;
            let upper = bound(&instance, i64::MIN, &budget);
            assert!(upper >= optimum, "{upper} bounds {optimum}: {instance:?}");
        }
    }
}
