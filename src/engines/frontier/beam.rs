//! The same search with narrow layers: of each only the most promising states are kept, so it proves nothing but finds good
//! paths fast.

use std::cmp::{Ordering, Reverse};

use super::filter::Filter;
use super::kernel::Key;
use super::layer::Layer;
use super::plan::Plan;

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

/// Keeps the best `width` states of a layer, by value and the bound (or else a guess) of the rest.
pub(super) fn narrow<K: Key>(layer: &mut Layer<K>, width: usize, filter: Filter<'_>, guess: &Guess) {
    if layer.len() <= width {
        return;
    }
    let score = |state: K, value: i64| match (filter.table, filter.potential) {
        (Some(table), _) => filter.measure.gain(value) + table.get(state.signature()).unwrap_or(0),
        (None, Some(potential)) => potential.score(state.signature(), filter.measure.gain(value)),
        (None, None) => guess.score(state, filter.measure.worth(value)),
    };
    let scores: Vec<i64> = layer.iter().map(|(state, value)| score(state, value)).collect();
    let mut ranked = scores.clone();
    let (_, &mut last, _) = ranked.select_nth_unstable_by_key(width, |&score| Reverse(score));
    // Of those as good as the first that is dropped, some are kept, in an order that does not depend on the shards.
    let (mut kept, mut equals) = (Vec::with_capacity(width), Vec::new());
    for ((state, value), score) in layer.iter().zip(scores) {
        match score.cmp(&last) {
            Ordering::Greater => kept.push((state, value)),
            Ordering::Equal => equals.push((state, value)),
            Ordering::Less => {}
        }
    }
    let more = width - kept.len();
    if more < equals.len() {
        equals.select_nth_unstable_by_key(more, |&(state, _)| state.hash64());
    }
    kept.extend(equals.into_iter().take(more));
    let (states, values) = kept.into_iter().unzip();
    *layer = Layer::of_one_shard(states, values);
}
