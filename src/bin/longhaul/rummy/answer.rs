//! The best melding of a hand, as people and as programs read it.

use std::io::{self, Write};
use std::process::ExitCode;

use longhaul::adapters::rummy::{Best, Card, Configuration, Hand, Meld, Objective, Rummy, Weights};
use serde::Serialize;

use super::picture;
use crate::Process;
use crate::args::{InfoOutput, RummyArgs};
use crate::failure::Failure;
use crate::output::Output;

/// How cards are spelt: as the hand spells them.
#[derive(Clone, Copy)]
pub(super) struct Spelling {
    /// Aces and faces are numbers.
    pub(super) numbers: bool,
}

impl Spelling {
    pub(super) fn card(self, card: Card) -> String {
        if self.numbers { format!("{card:#}") } else { card.to_string() }
    }

    pub(super) fn cards(self, cards: impl IntoIterator<Item = Card>) -> Vec<String> {
        cards.into_iter().map(|card| self.card(card)).collect()
    }
}

/// A configuration in JSON.
#[derive(Serialize)]
pub(super) struct Melding {
    melds: Vec<Vec<String>>,
    /// For each meld with jokers the cards that all its places stand for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stands_for: Vec<StandsFor>,
    deadwood: Vec<String>,
    deadwood_cards: usize,
    deadwood_points: u64,
}

#[derive(Serialize)]
struct StandsFor {
    /// The place of the meld, from 0.
    meld: usize,
    cards: Vec<String>,
}

impl Melding {
    pub(super) fn new(configuration: &Configuration, weights: &Weights, spelling: Spelling) -> Self {
        let melds = configuration.melds();
        let with_jokers = melds.iter().enumerate().filter(|(_, meld)| meld.jokers() > 0);
        let stands_for = |(at, meld): (usize, &Meld)| StandsFor { meld: at, cards: spelling.cards(meld.stands_for()) };
        Melding {
            melds: melds.iter().map(|meld| spelling.cards(meld.cards())).collect(),
            stands_for: with_jokers.map(stands_for).collect(),
            deadwood: spelling.cards(configuration.deadwood().iter().copied()),
            deadwood_cards: configuration.deadwood().len(),
            deadwood_points: weights.sum(configuration.deadwood()),
        }
    }
}

impl Melding {
    /// The melds with their cards, then what is left.
    pub(super) fn write_line(&self, out: &mut dyn Write) -> io::Result<()> {
        for meld in &self.melds {
            write!(out, "{} | ", meld.join(" "))?;
        }
        let left = if self.deadwood.is_empty() { "nothing".to_owned() } else { self.deadwood.join(" ") };
        let (cards, points) = (self.deadwood_cards, self.deadwood_points);
        writeln!(out, "{left}  # {} left: {points} points", count(cards, "card"))
    }
}

#[derive(Serialize)]
struct Object {
    status: String,
    stop: String,
    objective: &'static str,
    #[serde(flatten)]
    melding: Melding,
    lower_bound: u64,
    steps: u64,
    seconds: f64,
}

/// What is counted.
pub(super) fn unit(objective: &Objective) -> &'static str {
    match objective {
        Objective::FewestCards => "cards",
        Objective::FewestPoints(_) => "points",
    }
}

pub(super) fn best(
    question: &Rummy<'_>,
    hand: &Hand,
    args: &RummyArgs,
    spelling: Spelling,
    process: &Process,
) -> Result<ExitCode, Failure> {
    let best = question.best();
    let objective = question.the_objective();
    let mut output = Output::new();
    output.write(|out| match args.output {
        InfoOutput::Json => {
            let object = Object {
                status: best.status().to_string(),
                stop: best.stop().to_string(),
                objective: unit(objective),
                melding: Melding::new(best.configuration(), objective.weights(), spelling),
                lower_bound: best.lower_bound(),
                steps: best.steps(),
                seconds: process.began.elapsed().as_secs_f64(),
            };
            serde_json::to_writer_pretty(&mut *out, &object)?;
            writeln!(out)
        }
        InfoOutput::Text => {
            writeln!(out, "# {}", summary(&best, hand, objective))?;
            write_melding(best.configuration(), spelling, out)
        }
    });
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn summary(best: &Best, hand: &Hand, objective: &Objective) -> String {
    let (cards, points) = (best.deadwood_cards(), best.deadwood_points());
    let melded = hand.len() - cards;
    let unit = unit(objective);
    let proof = match best.is_optimal() {
        true => format!("no melding leaves fewer {unit}: proved"),
        false => format!("no melding leaves fewer {unit} than {} (stopped: {})", best.lower_bound(), best.stop()),
    };
    format!("{melded} of {} melded, {} left: {points} points; {proof}", count(hand.len(), "card"), count(cards, "card"))
}

/// `1 card`, `2 cards`.
pub(super) fn count(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The grid, then a meld a line behind its letter, then what is left.
pub(super) fn write_melding(configuration: &Configuration, spelling: Spelling, out: &mut dyn Write) -> io::Result<()> {
    let paint = picture::Paint::for_stdout();
    picture::write_grid(configuration, paint, out)?;
    for (at, meld) in configuration.melds().iter().enumerate() {
        let cards = spelling.cards(meld.cards()).join(" ");
        writeln!(out, "{}  {cards}", paint.meld(at, &picture::letter(at)))?;
    }
    if !configuration.deadwood().is_empty() {
        let cards = spelling.cards(configuration.deadwood().iter().copied()).join(" ");
        writeln!(out, "{}  {cards}", paint.deadwood("-"))?;
    }
    Ok(())
}
