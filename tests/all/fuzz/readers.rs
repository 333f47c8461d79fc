//! All readers on texts that are nearly right: none panics, what is refused is refused with its place, and what is read is
//! written and read again as the same.

use longhaul::LongestPath;
use longhaul::adapters::dobble::{self, Sharing};
use longhaul::adapters::rummy::{Ace, Hand};
use longhaul::adapters::uno::{AttributeDeck, Deck};
use longhaul::io::{FileError, Format, GraphFile, ReadOptions, read_prizes};
use petgraph::graph::NodeIndex;
use petgraph::visit::{EdgeRef, UndirectedAdaptor};

use super::{changed_texts, corpus, fuzz};

/// The target on every file of its corpus as it is, and on files with changes.
fn fuzz_texts(corpus_name: &str, cases: u32, target: impl Fn(&str, &[u8])) {
    let files = corpus(corpus_name);
    for (name, text) in &files {
        target(name, text);
    }
    fuzz(cases, &changed_texts(files), |text| target(&text.name, &text.bytes));
}

/// What a reader says of what it can't read: the file, and more.
fn assert_told<T>(name: &str, read: Result<T, FileError>) -> Option<T> {
    match read {
        Ok(read) => Some(read),
        Err(error) => {
            let told = error.to_string();
            assert!(told.starts_with(&format!("{name}:")) && told.len() > name.len() + 4, "{told}");
            None
        }
    }
}

/// What a graph is, whatever its format. Weights are told as decimals: the unit of a file also goes by its prizes, which not
/// every format holds.
fn content(file: &GraphFile) -> (usize, bool, Vec<(usize, usize, String)>) {
    let edges = file.graph.edge_references();
    let mut edges: Vec<_> = edges
        .map(|edge| (edge.source().index(), edge.target().index(), file.decimal(*edge.weight()).to_string()))
        .map(|(a, b, weight)| if file.directed || a < b { (a, b, weight) } else { (b, a, weight) })
        .collect();
    edges.sort_unstable();
    (file.graph.node_count(), file.directed, edges)
}

#[test]
fn graphs_in_every_format() {
    fuzz_texts("graphs", 3000, |name, text| {
        let options = ReadOptions { memory_limit: 64 << 20, ..ReadOptions::default() };
        let Some(file) = assert_told(name, GraphFile::parse(name, text, &options)) else { return };
        for (_, format) in Format::ALL {
            let mut out = Vec::new();
            if file.write(format, &mut out).is_err() {
                continue;
            }
            let directed = file.directed && !format.states_direction();
            let again = ReadOptions { format: Some(format), directed, ..options.clone() };
            let again = GraphFile::parse("again", &out, &again).unwrap_or_else(|error| {
                panic!("{format} is not read again: {error}\n{}", String::from_utf8_lossy(&out))
            });
            let (mut one, mut two) = (content(&file), content(&again));
            if format == Format::EdgeList || format == Format::Csv {
                // Nodes come in the order in which edges name them.
                let named = |file: &GraphFile, edges: &mut Vec<(usize, usize, String)>| {
                    let name = |node: usize| file.names.name(NodeIndex::new(node)).to_string();
                    let in_order = |(a, b, weight): (usize, usize, String)| {
                        let (a, b) = (name(a), name(b));
                        if file.directed || a <= b { (a, b, weight) } else { (b, a, weight) }
                    };
                    let mut named: Vec<_> = edges.drain(..).map(in_order).collect();
                    named.sort();
                    named
                };
                assert_eq!(named(&file, &mut one.2), named(&again, &mut two.2), "{format}");
            }
            assert_eq!(one, two, "{format}");
        }
        if file.graph.node_count() <= 12 && file.graph.edge_count() <= 24 {
            let solved = if file.directed {
                LongestPath::new(&file.graph)
                    .weights(|edge| *edge.weight())
                    .solve()
                    .map(|solution| solution.is_optimal())
            } else {
                let graph = UndirectedAdaptor(&file.graph);
                LongestPath::new(graph).weights(|edge| *edge.weight()).solve().map(|solution| solution.is_optimal())
            };
            match solved {
                Ok(optimal) => assert!(optimal || file.graph.node_count() == 0),
                Err(error) => assert!(error.to_string().contains("too large"), "{error}"),
            }
        }
        assert_told(name, read_prizes(name, text, &file.names));
    });
}

#[test]
fn decks_of_cards() {
    fuzz_texts("decks", 1500, |name, text| {
        if let Some(deck) = assert_told(name, Deck::parse(name, text)) {
            let mut out = Vec::new();
            deck.write(&mut out).expect("memory takes all");
            let again = Deck::parse("again", &out).expect("what is written can be read");
            assert_eq!(again.cards(), deck.cards());
        }
        if let Some(deck) = assert_told(name, AttributeDeck::parse(name, text)) {
            assert!(deck.cards().all(|card| card.len() == deck.attributes()));
        }
    });
}

#[test]
fn hands_of_cards() {
    fuzz_texts("hands", 1500, |name, text| {
        let Some(hand) = assert_told(name, Hand::parse(name, text, 2)) else { return };
        let spelled: String = hand.cards().map(|card| card.to_string() + " ").collect();
        let again = Hand::parse("again", spelled.as_bytes(), 2).expect("what is spelled can be read");
        assert!(again.cards().eq(hand.cards()), "{spelled}");
        if hand.len() <= 20 {
            for ace in [Ace::Low, Ace::High, Ace::Around] {
                let best = longhaul::adapters::rummy::Rummy::new(&hand).ace(ace).best();
                let melded: usize = best.melds().iter().map(|meld| meld.len()).sum();
                assert_eq!(melded + best.deadwood_cards(), hand.len());
            }
        }
    });
}

#[test]
fn symbols_on_cards() {
    fuzz_texts("symbols", 1500, |name, text| {
        let Some(deck) = assert_told(name, dobble::Deck::parse(name, text)) else { return };
        let mut out = Vec::new();
        deck.write(&mut out).expect("memory takes all");
        let again = dobble::Deck::parse("again", &out).expect("what is written can be read");
        assert_eq!((again.len(), again.card_size()), (deck.len(), deck.card_size()));
        for sharing in [Sharing::ExactlyOne, Sharing::AtMostOne] {
            if let Err(unfit) = deck.check(sharing) {
                assert!(!unfit.to_string().is_empty());
            }
        }
    });
}
