//! A path of so many nodes: view → strategy → lift → check.

use std::time::{Duration, Instant};

use super::{READING, UNREAD, check_options, check_path, instance_of};
use crate::certificate::Claim;
use crate::engine::Engine;
use crate::engines::check_probability;
use crate::error::Error;
use crate::instance::{self, Instance, Monitor, Outcome, Run};
use crate::limits::Limits;
use crate::options::Options;
use crate::problem::{KPath, KPathSolution};
use crate::reduce::walks::Missed;
use crate::solution::{Answer, Path, Stop};
use crate::strategy;
use crate::strategy::k_path::{Goal, MOST_VERTICES, has_engine, solve, uniform_weight};
use crate::view::{InputGraph, View};

impl<G: InputGraph> KPath<'_, G> {
    /// Answers the question.
    ///
    /// # Errors
    /// If `k` is 0, if an end is not in the graph, if there is no thread, if the failure probability is none, if the engine
    /// is none of those above or can't answer this question (color coding and the sieve beyond 30 nodes, the sieve with
    /// weights that differ), or if the graph or its weights are out of range. Spent limits are answers.
    ///
    /// # Panics
    /// If the answer fails the independent check, which would be a defect of longhaul.
    pub fn solve(self) -> Result<KPathSolution<G::NodeId, G::EdgeId>, Error> {
        let began = Instant::now();
        let KPath { graph, k, from, to, weights, engine, failure_probability, options, observer } = self;
        let weight = |edge: G::EdgeRef| weights.as_ref().map_or(1, |weight| weight(edge));
        check(k, engine, failure_probability, &options)?;
        let mut run = Run::new(began, &options.limits, options.goal, observer);
        let Some(view) = View::new_unless(graph, weight, &mut || run.budget.spent().is_some())? else {
            run.enter(READING, UNREAD.to_owned());
            let stop = run.budget.spent().unwrap_or(Stop::Exhausted);
            let answer = Answer::new(None, Some(i64::MAX), stop, run.into_stats());
            return Ok(KPathSolution { answer, heaviest: weights.is_some(), missed: Missed::With(1.0) });
        };
        let claim = Claim { from, to, closed: false };
        let (instance, names) = instance_of(view, &claim)?;
        let goal = match (&weights, uniform_weight(&instance.graph)) {
            (None, _) | (Some(_), Some(_)) => Goal::Any,
            (Some(_), None) if engine == Engine::Sieve => {
                return Err(Error::contradiction(
                    "the sieve knows no weights; give every edge the same weight, or use color coding",
                ));
            }
            (Some(_), None) => Goal::Heaviest,
        };

        let mut ask_longest = |unit: &Instance, enough: i64| ask_longest(unit, enough, began, &options);
        let mut answer = solve(&instance, k, goal, engine, failure_probability, &mut ask_longest, &mut run);
        if goal == Goal::Any
            && let Some((_, value)) = answer.best
        {
            // All paths of k nodes weigh the same.
            answer.upper = value;
        }
        if let Some((_, value)) = answer.best {
            run.incumbent(value);
        }
        run.bound(answer.upper);
        let path = answer.best.map(|(vertices, length)| Path {
            edges: instance.graph.edges_along(&vertices).map(|edge| names.edge_id(edge)).collect(),
            nodes: vertices.iter().map(|&vertex| names.node(vertex)).collect(),
            length,
        });
        if let Some(path) = &path {
            assert_eq!(path.nodes.len(), k, "a path of another number of nodes was found");
            check_path(graph, weight, &claim, path);
        }
        // Where nothing is proved the greatest integer says so.
        let upper_bound = (answer.upper != i64::MIN).then_some(answer.upper);
        let stop = answer.stop.unwrap_or(Stop::Finished);
        let missed = answer.missed;
        let answer = Answer::new(path.map(Path::with_length), upper_bound, stop, run.into_stats());
        Ok(KPathSolution { answer, heaviest: weights.is_some(), missed })
    }
}

/// The longest path, if a second or a quarter of the time left is enough for it, or for one of so many edges; of graphs so
/// small that there is hope of a proof.
fn ask_longest(unit: &Instance, enough: i64, began: Instant, options: &Options) -> Option<Outcome> {
    const LARGEST: usize = 20_000;
    const MOST_TIME: Duration = Duration::from_secs(1);
    if unit.graph.vertex_count() + unit.graph.edge_count() > LARGEST {
        return None;
    }
    let left = options.limits.time.map_or(Duration::MAX, |time| time.saturating_sub(began.elapsed()));
    let limits = Limits { time: Some((left / 4).min(MOST_TIME)), ..options.limits.clone() };
    let goal = instance::Goal { enough: Some(enough), ..instance::Goal::default() };
    let mut run = Run::new(Instant::now(), &limits, goal, None);
    Some(strategy::solve(unit, &Options { limits, ..Options::default() }, &mut run))
}

/// Refuses requests that no graph could make good.
fn check(k: usize, engine: Engine, failure_probability: f64, options: &Options) -> Result<(), Error> {
    check_probability(failure_probability)?;
    if k == 0 {
        return Err(Error::contradiction("a path has at least one node; ask for k = 1 or more"));
    }
    check_options(options)?;
    if !has_engine(engine) {
        return Err(Error::contradiction(
            "this engine does not look for paths of k nodes; those that do are auto, backtracking, color-coding, \
             plain-color-coding and sieve",
        ));
    }
    if k > MOST_VERTICES && !matches!(engine, Engine::Auto | Engine::Backtracking) {
        return Err(Error::contradiction(
            "color coding and the sieve go up to paths of 30 nodes; use auto or backtracking, or ask for the longest path",
        ));
    }
    Ok(())
}
