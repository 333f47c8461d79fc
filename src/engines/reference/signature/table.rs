//! Signatures with their values, and how each came about.

use std::hash::BuildHasher;

use fixedbitset::FixedBitSet;
use hashbrown::{DefaultHashBuilder, HashTable};

use crate::instance::Budget;
use crate::solution::Stop;

/// Where a path crosses an intersection; see the module above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// The path begins on the left.
    A,
    /// The path begins on the right, or has not begun.
    B,
}

/// The way back from rows to paths: for each row ever made, its own edges and the row it continues.
#[derive(Default)]
pub(super) struct Traces {
    traces: Vec<Trace>,
    /// Edges as pairs of vertices in the direction of the path.
    steps: Vec<(u32, u32)>,
}

struct Trace {
    parent: u32,
    /// Its edges are `steps[from..]` up to where the next trace's begin.
    from: u32,
}

/// Rows between two looks at the clock.
const ROWS_PER_CLOCK: usize = 1 << 12;

/// The trace of the path that has not begun.
pub(super) const NO_TRACE: u32 = u32::MAX;

impl Traces {
    pub(super) fn push(&mut self, parent: u32, steps: &[(u32, u32)]) -> u32 {
        self.traces.push(Trace { parent, from: self.steps.len() as u32 });
        self.steps.extend_from_slice(steps);
        self.traces.len() as u32 - 1
    }

    /// The bytes held once there are `more` further steps in a further trace.
    pub(super) fn bytes_with(&self, more: usize) -> usize {
        grown(&self.traces, 1) + grown(&self.steps, more)
    }

    pub(super) fn bytes(&self) -> usize {
        grown(&self.traces, 0) + grown(&self.steps, 0)
    }

    /// Whether positions still fit their type with `more` further steps.
    pub(super) fn has_room(&self, more: usize) -> bool {
        self.traces.len() < NO_TRACE as usize && self.steps.len() + more < u32::MAX as usize
    }

    /// The complete path that ends in this trace.
    pub(super) fn path(&self, trace: u32, vertex_count: usize) -> Vec<u32> {
        let mut next = vec![u32::MAX; vertex_count];
        let mut entered = FixedBitSet::with_capacity(vertex_count);
        let mut sources = Vec::new();
        let mut at = trace;
        while at != NO_TRACE {
            let end = self.traces.get(at as usize + 1).map_or(self.steps.len(), |trace| trace.from as usize);
            for &(source, target) in &self.steps[self.traces[at as usize].from as usize..end] {
                next[source as usize] = target;
                entered.insert(target as usize);
                sources.push(source);
            }
            at = self.traces[at as usize].parent;
        }
        let start = sources.iter().copied().find(|&source| !entered[source as usize]);
        let mut path = vec![start.expect("a complete path has a first edge")];
        while next[path[path.len() - 1] as usize] != u32::MAX {
            path.push(next[path[path.len() - 1] as usize]);
        }
        path
    }
}

/// The greatest value for every signature at one intersection.
pub(super) struct Table {
    rows: Vec<Row>,
    /// The keys of the rows, each its header, its jumps in order, its forbidden vertices in the intersection's order.
    words: Vec<u32>,
    index: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// Where in `rows` the best complete path is.
    complete: Option<u32>,
}

pub(super) struct Row {
    pub(super) value: i64,
    pub(super) trace: u32,
    from: u32,
    to: u32,
}

impl Table {
    pub(super) fn new() -> Self {
        Table {
            rows: Vec::new(),
            words: Vec::new(),
            index: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            complete: None,
        }
    }

    /// Only the path that has not begun.
    pub(super) fn before_the_first() -> Self {
        let mut table = Self::new();
        table.improve(&[header(Type::B, 0)], 0, || NO_TRACE);
        table
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(super) fn kind(&self, row: &Row) -> Type {
        if self.words[row.from as usize] & 1 == 0 { Type::A } else { Type::B }
    }

    pub(super) fn jumps(&self, row: &Row) -> &[u32] {
        let jumps = (self.words[row.from as usize] >> 1) as usize;
        &self.words[row.from as usize + 1..][..jumps]
    }

    pub(super) fn forbidden(&self, row: &Row) -> &[u32] {
        let jumps = (self.words[row.from as usize] >> 1) as usize;
        &self.words[row.from as usize + 1 + jumps..row.to as usize]
    }

    /// Whether the row's path lies wholly on the left.
    pub(super) fn is_complete(&self, row: &Row) -> bool {
        self.words[row.from as usize] == header(Type::A, 0)
    }

    /// The best complete path's value and trace.
    pub(super) fn complete(&self) -> Option<(i64, u32)> {
        self.complete.map(|row| (self.rows[row as usize].value, self.rows[row as usize].trace))
    }

    /// Raises the value of a signature to `value`, and then asks for the trace that goes with it.
    pub(super) fn improve(&mut self, key: &[u32], value: i64, trace: impl FnOnce() -> u32) {
        let Table { rows, words, index, hasher, complete } = self;
        let stored = |row: &Row| row.from as usize..row.to as usize;
        let hash = hasher.hash_one(key);
        let found = index.find(hash, |&row| words[stored(&rows[row as usize])] == *key);
        let row = match found {
            Some(&row) => {
                if value <= rows[row as usize].value {
                    return;
                }
                rows[row as usize].value = value;
                rows[row as usize].trace = trace();
                row
            }
            None => {
                let from = words.len() as u32;
                words.extend_from_slice(key);
                rows.push(Row { value, trace: trace(), from, to: words.len() as u32 });
                let row = rows.len() as u32 - 1;
                let hash_of = |&row: &u32| hasher.hash_one(&words[stored(&rows[row as usize])]);
                index.insert_unique(hash, row, hash_of);
                row
            }
        };
        if key[0] == header(Type::A, 0) && complete.is_none_or(|known| rows[known as usize].value < value) {
            *complete = Some(row);
        }
    }

    /// The bytes held once there is a further row with a key of `more` words.
    pub(super) fn bytes_with(&self, more: usize) -> usize {
        let entries = self.index.capacity();
        let index = if self.index.len() < entries { entries } else { 3 * entries.max(4) };
        // An entry, its control byte, and the load factor of 7/8.
        grown(&self.rows, 1) + grown(&self.words, more) + index * 6
    }

    pub(super) fn bytes(&self) -> usize {
        grown(&self.rows, 0) + grown(&self.words, 0) + self.index.capacity() * 6
    }

    /// Whether positions still fit their type with `more` further words.
    pub(super) fn has_room(&self, more: usize) -> bool {
        self.rows.len() < u32::MAX as usize && self.words.len() + more < u32::MAX as usize
    }
}

/// The first word of a key.
pub(super) fn header(kind: Type, jumps: usize) -> u32 {
    (jumps as u32) << 1 | u32::from(kind == Type::B)
}

/// The bytes a vector holds, the old ones while moving included, once it has `more` further entries.
fn grown<T>(vector: &Vec<T>, more: usize) -> usize {
    let capacity = vector.capacity();
    let entries =
        if vector.len() + more <= capacity { capacity } else { capacity + (2 * capacity).max(vector.len() + more) };
    entries * size_of::<T>()
}

/// The signatures of a table by their jumps: what a sequence can show to the past, one jump after the other.
pub(super) struct Trie {
    nodes: Vec<Node>,
    /// For each row of the table the next with the same type and jumps.
    next_row: Vec<u32>,
}

struct Node {
    vertex: u32,
    first_child: u32,
    next_sibling: u32,
    /// The first row with exactly these jumps.
    first_row: u32,
}

const NONE: u32 = u32::MAX;

impl Node {
    fn new(vertex: u32, next_sibling: u32) -> Self {
        Node { vertex, first_child: NONE, next_sibling, first_row: NONE }
    }
}

impl Trie {
    /// Of all rows that may be continued: complete paths are left out.
    pub(super) fn new(table: &Table, budget: &Budget) -> Result<Self, Stop> {
        let roots = vec![Node::new(NONE, NONE), Node::new(NONE, NONE)];
        let mut trie = Trie { nodes: roots, next_row: Vec::with_capacity(table.rows().len()) };
        for (index, row) in table.rows().iter().enumerate() {
            if index.is_multiple_of(ROWS_PER_CLOCK)
                && let Some(stop) = budget.spent()
            {
                return Err(stop);
            }
            if table.is_complete(row) {
                trie.next_row.push(NONE);
                continue;
            }
            let mut node = Self::root(table.kind(row));
            for &vertex in table.jumps(row) {
                node = match trie.child(node, vertex) {
                    Some(child) => child,
                    None => {
                        if trie.bytes() + grown(&trie.nodes, 1) > budget.memory {
                            return Err(Stop::MemoryLimit);
                        }
                        let child = trie.nodes.len() as u32;
                        let sibling = std::mem::replace(&mut trie.nodes[node as usize].first_child, child);
                        trie.nodes.push(Node::new(vertex, sibling));
                        child
                    }
                };
            }
            let next = std::mem::replace(&mut trie.nodes[node as usize].first_row, index as u32);
            trie.next_row.push(next);
        }
        Ok(trie)
    }

    pub(super) fn root(kind: Type) -> u32 {
        match kind {
            Type::A => 0,
            Type::B => 1,
        }
    }

    /// The ways to jump once more: nodes, with the vertex jumped at.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let first = self.nodes[node as usize].first_child;
        let listed = std::iter::successors(Some(first), |&node| Some(self.nodes.get(node as usize)?.next_sibling));
        listed.map_while(|node| Some((node, self.nodes.get(node as usize)?.vertex)))
    }

    pub(super) fn child(&self, node: u32, vertex: u32) -> Option<u32> {
        self.children(node).find(|&(_, jump)| jump == vertex).map(|(child, _)| child)
    }

    /// The rows whose jumps lead here and no further.
    pub(super) fn rows(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.nodes[node as usize].first_row;
        let listed = std::iter::successors(Some(first), |&row| Some(*self.next_row.get(row as usize)?));
        listed.take_while(|&row| row != NONE)
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.next_row.capacity() * size_of::<u32>()
    }
}
