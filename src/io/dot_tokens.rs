//! The words and signs of DOT.

use std::borrow::Cow;

use super::error::FileError;
use super::text::{Text, Word};

/// A word or a sign with its place.
pub(crate) enum Token<'a> {
    /// A bare word or number.
    Bare(Word<'a>),
    /// A text in quotes or angle brackets, and what it says.
    Quoted(Word<'a>, Cow<'a, str>),
    Sign(Word<'a>),
}

/// The tokens of a text, with one to look ahead.
pub(crate) struct Tokens<'a> {
    source: &'a Text<'a>,
    next: usize,
    ahead: Option<Token<'a>>,
}

impl<'a> Token<'a> {
    pub(crate) fn word(&self) -> Word<'a> {
        match self {
            Token::Bare(word) | Token::Quoted(word, _) | Token::Sign(word) => *word,
        }
    }

    /// The word without its quotes.
    pub(crate) fn inner(&self) -> Word<'a> {
        let word = self.word();
        match self {
            Token::Quoted(..) if word.text.len() >= 2 => word.cut(1..word.text.len() - 1),
            _ => word,
        }
    }

    /// What it names, if it is no sign.
    pub(crate) fn name(&self) -> Option<Cow<'a, str>> {
        match self {
            Token::Bare(word) => Some(Cow::Borrowed(word.text)),
            Token::Quoted(_, text) => Some(text.clone()),
            Token::Sign(_) => None,
        }
    }

    pub(crate) fn is_sign(&self, sign: &str) -> bool {
        matches!(self, Token::Sign(word) if word.text == sign)
    }

    pub(crate) fn is_keyword(&self, keyword: &str) -> bool {
        matches!(self, Token::Bare(word) if word.text.eq_ignore_ascii_case(keyword))
    }
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(source: &'a Text<'a>) -> Self {
        let next = if source.as_str().starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        Tokens { source, next, ahead: None }
    }

    /// The next token, or the mistake that the file ends.
    pub(crate) fn expect(&mut self, expected: &str) -> Result<Token<'a>, FileError> {
        self.next()?.ok_or_else(|| self.source.ends_early(expected))
    }

    /// The next token if it is a sign, without taking it.
    pub(crate) fn peek_sign(&mut self) -> Result<Option<&'a str>, FileError> {
        if self.ahead.is_none() {
            self.ahead = self.read()?;
        }
        Ok(match &self.ahead {
            Some(Token::Sign(word)) => Some(word.text),
            _ => None,
        })
    }

    pub(crate) fn next(&mut self) -> Result<Option<Token<'a>>, FileError> {
        match self.ahead.take() {
            Some(token) => Ok(Some(token)),
            None => self.read(),
        }
    }

    fn read(&mut self) -> Result<Option<Token<'a>>, FileError> {
        self.skip_blanks()?;
        let text = self.source.as_str();
        let bytes = text.as_bytes();
        if self.next >= bytes.len() || self.source.must_stop() {
            return Ok(None);
        }
        let start = self.next;
        let token = match bytes[start] {
            b'{' | b'}' | b'[' | b']' | b';' | b',' | b'=' | b':' => self.sign(1),
            b'-' if matches!(bytes.get(start + 1), Some(b'-' | b'>')) => self.sign(2),
            b'"' => self.text_in_quotes()?,
            b'<' => self.text_in_brackets()?,
            _ => {
                let is_part =
                    |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.') || letter as u32 >= 0x80;
                let rest = &text[start..];
                let sign = usize::from(rest.starts_with('-'));
                let length = rest[sign..].find(|letter| !is_part(letter)).unwrap_or(rest.len() - sign);
                if length == 0 {
                    let letter = rest.chars().next().map_or(1, char::len_utf8);
                    let found = self.source.word(start..start + letter);
                    return Err(found.unexpected("a name, a text in quotes, or a sign of DOT"));
                }
                self.next = start + sign + length;
                Token::Bare(self.source.word(start..self.next))
            }
        };
        Ok(Some(token))
    }

    fn sign(&mut self, length: usize) -> Token<'a> {
        let start = self.next;
        self.next += length;
        Token::Sign(self.source.word(start..start + length))
    }

    fn skip_blanks(&mut self) -> Result<(), FileError> {
        let text = self.source.as_str();
        let bytes = text.as_bytes();
        loop {
            let rest = &text[self.next..];
            let begins_line = self.next == 0 || bytes[self.next - 1] == b'\n';
            self.next += match bytes.get(self.next) {
                Some(byte) if byte.is_ascii_whitespace() => 1,
                Some(b'#') if begins_line => rest.find('\n').unwrap_or(rest.len()),
                Some(b'/') if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                Some(b'/') if rest.starts_with("/*") => match rest[2..].find("*/") {
                    Some(length) => length + 4,
                    None => {
                        let found = self.source.word(self.next..self.next + 2);
                        return Err(found.unexpected("a comment with '*/' at its end"));
                    }
                },
                _ => return Ok(()),
            };
        }
    }

    /// A text in double quotes, joined with those that `+` adds.
    fn text_in_quotes(&mut self) -> Result<Token<'a>, FileError> {
        let text = self.source.as_str();
        let bytes = text.as_bytes();
        let start = self.next;
        let mut said = Cow::Borrowed("");
        loop {
            let begin = self.next + 1;
            let mut end = begin;
            let mut escaped = false;
            loop {
                match bytes.get(end) {
                    Some(b'"') => break,
                    Some(b'\\') => {
                        escaped = true;
                        end += 2;
                    }
                    Some(_) => end += 1,
                    None => {
                        let line = text[start..].lines().next().unwrap_or_default();
                        return Err(self.source.word_of(line).unexpected("a quote that ends the text"));
                    }
                }
            }
            let part = &text[begin..end];
            // Only \" and \\ mean something else than they say; a backslash before a line end joins the lines.
            let part = match escaped {
                true => Cow::Owned(unescape(part)),
                false => Cow::Borrowed(part),
            };
            said = if said.is_empty() { part } else { Cow::Owned(said.into_owned() + &part) };
            self.next = end + 1;
            let after = self.next;
            self.skip_blanks()?;
            if bytes.get(self.next) == Some(&b'+') {
                self.next += 1;
                self.skip_blanks()?;
                if bytes.get(self.next) == Some(&b'"') {
                    continue;
                }
                let found = self.source.word(self.next - 1..self.next);
                return Err(found.unexpected("a text in quotes behind '+'"));
            }
            return Ok(Token::Quoted(self.source.word(start..after), said));
        }
    }

    /// A text in angle brackets, which may hold others.
    fn text_in_brackets(&mut self) -> Result<Token<'a>, FileError> {
        let text = self.source.as_str();
        let start = self.next;
        let mut depth = 0usize;
        for (at, byte) in text.as_bytes()[start..].iter().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                self.next = start + at + 1;
                let word = self.source.word(start..self.next);
                return Ok(Token::Quoted(word, Cow::Borrowed(&text[start + 1..start + at])));
            }
        }
        let line = text[start..].lines().next().unwrap_or_default();
        Err(self.source.word_of(line).unexpected("'>' at the end of the text"))
    }
}

fn unescape(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, letters.clone().next()) {
            ('\\', Some(next @ ('"' | '\\'))) => {
                said.push(next);
                letters.next();
            }
            ('\\', Some('\n')) => {
                letters.next();
            }
            _ => said.push(letter),
        }
    }
    said
}
