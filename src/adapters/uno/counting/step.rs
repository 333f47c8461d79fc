//! One card more: from each state to those after it.
//!
//! A class is twice the slot of a column, and one more if the end lies in the row at hand; slot 0 is that of dead columns, so
//! class 0 can't be joined any more and class 1 only in this row. A *kind* of path is the pair of its classes, the smaller
//! first, or of its only class and [`SINGLE`]. A key lists the kinds with their counts, by kind, behind the number of cards
//! left out.
//!
//! On the way to a single sequence states are dropped that can't become one: with more paths than the cards to come can
//! join, with more than two ends in dead columns, or with a finished path beside others.

use super::CountError;
use super::layer::{Layer, Tally};
use super::plan::{Plan, Reading};
use crate::Stop;
use crate::limits::Meter;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Sets of paths that hold every card, by the number of paths.
    PathSets,
    /// One path of all cards but so many.
    Sequence { leave_out: usize },
}

/// Why counting ended without a count.
#[derive(Debug)]
pub(super) enum Halt {
    /// The counts don't fit in their type.
    Overflow,
    Stopped(CountError),
}

/// Stands for the second class of a path of one card.
const SINGLE: u16 = 0xFF;

/// The class of the ends of wild cards, above those of all columns.
const WILD: u16 = 0xFD;

/// The kind of a path that can't grow.
const FINISHED: u16 = 0;

fn kind(one: u16, two: u16) -> u16 {
    one.min(two) << 8 | one.max(two)
}

fn classes(kind: u16) -> (u16, u16) {
    (kind >> 8, kind & 0xFF)
}

pub(super) struct Counter<'a, V> {
    plan: &'a Plan,
    goal: Goal,
    meter: &'a Meter,
    now: Layer<V>,
    next: Layer<V>,
}

impl<'a, V: Tally> Counter<'a, V> {
    pub(super) fn new(plan: &'a Plan, goal: Goal, meter: &'a Meter) -> Self {
        Counter { plan, goal, meter, now: Layer::new(), next: Layer::new() }
    }

    /// At index i the count of what has i + 1 paths.
    pub(super) fn run(mut self) -> Result<Vec<V>, Halt> {
        self.now.add(&[0], &V::ONE, 1).ok_or(Halt::Overflow)?;
        for (index, &card) in self.plan.cards.iter().enumerate() {
            self.read(card, index)?;
            if card.retires || card.ends_row {
                self.rename(card, index)?;
            }
        }
        self.harvest()
    }

    fn harvest(&self) -> Result<Vec<V>, Halt> {
        let mut counts: Vec<V> = Vec::new();
        for at in 0..self.now.len() {
            let (key, value) = self.now.state(at);
            let paths: usize = key[1..].chunks_exact(2).map(|item| usize::from(item[1])).sum();
            let wanted = match self.goal {
                Goal::PathSets => paths > 0,
                Goal::Sequence { leave_out } => paths == 1 && usize::from(key[0]) == leave_out,
            };
            if wanted {
                counts.resize(counts.len().max(paths), V::default());
                counts[paths - 1].add_times(value, 1).ok_or(Halt::Overflow)?;
            }
        }
        Ok(counts)
    }

    /// All ways to take one card.
    fn read(&mut self, card: Reading, index: usize) -> Result<(), Halt> {
        let own = card.slot.map_or(WILD, |slot| 2 * u16::from(slot) + 1);
        let is_usable = |class: u16| match card.slot {
            None => class > 1,
            Some(_) => class & 1 == 1 || class == own - 1,
        };
        let mut ends: Vec<(u16, u16, u64, u64)> = Vec::new();
        let mut scratch = Vec::new();
        self.next.clear();
        for at in 0..self.now.len() {
            self.look(at, index)?;
            let (key, value) = self.now.state(at);
            let mut step = |removed: [Option<u16>; 2], added: Option<u16>, times: u64| {
                successor(key, removed, added, &mut scratch);
                if self.goal.allows(&scratch, self.plan.cards.len() - index - 1) {
                    self.next.add(&scratch, value, times).ok_or(Halt::Overflow)?;
                }
                Ok(())
            };
            if let Goal::Sequence { .. } = self.goal {
                step([None, None], None, 1)?;
            }
            step([None, None], Some(kind(own, SINGLE)), 1)?;

            // Ends that the card may join: the kind of path, the class of its other end, how many paths of the kind there
            // are, and how many such ends one of them has.
            ends.clear();
            for item in key[1..].chunks_exact(2) {
                let (one, two) = classes(item[0]);
                let paths = u64::from(item[1]);
                match two {
                    SINGLE if is_usable(one) => ends.push((item[0], one, paths, 1)),
                    SINGLE => {}
                    _ if one == two && is_usable(one) => ends.push((item[0], one, paths, 2)),
                    _ => {
                        if is_usable(one) {
                            ends.push((item[0], two, paths, 1));
                        }
                        if is_usable(two) && one != two {
                            ends.push((item[0], one, paths, 1));
                        }
                    }
                }
            }
            for (place, &(joined, other, paths, each)) in ends.iter().enumerate() {
                step([Some(joined), None], Some(kind(own, other)), paths * each)?;
                // A pair of paths of one kind, joined at the same sort of end or at different ones, is met once in each way.
                for (later, &(also, other_too, paths_too, each_too)) in ends.iter().enumerate().skip(place) {
                    let pairs = match (joined == also, place == later) {
                        (false, _) => paths * paths_too,
                        (true, true) => paths * (paths - 1) / 2,
                        (true, false) => paths * (paths - 1),
                    };
                    if pairs > 0 {
                        step([Some(joined), Some(also)], Some(kind(other, other_too)), pairs * each * each_too)?;
                    }
                }
            }
        }
        std::mem::swap(&mut self.now, &mut self.next);
        Ok(())
    }

    /// The column retires, the row ends, or both.
    fn rename(&mut self, card: Reading, index: usize) -> Result<(), Halt> {
        let is_last = index + 1 == self.plan.cards.len();
        let renamed = |class: u16| {
            let (slot, in_row) = (class >> 1, class & 1);
            let slot = if card.retires && card.slot == Some(slot as u8) { 0 } else { slot };
            match class {
                _ if is_last => 0,
                WILD => WILD,
                _ if card.ends_row => slot << 1,
                _ => slot << 1 | in_row,
            }
        };
        let renamed_kind = |item: u16| match classes(item) {
            (one, SINGLE) if renamed(one) == 0 => FINISHED,
            (one, SINGLE) => kind(renamed(one), SINGLE),
            (one, two) => kind(renamed(one), renamed(two)),
        };
        let mut items: Vec<(u16, u16)> = Vec::new();
        let mut scratch = Vec::new();
        self.next.clear();
        for at in 0..self.now.len() {
            self.look(at, index)?;
            let (key, value) = self.now.state(at);
            items.clear();
            items.extend(key[1..].chunks_exact(2).map(|item| (renamed_kind(item[0]), item[1])));
            items.sort_unstable();
            scratch.clear();
            scratch.push(key[0]);
            for same in items.chunk_by(|one, two| one.0 == two.0) {
                scratch.extend([same[0].0, same.iter().map(|item| item.1).sum()]);
            }
            if self.goal.allows(&scratch, self.plan.cards.len() - index - 1) {
                self.next.add(&scratch, value, 1).ok_or(Halt::Overflow)?;
            }
        }
        std::mem::swap(&mut self.now, &mut self.next);
        Ok(())
    }

    /// Now and then: whether there is time and memory for more.
    fn look(&self, at: usize, index: usize) -> Result<(), Halt> {
        const STATES_BETWEEN_LOOKS: usize = 1 << 6;
        if !at.is_multiple_of(STATES_BETWEEN_LOOKS) {
            return Ok(());
        }
        // A vector that grows is there twice for a moment.
        let bytes = self.now.bytes() + 2 * self.next.bytes();
        let stop = if self.meter.forbids(bytes) { Some(Stop::MemoryLimit) } else { self.meter.spent() };
        stop.map_or(Ok(()), |stop| {
            let states = self.now.len() + self.next.len();
            let (card, cards) = (index + 1, self.plan.cards.len());
            Err(Halt::Stopped(CountError::Stopped { stop, card, cards, states, bytes }))
        })
    }
}

impl Goal {
    /// Whether something that is counted may come of this state.
    fn allows(self, key: &[u16], cards_to_come: usize) -> bool {
        let Goal::Sequence { leave_out } = self else { return true };
        let left_out = usize::from(key[0]);
        if left_out > leave_out || leave_out - left_out > cards_to_come {
            return false;
        }
        let (mut paths, mut finished, mut dead_ends) = (0, 0, 0);
        for item in key[1..].chunks_exact(2) {
            let count = usize::from(item[1]);
            let (one, two) = classes(item[0]);
            paths += count;
            finished += if item[0] == FINISHED { count } else { 0 };
            dead_ends += count * (usize::from(one == 0) + usize::from(two == 0));
        }
        let to_play = cards_to_come - (leave_out - left_out);
        let joins = if finished > 0 { paths == 1 && to_play == 0 } else { paths <= to_play + 1 };
        joins && dead_ends <= 2
    }
}

/// The key with up to two paths taken away and one added; with none added, one more card is left out.
fn successor(key: &[u16], removed: [Option<u16>; 2], added: Option<u16>, out: &mut Vec<u16>) {
    out.clear();
    out.push(key[0] + u16::from(added.is_none()));
    let mut added = added;
    for item in key[1..].chunks_exact(2) {
        let gone = removed.iter().filter(|&&kind| kind == Some(item[0])).count() as u16;
        let mut count = item[1] - gone;
        if let Some(kind) = added.filter(|&kind| kind <= item[0]) {
            if kind == item[0] {
                count += 1;
            } else {
                out.extend([kind, 1]);
            }
            added = None;
        }
        if count > 0 {
            out.extend([item[0], count]);
        }
    }
    if let Some(kind) = added {
        out.extend([kind, 1]);
    }
}
