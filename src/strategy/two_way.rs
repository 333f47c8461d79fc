//! A digraph in which every arc can be gone back for as much: asked as the undirected graph that it is.

use super::scope::{Scope, Scoped};
use crate::instance::{Instance, Monitor, Outcome, Run};
use crate::reduce::two_way::TwoWay;
use crate::reduce::{Reduction, Reductions};

/// The undirected instance, where there is one and the reductions allow for it.
pub(super) fn undirected(instance: &Instance, reductions: Reductions, run: &mut Run<'_>) -> Option<TwoWay> {
    if !reductions.has(Reduction::TwoWay) || !instance.graph.is_directed() {
        return None;
    }
    let two_way = TwoWay::of_unless(instance, &mut || run.budget.spent().is_some())?;
    let n = instance.graph.vertex_count();
    run.note(format!("two-way: {n} vertices, every arc can be gone back, so edges need no direction"));
    Some(two_way)
}

/// Asks the undirected instance for paths worth more than a floor; and there may be a cycle there and back along one edge.
pub(super) fn solve(
    two_way: TwoWay,
    floor: i64,
    scope: Scope,
    run: &mut Run<'_>,
    ask: impl FnOnce(&Instance, i64, &mut Run<'_>) -> Outcome,
) -> Outcome {
    let there_and_back = two_way.there_and_back.filter(|&(_, value)| value > floor);
    let floor = there_and_back.as_ref().map_or(floor, |&(_, value)| value);
    if there_and_back.is_some() {
        Scoped { run, scope }.incumbent(floor);
    }
    let mut outcome = ask(&two_way.instance, floor, run);
    outcome.best = outcome.best.or(there_and_back);
    outcome
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use crate::engines::reference::backtracking::{self, Pruning};
    use crate::instance::{Budget, Ends, Goal, Instance, NOT_AN_END, Run, Silent};
    use crate::limits::Limits;
    use crate::reduce::{Reduction, Reductions};
    use crate::rounds::rounds;
    use crate::strategy::graph;
    use crate::strategy::scope::Context;
    use crate::view::{CsrGraph, Edge};

    fn random_ends(n: u32, is_closed: bool, rng: &mut Pcg64Mcg) -> Ends {
        if is_closed {
            return Ends::Closed { through: rng.random::<bool>().then(|| rng.random_range(0..n)) };
        }
        let mut prizes = || -> Vec<i64> {
            let prize = |rng: &mut Pcg64Mcg| if rng.random_ratio(1, 3) { NOT_AN_END } else { rng.random_range(-2..5) };
            (0..n).map(|_| prize(rng)).collect()
        };
        Ends::Open { first: prizes(), last: prizes(), single_vertex: true }
    }

    /// The whole graph, or a part of it, is two-way; with every floor round the optimum.
    #[test]
    fn two_way_digraphs_are_answered_as_plain_search_answers_them() {
        let mut rng = Pcg64Mcg::seed_from_u64(11);
        let mut found = [0; 2];
        for round in 0..rounds(600) {
            let n = rng.random_range(2..9u32);
            let mut edges = Vec::new();
            for _ in 0..2 * n {
                let (source, target, weight) =
                    (rng.random_range(0..n), rng.random_range(0..n), rng.random_range(-2..6));
                let is_new = |edge: &Edge| [edge.source, edge.target].iter().any(|end| ![source, target].contains(end));
                if source != target && edges.iter().all(is_new) {
                    edges.push(Edge { source, target, weight });
                    edges.push(Edge { source: target, target: source, weight });
                }
            }
            // A way out of what is two-way, every other time.
            let whole = round % 4 < 2;
            if !whole {
                edges.push(Edge { source: 0, target: n, weight: 3 });
            }
            let n = n + u32::from(!whole);
            let is_closed = round % 2 == 0;
            let instance = Instance {
                graph: CsrGraph::from_simple(n as usize, true, edges),
                ends: random_ends(n, is_closed, &mut rng),
            };
            let best = backtracking::solve(&instance, Pruning::On, i64::MIN, &Budget::unlimited(), &mut Silent).best;
            let Some((_, optimum)) = best else { continue };
            found[usize::from(is_closed)] += 1;
            for without in [None, Some(Reduction::Blocks), Some(Reduction::TwoWay)] {
                let mut reductions = Reductions::all();
                without.into_iter().for_each(|reduction| reductions.switch_off(reduction));
                let context = Context { reductions, components_were_asked: false };
                for floor in [i64::MIN, optimum - 1, optimum, optimum + 1] {
                    let mut run = Run::new(Instant::now(), &Limits::default(), Goal::default(), None);
                    let outcome = graph::solve(&instance, floor, i64::MIN, &context, &mut run);
                    let expected = (optimum > floor).then_some(optimum);
                    assert_eq!(outcome.best.as_ref().map(|&(_, value)| value), expected, "{instance:?} {floor}");
                    assert_eq!((outcome.upper, outcome.stop), (optimum.max(floor), None), "{instance:?} {floor}");
                    if let Some((path, value)) = outcome.best {
                        assert_eq!(instance.value(&path), value, "{instance:?} {path:?}");
                    }
                }
            }
        }
        assert!(found.iter().all(|&count| count > 100), "{found:?}");
    }
}
