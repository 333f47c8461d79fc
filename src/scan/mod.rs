//! What dynamic programs over layers of states have in common, whatever their states say.
//!
//! A program reads its input in an order, one event after the other. Of all ways to the same state it keeps the best one;
//! so a [`Scan`] holds the states at hand, those that follow, and of each the state before and the choice that led on, by
//! which the best answer is told in the end. Where the input is a graph of bounded width, [`events`] are the order.
//!
//! What the states mean stays with the programs, and is not the same thing twice: the best path through a narrow graph and the
//! trails that meet the most edges prune by bounds of their own, a cover by several trails counts its trails in the state, and
//! programs that count keep numbers where these keep the best.

mod events;

pub(crate) use self::events::{Event, events};

use std::hash::Hash;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// The states of a layer and of the next, each with the best score on the way to it, and the ways back.
pub(crate) struct Scan<S, O> {
    states: Vec<S>,
    scores: Vec<i64>,
    /// By state of the next layer, its place there.
    place: HashMap<S, u32>,
    next_states: Vec<S>,
    next_scores: Vec<i64>,
    next_origins: Vec<O>,
    /// By event and place of the state after it: where that came from.
    origins: Vec<Vec<O>>,
    origin_bytes: usize,
}

impl<S: Copy + Eq + Hash, O: Copy> Scan<S, O> {
    /// With a single state.
    pub(crate) fn new(start: S, score: i64) -> Self {
        Scan {
            states: vec![start],
            scores: vec![score],
            place: HashMap::new(),
            next_states: Vec::new(),
            next_scores: Vec::new(),
            next_origins: Vec::new(),
            origins: Vec::new(),
            origin_bytes: 0,
        }
    }

    /// The states at hand, each with its score.
    #[inline]
    pub(crate) fn state(&self, place: usize) -> (S, i64) {
        (self.states[place], self.scores[place])
    }

    /// How many states are at hand.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// How many states the next layer has so far.
    pub(crate) fn next_len(&self) -> usize {
        self.next_states.len()
    }

    /// A way to a state of the next layer.
    #[inline]
    pub(crate) fn offer(&mut self, state: S, score: i64, origin: O) {
        match self.place.entry(state) {
            Entry::Vacant(entry) => {
                entry.insert(self.next_states.len() as u32);
                self.next_states.push(state);
                self.next_scores.push(score);
                self.next_origins.push(origin);
            }
            Entry::Occupied(entry) => {
                let place = *entry.get() as usize;
                if score > self.next_scores[place] {
                    self.next_scores[place] = score;
                    self.next_origins[place] = origin;
                }
            }
        }
    }

    /// Keeps so many of the next layer's states, those of the greatest `promise`, in their order.
    pub(crate) fn narrow(&mut self, width: usize, promise: impl Fn(S, i64) -> i64) {
        if self.next_states.len() <= width {
            return;
        }
        let promises: Vec<i64> =
            self.next_states.iter().zip(&self.next_scores).map(|(&state, &score)| promise(state, score)).collect();
        let mut places: Vec<u32> = (0..self.next_states.len() as u32).collect();
        let key = |place: &u32| (std::cmp::Reverse(promises[*place as usize]), *place);
        places.select_nth_unstable_by_key(width, key);
        places.truncate(width);
        places.sort_unstable();
        self.next_states = places.iter().map(|&place| self.next_states[place as usize]).collect();
        self.next_scores = places.iter().map(|&place| self.next_scores[place as usize]).collect();
        self.next_origins = places.iter().map(|&place| self.next_origins[place as usize]).collect();
    }

    /// The next layer is complete, and at hand.
    pub(crate) fn advance(&mut self) {
        std::mem::swap(&mut self.states, &mut self.next_states);
        std::mem::swap(&mut self.scores, &mut self.next_scores);
        self.next_states.clear();
        self.next_scores.clear();
        self.place.clear();
        let mut origins = std::mem::take(&mut self.next_origins);
        origins.shrink_to_fit();
        self.origin_bytes += origins.capacity() * size_of::<O>();
        self.origins.push(origins);
    }

    /// Where a state came from that was at hand after this many events and one more.
    pub(crate) fn origin(&self, event: usize, place: u32) -> O {
        self.origins[event][place as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<S>() + self.scores.capacity() * 8 + self.origin_bytes + self.next_bytes()
    }

    /// What the next layer takes, of which a part may be there twice for a moment when it grows.
    pub(crate) fn next_bytes(&self) -> usize {
        self.place.capacity() * (size_of::<(S, u32)>() + 1)
            + self.next_states.capacity() * size_of::<S>()
            + self.next_scores.capacity() * size_of::<i64>()
            + self.next_origins.capacity() * size_of::<O>()
    }
}

#[cfg(test)]
mod tests {
    use super::Scan;

    #[test]
    fn the_best_way_to_each_state_is_told() {
        // Numbers are taken or left; the state is the sum modulo 3, the score the sum of squares.
        let numbers = [4u32, 1, 5, 3, 2];
        let mut scan = Scan::new(0u32, 0);
        for number in numbers {
            for at in 0..scan.len() {
                let (state, score) = scan.state(at);
                scan.offer(state, score, (at as u32, false));
                scan.offer((state + number) % 3, score + i64::from(number * number), (at as u32, true));
            }
            scan.narrow(3, |_, score| score);
            scan.advance();
        }
        for at in 0..scan.len() {
            let (state, score) = scan.state(at);
            let best = (0..1u32 << numbers.len()).map(|mask| {
                let taken =
                    numbers.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).map(|(_, number)| number);
                (taken.clone().sum::<u32>() % 3, taken.map(|number| number * number).sum::<u32>())
            });
            let best = best.filter(|&(sum, _)| sum == state).map(|(_, squares)| squares).max();
            assert_eq!(Some(score), best.map(i64::from));
            let mut place = at as u32;
            let mut squares = 0;
            for (event, number) in numbers.iter().enumerate().rev() {
                let (before, taken) = scan.origin(event, place);
                squares += if taken { i64::from(number * number) } else { 0 };
                place = before;
            }
            assert_eq!(squares, score);
        }
    }

    #[test]
    fn the_most_promising_states_stay() {
        let mut scan = Scan::new(0u8, 0);
        for state in 0..6u8 {
            scan.offer(state, [3, 9, 3, 7, 1, 3][state as usize], state);
        }
        scan.narrow(3, |_, score| score);
        scan.advance();
        let kept: Vec<u8> = (0..scan.len()).map(|at| scan.state(at).0).collect();
        assert_eq!(kept, [0, 1, 3]);
        assert_eq!(scan.origin(0, 2), 3);
    }
}
