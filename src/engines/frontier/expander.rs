//! From some states to their successors.

use super::kernel::Moved;
use super::kernel::State;
use super::plan::{Item, Plan, Step};

/// How many states go through a step together, so that each operation is one tight loop and all stays in the cache.
pub(super) const BATCH: usize = 1 << 7;

/// Applies a step to some states at a time, with buffers that are kept.
pub(super) trait Expand<S>: Send + Sync {
    fn new() -> Self;

    /// The step that comes next, for about so many states.
    fn prepare(&mut self, plan: &Plan, step: &Step, states: usize);

    /// The states after the step, some perhaps more than once, each with its value and the position of the one it came
    /// from. Completed paths go to `done` with their values and the position they came from.
    fn expand(
        &mut self,
        plan: &Plan,
        step: &Step,
        states: impl Iterator<Item = (S, i64)>,
        done: impl FnMut(i64, u32),
    ) -> &[Item<S>];
}

/// By one operation after the other.
#[repr(align(128))]
pub(super) struct Expander<S> {
    from: Vec<Item<S>>,
    to: Vec<Item<S>>,
}

impl<S: State> Expand<S> for Expander<S> {
    fn new() -> Self {
        Expander { from: Vec::new(), to: Vec::new() }
    }

    fn prepare(&mut self, _: &Plan, _: &Step, _: usize) {}

    #[inline(always)]
    fn expand(
        &mut self,
        plan: &Plan,
        step: &Step,
        states: impl Iterator<Item = (S, i64)>,
        mut done: impl FnMut(i64, u32),
    ) -> &[Item<S>] {
        self.from.clear();
        self.from.extend(states.zip(0..).map(|((state, value), from)| Item { state, value, from }));
        for op in &step.ops {
            self.to.clear();
            plan.branch(op, &self.from, |item, moved, gain, _| match moved {
                Moved::No => {}
                Moved::On(state) => self.to.push(Item { state, value: item.value + gain, from: item.from }),
                Moved::Done(_) => done(item.value + gain, item.from),
            });
            std::mem::swap(&mut self.from, &mut self.to);
        }
        &self.from
    }
}
