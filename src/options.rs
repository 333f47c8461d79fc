//! What can be asked of a run beside the question: engines by name, and the options of each.

use std::fmt;
use std::str::FromStr;

use crate::instance::Goal;
use crate::limits::Limits;
use crate::reduce::Reductions;

/// The options that do not depend on the type of the graph.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) engine: Engine,
    pub(crate) limits: Limits,
    pub(crate) goal: Goal,
    pub(crate) reductions: Reductions,
    pub(crate) depth_first_bags: bool,
    pub(crate) linear_solver: LinearSolver,
    pub(crate) failure_probability: f64,
    pub(crate) readable_proof: bool,
}

/// What color coding and the sieve may fail with, unless told otherwise.
pub(crate) const DEFAULT_FAILURE_PROBABILITY: f64 = 1e-3;

impl Default for Options {
    fn default() -> Self {
        Options {
            engine: Engine::Auto,
            limits: Limits::default(),
            goal: Goal::default(),
            reductions: Reductions::all(),
            depth_first_bags: false,
            linear_solver: LinearSolver::Simplex,
            failure_probability: DEFAULT_FAILURE_PROBABILITY,
            readable_proof: false,
        }
    }
}

/// The engines that can be asked for by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Whatever fits the graph; the choice is explained in [`Stats::decisions`](crate::Stats::decisions).
    #[default]
    Auto,
    /// Choose, recurse, keep the best, going back where the rest can't beat it. Exact, exponential.
    Backtracking,
    /// The same without any pruning: the brute force of the sources, as a yardstick.
    PlainBacktracking,
    /// Depth-first branch and bound on bit sets. Exact, for up to 128 vertices; larger graphs get a trivial bound and
    /// [`Stop::Exhausted`](crate::Stop::Exhausted).
    BranchAndBound,
    /// Branch and cut: a linear program over edges and vertices, violated cuts, a tree of cases. Exact; for sparse graphs of
    /// some hundred vertices, however wide.
    BranchAndCut,
    /// Conflict-driven search: a decision question after the other, every contradiction learnt as a clause. Exact; for graphs
    /// with hidden structure, such as reductions from other problems, and for nearly Hamiltonian ones.
    Conflict,
    /// Dynamic programming over the frontier of a vertex order. Exact, exponential in the width of the graph only; a
    /// graph too wide for it gets a bound and [`Stop::Exhausted`](crate::Stop::Exhausted).
    Frontier,
    /// The signature dynamic program of *Projet UNO* (Dorbec, Gavoille) along a path decomposition. Exact, for narrow graphs; cycles get a
    /// trivial bound and [`Stop::Exhausted`](crate::Stop::Exhausted).
    Signature,
    /// The trail of the root that makes the path, where the graph is the line graph of a multigraph: free ends, one or both of
    /// them fixed, cycles. Exact, exponential in the width of the root only, or by branch and cut where that is wide. Cycles of
    /// wide roots get a bound and [`Stop::Exhausted`](crate::Stop::Exhausted); other graphs, and edges that do not all weigh 1,
    /// a trivial one.
    Trail,
    /// Local search alone: a good path soon and no bound but a trivial one. It ends with
    /// [`Stop::Exhausted`](crate::Stop::Exhausted) by an effort of its own unless a limit comes first.
    LocalSearch,
    /// Color coding: random labels, and dynamic programming over sets of labels. Finds paths of up to 30 nodes in large
    /// graphs, the longest by doubling and bisection; proves no bound but what walks do. For [`k_path`](crate::k_path)
    /// above all.
    ColorCoding,
    /// Color coding as *Projet UNO* (Dorbec, Gavoille) prints it, as a yardstick.
    PlainColorCoding,
    /// The algebraic sieve: a polynomial that is not zero exactly if there is a path of so many nodes, evaluated at random.
    /// As [`ColorCoding`](Self::ColorCoding), for edges of equal weight only.
    Sieve,
}

impl Engine {
    /// All engines with their names.
    pub const ALL: [(&'static str, Engine); 13] = [
        ("auto", Engine::Auto),
        ("backtracking", Engine::Backtracking),
        ("plain-backtracking", Engine::PlainBacktracking),
        ("branch-and-bound", Engine::BranchAndBound),
        ("branch-and-cut", Engine::BranchAndCut),
        ("conflict", Engine::Conflict),
        ("frontier", Engine::Frontier),
        ("signature", Engine::Signature),
        ("trail", Engine::Trail),
        ("local-search", Engine::LocalSearch),
        ("color-coding", Engine::ColorCoding),
        ("plain-color-coding", Engine::PlainColorCoding),
        ("sieve", Engine::Sieve),
    ];

    /// The engine's name, as the command line spells it.
    pub fn name(self) -> &'static str {
        let entry = Self::ALL.iter().find(|(_, engine)| *engine == self);
        entry.expect("every engine is in the list").0
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A name that no engine has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine '{0}'; the engines are {names}", names = Engine::ALL.map(|(name, _)| name).join(", "))]
pub struct UnknownEngine(String);

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        let entry = Self::ALL.iter().find(|(known, _)| *known == name);
        entry.map(|(_, engine)| *engine).ok_or_else(|| UnknownEngine(name.to_owned()))
    }
}

/// What solves the linear programs of branch and cut. Bounds are proved in integers whichever it is.
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
