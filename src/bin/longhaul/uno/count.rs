//! How many sequences there are.

use std::process::ExitCode;

use longhaul::Limits;
use longhaul::adapters::uno::counting::{self, BigUint, CountError};
use longhaul::adapters::uno::longest_sequence_with_wild;
use serde::Serialize;

use super::args::UnoArgs;
use super::deal::Deal;
use super::print;
use crate::failure::Failure;
use crate::process::Process;

#[derive(Serialize)]
struct Object {
    /// `counted`, or `unknown` if some count was not finished.
    status: &'static str,
    /// Why, if so.
    reason: Option<String>,
    cards: usize,
    wild: usize,
    /// The cards of a longest sequence.
    longest: Option<usize>,
    /// Counts are written out in words of digits, since they may be longer than JSON numbers.
    full_sequences: Option<String>,
    longest_sequences: Option<String>,
    path_sets: Option<String>,
    path_sets_by_paths: Option<Vec<String>>,
    seconds: f64,
}

pub(super) fn run(deal: &Deal, args: &UnoArgs, limits: &Limits, process: &Process) -> Result<ExitCode, Failure> {
    let (deck, wild) = (deal.deck(), args.wild);
    let cards = deck.cards().len().saturating_add(wild);
    let time_left = || args.run.spent.time_limit.map(|limit| limit.saturating_sub(process.began.elapsed()));
    // Each question may take half of the time that the ones before have left, the last one all of it.
    let half = || Limits { time: time_left().map(|time| time / 2), ..limits.clone() };
    let rest = || Limits { time: time_left(), ..limits.clone() };
    let mut reason = None;
    let mut known = |counted: Result<_, CountError>| counted.map_err(|error| reason = Some(error.to_string())).ok();
    let sequences = |cards, limits| counting::sequences(deck, wild, cards, &limits).map(|count| vec![count]);

    let play =
        longest_sequence_with_wild(deck, wild, None, &half()).map_err(|error| Failure::new(error.to_string()))?;
    let longest = (play.len() == play.upper_bound()).then(|| play.len());
    let full = match play.upper_bound() < cards {
        true => Some(vec![BigUint::ZERO]),
        false => known(sequences(cards, half())),
    };
    let longest_count = match longest {
        Some(longest) if longest == cards => full.clone(),
        Some(longest) => known(sequences(longest, half())),
        None => None,
    };
    let sets = known(counting::path_sets(deck, wild, &rest()));
    if longest.is_none() {
        reason = Some(format!("the longest sequence is not known (stopped: {})", play.stop()));
    }

    let digits = |count: &Option<Vec<BigUint>>| count.as_ref().map(|count| count[0].to_string());
    let by_paths = sets.as_ref().map(|sets| sets.iter().map(ToString::to_string).collect::<Vec<_>>());
    let object = Object {
        status: if reason.is_none() { "counted" } else { "unknown" },
        reason,
        cards,
        wild,
        longest,
        full_sequences: digits(&full),
        longest_sequences: digits(&longest_count),
        path_sets: sets.as_ref().map(|sets| sets.iter().sum::<BigUint>().to_string()),
        path_sets_by_paths: by_paths,
        seconds: process.began.elapsed().as_secs_f64(),
    };
    print(&args.run, &object, |out| {
        let shown = |count: &Option<String>| count.clone().unwrap_or_else(|| "unknown".to_owned());
        if let Some(reason) = &object.reason {
            writeln!(out, "# {reason}")?;
        }
        writeln!(out, "sequences of all {cards} cards: {}", shown(&object.full_sequences))?;
        if let Some(longest) = object.longest {
            writeln!(out, "longest sequences, of {longest} cards: {}", shown(&object.longest_sequences))?;
        }
        writeln!(out, "sets of sequences that play every card: {}", shown(&object.path_sets))?;
        for (count, paths) in object.path_sets_by_paths.iter().flatten().zip(1..) {
            writeln!(out, "  of {paths}: {count}")?;
        }
        Ok(())
    })
}
