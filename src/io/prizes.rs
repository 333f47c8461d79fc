//! Prizes of nodes: two columns, a node and what visiting it adds.
//!
//! ```text
//! # a comment; so is a line that begins with c or %
//! Rome   12
//! n Milan -3
//! ```
//!
//! The letter `n` in front is DIMACS' and may be left out. Nodes that are not named have prize 0.

use super::error::FileError;
use super::names::NodeNames;
use super::text::Text;

/// Reads the prizes of the nodes with these names, by node index, from the bytes of a file.
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
    let source = Text::new(file, bytes)?;
    let finder = names.finder();
    let mut prizes = vec![None; names.count()];
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
        let place: &mut Option<i64> = &mut prizes[node.index()];
        if place.is_some() {
            return Err(first.unexpected("a node that has no prize yet"));
        }
        *place = Some(second.prize()?);
    }
    Ok(prizes.into_iter().map(Option::unwrap_or_default).collect())
}
