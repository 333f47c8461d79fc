//! How many answers there are: of each state, how many ways lead to it.
//!
//! Numbers are of 128 bits as long as that is enough, and as long as they have to be otherwise: the whole count begins
//! again with those when one overflows, which costs less than twice.

use hashbrown::HashMap;
use num_bigint::BigUint;

use super::optimum::Cost;
use super::{Next, Rule, STEPS_BETWEEN_LOOKS};
use crate::instance::Budget;
use crate::solution::Stop;

/// What to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counting {
    /// Those of the greatest worth.
    Best,
    /// All of them, by what they are worth.
    ByWorth,
}

/// Answers by what they are worth, ascending.
pub(crate) type Counts = Vec<(i64, BigUint)>;

/// Counts the answers; `multiplicity` says for how many a choice of a layer stands.
pub(crate) fn count<R: Rule>(
    rule: &R,
    multiplicity: impl Fn(usize, usize) -> u32,
    counting: Counting,
    budget: &Budget,
    cost: &mut Cost,
) -> Result<Counts, Stop> {
    if counting == Counting::ByWorth {
        let small = Sweep { rule, multiplicity: &multiplicity, budget }.run::<Spread<u128>>(cost)?;
        return match small {
            Ok(Spread(terms)) => Ok(terms.into_iter().map(|(worth, count)| (worth, BigUint::from(count))).collect()),
            Err(Overflow) => {
                let large = Sweep { rule, multiplicity: &multiplicity, budget }.run::<Spread<BigUint>>(cost)?;
                Ok(large.unwrap_or_else(|Overflow| unreachable!("big numbers do not overflow")).0)
            }
        };
    }
    let small = Sweep { rule, multiplicity: &multiplicity, budget }.run::<Best<u128>>(cost)?;
    let Best { worth, count } = match small {
        Ok(Best { worth, count }) => Best { worth, count: BigUint::from(count) },
        Err(Overflow) => {
            let large = Sweep { rule, multiplicity: &multiplicity, budget }.run::<Best<BigUint>>(cost)?;
            large.unwrap_or_else(|Overflow| unreachable!("big numbers do not overflow"))
        }
    };
    Ok(if count == BigUint::ZERO { Vec::new() } else { vec![(worth, count)] })
}

/// A number was too large.
struct Overflow;

/// A number to count with.
trait Number: Clone {
    const ZERO: Self;
    fn one() -> Self;
    /// Adds so many times another; `None` if that is too large.
    fn add(&mut self, other: &Self, times: u32) -> Option<()>;
    /// What it takes beside its own size.
    fn bytes(&self) -> usize;
}

impl Number for u128 {
    const ZERO: Self = 0;

    fn one() -> Self {
        1
    }

    fn add(&mut self, other: &Self, times: u32) -> Option<()> {
        *self = self.checked_add(other.checked_mul(u128::from(times))?)?;
        Some(())
    }

    fn bytes(&self) -> usize {
        0
    }
}

impl Number for BigUint {
    const ZERO: Self = BigUint::ZERO;

    fn one() -> Self {
        BigUint::from(1u32)
    }

    fn add(&mut self, other: &Self, times: u32) -> Option<()> {
        if times == 1 {
            *self += other;
        } else {
            *self += other * times;
        }
        Some(())
    }

    fn bytes(&self) -> usize {
        self.bits() as usize / 8
    }
}

/// What is known of the ways to a state.
trait Tally: Sized {
    /// There is no way.
    fn none() -> Self;
    /// There is one, worth this.
    fn one(worth: i64) -> Self;
    /// Adds `times` the ways of another, each worth `gain` more. `None` if a number is too large.
    fn merge(&mut self, from: &Self, gain: i64, times: u32, spare: &mut Self) -> Option<()>;
    /// What it takes.
    fn bytes(&self) -> usize;
}

/// The ways of the greatest worth.
struct Best<C> {
    worth: i64,
    count: C,
}

impl<C: Number> Tally for Best<C> {
    fn none() -> Self {
        Best { worth: i64::MIN, count: C::ZERO }
    }

    fn one(worth: i64) -> Self {
        Best { worth, count: C::one() }
    }

    fn merge(&mut self, from: &Self, gain: i64, times: u32, _spare: &mut Self) -> Option<()> {
        let worth = from.worth + gain;
        if worth > self.worth {
            (self.worth, self.count) = (worth, C::ZERO);
        }
        if worth == self.worth { self.count.add(&from.count, times) } else { Some(()) }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.count.bytes()
    }
}

/// All ways by what they are worth, ascending.
struct Spread<C>(Vec<(i64, C)>);

impl<C: Number> Tally for Spread<C> {
    fn none() -> Self {
        Spread(Vec::new())
    }

    fn one(worth: i64) -> Self {
        Spread(vec![(worth, C::one())])
    }

    fn merge(&mut self, from: &Self, gain: i64, times: u32, spare: &mut Self) -> Option<()> {
        if self.has_all_of(from, gain) {
            return self.add_in_place(from, gain, times);
        }
        spare.0.clear();
        let mut old = self.0.drain(..).peekable();
        for (worth, count) in &from.0 {
            let worth = worth + gain;
            while let Some(smaller) = old.next_if(|(known, _)| *known < worth) {
                spare.0.push(smaller);
            }
            let (_, mut number) = old.next_if(|(known, _)| *known == worth).unwrap_or((worth, C::ZERO));
            number.add(count, times)?;
            spare.0.push((worth, number));
        }
        spare.0.extend(old);
        self.0.clone_from(&spare.0);
        Some(())
    }

    fn bytes(&self) -> usize {
        let number = self.0.first().map_or(0, |(_, count)| count.bytes());
        size_of::<Self>() + self.0.capacity() * (size_of::<(i64, C)>() + number)
    }
}

impl<C: Number> Spread<C> {
    /// Whether every worth of the other, `gain` added, is one of these: so it is almost always.
    fn has_all_of(&self, from: &Self, gain: i64) -> bool {
        let mut at = 0;
        from.0.iter().all(|(worth, _)| {
            while self.0.get(at).is_some_and(|(known, _)| *known < worth + gain) {
                at += 1;
            }
            self.0.get(at).is_some_and(|(known, _)| *known == worth + gain)
        })
    }

    fn add_in_place(&mut self, from: &Self, gain: i64, times: u32) -> Option<()> {
        let mut at = 0;
        for (worth, count) in &from.0 {
            while self.0[at].0 < worth + gain {
                at += 1;
            }
            self.0[at].1.add(count, times)?;
        }
        Some(())
    }
}

/// One count from the first layer to the last.
struct Sweep<'a, R, M> {
    rule: &'a R,
    multiplicity: &'a M,
    budget: &'a Budget,
}

impl<R: Rule, M: Fn(usize, usize) -> u32> Sweep<'_, R, M> {
    fn run<T: Tally>(&self, cost: &mut Cost) -> Result<Result<T, Overflow>, Stop> {
        let (start, worth) = self.rule.start();
        let (mut states, mut tallies) = (vec![start], vec![T::one(worth)]);
        let (mut done, mut spare) = (T::none(), T::none());
        let mut place: HashMap<R::State, u32> = HashMap::new();
        let mut looked = 0;
        for layer in 0..self.rule.layers() {
            let (mut next_states, mut next_tallies): (Vec<R::State>, Vec<T>) = (Vec::new(), Vec::new());
            place.clear();
            for (state, tally) in states.iter().zip(&tallies) {
                for choice in 0..self.rule.choices(layer) {
                    cost.steps += 1;
                    let times = if choice == 0 { 1 } else { (self.multiplicity)(layer, choice) };
                    let (gain, into) = match self.rule.step(layer, choice, state) {
                        Next::Dead => continue,
                        Next::Done(gain) => (gain, &mut done),
                        Next::On(next, gain) => {
                            let at = *place.entry(next).or_insert_with(|| {
                                next_states.push(next);
                                next_tallies.push(T::none());
                                next_states.len() as u32 - 1
                            });
                            (gain, &mut next_tallies[at as usize])
                        }
                    };
                    if into.merge(tally, gain, times, &mut spare).is_none() {
                        return Ok(Err(Overflow));
                    }
                }
                if cost.steps >= looked + STEPS_BETWEEN_LOOKS {
                    looked = cost.steps;
                    let state_bytes = 2 * size_of::<R::State>() + 8 + tally.bytes();
                    let bytes = (states.len() + next_states.len()) * state_bytes;
                    cost.peak_bytes = cost.peak_bytes.max(bytes);
                    self.look(bytes)?;
                }
            }
            (states, tallies) = (next_states, next_tallies);
        }
        Ok(Ok(done))
    }

    fn look(&self, bytes: usize) -> Result<(), Stop> {
        match self.budget.spent() {
            Some(stop) => Err(stop),
            None if bytes > self.budget.memory => Err(Stop::MemoryLimit),
            None => Ok(()),
        }
    }
}
