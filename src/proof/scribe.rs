//! Writes the tokens of a proof, in words or in bytes.

use std::io::{self, Write};

use longhaul_check::token::{BINARY_MAGIC, TEXT_MAGIC, VERSION, words};

/// How many words come before those of rows and columns.
const FIRST_OF_ROWS: usize = 20;

/// Writes tokens.
pub(crate) struct Scribe<W> {
    out: W,
    binary: bool,
    at_line_start: bool,
}

impl<W: Write> Scribe<W> {
    /// Writes the head.
    pub(crate) fn new(mut out: W, binary: bool) -> io::Result<Self> {
        out.write_all(if binary { BINARY_MAGIC } else { TEXT_MAGIC.as_bytes() })?;
        let mut scribe = Scribe { out, binary, at_line_start: false };
        scribe.number(VERSION)?;
        Ok(scribe)
    }

    /// Writes a word; steps begin a line.
    pub(crate) fn word(&mut self, word: &str) -> io::Result<()> {
        let number = words().position(|known| known == word).expect("a word of proofs");
        if self.binary {
            return self.bytes((number as u128) << 1 | 1);
        }
        // Steps and parts of the question begin a line, but those that say how.
        let says_how = ["directed", "undirected", "all", "only", "none"].contains(&word);
        let begins = ["prizes", "root", "part", "learn", "side", "lemma", "tie"].contains(&word);
        self.at_line_start = (number < FIRST_OF_ROWS && !says_how) || begins;
        self.text(word)
    }

    /// Writes a number.
    pub(crate) fn number(&mut self, number: i64) -> io::Result<()> {
        if self.binary {
            let zigzag = ((number << 1) ^ (number >> 63)) as u64;
            return self.bytes(u128::from(zigzag) << 1);
        }
        self.text(&number.to_string())
    }

    fn bytes(&mut self, mut value: u128) -> io::Result<()> {
        loop {
            let byte = (value & 127) as u8;
            value >>= 7;
            self.out.write_all(&[if value == 0 { byte } else { byte | 128 }])?;
            if value == 0 {
                return Ok(());
            }
        }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        let separator = if std::mem::take(&mut self.at_line_start) { "\n" } else { " " };
        write!(self.out, "{separator}{text}")
    }

    /// Writes `end` and hands the writer back.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.word("end")?;
        if !self.binary {
            self.out.write_all(b"\n")?;
        }
        self.out.flush()?;
        Ok(self.out)
    }
}
