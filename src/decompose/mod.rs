//! Path decompositions and vertex orders: along what a dynamic program may sweep over a graph.
//!
//! A [`VertexOrder`] says which vertex comes next and how large the frontier between placed and unplaced vertices is; a
//! [`PathDecomposition`] says the same in bags. Either gives the other its width: an order of vertex separation `w` is
//! a decomposition of width `w`, with one bag a vertex. What matters for the programs here is less that greatest width
//! than the number of states met on the whole way, so that is what [`VertexOrder::find`] searches with, in these steps:
//!
//! 1. Reduce: pendant vertices, chains and parallel chains go, and come back at the end where they cost least.
//! 2. A greedy order of the core, always the next vertex that leaves the smallest frontier; that is all where the core
//!    is huge.
//! 3. Beam search over partial orders from many starts, by successive halving (K. Jamieson and A. Talwalkar,
//!    *Non-stochastic best arm identification and hyperparameter optimization*, AISTATS 2016): narrow beams from all,
//!    wide ones from the best.
//! 4. Beams on windows of the best order, until they no longer help; then again from other starts.
//!
//! All of it is deterministic by seed and work, and stops at a deadline or when told to.

mod adjacency;
mod beam;
pub(crate) mod chains;
mod effort;
mod error;
mod finder;
mod greedy;
mod measure;
mod order;
mod path;
mod reduced;
mod segment;
mod weights;

pub use effort::Effort;
pub use error::DecompositionError;
pub use order::VertexOrder;
pub use path::PathDecomposition;
