//! The tables of small decks and hands, whose answers were found by exhaustive search elsewhere: every column.

use longhaul::Limits;
use longhaul::adapters::uno::cooperative::{self, PlayRule, Verdict};
use longhaul::adapters::uno::counting::{self, BigUint};
use longhaul::adapters::uno::uncooperative::{Geography, stuck};
use longhaul::adapters::uno::{Card, Deck, fill_in, longest_sequence};

/// Cards are written `colour,number`.
fn deck(text: &str) -> Deck {
    let card = |pair: &str| {
        let (colour, number) = pair.split_once(',').unwrap();
        Card { number: number.parse().unwrap(), colour: colour.parse().unwrap() }
    };
    Deck::new(text.split_whitespace().map(card).collect())
}

fn hands(text: &str) -> Vec<Deck> {
    text.split('|').map(deck).collect()
}

#[test]
fn sequences_and_their_counts() {
    let rows = crate::corpus::table("uno/uno1.tsv");
    assert_eq!(rows.len(), 75);
    let limits = Limits::default();
    for row in rows {
        let deck = deck(&row["deck"]);
        let longest = longest_sequence(&deck, None).unwrap().len();
        assert_eq!(longest.to_string(), row["longest"], "{}", &row["deck"]);
        let sequences = |cards| counting::sequences(&deck, 0, cards, &limits).unwrap().to_string();
        assert_eq!(sequences(longest), row["longest_paths"], "{}", &row["deck"]);
        assert_eq!(sequences(deck.cards().len()), row["hamiltonian_paths"], "{}", &row["deck"]);
        let sets = counting::path_sets(&deck, 0, &limits).unwrap();
        assert_eq!(sets.iter().sum::<BigUint>().to_string(), row["spanning_path_sets"], "{}", &row["deck"]);
        // As many cards are missing as the smallest set has sequences, but one.
        let fewest = sets.iter().position(|count| *count != BigUint::ZERO).unwrap();
        let answer = fill_in(&deck, &limits).unwrap();
        assert_eq!((answer.added().count(), answer.fewest()), (fewest, fewest), "{}", &row["deck"]);
    }
}

#[test]
fn uncooperative_games_of_two() {
    let rows = crate::corpus::table("uno/unc2.tsv");
    assert_eq!(rows.len(), 100);
    for row in rows {
        let hands = hands(&row["hands"]);
        let [one, two] = &hands[..] else { panic!("two hands") };
        let flag = |winner: usize| if winner == 1 { "1" } else { "0" };
        assert_eq!(flag(Geography::new(one, two).winner()), &row["geography"], "{}", &row["hands"]);
        assert_eq!(flag(stuck(one, two, &Limits::default()).winner.unwrap()), &row["stuck"], "{}", &row["hands"]);
    }
}

#[test]
fn cooperative_games() {
    let rows = crate::corpus::table("uno/coop.tsv");
    assert_eq!(rows.len(), 100);
    for row in rows {
        let hands = hands(&row["hands"]);
        for (rule, column) in
            [(PlayRule::ForcedSkip, "forced_skip"), (PlayRule::StrictAlternation, "strict_alternation")]
        {
            let flag = match cooperative::win(&hands, rule, &Limits::default()).unwrap().verdict {
                Verdict::Win(_) => "1",
                Verdict::NoWin => "0",
                Verdict::Unknown(stop) => panic!("stopped: {stop}"),
            };
            assert_eq!(flag, &row[column], "{rule}: {}", &row["hands"]);
        }
    }
}
