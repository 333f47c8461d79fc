//! The states after one card, with their counts.

use num_bigint::BigUint;

/// A count that can be added to.
pub(super) trait Tally: Clone + Default {
    const ONE: Self;

    /// Adds so many times another count; `None` if the sum doesn't fit.
    fn add_times(&mut self, other: &Self, times: u64) -> Option<()>;

    /// Bytes beside its own size.
    fn heap_bytes(&self) -> usize;

    fn into_big(self) -> BigUint;
}

impl Tally for u128 {
    const ONE: Self = 1;

    fn add_times(&mut self, other: &Self, times: u64) -> Option<()> {
        *self = self.checked_add(other.checked_mul(u128::from(times))?)?;
        Some(())
    }

    fn heap_bytes(&self) -> usize {
        0
    }

    fn into_big(self) -> BigUint {
        self.into()
    }
}

impl Tally for BigUint {
    const ONE: Self = BigUint::ONE;

    fn add_times(&mut self, other: &Self, times: u64) -> Option<()> {
        *self += other * times;
        Some(())
    }

    fn heap_bytes(&self) -> usize {
        (self.bits() as usize).div_ceil(64) * size_of::<u64>()
    }

    fn into_big(self) -> BigUint {
        self
    }
}

/// A map from keys of any length to counts; the keys lie behind each other in one place.
pub(super) struct Layer<V> {
    words: Vec<u16>,
    /// Key `i` ends before `ends[i]` and begins where the one before ends.
    ends: Vec<usize>,
    values: Vec<V>,
    /// Positions of keys plus one, by hash; 0 is free. A power of two.
    table: Vec<u32>,
    heap_bytes: usize,
}

impl<V: Tally> Layer<V> {
    pub(super) fn new() -> Self {
        const SMALLEST_TABLE: usize = 16;
        Layer { words: Vec::new(), ends: Vec::new(), values: Vec::new(), table: vec![0; SMALLEST_TABLE], heap_bytes: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
        self.values.clear();
        self.table.fill(0);
        self.heap_bytes = 0;
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u16>()
            + self.ends.capacity() * size_of::<usize>()
            + self.values.capacity() * size_of::<V>()
            + self.table.len() * size_of::<u32>()
            + self.heap_bytes
    }

    pub(super) fn state(&self, at: usize) -> (&[u16], &V) {
        (self.key(at), &self.values[at])
    }

    fn key(&self, at: usize) -> &[u16] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.words[start..self.ends[at]]
    }

    /// Adds so many times a count to that of a key; `None` if the sum doesn't fit.
    pub(super) fn add(&mut self, key: &[u16], value: &V, times: u64) -> Option<()> {
        let mask = self.table.len() - 1;
        let mut slot = hash(key) & mask;
        let at = loop {
            match self.table[slot] {
                0 => break self.insert(slot, key),
                at if self.key(at as usize - 1) == key => break at as usize - 1,
                _ => slot = (slot + 1) & mask,
            }
        };
        let before = self.values[at].heap_bytes();
        self.values[at].add_times(value, times)?;
        self.heap_bytes += self.values[at].heap_bytes() - before;
        Some(())
    }

    fn insert(&mut self, slot: usize, key: &[u16]) -> usize {
        let at = self.len();
        self.words.extend_from_slice(key);
        self.ends.push(self.words.len());
        self.values.push(V::default());
        self.table[slot] = u32::try_from(at + 1).expect("memory ends before 2³² states");
        if 2 * self.len() > self.table.len() {
            let mask = 2 * self.table.len() - 1;
            let mut table = vec![0; mask + 1];
            for at in 0..self.len() {
                let mut slot = hash(self.key(at)) & mask;
                while table[slot] != 0 {
                    slot = (slot + 1) & mask;
                }
                table[slot] = at as u32 + 1;
            }
            self.table = table;
        }
        at
    }
}

fn hash(key: &[u16]) -> usize {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * u128::from(MULTIPLIER);
        (product as u64) ^ (product >> 64) as u64
    };
    let pair = |words: &[u16]| words.iter().fold(1u64, |pair, &word| pair << 16 | u64::from(word));
    key.chunks(3).fold(MULTIPLIER, |hash, words| mix(hash, pair(words))) as usize
}
