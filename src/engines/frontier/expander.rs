//! From some states to their successors.

use super::filter::Filter;
use super::kernel::{Moved, State};
use super::plan::{Item, Plan, Step};

/// How many states go through a step together, so that each operation is one tight loop and all stays in the cache.
pub(super) const BATCH: usize = 1 << 7;

/// Applies a step to some states at a time, with buffers that are kept.
pub(super) trait Expand<S>: Send + Sync {
    fn new() -> Self;

    /// Says which step comes next, for how many states in all, and by which potential their successors are to be judged.
    fn prepare(&mut self, plan: &Plan, step: &Step, filter: &Filter<'_>, states: usize);

    /// The states after the step that may matter, as far as the potential tells, some perhaps more than once, go `to` where they
    /// are wanted, each with its value and the position of the one it came from; completed paths, without a state, to `done`.
    fn expand(
        &mut self,
        plan: &Plan,
        step: &Step,
        filter: &Filter<'_>,
        states: impl Iterator<Item = (S, i64)>,
        to: impl FnMut(&Item<S>),
        done: impl FnMut(i64, u32),
    );
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

    fn prepare(&mut self, _: &Plan, _: &Step, _: &Filter<'_>, _: usize) {}

    #[inline(always)]
    fn expand(
        &mut self,
        plan: &Plan,
        step: &Step,
        filter: &Filter<'_>,
        states: impl Iterator<Item = (S, i64)>,
        mut to: impl FnMut(&Item<S>),
        mut done: impl FnMut(i64, u32),
    ) {
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
        let may_go_on = |item: &&Item<S>| plan.may_go_on(step, item.state.flags());
        let successors = self.from.iter().filter(may_go_on);
        match filter.potential {
            None => successors.for_each(to),
            Some(potential) => successors.for_each(|item| {
                let gain = filter.measure.gain(item.value);
                if !potential.rules_out(item.state.signature(), gain, filter.bar) {
                    to(item);
                }
            }),
        }
    }
}
