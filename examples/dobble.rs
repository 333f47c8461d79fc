//! Decks of cards of which any two share exactly one symbol: made, bounded, checked, and as cliques of a graph.

use longhaul::adapters::dobble::{Deck, LargestDeck, Sharing, compatibility_graph, projective_plane};
use longhaul::clique::{MaximalCliques, MaximumClique};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The cards of the game in the shops: the projective plane of order 7.
    let game = projective_plane(7).expect("7 is a prime");
    assert_eq!(game.check(Sharing::ExactlyOne), Ok(()));
    println!("{} cards of {} symbols, {} in all", game.len(), game.card_size(), game.symbol_count());

    println!("\nsymbols | exactly one | at most one, on cards of 4");
    for symbols in 4..=16 {
        let sizes = [Sharing::ExactlyOne, Sharing::AtMostOne]
            .map(|sharing| LargestDeck::new(4, symbols).sharing(sharing).solve())
            .map(|answer| answer.map(|answer| (answer.size(), answer.upper_bound())));
        let [(exactly, bound), (at_most, _)] = [sizes[0].clone()?, sizes[1].clone()?];
        assert_eq!(exactly, bound, "settled");
        println!("{symbols:>7} | {exactly:>11} | {at_most:>11}");
    }

    // The same question as a clique: nodes are cards, and edges join those that share exactly one symbol.
    let graph = compatibility_graph(3, 7, Sharing::ExactlyOne)?;
    let clique = MaximumClique::new(&graph).solve()?;
    println!("\n7 symbols, 3 on a card: {} of {} cards", clique.size().unwrap_or(0), graph.node_count());
    for &node in clique.nodes().unwrap_or_default() {
        println!("  {:?}", graph[node]);
    }
    let planes = MaximalCliques::new(&graph)?.filter(|clique| clique.len() == 7).count();
    assert_eq!(planes, 30, "the Fano plane can be numbered in 30 ways");

    // A deck with a misprint.
    let printed = Deck::parse("printed.deck", b"anchor clown zebra\nanchor spider igloo\nspider clown anchor\n")?;
    let misprint = printed.check(Sharing::ExactlyOne).expect_err("two cards share two symbols");
    println!("\n{misprint}");
    Ok(())
}
