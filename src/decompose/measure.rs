//! What an order costs: its frontiers, and the states they let a frontier program expect.

use fixedbitset::FixedBitSet;

use super::adjacency::Adjacency;
use super::weights::{Tally, least_weight, states, weight};

/// The sum of the states predicted over all positions of an order of all vertices.
pub(super) fn predicted_states(adjacency: &Adjacency, order: &[u32]) -> f64 {
    if adjacency.is_directed { predict::<true>(adjacency, order) } else { predict::<false>(adjacency, order) }
}

fn predict<const DIRECTED: bool>(adjacency: &Adjacency, order: &[u32]) -> f64 {
    let mut placed = FixedBitSet::with_capacity(adjacency.len());
    let neighbours: Vec<Tally> = (0..adjacency.len() as u32).map(|vertex| adjacency.tally_of_all(vertex)).collect();
    let mut unplaced = neighbours.clone();
    let weight = |vertex: u32, unplaced: Tally| weight(DIRECTED, neighbours[vertex as usize], unplaced);
    let mut sum = 0.0;
    let mut frontier = least_weight(DIRECTED);
    for &vertex in order {
        placed.insert(vertex as usize);
        frontier += weight(vertex, unplaced[vertex as usize]);
        for (neighbour, counts) in adjacency.counted_row::<DIRECTED>(vertex) {
            let before = unplaced[neighbour as usize];
            unplaced[neighbour as usize] -= counts;
            if placed[neighbour as usize] {
                frontier -= weight(neighbour, before);
                frontier += weight(neighbour, before - counts);
            }
        }
        sum += states(frontier as usize);
    }
    sum
}

/// The position of every vertex in an order of `0..count`.
pub(super) fn positions(count: usize, order: &[u32]) -> Vec<u32> {
    let mut position = vec![0u32; count];
    for (index, &vertex) in order.iter().enumerate() {
        position[vertex as usize] = index as u32;
    }
    position
}

/// For each position of an order of all vertices, where the last of its vertex and that vertex's neighbours is.
pub(super) fn last_needed(adjacency: &Adjacency, order: &[u32]) -> Vec<u32> {
    let position = positions(adjacency.len(), order);
    let last = |(index, &vertex): (usize, &u32)| {
        let around = adjacency.row(vertex).iter().map(|&neighbour| position[neighbour as usize]);
        around.fold(index as u32, u32::max)
    };
    order.iter().enumerate().map(last).collect()
}

/// The size of the frontier after each position: a vertex is in it from its own position until its last neighbour's.
pub(super) fn frontiers_from(last_needed: &[u32]) -> Vec<u32> {
    let mut leaving = vec![0u32; last_needed.len()];
    last_needed.iter().for_each(|&last| leaving[last as usize] += 1);
    let mut frontier = 0;
    let count = |&leaving: &u32| {
        frontier += 1;
        frontier -= leaving;
        frontier
    };
    leaving.iter().map(count).collect()
}

/// The size of the frontier after each vertex of an order of all vertices.
pub(super) fn frontiers(adjacency: &Adjacency, order: &[u32]) -> Vec<u32> {
    frontiers_from(&last_needed(adjacency, order))
}
