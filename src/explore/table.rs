//! Which state has which index: open addressing with linear probing, insert only.
//!
//! A slot is an index of 32 bits and, in an array of its own, 8 bits of the hash, so that most slots that hold another state
//! are passed without a look at it. The hash is mapped to the slots by a product instead of a mask, which lets the table grow
//! by half instead of doubling; and since the states are kept elsewhere, the old slots are given back before the new ones are
//! made. Between 53 and 80 in 100 slots are taken, so an entry takes 6.3 to 9.4 bytes.

/// The slots.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    indices: Vec<u32>,
    marks: Vec<u8>,
    taken: usize,
}

/// What a slot takes.
const SLOT: usize = size_of::<u32>() + 1;
/// The mark of a free slot.
const FREE: u8 = 0;
const LEAST: usize = 64;

impl Table {
    /// The entry with this hash of which `is_it` says so.
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        if self.indices.is_empty() {
            return None;
        }
        let (mut slot, mark) = (self.slot(hash), mark(hash));
        loop {
            let found = self.marks[slot];
            if found == FREE {
                return None;
            }
            if found == mark && is_it(self.indices[slot] as usize) {
                return Some(self.indices[slot] as usize);
            }
            slot = if slot + 1 == self.marks.len() { 0 } else { slot + 1 };
        }
    }

    /// Puts in an entry that is not there; there must be [room](Self::slots_for) for it.
    pub(super) fn insert(&mut self, hash: u64, index: usize) {
        let mut slot = self.slot(hash);
        while self.marks[slot] != FREE {
            slot = if slot + 1 == self.marks.len() { 0 } else { slot + 1 };
        }
        self.marks[slot] = mark(hash);
        self.indices[slot] = index as u32;
        self.taken += 1;
    }

    /// How many slots there must be for so many more entries, if that is more than there are.
    pub(super) fn slots_for(&self, more: usize) -> Option<usize> {
        let fits = |slots: usize| (self.taken + more) * 5 <= slots * 4;
        let mut slots = self.marks.len();
        if fits(slots) {
            return None;
        }
        while !fits(slots) {
            slots = (slots + slots / 2).max(LEAST);
        }
        Some(slots)
    }

    /// Begins anew with so many slots; these are the hashes of the entries, in order of their indices.
    pub(super) fn rebuild(&mut self, slots: usize, hashes: impl Iterator<Item = u64>) {
        *self = Table::default();
        self.indices = vec![0; slots];
        self.marks = vec![FREE; slots];
        hashes.enumerate().for_each(|(index, hash)| self.insert(hash, index));
    }

    /// What so many slots take, in bytes.
    pub(super) fn bytes_of(slots: usize) -> usize {
        slots * SLOT
    }

    /// The memory held, in bytes.
    pub(super) fn bytes(&self) -> usize {
        Self::bytes_of(self.marks.len())
    }

    fn slot(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.marks.len() as u128) >> 64) as usize
    }
}

/// The low bits, which have little say in the slot; never that of a free one.
fn mark(hash: u64) -> u8 {
    (hash as u8).max(FREE + 1)
}
