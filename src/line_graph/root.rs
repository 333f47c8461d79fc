//! The root of a line graph, or the reason why there is none, in the caller's own nodes.

use fixedbitset::FixedBitSet;
use petgraph::graph::{EdgeIndex, NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;

use super::recognise::root_of;
use crate::sets::{reached_from, set_of};
use crate::view::{CsrGraph, Edge, InputGraph};

/// A multigraph whose line graph is the graph it was found for.
#[derive(Clone, Debug)]
pub struct Root<NodeId> {
    graph: UnGraph<(), NodeId>,
}

impl<NodeId: Copy> Root<NodeId> {
    /// The multigraph. Each edge weighs the node it stands for, and the edges are in the order of `node_identifiers`.
    ///
    /// Closed twins (adjacent nodes with the same other neighbours) are parallel edges; there are no loops, and every node is
    /// the end of some edge.
    pub fn graph(&self) -> &UnGraph<(), NodeId> {
        &self.graph
    }

    /// For each node of the root whether it is on the second side, if the root is bipartite: no edge has both ends on one
    /// side. If this root is not bipartite, the graph is the line graph of no bipartite multigraph.
    ///
    /// `O(n + m)`.
    pub fn sides(&self) -> Option<Vec<bool>> {
        self.colouring().ok()
    }

    /// The edges of a cycle of odd length in order, none if the root is bipartite. Parallel edges make no odd cycle, so it
    /// has three edges or more.
    ///
    /// `O(n + m)`.
    pub fn odd_cycle(&self) -> Vec<EdgeIndex> {
        self.colouring().err().unwrap_or_default()
    }

    /// The side of each node, or an odd cycle.
    fn colouring(&self) -> Result<Vec<bool>, Vec<EdgeIndex>> {
        let graph = &self.graph;
        let mut side: Vec<Option<bool>> = vec![None; graph.node_count()];
        // Where a node was reached from, and how far it is from where the search began.
        let mut above: Vec<Option<(NodeIndex, EdgeIndex)>> = vec![None; graph.node_count()];
        let mut depth = vec![0u32; graph.node_count()];
        for start in graph.node_indices() {
            if side[start.index()].is_some() {
                continue;
            }
            side[start.index()] = Some(false);
            let mut queue = vec![start];
            let mut next = 0;
            while let Some(&node) = queue.get(next) {
                next += 1;
                let opposite = side[node.index()].map(|side| !side);
                for edge in graph.edges(node) {
                    let other = edge.target();
                    if side[other.index()].is_none() {
                        side[other.index()] = opposite;
                        above[other.index()] = Some((node, edge.id()));
                        depth[other.index()] = depth[node.index()] + 1;
                        queue.push(other);
                    } else if side[other.index()] != opposite {
                        return Err(closed_through(&above, &depth, [node, other], edge.id()));
                    }
                }
            }
        }
        Ok(side.into_iter().map(|side| side.expect("the search reaches every node")).collect())
    }
}

/// The cycle that an edge between two nodes of a search tree closes.
fn closed_through(
    above: &[Option<(NodeIndex, EdgeIndex)>],
    depth: &[u32],
    mut nodes: [NodeIndex; 2],
    edge: EdgeIndex,
) -> Vec<EdgeIndex> {
    let mut halves: [Vec<EdgeIndex>; 2] = Default::default();
    while nodes[0] != nodes[1] {
        let lower = usize::from(depth[nodes[1].index()] > depth[nodes[0].index()]);
        let (node, edge) = above[nodes[lower].index()].expect("only the beginning has nothing above");
        halves[lower].push(edge);
        nodes[lower] = node;
    }
    let [one, two] = halves;
    one.into_iter().rev().chain([edge]).chain(two).collect()
}

/// Why a graph is the line graph of no multigraph: a few nodes whose own subgraph is none, and every subgraph of a line graph is
/// one.
///
/// No node of them can be spared, so they induce one of the seven graphs of Jean-Claude Bermond and Jean-Claude Meyer, *Graphe
/// représentatif des arêtes d'un multigraphe*, Journal de Mathématiques Pures et Appliquées 52, 1973; the claw K1,3 is the
/// least of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstruction<NodeId> {
    nodes: Vec<NodeId>,
}

impl<NodeId: Copy + PartialEq> Obstruction<NodeId> {
    /// The nodes.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// Checks that the nodes are different, and that the graph they induce in `graph` is the line graph of no multigraph: by
    /// trying all ways to give each of them two ends. Uses nothing of what found them.
    ///
    /// # Complexity
    /// `O(n + m)`, and exponential in the number of the nodes, which are few.
    pub fn check<G: InputGraph<NodeId = NodeId>>(&self, graph: G) -> bool {
        let adjacent = adjacency(graph, &self.nodes);
        let different = (0..self.nodes.len()).all(|at| !self.nodes[..at].contains(&self.nodes[at]));
        different && !has_root(&adjacent, &mut Vec::new())
    }
}

/// Which of these nodes are adjacent in the graph.
pub(crate) fn adjacency<G: InputGraph>(graph: G, nodes: &[G::NodeId]) -> Vec<FixedBitSet> {
    let mut adjacent = vec![FixedBitSet::with_capacity(nodes.len()); nodes.len()];
    for edge in graph.edge_references() {
        let place = |node| nodes.iter().position(|&other| other == node);
        if let (Some(one), Some(two)) = (place(edge.source()), place(edge.target())) {
            adjacent[one].set(two, one != two);
            adjacent[two].set(one, one != two);
        }
    }
    adjacent
}

/// Whether the nodes after those in `ends` can be given two ends each, so that exactly the adjacent ones share some.
fn has_root(adjacent: &[FixedBitSet], ends: &mut Vec<[usize; 2]>) -> bool {
    let node = ends.len();
    if node == adjacent.len() {
        return true;
    }
    // Ends that nobody has yet are all alike.
    let fresh = ends.iter().flatten().max().map_or(0, |&greatest| greatest + 1);
    for one in 0..=fresh {
        let last = if one == fresh { fresh + 1 } else { fresh };
        for two in one + 1..=last {
            let fits = (0..node).all(|other| {
                let shares = ends[other].iter().any(|end| [one, two].contains(end));
                shares == adjacent[node][other]
            });
            if fits {
                ends.push([one, two]);
                if has_root(adjacent, ends) {
                    return true;
                }
                ends.pop();
            }
        }
    }
    false
}

/// Finds the multigraph whose line graph `graph` is, or shows that there is none. Directions, parallel edges and self-loops of
/// `graph` are ignored.
///
/// # Errors
/// The [`Obstruction`], if it is no line graph.
///
/// # Panics
/// If there are 2³¹ edges or more.
///
/// # Complexity
/// Expected `O(n + m)` for the root, with a factor `log n` for the obstruction.
///
/// # Example
/// ```
/// use longhaul::line_graph::recognise;
/// use petgraph::graph::UnGraph;
///
/// //  a ─ b       b and c are twins, so its root
/// //  │ ╱ │       is a path with b and c parallel:
/// //  c ─ d       0 ─a─ 1 ═bc═ 2 ─d─ 3
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]);
/// let root = recognise(&graph).expect("this is a line graph");
/// assert_eq!(root.graph().edge_count(), 4);
///
/// let claw = UnGraph::<(), ()>::from_edges([(0, 1), (0, 2), (0, 3)]);
/// let obstruction = recognise(&claw).expect_err("no edge meets three that don't meet each other");
/// assert_eq!(obstruction.nodes().len(), 4);
/// assert!(obstruction.check(&claw));
/// ```
pub fn recognise<G: InputGraph>(graph: G) -> Result<Root<G::NodeId>, Obstruction<G::NodeId>> {
    let nodes: Vec<G::NodeId> = graph.node_identifiers().collect();
    let dense = undirected(graph, &nodes);
    let Some(root) = root_of(&dense) else {
        return Err(Obstruction { nodes: obstruction(&dense).iter().map(|&vertex| nodes[vertex as usize]).collect() });
    };
    // Ends are numbered as they come.
    let mut made = UnGraph::with_capacity(root.vertex_count, nodes.len());
    let mut node_from_end = vec![None; root.vertex_count];
    for (ends, &node) in root.ends.iter().zip(&nodes) {
        let [one, two] = ends.map(|end| *node_from_end[end as usize].get_or_insert_with(|| made.add_node(())));
        made.add_edge(one, two, node);
    }
    Ok(Root { graph: made })
}

/// The graph without directions, on the positions of its nodes.
fn undirected<G: InputGraph>(graph: G, nodes: &[G::NodeId]) -> CsrGraph {
    let mut place = vec![u32::MAX; graph.node_bound()];
    for (position, &node) in nodes.iter().enumerate() {
        place[graph.to_index(node)] = position as u32;
    }
    let end = |node| place[graph.to_index(node)];
    let edges =
        graph.edge_references().map(|edge| Edge { source: end(edge.source()), target: end(edge.target()), weight: 1 });
    CsrGraph::from_multigraph(nodes.len(), false, edges.collect()).0
}

/// A least set of vertices that induces no line graph, in a graph that is none.
///
/// Vertices are taken in breadth-first order until what they induce is none; the last of them is needed. So it goes on, with
/// what is needed at the front, and only those before that are not too far from it.
fn obstruction(graph: &CsrGraph) -> Vec<u32> {
    let mut candidates = breadth_first(graph);
    let mut needed: Vec<u32> = Vec::new();
    let mut scratch = vec![u32::MAX; graph.vertex_count()];
    let mut is_one = |vertices: &[u32]| root_of(&graph.induced(vertices, &mut scratch).0).is_some();
    while is_one(&needed) {
        // How many candidates it takes.
        let (mut too_few, mut enough) = (0, candidates.len());
        while enough - too_few > 1 {
            let middle = too_few + (enough - too_few) / 2;
            let tried: Vec<u32> = needed.iter().chain(&candidates[..middle]).copied().collect();
            if is_one(&tried) {
                too_few = middle;
            } else {
                enough = middle;
            }
        }
        candidates.truncate(enough);
        let last = candidates.pop().expect("the candidates make no line graph");
        if needed.is_empty() {
            candidates = near(graph, last, &candidates);
        }
        needed.push(last);
    }
    needed
}

/// Those of the candidates that `vertex` reaches through such; an obstruction is connected.
fn near(graph: &CsrGraph, vertex: u32, candidates: &[u32]) -> Vec<u32> {
    let mut met = set_of(graph.vertex_count(), candidates);
    met.toggle_range(..);
    let mut reached = breadth_first_from(graph, vertex, &mut met);
    reached.remove(0);
    reached
}

/// All vertices, each component in breadth-first order.
fn breadth_first(graph: &CsrGraph) -> Vec<u32> {
    let mut met = FixedBitSet::with_capacity(graph.vertex_count());
    let mut order = Vec::with_capacity(graph.vertex_count());
    for start in 0..graph.vertex_count() as u32 {
        if !met[start as usize] {
            order.extend(breadth_first_from(graph, start, &mut met));
        }
    }
    order
}

fn breadth_first_from(graph: &CsrGraph, start: u32, met: &mut FixedBitSet) -> Vec<u32> {
    reached_from(vec![start], met, |vertex| graph.out_arcs(vertex).iter().map(|arc| arc.target))
}
