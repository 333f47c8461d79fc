//! The engine's options.

use crate::engines::door::DEFAULT_FAILURE_PROBABILITY;

/// The options of [`Sieve`](crate::Engine::Sieve).
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    pub(crate) failure_probability: f64,
}

impl Default for Config {
    fn default() -> Self {
        Config { failure_probability: DEFAULT_FAILURE_PROBABILITY }
    }
}

impl Config {
    /// Stop looking for a path of so many nodes when one would have been missed with this probability at most.
    /// \[default: 0.001\] \[range: between 0 and 1, both excluded\]
    #[must_use]
    pub fn failure_probability(mut self, probability: f64) -> Self {
        self.failure_probability = probability;
        self
    }
}
