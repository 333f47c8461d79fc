//! Questions about Hamiltonian paths and cycles of a cubic graph.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::graph::Cubic;
use super::paths;
use super::search::{Found, Goal, Limits, Sparse};
use crate::Stop;
use crate::certificate::{self, Claim};
use crate::view::InputGraph;

/// What is known about a Hamiltonian path or cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<T> {
    /// Here is one, checked.
    Found(T),
    /// There is none: every possibility was ruled out.
    Impossible,
    /// The search ended before it knew.
    Open(Stop),
}

impl<T> Verdict<T> {
    /// What was found.
    pub fn found(self) -> Option<T> {
        match self {
            Verdict::Found(found) => Some(found),
            _ => None,
        }
    }
}

/// A question about the Hamiltonian paths or cycles of a cubic graph: one that visits every node.
///
/// A graph without nodes has no path; a graph of several parts has neither path nor cycle.
///
/// # Complexity
/// Exponential at worst, in the width of the graph only as long as the table has room; `O(n)` time a choice, `O(n)` memory
/// and the table's.
///
/// # Example
/// ```
/// use longhaul::adapters::cubic::{Cubic, Hamilton, Verdict, generalised_petersen};
///
/// let petersen = generalised_petersen(5, 2)?;
/// let petersen = Cubic::new(&petersen)?;
/// assert_eq!(Hamilton::of(&petersen).cycle(), Verdict::Impossible);
/// assert!(matches!(Hamilton::of(&petersen).path(), Verdict::Found(nodes) if nodes.len() == 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hamilton<'a, G: InputGraph> {
    cubic: &'a Cubic<G>,
    from: Option<G::NodeId>,
    to: Option<G::NodeId>,
    without: Option<G::NodeId>,
    time_limit: Option<Duration>,
    table_bytes: usize,
    interrupt: Option<Arc<AtomicBool>>,
}

impl<'a, G: InputGraph> Hamilton<'a, G> {
    /// A question with free ends, without a time limit, and with 256 MB for the table.
    pub fn of(cubic: &'a Cubic<G>) -> Self {
        Hamilton {
            cubic,
            from: None,
            to: None,
            without: None,
            time_limit: None,
            table_bytes: 256_000_000,
            interrupt: None,
        }
    }

    /// A path begins at this node. \[default: anywhere\]
    #[must_use]
    pub fn from(mut self, node: G::NodeId) -> Self {
        self.from = Some(node);
        self
    }

    /// A path ends at this node. \[default: anywhere\]
    #[must_use]
    pub fn to(mut self, node: G::NodeId) -> Self {
        self.to = Some(node);
        self
    }

    /// Leave out this node and its edges: paths and cycles visit all others. A graph without Hamiltonian cycle is
    /// *hypohamiltonian* if it has one without each of its nodes. \[default: none is left out\]
    #[must_use]
    pub fn without(mut self, node: G::NodeId) -> Self {
        self.without = Some(node);
        self
    }

    /// Stop after this time. \[default: none\]
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// How many bytes the table of states may take; with less the search is slower, the answer the same.
    /// \[default: 256 MB\]
    #[must_use]
    pub fn table_limit(mut self, bytes: usize) -> Self {
        self.table_bytes = bytes;
        self
    }

    /// Stop soon after this flag becomes true. \[default: none\]
    #[must_use]
    pub fn interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupt = Some(flag);
        self
    }

    /// A Hamiltonian path.
    ///
    /// # Panics
    /// If an end is not in the graph.
    pub fn path(&self) -> Verdict<Vec<G::NodeId>> {
        let kept = self.kept();
        let ends = [self.from, self.to].map(|end| end.map(|node| self.position(&kept, node)));
        if ends.contains(&Some(None)) {
            return Verdict::Impossible;
        }
        let [from, to] = ends.map(Option::flatten);
        match paths::path(kept.len(), &self.edges(&kept), from, to, &self.limits()) {
            Ok(Some(path)) => Verdict::Found(self.path_of(&kept, &path)),
            Ok(None) => Verdict::Impossible,
            Err(stop) => Verdict::Open(stop),
        }
    }

    /// A Hamiltonian cycle, each of its nodes once. Ends don't matter.
    pub fn cycle(&self) -> Verdict<Vec<G::NodeId>> {
        let kept = self.kept();
        match self.cycles(&kept, Goal::Find) {
            Ok(Found { cycle: Some(cycle), .. }) => {
                let nodes = self.nodes(&kept, &cycle);
                let claim = Claim { from: None, to: None, closed: true };
                let length = certificate::check_nodes(self.cubic.graph(), |_| 1, &claim, &nodes);
                assert_eq!(length, Ok(kept.len() as i64), "a wrong cycle was found");
                Verdict::Found(nodes)
            }
            Ok(Found { cycle: None, .. }) => Verdict::Impossible,
            Err(stop) => Verdict::Open(stop),
        }
    }

    /// How many Hamiltonian cycles there are, each counted once whatever its direction. Ends don't matter.
    ///
    /// # Errors
    /// Why the search ended before it knew; [`Stop::Exhausted`] if there are 2¹²⁸ or more.
    pub fn count_cycles(&self) -> Result<u128, Stop> {
        self.cycles(&self.kept(), Goal::Count).map(|found| found.count)
    }

    fn cycles(&self, kept: &[u32], goal: Goal) -> Result<Found, Stop> {
        paths::cycles(&Sparse::new(kept.len(), self.edges(kept)), goal, &self.limits())
    }

    /// The vertices that are not left out; from here on they go by their positions among these.
    fn kept(&self) -> Vec<u32> {
        let without = self.without.map(|node| self.cubic.vertex(node).expect("the node left out is in the graph"));
        (0..self.cubic.node_count() as u32).filter(|&vertex| Some(vertex) != without).collect()
    }

    /// Where a node is among those, unless it is left out.
    fn position(&self, kept: &[u32], node: G::NodeId) -> Option<u32> {
        let vertex = self.cubic.vertex(node).expect("the end is in the graph");
        kept.binary_search(&vertex).ok().map(|position| position as u32)
    }

    fn edges(&self, kept: &[u32]) -> Vec<[u32; 2]> {
        let new = |vertex: u32| kept.binary_search(&vertex).ok().map(|position| position as u32);
        self.cubic.edges().iter().filter_map(|&[one, two]| Some([new(one)?, new(two)?])).collect()
    }

    fn nodes(&self, kept: &[u32], vertices: &[u32]) -> Vec<G::NodeId> {
        vertices.iter().map(|&vertex| self.cubic.node(kept[vertex as usize])).collect()
    }

    /// The nodes of a path, checked.
    fn path_of(&self, kept: &[u32], vertices: &[u32]) -> Vec<G::NodeId> {
        let nodes = self.nodes(kept, vertices);
        let claim = Claim { from: self.from, to: self.to, closed: false };
        let length = certificate::check_nodes(self.cubic.graph(), |_| 1, &claim, &nodes);
        assert_eq!(length, Ok(kept.len() as i64 - 1), "a wrong path was found");
        nodes
    }

    fn limits(&self) -> Limits {
        Limits {
            deadline: self.time_limit.and_then(|limit| Instant::now().checked_add(limit)),
            interrupt: self.interrupt.clone(),
            memory: self.table_bytes,
            choices: u64::MAX,
        }
    }
}
