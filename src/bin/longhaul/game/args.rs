//! The options of `longhaul game`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use longhaul::adapters::uno::rewriting::Rules;

use crate::options::limits::LimitArgs;
use crate::options::search::SearchOutput;

#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("source").args(["file", "deal"]).required(true)))]
pub(crate) struct GameArgs {
    /// The game: hands, pile, deck and the order of a shuffle, a section a line; '-' is standard input.
    pub(crate) file: Option<PathBuf>,
    /// Whose win is asked for: A, B, ... [default: a shortest win of anybody]
    #[arg(long, value_name = "PLAYER", value_parser = parse_player)]
    pub(crate) winner: Option<usize>,
    /// The rules: those of the source as printed or mended, or the official ones.
    #[arg(long, default_value_t, value_parser = PossibleValuesParser::new(Rules::ALL.map(|(name, _)| name)).try_map(|name| Rules::from_str(&name)))]
    pub(crate) rules: Rules,
    /// Count all states that can be reached, by depth, and those in which each player has won.
    #[arg(long, conflicts_with = "force")]
    pub(crate) count: bool,
    /// Can the player force a win, whatever the others do? [default player: each in turn]
    #[arg(long)]
    pub(crate) force: bool,
    /// Look at runs of at most so many steps; a step is a rule of the source, or a move under the official rules.
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// Stop after so many states.
    #[arg(long, value_name = "N")]
    pub(crate) states: Option<u64>,
    /// How much of the pile is part of a state: all of it, or its top, on which alone the rules depend [default: whole for
    /// the rules of the source, as there; top for the official ones]
    #[arg(long, value_enum, conflicts_with = "force")]
    pub(crate) pile: Option<Pile>,
    /// Deal a game from the 108 cards with this seed, instead of searching one.
    #[arg(long, value_name = "SEED", conflicts_with_all = ["winner", "rules", "count", "force", "depth", "states", "pile", "time_limit", "memory_limit", "threads", "output", "verbose"])]
    pub(crate) deal: Option<u64>,
    /// With --deal: how many players [default: 4]
    #[arg(long, value_name = "N", requires = "deal")]
    pub(crate) players: Option<usize>,
    /// With --deal: how many cards each gets [default: 7]
    #[arg(long, value_name = "N", requires = "deal")]
    pub(crate) hand: Option<usize>,
    /// With --deal: write to this file, whole or not at all [default: standard output]
    #[arg(long, short, value_name = "FILE", requires = "deal")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) spent: LimitArgs,
    /// How to print the answer.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) output: SearchOutput,
    /// Log to standard error: a row for each depth.
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pile {
    /// All of it.
    Whole,
    /// Its top.
    Top,
}

fn parse_player(text: &str) -> Result<usize, String> {
    match text.as_bytes() {
        [letter @ b'A'..=b'J'] => Ok(usize::from(letter - b'A')),
        _ => Err("a player is a letter from A to J".to_owned()),
    }
}
