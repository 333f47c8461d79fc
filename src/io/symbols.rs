//! Decks of cards that are sets of symbols: a card a line.
//!
//! ```text
//! # three cards; any two share exactly one symbol
//! 1 2 anchor
//! 1 3 clown
//! 2 3 zebra
//! ```
//!
//! A symbol is any word; `#` begins a comment; blank lines do not matter. Every card has as many symbols as the first.

use std::hash::BuildHasher;
use std::io::Write;

use hashbrown::DefaultHashBuilder;

use super::error::FileError;
use super::text::Text;

/// The cards of a file, with their symbols numbered as they come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymbolFile {
    /// How many symbols a card has.
    pub size: usize,
    /// The symbols of all cards, card after card.
    pub cards: Vec<u32>,
    /// What each symbol is called.
    pub names: SymbolNames,
    /// The line of each card, from 1.
    pub lines: Vec<u32>,
}

/// The names of symbols, which are numbers from 0: one text for all, for there may be millions.
///
/// # Example
/// ```
/// use longhaul::io::SymbolNames;
///
/// let mut names = SymbolNames::default();
/// names.push("anchor");
/// names.push("zebra");
/// assert_eq!((names.len(), names.get(1)), (2, "zebra"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymbolNames {
    /// All names after one another, and where each ends.
    text: String,
    ends: Vec<usize>,
}

impl SymbolNames {
    /// Names one symbol more.
    pub fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    /// How many symbols have a name.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// What a symbol is called.
    ///
    /// # Panics
    /// If it has no name.
    pub fn get(&self, symbol: usize) -> &str {
        let start = if symbol == 0 { 0 } else { self.ends[symbol - 1] };
        &self.text[start..self.ends[symbol]]
    }
}

impl SymbolFile {
    /// Reads the bytes of a file; `file` is the name that errors mention. Linear in the file.
    ///
    /// # Errors
    /// At the first card of another size than the first, at a symbol that is on its card twice, or if there is no card.
    ///
    /// # Example
    /// ```
    /// use longhaul::io::SymbolFile;
    ///
    /// let file = SymbolFile::parse("party.deck", b"1 2 anchor\n1 3 clown # the second\n")?;
    /// assert_eq!((file.size, file.names.len()), (3, 5));
    /// let error = SymbolFile::parse("party.deck", b"1 2 3\n4 5 4\n").unwrap_err();
    /// assert!(error.to_string().starts_with("party.deck:2:5: found '4', expected a symbol that is not on this card yet"));
    /// # Ok::<(), longhaul::io::FileError>(())
    /// ```
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, FileError> {
        read(&Text::new(file, bytes)?)
    }
}

fn read<'a>(source: &'a Text<'a>) -> Result<SymbolFile, FileError> {
    let mut found = SymbolFile::default();
    let mut numbering = Numbering::new(source.len());
    // The card on which each symbol was met last.
    let mut met: Vec<u32> = Vec::new();
    let mut words = Vec::new();
    for (number, line) in source.lines().enumerate() {
        let mut line = line.without_comment(b'#');
        let card = found.lines.len() as u32;
        let mut count = 0;
        words.clear();
        words.extend(line.by_ref().map(|word| (word, numbering.key(word.text))));
        for (word, key) in words.drain(..) {
            if found.size > 0 && count == found.size {
                let wanted = format!("the end of the line after {} symbols, as many as the first card has", found.size);
                return Err(word.unexpected(wanted));
            }
            let symbol = numbering.number(word.text, key);
            if word.text.starts_with('\u{FEFF}') {
                return Err(word.unexpected("a symbol that does not begin with a byte order mark"));
            }
            if symbol as usize == met.len() {
                met.push(card);
            } else if std::mem::replace(&mut met[symbol as usize], card) == card {
                return Err(word.unexpected("a symbol that is not on this card yet"));
            }
            found.cards.push(symbol);
            count += 1;
        }
        if count == 0 {
            continue;
        }
        if found.size > 0 && count < found.size {
            return Err(line.ends_early(&format!("{} symbols, as many as the first card has", found.size)));
        }
        found.size = count;
        found.lines.push(number as u32 + 1);
    }
    if found.size == 0 {
        return Err(source.ends_early("a card, as its symbols"));
    }
    found.names = numbering.names;
    Ok(found)
}

/// Numbers words as they come. Whole numbers are looked up by their value; other words by a hash, half of which stands beside
/// the number, so that hardly any but equal words are compared and none is read again when the table grows.
struct Numbering {
    names: SymbolNames,
    /// The number of the word that says this value.
    by_value: Vec<u32>,
    /// Greater values are words like any others.
    values: usize,
    /// Open addressing, at most half full: a hash's upper half, and below it the number; `FREE` where there is none.
    slots: Vec<u64>,
    used: usize,
    hasher: DefaultHashBuilder,
}

/// How a word is looked up: by its value, or by the upper half of its hash.
#[derive(Clone, Copy)]
enum Key {
    Value(usize),
    Hash(u64),
}

/// No number, for no file has so many words.
const FREE: u32 = u32::MAX;

impl Numbering {
    /// For a file of so many bytes.
    fn new(bytes: usize) -> Self {
        const FIRST_SLOTS: usize = 1 << 10;
        Numbering {
            names: SymbolNames::default(),
            by_value: Vec::new(),
            values: bytes,
            slots: vec![u64::from(FREE); FIRST_SLOTS],
            used: 0,
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// How a word is to be looked up. The place is asked for already, so that the memory has fetched it for a whole line by the
    /// time the first word is looked up.
    fn key(&self, word: &str) -> Key {
        match value_of(word).filter(|&value| value < self.values) {
            Some(value) => Key::Value(value),
            None => {
                let upper = self.hasher.hash_one(word) >> 32;
                std::hint::black_box(self.slots[upper as usize & (self.slots.len() - 1)]);
                Key::Hash(upper)
            }
        }
    }

    fn number(&mut self, word: &str, key: Key) -> u32 {
        match key {
            Key::Value(value) => self.number_of_value(value, word),
            Key::Hash(upper) => self.number_of_word(upper, word),
        }
    }

    fn number_of_value(&mut self, value: usize, word: &str) -> u32 {
        if value >= self.by_value.len() {
            let room = (2 * self.by_value.len()).max(value + 1).min(self.values);
            self.by_value.resize(room, FREE);
        }
        if self.by_value[value] == FREE {
            self.by_value[value] = self.names.len() as u32;
            self.names.push(word);
        }
        self.by_value[value]
    }

    fn number_of_word(&mut self, upper: u64, word: &str) -> u32 {
        if 2 * self.used >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = upper as usize & mask;
        loop {
            let slot = self.slots[at];
            let number = slot as u32;
            if number == FREE {
                let number = self.names.len() as u32;
                self.names.push(word);
                self.slots[at] = upper << 32 | u64::from(number);
                self.used += 1;
                return number;
            }
            if slot >> 32 == upper && self.names.get(number as usize) == word {
                return number;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let mut slots = vec![u64::from(FREE); 4 * self.slots.len()];
        let mask = slots.len() - 1;
        for &slot in self.slots.iter().filter(|&&slot| slot as u32 != FREE) {
            let mut at = (slot >> 32) as usize & mask;
            while slots[at] as u32 != FREE {
                at = (at + 1) & mask;
            }
            slots[at] = slot;
        }
        self.slots = slots;
    }
}

/// The value of a word that is a whole number as it is commonly written: digits, of which the first is not 0 unless it is the
/// only one. So no two words have the same value.
fn value_of(word: &str) -> Option<usize> {
    const LONGEST: usize = 9;
    let bytes = word.as_bytes();
    if bytes.len() > LONGEST || (bytes.len() > 1 && bytes[0] == b'0') {
        return None;
    }
    bytes.iter().try_fold(0, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then_some(10 * value + usize::from(digit))
    })
}

/// Writes cards as a table: a card a line, its symbols in columns. Each card has `size` symbols, all cards after one another.
///
/// # Errors
/// Whatever the writer says.
///
/// # Panics
/// If `size` is 0, or a symbol has no name.
pub fn write_symbols(cards: &[u32], size: usize, names: &SymbolNames, out: &mut dyn Write) -> std::io::Result<()> {
    let name = |symbol: u32| names.get(symbol as usize);
    let width = cards.iter().map(|&symbol| name(symbol).chars().count()).max().unwrap_or(0);
    for card in cards.chunks(size) {
        for (at, &symbol) in card.iter().enumerate() {
            let gap = if at == 0 { "" } else { " " };
            write!(out, "{gap}{:>width$}", name(symbol))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::fmt::Write;

    use super::SymbolFile;

    /// Whatever the words: each gets the next number when it comes first, and the same ever after.
    #[test]
    fn words_are_numbered_as_they_come() {
        let spell = |at: u64| match at % 7 {
            0 => format!("{at}"),
            1 => format!("0{at}"),
            2 => format!("{at}a"),
            3 => format!("{}", at * 1_000_003),
            4 => format!("-{at}"),
            5 => format!("é{at}"),
            _ => format!("a-long-name-that-only-ends-differently-{at}"),
        };
        let mut state = 1u64;
        let mut text = String::new();
        let mut expected: Vec<u32> = Vec::new();
        let mut known: HashMap<String, u32> = HashMap::new();
        for _ in 0..30_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let word = spell((state >> 33) % 20_000);
            let next = known.len() as u32;
            expected.push(*known.entry(word.clone()).or_insert(next));
            writeln!(text, "{word}").unwrap();
        }
        let file = SymbolFile::parse("words.deck", text.as_bytes()).unwrap();
        assert_eq!((file.cards, file.names.len()), (expected, known.len()));
        assert!(known.iter().all(|(word, &number)| file.names.get(number as usize) == word));
    }
}
