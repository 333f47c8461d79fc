//! What went wrong, shown with the line of the file that is to blame.

use std::fmt;
use std::io::IsTerminal;
use std::process::ExitCode;

use longhaul::Stop;
use longhaul::io::FileError;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};

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

struct Place {
    source: NamedSource<String>,
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
            let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
            let length = text[start..].find('\n').unwrap_or(text.len() - start);
            let source = NamedSource::new(error.file(), text.to_owned());
            let label = format!("expected {expected}");
            (1..=LONGEST_LINE).contains(&length).then(|| Box::new(Place { source, span, label }))
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
        const WIDTH: usize = 110;
        if self.usage {
            return tell(&format!("error: {self}\n\nFor more information, try '--help'."));
        }
        let plain = !std::io::stderr().is_terminal() || std::env::var_os("NO_COLOR").is_some();
        let theme = if plain { GraphicalTheme::unicode_nocolor() } else { GraphicalTheme::unicode() };
        let handler =
            GraphicalReportHandler::new_themed(theme).with_width(WIDTH).with_break_words(false).with_context_lines(1);
        let mut text = String::new();
        let rendered = handler.render_report(&mut text, self);
        if rendered.is_err() {
            text = self.to_string();
        }
        tell(text.trim_end());
    }
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

impl Diagnostic for Failure {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.as_ref().map(|place| &place.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let place = self.place.as_ref()?;
        let label = LabeledSpan::new_with_span(Some(place.label.clone()), place.span.clone());
        Some(Box::new(std::iter::once(label)))
    }
}

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
