//! `longhaul uno`: the longest sequence of a deck.

use std::process::ExitCode;

use longhaul::adapters::uno::{Deck, Game};
use longhaul::io::{self, NodeNames};

use crate::Process;
use crate::answer::{Answer, Found};
use crate::args::{FirstCard, UnoArgs};
use crate::failure::Failure;
use crate::solve::configured;
use crate::watch::Watch;

pub(crate) fn run(args: &UnoArgs, process: &Process) -> Result<ExitCode, Failure> {
    let (name, bytes) = io::read_bytes(&args.file)?;
    let deck = Deck::parse(&name, &bytes).map_err(|error| Failure::in_file(&error, &bytes))?;
    let first = match args.first {
        None => None,
        Some(FirstCard::Position(position)) => Some(position),
        Some(FirstCard::Card(card)) => match deck.position(card) {
            Some(position) => Some(position),
            None => return Err(Failure::new(format!("--first: the deck has no card '{card}'"))),
        },
    };
    let game = Game::new(deck, args.run.memory_limit).map_err(|error| Failure::new(error.to_string()))?;
    let question = game.question(first).map_err(|error| Failure::new(format!("--first: {error}")))?;
    let mut watch = Watch::new(&args.run, process.interrupt.clone());
    let solution = configured(question, &args.run, process, &mut watch).solve()?;

    watch.ended(solution.stats());
    let play = game.play(&solution);
    let names = NodeNames::positions(game.deck().cards().len());
    let cards = Some((play.cards(), game.deck().cards().len()));
    let answer = Answer { found: Found::longest(&solution), names: &names, closed: false, cards };
    watch.output.write(|out| answer.write(args.run.output, out));
    watch.output.finish()?;
    Ok(answer.exit_code(args.run.sat_exit_codes))
}
