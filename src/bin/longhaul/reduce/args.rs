//! The options of `longhaul reduce`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use longhaul::adapters::uno::cooperative::PlayRule;

use crate::options::graph::GraphOutput;

#[derive(clap::Args)]
pub(crate) struct ReduceArgs {
    /// From which problem to which.
    #[arg(value_enum)]
    pub(crate) kind: Kind,
    /// The instance: a graph, a deck, or a deck of two hands with a line '---' between them; '-' is standard input.
    pub(crate) file: PathBuf,
    /// With --back or --forward, the solution: paths and sequences of cards as `check` reads them, plays of two players as
    /// `uno --cooperative` prints them; a strategy is its opening on a line of its own and two names a line for every move
    /// and the answer to it, a matching the node it misses and two names a line.
    pub(crate) solution: Option<PathBuf>,
    /// Turn a solution of the reduced instance into one of FILE, checking both.
    #[arg(long, requires = "solution", conflicts_with = "forward")]
    pub(crate) back: bool,
    /// Turn a solution of FILE into one of the reduced instance, checking both.
    #[arg(long, requires = "solution")]
    pub(crate) forward: bool,
    /// The path begins at this node [default: as the file says, else anywhere]
    #[arg(long, value_name = "NODE")]
    pub(crate) from: Option<String>,
    /// The path ends at this node [default: as the file says, else anywhere]
    #[arg(long, value_name = "NODE")]
    pub(crate) to: Option<String>,
    /// The least length of a long path, or the least number of cards [default: all cards; a path needs it]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) at_least: Option<i64>,
    /// Geography: the token may be put here; may be given many times.
    #[arg(long, value_name = "NODE")]
    pub(crate) opening: Vec<String>,
    /// What happens to a player who cannot play [default: strict]
    #[arg(long, value_parser = PossibleValuesParser::new(PlayRule::ALL.map(|(name, _)| name)).try_map(|name| PlayRule::from_str(&name)))]
    pub(crate) rule: Option<PlayRule>,
    #[command(flatten)]
    pub(crate) output: GraphOutput,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Hamiltonian path of a cubic graph → UNO for one player (Theorem 4 of Demaine et al.).
    #[value(name = "cubic-hamiltonian-path-to-uno1")]
    CubicToSolitaire,
    /// Hamiltonian path → cooperative UNO for two (Theorem 1; holds with --rule strict only).
    #[value(name = "hamiltonian-path-to-uno2")]
    PathToCooperative,
    /// The same with hands of one size and a given beginning (Corollary 2; fails as printed).
    #[value(name = "hamiltonian-path-to-uno2-equal-hands")]
    PathToEqualHands,
    /// UNO for one player → cooperative UNO for two with hands of one size, under forced skips.
    #[value(name = "uno1-to-uno2-equal-hands")]
    SolitaireToEqualHands,
    #[value(name = "hamiltonian-path-to-longest-path")]
    PathToLongPath,
    #[value(name = "hamiltonian-cycle-to-path")]
    CycleToPath,
    #[value(name = "hamiltonian-path-to-cycle")]
    PathToCycle,
    #[value(name = "longest-path-free-to-fixed")]
    FreeToFixedEnds,
    #[value(name = "longest-path-fixed-to-free")]
    FixedToFreeEnds,
    #[value(name = "undirected-to-directed")]
    UndirectedToDirected,
    /// UNO for one player → longest path of the graph of its matches.
    #[value(name = "uno1-to-longest-path")]
    SolitaireToLongPath,
    /// Uncooperative UNO for two → undirected vertex geography (Theorem 7).
    #[value(name = "uno2-to-geography")]
    UncooperativeToGeography,
    /// Bipartite geography → a maximum matching that misses an opening (Theorem 6).
    #[value(name = "geography-to-matching")]
    GeographyToMatching,
}
