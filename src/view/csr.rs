//! The dense graph that every engine works on: compressed sparse rows over vertices `0..n`.

use crate::error::Error;
use crate::rows::{IsOver, PIECE, Rows};

/// No path is ever longer than this, in either sign, so sums of a path, two end prizes and a bound stay within `i64`.
pub(crate) const LENGTH_LIMIT: i64 = 1 << 60;

/// An edge between two different vertices; from `source` to `target` where the graph is directed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// One end, or the tail of a directed edge.
    pub source: u32,
    /// The other end, or the head of a directed edge.
    pub target: u32,
    /// The length of the edge.
    pub weight: i64,
}

/// One direction of an edge as seen from a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The vertex at the other end.
    pub target: u32,
    /// The edge this arc runs along.
    pub edge: u32,
}

/// A simple weighted graph in compressed sparse rows: no self-loops, no parallel edges.
///
/// An undirected edge appears as one [`Edge`] and two [`Arc`]s, a directed one as one arc out and one arc in.
#[derive(Clone, Debug)]
pub struct CsrGraph {
    directed: bool,
    edges: Vec<Edge>,
    out: Rows<Arc>,
    /// The arcs against the direction; `None` where the graph is undirected and `out` serves both.
    into: Option<Rows<Arc>>,
}

impl CsrGraph {
    /// Builds the graph on vertices `0..vertex_count` from any list of edges, keeping the heaviest of parallel edges (the
    /// first of equals) and dropping self-loops. Also returns, for every edge kept, its position in the list.
    ///
    /// `O(n + m)`.
    ///
    /// # Panics
    /// If an edge names a vertex out of range.
    pub fn from_multigraph(vertex_count: usize, directed: bool, edges: Vec<Edge>) -> (Self, Vec<u32>) {
        Self::from_multigraph_unless(vertex_count, directed, edges, &mut || false).expect("nobody ends it")
    }

    /// The same, or `None` if `is_over`, which is asked now and then, says so.
    pub(crate) fn from_multigraph_unless(
        vertex_count: usize,
        directed: bool,
        edges: Vec<Edge>,
        is_over: IsOver<'_>,
    ) -> Option<(Self, Vec<u32>)> {
        // Bucket the edges by their smaller end (their source where directed), so that parallel ones share a bucket.
        let ends = |position: usize| {
            let Edge { source, target, .. } = edges[position];
            if directed || source < target { (source, target) } else { (target, source) }
        };
        let keyed = |position: usize| {
            let (key, other) = ends(position);
            (key, (other, position as u32))
        };
        let buckets = Rows::new_unless(vertex_count, edges.len(), keyed, is_over)?;

        let mut kept: Vec<Edge> = Vec::with_capacity(edges.len());
        let mut positions: Vec<u32> = Vec::with_capacity(edges.len());
        let mut kept_from_other = vec![u32::MAX; vertex_count];
        for vertex in 0..vertex_count as u32 {
            if (vertex as usize).is_multiple_of(PIECE) && is_over() {
                return None;
            }
            let first_of_bucket = kept.len();
            for &(other, position) in buckets.row(vertex) {
                if other == vertex {
                    continue;
                }
                let edge = edges[position as usize];
                let seen = &mut kept_from_other[other as usize];
                if *seen != u32::MAX && *seen as usize >= first_of_bucket {
                    let rival = *seen as usize;
                    if edge.weight > kept[rival].weight {
                        kept[rival] = edge;
                        positions[rival] = position;
                    }
                } else {
                    *seen = kept.len() as u32;
                    kept.push(edge);
                    positions.push(position);
                }
            }
        }
        Some((Self::from_simple_unless(vertex_count, directed, kept, is_over)?, positions))
    }

    /// Builds the graph from edges that are known to be neither parallel nor loops; edge ids are positions in the list.
    pub(crate) fn from_simple(vertex_count: usize, directed: bool, edges: Vec<Edge>) -> Self {
        Self::from_simple_unless(vertex_count, directed, edges, &mut || false).expect("nobody ends it")
    }

    /// The same, or `None` if `is_over`, which is asked now and then, says so.
    pub(crate) fn from_simple_unless(
        vertex_count: usize,
        directed: bool,
        edges: Vec<Edge>,
        is_over: IsOver<'_>,
    ) -> Option<Self> {
        let forth = |edge: usize| (edges[edge].source, Arc { target: edges[edge].target, edge: edge as u32 });
        let back = |edge: usize| (edges[edge].target, Arc { target: edges[edge].source, edge: edge as u32 });
        let (out, into) = if directed {
            let into = Rows::new_unless(vertex_count, edges.len(), back, is_over)?;
            (Rows::new_unless(vertex_count, edges.len(), forth, is_over)?, Some(into))
        } else {
            let both = |arc: usize| if arc.is_multiple_of(2) { forth(arc / 2) } else { back(arc / 2) };
            (Rows::new_unless(vertex_count, 2 * edges.len(), both, is_over)?, None)
        };
        Some(CsrGraph { directed, edges, out, into })
    }

    /// Whether edges have a direction.
    #[inline]
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// The number of vertices; they are `0..vertex_count()`.
    #[inline]
    pub fn vertex_count(&self) -> usize {
        self.out.len()
    }

    /// What the graph holds, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.edges.len() * size_of::<Edge>() + self.out.bytes() + self.into.as_ref().map_or(0, Rows::bytes)
    }

    /// The number of edges; they are `0..edge_count()`.
    #[inline]
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// All edges, by id.
    #[inline]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The length of an edge.
    #[inline]
    pub fn weight(&self, edge: u32) -> i64 {
        self.edges[edge as usize].weight
    }

    /// The arcs that leave a vertex (all its arcs where the graph is undirected).
    #[inline]
    pub fn out_arcs(&self, vertex: u32) -> &[Arc] {
        self.out.row(vertex)
    }

    /// The arcs that enter a vertex, each seen from it: `target` is where the edge comes from.
    #[inline]
    pub fn in_arcs(&self, vertex: u32) -> &[Arc] {
        self.into.as_ref().unwrap_or(&self.out).row(vertex)
    }

    /// The edge from `source` to `target`, if there is one. Linear in the smaller of the two rows.
    #[inline]
    pub fn edge_between(&self, source: u32, target: u32) -> Option<u32> {
        let (row, wanted) = if self.out_arcs(source).len() <= self.in_arcs(target).len() {
            (self.out_arcs(source), target)
        } else {
            (self.in_arcs(target), source)
        };
        row.iter().find(|arc| arc.target == wanted).map(|arc| arc.edge)
    }

    /// The edges along a sequence of vertices.
    ///
    /// # Panics
    /// If two vertices in a row are not adjacent.
    pub fn edges_along<'a>(&'a self, vertices: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        vertices.windows(2).map(|pair| {
            self.edge_between(pair[0], pair[1]).unwrap_or_else(|| {
                panic!("vertices {} and {} follow each other but are not adjacent", pair[0], pair[1])
            })
        })
    }

    /// The sum of the weights along a sequence of vertices.
    ///
    /// # Panics
    /// If two vertices in a row are not adjacent.
    pub fn length_along(&self, vertices: &[u32]) -> i64 {
        self.edges_along(vertices).map(|edge| self.weight(edge)).sum()
    }

    /// The same graph with every direction turned round. Edge ids stay.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut reversed = self.clone();
        if let Some(into) = reversed.into.as_mut() {
            std::mem::swap(&mut reversed.out, into);
            for edge in &mut reversed.edges {
                std::mem::swap(&mut edge.source, &mut edge.target);
            }
        }
        reversed
    }

    /// The subgraph induced by `vertices` (all different), whose own vertices are the positions in that list; and for
    /// each of its edges the edge here. `O(sum of the degrees)` beside the `scratch` of `vertex_count()` entries, all
    /// `u32::MAX` before and after, which callers with many subgraphs share between them.
    pub(crate) fn induced(&self, vertices: &[u32], scratch: &mut [u32]) -> (Self, Vec<u32>) {
        self.induced_unless(vertices, scratch, &mut || false).expect("nobody ends it")
    }

    /// The same, or `None` if `is_over`, which is asked now and then, says so.
    pub(crate) fn induced_unless(
        &self,
        vertices: &[u32],
        scratch: &mut [u32],
        is_over: IsOver<'_>,
    ) -> Option<(Self, Vec<u32>)> {
        for (position, &vertex) in vertices.iter().enumerate() {
            scratch[vertex as usize] = position as u32;
        }
        let mut edges = Vec::new();
        let mut edge_from_edge = Vec::new();
        let mut ended = false;
        for (position, &vertex) in vertices.iter().enumerate() {
            ended = position % PIECE == PIECE - 1 && is_over();
            if ended {
                break;
            }
            for arc in self.out_arcs(vertex) {
                let target = scratch[arc.target as usize];
                if target != u32::MAX && (self.directed || (position as u32) < target) {
                    edges.push(Edge { source: position as u32, target, weight: self.weight(arc.edge) });
                    edge_from_edge.push(arc.edge);
                }
            }
        }
        for &vertex in vertices {
            scratch[vertex as usize] = u32::MAX;
        }
        if ended {
            return None;
        }
        Some((Self::from_simple_unless(vertices.len(), self.directed, edges, is_over)?, edge_from_edge))
    }

    /// Refuses weights with which the length of a path could leave the range `-2⁶⁰..=2⁶⁰`.
    pub(crate) fn check_weights(&self) -> Result<(), Error> {
        let mut heaviest = vec![0u64; self.vertex_count()];
        for edge in &self.edges {
            let slot = &mut heaviest[edge.target as usize];
            *slot = (*slot).max(edge.weight.unsigned_abs());
            if !self.directed {
                let slot = &mut heaviest[edge.source as usize];
                *slot = (*slot).max(edge.weight.unsigned_abs());
            }
        }
        // A path or a cycle enters every vertex at most once.
        let total: u128 = heaviest.iter().map(|&weight| u128::from(weight)).sum();
        if total > LENGTH_LIMIT as u128 { Err(Error::weights_too_large(total)) } else { Ok(()) }
    }
}
