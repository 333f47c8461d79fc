//! Matrix Market: a graph by the entries of its adjacency matrix.
//!
//! ```text
//! %%MatrixMarket matrix coordinate integer symmetric
//! % a comment
//! 4 4 3
//! 2 1 5
//! 3 2 7
//! 4 3 1
//! ```
//!
//! - The first line says `matrix coordinate`, then what an entry is (`pattern`: nothing, the edge weighs 1; `integer`, `real`:
//!   its weight) and which entries stand there: `symmetric` (those below the diagonal: an undirected graph) or `general` (all
//!   of them: a directed graph). Nothing else is the matrix of a graph.
//! - Then a line `ROWS COLUMNS ENTRIES`, square, and a line `ROW COLUMN [VALUE]` for each entry, with numbers from 1. An entry
//!   on the diagonal is a self-loop. A matrix has each entry once.
//!
//! Source: R. F. Boisvert, R. Pozo, K. A. Remington, *The Matrix Market Exchange Formats: Initial Design*, NISTIR 5935, 1996.

use std::io::Write;

use hashbrown::HashSet;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::builder::Builder;
use super::error::FileError;
use super::text::{Line, Text, Word, parse_u32};
use super::{Format, GraphFile, NODE_BYTES, ReadOptions, refuse};

pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let mut lines = source.lines();
    let header = "the first line, '%%MatrixMarket matrix coordinate …'";
    let (has_values, directed) = read_banner(lines.next().ok_or_else(|| source.ends_early(header))?)?;
    let mut lines = lines.filter(|line| line.clone().next().is_some_and(|word| !word.text.starts_with('%')));
    let sizes = "the line ROWS COLUMNS ENTRIES";
    let (nodes, entries_word) =
        read_sizes(lines.next().ok_or_else(|| source.ends_early(sizes))?, options.memory_limit)?;
    let mut builder = Builder::new(source, options);
    builder.add_nodes(nodes);
    for mut line in lines {
        let row_word = line.expect("the row of an entry")?;
        let row = read_place(&row_word, nodes)?;
        let column_word = line.expect("the column of the entry")?;
        let column = read_place(&column_word, nodes)?;
        if !directed && row < column {
            return Err(column_word.unexpected(format!(
                "a column up to {}: of a symmetric matrix only the part below the diagonal is written",
                row.index() + 1
            )));
        }
        let value = if has_values { Some(line.expect("the value of the entry")?) } else { None };
        line.expect_end()?;
        let weight = builder.weight(value, |expected| line.ends_early(expected))?;
        // Below the diagonal the column is the smaller end.
        let (tail, head) = if directed { (row, column) } else { (column, row) };
        builder.edge(tail, head, weight, &row_word)?;
    }
    let entries = entries_word.number("the number of entries")? as usize;
    if builder.graph.edge_count() != entries && source.stopped().is_none() {
        return Err(
            entries_word.unexpected(format!("{}, the number of entries in the file", builder.graph.edge_count()))
        );
    }
    if let Some([row, column]) = repeated(&builder, directed) {
        let message = format!("the entry in row {row} and column {column} comes twice; a matrix has each entry once");
        return Err(FileError::graph(source.file(), message));
    }
    Ok(builder.finish_numbered(Format::MatrixMarket, directed, 1))
}

/// Whether entries have values, and whether the matrix is that of a directed graph.
fn read_banner(mut line: Line<'_>) -> Result<(bool, bool), FileError> {
    let first = line.expect("'%%MatrixMarket'")?;
    if !first.text.trim_start_matches('\u{FEFF}').eq_ignore_ascii_case("%%MatrixMarket") {
        return Err(first.unexpected("'%%MatrixMarket'"));
    }
    let mut word = |known: &[&str], expected: &str| {
        let word = line.expect(expected)?;
        let position = known.iter().position(|known| word.text.eq_ignore_ascii_case(known));
        position.ok_or_else(|| word.unexpected(expected))
    };
    word(&["matrix"], "'matrix'")?;
    word(&["coordinate"], "'coordinate': a dense array is not read as a graph")?;
    let value = word(&["pattern", "integer", "real"], "'pattern', 'integer' or 'real'")?;
    let symmetry = word(&["symmetric", "general"], "'symmetric' (undirected) or 'general' (directed)")?;
    line.expect_end()?;
    Ok((value > 0, symmetry == 1))
}

fn read_sizes(mut line: Line<'_>, memory_limit: usize) -> Result<(usize, Word<'_>), FileError> {
    let rows_word = line.expect("the number of rows")?;
    let rows = rows_word.number("the number of rows")?;
    let columns = line.expect("the number of columns")?;
    if columns.number("the number of columns")? != rows {
        return Err(columns.unexpected(format!("{rows}, as many columns as rows: the matrix of a graph is square")));
    }
    if rows as usize > memory_limit / NODE_BYTES {
        return Err(rows_word.unexpected(format!("no more rows than the memory limit of {memory_limit} bytes allows")));
    }
    let entries = line.expect("the number of entries")?;
    entries.number("the number of entries")?;
    line.expect_end()?;
    Ok((rows as usize, entries))
}

fn read_place(word: &Word<'_>, nodes: usize) -> Result<NodeIndex, FileError> {
    let number = parse_u32(word.text).filter(|&number| number >= 1 && number as usize <= nodes);
    let number = number.ok_or_else(|| word.unexpected(format!("a number from 1 to {nodes}")))?;
    Ok(NodeIndex::new(number as usize - 1))
}

/// An entry that stands there twice, as row and column.
fn repeated(builder: &Builder, directed: bool) -> Option<[usize; 2]> {
    let mut met = HashSet::with_capacity(builder.graph.edge_count());
    let ends = builder.graph.edge_references().map(|edge| [edge.source().index(), edge.target().index()]);
    let mut entries = ends.map(|[tail, head]| if directed { [tail, head] } else { [head, tail] });
    entries.find(|&[row, column]| !met.insert((row as u64) << 32 | column as u64)).map(|entry| entry.map(|end| end + 1))
}

/// Writes a graph without parallel edges.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    let entry = |edge: petgraph::graph::EdgeReference<'_, i64>| {
        let (tail, head) = (edge.source().index() + 1, edge.target().index() + 1);
        if file.directed { (tail, head) } else { (tail.max(head), tail.min(head)) }
    };
    let mut met = HashSet::with_capacity(file.graph.edge_count());
    if !file.graph.edge_references().all(|edge| met.insert(entry(edge))) {
        return refuse("a matrix has each entry once: Matrix Market knows no parallel edges".to_owned());
    }
    let value = match (file.weighted, file.places) {
        (false, _) => "pattern",
        (true, 0) => "integer",
        (true, _) => "real",
    };
    let symmetry = if file.directed { "general" } else { "symmetric" };
    let (nodes, edges) = (file.graph.node_count(), file.graph.edge_count());
    writeln!(out, "%%MatrixMarket matrix coordinate {value} {symmetry}\n{nodes} {nodes} {edges}")?;
    for edge in file.graph.edge_references() {
        let (row, column) = entry(edge);
        write!(out, "{row} {column}")?;
        if file.weighted {
            write!(out, " {}", file.decimal(*edge.weight()))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
