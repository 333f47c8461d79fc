//! UNO as a game to search: the figures of the source, and random games against a plain search.

use longhaul::adapters::uno::rewriting::{Game, Rules, replay};
use longhaul::explore::{End, Explored};
use longhaul::io::GameFile;

fn game(name: &str) -> GameFile {
    let path = format!("{}/graphs/uno/games/{name}.cfg", env!("CARGO_MANIFEST_DIR"));
    GameFile::parse(name, &std::fs::read(path).unwrap()).unwrap()
}

/// The nearest win of each player, replayed.
fn check_wins(file: &GameFile, game: &Game, explored: &Explored<[u8]>) {
    for (player, goal) in explored.goals().iter().enumerate() {
        let Some(nearest) = goal.nearest else { continue };
        let steps = game.steps(&explored.way_to(nearest));
        assert_eq!(Some(steps.len()), goal.depth);
        assert_eq!(replay(file, game.rules(), &steps), Ok(Some(player)));
        let words: Vec<String> = steps.iter().map(ToString::to_string).collect();
        assert!(words.iter().zip(&steps).all(|(words, step)| words.parse() == Ok(*step)), "{words:?}");
    }
}

/// Counted in Maude itself, on the rules as they are printed.
#[test]
fn small_games_have_the_states_that_maude_counts() {
    type Figures = (&'static str, u64, u64, usize, [u64; 3], u64);
    let games: [Figures; 3] = [
        ("maude_40", 823, 848, 75, [33, 28, 18], 811),
        ("maude_94", 4905, 5059, 128, [120, 164, 143], 4867),
        ("maude_115", 440, 538, 50, [18, 0, 4], 374),
    ];
    for (name, states, transitions, depth, wins, cut) in games {
        let file = game(name);
        for threads in 1..=3 {
            let game = Game::with_whole_pile(&file, Rules::Printed);
            let explored = game.exploration().threads(threads).run();
            assert_eq!(explored.end(), End::Complete);
            assert_eq!((explored.states(), explored.transitions()), (states, transitions), "{name}");
            assert_eq!(explored.states_by_depth().len(), depth + 1);
            assert_eq!(explored.goals().iter().map(|goal| goal.count).collect::<Vec<_>>(), wins);
            check_wins(&file, &game, &explored);
        }
        let game = Game::new(&file, Rules::Printed);
        let explored = game.exploration().run();
        assert_eq!(explored.states(), cut, "{name}");
        check_wins(&file, &game, &explored);
    }
    let mended = Game::with_whole_pile(&game("maude_115"), Rules::Mended);
    assert_eq!(mended.exploration().run().states(), 406);
}

#[test]
fn the_example_has_the_first_wins_that_maude_finds() {
    let file = game("maude_example");
    let game = Game::with_whole_pile(&file, Rules::Printed);
    let explored = game.exploration().until_all().threads(2).run();
    assert_eq!(explored.end(), End::Goal);
    let depths: Vec<_> = explored.goals().iter().map(|goal| goal.depth).collect();
    assert_eq!(depths, [Some(40), Some(37), Some(39)]);
    check_wins(&file, &game, &explored);
    let mut all = 0;
    let by_depth: Vec<u64> = explored.states_by_depth().iter().map(|states| (all += states, all).1).collect();
    assert_eq!(by_depth[1..=6], [4, 7, 16, 25, 48, 71]);
    assert_eq!((by_depth[22], by_depth[26], by_depth[39], by_depth[40]), (18_128, 34_098, 122_387, 133_661));
}
