//! The engine's options.

/// The options of [`BranchAndBound`](crate::Engine::BranchAndBound).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub(super) steps: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { steps: u64::MAX }
    }
}

impl Config {
    /// Give up, as [exhausted](crate::Stop::Exhausted), after so many steps on each thread. \[default: no limit\]
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }
}
