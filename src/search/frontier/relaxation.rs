//! The backward relaxation: what any completion of a state can still add, as far as its slots' degrees tell.
//!
//! Forget which slots are mates: a state keeps two bits a slot and the ends that exist. Paths and cycles mix, so this is a
//! relaxation, but an exact one: a forward sweep finds the signatures that can be reached, each with the greatest value,
//! and a backward sweep what the best completion of each adds. The sum of both at a signature bounds every path that runs
//! through it; at the start it bounds them all.

use super::kernel::{Signature, State};
use super::layer::{Expander, Filter, Layer, Machine, in_parallel};
use super::plan::Plan;
use crate::search::Budget;
use crate::solution::Stop;

/// The bounds of one layer by signature: open addressing, read-only once built.
pub(super) struct Table {
    entries: Vec<(u64, i64)>,
    shift: u32,
}

const VACANT: u64 = u64::MAX;

impl Table {
    fn build(count: usize, bounds: impl Iterator<Item = (u64, i64)>) -> Self {
        let size = (count * 2).next_power_of_two().max(16);
        let mut table = Table { entries: vec![(VACANT, 0); size], shift: 64 - size.trailing_zeros() };
        for (signature, bound) in bounds {
            let mut at = table.place(signature);
            while table.entries[at].0 != VACANT {
                at = (at + 1) & (size - 1);
            }
            table.entries[at] = (signature, bound);
        }
        table
    }

    #[inline(always)]
    fn place(&self, signature: u64) -> usize {
        (signature.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    #[inline(always)]
    pub(super) fn get(&self, signature: Signature) -> Option<i64> {
        let mut at = self.place(signature.0);
        loop {
            let (found, bound) = self.entries[at];
            if found == signature.0 {
                return Some(bound);
            }
            if found == VACANT {
                return None;
            }
            at = (at + 1) & (self.entries.len() - 1);
        }
    }

    fn bytes(&self) -> usize {
        self.entries.len() * size_of::<(u64, i64)>()
    }
}

/// The signatures of a layer that matter, the most promising first.
struct Bounds {
    /// Each with the most that a completion adds.
    rest: Vec<(u64, i64)>,
    /// For falling totals (best value that reaches the signature, plus the rest): where those of at least this end.
    levels: Vec<(i64, usize)>,
}

impl Bounds {
    fn upto(&self, target: i64) -> &[(u64, i64)] {
        let level = self.levels.partition_point(|&(total, _)| total > target);
        let end = if level == 0 { 0 } else { self.levels[level - 1].1 };
        &self.rest[..end]
    }

    fn bytes(&self) -> usize {
        self.rest.capacity() * 16 + self.levels.capacity() * 16
    }
}

/// The bounds of every layer.
pub(super) struct Relaxation {
    layers: Vec<Bounds>,
    /// No path of the core is worth more; `None` if there is no path at all that is worth more than the floor.
    pub(super) bound: Option<i64>,
    pub(super) bytes: usize,
    pub(super) peak_bytes: usize,
    pub(super) signatures: u64,
    pub(super) made: u64,
}

impl Relaxation {
    /// Sweeps forth and back, keeping only what may lead to more than `floor`.
    pub(super) fn new<R: State>(plan: &Plan, floor: i64, budget: &Budget, share: usize) -> Result<Self, Stop> {
        let mut allowance = budget.clone();
        allowance.memory = share;
        let mut machine = Machine::<R>::new(plan, &allowance);
        let mut forward = vec![Layer::<R>::start()];
        let mut held = 0;
        let filter = Filter { table: None, target: i64::MIN };
        for step in &plan.steps {
            let layer = &forward[forward.len() - 1];
            let (mut next, _) = machine.advance(layer, step, filter, held)?;
            held += layer.bytes();
            next.shrink();
            forward.push(next);
        }
        let mut signatures = 0;

        let goal = R::EMPTY.with_flags(plan.goal);
        let last = forward.pop().expect("there is a layer after the last step");
        let reached = last.iter().find(|&(state, _)| state == goal).map(|(_, value)| value);
        let mut layers = Vec::with_capacity(plan.steps.len() + 1);
        let finish = reached.filter(|&value| value > floor);
        layers.push(Bounds {
            rest: finish.iter().map(|_| (goal.signature().0, 0)).collect(),
            levels: finish.iter().map(|&value| (value, 1)).collect(),
        });
        let mut bytes = 0;
        let mut peak_bytes = machine.peak_bytes;
        for (layer, step) in forward.into_iter().rev().zip(plan.steps.iter().rev()) {
            held = held.saturating_sub(layer.bytes());
            signatures += layer.len() as u64;
            let after = &layers[layers.len() - 1];
            let table = Table::build(after.rest.len(), after.rest.iter().copied());
            // Each signature with its rest and total.
            let threads = if layer.len() < 1 << 13 { 1 } else { budget.threads.max(1) };
            let mut parts: Vec<(usize, Vec<(u64, i64, i64)>)> = (0..threads).map(|part| (part, Vec::new())).collect();
            let working = layer.len() * 24 * 2 + layer.bytes() + table.bytes();
            peak_bytes = peak_bytes.max(held + bytes + working);
            if held + bytes + working > share {
                return Err(Stop::MemoryLimit);
            }
            in_parallel(&mut parts, |(part, found)| {
                let mut expander = Expander::new();
                for (index, shard) in layer.shards.iter().enumerate() {
                    if index % threads != *part && layer.shards.len() >= threads {
                        continue;
                    }
                    if layer.shards.len() < threads && *part != 0 {
                        continue;
                    }
                    for (position, (&state, &value)) in shard.states.iter().zip(&shard.values).enumerate() {
                        let successors = expander.expand(plan, step, state, 0, |_| {});
                        let best = successors
                            .filter_map(|(next, gain)| table.get(next.signature()).map(|rest| rest + gain))
                            .max();
                        if let Some(rest) = best.filter(|rest| value + rest > floor) {
                            found.push((state.signature().0, rest, value + rest));
                        }
                        if position % 4096 == 4095
                            && let Some(stop) = budget.spent()
                        {
                            return Err(stop);
                        }
                    }
                }
                budget.spent().map_or(Ok(()), Err)
            })?;
            let mut found: Vec<(u64, i64, i64)> = parts.into_iter().flat_map(|(_, found)| found).collect();
            found.sort_unstable_by_key(|&(signature, _, total)| (std::cmp::Reverse(total), signature));
            let mut levels: Vec<(i64, usize)> = Vec::new();
            for (position, &(_, _, total)) in found.iter().enumerate() {
                match levels.last_mut() {
                    Some(level) if level.0 == total => level.1 = position + 1,
                    _ => levels.push((total, position + 1)),
                }
            }
            let rest = found.into_iter().map(|(signature, rest, _)| (signature, rest)).collect();
            let bounds = Bounds { rest, levels };
            bytes += bounds.bytes();
            layers.push(bounds);
        }
        layers.reverse();
        let bound = layers[0].levels.first().map(|&(total, _)| total);
        Ok(Relaxation { layers, bound, bytes, peak_bytes, signatures, made: machine.made })
    }

    /// The bounds after `step` steps, for paths worth more than the target.
    pub(super) fn table(&self, step: usize, target: i64) -> Table {
        let bounds = self.layers[step].upto(target);
        Table::build(bounds.len(), bounds.iter().copied())
    }
}
