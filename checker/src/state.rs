//! States of a sweep, and tables of them: see there what they mean.

/// Slots of five bits, six where directed, and three flags above them.
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
/// The path has its start (one tip), its finish (two tips); all of the path is there.
pub(crate) const HAS_START: u128 = 1 << 125;
pub(crate) const HAS_FINISH: u128 = 1 << 126;
pub(crate) const DONE: u128 = 1 << 127;
/// No state.
pub(crate) const VACANT: u128 = u128::MAX;

impl<const DIRECTED: bool> State<DIRECTED> {
    const BITS: u32 = if DIRECTED { 6 } else { 5 };
    pub(crate) const SLOTS: usize = if DIRECTED { 20 } else { 25 };
    const MASK: u128 = (1 << Self::BITS) - 1;
    /// The lowest bit of every slot; all the others.
    const LOW: u128 = {
        let (mut low, mut slot) = (0, 0);
        while slot < Self::SLOTS as u32 {
            low |= 1 << (slot * Self::BITS);
            slot += 1;
        }
        low
    };
    pub(crate) const HIGH: u128 = Self::LOW * (Self::MASK - 1);

    #[inline(always)]
    pub(crate) fn get(self, slot: u32) -> u32 {
        (self.0 >> (slot * Self::BITS) & Self::MASK) as u32
    }

    #[inline(always)]
    pub(crate) fn with(self, slot: u32, symbol: u32) -> Self {
        let shift = slot * Self::BITS;
        State(self.0 & !(Self::MASK << shift) | u128::from(symbol) << shift)
    }

    #[inline(always)]
    pub(crate) fn has(self, flags: u128) -> bool {
        self.0 & flags == flags
    }

    /// The symbol of an open end whose stretch ends at this slot otherwise.
    #[inline(always)]
    pub(crate) fn open(slot: u32, wants_in: bool) -> u32 {
        if DIRECTED { OPEN + 2 * slot + u32::from(wants_in) } else { OPEN + slot }
    }

    /// The slot at the other end of a stretch, or the mark of the path's end there.
    #[inline(always)]
    pub(crate) fn other_end(symbol: u32, slot: u32) -> Result<u32, u32> {
        match symbol {
            UNTOUCHED => Ok(slot),
            FROM_START | TO_FINISH => Err(symbol),
            open => Ok(if DIRECTED { (open - OPEN) / 2 } else { open - OPEN }),
        }
    }

    /// The path is complete if it has both its ends, or needs none; which it is only if nothing else is open.
    #[inline(always)]
    pub(crate) fn completed(self, closed: bool) -> Option<Self> {
        let is_complete = self.0 & Self::HIGH == 0 && (closed || self.has(HAS_START | HAS_FINISH));
        is_complete.then_some(State(self.0 | HAS_START | HAS_FINISH | DONE))
    }

    /// With every open end as one that is open, whatever its stretch's other end.
    #[inline(always)]
    pub(crate) fn outline(self) -> Self {
        let slots = self.0 & (Self::LOW * Self::MASK);
        let mut far = slots >> 2 | slots >> 3 | slots >> 4;
        if DIRECTED {
            far |= slots >> 5;
        }
        let far = far & Self::LOW;
        let near = self.0 & !(far * Self::MASK) | far << 1;
        State(if DIRECTED { near | self.0 & far } else { near & !(near >> 1 & Self::LOW) })
    }

    /// An outline in two bits a slot, and the flags.
    pub(crate) fn packed(self) -> u64 {
        let bits = |slot: u32| u64::from(self.get(slot)) << (2 * slot);
        (0..Self::SLOTS as u32).map(bits).sum::<u64>() | (self.0 >> 125 << 61) as u64
    }

    pub(crate) fn unpacked(packed: u64) -> Self {
        let symbol = |slot: u32| u128::from(packed >> (2 * slot) & 3) << (slot * Self::BITS);
        State((0..Self::SLOTS as u32).map(symbol).sum::<u128>() | u128::from(packed >> 61) << 125)
    }

    #[inline(always)]
    pub(crate) fn hash(self) -> u64 {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        let mixed = (low ^ high.rotate_left(31).wrapping_mul(0xd6e8_feb8_6659_fd93)).wrapping_mul(ODD);
        (mixed ^ mixed >> 32).wrapping_mul(ODD)
    }
}

/// What is known of the ways to a state: what they lost at least, and are worth at most.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    pub(crate) loss: u32,
    pub(crate) value: i64,
}

/// States with what is known of each: open addressing, at most half full.
pub(crate) struct Layer<const DIRECTED: bool> {
    pub(crate) keys: Vec<u128>,
    pub(crate) ways: Vec<Way>,
    pub(crate) count: usize,
}

/// What each place of a layer takes.
pub(crate) const PLACE_BYTES: usize = 32;

impl<const DIRECTED: bool> Layer<DIRECTED> {
    pub(crate) fn with_room_for(count: usize) -> Self {
        let places = (2 * count).next_power_of_two().max(64);
        Layer { keys: vec![VACANT; places], ways: vec![Way { loss: 0, value: 0 }; places], count: 0 }
    }

    /// Where a state is, or would be.
    #[inline(always)]
    pub(crate) fn place(&self, state: State<DIRECTED>) -> usize {
        let last = self.keys.len() - 1;
        let mut place = (state.hash() >> 20) as usize & last;
        while self.keys[place] != state.0 && self.keys[place] != VACANT {
            place = (place + 1) & last;
        }
        place
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, state: State<DIRECTED>, way: Way) {
        let place = self.place(state);
        if self.keys[place] == VACANT {
            self.keys[place] = state.0;
            self.ways[place] = way;
            self.count += 1;
            if 2 * self.count > self.keys.len() {
                let mut larger = Layer::with_room_for(2 * self.count);
                self.states().for_each(|(state, way)| larger.add(state, way));
                *self = larger;
            }
        } else {
            let best = &mut self.ways[place];
            *best = Way { loss: way.loss.min(best.loss), value: way.value.max(best.value) };
        }
    }

    pub(crate) fn states(&self) -> impl Iterator<Item = (State<DIRECTED>, Way)> + '_ {
        let all = self.keys.iter().zip(&self.ways);
        all.filter(|(key, _)| **key != VACANT).map(|(&key, &way)| (State(key), way))
    }
}
