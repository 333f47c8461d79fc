//! The backward relaxation: what any completion of a state can still add, as far as its slots' degrees tell.
//!
//! Forget which slots are mates: a state keeps two bits a slot and the ends that exist. Paths and cycles mix, so this is a
//! relaxation, but an exact one: a forward sweep finds the signatures that can be reached, each with the greatest value,
//! and a backward sweep what the best completion of each adds. The sum of both at a signature bounds every path that runs
//! through it; at the start it bounds them all.

use super::expander::{BATCH, Expand};
use super::filter::Filter;
use super::kernel::Relaxed;
use super::layer::{Layer, LayerExpander};
use super::measure::Measure;
use super::plan::{Item, Plan, Step};
use super::potentials::Potentials;
use super::step_table::TableExpander;
use super::tables::{Bounds, Found, Layout, Lookups, NOTHING, Range, Sharded, Table, hands, shards_of};
use super::worker_pool::deal_out;
use crate::instance::{Budget, Outcome};
use crate::solution::Stop;

/// The bounds of every layer.
pub(super) struct Relaxation {
    layers: Vec<Bounds>,
    /// No path of the core is worth more; `None` if there is no path at all that is worth more than the floor.
    pub(super) bound: Option<i64>,
    pub(super) bytes: usize,
    pub(super) signatures: u64,
}

/// Batches of signatures bounded between two looks at the clock.
const BATCHES_PER_CLOCK: usize = 32;

impl Relaxation {
    /// Sweeps forth and back in this much memory, keeping only what may lead to more than `floor`, as far as potentials
    /// tell on the way forth. `None` once the steps on the account are more than allowed.
    pub(super) fn new<R: Relaxed>(
        plan: &Plan,
        potentials: Option<&Potentials>,
        floor: i64,
        most: u64,
        budget: &Budget,
        memory: usize,
        account: &mut Outcome,
    ) -> Result<Option<Self>, Stop> {
        let mut allowance = budget.clone();
        allowance.memory = memory;
        let layout = Layout::new(plan.slots);
        let mut layer_expander = LayerExpander::<R, TableExpander<R>>::new(plan, &allowance);
        let mut forward: Vec<Sharded> = Vec::with_capacity(plan.steps.len());
        let mut layer = Layer::<R>::start();
        let mut held = potentials.map_or(0, Potentials::bytes);
        let mut signatures = 0;
        for (position, step) in plan.steps.iter().enumerate() {
            let potential = potentials.map(|potentials| potentials.layer(position + 1));
            let filter = Filter::new(None, potential.as_ref(), floor, Measure::Plain);
            let advanced = layer_expander.advance(&layer, step, filter, held);
            account.peak_bytes = account.peak_bytes.max(layer_expander.peak_bytes);
            account.steps += std::mem::take(&mut layer_expander.made);
            let (next, _) = advanced?;
            signatures += layer.len() as u64;
            let entries = packed(&layer, layout, budget)?;
            layer_expander.recycle(layer);
            held += entries.bytes();
            forward.push(entries);
            if account.steps > most {
                return Ok(None);
            }
            layer = next;
        }
        // After the last step nothing is open, so every path was completed on the way.
        let mut layers = Vec::with_capacity(plan.steps.len() + 1);
        layers.push(Bounds::none(layout, budget)?);
        drop((layer_expander, layer));

        let mut bytes = 0;
        let mut words = Vec::new();
        let mut rests = Vec::new();
        for (position, entries) in forward.into_iter().enumerate().rev() {
            let table = Table::build(&layers[layers.len() - 1], i64::MIN, budget, words)?;
            // A rest, a position in an order, a word or an entry of its own.
            let used = held + bytes + table.bytes() + rests.capacity() * 8 + entries.len() * (8 + 4 + 16);
            if used > memory {
                return Err(Stop::MemoryLimit);
            }
            account.peak_bytes = account.peak_bytes.max(used);
            let potential = potentials.map(|potentials| potentials.layer(position + 1));
            let filter = Filter::new(None, potential.as_ref(), floor, Measure::Plain);
            let found = back::<R>(plan, &plan.steps[position], &entries, filter, &table, budget, &mut rests)?;
            words = table.into_words();
            let bounds = Bounds::new(&entries, &rests, &found, layout, budget)?;
            held -= entries.bytes();
            bytes += bounds.bytes();
            layers.push(bounds);
        }
        layers.reverse();
        let bound = layers[0].greatest_total();
        Ok(Some(Relaxation { layers, bound, bytes, signatures }))
    }

    /// The bounds after `step` steps, for paths worth more than the target.
    pub(super) fn table(&self, step: usize, target: i64, budget: &Budget, words: Vec<u64>) -> Result<Table, Stop> {
        Table::build(&self.layers[step], target, budget, words)
    }
}

/// The entries of a layer that is swept.
fn packed<R: Relaxed>(layer: &Layer<R>, layout: Layout, budget: &Budget) -> Result<Sharded, Stop> {
    let counts: Vec<usize> = (0..layer.shard_count()).map(|index| layer.shard(index).0.len()).collect();
    let values = layer.values().map(Range::of).fold(Range::NONE, Range::and);
    Sharded::new(&counts, values, layout, budget, |index| {
        let (states, values) = layer.shard(index);
        states.iter().zip(values).map(|(state, &value)| (state.signature(), value))
    })
}

/// What completions add to the signatures of a layer, or [`NOTHING`] where that is not enough, given the bounds of the layer
/// after the step; and a summary of each shard.
fn back<R: Relaxed>(
    plan: &Plan,
    step: &Step,
    layer: &Sharded,
    filter: Filter<'_>,
    table: &Table,
    budget: &Budget,
    rests: &mut Vec<i64>,
) -> Result<Vec<Found>, Stop> {
    rests.clear();
    rests.resize(layer.len(), NOTHING);
    let none = Found { count: 0, rests: Range::NONE, totals: Range::NONE };
    let mut shards: Vec<_> = shards_of(rests, &layer.bounds).into_iter().map(|rests| (rests, none)).collect();
    let mut hands = hands(layer.len(), budget, || (TableExpander::<R>::new(), false, Vec::new(), Lookups::default()));
    deal_out(&mut shards, &mut hands, |(expander, is_prepared, successors, lookups), index, (rests, found)| {
        if !std::mem::replace(is_prepared, true) {
            expander.prepare(plan, step, &filter, layer.len());
        }
        let from = layer.bounds[index];
        for (number, best) in rests.chunks_mut(BATCH).enumerate() {
            let begin = from + number * BATCH;
            let states = (begin..begin + best.len()).map(|position| layer.get(position));
            let states = states.map(|(signature, value)| (R::from(signature), value));
            successors.clear();
            lookups.signatures.clear();
            let to = |next: &Item<R>| {
                successors.push((next.value, next.from));
                lookups.signatures.push(next.state.signature());
            };
            let complete = |total: i64, from: u32| {
                let best = &mut best[from as usize];
                *best = total.max(*best);
            };
            expander.expand(plan, step, &filter, states, to, complete);
            table.look_up(lookups);
            for (&(value, from), &rest) in successors.iter().zip(&lookups.rests) {
                if rest != NOTHING {
                    let best = &mut best[from as usize];
                    *best = (value + rest).max(*best);
                }
            }
            for (position, best) in (begin..).zip(best) {
                if *best == NOTHING {
                    continue;
                }
                let total = std::mem::replace(best, *best - layer.get(position).1);
                if total <= filter.target {
                    *best = NOTHING;
                } else {
                    found.count += 1;
                    found.rests = found.rests.and(Range::at(*best));
                    found.totals = found.totals.and(Range::at(total));
                }
            }
            if number % BATCHES_PER_CLOCK == 0 {
                budget.spent().map_or(Ok(()), Err)?;
            }
        }
        Ok(())
    })?;
    Ok(shards.into_iter().map(|(_, found)| found).collect())
}
