//! A linear bound that is known before a sweep.

use super::chains::Core;
use super::kernel::{State, WideArcs};
use super::measure::{self, Measure};
use super::plan::Plan;
use super::planner;
use super::potentials::Potentials;
use crate::instance::{Instance, LinearBound};

/// What is known of all paths before a sweep.
#[derive(Clone, Copy)]
pub(crate) struct Known<'k> {
    /// It prunes what it can.
    pub(crate) bound: &'k LinearBound,
    /// How many states a sweep along the order is predicted to have without it.
    pub(crate) predicted: f64,
}

/// What bounds completions where a linear bound is known: the same steps by gains, and potentials.
pub(super) struct Bounding {
    pub(super) plan: Plan,
    pub(super) potentials: Option<Potentials>,
    pub(super) predicted: f64,
}

impl Bounding {
    /// With the plan whose values are worth and gain.
    pub(super) fn new(instance: &Instance, core: &Core, order: &[u32], known: Known<'_>) -> Option<(Plan, Self)> {
        let Known { bound, predicted } = known;
        let (by_gains, both, measure) = measure::measured(instance, core, bound)?;
        let plan = planner::plan(&by_gains, order, Measure::Plain);
        if plan.slots > WideArcs::SLOTS {
            return None;
        }
        let visits: Vec<i64> = core.vertices.iter().map(|&vertex| bound.visits[vertex as usize]).collect();
        let potentials = Potentials::given(&by_gains, &plan, &visits);
        Some((planner::plan(&both, order, measure), Bounding { plan, potentials, predicted }))
    }
}
