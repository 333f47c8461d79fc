//! `longhaul check` of a run of a game, step by step.

use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;

use longhaul::adapters::uno::rewriting::{Rules, Step, replay};
use longhaul::io::{self, GameFile, player_name};
use serde_json::Value;

use crate::check::read_text;
use crate::failure::Failure;
use crate::output::Output;

/// A run as somebody wrote it.
struct Run {
    rules: Option<Rules>,
    steps: Vec<Step>,
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

fn read_json(name: &str, text: &str) -> Result<Run, Failure> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        Failure::new(format!("{name}:{line}:{column}: found something else, expected JSON: {error}"))
    })?;
    let moves = value["moves"].as_array().ok_or_else(|| Failure::new(format!("{name}: the JSON has no \"moves\"")))?;
    let step = |step: &Value| {
        let words =
            step.as_str().ok_or_else(|| Failure::new(format!("{name}: found {step} in \"moves\", expected words")))?;
        Step::from_str(words).map_err(|error| Failure::new(format!("{name}: {error}")))
    };
    let rules = value["rules"].as_str().map(Rules::from_str).transpose().map_err(Failure::new)?;
    Ok(Run {
        rules,
        steps: moves.iter().map(step).collect::<Result<_, _>>()?,
        winner: value["player"].as_str().map(str::to_owned),
        depth: value["depth"].as_u64(),
    })
}

/// A step a line, with or without its number; what is behind `#` says who wins by which rules.
fn read_lines(name: &str, text: &str) -> Result<Run, Failure> {
    let mut run = Run { rules: None, steps: Vec::new(), winner: None, depth: None };
    for (line, number) in text.lines().zip(1..) {
        if let Some(title) = line.strip_prefix('#') {
            run.rules =
                Rules::ALL.iter().find(|(name, _)| title.contains(&format!(", {name} rules"))).map(|entry| entry.1);
            continue;
        }
        let Some((count, words)) = line.split_once(". ") else {
            if line.trim().is_empty() {
                continue;
            }
            run.steps.push(line.parse().map_err(|error| Failure::new(format!("{name}:{number}:1: {error}")))?);
            continue;
        };
        if count.trim().parse::<usize>().is_ok() {
            run.steps.push(
                words.parse().map_err(|error| Failure::new(format!("{name}:{number}:{}: {error}", count.len() + 3)))?,
            );
        }
    }
    Ok(run)
}
