//! One step of the program: all that can be done in a column.

use crate::adapters::rummy::card::{RANKS, SUITS};

use super::state::State;
use super::task::{Play, Task};

/// The steps through one column.
pub(super) struct Step<'a> {
    task: &'a Task,
    column: usize,
    plays: &'a [Play],
    /// For each suit, how many cards of the next column and of the one after it can take up runs that have to go on.
    ahead: [[u8; 2]; SUITS],
    /// Whether the card of each suit can be in any meld.
    usable: [bool; SUITS],
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

    pub(super) fn new(task: &'a Task, column: usize, plays: &'a [Play]) -> Self {
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
        let usable = std::array::from_fn(|row| column == RANKS || task.is_usable(column, row));
        Step { task, column, plays, ahead, usable }
    }

    /// Calls `visit`, until it says no, with each state that can follow without leaving cards over that could gain more than `spare`, what it gains,
    /// and how it comes about.
    pub(super) fn each(&self, state: State, spare: u64, visit: &mut impl FnMut(State, u64, &Move) -> bool) {
        let jokers = self.task.jokers - state.jokers();
        let mut after = state.closed();
        if self.column + 1 == self.task.columns() {
            after = after.without_aces();
        }
        for (at, play) in self.plays.iter().enumerate() {
            if play.all_jokers() <= jokers {
                let mut done = Move { play: at, ..Move::default() };
                let after = if play.all_jokers() > 0 { after.with_more_jokers(play.all_jokers()) } else { after };
                let jokers = jokers - play.all_jokers();
                if !self.row(0, state, play, after, play.gain, jokers, spare, &mut done, visit) {
                    return;
                }
            }
        }
    }

    /// Chooses for one suit, then for those behind it.
    #[expect(clippy::too_many_arguments, reason = "the state of a loop over four suits")]
    fn row(
        &self,
        row: usize,
        state: State,
        play: &Play,
        after: State,
        gain: u64,
        jokers: u8,
        spare: u64,
        done: &mut Move,
        visit: &mut impl FnMut(State, u64, &Move) -> bool,
    ) -> bool {
        if row == SUITS {
            return visit(after, gain, done);
        }
        let (task, column) = (self.task, self.column);
        let behind_king = column == RANKS;
        let there = if behind_king { state.aces(row) } else { task.counts[column][row] };
        let Some(available) = there.checked_sub(play.taken(row)) else { return true };
        let [one, two, complete] = state.open(row);
        let complete = complete + task.opened[column][row];
        if one | two | complete | available == 0 && jokers == 0 {
            if self.is_enough(row, 0, play, state) {
                done.runs[row] = 0;
                done.available[row] = 0;
                done.caught[row] = [0; 2];
                return self.row(row + 1, state, play, after, gain, jokers, spare, done, visit);
            }
            return true;
        }
        let may_catch = task.caught[column][row];
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
                    let stand_in = runs - naturals;
                    let jokers = jokers - stand_in;
                    let going_on = complete.min(runs - forced);
                    let begun = runs - forced - going_on;
                    let left = available - naturals;
                    let gains = if behind_king { task.gains[0][row] } else { task.gains[column][row] };
                    let kept = column == 0 && task.ace_high && self.high_run_possible(row);
                    let lost = if kept || !self.usable[row] { 0 } else { u64::from(left) * gains };
                    let Some(spare) = spare.checked_sub(lost) else { continue };
                    if !self.is_enough(row, naturals, play, state) {
                        continue;
                    }
                    let [next, second] = self.ahead[row];
                    if begun + one > next.saturating_add(jokers) || begun > second.saturating_add(jokers) {
                        continue;
                    }
                    let complete = self.worth_keeping(row, two + going_on, state, jokers);
                    let mut after = after.with_open(row, [begun, one, complete]);
                    if stand_in > 0 {
                        after = after.with_more_jokers(stand_in);
                    }
                    if begun > 0 && task.jokers > 0 && !task.explicit_jokers {
                        after = after.with_run();
                    }
                    if kept {
                        after = after.with_aces(row, left);
                    }
                    let gain = gain + u64::from(naturals) * gains + u64::from(stand_in) * task.joker_gain;
                    done.runs[row] = runs;
                    done.available[row] = available;
                    done.caught[row] = [caught_one, caught_two];
                    if !self.row(row + 1, state, play, after, gain, jokers, spare, done, visit) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Whether as many cards are melded as must be, with so many in runs.
    fn is_enough(&self, row: usize, naturals: u8, play: &Play, state: State) -> bool {
        let task = self.task;
        match self.column {
            0 if task.ace_high && self.high_run_possible(row) => true,
            RANKS => {
                let left = state.aces(row) - naturals;
                !self.high_run_possible(row) || left <= task.counts[0][row] - task.must[0][row]
            }
            column => naturals + play.taken(row) >= task.must[column][row],
        }
    }

    /// Whether some ace of this suit can stand behind the king.
    fn high_run_possible(&self, row: usize) -> bool {
        let task = self.task;
        let kings = task.counts[RANKS - 1][row] > 0 || task.jokers > 0;
        task.counts[0][row] > 0 && (kings || task.opened[RANKS][row] > 0)
    }

    /// How many complete runs there is a use for: those that can go on.
    fn worth_keeping(&self, row: usize, complete: u8, state: State, jokers: u8) -> u8 {
        let task = self.task;
        let next = self.column + 1;
        if next == task.columns() {
            return if task.outgoing[row].is_some() { complete } else { 0 };
        }
        let cards = match next {
            RANKS => state.aces(row),
            _ => task.counts[next][row],
        };
        complete.min(cards.saturating_add(jokers))
    }
}
