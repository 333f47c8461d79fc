//! The root multigraph, and the way from a trail in it to a path of its line graph.

use fixedbitset::FixedBitSet;

use super::bundle::Ends;
use crate::line_graph;
use crate::rows::Rows;
use crate::view::CsrGraph;

/// A multigraph whose edges are the vertices of the line graph in question; loops and parallel edges are welcome.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) vertex_count: usize,
    /// The ends of every edge.
    pub(crate) ends: Vec<[u32; 2]>,
    /// What a trail earns by visiting these vertices, beside the edges there: each more than all edges together.
    pub(super) bonuses: Vec<(u32, i64)>,
}

/// Why a graph has no root to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unrooted {
    Directed,
    Weighted,
    NoLineGraph,
}

impl Unrooted {
    pub(super) fn reason(self) -> &'static str {
        match self {
            Unrooted::Directed => "edges have a direction",
            Unrooted::Weighted => "edges do not all weigh 1",
            Unrooted::NoLineGraph => "this is no line graph",
        }
    }
}

/// The root of a graph all of whose edges weigh 1. Linear.
pub(crate) fn root_of(graph: &CsrGraph) -> Result<Root, Unrooted> {
    if graph.is_directed() {
        return Err(Unrooted::Directed);
    }
    if graph.edges().iter().any(|edge| edge.weight != 1) {
        return Err(Unrooted::Weighted);
    }
    let found = line_graph::root_of(graph).ok_or(Unrooted::NoLineGraph)?;
    Ok(Root::new(found.vertex_count, found.ends))
}

impl Root {
    pub(crate) fn new(vertex_count: usize, ends: Vec<[u32; 2]>) -> Self {
        Root { vertex_count, ends, bonuses: Vec::new() }
    }

    /// The root whose best trails are those that begin with the edge `first` at its end number `side`, or rather with the
    /// way to there from a new vertex, along `first`, which no longer has any other end. The new vertex is worth more than
    /// all edges together.
    pub(super) fn beginning_with(&self, first: u32, side: usize) -> Self {
        let new = self.vertex_count as u32;
        let mut ends = self.ends.clone();
        ends[first as usize] = [new, ends[first as usize][side]];
        let mut bonuses = self.bonuses.clone();
        bonuses.push((new, ends.len() as i64 + 1));
        Root { vertex_count: self.vertex_count + 1, ends, bonuses }
    }

    /// The root whose best trails visit this vertex.
    pub(super) fn visiting(&self, vertex: u32) -> Self {
        Root { bonuses: vec![(vertex, self.ends.len() as i64 + 1)], ..self.clone() }
    }

    /// What a trail earns by all bonuses.
    pub(super) fn bonus(&self) -> i64 {
        self.bonuses.iter().map(|&(_, worth)| worth).sum()
    }

    /// The edges that meet the trail along `edges` (each taken once; they make one trail, and if there are none it is
    /// `start` alone), so ordered that each shares an end with the next. The trail begins at the vertex of the first bonus, or
    /// where it has an odd end, or else where `start` is; or with tips given, where they are, and these are told first and
    /// last.
    pub(super) fn sequence_along(&self, edges: &[u32], start: u32, pendants: Option<Ends>) -> Vec<u32> {
        let walk = self.walk(edges, start, pendants.map(|[(first, _), _]| first));
        let mut traversed = FixedBitSet::with_capacity(self.ends.len());
        edges.iter().for_each(|&edge| traversed.insert(edge as usize));

        // Every other edge is told where the walk first meets it.
        let mut first_visit = vec![u32::MAX; self.vertex_count];
        for (at, &(vertex, _)) in walk.iter().enumerate().rev() {
            first_visit[vertex as usize] = at as u32;
        }
        let mut told_at: Vec<(u32, u32)> = Vec::new();
        for (edge, ends) in self.ends.iter().enumerate() {
            let visit = first_visit[ends[0] as usize].min(first_visit[ends[1] as usize]);
            let is_tip = pendants.is_some_and(|pendants| pendants.iter().any(|&(_, pendant)| pendant as usize == edge));
            if visit != u32::MAX && !traversed[edge] && !is_tip {
                told_at.push((visit, edge as u32));
            }
        }
        told_at.sort_unstable();

        let mut sequence = Vec::with_capacity(told_at.len() + edges.len() + 2);
        sequence.extend(pendants.map(|[(_, first), _]| first));
        let mut told = told_at.into_iter().peekable();
        for (at, &(_, edge)) in walk.iter().enumerate() {
            while let Some((_, beside)) = told.next_if(|&(visit, _)| visit as usize == at) {
                sequence.push(beside);
            }
            sequence.extend(edge);
        }
        sequence.extend(pendants.map(|[_, (_, last)]| last));
        sequence
    }

    /// The vertices of the trail in order, each with the edge it is left by (Hierholzer's method, 1873).
    fn walk(&self, edges: &[u32], start: u32, first: Option<u32>) -> Vec<(u32, Option<u32>)> {
        let both = |edge: &u32| self.ends[*edge as usize];
        let ends = |at: usize| self.ends[edges[at] as usize];
        let rows = Rows::of_edges(self.vertex_count, edges.len(), ends, |at, _| edges[at as usize]);
        let degree = |vertex: u32| rows.row(vertex).len();
        let is_odd = |vertex: u32| degree(vertex) % 2 == 1;
        let odd_end = edges.iter().flat_map(both).find(|&end| is_odd(end));
        let visited = |vertex: &u32| edges.is_empty() || degree(*vertex) > 0;
        let bonus = self.bonuses.iter().map(|&(vertex, _)| vertex).find(visited);
        let start = first.or(bonus).or(odd_end).unwrap_or(start);

        let mut next = vec![0u32; self.vertex_count];
        let mut gone = FixedBitSet::with_capacity(self.ends.len());
        let mut open = vec![(start, None)];
        let mut backwards = Vec::with_capacity(edges.len() + 1);
        while let Some(&(vertex, entered_by)) = open.last() {
            let slot = &mut next[vertex as usize];
            let Some(&edge) = rows.row(vertex).get(*slot as usize) else {
                backwards.push((vertex, entered_by));
                open.pop();
                continue;
            };
            *slot += 1;
            if !gone[edge as usize] {
                gone.insert(edge as usize);
                let [one, two] = self.ends[edge as usize];
                open.push((if one == vertex { two } else { one }, Some(edge)));
            }
        }
        debug_assert_eq!(backwards.len(), edges.len() + 1, "the edges make one trail");
        // Backwards, the edge a vertex was entered by is the one it is left by; the walk so read begins where the other
        // ended, so it is turned round.
        let mut walk: Vec<(u32, Option<u32>)> = Vec::with_capacity(backwards.len());
        for at in (0..backwards.len()).rev() {
            let left_by = if at == 0 { None } else { backwards[at - 1].1 };
            walk.push((backwards[at].0, left_by));
        }
        walk
    }
}
