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

mod completion;
mod layers;
mod state;
mod step;
mod task;
mod trace;

pub(super) use task::{COLUMNS, Play, Task};
pub(super) use trace::{Begins, Ends, Layout, Strip, deal_sets};

use std::ops::Range;

use super::card::RANKS;
use crate::Stop;
use crate::limits::Meter;
use completion::Completion;
use layers::{Entry, Layers};
use state::State;
use step::{Lists, Picks, Step, Visit};

/// The layers of the program, one for each column, kept so that a change needs only the layers behind it.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) task: Task,
    /// The plays of each column, one after the other.
    plays: Vec<Play>,
    plays_end: [u32; COLUMNS],
    /// For how many columns that has been done.
    plays_known: usize,
    lists: Lists,
    /// The states before each column and behind the last, as far as they hold.
    layers: Layers,
    /// Whether states have been left out that another hand might need.
    partial: bool,
    /// What the cards from each column on can gain.
    completion: Completion,
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
const WIDTH: usize = 12;

impl Program {
    pub(super) fn new(task: Task) -> Self {
        Program {
            completion: Completion::new(&task),
            task,
            plays: Vec::with_capacity(COLUMNS),
            plays_end: [0; COLUMNS],
            plays_known: 0,
            lists: Lists::default(),
            layers: Layers::default(),
            partial: false,
            floor: None,
            steps: 0,
        }
    }

    /// The cards are others.
    pub(super) fn refresh(&mut self) {
        self.plays_known = 0;
        self.completion = Completion::new(&self.task);
        self.forget();
    }

    /// The number of copies of a card is another one.
    pub(super) fn set_count(&mut self, column: usize, row: usize, count: u8) {
        // A step looks two columns ahead.
        const AHEAD: usize = 2;
        self.task.counts[column][row] = count;
        let valid = if self.task.ace_high && column == 0 { 1 } else { column.saturating_sub(AHEAD) + 1 };
        self.plays_known = self.plays_known.min(column);
        self.completion = Completion::new(&self.task);
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

    /// The best that can be done. With jokers states are many, and the bound on what they come to is good: so the
    /// best is first looked for not far below the bound of the whole.
    pub(super) fn run(&mut self, meter: &Meter) -> End {
        let floor = self.floor;
        if let Some(worth) = self.completion.joker_worth(&self.task) {
            let bound = self.completion.potential(&self.task, 0, Step::first(&self.task), 0);
            let guess = bound.saturating_sub(worth / 4);
            if floor.is_none_or(|floor| guess > floor) {
                self.floor = Some(guess);
                let end = self.run_above(meter);
                self.floor = floor;
                if end != End::Infeasible {
                    return end;
                }
            }
        }
        self.run_above(meter)
    }

    /// The best that gains more than the floor. Where states become many, some good melding is found first, and states
    /// that can't lead to a better one fall away.
    fn run_above(&mut self, meter: &Meter) -> End {
        const MANY: usize = 24;
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

    /// Lists what can be played in the columns up to this one.
    fn find_plays(&mut self, column: usize, meter: &Meter) -> Option<Stop> {
        while self.plays_known <= column {
            let at = self.plays_known;
            self.plays.truncate(if at == 0 { 0 } else { self.plays_end[at - 1] as usize });
            match at {
                // Aces behind the king go into no sets.
                RANKS => self.plays.push(Play::default()),
                _ => {
                    if let Some(stop) = task::plays(&self.task, at, &mut self.plays, meter) {
                        return Some(stop);
                    }
                }
            }
            self.plays_end[at] = self.plays.len() as u32;
            self.plays_known += 1;
        }
        None
    }

    fn plays(&self, column: usize) -> &[Play] {
        &self.plays[play_range(&self.plays_end, column)]
    }

    /// Makes the layer behind a column, without what can't gain more than the incumbent.
    fn advance(&mut self, column: usize, incumbent: Option<u64>, meter: &Meter) -> Option<Stop> {
        // The look at the limits comes after at most so many states of the layer before.
        const FEW: usize = 1 << 10;
        if column == 0
            && let Some(stop) = meter.spent()
        {
            return Some(stop);
        }
        if let Some(stop) = self.find_plays(column, meter) {
            return Some(stop);
        }
        let layer = self.layers.layer(column);
        let plays = &self.plays[play_range(&self.plays_end, column)];
        let (task, completion) = (&self.task, &self.completion);
        let mut step = Step::new(task, completion, column, plays, &mut self.lists);
        let mut successors = Successors {
            layers: &mut self.layers,
            steps: &mut self.steps,
            task,
            completion,
            column,
            incumbent,
            meter,
            from: Entry { state: State::default(), value: 0, parent: 0 },
            at: 0,
            stop: None,
        };
        for at in layer.clone() {
            let entry = successors.layers.entries[at];
            let potential = completion.potential(task, column, entry.state, entry.value);
            // How much may be left aside.
            let Some(spare) = potential.checked_sub(incumbent.map_or(0, |incumbent| incumbent + 1)) else { continue };
            (successors.from, successors.at) = (entry, at as u32);
            step.each(entry.state, spare, &mut successors);
            if (at - layer.start) % FEW == FEW - 1 {
                successors.look();
            }
            if successors.stop.is_some() {
                return successors.stop;
            }
        }
        if self.task.must_jokers == 0
            && let Some(stop) = self.layers.drop_dominated(&self.task, column, meter)
        {
            return Some(stop);
        }
        self.layers.finish();
        None
    }

    /// What no melding gains more than, by the states before this column.
    fn bound(&self, column: usize) -> u64 {
        let layer = &self.layers.entries[self.layers.layer(column)];
        let potential = |entry: &Entry| self.completion.potential(&self.task, column, entry.state, entry.value);
        layer.iter().map(potential).max().unwrap_or(0)
    }
}

/// Where the plays of a column stand.
fn play_range(ends: &[u32; COLUMNS], column: usize) -> Range<usize> {
    let first = if column == 0 { 0 } else { ends[column - 1] };
    first as usize..ends[column] as usize
}

/// The states that follow those of a layer.
struct Successors<'a> {
    layers: &'a mut Layers,
    steps: &'a mut u64,
    task: &'a Task,
    completion: &'a Completion,
    /// The column between the two layers.
    column: usize,
    incumbent: Option<u64>,
    meter: &'a Meter,
    from: Entry,
    /// Where `from` stands.
    at: u32,
    stop: Option<Stop>,
}

impl Visit for Successors<'_> {
    #[inline]
    fn state(&mut self, _: &Step<'_>, state: State, gain: u64, _: &Picks) -> bool {
        let value = self.from.value + gain;
        let potential = || self.completion.potential(self.task, self.column + 1, state, value);
        if self.incumbent.is_none_or(|incumbent| potential() > incumbent) {
            self.layers.offer(state, value, self.at);
        }
        *self.steps += 1;
        true
    }

    fn look(&mut self) -> bool {
        let memory = self.meter.forbids(self.layers.bytes()).then_some(Stop::MemoryLimit);
        self.stop = self.meter.spent().or(memory);
        self.stop.is_none()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::adapters::rummy::{Ace, Card, Hand, Rummy};
    use crate::{Limits, looks};

    /// Whole decks with as many jokers as there can be: no stretch of work without a look at the limits is long. Generous,
    /// for a build with assertions on a slow machine.
    #[test]
    fn limits_are_looked_at() {
        const LONGEST: Duration = Duration::from_millis(500);
        for decks in [8, Hand::MAX_DECKS] {
            let mut hand = Hand::new(decks);
            for card in Card::all() {
                while hand.add(card).is_ok() {}
            }
            for ace in [Ace::High, Ace::Around] {
                let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
                let (best, gap) = looks::watch(|| Rummy::new(&hand).ace(ace).limits(limits).best());
                assert_eq!(best.stop(), Stop::TimeLimit);
                assert!(best.lower_bound() <= best.cost());
                assert!(gap.time <= LONGEST, "{decks} decks, {ace:?}: {gap:?}");
            }
        }
    }
}
