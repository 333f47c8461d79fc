//! The nodes that are still to be looked into, and which of them is the next.
//!
//! The node with the greatest bound should be: no other order looks into fewer. But the program goes on from where the last node
//! left it, and that may be far away; so where the best answer is close to the bound, and nearly all nodes must be looked into anyway,
//! the last node that was put aside is the next one. Only those whose bound is the next better value come after all others: one
//! better answer, and none of them need be looked into.

use std::collections::BinaryHeap;

use super::cases::Node;

/// The best answer is close where it lacks no more than one part in so many of the bound.
const CLOSE: i64 = 300;

/// Whether an answer is as close to a bound as that.
pub(crate) fn is_close(lower: i64, upper: i64) -> bool {
    upper.saturating_sub(lower).saturating_mul(CLOSE) <= upper.saturating_abs()
}

#[derive(Clone, Default)]
pub(crate) struct Open {
    by_bound: BinaryHeap<Node>,
    /// Those put aside since the answer was close, the next one last.
    nearby: Vec<Node>,
    is_close: bool,
    /// Those whose bound is no more than this come after the others. Without others, any may come.
    last: Option<i64>,
}

impl Open {
    /// Takes note of how far the best answer is from the bound.
    pub(super) fn see(&mut self, lower: i64, upper: i64) {
        let next = lower.saturating_add(1);
        self.is_close = is_close(lower, upper);
        if !self.is_close {
            self.by_bound.extend(self.nearby.drain(..));
        }
        self.last = (self.is_close && self.bound().is_some_and(|bound| bound > next)).then_some(next);
    }

    /// Whether a node of this bound is to come after others.
    pub(super) fn is_last(&self, bound: i64) -> bool {
        self.last.is_some_and(|last| bound <= last)
    }

    pub(crate) fn push(&mut self, node: Node) {
        if self.is_close && !self.is_last(node.bound) { self.nearby.push(node) } else { self.by_bound.push(node) }
    }

    pub(crate) fn pop(&mut self) -> Option<Node> {
        self.nearby.pop().or_else(|| self.by_bound.pop())
    }

    /// The one that would be the last of all.
    pub(crate) fn pop_first(&mut self) -> Option<Node> {
        self.by_bound.pop().or_else(|| (!self.nearby.is_empty()).then(|| self.nearby.remove(0)))
    }

    /// Puts aside what is of no hurry.
    pub(crate) fn extend_later(&mut self, nodes: Option<Node>) {
        self.by_bound.extend(nodes);
    }

    /// The greatest bound.
    pub(super) fn bound(&self) -> Option<i64> {
        self.by_bound.peek().into_iter().chain(&self.nearby).map(|node| node.bound).max()
    }

    pub(crate) fn len(&self) -> usize {
        self.by_bound.len() + self.nearby.len()
    }

    pub(crate) fn clear(&mut self) {
        self.by_bound.clear();
        self.nearby.clear();
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Node> {
        self.by_bound.iter().chain(&self.nearby)
    }

    /// Takes all out, in no order.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Node> {
        self.by_bound.drain().chain(self.nearby.drain(..))
    }
}

impl Extend<Node> for Open {
    fn extend<I: IntoIterator<Item = Node>>(&mut self, nodes: I) {
        nodes.into_iter().for_each(|node| self.push(node));
    }
}

impl FromIterator<Node> for Open {
    fn from_iter<I: IntoIterator<Item = Node>>(nodes: I) -> Self {
        Open { by_bound: nodes.into_iter().collect(), ..Open::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(bound: i64) -> Node {
        Node { fixed: Vec::new(), bound, branched: None }
    }

    #[test]
    fn far_from_the_bound_the_greatest_is_next_and_close_to_it_the_last() {
        let mut open = Open::from_iter([node(3), node(7)]);
        open.see(0, 7);
        open.push(node(5));
        assert_eq!(open.pop().map(|node| node.bound), Some(7));
        open.see(999, 1_000);
        open.extend([node(9), node(4)]);
        assert_eq!((open.len(), open.bound()), (4, Some(9)));
        assert_eq!(open.pop().map(|node| node.bound), Some(4));
        open.see(0, 1_000);
        let order: Vec<i64> = std::iter::from_fn(|| open.pop()).map(|node| node.bound).collect();
        assert_eq!(order, [9, 5, 3]);
    }

    #[test]
    fn those_of_the_next_better_value_come_last() {
        let mut open = Open::from_iter([node(1_001), node(1_003)]);
        open.see(1_000, 1_003);
        assert!(open.is_last(1_001) && !open.is_last(1_002));
        open.extend([node(1_002), node(1_001)]);
        assert_eq!(open.pop().map(|node| node.bound), Some(1_002));
        assert_eq!(open.pop().map(|node| node.bound), Some(1_003));
        open.see(1_000, 1_001);
        assert!(!open.is_last(1_001), "there are no others");
        assert_eq!(open.len(), 2);
        assert!(std::iter::from_fn(|| open.pop()).all(|node| node.bound == 1_001));
    }
}
