//! The door of every engine that takes the uniform problem: whether it has something to say, what it would cost, and the
//! search.

use crate::instance::{Budget, Instance, Monitor, Outcome};
use crate::solution::Stop;

/// What engines that draw lots may fail with, unless told otherwise.
pub(crate) const DEFAULT_FAILURE_PROBABILITY: f64 = 1e-3;

/// Why an engine has nothing to say of an instance.
pub(crate) type Unfit = &'static str;

/// The search: for the best path worth more than a floor, within a budget.
type Search<'i> = dyn FnOnce(i64, &Budget, &mut dyn Monitor) -> Outcome + 'i;

/// What an engine offers for an instance.
pub(crate) struct Offer<'i> {
    /// The memory that it takes in any case.
    pub(crate) bytes: usize,
    /// The time it takes at most before it looks at its limits for the first time.
    pub(crate) nanoseconds: u64,
    pub(crate) solve: Box<Search<'i>>,
}

impl<'i> Offer<'i> {
    /// Of an engine that looks at its limits from the beginning.
    pub(crate) fn of(solve: impl FnOnce(i64, &Budget, &mut dyn Monitor) -> Outcome + 'i) -> Self {
        Offer { bytes: 0, nanoseconds: 0, solve: Box::new(solve) }
    }
}

/// An engine with its options.
pub(crate) trait Door {
    /// Looks at an instance, in linear time.
    fn open<'i>(&'i self, instance: &'i Instance) -> Result<Offer<'i>, Unfit>;

    /// Finds the best path worth more than `floor`; without the time or the memory to begin there is what needs no search: a
    /// single vertex, and a bound.
    fn answer(
        &self,
        instance: &Instance,
        floor: i64,
        budget: &Budget,
        monitor: &mut dyn Monitor,
    ) -> Result<Outcome, Unfit> {
        let Offer { bytes, nanoseconds, solve } = self.open(instance)?;
        let stop = if nanoseconds > 0 && !budget.has_time(nanoseconds) {
            budget.spent().unwrap_or(Stop::TimeLimit)
        } else if bytes > budget.memory {
            Stop::MemoryLimit
        } else {
            return Ok(solve(floor, budget, monitor));
        };
        let outcome = Outcome::nothing_above(floor, instance.trivial_bound());
        monitor.bound(outcome.upper);
        let best = instance.best_single_vertex().filter(|&(_, value)| value > floor);
        if let Some((_, value)) = best {
            monitor.incumbent(value);
        }
        let is_settled = best.as_ref().is_some_and(|&(_, value)| value >= outcome.upper);
        Ok(Outcome { best, stop: (!is_settled).then_some(stop), ..outcome })
    }

    /// The same of all paths; and where the engine has nothing to say, why, with a bound that needs no search.
    fn answer_or_bound(
        &self,
        instance: &Instance,
        budget: &Budget,
        monitor: &mut dyn Monitor,
    ) -> (Outcome, Option<Unfit>) {
        match self.answer(instance, i64::MIN, budget, monitor) {
            Ok(outcome) => (outcome, None),
            Err(why) => {
                let upper = instance.trivial_bound();
                monitor.bound(upper);
                (Outcome { stop: Some(Stop::Exhausted), ..Outcome::nothing_above(i64::MIN, upper) }, Some(why))
            }
        }
    }
}

/// The vertices and edges of an instance together.
pub(crate) fn size(instance: &Instance) -> u64 {
    (instance.graph.vertex_count() + instance.graph.edge_count()) as u64
}
