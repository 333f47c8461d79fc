//! Every format: what it reads, what it refuses and where, and that it reads what it writes.

use longhaul::io::{Format, GraphFile, ReadOptions, Terminals, decode_graph6, save};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use proptest::prelude::*;

fn parse(name: &str, text: &str) -> Result<GraphFile, String> {
    GraphFile::parse(name, text.as_bytes(), &ReadOptions::default()).map_err(|error| error.to_string())
}

/// Edges by names with weights.
fn edges(file: &GraphFile) -> Vec<(String, String, i64)> {
    let name = |node: NodeIndex| file.names.name(node).to_string();
    file.graph.edge_references().map(|edge| (name(edge.source()), name(edge.target()), *edge.weight())).collect()
}

fn edge(source: &str, target: &str, weight: i64) -> (String, String, i64) {
    (source.to_owned(), target.to_owned(), weight)
}

#[test]
fn edge_lists_take_names_comments_and_any_line_ends() {
    let file = parse("a.el", "\u{FEFF}# roads\r\n% more\r\n\r\n  Rome\tMilan 477 # fast\r\nMilan Köln -5").unwrap();
    assert_eq!(edges(&file), [edge("Rome", "Milan", 477), edge("Milan", "Köln", -5)]);
    assert!(file.weighted && !file.directed);
    assert_eq!(file.format, Format::EdgeList);

    let file = parse("a.el", "7 07\n7 4294967295\n7 99999999999\n").unwrap();
    assert_eq!(edges(&file), [edge("7", "07", 1), edge("7", "4294967295", 1), edge("7", "99999999999", 1)]);
    let finder = file.names.finder();
    assert_eq!(finder.find("07"), Some(NodeIndex::new(1)));
    assert_eq!(finder.find("007"), None);

    let file = parse("a.el", "900000000 3\n3 3\n3 900000000\n").unwrap();
    assert_eq!(file.graph.node_count(), 2);
    assert_eq!(edges(&file), [edge("900000000", "3", 1), edge("3", "3", 1), edge("3", "900000000", 1)]);
    assert_eq!(file.names.finder().find("900000000"), Some(NodeIndex::new(0)));
}

#[test]
fn dimacs_knows_directions_weights_and_terminals() {
    let file = parse("a.gr", "c hello\nc terminals * 3\np arc 3 2\ne 1 2 7\na 2 3 -8\n").unwrap();
    assert_eq!(edges(&file), [edge("1", "2", 7), edge("2", "3", -8)]);
    assert!(file.directed && file.weighted);
    assert_eq!(file.terminals, Terminals { from: None, to: Some(NodeIndex::new(2)) });
    let file = parse("a.col", "p col 4 1\r\ne 4 1\r\n\r\n").unwrap();
    assert_eq!((file.graph.node_count(), file.directed, file.weighted), (4, false, false));
    assert_eq!(edges(&file), [edge("4", "1", 1)]);
    let empty = parse("a.gr", "p edge 0 0").unwrap();
    assert_eq!(empty.graph.node_count(), 0);
}

#[test]
fn graph6_follows_its_description() {
    // The two examples of formats.txt: nodes 0 to 4 with edges 0-2 0-4 1-3 3-4, and arcs 0->2 0->4 3->1 3->4.
    let pairs = |(graph, directed): (petgraph::graph::DiGraph<(), i64>, bool)| {
        let pair = |edge: petgraph::graph::EdgeReference<'_, i64>| (edge.source().index(), edge.target().index());
        let mut pairs: Vec<_> = graph.edge_references().map(pair).collect();
        pairs.sort_unstable();
        (graph.node_count(), directed, pairs)
    };
    assert_eq!(pairs(decode_graph6("DQc").unwrap()), (5, false, vec![(0, 2), (0, 4), (1, 3), (3, 4)]));
    assert_eq!(pairs(decode_graph6("&DI?AO?").unwrap()), (5, true, vec![(0, 2), (0, 4), (3, 1), (3, 4)]));
    assert_eq!(pairs(decode_graph6(">>graph6<<?").unwrap()), (0, false, vec![]));
    assert_eq!(pairs(decode_graph6(">>digraph6<<&@_").unwrap()), (1, true, vec![(0, 0)]));
}

#[test]
fn decks_are_graphs_of_matches() {
    let file = parse("hand.deck", "5 3\n5 1 # copy\n2 1\n5 3\n").unwrap();
    assert_eq!(edges(&file).len(), 4);
    assert_eq!(file.names.name(NodeIndex::new(3)).to_string(), "4");
}

#[test]
fn formats_are_guessed_from_content() {
    let format = |text: &str| parse("standard input", text).map(|file| file.format);
    assert_eq!(format("c comment\n\np edge 2 1\ne 1 2\n"), Ok(Format::Dimacs));
    assert_eq!(format("DQc\n"), Ok(Format::Graph6));
    assert_eq!(format("1 2\n"), Ok(Format::EdgeList));
    assert_eq!(format("% names\nRome Milan\n"), Ok(Format::EdgeList));
    let forced = ReadOptions { format: Some(Format::EdgeList), ..ReadOptions::default() };
    assert_eq!(GraphFile::parse("a.gr", b"p q\n", &forced).unwrap().format, Format::EdgeList);
}

#[test]
fn mistakes_are_told_with_their_place() {
    let cases = [
        (
            "a.deck",
            "5 x\n",
            "a.deck:1:3: found 'x', expected the colour of the card (a whole number from 0 to 4294967295)",
        ),
        ("a.deck", "1 2\n\n 5 # 3\n", "a.deck:3:3: found the end of the line, expected the colour of the card"),
        ("a.deck", "1 2 3\n", "a.deck:1:5: found '3', expected the end of the line"),
        ("a.deck", "1 4294967296\n", "a.deck:1:3: found '4294967296', expected the colour of the card (a whole number"),
        ("a.deck", "-1 2\n", "a.deck:1:1: found '-1', expected the number of a card (a whole number from 0"),
        ("a.deck", "", "a.deck:1:1: found an empty file, expected a card, as its number and its colour"),
        ("a.deck", "# only\n", "a.deck:2:1: found the end of the file, expected a card"),
        ("a.el", "", "a.el:1:1: found an empty file, expected an edge, as two names"),
        ("a.el", "a b\nc\n", "a.el:2:2: found the end of the line, expected the name of the edge's other end"),
        ("a.el", "ä b\nä c x\n", "a.el:2:5: found 'x', expected the end of the line, as in the lines above"),
        ("a.el", "ä b 1\nä c x\n", "a.el:2:5: found 'x', expected a weight (a number like 3, -1.5 or 2e3)"),
        ("a.el", "a b 9223372036854775808\n", "a.el:1:5: found '9223372036854775808', expected a weight"),
        ("a.el", "a b 1\na c\n", "a.el:2:4: found the end of the line, expected a weight, as in the lines above"),
        ("a.el", "a b 1 2\n", "a.el:1:7: found '2', expected the end of the line"),
        ("a.gr", "", "a.gr:1:1: found an empty file, expected the header"),
        ("a.gr", "e 1 2\n", "a.gr:1:1: found 'e', expected the header, 'p edge NODES EDGES' or 'p arc NODES EDGES'"),
        ("a.gr", "p edge 3 2\ne 1 2\n", "a.gr:1:10: found '2', expected 1, the number of edges in the file"),
        ("a.gr", "p edge 3 1\ne 1 4\n", "a.gr:2:5: found '4', expected a node from 1 to 3"),
        ("a.gr", "p edge 3 1\ne 0 1\n", "a.gr:2:3: found '0', expected a node from 1 to 3"),
        ("a.gr", "p edge 3 1\ne 1\n", "a.gr:2:4: found the end of the line, expected the number of a node"),
        ("a.gr", "p edge 3 1\na 1 2\n", "a.gr:2:1: found 'a', expected 'e'"),
        ("a.gr", "p edge 3 1\nx 1 2\n", "a.gr:2:1: found 'x', expected a line that begins with 'e', 'a', 'n' or 'c'"),
        ("a.gr", "p edge 3\n", "a.gr:1:9: found the end of the line, expected the number of edges"),
        ("a.gr", "p tree 3 2\n", "a.gr:1:3: found 'tree', expected 'edge' (or 'col') or 'arc' (or 'sp')"),
        ("a.gr", "p edge 3 0\np edge 3 0\n", "a.gr:2:1: found 'p', expected an edge"),
        ("a.gr", "p edge 4000000000 0\n", "a.gr:1:8: found '4000000000', expected no more nodes than the memory limit"),
        ("a.gr", "p edge 9999999999 0\n", "a.gr:1:8: found '9999999999', expected the number of nodes (a whole number"),
        (
            "a.gr",
            "c terminals 1\np edge 1 0\n",
            "a.gr:1:14: found the end of the line, expected the node where the path ends",
        ),
        ("a.gr", "c terminals 1 9\np edge 2 0\n", "a.gr:1:15: found '9', expected a node from 1 to 2"),
        (
            "a.gr",
            "c terminals * *\nc terminals * *\np edge 2 0\n",
            "a.gr:2:1: found 'c', expected one 'c terminals' line",
        ),
        (
            "a.gr",
            "p edge 2 1\ne 1 2 99999999999999999999\n",
            "a.gr:2:7: found '99999999999999999999', expected a weight",
        ),
        ("a.gr", "p edge 2 2\ne 1 2 3\ne 1 2\n", "a.gr:3:6: found the end of the line, expected a weight"),
        ("a.g6", "", "a.g6:1:1: found an empty file, expected a graph in graph6, digraph6 or sparse6"),
        ("a.g6", "DQ\n", "a.g6:1:1: found 'DQ', expected 2 characters of matrix for 5 nodes, not 1"),
        ("a.g6", "DQ!\n", "a.g6:1:3: found '!', expected a character from '?' to '~'"),
        ("a.g6", "~?\n", "a.g6:1:1: found '~?', expected the number of nodes"),
        ("a.g6", "~~~~~~~~\n", "a.g6:1:1: found '~~~~~~~~', expected 393"),
        ("a.g6", "DQc\nDQc\n", "a.g6:2:1: found 'DQc', expected the end of the file after its one graph"),
    ];
    for (name, text, expected) in cases {
        let error = parse(name, text).expect_err(text);
        assert!(error.starts_with(expected), "{text:?}:\n  {error}\n  {expected}");
    }
}

#[test]
fn bytes_that_are_no_text_are_told_with_their_place() {
    let error = GraphFile::parse("a.el", b"a b\nc \xFF\n", &ReadOptions::default()).unwrap_err();
    assert_eq!(error.position(), Some((2, 3)));
    assert_eq!(error.to_string(), "a.el:2:3: found the byte 0xFF, expected text in UTF-8");
}

#[test]
fn missing_files_and_directories_are_errors() {
    for path in [env!("CARGO_MANIFEST_DIR"), "no/such/file.gr"] {
        let error = GraphFile::open(path.as_ref(), &ReadOptions::default()).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{path}: cannot be read: ")), "{error}");
        assert_eq!(error.position(), None);
    }
}

#[test]
fn a_direction_cannot_be_forced_on_formats_that_state_it() {
    let options = ReadOptions { directed: true, ..ReadOptions::default() };
    assert!(GraphFile::parse("a.el", b"a b\n", &options).unwrap().directed);
    assert!(GraphFile::parse("a.gr", b"p edge 2 1\ne 1 2\n", &options).unwrap().directed);
    assert!(GraphFile::parse("a.g6", b"DQc\n", &options).is_err());
    assert!(GraphFile::parse("a.deck", b"1 2\n", &options).is_err());
}

#[test]
fn what_a_format_cannot_say_is_refused() {
    let refused = |text: &str, format| parse("a", text).unwrap().write(format, &mut Vec::new()).is_err();
    assert!(refused("p edge 2 0\n", Format::EdgeList));
    assert!(refused("a a\n", Format::Graph6));
    assert!(refused("a b\nb a\n", Format::Graph6));
    assert!(refused("a b 2\n", Format::Graph6));
    assert!(refused("a b\n", Format::Deck));
}

#[test]
fn files_are_written_whole_or_not_at_all() {
    let folder = std::env::temp_dir().join(format!("longhaul-save-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.txt");
    save(&path, |out| out.write_all(b"old")).unwrap();
    let failed = save(&path, |out| {
        out.write_all(b"new")?;
        Err(std::io::Error::other("enough"))
    });
    assert!(failed.unwrap_err().to_string().ends_with("a.txt: cannot be written: enough"));
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    std::fs::remove_dir_all(&folder).unwrap();
}

proptest! {
    #[test]
    fn no_input_makes_a_reader_panic(
        bytes in prop::collection::vec(prop::sample::select(b"pecaogr dg6 12490*#%&?~\n\r\t\xC3\xA4>< ".to_vec()), 0..60),
        format in prop::sample::select(Format::ALL.map(|(_, format)| Some(format)).into_iter().chain([None]).collect::<Vec<_>>()),
        directed: bool,
    ) {
        let options = ReadOptions { format, directed, memory_limit: 1 << 16, ..ReadOptions::default() };
        if let Err(error) = GraphFile::parse("file", &bytes, &options) {
            if let Some((line, column)) = error.position() {
                prop_assert!(line >= 1 && column >= 1 && line <= 1 + bytes.len() && column <= 1 + bytes.len());
            }
            prop_assert!(!error.to_string().contains('\n'));
        }
    }

    #[test]
    fn what_is_written_is_read_again(
        n in 1usize..9,
        pairs in prop::collection::vec((0usize..9, 0usize..9, any::<i64>()), 1..20),
        directed: bool,
        weighted: bool,
    ) {
        let kind = if directed { "arc" } else { "edge" };
        let mut text = format!("c terminals 1 *\np {kind} {n} {}\n", pairs.len());
        for (source, target, weight) in &pairs {
            text += &format!("e {} {}", source % n + 1, target % n + 1);
            text += &if weighted { format!(" {weight}\n") } else { "\n".to_owned() };
        }
        let file = parse("a.gr", &text).unwrap();
        for format in [Format::Dimacs, Format::EdgeList, Format::Graph6] {
            let mut written = Vec::new();
            if file.write(format, &mut written).is_err() {
                prop_assert_ne!(format, Format::Dimacs);
                continue;
            }
            let options = ReadOptions { format: Some(format), directed: directed && format != Format::Graph6, ..ReadOptions::default() };
            let again = GraphFile::parse("again", &written, &options).unwrap();
            let shape = |file: &GraphFile, shift: usize| {
                let index = |node: NodeIndex| file.names.name(node).to_string().parse::<usize>().unwrap() + shift;
                let mut edges: Vec<_> = file.graph.edge_references().map(|edge| {
                    let (source, target) = (index(edge.source()), index(edge.target()));
                    let pair = if directed { (source, target) } else { (source.min(target), source.max(target)) };
                    (pair, *edge.weight())
                }).collect();
                edges.sort_unstable();
                (file.directed, file.weighted, edges)
            };
            prop_assert_eq!(shape(&again, usize::from(format == Format::Graph6)), shape(&file, 0));
            if format == Format::Dimacs {
                prop_assert_eq!(again.terminals, file.terminals);
            }
        }
    }
}
