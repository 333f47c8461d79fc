//! What can be known of a graph without solving anything: its parts, its classes, how narrow it is, and an upper bound
//! with its witness.
//!
//! Everything is linear in the graph or nearly so. What would take longer on a large graph is left out there, and
//! [`TooLarge`] says so; nothing is estimated in its place.

use std::fmt;

use petgraph::visit::EdgeRef;

use crate::bound::bipartite::Sides;
use crate::bound::{self, Effort};
use crate::certificate::{self, Claim, Witness};
use crate::decompose::{self, VertexOrder};
use crate::engines::branch_and_cut;
use crate::error::Error;
use crate::instance::{Budget, Instance};
use crate::line_graph;
use crate::reduce::blocks::BlockForest;
use crate::reduce::strong::StrongComponents;
use crate::solver::instance_of;
use crate::view::{CsrGraph, InputGraph, View};

/// Up to so many nodes and edges together a vertex order is sought.
const LARGEST_FOR_ORDER: usize = 400_000;

/// Up to so many nodes and edges together a bound is sought.
const LARGEST_FOR_BOUND: usize = 3_000_000;

/// Up to so many of them the bound of a linear program is sought too, for some tenths of a second: with units of work of a
/// hundred nanoseconds.
const LARGEST_FOR_PROGRAM: usize = 2_000;
const PROGRAM_WORK: u64 = 3_000_000;

/// What an order may cost to find, in neighbours looked at: a few hundredths of a second, and less where few states are
/// predicted anyway.
const ORDER_WORK: u64 = 5_000_000;
const ORDER_WORK_PER_STATE: f64 = 100.0;

/// The facts about a graph, in the caller's own node ids.
///
/// A *simple* edge is one that a path may use: no self-loop, and of parallel edges only the heaviest (opposite directed
/// edges are not parallel). All facts but the first few are about simple edges.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Structure<NodeId> {
    /// Whether edges have a direction.
    pub directed: bool,
    /// How many nodes there are.
    pub nodes: usize,
    /// How many edges the graph lists, loops and parallel ones included. (petgraph's undirected `Csr` lists every edge
    /// twice, and so counts it as two parallel ones.)
    pub edges: usize,
    /// How many of them are self-loops.
    pub self_loops: usize,
    /// How many more of them no path needs, because they have a parallel edge as heavy.
    pub parallel_edges: usize,
    /// The least and the greatest weight of a simple edge; `None` where there is none.
    pub weights: Option<(i64, i64)>,
    /// The least and the greatest number of simple edges at a node, in and out together; `None` without nodes.
    pub degrees: Option<(usize, usize)>,
    /// How many connected components there are, directions forgotten.
    pub components: usize,
    /// How many strong components a directed graph has: nodes that reach each other share one.
    pub strong_components: Option<usize>,
    /// How many *blocks* there are, directions forgotten: greatest sets of two or more nodes that the loss of any one of
    /// them leaves connected. A bridge is a block of two; a node without edges is in none.
    pub blocks: usize,
    /// How many nodes the greatest block has; 0 where there is none.
    pub largest_block: usize,
    /// The nodes whose loss takes their component apart, directions forgotten: those that are in two blocks or more.
    pub cut_nodes: Vec<NodeId>,
    /// The classes of graphs that it belongs to, in the order of [`Class`].
    pub classes: Vec<Class>,
    /// If it is bipartite, the nodes of its two sides: no edge leads from a side to itself. In each component the node that
    /// the graph lists first is on the first side.
    pub sides: Option<[Vec<NodeId>; 2]>,
    /// A good order of the nodes, which shows how narrow the graph is.
    pub order: Result<NodeOrder<NodeId>, TooLarge>,
    /// An upper bound for what was asked.
    pub bound: Result<Bound<NodeId>, TooLarge>,
}

/// A class of graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Class {
    /// No edge.
    Edgeless,
    /// No cycle: a forest, or a directed acyclic graph.
    Acyclic,
    /// Connected and without a cycle, even with directions forgotten.
    Tree,
    /// All nodes on one path, and no other edge.
    Path,
    /// All nodes on one cycle (of three or more; of two or more where directed), and no other edge.
    Cycle,
    /// An edge between any two nodes, both ways where directed.
    Complete,
    /// Two sides, and edges between them alone; directions forgotten.
    Bipartite,
    /// As many edges at every node as at every other; where directed, as many in as out too.
    Regular,
    /// Undirected, with three edges at every node.
    Cubic,
    /// Undirected, its nodes the edges of some multigraph and adjacent where these share an end; see
    /// [`recognise`](crate::line_graph::recognise).
    LineGraph,
    /// The same with a bipartite multigraph: the matches of a deck of [UNO](crate::adapters::uno::is_uno1).
    BipartiteLineGraph,
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Class::Edgeless => "edgeless",
            Class::Acyclic => "acyclic",
            Class::Tree => "tree",
            Class::Path => "path",
            Class::Cycle => "cycle",
            Class::Complete => "complete",
            Class::Bipartite => "bipartite",
            Class::Regular => "regular",
            Class::Cubic => "cubic",
            Class::LineGraph => "line graph",
            Class::BipartiteLineGraph => "line graph of a bipartite graph",
        })
    }
}

/// An order of all nodes along which a dynamic program may sweep, and what it would meet; see [`VertexOrder`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NodeOrder<NodeId> {
    /// The nodes in this order.
    pub nodes: Vec<NodeId>,
    /// The vertex separation of this order. The pathwidth of the graph, which is the least of any order, is *at most* this.
    pub width: usize,
    /// How many nodes consecutive bags of the order's path decomposition share: after each node but the last, the nodes
    /// so far that have a neighbour still to come.
    pub adhesions: Vec<u32>,
    /// How many states a frontier program would make of the whole graph, roughly: an estimate, which reductions may well
    /// undercut, infinite where it is beyond floating point; see [`VertexOrder::predicted_states`].
    pub predicted_states: f64,
}

/// An upper bound, and why it holds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Bound<NodeId> {
    /// No path (or cycle) of the kind asked for is longer; `None` proves that there is none.
    pub upper: Option<i64>,
    /// From this [`check_bound`](certificate::check_bound) recomputes the bound, and has.
    pub witness: Witness<NodeId>,
}

/// Why a fact is missing: to find it out would take too long on so large a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the graph has {size} nodes and edges, and this is looked for up to {limit}")]
pub struct TooLarge {
    size: usize,
    limit: usize,
}

impl TooLarge {
    fn check(graph: &CsrGraph, limit: usize) -> Result<(), Self> {
        let size = graph.vertex_count() + graph.edge_count();
        if size > limit { Err(TooLarge { size, limit }) } else { Ok(()) }
    }
}

impl<NodeId: Copy> Structure<NodeId> {
    /// Finds out about a graph, with `weight` giving every edge its length, and `claim` saying for which paths (or cycles)
    /// the bound is to hold; nothing else depends on the claim.
    ///
    /// # Errors
    /// If the graph or its weights are out of range (see [`View::new`]), if an end is not in the graph, or if a closed
    /// path is to have an end.
    ///
    /// # Panics
    /// If the bound fails the independent check, which would be a defect of longhaul.
    ///
    /// # Complexity
    /// `O(n + m)`, and a few tenths of a second at most for the order and for the bound.
    ///
    /// # Example
    /// ```
    /// use longhaul::certificate::{Claim, check_bound};
    /// use longhaul::structure::{Class, Structure};
    /// use petgraph::graph::UnGraph;
    ///
    /// // Two triangles and a bridge.
    /// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)]);
    /// let claim = Claim { from: Some(2.into()), ..Claim::free() };
    /// let structure = Structure::of(&graph, |_| 1, &claim)?;
    /// assert_eq!((structure.components, structure.blocks, structure.largest_block), (1, 3, 3));
    /// assert_eq!(structure.cut_nodes, [2.into(), 3.into()]);
    /// assert!(!structure.classes.contains(&Class::Bipartite));
    /// assert_eq!(structure.order?.width, 2);
    ///
    /// // 2 ─ 3 ─ 4 ─ 5 is the best that begins at 2, and anyone can check that no path is longer.
    /// let bound = structure.bound?;
    /// assert_eq!(bound.upper, Some(3));
    /// assert_eq!(check_bound(&graph, |_| 1, &claim, &bound.witness), Ok(Some(3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<G: InputGraph<NodeId = NodeId>>(
        graph: G,
        weight: impl Fn(G::EdgeRef) -> i64,
        claim: &Claim<NodeId>,
    ) -> Result<Self, Error>
    where
        NodeId: PartialEq,
    {
        let (instance, names) = instance_of(View::new(graph, &weight)?, claim)?;
        let dense = &instance.graph;
        let node = |vertex: u32| names.node(vertex);

        let (edges, self_loops) = graph
            .edge_references()
            .fold((0, 0), |(edges, loops), edge| (edges + 1, loops + usize::from(edge.source() == edge.target())));
        let degrees = Degrees::of(dense);
        let forest = BlockForest::hang(dense, 0..dense.vertex_count() as u32);
        let strong_components = dense.is_directed().then(|| StrongComponents::of(dense).len());
        let sides = Sides::of(dense);
        let components = forest.roots().len();
        let classes = classes(dense, &degrees, components, strong_components, sides.is_some());

        Ok(Structure {
            directed: dense.is_directed(),
            nodes: dense.vertex_count(),
            edges,
            self_loops,
            parallel_edges: edges - self_loops - dense.edge_count(),
            weights: least_and_greatest(dense.edges().iter().map(|edge| edge.weight)),
            degrees: least_and_greatest(degrees.both()),
            components,
            strong_components,
            blocks: forest.len(),
            largest_block: forest.largest().map_or(0, |block| forest.block(block).len()),
            cut_nodes: cut_vertices(dense, &forest).map(node).collect(),
            classes,
            sides: sides.map(|sides| {
                let side = |second: bool| {
                    let vertices = 0..dense.vertex_count() as u32;
                    vertices.filter(|&vertex| sides.second[vertex as usize] == second).map(node).collect()
                };
                [side(false), side(true)]
            }),
            order: TooLarge::check(dense, LARGEST_FOR_ORDER).map(|()| node_order(dense, node)),
            bound: TooLarge::check(dense, LARGEST_FOR_BOUND).map(|()| {
                best_bound(&instance, &forest, |witness| {
                    let witness = witness.map(|&vertex| node(vertex));
                    match certificate::check_bound(graph, &weight, claim, &witness) {
                        Ok(upper) => Bound { upper, witness },
                        Err(flaw) => panic!("a witness was found that proves nothing: {flaw}"),
                    }
                })
            }),
        })
    }
}

/// A good order of the nodes.
fn node_order<NodeId>(graph: &CsrGraph, node: impl Fn(u32) -> NodeId) -> NodeOrder<NodeId> {
    let effort =
        decompose::Effort { work: ORDER_WORK, work_per_state: ORDER_WORK_PER_STATE, ..decompose::Effort::default() };
    let order = VertexOrder::find(graph, &effort, 0);
    let frontiers = order.frontiers();
    NodeOrder {
        nodes: order.vertices().iter().map(|&vertex| node(vertex)).collect(),
        width: order.width(),
        adhesions: frontiers[..frontiers.len().saturating_sub(1)].to_vec(),
        predicted_states: order.predicted_states(),
    }
}

/// The best of the bounds that are soon found, as `proved` recomputes them from their witnesses.
fn best_bound<NodeId>(
    instance: &Instance,
    forest: &BlockForest,
    proved: impl Fn(Witness<u32>) -> Bound<NodeId>,
) -> Bound<NodeId> {
    let budget = Budget::unlimited();
    let removal = bound::best_bound(instance, Effort::Low, &budget, i64::MIN).witness;
    let mut best = proved(Witness::Removal(removal));
    let mut offer = |witness: Witness<u32>| {
        let bound = proved(witness);
        if bound.upper < best.upper {
            best = bound;
        }
    };
    if forest.len() > 1 {
        offer(Witness::Blocks(bound::blocks::parts(instance, forest, Effort::Low, &budget)));
    }
    if instance.graph.vertex_count() + instance.graph.edge_count() <= LARGEST_FOR_PROGRAM
        && let Some(removal) = branch_and_cut::root_witness(instance, PROGRAM_WORK, &budget)
    {
        offer(Witness::Removal(removal));
    }
    best
}

fn least_and_greatest<T: Copy + Ord>(values: impl Iterator<Item = T>) -> Option<(T, T)> {
    values.fold(None, |range, value| {
        let (least, greatest) = range.unwrap_or((value, value));
        Some((least.min(value), greatest.max(value)))
    })
}

/// The number of arcs out of and into each vertex; where the graph is undirected, all of them are out.
struct Degrees(Vec<(usize, usize)>);

impl Degrees {
    fn of(graph: &CsrGraph) -> Self {
        let into = |vertex| if graph.is_directed() { graph.in_arcs(vertex).len() } else { 0 };
        let degrees = |vertex| (graph.out_arcs(vertex).len(), into(vertex));
        Degrees((0..graph.vertex_count() as u32).map(degrees).collect())
    }

    fn both(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().map(|(out, into)| out + into)
    }

    fn all(&self, out: usize, into: usize) -> bool {
        self.0.iter().all(|&degrees| degrees == (out, into))
    }
}

/// The vertices in more than one block.
fn cut_vertices(graph: &CsrGraph, forest: &BlockForest) -> impl Iterator<Item = u32> {
    let mut blocks = vec![0u32; graph.vertex_count()];
    for block in 0..forest.len() as u32 {
        for &vertex in forest.block(block) {
            blocks[vertex as usize] += 1;
        }
    }
    (0u32..).zip(blocks).filter(|&(_, blocks)| blocks > 1).map(|(vertex, _)| vertex)
}

fn classes(
    graph: &CsrGraph,
    degrees: &Degrees,
    components: usize,
    strong_components: Option<usize>,
    bipartite: bool,
) -> Vec<Class> {
    let (n, m) = (graph.vertex_count(), graph.edge_count());
    let directed = strong_components.is_some();
    let connected = components == 1;
    // With directions forgotten; two opposite arcs make a cycle, here as anywhere.
    let forest = m + components == n;
    let tree = connected && forest;
    let first = degrees.0.first().copied().unwrap_or((0, 0));
    let regular = degrees.all(first.0, first.1) && (!directed || first.0 == first.1);
    let root = if directed { None } else { line_graph::root_of(graph).map(|root| root.graph()) };
    let narrow = |&(out, into): &(usize, usize)| if directed { out <= 1 && into <= 1 } else { out <= 2 };
    let is_member = [
        (Class::Edgeless, m == 0),
        (Class::Acyclic, strong_components.map_or(forest, |strong| strong == n)),
        (Class::Tree, tree),
        (Class::Path, tree && degrees.0.iter().all(narrow)),
        (Class::Cycle, connected && m > 0 && if directed { degrees.all(1, 1) } else { degrees.all(2, 0) }),
        (Class::Complete, m == n * n.saturating_sub(1) / if directed { 1 } else { 2 }),
        (Class::Bipartite, bipartite),
        (Class::Regular, regular),
        (Class::Cubic, !directed && n > 0 && degrees.all(3, 0)),
        (Class::LineGraph, root.is_some()),
        (Class::BipartiteLineGraph, root.is_some_and(|root| Sides::of(&root).is_some())),
    ];
    is_member.into_iter().filter(|&(_, is_member)| is_member).map(|(class, _)| class).collect()
}

/// The blocks of a graph, directions forgotten, each with its nodes; see [`Structure::blocks`]. A block comes before the one
/// that it hangs from, and its first node is the one where it hangs.
///
/// # Errors
/// As [`Structure::of`].
///
/// # Complexity
/// `O(n + m)`.
///
/// # Example
/// ```
/// use petgraph::graph::UnGraph;
///
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 0), (2, 3)]);
/// let blocks = longhaul::structure::blocks(&graph)?;
/// assert_eq!(blocks.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3]);
/// # Ok::<(), longhaul::Error>(())
/// ```
pub fn blocks<G: InputGraph>(graph: G) -> Result<Vec<Vec<G::NodeId>>, Error> {
    let (instance, names) = instance_of(View::new(graph, |_: G::EdgeRef| 1)?, &Claim::free())?;
    let forest = BlockForest::hang(&instance.graph, 0..instance.graph.vertex_count() as u32);
    let nodes = |block: u32| forest.block(block).iter().map(|&vertex| names.node(vertex)).collect();
    Ok((0..forest.len() as u32).map(nodes).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::graph::{DiGraph, NodeIndex, UnGraph};

    const NONE: &[(u32, u32)] = &[];

    /// So many nodes, these edges, and the classes that makes.
    type Case<'a> = (usize, &'a [(u32, u32)], &'a [Class]);

    fn undirected(nodes: usize, edges: &[(u32, u32)]) -> Structure<NodeIndex> {
        let mut graph = UnGraph::<(), ()>::default();
        (0..nodes).for_each(|_| _ = graph.add_node(()));
        graph.extend_with_edges(edges);
        Structure::of(&graph, |_| 1, &Claim::free()).unwrap()
    }

    fn directed(nodes: usize, edges: &[(u32, u32)]) -> Structure<NodeIndex> {
        let mut graph = DiGraph::<(), ()>::default();
        (0..nodes).for_each(|_| _ = graph.add_node(()));
        graph.extend_with_edges(edges);
        Structure::of(&graph, |_| 1, &Claim::free()).unwrap()
    }

    #[test]
    fn small_graphs_are_in_their_classes() {
        use Class::*;
        let petersen: Vec<(u32, u32)> =
            (0..5).flat_map(|v| [(v, (v + 1) % 5), (v, v + 5), (v + 5, (v + 2) % 5 + 5)]).collect();
        let cases: [Case<'_>; 11] = [
            (0, NONE, &[Edgeless, Acyclic, Complete, Bipartite, Regular, LineGraph, BipartiteLineGraph]),
            (1, NONE, &[Edgeless, Acyclic, Tree, Path, Complete, Bipartite, Regular, LineGraph, BipartiteLineGraph]),
            (3, NONE, &[Edgeless, Acyclic, Bipartite, Regular, LineGraph, BipartiteLineGraph]),
            (2, &[(0, 1)], &[Acyclic, Tree, Path, Complete, Bipartite, Regular, LineGraph, BipartiteLineGraph]),
            (4, &[(0, 1), (0, 2), (0, 3)], &[Acyclic, Tree, Bipartite]),
            (4, &[(0, 1), (2, 3)], &[Acyclic, Bipartite, Regular, LineGraph, BipartiteLineGraph]),
            (3, &[(0, 1), (1, 2), (2, 0)], &[Cycle, Complete, Regular, LineGraph, BipartiteLineGraph]),
            (
                4,
                &[(0, 1), (1, 2), (2, 3), (3, 0), (1, 0), (2, 2)],
                &[Cycle, Bipartite, Regular, LineGraph, BipartiteLineGraph],
            ),
            (6, &[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)], &[Regular, LineGraph, BipartiteLineGraph]),
            (5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], &[Cycle, Regular, LineGraph]),
            (10, &petersen, &[Regular, Cubic]),
        ];
        for (nodes, edges, classes) in cases {
            assert_eq!(undirected(nodes, edges).classes, classes, "{edges:?}");
        }
        let cases: [Case<'_>; 7] = [
            (3, &[(0, 1), (1, 2)], &[Acyclic, Tree, Path, Bipartite]),
            (3, &[(0, 1), (2, 1)], &[Acyclic, Tree, Bipartite]),
            (3, &[(0, 1), (1, 2), (0, 2)], &[Acyclic]),
            (2, &[(0, 1), (1, 0)], &[Cycle, Complete, Bipartite, Regular]),
            (3, &[(0, 1), (1, 2), (2, 0)], &[Cycle, Regular]),
            (3, &[(0, 1), (1, 0), (1, 2)], &[Bipartite]),
            (4, &[(0, 1), (0, 3), (2, 1), (2, 3)], &[Acyclic, Bipartite]),
        ];
        for (nodes, edges, classes) in cases {
            assert_eq!(directed(nodes, edges).classes, classes, "{edges:?}");
        }
    }

    #[test]
    fn counts_of_a_multigraph_in_parts() {
        let edges = [(0, 1), (1, 0), (1, 2), (2, 0), (2, 2), (2, 3), (3, 4), (4, 5), (5, 3), (4, 5)];
        let facts = undirected(7, &edges);
        assert_eq!((facts.nodes, facts.edges, facts.self_loops, facts.parallel_edges), (7, 10, 1, 2));
        assert_eq!((facts.components, facts.strong_components), (2, None));
        assert_eq!((facts.blocks, facts.largest_block), (3, 3));
        assert_eq!(facts.cut_nodes, [2.into(), 3.into()]);
        assert_eq!((facts.degrees, facts.weights), (Some((0, 3)), Some((1, 1))));
        let facts = directed(7, &edges);
        assert_eq!((facts.self_loops, facts.parallel_edges), (1, 1));
        assert_eq!((facts.components, facts.strong_components), (2, Some(3)));
        assert_eq!((facts.degrees, facts.blocks), (Some((0, 3)), 3));
    }

    #[test]
    fn sides_and_orders_are_what_they_claim() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (2, 5), (4, 3)];
        let facts = undirected(7, &edges);
        let [first, second] = facts.sides.unwrap();
        assert_eq!(first, [0, 2, 4, 6].map(NodeIndex::new));
        assert_eq!(second, [1, 3, 5].map(NodeIndex::new));

        let order = facts.order.unwrap();
        assert_eq!(order.nodes.len(), 7);
        let position = |node: u32| order.nodes.iter().position(|&other| other == node.into()).unwrap();
        for (place, &adhesion) in order.adhesions.iter().enumerate() {
            let waits = |&node: &u32| {
                let meets =
                    |&(a, b): &(u32, u32)| (a == node && position(b) > place) || (b == node && position(a) > place);
                position(node) <= place && edges.iter().any(meets)
            };
            assert_eq!((0..7).filter(waits).count(), adhesion as usize);
        }
        assert_eq!((order.adhesions.len(), order.adhesions.iter().max()), (6, Some(&(order.width as u32))));
    }

    #[test]
    fn what_is_missing_has_a_reason() {
        let leaves = LARGEST_FOR_BOUND as u32 / 2;
        let edges: Vec<(u32, u32)> = (1..=leaves).map(|leaf| (0, leaf)).collect();
        let facts = undirected(leaves as usize + 1, &edges);
        let reason = format!("the graph has {} nodes and edges, and this is looked for up to ", 2 * leaves + 1);
        assert_eq!(facts.order.unwrap_err().to_string(), format!("{reason}{LARGEST_FOR_ORDER}"));
        assert_eq!(facts.bound.unwrap_err().to_string(), format!("{reason}{LARGEST_FOR_BOUND}"));
        assert_eq!((facts.blocks, facts.cut_nodes), (leaves as usize, vec![0.into()]));
    }

    #[test]
    fn a_question_that_makes_no_sense_is_refused() {
        let graph = UnGraph::<(), ()>::from_edges([(0, 1)]);
        let node = Some(NodeIndex::new(0));
        assert!(Structure::of(&graph, |_| 1, &Claim { from: None, to: node, closed: true }).is_err());
        assert!(Structure::of(&graph, |_| 1, &Claim { from: Some(9.into()), ..Claim::free() }).is_err());
        assert!(Structure::of(&graph, |_| i64::MAX, &Claim::free()).is_err());
    }
}
