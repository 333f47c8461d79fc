//! Does a reduction hold on an instance? And if not, on what small one does it fail?

use std::fmt;
use std::time::{Duration, Instant};

use super::{Fault, Problem, Reduction, Refused, SourceSolution, TargetSolution};

/// What a solver says of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<S> {
    /// Yes, by this solution.
    Yes(S),
    /// No; that is proved.
    No,
    /// It ended before it knew, for this reason.
    Unknown(String),
}

impl<S> Answer<S> {
    /// The solution, if there is one.
    pub fn solution(self) -> Option<S> {
        match self {
            Answer::Yes(solution) => Some(solution),
            _ => None,
        }
    }
}

/// A solver of one side, as the verifier keeps it.
type Solver<'a, P> = Box<dyn Fn(&P) -> Answer<<P as Problem>::Solution> + 'a>;

/// Checks a reduction on instances, by a solver for each side. The two should have nothing in common.
///
/// # Example
/// ```
/// use longhaul::Engine;
/// use longhaul::adapters::reductions::{HamiltonianPath, PathToLongPath, Verdict, Verifier, solvers};
/// use petgraph::graph::UnGraph;
///
/// let star = HamiltonianPath::free(UnGraph::from_edges([(0, 1), (0, 2), (0, 3)]));
/// let source = solvers::hamiltonian_path(Engine::Backtracking);
/// let verifier = Verifier::new(&PathToLongPath, source, solvers::long_path(Engine::Frontier));
/// assert!(matches!(verifier.verify(&star), Verdict::Agreed(report) if !report.answer));
/// ```
pub struct Verifier<'a, R: Reduction> {
    reduction: &'a R,
    source_solver: Solver<'a, R::Source>,
    target_solver: Solver<'a, R::Target>,
}

/// What became of an instance.
#[derive(Clone, Debug)]
pub enum Verdict<S> {
    /// Both sides agree, and every solution could be carried over.
    Agreed(Report),
    /// Something does not.
    Disagreed(Disagreement<S>),
    /// The reduction is not made for this instance.
    Refused(Refused),
    /// A solver ended before it knew, for this reason.
    Unsettled(String),
}

/// An instance on which a reduction holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The answer of both sides.
    pub answer: bool,
    /// Solutions that were carried over and checked: with the answer yes one forwards, one back, and each of these the other
    /// way again.
    pub carried: usize,
    /// The time of the solver of the source.
    pub source_time: Duration,
    /// The time of the solver of the target.
    pub target_time: Duration,
}

/// An instance on which a reduction fails, or one of the solvers.
#[derive(Clone, Debug)]
pub struct Disagreement<S> {
    /// The instance.
    pub instance: S,
    /// What it is reduced to, in words.
    pub target: String,
    /// What is wrong.
    pub clash: Clash,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Clash {
    /// The solver of the source gives what is no solution.
    #[error("the source's solver is wrong: {0}")]
    SourceSolver(Fault),
    /// The solver of the target gives what is no solution.
    #[error("the target's solver is wrong: {0}")]
    TargetSolver(Fault),
    /// The source has a solution and the target none.
    #[error("the source has the solution {0}, the target has none")]
    OnlySource(String),
    /// The target has a solution and the source none.
    #[error("the target has the solution {0}, the source has none")]
    OnlyTarget(String),
    /// A solution of the source does not lead to one of the target.
    #[error("forwards: {0}")]
    Forward(Fault),
    /// A solution of the target does not lead to one of the source.
    #[error("back: {0}")]
    Back(Fault),
}

impl Clash {
    /// Whether one side has a solution and the other none: the reduction itself is wrong, or a solver.
    pub fn answers_differ(&self) -> bool {
        matches!(self, Clash::OnlySource(_) | Clash::OnlyTarget(_))
    }
}

impl<S: fmt::Display> fmt::Display for Disagreement<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\n  becomes {}\n  {}", self.instance, self.target, self.clash)
    }
}

impl<R: Reduction> fmt::Debug for Verifier<'_, R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Verifier").field("reduction", &self.reduction.name()).finish_non_exhaustive()
    }
}

impl<'a, R: Reduction> Verifier<'a, R> {
    /// A verifier with a solver for each side.
    pub fn new(
        reduction: &'a R,
        source_solver: impl Fn(&R::Source) -> Answer<SourceSolution<R>> + 'a,
        target_solver: impl Fn(&R::Target) -> Answer<TargetSolution<R>> + 'a,
    ) -> Self {
        Verifier { reduction, source_solver: Box::new(source_solver), target_solver: Box::new(target_solver) }
    }

    /// Solves both sides and carries the solutions over.
    pub fn verify(&self, source: &R::Source) -> Verdict<R::Source> {
        let target = match self.reduction.reduce(source) {
            Ok(target) => target,
            Err(refused) => return Verdict::Refused(refused),
        };
        let began = Instant::now();
        let source_answer = (self.source_solver)(source);
        let source_time = began.elapsed();
        let began = Instant::now();
        let target_answer = (self.target_solver)(&target);
        let target_time = began.elapsed();
        let report = |answer, carried| Report { answer, carried, source_time, target_time };
        let outcome = match (source_answer, target_answer) {
            (Answer::Unknown(reason), _) | (_, Answer::Unknown(reason)) => return Verdict::Unsettled(reason),
            (Answer::No, Answer::No) => Ok(report(false, 0)),
            (Answer::Yes(solution), Answer::No) => Err(match source.check(&solution) {
                Ok(()) => Clash::OnlySource(format!("{solution:?}")),
                Err(fault) => Clash::SourceSolver(fault),
            }),
            (Answer::No, Answer::Yes(solution)) => Err(match target.check(&solution) {
                Ok(()) => Clash::OnlyTarget(format!("{solution:?}")),
                Err(fault) => Clash::TargetSolver(fault),
            }),
            (Answer::Yes(at_source), Answer::Yes(at_target)) => {
                self.carry(source, &target, &at_source, &at_target).map(|carried| report(true, carried))
            }
        };
        match outcome {
            Ok(report) => Verdict::Agreed(report),
            Err(clash) => {
                Verdict::Disagreed(Disagreement { instance: source.clone(), target: target.to_string(), clash })
            }
        }
    }

    /// How many solutions were carried over.
    fn carry(
        &self,
        source: &R::Source,
        target: &R::Target,
        at_source: &SourceSolution<R>,
        at_target: &TargetSolution<R>,
    ) -> Result<usize, Clash> {
        source.check(at_source).map_err(Clash::SourceSolver)?;
        target.check(at_target).map_err(Clash::TargetSolver)?;
        let there = self.forward(source, target, at_source)?;
        self.back(source, &there)?;
        let back = self.back(source, at_target)?;
        self.forward(source, target, &back)?;
        Ok(4)
    }

    fn forward(
        &self,
        source: &R::Source,
        target: &R::Target,
        solution: &SourceSolution<R>,
    ) -> Result<TargetSolution<R>, Clash> {
        let carried = self.reduction.forward(source, solution).map_err(Clash::Forward)?;
        target.check(&carried).map_err(Clash::Forward)?;
        Ok(carried)
    }

    fn back(&self, source: &R::Source, solution: &TargetSolution<R>) -> Result<SourceSolution<R>, Clash> {
        let carried = self.reduction.back(source, solution).map_err(Clash::Back)?;
        source.check(&carried).map_err(Clash::Back)?;
        Ok(carried)
    }

    /// The first of these instances that fails in a way that is `meant`, made as small as it gets by taking parts away while
    /// it still fails so. Where every failure is meant that is `|_| true`; [`Clash::answers_differ`] leaves out those of the
    /// way between solutions.
    ///
    /// # Complexity
    /// A verification for each instance up to the first, and for each smaller one that is tried.
    pub fn counterexample(
        &self,
        sources: impl IntoIterator<Item = R::Source>,
        meant: impl Fn(&Clash) -> bool,
    ) -> Option<Disagreement<R::Source>> {
        let fails = |source: &R::Source| match self.verify(source) {
            Verdict::Disagreed(disagreement) if meant(&disagreement.clash) => Some(disagreement),
            _ => None,
        };
        let mut found = sources.into_iter().find_map(|source| fails(&source))?;
        while let Some(smaller) = found.instance.smaller().iter().find_map(fails) {
            found = smaller;
        }
        Some(found)
    }
}
