//! Games between players: with each other, and against each other.

use std::process::ExitCode;

use longhaul::Limits;
use longhaul::adapters::uno::cooperative::{self, PlayRule, Turn, Verdict};
use longhaul::adapters::uno::uncooperative::{Geography, Strategy, stuck};
use longhaul::adapters::uno::{Card, Deck};
use serde::Serialize;

use super::args::{LosingRule, UnoArgs};
use super::deal::Deal;
use super::{print, tell_spent};
use crate::failure::Failure;
use crate::process::Process;

/// The object of `--cooperative`.
#[derive(Serialize)]
struct Cooperation {
    /// `win`, `no-win`, or `unknown`.
    status: &'static str,
    stop: String,
    rule: &'static str,
    players: usize,
    /// What wins, turn by turn.
    turns: Vec<Move>,
    seconds: f64,
    peak_bytes: usize,
    steps: u64,
}

/// A turn; without a card where the player skips.
#[derive(Serialize)]
struct Move {
    player: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<String>,
}

pub(super) fn cooperative(
    deal: &Deal,
    rule: PlayRule,
    args: &UnoArgs,
    limits: &Limits,
    process: &Process,
) -> Result<ExitCode, Failure> {
    let answer = cooperative::win(&deal.hands, rule, limits).map_err(|error| Failure::new(error.to_string()))?;
    tell_spent(&args.run, process, answer.steps, answer.peak_bytes);
    let (status, stop, turns) = match &answer.verdict {
        Verdict::Win(turns) => ("win", "finished".to_owned(), &turns[..]),
        Verdict::NoWin => ("no-win", "finished".to_owned(), &[][..]),
        Verdict::Unknown(stop) => ("unknown", stop.to_string(), &[][..]),
    };
    let card = |turn: &Turn| match *turn {
        Turn::Play { player, position } => Some((position, deal.hands[player - 1].cards()[position - 1])),
        Turn::Skip { .. } => None,
    };
    let object = Cooperation {
        status,
        stop,
        rule: rule.name(),
        players: deal.hands.len(),
        turns: turns
            .iter()
            .map(|turn| Move {
                player: turn.player(),
                position: card(turn).map(|(position, _)| position),
                card: card(turn).map(|(_, card)| deal.card(card)),
            })
            .collect(),
        seconds: process.began.elapsed().as_secs_f64(),
        peak_bytes: answer.peak_bytes,
        steps: answer.steps,
    };
    print(&args.run, &object, |out| {
        let game = format!("{}, {rule}", count_of_players(deal.hands.len()));
        match &answer.verdict {
            Verdict::Win(turns) => writeln!(out, "# {game}: player 1 can win, in {} turns", turns.len())?,
            Verdict::NoWin => writeln!(out, "# {game}: player 1 can't win: proved")?,
            Verdict::Unknown(stop) => writeln!(out, "# {game}: not settled (stopped: {stop})")?,
        }
        let mut before: Option<Card> = None;
        for (turn, number) in turns.iter().zip(1..) {
            let player = turn.player();
            match card(turn) {
                None => writeln!(out, "{number}. player {player} can't play")?,
                Some((_, card)) => {
                    let link = before.map_or(String::new(), |before| format!(" ({})", deal.link(before, card)));
                    writeln!(out, "{number}. player {player}: {}{link}", deal.card(card))?;
                    before = Some(card);
                }
            }
        }
        Ok(())
    })
}

fn count_of_players(players: usize) -> String {
    if players == 1 { "1 player".to_owned() } else { format!("{players} players") }
}

/// The object of `--uncooperative`.
#[derive(Serialize)]
struct Contest {
    /// `settled` or `unknown`.
    status: &'static str,
    stop: String,
    rule: &'static str,
    /// Who wins, 1 or 2.
    winner: Option<usize>,
    /// Openings of player 1 that win: all of them for geography, one for stuck.
    openings: Vec<Place>,
    /// For geography: what the winner answers, after the first of the openings if that is player 1.
    answers: Vec<Answer>,
    seconds: f64,
}

#[derive(Serialize)]
struct Place {
    position: usize,
    card: String,
}

#[derive(Serialize)]
struct Answer {
    to: Place,
    card: Place,
}

pub(super) fn uncooperative(
    deal: &Deal,
    rule: LosingRule,
    args: &UnoArgs,
    limits: &Limits,
    process: &Process,
) -> Result<ExitCode, Failure> {
    let [one, two] = &deal.hands[..] else {
        let message =
            format!("--uncooperative is about 2 players, and the file holds the hands of {}", deal.hands.len());
        return Err(
            Failure::new(message).with_help("divide the file by a line '---', or deal the deck with --players 2")
        );
    };
    let place = |hand: &Deck, position: usize| Place { position, card: deal.card(hand.cards()[position - 1]) };
    let object = match rule {
        LosingRule::Geography => {
            let game = Geography::new(one, two);
            let strategy = game.strategy(game.openings().first().copied().unwrap_or(1));
            Contest {
                status: "settled",
                stop: "finished".to_owned(),
                rule: "geography",
                winner: Some(game.winner()),
                openings: game.openings().iter().map(|&position| place(one, position)).collect(),
                answers: strategy.map_or(Vec::new(), |strategy| answers(&strategy, one, two, place)),
                seconds: process.began.elapsed().as_secs_f64(),
            }
        }
        LosingRule::Stuck => {
            let answer = stuck(one, two, limits);
            tell_spent(&args.run, process, answer.steps, answer.peak_bytes);
            Contest {
                status: if answer.winner.is_ok() { "settled" } else { "unknown" },
                stop: answer.winner.map_or_else(|stop| stop.to_string(), |_| "finished".to_owned()),
                rule: "stuck",
                winner: answer.winner.ok(),
                openings: answer.opening.iter().map(|&position| place(one, position)).collect(),
                answers: Vec::new(),
                seconds: process.began.elapsed().as_secs_f64(),
            }
        }
    };
    print(&args.run, &object, |out| {
        match object.winner {
            Some(winner) => writeln!(out, "# 2 players, {}: player {winner} wins", object.rule)?,
            None => writeln!(out, "# 2 players, {}: not settled (stopped: {})", object.rule, object.stop)?,
        }
        let openings: Vec<&str> = object.openings.iter().map(|place| &place.card[..]).collect();
        if let [first, ..] = openings[..] {
            writeln!(out, "player 1 opens with one of: {}", openings.join(", "))?;
            if !object.answers.is_empty() {
                writeln!(out, "and after {first} answers")?;
            }
        } else if !object.answers.is_empty() {
            writeln!(out, "player 2 answers")?;
        }
        object.answers.iter().try_for_each(|answer| writeln!(out, "  to {}: {}", answer.to.card, answer.card.card))
    })
}

/// All answers of the winner, in the order of the opponent's cards.
fn answers(strategy: &Strategy, one: &Deck, two: &Deck, place: impl Fn(&Deck, usize) -> Place) -> Vec<Answer> {
    let (own, other) = if strategy.player() == 1 { (one, two) } else { (two, one) };
    let answer = |position| {
        let answer = strategy.answer(position)?;
        Some(Answer { to: place(other, position), card: place(own, answer) })
    };
    (1..=other.cards().len()).filter_map(answer).collect()
}
