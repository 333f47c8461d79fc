//! By what the states of a layer are dealt out to shards.
//!
//! A step changes the few slots that it touches, and of the others at most whether an untouched one counts as closed. So where
//! shards are chosen by slots that the next steps leave alone, all successors of a state are in the shard of the state: then a
//! shard goes through a step by itself, in the cache, and nothing is sent from one to another. What a relaxation says of the
//! successors lies together, too.

use super::kernel::{Signature, State, scattered};
use super::plan::Step;

/// What of a signature tells its shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sharding {
    /// All that is said of these slots.
    whole: Signature,
    /// Which of these slots are open, and for what: the others may be closed on the way.
    open: Signature,
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
    pub(super) fn outlasts(self, step: &Step) -> bool {
        let closing = Signature::of_slots(step.closable());
        let touched = self.whole.or(self.open).and(Signature::of_slots(step.touched()));
        touched == Signature::EMPTY && self.whole.and(closing) == Signature::EMPTY
    }

    /// Says of each step by what the layer after it is best dealt out, so that as many steps as possible need not send.
    pub(super) fn choose(steps: &mut [Step], slots: usize) {
        if slots > u32::BITS as usize {
            return;
        }
        let taken = taken_before(steps);
        let mut first = 1;
        while first < steps.len() {
            let enough = (taken[first].count_ones() / PART_OF_SLOTS).max(FEWEST_SLOTS);
            let (mut left, mut closable) = (taken[first], 0);
            let mut end = first;
            while end < steps.len() && (left & !steps[end].touched()).count_ones() >= enough {
                left &= !steps[end].touched();
                closable |= steps[end].closable();
                end += 1;
            }
            // The step at the end sends again.
            if end > first {
                let sharding = Sharding::of(left, closable);
                steps[first - 1..end].iter_mut().for_each(|step| step.sharding = sharding);
            }
            first = end + 1;
        }
    }
}

/// The slots of the vertices that are on the frontier before each step.
fn taken_before(steps: &[Step]) -> Vec<u32> {
    let mut taken = 0;
    let before = |step: &Step| {
        let before = taken;
        taken = (taken | 1 << step.slot) & !step.leaving();
        before
    };
    steps.iter().map(before).collect()
}
