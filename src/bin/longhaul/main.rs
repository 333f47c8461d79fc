//! The command line of longhaul: thin over the library, every option a library option of the same name.
//!
//! Standard output carries only the result; the log, the progress line and diagnostics go to standard error.

mod answer;
mod bench;
mod check;
mod claimed;
mod claims;
mod clique;
mod commands;
mod convert;
mod demands;
mod dobble;
mod failure;
mod game;
mod generate;
mod info;
mod input;
mod listing;
mod object;
mod options;
mod output;
mod picture;
mod process;
mod proof;
mod reduce;
mod rummy;
mod shell;
mod solve;
mod tell;
mod trail;
mod uno;
mod watch;
mod write;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use signal_hook::consts::{SIGINT, SIGTERM};

use commands::{Args, Command};
use failure::Failure;
use process::Process;

fn main() -> ExitCode {
    let began = Instant::now();
    let args = Args::read();
    let listening = if args.command.searches() { listen_to_signals() } else { Ok(Arc::default()) };
    let done = listening.and_then(|interrupt| {
        let process = Process { began, interrupt };
        match args.command {
            Command::Solve(args) => solve::run(&args, &process),
            Command::Trail(args) => trail::run(&args, &process),
            Command::Uno(args) => uno::run(&args, &process),
            Command::Game(args) => game::run(&args, &process),
            Command::Rummy(args) => rummy::run(&args, &process),
            Command::Check(args) => check::run(&args),
            Command::Info(args) => info::run(&args),
            Command::Reduce(args) => reduce::run(&args),
            Command::Clique(args) => clique::run(&args, &process),
            Command::Dobble(args) => dobble::run(&args, &process),
            Command::Generate(family) => generate::run(&family),
            Command::Convert(args) => convert::run(&args),
            Command::Bench(args) => bench::run(&args, &process),
            Command::Completions(args) => shell::completions(&args, Args::definition()),
            Command::Man => shell::man(Args::definition()),
        }
    });
    done.unwrap_or_else(|failure| {
        failure.report();
        failure.exit_code()
    })
}

/// The first SIGINT or SIGTERM raises the flag that is returned; the next ends the process at once.
fn listen_to_signals() -> Result<Arc<AtomicBool>, Failure> {
    const KILLED_BY_SIGNAL: i32 = 128;
    let interrupt = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal finds the flag down, then raises it.
        signal_hook::flag::register_conditional_shutdown(signal, KILLED_BY_SIGNAL + signal, interrupt.clone())
            .and_then(|_| signal_hook::flag::register(signal, interrupt.clone()))
            .map_err(|error| Failure::new(format!("cannot listen to signals: {error}")))?;
    }
    Ok(interrupt)
}
