//! What hangs on the rest of a graph by a single vertex, and has no end of a path: steps that show that no path visits it.
//!
//! Outlines would go round in circles there. Let `C` hang on `c`. What visits a vertex `k` of `C` crosses the border of `C` twice, and
//! that of `C` with `c` as well, always at `c`, which has two places only: the rows `at` of `C` and the two sets say together
//! `2 visit c ≥ 4 visit k`. So no neighbour of `c` in `C` is visited, nor is what is cut off then: its sets have no border.

use fixedbitset::FixedBitSet;

use crate::proof::{Cut, Multipliers, Record, Row, Step};
use crate::sets::{reached_from, set_of};
use crate::view::CsrGraph;

/// Larger parts take too many words: for each of their vertices there is a set.
const LARGEST: usize = 300;

/// Notes the steps for all parts of an undirected graph beside its `main` vertices. Those with an end among them stay.
pub(crate) fn leave_out(graph: &CsrGraph, is_main: &FixedBitSet, is_end: impl Fn(u32) -> bool, record: &mut Record) {
    for part in parts(graph, is_main.clone()) {
        let mut held: Vec<u32> = part
            .iter()
            .flat_map(|&vertex| graph.out_arcs(vertex))
            .map(|arc| arc.target)
            .filter(|&vertex| is_main[vertex as usize])
            .collect();
        held.sort_unstable();
        let beside = held.len();
        held.dedup();
        let [holder] = held[..] else { continue };
        // A tree has no circles.
        let has_circles = edges_within(graph, &part) + beside > part.len();
        if !has_circles || part.len() > LARGEST || part.iter().any(|&vertex| is_end(vertex)) {
            continue;
        }
        let doors: Vec<u32> = graph.out_arcs(holder).iter().map(|arc| arc.target).collect();
        let (doors, left): (Vec<u32>, Vec<u32>) = part.iter().partition(|vertex| doors.contains(vertex));
        let mut with_holder = part.clone();
        with_holder.push(holder);
        for door in doors {
            let mut rows: Vec<(Row, i64)> = part.iter().map(|&vertex| (Row::At(vertex), -2)).collect();
            for inside in [&part, &with_holder] {
                let cut = Cut::Set { inside: inside.clone(), visited: door, outer: None };
                rows.push((Row::Cut(record.number(cut)), 2));
            }
            record.add(Step::Reduce(Multipliers { scale: 0, rows }));
        }
        let mut others = set_of(graph.vertex_count(), &left);
        others.toggle_range(..);
        for cut_off in parts(graph, others) {
            if edges_within(graph, &cut_off) < cut_off.len() {
                continue;
            }
            let times = cut_off.len() as i64;
            let mut rows: Vec<(Row, i64)> = cut_off.iter().map(|&vertex| (Row::At(vertex), -times)).collect();
            for &visited in &cut_off {
                let cut = Cut::Set { inside: cut_off.clone(), visited, outer: None };
                rows.push((Row::Cut(record.number(cut)), 2));
            }
            record.add(Step::Reduce(Multipliers { scale: 0, rows }));
        }
    }
}

/// What hangs together of the vertices that are not in `met`.
fn parts(graph: &CsrGraph, mut met: FixedBitSet) -> Vec<Vec<u32>> {
    let mut parts = Vec::new();
    for start in met.clone().zeroes() {
        if met[start] {
            continue;
        }
        let neighbours = |vertex: u32| graph.out_arcs(vertex).iter().map(|arc| arc.target);
        let mut part = reached_from(vec![start as u32], &mut met, neighbours);
        part.sort_unstable();
        parts.push(part);
    }
    parts
}

/// How many edges there are between vertices of a sorted list.
fn edges_within(graph: &CsrGraph, part: &[u32]) -> usize {
    let inside = |vertex: u32| part.binary_search(&vertex).is_ok();
    let arcs = part.iter().flat_map(|&vertex| graph.out_arcs(vertex));
    arcs.filter(|arc| inside(arc.target)).count() / 2
}

#[cfg(test)]
mod tests {
    use longhaul_check::Limits;

    use super::*;
    use crate::instance::{Ends, Instance, NOT_AN_END};
    use crate::proof::Draft;
    use crate::view::Edge;

    /// A path of three, with two triangles, one behind the other, hanging on the middle.
    fn instance(ends: [u32; 2]) -> Instance {
        let pairs = [(0, 1), (1, 2), (1, 3), (1, 4), (3, 4), (4, 5), (5, 6), (6, 7), (5, 7)];
        let edges = pairs.map(|(source, target)| Edge { source, target, weight: 1 });
        let only = |end: u32| (0..8).map(|vertex| if vertex == end { 0 } else { NOT_AN_END }).collect();
        let ends = Ends::Open { first: only(ends[0]), last: only(ends[1]), single_vertex: true };
        Instance { graph: CsrGraph::from_simple(8, false, edges.to_vec()), ends }
    }

    fn steps(instance: &Instance, ends: [u32; 2]) -> Record {
        let mut record = Record::default();
        let is_main = set_of(8, &[0, 1, 2]);
        leave_out(&instance.graph, &is_main, |vertex| ends.contains(&vertex), &mut record);
        record
    }

    #[test]
    fn no_path_visits_what_hangs_beside_it() {
        let instance = instance([0, 2]);
        let mut record = steps(&instance, [0, 2]);
        assert_eq!(record.steps.len(), 3);
        // Three vertices have six places, and the ends take two of them.
        let rows = (0..3).map(|vertex| (Row::At(vertex), 1)).chain([(Row::Starts, -1), (Row::Finishes, -1)]).collect();
        record.add(Step::Close(Multipliers { scale: 2, rows }));
        let numbers: Vec<u32> = (0..8).collect();
        let draft = Draft {
            instance: &instance,
            numbers: &numbers,
            count: 8,
            path: Some(&[0, 1, 2]),
            claim: Some(2),
            binary: false,
            prizes: None,
            root: None,
        };
        draft.write(&record, &Limits::default()).unwrap();
        record.steps.remove(1);
        draft.write(&record, &Limits::default()).unwrap_err();
    }

    #[test]
    fn what_has_an_end_stays() {
        assert_eq!(steps(&instance([0, 7]), [0, 7]).steps.len(), 0);
    }
}
