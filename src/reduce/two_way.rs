//! Two-way graphs: where every arc can be gone back for as much, which way edges are gone does not matter.
//!
//! The paths of such a digraph are those of the undirected graph with an edge for each pair of arcs, and worth as much; which
//! end is the first still matters where their prizes differ. So are its cycles, but for those there and back along one edge.
//! An undirected graph has far fewer states of any kind, and better bounds.
//!
//! `O(n + m)`.

use crate::instance::{Ends, Instance};
use crate::rows::PIECE;
use crate::view::{Arc, CsrGraph, Edge, IsOver};

/// A two-way instance as the undirected one that it is.
pub(crate) struct TwoWay {
    pub(crate) instance: Instance,
    /// The best cycle of two vertices, with its value, where cycles are asked for.
    pub(crate) there_and_back: Option<(Vec<u32>, i64)>,
}

impl TwoWay {
    /// `None` if an arc can't be gone back, or not for as much, or if `is_over`, which is asked now and then, says so.
    pub(crate) fn of_unless(instance: &Instance, is_over: IsOver<'_>) -> Option<Self> {
        let graph = &instance.graph;
        if !is_two_way(graph, is_over) {
            return None;
        }
        let mut edges: Vec<Edge> = Vec::with_capacity(graph.edge_count() / 2);
        for piece in graph.edges().chunks(PIECE) {
            if is_over() {
                return None;
            }
            edges.extend(piece.iter().filter(|edge| edge.source < edge.target));
        }
        let there_and_back = match &instance.ends {
            Ends::Open { .. } => None,
            Ends::Closed { through } => {
                let is_through =
                    |edge: &&Edge| through.is_none_or(|vertex| [edge.source, edge.target].contains(&vertex));
                let heaviest = edges.iter().filter(is_through).max_by_key(|edge| edge.weight);
                heaviest.map(|edge| (vec![edge.source, edge.target], 2 * edge.weight))
            }
        };
        let graph = CsrGraph::from_simple_unless(graph.vertex_count(), false, edges, is_over)?;
        Some(TwoWay { instance: Instance { graph, ends: instance.ends.clone() }, there_and_back })
    }
}

/// Whether edges are directed, and every arc has one back that weighs the same.
fn is_two_way(graph: &CsrGraph, is_over: IsOver<'_>) -> bool {
    if !graph.is_directed() || !graph.edge_count().is_multiple_of(2) {
        return false;
    }
    let mut unlooked = 0;
    // By vertex the last arc there.
    let mut met = vec![u32::MAX; graph.vertex_count()];
    (0..graph.vertex_count() as u32).all(|vertex| {
        let (out, into) = (graph.out_arcs(vertex), graph.in_arcs(vertex));
        unlooked += out.len();
        if unlooked > PIECE {
            unlooked = 0;
            if is_over() {
                return false;
            }
        }
        out.iter().for_each(|arc| met[arc.target as usize] = arc.edge);
        let is_back = |arc: &Arc| {
            let there = graph.edges().get(met[arc.target as usize] as usize);
            there.is_some_and(|there| there.source == vertex && there.weight == graph.weight(arc.edge))
        };
        out.len() == into.len() && into.iter().all(is_back)
    })
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;

    fn of(n: usize, edges: Vec<Edge>, ends: Ends) -> Option<TwoWay> {
        TwoWay::of_unless(&Instance { graph: CsrGraph::from_simple(n, true, edges), ends }, &mut || false)
    }

    #[test]
    fn every_arc_must_have_one_back_of_the_same_weight() {
        let mut rng = Pcg64Mcg::seed_from_u64(7);
        for _ in 0..200 {
            let n = rng.random_range(2..9u32);
            let pairs = (0..n).flat_map(|target| (0..target).map(move |source| (source, target)));
            let pairs: Vec<(u32, u32)> = pairs.filter(|_| rng.random()).collect();
            let there: Vec<Edge> = pairs
                .iter()
                .map(|&(source, target)| Edge { source, target, weight: rng.random_range(-3..9) })
                .collect();
            let back =
                there.iter().map(|&Edge { source, target, weight }| Edge { source: target, target: source, weight });
            let mut both: Vec<Edge> = there.iter().copied().chain(back).collect();
            rand::seq::SliceRandom::shuffle(&mut both[..], &mut rng);
            let through = rng.random::<bool>().then(|| rng.random_range(0..n));
            let ends = Ends::Closed { through };
            let two_way = of(n as usize, both.clone(), ends.clone()).expect("it is two-way");
            let mut edges: Vec<Edge> = two_way.instance.graph.edges().to_vec();
            edges.sort_by_key(|edge| (edge.target, edge.source));
            assert!(!two_way.instance.graph.is_directed());
            assert_eq!(edges, there);
            let touches = |edge: &&Edge| through.is_none_or(|vertex| edge.source == vertex || edge.target == vertex);
            let heaviest = there.iter().filter(touches).map(|edge| 2 * edge.weight).max();
            assert_eq!(two_way.there_and_back.map(|(_, value)| value), heaviest);
            if let Some(last) = both.last().copied() {
                let but_last = both[..both.len() - 1].to_vec();
                assert!(of(n as usize, but_last.clone(), ends.clone()).is_none(), "one way is missing");
                let heavier = Edge { weight: last.weight + 1, ..last };
                assert!(
                    of(n as usize, [but_last, vec![heavier]].concat(), ends).is_none(),
                    "the ways weigh differently"
                );
            }
        }
    }

    #[test]
    fn as_many_arcs_into_each_vertex_as_out_of_it_are_not_enough() {
        let ring = |n: u32| (0..n).map(move |at| Edge { source: at, target: (at + 1) % n, weight: 1 });
        assert!(of(4, ring(4).collect(), Ends::Closed { through: None }).is_none());
    }
}
