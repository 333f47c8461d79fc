//! Who can force a win.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;

use longhaul::adapters::uno::rewriting::{Choices, Contest, Game};
use longhaul::explore::{End, StateGraph};
use longhaul::io::{GameFile, player_name};
use serde::Serialize;

use super::{GameArgs, limits, print};
use crate::failure::Failure;
use crate::process::Process;

/// The object of `--output json`.
#[derive(Serialize)]
struct Object {
    /// `win` if the player, or anybody, can force a win, `no-win` if that is disproved, else `unknown`.
    status: &'static str,
    /// `finished`, or which limit ended the search.
    stop: String,
    rules: &'static str,
    players: usize,
    /// Who can force a win, or who was asked for.
    player: Option<char>,
    /// After how many steps at most the player has won.
    depth: Option<usize>,
    /// `win`, `no-win` or `unknown`, by player.
    force: BTreeMap<char, &'static str>,
    /// What the player does in every position that can come about.
    strategy: Vec<Choice>,
    states: u64,
    transitions: u64,
    states_by_depth: Vec<u64>,
    seconds: f64,
    peak_bytes: usize,
}

#[derive(Serialize)]
struct Choice {
    position: String,
    #[serde(rename = "move")]
    step: String,
}

pub(super) fn run(file: &GameFile, args: &GameArgs, process: &Process) -> Result<ExitCode, Failure> {
    // Of the pile only the top has a say in what can be forced.
    let game = Game::new(file, args.rules);
    let mut exploration = game.exploration().limits(limits(args, process));
    if let Some(depth) = args.depth {
        exploration = exploration.depth_limit(depth);
    }
    if let Some(states) = args.states {
        exploration = exploration.state_limit(states);
    }
    let graph = exploration.run_graph();
    let Verdicts { force, won, stop } = verdicts(file, args.winner, &game, &graph);
    let explored = graph.explored();
    let status = if won.is_some() {
        "win"
    } else if force.values().all(|&verdict| verdict == "no-win") {
        "no-win"
    } else {
        "unknown"
    };
    let (player, depth, choices) = match won {
        Some((player, steps, choices)) => (Some(player), Some(steps), choices),
        None => (args.winner.map(player_name), None, Choices::new()),
    };
    let object = Object {
        status,
        stop,
        rules: args.rules.name(),
        players: game.players(),
        player,
        depth,
        force,
        strategy: choices.into_iter().map(|(position, step)| Choice { position, step: step.to_string() }).collect(),
        states: explored.states(),
        transitions: explored.transitions(),
        states_by_depth: explored.states_by_depth().to_vec(),
        seconds: process.began.elapsed().as_secs_f64(),
        peak_bytes: explored.peak_bytes(),
    };
    print(args, &object, |out| write(&object, out))
}

/// What is known of each player who was asked for.
struct Verdicts {
    force: BTreeMap<char, &'static str>,
    /// Who can force a win, within how many steps, and by which choices.
    won: Option<(char, usize, Choices)>,
    stop: String,
}

fn verdicts(file: &GameFile, winner: Option<usize>, game: &Game, graph: &StateGraph<[u8]>) -> Verdicts {
    let mut verdicts = Verdicts { force: BTreeMap::new(), won: None, stop: "finished".to_owned() };
    for player in (0..game.players()).filter(|&player| winner.is_none_or(|winner| winner == player)) {
        let name = player_name(player);
        let verdict = match game.force(file, graph, player) {
            Contest::Win { steps, choices } => {
                verdicts.won = Some((name, steps, choices));
                "win"
            }
            Contest::NoWin => "no-win",
            Contest::Unknown(end) => {
                match end {
                    End::Depth => verdicts.stop = "depth-limit".to_owned(),
                    End::States => verdicts.stop = "state-limit".to_owned(),
                    End::Spent(stop) => verdicts.stop = stop.to_string(),
                    End::Complete | End::Goal | End::Bound(_) => {}
                }
                "unknown"
            }
        };
        verdicts.force.insert(name, verdict);
    }
    verdicts
}

/// The answer in words.
fn write(object: &Object, out: &mut dyn Write) -> std::io::Result<()> {
    let game = format!("{} players, {} rules", object.players, object.rules);
    for (player, &verdict) in &object.force {
        match verdict {
            "win" => {
                let (steps, count) = (object.depth.unwrap_or(0), object.strategy.len());
                writeln!(out, "# {game}: {player} can force a win, within {steps} steps, by {count} choices: proved")?;
            }
            "no-win" => writeln!(out, "# {game}: {player} cannot force a win: proved")?,
            _ => {
                let stop = &object.stop;
                writeln!(out, "# {game}: whether {player} can force a win is not settled; stopped: {stop}")?;
            }
        }
    }
    object.strategy.iter().try_for_each(|choice| writeln!(out, "{} => {}", choice.position, choice.step))
}
