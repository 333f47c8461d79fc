//! `longhaul bench`: the instances of a folder or an index, each within a limit, compared with what is known of them and with
//! an earlier run.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use longhaul::io::{Format, GraphFile, ReadOptions};
use longhaul::{Engine, LongestPath, Status};
use petgraph::graph::NodeIndex;
use petgraph::visit::UndirectedAdaptor;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::input::read_text;
use crate::options::graph::GraphOutput;
use crate::options::run::engines;
use crate::options::values::{parse_size, parse_threads, parse_time};
use crate::process::Process;
use crate::tell::tell;
use crate::write::write_whole;

#[derive(clap::Args)]
#[command(after_help = "\
An index is a table with tabs between its columns: 'file', and where they are known 'lower' and 'upper' (the bounds of the
longest path; '-' is unknown), 'from' and 'to'. Lines that begin with '#' are comments. A folder is read through its INDEX.tsv
if it has one, else for all files whose extension is that of a graph.

Examples:
  longhaul bench graphs --time-limit 2                     a table
  longhaul bench graphs/INDEX.tsv --output json > now.json
  longhaul bench graphs --compare now.json                 what has changed since")]
pub(crate) struct BenchArgs {
    /// A folder of instances, or an index of them.
    place: PathBuf,
    /// The limit of each instance: seconds, or with ms, s, m or h behind.
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "10")]
    time_limit: Duration,
    /// The limit of what engines hold for each instance.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4GiB")]
    memory_limit: usize,
    /// How many threads to use [default: one for each processor]
    #[arg(long, value_parser = parse_threads)]
    threads: Option<usize>,
    /// The seed of everything random.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Which engine to use.
    #[arg(long, default_value = "auto", value_parser = engines())]
    engine: Engine,
    /// Only files whose path contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// An earlier run, as --output json or csv has written it.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// How to print the results.
    #[arg(long, value_enum, default_value_t)]
    output: BenchOutput,
    /// Write the results to this file, whole or not at all [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchOutput {
    /// A table to read.
    #[default]
    Table,
    /// A row an instance, with commas.
    Csv,
    /// One JSON array.
    Json,
}

/// What is asked, and what is known of the answer.
struct Instance {
    file: String,
    path: PathBuf,
    ends: [Option<String>; 2],
    lower: Option<i64>,
    upper: Option<i64>,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    file: String,
    nodes: usize,
    edges: usize,
    status: String,
    length: Option<i64>,
    upper_bound: Option<i64>,
    seconds: f64,
    peak_bytes: usize,
    engine: String,
    /// `ok` if the answer agrees with all that is known, `optimal` if it is the longest that is known to be, `new` if it
    /// betters what is known, `wrong` with the reason, `error` with the mistake.
    verdict: String,
}

pub(crate) fn run(args: &BenchArgs, process: &Process) -> Result<ExitCode, Failure> {
    if args.compare.is_some() && args.output != BenchOutput::Table {
        return Err(Failure::usage("--compare adds a column to the table, which --output csv and json do not have"));
    }
    let earlier = args.compare.as_deref().map(read_earlier).transpose()?;
    let instances = instances(args)?;
    let mut rows = Vec::with_capacity(instances.len());
    for instance in &instances {
        if process.interrupt.load(Ordering::Relaxed) {
            tell(&format!("interrupted: {} of {} instances", rows.len(), instances.len()));
            break;
        }
        rows.push(solve(instance, args, process));
    }
    let output = GraphOutput { out: args.out.clone(), format: None };
    write_whole(&output, |out| match args.output {
        BenchOutput::Table => write_table(&rows, earlier.as_ref(), out),
        BenchOutput::Csv => write_csv(&rows, out),
        BenchOutput::Json => {
            serde_json::to_writer_pretty(&mut *out, &rows)?;
            writeln!(out)
        }
    })?;
    let wrong = rows.iter().filter(|row| row.verdict.starts_with("wrong") || row.verdict.starts_with("error"));
    let wrong: Vec<&Row> = wrong.collect();
    wrong.iter().for_each(|row| tell(&format!("{}: {}", row.file, row.verdict)));
    Ok(if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// From the index, or from the folder.
fn instances(args: &BenchArgs) -> Result<Vec<Instance>, Failure> {
    let place = &args.place;
    let index = if place.is_dir() { place.join("INDEX.tsv") } else { place.clone() };
    let mut instances = if index.is_file() { of_index(&index)? } else { of_folder(place)? };
    if let Some(text) = &args.only {
        instances.retain(|instance| instance.file.contains(text.as_str()));
    }
    match instances.is_empty() {
        true => Err(Failure::new(format!("{}: there is no instance to solve", place.display()))),
        false => Ok(instances),
    }
}

fn of_index(index: &Path) -> Result<Vec<Instance>, Failure> {
    let (name, text) = read_text(index)?;
    let folder = index.parent().unwrap_or(Path::new(""));
    let mut rows = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    let wrong = |line: usize, expected: &str| Failure::new(format!("{name}:{}: expected {expected}", line + 1));
    let (line, header) = rows.next().ok_or_else(|| wrong(0, "a row with the names of the columns"))?;
    let names: Vec<&str> = header.split('\t').collect();
    let column = |name: &str| names.iter().position(|known| *known == name);
    let file = column("file").ok_or_else(|| wrong(line, "a column 'file', with tabs between the columns"))?;
    let mut instances = Vec::new();
    for (line, row) in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let cell = |column: Option<usize>| column.and_then(|column| cells.get(column)).copied().unwrap_or("-");
        let number = |column: Option<usize>| match cell(column) {
            "-" | "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| wrong(line, &format!("a length or '-', not '{text}'"))),
        };
        // A table of many small instances is no instance.
        if cell(column("format")).ends_with("-table") {
            continue;
        }
        let end = |column: Option<usize>| Some(cell(column)).filter(|end| !["-", "*"].contains(end)).map(str::to_owned);
        let file = cell(Some(file)).to_owned();
        instances.push(Instance {
            path: folder.join(&file),
            file,
            ends: [end(column("from")), end(column("to"))],
            lower: number(column("lower"))?,
            upper: number(column("upper"))?,
        });
    }
    Ok(instances)
}

/// All files below whose extension is that of a graph, by name.
fn of_folder(place: &Path) -> Result<Vec<Instance>, Failure> {
    let unreadable = |error: std::io::Error| Failure::new(format!("{}: cannot be read: {error}", place.display()));
    let mut files = Vec::new();
    let mut folders = vec![place.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if Format::from_extension(&path.display().to_string()).is_some() {
                files.push(path);
            }
        }
    }
    files.sort();
    let instance = |path: PathBuf| Instance {
        file: path.strip_prefix(place).unwrap_or(&path).display().to_string(),
        path,
        ends: [None, None],
        lower: None,
        upper: None,
    };
    Ok(files.into_iter().map(instance).collect())
}

fn solve(instance: &Instance, args: &BenchArgs, process: &Process) -> Row {
    let began = Instant::now();
    let mut row = Row {
        file: instance.file.clone(),
        nodes: 0,
        edges: 0,
        status: Status::Unknown.to_string(),
        length: None,
        upper_bound: None,
        seconds: 0.0,
        peak_bytes: 0,
        engine: String::new(),
        verdict: "ok".to_owned(),
    };
    if let Err(mistake) = fill(&mut row, instance, args, process) {
        row.verdict = format!("error: {mistake}");
    }
    row.seconds = began.elapsed().as_secs_f64();
    row
}

fn fill(row: &mut Row, instance: &Instance, args: &BenchArgs, process: &Process) -> Result<(), String> {
    let began = Instant::now();
    let options = ReadOptions {
        memory_limit: args.memory_limit,
        interrupt: Some(process.interrupt.clone()),
        deadline: began.checked_add(args.time_limit),
        ..ReadOptions::default()
    };
    let file = match GraphFile::open(&instance.path, &options) {
        Ok(file) => file,
        Err(error) if error.stop().is_some() => {
            row.engine = "reading".to_owned();
            return Ok(());
        }
        Err(error) => return Err(error.to_string()),
    };
    (row.nodes, row.edges) = (file.graph.node_count(), file.graph.edge_count());
    let finder = file.names.finder();
    let end = |name: &Option<String>, default: Option<NodeIndex>| match name {
        Some(name) => finder.find(name).map(Some).ok_or_else(|| format!("the graph has no node '{name}'")),
        None => Ok(default),
    };
    let ends = [end(&instance.ends[0], file.terminals.from)?, end(&instance.ends[1], file.terminals.to)?];
    macro_rules! answer {
        ($graph:expr) => {{
            let mut question = LongestPath::new($graph)
                .weights(|edge| *petgraph::visit::EdgeRef::weight(&edge))
                .time_limit(args.time_limit.saturating_sub(began.elapsed()))
                .memory_limit(args.memory_limit)
                .threads(args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)))
                .seed(args.seed)
                .engine(args.engine)
                .interrupt(process.interrupt.clone());
            if let Some(node) = ends[0] {
                question = question.from(node);
            }
            if let Some(node) = ends[1] {
                question = question.to(node);
            }
            question.solve().map_err(|error| error.to_string())?
        }};
    }
    let solution = if file.directed { answer!(&file.graph) } else { answer!(UndirectedAdaptor(&file.graph)) };
    row.status = solution.status().to_string();
    (row.length, row.upper_bound) = (solution.length(), solution.upper_bound());
    row.peak_bytes = solution.stats().peak_bytes;
    row.engine = solution.stats().method.to_owned();
    row.verdict = verdict(instance, solution.status(), row.length, row.upper_bound);
    Ok(())
}

/// What the answer is worth beside what is known.
fn verdict(instance: &Instance, status: Status, length: Option<i64>, upper_bound: Option<i64>) -> String {
    let above = length.zip(instance.upper).filter(|(length, upper)| length > upper);
    if let Some((length, upper)) = above {
        return format!("wrong: length {length}, and no path is longer than {upper}");
    }
    let below = upper_bound.zip(instance.lower).filter(|(bound, lower)| bound < lower);
    if let Some((bound, lower)) = below {
        return format!("wrong: bound {bound}, and there is a path of {lower}");
    }
    if let (Status::Infeasible, Some(lower)) = (status, instance.lower) {
        return format!("wrong: no path, and there is one of {lower}");
    }
    let betters_length = length.is_some_and(|length| instance.lower.is_some_and(|lower| length > lower));
    let betters_bound = upper_bound.is_some_and(|bound| instance.upper.is_some_and(|upper| bound < upper));
    match status {
        _ if betters_length || betters_bound => "new",
        Status::Optimal | Status::Infeasible => "optimal",
        _ if length.is_some() && length == instance.upper => "optimal length",
        _ => "ok",
    }
    .to_owned()
}

fn shown(value: Option<i64>) -> String {
    value.map_or("-".to_owned(), |value| value.to_string())
}

fn write_table(rows: &[Row], earlier: Option<&HashMap<String, Row>>, out: &mut dyn Write) -> std::io::Result<()> {
    let width = rows.iter().map(|row| row.file.chars().count()).max().unwrap_or(0).max("instance".len());
    let before = if earlier.is_some() { " | before" } else { "" };
    writeln!(
        out,
        "{:width$} | {:>7} | {:>8} | {:>12} | {:>12} | {:>9} | {:>9} | {:<16} | verdict{before}",
        "instance", "n", "m", "length", "bound", "time", "memory", "engine"
    )?;
    for row in rows {
        write!(
            out,
            "{:width$} | {:>7} | {:>8} | {:>12} | {:>12} | {:>8.3}s | {:>7.1}MB | {:<16} | {}",
            row.file,
            row.nodes,
            row.edges,
            shown(row.length),
            shown(row.upper_bound),
            row.seconds,
            row.peak_bytes as f64 / 1e6,
            row.engine,
            row.verdict
        )?;
        if let Some(earlier) = earlier {
            write!(out, " | {}", earlier.get(&row.file).map_or("-".to_owned(), |before| change(before, row)))?;
        }
        writeln!(out)?;
    }
    let optimal = rows.iter().filter(|row| ["optimal", "infeasible"].contains(&row.status.as_str())).count();
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    writeln!(out, "{} instances, {optimal} settled, {seconds:.1} s", rows.len())
}

/// What is different from the earlier run.
fn change(before: &Row, now: &Row) -> String {
    let mut changes = Vec::new();
    for (what, old, new) in [("length", before.length, now.length), ("bound", before.upper_bound, now.upper_bound)] {
        if old != new {
            changes.push(format!("{what} was {}", shown(old)));
        }
    }
    changes.push(format!("{:.2} x its time", now.seconds / before.seconds.max(1e-3)));
    changes.join(", ")
}

const COLUMNS: &str = "file,nodes,edges,status,length,upper_bound,seconds,peak_bytes,engine,verdict";

fn write_csv(rows: &[Row], out: &mut dyn Write) -> std::io::Result<()> {
    let field = |text: &str| match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    let number = |value: Option<i64>| value.map_or(String::new(), |value| value.to_string());
    writeln!(out, "{COLUMNS}")?;
    for row in rows {
        writeln!(
            out,
            "{},{},{},{},{},{},{:.6},{},{},{}",
            field(&row.file),
            row.nodes,
            row.edges,
            row.status,
            number(row.length),
            number(row.upper_bound),
            row.seconds,
            row.peak_bytes,
            row.engine,
            field(&row.verdict)
        )?;
    }
    Ok(())
}

/// The rows of an earlier run, by file.
fn read_earlier(path: &Path) -> Result<HashMap<String, Row>, Failure> {
    let (name, text) = read_text(path)?;
    let rows: Vec<Row> = if text.trim_start().starts_with('[') {
        serde_json::from_str(&text).map_err(|error| {
            Failure::new(format!("{name}:{}:{}: expected the rows of a run: {error}", error.line(), error.column()))
        })?
    } else {
        let mut lines = text.lines().enumerate();
        let wrong = |line: usize| Failure::new(format!("{name}:{}: expected a row of a run: {COLUMNS}", line + 1));
        if lines.next().is_none_or(|(_, header)| header != COLUMNS) {
            return Err(wrong(0));
        }
        lines.map(|(at, line)| csv_row(line).ok_or_else(|| wrong(at))).collect::<Result<_, _>>()?
    };
    Ok(rows.into_iter().map(|row| (row.file.clone(), row)).collect())
}

/// A row as it was written; the file and the verdict may be in quotes.
fn csv_row(line: &str) -> Option<Row> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut end = 0;
            while !quoted[end..].starts_with('"') || quoted[end..].starts_with("\"\"") {
                end += if quoted[end..].starts_with("\"\"") { 2 } else { quoted[end..].chars().next()?.len_utf8() };
            }
            fields.push(quoted[..end].replace("\"\"", "\""));
            rest = &quoted[end + 1..];
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            fields.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
        match rest.strip_prefix(',') {
            Some(behind) => rest = behind,
            None => break,
        }
    }
    let [file, nodes, edges, status, length, upper_bound, seconds, peak_bytes, engine, verdict] =
        fields.try_into().ok()?;
    let number = |text: &String| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
    Some(Row {
        file,
        nodes: nodes.parse().ok()?,
        edges: edges.parse().ok()?,
        status,
        length: number(&length)?,
        upper_bound: number(&upper_bound)?,
        seconds: seconds.parse().ok()?,
        peak_bytes: peak_bytes.parse().ok()?,
        engine,
        verdict,
    })
}
