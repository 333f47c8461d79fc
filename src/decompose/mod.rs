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
