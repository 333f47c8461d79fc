//! The same search with narrow layers: of each only the most promising states are kept, so it proves nothing but finds good
//! paths fast.
//!
//! What potentials promise says nothing of what hangs together: far from the end they rank those states first that have too many
//! open paths, or too few, or their ends too early, and none of these leads to a path. Where the width is *spread*, each number of
//! open slots, with each set of ends that lie behind, has its share of it.

use std::cmp::Reverse;

use super::filter::Filter;
use super::kernel::Key;
use super::layer::Layer;
use super::plan::Plan;
use super::tables::hands;
use super::worker_pool::deal_out;
use crate::instance::Budget;
use crate::solution::Stop;

/// What a state may still gain, guessed from what its slots lack: half a mean edge for every edge that a slot can
/// still take.
pub(super) struct Guess {
    mean_edge: i64,
}

impl Guess {
    pub(super) fn new(plan: &Plan) -> Self {
        // So that the sums of a score stay within their range.
        const MOST: i64 = 1 << 56;
        Guess { mean_edge: plan.mean_gain().min(MOST) }
    }

    /// Twice the value of a state with the guess, up to a constant of the layer.
    fn score<K: Key>(&self, state: K, value: i64) -> i64 {
        // Both bits of a slot that has both its edges are set, and one of a slot that has one.
        2 * value - self.mean_edge * i64::from(state.signature().packed().count_ones())
    }
}

/// How narrow layers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Width {
    /// The states that are kept of a layer.
    pub(super) states: usize,
    /// Whether all numbers of open slots have their share of that where potentials rank.
    pub(super) is_spread: bool,
}

/// Ends that lie behind, and open slots.
const CLASSES: usize = 4 << OPEN_BITS;
const OPEN_BITS: u32 = 5;

fn class_of(state: impl Key) -> usize {
    let open = state.signature().of_open().packed().count_ones();
    (state.flags() << OPEN_BITS | open) as usize
}

/// What is kept of a class: scores above the last, and of those like it the ones with lesser hashes.
#[derive(Clone, Copy)]
struct Bar {
    last: i64,
    hash: u64,
}

/// Keeps the best states of a layer, by value and the bound (or else a guess) of the rest.
pub(super) fn narrow<K: Key>(
    layer: &mut Layer<K>,
    width: Width,
    filter: Filter<'_>,
    guess: &Guess,
    budget: &Budget,
) -> Result<(), Stop> {
    if layer.len() <= width.states {
        return Ok(());
    }
    let score = |state: K, value: i64| match (filter.table, filter.potential) {
        (Some(table), _) => filter.measure.gain(value) + table.get(state.signature()).unwrap_or(0),
        (None, Some(potential)) => potential.score(state.signature(), filter.measure.gain(value)),
        (None, None) => guess.score(state, filter.measure.worth(value)),
    };
    let is_spread = width.is_spread && filter.table.is_none() && filter.potential.is_some();
    let class = |state: K| if is_spread { class_of(state) } else { 0 };
    let mut scores: Vec<Vec<(usize, i64)>> = vec![Vec::new(); layer.shard_count()];
    deal_out(&mut scores, &mut hands(layer.len(), budget, || ()), |(), index, scores| {
        let (states, values) = layer.shard(index);
        scores.extend(states.iter().zip(values).map(|(&state, &value)| (class(state), score(state, value))));
        budget.spent().map_or(Ok(()), Err)
    })?;
    let scores = scores.concat();
    keep_best(layer, &scores, width.states);
    Ok(())
}

/// Keeps so many states in all, given the class and score of each.
fn keep_best<K: Key>(layer: &mut Layer<K>, scores: &[(usize, i64)], width: usize) {
    let bars = bars(layer, scores, width);
    let mut scores = scores.iter();
    layer.retain(|state, _| {
        let &(class, score) = scores.next().expect("each state has a score");
        let Bar { last, hash } = bars[class];
        score > last || (score == last && state.hash64() < hash)
    });
}

/// By class, what is kept of it.
fn bars<K: Key>(layer: &Layer<K>, scores: &[(usize, i64)], width: usize) -> Vec<Bar> {
    let mut of_class: Vec<Vec<i64>> = vec![Vec::new(); CLASSES];
    scores.iter().for_each(|&(class, score)| of_class[class].push(score));
    let counts: Vec<usize> = of_class.iter().map(Vec::len).collect();
    let shares = shares(&counts, width);
    let mut bars = vec![Bar { last: i64::MIN, hash: u64::MAX }; CLASSES];
    let mut left = shares.clone();
    for class in (0..CLASSES).filter(|&class| shares[class] < counts[class]) {
        let (better, &mut last, _) = of_class[class].select_nth_unstable_by_key(shares[class], |&score| Reverse(score));
        left[class] -= better.iter().filter(|&&score| score > last).count();
        bars[class].last = last;
    }
    // Of those as good as the first that is dropped, some are kept, in an order that does not depend on the shards.
    let mut equals: Vec<Vec<u64>> = vec![Vec::new(); CLASSES];
    for ((state, _), &(class, score)) in layer.iter().zip(scores) {
        if score == bars[class].last && shares[class] < counts[class] {
            equals[class].push(state.hash64());
        }
    }
    for class in (0..CLASSES).filter(|&class| shares[class] < counts[class]) {
        bars[class].hash = *equals[class].select_nth_unstable(left[class]).1;
    }
    bars
}

/// So many in all, the same for each class; what small ones leave is for the others.
fn shares(counts: &[usize], width: usize) -> Vec<usize> {
    let mut by_count: Vec<usize> = (0..counts.len()).collect();
    by_count.sort_by_key(|&class| counts[class]);
    let mut shares = vec![0; counts.len()];
    let mut left = width;
    for (class, classes) in by_count.into_iter().zip((1..=counts.len()).rev()) {
        shares[class] = counts[class].min(left / classes);
        left -= shares[class];
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::super::kernel::{Moved, NarrowArcs, State};
    use super::*;

    #[test]
    fn what_small_classes_leave_is_for_the_others() {
        assert_eq!(shares(&[0, 7, 100, 2, 50], 31), [0, 7, 11, 2, 11]);
        assert_eq!(shares(&[3, 4], 100), [3, 4]);
        assert_eq!(shares(&[5, 5, 5], 2), [0, 1, 1]);
    }

    #[test]
    fn the_best_of_each_class_are_kept() {
        // All with one path are worth more than any with two.
        let on = |moved: Moved<NarrowArcs>| match moved {
            Moved::On(state) => state,
            other => panic!("{other:?} instead of an open path"),
        };
        let path = |from: u32, to: u32, state: NarrowArcs| on(state.join(from, to, false));
        let mut states = Vec::new();
        let mut values = Vec::new();
        for (at, (from, to)) in (0..4).flat_map(|a| (4..8).map(move |b| (a, b))).enumerate() {
            let one = path(from, to, NarrowArcs::EMPTY);
            states.extend([one, path(8, 9, one)]);
            values.extend([1_000 + at as i64 / 2, at as i64 / 2]);
        }
        let mut layer = Layer::of_one_shard(states, values);
        let scores: Vec<(usize, i64)> = layer.iter().map(|(state, value)| (class_of(state), value)).collect();
        keep_best(&mut layer, &scores, 7);
        let mut kept: Vec<i64> = layer.iter().map(|(_, value)| value).collect();
        kept.sort_unstable();
        assert_eq!(kept, [6, 6, 7, 7, 1_006, 1_007, 1_007]);
    }
}
