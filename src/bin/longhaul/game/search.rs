//! Shortest winning runs, and counts.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use longhaul::adapters::uno::rewriting::{Game, Rules};
use longhaul::explore::{End, Exploration, Explored, Listing};
use longhaul::io::{GameFile, player_name};
use serde::Serialize;

use super::args::Pile;
use super::{GameArgs, limits, print};
use crate::failure::Failure;
use crate::object::write_row;
use crate::options::search::SearchOutput;
use crate::output::Output;
use crate::process::Process;
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
    /// Proved: nobody who was asked for and does not win wins within so many steps.
    no_win_within: Option<usize>,
    states: u64,
    transitions: u64,
    states_by_depth: Vec<u64>,
    /// How many of the states that were met are won, by player.
    wins: BTreeMap<char, u64>,
    /// The steps of a shortest run, by player.
    first_wins: BTreeMap<char, Option<usize>>,
    /// A shortest run, by player.
    runs: BTreeMap<char, Vec<String>>,
    /// With `--count`: the states if only the top of the pile is part of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    states_with_pile_cut: Option<u64>,
    seconds: f64,
    bytes_per_state: f64,
    peak_bytes: usize,
}

/// A line of `--output jsonl` before the answer: a depth that has been searched.
#[derive(Serialize)]
struct LayerRow {
    seconds: f64,
    depth: usize,
    /// New at this depth, and in all.
    states: u64,
    states_in_all: u64,
}

/// What searches have found of each player.
struct Found {
    /// The searches; one for all players, or one for each.
    searches: Vec<Search>,
    /// By player: the run.
    runs: Vec<Option<Vec<String>>>,
}

struct Search {
    explored: Explored<[u8]>,
    /// Proved: who was asked for and does not win needs more steps than this.
    no_win_within: Option<usize>,
}

pub(super) fn run(file: &GameFile, args: &GameArgs, process: &Process) -> Result<ExitCode, Failure> {
    let pile = args.pile.unwrap_or(if args.rules == Rules::Official { Pile::Top } else { Pile::Whole });
    let game = match pile {
        Pile::Whole => Game::with_whole_pile(file, args.rules),
        Pile::Top => Game::new(file, args.rules),
    };
    let by_estimate = args.rules == Rules::Official && !args.count;
    let found = if by_estimate { search_each(&game, args, process) } else { search_all(&game, args, process) };
    let cut = states_with_pile_cut(file, pile, args, process, &found.searches[0].explored);
    let object = answer(&game, pile, args, process, found, cut);
    print(args, &object, |out| write_text(&object, args, out))
}

/// One breadth-first search for all players.
fn search_all(game: &Game, args: &GameArgs, process: &Process) -> Found {
    let explored = explore(game, args, process);
    let run = |player: usize| {
        let nearest = explored.goals()[player].nearest.filter(|_| args.winner.is_none_or(|winner| winner == player))?;
        Some(words(game, &explored.way_to(nearest)))
    };
    let runs = (0..game.players()).map(run).collect();
    let no_win_within = explored.states_by_depth().len().checked_sub(1).filter(|_| explored.end() != End::Complete);
    Found { searches: vec![Search { explored, no_win_within }], runs }
}

/// A search with an estimate of what is left for each player who is asked for; they share the time that is left.
fn search_each(game: &Game, args: &GameArgs, process: &Process) -> Found {
    let mut found = Found { searches: Vec::new(), runs: vec![None; game.players()] };
    let asked: Vec<usize> =
        (0..game.players()).filter(|&player| args.winner.is_none_or(|winner| winner == player)).collect();
    for (at, &player) in asked.iter().enumerate() {
        let mut limits = limits(args, process);
        limits.time = limits.time.map(|time| time / u32::try_from(asked.len() - at).unwrap_or(u32::MAX));
        let estimate = |position: &[u8]| game.steps_to_win(position, player);
        let exploration = limited(game, args, process).limits(limits).until(player);
        let (explored, proved) = exploration.run_deepening(game.steps_to_win(game.start(), player), estimate);
        if args.verbose {
            tell(&format!(
                "{}: {} states in the last search, none within {proved} steps before",
                player_name(player),
                explored.states()
            ));
        }
        let nearest = explored.goals()[player].nearest;
        found.runs[player] = nearest.map(|nearest| words(game, &explored.way_to(nearest)));
        let layers = explored.states_by_depth().len().saturating_sub(1);
        let no_win_within = (explored.end() != End::Complete).then(|| layers.max(proved.saturating_sub(1)));
        found.searches.push(Search { explored, no_win_within });
    }
    found
}

fn words(game: &Game, way: &[Vec<u8>]) -> Vec<String> {
    game.steps(way).iter().map(ToString::to_string).collect()
}

fn explore(game: &Game, args: &GameArgs, process: &Process) -> Explored<[u8]> {
    let exploration = limited(game, args, process);
    let exploration = match args.winner {
        _ if args.count => exploration,
        Some(player) => exploration.until(player),
        None => exploration.until_all(),
    };
    exploration.run()
}

/// A search within the limits of the options.
fn limited<'a>(
    game: &'a Game,
    args: &'a GameArgs,
    process: &Process,
) -> Exploration<'a, [u8], impl Listing<[u8]> + use<'a>> {
    let mut exploration = game.exploration().limits(limits(args, process));
    if let Some(depth) = args.depth {
        exploration = exploration.depth_limit(depth);
    }
    if let Some(states) = args.states {
        exploration = exploration.state_limit(states);
    }
    let (verbose, line_by_line) = (args.verbose, args.output == SearchOutput::Jsonl);
    if verbose || line_by_line {
        exploration = exploration.on_progress(move |layer| {
            let row = LayerRow {
                seconds: layer.elapsed.as_secs_f64(),
                depth: layer.depth,
                states: layer.states,
                states_in_all: layer.states_in_all,
            };
            if verbose {
                let LayerRow { seconds, depth, states, states_in_all } = row;
                tell(&format!("{seconds:>9.3}s | depth {depth:>4} | {states:>12} states | {states_in_all:>12} in all"));
            }
            if line_by_line {
                // Whoever does not listen any more is told so by the answer.
                let mut output = Output::new();
                output.write_now(|out| write_row("layer", &row, out));
            }
        });
    }
    exploration
}

/// The same count again, with the pile cut, where it was not.
fn states_with_pile_cut(
    file: &GameFile,
    pile: Pile,
    args: &GameArgs,
    process: &Process,
    explored: &Explored<[u8]>,
) -> Option<u64> {
    let is_over = |end| matches!(end, End::Spent(_) | End::States);
    if !args.count || is_over(explored.end()) {
        return None;
    }
    if pile == Pile::Top {
        return Some(explored.states());
    }
    let cut = explore(&Game::new(file, args.rules), args, process);
    (!is_over(cut.end())).then(|| cut.states())
}

fn answer(
    game: &Game,
    pile: Pile,
    args: &GameArgs,
    process: &Process,
    found: Found,
    states_with_pile_cut: Option<u64>,
) -> Object {
    let Found { searches, runs } = found;
    let end = |search: &Search| search.explored.end();
    let names = || (0..game.players()).map(player_name);
    let soonest = names().zip(&runs).filter_map(|(name, run)| Some((name, run.as_ref()?)));
    let (player, moves) =
        soonest.min_by_key(|(_, run)| run.len()).map_or((None, None), |(name, run)| (Some(name), Some(run)));
    // Whichever search ended early speaks for all.
    let ended = searches.iter().map(end).find(|end| !matches!(end, End::Complete | End::Goal)).unwrap_or(End::Complete);
    let sum = |of: fn(&Explored<[u8]>) -> u64| searches.iter().map(|search| of(&search.explored)).sum::<u64>();
    let wins = |player: usize| searches.iter().map(|search| search.explored.goals()[player].count).sum::<u64>();
    let states = sum(Explored::states);
    let bytes: usize = searches.iter().map(|search| search.explored.bytes()).sum();
    let layers = searches.iter().map(|search| search.explored.states_by_depth().len()).max().unwrap_or(0);
    let in_layer = |depth| searches.iter().filter_map(|search| search.explored.states_by_depth().get(depth)).sum();
    Object {
        status: match (moves, ended) {
            (Some(_), _) => "win",
            (None, End::Complete) => "no-win",
            _ => "unknown",
        },
        stop: match ended {
            End::Complete | End::Goal => "finished".to_owned(),
            End::Depth | End::Bound(_) => "depth-limit".to_owned(),
            End::States => "state-limit".to_owned(),
            End::Spent(stop) => stop.to_string(),
        },
        rules: args.rules.name(),
        pile: if pile == Pile::Whole { "whole" } else { "top" },
        players: game.players(),
        player: player.or_else(|| args.winner.map(player_name)),
        depth: moves.map(Vec::len),
        moves: moves.cloned().unwrap_or_default(),
        no_win_within: searches
            .iter()
            .filter(|search| !matches!(end(search), End::Goal))
            .filter_map(|search| search.no_win_within)
            .min(),
        states,
        transitions: sum(Explored::transitions),
        states_by_depth: (0..layers).map(in_layer).collect(),
        wins: names().zip((0..game.players()).map(wins)).collect(),
        first_wins: names().zip(runs.iter().map(|run| run.as_ref().map(Vec::len))).collect(),
        runs: names().zip(&runs).filter_map(|(name, run)| Some((name, run.clone()?))).collect(),
        states_with_pile_cut,
        seconds: process.began.elapsed().as_secs_f64(),
        bytes_per_state: bytes as f64 / states.max(1) as f64,
        peak_bytes: searches.iter().map(|search| search.explored.peak_bytes()).max().unwrap_or(0),
    }
}

fn write_text(object: &Object, args: &GameArgs, out: &mut dyn Write) -> io::Result<()> {
    let game = format!("{} players, {} rules", object.players, object.rules);
    match (object.player, object.depth) {
        (Some(player), Some(depth)) => {
            writeln!(out, "# {game}: {player} can win, in {depth} steps; no run is shorter: proved")?;
        }
        (player, _) => {
            let player = player.map_or("anybody".to_owned(), |player| player.to_string());
            match (object.status, object.no_win_within) {
                ("no-win", _) => writeln!(out, "# {game}: no run makes {player} win: proved")?,
                (_, Some(steps)) => writeln!(
                    out,
                    "# {game}: no run makes {player} win within {steps} steps: proved; stopped: {}",
                    object.stop
                )?,
                (_, None) => writeln!(out, "# {game}: nothing is known; stopped: {}", object.stop)?,
            }
        }
    }
    for (at, step) in object.moves.iter().enumerate() {
        writeln!(out, "{}. {step}", at + 1)?;
    }
    if args.winner.is_none() && !args.count {
        write_first_wins(object, out)?;
    }
    if args.count { write_counts(object, out) } else { Ok(()) }
}

/// The runs of the other players, as comments: what `check` reads is the first run.
fn write_first_wins(object: &Object, out: &mut dyn Write) -> io::Result<()> {
    for (player, steps) in &object.first_wins {
        match (steps, object.no_win_within) {
            (Some(steps), _) => writeln!(out, "# {player} can win in {steps} steps")?,
            (None, None) => writeln!(out, "# {player} cannot win")?,
            (None, Some(within)) => writeln!(out, "# {player} cannot win within {within} steps")?,
        }
        if Some(*player) != object.player
            && let Some(run) = object.runs.get(player)
        {
            for (at, step) in run.iter().enumerate() {
                writeln!(out, "#   {}. {step}", at + 1)?;
            }
        }
    }
    Ok(())
}

fn write_counts(object: &Object, out: &mut dyn Write) -> io::Result<()> {
    let what = if object.stop == "finished" { "" } else { " so far" };
    writeln!(out, "# states{what}: {}, transitions: {}", object.states, object.transitions)?;
    if let Some(cut) = object.states_with_pile_cut {
        writeln!(out, "# states with the pile cut to its top: {cut}")?;
    }
    for (player, wins) in &object.wins {
        let first = object.first_wins[player].map_or(String::new(), |depth| format!(", the first at depth {depth}"));
        writeln!(out, "# won by {player}: {wins}{first}")?;
    }
    let mut all = 0;
    for (depth, states) in object.states_by_depth.iter().enumerate() {
        all += states;
        writeln!(out, "# depth {depth}: {states} states, {all} in all")?;
    }
    Ok(())
}
