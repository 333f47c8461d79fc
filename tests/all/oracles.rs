//! The tables of small graphs, whose optima were found by exhaustive search elsewhere.

use crate::support::ask::Options;
use crate::support::{Ends, Small};
use longhaul::Engine;
use longhaul::io::decode_graph6;

const ENGINES: [Engine; 2] = [Engine::Auto, Engine::Backtracking];

/// The graphs of a table with the lengths of their longest paths.
pub(crate) fn table(name: &str) -> Vec<(Small, Option<i64>)> {
    let rows = crate::corpus::table(&format!("small/{name}.tsv"));
    let small = |graph6: &str| {
        let (graph, directed) = decode_graph6(graph6).unwrap();
        Small::from_graph(&graph.map(|_, _| (), |_, _| 1), directed)
    };
    rows.iter().map(|row| (small(&row["graph6"]), Some(row["optimum"].parse().unwrap()))).collect()
}

#[test]
fn free_ends() {
    for (name, count) in [("connected_n5", 21), ("connected_n6", 112), ("connected_n7", 853), ("digraphs_n4", 218)] {
        let table = table(name);
        assert_eq!(table.len(), count, "as many as there are");
        for (small, optimum) in table {
            for engine in ENGINES {
                small.assert_answered(optimum, Ends::FREE, &Options::engine(engine));
            }
        }
    }
}

#[test]
fn all_ends_against_the_brute_force() {
    for name in ["connected_n5", "connected_n6", "digraphs_n4"] {
        for (small, optimum) in table(name) {
            assert_eq!(small.longest(Ends::FREE), optimum);
            for ends in Ends::all(small.nodes) {
                let expected = small.longest(ends);
                for engine in ENGINES {
                    small.assert_answered(expected, ends, &Options::engine(engine));
                }
            }
        }
    }
}
