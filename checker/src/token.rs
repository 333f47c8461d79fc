//! The two ways in which a proof may be written: words and whole numbers with white space between, or the same tokens in bytes.
//!
//! In bytes each token is one unsigned LEB128 number of at most ten bytes: twice the number of a word in [`words`] plus one, or
//! twice a whole number after zigzag (0, −1, 1, −2, … as 0, 1, 2, 3, …). Nothing is announced that is not there, so no
//! memory is taken on a proof's word.

use std::collections::HashSet;
use std::io::BufRead;

/// What a text begins with; the number of the version is the next token.
pub const TEXT_MAGIC: &str = "longhaul-proof";
/// What the compact form begins with; the first token is the number of the version.
pub const BINARY_MAGIC: &[u8; 4] = b"\0LHP";
/// The version that this reads and writes.
pub const VERSION: i64 = 1;

const WORDS: &str = "graph directed undirected without path cycle first last all only best claim none set blossom close \
    reduce case sweep end at out in ends starts finishes cut use tip some edge visit start finish prizes root lost";

/// All words, in the order of their numbers.
pub fn words() -> impl Iterator<Item = &'static str> {
    WORDS.split_ascii_whitespace()
}

/// A token of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// A whole number.
    Number(i64),
    /// A word.
    Word(&'static str),
}

/// The tokens of a proof, read as they are asked for.
pub struct Tokens<'r> {
    source: &'r mut dyn BufRead,
    binary: bool,
    /// How many have been read, for messages.
    pub count: u64,
}

impl<'r> Tokens<'r> {
    /// Looks at the head.
    pub fn new(source: &'r mut dyn BufRead) -> Result<Self, String> {
        let first = source.fill_buf().map_err(|error| error.to_string())?.first().copied();
        let binary = first == Some(BINARY_MAGIC[0]);
        let mut magic = vec![0; if binary { BINARY_MAGIC.len() } else { TEXT_MAGIC.len() }];
        let expected = if binary { &BINARY_MAGIC[..] } else { TEXT_MAGIC.as_bytes() };
        if source.read_exact(&mut magic).is_err() || magic != expected {
            return Err(format!("this is no proof: it does not begin with '{TEXT_MAGIC} {VERSION}'"));
        }
        let mut tokens = Tokens { source, binary, count: 0 };
        match tokens.token()? {
            Token::Number(VERSION) => Ok(tokens),
            _ => Err(format!("a proof of another version than {VERSION}")),
        }
    }

    /// The next token.
    pub fn token(&mut self) -> Result<Token, String> {
        self.count += 1;
        if self.binary { self.next_binary() } else { self.next_word() }
    }

    fn byte(&mut self) -> Result<Option<u8>, String> {
        let mut byte = [0];
        match self.source.read(&mut byte).map_err(|error| error.to_string())? {
            0 => Ok(None),
            _ => Ok(Some(byte[0])),
        }
    }

    fn next_binary(&mut self) -> Result<Token, String> {
        let mut value = 0u128;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?.ok_or_else(|| self.ended())?;
            value |= u128::from(byte & 127) << shift;
            if byte < 128 {
                let half = value >> 1;
                if value & 1 == 1 {
                    let word = words().nth(half as usize).ok_or_else(|| self.garbage())?;
                    return Ok(Token::Word(word));
                }
                let number = (half >> 1) as i128 ^ -((half & 1) as i128);
                return i64::try_from(number).map(Token::Number).map_err(|_| self.garbage());
            }
        }
        Err(self.garbage())
    }

    fn next_word(&mut self) -> Result<Token, String> {
        // The longest token has 20 characters.
        let mut word = [0; 24];
        let mut length = 0;
        loop {
            match self.byte()? {
                Some(byte) if byte.is_ascii_whitespace() && length == 0 => continue,
                None if length == 0 => return Err(self.ended()),
                Some(byte) if !byte.is_ascii_whitespace() => {
                    *word.get_mut(length).ok_or_else(|| self.garbage())? = byte;
                    length += 1;
                }
                _ => break,
            }
        }
        let word = std::str::from_utf8(&word[..length]).map_err(|_| self.garbage())?;
        let known = words().find(|&known| known == word).map(Token::Word);
        known.or_else(|| word.parse().ok().map(Token::Number)).ok_or_else(|| self.garbage())
    }

    fn ended(&self) -> String {
        format!("the proof is cut short: it ends after {} tokens", self.count - 1)
    }

    fn garbage(&self) -> String {
        format!("token {}: neither a whole number of 64 bits nor a word of proofs", self.count)
    }

    /// The next token, which must be a number.
    pub fn number(&mut self) -> Result<i64, String> {
        match self.token()? {
            Token::Number(number) => Ok(number),
            Token::Word(word) => Err(format!("token {}: '{word}' where a number should be", self.count)),
        }
    }

    /// The next token, which must be a word.
    pub fn word(&mut self) -> Result<&'static str, String> {
        match self.token()? {
            Token::Word(word) => Ok(word),
            Token::Number(number) => Err(format!("token {}: {number} where a word should be", self.count)),
        }
    }

    /// A number below a bound.
    pub fn index(&mut self, bound: usize, what: &str) -> Result<u32, String> {
        let number = self.number()?;
        match usize::try_from(number) {
            Ok(index) if index < bound => Ok(index as u32),
            _ => Err(format!("token {}: there is no {what} {number}", self.count)),
        }
    }

    /// A vertex; they are numbered from 1 in proofs, and from 0 inside.
    pub fn vertex(&mut self, n: usize) -> Result<u32, String> {
        Ok(self.index(n + 1, "vertex")?.checked_sub(1).ok_or("there is no vertex 0")?)
    }

    /// How many vertices, and which: each once at most.
    pub fn vertices(&mut self, n: usize) -> Result<Vec<u32>, String> {
        let (mut is_there, mut vertices) = (HashSet::new(), Vec::new());
        for _ in 0..self.index(n + 1, "number of vertices")? {
            let vertex = self.vertex(n)?;
            if !is_there.insert(vertex) {
                return Err(format!("token {}: the vertex {} twice", self.count, vertex + 1));
            }
            vertices.push(vertex);
        }
        Ok(vertices)
    }

    /// This word must come next.
    pub fn expect(&mut self, word: &'static str) -> Result<(), String> {
        match self.token()? {
            Token::Word(found) if found == word => Ok(()),
            found => Err(format!("token {}: {found:?} where '{word}' should be", self.count)),
        }
    }
}
