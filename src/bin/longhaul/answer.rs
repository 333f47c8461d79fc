//! An answer in each of the output forms, and the exit code that goes with it.

use std::io::{self, Write};
use std::process::ExitCode;

use longhaul::adapters::uno::Card;
use longhaul::io::{NodeName, NodeNames};
use longhaul::{KPathSolution, Solution, Stats, Status, Stop};
use petgraph::graph::{EdgeIndex, NodeIndex};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use crate::args::AnswerOutput;

/// What the library says, whichever question it was.
pub(crate) struct Found<'a> {
    status: Status,
    stop: Stop,
    path: &'a [NodeIndex],
    length: Option<i64>,
    upper_bound: Option<i64>,
    failure_probability: Option<f64>,
    stats: &'a Stats,
    /// How many nodes the path was to have, if that was asked for.
    k: Option<usize>,
}

impl<'a> Found<'a> {
    pub(crate) fn longest(solution: &'a Solution<NodeIndex, EdgeIndex>) -> Self {
        Found {
            status: solution.status(),
            stop: solution.stop(),
            path: solution.path().unwrap_or_default(),
            length: solution.length(),
            upper_bound: solution.upper_bound(),
            failure_probability: None,
            stats: solution.stats(),
            k: None,
        }
    }

    pub(crate) fn k_path(solution: &'a KPathSolution<NodeIndex, EdgeIndex>, k: usize) -> Self {
        Found {
            status: solution.status(),
            stop: solution.stop(),
            path: solution.path().unwrap_or_default(),
            length: solution.length(),
            upper_bound: solution.upper_bound(),
            failure_probability: solution.failure_probability(),
            stats: solution.stats(),
            k: Some(k),
        }
    }
}

/// An answer ready to be printed.
pub(crate) struct Answer<'a> {
    pub(crate) found: Found<'a>,
    pub(crate) names: &'a NodeNames,
    /// Whether it is about a cycle.
    pub(crate) closed: bool,
    /// For a game of cards: the cards in playing order, and how many there were to choose from.
    pub(crate) cards: Option<(&'a [Card], usize)>,
}

/// The object of `--output json`.
#[derive(Serialize)]
struct Object<'a> {
    status: String,
    stop: String,
    length: Option<i64>,
    upper_bound: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure_probability: Option<f64>,
    #[serde(serialize_with = "serialize_names")]
    nodes: Vec<NodeName<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<Vec<String>>,
    engine: &'static str,
    seconds: f64,
    peak_bytes: usize,
    stats: Details<'a>,
}

#[derive(Serialize)]
struct Details<'a> {
    steps: u64,
    decisions: &'a [String],
}

fn serialize_names<S: Serializer>(names: &[NodeName<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    let mut sequence = serializer.serialize_seq(Some(names.len()))?;
    for name in names {
        match name {
            NodeName::Number(number) => sequence.serialize_element(number)?,
            NodeName::Word(word) => sequence.serialize_element(word)?,
        }
    }
    sequence.end()
}

impl Answer<'_> {
    pub(crate) fn write(&self, form: AnswerOutput, out: &mut dyn Write) -> io::Result<()> {
        match form {
            AnswerOutput::Text => self.write_text(out),
            AnswerOutput::Json | AnswerOutput::Jsonl => self.write_json(form, out),
            AnswerOutput::Dimacs => self.write_dimacs(out),
        }
    }

    /// The exit code; the distinguishing ones are those of SAT solvers.
    pub(crate) fn exit_code(&self, sat_exit_codes: bool) -> ExitCode {
        match self.found.status {
            Status::Optimal if sat_exit_codes => ExitCode::from(30),
            Status::Feasible if sat_exit_codes => ExitCode::from(10),
            Status::Infeasible if sat_exit_codes => ExitCode::from(20),
            _ => ExitCode::SUCCESS,
        }
    }

    fn names(&self) -> impl Iterator<Item = NodeName<'_>> {
        self.found.path.iter().map(|&node| self.names.name(node))
    }

    /// A summary behind `#`, then a node or card a line: so a play is a deck file again, and a path a list for `check`.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "# {}", self.summary())?;
        match self.cards {
            Some((cards, _)) => cards.iter().try_for_each(|card| writeln!(out, "{card}")),
            None => self.names().try_for_each(|name| writeln!(out, "{name}")),
        }
    }

    fn summary(&self) -> String {
        let found = &self.found;
        let what = match (self.cards, self.closed, found.k) {
            (Some(_), ..) => "sequence".to_owned(),
            (None, true, _) => "cycle".to_owned(),
            (None, false, Some(k)) => format!("path of {}", count_of_nodes(k)),
            (None, false, None) => "path".to_owned(),
        };
        // A play counts cards, which are nodes; a path counts its weights.
        let count = |length: i64| if self.cards.is_some() { length + 1 } else { length };
        let subject = match (self.cards, found.length) {
            (Some((cards, of)), Some(_)) => format!("{} of {of} cards", cards.len()),
            (None, Some(length)) => format!("length {length}, {}", count_of_nodes(self.names().count())),
            (_, None) => match found.status {
                Status::Infeasible if found.k.is_some() => return "there is no such path: proved".to_owned(),
                Status::Infeasible => return format!("there is no such {what}: proved"),
                _ => format!("no {what} found"),
            },
        };
        if found.k.is_some() {
            return self.summary_of_k_path(subject, &what);
        }
        match (found.status, found.upper_bound) {
            (Status::Optimal, _) => format!("{subject}; no {what} is longer: proved"),
            (_, Some(upper)) if upper < i64::MAX => {
                let why = match found.stop {
                    Stop::Gap => "stopped within the gap".to_owned(),
                    stop => format!("stopped: {stop}"),
                };
                format!("{subject}; no {what} is longer than {} ({why})", count(upper))
            }
            _ => format!("{subject}; stopped: {}", found.stop),
        }
    }

    /// `subject` says what was found, and `what` was looked for.
    fn summary_of_k_path(&self, subject: String, what: &str) -> String {
        let found = &self.found;
        let Some(probability) = found.failure_probability else {
            let proof =
                if found.status == Status::Optimal { format!("; no {what} is longer: proved") } else { String::new() };
            return format!("{subject}{proof}");
        };
        let there_is = if found.path.is_empty() { "if there is one" } else { "if there is a longer one" };
        let bound = match found.upper_bound {
            Some(upper) if !found.path.is_empty() => format!("; none is longer than {upper}"),
            _ => String::new(),
        };
        let why = if found.stop == Stop::Exhausted { String::new() } else { format!(" (stopped: {})", found.stop) };
        format!("{subject}{bound}; {there_is}, it was missed with probability {probability:.1e} at most{why}")
    }

    fn write_json(&self, form: AnswerOutput, out: &mut dyn Write) -> io::Result<()> {
        let found = &self.found;
        let Stats { engine, elapsed, steps, peak_bytes, decisions, .. } = found.stats;
        let object = Object {
            status: found.status.to_string(),
            stop: found.stop.to_string(),
            length: found.length,
            upper_bound: found.upper_bound,
            failure_probability: found.failure_probability,
            nodes: self.names().collect(),
            cards: self.cards.map(|(cards, _)| cards.iter().map(Card::to_string).collect()),
            engine,
            seconds: elapsed.as_secs_f64(),
            peak_bytes: *peak_bytes,
            stats: Details { steps: *steps, decisions },
        };
        match form {
            AnswerOutput::Jsonl => serde_json::to_writer(&mut *out, &object)?,
            _ => serde_json::to_writer_pretty(&mut *out, &object)?,
        }
        writeln!(out)
    }

    /// The `o` lines came while the run lasted.
    fn write_dimacs(&self, out: &mut dyn Write) -> io::Result<()> {
        const NODES_A_LINE: usize = 20;
        writeln!(out, "c {}", self.summary())?;
        let status = match self.found.status {
            Status::Optimal => "OPTIMUM FOUND",
            Status::Feasible => "FEASIBLE",
            Status::Infeasible => "INFEASIBLE",
            Status::Unknown => "UNKNOWN",
        };
        writeln!(out, "s {status}")?;
        let mut numbers: Vec<usize> = self.found.path.iter().map(|node| node.index() + 1).collect();
        if numbers.is_empty() {
            return Ok(());
        }
        numbers.push(0);
        for row in numbers.chunks(NODES_A_LINE) {
            write!(out, "v")?;
            row.iter().try_for_each(|number| write!(out, " {number}"))?;
            writeln!(out)?;
        }
        Ok(())
    }
}

/// `1 node`, `2 nodes`.
pub(crate) fn count_of_nodes(count: usize) -> String {
    if count == 1 { "1 node".to_owned() } else { format!("{count} nodes") }
}
