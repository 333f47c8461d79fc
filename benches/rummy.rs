//! Best meldings of random hands: `cargo bench --bench rummy`. With `-- --hands FILE`, a hand a line, each hand's answer and
//! the least of many times instead: what `benches/peers/rummy.py` compares with an integer program.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, BenchmarkId, Criterion};
use longhaul::adapters::rummy::{Card, Evaluator, Hand, Rummy};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args.iter().position(|arg| arg == "--hands").and_then(|at| args.get(at + 1)) {
        Some(file) => time_hands(file),
        None => {
            let mut criterion = Criterion::default().configure_from_args();
            best(&mut criterion);
            discards(&mut criterion);
            criterion.final_summary();
        }
    }
}

/// A hand of so many cards and jokers from so many decks.
fn deal(rng: &mut Pcg64Mcg, cards: usize, jokers: usize, decks: u8) -> Hand {
    let mut hand = Hand::new(decks);
    while hand.len() < cards {
        let card = Card::all().nth(rng.random_range(0..Card::KINDS - 1)).expect("a kind of card");
        // A card that is there as often as it can be is drawn again.
        let _ = hand.add(card);
    }
    (0..jokers).for_each(|_| hand.add(Card::JOKER).expect("few jokers"));
    hand
}

fn best(criterion: &mut Criterion) {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut group = criterion.benchmark_group("best melding");
    group.sample_size(20).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(300));
    for (cards, jokers, decks) in
        [(14, 0, 1), (14, 0, 2), (14, 2, 2), (30, 0, 1), (30, 0, 2), (30, 2, 2), (60, 0, 2), (104, 0, 2), (104, 2, 2)]
    {
        let hands: Vec<Hand> = (0..50).map(|_| deal(&mut rng, cards, jokers, decks)).collect();
        let name = BenchmarkId::from_parameter(format!("{cards} cards, {jokers} jokers, {decks} decks"));
        let mut next = 0;
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || {
                    next += 1;
                    &hands[next % hands.len()]
                },
                |hand| {
                    let best = Rummy::new(black_box(hand)).best();
                    assert!(best.is_optimal());
                    best
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

/// What a game asks at each turn: which of eleven cards to discard.
fn discards(criterion: &mut Criterion) {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    let hands: Vec<Hand> = (0..50).map(|_| deal(&mut rng, 11, 0, 1)).collect();
    let mut next = 0;
    criterion.bench_function("best discard of 11", |bencher| {
        bencher.iter_batched(
            || {
                next += 1;
                Evaluator::new(&Rummy::new(&hands[next % hands.len()]))
            },
            |mut evaluator| evaluator.discards(),
            BatchSize::SmallInput,
        );
    });
}

fn time_hands(file: &str) {
    const TIMES: usize = 20;
    // Named from the folder of the repository.
    let place = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(file);
    let text = std::fs::read_to_string(place).expect("a file of hands");
    for line in text.lines() {
        let (decks, cards) = line.split_once(' ').expect("the number of decks, then the cards");
        let hand = Hand::parse(file, cards.as_bytes(), decks.parse().expect("a number of decks")).expect("a hand");
        let mut least = Duration::MAX;
        let mut left = 0;
        for _ in 0..TIMES {
            let began = Instant::now();
            let best = Rummy::new(black_box(&hand)).best();
            least = least.min(began.elapsed());
            assert!(best.is_optimal());
            left = best.deadwood_cards();
        }
        println!("{left} {}", least.as_nanos());
    }
}
