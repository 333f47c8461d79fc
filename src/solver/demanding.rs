//! A longest path with demands: prizes and musts fold into weights, which every engine knows; hops and chords go to the
//! frontier-based search, and where the graph is too wide for that, to a search that grows paths.

use std::io::Write;
use std::time::{Duration, Instant};

use super::folding::{Folded, fold};
use super::reading::{Question, Reading};
use super::{check_sieve, proved, solution};
use crate::decompose::VertexOrder;
use crate::engine::Engine;
use crate::engines::branch_and_cut::{self, Side};
use crate::engines::growing;
use crate::engines::orders::{order_for, quick_order, refined};
use crate::error::Error;
use crate::instance::{Ends, Monitor, Outcome, Run, Scale};
use crate::options::Options;
use crate::sets::set_of;
use crate::solution::{Path, Solution, Stop};
use crate::strategy::{self, sweep};
use crate::view::{CsrGraph, InputGraph};

/// Up to so many predicted states the search with hops is tried before anything else.
const FEW_STATES: f64 = 1e6;

/// Beyond so many predicted states it is not tried at all.
const MANY_STATES: f64 = 1e9;

/// How many edges may be looked at before another search has its turn: less than a second.
const FIRST_WORK: u64 = 100_000_000;

/// What branch and cut does in its first turn: a unit for every row of its program at every pivot. And how many edges may be
/// looked at meanwhile for each.
const FIRST_CUTTING: u64 = 10_000_000;
const WORK_OF_A_UNIT: u64 = 10;

/// What share of the time the question without hops may take, and how long.
const SHARE_WITHOUT_HOPS: f64 = 0.3;
const SECONDS_WITHOUT_HOPS: u64 = 30;

/// What share of the time that is left a sweep may take before paths are grown to the end.
const SHARE_ASIDE: f64 = 0.5;

/// What is known so far, in worths.
struct Known {
    /// The edges of the best path and its worth; none of a single vertex.
    best: Option<(Shape, i64)>,
    upper: i64,
    stop: Option<Stop>,
}

/// A path before it is told in the caller's ids.
enum Shape {
    Lone(u32),
    Edges(Vec<u32>),
}

/// Answers a question with demands.
pub(super) fn solve<G: InputGraph>(
    question: &Question<'_, '_, G>,
    options: &Options,
    mut run: Run<'_>,
) -> Result<Solution<G::NodeId, G::EdgeId>, Error> {
    let reading = question.read()?;
    let demands = question.demands;
    let hops = demands.at_least.is_some() || demands.at_most.is_some();
    let engine = options.engine.engine();
    let knows_all = matches!(engine, Engine::Auto | Engine::Frontier | Engine::BranchAndBound | Engine::BranchAndCut);
    if (hops || demands.induced) && !knows_all {
        return Err(Error::request(
            format!("the engine '{engine}' with a number of edges or without chords"),
            "only 'auto', 'frontier', 'branch-and-bound' and 'branch-and-cut' know of these",
        ));
    }
    let lone = reading.lone().map(|(vertex, worth)| (Shape::Lone(vertex), worth));
    let floor = lone.as_ref().map_or(i64::MIN, |&(_, worth)| worth);
    let known = if reading.only_lone() {
        run.enter(Engine::Auto, "auto: no path with an edge can be an answer".to_owned());
        Known { best: None, upper: i64::MIN, stop: None }
    } else if demands.induced {
        induced(&reading, floor, options, &mut run)
    } else if hops {
        with_hops(&reading, floor, options, &mut run)?
    } else {
        folded(&reading, floor, options, &mut run)?
    };
    let Known { best, upper, stop } = known;
    let best = match (best, lone) {
        (Some(best), Some(lone)) => Some(if best.1 >= lone.1 { best } else { lone }),
        (best, lone) => best.or(lone),
    };
    let worth = best.as_ref().map_or(i64::MIN, |&(_, worth)| worth);
    let upper = upper.max(worth);
    if worth > i64::MIN {
        run.incumbent(worth);
    }
    run.bound(upper);
    let path: Option<Path<_, _>> = best.map(|(shape, worth)| match shape {
        Shape::Lone(vertex) => reading.lone_path(vertex, worth),
        Shape::Edges(edges) => reading.path(&edges, worth),
    });
    if let Some(path) = &path {
        question.check(path);
    }
    Ok(solution(path, upper, stop, run))
}

/// A proof of an answer to a question whose only demands are prizes, or why there is none.
pub(super) fn prove<G: InputGraph>(
    question: &Question<'_, '_, G>,
    solution: &Solution<G::NodeId, G::EdgeId>,
    form: (Option<Box<dyn Write + Send + '_>>, bool),
    run: &mut Run<'_>,
) -> Result<Result<Vec<u8>, String>, Error> {
    let reading = question.read()?;
    let Some(Folded { instance, scale, .. }) = fold(&reading) else {
        return Ok(Err("prizes are too large to be weights".to_owned()));
    };
    let numbers: Vec<u32> = reading.nodes().iter().map(|&node| question.graph.to_index(node) as u32).collect();
    let mut vertices = vec![0; question.graph.node_bound()];
    (0..).zip(&numbers).for_each(|(vertex, &number)| vertices[number as usize] = vertex);
    let best = solution.path().map(|nodes| {
        let path: Vec<u32> = nodes.iter().map(|&node| vertices[question.graph.to_index(node)]).collect();
        let value = instance.value(&path);
        (path, value)
    });
    let upper = solution.upper_bound().map_or(i64::MIN, |bound| bound.saturating_mul(scale.factor));
    let outcome = Outcome { best, ..Outcome::nothing_above(i64::MIN, upper) };
    let prizes: Vec<i64> = (0..numbers.len() as u32).map(|vertex| reading.asked.demands.prize(vertex)).collect();
    let prizes = Some(&prizes[..]).filter(|prizes| prizes.iter().any(|&prize| prize != 0));
    proved(&instance, (&numbers, question.graph.node_bound()), prizes, None, &outcome, form, run)
}

/// Prizes and musts as weights.
fn folded<N: Copy, E: Copy>(
    reading: &Reading<N, E>,
    floor: i64,
    options: &Options,
    run: &mut Run<'_>,
) -> Result<Known, Error> {
    let Some(Folded { instance, edge_from_edge, scale }) = fold(reading) else {
        run.note("demands: prizes and musts are too large to be weights".to_owned());
        let order = order_for(&reading.asked.simple_graph().0, &run.budget);
        return Ok(swept(reading, &order, floor, reading.most, run));
    };
    check_sieve(options.engine.engine(), &instance.graph)?;
    run.measure(scale);
    let outcome = strategy::solve(&instance, options, run);
    run.measure(Scale::PLAIN);
    let best = outcome.best.and_then(|(vertices, value)| {
        let worth = scale.worth(value)?;
        let shape = match vertices[..] {
            [vertex] => Shape::Lone(vertex),
            _ => {
                let mut edges: Vec<u32> = instance.graph.edges_along(&vertices).collect();
                if let Ends::Closed { .. } = instance.ends {
                    let closing = instance.graph.edge_between(vertices[vertices.len() - 1], vertices[0]);
                    edges.push(closing.expect("a cycle closes"));
                }
                Shape::Edges(edges.iter().map(|&edge| edge_from_edge[edge as usize]).collect())
            }
        };
        Some((shape, worth))
    });
    Ok(Known { best, upper: scale.bound(outcome.upper), stop: outcome.stop })
}

/// A number of edges: the sweep at once where that is cheap. Else paths are grown for a while; then the question without a
/// number of edges gives a bound, and an answer if its path has the right number; then the sweep if there is room for its
/// states, and paths are grown to the end.
fn with_hops<N: Copy, E: Copy>(
    reading: &Reading<N, E>,
    floor: i64,
    options: &Options,
    run: &mut Run<'_>,
) -> Result<Known, Error> {
    let demands = &reading.asked.demands;
    let (graph, _) = reading.asked.simple_graph();
    let order = quick_order(&graph, &run.budget);
    let most = demands.at_most.unwrap_or(demands.at_least).min(reading.asked.vertex_count as u32);
    let states = |order: &VertexOrder| order.predicted_states() * f64::from(most);
    let engine = options.engine.engine();
    if engine == Engine::Frontier || (engine == Engine::Auto && states(&order) < FEW_STATES) {
        let order = refined(&graph, order, &run.budget);
        return Ok(swept(reading, &order, floor, reading.most, run));
    }
    let mut growth = Growth::new(reading, false, floor, run);
    if let Some(known) = growth.asked_by_name(reading, options.engine.engine(), run) {
        return Ok(known);
    }
    if growth.run(FIRST_WORK, run) {
        return Ok(growth.known);
    }
    run.note("hops: without a number of edges, for a bound".to_owned());
    // The incumbents of that search need not be answers.
    let mut aside = run.aside();
    let end = Instant::now() + Duration::from_secs(SECONDS_WITHOUT_HOPS);
    aside.budget = run.budget.share(SHARE_WITHOUT_HOPS).until(end);
    let without = folded(reading, floor, options, &mut aside)?;
    run.absorb(aside);
    if without.upper == i64::MIN {
        return Ok(without);
    }
    let fits = |edges: &[u32]| {
        edges.len() >= demands.at_least as usize && demands.at_most.is_none_or(|most| edges.len() <= most as usize)
    };
    growth.learn(without.best.filter(|(shape, _)| matches!(shape, Shape::Edges(edges) if fits(edges))), without.upper);
    run.bound(growth.known.upper.max(floor));
    if growth.is_settled() {
        return Ok(growth.known);
    }
    let order = refined(&graph, order, &run.budget);
    if states(&order) < MANY_STATES {
        let search = |floor, upper: &mut i64, run: &mut Run<'_>| {
            let known = swept(reading, &order, floor, *upper, run);
            *upper = known.upper;
            (known.best, known.stop)
        };
        growth.aside(search, run);
    }
    Ok(grown_and_cut(growth, reading, run))
}

/// The frontier-based search, which knows all demands.
fn swept<N: Copy, E: Copy>(
    reading: &Reading<N, E>,
    order: &VertexOrder,
    floor: i64,
    upper: i64,
    run: &mut Run<'_>,
) -> Known {
    let mut upper = upper.max(floor);
    let (best, stop) = sweep::best_path(&reading.asked, order, floor, &mut upper, run);
    Known { best: best.map(|(edges, worth)| (Shape::Edges(edges), worth)), upper, stop }
}

/// Induced paths: grown for a while, which settles what is small or has many symmetries; then the sweep if there is room for
/// its states, and paths are grown to the end.
fn induced<N: Copy, E: Copy>(reading: &Reading<N, E>, floor: i64, options: &Options, run: &mut Run<'_>) -> Known {
    let asked = &reading.asked;
    let (graph, edge_from_edge) = asked.simple_graph();
    let mut demands = asked.demands.clone();
    // Between two vertices that are taken the edge is used as well.
    let used = asked.demands.use_edges.ones().map(|edge| asked.edges[edge]);
    demands.visit.extend(used.flat_map(|(source, target, _)| [source, target]));
    let edges_among = |vertices: &[u32]| {
        let taken = set_of(asked.vertex_count, vertices);
        let among = graph.edges().iter().zip(&edge_from_edge);
        let among = among.filter(|(edge, _)| taken[edge.source as usize] && taken[edge.target as usize]);
        among.map(|(_, &edge)| edge).collect()
    };
    let swept = |order: &VertexOrder, floor: i64, upper: &mut i64, run: &mut Run<'_>| {
        let (best, stop) = sweep::best_induced(&graph, order, &demands, floor, upper, run);
        (best.map(|(vertices, worth)| (Shape::Edges(edges_among(&vertices)), worth)), stop)
    };
    if options.engine.engine() == Engine::Frontier {
        let mut upper = reading.most.max(floor);
        let (best, stop) = swept(&order_for(&graph, &run.budget), floor, &mut upper, run);
        return Known { best, upper, stop };
    }
    let mut growth = Growth::new(reading, true, floor, run);
    let hops = demands.at_most.unwrap_or(demands.at_least).clamp(1, asked.vertex_count.max(1) as u32);
    if let Some(known) = growth.asked_by_name(reading, options.engine.engine(), run) {
        return known;
    }
    if growth.run(FIRST_WORK, run) {
        return growth.known;
    }
    let order = order_for(&graph, &run.budget);
    if order.predicted_states() * f64::from(hops) < MANY_STATES {
        growth.aside(|floor, upper, run| swept(&order, floor, upper, run), run);
    }
    grown_and_cut(growth, reading, run)
}

/// Paths are grown, and linear programs cut down to them, in turns that become longer, until either settles the question.
fn grown_and_cut<N: Copy, E: Copy>(mut growth: Growth, reading: &Reading<N, E>, run: &mut Run<'_>) -> Known {
    let Some(mut folded) = fold(reading) else {
        growth.run(u64::MAX, run);
        return growth.known;
    };
    if let Ends::Open { single_vertex, .. } = &mut folded.instance.ends {
        *single_vertex = false;
    }
    let Folded { instance, edge_from_edge, scale } = &folded;
    let demands = &reading.asked.demands;
    let side = Side {
        at_least: demands.at_least.max(1),
        at_most: demands.at_most.unwrap_or(u32::MAX),
        induced: growth.induced,
    };
    let value = |worth: i64| match worth {
        i64::MIN => worth,
        worth => worth.saturating_mul(scale.factor).saturating_add(scale.offset),
    };
    let mut search = branch_and_cut::Search::beside(instance, side, value(growth.lower()), value(growth.known.upper));
    let mut work = FIRST_CUTTING;
    while !growth.is_settled() {
        run.enter(Engine::BranchAndCut, "demands: branch and cut".to_owned());
        run.measure(*scale);
        let budget = run.budget.clone();
        let outcome = search.run(work, &budget, run);
        run.measure(Scale::PLAIN);
        run.spend(outcome.steps, outcome.peak_bytes);
        let best = outcome.best.and_then(|(path, value)| {
            let edges = edges_of(&instance.graph, edge_from_edge, growth.closed, &path);
            Some((Shape::Edges(edges), scale.worth(value)?))
        });
        growth.learn(best, scale.bound(outcome.upper));
        growth.known.stop = outcome.stop;
        run.bound(growth.known.upper);
        match outcome.stop {
            None => break,
            // Too large for a program: the rest is grown.
            Some(Stop::MemoryLimit) => {
                growth.run(u64::MAX, run);
                break;
            }
            Some(Stop::Exhausted) => {}
            Some(_) => break,
        }
        if growth.run(work.saturating_mul(WORK_OF_A_UNIT), run) {
            break;
        }
        let known = growth.path.as_ref().map(|(path, worth)| (path.clone(), value(*worth)));
        search.learn(known.as_ref(), value(growth.known.upper));
        work = work.saturating_mul(2);
    }
    if growth.is_settled() {
        growth.known.stop = None;
    }
    growth.known
}

/// The edges along a path, or round a cycle, as those of the reading.
fn edges_of(graph: &CsrGraph, edge_from_edge: &[u32], closed: bool, path: &[u32]) -> Vec<u32> {
    let mut edges: Vec<u32> = graph.edges_along(path).collect();
    if closed {
        edges.extend(graph.edge_between(path[path.len() - 1], path[0]));
    }
    edges.iter().map(|&edge| edge_from_edge[edge as usize]).collect()
}

/// Paths that are grown, with what is known from elsewhere.
struct Growth {
    search: growing::Search,
    edge_from_edge: Vec<u32>,
    graph: CsrGraph,
    closed: bool,
    induced: bool,
    floor: i64,
    known: Known,
    /// The best path that was grown, vertex by vertex.
    path: Option<(Vec<u32>, i64)>,
}

impl Growth {
    fn new<N: Copy, E: Copy>(reading: &Reading<N, E>, induced: bool, floor: i64, run: &mut Run<'_>) -> Self {
        let (question, edge_from_edge) = reading.asked.growing(induced);
        let (graph, closed) = (question.graph.clone(), question.closed);
        let mut search = growing::Search::new(question, floor, run.budget.memory);
        search.learn(floor, reading.most);
        let known = Known { best: None, upper: reading.most.max(floor), stop: Some(Stop::Exhausted) };
        Growth { search, edge_from_edge, graph, closed, induced, floor, known, path: None }
    }

    /// The answer, if an engine is asked for by its name.
    fn asked_by_name<N: Copy, E: Copy>(
        &mut self,
        reading: &Reading<N, E>,
        engine: Engine,
        run: &mut Run<'_>,
    ) -> Option<Known> {
        match engine {
            Engine::BranchAndBound => {
                self.run(u64::MAX, run);
            }
            Engine::BranchAndCut => {
                let alone = Growth::new(reading, self.induced, self.floor, run);
                return Some(grown_and_cut(alone, reading, run));
            }
            _ => return None,
        }
        let unknown = Known { best: None, upper: i64::MIN, stop: None };
        Some(std::mem::replace(&mut self.known, unknown))
    }

    fn lower(&self) -> i64 {
        self.known.best.as_ref().map_or(self.floor, |&(_, worth)| worth)
    }

    fn is_settled(&self) -> bool {
        self.known.upper <= self.lower()
    }

    /// Grows paths until so many edges have been looked at; whether that settled the question, or the limits are reached.
    fn run(&mut self, work: u64, run: &mut Run<'_>) -> bool {
        if self.is_settled() {
            self.known.stop = None;
            return true;
        }
        run.enter(Engine::BranchAndBound, "demands: paths are grown from one end".to_owned());
        let size = 1 + self.graph.vertex_count() + self.graph.edge_count();
        let budget = run.budget.clone();
        let grown = self.search.run(work / size as u64, &budget, run);
        run.spend(grown.steps, grown.bytes);
        if let Some((path, worth)) = grown.best.filter(|&(_, worth)| worth > self.lower()) {
            let edges = edges_of(&self.graph, &self.edge_from_edge, self.closed, &path);
            self.known.best = Some((Shape::Edges(edges), worth));
            self.path = Some((path, worth));
        }
        self.known.upper = self.known.upper.min(grown.upper).max(self.lower());
        self.known.stop = grown.stop;
        run.bound(self.known.upper);
        grown.stop != Some(Stop::Exhausted)
    }

    /// Another search in between, with half of the time.
    fn aside(
        &mut self,
        search: impl FnOnce(i64, &mut i64, &mut Run<'_>) -> (Option<(Shape, i64)>, Option<Stop>),
        run: &mut Run<'_>,
    ) {
        let whole = run.budget.clone();
        run.budget = whole.share(SHARE_ASIDE);
        let mut upper = self.known.upper;
        let (best, _) = search(self.lower(), &mut upper, run);
        run.budget = whole;
        self.learn(best, upper);
    }

    /// A path and a bound from elsewhere.
    fn learn(&mut self, best: Option<(Shape, i64)>, upper: i64) {
        if let Some((shape, worth)) = best.filter(|&(_, worth)| worth > self.lower()) {
            self.known.best = Some((shape, worth));
        }
        self.known.upper = self.known.upper.min(upper).max(self.lower());
        self.search.learn(self.lower(), self.known.upper);
    }
}
