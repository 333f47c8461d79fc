//! Prizes of nodes: two columns, a node and what visiting it adds.
//!
//! ```text
//! # a comment; so is a line that begins with c or %
//! Rome   12
//! n Milan -3
//! ```
//!
//! The letter `n` in front is DIMACS' and may be left out. Nodes that are not named have prize 0.

use fixedbitset::FixedBitSet;

use super::GraphFile;
use super::decimal::{Decimal, NO_UNIT, Unit};
use super::error::FileError;
use super::names::NodeNames;
use super::text::{Text, Word};

/// Reads the prizes of the nodes with these names, by node index, from the bytes of a file: whole numbers.
/// [`GraphFile::read_prizes`] takes decimal numbers as well.
///
/// # Errors
/// If a line is not a node of the graph and a whole number, or names a node for the second time.
///
/// # Example
/// ```
/// use longhaul::io::{GraphFile, ReadOptions, read_prizes};
///
/// let file = GraphFile::parse("roads.el", b"Rome Milan\nMilan Turin\n", &ReadOptions::default())?;
/// assert_eq!(read_prizes("prizes.txt", b"Turin 7\nRome -2\n", &file.names)?, [-2, 0, 7]);
/// # Ok::<(), longhaul::io::FileError>(())
/// ```
pub fn read_prizes(file: &str, bytes: &[u8], names: &NodeNames) -> Result<Vec<i64>, FileError> {
    let mut prizes = vec![0; names.count()];
    read_each(file, bytes, names, |node, prize, word| {
        prizes[node] = prize.units_of(0).ok_or_else(|| word.unexpected("a prize (a whole number)"))?;
        Ok(())
    })?;
    Ok(prizes)
}

impl GraphFile {
    /// Reads the [prizes](Self::prizes) of the nodes from the bytes of a file, instead of those that there are. If one has more
    /// [places](Self::places) behind the point than the weights, all become numbers of the smaller unit.
    ///
    /// # Errors
    /// If a line is not a node of the graph and a number, if it names a node for the second time, or if the numbers have no
    /// common unit in which each is 2⁶⁰ at most. Weights may be in a smaller unit then, and still are what they were.
    ///
    /// # Example
    /// ```
    /// use longhaul::io::{GraphFile, ReadOptions};
    ///
    /// let mut file = GraphFile::parse("roads.el", b"Rome Milan 3\nMilan Turin 2\n", &ReadOptions::default())?;
    /// file.read_prizes("prizes.txt", b"Turin 0.25\n")?;
    /// assert_eq!((file.places, &file.prizes[..]), (2, &[0, 0, 25][..]));
    /// assert!(file.graph.edge_weights().eq(&[300, 200]));
    /// # Ok::<(), longhaul::io::FileError>(())
    /// ```
    pub fn read_prizes(&mut self, file: &str, bytes: &[u8]) -> Result<(), FileError> {
        let mut prizes = vec![0; self.names.count()];
        let mut unit = Unit { places: self.places };
        let graph = &mut self.graph;
        let read = read_each(file, bytes, &self.names, |node, prize, word| {
            let units = unit.take(prize, graph, &mut prizes).ok_or_else(|| word.unexpected(NO_UNIT))?;
            prizes[node] = units;
            Ok(())
        });
        self.places = unit.places;
        read?;
        self.prizes = prizes;
        Ok(())
    }
}

/// Hands on each node's place with its prize, and the word that says it.
fn read_each(
    file: &str,
    bytes: &[u8],
    names: &NodeNames,
    mut take: impl FnMut(usize, Decimal, &Word<'_>) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let source = Text::new(file, bytes)?;
    let finder = names.finder();
    let mut met = FixedBitSet::with_capacity(names.count());
    for line in source.lines() {
        let mut line = line.without_comment(b'#');
        let Some(mut first) = line.next() else { continue };
        if first.text.starts_with('%') || first.text == "c" {
            continue;
        }
        let mut second = line.expect("a prize behind the node")?;
        if let Some(third) = line.next() {
            if first.text != "n" {
                return Err(third.unexpected("the end of the line"));
            }
            (first, second) = (second, third);
        }
        line.expect_end()?;
        let node =
            finder.find(first.text).ok_or_else(|| first.unexpected(format!("a node: they are {}", names.summary())))?;
        if met.put(node.index()) {
            return Err(first.unexpected("a node that has no prize yet"));
        }
        take(node.index(), second.prize()?, &second)?;
    }
    Ok(())
}
