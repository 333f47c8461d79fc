//! Shares to begin with where edges are many and weights differ: by potentials of the vertices, soon near the best.
//!
//! With potentials `π` no path is worth more than `Σ wanted(v) π(v) + Σ max(0, w(uv) − π(u) − π(v))`, where a vertex wants two
//! edges, or one at its entry and one at its exit where they are directed. The maximum is smoothed, less and less from sweep to
//! sweep, and each sweep goes half the step that I. Newton's method would go in every coordinate alone. An edge is booked at each
//! of its ends with the potential there and half of what it is worth more.

use crate::view::{CsrGraph, Edge};

/// The sweeps, and over how much of the range of weights the maximum is smoothed in the first and the last.
pub(crate) const SWEEPS: usize = 60;
const HOT: f32 = 0.05;
const COLD: f32 = 0.001;
/// A step is no longer than so many widths.
const LONGEST_STEP: f32 = 4.0;
/// With fewer edges for each vertex the descent is as quick from anywhere.
const DENSE: usize = 8;

/// Over how much of the range of weights the maximum is smoothed in a sweep.
pub(crate) fn width(sweep: usize) -> f32 {
    HOT * (COLD / HOT).powf(sweep as f32 / (SWEEPS - 1) as f32)
}

/// How much an edge is used that is worth so many widths more than the potentials of its ends, from 0 to 1, and twice how fast that
/// grows.
#[inline]
pub(crate) fn smoothed_use(above: f32) -> (f32, f32) {
    let inverse = 1.0 / (1.0 + above * above).sqrt();
    (0.5 + 0.5 * above * inverse, inverse * inverse * inverse)
}

/// How far a potential goes whose edges are used so much more than it wants, where those numbers add up to `slope`: half of
/// Newton's step.
pub(crate) fn step(width: f32, surplus: f32, slope: f32) -> f32 {
    width * (surplus / (slope + f32::MIN_POSITIVE)).clamp(-LONGEST_STEP, LONGEST_STEP)
}

/// Whether they are of use.
pub(super) fn fit(graph: &CsrGraph) -> bool {
    let edges = graph.edges();
    edges.len() >= DENSE * graph.vertex_count() && edges.iter().any(|edge| edge.weight != edges[0].weight)
}

/// The work of [`at_sources`].
pub(super) fn work(graph: &CsrGraph) -> usize {
    SWEEPS * (graph.edge_count() + 2 * graph.vertex_count())
}

/// By edge, what is booked at its source; `None` where it `is_over` before that is settled.
pub(super) fn at_sources(graph: &CsrGraph, is_over: &dyn Fn() -> bool) -> Option<Vec<f64>> {
    let n = graph.vertex_count();
    let (count, wanted) = if graph.is_directed() { (2 * n, 1.0) } else { (n, 2.0) };
    let weights = || graph.edges().iter().map(|edge| edge.weight);
    let (least, most) = (weights().min()?, weights().max()?);
    let range = (most - least) as f32;
    let ends = |edge: &Edge| {
        let target = edge.target as usize + if graph.is_directed() { n } else { 0 };
        (edge.source as usize, target, (edge.weight - least) as f32 / range)
    };
    // Half of the heaviest edge but one.
    let mut heaviest = vec![[0.0; 2]; count];
    for (source, target, weight) in graph.edges().iter().map(ends) {
        for end in [source, target] {
            let [first, second] = heaviest[end];
            heaviest[end] = [f32::max(first, weight), f32::max(second, weight.min(first))];
        }
    }
    let mut potentials: Vec<f32> = heaviest.into_iter().map(|[_, second]| second / 2.0).collect();
    let (mut surplus, mut slopes) = (vec![0.0; count], vec![0.0; count]);
    for sweep in 0..SWEEPS {
        if is_over() {
            return None;
        }
        let width = width(sweep);
        surplus.fill(-wanted);
        slopes.fill(0.0);
        for (source, target, weight) in graph.edges().iter().map(ends) {
            let (used, slope) = smoothed_use((weight - potentials[source] - potentials[target]) / width);
            for end in [source, target] {
                surplus[end] += used;
                slopes[end] += slope;
            }
        }
        for (potential, (&surplus, &slope)) in potentials.iter_mut().zip(surplus.iter().zip(&slopes)) {
            *potential += step(width, surplus, slope);
        }
    }
    let at_source = |edge: &Edge| {
        let (source, target, _) = ends(edge);
        (edge.weight as f64 + f64::from((potentials[source] - potentials[target]) * range)) / 2.0
    };
    Some(graph.edges().iter().map(at_source).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_points_on_a_line_say_that_every_edge_spans_the_middle() {
        for is_directed in [false, true] {
            let place = |vertex: u32| i64::from(vertex * vertex);
            let pairs = (0..20u32).flat_map(|a| (0..20u32).map(move |b| (a, b)));
            let edges: Vec<Edge> = pairs
                .filter(|&(a, b)| if is_directed { a != b } else { a < b })
                .map(|(source, target)| Edge { source, target, weight: (place(source) - place(target)).abs() })
                .collect();
            let graph = CsrGraph::from_simple(20, is_directed, edges);
            assert!(fit(&graph) || !is_directed);
            let shares = at_sources(&graph, &|| false).expect("nobody ends it");
            let mut bound = 0.0;
            for vertex in 0..20 {
                let booked = |at: usize| {
                    let (edge, share) = (&graph.edges()[at], shares[at]);
                    let is_source = edge.source == vertex;
                    let other = edge.weight as f64 - share;
                    (is_source || edge.target == vertex).then_some((is_source, if is_source { share } else { other }))
                };
                let mut all: Vec<(bool, f64)> = (0..graph.edge_count()).filter_map(booked).collect();
                all.sort_by(|a, b| b.1.total_cmp(&a.1));
                bound += if is_directed {
                    let best = |exit: bool| all.iter().find(|booked| booked.0 == exit).map_or(0.0, |booked| booked.1);
                    best(true) + best(false)
                } else {
                    all[0].1 + all[1].1
                };
            }
            // Twice what lies beyond the middle on one side, less what lies before it on the other.
            let longest = 2 * ((10..20).map(place).sum::<i64>() - (0..10).map(place).sum::<i64>());
            assert!(bound >= longest as f64 - 1e-6 && bound <= 1.06 * longest as f64, "{bound}, {longest}");
        }
    }
}
