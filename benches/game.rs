//! UNO as a game to search: states a second on one core, bytes a state, and the time to a shortest win.
//!
//! `cargo bench --bench game`. Every answer is asserted: the counts are those of the games searched in Maude, or proved by
//! the plain search of the tests. Maude's own search of the example makes 14.7 thousand states a second.

use std::time::Instant;

use longhaul::Limits;
use longhaul::adapters::uno::rewriting::{Game, Rules, deal};
use longhaul::explore::{End, Explored};
use longhaul::io::GameFile;

fn main() {
    let bytes = include_bytes!("../graphs/uno/games/maude_example.cfg");
    let file = GameFile::parse("maude_example.cfg", bytes).expect("the game is well formed");
    println!("{:<44} {:>9} {:>9} {:>11} {:>8}", "search", "states", "seconds", "states/s", "bytes");

    for threads in [1, 2] {
        let game = Game::new(&file, Rules::Printed);
        let explored = game.exploration().depth_limit(80).threads(threads).run();
        tell(&format!("example, pile cut, depth 80, {threads} threads"), &explored);
        assert_eq!((explored.end(), explored.goals()[0].depth), (End::Depth, Some(40)));
        assert!(explored.bytes() as u64 <= 32 * explored.states());
    }
    let game = Game::with_whole_pile(&file, Rules::Printed);
    let explored = game.exploration().depth_limit(60).run();
    tell("example, whole pile, depth 60", &explored);
    let first: Vec<_> = explored.goals().iter().map(|goal| goal.depth).collect();
    assert_eq!(first, [Some(40), Some(37), Some(39)]);
    assert_eq!(explored.states_by_depth()[..41].iter().sum::<u64>(), 133_661);

    // Without a time limit, so that the answers are proved on a slow machine, too; each player's should take seconds.
    let limits = Limits { threads: 2, ..Limits::default() };
    for (seed, expected) in [(1, [16, 18, 19, 20]), (2, [22, 24, 24, 24]), (3, [19, 19, 18, 20])] {
        let game = Game::new(&deal(seed, 4, 7).expect("28 cards can be dealt"), Rules::Official);
        let began = Instant::now();
        for (player, expected) in expected.into_iter().enumerate() {
            let estimate = |position: &[u8]| game.steps_to_win(position, player);
            let exploration = game.exploration().until(player).limits(limits.clone());
            let (explored, proved) = exploration.run_deepening(estimate(game.start()), estimate);
            tell(&format!("official 4x7, seed {seed}, player {player}"), &explored);
            assert_eq!((explored.goals()[player].depth, proved), (Some(expected), expected));
        }
        println!("{:<44} {:>19.2}", format!("official 4x7, seed {seed}, all players"), began.elapsed().as_secs_f64());
    }
}

fn tell(name: &str, explored: &Explored<[u8]>) {
    let (states, seconds) = (explored.states() as f64, explored.elapsed().as_secs_f64());
    let bytes = explored.bytes() as f64 / states;
    println!("{name:<44} {states:>9} {seconds:>9.3} {:>11.0} {bytes:>8.1}", states / seconds);
}
