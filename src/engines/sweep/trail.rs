//! The rule of trails: no edge twice, vertices as often as they come.
//!
//! A set of edges can be walked in one go exactly if they hang together and no vertex but the ends is left by another number
//! of them than it is entered by (undirected: has an odd number of them): L. Euler, *Solutio problematis ad geometriam situs
//! pertinentis*, 1741; with directions C. Hierholzer, 1873. So a state knows of each frontier vertex to which component of
//! the edges taken it belongs, and its *balance*. A given first vertex counts as entered once from outside, a given last as
//! left once; then every given end is balanced, and the free ones are counted as they leave.

use hashbrown::HashMap;

use super::optimum::Cost;
use super::script::{NEVER, Script};
use super::{Next, Rule, STEPS_BETWEEN_LOOKS};
use crate::instance::Budget;
use crate::solution::Stop;

/// Which trails count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ends {
    pub(crate) from: Option<u32>,
    pub(crate) to: Option<u32>,
    /// The trail comes back to where it began, at `from` if that is given.
    pub(crate) closed: bool,
}

/// Trails with these ends. The script keeps parallel edges apart.
pub(crate) struct Trails<'a, const N: usize> {
    script: &'a Script,
    directed: bool,
    ends: Ends,
    gain_left: Vec<i64>,
    /// How many ends are free: where directed, at the beginning and at the end of the trail.
    free: [u8; 2],
    /// The layers in which given vertices enter: nothing is complete before.
    musts_enter: usize,
}

/// The state of the frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Components<const N: usize> {
    /// 0 without an edge; else the component, numbered by its first slot.
    labels: [u8; N],
    /// Arcs out less arcs in; undirected: whether the number of edges is odd.
    balances: [i8; N],
    /// Free ends that have left.
    made: [u8; 2],
    /// Whether any edge is taken.
    begun: bool,
}

/// A state without its components: what the [relaxation](Relaxation) knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Balances<const N: usize> {
    balances: [i8; N],
    made: [u8; 2],
}

/// Degrees up to this many fit a balance.
pub(crate) const MOST_DEGREE: usize = 120;

impl<'a, const N: usize> Trails<'a, N> {
    /// The rule; `None` if a given end has no edge.
    pub(crate) fn new(script: &'a Script, directed: bool, ends: Ends) -> Option<Self> {
        let given = || ends.from.iter().chain(&ends.to);
        let entries: Vec<u32> = given().map(|&vertex| script.stays[vertex as usize][0]).collect();
        if entries.contains(&NEVER) {
            return None;
        }
        let mut gain_left = vec![0; script.layers.len() + 1];
        for (at, layer) in script.layers.iter().enumerate().rev() {
            gain_left[at] = gain_left[at + 1] + layer.options[0].weight.max(0);
        }
        let [first, last] = [u8::from(ends.from.is_none()), u8::from(ends.to.is_none())];
        let free = match (ends.closed, directed) {
            (true, _) => [0, 0],
            (false, true) => [first, last],
            (false, false) => [first + last, 0],
        };
        let musts_enter = entries.iter().max().map_or(0, |&last| last as usize);
        Some(Trails { script, directed, ends, gain_left, free, musts_enter })
    }

    /// What the ends of the trail add to a vertex's balance, and whether they make it one of the trail's.
    fn given(&self, vertex: u32) -> (i8, bool) {
        let (first, last) = (self.ends.from == Some(vertex), self.ends.to == Some(vertex));
        let balance = match (self.ends.closed, self.directed) {
            (true, _) => 0,
            (false, true) => i8::from(last) - i8::from(first),
            (false, false) => i8::from(last) ^ i8::from(first),
        };
        (balance, first || last)
    }

    /// The balances after an edge from `a` to `b`.
    fn balance(&self, balances: &mut [i8; N], a: usize, b: usize) {
        if a == b {
            return;
        }
        if self.directed {
            balances[a] += 1;
            balances[b] -= 1;
        } else {
            balances[a] ^= 1;
            balances[b] ^= 1;
        }
    }

    /// A vertex leaves with this balance: balanced, or as a free end of the trail.
    fn make_end(&self, made: &mut [u8; 2], balance: i8) -> Option<()> {
        let end = match balance {
            0 => return Some(()),
            1 => 0,
            -1 => 1,
            _ => return None,
        };
        made[end] += 1;
        (made[end] <= self.free[end]).then_some(())
    }
}

impl<const N: usize> Trails<'_, N> {
    /// What a decision makes of a state without components, and what it gains.
    fn relaxed_step(&self, layer: usize, choice: usize, state: &Balances<N>) -> Option<(Balances<N>, i64)> {
        let script = &self.script.layers[layer];
        let mut next = *state;
        for &(slot, vertex) in &script.enter {
            next.balances[usize::from(slot)] = self.given(vertex).0;
        }
        let mut gain = 0;
        if choice > 0 {
            let [a, b] = script.ends.map(usize::from);
            self.balance(&mut next.balances, a, b);
            gain = script.options[0].weight;
        }
        for &(slot, _) in &script.leave {
            let balance = std::mem::take(&mut next.balances[usize::from(slot)]);
            self.make_end(&mut next.made, balance)?;
        }
        Some((next, gain))
    }
}

impl<const N: usize> Rule for Trails<'_, N> {
    type State = Components<N>;

    fn layers(&self) -> usize {
        self.script.layers.len()
    }

    fn choices(&self, _layer: usize) -> usize {
        2
    }

    fn start(&self) -> (Components<N>, i64) {
        (Components { labels: [0; N], balances: [0; N], made: [0, 0], begun: false }, 0)
    }

    fn step(&self, layer: usize, choice: usize, state: &Components<N>) -> Next<Components<N>> {
        let script = &self.script.layers[layer];
        let mut next = *state;
        let mut fresh = N as u8;
        for &(slot, vertex) in &script.enter {
            let (balance, visited) = self.given(vertex);
            next.balances[usize::from(slot)] = balance;
            fresh += 1;
            next.labels[usize::from(slot)] = if visited { fresh } else { 0 };
        }
        let mut gain = 0;
        if choice > 0 {
            let [a, b] = script.ends.map(usize::from);
            self.balance(&mut next.balances, a, b);
            let (one, two) = (next.labels[a], next.labels[b]);
            match (one, two) {
                (0, 0) => (next.labels[a], next.labels[b]) = (fresh + 1, fresh + 1),
                (0, _) => next.labels[a] = two,
                (_, 0) => next.labels[b] = one,
                _ => next.labels.iter_mut().filter(|label| **label == two).for_each(|label| *label = one),
            }
            gain = script.options[0].weight;
            next.begun = true;
        }
        for &(slot, _) in &script.leave {
            let slot = usize::from(slot);
            if self.make_end(&mut next.made, next.balances[slot]).is_none() {
                return Next::Dead;
            }
            let label = std::mem::take(&mut next.labels[slot]);
            next.balances[slot] = 0;
            if label != 0 && !next.labels.contains(&label) {
                // The component has nothing more to come; so it is all, or it is lost.
                let alone = next.begun && layer >= self.musts_enter && next.labels.iter().all(|&label| label == 0);
                return if alone { Next::Done(gain) } else { Next::Dead };
            }
        }
        canonical(&mut next.labels);
        Next::On(next, gain)
    }

    fn gain_left(&self, layer: usize) -> i64 {
        self.gain_left[layer]
    }
}

/// Numbers the components by their first slots.
fn canonical<const N: usize>(labels: &mut [u8; N]) {
    let mut names = [0u8; u8::MAX as usize + 1];
    for (slot, label) in labels.iter_mut().enumerate().filter(|(_, label)| **label != 0) {
        let name = &mut names[usize::from(*label)];
        if *name == 0 {
            *name = slot as u8 + 1;
        }
        *label = *name;
    }
}

/// What every state can still gain if the edges need not hang together: the heaviest set of edges with the right balances
/// (undirected, all edges but a lightest T-join). Exact for that, and so a bound.
pub(crate) struct Relaxation<const N: usize> {
    /// By layer what a state before it can gain.
    layers: Vec<HashMap<Balances<N>, i64>>,
}

impl<const N: usize> Relaxation<N> {
    /// Goes through all states without components; `None` if they are too many for this share of the memory.
    pub(crate) fn new(
        rule: &Trails<'_, N>,
        share: usize,
        budget: &Budget,
        cost: &mut Cost,
    ) -> Result<Option<Self>, Stop> {
        let start = Balances { balances: [0; N], made: [0, 0] };
        let mut layers: Vec<HashMap<Balances<N>, i64>> = vec![HashMap::from_iter([(start, i64::MIN)])];
        let entry = size_of::<(Balances<N>, i64)>() * 2;
        let mut held = 0;
        for layer in 0..rule.layers() {
            let mut next: HashMap<Balances<N>, i64> = HashMap::new();
            for (count, state) in layers[layer].keys().enumerate() {
                for choice in 0..2 {
                    if let Some((state, _)) = rule.relaxed_step(layer, choice, state) {
                        next.insert(state, i64::MIN);
                    }
                }
                if count.is_multiple_of(STEPS_BETWEEN_LOOKS as usize)
                    && let Some(stop) = budget.spent()
                {
                    return Err(stop);
                }
                if held + next.len() * entry > share {
                    return Ok(None);
                }
            }
            cost.steps += 2 * layers[layer].len() as u64;
            held += next.len() * entry;
            cost.peak_bytes = cost.peak_bytes.max(held);
            layers.push(next);
        }
        for value in layers[rule.layers()].values_mut() {
            *value = 0;
        }
        for layer in (0..rule.layers()).rev() {
            let (before, after) = layers.split_at_mut(layer + 1);
            for (state, value) in &mut before[layer] {
                let rests = (0..2).filter_map(|choice| {
                    let (next, gain) = rule.relaxed_step(layer, choice, state)?;
                    after[0].get(&next).filter(|&&rest| rest != i64::MIN).map(|rest| rest + gain)
                });
                *value = rests.max().unwrap_or(i64::MIN);
            }
            if let Some(stop) = budget.spent() {
                return Err(stop);
            }
        }
        Ok(Some(Relaxation { layers }))
    }

    /// The worth of the best set of edges; `None` if there is none.
    pub(crate) fn bound(&self) -> Option<i64> {
        self.layers[0].values().next().copied().filter(|&value| value != i64::MIN)
    }

    /// What a state before this layer can still gain at most.
    pub(crate) fn rest(&self, layer: usize, state: &Components<N>) -> Option<i64> {
        let state = Balances { balances: state.balances, made: state.made };
        self.layers[layer].get(&state).copied().filter(|&value| value != i64::MIN)
    }
}
