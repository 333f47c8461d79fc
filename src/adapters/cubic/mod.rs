//! Cubic graphs: every node has three neighbours. Checking, generating, and their Hamiltonian paths and cycles.
//!
//! [`Cubic`] holds a petgraph graph that is known to be cubic; [`Hamilton`] asks whether it has a Hamiltonian path or cycle,
//! and how many; the families of graphs that the literature tries such programs on are made by functions here.

mod families;
mod graph;
mod hamilton;
mod named;
mod paths;
mod search;
mod table;

pub use families::{NoSuchGraph, flower_snark, generalised_petersen, moebius_ladder, prism, random};
pub use graph::{Cubic, NotCubic};
pub use hamilton::{Hamilton, Verdict};
pub use named::{UnknownName, named, names};
