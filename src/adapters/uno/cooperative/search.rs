//! Forced skips: depth-first search over the states of the game.
//!
//! A state is the card on top and how many cards of each [class](Class) are left. Whose turn it is follows: the next
//! player in turn, from the one after who played, that holds a matching card; all between are forced to skip. If not even the
//! player of the top card holds one, that is deadlock. So a search step plays a card, and skips are put in at the end.
//!
//! Cards only go away, so a state met again was lost before: a table of all states visited, whole and exact, ends it. Two more
//! reasons end a branch. All cards still to be played lie, as edges between numbers and colours, in one connected piece with
//! the top card; if some card of player 1 does not, player 1 cannot finish. And another player's last card is never played: if
//! it must be, the game is lost.
//!
//! Player 1 tries the card first that the fewest of its own cards follow (the rule of Warnsdorff, *Des Rösselsprungs
//! einfachste und allgemeinste Lösung*, 1823); the others prefer cards that player 1 can answer.

use super::turns::Turn;
use super::{Cooperation, Verdict};
use crate::Stop;
use crate::adapters::uno::deck::Deck;
use crate::adapters::uno::state::{Class, Classes, Hands, Table};
use crate::limits::{Limits, Meter};

pub(super) fn search(hands: &[Deck], limits: &Limits) -> Cooperation {
    let dealt = Classes::new(hands);
    let mut search = Search::new(&dealt, hands.len());
    let verdict = match search.run(&limits.start()) {
        Ok(true) => Verdict::Win(with_skips(hands, &dealt.classes, &search.played())),
        Ok(false) => Verdict::NoWin,
        Err(stop) => Verdict::Unknown(stop),
    };
    Cooperation { verdict, steps: search.steps, peak_bytes: search.peak_bytes }
}

/// The classes as played, with positions, and with the skips between.
fn with_skips(hands: &[Deck], classes: &[Class], played: &[u32]) -> Vec<Turn> {
    let mut taken = vec![0; classes.len()];
    let mut turns: Vec<Turn> = Vec::new();
    let mut next = 0;
    for &class in played {
        let Class { player, positions, .. } = &classes[class as usize];
        while next != *player as usize {
            turns.push(Turn::Skip { player: next + 1 });
            next = (next + 1) % hands.len();
        }
        turns.push(Turn::Play { player: next + 1, position: positions[taken[class as usize]] });
        taken[class as usize] += 1;
        next = (next + 1) % hands.len();
    }
    turns
}

/// A state on the way down.
struct Frame {
    /// The class of the card on top; none before the opening.
    top: Option<u32>,
    /// Where its candidates begin.
    candidates: usize,
}

struct Search<'a> {
    hands: Hands<'a>,
    seen: Table,
    reach: Reach,
    /// The way from the opening to the state at hand.
    frames: Vec<Frame>,
    /// The candidates of all frames that are still to be tried, those to be tried first at the end.
    candidates: Vec<u32>,
    steps: u64,
    peak_bytes: usize,
}

/// Whatever was visited and left was lost.
const LOST: u8 = 1;

impl<'a> Search<'a> {
    fn new(dealt: &'a Classes, players: usize) -> Self {
        let hands = Hands::new(dealt, players);
        Search {
            seen: Table::new(&hands.left),
            reach: Reach::new(dealt.numbers, dealt.colours),
            hands,
            frames: Vec::new(),
            candidates: Vec::new(),
            steps: 0,
            peak_bytes: 0,
        }
    }

    /// Whether player 1 can win; then [`played`](Self::played) tells how.
    fn run(&mut self, meter: &Meter) -> Result<bool, Stop> {
        const STEPS_BETWEEN_LOOKS: u64 = 1 << 10;
        self.enter(None, self.hands.classes_of(0).collect());
        while let Some(frame) = self.frames.last() {
            if self.candidates.len() == frame.candidates {
                if let Some(class) = frame.top {
                    self.hands.give_back(class);
                }
                self.frames.pop();
                continue;
            }
            let class = self.candidates.pop().expect("a candidate is left");
            if self.steps.is_multiple_of(STEPS_BETWEEN_LOOKS)
                && let Some(stop) = meter.spent()
            {
                return Err(stop);
            }
            self.steps += 1;
            if self.play(class, meter)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The classes played, in order; the last one is the card at the top of the last frame.
    fn played(&self) -> Vec<u32> {
        self.frames.iter().filter_map(|frame| frame.top).collect()
    }

    /// Plays a card and enters the state after it, unless that is lost. `true` if it wins.
    fn play(&mut self, class: u32, meter: &Meter) -> Result<bool, Stop> {
        let player = self.hands.player(class);
        if player != 0 && self.hands.in_hand[player] == 1 {
            return Ok(false);
        }
        self.hands.take(class);
        if self.hands.in_hand[0] == 0 {
            self.frames.push(Frame { top: Some(class), candidates: self.candidates.len() });
            return Ok(true);
        }
        if self.seen.mark(&self.hands.left, class).is_some() || self.is_cut_off(class) {
            self.hands.give_back(class);
            return Ok(false);
        }
        let walk = size_of::<Frame>() * self.frames.capacity() + size_of::<u32>() * self.candidates.capacity();
        let bytes = self.hands.bytes() + walk + self.seen.bytes() + self.seen.growth();
        if meter.forbids(bytes) {
            return Err(Stop::MemoryLimit);
        }
        self.peak_bytes = self.peak_bytes.max(bytes);
        self.seen.set_mark(&self.hands.left, class, LOST);
        self.enter(Some(class), self.answers(class));
        Ok(false)
    }

    /// What may be played on this card: by the first player in turn who can; nothing in a deadlock.
    fn answers(&self, top: u32) -> Vec<u32> {
        let turns = (1..=self.hands.players).map(|after| (self.hands.player(top) + after) % self.hands.players);
        let player = turns.into_iter().find(|&player| self.hands.answers_at_most(player, top) > 0);
        player.map_or(Vec::new(), |player| self.hands.answers(player, top).collect())
    }

    /// A new state, with what may be played in it.
    fn enter(&mut self, top: Option<u32>, mut candidates: Vec<u32>) {
        self.frames.push(Frame { top, candidates: self.candidates.len() });
        candidates.sort_by_cached_key(|&class| std::cmp::Reverse(self.rank(class)));
        self.candidates.extend(candidates);
    }

    /// The smaller, the sooner it is tried.
    fn rank(&self, class: u32) -> (bool, u32) {
        let followers = self.hands.answers_at_most(0, class);
        (self.hands.player(class) != 0 && followers == 0, followers)
    }

    /// Whether some card of player 1 can no longer be reached from the top card.
    fn is_cut_off(&mut self, top: u32) -> bool {
        let Search { reach, hands, .. } = self;
        // The first way down is as good as any, and long hands are often played at once.
        if self.steps <= hands.classes.len() as u64 {
            return false;
        }
        reach.begin(&hands.classes[top as usize]);
        let mut reached = 0;
        while reached < hands.in_hand[0]
            && let Some(side) = reach.pending.pop()
        {
            let (rows, value) = match side {
                Side::Colour(value) => (&hands.by_colour, value),
                Side::Number(value) => (&hands.by_number, value),
            };
            if let Side::Colour(_) = side {
                reached += rows.left(0, value);
            }
            for player in 0..hands.players {
                for &class in rows.row(player, value) {
                    if hands.left[class as usize] > 0 {
                        reach.visit(&hands.classes[class as usize]);
                    }
                }
            }
        }
        reached < hands.in_hand[0]
    }
}

/// One side of a card.
enum Side {
    Colour(u32),
    Number(u32),
}

/// What is reached from the top card, going from colours to numbers and back.
struct Reach {
    round: u32,
    /// The round in which each was reached last.
    colours: Vec<u32>,
    numbers: Vec<u32>,
    pending: Vec<Side>,
}

impl Reach {
    fn new(numbers: usize, colours: usize) -> Self {
        Reach { round: 0, colours: vec![0; colours], numbers: vec![0; numbers], pending: Vec::new() }
    }

    fn begin(&mut self, top: &Class) {
        if self.round == u32::MAX {
            self.colours.fill(0);
            self.numbers.fill(0);
            self.round = 0;
        }
        self.round += 1;
        self.pending.clear();
        self.visit(top);
    }

    fn visit(&mut self, class: &Class) {
        let round = self.round;
        if std::mem::replace(&mut self.colours[class.colour as usize], round) != round {
            self.pending.push(Side::Colour(class.colour));
        }
        if std::mem::replace(&mut self.numbers[class.number as usize], round) != round {
            self.pending.push(Side::Number(class.number));
        }
    }
}
