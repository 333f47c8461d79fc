//! Hands of playing cards: ranks and suits, a card a word or many to a word.
//!
//! ```text
//! # the hand of the evening
//! AH 2H 3H  10♦, jc 13s     # ranks 1 to 13 or A T J Q K, suits H D C S or their signs, capitals or not
//! 3C3D 5-8S *               # without spaces, a row of ranks, a joker
//! ```
//!
//! Blank lines, comments, commas, spaces, tabs, CRLF and a missing last newline do not matter. Whoever reads melds takes a
//! line for each, whoever reads a hand all lines together. What to do with the cards is the business of
//! [`adapters::rummy`](crate::adapters::rummy).

use std::ops::Range;

use super::error::{FileError, quoted};
use super::text::{Text, Word};

/// The cards of a file, line by line; lines without cards are left out.
#[derive(Clone, Debug)]
pub struct HandFile {
    /// A card is its rank, from 1 to 13, and its suit, from 0 to 3 for hearts, diamonds, clubs, spades; `None` is a joker.
    pub lines: Vec<Vec<Option<(u8, u8)>>>,
    file: String,
    text: Vec<u8>,
    /// The bytes of each card of each line.
    spans: Vec<Vec<Range<usize>>>,
    numbers: bool,
}

impl HandFile {
    /// Reads the bytes of a file of cards; `file` is the name that errors mention.
    ///
    /// # Errors
    /// At the first thing that is no card, or if there is no card at all.
    ///
    /// # Example
    /// ```
    /// use longhaul::io::HandFile;
    ///
    /// let file = HandFile::parse("evening.hand", b"3-5H KS # a run and a king\n*\n")?;
    /// assert_eq!(file.lines[0], [Some((3, 0)), Some((4, 0)), Some((5, 0)), Some((13, 3))]);
    /// assert_eq!(file.lines[1], [None]);
    /// let error = HandFile::parse("evening.hand", b"3H 1X").unwrap_err();
    /// assert!(error.to_string().starts_with("evening.hand:1:5: found 'X', expected the suit"));
    /// # Ok::<(), longhaul::io::FileError>(())
    /// ```
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, FileError> {
        let source = Text::new(file, bytes)?;
        let (mut lines, mut spans) = (Vec::new(), Vec::new());
        let (mut numbers, mut letters) = (false, false);
        for line in source.lines() {
            let (mut cards, mut places) = (Vec::new(), Vec::new());
            for word in line.without_comment(b'#') {
                let mut reader = Reader { word, at: 0, numbers: false, letters: false };
                while let Some((ranks, suit, place)) = reader.cards()? {
                    for rank in ranks {
                        cards.push(suit.map(|suit| (rank, suit)));
                        places.push(place.clone());
                    }
                }
                numbers |= reader.numbers;
                letters |= reader.letters;
            }
            if !cards.is_empty() {
                lines.push(cards);
                spans.push(places);
            }
        }
        if lines.is_empty() {
            return Err(source.ends_early("a card, as its rank and its suit, like 3H or QS, or '*' for a joker"));
        }
        Ok(HandFile { lines, file: file.to_owned(), text: bytes.to_vec(), spans, numbers: numbers && !letters })
    }

    /// Whether aces and faces come as numbers, like 1S and 12H, and never as letters.
    pub fn spells_numbers(&self) -> bool {
        self.numbers
    }

    /// The mistake that these cards of a line, both counted from 0, are not what was expected.
    ///
    /// # Panics
    /// If there are no such cards.
    pub fn unexpected(&self, line: usize, cards: Range<usize>, expected: impl Into<String>) -> FileError {
        let spans = &self.spans[line][cards];
        let span = spans[0].start..spans[spans.len() - 1].end;
        let found = quoted(&String::from_utf8_lossy(&self.text[span.clone()]));
        FileError::text(&self.file, &self.text, span, found, expected)
    }
}

/// Goes through one word, card by card.
struct Reader<'a> {
    word: Word<'a>,
    /// How many bytes of the word have been read.
    at: usize,
    /// Whether a rank that has a letter came as a number, and whether one came as its letter.
    numbers: bool,
    letters: bool,
}

/// A row of ranks of one suit, or one joker of none, and where it stands.
type Cards = (std::ops::RangeInclusive<u8>, Option<u8>, Range<usize>);

impl Reader<'_> {
    fn cards(&mut self) -> Result<Option<Cards>, FileError> {
        while self.peek() == Some(',') {
            self.at += 1;
        }
        let Some(next) = self.peek() else { return Ok(None) };
        let begin = self.at;
        if next == '*' {
            self.at += 1;
            return Ok(Some((1..=1, None, self.range(begin))));
        }
        let first = self.rank()?;
        let mut last = first;
        if self.peek() == Some('-') {
            self.at += 1;
            last = self.rank()?;
            if last < first {
                let expected = "a row of ranks that goes up, like 3-7H";
                return Err(self.word.part_unexpected(self.range(begin), expected));
            }
        }
        let suit = self.suit(begin)?;
        Ok(Some((first..=last, Some(suit), self.range(begin))))
    }

    fn rank(&mut self) -> Result<u8, FileError> {
        const EXPECTED: &str = "the rank of a card (1 to 13, or A, T, J, Q, K), then its suit, like 3H or QS";
        let begin = self.at;
        while self.peek().is_some_and(|letter| letter.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > begin {
            let number: Option<u8> = self.word.text[begin..self.at].parse().ok();
            let rank = number.filter(|rank| (1..=13).contains(rank));
            self.numbers |= rank.is_some_and(|rank| !(2..=10).contains(&rank));
            return rank.ok_or_else(|| self.word.part_unexpected(self.range(begin), EXPECTED));
        }
        let letter = self.peek();
        self.at += letter.map_or(0, char::len_utf8);
        let letter = letter.map(|letter| letter.to_ascii_uppercase());
        self.letters |= matches!(letter, Some('A' | 'J' | 'Q' | 'K'));
        match letter {
            Some('A') => Ok(1),
            Some('T') => Ok(10),
            Some('J') => Ok(11),
            Some('Q') => Ok(12),
            Some('K') => Ok(13),
            // A suit that comes first: the whole word is to blame, and what it may have meant is said.
            Some(letter) if suit_of(letter).is_some() => {
                self.at = self.word.text.len();
                Err(self.word.part_unexpected(self.range(begin), &format!("{EXPECTED}: the suit comes behind")))
            }
            Some(_) => Err(self.word.part_unexpected(self.range(begin), EXPECTED)),
            // Only a dash can come before.
            None => Err(self.word.part_unexpected(self.range(begin - 1), EXPECTED)),
        }
    }

    /// The suit of the card that begins at `card`.
    fn suit(&mut self, card: usize) -> Result<u8, FileError> {
        const EXPECTED: &str = "the suit of the card (H, D, C, S or ♥, ♦, ♣, ♠) behind its rank";
        let begin = self.at;
        let Some(letter) = self.peek() else {
            return Err(self.word.part_unexpected(self.range(card), EXPECTED));
        };
        self.at += letter.len_utf8();
        let suit = suit_of(letter).ok_or_else(|| self.word.part_unexpected(self.range(begin), EXPECTED))?;
        // What asks for a sign in colour.
        if self.peek() == Some('\u{FE0F}') {
            self.at += '\u{FE0F}'.len_utf8();
        }
        Ok(suit)
    }

    fn peek(&self) -> Option<char> {
        self.word.text[self.at..].chars().next()
    }

    /// What has been read since then, in bytes of the text.
    fn range(&self, begin: usize) -> Range<usize> {
        self.word.start + begin..self.word.start + self.at
    }
}

fn suit_of(letter: char) -> Option<u8> {
    match letter {
        'H' | 'h' | '♥' | '♡' => Some(0),
        'D' | 'd' | '♦' | '♢' => Some(1),
        'C' | 'c' | '♣' | '♧' => Some(2),
        'S' | 's' | '♠' | '♤' => Some(3),
        _ => None,
    }
}
