//! The options, and how they are spelt.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use longhaul::adapters::cubic;
use longhaul::adapters::rummy::{Ace, Hand, Weights as CardWeights};
use longhaul::adapters::uno::cooperative::PlayRule;
use longhaul::adapters::uno::rewriting::Rules;
use longhaul::io::{Format, ReadOptions};
use longhaul::{Engine, Limits, LinearSolver};

use crate::Process;
use crate::bench::BenchArgs;
use crate::convert::ConvertArgs;
use crate::families::Family;
use crate::game::GameArgs;
use crate::picture::{PictureArgs, PictureOnlyArgs};
use crate::search_args::{CliqueArgs, DobbleArgs};
use crate::shell::CompletionsArgs;

/// The longest simple path of any graph, exact where anyone can be, anytime where not, and honest about which.
#[derive(Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  longhaul solve roads.el --from Rome --time-limit 10     the longest path that begins in Rome
  longhaul solve ring.graph --cycle --output json         the longest cycle, as an object for programs
  longhaul uno hand.deck --first 7,blue                   the longest sequence after the 7 of blue
  longhaul check roads.el answer.json                     is that answer right?
  longhaul help solve                                     all options of a command"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// The options of this process; ends it where they are wrong or ask for help.
    pub(crate) fn read() -> Self {
        let matches = Self::definition().get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// The definition of all commands: a value may begin with a minus and a digit, so that whoever gives -1 hears what is
    /// wrong with it, and nodes may be called so.
    pub(crate) fn definition() -> clap::Command {
        fn with_negative_values(command: clap::Command) -> clap::Command {
            let takes = |arg: clap::Arg| {
                let takes_values = arg.get_action().takes_values();
                if takes_values { arg.allow_negative_numbers(true) } else { arg }
            };
            command.mut_args(takes).mut_subcommands(with_negative_values)
        }
        with_negative_values(Self::command())
    }
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Find the longest path of a graph.
    #[command(after_help = "\
Examples:
  longhaul solve roads.el --from Rome --to Turin           both ends fixed
  longhaul solve net.graphml --weights unit --cycle        the most nodes on a cycle
  longhaul solve board.gr --time-limit 1m -v               stop after a minute; what happens, row by row
  longhaul solve board.gr --gap 5%                         stop when the bound is within 5 % of the path
  longhaul solve large.csv.gz --k 12 --output jsonl        a path of 12 nodes
  cat ring.graph | longhaul solve - --format metis         standard input")]
    Solve(SolveArgs),
    /// Find the longest trail of a graph: no edge twice, nodes as often as they come.
    Trail(TrailArgs),
    /// Find the longest sequence of a deck of UNO cards.
    #[command(after_help = "\
Examples:
  longhaul uno hand.deck                                   the longest sequence
  longhaul uno hand.deck --first skip,blue --wild 2        after a skip, with two wild cards
  longhaul uno hand.deck --count                           how many sequences there are
  longhaul uno hands.deck --cooperative forced-skip        can player 1 be made to win?
  longhaul uno deck.deck --uncooperative --players 2       who wins against the other?")]
    Uno(UnoArgs),
    /// Search a game of UNO: winning runs, counts of states, forced wins; or deal one.
    Game(GameArgs),
    /// Find the best melds of a hand of rummy.
    Rummy(RummyArgs),
    /// Verify a path or a run of a game, independently of the solver.
    #[command(after_help = "\
Examples:
  longhaul solve roads.el --output json > answer.json && longhaul check roads.el answer.json
  echo 'Rome Milan Turin' | longhaul check roads.el -      any list of nodes will do")]
    Check(CheckArgs),
    /// Say what is known about a graph without solving anything.
    #[command(after_help = "\
Examples:
  longhaul info roads.el                                   a fact a line
  longhaul info roads.el --from Rome --output json         the bound of paths from Rome, with its witness")]
    Info(InfoArgs),
    /// Turn a file into one of another format: a deck into its graph, a graph into its line graph or its core.
    Convert(ConvertArgs),
    /// Solve the instances of a folder or an index, each within a limit, and compare the answers.
    Bench(BenchArgs),
    /// Print the script that lets a shell complete commands and options.
    Completions(CompletionsArgs),
    /// Print the manual page.
    Man,
    /// Turn an instance of one problem into one of another, and solutions forwards or back.
    Reduce(ReduceArgs),
    /// Make graphs and decks, random ones by a seed.
    #[command(
        subcommand,
        after_help = "\
Examples:
  longhaul generate maze 40 40 --seed 7 --out maze.gml     with coordinates
  longhaul generate gnp 200 0.05 --format metis            random edges
  longhaul generate regular 100 4 --seed 1 --out a.g6      each node has four neighbours
  longhaul generate uno 50 --out hand.deck                 a deck of fifty cards"
    )]
    Generate(Generate),
    /// Find the largest clique of a graph.
    Clique(CliqueArgs),
    /// Make the largest deck of cards with K symbols each, out of N, of which any two share exactly one; or check a deck.
    Dobble(DobbleArgs),
}

#[derive(Clone, clap::Args)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    #[command(flatten)]
    pub(crate) demands: DemandArgs,
    #[command(flatten)]
    pub(crate) listing: ListingArgs,
    /// With --engine signature: the bags are the root-to-leaf paths of a depth-first tree, not those of a vertex order.
    #[arg(long)]
    pub(crate) dfs: bool,
    /// With --engine branch-and-cut: what solves its linear programs. 'highs' needs a build with the feature of that name.
    #[arg(long, value_name = "SOLVER", default_value = "simplex", value_parser = PossibleValuesParser::new(LinearSolver::ALL.map(|(name, _)| name)).map(linear_solver))]
    pub(crate) lp: LinearSolver,
    /// A path of exactly K nodes instead: any, or the heaviest where the file has weights; with engine auto, backtracking,
    /// color-coding, plain-color-coding or sieve.
    #[arg(long, value_name = "K", conflicts_with_all = ["cycle", "gap", "prizes", "visit", "use_edge", "forbid_edge", "at_least", "at_most", "induced", "listing"])]
    pub(crate) k: Option<usize>,
    /// Color coding and the sieve may miss a path of so many nodes with this probability, between 0 and 1.
    #[arg(long, value_name = "P", default_value_t = 0.001)]
    pub(crate) failure_probability: f64,
    /// Write a proof of the answer to FILE, which longhaul-check checks against GRAPH; in words where FILE ends with .txt.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["k", "listing", "induced"])]
    pub(crate) proof: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("game").args(["cooperative", "uncooperative"])))]
#[command(group(clap::ArgGroup::new("instead").args(["count", "fill_in", "cooperative", "uncooperative"])))]
pub(crate) struct UnoArgs {
    /// The deck: a card a line, its number and its colour, as numbers or names; a line '---' begins the hand of the next
    /// player; '-' is standard input.
    pub(crate) file: PathBuf,
    /// The card on the table, with which the sequence begins: its position in the deck, from 1, or the card itself as
    /// NUMBER,COLOUR (its first copy) [default: any]
    #[arg(long, value_name = "POSITION|CARD", conflicts_with = "instead")]
    pub(crate) first: Option<FirstCard>,
    /// So many wild cards beside the deck, which match everything.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["fill_in", "game", "engine", "gap"])]
    pub(crate) wild: usize,
    /// The cards have so many attributes each, D to a line, and match if they agree in one. [default: 2, with all that UNO is]
    #[arg(long, value_name = "D", conflicts_with_all = ["wild", "instead", "players"], value_parser = parse_attributes)]
    pub(crate) attributes: Option<usize>,
    /// Write a proof of the answer to PROOF, which longhaul-check checks against the deck; in words where it ends with .txt.
    #[arg(long, value_name = "PROOF", conflicts_with_all = ["wild", "instead", "attributes"])]
    pub(crate) proof: Option<PathBuf>,
    /// Count instead: the sequences of all cards, those of the greatest length, and the sets of sequences that play every card
    /// once. Copies of a card are told apart; a sequence and its reverse count once.
    #[arg(long, conflicts_with_all = ["engine", "gap", "sat_exit_codes"])]
    pub(crate) count: bool,
    /// Find instead the fewest cards to add so that all can be played.
    #[arg(long, conflicts_with_all = ["engine", "gap", "sat_exit_codes"])]
    pub(crate) fill_in: bool,
    /// Deal the deck to so many players, card by card [default: the hands of the file]
    #[arg(long, value_name = "N", requires = "game", value_parser = parse_players)]
    pub(crate) players: Option<usize>,
    /// Can all players together make player 1 the first to empty a hand? In strict alternation, or with forced skips
    /// [default rule: strict]
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "strict", conflicts_with_all = ["engine", "gap", "sat_exit_codes"],
        value_parser = PossibleValuesParser::new(PlayRule::ALL.map(|(name, _)| name)).try_map(|name| PlayRule::from_str(&name)))]
    pub(crate) cooperative: Option<PlayRule>,
    /// Which of two players wins against the other? Where whoever can't play loses, or where only who still holds cards does
    /// [default rule: geography]
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "geography", conflicts_with_all = ["engine", "gap", "sat_exit_codes"])]
    pub(crate) uncooperative: Option<LosingRule>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Who loses an uncooperative game.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LosingRule {
    /// Who can't play, with an empty hand as well: settled by a matching.
    Geography,
    /// Who holds cards and can't play; who plays the last card wins: settled by trying.
    Stuck,
}

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
    pub(crate) points: Option<CardWeights>,
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
    pub(crate) output: InfoOutput,
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
    /// For a run of a game: the rules [default: those that the answer names]
    #[arg(long, value_parser = PossibleValuesParser::new(Rules::ALL.map(|(name, _)| name)).try_map(|name| Rules::from_str(&name)))]
    pub(crate) rules: Option<Rules>,
    #[command(flatten)]
    pub(crate) pictures: PictureOnlyArgs,
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
    #[command(flatten)]
    pub(crate) pictures: PictureOnlyArgs,
}

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
    /// What happens to a player who cannot play.
    #[arg(long, default_value_t, value_parser = PossibleValuesParser::new(PlayRule::ALL.map(|(name, _)| name)).try_map(|name| PlayRule::from_str(&name)))]
    pub(crate) rule: PlayRule,
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

#[derive(Subcommand)]
pub(crate) enum Generate {
    /// Cubic graphs: every node has three neighbours.
    Cubic(CubicArgs),
    #[command(flatten)]
    Family(Family),
}

#[derive(clap::Args)]
pub(crate) struct CubicArgs {
    #[command(subcommand)]
    pub(crate) family: CubicFamily,
    #[command(flatten)]
    pub(crate) output: GraphOutput,
}

#[derive(Subcommand)]
pub(crate) enum CubicFamily {
    /// A random cubic graph on N nodes, each labelled one equally likely.
    Random {
        /// How many nodes: an even number.
        n: usize,
        /// The seed.
        #[arg(long, default_value_t = 0)]
        seed: u64,
    },
    /// The generalised Petersen graph GP(N, K), on 2N nodes.
    Petersen {
        /// The length of the outer cycle.
        n: usize,
        /// The step of the inner edges.
        k: usize,
    },
    /// The prism over a cycle of N nodes, on 2N nodes.
    Prism {
        /// The length of the cycle.
        n: usize,
    },
    /// The Möbius ladder on N nodes.
    MoebiusLadder {
        /// How many nodes: an even number.
        n: usize,
    },
    /// The flower snark J(N), on 4N nodes; a snark for odd N from 5 on.
    FlowerSnark {
        /// How many stars.
        n: usize,
    },
    /// A graph with a name of its own.
    Named {
        /// The name.
        #[arg(value_parser = PossibleValuesParser::new(cubic::names()))]
        name: String,
    },
}

/// Where a graph goes, and how it is written.
#[derive(clap::Args)]
pub(crate) struct GraphOutput {
    /// Write to this file, whole or not at all [default: standard output]
    #[arg(long, short, value_name = "FILE", global = true)]
    pub(crate) out: Option<PathBuf>,
    /// The format of a graph that is written [default: by the extension of the file, else dimacs]
    #[arg(long, global = true, value_parser = writable_formats())]
    pub(crate) format: Option<Format>,
}

impl GraphOutput {
    /// The format asked for, promised by the name of the file, or DIMACS.
    pub(crate) fn format(&self) -> Format {
        let promised = || Format::from_extension(&self.out.as_ref()?.display().to_string());
        self.format.or_else(promised).unwrap_or(Format::Dimacs)
    }
}

/// The engines by name.
pub(crate) fn engines() -> impl TypedValueParser<Value = Engine> {
    PossibleValuesParser::new(Engine::ALL.map(|(name, _)| name)).try_map(|name| Engine::from_str(&name))
}

/// The formats that a graph can be written in.
pub(crate) fn writable_formats() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.iter().filter(|(_, format)| *format != Format::Deck).map(|(name, _)| *name);
    PossibleValuesParser::new(names).try_map(|name| Format::from_str(&name))
}

/// Which graph, and how to read it.
#[derive(Clone, clap::Args)]
pub(crate) struct GraphArgs {
    /// The graph; '-' is standard input.
    pub(crate) file: PathBuf,
    /// The format of the file [default: by its extension, else by its content]
    #[arg(long, value_parser = PossibleValuesParser::new(Format::ALL.map(|(name, _)| name)).try_map(|name| Format::from_str(&name)))]
    pub(crate) format: Option<Format>,
    /// Take the edges of an edge list, a CSV file, or of `p edge`, as directed from the first node to the second.
    #[arg(long)]
    pub(crate) directed: bool,
    /// Where the weights come from.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) weights: Weights,
}

/// Which paths count.
#[derive(Clone, clap::Args)]
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

/// What is demanded of a path beside its ends.
#[derive(Clone, clap::Args)]
pub(crate) struct DemandArgs {
    /// What visiting each node adds to the length: a file with a node and a whole number a line
    /// [default: the 'n' lines of a DIMACS file]
    #[arg(long, value_name = "FILE")]
    pub(crate) prizes: Option<PathBuf>,
    /// The path visits this node; may be given many times.
    #[arg(long, value_name = "NODE")]
    pub(crate) visit: Vec<String>,
    /// The path uses the edge between these nodes (the heaviest, if there are several); may be given many times.
    #[arg(long, value_name = "U,V")]
    pub(crate) use_edge: Vec<String>,
    /// The path uses no edge between these nodes; may be given many times.
    #[arg(long, value_name = "U,V")]
    pub(crate) forbid_edge: Vec<String>,
    /// The path has at least K edges, 1 or more.
    #[arg(long, value_name = "K", value_parser = parse_positive)]
    pub(crate) at_least: Option<usize>,
    /// The path has at most K edges, 1 or more.
    #[arg(long, value_name = "K", value_parser = parse_positive)]
    pub(crate) at_most: Option<usize>,
    /// No edge joins two nodes of the path but those along it.
    #[arg(long)]
    pub(crate) induced: bool,
}

/// More than one path.
#[derive(Clone, clap::Args)]
#[command(group(clap::ArgGroup::new("listing").args(["count", "distribution", "all", "best", "sample"]).conflicts_with_all(["gap", "dfs", "induced"])))]
pub(crate) struct ListingArgs {
    /// Count the longest paths instead. Without directions a path and its reverse count once.
    #[arg(long)]
    pub(crate) count: bool,
    /// Count all paths instead, by their lengths.
    #[arg(long)]
    pub(crate) distribution: bool,
    /// All longest paths instead, a path a line.
    #[arg(long)]
    pub(crate) all: bool,
    /// With --all, at most N of them.
    #[arg(long, value_name = "N", requires = "all", value_parser = parse_positive)]
    pub(crate) limit: Option<usize>,
    /// The K longest paths instead, from the longest on, a path a line.
    #[arg(long, value_name = "K", value_parser = parse_positive)]
    pub(crate) best: Option<usize>,
    /// One of the longest paths at random, each as likely.
    #[arg(long, value_name = "SEED")]
    pub(crate) sample: Option<u64>,
}

#[derive(clap::Args)]
pub(crate) struct TrailArgs {
    #[command(flatten)]
    pub(crate) graph: GraphArgs,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// What a run may spend and how it reports.
#[derive(Clone, clap::Args)]
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
    /// Stop as soon as the bound is at most this far above the length: a number, or with % behind a share of the bound.
    #[arg(long, value_name = "NUMBER|SHARE%", value_parser = parse_gap, default_value = "0")]
    pub(crate) gap: Gap,
    /// Which engine to use.
    #[arg(long, default_value = "auto", value_parser = engines())]
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
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

impl RunArgs {
    /// What the library may spend; reading the file has taken its share of the time.
    pub(crate) fn reading(&self, process: &Process) -> ReadOptions {
        ReadOptions {
            memory_limit: self.memory_limit,
            interrupt: Some(process.interrupt.clone()),
            deadline: self.time_limit.and_then(|limit| process.began.checked_add(limit)),
            ..ReadOptions::default()
        }
    }

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

/// How far apart bound and length may stay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gap {
    Number(u64),
    /// Of the bound, from 0 to 1.
    Share(f64),
}

impl Gap {
    pub(crate) fn number(self) -> u64 {
        if let Gap::Number(number) = self { number } else { 0 }
    }

    pub(crate) fn share(self) -> f64 {
        if let Gap::Share(share) = self { share } else { 0.0 }
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
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
    /// For people, line by line.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// The card on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FirstCard {
    Position(usize),
    /// Its number and colour, or their names.
    Card(String, String),
}

impl FromStr for FirstCard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is neither a position from 1, like 7, nor a card NUMBER,COLOUR, like 5,3");
        let is_value = |part: &&str| match part.starts_with(char::is_alphabetic) {
            true => part.chars().nth(1).is_some(),
            false => part.parse::<u32>().is_ok(),
        };
        match text.split([',', ' ']).collect::<Vec<_>>()[..] {
            [position] => {
                position.parse().ok().filter(|&position| position > 0).map(FirstCard::Position).ok_or_else(wrong)
            }
            [number, colour] if [number, colour].iter().all(is_value) => {
                Ok(FirstCard::Card(number.to_owned(), colour.to_owned()))
            }
            _ => Err(wrong()),
        }
    }
}

pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
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

pub(crate) fn parse_size(text: &str) -> Result<usize, String> {
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

fn parse_gap(text: &str) -> Result<Gap, String> {
    let wrong = || format!("'{text}' is neither a whole number from 0, like 3, nor a share from 0% to 100%, like 5%");
    match text.trim().strip_suffix('%') {
        None => text.trim().parse().map(Gap::Number).map_err(|_| wrong()),
        Some(share) => {
            let share: f64 = share.trim_end().parse().map_err(|_| wrong())?;
            (0.0..=100.0).contains(&share).then_some(Gap::Share(share / 100.0)).ok_or_else(wrong)
        }
    }
}

fn parse_players(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&players| players > 0).ok_or_else(|| "a number of players is 1 or more".to_owned())
}

fn parse_attributes(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&attributes| attributes > 0).ok_or_else(|| "a card has 1 attribute or more".to_owned())
}

/// A whole number from 1 on.
fn parse_positive(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "a whole number, 1 or more, is needed".to_owned())
}

pub(crate) fn parse_threads(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&threads| threads > 0).ok_or_else(|| "a number of threads is 1 or more".to_owned())
}

fn ace(name: String) -> Ace {
    let entry = Ace::ALL.iter().find(|(known, _)| *known == name);
    entry.expect("only names of places are accepted").1
}

fn parse_weights(text: &str) -> Result<CardWeights, String> {
    match text {
        "faces" => return Ok(CardWeights::FACES_TEN),
        "ranks" => return Ok(CardWeights::RANKS),
        _ => {}
    }
    let wrong = || format!("'{text}' is neither 'faces' nor 'ranks' nor 13 or 14 whole numbers with commas");
    let values: Vec<u32> = text.split(',').map(|value| value.parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
    match values.len() {
        13 | 14 => Ok(CardWeights::new(|card| {
            let at = card.rank().map_or(13, |rank| usize::from(rank) - 1);
            values.get(at).copied().unwrap_or(0)
        })),
        _ => Err(wrong()),
    }
}

fn linear_solver(name: String) -> LinearSolver {
    let entry = LinearSolver::ALL.iter().find(|(known, _)| *known == name);
    entry.expect("only names of solvers are accepted").1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_consistent() {
        Args::definition().debug_assert();
    }

    #[test]
    fn gaps() {
        assert_eq!(parse_gap("3"), Ok(Gap::Number(3)));
        assert_eq!(parse_gap("5%"), Ok(Gap::Share(0.05)));
        assert_eq!(parse_gap("0.5 %"), Ok(Gap::Share(0.005)));
        for wrong in ["-1", "101%", "5.5", "%", "NaN%"] {
            assert!(parse_gap(wrong).is_err(), "{wrong}");
        }
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
        let card = |number: &str, colour: &str| Ok(FirstCard::Card(number.to_owned(), colour.to_owned()));
        assert_eq!("5,3".parse(), card("5", "3"));
        assert_eq!("5 3".parse(), card("5", "3"));
        assert_eq!("skip,blue".parse(), card("skip", "blue"));
        for wrong in ["0", "-1", "5,", "x", "1,2,3", "4294967296,0"] {
            assert!(wrong.parse::<FirstCard>().is_err(), "{wrong}");
        }
    }
}
