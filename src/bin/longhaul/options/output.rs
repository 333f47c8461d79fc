//! How answers are printed.

use clap::ValueEnum;

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerOutput {
    /// A summary behind '#', then the path: a node (or card) a line.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// A JSON object a line: every improvement as it comes, then the answer.
    Jsonl,
    /// DIMACS lines: c, o LENGTH as it improves, s STATUS, v nodes from 1 with a 0 at the end.
    Dimacs,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum InfoOutput {
    /// For people, line by line.
    #[default]
    Text,
    /// One JSON object.
    Json,
}
