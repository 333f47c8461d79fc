//! All commands, each with its options and examples.

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::bench::BenchArgs;
use crate::check::CheckArgs;
use crate::clique::CliqueArgs;
use crate::convert::ConvertArgs;
use crate::dobble::DobbleArgs;
use crate::game::GameArgs;
use crate::generate::Generate;
use crate::info::InfoArgs;
use crate::reduce::ReduceArgs;
use crate::rummy::RummyArgs;
use crate::shell::CompletionsArgs;
use crate::solve::SolveArgs;
use crate::trail::TrailArgs;
use crate::uno::UnoArgs;

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
    #[command(
        after_help = "\
Examples:
  longhaul solve roads.el --from Rome --time-limit 1m -v   a minute at most, row by row
  longhaul solve ring.graph --cycle --output json          the longest cycle, as an object
'longhaul help solve' has all options and more examples.",
        after_long_help = "\
Examples:
  longhaul solve roads.el --from Rome --to Turin           both ends fixed
  longhaul solve net.graphml --weights unit --cycle        the most nodes on a cycle
  longhaul solve board.gr --time-limit 1m -v               stop after a minute; what happens, row by row
  longhaul solve board.gr --gap 5%                         stop when the bound is within 5 % of the path
  longhaul solve large.csv.gz --k 12 --output jsonl        a path of 12 nodes
  cat ring.graph | longhaul solve - --format metis         standard input"
    )]
    Solve(SolveArgs),
    /// Find the longest trail of a graph: no edge twice, nodes as often as they come.
    Trail(TrailArgs),
    /// Find the longest sequence of a deck of UNO cards.
    #[command(
        after_help = "\
Examples:
  longhaul uno hand.deck --first skip,blue --wild 2        after a skip, with two wild cards
'longhaul help uno' has all options and more examples.",
        after_long_help = "\
Examples:
  longhaul uno hand.deck                                   the longest sequence
  longhaul uno hand.deck --first skip,blue --wild 2        after a skip, with two wild cards
  longhaul uno hand.deck --count                           how many sequences there are
  longhaul uno hands.deck --cooperative forced-skip        can player 1 be made to win?
  longhaul uno deck.deck --uncooperative --players 2       who wins against the other?"
    )]
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

impl Command {
    /// Whether it has an answer to give when a signal comes. The others have none, and a signal ends them as any program.
    pub(crate) fn searches(&self) -> bool {
        match self {
            Command::Solve(_) | Command::Trail(_) | Command::Uno(_) | Command::Game(_) | Command::Rummy(_) => true,
            Command::Bench(_) | Command::Clique(_) => true,
            Command::Dobble(args) => args.check.is_none(),
            Command::Check(_) | Command::Info(_) | Command::Convert(_) | Command::Reduce(_) => false,
            Command::Generate(_) | Command::Completions(_) | Command::Man => false,
        }
    }
}
