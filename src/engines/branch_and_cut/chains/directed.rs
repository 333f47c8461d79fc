//! Chains of digraphs: forth and back, and where a path may end at the only vertex inside, from and to either side.

use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

use super::{Folded, Variables};
use crate::decompose::chains::{Chain, Walk};
use crate::instance::{Ends, NOT_AN_END};
use crate::view::CsrGraph;

/// The chains with columns, and what these use.
pub(super) fn folded(variables: &Variables<'_>) -> Vec<Folded> {
    let graph = &variables.instance.graph;
    let n = variables.vertices();
    let (beside, _) = CsrGraph::from_multigraph(n, false, graph.edges().to_vec());
    let is_silent = |vertex: u32| variables.prizes(vertex) == [NOT_AN_END; 2];
    let is_inside = inside(variables, &beside);
    let walk = Walk {
        vertices: n,
        edges: beside.edge_count(),
        arcs: |vertex| beside.out_arcs(vertex).iter().map(|arc| (arc.edge, arc.target)),
        is_inside: |vertex| is_inside[vertex as usize],
        goes_on: |from, to| is_silent(from) && is_silent(to),
    };
    let chains = walk.chains().between.into_iter().filter(|chain| !chain.inside.is_empty());
    chains.filter_map(|chain| fold(variables, &chain)).collect()
}

/// Vertices with two neighbours: all where no path may end, and others that are not beside such a one.
fn inside(variables: &Variables<'_>, beside: &CsrGraph) -> FixedBitSet {
    let n = variables.vertices();
    let through = match &variables.instance.ends {
        Ends::Closed { through } => *through,
        Ends::Open { .. } => None,
    };
    let mut is_inside = FixedBitSet::with_capacity(n);
    for takes_silent in [true, false] {
        for vertex in 0..n as u32 {
            let neighbours = beside.out_arcs(vertex);
            let is_silent = variables.prizes(vertex) == [NOT_AN_END; 2];
            if neighbours.len() == 2
                && through != Some(vertex)
                && is_silent == takes_silent
                && (is_silent || neighbours.iter().all(|arc| !is_inside[arc.target as usize]))
            {
                is_inside.insert(vertex as usize);
            }
        }
    }
    is_inside
}

/// `None` where a path could use the chain in other ways: as a cycle, from a vertex back to it or along an arc and back.
fn fold(variables: &Variables<'_>, chain: &Chain) -> Option<Folded> {
    let Chain { ends: [a, b], inside, .. } = chain;
    let k = inside.len();
    let [forth, mut back] = chain.arcs_forth_and_back(&variables.instance.graph);
    let goes_back = || forth.iter().zip(&back).any(|(forth, back)| forth.is_some() && back.is_some());
    if a == b || (matches!(variables.instance.ends, Ends::Closed { .. }) && goes_back()) {
        return None;
    }
    back.reverse();
    // All that an arc in this way leads to, if all are there; with an end.
    let way = |arcs: &[Option<u32>], end: Option<u32>| -> Option<SmallVec<[u32; 1]>> {
        let arcs: SmallVec<[u32; 4]> = arcs.iter().copied().collect::<Option<_>>()?;
        Some(variables.along(&arcs, inside).chain(end).collect())
    };
    let whole = [&forth, &back].into_iter().filter_map(|arcs| way(arcs, None)).collect();
    let mut ending = Vec::new();
    let [may_begin, may_end] = variables.prizes(inside[0]).map(|prize| prize != NOT_AN_END);
    for arcs in [&forth, &back] {
        if may_end {
            ending.extend(way(&arcs[..k], Some(variables.last[inside[0] as usize])));
        }
        if may_begin {
            ending.extend(way(&arcs[1..], Some(variables.first[inside[0] as usize])));
        }
    }
    let edges = forth.into_iter().chain(back).flatten().collect();
    Some(Folded { inside: inside.clone(), edges, whole, ending })
}
