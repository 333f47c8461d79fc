//! A state of the program: the runs that are open after a column, packed into one number.

use crate::adapters::rummy::card::SUITS;

/// How many bits a number of runs or cards takes.
const WIDTH: u32 = 6;
const MASK: u128 = (1 << WIDTH) - 1;
/// Where the numbers of aces begin that wait for the column behind the king.
const ACES: u32 = WIDTH * 3 * SUITS as u32;
/// Where the number of jokers stands that have a place.
const JOKERS: u32 = ACES + WIDTH * SUITS as u32;
/// Where it stands whether there is a run at all.
const RUN: u32 = JOKERS + WIDTH;

/// The open runs of a suit, by their length so far: one card, two, and three or more. The short ones have to go on.
pub(super) type Open = [u8; 3];

/// For each suit its [open runs](Open) and the aces that are kept for the column behind the king; how many jokers stand for
/// cards; and whether there is a run, which takes any further joker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State(u128);

impl State {
    #[inline]
    pub(super) fn open(self, row: usize) -> Open {
        let bits = (self.0 >> (row as u32 * 3 * WIDTH)) as u32;
        let field = |at: u32| (bits >> (at * WIDTH)) as u8 & MASK as u8;
        [field(0), field(1), field(2)]
    }

    /// Whether any run of this suit is open.
    #[inline]
    pub(super) fn is_open(self, row: usize) -> bool {
        self.0 >> (row as u32 * 3 * WIDTH) & ((1 << (3 * WIDTH)) - 1) != 0
    }

    /// With these runs in a row that had none.
    #[inline]
    pub(super) fn with_open(self, row: usize, open: Open) -> Self {
        let [one, two, three] = open.map(u32::from);
        debug_assert!(open.iter().all(|&count| u128::from(count) <= MASK) && self.open(row) == [0; 3]);
        State(self.0 | u128::from(one | two << WIDTH | three << (2 * WIDTH)) << (row as u32 * 3 * WIDTH))
    }

    /// With so many complete runs in a row that had none.
    #[inline]
    pub(super) fn with_complete(self, row: usize, count: u8) -> Self {
        debug_assert!(self.open(row)[2] == 0);
        State(self.0 | u128::from(count) << (row as u32 * 3 * WIDTH + 2 * WIDTH))
    }

    /// With what another one has: rows and aces that this one doesn't have, and jokers besides its own.
    #[inline]
    pub(super) fn joined(self, other: Self) -> Self {
        const SUMS: u128 = (1 << RUN) - 1;
        State(((self.0 & SUMS) + (other.0 & SUMS)) | ((self.0 | other.0) & !SUMS))
    }

    /// Without open runs.
    #[inline]
    pub(super) fn closed(self) -> Self {
        State(self.0 >> ACES << ACES)
    }

    #[inline]
    pub(super) fn aces(self, row: usize) -> u8 {
        (self.0 >> (ACES + row as u32 * WIDTH) & MASK) as u8
    }

    /// With so many aces in a row that had none.
    #[inline]
    pub(super) fn with_aces(self, row: usize, count: u8) -> Self {
        debug_assert!(self.aces(row) == 0);
        State(self.0 | u128::from(count) << (ACES + row as u32 * WIDTH))
    }

    #[inline]
    pub(super) fn without_aces(self) -> Self {
        State(self.0 & !(((1 << (WIDTH * SUITS as u32)) - 1) << ACES))
    }

    #[inline]
    pub(super) fn jokers(self) -> u8 {
        (self.0 >> JOKERS & MASK) as u8
    }

    #[inline]
    pub(super) fn with_more_jokers(self, count: u8) -> Self {
        debug_assert!(u128::from(self.jokers() + count) <= MASK);
        State(self.0 + (u128::from(count) << JOKERS))
    }

    #[inline]
    pub(super) fn with_fewer_jokers(self, count: u8) -> Self {
        debug_assert!(self.jokers() >= count);
        State(self.0 - (u128::from(count) << JOKERS))
    }

    #[inline]
    pub(super) fn has_run(self) -> bool {
        self.0 >> RUN & 1 == 1
    }

    #[inline]
    pub(super) fn without_run(self) -> Self {
        State(self.0 & !(1 << RUN))
    }

    #[inline]
    pub(super) fn with_run(self) -> Self {
        State(self.0 | 1 << RUN)
    }

    /// A number in which all bits depend on all of the state.
    #[inline]
    pub(super) fn hash(self) -> u64 {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let mixed = u128::from(self.0 as u64 ^ ((self.0 >> 64) as u64).wrapping_mul(ODD)) * u128::from(ODD);
        mixed as u64 ^ (mixed >> 64) as u64
    }
}
