//! Layers that have their turn later: in memory as long as there is room, then on disk.
//!
//! They are put away one after the other, and each is written shard by shard: entries whose order says nothing are sorted first, as
//! that is shortest. What can't be written stays where it is.

use super::kernel::Signature;
use super::sharding::Sharding;
use super::tables::{Bounds, Entries, Layout, Sharded, hands};
use super::worker_pool::deal_out;
use crate::disk::{self, Disk, Spool};
use crate::instance::Budget;
use crate::solution::Stop;

/// A row of layers. Those on disk come first.
pub(super) struct Shelf<T> {
    kept: Vec<Kept<T>>,
    /// So many are on disk.
    away: usize,
    /// Whether all but the last go there at once, since there was no room before.
    is_crowded: bool,
    /// So much room was left on disk when a layer found too little.
    too_little: u64,
    /// Bytes of memory.
    bytes: usize,
    /// Those that the largest layer on disk takes while it is looked at.
    largest: usize,
    spool: Spool,
}

enum Kept<T> {
    Here(T),
    Away(Place),
}

/// Where a layer is on disk, and what is known of it without reading.
pub(super) struct Place {
    at: u64,
    shards: Vec<Packed>,
    /// Of the entries, as in memory.
    bounds: Vec<usize>,
    sharding: Sharding,
    shard_bits: u32,
    form: Form,
}

/// The words of a shard: so many, in so many bytes.
struct Packed {
    words: u32,
    bytes: u32,
}

#[derive(Clone, Copy)]
enum Form {
    Packed { base: i64, layout: Layout },
    Plain,
}

/// Shards that are packed, or read, together.
const SHARDS_AT_ONCE: usize = 1 << 6;

/// What can be put away.
pub(super) trait Storable: Sized + Sync {
    fn bytes(&self) -> usize;
    fn entries(&self) -> &Sharded;
    /// Where the parts of a shard end in which the order of the entries says nothing, the last at its end.
    fn parts(&self, shard: usize) -> Vec<usize>;
    /// What is to be written of a shard before its entries.
    fn preface(&self, shard: usize, words: &mut Vec<u64>);
    /// All again, of the entries and what was written before those of each shard.
    fn of(entries: Sharded, prefaces: Vec<Vec<u64>>) -> Self;
}

impl<T: Storable> Shelf<T> {
    pub(super) fn new(disk: &Disk) -> Self {
        let spool = Spool::new(disk);
        Shelf { kept: Vec::new(), away: 0, is_crowded: false, too_little: 0, bytes: 0, largest: 0, spool }
    }

    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// What it takes of the memory.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The same with the largest layer that may have to be read.
    pub(super) fn bytes_to_look(&self) -> usize {
        self.bytes + self.largest
    }

    /// Adds a layer; where memory is scarce, those before it are put away.
    pub(super) fn push(&mut self, layer: T, budget: &Budget) -> Result<(), Stop> {
        if self.is_crowded {
            self.put_away(0, budget)?;
        }
        self.bytes += layer.bytes();
        self.kept.push(Kept::Here(layer));
        Ok(())
    }

    /// Takes the last layer.
    pub(super) fn pop(&mut self, budget: &Budget) -> Result<Option<T>, Stop> {
        match self.kept.pop() {
            None => Ok(None),
            Some(Kept::Here(layer)) => {
                self.bytes -= layer.bytes();
                Ok(Some(layer))
            }
            Some(Kept::Away(place)) => {
                let layer = load(&self.spool, &place, budget)?;
                self.spool.cut(place.at);
                self.bytes -= place.bytes();
                self.away -= 1;
                Ok(Some(layer))
            }
        }
    }

    /// Shows a layer, which is read for it if need be.
    pub(super) fn look<R>(
        &self,
        index: usize,
        budget: &Budget,
        show: impl FnOnce(&T) -> Result<R, Stop>,
    ) -> Result<R, Stop> {
        match &self.kept[index] {
            Kept::Here(layer) => show(layer),
            Kept::Away(place) => show(&load(&self.spool, place, budget)?),
        }
    }

    /// Puts all layers but the last so many on disk, as far as there is room, and those that come in future but for the last.
    /// Returns whether memory came free.
    pub(super) fn put_away(&mut self, but: usize, budget: &Budget) -> Result<bool, Stop> {
        self.is_crowded = budget.disk.room() > self.too_little;
        let before = self.away;
        while self.is_crowded && self.away + but < self.kept.len() {
            let Kept::Here(layer) = &self.kept[self.away] else { unreachable!("those on disk come first") };
            match store(layer, &mut self.spool, budget)? {
                Some(place) => {
                    self.largest = self.largest.max(layer.bytes());
                    self.bytes = self.bytes - layer.bytes() + place.bytes();
                    self.kept[self.away] = Kept::Away(place);
                    self.away += 1;
                }
                None => (self.is_crowded, self.too_little) = (false, budget.disk.room()),
            }
        }
        Ok(self.away > before)
    }
}

impl Place {
    fn bytes(&self) -> usize {
        self.shards.capacity() * size_of::<Packed>() + self.bounds.capacity() * 8
    }
}

/// Writes a layer; `None` if that can't be done.
fn store<T: Storable>(layer: &T, spool: &mut Spool, budget: &Budget) -> Result<Option<Place>, Stop> {
    let at = spool.length();
    let Sharded { entries, bounds, sharding, shard_bits } = layer.entries();
    let count = bounds.len() - 1;
    let mut hands = hands(layer.entries().len(), budget, || (Vec::new(), Vec::new()));
    let mut shards = Vec::with_capacity(count);
    for first in (0..count).step_by(SHARDS_AT_ONCE) {
        let mut written = vec![(0, Vec::new()); SHARDS_AT_ONCE.min(count - first)];
        deal_out(&mut written, &mut hands, |(words, buffer), index, (number, packed)| {
            let shard = first + index;
            words.clear();
            layer.preface(shard, words);
            let preface = words.len();
            match entries {
                Entries::Packed { words: all, .. } => {
                    words.extend_from_slice(&all[bounds[shard]..bounds[shard + 1]]);
                    let mut from = preface;
                    for end in layer.parts(shard) {
                        words[from..preface + end].sort_unstable();
                        from = preface + end;
                    }
                }
                Entries::Plain(all) => {
                    let all = &all[bounds[shard]..bounds[shard + 1]];
                    words.extend(all.iter().map(|(signature, _)| signature.packed()));
                    words.extend(all.iter().map(|&(_, value)| value as u64));
                }
            }
            *number = words.len();
            disk::pack(words, buffer, packed);
            budget.spent().map_or(Ok(()), Err)
        })?;
        for (words, packed) in &written {
            let (Ok(words), Ok(bytes)) = (u32::try_from(*words), u32::try_from(packed.len())) else {
                spool.cut(at);
                return Ok(None);
            };
            if !spool.push(packed) {
                spool.cut(at);
                return Ok(None);
            }
            shards.push(Packed { words, bytes });
        }
    }
    let form = match entries {
        &Entries::Packed { base, layout, .. } => Form::Packed { base, layout },
        Entries::Plain(_) => Form::Plain,
    };
    let (sharding, shard_bits) = (*sharding, *shard_bits);
    Ok(Some(Place { at, shards, bounds: bounds.clone(), sharding, shard_bits, form }))
}

/// Reads a layer. What can't be read is as good as without room.
fn load<T: Storable>(spool: &Spool, place: &Place, budget: &Budget) -> Result<T, Stop> {
    let Place { shards, bounds, sharding, shard_bits, form, .. } = place;
    let total = bounds[bounds.len() - 1];
    let mut hands = hands(total, budget, Vec::new);
    let mut entries = match *form {
        Form::Packed { base, layout } => Entries::Packed { base, layout, words: Vec::with_capacity(total) },
        Form::Plain => Entries::Plain(Vec::with_capacity(total)),
    };
    let mut prefaces = Vec::with_capacity(shards.len());
    let mut at = place.at;
    for (number, shards) in shards.chunks(SHARDS_AT_ONCE).enumerate() {
        let count = shards.iter().map(|shard| shard.bytes as usize).sum();
        let bytes = spool.read(at, count).ok_or(Stop::MemoryLimit)?;
        at += count as u64;
        let mut rest = &bytes[..];
        let mut read: Vec<_> = shards
            .iter()
            .map(|shard| {
                let packed = rest.split_off(..shard.bytes as usize).expect("all of it was read");
                (packed, vec![0; shard.words as usize])
            })
            .collect();
        deal_out(&mut read, &mut hands, |buffer, _, (packed, words)| {
            disk::unpack(packed, buffer, words).ok_or(Stop::MemoryLimit)?;
            budget.spent().map_or(Ok(()), Err)
        })?;
        for (index, (_, mut words)) in read.into_iter().enumerate() {
            let shard = number * SHARDS_AT_ONCE + index;
            let count = bounds[shard + 1] - bounds[shard];
            let of_entries = words.split_off(words.len() - if matches!(form, Form::Plain) { 2 * count } else { count });
            prefaces.push(words);
            match &mut entries {
                Entries::Packed { words, .. } => words.extend_from_slice(&of_entries),
                Entries::Plain(all) => {
                    let (signatures, values) = of_entries.split_at(count);
                    let signatures = signatures.iter().map(|&packed| Signature::unpacked(packed));
                    all.extend(signatures.zip(values.iter().map(|&value| value as i64)));
                }
            }
        }
    }
    let (bounds, sharding, shard_bits) = (bounds.clone(), *sharding, *shard_bits);
    Ok(T::of(Sharded { entries, bounds, sharding, shard_bits }, prefaces))
}

impl Storable for Sharded {
    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn entries(&self) -> &Sharded {
        self
    }

    fn parts(&self, shard: usize) -> Vec<usize> {
        vec![self.bounds[shard + 1] - self.bounds[shard]]
    }

    fn preface(&self, _: usize, _: &mut Vec<u64>) {}

    fn of(entries: Sharded, _: Vec<Vec<u64>>) -> Self {
        entries
    }
}

impl Storable for Bounds {
    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn entries(&self) -> &Sharded {
        &self.rest
    }

    fn parts(&self, shard: usize) -> Vec<usize> {
        self.segments[shard].iter().map(|&(_, end)| end).collect()
    }

    fn preface(&self, shard: usize, words: &mut Vec<u64>) {
        words.extend(self.segments[shard].iter().map(|&(total, _)| total as u64));
        words.extend(self.segments[shard].iter().map(|&(_, end)| end as u64));
    }

    fn of(rest: Sharded, prefaces: Vec<Vec<u64>>) -> Self {
        let segments = prefaces.iter().map(|preface| {
            let (totals, ends) = preface.split_at(preface.len() / 2);
            totals.iter().zip(ends).map(|(&total, &end)| (total as i64, end as usize)).collect()
        });
        Bounds { rest, segments: segments.collect() }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::super::tables::{Found, Range, Table};
    use super::*;
    use crate::rounds::rounds;

    const LAYOUT_SLOTS: usize = 12;

    /// A layer of random signatures in so many shards, the same for all who ask, with values of such a spread.
    fn layer(shard_bits: u32, spread: i64, budget: &Budget, rng: &mut Pcg64Mcg) -> Sharded {
        let mut shards = vec![Vec::new(); 1 << shard_bits];
        let count = rng.random_range(0..400);
        let signatures: std::collections::BTreeSet<u64> = (0..count).map(|_| rng.random_range(1..1 << 24)).collect();
        for packed in signatures {
            let signature = Signature::unpacked(packed);
            let shard = Sharding::BY_ALL.shard(signature, shard_bits);
            shards[shard].push((signature, rng.random_range(-spread..=spread)));
        }
        let counts: Vec<usize> = shards.iter().map(Vec::len).collect();
        let values: Vec<i64> = shards.iter().flatten().map(|&(_, value)| value).collect();
        let (range, layout) = (Range::of(&values), Layout::new(LAYOUT_SLOTS));
        let sharded =
            Sharded::new(&counts, Sharding::BY_ALL, range, layout, budget, |index| shards[index].iter().copied());
        sharded.expect("there is time")
    }

    fn told(layer: &Sharded) -> Vec<(Signature, i64)> {
        let mut told: Vec<_> = (0..layer.len()).map(|position| layer.get(position)).collect();
        told.sort_unstable();
        told
    }

    #[test]
    fn layers_come_back_as_they_were() {
        let mut rng = Pcg64Mcg::seed_from_u64(43);
        for _ in 0..rounds(100) {
            let disk = Disk::of([0, 5_000, 1 << 20][rng.random_range(0..3)]);
            let mut budget = Budget::unlimited();
            budget.disk = disk.clone();
            let mut shelf = Shelf::new(&disk);
            let mut expected = Vec::new();
            for _ in 0..rng.random_range(1..12) {
                match rng.random_range(0..4) {
                    0 => _ = shelf.put_away(rng.random_range(0..3), &budget).expect("there is time"),
                    1 => {
                        let popped = shelf.pop(&budget).expect("there is time");
                        assert_eq!(popped.as_ref().map(told), expected.pop());
                    }
                    _ => {
                        let (shard_bits, spread) = (rng.random_range(0..8), [9, i64::MAX / 2][rng.random_range(0..2)]);
                        let next = layer(shard_bits, spread, &budget, &mut rng);
                        expected.push(told(&next));
                        shelf.push(next, &budget).expect("there is time");
                    }
                }
                let shown = (0..shelf.len()).map(|index| shelf.look(index, &budget, |layer| Ok(told(layer))));
                assert_eq!(shown.collect::<Result<Vec<_>, _>>().expect("there is time"), expected);
            }
        }
    }

    #[test]
    fn bounds_come_back_as_they_were() {
        let mut rng = Pcg64Mcg::seed_from_u64(47);
        for _ in 0..rounds(100) {
            let mut budget = Budget::unlimited();
            budget.disk = Disk::of(1 << 20);
            let spread = [9, i64::MAX / 4][rng.random_range(0..2)];
            let entries = layer(rng.random_range(0..6), spread, &budget, &mut rng);
            let rests: Vec<i64> = (0..entries.len()).map(|_| rng.random_range(-spread..=spread)).collect();
            let found: Vec<Found> = entries
                .bounds
                .windows(2)
                .map(|shard| Found {
                    count: shard[1] - shard[0],
                    rests: Range::of(&rests[shard[0]..shard[1]]),
                    totals: (shard[0]..shard[1])
                        .map(|position| Range::at(entries.get(position).1 + rests[position]))
                        .fold(Range::NONE, Range::and),
                })
                .collect();
            let layout = Layout::new(LAYOUT_SLOTS);
            let bounds = Bounds::new(&entries, &rests, &found, layout, &budget).expect("there is time");
            let mut shelf = Shelf::new(&budget.disk);
            shelf.push(bounds, &budget).expect("there is time");
            let answers = |shelf: &Shelf<Bounds>, target: i64| -> Vec<Option<i64>> {
                let table = |bounds: &Bounds| {
                    assert_eq!(
                        Table::bytes_of(bounds, target),
                        Table::build(bounds, target, &budget, Vec::new())?.bytes()
                    );
                    Table::build(bounds, target, &budget, Vec::new())
                };
                let table = shelf.look(0, &budget, table).expect("there is time");
                (0..entries.len()).map(|position| table.get(entries.get(position).0)).collect()
            };
            let targets = [i64::MIN, 0, spread / 2, spread];
            let before = targets.map(|target| answers(&shelf, target));
            assert_eq!(shelf.put_away(0, &budget), Ok(cfg!(feature = "disk")));
            assert_eq!(before, targets.map(|target| answers(&shelf, target)));
        }
    }
}
