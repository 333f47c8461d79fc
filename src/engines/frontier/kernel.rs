//! The states of the frontier and what one edge, or one end of the path, does to them.
//!
//! A *slot* is a place on the frontier. For the exact search ([`Key`]) a slot holds one symbol in a few bits: its own
//! number (untouched, or vacant), the number of the slot at the other end of its path (its *mate*), `closed` (has both
//! its edges, or was given up), or the mark of an end of the whole path that lies behind. The mate encoding is
//! canonical by itself, since slots are fixed by the plan: no relabelling, and every operation is a handful of
//! instructions. For the relaxation ([`Signature`]) a slot holds only which of its two edges it has: two bits.
//!
//! Where edges are directed a slot's symbol also tells whether it still needs an arc in or an arc out.

use std::hash::Hash;

/// Which end of the whole path is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    First,
    Last,
    /// Undirected, and both ends earn the same prizes: no need to tell them apart.
    Either,
}

/// What became of a state.
#[derive(Clone, Copy, Debug)]
pub(super) enum Moved<S> {
    /// It can't be done.
    No,
    On(S),
    /// The whole path (or cycle) is complete, and nothing else is begun.
    Done(S),
}

/// One or two ends of the whole path exist (or, in a search for cycles, the vertex to be visited is).
pub(super) const FLAG_FIRST: u32 = 1;
pub(super) const FLAG_BOTH: u32 = 3;

/// A state of the frontier: exact or relaxed.
pub(super) trait State: Copy + std::fmt::Debug + Eq + Ord + Hash + Send + Sync {
    /// Nothing begun yet.
    const EMPTY: Self;
    /// How many slots fit.
    const SLOTS: usize;
    /// Some of the slots.
    type Slots: Copy;

    /// Takes the edge from the vertex of slot `a` to that of slot `b`; `cycles` says whether one may close a cycle.
    fn join(self, a: u32, b: u32, cycles: bool) -> Moved<Self>;
    /// Makes the vertex of the slot an end of the whole path, or lets its last edge lead to one that lies behind.
    fn end(self, slot: u32, role: Role) -> Moved<Self>;
    fn is_untouched(self, slot: u32) -> bool;
    fn is_closed(self, slot: u32) -> bool;
    /// Whether the vertex of the slot has one edge and can be that end of the whole path.
    fn is_open_for(self, slot: u32, role: Role) -> bool;
    /// Closes what is untouched among these slots, a bit for each.
    fn closing(self, slots: Self::Slots) -> Self;
    fn slots(bits: u32) -> Self::Slots;
    /// Forgets a slot that is untouched or closed.
    fn vacate(self, slot: u32) -> Self;
    fn flags(self) -> u32;
    fn with_flags(self, flags: u32) -> Self;
    fn signature(self) -> Signature;
    fn hash64(self) -> u64;
}

/// The flags once another end exists, if it may.
fn flags_with(flags: u32, role: Role) -> Option<u32> {
    match role {
        Role::First => (flags & 1 == 0).then_some(flags | 1),
        Role::Last => (flags & 2 == 0).then_some(flags | 2),
        Role::Either => (flags != FLAG_BOTH).then_some(2 * flags + 1),
    }
}

/// A packed exact state of `SLOTS` symbols of `BITS` bits and two flags.
macro_rules! key {
    ($(#[$doc:meta])* $name:ident, $word:ty, bits: $bits:expr, slots: $slots:expr, directed: $directed:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(super) struct $name($word);

        impl $name {
            const BITS: u32 = $bits;
            const MASK: $word = (1 << $bits) - 1;
            const CLOSED: u32 = (1 << $bits) - 1;
            /// Its far end is the first vertex of the whole path (or either end, where they are the same).
            const FIRST: u32 = (1 << $bits) - 2;
            /// Its far end is the last vertex of the whole path.
            const LAST: u32 = (1 << $bits) - 3;
            const FLAG_SHIFT: u32 = <$word>::BITS - 2;
            /// The lowest bit of every slot.
            const LOW: $word = {
                let mut low: $word = 0;
                let mut slot = 0;
                while slot < $slots {
                    low |= 1 << (slot * $bits);
                    slot += 1;
                }
                low
            };
            /// Every slot holding its own number.
            const IDENTITY: $word = {
                let mut identity: $word = 0;
                let mut slot: $word = 0;
                while slot < $slots {
                    identity |= (if $directed { 2 * slot } else { slot }) << (slot * $bits);
                    slot += 1;
                }
                identity
            };

            /// Ones in the low `4 << i` of every `2 * BITS << i` bits.
            const GATHER: [$word; 6] = {
                let mut masks = [0; 6];
                let mut round = 0;
                while round < 6 {
                    masks[round] = spread_mask(2 * $bits << round, 4 << round) as $word;
                    round += 1;
                }
                masks
            };

            #[inline(always)]
            fn symbol(self, slot: u32) -> u32 {
                (self.0 >> (slot * Self::BITS) & Self::MASK) as u32
            }

            #[inline(always)]
            fn with(self, slot: u32, symbol: u32) -> Self {
                let shift = slot * Self::BITS;
                $name(self.0 & !(Self::MASK << shift) | (symbol as $word) << shift)
            }

            /// The symbol's slot, if it is one: a mate, or the slot itself if untouched.
            #[inline(always)]
            fn slot_of(symbol: u32) -> Option<u32> {
                let slot = if $directed { symbol >> 1 } else { symbol };
                (symbol < Self::LAST).then_some(slot)
            }

            #[inline(always)]
            fn own(slot: u32) -> u32 {
                if $directed { 2 * slot } else { slot }
            }

            /// Gives a slot its last edge, or its first.
            #[inline(always)]
            fn used(self, slot: u32, symbol: u32) -> Self {
                if symbol == Self::own(slot) { self } else { self.with(slot, Self::CLOSED) }
            }

            /// Whether a slot with this symbol can take an arc out; in; any edge.
            #[inline(always)]
            fn takes_out(slot: u32, symbol: u32) -> bool {
                if $directed { symbol & 1 == 0 } else { let _ = slot; symbol != Self::CLOSED }
            }

            #[inline(always)]
            fn takes_in(slot: u32, symbol: u32) -> bool {
                if $directed {
                    symbol == Self::own(slot) || (symbol & 1 == 1 && symbol != Self::CLOSED)
                } else {
                    symbol != Self::CLOSED
                }
            }

            fn nothing_open(self) -> bool {
                (0..$slots).all(|slot| {
                    let symbol = self.symbol(slot);
                    symbol == Self::CLOSED || symbol == Self::own(slot)
                })
            }

            #[inline(always)]
            fn done_if_alone(self) -> Moved<Self> {
                if self.nothing_open() { Moved::Done(self) } else { Moved::No }
            }
        }

        impl State for $name {
            const EMPTY: Self = $name(Self::IDENTITY);
            const SLOTS: usize = $slots;
            type Slots = $word;

            #[inline(always)]
            fn join(self, a: u32, b: u32, cycles: bool) -> Moved<Self> {
                let (from, to) = (self.symbol(a), self.symbol(b));
                if !Self::takes_out(a, from) || !Self::takes_in(b, to) {
                    return Moved::No;
                }
                let (start, finish) = (Self::slot_of(from), Self::slot_of(to));
                let closes = start == Some(b) && finish == Some(a);
                let joined = self.used(a, from).used(b, to);
                if closes {
                    return if cycles { joined.done_if_alone() } else { Moved::No };
                }
                // The far end of what led to `a` now has its mate at the far end of what leaves `b`.
                match (start, finish) {
                    (Some(start), Some(finish)) => {
                        let joined = joined.with(finish, Self::own(start));
                        Moved::On(joined.with(start, Self::own(finish) | u32::from($directed)))
                    }
                    (Some(start), None) => Moved::On(joined.with(start, to)),
                    (None, Some(finish)) => Moved::On(joined.with(finish, from)),
                    (None, None) => joined.done_if_alone(),
                }
            }

            #[inline(always)]
            fn end(self, slot: u32, role: Role) -> Moved<Self> {
                let symbol = self.symbol(slot);
                let (able, mark) = match role {
                    Role::First => (Self::takes_in(slot, symbol), Self::FIRST),
                    Role::Last => (Self::takes_out(slot, symbol), Self::LAST),
                    Role::Either => (symbol != Self::CLOSED, Self::FIRST),
                };
                let Some(flags) = flags_with(self.flags(), role).filter(|_| able) else {
                    return Moved::No;
                };
                let ended = self.used(slot, symbol).with_flags(flags);
                match Self::slot_of(symbol) {
                    Some(far) => Moved::On(ended.with(far, mark)),
                    None => ended.done_if_alone(),
                }
            }

            #[inline(always)]
            fn is_untouched(self, slot: u32) -> bool {
                self.symbol(slot) == Self::own(slot)
            }

            #[inline(always)]
            fn is_closed(self, slot: u32) -> bool {
                self.symbol(slot) == Self::CLOSED
            }

            #[inline(always)]
            fn is_open_for(self, slot: u32, role: Role) -> bool {
                let symbol = self.symbol(slot);
                let takes = match role {
                    Role::First => Self::takes_in(slot, symbol),
                    Role::Last => Self::takes_out(slot, symbol),
                    Role::Either => symbol != Self::CLOSED,
                };
                takes && symbol != Self::own(slot)
            }

            #[inline(always)]
            fn slots(bits: u32) -> $word {
                let low = |slot: u32| <$word>::from(bits >> slot & 1) << (slot * $bits);
                (0..$slots).map(low).sum()
            }

            #[inline(always)]
            fn closing(self, slots: $word) -> Self {
                let differs = self.0 ^ Self::IDENTITY;
                let touched = (0..$bits).fold(0, |touched, bit| touched | differs >> bit);
                $name(self.0 | (slots & !touched) * Self::MASK)
            }

            #[inline(always)]
            fn vacate(self, slot: u32) -> Self {
                self.with(slot, Self::own(slot))
            }

            #[inline(always)]
            fn flags(self) -> u32 {
                (self.0 >> Self::FLAG_SHIFT) as u32
            }

            #[inline(always)]
            fn with_flags(self, flags: u32) -> Self {
                $name(self.0 & !(3 << Self::FLAG_SHIFT) | (flags as $word) << Self::FLAG_SHIFT)
            }

            #[inline(always)]
            fn signature(self) -> Signature {
                let differs = self.0 ^ Self::IDENTITY;
                let (mut touched, mut closed) = (differs, self.0);
                let mut bit = 1;
                while bit < $bits {
                    touched |= differs >> bit;
                    closed &= self.0 >> bit;
                    bit += 1;
                }
                let (touched, closed) = (touched & Self::LOW, closed & Self::LOW);
                let mut packed = if $directed {
                    let lacks_in = self.0 & touched;
                    (touched & !lacks_in) | closed | lacks_in << 1
                } else {
                    touched | closed << 1
                };
                // Two bits in every `BITS` become two in every two, by doubling the groups.
                let mut round = 0;
                while $bits << round < <$word>::BITS {
                    packed = (packed | packed >> (($bits - 2) << round)) & Self::GATHER[round];
                    round += 1;
                }
                Signature(packed as u64).with_flags(self.flags())
            }

            #[inline(always)]
            fn hash64(self) -> u64 {
                const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
                let low = self.0 as u64;
                let high = (self.0 >> (<$word>::BITS - 64)) as u64;
                let mixed = (low ^ high.rotate_left(31).wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_mul(ODD);
                (mixed ^ mixed >> 32).wrapping_mul(ODD)
            }
        }
    };
}

/// Ones in the lowest `group` of every `pitch` bits.
const fn spread_mask(pitch: u32, group: u32) -> u128 {
    let ones = if group >= 128 { u128::MAX } else { (1 << group) - 1 };
    let mut mask = 0;
    let mut at = 0;
    while at < 128 {
        mask |= ones << at;
        at += pitch;
    }
    mask
}

key!(
    /// Undirected, up to 13 slots.
    Narrow, u64, bits: 4, slots: 13, directed: false
);
key!(
    /// Undirected, up to 25 slots.
    Wide, u128, bits: 5, slots: 25, directed: false
);
key!(
    /// Directed, up to 12 slots.
    NarrowArcs, u64, bits: 5, slots: 12, directed: true
);
key!(
    /// Directed, up to 21 slots.
    WideArcs, u128, bits: 6, slots: 21, directed: true
);

/// A relaxed state: two bits a slot and two flags. Undirected: untouched 00, one edge 01, closed 11. Directed: the low
/// bit says that it has an arc in, the high bit that it has an arc out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Signature(u64);

/// A relaxed state whose edges are directed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SignatureOfArcs(u64);

/// The bits of all slots of a signature.
const SLOTS: u64 = (1 << 50) - 1;

macro_rules! signature {
    ($name:ident, directed: $directed:expr) => {
        impl $name {
            #[inline(always)]
            pub(super) fn symbol(self, slot: u32) -> u64 {
                self.0 >> (2 * slot) & 3
            }

            #[inline(always)]
            fn set(self, slot: u32, bits: u64) -> Self {
                $name(self.0 | bits << (2 * slot))
            }

            /// A path or cycle that is begun and not complete has an open slot.
            #[inline(always)]
            pub(super) fn something_open(self) -> bool {
                (self.0 ^ self.0 >> 1) & SLOTS & SLOTS / 3 != 0
            }

            /// With one more edge at the slot: an arc out, an arc in, or just an edge.
            #[inline(always)]
            fn more(self, slot: u32, bit: u64) -> Option<Self> {
                let symbol = self.symbol(slot);
                if $directed {
                    (symbol & bit == 0).then(|| self.set(slot, bit))
                } else {
                    (symbol != 3).then(|| self.set(slot, 2 * symbol + 1))
                }
            }
        }

        impl State for $name {
            const EMPTY: Self = $name(0);
            const SLOTS: usize = 25;
            type Slots = u64;

            #[inline(always)]
            fn join(self, a: u32, b: u32, cycles: bool) -> Moved<Self> {
                match self.more(a, 2).and_then(|state| state.more(b, 1)) {
                    Some(state) if state.something_open() => Moved::On(state),
                    Some(state) if cycles || state.flags() == FLAG_BOTH => Moved::Done(state),
                    _ => Moved::No,
                }
            }

            #[inline(always)]
            fn end(self, slot: u32, role: Role) -> Moved<Self> {
                let bit = if role == Role::Last { 2 } else { 1 };
                let ended = flags_with(self.flags(), role).map(|flags| self.with_flags(flags));
                match ended.and_then(|state| state.more(slot, bit)) {
                    Some(state) if state.something_open() => Moved::On(state),
                    Some(state) if state.flags() == FLAG_BOTH => Moved::Done(state),
                    _ => Moved::No,
                }
            }

            #[inline(always)]
            fn is_untouched(self, slot: u32) -> bool {
                self.symbol(slot) == 0
            }

            #[inline(always)]
            fn is_closed(self, slot: u32) -> bool {
                self.symbol(slot) == 3
            }

            #[inline(always)]
            fn is_open_for(self, slot: u32, role: Role) -> bool {
                match (self.symbol(slot), role) {
                    (1, _) => !$directed || role == Role::Last,
                    (2, _) => role == Role::First,
                    _ => false,
                }
            }

            #[inline(always)]
            fn slots(bits: u32) -> u64 {
                (0..Self::SLOTS as u32).map(|slot| u64::from(bits >> slot & 1) << (2 * slot)).sum()
            }

            #[inline(always)]
            fn closing(self, slots: u64) -> Self {
                $name(self.0 | (slots & !(self.0 | self.0 >> 1)) * 3)
            }

            #[inline(always)]
            fn vacate(self, slot: u32) -> Self {
                $name(self.0 & !(3 << (2 * slot)))
            }

            #[inline(always)]
            fn flags(self) -> u32 {
                (self.0 >> 62) as u32
            }

            #[inline(always)]
            fn with_flags(self, flags: u32) -> Self {
                $name(self.0 << 2 >> 2 | u64::from(flags) << 62)
            }

            #[inline(always)]
            fn signature(self) -> Signature {
                Signature(self.0)
            }

            #[inline(always)]
            fn hash64(self) -> u64 {
                // The high bits alone, and the low bits alone, tell signatures apart.
                let mixed = scattered(Signature(self.0).packed());
                mixed ^ mixed >> 32
            }
        }
    };
}

signature!(Signature, directed: false);
signature!(SignatureOfArcs, directed: true);

/// The packed signature, with what it is spread over the high bits.
#[inline(always)]
pub(super) fn scattered(packed: u64) -> u64 {
    packed.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Signature {
    /// The symbol of an open slot, whether edges are directed or not.
    pub(super) const OPEN: u64 = 1;

    /// All that is said of these slots, a bit for each.
    pub(super) fn of_slots(bits: u32) -> Self {
        Signature(3 * Self::slots(bits))
    }

    /// One slot alone.
    pub(super) fn of_symbol(slot: u32, symbol: u64) -> Self {
        Signature(symbol << (2 * slot))
    }

    #[inline(always)]
    pub(super) fn and(self, other: Signature) -> Self {
        Signature(self.0 & other.0)
    }

    #[inline(always)]
    pub(super) fn or(self, other: Signature) -> Self {
        Signature(self.0 | other.0)
    }

    /// What the other does not have.
    pub(super) fn without(self, other: Signature) -> Self {
        Signature(self.0 & !other.0)
    }

    /// What is said of the open slots.
    #[inline(always)]
    pub(super) fn of_open(self) -> Self {
        let open = (self.0 ^ self.0 >> 1) & (SLOTS / 3);
        Signature(self.0 & (3 * open))
    }

    /// No state has this signature.
    pub(super) const NONE: Signature = Signature(u64::MAX);

    /// The same in its lowest 52 bits, which is enough for any key's slots.
    #[inline(always)]
    pub(super) fn packed(self) -> u64 {
        self.0 << 14 >> 14 | self.0 >> 62 << 50
    }

    #[inline(always)]
    pub(super) fn unpacked(packed: u64) -> Self {
        Signature(packed & ((1 << 50) - 1) | packed >> 50 << 62)
    }
}

/// A relaxed state: a signature with the operations of its kind of graph.
pub(super) trait Relaxed: State + From<Signature> {
    /// Whether each slot has a symbol that means something.
    fn is_valid(self) -> bool;
}

impl Relaxed for Signature {
    fn is_valid(self) -> bool {
        (0..Self::SLOTS as u32).all(|slot| self.symbol(slot) != 2)
    }
}

impl Relaxed for SignatureOfArcs {
    fn is_valid(self) -> bool {
        true
    }
}

impl From<Signature> for SignatureOfArcs {
    fn from(signature: Signature) -> Self {
        SignatureOfArcs(signature.0)
    }
}

/// An exact state, with the relaxed state that it is compared to.
pub(super) trait Key: State {
    type Relaxed: Relaxed;

    /// What it takes, written down.
    const BYTES: usize;

    fn write(self, bytes: &mut Vec<u8>);
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! written {
    ($name:ident, $word:ty, relaxed: $relaxed:ty) => {
        impl Key for $name {
            type Relaxed = $relaxed;

            const BYTES: usize = size_of::<$word>();

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.0.to_le_bytes());
            }

            fn from_bytes(bytes: &[u8]) -> Self {
                $name(<$word>::from_le_bytes(bytes.try_into().expect("a state has as many bytes")))
            }
        }
    };
}

written!(Narrow, u64, relaxed: Signature);
written!(Wide, u128, relaxed: Signature);
written!(NarrowArcs, u64, relaxed: SignatureOfArcs);
written!(WideArcs, u128, relaxed: SignatureOfArcs);
