//! Both games against plain recursion, and the strategy against all, perfect and random opponents.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

use super::*;
use crate::Stop;
use crate::adapters::uno::card::Card;
use crate::adapters::uno::deck::Deck;
use crate::limits::Limits;

fn deck(cards: &[(u32, u32)]) -> Deck {
    Deck::new(cards.iter().map(|&(number, colour)| Card { number, colour }).collect())
}

/// Two hands of up to `most` cards.
fn random_hands(random: &mut Pcg64Mcg, most: u64, colours: u64, numbers: u64) -> [Deck; 2] {
    [(); 2].map(|()| {
        let count = 1 + random.next_u64() % most;
        let mut card = || ((random.next_u64() % numbers) as u32, (random.next_u64() % colours) as u32);
        deck(&(0..count).map(|_| card()).collect::<Vec<_>>())
    })
}

/// Whether the player to move wins, by the words of the rules.
fn mover_wins(hands: [&[Card]; 2], top: Option<Card>, mover: usize, stuck_rule: bool) -> bool {
    (0..hands[mover].len()).any(|at| wins_with(hands, top, mover, stuck_rule, at))
}

/// Whether the player to move may play this card and wins by it.
fn wins_with(hands: [&[Card]; 2], top: Option<Card>, mover: usize, stuck_rule: bool, at: usize) -> bool {
    let card = hands[mover][at];
    if top.is_some_and(|top| !card.matches(top)) {
        return false;
    }
    let mut after = hands[mover].to_vec();
    after.remove(at);
    let mut next = hands;
    next[mover] = &after;
    (stuck_rule && after.is_empty()) || !mover_wins(next, Some(card), 1 - mover, stuck_rule)
}

#[test]
fn both_games_as_the_definition_says() {
    let mut random = Pcg64Mcg::new(2);
    let mut differ = 0;
    for round in 0..2000 {
        let [one, two] = random_hands(&mut random, 5, 1 + round % 4, 1 + round % 5);
        let hands = [one.cards(), two.cards()];
        let game = Geography::new(&one, &two);
        let openings: Vec<usize> =
            (0..one.cards().len()).filter(|&at| wins_with(hands, None, 0, false, at)).map(|at| at + 1).collect();
        assert_eq!(game.openings(), openings);
        assert_eq!(game.winner() == 1, !openings.is_empty());
        assert_eq!(game.winner() == 1, game.matching_size() < one.cards().len());

        let answer = stuck(&one, &two, &Limits::default());
        let expected = if mover_wins(hands, None, 0, true) { 1 } else { 2 };
        assert_eq!(answer.winner, Ok(expected));
        assert_eq!(answer.opening.is_some(), expected == 1);
        if let Some(opening) = answer.opening {
            assert!(wins_with(hands, None, 0, true, opening - 1));
        }
        differ += usize::from(expected != game.winner());
    }
    assert!(differ > 20, "{differ}: the two games are not told apart");
}

/// Plays a game by the strategy against an opponent who picks one of its playable cards; panics if the strategy errs.
fn play(
    hands: [&Deck; 2],
    opening: usize,
    strategy: &Strategy,
    mut opponent: impl FnMut([&[Card]; 2], Card, &[usize]) -> usize,
) {
    let mut left = hands.map(|hand| vec![true; hand.cards().len()]);
    left[0][opening - 1] = false;
    let (mut top, mut mover) = (hands[0].cards()[opening - 1], 1);
    let mut last = opening;
    loop {
        let at_hand =
            |player: usize| -> Vec<usize> { (0..left[player].len()).filter(|&at| left[player][at]).collect() };
        let played = if mover + 1 == strategy.player() {
            let position = strategy.answer(last).expect("an answer to every card");
            assert!(left[mover][position - 1] && hands[mover].cards()[position - 1].matches(top));
            position - 1
        } else {
            let rest = [at_hand(0), at_hand(1)];
            let cards =
                [0, 1].map(|player| rest[player].iter().map(|&at| hands[player].cards()[at]).collect::<Vec<_>>());
            let playable: Vec<usize> = (0..rest[mover].len()).filter(|&at| cards[mover][at].matches(top)).collect();
            if playable.is_empty() {
                return;
            }
            rest[mover][opponent([&cards[0], &cards[1]], top, &playable)]
        };
        left[mover][played] = false;
        (top, last) = (hands[mover].cards()[played], played + 1);
        mover = 1 - mover;
    }
}

/// The opponent tries to leave the strategy without an answer, and fails; it picks among its cards at random, or by looking
/// ahead to the end.
#[test]
fn the_strategy_beats_perfect_and_random_opponents() {
    let mut random = Pcg64Mcg::new(1993);
    let mut dice = Pcg64Mcg::new(1994);
    let mut wins = [0, 0];
    while wins.iter().any(|&wins| wins < 1000) {
        let numbers = 1 + random.next_u64() % 9;
        let [one, two] = random_hands(&mut random, 6, 4, numbers);
        let game = Geography::new(&one, &two);
        for opening in 1..=one.cards().len() {
            let strategy = game.strategy(opening).unwrap();
            assert_eq!(strategy.player() == 1, game.openings().contains(&opening));
            let opponent = 2 - strategy.player();
            play([&one, &two], opening, &strategy, |cards, top, playable| {
                let winning = playable.iter().find(|&&at| wins_with(cards, Some(top), opponent, false, at));
                *winning.unwrap_or(&playable[0])
            });
            for _ in 0..3 {
                play([&one, &two], opening, &strategy, |_, _, playable| {
                    playable[dice.next_u64() as usize % playable.len()]
                });
            }
        }
        wins[game.winner() - 1] += 1;
    }
}

/// A whole pack each, far beyond looking ahead.
#[test]
fn the_strategy_wins_long_games() {
    let mut random = Pcg64Mcg::new(108);
    let mut dice = Pcg64Mcg::new(109);
    for _ in 0..100 {
        let [one, two] = random_hands(&mut random, 400, 20, 20);
        let game = Geography::new(&one, &two);
        let opening = *game.openings().last().unwrap_or(&1);
        let strategy = game.strategy(opening).unwrap();
        assert_eq!(strategy.player(), game.winner());
        play([&one, &two], opening, &strategy, |_, _, playable| playable[dice.next_u64() as usize % playable.len()]);
    }
}

#[test]
fn corner_cases() {
    let (some, none) = (deck(&[(1, 1)]), deck(&[]));
    assert_eq!(Geography::new(&none, &some).winner(), 2);
    assert_eq!(Geography::new(&some, &none).winner(), 1);
    assert_eq!(Geography::new(&none, &none).winner(), 2);
    assert_eq!(stuck(&none, &some, &Limits::default()).winner, Ok(1));
    assert_eq!(stuck(&some, &none, &Limits::default()).winner, Ok(2));
    let game = Geography::new(&some, &none);
    assert!(game.strategy(0).is_none() && game.strategy(2).is_none());
    assert_eq!(game.strategy(1).unwrap().answer(1), None);
}

#[test]
fn spent_limits_are_told() {
    let mut random = Pcg64Mcg::new(5);
    let ladder =
        |random: &mut Pcg64Mcg| deck(&(0..30).map(|at| (at, random.next_u64() as u32 % 3)).collect::<Vec<_>>());
    let (one, two) = (ladder(&mut random), ladder(&mut random));
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert_eq!(stuck(&one, &two, &limits).winner, Err(Stop::TimeLimit));
    let limits = Limits { memory: 50_000, ..Limits::default() };
    let answer = stuck(&one, &two, &limits);
    assert!(answer.winner == Err(Stop::MemoryLimit) || answer.winner.is_ok());
    assert!(answer.peak_bytes <= limits.memory);
}
