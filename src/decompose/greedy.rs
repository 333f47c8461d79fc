//! Orders for graphs of any size: always the vertex that leaves the smallest frontier.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;

use super::adjacency::Adjacency;
use super::effort::Effort;

/// Vertices placed between two looks at the clock.
const PLACED_PER_CLOCK: usize = 1 << 12;

/// Places, from `start` on, always a neighbour of the frontier after which the frontier is smallest, the one that came
/// into view first among equals; so everything reachable from `start`. `None` if the effort is over. `O(m log m)`.
pub(super) fn order_from(graph: &Adjacency, start: u32, effort: &Effort) -> Option<Vec<u32>> {
    let n = graph.len();
    let mut order = Vec::new();
    let mut placed = FixedBitSet::with_capacity(n);
    let mut unplaced_neighbours: Vec<u32> = (0..n as u32).map(|vertex| graph.degree(vertex) as u32).collect();
    // How many frontier vertices wait for this one alone.
    let mut awaited_by = vec![0u32; n];
    let mut seen_at = vec![u32::MAX; n];
    let mut clock = 0;
    let mut heap = BinaryHeap::new();
    let growth = |vertex: u32, unplaced_neighbours: &[u32], awaited_by: &[u32]| {
        i64::from(unplaced_neighbours[vertex as usize] > 0) - i64::from(awaited_by[vertex as usize])
    };
    seen_at[start as usize] = 0;
    heap.push(Reverse((growth(start, &unplaced_neighbours, &awaited_by), 0, start)));
    while let Some(Reverse((key, _, vertex))) = heap.pop() {
        if placed[vertex as usize] || key != growth(vertex, &unplaced_neighbours, &awaited_by) {
            continue;
        }
        if order.len().is_multiple_of(PLACED_PER_CLOCK) && effort.is_over() {
            return None;
        }
        placed.insert(vertex as usize);
        order.push(vertex);
        for &neighbour in graph.row(vertex) {
            unplaced_neighbours[neighbour as usize] -= 1;
        }
        for &around in graph.row(vertex).iter().chain([&vertex]) {
            if placed[around as usize] && unplaced_neighbours[around as usize] == 1 {
                let only = graph.row(around).iter().copied().find(|&target| !placed[target as usize]);
                let only = only.expect("one neighbour is unplaced");
                awaited_by[only as usize] += 1;
                if seen_at[only as usize] == u32::MAX {
                    clock += 1;
                    seen_at[only as usize] = clock;
                }
                heap.push(Reverse((growth(only, &unplaced_neighbours, &awaited_by), seen_at[only as usize], only)));
            }
        }
        for &neighbour in graph.row(vertex) {
            if placed[neighbour as usize] {
                continue;
            }
            if seen_at[neighbour as usize] == u32::MAX {
                clock += 1;
                seen_at[neighbour as usize] = clock;
            } else if unplaced_neighbours[neighbour as usize] > 0 {
                continue;
            }
            let key = growth(neighbour, &unplaced_neighbours, &awaited_by);
            heap.push(Reverse((key, seen_at[neighbour as usize], neighbour)));
        }
    }
    Some(order)
}
