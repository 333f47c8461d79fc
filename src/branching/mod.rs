//! Branch and cut: a linear program cut down to what is meant, and a tree of cases where that is not enough.
//!
//! What the program is about, an engine says by a [`Formulation`]: the columns and rows, which cuts a fractional solution
//! violates, and what it makes of a solution. All else is here, once: the [`Relaxation`] holds the program with its rows and
//! what its multipliers prove in integers, the [`Tree`] bounds, fixes and branches, and the [separation] looks for
//! violated borders and blossoms in the [support] of a solution.

mod beside;
pub(crate) mod cases;
mod choice;
mod flow;
pub(crate) mod halves;
mod look;
mod network;
mod open;
mod progress;
mod relaxation;
pub(crate) mod separation;
mod sets;
pub(crate) mod support;
mod tree;
pub(crate) mod whole;

use self::beside::Beside;
pub(crate) use self::open::is_close;
pub(crate) use self::relaxation::{Active, Relaxation};
pub(crate) use self::tree::{Pause, Tree};

use std::fmt::Debug;
use std::hash::Hash;

use fixedbitset::FixedBitSet;

use crate::instance::{Budget, Congruence, Monitor};
use crate::lp::proof::{Range, Row};
use crate::lp::{LinearProgram, Verdict};
use crate::solution::Stop;

/// A problem as an integer program with columns of 0 and 1, to be maximised.
pub(crate) trait Formulation: Sized {
    /// Why a row holds for every answer.
    type Cut: Clone + Debug + Eq + Hash;
    /// How the row of a cut is written, where there are several ways.
    type Form: Copy;
    /// What is looked for.
    type Answer: Clone;

    /// The vertices that the program is about: they say how many cuts make sense.
    fn vertices(&self) -> usize;
    /// The row of a cut.
    fn row(&mut self, cut: &Self::Cut) -> (Row, Self::Form);
    /// The columns of an answer, where solutions are to be near the best one.
    fn columns(&self, _answer: &Self::Answer) -> Option<FixedBitSet> {
        None
    }
    /// What an answer is worth.
    fn value(&self, answer: &Self::Answer) -> i64;
    /// Adds cuts that a fractional solution violates, each with its violation; no more than those found where a limit is
    /// spent.
    fn separate(&self, values: &[f64], found: &mut Vec<(f64, Self::Cut)>, budget: &Budget);
    /// Adds cuts that come of the rows there are, which hold for all answers.
    fn combine<'r>(
        &self,
        _rows: impl Iterator<Item = &'r Row>,
        _values: &[f64],
        _found: &mut Vec<(f64, Self::Cut)>,
        _budget: &Budget,
    ) {
    }
    /// What a solution in whole numbers violates, and what answer it holds.
    fn take_whole(&self, values: &[f64]) -> (Vec<Self::Cut>, Option<Self::Answer>);
    /// What is answered by the only solution that is left.
    fn only_answer(&self, values: &[f64], budget: &Budget) -> Vec<Self::Answer>;
    /// Answers near a fractional solution; none where it is not time for that.
    fn guess(&self, moment: &Moment<'_>) -> Vec<Self::Answer>;
    /// Looks for answers in a way of its own, which may use the tree's program and leave its bounds of columns as they are.
    /// Asked whenever a node has been split.
    fn search_nearby<P: LinearProgram>(tree: &mut Tree<Self, P>, monitor: &mut dyn Monitor) -> Result<(), Stop>;
    /// Takes note of what others know.
    fn listen(&self, known: &mut Known<Self::Answer>, budget: &Budget, monitor: &mut dyn Monitor);

    /// For every column one that has the same value in all answers but a few; none where nothing is known.
    fn kin(&self, _here: &[Range]) -> Vec<u32> {
        Vec::new()
    }
    /// Whether others have settled the question.
    fn is_over(&self) -> bool {
        false
    }
    /// Whether columns are fixed by their reduced costs.
    fn fixes_columns(&self) -> bool {
        true
    }
    /// Whether nothing but the root is of interest.
    fn is_root_only(&self) -> bool {
        false
    }
    /// Whether every step must be shown by its own multipliers, so that nothing may rest on trials.
    fn is_recording(&self) -> bool {
        false
    }
    /// The program was solved.
    fn note_solved<P: LinearProgram>(&mut self, _relaxation: &Relaxation<Self, P>) {}
    /// The multipliers settled a node: nothing in it is worth more than `lower`.
    fn note_settled<P: LinearProgram>(&mut self, _relaxation: &Relaxation<Self, P>, _lower: i64, _verdict: Verdict) {}
    /// Something else than multipliers settled a node.
    fn note_otherwise_settled(&mut self) {}
    /// Columns that a record fixes before the node is split.
    fn fixed_on_record<P: LinearProgram>(
        &mut self,
        _relaxation: &Relaxation<Self, P>,
        _lower: i64,
    ) -> Vec<(u32, Range)> {
        Vec::new()
    }
}

/// When a guess may be made.
pub(crate) struct Moment<'m> {
    pub(crate) values: &'m [f64],
    pub(crate) is_root: bool,
    /// The round of cuts at this node, from 1.
    pub(crate) round: u32,
    /// The nodes looked into, this one among them.
    pub(crate) nodes: u64,
    /// No answer is worth more.
    pub(crate) upper: i64,
    pub(crate) budget: &'m Budget,
}

/// What is known of a problem.
#[derive(Clone, Debug)]
pub(crate) struct Known<A> {
    /// The best answer worth more than the floor.
    pub(crate) best: Option<(A, i64)>,
    pub(crate) floor: i64,
    /// Nothing is worth more.
    pub(crate) upper: i64,
    /// What all answers may be worth.
    pub(crate) congruence: Congruence,
    pub(crate) peak_bytes: usize,
}

impl<A> Known<A> {
    /// No answer yet; one may have any value above the floor and up to the bound.
    pub(crate) fn between(floor: i64, upper: i64) -> Self {
        Known { best: None, floor, upper, congruence: Congruence::NONE, peak_bytes: 0 }
    }

    /// The value of the best answer, or the floor, which may have risen above it.
    pub(crate) fn value(&self) -> i64 {
        self.best.as_ref().map_or(self.floor, |best| best.1.max(self.floor))
    }

    /// What is worth no more than this is of no use: no answer is worth more than the best and up to this.
    pub(crate) fn lower(&self) -> i64 {
        self.congruence.nothing_above(self.value())
    }

    /// Takes note that nothing but the best answer is worth more than this.
    pub(crate) fn lower_to(&mut self, bound: i64, monitor: &mut dyn Monitor) {
        let upper = self.congruence.greatest_up_to(bound).max(self.value());
        if upper < self.upper {
            self.upper = upper;
            monitor.bound(upper);
        }
    }
}
