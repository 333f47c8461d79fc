//! The states of a search, each with the one it was found from, in a few parts by their hashes.
//!
//! Each part has states, parents and a table of its own, so threads can put states into different parts at once. How many
//! parts there are does not depend on the threads: neither do the order of the states nor the parents.

use super::State;
use super::pool::{self, NO_ROOM, Pool};
use super::table::Table;

/// How many parts there are.
pub(super) const SHARDS: usize = 4;

/// A state's place: which part, and which index there.
pub(super) type Id = u32;

/// A parent that is none.
pub(super) const ROOT: Id = Id::MAX;

/// States on their way from one part, where they were found, to another.
pub(super) struct Batch<T: State + ?Sized> {
    pub(super) states: T::Pool,
    pub(super) hashes: Vec<u64>,
    pub(super) parents: Vec<Id>,
}

impl<T: State + ?Sized> Default for Batch<T> {
    fn default() -> Self {
        Batch { states: T::Pool::default(), hashes: Vec::new(), parents: Vec::new() }
    }
}

impl<T: State + ?Sized> Batch<T> {
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.hashes.clear();
        self.parents.clear();
    }

    pub(super) fn push(&mut self, state: &T, hash: u64, parent: Id) {
        self.states.push(state);
        self.hashes.push(hash);
        self.parents.push(parent);
    }

    pub(super) fn bytes(&self) -> usize {
        self.states.bytes() + self.hashes.capacity() * size_of::<u64>() + self.parents.capacity() * size_of::<Id>()
    }
}

/// One part.
pub(super) struct Shard<T: State + ?Sized> {
    states: T::Pool,
    parents: Vec<Id>,
    table: Table,
}

impl<T: State + ?Sized> Default for Shard<T> {
    fn default() -> Self {
        Shard { states: T::Pool::default(), parents: Vec::new(), table: Table::default() }
    }
}

impl<T: State + ?Sized> Shard<T> {
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn state(&self, index: usize) -> &T {
        self.states.get(index)
    }

    pub(super) fn parent(&self, index: usize) -> Id {
        self.parents[index]
    }

    pub(super) fn find(&self, state: &T, hash: u64) -> Option<usize> {
        self.table.find(hash, |index| self.states.is_at(index, state))
    }

    /// Puts the states of these batches in that are not there; `each` is told the index of every new one.
    pub(super) fn insert<'b>(
        &mut self,
        batches: impl Iterator<Item = &'b Batch<T>> + Clone,
        admit: &mut dyn FnMut(&T) -> bool,
        mut each: impl FnMut(usize, &T),
    ) where
        T: 'b,
    {
        self.make_room(batches.clone());
        for batch in batches {
            for at in 0..batch.hashes.len() {
                let (state, hash) = (batch.states.get(at), batch.hashes[at]);
                if self.find(state, hash).is_none() && admit(state) {
                    let index = self.parents.len();
                    self.table.insert(hash, index);
                    self.states.push(state);
                    self.parents.push(batch.parents[at]);
                    each(index, state);
                }
            }
        }
    }

    /// How many bytes more the states of these batches take, if none is there yet.
    pub(super) fn growth<'b>(&self, batches: impl Iterator<Item = &'b Batch<T>> + Clone) -> usize
    where
        T: 'b,
    {
        let more: usize = batches.clone().map(|batch| batch.hashes.len()).sum();
        if (self.len() + more).saturating_mul(SHARDS) >= ROOT as usize {
            return NO_ROOM;
        }
        let slots = self.table.slots_for(more).map_or(0, |slots| Table::bytes_of(slots) - self.table.bytes());
        self.states.growth(batches.map(|batch| &batch.states))
            + pool::missing(&self.parents, more) * size_of::<Id>()
            + slots
    }

    fn make_room<'b>(&mut self, batches: impl Iterator<Item = &'b Batch<T>> + Clone)
    where
        T: 'b,
    {
        let more = batches.clone().map(|batch| batch.hashes.len()).sum();
        self.states.reserve(batches.map(|batch| &batch.states));
        pool::reserve(&mut self.parents, more);
        if let Some(slots) = self.table.slots_for(more) {
            let hashes = (0..self.states.len()).map(|index| T::Pool::hash(self.states.get(index)));
            self.table.rebuild(slots, hashes);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.states.bytes() + self.parents.capacity() * size_of::<Id>() + self.table.bytes()
    }
}

/// All parts.
pub(super) struct Store<T: State + ?Sized> {
    pub(super) shards: [Shard<T>; SHARDS],
}

impl<T: State + ?Sized> Default for Store<T> {
    fn default() -> Self {
        Store { shards: std::array::from_fn(|_| Shard::default()) }
    }
}

impl<T: State + ?Sized> Store<T> {
    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(Shard::len).sum()
    }

    /// One more than the greatest [`Id`] in use.
    pub(super) fn ids(&self) -> usize {
        SHARDS * self.shards.iter().map(Shard::len).max().unwrap_or(0)
    }

    pub(super) fn contains(&self, id: Id) -> bool {
        index_of_id(id) < self.shards[shard_of_id(id)].len()
    }

    pub(super) fn state(&self, id: Id) -> &T {
        self.shards[shard_of_id(id)].state(index_of_id(id))
    }

    pub(super) fn find(&self, state: &T) -> Option<Id> {
        let hash = T::Pool::hash(state);
        let shard = shard_of_hash(hash);
        self.shards[shard].find(state, hash).map(|index| id(shard, index))
    }

    /// The states on the way from a first one to this one, both among them.
    pub(super) fn path_to(&self, last: Id) -> Vec<T::Owned> {
        let mut path = Vec::new();
        let mut at = last;
        while at != ROOT {
            path.push(self.state(at).to_owned());
            at = self.shards[shard_of_id(at)].parent(index_of_id(at));
        }
        path.reverse();
        path
    }

    pub(super) fn bytes(&self) -> usize {
        self.shards.iter().map(Shard::bytes).sum()
    }
}

/// Bits of the hash that neither the slot nor the mark of the table depend on much.
pub(super) fn shard_of_hash(hash: u64) -> usize {
    (hash >> 8) as usize % SHARDS
}

pub(super) fn id(shard: usize, index: usize) -> Id {
    (index * SHARDS + shard) as Id
}

pub(super) fn shard_of_id(id: Id) -> usize {
    id as usize % SHARDS
}

pub(super) fn index_of_id(id: Id) -> usize {
    id as usize / SHARDS
}
