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

use std::io::Write;

use hashbrown::HashMap;

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
    pub names: Vec<String>,
    /// The line of each card, from 1.
    pub lines: Vec<u32>,
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
    let mut symbols: HashMap<&str, u32> = HashMap::new();
    let mut names: Vec<&str> = Vec::new();
    // The card on which each symbol was met last.
    let mut met: Vec<u32> = Vec::new();
    for (number, line) in source.lines().enumerate() {
        let mut line = line.without_comment(b'#');
        let card = found.lines.len() as u32;
        let mut count = 0;
        for word in line.by_ref() {
            if found.size > 0 && count == found.size {
                let wanted = format!("the end of the line after {} symbols, as many as the first card has", found.size);
                return Err(word.unexpected(wanted));
            }
            let symbol = *symbols.entry(word.text).or_insert_with(|| {
                met.push(u32::MAX);
                names.push(word.text);
                met.len() as u32 - 1
            });
            if std::mem::replace(&mut met[symbol as usize], card) == card {
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
    found.names = names.into_iter().map(str::to_owned).collect();
    Ok(found)
}

/// Writes cards as a table: a card a line, its symbols in columns. Each card has `size` symbols, all cards after one another.
///
/// # Errors
/// Whatever the writer says.
///
/// # Panics
/// If `size` is 0, or a symbol has no name.
pub fn write_symbols<S: AsRef<str>>(
    cards: &[u32],
    size: usize,
    names: &[S],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let name = |symbol: u32| names[symbol as usize].as_ref();
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
