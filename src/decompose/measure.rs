//! What an order costs: its frontiers, and the states they let a frontier program expect.

use fixedbitset::FixedBitSet;

use super::adjacency::Adjacency;

/// What a frontier vertex with so many placed neighbours weighs: the logarithm of its states, to the base of `UNIT`.
#[inline]
pub(super) fn weight(placed_neighbours: u32) -> u32 {
    [0, 3, 4][placed_neighbours.min(2) as usize]
}

/// The cube root of 2.5; its fourth power is 3.4.
const UNIT: f64 = 1.357_208_808_297_453;

/// The states predicted for a frontier of this weight.
pub(super) fn states(weight: usize) -> f64 {
    UNIT.powi(weight.min(i32::MAX as usize) as i32)
}

/// The sum of the states predicted over all positions of an order of all vertices.
pub(super) fn predicted_states(adjacency: &Adjacency, order: &[u32]) -> f64 {
    let mut placed = FixedBitSet::with_capacity(adjacency.len());
    let mut placed_neighbours = vec![0u32; adjacency.len()];
    let mut sum = 0.0;
    let mut frontier = 0;
    for &vertex in order {
        placed.insert(vertex as usize);
        if (placed_neighbours[vertex as usize] as usize) < adjacency.degree(vertex) {
            frontier += weight(placed_neighbours[vertex as usize]);
        }
        for &neighbour in adjacency.row(vertex) {
            let count = &mut placed_neighbours[neighbour as usize];
            *count += 1;
            if placed[neighbour as usize] {
                frontier -= weight(*count - 1);
                if (*count as usize) < adjacency.degree(neighbour) {
                    frontier += weight(*count);
                }
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
