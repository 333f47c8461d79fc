//! The index of the corpus tells the truth about its files, as far as reading them shows.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use longhaul::LongestPath;
use longhaul::adapters::uno::{Card, Deck, longest_sequence};
use longhaul::io::{Format, GameFile, GraphFile, ReadOptions, decode_graph6};
use petgraph::graph::NodeIndex;
use petgraph::visit::UndirectedAdaptor;

#[test]
fn every_file_is_as_its_row_says() {
    for row in crate::corpus::table("INDEX.tsv") {
        let file = &row["file"];
        let text = std::fs::read_to_string(crate::corpus::path(file)).unwrap();
        let headed = |what: &str| text.lines().take(5).any(|line| line[1..].trim_start().starts_with(what));
        assert!(headed(&format!("source: {}", &row["source"])), "{file}: the header does not name its origin");
        assert!(headed("licence: "), "{file}: the header does not name its licence");
        let value = |column: &str| row[column].parse::<i64>().ok();
        assert!(value("lower").zip(value("upper")).is_none_or(|(lower, upper)| lower <= upper), "{file}");
        if row["format"].ends_with("-table") {
            assert!(!crate::corpus::table(file).is_empty());
            continue;
        }
        if &row["format"] == "game" {
            GameFile::parse(file, text.as_bytes()).unwrap();
            continue;
        }

        let graph = GraphFile::open(&crate::corpus::path(file), &ReadOptions::default()).unwrap();
        let yes = |yes: bool| if yes { "yes" } else { "no" };
        let end = |node: Option<NodeIndex>| node.map_or("*".to_owned(), |node| graph.names.name(node).to_string());
        assert_eq!(graph.format.name(), &row["format"], "{file}");
        assert_eq!(yes(graph.directed), &row["directed"], "{file}");
        assert_eq!(yes(graph.weighted), &row["weighted"], "{file}");
        assert_eq!(
            [end(graph.terminals.from), end(graph.terminals.to)],
            [row["from"].to_owned(), row["to"].to_owned()]
        );
        if !graph.weighted {
            assert!(value("upper").is_none_or(|upper| upper < graph.graph.node_count() as i64), "{file}");
        }
    }
}

#[test]
fn every_file_has_a_row() {
    let listed: BTreeSet<PathBuf> =
        crate::corpus::table("INDEX.tsv").iter().map(|row| crate::corpus::path(&row["file"])).collect();
    let mut found = BTreeSet::new();
    let mut folders = vec![crate::corpus::path("")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path);
            }
        }
    }
    found.remove(&crate::corpus::path("INDEX.tsv"));
    // What shrunk failures leave behind is kept by the tests that found them.
    found.retain(|path| !path.starts_with(crate::corpus::path("regressions")));
    assert_eq!(found, listed);
}

#[test]
fn small_graphs_have_the_listed_optima() {
    for name in ["connected_n5", "connected_n6", "connected_n7", "digraphs_n4"] {
        let rows = crate::corpus::table(&format!("small/{name}.tsv"));
        for row in rows {
            let (graph, directed) = decode_graph6(&row["graph6"]).unwrap();
            assert_eq!(directed, name.starts_with("digraphs"));
            let solution = if directed {
                LongestPath::new(&graph).solve()
            } else {
                LongestPath::new(UndirectedAdaptor(&graph)).solve()
            }
            .unwrap();
            assert!(solution.is_optimal());
            assert_eq!(solution.length(), row["optimum"].parse().ok(), "{}", &row["graph6"]);
        }
    }
}

#[test]
fn small_decks_have_the_listed_optima() {
    for row in crate::corpus::table("uno/uno1.tsv") {
        let card = |pair: &str| {
            let (colour, number) = pair.split_once(',').unwrap();
            Card { number: number.parse().unwrap(), colour: colour.parse().unwrap() }
        };
        let deck = Deck::new(row["deck"].split(' ').map(card).collect());
        let play = longest_sequence(&deck, None).unwrap();
        assert!(play.is_optimal());
        assert_eq!(play.len().to_string(), row["longest"], "{}", &row["deck"]);
        assert!(play.cards().windows(2).all(|pair| pair[0].matches(pair[1])));
    }
}

#[test]
fn decks_have_the_listed_optima() {
    for row in crate::corpus::table("INDEX.tsv").iter().filter(|row| row["format"] == *Format::Deck.name()) {
        let deck = Deck::open(Path::new(&crate::corpus::path(&row["file"]))).unwrap();
        let play = longest_sequence(&deck, None).unwrap();
        assert_eq!(play.upper_bound().map(|cards| (cards - 1).to_string()).as_deref(), Some(&row["upper"]));
        assert_eq!((play.len() - 1).to_string(), row["lower"]);
    }
}
