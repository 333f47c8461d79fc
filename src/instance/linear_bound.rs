//! A bound on every path by what it uses.
//!
//! With a multiplier for every row that all paths obey, each column of a linear program has a *gain*, and no path is worth
//! more than a constant and the gains of what it uses (Lagrangian relaxation: M. L. Fisher, *The Lagrangian relaxation method
//! for solving integer programming problems*, Management Science 27 (1981) 1–18, doi:10.1287/mnsc.27.1.1). A search that
//! knows nothing of those rows can add up gains beside lengths, and learns from them what the rows know. All numbers are whole
//! and rounded up, so the bound holds whatever the multipliers are.

use crate::view::CsrGraph;

/// For every path with an edge: `scale` times its value is no more than the constant, the gains of its edges, and those of
/// its first and its last vertex; for every cycle, than the constant and the gains of its edges. What one uses, or a part of it,
/// adds up to less than 2³⁰.
#[derive(Clone, Debug)]
pub(crate) struct LinearBound {
    pub(crate) scale: i64,
    pub(crate) constant: i64,
    /// By edge, with what visiting its source gains.
    pub(crate) edges: Vec<i64>,
    /// By vertex, the latter with what visiting it gains.
    pub(crate) first: Vec<i64>,
    pub(crate) last: Vec<i64>,
    /// By vertex: what its one visit gains at most. Beyond that the gains of edges are small.
    pub(crate) visits: Vec<i64>,
}

impl LinearBound {
    /// The same for a graph on the same vertices with some of the edges.
    pub(crate) fn restricted(&self, from: &CsrGraph, to: &CsrGraph) -> Self {
        let gain = |source, target| {
            let edge = from.edge_between(source, target).expect("the edges are some of those before");
            self.edges[edge as usize]
        };
        let edges = to.edges().iter().map(|edge| gain(edge.source, edge.target)).collect();
        LinearBound { edges, ..self.clone() }
    }
}
