//! Decks against brute force and against the values that are known.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::*;
use crate::clique::{CliqueEngine, MaximumClique};
use crate::{Status, Stop};

fn largest(card_size: usize, symbols: usize, sharing: Sharing) -> DeckSolution {
    LargestDeck::new(card_size, symbols).sharing(sharing).threads(2).solve().unwrap()
}

/// By the naive backtracking of the source on the graph of all cards.
fn by_force(card_size: usize, symbols: usize, sharing: Sharing) -> usize {
    let graph = compatibility_graph(card_size, symbols, sharing).unwrap();
    MaximumClique::new(&graph).engine(CliqueEngine::PlainBacktracking).solve().unwrap().size().unwrap()
}

#[test]
fn small_decks_are_as_large_as_brute_force_finds() {
    for sharing in [Sharing::ExactlyOne, Sharing::AtMostOne] {
        for (card_size, most) in [(1, 9), (2, 7), (3, 7), (4, 9), (5, 10), (6, 10)] {
            for symbols in card_size..=most {
                let answer = largest(card_size, symbols, sharing);
                let expected = by_force(card_size, symbols, sharing);
                assert_eq!((answer.size(), answer.is_optimal()), (expected, true), "{card_size} {symbols} {sharing}");
            }
        }
    }
}

/// Where brute force ends, the clique engine goes on.
#[test]
fn decks_are_as_large_as_the_largest_clique() {
    let cases = [(2, 10), (3, 9), (4, 10), (4, 11), (5, 12)];
    for (card_size, symbols) in cases {
        for sharing in [Sharing::ExactlyOne, Sharing::AtMostOne] {
            let graph = compatibility_graph(card_size, symbols, sharing).unwrap();
            // Symbols can be renamed, so some largest deck has the first card.
            let first = graph.node_indices().next().unwrap();
            let rest = petgraph::visit::NodeFiltered::from_fn(&graph, |node| graph.contains_edge(first, node));
            let clique = MaximumClique::new(&rest).solve().unwrap();
            assert!(clique.is_optimal());
            let answer = largest(card_size, symbols, sharing);
            assert_eq!((answer.size(), answer.is_optimal()), (clique.size().unwrap() + 1, true));
        }
    }
}

#[test]
fn the_values_that_are_known() {
    let exactly = [
        (2, 8, 7),
        (3, 6, 4),
        (3, 7, 7),
        (3, 8, 7),
        (3, 9, 7),
        (4, 10, 5),
        (4, 11, 6),
        (4, 12, 9),
        (4, 13, 13),
        (5, 17, 7),
        (5, 18, 9),
        (5, 19, 12),
        (5, 20, 16),
        (5, 21, 21),
        (6, 23, 8),
        (6, 24, 9),
        (6, 25, 10),
        (6, 26, 13),
        (6, 27, 13),
        (6, 28, 16),
        (6, 29, 20),
        (6, 30, 25),
        (6, 31, 31),
        (8, 57, 57),
        // All cards share a symbol.
        (3, 40, 19),
        (2, 3, 3),
    ];
    for (card_size, symbols, expected) in exactly {
        let answer = largest(card_size, symbols, Sharing::ExactlyOne);
        assert_eq!((answer.size(), answer.upper_bound()), (expected, expected), "{card_size} {symbols}");
        assert_eq!((answer.status(), answer.stop()), (Status::Optimal, Stop::Finished));
    }
    // There is no plane of order 6 or 10, nor one without a line.
    for (card_size, symbols, bound) in [(7, 43, 41), (7, 42, 35), (11, 111, 109)] {
        let answer = LargestDeck::new(card_size, symbols).time_limit(Duration::ZERO).solve().unwrap();
        assert_eq!((answer.upper_bound(), answer.is_optimal()), (bound, false));
    }
    for (card_size, symbols, expected) in [(3, 8, 8), (3, 9, 12), (4, 16, 20), (5, 25, 30), (4, 28, 63)] {
        assert_eq!(largest(card_size, symbols, Sharing::AtMostOne).size(), expected);
    }
}

/// The packings of triples have a formula (J. Spencer, *Maximal consistent families of triples*, Journal of Combinatorial
/// Theory 5, 1968), those of quadruples and quintuples tables (A. E. Brouwer, J. B. Shearer, N. J. A. Sloane, W. D. Smith, *A new
/// table of constant weight codes*, IEEE Transactions on Information Theory 36, 1990).
#[test]
fn packings_are_those_of_the_tables() {
    for symbols in 3..=200 {
        let expected = symbols * ((symbols - 1) / 2) / 3 - usize::from(symbols % 6 == 5);
        assert_eq!(largest(3, symbols, Sharing::AtMostOne).size(), expected, "{symbols}");
    }
    let quadruples = [1, 1, 1, 2, 2, 3, 5, 6, 9, 13, 14, 15, 20, 20, 22, 25, 30, 31, 37, 40, 42];
    for (symbols, expected) in (4..).zip(quadruples) {
        let answer = largest(4, symbols, Sharing::AtMostOne);
        assert_eq!((answer.size(), answer.upper_bound()), (expected, expected), "{symbols}");
    }
    let quintuples = [1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 6, 6, 7, 9, 12, 16, 21, 21, 23, 24];
    for (symbols, expected) in (5..).zip(quintuples) {
        let answer = largest(5, symbols, Sharing::AtMostOne);
        assert_eq!((answer.size(), answer.upper_bound()), (expected, expected), "{symbols}");
    }
}

/// One more card of three symbols than there can be is never made, and none is missing; any first part is a deck too.
#[test]
fn triple_systems_are_as_large_as_can_be() {
    for symbols in 3..=120 {
        let cards = triples::triples(symbols, usize::MAX, &mut watch::Watch::unlimited());
        let deck = Deck::numbered(3, cards.clone());
        let expected = symbols * ((symbols - 1) / 2) / 3 - usize::from(symbols % 6 == 5);
        assert_eq!((deck.len(), deck.check(Sharing::AtMostOne)), (expected, Ok(())), "{symbols}");
        assert!(deck.symbol_count() <= symbols);
        let few = triples::triples(symbols, expected.div_ceil(2), &mut watch::Watch::unlimited());
        assert_eq!(few.len(), 3 * expected.div_ceil(2));
        assert_eq!(Deck::numbered(3, few).check(Sharing::AtMostOne), Ok(()));
    }
}

/// Bounds never drop below a deck: those of all planes and what is left of them.
#[test]
fn bounds_are_above_every_deck() {
    for card_size in 1..=14 {
        let (mut exactly, mut at_most) = (0, 0);
        for symbols in card_size..=card_size * card_size + card_size {
            let answer = LargestDeck::new(card_size, symbols).time_limit(Duration::ZERO).solve().unwrap();
            assert!(answer.size() <= answer.upper_bound());
            assert!(answer.upper_bound() >= exactly, "more symbols never hurt");
            exactly = exactly.max(answer.size());
            let answer = LargestDeck::new(card_size, symbols)
                .sharing(Sharing::AtMostOne)
                .time_limit(Duration::ZERO)
                .solve()
                .unwrap();
            assert!(answer.upper_bound() >= at_most.max(exactly));
            at_most = at_most.max(answer.size());
        }
    }
}

#[test]
fn planes_of_every_prime_power() {
    for order in [2u32, 3, 4, 5, 7, 8, 9, 11, 13, 16, 25, 27] {
        let count = (order * order + order + 1) as usize;
        let deck = projective_plane(order).unwrap();
        assert_eq!((deck.len(), deck.symbol_count(), deck.card_size()), (count, count, order as usize + 1));
        assert_eq!(deck.check(Sharing::ExactlyOne), Ok(()));
        let answer = largest(order as usize + 1, count, Sharing::ExactlyOne);
        assert_eq!((answer.size(), answer.is_optimal()), (count, true));
        let deck = affine_plane(order).unwrap();
        assert_eq!(
            (deck.len(), deck.symbol_count(), deck.card_size()),
            (count - 1, (order * order) as usize, order as usize)
        );
        assert_eq!(deck.check(Sharing::AtMostOne), Ok(()));
    }
    assert!(affine_plane(10).is_none() && projective_plane(1).is_none());
}

#[test]
fn the_check_names_two_cards() {
    let deck = |text: &str| Deck::parse("a.deck", text.as_bytes()).unwrap();
    let flawed = deck("1 2 3\n1 4 5\n# a comment\n2 4 1\n");
    let unfit = flawed.check(Sharing::ExactlyOne).unwrap_err();
    assert_eq!((unfit.cards, unfit.shared.len()), ((0, 2), 2));
    assert!(unfit.to_string().starts_with("card 1 (line 1) and card 3 (line 4) share 2 symbols (1, 2)"), "{unfit}");
    let apart = deck("a b\na c\nd e\n");
    assert_eq!(apart.check(Sharing::AtMostOne), Ok(()));
    let unfit = apart.check(Sharing::ExactlyOne).unwrap_err();
    assert_eq!((unfit.cards, unfit.shared), ((0, 2), vec![]));
    for (text, place) in
        [("1 2\n1 2 3\n", (2, 5)), ("1 2\n3\n", (2, 2)), ("1 2\n\n3 3\n", (3, 3)), (" # no card\n", (2, 1))]
    {
        let error = Deck::parse("a.deck", text.as_bytes()).unwrap_err();
        assert_eq!(error.position(), Some(place), "{error}");
    }
}

/// Every pair of cards, one by one.
#[test]
fn the_check_agrees_with_brute_force() {
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let mut fit = 0;
    for round in 0..3000 {
        let (size, symbols, count) = (1 + random(3), 4 + random(12), 1 + random(5));
        let card = |random: &mut dyn FnMut(u64) -> u64| {
            let mut card: Vec<u32> = Vec::new();
            while card.len() < size as usize {
                let symbol = random(symbols) as u32;
                if !card.contains(&symbol) {
                    card.push(symbol);
                }
            }
            card
        };
        let deck = Deck::new(&(0..count).map(|_| card(&mut random)).collect::<Vec<_>>());
        for (sharing, least) in [(Sharing::ExactlyOne, 1), (Sharing::AtMostOne, 0)] {
            let shared = |one: usize, other: usize| {
                deck.card(one).iter().filter(|symbol| deck.card(other).contains(symbol)).count()
            };
            // Two cards of a single symbol that share it are the same card.
            let is_pair_fit =
                |one, other| (least..=1).contains(&shared(one, other)) && !(size == 1 && shared(one, other) == 1);
            let is_fit = (0..deck.len()).all(|one| (0..one).all(|other| is_pair_fit(one, other)));
            match deck.check(sharing) {
                Ok(()) => assert!(is_fit, "{round}"),
                Err(unfit) => {
                    let (one, other) = unfit.cards;
                    assert!(!is_pair_fit(one, other) && unfit.shared.len() == shared(one, other));
                }
            }
            fit += usize::from(is_fit);
        }
    }
    assert!(fit > 300);
}

/// Numbers near what is allowed, and where products of them are large: an answer soon, with a look at the limits all the way.
#[test]
fn absurd_sizes_are_answered() {
    let most = 1 << 24;
    let sizes = [
        (1 << 20, most),
        (most, most),
        (most - 1, most),
        (most / 2, most),
        (4097, most),
        (4096, most),
        (1000, 999_001),
        (257, 65_793),
        (300, 89_701),
        (1000, 1_000_000),
        (8, most),
        (3, most),
        (2, most),
        (1, most),
    ];
    let limit = Duration::from_millis(5);
    for (card_size, symbols) in sizes {
        for sharing in [Sharing::ExactlyOne, Sharing::AtMostOne] {
            let ask = || LargestDeck::new(card_size, symbols).sharing(sharing).time_limit(limit).solve().unwrap();
            let (answer, gap) = crate::looks::watch(ask);
            assert!(answer.size() <= answer.upper_bound());
            assert_eq!(answer.deck().card_size(), card_size);
            assert!(gap.time < Duration::from_secs(1), "{card_size} {symbols} {sharing}: {gap:?}");
        }
    }
    // As large as they can be, by counting alone.
    for (card_size, symbols, expected) in [(1 << 20, most, 16), (most, most, 1), (most / 2, most, 2)] {
        let answer = LargestDeck::new(card_size, symbols).solve().unwrap();
        assert_eq!((answer.size(), answer.upper_bound()), (expected, expected), "{card_size}");
    }
}

#[test]
fn questions_that_cannot_be_asked() {
    let error = |card_size, symbols| LargestDeck::new(card_size, symbols).solve().unwrap_err().to_string();
    assert!(error(0, 5).contains("1 symbol or more"));
    assert!(error(6, 5).contains("at least 6 symbols"));
    assert!(error(2, usize::MAX).contains("at most"));
    assert!(LargestDeck::new(2, 3).threads(0).solve().is_err());
    assert!(compatibility_graph(8, 57, Sharing::ExactlyOne).unwrap_err().to_string().contains("too many"));
}

#[test]
fn spent_limits_are_answers() {
    let began = Instant::now();
    let answer = LargestDeck::new(7, 41).time_limit(Duration::from_millis(50)).solve().unwrap();
    assert_eq!((answer.status(), answer.stop()), (Status::Feasible, Stop::TimeLimit));
    assert!(answer.size() < answer.upper_bound() && began.elapsed() < Duration::from_secs(5));
    let answer = LargestDeck::new(7, 41).interrupt(Arc::new(AtomicBool::new(true))).solve().unwrap();
    assert_eq!(answer.stop(), Stop::Interrupted);
    let answer = LargestDeck::new(2, 100_000).memory_limit(1_000_000).solve().unwrap();
    assert_eq!((answer.stop(), answer.upper_bound()), (Stop::MemoryLimit, 99_999));
    assert_eq!(answer.status(), Status::Feasible);
    let mut told = Vec::new();
    let answer = LargestDeck::new(6, 27).on_progress(|progress| told.push(progress.clone())).solve().unwrap();
    let last = told.last().unwrap();
    assert_eq!((last.incumbent, last.upper_bound), (Some(answer.size() as i64), Some(answer.upper_bound() as i64)));
}
