//! A table of whole states with what is known of each.

use hashbrown::HashTable;

/// States, as words, in one long row; an entry says where its state lies there.
pub(super) struct Table {
    entries: HashTable<Entry>,
    words: Vec<u32>,
    limit: usize,
}

struct Entry {
    hash: u64,
    start: usize,
    length: u32,
    count: u128,
}

impl Table {
    /// An empty table that will take no more than so many bytes.
    pub(super) fn new(limit: usize) -> Self {
        Table { entries: HashTable::new(), words: Vec::new(), limit }
    }

    /// Multiply and rotate, word by word: the states are compared in full, so only speed hangs on it.
    pub(super) fn hash(state: &[u32]) -> u64 {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed =
            state.iter().fold(0u64, |hash, &word| (hash.rotate_left(23) ^ u64::from(word)).wrapping_mul(FACTOR));
        mixed ^ mixed >> 29
    }

    pub(super) fn get(&self, hash: u64, state: &[u32]) -> Option<u128> {
        let same = |entry: &Entry| entry.hash == hash && self.words[entry.start..][..entry.length as usize] == *state;
        self.entries.find(hash, same).map(|entry| entry.count)
    }

    /// Notes a state that is not in the table, if there is room.
    pub(super) fn insert(&mut self, hash: u64, state: &[u32], count: u128) {
        // Both grow by doubling, and while they grow the old half is there as well.
        const GROWTH: usize = 3;
        let bytes = (self.entries.len() + 1) * (size_of::<Entry>() + 1) + (self.words.len() + state.len()) * 4;
        if GROWTH * bytes > self.limit {
            return;
        }
        let entry = Entry { hash, start: self.words.len(), length: state.len() as u32, count };
        self.words.extend_from_slice(state);
        self.entries.insert_unique(hash, entry, |entry| entry.hash);
    }
}
