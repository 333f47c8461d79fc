//! The options, and how they are spelt.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use longhaul::Engine;
use longhaul::adapters::uno::Card;
use longhaul::io::Format;

/// The longest simple path of any graph, exact where anyone can be, anytime where not, and honest about which.
#[derive(Parser)]
#[command(version, max_term_width = 110)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Find the longest path of a graph.
    Solve(SolveArgs),
    /// Find the longest sequence of a deck of UNO cards.
    Uno(UnoArgs),
    /// Verify a path, independently of the solver.
    Check(CheckArgs),
    /// Say what is known about a graph without solving anything.
    Info(InfoArgs),
}

#[derive(clap::Args)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    /// A path of exactly K nodes instead: any, or the heaviest where the file has weights; with engine auto, backtracking,
    /// color-coding, plain-color-coding or sieve.
    #[arg(long, value_name = "K", conflicts_with_all = ["cycle", "gap"])]
    pub(crate) k: Option<usize>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(clap::Args)]
pub(crate) struct UnoArgs {
    /// The deck: a card a line, its number and its colour; '-' is standard input.
    pub(crate) file: PathBuf,
    /// The card on the table, with which the sequence begins: its position in the deck, from 1, or the card itself as
    /// NUMBER,COLOUR (its first copy) [default: any]
    #[arg(long, value_name = "POSITION|CARD")]
    pub(crate) first: Option<FirstCard>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    /// The answer to verify: JSON or DIMACS lines as `solve` and `uno` write them, or the names of the nodes in order (for a
    /// deck: positions one a line, or cards two numbers a line); '-' is standard input.
    pub(crate) answer: PathBuf,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
}

#[derive(clap::Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    /// How to print the facts.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) output: InfoOutput,
}

/// Which graph, and how to read it.
#[derive(clap::Args)]
pub(crate) struct GraphArgs {
    /// The graph; '-' is standard input.
    pub(crate) file: PathBuf,
    /// The format of the file [default: by its extension, else by its content]
    #[arg(long, value_parser = PossibleValuesParser::new(Format::ALL.map(|(name, _)| name)).try_map(|name| Format::from_str(&name)))]
    pub(crate) format: Option<Format>,
    /// Take the edges of an edge list, or of `p edge`, as directed from the first node to the second.
    #[arg(long)]
    pub(crate) directed: bool,
    /// Where the weights come from.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) weights: Weights,
}

/// Which paths count.
#[derive(clap::Args)]
pub(crate) struct EndArgs {
    /// The path begins at this node [default: as the file says, else anywhere]
    #[arg(long, value_name = "NODE")]
    pub(crate) from: Option<String>,
    /// The path ends at this node [default: as the file says, else anywhere]
    #[arg(long, value_name = "NODE")]
    pub(crate) to: Option<String>,
    /// Forget the ends that the file asks for ('c terminals' of DIMACS); --from and --to still hold.
    #[arg(long)]
    pub(crate) free: bool,
    /// The longest cycle instead; the ends of the file do not hold then, and --from is a node that it visits.
    #[arg(long, conflicts_with = "to")]
    pub(crate) cycle: bool,
    /// The path avoids this node; may be given many times.
    #[arg(long, value_name = "NODE")]
    pub(crate) forbid: Vec<String>,
}

/// What a run may spend and how it reports.
#[derive(clap::Args)]
pub(crate) struct RunArgs {
    /// Stop after this time with the best path and bound so far: seconds, or with ms, s, m or h behind [default: none]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time_limit: Option<Duration>,
    /// Stop before the engines hold more memory than this: bytes, or with kB, MB, GB, KiB, MiB or GiB behind
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4GiB")]
    pub(crate) memory_limit: usize,
    /// How many threads to use [default: one for each processor]
    #[arg(long, value_parser = parse_threads)]
    pub(crate) threads: Option<usize>,
    /// The seed of everything random.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Stop as soon as the bound is at most this far above the length.
    #[arg(long, default_value_t = 0)]
    pub(crate) gap: u64,
    /// Color coding and the sieve may miss a path of so many nodes with this probability, between 0 and 1.
    #[arg(long, value_name = "P", default_value_t = 0.001)]
    pub(crate) failure_probability: f64,
    /// Which engine to use.
    #[arg(long, default_value = "auto", value_parser = PossibleValuesParser::new(Engine::ALL.map(|(name, _)| name)).try_map(|name| Engine::from_str(&name)))]
    pub(crate) engine: Engine,
    /// How to print the answer.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) output: AnswerOutput,
    /// Exit with 30 if the answer is optimal, 10 if there is a path, 20 if there is none, and 0 if that is not known.
    #[arg(long)]
    pub(crate) sat_exit_codes: bool,
    /// Log to standard error: a row whenever the path or the bound improves, and what was decided and why.
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// No progress line.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Default, ValueEnum)]
pub(crate) enum Weights {
    /// As in the file, 1 where it has none.
    #[default]
    File,
    /// 1 for every edge, whatever the file says.
    Unit,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerOutput {
    /// A summary behind '#', then the path: a node (or card) a line.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// A JSON object a line: every improvement as it comes, then the answer.
    Jsonl,
    /// DIMACS lines: c, o LENGTH as it improves, s STATUS, v nodes from 1 with a 0 at the end.
    Dimacs,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum InfoOutput {
    /// A fact a line.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// The card on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstCard {
    Position(usize),
    Card(Card),
}

impl FromStr for FirstCard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is neither a position from 1, like 7, nor a card NUMBER,COLOUR, like 5,3");
        match text.split([',', ' ']).collect::<Vec<_>>()[..] {
            [position] => {
                position.parse().ok().filter(|&position| position > 0).map(FirstCard::Position).ok_or_else(wrong)
            }
            [number, colour] => match (number.parse(), colour.parse()) {
                (Ok(number), Ok(colour)) => Ok(FirstCard::Card(Card { number, colour })),
                _ => Err(wrong()),
            },
            _ => Err(wrong()),
        }
    }
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let (amount, unit) = split_unit(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("'{unit}' is no unit of time; use ms, s, m or h")),
    };
    let amount: f64 = amount.parse().map_err(|_| format!("'{amount}' is no number"))?;
    Duration::try_from_secs_f64(amount * seconds).map_err(|error| error.to_string())
}

fn parse_size(text: &str) -> Result<usize, String> {
    let (amount, unit) = split_unit(text);
    let bytes: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return Err(format!("'{unit}' is no unit of memory; use kB, MB, GB, KiB, MiB or GiB")),
    };
    let amount: f64 = amount.parse().map_err(|_| format!("'{amount}' is no number"))?;
    // Beyond the range of usize the conversion takes the greatest value, which is as good as no limit.
    Ok((amount * bytes as f64) as usize)
}

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    (&text[..digits], text[digits..].trim_start())
}

fn parse_threads(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&threads| threads > 0).ok_or_else(|| "a number of threads is 1 or more".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn options_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn times_and_sizes() {
        assert_eq!(parse_time("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_time("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_time("2 m"), Ok(Duration::from_secs(120)));
        assert!(parse_time("soon").is_err());
        assert!(parse_time("5 days").is_err());
        assert_eq!(parse_size("200MB"), Ok(200_000_000));
        assert_eq!(parse_size("1.5 KiB"), Ok(1536));
        assert!(parse_size("much").is_err());
        assert!(parse_size("3 apples").is_err());
    }

    #[test]
    fn first_cards() {
        assert_eq!("7".parse(), Ok(FirstCard::Position(7)));
        assert_eq!("5,3".parse(), Ok(FirstCard::Card(Card { number: 5, colour: 3 })));
        assert_eq!("5 3".parse(), Ok(FirstCard::Card(Card { number: 5, colour: 3 })));
        for wrong in ["0", "-1", "5,", "x", "1,2,3", "4294967296,0"] {
            assert!(wrong.parse::<FirstCard>().is_err(), "{wrong}");
        }
    }
}
