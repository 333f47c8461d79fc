//! The dynamic program: every vertex is in T or not, every bundle used never, once or twice.
//!
//! A state tells, for each slot, whether its vertex is in T, in which component of (T, F) so far, whether its degree in F is
//! odd, and whether its component has an odd vertex that has left. Cost is settled when a vertex leaves: 1 if it is odd, 2 if
//! it was the last of a component without any odd one. Using a bundle twice joins two components and leaves degrees as they
//! are; components together never cost more than apart, so that is always done rather than not using the bundle at all.

use fixedbitset::FixedBitSet;

use super::plan::{MOST_SLOTS, Plan};
use super::root::Root;
use crate::Stop;
use crate::limits::Meter;
use crate::scan::{Event, Scan};

/// What is asked of trails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::adapters::uno) enum Goal {
    /// To meet all cards, and be as few as possible.
    All,
    /// To meet as many cards as possible, and be no more than so many.
    Most { trails: usize },
}

/// Which vertices and bundles the trails use.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The vertices of T.
    pub(super) visited: FixedBitSet,
    /// By bundle: how many of its cards are traversed, 0, 1 or 2.
    pub(super) used: Vec<u8>,
}

pub(super) struct Swept {
    pub(super) choice: Choice,
    pub(super) steps: u64,
    pub(super) peak_bytes: usize,
}

/// What a slot holds; all zero for a vertex that is not in T, and for no vertex.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Slot {
    /// Components count from 1, in the order of their first slots.
    component: u8,
    odd: bool,
    /// The component has an odd vertex that has left.
    marked: bool,
}

/// A state unpacked.
#[derive(Clone, Copy)]
struct State {
    slots: [Slot; MOST_SLOTS],
    cost: u16,
}

/// A state packed; cost is part of it only where that is limited.
type Key = (u128, u16);

const BITS: usize = 7;

impl State {
    fn unpack((slots, cost): Key) -> Self {
        let mut state = State { slots: [Slot::default(); MOST_SLOTS], cost };
        for (at, slot) in state.slots.iter_mut().enumerate() {
            let bits = (slots >> (BITS * at)) as u8 & 0x7F;
            *slot = Slot { component: bits >> 2, odd: bits & 2 != 0, marked: bits & 1 != 0 };
        }
        state
    }

    /// Packed, with the components named anew.
    fn pack(&self, cost: u16) -> Key {
        let mut names = [0u8; MOST_SLOTS + 2];
        let mut next = 1;
        let mut packed = 0u128;
        for (at, slot) in self.slots.iter().enumerate().filter(|(_, slot)| slot.component > 0) {
            let name = &mut names[slot.component as usize];
            if *name == 0 {
                *name = next;
                next += 1;
            }
            let bits = *name << 2 | u8::from(slot.odd) << 1 | u8::from(slot.marked);
            packed |= u128::from(bits) << (BITS * at);
        }
        (packed, cost)
    }

    fn join(&mut self, one: u8, two: u8) {
        let [kept, gone] = [one, two].map(|slot| self.slots[slot as usize]);
        let marked = kept.marked || gone.marked;
        let both = [kept.component, gone.component];
        for slot in self.slots.iter_mut().filter(|slot| both.contains(&slot.component)) {
            slot.component = kept.component;
            slot.marked = marked;
        }
    }

    /// Its vertex leaves, and its cost is settled.
    fn leave(&mut self, slot: u8) {
        let left = std::mem::take(&mut self.slots[slot as usize]);
        if left.component == 0 {
            return;
        }
        let mut rest = self.slots.iter_mut().filter(|slot| slot.component == left.component).peekable();
        if left.odd {
            self.cost += 1;
        } else if rest.peek().is_none() && !left.marked {
            self.cost += 2;
        }
        rest.for_each(|slot| slot.marked |= left.odd);
    }
}

pub(super) fn sweep(root: &Root, plan: &Plan, goal: Goal, meter: &Meter) -> Result<Swept, Stop> {
    const STATES_BETWEEN_LOOKS: usize = 1 << 10;
    let mut scan = Scan::new((0, 0), 0);
    let (mut steps, mut peak_bytes) = (0, 0);
    for &event in &plan.events {
        for at in 0..scan.len() {
            if at.is_multiple_of(STATES_BETWEEN_LOOKS) {
                let bytes = scan.bytes() + scan.next_bytes();
                peak_bytes = peak_bytes.max(bytes);
                if meter.forbids(bytes) {
                    return Err(Stop::MemoryLimit);
                }
                if let Some(stop) = meter.spent() {
                    return Err(stop);
                }
            }
            let (key, score) = scan.state(at);
            advance(root, event, goal, key, score, &mut |key, score, choice| {
                scan.offer(key, score, (at as u32, choice));
            });
        }
        steps += scan.next_len() as u64;
        scan.advance();
    }
    let best = (0..scan.len()).max_by_key(|&at| scan.state(at).1).expect("T may hold all vertices");
    Ok(Swept { choice: choice(root, plan, &scan, best as u32), steps, peak_bytes })
}

/// What may come of a state by an event: each with its score, and the choice that was made.
fn advance(root: &Root, event: Event, goal: Goal, key: Key, score: i64, offer: &mut dyn FnMut(Key, i64, u8)) {
    let state = State::unpack(key);
    let mut offer = |state: &State, gained: u32, choice: u8| match goal {
        // Every change of cost is one of the score.
        Goal::All => offer(state.pack(0), score - i64::from(state.cost), choice),
        Goal::Most { trails } if usize::from(state.cost) > 2 * trails => {}
        Goal::Most { .. } => offer(state.pack(state.cost), score + i64::from(gained), choice),
    };
    match event {
        Event::Enter { slot, vertex } => {
            let gain = root.gain(vertex);
            if goal != Goal::All || gain == 0 {
                offer(&state, 0, 0);
            }
            let mut visited = state;
            let component = MOST_SLOTS as u8 + 1;
            visited.slots[slot as usize] = Slot { component, odd: false, marked: false };
            offer(&visited, gain, 1);
        }
        Event::Cross { slots: [one, two], edge: bundle } => {
            let count = root.count(bundle);
            let [first, second] = [one, two].map(|slot| state.slots[slot as usize].component);
            if first == 0 || second == 0 {
                let met = if first == second { 0 } else { count };
                if goal != Goal::All || met > 0 {
                    offer(&state, met, 0);
                }
                return;
            }
            let mut once = state;
            once.join(one, two);
            let twice = once;
            for slot in [one, two] {
                once.slots[slot as usize].odd ^= true;
            }
            offer(&once, count, 1);
            match (first == second, count > 1) {
                (false, true) => offer(&twice, count, 2),
                _ => offer(&state, count, 0),
            }
        }
        Event::Leave { slot } => {
            let mut left = state;
            left.leave(slot);
            offer(&left, 0, 0);
        }
    }
}

/// The choices along the way to the best state.
fn choice(root: &Root, plan: &Plan, scan: &Scan<Key, (u32, u8)>, best: u32) -> Choice {
    let mut found =
        Choice { visited: FixedBitSet::with_capacity(root.around.len()), used: vec![0; root.bundles.len()] };
    let mut place = best;
    for (at, event) in plan.events.iter().enumerate().rev() {
        let (before, choice) = scan.origin(at, place);
        match *event {
            Event::Enter { vertex, .. } => found.visited.set(vertex as usize, choice == 1),
            Event::Cross { edge, .. } => found.used[edge as usize] = choice,
            Event::Leave { .. } => {}
        }
        place = before;
    }
    found
}
