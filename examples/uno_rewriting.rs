//! A game of UNO by three sets of rules: who can win, how soon, and who can force it; and a whole official game.

use longhaul::adapters::uno::rewriting::{Contest, Game, Rules, deal, replay};
use longhaul::io::{GameFile, player_name};

const SMALL: &str = "\
A: 1,green 3,green 2,green
B: reverse,green stop,green stop,red
C: 2,red 1,blue 2,blue
pile: plus2,green
deck: stop,blue 3,blue reverse,blue 1,red
shuffle: 2,blue stop,green stop,red 1,red reverse,blue reverse,green 1,green stop,blue 2,red 2,green plus2,green 3,green 3,blue 1,blue
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = GameFile::parse("small", SMALL.as_bytes())?;
    for rules in [Rules::Printed, Rules::Mended] {
        let game = Game::with_whole_pile(&file, rules);
        let explored = game.exploration().run();
        println!("{rules} rules: {} states, {} transitions", explored.states(), explored.transitions());
        for (goal, player) in explored.goals().iter().zip(0..) {
            let Some(nearest) = goal.nearest else { continue };
            let steps = game.steps(&explored.way_to(nearest));
            assert_eq!(replay(&file, rules, &steps)?, Some(player));
            let name = player_name(player);
            println!("  {name} wins in {} of them, first after {} steps", goal.count, steps.len());
        }
    }

    // Only the top of the pile has a say in what can be forced.
    let game = Game::new(&file, Rules::Mended);
    let graph = game.exploration().run_graph();
    for player in 0..game.players() {
        let name = player_name(player);
        match game.force(&file, &graph, player) {
            Contest::Win { steps, choices } => {
                println!("{name} can force a win within {steps} steps, by {} choices:", choices.len());
                choices.iter().take(3).for_each(|(position, step)| println!("  {position} => {step}"));
            }
            Contest::NoWin => println!("{name} cannot force a win"),
            Contest::Unknown(end) => println!("{name}: not settled, {end:?}"),
        }
    }

    let file = deal(1, 4, 7)?;
    let game = Game::new(&file, Rules::Official);
    let estimate = |position: &[u8]| game.steps_to_win(position, 0);
    let (explored, _) = game.exploration().until(0).run_deepening(estimate(game.start()), estimate);
    let nearest = explored.goals()[0].nearest.ok_or("A can win with the help of all")?;
    println!("an official game of four players, dealt at random; the shortest run after which A has won:");
    for step in game.steps(&explored.way_to(nearest)) {
        println!("  {step}");
    }
    Ok(())
}
