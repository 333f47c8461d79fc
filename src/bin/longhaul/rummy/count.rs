//! How many configurations a hand has, and how many of them are best.

use std::process::ExitCode;

use longhaul::Stop;
use longhaul::adapters::rummy::Rummy;
use serde::Serialize;

use super::Request;
use super::answer::{count, unit};
use crate::failure::Failure;
use crate::object::write_answer;
use crate::options::search::SearchOutput;
use crate::output::Output;

/// Counts may be larger than other programs' numbers: they are written as text.
#[derive(Serialize)]
struct Object {
    status: &'static str,
    stop: String,
    objective: &'static str,
    configurations: Option<String>,
    /// Where not all were counted.
    at_least: Option<String>,
    optima: Option<String>,
    /// What the best leave.
    least: Option<u64>,
    seconds: f64,
}

pub(super) fn run(question: &Rummy<'_>, request: &Request<'_>) -> Result<ExitCode, Failure> {
    let counts = question.count();
    let stop = counts.as_ref().map_or_else(|uncounted| uncounted.stop, |_| Stop::Finished);
    let unit = unit(&request.objective);
    let mut output = Output::new();
    output.write(|out| match request.args.output {
        form @ (SearchOutput::Json | SearchOutput::Jsonl) => {
            let object = Object {
                status: if counts.is_ok() { "optimal" } else { "unknown" },
                stop: stop.to_string(),
                objective: unit,
                configurations: counts.as_ref().ok().map(|counts| counts.configurations.to_string()),
                at_least: counts.as_ref().err().map(|uncounted| uncounted.at_least.to_string()),
                optima: counts.as_ref().ok().map(|counts| counts.optima.to_string()),
                least: counts.as_ref().ok().map(|counts| counts.least),
                seconds: request.process.began.elapsed().as_secs_f64(),
            };
            write_answer(&object, form.form(), out)
        }
        SearchOutput::Text => match &counts {
            Ok(counts) => {
                writeln!(out, "configurations  {}", counts.configurations)?;
                writeln!(out, "best            {}, leaving {} {unit}", counts.optima, counts.least)
            }
            Err(uncounted) => {
                let cards = count(request.hand.len(), "card");
                writeln!(out, "configurations  at least {}", uncounted.at_least)?;
                writeln!(out, "# not all counted: stopped ({}) at {cards}", uncounted.stop)
            }
        },
    });
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
