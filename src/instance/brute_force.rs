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
    fn extend(instance: &Instance, path: &mut Vec<u32>, best: &mut Option<(Vec<u32>, i64)>) {
        let (first, last) = (path[0], path[path.len() - 1]);
        let counts = match &instance.ends {
            Ends::Open { first: alpha, last: beta, single_vertex } => {
                let allowed = alpha[first as usize] != NOT_AN_END && beta[last as usize] != NOT_AN_END;
                allowed && (*single_vertex || path.len() > 1)
            }
            Ends::Closed { through } => {
                path.len() >= if instance.graph.is_directed() { 2 } else { 3 }
                    && instance.graph.edge_between(last, first).is_some()
                    && through.is_none_or(|through| path.contains(&through))
            }
        };
        if counts {
            let value = instance.value(path);
            if best.as_ref().is_none_or(|(_, best)| value > *best) {
                *best = Some((path.clone(), value));
            }
        }
        for arc in instance.graph.out_arcs(last) {
            if !path.contains(&arc.target) {
                path.push(arc.target);
                extend(instance, path, best);
                path.pop();
            }
        }
    }
    let mut best = None;
    for start in 0..instance.graph.vertex_count() as u32 {
        extend(instance, &mut vec![start], &mut best);
    }
    best
}
