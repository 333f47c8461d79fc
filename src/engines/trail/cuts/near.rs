//! Trails near the best trail.
//!
//! Bounds are close here long before trails are. So now and then all is fixed in which the best trail agrees with a solution
//! of the program, and the few cases left are gone through as a tree of their own, whose bounds mean nothing (E. Danna, E.
//! Rothberg, C. Le Pape, *Exploring relaxation induced neighborhoods to improve MIP solutions*, Mathematical Programming 102
//! (2005) 71–90, doi:10.1007/s10107-004-0518-7). Rows found there hold everywhere.

use fixedbitset::FixedBitSet;

use crate::branching::cases::{Node, NodeOutcome, WHOLE};
use crate::branching::{Formulation, Tree};
use crate::instance::Monitor;
use crate::lp::LinearProgram;
use crate::lp::proof::Range;
use crate::solution::Stop;

/// Pivots for a look at the cases near the best trail: at least, as a part of all before, and how many times as many pass
/// before the next.
const LEAST_FINISH: u64 = 1_000;
const FINISH_SHARE: f64 = 0.3;
const FINISH_PAUSE: u64 = 2;

/// When the neighbourhood of the best trail is looked through.
pub(super) struct Rhythm {
    /// The pivots at which it is time again, and how many times the pivots of one look pass before.
    next: u64,
    pause: u64,
}

impl Default for Rhythm {
    fn default() -> Self {
        Rhythm { next: 0, pause: FINISH_PAUSE }
    }
}

impl Rhythm {
    /// One look after the other.
    pub(super) fn without_pause() -> Self {
        Rhythm { next: 0, pause: 0 }
    }

    pub(super) fn is_time(&self, pivots: u64) -> bool {
        pivots >= self.next
    }

    /// A look took from one number of pivots to the other.
    pub(super) fn note(&mut self, began: u64, now: u64) {
        self.next = now + (now - began).max(LEAST_FINISH) * self.pause;
    }
}

/// Looks for a better answer near the best one, as long as that has success; `used` tells which columns an answer uses.
pub(super) fn search_nearby<F: Formulation, P: LinearProgram>(
    tree: &mut Tree<F, P>,
    used: impl Fn(&F, &F::Answer) -> FixedBitSet,
    monitor: &mut dyn Monitor,
) -> Result<(), Stop> {
    let pivots = LEAST_FINISH.max((tree.pivots() as f64 * FINISH_SHARE) as u64);
    let open = std::mem::take(&mut tree.open);
    let mut result = Ok(());
    loop {
        let before = tree.lower();
        result = result.and_then(|()| search_once(tree, &used, pivots, monitor));
        tree.open.clear();
        if result.is_err() || tree.lower() == before {
            break;
        }
    }
    tree.open = open;
    result
}

/// Fixes all in which the best answer agrees with the present solution, and goes through the cases that are left, with so
/// many pivots.
fn search_once<F: Formulation, P: LinearProgram>(
    tree: &mut Tree<F, P>,
    used: &impl Fn(&F, &F::Answer) -> FixedBitSet,
    pivots: u64,
    monitor: &mut dyn Monitor,
) -> Result<(), Stop> {
    let Some((best, _)) = &tree.known.best else { return Ok(()) };
    let used = used(&tree.formulation, best);
    let columns = (0..used.len()).map(|column| (column, used[column]));
    let agrees = |&(column, used): &(usize, bool)| {
        let value = tree.relaxation.values[column];
        tree.ranges[column] == Range::Free && (value - f64::from(u8::from(used))).abs() < WHOLE
    };
    let fix = |(column, used): (usize, bool)| (column as u32, if used { Range::One } else { Range::Zero });
    let fixed: Vec<(u32, Range)> = columns.filter(agrees).map(fix).collect();
    if fixed.is_empty() {
        return Ok(());
    }
    let most = tree.pivots() + pivots;
    let mut node = Some(Node { fixed, bound: tree.known.upper, branched: None });
    while let Some(mut present) = node.take().or_else(|| tree.open.pop()) {
        if present.bound <= tree.lower() {
            continue;
        }
        if tree.pivots() >= most {
            break;
        }
        if let NodeOutcome::Split { column, value } = tree.look_into(&mut present, false, monitor)? {
            node = Some(tree.split(present, column, value));
        }
    }
    Ok(())
}
