//! The engine's options.

/// The options of [`LocalSearch`](crate::Engine::LocalSearch).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub(super) effort_per_vertex: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { effort_per_vertex: 100_000 }
    }
}

impl Config {
    /// How much work to do for each vertex, unless a limit comes first. A unit is about as long as it takes to look at one
    /// arc, some nanoseconds. \[default: 100 000\]
    #[must_use]
    pub fn effort_per_vertex(mut self, effort: u64) -> Self {
        self.effort_per_vertex = effort;
        self
    }
}
