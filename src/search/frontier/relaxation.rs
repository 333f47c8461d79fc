//! The backward relaxation: what any completion of a state can still add, as far as its slots' degrees tell.
//!
//! Forget which slots are mates: a state keeps two bits a slot and the ends that exist. Paths and cycles mix, so this is a
//! relaxation, but an exact one: a forward sweep finds the signatures that can be reached, each with the greatest value,
//! and a backward sweep what the best completion of each adds. The sum of both at a signature bounds every path that runs
//! through it; at the start it bounds them all.
//!
//! A signature and its value are packed into one word wherever the values of a layer are close together.

use super::guide::Guide;
use super::kernel::{Relaxed, Signature};
use super::layer::{BATCH, Expander, Layer, Machine, in_parallel};
use super::plan::{Plan, Step};
use super::potentials::Potentials;
use crate::search::{Budget, Outcome};
use crate::solution::Stop;

/// Signatures, each with a value.
enum Entries {
    /// A signature in the high bits and, in the low [`VALUE_BITS`], by how much the value stays below the base.
    Packed {
        base: i64,
        words: Vec<u64>,
    },
    Plain(Vec<(Signature, i64)>),
}

const VALUE_BITS: u32 = 12;
const VALUE_MASK: u64 = (1 << VALUE_BITS) - 1;
const VACANT: u64 = u64::MAX;

impl Entries {
    /// From a layer that is swept.
    fn new<R: Relaxed>(layer: &Layer<R>, budget: &Budget) -> Result<Self, Stop> {
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for shard in &layer.shards {
            low = shard.values.iter().fold(low, |low, &value| low.min(value));
            high = shard.values.iter().fold(high, |high, &value| high.max(value));
        }
        let mut entries = Self::with_range(layer.len(), low, high);
        for shard in &layer.shards {
            for (&state, &value) in shard.states.iter().zip(&shard.values) {
                entries.push(state.signature(), value);
            }
            budget.spent().map_or(Ok(()), Err)?;
        }
        Ok(entries)
    }

    /// Room for values in this range, none yet.
    fn with_range(count: usize, low: i64, high: i64) -> Self {
        if low <= high && high.wrapping_sub(low) as u64 >= VALUE_MASK {
            Entries::Plain(Vec::with_capacity(count))
        } else {
            Entries::Packed { base: high, words: Vec::with_capacity(count) }
        }
    }

    #[inline(always)]
    fn push(&mut self, signature: Signature, value: i64) {
        match self {
            Entries::Packed { base, words } => words.push(signature.packed() << VALUE_BITS | (*base - value) as u64),
            Entries::Plain(entries) => entries.push((signature, value)),
        }
    }

    fn len(&self) -> usize {
        match self {
            Entries::Packed { words, .. } => words.len(),
            Entries::Plain(entries) => entries.len(),
        }
    }

    #[inline(always)]
    fn get(&self, position: usize) -> (Signature, i64) {
        match self {
            Entries::Packed { base, words } => unpack(*base, words[position]),
            Entries::Plain(entries) => entries[position],
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Entries::Packed { words, .. } => words.capacity() * 8,
            Entries::Plain(entries) => entries.capacity() * 16,
        }
    }
}

#[inline(always)]
fn unpack(base: i64, word: u64) -> (Signature, i64) {
    (Signature::unpacked(word >> VALUE_BITS), base - (word & VALUE_MASK) as i64)
}

/// The bounds of one layer by signature: open addressing, read-only once built.
pub(super) struct Table {
    entries: Entries,
    shift: u32,
}

impl Table {
    /// From the first `count` of some entries.
    fn build(from: &Entries, count: usize, budget: &Budget) -> Result<Self, Stop> {
        let size = Self::size(count);
        let shift = 64 - size.trailing_zeros();
        let entries = match from {
            Entries::Packed { base, words } => {
                let mut table = vec![VACANT; size];
                for chunk in words[..count].chunks(ENTRIES_PER_CLOCK) {
                    for &word in chunk {
                        let mut at = place(word >> VALUE_BITS, shift);
                        while table[at] != VACANT {
                            at = (at + 1) & (size - 1);
                        }
                        table[at] = word;
                    }
                    budget.spent().map_or(Ok(()), Err)?;
                }
                Entries::Packed { base: *base, words: table }
            }
            Entries::Plain(entries) => {
                let mut table = vec![(Signature::NONE, 0); size];
                for chunk in entries[..count].chunks(ENTRIES_PER_CLOCK) {
                    for &(signature, value) in chunk {
                        let mut at = place(signature.packed(), shift);
                        while table[at].0 != Signature::NONE {
                            at = (at + 1) & (size - 1);
                        }
                        table[at] = (signature, value);
                    }
                    budget.spent().map_or(Ok(()), Err)?;
                }
                Entries::Plain(table)
            }
        };
        Ok(Table { entries, shift })
    }

    fn size(count: usize) -> usize {
        (count * 2).next_power_of_two().max(16)
    }

    /// What a completion of such a state adds at most; `None` if there is none that matters.
    #[inline(always)]
    pub(super) fn get(&self, signature: Signature) -> Option<i64> {
        let packed = signature.packed();
        let mut at = place(packed, self.shift);
        match &self.entries {
            Entries::Packed { base, words } => loop {
                let word = words[at];
                if word >> VALUE_BITS == packed {
                    return Some(base - (word & VALUE_MASK) as i64);
                }
                if word == VACANT {
                    return None;
                }
                at = (at + 1) & (words.len() - 1);
            },
            Entries::Plain(entries) => loop {
                let (found, value) = entries[at];
                if found == signature {
                    return Some(value);
                }
                if found == Signature::NONE {
                    return None;
                }
                at = (at + 1) & (entries.len() - 1);
            },
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.bytes()
    }
}

#[inline(always)]
fn place(packed: u64, shift: u32) -> usize {
    (packed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
}

/// The signatures of a layer that matter, the most promising first, with the most that a completion adds.
struct Bounds {
    rest: Entries,
    /// Stretches of signatures of similar totals (best value that reaches the signature, plus the rest), the totals
    /// falling: the greatest of each, and where it ends.
    stretches: Vec<(i64, usize)>,
}

/// A signature with what a completion adds and the total.
type Found = (Signature, i64, i64);

impl Bounds {
    fn new(found: &[Found], budget: &Budget) -> Result<Self, Stop> {
        const STRETCHES: u64 = 1 << 12;
        let (mut low, mut high) = ([i64::MAX; 2], [i64::MIN; 2]);
        for &(_, rest, total) in found {
            low = [low[0].min(rest), low[1].min(total)];
            high = [high[0].max(rest), high[1].max(total)];
        }
        let range = if found.is_empty() { 0 } else { high[1].wrapping_sub(low[1]) as u64 };
        let pitch = range / STRETCHES + 1;
        let stretch = |total: i64| ((high[1] - total) as u64 / pitch) as usize;
        let mut ends = vec![0usize; (range / pitch) as usize + 2];
        for &(_, _, total) in found {
            ends[stretch(total) + 1] += 1;
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        // Each stretch begins where the one before ends; filling it moves its beginning to its end.
        let mut order = vec![0u32; found.len()];
        for (position, chunk) in found.chunks(ENTRIES_PER_CLOCK).enumerate() {
            for (offset, &(_, _, total)) in chunk.iter().enumerate() {
                let end = &mut ends[stretch(total)];
                order[*end] = (position * ENTRIES_PER_CLOCK + offset) as u32;
                *end += 1;
            }
            budget.spent().map_or(Ok(()), Err)?;
        }
        let mut rest = Entries::with_range(found.len(), low[0], high[0]);
        for chunk in order.chunks(ENTRIES_PER_CLOCK) {
            for &position in chunk {
                let (signature, value, _) = found[position as usize];
                rest.push(signature, value);
            }
            budget.spent().map_or(Ok(()), Err)?;
        }
        ends.pop();
        let greatest = (0..).map(|stretch| high[1].saturating_sub((stretch as u64 * pitch) as i64));
        let mut stretches: Vec<(i64, usize)> = greatest.zip(ends).collect();
        stretches.dedup_by_key(|&mut (_, end)| end);
        stretches.shrink_to_fit();
        Ok(Bounds { rest, stretches })
    }

    /// At least all signatures that may lead above the target come before this.
    fn count_above(&self, target: i64) -> usize {
        let stretch = self.stretches.partition_point(|&(total, _)| total > target);
        if stretch == 0 { 0 } else { self.stretches[stretch - 1].1 }
    }

    fn bytes(&self) -> usize {
        self.rest.bytes() + self.stretches.capacity() * 16
    }
}

/// The bounds of every layer.
pub(super) struct Relaxation {
    layers: Vec<Bounds>,
    /// No path of the core is worth more; `None` if there is no path at all that is worth more than the floor.
    pub(super) bound: Option<i64>,
    pub(super) bytes: usize,
    pub(super) signatures: u64,
}

/// Entries handled between two looks at the clock, where that takes a few nanoseconds each.
const ENTRIES_PER_CLOCK: usize = 1 << 16;
/// Signatures bounded between two looks at the clock.
const BOUNDED_PER_CLOCK: usize = 1 << 12;

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
        let mut machine = Machine::<R>::new(plan, &allowance);
        let mut forward: Vec<Entries> = Vec::with_capacity(plan.steps.len());
        let mut layer = Layer::<R>::start();
        let guide = Guide::by_potentials(potentials);
        let mut held = guide.bytes();
        let mut signatures = 0;
        for (position, step) in plan.steps.iter().enumerate() {
            let guards = guide.at(position + 1, floor, budget)?;
            let advanced = machine.advance(&layer, step, guards.filter(floor), held);
            account.peak_bytes = account.peak_bytes.max(machine.peak_bytes);
            account.steps += std::mem::take(&mut machine.made);
            let (next, _) = advanced?;
            signatures += layer.len() as u64;
            let entries = Entries::new(&layer, budget)?;
            held += entries.bytes();
            forward.push(entries);
            if account.steps > most {
                return Ok(None);
            }
            layer = next;
        }
        // After the last step nothing is open, so every path was completed on the way.
        let mut layers = Vec::with_capacity(plan.steps.len() + 1);
        layers.push(Bounds::new(&[], budget)?);
        drop((machine, layer));

        let mut bytes = 0;
        for (entries, step) in forward.into_iter().rev().zip(plan.steps.iter().rev()) {
            let after = &layers[layers.len() - 1].rest;
            let table = Table::build(after, after.len(), budget)?;
            let used = held + bytes + table.bytes() + entries.len() * (size_of::<Found>() + 4 + 16);
            if used > memory {
                return Err(Stop::MemoryLimit);
            }
            account.peak_bytes = account.peak_bytes.max(used);
            held -= entries.bytes();
            let bounds = Bounds::new(&back::<R>(plan, step, &entries, &table, floor, budget)?, budget)?;
            bytes += bounds.bytes();
            layers.push(bounds);
        }
        layers.reverse();
        let bound = layers[0].stretches.first().map(|&(total, _)| total).filter(|_| layers[0].rest.len() > 0);
        Ok(Some(Relaxation { layers, bound, bytes, signatures }))
    }

    /// The bounds after `step` steps, for paths worth more than the target.
    pub(super) fn table(&self, step: usize, target: i64, budget: &Budget) -> Result<Table, Stop> {
        let bounds = &self.layers[step];
        Table::build(&bounds.rest, bounds.count_above(target), budget)
    }
}

/// The signatures of a layer with their rests and totals, given the bounds of the layer after the step.
fn back<R: Relaxed>(
    plan: &Plan,
    step: &Step,
    entries: &Entries,
    table: &Table,
    floor: i64,
    budget: &Budget,
) -> Result<Vec<Found>, Stop> {
    let count = entries.len();
    let threads = if count < 1 << 13 { 1 } else { budget.threads_now() };
    let mut parts: Vec<_> =
        (0..threads).map(|part| (part * count / threads..(part + 1) * count / threads, Vec::new())).collect();
    in_parallel(&mut parts, |(range, found)| {
        let mut expander = Expander::new();
        let mut rests = [None::<i64>; BATCH];
        for begin in range.clone().step_by(BATCH) {
            let batch = begin..(begin + BATCH).min(range.end);
            rests.fill(None);
            let states = batch.clone().map(|position| (R::from(entries.get(position).0), 0));
            let complete = |gain: i64, from: u32| {
                let best = &mut rests[from as usize];
                *best = (*best).max(Some(gain));
            };
            for next in expander.expand(plan, step, states, complete) {
                if let Some(rest) = table.get(next.state.signature()) {
                    let best = &mut rests[next.from as usize];
                    *best = (*best).max(Some(next.value + rest));
                }
            }
            for (position, rest) in batch.zip(rests) {
                let (signature, value) = entries.get(position);
                if let Some(rest) = rest
                    && value + rest > floor
                {
                    found.push((signature, rest, value + rest));
                }
            }
            if begin % BOUNDED_PER_CLOCK < BATCH
                && let Some(stop) = budget.spent()
            {
                return Err(stop);
            }
        }
        Ok(())
    })?;
    let mut parts = parts.into_iter().map(|(_, found)| found);
    let mut found = parts.next().unwrap_or_default();
    parts.for_each(|part| found.extend(part));
    Ok(found)
}
