//! Games of UNO: files that are nearly right, and every game that can be read is played out by the rules and replayed.

use longhaul::Limits;
use longhaul::adapters::uno::rewriting::{Game, Rules, replay};
use longhaul::io::GameFile;
use proptest::prelude::*;

use super::{changed_texts, corpus, fuzz};
use std::time::Duration;

#[test]
fn shortest_wins_are_replayed() {
    let rules: Vec<Rules> = Rules::ALL.iter().map(|&(_, rules)| rules).collect();
    let cases = (changed_texts(corpus("games")), prop::sample::select(rules));
    fuzz(150, &cases, |(text, rules)| {
        let file = match GameFile::parse(&text.name, &text.bytes) {
            Ok(file) => file,
            Err(error) => return assert!(error.to_string().starts_with(&format!("{}:", text.name)), "{error}"),
        };
        let mut out = Vec::new();
        file.write(&mut out).expect("memory takes all");
        let again = GameFile::parse("again", &out).expect("what is written can be read");
        assert_eq!(again, file, "{}", String::from_utf8_lossy(&out));

        let game = Game::new(&file, rules);
        let limits = Limits { time: Some(Duration::from_millis(200)), memory: 16 << 20, ..Limits::default() };
        let explored = game.exploration().limits(limits).run();
        for (player, goal) in explored.goals().iter().enumerate() {
            if let Some(nearest) = goal.nearest {
                let way = explored.way_to(nearest);
                let steps = game.steps(&way);
                assert_eq!(replay(&file, rules, &steps), Ok(Some(player)));
            }
        }
    });
}
