//! Graphs of boards: cells and how one gets from one to another.

use fixedbitset::FixedBitSet;
use rand::{Rng, RngExt};

use super::{MOST_NODES, NoSuchGraph, check, graph};
use crate::io::GraphFile;

/// The grid of so many rows and columns: each cell is joined to those beside it. Node `row · columns + column` stands at
/// (column, row).
///
/// # Errors
/// Unless there is a cell, and there are 10⁷ at most.
pub fn grid(rows: usize, columns: usize) -> Result<GraphFile, NoSuchGraph> {
    check_board("a grid", rows, columns)?;
    let right =
        (0..rows).flat_map(|row| (1..columns).map(move |column| (row * columns + column - 1, row * columns + column)));
    let down = (1..rows)
        .flat_map(|row| (0..columns).map(move |column| ((row - 1) * columns + column, row * columns + column)));
    Ok(placed(graph(rows * columns, right.chain(down)), columns))
}

/// A maze on a grid: a random spanning tree, carved depth first, and each wall left then taken out with probability
/// `openness`. At 0 there is one way between any two cells; at 1 the grid itself is left.
///
/// # Errors
/// Unless there is a cell, there are 10⁷ at most, and `openness` is a probability.
pub fn maze(rows: usize, columns: usize, openness: f64, rng: &mut impl Rng) -> Result<GraphFile, NoSuchGraph> {
    check_board("a maze", rows, columns)?;
    check((0.0..=1.0).contains(&openness), "a maze", "an openness from 0 to 1", || openness.to_string())?;
    let mut visited = FixedBitSet::with_capacity(rows * columns);
    let start = rng.random_range(0..rows * columns);
    visited.insert(start);
    let (mut trail, mut edges) = (vec![start], Vec::with_capacity(rows * columns));
    while let Some(&cell) = trail.last() {
        let ways = beside(cell, rows, columns).into_iter().flatten().filter(|&next| !visited[next]);
        let ways: Vec<usize> = ways.collect();
        if ways.is_empty() {
            trail.pop();
            continue;
        }
        let next = ways[rng.random_range(0..ways.len())];
        visited.insert(next);
        edges.push((cell.min(next), cell.max(next)));
        trail.push(next);
    }
    edges.sort_unstable();
    let whole = grid(rows, columns)?;
    let walls = whole.graph.raw_edges().iter().map(|edge| (edge.source().index(), edge.target().index()));
    let walls: Vec<(usize, usize)> = walls.filter(|ends| edges.binary_search(ends).is_err()).collect();
    edges.extend(walls.into_iter().filter(|_| rng.random_bool(openness)));
    Ok(placed(graph(rows * columns, edges), columns))
}

/// The graph of a knight's moves on a board.
///
/// # Errors
/// Unless there is a cell, and there are 10⁷ at most.
pub fn knight(rows: usize, columns: usize) -> Result<GraphFile, NoSuchGraph> {
    check_board("a knight's board", rows, columns)?;
    const DOWNWARDS: [(usize, isize); 4] = [(1, -2), (1, 2), (2, -1), (2, 1)];
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let moves = cells.flat_map(|(row, column)| {
        DOWNWARDS.into_iter().filter_map(move |(down, aside)| {
            let aside = column.checked_add_signed(aside).filter(|&aside| aside < columns)?;
            (row + down < rows).then_some((row * columns + column, (row + down) * columns + aside))
        })
    });
    Ok(placed(graph(rows * columns, moves), columns))
}

/// The hypercube of so many dimensions: 2^d nodes, joined where their numbers differ in one bit.
///
/// # Errors
/// Unless `dimensions` ≤ 20.
pub fn hypercube(dimensions: u32) -> Result<GraphFile, NoSuchGraph> {
    check(dimensions <= 20, "a hypercube", "20 dimensions at most", || dimensions.to_string())?;
    let n = 1usize << dimensions;
    let edges = (0..n).flat_map(|node| (0..dimensions).map(move |bit| (node, node | 1 << bit)));
    Ok(graph(n, edges.filter(|(node, other)| node != other)))
}

fn check_board(family: &'static str, rows: usize, columns: usize) -> Result<(), NoSuchGraph> {
    let cells = rows.checked_mul(columns);
    let holds = cells.is_some_and(|cells| (1..=MOST_NODES).contains(&cells));
    check(holds, family, format!("1 to {MOST_NODES} cells"), || format!("{rows} rows of {columns}"))
}

/// The cells above, left, right and below.
fn beside(cell: usize, rows: usize, columns: usize) -> [Option<usize>; 4] {
    let (row, column) = (cell / columns, cell % columns);
    [
        (row > 0).then(|| cell - columns),
        (column > 0).then(|| cell - 1),
        (column + 1 < columns).then(|| cell + 1),
        (row + 1 < rows).then(|| cell + columns),
    ]
}

fn placed(mut file: GraphFile, columns: usize) -> GraphFile {
    let place = |node: usize| [(node % columns) as f64, (node / columns) as f64];
    file.coordinates = Some((0..file.graph.node_count()).map(place).collect());
    file
}
