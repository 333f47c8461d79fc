//! A configuration: what is melded and what is left over; and all of them.

use std::fmt;

use super::card::{Card, RANKS, SUITS};
use super::hand::{Hand, write_cards};
use super::meld::Meld;
use super::rules::{Ace, Objective};
use super::solve;
use crate::Stop;
use crate::limits::{Limits, Meter};

/// A partition of a hand into melds and deadwood.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Configuration {
    melds: Vec<Meld>,
    deadwood: Vec<Card>,
}

impl Configuration {
    /// These melds of the hand, and the rest of it as deadwood; `None` if the hand doesn't have the cards, or the rules don't
    /// allow a run. This is a check of its own, with nothing of the programs that find melds.
    ///
    /// # Example
    /// ```
    /// use longhaul::adapters::rummy::{Ace, Configuration, Hand, Meld, Suit};
    ///
    /// let hand = Hand::parse("hand", b"3H 4H 5H 9D", 1)?;
    /// let run = Meld::run(Suit::Hearts, 3, 3, 0, Ace::Low).unwrap();
    /// let configuration = Configuration::new(&hand, vec![run], Ace::Low).unwrap();
    /// assert_eq!(configuration.to_string(), "3H 4H 5H | 9D");
    /// assert_eq!(Configuration::new(&hand, vec![run, run], Ace::Low), None);
    /// # Ok::<(), longhaul::io::FileError>(())
    /// ```
    pub fn new(hand: &Hand, mut melds: Vec<Meld>, ace: Ace) -> Option<Self> {
        let mut left = [0u8; Card::KINDS];
        Card::all().for_each(|card| left[card.index()] = hand.count(card));
        for meld in &melds {
            let mut stands_for = meld.stands_for();
            let first = stands_for.next()?;
            let valid = if meld.is_run() {
                let consecutive = |(at, card): (usize, Card)| {
                    let rank = (usize::from(first.rank().unwrap_or(0)) + at) % RANKS + 1;
                    card.suit() == first.suit() && card.rank() == Some(rank as u8)
                };
                ace.allows(first.rank()?, meld.len() as u8) && stands_for.enumerate().all(consecutive)
            } else {
                let suits = 1 << first.suit()?.index();
                let different = stands_for.try_fold(suits, |suits: u8, card| {
                    let suit = 1 << card.suit()?.index();
                    (card.rank() == first.rank() && suits & suit == 0).then_some(suits | suit)
                });
                (3..=SUITS).contains(&meld.len()) && different.is_some()
            };
            if !valid {
                return None;
            }
            for card in meld.cards() {
                left[card.index()] = left[card.index()].checked_sub(1)?;
            }
        }
        solve::sort(&mut melds);
        let deadwood =
            Card::all().flat_map(|card| std::iter::repeat_n(card, usize::from(left[card.index()]))).collect();
        Some(Configuration { melds, deadwood })
    }

    /// The melds, by their first rank.
    pub fn melds(&self) -> &[Meld] {
        &self.melds
    }

    /// The cards that are in no meld, in order.
    pub fn deadwood(&self) -> &[Card] {
        &self.deadwood
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for meld in &self.melds {
            write!(formatter, "{meld} | ")?;
        }
        write_cards(formatter, self.deadwood.iter().copied())
    }
}

/// All melds that some cards of the hand form, by their first rank; each once, however many copies there are.
///
/// # Complexity
/// With j jokers, a run of n cards is listed once for each choice of up to j places for jokers in it.
///
/// # Example
/// ```
/// use longhaul::adapters::rummy::{Ace, Hand, candidates};
///
/// let island = Hand::parse("island", b"2H3H4H5H4H5H6H3C3C3D3D4D", 2)?;
/// let melds: Vec<String> = candidates(&island, Ace::Low).iter().map(|meld| meld.to_string()).collect();
/// assert_eq!(melds[..3], ["2H 3H 4H", "2H 3H 4H 5H", "2H 3H 4H 5H 6H"]);
/// assert_eq!(melds.len(), 7);
/// # Ok::<(), longhaul::io::FileError>(())
/// ```
pub fn candidates(hand: &Hand, ace: Ace) -> Vec<Meld> {
    let mut melds = Vec::new();
    for column in 0..RANKS {
        for row in 0..SUITS {
            runs_from(hand, ace, row, column, &mut melds);
        }
        let held = (0..SUITS).fold(0u8, |held, row| held | u8::from(hand.counts[column][row] > 0) << row);
        for rows in (1u8..1 << SUITS).filter(|rows| rows & !held == 0) {
            let cards = rows.count_ones() as u8;
            let sets = (0..=hand.jokers.min(3)).filter(|jokers| (3..=4).contains(&(cards + jokers)));
            melds.extend(sets.map(|jokers| Meld::set_at(column, rows, jokers)));
        }
    }
    solve::sort(&mut melds);
    melds
}

/// The runs of a suit that begin in a column, jokers in every place where they can be.
fn runs_from(hand: &Hand, ace: Ace, row: usize, first: usize, melds: &mut Vec<Meld>) {
    // The places of jokers in runs of the present length.
    let mut masks = vec![0u16];
    for len in 1..=RANKS {
        if first + len > ace.columns() && ace != Ace::Around {
            return;
        }
        let natural = hand.counts[(first + len - 1) % RANKS][row] > 0;
        let joker = 1u16 << (len - 1);
        let room = |mask: &u16| mask.count_ones() < u32::from(hand.jokers);
        let with_joker: Vec<u16> = masks.iter().filter(|mask| room(mask)).map(|mask| mask | joker).collect();
        if !natural {
            masks.clear();
        }
        masks.extend(with_joker);
        if masks.is_empty() {
            return;
        }
        if ace.allows(first as u8 + 1, len as u8) {
            // Jokers alone come once, not in every place.
            let is_new = |mask: &&u16| mask.count_ones() < len as u32 || (row, first) == (0, 0);
            melds.extend(masks.iter().filter(is_new).map(|&mask| Meld::run_at(row, first, len, mask)));
        }
    }
}

/// All configurations of a hand, or all the best, each once, depth first: see [`Rummy::configurations`](super::Rummy::configurations).
#[derive(Clone, Debug)]
pub struct Configurations {
    hand: Hand,
    ace: Ace,
    candidates: Vec<Meld>,
    /// The cards that no chosen meld has.
    left: Hand,
    /// The melds chosen so far, by their places among the candidates, in ascending order.
    chosen: Vec<usize>,
    begun: bool,
    /// If only some are wanted.
    sieve: Option<Sieve>,
    meter: Meter,
    steps: u64,
    stop: Stop,
}

impl Configurations {
    pub(super) fn new(hand: &Hand, ace: Ace, best: Option<&Objective>, limits: &Limits) -> Self {
        let meter = limits.start();
        let sieve = best.map(|objective| Sieve::new(hand, ace, objective, &meter));
        Configurations {
            hand: hand.clone(),
            ace,
            candidates: candidates(hand, ace),
            left: hand.clone(),
            chosen: Vec::new(),
            begun: false,
            stop: sieve.as_ref().and_then(|sieve| sieve.stop).unwrap_or(Stop::Finished),
            sieve,
            meter,
            steps: 0,
        }
    }

    /// Why the list ended: [`Stop::Finished`] if it is complete.
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// The next meld that can be chosen, from this place on.
    fn choose(&mut self, from: usize) -> bool {
        let mut at = from;
        while let Some(&meld) = self.candidates.get(at) {
            let new_column = at == from || self.candidates[at - 1].column() < meld.column();
            if let Some(sieve) = &mut self.sieve
                && new_column
                && !sieve.reaches(&self.left, meld.column(), self.ace, &self.meter)
            {
                return false;
            }
            if meld.fits(&self.left) {
                meld.take(&mut self.left);
                let goes_on = match &mut self.sieve {
                    Some(sieve) => {
                        sieve.add(meld);
                        let reaches = sieve.reaches(&self.left, meld.column(), self.ace, &self.meter);
                        if !reaches {
                            sieve.remove(meld);
                        }
                        reaches
                    }
                    None => true,
                };
                if goes_on {
                    self.chosen.push(at);
                    return true;
                }
                meld.give_back(&mut self.left);
            }
            at += 1;
        }
        false
    }

    /// Goes on to the next choice of melds, whether it is wanted or not; `false` after the last.
    fn advance(&mut self) -> bool {
        if !self.begun {
            self.begun = true;
            return true;
        }
        // One more meld, or else another one in place of the last.
        let mut from = self.chosen.last().copied().unwrap_or(0);
        loop {
            if self.choose(from) {
                return true;
            }
            let Some(last) = self.chosen.pop() else { return false };
            let meld = self.candidates[last];
            meld.give_back(&mut self.left);
            if let Some(sieve) = &mut self.sieve {
                sieve.remove(meld);
            }
            from = last + 1;
        }
    }
}

impl Iterator for Configurations {
    type Item = Configuration;

    fn next(&mut self) -> Option<Configuration> {
        // How many steps are taken between two looks at the limits.
        const PATIENCE: u64 = 256;
        loop {
            if self.stop != Stop::Finished {
                return None;
            }
            if self.steps.is_multiple_of(PATIENCE)
                && let Some(stop) = self.meter.spent()
            {
                self.stop = stop;
                return None;
            }
            self.steps += 1;
            if !self.advance() {
                return None;
            }
            if let Some(stop) = self.sieve.as_ref().and_then(|sieve| sieve.stop) {
                self.stop = stop;
                return None;
            }
            if self.sieve.as_ref().is_none_or(Sieve::is_best) {
                let melds = self.chosen.iter().map(|&at| self.candidates[at]).collect();
                let configuration = Configuration::new(&self.hand, melds, self.ace);
                return Some(configuration.expect("only melds are chosen for which the cards are there"));
            }
        }
    }
}

/// Lets only choices pass that can still become best.
#[derive(Clone, Debug)]
struct Sieve {
    program: super::program::Program,
    objective: Objective,
    /// What the best gain.
    best: u64,
    /// What the chosen melds gain.
    gain: u64,
    stop: Option<Stop>,
}

impl Sieve {
    fn new(hand: &Hand, ace: Ace, objective: &Objective, meter: &Meter) -> Self {
        let task = solve::task_of(hand, ace, |card| objective.cost(card));
        let mut program = super::program::Program::new(task);
        let solved = solve::solve(&mut program, ace, meter);
        let stop = Some(solved.stop).filter(|&stop| stop != Stop::Finished);
        let best = solved.gain;
        Sieve { program, objective: *objective, best, gain: 0, stop }
    }

    fn is_best(&self) -> bool {
        self.gain == self.best
    }

    fn add(&mut self, meld: Meld) {
        self.gain += meld.cards().map(|card| self.objective.cost(card)).sum::<u64>();
    }

    fn remove(&mut self, meld: Meld) {
        self.gain -= meld.cards().map(|card| self.objective.cost(card)).sum::<u64>();
    }

    /// Whether the best can still be reached with the cards that are left and melds that begin in this column or behind.
    ///
    /// Melds that begin there have cards only there, unless they go round the corner; so the program for these cards alone
    /// says what they gain at most, and once the melds of a column are chosen, exactly.
    fn reaches(&mut self, left: &Hand, column: usize, ace: Ace, meter: &Meter) -> bool {
        let task = &mut self.program.task;
        task.counts = left.counts;
        task.jokers = left.jokers;
        if ace == Ace::Low {
            task.counts[..column].fill([0; SUITS]);
        }
        self.program.refresh();
        let solved = solve::solve(&mut self.program, ace, meter);
        if solved.stop != Stop::Finished {
            self.stop = Some(solved.stop);
        }
        self.gain + solved.bound >= self.best
    }
}
