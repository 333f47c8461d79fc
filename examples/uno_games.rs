//! What else there is to ask about a hand of UNO: how many ways there are, which cards are missing, and who wins.
//!
//! ```text
//! cargo run --example uno_games
//! ```

use longhaul::Limits;
use longhaul::adapters::uno::cooperative::{self, PlayRule, Turn, Verdict};
use longhaul::adapters::uno::uncooperative::Geography;
use longhaul::adapters::uno::{Deck, counting, fill_in};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::default();
    // Example 1 of "UNO is hard, even for a single player", as number and colour.
    let deck = Deck::parse("example 1", b"3 1\n2 2\n3 2\n3 2\n4 2\n2 3\n4 3\n1 4\n3 4\n")?;
    let ways = counting::sequences(&deck, 0, deck.cards().len(), &limits)?;
    let sets = counting::path_sets(&deck, 0, &limits)?;
    println!(
        "all nine cards can be played in {ways} ways; {} sets of sequences hold them",
        sets.iter().sum::<counting::BigUint>()
    );
    assert_eq!(ways, 28u32.into());

    let apart = Deck::parse("apart", b"1 1\n2 2\n3 3\n")?;
    let answer = fill_in(&apart, &limits)?;
    let added: Vec<String> = answer.added().map(|card| card.to_string()).collect();
    println!("1 1, 2 2 and 3 3 can be played with {}", added.join(" and "));
    assert!(answer.is_optimal() && added.len() == 2);

    let hands = [Deck::parse("one", b"1 1\n1 2\n7 7\n")?, Deck::parse("two", b"1 3\n2 7\n3 7\n")?];
    let rules = [PlayRule::StrictAlternation, PlayRule::ForcedSkip];
    for rule in rules {
        match cooperative::win(&hands, rule, &limits)?.verdict {
            Verdict::Win(turns) => {
                let skips = turns.iter().filter(|turn| matches!(turn, Turn::Skip { .. })).count();
                println!("together, {rule}: player 1 can win in {} turns, {skips} of them skipped", turns.len());
            }
            Verdict::NoWin => println!("together, {rule}: player 1 can't win"),
            Verdict::Unknown(stop) => println!("together, {rule}: not settled: {stop}"),
        }
    }
    let game = Geography::new(&hands[0], &hands[1]);
    println!("against each other: player {} wins, opening with one of {:?}", game.winner(), game.openings());
    assert_eq!((game.winner(), game.openings()), (1, &[1, 2][..]));
    Ok(())
}
