//! All configurations of a hand, each as soon as it is found.

use std::io::{self, Write};
use std::process::ExitCode;

use longhaul::Stop;
use longhaul::adapters::rummy::{Best, Hand, Rummy};
use serde::Serialize;

use super::answer::{Melding, Spelling, count, unit};
use crate::Process;
use crate::args::{InfoOutput, RummyArgs};
use crate::failure::Failure;
use crate::output::Output;

/// What is said behind the list.
#[derive(Serialize)]
struct Rest {
    /// How many configurations are listed.
    listed: u64,
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
    hand: &Hand,
    args: &RummyArgs,
    spelling: Spelling,
    process: &Process,
) -> Result<ExitCode, Failure> {
    let best = question.best();
    let weights = question.the_objective().weights();
    let mut configurations = question.configurations();
    let mut output = Output::new();
    let mut listed = 0u64;
    if args.output == InfoOutput::Json {
        output.write(|out| write!(out, "{{\n  \"configurations\": ["));
    }
    for configuration in configurations.by_ref() {
        let melding = Melding::new(&configuration, weights, spelling);
        output.write(|out| match args.output {
            InfoOutput::Json => {
                write!(out, "{}\n    ", if listed > 0 { "," } else { "" })?;
                Ok(serde_json::to_writer(out, &melding)?)
            }
            InfoOutput::Text => melding.write_line(out),
        });
        listed += 1;
        if output.is_closed() {
            break;
        }
    }
    let stop = configurations.stop();
    output.write(|out| match args.output {
        InfoOutput::Json => {
            let rest = Rest {
                listed,
                status: if stop == Stop::Finished { "optimal" } else { "feasible" },
                stop: stop.to_string(),
                objective: unit(question.the_objective()),
                best: Melding::new(best.configuration(), weights, spelling),
                lower_bound: best.lower_bound(),
                seconds: process.began.elapsed().as_secs_f64(),
            };
            let rest = serde_json::to_string_pretty(&rest)?;
            let rest = rest.strip_prefix('{').expect("an object");
            writeln!(out, "\n  ],{rest}")
        }
        InfoOutput::Text => write_summary(listed, stop, &best, hand, question, out),
    });
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn write_summary(
    listed: u64,
    stop: Stop,
    best: &Best,
    hand: &Hand,
    question: &Rummy<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let whole = match stop {
        Stop::Finished => "all".to_owned(),
        stop => format!("not all, stopped: {stop}"),
    };
    let best_known = match best.is_optimal() {
        true => "the best leave".to_owned(),
        false => {
            format!("none leaves fewer {} than {}; one leaves", unit(question.the_objective()), best.lower_bound())
        }
    };
    writeln!(
        out,
        "# {} of {} ({whole}); {best_known} {} with {} points",
        count(listed as usize, "configuration"),
        count(hand.len(), "card"),
        count(best.deadwood_cards(), "card"),
        best.deadwood_points()
    )
}
