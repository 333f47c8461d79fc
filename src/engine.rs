//! Engines by name: how one is asked for, and how an answer says which one settled it.

use std::str::FromStr;

use crate::named::named;

/// The engines that can be asked for by name. The options of each are in [`engines`](crate::engines).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
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

named!(
    Engine, "engine", "engines", 13:
    "auto" => Auto,
    "backtracking" => Backtracking,
    "plain-backtracking" => PlainBacktracking,
    "branch-and-bound" => BranchAndBound,
    "branch-and-cut" => BranchAndCut,
    "conflict" => Conflict,
    "frontier" => Frontier,
    "signature" => Signature,
    "trail" => Trail,
    "local-search" => LocalSearch,
    "color-coding" => ColorCoding,
    "plain-color-coding" => PlainColorCoding,
    "sieve" => Sieve,
);

/// A name that no engine has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine '{0}'; the engines are {names}", names = Engine::ALL.map(|(name, _)| name).join(", "))]
pub struct UnknownEngine(String);

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        Engine::of_name(name).ok_or_else(|| UnknownEngine(name.to_owned()))
    }
}

/// Who is at work, and by which method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Method {
    pub(crate) engine: Engine,
    /// The engine's name, or that of a step of it.
    pub(crate) name: &'static str,
}

impl Method {
    /// A step of an engine that has a name of its own.
    pub(crate) const fn step(engine: Engine, name: &'static str) -> Self {
        Method { engine, name }
    }
}

impl From<Engine> for Method {
    fn from(engine: Engine) -> Self {
        Method { engine, name: engine.name() }
    }
}
