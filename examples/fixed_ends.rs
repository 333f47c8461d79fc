//! A weighted directed graph with both ends fixed: the longest way of a project from its start to its finish, and what changes
//! when there are cycles, so that no schedule by plain dynamic programming exists.

use longhaul::{LongestPath, Status};
use petgraph::graph::{DiGraph, NodeIndex};

fn main() -> Result<(), longhaul::Error> {
    //   0 ─4─► 1 ─3─► 2 ─6─► 3      and 0 ─2─► 2, 2 ─(-5)─► 1, 1 ─1─► 3, 3 ─100─► 0
    let (start, finish) = (NodeIndex::new(0), NodeIndex::new(3));
    let edges = [(0, 1, 4), (1, 2, 3), (2, 1, -5), (0, 2, 2), (2, 3, 6), (1, 3, 1), (3, 0, 100)];
    let graph = DiGraph::<(), i64>::from_edges(edges);
    let question = || LongestPath::new(&graph).weights(|edge| *edge.weight());

    let solution = question().from(start).to(finish).solve()?;
    println!("start to finish: length {:?}", solution.length());
    assert_eq!(solution.status(), Status::Optimal);
    assert_eq!(solution.length(), Some(4 + 3 + 6));
    let indices: Vec<usize> = solution.path().unwrap_or_default().iter().map(|node| node.index()).collect();
    assert_eq!(indices, [0, 1, 2, 3]);

    // 3 → 0 → 1; by way of 2 it would be 100 + 2 - 5.
    let back = question().from(finish).to(1.into()).solve()?;
    println!("and back to 1: length {:?}", back.length());
    assert_eq!(back.length(), Some(100 + 4));
    Ok(())
}
