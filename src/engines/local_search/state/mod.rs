//! The path under search and the moves that change it.
//!
//! A *move* proposes a change, prices it, and is made if [`State::accepts`] the price. At an end `e` of the path:
//! - *extend* to a neighbour off the path;
//! - *retract*: drop `e`;
//! - *rotate* (L. Pósa, *Hamiltonian circuits in random graphs*, Discrete Mathematics 14 (1976) 359–364): add the edge
//!   from `e` to a vertex `v` of the path, drop the path's edge at `v` on the side of `e`, whose other end is the new end;
//! - directed, where nothing can be turned round, *shared_bounds*: with `u` before `v` and an arc `u → b` to a later vertex
//!   `b` with `a` before it, `… u v … a b … e` becomes `… u b … e v … a`;
//! - *reopen*: add the edge from `e` to a vertex near the other end, drop what lies beyond it, and open the cycle
//!   elsewhere, by preference where a vertex off the path can be reached.
//!
//! Inside, *detour*: a short random walk off the path from one vertex of it to another (or to nowhere, at a free end)
//! replaces the segment between them.

mod detour;
mod ends;
mod excursion;
#[cfg(test)]
mod tests;

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::random;
use super::sequence::{Sequence, Side};
use super::shape::{Shape, worth};
use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::view::Arc;

/// A detour is at most this long.
const LONGEST_DETOUR: usize = 48;
/// Where edges have different weights, detours replace at most this many of them.
const LONGEST_REPLACED: usize = 96;
/// How many arcs of an end are looked at for a way off the path.
const MOST_SCANNED: usize = 64;
/// Below this many vertices a better path is always copied at once.
const ALWAYS_COPIED: usize = 1 << 11;

/// A path, what it is worth, and the means to change it.
pub(in crate::engines::local_search) struct State<'a, S> {
    instance: &'a Instance,
    pub(in crate::engines::local_search) shape: Shape,
    path: S,
    /// The vertices off the path, and where in that list each is.
    off: Vec<u32>,
    off_place: Vec<u32>,
    /// The weight along the path; the bridge weighs nothing.
    length: i64,
    /// The length, and what the ends are worth, as the search prices it.
    price: i64,
    /// What a forbidden end costs.
    penalty: i64,
    /// The weight of every edge, if it is the same for all.
    uniform: Option<i64>,
    /// Whether a move can make a counted path an uncounted one without losing in price.
    fragile: bool,
    pub(in crate::engines::local_search) temperature: f64,
    rng: Pcg64Mcg,
    /// At each end, the vertex that was just cut off from it.
    shunned: [u32; 2],

    pub(in crate::engines::local_search) best: Vec<u32>,
    /// The value of `best`.
    pub(in crate::engines::local_search) best_value: Option<i64>,
    /// The value of the path itself, if it counts and is better than `best`.
    unsaved: Option<i64>,
    copied_at: u64,
    work: u64,

    /// The value of the path once its ends are linked, for a shape that wants this and where they can be.
    closed: Option<i64>,
    /// What takes the latest changes back, while an excursion is under way.
    journal: Vec<Change>,
    journaling: bool,

    detour: Vec<u32>,
    /// `in_detour[v] == detours` if the current detour visits `v`.
    in_detour: Vec<u32>,
    detours: u32,
}

/// Nobody is shunned.
const NOBODY: u32 = u32::MAX;

impl<'a, S: Sequence> State<'a, S> {
    pub(in crate::engines::local_search) fn new(instance: &'a Instance, scale: f64, seed: u64) -> Self {
        let n = instance.graph.vertex_count();
        let weights = instance.graph.edges().iter().map(|edge| edge.weight);
        let uniform = weights.clone().min().filter(|&least| weights.max() == Some(least));
        let fragile = match &instance.ends {
            Ends::Open { first, last, .. } => first.iter().chain(last).any(|&prize| prize == NOT_AN_END),
            Ends::Closed { .. } => true,
        };
        State {
            instance,
            shape: Shape::LOOSE,
            path: S::new(n),
            off: Vec::with_capacity(n),
            off_place: vec![0; n],
            length: 0,
            price: 0,
            penalty: (2.0 * scale).ceil() as i64,
            uniform,
            fragile,
            temperature: 0.0,
            rng: Pcg64Mcg::seed_from_u64(seed),
            shunned: [NOBODY; 2],
            best: Vec::new(),
            best_value: None,
            unsaved: None,
            copied_at: 0,
            work: 0,
            closed: None,
            journal: Vec::new(),
            journaling: false,
            detour: Vec::with_capacity(LONGEST_DETOUR),
            in_detour: vec![0; n],
            detours: 0,
        }
    }

    /// Bytes that a state holds.
    pub(in crate::engines::local_search) fn bytes(vertex_count: usize) -> usize {
        S::bytes(vertex_count) + vertex_count * 5 * size_of::<u32>()
    }

    pub(in crate::engines::local_search) fn work(&self) -> u64 {
        self.work + self.path.work()
    }

    /// The better of the best path saved and the present one.
    pub(in crate::engines::local_search) fn value(&self) -> Option<i64> {
        self.unsaved.or(self.best_value)
    }

    /// Takes up a path of the shape.
    pub(in crate::engines::local_search) fn load(&mut self, shape: Shape, vertices: &[u32]) {
        self.save();
        self.shape = shape;
        self.path.load(vertices);
        self.off.clear();
        for vertex in 0..self.instance.graph.vertex_count() as u32 {
            if !self.path.contains(vertex) {
                self.off_place[vertex as usize] = self.off.len() as u32;
                self.off.push(vertex);
            }
        }
        self.length = vertices.windows(2).map(|pair| self.link(pair[0], pair[1])).sum();
        self.price = self.length + self.priced_worth(vertices[0], vertices[vertices.len() - 1]);
        self.shunned = [NOBODY; 2];
        self.work += vertices.len() as u64;
        self.recognise();
    }

    /// Proposes one move.
    pub(in crate::engines::local_search) fn step(&mut self) {
        self.work += 4;
        let roll = self.below(8);
        if roll < 2 && !self.off.is_empty() {
            self.propose_detour();
        } else {
            let side = if roll & 1 == 0 { Side::Front } else { Side::Back };
            let side = if self.shape.may_move(side) { side } else { side.other() };
            self.propose_at_end(side);
        }
    }

    /// Copies the path if it is better than the best one.
    pub(in crate::engines::local_search) fn save(&mut self) {
        if let Some(value) = self.unsaved.take() {
            self.path.store(&mut self.best);
            self.shape.straighten(&mut self.best, self.instance);
            self.best_value = Some(value);
            self.copied_at = self.work();
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        random::below(&mut self.rng, bound)
    }

    fn accepts(&mut self, gain: i64) -> bool {
        if gain >= 0 {
            return true;
        }
        if self.temperature <= 0.0 {
            return false;
        }
        let odds = (gain as f64 / self.temperature).exp();
        f64::from(self.rng.next_u32()) < odds * f64::from(u32::MAX)
    }

    /// The weight of the path's link from `a` on to `b`.
    fn link(&self, a: u32, b: u32) -> i64 {
        if self.shape.is_bridge(a, b) {
            return 0;
        }
        self.uniform.unwrap_or_else(|| {
            let edge = self.instance.graph.edge_between(a, b).expect("neighbours on the path are adjacent");
            self.instance.graph.weight(edge)
        })
    }

    /// The link between two neighbours on the path that lie so that `outer` is nearer to the `side`.
    fn link_towards(&self, side: Side, inner: u32, outer: u32) -> i64 {
        match side {
            Side::Back => self.link(inner, outer),
            Side::Front => self.link(outer, inner),
        }
    }

    fn arcs(&self, side: Side, vertex: u32) -> &'a [Arc] {
        match side {
            Side::Back => self.instance.graph.out_arcs(vertex),
            Side::Front => self.instance.graph.in_arcs(vertex),
        }
    }

    fn end(&mut self, side: Side) -> u32 {
        match side {
            Side::Front => self.path.at(0),
            Side::Back => self.path.at(self.path.len() - 1),
        }
    }

    /// What the ends add to the price.
    fn priced_worth(&self, front: u32, back: u32) -> i64 {
        if self.shape.closing {
            return 0;
        }
        worth(self.instance, front, back).unwrap_or(-self.penalty)
    }

    /// What the ends would add with the end on one side moved.
    fn worth_with(&mut self, side: Side, end: u32) -> i64 {
        let other = self.end(side.other());
        match side {
            Side::Front => self.priced_worth(end, other),
            Side::Back => self.priced_worth(other, end),
        }
    }

    fn worth_now(&self) -> i64 {
        self.price - self.length
    }

    /// Whether a move of this gain is to be made; saves the path first if it would be lost.
    fn decide(&mut self, gain: i64) -> bool {
        if !self.accepts(gain) {
            return false;
        }
        if self.unsaved.is_some() && (gain < 0 || self.fragile) {
            // On long paths copying may cost no more than searching does; until it may, nothing is given away.
            let len = self.path.len();
            if len <= ALWAYS_COPIED || self.work() - self.copied_at >= len as u64 {
                self.save();
            } else if gain < 0 {
                return false;
            }
        }
        true
    }

    /// To be called after every change: notes the new length, and whether the path counts and is the best so far.
    fn changed(&mut self, length: i64) {
        let (front, back) = (self.end(Side::Front), self.end(Side::Back));
        self.length = length;
        self.price = length + self.priced_worth(front, back);
        self.recognise();
    }

    fn recognise(&mut self) {
        let (front, back) = (self.end(Side::Front), self.end(Side::Back));
        let value = if self.shape.closing {
            let earned = match (&self.instance.ends, self.shape.bridge) {
                (Ends::Open { first, last, .. }, Some((t, s))) => first[s as usize] + last[t as usize],
                _ => 0,
            };
            let closing = self.shape.closing_weight(self.instance, front, back, self.path.len());
            self.closed = closing.map(|weight| self.length + weight + earned);
            self.closed
        } else {
            self.closed = None;
            let is_path = front != back || matches!(self.instance.ends, Ends::Open { single_vertex: true, .. });
            worth(self.instance, front, back).filter(|_| is_path).map(|worth| self.length + worth)
        };
        self.unsaved = value.filter(|&value| self.best_value.is_none_or(|known| value > known));
    }

    /// Opens a cycle at a random link, moves its ends until they can be linked again at an acceptable price, and takes
    /// everything back if they can't within `depth` proposals.
    pub(in crate::engines::local_search) fn uniform(&self) -> Option<i64> {
        self.uniform
    }

    pub(in crate::engines::local_search) fn is_closed(&self) -> bool {
        self.closed.is_some()
    }

    fn note(&mut self, change: Change) {
        if self.journaling {
            self.journal.push(change);
        }
    }

    fn reverse(&mut self, from: usize, to: usize) {
        self.path.reverse(from, to);
        self.note(Change::Reversed { from, to });
    }

    fn shared_bounds(&mut self, from: usize, middle: usize, to: usize) {
        self.path.shared_bounds(from, middle, to);
        self.note(Change::Exchanged { from, middle, to });
    }

    fn push(&mut self, side: Side, vertex: u32) {
        self.path.push(side, vertex);
        self.leave_off(vertex);
        self.note(Change::Pushed(side));
    }

    fn pop(&mut self, side: Side) {
        let vertex = self.path.pop(side);
        self.join_off(vertex);
        self.note(Change::Popped(side, vertex));
    }

    fn leave_off(&mut self, vertex: u32) {
        let place = self.off_place[vertex as usize] as usize;
        self.off.swap_remove(place);
        if let Some(&moved) = self.off.get(place) {
            self.off_place[moved as usize] = place as u32;
        }
    }

    fn join_off(&mut self, vertex: u32) {
        self.off_place[vertex as usize] = self.off.len() as u32;
        self.off.push(vertex);
    }

    /// The weight of the path from one rank to another, or `None` if nothing there may be dropped.
    fn segment(&mut self, from: usize, to: usize) -> Option<i64> {
        let core = [self.shape.through, self.shape.bridge.map(|ends| ends.0), self.shape.bridge.map(|ends| ends.1)];
        for vertex in core.into_iter().flatten() {
            let rank = self.path.rank(vertex);
            if from < rank && rank < to {
                return None;
            }
        }
        if to == from + 1 {
            let (a, b) = (self.path.at(from), self.path.at(to));
            if self.shape.is_bridge(a, b) {
                return None;
            }
        }
        if let Some(weight) = self.uniform {
            return Some(weight * (to - from) as i64);
        }
        if to - from > LONGEST_REPLACED {
            return None;
        }
        self.work += 2 * (to - from) as u64;
        let mut sum = 0;
        let mut a = self.path.at(from);
        for rank in from + 1..=to {
            let b = self.path.at(rank);
            sum += self.link(a, b);
            a = b;
        }
        Some(sum)
    }
}

/// A change of the path, with what it takes to undo it.
enum Change {
    Pushed(Side),
    Popped(Side, u32),
    Reversed { from: usize, to: usize },
    Exchanged { from: usize, middle: usize, to: usize },
}
