//! The moves: joins, exchanges, and cuts.

use super::{Cover, NOBODY};
use crate::engines::local_search::sequence::Side;

/// A cut near an end is so many links away from it at most.
const NEAR: usize = 12;
/// How likely an exchange is that makes a vertex with two neighbours an end, beside another: such an end can only go back.
const STUCK: f64 = 0.05;

impl Cover<'_> {
    /// Links an end to an end of another path, if it has such a neighbour.
    pub(super) fn try_join(&mut self, end: u32) -> bool {
        let row = self.instance.graph.out_arcs(end);
        self.work += row.len() as u64 + 1;
        let from = self.below(row.len().max(1));
        for arc in row[from..].iter().chain(&row[..from]) {
            let other = arc.target;
            if self.is_end(other) && !self.are_linked(end, other) && !self.forest.are_together(end, other) {
                self.join(end, other);
                return true;
            }
        }
        false
    }

    /// Links the ends of two paths.
    pub(super) fn join(&mut self, a: u32, b: u32) {
        self.forest.splay(b);
        let side = if self.forest.size_beside(b, Side::Front) == 0 { Side::Front } else { Side::Back };
        self.hang(b, side, a);
        self.paths -= 1;
    }

    /// Links an end to a vertex inside a path and cuts a link there, if that is accepted. Returns the vertex that has become
    /// an end, unless that has been joined to another at once.
    pub(super) fn exchange(&mut self, end: u32) -> Option<u32> {
        let graph = &self.instance.graph;
        let row = graph.out_arcs(end);
        self.work += row.len() as u64 + 2;
        let mut chosen: Option<(f64, u32)> = None;
        for arc in row {
            let links = self.links[arc.target as usize];
            if self.is_end(arc.target) || links.contains(&end) {
                continue;
            }
            let is_stuck = |&link: &u32| (link as usize) >= graph.vertex_count() || graph.out_arcs(link).len() < 3;
            let odds = if links.iter().all(is_stuck) { STUCK } else { 1.0 };
            let lot = odds * self.unit();
            if chosen.is_none_or(|(most, _)| lot > most) {
                chosen = Some((lot, arc.target));
            }
        }
        let inner = chosen?.1;
        let size = self.forest.size(end);
        self.forest.splay(inner);
        if let Some(side) = self.forest.side_of_former_root(inner, end) {
            return self.rotate(end, inner, side);
        }
        let first = if self.below(2) == 0 { Side::Front } else { Side::Back };
        for side in [first, first.other()] {
            let Some(next) = self.cuttable(inner, side) else { continue };
            let gain = self.gain_of_exchange(end, size, inner, next, side);
            if self.accepts(gain) {
                self.cut(inner, side, next);
                self.hang(inner, side, end);
                return Some(next);
            }
        }
        [first, first.other()].into_iter().find(|&side| self.exchange_and_join(end, size, inner, side));
        None
    }

    /// Links an end to a vertex on its own path, at the root; the end lies on this side of it.
    fn rotate(&mut self, end: u32, inner: u32, side: Side) -> Option<u32> {
        let next = self.cuttable(inner, side)?;
        if self.uniform.is_none() {
            let gain = self.weight(end, inner) - self.weight(inner, next);
            if !self.accepts(gain) {
                return None;
            }
        }
        self.forest.turn(inner, side);
        self.unlink(inner, next);
        self.link(inner, end);
        Some(next)
    }

    /// An exchange that is made only if the new end can be joined to another at once, and both together are accepted.
    fn exchange_and_join(&mut self, end: u32, size: u32, inner: u32, side: Side) -> bool {
        self.forest.splay(inner);
        let Some(next) = self.cuttable(inner, side) else { return false };
        let row = self.instance.graph.out_arcs(next);
        self.work += row.len() as u64;
        if !row.iter().any(|arc| self.is_end(arc.target) && (arc.target != end || size == 1)) {
            return false;
        }
        let gain = self.gain_of_exchange(end, size, inner, next, side);
        self.cut(inner, side, next);
        self.hang(inner, side, end);
        for arc in row {
            let other = arc.target;
            if other == inner || !self.is_end(other) || self.forest.are_together(next, other) {
                continue;
            }
            let product = f64::from(self.forest.size(next)) * f64::from(self.forest.size(other));
            let gain = gain + self.weight(next, other) + self.bias * product;
            if self.accepts(gain) {
                self.join(next, other);
                return true;
            }
        }
        self.forest.splay(end);
        self.forest.splay(inner);
        let side = self.forest.side_of_former_root(inner, end).expect("they have just been linked");
        self.cut(inner, side, end);
        self.hang(inner, side, next);
        false
    }

    /// What it brings to link the end of a path of so many vertices to `inner`, at the root of another, and to cut that from
    /// `next`, on this side of it.
    fn gain_of_exchange(&self, end: u32, size: u32, inner: u32, next: u32, side: Side) -> f64 {
        let left = f64::from(self.forest.size_beside(inner, side));
        let won = f64::from(self.forest.size_beside(inner, side.other()) + 1);
        let weight = if self.uniform.is_some() { 0.0 } else { self.weight(end, inner) - self.weight(inner, next) };
        weight + self.bias * won * (f64::from(size) - left)
    }

    /// Proposes to cut a link near this end, or anywhere.
    pub(super) fn propose_cut(&mut self, end: u32) {
        if self.cut_odds == 0.0 || (self.uniform.is_some() && self.unit() >= self.cut_odds) {
            return;
        }
        let (mut inner, mut next) = (end, NOBODY);
        if self.below(2) == 0 {
            for _ in 0..=self.below(NEAR) {
                let [one, other] = self.links[inner as usize];
                let onward = if one == next { other } else { one };
                if onward as usize >= self.end_place.len() {
                    break;
                }
                (inner, next) = (onward, inner);
            }
        } else {
            inner = self.below(self.end_place.len()) as u32;
            let slot = self.below(2);
            next = self.links[inner as usize][slot];
        }
        if next as usize >= self.end_place.len() {
            return;
        }
        self.forest.splay(inner);
        let is_behind = self.forest.neighbour(inner, Side::Back) == Some(next);
        let side = if is_behind { Side::Back } else { Side::Front };
        let part = f64::from(self.forest.size_beside(inner, side));
        let rest = f64::from(self.forest.size_beside(inner, side.other()) + 1);
        let mut loss = self.bias * part * rest;
        if self.uniform.is_none() {
            loss += self.weight(inner, next);
        }
        if self.accepts(-loss) {
            self.cut(inner, side, next);
            self.paths += 1;
        }
    }

    fn accepts(&mut self, gain: f64) -> bool {
        gain >= 0.0 || (self.temperature > 0.0 && self.unit() < (gain / self.temperature).exp())
    }

    /// The neighbour of a root on this side, unless that link stays.
    fn cuttable(&mut self, root: u32, side: Side) -> Option<u32> {
        self.forest.neighbour(root, side).filter(|&next| (next as usize) < self.end_place.len())
    }

    /// Cuts a root from its neighbour on this side.
    fn cut(&mut self, root: u32, side: Side, next: u32) {
        self.forest.cut(root, side);
        self.unlink(root, next);
    }

    /// Links a root, where it has nothing on this side, to the end of another path.
    fn hang(&mut self, root: u32, side: Side, end: u32) {
        self.forest.hang(root, side, end);
        self.link(root, end);
        let size = self.forest.node(root).size;
        if size > self.main_size {
            (self.main, self.main_size) = (root, size);
        }
    }

    fn link(&mut self, a: u32, b: u32) {
        for (vertex, other) in [(a, b), (b, a)] {
            let links = &mut self.links[vertex as usize];
            let slot = usize::from(links[0] != NOBODY);
            debug_assert_eq!(links[slot], NOBODY);
            links[slot] = other;
            if !links.contains(&NOBODY) {
                let place = std::mem::replace(&mut self.end_place[vertex as usize], NOBODY);
                self.ends.swap_remove(place as usize);
                if let Some(&moved) = self.ends.get(place as usize) {
                    self.end_place[moved as usize] = place;
                }
            }
        }
    }

    fn unlink(&mut self, a: u32, b: u32) {
        for (vertex, other) in [(a, b), (b, a)] {
            let links = &mut self.links[vertex as usize];
            let slot = usize::from(links[0] != other);
            debug_assert_eq!(links[slot], other);
            links[slot] = NOBODY;
            if self.end_place[vertex as usize] == NOBODY {
                self.end_place[vertex as usize] = self.ends.len() as u32;
                self.ends.push(vertex);
            }
        }
    }
}
