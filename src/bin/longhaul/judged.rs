//! What `check` finds: an answer as nodes of the file, its edges, what it is worth, and whether it meets the demands.

use fixedbitset::FixedBitSet;
use longhaul::certificate::{self, Claim, DemandFlaw, Flaw};
use longhaul::io::GraphFile;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};

use crate::demands::Demands;
use crate::input::Ends;

/// A path, cycle or trail that is to be judged.
pub(crate) struct Judged<'a> {
    pub(crate) file: &'a GraphFile,
    pub(crate) ends: &'a Ends,
    pub(crate) demands: &'a Demands,
    pub(crate) is_trail: bool,
    pub(crate) nodes: &'a [NodeIndex],
}

/// What is wrong with it.
pub(crate) enum Wrong {
    /// As a path of the graph.
    Path(Flaw),
    /// As an answer to the question.
    Demand(DemandFlaw),
    /// Its worth passes 64 bits.
    Overflow,
}

impl Judged<'_> {
    /// What it is worth, by the heaviest edges that it may use, prizes and all.
    pub(crate) fn worth(&self) -> Result<i64, Wrong> {
        // Edges to avoid are none.
        let mut graph = self.file.graph.clone();
        graph.retain_edges(|_, edge| !self.demands.avoid_edges.contains(&edge));
        let claim = Claim { from: self.ends.from, to: self.ends.to, closed: self.ends.closed };
        let length = match (self.is_trail, self.file.directed) {
            (true, true) => {
                let edges = self.trail_edges(&graph)?;
                certificate::check_trail(&graph, |edge| *edge.weight(), &claim, self.nodes, &edges)
            }
            (true, false) => {
                let edges = self.trail_edges(&graph)?;
                certificate::check_trail(UndirectedAdaptor(&graph), |edge| *edge.weight(), &claim, self.nodes, &edges)
            }
            (false, true) => certificate::check_nodes(&graph, |edge| *edge.weight(), &claim, self.nodes),
            (false, false) => {
                certificate::check_nodes(UndirectedAdaptor(&graph), |edge| *edge.weight(), &claim, self.nodes)
            }
        };
        let length = length.map_err(Wrong::Path)?;
        self.check_demands(&graph)?;
        let prizes = &self.demands.prizes;
        let prizes = self.nodes.iter().map(|node| prizes.get(node.index()).copied().unwrap_or(0));
        prizes.into_iter().try_fold(length, i64::checked_add).ok_or(Wrong::Overflow)
    }

    /// Its steps, from node to node; of what is closed the last comes back.
    fn steps(&self) -> impl Iterator<Item = (NodeIndex, NodeIndex)> + '_ {
        let back = self.nodes.first().filter(|_| self.ends.closed);
        self.nodes.iter().zip(self.nodes.iter().skip(1).chain(back)).map(|(&from, &to)| (from, to))
    }

    /// The edges of a trail: of parallel edges the heaviest first, each once.
    fn trail_edges(&self, graph: &DiGraph<(), i64>) -> Result<Vec<EdgeIndex>, Wrong> {
        let mut used = FixedBitSet::with_capacity(graph.edge_count());
        let mut edges = Vec::new();
        for (at, (from, to)) in self.steps().enumerate() {
            let joins = |source: NodeIndex, target: NodeIndex| {
                (source, target) == (from, to) || (!self.file.directed && (target, source) == (from, to))
            };
            let around = graph.edges(from).chain(graph.edges_directed(from, petgraph::Incoming));
            let free = around.filter(|edge| joins(edge.source(), edge.target()) && !used[edge.id().index()]);
            let heaviest = free.max_by_key(|edge| (*edge.weight(), std::cmp::Reverse(edge.id())));
            let edge = heaviest.ok_or(Wrong::Path(Flaw::NoSuchStep(at)))?.id();
            used.insert(edge.index());
            edges.push(edge);
        }
        Ok(edges)
    }

    fn check_demands(&self, graph: &DiGraph<(), i64>) -> Result<(), Wrong> {
        let Demands { visit, use_steps, at_least, at_most, induced, .. } = self.demands;
        let demands = certificate::Demands {
            visit: visit.clone(),
            use_steps: use_steps.clone(),
            at_least: *at_least,
            at_most: *at_most,
            induced: *induced,
            ..certificate::Demands::none()
        };
        // Only their number matters: which they are is said by the steps.
        let edges: Vec<EdgeIndex> = self.steps().map(|_| EdgeIndex::end()).collect();
        let checked = if self.file.directed {
            certificate::check_demands(graph, &demands, self.nodes, &edges)
        } else {
            certificate::check_demands(UndirectedAdaptor(graph), &demands, self.nodes, &edges)
        };
        checked.map_err(Wrong::Demand)
    }
}
