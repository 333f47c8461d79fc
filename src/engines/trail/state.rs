//! The states of a sweep of trails: a code for each held vertex, packed.

use super::core::{Core, Ending};
use super::plan::MOST_SLOTS;

/// Six bits a slot: outside, fresh, or `TOUCHED + 2 * part + parity`; two bits above them: how many odd vertices were left
/// behind, or which tips were taken.
pub(super) type State = u128;

pub(super) const SLOT_BITS: u32 = 6;
pub(super) const OUTSIDE: u8 = 0;
pub(super) const FRESH: u8 = 1;
pub(super) const TOUCHED: u8 = 2;
pub(super) const ODD_SHIFT: u32 = SLOT_BITS * MOST_SLOTS as u32;

/// Which tips were taken, in the place of the number of odd vertices.
pub(super) const FIRST_TAKEN: u8 = 1;
pub(super) const BOTH_TAKEN: u8 = 3;

/// What the tips that were not taken yet can earn at most.
pub(super) fn most_by_pendants(core: &Core, taken: u8) -> i64 {
    core.pendants().map_or(0, |pendants| pendants.most_missing(taken & FIRST_TAKEN != 0, taken & LAST_TAKEN != 0))
}

pub(super) const LAST_TAKEN: u8 = 2;

pub(super) fn taken(state: State) -> u8 {
    (state >> ODD_SHIFT) as u8
}

/// Which tips are taken at a place, and at which of the two ends of its edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taking {
    pub(super) number: u32,
    pub(super) first: Option<u8>,
    pub(super) last: Option<u8>,
}

/// All that there are, numbered from 1.
pub(super) const TAKINGS: [Taking; 8] = [
    Taking { number: 1, first: Some(0), last: None },
    Taking { number: 2, first: Some(1), last: None },
    Taking { number: 3, first: None, last: Some(0) },
    Taking { number: 4, first: None, last: Some(1) },
    Taking { number: 5, first: Some(0), last: Some(0) },
    Taking { number: 6, first: Some(1), last: Some(1) },
    Taking { number: 7, first: Some(0), last: Some(1) },
    Taking { number: 8, first: Some(1), last: Some(0) },
];

impl Taking {
    /// The tips as flags.
    pub(super) fn pendants(self) -> u8 {
        u8::from(self.first.is_some()) * FIRST_TAKEN + u8::from(self.last.is_some()) * LAST_TAKEN
    }

    pub(super) fn apply(self, state: State, slots: [u8; 2]) -> State {
        let state = state | State::from(self.pendants()) << ODD_SHIFT;
        let at = |end: u8| slots[usize::from(end)];
        match (self.first.map(at), self.last.map(at)) {
            // Two halves make one vertex even, as if it had been traversed and left.
            (Some(one), Some(two)) if one == two => touched(touched(state, one), one),
            (one, two) => [one, two].into_iter().flatten().fold(state, touched),
        }
    }
}

/// What may be taken at a place of which these ends are visited and so many edges are not traversed, with what that earns.
/// Where all can be turned round, the first tip is taken first.
pub(super) fn takings<'c>(
    core: &'c Core,
    place: u32,
    inside: &'c [bool; 2],
    taken: u8,
    spare: u32,
) -> impl Iterator<Item = (Taking, i64)> + use<'c> {
    let pendants = core.pendants().filter(|_| taken != BOTH_TAKEN && spare > 0);
    pendants.into_iter().flat_map(move |pendants| {
        let offer = pendants.offer(place);
        let is_inside = |end: Option<u8>| end.is_none_or(|end| inside[usize::from(end)]);
        TAKINGS.iter().filter(move |taking| is_inside(taking.first) && is_inside(taking.last)).filter_map(
            move |&taking| {
                if taking.pendants() & taken != 0 || pendants.is_symmetric && taking.first.is_none() && taken == 0 {
                    return None;
                }
                let prize = match (taking.first, taking.last) {
                    (Some(_), Some(_)) => offer.both.filter(|_| spare >= 2).map(|(prize, _)| prize),
                    (Some(_), None) => offer.first.map(|(prize, _)| prize),
                    _ => offer.last.map(|(prize, _)| prize),
                };
                prize.map(|prize| (taking, prize))
            },
        )
    })
}

pub(super) fn code(state: State, slot: u8) -> u8 {
    (state >> (SLOT_BITS * u32::from(slot))) as u8 & ((1 << SLOT_BITS) - 1)
}

pub(super) fn with(state: State, slot: u8, code: u8) -> State {
    let shift = SLOT_BITS * u32::from(slot);
    state & !(((1 << SLOT_BITS) - 1) << shift) | State::from(code) << shift
}

/// The state after half an edge was added at a vertex in T.
pub(super) fn touched(state: State, slot: u8) -> State {
    let code = code(state, slot);
    if code >= TOUCHED {
        return with(state, slot, code ^ 1);
    }
    let mut codes = unpacked(state);
    codes[usize::from(slot)] = 63 << 1 | 1;
    packed(&codes) | state & (3 << ODD_SHIFT)
}

/// The state after a bundle in T between these slots was traversed an odd (`parity` 1) or even number of times.
pub(super) fn joined(state: State, slots: [u8; 2], parity: u8) -> State {
    let mut codes = unpacked(state);
    let [one, two] = slots.map(usize::from);
    // Parts beyond all others are free for the fresh.
    let part = |code: u8, spare: u8| if code >= TOUCHED { code >> 1 } else { spare };
    let (one_part, two_part) = (part(codes[one], 62), part(codes[two], 63));
    let degree = |code: u8| if code >= TOUCHED { code & 1 } else { 0 };
    codes[one] = one_part << 1 | degree(codes[one]) ^ parity;
    codes[two] = two_part << 1 | degree(codes[two]) ^ parity;
    if one_part != two_part {
        for code in &mut codes {
            if *code >= TOUCHED && *code >> 1 == two_part {
                *code = one_part << 1 | *code & 1;
            }
        }
    }
    packed(&codes) | state & (3 << ODD_SHIFT)
}

/// What becomes of a state when a vertex leaves.
pub(super) enum Left {
    Never,
    On(State),
    Complete,
}

pub(super) fn left(core: &Core, state: State, slot: u8) -> Left {
    let code = code(state, slot);
    match code {
        OUTSIDE => return Left::On(state),
        FRESH => return Left::Never,
        _ => {}
    }
    let is_odd = code & 1 == 1;
    let above = match core.ending {
        Ending::Open => taken(state) + u8::from(is_odd),
        _ if is_odd => return Left::Never,
        _ => taken(state),
    };
    if above > 2 && core.pendants().is_none() {
        return Left::Never;
    }
    let mut codes = unpacked(state);
    codes[usize::from(slot)] = OUTSIDE;
    if !codes.iter().any(|&other| other >= TOUCHED && other >> 1 == code >> 1) {
        let is_all = codes.iter().all(|&other| other == OUTSIDE);
        let has_pendants = core.pendants().is_none() || above == BOTH_TAKEN;
        return if is_all && has_pendants { Left::Complete } else { Left::Never };
    }
    Left::On(packed(&codes) | State::from(above) << ODD_SHIFT)
}

pub(super) fn unpacked(state: State) -> [u8; MOST_SLOTS] {
    let mut codes = [0; MOST_SLOTS];
    let mut rest = state & ((1 << ODD_SHIFT) - 1);
    let mut slot = 0;
    while rest != 0 {
        codes[slot] = rest as u8 & ((1 << SLOT_BITS) - 1);
        rest >>= SLOT_BITS;
        slot += 1;
    }
    codes
}

/// Parts are numbered in the order of their first slots.
pub(super) fn packed(codes: &[u8; MOST_SLOTS]) -> State {
    let mut number = [u8::MAX; 64];
    let mut parts = 1;
    let mut state = 0;
    for (slot, &code) in codes.iter().enumerate() {
        let code = match code {
            OUTSIDE => continue,
            FRESH => FRESH,
            code => {
                let number = &mut number[usize::from(code >> 1)];
                if *number == u8::MAX {
                    *number = parts;
                    parts += 1;
                }
                *number << 1 | code & 1
            }
        };
        state |= State::from(code) << (SLOT_BITS * slot as u32);
    }
    state
}
