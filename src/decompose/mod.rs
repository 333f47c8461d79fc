//! Path decompositions and vertex orders: along what a dynamic program may sweep over a graph.

mod adjacency;
mod beam;
mod finder;
mod greedy;
mod order;
mod path;
mod reduced;

pub use finder::Effort;
pub use order::VertexOrder;
pub use path::{DecompositionError, PathDecomposition};

use crate::view::CsrGraph;

/// An order of all vertices for a sweep over the graph: the engines' way to [`VertexOrder::find`].
pub(crate) fn order_for(graph: &CsrGraph, effort: &Effort, seed: u64) -> Vec<u32> {
    VertexOrder::find(graph, effort, seed).into_vertices()
}
