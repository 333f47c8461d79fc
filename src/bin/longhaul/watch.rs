//! Whoever watches a run: the log, the progress line, and the outputs that tell of every improvement.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use longhaul::{Progress, Stats};
use serde::Serialize;

use crate::args::{AnswerOutput, RunArgs};
use crate::output::Output;
use crate::tell::tell;

/// Tells of improvements as they come.
pub(crate) struct Watch {
    pub(crate) output: Output,
    form: AnswerOutput,
    verbose: bool,
    line: Option<ProgressBar>,
    interrupt: Arc<AtomicBool>,
    last: Option<Progress>,
    /// All improvements, where a report is to be made of them.
    history: Option<Vec<Progress>>,
}

/// A line of `--output jsonl` before the answer.
#[derive(Serialize)]
struct Improvement {
    r#type: &'static str,
    seconds: f64,
    length: Option<i64>,
    upper_bound: Option<i64>,
    engine: &'static str,
}

impl Watch {
    pub(crate) fn new(args: &RunArgs, interrupt: Arc<AtomicBool>) -> Self {
        const TICK: Duration = Duration::from_millis(100);
        let line = (!args.quiet && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}").expect("the template is well formed");
            let line = ProgressBar::new_spinner().with_style(style);
            line.enable_steady_tick(TICK);
            line
        });
        if args.verbose {
            let [time, path, bound, gap, engine] = ["time", "incumbent", "bound", "gap", "engine"];
            tell(&format!("{time:>10} | {path:>12} | {bound:>12} | {gap:>12} | {engine:<18} | where"));
        }
        Watch {
            output: Output::new(),
            form: args.output,
            verbose: args.verbose,
            line,
            interrupt,
            last: None,
            history: args.pictures.report.is_some().then(Vec::new),
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
        let show = |value: Option<i64>| value.map_or("-".to_owned(), |value| value.to_string());
        let gap = progress.upper_bound.zip(progress.incumbent).map(|(upper, length)| upper.saturating_sub(length));
        if self.verbose {
            let side = match &self.last {
                Some(last) if last.incumbent == progress.incumbent => "bound",
                None if progress.incumbent.is_none() => "bound",
                _ => "path",
            };
            let row = format!(
                "{:>9.3}s | {:>12} | {:>12} | {:>12} | {:<18} | {side}",
                progress.elapsed.as_secs_f64(),
                show(progress.incumbent),
                show(progress.upper_bound),
                show(gap),
                progress.engine
            );
            match &self.line {
                Some(line) => line.suspend(|| tell(&row)),
                None => tell(&row),
            }
        }
        if let Some(line) = &self.line {
            let (length, bound) = (show(progress.incumbent), show(progress.upper_bound));
            line.set_message(format!("length {length}, bound {bound}, gap {}, {}", show(gap), progress.engine));
        }
        let longer = self.last.as_ref().is_none_or(|last| last.incumbent != progress.incumbent);
        self.last = Some(progress.clone());
        let heard = match (self.form, progress.incumbent) {
            (AnswerOutput::Dimacs, Some(length)) if longer => self.output.write_now(|out| writeln!(out, "o {length}")),
            (AnswerOutput::Jsonl, _) => {
                let improvement = Improvement {
                    r#type: "improvement",
                    seconds: progress.elapsed.as_secs_f64(),
                    length: progress.incumbent,
                    upper_bound: progress.upper_bound,
                    engine: progress.engine,
                };
                self.output.write_now(|out| {
                    serde_json::to_writer(&mut *out, &improvement)?;
                    writeln!(out)
                })
            }
            _ => true,
        };
        if !heard {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }

    /// The run is over.
    pub(crate) fn ended(&mut self, stats: &Stats) {
        if let Some(line) = self.line.take() {
            line.finish_and_clear();
        }
        if self.verbose {
            stats.decisions.iter().for_each(|decision| tell(decision));
            tell(&format!("{} steps, {} bytes, {:.3} s", stats.steps, stats.peak_bytes, stats.elapsed.as_secs_f64()));
        }
    }
}
