//! Answers as JSON: one object over some lines, or a line each.

use std::io::{self, Write};

use longhaul::io::Decimal;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::options::output::AnswerOutput;

/// Rises when a field changes its meaning or goes; new ones may come.
pub(crate) const SCHEMA: u32 = 1;

/// An object that says of itself what it is.
#[derive(Serialize)]
struct Typed<'a, T> {
    schema: u32,
    /// `answer`, or for lines that come before it `improvement` or `path`.
    r#type: &'static str,
    #[serde(flatten)]
    content: &'a T,
}

/// How an answer came about.
#[derive(Serialize)]
pub(crate) struct Effort<'a> {
    pub(crate) steps: u64,
    pub(crate) decisions: &'a [String],
}

/// A number of units as the file would write it.
pub(crate) struct Told(Decimal);

impl Told {
    pub(crate) fn new(units: i64, places: u32) -> Self {
        Told(Decimal { units, places })
    }
}

impl Serialize for Told {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.places {
            0 => serializer.serialize_i64(self.0.units),
            // Digit by digit: numbers with a point are rounded elsewhere.
            _ => RawValue::from_string(self.0.to_string()).map_err(serde::ser::Error::custom)?.serialize(serializer),
        }
    }
}

/// Writes the answer: in one line for `jsonl`, in some to read otherwise.
pub(crate) fn write_answer(answer: &impl Serialize, form: AnswerOutput, out: &mut dyn Write) -> io::Result<()> {
    let answer = Typed { schema: SCHEMA, r#type: "answer", content: answer };
    match form {
        AnswerOutput::Jsonl => serde_json::to_writer(&mut *out, &answer)?,
        _ => serde_json::to_writer_pretty(&mut *out, &answer)?,
    }
    writeln!(out)
}

/// Writes a line that comes before the answer.
pub(crate) fn write_row(kind: &'static str, row: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Typed { schema: SCHEMA, r#type: kind, content: row })?;
    writeln!(out)
}
