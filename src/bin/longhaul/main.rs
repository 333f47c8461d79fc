//! The command line of longhaul: thin over the library, every option a library option of the same name.
//!
//! Standard output carries only the result; the log, the progress line and diagnostics go to standard error.

mod allocator;
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
mod judged;
mod listing;
mod object;
mod options;
mod output;
mod picture;
mod process;
mod proof;
mod proved;
mod reduce;
mod rummy;
mod shell;
mod solve;
mod tell;
mod trail;
mod uno;
mod unread;
mod watch;
mod write;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use commands::{Args, Command};
use failure::Failure;
use process::Process;

fn main() -> ExitCode {
    let began = Instant::now();
    allocator::give_back_what_is_freed();
    let args = Args::read();
    let done = listen_to_signals(args.command.searches()).and_then(|interrupt| {
        let process = Process { began, interrupt };
        let done = match &args.command {
            Command::Solve(args) => solve::run(args, &process),
            Command::Trail(args) => trail::run(args, &process),
            Command::Uno(args) => uno::run(args, &process),
            Command::Game(args) => game::run(args, &process),
            Command::Rummy(args) => rummy::run(args, &process),
            Command::Check(args) => check::run(args),
            Command::Info(args) => info::run(args),
            Command::Reduce(args) => reduce::run(args),
            Command::Clique(args) => clique::run(args, &process),
            Command::Dobble(args) => dobble::run(args, &process),
            Command::Generate(family) => generate::run(family),
            Command::Convert(args) => convert::run(args),
            Command::Bench(args) => bench::run(args, &process),
            Command::Completions(args) => shell::completions(args, Args::definition()),
            Command::Man => shell::man(Args::definition()),
        };
        done.or_else(|failure| unread::answer(failure, &args.command, &process))
    });
    done.unwrap_or_else(|failure| {
        failure.report();
        failure.exit_code()
    })
}

/// What a signal does: to a search the first SIGINT or SIGTERM raises the flag that is returned, so that it ends with what it
/// has; the next, or the first where there is no search, ends the process, and files that are not written to their end go.
fn listen_to_signals(searches: bool) -> Result<Arc<AtomicBool>, Failure> {
    let cannot = |error: std::io::Error| Failure::new(format!("cannot listen to signals: {error}"));
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(cannot)?;
    let raised = interrupt.clone();
    std::thread::spawn(move || {
        let mut patience = usize::from(searches);
        for signal in signals.forever() {
            raised.store(true, Ordering::Relaxed);
            if patience == 0 {
                longhaul::io::abandon_saves();
                end(signal, searches);
            }
            patience -= 1;
        }
    });
    Ok(interrupt)
}

/// Ends the process: where there is no search as this signal does where nobody listens.
fn end(signal: i32, searches: bool) -> ! {
    const KILLED_BY_SIGNAL: i32 = 128;
    if !searches {
        // It does not come back but where the system knows no such end.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    std::process::exit(KILLED_BY_SIGNAL + signal)
}
