//! Where states are kept, one after the other: packed bytes end to end, any other type in a row.

use std::hash::Hash;

use super::hash;

/// What a search can keep: any `S: Eq + Hash + Clone` that threads may share, and bytes of any length, `[u8]`, which take no more room than they are
/// long and four bytes.
pub trait State: ToOwned + Send + Sync {
    /// Where states of this type are kept.
    type Pool: Pool<Self>;
}

impl<S: Eq + Hash + Clone + Send + Sync> State for S {
    type Pool = Values<S>;
}

impl State for [u8] {
    type Pool = Bytes;
}

/// States in the order in which they were put in; the searches of this room see to it that none is there twice.
pub trait Pool<T: ?Sized>: Default + Send + Sync {
    /// How many states there are.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The state of this index.
    fn get(&self, index: usize) -> &T;
    /// Puts a state in at the end.
    fn push(&mut self, state: &T);
    /// Takes all states out and keeps the room.
    fn clear(&mut self);
    /// The hash of a state: equal for equal states, and the same in every run.
    fn hash(state: &T) -> u64;
    /// Whether this is the state of that index.
    fn is_at(&self, index: usize, state: &T) -> bool;
    /// The memory held, in bytes.
    fn bytes(&self) -> usize;
    /// How much more memory it takes to put in the states of these other pools as well.
    fn growth<'a>(&self, others: impl Iterator<Item = &'a Self>) -> usize
    where
        Self: 'a;
    /// Makes room for the states of these other pools, and a bit more.
    fn reserve<'a>(&mut self, others: impl Iterator<Item = &'a Self>)
    where
        Self: 'a;
}

/// What it takes to keep what numbers of 32 bits cannot count: more than any memory holds, and not so much that a few of it
/// could not be added up.
pub(super) const NO_ROOM: usize = usize::MAX / 64;

/// The capacity that a vector gets when it must hold so many items: an eighth more, so that little room lies idle.
fn capacity_for(length: usize) -> usize {
    const LEAST: usize = 256;
    (length + length / 8).max(LEAST)
}

/// By how many items a vector with these must grow to hold so many more.
pub(super) fn missing<T>(items: &Vec<T>, more: usize) -> usize {
    let needed = items.len() + more;
    if needed > items.capacity() { capacity_for(needed) - items.capacity() } else { 0 }
}

/// Makes room for so many more items, and not for twice as many.
pub(super) fn reserve<T>(items: &mut Vec<T>, more: usize) {
    if items.len() + more > items.capacity() {
        items.reserve_exact(capacity_for(items.len() + more) - items.len());
    }
}

/// States of a type of their own.
#[derive(Clone, Debug)]
pub struct Values<S> {
    states: Vec<S>,
}

impl<S> Default for Values<S> {
    fn default() -> Self {
        Values { states: Vec::new() }
    }
}

impl<S: Eq + Hash + Clone + Send + Sync> Pool<S> for Values<S> {
    fn len(&self) -> usize {
        self.states.len()
    }

    fn get(&self, index: usize) -> &S {
        &self.states[index]
    }

    fn push(&mut self, state: &S) {
        self.states.push(state.clone());
    }

    fn clear(&mut self) {
        self.states.clear();
    }

    fn hash(state: &S) -> u64 {
        hash::of(state)
    }

    fn is_at(&self, index: usize, state: &S) -> bool {
        self.states[index] == *state
    }

    fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<S>()
    }

    fn growth<'a>(&self, others: impl Iterator<Item = &'a Self>) -> usize
    where
        Self: 'a,
    {
        missing(&self.states, others.map(Pool::len).sum()) * size_of::<S>()
    }

    fn reserve<'a>(&mut self, others: impl Iterator<Item = &'a Self>)
    where
        Self: 'a,
    {
        reserve(&mut self.states, others.map(Pool::len).sum());
    }
}

/// States as bytes, end to end.
#[derive(Clone, Debug, Default)]
pub struct Bytes {
    bytes: Vec<u8>,
    /// Where each state ends.
    ends: Vec<u32>,
}

impl Bytes {
    fn start(&self, index: usize) -> usize {
        if index == 0 { 0 } else { self.ends[index - 1] as usize }
    }
}

impl Pool<[u8]> for Bytes {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, index: usize) -> &[u8] {
        &self.bytes[self.start(index)..self.ends[index] as usize]
    }

    fn push(&mut self, state: &[u8]) {
        self.bytes.extend_from_slice(state);
        self.ends.push(u32::try_from(self.bytes.len()).expect("growth() forbids a pool of 4 GiB"));
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    fn hash(state: &[u8]) -> u64 {
        hash::of_bytes(state)
    }

    fn is_at(&self, index: usize, state: &[u8]) -> bool {
        self.get(index) == state
    }

    fn bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<u32>()
    }

    fn growth<'a>(&self, others: impl Iterator<Item = &'a Self>) -> usize
    where
        Self: 'a,
    {
        let (mut states, mut bytes) = (0, 0);
        others.for_each(|other| (states, bytes) = (states + other.ends.len(), bytes + other.bytes.len()));
        if u32::try_from(self.bytes.len() + bytes).is_err() {
            return NO_ROOM;
        }
        missing(&self.bytes, bytes) + missing(&self.ends, states) * size_of::<u32>()
    }

    fn reserve<'a>(&mut self, others: impl Iterator<Item = &'a Self>)
    where
        Self: 'a,
    {
        let (mut states, mut bytes) = (0, 0);
        others.for_each(|other| (states, bytes) = (states + other.ends.len(), bytes + other.bytes.len()));
        reserve(&mut self.bytes, bytes);
        reserve(&mut self.ends, states);
    }
}
