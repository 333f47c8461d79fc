//! What went wrong, shown with the line of the file that is to blame.

use std::fmt;
use std::io::IsTerminal;
use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use longhaul::Stop;
use longhaul::io::FileError;

use crate::tell::tell;

/// The reason to end with an exit code that is not 0.
pub(crate) struct Failure {
    message: String,
    help: Option<String>,
    place: Option<Box<Place>>,
    /// Why reading ended, where nothing is wrong with the file.
    stop: Option<Stop>,
    /// Whether it is about the options, not about what they lead to.
    usage: bool,
}

/// The line that is to blame and the line before and after it, and what was expected where.
struct Place {
    file: String,
    lines: String,
    first_line: usize,
    span: std::ops::Range<usize>,
    label: String,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Failure { message: message.into(), help: None, place: None, stop: None, usage: false }
    }

    /// Options that do not go together, which only shows beyond their definitions.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure { usage: true, ..Failure::new(message) }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A mistake in a file whose bytes these are.
    pub(crate) fn in_file(error: &FileError, bytes: &[u8]) -> Self {
        const LONGEST_LINE: usize = 200;
        let place = error.span().zip(error.expected()).and_then(|(span, expected)| {
            let text = std::str::from_utf8(bytes).ok()?;
            let line = line_around(text, span.start);
            if line.is_empty() || line.len() > LONGEST_LINE {
                return None;
            }
            let before = line.start.checked_sub(1).map_or(0..0, |newline| line_around(text, newline));
            let after = if line.end < text.len() { line_around(text, line.end + 1) } else { line.clone() };
            let first = if before.len() > LONGEST_LINE { line.start } else { before.start };
            let last = if after.len() > LONGEST_LINE { line.end } else { after.end };
            Some(Box::new(Place {
                file: error.file().to_owned(),
                lines: text[first..last].to_owned(),
                first_line: 1 + text[..first].matches('\n').count(),
                span: span.start - first..span.end.min(last) - first,
                label: format!("expected {expected}"),
            }))
        });
        Failure { message: error.to_string(), help: None, place, stop: error.stop(), usage: false }
    }

    /// Why reading ended, where nothing is wrong with the file but its reader was told to stop.
    pub(crate) fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// 2 for options that do not go together, and 1 for all else.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(if self.usage { 2 } else { 1 })
    }

    /// Prints the diagnostic to standard error.
    pub(crate) fn report(&self) {
        if self.usage {
            return tell(&format!("error: {self}\n\nFor more information, try '--help'."));
        }
        let plain = !std::io::stderr().is_terminal() || std::env::var_os("NO_COLOR").is_some();
        let renderer = if plain { Renderer::plain() } else { Renderer::styled() };
        let help = self.help.as_deref().map(|help| Level::HELP.message(help));
        let title = Level::ERROR.primary_title(&self.message);
        let report = match &self.place {
            None => title.elements(help),
            Some(place) => {
                let wrong = AnnotationKind::Primary.span(place.span.clone()).label(&place.label);
                let lines = Snippet::source(&place.lines).line_start(place.first_line).path(&place.file);
                title.element(lines.fold(false).annotation(wrong)).elements(help)
            }
        };
        tell(&renderer.render(&[report]));
    }
}

/// The line that this byte stands in, or that it ends.
fn line_around(text: &str, byte: usize) -> std::ops::Range<usize> {
    let start = text[..byte].rfind('\n').map_or(0, |newline| newline + 1);
    let length = text[start..].find('\n').unwrap_or(text.len() - start);
    start..start + length
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Failure { stop: error.stop(), ..Failure::new(error.to_string()) }
    }
}

impl From<longhaul::Error> for Failure {
    fn from(error: longhaul::Error) -> Self {
        Failure::new(error.to_string())
    }
}
