//! Graphs that everybody knows.

use crate::support::Small;

/// An undirected graph with edges of weight 1.
pub(super) fn unit(nodes: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Small {
    Small { nodes, directed: false, edges: edges.into_iter().map(|(a, b)| (a, b, 1)).collect() }
}

pub(super) fn grid(side: usize) -> Small {
    let cells = (0..side * side).flat_map(|cell| {
        let right = (cell % side + 1 < side).then_some((cell, cell + 1));
        let down = (cell + side < side * side).then_some((cell, cell + side));
        right.into_iter().chain(down)
    });
    unit(side * side, cells)
}

pub(super) fn knight(side: usize) -> Small {
    let moves = (0..side * side).flat_map(|cell| {
        let (row, column) = (cell / side, cell % side);
        [(1isize, 2isize), (2, 1), (2, -1), (1, -2)].into_iter().filter_map(move |(down, right)| {
            let (row, column) = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
            (row < side && column < side).then_some((cell, row * side + column))
        })
    });
    unit(side * side, moves)
}
