//! METIS (and Chaco) `.graph`: a line of neighbours for each node.
//!
//! ```text
//! % a comment
//! 4 4
//! 2 4
//! 1 3
//! 2 4
//! 1 3
//! ```
//!
//! - The first line is `NODES EDGES [FMT [NCON]]`. `FMT` is three digits of 0 or 1: nodes have a size, nodes have weights (`NCON`
//!   of them, 1 unless it is said), edges have weights.
//! - Line `i` after it tells of node `i`, from 1: its size and weights where there are any, then its neighbours, each with the
//!   weight of the edge behind it where edges have weights. A blank line is a node without neighbours.
//! - Graphs are undirected and simple: each edge stands in two lines, with the same weight. That is checked, and so is the
//!   number of edges. Sizes and weights of nodes are no part of a path's length; that they are left out is told.
//! - A line that begins with `%` is a comment and counts for nothing.
//!
//! Source: George Karypis, *METIS 5.1.0 manual*, §4.1.1, University of Minnesota, 2013.

use std::io::Write;

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::builder::Builder;
use super::decimal::Decimal;
use super::error::FileError;
use super::text::{Line, Text, Word, parse_u32};
use super::{Format, GraphFile, ReadOptions, refuse};

/// The first line.
struct Header<'a> {
    nodes: u32,
    nodes_word: Word<'a>,
    edges: u64,
    edges_word: Word<'a>,
    /// How many numbers stand before the neighbours of a node.
    skipped: usize,
    weighted: bool,
}

/// One mention of an edge, which is to be met from its other end.
struct Mention {
    weight: Decimal,
    neighbour: u32,
    /// Where it stands in the text.
    start: usize,
}

pub(crate) fn read<'a>(source: &'a Text<'a>, options: &ReadOptions) -> Result<GraphFile, FileError> {
    let mut lines = source.lines().filter_map(|line| {
        let mut words = line.clone();
        match words.next() {
            Some(first) if first.text.starts_with('%') => None,
            first => Some((first, line)),
        }
    });
    let header = loop {
        match lines.next() {
            Some((None, _)) => {}
            Some((Some(_), line)) => break read_header(line)?,
            None => return Err(source.ends_early("the first line, NODES EDGES [FMT [NCON]]")),
        }
    };
    if header.nodes as usize > source.len() {
        return Err(header
            .nodes_word
            .unexpected(format!("no more nodes than a file of {} bytes has lines", source.len())));
    }
    let mut builder = Builder::new(source, options);
    builder.add_nodes(header.nodes as usize);
    if header.skipped > 0 {
        builder.note("sizes and weights of nodes are left out: the length of a path is that of its edges");
    }
    let mut mentions: Vec<Mention> = Vec::new();
    // Where the mentions of each node begin.
    let mut begins = vec![0usize];
    for node in 1..=header.nodes {
        let Some((_, mut line)) = lines.next() else {
            let expected = format!("the neighbours of node {node}, for there are {} nodes", header.nodes);
            return Err(source.ends_early(expected));
        };
        for _ in 0..header.skipped {
            line.expect("a size or weight of the node")?.number("a size or weight of the node")?;
        }
        let from = mentions.len();
        while let Some(word) = line.next() {
            mentions.push(read_neighbour(node, word, &header, &mut line, &mut builder)?);
        }
        mentions[from..].sort_unstable_by_key(|mention| mention.neighbour);
        if let Some(pair) = mentions[from..].windows(2).find(|pair| pair[0].neighbour == pair[1].neighbour) {
            let later = pair[0].start.max(pair[1].start);
            return Err(number_at(source, later).unexpected("each neighbour once: METIS knows no parallel edges"));
        }
        begins.push(mentions.len());
    }
    if let Some((first, _)) = lines.find_map(|(first, line)| first.map(|first| (first, line))) {
        return Err(first.unexpected(format!("the end of the file after the {} nodes it has", header.nodes)));
    }
    meet(source, &mentions, &begins, &mut builder)?;
    if builder.graph.edge_count() as u64 != header.edges {
        let expected = format!("{}, the number of edges in the file", builder.graph.edge_count());
        return Err(header.edges_word.unexpected(expected));
    }
    Ok(builder.finish_numbered(Format::Metis, false, 1))
}

fn read_header(mut line: Line<'_>) -> Result<Header<'_>, FileError> {
    let nodes_word = line.expect("the number of nodes")?;
    let nodes = nodes_word.number("the number of nodes")?;
    let edges_word = line.expect("the number of edges")?;
    let edges = u64::from(edges_word.number("the number of edges")?);
    let (mut skipped, mut weighted) = (0, false);
    if let Some(word) = line.next() {
        let expected = "the format, as up to three digits 0 or 1: node sizes, node weights, edge weights";
        let is_digits = (1..=3).contains(&word.text.len()) && word.text.bytes().all(|byte| matches!(byte, b'0' | b'1'));
        if !is_digits {
            return Err(word.unexpected(expected));
        }
        let digit = |from_the_right: usize| {
            let at = word.text.len().checked_sub(from_the_right + 1);
            at.is_some_and(|at| word.text.as_bytes()[at] == b'1')
        };
        weighted = digit(0);
        let constraints = match line.next() {
            Some(word) => word.number("the number of weights of a node")? as usize,
            None => 1,
        };
        skipped = usize::from(digit(2)) + if digit(1) { constraints } else { 0 };
    }
    line.expect_end()?;
    Ok(Header { nodes, nodes_word, edges, edges_word, skipped, weighted })
}

fn read_neighbour<'a>(
    node: u32,
    word: Word<'a>,
    header: &Header<'_>,
    line: &mut Line<'a>,
    builder: &mut Builder,
) -> Result<Mention, FileError> {
    let neighbour = parse_u32(word.text).filter(|number| (1..=header.nodes).contains(number));
    let neighbour = neighbour.ok_or_else(|| word.unexpected(format!("a node from 1 to {}", header.nodes)))?;
    if neighbour == node {
        return Err(word.unexpected("another node than the line's own: METIS knows no self-loops"));
    }
    let weight = if header.weighted { Some(line.expect("the weight of the edge")?) } else { None };
    let weight = builder.weight(weight, |expected| line.ends_early(expected))?;
    Ok(Mention { weight, neighbour, start: word.start })
}

/// The number that begins here.
fn number_at<'a>(source: &'a Text<'a>, start: usize) -> Word<'a> {
    let digits = source.as_str()[start..].bytes().take_while(u8::is_ascii_digit).count();
    source.word(start..start + digits)
}

/// Makes an edge of the two mentions of each. The mentions of a node are in the order of its neighbours, and so are those
/// that look for their other half there.
fn meet<'a>(
    source: &'a Text<'a>,
    mentions: &[Mention],
    begins: &[usize],
    builder: &mut Builder,
) -> Result<(), FileError> {
    let alone = |mention: &Mention, node: usize| {
        let expected = format!("a node that has {} among its neighbours, too", node + 1);
        Err(number_at(source, mention.start).unexpected(expected))
    };
    // The next mention of each node that is still alone.
    let mut next: Vec<usize> = begins.to_vec();
    for node in 0..begins.len() - 1 {
        for mention in &mentions[next[node]..begins[node + 1]] {
            let other = mention.neighbour as usize - 1;
            if other < node {
                return alone(mention, node);
            }
            let back = mentions[..begins[other + 1]].get(next[other]);
            let back = match back {
                Some(back) if back.neighbour as usize == node + 1 => back,
                Some(back) if back.neighbour as usize <= node => return alone(back, other),
                _ => return alone(mention, node),
            };
            if back.weight != mention.weight {
                let expected = format!("{}, the weight that node {} gives this edge", mention.weight, node + 1);
                return Err(weight_behind(source, back.start).unexpected(expected));
            }
            next[other] += 1;
            let at = number_at(source, mention.start);
            builder.edge(NodeIndex::new(node), NodeIndex::new(other), mention.weight, &at)?;
        }
    }
    Ok(())
}

/// The word behind the number that begins here.
fn weight_behind<'a>(source: &'a Text<'a>, start: usize) -> Word<'a> {
    let begin = start + number_at(source, start).text.len();
    let rest = &source.as_str()[begin..];
    let word = rest.split_whitespace().next().unwrap_or(rest);
    source.word_of(word)
}

/// Whether a text that begins with a few numbers is METIS through and through. An edge list is so only if its first line is
/// a self-loop and much else comes together.
pub(crate) fn resembles<'a>(source: &'a Text<'a>) -> bool {
    let mut lines = source.lines().filter(|line| !line.clone().next().is_some_and(|word| word.text.starts_with('%')));
    let Some(header) = lines.find(|line| line.clone().next().is_some()).and_then(|line| read_header(line).ok()) else {
        return false;
    };
    let a_mention = 1 + u64::from(header.weighted);
    let allowed = (2 * header.edges).saturating_mul(a_mention) + u64::from(header.nodes) * header.skipped as u64;
    let (mut numbers, mut count, mut blank) = (0u64, 0u64, 0u64);
    for line in lines {
        let mut words = line;
        let first = words.next();
        // Blank lines at the end are no nodes.
        blank = if first.is_none() { blank + 1 } else { 0 };
        count += 1;
        for word in first.into_iter().chain(words) {
            numbers += 1;
            if parse_u32(word.text).is_none() || numbers > allowed {
                return false;
            }
        }
        if count - blank > u64::from(header.nodes) {
            return false;
        }
    }
    count >= u64::from(header.nodes) && numbers == allowed && header.nodes > 0
}

/// Writes an undirected simple graph whose weights, if there are any, are positive.
pub(crate) fn write(file: &GraphFile, out: &mut dyn Write) -> std::io::Result<()> {
    let graph = &file.graph;
    if file.directed {
        return refuse("METIS knows no directed edges".to_owned());
    }
    if file.places > 0 {
        return refuse("METIS takes only whole weights".to_owned());
    }
    let mut lines: Vec<Vec<(usize, i64)>> = vec![Vec::new(); graph.node_count()];
    for edge in graph.edge_references() {
        let [source, target] = [edge.source(), edge.target()].map(NodeIndex::index);
        if source == target {
            return refuse("METIS knows no self-loops".to_owned());
        }
        if *edge.weight() <= 0 {
            return refuse(format!("METIS takes only weights above 0, and an edge weighs {}", edge.weight()));
        }
        lines[source].push((target, *edge.weight()));
        lines[target].push((source, *edge.weight()));
    }
    for line in &mut lines {
        line.sort_unstable();
        if line.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return refuse("METIS knows no parallel edges".to_owned());
        }
    }
    let format = if file.weighted { " 001" } else { "" };
    writeln!(out, "{} {}{format}", graph.node_count(), graph.edge_count())?;
    for line in &lines {
        for (at, (neighbour, weight)) in line.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            write!(out, "{space}{}", neighbour + 1)?;
            if file.weighted {
                write!(out, " {weight}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
