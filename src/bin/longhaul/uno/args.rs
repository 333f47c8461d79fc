//! The options of `longhaul uno`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use longhaul::adapters::uno::cooperative::PlayRule;

use crate::options::run::RunArgs;
use crate::options::values::FirstCard;

#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("game").args(["cooperative", "uncooperative"])))]
#[command(group(clap::ArgGroup::new("instead").args(["count", "fill_in", "cooperative", "uncooperative"])))]
pub(crate) struct UnoArgs {
    /// The deck, a card a line; '-' is standard input
    ///
    /// A card is its number and its colour, as numbers or names; a line '---' begins the hand of the next player.
    pub(crate) file: PathBuf,
    /// The card on the table, with which the sequence begins [default: any]
    ///
    /// Its position in the deck, from 1, or the card itself as NUMBER,COLOUR (its first copy).
    #[arg(long, value_name = "POSITION|CARD", conflicts_with = "instead")]
    pub(crate) first: Option<FirstCard>,
    /// So many wild cards beside the deck, which match everything.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["fill_in", "game", "engine", "gap"])]
    pub(crate) wild: usize,
    /// Cards have D attributes each, and match if they agree in one [default: 2]
    ///
    /// D to a line. Without it the deck is one of UNO, with all that goes with that.
    #[arg(long, value_name = "D", conflicts_with_all = ["wild", "instead", "players"], value_parser = parse_attributes)]
    pub(crate) attributes: Option<usize>,
    /// Write a proof of the answer to PROOF, which longhaul-check checks
    ///
    /// It is checked against the deck. Where PROOF ends with .txt it is in words.
    #[arg(long, help_heading = "Output", value_name = "PROOF", conflicts_with_all = ["wild", "instead", "attributes"])]
    pub(crate) proof: Option<PathBuf>,
    /// Count sequences instead
    ///
    /// Those of all cards, those of the greatest length, and the sets of sequences that play every card once. Copies of a card
    /// are told apart; a sequence and its reverse count once.
    #[arg(long, help_heading = "Other questions", conflicts_with_all = ["engine", "gap", "sat_exit_codes"])]
    pub(crate) count: bool,
    /// Find instead the fewest cards to add so that all can be played.
    #[arg(long, help_heading = "Other questions", conflicts_with_all = ["engine", "gap", "sat_exit_codes"])]
    pub(crate) fill_in: bool,
    /// Deal the deck to so many players, card by card [default: the hands of the file]
    #[arg(long, help_heading = "Other questions", value_name = "N", requires = "game", value_parser = parse_players)]
    pub(crate) players: Option<usize>,
    /// Can all players together make player 1 the first to empty a hand?
    ///
    /// In strict alternation, which is the default, or with forced skips.
    #[arg(long, help_heading = "Other questions", value_name = "RULE", num_args = 0..=1, default_missing_value = "strict", conflicts_with_all = ["engine", "gap", "sat_exit_codes"],
        value_parser = PossibleValuesParser::new(PlayRule::ALL.map(|(name, _)| name)).try_map(|name| PlayRule::from_str(&name)))]
    pub(crate) cooperative: Option<PlayRule>,
    /// Which of two players wins against the other?
    ///
    /// Where whoever can't play loses (geography, the default), or where only who still holds cards does.
    #[arg(long, help_heading = "Other questions", value_name = "RULE", num_args = 0..=1, default_missing_value = "geography", conflicts_with_all = ["engine", "gap", "sat_exit_codes"])]
    pub(crate) uncooperative: Option<LosingRule>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

impl UnoArgs {
    /// Whether the longest sequence is asked for, and nothing instead.
    pub(crate) fn asks_for_a_path(&self) -> bool {
        !self.count && !self.fill_in && self.cooperative.is_none() && self.uncooperative.is_none()
    }
}

/// Who loses an uncooperative game.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LosingRule {
    /// Who can't play, with an empty hand as well: settled by a matching.
    Geography,
    /// Who holds cards and can't play; who plays the last card wins: settled by trying.
    Stuck,
}

fn parse_players(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&players| players > 0).ok_or_else(|| "a number of players is 1 or more".to_owned())
}

fn parse_attributes(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&attributes| attributes > 0).ok_or_else(|| "a card has 1 attribute or more".to_owned())
}
