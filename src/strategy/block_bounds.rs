//! What the parts of a block-cut forest could be worth at most, before anything in them is solved.
//!
//! Entering a vertex adds no more than its best arc, so a segment through a block adds no more than the sum over its
//! vertices. One sweep up the forest bounds the tails below every vertex, one sweep down bounds what a path can earn
//! beside a given block; the two together say which blocks can't matter.

use crate::instance::{Ends, Instance};
use crate::reduce::blocks::{BlockForest, NO_BLOCK};

use super::tails::{Tail, Tails};

pub(super) struct BlockBounds {
    /// What entering a vertex, along whichever of its arcs and in whichever direction, can add at most.
    gains: Vec<i64>,
    /// For every block a bound on the tails through it at its parent.
    down: Vec<i64>,
    /// For every vertex bounds on the tails below it, and on what a path can earn above it, through its home block.
    below: Tails,
    above: Vec<i64>,
    whole: i64,
    /// For every block what is known of paths within it, if anything is.
    inside: Vec<i64>,
}

/// Less than any real bound, and far enough from the least integer to be added to.
const NOTHING: i64 = i64::MIN / 4;

impl BlockBounds {
    /// Of what the weights say alone.
    pub(super) fn new(instance: &Instance, forest: &BlockForest) -> Self {
        Self::knowing(vec![i64::MAX; forest.len()], instance, forest)
    }

    /// `inside` bounds for every block the paths within it.
    pub(super) fn knowing(inside: Vec<i64>, instance: &Instance, forest: &BlockForest) -> Self {
        let Ends::Open { first, last, .. } = &instance.ends else { unreachable!("a closed piece has no tails") };
        let graph = &instance.graph;
        let n = graph.vertex_count();
        let mut gains = vec![0i64; n];
        for edge in graph.edges() {
            for end in [edge.source, edge.target] {
                gains[end as usize] = gains[end as usize].max(edge.weight);
            }
        }
        let prizes: Vec<i64> = first.iter().zip(last).map(|(&first, &last)| first.max(last).max(NOTHING)).collect();
        let mut block_bounds = BlockBounds {
            gains,
            down: Vec::with_capacity(forest.len()),
            below: Tails::new(&prizes),
            above: vec![NOTHING; n],
            whole: NOTHING,
            inside,
        };
        for block in 0..forest.len() as u32 {
            block_bounds.look_below(block, forest);
        }
        for block in (0..forest.len() as u32).rev() {
            block_bounds.look_above(block, forest);
        }
        for vertex in 0..n as u32 {
            let best = block_bounds.below.best(vertex);
            let beside = block_bounds
                .below
                .best_through_another(vertex, best.block)
                .value
                .max(block_bounds.above[vertex as usize]);
            block_bounds.whole =
                block_bounds.whole.max(best.value.max(block_bounds.above[vertex as usize]).saturating_add(beside));
        }
        block_bounds
    }

    fn look_below(&mut self, block: u32, forest: &BlockForest) {
        let members = forest.block(block);
        let tail = members[1..].iter().map(|&vertex| self.below.best(vertex).value).max().unwrap_or(NOTHING);
        let gains: i64 = members[1..].iter().map(|&vertex| self.gains[vertex as usize]).sum();
        let value = tail.saturating_add(gains.min(self.inside[block as usize])).max(NOTHING);
        self.down.push(value);
        self.below.add(members[0], Tail { value, block });
    }

    fn look_above(&mut self, block: u32, forest: &BlockForest) {
        let members = forest.block(block);
        let at_parent = self.elsewhere(members[0], block);
        let earns = |vertex: u32| if vertex == members[0] { at_parent } else { self.below.best(vertex).value };
        // The best and the second best place to go on to, so that each vertex can have the best beside itself.
        let (mut best, mut second) = ((NOTHING, NO_BLOCK), NOTHING);
        for &vertex in members {
            let earned = earns(vertex);
            if earned > best.0 {
                second = best.0;
                best = (earned, vertex);
            } else {
                second = second.max(earned);
            }
        }
        let gains = self.gains_inside(members).min(self.inside[block as usize]);
        for &vertex in &members[1..] {
            let beside = if vertex == best.1 { second } else { best.0 };
            self.above[vertex as usize] = beside.saturating_add(gains).max(NOTHING);
        }
    }

    /// No path is worth more than this.
    pub(super) fn whole(&self) -> i64 {
        self.whole
    }

    /// No tail through the block, at its parent, is worth more than this.
    pub(super) fn down(&self, block: u32) -> i64 {
        self.down[block as usize]
    }

    /// Beside a tail through this block, a path can earn no more than this at the block's parent.
    pub(super) fn elsewhere(&self, parent: u32, block: u32) -> i64 {
        self.below.best_through_another(parent, block).value.max(self.above[parent as usize])
    }

    /// A segment within these vertices adds no more than this: all but its first are entered.
    pub(super) fn gains_inside(&self, members: &[u32]) -> i64 {
        let gains = members.iter().map(|&vertex| self.gains[vertex as usize]);
        let (sum, least) = gains.fold((0, i64::MAX), |(sum, least), gain| (sum + gain, least.min(gain)));
        sum - least.min(sum)
    }
}
