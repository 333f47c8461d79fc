//! Decks of UNO cards: the longest sequence against dynamic programming over sets of cards, the line graph never made.

use longhaul::adapters::uno::{Card, Deck, fill_in, is_sequence, longest_sequence, longest_sequence_with_wild};
use longhaul::{Limits, Status};
use proptest::prelude::*;

use super::{fuzz, longest_by_sets};
use crate::support::{Ends, Small};

/// The cards as nodes, an edge between any two that match.
fn match_graph(cards: &[Card]) -> Small {
    let n = cards.len();
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    let edges = pairs.filter(|&(a, b)| cards[a].matches(cards[b])).map(|(a, b)| (a, b, 1)).collect();
    Small { nodes: n, directed: false, edges }
}

fn decks() -> impl Strategy<Value = Vec<Card>> {
    (1u32..6, 1u32..6).prop_flat_map(|(numbers, colours)| {
        let card = (0..numbers, 0..colours).prop_map(|(number, colour)| Card { number, colour });
        prop::collection::vec(card, 1..=11)
    })
}

#[test]
fn sequences_are_longest_paths_of_matching_cards() {
    fuzz(300, &(decks(), prop::option::of(1usize..=11)), |(cards, first)| {
        let first = first.map(|first| (first - 1) % cards.len() + 1);
        let ends = Ends { from: first.map(|first| first - 1), ..Ends::FREE };
        let expected = longest_by_sets(&match_graph(&cards), ends).expect("a card is a sequence") + 1;
        let play = longest_sequence(&Deck::new(cards), first).expect("a deck that can be played");
        assert_eq!((play.len() as i64, play.upper_bound(), play.status()), (expected, Some(expected), Status::Optimal));
        assert!(first.is_none_or(|first| play.positions()[0] == first));
    });
}

#[test]
fn wild_cards_match_every_card() {
    fuzz(150, &(decks(), 0usize..3), |(mut cards, wild)| {
        cards.truncate(9);
        let n = cards.len();
        let mut small = match_graph(&cards);
        small.nodes += wild;
        small.edges.extend((n..n + wild).flat_map(|wild| (0..wild).map(move |other| (other, wild, 1))));
        let expected = longest_by_sets(&small, Ends::FREE).expect("a card is a sequence") + 1;
        let deck = Deck::new(cards);
        let play =
            longest_sequence_with_wild(&deck, wild, None, &Limits::default()).expect("a deck that can be played");
        assert_eq!((play.len() as i64, play.upper_bound() as i64), (expected, expected));
        assert!(is_sequence(&deck, play.cards()));
    });
}

#[test]
fn filled_in_sequences_hold_every_card() {
    fuzz(150, &decks(), |cards| {
        // A card between two that do not match: as many as it takes to make one sequence of all cards, by trying orders.
        let deck = Deck::new(cards.clone());
        let filled = fill_in(&deck, &Limits::default()).expect("a deck that can be filled in");
        assert!(is_sequence(&deck, filled.play()));
        assert_eq!(filled.added().count() + cards.len(), filled.play().len());
        let whole = longest_by_sets(&match_graph(&cards), Ends::FREE) == Some(cards.len() as i64 - 1);
        assert_eq!(filled.added().count() == 0, whole);
        assert!(filled.is_optimal() && filled.fewest() == filled.added().count());
    });
}
