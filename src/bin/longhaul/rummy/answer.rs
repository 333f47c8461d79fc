//! The best melding of a hand, as people and as programs read it.

use std::io::{self, Write};
use std::process::ExitCode;

use longhaul::adapters::rummy::{
    Best, Card, Configuration, Discard, Evaluator, Hand, HandError, Meld, Objective, Rummy, Table, Weights,
};
use serde::Serialize;

use super::{Request, Spelling, picture};
use crate::failure::Failure;
use crate::object::write_answer;
use crate::options::search::SearchOutput;
use crate::output::Output;

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
        Melding::of(configuration.melds(), configuration.deadwood(), weights, spelling)
    }

    fn of(melds: &[Meld], deadwood: &[Card], weights: &Weights, spelling: Spelling) -> Self {
        let with_jokers = melds.iter().enumerate().filter(|(_, meld)| meld.jokers() > 0);
        let stands_for = |(at, meld): (usize, &Meld)| StandsFor { meld: at, cards: spelling.cards(meld.stands_for()) };
        Melding {
            melds: of_melds(melds, spelling),
            stands_for: with_jokers.map(stands_for).collect(),
            deadwood: spelling.cards(deadwood.iter().copied()),
            deadwood_cards: deadwood.len(),
            deadwood_points: weights.sum(deadwood),
        }
    }

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

fn of_melds(melds: &[Meld], spelling: Spelling) -> Vec<Vec<String>> {
    melds.iter().map(|meld| spelling.cards(meld.cards())).collect()
}

/// The object of `--output json`.
#[derive(Serialize)]
struct Object {
    status: String,
    stop: String,
    objective: &'static str,
    #[serde(flatten)]
    melding: Melding,
    /// No melding leaves less.
    lower_bound: u64,
    /// The card to discard, after which the melding is what it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    discard: Option<String>,
    /// All discards, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    discards: Option<Vec<DiscardObject>>,
    /// With a table: the cards of the hand that are played.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<Vec<String>>,
    /// With cards laid off: the melds on the table afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<Vec<Vec<String>>>,
    steps: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct DiscardObject {
    card: String,
    /// What the best melding of the rest leaves, in cards or points as the objective says.
    leaves: u64,
    proved: bool,
}

impl Object {
    fn new(best: &Best, request: &Request<'_>) -> Self {
        Object {
            status: best.status().to_string(),
            stop: best.stop().to_string(),
            objective: unit(&request.objective),
            melding: Melding::new(best.configuration(), request.objective.weights(), request.spelling),
            lower_bound: best.lower_bound(),
            discard: None,
            discards: None,
            played: None,
            table: None,
            steps: best.steps(),
            seconds: request.process.began.elapsed().as_secs_f64(),
        }
    }
}

/// What is counted.
pub(super) fn unit(objective: &Objective) -> &'static str {
    match objective {
        Objective::FewestCards => "cards",
        Objective::FewestPoints(_) => "points",
    }
}

/// `1 card`, `2 cards`.
pub(super) fn count(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Prints the object, or what `text` writes.
fn print(
    request: &Request<'_>,
    object: impl FnOnce() -> Object,
    text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<ExitCode, Failure> {
    let mut output = Output::new();
    output.write(|out| match request.args.output {
        SearchOutput::Text => text(out),
        form => write_answer(&object(), form.form(), out),
    });
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn best(question: &Rummy<'_>, request: &Request<'_>) -> Result<ExitCode, Failure> {
    let best = question.best();
    let melded = format!("{} of {} melded", request.hand.len() - best.deadwood_cards(), cards_of(request.hand));
    let text = |out: &mut dyn Write| {
        writeln!(out, "# {melded}, {}", left(&best, "melding", request))?;
        write_melding(best.configuration(), request.spelling, out)
    };
    print(request, || Object::new(&best, request), text)
}

/// The best discard, and the melding of the rest.
pub(super) fn discard(question: &Rummy<'_>, request: &Request<'_>) -> Result<ExitCode, Failure> {
    let mut evaluator = Evaluator::new(question);
    let discards = evaluator.discards();
    let card = discards[0].card;
    evaluator.remove(card);
    let best = evaluator.best();
    let card = request.spelling.card(card);
    let object = || {
        let discard = |discard: &Discard| DiscardObject {
            card: request.spelling.card(discard.card),
            leaves: discard.cost,
            proved: discard.proved,
        };
        Object {
            discard: Some(card.clone()),
            discards: Some(discards.iter().map(discard).collect()),
            ..Object::new(&best, request)
        }
    };
    let text = |out: &mut dyn Write| {
        writeln!(out, "# discard {card}: {}", left(&best, "melding of the rest", request))?;
        write_melding(best.configuration(), request.spelling, out)?;
        writeln!(out, "# discards, and how many {} they leave:", unit(&request.objective))?;
        discards
            .iter()
            .try_for_each(|discard| writeln!(out, "#   {:<3} {}", request.spelling.card(discard.card), discard.cost))
    };
    print(request, object, text)
}

/// The most cards played where the table may be taken apart.
pub(super) fn rearrange(question: &Rummy<'_>, table: &Table, request: &Request<'_>) -> Result<ExitCode, Failure> {
    let best = question.rearrange(table).map_err(too_many)?;
    let played = played(request, best.deadwood());
    let object = || Object { played: Some(played.clone()), ..Object::new(&best, request) };
    let text = |out: &mut dyn Write| {
        writeln!(out, "# {}, {}", summary_of_played(&played, request), left(&best, "play", request))?;
        write_melding(best.configuration(), request.spelling, out)
    };
    print(request, object, text)
}

/// The best melding where cards may be added to the melds on the table.
pub(super) fn lay_off(question: &Rummy<'_>, table: &Table, request: &Request<'_>) -> Result<ExitCode, Failure> {
    let laid_off = question.lay_off(table).map_err(too_many)?;
    let best = laid_off.best();
    let played = played(request, best.deadwood());
    let spelling = request.spelling;
    let object = || Object {
        melding: Melding::of(laid_off.own(), best.deadwood(), request.objective.weights(), spelling),
        played: Some(played.clone()),
        table: Some(of_melds(laid_off.table(), spelling)),
        ..Object::new(best, request)
    };
    let text = |out: &mut dyn Write| {
        writeln!(out, "# {}, {}", summary_of_played(&played, request), left(best, "play", request))?;
        write_melding(best.configuration(), spelling, out)?;
        let added = table.melds().iter().zip(laid_off.table()).filter(|(before, after)| before != after);
        for (before, after) in added {
            let [before, after] = [before, after].map(|meld| spelling.cards(meld.cards()).join(" "));
            writeln!(out, "# {before} on the table has become {after}")?;
        }
        Ok(())
    };
    print(request, object, text)
}

fn too_many(error: HandError) -> Failure {
    Failure::new(format!("table and hand together: {error}"))
}

/// The cards of the hand without those that stay there.
fn played(request: &Request<'_>, deadwood: &[Card]) -> Vec<String> {
    let mut played = request.hand.clone();
    for &card in deadwood {
        played.remove(card);
    }
    request.spelling.cards(played.cards())
}

fn summary_of_played(played: &[String], request: &Request<'_>) -> String {
    let which = if played.is_empty() { String::new() } else { format!(" ({})", played.join(" ")) };
    format!("{} of {} played{which}", played.len(), cards_of(request.hand))
}

fn cards_of(hand: &Hand) -> String {
    count(hand.len(), "card")
}

/// What is left, and what is proved about that.
fn left(best: &Best, what: &str, request: &Request<'_>) -> String {
    let unit = unit(&request.objective);
    let proof = match best.is_optimal() {
        true => format!("no {what} leaves fewer {unit}: proved"),
        false => format!("no {what} leaves fewer {unit} than {} (stopped: {})", best.lower_bound(), best.stop()),
    };
    format!("{} left: {}; {proof}", count(best.deadwood_cards(), "card"), points(best.deadwood_points()))
}

fn points(points: u64) -> String {
    if points == 1 { "1 point".to_owned() } else { format!("{points} points") }
}

/// The grid, then a meld a line behind its letter, then what is left.
fn write_melding(configuration: &Configuration, spelling: Spelling, out: &mut dyn Write) -> io::Result<()> {
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
