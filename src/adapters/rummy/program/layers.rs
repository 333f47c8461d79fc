//! The layers of the program: for each column the states before it, with what they gain.

use std::ops::Range;

use hashbrown::HashTable;

use super::state::State;
use super::task::Task;
use crate::Stop;
use crate::adapters::rummy::card::{RANKS, SUITS};
use crate::limits::Meter;

/// A state of a layer, with the greatest gain so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) state: State,
    pub(super) value: u64,
    /// Where the state stands from which this one comes.
    pub(super) parent: u32,
}

/// Layer after layer, each state once in each.
#[derive(Clone, Debug, Default)]
pub(super) struct Layers {
    pub(super) entries: Vec<Entry>,
    /// Where the finished layers end.
    ends: Vec<u32>,
    /// Places of the states of the layer that is being made, unless they are few. Parts, so that none takes long to grow.
    tables: [HashTable<u32>; TABLES],
    is_hashed: bool,
}

const TABLES: usize = 32;

impl Layers {
    /// So many states are looked through one by one.
    const FEW: usize = 12;

    pub(super) fn finished(&self) -> usize {
        self.ends.len()
    }

    /// Keeps only so many layers.
    pub(super) fn truncate(&mut self, layers: usize) {
        self.ends.truncate(layers);
        self.entries.truncate(self.begin());
    }

    /// The places of a finished layer.
    pub(super) fn layer(&self, at: usize) -> Range<usize> {
        let first = if at == 0 { 0 } else { self.ends[at - 1] };
        first as usize..self.ends[at] as usize
    }

    /// Where the layer begins that is being made.
    fn begin(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.tables.iter().map(HashTable::capacity).sum::<usize>() * (size_of::<u32>() + 1)
    }

    fn find(&self, state: State) -> Option<usize> {
        let begin = self.begin();
        if !self.is_hashed {
            return self.entries[begin..].iter().position(|entry| entry.state == state).map(|at| begin + at);
        }
        let hash = state.hash();
        self.tables[part(hash)].find(hash, |&at| self.entries[at as usize].state == state).map(|&at| at as usize)
    }

    fn forget_places(&mut self) {
        if std::mem::take(&mut self.is_hashed) {
            self.tables.iter_mut().for_each(HashTable::clear);
        }
    }

    /// Takes note of a state unless it is known with a value as good.
    #[inline]
    pub(super) fn offer(&mut self, state: State, value: u64, parent: u32) {
        if let Some(at) = self.find(state) {
            let known = &mut self.entries[at];
            if value > known.value {
                (known.value, known.parent) = (value, parent);
            }
            return;
        }
        self.entries.push(Entry { state, value, parent });
        let (begin, end) = (self.begin(), self.entries.len());
        if end - begin > Self::FEW {
            let first = if std::mem::replace(&mut self.is_hashed, true) { end - 1 } else { begin };
            for at in first..end {
                let entries = &self.entries;
                let hash = |&at: &u32| entries[at as usize].state.hash();
                let own = entries[at].state.hash();
                self.tables[part(own)].insert_unique(own, at as u32, hash);
            }
        }
    }

    /// The layer is finished.
    pub(super) fn finish(&mut self) {
        self.forget_places();
        self.ends.push(self.entries.len() as u32);
    }

    /// Drops the states of the layer being made, behind this column, that another one makes up for: one without open runs, or
    /// one that has used fewer jokers.
    pub(super) fn drop_dominated(&mut self, task: &Task, column: usize, meter: &Meter) -> Option<Stop> {
        const DROPPED: u32 = u32::MAX;
        // How many states are looked at between two looks at the limits.
        const PATIENCE: usize = 1 << 12;
        let begin = self.begin();
        if self.entries.len() - begin < 2 {
            return None;
        }
        let mut two_cards = [0; SUITS];
        for ahead in 1..=2 {
            let ahead = column + ahead;
            let ahead = if task.ace_high && ahead == RANKS { 0 } else { ahead };
            if let Some(gains) = task.gains.get(ahead) {
                (0..SUITS).for_each(|row| two_cards[row] += gains[row]);
            }
        }
        // What must be melded can't be missed.
        let must = |row: usize| (1..=2).any(|ahead| task.must.get(column + ahead).is_some_and(|must| must[row] > 0));
        let must_high = |row: usize| task.ace_high && column + 2 >= RANKS && task.must[0][row] > 0;
        let fixed: [bool; SUITS] =
            std::array::from_fn(|row| must(row) || must_high(row) || task.outgoing[row].is_some());
        for at in begin..self.entries.len() {
            if (at - begin) % PATIENCE == PATIENCE - 1
                && let Some(stop) = meter.spent()
            {
                return Some(stop);
            }
            let entry = &self.entries[at];
            if (0..SUITS).any(|row| fixed[row] && entry.state.open(row) != [0; 3]) {
                continue;
            }
            if self.is_dominated(&self.entries[at], task, &two_cards) {
                self.entries[at].parent = DROPPED;
            }
        }
        let mut end = begin;
        for at in begin..self.entries.len() {
            if self.entries[at].parent != DROPPED {
                self.entries[end] = self.entries[at];
                end += 1;
            }
        }
        if end < self.entries.len() {
            self.entries.truncate(end);
            self.forget_places();
        }
        None
    }

    /// Whether another state can do all that this one can, and is worth as much: with jokers that it has not used going with some
    /// run in the end, and missing two cards at most for each open run that it doesn't have.
    fn is_dominated(&self, entry: &Entry, task: &Task, two_cards: &[u64; SUITS]) -> bool {
        let (state, closed) = (entry.state, entry.state.closed());
        let missed = |row: usize| {
            let open = state.open(row);
            open.iter().map(|&count| u64::from(count)).sum::<u64>() * two_cards[row]
        };
        let missed = if closed == state { 0 } else { (0..SUITS).map(missed).sum::<u64>() };
        let makes_up = |other: State, missed: u64, saved: u8| {
            // Where the other has no run, jokers may find no place that go with this one's.
            let loses_run = state.has_run() && !other.has_run();
            let homeless = if loses_run { task.jokers - state.jokers() } else { 0 };
            let saved = if other.has_run() { saved } else { 0 };
            other != state
                && self.find(other).is_some_and(|at| {
                    let value = self.entries[at].value + u64::from(saved) * task.joker_gain;
                    let wanted = entry.value + missed + u64::from(homeless) * task.joker_gain;
                    // Of two that make up for each other, that with a run stays.
                    value > wanted || value == wanted && !loses_run
                })
        };
        if task.jokers == 0 {
            return makes_up(closed, missed, 0);
        }
        (0..=state.jokers()).any(|saved| {
            let others = [(closed.without_run(), missed), (closed.with_run(), missed), (state, 0)];
            others.into_iter().any(|(other, missed)| makes_up(other.with_fewer_jokers(saved), missed, saved))
        })
    }

    /// Keeps so many states of the last finished layer, from which nothing has been made yet: the best, and those without open runs,
    /// from which there is always a way on. Says whether some were dropped.
    pub(super) fn narrow(&mut self, width: usize) -> bool {
        let Some(last) = self.ends.len().checked_sub(1) else { return false };
        let layer = self.layer(last);
        let narrowed = layer.len() > width;
        if narrowed {
            self.entries[layer.clone()].sort_unstable_by_key(|entry| {
                (entry.state != entry.state.closed(), std::cmp::Reverse(entry.value), entry.state)
            });
            self.ends[last] = (layer.start + width) as u32;
            self.entries.truncate(layer.start + width);
        }
        narrowed
    }
}

/// The table of a state with this hash, by bits that its place in the table doesn't depend on much.
fn part(hash: u64) -> usize {
    (hash >> 40) as usize % TABLES
}
