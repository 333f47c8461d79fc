//! The backward relaxation: what any completion of a state can still add, as far as its slots' degrees tell.
//!
//! Forget which slots are mates: a state keeps two bits a slot and the ends that exist. Paths and cycles mix, so this is a
//! relaxation, but an exact one: a forward sweep finds the signatures that can be reached, each with the greatest value,
//! and a backward sweep what the best completion of each adds. The sum of both at a signature bounds every path that runs
//! through it; at the start it bounds them all.
//!
//! A signature and its value are packed into one word wherever the values of a layer are close together.

use super::guide::Guide;
use super::kernel::{Relaxed, Signature, scattered};
use super::layer::{BATCH, Expander, Layer, Machine, Shard, deal_out};
use super::plan::{Plan, Step};
use super::potentials::Potentials;
use crate::search::{Budget, Outcome};
use crate::solution::Stop;

/// Signatures, each with a value.
enum Entries {
    /// A signature in the high bits and, in the low [`VALUE_BITS`], by how much the value stays below one more than the
    /// base: never 0.
    Packed {
        base: i64,
        words: Vec<u64>,
    },
    Plain(Vec<(Signature, i64)>),
}

const VALUE_BITS: u32 = 12;
const VALUE_MASK: u64 = (1 << VALUE_BITS) - 1;
const VACANT: u64 = 0;

impl Entries {
    /// From a shard that is swept.
    fn of<R: Relaxed>(shard: &Shard<R>) -> Self {
        let values = Range::of(shard.values.iter().copied());
        let mut entries = Self::with_range(shard.states.len(), values);
        for (&state, &value) in shard.states.iter().zip(&shard.values) {
            entries.push(state.signature(), value);
        }
        entries
    }

    /// Room for values in this range, none yet.
    fn with_range(count: usize, values: Range) -> Self {
        if values.width() >= VALUE_MASK {
            Entries::Plain(Vec::with_capacity(count))
        } else {
            Entries::Packed { base: values.high, words: Vec::with_capacity(count) }
        }
    }

    #[inline(always)]
    fn push(&mut self, signature: Signature, value: i64) {
        match self {
            Entries::Packed { base, words } => {
                words.push(signature.packed() << VALUE_BITS | (*base - value) as u64 + 1)
            }
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
            Entries::Packed { base, words } => {
                let word = words[position];
                (Signature::unpacked(word >> VALUE_BITS), value_of(*base, word))
            }
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
fn value_of(base: i64, word: u64) -> i64 {
    base + 1 - (word & VALUE_MASK) as i64
}

/// The least and the greatest of some values; the wrong way round if there are none.
#[derive(Clone, Copy)]
struct Range {
    low: i64,
    high: i64,
}

impl Range {
    const NONE: Range = Range { low: i64::MAX, high: i64::MIN };

    fn of(values: impl Iterator<Item = i64>) -> Self {
        values.fold(Self::NONE, |range, value| range.and(Range { low: value, high: value }))
    }

    fn and(self, other: Range) -> Self {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn width(self) -> u64 {
        if self.low > self.high { 0 } else { self.high.wrapping_sub(self.low) as u64 }
    }
}

/// The bounds of one layer by signature: open addressing, read-only once built. The signatures of a shard have a region
/// of their own, so that threads can build it together.
pub(super) struct Table {
    entries: Entries,
    shift: u32,
    /// One less than the size of a region.
    within: usize,
}

/// No completion that matters.
pub(super) const NOTHING: i64 = i64::MIN;

/// Signatures to be looked up together, so that the memory is waited for once, and what came of it.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Lookups {
    pub(super) signatures: Vec<Signature>,
    /// What a completion adds at most, or [`NOTHING`].
    pub(super) rests: Vec<i64>,
    first_words: Vec<u64>,
}

impl Table {
    /// From the first of the entries of each shard, as many as are counted for it.
    fn build(layer: &Bounds, count: impl Fn(&ShardBounds) -> usize + Sync, budget: &Budget) -> Result<Self, Stop> {
        let most = layer.shards.iter().map(&count).max().unwrap_or(0);
        let region = (most * 2).next_power_of_two().max(16);
        let size = region * layer.shards.len();
        let shift = 64 - size.trailing_zeros();
        let within = region - 1;
        let total = layer.shards.iter().map(&count).sum();
        let mut hands = hands(total, budget, || ());
        let entries = if layer.is_packed() {
            let mut words = vec![VACANT; size];
            let mut regions: Vec<_> = words.chunks_mut(region).zip(&layer.shards).collect();
            deal_out(&mut regions, &mut hands, |(), _, (region, shard)| {
                let Entries::Packed { words, .. } = &shard.rest else { unreachable!("the layer is packed") };
                for &word in &words[..count(shard)] {
                    let mut at = place(word >> VALUE_BITS, shift) & within;
                    while region[at] != VACANT {
                        at = (at + 1) & within;
                    }
                    region[at] = word;
                }
                budget.spent().map_or(Ok(()), Err)
            })?;
            Entries::Packed { base: layer.base, words }
        } else {
            let mut entries = vec![(Signature::NONE, 0); size];
            let mut regions: Vec<_> = entries.chunks_mut(region).zip(&layer.shards).collect();
            deal_out(&mut regions, &mut hands, |(), _, (region, shard)| {
                for position in 0..count(shard) {
                    let entry = shard.rest.get(position);
                    let mut at = place(entry.0.packed(), shift) & within;
                    while region[at].0 != Signature::NONE {
                        at = (at + 1) & within;
                    }
                    region[at] = entry;
                }
                budget.spent().map_or(Ok(()), Err)
            })?;
            Entries::Plain(entries)
        };
        Ok(Table { entries, shift, within })
    }

    /// What a completion of such a state adds at most; `None` if there is none that matters.
    #[inline(always)]
    pub(super) fn get(&self, signature: Signature) -> Option<i64> {
        let packed = signature.packed();
        let at = place(packed, self.shift);
        let rest = match &self.entries {
            Entries::Packed { base, words } => self.rest_from(*base, words, packed, at, words[at]),
            Entries::Plain(entries) => self.plain_rest(entries, signature, at),
        };
        (rest != NOTHING).then_some(rest)
    }

    /// The same for many signatures.
    #[inline(always)]
    pub(super) fn look_up(&self, lookups: &mut Lookups) {
        let Lookups { signatures, rests, first_words } = lookups;
        rests.clear();
        match &self.entries {
            Entries::Packed { base, words } => {
                first_words.clear();
                first_words.extend(signatures.iter().map(|signature| words[place(signature.packed(), self.shift)]));
                rests.extend(signatures.iter().zip(&*first_words).map(|(signature, &word)| {
                    let packed = signature.packed();
                    self.rest_from(*base, words, packed, place(packed, self.shift), word)
                }));
            }
            Entries::Plain(entries) => rests.extend(
                signatures
                    .iter()
                    .map(|&signature| self.plain_rest(entries, signature, place(signature.packed(), self.shift))),
            ),
        }
    }

    /// Goes on from a place and the word there.
    #[inline(always)]
    fn rest_from(&self, base: i64, words: &[u64], packed: u64, mut at: usize, mut word: u64) -> i64 {
        loop {
            if word >> VALUE_BITS == packed && word != VACANT {
                return value_of(base, word);
            }
            if word == VACANT {
                return NOTHING;
            }
            at = self.after(at);
            word = words[at];
        }
    }

    #[inline(always)]
    fn plain_rest(&self, entries: &[(Signature, i64)], signature: Signature, mut at: usize) -> i64 {
        loop {
            let (found, value) = entries[at];
            if found == signature {
                return value;
            }
            if found == Signature::NONE {
                return NOTHING;
            }
            at = self.after(at);
        }
    }

    /// The next place in the same region.
    #[inline(always)]
    fn after(&self, at: usize) -> usize {
        at & !self.within | (at + 1) & self.within
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.bytes()
    }
}

/// The high bits choose the region, as they do the shard of a layer.
#[inline(always)]
fn place(packed: u64, shift: u32) -> usize {
    (scattered(packed) >> shift) as usize
}

/// Fewer entries are not worth a second thread.
const SMALL: usize = 1 << 13;

/// What each thread needs for itself, once for every thread that so many entries are worth.
fn hands<W>(count: usize, budget: &Budget, hand: impl FnMut() -> W) -> Vec<W> {
    let threads = if count < SMALL { 1 } else { budget.threads.max(1) };
    std::iter::repeat_with(hand).take(threads).collect()
}

/// The signatures of a layer that matter, with the most that a completion adds, in the layer's shards.
struct Bounds {
    shards: Vec<ShardBounds>,
    /// The greatest rest, where they are packed.
    base: i64,
}

struct ShardBounds {
    /// The most promising come first.
    rest: Entries,
    /// Stretches of signatures of similar totals (best value that reaches the signature, plus the rest), the totals
    /// falling: the greatest of each, and where it ends.
    stretches: Vec<(i64, usize)>,
}

/// What the way back finds in a shard: signatures with what a completion adds and the total.
struct Found {
    entries: Vec<(Signature, i64, i64)>,
    rests: Range,
    totals: Range,
}

impl Bounds {
    /// Of the layer after the last step.
    fn none() -> Self {
        let rest = Entries::with_range(0, Range::NONE);
        Bounds { shards: vec![ShardBounds { rest, stretches: Vec::new() }], base: Range::NONE.high }
    }

    fn new(found: Vec<Found>, budget: &Budget) -> Result<Self, Stop> {
        let over_all = |range: fn(&Found) -> Range| found.iter().map(range).fold(Range::NONE, Range::and);
        let (rests, totals) = (over_all(|found| found.rests), over_all(|found| found.totals));
        let count = found.iter().map(|found| found.entries.len()).sum();
        let mut shards: Vec<_> = found.into_iter().map(|found| (found, None)).collect();
        deal_out(&mut shards, &mut hands(count, budget, || ()), |(), _, (found, bounds)| {
            *bounds = Some(ShardBounds::new(&std::mem::take(&mut found.entries), rests, totals));
            budget.spent().map_or(Ok(()), Err)
        })?;
        let shards = shards.into_iter().filter_map(|(_, bounds)| bounds).collect();
        Ok(Bounds { shards, base: rests.high })
    }

    fn is_packed(&self) -> bool {
        matches!(self.shards[0].rest, Entries::Packed { .. })
    }

    fn bytes(&self) -> usize {
        let of_shard = |shard: &ShardBounds| shard.rest.bytes() + shard.stretches.capacity() * 16;
        self.shards.iter().map(of_shard).sum()
    }
}

impl ShardBounds {
    /// The ranges are those of the whole layer.
    fn new(found: &[(Signature, i64, i64)], rests: Range, totals: Range) -> Self {
        const STRETCHES: u64 = 1 << 8;
        let pitch = totals.width() / STRETCHES + 1;
        let stretch = |total: i64| (totals.high.wrapping_sub(total) as u64 / pitch) as usize;
        let mut ends = vec![0usize; (totals.width() / pitch) as usize + 2];
        for &(_, _, total) in found {
            ends[stretch(total) + 1] += 1;
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        // Each stretch begins where the one before ends; filling it moves its beginning to its end.
        let mut order = vec![0u32; found.len()];
        for (position, &(_, _, total)) in found.iter().enumerate() {
            let end = &mut ends[stretch(total)];
            order[*end] = position as u32;
            *end += 1;
        }
        let mut rest = Entries::with_range(found.len(), rests);
        for &position in &order {
            let (signature, value, _) = found[position as usize];
            rest.push(signature, value);
        }
        ends.pop();
        let greatest = (0..).map(|stretch| totals.high.saturating_sub((stretch as u64 * pitch) as i64));
        let mut stretches: Vec<(i64, usize)> = greatest.zip(ends).collect();
        stretches.dedup_by_key(|&mut (_, end)| end);
        stretches.shrink_to_fit();
        ShardBounds { rest, stretches }
    }

    /// At least all signatures that may lead above the target come before this.
    fn count_above(&self, target: i64) -> usize {
        let stretch = self.stretches.partition_point(|&(total, _)| total > target);
        if stretch == 0 { 0 } else { self.stretches[stretch - 1].1 }
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
        let mut forward: Vec<Vec<Entries>> = Vec::with_capacity(plan.steps.len());
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
            let entries = packed(layer, budget)?;
            held += entries.iter().map(Entries::bytes).sum::<usize>();
            forward.push(entries);
            if account.steps > most {
                return Ok(None);
            }
            layer = next;
        }
        // After the last step nothing is open, so every path was completed on the way.
        let mut layers = Vec::with_capacity(plan.steps.len() + 1);
        layers.push(Bounds::none());
        drop((machine, layer));

        let mut bytes = 0;
        for (entries, step) in forward.into_iter().rev().zip(plan.steps.iter().rev()) {
            let after = &layers[layers.len() - 1];
            let table = Table::build(after, |shard| shard.rest.len(), budget)?;
            let (count, taken) =
                entries.iter().fold((0, 0), |(count, taken), shard| (count + shard.len(), taken + shard.bytes()));
            let used = held + bytes + table.bytes() + count * (size_of::<(Signature, i64, i64)>() + 4 + 16);
            if used > memory {
                return Err(Stop::MemoryLimit);
            }
            account.peak_bytes = account.peak_bytes.max(used);
            let found = back::<R>(plan, step, &entries, &table, floor, budget)?;
            held -= taken;
            drop((entries, table));
            let bounds = Bounds::new(found, budget)?;
            bytes += bounds.bytes();
            layers.push(bounds);
        }
        layers.reverse();
        let bound = layers[0].shards[0].stretches.first().map(|&(total, _)| total);
        let bound = bound.filter(|_| layers[0].shards[0].rest.len() > 0);
        Ok(Some(Relaxation { layers, bound, bytes, signatures }))
    }

    /// The bounds after `step` steps, for paths worth more than the target.
    pub(super) fn table(&self, step: usize, target: i64, budget: &Budget) -> Result<Table, Stop> {
        Table::build(&self.layers[step], |shard| shard.count_above(target), budget)
    }
}

/// The entries of a layer, shard by shard.
fn packed<R: Relaxed>(layer: Layer<R>, budget: &Budget) -> Result<Vec<Entries>, Stop> {
    let mut hands = hands(layer.len(), budget, || ());
    let mut shards: Vec<_> = layer.shards.into_iter().map(|shard| (shard, None)).collect();
    deal_out(&mut shards, &mut hands, |(), _, (shard, entries)| {
        *entries = Some(Entries::of(shard));
        budget.spent().map_or(Ok(()), Err)
    })?;
    Ok(shards.into_iter().filter_map(|(_, entries)| entries).collect())
}

/// The signatures of a layer with their rests and totals, given the bounds of the layer after the step.
fn back<R: Relaxed>(
    plan: &Plan,
    step: &Step,
    layer: &[Entries],
    table: &Table,
    floor: i64,
    budget: &Budget,
) -> Result<Vec<Found>, Stop> {
    let count = layer.iter().map(Entries::len).sum();
    let mut shards: Vec<_> = layer
        .iter()
        .map(|entries| (entries, Found { entries: Vec::new(), rests: Range::NONE, totals: Range::NONE }))
        .collect();
    let mut hands = hands(count, budget, || (Expander::new(), Lookups::default()));
    deal_out(&mut shards, &mut hands, |(expander, lookups), _, (entries, found)| {
        let mut best = [NOTHING; BATCH];
        let count = entries.len();
        for begin in (0..count).step_by(BATCH) {
            let batch = begin..(begin + BATCH).min(count);
            best.fill(NOTHING);
            let states = batch.clone().map(|position| (R::from(entries.get(position).0), 0));
            let complete = |gain: i64, from: u32| {
                let best = &mut best[from as usize];
                *best = gain.max(*best);
            };
            let expanded = expander.expand(plan, step, states, complete);
            lookups.signatures.clear();
            lookups.signatures.extend(expanded.iter().map(|next| next.state.signature()));
            table.look_up(lookups);
            for (next, &rest) in expanded.iter().zip(&lookups.rests) {
                if rest != NOTHING {
                    let best = &mut best[next.from as usize];
                    *best = (next.value + rest).max(*best);
                }
            }
            for (position, &rest) in batch.zip(&best) {
                let (signature, value) = entries.get(position);
                if rest != NOTHING && value + rest > floor {
                    found.push(signature, rest, value + rest);
                }
            }
            if begin % BOUNDED_PER_CLOCK == 0 {
                budget.spent().map_or(Ok(()), Err)?;
            }
        }
        Ok(())
    })?;
    Ok(shards.into_iter().map(|(_, found)| found).collect())
}

impl Found {
    #[inline(always)]
    fn push(&mut self, signature: Signature, rest: i64, total: i64) {
        self.entries.push((signature, rest, total));
        self.rests = self.rests.and(Range { low: rest, high: rest });
        self.totals = self.totals.and(Range { low: total, high: total });
    }
}
