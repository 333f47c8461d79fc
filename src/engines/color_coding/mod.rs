//! Color coding: short paths of large graphs, by random labels.
//!
//! Source: N. Alon, R. Yuster, U. Zwick, *Color-coding*, Journal of the ACM 42 (1995) 844–856, doi:10.1145/210332.210337;
//! for sequences of cards §4 of P. Dorbec and C. Gavoille, *Projet UNO* (project text, Université de Bordeaux), whose
//! program stands as printed in [`reference`](super::reference::color_coding). Give every vertex a random label. A path whose labels all differ is found by dynamic programming
//! over (set of labels, last vertex), for such a path has no vertex twice; and a path of `k` vertices has different labels
//! with a chance that depends on `k` only. So enough trials find one, if there is one, as surely as one likes; and what
//! is found is a path for certain.
//!
//! With `k + x` labels a trial costs more and succeeds more often: with probability `(k+x)! / (x! (k+x)^k)` (F. Hüffner,
//! S. Wernicke, T. Zichner, *Algorithm engineering for color-coding with applications to signaling pathway detection*,
//! Algorithmica 52 (2008) 114–132, doi:10.1007/s00453-007-9008-7). After `t` trials a path was missed with probability
//! `(1 - p)^t`. [`choose`] takes the number of labels with the least expected work `t(x) · cost(x)`.
//!
//! - [`table`]: is there any path of `k` vertices? Bit-parallel, one bit a set and vertex.
//! - [`weighted`]: the heaviest one. Sparse tables, pruned by what a walk could still add ([`WalkBounds`](crate::reduce::walks::WalkBounds)).
//!
//! Where there are no more vertices than labels, each gets one of its own: then one trial settles the question for
//! certain (M. Held, R. M. Karp, *A dynamic programming approach to sequencing problems*, Journal of the SIAM 10 (1962)
//! 196–210, doi:10.1137/0110015).

mod config;
mod table;
#[cfg(test)]
mod tests;
mod weighted;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use self::table::{Rows, Table};
use crate::instance::Budget;
use crate::reduce::walks::{Cost, Found, Missed, Walks};
use crate::solution::Stop;

pub use config::Config;
pub(crate) use weighted::heaviest;

/// Sets of labels are bits of a `u32`.
pub(crate) const MOST_LABELS: usize = 31;

/// How the vertices get their labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Labelling {
    /// Each vertex one at random.
    Random,
    /// Each vertex its own.
    Distinct,
}

/// How many labels, and how many trials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plan {
    labels: usize,
    labelling: Labelling,
    /// The probability that one trial finds a given path.
    success: f64,
    trials: u64,
    /// The number of the first of them: trials with as many labels and the same number draw the same ones.
    first_number: u64,
    /// In looks at one arc for 64 sets, about a nanosecond each.
    pub(crate) work: f64,
}

impl Plan {
    /// One trial with as few labels as possible, to be made before those of the plan; `None` if the plan is no more work.
    pub(crate) fn first(&self, walks: &Walks<'_>) -> Option<Plan> {
        let k = walks.k;
        let work = work_of_trial(walks.vertex_count(), walks.arc_count(), k);
        let labelling = Labelling::Random;
        let first = Plan { labels: k, labelling, success: success_probability(k, k), trials: 1, first_number: 0, work };
        (self.trials > 1 || self.work > work).then_some(first)
    }
}

/// The probability that `k` vertices get different labels out of so many: `labels! / ((labels - k)! labels^k)`.
pub(super) fn success_probability(k: usize, labels: usize) -> f64 {
    (0..k).map(|taken| labels.saturating_sub(taken) as f64 / labels as f64).product()
}

/// How many trials, each successful with this probability, all fail with at most the other.
pub(super) fn trials_for(success: f64, failure: f64) -> f64 {
    if success >= 1.0 { 1.0 } else { (failure.ln() / (-success).ln_1p()).ceil().max(1.0) }
}

/// The plan with the least expected work for a graph of `n` vertices and so many arcs among those whose table fits in
/// `memory` bytes; `None` if there is none.
pub(crate) fn choose(n: usize, arcs: usize, k: usize, failure: f64, memory: usize) -> Option<Plan> {
    let random = (k..=MOST_LABELS).map(|labels| (labels, Labelling::Random));
    let distinct = (n <= MOST_LABELS).then_some((n, Labelling::Distinct));
    let fits = |&(labels, _): &(usize, Labelling)| Table::bytes(n, arcs, labels).is_some_and(|bytes| bytes <= memory);
    let plans = random.chain(distinct).filter(fits).map(|(labels, labelling)| {
        let success = match labelling {
            Labelling::Random => success_probability(k, labels),
            Labelling::Distinct => 1.0,
        };
        let trials = trials_for(success, failure);
        let work = trials * table::work_of_trial(n, arcs, k, labels);
        Plan { labels, labelling, success, trials: trials as u64, first_number: 1, work }
    });
    plans.min_by(|one, other| one.work.total_cmp(&other.work))
}

/// The work of one trial with `k` labels, in the unit of [`Plan::work`].
pub(crate) fn work_of_trial(n: usize, arcs: usize, k: usize) -> f64 {
    table::work_of_trial(n, arcs, k, k)
}

/// Looks for any path of `k` vertices by this plan; says how sure it is if there seems to be none.
pub(crate) fn any(walks: &Walks<'_>, plan: &Plan, budget: &Budget) -> (Found, Cost) {
    let rows = Rows::new(walks);
    let (n, arcs) = (walks.vertex_count(), walks.arc_count());
    let bytes = Table::bytes(n, arcs, plan.labels).expect("a plan's table can be counted");
    let fitting = (budget.memory / bytes.max(1)).max(1);
    let threads = budget.threads.min(fitting).min(usize::try_from(plan.trials).unwrap_or(usize::MAX)).max(1);
    let next = AtomicU64::new(0);
    let over = AtomicBool::new(false);
    let work = || {
        let mut table = Table::new(walks, &rows, plan.labels);
        let mut lane = Lane { path: None, done: 0, steps: 0, stop: None };
        let mut labels = vec![0; n];
        while !over.load(Ordering::Relaxed) {
            let trial = next.fetch_add(1, Ordering::Relaxed);
            if trial >= plan.trials {
                break;
            }
            let number = plan.first_number + trial;
            match plan.labelling {
                Labelling::Random => draw(&mut labels, plan.labels, budget.seed, number),
                Labelling::Distinct => (0u8..).zip(&mut labels).for_each(|(label, slot)| *slot = label),
            }
            let mut spent = || {
                lane.stop = budget.spent();
                lane.stop.is_some() || over.load(Ordering::Relaxed)
            };
            let result = table.search(&labels, &mut spent);
            lane.steps = table.steps;
            match result {
                table::Trial::Path(path) => lane.path = Some(path),
                table::Trial::Nothing => lane.done += 1,
                table::Trial::Stopped => {}
            }
            if lane.path.is_some() || lane.stop.is_some() {
                over.store(true, Ordering::Relaxed);
            }
        }
        lane
    };
    let lanes: Vec<Lane> = if threads == 1 {
        vec![work()]
    } else {
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut lanes = vec![work()];
            lanes.extend(others.into_iter().map(|other| other.join().expect("a trial does not panic")));
            lanes
        })
    };
    let spent = Cost {
        stop: lanes.iter().find_map(|lane| lane.stop),
        steps: lanes.iter().map(|lane| lane.steps).sum(),
        peak_bytes: threads * bytes,
        trials: lanes.iter().map(|lane| lane.done + u64::from(lane.path.is_some())).sum(),
        labels: plan.labels,
    };
    let failures: u64 = lanes.iter().map(|lane| lane.done).sum();
    let best = lanes.into_iter().find_map(|lane| lane.path).map(|path| (walks.value(&path), path));
    let missed = match (&best, plan.labelling) {
        (Some(_), _) => Missed::Nothing,
        (None, Labelling::Distinct) if failures > 0 => Missed::Nothing,
        (None, Labelling::Distinct) => Missed::With(1.0),
        (None, Labelling::Random) => missed_after(failures, plan.success),
    };
    (Found { best: best.map(|(value, path)| (path, value)), missed }, spent)
}

/// What one thread brings back.
struct Lane {
    path: Option<Vec<u32>>,
    /// Trials without a path.
    done: u64,
    steps: u64,
    stop: Option<Stop>,
}

/// How likely it is that so many trials all miss a path. Only with one vertex, a trial is sure to succeed.
pub(super) fn missed_after(trials: u64, success: f64) -> Missed {
    if trials == 0 {
        return Missed::With(1.0);
    }
    if success >= 1.0 {
        return Missed::Nothing;
    }
    Missed::With(((-success).ln_1p() * trials as f64).exp())
}

/// The labels of a trial: the same for the same seed, number of labels, and number of the trial.
pub(super) fn draw(labels: &mut [u8], count: usize, seed: u64, trial: u64) {
    let mut rng = Pcg64Mcg::seed_from_u64(mixed(mixed(mixed(seed) ^ count as u64) ^ trial));
    for label in labels {
        *label = ((u64::from(rng.next_u32()) * count as u64) >> 32) as u8;
    }
}

/// Scatters numbers that are close to each other: the finalizer of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, *Fast
/// splittable pseudorandom number generators*, OOPSLA 2014, doi:10.1145/2660193.2660195).
fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
