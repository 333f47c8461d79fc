//! The options of searches that are not for paths: cliques, and decks in which any two cards share a symbol.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use longhaul::Limits;
use longhaul::clique::CliqueEngine;
use longhaul::io::Format;

use crate::Process;
use crate::args::{parse_size, parse_threads, parse_time};

/// What a search may spend, and how its answer is told.
#[derive(clap::Args)]
pub(crate) struct SearchArgs {
    /// Stop after this time with the best answer and bound so far: seconds, or with ms, s, m or h behind [default: none]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time_limit: Option<Duration>,
    /// Stop before the search holds more memory than this: bytes, or with kB, MB, GB, KiB, MiB or GiB behind
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4GiB")]
    pub(crate) memory_limit: usize,
    /// How many threads to use [default: one for each processor]
    #[arg(long, value_parser = parse_threads)]
    pub(crate) threads: Option<usize>,
    /// The seed of everything random.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// How to print the answer.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) output: SearchOutput,
    /// Log to standard error: a row whenever the answer or the bound improves, and what was decided and why.
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl SearchArgs {
    /// What the library may spend; reading the file has taken its share of the time.
    pub(crate) fn limits(&self, process: &Process) -> Limits {
        Limits {
            time: self.time_limit.map(|limit| limit.saturating_sub(process.began.elapsed())),
            memory: self.memory_limit,
            threads: self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
            seed: self.seed,
            interrupt: Some(process.interrupt.clone()),
        }
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchOutput {
    /// A summary behind '#', then the answer.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// A JSON object a line: every improvement as it comes, then the answer.
    Jsonl,
}

#[derive(clap::Args)]
pub(crate) struct CliqueArgs {
    /// The graph; directions and weights of its edges do not matter; '-' is standard input.
    pub(crate) file: PathBuf,
    /// The format of the file [default: by its extension, else by its content]
    #[arg(long, value_parser = PossibleValuesParser::new(Format::ALL.map(|(name, _)| name)).try_map(|name| Format::from_str(&name)))]
    pub(crate) format: Option<Format>,
    /// Look only for cliques of so many nodes or more.
    #[arg(long, value_name = "SIZE")]
    pub(crate) lower_bound: Option<u32>,
    /// Which engine to use.
    #[arg(long, default_value = CliqueEngine::default().name(), value_parser = PossibleValuesParser::new(CliqueEngine::ALL.map(|(name, _)| name)).map(clique_engine))]
    pub(crate) engine: CliqueEngine,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

fn clique_engine(name: String) -> CliqueEngine {
    let entry = CliqueEngine::ALL.iter().find(|(known, _)| *known == name);
    entry.expect("only names of engines are accepted").1
}

#[derive(clap::Args)]
pub(crate) struct DobbleArgs {
    /// How many symbols a card has.
    #[arg(required_unless_present = "check")]
    pub(crate) k: Option<usize>,
    /// How many symbols there are in all.
    #[arg(required_unless_present = "check")]
    pub(crate) n: Option<usize>,
    /// Any two cards share at most one symbol [default: exactly one]
    #[arg(long)]
    pub(crate) at_most_one: bool,
    /// Write the deck to this file, whole or not at all [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Check a deck instead: a card a line, its symbols as words; '-' is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["k", "n", "out", "time_limit", "memory_limit", "threads", "seed", "verbose"])]
    pub(crate) check: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}
