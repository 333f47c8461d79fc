//! Removal orders in which paths fall apart: the vertices that hold much together first.
//!
//! Whether a set leaves many components behind (whether the graph is *tough*) is NP-hard to say (D. Bauer, S. L. Hakimi,
//! E. Schmeichel, Recognizing tough graphs is NP-hard, *Discrete Applied Mathematics* 28, 1990), so these are heuristics:
//! - by degree in what remains, the greatest first: in stars, complete bipartite graphs, stacked triangulations and most
//!   real networks the few hubs go first;
//! - the same among cut vertices first, each by how evenly it splits what remains.

use crate::search::Piece;

use super::neighbours;

/// All vertices, by falling degree.
pub(super) fn by_degree(piece: &Piece) -> Vec<u32> {
    let graph = &piece.graph;
    let mut order: Vec<u32> = (0..graph.vertex_count() as u32).collect();
    order.sort_by_key(|&vertex| std::cmp::Reverse(neighbours(graph, vertex).count()));
    order
}

/// All vertices that still have a neighbour in their turn, the one with most of them always next.
pub(super) fn by_remaining_degree(piece: &Piece) -> Vec<u32> {
    let graph = &piece.graph;
    let n = graph.vertex_count();
    let mut degree: Vec<usize> = (0..n as u32).map(|vertex| neighbours(graph, vertex).count()).collect();
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); degree.iter().max().map_or(0, |most| most + 1)];
    for vertex in (0..n).rev() {
        buckets[degree[vertex]].push(vertex as u32);
    }
    let mut gone = vec![false; n];
    let mut order = Vec::new();
    for at in (1..buckets.len()).rev() {
        while let Some(vertex) = buckets[at].pop() {
            // An entry is stale once the degree has sunk: a fresh one is in a lower bucket.
            if gone[vertex as usize] || degree[vertex as usize] != at {
                continue;
            }
            gone[vertex as usize] = true;
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
pub(super) fn without_independent_set(piece: &Piece) -> Vec<u32> {
    let graph = &piece.graph;
    let n = graph.vertex_count();
    let mut degree: Vec<usize> = (0..n as u32).map(|vertex| neighbours(graph, vertex).count()).collect();
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); degree.iter().max().map_or(0, |most| most + 1)];
    for vertex in (0..n).rev() {
        buckets[degree[vertex]].push(vertex as u32);
    }
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
    let mut order = by_degree(piece);
    order.retain(|&vertex| fate[vertex as usize] == Fate::Out);
    order
}
