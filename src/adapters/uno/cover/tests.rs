//! Covers against the counting program, which knows nothing of trails.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

use super::*;
use crate::adapters::uno::counting;
use crate::adapters::uno::deck::Deck;
use crate::limits::Limits;

fn found(cards: &[Card], goal: Goal) -> Cover {
    let cover = cover(cards, goal, &Limits::default().start(), 0).unwrap();
    let mut all: Vec<usize> = cover.sequences.concat();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), cover.sequences.iter().map(Vec::len).sum::<usize>(), "no card is played twice");
    for sequence in &cover.sequences {
        assert!(!sequence.is_empty());
        assert!(sequence.windows(2).all(|pair| cards[pair[0]].matches(cards[pair[1]])), "{cards:?} {sequence:?}");
    }
    cover
}

/// The fewest sequences that hold all cards: the least number of paths of which there is a set.
fn fewest(cards: &[Card]) -> usize {
    let sets = counting::path_sets(&Deck::new(cards.to_vec()), 0, &Limits::default()).unwrap();
    sets.iter().position(|count| count.bits() > 0).map_or(0, |at| at + 1)
}

fn random_cards(random: &mut Pcg64Mcg, most: u64) -> Vec<Card> {
    let mut below = |bound: u64| (random.next_u64() % bound) as u32;
    let (numbers, colours) = (1 + below(7), 1 + below(7));
    (0..1 + below(most)).map(|_| Card { number: below(numbers.into()), colour: below(colours.into()) }).collect()
}

#[test]
fn the_fewest_sequences_of_all_cards() {
    let mut random = Pcg64Mcg::new(12);
    let mut needed = [0; 5];
    for _ in 0..1500 {
        let cards = random_cards(&mut random, 12);
        let cover = found(&cards, Goal::All);
        assert_eq!(cover.sequences.concat().len(), cards.len());
        assert_eq!(cover.sequences.len(), fewest(&cards), "{cards:?}");
        needed[cover.sequences.len().min(4)] += 1;
    }
    assert!(needed[1..].iter().all(|&count| count > 10), "{needed:?}");
}

#[test]
fn the_most_cards_of_so_many_sequences() {
    let mut random = Pcg64Mcg::new(13);
    for _ in 0..150 {
        let cards = random_cards(&mut random, 8);
        let subsets = (1u32..1 << cards.len())
            .map(|set| -> Vec<Card> { (0..cards.len()).filter(|at| set >> at & 1 == 1).map(|at| cards[at]).collect() });
        let mut most = [0; 4];
        for subset in subsets {
            let fewest = fewest(&subset);
            for most in most.iter_mut().skip(fewest) {
                *most = (*most).max(subset.len());
            }
        }
        for (trails, &most) in most.iter().enumerate().skip(1) {
            let cover = found(&cards, Goal::Most { trails });
            assert_eq!(cover.sequences.concat().len(), most, "{trails} of {cards:?}");
            assert!(cover.sequences.len() <= trails);
        }
    }
}

#[test]
fn large_decks() {
    let equal = vec![Card { number: u32::MAX, colour: 0 }; 100_000];
    assert_eq!(found(&equal, Goal::All).sequences.len(), 1);
    let apart: Vec<Card> = (0..10_000).map(|at| Card { number: at, colour: at }).collect();
    assert_eq!(found(&apart, Goal::All).sequences.len(), 10_000);
    let one_colour: Vec<Card> = (0..100_000).map(|number| Card { number, colour: 7 }).collect();
    assert_eq!(found(&one_colour, Goal::All).sequences.len(), 1);
    let dense: Vec<Card> = (0..3600).map(|at| Card { number: at / 60, colour: at % 60 }).collect();
    let limits = Limits::default().start();
    assert_eq!(cover(&dense, Goal::All, &limits, 0).unwrap_err(), Stop::Exhausted);
}

#[test]
fn spent_limits_are_told() {
    let mut random = Pcg64Mcg::new(14);
    let cards: Vec<Card> =
        (0..60).map(|_| Card { number: random.next_u64() as u32 % 30, colour: random.next_u64() as u32 % 8 }).collect();
    let limits = Limits { memory: 10_000, ..Limits::default() };
    assert_eq!(cover(&cards, Goal::All, &limits.start(), 0).unwrap_err(), Stop::MemoryLimit);
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert_eq!(cover(&cards, Goal::All, &limits.start(), 0).unwrap_err(), Stop::TimeLimit);
}
