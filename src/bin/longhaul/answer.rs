//! An answer in each of the output forms, and the exit code that goes with it.

use std::io::{self, Write};
use std::process::ExitCode;

use longhaul::adapters::uno::Card;
use longhaul::io::{NodeName, NodeNames};
use longhaul::{Solution, Stats, Status, Stop};
use petgraph::graph::NodeIndex;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use crate::args::AnswerOutput;

/// An answer ready to be printed.
pub(crate) struct Answer<'a, Edge> {
    pub(crate) solution: &'a Solution<NodeIndex, Edge>,
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

impl<Edge> Answer<'_, Edge> {
    pub(crate) fn write(&self, form: AnswerOutput, out: &mut dyn Write) -> io::Result<()> {
        match form {
            AnswerOutput::Text => self.write_text(out),
            AnswerOutput::Json | AnswerOutput::Jsonl => self.write_json(form, out),
            AnswerOutput::Dimacs => self.write_dimacs(out),
        }
    }

    /// The exit code; the distinguishing ones are those of SAT solvers.
    pub(crate) fn exit_code(&self, sat_exit_codes: bool) -> ExitCode {
        match self.solution.status() {
            Status::Optimal if sat_exit_codes => ExitCode::from(30),
            Status::Feasible if sat_exit_codes => ExitCode::from(10),
            Status::Infeasible if sat_exit_codes => ExitCode::from(20),
            _ => ExitCode::SUCCESS,
        }
    }

    fn names(&self) -> impl Iterator<Item = NodeName<'_>> {
        self.solution.path().unwrap_or_default().iter().map(|&node| self.names.name(node))
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
        let solution = self.solution;
        let what = match (self.cards, self.closed) {
            (Some(_), _) => "sequence",
            (None, true) => "cycle",
            (None, false) => "path",
        };
        // A play counts cards, which are nodes; a path counts its weights.
        let count = |length: i64| if self.cards.is_some() { length + 1 } else { length };
        let subject = match (self.cards, solution.length()) {
            (Some((cards, of)), Some(_)) => format!("{} of {of} cards", cards.len()),
            (None, Some(length)) => format!("length {length}, {}", count_of_nodes(self.names().count())),
            (_, None) => match solution.status() {
                Status::Infeasible => return format!("there is no such {what}: proved"),
                _ => format!("no {what} found"),
            },
        };
        match (solution.status(), solution.upper_bound()) {
            (Status::Optimal, _) => format!("{subject}; no {what} is longer: proved"),
            (_, Some(upper)) if upper < i64::MAX => {
                let why = match solution.stop() {
                    Stop::Gap => "stopped within the gap".to_owned(),
                    stop => format!("stopped: {stop}"),
                };
                format!("{subject}; no {what} is longer than {} ({why})", count(upper))
            }
            _ => format!("{subject}; stopped: {}", solution.stop()),
        }
    }

    fn write_json(&self, form: AnswerOutput, out: &mut dyn Write) -> io::Result<()> {
        let solution = self.solution;
        let Stats { engine, elapsed, steps, peak_bytes, decisions, .. } = solution.stats();
        let object = Object {
            status: solution.status().to_string(),
            stop: solution.stop().to_string(),
            length: solution.length(),
            upper_bound: solution.upper_bound(),
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
        let status = match self.solution.status() {
            Status::Optimal => "OPTIMUM FOUND",
            Status::Feasible => "FEASIBLE",
            Status::Infeasible => "INFEASIBLE",
            Status::Unknown => "UNKNOWN",
        };
        writeln!(out, "s {status}")?;
        let mut numbers: Vec<usize> =
            self.solution.path().unwrap_or_default().iter().map(|node| node.index() + 1).collect();
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
