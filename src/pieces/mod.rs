//! One question in pieces, for more machines than one: pieces go out as bytes, answers come back as bytes, and any piece may
//! be done twice.
//!
//! | pieces | what is done with one | what comes of it |
//! |---|---|---|
//! | [cases](CaseSolver::work_on) of the tree of branch and cut: edges that are used and edges that are not, and a floor | work on it for a while | a better path, and the cases that are left |
//! | [shards](Sweep) of a layer of the frontier program | take its states some steps on | the states of a later layer, and the best path completed on the way |
//!
//! Whoever hands them out keeps what is not done yet, and hands it out again where a machine is lost. Nothing here knows of
//! machines, or talks to any; the Python package does that. Pieces are facts that are believed, as far as one can't see in them
//! whether they are true: an open case that is left out is a path that is not looked for. So keep them whole, by a checksum.
//!
//! Vertices are the numbers `0..n` of the graph's nodes, in the order in which it lists them.
//!
//! # Example
//! ```
//! use longhaul::Limits;
//! use longhaul::certificate::Claim;
//! use longhaul::pieces::{Case, Learnt, Problem, Slice};
//! use petgraph::graph::UnGraph;
//!
//! // 0 ─ 1 ─ 2
//! // │   │   │
//! // 3 ─ 4 ─ 5
//! let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]);
//! let problem = Problem::new(&graph, |_| 1, &Claim::free())?;
//! let (mut open, mut learnt, mut floor) = (vec![problem.whole()], Learnt::default(), 0);
//! let mut solver = problem.case_solver()?;
//! while !open.is_empty() {
//!     // Here a case would go to another machine, as bytes.
//!     let sent: Vec<Vec<u8>> = open.iter().map(Case::to_bytes).collect();
//!     let cases: Vec<Case> = sent.iter().filter_map(|bytes| Case::from_bytes(bytes)).collect();
//!     let done = solver.work_on(&cases, &learnt, floor, Slice::Work(1000), &Limits::default());
//!     floor = done.path.map_or(floor, |(_, length)| length);
//!     learnt.add(done.learnt);
//!     open = done.open;
//! }
//! assert_eq!(floor, 5);
//! # Ok::<(), longhaul::Error>(())
//! ```

mod cases;
mod core;
mod sweep;
#[cfg(test)]
mod tests;

pub use cases::{Case, CaseSolver, Done, Learnt};
pub use sweep::{Advanced, Goal, Sweep, WayBack};

use std::sync::OnceLock;
use std::time::Instant;

use self::core::Core;
use crate::certificate::Claim;
use crate::decompose::{Effort, VertexOrder};
pub use crate::engines::branch_and_cut::Slice;
use crate::error::Error;
use crate::instance::{Budget, Instance};
use crate::limits::Limits;
use crate::solver::instance_of;
use crate::view::{InputGraph, View};

/// A question for the longest path (or cycle) of a graph, with dense numbers for its nodes.
#[derive(Debug)]
pub struct Problem {
    pub(super) instance: Instance,
    /// What cases are of, once it has been asked for.
    core: OnceLock<Core>,
}

impl Problem {
    /// Reads a graph, with `weight` giving every edge its length, and `claim` saying which paths are asked for.
    ///
    /// # Errors
    /// As [`LongestPath::solve`](crate::LongestPath::solve), of the graph, its weights and the ends.
    pub fn new<G: InputGraph>(
        graph: G,
        weight: impl FnMut(G::EdgeRef) -> i64,
        claim: &Claim<G::NodeId>,
    ) -> Result<Self, Error> {
        let (instance, _) = instance_of(View::new(graph, weight)?, claim)?;
        Ok(Problem { instance, core: OnceLock::new() })
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.instance.graph.vertex_count()
    }

    /// A good order of the vertices for a [`Sweep`], with its width and how many states a sweep along it would make, roughly. The same
    /// work (in neighbours looked at, some two hundred million a second) gives the same order unless a limit comes first.
    pub fn order(&self, work: u64, limits: &Limits) -> VertexOrder {
        let deadline = limits.time.and_then(|limit| Instant::now().checked_add(limit));
        let effort = Effort { work, deadline, interrupt: limits.interrupt.clone(), ..Effort::default() };
        let effort = effort.within(limits.memory);
        VertexOrder::find(&self.instance.graph, &effort, limits.seed)
    }

    fn core(&self) -> &Core {
        self.core.get_or_init(|| Core::of(&self.instance))
    }

    fn budget(limits: &Limits) -> Budget {
        Budget::new(Instant::now(), limits)
    }
}
