//! Shares to begin with where edges are many and weights differ: by potentials of the vertices, soon near the best.
//!
//! With potentials `π` no path is worth more than `Σ wanted(v) π(v) + Σ max(0, w(uv) − π(u) − π(v))`, where a vertex wants two
//! edges, or one at its entry and one at its exit where they are directed. The maximum is smoothed, less and less from sweep to
//! sweep, and each sweep goes half the step that I. Newton's method would go in every coordinate alone. An edge is booked at each
//! of its ends with the potential there and half of what it is worth more.

use crate::view::CsrGraph;

/// The sweeps, and over how much of the range of weights the maximum is smoothed in the first and the last.
const SWEEPS: usize = 60;
const HOT: f64 = 0.05;
const COLD: f64 = 0.001;
/// With fewer edges for each vertex the descent is as quick from anywhere.
const DENSE: usize = 8;

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
    let ends = |at: usize| {
        let edge = &graph.edges()[at];
        let target = edge.target as usize + if graph.is_directed() { n } else { 0 };
        (edge.source as usize, target, edge.weight as f64)
    };
    let weights = || graph.edges().iter().map(|edge| edge.weight as f64);
    let range = weights().fold(f64::MIN, f64::max) - weights().fold(f64::MAX, f64::min);
    // Half of the heaviest edge but one.
    let mut heaviest = vec![[f64::MIN; 2]; count];
    for (source, target, weight) in (0..graph.edge_count()).map(ends) {
        for end in [source, target] {
            let [first, second] = heaviest[end];
            heaviest[end] = [first.max(weight), second.max(weight.min(first))];
        }
    }
    let begin = |[first, second]: [f64; 2]| if second > f64::MIN { second / 2.0 } else { first.max(0.0) / 2.0 };
    let mut potentials: Vec<f64> = heaviest.into_iter().map(begin).collect();
    let (mut used, mut slopes) = (vec![0.0; count], vec![0.0; count]);
    for sweep in 0..SWEEPS {
        if is_over() {
            return None;
        }
        let width = range * HOT * (COLD / HOT).powf(sweep as f64 / (SWEEPS - 1) as f64);
        used.fill(-wanted);
        slopes.fill(f64::MIN_POSITIVE);
        for (source, target, weight) in (0..graph.edge_count()).map(ends) {
            let above = (weight - potentials[source] - potentials[target]) / width;
            let inverse = 1.0 / (1.0 + above * above).sqrt();
            let (use_of, slope) = (0.5 + 0.5 * above * inverse, inverse * inverse * inverse);
            for end in [source, target] {
                used[end] += use_of;
                slopes[end] += slope;
            }
        }
        for (potential, (used, slope)) in potentials.iter_mut().zip(used.iter().zip(&slopes)) {
            *potential += width * (used / slope).clamp(-4.0, 4.0);
        }
    }
    let at_source = |at: usize| {
        let (source, target, weight) = ends(at);
        (weight + potentials[source] - potentials[target]) / 2.0
    };
    Some((0..graph.edge_count()).map(at_source).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Edge;

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
