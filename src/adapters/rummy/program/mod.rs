//! The best melding, column by column: a dynamic program over the open runs.
//!
//! After each rank the only thing that matters of the melds begun so far is which runs are open: for each suit, how many runs
//! end here with one card, with two, and with three or more, since only the short ones have to go on. So states are
//! counts of runs by suit and length capped at 3, as in J. N. van Rijn, F. W. Takes, J. K. Vis, *The complexity of Rummikub
//! problems*, BNAIC 2015, arXiv 1604.07553. With m decks a suit has at most C(m + 3, 3) of them, and the program takes
//! O(C(m + 3, 3)⁴ · (m + 1)⁴) steps a rank times (J + 1)² for J jokers: linear in the number of ranks, and for any number of
//! decks polynomial in the number of cards.
//!
//! Ours departs from theirs where most states need never be made, so that small hands take microseconds:
//!
//! - **Longest run first.** A card that goes into runs extends a complete run before it begins a new one. Whatever ends a
//!   run of one card also ends a run of three, so nothing is lost. What is left to choose for a suit is one number, how
//!   many runs go on or begin; and complete runs that are not gone on with are closed.
//! - **Sets by numbers.** Which cards of a rank go into sets matters only by suit; see [`task::plays`].
//! - **A run can be missed by two cards.** Whatever a state's open runs may gain, the state without them gains as well but
//!   for two cards each: of a run that goes on by three cards or more, these are a run. So a state falls away that
//!   is not better by more than that.
//! - **Jokers last.** A joker need only stand where a run has a gap or ends short: one at the beginning of a run can go
//!   behind its end unless that is the last column, so runs begin with jokers only there; and if a run has a joker where
//!   its suit has a card left over, the card takes its place. What jokers are left in the end go with any run, split in two where it
//!   is full; three of them are a run by themselves.
//!
//! Runs longer than 13 cards, which this lets happen where runs go round the corner, are split afterwards.

mod layers;
mod state;
mod step;
mod task;
mod trace;

pub(super) use task::{COLUMNS, Play, Task};
pub(super) use trace::{Begins, Ends, Layout, Strip, deal_sets};

use std::ops::Range;

use super::card::{RANKS, SUITS};
use crate::Stop;
use crate::limits::Meter;
use layers::{Entry, Layers};
use step::Step;

/// The layers of the program, one for each column, kept so that a change needs only the layers behind it.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) task: Task,
    /// The plays of each column, one after the other.
    plays: Vec<Play>,
    plays_end: [u32; COLUMNS],
    /// The states before each column and behind the last, as far as they hold.
    layers: Layers,
    /// Whether states have been left out that another hand might need.
    partial: bool,
    /// All that the cards from each column on can gain.
    rest: [u64; COLUMNS + 1],
    /// Only what gains more than this is of use.
    pub(super) floor: Option<u64>,
    /// How many states have been made.
    pub(super) steps: u64,
}

/// How a run of the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With the greatest gain, and the place of its state.
    Best { gain: u64, last: u32 },
    /// There is no way to keep to what must be melded.
    Infeasible,
    /// A limit is spent; no gain is greater than this bound. The best so far is as above.
    Stopped { stop: Stop, bound: u64, best: Option<(u64, u32)> },
}

/// How many states a layer may keep where some good melding is wanted rather than the best.
const WIDTH: usize = 48;

impl Program {
    pub(super) fn new(task: Task) -> Self {
        let mut program = Program {
            task,
            plays: Vec::with_capacity(COLUMNS),
            plays_end: [0; COLUMNS],
            layers: Layers::default(),
            partial: false,
            floor: None,
            rest: [0; COLUMNS + 1],
            steps: 0,
        };
        program.refresh();
        program
    }

    /// The cards are others.
    pub(super) fn refresh(&mut self) {
        self.find_plays();
        self.forget();
    }

    /// What can be played in each column, and what it can gain.
    fn find_plays(&mut self) {
        self.plays.clear();
        for column in 0..RANKS {
            task::plays(&self.task, column, &mut self.plays);
            self.plays_end[column] = self.plays.len() as u32;
        }
        // Aces behind the king go into no sets.
        self.plays.push(Play::default());
        self.plays_end[RANKS] = self.plays.len() as u32;
        for column in (0..RANKS).rev() {
            self.rest[column] = self.rest[column + 1] + self.task.usable_gain(column);
        }
    }

    /// The number of copies of a card is another one.
    pub(super) fn set_count(&mut self, column: usize, row: usize, count: u8) {
        // A step looks two columns ahead.
        const AHEAD: usize = 2;
        self.task.counts[column][row] = count;
        let valid = if self.task.ace_high && column == 0 { 1 } else { column.saturating_sub(AHEAD) + 1 };
        self.find_plays();
        self.layers.truncate(valid);
    }

    /// The number of jokers is another one.
    pub(super) fn set_jokers(&mut self, jokers: u8) {
        self.task.jokers = jokers;
        self.refresh();
    }

    /// What lies on the table, or is open, is something else.
    pub(super) fn forget(&mut self) {
        self.layers.truncate(0);
    }

    /// The best that can be done. Where states become many, some good melding is found first, and states that can't lead to a better
    /// one fall away.
    pub(super) fn run(&mut self, meter: &Meter) -> End {
        const MANY: usize = 64;
        let mut quick: Option<(Program, u64, u32)> = None;
        let mut tried = false;
        self.begin();
        for column in self.layers.finished() - 1..self.task.columns() {
            if !tried && self.layers.layer(column).len() > MANY {
                tried = true;
                let mut program = self.clone();
                if let End::Best { gain, last } = program.run_narrow(meter) {
                    self.steps = program.steps;
                    quick = Some((program, gain, last));
                }
            }
            let incumbent = quick.as_ref().map(|(_, gain, _)| *gain).max(self.floor);
            if let Some(stop) = self.advance(column, incumbent, meter) {
                let bound = self.bound(column).max(incumbent.unwrap_or(0));
                self.partial = true;
                let best = quick.map(|(program, gain, last)| {
                    self.take_over(program);
                    (gain, last)
                });
                return End::Stopped { stop, bound, best };
            }
            if incumbent.is_some() && self.layers.layer(column + 1).is_empty() {
                break;
            }
        }
        self.partial |= quick.is_some() || self.floor.is_some();
        let end = match self.end() {
            // A state that promised more may end with jokers that find no place.
            End::Best { gain, .. } if self.floor.is_some_and(|floor| gain <= floor) => End::Infeasible,
            end => end,
        };
        match (end, quick) {
            (End::Best { gain, last }, Some((_, incumbent, _))) if gain >= incumbent => End::Best { gain, last },
            (_, Some((program, gain, last))) if self.floor.is_none_or(|floor| gain > floor) => {
                self.take_over(program);
                End::Best { gain, last }
            }
            (end, _) => end,
        }
    }

    /// The layers of another run, whose states are wanted.
    fn take_over(&mut self, other: Program) {
        *self = Program { steps: self.steps, partial: true, ..other };
    }

    /// Some good melding: each layer keeps only so many states.
    pub(super) fn run_narrow(&mut self, meter: &Meter) -> End {
        self.begin();
        for column in self.layers.finished() - 1..self.task.columns() {
            self.partial |= self.layers.narrow(WIDTH);
            if let Some(stop) = self.advance(column, None, meter) {
                return End::Stopped { stop, bound: self.bound(column), best: None };
            }
        }
        self.end()
    }

    /// Makes the first layer if there is none.
    fn begin(&mut self) {
        if std::mem::take(&mut self.partial) {
            self.forget();
        }
        if self.layers.finished() == 0 {
            self.layers.offer(Step::first(&self.task), 0, 0);
            self.layers.finish();
        }
    }

    /// What the last layer says.
    fn end(&self) -> End {
        let columns = self.task.columns();
        if self.layers.finished() <= columns {
            return End::Infeasible;
        }
        let ends = self.layers.layer(columns).filter_map(|at| {
            let entry = &self.layers.entries[at];
            Some((entry.value + Step::finish(&self.task, entry.state)?, at as u32))
        });
        match ends.reduce(|best, other| if other.0 > best.0 { other } else { best }) {
            Some((gain, last)) => End::Best { gain, last },
            None => End::Infeasible,
        }
    }

    fn plays(&self, column: usize) -> &[Play] {
        &self.plays[self.play_range(column)]
    }

    fn play_range(&self, column: usize) -> Range<usize> {
        let first = if column == 0 { 0 } else { self.plays_end[column - 1] };
        first as usize..self.plays_end[column] as usize
    }

    /// The most that a state before this column can come to, where the cards from there on can gain `rest`.
    fn potential(task: &Task, column: usize, rest: u64, entry: &Entry) -> u64 {
        let jokers = u64::from(task.jokers - entry.state.jokers()) * task.joker_gain;
        let aces = match task.ace_high && column > 0 {
            true => (0..SUITS).map(|row| u64::from(entry.state.aces(row)) * task.gains[0][row]).sum(),
            false => 0,
        };
        entry.value + rest + jokers + aces
    }

    /// Makes the layer behind a column, without what can't gain more than the incumbent.
    fn advance(&mut self, column: usize, incumbent: Option<u64>, meter: &Meter) -> Option<Stop> {
        // How many states are made between two looks at the limits.
        const PATIENCE: u64 = 1 << 14;
        // The look at them comes after at most so many states of the layer before, too.
        const FEW: usize = 1 << 10;
        let layer = self.layers.layer(column);
        if column == 0
            && let Some(stop) = meter.spent()
        {
            return Some(stop);
        }
        let rest = self.rest[column];
        let step = Step::new(&self.task, column, &self.plays[self.play_range(column)]);
        let (layers, steps) = (&mut self.layers, &mut self.steps);
        let mut next_look = *steps + PATIENCE;
        for at in layer.clone() {
            let entry = layers.entries[at];
            let potential = Self::potential(&self.task, column, rest, &entry);
            // How much may be left aside.
            let Some(spare) = potential.checked_sub(incumbent.map_or(0, |incumbent| incumbent + 1)) else { continue };
            let mut stop = None;
            let look = |layers: &Layers| {
                let memory = meter.forbids(layers.bytes()).then_some(Stop::MemoryLimit);
                meter.spent().or(memory)
            };
            step.each(entry.state, spare, &mut |state, gain, _| {
                layers.offer(state, entry.value + gain, at as u32);
                *steps += 1;
                if *steps >= next_look {
                    next_look = *steps + PATIENCE;
                    stop = look(layers);
                }
                stop.is_none()
            });
            if stop.is_none() && (at - layer.start) % FEW == FEW - 1 {
                stop = look(layers);
            }
            if stop.is_some() {
                return stop;
            }
        }
        if self.task.must_jokers == 0 {
            self.layers.drop_dominated(&self.task, column);
        }
        self.layers.finish();
        None
    }

    /// What no melding gains more than, by the states before this column.
    fn bound(&self, column: usize) -> u64 {
        let layer = &self.layers.entries[self.layers.layer(column)];
        layer.iter().map(|entry| Self::potential(&self.task, column, self.rest[column], entry)).max().unwrap_or(0)
    }
}
