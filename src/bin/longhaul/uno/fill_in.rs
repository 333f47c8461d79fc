//! The fewest cards to add so that all can be played.

use std::process::ExitCode;

use longhaul::Limits;
use longhaul::adapters::uno::{PlayedCard, fill_in};
use serde::Serialize;

use super::args::UnoArgs;
use super::deal::{Deal, Row};
use super::{print, tell_spent};
use crate::answer::{cards_of, write_sequence};
use crate::failure::Failure;
use crate::process::Process;

#[derive(Serialize)]
struct Object {
    /// `optimal` if fewer cards will not do, else `feasible`.
    status: String,
    stop: String,
    /// How many cards are added, and how many must be.
    added: usize,
    lower_bound: usize,
    added_cards: Vec<String>,
    /// All cards in playing order, and their positions in the deck; null for a card that was added.
    cards: Vec<String>,
    positions: Vec<Option<usize>>,
    seconds: f64,
    peak_bytes: usize,
    steps: u64,
}

pub(super) fn run(deal: &Deal, args: &UnoArgs, limits: &Limits, process: &Process) -> Result<ExitCode, Failure> {
    let answer = fill_in(deal.deck(), limits).map_err(|error| Failure::new(error.to_string()))?;
    tell_spent(&args.run, process, answer.stats().steps, answer.stats().peak_bytes);
    let added: Vec<String> = answer.added().map(|card| deal.card(card)).collect();
    let row = Row { deal, laid: answer.play(), of: answer.play().len() };
    let object = Object {
        status: answer.status().to_string(),
        stop: answer.stop().to_string(),
        added: added.len(),
        lower_bound: answer.fewest(),
        added_cards: added.clone(),
        cards: cards_of(&row),
        positions: answer
            .play()
            .iter()
            .map(|laid| match laid {
                PlayedCard::Dealt { position } => Some(*position),
                _ => None,
            })
            .collect(),
        seconds: process.began.elapsed().as_secs_f64(),
        peak_bytes: answer.stats().peak_bytes,
        steps: answer.stats().steps,
    };
    print(&args.run, &object, |out| {
        let cards = match added.len() {
            0 => "no card need be added".to_owned(),
            1 => "1 card added".to_owned(),
            many => format!("{many} cards added"),
        };
        let proof = match answer.fewest() {
            _ if answer.is_optimal() && added.is_empty() => String::new(),
            _ if answer.is_optimal() => "; no fewer will do: proved".to_owned(),
            fewest => format!("; no fewer than {fewest} will do (stopped: {})", answer.stop()),
        };
        writeln!(out, "# {cards}{proof}")?;
        write_sequence(&row, out)
    })
}
