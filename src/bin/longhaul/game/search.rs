//! Shortest winning runs, and counts.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use longhaul::adapters::uno::rewriting::{Game, Rules};
use longhaul::explore::{End, Explored};
use longhaul::io::{GameFile, player_name};
use serde::Serialize;

use super::args::Pile;
use super::{GameArgs, limits, print};
use crate::Process;
use crate::failure::Failure;
use crate::tell::tell;

/// The object of `--output json`.
#[derive(Serialize)]
struct Object {
    /// `win`, `no-win` or `unknown`.
    status: &'static str,
    /// `finished`, or which limit ended the search.
    stop: String,
    rules: &'static str,
    /// `whole` or `top`: how much of the pile is part of a state.
    pile: &'static str,
    players: usize,
    /// Whose run is told: who was asked for, else who can win soonest.
    player: Option<char>,
    /// The steps of a shortest run after which the player has won.
    depth: Option<usize>,
    moves: Vec<String>,
    /// Proved: without a win nobody who was asked for wins in fewer steps than one more.
    searched_depth: Option<usize>,
    states: u64,
    transitions: u64,
    states_by_depth: Vec<u64>,
    /// How many of the states are won, by player.
    wins: BTreeMap<char, u64>,
    /// The steps of a shortest run, by player.
    first_wins: BTreeMap<char, Option<usize>>,
    /// With `--count`: the states if only the top of the pile is part of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    states_with_pile_cut: Option<u64>,
    seconds: f64,
    bytes_per_state: f64,
    peak_bytes: usize,
}

pub(super) fn run(file: &GameFile, args: &GameArgs, process: &Process) -> Result<ExitCode, Failure> {
    let pile = args.pile.unwrap_or(if args.rules == Rules::Official { Pile::Top } else { Pile::Whole });
    let game = match pile {
        Pile::Whole => Game::with_whole_pile(file, args.rules),
        Pile::Top => Game::new(file, args.rules),
    };
    let explored = explore(&game, args, process);
    let goal = args.winner.or_else(|| {
        (0..game.players())
            .filter(|&player| depth(&explored, player).is_some())
            .min_by_key(|&player| depth(&explored, player))
    });
    let steps = goal.and_then(|player| explored.goals()[player].nearest).map(|id| game.steps(&explored.way_to(id)));
    let cut = match pile {
        _ if !args.count => None,
        Pile::Top => Some(explored.states()),
        // The same question again, which is the same but for the pile.
        Pile::Whole if !matches!(explored.end(), End::Spent(_) | End::States) => {
            let cut = Game::new(file, args.rules);
            let explored = explore(&cut, args, process);
            (!matches!(explored.end(), End::Spent(_))).then(|| explored.states())
        }
        Pile::Whole => None,
    };
    let by_player = || (0..game.players()).map(player_name);
    let object = Object {
        status: match (&steps, explored.end()) {
            (Some(_), _) => "win",
            (None, End::Complete) => "no-win",
            _ => "unknown",
        },
        stop: match explored.end() {
            End::Complete | End::Goal => "finished".to_owned(),
            End::Depth => "depth-limit".to_owned(),
            End::States => "state-limit".to_owned(),
            End::Spent(stop) => stop.to_string(),
        },
        rules: args.rules.name(),
        pile: if pile == Pile::Whole { "whole" } else { "top" },
        players: game.players(),
        player: goal.map(player_name),
        depth: steps.as_ref().map(Vec::len),
        moves: steps.iter().flatten().map(ToString::to_string).collect(),
        searched_depth: explored.states_by_depth().len().checked_sub(1),
        states: explored.states(),
        transitions: explored.transitions(),
        states_by_depth: explored.states_by_depth().to_vec(),
        wins: by_player().zip(explored.goals().iter().map(|goal| goal.count)).collect(),
        first_wins: by_player().zip(explored.goals().iter().map(|goal| goal.depth)).collect(),
        states_with_pile_cut: cut,
        seconds: process.began.elapsed().as_secs_f64(),
        bytes_per_state: explored.bytes() as f64 / explored.states().max(1) as f64,
        peak_bytes: explored.peak_bytes(),
    };
    print(args, &object, |out| write_text(&object, args, &explored, out))
}

fn depth(explored: &Explored<[u8]>, player: usize) -> Option<usize> {
    explored.goals()[player].depth
}

fn explore(game: &Game, args: &GameArgs, process: &Process) -> Explored<[u8]> {
    let mut exploration = game.exploration().limits(limits(args, process));
    if let Some(depth) = args.depth {
        exploration = exploration.depth_limit(depth);
    }
    if let Some(states) = args.states {
        exploration = exploration.state_limit(states);
    }
    if !args.count {
        exploration = match args.winner {
            Some(player) => exploration.until(player),
            None => exploration.until_all(),
        };
    }
    if args.verbose {
        exploration = exploration.on_progress(|layer| {
            let (seconds, depth, states, all) =
                (layer.elapsed.as_secs_f64(), layer.depth, layer.states, layer.states_in_all);
            tell(&format!("{seconds:>9.3}s | depth {depth:>4} | {states:>12} states | {all:>12} in all"));
        });
    }
    exploration.run()
}

fn write_text(object: &Object, args: &GameArgs, explored: &Explored<[u8]>, out: &mut dyn Write) -> io::Result<()> {
    let game = format!("{} players, {} rules", object.players, object.rules);
    let subject = args.winner.map_or("anybody".to_owned(), |player| player_name(player).to_string());
    match (object.player, object.depth) {
        (Some(player), Some(depth)) => {
            writeln!(out, "# {game}: {player} can win, in {depth} steps; no run is shorter: proved")?
        }
        _ if explored.end() == End::Complete => writeln!(out, "# {game}: no run makes {subject} win: proved")?,
        _ => {
            let within = object.searched_depth.map_or(String::new(), |depth| format!(" within {depth} steps"));
            writeln!(out, "# {game}: no run makes {subject} win{within}; stopped: {}", object.stop)?;
        }
    }
    for (at, step) in object.moves.iter().enumerate() {
        writeln!(out, "{}. {step}", at + 1)?;
    }
    if !args.count {
        return Ok(());
    }
    let what = if explored.end() == End::Complete { "" } else { " so far" };
    writeln!(out, "states{what}: {}, transitions: {}", object.states, object.transitions)?;
    if let Some(cut) = object.states_with_pile_cut {
        writeln!(out, "states with the pile cut to its top: {cut}")?;
    }
    for (player, wins) in &object.wins {
        let first = object.first_wins[player].map_or(String::new(), |depth| format!(", the first at depth {depth}"));
        writeln!(out, "won by {player}: {wins}{first}")?;
    }
    let mut all = 0;
    for (depth, states) in object.states_by_depth.iter().enumerate() {
        all += states;
        writeln!(out, "depth {depth}: {states} states, {all} in all")?;
    }
    Ok(())
}
