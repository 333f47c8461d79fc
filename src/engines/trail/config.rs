//! The engine's options.

/// The options of [`Trail`](crate::Engine::Trail). They change how soon the answer comes, not the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    pub(super) beam_width: usize,
    pub(super) signatures: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { beam_width: 2_000, signatures: 2_000_000 }
    }
}

impl Config {
    /// How many states of each layer a beam keeps, which looks for a good trail before the best. \[default: 2000\]
    #[must_use]
    pub fn beam_width(mut self, states: usize) -> Self {
        self.beam_width = states;
        self
    }

    /// Up to so many signatures in the relaxation the root is swept; beyond, branch and cut is the better bet.
    /// \[default: 2 000 000\]
    #[must_use]
    pub fn signatures(mut self, signatures: u64) -> Self {
        self.signatures = signatures;
        self
    }
}
