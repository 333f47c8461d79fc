//! More than one path: counts and lists in each of the output forms.

use std::io::{self, Write};

use longhaul::io::{Decimal, GraphFile, NodeNames};
use longhaul::view::InputGraph;
use longhaul::{Path, PathCounts, Paths, Stats, Stop};
use petgraph::graph::{EdgeIndex, NodeIndex};
use serde::{Serialize, Serializer};

use crate::answer::Names;
use crate::object::{Effort, Told, write_answer, write_row};
use crate::options::output::AnswerOutput;
use crate::options::values::parse_positive;

/// More than one path.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Other questions")]
#[command(group(clap::ArgGroup::new("listing").args(["count", "distribution", "all", "best", "sample"]).conflicts_with_all(["gap", "dfs", "induced"])))]
pub(crate) struct ListingArgs {
    /// Count the longest paths instead
    ///
    /// Without directions a path and its reverse count once.
    #[arg(long)]
    pub(crate) count: bool,
    /// Count all paths instead, by their lengths.
    #[arg(long, hide_short_help = true)]
    pub(crate) distribution: bool,
    /// All longest paths instead, a path a line.
    #[arg(long)]
    pub(crate) all: bool,
    /// With --all, at most N of them.
    #[arg(long, hide_short_help = true, value_name = "N", requires = "all", value_parser = parse_positive)]
    pub(crate) limit: Option<usize>,
    /// The K longest paths instead, the longest first, a path a line.
    #[arg(long, value_name = "K", value_parser = parse_positive)]
    pub(crate) best: Option<usize>,
    /// One of the longest paths at random, each as likely.
    #[arg(long, hide_short_help = true, value_name = "SEED")]
    pub(crate) sample: Option<u64>,
}

impl ListingArgs {
    /// The option that asks for more than one path, or for their number.
    pub(crate) fn many(&self) -> Option<&'static str> {
        let asked = [
            ("count", self.count),
            ("distribution", self.distribution),
            ("all", self.all),
            ("best", self.best.is_some()),
        ];
        asked.into_iter().find(|(_, asked)| *asked).map(|(name, _)| name)
    }
}

/// The object of `--count` and `--distribution`. Counts are strings: they may be larger than other programs' numbers.
#[derive(Serialize)]
struct CountObject<'a> {
    status: &'static str,
    stop: String,
    length: Option<Told>,
    count: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "by_length")]
    by_length: Option<Vec<(String, String)>>,
    #[serde(flatten)]
    run: RunObject<'a>,
}

/// How the answer came about.
#[derive(Serialize)]
struct RunObject<'a> {
    engine: &'static str,
    seconds: f64,
    peak_bytes: usize,
    stats: Effort<'a>,
}

impl<'a> RunObject<'a> {
    fn of(stats: &'a Stats) -> Self {
        let Stats { method, elapsed, steps, peak_bytes, decisions, .. } = stats;
        let stats = Effort { steps: *steps, decisions };
        RunObject { engine: method, seconds: elapsed.as_secs_f64(), peak_bytes: *peak_bytes, stats }
    }
}

/// An object whose keys are the lengths, in their order.
fn by_length<S: Serializer>(counts: &Option<Vec<(String, String)>>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().flatten().map(|(length, count)| (length, count)))
}

fn status(stop: Stop, found: bool) -> &'static str {
    match (stop, found) {
        (Stop::Finished, true) => "optimal",
        (Stop::Finished, false) => "infeasible",
        (_, true) => "feasible",
        (_, false) => "unknown",
    }
}

/// Tells how many paths there are: of the greatest length, or of all.
pub(crate) fn write_counts(
    counts: &PathCounts,
    all: bool,
    places: u32,
    form: AnswerOutput,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = |units: i64| Decimal { units, places }.to_string();
    let by_length = || counts.by_length().iter().map(|(length, count)| (shown(*length), count.to_string()));
    if form != AnswerOutput::Text {
        let complete = counts.is_complete();
        let object = CountObject {
            status: status(counts.stop(), counts.length().is_some()),
            stop: counts.stop().to_string(),
            length: counts.length().map(|length| Told::new(length, places)),
            count: counts.count().map(|count| count.to_string()),
            total: (all && complete).then(|| counts.total().to_string()),
            by_length: (all && complete).then(|| by_length().collect()),
            run: RunObject::of(counts.stats()),
        };
        return write_answer(&object, form, out);
    }
    match (counts.count(), counts.length()) {
        (None, _) => writeln!(out, "# not counted; stopped: {}", counts.stop()),
        (Some(_), None) => writeln!(out, "# there is no such path: proved\n0"),
        (Some(_), Some(_)) if all => {
            writeln!(out, "# {} paths, by length", counts.total())?;
            by_length().try_for_each(|(length, count)| writeln!(out, "{length} {count}"))
        }
        (Some(count), Some(length)) => writeln!(out, "# paths of the greatest length, {}\n{count}", shown(length)),
    }
}

/// The object of `--all` and `--best`.
#[derive(Serialize)]
struct ListObject<'a> {
    status: &'static str,
    stop: String,
    /// Of the first, which is a longest.
    length: Option<Told>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paths: Option<Vec<Names<'a>>>,
    lengths: Vec<Told>,
    #[serde(flatten)]
    run: RunObject<'a>,
}

/// A line of `--output jsonl` for each path.
#[derive(Serialize)]
struct PathRow<'a> {
    length: Told,
    nodes: Names<'a>,
}

fn names_of<'a>(path: &Path<NodeIndex, EdgeIndex>, names: &'a NodeNames) -> Names<'a> {
    Names(path.nodes().iter().map(|&node| names.name(node)).collect())
}

/// Tells paths as they come: a path a line as text or `jsonl`, else all in one object. At most `limit` of them.
pub(crate) fn write_paths<G>(
    mut paths: Paths<'_, G>,
    limit: usize,
    file: &GraphFile,
    form: AnswerOutput,
    out: &mut dyn Write,
) -> io::Result<()>
where
    G: InputGraph<NodeId = NodeIndex, EdgeId = EdgeIndex>,
{
    let names = &file.names;
    let told_length = |length: i64| Told::new(length, file.places);
    let (mut told, mut lengths) = (Vec::new(), Vec::new());
    for path in paths.by_ref().take(limit) {
        match form {
            AnswerOutput::Text => {
                let words: Vec<String> = path.nodes().iter().map(|&node| names.name(node).to_string()).collect();
                writeln!(out, "{}  # length {}", words.join(" "), file.decimal(path.length()))?;
            }
            AnswerOutput::Jsonl => {
                let row = PathRow { length: told_length(path.length()), nodes: names_of(&path, names) };
                write_row("path", &row, out)?;
            }
            AnswerOutput::Json | AnswerOutput::Dimacs => told.push(names_of(&path, names)),
        }
        lengths.push(path.length());
    }
    let stop = paths.stop();
    if form == AnswerOutput::Text {
        return match (stop, lengths.is_empty()) {
            (Stop::Finished, false) => Ok(()),
            (Stop::Finished, true) => writeln!(out, "# there is no such path: proved"),
            (stop, _) => writeln!(out, "# {} paths; stopped: {stop}", lengths.len()),
        };
    }
    let object = ListObject {
        status: status(stop, !lengths.is_empty()),
        stop: stop.to_string(),
        length: lengths.first().copied().map(told_length),
        paths: (form == AnswerOutput::Json).then_some(told),
        lengths: lengths.into_iter().map(told_length).collect(),
        run: RunObject::of(paths.stats()),
    };
    write_answer(&object, form, out)
}
