//! graph6, digraph6 and sparse6: a graph in one line of printable characters, and files of many such lines.
//!
//! Six bits a character, each plus 63. First the number of nodes (one character up to 62; `~` and three characters up to
//! 258047; `~~` and six beyond), then the adjacency matrix: for graph6 the upper triangle column by column, for digraph6
//! (a line that begins with `&`) all of it row by row. A header `>>graph6<<` or `>>digraph6<<` may stand in front. Nodes are
//! called 0, 1, 2 and so on; there are no weights and no parallel edges, and only digraph6 knows self-loops. A line that begins
//! with `:` is in sparse6.
//!
//! Source: Brendan McKay, *Description of graph6, sparse6 and digraph6 encodings*, the file `formats.txt` of nauty.

use std::io::Write;

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::error::FileError;
use super::names::NodeNames;
use super::text::{Text, Word};
use super::{Format, GraphFile, ReadOptions, Terminals, sparse6};

pub(super) const HEADERS: [&str; 3] = [">>graph6<<", ">>digraph6<<", ">>sparse6<<"];
const EXPECTED: &str = "a graph in graph6, digraph6 or sparse6";
const MOST_NODES_WRITTEN: usize = 258_047;

/// Reads a file that holds one graph.
pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let mut words = source.lines().flatten();
    let first = words.next().ok_or_else(|| source.ends_early(EXPECTED))?;
    let file = file(&first, options)?;
    if let Some(second) = words.next() {
        return Err(second.unexpected("the end of the file after its one graph; all of them can be asked for"));
    }
    Ok(file)
}

/// Reads the graphs of all lines, one after the other, as long as `take` says to go on.
pub(crate) fn read_each<'a>(
    source: &'a Text<'a>,
    options: &ReadOptions,
    take: &mut dyn FnMut(GraphFile) -> bool,
) -> Result<(), FileError> {
    let mut words = source.lines().flatten().peekable();
    if words.peek().is_none() {
        return Err(source.ends_early(EXPECTED));
    }
    for word in words {
        if !HEADERS.contains(&word.text) && !take(file(&word, options)?) {
            break;
        }
    }
    Ok(())
}

fn file(word: &Word<'_>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let (graph, directed) = decode(word, options.memory_limit)?;
    Ok(GraphFile {
        directed,
        weighted: false,
        places: 0,
        names: NodeNames::consecutive(0, graph.node_count()),
        graph,
        prizes: Vec::new(),
        terminals: Terminals::default(),
        format: format_of(word.text),
        coordinates: None,
        notes: Vec::new(),
    })
}

/// Which of the two formats a word is in that is in one of them.
pub(super) fn format_of(word: &str) -> Format {
    let header = HEADERS.iter().find(|header| word.starts_with(*header)).map_or(0, |header| header.len());
    let is_sparse = word[header..].starts_with(':') || word.starts_with(HEADERS[2]);
    if is_sparse { Format::Sparse6 } else { Format::Graph6 }
}

/// Whether a word looks like a graph in this format, for guessing the format of a file.
pub(crate) fn resembles(word: &str) -> bool {
    let is_printable = word.bytes().skip(1).all(|byte| (b'?'..=b'~').contains(&byte));
    (word.starts_with(':') && word.len() > 1 && is_printable)
        || HEADERS.iter().any(|header| word.starts_with(header))
        || decode_in("", word).is_ok()
}

fn decode_in(file: &str, line: &str) -> Result<(DiGraph<(), i64>, bool), FileError> {
    let source = Text::new(file, line.as_bytes())?;
    let word = source.lines().flatten().next().ok_or_else(|| source.ends_early(EXPECTED))?;
    decode(&word, ReadOptions::default().memory_limit)
}

/// Decodes one graph6 or digraph6 word: the graph, every edge of weight 1, and whether it is directed. An undirected edge
/// leads from its smaller node to its greater.
///
/// # Errors
/// If a character or their number is not what the format says.
///
/// # Complexity
/// `O(n²)`, as the word itself.
///
/// # Example
/// ```
/// let (path_of_three, directed) = longhaul::io::decode_graph6("Bg")?;
/// assert_eq!((path_of_three.node_count(), path_of_three.edge_count(), directed), (3, 2, false));
/// # Ok::<(), longhaul::io::FileError>(())
/// ```
pub fn decode_graph6(line: &str) -> Result<(DiGraph<(), i64>, bool), FileError> {
    decode_in("graph6", line)
}

fn decode(word: &Word<'_>, memory_limit: usize) -> Result<(DiGraph<(), i64>, bool), FileError> {
    let header = HEADERS.iter().find(|header| word.text.starts_with(*header)).map_or(0, |header| header.len());
    let directed = word.text[header..].starts_with('&');
    let sparse = word.text[header..].starts_with(':');
    let skipped = header + usize::from(directed || sparse);
    let sextets = word.text.as_bytes()[skipped..].iter();
    if let Some((at, letter)) = word.text[skipped..].char_indices().find(|(_, letter)| !('?'..='~').contains(letter)) {
        let start = word.start + skipped + at;
        return Err(word.part_unexpected(start..start + letter.len_utf8(), "a character from '?' to '~'"));
    }
    let sextets: Vec<u8> = sextets.map(|&byte| byte - b'?').collect();
    if sparse {
        return Ok((sparse6::decode(&sextets, word, memory_limit)?, false));
    }
    let (node_count, size_length) =
        sparse6::decode_size(&sextets).ok_or_else(|| word.unexpected("the number of nodes"))?;
    let n = node_count as u128;
    let bits = if directed { n * n } else { n * n.saturating_sub(1) / 2 };
    let needed = bits.div_ceil(6);
    if needed != (sextets.len() - size_length) as u128 {
        let expected =
            format!("{needed} characters of matrix for {node_count} nodes, not {}", sextets.len() - size_length);
        return Err(word.unexpected(expected));
    }

    let matrix = &sextets[size_length..];
    let mut graph = DiGraph::with_capacity(node_count as usize, 0);
    for _ in 0..node_count {
        graph.add_node(());
    }
    let mut bit = 0;
    let mut next_bit = || {
        let set = matrix[bit / 6] >> (5 - bit % 6) & 1 == 1;
        bit += 1;
        set
    };
    for row in 0..node_count as usize {
        let columns = if directed { node_count as usize } else { row };
        for column in 0..columns {
            if next_bit() {
                let (tail, head) = if directed { (row, column) } else { (column, row) };
                let edge = graph.try_add_edge(NodeIndex::new(tail), NodeIndex::new(head), 1);
                edge.map_err(|_| word.unexpected("no more than 2^32 - 1 edges"))?;
            }
        }
    }
    Ok((graph, directed))
}

/// Writes a simple graph without weights.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    let refuse = |message: &str| Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, message));
    let n = file.graph.node_count();
    if file.weighted {
        return refuse("graph6 has no weights");
    }
    if n > MOST_NODES_WRITTEN {
        return refuse("graph6 takes no more than 258047 nodes here: its matrix grows with the square");
    }
    let bit_count = if file.directed { n * n } else { n * n.saturating_sub(1) / 2 };
    let mut sextets = vec![0u8; bit_count.div_ceil(6)];
    for edge in file.graph.edge_references() {
        let (tail, head) = (edge.source().index(), edge.target().index());
        let bit = match (file.directed, tail.cmp(&head)) {
            (true, _) => tail * n + head,
            (false, std::cmp::Ordering::Equal) => return refuse("graph6 has no self-loops"),
            (false, std::cmp::Ordering::Less) => head * (head - 1) / 2 + tail,
            (false, std::cmp::Ordering::Greater) => tail * (tail - 1) / 2 + head,
        };
        let mask = 1 << (5 - bit % 6);
        if sextets[bit / 6] & mask != 0 {
            return refuse("graph6 has no parallel edges");
        }
        sextets[bit / 6] |= mask;
    }
    let mut line = if file.directed { vec![b'&'] } else { Vec::new() };
    sparse6::write_size(n, &mut line);
    line.extend(sextets.iter().map(|sextet| sextet + b'?'));
    line.push(b'\n');
    out.write_all(&line)
}
