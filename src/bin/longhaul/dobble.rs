//! `longhaul dobble`: the largest deck of which any two cards share one symbol, and the check of a deck.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use longhaul::adapters::dobble::{Deck, DeckSolution, DobbleError, LargestDeck, Sharing};
use longhaul::io::{read_bytes, save};
use serde::{Serialize, Serializer};

use crate::failure::Failure;
use crate::object::{Effort, write_answer};
use crate::options::search::{SearchArgs, SearchOutput};
use crate::output::Output;
use crate::process::Process;
use crate::watch::Watch;

#[derive(clap::Args)]
pub(crate) struct DobbleArgs {
    /// How many symbols a card has.
    #[arg(required_unless_present = "check")]
    pub(crate) k: Option<usize>,
    /// How many symbols there are in all.
    #[arg(required_unless_present = "check")]
    pub(crate) n: Option<usize>,
    /// Any two cards share at most one symbol [default: exactly one]
    #[arg(long)]
    pub(crate) at_most_one: bool,
    /// Write the deck to this file, whole or not at all [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Check a deck instead: a card a line, its symbols as words; '-' is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["k", "n", "out", "time_limit", "memory_limit", "threads", "seed", "verbose", "quiet"])]
    pub(crate) check: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

#[derive(Serialize)]
struct Object<'a> {
    status: String,
    stop: String,
    size: usize,
    upper_bound: usize,
    card_size: usize,
    symbols: usize,
    sharing: String,
    /// The symbols of each card, numbers from 1.
    cards: Cards<'a>,
    engine: &'static str,
    seconds: f64,
    stats: Effort<'a>,
}

/// The cards as lists of numbers, made as they are written.
struct Cards<'a>(&'a Deck);

impl Serialize for Cards<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Card<'a>(&'a [u32]);
        impl Serialize for Card<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.0.iter().map(|symbol| symbol + 1))
            }
        }
        serializer.collect_seq(self.0.cards().map(Card))
    }
}

/// What a check says of a deck that is one.
#[derive(Serialize)]
struct Checked {
    status: &'static str,
    size: usize,
    card_size: usize,
    symbols: usize,
    sharing: String,
}

pub(crate) fn run(args: &DobbleArgs, process: &Process) -> Result<ExitCode, Failure> {
    let sharing = if args.at_most_one { Sharing::AtMostOne } else { Sharing::ExactlyOne };
    match (&args.check, args.k, args.n) {
        (None, Some(card_size), Some(symbols)) => largest(card_size, symbols, sharing, args, process),
        (Some(file), ..) => check(file, sharing, args.search.output),
        _ => unreachable!("both numbers are required where there is no deck to check"),
    }
}

fn largest(
    card_size: usize,
    symbols: usize,
    sharing: Sharing,
    args: &DobbleArgs,
    process: &Process,
) -> Result<ExitCode, Failure> {
    let mut watch = Watch::of_search(&args.search, process.interrupt.clone());
    let question = LargestDeck::new(card_size, symbols)
        .sharing(sharing)
        .limits(args.search.limits(process))
        .on_progress(|progress| watch.improved(progress));
    let answer = question.solve()?;
    watch.ended(answer.stats());
    if let Some(file) = &args.out {
        save(file, |out| write_deck(&answer, symbols, sharing, out))?;
    }
    watch.output.write(|out| match args.search.output {
        SearchOutput::Text if args.out.is_some() => writeln!(out, "# {}", summary(&answer, symbols, sharing)),
        SearchOutput::Text => write_deck(&answer, symbols, sharing, out),
        form => write_answer(&object(&answer, symbols, sharing), form.form(), out),
    });
    watch.output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// A summary behind `#`, then the cards: a deck file again.
fn write_deck(answer: &DeckSolution, symbols: usize, sharing: Sharing, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# {}", summary(answer, symbols, sharing))?;
    answer.deck().write(out)
}

fn summary(answer: &DeckSolution, symbols: usize, sharing: Sharing) -> String {
    let deck = answer.deck();
    let cards = if deck.len() == 1 { "1 card".to_owned() } else { format!("{} cards", deck.len()) };
    let of = if deck.card_size() == 1 { "1 symbol".to_owned() } else { format!("{} symbols", deck.card_size()) };
    let proof = if answer.is_optimal() {
        "no deck is larger: proved".to_owned()
    } else {
        format!("no deck has more than {} (stopped: {})", answer.upper_bound(), answer.stop())
    };
    format!("{cards} of {of}, {symbols} in all, any two sharing {sharing}; {proof}")
}

fn object(answer: &DeckSolution, symbols: usize, sharing: Sharing) -> Object<'_> {
    let stats = answer.stats();
    Object {
        status: answer.status().to_string(),
        stop: answer.stop().to_string(),
        size: answer.size(),
        upper_bound: answer.upper_bound(),
        card_size: answer.deck().card_size(),
        symbols,
        sharing: sharing.to_string(),
        cards: Cards(answer.deck()),
        engine: stats.method,
        seconds: stats.elapsed.as_secs_f64(),
        stats: Effort { steps: stats.steps, decisions: &stats.decisions },
    }
}

fn check(file: &Path, sharing: Sharing, form: SearchOutput) -> Result<ExitCode, Failure> {
    let (name, bytes) = read_bytes(file)?;
    let deck = Deck::parse(&name, &bytes).map_err(|error| Failure::in_file(&error, &bytes))?;
    if deck.len() == 1 {
        let message = format!("{name}: the deck has one card; whether two share {sharing} symbol takes two or more");
        return Err(Failure::new(message));
    }
    deck.check(sharing).map_err(|unfit| Failure::new(format!("{name}: {unfit}")))?;
    let checked = Checked {
        status: "valid",
        size: deck.len(),
        card_size: deck.card_size(),
        symbols: deck.symbol_count(),
        sharing: sharing.to_string(),
    };
    let mut output = Output::new();
    output.write(|out| match form {
        SearchOutput::Text => {
            let Checked { size, card_size, symbols, .. } = checked;
            writeln!(out, "valid: {size} cards of {card_size} symbols, {symbols} in all; any two share {sharing}")
        }
        form => write_answer(&checked, form.form(), out),
    });
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

impl From<DobbleError> for Failure {
    fn from(error: DobbleError) -> Self {
        Failure::new(error.to_string())
    }
}
