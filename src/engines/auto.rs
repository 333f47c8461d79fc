//! The options of the automatic engine, which is the [strategy](crate::strategy).

use crate::reduce::{Reduction, Reductions};

/// The options of [`Auto`](crate::Engine::Auto).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub(crate) reductions: Reductions,
}

impl Default for Config {
    fn default() -> Self {
        Config { reductions: Reductions::all() }
    }
}

impl Config {
    /// Do without one of the reductions: slower, the answer is the same. \[default: all are used\]
    #[must_use]
    pub fn without(mut self, reduction: Reduction) -> Self {
        self.reductions.switch_off(reduction);
        self
    }
}
