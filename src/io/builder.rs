//! What the readers of all formats share: nodes by name, edges whose weights are given all or not at all, coordinates.

use hashbrown::HashMap;
use hashbrown::hash_table::{Entry, HashTable};
use petgraph::graph::{DiGraph, NodeIndex};
use std::hash::{BuildHasher, RandomState};

use super::decimal::{Decimal, NO_UNIT, Unit};
use super::error::FileError;
use super::names::{NodeNames, canonical_number};
use super::text::{Text, Word, parse_u32};
use super::{Format, GraphFile, ReadOptions, Terminals};

/// The weight of an edge that has none.
pub(crate) const ONE: Decimal = Decimal { units: 1, places: 0 };

/// A graph while it is read.
pub(crate) struct Builder {
    pub(crate) graph: DiGraph<(), i64>,
    pub(crate) names: Interner,
    /// Whether edges have weights, once there is an edge.
    weighted: Option<bool>,
    /// What the weights count.
    unit: Unit,
    /// Every edge weighs 1, whatever the file says.
    pub(crate) unit_weights: bool,
    /// By node; not a number where none is given.
    coordinates: Vec<[f64; 2]>,
    /// What the file says and the graph can't hold.
    pub(crate) notes: Vec<String>,
}

impl Builder {
    pub(crate) fn new(source: &Text<'_>, options: &ReadOptions) -> Self {
        Builder {
            graph: DiGraph::new(),
            names: Interner::new(source.len()),
            weighted: None,
            unit: Unit::default(),
            unit_weights: options.unit_weights,
            coordinates: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The node of this name, which `at` mentions; a new one if the name is new.
    pub(crate) fn node(&mut self, name: &str, at: &Word<'_>) -> Result<NodeIndex, FileError> {
        let index = self.names.index(name);
        if index == self.graph.node_count() {
            self.graph.try_add_node(()).map_err(|_| at.unexpected("no more than 2^32 - 1 nodes"))?;
        }
        Ok(NodeIndex::new(index))
    }

    /// A node whose name must be new.
    pub(crate) fn new_node(&mut self, name: &str, at: &Word<'_>) -> Result<NodeIndex, FileError> {
        match self.names.find(name) {
            Some(_) => Err(at.unexpected("the name of a node that the file has not named before")),
            None => self.node(name, at),
        }
    }

    /// The node of this name, which the file must have told of before.
    pub(crate) fn known_node(&self, name: &str, at: &Word<'_>) -> Result<NodeIndex, FileError> {
        let index = self.names.find(name).ok_or_else(|| at.unexpected("the name of a node of the file"))?;
        Ok(NodeIndex::new(index as usize))
    }

    /// So many nodes that are called by numbers elsewhere.
    pub(crate) fn add_nodes(&mut self, count: usize) {
        self.graph = DiGraph::with_capacity(count, 0);
        for _ in 0..count {
            self.graph.add_node(());
        }
    }

    /// The weight that this word says, or 1 if there is none. `missing` is the mistake that there is none, and the edges
    /// before have one.
    pub(crate) fn weight(
        &mut self,
        word: Option<Word<'_>>,
        missing: impl FnOnce(&str) -> FileError,
    ) -> Result<Decimal, FileError> {
        if self.unit_weights {
            return Ok(ONE);
        }
        match (word, *self.weighted.get_or_insert(word.is_some())) {
            (Some(word), true) => word.weight(),
            (None, false) => Ok(ONE),
            (Some(word), false) => {
                Err(word.unexpected("the end of the line, as in the lines above, which give no weight"))
            }
            (None, true) => Err(missing("a weight, as in the lines above")),
        }
    }

    /// A weight that is read already, if there is one; given by all edges or by none.
    #[cfg(feature = "formats")]
    pub(crate) fn plain_weight(&mut self, weight: Option<Decimal>) -> Result<Decimal, &'static str> {
        if self.unit_weights {
            return Ok(ONE);
        }
        match (weight, *self.weighted.get_or_insert(weight.is_some())) {
            (Some(weight), true) => Ok(weight),
            (None, false) => Ok(ONE),
            (Some(_), false) => Err("expected no weight, as in the edges before"),
            (None, true) => Err("expected a weight, as in the edges before"),
        }
    }

    /// An edge that the word `at` begins; its weight comes from [`weight`](Self::weight).
    pub(crate) fn edge(
        &mut self,
        tail: NodeIndex,
        head: NodeIndex,
        weight: Decimal,
        at: &Word<'_>,
    ) -> Result<(), FileError> {
        let weight = self.units(weight, at)?;
        let added = self.graph.try_add_edge(tail, head, weight);
        added.map(|_| ()).map_err(|_| at.unexpected("no more than 2^32 - 1 edges"))
    }

    /// A weight in the unit of all.
    pub(crate) fn units(&mut self, weight: Decimal, at: &Word<'_>) -> Result<i64, FileError> {
        self.unit.take(weight, &mut self.graph, &mut []).ok_or_else(|| at.unexpected(NO_UNIT))
    }

    /// Where the file draws a node.
    pub(crate) fn place(&mut self, node: NodeIndex, place: [f64; 2]) {
        if self.coordinates.len() <= node.index() {
            self.coordinates.resize(node.index() + 1, [f64::NAN; 2]);
        }
        self.coordinates[node.index()] = place;
    }

    /// What the file says and the graph can't hold, said once.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The graph under the names met.
    pub(crate) fn finish(mut self, format: Format, directed: bool) -> GraphFile {
        let names = std::mem::replace(&mut self.names, Interner::new(0)).into_names();
        self.finish_named(format, directed, names)
    }

    /// The graph whose nodes are called by positions from `first`.
    pub(crate) fn finish_numbered(self, format: Format, directed: bool, first: u32) -> GraphFile {
        let count = self.graph.node_count();
        self.finish_named(format, directed, NodeNames::consecutive(first, count))
    }

    fn finish_named(mut self, format: Format, directed: bool, names: NodeNames) -> GraphFile {
        let placed = self.coordinates.iter().filter(|place| !place[0].is_nan()).count();
        let nodes = self.graph.node_count();
        if (1..nodes).contains(&placed) {
            self.note(format!("only {placed} of {nodes} nodes have coordinates, which are not kept"));
        }
        GraphFile {
            directed,
            weighted: self.weighted.unwrap_or(false),
            places: self.unit.places,
            names,
            graph: self.graph,
            prizes: Vec::new(),
            terminals: Terminals::default(),
            format,
            coordinates: (placed > 0 && placed == nodes).then_some(self.coordinates),
            notes: self.notes,
        }
    }
}

/// Edges that may stand before their nodes: those whose ends are known are made at once, the others wait. To keep the
/// order of the file, an edge behind one that waits waits too.
#[cfg(feature = "formats")]
#[derive(Default)]
pub(crate) struct EdgesToCome<'a> {
    waiting: Vec<WaitingEdge<'a>>,
}

#[cfg(feature = "formats")]
struct WaitingEdge<'a> {
    ends: [(Word<'a>, String); 2],
    weight: Decimal,
}

#[cfg(feature = "formats")]
impl<'a> EdgesToCome<'a> {
    pub(crate) fn add(
        &mut self,
        builder: &mut Builder,
        tail: (Word<'a>, String),
        head: (Word<'a>, String),
        weight: Decimal,
    ) -> Result<(), FileError> {
        let known = builder.names.find(&tail.1).zip(builder.names.find(&head.1));
        match known {
            Some((from, to)) if self.waiting.is_empty() => {
                builder.edge(NodeIndex::new(from as usize), NodeIndex::new(to as usize), weight, &tail.0)
            }
            _ => {
                self.waiting.push(WaitingEdge { ends: [tail, head], weight });
                Ok(())
            }
        }
    }

    /// All nodes are known: makes the edges that wait.
    pub(crate) fn make(&mut self, builder: &mut Builder) -> Result<(), FileError> {
        for WaitingEdge { ends: [tail, head], weight } in self.waiting.drain(..) {
            let from = builder.known_node(&tail.1, &tail.0)?;
            let to = builder.known_node(&head.1, &head.0)?;
            builder.edge(from, to, weight, &tail.0)?;
        }
        Ok(())
    }
}

/// Names to indices, in the order of their first appearance. Numbers as names are looked up without hashing text.
pub(crate) struct Interner {
    /// The names one after the other, and where each ends.
    text: String,
    ends: Vec<usize>,
    /// Numbers below this are looked up in a table: never longer than the file.
    small: usize,
    /// The index + 1, or 0.
    from_small_number: Vec<u32>,
    from_number: HashMap<u32, u32>,
    from_word: HashTable<u32>,
    hasher: RandomState,
}

impl Interner {
    pub(crate) fn new(small: usize) -> Self {
        Interner {
            text: String::new(),
            ends: Vec::new(),
            small,
            from_small_number: Vec::new(),
            from_number: HashMap::new(),
            from_word: HashTable::new(),
            hasher: RandomState::new(),
        }
    }

    /// The index of this name, a new one if the name is new.
    pub(crate) fn index(&mut self, name: &str) -> usize {
        let next = self.ends.len() as u32;
        let index = match canonical_number(name) {
            Some(number) if (number as usize) < self.small => {
                let slot = number as usize;
                if slot >= self.from_small_number.len() {
                    self.from_small_number.resize((2 * slot + 1024).min(self.small), 0);
                }
                let index = &mut self.from_small_number[slot];
                if *index == 0 {
                    *index = next + 1;
                }
                *index - 1
            }
            Some(number) => *self.from_number.entry(number).or_insert(next),
            None => {
                let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
                let hash = hasher.hash_one(name);
                let same = |&index: &u32| slice(text, ends, index) == name;
                match self.from_word.entry(hash, same, |&index| hasher.hash_one(slice(text, ends, index))) {
                    Entry::Occupied(entry) => *entry.get(),
                    Entry::Vacant(entry) => *entry.insert(next).get(),
                }
            }
        };
        if index == next {
            self.text.push_str(name);
            self.ends.push(self.text.len());
        }
        index as usize
    }

    /// The index of this name, if it has one.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        match canonical_number(name) {
            Some(number) if (number as usize) < self.small => {
                self.from_small_number.get(number as usize)?.checked_sub(1)
            }
            Some(number) => self.from_number.get(&number).copied(),
            None => {
                let same = |&index: &u32| slice(&self.text, &self.ends, index) == name;
                self.from_word.find(self.hasher.hash_one(name), same).copied()
            }
        }
    }

    fn into_names(self) -> NodeNames {
        let words = (0..self.ends.len() as u32).map(|index| slice(&self.text, &self.ends, index));
        if !self.from_word.is_empty() {
            return NodeNames::words(words);
        }
        NodeNames::of_numbers(words.filter_map(parse_u32).collect())
    }
}

fn slice<'a>(text: &'a str, ends: &[usize], index: u32) -> &'a str {
    let index = index as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &text[start..ends[index]]
}
