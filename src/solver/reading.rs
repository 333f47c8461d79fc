//! A question with demands, read into plain numbers, and its answers told in the caller's ids again.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use petgraph::visit::EdgeRef;

use crate::certificate::{self, Claim, Demands};
use crate::engines::sweep;
use crate::error::Error;
use crate::solution::Path;
use crate::strategy::sweep::Asked;
use crate::view::{InputGraph, LENGTH_LIMIT};

/// What the caller asks for: all of it but limits and engines.
pub(crate) struct Question<'q, 'a, G: InputGraph> {
    pub(crate) graph: G,
    pub(crate) claim: Claim<G::NodeId>,
    pub(crate) demands: &'q Demands<G::NodeId, G::EdgeId>,
    pub(crate) weights: &'q Option<Box<dyn Fn(G::EdgeRef) -> i64 + Send + 'a>>,
    pub(crate) prizes: &'q Option<Box<dyn Fn(G::NodeId) -> i64 + Send + 'a>>,
}

/// The question in plain numbers: vertices and edges that may be used, in the order of the graph's own.
pub(crate) struct Reading<NodeId, EdgeId> {
    pub(crate) asked: Asked,
    nodes: Vec<NodeId>,
    ids: Vec<EdgeId>,
    /// Whether the demands contradict each other, so that no path can meet them.
    pub(crate) contradictory: bool,
    /// No path is worth more than this, nor less than its negative.
    pub(crate) most: i64,
}

impl<G: InputGraph> Question<'_, '_, G> {
    fn weight(&self, edge: G::EdgeRef) -> i64 {
        self.weights.as_ref().map_or(1, |weight| weight(edge))
    }

    /// Reads the graph without what is to be avoided.
    ///
    /// # Errors
    /// If a node or edge is not in the graph, if one is both demanded and forbidden, or if numbers are out of range.
    pub(crate) fn read(&self) -> Result<Reading<G::NodeId, G::EdgeId>, Error> {
        let Question { graph, claim, demands, .. } = *self;
        self.check_hops()?;
        if claim.closed && claim.to.is_some() {
            return Err(Error::contradiction(
                "a closed path has no end; give the node it must visit with `from`, and no `to`",
            ));
        }
        let all: Vec<G::NodeId> = graph.node_identifiers().collect();
        if all.len() >= u32::MAX as usize {
            return Err(Error::too_large("nodes", all.len(), u32::MAX as usize - 1));
        }
        let position = |node: &G::NodeId| all.iter().position(|known| known == node);
        let mut forbidden = FixedBitSet::with_capacity(all.len());
        for (at, node) in demands.avoid.iter().enumerate() {
            forbidden.insert(position(node).ok_or_else(|| unknown("node", at, "avoid"))?);
        }
        let mut vertex_of = vec![u32::MAX; all.len()];
        let mut vertex_from_index = vec![u32::MAX; graph.node_bound()];
        let mut nodes = Vec::new();
        for (at, &node) in all.iter().enumerate().filter(|&(at, _)| !forbidden[at]) {
            vertex_of[at] = nodes.len() as u32;
            vertex_from_index[graph.to_index(node)] = nodes.len() as u32;
            nodes.push(node);
        }
        let allowed = |at: usize, role: &str| match vertex_of[at] {
            u32::MAX => {
                let asked = format!("{role} the node with index {} and avoid it", graph.to_index(all[at]));
                Err(Error::request(asked, "no path can do both; leave out one of the two"))
            }
            vertex => Ok(vertex),
        };
        let end = |node: &Option<G::NodeId>, role, verb| match node {
            Some(node) => allowed(position(node).ok_or_else(|| Error::unknown_end(role))?, verb).map(Some),
            None => Ok(None),
        };
        let from = end(&claim.from, "the beginning", "begin at")?;
        let to = end(&claim.to, "the end", "end at")?;
        let mut visit = Vec::new();
        for (at, node) in demands.visit.iter().enumerate() {
            visit.push(allowed(position(node).ok_or_else(|| unknown("node", at, "visit"))?, "visit")?);
        }
        visit.sort_unstable();
        visit.dedup();

        let prizes: Vec<i64> = match self.prizes {
            Some(prize) => nodes.iter().map(|&node| prize(node)).collect(),
            None => Vec::new(),
        };
        let mut edges = self.read_edges(&vertex_from_index)?;
        let mut contradictory = edges.contradictory;
        edges.drop_rivals_of_musts(graph.is_directed());
        for (at, pair) in demands.use_steps.iter().enumerate() {
            let mut ends = [0; 2];
            for (end, node) in ends.iter_mut().zip(pair) {
                let place = position(node).ok_or_else(|| unknown("node of pair", at, "use_steps"))?;
                *end = allowed(place, "go by")?;
            }
            // Nodes that no edge joins, or none that may be used, are on no path one behind the other.
            contradictory |= !edges.must_go(ends, graph.is_directed());
        }
        let most = range(nodes.len(), &edges.edges, &prizes)?;
        let demands = sweep::Demands {
            from,
            to,
            closed: claim.closed,
            prizes,
            visit,
            use_edges: edges.musts,
            at_least: demands.at_least.unwrap_or(0).min(u32::MAX as usize) as u32,
            at_most: demands.at_most.map(|most| most.min(u32::MAX as usize) as u32),
        };
        let asked = Asked { vertex_count: nodes.len(), directed: graph.is_directed(), edges: edges.edges, demands };
        let contradictory = contradictory || edges.two_rival_musts;
        Ok(Reading { asked, nodes, ids: edges.ids, contradictory, most })
    }

    fn check_hops(&self) -> Result<(), Error> {
        let (least, most) = (self.demands.at_least, self.demands.at_most);
        for (k, name) in [(least, "at_least"), (most, "at_most")] {
            if k == Some(0) {
                return Err(Error::request(
                    format!("{name}(0)"),
                    "a number of edges is 1 or more; a path of none is a node",
                ));
            }
        }
        Ok(())
    }

    fn read_edges(&self, vertex_from_index: &[u32]) -> Result<Edges<G::EdgeId>, Error> {
        let Question { graph, demands, .. } = *self;
        let mut read = Edges {
            edges: Vec::new(),
            ids: Vec::new(),
            musts: FixedBitSet::new(),
            contradictory: false,
            two_rival_musts: false,
        };
        let mut used = FixedBitSet::with_capacity(demands.use_edges.len());
        let mut avoided = FixedBitSet::with_capacity(demands.avoid_edges.len());
        let mark = |list: &[G::EdgeId], found: &mut FixedBitSet, id: G::EdgeId| {
            let places = list.iter().enumerate().filter(|&(_, &other)| other == id);
            places.map(|(at, _)| found.insert(at)).count() > 0
        };
        for (count, edge) in graph.edge_references().enumerate() {
            let must = mark(&demands.use_edges, &mut used, edge.id());
            let forbidden = mark(&demands.avoid_edges, &mut avoided, edge.id());
            if must && forbidden {
                let asked = format!("use edge number {} of the graph and avoid it", count + 1);
                return Err(Error::request(asked, "no path can do both; leave out one of the two"));
            }
            let [source, target] = [edge.source(), edge.target()].map(|node| vertex_from_index[graph.to_index(node)]);
            let usable = source != target && source != u32::MAX && target != u32::MAX;
            // A loop, or an edge at a node to avoid, is on no path.
            read.contradictory |= must && !usable;
            if usable && !forbidden {
                read.musts.extend(must.then_some(read.edges.len()));
                read.edges.push((source, target, self.weight(edge)));
                read.ids.push(edge.id());
            }
        }
        if read.edges.len() > u32::MAX as usize / 2 {
            return Err(Error::too_large("edges", read.edges.len(), u32::MAX as usize / 2));
        }
        for (found, list) in [(&used, "use_edges"), (&avoided, "avoid_edges")] {
            if let Some(at) = found.zeroes().next() {
                return Err(unknown("edge", at, list));
            }
        }
        Ok(read)
    }

    /// The independent check: panics at a path that is not what was asked for.
    pub(crate) fn check(&self, path: &Path<G::NodeId, G::EdgeId>) {
        let weight = |edge| self.weight(edge);
        let length = certificate::check_path(self.graph, weight, &self.claim, &path.nodes, &path.edges)
            .unwrap_or_else(|flaw| panic!("a wrong path was found: {flaw}"));
        let prizes: i64 = self.prizes.as_ref().map_or(0, |prize| path.nodes.iter().map(|&node| prize(node)).sum());
        assert_eq!(length + prizes, path.length, "the path found is not worth what its engine says");
        if let Err(flaw) = certificate::check_demands(self.graph, self.demands, &path.nodes, &path.edges) {
            panic!("a path that does not meet the demands was found: {flaw}");
        }
    }
}

fn unknown(what: &str, at: usize, list: &str) -> Error {
    Error::not_in_graph(format!("{what} number {} of `{list}`", at + 1))
}

/// The edges that may be used.
struct Edges<EdgeId> {
    edges: Vec<(u32, u32, i64)>,
    ids: Vec<EdgeId>,
    /// Those that must be used.
    musts: FixedBitSet,
    contradictory: bool,
    two_rival_musts: bool,
}

impl<EdgeId: Copy> Edges<EdgeId> {
    /// All edges from one vertex to another must be used, as far as a path can: one of them. Whether there is any.
    fn must_go(&mut self, [from, to]: [u32; 2], directed: bool) -> bool {
        let joins = |&(source, target, _): &(u32, u32, i64)| {
            (source, target) == (from, to) || (!directed && (target, source) == (from, to))
        };
        let musts = (0..self.edges.len()).filter(|&edge| joins(&self.edges[edge]));
        musts.map(|edge| self.musts.extend([edge])).count() > 0
    }

    /// Of parallel edges a path uses at most one; where that is given, the others go.
    fn drop_rivals_of_musts(&mut self, directed: bool) {
        let pair = |&(a, b, _): &(u32, u32, i64)| if directed || a < b { (a, b) } else { (b, a) };
        let mut pairs: Vec<(u32, u32)> = self.musts.ones().map(|edge| pair(&self.edges[edge])).collect();
        if pairs.is_empty() {
            return;
        }
        pairs.sort_unstable();
        self.two_rival_musts = pairs.windows(2).any(|two| two[0] == two[1]);
        let is_kept = |edge: &usize| self.musts[*edge] || pairs.binary_search(&pair(&self.edges[*edge])).is_err();
        let kept: Vec<usize> = (0..self.edges.len()).filter(is_kept).collect();
        self.musts = (0..kept.len()).filter(|&edge| self.musts[kept[edge]]).collect();
        self.ids = kept.iter().map(|&edge| self.ids[edge]).collect();
        self.edges = kept.iter().map(|&edge| self.edges[edge]).collect();
    }
}

/// What no path is worth more than, nor less than its negative: every vertex is entered at most once.
fn range(vertex_count: usize, edges: &[(u32, u32, i64)], prizes: &[i64]) -> Result<i64, Error> {
    let mut heaviest = vec![0u64; vertex_count];
    for &(a, b, weight) in edges {
        for end in [a, b] {
            heaviest[end as usize] = heaviest[end as usize].max(weight.unsigned_abs());
        }
    }
    let prizes = prizes.iter().map(|prize| u128::from(prize.unsigned_abs()));
    let total: u128 = heaviest.iter().map(|&weight| u128::from(weight)).chain(prizes).sum();
    if total > LENGTH_LIMIT as u128 { Err(Error::weights_too_large(total)) } else { Ok(total as i64) }
}

impl<NodeId: Copy, EdgeId: Copy> Reading<NodeId, EdgeId> {
    /// The caller's nodes, by vertex.
    pub(crate) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// A path of a single vertex, if one meets the demands: the one worth most.
    pub(crate) fn lone(&self) -> Option<(u32, i64)> {
        let lones = self.lones();
        lones.max_by_key(|&(vertex, worth)| (worth, std::cmp::Reverse(vertex)))
    }

    /// All of them.
    pub(crate) fn lones(&self) -> impl Iterator<Item = (u32, i64)> + '_ {
        let demands = &self.asked.demands;
        let none = demands.closed || demands.at_least > 0 || !demands.use_edges.is_clear() || self.contradictory;
        let vertices = if none { 0 } else { self.asked.vertex_count as u32 };
        let fits = |vertex: &u32| {
            let given = [demands.from, demands.to].into_iter().flatten().chain(demands.visit.iter().copied());
            given.into_iter().all(|other| other == *vertex)
        };
        (0..vertices).filter(move |vertex| fits(vertex)).map(|vertex| (vertex, demands.prize(vertex)))
    }

    /// Whether only a path of a single vertex can be an answer, or none.
    pub(crate) fn only_lone(&self) -> bool {
        let demands = &self.asked.demands;
        self.contradictory || (!demands.closed && demands.from.is_some() && demands.from == demands.to)
    }

    /// What the path with these edges is worth.
    pub(crate) fn worth(&self, edges: &[u32]) -> i64 {
        let asked = &self.asked;
        let (vertices, _) = walk(asked, edges);
        let weights: i64 = edges.iter().map(|&edge| asked.edges[edge as usize].2).sum();
        weights + vertices.iter().map(|&vertex| asked.demands.prize(vertex)).sum::<i64>()
    }

    pub(crate) fn lone_path(&self, vertex: u32, length: i64) -> Path<NodeId, EdgeId> {
        Path { nodes: vec![self.nodes[vertex as usize]], edges: Vec::new(), length }
    }

    /// A path, or cycle, from the set of its edges.
    pub(crate) fn path(&self, edges: &[u32], length: i64) -> Path<NodeId, EdgeId> {
        let (vertices, edges) = walk(&self.asked, edges);
        Path {
            nodes: vertices.iter().map(|&vertex| self.nodes[vertex as usize]).collect(),
            edges: edges.iter().map(|&edge| self.ids[edge as usize]).collect(),
            length,
        }
    }
}

/// The vertices and edges of a path or cycle in order: from its given end, else from the smaller one where undirected.
fn walk(asked: &Asked, edges: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let demands = &asked.demands;
    let mut at: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &edge in edges {
        let (source, target, _) = asked.edges[edge as usize];
        at.entry(source).or_default().push(edge);
        at.entry(target).or_default().push(edge);
    }
    let is_first = |vertex: u32, edges: &[u32]| match (demands.closed, asked.directed) {
        (true, _) => demands.from.is_none_or(|from| from == vertex),
        (false, true) => edges.len() == 1 && asked.edges[edges[0] as usize].0 == vertex,
        (false, false) => {
            let turned = demands.to == Some(vertex);
            edges.len() == 1 && !turned && demands.from.is_none_or(|from| from == vertex)
        }
    };
    let first = at.iter().find(|(vertex, edges)| is_first(**vertex, edges)).map(|(&vertex, _)| vertex);
    let first = first.expect("a path has a first vertex");
    let (mut vertices, mut way) = (vec![first], Vec::new());
    let (mut here, mut last) = (first, None);
    loop {
        let leads_on = |&edge: &u32| Some(edge) != last && (!asked.directed || asked.edges[edge as usize].0 == here);
        let Some(edge) = at[&here].iter().copied().find(leads_on) else { break };
        last = Some(edge);
        way.push(edge);
        let (source, target, _) = asked.edges[edge as usize];
        here = if source == here { target } else { source };
        if here == first {
            break;
        }
        vertices.push(here);
    }
    (vertices, way)
}
