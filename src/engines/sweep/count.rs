//! How many answers there are: of each state, how many ways lead to it.
//!
//! Numbers are as short as will do, and so is the room for them: by worth they stand side by side in words of 64 bits, as
//! long as worths lie close together and the numbers fit; then with their worths, in 128 bits; then in as many as they take. The
//! layer that does not fit begins again with the next kind, and nothing before it.

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
    let sweep = Sweep { rule, multiplicity: &multiplicity, budget };
    match counting {
        Counting::ByWorth => sweep.from::<Row>(sweep.start(), cost),
        Counting::Best => sweep.from::<Best<u64>>(sweep.start(), cost),
    }
}

/// A number is too large for its kind, or a row too long.
struct Unfit;

/// A number to count with.
trait Number: Clone + Into<BigUint> {
    /// The next longer kind.
    type Longer: Number + From<Self>;
    const ZERO: Self;
    fn one() -> Self;
    /// Adds so many times another.
    fn add(&mut self, other: &Self, times: u32) -> Result<(), Unfit>;
    /// What it takes beside its own size.
    fn bytes(&self) -> usize;
}

macro_rules! number {
    ($short:ty, $longer:ty) => {
        impl Number for $short {
            type Longer = $longer;
            const ZERO: Self = 0;

            fn one() -> Self {
                1
            }

            fn add(&mut self, other: &Self, times: u32) -> Result<(), Unfit> {
                let sum = other.checked_mul(<$short>::from(times)).and_then(|product| self.checked_add(product));
                *self = sum.ok_or(Unfit)?;
                Ok(())
            }

            fn bytes(&self) -> usize {
                0
            }
        }
    };
}
number!(u64, u128);
number!(u128, BigUint);

impl Number for BigUint {
    type Longer = BigUint;
    const ZERO: Self = BigUint::ZERO;

    fn one() -> Self {
        BigUint::from(1u32)
    }

    fn add(&mut self, other: &Self, times: u32) -> Result<(), Unfit> {
        if times == 1 {
            *self += other;
        } else {
            *self += other * times;
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.bits() as usize / 8
    }
}

/// What is known of the ways to a state.
trait Tally: Clone {
    /// The same with more room.
    type Wider: Tally;
    fn widen(self) -> Self::Wider;
    /// There is no way.
    fn none() -> Self;
    /// There is one, worth this.
    fn one(worth: i64) -> Self;
    /// Adds `times` the ways of another, each worth `gain` more; where that does not fit, what is left is of no use.
    fn merge(&mut self, from: &Self, gain: i64, times: u32, spare: &mut Self) -> Result<(), Unfit>;
    /// What it takes.
    fn bytes(&self) -> usize;
    fn counts(self) -> Counts;
}

/// The ways of the greatest worth.
#[derive(Clone)]
struct Best<C> {
    worth: i64,
    count: C,
}

impl<C: Number> Tally for Best<C> {
    type Wider = Best<C::Longer>;

    fn widen(self) -> Self::Wider {
        Best { worth: self.worth, count: C::Longer::from(self.count) }
    }

    fn none() -> Self {
        Best { worth: i64::MIN, count: C::ZERO }
    }

    fn one(worth: i64) -> Self {
        Best { worth, count: C::one() }
    }

    fn merge(&mut self, from: &Self, gain: i64, times: u32, _spare: &mut Self) -> Result<(), Unfit> {
        let worth = from.worth + gain;
        if worth > self.worth {
            (self.worth, self.count) = (worth, C::ZERO);
        }
        if worth == self.worth { self.count.add(&from.count, times) } else { Ok(()) }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.count.bytes()
    }

    fn counts(self) -> Counts {
        if self.worth == i64::MIN { Vec::new() } else { vec![(self.worth, self.count.into())] }
    }
}

/// All ways by what they are worth: how many are worth `first`, `first + stride`, and so on; some of these may be none.
#[derive(Clone)]
struct Row {
    first: i64,
    /// 0 where there is one number.
    stride: i64,
    numbers: Vec<u64>,
}

/// A row may have so many places for each number that makes it, and some more.
const PLACES_A_NUMBER: usize = 4;
const MORE_PLACES: usize = 64;

impl Tally for Row {
    type Wider = Spread<u128>;

    fn widen(self) -> Self::Wider {
        let Row { first, stride, numbers } = self;
        let worths = (0..).map(|place: i64| first + place * stride);
        let terms = worths.zip(numbers).filter(|&(_, number)| number > 0);
        Spread(terms.map(|(worth, number)| (worth, number.into())).collect())
    }

    fn none() -> Self {
        Row { first: 0, stride: 0, numbers: Vec::new() }
    }

    fn one(worth: i64) -> Self {
        Row { first: worth, stride: 0, numbers: vec![1] }
    }

    fn merge(&mut self, from: &Self, gain: i64, times: u32, spare: &mut Self) -> Result<(), Unfit> {
        let first = from.first + gain;
        if self.numbers.is_empty() {
            (self.first, self.stride) = (first, from.stride);
            self.numbers.resize(from.numbers.len(), 0);
            return add_all(self.numbers.iter_mut(), &from.numbers, times);
        }
        let stride = gcd(gcd(self.stride, from.stride), first.abs_diff(self.first) as i64);
        let last = |first: i64, row: &Row| first + (row.numbers.len() as i64 - 1) * row.stride;
        let least = first.min(self.first);
        let greatest = last(first, from).max(last(self.first, self));
        let places = (greatest - least).checked_div(stride).unwrap_or(0) as usize + 1;
        if stride != self.stride || places != self.numbers.len() {
            if places > PLACES_A_NUMBER * (self.numbers.len() + from.numbers.len()) + MORE_PLACES {
                return Err(Unfit);
            }
            std::mem::swap(&mut self.numbers, &mut spare.numbers);
            self.numbers.clear();
            self.numbers.resize(places, 0);
            let own = self.places(least, stride, self.first, self.stride);
            add_all(own, &spare.numbers, 1)?;
            (self.first, self.stride) = (least, stride);
        }
        if from.stride == stride || from.numbers.len() == 1 {
            let begin = (first - least).checked_div(stride).unwrap_or(0) as usize;
            return add_all(self.numbers[begin..].iter_mut(), &from.numbers, times);
        }
        let theirs = self.places(least, stride, first, from.stride);
        add_all(theirs, &from.numbers, times)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.numbers.capacity() * size_of::<u64>()
    }

    fn counts(self) -> Counts {
        self.widen().counts()
    }
}

impl Row {
    /// The places, in a row that begins at `least`, of the numbers of a row that begins at `first`.
    fn places(&mut self, least: i64, stride: i64, first: i64, step: i64) -> impl Iterator<Item = &mut u64> {
        let begin = (first - least).checked_div(stride).unwrap_or(0) as usize;
        let every = step.checked_div(stride).unwrap_or(1).max(1) as usize;
        self.numbers[begin..].iter_mut().step_by(every)
    }
}

/// To each number so many times the other.
fn add_all<'a>(to: impl Iterator<Item = &'a mut u64>, from: &[u64], times: u32) -> Result<(), Unfit> {
    let mut overflows = false;
    if times == 1 {
        for (sum, &number) in to.zip(from) {
            let over;
            (*sum, over) = sum.overflowing_add(number);
            overflows |= over;
        }
    } else {
        for (sum, &number) in to.zip(from) {
            overflows |= sum.add(&number, times).is_err();
        }
    }
    if overflows { Err(Unfit) } else { Ok(()) }
}

fn gcd(mut one: i64, mut two: i64) -> i64 {
    while two != 0 {
        (one, two) = (two, one % two);
    }
    one
}

/// All ways by what they are worth, ascending.
#[derive(Clone)]
struct Spread<C>(Vec<(i64, C)>);

impl<C: Number> Tally for Spread<C> {
    type Wider = Spread<C::Longer>;

    fn widen(self) -> Self::Wider {
        Spread(self.0.into_iter().map(|(worth, count)| (worth, C::Longer::from(count))).collect())
    }

    fn none() -> Self {
        Spread(Vec::new())
    }

    fn one(worth: i64) -> Self {
        Spread(vec![(worth, C::one())])
    }

    fn merge(&mut self, from: &Self, gain: i64, times: u32, spare: &mut Self) -> Result<(), Unfit> {
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
        Ok(())
    }

    fn bytes(&self) -> usize {
        let number = self.0.first().map_or(0, |(_, count)| count.bytes());
        size_of::<Self>() + self.0.capacity() * (size_of::<(i64, C)>() + number)
    }

    fn counts(self) -> Counts {
        self.0.into_iter().map(|(worth, count)| (worth, count.into())).collect()
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

    fn add_in_place(&mut self, from: &Self, gain: i64, times: u32) -> Result<(), Unfit> {
        let mut at = 0;
        for (worth, count) in &from.0 {
            while self.0[at].0 < worth + gain {
                at += 1;
            }
            self.0[at].1.add(count, times)?;
        }
        Ok(())
    }
}

/// To add up so many bytes takes about as long as to find the state they belong to.
const BYTES_A_STEP: usize = 256;

/// One count from the first layer to the last.
struct Sweep<'a, R, M> {
    rule: &'a R,
    multiplicity: &'a M,
    budget: &'a Budget,
}

/// The states before a decision, and the ways to each; and those that have come to an end.
struct Layer<S, T> {
    layer: usize,
    states: Vec<S>,
    tallies: Vec<T>,
    done: T,
    /// What the tallies take.
    bytes: usize,
}

impl<S, T: Tally> Layer<S, T> {
    fn new(layer: usize, states: Vec<S>, tallies: Vec<T>, done: T) -> Self {
        let bytes = done.bytes() + tallies.iter().map(T::bytes).sum::<usize>();
        Layer { layer, states, tallies, done, bytes }
    }
}

impl<R: Rule, M: Fn(usize, usize) -> u32> Sweep<'_, R, M> {
    fn start<T: Tally>(&self) -> Layer<R::State, T> {
        let (start, worth) = self.rule.start();
        Layer::new(0, vec![start], vec![T::one(worth)], T::none())
    }

    /// Counts from a layer on, with wider tallies from where these do not do.
    fn from<T: Tally>(&self, begin: Layer<R::State, T>, cost: &mut Cost) -> Result<Counts, Stop> {
        let mut now = begin;
        let mut place = HashMap::new();
        while now.layer < self.rule.layers() {
            match self.next(&now, &mut place, cost)? {
                Ok(next) => now = next,
                Err(Unfit) => {
                    let tallies = now.tallies.into_iter().map(T::widen).collect();
                    return self.from::<T::Wider>(Layer::new(now.layer, now.states, tallies, now.done.widen()), cost);
                }
            }
        }
        Ok(now.done.counts())
    }

    fn next<T: Tally>(
        &self,
        now: &Layer<R::State, T>,
        place: &mut HashMap<R::State, u32>,
        cost: &mut Cost,
    ) -> Result<Result<Layer<R::State, T>, Unfit>, Stop> {
        let layer = now.layer;
        let mut next = Layer::new(layer + 1, Vec::new(), Vec::new(), now.done.clone());
        let mut spare = T::none();
        // Steps, each with the words that are added in it.
        let mut work = 0;
        place.clear();
        for (state, tally) in now.states.iter().zip(&now.tallies) {
            let work_of_step = 1 + (tally.bytes() / BYTES_A_STEP) as u64;
            for choice in 0..self.rule.choices(layer) {
                cost.steps += 1;
                let times = if choice == 0 { 1 } else { (self.multiplicity)(layer, choice) };
                let (gain, into) = match self.rule.step(layer, choice, state) {
                    Next::Dead => continue,
                    Next::Done(gain) => (gain, &mut next.done),
                    Next::On(to, gain) => {
                        let at = *place.entry(to).or_insert_with(|| {
                            next.states.push(to);
                            next.tallies.push(T::none());
                            next.states.len() as u32 - 1
                        });
                        (gain, &mut next.tallies[at as usize])
                    }
                };
                let before = into.bytes();
                if into.merge(tally, gain, times, &mut spare).is_err() {
                    return Ok(Err(Unfit));
                }
                next.bytes = next.bytes + into.bytes() - before;
                work += work_of_step;
            }
            if work >= STEPS_BETWEEN_LOOKS {
                work = 0;
                self.look(now, &next, cost)?;
            }
        }
        self.look(now, &next, cost)?;
        Ok(Ok(next))
    }

    fn look<T: Tally>(&self, now: &Layer<R::State, T>, next: &Layer<R::State, T>, cost: &mut Cost) -> Result<(), Stop> {
        // Each state of the next layer is in the table of places, too.
        let states = (now.states.len() + 2 * next.states.len()) * (size_of::<R::State>() + size_of::<u32>());
        let bytes = states + now.bytes + next.bytes;
        cost.peak_bytes = cost.peak_bytes.max(bytes);
        match self.budget.spent() {
            Some(stop) => Err(stop),
            None if bytes > self.budget.memory => Err(Stop::MemoryLimit),
            None => Ok(()),
        }
    }
}
