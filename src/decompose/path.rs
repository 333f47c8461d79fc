//! Path decompositions: bags of vertices in a row.

use std::ops::RangeInclusive;

use super::adjacency::Adjacency;
use super::error::{DecompositionError, Kind, check_order};
use super::order::VertexOrder;
use crate::rows::Rows;
use crate::view::CsrGraph;

/// A path decomposition: *bags* of vertices in a row, such that every edge lies within a bag and every vertex is in at
/// least one bag and in all bags between any two that hold it.
///
/// What consecutive bags share, their *adhesion*, separates everything before from everything after; that is what
/// dynamic programs live on. The *width* is one less than the size of the greatest bag (N. Robertson and P. D. Seymour,
/// *Graph minors. I. Excluding a forest*, Journal of Combinatorial Theory B 35, 1983).
///
/// Every value of this type is valid for the graph it was made for. Since a vertex's bags are contiguous, it is kept as
/// an interval for each vertex: `O(n + bags)` memory, however great the bags are together.
///
/// # Example
/// ```
/// use longhaul::decompose::PathDecomposition;
/// use longhaul::view::View;
/// use petgraph::graph::UnGraph;
///
/// // 0 ─ 1 ─ 2 ─ 3
/// //      \ /
/// //       4
/// let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (1, 4), (2, 4)]);
/// let view = View::new(&graph, |_| 1)?;
/// let bags = vec![vec![0, 1], vec![1, 2, 4], vec![2, 3]];
/// let decomposition = PathDecomposition::from_bags(view.graph(), &bags)?;
/// assert_eq!(decomposition.width(), 2);
/// assert_eq!(decomposition.adhesions(), [1, 1]);
///
/// let torn = vec![vec![0, 1], vec![1, 2], vec![2, 3], vec![2, 4]];
/// let error = PathDecomposition::from_bags(view.graph(), &torn).unwrap_err();
/// assert_eq!(error.to_string(), "no bag holds both ends of the edge between 1 and 4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathDecomposition {
    /// Of each vertex, the first and the last bag that hold it.
    intervals: Vec<(u32, u32)>,
    /// The vertices by their first bag.
    entering: Rows<u32>,
    sizes: Vec<u32>,
    adhesions: Vec<u32>,
}

impl PathDecomposition {
    /// The caller's own bags, checked: `O(n + m + sum of the bags)`.
    ///
    /// # Errors
    /// If a bag names an unknown vertex or one twice, if a vertex is in no bag or its bags are not contiguous, or if no
    /// bag holds both ends of some edge.
    pub fn from_bags(graph: &CsrGraph, bags: &[Vec<u32>]) -> Result<Self, DecompositionError> {
        let count = graph.vertex_count();
        let mut intervals: Vec<Option<(u32, u32)>> = vec![None; count];
        for (bag, vertices) in bags.iter().enumerate() {
            for &vertex in vertices {
                let Some(interval) = intervals.get_mut(vertex as usize) else {
                    return Err(Kind::UnknownVertex { vertex, count }.into());
                };
                match interval {
                    None => *interval = Some((bag as u32, bag as u32)),
                    Some((_, last)) if *last as usize == bag => {
                        return Err(Kind::TwiceInBag { vertex, bag }.into());
                    }
                    Some((_, last)) if *last as usize + 1 == bag => *last = bag as u32,
                    Some((_, last)) => {
                        return Err(Kind::Torn { vertex, before: *last, after: bag }.into());
                    }
                }
            }
        }
        let known = |(vertex, interval): (usize, &Option<(u32, u32)>)| {
            interval.ok_or(DecompositionError::from(Kind::NowhereInBags { vertex: vertex as u32 }))
        };
        let intervals = intervals.iter().enumerate().map(known).collect::<Result<Vec<_>, _>>()?;
        for edge in graph.edges() {
            let (one, other) = (intervals[edge.source as usize], intervals[edge.target as usize]);
            if one.0.max(other.0) > one.1.min(other.1) {
                let kind = Kind::Uncovered { one: edge.source, other: edge.target };
                return Err(kind.into());
            }
        }
        Ok(Self::from_intervals(intervals, bags.len()))
    }

    /// One bag for each vertex of an order: the vertex, and the vertices before it that have a neighbour from it on.
    /// The width is that of the order, and so are the adhesions. `O(n + m)`.
    ///
    /// # Errors
    /// If the order does not hold every vertex exactly once.
    pub fn from_order(graph: &CsrGraph, order: &[u32]) -> Result<Self, DecompositionError> {
        let position = check_order(graph.vertex_count(), order)?;
        let adjacency = Adjacency::of(graph);
        let interval = |vertex: u32| {
            let first = position[vertex as usize];
            let around = adjacency.row(vertex).iter().map(|&neighbour| position[neighbour as usize]);
            (first, around.fold(first, u32::max))
        };
        let intervals = (0..graph.vertex_count() as u32).map(interval).collect();
        Ok(Self::from_intervals(intervals, order.len()))
    }

    /// The paths from the root to each leaf of a depth-first search, in the order of the search: an undirected
    /// depth-first tree has no cross edges, so every edge joins two vertices of one such path, and the paths through a
    /// vertex follow each other. (P. Dorbec and C. Gavoille, *Projet UNO*, §3.1.) Directions are forgotten; further
    /// components are searched from their first vertex. `O(n + m)`.
    ///
    /// # Errors
    /// If the root is not a vertex.
    pub fn from_depth_first(graph: &CsrGraph, root: u32) -> Result<Self, DecompositionError> {
        let count = graph.vertex_count();
        if root as usize >= count {
            return Err(Kind::UnknownVertex { vertex: root, count }.into());
        }
        let adjacency = Adjacency::of(graph);
        let mut intervals = vec![(u32::MAX, 0); count];
        let mut leaves = 0;
        // The path from the root, each vertex with how many of its neighbours were looked at.
        let mut path: Vec<(u32, usize)> = Vec::new();
        for start in std::iter::once(root).chain(0..count as u32) {
            if intervals[start as usize].0 != u32::MAX {
                continue;
            }
            intervals[start as usize].0 = leaves;
            path.push((start, 0));
            while let Some((vertex, next)) = path.last_mut() {
                if let Some(&neighbour) = adjacency.row(*vertex).get(*next) {
                    *next += 1;
                    if intervals[neighbour as usize].0 == u32::MAX {
                        intervals[neighbour as usize].0 = leaves;
                        path.push((neighbour, 0));
                    }
                } else {
                    let vertex = *vertex as usize;
                    path.pop();
                    // A leaf is where no path has gone further since the vertex was entered.
                    if intervals[vertex].0 == leaves {
                        leaves += 1;
                    }
                    intervals[vertex].1 = leaves - 1;
                }
            }
        }
        Ok(Self::from_intervals(intervals, leaves as usize))
    }

    fn from_intervals(intervals: Vec<(u32, u32)>, bag_count: usize) -> Self {
        let mut leaving = vec![0u32; bag_count];
        intervals.iter().for_each(|&(_, last)| leaving[last as usize] += 1);
        let entering = Rows::new(bag_count, intervals.len(), |vertex| (intervals[vertex].0, vertex as u32));
        let mut sizes = Vec::with_capacity(bag_count);
        let mut adhesions = Vec::with_capacity(bag_count);
        let mut held = 0;
        for (bag, leaving) in (0..).zip(leaving) {
            held += entering.row(bag).len() as u32;
            sizes.push(held);
            held -= leaving;
            adhesions.push(held);
        }
        // Nothing follows the last bag.
        adhesions.pop();
        PathDecomposition { intervals, entering, sizes, adhesions }
    }

    /// The number of bags; 0 only where the graph is empty and no bag was given.
    pub fn bag_count(&self) -> usize {
        self.sizes.len()
    }

    /// The number of vertices of the graph.
    pub fn vertex_count(&self) -> usize {
        self.intervals.len()
    }

    /// One less than the number of vertices in the greatest bag; 0 where there is none.
    pub fn width(&self) -> usize {
        (self.sizes.iter().copied().max().unwrap_or(0) as usize).saturating_sub(1)
    }

    /// How many vertices each bag holds.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// How many vertices each bag but the last shares with the next.
    pub fn adhesions(&self) -> &[u32] {
        &self.adhesions
    }

    /// The bags that hold a vertex.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn bags_of(&self, vertex: u32) -> RangeInclusive<usize> {
        let (first, last) = self.intervals[vertex as usize];
        first as usize..=last as usize
    }

    /// The vertices that a bag holds and no earlier bag does, in ascending order.
    ///
    /// # Panics
    /// If there is no such bag.
    pub fn entering(&self, bag: usize) -> &[u32] {
        self.entering.row(bag as u32)
    }

    /// The bags in their order, each with its vertices in the order of their first bags. All of them together may be
    /// quadratic in the number of vertices.
    pub fn bags(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        let mut held: Vec<u32> = Vec::new();
        (0..self.bag_count()).map(move |bag| {
            held.retain(|&vertex| self.intervals[vertex as usize].1 as usize >= bag);
            held.extend_from_slice(self.entering(bag));
            held.clone()
        })
    }
}

impl From<&VertexOrder> for PathDecomposition {
    /// As [`from_order`](PathDecomposition::from_order), of an order that was measured already.
    fn from(order: &VertexOrder) -> Self {
        let mut intervals = vec![(0, 0); order.vertices().len()];
        for (index, (&vertex, &last)) in order.vertices().iter().zip(order.last_needed()).enumerate() {
            intervals[vertex as usize] = (index as u32, last);
        }
        Self::from_intervals(intervals, order.vertices().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decompose::Effort;
    use crate::view::Edge;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn graph(vertex_count: usize, directed: bool, pairs: impl IntoIterator<Item = (u32, u32)>) -> CsrGraph {
        let edges = pairs.into_iter().map(|(source, target)| Edge { source, target, weight: 1 }).collect();
        CsrGraph::from_multigraph(vertex_count, directed, edges).0
    }

    /// From the definition: the bags of one decomposition, given back as bags, are one again, and the same.
    fn check(graph: &CsrGraph, decomposition: &PathDecomposition) {
        let bags: Vec<Vec<u32>> = decomposition.bags().collect();
        assert_eq!(PathDecomposition::from_bags(graph, &bags).as_ref(), Ok(decomposition));
        assert!(bags.iter().map(Vec::len).eq(decomposition.sizes().iter().map(|&size| size as usize)));
        let shared = bags.windows(2).map(|pair| pair[0].iter().filter(|vertex| pair[1].contains(vertex)).count());
        assert!(shared.eq(decomposition.adhesions().iter().map(|&size| size as usize)));
    }

    #[test]
    fn every_constructor_makes_valid_decompositions() {
        let mut random = Pcg64Mcg::seed_from_u64(2);
        for round in 0..300 {
            let n = random.random_range(1..30u32);
            let m = random.random_range(0..2 * n);
            let pairs: Vec<_> = (0..m).map(|_| (random.random_range(0..n), random.random_range(0..n))).collect();
            let graph = graph(n as usize, u64::is_multiple_of(round, 2), pairs);
            check(&graph, &PathDecomposition::from_depth_first(&graph, random.random_range(0..n)).unwrap());
            let effort = Effort { work: 10_000, ..Effort::default() };
            let order = VertexOrder::find(&graph, &effort, round);
            let decomposition = PathDecomposition::from_order(&graph, order.vertices()).unwrap();
            check(&graph, &decomposition);
            assert_eq!(decomposition.width(), order.width());
            assert_eq!(decomposition, PathDecomposition::from(&order));
        }
    }

    #[test]
    fn depth_first_bags_are_the_paths_from_the_root_to_the_leaves() {
        // The graph of Fig. 1 in the source has such bags; here: 0 ─ 1 ─ 2 and 1 ─ 3, 3 ─ 4, 3 ─ 5, and 6 alone.
        let graph = graph(7, false, [(0, 1), (1, 2), (1, 3), (3, 4), (3, 5)]);
        let bags = |root| PathDecomposition::from_depth_first(&graph, root).unwrap().bags().collect::<Vec<_>>();
        assert_eq!(bags(0), [vec![0, 1, 2], vec![0, 1, 3, 4], vec![0, 1, 3, 5], vec![6]]);
        assert_eq!(bags(4), [vec![0, 1, 3, 4], vec![1, 3, 4, 2], vec![3, 4, 5], vec![6]]);
        assert_eq!(bags(6)[0], [6]);
    }

    #[test]
    fn bags_that_are_no_decomposition_are_told_what_is_wrong() {
        let graph = graph(3, false, [(0, 1), (1, 2)]);
        let wrong = |bags: &[Vec<u32>]| PathDecomposition::from_bags(&graph, bags).unwrap_err().to_string();
        assert_eq!(wrong(&[]), "no bag holds vertex 0");
        assert_eq!(wrong(&[vec![0, 1], vec![1, 3]]), "there is no vertex 3: the graph's are 0..3");
        assert_eq!(wrong(&[vec![0, 1, 0]]), "bag 0 holds vertex 0 twice");
        assert_eq!(
            wrong(&[vec![0, 1], vec![2], vec![1, 2]]),
            "vertex 1 is in bag 0 and again in bag 2, but not in all bags between"
        );
        assert_eq!(wrong(&[vec![0, 1], vec![2]]), "no bag holds both ends of the edge between 1 and 2");
        assert!(PathDecomposition::from_depth_first(&graph, 3).is_err());
        assert!(PathDecomposition::from_order(&graph, &[0, 1]).is_err());
        assert!(PathDecomposition::from_bags(&graph, &[vec![], vec![0, 1, 2], vec![]]).is_ok());
    }

    #[test]
    fn a_long_comb_takes_linear_memory_although_its_bags_are_quadratic() {
        let n = 200_000;
        let comb = graph(n, false, (1..n as u32).map(|v| if v % 2 == 0 { (v - 2, v) } else { (v - 1, v) }));
        let decomposition = PathDecomposition::from_depth_first(&comb, 0).unwrap();
        assert!(decomposition.width() >= n / 4);
    }

    #[test]
    fn the_empty_graph_has_no_bag() {
        let empty = graph(0, false, []);
        let decomposition = PathDecomposition::from_bags(&empty, &[]).unwrap();
        assert_eq!((decomposition.bag_count(), decomposition.width()), (0, 0));
        assert!(decomposition.adhesions().is_empty());
        assert_eq!(PathDecomposition::from_order(&empty, &[]).unwrap(), decomposition);
    }
}
