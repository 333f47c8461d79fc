//! The engines and their options: a folder each, with a `Config` and a door. Every one takes the uniform problem of one dense
//! graph, and none knows another.
//!
//! A question takes an engine by its name, [`Engine`], or by its options, which are told here:
//!
//! ```
//! use longhaul::engines::{Auto, BranchAndBound};
//! use longhaul::{Engine, LongestPath, Reduction};
//! use petgraph::graph::UnGraph;
//!
//! let square = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (3, 0)]);
//! let question = || LongestPath::new(&square);
//! assert_eq!(question().engine(Engine::Frontier).solve()?.length(), Some(3));
//! assert_eq!(question().engine(BranchAndBound::default().steps(1_000)).solve()?.length(), Some(3));
//! assert_eq!(question().engine(Auto::default().without(Reduction::Chains)).solve()?.length(), Some(3));
//! # Ok::<(), longhaul::Error>(())
//! ```

mod auto;
pub(crate) mod branch_and_bound;
pub(crate) mod branch_and_cut;
pub(crate) mod color_coding;
pub(crate) mod conflict;
pub(crate) mod door;
pub(crate) mod euler;
pub(crate) mod frontier;
pub(crate) mod growing;
pub(crate) mod local_search;
pub(crate) mod orders;
pub(crate) mod reference;
pub(crate) mod sieve;
pub(crate) mod sweep;
pub(crate) mod trail;

use self::door::Door;
use crate::engine::Engine;
use crate::error::Error;

pub use self::auto::Config as Auto;
pub use self::branch_and_bound::Config as BranchAndBound;
pub use self::branch_and_cut::{Config as BranchAndCut, LinearSolver};
pub use self::color_coding::Config as ColorCoding;
pub use self::conflict::Config as Conflict;
pub use self::frontier::Config as Frontier;
pub use self::local_search::Config as LocalSearch;
pub use self::reference::backtracking::Config as Backtracking;
pub use self::reference::signature::Config as Signature;
pub use self::sieve::Config as Sieve;
pub use self::trail::Config as Trail;

/// An engine with its options, made from either.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EngineConfig {
    /// Whatever fits the graph.
    Auto(Auto),
    /// Backtracking, pruned or plain.
    Backtracking(Backtracking),
    /// Branch and bound on bit sets.
    BranchAndBound(BranchAndBound),
    /// Branch and cut.
    BranchAndCut(BranchAndCut),
    /// Conflict-driven search.
    Conflict(Conflict),
    /// Dynamic programming over the frontier of a vertex order.
    Frontier(Frontier),
    /// The signature dynamic program.
    Signature(Signature),
    /// The trail of the root of a line graph.
    Trail(Trail),
    /// Local search.
    LocalSearch(LocalSearch),
    /// Color coding, improved or plain.
    ColorCoding(ColorCoding),
    /// The algebraic sieve.
    Sieve(Sieve),
}

impl Default for EngineConfig {
    fn default() -> Self {
        Engine::default().into()
    }
}

impl From<Engine> for EngineConfig {
    /// The engine as it is unless told otherwise.
    fn from(engine: Engine) -> Self {
        match engine {
            Engine::Auto => Auto::default().into(),
            Engine::Backtracking => Backtracking::default().into(),
            Engine::PlainBacktracking => Backtracking::default().plain().into(),
            Engine::BranchAndBound => BranchAndBound::default().into(),
            Engine::BranchAndCut => BranchAndCut::default().into(),
            Engine::Conflict => Conflict::default().into(),
            Engine::Frontier => Frontier::default().into(),
            Engine::Signature => Signature::default().into(),
            Engine::Trail => Trail::default().into(),
            Engine::LocalSearch => LocalSearch::default().into(),
            Engine::ColorCoding => ColorCoding::default().into(),
            Engine::PlainColorCoding => ColorCoding::default().plain().into(),
            Engine::Sieve => Sieve::default().into(),
        }
    }
}

macro_rules! from_options {
    ($($engine:ident),+) => {
        $(impl From<$engine> for EngineConfig {
            fn from(options: $engine) -> Self {
                EngineConfig::$engine(options)
            }
        })+
    };
}

from_options!(
    Auto,
    Backtracking,
    BranchAndBound,
    BranchAndCut,
    Conflict,
    Frontier,
    Signature,
    Trail,
    LocalSearch,
    ColorCoding,
    Sieve
);

impl EngineConfig {
    /// The engine's name.
    pub fn engine(&self) -> Engine {
        match self {
            EngineConfig::Auto(_) => Engine::Auto,
            EngineConfig::Backtracking(options) if options.is_plain => Engine::PlainBacktracking,
            EngineConfig::Backtracking(_) => Engine::Backtracking,
            EngineConfig::BranchAndBound(_) => Engine::BranchAndBound,
            EngineConfig::BranchAndCut(_) => Engine::BranchAndCut,
            EngineConfig::Conflict(_) => Engine::Conflict,
            EngineConfig::Frontier(_) => Engine::Frontier,
            EngineConfig::Signature(_) => Engine::Signature,
            EngineConfig::Trail(_) => Engine::Trail,
            EngineConfig::LocalSearch(_) => Engine::LocalSearch,
            EngineConfig::ColorCoding(options) if options.is_plain => Engine::PlainColorCoding,
            EngineConfig::ColorCoding(_) => Engine::ColorCoding,
            EngineConfig::Sieve(_) => Engine::Sieve,
        }
    }

    /// What the engine may fail with, if it draws lots.
    pub(crate) fn failure_probability(&self) -> Option<f64> {
        match self {
            EngineConfig::ColorCoding(options) => Some(options.failure_probability),
            EngineConfig::Sieve(options) => Some(options.failure_probability),
            _ => None,
        }
    }

    /// The door of an engine that takes the uniform problem by itself: not the chooser, nor what looks for so many vertices.
    pub(crate) fn door(&self) -> Option<&dyn Door> {
        match self {
            EngineConfig::Auto(_) | EngineConfig::ColorCoding(_) | EngineConfig::Sieve(_) => None,
            EngineConfig::Backtracking(options) => Some(options),
            EngineConfig::BranchAndBound(options) => Some(options),
            EngineConfig::BranchAndCut(options) => Some(options),
            EngineConfig::Conflict(options) => Some(options),
            EngineConfig::Frontier(options) => Some(options),
            EngineConfig::Signature(options) => Some(options),
            EngineConfig::Trail(options) => Some(options),
            EngineConfig::LocalSearch(options) => Some(options),
        }
    }

    /// Refuses options out of their range, and what this longhaul was built without.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if let EngineConfig::BranchAndCut(options) = self
            && !options.is_built()
        {
            return Err(Error::contradiction(
                "this longhaul was built without HiGHS; build it with the feature 'highs', or do without '--lp highs'",
            ));
        }
        self.failure_probability().map_or(Ok(()), check_probability)
    }
}

/// Refuses what is no probability of failure.
pub(crate) fn check_probability(failure: f64) -> Result<(), Error> {
    if failure > 0.0 && failure < 1.0 {
        Ok(())
    } else {
        Err(Error::contradiction("a failure probability lies between 0 and 1, neither included; 0.001 is usual"))
    }
}
