//! UNO as a game to search: the figures of the source, and random games against a plain search.

mod plain;

use std::time::Duration;

use longhaul::Limits;
use longhaul::adapters::uno::rewriting::{Contest, Game, Rules, deal, full_deck, replay};
use longhaul::explore::{End, Explored};
use longhaul::io::{GameCard, GameFile};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use plain::{Met, Plain};

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

/// Two or three players, up to twelve cards; some decks hold few types, so that much fits, and some many wild cards.
fn small_game(random: &mut Pcg64Mcg) -> GameFile {
    let mut below = |limit: usize| random.next_u64() as usize % limit;
    let (colours, numbers, specials) = (1 + below(4), 1 + below(3), below(2) == 0);
    let fits = |card: &GameCard| {
        let colour = card.colour as usize;
        let number = match card.kind {
            longhaul::io::CardType::Number(number) => usize::from(number) < numbers,
            _ => specials,
        };
        (colour < colours || card.is_wild()) && number
    };
    let cards: Vec<GameCard> = full_deck().into_iter().filter(fits).collect();
    let players = 2 + below(2);
    let count = players + 2 + below(11 - players);
    let drawn: Vec<GameCard> = (0..count).map(|_| cards[below(cards.len())]).collect();
    let mut shuffle = drawn.clone();
    (1..count).for_each(|last| shuffle.swap(last, below(last + 1)));
    if below(4) == 0 {
        // A shuffled deck that is not that of the game.
        shuffle.truncate(below(count));
    }
    let in_hands = players + below(count - players - 1);
    let hands = (0..players).map(|player| drawn[..in_hands].iter().skip(player).step_by(players).copied().collect());
    let in_pile = 1 + below(2).min(count - in_hands - 1);
    GameFile {
        hands: hands.collect(),
        pile: drawn[in_hands..in_hands + in_pile].to_vec(),
        deck: drawn[in_hands + in_pile..].to_vec(),
        shuffle,
    }
}

/// Whether the search has met what the plain one has; whether that is all.
fn agrees(file: &GameFile, rules: Rules, whole_pile: bool, threads: usize) -> bool {
    const MOST: usize = 500;
    let met = Plain { file, rules, whole_pile }.search(MOST);
    let depth = met.states.iter().map(|(_, depth)| *depth).max().unwrap();
    let is_complete = met.states.len() <= MOST;
    let game = if whole_pile { Game::with_whole_pile(file, rules) } else { Game::new(file, rules) };
    let limit = if is_complete { usize::MAX } else { depth };
    let explored = game.exploration().depth_limit(limit).threads(threads).run();
    assert_eq!(explored.end() == End::Complete, is_complete || explored.states_by_depth().len() <= depth);

    let mut by_depth = vec![0; depth + 1];
    met.states.iter().for_each(|&(_, depth)| by_depth[depth] += 1);
    assert_eq!(explored.states_by_depth(), by_depth);
    assert_eq!(explored.transitions(), met.successors.iter().map(|successors| successors.len() as u64).sum::<u64>());
    for (player, goal) in explored.goals().iter().enumerate() {
        let wins: Vec<usize> =
            met.states.iter().filter(|(state, _)| state.winner() == Some(player)).map(|(_, depth)| *depth).collect();
        assert_eq!((goal.count, goal.depth), (wins.len() as u64, wins.first().copied()));
    }
    check_wins(file, &game, &explored);
    if is_complete && !whole_pile {
        check_forced(file, &game, &met);
        check_estimates(&game, &met);
    }
    is_complete
}

fn check_forced(file: &GameFile, game: &Game, met: &Met) {
    let graph = game.exploration().run_graph();
    // Half of the layers settle some questions, and never another way.
    let depth = graph.explored().states_by_depth().len() / 2;
    let part = game.exploration().depth_limit(depth).run_graph();
    for player in 0..game.players() {
        let expected = met.forced(player)[0];
        let contest = game.force(file, &graph, player);
        assert_eq!(matches!(contest, Contest::Win { .. }), expected);
        assert_eq!(contest == Contest::NoWin, !expected);
        match game.force(file, &part, player) {
            Contest::Win { .. } => assert!(expected),
            Contest::NoWin => assert!(!expected),
            Contest::Unknown(end) => assert_eq!(end, End::Depth),
        }
    }
}

/// The estimate of what is left never says too much, and with it the same wins are found.
fn check_estimates(game: &Game, met: &Met) {
    if game.rules() != Rules::Official {
        return;
    }
    for player in 0..game.players() {
        let steps =
            met.states.iter().filter(|(state, _)| state.winner() == Some(player)).map(|(_, depth)| *depth).min();
        let estimate = |position: &[u8]| game.steps_to_win(position, player);
        let least = estimate(game.start());
        assert!(steps.is_none_or(|steps| least <= steps), "{least} steps at least, and there is a run of {steps:?}");
        // Beyond these steps no shortest run goes.
        let exploration = game.exploration().until(player).depth_limit(met.states.len());
        let (explored, proved) = exploration.run_deepening(least, estimate);
        assert_eq!(explored.goals()[player].depth, steps);
        assert!(steps.is_none_or(|steps| proved <= steps));
    }
}

#[test]
fn random_games_as_a_plain_search_finds_them() {
    let mut random = Pcg64Mcg::seed_from_u64(19);
    let mut complete = 0;
    for round in 0..2000 {
        let file = small_game(&mut random);
        for (_, rules) in Rules::ALL {
            complete += usize::from(agrees(&file, rules, round % 2 == 0, 1 + round % 2));
        }
    }
    assert!(complete > 4000, "{complete} of 8000 were searched to the end");
}

/// The wins that a search with an estimate finds in whole official games are those of a search without.
#[test]
fn wins_of_official_games_are_shortest() {
    for (seed, players, hand) in [(1, 2, 3), (2, 3, 2), (3, 3, 3), (4, 4, 2), (5, 5, 2), (6, 2, 4)] {
        let file = deal(seed, players, hand).unwrap();
        let game = Game::new(&file, Rules::Official);
        let limits = Limits { time: Some(Duration::from_secs(60)), threads: 2, ..Limits::default() };
        let plain = game.exploration().limits(limits.clone()).until_all().run();
        assert_eq!(plain.end(), End::Goal);
        for player in 0..players {
            let exploration = game.exploration().limits(limits.clone()).until(player);
            let least = game.steps_to_win(game.start(), player);
            let (explored, proved) = exploration.run_deepening(least, |position| game.steps_to_win(position, player));
            assert_eq!(explored.goals()[player].depth, plain.goals()[player].depth, "seed {seed}, player {player}");
            assert_eq!(Some(proved), explored.goals()[player].depth);
            check_wins(&file, &game, &explored);
        }
    }
}
