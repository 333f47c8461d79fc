//! Cases: a question with edges that are used, edges that are not, and a floor.

use super::Problem;
use crate::engines::branch_and_cut::{CaseSearch, OpenCase, Slice};
use crate::error::Error;
use crate::instance::Ends;
use crate::limits::Limits;
use crate::solution::Stop;

/// A part of a question: the paths that use some edges (visit some vertices, end at some) and not others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case(OpenCase);

/// Inequalities that hold for all paths of a problem, found on the way: whoever begins with them need not find them again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cuts(Vec<u32>);

/// What came of some cases.
#[derive(Clone, Debug)]
pub struct Done {
    /// The best path found that is longer than the floor, with its length.
    pub path: Option<(Vec<u32>, i64)>,
    /// What is left: no path is longer than the floor and the path found, but in these.
    pub open: Vec<Case>,
    /// The cuts by the end.
    pub cuts: Cuts,
    /// Why some are left; [`Exhausted`](Stop::Exhausted) where the slice is over.
    pub stop: Option<Stop>,
    /// Pivots and nodes.
    pub steps: u64,
    /// The most memory that was held at once, in bytes.
    pub peak_bytes: usize,
}

impl Problem {
    /// The one case that is the whole question.
    pub fn whole(&self) -> Case {
        Case(OpenCase { fixed: Vec::new(), bound: self.instance.trivial_bound() })
    }

    /// Somebody to work on cases.
    ///
    /// # Errors
    /// If cycles are asked for and no node that they all visit.
    pub fn case_solver(&self) -> Result<CaseSolver<'_>, Error> {
        if let Ends::Closed { through: None } = self.instance.ends {
            return Err(Error::contradiction(
                "cases are of paths, or of cycles through a given node; give that node with `from`",
            ));
        }
        Ok(CaseSolver(CaseSearch::new(&self.instance)))
    }
}

/// Works on cases of one problem, call after call. What it learns about the problem meanwhile it keeps: the linear program with its
/// cuts, and what branchings have cost. So the next cases are quicker for it than for a new one; any will do.
#[derive(Debug)]
pub struct CaseSolver<'p>(CaseSearch<'p>);

impl CaseSolver<'_> {
    /// Works on cases by branch and cut until they are settled, the slice is over or a limit is spent. Only paths with an edge, and
    /// longer than `floor`, matter. `cuts` are what other solvers of the same problem told.
    ///
    /// The same calls do the same, where slices are of work and there is no limit of time. A floor lower than what it knows makes it begin anew.
    ///
    /// # Panics
    /// If a case is not one of this problem.
    pub fn work_on(&mut self, cases: &[Case], cuts: &Cuts, floor: i64, slice: Slice, limits: &Limits) -> Done {
        let cases: Vec<OpenCase> = cases.iter().map(|case| case.0.clone()).collect();
        let part = self.0.work_on(&cases, &cuts.0, floor, slice, &Problem::budget(limits));
        Done {
            path: part.outcome.best.filter(|&(_, length)| length > floor),
            open: part.open.into_iter().map(Case).collect(),
            cuts: Cuts(part.cuts),
            stop: part.outcome.stop,
            steps: part.outcome.steps,
            peak_bytes: part.outcome.peak_bytes,
        }
    }
}

impl Case {
    /// Proved: no path in it is longer.
    pub fn bound(&self) -> i64 {
        self.0.bound
    }

    /// How much is fixed: edges, vertices and ends.
    pub fn depth(&self) -> usize {
        self.0.fixed.len()
    }

    /// The bound, then what is fixed: all as numbers of 64 and 32 bits, the least significant byte first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let fixed = self.0.fixed.iter().flat_map(|&(column, used)| (2 * column + u32::from(used)).to_le_bytes());
        self.0.bound.to_le_bytes().into_iter().chain(fixed).collect()
    }

    /// What [`to_bytes`](Self::to_bytes) told; `None` if these are no such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (bound, fixed) = bytes.split_first_chunk::<8>()?;
        let fixed = words(fixed)?.into_iter().map(|word| (word / 2, word % 2 == 1)).collect();
        Some(Case(OpenCase { fixed, bound: i64::from_le_bytes(*bound) }))
    }
}

impl Cuts {
    /// As numbers of 32 bits.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// What [`to_bytes`](Self::to_bytes) told; `None` if these are no such bytes. Whatever is no cut of a problem is left out when it is
    /// used.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        words(bytes).map(Cuts)
    }
}

fn words(bytes: &[u8]) -> Option<Vec<u32>> {
    let (chunks, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| chunks.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect())
}
