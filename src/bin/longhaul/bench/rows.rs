//! What came of each instance: as a table, as CSV, and read again from an earlier run.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use longhaul::io::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::failure::Failure;
use crate::input::read_text;

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) file: String,
    pub(super) nodes: usize,
    pub(super) edges: usize,
    pub(super) status: String,
    pub(super) length: Option<Length>,
    pub(super) upper_bound: Option<Length>,
    pub(super) seconds: f64,
    pub(super) peak_bytes: usize,
    pub(super) engine: String,
    /// `ok` if the answer agrees with all that is known, `optimal` if it is the longest that is known to be, `new` if it
    /// betters what is known, `wrong` with the reason, `error` with the mistake.
    pub(super) verdict: String,
}

/// A length as the instance writes its weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Length(pub(super) Decimal);

impl PartialEq for Length {
    fn eq(&self, other: &Self) -> bool {
        self.0.compare(other.0).is_eq()
    }
}

impl PartialOrd for Length {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.0.compare(other.0))
    }
}

impl Serialize for Length {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.to_string()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        text.get().parse().map(Length).map_err(serde::de::Error::custom)
    }
}

fn shown(value: Option<Length>) -> String {
    value.map_or("-".to_owned(), |Length(value)| value.to_string())
}

pub(super) fn write_table(
    rows: &[Row],
    earlier: Option<&HashMap<String, Row>>,
    out: &mut dyn Write,
) -> std::io::Result<()> {
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

pub(super) fn write_csv(rows: &[Row], out: &mut dyn Write) -> std::io::Result<()> {
    let field = |text: &str| match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    let number = |value: Option<Length>| value.map_or(String::new(), |Length(value)| value.to_string());
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
pub(super) fn read_earlier(path: &Path) -> Result<HashMap<String, Row>, Failure> {
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
    let number = |text: &String| match text.as_str() {
        "" => Some(None),
        text => text.parse().ok().map(|number| Some(Length(number))),
    };
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
