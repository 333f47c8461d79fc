//! What a sweep is guided by: bounds on what a state can still become, from the relaxation or from potentials.

use super::layer::Filter;
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
}

/// The bounds of one layer.
pub(super) struct LayerBounds {
    table: Option<Table>,
    potential: Option<Potential>,
}

impl<'a> CompletionBounds<'a> {
    pub(super) const NONE: Self = CompletionBounds { relaxation: None, potentials: None };

    pub(super) fn by_relaxation(relaxation: &'a Relaxation) -> Self {
        CompletionBounds { relaxation: Some(relaxation), potentials: None }
    }

    pub(super) fn by_potentials(potentials: Option<&'a Potentials>) -> Self {
        CompletionBounds { relaxation: None, potentials }
    }

    /// The bounds after this many steps, for paths worth more than the target, made from words of earlier ones.
    pub(super) fn at(&self, step: usize, target: i64, budget: &Budget, words: Vec<u64>) -> Result<LayerBounds, Stop> {
        let table = self.relaxation.map(|relaxation| relaxation.table(step, target, budget, words)).transpose()?;
        Ok(LayerBounds { table, potential: self.potentials.map(|potentials| potentials.layer(step)) })
    }

    pub(super) fn bytes(&self) -> usize {
        let potentials = self.potentials.map_or(0, Potentials::bytes);
        self.relaxation.map_or(0, |relaxation| relaxation.bytes) + potentials
    }
}

impl LayerBounds {
    pub(super) fn filter(&self, target: i64) -> Filter<'_> {
        Filter { table: self.table.as_ref(), potential: self.potential.as_ref(), target }
    }

    /// The memory of the table, for the next.
    pub(super) fn into_words(self) -> Vec<u64> {
        self.table.map_or(Vec::new(), Table::into_words)
    }

    pub(super) fn bytes(&self) -> usize {
        self.table.as_ref().map_or(0, Table::bytes)
    }
}
