//! The question in numbers, and what can be played as sets in one column.

use crate::adapters::rummy::card::{RANKS, SUITS};

use super::state::Open;
use crate::Stop;
use crate::limits::Meter;

/// The columns of the program: the ranks, and the ace once more behind the king where it is high.
pub(in crate::adapters::rummy) const COLUMNS: usize = RANKS + 1;

/// Which cards there are, which have to be melded, what they are worth, and what already lies there to be added to.
#[derive(Clone, Debug)]
pub(in crate::adapters::rummy) struct Task {
    pub(in crate::adapters::rummy) counts: [[u8; SUITS]; RANKS],
    /// How many copies have to be melded.
    pub(in crate::adapters::rummy) must: [[u8; SUITS]; RANKS],
    pub(in crate::adapters::rummy) gains: [[u64; SUITS]; RANKS],
    pub(in crate::adapters::rummy) jokers: u8,
    pub(in crate::adapters::rummy) must_jokers: u8,
    pub(in crate::adapters::rummy) joker_gain: u64,
    /// Whether aces stand behind the king as well.
    pub(in crate::adapters::rummy) ace_high: bool,
    /// The column in which a run of three may begin with a joker. Elsewhere a joker that begins a run may as well end it.
    pub(in crate::adapters::rummy) joker_start: Option<usize>,
    /// Every joker is put into its place: none is left for any run in the end, and runs begin with jokers in every column.
    pub(in crate::adapters::rummy) explicit_jokers: bool,
    /// Complete runs that may be gone on with in this column.
    pub(in crate::adapters::rummy) opened: [[u8; SUITS]; COLUMNS + 1],
    /// Complete runs that begin in this column, to which what comes before may be added, however short.
    pub(in crate::adapters::rummy) caught: [[u8; SUITS]; COLUMNS + 1],
    /// Melds that lie there and take one more card: its column, and bit i if it may be of suit i.
    pub(in crate::adapters::rummy) slots: Vec<(usize, u8)>,
    /// Runs that are open before the first column.
    pub(in crate::adapters::rummy) incoming: [Open; SUITS],
    /// Runs that have to be open behind the last column; others have to be complete or caught.
    pub(in crate::adapters::rummy) outgoing: [Option<Open>; SUITS],
    /// Whether there are melds to add to, or runs to go on with.
    pub(in crate::adapters::rummy) lies_there: bool,
    /// Whether a run lies there that takes any joker.
    pub(in crate::adapters::rummy) has_run: bool,
}

impl Task {
    /// No cards.
    pub(in crate::adapters::rummy) fn new() -> Self {
        Task {
            counts: [[0; SUITS]; RANKS],
            must: [[0; SUITS]; RANKS],
            gains: [[0; SUITS]; RANKS],
            jokers: 0,
            must_jokers: 0,
            joker_gain: 0,
            ace_high: false,
            joker_start: Some(RANKS - 3),
            explicit_jokers: false,
            opened: [[0; SUITS]; COLUMNS + 1],
            caught: [[0; SUITS]; COLUMNS + 1],
            slots: Vec::new(),
            incoming: [[0; 3]; SUITS],
            outgoing: [None; SUITS],
            lies_there: false,
            has_run: false,
        }
    }

    /// How many columns there are.
    pub(in crate::adapters::rummy) fn columns(&self) -> usize {
        RANKS + usize::from(self.ace_high)
    }

    /// The gain of melding everything.
    pub(in crate::adapters::rummy) fn total_gain(&self) -> u64 {
        (0..RANKS).map(|column| self.column_gain(column)).sum::<u64>() + u64::from(self.jokers) * self.joker_gain
    }

    fn column_gain(&self, column: usize) -> u64 {
        (0..SUITS).map(|row| u64::from(self.counts[column][row]) * self.gains[column][row]).sum()
    }

    /// Whether the cards, so many jokers and the melds that lie there allow a meld with this card.
    pub(super) fn is_usable(&self, column: usize, row: usize, jokers: u8) -> bool {
        let suits = self.counts[column].iter().filter(|&&count| count > 0).count();
        let jokers = usize::from(jokers);
        if jokers >= 2 || suits + jokers >= 3 || self.lies_there {
            return true;
        }
        // Three columns in a row, of which all but one is this card's; columns behind the last begin again.
        let last = if self.joker_start.is_none() { column } else { column.min(self.columns() - 3) };
        let first = if self.joker_start.is_none() { column + RANKS - 2 } else { column.saturating_sub(2) };
        let held = |from: usize| (from..from + 3).filter(|at| self.counts[at % RANKS][row] > 0).count() + jokers >= 3;
        let last = if self.joker_start.is_none() { last + RANKS } else { last };
        (first..=last).any(held) || self.ace_high && column == 0 && held(RANKS - 2)
    }
}

/// Cards of one column that go into sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::adapters::rummy) struct Play {
    /// How many of each suit go into sets of their own.
    pub(in crate::adapters::rummy) used: [u8; SUITS],
    /// How many of each suit are added to melds that lie there.
    pub(in crate::adapters::rummy) added: [u8; SUITS],
    pub(in crate::adapters::rummy) jokers: u8,
    /// Jokers that are added to such melds.
    pub(in crate::adapters::rummy) added_jokers: u8,
    /// How many sets of their own there are.
    pub(in crate::adapters::rummy) sets: u8,
    pub(super) gain: u64,
}

impl Play {
    /// How many of a suit the play takes.
    #[inline]
    pub(super) fn taken(&self, row: usize) -> u8 {
        self.used[row] + self.added[row]
    }

    #[inline]
    pub(super) fn all_jokers(&self) -> u8 {
        self.jokers + self.added_jokers
    }
}

/// All that can be played as sets in a column, one way for each choice of cards, doing nothing first.
///
/// `t` sets of different suits take u₁ … u₄ cards of the suits and j jokers if and only if each uᵢ ≤ t and
/// 3t ≤ u₁ + … + u₄ + j ≤ 4t: deal the cards suit by suit to the sets in turn, then the jokers to those that have fewer.
pub(super) fn plays(task: &Task, column: usize, plays: &mut Vec<Play>, meter: &Meter) -> Option<Stop> {
    // How many ways are tried between two looks at the limits.
    const PATIENCE: usize = 1 << 12;
    plays.push(Play::default());
    let counts = task.counts[column];
    let suits = counts.iter().filter(|&&count| count > 0).count();
    let slots: Vec<u8> = task.slots.iter().filter(|slot| slot.0 == column).map(|slot| slot.1).collect();
    if suits + usize::from(task.jokers) < 3 && slots.is_empty() {
        return None;
    }
    let mut taken = [0; SUITS];
    let mut tried = 0;
    loop {
        tried += 1 + usize::from(task.jokers);
        if tried >= PATIENCE {
            tried = 0;
            let memory = meter.forbids(plays.capacity() * size_of::<Play>()).then_some(Stop::MemoryLimit);
            if let Some(stop) = meter.spent().or(memory) {
                return Some(stop);
            }
        }
        for jokers in 0..=task.jokers {
            if let Some(mut play) = (taken != [0; SUITS] || jokers > 0).then(|| split(taken, jokers, &slots)).flatten()
            {
                let gain = |row: usize| u64::from(taken[row]) * task.gains[column][row];
                play.gain = (0..SUITS).map(gain).sum::<u64>() + u64::from(jokers) * task.joker_gain;
                plays.push(play);
            }
        }
        if !advance(&mut taken, &counts) {
            return None;
        }
    }
}

/// These cards and jokers as sets of their own and additions to melds that take one more, if they can be played so.
fn split(taken: [u8; SUITS], jokers: u8, slots: &[u8]) -> Option<Play> {
    let fitting = |rows: u8| slots.iter().filter(|&&slot| slot & rows != 0).count() as u8;
    let most: [u8; SUITS] = std::array::from_fn(|row| taken[row].min(fitting(1 << row)));
    let mut added = [0; SUITS];
    loop {
        // Hall's condition: so many cards of some suits find places only if there are as many for these suits.
        let of = |rows: u8| (0..SUITS).filter(|row| rows >> row & 1 == 1).map(|row| added[row]).sum::<u8>();
        if (1..1 << SUITS).all(|rows| of(rows) <= fitting(rows)) {
            let used: [u8; SUITS] = std::array::from_fn(|row| taken[row] - added[row]);
            let open_slots = slots.len() as u8 - of(0b1111);
            for added_jokers in 0..=jokers.min(open_slots) {
                let jokers = jokers - added_jokers;
                if let Some(sets) = sets_of(used, jokers) {
                    return Some(Play { used, added, jokers, added_jokers, sets, gain: 0 });
                }
            }
        }
        if !advance(&mut added, &most) {
            return None;
        }
    }
}

/// The least number of sets that take exactly these cards, each set with a card that is no joker.
fn sets_of(used: [u8; SUITS], jokers: u8) -> Option<u8> {
    let cards: u8 = used.iter().sum();
    let all = cards + jokers;
    let least = all.div_ceil(4).max(used[0].max(used[1]).max(used[2].max(used[3])));
    (least <= all / 3 && (least <= cards)).then_some(least)
}

/// The next of all numbers with digits up to these; `false` after the last.
fn advance(digits: &mut [u8; SUITS], most: &[u8; SUITS]) -> bool {
    for (digit, &most) in digits.iter_mut().zip(most) {
        if *digit < most {
            *digit += 1;
            return true;
        }
        *digit = 0;
    }
    false
}
