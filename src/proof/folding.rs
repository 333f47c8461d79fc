//! Chains and hanging trees, folded: of a chain of vertices with two edges each all edges cost together what they are worth together,
//! and a hanging tree is worth nothing but to a path that ends in it.
//!
//! Prices of places alone don't see that: every second edge of a chain may be taken. But for an edge `e` at a vertex the rows `at v`
//! and `use e v` say together that `e` is used no more than all others there, its being an end counted: `−t` times the one and
//! `2 t` times the other move a gain of `t` from `e` to each of those, and leave what the visit gains as it was. So the edges of a
//! chain hand on to the one in their middle what they gain beyond the prices of the core, and those of a tree to its ends.

use fixedbitset::FixedBitSet;

use crate::decompose::chains::{Chain, Walk};
use crate::proof::Row;
use crate::view::CsrGraph;

/// The core of an undirected graph, and what is folded into it.
pub(crate) struct Folding {
    pub(super) is_core: FixedBitSet,
    /// Chains and edges between vertices of the core: their ends, and what their edges weigh in all.
    pub(super) links: Vec<([u32; 2], i64)>,
    /// By link, the vertices from its first end to the other.
    insides: Vec<Vec<u32>>,
    /// The vertices of hanging trees, leaves first, each with the one nearer to the core.
    trees: Vec<(u32, u32)>,
    /// By vertex: on which one of the core it hangs, and what the edges from there to it weigh.
    pub(super) anchors: Vec<(u32, i64)>,
    /// In an order in which gains may be handed on.
    moves: Vec<Move>,
}

/// At a vertex the gain of one edge is handed on: in a chain to the next edge, be it a loss, and in a tree to all others.
struct Move {
    vertex: u32,
    from: u32,
    next: Option<u32>,
}

impl Folding {
    /// In linear time.
    pub(crate) fn of(graph: &CsrGraph) -> Self {
        let n = graph.vertex_count() as u32;
        let (trees, degrees) = trees(graph);
        let mut folding = Folding {
            is_core: FixedBitSet::with_capacity(n as usize),
            links: Vec::new(),
            insides: Vec::new(),
            trees: trees.iter().map(|&(vertex, _, parent)| (vertex, parent)).collect(),
            anchors: (0..n).map(|vertex| (vertex, 0)).collect(),
            moves: Vec::new(),
        };
        let mut is_live = FixedBitSet::with_capacity(n as usize);
        is_live.insert_range(..);
        trees.iter().for_each(|&(vertex, ..)| is_live.remove(vertex as usize));
        let is_inside = |vertex: u32| is_live[vertex as usize] && degrees[vertex as usize] == 2;
        let chains = Walk {
            vertices: n as usize,
            edges: graph.edge_count(),
            arcs: |vertex: u32| {
                let arcs = if is_live[vertex as usize] { graph.out_arcs(vertex) } else { &[] };
                arcs.iter().filter(|arc| is_live[arc.target as usize]).map(|arc| (arc.edge, arc.target))
            },
            is_inside,
            goes_on: |_, _| true,
        }
        .chains();
        folding.is_core.extend(is_live.ones().filter(|&vertex| !is_inside(vertex as u32)));
        for ring in &chains.rings {
            folding.is_core.insert(ring.ends[0] as usize);
        }
        for Chain { ends, inside, edges } in chains.between.iter().chain(&chains.rings) {
            folding.chain(graph, *ends, inside, edges);
        }
        for &(vertex, edge, parent) in trees.iter().rev() {
            let (anchor, worth) = folding.anchors[parent as usize];
            folding.anchors[vertex as usize] = (anchor, worth + graph.weight(edge));
            folding.moves.push(Move { vertex, from: edge, next: None });
        }
        folding
    }

    /// The edges from one end to the other, and the vertices between them.
    fn chain(&mut self, graph: &CsrGraph, ends: [u32; 2], inside: &[u32], edges: &[u32]) {
        let middle = inside.len() / 2;
        let mut worth = 0;
        for (at, &vertex) in inside[..middle].iter().enumerate() {
            worth += graph.weight(edges[at]);
            self.anchors[vertex as usize] = (ends[0], worth);
            self.moves.push(Move { vertex, from: edges[at], next: Some(edges[at + 1]) });
        }
        worth = 0;
        for (at, &vertex) in inside.iter().enumerate().skip(middle).rev() {
            worth += graph.weight(edges[at + 1]);
            self.anchors[vertex as usize] = (ends[1], worth);
            self.moves.push(Move { vertex, from: edges[at + 1], next: Some(edges[at]) });
        }
        self.links.push((ends, edges.iter().map(|&edge| graph.weight(edge)).sum()));
        self.insides.push(inside.to_vec());
    }

    /// An order in which the vertices of the core come as in another one, chains before the later one of their ends, and trees before
    /// the vertex that they hang on: so nothing of a chain is decided before all of it can be.
    pub(crate) fn gathered(&self, order: &[u32]) -> Vec<u32> {
        let mut rank = vec![0; order.len()];
        (0..).zip(order).for_each(|(place, &vertex)| rank[vertex as usize] = place);
        let mut hanging: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
        for &(vertex, parent) in &self.trees {
            let mut below = std::mem::take(&mut hanging[vertex as usize]);
            below.push(vertex);
            let others = &mut hanging[parent as usize];
            if others.len() < below.len() {
                std::mem::swap(others, &mut below);
            }
            others.append(&mut below);
        }
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        for (link, ([one, other], _)) in self.links.iter().enumerate() {
            let later = if rank[*one as usize] > rank[*other as usize] { one } else { other };
            before[*later as usize].push(link);
        }
        let mut gathered = Vec::with_capacity(order.len());
        let mut place = |vertex: u32| {
            gathered.append(&mut hanging[vertex as usize]);
            gathered.push(vertex);
        };
        for &vertex in order.iter().filter(|&&vertex| self.is_core[vertex as usize]) {
            for &link in &before[vertex as usize] {
                let inside = self.insides[link].iter();
                match self.links[link].0[1] == vertex {
                    true => inside.for_each(|&vertex| place(vertex)),
                    false => inside.rev().for_each(|&vertex| place(vertex)),
                }
            }
            place(vertex);
        }
        gathered
    }

    /// The rows that hand the gains on, where the core has these prices in units of `1 / scale`.
    pub(super) fn rows(&self, graph: &CsrGraph, scale: i64, prices: impl Fn(u32) -> i64) -> Vec<(Row, i64)> {
        let mut gains: Vec<i64> = graph.edges().iter().map(|edge| edge.weight * scale).collect();
        let mut rows = Vec::new();
        let set = |vertex: u32, price: i64, gains: &mut Vec<i64>, rows: &mut Vec<(Row, i64)>| {
            rows.push((Row::At(vertex), price));
            graph.out_arcs(vertex).iter().for_each(|arc| gains[arc.edge as usize] -= price);
        };
        for vertex in self.is_core.ones().map(|vertex| vertex as u32) {
            set(vertex, prices(vertex), &mut gains, &mut rows);
        }
        for &Move { vertex, from, next } in &self.moves {
            let gain = gains[from as usize];
            let (used, moved) = match next {
                Some(next) if gain < 0 => (next, -gain),
                _ => (from, gain.max(0)),
            };
            set(vertex, -moved, &mut gains, &mut rows);
            rows.push((Row::Use(used, vertex), 2 * moved));
            gains[used as usize] -= 2 * moved;
        }
        rows
    }
}

/// The vertices of hanging trees, leaves first, each with its edge to what is nearer to the core, and the vertex there; and how many
/// edges of each vertex are left without them.
fn trees(graph: &CsrGraph) -> (Vec<(u32, u32, u32)>, Vec<usize>) {
    let mut degrees: Vec<usize> = (0..graph.vertex_count() as u32).map(|vertex| graph.out_arcs(vertex).len()).collect();
    let mut leaves: Vec<u32> = (0..).zip(&degrees).filter(|(_, degree)| **degree == 1).map(|(leaf, _)| leaf).collect();
    let mut is_gone = FixedBitSet::with_capacity(degrees.len());
    let mut trees = Vec::new();
    // In turn, so that what is nothing but a tree has its core in the middle.
    let mut next = 0;
    while let Some(&leaf) = leaves.get(next) {
        next += 1;
        let mut arcs = graph.out_arcs(leaf).iter();
        // The last of a tree has none left.
        if let Some(arc) = arcs.find(|arc| !is_gone[arc.target as usize]) {
            is_gone.insert(leaf as usize);
            trees.push((leaf, arc.edge, arc.target));
            let degree = &mut degrees[arc.target as usize];
            *degree -= 1;
            if *degree == 1 {
                leaves.push(arc.target);
            }
        }
    }
    (trees, degrees)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::view::Edge;

    fn random(rng: &mut Pcg64Mcg) -> CsrGraph {
        let n = rng.random_range(1..=12u32);
        let edges = (0..rng.random_range(0..=n + 2)).map(|_| Edge {
            source: rng.random_range(0..n),
            target: rng.random_range(0..n),
            weight: rng.random_range(-2..=5),
        });
        let simple = edges.filter(|edge| edge.source != edge.target).collect();
        CsrGraph::from_multigraph(n as usize, false, simple).0
    }

    /// All that gains is the core, one edge of each chain, and no edge of a tree.
    #[test]
    fn what_is_folded_gains_nothing() {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let mut folded = 0;
        for _ in 0..500 {
            let graph = random(&mut rng);
            let folding = Folding::of(&graph);
            let prices: Vec<i64> = (0..graph.vertex_count()).map(|_| rng.random_range(0..9)).collect();
            let mut gains: Vec<i64> = graph.edges().iter().map(|edge| 3 * edge.weight).collect();
            let mut visits = vec![0; graph.vertex_count()];
            for (row, multiplier) in folding.rows(&graph, 3, |vertex| prices[vertex as usize]) {
                match row {
                    Row::At(vertex) => {
                        visits[vertex as usize] += 2 * multiplier;
                        graph.out_arcs(vertex).iter().for_each(|arc| gains[arc.edge as usize] -= multiplier);
                    }
                    Row::Use(edge, vertex) => {
                        assert!(multiplier >= 0);
                        visits[vertex as usize] += multiplier;
                        gains[edge as usize] -= multiplier;
                    }
                    other => panic!("{other:?}"),
                }
            }
            for vertex in folding.is_core.zeroes() {
                assert_eq!(visits[vertex], 0);
                folded += 1;
            }
            let gaining = gains.iter().filter(|gain| **gain > 0).count();
            assert!(gaining <= folding.links.len(), "{gaining} of {} chains", folding.links.len());
            let links = folding
                .links
                .iter()
                .map(|&([one, other], worth)| (3 * worth - prices[one as usize] - prices[other as usize]).max(0));
            assert_eq!(gains.iter().map(|gain| gain.max(&0)).sum::<i64>(), links.sum::<i64>());
        }
        assert!(folded > 1000, "{folded}");
    }

    #[test]
    fn an_order_is_gathered_whole() {
        let mut rng = Pcg64Mcg::seed_from_u64(2);
        for _ in 0..500 {
            let graph = random(&mut rng);
            let n = graph.vertex_count() as u32;
            let mut order: Vec<u32> = (0..n).collect();
            (1..order.len()).for_each(|at| order.swap(at, rng.random_range(0..=at)));
            let folding = Folding::of(&graph);
            let mut gathered = folding.gathered(&order);
            let of_core = |order: &[u32]| -> Vec<u32> {
                order.iter().copied().filter(|&vertex| folding.is_core[vertex as usize]).collect()
            };
            assert_eq!(of_core(&gathered), of_core(&order));
            gathered.sort_unstable();
            assert_eq!(gathered, (0..n).collect::<Vec<u32>>());
        }
    }
}
