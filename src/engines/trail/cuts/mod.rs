//! Branch and cut on the root: a linear program over lines and vertices, cut down to the trails, and a tree of cases where that
//! is not enough. For sparse roots too wide for any sweep.
//!
//! The root of a line graph has far fewer columns than the line graph, and none of its symmetries: which of the edges at a
//! vertex a path takes in which order makes no difference here. The [`model`] says what a trail is to the program, [`trails`]
//! what to the [tree of cases](crate::branching). Every bound is [proved](crate::lp::proof) in integers.
//!
//! With a second thread a tree that takes longer gets a rival on the same core, which spends more of its time [`near`] the best
//! trail. They tell each other of better trails; the first to be done ends both. What is proved does not depend on it.
//!
//! The tree may have as many leaves as there are trails; memory is a few hundred bytes for every open node and every entry of a
//! row.

mod basis;
mod model;
mod near;
mod shared;
mod trails;

use std::sync::Arc;

use self::near::Rhythm;
use self::shared::Shared;
use self::trails::{Trails, tree};
use super::bundle::Trail;
use super::core::Core;
use crate::branching::{Known, Pause, Tree};
use crate::instance::{Budget, Monitor, Silent};
use crate::lp::Simplex;
use crate::solution::Stop;
use crate::terms::Basis;

/// Pivots of a first try, some milliseconds: most roots of a hundred vertices are settled by then.
pub(super) const FIRST_TRY: u64 = 500;
/// Pivots before a second thread joins in.
pub(super) const ALONE: u64 = 3_000;

/// What the trees bring back.
pub(super) struct Cutting {
    /// The best trail above the floor, with its value.
    pub(super) best: Option<(Trail, i64)>,
    /// No trail is worth more than this or the floor, whichever is greater.
    pub(super) upper: i64,
    pub(super) stop: Option<Stop>,
    pub(super) pivots: u64,
    pub(super) peak_bytes: usize,
    /// Where the program stood at the root, or in the end if that was the root, where it was asked for.
    pub(super) basis: Option<Basis>,
}

impl Cutting {
    fn of(mut tree: Tree<Trails<'_>, Simplex>, stop: Option<Stop>) -> Self {
        let pivots = tree.pivots();
        tree.formulation.note_basis(&tree.relaxation);
        let basis = tree.formulation.basis;
        let Known { best, upper, peak_bytes, .. } = tree.known;
        Cutting { best, upper, stop, pivots, peak_bytes, basis }
    }

    /// What two trees of the same core found.
    fn merge(mut self, other: Cutting) -> Self {
        let value = |cutting: &Cutting| cutting.best.as_ref().map_or(i64::MIN, |&(_, value)| value);
        if value(&other) > value(&self) {
            self.best = other.best;
        }
        if other.stop.is_none() {
            self.stop = None;
        }
        self.upper = self.upper.min(other.upper);
        self.pivots += other.pivots;
        self.peak_bytes += other.peak_bytes;
        self
    }
}

/// Branch and cut on a core, which can be left and taken up again: the search for the best trail of two vertices or more.
pub(super) struct Cuts<'c> {
    core: &'c Core,
    tree: Box<Tree<Trails<'c>, Simplex>>,
}

impl<'c> Cuts<'c> {
    /// Looks for trails worth more than `floor`, where `upper` bounds all. Where a proof will be made, `notes_basis`.
    pub(super) fn new(core: &'c Core, floor: i64, upper: i64, notes_basis: bool) -> Self {
        let mut tree = tree(core, Known::between(floor, upper));
        tree.formulation.notes_basis = notes_basis;
        Cuts { core, tree: Box::new(tree) }
    }

    /// Takes note of what others have found and proved.
    pub(super) fn learn(&mut self, floor: i64, upper: i64) {
        let known = &mut self.tree.known;
        known.floor = known.floor.max(floor);
        known.upper = known.upper.min(upper);
    }

    /// What it holds.
    pub(super) fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// So many pivots: what they bring, or the search to go on with, and what is known by then.
    pub(super) fn try_first(
        mut self,
        pivots: u64,
        budget: &Budget,
        monitor: &mut dyn Monitor,
    ) -> Result<Cutting, (Self, Known<Trail>)> {
        match self.tree.run(Pause::AtPivots(pivots), budget, monitor) {
            Some(Stop::Exhausted) => {
                let known = self.tree.known.clone();
                Err((self, known))
            }
            stop => Ok(Cutting::of(*self.tree, stop)),
        }
    }

    /// Searches to the end. After `alone` pivots a second thread joins in, if there is one.
    pub(super) fn finish(mut self, alone: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Cutting {
        let pause = if budget.threads > 1 { Pause::AtPivots(alone) } else { Pause::Never };
        let stop = self.tree.run(pause, budget, monitor);
        let is_paused = stop == Some(Stop::Exhausted) && budget.threads > 1;
        if is_paused { beside_a_rival(self.core, *self.tree, budget, monitor) } else { Cutting::of(*self.tree, stop) }
    }
}

/// Goes on with two trees, each in a thread of its own.
fn beside_a_rival(
    core: &Core,
    mut first: Tree<Trails<'_>, Simplex>,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Cutting {
    // Each holds half of the memory.
    let mut half = budget.clone();
    half.memory /= 2;
    half.seed = half.seed.wrapping_add(1);
    let shared = Arc::<Shared>::default();
    let known = first.known.clone();
    first.formulation.shared = Some(Arc::clone(&shared));
    std::thread::scope(|scope| {
        let helper = scope.spawn(|| {
            let mut helper = tree(core, known);
            helper.formulation.shared = Some(Arc::clone(&shared));
            helper.formulation.rhythm = Rhythm::without_pause();
            let stop = helper.run(Pause::Never, &half, &mut Silent);
            if stop.is_none() {
                shared.end();
            }
            Cutting::of(helper, stop)
        });
        let stop = first.run(Pause::Never, &half, monitor);
        shared.end();
        let cutting = Cutting::of(first, stop);
        let other = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        cutting.merge(other)
    })
}
