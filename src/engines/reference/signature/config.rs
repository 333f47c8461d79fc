//! The engine's options.

/// The options of [`Signature`](crate::Engine::Signature).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    pub(super) depth_first_bags: bool,
}

impl Config {
    /// Take the bags of *Projet UNO*, the root-to-leaf paths of a depth-first search, instead of those of a good vertex order.
    /// \[default: a vertex order\]
    #[must_use]
    pub fn depth_first_bags(mut self) -> Self {
        self.depth_first_bags = true;
        self
    }
}
