//! The two ways in which a proof may be written: words and whole numbers with white space between, or the same tokens in bytes.
//!
//! In bytes each token is one unsigned LEB128 number of at most ten bytes: twice the number of a word in [`words`] plus one, or
//! twice a whole number after zigzag (0, −1, 1, −2, … as 0, 1, 2, 3, …). Nothing is announced that is not there, so no
//! memory is taken on a proof's word.

use std::io::{BufRead, Read};
use std::sync::LazyLock;

/// What a text begins with; the number of the version is the next token.
pub const TEXT_MAGIC: &str = "longhaul-proof";
/// What the compact form begins with; the first token is the number of the version.
pub const BINARY_MAGIC: &[u8; 4] = b"\0LHP";
/// The version that this reads and writes.
pub const VERSION: i64 = 1;

const WORDS: &str = "graph directed undirected without path cycle first last all only best claim none set blossom close \
    reduce case sweep end at out in ends starts finishes cut use tip some edge visit start finish prizes root lost part \
    learn side lemma tie leave enter hang even loss";

/// All words, in the order of their numbers.
pub fn words() -> impl Iterator<Item = &'static str> {
    static LIST: LazyLock<Vec<&str>> = LazyLock::new(|| WORDS.split_ascii_whitespace().collect());
    LIST.iter().copied()
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
    /// How many have been read.
    count: u64,
    /// The next one, if it has been looked at.
    next: Option<Token>,
    /// Those of the one that is read.
    bytes: Vec<u8>,
    /// The vertices that steps are about, ascending, if not all: there they are numbered by their places.
    pub part: Vec<u32>,
}

fn of_bytes(bytes: &[u8]) -> Option<Token> {
    let value = bytes.iter().rev().fold(0u128, |value, byte| value << 7 | u128::from(byte & 127));
    let half = value >> 1;
    match value & 1 {
        1 => words().nth(half as usize).map(Token::Word),
        _ => i64::try_from((half >> 1) as i128 ^ -((half & 1) as i128)).ok().map(Token::Number),
    }
}

fn of_text(text: &[u8]) -> Option<Token> {
    let known = words().find(|known| known.as_bytes() == text).map(Token::Word);
    known.or_else(|| std::str::from_utf8(text).ok()?.parse().ok().map(Token::Number))
}

impl<'r> Tokens<'r> {
    /// Looks at the head.
    pub fn new(source: &'r mut dyn BufRead) -> Result<Self, String> {
        let first = source.fill_buf().map_err(|error| error.to_string())?.first().copied();
        let binary = first == Some(BINARY_MAGIC[0]);
        let expected = if binary { &BINARY_MAGIC[..] } else { TEXT_MAGIC.as_bytes() };
        let mut magic = vec![0; expected.len()];
        if source.read_exact(&mut magic).is_err() || magic != expected {
            return Err(format!("this is no proof: it does not begin with '{TEXT_MAGIC} {VERSION}'"));
        }
        let mut tokens = Tokens { source, binary, count: 0, next: None, bytes: Vec::new(), part: Vec::new() };
        match tokens.token()? {
            Token::Number(VERSION) => Ok(tokens),
            _ => Err(format!("a proof of another version than {VERSION}")),
        }
    }

    /// A refusal that tells at which token.
    pub fn wrong<T>(&self, why: impl std::fmt::Display) -> Result<T, String> {
        Err(format!("token {}: {why}", self.count))
    }

    /// The next token.
    pub fn token(&mut self) -> Result<Token, String> {
        if let Some(token) = self.next.take() {
            return Ok(token);
        }
        self.count += 1;
        self.read()?.map_or_else(|| self.wrong("neither a whole number of 64 bits nor a word of proofs"), Ok)
    }

    /// Reads to the token's last byte, which is below 128, or to the white space behind the word.
    fn read(&mut self) -> Result<Option<Token>, String> {
        // The longest word and the longest number have 20 characters.
        let most = if self.binary { 10 } else { 24 };
        self.bytes.clear();
        for byte in (&mut self.source).bytes() {
            let byte = byte.map_err(|error| error.to_string())?;
            match !self.binary && byte.is_ascii_whitespace() {
                true if self.bytes.is_empty() => continue,
                true => break,
                false if self.bytes.len() == most => return Ok(None),
                false => self.bytes.push(byte),
            }
            if self.binary && byte < 128 {
                return Ok(of_bytes(&self.bytes));
            }
        }
        if self.binary || self.bytes.is_empty() {
            return Err(format!("the proof is cut short: it ends after {} tokens", self.count - 1));
        }
        Ok(of_text(&self.bytes))
    }

    /// The next token, which must be a number.
    pub fn number(&mut self) -> Result<i64, String> {
        match self.token()? {
            Token::Number(number) => Ok(number),
            Token::Word(word) => self.wrong(format!("'{word}' where a number should be")),
        }
    }

    /// A number, or none.
    pub fn number_or_none(&mut self) -> Result<Option<i64>, String> {
        if self.accept("none")? { Ok(None) } else { self.number().map(Some) }
    }

    /// The next token, which must be a word.
    pub fn word(&mut self) -> Result<&'static str, String> {
        match self.token()? {
            Token::Word(word) => Ok(word),
            Token::Number(number) => self.wrong(format!("{number} where a word should be")),
        }
    }

    /// Whether this word comes next; if it does it is read.
    pub fn accept(&mut self, word: &'static str) -> Result<bool, String> {
        let token = self.token()?;
        self.next = Some(token).filter(|&token| token != Token::Word(word));
        Ok(self.next.is_none())
    }

    /// One of these words must come next.
    pub fn one_of(&mut self, words: &[&'static str]) -> Result<&'static str, String> {
        match self.token()? {
            Token::Word(word) if words.contains(&word) => Ok(word),
            found => self.wrong(format!("{found:?} where '{}' should be", words.join("' or '"))),
        }
    }

    /// This word must come next.
    pub fn expect(&mut self, word: &'static str) -> Result<(), String> {
        self.one_of(&[word]).map(drop)
    }

    /// A number below a bound.
    pub fn index(&mut self, bound: usize, what: &str) -> Result<u32, String> {
        let number = self.number()?;
        let index = usize::try_from(number).ok().filter(|&index| index < bound);
        index.map_or_else(|| self.wrong(format!("there is no {what} {number}")), |index| Ok(index as u32))
    }

    /// A vertex, or an edge, numbered from 1 in proofs and from 0 inside; 0 stands for none.
    pub fn optional(&mut self, count: usize, what: &str) -> Result<Option<u32>, String> {
        Ok(self.index(count + 1, what)?.checked_sub(1))
    }

    /// One that is there.
    pub fn numbered(&mut self, count: usize, what: &str) -> Result<u32, String> {
        self.optional(count, what)?.map_or_else(|| self.wrong(format!("there is no {what} 0")), Ok)
    }

    /// A vertex, by its place in the part that is asked about, if any is; or none.
    pub fn optional_vertex(&mut self, n: usize) -> Result<Option<u32>, String> {
        if self.part.is_empty() {
            return self.optional(n, "vertex");
        }
        let Some(vertex) = self.optional(u32::MAX as usize, "vertex")? else { return Ok(None) };
        let place = self.part.binary_search(&vertex);
        place.map_or_else(
            |_| self.wrong(format!("the vertex {} is not in the part", vertex + 1)),
            |at| Ok(Some(at as u32)),
        )
    }

    /// One that is there.
    pub fn vertex(&mut self, n: usize) -> Result<u32, String> {
        self.optional_vertex(n)?.map_or_else(|| self.wrong("there is no vertex 0"), Ok)
    }

    /// The number of a vertex in the proof.
    pub fn name(&self, vertex: u32) -> u32 {
        self.part.get(vertex as usize).unwrap_or(&vertex) + 1
    }

    /// How many vertices, and which: each once at most.
    pub fn vertices(&mut self, n: usize) -> Result<Vec<u32>, String> {
        let count = self.index(n + 1, "number of vertices")?;
        let vertices = (0..count).map(|_| self.vertex(n)).collect::<Result<Vec<u32>, String>>()?;
        let mut sorted = vertices.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => self.wrong(format!("the vertex {} twice", self.name(pair[0]))),
            None => Ok(vertices),
        }
    }
}
