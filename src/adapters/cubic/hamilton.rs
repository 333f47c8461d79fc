//! Questions about Hamiltonian paths and cycles of a cubic graph.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use petgraph::graph::UnGraph;

use super::graph::Cubic;
use super::search::{self, Found, Goal, Limits, Sparse};
use crate::Stop;
use crate::certificate::{self, Claim};
use crate::decompose::{Effort, VertexOrder};
use crate::view::{InputGraph, View};

/// So many choices are made in search of a Hamiltonian cycle where a path is enough.
const CHOICES_FOR_A_CYCLE: u64 = 20_000;

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
        let edges = self.edges(&kept);
        let Some(possible) = possible_ends(kept.len(), &edges, from, to) else {
            return Verdict::Impossible;
        };
        let limits = self.limits();
        if to.is_none() {
            // Most cubic graphs have a Hamiltonian cycle, which is found more easily and gives a path from anywhere.
            let limits = Limits { choices: CHOICES_FOR_A_CYCLE, ..limits.clone() };
            let graph = Sparse::new(kept.len(), edges.clone());
            if let Ok(Found { cycle: Some(mut cycle), .. }) =
                search::search(&graph, &order(&graph, None, &limits), &[], Goal::Find, &limits)
            {
                let first = cycle.iter().position(|&vertex| from.is_none_or(|from| from == vertex));
                cycle.rotate_left(first.expect("the cycle visits all"));
                return Verdict::Found(self.path_of(&kept, &cycle));
            }
        }
        // The neighbours of the apex on a cycle are the ends of a path.
        let apex = kept.len() as u32;
        let mut edges = edges;
        let mut forced = Vec::new();
        for vertex in possible {
            if [from, to].contains(&Some(vertex)) {
                forced.push(edges.len() as u32);
            }
            edges.push([vertex, apex]);
        }
        let graph = Sparse::new(kept.len() + 1, edges);
        let found = search::search(&graph, &order(&graph, Some(apex), &limits), &forced, Goal::Find, &limits);
        verdict(found, |mut cycle| {
            let at = cycle.iter().position(|&vertex| vertex == apex).expect("the cycle visits all");
            cycle.rotate_left(at);
            let path = &mut cycle[1..];
            if from.is_some_and(|from| path[0] != from) || to.is_some_and(|to| path[path.len() - 1] != to) {
                path.reverse();
            }
            self.path_of(&kept, path)
        })
    }

    /// A Hamiltonian cycle, each of its nodes once. Ends don't matter.
    pub fn cycle(&self) -> Verdict<Vec<G::NodeId>> {
        let kept = self.kept();
        verdict(self.cycles(&kept, Goal::Find), |cycle| {
            let nodes = self.nodes(&kept, &cycle);
            let claim = Claim { from: None, to: None, closed: true };
            let length = certificate::check_nodes(self.cubic.graph(), |_| 1, &claim, &nodes);
            assert_eq!(length, Ok(kept.len() as i64), "a wrong cycle was found");
            nodes
        })
    }

    /// How many Hamiltonian cycles there are, each counted once whatever its direction. Ends don't matter.
    ///
    /// # Errors
    /// Why the search ended before it knew; [`Stop::Exhausted`] if there are 2¹²⁸ or more.
    pub fn count_cycles(&self) -> Result<u128, Stop> {
        self.cycles(&self.kept(), Goal::Count).map(|found| found.count)
    }

    fn cycles(&self, kept: &[u32], goal: Goal) -> Result<Found, Stop> {
        let edges = self.edges(kept);
        if sides(kept.len(), &edges).is_some_and(|[one, two, _]| one.len() != two.len()) {
            return Ok(Found { cycle: None, count: 0 });
        }
        let (graph, limits) = (Sparse::new(kept.len(), edges), self.limits());
        search::search(&graph, &order(&graph, None, &limits), &[], goal, &limits)
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

fn verdict<T>(found: Result<Found, Stop>, lift: impl FnOnce(Vec<u32>) -> T) -> Verdict<T> {
    match found {
        Ok(Found { cycle: Some(cycle), .. }) => Verdict::Found(lift(cycle)),
        Ok(Found { cycle: None, .. }) => Verdict::Impossible,
        Err(stop) => Verdict::Open(stop),
    }
}

/// The vertices that can be ends of a Hamiltonian path, or nothing if there is no such path.
///
/// A path alternates between the sides of a bipartite graph: as many vertices of each, and its ends are on different sides;
/// one more of one, and both its ends are there.
fn possible_ends(n: usize, edges: &[[u32; 2]], from: Option<u32>, to: Option<u32>) -> Option<Vec<u32>> {
    if n == 0 || (n > 1 && from.is_some() && from == to) {
        return None;
    }
    let mut possible: Vec<u32> = (0..n as u32).collect();
    if let Some([one, two, side_of]) = sides(n, edges) {
        let other = |end: u32| if side_of[end as usize] == 0 { &two } else { &one };
        possible = match (one.len().abs_diff(two.len()), from.or(to)) {
            (0, Some(end)) => other(end).iter().copied().chain([end]).collect(),
            (0, None) => possible,
            (1, _) => {
                if one.len() > two.len() {
                    one
                } else {
                    two
                }
            }
            _ => return None,
        };
    }
    let allowed = |end: Option<u32>| end.is_none_or(|end| possible.contains(&end));
    if !allowed(from) || !allowed(to) {
        return None;
    }
    Some(match (from, to) {
        (Some(from), Some(to)) => vec![from, to],
        _ => possible,
    })
}

/// The sides of a bipartite graph, and the side of each vertex; nothing if it has an odd cycle or several parts.
fn sides(n: usize, edges: &[[u32; 2]]) -> Option<[Vec<u32>; 3]> {
    const UNKNOWN: u32 = u32::MAX;
    let graph = Sparse::new(n, edges.to_vec());
    let mut side = vec![UNKNOWN; n];
    let mut reached = vec![0];
    *side.first_mut()? = 0;
    while let Some(vertex) = reached.pop() {
        for other in graph.neighbours(vertex) {
            if side[other as usize] == UNKNOWN {
                side[other as usize] = 1 - side[vertex as usize];
                reached.push(other);
            } else if side[other as usize] == side[vertex as usize] {
                return None;
            }
        }
    }
    let of = |which: u32| (0..n as u32).filter(|&vertex| side[vertex as usize] == which).collect();
    if side.contains(&UNKNOWN) { None } else { Some([of(0), of(1), side]) }
}

/// An order that keeps neighbours near each other, the apex last.
fn order(graph: &Sparse, apex: Option<u32>, limits: &Limits) -> Vec<u32> {
    // Some ten milliseconds: long paths through wide graphs are found or not, whatever the order.
    const EFFORT: Effort = Effort { work: 2_000_000, work_per_state: 1.0, deadline: None, interrupt: None, threads: 1 };
    let mut plain = UnGraph::<(), ()>::with_capacity(graph.vertex_count(), graph.ends().len());
    for _ in 0..graph.vertex_count() {
        plain.add_node(());
    }
    for &[one, two] in graph.ends().iter().filter(|ends| apex.is_none_or(|apex| !ends.contains(&apex))) {
        plain.add_edge(one.into(), two.into(), ());
    }
    let view = View::new(&plain, |_| 1).expect("a cubic graph is not too large");
    let effort = Effort { deadline: limits.deadline, interrupt: limits.interrupt.clone(), ..EFFORT };
    let found = VertexOrder::find(view.graph(), &effort, 0);
    let inner = found.vertices().iter().copied().filter(|&vertex| Some(vertex) != apex);
    inner.chain(apex).collect()
}
