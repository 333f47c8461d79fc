//! By what the states of a layer are dealt out to shards.
//!
//! A step changes the few slots that it touches, and of the others at most whether an untouched one counts as closed. So where
//! shards are chosen by slots that the next steps leave alone, all successors of a state are in the shard of the state: then a
//! shard goes through a step by itself, in the cache, and nothing is sent from one to another. What a relaxation says of the
//! successors lies together, too.

use super::kernel::{Signature, State, scattered};

/// What of a signature tells its shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sharding {
    /// All that is said of these slots.
    whole: Signature,
    /// Which of these slots are open, and for what: the others may be closed on the way.
    open: Signature,
}

/// What a step changes: slots, a bit for each.
#[derive(Clone, Copy)]
pub(super) struct Changes {
    /// Where its vertex is placed.
    pub(super) slot: u32,
    pub(super) touched: u32,
    /// Those that may be closed if they are untouched.
    pub(super) closable: u32,
    /// Those whose vertices leave.
    pub(super) leaving: u32,
}

/// So many slots that are left alone are enough to choose by, and this part of those that are taken.
const FEWEST_SLOTS: u32 = 4;
const PART_OF_SLOTS: u32 = 2;

impl Sharding {
    /// By everything.
    pub(super) const BY_ALL: Sharding = Sharding { whole: Signature::NONE, open: Signature::EMPTY };

    fn of(slots: u32, closable: u32) -> Self {
        Sharding { whole: Signature::of_slots(slots & !closable), open: Signature::of_slots(slots & closable) }
    }

    /// The high bits choose the shard.
    #[inline(always)]
    pub(super) fn hash(self, signature: Signature) -> u64 {
        let told = signature.and(self.whole).or(signature.of_open().and(self.open));
        scattered(told.packed())
    }

    /// The shard, of 2 to the power of `bits`.
    #[inline(always)]
    pub(super) fn shard(self, signature: Signature, bits: u32) -> usize {
        // A shift by 64 would be none.
        (self.hash(signature) >> 1 >> (63 - bits)) as usize
    }

    /// Whether all successors of a state are in the shard of the state.
    pub(super) fn outlasts(self, changes: Changes) -> bool {
        let Changes { touched, closable, .. } = changes;
        let touched = self.whole.or(self.open).and(Signature::of_slots(touched));
        touched == Signature::EMPTY && self.whole.and(Signature::of_slots(closable)) == Signature::EMPTY
    }

    /// By what the layer after each step is best dealt out, so that as many steps as possible need not send.
    pub(super) fn best(steps: &[Changes]) -> Vec<Self> {
        let taken = taken_before(steps);
        let mut best = vec![Self::BY_ALL; steps.len()];
        let mut first = 1;
        while first < steps.len() {
            let enough = (taken[first].count_ones() / PART_OF_SLOTS).max(FEWEST_SLOTS);
            let (mut left, mut closable) = (taken[first], 0);
            let mut end = first;
            while end < steps.len() && (left & !steps[end].touched).count_ones() >= enough {
                left &= !steps[end].touched;
                closable |= steps[end].closable;
                end += 1;
            }
            // The step at the end sends again.
            if end > first {
                best[first - 1..end].fill(Self::of(left, closable));
            }
            first = end + 1;
        }
        best
    }
}

/// The slots of the vertices that are on the frontier before each step.
fn taken_before(steps: &[Changes]) -> Vec<u32> {
    let mut taken = 0;
    let before = |changes: &Changes| {
        let before = taken;
        taken = (taken | 1 << changes.slot) & !changes.leaving;
        before
    };
    steps.iter().map(before).collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::super::chains::Core;
    use super::super::expander::{Expand, Expander};
    use super::super::filter::Filter;
    use super::super::kernel::{SignatureOfArcs, Wide, WideArcs};
    use super::super::measure::Measure;
    use super::super::plan::Step;
    use super::super::planner;
    use super::super::tests::{layer_of, random_ends, random_graph, successors};
    use super::*;
    use crate::instance::Instance;
    use crate::rounds::rounds;

    /// Returns how many successors of how many steps were looked at.
    fn look_at<S: State>(core: &Core, rng: &mut Pcg64Mcg) -> [usize; 2] {
        const MOST_STATES: usize = 200;
        let mut order: Vec<u32> = (0..core.vertices.len() as u32).collect();
        if rng.random() {
            rand::seq::SliceRandom::shuffle(&mut order[..], rng);
        }
        let plan = planner::plan(core, &order, Measure::Plain);
        let (mut layer, mut counts) = (vec![(S::EMPTY, 0)], [0; 2]);
        let mut before = Sharding::BY_ALL;
        for step in &plan.steps {
            let (best, _) = successors(&mut Expander::new(), (&plan, step), &Filter::none(), &layer);
            if before == step.sharding && before.outlasts(step.changes()) {
                for &(from, to) in best.keys() {
                    let (state, _) = layer[from as usize];
                    assert_eq!(before.hash(state.signature()), before.hash(to.signature()), "{state:?} {to:?}");
                }
                counts[0] += best.len();
                counts[1] += 1;
            }
            before = step.sharding;
            layer = layer_of(best);
            rand::seq::SliceRandom::shuffle(&mut layer[..], rng);
            layer.truncate(MOST_STATES);
        }
        counts
    }

    #[test]
    fn successors_are_in_the_shard_of_their_state() {
        let mut rng = Pcg64Mcg::seed_from_u64(37);
        let mut counts = [[0; 2]; 4];
        for round in 0..rounds(200) {
            let n = rng.random_range(10..18);
            let (kind, edges) = (round % 4, rng.random_range(2 * n..3 * n));
            let graph = random_graph(n, edges, kind % 2 == 1, false, &mut rng);
            let ends = rng.random();
            let core = Core::new(&Instance { graph, ends: random_ends(n, ends, &mut rng) });
            let seen = match kind {
                0 => look_at::<Signature>(&core, &mut rng),
                1 => look_at::<SignatureOfArcs>(&core, &mut rng),
                2 => look_at::<Wide>(&core, &mut rng),
                _ => look_at::<WideArcs>(&core, &mut rng),
            };
            counts[kind].iter_mut().zip(seen).for_each(|(count, seen)| *count += seen);
        }
        assert!(counts.iter().flatten().all(|&count| count > 20), "{counts:?}");
    }

    #[test]
    fn what_a_step_touches_does_not_outlast_it() {
        let mut rng = Pcg64Mcg::seed_from_u64(41);
        let graph = random_graph(14, 35, true, true, &mut rng);
        let core = Core::new(&Instance { graph, ends: random_ends(14, 0, &mut rng) });
        let order: Vec<u32> = (0..core.vertices.len() as u32).collect();
        let plan = planner::plan(&core, &order, Measure::Plain);
        let steps: Vec<Changes> = plan.steps.iter().map(Step::changes).collect();
        assert!(steps.iter().all(|&step| !Sharding::BY_ALL.outlasts(step)));
        assert!(steps.iter().all(|&step| !Sharding::of(step.touched, 0).outlasts(step)));
        assert!(steps.iter().all(|&step| Sharding::of(0, 0).outlasts(step)));
        // What may be closed tells no more than whether it is open.
        let closing = steps.iter().filter(|step| step.closable & !step.touched != 0);
        let outlasts = |step: Changes, whole: bool| {
            let slots = step.closable & !step.touched;
            Sharding::of(slots, if whole { 0 } else { slots }).outlasts(step)
        };
        let found: Vec<_> = closing.map(|&step| (outlasts(step, true), outlasts(step, false))).collect();
        assert!(!found.is_empty() && found.iter().all(|&both| both == (false, true)), "{found:?}");
    }
}
