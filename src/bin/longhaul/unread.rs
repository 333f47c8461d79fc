//! Where the limits of a run end the reading of its file: nothing is known yet, and that is an answer too.

use std::process::ExitCode;

use longhaul::io::NodeNames;
use longhaul::{Stats, Stop};
use serde::Serialize;

use crate::answer::Answer;
use crate::commands::Command;
use crate::failure::Failure;
use crate::object::{Effort, write_answer};
use crate::options::output::AnswerOutput;
use crate::options::run::RunArgs;
use crate::output::Output;
use crate::process::Process;

/// The object of `--output json` of what is not about paths: the fields that all answers have.
#[derive(Serialize)]
struct Object<'a> {
    status: &'static str,
    stop: String,
    engine: &'static str,
    seconds: f64,
    peak_bytes: usize,
    stats: Effort<'a>,
}

/// The answer of a command whose limits ended the reading; any other failure is one still.
pub(crate) fn answer(failure: Failure, command: &Command, process: &Process) -> Result<ExitCode, Failure> {
    let Some(stop) = failure.stop() else { return Err(failure) };
    match command {
        Command::Solve(args) => path(&failure, stop, &args.run, process),
        Command::Trail(args) => path(&failure, stop, &args.run, process),
        Command::Uno(args) if args.asks_for_a_path() => path(&failure, stop, &args.run, process),
        Command::Uno(args) => other(&failure, stop, args.run.output, process),
        Command::Game(args) => other(&failure, stop, args.output.form(), process),
        Command::Rummy(args) => other(&failure, stop, args.output.form(), process),
        Command::Clique(args) => other(&failure, stop, args.search.output.form(), process),
        _ => Err(failure),
    }
}

fn path(failure: &Failure, stop: Stop, args: &RunArgs, process: &Process) -> Result<ExitCode, Failure> {
    let stats = Stats {
        method: "reading",
        elapsed: process.began.elapsed(),
        decisions: vec![failure.to_string()],
        ..Stats::default()
    };
    let names = NodeNames::positions(0);
    let answer = Answer { stop, stats, ..Answer::unknown(&names) };
    let mut output = Output::new();
    output.write(|out| answer.write(args.output, out));
    output.finish()?;
    Ok(answer.exit_code(args.sat_exit_codes))
}

fn other(failure: &Failure, stop: Stop, form: AnswerOutput, process: &Process) -> Result<ExitCode, Failure> {
    let object = Object {
        status: "unknown",
        stop: stop.to_string(),
        engine: "reading",
        seconds: process.began.elapsed().as_secs_f64(),
        peak_bytes: 0,
        stats: Effort { steps: 0, decisions: &[failure.to_string()] },
    };
    let mut output = Output::new();
    output.write(|out| match form {
        AnswerOutput::Json | AnswerOutput::Jsonl => write_answer(&object, form, out),
        AnswerOutput::Text | AnswerOutput::Dimacs => writeln!(out, "# nothing is known; stopped: {stop}"),
    });
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
