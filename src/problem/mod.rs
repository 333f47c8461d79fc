//! The questions: which graph, which ends, which weights, which limits. The [façade](crate::solver) answers them.

mod counts;
mod demands;
mod fractions;
mod k_path;
mod line_graph;
mod path;
mod setters;
mod trail;

pub use counts::PathCounts;
pub use k_path::{KPath, KPathSolution, k_path};
pub use line_graph::LongestSequence;
pub use path::LongestPath;
pub use trail::LongestTrail;
