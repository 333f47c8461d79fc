//! Which states may enter a layer.

use super::measure::Measure;
use super::potentials::Potential;
use super::tables::{NOTHING, Table};

#[derive(Clone, Copy)]
pub(super) struct Filter<'a> {
    /// The relaxation's bound on what a completion adds; a state it does not know leads nowhere.
    pub(super) table: Option<&'a Table>,
    /// A weaker bound on the same, which needs no sweep.
    pub(super) potential: Option<&'a Potential>,
    /// Only paths worth more than this matter.
    pub(super) target: i64,
    /// How values are read.
    pub(super) measure: Measure,
    /// What a state and its rest must exceed.
    pub(super) bar: i64,
}

impl<'a> Filter<'a> {
    pub(super) fn new(
        table: Option<&'a Table>,
        potential: Option<&'a Potential>,
        target: i64,
        measure: Measure,
    ) -> Self {
        Filter { table, potential, target, measure, bar: measure.bar(target) }
    }

    /// Whether a state of this gain may enter, when the table says this of its rest.
    #[inline(always)]
    pub(super) fn allows(&self, gain: i64, rest: i64) -> bool {
        rest != NOTHING && gain + rest > self.bar
    }

    /// Lets all states pass.
    pub(super) fn none() -> Self {
        Self::new(None, None, i64::MIN, Measure::Plain)
    }
}
