//! All maximal cliques, one after another.
//!
//! Bron and Kerbosch's search keeps, beside the clique R, the candidates P that may join it and the vertices X that could, but
//! all of whose cliques have been told; R is maximal once both are empty. Of the candidates only those not adjacent to a
//! *pivot* are tried, a vertex of P ∪ X with most neighbours in P: every maximal clique has one of these or the pivot. The first
//! level goes along a degeneracy order, later neighbours in P and earlier in X, so that no P is larger than the degeneracy.
//!
//! Sources: Coen Bron, Joep Kerbosch, *Algorithm 457: finding all cliques of an undirected graph*, Communications of the ACM
//! 16, 1973, DOI 10.1145/362342.362367; Etsuji Tomita, Akira Tanaka, Haruhisa Takahashi, *The worst-case time complexity for
//! generating all maximal cliques and computational experiments*, Theoretical Computer Science 363, 2006, DOI
//! 10.1016/j.tcs.2006.06.015; David Eppstein, Maarten Löffler, Darren Strash, *Listing all maximal cliques in sparse graphs in
//! near-optimal time*, ISAAC 2010, DOI 10.1007/978-3-642-17517-6_36. The calls are a stack, and sets are bits over one
//! neighbourhood.

use std::fmt;

use crate::error::Error;
use crate::view::{InputGraph, View};

use super::adjacency::Adjacency;
use super::bits;

/// An iterator over the maximal cliques of a graph: those that no further node is adjacent to all of. Each comes once, as a
/// list of its nodes; the order of cliques is the same in every run.
///
/// Directions, loops and parallel edges do not matter. A graph without nodes has no clique.
///
/// # Complexity
/// `O(d n 3^(d/3))` for all cliques of a graph of n nodes and degeneracy d; memory for one neighbourhood.
///
/// # Example
/// ```
/// use longhaul::clique::MaximalCliques;
/// use petgraph::graph::UnGraph;
///
/// //  0 ─ 1 ─ 3
/// //   ╲ ╱
/// //    2
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 0), (1, 3)]);
/// let mut sizes: Vec<usize> = MaximalCliques::new(&graph)?.map(|clique| clique.len()).collect();
/// sizes.sort();
/// assert_eq!(sizes, [2, 3]);
/// # Ok::<(), longhaul::Error>(())
/// ```
pub struct MaximalCliques<NodeId> {
    nodes: Vec<NodeId>,
    graph: Adjacency,
    /// The degeneracy order, and the place of each vertex in it.
    order: Vec<u32>,
    rank: Vec<u32>,
    /// The place in the order whose neighbourhood comes next.
    next: usize,
    around: Neighbourhood,
    levels: Vec<Level>,
    /// The clique so far, in vertices.
    clique: Vec<u32>,
    place: Vec<u32>,
}

/// The bit rows of one vertex's neighbourhood: first the later neighbours, then the earlier.
#[derive(Default)]
struct Neighbourhood {
    vertices: Vec<u32>,
    /// How many are later, and the words of a set of these and of a set of the earlier.
    later: usize,
    later_words: usize,
    earlier_words: usize,
    /// Per vertex: its neighbours among the later.
    to_later: Vec<u64>,
    /// Per later vertex: its neighbours among the earlier.
    to_earlier: Vec<u64>,
}

/// P, as what is still to try and all, and X in two parts: once candidates, and earlier from the start.
struct Level {
    candidates: Vec<u64>,
    branching: Vec<u64>,
    done: Vec<u64>,
    earlier: Vec<u64>,
}

impl<NodeId: Copy> MaximalCliques<NodeId> {
    /// The maximal cliques of this graph.
    ///
    /// # Errors
    /// If the graph has too many nodes or edges.
    pub fn new<G: InputGraph<NodeId = NodeId>>(graph: G) -> Result<Self, Error> {
        let view = View::new(graph, |_| 1)?;
        let nodes = (0..view.graph().vertex_count() as u32).map(|vertex| view.node(vertex)).collect();
        let graph = Adjacency::new(view.graph(), &mut || false).expect("nothing ends it");
        let degeneracy = graph.degeneracy(&mut || false);
        let order = degeneracy.expect("nothing ends it").order;
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &vertex)| rank[vertex as usize] = at as u32);
        let place = vec![u32::MAX; order.len()];
        Ok(MaximalCliques {
            nodes,
            graph,
            order,
            rank,
            next: 0,
            around: Neighbourhood::default(),
            levels: Vec::new(),
            clique: Vec::new(),
            place,
        })
    }

    /// Goes to the neighbourhood of the next vertex.
    fn enter(&mut self, vertex: u32) {
        self.around.fill(&self.graph, &self.rank, vertex, &mut self.place);
        let around = &self.around;
        let mut candidates = vec![0; around.later_words];
        bits::fill(&mut candidates, around.later);
        let mut earlier = vec![0; around.earlier_words];
        bits::fill(&mut earlier, around.vertices.len() - around.later);
        self.clique.push(vertex);
        let done = vec![0; around.later_words];
        self.levels.push(around.level(candidates, done, earlier));
    }
}

impl Neighbourhood {
    fn fill(&mut self, graph: &Adjacency, rank: &[u32], vertex: u32, place: &mut [u32]) {
        let is_later = |other: &u32| rank[*other as usize] > rank[vertex as usize];
        self.vertices.clear();
        self.vertices.extend(graph.neighbours(vertex).iter().filter(|other| is_later(other)));
        self.later = self.vertices.len();
        self.vertices.extend(graph.neighbours(vertex).iter().filter(|other| !is_later(other)));
        self.later_words = bits::words_for(self.later);
        self.earlier_words = bits::words_for(self.vertices.len() - self.later);
        self.to_later.clear();
        self.to_later.resize(self.vertices.len() * self.later_words, 0);
        self.to_earlier.clear();
        self.to_earlier.resize(self.later * self.earlier_words, 0);
        for (at, &other) in self.vertices.iter().enumerate() {
            place[other as usize] = at as u32;
        }
        for at in 0..self.later {
            for &other in graph.neighbours(self.vertices[at]) {
                let to = place[other as usize];
                if to == u32::MAX {
                    continue;
                }
                let to = to as usize;
                bits::insert(&mut self.to_later[to * self.later_words..][..self.later_words], at);
                if to >= self.later {
                    bits::insert(
                        &mut self.to_earlier[at * self.earlier_words..][..self.earlier_words],
                        to - self.later,
                    );
                }
            }
        }
        self.vertices.iter().for_each(|&other| place[other as usize] = u32::MAX);
    }

    fn to_later(&self, at: usize) -> &[u64] {
        &self.to_later[at * self.later_words..][..self.later_words]
    }

    fn to_earlier(&self, at: usize) -> &[u64] {
        &self.to_earlier[at * self.earlier_words..][..self.earlier_words]
    }

    /// A level with its branching set: the candidates that the best pivot is not adjacent to.
    fn level(&self, candidates: Vec<u64>, done: Vec<u64>, earlier: Vec<u64>) -> Level {
        let pivots = bits::elements(&candidates).chain(bits::elements(&done));
        let pivots = pivots.chain(bits::elements(&earlier).map(|at| self.later + at));
        let met = |at: usize| {
            self.to_later(at).iter().zip(&candidates).map(|(row, set)| (row & set).count_ones()).sum::<u32>()
        };
        let pivot = pivots.max_by_key(|&at| met(at));
        let branching = match pivot {
            Some(pivot) => candidates.iter().zip(self.to_later(pivot)).map(|(set, row)| set & !row).collect(),
            None => Vec::new(),
        };
        Level { candidates, branching, done, earlier }
    }

    /// The level below, where this later vertex has joined the clique.
    fn below(&self, level: &Level, at: usize) -> Level {
        let both = |one: &[u64], other: &[u64]| -> Vec<u64> {
            one.iter().zip(other).map(|(one, other)| one & other).collect()
        };
        self.level(
            both(&level.candidates, self.to_later(at)),
            both(&level.done, self.to_later(at)),
            both(&level.earlier, self.to_earlier(at)),
        )
    }
}

impl<NodeId: Copy> Iterator for MaximalCliques<NodeId> {
    type Item = Vec<NodeId>;

    fn next(&mut self) -> Option<Vec<NodeId>> {
        loop {
            let Some(level) = self.levels.last_mut() else {
                let &vertex = self.order.get(self.next)?;
                self.next += 1;
                self.enter(vertex);
                continue;
            };
            let next = bits::elements(&level.branching).next();
            if let Some(at) = next {
                bits::remove(&mut level.branching, at);
                let below = self.around.below(level, at);
                bits::remove(&mut level.candidates, at);
                bits::insert(&mut level.done, at);
                self.clique.push(self.around.vertices[at]);
                self.levels.push(below);
                continue;
            }
            let all_told =
                bits::is_empty(&level.candidates) && bits::is_empty(&level.done) && bits::is_empty(&level.earlier);
            let clique = all_told.then(|| self.clique.iter().map(|&vertex| self.nodes[vertex as usize]).collect());
            self.levels.pop();
            self.clique.pop();
            if clique.is_some() {
                return clique;
            }
        }
    }
}

impl<NodeId> fmt::Debug for MaximalCliques<NodeId> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MaximalCliques").field("nodes", &self.nodes.len()).finish_non_exhaustive()
    }
}

impl<NodeId: Copy> std::iter::FusedIterator for MaximalCliques<NodeId> {}
