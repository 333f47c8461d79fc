//! Families of graphs and decks to try things on: boards, mazes, towns, random graphs, geometric ones and hard small ones. All
//! but streets are undirected, all are without weights, and the random ones come out the same for the same generator.
//!
//! # Example
//! ```
//! use longhaul::LongestPath;
//! use longhaul::adapters::families;
//! use petgraph::visit::UndirectedAdaptor;
//!
//! let board = families::grid(3, 4)?;
//! assert_eq!((board.graph.node_count(), board.graph.edge_count()), (12, 17));
//! assert_eq!(LongestPath::new(UndirectedAdaptor(&board.graph)).solve()?.length(), Some(11));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod boards;
mod gadgets;
mod geometric;
mod random;
mod streets;

pub use boards::{grid, hypercube, knight, maze};
pub use gadgets::{deck, xor9};
pub use geometric::{geometric, planar};
pub use random::{barabasi_albert, gnm, gnp, regular};
pub use streets::{roads, streets};

use petgraph::graph::NodeIndex;

use crate::io::GraphFile;

/// Greater graphs would take gigabytes.
const MOST_NODES: usize = 10_000_000;
const MOST_EDGES: usize = 100_000_000;

/// Parameters for which a family has no graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{family} needs {needs}, not {given}")]
pub struct NoSuchGraph {
    family: &'static str,
    needs: String,
    given: String,
}

/// Refuses parameters unless the condition holds.
fn check(
    holds: bool,
    family: &'static str,
    needs: impl Into<String>,
    given: impl FnOnce() -> String,
) -> Result<(), NoSuchGraph> {
    if holds { Ok(()) } else { Err(NoSuchGraph { family, needs: needs.into(), given: given() }) }
}

/// A graph on nodes 0 to n − 1 with these edges.
fn graph(n: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> GraphFile {
    let mut file = GraphFile::of_nodes(n);
    for (one, two) in edges {
        file.graph.add_edge(NodeIndex::new(one), NodeIndex::new(two), 1);
    }
    file
}
