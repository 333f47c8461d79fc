//! Uncooperative UNO-2 as the definition has it: stuck with cards loses, the last card wins. By exact minimax.
//!
//! A state is the card on top with the numbers of cards left, by classes of cards that are as good as each other; who is to
//! move follows from the card. Each state is settled once, depth first, and its result kept; a state is won as soon as one
//! card leads to a lost one. Cards that leave the opponent the fewest answers are tried first.
//!
//! Often nothing need be tried: whoever wins [`Geography`] never gets stuck, and if that is player 1 and its hand is not the
//! larger one, it is empty first.

use super::Geography;
use crate::Stop;
use crate::adapters::uno::deck::Deck;
use crate::adapters::uno::state::{Classes, Hands, Table};
use crate::limits::{Limits, Meter};

/// Who wins where whoever holds cards and can't play loses, and whoever plays the last card wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Who wins, 1 or 2; or why that was not settled.
    pub winner: Result<usize, Stop>,
    /// If player 1 wins: an opening that does, as a position in its hand, from 1. None if the hand was empty from the start.
    pub opening: Option<usize>,
    /// How many cards were tried.
    pub steps: u64,
    /// The most memory that the search held at once, in bytes.
    pub peak_bytes: usize,
}

/// Settles the game between player 1, who opens, and player 2, within limits.
///
/// A player without cards from the start has won, player 1 first of all.
///
/// # Complexity
/// Exponential in the cards, in time and in memory: each state that is met is settled once.
///
/// # Example
/// ```
/// use longhaul::adapters::uno::uncooperative::{Geography, stuck};
/// use longhaul::Limits;
/// use longhaul::adapters::uno::{Card, Deck};
///
/// let hand = |number, colour| Deck::new(vec![Card { number, colour }]);
/// let (one, two) = (hand(4, 2), hand(1, 2));
/// assert_eq!(stuck(&one, &two, &Limits::default()).winner, Ok(1));
/// assert_eq!(Geography::new(&one, &two).winner(), 2);
/// ```
pub fn stuck(first: &Deck, second: &Deck, limits: &Limits) -> Stuck {
    let settled = |winner| Stuck { winner: Ok(winner), opening: None, steps: 0, peak_bytes: 0 };
    if first.cards().is_empty() {
        return settled(1);
    }
    if second.cards().is_empty() {
        return settled(2);
    }
    if first.cards().len() <= second.cards().len()
        && let Some(&opening) = Geography::new(first, second).openings().first()
    {
        return Stuck { opening: Some(opening), ..settled(1) };
    }
    let dealt = Classes::new(&[first.clone(), second.clone()]);
    let hands = Hands::new(&dealt, 2);
    let mut minimax = Minimax {
        known: Table::new(&hands.left),
        hands,
        frames: Vec::new(),
        candidates: Vec::new(),
        steps: 0,
        peak_bytes: 0,
    };
    let opening = minimax.run(&limits.start());
    Stuck {
        winner: opening.map(|class| if class.is_some() { 1 } else { 2 }),
        opening: opening.ok().flatten().map(|class| dealt.classes[class as usize].positions[0]),
        steps: minimax.steps,
        peak_bytes: minimax.peak_bytes,
    }
}

/// A state that is being settled.
struct Frame {
    /// The class of the card on top; none before the opening.
    top: Option<u32>,
    /// Where its candidates begin.
    candidates: usize,
}

struct Minimax<'a> {
    hands: Hands<'a>,
    /// Whether the player to move wins.
    known: Table,
    frames: Vec<Frame>,
    /// The candidates of all frames that are still to be tried, those to be tried first at the end.
    candidates: Vec<u32>,
    steps: u64,
    peak_bytes: usize,
}

const LOST: u8 = 1;
const WON: u8 = 2;

impl Minimax<'_> {
    /// The class of a winning opening, if there is one.
    fn run(&mut self, meter: &Meter) -> Result<Option<u32>, Stop> {
        const STEPS_BETWEEN_LOOKS: u64 = 1 << 10;
        self.enter(None, self.hands.classes_of(0).collect());
        while let Some(frame) = self.frames.last() {
            if self.candidates.len() == frame.candidates {
                // Nothing wins, or there is nothing to play.
                if let Some(class) = self.leave(LOST, meter)? {
                    return Ok(Some(class));
                }
                continue;
            }
            let class = self.candidates.pop().expect("a candidate is left");
            if self.steps.is_multiple_of(STEPS_BETWEEN_LOOKS)
                && let Some(stop) = meter.spent()
            {
                return Err(stop);
            }
            self.steps += 1;
            self.hands.take(class);
            let wins = if self.hands.in_hand[self.hands.player(class)] == 0 {
                Some(true)
            } else {
                self.known.mark(&self.hands.left, class).map(|mark| mark == LOST)
            };
            match wins {
                None => {
                    let opponent = 1 - self.hands.player(class);
                    self.enter(Some(class), self.hands.answers(opponent, class).collect());
                }
                Some(wins) => {
                    self.hands.give_back(class);
                    if wins && let Some(class) = self.won_by(class, meter)? {
                        return Ok(Some(class));
                    }
                }
            }
        }
        Ok(None)
    }

    fn enter(&mut self, top: Option<u32>, mut candidates: Vec<u32>) {
        self.frames.push(Frame { top, candidates: self.candidates.len() });
        let opponents_answers = |class: u32| self.hands.answers_at_most(1 - self.hands.player(class), class);
        candidates.sort_by_cached_key(|&class| std::cmp::Reverse(opponents_answers(class)));
        self.candidates.extend(candidates);
    }

    /// The state at hand is won by this card. If it is the first one, that settles all.
    fn won_by(&mut self, class: u32, meter: &Meter) -> Result<Option<u32>, Stop> {
        match self.frames.last() {
            Some(Frame { top: None, .. }) => Ok(Some(class)),
            _ => self.leave(WON, meter),
        }
    }

    /// The state at hand is settled: goes back to the one before, which is won if this one is lost, and so on. The class of
    /// the opening if that wins.
    fn leave(&mut self, mut mark: u8, meter: &Meter) -> Result<Option<u32>, Stop> {
        loop {
            let Frame { top, candidates } = self.frames.pop().expect("a state is at hand");
            self.candidates.truncate(candidates);
            let Some(class) = top else { return Ok(None) };
            let walk = size_of::<Frame>() * self.frames.capacity() + size_of::<u32>() * self.candidates.capacity();
            let bytes = self.hands.bytes() + walk + self.known.bytes() + self.known.growth();
            if meter.forbids(bytes) {
                return Err(Stop::MemoryLimit);
            }
            self.peak_bytes = self.peak_bytes.max(bytes);
            self.known.set_mark(&self.hands.left, class, mark);
            self.hands.give_back(class);
            if mark == WON {
                return Ok(None);
            }
            if let Some(Frame { top: None, .. }) = self.frames.last() {
                return Ok(Some(class));
            }
            mark = WON;
        }
    }
}
