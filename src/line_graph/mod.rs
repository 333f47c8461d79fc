//! The line graph of a multigraph: its edges become nodes, joined where they share an end; and the way back.
//!
//! Two edges that share both ends (parallel ones) are joined once. A self-loop has one end; it is joined to every other edge
//! there, other loops included, and not to itself. Directions are ignored: where two edges meet is what counts.
//!
//! A line graph can be far larger than its root (a star of 10⁵ edges makes 5·10⁹ pairs), so [`line_graph`] counts the pairs
//! first, in `O(n + m)`, and refuses a graph beyond the memory limit before any of it is made. [`recognise`] finds the root of a
//! line graph, or a handful of nodes that show why there is none.
//!
//! Source of the notion: Hassler Whitney, *Congruent graphs and the connectivity of graphs*, American Journal of Mathematics
//! 54, 1932, DOI 10.2307/2371086.

mod make;
mod recognise;
mod root;

pub use make::{TooLarge, edge_count, line_graph, of_pairs};
pub(crate) use recognise::root_of;
pub use root::{Obstruction, Root, recognise};
