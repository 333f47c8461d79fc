//! Lines and words of a text with their places, for the formats that consist of them.

use std::cell::Cell;
use std::ops::Range;

use super::ReadOptions;
use super::decimal::{Decimal, DecimalFlaw};
use super::error::{FileError, quoted};
use crate::solution::Stop;

/// A file's text with its name; every position is a byte offset into it.
pub(crate) struct Text<'a> {
    file: &'a str,
    text: &'a str,
    /// Who may end the reading early, and why that has happened.
    options: Option<&'a ReadOptions>,
    stopped: Cell<Option<Stop>>,
    /// So many steps until the options are asked again.
    patience: Cell<u32>,
}

/// So many lines (or other small steps) are read between two looks at the clock and the interrupt flag.
const PATIENCE: u32 = 1 << 13;

/// The words of one line.
#[derive(Clone)]
pub(crate) struct Line<'a> {
    source: &'a Text<'a>,
    /// Where the next word is looked for.
    next: usize,
    end: usize,
    /// The byte that begins a comment; a newline, which no line holds, if nothing does.
    comment: u8,
    /// A byte that divides words as white space does.
    separator: u8,
}

/// One word: bytes between white space.
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    source: &'a Text<'a>,
    pub(crate) text: &'a str,
    pub(crate) start: usize,
}

impl<'a> Text<'a> {
    /// Takes the bytes of a file as text; a byte order mark at the beginning is skipped by [`lines`](Self::lines).
    pub(crate) fn new(file: &'a str, bytes: &'a [u8]) -> Result<Self, FileError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Text { file, text, options: None, stopped: Cell::new(None), patience: Cell::new(0) }),
            Err(error) => {
                let at = error.valid_up_to();
                let found = format!("the byte 0x{:02X}", bytes[at]);
                Err(FileError::text(file, bytes, at..at + 1, found, "text in UTF-8"))
            }
        }
    }

    /// From now on reading ends early where the options say so.
    pub(crate) fn within(self, options: &'a ReadOptions) -> Self {
        Text { options: Some(options), ..self }
    }

    /// What a reader makes of a file within the limits of these options. A text that ended early for its reader has not been
    /// read, whatever the reader made of it.
    pub(crate) fn read_within<T>(
        file: &str,
        bytes: &[u8],
        options: &ReadOptions,
        read: impl for<'t> FnOnce(&'t Text<'t>) -> Result<T, FileError>,
    ) -> Result<T, FileError> {
        let source = Text::new(file, bytes)?.within(options);
        let found = read(&source);
        source.stopped().map_or(found, |stop| Err(FileError::stopped(file, stop)))
    }

    /// Whether reading has to end here; asked once for each small step.
    pub(crate) fn must_stop(&self) -> bool {
        match self.patience.get() {
            0 => {
                self.patience.set(PATIENCE);
                self.stopped.set(self.stopped.get().or_else(|| self.options.and_then(ReadOptions::stop)));
            }
            left => self.patience.set(left - 1),
        }
        self.stopped.get().is_some()
    }

    /// Why reading has ended early, if it has.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stopped.get()
    }

    pub(crate) fn lines(&'a self) -> impl Iterator<Item = Line<'a>> {
        let mut next = if self.text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        std::iter::from_fn(move || {
            let rest = &self.text.as_bytes()[next..];
            if rest.is_empty() || self.must_stop() {
                return None;
            }
            let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            let line = Line { source: self, next, end: next + length, comment: b'\n', separator: b' ' };
            next = (next + length + 1).min(self.text.len());
            Some(line)
        })
    }

    /// The mistake that these bytes are not what was expected.
    pub(crate) fn unexpected(&self, span: Range<usize>, expected: impl Into<String>) -> FileError {
        let found = quoted(&self.text[span.clone()]);
        FileError::text(self.file, self.text.as_bytes(), span, found, expected)
    }

    /// The mistake that the file ends here.
    pub(crate) fn ends_early(&self, expected: impl Into<String>) -> FileError {
        let end = self.text.len();
        let found = if self.text.trim().is_empty() { "an empty file" } else { "the end of the file" };
        FileError::text(self.file, self.text.as_bytes(), end..end, found.to_owned(), expected)
    }

    pub(crate) fn file(&self) -> &'a str {
        self.file
    }

    /// The number of bytes: an upper bound on whatever the file can hold.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn as_str(&self) -> &'a str {
        self.text
    }

    /// The bytes at these places as a word.
    pub(crate) fn word(&'a self, span: Range<usize>) -> Word<'a> {
        Word { source: self, text: &self.text[span.clone()], start: span.start }
    }

    /// A part of the text, which was cut out of it, as a word with its place.
    pub(crate) fn word_of(&'a self, part: &str) -> Word<'a> {
        let start = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        assert!(start <= self.text.len() && start + part.len() <= self.text.len(), "the part is of this text");
        self.word(start..start + part.len())
    }
}

impl<'a> Line<'a> {
    /// The next word, or the mistake that the line ends before it.
    pub(crate) fn expect(&mut self, expected: &str) -> Result<Word<'a>, FileError> {
        self.next().ok_or_else(|| self.ends_early(expected))
    }

    /// The mistake that the line ends where something else was expected.
    pub(crate) fn ends_early(&self, expected: &str) -> FileError {
        let source = self.source;
        let content = source.text[..self.end].trim_end_matches([' ', '\t', '\r']).len();
        let found = "the end of the line".to_owned();
        FileError::text(source.file, source.text.as_bytes(), content..content, found, expected)
    }

    /// Nothing more may follow.
    pub(crate) fn expect_end(&mut self) -> Result<(), FileError> {
        self.next().map_or(Ok(()), |word| Err(word.unexpected("the end of the line")))
    }

    /// What is left of the line, without white space around it.
    pub(crate) fn rest(&self) -> Option<Word<'a>> {
        let rest = &self.source.text[self.next..self.end];
        let word = rest.trim();
        let start = self.next + (rest.len() - rest.trim_start().len());
        (!word.is_empty()).then_some(Word { source: self.source, text: word, start })
    }

    /// From this sign on the rest of the line is as if it were not there.
    pub(crate) fn without_comment(self, sign: u8) -> Self {
        Line { comment: sign, ..self }
    }

    /// This sign divides words as white space does.
    pub(crate) fn separated_by(self, sign: u8) -> Self {
        Line { separator: sign, ..self }
    }
}

impl<'a> Iterator for Line<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let bytes = &self.source.text.as_bytes()[..self.end];
        let is_space = |byte: u8| byte == b' ' || (b'\t'..=b'\r').contains(&byte) || byte == self.separator;
        let mut start = self.next;
        while start < bytes.len() && is_space(bytes[start]) {
            start += 1;
        }
        let mut end = start;
        while end < bytes.len() && !is_space(bytes[end]) {
            if bytes[end] == self.comment {
                self.end = end;
                break;
            }
            end += 1;
        }
        self.next = end;
        (start < end).then(|| Word { source: self.source, text: &self.source.text[start..end], start })
    }
}

impl<'a> Word<'a> {
    /// The word without its first bytes.
    pub(crate) fn part(&self, from: usize) -> Word<'a> {
        Word { source: self.source, text: &self.text[from..], start: self.start + from }
    }

    /// A part of the word.
    pub(crate) fn cut(&self, part: Range<usize>) -> Word<'a> {
        Word { source: self.source, start: self.start + part.start, text: &self.text[part] }
    }

    pub(crate) fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    pub(crate) fn unexpected(&self, expected: impl Into<String>) -> FileError {
        self.source.unexpected(self.span(), expected)
    }

    /// The mistake that this part of the word is not what was expected.
    pub(crate) fn part_unexpected(&self, span: Range<usize>, expected: &str) -> FileError {
        self.source.unexpected(span, expected)
    }

    /// The word as a number from 0 to 2³² − 1.
    pub(crate) fn number(&self, expected: &str) -> Result<u32, FileError> {
        parse_u32(self.text)
            .ok_or_else(|| self.unexpected(format!("{expected} (a whole number from 0 to {})", u32::MAX)))
    }

    /// The word as the prize of a node.
    pub(crate) fn prize(&self) -> Result<Decimal, FileError> {
        self.decimal("a prize")
    }

    /// The word as the weight of an edge.
    pub(crate) fn weight(&self) -> Result<Decimal, FileError> {
        self.decimal("a weight")
    }

    fn decimal(&self, what: &str) -> Result<Decimal, FileError> {
        self.text.parse().map_err(|flaw| match flaw {
            DecimalFlaw::TooLong => self.unexpected(format!("{what} of fewer digits, which fits 64 bits")),
            _ => self.unexpected(format!("{what} (a number like 3, -1.5 or 2e3)")),
        })
    }

    /// The word as a coordinate.
    pub(crate) fn coordinate(&self) -> Result<f64, FileError> {
        let value = self.text.parse().ok().filter(|value: &f64| value.is_finite());
        value.ok_or_else(|| self.unexpected("a coordinate, as a number"))
    }
}

/// Digits only, no sign, within `u32`.
pub(crate) fn parse_u32(text: &str) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    let mut value = 0u64;
    for byte in text.bytes() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
        if value > u64::from(u32::MAX) {
            return None;
        }
    }
    Some(value as u32)
}
