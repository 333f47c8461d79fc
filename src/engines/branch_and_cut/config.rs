//! The engine's options.

/// What solves the linear programs of [`BranchAndCut`](crate::Engine::BranchAndCut). Bounds are proved in integers whichever it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LinearSolver {
    /// longhaul's own dual simplex method.
    #[default]
    Simplex,
    /// [HiGHS](https://highs.dev), where longhaul is built with the feature `highs`.
    Highs,
}

impl LinearSolver {
    /// All of them with their names, as the command line spells them.
    pub const ALL: [(&'static str, LinearSolver); 2] =
        [("simplex", LinearSolver::Simplex), ("highs", LinearSolver::Highs)];
}

/// The options of [`BranchAndCut`](crate::Engine::BranchAndCut).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    pub(super) linear_solver: LinearSolver,
}

impl Config {
    /// What solves the linear programs. \[default: [`Simplex`](LinearSolver::Simplex)\]
    ///
    /// Where longhaul is built without the feature `highs`, questions refuse [`Highs`](LinearSolver::Highs).
    #[must_use]
    pub fn linear_solver(mut self, solver: LinearSolver) -> Self {
        self.linear_solver = solver;
        self
    }

    /// Whether this longhaul was built with what solves the linear programs.
    pub(crate) fn is_built(&self) -> bool {
        self.linear_solver == LinearSolver::Simplex || cfg!(feature = "highs")
    }
}
