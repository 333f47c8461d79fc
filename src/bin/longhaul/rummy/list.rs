//! Configurations of a hand, each as soon as it is found.

use std::io::{self, Write};
use std::process::ExitCode;

use longhaul::Stop;
use longhaul::adapters::rummy::{Best, Configurations, Rummy};
use serde::Serialize;

use super::Request;
use super::answer::{Melding, count, unit};
use crate::failure::Failure;
use crate::object::{SCHEMA, write_answer, write_row};
use crate::options::search::SearchOutput;
use crate::output::Output;

/// What is said behind the list.
#[derive(Serialize)]
struct Rest {
    /// How many configurations are listed.
    listed: u64,
    /// Whether the list is complete and the melding below is best, or something stopped before that was so.
    status: &'static str,
    stop: String,
    objective: &'static str,
    #[serde(flatten)]
    best: Melding,
    lower_bound: u64,
    seconds: f64,
}

pub(super) fn run(
    question: &Rummy<'_>,
    mut configurations: Configurations,
    request: &Request<'_>,
) -> Result<ExitCode, Failure> {
    let best = question.best();
    let weights = request.objective.weights();
    let mut output = Output::new();
    let mut listed = 0u64;
    if request.args.output == SearchOutput::Json {
        output
            .write(|out| write!(out, "{{\n  \"schema\": {SCHEMA},\n  \"type\": \"answer\",\n  \"configurations\": ["));
    }
    for configuration in configurations.by_ref() {
        let melding = Melding::new(&configuration, weights, request.spelling);
        output.write(|out| match request.args.output {
            SearchOutput::Json => {
                write!(out, "{}\n    ", if listed > 0 { "," } else { "" })?;
                Ok(serde_json::to_writer(out, &melding)?)
            }
            SearchOutput::Jsonl => write_row("configuration", &melding, out),
            SearchOutput::Text => melding.write_line(out),
        });
        listed += 1;
        if output.is_closed() {
            break;
        }
    }
    let stop = configurations.stop();
    let rest = || Rest {
        listed,
        status: if stop == Stop::Finished && best.is_optimal() { "optimal" } else { "feasible" },
        stop: stop.to_string(),
        objective: unit(&request.objective),
        best: Melding::new(best.configuration(), weights, request.spelling),
        lower_bound: best.lower_bound(),
        seconds: request.process.began.elapsed().as_secs_f64(),
    };
    output.write(|out| match request.args.output {
        SearchOutput::Jsonl => write_answer(&rest(), SearchOutput::Jsonl.form(), out),
        SearchOutput::Json => {
            let rest = serde_json::to_string_pretty(&rest())?;
            let rest = rest.strip_prefix('{').expect("an object");
            writeln!(out, "\n  ],{rest}")
        }
        SearchOutput::Text => write_summary(listed, stop, &best, request, out),
    });
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn write_summary(listed: u64, stop: Stop, best: &Best, request: &Request<'_>, out: &mut dyn Write) -> io::Result<()> {
    let which = if request.args.optima { "best configuration" } else { "configuration" };
    let whole = match stop {
        Stop::Finished => "all".to_owned(),
        stop => format!("not all, stopped: {stop}"),
    };
    let unit = unit(&request.objective);
    let best_known = match best.is_optimal() {
        true => "the best leave".to_owned(),
        false => format!("none leaves fewer {unit} than {}; one leaves", best.lower_bound()),
    };
    let cards = count(best.deadwood_cards(), "card");
    let (listed, hand) = (count(listed as usize, which), count(request.hand.len(), "card"));
    writeln!(out, "# {listed} of {hand} ({whole}); {best_known} {cards} with {} points", best.deadwood_points())
}
