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
//! vertex worth more than everything else ([`Root::beginning_with`]), once for each end of e. Likewise for a last edge; with
//! both given there are four such roots. Where ends earn prizes, trails have [`pendants`].
//!
//! In the same way the longest cycle of L(H), of three vertices or more, has as many vertices as the greatest number of edges
//! that meet one *closed* trail. A cycle through e is one whose trail visits an end of e.
//!
//! ```text
//! root ──fold──► components without trees and chains ──cover──► a trail that meets everything, most often
//!                                                   └─plan, relaxation, beam, sweep──► the best trail otherwise,
//!                                                     cuts where the root is too wide
//! ```

mod bundle;
mod config;
mod contract;
mod core;
mod cover;
mod cuts;
mod end_condition;
mod fold;
mod guess;
mod pendants;
mod plan;
mod prover;
mod relaxation;
mod root;
mod rope;
mod state;
mod sweep;
#[cfg(test)]
mod tests;

use self::bundle::Trail;
pub use self::config::Config;
use self::core::{Core, Cores};
use self::cuts::{Cuts, Cutting};
pub(crate) use self::end_condition::{EndCondition, Query};
use self::plan::Plan;
pub(crate) use self::prover::prove;
use self::relaxation::Relaxation;
pub(crate) use self::root::{Root, Unrooted, root_of};
use self::sweep::{Limits, Swept, sweep};
use crate::engines::door::{Door, Offer, Unfit};
use crate::instance::{Budget, Instance, Monitor, NOT_AN_END, Outcome};
use crate::solution::Stop;
use crate::terms::Basis;

impl Door for Config {
    fn open<'i>(&'i self, instance: &'i Instance) -> Result<Offer<'i>, Unfit> {
        let root = root_of(&instance.graph).map_err(Unrooted::reason)?;
        Ok(Offer::of(move |floor, budget, monitor| {
            solve_with(*self, false, &root, Query::of(&instance.ends), floor, budget, monitor)
        }))
    }
}

/// The longest path of the line graph of `root`, as it is asked for: its vertices are edges of the root, its value is one less
/// than their number, or as many as there are for a cycle, and what its ends earn. Only paths of a value above `floor` matter.
pub(crate) fn solve(root: &Root, query: Query<'_>, floor: i64, budget: &Budget, monitor: &mut dyn Monitor) -> Outcome {
    solve_with(Config::default(), false, root, query, floor, budget, monitor)
}

/// The same, but no more than a look for a trail that meets everything, and small moves; it stops as [`Stop::Exhausted`] unless that
/// is enough.
pub(crate) fn try_shortly(
    root: &Root,
    query: Query<'_>,
    floor: i64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Outcome {
    solve_with(Config::default(), true, root, query, floor, budget, monitor)
}

/// Either of the two with options.
fn solve_with(
    config: Config,
    is_short: bool,
    root: &Root,
    query: Query<'_>,
    floor: i64,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Outcome {
    let lower = floor;
    let mut search = Search {
        config,
        is_short,
        end_condition: query.end_condition,
        earned: query.earned,
        single_vertex: query.single_vertex,
        budget,
        monitor,
        best: None,
        lower,
        stop: None,
        steps: 0,
        peak_bytes: 0,
    };
    let upper = match query.end_condition {
        EndCondition::Free | EndCondition::Closed { through: None } => search.ask(root, i64::MIN),
        EndCondition::Prized { first, last, single_vertex } => {
            search.offer_lone(first, last, single_vertex);
            search.offer_best_pendants(root, first, last);
            search.ask(root, i64::MIN)
        }
        // While one way is looked at, the others may lead anywhere.
        EndCondition::From(first) => {
            search.ask_all(root, sides(root, first).map(|side| root.beginning_with(first, side)))
        }
        EndCondition::Between(first, last) => {
            let by_first = sides(root, first).map(|side| root.beginning_with(first, side));
            let by_both =
                by_first.flat_map(|by_first| sides(root, last).map(move |side| by_first.beginning_with(last, side)));
            search.ask_all(root, by_both)
        }
        EndCondition::Closed { through: Some(edge) } => {
            search.ask_all(root, sides(root, edge).map(|side| root.visiting(root.ends[edge as usize][side])))
        }
    };
    let upper = if search.stop.is_none() { search.lower } else { upper.max(search.lower) };
    if query.turned
        && let Some((path, _)) = &mut search.best
    {
        path.reverse();
    }
    Outcome { best: search.best, upper, stop: search.stop, steps: search.steps, peak_bytes: search.peak_bytes }
}

/// The ends of an edge that make a difference.
fn sides(root: &Root, edge: u32) -> std::ops::Range<usize> {
    let [one, two] = root.ends[edge as usize];
    if one == two { 0..1 } else { 0..2 }
}

struct Search<'a> {
    config: Config,
    /// Nothing dear is tried.
    is_short: bool,
    end_condition: EndCondition<'a>,
    /// What every path earns by its ends.
    earned: i64,
    /// Whether a path of a single edge counts.
    single_vertex: bool,
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
    /// Looks for the best trails of several roots made of one.
    fn ask_all(&mut self, root: &Root, made: impl Iterator<Item = Root>) -> i64 {
        let most = root.ends.len() as i64 + self.earned;
        let mut upper = i64::MIN;
        let mut made = made.peekable();
        while let Some(root) = made.next() {
            let rest = if made.peek().is_some() { most } else { upper };
            upper = upper.max(self.ask(&root, rest));
        }
        upper
    }

    /// The value of a trail minus that of the path it makes. A trail is worth the edges it meets and the bonuses; a path of k
    /// vertices has the value k − 1, a cycle k.
    fn shift(&self, root: &Root) -> i64 {
        let closing = i64::from(!self.is_closed());
        closing + root.bonus() - self.earned
    }

    fn is_closed(&self) -> bool {
        matches!(self.end_condition, EndCondition::Closed { .. })
    }

    /// Looks for the best trail of a root that has all its bonuses, and returns the bound proved for it. `rest` bounds all that
    /// is not of this root.
    fn ask(&mut self, root: &Root, rest: i64) -> i64 {
        let Cores { list: cores, excluded } = Core::of(root, self.end_condition);
        let bytes = cores.iter().map(Core::bytes).sum();
        self.peak_bytes = self.peak_bytes.max(bytes);
        let shift = self.shift(root);
        if let Some(excluded) = excluded {
            self.offer(root, excluded.edges, excluded.start, None, excluded.worth - shift);
        }
        // Those that promise most come first.
        let promised = |number: usize| cores.get(number).map_or(i64::MIN, |core| above(core.most(), shift));
        let mut upper = promised(0);
        self.monitor.bound(upper.max(rest).max(self.lower));
        let mut asked = i64::MIN;
        for (number, core) in cores.iter().enumerate() {
            if promised(number) <= self.lower || matches!(self.stop, Some(Stop::TimeLimit | Stop::Interrupted)) {
                break;
            }
            let later = promised(number + 1);
            let others = asked.max(later);
            asked =
                asked.max(Component { core, root, shift, rest: others.max(rest), search: self, cuts: None }.solve());
            upper = asked.max(later);
            self.monitor.bound(upper.max(rest).max(self.lower));
        }
        upper
    }

    /// Without prizes, what the shortest path or cycle is worth.
    fn least(&self) -> i64 {
        let (closed, single_vertex) = (self.is_closed(), self.single_vertex);
        self.earned + if closed { 3 } else { i64::from(!single_vertex) }
    }

    /// Keeps a trail if it makes the best path so far.
    fn offer(&mut self, root: &Root, edges: Vec<u32>, start: u32, pendants: Option<bundle::Ends>, value: i64) {
        // Without all bonuses it is none that was asked for.
        let counts = matches!(self.end_condition, EndCondition::Prized { .. }) || value >= self.least();
        if value > self.lower && counts {
            let sequence = root.sequence_along(&edges, start, pendants);
            debug_assert!(
                matches!(self.end_condition, EndCondition::Prized { .. })
                    || sequence.len() as i64 - i64::from(!self.is_closed()) + self.earned == value
            );
            self.improve(sequence, value);
        }
    }

    fn improve(&mut self, path: Vec<u32>, value: i64) {
        self.best = Some((path, value));
        self.lower = value;
        self.monitor.incumbent(value);
    }

    /// A path of a single edge.
    fn offer_lone(&mut self, first: &[i64], last: &[i64], single_vertex: bool) {
        let both = (0..).zip(first.iter().zip(last));
        let allowed = both.filter(|&(_, (&first, &last))| single_vertex && first != NOT_AN_END && last != NOT_AN_END);
        let best = allowed.map(|(edge, (&first, &last))| (edge, first + last)).max_by_key(|&(_, value)| value);
        if let Some((edge, value)) = best
            && value > self.lower
        {
            self.improve(vec![edge], value);
        }
    }

    /// Where prizes differ, the best two ends and all edges between would be best of all.
    fn offer_best_pendants(&mut self, root: &Root, first: &[i64], last: &[i64]) {
        let best = |prizes: &[i64], but: Option<u32>| {
            let allowed = (0..).zip(prizes).filter(|&(edge, &prize)| prize != NOT_AN_END && Some(edge) != but);
            allowed.max_by_key(|&(_, &prize)| prize).map(|(edge, _)| edge)
        };
        let Some(one) = best(first, None) else { return };
        let Some(two) = best(last, Some(one)) else { return };
        let earned = first[one as usize] + last[two as usize];
        let end_condition = std::mem::replace(&mut self.end_condition, EndCondition::Between(one, two));
        let outer = std::mem::replace(&mut self.earned, earned);
        for by_one in sides(root, one).map(|side| root.beginning_with(one, side)) {
            for by_both in sides(root, two).map(|side| by_one.beginning_with(two, side)) {
                let cores = Core::of(&by_both, self.end_condition).list;
                let shift = self.shift(&by_both);
                if let Some(core) =
                    cores.first().filter(|core| core.required.len() == 2 && core.total - shift > self.lower)
                {
                    Component { core, root: &by_both, shift, rest: i64::MAX, search: self, cuts: None }.offer_cover();
                }
            }
        }
        (self.end_condition, self.earned) = (end_condition, outer);
    }
}

/// A worth less the shift; the least integer stands for nothing at all.
fn above(worth: i64, shift: i64) -> i64 {
    if worth == i64::MIN { worth } else { worth - shift }
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
    /// Branch and cut, where it has been tried.
    cuts: Option<Cuts<'c>>,
}

/// So few states are made sooner than anything is foretold about them.
const SHORT_SWEEP: usize = 2_000;

/// Programs of more bundles are too large to be solved; that of closed trails has borders of another kind.
const MOST_BUNDLES: usize = 10_000;

/// Up to so many bundles a few cuts are tried before a sweep that may become wide.
const MOST_BUNDLES_TO_TRY: usize = 1_000;

impl<'c> Component<'c, '_, '_> {
    /// The bound that is proved in the end.
    fn solve(&mut self) -> i64 {
        let budget = self.search.budget;
        let total = self.core.most() - self.shift;
        if self.search.stop.is_none() {
            self.search.stop = budget.spent();
        }
        self.offer(self.best_alone());
        if self.settled(total) || self.search.stop.is_some() {
            return total;
        }
        self.offer_cover();
        if self.settled(total) {
            return total;
        }
        self.offer(guess::climb(self.core, budget));
        if self.settled(total) {
            return total;
        }
        if self.search.is_short {
            self.search.stop = Some(Stop::Exhausted);
            return total;
        }
        let mut upper = total;
        if let Some(plan) = Plan::of(self.core, budget) {
            upper = self.along(&plan, total);
            if self.settled(upper) || self.search.stop.is_some_and(|stop| stop != Stop::MemoryLimit) {
                return upper;
            }
        }
        if self.core.bundles.len() > MOST_BUNDLES || self.core.is_closed() {
            self.search.stop = Some(Stop::Exhausted);
            return upper;
        }
        let mut cuts = self.cuts.take().unwrap_or_else(|| self.begin_cuts(upper));
        cuts.learn(self.floor(), upper + self.shift);
        let mut monitor = Shifted { monitor: self.search.monitor, shift: self.shift, rest: self.rest };
        let cutting = cuts.finish(cuts::ALONE, self.search.budget, &mut monitor);
        self.take(cutting)
    }

    /// Tries to meet everything.
    fn offer_cover(&mut self) {
        if let Some(trail) = cover::find_cover(self.core, self.search.budget) {
            self.offer(trail);
        }
    }

    /// Sweeps, as far as few states are met: first a narrow sweep, then, if a few cuts don't settle it, one blind to what is
    /// connected, for a bound, and with that a beam and the sweep that has the last word.
    fn along(&mut self, plan: &Plan, total: i64) -> i64 {
        let mut upper = self.sweep(plan, self.floor(), None, SHORT_SWEEP).min(total);
        let budget = self.search.budget;
        if self.settled(upper) || self.search.stop.is_some() {
            return upper;
        }
        if !self.core.is_closed() && self.core.bundles.len() <= MOST_BUNDLES_TO_TRY {
            upper = self.try_cuts(upper);
            if self.settled(upper) || self.search.stop.is_some() {
                return upper;
            }
        }
        let Config { beam_width, signatures } = self.search.config;
        let mut left = budget.clone();
        left.memory = left.memory.saturating_sub(self.held_by_cuts());
        let Some(relaxation) = Relaxation::of(self.core, plan, self.floor(), signatures, &left) else {
            self.search.stop = budget.spent();
            return upper;
        };
        self.search.steps += relaxation.states;
        self.search.peak_bytes = self.search.peak_bytes.max(relaxation.bytes);
        upper = upper.min(relaxation.bound() - self.shift).max(self.low());
        self.bound(upper);
        if !self.settled(upper) {
            upper = upper.min(self.sweep(plan, self.floor(), Some(&relaxation), beam_width));
        }
        // Targets fall from the bound towards the best trail: the first that is reached is the best.
        let mut step = 1;
        while !self.settled(upper) && self.search.stop.is_none() {
            let target = (upper - step).max(self.low());
            upper = upper.min(self.sweep(plan, target + self.shift, Some(&relaxation), usize::MAX));
            self.bound(upper);
            step *= 2;
        }
        upper
    }

    /// Branch and cut, for which no root is too wide.
    fn begin_cuts(&mut self, upper: i64) -> Cuts<'c> {
        let notes_basis = self.search.monitor.basis().is_some();
        Cuts::new(self.core, self.floor(), upper + self.shift, notes_basis)
    }

    /// Tries a few cuts, and keeps the search if it has not come to its end.
    fn try_cuts(&mut self, upper: i64) -> i64 {
        let cuts = self.begin_cuts(upper);
        let mut monitor = Shifted { monitor: self.search.monitor, shift: self.shift, rest: self.rest };
        match cuts.try_first(cuts::FIRST_TRY, self.search.budget, &mut monitor) {
            Ok(cutting) => {
                let upper = self.take(cutting).min(upper);
                // A sweep may need less.
                self.search.stop = self.search.stop.filter(|stop| *stop != Stop::MemoryLimit);
                upper
            }
            Err((cuts, known)) => {
                self.cuts = Some(cuts);
                self.search.peak_bytes = self.search.peak_bytes.max(known.peak_bytes);
                if let Some((trail, _)) = known.best {
                    self.offer(trail);
                }
                (known.upper - self.shift).min(upper)
            }
        }
    }

    /// The bytes of branch and cut that waits for a sweep to end.
    fn held_by_cuts(&self) -> usize {
        self.cuts.as_ref().map_or(0, Cuts::bytes)
    }

    /// Takes what branch and cut has brought, and returns what it has proved.
    fn take(&mut self, cutting: Cutting) -> i64 {
        if let (Some(basis), Some(place)) = (cutting.basis, self.search.monitor.basis()) {
            place.add(basis);
        }
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
        let held = relaxation.map_or(0, |relaxation| relaxation.bytes) + self.held_by_cuts();
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

    /// What a path must be worth to be of interest, less one: nothing that is asked for is worth no more than the least.
    fn low(&self) -> i64 {
        let least = match self.core.pendants() {
            Some(pendants) => pendants.least_both,
            None => self.search.least() - 1,
        };
        self.search.lower.max(least)
    }

    /// The same of a trail.
    fn floor(&self) -> i64 {
        self.low() + self.shift
    }

    fn settled(&self, upper: i64) -> bool {
        upper <= self.low()
    }

    fn bound(&mut self, upper: i64) {
        self.search.monitor.bound(upper.max(self.rest).max(self.search.lower));
    }

    /// Keeps a trail if it makes the best path so far.
    fn offer(&mut self, trail: Trail) {
        let trail = self.core.with_pendants(trail);
        let value = self.core.value(&trail) - self.shift;
        if value > self.search.lower && (self.core.pendants().is_none() || trail.ends.is_some()) {
            let (edges, start) = self.core.lift(&trail);
            self.search.offer(self.root, edges, start, self.core.lift_ends(&trail), value);
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

    fn basis(&mut self) -> Option<&mut Basis> {
        self.monitor.basis()
    }
}
