//! The exact dynamic program: a sweep over the root that knows, of everything behind it, no more than it must.
//!
//! Vertices enter, their bundles are crossed, vertices leave. Of a trail T the part behind the sweep matters to the rest only
//! by its *state*: for each vertex still held whether it is outside T, in T but not traversed yet (*fresh*), or in T with an
//! even or odd degree so far; which of those are connected so far; and how many odd vertices were left behind, of which T
//! has none or two. Of all parts with the same state the one that has earned the most is kept.
//!
//! A vertex is said to be in T or outside when it enters, so a bundle's worth is known as soon as it is crossed. A fresh
//! vertex may not leave, and a connected part may lose its last held vertex only if it is all of T: then everything else is
//! outside, and T is complete. (A T of one vertex is looked at apart.) A second parallel edge joins nothing that the first
//! did not, so a bundle is traversed twice only to join two parts.
//!
//! Source of the method: frontier programs over partitions, in the spirit of Harold N. Gabow, Eugene W. Myers and later
//! authors for spanning trees; the parity and the number of odd ends are what trails add. States of w held vertices are
//! bounded by Σ C(w, k) Bell(k) 2^k; the sweep is exponential in the width only. With few colours and any number of
//! numbers it is linear in the cards.
//!
//! *With prizes* no odd vertex may be left behind, but a trail takes two tips, and each is half an edge at its vertex: the state
//! says which of the two were taken. Tips are taken where the edges of their place are told: when the bundle is crossed, or
//! when the vertex enters. Of closed trails no odd vertex may be left behind either.
//!
//! *Pruning.* What the rest can earn at most is known, at least as the sum of what is left; a state that can't beat the floor
//! even so is dropped. A sweep may be told to keep only the most promising states of each layer (a *beam*); what it finds is a
//! trail all the same, and it proves nothing.

use super::bundle::Trail;
use super::core::Core;
use super::plan::Plan;
use super::relaxation::Relaxation;
use super::state::{
    FRESH, Left, OUTSIDE, State, TAKINGS, TOUCHED, Taking, code, joined, left, most_by_pendants, taken, takings, with,
};
use crate::instance::{Budget, Monitor};
use crate::scan::{Event, Scan};
use crate::solution::Stop;

/// What a sweep brings back.
pub(super) struct Swept {
    /// A best trail above the floor, with its value.
    pub(super) best: Option<(Trail, i64)>,
    /// No trail is worth more than this; `i64::MAX` where a beam left something out.
    pub(super) upper: i64,
    pub(super) stop: Option<Stop>,
    pub(super) states: u64,
    pub(super) peak_bytes: usize,
}

/// What bounds a sweep.
pub(super) struct Limits<'a> {
    pub(super) floor: i64,
    /// A better bound of what the rest can earn than the sum of what is left.
    pub(super) relaxation: Option<&'a Relaxation>,
    /// Of each layer no more states than this are kept.
    pub(super) beam: usize,
    pub(super) memory: usize,
}

/// A choice is how often a bundle is traversed (or whether a vertex is visited), plus three for each [`Taking`].
const CHOICE_BITS: u32 = 5;
/// A layer of more states than this can't be referred to.
const MOST_STATES: usize = 1 << (32 - CHOICE_BITS);

/// How many states are made between two looks at the clock.
const STATES_PER_CLOCK: u64 = 1 << 14;

/// Where a complete trail ended.
struct Finish {
    event: usize,
    parent: u32,
}

/// Sweeps once along the plan.
pub(super) fn sweep(
    core: &Core,
    plan: &Plan,
    limits: &Limits<'_>,
    budget: &Budget,
    monitor: &mut dyn Monitor,
) -> Swept {
    let mut best = limits.floor;
    let mut finish = None;
    let mut states = 0;
    let mut since_clock = 0;
    let mut peak_bytes = 0;
    let mut stop = None;
    let mut trimmed = false;
    let mut scan = Scan::new(0, 0);
    let mut at = 0;
    while at < plan.events.len() && scan.len() > 0 {
        let event = plan.events[at];
        for parent in 0..scan.len() {
            let (state, earned) = scan.state(parent);
            let mut reach = |state: State, earned: i64, choice: u32| {
                if earned + most_from(core, plan, limits.relaxation, at + 1, state) > best {
                    scan.offer(state, earned, (parent as u32) << CHOICE_BITS | choice);
                }
            };
            let is_complete = expand(core, event, state, earned, &mut reach);
            if is_complete && earned > best {
                best = earned;
                finish = Some(Finish { event: at, parent: parent as u32 });
                monitor.incumbent(best);
            }
            since_clock += 1;
            if since_clock >= STATES_PER_CLOCK {
                since_clock = 0;
                let bytes = scan.bytes();
                peak_bytes = peak_bytes.max(bytes);
                stop = budget.spent();
                if bytes + scan.next_bytes() > limits.memory || scan.next_len() >= MOST_STATES / 4 {
                    stop = Some(Stop::MemoryLimit);
                }
                if stop.is_some() {
                    break;
                }
            }
        }
        if stop.is_some() {
            break;
        }
        if scan.next_len() > limits.beam {
            scan.narrow(limits.beam, |state, earned| earned + most_from(core, plan, limits.relaxation, at + 1, state));
            trimmed = true;
        }
        states += scan.next_len() as u64;
        peak_bytes = peak_bytes.max(scan.bytes());
        scan.advance();
        at += 1;
    }
    let mut upper = if trimmed { i64::MAX } else { best };
    if stop.is_some() && !trimmed {
        // All that is not complete yet passes through this layer.
        let most = |(state, earned): (State, i64)| earned + most_from(core, plan, limits.relaxation, at, state);
        upper = (0..scan.len()).map(|place| most(scan.state(place))).max().unwrap_or(best).max(best);
    }
    let found = finish.map(|finish| (trail_to(core, plan, &scan, finish), best));
    Swept { best: found, upper, stop, states, peak_bytes }
}

/// Calls `reach` with each state that follows by an event, what is earned then, and the choice that was made. Says whether the
/// state completes a trail.
fn expand(core: &Core, event: Event, state: State, earned: i64, reach: &mut impl FnMut(State, i64, u32)) -> bool {
    match event {
        Event::Enter { slot, vertex } => {
            reach(state, earned, 0);
            let (visited, earned) = (with(state, slot, FRESH), earned + core.gains[vertex as usize]);
            reach(visited, earned, 1);
            let place = core.bundles.len() as u32 + vertex;
            for (taking, prize) in takings(core, place, &[true, false], taken(state), u32::MAX) {
                reach(taking.apply(visited, [slot; 2]), earned + prize, 1 + 3 * taking.number);
            }
        }
        Event::Cross { slots, edge: bundle } => {
            let [one, two] = slots.map(|slot| code(state, slot));
            if one == OUTSIDE && two == OUTSIDE {
                reach(state, earned, 0);
                return false;
            }
            let count = core.bundles[bundle as usize].count;
            let earned = earned + i64::from(count);
            let mut cross = |state: State, uses: u32| {
                reach(state, earned, uses);
                let inside = [one != OUTSIDE, two != OUTSIDE];
                for (taking, prize) in takings(core, bundle, &inside, taken(state), count - uses) {
                    reach(taking.apply(state, slots), earned + prize, uses + 3 * taking.number);
                }
            };
            cross(state, 0);
            if one != OUTSIDE && two != OUTSIDE {
                cross(joined(state, slots, 1), 1);
                let apart = one < TOUCHED || two < TOUCHED || (one ^ two) > 1;
                if count >= 2 && apart {
                    cross(joined(state, slots, 0), 2);
                }
            }
        }
        Event::Leave { slot } => match left(core, state, slot) {
            Left::Never => {}
            Left::On(state) => reach(state, earned, 0),
            Left::Complete => return true,
        },
    }
    false
}

/// The most that can be earned from event `at` on.
fn most_from(core: &Core, plan: &Plan, relaxation: Option<&Relaxation>, at: usize, state: State) -> i64 {
    match relaxation {
        Some(relaxation) => relaxation.most_from(at, state),
        None => plan.rest[at] + most_by_pendants(core, taken(state)),
    }
}

/// The trail behind a state that was complete when a vertex left.
fn trail_to(core: &Core, plan: &Plan, scan: &Scan<State, u32>, finish: Finish) -> Trail {
    let mut uses = vec![0u8; core.bundles.len()];
    let mut start = 0;
    let mut ends = [None; 2];
    let mut place = finish.parent;
    for at in (0..finish.event).rev() {
        let from = scan.origin(at, place);
        let choice = from & ((1 << CHOICE_BITS) - 1);
        place = from >> CHOICE_BITS;
        let taking = (choice / 3).checked_sub(1).map(|number| TAKINGS[number as usize]);
        match plan.events[at] {
            Event::Enter { vertex, .. } if choice % 3 == 1 => {
                start = vertex;
                take(core, core.bundles.len() as u32 + vertex, [vertex; 2], taking, &mut ends);
            }
            Event::Cross { edge: bundle, .. } => {
                uses[bundle as usize] = (choice % 3) as u8;
                take(core, bundle, core.bundles[bundle as usize].ends, taking, &mut ends);
            }
            _ => {}
        }
    }
    Trail { uses, start, ends: ends[0].zip(ends[1]).map(|(first, last)| [first, last]) }
}

/// Notes the tips that were taken at a place.
fn take(core: &Core, place: u32, at: [u32; 2], taking: Option<Taking>, ends: &mut [Option<(u32, u32)>; 2]) {
    let (Some(taking), Some(pendants)) = (taking, core.pendants()) else { return };
    let offer = pendants.offer(place);
    let [first, last] = match (taking.first, taking.last) {
        (Some(_), Some(_)) => offer.both.map(|(_, both)| both.map(Some)).unwrap_or_default(),
        _ => [offer.first, offer.last].map(|pendant| pendant.map(|(_, edge)| edge)),
    };
    for (slot, end, edge) in [(0, taking.first, first), (1, taking.last, last)] {
        if let (Some(end), Some(edge)) = (end, edge) {
            ends[slot] = Some((at[usize::from(end)], edge));
        }
    }
}
