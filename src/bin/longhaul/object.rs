//! Answers as JSON: one object over some lines, or a line each.

use std::io::{self, Write};

use serde::Serialize;

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
