//! `longhaul check` of a run of a game, step by step.

use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;

use longhaul::adapters::uno::rewriting::{Choices, Rules, Step, UnknownStep, check_strategy, replay};
use longhaul::io::{self, GameFile, player_name};
use serde_json::Value;

use crate::failure::Failure;
use crate::input::read_text;
use crate::output::Output;

/// A run as somebody wrote it.
struct Run {
    rules: Option<Rules>,
    steps: Vec<Step>,
    /// Instead of steps: what a player does in each position.
    strategy: Option<Choices>,
    /// Who is said to have won.
    winner: Option<String>,
    depth: Option<u64>,
}

/// Whether a file is a game: by its extension, or by the hand of the first player.
pub(crate) fn is_game(path: &Path) -> bool {
    let holds_hands = |bytes: Vec<u8>| bytes.split(|&byte| byte == b'\n').any(|line| line.starts_with(b"A:"));
    match path.extension() {
        Some(extension) => extension.eq_ignore_ascii_case("cfg"),
        None => path.as_os_str() != "-" && std::fs::read(path).is_ok_and(holds_hands),
    }
}

/// Replays a run on the game of a file.
pub(crate) fn check(path: &Path, answer: &Path, rules: Option<Rules>) -> Result<ExitCode, Failure> {
    let (name, bytes) = io::read_bytes(path)?;
    let file = GameFile::parse(&name, &bytes).map_err(|error| Failure::in_file(&error, &bytes))?;
    let (name, text) = read_text(answer)?;
    let run = if text.trim_start().starts_with('{') { read_json(&name, &text)? } else { read_lines(&name, &text)? };
    let rules = rules.or(run.rules).unwrap_or_default();
    let verdict = judge(&file, rules, &run);
    let mut output = Output::new();
    output.write(|out| match &verdict {
        Ok(verdict) => writeln!(out, "valid: {verdict}"),
        Err(reason) => writeln!(out, "not valid: {reason}"),
    });
    output.finish()?;
    Ok(if verdict.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn judge(file: &GameFile, rules: Rules, run: &Run) -> Result<String, String> {
    if let Some(choices) = &run.strategy {
        return judge_strategy(file, rules, run, choices);
    }
    let winner = replay(file, rules, &run.steps).map_err(|error| error.to_string())?.map(player_name);
    let count = run.steps.len();
    if run.depth.is_some_and(|depth| depth != count as u64) {
        return Err(format!("a run of {count} steps, which claims to have another depth"));
    }
    match (winner, &run.winner) {
        (Some(winner), Some(claimed)) if winner.to_string() != *claimed => {
            Err(format!("{winner} has won, not {claimed}"))
        }
        (Some(winner), _) => Ok(format!("{winner} has won after {count} steps, {rules} rules")),
        (None, _) => Err(format!("nobody has won after {count} steps, {rules} rules")),
    }
}

fn judge_strategy(file: &GameFile, rules: Rules, run: &Run, choices: &Choices) -> Result<String, String> {
    let name = run.winner.as_deref().ok_or("a strategy without a player")?;
    let player = (0..file.hands.len()).find(|&player| player_name(player).to_string() == name);
    let player = player.ok_or_else(|| format!("the game has no player {name}"))?;
    let steps = check_strategy(file, rules, player, choices)?;
    match run.depth {
        Some(depth) if depth < steps as u64 => Err(format!("{name} needs up to {steps} steps to win, not {depth}")),
        _ => Ok(format!("{name} forces a win within {steps} steps by {} choices, {rules} rules", choices.len())),
    }
}

fn read_json(name: &str, text: &str) -> Result<Run, Failure> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        Failure::new(format!("{name}:{line}:{column}: found something else, expected JSON: {error}"))
    })?;
    let rules = value["rules"].as_str().map(Rules::from_str).transpose().map_err(Failure::new)?;
    let run = Run {
        rules,
        steps: Vec::new(),
        strategy: None,
        winner: value["player"].as_str().map(str::to_owned),
        depth: value["depth"].as_u64(),
    };
    let read = |step: &Value| {
        let words =
            step.as_str().ok_or_else(|| Failure::new(format!("{name}: found {step}, expected a step in words")))?;
        Step::from_str(words).map_err(|error| Failure::new(format!("{name}: {error}")))
    };
    if let Some(choices) = value["strategy"].as_array() {
        let choice = |choice: &Value| {
            let position = choice["position"].as_str().unwrap_or_default().to_owned();
            Ok((position, read(&choice["move"])?))
        };
        let strategy = Some(choices.iter().map(choice).collect::<Result<_, Failure>>()?);
        return Ok(Run { strategy, ..run });
    }
    let moves = value["moves"].as_array().ok_or_else(|| Failure::new(format!("{name}: the JSON has no \"moves\"")))?;
    Ok(Run { steps: moves.iter().map(read).collect::<Result<_, _>>()?, ..run })
}

/// A step a line, with or without its number; what is behind `#` says who wins by which rules.
fn read_lines(name: &str, text: &str) -> Result<Run, Failure> {
    let mut run = Run { rules: None, steps: Vec::new(), strategy: None, winner: None, depth: None };
    for (line, number) in text.lines().zip(1..) {
        if let Some(title) = line.strip_prefix('#') {
            if let Some((before, _)) = title.split_once(" can force a win, within ") {
                run.winner = before.rsplit(' ').next().map(str::to_owned);
            }
            let named = Rules::ALL.iter().find(|(name, _)| title.contains(&format!(", {name} rules")));
            run.rules = run.rules.or(named.map(|entry| entry.1));
            continue;
        }
        let wrong = |column: usize, error: UnknownStep| Failure::new(format!("{name}:{number}:{column}: {error}"));
        if let Some((position, words)) = line.split_once(" => ") {
            let step = words.parse().map_err(|error| wrong(position.chars().count() + 5, error))?;
            run.strategy.get_or_insert_default().insert(position.to_owned(), step);
            continue;
        }
        let Some((count, words)) = line.split_once(". ") else {
            if line.trim().is_empty() {
                continue;
            }
            run.steps.push(line.parse().map_err(|error| wrong(1, error))?);
            continue;
        };
        if count.trim().parse::<usize>().is_ok() {
            run.steps.push(words.parse().map_err(|error| wrong(count.len() + 3, error))?);
        }
    }
    Ok(run)
}
