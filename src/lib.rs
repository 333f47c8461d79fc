//! The longest simple path, generic over [petgraph] graphs: exact where anyone can be, anytime where not, and honest about
//! which.
//!
//! ```
//! use longhaul::LongestPath;
//! use petgraph::graph::UnGraph;
//!
//! //  0 ─ 1 ─ 2 ─ 5
//! //      │   │
//! //      4 ─ 3
//! let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 1), (2, 5)]);
//! let solution = LongestPath::new(&graph).solve()?;
//! assert_eq!(solution.length(), Some(5));
//! assert!(solution.is_optimal());
//! # Ok::<(), longhaul::Error>(())
//! ```
//!
//! # Definitions
//! A *path* visits no node twice and has at least one node. Its *length* is the sum of its edge weights; with unit weights
//! that is the number of edges. A single node is a path of length 0. A *node* is the caller's id; a *vertex* is longhaul's
//! own dense index, and no engine ever sees a node.
//!
//! # The one-way street
//! ```text
//! caller's graph ──view──► dense graph ──search──► path of vertices
//!       ▲                                               │
//!       └── Solution<NodeId> ◄── certificate check ◄── lift
//! ```
//!
//! [`LongestPath`] asks, [`LongestSequence`] asks about the line graph of a multigraph without making it, [`k_path`] asks for
//! a path of so many nodes; [`Solution`] answers, [`certificate`] checks every answer independently. [`structure`]
//! says what can be known of a graph without solving anything; [`engines`] has the options of each engine. [`clique`] asks for the largest clique and for all maximal ones. [`line_graph`] turns a
//! multigraph into its line graph; [`adapters`] turn other worlds into graphs and paths back into those worlds; [`io`] reads
//! and writes files.

#![forbid(unsafe_code)]

pub mod adapters;
mod bound;
mod branching;
pub mod certificate;
pub mod clique;
pub mod decompose;
mod disk;
mod engine;
pub mod engines;
mod error;
pub mod explore;
mod instance;
pub mod io;
mod limits;
pub mod line_graph;
#[cfg(test)]
mod looks;
mod lp;
mod named;
mod options;
pub mod pieces;
mod problem;
mod proof;
mod reduce;
pub mod render;
#[cfg(test)]
mod rounds;
mod rows;
mod scan;
mod sets;
mod solution;
mod solver;
mod strategy;
pub mod structure;
mod terms;
mod top_two;
pub mod view;

pub use engine::{Engine, UnknownEngine};
pub use engines::LinearSolver;
pub use error::{Error, ErrorKind};
pub use limits::Limits;
/// The numbers that counts are.
pub use num_bigint::BigUint;
/// The graph library whose types longhaul reads, of the version it reads.
pub use petgraph;
pub use problem::{KPath, KPathSolution, LongestPath, LongestSequence, LongestTrail, PathCounts, k_path};
pub use reduce::Reduction;
pub use solution::{Answer, Path, Progress, Solution, Stats, Status, Stop};
pub use solver::Paths;

/// The README's examples, compiled and run with the documentation tests.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;

/// The guide's examples, likewise.
#[doc = include_str!("../docs/recipes.md")]
#[doc = include_str!("../docs/adapters.md")]
#[cfg(doctest)]
struct Guide;
