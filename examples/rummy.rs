//! A hand of rummy: what can be melded, which card to discard, and what a table is good for.

use longhaul::adapters::rummy::{Ace, Evaluator, Hand, Objective, Rummy, Table, Weights, islands};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The hand of two decks in Iheb Rachdi's article.
    let hand = Hand::parse("hand", b"JC 3H 4H JD 3D 5H 9D 2H 6H 3C 4H 3D 4D 5H QD 3C", 2)?;
    for island in islands(&hand, Ace::Low) {
        println!("island  {island}: {} configurations", Rummy::new(&island).configurations().count());
    }
    let best = Rummy::new(&hand).best();
    println!("best    {}", best.configuration());
    assert!(best.is_optimal());
    assert_eq!((best.deadwood_cards(), best.deadwood_points()), (9, 55));

    // Points instead of cards: the three of spades can go into a run or a set.
    let hand = Hand::parse("hand", b"AS 2S 3S KH KD KC 3H 3D", 1)?;
    let points = Objective::FewestPoints(Weights::FACES_TEN);
    println!("points  {}", Rummy::new(&hand).objective(points).best().configuration());

    // Eleven cards, one too many.
    let hand = Hand::parse("hand", b"4H 5H 6H 9S 9D 9C KS QD 2C 2D 7H", 1)?;
    let mut evaluator = Evaluator::new(&Rummy::new(&hand).objective(points));
    for discard in evaluator.discards().iter().take(3) {
        println!("discard {}: {} points are left", discard.card, discard.cost);
    }
    assert_eq!(evaluator.discards()[0].card.to_string(), "KS");

    // Melds on the table, and tiles to get rid of.
    let table = Table::parse("table", b"3H 4H 5H\n7H 7D 7C 7S\n", 2, Ace::Low)?;
    let hand = Hand::parse("hand", b"6H 8H 9H KS *", 2)?;
    let laid_off = Rummy::new(&hand).lay_off(&table)?;
    println!("laid off: {:?}, besides {:?}", laid_off.table(), laid_off.own());
    let rearranged = Rummy::new(&hand).rearrange(&table)?;
    println!("rearranged: {}", rearranged.configuration());
    assert_eq!(rearranged.deadwood_cards(), 1);
    Ok(())
}
