//! `longhaul uno`: the longest sequence of a deck, and what else there is to ask about one.

mod args;
mod attributes;
mod count;
mod deal;
mod fill_in;
mod games;
mod longest;

use std::process::ExitCode;

use serde::Serialize;

use crate::failure::Failure;
use crate::object::write_answer;
use crate::options::output::AnswerOutput;
use crate::options::run::RunArgs;
use crate::output::Output;
use crate::process::Process;
use crate::tell::tell;
pub(crate) use args::UnoArgs;
use deal::Deal;

pub(crate) fn run(args: &UnoArgs, process: &Process) -> Result<ExitCode, Failure> {
    if let Some(count) = args.attributes {
        if args.run.pictures.any() {
            return Err(Failure::usage("--picture and --report show cards of two attributes"));
        }
        return attributes::run(count, args, process);
    }
    let deal = Deal::open(&args.file, &args.run.reading(process))?;
    let form = args.run.output;
    let instead = !args.asks_for_a_path();
    if instead && args.run.pictures.any() {
        return Err(Failure::usage(
            "--picture and --report show the longest sequence, and something else is asked for",
        ));
    }
    if instead && form == AnswerOutput::Dimacs {
        return Err(Failure::usage("--output dimacs is for paths; ask for text, json or jsonl"));
    }
    let limits = args.run.limits(process);
    if args.count {
        count::run(&deal.single()?, args, &limits, process)
    } else if args.fill_in {
        fill_in::run(&deal.single()?, args, &limits, process)
    } else if let Some(rule) = args.cooperative {
        games::cooperative(&deal.dealt(args.players)?, rule, args, &limits, process)
    } else if let Some(rule) = args.uncooperative {
        games::uncooperative(&deal.dealt(args.players)?, rule, args, &limits, process)
    } else {
        longest::run(&deal.single()?, args, &limits, process)
    }
}

/// Prints an answer that is no path: an object, or the text that `text` writes.
fn print(
    args: &RunArgs,
    object: &impl Serialize,
    text: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> Result<ExitCode, Failure> {
    let mut output = Output::new();
    output.write(|out| match args.output {
        form @ (AnswerOutput::Json | AnswerOutput::Jsonl) => write_answer(object, form, out),
        AnswerOutput::Text | AnswerOutput::Dimacs => text(out),
    });
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// What `--verbose` tells of a search.
fn tell_spent(args: &RunArgs, process: &Process, steps: u64, peak_bytes: usize) {
    if args.verbose {
        tell(&format!("{steps} steps, {peak_bytes} bytes, {:.3} s", process.began.elapsed().as_secs_f64()));
    }
}
