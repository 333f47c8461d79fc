//! From a hand to the program and from its runs back to melds: jokers that are left find their runs, and runs that go round
//! the corner are put together.

use super::card::{Card, RANKS, SUITS};
use super::hand::Hand;
use super::meld::{Kind, Meld};
use super::program::{Begins, End, Ends, Layout, Program, Strip, Task, deal_sets};
use super::rules::{Ace, Objective};
use crate::Stop;
use crate::limits::Meter;

/// A best melding, or what was found before a limit was spent.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// None if there is none, or none was found.
    pub(super) laid: Option<Layout>,
    pub(super) gain: u64,
    /// No melding gains more.
    pub(super) bound: u64,
    pub(super) stop: Stop,
}

/// The question of a hand alone, without what lies on the table.
pub(super) fn task_of(hand: &Hand, ace: Ace, gain: impl Fn(Card) -> u64) -> Task {
    let mut task = Task::new();
    task.counts = hand.counts;
    task.jokers = hand.jokers;
    task.gains = std::array::from_fn(|column| std::array::from_fn(|row| gain(Card::at(column, row))));
    task.joker_gain = gain(Card::JOKER);
    task.ace_high = ace == Ace::High;
    task.joker_start = (ace != Ace::Around).then(|| task.columns() - 3);
    task
}

/// The gains that make the program minimise what is left over.
pub(super) fn ranked_gain(objective: &Objective) -> impl Fn(Card) -> u64 + '_ {
    |card| objective.ranked_cost(card)
}

impl Solved {
    fn nothing(bound: u64, stop: Stop) -> Self {
        Solved { laid: None, gain: 0, bound, stop }
    }
}

/// The best that the program can do.
pub(super) fn solve(program: &mut Program, ace: Ace, meter: &Meter) -> Solved {
    match ace {
        Ace::Around => solve_around(program, meter),
        Ace::Low | Ace::High => solve_in_line(program, meter),
    }
}

/// What the best gains, and what none exceeds.
pub(super) fn gain(program: &mut Program, ace: Ace, meter: &Meter) -> (u64, u64) {
    if ace != Ace::Around
        && let End::Best { gain, .. } = program.run(meter)
    {
        return (gain, gain);
    }
    let solved = solve(program, ace, meter);
    (solved.gain, solved.bound)
}

fn solve_in_line(program: &mut Program, meter: &Meter) -> Solved {
    match program.run(meter) {
        End::Best { gain, last } => Solved { laid: Some(program.laid(last)), gain, bound: gain, stop: Stop::Finished },
        End::Infeasible => Solved::nothing(0, Stop::Finished),
        End::Stopped { stop, bound, best } => {
            let found = best.map(|(gain, last)| (gain, program.laid(last)));
            let peeled = peel(&program.task);
            let best = found.into_iter().chain(peeled).max_by_key(|(gain, _)| *gain);
            match best {
                Some((gain, laid)) => Solved { laid: Some(laid), gain, bound: bound.max(gain), stop },
                None => Solved::nothing(bound, stop),
            }
        }
    }
}

/// Some melding of a hand for which the best would take too long: two copies of each card at a time, as well as these can be
/// melded, until nothing is melded any more; jokers go with any run. `None` where cards have to be melded or melds lie there.
fn peel(task: &Task) -> Option<(u64, Layout)> {
    const COPIES: u8 = 2;
    if task.must != [[0; SUITS]; RANKS] || task.must_jokers > 0 || task.lies_there {
        return None;
    }
    let mut left = task.counts;
    let (mut gain, mut laid) = (0, Layout::default());
    loop {
        let mut part = Task { gains: task.gains, ..Task::new() };
        part.counts = left.map(|column| column.map(|count| count.min(COPIES)));
        let mut program = Program::new(part);
        let End::Best { gain: more @ 1.., last } = program.run(&crate::Limits::default().start()) else { break };
        gain += more;
        let layer = program.laid(last);
        for strip in &layer.strips {
            (strip.first..strip.end()).for_each(|column| left[column][strip.row] -= 1);
        }
        for (column, play) in &layer.plays {
            left[*column].iter_mut().zip(play.used).for_each(|(left, used)| *left -= used);
        }
        laid.strips.extend(layer.strips);
        laid.plays.extend(layer.plays);
    }
    if !laid.strips.is_empty() || task.jokers >= 3 {
        laid.spare_jokers = task.jokers;
        gain += u64::from(task.jokers) * task.joker_gain;
    }
    Some((gain, laid))
}

/// Cuts the circle between king and ace, and tries what runs may cross there, suit by suit.
///
/// While nothing is decided of a suit, as many runs as could cross may begin behind the cut as if they were complete, and as
/// many may end before it however short: no melding gains more than that. Where the best of these crosses the cut
/// in no undecided suit, it is a melding itself. Otherwise the cases of one such suit are tried, the most promising first:
/// how many runs cross that have one card before the cut, two, and three or more.
fn solve_around(program: &mut Program, meter: &Meter) -> Solved {
    let crossing: [u8; SUITS] = std::array::from_fn(|row| most_crossing(&program.task, row));
    // What can be done without crossing the cut is a beginning.
    program.task.joker_start = Some(RANKS - 3);
    let in_line = solve_in_line(program, meter);
    program.task.joker_start = None;
    program.forget();
    if in_line.stop != Stop::Finished || crossing == [0; SUITS] && in_line.laid.is_some() {
        let bound = if in_line.stop == Stop::Finished { in_line.gain } else { program.task.total_gain() };
        return Solved { bound, ..in_line };
    }
    let mut search = Around {
        has_run: program.task.has_run,
        base_opened: program.task.opened[0],
        base_caught: program.task.caught[RANKS],
        program,
        crossing,
        best: in_line.laid.map(|laid| (in_line.gain, laid)),
        meter,
        stopped: None,
    };
    let bound = search.relaxed(&[None; SUITS]);
    let aside = search.decide([None; SUITS], bound);
    let stopped = search.stopped;
    let (has_run, opened, caught) = (search.has_run, search.base_opened, search.base_caught);
    let best = search.best.take();
    program.task.incoming = [[0; 3]; SUITS];
    program.task.outgoing = [None; SUITS];
    (program.task.has_run, program.task.opened[0], program.task.caught[RANKS]) = (has_run, opened, caught);
    program.floor = None;
    program.forget();
    let Some(stop) = stopped else {
        return match best {
            Some((gain, laid)) => Solved { laid: Some(laid), gain, bound: gain, stop: Stop::Finished },
            None => Solved::nothing(0, Stop::Finished),
        };
    };
    let bound = aside.unwrap_or(program.task.total_gain());
    match best {
        Some((gain, laid)) => Solved { laid: Some(laid), gain, bound: bound.max(gain), stop },
        None => Solved::nothing(bound, stop),
    }
}

/// How many runs of a suit can cross from the king to the ace.
fn most_crossing(task: &Task, row: usize) -> u8 {
    let jokers = task.jokers;
    // Each has a card that is no joker, and jokers only between that and the cut.
    let window = RANKS - 1 - usize::from(jokers).min(RANKS - 1)..RANKS;
    let before: u8 = window.map(|column| task.counts[column][row]).fold(0, u8::saturating_add);
    // Unless they go on with runs that lie there.
    let before = if task.lies_there { u8::MAX } else { before };
    before.min(task.counts[RANKS - 1][row] + jokers).min(task.counts[0][row] + jokers)
}

type Pattern = [u8; 3];

struct Around<'a> {
    program: &'a mut Program,
    crossing: [u8; SUITS],
    has_run: bool,
    base_opened: [u8; SUITS],
    base_caught: [u8; SUITS],
    best: Option<(u64, Layout)>,
    meter: &'a Meter,
    stopped: Option<Stop>,
}

impl Around<'_> {
    /// The best where these suits are decided, and any crossing goes for the others; `None` if that is no better than the best
    /// so far.
    fn relaxed(&mut self, decided: &[Option<Pattern>; SUITS]) -> Option<(u64, u32)> {
        let task = &mut self.program.task;
        let mut free = false;
        for (row, pattern) in decided.iter().enumerate() {
            let crossing = if pattern.is_some() { 0 } else { self.crossing[row] };
            task.opened[0][row] = self.base_opened[row] + crossing;
            task.caught[RANKS][row] = self.base_caught[row] + crossing;
            task.incoming[row] = pattern.unwrap_or_default();
            task.outgoing[row] = *pattern;
            free |= crossing > 0;
        }
        task.has_run = self.has_run || free;
        self.program.floor = self.best.as_ref().map(|(gain, _)| *gain);
        self.program.forget();
        match self.program.run(self.meter) {
            End::Best { gain, last } => Some((gain, last)),
            End::Infeasible => None,
            End::Stopped { stop, bound, .. } => {
                self.stopped = Some(stop);
                Some((bound, u32::MAX))
            }
        }
    }

    /// Finds the best of a case, whose bound has just been computed, if it is better than the best so far. Returns a bound
    /// on what was left aside because a limit was spent.
    fn decide(&mut self, decided: [Option<Pattern>; SUITS], relaxed: Option<(u64, u32)>) -> Option<u64> {
        let (bound, last) = relaxed?;
        if self.best.as_ref().is_some_and(|(gain, _)| *gain >= bound) {
            return None;
        }
        if self.stopped.is_some() {
            return Some(bound);
        }
        let laid = self.program.laid(last);
        let undecided = |row: usize| decided[row].is_none() && self.crossing[row] > 0;
        let crosses = |strip: &&Strip| {
            let crosses = strip.begins == Begins::Opened && strip.first == 0
                || strip.ends == Ends::Caught && strip.end() == RANKS;
            undecided(strip.row) && crosses
        };
        let homeless = (1..3).contains(&laid.spare_jokers) && laid.strips.is_empty() && !self.has_run;
        let open = laid.strips.iter().find(crosses).map(|strip| strip.row);
        let Some(row) = open.or_else(|| (0..SUITS).find(|&row| homeless && undecided(row))) else {
            self.best = Some((bound, laid));
            return None;
        };
        let mut cases = Vec::new();
        for one in 0..=self.crossing[row] {
            for two in 0..=self.crossing[row] - one {
                for complete in 0..=self.crossing[row] - one - two {
                    let mut decided = decided;
                    decided[row] = Some([one, two, complete]);
                    let bound = self.relaxed(&decided).map(|(bound, _)| bound);
                    cases.extend(bound.map(|bound| (bound, decided)));
                }
            }
        }
        cases.sort_by_key(|(bound, _)| std::cmp::Reverse(*bound));
        let mut aside = None;
        for (bound, decided) in cases {
            if self.stopped.is_some() {
                aside = aside.max(Some(bound));
            } else if self.best.as_ref().is_none_or(|(gain, _)| *gain < bound) {
                let relaxed = self.relaxed(&decided);
                aside = aside.max(self.decide(decided, relaxed));
            }
        }
        aside
    }
}

/// The melds of what was laid, where nothing lies on the table.
pub(super) fn melds(laid: &Layout, ace: Ace) -> Vec<Meld> {
    let mut melds = Vec::new();
    for strip in join(&laid.strips) {
        split_run(strip.row, strip.first, &strip.jokers, ace, &mut melds);
    }
    for (column, play) in &laid.plays {
        deal_sets(*column, play, &mut melds);
    }
    place_jokers(usize::from(laid.spare_jokers), ace, &mut melds);
    sort(&mut melds);
    melds
}

/// The order in which melds are listed.
pub(super) fn sort(melds: &mut [Meld]) {
    melds.sort_unstable_by_key(|meld| (meld.column(), *meld));
}

/// Puts the parts of runs together that the cut between king and ace took apart.
pub(super) fn join(strips: &[Strip]) -> Vec<Strip> {
    let mut parts: Vec<Option<Strip>> = strips.iter().cloned().map(Some).collect();
    let mut whole = Vec::new();
    // First the runs that begin somewhere, then those that go round and round.
    for circles in [false, true] {
        for at in 0..parts.len() {
            let goes_on = |part: &Strip| matches!(part.begins, Begins::Incoming(_));
            if parts[at].as_ref().is_none_or(|part| goes_on(part) && !circles) {
                continue;
            }
            let mut run = parts[at].take().expect("just looked at");
            while run.ends == Ends::Outgoing {
                let length = run.capped_len();
                let goes_on = |part: &Option<Strip>| {
                    part.as_ref().is_some_and(|part| part.row == run.row && part.begins == Begins::Incoming(length))
                };
                let Some(next) = parts.iter().position(goes_on) else { break };
                let next = parts[next].take().expect("just found");
                run.jokers.extend(&next.jokers);
                run.ends = next.ends;
            }
            if !run.jokers.is_empty() {
                whole.push(run);
            }
        }
    }
    whole
}

/// A run of any length, in pieces of 13 cards at most.
pub(super) fn split_run(row: usize, first: usize, jokers: &[bool], ace: Ace, melds: &mut Vec<Meld>) {
    let (mut first, mut rest) = (first, jokers);
    while !rest.is_empty() {
        // What is left must be a run as well.
        let len = if rest.len() <= RANKS { rest.len() } else { RANKS.min(rest.len() - 3) };
        let (piece, others) = rest.split_at(len);
        let mask = piece.iter().rev().fold(0u16, |mask, &joker| mask << 1 | u16::from(joker));
        let run = Meld::canonical_run(row, first % RANKS, len, mask, ace);
        melds.push(run.expect("the program makes runs of three and more within its columns"));
        (first, rest) = (first + len, others);
    }
}

/// Gives jokers to runs: behind the last card, else before the first; a full run is split. Without a run, three and more of
/// them are one.
pub(super) fn place_jokers(mut jokers: usize, ace: Ace, melds: &mut Vec<Meld>) {
    while jokers > 0 {
        let mut runs = melds.iter().enumerate().filter_map(|(at, meld)| match meld.kind() {
            Kind::Run { row, first, len, jokers } => {
                Some((at, usize::from(row), usize::from(first), usize::from(len), jokers))
            }
            Kind::Set { .. } => None,
        });
        let Some((at, row, first, len, mask)) = runs.clone().find(|run| run.3 < RANKS).or_else(|| runs.next()) else {
            let len = jokers.min(RANKS);
            melds.push(Meld::run_at(0, 0, len, (1 << len) - 1));
            jokers -= len;
            continue;
        };
        if len == RANKS {
            const PIECE: usize = 3;
            melds[at] = Meld::run_at(row, 0, PIECE, mask & ((1 << PIECE) - 1));
            melds.push(Meld::run_at(row, PIECE, RANKS - PIECE, mask >> PIECE));
            continue;
        }
        let behind = Meld::canonical_run(row, first, len + 1, mask | 1 << len, ace);
        let before = || Meld::canonical_run(row, (first + RANKS - 1) % RANKS, len + 1, mask << 1 | 1, ace);
        melds[at] = behind.or_else(before).expect("a run that is not full has room at one end");
        jokers -= 1;
    }
}
