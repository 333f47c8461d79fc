//! The path under search and the moves that change it.
//!
//! A *move* proposes a change, prices it, and is made if [`State::accepts`] the price. At an end `e` of the path:
//! - *extend* to a neighbour off the path;
//! - *retract*: drop `e`;
//! - *rotate* (L. Pósa, *Hamiltonian circuits in random graphs*, Discrete Mathematics 14 (1976) 359–364): add the edge
//!   from `e` to a vertex `v` of the path, drop the path's edge at `v` on the side of `e`, whose other end is the new end;
//! - directed, where nothing can be turned round, *exchange*: with `u` before `v` and an arc `u → b` to a later vertex
//!   `b` with `a` before it, `… u v … a b … e` becomes `… u b … e v … a`;
//! - *reopen*: add the edge from `e` to a vertex near the other end, drop what lies beyond it, and open the cycle
//!   elsewhere, by preference where a vertex off the path can be reached.
//!
//! Inside, *detour*: a short random walk off the path from one vertex of it to another (or to nowhere, at a free end)
//! replaces the stretch between them.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::sequence::{Sequence, Side};
use super::shape::{Shape, worth};
use crate::search::{Ends, NOT_AN_END, Piece};
use crate::view::Arc;

/// A detour is at most this long.
const LONGEST_DETOUR: usize = 48;
/// How many vertices beyond a chord are given up at most to close a cycle.
const LONGEST_TRIM: usize = 24;
/// Where edges have different weights, detours replace at most this many of them.
const LONGEST_REPLACED: usize = 96;
/// How many arcs of an end are looked at for a way off the path.
const MOST_SCANNED: usize = 64;
/// Below this many vertices a better path is always copied at once.
const ALWAYS_COPIED: usize = 1 << 11;

/// A path, what it is worth, and the means to change it.
pub(super) struct State<'a, S> {
    piece: &'a Piece,
    pub(super) shape: Shape,
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
    pub(super) temperature: f64,
    rng: Pcg64Mcg,
    /// At each end, the vertex that was just cut off from it.
    shunned: [u32; 2],

    pub(super) best: Vec<u32>,
    /// The value of `best`.
    pub(super) best_value: Option<i64>,
    /// The value of the path itself, if it counts and is better than `best`.
    unsaved: Option<i64>,
    copied_at: u64,
    work: u64,

    /// The value of the path once its ends are linked, for a shape that wants this and where they can be.
    closed: Option<i64>,
    /// What takes the latest changes back, while an excursion is under way.
    journal: Vec<Change>,
    journaling: bool,
    /// The vertices that the replacements in the journal dropped.
    dropped: Vec<u32>,

    detour: Vec<u32>,
    /// `in_detour[v] == detours` if the current detour visits `v`.
    in_detour: Vec<u32>,
    detours: u32,
}

/// Nobody is shunned.
const NOBODY: u32 = u32::MAX;

impl<'a, S: Sequence> State<'a, S> {
    pub(super) fn new(piece: &'a Piece, scale: f64, seed: u64) -> Self {
        let n = piece.graph.vertex_count();
        let weights = piece.graph.edges().iter().map(|edge| edge.weight);
        let uniform = weights.clone().min().filter(|&least| weights.max() == Some(least));
        let fragile = match &piece.ends {
            Ends::Open { first, last, .. } => first.iter().chain(last).any(|&prize| prize == NOT_AN_END),
            Ends::Closed { .. } => true,
        };
        State {
            piece,
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
            dropped: Vec::new(),
            detour: Vec::with_capacity(LONGEST_DETOUR),
            in_detour: vec![0; n],
            detours: 0,
        }
    }

    /// Bytes that a state holds.
    pub(super) fn bytes(vertex_count: usize) -> usize {
        S::bytes(vertex_count) + vertex_count * 5 * size_of::<u32>()
    }

    pub(super) fn work(&self) -> u64 {
        self.work + self.path.work()
    }

    /// The better of the best path saved and the present one.
    pub(super) fn value(&self) -> Option<i64> {
        self.unsaved.or(self.best_value)
    }

    /// Takes up a path of the shape.
    pub(super) fn load(&mut self, shape: Shape, vertices: &[u32]) {
        self.save();
        self.shape = shape;
        self.path.load(vertices);
        self.off.clear();
        for vertex in 0..self.piece.graph.vertex_count() as u32 {
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
    pub(super) fn step(&mut self) {
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
    pub(super) fn save(&mut self) {
        if let Some(value) = self.unsaved.take() {
            self.path.store(&mut self.best);
            self.shape.straighten(&mut self.best, self.piece);
            self.best_value = Some(value);
            self.copied_at = self.work();
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        ((u64::from(self.rng.next_u32()) * bound as u64) >> 32) as usize
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
            let edge = self.piece.graph.edge_between(a, b).expect("neighbours on the path are adjacent");
            self.piece.graph.weight(edge)
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
            Side::Back => self.piece.graph.out_arcs(vertex),
            Side::Front => self.piece.graph.in_arcs(vertex),
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
        worth(self.piece, front, back).unwrap_or(-self.penalty)
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
            let earned = match (&self.piece.ends, self.shape.bridge) {
                (Ends::Open { first, last, .. }, Some((t, s))) => first[s as usize] + last[t as usize],
                _ => 0,
            };
            let closing = self.shape.closing_weight(self.piece, front, back, self.path.len());
            self.closed = closing.map(|weight| self.length + weight + earned);
            self.closed
        } else {
            self.closed = None;
            let is_path = front != back || matches!(self.piece.ends, Ends::Open { lone: true, .. });
            worth(self.piece, front, back).filter(|_| is_path).map(|worth| self.length + worth)
        };
        self.unsaved = value.filter(|&value| self.best_value.is_none_or(|known| value > known));
    }

    /// Opens a cycle at a random link, moves its ends until they can be linked again at an acceptable price, and takes
    /// everything back if they can't within `depth` proposals.
    pub(super) fn is_uniform(&self) -> bool {
        self.uniform.is_some()
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed.is_some()
    }

    pub(super) fn excursion(&mut self, depth: usize, inner: f64) {
        let outer = self.temperature;
        self.save();
        let Some(base) = self.closed else { return };
        self.journal.clear();
        self.dropped.clear();
        let before = self.length;
        let len = self.path.len();
        let opening = match self.gate() {
            Some(gate) if self.below(4) != 0 => gate,
            _ => self.below(len),
        };
        self.journaling = true;
        if opening + 1 < len {
            let (a, b) = (self.path.at(opening), self.path.at(opening + 1));
            if self.shape.is_bridge(a, b) {
                self.journaling = false;
                return;
            }
            let (front, back) = (self.end(Side::Front), self.end(Side::Back));
            let growth = self.shape.closing_weight(self.piece, front, back, len).unwrap_or(0) - self.link(a, b);
            self.exchange(0, opening + 1, len);
            self.changed(self.length + growth);
        }
        let mut seen = self.journal.len();
        for _ in 0..depth {
            self.work += 4;
            self.temperature = inner;
            let side = if self.below(2) == 0 { Side::Front } else { Side::Back };
            self.propose_at_end(side);
            if self.journal.len() != seen {
                seen = self.journal.len();
                self.temperature = outer;
                if let Some(value) = self.closed
                    && self.accepts(value - base)
                {
                    self.journaling = false;
                    return;
                }
            }
        }
        self.take_back();
        self.changed(before);
    }

    fn take_back(&mut self) {
        self.journaling = false;
        while let Some(change) = self.journal.pop() {
            match change {
                Change::Pushed(side) => self.pop(side),
                Change::Popped(side, vertex) => self.push(side, vertex),
                Change::Reversed { from, to } => self.path.reverse(from, to),
                Change::Exchanged { from, middle, to } => self.path.exchange(from, from + to - middle, to),
                Change::Replaced { from, by, replaced } => {
                    for rank in from..from + by {
                        let vertex = self.path.at(rank);
                        self.join_off(vertex);
                    }
                    let kept = self.dropped.len() - replaced;
                    for place in kept..self.dropped.len() {
                        self.leave_off(self.dropped[place]);
                    }
                    self.path.replace(from, from + by, &self.dropped[kept..]);
                    self.dropped.truncate(kept);
                }
            }
        }
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

    fn exchange(&mut self, from: usize, middle: usize, to: usize) {
        self.path.exchange(from, middle, to);
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

    fn propose_at_end(&mut self, side: Side) {
        let end = self.end(side);
        let shunned = std::mem::replace(&mut self.shunned[side as usize], NOBODY);
        let row = self.arcs(side, end);
        if row.is_empty() {
            return self.propose_retraction(side, end);
        }
        if let Some(arc) = self.way_off(row, shunned)
            && self.below(8) != 0
        {
            return self.propose_extension(side, arc);
        }
        let choice = self.below(row.len() + usize::from(self.piece.graph.is_directed()));
        let Some(&arc) = row.get(choice) else {
            return self.propose_retraction(side, end);
        };
        if arc.target == shunned {
            return;
        }
        if !self.path.contains(arc.target) {
            return self.propose_extension(side, arc);
        }
        let rank = self.path.rank(arc.target);
        let (inside, beyond) = match side {
            Side::Back => (self.path.len() - 1 - rank, rank),
            Side::Front => (rank, self.path.len() - 1 - rank),
        };
        if inside == 1 {
            if !self.piece.graph.is_directed() {
                self.propose_retraction(side, end);
            }
        } else if beyond <= LONGEST_TRIM && self.shape.may_move(side.other()) && self.below(2) == 0 {
            self.propose_reopening(side, arc, beyond);
        } else if self.piece.graph.is_directed() {
            self.propose_exchange(side, arc);
        } else {
            self.propose_rotation(side, arc);
        }
    }

    /// A random arc of the row that leads off the path, if there is one.
    fn way_off(&mut self, row: &[Arc], shunned: u32) -> Option<Arc> {
        if self.off.is_empty() {
            return None;
        }
        let from = self.below(row.len());
        let scanned = row.len().min(MOST_SCANNED);
        self.work += scanned as u64 / 4;
        let onward = row[from..].iter().chain(&row[..from]).take(scanned);
        onward.copied().find(|arc| arc.target != shunned && !self.path.contains(arc.target))
    }

    fn propose_extension(&mut self, side: Side, arc: Arc) {
        let weight = self.piece.graph.weight(arc.edge);
        let gain = weight + self.worth_with(side, arc.target) - self.worth_now();
        if self.decide(gain) {
            self.push(side, arc.target);
            self.changed(self.length + weight);
        }
    }

    fn propose_retraction(&mut self, side: Side, end: u32) {
        if self.path.len() < 2 || self.shape.must_stay(end) {
            return;
        }
        let next = match side {
            Side::Front => self.path.at(1),
            Side::Back => self.path.at(self.path.len() - 2),
        };
        let weight = self.link_towards(side, next, end);
        let worth = if self.path.len() == 2 { self.priced_worth(next, next) } else { self.worth_with(side, next) };
        if self.decide(worth - self.worth_now() - weight) {
            self.pop(side);
            self.shunned[side as usize] = end;
            self.changed(self.length - weight);
        }
    }

    fn propose_rotation(&mut self, side: Side, arc: Arc) {
        let pivot = arc.target;
        let rank = self.path.rank(pivot);
        let len = self.path.len();
        let end = self.path.at(if side == Side::Back { rank + 1 } else { rank - 1 });
        if self.shape.is_bridge(pivot, end) {
            return;
        }
        let growth = self.piece.graph.weight(arc.edge) - self.link_towards(side, pivot, end);
        let gain = growth + self.worth_with(side, end) - self.worth_now();
        if self.decide(gain) {
            match side {
                Side::Back => self.reverse(rank + 1, len),
                Side::Front => self.reverse(0, rank),
            }
            self.shunned[side as usize] = pivot;
            self.changed(self.length + growth);
        }
    }

    /// Adds the chord `arc` from the end on `side`, drops the `beyond` vertices on its other side, and opens the cycle
    /// that is left.
    fn propose_reopening(&mut self, side: Side, arc: Arc, beyond: usize) {
        let len = self.path.len();
        let (from, to) = if side == Side::Back { (beyond, len) } else { (0, len - beyond) };
        let trimmed = if beyond == 0 {
            Some(0)
        } else {
            let (gone_from, gone_to) = if side == Side::Back { (0, beyond) } else { (to - 1, len - 1) };
            let stays = self.end(side.other());
            if self.shape.must_stay(stays) { None } else { self.stretch(gone_from, gone_to) }
        };
        let Some(trimmed) = trimmed else { return };
        if to - from < 3 {
            return;
        }
        // Where to open: after the vertex of this rank.
        let opening = match self.gate() {
            Some(gate) if (from..to).contains(&gate) => gate,
            _ => from + self.below(to - from),
        };
        let weight = self.piece.graph.weight(arc.edge);
        let growth = if opening == to - 1 {
            -trimmed
        } else {
            let (a, b) = (self.path.at(opening), self.path.at(opening + 1));
            if self.shape.is_bridge(a, b) {
                return;
            }
            weight - trimmed - self.link(a, b)
        };
        let (front, back) = if opening == to - 1 {
            (self.path.at(from), self.path.at(to - 1))
        } else {
            (self.path.at(opening + 1), self.path.at(opening))
        };
        let gain = growth + self.priced_worth(front, back) - self.worth_now();
        if self.decide(gain) {
            for _ in 0..beyond {
                self.pop(side.other());
            }
            if opening != to - 1 {
                self.exchange(0, opening + 1 - from, to - from);
            }
            self.changed(self.length + growth);
        }
    }

    /// The rank of a vertex next to one off the path, if a random look finds one.
    fn gate(&mut self) -> Option<usize> {
        if self.off.is_empty() {
            return None;
        }
        let place = self.below(self.off.len());
        let row = self.arcs(Side::Front, self.off[place]);
        if row.is_empty() {
            return None;
        }
        let gate = row[self.below(row.len())].target;
        self.path.contains(gate).then(|| self.path.rank(gate))
    }

    fn propose_exchange(&mut self, side: Side, arc: Arc) {
        let len = self.path.len();
        let pivot = self.path.rank(arc.target);
        // The vertex left behind by the cut at the pivot, and a vertex within the cycle that it is adjacent to.
        let cut = match side {
            Side::Back if pivot > 0 => pivot - 1,
            Side::Front if pivot + 1 < len => pivot + 1,
            _ => return,
        };
        let (left, v) = (self.path.at(cut), arc.target);
        if self.shape.is_bridge(left, v) {
            return;
        }
        let row = self.arcs(side, left);
        if row.is_empty() {
            return;
        }
        let bond = row[self.below(row.len())];
        if bond.target == v || !self.path.contains(bond.target) {
            return;
        }
        let joint = self.path.rank(bond.target);
        // The cycle is opened between `bond.target` and the vertex before it, seen from the end.
        let (inner, within) = match side {
            Side::Back => (joint.wrapping_sub(1), joint > pivot),
            Side::Front => (joint + 1, joint < pivot),
        };
        if !within {
            return;
        }
        let end = self.path.at(inner);
        if self.shape.is_bridge(end, bond.target) {
            return;
        }
        let weight = |arc: Arc| self.piece.graph.weight(arc.edge);
        let lost = self.link_towards(side, left, v) + self.link_towards(side, end, bond.target);
        let growth = weight(arc) + weight(bond) - lost;
        let gain = growth + self.worth_with(side, end) - self.worth_now();
        if self.decide(gain) {
            match side {
                Side::Back => self.exchange(pivot, joint, len),
                Side::Front => self.exchange(0, inner, pivot + 1),
            }
            self.changed(self.length + growth);
        }
    }

    /// The weight of the path from one rank to another, or `None` if nothing there may be dropped.
    fn stretch(&mut self, from: usize, to: usize) -> Option<i64> {
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

    pub(super) fn propose_detour(&mut self) {
        if self.off.is_empty() {
            return;
        }
        let place = self.below(self.off.len());
        let first = self.off[place];
        let row = self.arcs(Side::Front, first);
        if row.is_empty() {
            return;
        }
        let entry = row[self.below(row.len())];
        if !self.path.contains(entry.target) {
            return;
        }
        let origin = self.path.rank(entry.target);
        self.work += 4;
        self.detours = self.detours.checked_add(1).unwrap_or_else(|| {
            self.in_detour.fill(0);
            1
        });
        self.detour.clear();
        let mut weight = self.piece.graph.weight(entry.edge);
        let mut vertex = first;
        let mut best: Option<Replacement> = None;
        loop {
            self.detour.push(vertex);
            self.in_detour[vertex as usize] = self.detours;
            let row = self.piece.graph.out_arcs(vertex);
            self.work += 2 + row.len().min(MOST_SCANNED) as u64;
            let from = self.below(row.len().max(1));
            let mut onward = None;
            for &arc in row[from..].iter().chain(&row[..from]).take(MOST_SCANNED) {
                if self.path.contains(arc.target) {
                    let weight = weight + self.piece.graph.weight(arc.edge);
                    self.weigh_return(&mut best, origin, arc.target, weight);
                } else if self.in_detour[arc.target as usize] != self.detours {
                    onward = onward.or(Some(arc));
                }
            }
            self.weigh_tail(&mut best, origin, weight);
            let Some(arc) = onward else { break };
            if self.detour.len() == LONGEST_DETOUR || self.below(16) == 0 {
                break;
            }
            weight += self.piece.graph.weight(arc.edge);
            vertex = arc.target;
        }
        if let Some(best) = best
            && self.decide(best.gain)
        {
            self.replace(&best);
        }
    }

    /// Considers the detour from rank `origin` back to a vertex of the path.
    fn weigh_return(&mut self, best: &mut Option<Replacement>, origin: usize, target: u32, weight: i64) {
        let rank = self.path.rank(target);
        let backwards = rank < origin;
        if rank == origin || (backwards && self.piece.graph.is_directed()) {
            return;
        }
        let (from, to) = (origin.min(rank), origin.max(rank));
        if let Some(lost) = self.stretch(from, to) {
            let growth = weight - lost;
            if best.as_ref().is_none_or(|best| growth > best.gain) {
                let steps = self.detour.len();
                *best = Some(Replacement { from: from + 1, to, steps, backwards, gain: growth, growth });
            }
        }
    }

    /// Considers the detour from rank `origin` as a new end of the path.
    fn weigh_tail(&mut self, best: &mut Option<Replacement>, origin: usize, weight: i64) {
        let len = self.path.len();
        let &end = self.detour.last().expect("a detour visits a vertex");
        for side in [Side::Back, Side::Front] {
            let directed = self.piece.graph.is_directed();
            let (from, to) = if side == Side::Back { (origin, len - 1) } else { (0, origin) };
            if self.shape.closing
                || !self.shape.may_move(side)
                || (directed && side == Side::Front)
                || to - from > LONGEST_REPLACED
            {
                continue;
            }
            let gone = self.end(side);
            if from < to && self.shape.must_stay(gone) {
                continue;
            }
            let lost = if from == to { Some(0) } else { self.stretch(from, to) };
            let Some(lost) = lost else { continue };
            let growth = weight - lost;
            // With a single vertex left both ends are at stake.
            let gain = growth + self.worth_with(side, end) - self.worth_now();
            if best.as_ref().is_none_or(|best| gain > best.gain) {
                let steps = self.detour.len();
                let (from, to) = if side == Side::Back { (origin + 1, len) } else { (0, origin) };
                *best = Some(Replacement { from, to, steps, backwards: side == Side::Front, gain, growth });
            }
        }
    }

    fn replace(&mut self, replacement: &Replacement) {
        let &Replacement { from, to, steps, backwards, growth, .. } = replacement;
        self.detour.truncate(steps);
        if backwards {
            self.detour.reverse();
        }
        for rank in from..to {
            let vertex = self.path.at(rank);
            self.join_off(vertex);
            if self.journaling {
                self.dropped.push(vertex);
            }
        }
        self.note(Change::Replaced { from, by: steps, replaced: to - from });
        for step in 0..steps {
            self.leave_off(self.detour[step]);
        }
        self.path.replace(from, to, &self.detour);
        self.changed(self.length + growth);
    }
}

/// A change of the path, with what it takes to undo it.
enum Change {
    Pushed(Side),
    Popped(Side, u32),
    Reversed {
        from: usize,
        to: usize,
    },
    Exchanged {
        from: usize,
        middle: usize,
        to: usize,
    },
    /// So many vertices from this rank on replaced others, which are kept elsewhere.
    Replaced {
        from: usize,
        by: usize,
        replaced: usize,
    },
}

/// Ranks `from..to` give way to the first `steps` vertices of the detour.
struct Replacement {
    from: usize,
    to: usize,
    steps: usize,
    backwards: bool,
    gain: i64,
    growth: i64,
}
