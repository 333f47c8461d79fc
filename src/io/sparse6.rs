//! sparse6: a sparse graph in one line, which `:` begins. Loops and parallel edges are told as well.
//!
//! The number of nodes stands there as in graph6. Then come groups of bits, six a character: one that says whether the
//! current node goes up by one, and a number of as many bits as the greatest node needs. A number above the current node
//! becomes the current node; any other is joined to it. Ones fill the last character.
//!
//! Source: Brendan McKay, *Description of graph6, sparse6 and digraph6 encodings*, the file `formats.txt` of nauty.

use petgraph::graph::{DiGraph, NodeIndex};

use super::NODE_BYTES;
use super::error::FileError;
use super::text::Word;

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
    let width = usize::BITS - node_count.saturating_sub(1).leading_zeros();
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
