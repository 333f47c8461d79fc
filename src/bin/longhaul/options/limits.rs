//! What a command may spend.

use std::time::Duration;

use longhaul::Limits;
use longhaul::io::ReadOptions;

use super::values::{parse_size, parse_threads, parse_time};
use crate::process::Process;

/// What a command may spend.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Stop after this time with the best answer and bound [default: none]
    ///
    /// In seconds, or with ms, s, m or h behind.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time_limit: Option<Duration>,
    /// Stop before the search holds more memory than this
    ///
    /// In bytes, or with kB, MB, GB, KiB, MiB or GiB behind.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4GiB")]
    pub(crate) memory_limit: usize,
    /// How many threads to use [default: one for each processor]
    #[arg(long, value_parser = parse_threads)]
    pub(crate) threads: Option<usize>,
}

impl LimitArgs {
    /// What reading may spend of that.
    pub(crate) fn reading(&self, process: &Process) -> ReadOptions {
        process.reading(self.time_limit, self.memory_limit)
    }

    /// What the library may spend; reading the file has taken its share of the time.
    pub(crate) fn of_library(&self, process: &Process, seed: u64) -> Limits {
        process.limits(self.time_limit, self.memory_limit, self.threads, seed)
    }
}
