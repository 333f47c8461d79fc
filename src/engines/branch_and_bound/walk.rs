//! The depth-first search itself, for one thread.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use super::assignment::{Assignment, Labels, Lines};
use super::bits::{Bits, flood};
use super::board::Board;
use super::forest::{Forest, Marginals};
use super::table::{Key, Table};
use super::ways::{NONE, Ways, plus};
use crate::instance::{Budget, NOT_AN_END};
use crate::solution::Stop;

/// In which part of its path a walk stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leg {
    /// From the middle backwards to the first vertex.
    Back = 1,
    /// The first vertex is chosen, and the walk stands in the middle again, about to go forwards.
    Turn = 2,
    /// Forwards to the last vertex.
    Fore = 3,
    /// Round a cycle.
    Round = 4,
}

/// A share of the search: the paths through `middle` whose walk's first step is this.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share<B> {
    pub(super) middle: usize,
    /// Where the first step leads, on which leg; on [`Leg::Turn`] to the middle itself.
    pub(super) step: usize,
    pub(super) leg: Leg,
    /// The other vertices that the path may visit.
    pub(super) within: B,
    /// The vertices that may be next to the middle on its other side.
    pub(super) other_side: B,
    /// The place of `step` among those whose edge to the middle falls away after their share; 0 where none does.
    pub(super) serial: u16,
    /// Proved for these paths.
    pub(super) bound: i64,
}

/// What the threads share.
pub(super) struct Common {
    /// The value of the best path so far, or the floor.
    pub(super) value: AtomicI64,
    pub(super) best: Mutex<Option<(Vec<u32>, i64)>>,
    /// No path is worth more: whoever reaches this is done.
    pub(super) ceiling: AtomicI64,
    pub(super) halt: AtomicBool,
    pub(super) stop: Mutex<Option<Stop>>,
}

impl Common {
    pub(super) fn offer(&self, path: Vec<u32>, value: i64) {
        let mut best = self.best.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if self.value.fetch_max(value, Ordering::Relaxed) < value {
            *best = Some((path, value));
            if value >= self.ceiling.load(Ordering::Relaxed) {
                self.halt.store(true, Ordering::Relaxed);
            }
        }
    }
}

pub(super) struct Walker<'a, B> {
    board: &'a Board<B>,
    forest: &'a Forest,
    budget: &'a Budget,
    common: &'a Common,
    table: Table<B>,
    share: Share<B>,

    /// The vertices in the order of the walk, from the middle.
    path: Vec<u8>,
    /// Where on the path the walk turned.
    turned: usize,
    frames: Vec<Frame<B>>,
    /// The untried moves of every frame, one segment of the vector each.
    moves: Vec<Move>,

    /// Only paths worth more are sought.
    limit: i64,
    pub(super) steps: u64,
    steps_per_clock: u64,
    ways: Ways<B>,
    marginals: Marginals,
    /// The assignments of the states along the walk that needed them; the first `assigned` are in use.
    assignments: Vec<Assignment<B>>,
    assigned: usize,
    labels: Labels,
}

#[derive(Clone, Copy)]
struct State<B> {
    leg: Leg,
    head: usize,
    /// The unvisited vertices.
    rest: B,
    /// The weight of the path so far, with the prize of its first vertex once that is chosen.
    value: i64,
}

struct Frame<B> {
    state: State<B>,
    moves: usize,
    /// How many assignments were in use before.
    assigned: usize,
    /// Whether what is learnt goes to the table, and how many steps had been taken before.
    kept: bool,
    steps: u64,
}

#[derive(Clone, Copy)]
struct Move {
    leg: Leg,
    vertex: u8,
    onward: u8,
    value: i64,
}

/// The clock is asked whenever the bounds may have looked at about this many arcs since: after a millisecond or so.
const ARCS_PER_CLOCK: u64 = 1 << 15;

/// A path may well visit all of so few vertices.
const SMALL_BLOCK: usize = 3;

impl<'a, B: Bits> Walker<'a, B> {
    pub(super) fn new(
        board: &'a Board<B>,
        forest: &'a Forest,
        budget: &'a Budget,
        common: &'a Common,
        bytes: usize,
    ) -> Self {
        let arcs: u64 = board.out.iter().map(|row| row.count() as u64).sum();
        let nothing = Share {
            middle: 0,
            step: 0,
            leg: Leg::Fore,
            within: B::default(),
            other_side: B::default(),
            serial: 0,
            bound: NONE,
        };
        Walker {
            board,
            forest,
            budget,
            common,
            table: Table::new(bytes),
            share: nothing,
            path: Vec::with_capacity(board.n),
            turned: 0,
            frames: Vec::with_capacity(board.n + 2),
            moves: Vec::new(),
            limit: NONE,
            steps: 0,
            steps_per_clock: (ARCS_PER_CLOCK / (1 + arcs)).clamp(1, 256),
            ways: Ways::new(board.n),
            marginals: Marginals::new(board.n),
            assignments: Vec::new(),
            assigned: 0,
            labels: Labels::new(board.n),
        }
    }

    pub(super) fn peak_bytes(&self) -> usize {
        self.table.peak_bytes()
            + self.moves.capacity() * size_of::<Move>()
            + self.frames.capacity() * size_of::<Frame<B>>()
            + self.assignments.iter().map(Assignment::bytes).sum::<usize>()
    }

    /// Searches a share for paths worth more than `target`, with at most so many steps; `poll` is called now and then.
    /// False if the search did not come to its end.
    pub(super) fn search(&mut self, share: &Share<B>, target: i64, allowance: u64, poll: &mut dyn FnMut(u64)) -> bool {
        let until = self.steps.saturating_add(allowance);
        self.share = *share;
        self.limit = target.max(self.common.value.load(Ordering::Relaxed));
        self.path.clear();
        self.assigned = 0;
        self.path.push(share.middle as u8);
        let value = match share.leg {
            Leg::Back => self.board.weight(share.step, share.middle),
            Leg::Turn => self.board.first[share.middle],
            Leg::Fore => self.board.first[share.middle] + self.board.weight(share.middle, share.step),
            Leg::Round => self.board.weight(share.middle, share.step),
        };
        let rest = share.within.without(share.step);
        self.enter(State { leg: share.leg, head: share.step, rest, value });
        while let Some(frame) = self.frames.last() {
            if self.steps >= until || self.common.halt.load(Ordering::Relaxed) {
                self.frames.clear();
                self.moves.clear();
                return false;
            }
            if self.moves.len() > frame.moves {
                let state = frame.state;
                let next = self.moves.pop().expect("the frame has a move left");
                let rest = state.rest.without(usize::from(next.vertex));
                self.enter(State { leg: next.leg, head: usize::from(next.vertex), rest, value: next.value });
            } else {
                self.leave();
            }
            if self.steps.is_multiple_of(self.steps_per_clock) {
                self.common.value.fetch_max(self.budget.shared_lower(), Ordering::Relaxed);
                poll(self.steps);
                if let Some(stop) = self.budget.spent() {
                    let mut shared = self.common.stop.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    *shared = shared.or(Some(stop));
                    self.common.halt.store(true, Ordering::Relaxed);
                }
            }
        }
        true
    }

    fn leave(&mut self) {
        let frame = self.frames.pop().expect("only entered states are left");
        if frame.state.leg != Leg::Turn {
            self.path.pop();
        }
        self.assigned = frame.assigned;
        if frame.kept {
            let learnt = self.limit - frame.state.value;
            self.table.store(self.key(&frame.state), learnt, self.steps - frame.steps);
        }
    }

    fn key(&self, state: &State<B>) -> Key<B> {
        let whole = state.leg == Leg::Fore;
        let middle = if whole { 0 } else { self.share.middle };
        Key {
            rest: state.rest,
            tag: (state.leg as u32) << 16 | (state.head as u32) << 8 | middle as u32,
            serial: if whole { 0 } else { self.share.serial },
        }
    }

    /// Takes a step, records the path if it is complete and the best so far, and lists the moves worth trying.
    fn enter(&mut self, mut state: State<B>) {
        let board = self.board;
        self.steps += 1;
        if state.leg == Leg::Turn {
            self.turned = self.path.len();
        } else {
            self.path.push(state.head as u8);
        }
        self.limit = self.limit.max(self.common.value.load(Ordering::Relaxed));
        if let Some(value) = self.value_if_ended(&state)
            && value > self.limit
        {
            self.limit = value;
            self.common.offer(self.path_from_first(), value);
        }
        let from = self.moves.len();
        let steps = self.steps;
        let reached = self.useful(&mut state);
        self.frames.push(Frame { state, moves: from, assigned: self.assigned, kept: false, steps });
        if self.quick_bound(&state) <= self.limit {
            return;
        }
        let (leg, rows) = match state.leg {
            Leg::Back => (Leg::Back, &board.into),
            Leg::Turn | Leg::Fore => (Leg::Fore, &board.out),
            Leg::Round => (Leg::Round, &board.out),
        };
        if state.leg == Leg::Back && board.first[state.head] != NOT_AN_END {
            let value = state.value + board.first[state.head];
            self.moves.push(Move { leg: Leg::Turn, vertex: self.share.middle as u8, onward: u8::MAX, value });
        }
        for vertex in (self.beside(&state) & reached).members() {
            if self.waits(vertex, &state) {
                continue;
            }
            let weight = match leg {
                Leg::Back => board.weight(vertex, state.head),
                _ => board.weight(state.head, vertex),
            };
            let onward = (rows[vertex] & state.rest).count() as u8;
            self.moves.push(Move { leg, vertex: vertex as u8, onward, value: state.value + weight });
        }
        if self.moves.len() - from < 2 {
            return;
        }
        let known = self.table.bound(self.key(&state));
        if known.is_some_and(|bound| state.value + bound <= self.limit) || self.bound(&state) <= self.limit {
            self.moves.truncate(from);
            return;
        }
        if board.assigns {
            let bound = self.assign(&state);
            if bound <= self.limit {
                self.moves.truncate(from);
                return;
            }
            self.strike_losers(&state, bound, from);
        }
        self.frames.last_mut().expect("the frame was pushed above").kept = true;
        // The last of the segment is tried first.
        self.moves[from..].sort_unstable_by_key(|one| (std::cmp::Reverse(one.onward), one.vertex));
    }

    fn value_if_ended(&self, state: &State<B>) -> Option<i64> {
        let board = self.board;
        match state.leg {
            Leg::Back => None,
            Leg::Turn | Leg::Fore => {
                let prize = board.last[state.head];
                (prize != NOT_AN_END && (board.single_vertex || self.path.len() > 1)).then(|| state.value + prize)
            }
            Leg::Round => {
                let long_enough = self.path.len() >= if board.directed { 2 } else { 3 };
                (long_enough && self.share.other_side.has(state.head))
                    .then(|| state.value + board.weight(state.head, self.share.middle))
            }
        }
    }

    fn path_from_first(&self) -> Vec<u32> {
        // Where the walk did not turn, it began with the first vertex.
        let turned = match self.share.leg {
            Leg::Back | Leg::Turn => self.turned,
            Leg::Fore | Leg::Round => 1,
        };
        let back = self.path[..turned].iter().rev();
        back.chain(&self.path[turned..]).map(|&vertex| u32::from(vertex)).collect()
    }

    /// Whether a twin that can still be visited comes first. Where edges to the middle fell away, only vertices that
    /// both kept theirs, or both lost it, are still twins.
    fn waits(&self, vertex: usize, state: &State<B>) -> bool {
        let before = self.board.twins_before[vertex] & state.rest;
        if before.is_empty() || state.leg == Leg::Fore {
            return !before.is_empty();
        }
        let kept = self.share.other_side;
        !(before & if kept.has(vertex) { kept } else { !kept }).is_empty()
    }

    /// The vertices to which a step may lead.
    fn beside(&self, state: &State<B>) -> B {
        match state.leg {
            Leg::Back => self.board.into[state.head],
            Leg::Turn => self.board.out[state.head] & self.share.other_side,
            Leg::Fore | Leg::Round => self.board.out[state.head],
        }
    }

    /// Strikes from `rest` what no completion can visit, and returns the part of it that this leg can.
    fn useful(&self, state: &mut State<B>) -> B {
        let board = self.board;
        let rest = state.rest;
        let beside = self.beside(state);
        // Undirected, what can be reached can be left again.
        let way = |rows: &[B], beside: B, back: &[B], ends: B| {
            let reached = flood(rows, beside, rest);
            if board.directed { flood(back, ends, reached) } else { reached }
        };
        match state.leg {
            Leg::Back => {
                let behind = way(&board.into, beside, &board.out, board.may_be_first);
                let ahead = self.share.other_side & board.out[self.share.middle];
                state.rest = behind | way(&board.out, ahead, &board.into, board.may_be_last);
                behind
            }
            Leg::Turn | Leg::Fore => {
                state.rest = way(&board.out, beside, &board.into, board.may_be_last);
                state.rest
            }
            Leg::Round => {
                state.rest = way(&board.out, beside, &board.into, self.share.other_side);
                state.rest
            }
        }
    }

    /// What the current ends of the path and its ends to be add to twice the length, if it goes on at all, beside what
    /// the vertices visited on the way do.
    fn ends_worth(&self, state: &State<B>) -> i64 {
        let (board, middle, head) = (self.board, self.share.middle, state.head);
        match state.leg {
            Leg::Back => {
                let (first, last) = (twice(board.first[head]), twice(board.last[middle]));
                plus(board.best_ends(state.rest), plus(board.entering[head], board.leaving[middle]))
                    .max(plus(first, plus(board.best_last(state.rest), board.leaving[middle])))
                    .max(plus(plus(board.best_first(state.rest), board.entering[head]), last))
                    .max(plus(first, last))
            }
            Leg::Turn | Leg::Fore => plus(board.best_last(state.rest), board.leaving[head]),
            Leg::Round => plus(board.leaving[head], board.entering[middle]),
        }
    }

    /// No completion makes the path worth more than this, by what is left at all and by its colours.
    fn quick_bound(&self, state: &State<B>) -> i64 {
        let board = self.board;
        let bound = total(state.value, plus(board.passing_sum(state.rest), self.ends_worth(state)));
        match state.leg {
            Leg::Turn | Leg::Fore => match board.alternating(state.head, state.rest, board.may_be_last) {
                Some(edges) => bound.min(state.value + edges + board.best_prize),
                None => bound,
            },
            Leg::Back | Leg::Round => bound,
        }
    }

    /// The same by the stronger bounds.
    fn bound(&mut self, state: &State<B>) -> i64 {
        let paths = if state.leg == Leg::Back { 2 } else { 1 };
        let scattered = self.forest.bound(self.board, state.rest, paths, &mut self.marginals);
        let bound = total(state.value, plus(scattered, self.ends_worth(state)));
        if bound <= self.limit {
            return bound;
        }
        bound.min(total(state.value, self.chain_bound(state)))
    }

    /// The bound by assignment; where it prunes nothing, the assignment stays in use for the states to come.
    fn assign(&mut self, state: &State<B>) -> i64 {
        let (head, middle) = (B::only(state.head), B::only(self.share.middle));
        let (rows, columns) = match state.leg {
            Leg::Back => (state.rest | middle, state.rest | head),
            Leg::Turn | Leg::Fore => (state.rest | head, state.rest),
            Leg::Round => (state.rest | head, state.rest | middle),
        };
        let lines = Lines { rows, columns, start: state.leg == Leg::Back, end: state.leg != Leg::Round };
        if self.assigned == self.assignments.len() {
            self.assignments.push(Assignment::empty(self.board));
        }
        let (used, unused) = self.assignments.split_at_mut(self.assigned);
        match used.last() {
            Some(above) => unused[0].copy_from(above),
            None => unused[0].reset(self.board, lines),
        }
        let weight = unused[0].shrink(self.board, lines, &mut self.labels);
        let bound = plus(state.value, weight);
        if bound > self.limit {
            self.assigned += 1;
        }
        bound
    }

    /// Drops the moves from a state of this bound by assignment that lose too much of it.
    fn strike_losers(&mut self, state: &State<B>, bound: i64, from: usize) {
        let (board, limit) = (self.board, self.limit);
        let assignment = &self.assignments[self.assigned - 1];
        let mut kept = from;
        for at in from..self.moves.len() {
            let next = self.moves[at];
            let loss = match next.leg {
                Leg::Turn => assignment.loss(board, board.n, state.head),
                Leg::Back => assignment.loss(board, usize::from(next.vertex), state.head),
                Leg::Fore | Leg::Round => assignment.loss(board, state.head, usize::from(next.vertex)),
            };
            if bound - loss > limit {
                self.moves[kept] = next;
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    fn chain_bound(&mut self, state: &State<B>) -> i64 {
        let (board, middle, head) = (self.board, self.share.middle, state.head);
        let beside = self.beside(state);
        let (entering, leaving) = (&board.entering, &board.leaving);
        let below = &mut self.ways;
        let (forest, marginals) = (self.forest, &mut self.marginals);
        let mut visited = |set: B, paths: usize| {
            let all = board.passing_sum(set);
            if set.count() <= SMALL_BLOCK { all } else { all.min(forest.bound(board, set, paths, marginals)) }
        };
        match state.leg {
            Leg::Back => {
                let ahead = self.share.other_side & board.out[middle];
                let worth = |vertex: usize| board.first_worth[vertex].max(board.last_worth[vertex]);
                let ways = below.blocks(&board.around, &mut visited, beside | ahead, state.rest, worth);
                let both = plus(ways.best, ways.second).max(ways.pair);
                let (first, last) = (twice(board.first[head]), twice(board.last[middle]));
                let bound = plus(both, plus(entering[head], leaving[middle]))
                    .max(plus(plus(ways.best, leaving[middle]), first))
                    .max(plus(plus(ways.best, entering[head]), last))
                    .max(plus(first, last));
                if !board.directed {
                    return bound;
                }
                let behind = below
                    .components(&board.into, &board.passing, beside, state.rest, |vertex| board.first_worth[vertex]);
                let ahead =
                    below.components(&board.out, &board.passing, ahead, state.rest, |vertex| board.last_worth[vertex]);
                bound.min(plus(plus(behind, entering[head]).max(first), plus(ahead, leaving[middle]).max(last)))
            }
            Leg::Turn | Leg::Fore => {
                let worth = |vertex: usize| board.last_worth[vertex];
                let ways = below.blocks(&board.around, &mut visited, beside, state.rest, worth);
                let mut best = ways.best;
                if board.directed {
                    best = best.min(below.components(&board.out, &board.passing, beside, state.rest, worth));
                }
                plus(best, leaving[head])
            }
            Leg::Round => {
                let closers = self.share.other_side;
                let worth = |vertex: usize| if closers.has(vertex) { 0 } else { NONE };
                let mut best = if board.directed {
                    below.components(&board.out, &board.passing, beside, state.rest, worth)
                } else {
                    NONE
                };
                let ways = below.blocks(&board.around, &mut visited, beside | closers, state.rest, worth);
                best = if board.directed { best.min(ways.block) } else { ways.block };
                plus(best, plus(leaving[head], entering[middle]))
            }
        }
    }
}

fn twice(prize: i64) -> i64 {
    if prize == NOT_AN_END { NONE } else { 2 * prize }
}

/// A value and half of what is given in twice the length.
fn total(value: i64, doubled: i64) -> i64 {
    if doubled == NONE { NONE } else { value + (doubled >> 1) }
}
