//! What a sweep is guided by: bounds on what a state can still become, from the relaxation or from potentials.

use super::filter::Filter;
use super::measure::Measure;
use super::potentials::{Potential, Potentials};
use super::relaxation::Relaxation;
use super::tables::Table;
use crate::instance::Budget;
use crate::solution::Stop;

/// The bounds of all layers.
#[derive(Clone, Copy)]
pub(super) struct CompletionBounds<'a> {
    relaxation: Option<&'a Relaxation>,
    potentials: Option<&'a Potentials>,
    measure: Measure,
}

/// The bounds of one layer.
pub(super) struct LayerBounds {
    table: Option<Table>,
    potential: Option<Potential>,
    measure: Measure,
}

impl<'a> CompletionBounds<'a> {
    pub(super) fn none(measure: Measure) -> Self {
        CompletionBounds { relaxation: None, potentials: None, measure }
    }

    pub(super) fn by_relaxation(relaxation: &'a Relaxation, measure: Measure) -> Self {
        CompletionBounds { relaxation: Some(relaxation), potentials: None, measure }
    }

    pub(super) fn by_potentials(potentials: Option<&'a Potentials>, measure: Measure) -> Self {
        CompletionBounds { relaxation: None, potentials, measure }
    }

    /// The bounds after this many steps, for paths worth more than the target, made from words of earlier ones.
    pub(super) fn at(&self, step: usize, target: i64, budget: &Budget, words: Vec<u64>) -> Result<LayerBounds, Stop> {
        let bar = self.measure.bar(target);
        let table = self.relaxation.map(|relaxation| relaxation.table(step, bar, budget, words)).transpose()?;
        let potential = self.potentials.map(|potentials| potentials.layer(step));
        Ok(LayerBounds { table, potential, measure: self.measure })
    }

    pub(super) fn bytes(&self) -> usize {
        let potentials = self.potentials.map_or(0, Potentials::bytes);
        self.relaxation.map_or(0, Relaxation::bytes) + potentials
    }
}

impl LayerBounds {
    pub(super) fn filter(&self, target: i64) -> Filter<'_> {
        Filter::new(self.table.as_ref(), self.potential.as_ref(), target, self.measure)
    }

    /// The memory of the table, for the next.
    pub(super) fn into_words(self) -> Vec<u64> {
        self.table.map_or(Vec::new(), Table::into_words)
    }

    pub(super) fn bytes(&self) -> usize {
        self.table.as_ref().map_or(0, Table::bytes)
    }
}
