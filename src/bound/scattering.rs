//! Removal orders in which paths fall apart: the vertices that hold much together first.
//!
//! Whether a set leaves many components behind (whether the graph is *tough*) is NP-hard to say (D. Bauer, S. L. Hakimi,
//! E. Schmeichel, Recognizing tough graphs is NP-hard, *Discrete Applied Mathematics* 28, 1990), so these are heuristics:
//! - cut vertices, those first that cost a path most;
//! - by degree, or by degree in what remains, the greatest first: in stars, complete bipartite graphs, stacked
//!   triangulations and most real networks the few hubs go first;
//! - the neighbours of a large independent set.

use fixedbitset::FixedBitSet;

use crate::instance::Instance;
use crate::view::CsrGraph;

use super::neighbours;

/// The cut vertices, those first that cost a path most: all that lies in neither of the two greatest components left.
/// Lowpoints in a depth-first search (J. Hopcroft, R. Tarjan, Algorithm 447, *Communications of the ACM* 16, 1973,
/// doi:10.1145/362248.362272), iterative.
pub(super) fn cut_vertices(instance: &Instance) -> Vec<u32> {
    let graph = &instance.graph;
    let n = graph.vertex_count();
    // In preorder; 0 where not visited.
    let mut number = vec![0u32; n];
    let mut low = vec![0u32; n];
    let mut subtree = vec![0u32; n];
    // By vertex: what its removal cuts off below, in all, the greatest two parts.
    let mut below = vec![(0u32, 0u32, 0u32); n];
    let mut missed: Vec<(u32, u32)> = Vec::new();
    let mut next = 0;
    let mut visited: Vec<u32> = Vec::new();
    // The path from the root: the vertex, and how many of its arcs have been looked at.
    let mut path: Vec<(u32, usize)> = Vec::new();
    for root in 0..n as u32 {
        if number[root as usize] != 0 {
            continue;
        }
        visited.clear();
        path.push((root, 0));
        next += 1;
        (number[root as usize], low[root as usize]) = (next, next);
        while let Some((vertex, looked_at)) = path.last_mut() {
            let (at, back) = (*vertex as usize, graph.out_arcs(*vertex).len());
            let arc = if *looked_at < back {
                graph.out_arcs(*vertex).get(*looked_at)
            } else if graph.is_directed() {
                graph.in_arcs(*vertex).get(*looked_at - back)
            } else {
                None
            };
            *looked_at += 1;
            if let Some(arc) = arc {
                let other = arc.target as usize;
                if number[other] == 0 {
                    next += 1;
                    (number[other], low[other]) = (next, next);
                    path.push((arc.target, 0));
                } else {
                    // The edge back to the parent doesn't lower it below the parent, so it may count.
                    low[at] = low[at].min(number[other]);
                }
                continue;
            }
            path.pop();
            visited.push(at as u32);
            subtree[at] += 1;
            if let Some(&(parent, _)) = path.last() {
                let parent = parent as usize;
                subtree[parent] += subtree[at];
                low[parent] = low[parent].min(low[at]);
                if low[at] >= number[parent] {
                    let (all, most, second) = &mut below[parent];
                    *all += subtree[at];
                    (*most, *second) =
                        if subtree[at] > *most { (subtree[at], *most) } else { (*most, (*second).max(subtree[at])) };
                }
            }
        }
        for &vertex in &visited {
            let (all, most, second) = below[vertex as usize];
            let above = visited.len() as u32 - 1 - all;
            let kept = (most + second).max(most + above);
            let left = all + above;
            // What is below a root is all of it, and no cut if it is in one part.
            if all > most || (all > 0 && above > 0) {
                missed.push((left - kept, vertex));
            }
        }
    }
    missed.sort_by_key(|&(missed, vertex)| (std::cmp::Reverse(missed), vertex));
    missed.into_iter().map(|(_, vertex)| vertex).collect()
}

/// All vertices, by falling degree.
pub(super) fn by_degree(instance: &Instance) -> Vec<u32> {
    let graph = &instance.graph;
    let mut order: Vec<u32> = (0..graph.vertex_count() as u32).collect();
    order.sort_by_key(|&vertex| std::cmp::Reverse(neighbours(graph, vertex).count()));
    order
}

/// The degree of each vertex, and by degree the vertices, the first of them last.
fn degrees(graph: &CsrGraph) -> (Vec<usize>, Vec<Vec<u32>>) {
    let n = graph.vertex_count();
    let degree: Vec<usize> = (0..n as u32).map(|vertex| neighbours(graph, vertex).count()).collect();
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); degree.iter().max().map_or(0, |most| most + 1)];
    (0..n).rev().for_each(|vertex| buckets[degree[vertex]].push(vertex as u32));
    (degree, buckets)
}

/// All vertices that still have a neighbour in their turn, the one with most of them always next.
pub(super) fn by_remaining_degree(instance: &Instance) -> Vec<u32> {
    let graph = &instance.graph;
    let n = graph.vertex_count();
    let (mut degree, mut buckets) = degrees(graph);
    let mut gone = FixedBitSet::with_capacity(n);
    let mut order = Vec::new();
    for at in (1..buckets.len()).rev() {
        while let Some(vertex) = buckets[at].pop() {
            // An entry is stale once the degree has sunk: a fresh one is in a lower bucket.
            if gone[vertex as usize] || degree[vertex as usize] != at {
                continue;
            }
            gone.insert(vertex as usize);
            order.push(vertex);
            for neighbour in neighbours(graph, vertex) {
                let other = neighbour as usize;
                if !gone[other] {
                    degree[other] -= 1;
                    buckets[degree[other]].push(neighbour);
                }
            }
        }
    }
    order
}

/// The neighbours of a large independent set, by falling degree. The set grows by the vertex of least remaining degree.
pub(super) fn without_independent_set(instance: &Instance) -> Vec<u32> {
    let graph = &instance.graph;
    let n = graph.vertex_count();
    let (mut degree, mut buckets) = degrees(graph);
    #[derive(Clone, Copy, PartialEq)]
    enum Fate {
        Open,
        Chosen,
        Out,
    }
    let mut fate = vec![Fate::Open; n];
    let mut at = 0;
    while at < buckets.len() {
        let Some(vertex) = buckets[at].pop() else {
            at += 1;
            continue;
        };
        if fate[vertex as usize] != Fate::Open || degree[vertex as usize] != at {
            continue;
        }
        fate[vertex as usize] = Fate::Chosen;
        for neighbour in neighbours(graph, vertex) {
            if fate[neighbour as usize] != Fate::Open {
                continue;
            }
            fate[neighbour as usize] = Fate::Out;
            for second in neighbours(graph, neighbour) {
                let other = second as usize;
                if fate[other] == Fate::Open {
                    degree[other] -= 1;
                    buckets[degree[other]].push(second);
                    at = at.min(degree[other]);
                }
            }
        }
    }
    let mut order = by_degree(instance);
    order.retain(|&vertex| fate[vertex as usize] == Fate::Out);
    order
}
