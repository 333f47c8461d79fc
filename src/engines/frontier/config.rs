//! The engine's options.

/// The options of [`Frontier`](crate::Engine::Frontier). They change how soon the answer comes, not the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    pub(super) small_search: u64,
    pub(super) small_relaxation: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { small_search: 1 << 14, small_relaxation: 1 << 20 }
    }
}

impl Config {
    /// So many states are made by a first attempt without any relaxation, which settles small graphs. \[default: 2¹⁴\]
    #[must_use]
    pub fn small_search(mut self, states: u64) -> Self {
        self.small_search = states;
        self
    }

    /// So many states may be made by a relaxation before potentials are computed to prune it. \[default: 2²⁰\]
    #[must_use]
    pub fn small_relaxation(mut self, states: u64) -> Self {
        self.small_relaxation = states;
        self
    }
}
