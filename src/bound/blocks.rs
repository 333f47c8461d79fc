//! A bound for a whole graph from bounds for its blocks: the witness that the argument in `certificate/bound/blocks.rs`
//! asks for.
//!
//! The largest block is given the effort, the others only removal orders; blocks of three vertices or fewer need neither,
//! since a path may pass through all of them. So the work is linear in the graph beside what the effort allows.

use super::{Effort, best_bound};
use crate::certificate::{Part, Removal};
use crate::instance::{Budget, Ends, Instance};
use crate::reduce::blocks::BlockForest;

/// Up to so many vertices nothing is known of a block that the weights don't say.
const PLAIN: usize = 3;

/// The blocks of an instance's graph, each with the best bound found within it for any path, or for the kind of cycle asked
/// for. They make a witness for any question about paths in the graph, or for that one about cycles.
pub(crate) fn parts(instance: &Instance, forest: &BlockForest, effort: Effort, budget: &Budget) -> Vec<Part<u32>> {
    let largest = forest.largest();
    let mut scratch = vec![u32::MAX; instance.graph.vertex_count()];
    let part = |block: u32| {
        let members = forest.block(block);
        let effort = if Some(block) == largest { effort } else { Effort::Least };
        let inside = (members.len() > PLAIN).then(|| inside(instance, members, effort, budget, &mut scratch));
        Part { nodes: members.to_vec(), inside: inside.flatten() }
    };
    (0..forest.len() as u32).map(part).collect()
}

/// Why no path (cycle) within a block is longer than some bound; `None` if cycles must go elsewhere.
fn inside(
    instance: &Instance,
    members: &[u32],
    effort: Effort,
    budget: &Budget,
    scratch: &mut [u32],
) -> Option<Removal<u32>> {
    let ends = match instance.ends {
        Ends::Open { .. } => {
            let prizes = vec![0; members.len()];
            Ends::Open { first: prizes.clone(), last: prizes, single_vertex: true }
        }
        Ends::Closed { through: None } => Ends::Closed { through: None },
        Ends::Closed { through: Some(through) } => {
            let position = members.iter().position(|&vertex| vertex == through)?;
            Ends::Closed { through: Some(position as u32) }
        }
    };
    let (graph, _) = instance.graph.induced(members, scratch);
    let removal = best_bound(&Instance { graph, ends }, effort, budget, i64::MIN).witness;
    Some(removal.map(|&position| members[position as usize]))
}

#[cfg(test)]
mod tests {
    use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::super::tests::{any_edges, budget, optimum, padded, tamper};
    use super::*;
    use crate::certificate::{Claim, Witness, WitnessFlaw, check_bound};
    use crate::instance::NOT_AN_END;
    use crate::rounds::rounds;
    use crate::view::{CsrGraph, Edge};

    /// Random graphs glued at single vertices.
    fn glued(directed: bool, heavy: i64, random: &mut Pcg64Mcg) -> (usize, Vec<Edge>) {
        let mut n = 1;
        let mut edges = Vec::new();
        while n < 8 {
            let size = random.random_range(2..5);
            let at = random.random_range(0..n) as u32;
            let vertex = |local: u32| if local == 0 { at } else { n as u32 + local - 1 };
            let more = any_edges(size, directed, 0.8, heavy, random);
            edges.extend(more.iter().map(|edge| Edge {
                source: vertex(edge.source),
                target: vertex(edge.target),
                weight: edge.weight,
            }));
            n += size - 1;
        }
        edges.iter_mut().filter(|edge| !directed && edge.source > edge.target).for_each(|edge| {
            std::mem::swap(&mut edge.source, &mut edge.target);
        });
        (n, edges)
    }

    fn check(
        directed: bool,
        n: usize,
        edges: &[Edge],
        claim: &Claim<NodeIndex>,
        parts: &[Part<u32>],
    ) -> Result<Option<i64>, WitnessFlaw> {
        let witness = Witness::Blocks(parts.to_vec()).map(|&vertex| NodeIndex::from(vertex));
        let triples = edges.iter().map(|edge| (edge.source, edge.target, edge.weight));
        if directed {
            let graph = DiGraph::<(), i64>::from_edges(triples);
            padded(graph, n, |graph| check_bound(graph, |edge| *edge.weight(), claim, &witness))
        } else {
            let graph = UnGraph::<(), i64>::from_edges(triples);
            padded(graph, n, |graph| check_bound(graph, |edge| *edge.weight(), claim, &witness))
        }
    }

    /// Makes one part of two where one hangs from the other.
    fn coarsened(parts: &[Part<u32>], random: &mut Pcg64Mcg) -> Vec<Part<u32>> {
        let mut parts = parts.to_vec();
        let lower = random.random_range(0..parts.len());
        let parent = parts[lower].nodes[0];
        if let Some(home) = parts.iter().position(|part| part.nodes[1..].contains(&parent)) {
            let more = parts[lower].nodes[1..].to_vec();
            parts[home].nodes.extend(more);
            parts[home].inside = None;
            parts.remove(lower);
        }
        parts
    }

    #[test]
    fn no_bound_by_blocks_is_below_the_optimum() {
        let mut random = Pcg64Mcg::seed_from_u64(11);
        let (mut asked, mut tight) = (0, 0);
        for round in 0..rounds(500) {
            let directed = round % 2 == 1;
            let (n, edges) = glued(directed, [0, 0, 9][round / 2 % 3], &mut random);
            let graph = CsrGraph::from_simple(n, directed, edges.clone());
            let [from, to] = [0; 2].map(|_| random.random_range(0..n as u32));
            let open = |from: Option<u32>, to: Option<u32>| {
                let rule = |fixed: Option<u32>| -> Vec<i64> {
                    let allowed = |vertex| fixed.is_none_or(|fixed| fixed == vertex);
                    (0..n as u32).map(|vertex| if allowed(vertex) { 0 } else { NOT_AN_END }).collect()
                };
                Ends::Open { first: rule(from), last: rule(to), single_vertex: true }
            };
            for (from, to, closed) in [
                (None, None, false),
                (Some(from), None, false),
                (None, Some(to), false),
                (Some(from), Some(to), false),
                (None, None, true),
                (Some(from), None, true),
            ] {
                let ends = if closed { Ends::Closed { through: from } } else { open(from, to) };
                let instance = Instance { graph: graph.clone(), ends };
                let optimum = optimum(&instance);
                let forest = BlockForest::hang(&instance.graph, 0..n as u32);
                let mut parts = parts(&instance, &forest, Effort::Low, &budget());
                let claim = Claim { from: from.map(NodeIndex::from), to: to.map(NodeIndex::from), closed };
                let bound = check(directed, n, &edges, &claim, &parts).unwrap();
                assert!(bound >= optimum, "{bound:?} bounds {optimum:?} in {instance:?} by {parts:?}");
                asked += 1;
                tight += usize::from(bound == optimum);
                for part in parts.iter_mut().filter(|part| part.inside.is_some()) {
                    let position = |vertex: &u32| part.nodes.iter().position(|node| node == vertex).unwrap() as u32;
                    let local = part.inside.as_ref().unwrap().map(position);
                    let (block, _) = graph.induced(&part.nodes, &mut vec![u32::MAX; n]);
                    let tampered = tamper(&Instance::free(block), &local, &mut random);
                    part.inside = Some(tampered.map(|&position| part.nodes[position as usize]));
                }
                for parts in [coarsened(&parts, &mut random), parts] {
                    let bound = check(directed, n, &edges, &claim, &parts).unwrap();
                    assert!(bound >= optimum, "{bound:?} bounds {optimum:?} in {instance:?} by {parts:?}");
                }
            }
        }
        assert!(2 * tight > asked, "{tight} of {asked} met the optimum");
    }

    #[test]
    fn the_bound_of_a_tree_is_its_longest_path() {
        let mut random = Pcg64Mcg::seed_from_u64(12);
        for n in 2..40u32 {
            let above: Vec<u32> = (1..n).map(|vertex| random.random_range(0..vertex)).collect();
            let edges: Vec<Edge> =
                (1..n).zip(above).map(|(target, source)| Edge { source, target, weight: 1 }).collect();
            let instance = Instance::free(CsrGraph::from_simple(n as usize, false, edges.clone()));
            let forest = BlockForest::hang(&instance.graph, 0..n);
            let parts = parts(&instance, &forest, Effort::Low, &budget());
            let graph = UnGraph::<(), ()>::from_edges(edges.iter().map(|edge| (edge.source, edge.target)));
            let longest = crate::LongestPath::new(&graph).solve().unwrap().length();
            assert_eq!(check(false, n as usize, &edges, &Claim::free(), &parts), Ok(longest));
        }
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        // A triangle and a pendant vertex.
        let edges = [(0, 1), (1, 2), (0, 2), (2, 3)].map(|(source, target)| Edge { source, target, weight: 1 });
        let ask = |parts: &[&[u32]]| {
            let parts: Vec<Part<u32>> =
                parts.iter().map(|nodes| Part { nodes: nodes.to_vec(), inside: None }).collect();
            check(false, 4, &edges, &Claim::free(), &parts)
        };
        assert_eq!(ask(&[&[2, 3], &[0, 1, 2]]), Ok(Some(3)));
        assert_eq!(ask(&[&[2, 3], &[2, 0, 1]]), Ok(Some(3)));
        assert_eq!(ask(&[&[0, 1, 2, 3]]), Ok(Some(3)));
        assert_eq!(ask(&[&[0, 1, 2], &[2, 3]]), Err(WitnessFlaw::Part(1)), "what hangs below comes first");
        assert_eq!(ask(&[&[2, 3], &[0, 1]]), Err(WitnessFlaw::Apart));
        assert_eq!(ask(&[&[2, 3], &[0, 1, 2, 2]]), Err(WitnessFlaw::Part(1)));
        assert_eq!(ask(&[&[2, 3, 9], &[0, 1, 2]]), Err(WitnessFlaw::Part(0)));
        assert_eq!(ask(&[&[]]), Err(WitnessFlaw::Part(0)));
        let inside = Some(Removal::of(vec![0, 3]));
        let parts = [Part { nodes: vec![2, 3], inside: None }, Part { nodes: vec![0, 1, 2], inside }];
        let inner = Box::new(WitnessFlaw::UnknownNode(1));
        assert_eq!(check(false, 4, &edges, &Claim::free(), &parts), Err(WitnessFlaw::Inside(1, inner)));
    }
}
