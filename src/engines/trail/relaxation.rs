//! What the rest of a sweep can earn at most: the same program, blind to what is connected.
//!
//! Forget the parts of a state and keep, for each held vertex, outside / fresh / even / odd, with the odd vertices left behind
//! or the tips taken: its *signature*. Trails then become collections of closed trails with one more trail, so more is possible, never less.
//! There are few signatures (4^w at most, far fewer parts of trails), so first all are found that can be reached, layer by
//! layer, then backwards for each the most that any completion of it can earn. That bounds every state with the signature, and
//! at the start the trails themselves.
//!
//! This is the backward relaxation of longhaul's frontier engine, with parities in place of degrees up to two.

use hashbrown::HashMap;

use super::core::{Core, Ending};
use super::plan::{MOST_SLOTS, Plan};
use super::state::{
    BOTH_TAKEN, FRESH, ODD_SHIFT, OUTSIDE, SLOT_BITS, State, TOUCHED, Taking, most_by_pendants, takings,
};
use crate::instance::Budget;
use crate::scan::Event;

/// Two bits a slot, and the number of odd vertices left behind above them.
type Signature = u64;

const EVEN: u64 = 2;
const ODD: u64 = 3;
const LEFT_ODD: u32 = 2 * MOST_SLOTS as u32;

/// For each event the signatures before it, with the most that can be earned from there on.
pub(super) struct Relaxation {
    layers: Vec<HashMap<Signature, i64>>,
    pub(super) states: u64,
    pub(super) bytes: usize,
}

/// Nothing completes it.
const HOPELESS: i64 = i64::MIN / 4;

const STATES_PER_CLOCK: usize = 1 << 14;

impl Relaxation {
    /// Sweeps forth and back; `None` if there are more than `most` signatures, or a limit is spent. Those that can't lead beyond
    /// `floor` are left out.
    pub(super) fn of(core: &Core, plan: &Plan, floor: i64, most: u64, budget: &Budget) -> Option<Self> {
        let mut layers: Vec<HashMap<Signature, i64>> = Vec::with_capacity(plan.events.len() + 1);
        layers.push(HashMap::from_iter([(0, 0)]));
        let (mut states, mut bytes, mut since_clock) = (0u64, 0, 0);
        for (at, &event) in plan.events.iter().enumerate() {
            let mut next: HashMap<Signature, i64> = HashMap::new();
            let rest = |signature: Signature| plan.rest[at + 1] + most_by_pendants(core, (signature >> LEFT_ODD) as u8);
            for (&signature, &earned) in &layers[at] {
                step(core, event, signature, |signature, gain| {
                    let earned = earned + gain;
                    if earned + rest(signature) > floor {
                        let known = next.entry(signature).or_insert(earned);
                        *known = earned.max(*known);
                    }
                });
                since_clock += 1;
                if since_clock >= STATES_PER_CLOCK {
                    since_clock = 0;
                    let now = next.capacity() * ENTRY_BYTES;
                    if budget.spent().is_some() || bytes + 2 * now > budget.memory || states + next.len() as u64 > most
                    {
                        return None;
                    }
                }
            }
            bytes += next.capacity() * ENTRY_BYTES;
            states += next.len() as u64;
            layers.push(next);
        }
        // From here on the entries say what is still to come.
        if let Some(last) = layers.last_mut() {
            for (&signature, most) in last {
                let is_done = core.pendants().is_none() || signature >> LEFT_ODD == u64::from(BOTH_TAKEN);
                *most = if is_done { 0 } else { HOPELESS };
            }
        }
        for (at, &event) in plan.events.iter().enumerate().rev() {
            let (before, after) = layers.split_at_mut(at + 1);
            let next = &after[0];
            for (&signature, most) in &mut before[at] {
                *most = HOPELESS;
                step(core, event, signature, |signature, gain| {
                    if let Some(&later) = next.get(&signature) {
                        *most = (*most).max(gain + later);
                    }
                });
                since_clock += 1;
                if since_clock >= STATES_PER_CLOCK {
                    since_clock = 0;
                    if budget.spent().is_some() {
                        return None;
                    }
                }
            }
        }
        Some(Relaxation { layers, states, bytes })
    }

    /// No trail with an edge is worth more than this or the floor that was given, whichever is greater.
    pub(super) fn bound(&self) -> i64 {
        self.layers[0].get(&0).copied().unwrap_or(HOPELESS)
    }

    /// What a state before event `at` can still earn at most, if it can get beyond the floor that was given.
    pub(super) fn most_from(&self, at: usize, state: State) -> i64 {
        self.layers[at].get(&signature(state)).copied().unwrap_or(HOPELESS)
    }
}

const ENTRY_BYTES: usize = size_of::<(Signature, i64)>() + 1;

fn signature(state: State) -> Signature {
    let mut signature = ((state >> ODD_SHIFT) as u64) << LEFT_ODD;
    let mut rest = state & ((1 << ODD_SHIFT) - 1);
    let mut slot = 0;
    while rest != 0 {
        let code = rest as u8 & ((1 << SLOT_BITS) - 1);
        let short = if code < TOUCHED { u64::from(code) } else { EVEN | u64::from(code & 1) };
        signature |= short << (2 * slot);
        rest >>= SLOT_BITS;
        slot += 1;
    }
    signature
}

/// All signatures that an event makes of one, each with what is earned.
fn step(core: &Core, event: Event, signature: Signature, mut reach: impl FnMut(Signature, i64)) {
    let code = |slot: u8| signature >> (2 * u32::from(slot)) & 3;
    let (outside, fresh) = (u64::from(OUTSIDE), u64::from(FRESH));
    let taken = (signature >> LEFT_ODD) as u8;
    match event {
        Event::Enter { slot, vertex } => {
            reach(signature, 0);
            let (visited, gain) = (signature | fresh << (2 * slot), core.gains[vertex as usize]);
            reach(visited, gain);
            let place = core.bundles.len() as u32 + vertex;
            for (taking, prize) in takings(core, place, &[true, false], taken, u32::MAX) {
                reach(apply(taking, visited, [slot; 2]), gain + prize);
            }
        }
        Event::Cross { slots, edge: bundle } => {
            let [one, two] = slots.map(code);
            let count = core.bundles[bundle as usize].count;
            if one == outside && two == outside {
                return reach(signature, 0);
            }
            let gain = i64::from(count);
            let mut cross = |signature: Signature, uses: u32| {
                reach(signature, gain);
                for (taking, prize) in takings(core, bundle, &[one != outside, two != outside], taken, count - uses) {
                    reach(apply(taking, signature, slots), gain + prize);
                }
            };
            cross(signature, 0);
            if one == outside || two == outside {
                return;
            }
            let traversed = |parity: u64| {
                let after = |code: u64| if code == fresh { EVEN | parity } else { code ^ parity };
                let [low, high] = slots.map(|slot| 2 * u32::from(slot));
                signature & !(3 << low) & !(3 << high) | after(one) << low | after(two) << high
            };
            cross(traversed(1), 1);
            // Twice changes something only where a vertex is fresh.
            if count >= 2 && (one == fresh || two == fresh) {
                cross(traversed(0), 2);
            }
        }
        Event::Leave { slot } => {
            let low = 2 * u32::from(slot);
            let gone = signature & !(3 << low);
            match code(slot) {
                0 => reach(signature, 0),
                ODD if matches!(core.ending, Ending::Open) && taken < 2 => reach(gone + (1 << LEFT_ODD), 0),
                EVEN => reach(gone, 0),
                _ => {}
            }
        }
    }
}

/// The signature after tips were taken between these slots.
fn apply(taking: Taking, signature: Signature, slots: [u8; 2]) -> Signature {
    let signature = signature | u64::from(taking.pendants()) << LEFT_ODD;
    let ends = [taking.first, taking.last].into_iter().flatten();
    ends.fold(signature, |signature, end| {
        let low = 2 * u32::from(slots[usize::from(end)]);
        let code = signature >> low & 3;
        let after = if code == u64::from(FRESH) { ODD } else { code ^ 1 };
        signature & !(3 << low) | after << low
    })
}
