//! The independent checks: is this really a path of the caller's graph, of this length, between these ends? And is it
//! really true that no path is longer than that?
//!
//! Nothing here uses the dense graph, the reductions or the engines, only petgraph's own traits on the caller's own
//! graph; so it also catches a mistake in relabelling. Every [`Solution`](crate::Solution) has passed [`check_path`] or
//! [`check_sequence`].

mod bound;
mod clique;
mod demands;
mod path;
mod sequence;
mod trail;

pub use bound::{Blossom, Part, Removal, Shares, SubtourCut, Witness, WitnessFlaw, check_bound};
pub(crate) use bound::{HalfEdges, Network, Rule, most};
pub use clique::{CliqueColouring, CliqueFlaw, check_clique, check_colouring};
pub use demands::{DemandFlaw, Demands, check_demands};
pub use path::{Claim, Flaw, check_nodes, check_path};
pub use sequence::{SequenceFlaw, check_sequence};
pub use trail::check_trail;
