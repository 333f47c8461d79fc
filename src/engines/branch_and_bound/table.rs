//! What is known of states seen before: no completion of such a state is worth more than a bound.
//!
//! Keys are compared whole, so nothing is ever decided by a hash. The table grows while memory lasts; then an entry gives
//! way to a new one in its bucket, the one first that saved the least work.

use super::bits::Bits;

const BUCKET: usize = 4;

pub(super) struct Table<B> {
    entries: Vec<Entry<B>>,
    used: usize,
    /// The most entries held at once, the old ones while growing included.
    peak: usize,
    /// The most entries that memory allows: a power of two, or none at all.
    limit: usize,
}

#[derive(Clone, Copy, Default)]
struct Entry<B> {
    rest: B,
    bound: i64,
    /// 0 where the entry is empty.
    tag: u32,
    /// See [`Key::serial`].
    serial: u16,
    /// The logarithm of the steps that searching the state took.
    worth: u16,
}

#[derive(Clone, Copy)]
pub(super) struct Key<B> {
    /// The unvisited vertices that matter.
    pub(super) rest: B,
    /// Everything else that a completion depends on, but for the serial; not 0.
    pub(super) tag: u32,
    /// The question only shrinks while this grows: what was learnt at one serial holds at all later ones.
    pub(super) serial: u16,
}

impl<B: Bits> Table<B> {
    pub(super) fn new(bytes: usize) -> Self {
        let fitting = bytes / size_of::<Entry<B>>();
        // Growing holds the old entries and the new ones at once.
        let limit = if fitting < 2 * BUCKET { 0 } else { (fitting * 2 / 3 + 1).next_power_of_two() / 2 };
        let limit = if limit < BUCKET { 0 } else { limit };
        let count = limit.min(1 << 10);
        Table { entries: vec![Entry::default(); count], used: 0, peak: count, limit }
    }

    pub(super) fn peak_bytes(&self) -> usize {
        self.peak * size_of::<Entry<B>>()
    }

    pub(super) fn bound(&self, key: Key<B>) -> Option<i64> {
        if self.entries.is_empty() {
            return None;
        }
        let from = self.bucket(&key);
        let known = self.entries[from..from + BUCKET].iter();
        known
            .filter(|entry| entry.tag == key.tag && entry.rest == key.rest && entry.serial <= key.serial)
            .map(|entry| entry.bound)
            .min()
    }

    pub(super) fn store(&mut self, key: Key<B>, bound: i64, steps: u64) {
        if self.entries.is_empty() {
            return;
        }
        if self.used * 2 > self.entries.len() && self.entries.len() < self.limit {
            self.grow();
        }
        let worth = 64 - steps.leading_zeros() as u16;
        self.put(Entry { rest: key.rest, bound, tag: key.tag, serial: key.serial, worth });
    }

    fn bucket(&self, key: &Key<B>) -> usize {
        let mixed = (key.rest.folded() ^ u64::from(key.tag).wrapping_mul(0xd6e8_feb8_6659_fd93))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed >> 32) as usize & (self.entries.len() / BUCKET - 1)) * BUCKET
    }

    fn put(&mut self, entry: Entry<B>) {
        let from = self.bucket(&Key { rest: entry.rest, tag: entry.tag, serial: entry.serial });
        let bucket = &mut self.entries[from..from + BUCKET];
        let same = bucket.iter().position(|old| old.tag == entry.tag && old.rest == entry.rest);
        let place = same.unwrap_or_else(|| {
            (0..BUCKET).min_by_key(|&place| (bucket[place].tag != 0, bucket[place].worth)).expect("a bucket has places")
        });
        self.used += usize::from(bucket[place].tag == 0);
        bucket[place] = entry;
    }

    fn grow(&mut self) {
        let twice = vec![Entry::default(); self.entries.len() * 2];
        let old = std::mem::replace(&mut self.entries, twice);
        self.peak = old.len() + self.entries.len();
        self.used = 0;
        for entry in old {
            if entry.tag != 0 {
                self.put(entry);
            }
        }
    }
}
