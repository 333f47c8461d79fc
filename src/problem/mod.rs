//! The questions: which graph, which ends, which weights, which limits. The [façade](crate::solver) answers them.

mod k_path;
mod line_graph;
mod path;

pub use k_path::{KPath, KPathSolution, k_path};
pub use line_graph::LongestSequence;
pub use path::LongestPath;
