//! Largest cliques and largest decks: a table of answers and times, beside the limits they are held to.
//!
//! `cargo bench --bench clique` runs all, `cargo bench --bench clique -- deck` those whose name contains `deck`. Every answer
//! is asserted; times are printed beside their limit and never asserted, for machines differ. The peers are compared by
//! `benches/peers/cliques.py`.

use std::fmt::Write;
use std::time::{Duration, Instant};

use longhaul::adapters::dobble::{Deck, LargestDeck, Sharing, compatibility_graph};
use longhaul::clique::{CliqueEngine, MaximalCliques, MaximumClique};
use longhaul::{Status, Stop};
use petgraph::graph::UnGraph;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

struct Case {
    name: &'static str,
    limit_seconds: f64,
    /// Asserts the answer, says it, and how long it took.
    run: fn() -> (String, Duration),
}

const CASES: &[Case] = &[
    Case { name: "gnp_200_90", limit_seconds: 15.0, run: || settle(&random_graph(200, 0.9, 0), 41) },
    Case { name: "gnp_500_50", limit_seconds: 1.0, run: || settle(&random_graph(500, 0.5, 0), 13) },
    Case { name: "hidden_17_in_200_65", limit_seconds: 0.1, run: || settle(&random_graph(200, 0.65, 17), 17) },
    Case { name: "scale_free_1e6", limit_seconds: 2.0, run: large_and_sparse },
    Case { name: "gnp_1000_90_in_1s", limit_seconds: 1.1, run: limited },
    Case { name: "naive_gnp_60_50", limit_seconds: 1.0, run: naive },
    Case { name: "maximal_gnp_150_50", limit_seconds: 1.0, run: maximal },
    Case { name: "decks_to_5_of_24", limit_seconds: 1.0, run: small_decks },
    Case { name: "decks_of_6", limit_seconds: 60.0, run: decks_of_six },
    Case { name: "deck_8_57", limit_seconds: 1.0, run: || deck(8, 57, 57) },
    Case { name: "deck_check_1e6", limit_seconds: 2.0, run: check_million },
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    println!("{:<22} {:>9} {:>9}  answer", "case", "seconds", "limit");
    for case in CASES {
        if wanted.is_empty() || wanted.iter().any(|word| case.name.contains(word.as_str())) {
            let (answer, elapsed) = (case.run)();
            println!("{:<22} {:>9.3} {:>9.1}  {answer}", case.name, elapsed.as_secs_f64(), case.limit_seconds);
        }
    }
}

/// Each pair of nodes is joined with this probability, and all pairs of the first `hidden`.
fn random_graph(nodes: u32, density: f64, hidden: u32) -> UnGraph<(), ()> {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let pairs = (0..nodes).flat_map(|one| (0..one).map(move |other| (one, other)));
    UnGraph::from_edges(pairs.filter(|&(one, _)| random.random::<f64>() < density || one < hidden))
}

/// Every node joins up to `each` older ones, each as likely as it has edges.
fn scale_free(nodes: u32, each: usize) -> UnGraph<(), ()> {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut edges = Vec::new();
    let mut ends = vec![0];
    for node in 1..nodes {
        let mut olds: Vec<u32> =
            (0..each.min(node as usize)).map(|_| ends[random.random_range(0..ends.len())]).collect();
        olds.sort_unstable();
        olds.dedup();
        for old in olds {
            edges.push((node, old));
            ends.extend([node, old]);
        }
    }
    UnGraph::from_edges(edges)
}

fn settle(graph: &UnGraph<(), ()>, size: usize) -> (String, Duration) {
    let began = Instant::now();
    let answer = MaximumClique::new(graph).threads(2).solve().expect("a request in order");
    assert_eq!((answer.size(), answer.status()), (Some(size), Status::Optimal));
    (format!("{size} of {} nodes, {} steps", graph.node_count(), answer.stats().steps), began.elapsed())
}

/// The listing of all maximal cliques, which shares no search with branch and bound, says what is right.
fn large_and_sparse() -> (String, Duration) {
    let graph = scale_free(200_000, 5);
    let cliques = MaximalCliques::new(&graph).expect("a graph in order");
    settle(&graph, cliques.map(|clique| clique.len()).max().expect("there is a node"))
}

fn limited() -> (String, Duration) {
    let graph = random_graph(1000, 0.9, 0);
    let began = Instant::now();
    let answer =
        MaximumClique::new(&graph).threads(2).time_limit(Duration::from_secs(1)).solve().expect("a request in order");
    assert_eq!(answer.stop(), Stop::TimeLimit);
    let (size, upper) = (answer.weight().expect("a clique"), answer.upper_bound().expect("a bound"));
    assert!(size < upper);
    (format!("{size} … {upper}"), began.elapsed())
}

/// The backtracking of the slides beside branch and bound, on the same graph.
fn naive() -> (String, Duration) {
    let graph = random_graph(60, 0.5, 0);
    let began = Instant::now();
    let fast = MaximumClique::new(&graph).solve().expect("a request in order").size();
    let fast_time = began.elapsed();
    let began = Instant::now();
    let naive =
        MaximumClique::new(&graph).engine(CliqueEngine::PlainBacktracking).solve().expect("a request in order").size();
    assert_eq!(fast, naive);
    (format!("the same {fast:?} by branch and bound in {:.6} s", fast_time.as_secs_f64()), began.elapsed())
}

fn maximal() -> (String, Duration) {
    let graph = random_graph(150, 0.5, 0);
    let began = Instant::now();
    let (mut count, mut largest) = (0, 0);
    for clique in MaximalCliques::new(&graph).expect("a graph in order") {
        count += 1;
        largest = largest.max(clique.len());
    }
    let elapsed = began.elapsed();
    assert_eq!(MaximumClique::new(&graph).solve().expect("a request in order").size(), Some(largest));
    (format!("{count} maximal cliques, the largest of {largest}"), elapsed)
}

/// All k ≤ 5, n ≤ 24, under both readings.
fn small_decks() -> (String, Duration) {
    let began = Instant::now();
    let mut settled = 0;
    for card_size in 1..=5 {
        for symbols in card_size..=24 {
            for sharing in [Sharing::ExactlyOne, Sharing::AtMostOne] {
                let answer = LargestDeck::new(card_size, symbols).sharing(sharing).solve().expect("a request in order");
                assert!(answer.is_optimal(), "{card_size} {symbols} {sharing}");
                settled += 1;
            }
        }
    }
    (format!("{settled} questions settled"), began.elapsed())
}

fn decks_of_six() -> (String, Duration) {
    let began = Instant::now();
    let mut text = String::new();
    for (symbols, size) in [(23, 8), (24, 9), (25, 10), (26, 13), (27, 13), (28, 16), (29, 20), (30, 25), (31, 31)] {
        let begun = Instant::now();
        deck(6, symbols, size);
        write!(text, "{symbols}: {size} in {:.3} s, ", begun.elapsed().as_secs_f64()).expect("text can grow");
    }
    (text, began.elapsed())
}

fn deck(card_size: usize, symbols: usize, size: usize) -> (String, Duration) {
    let began = Instant::now();
    let answer = LargestDeck::new(card_size, symbols).solve().expect("a request in order");
    assert_eq!((answer.size(), answer.is_optimal()), (size, true));
    // The graph of all cards, where there are few enough, has no larger clique.
    if let Ok(graph) = compatibility_graph(card_size, symbols, Sharing::ExactlyOne)
        && graph.node_count() < 500
    {
        assert_eq!(MaximumClique::new(&graph).solve().expect("a request in order").size(), Some(size));
    }
    (format!("{size} cards"), began.elapsed())
}

/// A file of a million cards that all share one symbol, from its bytes to the verdict.
fn check_million() -> (String, Duration) {
    let mut text = String::new();
    for card in 0..1_000_000 {
        write!(text, "sun").expect("text can grow");
        (0..7).for_each(|petal| write!(text, " {}", 7 * card + petal).expect("text can grow"));
        text.push('\n');
    }
    let began = Instant::now();
    let deck = Deck::parse("million.deck", text.as_bytes()).expect("a deck file");
    assert_eq!(deck.check(Sharing::ExactlyOne), Ok(()));
    (format!("{} cards of {} symbols", deck.len(), deck.card_size()), began.elapsed())
}
