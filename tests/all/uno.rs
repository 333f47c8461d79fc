//! The UNO adapter against totals that were found by exhaustive search, and in its corner cases.

use longhaul::adapters::uno::{Card, Deck, Game, NotUno1, UnoError, is_uno1, longest_sequence};
use longhaul::{Engine, Status};
use petgraph::graph::UnGraph;

fn deck(cards: &[(u32, u32)]) -> Deck {
    Deck::new(cards.iter().map(|&(number, colour)| Card { number, colour }).collect())
}

/// Over all non-empty sets of different cards of so many colours and numbers: how many there are, how many can be played
/// to the last card, and the sum of the longest sequences in cards.
fn totals(colours: u32, numbers: u32) -> (usize, usize, usize) {
    let all: Vec<(u32, u32)> =
        (0..numbers).flat_map(|number| (0..colours).map(move |colour| (number, colour))).collect();
    let (mut decks, mut full, mut sum) = (0, 0, 0);
    for set in 1u32..1 << all.len() {
        let cards: Vec<_> = (0..all.len()).filter(|bit| set >> bit & 1 == 1).map(|bit| all[bit]).collect();
        let play = longest_sequence(&deck(&cards), None).unwrap();
        assert!(play.is_optimal());
        decks += 1;
        full += usize::from(play.len() == cards.len());
        sum += play.len();
    }
    (decks, full, sum)
}

#[test]
fn all_small_grids_of_cards() {
    assert_eq!(totals(2, 3), (63, 51, 180));
    assert_eq!(totals(3, 3), (511, 397, 2175));
    assert_eq!(totals(4, 3), (4095, 3279, 23544));
}

#[test]
fn copies_are_told_apart() {
    let play = longest_sequence(&deck(&[(7, 1), (7, 1), (7, 1), (3, 2)]), Some(2)).unwrap();
    assert_eq!(play.len(), 3);
    assert_eq!(play.positions()[0], 2);
    let mut positions = play.positions().to_vec();
    positions.sort_unstable();
    assert_eq!(positions, [1, 2, 3]);
}

#[test]
fn corner_cases_are_answers_or_errors() {
    let empty = longest_sequence(&deck(&[]), None).unwrap();
    assert_eq!((empty.status(), empty.len(), empty.upper_bound()), (Status::Infeasible, 0, None));
    let alone = longest_sequence(&deck(&[(7, 1), (3, 2)]), Some(2)).unwrap();
    assert_eq!((alone.cards(), alone.upper_bound()), (&[Card { number: 3, colour: 2 }][..], Some(1)));
    for position in [0, 3] {
        let error = longest_sequence(&deck(&[(7, 1), (3, 2)]), Some(position)).unwrap_err();
        assert_eq!(error, UnoError::NoSuchPosition { position, cards: 2 });
    }
    let same: Vec<(u32, u32)> = vec![(1, 1); 100_000];
    let game = Game::new(deck(&same));
    assert!(matches!(game.match_graph(4 << 30), Err(UnoError::TooLarge(_))));
    let play = game.play(&game.question(Some(77)).unwrap().solve().unwrap());
    assert_eq!((play.len(), play.positions()[0], play.status()), (same.len(), 77, Status::Optimal));
    let error = game.question(None).unwrap().engine(Engine::Frontier).solve().unwrap_err();
    assert!(error.to_string().contains("4999950000 edges"), "{error}");
}

#[test]
fn a_deck_reads_what_it_writes() {
    let some = deck(&[(0, 1), (u32::MAX, u32::MAX), (0, 1)]);
    let mut text = Vec::new();
    some.write(&mut text).unwrap();
    assert_eq!(Deck::parse("again", &text).unwrap(), some);
    assert_eq!(some.position(Card { number: 0, colour: 1 }), Some(1));
    assert_eq!(some.position(Card { number: 1, colour: 0 }), None);
}

/// Whether some choice of a number and a colour for every node makes exactly the adjacent ones match, by trying all.
fn are_cards(adjacent: &[Vec<bool>], cards: &mut Vec<Card>) -> bool {
    let node = cards.len();
    if node == adjacent.len() {
        return true;
    }
    let fresh = |values: &dyn Fn(&Card) -> u32| cards.iter().map(values).max().map_or(0, |greatest| greatest + 1);
    let (numbers, colours) = (fresh(&|card| card.number), fresh(&|card| card.colour));
    for number in 0..=numbers {
        for colour in 0..=colours {
            let card = Card { number, colour };
            if cards.iter().zip(&adjacent[node]).all(|(other, &adjacent)| card.matches(*other) == adjacent) {
                cards.push(card);
                let found = are_cards(adjacent, cards);
                cards.pop();
                if found {
                    return true;
                }
            }
        }
    }
    false
}

fn adjacency(graph: &UnGraph<(), ()>) -> Vec<Vec<bool>> {
    let row = |node| graph.node_indices().map(|other| graph.contains_edge(node, other)).collect();
    graph.node_indices().map(row).collect()
}

/// Each graph of up to six nodes: its cards, or a reason, whichever a naive search finds right.
#[test]
fn graphs_of_matches_are_recognised() {
    let mut reasons = [0; 3];
    for nodes in 0..=6 {
        let pairs: Vec<(u32, u32)> = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect();
        for mask in 0u32..1 << pairs.len() {
            let mut graph = UnGraph::<(), ()>::default();
            (0..nodes).for_each(|_| _ = graph.add_node(()));
            graph.extend_with_edges((0..pairs.len()).filter(|bit| mask >> bit & 1 == 1).map(|bit| pairs[bit]));
            let adjacent = adjacency(&graph);
            let expected = are_cards(&adjacent, &mut Vec::new());
            match is_uno1(&graph) {
                Ok(cards) => {
                    assert!(expected);
                    for (one, row) in adjacent.iter().enumerate() {
                        for (two, &adjacent) in row.iter().enumerate().filter(|&(two, _)| two != one) {
                            assert_eq!(cards[one].matches(cards[two]), adjacent, "{cards:?}");
                        }
                    }
                }
                Err(reason) => {
                    assert!(!expected, "{graph:?}");
                    assert!(reason.check(&graph), "{reason:?} proves nothing about {graph:?}");
                    reasons[match reason {
                        NotUno1::NoLineGraph(_) => 0,
                        NotUno1::OddHole(_) => 1,
                        _ => 2,
                    }] += 1;
                }
            }
        }
    }
    assert!(reasons.iter().all(|&count| count > 0), "{reasons:?}");
}

#[test]
fn a_reason_for_another_graph_is_none() {
    let pentagon = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
    let chord = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2)]);
    let reason = is_uno1(&pentagon).unwrap_err();
    assert!(reason.check(&pentagon) && !reason.check(&chord));
    assert!(!NotUno1::OddHole(vec![0.into(), 1.into(), 2.into()]).check(&pentagon));
}
