//! What hangs on the rest of a graph by a single vertex, and has no end of a path: parts that no path visits.
//!
//! Outlines of a sweep would go round in circles there.

use fixedbitset::FixedBitSet;

use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::proof::{Multipliers, Part, Record, Row, Step};
use crate::sets::reached_from;
use crate::view::CsrGraph;

/// The checker looks at the whole graph for each part: so much of that in all.
const MOST_LOOKS: usize = 20_000_000;

/// Parts of an undirected graph beside its `main` vertices, the largest first. Those with an end among them stay.
pub(crate) fn left_out(instance: &Instance, is_main: &FixedBitSet) -> Vec<Part> {
    let graph = &instance.graph;
    let Ends::Open { first, last, .. } = &instance.ends else { return Vec::new() };
    let is_end = |vertex: u32| [first, last].iter().any(|prizes| prizes[vertex as usize] != NOT_AN_END);
    let mut scratch = vec![u32::MAX; graph.vertex_count()];
    let mut hanging = Vec::new();
    for part in pieces(graph, is_main.clone()) {
        let arcs = part.iter().flat_map(|&vertex| graph.out_arcs(vertex)).map(|arc| arc.target);
        let mut held: Vec<u32> = arcs.filter(|&vertex| is_main[vertex as usize]).collect();
        held.sort_unstable();
        held.dedup();
        let [holder] = held[..] else { continue };
        let vertices: Vec<u32> = std::iter::once(holder).chain(part).collect();
        // A tree has no circles.
        let (within, _) = graph.induced(&vertices, &mut scratch);
        if within.edge_count() >= vertices.len() && !vertices[1..].iter().any(|&vertex| is_end(vertex)) {
            hanging.push((vertices, within));
        }
    }
    hanging.sort_by_key(|(vertices, _)| std::cmp::Reverse(vertices.len()));
    hanging.truncate(MOST_LOOKS / (graph.vertex_count() + graph.edge_count()).max(1));
    hanging.into_iter().filter_map(|(vertices, within)| part(vertices, within, first, last)).collect()
}

/// A part without ends, its holder first.
fn part(vertices: Vec<u32>, graph: CsrGraph, first: &[i64], last: &[i64]) -> Option<Part> {
    let ends = |prizes: &[i64]| -> Vec<i64> { vertices.iter().map(|&vertex| prizes[vertex as usize]).collect() };
    let (first, last) = (ends(first), ends(last));
    let closed = |first: &[i64], last: &[i64]| {
        let mut record = Record::default();
        record.add(Step::Close(no_path(false, first, last)?));
        Some(record)
    };
    let mut alone = vec![NOT_AN_END; vertices.len()];
    alone[0] = 0;
    let within = closed(&first, &last)?;
    let mut tails = vec![(None, closed(&first, &alone)?)];
    if first != last {
        tails.push((None, closed(&alone, &last)?));
    }
    Some(Part { vertices, graph, within, tails })
}

/// Why there is no path with an edge, if that is so by its ends: there is none, or it would be both.
pub(crate) fn no_path(directed: bool, first: &[i64], last: &[i64]) -> Option<Multipliers> {
    let able = |prizes: &[i64]| -> Vec<u32> {
        (0..).zip(prizes).filter(|(_, prize)| **prize != NOT_AN_END).map(|(vertex, _)| vertex).collect()
    };
    let rows = match (&able(first)[..], &able(last)[..]) {
        ([] | [_], _) if !directed && first == last => vec![(Row::Ends, -1)],
        ([], _) => vec![(Row::Starts, -1)],
        (_, []) => vec![(Row::Finishes, -1)],
        ([start], [finish]) if start == finish => vec![(Row::Starts, -1), (Row::Finishes, -1), (Row::Tip(*start), 1)],
        _ => return None,
    };
    Some(Multipliers { scale: 0, rows })
}

/// What hangs together of the vertices that are not in `met`.
fn pieces(graph: &CsrGraph, mut met: FixedBitSet) -> Vec<Vec<u32>> {
    let mut pieces = Vec::new();
    for start in met.clone().zeroes() {
        if met[start] {
            continue;
        }
        let neighbours = |vertex: u32| graph.out_arcs(vertex).iter().map(|arc| arc.target);
        let mut piece = reached_from(vec![start as u32], &mut met, neighbours);
        piece.sort_unstable();
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use longhaul_check::Limits;

    use super::*;
    use crate::proof::Draft;
    use crate::sets::set_of;
    use crate::view::Edge;

    /// A path of three, with two triangles, one behind the other, hanging on the middle.
    fn instance(ends: [u32; 2]) -> Instance {
        let pairs = [(0, 1), (1, 2), (1, 3), (1, 4), (3, 4), (4, 5), (5, 6), (6, 7), (5, 7)];
        let edges = pairs.map(|(source, target)| Edge { source, target, weight: 1 });
        let only = |end: u32| (0..8).map(|vertex| if vertex == end { 0 } else { NOT_AN_END }).collect();
        let ends = Ends::Open { first: only(ends[0]), last: only(ends[1]), single_vertex: true };
        Instance { graph: CsrGraph::from_simple(8, false, edges.to_vec()), ends }
    }

    /// A proof that no path is longer than one of three vertices.
    fn proof(instance: &Instance, path: &[u32], parts: Vec<Part>) -> Result<Vec<u8>, String> {
        // Three vertices have six places, and the ends take two of them.
        let rows = (0..3).map(|vertex| (Row::At(vertex), 1)).chain([(Row::Starts, -1), (Row::Finishes, -1)]).collect();
        let mut record = Record::default();
        record.add(Step::Close(Multipliers { scale: 2, rows }));
        let numbers: Vec<u32> = (0..8).collect();
        let draft = Draft { path: Some(path), binary: false, parts, ..Draft::of(instance, &numbers, Some(2)) };
        draft.write(&record, &Limits::default())
    }

    #[test]
    fn no_path_visits_what_hangs_beside_it() {
        let instance = instance([0, 2]);
        let parts = left_out(&instance, &set_of(8, &[0, 1, 2]));
        assert_eq!(parts.len(), 1);
        proof(&instance, &[0, 1, 2], parts).unwrap();
        proof(&instance, &[0, 1, 2], Vec::new()).unwrap_err();
    }

    #[test]
    fn what_has_an_end_stays() {
        assert!(left_out(&instance([0, 7]), &set_of(8, &[0, 1, 2])).is_empty());
    }

    #[test]
    fn an_end_may_hold_what_hangs() {
        let instance = instance([1, 2]);
        let parts = left_out(&instance, &set_of(8, &[0, 1, 2]));
        assert_eq!((parts.len(), parts[0].tails.len()), (1, 2));
        proof(&instance, &[1, 2], parts).unwrap();
        proof(&instance, &[1, 2], Vec::new()).unwrap_err();
    }
}
