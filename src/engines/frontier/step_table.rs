//! A step on signatures, as a table.
//!
//! What a step makes of a signature depends on the few slots that its operations touch, on the ends that exist, and on
//! whether anything else is open. So it is worked out once for each of these cases, and of successors that are the same only
//! the one that gains most is kept; what is left for each signature is to look up its case and to put the other slots back.

use std::cmp::Reverse;

use super::expander::{Expand, Expander};
use super::kernel::{FLAG_BOTH, Relaxed, Signature, State};
use super::plan::{Item, Op, Plan, Step};
use super::tables::NOTHING;

/// What becomes of the slots that the step touches and of the ends, with what that gains.
#[derive(Clone, Copy)]
struct Successor {
    part: Signature,
    gain: i64,
}

/// The cases of one step.
struct Cases {
    /// The slots that tell cases apart.
    slots: Vec<u32>,
    /// The slots that the step leaves alone.
    others: Signature,
    /// Where the successors of each case begin, and the last end.
    begins: Vec<u32>,
    successors: Vec<Successor>,
    /// What a path gains that is completed, or [`NOTHING`].
    completed: Vec<i64>,
    /// Which of the untouched are closed, by the ends that exist.
    closing: [u64; 1 + FLAG_BOTH as usize],
}

/// By a table, where the layer is large enough for one.
#[repr(align(128))]
pub(super) struct TableExpander<R> {
    by_operations: Expander<R>,
    cases: Option<Cases>,
    to: Vec<Item<R>>,
}

/// A step that touches more slots, besides that of its own vertex, has no table.
const MOST_SLOTS: usize = 4;
/// A table pays from so many states for each of its cases.
const STATES_PER_CASE: usize = 8;

impl<R: Relaxed> Expand<R> for TableExpander<R> {
    fn new() -> Self {
        TableExpander { by_operations: Expander::new(), cases: None, to: Vec::new() }
    }

    fn prepare(&mut self, plan: &Plan, step: &Step, states: usize) {
        self.cases = Cases::new(plan, step, states, &mut self.by_operations);
    }

    #[inline(always)]
    fn expand(
        &mut self,
        plan: &Plan,
        step: &Step,
        states: impl Iterator<Item = (R, i64)>,
        mut done: impl FnMut(i64, u32),
    ) -> &[Item<R>] {
        let Some(cases) = &self.cases else {
            return self.by_operations.expand(plan, step, states, done);
        };
        self.to.clear();
        for ((state, value), from) in states.zip(0..) {
            let signature = state.signature();
            let case = cases.of(signature);
            let completed = cases.completed[case];
            if completed != NOTHING {
                done(value + completed, from);
            }
            let kept = signature.and(cases.others);
            self.to.extend(cases.successors_of(case).iter().map(|successor| {
                let next = kept.or(successor.part);
                let next = next.closing(cases.closing[next.flags() as usize]);
                Item { state: R::from(next), value: value + successor.gain, from }
            }));
        }
        &self.to
    }
}

impl Cases {
    /// `None` where that is not worth while for so many states.
    fn new<R: Relaxed>(plan: &Plan, step: &Step, states: usize, expander: &mut Expander<R>) -> Option<Self> {
        // The vertex of the step comes untouched.
        let mut slots: Vec<u32> = step.ops.iter().flat_map(Op::slots).filter(|&slot| slot != step.slot).collect();
        slots.sort_unstable();
        slots.dedup();
        let count = 1usize << (2 * slots.len() + 3);
        if slots.len() > MOST_SLOTS || states < count * STATES_PER_CASE {
            return None;
        }
        let touched = slots.iter().fold(1 << step.slot, |bits, slot| bits | 1u32 << slot);
        let others = Signature::of_slots(!touched);
        // One that stands for all others.
        let other = (!touched).trailing_zeros();
        let closing = step.ops.iter().find_map(|op| match op {
            Op::Close { slots } => Some(slots.map(Signature::slots)),
            _ => None,
        });
        let closing = closing.unwrap_or_default();
        let mut cases =
            Cases { slots, others, begins: vec![0], successors: Vec::new(), completed: Vec::new(), closing };
        for case in 0..count {
            let mut completed = NOTHING;
            if let Some(state) = cases.state::<R>(case, other) {
                let done = |gain: i64, _| completed = completed.max(gain);
                let expanded = expander.expand(plan, step, std::iter::once((state, 0)), done);
                let may_go_on = |item: &&Item<R>| plan.may_go_on(step, item.state.flags());
                let part = |item: &Item<R>| (item.state.signature().without(others), Reverse(item.value));
                let mut parts: Vec<_> = expanded.iter().filter(may_go_on).map(part).collect();
                parts.sort_unstable();
                parts.dedup_by_key(|(part, _)| *part);
                let successor = |(part, Reverse(gain))| Successor { part, gain };
                cases.successors.extend(parts.into_iter().map(successor));
            }
            cases.begins.push(cases.successors.len() as u32);
            cases.completed.push(completed);
        }
        Some(cases)
    }

    /// The number of a signature's case.
    #[inline(always)]
    fn of(&self, signature: Signature) -> usize {
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
    fn state<R: Relaxed>(&self, case: usize, other: u32) -> Option<R> {
        let ends = 2 * self.slots.len();
        let mut state = Signature::EMPTY.with_flags((case >> ends & 3) as u32);
        if case >> (ends + 2) == 1 {
            state = state.or(Signature::of_symbol(other, Signature::OPEN));
        }
        for (at, &slot) in self.slots.iter().enumerate() {
            state = state.or(Signature::of_symbol(slot, (case >> (2 * at) & 3) as u64));
        }
        Some(R::from(state)).filter(|state| state.is_valid())
    }

    #[inline(always)]
    fn successors_of(&self, case: usize) -> &[Successor] {
        &self.successors[self.begins[case] as usize..self.begins[case + 1] as usize]
    }
}
