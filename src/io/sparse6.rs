//! sparse6: a sparse graph in one line, which `:` begins. Loops and parallel edges are told as well.
//!
//! The number of nodes stands there as in graph6. Then come groups of bits, six a character: one that says whether the
//! current node goes up by one, and a number of as many bits as the greatest node needs. A number above the current node
//! becomes the current node; any other is joined to it. Ones fill the last character, behind a zero where they would read as
//! one more edge.
//!
//! Source: Brendan McKay, *Description of graph6, sparse6 and digraph6 encodings*, the file `formats.txt` of nauty.

use std::io::Write;

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::error::FileError;
use super::text::Word;
use super::{GraphFile, NODE_BYTES, refuse};

/// Decodes the characters behind the colon, given as numbers from 0 to 63; `word` is where they stand.
pub(super) fn decode(sextets: &[u8], word: &Word<'_>, memory_limit: usize) -> Result<DiGraph<(), i64>, FileError> {
    let (node_count, size_length) = decode_size(sextets).ok_or_else(|| word.unexpected("the number of nodes"))?;
    if node_count > (memory_limit / NODE_BYTES).min(u32::MAX as usize - 1) as u64 {
        let expected =
            format!("fewer nodes than {node_count}: no more than the memory limit of {memory_limit} bytes allows");
        return Err(word.unexpected(expected));
    }
    let node_count = node_count as usize;
    let mut graph = DiGraph::with_capacity(node_count, 0);
    for _ in 0..node_count {
        graph.add_node(());
    }
    let width = width(node_count);
    let body = &sextets[size_length..];
    let mut bits = body.iter().flat_map(|&sextet| (0..6).rev().map(move |bit| usize::from(sextet >> bit & 1)));
    let mut left = body.len() * 6;
    let mut current = 0;
    while left > width as usize {
        let up = bits.next().unwrap_or(1);
        let number = (0..width).fold(0, |number, _| number << 1 | bits.next().unwrap_or(1));
        left -= 1 + width as usize;
        current += up;
        if number > current {
            current = number;
        } else if current < node_count {
            let edge = graph.try_add_edge(NodeIndex::new(number), NodeIndex::new(current), 1);
            edge.map_err(|_| word.unexpected("no more than 2^32 - 1 edges"))?;
        }
        if current >= node_count {
            // What is left can only be filling.
            break;
        }
    }
    Ok(graph)
}

/// How many bits the greatest node takes.
fn width(node_count: usize) -> u32 {
    usize::BITS - node_count.saturating_sub(1).leading_zeros()
}

/// The number of nodes and how many characters say it.
pub(super) fn decode_size(sextets: &[u8]) -> Option<(u64, usize)> {
    let number = |digits: &[u8]| digits.iter().fold(0u64, |value, &digit| value << 6 | u64::from(digit));
    match sextets {
        [63, 63, ..] => sextets.get(2..8).map(|digits| (number(digits), 8)),
        [63, ..] => sextets.get(1..4).map(|digits| (number(digits), 4)),
        [size, ..] => Some((u64::from(*size), 1)),
        [] => None,
    }
}

/// Appends the characters that say the number of nodes, in graph6 as well.
pub(super) fn write_size(node_count: usize, line: &mut Vec<u8>) {
    let (signs, sextets): (&[u8], u32) = match node_count {
        0..=62 => (b"", 1),
        63..=258_047 => (b"~", 3),
        _ => (b"~~", 6),
    };
    line.extend(signs);
    line.extend((0..sextets).rev().map(|sextet| (node_count >> (6 * sextet) & 63) as u8 + b'?'));
}

/// Bits on their way into characters.
struct Bits {
    line: Vec<u8>,
    sextet: u8,
    /// How many bits of it are there.
    filled: u32,
}

impl Bits {
    fn push(&mut self, bit: usize) {
        self.sextet = self.sextet << 1 | bit as u8;
        self.filled += 1;
        if self.filled == 6 {
            self.line.push(self.sextet + b'?');
            (self.sextet, self.filled) = (0, 0);
        }
    }

    fn push_number(&mut self, number: usize, width: u32) {
        (0..width).rev().for_each(|bit| self.push(number >> bit & 1));
    }
}

/// Writes an undirected graph without weights.
pub(super) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    if file.weighted {
        return refuse("sparse6 has no weights".to_owned());
    }
    if file.directed {
        return refuse("sparse6 has no directions; graph6 has them, as digraph6".to_owned());
    }
    let n = file.graph.node_count();
    let width = width(n);
    let ends =
        |source: NodeIndex, target: NodeIndex| (source.index().max(target.index()), source.index().min(target.index()));
    let mut edges: Vec<(usize, usize)> =
        file.graph.edge_references().map(|edge| ends(edge.source(), edge.target())).collect();
    edges.sort_unstable();
    let mut line = vec![b':'];
    write_size(n, &mut line);
    let mut bits = Bits { line, sextet: 0, filled: 0 };
    let mut current = 0;
    for (greater, smaller) in edges {
        match greater - current {
            0 => bits.push(0),
            1 => bits.push(1),
            _ => {
                bits.push(1);
                bits.push_number(greater, width);
                bits.push(0);
            }
        }
        current = greater;
        bits.push_number(smaller, width);
    }
    // Where all ones are the greatest node and the filling is long enough, it would say a loop there.
    let filling = (6 - bits.filled) % 6;
    if n == 1 << width && current + 2 == n && filling > width {
        bits.push(0);
    }
    while bits.filled > 0 {
        bits.push(1);
    }
    bits.line.push(b'\n');
    out.write_all(&bits.line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{Format, ReadOptions};

    /// Every graph on up to four nodes, loops among its edges, comes back; and the example of the description.
    #[test]
    fn what_is_written_is_read_again() {
        for n in 0..=4usize {
            let pairs: Vec<(usize, usize)> = (0..n).flat_map(|one| (0..=one).map(move |two| (one, two))).collect();
            for chosen in 0..1u32 << pairs.len() {
                let mut file = GraphFile::of_nodes(n);
                for (at, &(one, two)) in pairs.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1) {
                    file.graph.add_edge(NodeIndex::new(one), NodeIndex::new(two), at as i64);
                }
                let mut line = Vec::new();
                write(&file, &mut line).unwrap();
                let again = GraphFile::parse("a.s6", &line, &ReadOptions::default()).unwrap();
                let shape = |graph: &DiGraph<(), i64>| {
                    let ends = graph.edge_references().map(|edge| (edge.source().index(), edge.target().index()));
                    let mut ends: Vec<_> = ends.map(|(one, two)| (one.max(two), one.min(two))).collect();
                    ends.sort_unstable();
                    (graph.node_count(), ends)
                };
                assert_eq!(shape(&again.graph), shape(&file.graph), "{}", String::from_utf8_lossy(&line));
                assert_eq!(again.format, Format::Sparse6);
            }
        }
        let mut file = GraphFile::of_nodes(7);
        for (one, two) in [(0, 1), (0, 2), (1, 2), (5, 6)] {
            file.graph.add_edge(NodeIndex::new(one), NodeIndex::new(two), 1);
        }
        let mut line = Vec::new();
        write(&file, &mut line).unwrap();
        assert_eq!(line, b":Fa@x^\n");
    }
}
