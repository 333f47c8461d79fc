//! Whoever watches a run: the log, the progress line, and the outputs that tell of every improvement.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use longhaul::io::Decimal;
use longhaul::{Progress, Stats};
use serde::Serialize;

use crate::object::{Told, write_row};
use crate::options::output::AnswerOutput;
use crate::options::run::RunArgs;
use crate::options::search::SearchArgs;
use crate::output::Output;
use crate::tell::tell;

/// Tells of improvements as they come.
pub(crate) struct Watch {
    pub(crate) output: Output,
    form: AnswerOutput,
    verbose: bool,
    line: Option<Line>,
    interrupt: Arc<AtomicBool>,
    /// How many places behind the point the unit of lengths has.
    places: u32,
    /// What is measured: `length` or `size`.
    measure: &'static str,
    last: Option<Progress>,
    /// All improvements, where a report is to be made of them.
    history: Option<Vec<Progress>>,
}

/// The progress line, which is gone when it is dropped.
struct Line(ProgressBar);

impl Drop for Line {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A line of `--output jsonl` before the answer.
#[derive(Serialize)]
struct Improvement {
    seconds: f64,
    /// Of the best path.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<Option<Told>>,
    /// Of the best of what is no path.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<Option<Told>>,
    upper_bound: Option<Told>,
    engine: &'static str,
}

impl Watch {
    pub(crate) fn new(args: &RunArgs, interrupt: Arc<AtomicBool>) -> Self {
        let history = args.pictures.report.is_some().then(Vec::new);
        Watch { history, ..Watch::of("length", args.output, args.verbose, args.quiet, interrupt) }
    }

    /// Watches a search that is not for paths.
    pub(crate) fn of_search(args: &SearchArgs, interrupt: Arc<AtomicBool>) -> Self {
        Watch::of("size", args.output.form(), args.verbose, args.quiet, interrupt)
    }

    fn of(measure: &'static str, form: AnswerOutput, verbose: bool, quiet: bool, interrupt: Arc<AtomicBool>) -> Self {
        const TICK: Duration = Duration::from_millis(100);
        let line = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let style =
                ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}").expect("the template is well formed");
            let line = ProgressBar::new_spinner().with_style(style);
            line.enable_steady_tick(TICK);
            Line(line)
        });
        if verbose {
            let [time, path, bound, gap, engine] = ["time", "incumbent", "bound", "gap", "engine"];
            tell(&format!("{time:>10} | {path:>12} | {bound:>12} | {gap:>12} | {engine:<18} | where"));
        }
        Watch { output: Output::new(), form, verbose, line, interrupt, places: 0, measure, last: None, history: None }
    }

    /// Lengths are told as the file would write them.
    pub(crate) fn tells_in_units_of(&mut self, places: u32) {
        self.places = places;
    }

    pub(crate) fn places(&self) -> u32 {
        self.places
    }

    /// What the line says until there is an improvement.
    pub(crate) fn says(&self, message: &str) {
        if let Some(line) = &self.line {
            line.0.set_message(message.to_owned());
        }
    }

    /// Lets others write to standard error, where the line may stand.
    pub(crate) fn aside(&self, tells: impl FnOnce()) {
        match &self.line {
            Some(line) => line.0.suspend(tells),
            None => tells(),
        }
    }

    /// All improvements so far, if they are kept.
    pub(crate) fn history(&self) -> &[Progress] {
        self.history.as_deref().unwrap_or_default()
    }

    /// Either side has improved.
    pub(crate) fn improved(&mut self, progress: &Progress) {
        if let Some(history) = &mut self.history {
            history.push(progress.clone());
        }
        let places = self.places;
        let show = |value: Option<i64>| value.map_or("-".to_owned(), |units| Decimal { units, places }.to_string());
        let told = |value: Option<i64>| value.map(|units| Told::new(units, places));
        let gap = progress.upper_bound.zip(progress.incumbent).map(|(upper, length)| upper.saturating_sub(length));
        if self.verbose {
            let side = match &self.last {
                Some(last) if last.incumbent == progress.incumbent => "bound",
                None if progress.incumbent.is_none() => "bound",
                _ if self.measure == "size" => "size",
                _ => "path",
            };
            let row = format!(
                "{:>9.3}s | {:>12} | {:>12} | {:>12} | {:<18} | {side}",
                progress.elapsed.as_secs_f64(),
                show(progress.incumbent),
                show(progress.upper_bound),
                show(gap),
                progress.method
            );
            self.aside(|| tell(&row));
        }
        if let Some(line) = &self.line {
            let (length, bound) = (show(progress.incumbent), show(progress.upper_bound));
            let (measure, gap, engine) = (self.measure, show(gap), progress.method);
            line.0.set_message(format!("{measure} {length}, bound {bound}, gap {gap}, {engine} {}", work_of(engine)));
        }
        let longer = self.last.as_ref().is_none_or(|last| last.incumbent != progress.incumbent);
        self.last = Some(progress.clone());
        let heard = match (self.form, progress.incumbent) {
            (AnswerOutput::Dimacs, Some(length)) if longer => {
                let length = show(Some(length));
                self.output.write_now(|out| writeln!(out, "o {length}"))
            }
            (AnswerOutput::Jsonl, _) => {
                let is_length = self.measure == "length";
                let improvement = Improvement {
                    seconds: progress.elapsed.as_secs_f64(),
                    length: is_length.then(|| told(progress.incumbent)),
                    size: (!is_length).then(|| told(progress.incumbent)),
                    upper_bound: told(progress.upper_bound),
                    engine: progress.method,
                };
                self.output.write_now(|out| write_row("improvement", &improvement, out))
            }
            _ => true,
        };
        if !heard {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }

    /// The run is over.
    pub(crate) fn ended(&mut self, stats: &Stats) {
        self.line = None;
        if self.verbose {
            stats.decisions.iter().for_each(|decision| tell(decision));
            tell(&format!("{} steps, {} bytes, {:.3} s", stats.steps, stats.peak_bytes, stats.elapsed.as_secs_f64()));
        }
    }
}

/// What an engine does, in a few words for the progress line.
fn work_of(engine: &str) -> &'static str {
    match engine {
        "auto" => "reduces and tries what is quick",
        "backtracking" | "plain-backtracking" => "tries all ways",
        "branch-and-bound" => "tries what the bound leaves open",
        "branch-and-cut" => "cuts fractional solutions off",
        "conflict" => "learns from dead ends",
        "frontier" | "signature" | "sweep" => "sweeps over the graph",
        "trail" => "looks for a trail of the root",
        "local-search" => "mends paths to make them longer",
        "color-coding" | "plain-color-coding" => "colours nodes at random",
        "sieve" => "evaluates polynomials at random",
        _ => "is at work",
    }
}

/// Hands the options that are about the run to the library, whichever its question is.
macro_rules! configured {
    ($question:expr, $args:expr, $process:expr, $watch:expr) => {{
        let watch: &mut $crate::watch::Watch = $watch;
        $question
            .limits($args.limits($process))
            .gap($args.gap.units(watch.places()))
            .relative_gap($args.gap.share())
            .engine($args.engine)
            .on_progress(|progress| watch.improved(progress))
    }};
}
pub(crate) use configured;
