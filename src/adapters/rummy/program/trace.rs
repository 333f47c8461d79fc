//! From the program's states back to melds.

use crate::adapters::rummy::card::{RANKS, SUITS};
use crate::adapters::rummy::meld::Meld;

use super::state::State;
use super::step::{Lists, Move, Picks, Step, Visit};
use super::{COLUMNS, Play, Program};

/// A row of cards of one suit that may be part of a longer run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::adapters::rummy) struct Strip {
    pub(in crate::adapters::rummy) row: usize,
    /// The column of its first card; with an ace behind the king columns go on from 13.
    pub(in crate::adapters::rummy) first: usize,
    /// For each card, whether it is a joker.
    pub(in crate::adapters::rummy) jokers: Vec<bool>,
    /// It goes on a run that was open before the first column, or that lay there: which, in the order of [`Task`](super::Task).
    pub(in crate::adapters::rummy) begins: Begins,
    pub(in crate::adapters::rummy) ends: Ends,
}

/// How a strip begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::adapters::rummy) enum Begins {
    Here,
    /// With an incoming run of this length, capped at 3.
    Incoming(u8),
    /// Behind a run that lies there.
    Opened,
}

/// How a strip ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::adapters::rummy) enum Ends {
    Here,
    /// Open behind the last column.
    Outgoing,
    /// Before a run that lies there.
    Caught,
}

/// What was laid: the strips of runs, and what was played as sets in each column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::adapters::rummy) struct Layout {
    pub(in crate::adapters::rummy) strips: Vec<Strip>,
    pub(in crate::adapters::rummy) plays: Vec<(usize, Play)>,
    /// Jokers that stand nowhere yet and go with any run.
    pub(in crate::adapters::rummy) spare_jokers: u8,
}

/// A state whose way from its parent is wanted.
struct Sought {
    state: State,
    gain: u64,
    found: Option<Move>,
}

impl Visit for Sought {
    fn state(&mut self, step: &Step<'_>, state: State, gain: u64, picks: &Picks) -> bool {
        if state == self.state && gain == self.gain {
            self.found = Some(step.choices_made(picks));
        }
        self.found.is_none()
    }
}

impl Program {
    /// How the state at this place of the last layer came about.
    pub(in crate::adapters::rummy) fn laid(&self, last: u32) -> Layout {
        let columns = self.task.columns();
        let mut moves = [Move::default(); COLUMNS];
        let mut at = last as usize;
        let mut lists = Lists::default();
        let finish = self.layers.entries[at].state;
        for column in (0..columns).rev() {
            let entry = self.layers.entries[at];
            let parent = self.layers.entries[entry.parent as usize];
            let mut step = Step::new(&self.task, &self.completion, column, self.plays(column), &mut lists);
            let mut sought = Sought { state: entry.state, gain: entry.value - parent.value, found: None };
            step.each(parent.state, u64::MAX, &mut sought);
            moves[column] = sought.found.expect("each state comes from its parent");
            at = entry.parent as usize;
        }
        let mut laid = self.lay(&moves[..columns]);
        let left = self.task.jokers - finish.jokers();
        laid.spare_jokers = if finish.has_run() || left >= 3 { left } else { 0 };
        laid
    }

    /// Plays the moves over.
    fn lay(&self, moves: &[Move]) -> Layout {
        let mut laid = Layout::default();
        let columns = self.task.columns();
        for row in 0..SUITS {
            // By length, capped at 3.
            let mut open: [Vec<Strip>; 3] = std::array::from_fn(|length| {
                let strip = Strip::new(row, 0, Begins::Incoming(length as u8 + 1));
                vec![strip; usize::from(self.task.incoming[row][length])]
            });
            for (column, done) in moves.iter().enumerate() {
                self.lay_column(row, column, done, &mut open, &mut laid.strips);
            }
            let wanted = self.task.outgoing[row].unwrap_or_default();
            let others = [Ends::Caught, Ends::Caught, Ends::Here];
            for ((strips, wanted), other) in open.into_iter().zip(wanted).zip(others) {
                for (at, strip) in strips.into_iter().enumerate() {
                    let ends = if at < usize::from(wanted) { Ends::Outgoing } else { other };
                    laid.strips.push(Strip { ends, ..strip });
                }
            }
        }
        laid.strips.retain(|strip| !strip.jokers.is_empty() || strip.begins != Begins::Opened);
        for (column, done) in moves.iter().enumerate().take(columns.min(RANKS)) {
            let play = self.plays(column)[done.play];
            if play != Play::default() {
                laid.plays.push((column, play));
            }
        }
        laid
    }

    fn lay_column(&self, row: usize, column: usize, done: &Move, open: &mut [Vec<Strip>; 3], closed: &mut Vec<Strip>) {
        let [mut ones, mut twos, mut complete] = std::mem::take(open);
        for (strips, count) in [&mut ones, &mut twos].into_iter().zip(done.caught[row]) {
            for strip in strips.drain(strips.len() - usize::from(count)..) {
                closed.push(Strip { ends: Ends::Caught, ..strip });
            }
        }
        let opened = usize::from(self.task.opened[column][row]);
        complete.extend(std::iter::repeat_n(Strip::new(row, column, Begins::Opened), opened));
        let runs = usize::from(done.runs[row]);
        let forced = ones.len() + twos.len();
        let going_on = complete.len().min(runs - forced);
        let begun = runs - forced - going_on;
        closed.extend(complete.drain(going_on..));
        // Cards first to those that begin, jokers to the longest.
        let mut naturals = usize::from(done.available[row].min(done.runs[row]));
        let mut put = |mut strip: Strip| {
            strip.jokers.push(naturals == 0);
            naturals = naturals.saturating_sub(1);
            strip
        };
        open[0] = (0..begun).map(|_| put(Strip::new(row, column, Begins::Here))).collect();
        open[1] = ones.into_iter().map(&mut put).collect();
        open[2] = twos.into_iter().chain(complete).map(&mut put).collect();
    }
}

impl Strip {
    fn new(row: usize, first: usize, begins: Begins) -> Self {
        Strip { row, first, jokers: Vec::new(), begins, ends: Ends::Here }
    }

    /// The column behind its last card.
    pub(in crate::adapters::rummy) fn end(&self) -> usize {
        self.first + self.jokers.len()
    }

    /// How long the run is with what it goes on, capped at 3.
    pub(in crate::adapters::rummy) fn capped_len(&self) -> u8 {
        let before = match self.begins {
            Begins::Here => 0,
            Begins::Incoming(length) => length,
            Begins::Opened => 3,
        };
        (usize::from(before) + self.jokers.len()).min(3) as u8
    }
}

/// Sets that take exactly these cards: dealt suit by suit to the sets in turn, the jokers last.
pub(in crate::adapters::rummy) fn deal_sets(column: usize, play: &Play, melds: &mut Vec<Meld>) {
    let sets = usize::from(play.sets);
    let (mut rows, mut jokers) = (vec![0u8; sets], vec![0u8; sets]);
    let mut next = 0;
    for row in 0..SUITS {
        for _ in 0..play.used[row] {
            rows[next % sets] |= 1 << row;
            next += 1;
        }
    }
    for _ in 0..play.jokers {
        jokers[next % sets] += 1;
        next += 1;
    }
    melds.extend(rows.into_iter().zip(jokers).map(|(rows, jokers)| Meld::set_at(column, rows, jokers)));
}
