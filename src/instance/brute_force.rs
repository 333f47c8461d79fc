//! What tests of all engines hold answers against.

use super::{Ends, Instance, Monitor, NOT_AN_END};

/// Nothing it hears contradicts the optimum.
pub(crate) struct Witness {
    pub(crate) optimum: i64,
}

impl Monitor for Witness {
    fn incumbent(&mut self, value: i64) {
        assert!(value <= self.optimum);
    }

    fn bound(&mut self, upper: i64) {
        assert!(upper >= self.optimum, "{upper} does not bound {}", self.optimum);
    }
}

/// The best path with its value, by trying every sequence of vertices.
pub(crate) fn enumerate(instance: &Instance) -> Option<(Vec<u32>, i64)> {
    let mut best: Option<(Vec<u32>, i64)> = None;
    for_each(instance, |path, value| {
        if best.as_ref().is_none_or(|(_, best)| value > *best) {
            best = Some((path.to_vec(), value));
        }
    });
    best
}

/// Shows every path, or cycle from every vertex, with its value.
pub(crate) fn for_each(instance: &Instance, show: impl FnMut(&[u32], i64)) {
    let vertices = instance.graph.vertex_count();
    assert!(vertices <= 64, "no brute force goes through so many vertices");
    let mut all = All { instance, path: Vec::with_capacity(vertices), show };
    for start in 0..vertices as u32 {
        all.path.push(start);
        all.go_on(1 << start, 0);
        all.path.pop();
    }
}

/// Every sequence of vertices in turn.
struct All<'a, S> {
    instance: &'a Instance,
    path: Vec<u32>,
    show: S,
}

impl<S: FnMut(&[u32], i64)> All<'_, S> {
    /// `seen` has the vertices of the path as bits, `length` is its length.
    fn go_on(&mut self, seen: u64, length: i64) {
        let (first, last) = (self.path[0], self.path[self.path.len() - 1]);
        let graph = &self.instance.graph;
        match &self.instance.ends {
            Ends::Open { first: alpha, last: beta, single_vertex } => {
                let (alpha, beta) = (alpha[first as usize], beta[last as usize]);
                if alpha != NOT_AN_END && beta != NOT_AN_END && (*single_vertex || self.path.len() > 1) {
                    (self.show)(&self.path, length + alpha + beta);
                }
            }
            Ends::Closed { through } => {
                let least = if graph.is_directed() { 2 } else { 3 };
                if self.path.len() >= least
                    && through.is_none_or(|through| seen >> through & 1 == 1)
                    && let Some(edge) = graph.edge_between(last, first)
                {
                    (self.show)(&self.path, length + graph.weight(edge));
                }
            }
        }
        for arc in graph.out_arcs(last) {
            if seen >> arc.target & 1 == 0 {
                self.path.push(arc.target);
                self.go_on(seen | 1 << arc.target, length + graph.weight(arc.edge));
                self.path.pop();
            }
        }
    }
}
