//! `longhaul rummy`: the best melds of a hand, and what else there is to ask about one.

mod answer;
mod list;
mod picture;

use std::path::Path;
use std::process::ExitCode;

use longhaul::Limits;
use longhaul::adapters::rummy::{Card, Hand, Objective, Rummy};
use longhaul::io::{self, HandFile};

use crate::Process;
use crate::args::RummyArgs;
use crate::failure::Failure;
use answer::Spelling;

pub(crate) fn run(args: &RummyArgs, process: &Process) -> Result<ExitCode, Failure> {
    let (hand, spelling) = read_hand(args)?;
    let objective = args.points.map_or(Objective::FewestCards, Objective::FewestPoints);
    let limits = Limits {
        time: args.time_limit.map(|limit| limit.saturating_sub(process.began.elapsed())),
        memory: args.memory_limit,
        interrupt: Some(process.interrupt.clone()),
        ..Limits::default()
    };
    let question = Rummy::new(&hand).ace(args.ace).objective(objective).limits(limits);
    if args.all {
        list::run(&question, &hand, args, spelling, process)
    } else {
        answer::best(&question, &hand, args, spelling, process)
    }
}

/// The hand, from the command line, a file or standard input, and how it spells its cards.
fn read_hand(args: &RummyArgs) -> Result<(Hand, Spelling), Failure> {
    let (name, bytes) = match &args.hand[..] {
        [one] if one == "-" || Path::new(one).is_file() => io::read_bytes(Path::new(one))?,
        words => ("hand".to_owned(), words.join(" ").into_bytes()),
    };
    if name == "hand" && bytes.trim_ascii().is_empty() {
        return Err(Failure::new("hand:1:1: found nothing, expected a card, as its rank and its suit, like 3H or QS"));
    }
    let in_file = |error| Failure::in_file(&error, &bytes);
    let file = HandFile::parse(&name, &bytes).map_err(in_file)?;
    let mut hand = Hand::new(args.decks);
    hand.add_all(&file).map_err(in_file)?;
    for _ in 0..args.jokers {
        hand.add(Card::JOKER).map_err(|error| Failure::new(format!("--jokers {}: {error}", args.jokers)))?;
    }
    Ok((hand, Spelling { numbers: file.spells_numbers() }))
}
