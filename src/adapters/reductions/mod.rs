//! Reductions between problems, checked both ways.
//!
//! A [`Problem`] is an instance of a question with the answer yes or no, where a yes has a *solution* that anyone can check. A
//! [`Reduction`] turns an instance into one of another problem with the same answer, and solutions into solutions, forwards
//! and back. Whether it does is what [`Verifier`] finds out: it solves both sides by engines that know nothing of each other,
//! carries every solution over, and where anything disagrees it says what, on the smallest instance it can find.
//!
//! | reduction | from | to | |
//! |---|---|---|---|
//! | [`CubicToSolitaire`] | Hamiltonian path of a cubic graph | UNO for one player | Theorem 4; holds |
//! | [`PathToCooperative`] | Hamiltonian path | cooperative UNO-2 | Theorem 1; holds under strict alternation only |
//! | [`PathToEqualHands`] | Hamiltonian path from a given node | the same, equal hands | Corollary 2; fails as printed |
//! | [`SolitaireToEqualHands`] | UNO for one player | the same, equal hands | mends it, under forced skips |
//! | [`PathToLongPath`] | Hamiltonian path | longest path | |
//! | [`CycleToPath`], [`PathToCycle`] | Hamiltonian cycle, path | Hamiltonian path, cycle | |
//! | [`FreeToFixedEnds`], [`FixedToFreeEnds`] | longest path | longest path | |
//! | [`UndirectedToDirected`] | longest path | longest path of a directed graph | |
//! | [`SolitaireToLongPath`] | UNO for one player | longest path | Observation 1 |
//! | [`UncooperativeToGeography`] | uncooperative UNO-2 | undirected vertex geography | Theorem 7 |
//! | [`GeographyToMatching`] | that on bipartite graphs | a node that some maximum matching misses | Theorem 6 |
//!
//! [`Then`] is one reduction after another, which is a reduction too.
//!
//! The theorems are those of Erik D. Demaine, Martin L. Demaine, Nicholas J. A. Harvey, Ryuhei Uehara, Takeaki Uno, Yushi Uno,
//! *UNO is hard, even for a single player*, Theoretical Computer Science 521, 2014, DOI 10.1016/j.tcs.2013.11.023. Each
//! reduction says what is right in the source, what is not, and why.
//!
//! # Example
//! ```
//! use longhaul::adapters::cubic::named;
//! use longhaul::adapters::reductions::{CubicToSolitaire, HamiltonianPath, Problem, Reduction, solvers};
//! use longhaul::Engine;
//!
//! let petersen = HamiltonianPath::free(named("petersen")?);
//! let hand = CubicToSolitaire.reduce(&petersen)?;
//! assert_eq!(hand.deck.cards().len(), 30);
//!
//! // A way to play all thirty cards is a Hamiltonian path of the Petersen graph.
//! let play = solvers::solitaire(Engine::Auto)(&hand).solution().expect("the Petersen graph has a Hamiltonian path");
//! let path = CubicToSolitaire.carry_back(&petersen, &play)?;
//! assert_eq!(path.len(), 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cooperative;
mod cubic_solitaire;
mod geography;
mod paths;
mod problems;
pub mod solvers;
mod verify;

use std::fmt;

pub use cooperative::{PathToCooperative, PathToEqualHands, SolitaireToEqualHands};
pub use cubic_solitaire::CubicToSolitaire;
pub use geography::{GeographyToMatching, UncooperativeToGeography};
pub use paths::{
    CycleToPath, FixedToFreeEnds, FreeToFixedEnds, PathToCycle, PathToLongPath, SolitaireToLongPath,
    UndirectedToDirected,
};
pub use problems::{
    Cooperative, Geography, HamiltonianCycle, HamiltonianPath, LongPath, MissedNode, Missing, Pairing, Solitaire,
    Uncooperative,
};
pub use verify::{Answer, Clash, Disagreement, Report, Verdict, Verifier};

/// An instance of a question whose answer is yes or no, and is yes where there is a solution.
///
/// Its text form names the whole instance on one line.
pub trait Problem: Clone + fmt::Display {
    /// What shows that the answer is yes.
    type Solution: Clone + fmt::Debug;

    /// Whether this is a solution, by the definition alone.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    fn check(&self, solution: &Self::Solution) -> Result<(), Fault>;

    /// Instances that are a little smaller, for making counterexamples small.
    fn smaller(&self) -> Vec<Self>;
}

/// A way from one problem to another that keeps the answer.
pub trait Reduction {
    /// The problem that is reduced.
    type Source: Problem;
    /// What it is reduced to.
    type Target: Problem;

    /// A name, as the command line spells it.
    fn name(&self) -> &'static str;

    /// The instance with the same answer.
    ///
    /// # Errors
    /// If the reduction is not made for this instance.
    fn reduce(&self, source: &Self::Source) -> Result<Self::Target, Refused>;

    /// Turns a solution of `source` into one of the instance it is reduced to. What it makes of anything else is left open.
    ///
    /// # Errors
    /// If it notices that the way does not lead there.
    fn forward(&self, source: &Self::Source, solution: &SourceSolution<Self>) -> Result<TargetSolution<Self>, Fault>;

    /// Turns a solution of the instance that `source` is reduced to into one of `source`. What it makes of anything else is
    /// left open.
    ///
    /// # Errors
    /// If it notices that the way does not lead back.
    fn back(&self, source: &Self::Source, solution: &TargetSolution<Self>) -> Result<SourceSolution<Self>, Fault>;

    /// [`forward`](Self::forward), with the solution checked before and after.
    ///
    /// # Errors
    /// If the reduction refuses the instance, this is no solution, or what it leads to is none.
    fn carry_forward(
        &self,
        source: &Self::Source,
        solution: &SourceSolution<Self>,
    ) -> Result<TargetSolution<Self>, Fault> {
        let target = self.reduce(source).map_err(|refused| Fault::new(refused.to_string()))?;
        source.check(solution)?;
        let carried = self.forward(source, solution)?;
        target.check(&carried).map_err(|fault| fault.after("carried forward, the solution is none"))?;
        Ok(carried)
    }

    /// [`back`](Self::back), with the solution checked before and after.
    ///
    /// # Errors
    /// As [`carry_forward`](Self::carry_forward).
    fn carry_back(
        &self,
        source: &Self::Source,
        solution: &TargetSolution<Self>,
    ) -> Result<SourceSolution<Self>, Fault> {
        let target = self.reduce(source).map_err(|refused| Fault::new(refused.to_string()))?;
        target.check(solution)?;
        let carried = self.back(source, solution)?;
        source.check(&carried).map_err(|fault| fault.after("carried back, the solution is none"))?;
        Ok(carried)
    }
}

/// A solution of what a reduction starts from.
pub type SourceSolution<R> = <<R as Reduction>::Source as Problem>::Solution;

/// A solution of what a reduction leads to.
pub type TargetSolution<R> = <<R as Reduction>::Target as Problem>::Solution;

/// Why something is no solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(String);

impl Fault {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Fault(what.into())
    }

    fn after(self, before: &str) -> Self {
        Fault(format!("{before}: {}", self.0))
    }
}

/// Why a reduction is not made for an instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reduction} does not take this instance: {reason}")]
pub struct Refused {
    reduction: &'static str,
    reason: String,
    node: Option<usize>,
}

impl Refused {
    pub(super) fn new(reduction: &'static str, reason: impl Into<String>) -> Self {
        Refused { reduction, reason: reason.into(), node: None }
    }

    fn at(self, node: Option<usize>) -> Self {
        Refused { node, ..self }
    }

    /// The index of the node that is to blame, where one is.
    pub fn node(&self) -> Option<usize> {
        self.node
    }
}

/// The first reduction, then the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Then<A, B>(
    /// What comes first.
    pub A,
    /// What comes second.
    pub B,
);

impl<A: Reduction, B: Reduction<Source = A::Target>> Reduction for Then<A, B> {
    type Source = A::Source;
    type Target = B::Target;

    /// The name of the second: it tells where the way leads.
    fn name(&self) -> &'static str {
        self.1.name()
    }

    fn reduce(&self, source: &A::Source) -> Result<B::Target, Refused> {
        self.1.reduce(&self.0.reduce(source)?)
    }

    fn forward(&self, source: &A::Source, solution: &SourceSolution<A>) -> Result<TargetSolution<B>, Fault> {
        let between = self.0.reduce(source).map_err(|refused| Fault::new(refused.to_string()))?;
        self.1.forward(&between, &self.0.forward(source, solution)?)
    }

    fn back(&self, source: &A::Source, solution: &TargetSolution<B>) -> Result<SourceSolution<A>, Fault> {
        let between = self.0.reduce(source).map_err(|refused| Fault::new(refused.to_string()))?;
        self.0.back(source, &self.1.back(&between, solution)?)
    }
}
