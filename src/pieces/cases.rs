//! Cases: a question with edges that are used, edges that are not, and a floor.

use super::Problem;
use super::core::Core;
use crate::engines::branch_and_cut::{self as engine, CaseSearch, OpenCase, Slice};
use crate::error::Error;
use crate::instance::Ends;
use crate::limits::Limits;
use crate::solution::Stop;

/// A part of a question: the paths that use some edges (visit some vertices, end at some) and not others.
#[derive(Clone, Debug, PartialEq)]
pub struct Case(OpenCase);

/// What solvers of one problem learn from each other: inequalities that hold for all its paths, and what branchings have cost. Whoever
/// begins with them need not find them again. Nothing but time depends on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learnt(pub(super) engine::Learnt);

/// What came of some cases.
#[derive(Clone, Debug)]
pub struct Done {
    /// The best path found that is longer than the floor, with its length.
    pub path: Option<(Vec<u32>, i64)>,
    /// What is left: no path is longer than the floor and the path found, but in these.
    pub open: Vec<Case>,
    /// What was learnt beyond what was told, to be [added](Learnt::add) to it.
    pub learnt: Learnt,
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
        Case(OpenCase { fixed: Vec::new(), bound: self.core().instance().trivial_bound(), branched: None })
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
        Ok(CaseSolver { search: CaseSearch::new(self.core().instance()), core: self.core() })
    }
}

/// Works on cases of one problem, call after call. What it learns about the problem meanwhile it keeps: the linear program with its
/// cuts, and what branchings have cost. So the next cases are quicker for it than for a new one; any will do.
#[derive(Debug)]
pub struct CaseSolver<'p> {
    core: &'p Core,
    search: CaseSearch<'p>,
}

impl CaseSolver<'_> {
    /// Works on cases by branch and cut until they are settled, the slice is over or a limit is spent. Only paths with an edge, and
    /// longer than `floor`, matter. `learnt` is all that
    /// solvers of the same problem have told, this one too.
    ///
    /// The same calls do the same, where slices are of work and there is no limit of time. A floor lower than what it knows makes it begin anew.
    ///
    /// # Panics
    /// If a case is not one of this problem.
    pub fn work_on(&mut self, cases: &[Case], learnt: &Learnt, floor: i64, slice: Slice, limits: &Limits) -> Done {
        let cases: Vec<OpenCase> = cases.iter().map(|case| case.0.clone()).collect();
        let part = self.search.work_on(&cases, &learnt.0, floor, slice, &Problem::budget(limits));
        let best = part.outcome.best.filter(|&(_, length)| length > floor);
        Done {
            path: best.map(|(path, length)| (self.core.lift(&path), length)),
            open: part.open.into_iter().map(Case).collect(),
            learnt: Learnt(part.learnt),
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

    /// How much is fixed: edges, chains, vertices and ends.
    pub fn depth(&self) -> usize {
        self.0.fixed.len()
    }

    /// The bound, the last branching if its cost is not yet known, and what is fixed: all as numbers of 64 and 32 bits, the least significant
    /// byte first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let word = |column: u32, used: bool| 2 * column + u32::from(used);
        let branched = self.0.branched.map(|b| (word(b.column, b.used), b.part, b.before));
        let (last, part, before) = branched.unwrap_or((u32::MAX, 0.0, 0.0));
        let mut bytes = self.0.bound.to_le_bytes().to_vec();
        bytes.extend([part.to_le_bytes(), before.to_le_bytes()].as_flattened());
        let fixed = self.0.fixed.iter().map(|&(column, used)| word(column, used));
        bytes.extend(std::iter::once(last).chain(fixed).flat_map(u32::to_le_bytes));
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) told; `None` if these are no such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (bound, rest) = bytes.split_first_chunk::<8>()?;
        let (part, rest) = rest.split_first_chunk::<8>()?;
        let (before, rest) = rest.split_first_chunk::<8>()?;
        let mut words = words(rest)?.into_iter();
        let last = words.next()?;
        let branched = (last != u32::MAX).then(|| engine::Branched {
            column: last / 2,
            used: last % 2 == 1,
            part: f64::from_le_bytes(*part),
            before: f64::from_le_bytes(*before),
        });
        let fixed = words.map(|word| (word / 2, word % 2 == 1)).collect();
        Some(Case(OpenCase { fixed, bound: i64::from_le_bytes(*bound), branched }))
    }
}

impl Learnt {
    /// Takes what a solver has [told](Done::learnt) to what all have: its cuts in place of earlier ones, and what branchings have cost beside
    /// what they had.
    pub fn add(&mut self, told: Learnt) {
        self.0.add(told.0);
    }

    /// As numbers of 32 and 64 bits, the least significant byte first: how many costs there are, each of them, then the cuts.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.0.costs.len() as u32).to_le_bytes().to_vec();
        for cost in &self.0.costs {
            bytes.extend((2 * cost.column + u32::from(cost.used)).to_le_bytes());
            bytes.extend(cost.count.to_le_bytes());
            bytes.extend(cost.sum.to_le_bytes());
        }
        bytes.extend(self.0.cuts.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) told, or nothing where there are no bytes; `None` if these are no such bytes. Whatever is no cut or no
    /// column of a problem is left out when it is used.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() {
            return Some(Learnt::default());
        }
        let (count, rest) = bytes.split_first_chunk::<4>()?;
        let (costs, cuts) = rest.split_at_checked((u32::from_le_bytes(*count) as usize).checked_mul(16)?)?;
        let cost = |entry: &[u8; 16]| {
            let word = |at: usize| u32::from_le_bytes(entry[at..at + 4].try_into().expect("four bytes"));
            let sum = f64::from_le_bytes(entry[8..].try_into().expect("eight bytes"));
            engine::Cost { column: word(0) / 2, used: word(0) % 2 == 1, sum, count: word(4) }
        };
        let costs = costs.as_chunks::<16>().0.iter().map(cost).collect();
        Some(Learnt(engine::Learnt { cuts: words(cuts)?, costs }))
    }
}

fn words(bytes: &[u8]) -> Option<Vec<u32>> {
    let (chunks, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| chunks.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect())
}
