//! States of a sweep, their outlines, and layers of either: what they mean is said in `sweep`.

/// A slot for each vertex of the frontier, of five bits, six where directed; and two flags above them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct State<const DIRECTED: bool>(pub(crate) u128);

/// What a slot holds: nothing or a vertex without edges; one that takes no more; the open end of a stretch whose other end is the
/// start, or the finish, of the path; or [`OPEN`] plus the slot of the other end, twice that where directed. Where directed, an
/// open end with an odd symbol wants an arc in. An outline has only the first four: an open end wants an arc out, or in.
pub(crate) const UNTOUCHED: u32 = 0;
pub(crate) const FULL: u32 = 1;
pub(crate) const FROM_START: u32 = 2;
pub(crate) const TO_FINISH: u32 = 3;
const OPEN: u32 = 4;
/// The path has its start (one tip), its finish (two tips).
pub(crate) const HAS_START: u128 = 1 << 126;
pub(crate) const HAS_FINISH: u128 = 1 << 127;
const ENDED: u128 = HAS_START | HAS_FINISH;

impl<const DIRECTED: bool> State<DIRECTED> {
    const BITS: usize = if DIRECTED { 6 } else { 5 };
    pub(crate) const SLOTS: usize = if DIRECTED { 20 } else { 25 };
    const MASK: u128 = (1 << Self::BITS) - 1;
    /// By `level`: the lowest two bits of all slots, where those of `2^level` slots each have been moved together.
    const PAIRS: [u128; 6] = {
        let (mut pairs, mut at) = ([0; 6], 0);
        while at < 6 * Self::SLOTS {
            let (level, slot) = (at % 6, at / 6);
            let (group, place) = (slot >> level, slot % (1 << level));
            pairs[level] |= 3 << (group * (Self::BITS << level) + 2 * place);
            at += 1;
        }
        pairs
    };
    /// The lowest bit of every slot; all the others.
    const LOW: u128 = Self::PAIRS[0] / 3;
    const HIGH: u128 = Self::LOW * (Self::MASK - 1);

    /// The first four symbols in two bits a slot, and the flags behind the slots: what an outline has of it, in 52 bits.
    #[inline(always)]
    fn outline(self) -> u64 {
        let (state, low) = (self.0, Self::LOW);
        let far = (state >> 2 | state >> 3 | state >> 4 | if DIRECTED { state >> 5 } else { 0 }) & low;
        // An open end is one, whatever its other end: as a symbol 2, or 3 where directed and odd.
        let open = far | state >> 1 & low;
        let mut bits = open << 1 | state & if DIRECTED { low } else { low & !open };
        for level in 0..5 {
            bits = (bits | bits >> ((Self::BITS - 2) << level)) & Self::PAIRS[level + 1];
        }
        bits as u64 | (state >> 126 << 50) as u64
    }

    fn of_outline(outline: u64) -> Self {
        let mut bits = u128::from(outline << 14 >> 14);
        for level in (0..5).rev() {
            bits = (bits | bits << ((Self::BITS - 2) << level)) & Self::PAIRS[level];
        }
        State(bits | u128::from(outline >> 50 & 3) << 126)
    }

    #[inline]
    pub(crate) fn get(self, slot: u32) -> u32 {
        (self.0 >> (slot as usize * Self::BITS) & Self::MASK) as u32
    }

    #[inline]
    pub(crate) fn with(self, slot: u32, symbol: u32) -> Self {
        let shift = slot as usize * Self::BITS;
        State(self.0 & !(Self::MASK << shift) | u128::from(symbol) << shift)
    }

    /// Whether some stretch has an open end.
    #[inline]
    pub(crate) fn is_open(self) -> bool {
        self.0 & Self::HIGH != 0
    }

    /// Whether the path is complete: it has both its ends, and nothing is open. Before, what its ends belong to is.
    #[inline]
    pub(crate) fn is_done(self) -> bool {
        self.0 & (ENDED | Self::HIGH) == ENDED
    }

    /// The path is complete if it has both its ends, or needs none; which it is only if nothing else is open.
    pub(crate) fn completed(self, closed: bool) -> Option<Self> {
        let ended = if closed { State(self.0 | ENDED) } else { self };
        ended.is_done().then_some(ended)
    }

    /// The symbol of an open end whose stretch ends at this slot otherwise.
    pub(crate) fn open(slot: u32, wants_in: bool) -> u32 {
        if DIRECTED { OPEN + 2 * slot + u32::from(wants_in) } else { OPEN + slot }
    }

    /// The slot at the other end of a stretch, or the mark of the path's end there.
    pub(crate) fn other_end(symbol: u32, slot: u32) -> Result<u32, u32> {
        match symbol {
            UNTOUCHED => Ok(slot),
            FROM_START | TO_FINISH => Err(symbol),
            open => Ok(if DIRECTED { (open - OPEN) / 2 } else { open - OPEN }),
        }
    }
}

/// Above what a way is worth (plus [`WORTHLESS`]) stands what it has lost: so both are added up at once.
pub(crate) const LOSS: u32 = 48;
pub(crate) const WORTHLESS: u64 = 1 << 47;
/// Losses that are kept are below this.
pub(crate) const MOST_LOSS: u64 = 1 << 12;

/// What a layer holds: a state, in two words, with the best of the ways to it; or an outline, in one word with its loss.
#[derive(Clone, Copy)]
pub(crate) struct Entry<const WORDS: usize>([u64; WORDS]);

pub(crate) const EXACT: usize = 3;
pub(crate) const OUTLINE: usize = 1;

impl<const WORDS: usize> Entry<WORDS> {
    /// Where the loss stands in the last word: above the value, or above the outline.
    const LOSS: u32 = if WORDS == EXACT { LOSS } else { 52 };
    const BELOW: u64 = (1 << Self::LOSS) - 1;

    #[inline(always)]
    pub(crate) fn new<const DIRECTED: bool>(state: State<DIRECTED>, way: u64) -> Self {
        let words = match WORDS {
            EXACT => [state.0 as u64, (state.0 >> 64) as u64, way],
            _ => [state.outline() | way >> LOSS << Self::LOSS, 0, 0],
        };
        Entry(std::array::from_fn(|at| words[at]))
    }

    pub(crate) fn state<const DIRECTED: bool>(self) -> State<DIRECTED> {
        match WORDS {
            EXACT => State(u128::from(self.0[0]) | u128::from(self.0[1]) << 64),
            _ => State::of_outline(self.0[0]),
        }
    }

    /// Outlines don't know what ways are worth.
    pub(crate) fn way(self) -> u64 {
        if WORDS == EXACT { self.0[WORDS - 1] } else { self.loss() << LOSS | WORTHLESS }
    }

    pub(crate) fn loss(self) -> u64 {
        self.0[WORDS - 1] >> Self::LOSS
    }

    pub(crate) fn set_loss(&mut self, loss: u64) {
        self.0[WORDS - 1] = self.0[WORDS - 1] & Self::BELOW | loss << Self::LOSS;
    }

    /// What tells states apart.
    fn key(self) -> [u64; 2] {
        if WORDS == EXACT { [self.0[0], self.0[1]] } else { [self.0[0] & Self::BELOW, 0] }
    }

    /// Of two ways to a state the better of both losses, and the better of both values.
    fn merge(&mut self, other: Self) {
        let [one, two] = [self.0, other.0].map(|words| words[WORDS - 1]);
        self.0[WORDS - 1] = (one & Self::BELOW).max(two & Self::BELOW) | (one & !Self::BELOW).min(two & !Self::BELOW);
    }
}

/// So many entries are added together.
const CHUNK: usize = 64;

/// Entries about different states, and an index to find them: open addressing, at most three quarters full.
pub(crate) struct Layer<const WORDS: usize> {
    pub(crate) entries: Vec<Entry<WORDS>>,
    index: Vec<u32>,
}

impl<const WORDS: usize> Layer<WORDS> {
    /// Without an index, for later.
    pub(crate) fn of(mut entries: Vec<Entry<WORDS>>) -> Self {
        entries.shrink_to_fit();
        Layer { entries, index: Vec::new() }
    }

    /// What it takes. Where it has an index it may grow: the index doubles, and entries may be in two places while they move. More
    /// than can be numbered is beyond any limit.
    pub(crate) fn bytes(&self) -> usize {
        let entries = self.entries.capacity() * size_of::<Entry<WORDS>>();
        match (self.entries.len() >> 31, self.index.len()) {
            (0, 0) => entries,
            (0, places) => entries + entries / 2 + 2 * places * size_of::<u32>(),
            _ => usize::MAX / 2,
        }
    }

    /// Makes the index anew, with room for as many entries again. The old one is gone before the new one is there.
    pub(crate) fn make_index(&mut self) {
        self.index = Vec::new();
        self.index = vec![u32::MAX; (2 * (self.entries.len() + CHUNK)).next_power_of_two()];
        for number in 0..self.entries.len() {
            if let Err(place) = self.find(self.entries[number]) {
                self.index[place] = number as u32;
            }
        }
    }

    #[inline(always)]
    fn home(&self, entry: Entry<WORDS>) -> usize {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let [low, high] = entry.key();
        let mixed = (low ^ high.rotate_left(31).wrapping_mul(0xd6e8_feb8_6659_fd93)).wrapping_mul(ODD);
        ((mixed ^ mixed >> 32).wrapping_mul(ODD) >> 20) as usize & (self.index.len() - 1)
    }

    /// The number of the entry about the same state, or the place in the index where it would be.
    #[inline(always)]
    pub(crate) fn find(&self, entry: Entry<WORDS>) -> Result<usize, usize> {
        let mut place = self.home(entry);
        loop {
            let number = self.index[place] as usize;
            match self.entries.get(number) {
                None => return Err(place),
                Some(other) if other.key() == entry.key() => return Ok(number),
                Some(_) => place = (place + 1) & (self.index.len() - 1),
            }
        }
    }

    /// Adds what is new, and merges the rest.
    pub(crate) fn add_all(&mut self, batch: &[Entry<WORDS>]) {
        for some in batch.chunks(CHUNK) {
            if 4 * (self.entries.len() + some.len()) > 3 * self.index.len() {
                self.make_index();
            }
            if self.entries.len() + some.len() > self.entries.capacity() {
                self.entries.reserve_exact(self.entries.len() / 4 + CHUNK);
            }
            // All are looked at before, since the memory answers many questions as fast as one.
            std::hint::black_box(some.iter().fold(0, |sum, &entry| sum ^ self.index[self.home(entry)]));
            for &entry in some {
                match self.find(entry) {
                    Ok(number) => self.entries[number].merge(entry),
                    Err(place) => {
                        self.index[place] = self.entries.len() as u32;
                        self.entries.push(entry);
                    }
                }
            }
        }
    }
}
