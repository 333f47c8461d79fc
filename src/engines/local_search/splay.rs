//! A path too long for an array: a [splay tree](super::forest) whose in-order is the path.

use super::forest::{Forest, Node};
use super::sequence::{Sequence, Side};

/// A sequence in a splay tree.
pub(super) struct SplayTree {
    forest: Forest,
    root: u32,
}

impl SplayTree {
    /// The node at a rank within a tree, brought to its root.
    #[inline]
    fn find(&mut self, root: u32, mut rank: usize) -> u32 {
        let mut node = root;
        loop {
            self.forest.settle(node);
            let [left, right] = self.forest.node(node).children;
            let before = self.forest.node(left).size as usize;
            if rank < before {
                node = left;
            } else if rank == before {
                break;
            } else {
                rank -= before + 1;
                node = right;
            }
        }
        self.forest.splay(node);
        node
    }

    /// Cuts a tree in front of a rank.
    fn split(&mut self, root: u32, rank: usize) -> (u32, u32) {
        if rank == 0 {
            return (self.forest.none(), root);
        }
        if rank == self.forest.node(root).size as usize {
            return (root, self.forest.none());
        }
        let right = self.find(root, rank);
        let left = self.forest.node(right).children[0];
        self.forest.cut(right, Side::Front);
        (left, right)
    }

    /// Joins two trees in this order.
    fn join(&mut self, left: u32, right: u32) -> u32 {
        if left == self.forest.none() {
            return right;
        }
        if right == self.forest.none() {
            return left;
        }
        let root = self.find(left, self.forest.node(left).size as usize - 1);
        self.forest.node_mut(root).children[1] = right;
        self.forest.node_mut(right).parent = root;
        self.forest.count(root);
        root
    }

    /// A balanced tree of these vertices.
    fn build(&mut self, vertices: &[u32]) -> u32 {
        let middle_of = |from: usize, to: usize| vertices[(from + to) / 2];
        // Stretches still to be built, each with the node above.
        let mut open = vec![(0, vertices.len(), self.forest.none())];
        while let Some((from, to, parent)) = open.pop() {
            if from == to {
                continue;
            }
            let middle = (from + to) / 2;
            let node = vertices[middle];
            let left = if from < middle { middle_of(from, middle) } else { self.forest.none() };
            let right = if middle + 1 < to { middle_of(middle + 1, to) } else { self.forest.none() };
            *self.forest.node_mut(node) =
                Node { children: [left, right], parent, size: (to - from) as u32, reversed: false };
            open.push((from, middle, node));
            open.push((middle + 1, to, node));
        }
        self.forest.work += vertices.len() as u64;
        if vertices.is_empty() { self.forest.none() } else { middle_of(0, vertices.len()) }
    }

    /// Calls `visit` with every vertex of a tree from front to back.
    fn walk(&mut self, root: u32, mut visit: impl FnMut(&mut Self, u32)) {
        let mut stack = Vec::new();
        let mut node = root;
        loop {
            while node != self.forest.none() {
                self.forest.settle(node);
                stack.push(node);
                node = self.forest.node(node).children[0];
            }
            let Some(next) = stack.pop() else { break };
            node = self.forest.node(next).children[1];
            visit(self, next);
        }
    }
}

impl Sequence for SplayTree {
    fn new(vertex_count: usize) -> Self {
        let forest = Forest::new(vertex_count);
        SplayTree { root: forest.none(), forest }
    }

    fn bytes(vertex_count: usize) -> usize {
        Forest::bytes(vertex_count)
    }

    #[inline]
    fn len(&self) -> usize {
        self.forest.node(self.root).size as usize
    }

    #[inline]
    fn contains(&self, vertex: u32) -> bool {
        self.forest.node(vertex).size != 0
    }

    #[inline]
    fn rank(&mut self, vertex: u32) -> usize {
        self.forest.splay(vertex);
        self.root = vertex;
        self.forest.size_beside(vertex, Side::Front) as usize
    }

    #[inline]
    fn at(&mut self, rank: usize) -> u32 {
        self.root = self.find(self.root, rank);
        self.root
    }

    fn push(&mut self, side: Side, vertex: u32) {
        self.forest.plant(vertex);
        self.root = match side {
            Side::Front => self.join(vertex, self.root),
            Side::Back => self.join(self.root, vertex),
        };
    }

    fn pop(&mut self, side: Side) -> u32 {
        let vertex = match side {
            Side::Front => {
                let (vertex, rest) = self.split(self.root, 1);
                self.root = rest;
                vertex
            }
            Side::Back => {
                let (rest, vertex) = self.split(self.root, self.len() - 1);
                self.root = rest;
                vertex
            }
        };
        self.forest.node_mut(vertex).size = 0;
        vertex
    }

    fn reverse(&mut self, from: usize, to: usize) {
        let (rest, tail) = self.split(self.root, to);
        let (head, turned) = self.split(rest, from);
        self.forest.node_mut(turned).reversed ^= turned != self.forest.none();
        let rest = self.join(head, turned);
        self.root = self.join(rest, tail);
    }

    fn shared_bounds(&mut self, from: usize, middle: usize, to: usize) {
        let (rest, tail) = self.split(self.root, to);
        let (rest, second) = self.split(rest, middle);
        let (head, first) = self.split(rest, from);
        let rest = self.join(head, second);
        let rest = self.join(rest, first);
        self.root = self.join(rest, tail);
    }

    fn replace(&mut self, from: usize, to: usize, by: &[u32]) {
        let (rest, tail) = self.split(self.root, to);
        let (head, dropped) = self.split(rest, from);
        self.walk(dropped, |tree, vertex| tree.forest.node_mut(vertex).size = 0);
        let new = self.build(by);
        let rest = self.join(head, new);
        self.root = self.join(rest, tail);
    }

    fn load(&mut self, vertices: &[u32]) {
        self.walk(self.root, |tree, vertex| tree.forest.node_mut(vertex).size = 0);
        self.root = self.build(vertices);
    }

    fn store(&mut self, into: &mut Vec<u32>) {
        into.clear();
        self.walk(self.root, |_, vertex| into.push(vertex));
        self.forest.work += into.len() as u64;
    }

    #[inline]
    fn work(&self) -> u64 {
        self.forest.work
    }
}
