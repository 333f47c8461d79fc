//! The engine's options.

/// How to search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Config {
    /// Breaks ties.
    pub(crate) seed: u64,
    /// Whether edges are chosen or ruled out first.
    pub(crate) phase: bool,
    /// Whether edges that would close short cycles are ruled out at once.
    pub(crate) closing: bool,
    /// Whether their reasons may be those around a fragment.
    pub(crate) short_reasons: bool,
    /// Whether clauses are minimised.
    pub(crate) minimise: bool,
    /// Decisions between looks at connectivity; 0: never.
    pub(crate) connectivity: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { seed: 0, phase: true, closing: true, short_reasons: true, minimise: true, connectivity: 32 }
    }
}
