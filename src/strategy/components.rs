//! A graph in several connected components, some of which are line graphs.
//!
//! No path is in two components, so each can be asked by itself, the largest first: the best path so far is the floor of all
//! that come after, and a component that can't beat it is not looked at. Line graphs are asked of their roots; what is left is
//! one graph to the stages that follow. A bound of the whole is the greatest of the bounds of all components, solved or not.

use fixedbitset::FixedBitSet;

use super::line::{self, may_have_root};
use super::scope::{Context, Scope};
use super::{block_solver, solve_as_graph};
use crate::instance::{Ends, Instance, Outcome, Run, best_end};
use crate::solution::Stop;
use crate::view::{CsrGraph, IsOver};

/// A component that may have the longest path.
struct Component {
    vertices: Vec<u32>,
    /// None of its paths is worth more.
    most: i64,
}

/// Solves an undirected instance, all of whose edges weigh 1, by components where some of these are line graphs.
pub(super) fn solve(instance: &Instance, context: &Context, run: &mut Run<'_>) -> Outcome {
    let whole = |run: &mut Run<'_>| solve_as_graph(instance, i64::MIN, i64::MIN, context, run);
    let Ends::Open { first, last, .. } = &instance.ends else { return whole(run) };
    let Some(components) = components(instance, first, last, &mut || run.budget.spent().is_some()) else {
        return Outcome { stop: run.budget.spent(), ..Outcome::nothing_above(i64::MIN, instance.trivial_bound()) };
    };
    if components.len() < 2 {
        return whole(run);
    }
    let scratch = vec![u32::MAX; instance.graph.vertex_count()];
    let answer = Outcome::nothing_above(i64::MIN, i64::MIN);
    let mut parts = Parts { instance, context, scratch, answer, others: Vec::new(), stop: None };
    let asked = components.len();
    let mut again = parts.ask_each(components, run);
    if parts.others.len() == asked {
        return whole(run);
    }
    parts.ask_others(&again, run);
    while run.budget.spent().is_none() && again.iter().any(|component| component.most > parts.lower()) {
        run.note(format!("components: {} again, since time is left", again.len()));
        again = parts.ask_each(again, run);
        parts.ask_others(&again, run);
    }
    parts.end(&again, run)
}

/// Components at work.
struct Parts<'a> {
    instance: &'a Instance,
    context: &'a Context,
    scratch: Vec<u32>,
    /// The best path, in vertices of the instance; `upper` bounds what is settled, or has had all that may help it.
    answer: Outcome,
    /// Those that are no line graphs, or have too wide a root.
    others: Vec<Component>,
    /// Why something that had its time is not settled.
    stop: Option<Stop>,
}

impl Parts<'_> {
    fn lower(&self) -> i64 {
        self.answer.best.as_ref().map_or(i64::MIN, |(_, value)| *value)
    }

    /// Asks line graphs of their roots, each with its share of the time, and puts the others aside. Returns those that need
    /// more time.
    fn ask_each(&mut self, components: Vec<Component>, run: &mut Run<'_>) -> Vec<Component> {
        let mut work_left: f64 = components.iter().map(Component::work).sum();
        let mut again = Vec::new();
        let mut components = components.into_iter().peekable();
        while let Some(mut component) = components.next() {
            let lower = self.lower();
            if component.most <= lower {
                break;
            }
            let rest = components.peek().map_or(i64::MIN, |next| next.most).max(self.rest(&again));
            let share = component.work() / work_left;
            let Some(outcome) = self.ask_root(&component, share, Scope::Whole { rest }, run) else {
                self.others.push(component);
                continue;
            };
            let Outcome { best, upper, stop, .. } = outcome;
            self.keep(Outcome { best, upper: i64::MIN, ..outcome }, &component.vertices);
            component.most = component.most.min(upper);
            match stop {
                Some(Stop::Exhausted) => self.others.push(component),
                Some(Stop::TimeLimit) => {
                    work_left -= component.work();
                    again.push(component);
                }
                stop => {
                    work_left -= component.work();
                    self.answer.upper = self.answer.upper.max(upper);
                    self.stop = stop.or(self.stop);
                }
            }
        }
        again
    }

    /// The answer of the root of a component, if it has one.
    fn ask_root(&mut self, component: &Component, share: f64, scope: Scope, run: &mut Run<'_>) -> Option<Outcome> {
        if component.vertices.len() <= block_solver::TINY {
            return None;
        }
        let Some(part) = self.part(&component.vertices, run) else {
            return Some(unasked(component.most, run));
        };
        may_have_root(&part.graph, self.context)
            .then(|| line::ask_component(&part, self.lower(), share, scope, run))
            .flatten()
    }

    /// What is put aside is one graph to the stages that follow.
    fn ask_others(&mut self, again: &[Component], run: &mut Run<'_>) {
        let lower = self.lower();
        let mut others = std::mem::take(&mut self.others);
        others.retain(|other| other.most > lower);
        let Some(most) = others.iter().map(|other| other.most).max() else { return };
        let mut left: Vec<u32> = others.iter().flat_map(|other| &other.vertices).copied().collect();
        left.sort_unstable();
        run.note(format!("components: {} of {} vertices are left", left.len(), self.instance.graph.vertex_count()));
        let mut outcome = match self.part(&left, run) {
            Some(part) => solve_as_graph(&part, lower, self.rest(again), self.context, run),
            None => unasked(most, run),
        };
        outcome.upper = outcome.upper.min(most);
        self.stop = outcome.stop.or(self.stop);
        self.keep(outcome, &left);
    }

    /// Bounds all that is not at work: what is put aside, what has had its time, and what needs more.
    fn rest(&self, again: &[Component]) -> i64 {
        let left = self.others.iter().chain(again).map(|component| component.most).max();
        left.unwrap_or(i64::MIN).max(self.answer.upper)
    }

    /// The instance on these vertices, or `None` where a limit is spent on the way.
    fn part(&mut self, vertices: &[u32], run: &Run<'_>) -> Option<Instance> {
        let Ends::Open { first, last, single_vertex } = &self.instance.ends else {
            unreachable!("cycles are asked elsewhere")
        };
        let is_over = &mut || run.budget.spent().is_some();
        let (graph, _) = self.instance.graph.induced_unless(vertices, &mut self.scratch, is_over)?;
        let pick = |prizes: &[i64]| vertices.iter().map(|&vertex| prizes[vertex as usize]).collect();
        Some(Instance {
            graph,
            ends: Ends::Open { first: pick(first), last: pick(last), single_vertex: *single_vertex },
        })
    }

    /// Adds what a part has brought, in its own vertices.
    fn keep(&mut self, part: Outcome, vertices: &[u32]) {
        let lower = self.lower();
        if let Some((path, value)) = part.best.filter(|&(_, value)| value > lower) {
            self.answer.best = Some((path.iter().map(|&vertex| vertices[vertex as usize]).collect(), value));
        }
        self.answer.upper = self.answer.upper.max(part.upper);
        self.answer.steps += part.steps;
        self.answer.peak_bytes = self.answer.peak_bytes.max(part.peak_bytes);
    }

    fn end(mut self, again: &[Component], run: &Run<'_>) -> Outcome {
        self.answer.upper = self.rest(again).max(self.lower());
        if self.answer.upper > self.lower() {
            self.answer.stop = run.budget.spent().or(self.stop);
        }
        self.answer
    }
}

/// What is known of a component that nobody could look at.
fn unasked(most: i64, run: &Run<'_>) -> Outcome {
    Outcome { stop: run.budget.spent(), ..Outcome::nothing_above(i64::MIN, most) }
}

impl Component {
    /// The cost of solving it, as far as shares of the time go.
    fn work(&self) -> f64 {
        (self.vertices.len() as f64).powi(2)
    }
}

/// The components in which a path may begin and end, those that promise most first. `None` if `is_over` says so.
fn components(instance: &Instance, first: &[i64], last: &[i64], is_over: IsOver<'_>) -> Option<Vec<Component>> {
    const LARGE: usize = 1 << 15;
    let mut unlooked = 0;
    let graph = &instance.graph;
    let mut reached = FixedBitSet::with_capacity(graph.vertex_count());
    let mut components = Vec::new();
    for start in 0..graph.vertex_count() as u32 {
        if reached[start as usize] {
            continue;
        }
        let vertices = reach(graph, start, &mut reached, is_over)?;
        unlooked += vertices.len();
        if unlooked > LARGE {
            unlooked = 0;
            if is_over() {
                return None;
            }
        }
        let best =
            |prizes: &[i64]| best_end(&vertices.iter().map(|&vertex| prizes[vertex as usize]).collect::<Vec<_>>());
        if let (Some(alpha), Some(beta)) = (best(first), best(last)) {
            components.push(Component { most: vertices.len() as i64 - 1 + alpha + beta, vertices });
        }
    }
    components.sort_by_key(|component| (std::cmp::Reverse(component.most), component.vertices[0]));
    Some(components)
}

/// The component of a vertex, or `None` if `is_over` says so.
fn reach(graph: &CsrGraph, start: u32, reached: &mut FixedBitSet, is_over: IsOver<'_>) -> Option<Vec<u32>> {
    const VERTICES_BETWEEN_LOOKS: usize = 1 << 15;
    reached.insert(start as usize);
    let mut vertices = vec![start];
    let mut next = 0;
    while let Some(&vertex) = vertices.get(next) {
        next += 1;
        if next.is_multiple_of(VERTICES_BETWEEN_LOOKS) && is_over() {
            return None;
        }
        for arc in graph.out_arcs(vertex) {
            if !reached.put(arc.target as usize) {
                vertices.push(arc.target);
            }
        }
    }
    Some(vertices)
}
