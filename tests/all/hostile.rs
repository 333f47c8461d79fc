//! What nobody writes by mistake: random bytes, numbers that no memory could hold, nesting without end, entities that grow. In
//! every format it is refused with its place, without taking the memory that it asks for.

use longhaul::io::{Format, GraphFile, ReadOptions};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn parse(name: &str, bytes: &[u8]) -> Result<GraphFile, String> {
    GraphFile::parse(name, bytes, &ReadOptions::default()).map_err(|error| error.to_string())
}

#[test]
fn random_bytes_are_no_graph_in_any_format() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for (name, format) in Format::ALL {
        let bytes: Vec<u8> = (0..10_000).map(|_| rng.random_range(0..=255u8)).collect();
        let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
        let refused = GraphFile::parse("noise", &bytes, &options).map_err(|error| error.to_string()).expect_err(name);
        assert!(refused.starts_with("noise:1:") && refused.contains("expected text in UTF-8"), "{name}: {refused}");
    }
}

#[test]
fn announced_numbers_take_no_memory() {
    let refused = [
        ("a.gr", "p edge 1000000000000 1000000000000\ne 1 2\n"),
        ("a.gr", "p edge 4000000000 1\ne 1 2\n"),
        ("a.graph", "1000000000000 1000000000000\n2\n"),
        ("a.graph", "4000000000 1\n2\n"),
        ("a.hcp", "DIMENSION: 1000000000000\nEDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n-1\n"),
        ("a.hcp", "DIMENSION: 4000000000\nEDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n-1\n"),
        ("a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n1000000000000 1000000000000 1\n2 1\n"),
        ("a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4000000000 4000000000 1\n2 1\n"),
        ("a.g6", "~~~~~~~~"),
        ("a.s6", ":~~~~~~~~~~"),
        ("a.deck", "1000000000000 1\n"),
    ];
    for (name, text) in refused {
        let error = parse(name, text.as_bytes()).expect_err(text);
        assert!(error.starts_with(&format!("{name}:")), "{text}: {error}");
    }
    // Where nodes have names, a large number is a name.
    for (name, text) in [("a.el", "1 1000000000000\n"), ("a.csv", "source,target\n1,1000000000000\n")] {
        assert_eq!(parse(name, text.as_bytes()).map(|file| file.graph.node_count()), Ok(2), "{text}");
    }
}

#[cfg(feature = "formats")]
#[test]
fn nesting_and_entities_end_early() {
    const DEPTH: usize = 100_000;
    let deep = |begin: &str, part: &str| format!("{begin}{}", part.repeat(DEPTH));
    let bomb = "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">]>";
    let refused = [
        ("a.json", deep("", "[")),
        ("a.json", deep("{\"nodes\":[", "{\"id\":")),
        ("a.gml", deep("graph [ ", "a [ ")),
        ("a.dot", deep("graph { ", "subgraph { ")),
        ("a.graphml", deep("<graphml><graph edgedefault=\"undirected\">", "<node id=\"a\"><graph>")),
        ("a.gexf", deep("<gexf><graph>", "<nodes>")),
        ("a.graphml", format!("{bomb}<graphml><graph><node id=\"&b;\"/></graph></graphml>")),
        ("a.gexf", format!("{bomb}<gexf><graph><nodes><node id=\"&b;\"/></nodes></graph></gexf>")),
    ];
    for (name, text) in refused {
        let error = parse(name, text.as_bytes()).expect_err(name);
        assert!(error.starts_with(&format!("{name}:1:")), "{error}");
    }
}
