//! Bounds by cut vertices, and by strong components: a path can't come back.
//!
//! What a path enters through a cut vertex it never leaves, so of the blocks of the unvisited graph it meets only those
//! along one way down the block-cut tree from its head; a directed path meets the strong components along one way of their
//! acyclic order. Both are found by one depth-first search (R. Tarjan, *Depth-first search and linear graph algorithms*,
//! SIAM J. Comput. 1(2), 1972, doi:10.1137/0201010), which adds up what the vertices of each block or component are worth
//! and takes the best way onward when it closes it.

use super::bits::Bits;
use crate::top_two::keep_top_two;

/// "There is no such way."
pub(super) const NONE: i64 = i64::MIN;

/// Depth-first search over at most 128 vertices, its memory kept between calls.
pub(super) struct Ways<B> {
    depth: Vec<u8>,
    low: Vec<u8>,
    /// The most that a path can still add when it stands at this vertex and has done with its block or component.
    onward: Vec<i64>,
    /// Vertices seen whose block or component is still open.
    open: Vec<u8>,
    trail: Vec<(u8, B)>,
}

/// What lies below the root of the block-cut tree, the current end or ends of the path.
#[derive(Clone, Copy)]
pub(super) struct FromRoot {
    /// The two best ways that begin in different blocks.
    pub(super) best: i64,
    pub(super) second: i64,
    /// The best two disjoint ways that begin in the same block.
    pub(super) pair: i64,
    /// The heaviest block.
    pub(super) block: i64,
}

impl<B: Bits> Ways<B> {
    pub(super) fn new(n: usize) -> Self {
        Ways {
            depth: vec![0; n],
            low: vec![0; n],
            onward: vec![NONE; n],
            open: Vec::with_capacity(n),
            trail: Vec::with_capacity(n),
        }
    }

    /// Ways through the blocks of `within` and a root adjacent to `beside`, in twice the length: what all blocks on the
    /// way are worth (`worth_of` bounds that for so many paths inside a block), and what ending is `worth` at the vertex
    /// where it ends ([`NONE`] where it may not).
    pub(super) fn blocks(
        &mut self,
        around: &[B],
        mut worth_of: impl FnMut(B, usize) -> i64,
        beside: B,
        within: B,
        worth: impl Fn(usize) -> i64,
    ) -> FromRoot {
        let mut root = FromRoot { best: NONE, second: NONE, pair: NONE, block: NONE };
        let mut fresh = within;
        let mut on_trail = B::default();
        loop {
            // The next child of the vertex at the end of the trail, or of the root.
            let parent = self.trail.last().map(|&(vertex, _)| usize::from(vertex));
            let candidates = parent.map_or(beside, |vertex| around[vertex]) & fresh;
            if !candidates.is_empty() {
                let vertex = candidates.least();
                fresh = fresh.without(vertex);
                let depth = self.trail.len() as u8 + 1;
                self.depth[vertex] = depth;
                let above = around[vertex] & on_trail;
                let low = above.members().map(|other| self.depth[other]).min().unwrap_or(depth);
                self.low[vertex] = if beside.has(vertex) { 0 } else { low };
                self.onward[vertex] = worth(vertex);
                self.open.push(vertex as u8);
                self.trail.push((vertex as u8, B::default()));
                on_trail |= B::only(vertex);
                continue;
            }
            let Some((child, _)) = self.trail.pop() else {
                return root;
            };
            let child = usize::from(child);
            on_trail = on_trail.without(child);
            let above = self.trail.last().map(|&(vertex, _)| usize::from(vertex));
            let depth_above = above.map_or(0, |vertex| self.depth[vertex]);
            if self.low[child] < depth_above {
                let above = above.expect("nothing is above the root");
                self.low[above] = self.low[above].min(self.low[child]);
                continue;
            }
            // The vertex above separates what is below it: a block closes.
            let (mut members, mut best, mut second) = (B::default(), NONE, NONE);
            loop {
                let member = usize::from(self.open.pop().expect("the child is open"));
                members |= B::only(member);
                let onward = self.onward[member];
                (best, second) = if onward > best { (onward, best) } else { (best, second.max(onward)) };
                if member == child {
                    break;
                }
            }
            let sum = worth_of(members, 1);
            let way = plus(sum, best);
            match above {
                Some(vertex) => self.onward[vertex] = self.onward[vertex].max(way),
                None => {
                    root.block = root.block.max(sum);
                    if second != NONE {
                        root.pair = root.pair.max(worth_of(members, 2) + best + second);
                    }
                    keep_top_two([&mut root.best, &mut root.second], way, |&way| way);
                }
            }
        }
    }

    /// The best way through the strong components of `within` along `rows`, from a vertex whose row is `beside`, in twice
    /// the length as above.
    pub(super) fn components(
        &mut self,
        rows: &[B],
        passing: &[i64],
        beside: B,
        within: B,
        worth: impl Fn(usize) -> i64,
    ) -> i64 {
        let mut best_way = NONE;
        let mut fresh = within;
        // Seen, its component still open.
        let mut unsettled = B::default();
        let mut seen_count = 0u8;
        for start in (beside & within).members() {
            if !fresh.has(start) {
                continue;
            }
            let mut next = Some(start);
            loop {
                if let Some(vertex) = next.take() {
                    fresh = fresh.without(vertex);
                    unsettled |= B::only(vertex);
                    self.depth[vertex] = seen_count;
                    self.low[vertex] = seen_count;
                    seen_count += 1;
                    self.open.push(vertex as u8);
                    self.trail.push((vertex as u8, rows[vertex] & within));
                }
                let Some((vertex, untried)) = self.trail.last_mut() else {
                    break;
                };
                let vertex = usize::from(*vertex);
                let unseen = *untried & fresh;
                if !unseen.is_empty() {
                    next = Some(unseen.least());
                    continue;
                }
                for other in (*untried & unsettled).members() {
                    self.low[vertex] = self.low[vertex].min(self.low[other]);
                }
                self.trail.pop();
                if self.low[vertex] < self.depth[vertex] {
                    continue;
                }
                // A component closes; all that it leads to is closed already.
                let (mut sum, mut best, mut members) = (0, NONE, B::default());
                loop {
                    let member = usize::from(self.open.pop().expect("the component is open"));
                    members |= B::only(member);
                    if member == vertex {
                        break;
                    }
                }
                unsettled = unsettled & !members;
                for member in members.members() {
                    sum += passing[member];
                    best = best.max(worth(member));
                    let leaving = rows[member] & within & !members;
                    best = leaving.members().map(|target| self.onward[target]).fold(best, i64::max);
                }
                let way = plus(sum, best);
                for member in members.members() {
                    self.onward[member] = way;
                }
            }
        }
        for start in (beside & within).members() {
            best_way = best_way.max(self.onward[start]);
        }
        best_way
    }
}

/// The sum of two worths, of which either may be [`NONE`].
pub(super) fn plus(one: i64, other: i64) -> i64 {
    if one == NONE || other == NONE { NONE } else { one + other }
}
