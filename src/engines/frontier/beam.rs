//! The same search with narrow layers: of each only the most promising states are kept, so it proves nothing but finds good
//! paths fast.

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

/// Keeps the best `width` states of a layer, by value and the bound (or else a guess) of the rest.
pub(super) fn narrow<K: Key>(
    layer: &mut Layer<K>,
    width: usize,
    filter: Filter<'_>,
    guess: &Guess,
    budget: &Budget,
) -> Result<(), Stop> {
    if layer.len() <= width {
        return Ok(());
    }
    let score = |state: K, value: i64| match (filter.table, filter.potential) {
        (Some(table), _) => filter.measure.gain(value) + table.get(state.signature()).unwrap_or(0),
        (None, Some(potential)) => potential.score(state.signature(), filter.measure.gain(value)),
        (None, None) => guess.score(state, filter.measure.worth(value)),
    };
    let mut scores: Vec<Vec<i64>> = vec![Vec::new(); layer.shard_count()];
    deal_out(&mut scores, &mut hands(layer.len(), budget, || ()), |(), index, scores| {
        let (states, values) = layer.shard(index);
        scores.extend(states.iter().zip(values).map(|(&state, &value)| score(state, value)));
        budget.spent().map_or(Ok(()), Err)
    })?;
    let scores = scores.concat();
    let mut ranked = scores.clone();
    let (_, &mut last, _) = ranked.select_nth_unstable_by_key(width, |&score| Reverse(score));
    // Of those as good as the first that is dropped, some are kept, in an order that does not depend on the shards.
    let equals = layer.iter().zip(&scores).filter(|&(_, &score)| score == last);
    let mut hashes: Vec<u64> = equals.map(|((state, _), _)| state.hash64()).collect();
    let better = scores.iter().filter(|&&score| score > last).count();
    let (_, &mut bar, _) = hashes.select_nth_unstable(width - better);
    let mut scores = scores.iter();
    layer.retain(|state, _| {
        let score = *scores.next().expect("each state has a score");
        score > last || (score == last && state.hash64() < bar)
    });
    Ok(())
}
