//! What a search may spend that is not for paths, and how its answer is told.

use clap::ValueEnum;
use longhaul::Limits;
use longhaul::io::ReadOptions;

use super::limits::LimitArgs;
use super::output::AnswerOutput;
use crate::process::Process;

/// What a search may spend, and how its answer is told.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) spent: LimitArgs,
    /// The seed of everything random.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// How to print the answer.
    #[arg(long, help_heading = "Output", value_enum, default_value_t)]
    pub(crate) output: SearchOutput,
    /// Log to standard error: a row for each improvement, and decisions
    ///
    /// A row whenever the answer or the bound improves, and what was decided and why.
    #[arg(short, long, help_heading = "Output", conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// No progress line.
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

impl SearchArgs {
    /// What reading may spend of that.
    pub(crate) fn reading(&self, process: &Process) -> ReadOptions {
        self.spent.reading(process)
    }

    /// What the library may spend.
    pub(crate) fn limits(&self, process: &Process) -> Limits {
        self.spent.of_library(process, self.seed)
    }
}

/// The forms of [`AnswerOutput`] that are not for paths alone.
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

impl SearchOutput {
    /// The same as answers about paths have it.
    pub(crate) fn form(self) -> AnswerOutput {
        match self {
            SearchOutput::Text => AnswerOutput::Text,
            SearchOutput::Json => AnswerOutput::Json,
            SearchOutput::Jsonl => AnswerOutput::Jsonl,
        }
    }
}
