//! A graph in several connected components, some of which are line graphs.
//!
//! No path is in two components, so each can be asked by itself, the largest first: the best path so far is the floor of all
//! that come after, and a component that can't beat it is not looked at. Line graphs are asked of their roots; what is left is
//! one graph to the stages that follow. A bound of the whole is the greatest of the bounds of all components, solved or not.

use super::line::{self, may_have_root};
use super::{Context, Scope, leaf, solve_as_graph};
use crate::instance::{Ends, Outcome, Piece, Run, best_end};
use crate::solution::Stop;
use crate::view::CsrGraph;

/// A component that may have the longest path.
struct Component {
    vertices: Vec<u32>,
    /// None of its paths is worth more.
    most: i64,
}

/// Solves an undirected piece, all of whose edges weigh 1, by components where some of these are line graphs.
pub(super) fn solve(piece: &Piece, context: &Context, run: &mut Run<'_>) -> Outcome {
    let Ends::Open { first, last, lone } = &piece.ends else {
        return solve_as_graph(piece, i64::MIN, i64::MIN, context, run);
    };
    let components = components(piece, first, last);
    if components.len() < 2 {
        return solve_as_graph(piece, i64::MIN, i64::MIN, context, run);
    }
    let part = |vertices: &[u32], scratch: &mut Vec<u32>| {
        let (graph, _) = piece.graph.induced(vertices, scratch);
        let pick = |prizes: &[i64]| vertices.iter().map(|&vertex| prizes[vertex as usize]).collect();
        Piece { graph, ends: Ends::Open { first: pick(first), last: pick(last), lone: *lone } }
    };
    let mut scratch = vec![u32::MAX; piece.graph.vertex_count()];
    let mut answer = Outcome { best: None, upper: i64::MIN, stop: None, steps: 0, peak_bytes: 0 };
    // Those that are no line graphs, or have too wide a root, with what they promise.
    let mut others: Vec<(&Component, i64)> = Vec::new();
    let mut most_of_others = i64::MIN;
    let mut work_left: f64 = components.iter().map(Component::work).sum();
    let mut lower = i64::MIN;
    let mut is_any_asked = false;
    for (next, component) in (1..).zip(&components) {
        if component.most <= lower {
            break;
        }
        if component.vertices.len() <= leaf::TINY {
            others.push((component, component.most));
            most_of_others = most_of_others.max(component.most);
            continue;
        }
        let part = part(&component.vertices, &mut scratch);
        let later = components.get(next).map_or(i64::MIN, |component| component.most);
        let rest = most_of_others.max(later).max(answer.upper);
        let share = component.work() / work_left;
        let asked = match may_have_root(&part.graph, context) {
            true => line::ask_component(&part, lower, share, Scope::Whole { rest }, run),
            false => None,
        };
        let Some(mut outcome) = asked else {
            others.push((component, component.most));
            most_of_others = most_of_others.max(component.most);
            continue;
        };
        is_any_asked = true;
        if outcome.stop == Some(Stop::Exhausted) {
            others.push((component, outcome.upper));
            most_of_others = most_of_others.max(outcome.upper);
            outcome.upper = i64::MIN;
            outcome.stop = None;
        } else {
            work_left -= component.work();
        }
        keep(&mut answer, outcome, &component.vertices);
        lower = answer.best.as_ref().map_or(i64::MIN, |(_, value)| *value);
    }
    if !is_any_asked {
        return solve_as_graph(piece, i64::MIN, i64::MIN, context, run);
    }
    others.retain(|&(_, most)| most > lower);
    if !others.is_empty() {
        let mut left: Vec<u32> = others.iter().flat_map(|(other, _)| &other.vertices).copied().collect();
        left.sort_unstable();
        run.note(format!("components: {} of {} vertices are left", left.len(), piece.graph.vertex_count()));
        let mut outcome = solve_as_graph(&part(&left, &mut scratch), lower, answer.upper, context, run);
        outcome.upper = outcome.upper.min(most_of_others).max(lower);
        keep(&mut answer, outcome, &left);
    }
    answer.upper = answer.upper.max(lower);
    if answer.best.as_ref().is_some_and(|&(_, value)| value == answer.upper) {
        answer.stop = None;
    }
    answer
}

/// Adds what a part has brought, in its own vertices.
fn keep(answer: &mut Outcome, part: Outcome, vertices: &[u32]) {
    if let Some((path, value)) = part.best {
        answer.best = Some((path.iter().map(|&vertex| vertices[vertex as usize]).collect(), value));
    }
    answer.upper = answer.upper.max(part.upper);
    answer.stop = part.stop.or(answer.stop);
    answer.steps += part.steps;
    answer.peak_bytes = answer.peak_bytes.max(part.peak_bytes);
}

impl Component {
    /// The cost of solving it, as far as shares of the time go.
    fn work(&self) -> f64 {
        (self.vertices.len() as f64).powi(2)
    }
}

/// The components in which a path may begin and end, those that promise most first.
fn components(piece: &Piece, first: &[i64], last: &[i64]) -> Vec<Component> {
    let graph = &piece.graph;
    let mut reached = vec![false; graph.vertex_count()];
    let mut components = Vec::new();
    for start in 0..graph.vertex_count() as u32 {
        if reached[start as usize] {
            continue;
        }
        let vertices = reach(graph, start, &mut reached);
        let best =
            |prizes: &[i64]| best_end(&vertices.iter().map(|&vertex| prizes[vertex as usize]).collect::<Vec<_>>());
        if let (Some(alpha), Some(beta)) = (best(first), best(last)) {
            components.push(Component { most: vertices.len() as i64 - 1 + alpha + beta, vertices });
        }
    }
    components.sort_by_key(|component| (std::cmp::Reverse(component.most), component.vertices[0]));
    components
}

/// The component of a vertex.
fn reach(graph: &CsrGraph, start: u32, reached: &mut [bool]) -> Vec<u32> {
    reached[start as usize] = true;
    let mut vertices = vec![start];
    let mut next = 0;
    while let Some(&vertex) = vertices.get(next) {
        next += 1;
        for arc in graph.out_arcs(vertex) {
            if !std::mem::replace(&mut reached[arc.target as usize], true) {
                vertices.push(arc.target);
            }
        }
    }
    vertices
}
