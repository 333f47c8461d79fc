//! An answer in each of the output forms, and the exit code that goes with it.

use std::io::{self, Write};
use std::process::ExitCode;

use longhaul::io::{Decimal, NodeName, NodeNames};
use longhaul::{KPathSolution, Solution, Stats, Status, Stop};
use petgraph::graph::{EdgeIndex, NodeIndex};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use crate::object::{Effort, Told, write_answer};
use crate::options::output::AnswerOutput;

/// An answer ready to be printed.
pub(crate) struct Answer<'a> {
    pub(crate) status: Status,
    pub(crate) stop: Stop,
    pub(crate) length: Option<i64>,
    pub(crate) upper_bound: Option<i64>,
    pub(crate) nodes: Vec<NodeIndex>,
    pub(crate) stats: Stats,
    /// With what probability, at most, a longer path of `k` nodes was missed, where that is not proved.
    pub(crate) failure_probability: Option<f64>,
    /// How many nodes the path was to have, if that was asked for.
    pub(crate) k: Option<usize>,
    pub(crate) names: &'a NodeNames,
    /// How many places behind the point the unit of lengths has.
    pub(crate) places: u32,
    /// Whether it is about a cycle.
    pub(crate) closed: bool,
    /// Of a trail: the ends of its edges, in order.
    pub(crate) trail: Option<Vec<[NodeIndex; 2]>>,
    /// What else there is to tell of a graph's path.
    pub(crate) question: Option<Question>,
    /// For a game of cards: the cards in playing order.
    pub(crate) cards: Option<&'a dyn Sequence>,
}

/// What a graph was asked for, and the edges of the answer.
pub(crate) struct Question {
    pub(crate) directed: bool,
    pub(crate) from: Option<NodeIndex>,
    pub(crate) to: Option<NodeIndex>,
    /// Along the path, a cycle's closing one last: which edges of the file they are, and their weights.
    pub(crate) edges: Vec<EdgeIndex>,
    pub(crate) weights: Vec<i64>,
    /// Whether nodes have prizes, so that the length is more than the weights.
    pub(crate) has_prizes: bool,
}

/// Cards in playing order, as people read them. There may be millions, so each is told when it is printed.
pub(crate) trait Sequence {
    /// How many cards are played.
    fn len(&self) -> usize;
    /// How many cards there were to choose from.
    fn of(&self) -> usize;
    /// Appends the card at this place, from 0, to the text.
    fn card(&self, at: usize, text: &mut String);
    /// Appends in what the card at this place, from 1, agrees with the one before.
    fn link(&self, at: usize, text: &mut String);
}

/// The cards alone.
pub(crate) fn cards_of(sequence: &dyn Sequence) -> Vec<String> {
    let card = |at| {
        let mut text = String::new();
        sequence.card(at, &mut text);
        text
    };
    (0..sequence.len()).map(card).collect()
}

/// A card a line, with its number and its link behind `#`.
pub(crate) fn write_sequence(sequence: &dyn Sequence, out: &mut dyn Write) -> io::Result<()> {
    let (mut text, mut width) = (String::new(), 0);
    for at in 0..sequence.len() {
        text.clear();
        sequence.card(at, &mut text);
        width = width.max(text.chars().count());
    }
    let digits = sequence.len().to_string().len();
    for at in 0..sequence.len() {
        text.clear();
        sequence.card(at, &mut text);
        text.extend(std::iter::repeat_n(' ', width - text.chars().count()));
        write!(out, "{text}  # {:digits$}", at + 1)?;
        if at > 0 {
            text.clear();
            sequence.link(at, &mut text);
            write!(out, ": {text}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The object of `--output json`.
#[derive(Serialize)]
struct Object<'a> {
    status: String,
    stop: String,
    length: Option<Told>,
    upper_bound: Option<Told>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure_probability: Option<f64>,
    cycle: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    directed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<EndNames<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<usize>,
    nodes: Names<'a>,
    /// Numbers of edges of the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    edge_numbers: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<Told>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prizes: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edges: Option<Vec<Names<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<Vec<String>>,
    engine: &'static str,
    seconds: f64,
    peak_bytes: usize,
    stats: Effort<'a>,
}

/// The ends that were asked for; null where any will do.
#[derive(Serialize)]
struct EndNames<'a> {
    #[serde(serialize_with = "serialize_end")]
    from: Option<NodeName<'a>>,
    #[serde(serialize_with = "serialize_end")]
    to: Option<NodeName<'a>>,
}

fn serialize_end<S: Serializer>(name: &Option<NodeName<'_>>, serializer: S) -> Result<S::Ok, S::Error> {
    match name {
        None => serializer.serialize_none(),
        Some(NodeName::Number(number)) => number.serialize(serializer),
        Some(NodeName::Word(word)) => word.serialize(serializer),
    }
}

/// Names as JSON tells them: numbers and words.
pub(crate) struct Names<'a>(pub(crate) Vec<NodeName<'a>>);

impl Serialize for Names<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(Some(self.0.len()))?;
        for name in &self.0 {
            match name {
                NodeName::Number(number) => sequence.serialize_element(number)?,
                NodeName::Word(word) => sequence.serialize_element(word)?,
            }
        }
        sequence.end()
    }
}

impl<'a> Answer<'a> {
    /// What all answers tell alike, and nodes of these names.
    pub(crate) fn of<T>(answer: &longhaul::Answer<T>, nodes: Vec<NodeIndex>, names: &'a NodeNames) -> Self {
        Answer {
            status: answer.status(),
            stop: answer.stop(),
            length: answer.worth(),
            upper_bound: answer.upper_bound(),
            nodes,
            stats: answer.stats().clone(),
            failure_probability: None,
            k: None,
            names,
            places: 0,
            closed: false,
            trail: None,
            question: None,
            cards: None,
        }
    }

    /// A path or a cycle.
    pub(crate) fn of_path<Edge>(solution: &Solution<NodeIndex, Edge>, names: &'a NodeNames, closed: bool) -> Self {
        Answer { closed, ..Answer::of(solution.answer(), solution.path().unwrap_or_default().to_vec(), names) }
    }

    /// Nothing is known.
    pub(crate) fn unknown(names: &'a NodeNames) -> Self {
        let nothing = longhaul::Answer::<()>::new(None, Some(i64::MAX), Stop::Exhausted, Stats::default());
        Answer { upper_bound: None, ..Answer::of(&nothing, Vec::new(), names) }
    }

    /// The answer to the question for a path of `k` nodes.
    pub(crate) fn of_k_path(solution: &KPathSolution<NodeIndex, EdgeIndex>, k: usize, names: &'a NodeNames) -> Self {
        Answer {
            status: solution.status(),
            upper_bound: solution.upper_bound(),
            failure_probability: solution.failure_probability(),
            k: Some(k),
            ..Answer::of(solution.answer(), solution.path().unwrap_or_default().to_vec(), names)
        }
    }

    pub(crate) fn write(&self, form: AnswerOutput, out: &mut dyn Write) -> io::Result<()> {
        match form {
            AnswerOutput::Text => self.write_text(out),
            AnswerOutput::Json | AnswerOutput::Jsonl => self.write_json(form, out),
            AnswerOutput::Dimacs => self.write_dimacs(out),
        }
    }

    /// The exit code; the distinguishing ones are those of SAT solvers.
    pub(crate) fn exit_code(&self, sat_exit_codes: bool) -> ExitCode {
        match self.status {
            Status::Optimal if sat_exit_codes => ExitCode::from(30),
            Status::Feasible if sat_exit_codes => ExitCode::from(10),
            Status::Infeasible if sat_exit_codes => ExitCode::from(20),
            _ => ExitCode::SUCCESS,
        }
    }

    fn names(&self) -> impl Iterator<Item = NodeName<'_>> {
        self.nodes.iter().map(|&node| self.names.name(node))
    }

    /// A summary behind `#`, then a node or card a line: so a play is a deck file again, and a path a list for `check`.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "# {}", self.summary())?;
        match self.cards {
            Some(sequence) => write_sequence(sequence, out),
            None => self.names().try_for_each(|name| writeln!(out, "{name}")),
        }
    }

    /// A length as the file would write it.
    pub(crate) fn shown(&self, length: i64) -> Decimal {
        Decimal { units: length, places: self.places }
    }

    /// The answer in a line.
    pub(crate) fn summary(&self) -> String {
        let what = match (self.cards, self.closed, self.k) {
            _ if self.trail.is_some() => if self.closed { "closed trail" } else { "trail" }.to_owned(),
            (Some(_), ..) => "sequence".to_owned(),
            (None, true, _) => "cycle".to_owned(),
            (None, false, Some(k)) => format!("path of {}", count_of_nodes(k)),
            (None, false, None) => "path".to_owned(),
        };
        // A play counts cards, which are nodes; a path counts its weights.
        let count =
            |length: i64| if self.cards.is_some() { (length + 1).to_string() } else { self.shown(length).to_string() };
        let subject = match (self.cards, self.length) {
            (None, Some(length)) if self.trail.is_some() => {
                let length = self.shown(length);
                format!("length {length}, {}", count_of_edges(self.trail.as_ref().map_or(0, Vec::len)))
            }
            (Some(cards), Some(_)) => format!("{} of {} cards", cards.len(), cards.of()),
            (None, Some(length)) => format!("length {}, {}", self.shown(length), count_of_nodes(self.names().count())),
            (_, None) => match self.status {
                Status::Infeasible if self.k.is_some() => return "there is no such path: proved".to_owned(),
                Status::Infeasible => return format!("there is no such {what}: proved"),
                _ => format!("no {what} found"),
            },
        };
        if self.k.is_some() {
            return self.summary_of_k_path(subject, &what);
        }
        match (self.status, self.upper_bound) {
            (Status::Optimal, _) => format!("{subject}; no {what} is longer: proved"),
            (_, Some(upper)) if upper < i64::MAX => {
                let why = match self.stop {
                    Stop::Gap => "stopped within the gap".to_owned(),
                    stop => format!("stopped: {stop}"),
                };
                format!("{subject}; no {what} is longer than {} ({why})", count(upper))
            }
            _ => format!("{subject}; stopped: {}", self.stop),
        }
    }

    /// `subject` says what was found, and `what` was looked for.
    fn summary_of_k_path(&self, subject: String, what: &str) -> String {
        let Some(probability) = self.failure_probability else {
            let proof =
                if self.status == Status::Optimal { format!("; no {what} is longer: proved") } else { String::new() };
            return format!("{subject}{proof}");
        };
        let there_is = if self.nodes.is_empty() { "if there is one" } else { "if there is a longer one" };
        let bound = match self.upper_bound {
            Some(upper) if !self.nodes.is_empty() => format!("; none is longer than {}", self.shown(upper)),
            _ => String::new(),
        };
        let why = if self.stop == Stop::Exhausted { String::new() } else { format!(" (stopped: {})", self.stop) };
        format!("{subject}{bound}; {there_is}, it was missed with probability {probability:.1e} at most{why}")
    }

    fn write_json(&self, form: AnswerOutput, out: &mut dyn Write) -> io::Result<()> {
        let Stats { method, elapsed, steps, peak_bytes, decisions, .. } = &self.stats;
        let question = self.question.as_ref();
        let told = |units| Told::new(units, self.places);
        let name = |node: Option<NodeIndex>| node.map(|node| self.names.name(node));
        let object = Object {
            status: self.status.to_string(),
            stop: self.stop.to_string(),
            length: self.length.map(told),
            upper_bound: self.upper_bound.map(told),
            failure_probability: self.failure_probability,
            cycle: self.closed,
            directed: question.map(|question| question.directed),
            ends: question.map(|question| EndNames { from: name(question.from), to: name(question.to) }),
            k: self.k,
            nodes: Names(self.names().collect()),
            edges: self
                .trail
                .as_ref()
                .map(|edges| edges.iter().map(|ends| Names(ends.map(|end| self.names.name(end)).to_vec())).collect()),
            edge_numbers: question.map(|question| question.edges.iter().map(|edge| edge.index() + 1).collect()),
            weights: question.map(|question| question.weights.iter().map(|&weight| told(weight)).collect()),
            prizes: question.filter(|question| question.has_prizes).map(|_| true),
            cards: self.cards.map(cards_of),
            engine: method,
            seconds: elapsed.as_secs_f64(),
            peak_bytes: *peak_bytes,
            stats: Effort { steps: *steps, decisions },
        };
        write_answer(&object, form, out)
    }

    /// The `o` lines came while the run lasted.
    fn write_dimacs(&self, out: &mut dyn Write) -> io::Result<()> {
        const NODES_A_LINE: usize = 20;
        writeln!(out, "c {}", self.summary())?;
        let status = match self.status {
            Status::Optimal => "OPTIMUM FOUND",
            Status::Feasible => "FEASIBLE",
            Status::Infeasible => "INFEASIBLE",
            Status::Unknown => "UNKNOWN",
        };
        writeln!(out, "s {status}")?;
        let mut numbers: Vec<usize> = self.nodes.iter().map(|node| node.index() + 1).collect();
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

/// `1 edge`, `2 edges`.
pub(crate) fn count_of_edges(count: usize) -> String {
    if count == 1 { "1 edge".to_owned() } else { format!("{count} edges") }
}

/// `1 node`, `2 nodes`.
pub(crate) fn count_of_nodes(count: usize) -> String {
    if count == 1 { "1 node".to_owned() } else { format!("{count} nodes") }
}
