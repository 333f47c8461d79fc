//! How many configurations there are, and how many of them are best, without listing them.
//!
//! The candidate melds are gone through by their first rank, and each is chosen some number of times: the states are the cards
//! that are left. Cards before the rank of the next candidate are out of reach, unless runs go round the corner, so states that
//! differ only there become one. A state carries how many choices lead to it, the most that any of them gains, and how
//! many gain that.
//!
//! The states are as many as the ways in which the runs begun before a rank can reach beyond it: exponential in the number of copies
//! and of suits, but for a hand of one deck small.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use num_bigint::BigUint;

use super::best::Rummy;
use super::card::SUITS;
use super::configuration::candidates;
use super::hand::Hand;
use super::meld::Meld;
use super::rules::Ace;
use crate::Stop;
use crate::limits::Meter;

/// How many configurations a hand has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// All, the one without melds among them.
    pub configurations: BigUint,
    /// Those that leave the least, by the objective alone.
    pub optima: BigUint,
    /// What these leave, in cards or points as the objective says.
    pub least: u64,
}

/// A limit was spent before all was counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped ({stop}) with {at_least} configurations counted, and more to come")]
pub struct Uncounted {
    /// Which limit.
    pub stop: Stop,
    /// There are at least so many configurations.
    pub at_least: BigUint,
}

/// Of the choices that leave the same cards.
#[derive(Clone, Debug)]
struct Choices {
    count: BigUint,
    most: u64,
    best: BigUint,
}

impl Choices {
    /// Other choices that leave the same cards.
    fn join(&mut self, other: &Choices) {
        self.count += &other.count;
        match self.most.cmp(&other.most) {
            std::cmp::Ordering::Less => (self.most, self.best) = (other.most, other.best.clone()),
            std::cmp::Ordering::Equal => self.best += &other.best,
            std::cmp::Ordering::Greater => {}
        }
    }
}

/// Looks at the limits now and then.
struct Watch {
    meter: Meter,
    patience: u32,
}

impl Watch {
    /// Another step, with room for so many states taken.
    fn tick(&mut self, states: usize) -> Result<(), Stop> {
        const PATIENCE: u32 = 1 << 10;
        if self.patience > 0 {
            self.patience -= 1;
            return Ok(());
        }
        self.patience = PATIENCE;
        self.look(states)
    }

    fn look(&self, states: usize) -> Result<(), Stop> {
        // Two numbers on the heap, each with what the allocator adds.
        const HEAP: usize = 2 * 32;
        let bytes = states * (size_of::<(Hand, Choices)>() + HEAP);
        let memory = self.meter.forbids(bytes).then_some(Stop::MemoryLimit);
        self.meter.spent().or(memory).map_or(Ok(()), Err)
    }
}

impl Rummy<'_> {
    /// Counts all configurations, and those that are best by the objective alone.
    ///
    /// # Errors
    /// If a limit is spent before the end: which, and how many configurations there are at least.
    ///
    /// # Complexity
    /// Polynomial in the number of ranks, exponential in the number of decks and of jokers.
    ///
    /// # Example
    /// ```
    /// use longhaul::adapters::rummy::{Hand, Rummy};
    ///
    /// let island = Hand::parse("island", b"2H3H4H5H4H5H6H3C3C3D3D4D", 2)?;
    /// let counts = Rummy::new(&island).count().expect("nothing is limited");
    /// assert_eq!((counts.configurations, counts.optima, counts.least), (12u32.into(), 1u32.into(), 5));
    /// # Ok::<(), longhaul::io::FileError>(())
    /// ```
    pub fn count(&self) -> Result<Counts, Uncounted> {
        let mut watch = Watch { meter: self.limits.start(), patience: 0 };
        let one = || BigUint::from(1u32);
        let mut states = HashMap::from([(self.hand.clone(), Choices { count: one(), most: 0, best: one() })]);
        let uncounted = |stop, at_least| Uncounted { stop, at_least };
        watch.look(0).map_err(|stop| uncounted(stop, one()))?;
        let mut column = 0;
        for meld in candidates(self.hand, self.ace) {
            if meld.column() > column {
                column = meld.column();
                let so_far = counted(&states);
                let merged = self.without_cards_before(column, states, &mut watch);
                states = merged.map_err(|stop| uncounted(stop, so_far))?;
            }
            self.count_with(&meld, &mut states, &mut watch).map_err(|stop| uncounted(stop, counted(&states)))?;
        }
        let total: u64 = self.hand.cards().map(|card| self.objective.cost(card)).sum();
        let all = states.into_values().reduce(|mut all, choices| {
            all.join(&choices);
            all
        });
        let all = all.expect("the choice of nothing");
        Ok(Counts { configurations: all.count, optima: all.best, least: total - all.most })
    }

    /// The meld once more and once more, from the states that have the cards for it.
    fn count_with(&self, meld: &Meld, states: &mut HashMap<Hand, Choices>, watch: &mut Watch) -> Result<(), Stop> {
        let gain: u64 = meld.cards().map(|card| self.objective.cost(card)).sum();
        let mut with: Vec<(Hand, Choices)> = Vec::new();
        for (left, choices) in &*states {
            let (mut left, mut most) = (left.clone(), choices.most);
            watch.tick(states.capacity() + with.capacity())?;
            while meld.fits(&left) {
                meld.take(&mut left);
                most += gain;
                with.push((left.clone(), Choices { most, ..choices.clone() }));
            }
        }
        let waiting = with.capacity();
        for (left, choices) in with {
            watch.tick(states.capacity() + waiting)?;
            add(states, left, choices);
        }
        Ok(())
    }

    /// The same states without the cards that no further candidate has.
    fn without_cards_before(
        &self,
        column: usize,
        states: HashMap<Hand, Choices>,
        watch: &mut Watch,
    ) -> Result<HashMap<Hand, Choices>, Stop> {
        let mut merged = HashMap::new();
        let before = states.capacity();
        for (mut left, choices) in states {
            match self.ace {
                Ace::Low => left.counts[..column].fill([0; SUITS]),
                // The ace may come again behind the king.
                Ace::High if column > 0 => left.counts[1..column].fill([0; SUITS]),
                Ace::High | Ace::Around => {}
            }
            watch.tick(before + merged.capacity())?;
            add(&mut merged, left, choices);
        }
        Ok(merged)
    }
}

/// How many configurations have been counted.
fn counted(states: &HashMap<Hand, Choices>) -> BigUint {
    states.values().map(|choices| &choices.count).sum()
}

fn add(states: &mut HashMap<Hand, Choices>, left: Hand, choices: Choices) {
    match states.entry(left) {
        Entry::Occupied(mut known) => known.get_mut().join(&choices),
        Entry::Vacant(place) => {
            place.insert(choices);
        }
    }
}
