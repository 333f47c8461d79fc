//! Folding: hanging trees become prizes of the vertices where they hang.
//!
//! A vertex with one neighbour left can only be an end of a path, or next to nothing: its prize, plus the edge to the
//! neighbour, becomes a prize of the neighbour, and the paths that lie wholly in what was folded are compared on the spot.
//! Where edges are directed the same holds for a vertex without arcs in (first only) or out (last only), towards all its
//! neighbours.

use fixedbitset::FixedBitSet;

use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::sets::set_where;

pub(super) const NONE: u32 = u32::MAX;

/// A path found while folding: `first … from, to … last`, where the tail of `from` is final and that of `to` is as
/// it was then.
#[derive(Clone, Copy)]
pub(super) struct Folded {
    pub(super) value: i64,
    first_tail_start: u32,
    from: u32,
    to: u32,
    last_tail_start: u32,
}

pub(super) struct Fold<'a> {
    pub(super) instance: &'a Instance,
    pub(super) alive: FixedBitSet,
    /// Arcs out and in that are left; the same where undirected.
    pub(super) degrees: [Vec<u32>; 2],
    /// Prizes for being first and last.
    pub(super) prizes: [Vec<i64>; 2],
    pub(super) tails: [Vec<u32>; 2],
    pub(super) best: Option<Folded>,
}

impl<'a> Fold<'a> {
    pub(super) fn new(instance: &'a Instance) -> Self {
        let graph = &instance.graph;
        let n = graph.vertex_count();
        let vertices = 0..n as u32;
        let prizes = match &instance.ends {
            Ends::Open { first, last, .. } => [first.clone(), last.clone()],
            Ends::Closed { .. } => [vec![NOT_AN_END; n], vec![NOT_AN_END; n]],
        };
        let out = vertices.clone().map(|vertex| graph.out_arcs(vertex).len() as u32).collect();
        let into = vertices.map(|vertex| graph.in_arcs(vertex).len() as u32).collect();
        let tails = [vec![NONE; n], vec![NONE; n]];
        Fold { instance, alive: set_where(n, |_| true), degrees: [out, into], prizes, tails, best: None }
    }

    pub(super) fn directed(&self) -> bool {
        self.instance.graph.is_directed()
    }

    fn offer(&mut self, value: i64, from: u32, first_tail_start: u32, to: u32, last_tail_start: u32) {
        if value != NOT_AN_END && self.best.is_none_or(|best| value > best.value) {
            self.best = Some(Folded { value, first_tail_start, from, to, last_tail_start });
        }
    }

    /// Folds what hangs, until every vertex left has two neighbours (arcs in and arcs out).
    pub(super) fn run(&mut self) {
        let n = self.alive.len() as u32;
        if let Ends::Open { single_vertex: true, .. } = self.instance.ends {
            for vertex in 0..n {
                let (first, last) = (self.prizes[0][vertex as usize], self.prizes[1][vertex as usize]);
                self.offer(sum(first, 0, last), vertex, NONE, vertex, NONE);
            }
        }
        let mut queue: Vec<u32> = (0..n).filter(|&vertex| self.hangs(vertex)).collect();
        while let Some(vertex) = queue.pop() {
            if !self.alive[vertex as usize] {
                continue;
            }
            self.alive.remove(vertex as usize);
            let instance = self.instance;
            let (is_source, is_sink) = if self.directed() {
                (self.degrees[1][vertex as usize] == 0, self.degrees[0][vertex as usize] == 0)
            } else {
                (true, true)
            };
            // An arc that neither kind of folding follows can't exist: a source has no arcs in, a sink none out.
            for (arcs, out) in [(instance.graph.out_arcs(vertex), true), (instance.graph.in_arcs(vertex), false)] {
                for arc in arcs.iter().filter(|arc| self.alive[arc.target as usize]).collect::<Vec<_>>() {
                    let (to, weight) = (arc.target, instance.graph.weight(arc.edge));
                    // Both comparisons come first: a path may not meet this vertex from both its ends.
                    let (as_first, as_last) = (out && is_source, if self.directed() { !out } else { out } && is_sink);
                    for (end, applies) in [(0, as_first), (1, as_last)] {
                        if applies {
                            self.compare(vertex, to, weight, end);
                        }
                    }
                    for (end, applies) in [(0, as_first), (1, as_last)] {
                        if applies {
                            self.fold_into(vertex, to, weight, end);
                        }
                    }
                    if self.directed() || out {
                        self.degrees[usize::from(out)][to as usize] -= 1;
                    }
                    if !self.directed() && out {
                        self.degrees[0][to as usize] -= 1;
                    }
                }
            }
            for arc in instance.graph.out_arcs(vertex).iter().chain(instance.graph.in_arcs(vertex)) {
                if self.alive[arc.target as usize] && self.hangs(arc.target) {
                    queue.push(arc.target);
                }
            }
        }
    }

    fn hangs(&self, vertex: u32) -> bool {
        let (out, into) = (self.degrees[0][vertex as usize], self.degrees[1][vertex as usize]);
        if self.directed() { out == 0 || into == 0 } else { out <= 1 }
    }

    /// Compares the path that leads from the first (end 0) or last (1) vertex behind `vertex` over `to` to the other end
    /// known there.
    fn compare(&mut self, vertex: u32, to: u32, weight: i64, end: usize) {
        let gain = plus(self.prizes[end][vertex as usize], weight);
        let (near, far) = (self.tails[end][vertex as usize], self.tails[1 - end][to as usize]);
        let whole = sum(self.prizes[1 - end][to as usize], 0, gain);
        if end == 0 {
            self.offer(whole, vertex, near, to, far);
        } else {
            self.offer(whole, to, far, vertex, near);
        }
    }

    /// Folds a vertex's prize for being first (0) or last (1) into its neighbour.
    fn fold_into(&mut self, vertex: u32, to: u32, weight: i64, end: usize) {
        let gain = plus(self.prizes[end][vertex as usize], weight);
        // "Not an end" is the least of all numbers.
        if gain > self.prizes[end][to as usize] {
            self.prizes[end][to as usize] = gain;
            self.tails[end][to as usize] = vertex;
        }
    }

    /// Vertices with a part of their own to play: where there are only one or two ends, those, and what a cycle must visit.
    pub(super) fn pinned(&self) -> Vec<u32> {
        match &self.instance.ends {
            Ends::Open { .. } => self.prizes.iter().filter_map(|prizes| self.few_ends(prizes)).flatten().collect(),
            Ends::Closed { through } => through.iter().copied().collect(),
        }
    }

    /// The ends left, if they are two at most.
    fn few_ends(&self, prizes: &[i64]) -> Option<Vec<u32>> {
        let able = self.alive.ones().filter(|&vertex| prizes[vertex] != NOT_AN_END);
        let ends: Vec<u32> = able.map(|vertex| vertex as u32).take(3).collect();
        (ends.len() <= 2).then_some(ends)
    }

    /// Whether a path may end at the vertex.
    pub(super) fn may_end(&self, vertex: u32) -> bool {
        self.prizes.iter().any(|prizes| prizes[vertex as usize] != NOT_AN_END)
    }

    pub(super) fn unfold(&self, folded: &Folded) -> Vec<u32> {
        let beyond = |end: usize, start: u32| {
            let first = (start != NONE).then_some(start);
            first.into_iter().flat_map(move |start| std::iter::once(start).chain(tail(&self.tails[end], start)))
        };
        let mut path: Vec<u32> = beyond(0, folded.first_tail_start).collect();
        path.reverse();
        path.push(folded.from);
        if folded.to != folded.from {
            path.push(folded.to);
        }
        path.extend(beyond(1, folded.last_tail_start));
        path
    }
}

/// `prize + gain`, where the prize may be "not an end".
pub(super) fn plus(prize: i64, gain: i64) -> i64 {
    if prize == NOT_AN_END { NOT_AN_END } else { prize + gain }
}

/// `first + gain + last`, where both prizes may be "not an end".
fn sum(first: i64, gain: i64, last: i64) -> i64 {
    if last == NOT_AN_END { NOT_AN_END } else { plus(first, gain + last) }
}

pub(super) fn tail(next: &[u32], vertex: u32) -> impl Iterator<Item = u32> + '_ {
    let onward = move |&at: &u32| Some(next[at as usize]).filter(|&next| next != NONE);
    std::iter::successors(onward(&vertex), onward)
}
