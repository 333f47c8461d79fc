//! From some states to their successors.

use super::filter::Filter;
use super::kernel::{Moved, State};
use super::plan::{Item, Plan, Step};
use super::tables::Lookups;

/// How many states go through a step together, so that each operation is one tight loop and all stays in the cache.
pub(super) const BATCH: usize = 1 << 7;

/// Applies a step to some states at a time, with buffers that are kept.
pub(super) trait Expand<S>: Send + Sync {
    fn new() -> Self;

    /// Says which step comes next, for how many states in all, and how their successors are to be judged.
    fn prepare(&mut self, plan: &Plan, step: &Step, filter: &Filter<'_>, states: usize);

    /// The states after the step that may matter, as far as the filter tells, some perhaps more than once, go `to` where they
    /// are wanted, each with its value and the position of the one it came from; completed paths, without a state, to `done`.
    /// Returns how many states it looked at.
    fn expand(
        &mut self,
        plan: &Plan,
        step: &Step,
        filter: &Filter<'_>,
        states: impl Iterator<Item = (S, i64)>,
        to: impl FnMut(&Item<S>),
        done: impl FnMut(i64, u32),
    ) -> usize;
}

/// By one operation after the other.
#[repr(align(128))]
pub(super) struct Expander<S> {
    from: Vec<Item<S>>,
    to: Vec<Item<S>>,
    lookups: Lookups,
}

impl<S: State> Expand<S> for Expander<S> {
    fn new() -> Self {
        Expander { from: Vec::new(), to: Vec::new(), lookups: Lookups::default() }
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
    ) -> usize {
        let Expander { from, to: next, lookups } = self;
        from.clear();
        from.extend(states.zip(0..).map(|((state, value), from)| Item { state, value, from }));
        for op in &step.ops {
            next.clear();
            plan.branch(op, from, |item, moved, gain, _| match moved {
                Moved::No => {}
                Moved::On(state) => next.push(Item { state, value: item.value + gain, from: item.from }),
                Moved::Done(_) => done(item.value + gain, item.from),
            });
            std::mem::swap(from, next);
        }
        let looked_at = from.len();
        from.retain(|item| plan.may_go_on(step, item.state.flags()));
        let gain = |item: &Item<S>| filter.measure.gain(item.value);
        if let Some(potential) = filter.potential {
            from.retain(|item| !potential.rules_out(item.state.signature(), gain(item), filter.bar));
        }
        match filter.table {
            None => from.iter().for_each(to),
            Some(table) => {
                let rests = lookups.of(table, from.iter().map(|item| item.state.signature()));
                from.iter()
                    .zip(rests)
                    .filter(|(item, rest)| filter.allows(gain(item), **rest))
                    .for_each(|(item, _)| to(item));
            }
        }
        looked_at
    }
}
