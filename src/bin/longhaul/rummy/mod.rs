//! `longhaul rummy`: the best melds of a hand, and what else there is to ask about one.

mod answer;
mod args;
mod count;
mod list;
mod picture;

use std::path::Path;
use std::process::ExitCode;

use longhaul::adapters::rummy::{Card, Hand, Objective, Rummy, Table};
use longhaul::io::{self, HandFile, ReadOptions};

use crate::failure::Failure;
use crate::process::Process;
pub(crate) use args::RummyArgs;

/// What is asked, and how it is answered.
struct Request<'a> {
    args: &'a RummyArgs,
    process: &'a Process,
    hand: &'a Hand,
    objective: Objective,
    spelling: Spelling,
}

/// How cards are spelt: as the hand spells them.
#[derive(Clone, Copy)]
struct Spelling {
    /// Aces and faces are numbers.
    numbers: bool,
}

impl Spelling {
    fn card(self, card: Card) -> String {
        if self.numbers { format!("{card:#}") } else { card.to_string() }
    }

    fn cards(self, cards: impl IntoIterator<Item = Card>) -> Vec<String> {
        cards.into_iter().map(|card| self.card(card)).collect()
    }
}

pub(crate) fn run(args: &RummyArgs, process: &Process) -> Result<ExitCode, Failure> {
    let reading = process.reading(args.time_limit, args.memory_limit);
    let (hand, spelling) = read_hand(args, &reading)?;
    let objective = args.points.map_or(Objective::FewestCards, Objective::FewestPoints);
    let limits = process.limits(args.time_limit, args.memory_limit, Some(1), 0);
    let question = Rummy::new(&hand).ace(args.ace).objective(objective).limits(limits);
    let request = Request { args, process, hand: &hand, objective, spelling };
    if args.all {
        list::run(&question, question.configurations(), &request)
    } else if args.optima {
        list::run(&question, question.optima(), &request)
    } else if args.count {
        count::run(&question, &request)
    } else if args.discard {
        answer::discard(&question, &request)
    } else if let Some(file) = &args.table {
        let table = read_table(file, args, &hand, &reading)?;
        if args.lay_off {
            answer::lay_off(&question, &table, &request)
        } else {
            answer::rearrange(&question, &table, &request)
        }
    } else {
        answer::best(&question, &request)
    }
}

/// The hand, from the command line, a file or standard input, and how it spells its cards.
fn read_hand(args: &RummyArgs, reading: &ReadOptions) -> Result<(Hand, Spelling), Failure> {
    let (name, bytes) = match &args.hand[..] {
        [one] if one == "-" || Path::new(one).is_file() => io::read_bytes_within(Path::new(one), reading)?,
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

/// The melds of a file, of which the decks have to hold the cards beside the hand.
fn read_table(path: &Path, args: &RummyArgs, hand: &Hand, reading: &ReadOptions) -> Result<Table, Failure> {
    let (name, bytes) = io::read_bytes_within(path, reading)?;
    let in_file = |error| Failure::in_file(&error, &bytes);
    let table = Table::parse(&name, &bytes, args.decks, args.ace).map_err(in_file)?;
    let file = HandFile::parse(&name, &bytes).map_err(in_file)?;
    hand.clone().add_all(&file).map_err(|error| in_file(error).with_help("the cards of the hand count as well"))?;
    Ok(table)
}
