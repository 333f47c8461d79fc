//! Which graph is read, which of its paths count, and where a graph that is made goes.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use longhaul::io::Format;

/// Which graph, and how to read it.
#[derive(Clone, clap::Args)]
pub(crate) struct GraphArgs {
    /// The graph; '-' is standard input.
    pub(crate) file: PathBuf,
    /// The format of the file [default: by its extension, else by its content]
    #[arg(long, help_heading = "Input", hide_short_help = true, value_parser = PossibleValuesParser::new(Format::ALL.map(|(name, _)| name)).try_map(|name| Format::from_str(&name)))]
    pub(crate) format: Option<Format>,
    /// Edges lead from the first node to the second
    ///
    /// This is for formats that do not say it themselves: edge lists, CSV files, and `p edge` of DIMACS.
    #[arg(long, help_heading = "Input")]
    pub(crate) directed: bool,
    /// Where the weights come from.
    #[arg(long, help_heading = "Input", value_enum, default_value_t)]
    pub(crate) weights: Weights,
}

/// Which paths count.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Which paths")]
pub(crate) struct EndArgs {
    /// The path begins at this node [default: as the file says, else anywhere]
    #[arg(long, value_name = "NODE")]
    pub(crate) from: Option<String>,
    /// The path ends at this node [default: as the file says, else anywhere]
    #[arg(long, value_name = "NODE")]
    pub(crate) to: Option<String>,
    /// Forget the ends that the file asks for ('c terminals' of DIMACS); --from and --to still hold.
    #[arg(long, hide_short_help = true)]
    pub(crate) free: bool,
    /// The longest cycle instead
    ///
    /// The ends of the file do not hold then, and --from is a node that it visits.
    #[arg(long, conflicts_with = "to")]
    pub(crate) cycle: bool,
    /// The path avoids this node; may be given many times.
    #[arg(long, value_name = "NODE")]
    pub(crate) forbid: Vec<String>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Weights {
    /// As in the file, 1 where it has none.
    #[default]
    File,
    /// 1 for every edge, whatever the file says.
    Unit,
}

/// Where a graph goes, and how it is written.
#[derive(clap::Args)]
#[command(next_help_heading = "Output")]
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

/// The formats that a graph can be written in.
pub(crate) fn writable_formats() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.iter().filter(|(_, format)| *format != Format::Deck).map(|(name, _)| *name);
    PossibleValuesParser::new(names).try_map(|name| Format::from_str(&name))
}
