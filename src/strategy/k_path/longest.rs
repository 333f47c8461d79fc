//! The longest path by paths of `k` vertices: color coding or the sieve as an engine for [`LongestPath`](crate::LongestPath).
//!
//! Where all edges weigh the same and every vertex may begin a path (or every vertex may end one), a part of a path of
//! `k` vertices is one of fewer. So `k` is doubled until one trial finds no such path, and then bisected. Only then `k` grows one
//! by one, as long as there is a path, now with as many trials as the failure probability takes: the work grows
//! exponentially with `k`, and a `k` too great by half would cost its square. Otherwise every `k` is tried in turn, and the
//! heaviest path of each looked for.
//!
//! That there *seems* to be no path of `k` vertices ends the search but proves nothing. The bound comes from walks only:
//! where they rule out `k` vertices, and from what they promise for fewer.

use super::{Goal, MOST_VERTICES, solve as solve_k, uniform_weight};
use crate::engine::Engine;
use crate::engines::{color_coding, sieve};
use crate::instance::{Ends, Instance, Monitor, NOT_AN_END, Outcome, Run};
use crate::reduce::walks::Missed;
use crate::solution::Stop;

/// While `k` is doubled and bisected, one trial has to do; and it must not be expected to take more than about a second.
const QUICK: f64 = 1.0 - 1e-9;
const QUICK_WORK: f64 = 1e9;

/// Looks for the longest path with this engine, each number of vertices with this failure probability. The sieve needs
/// weights that are all the same and not negative.
pub(crate) fn solve(instance: &Instance, engine: Engine, failure: f64, run: &mut Run<'_>) -> Outcome {
    let upper = instance.trivial_bound();
    run.bound(upper);
    let outcome = Outcome { best: None, upper, stop: Some(Stop::Exhausted), steps: 0, peak_bytes: 0 };
    let Ends::Open { first, last, .. } = &instance.ends else { return outcome };
    let anywhere = |prizes: &[i64]| prizes.iter().all(|&prize| prize == 0);
    let nested = anywhere(first) || anywhere(last);
    let flat = first.iter().chain(last).all(|&prize| prize == 0 || prize == NOT_AN_END);
    let mut search = Search { instance, engine, failure, run, nested, most_worth: i64::MIN, outcome };
    match uniform_weight(&instance.graph) {
        Some(weight) if weight >= 0 && flat => {
            let most = instance.graph.vertex_count();
            if nested { search.bisect(weight, most) } else { search.climb(Goal::Any, weight, most) }
        }
        _ => search.climb(Goal::Heaviest, 0, instance.graph.vertex_count()),
    }
    search.outcome
}

struct Search<'s, 'r> {
    instance: &'s Instance,
    engine: Engine,
    failure: f64,
    run: &'s mut Run<'r>,
    /// Whether a part of a path is a path.
    nested: bool,
    /// The most that a path of as many vertices as were tried is worth.
    most_worth: i64,
    outcome: Outcome,
}

/// What a try says.
#[derive(PartialEq, Eq)]
enum Verdict {
    There,
    SeemsNone,
    /// Proved.
    None,
    /// A limit is spent.
    Over,
}

impl Search<'_, '_> {
    /// The greatest `k` for which there is a path, where a path of `k` vertices has parts of any fewer.
    fn bisect(&mut self, weight: i64, most: usize) {
        let most = most.min(MOST_VERTICES);
        // There is a path of `known` vertices; one of `absent` is not to be had quickly.
        let (mut known, mut absent) = (0, most + 1);
        while known + 1 < absent {
            let k = if absent > most { (2 * known).max(1) } else { known + (absent - known) / 2 }.min(most);
            match if self.is_quick(k) { self.try_k(k, Goal::Any, weight, QUICK) } else { Verdict::SeemsNone } {
                Verdict::There => known = k,
                Verdict::SeemsNone => absent = k,
                Verdict::None => {
                    absent = k;
                    self.bound(if k == 1 { i64::MIN } else { weight * (k as i64 - 2) });
                }
                Verdict::Over => return,
            }
        }
        while known < most && self.is_open() {
            match self.try_k(known + 1, Goal::Any, weight, self.failure) {
                Verdict::There => known += 1,
                Verdict::None => return self.bound(weight * (known as i64 - 1)),
                Verdict::SeemsNone | Verdict::Over => return,
            }
        }
    }

    /// Whether one trial with so many vertices is expected to be over soon.
    fn is_quick(&self, k: usize) -> bool {
        let graph = &self.instance.graph;
        let arcs = graph.edge_count() * if graph.is_directed() { 1 } else { 2 };
        let work = match self.engine {
            Engine::Sieve => sieve::work(graph.vertex_count(), arcs, k, QUICK),
            _ => color_coding::work_of_trial(graph.vertex_count(), arcs, k),
        };
        work < QUICK_WORK
    }

    /// Every number of vertices in turn.
    fn climb(&mut self, goal: Goal, weight: i64, most: usize) {
        for k in 1..=most {
            if !self.is_open() || self.outcome.stop != Some(Stop::Exhausted) {
                return;
            }
            if k > MOST_VERTICES {
                return;
            }
            match self.try_k(k, goal, weight, self.failure) {
                Verdict::Over => return,
                Verdict::None if self.nested => break,
                Verdict::SeemsNone if self.nested => return,
                _ => {}
            }
        }
        self.bound(self.most_worth);
    }

    /// Whether the bound is still above the best path.
    fn is_open(&self) -> bool {
        self.outcome.best.as_ref().map_or(i64::MIN, |best| best.1) < self.outcome.upper
    }

    fn bound(&mut self, upper: i64) {
        self.outcome.upper = self.outcome.upper.min(upper);
        self.run.bound(self.outcome.upper);
    }

    fn try_k(&mut self, k: usize, goal: Goal, weight: i64, failure: f64) -> Verdict {
        let answer = solve_k(self.instance, k, goal, self.engine, failure, &mut |_, _| None, self.run);
        let most_worth = match goal {
            Goal::Any if answer.upper != i64::MIN => weight * (k as i64 - 1),
            _ => answer.upper,
        };
        self.most_worth = self.most_worth.max(most_worth);
        if let Some((path, value)) = answer.best {
            if self.outcome.best.as_ref().is_none_or(|best| value > best.1) {
                self.run.incumbent(value);
                self.outcome.best = Some((path, value));
            }
            if answer.stop.is_none_or(|stop| stop == Stop::Exhausted) {
                return Verdict::There;
            }
        }
        match (answer.stop, answer.missed) {
            (_, Missed::Nothing) => Verdict::None,
            (Some(Stop::Exhausted) | None, Missed::With(_)) => Verdict::SeemsNone,
            (Some(stop), Missed::With(_)) => {
                self.outcome.stop = Some(stop);
                Verdict::Over
            }
        }
    }
}
