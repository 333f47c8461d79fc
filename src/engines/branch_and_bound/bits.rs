//! Sets of up to 64 or 128 vertices in one machine word or two.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// A set of vertices. `a & b`, `a | b` and `a & !b` are what they look like; `!a` alone holds bits beyond the graph.
pub(super) trait Bits:
    Copy
    + Eq
    + Debug
    + Default
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
{
    /// How many vertices fit.
    const CAPACITY: usize;

    fn only(vertex: usize) -> Self;
    fn count(self) -> usize;
    /// The least member. The set must not be empty.
    fn least(self) -> usize;
    /// All bits folded into 64, for hashing.
    fn folded(self) -> u64;

    #[inline]
    fn is_empty(self) -> bool {
        self == Self::default()
    }

    #[inline]
    fn has(self, vertex: usize) -> bool {
        !(self & Self::only(vertex)).is_empty()
    }

    #[inline]
    fn without(self, vertex: usize) -> Self {
        self & !Self::only(vertex)
    }

    /// The members in ascending order.
    #[inline]
    fn members(self) -> Members<Self> {
        Members(self)
    }
}

pub(super) struct Members<B>(B);

impl<B: Bits> Iterator for Members<B> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let vertex = self.0.least();
        self.0 = self.0.without(vertex);
        Some(vertex)
    }
}

/// A word of so many bits; how it folds into 64.
macro_rules! word {
    ($word:ident, $bits:literal, $folded:expr) => {
        impl Bits for $word {
            const CAPACITY: usize = $bits;

            #[inline]
            fn only(vertex: usize) -> Self {
                1 << vertex
            }

            #[inline]
            fn count(self) -> usize {
                self.count_ones() as usize
            }

            #[inline]
            fn least(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline]
            fn folded(self) -> u64 {
                let folded: fn(Self) -> u64 = $folded;
                folded(self)
            }
        }
    };
}

word!(u64, 64, |word| word);
word!(u128, 128, |word| word as u64 ^ ((word >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));

/// What can be reached from `frontier` (itself included) along `rows` without leaving `within`.
pub(super) fn flood<B: Bits>(rows: &[B], frontier: B, within: B) -> B {
    let mut open = frontier & within;
    let mut reached = open;
    while !open.is_empty() {
        let vertex = open.least();
        let fresh = rows[vertex] & within & !reached;
        reached |= fresh;
        open = open.without(vertex) | fresh;
    }
    reached
}
