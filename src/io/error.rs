//! What can be wrong with a file, in one type for every format.

use std::fmt;
use std::ops::Range;

use crate::solution::Stop;

/// A file that cannot be read, is not what its format says, or cannot be written.
///
/// For mistakes in the text of a file it knows the place (line and column, both from 1, the column in characters), what was
/// read there and what was expected instead. Its text form is one line, `FILE:LINE:COLUMN: found …, expected …`.
#[derive(Debug)]
pub struct FileError {
    file: String,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    /// The operating system says no.
    System { doing: &'static str, source: std::io::Error },
    /// The text is not what it should be.
    Text { line: usize, column: usize, span: Range<usize>, found: String, expected: String },
    /// The graph is too large, or cannot be said in this format.
    Graph { message: String },
    /// Reading was ended from outside.
    Stopped { stop: Stop },
}

impl FileError {
    pub(crate) fn system(file: &str, doing: &'static str, source: std::io::Error) -> Self {
        FileError { file: file.to_owned(), problem: Problem::System { doing, source } }
    }

    pub(crate) fn graph(file: &str, message: impl Into<String>) -> Self {
        FileError { file: file.to_owned(), problem: Problem::Graph { message: message.into() } }
    }

    pub(crate) fn stopped(file: &str, stop: Stop) -> Self {
        FileError { file: file.to_owned(), problem: Problem::Stopped { stop } }
    }

    /// A mistake at a range of bytes of the text.
    pub(crate) fn text(
        file: &str,
        text: &[u8],
        span: Range<usize>,
        found: String,
        expected: impl Into<String>,
    ) -> Self {
        let before = &text[..span.start];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let column = 1 + String::from_utf8_lossy(&before[line_start..]).chars().count();
        let problem = Problem::Text { line, column, span, found, expected: expected.into() };
        FileError { file: file.to_owned(), problem }
    }

    /// The name of the file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The line and column of the mistake, both from 1, if it is one in the text.
    pub fn position(&self) -> Option<(usize, usize)> {
        match &self.problem {
            Problem::Text { line, column, .. } => Some((*line, *column)),
            _ => None,
        }
    }

    /// The bytes of the file that are wrong, if it is a mistake in the text.
    pub fn span(&self) -> Option<Range<usize>> {
        match &self.problem {
            Problem::Text { span, .. } => Some(span.clone()),
            _ => None,
        }
    }

    /// Why reading ended, if nothing is wrong with the file but its reader was told to stop.
    pub fn stop(&self) -> Option<Stop> {
        match self.problem {
            Problem::Stopped { stop } => Some(stop),
            _ => None,
        }
    }

    /// What was read, if it is a mistake in the text.
    pub fn found(&self) -> Option<&str> {
        match &self.problem {
            Problem::Text { found, .. } => Some(found),
            _ => None,
        }
    }

    /// What should have been there, if it is a mistake in the text.
    pub fn expected(&self) -> Option<&str> {
        match &self.problem {
            Problem::Text { expected, .. } => Some(expected),
            _ => None,
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.file;
        match &self.problem {
            Problem::System { doing, source } => write!(formatter, "{file}: cannot be {doing}: {source}"),
            Problem::Text { line, column, found, expected, .. } => {
                write!(formatter, "{file}:{line}:{column}: found {found}, expected {expected}")
            }
            Problem::Graph { message } => write!(formatter, "{file}: {message}"),
            Problem::Stopped { stop } => write!(formatter, "{file}: reading was stopped: {stop}"),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::System { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Text as a diagnostic shows it: quoted, on one line, and not endless.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("'{shown}'")
}
