//! What a run may spend and how it reports.

use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use longhaul::io::ReadOptions;
use longhaul::{Engine, Limits};

use super::limits::LimitArgs;
use super::output::AnswerOutput;
use super::pictures::PictureArgs;
use super::values::{Gap, parse_gap, parse_size};
use crate::process::Process;

/// What a run may spend and how it reports.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) spent: LimitArgs,
    /// Let so much that finds no room in memory wait on disk
    ///
    /// In bytes, or with kB, MB, GB, KiB, MiB or GiB behind; 0 for nothing. The files have no names and are gone when the command
    /// is; they are in the folder that TMPDIR names, else in /var/tmp or the system's own for such files.
    #[arg(long, hide_short_help = true, value_name = "SIZE", value_parser = parse_size, default_value = "16GiB")]
    pub(crate) disk_limit: usize,
    /// The seed of everything random.
    #[arg(long, hide_short_help = true, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Stop when the bound is at most this far above the length
    ///
    /// A whole number, or with % behind a share of the bound.
    #[arg(long, value_name = "NUMBER|SHARE%", value_parser = parse_gap, default_value = "0")]
    pub(crate) gap: Gap,
    /// Which engine to use.
    #[arg(long, help_heading = "Engine", default_value = "auto", value_parser = engines())]
    pub(crate) engine: Engine,
    /// How to print the answer.
    #[arg(long, help_heading = "Output", value_enum, default_value_t)]
    pub(crate) output: AnswerOutput,
    /// Exit with 30 if the answer is optimal, 10 if there is a path, 20 if there is none, and 0 if that is not known.
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub(crate) sat_exit_codes: bool,
    /// Log to standard error: a row for each improvement, and decisions
    ///
    /// A row whenever the path or the bound improves, and what was decided and why.
    #[arg(short, long, help_heading = "Output", conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// No progress line.
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

impl RunArgs {
    /// What reading may spend of that.
    pub(crate) fn reading(&self, process: &Process) -> ReadOptions {
        self.spent.reading(process)
    }

    /// What the library may spend.
    pub(crate) fn limits(&self, process: &Process) -> Limits {
        Limits { disk: self.disk_limit as u64, ..self.spent.of_library(process, self.seed) }
    }
}

/// The engines by name.
pub(crate) fn engines() -> impl TypedValueParser<Value = Engine> {
    PossibleValuesParser::new(Engine::ALL.map(|(name, _)| name)).try_map(|name| Engine::from_str(&name))
}
