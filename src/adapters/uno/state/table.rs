//! What is known about states: a mark for each, in an open table of packed keys.

/// States with marks. A state is the card on top and how many cards of each class are left, packed into words: the key is
/// exact, so no two states are ever taken for each other.
pub(in crate::adapters::uno) struct Table {
    /// Where each class's count is: word and shift; the top card comes last.
    places: Vec<(u32, u32)>,
    words: usize,
    keys: Vec<u64>,
    /// By slot; 0 is free. The number of slots is a power of two.
    marks: Vec<u8>,
    used: usize,
    key: Vec<u64>,
}

impl Table {
    /// For states with up to so many cards of each class.
    pub(in crate::adapters::uno) fn new(most: &[u32]) -> Self {
        const SMALLEST_TABLE: usize = 1 << 10;
        let width = |most: u32| u32::BITS - most.leading_zeros();
        let (mut word, mut used) = (0, 0);
        let mut places = Vec::with_capacity(most.len() + 1);
        for width in most.iter().map(|&most| width(most)).chain([width(most.len() as u32)]) {
            if used + width > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            places.push((word, used));
            used += width;
        }
        let words = word as usize + 1;
        Table {
            places,
            words,
            keys: vec![0; SMALLEST_TABLE * words],
            marks: vec![0; SMALLEST_TABLE],
            used: 0,
            key: vec![0; words],
        }
    }

    pub(in crate::adapters::uno) fn bytes(&self) -> usize {
        size_of::<u64>() * (self.keys.len() + self.key.len())
            + self.marks.len()
            + size_of::<(u32, u32)>() * self.places.len()
    }

    /// How many bytes the next new state may take more: while the table grows there are two, one twice as large.
    pub(in crate::adapters::uno) fn growth(&self) -> usize {
        if self.is_full() { 2 * self.bytes() } else { 0 }
    }

    fn is_full(&self) -> bool {
        (self.used + 1) * 4 > self.marks.len() * 3
    }

    /// The mark of a state, if it has one.
    pub(in crate::adapters::uno) fn mark(&mut self, left: &[u32], top: u32) -> Option<u8> {
        self.pack(left, top);
        let slot = find(&self.keys, &self.marks, &self.key);
        Some(self.marks[slot]).filter(|&mark| mark != 0)
    }

    /// Marks a state, with anything but 0.
    pub(in crate::adapters::uno) fn set_mark(&mut self, left: &[u32], top: u32, mark: u8) {
        debug_assert_ne!(mark, 0);
        if self.is_full() {
            self.grow();
        }
        self.pack(left, top);
        let slot = find(&self.keys, &self.marks, &self.key);
        if self.marks[slot] == 0 {
            self.keys[slot * self.words..][..self.words].copy_from_slice(&self.key);
            self.used += 1;
        }
        self.marks[slot] = mark;
    }

    fn pack(&mut self, left: &[u32], top: u32) {
        self.key.fill(0);
        for (&count, &(word, shift)) in left.iter().chain([&top]).zip(&self.places) {
            self.key[word as usize] |= u64::from(count) << shift;
        }
    }

    fn grow(&mut self) {
        let mut keys = vec![0; 2 * self.keys.len()];
        let mut marks = vec![0; 2 * self.marks.len()];
        for (key, &mark) in self.keys.chunks_exact(self.words).zip(&self.marks).filter(|(_, mark)| **mark != 0) {
            let slot = find(&keys, &marks, key);
            keys[slot * self.words..][..self.words].copy_from_slice(key);
            marks[slot] = mark;
        }
        (self.keys, self.marks) = (keys, marks);
    }
}

/// Where the key is, or would be put.
fn find(keys: &[u64], marks: &[u8], key: &[u64]) -> usize {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let hash = key.iter().fold(0u64, |hash, &word| {
        let product = u128::from(hash ^ word ^ MULTIPLIER) * u128::from(MULTIPLIER);
        (product as u64) ^ (product >> 64) as u64
    });
    let mut slot = hash as usize & (marks.len() - 1);
    while marks[slot] != 0 && &keys[slot * key.len()..][..key.len()] != key {
        slot = (slot + 1) & (marks.len() - 1);
    }
    slot
}
