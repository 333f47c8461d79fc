//! One step of the program: all that can be done in a column.

use crate::adapters::rummy::card::{RANKS, SUITS};
use crate::adapters::rummy::hand::Hand;

use super::completion::Completion;
use super::state::State;
use super::task::{Play, Task};

/// How many copies of a card there can be, and none.
const COPIES: usize = Hand::MAX_DECKS as usize + 1;

/// How many choices are looked at between two looks at the limits.
const PATIENCE: usize = 1 << 14;

/// The steps through one column.
///
/// What a suit can do depends on its open runs, on how many of its cards go into sets and, only by conditions on how many are
/// left, on jokers. So the choices of each suit are listed once for each state, and combined.
pub(super) struct Step<'a> {
    task: &'a Task,
    column: usize,
    plays: &'a [Play],
    /// For each suit, how many cards of the next column and of the one after it can take up runs that have to go on.
    ahead: [[u8; 2]; SUITS],
    /// Whether leaving a card of each suit aside loses its gain for certain.
    certain: [bool; SUITS],
    lists: &'a mut Lists,
    /// How much has been done since the last look at the limits.
    work: usize,
}

/// Lists that each state of a step makes anew.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// The choices of the state at hand, suit by suit as they are asked for.
    choices: Vec<Choice>,
    /// For each suit and number of its cards that are not in sets, of which state choices are listed, and where.
    listed: [[(u32, (u32, u32)); COPIES]; SUITS],
    /// How many states have been stepped from.
    states: u32,
}

/// What one suit does in a column.
#[derive(Clone, Copy, Debug)]
struct Choice {
    gain: u64,
    /// The gain of the cards left over, where that is lost.
    lost: u64,
    runs: u8,
    available: u8,
    /// Jokers among the runs.
    stand_in: u8,
    /// How many jokers the runs need that have to go on, at least.
    wanting: u8,
    /// What is added to the state, but for complete runs.
    added: State,
    /// How many complete runs are open afterwards, unless nothing can go on with them.
    complete: u8,
    caught: [u8; 2],
}

/// Which choices are combined.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Picks {
    play: usize,
    /// The suits that have a choice: `suits` of them.
    rows: [u8; SUITS],
    suits: usize,
    ranges: [(u32, u32); SUITS],
    choices: [u32; SUITS],
}

/// Sees the states that can follow.
pub(super) trait Visit {
    /// A state, what it gains, and how it comes about. Says whether to go on.
    fn state(&mut self, step: &Step<'_>, state: State, gain: u64, picks: &Picks) -> bool;

    /// Called once in a while. Says whether to go on.
    fn look(&mut self) -> bool {
        true
    }
}

/// What was done in a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) play: usize,
    /// How many runs of each suit go on or begin.
    pub(super) runs: [u8; SUITS],
    /// How many of each suit's open runs of one card and of two are added to runs that begin here.
    pub(super) caught: [[u8; 2]; SUITS],
    /// How many cards of each suit there are for runs; what is missing of `runs` are jokers.
    pub(super) available: [u8; SUITS],
}

impl<'a> Step<'a> {
    /// The state before the first column.
    pub(super) fn first(task: &Task) -> State {
        let mut state = State::default();
        for (row, &open) in task.incoming.iter().enumerate() {
            state = state.with_open(row, open);
        }
        let has_run = task.has_run || task.incoming != [[0; 3]; SUITS];
        if has_run && task.jokers > 0 { state.with_run() } else { state }
    }

    /// What a state behind the last column gains besides, or `None` if its runs must not end so.
    pub(super) fn finish(task: &Task, state: State) -> Option<u64> {
        for (row, outgoing) in task.outgoing.iter().enumerate() {
            let [one, two, complete] = state.open(row);
            let wanted = outgoing.unwrap_or_default();
            let short = (one + two).saturating_sub(wanted[0] + wanted[1]);
            let ends_well = one >= wanted[0]
                && two >= wanted[1]
                && complete >= wanted[2]
                && short <= task.caught[task.columns()][row];
            if !ends_well {
                return None;
            }
        }
        // Three jokers are a run.
        let left = task.jokers - state.jokers();
        let placed = if state.has_run() || left >= 3 { left } else { 0 };
        (state.jokers() + placed >= task.must_jokers).then(|| u64::from(placed) * task.joker_gain)
    }

    pub(super) fn new(
        task: &'a Task,
        completion: &Completion,
        column: usize,
        plays: &'a [Play],
        lists: &'a mut Lists,
    ) -> Self {
        let ahead = std::array::from_fn(|row| {
            let natural = |column: usize| if column < RANKS { task.counts[column][row] } else { task.counts[0][row] };
            let caught = |column: usize| task.caught[column][row];
            let [short, almost, _] = task.outgoing[row].unwrap_or_default();
            let end = task.columns();
            let takes = |distance: usize| match column + distance {
                at if at < end => natural(at) + caught(at),
                at if at == end => caught(at) + if distance == 1 { short + almost } else { almost },
                // A run that is one card long at the end.
                _ => u8::MAX / 2,
            };
            let second = takes(2).saturating_add(if column < end { caught(column + 1) } else { 0 });
            [takes(1), second]
        });
        let certain = std::array::from_fn(|row| completion.is_certain(column, row));
        Step { task, column, plays, ahead, certain, lists, work: 0 }
    }

    /// Shows `visit`, until it says no, each state that can follow without leaving cards over that could gain more than `spare`.
    pub(super) fn each(&mut self, state: State, spare: u64, visit: &mut impl Visit) {
        let jokers = self.task.jokers - state.jokers();
        let mut after = state.closed();
        if self.column + 1 == self.task.columns() {
            after = after.without_aces();
        }
        let there: [u8; SUITS] = std::array::from_fn(|row| match self.column {
            RANKS => state.aces(row),
            column => self.task.counts[column][row],
        });
        self.lists.choices.clear();
        self.lists.states += 1;
        let mut picks = Picks::default();
        let may_begin = jokers > 0 && (self.task.explicit_jokers || self.task.joker_start == Some(self.column));
        for (row, &there) in there.iter().enumerate() {
            let lies_there = self.task.opened[self.column][row] | self.task.caught[self.column][row] > 0;
            if there > 0 || state.is_open(row) || lies_there || may_begin {
                picks.rows[picks.suits] = row as u8;
                picks.suits += 1;
            }
        }
        'plays: for (at, play) in self.plays.iter().enumerate() {
            self.work += 1;
            if play.all_jokers() > jokers {
                continue;
            }
            picks.play = at;
            for nth in 0..picks.suits {
                let row = usize::from(picks.rows[nth]);
                let Some(available) = there[row].checked_sub(play.taken(row)) else { continue 'plays };
                picks.ranges[nth] = self.choices_of(row, state, available, there[row], jokers, spare);
            }
            let after = if play.all_jokers() > 0 { after.with_more_jokers(play.all_jokers()) } else { after };
            let jokers = jokers - play.all_jokers();
            if !self.combine(0, after, play.gain, [jokers, 0], spare, &mut picks, visit) {
                return;
            }
        }
    }

    /// Where the choices stand of a suit of which so many cards are not in sets.
    fn choices_of(&mut self, row: usize, state: State, available: u8, there: u8, jokers: u8, spare: u64) -> (u32, u32) {
        let (states, range) = self.lists.listed[row][usize::from(available)];
        if states == self.lists.states {
            return range;
        }
        let first = self.lists.choices.len() as u32;
        self.choose(row, state, available, there, jokers, spare);
        let range = (first, self.lists.choices.len() as u32);
        self.lists.listed[row][usize::from(available)] = (self.lists.states, range);
        range
    }

    /// Lists all that a suit can do with so many cards, and with jokers as far as there are any.
    fn choose(&mut self, row: usize, state: State, available: u8, there: u8, jokers: u8, spare: u64) {
        let (task, column) = (self.task, self.column);
        let [one, two, complete] = state.open(row);
        let complete = complete + task.opened[column][row];
        let may_catch = task.caught[column][row];
        let gains = task.gains[column % RANKS][row];
        let kept = column == 0 && task.ace_high && self.high_run_possible(row);
        for caught_one in 0..=one.min(may_catch) {
            for caught_two in 0..=two.min(may_catch - caught_one) {
                let (one, two) = (one - caught_one, two - caught_two);
                let forced = one + two;
                let least = forced.max(available.min(forced + complete));
                let most = match jokers {
                    0 => available,
                    _ if task.joker_start == Some(column) || task.explicit_jokers => available + jokers,
                    _ => available.max((forced + complete).min(available + jokers)),
                };
                for runs in least..=most {
                    let naturals = runs.min(available);
                    if !self.is_enough(row, naturals, there - available, there) {
                        continue;
                    }
                    let going_on = complete.min(runs - forced);
                    let begun = runs - forced - going_on;
                    let [next, second] = self.ahead[row];
                    let left = available - naturals;
                    let lost = if kept || !self.certain[row] { 0 } else { u64::from(left) * gains };
                    let stand_in = runs - naturals;
                    let wanting = (begun + one).saturating_sub(next).max(begun.saturating_sub(second));
                    if lost > spare || stand_in + wanting > jokers {
                        continue;
                    }
                    self.lists.choices.push(Choice {
                        gain: u64::from(naturals) * gains + u64::from(stand_in) * task.joker_gain,
                        lost,
                        runs,
                        available,
                        stand_in,
                        wanting,
                        added: self.added(row, begun, one, stand_in, if kept { left } else { 0 }),
                        complete: two + going_on,
                        caught: [caught_one, caught_two],
                    });
                }
            }
        }
    }

    /// What a state gains: runs of one card and of two, jokers and aces.
    fn added(&self, row: usize, begun: u8, one: u8, stand_in: u8, aces: u8) -> State {
        let mut added =
            State::default().with_open(row, [begun, one, 0]).with_more_jokers(stand_in).with_aces(row, aces);
        if begun > 0 && self.task.jokers > 0 && !self.task.explicit_jokers {
            added = added.with_run();
        }
        added
    }

    /// Chooses for one suit, then for those behind it; of the jokers that are left, so many are needed by runs that have to go on.
    #[expect(clippy::too_many_arguments, reason = "the state of a loop over four suits")]
    fn combine(
        &mut self,
        nth: usize,
        after: State,
        gain: u64,
        [jokers, reserved]: [u8; 2],
        spare: u64,
        picks: &mut Picks,
        visit: &mut impl Visit,
    ) -> bool {
        if nth == picks.suits {
            return visit.state(self, after, gain, picks);
        }
        let row = usize::from(picks.rows[nth]);
        let (first, end) = picks.ranges[nth];
        self.work += (end - first) as usize;
        if self.work >= PATIENCE {
            self.work = 0;
            if !visit.look() {
                return false;
            }
        }
        for at in first..end {
            let choice = &self.lists.choices[at as usize];
            let reserved = reserved + choice.wanting;
            if choice.stand_in + reserved > jokers || choice.lost > spare {
                continue;
            }
            let (gain, spare, jokers) = (gain + choice.gain, spare - choice.lost, jokers - choice.stand_in);
            let mut after = after.joined(choice.added);
            if choice.complete > 0 {
                after = after.with_complete(row, self.worth_keeping(row, choice.complete, after, jokers));
            }
            picks.choices[nth] = at;
            if !self.combine(nth + 1, after, gain, [jokers, reserved], spare, picks, visit) {
                return false;
            }
        }
        true
    }

    /// What these choices do.
    pub(super) fn choices_made(&self, picks: &Picks) -> Move {
        let mut done = Move { play: picks.play, ..Move::default() };
        for nth in 0..picks.suits {
            let choice = &self.lists.choices[picks.choices[nth] as usize];
            let row = usize::from(picks.rows[nth]);
            done.runs[row] = choice.runs;
            done.caught[row] = choice.caught;
            done.available[row] = choice.available;
        }
        done
    }

    /// Whether as many cards are melded as must be, with so many of those that are there in runs and in sets.
    fn is_enough(&self, row: usize, in_runs: u8, in_sets: u8, there: u8) -> bool {
        let task = self.task;
        match self.column {
            0 if task.ace_high && self.high_run_possible(row) => true,
            RANKS => !self.high_run_possible(row) || there - in_runs <= task.counts[0][row] - task.must[0][row],
            column => in_runs + in_sets >= task.must[column][row],
        }
    }

    /// Whether some ace of this suit can stand behind the king.
    fn high_run_possible(&self, row: usize) -> bool {
        let task = self.task;
        let kings = task.counts[RANKS - 1][row] > 0 || task.jokers > 0;
        task.counts[0][row] > 0 && (kings || task.opened[RANKS][row] > 0)
    }

    /// How many complete runs there is a use for: those that can go on.
    #[inline]
    fn worth_keeping(&self, row: usize, complete: u8, after: State, jokers: u8) -> u8 {
        let task = self.task;
        let next = self.column + 1;
        if next == task.columns() {
            return if task.outgoing[row].is_some() { complete } else { 0 };
        }
        let cards = match next {
            RANKS => after.aces(row),
            _ => task.counts[next][row],
        };
        complete.min(cards.saturating_add(jokers))
    }
}
