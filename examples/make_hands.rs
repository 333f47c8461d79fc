//! Deals the hands `graphs/uno/hand_*.deck`: prints exactly these files.
//!
//! ```text
//! cargo run --example make_hands 20
//! ```
//!
//! A hand is dealt without putting back from the number cards of as many packs as it takes (a pack has 76: four colours, 0
//! once and 1 to 9 twice), by the PCG generator `Mcg128Xsl64` seeded with the number of cards.

use std::fmt::Write;

use longhaul::adapters::uno::{Card, Deck, longest_sequence};
use rand_pcg::Mcg128Xsl64;
use rand_pcg::rand_core::Rng;

const HANDS: [usize; 4] = [7, 20, 50, 200];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match std::env::args().nth(1) {
        Some(cards) => print!("{}", hand_file(cards.parse()?)?),
        None => {
            for cards in HANDS {
                let text = hand_file(cards)?;
                let path = format!("{}/graphs/uno/hand_{cards}.deck", env!("CARGO_MANIFEST_DIR"));
                assert_eq!(std::fs::read_to_string(&path)?, text, "{path} is not what this program deals");
            }
            let seven = Deck::parse("hand_7.deck", hand_file(7)?.as_bytes())?;
            let play = longest_sequence(&seven, None)?;
            assert!(play.is_optimal());
            println!("all hands are as they were dealt; of seven cards {} can be played", play.len());
        }
    }
    Ok(())
}

/// The text of the file for a hand of so many cards.
fn hand_file(cards: usize) -> Result<String, std::fmt::Error> {
    let pack = pack();
    let packs = cards.div_ceil(pack.len()).max(1);
    let mut pile: Vec<Card> = std::iter::repeat_n(pack, packs).flatten().collect();
    let mut generator = Mcg128Xsl64::new(cards as u128);
    let mut text = format!("# hand_{cards}\n# source: generated: cargo run --example make_hands {cards}\n");
    writeln!(text, "# {cards} number cards of {packs} pack(s), PCG Mcg128Xsl64 with seed {cards}")?;
    writeln!(text, "# licence: CC0-1.0")?;
    for _ in 0..cards {
        let drawn = generator.next_u64() % pile.len() as u64;
        writeln!(text, "{}", pile.swap_remove(drawn as usize))?;
    }
    Ok(text)
}

/// The number cards of one pack.
fn pack() -> Vec<Card> {
    let numbers = || std::iter::once(0).chain((1..=9).flat_map(|number| [number, number]));
    (1..=4).flat_map(|colour| numbers().map(move |number| Card { number, colour })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_hands_are_what_is_dealt() {
        for cards in HANDS {
            let path = format!("{}/graphs/uno/hand_{cards}.deck", env!("CARGO_MANIFEST_DIR"));
            assert_eq!(std::fs::read_to_string(path).unwrap(), hand_file(cards).unwrap());
        }
    }
}
