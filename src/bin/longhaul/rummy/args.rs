//! The options of `longhaul rummy`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use longhaul::adapters::rummy::{Ace, Hand, Weights};

use crate::options::search::SearchOutput;
use crate::options::values::{parse_size, parse_time};

#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("other question").args(["all", "optima", "count", "discard", "table"])))]
pub(crate) struct RummyArgs {
    /// The hand: cards as rank (1 to 13, or A T J Q K) and suit (H D C S or their signs), as in 3H 10D AS or 5-8C, '*' for a
    /// joker; or a file with such cards; '-' is standard input.
    #[arg(required = true, value_name = "HAND|FILE|-")]
    pub(crate) hand: Vec<String>,
    /// From so many decks, so each card may be there so often.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=i64::from(Hand::MAX_DECKS)))]
    pub(crate) decks: u8,
    /// So many jokers besides those that are written '*'.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=i64::from(Hand::MAX_JOKERS)))]
    pub(crate) jokers: u8,
    /// Where the ace stands in a run: before the 2, there or behind the king, or between both, so that runs go round the corner.
    #[arg(long, value_name = "PLACE", default_value = "low", value_parser = PossibleValuesParser::new(Ace::ALL.map(|(name, _)| name)).map(ace))]
    pub(crate) ace: Ace,
    /// Leave the fewest points over, not the fewest cards. VALUES: 'faces' (faces 10, aces 1, jokers 0), 'ranks' (kings 13),
    /// or the values of ace to king and perhaps of a joker, with commas [default values: faces]
    #[arg(long, value_name = "VALUES", num_args = 0..=1, require_equals = true, default_missing_value = "faces", value_parser = parse_weights)]
    pub(crate) points: Option<Weights>,
    /// List every configuration instead, the one without melds too.
    #[arg(long)]
    pub(crate) all: bool,
    /// List the configurations instead that leave the fewest cards, or points with --points.
    #[arg(long)]
    pub(crate) optima: bool,
    /// Count instead: all configurations, and those that leave the least.
    #[arg(long)]
    pub(crate) count: bool,
    /// Which card is best discarded? The answer is the best melding of the rest; all discards are listed, the best first.
    #[arg(long)]
    pub(crate) discard: bool,
    /// Melds lie on the table, a meld a line: play the most cards of the hand so that all that lies there in the end is in
    /// melds again, as in Rummikub.
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// With --table: melds on the table are not taken apart; cards of the hand may be added to them.
    #[arg(long, requires = "table")]
    pub(crate) lay_off: bool,
    /// Stop after this time with the best so far: seconds, or with ms, s, m or h behind [default: none]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time_limit: Option<Duration>,
    /// Stop before more memory is held than this: bytes, or with kB, MB, GB, KiB, MiB or GiB behind
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4GiB")]
    pub(crate) memory_limit: usize,
    /// How to print the answer.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) output: SearchOutput,
}

fn ace(name: String) -> Ace {
    let entry = Ace::ALL.iter().find(|(known, _)| *known == name);
    entry.expect("only names of places are accepted").1
}

fn parse_weights(text: &str) -> Result<Weights, String> {
    match text {
        "faces" => return Ok(Weights::FACES_TEN),
        "ranks" => return Ok(Weights::RANKS),
        _ => {}
    }
    let wrong = || format!("'{text}' is neither 'faces' nor 'ranks' nor 13 or 14 whole numbers with commas");
    let values: Vec<u32> = text.split(',').map(|value| value.parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
    match values.len() {
        13 | 14 => Ok(Weights::new(|card| {
            let at = card.rank().map_or(13, |rank| usize::from(rank) - 1);
            values.get(at).copied().unwrap_or(0)
        })),
        _ => Err(wrong()),
    }
}
