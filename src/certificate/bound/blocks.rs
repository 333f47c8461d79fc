//! Parts that hang together at single vertices, as the blocks of a graph do.
//!
//! # The argument
//! Let every edge lie in a part, and let each part hang from one of its vertices, its *parent*, such that a vertex is not
//! the parent in at most one part, its *home*, and that what hangs below comes first. Then the parts make a forest, two of
//! them share at most one vertex, and whoever leaves a part through a vertex comes back through the same one. A path
//! doesn't. So a path has one segment in each part it has edges in, and one of these parts is the topmost:
//! - either the segment there has both ends among the vertices other than the parent. It is no longer than *inside*, and
//!   from its ends a tail each goes down into parts that hang there: different vertices, and so different parts.
//! - or the path is two tails that meet in a vertex, and go down into different parts that hang there; one of them, or
//!   both, may be empty.
//!
//! A tail into a part is a segment from its parent to another vertex, and a tail from there. As to *inside*: a path enters
//! each of its vertices but the first by an edge, and leaves each but the last by one, so a segment is no longer than the
//! sum of the heaviest edges into (out of) the vertices that it may enter (leave), heavier than 0 or not counted. What the
//! witness of the part proves holds beside that. A cycle lies in one part altogether.
//!
//! The block-cut tree: F. Harary and G. Prins, The block-cutpoint-tree of a graph, *Publ. Math. Debrecen* 13, 1966.

use super::top_two::TopTwo;
use super::{Ground, Part, UNKNOWN, WitnessFlaw};
use crate::certificate::Claim;

/// No part.
const NONE: usize = usize::MAX;

impl Ground {
    /// The most that a path (or cycle) of the kind claimed can be worth, by the argument above; `None` if there is none.
    pub(super) fn bound_by_parts(
        &self,
        claim: &Claim<usize>,
        parts: &[Part<usize>],
    ) -> Result<Option<i128>, WitnessFlaw> {
        let home = self.homes(parts)?;
        let lines_of = self.lines_of(parts, &home)?;
        let mut insides = Insides {
            ground: self,
            claim,
            lines_of: &lines_of,
            gain: vec![[0; 2]; self.is_there.len()],
            local: vec![UNKNOWN; self.is_there.len()],
        };
        let mut best: Option<i128> = None;
        if claim.closed {
            for (at, part) in parts.iter().enumerate() {
                let holds_it = claim.from.is_none_or(|through| part.nodes.contains(&through));
                let may_close = part.nodes.len() > if self.directed { 1 } else { 2 };
                if holds_it && may_close {
                    best = best.max(insides.of(at, part)?.anywhere);
                }
            }
            return Ok(best);
        }

        let may_be = |fixed: Option<usize>, vertex| fixed.is_none_or(|fixed| fixed == vertex);
        let empty = |fixed, vertex| (self.knows(vertex) && may_be(fixed, vertex)).then_some(0);
        let vertices = 0..self.is_there.len();
        // The best tails that begin at or below a vertex and end there, and that begin there and end at or below.
        let mut to: Vec<Option<i128>> = vertices.clone().map(|vertex| empty(claim.from, vertex)).collect();
        let mut from: Vec<Option<i128>> = vertices.clone().map(|vertex| empty(claim.to, vertex)).collect();
        for vertex in vertices {
            best = best.max(joined(to[vertex], from[vertex], 0));
        }
        for (at, part) in parts.iter().enumerate() {
            let inside = insides.of(at, part)?;
            let (parent, others) = (part.nodes[0], &part.nodes[1..]);
            if let Some(anywhere) = inside.anywhere {
                let top = |tails: &[Option<i128>]| TopTwo::of(others.iter().map(|&vertex| (tails[vertex], vertex)));
                let (begins, ends) = (top(&to), top(&from));
                best = best.max(begins.beside(&ends).map(|tails| tails + anywhere));
                let tail_to = begins.best.map(|(tail, _)| tail + inside.to_parent.min(anywhere));
                let tail_from = ends.best.map(|(tail, _)| tail + inside.from_parent.min(anywhere));
                best = best.max(joined(to[parent], tail_from, 0)).max(joined(tail_to, from[parent], 0));
                to[parent] = to[parent].max(tail_to);
                from[parent] = from[parent].max(tail_from);
            }
        }
        Ok(best)
    }

    /// By vertex, the part in which it is not the parent.
    fn homes(&self, parts: &[Part<usize>]) -> Result<Vec<usize>, WitnessFlaw> {
        let mut home = vec![NONE; self.is_there.len()];
        for (at, part) in parts.iter().enumerate() {
            let unfit = || WitnessFlaw::Part(at);
            let (&parent, others) = part.nodes.split_first().ok_or_else(unfit)?;
            if !self.knows(parent) || home[parent] != NONE {
                return Err(unfit());
            }
            for &vertex in others {
                if !self.knows(vertex) || home[vertex] != NONE || vertex == parent {
                    return Err(unfit());
                }
                home[vertex] = at;
            }
        }
        Ok(home)
    }

    /// For each part the positions of the edges in it.
    fn lines_of(&self, parts: &[Part<usize>], home: &[usize]) -> Result<Vec<Vec<u32>>, WitnessFlaw> {
        let mut lines_of = vec![Vec::new(); parts.len()];
        for (position, &(source, target, _)) in (0u32..).zip(&self.lines) {
            let hangs_from =
                |vertex: usize, other: usize| home[vertex] != NONE && parts[home[vertex]].nodes[0] == other;
            let part = if hangs_from(target, source) || (home[source] == home[target] && home[source] != NONE) {
                home[target]
            } else if hangs_from(source, target) {
                home[source]
            } else {
                return Err(WitnessFlaw::Apart);
            };
            lines_of[part].push(position);
        }
        Ok(lines_of)
    }
}

/// Two tails and what lies between them.
fn joined(to: Option<i128>, from: Option<i128>, between: i128) -> Option<i128> {
    Some(to? + between + from?)
}

/// How long a segment in a part can be.
struct Inside {
    /// From its parent to another vertex, and back.
    from_parent: i128,
    to_parent: i128,
    /// Between any two vertices, or the longest cycle; `None` if there is no path (cycle) at all.
    anywhere: Option<i128>,
}

/// The bounds within the parts, with the room to work them out in.
struct Insides<'a> {
    ground: &'a Ground,
    claim: &'a Claim<usize>,
    lines_of: &'a [Vec<u32>],
    /// What entering a vertex adds at most in the part at hand, and what leaving it does; else 0.
    gain: Vec<[i128; 2]>,
    /// The number of a vertex in the part at hand, else [`UNKNOWN`].
    local: Vec<usize>,
}

impl Insides<'_> {
    fn of(&mut self, at: usize, part: &Part<usize>) -> Result<Inside, WitnessFlaw> {
        for &position in &self.lines_of[at] {
            let (source, target, weight) = self.ground.lines[position as usize];
            self.offer(source, target, i128::from(weight));
            if !self.ground.directed {
                self.offer(target, source, i128::from(weight));
            }
        }
        let gains = part.nodes.iter().map(|&vertex| self.gain[vertex]);
        let sum = gains.clone().fold([0; 2], |sum, gain| [sum[0] + gain[0], sum[1] + gain[1]]);
        let least = gains.reduce(|least, gain| [least[0].min(gain[0]), least[1].min(gain[1])]).unwrap_or([0; 2]);
        let parent = self.gain[part.nodes[0]];
        for &vertex in &part.nodes {
            self.gain[vertex] = [0; 2];
        }
        // A cycle enters and leaves every vertex.
        let spared = if self.claim.closed { [0; 2] } else { least };
        let by_gains = (sum[0] - spared[0]).min(sum[1] - spared[1]);
        let anywhere = match &part.inside {
            None => Some(by_gains),
            Some(removal) => {
                let vertex_count = part.nodes.len();
                for (number, &vertex) in part.nodes.iter().enumerate() {
                    self.local[vertex] = number;
                }
                let local = |vertex: usize| self.local.get(vertex).copied().unwrap_or(UNKNOWN);
                let mut lines: Vec<_> = self.lines_of[at]
                    .iter()
                    .map(|&position| {
                        let (source, target, weight) = self.ground.lines[position as usize];
                        let turned = !self.ground.directed && local(source) > local(target);
                        let (source, target) = if turned { (target, source) } else { (source, target) };
                        (local(source), local(target), weight)
                    })
                    .collect();
                lines.sort_unstable();
                let is_there = (0..vertex_count).collect();
                let ground = Ground { directed: self.ground.directed, is_there, lines };
                let claim = Claim {
                    from: self.claim.from.filter(|_| self.claim.closed).map(local),
                    to: None,
                    closed: self.claim.closed,
                };
                let proved = ground.bound_by_removal(&claim, &removal.map(|&vertex| local(vertex)));
                for &vertex in &part.nodes {
                    self.local[vertex] = UNKNOWN;
                }
                let proved = proved.map_err(|flaw| WitnessFlaw::Inside(at, Box::new(flaw)))?;
                proved.map(|proved| proved.min(by_gains))
            }
        };
        Ok(Inside { from_parent: sum[0] - parent[0], to_parent: sum[1] - parent[1], anywhere })
    }

    /// An edge in the part at hand.
    fn offer(&mut self, source: usize, target: usize, weight: i128) {
        self.gain[target][0] = self.gain[target][0].max(weight);
        self.gain[source][1] = self.gain[source][1].max(weight);
    }
}
