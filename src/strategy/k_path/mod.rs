//! Paths of exactly `k` vertices: the chooser among depth-first search, color coding and the sieve.
//!
//! ```text
//! auto, any path:      walks ──► depth-first try ──► longest path ──► color coding or sieve, whichever takes less work
//! auto, the heaviest:  walks ──► branch and bound ──► color coding, from the best path known
//! ```
//!
//! Every stage keeps apart what is proved from what is only likely: a path is always proved; that there is none, or none
//! heavier, is proved where walks rule it out, where the depth-first search came to its end, where every vertex had a
//! label of its own, or where the best walk is no better. Otherwise the answer says how likely a miss is.

mod depth_first;
mod longest;

use self::depth_first::Try;
use crate::engine::{Engine, Method};
use crate::engines::{color_coding, reference, sieve};
use crate::instance::{Budget, Ends, Instance, Monitor, NOT_AN_END, Outcome, Run};
use crate::reduce::walks::{Cost, Found, Missed, WalkBounds, Walks};
use crate::solution::Stop;
use crate::view::{CsrGraph, Edge};

pub(crate) use longest::solve as longest;

/// Color coding and the sieve count sets of labels in tables and loops of `2^k`.
pub(crate) const MOST_VERTICES: usize = 30;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Any path of `k` vertices.
    Any,
    /// The one of the greatest value.
    Heaviest,
}

/// What came of it.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) best: Option<(Vec<u32>, i64)>,
    /// Proved: no path of `k` vertices is worth more. `i64::MIN` if there is none.
    pub(crate) upper: i64,
    /// If there is a better path than `best`, how likely it was missed.
    pub(crate) missed: Missed,
    pub(crate) stop: Option<Stop>,
}

impl Answer {
    /// There is no path of `k` vertices; that is proved.
    const NONE: Answer = Answer { best: None, upper: i64::MIN, missed: Missed::Nothing, stop: None };
}

/// Whether an engine can be asked for a path of `k` vertices.
pub(crate) fn has_engine(engine: Engine) -> bool {
    matches!(
        engine,
        Engine::Auto | Engine::Backtracking | Engine::ColorCoding | Engine::PlainColorCoding | Engine::Sieve
    )
}

/// The weight of every edge, where all weigh the same. 0 without edges.
pub(crate) fn uniform_weight(graph: &CsrGraph) -> Option<i64> {
    let weight = graph.edges().first().map_or(0, |edge| edge.weight);
    graph.edges().iter().all(|edge| edge.weight == weight).then_some(weight)
}

/// Asks for the longest path of an instance whose edges all weigh 1, or for one of so many edges, within a fixed budget; `None`
/// where that isn't worth while.
pub(crate) type AskLongest<'l> = &'l mut dyn FnMut(&Instance, i64) -> Option<Outcome>;

/// Looks for a path of `k` vertices (1 or more) in an open instance, with one of the engines [`has_engine`] knows. Color coding
/// and the sieve take at most [`MOST_VERTICES`], and the sieve looks for any path only.
pub(crate) fn solve(
    instance: &Instance,
    k: usize,
    goal: Goal,
    engine: Engine,
    failure: f64,
    ask_longest: AskLongest<'_>,
    run: &mut Run<'_>,
) -> Answer {
    let walks = match Walks::new(instance, k, &run.budget) {
        Ok(Some(walks)) => walks,
        Ok(None) => {
            run.enter(WALKS, format!("walks: none of {k} vertices between the ends, so no path"));
            return Answer::NONE;
        }
        Err(stop) => {
            let (upper, missed) = (i64::MAX, Missed::With(1.0));
            return Answer { upper, missed, stop: Some(stop), ..Answer::NONE };
        }
    };
    if walks.vertex_count() < instance.graph.vertex_count() {
        let (left, all) = (walks.vertex_count(), instance.graph.vertex_count());
        run.note(format!("walks: {left} of {all} vertices are on walks of {k} vertices"));
    }
    let mut chooser = Chooser { walks: &walks, failure, ask_longest, run };
    let mut answer = match goal {
        Goal::Any => chooser.any(engine),
        Goal::Heaviest => chooser.heaviest(engine),
    };
    if goal == Goal::Any && answer.best.is_some() {
        (answer.missed, answer.stop) = (Missed::Nothing, None);
    }
    if answer.missed == Missed::Nothing {
        answer.upper = match (&answer.best, goal) {
            (None, _) => i64::MIN,
            (Some((_, value)), Goal::Heaviest) => *value,
            (Some(_), Goal::Any) => answer.upper,
        };
    }
    answer.best = answer.best.map(|(path, value)| (walks.lift(path), value));
    answer
}

struct Chooser<'c, 'r> {
    walks: &'c Walks<'c>,
    failure: f64,
    ask_longest: AskLongest<'c>,
    run: &'c mut Run<'r>,
}

impl Chooser<'_, '_> {
    fn any(&mut self, engine: Engine) -> Answer {
        /// Within these limits the depth-first try takes half as many steps as the next engine is expected to.
        const EFFORT: [u64; 2] = [1 << 20, 1 << 26];
        let k = self.walks.k;
        let budget = self.run.budget.clone();
        match engine {
            Engine::Backtracking => self.depth_first(engine, u64::MAX, &budget),
            Engine::PlainColorCoding => {
                self.run.enter(engine, format!("{engine}: asked for"));
                let (found, spent) = reference::color_coding::solve(self.walks, false, i64::MIN, self.failure, &budget);
                self.ended(engine, found, spent)
            }
            Engine::ColorCoding => {
                self.run.enter(engine, format!("{engine}: asked for"));
                self.color_coding(self.plan(&budget), &budget)
            }
            Engine::Sieve => {
                self.run.enter(engine, format!("{engine}: asked for"));
                self.sieve(&budget)
            }
            _ => {
                let answer = self.depth_first(Engine::Auto, EFFORT[0], &budget);
                if answer.best.is_some() || answer.missed == Missed::Nothing || answer.stop != Some(Stop::Exhausted) {
                    return answer;
                }
                if let Some(answer) = self.by_longest() {
                    return answer;
                }
                let (n, arcs) = (self.walks.vertex_count(), self.walks.arc_count());
                let plan = if k <= MOST_VERTICES { self.plan(&budget) } else { None };
                let sieve_fits = k <= MOST_VERTICES && sieve::bytes(n, k, 1) <= budget.memory;
                let sieve_work = sieve_fits.then(|| sieve::work(n, arcs, k, self.failure));
                let works = [plan.map(|plan| plan.work), sieve_work];
                let least = works.into_iter().flatten().fold(f64::INFINITY, f64::min);
                let effort = ((least / 2.0) as u64).clamp(EFFORT[0], EFFORT[1]);
                let answer = self.depth_first(Engine::Auto, effort, &budget);
                if answer.best.is_some() || answer.missed == Missed::Nothing || answer.stop != Some(Stop::Exhausted) {
                    return answer;
                }
                match (plan, sieve_work) {
                    (Some(plan), Some(sieve_work)) if sieve_work < plan.work => {
                        self.run.enter(Engine::Sieve, preference("the sieve", sieve_work, "color coding", plan.work));
                        self.sieve(&budget)
                    }
                    (None, Some(_)) => {
                        self.run.enter(Engine::Sieve, "the sieve: no table fits in memory".to_owned());
                        self.sieve(&budget)
                    }
                    (Some(plan), _) => {
                        let sieve_work = sieve_work.unwrap_or(f64::INFINITY);
                        let why = preference("color coding", plan.work, "the sieve", sieve_work);
                        self.run.enter(Engine::ColorCoding, why);
                        self.color_coding(Some(plan), &budget)
                    }
                    (None, None) if k > MOST_VERTICES => {
                        let why = format!("no engine but depth-first search goes beyond {MOST_VERTICES} vertices");
                        self.run.note(why);
                        answer
                    }
                    (None, None) => {
                        self.run.note("neither color coding nor the sieve fits in memory".to_owned());
                        Answer { stop: Some(Stop::MemoryLimit), ..answer }
                    }
                }
            }
        }
    }

    /// A longest path has all shorter ones in it that may begin and end there; and a bound below what is asked for proves
    /// that there is none. `None` if neither comes of it.
    fn by_longest(&mut self) -> Option<Answer> {
        let Walks { k, graph, first, last, .. } = self.walks;
        let is_end = |prizes: &[i64], vertex: u32| prizes[vertex as usize] != NOT_AN_END;
        let rule = |prizes: &[i64]| -> Vec<i64> {
            prizes.iter().map(|&prize| if prize == NOT_AN_END { prize } else { 0 }).collect()
        };
        let edges = graph.edges().iter().map(|&edge| Edge { weight: 1, ..edge }).collect();
        let unit = CsrGraph::from_simple(graph.vertex_count(), graph.is_directed(), edges);
        let ends = Ends::Open { first: rule(first), last: rule(last), single_vertex: true };
        let enough = *k as i64 - 1;
        self.run.enter(Engine::Auto, format!("longest path: whether it has {enough} edges"));
        let outcome = (self.ask_longest)(&Instance { graph: unit, ends }, enough)?;
        self.run.spend(outcome.steps, outcome.peak_bytes);
        if outcome.upper < enough {
            self.run.note(format!("longest path: proved to have no more than {} edges", outcome.upper.max(0)));
            return Some(Answer::NONE);
        }
        let (path, _) = outcome.best?;
        let fits = |part: &&[u32]| is_end(first, part[0]) && is_end(last, part[k - 1]);
        let part = path.windows(*k).find(fits)?.to_vec();
        let value = graph.length_along(&part) + first[part[0] as usize] + last[part[k - 1] as usize];
        self.run.incumbent(value);
        Some(Answer { best: Some((part, value)), upper: i64::MAX, ..Answer::NONE })
    }

    fn heaviest(&mut self, engine: Engine) -> Answer {
        /// How many steps branch and bound may take before color coding does.
        const EFFORT: u64 = 1 << 25;
        let mut budget = self.run.budget.clone();
        let nothing = Answer { upper: i64::MAX, missed: Missed::With(1.0), ..Answer::NONE };
        if engine == Engine::PlainColorCoding {
            self.run.enter(engine, format!("{engine}: asked for"));
            let (found, spent) = reference::color_coding::solve(self.walks, true, i64::MIN, self.failure, &budget);
            return self.ended(engine, found, spent);
        }
        let bytes = WalkBounds::bytes(self.walks);
        if bytes > budget.memory {
            self.run.note(format!("what walks promise takes {bytes} bytes, more than there are"));
            return Answer { stop: Some(Stop::MemoryLimit), ..nothing };
        }
        budget.memory -= bytes;
        self.run.spend(0, bytes);
        let walk_bounds = WalkBounds::new(self.walks);
        let Some(upper) = walk_bounds.bound() else { return Answer::NONE };
        let mut answer = Answer { upper, ..nothing };
        if engine != Engine::ColorCoding {
            let effort = if engine == Engine::Backtracking { u64::MAX } else { EFFORT };
            self.run.enter(
                Method::step(engine, DEPTH_FIRST),
                format!("{DEPTH_FIRST}: branch and bound, no path above {upper}"),
            );
            let run = &mut *self.run;
            let tried = depth_first::heaviest(self.walks, &walk_bounds, i64::MIN, effort, &budget, &mut |value| {
                run.incumbent(value);
            });
            answer = Answer { upper, ..self.tried(tried) };
            let stopped = answer.stop.is_some_and(|stop| stop != Stop::Exhausted);
            if answer.missed == Missed::Nothing || stopped || engine == Engine::Backtracking {
                return answer;
            }
            if self.walks.k > MOST_VERTICES {
                self.run.note(format!("no engine but {DEPTH_FIRST} goes beyond {MOST_VERTICES} vertices"));
                return answer;
            }
        }
        let floor = answer.best.as_ref().map_or(i64::MIN, |best| best.1);
        self.run.enter(Engine::ColorCoding, "color coding: the heaviest path".to_owned());
        let run = &mut *self.run;
        let (found, spent) =
            color_coding::heaviest(self.walks, &walk_bounds, floor, self.failure, true, &budget, &mut |value| {
                run.incumbent(value);
            });
        let found = Found { best: found.best.or(answer.best), ..found };
        let reached = found.best.as_ref().is_some_and(|best| best.1 == upper);
        let found = if reached { Found { missed: Missed::Nothing, ..found } } else { found };
        Answer { upper, ..self.ended(Engine::ColorCoding, found, spent) }
    }

    fn depth_first(&mut self, engine: Engine, effort: u64, budget: &Budget) -> Answer {
        let (n, m) = (self.walks.vertex_count(), self.walks.graph.edge_count());
        self.run
            .enter(Method::step(engine, DEPTH_FIRST), format!("{DEPTH_FIRST}: first, in {n} vertices and {m} edges"));
        let tried = depth_first::any(self.walks, effort, budget);
        self.tried(tried)
    }

    fn tried(&mut self, tried: Try) -> Answer {
        self.run.spend(tried.steps, tried.peak_bytes);
        if !tried.exhausted && tried.best.is_none() {
            self.run.note(format!("{DEPTH_FIRST}: nothing in {} steps", tried.steps));
        }
        Answer {
            best: tried.best,
            upper: i64::MAX,
            missed: if tried.exhausted { Missed::Nothing } else { Missed::With(1.0) },
            stop: if tried.exhausted { None } else { tried.stop.or(Some(Stop::Exhausted)) },
        }
    }

    fn plan(&self, budget: &Budget) -> Option<color_coding::Plan> {
        let (n, arcs) = (self.walks.vertex_count(), self.walks.arc_count());
        color_coding::choose(n, arcs, self.walks.k, self.failure, budget.memory)
    }

    fn color_coding(&mut self, plan: Option<color_coding::Plan>, budget: &Budget) -> Answer {
        let Some(plan) = plan else {
            let (n, k) = (self.walks.vertex_count(), self.walks.k);
            self.run.note(format!("color coding: tables of 2^{k} sets for {n} vertices don't fit in memory"));
            let stop = Some(Stop::MemoryLimit);
            return Answer { upper: i64::MAX, missed: Missed::With(1.0), stop, ..Answer::NONE };
        };
        // Where paths abound, one cheap trial is enough.
        let first = plan.first(self.walks).map(|first| color_coding::any(self.walks, &first, budget));
        let nothing = (Found { best: None, missed: Missed::With(1.0) }, Cost::default());
        let (mut found, mut spent) = first.unwrap_or(nothing);
        if found.best.is_none() && spent.stop.is_none() && found.missed != Missed::Nothing {
            let (again, more) = color_coding::any(self.walks, &plan, budget);
            spent = Cost {
                steps: spent.steps + more.steps,
                peak_bytes: spent.peak_bytes.max(more.peak_bytes),
                trials: spent.trials + more.trials,
                ..more
            };
            found = Found { best: again.best, missed: found.missed.and(again.missed) };
        }
        self.ended(Engine::ColorCoding, found, spent)
    }

    fn sieve(&mut self, budget: &Budget) -> Answer {
        let (found, spent) = sieve::any(self.walks, self.failure, budget);
        self.ended(Engine::Sieve, found, spent)
    }

    fn ended(&mut self, engine: Engine, found: Found, spent: Cost) -> Answer {
        self.run.spend(spent.steps, spent.peak_bytes);
        let labels = if spent.labels > 0 { format!(" with {} labels", spent.labels) } else { String::new() };
        let trials = if spent.trials == 1 { "1 trial".to_owned() } else { format!("{} trials", spent.trials) };
        self.run.note(format!("{engine}: {trials}{labels}"));
        if let Some((_, value)) = &found.best {
            self.run.incumbent(*value);
        }
        let stop = match found.missed {
            Missed::Nothing => None,
            Missed::With(_) => spent.stop.or(Some(Stop::Exhausted)),
        };
        Answer { best: found.best, upper: i64::MAX, missed: found.missed, stop }
    }
}

/// What rules everything out before any search, in the statistics.
const WALKS: Method = Method::step(Engine::Auto, "walks");

/// The name of the first try there.
const DEPTH_FIRST: &str = "depth-first";

fn preference(one: &str, work: f64, other: &str, more: f64) -> String {
    /// Both engines reckon in units of about this many seconds.
    const SECONDS: f64 = 1e-9;
    if more.is_finite() {
        format!("{one}: expected to take {:.1e} s, {other} {:.1e} s", work * SECONDS, more * SECONDS)
    } else {
        format!("{one}: {other} does not fit in memory")
    }
}
