//! `longhaul generate`: graphs and decks of a family.

mod cubic;
mod families;

use std::process::ExitCode;

use clap::Subcommand;

use crate::failure::Failure;

#[derive(Subcommand)]
pub(crate) enum Generate {
    /// Cubic graphs: every node has three neighbours.
    Cubic(cubic::CubicArgs),
    #[command(flatten)]
    Family(families::Family),
}

pub(crate) fn run(family: &Generate) -> Result<ExitCode, Failure> {
    match family {
        Generate::Cubic(args) => cubic::run(args),
        Generate::Family(family) => families::run(family),
    }
}
