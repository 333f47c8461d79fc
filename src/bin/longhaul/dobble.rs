//! `longhaul dobble`: the largest deck of which any two cards share one symbol, and the check of a deck.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use longhaul::adapters::dobble::{Deck, DeckSolution, DobbleError, LargestDeck, Sharing};
use longhaul::io::{read_bytes, save};
use serde::Serialize;

use crate::Process;
use crate::clique::told;
use crate::failure::Failure;
use crate::output::Output;
use crate::search_args::{DobbleArgs, SearchOutput};
use crate::tell::tell;

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
    cards: Vec<Vec<u32>>,
    engine: &'static str,
    seconds: f64,
    stats: Details<'a>,
}

#[derive(Serialize)]
struct Details<'a> {
    steps: u64,
    decisions: &'a [String],
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
    let mut output = Output::new();
    let question = LargestDeck::new(card_size, symbols)
        .sharing(sharing)
        .limits(args.search.limits(process))
        .on_progress(|progress| {
            if !told(progress, args.search.output, args.search.verbose, &mut output) {
                process.interrupt.store(true, Ordering::Relaxed);
            }
        });
    let answer = question.solve()?;
    if args.search.verbose {
        answer.stats().decisions.iter().for_each(|decision| tell(decision));
        tell(&format!("{} steps, {:.3} s", answer.stats().steps, answer.stats().elapsed.as_secs_f64()));
    }
    if let Some(file) = &args.out {
        save(file, |out| write_deck(&answer, symbols, sharing, out))?;
    }
    output.write(|out| match args.search.output {
        SearchOutput::Text if args.out.is_some() => writeln!(out, "# {}", summary(&answer, symbols, sharing)),
        SearchOutput::Text => write_deck(&answer, symbols, sharing, out),
        SearchOutput::Json => {
            serde_json::to_writer_pretty(&mut *out, &object(&answer, symbols, sharing))?;
            writeln!(out)
        }
        SearchOutput::Jsonl => {
            serde_json::to_writer(&mut *out, &object(&answer, symbols, sharing))?;
            writeln!(out)
        }
    });
    output.finish()?;
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
        cards: answer.deck().cards().map(|card| card.iter().map(|symbol| symbol + 1).collect()).collect(),
        engine: stats.engine,
        seconds: stats.elapsed.as_secs_f64(),
        stats: Details { steps: stats.steps, decisions: &stats.decisions },
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
        _ => {
            serde_json::to_writer(&mut *out, &checked)?;
            writeln!(out)
        }
    });
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

impl From<DobbleError> for Failure {
    fn from(error: DobbleError) -> Self {
        Failure::new(error.to_string())
    }
}
