//! Longest paths of line graphs, found as trails of their roots.
//!
//! A path of the line graph L(H) is a sequence of edges of H, each sharing an end with the next. A *trail* of H is a walk that
//! traverses no edge twice; a single vertex is one. An edge *meets* a trail if the trail visits one of its ends.
//!
//! **Theorem.** The longest path of L(H) has as many vertices as the greatest number of edges that meet one trail of H.
//!
//! *Proof.* Follow a trail, and at the first visit of each vertex tell all edges there that are neither traversed by the trail
//! nor told already; then tell the edge the trail goes on by. Neighbours in this sequence share the vertex at which the trail
//! stands, and the sequence has all edges that meet the trail. Conversely, let e1 … ek be a path of L(H), and let s(i) be an
//! end that e(i) shares with e(i+1). Where s(i) and s(i+1) differ, e(i+1) joins them; so s(1), …, s(k−1) are the vertices of
//! a trail, whose edges are some of the e(i), and each e(i) has an end among them. (For k = 1 take an end of e1.)
//!
//! In the spirit of Frank Harary and Crispin Nash-Williams, *On eulerian and hamiltonian graphs and line graphs*, Canadian
//! Mathematical Bulletin 8, 1965, DOI 10.4153/CMB-1965-051-3, who prove it for Hamiltonian cycles and closed trails. Here in
//! any multigraph, with loops.
//!
//! A first edge e may be given. Then s(1) is one of its ends u, and the trail starts there and has no use for e; so e might
//! as well hang from u alone, with a new vertex at its other end, where the trail starts. That is asked for by making the new
//! vertex worth more than everything else ([`Root::beginning_with`]), once for each end of e.
//!
//! ```text
//! root ──core──► components without idle leaves ──cover──► a trail that meets everything, most often
//!                                              └─plan, relaxation, beam, sweep──► the best trail otherwise
//! ```

mod core;
mod cover;
mod cuts;
mod guess;
mod plan;
mod relaxation;
mod root;
mod sweep;
#[cfg(test)]
mod tests;

use self::core::{Core, Trail};
use self::plan::Plan;
use self::relaxation::Relaxation;
pub(crate) use self::root::Root;
use self::sweep::{Limits, Swept, sweep};
use super::{Budget, Monitor, Outcome};
use crate::solution::Stop;

/// The longest path of the line graph of `root`, beginning with the edge `first` if that is given: its vertices are edges of
/// the root, its value is one less than their number. Only paths of a value above `floor` matter.
pub(crate) fn solve(
    root: &Root,
    first: Option<u32>,
    floor: i64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Outcome {
    let mut search = Search { budget, monitor, best: None, lower: floor, stop: None, steps: 0, peak_bytes: 0 };
    let upper = match first {
        None => search.free(root, i64::MIN),
        Some(first) => {
            let [one, two] = root.ends[first as usize];
            let by_one = root.beginning_with(first, 0);
            if one == two {
                search.free(&by_one, i64::MIN)
            } else {
                // While one end is looked at, the other may lead anywhere.
                let rest = root.ends.len() as i64 - 1;
                let upper = search.free(&by_one, rest);
                search.free(&root.beginning_with(first, 1), upper).max(upper)
            }
        }
    };
    let upper = upper.max(search.lower);
    Outcome { best: search.best, upper, stop: search.stop, steps: search.steps, peak_bytes: search.peak_bytes }
}

struct Search<'a> {
    budget: &'a Budget,
    monitor: &'a mut dyn Monitor,
    best: Option<(Vec<u32>, i64)>,
    /// The value of the best path, or the floor.
    lower: i64,
    stop: Option<Stop>,
    steps: u64,
    peak_bytes: usize,
}

impl Search<'_> {
    /// Looks for the best trail of a root, starting at its bonus where it has one, and returns the bound proved for it. `rest`
    /// bounds all that is not of this root.
    fn free(&mut self, root: &Root, rest: i64) -> i64 {
        let cores = Core::of(root);
        let bytes = cores.iter().map(Core::bytes).sum();
        self.peak_bytes = self.peak_bytes.max(bytes);
        // A trail is worth the edges it meets and the bonus; a path of k vertices has the value k − 1.
        let shift = 1 + root.bonus.map_or(0, |(_, worth)| worth);
        let mut uppers: Vec<i64> = cores.iter().map(|core| core.total - shift).collect();
        let mut upper = uppers.first().copied().unwrap_or(i64::MIN);
        self.monitor.bound(upper.max(rest).max(self.lower));
        for (number, core) in cores.iter().enumerate() {
            if uppers[number] <= self.lower {
                break;
            }
            let later = uppers.get(number + 1).copied().unwrap_or(i64::MIN);
            let others = uppers[..number].iter().copied().max().unwrap_or(i64::MIN).max(later);
            uppers[number] = Component { core, root, shift, rest: others.max(rest), search: self }.solve();
            upper = others.max(uppers[number]);
            self.monitor.bound(upper.max(rest).max(self.lower));
        }
        upper
    }
}

/// One component at work.
struct Component<'c, 's, 'a> {
    core: &'c Core,
    root: &'c Root,
    /// The value of a trail minus that of the path it makes.
    shift: i64,
    /// Bounds the paths that are not of this component.
    rest: i64,
    search: &'s mut Search<'a>,
}

/// States that a beam keeps of each layer.
const BEAM: usize = 2_000;

/// So few states are made sooner than anything is foretold about them.
const SHORT_SWEEP: usize = 2_000;

/// Signatures in all beyond which branch and cut is the better bet.
const MOST_SIGNATURES: u64 = 2_000_000;

impl Component<'_, '_, '_> {
    /// The bound that is proved in the end.
    fn solve(&mut self) -> i64 {
        let budget = self.search.budget;
        let total = self.core.total - self.shift;
        if self.search.stop.is_none() {
            self.search.stop = budget.spent();
        }
        self.offer(self.best_alone());
        if self.settled(total) || self.search.stop.is_some() {
            return total;
        }
        if let Some(trail) = cover::find_cover(self.core, budget) {
            self.offer(trail);
            debug_assert!(self.settled(total));
            return total;
        }
        let mut trail = self.best_alone();
        guess::extend(self.core, &mut trail);
        self.offer(trail);
        let mut upper = total;
        if let Some(plan) = Plan::of(self.core, budget) {
            upper = self.along(&plan, total);
            if self.settled(upper) || self.search.stop.is_some_and(|stop| stop != Stop::MemoryLimit) {
                return upper;
            }
        }
        self.cut(upper)
    }

    /// Sweeps, as far as few states are met: first a narrow sweep, then one blind to what is connected, for a bound, and with
    /// that a beam and the sweep that has the last word.
    fn along(&mut self, plan: &Plan, total: i64) -> i64 {
        let mut upper = self.sweep(plan, self.floor(), None, SHORT_SWEEP).min(total);
        let budget = self.search.budget;
        if self.settled(upper) || self.search.stop.is_some() {
            return upper;
        }
        let Some(relaxation) = Relaxation::of(self.core, plan, self.floor(), MOST_SIGNATURES, budget) else {
            self.search.stop = budget.spent();
            return upper;
        };
        self.search.steps += relaxation.states;
        self.search.peak_bytes = self.search.peak_bytes.max(relaxation.bytes);
        upper = upper.min(relaxation.bound() - self.shift).max(self.search.lower);
        self.bound(upper);
        if !self.settled(upper) {
            upper = upper.min(self.sweep(plan, self.floor(), Some(&relaxation), BEAM));
        }
        // Targets fall from the bound towards the best trail: the first that is reached is the best.
        let mut step = 1;
        while !self.settled(upper) && self.search.stop.is_none() {
            let target = (upper - step).max(self.search.lower);
            upper = upper.min(self.sweep(plan, target + self.shift, Some(&relaxation), usize::MAX));
            self.bound(upper);
            step *= 2;
        }
        upper
    }

    /// Branch and cut, which is never too narrow.
    fn cut(&mut self, upper: i64) -> i64 {
        let mut monitor = Shifted { monitor: self.search.monitor, shift: self.shift, rest: self.rest };
        let floor = self.search.lower.saturating_add(self.shift);
        let cutting = cuts::solve(self.core, floor, upper + self.shift, self.search.budget, &mut monitor);
        self.search.steps += cutting.pivots;
        self.search.peak_bytes = self.search.peak_bytes.max(cutting.peak_bytes);
        self.search.stop = cutting.stop;
        if let Some((trail, _)) = cutting.best {
            self.offer(trail);
        }
        cutting.upper - self.shift
    }

    /// Sweeps once, and returns what is proved: no trail makes a longer path than this.
    fn sweep(&mut self, plan: &Plan, floor: i64, relaxation: Option<&Relaxation>, beam: usize) -> i64 {
        let held = relaxation.map_or(0, |relaxation| relaxation.bytes);
        let memory = self.search.budget.memory.saturating_sub(held);
        let limits = Limits { floor, relaxation, beam, memory };
        let mut monitor = Shifted { monitor: self.search.monitor, shift: self.shift, rest: self.rest };
        let Swept { best, upper, stop, states, peak_bytes } =
            sweep(self.core, plan, &limits, self.search.budget, &mut monitor);
        self.search.steps += states;
        self.search.peak_bytes = self.search.peak_bytes.max(peak_bytes + held);
        self.search.stop = stop;
        if let Some((trail, _)) = best {
            self.offer(trail);
        }
        if upper == i64::MAX { upper } else { upper - self.shift }
    }

    /// What a trail of this core must be worth to be of interest, less one.
    fn floor(&self) -> i64 {
        self.search.lower.saturating_add(self.shift)
    }

    fn settled(&self, upper: i64) -> bool {
        upper <= self.search.lower
    }

    fn bound(&mut self, upper: i64) {
        self.search.monitor.bound(upper.max(self.rest).max(self.search.lower));
    }

    /// Keeps a trail if it makes the best path so far.
    fn offer(&mut self, trail: Trail) {
        let value = self.core.value(&trail) - self.shift;
        if value > self.search.lower {
            let (edges, start) = self.core.lift(&trail);
            let sequence = self.root.sequence_along(&edges, start);
            debug_assert_eq!(sequence.len() as i64 - 1, value);
            self.search.best = Some((sequence, value));
            self.search.lower = value;
            self.search.monitor.incumbent(value);
        }
    }

    /// The best trail of a single vertex.
    fn best_alone(&self) -> Trail {
        let core = self.core;
        let worth = |vertex: u32| {
            let around = core.arcs(vertex).iter().map(|&(_, bundle)| i64::from(core.bundles[bundle as usize].count));
            core.gains[vertex as usize] + around.sum::<i64>()
        };
        let best = (0..core.vertex_count() as u32).max_by_key(|&vertex| worth(vertex));
        core.alone(best.expect("a core has a vertex"))
    }
}

/// Tells of trails as of the paths they make.
struct Shifted<'a> {
    monitor: &'a mut dyn Monitor,
    shift: i64,
    rest: i64,
}

impl Monitor for Shifted<'_> {
    fn incumbent(&mut self, value: i64) {
        self.monitor.incumbent(value - self.shift);
    }

    fn bound(&mut self, upper: i64) {
        self.monitor.bound((upper - self.shift).max(self.rest));
    }
}
