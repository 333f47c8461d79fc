//! The longest path of a petgraph graph, with the caller's own names.

use longhaul::LongestPath;
use petgraph::graph::UnGraph;

fn main() -> Result<(), longhaul::Error> {
    //  Bern ── Olten ── Basel
    //           │  ╲
    //          Zug ─ Zürich ── Chur
    let mut rails = UnGraph::<&str, ()>::default();
    let [bern, olten, basel, zurich, zug, chur] =
        ["Bern", "Olten", "Basel", "Zürich", "Zug", "Chur"].map(|town| rails.add_node(town));
    for (one, two) in [(bern, olten), (olten, basel), (olten, zurich), (olten, zug), (zug, zurich), (zurich, chur)] {
        rails.add_edge(one, two, ());
    }

    let solution = LongestPath::new(&rails).solve()?;
    let towns: Vec<&str> = solution.path().unwrap_or_default().iter().map(|&node| rails[node]).collect();
    println!("{}", towns.join(" - "));
    assert!(solution.is_optimal());
    assert_eq!(solution.length(), Some(4));
    Ok(())
}
