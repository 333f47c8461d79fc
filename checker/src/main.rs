//! `longhaul-check GRAPH PROOF`: is the proof one about this graph, and does it prove what it claims?

use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;

use longhaul_check::graph::{Graph, ReadOptions};
use longhaul_check::{Limits, check};

const USAGE: &str = "usage: longhaul-check [--directed] [--unit] [--memory MIB] GRAPH PROOF

Checks a proof that no path of a graph is longer. GRAPH is a DIMACS file, an edge list or a deck of cards.

  --directed     edges have a direction, whatever the file says
  --unit         all edges weigh 1, whatever the file says
  --memory MIB   refuse what needs more than this [default: 4096]

Prints 'VERIFIED ...' and exits with 0, or tells what is wrong and exits with 1; 2 for wrong usage.";

fn main() -> ExitCode {
    let mut options = ReadOptions { memory: 4096 << 20, ..ReadOptions::default() };
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--directed" => options.directed = true,
            "--unit" => options.unit = true,
            "--memory" => match arguments.next().and_then(|word| word.parse().ok()) {
                Some(mebibytes) => options.memory = usize::saturating_mul(mebibytes, 1 << 20),
                None => return wrong_usage("--memory takes a number of MiB"),
            },
            "--help" | "-h" => {
                println!("{USAGE}");
                return ExitCode::SUCCESS;
            }
            option if option.starts_with("--") => return wrong_usage(&format!("there is no option {option}")),
            _ => files.push(argument),
        }
    }
    let [graph, proof] = &files[..] else { return wrong_usage("two files are needed") };
    match run(graph, proof, &options) {
        Ok(verdict) => {
            println!("{verdict}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("NOT VERIFIED: {why}");
            ExitCode::FAILURE
        }
    }
}

fn wrong_usage(why: &str) -> ExitCode {
    eprintln!("{why}\n\n{USAGE}");
    ExitCode::from(2)
}

fn run(graph: &str, proof: &str, options: &ReadOptions) -> Result<String, String> {
    let memory = options.memory;
    if std::fs::metadata(graph).is_ok_and(|file| file.len() > memory as u64) {
        return Err(format!("{graph}: the file is beyond the memory limit"));
    }
    let bytes = std::fs::read(graph).map_err(|error| format!("{graph}: {error}"))?;
    let graph = Graph::read(graph, &bytes, options).map_err(|why| format!("{graph}: {why}"))?;
    let file = File::open(proof).map_err(|error| format!("{proof}: {error}"))?;
    let verdict = check(&graph, BufReader::with_capacity(1 << 16, file), &Limits { memory, ..Limits::default() });
    verdict.map(|verdict| verdict.to_string()).map_err(|why| format!("{proof}: {why}"))
}
