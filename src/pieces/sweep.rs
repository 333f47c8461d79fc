//! Shards of the layers of a frontier program.

use super::Problem;
use crate::decompose::VertexOrder;
use crate::engines::frontier;
use crate::error::Error;
use crate::limits::Limits;
use crate::solution::Stop;

/// A frontier program whose layers may lie in pieces: states go out of one layer, and those of a later one come back.
///
/// A state takes [`state_bytes`](Self::state_bytes) with the best value of all ways to it. The shards of a layer are any
/// collections of its states; a state may be in several, until they are [split](Self::split) by their keys.
///
/// # Example
/// ```
/// use longhaul::Limits;
/// use longhaul::certificate::Claim;
/// use longhaul::pieces::{Goal, Problem, Sweep};
/// use petgraph::graph::UnGraph;
///
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]);
/// let problem = Problem::new(&graph, |_| 1, &Claim { from: Some(0.into()), ..Claim::free() })?;
/// let limits = Limits::default();
/// let sweep = Sweep::new(&problem, problem.order(1000, &limits).vertices(), &limits)?.unwrap();
/// let steps = sweep.steps();
/// let done = sweep.advance(0, steps, &[&sweep.start()], -1, &limits).unwrap();
/// let (step, length) = done.finish.unwrap();
/// assert_eq!(length, 5);
/// let back = sweep.way_back(0, &[&sweep.start()], Goal::Finish { step, value: length }, length, &limits).unwrap().unwrap();
/// assert_eq!(sweep.path(&problem, &back.choices).len(), 6);
/// # Ok::<(), longhaul::Error>(())
/// ```
pub struct Sweep {
    pieces: frontier::Pieces,
}

pub use frontier::{Advanced, Goal, WayBack};

impl Sweep {
    /// The program that places the vertices in this order. `None` where the frontier is too wide for any state, or a limit was
    /// spent before all was prepared.
    ///
    /// # Errors
    /// If the order does not hold every vertex exactly once.
    pub fn new(problem: &Problem, order: &[u32], limits: &Limits) -> Result<Option<Self>, Error> {
        if VertexOrder::of(&problem.instance.graph, order.to_vec()).is_err() {
            return Err(Error::contradiction("the order of a sweep holds every vertex exactly once"));
        }
        let pieces = frontier::Pieces::new(&problem.instance, order, &Problem::budget(limits));
        Ok(pieces.ok().flatten().map(|pieces| Sweep { pieces }))
    }

    /// How many steps there are from the first layer to the last.
    pub fn steps(&self) -> usize {
        self.pieces.steps()
    }

    /// What a state takes with its value, in bytes.
    pub fn state_bytes(&self) -> usize {
        self.pieces.state_bytes()
    }

    /// The first layer: one state.
    pub fn start(&self) -> Vec<u8> {
        self.pieces.start()
    }

    /// A path that the program doesn't see because it lies in what hangs off the rest of the graph, and its length: the answer is
    /// this one if no other is longer.
    pub fn hidden(&self) -> Option<&(Vec<u32>, i64)> {
        self.pieces.excluded()
    }

    /// Proved beforehand: no path that the program sees is longer. `None` where nothing is.
    pub fn bound(&self) -> Option<i64> {
        self.pieces.bound()
    }

    /// Takes states of the layer before step `from` to the layer before step `to`; those that are there twice are merged. Only paths
    /// longer than `floor` matter.
    ///
    /// # Errors
    /// Which limit was spent.
    ///
    /// # Panics
    /// If there are no such steps.
    pub fn advance(
        &self,
        from: usize,
        to: usize,
        parts: &[&[u8]],
        floor: i64,
        limits: &Limits,
    ) -> Result<Advanced, Stop> {
        self.pieces.advance(from, to, parts, floor, &Problem::budget(limits))
    }

    /// States by their keys, in so many shards: the same state is in the same one always.
    ///
    /// # Panics
    /// If there is to be no shard.
    pub fn split(&self, states: &[u8], shards: usize) -> Vec<Vec<u8>> {
        self.pieces.split(states, shards)
    }

    /// How some states of the layer before step `from` lead to a goal on the way to a path of length `best`; `None` if they don't. Keeps all
    /// layers in between, so the goal had better be near.
    ///
    /// # Errors
    /// Which limit was spent.
    pub fn way_back(
        &self,
        from: usize,
        parts: &[&[u8]],
        goal: Goal<'_>,
        best: i64,
        limits: &Limits,
    ) -> Result<Option<WayBack>, Stop> {
        self.pieces.way_back(from, parts, goal, best, &Problem::budget(limits))
    }

    /// The path that the choices of all steps make, as [ways back](Self::way_back) to the first layer told them.
    ///
    /// # Panics
    /// If they make none.
    pub fn path(&self, problem: &Problem, choices: &[(usize, Vec<u32>)]) -> Vec<u32> {
        self.pieces.path(&problem.instance, choices)
    }
}

/// Its size.
impl std::fmt::Debug for Sweep {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Sweep").field("steps", &self.steps()).finish_non_exhaustive()
    }
}
