//! A hand of UNO: how many cards can be played in a row, and how many when a card lies on the table?

use longhaul::adapters::uno::{Deck, longest_sequence};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The example of 12 cards of the Projet UNO, number and colour.
    let hand = Deck::parse("hand", b"0 1\n1 0\n5 3\n2 6\n1 5\n2 1\n0 3\n3 4\n5 2\n4 2\n0 5\n5 4\n")?;

    let play = longest_sequence(&hand, None)?;
    for (card, position) in play.cards().iter().zip(play.positions()) {
        println!("{card}   (card {position} of the hand)");
    }
    assert!(play.is_optimal());
    assert_eq!(play.len(), 9);

    let on_the_table = 3;
    let play = longest_sequence(&hand, Some(on_the_table))?;
    println!("after {} on the table: {} cards, that one included", play.cards()[0], play.len());
    assert_eq!(play.positions()[0], on_the_table);
    assert_eq!(play.len(), 6);
    Ok(())
}
