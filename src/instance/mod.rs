//! The ground floor of all search: the problem in its uniform form, limits of a run, and what is brought back.
//!
//! Every engine takes an [`Instance`]: *maximise w(P) + α(first vertex) + β(last vertex)* over the simple paths of a dense
//! graph. The prizes α and β say which vertices may be ends at all, and carry the worth of whatever was cut off there.

#[cfg(test)]
pub(crate) mod brute_force;
mod congruence;
mod linear_bound;
mod run;
mod shared_bounds;

pub(crate) use congruence::Congruence;
pub(crate) use linear_bound::LinearBound;
pub(crate) use run::{Budget, Goal, Run, Scale};
pub(crate) use shared_bounds::SharedBounds;

use crate::solution::Stop;
use crate::terms::Basis;
use crate::view::CsrGraph;

/// The prize that says "no path may end here".
pub(crate) const NOT_AN_END: i64 = i64::MIN;

/// A dense graph with its end rule: the uniform problem that every engine solves.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) graph: CsrGraph,
    pub(crate) ends: Ends,
}

/// Where a path may begin and end, and what it earns there.
#[derive(Clone, Debug)]
pub(crate) enum Ends {
    /// A path; it earns `first[v]` by beginning and `last[v]` by ending at `v`, or may not where that is [`NOT_AN_END`].
    /// With `single_vertex`, a single vertex is a path and earns both; without, a path has an edge.
    Open { first: Vec<i64>, last: Vec<i64>, single_vertex: bool },
    /// A cycle: of three vertices or more, of two or more where directed; with `through` given, one that visits it.
    Closed { through: Option<u32> },
}

impl Instance {
    /// An instance whose path may begin and end anywhere.
    #[cfg(test)]
    pub(crate) fn free(graph: CsrGraph) -> Self {
        let prizes = vec![0; graph.vertex_count()];
        Instance { ends: Ends::Open { first: prizes.clone(), last: prizes, single_vertex: true }, graph }
    }

    /// The value of a sequence of vertices that is known to be a path (or cycle) of the instance.
    pub(crate) fn value(&self, vertices: &[u32]) -> i64 {
        let length = self.graph.length_along(vertices);
        let (first, last) = (vertices[0], vertices[vertices.len() - 1]);
        match &self.ends {
            Ends::Open { first: alpha, last: beta, .. } => length + alpha[first as usize] + beta[last as usize],
            Ends::Closed { .. } => length + self.graph.length_along(&[last, first]),
        }
    }

    /// The same instance with every path turned round; a path of one is a path of the other, backwards.
    pub(crate) fn reversed(&self) -> Self {
        let ends = match &self.ends {
            Ends::Open { first, last, single_vertex } => {
                Ends::Open { first: last.clone(), last: first.clone(), single_vertex: *single_vertex }
            }
            closed @ Ends::Closed { .. } => closed.clone(),
        };
        Instance { graph: self.graph.reversed(), ends }
    }

    /// Whether fewer vertices may be the last than the first: engines grow their paths from the first.
    pub(crate) fn is_better_turned(&self) -> bool {
        let count = |prizes: &[i64]| prizes.iter().filter(|&&prize| prize != NOT_AN_END).count();
        match &self.ends {
            Ends::Open { first, last, .. } => count(last) < count(first),
            Ends::Closed { .. } => false,
        }
    }

    /// A bound that needs no search: every vertex is entered at most once, along its best arc, and no two prizes are
    /// better than the best two.
    pub(crate) fn trivial_bound(&self) -> i64 {
        let gains = self.gains();
        let all: i64 = gains.iter().sum();
        match &self.ends {
            // The first vertex is entered by no arc.
            Ends::Open { first, last, .. } => match (best_end(first), best_end(last)) {
                (Some(alpha), Some(beta)) => all - gains.iter().min().unwrap_or(&0) + alpha + beta,
                _ => i64::MIN,
            },
            Ends::Closed { .. } => all,
        }
    }

    /// The best path of a single vertex, the last of equals.
    pub(crate) fn best_single_vertex(&self) -> Option<(Vec<u32>, i64)> {
        let Ends::Open { first, last, single_vertex: true } = &self.ends else { return None };
        let both = (0..).zip(first.iter().zip(last));
        let allowed = both.filter(|(_, (first, last))| **first != NOT_AN_END && **last != NOT_AN_END);
        let (vertex, value) =
            allowed.map(|(vertex, (first, last))| (vertex, first + last)).max_by_key(|pair| pair.1)?;
        Some((vec![vertex], value))
    }

    /// For each vertex the most that entering it can add: its best arc in, or 0 if that is negative.
    pub(crate) fn gains(&self) -> Vec<i64> {
        let graph = &self.graph;
        let gain = |vertex| graph.in_arcs(vertex).iter().map(|arc| graph.weight(arc.edge)).max().unwrap_or(0).max(0);
        (0..graph.vertex_count() as u32).map(gain).collect()
    }
}

/// The best prize at which a path may end.
pub(crate) fn best_end(prizes: &[i64]) -> Option<i64> {
    prizes.iter().copied().filter(|&prize| prize != NOT_AN_END).max()
}

/// Hears of every improvement while an engine works.
pub(crate) trait Monitor {
    /// A better path of this value was found.
    fn incumbent(&mut self, value: i64);
    /// No path of the instance has a greater value than this.
    fn bound(&mut self, upper: i64);
    /// A layer of exact states is complete: how many there are, and the bytes of each with its value.
    fn layer(&mut self, _states: usize, _bytes: usize) {}
    /// Where to add the basis in which the program of the whole question stands in the end; nowhere unless a proof is to be made.
    fn basis(&mut self) -> Option<&mut Basis> {
        None
    }
}

/// Tells nobody.
pub(crate) struct Silent;

impl Monitor for Silent {
    fn incumbent(&mut self, _value: i64) {}
    fn bound(&mut self, _upper: i64) {}
}

/// What an engine brings back.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// The best path found whose value beats the floor that was given, with its value.
    pub(crate) best: Option<(Vec<u32>, i64)>,
    /// Proved: no path of the instance has a value above this, or above the floor that was given, whichever is greater.
    /// `i64::MIN` with no `best` and no floor means there is no path at all.
    pub(crate) upper: i64,
    /// Why the engine stopped early; `None` if it finished.
    pub(crate) stop: Option<Stop>,
    /// How many search steps (vertices chosen, states made …) it took.
    pub(crate) steps: u64,
    /// The most memory it held at once, beside the instance itself, in bytes.
    pub(crate) peak_bytes: usize,
}

impl Outcome {
    /// Before any search: no path above the floor is known, and this bound holds.
    pub(crate) fn nothing_above(floor: i64, bound: i64) -> Self {
        Outcome { best: None, upper: bound.max(floor), stop: None, steps: 0, peak_bytes: 0 }
    }

    /// Keeps a path if it is the best so far.
    pub(crate) fn take_better(&mut self, path: Option<(Vec<u32>, i64)>) {
        if let Some(path) = path
            && self.best.as_ref().is_none_or(|best| path.1 > best.1)
        {
            self.best = Some(path);
        }
    }
}
