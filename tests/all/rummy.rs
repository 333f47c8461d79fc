//! Rummy against exhaustive search that shares no code with it, and against a table of answers.

mod exhaustive;

use std::collections::HashSet;
use std::time::Duration;

use longhaul::adapters::rummy::{
    Ace, Card, Configuration, Evaluator, Hand, Meld, Objective, Rummy, Suit, Table, Weights, candidates, islands,
    placement_bits, placements,
};
use longhaul::{Limits, Status, Stop};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use exhaustive::{Aces, Cards, Lying, Melds, Place, Rearranging, Search};

fn place(card: Card) -> Option<Place> {
    Some((usize::from(card.rank()?) - 1, card.suit()? as usize))
}

fn cards_of(hand: &Hand) -> Cards {
    hand.cards().filter_map(place).fold(Cards::NONE, Cards::with)
}

const RULES: [(Ace, Aces); 3] = [(Ace::Low, Aces::Low), (Ace::High, Aces::High), (Ace::Around, Aces::Around)];

/// The rules, and what exhaustive search melds by them.
fn rules() -> [(Ace, Melds); 3] {
    RULES.map(|(ace, aces)| (ace, Melds::new(aces)))
}

/// A hand from the decks, which has few ranks and suits at times: so melds are many.
fn random_hand(rng: &mut Pcg64Mcg, most: usize) -> Hand {
    let decks = rng.random_range(1..=3);
    let mut hand = Hand::new(decks);
    let (ranks, suits) = (rng.random_range(3..=13u8), rng.random_range(1..=4));
    let from = rng.random_range(0..13u8);
    let room = usize::from(ranks) * suits * usize::from(decks);
    let size = rng.random_range(1..=most.min(room));
    while hand.len() < size {
        let rank = (from + rng.random_range(0..ranks)) % 13 + 1;
        let suit = Suit::ALL[rng.random_range(0..suits)];
        // It may be that there is no further copy.
        let _ = hand.add(Card::new(rank, suit).unwrap());
    }
    for _ in 0..rng.random_range(0..=2) {
        if hand.len() < most {
            hand.add(Card::JOKER).unwrap();
        }
    }
    hand
}

/// The program finds what exhaustive search finds, by cards and by points, wherever the ace stands.
#[test]
fn the_best_melding_is_the_best() {
    let (rules, mut rng) = (rules(), Pcg64Mcg::seed_from_u64(2));
    for round in 0..20_000 {
        let hand = random_hand(&mut rng, 16);
        let cards = cards_of(&hand);
        let jokers = hand.count(Card::JOKER);
        for (ace, melds) in if round % 4 == 0 { &rules[..] } else { &rules[..1] } {
            let melded = Search::new(melds, &|_| 1).most(cards, jokers);
            let best = Rummy::new(&hand).ace(*ace).best();
            assert!(best.is_optimal());
            assert_eq!(
                best.deadwood_cards() as u64,
                hand.len() as u64 - melded,
                "{hand} {ace:?}: {}",
                best.configuration()
            );
            assert_eq!(best.lower_bound(), best.cost());
            if round % 8 == 0 {
                let joker = rng.random_range(0..30);
                let worth = |rank: usize| if rank == 13 { u64::from(joker) } else { (rank as u64 + 1).min(10) };
                let melded = Search::new(melds, &worth).most(cards, jokers);
                let weights = Weights::new(|card| if card.is_joker() { joker } else { Weights::FACES_TEN.of(card) });
                let best = Rummy::new(&hand).ace(*ace).objective(Objective::FewestPoints(weights)).best();
                let all: u64 = hand.cards().map(|card| u64::from(weights.of(card))).sum();
                assert_eq!(best.deadwood_points(), all - melded, "{hand} {ace:?} {joker}");
            }
        }
    }
}

/// The lists of all configurations, and of the best, have exactly what they should.
#[test]
fn all_configurations_are_all() {
    let (rules, mut rng) = (rules(), Pcg64Mcg::seed_from_u64(3));
    for round in 0..400 {
        let hand = random_hand(&mut rng, if round % 2 == 0 { 8 } else { 11 });
        if hand.count(Card::JOKER) > 1 && hand.len() > 8 {
            continue;
        }
        for &(ace, ref melds) in &rules {
            let expected = exhaustive::configurations(cards_of(&hand), hand.count(Card::JOKER), melds);
            let mut found = hashbrown::HashSet::new();
            let mut least = usize::MAX;
            for configuration in Rummy::new(&hand).ace(ace).configurations() {
                least = least.min(configuration.deadwood().len());
                assert!(found.insert(plain(&configuration)), "{hand}: {configuration} comes twice");
            }
            assert_eq!(found, expected, "{hand} {ace:?}");
            let best: Vec<Configuration> = Rummy::new(&hand).ace(ace).optima().collect();
            assert!(best.iter().all(|configuration| configuration.deadwood().len() == least));
            let melded = |melds: &&Vec<exhaustive::Laid>| {
                melds.iter().map(|meld| meld.1.len()).sum::<usize>() == hand.len() - least
            };
            let counts = Rummy::new(&hand).ace(ace).count().unwrap();
            assert_eq!(counts.configurations.to_string(), expected.len().to_string(), "{hand} {ace:?}");
            assert_eq!(
                (counts.optima.to_string(), counts.least),
                (best.len().to_string(), least as u64),
                "{hand} {ace:?}"
            );
            let best: hashbrown::HashSet<_> = best.iter().map(plain).collect();
            assert_eq!(best, expected.iter().filter(melded).cloned().collect(), "{hand} {ace:?}");
        }
    }
}

/// The melds as exhaustive search tells them.
fn plain(configuration: &Configuration) -> Vec<exhaustive::Laid> {
    let mut melds = Vec::new();
    for meld in configuration.melds() {
        let mut laid: Vec<_> = meld.cards().map(place).collect();
        if !meld.is_run() {
            laid.sort();
        }
        melds.push((!meld.is_run(), laid));
    }
    melds.sort();
    melds
}

fn parse(text: &str) -> Hand {
    Hand::parse("hand", text.as_bytes(), 2).unwrap()
}

/// Every column of a table of hands.
#[test]
fn hands_whose_answers_are_known() {
    let rows = crate::corpus::table("rummy/hands.tsv");
    assert_eq!(rows.len(), 105);
    for row in rows {
        let hand = parse(&row["hand"]);
        let question = || Rummy::new(&hand);
        let points = |weights| question().objective(Objective::FewestPoints(weights)).best().deadwood_points();
        assert_eq!(question().best().deadwood_cards().to_string(), row["min_left_count"], "{hand}");
        assert_eq!(points(Weights::FACES_TEN).to_string(), row["min_left_gin"], "{hand}");
        assert_eq!(points(Weights::RANKS).to_string(), row["min_left_rank"], "{hand}");
        if &row["all_configs"] != "-" {
            assert_eq!(question().configurations().count().to_string(), row["all_configs"], "{hand}");
        }
        // The article's way, as mended, reaches the least as well.
        let least = placements(&hand).map(|configuration| configuration.deadwood().len()).min().unwrap();
        assert_eq!(least.to_string(), row["min_left_count"], "{hand}");
    }
}

/// The hand of the article and its island.
#[test]
fn the_hand_of_the_article() {
    let hand = parse("11C 3H 4H 11D 3D 5H 9D 2H 6H 3C 4H 3D 4D 5H 12D 3C");
    let islands: Vec<String> = islands(&hand, Ace::Low).iter().map(|island| format!("{island:#}")).collect();
    assert_eq!(islands, ["2H 3H 3D 3D 3C 3C 4H 4H 4D 5H 5H 6H", "9D", "11D 11C 12D"]);
    let best = Rummy::new(&hand).best();
    let by_points = Rummy::new(&hand).objective(Objective::FewestPoints(Weights::FACES_TEN)).best();
    assert_eq!((best.deadwood_cards(), by_points.deadwood_points()), (9, 55));

    let island = parse("2H3H4H5H4H5H6H3C3C3D3D4D");
    let melds: Vec<String> = candidates(&island, Ace::Low).iter().map(ToString::to_string).collect();
    let expected = ["2H 3H 4H", "2H 3H 4H 5H", "2H 3H 4H 5H 6H", "3H 4H 5H", "3H 4H 5H 6H", "3H 3D 3C", "4H 5H 6H"];
    assert_eq!(melds, expected);
    assert_eq!(Rummy::new(&island).configurations().count(), 12);
    let best = Rummy::new(&island).best();
    assert_eq!((best.deadwood_cards(), best.deadwood_points()), (5, 16));
    // Each point with more placements than copies, and its placements.
    let points = placement_bits(&island).into_iter().filter(|point| point.is_choice());
    let points: Vec<_> = points.map(|point| (point.card.to_string(), point.placements)).collect();
    let points: Vec<_> = points.iter().map(|(card, bits)| (card.as_str(), *bits)).collect();
    assert_eq!(points, [("2H", 0b11), ("3H", 0b111), ("6H", 0b11)]);
}

/// A run is cut short where a set does better with its card.
#[test]
fn a_run_gives_way_to_a_set() {
    let best = |text: &str| Rummy::new(&parse(text)).best().configuration().to_string();
    assert_eq!(best("3-7H 6D 6C"), "3H 4H 5H | 6H 6D 6C | 7H");
    assert_eq!(best("3-7S,6H,6C"), "3S 4S 5S | 6H 6C 6S | 7S");
}

/// In one deck without jokers the configurations of an island are the independent sets of the graph of its melds.
#[test]
fn configurations_are_independent_sets() {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let mut several = 0;
    for _ in 0..200 {
        let mut hand = Hand::new(1);
        for card in Card::all().filter(|card| card.rank().is_some_and(|rank| rank <= 7)) {
            if rng.random_range(0..20) < 11 {
                hand.add(card).unwrap();
            }
        }
        let mut product = 1;
        for island in islands(&hand, Ace::Low) {
            let melds: Vec<HashSet<Card>> =
                candidates(&island, Ace::Low).iter().map(|meld| meld.cards().collect()).collect();
            let apart = |one: usize, other: usize| melds[one].is_disjoint(&melds[other]);
            let count = Rummy::new(&island).configurations().count();
            assert_eq!(count, independent_sets(&(0..melds.len()).collect::<Vec<_>>(), &apart), "{island}");
            product *= count;
        }
        several += usize::from(islands(&hand, Ace::Low).len() > 1);
        // Islands combine freely.
        assert_eq!(Rummy::new(&hand).configurations().count(), product, "{hand}");
    }
    assert!(several > 0);
}

fn independent_sets(nodes: &[usize], apart: &impl Fn(usize, usize) -> bool) -> usize {
    let Some((&first, rest)) = nodes.split_first() else { return 1 };
    let free: Vec<usize> = rest.iter().copied().filter(|&node| apart(first, node)).collect();
    independent_sets(rest, apart) + independent_sets(&free, apart)
}

/// A hand that changes is evaluated as if it were new; discards are as good as they say.
#[test]
fn a_changing_hand_is_evaluated_as_a_new_one() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    for (ace, _) in RULES {
        let hand = random_hand(&mut rng, 12);
        let mut evaluator = Evaluator::new(&Rummy::new(&hand).ace(ace));
        for _ in 0..300 {
            let cards: Vec<Card> = evaluator.hand().cards().collect();
            let card = Card::all().nth(rng.random_range(0..Card::KINDS)).unwrap();
            if cards.len() < 16 && rng.random_range(0..5) < 3 {
                // There may be no further copy, and few jokers are enough.
                if !card.is_joker() || evaluator.hand().count(card) < 2 {
                    let _ = evaluator.add(card);
                }
            } else if let Some(&card) = cards.get(rng.random_range(0..cards.len().max(1))) {
                assert!(evaluator.remove(card));
            }
            let hand = evaluator.hand().clone();
            let fresh = Rummy::new(&hand).ace(ace).best();
            assert_eq!(evaluator.best().configuration(), fresh.configuration(), "{hand}");
            for discard in evaluator.discards() {
                let mut rest = hand.clone();
                assert!(rest.remove(discard.card) && discard.proved);
                assert_eq!(Rummy::new(&rest).ace(ace).best().cost(), discard.cost, "{hand} without {}", discard.card);
            }
            assert!(evaluator.discards().is_sorted_by_key(|discard| discard.cost));
        }
    }
}

/// The list of two whole decks has no end; a limit of time ends it, and the best is known all the same.
#[test]
fn an_endless_list_ends_with_its_limit() {
    let mut hand = Hand::new(2);
    Card::all().filter(|card| !card.is_joker()).for_each(|card| (0..2).for_each(|_| hand.add(card).unwrap()));
    let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    let question = Rummy::new(&hand).limits(limits);
    let mut list = question.configurations();
    assert!(list.by_ref().count() > 10);
    assert_eq!(list.stop(), Stop::TimeLimit);
    let best = Rummy::new(&hand).best();
    assert_eq!((best.deadwood_cards(), best.lower_bound(), best.status()), (0, 0, Status::Optimal));

    // No time at all: something, and a bound that holds.
    let none = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let quick = Rummy::new(&hand).limits(none).best();
    assert_eq!(quick.stop(), Stop::TimeLimit);
    assert!(quick.lower_bound() <= quick.cost());
}

/// A count that runs out of memory has counted some.
#[test]
fn a_count_cut_short_tells_how_many_there_are_at_least() {
    let mut hand = Hand::new(2);
    Card::all().filter(|card| card.rank() < Some(8)).for_each(|card| hand.add(card).unwrap());
    let all = Rummy::new(&hand).count().unwrap().configurations;
    let limits = Limits { memory: 1_000_000, ..Limits::default() };
    let uncounted = Rummy::new(&hand).limits(limits).count().unwrap_err();
    assert_eq!(uncounted.stop, Stop::MemoryLimit);
    assert!(uncounted.at_least > 1u32.into() && uncounted.at_least < all, "{uncounted} of {all}");
}

/// Melds on the table that leave copies for a hand, and the hand.
fn random_table(rng: &mut Pcg64Mcg, ace: Ace, decks: u8, longest: u8) -> (Table, Vec<Lying>, Hand) {
    let (mut melds, mut lying) = (Vec::new(), Vec::new());
    for _ in 0..rng.random_range(1..=3) {
        let suit = rng.random_range(0..4usize);
        let rank = rng.random_range(1..=13u8);
        let (meld, as_it_lies) = if rng.random_range(0..3) < 2 {
            let len = rng.random_range(3..=longest);
            let joker = if rng.random_range(0..4) == 0 { 1 << rng.random_range(0..len) } else { 0 };
            let run = Meld::run(Suit::ALL[suit], rank, len, joker, ace);
            (run, Lying::Run(suit, usize::from(rank) - 1, usize::from(len)))
        } else {
            let suits: Vec<Suit> = Suit::ALL.into_iter().filter(|_| rng.random_range(0..4) < 3).collect();
            let jokers = u8::from(suits.len() == 2);
            let mask = suits.iter().map(|suit| 1 << *suit as u32).sum();
            (Meld::set(rank, &suits, jokers), Lying::Set(usize::from(rank) - 1, mask, u32::from(jokers)))
        };
        let together: Vec<Meld> = melds.iter().copied().chain(meld).collect();
        if meld.is_some() && Table::new(together.clone(), decks).is_some() {
            melds = together;
            lying.push(as_it_lies);
        }
    }
    let table = Table::new(melds, decks).unwrap();
    let mut all = Hand::new(decks);
    table.cards().cards().for_each(|card| all.add(card).unwrap());
    let mut hand = Hand::new(decks);
    // Often next to what lies there.
    let near: Vec<Card> = table.cards().kinds().collect();
    for _ in 0..rng.random_range(1..=8) {
        let mut card = Card::all().nth(rng.random_range(0..52)).unwrap();
        if let Some(&lies) = near.get(rng.random_range(0..near.len() + 2))
            && let (Some(rank), Some(suit)) = (lies.rank(), lies.suit())
        {
            let rank = (rank + 12 + rng.random_range(0..5) - 2) % 13 + 1;
            let suit = if rng.random_range(0..2) == 0 { suit } else { Suit::ALL[rng.random_range(0..4)] };
            card = Card::new(rank, suit).unwrap();
        }
        if rng.random_range(0..12) == 0 && hand.count(Card::JOKER) < 2 {
            card = Card::JOKER;
        }
        if all.add(card).is_ok() {
            hand.add(card).unwrap();
        }
    }
    (table, lying, hand)
}

/// Laying off finds what trying every addition finds, on long runs and short ones.
#[test]
fn as_much_is_laid_off_as_can_be() {
    let (rules, mut rng) = (rules(), Pcg64Mcg::seed_from_u64(11));
    let mut more = 0;
    for round in 0..6_000 {
        let (ace, ref melds) = rules[round % 3];
        let decks = rng.random_range(1..=3);
        let longest = if round % 2 == 0 { 5 } else { 13 };
        let (table, lying, hand) = random_table(&mut rng, ace, decks, longest);
        let mut search = Search::new(melds, &|_| 1);
        let most = exhaustive::most_laid_off(&mut search, &lying, cards_of(&hand), hand.count(Card::JOKER));
        let laid_off = Rummy::new(&hand).ace(ace).lay_off(&table).unwrap();
        let shown = || format!("{hand} on {:?} {ace:?}: {}", table.melds(), laid_off.best().configuration());
        assert!(laid_off.best().is_optimal());
        assert_eq!(laid_off.best().deadwood_cards() as u64, hand.len() as u64 - most, "{}", shown());
        for (before, after) in table.melds().iter().zip(laid_off.table()) {
            let after: Vec<Card> = after.cards().collect();
            assert!(before.cards().all(|card| after.contains(&card)), "{}", shown());
        }
        more += usize::from(laid_off.best().deadwood_cards() < Rummy::new(&hand).ace(ace).best().deadwood_cards());
    }
    assert!(more > 1_000, "{more}");
}

/// Taking the table apart finds what exhaustive search finds.
#[test]
fn the_table_is_rearranged_for_the_most_cards() {
    let (rules, mut rng) = (rules(), Pcg64Mcg::seed_from_u64(13));
    let mut more = 0;
    for round in 0..600 {
        let (ace, ref melds) = rules[round % 3];
        let decks = rng.random_range(1..=2);
        let (table, _, hand) = random_table(&mut rng, ace, decks, 4);
        if table.cards().len() + hand.len() > 12 {
            continue;
        }
        let mut all = hand.clone();
        table.cards().cards().for_each(|card| all.add(card).unwrap());
        let mut search = Rearranging::new(melds);
        let jokers = all.count(Card::JOKER);
        let least = search.least(cards_of(&all), jokers, cards_of(&hand), hand.count(Card::JOKER));
        let best = Rummy::new(&hand).ace(ace).rearrange(&table).unwrap();
        assert_eq!(
            Some(best.deadwood_cards()),
            least,
            "{hand} and {:?} {ace:?}: {}",
            table.melds(),
            best.configuration()
        );
        let mut stays = hand.clone();
        assert!(best.deadwood().iter().all(|&card| stays.remove(card)), "only cards of the hand are left over");
        let laid_off = Rummy::new(&hand).ace(ace).lay_off(&table).unwrap();
        assert!(best.deadwood_cards() <= laid_off.best().deadwood_cards());
        more += usize::from(best.deadwood_cards() < laid_off.best().deadwood_cards());
    }
    assert!(more > 10, "{more}");
}
