//! Counts against plain enumeration, the source's example, and totals that were found by exhaustive search.

use fixedbitset::FixedBitSet;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

use super::*;
use crate::adapters::uno::card::Card;
use crate::adapters::uno::longest_sequence;

fn deck(cards: &[(u32, u32)]) -> Deck {
    Deck::new(cards.iter().map(|&(number, colour)| Card { number, colour }).collect())
}

fn big(counts: &[u64]) -> Vec<BigUint> {
    counts.iter().map(|&count| count.into()).collect()
}

/// Which cards may follow each other; wild ones come last.
fn neighbours(cards: &[Card], wild: usize) -> Vec<Vec<usize>> {
    let all = cards.len() + wild;
    let matches = |one: usize, two: usize| match (cards.get(one), cards.get(two)) {
        (Some(one), Some(two)) => one.matches(*two),
        _ => true,
    };
    (0..all).map(|one| (0..all).filter(|&two| two != one && matches(one, two)).collect()).collect()
}

/// Sequences by their number of cards, less one; both directions of each.
fn sequences_by_trying(neighbours: &[Vec<usize>]) -> Vec<u64> {
    fn extend(neighbours: &[Vec<usize>], at: usize, used: &mut FixedBitSet, cards: usize, counts: &mut Vec<u64>) {
        used.insert(at);
        counts[cards] += if cards == 0 { 2 } else { 1 };
        for &next in &neighbours[at] {
            if !used[next] {
                extend(neighbours, next, used, cards + 1, counts);
            }
        }
        used.remove(at);
    }
    let mut counts = vec![0; neighbours.len()];
    for start in 0..neighbours.len() {
        extend(neighbours, start, &mut FixedBitSet::with_capacity(neighbours.len()), 0, &mut counts);
    }
    counts
}

/// Sets of edges without a cycle and without a third edge at a card, by their number of paths, less one.
fn path_sets_by_trying(neighbours: &[Vec<usize>]) -> Vec<u64> {
    fn choose(edges: &[(usize, usize)], degree: &mut [u8], part: &[usize], paths: usize, counts: &mut [u64]) {
        let Some((&(one, two), rest)) = edges.split_first() else {
            counts[paths - 1] += 1;
            return;
        };
        choose(rest, degree, part, paths, counts);
        if degree[one] < 2 && degree[two] < 2 && part[one] != part[two] {
            let joined: Vec<usize> = part.iter().map(|&own| if own == part[one] { part[two] } else { own }).collect();
            degree[one] += 1;
            degree[two] += 1;
            choose(rest, degree, &joined, paths - 1, counts);
            degree[one] -= 1;
            degree[two] -= 1;
        }
    }
    let n = neighbours.len();
    let edges: Vec<(usize, usize)> = (0..n)
        .flat_map(|one| neighbours[one].iter().map(move |&two| (one, two)))
        .filter(|(one, two)| one < two)
        .collect();
    let mut counts = vec![0; n];
    choose(&edges, &mut vec![0; n], &(0..n).collect::<Vec<_>>(), n, &mut counts);
    counts
}

#[test]
fn counts_are_those_of_plain_enumeration() {
    let mut random = Pcg64Mcg::new(33);
    let mut below = |bound: u64| random.next_u64() % bound;
    for _ in 0..400 {
        let (colours, numbers, wild) = (1 + below(4), 1 + below(5), below(8) / 6);
        let cards: Vec<_> = (0..1 + below(6)).map(|_| (below(numbers) as u32, below(colours) as u32)).collect();
        let (deck, wild) = (deck(&cards), wild as usize);
        let neighbours = neighbours(deck.cards(), wild);
        let by_cards = sequences_by_trying(&neighbours);
        for (count, cards) in by_cards.iter().zip(1..) {
            let counted = sequences(&deck, wild, cards, &Limits::default()).unwrap();
            assert_eq!(counted, BigUint::from(count / 2), "{cards} of {deck:?} and {wild}");
        }
        let sets = path_sets(&deck, wild, &Limits::default()).unwrap();
        assert_eq!(sets, big(&path_sets_by_trying(&neighbours))[..sets.len()], "{deck:?} and {wild}");
        assert_eq!(sets.len(), neighbours.len());
    }
}

/// Big integers count as machine words do.
#[test]
fn both_sizes_of_integers_agree() {
    let cards: Vec<_> = (0..8).map(|at| (at % 3, at % 4)).collect();
    let deck = deck(&cards);
    let plan = Plan::new(deck.cards(), 1);
    let meter = Limits::default().start();
    for goal in [Goal::PathSets, Goal::Sequence { leave_out: 0 }, Goal::Sequence { leave_out: 2 }] {
        let small = Counter::<u128>::new(&plan, goal, &meter).run().unwrap();
        let large = Counter::<BigUint>::new(&plan, goal, &meter).run().unwrap();
        assert_eq!(small.into_iter().map(BigUint::from).collect::<Vec<_>>(), large);
    }
}

#[test]
fn example_1_of_the_source() {
    let cards = [(1, 3), (2, 2), (2, 3), (2, 3), (2, 4), (3, 2), (3, 4), (4, 1), (4, 3)];
    let deck = deck(&cards);
    assert_eq!(sequences(&deck, 0, 9, &Limits::default()).unwrap(), BigUint::from(28u32));
    let sets = path_sets(&deck, 0, &Limits::default()).unwrap();
    assert_eq!(sets, big(&[28, 310, 934, 1284, 958, 414, 105, 15, 1]));
    assert_eq!(sets.iter().sum::<BigUint>(), BigUint::from(4049u32));
}

/// The printed recursion knows no card that joins two older paths of its column as the first of its row.
#[test]
fn the_case_that_is_missing_in_print() {
    let deck = deck(&[(1, 1), (1, 2), (2, 1), (2, 3), (3, 1)]);
    assert_eq!(sequences(&deck, 0, 5, &Limits::default()).unwrap(), BigUint::ONE);
}

#[test]
fn totals_over_all_sets_of_cards_of_a_grid() {
    for (colours, numbers, decks, full, paths) in
        [(2, 3, 63, 51, 135u32), (3, 3, 511, 397, 4545), (4, 3, 4095, 3279, 310_554)]
    {
        let all: Vec<(u32, u32)> =
            (0..numbers).flat_map(|number| (0..colours).map(move |colour| (number, colour))).collect();
        let sets = 1u32..1 << all.len();
        assert_eq!(sets.len(), decks);
        let counts = sets.map(|set| {
            let cards: Vec<_> = (0..all.len()).filter(|bit| set >> bit & 1 == 1).map(|bit| all[bit]).collect();
            sequences(&deck(&cards), 0, cards.len(), &Limits::default()).unwrap()
        });
        let counts: Vec<BigUint> = counts.collect();
        assert_eq!(counts.iter().filter(|&count| *count != BigUint::ZERO).count(), full);
        assert_eq!(counts.iter().sum::<BigUint>(), BigUint::from(paths));
    }
}

#[test]
fn full_grids() {
    for (side, count) in [(1, 1u32), (2, 4), (3, 756), (4, 11_197_440)] {
        let grid: Vec<_> = (0..side * side).map(|at| (at / side, at % side)).collect();
        let counted = sequences(&deck(&grid), 0, grid.len(), &Limits::default()).unwrap();
        assert_eq!(counted, BigUint::from(count), "{side} by {side}");
    }
}

/// n! / 2 sequences, and beyond machine words.
#[test]
fn equal_cards() {
    let factorial = |n: u32| (1..=n).map(BigUint::from).product::<BigUint>();
    for copies in [1, 2, 5, 60] {
        let deck = deck(&vec![(u32::MAX, u32::MAX); copies as usize]);
        let half = factorial(copies) / if copies == 1 { 1u32 } else { 2 };
        assert_eq!(sequences(&deck, 0, copies as usize, &Limits::default()).unwrap(), half);
        // Of so many cards in a row, whatever they are, wild ones included.
        assert_eq!(sequences(&deck, 0, 2, &Limits::default()).unwrap(), BigUint::from(copies * (copies - 1) / 2));
    }
}

#[test]
fn questions_without_an_answer() {
    let some = deck(&[(1, 1), (2, 2)]);
    assert_eq!(sequences(&some, 0, 0, &Limits::default()).unwrap(), BigUint::ZERO);
    assert_eq!(sequences(&some, 0, 3, &Limits::default()).unwrap(), BigUint::ZERO);
    assert_eq!(sequences(&some, 0, 2, &Limits::default()).unwrap(), BigUint::ZERO);
    assert_eq!(path_sets(&deck(&[]), 0, &Limits::default()).unwrap(), []);
    assert_eq!(path_sets(&deck(&[]), 2, &Limits::default()).unwrap(), big(&[1, 1]));

    let wide: Vec<_> = (0..100).map(|at| (at * 7 % 10, at / 10)).collect();
    let limits = Limits { memory: 1_000_000, ..Limits::default() };
    let Err(CountError::Stopped { stop, bytes, .. }) = path_sets(&deck(&wide), 0, &limits) else { panic!("too wide") };
    assert_eq!(stop, Stop::MemoryLimit);
    assert!(bytes > limits.memory);
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert!(matches!(sequences(&some, 0, 2, &limits), Err(CountError::Stopped { stop: Stop::TimeLimit, .. })));
    let many = deck(&vec![(1, 1); 70_000]);
    assert!(matches!(path_sets(&many, 0, &Limits::default()), Err(CountError::TooLarge { cards: 70_000, .. })));
}

/// Colours that are dead cost nothing: a long chain has few alive at once.
#[test]
fn a_long_narrow_deck() {
    let chain: Vec<_> = (0..400u32).map(|at| (at / 2, at.div_ceil(2))).collect();
    let deck = deck(&chain);
    assert_eq!(sequences(&deck, 0, 400, &Limits::default()).unwrap(), BigUint::ONE);
    assert_eq!(longest_sequence(&deck, None).unwrap().len(), 400);
    assert_eq!(sequences(&deck, 0, 399, &Limits::default()).unwrap(), BigUint::from(2u32));
    let sets = path_sets(&deck, 0, &Limits::default()).unwrap();
    assert_eq!(sets.iter().sum::<BigUint>(), BigUint::ONE << 399);
}
