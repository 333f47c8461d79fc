//! Bounds of a layer, kept small and looked up fast: the signatures with what completions of each can add.
//!
//! A signature and its value are packed into one word wherever the values of a layer are close together.

use super::kernel::{Signature, scattered};
use super::sharding::Sharding;
use super::worker_pool::{self, deal_out};
use crate::instance::Budget;
use crate::solution::Stop;

/// Signatures, each with a value.
pub(super) enum Entries {
    /// A signature in the high bits and, in the low bits that its slots [leave](Layout), by how much the value stays below one
    /// more than the base: never 0.
    Packed {
        base: i64,
        layout: Layout,
        words: Vec<u64>,
    },
    Plain(Vec<(Signature, i64)>),
}

/// How signatures of so many slots and values share words.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// What the slots take of a signature.
    bits: u32,
}

/// Where the flags of a packed signature begin.
const FLAGS_AT: u32 = 50;

impl Layout {
    pub(super) fn new(slots: usize) -> Self {
        Layout { bits: (2 * slots as u32).min(FLAGS_AT) }
    }

    #[inline(always)]
    fn value_bits(self) -> u32 {
        62 - self.bits
    }

    #[inline(always)]
    fn value_mask(self) -> u64 {
        (1 << self.value_bits()) - 1
    }

    /// A packed signature whose flags come right behind its slots.
    #[inline(always)]
    fn squeezed(self, packed: u64) -> u64 {
        packed & ((1 << self.bits) - 1) | packed >> FLAGS_AT << self.bits
    }

    /// The packed signature of a word.
    #[inline(always)]
    fn packed(self, word: u64) -> u64 {
        let squeezed = word >> self.value_bits();
        squeezed & ((1 << self.bits) - 1) | squeezed >> self.bits << FLAGS_AT
    }

    #[inline(always)]
    fn word(self, packed: u64, value: u64) -> u64 {
        self.squeezed(packed) << self.value_bits() | value
    }

    #[inline(always)]
    fn value(self, base: i64, word: u64) -> i64 {
        base + 1 - (word & self.value_mask()) as i64
    }
}

const VACANT: u64 = 0;

/// The entries of a layer in its shards.
pub(super) struct Sharded {
    pub(super) entries: Entries,
    /// Where each shard begins, and the last ends.
    pub(super) bounds: Vec<usize>,
    /// What chooses the shard of a signature, if there are several: as many high bits of the hash.
    pub(super) sharding: Sharding,
    pub(super) shard_bits: u32,
}

impl Sharded {
    /// From shards with so many entries each, whose values are in this range.
    pub(super) fn new<I: Iterator<Item = (Signature, i64)>>(
        counts: &[usize],
        sharding: Sharding,
        values: Range,
        layout: Layout,
        budget: &Budget,
        shard: impl Fn(usize) -> I + Sync,
    ) -> Result<Self, Stop> {
        let mut bounds = vec![0];
        for count in counts {
            bounds.push(bounds[bounds.len() - 1] + count);
        }
        let total = bounds[bounds.len() - 1];
        let entries = if values.width() >= layout.value_mask() {
            let mut entries = vec![(Signature::NONE, 0); total];
            in_shards(&mut entries, &bounds, budget, |index, part| {
                part.iter_mut().zip(shard(index)).for_each(|(to, entry)| *to = entry)
            })?;
            Entries::Plain(entries)
        } else {
            let base = values.high;
            let mut words = vec![VACANT; total];
            in_shards(&mut words, &bounds, budget, |index, part| {
                for (word, (signature, value)) in part.iter_mut().zip(shard(index)) {
                    *word = layout.word(signature.packed(), (base - value) as u64 + 1);
                }
            })?;
            Entries::Packed { base, layout, words }
        };
        debug_assert!(counts.len().is_power_of_two());
        Ok(Sharded { entries, bounds, sharding, shard_bits: counts.len().trailing_zeros() })
    }

    pub(super) fn len(&self) -> usize {
        self.bounds[self.bounds.len() - 1]
    }

    #[inline(always)]
    pub(super) fn get(&self, position: usize) -> (Signature, i64) {
        match &self.entries {
            Entries::Packed { base, layout, words } => {
                let word = words[position];
                (Signature::unpacked(layout.packed(word)), layout.value(*base, word))
            }
            Entries::Plain(entries) => entries[position],
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.bytes() + self.bounds.capacity() * 8
    }
}

/// Lets the threads work on the shards of a layer.
fn in_shards<T: Send>(
    entries: &mut [T],
    bounds: &[usize],
    budget: &Budget,
    work: impl Fn(usize, &mut [T]) + Sync,
) -> Result<(), Stop> {
    let mut hands = hands(entries.len(), budget, || ());
    deal_out(&mut shards_of(entries, bounds), &mut hands, |(), index, part| {
        work(index, part);
        budget.spent().map_or(Ok(()), Err)
    })
}

pub(super) fn shards_of<'e, T>(mut entries: &'e mut [T], bounds: &[usize]) -> Vec<&'e mut [T]> {
    let mut shards = Vec::with_capacity(bounds.len() - 1);
    for pair in bounds.windows(2) {
        let (shard, rest) = entries.split_at_mut(pair[1] - pair[0]);
        shards.push(shard);
        entries = rest;
    }
    shards
}

impl Entries {
    pub(super) fn bytes(&self) -> usize {
        match self {
            Entries::Packed { words, .. } => words.capacity() * 8,
            Entries::Plain(entries) => entries.capacity() * 16,
        }
    }
}

/// The least and the greatest of some values; the wrong way round if there are none.
#[derive(Clone, Copy)]
pub(super) struct Range {
    low: i64,
    high: i64,
}

impl Range {
    pub(super) const NONE: Range = Range { low: i64::MAX, high: i64::MIN };

    pub(super) fn at(value: i64) -> Self {
        Range { low: value, high: value }
    }

    pub(super) fn of(values: &[i64]) -> Self {
        values.iter().fold(Self::NONE, |range, &value| range.and(Range { low: value, high: value }))
    }

    pub(super) fn and(self, other: Range) -> Self {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn width(self) -> u64 {
        if self.low > self.high { 0 } else { self.high.wrapping_sub(self.low) as u64 }
    }
}

/// The bounds of one layer by signature: open addressing, read-only once built. The signatures of a shard have a region
/// of their own, so that threads can build it together, and a shard that goes through a step by itself looks up nowhere else.
pub(super) struct Table {
    entries: Entries,
    regions: Vec<Region>,
    sharding: Sharding,
    shard_bits: u32,
}

/// Where the bounds of a shard are: so many places that it is a power of two.
#[derive(Clone, Copy)]
struct Region {
    from: usize,
    bits: u32,
}

impl Region {
    /// With room for so many signatures.
    fn at(from: usize, count: usize) -> Self {
        Region { from, bits: (count * 2).next_power_of_two().max(16).trailing_zeros() }
    }

    fn size(self) -> usize {
        1 << self.bits
    }

    /// The place of a packed signature, or where it is looked for first.
    #[inline(always)]
    fn place(self, packed: u64) -> usize {
        (scattered(packed) >> (64 - self.bits)) as usize
    }

    /// The next place.
    #[inline(always)]
    fn after(self, at: usize) -> usize {
        (at + 1) & (self.size() - 1)
    }
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
    /// Where each is looked for, and what is there.
    begun: Vec<(Region, usize, u64)>,
}

impl Lookups {
    /// What the table says of these signatures.
    #[inline(always)]
    pub(super) fn of(&mut self, table: &Table, signatures: impl Iterator<Item = Signature>) -> &[i64] {
        self.signatures.clear();
        self.signatures.extend(signatures);
        table.look_up(self);
        &self.rests
    }
}

impl Table {
    /// Of the bounds of a layer, for paths worth more than the target; in the words of an earlier table.
    pub(super) fn build(layer: &Bounds, target: i64, budget: &Budget, mut words: Vec<u64>) -> Result<Self, Stop> {
        let Sharded { ref entries, ref bounds, sharding, shard_bits } = layer.rest;
        let counts: Vec<usize> = layer.segments.iter().map(|segments| count_above(segments, target)).collect();
        let mut size = 0;
        let region = |&count: &usize| {
            let region = Region::at(size, count);
            size += region.size();
            region
        };
        let regions: Vec<Region> = counts.iter().map(region).collect();
        let mut hands = hands(counts.iter().sum(), budget, || ());
        let shard = |index: usize| bounds[index]..bounds[index] + counts[index];
        let ends: Vec<usize> = regions.iter().map(|region| region.from).chain([size]).collect();
        let entries = match entries {
            Entries::Packed { base, layout, words: from } => {
                // Only what is new is written here; each region is cleared by whom it is dealt to.
                words.resize(size, VACANT);
                deal_out(&mut shards_of(&mut words, &ends), &mut hands, |(), index, words| {
                    words.fill(VACANT);
                    let region = regions[index];
                    for &word in &from[shard(index)] {
                        let mut at = region.place(layout.packed(word));
                        while words[at] != VACANT {
                            at = region.after(at);
                        }
                        words[at] = word;
                    }
                    budget.spent().map_or(Ok(()), Err)
                })?;
                Entries::Packed { base: *base, layout: *layout, words }
            }
            Entries::Plain(from) => {
                let mut entries = vec![(Signature::NONE, 0); size];
                deal_out(&mut shards_of(&mut entries, &ends), &mut hands, |(), index, entries| {
                    let region = regions[index];
                    for &entry in &from[shard(index)] {
                        let mut at = region.place(entry.0.packed());
                        while entries[at].0 != Signature::NONE {
                            at = region.after(at);
                        }
                        entries[at] = entry;
                    }
                    budget.spent().map_or(Ok(()), Err)
                })?;
                Entries::Plain(entries)
            }
        };
        Ok(Table { entries, regions, sharding, shard_bits })
    }

    /// What such a table takes.
    pub(super) fn bytes_of(layer: &Bounds, target: i64) -> usize {
        let word = match layer.rest.entries {
            Entries::Packed { .. } => 8,
            Entries::Plain(_) => 16,
        };
        let region = |segments: &Vec<_>| Region::at(0, count_above(segments, target)).size();
        layer.segments.iter().map(region).sum::<usize>() * word + layer.segments.len() * size_of::<Region>()
    }

    /// What a completion of such a state adds at most; `None` if there is none that matters.
    #[inline(always)]
    pub(super) fn get(&self, signature: Signature) -> Option<i64> {
        let region = self.region(signature);
        let at = region.place(signature.packed());
        let rest = match &self.entries {
            Entries::Packed { base, layout, words } => {
                let squeezed = layout.squeezed(signature.packed());
                rest_after(*base, *layout, words, squeezed, (region, at, words[region.from + at]))
            }
            Entries::Plain(entries) => plain_rest(entries, signature, region),
        };
        (rest != NOTHING).then_some(rest)
    }

    /// The same for many signatures.
    #[inline(always)]
    pub(super) fn look_up(&self, lookups: &mut Lookups) {
        let Lookups { signatures, rests, begun } = lookups;
        rests.clear();
        match &self.entries {
            Entries::Packed { base, layout, words } => {
                begun.clear();
                begun.extend(signatures.iter().map(|&signature| {
                    let region = self.region(signature);
                    let at = region.place(signature.packed());
                    (region, at, words[region.from + at])
                }));
                rests.extend(signatures.iter().zip(&*begun).map(|(signature, &begun)| {
                    rest_after(*base, *layout, words, layout.squeezed(signature.packed()), begun)
                }));
            }
            Entries::Plain(entries) => {
                rests
                    .extend(signatures.iter().map(|&signature| plain_rest(entries, signature, self.region(signature))));
            }
        }
    }

    #[inline(always)]
    fn region(&self, signature: Signature) -> Region {
        self.regions[self.sharding.shard(signature, self.shard_bits)]
    }

    pub(super) fn into_words(self) -> Vec<u64> {
        match self.entries {
            Entries::Packed { words, .. } => words,
            Entries::Plain(_) => Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.bytes() + self.regions.capacity() * size_of::<Region>()
    }
}

/// Goes on from a place and the word there.
#[inline(always)]
fn rest_after(
    base: i64,
    layout: Layout,
    words: &[u64],
    squeezed: u64,
    (region, mut at, mut word): (Region, usize, u64),
) -> i64 {
    loop {
        if word >> layout.value_bits() == squeezed && word != VACANT {
            return layout.value(base, word);
        }
        if word == VACANT {
            return NOTHING;
        }
        at = region.after(at);
        word = words[region.from + at];
    }
}

#[inline(always)]
fn plain_rest(entries: &[(Signature, i64)], signature: Signature, region: Region) -> i64 {
    let mut at = region.place(signature.packed());
    loop {
        let (found, value) = entries[region.from + at];
        if found == signature {
            return value;
        }
        if found == Signature::NONE {
            return NOTHING;
        }
        at = region.after(at);
    }
}

/// Fewer entries are not worth a second thread.
const SMALL: usize = 1 << 10;

/// What each thread needs for itself, once for every thread that so many entries are worth.
pub(super) fn hands<W>(count: usize, budget: &Budget, hand: impl FnMut() -> W) -> Vec<W> {
    let threads = if count < SMALL { 1 } else { worker_pool::threads(budget) };
    std::iter::repeat_with(hand).take(threads).collect()
}

/// The signatures of a layer that matter, with the most that a completion adds, in the layer's shards.
pub(super) struct Bounds {
    /// In each shard the most promising come first.
    pub(super) rest: Sharded,
    /// For each shard, segments of signatures of similar totals (best value that reaches the signature, plus the rest),
    /// the totals falling: the greatest of each, and where it ends.
    pub(super) segments: Vec<Vec<(i64, usize)>>,
}

/// What the way back found in a shard.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) count: usize,
    pub(super) rests: Range,
    pub(super) totals: Range,
}

impl Bounds {
    /// The greatest total of a layer that is one shard, if it has any signature.
    pub(super) fn greatest_total(&self) -> Option<i64> {
        self.segments[0].first().map(|&(total, _)| total).filter(|_| self.rest.len() > 0)
    }

    /// Of the layer after the last step.
    pub(super) fn none(layout: Layout, budget: &Budget) -> Result<Self, Stop> {
        let rest = Sharded::new(&[0], Sharding::BY_ALL, Range::NONE, layout, budget, |_| std::iter::empty())?;
        Ok(Bounds { rest, segments: vec![Vec::new()] })
    }

    /// From the entries of a layer and what completions add to each, or [`NOTHING`].
    pub(super) fn new(
        layer: &Sharded,
        rests: &[i64],
        found: &[Found],
        layout: Layout,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let over_all = |range: fn(&Found) -> Range| found.iter().map(range).fold(Range::NONE, Range::and);
        let (values, totals) = (over_all(|found| found.rests), over_all(|found| found.totals));
        let counts: Vec<usize> = found.iter().map(|found| found.count).collect();
        let mut sorted: Vec<_> = vec![(Vec::new(), Vec::new()); counts.len()];
        deal_out(&mut sorted, &mut hands(layer.len(), budget, || ()), |(), index, sorted| {
            let shard = layer.bounds[index]..layer.bounds[index + 1];
            let entries = shard.filter(|&position| rests[position] != NOTHING);
            *sorted = sort(entries.map(|position| (position as u32, layer.get(position).1 + rests[position])), totals);
            budget.spent().map_or(Ok(()), Err)
        })?;
        let rest = Sharded::new(&counts, layer.sharding, values, layout, budget, |index| {
            sorted[index].0.iter().map(|&position| (layer.get(position as usize).0, rests[position as usize]))
        })?;
        Ok(Bounds { rest, segments: sorted.into_iter().map(|(_, segments)| segments).collect() })
    }

    pub(super) fn bytes(&self) -> usize {
        self.rest.bytes() + self.segments.iter().map(|shard| shard.capacity() * 16).sum::<usize>()
    }
}

/// Positions by falling total, about, and the segments; the range is that of the whole layer.
fn sort(found: impl Iterator<Item = (u32, i64)> + Clone, totals: Range) -> (Vec<u32>, Vec<(i64, usize)>) {
    const STRETCHES: u64 = 1 << 8;
    let pitch = totals.width() / STRETCHES + 1;
    let segment = |total: i64| (totals.high.wrapping_sub(total) as u64 / pitch) as usize;
    let mut ends = vec![0usize; (totals.width() / pitch) as usize + 2];
    for (_, total) in found.clone() {
        ends[segment(total) + 1] += 1;
    }
    for at in 1..ends.len() {
        ends[at] += ends[at - 1];
    }
    // Each segment begins where the one before ends; filling it moves its beginning to its end.
    let mut order = vec![0u32; ends[ends.len() - 1]];
    for (position, total) in found {
        let end = &mut ends[segment(total)];
        order[*end] = position;
        *end += 1;
    }
    ends.pop();
    let greatest = (0..).map(|segment| totals.high.saturating_sub((segment as u64 * pitch) as i64));
    let mut segments: Vec<(i64, usize)> = greatest.zip(ends).collect();
    segments.dedup_by_key(|&mut (_, end)| end);
    segments.shrink_to_fit();
    (order, segments)
}

/// At least all signatures of a shard that may lead above the target come before this.
fn count_above(segments: &[(i64, usize)], target: i64) -> usize {
    let segment = segments.partition_point(|&(total, _)| total > target);
    if segment == 0 { 0 } else { segments[segment - 1].1 }
}
