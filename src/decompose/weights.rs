//! What a vertex of a frontier weighs: how many states it can be in, as far as its neighbours tell.

/// A number of neighbours. In a directed graph those that a vertex has by an arc out, by an arc in and by both are counted
/// apart, in five bits each.
pub(super) type Tally = u32;
pub(super) const BY_ARC_OUT: Tally = 1;
pub(super) const BY_ARC_IN: Tally = 1 << 5;
pub(super) const BY_BOTH: Tally = 1 << 10;
pub(super) const MOST_OF_A_KIND: usize = (1 << 5) - 1;

/// Whether that is one neighbour.
#[inline(always)]
pub(super) fn is_one(tally: Tally, is_directed: bool) -> bool {
    if is_directed { matches!(tally, BY_ARC_OUT | BY_ARC_IN | BY_BOTH) } else { tally == 1 }
}

/// What a frontier vertex weighs, that has these neighbours, placed or not: the logarithm of its states, to the base of
/// `UNIT`; nothing once all are placed.
///
/// Of an undirected graph it is 0 without a placed neighbour, 6 with one and 8 with more. Of a directed one it depends on which
/// of four states the vertex can be in: untouched, to be entered, to be left, or done with.
#[inline(always)]
pub(super) fn weight(is_directed: bool, neighbours: Tally, unplaced: Tally) -> u32 {
    let placed = neighbours - unplaced;
    if unplaced == 0 {
        0
    } else if is_directed {
        u32::from(DIRECTED_WEIGHTS[usize::from(CLASSES[placed as usize])][usize::from(CLASSES[unplaced as usize])])
    } else {
        [0, 6, 8][placed.min(2) as usize]
    }
}

pub(super) const GREATEST_WEIGHT: u32 = 8;

/// What an empty frontier weighs: so predictions for directed graphs are up to the same factor as for undirected ones.
pub(super) fn least_weight(is_directed: bool) -> u32 {
    if is_directed { 9 } else { 0 }
}

/// What a tally by directions has, a bit for each: an arc out, an arc in, and more than one neighbour.
static CLASSES: [u8; 1 << 15] = classes();
const ARC_OUT: usize = 1;
const ARC_IN: usize = 2;
const SEVERAL: usize = 4;

const fn classes() -> [u8; 1 << 15] {
    let mut classes = [0; 1 << 15];
    let mut tally = 0;
    while tally < classes.len() {
        let (out, into, both) = (tally & 31, tally >> 5 & 31, tally >> 10);
        let mut class = 0;
        if out + both > 0 {
            class |= ARC_OUT;
        }
        if into + both > 0 {
            class |= ARC_IN;
        }
        if out + into + both > 1 {
            class |= SEVERAL;
        }
        classes[tally] = class as u8;
        tally += 1;
    }
    classes
}

/// The weights by the class of the placed neighbours, and of the others.
const DIRECTED_WEIGHTS: [[u8; 8]; 8] = {
    const BOTH_APART: usize = ARC_OUT | ARC_IN | SEVERAL;
    let mut weights = [[0; 8]; 8];
    let mut placed = 0;
    while placed < 8 {
        let mut others = 0;
        while others < 8 {
            // Untouched, unless that is as good as done with; to be left; to be entered; done with.
            let can_be_untouched = others & BOTH_APART == BOTH_APART;
            let states = can_be_untouched as usize
                + (placed & ARC_IN != 0 && others & ARC_OUT != 0) as usize
                + (placed & ARC_OUT != 0 && others & ARC_IN != 0) as usize
                + (placed & BOTH_APART == BOTH_APART || !can_be_untouched) as usize;
            let by_states = if placed & SEVERAL == 0 { [0, 0, 4, 6, 6] } else { [0, 0, 5, 7, 8] };
            weights[placed][others] = by_states[states];
            others += 1;
        }
        placed += 1;
    }
    weights
};

/// The sixth root of 2.5; its eighth power is 3.4.
const UNIT: f64 = 1.164_993_050_750_713;

/// The states predicted for a frontier of this weight.
pub(super) fn states(weight: usize) -> f64 {
    UNIT.powi(weight.min(i32::MAX as usize) as i32)
}
