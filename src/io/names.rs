//! What the nodes of a file are called, and which node a name means.

use std::fmt;

use hashbrown::HashMap;
use petgraph::graph::NodeIndex;

use super::text::parse_u32;

/// The names of a file's nodes, in the order of their indices.
#[derive(Clone, Debug)]
pub struct NodeNames {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Node `i` is called `first + i`.
    Consecutive { first: u32, count: usize },
    /// Every name is a number, but not in order.
    Numbers(Vec<u32>),
    /// Name `i` ends before `ends[i]` and begins where the one before ends.
    Words { text: String, ends: Vec<usize> },
}

/// One node's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeName<'a> {
    /// The file calls its nodes by numbers.
    Number(u64),
    /// The file calls its nodes by words.
    Word(&'a str),
}

/// Finds nodes by their names; made by [`NodeNames::finder`].
#[derive(Debug)]
pub struct NodeFinder<'a> {
    kind: FinderKind<'a>,
}

#[derive(Debug)]
enum FinderKind<'a> {
    Consecutive { first: u32, count: usize },
    Numbers(HashMap<u32, u32>),
    Words(HashMap<&'a str, u32>),
}

impl NodeNames {
    /// Nodes that are called by their positions, from 1.
    pub fn positions(count: usize) -> Self {
        Self::consecutive(1, count)
    }

    pub(crate) fn consecutive(first: u32, count: usize) -> Self {
        NodeNames { kind: Kind::Consecutive { first, count } }
    }

    fn numbers(numbers: Vec<u32>) -> Self {
        NodeNames { kind: Kind::Numbers(numbers) }
    }

    /// Nodes that are called by these words, in this order. A [finder](Self::finder) finds the last of equal ones.
    ///
    /// # Example
    /// ```
    /// use longhaul::io::NodeNames;
    ///
    /// let names = NodeNames::words(["Rome", "Milan"].into_iter());
    /// assert_eq!(names.name(1.into()).to_string(), "Milan");
    /// ```
    pub fn words<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let (mut text, mut ends) = (String::new(), Vec::new());
        for word in words {
            text.push_str(word);
            ends.push(text.len());
        }
        NodeNames { kind: Kind::Words { text, ends } }
    }

    /// These texts in order, which are all different; as numbers where all of them are.
    pub(crate) fn of_texts<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Self {
        match texts.clone().map(canonical_number).collect::<Option<Vec<u32>>>() {
            Some(numbers) => Self::of_numbers(numbers),
            None => Self::words(texts),
        }
    }

    /// These numbers in order, which are all different.
    pub(crate) fn of_numbers(numbers: Vec<u32>) -> Self {
        let first = numbers.first().copied().unwrap_or(0);
        let consecutive =
            numbers.iter().zip(u64::from(first)..).all(|(&number, expected)| u64::from(number) == expected);
        if consecutive { Self::consecutive(first, numbers.len()) } else { Self::numbers(numbers) }
    }

    /// Whether the nodes are called by the numbers from this one on.
    pub(crate) fn is_consecutive_from(&self, number: u32) -> bool {
        matches!(self.kind, Kind::Consecutive { first, .. } if first == number)
    }

    /// How many nodes there are.
    pub fn count(&self) -> usize {
        match &self.kind {
            Kind::Consecutive { count, .. } => *count,
            Kind::Numbers(numbers) => numbers.len(),
            Kind::Words { ends, .. } => ends.len(),
        }
    }

    /// The name of a node.
    ///
    /// # Panics
    /// If the file has no such node.
    pub fn name(&self, node: NodeIndex) -> NodeName<'_> {
        let index = node.index();
        assert!(index < self.count(), "the file has no node of index {index}");
        match &self.kind {
            Kind::Consecutive { first, .. } => NodeName::Number(u64::from(*first) + index as u64),
            Kind::Numbers(numbers) => NodeName::Number(u64::from(numbers[index])),
            Kind::Words { text, ends } => {
                let start = if index == 0 { 0 } else { ends[index - 1] };
                NodeName::Word(&text[start..ends[index]])
            }
        }
    }

    /// What the names hold, in bytes.
    pub fn bytes(&self) -> usize {
        match &self.kind {
            Kind::Consecutive { .. } => 0,
            Kind::Numbers(numbers) => std::mem::size_of_val(&numbers[..]),
            Kind::Words { text, ends } => text.len() + std::mem::size_of_val(&ends[..]),
        }
    }

    /// The name of the node of this index, as text.
    pub(crate) fn name_of(&self, index: usize) -> String {
        self.name(NodeIndex::new(index)).to_string()
    }

    /// A way from names to nodes: `O(n)` once, then constant time each.
    pub fn finder(&self) -> NodeFinder<'_> {
        let nodes = (0..self.count() as u32).map(|index| self.name(NodeIndex::new(index as usize)));
        let kind = match &self.kind {
            Kind::Consecutive { first, count } => FinderKind::Consecutive { first: *first, count: *count },
            Kind::Numbers(numbers) => FinderKind::Numbers(numbers.iter().copied().zip(0..).collect()),
            Kind::Words { .. } => FinderKind::Words(
                nodes.zip(0..).filter_map(|(name, index)| name.word().map(|word| (word, index))).collect(),
            ),
        };
        NodeFinder { kind }
    }

    /// The names in one phrase, for diagnostics: `1 to 30`, or the first few.
    pub fn summary(&self) -> String {
        match &self.kind {
            Kind::Consecutive { count: 0, .. } => "there are none".to_owned(),
            Kind::Consecutive { first, count } => format!("{first} to {}", u64::from(*first) + *count as u64 - 1),
            _ => {
                const SHOWN: usize = 8;
                let names = (0..self.count().min(SHOWN)).map(|index| self.name(NodeIndex::new(index)).to_string());
                let rest =
                    if self.count() > SHOWN { format!(" and {} more", self.count() - SHOWN) } else { String::new() };
                format!("{}{rest}", names.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl<'a> NodeName<'a> {
    fn word(self) -> Option<&'a str> {
        match self {
            NodeName::Number(_) => None,
            NodeName::Word(word) => Some(word),
        }
    }
}

impl fmt::Display for NodeName<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NodeName::Number(number) => write!(formatter, "{number}"),
            NodeName::Word(word) => formatter.write_str(word),
        }
    }
}

impl NodeFinder<'_> {
    /// The node of this name, if there is one.
    pub fn find(&self, name: &str) -> Option<NodeIndex> {
        let index = match &self.kind {
            FinderKind::Consecutive { first, count } => {
                parse_u32(name)?.checked_sub(*first).filter(|&index| (index as usize) < *count)?
            }
            FinderKind::Numbers(nodes) => *nodes.get(&parse_u32(name)?)?,
            FinderKind::Words(nodes) => *nodes.get(name)?,
        };
        Some(NodeIndex::new(index as usize))
    }
}

/// The number that this word is the usual way to write.
pub(crate) fn canonical_number(text: &str) -> Option<u32> {
    if text.len() > 1 && text.starts_with('0') { None } else { parse_u32(text) }
}
