//! Both rules against plain recursion, the checker against a second one, and the source's claims.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

use super::*;
use crate::adapters::uno::card::Card;

fn deck(cards: &[(u32, u32)]) -> Deck {
    Deck::new(cards.iter().map(|&(number, colour)| Card { number, colour }).collect())
}

fn is_win(hands: &[Deck], rule: PlayRule) -> bool {
    match win(hands, rule, &Limits::default()).unwrap().verdict {
        Verdict::Win(play) => {
            assert_eq!(check(hands, rule, &play), Ok(()));
            true
        }
        Verdict::NoWin => false,
        Verdict::Unknown(stop) => panic!("no limit, yet it stopped: {stop}"),
    }
}

/// By the words of the rules: one turn after the other, every choice.
fn is_win_by_definition(hands: &[Vec<Card>], rule: PlayRule, top: Option<Card>, player: usize, skips: usize) -> bool {
    if hands[0].is_empty() || hands.iter().any(Vec::is_empty) {
        return hands[0].is_empty();
    }
    if skips == hands.len() {
        return false;
    }
    let next = (player + 1) % hands.len();
    let playable = |card: &Card| top.is_none_or(|top| card.matches(top));
    let choices: Vec<usize> = (0..hands[player].len()).filter(|&at| playable(&hands[player][at])).collect();
    if choices.is_empty() {
        return rule == PlayRule::ForcedSkip && is_win_by_definition(hands, rule, top, next, skips + 1);
    }
    choices.into_iter().any(|at| {
        let mut after = hands.to_vec();
        let card = after[player].remove(at);
        is_win_by_definition(&after, rule, Some(card), next, 0)
    })
}

#[test]
fn both_rules_as_the_definition_says() {
    let mut random = Pcg64Mcg::new(6);
    let mut below = |bound: u64| random.next_u64() % bound;
    let mut wins = [0; 2];
    for _ in 0..3000 {
        let players = 1 + below(4);
        let (colours, numbers) = (1 + below(4), 1 + below(5));
        let hands: Vec<Deck> = (0..players)
            .map(|_| {
                let cards = (0..1 + below(9 / players)).map(|_| (below(numbers) as u32, below(colours) as u32));
                deck(&cards.collect::<Vec<_>>())
            })
            .collect();
        let cards: Vec<Vec<Card>> = hands.iter().map(|hand| hand.cards().to_vec()).collect();
        for (rule, wins) in [PlayRule::StrictAlternation, PlayRule::ForcedSkip].into_iter().zip(&mut wins) {
            let expected = is_win_by_definition(&cards, rule, None, 0, 0);
            assert_eq!(is_win(&hands, rule), expected, "{rule} {hands:?}");
            *wins += usize::from(expected);
        }
    }
    assert!(wins.iter().all(|wins| (500..2500).contains(wins)), "{wins:?} tell little");
}

/// The vertices of a graph as cards of player 1, its edges as cards of player 2: Theorem 1 of the source.
fn vertices_and_edges(vertices: u32, edges: &[(u32, u32)]) -> [Deck; 2] {
    let cards: Vec<_> = (1..=vertices).map(|vertex| (vertex, vertex)).collect();
    [deck(&cards), deck(edges)]
}

/// No Hamiltonian path, and yet player 1 wins where players may be forced to skip.
#[test]
fn theorem_1_fails_under_forced_skips() {
    let hands = vertices_and_edges(6, &[(1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 3), (2, 4)]);
    assert!(!is_win(&hands, PlayRule::StrictAlternation));
    assert!(is_win(&hands, PlayRule::ForcedSkip));

    // 55|15|11|14|44|24|22|23|33|13|skip|16|66
    let play = |player, position| Turn::Play { player, position };
    let turns = [
        play(1, 5),
        play(2, 4),
        play(1, 1),
        play(2, 3),
        play(1, 4),
        play(2, 7),
        play(1, 2),
        play(2, 6),
        play(1, 3),
        play(2, 2),
        Turn::Skip { player: 1 },
        play(2, 5),
        play(1, 6),
    ];
    assert_eq!(check(&hands, PlayRule::ForcedSkip, &turns), Ok(()));
    let skip = BadPlay::VoluntarySkip { turn: 11, player: 1 };
    assert_eq!(check(&hands, PlayRule::StrictAlternation, &turns), Err(skip));
}

/// Corollary 2 pads the hand of player 1, which skips make possible, and asks for a path that starts at vertex 1.
#[test]
fn corollary_2_fails_under_forced_skips() {
    // No Hamiltonian path at all.
    let mut hands =
        vertices_and_edges(5, &[(1, 2), (1, 3), (1, 4), (1, 5), (2, 3), (2, 4)]).map(|hand| hand.cards().to_vec());
    hands[0].extend([Card { number: 7, colour: 7 }, Card { number: 7, colour: 6 }]);
    hands[1].push(Card { number: 1, colour: 6 });
    assert!(is_win(&hands.map(Deck::new), PlayRule::ForcedSkip));

    // As many edges as vertices, so nothing is padded: 4 1 2 3 is a path, but it doesn't start at 1, and none does.
    let hands = vertices_and_edges(4, &[(1, 2), (1, 3), (1, 4), (2, 3)]);
    assert!(is_win(&hands, PlayRule::StrictAlternation) && is_win(&hands, PlayRule::ForcedSkip));
}

#[test]
fn the_referee_sees_every_fault() {
    use PlayRule::{ForcedSkip, StrictAlternation};
    let hands = [deck(&[(1, 1), (1, 2)]), deck(&[(1, 3), (3, 3)])];
    let play = |player, position| Turn::Play { player, position };
    let skip = |player| Turn::Skip { player };
    let faults = [
        (vec![play(2, 1)], BadPlay::OutOfTurn { turn: 1, player: 2, expected: 1 }),
        (vec![play(1, 3)], BadPlay::NoSuchCard { turn: 1, player: 1, position: 3 }),
        (vec![play(1, 0)], BadPlay::NoSuchCard { turn: 1, player: 1, position: 0 }),
        (vec![play(1, 1), play(2, 1), play(1, 1)], BadPlay::NoSuchCard { turn: 3, player: 1, position: 1 }),
        (
            vec![play(1, 1), play(2, 2)],
            BadPlay::NoMatch { turn: 2, card: Card { number: 3, colour: 3 }, top: Card { number: 1, colour: 1 } },
        ),
        (vec![skip(1)], BadPlay::VoluntarySkip { turn: 1, player: 1 }),
        (vec![play(1, 1), skip(2)], BadPlay::VoluntarySkip { turn: 2, player: 2 }),
        (vec![play(1, 1), play(2, 1)], BadPlay::NotFinished { left: 1 }),
        (vec![], BadPlay::NotFinished { left: 2 }),
        (vec![play(1, 1), play(2, 1), play(1, 2), play(2, 2)], BadPlay::Over { turn: 4 }),
    ];
    for (turns, fault) in faults {
        for rule in [StrictAlternation, ForcedSkip] {
            assert_eq!(check(&hands, rule, &turns), Err(fault.clone()), "{rule}");
        }
    }
    let short = [deck(&[(1, 1), (1, 2)]), deck(&[(1, 3)])];
    let fault = Err(BadPlay::AnotherFirst { turn: 2, player: 2 });
    assert_eq!(check(&short, StrictAlternation, &[play(1, 1), play(2, 1), play(1, 2)]), fault);
    let apart = [deck(&[(1, 1), (2, 2)]), deck(&[(3, 3)])];
    let deadlock = [play(1, 1), skip(2), skip(1), skip(2)];
    assert_eq!(check(&apart, ForcedSkip, &deadlock), Err(BadPlay::Over { turn: 4 }));
}

#[test]
fn hands_without_cards_have_finished() {
    for rule in [PlayRule::StrictAlternation, PlayRule::ForcedSkip] {
        assert!(is_win(&[deck(&[]), deck(&[(1, 1)])], rule));
        assert!(!is_win(&[deck(&[(1, 1)]), deck(&[])], rule));
        assert_eq!(
            check(&[deck(&[(1, 1)]), deck(&[])], rule, &[Turn::Play { player: 1, position: 1 }]),
            Err(BadPlay::AnotherFirst { turn: 0, player: 2 })
        );
        assert!(matches!(win(&[], rule, &Limits::default()), Err(UnoError::NoPlayers)));
    }
}

#[test]
fn spent_limits_are_told() {
    // Three cards of player 1 match one other card each, so no sequence has them all; nothing but trying finds that out.
    let ladder = (10..22).flat_map(|number| [(number, 0), (number, 1)]);
    let legs = (1..=3).flat_map(|leg| [(leg, 0), (leg, 100 + leg)]);
    let hands = [deck(&ladder.chain(legs).collect::<Vec<_>>()), deck(&[(99, 99)])];
    let limits = Limits { memory: 200_000, ..Limits::default() };
    let answer = win(&hands, PlayRule::ForcedSkip, &limits).unwrap();
    assert_eq!(answer.verdict, Verdict::Unknown(Stop::MemoryLimit));
    assert!(answer.peak_bytes <= limits.memory);
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let answer = win(&hands, PlayRule::ForcedSkip, &limits).unwrap();
    assert_eq!(answer.verdict, Verdict::Unknown(Stop::TimeLimit));
    let raised = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let limits = Limits { interrupt: Some(raised), ..Limits::default() };
    let answer = win(&hands, PlayRule::ForcedSkip, &limits).unwrap();
    assert_eq!(answer.verdict, Verdict::Unknown(Stop::Interrupted));
}
