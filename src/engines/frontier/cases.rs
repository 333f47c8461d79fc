//! The cases of a step: what it makes of a state.
//!
//! Which ways a state may go through a step, and what each does to its signature, depends on the few slots that the operations
//! touch, on the ends that exist, and on whether anything else is open. So that is worked out once for each of these cases, by
//! one signature that stands for all of the case.

use std::ops::Range;

use super::kernel::{Relaxed, Signature, State};
use super::plan::{Op, Step};

/// How the cases of one step are told apart.
pub(super) struct Cases {
    /// The slots that the step touches, but for that of its own vertex, which comes untouched.
    slots: Vec<u32>,
    /// The slots that the step leaves alone.
    pub(super) others: Signature,
    /// One that stands for all of those.
    other: u32,
}

impl Cases {
    /// `None` if the step touches more than so many slots, besides that of its own vertex.
    pub(super) fn of(step: &Step, most_slots: usize) -> Option<Self> {
        let mut slots: Vec<u32> = step.ops.iter().flat_map(Op::slots).filter(|&slot| slot != step.slot).collect();
        slots.sort_unstable();
        slots.dedup();
        let others = !step.touched();
        let cases = Cases { slots, others: Signature::of_slots(others), other: others.trailing_zeros() };
        (cases.slots.len() <= most_slots).then_some(cases)
    }

    /// Not all of them have a state.
    pub(super) fn count(&self) -> usize {
        1 << (2 * self.slots.len() + 3)
    }

    /// The number of a signature's case.
    #[inline(always)]
    pub(super) fn number(&self, signature: Signature) -> usize {
        let mut case = 0;
        let mut shift = 0;
        for &slot in &self.slots {
            case |= signature.symbol(slot) << shift;
            shift += 2;
        }
        case |= u64::from(signature.flags()) << shift;
        case |= u64::from(signature.and(self.others).something_open()) << (shift + 2);
        case as usize
    }

    /// A state of this case; `None` if there is none.
    pub(super) fn state<R: Relaxed>(&self, case: usize) -> Option<R> {
        let ends = 2 * self.slots.len();
        let mut state = Signature::EMPTY.with_flags((case >> ends & 3) as u32);
        if case >> (ends + 2) == 1 {
            state = state.or(Signature::of_symbol(self.other, Signature::OPEN));
        }
        for (at, &slot) in self.slots.iter().enumerate() {
            state = state.or(Signature::of_symbol(slot, (case >> (2 * at) & 3) as u64));
        }
        Some(R::from(state)).filter(|state| state.is_valid())
    }

    /// What a state that a step led to has in the slots that it touched, and its ends.
    pub(super) fn part(&self, state: impl State) -> Signature {
        state.signature().without(self.others)
    }
}

/// What becomes of a case with the same ends: a stretch in a list of ways, or of successors.
pub(super) struct Group {
    /// What of the slots left alone is closed if it is untouched.
    closing: u64,
    range: Range<u32>,
}

impl Group {
    pub(super) fn new(closing: u64, range: Range<usize>) -> Self {
        Group { closing, range: range.start as u32..range.end as u32 }
    }

    /// The slots left alone after the step, of those before it.
    #[inline(always)]
    pub(super) fn kept(&self, others: Signature) -> Signature {
        others.closing(self.closing)
    }

    #[inline(always)]
    pub(super) fn range(&self) -> Range<usize> {
        self.range.start as usize..self.range.end as usize
    }
}

/// The slots left alone that are closed if they are untouched, by the ends that exist after the step.
pub(super) fn closing_of_others(step: &Step) -> [u64; 4] {
    let touched = step.touched();
    step.closing().map(|bits| Signature::slots(bits & !touched))
}
