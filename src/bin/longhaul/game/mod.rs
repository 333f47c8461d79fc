//! `longhaul game`: UNO as a game to search.

mod args;
mod check;
mod force;
mod search;

use std::path::Path;
use std::process::ExitCode;

use longhaul::Limits;
use longhaul::adapters::uno::rewriting::deal;
use longhaul::io::{self, GameFile, player_name};
use serde::Serialize;

pub(crate) use args::GameArgs;
pub(crate) use check::{check, is_game};

use crate::failure::Failure;
use crate::object::write_answer;
use crate::options::search::SearchOutput;
use crate::output::Output;
use crate::process::Process;

pub(crate) fn run(args: &GameArgs, process: &Process) -> Result<ExitCode, Failure> {
    if let Some(seed) = args.deal {
        return write_deal(seed, args);
    }
    let file = open(args.file.as_deref().expect("without --deal there is a file"), args, process)?;
    if let Some(player) = args.winner
        && player >= file.hands.len()
    {
        let (player, last) = (player_name(player), player_name(file.hands.len() - 1));
        return Err(Failure::new(format!("--winner: the game has no player {player}, only A to {last}")));
    }
    if args.force { force::run(&file, args, process) } else { search::run(&file, args, process) }
}

/// Reads a game.
fn open(path: &Path, args: &GameArgs, process: &Process) -> Result<GameFile, Failure> {
    let (name, bytes) = io::read_bytes_within(path, &args.spent.reading(process))?;
    GameFile::parse(&name, &bytes).map_err(|error| Failure::in_file(&error, &bytes))
}

fn write_deal(seed: u64, args: &GameArgs) -> Result<ExitCode, Failure> {
    const PLAYERS: usize = 4;
    const HAND: usize = 7;
    let (players, hand) = (args.players.unwrap_or(PLAYERS), args.hand.unwrap_or(HAND));
    let game = deal(seed, players, hand).map_err(|error| Failure::new(format!("--deal: {error}")))?;
    let write = |out: &mut dyn std::io::Write| {
        writeln!(out, "# {players} players, {hand} cards each, seed {seed}")?;
        game.write(out)
    };
    match &args.out {
        Some(path) => io::save(path, write)?,
        None => {
            let mut output = Output::new();
            output.write(write);
            output.finish()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What the options allow.
fn limits(args: &GameArgs, process: &Process) -> Limits {
    args.spent.of_library(process, 0)
}

/// Prints an answer: an object, or the text that `text` writes.
fn print(
    args: &GameArgs,
    object: &impl Serialize,
    text: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> Result<ExitCode, Failure> {
    let mut output = Output::new();
    output.write(|out| match args.output {
        SearchOutput::Text => text(out),
        form => write_answer(object, form.form(), out),
    });
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
